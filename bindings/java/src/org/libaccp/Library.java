// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Raw;

/**
 * The verbs and tools that messages of SACP may speak of, with the types of their params, and short names. Constant: any number of threads may use one. Whoever was made with it
 * keeps what it needs, so it may be closed.
 */
public final class Library extends Handle {
    /**
     * Reads a library with the default limits.
     *
     * @param document JSON, as {@link #Library(String, Options)} takes it
     * @throws AccpException as {@link #Library(String, Options)}
     */
    public Library(String document) throws AccpException {
        this(document, null);
    }

    /**
     * Reads a library.
     *
     * @param document JSON: <code>{"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description","supported_verbs"}],"aliases":{…}}</code>; null: one without
     *     verbs and tools
     * @param options may be null: limits
     * @throws AccpException E1001, E1003, E1004, E4001, E5001: refused; {@link Sacp#checkLibrary} says it in SACP's own codes
     */
    public Library(String document, Options options) throws AccpException {
        super(new State(Config.make(options, config -> Raw.accp_library_new(Texts.orEmpty(document), config)), true, Raw::accp_library_free));
    }
}
