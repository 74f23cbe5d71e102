// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * Stores the values of the cold tier of an engine outside its store. It must be safe for all
 * threads with a session of the engine.
 */
public interface ColdStore {
    /**
     * Stores a text durably before it returns. The same text may come again with the same key.
     *
     * @param key the SHA-256 of the text, 64 hexadecimal digits
     * @param text UTF-8
     * @throws Exception the call fails with the code of an {@link AccpException}, else ERR_IO
     */
    void put(String key, byte[] text) throws Exception;

    /**
     * Gives a text back.
     *
     * @param key the key of the text
     * @return the text; null if it does not exist
     * @throws Exception the call fails with the code of an {@link AccpException}, else ERR_IO
     */
    byte[] get(String key) throws Exception;
}
