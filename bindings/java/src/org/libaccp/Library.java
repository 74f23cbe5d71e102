// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Raw;

/**
 * The verbs and tools that SACP messages may use, with the types of their params, and short names.
 * Constant: any number of threads may use one. Its users keep what they need, so it may be closed.
 */
public final class Library extends Handle {
    /**
     * Reads a library with the default limits.
     *
     * @param document JSON, as for {@link #Library(String, Options)}
     * @throws AccpException as {@link #Library(String, Options)}
     */
    public Library(String document) throws AccpException {
        this(document, null);
    }

    /**
     * Reads a library with the default limits.
     *
     * @param document as {@link #Library(String, Options)}, UTF-8
     * @throws AccpException as {@link #Library(String, Options)}
     */
    public Library(byte[] document) throws AccpException {
        this(document, null);
    }

    /**
     * Reads a library.
     *
     * @param document JSON:
     *     <code>{"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description","supported_verbs"}],"aliases":{…}}</code>;
     *     null: no verbs and tools
     * @param options may be null: limits
     * @throws AccpException E1001, E1003, E1004, E4001, E5001: refused; {@link Sacp#checkLibrary}
     *     reports it with SACP's own codes
     */
    public Library(String document, Options options) throws AccpException {
        this(Texts.orEmpty(document), options);
    }

    /**
     * Reads a library.
     *
     * @param document as {@link #Library(String, Options)}, UTF-8
     * @param options may be null: limits
     * @throws AccpException as {@link #Library(String, Options)}
     */
    public Library(byte[] document, Options options) throws AccpException {
        super(new State(Config.make(options, config -> Raw.accp_library_new(document, config)), true, Raw::accp_library_free));
    }
}
