// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The flat node view of the C API: 16-byte nodes over one text, both copied into Java in one
 * crossing. Immutable.
 */
final class Tree {
    static final int NODE_BYTES = 16;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

    private final byte[] nodes;
    private final int nodesAt;
    private final byte[] text;
    private final int textAt;

    private Tree(byte[] nodes, int nodesAt, byte[] text, int textAt) {
        this.nodes = nodes;
        this.nodesAt = nodesAt;
        this.text = text;
        this.textAt = textAt;
    }

    /**
     * A value in the packed form of native/: its nodes, as many as the root has, and then its text.
     */
    static Tree ofValue(byte[] packed, int at) {
        return new Tree(packed, at, packed, at + NODE_BYTES * readInt(packed, at + 12));
    }

    /** A frame: its nodes and its text, which must not change afterwards. */
    static Tree ofFrame(byte[] nodes, int nodesAt, byte[] text, int textAt) {
        return new Tree(nodes, nodesAt, text, textAt);
    }

    static int readInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    int kind(int node) {
        return nodes[at(node)];
    }

    int flags(int node) {
        return nodes[at(node) + 1];
    }

    int keyLength(int node) {
        return (short) SHORT.get(nodes, at(node) + 2) & 0xffff;
    }

    int offset(int node) {
        return readInt(nodes, at(node) + 4);
    }

    int length(int node) {
        return readInt(nodes, at(node) + 8);
    }

    int next(int node) {
        return readInt(nodes, at(node) + 12);
    }

    String text(int node) {
        return new String(text, textAt + offset(node), length(node), StandardCharsets.UTF_8);
    }

    /** The number of an integer node of at most 18 digits. */
    long integer(int node) {
        int from = textAt + offset(node);
        int end = from + length(node);
        boolean negative = text[from] == '-';
        long number = 0;
        for (int i = negative ? from + 1 : from; i < end; i++) {
            number = 10 * number + (text[i] - '0');
        }
        return negative ? -number : number;
    }

    /** The text of a string node of a frame, with a backslash before characters of the grammar. */
    String unescaped(int node) {
        int from = textAt + offset(node);
        int end = from + length(node);
        byte[] plain = new byte[end - from];
        int count = 0;
        for (int i = from; i < end; i++) {
            if (text[i] == '\\' && i + 1 < end) {
                i++;
            }
            plain[count++] = text[i];
        }
        return new String(plain, 0, count, StandardCharsets.UTF_8);
    }

    String key(int node) {
        return new String(text, keyAt(node), keyLength(node), StandardCharsets.UTF_8);
    }

    boolean hasKey(int node, byte[] key) {
        int length = keyLength(node);
        int from = keyAt(node);
        if (length != key.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text[from + i] != key[i]) {
                return false;
            }
        }
        return true;
    }

    private int keyAt(int node) {
        return textAt + offset(node) - 1 - keyLength(node) - (kind(node) == Kind.REF.number ? 1 : 0);
    }

    private int at(int node) {
        return nodesAt + NODE_BYTES * node;
    }
}
