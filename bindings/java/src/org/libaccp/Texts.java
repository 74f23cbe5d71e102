// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Converts texts for the native library: a byte[] or a direct ByteBuffer, from its beginning to its
 * end.
 */
final class Texts {
    static final byte[] EMPTY = {};

    private Texts() {}

    /** Exact UTF-8: Java would replace a lone surrogate by a question mark. */
    static byte[] in(String text, String name) throws AccpException {
        Objects.requireNonNull(text, name);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else {
                throw AccpException.of(1004, text.substring(0, i).getBytes(StandardCharsets.UTF_8).length, "a lone surrogate in a string".getBytes(
                        StandardCharsets.US_ASCII));
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] in(byte[] text, String name) {
        return Objects.requireNonNull(text, name);
    }

    static Object in(ByteBuffer text, String name) {
        Objects.requireNonNull(text, name);
        return text.isDirect() ? text.slice() : bytes(text);
    }

    static byte[] bytes(ByteBuffer text) {
        byte[] copy = new byte[text.remaining()];
        text.duplicate().get(copy);
        return copy;
    }

    static byte[] orEmpty(String text) throws AccpException {
        return text == null ? EMPTY : in(text, "text");
    }

    static String out(byte[] text) {
        return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }

    /** For an empty text that means "none". */
    static String orNull(byte[] text) {
        return text.length == 0 ? null : out(text);
    }

    /** Each is a String, a byte[], or null for the empty text. */
    static byte[][] all(Object... texts) throws AccpException {
        byte[][] made = new byte[texts.length][];
        for (int i = 0; i < made.length; i++) {
            made[i] = texts[i] instanceof byte[] bytes ? bytes : orEmpty((String) texts[i]);
        }
        return made;
    }
}
