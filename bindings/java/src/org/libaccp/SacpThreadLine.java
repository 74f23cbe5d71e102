// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A message in a thread, as {@link Sacp#threads} answers it.
 *
 * @param line of the text, from 1
 * @param depth how many replies it stands below the beginning of its thread
 * @param kind how it stands there
 * @param msgId null: it has none
 * @param replyTo null: it replies to nothing
 * @param of of a {@link Kind#DUPLICATE} the earlier line; else 0
 */
public record SacpThreadLine(int line, int depth, Kind kind, String msgId, String replyTo, int of) {
    private static final int MAX_BYTES = 1 << 30;

    /** How a message stands in a thread. */
    public enum Kind {
        /** It replies to nothing. */
        ROOT,
        /** It replies to one that is there. */
        REPLY,
        /** It replies to one that is not there. */
        ORPHAN,
        /** It has the {@code msg_id} of an earlier line, which gets all replies to it. */
        DUPLICATE,
        /** The first line of a circle, which is cut open before it. */
        CYCLE
    }

    /**
     * Refuses null where there must be something.
     *
     * @param line of the text
     * @param depth below the beginning of its thread
     * @param kind how it stands there
     * @param msgId its id
     * @param replyTo what it replies to
     * @param of the earlier line
     */
    public SacpThreadLine {
        Objects.requireNonNull(kind, "kind");
    }

    static List<SacpThreadLine> read(byte[] json) throws AccpException {
        List<SacpThreadLine> lines = new ArrayList<>();
        // the array is longer than the lines that it is of, so their limit is not its own
        for (Json one : Json.parse(Texts.out(json), new Options().limit(Limit.JSON_BYTES, MAX_BYTES))) {
            Json of = one.get("of");
            lines.add(new SacpThreadLine(one.get("line").asInt(), one.get("depth").asInt(), Kind.valueOf(one.get("kind").asString().toUpperCase(Locale.ROOT)), text(one, "msg_id"),
                    text(one, "reply_to"), of == null ? 0 : of.asInt()));
        }
        return List.copyOf(lines);
    }

    private static String text(Json object, String key) {
        Json text = object.get(key);
        return text == null ? null : text.asString();
    }
}
