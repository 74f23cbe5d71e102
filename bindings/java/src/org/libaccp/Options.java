// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;

/** How a handle behaves; copied by whatever is made with it. Set up by one thread; {@code null} in its place means every default. */
public final class Options {
    private final List<Handle.Tell> settings = new ArrayList<>();

    /** Makes options with every default. */
    public Options() {}

    /**
     * Sets the dialect that frames are read in; default {@link Dialect#STRICT}.
     *
     * @param dialect the dialect
     * @return this
     */
    public Options dialect(Dialect dialect) {
        Objects.requireNonNull(dialect, "dialect");
        int number = dialect.number;
        return with(options -> Raw.accp_options_set_dialect(options, number));
    }

    /**
     * Sets the extensions in force, in place of q1 alone; implied ones are added.
     *
     * @param extensions none: the bare specification
     * @return this
     */
    public Options extensions(Extension... extensions) {
        Objects.requireNonNull(extensions, "extensions");
        int bits = Extension.bits(extensions);
        return with(options -> Raw.accp_options_set_extensions(options, bits));
    }

    /**
     * Payload keys are abbreviated when encoding and expanded when decoding (specification 4.2): both sides must have it.
     *
     * @param on default false
     * @return this
     */
    public Options abbreviate(boolean on) {
        return with(options -> Raw.accp_options_set_abbreviate(options, on ? 1 : 0));
    }

    /**
     * Decoding writes a ref as <code>{"$ref":"warm.key"}</code>, and encoding makes a ref of such an object.
     *
     * @param on default false: decoding a ref is E2001
     * @return this
     */
    public Options keepRefs(boolean on) {
        return with(options -> Raw.accp_options_set_keep_refs(options, on ? 1 : 0));
    }

    /**
     * Sets a limit. A value out of its range is refused by whatever is made with these options.
     *
     * @param limit which
     * @param value its value
     * @return this
     */
    public Options limit(Limit limit, long value) {
        Objects.requireNonNull(limit, "limit");
        int number = limit.number;
        return with(options -> Raw.accp_options_set_limit(options, number, value));
    }

    /**
     * Names one member of a message to pass over when encoding, where it would be refused; again for more.
     *
     * @param name the member
     * @return this
     */
    public Options ignore(String name) {
        Objects.requireNonNull(name, "name");
        return with(options -> Raw.accp_options_ignore(options, Texts.in(name, "name")));
    }

    /**
     * Sets how many pieces of text a counter remembers the counts of, at 16 bytes each.
     *
     * @param entries 4 to 2^20; default 16,384
     * @return this
     */
    public Options tokenCache(int entries) {
        return with(options -> Raw.accp_options_set_token_cache(options, entries));
    }

    private Options with(Handle.Tell setting) {
        settings.add(setting);
        return this;
    }

    /** What makes a handle out of options: 0 for none. */
    interface Make {
        long of(long options) throws AccpException;
    }

    static long make(Options options, Make make) throws AccpException {
        if (options == null) {
            return make.of(0);
        }
        long handle = Raw.accp_options_new();
        try {
            for (Handle.Tell setting : options.settings) {
                setting.to(handle);
            }
            return make.of(handle);
        } finally {
            Raw.accp_options_free(handle);
        }
    }
}
