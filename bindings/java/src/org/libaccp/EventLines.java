// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Locale;
import java.util.Objects;

/**
 * Events as lines of a logger: {@code accp context session=s tokens=812 messages=20}. Fields that
 * do not apply are omitted.
 */
final class EventLines implements Engine.Events {
    private final System.Logger logger;

    EventLines(System.Logger logger) {
        this.logger = Objects.requireNonNull(logger, "logger");
    }

    @Override
    public void event(Engine.Event event) {
        System.Logger.Level level = level(event.kind());
        if (logger.isLoggable(level)) {
            logger.log(level, line(event));
        }
    }

    private static System.Logger.Level level(Engine.EventKind kind) {
        return switch (kind) {
            case REFUSED, DROPPED, GAP_OPENED, REQUEST_EXPIRED, EVICTED -> System.Logger.Level.WARNING;
            case CHECKPOINT, REGISTRY_CHANGED -> System.Logger.Level.INFO;
            default -> System.Logger.Level.DEBUG;
        };
    }

    private static String line(Engine.Event e) {
        StringBuilder out = new StringBuilder("accp ").append(e.kind().name().toLowerCase(Locale.ROOT));
        add(out, "session", e.session());
        add(out, "agent", e.agent());
        add(out, "mid", e.mid());
        add(out, "cid", e.cid());
        add(out, "aid", e.aid());
        add(out, "seq", e.seq());
        add(out, "bytes", e.bytes());
        add(out, "tokens", e.tokens());
        add(out, "messages", e.count());
        add(out, "history_tokens", e.history());
        add(out, "cached_tokens", e.cached());
        add(out, "written_tokens", e.written());
        if (e.status() != 0) {
            out.append(" error=").append(AccpException.of(e.status(), "").codeName());
        }
        return out.toString();
    }

    private static void add(StringBuilder out, String name, String value) {
        if (!value.isEmpty()) {
            out.append(' ').append(name).append('=');
            if (value.chars().allMatch(c -> c > ' ' && c != '"' && c != 0x7F)) {
                out.append(value);
            } else {
                JsonText.quote(value, out);  // an id may have a line break, which must not start a new line
            }
        }
    }

    private static void add(StringBuilder out, String name, long value) {
        if (value != 0) {
            out.append(' ').append(name).append('=').append(value);
        }
    }
}
