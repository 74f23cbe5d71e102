// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;

/**
 * A frame as it is spelled: {@code @planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]}. Immutable, with no native memory.
 * Its values are those of the grammar: what an extension would decode further (q1 text, tables) stands as the frame has it. {@link FrameCodec#decodeMessage}
 * goes the whole way.
 */
public final class Frame {
    private final byte[] text;
    private final int textAt;
    private final int textLength;
    private final int count;
    private final Tree tree;

    /** The text and the nodes must not change any more. */
    Frame(byte[] text, int textAt, int textLength, byte[] nodes, int nodesAt, int count) {
        this.text = text;
        this.textAt = textAt;
        this.textLength = textLength;
        this.count = count;
        tree = Tree.ofFrame(nodes, nodesAt, text, textAt);
    }

    /**
     * Parses one frame in the strict dialect. Other dialects: {@link FrameCodec}.
     *
     * @param frame the frame
     * @return its tree
     * @throws AccpException E1001 with the byte that cannot stand
     */
    public static Frame parse(String frame) throws AccpException {
        return FrameCodec.own().parse(frame);
    }

    /** {@return who says it} */
    public String agent() {
        return tree.text(0);
    }

    /** {@return the intent's code; whether it is one of the twelve is not checked: {@link Intent#of}} */
    public String intent() {
        return tree.text(1);
    }

    /** {@return what it is about} */
    public String operation() {
        return tree.text(2);
    }

    /** {@return the payload as it is spelled} */
    public Json payload() {
        return new Json(tree, 3);
    }

    /** {@return the metadata as it is spelled, or null where there is none} */
    public Json metadata() {
        int node = tree.next(3);
        return node < count ? new Json(tree, node) : null;
    }

    /** {@return how many nodes its tree has: names, values, and what holds them} */
    public int nodeCount() {
        return count;
    }

    /** {@return the frame's bytes; a copy} */
    public byte[] toBytes() {
        return java.util.Arrays.copyOfRange(text, textAt, textAt + textLength);
    }

    /** {@return the frame as it was given} */
    @Override
    public String toString() {
        return new String(text, textAt, textLength, StandardCharsets.UTF_8);
    }

    /** {@return whether the other is spelled alike} */
    @Override
    public boolean equals(Object other) {
        return other instanceof Frame && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
