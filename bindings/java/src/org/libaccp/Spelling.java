// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces the library's names for rules, limits, modes and calls ("raise rule max_tokens", "call
 * session_sync") by Java names.
 */
final class Spelling {
    private static final Pattern NAMED = Pattern.compile("\\b(in |the )?(rule|limit|mode|call) ([a-z][a-z0-9_]*)");
    private static final Map<String, String> OTHERS = Map.of("mode local", "with SessionFlag.LOCAL", "mode read_only", "with SessionFlag.READ_ONLY", "call session_sync",
            "call Session.sync()");

    private Spelling() {}

    /** Returns the text with Java names; unknown names stay. */
    static String of(String text) {
        return text == null ? null : NAMED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(name(found.group(), found.group(2), found.group(3))));
    }

    private static String name(String whole, String kind, String name) {
        String constant = name.toUpperCase(Locale.ROOT);
        try {
            return switch (kind) {
                case "rule" -> "Rule." + Rule.valueOf(constant);
                case "limit" -> "Limit." + Limit.valueOf(constant);
                default -> OTHERS.getOrDefault(kind + " " + name, whole);
            };
        } catch (IllegalArgumentException e) {
            return whole;
        }
    }
}
