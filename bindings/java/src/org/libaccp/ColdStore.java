// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/** Where an engine keeps the values of the cold tier, outside its store. Fit for every thread that has a session of the engine. */
public interface ColdStore {
    /**
     * Keeps a text, durably, before it returns. The same text comes again under the same key.
     *
     * @param key the SHA-256 of the text, 64 hexadecimal digits
     * @param text UTF-8
     * @throws Exception the call fails with the code of an {@link AccpException}, else ERR_IO
     */
    void put(String key, byte[] text) throws Exception;

    /**
     * Gives a text back.
     *
     * @param key as it was kept
     * @return the text; null where there is none
     * @throws Exception the call fails with the code of an {@link AccpException}, else ERR_IO
     */
    byte[] get(String key) throws Exception;
}
