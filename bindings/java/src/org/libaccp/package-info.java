// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * The Agent Context Compression Protocol.
 *
 * <p>Begin with {@link org.libaccp.Engine} and {@link org.libaccp.Session} for frames with delivery
 * guarantees, or with {@link org.libaccp.Codec} for single ones; {@link org.libaccp.Options}
 * configures them. These rules apply to every class:
 *
 * <ul>
 * <li>Classes that are {@link java.lang.AutoCloseable} hold native memory. Close them; the
 * collector frees forgotten ones. A call on a closed one is an
 * {@link java.lang.IllegalStateException}; it may be closed twice.
 * <li>Such an object serves one thread at a time, unless its comment allows sharing: calls of other
 * threads queue. A callback that calls its own object gets an
 * {@link java.lang.IllegalStateException}. {@code close()} during another thread's call takes
 * effect when that call ends.
 * <li>Texts are UTF-8. A method with a {@code byte[]} or a {@link java.nio.ByteBuffer} (from its
 * position to its limit; direct ones are not copied and must not change during the call) returns a
 * {@code byte[]}; its twin with a {@code String} returns a {@code String}. A {@code String} with a
 * lone surrogate is {@link org.libaccp.AccpException.InvalidType}.
 * <li>Everything else (frames, messages, JSON values, records) is immutable, holds no native
 * memory, and may be shared.
 * <li>{@code null} is refused with a {@link java.lang.NullPointerException} unless a comment allows
 * it.
 * <li>A callback that throws makes the call fail: its exception is the cause of the
 * {@link org.libaccp.AccpException}.
 * </ul>
 */
package org.libaccp;
