// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;

/**
 * A parsed frame: {@code @planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]}.
 * Immutable, with no native memory. Its values are those of the grammar: extensions (q1 text,
 * tables) are not decoded. {@link FrameCodec#decodeMessage} decodes them.
 */
public final class Frame {
    private final byte[] text;
    private final int textAt;
    private final int textLength;
    private final int count;
    private final Tree tree;

    /** The text and the nodes must not change afterwards. */
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
     * @throws AccpException E1001 with the byte at fault
     */
    public static Frame parse(String frame) throws AccpException {
        return FrameCodec.own().parse(frame);
    }

    /** {@return the sender} */
    public String agent() {
        return tree.text(0);
    }

    /** {@return the intent's code, which may be any: {@link Intent#of} checks it} */
    public String intent() {
        return tree.text(1);
    }

    /** {@return the operation} */
    public String operation() {
        return tree.text(2);
    }

    /** {@return the payload with its original spelling} */
    public Json payload() {
        return new Json(tree, 3);
    }

    /** {@return the metadata with its original spelling, or null if the frame has none} */
    public Json metadata() {
        int node = tree.next(3);
        return node < count ? new Json(tree, node) : null;
    }

    /** {@return the number of nodes in its tree} */
    public int nodeCount() {
        return count;
    }

    /** {@return the frame's bytes; a copy} */
    public byte[] toBytes() {
        return java.util.Arrays.copyOfRange(text, textAt, textAt + textLength);
    }

    /** {@return the original text} */
    @Override
    public String toString() {
        return new String(text, textAt, textLength, StandardCharsets.UTF_8);
    }

    /** {@return whether the other has the same spelling} */
    @Override
    public boolean equals(Object other) {
        return other instanceof Frame && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
