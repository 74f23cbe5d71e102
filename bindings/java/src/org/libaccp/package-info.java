// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * The Agent Context Compression Protocol.
 *
 * <p>Begin with {@link org.libaccp.Engine} and {@link org.libaccp.Session} for frames with their delivery guarantees, or with {@link org.libaccp.Codec} for
 * single ones; one {@link org.libaccp.Options} says how they behave. What holds for every class:
 *
 * <ul>
 * <li>Classes that are {@link java.lang.AutoCloseable} hold native memory. Close them; one that was forgotten is freed when the collector finds it.
 * A call on a closed one is an {@link java.lang.IllegalStateException}; closing twice is nothing.
 * <li>Such an object serves one thread at a time, unless its comment says that it may be shared: calls of other threads queue. A callback that uses what has
 * called it gets an {@link java.lang.IllegalStateException}. {@code close()} during another thread's call takes effect when that call ends.
 * <li>Texts are UTF-8. A method that takes a {@code byte[]} or a {@link java.nio.ByteBuffer} (from its position to its limit; direct ones are used
 * where they lie, and must not change during the call) answers a {@code byte[]}; its twin for {@code String} answers a {@code String}. A
 * {@code String} with a lone surrogate is {@link org.libaccp.AccpException.InvalidType}.
 * <li>Everything else (frames, messages, JSON values, records) is immutable, holds no native memory, and may be shared.
 * <li>{@code null} is refused with a {@link java.lang.NullPointerException} where a comment does not allow it.
 * <li>A callback that throws makes the call fail: the exception is the cause of the {@link org.libaccp.AccpException}.
 * </ul>
 */
package org.libaccp;
