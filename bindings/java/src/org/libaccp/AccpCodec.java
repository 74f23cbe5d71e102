// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * The five operations that an implementation must provide (specification 7.1). {@link Engine}
 * implements them.
 */
public interface AccpCodec {
    /**
     * Encodes a message into the session's next frame.
     *
     * @param message the message
     * @param session the session
     * @return the frame; transmit it unchanged, repeatedly if necessary
     * @throws AccpException as {@link Session#send(String)}
     */
    Frame encode(Message message, Session session) throws AccpException;

    /**
     * Decodes an incoming frame.
     *
     * @param frame the frame
     * @param session the session
     * @return the message; null if the frame has to wait for an earlier one, is dropped, or is a
     *     part of an incomplete message. {@link Session#nextDelivery()} returns the messages of
     *     frames that waited for this one
     * @throws AccpException as {@link Session#receive(String)}
     */
    Message decode(Frame frame, Session session) throws AccpException;

    /**
     * Triggers a compression checkpoint.
     *
     * @param session the session
     * @return the newest checkpoint
     * @throws AccpException as {@link Session#checkpoint()}
     */
    Checkpoint checkpoint(Session session) throws AccpException;

    /**
     * Gets the current use of the token budget.
     *
     * @param session the session
     * @return tokens in use and at most
     * @throws AccpException as {@link Session#budget()}
     */
    TokenBudget getBudget(Session session) throws AccpException;

    /**
     * Registers a custom schema. The other side must do it too, or negotiate again.
     *
     * @param name its name
     * @param schema its definition: <code>{"code":…,"fields":[…],"defaults":{…}}</code>
     * @throws AccpException as {@link Registry#add}
     */
    void registerSchema(String name, Json schema) throws AccpException;
}
