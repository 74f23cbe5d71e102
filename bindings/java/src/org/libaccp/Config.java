// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.libaccp.internal.Callback;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Collects the values of {@link Options} and makes a new native config from them for each handle,
 * so that the options may change afterwards.
 */
final class Config {
    final List<Handle.Tell> settings = new ArrayList<>();
    final Map<Rule, Long> rules = new EnumMap<>(Rule.class);
    final Upcall[] hooks = new Upcall[Callback.KINDS];  // by their kind
    Tokenizer tokenizer;
    Negotiation.Agreement agreement;  // applied last: it overrides other settings
    Clock clock = Clock.systemUTC();

    /** Makes a handle from a native config, 0 for none. */
    interface Make {
        long of(long config) throws AccpException;
    }

    /** For handles that do not need the options after their construction. */
    static long make(Options options, Make make) throws AccpException {
        return options == null ? make.of(0) : options.config.make(make);
    }

    /**
     * For handles that continue to use the tokenizer and callbacks: these are kept until the handle
     * is freed.
     */
    static Handle.State open(Options options, long bytes, boolean shared, Make make, Handle.Free free) throws AccpException {
        return options == null ? new Handle.State(make.of(0), bytes, shared, free) : options.config.open(bytes, shared, make, free);
    }

    private long make(Make make) throws AccpException {
        long config = Raw.accp_config_new();
        try {
            for (Handle.Tell setting : settings) {
                setting.to(config);
            }
            for (Map.Entry<Rule, Long> rule : rules.entrySet()) {
                Raw.accp_config_set_rule(config, rule.getKey().number, rule.getValue());
            }
            if (agreement != null) {
                agreement.apply(config);
            }
            return make.of(config);
        } finally {
            Raw.accp_config_free(config);
        }
    }

    private Handle.State open(long bytes, boolean shared, Make make, Handle.Free free) throws AccpException {
        Upcall[] called = hooks.clone();
        int kinds = IntStream.range(0, called.length).filter(kind -> called[kind] != null).map(kind -> 1 << kind).sum();
        Handle.State[] borrowed = tokenizer == null ? new Handle.State[0] : new Handle.State[] {tokenizer.state};
        long counting = tokenizer == null ? 0 : tokenizer.use();
        long target = Native.callbackNew((kind, texts, numbers) -> called[kind].call(kind, texts, numbers));
        try {
            long made = make(config -> {
                Raw.accp_config_set_tokenizer(config, counting);
                Native.configSetHooks(config, target, kinds);
                return make.of(config);
            });
            return new Handle.State(made, bytes, shared, handle -> {
                free.free(handle);
                Native.callbackFree(target);
            }, borrowed);
        } catch (AccpException | RuntimeException e) {
            Native.callbackFree(target);
            for (Handle.State one : borrowed) {
                one.unuse();
            }
            throw e;
        }
    }
}
