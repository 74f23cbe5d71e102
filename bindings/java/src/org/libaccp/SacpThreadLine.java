// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A message in a thread, from {@link Sacp#threads}.
 *
 * @param line of the text, from 1
 * @param depth number of replies between the beginning of its thread and it
 * @param kind its position
 * @param msgId null: none
 * @param replyTo null: not a reply
 * @param of for a {@link Kind#DUPLICATE}, the earlier line; else 0
 */
public record SacpThreadLine(int line, int depth, Kind kind, String msgId, String replyTo, int of) {
    private static final int MAX_BYTES = 1 << 30;

    /** The position of a message in a thread. */
    public enum Kind {
        /** It is not a reply. */
        ROOT,
        /** It replies to a message in the text. */
        REPLY,
        /** It replies to a message that is missing. */
        ORPHAN,
        /** It has the {@code msg_id} of an earlier line, which gets all replies. */
        DUPLICATE,
        /** The first line of a cycle, which is cut before it. */
        CYCLE
    }

    /**
     * Checks that required values are not null.
     *
     * @param line of the text
     * @param depth in its thread
     * @param kind its position
     * @param msgId its id
     * @param replyTo the msg_id of the original message
     * @param of the earlier line
     */
    public SacpThreadLine {
        Objects.requireNonNull(kind, "kind");
    }

    static List<SacpThreadLine> read(byte[] json) throws AccpException {
        List<SacpThreadLine> lines = new ArrayList<>();
        // the array is longer than the lines, so their limit does not apply
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
