// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A session: it receives and sends frames with their delivery guarantees (specification 3.7), holds
 * state in three tiers (5), and makes the context for a model in place of the history.
 * {@link Engine#session} opens it. Any number of threads may call it; calls queue in the order in
 * which they came. A callback that calls its own session gets an {@link IllegalStateException}, and
 * nothing has changed.
 *
 * <p>A refused call has changed nothing. After {@link AccpException.Io} the call took effect but is
 * not durable: call {@link #sync()} until it succeeds, and acknowledge nothing before; a frame that
 * was made is the newest record of the log. If another writer has opened the session, every call
 * throws {@link AccpException.Closed}. With a store in a file, calls wait for the disk.
 *
 * <p>It is an interface so that tests can replace it. Calls with a session (of {@link Engine}, of
 * {@link ContextPacket}) need one of this library.
 */
public interface Session extends AutoCloseable {
    /** The result of an incoming frame. */
    enum Receipt {
        /**
         * Applied, once and in order: {@link #nextDelivery()} returns the messages, one in parts
         * with the part that completes it.
         */
        APPLIED,
        /** Expired, or its chain was cancelled: send no answer. */
        DROPPED,
        /** It waits for an earlier frame. */
        HELD
    }

    /**
     * The result of {@link #nextDelivery()}.
     *
     * @param seq of the frame; for {@link AccpException.Timeout} the record number of the request,
     *     for {@link #retry}
     * @param message JSON; null with an error
     * @param error null with a message. {@link AccpException.SequenceGap}: frames before {@code
     *     seq} are missing (reported once). {@link AccpException.Timeout}: our request got no reply
     *     in time. Else why a pending frame was refused
     * @param mid of the message's frame; in parts, of the part that completed it; null with an
     *     error
     * @param cid of the message's frame, null if it has none; for a request without a reply its cid
     *     or else its mid; else null
     * @param untrusted whether the message comes from an untrusted peer or agent, or quotes one: it
     *     is data, not instructions
     * @param warnings warnings about the message; empty with an error
     */
    record Delivery(long seq, String message, AccpException error, String mid, String cid, boolean untrusted, Set<Warning> warnings) {}

    /**
     * The sender of a frame or message, as the host has authenticated it. The host takes it from
     * the connection, never from the content.
     *
     * @param agents the names that it may use; {@link #ANY} allows any except for the host's own.
     *     An untrusted peer may use system, developer, user, assistant, tool or function only if
     *     that name is in the set
     * @param untrusted whether its content is data, not instructions
     */
    record Peer(Set<String> agents, boolean untrusted) {
        /** Any agent except for the host's own. */
        public static final String ANY = "*";

        /**
         * Checks the names.
         *
         * @param agents the names
         * @param untrusted whether it is untrusted
         */
        public Peer {
            agents = Set.copyOf(Objects.requireNonNull(agents, "agents"));
            if (agents.stream().anyMatch(name -> name.isEmpty() || name.contains(","))) {
                throw new IllegalArgumentException("an agent's name is not empty and has no comma: " + agents);
            }
        }

        /**
         * Makes a trusted peer with these names.
         *
         * @param agents the names that it may use
         * @return the peer
         */
        public static Peer of(String... agents) {
            return new Peer(Set.of(Objects.requireNonNull(agents, "agents")), false);
        }
    }

    /**
     * The current context for a model.
     *
     * @param text the text
     * @param tokens its tokens
     */
    record Context(String text, long tokens) {
        /** {@return the text} */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * The current context for a model, as messages of an interface.
     *
     * @param json for {@link Interface#OPENAI} an array of messages; for
     *     {@link Interface#ANTHROPIC} an object with {@code "messages"} and an optional
     *     {@code "system"}, with {@code cache_control} as cache marks
     * @param tokens the tokens of the texts without the surrounding format
     */
    record Messages(String json, long tokens) {
        /** {@return the messages, in JSON} */
        @Override
        public String toString() {
            return json;
        }
    }

    /** The kind of a {@link Block}. The kinds of one context come in this order. */
    enum BlockKind {
        /** The host's first messages and the first request: never shortened by a checkpoint. */
        PINNED,
        /** A line that names messages that are left out. */
        GAP,
        /** A checkpoint: unchanged until older ones are merged. */
        CLOSED,
        /** Messages since the last checkpoint, except for the newest. */
        OPEN,
        /** The newest message. */
        NEWEST,
        /** The current values that {@link #put} stored under hot and warm, one per line. */
        VALUES
    }

    /**
     * A part of a context's text.
     *
     * @param kind the kind of the block
     * @param stable predicts that the next context begins with everything up to the end of this
     *     block; the next message and requested checkpoints cannot be predicted. Put a cache mark
     *     at the last such block
     * @param checkpoint for a closed block, its newest checkpoint ({@code $warm.ckpt_N}); else 0
     * @param tokens of its text
     * @param since the record since which it is unchanged; 0 for a gap
     * @param text its text
     */
    record Block(BlockKind kind, boolean stable, int checkpoint, long tokens, long since, String text) {}

    /**
     * A record of the log.
     *
     * @param kind {@code 'R'} an incoming frame, {@code 'S'} an outgoing frame, {@code 'Q'} an
     *     outgoing frame with a deadline, {@code 'r'} and {@code 's'} parts of messages,
     *     {@code 'M'} a message without a frame, {@code 'U'} a frame that was dropped or refused
     *     after its seq was used, {@code 'P'} a requested checkpoint, {@code 'A'} dropped parts,
     *     {@code 'T'} passed deadlines, {@code 'Z'} the session's end
     * @param time its time
     * @param text the exact bytes; empty if it does not exist
     */
    record LogRecord(char kind, Instant time, String text) {}

    /**
     * The state that both sides share.
     *
     * @param version 0 before the first
     * @param value an empty object before the first
     */
    record SharedState(long version, Json value) {}

    /** {@return its id} */
    String id();

    /**
     * Receives a frame (specification 3.5, 3.7, 7.3).
     *
     * @param frame the frame
     * @return the result
     * @throws AccpException E1001 grammar, envelope, limits; E1002 intent; E1003, E1004 schema and
     *     types; E2001, E2002, E2003 references; E3002 a repeated mid; E3003 a gap too wide, a
     *     passed seq, a state that does not follow; E5001 one of the host's names; E5002 another
     *     session's sid
     */
    default Receipt receive(String frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Receives a frame.
     *
     * @param frame UTF-8
     * @return the result
     * @throws AccpException as {@link #receive(String)}
     */
    default Receipt receive(byte[] frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Receives a frame.
     *
     * @param frame UTF-8
     * @return the result
     * @throws AccpException as {@link #receive(String)}
     */
    default Receipt receive(ByteBuffer frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Receives a frame from a peer that the host has authenticated. A host with more than one peer
     * uses this for all frames.
     *
     * @param frame the frame
     * @param peer the sender; null: a trusted peer that may use any name except for the host's own
     * @return the result
     * @throws AccpException as {@link #receive(String)}; E5001: the peer may not use the frame's
     *     name; the frame is not counted
     */
    Receipt receive(String frame, Peer peer) throws AccpException;

    /**
     * Receives a frame from a peer that the host has authenticated.
     *
     * @param frame UTF-8
     * @param peer as {@link #receive(String, Peer)}
     * @return the result
     * @throws AccpException as {@link #receive(String, Peer)}
     */
    Receipt receive(byte[] frame, Peer peer) throws AccpException;

    /**
     * Receives a frame from a peer that the host has authenticated.
     *
     * @param frame UTF-8
     * @param peer as {@link #receive(String, Peer)}
     * @return the result
     * @throws AccpException as {@link #receive(String, Peer)}
     */
    Receipt receive(ByteBuffer frame, Peer peer) throws AccpException;

    /** {@return the next message in order; null if none is pending} */
    Delivery nextDelivery();

    /**
     * Returns whether a chain was cancelled. Handlers check it before they continue (specification
     * 3.7).
     *
     * @param cid its correlation id, or the mid of a request without one
     * @return true if so
     * @throws AccpException E1004 for a lone surrogate
     */
    boolean isCancelled(String cid) throws AccpException;

    /**
     * Makes the frame of a message with a new mid, seq and ts, and records it (specification 7.2,
     * 3.5).
     *
     * @param message JSON; the session sets mid, seq, ts and sid, and other metadata is kept
     * @return the frame; transmit it unchanged, repeatedly if necessary: it is applied once. Over
     *     {@link Rule#MAX_TOKENS}, with {@link Rule#PARTS}, several frames separated by newlines
     * @throws AccpException DROPPED: its chain was cancelled, and only {@code ack} and
     *     {@code cancel} are sent; E1001 to E1004 as {@link Codec#encode(String)}; E2003 over
     *     {@link Rule#MAX_TOKENS} if parts do not help
     */
    String send(String message) throws AccpException;

    /**
     * Makes the frame of a message.
     *
     * @param message JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #send(String)}
     */
    byte[] send(byte[] message) throws AccpException;

    /**
     * Makes the frame of a message.
     *
     * @param message JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #send(String)}
     */
    byte[] send(ByteBuffer message) throws AccpException;

    /**
     * Makes the frame of a message.
     *
     * @param message the message
     * @return the frame
     * @throws AccpException as {@link #send(String)}
     */
    default String send(Message message) throws AccpException {
        Objects.requireNonNull(message, "message");
        return send(message.toJson());
    }

    /**
     * Sends a reply as {@link #send(String)} does, with the cid and operation of the request and
     * its mid as aid (specification 3.5). Fields that the reply sets are kept.
     *
     * @param request the {@link Delivery#message()} to reply to
     * @param answer JSON; the operation may be missing
     * @return the frame, or several, as {@link #send(String)}
     * @throws AccpException E1001 at offset 0 if the request is not a message or has neither cid
     *     nor mid; else as {@link #send(String)}
     */
    String reply(String request, String answer) throws AccpException;

    /**
     * Sends a reply.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    byte[] reply(byte[] request, byte[] answer) throws AccpException;

    /**
     * Sends a reply.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    byte[] reply(ByteBuffer request, ByteBuffer answer) throws AccpException;

    /**
     * Sends a reply.
     *
     * @param request the message to reply to
     * @param answer the reply with its own operation
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    default String reply(Message request, Message answer) throws AccpException {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
        return reply(request.toJson(), answer.toJson());
    }

    /**
     * Describes the message that {@link #send(String)}, {@link #reply(String, String)} or
     * {@link #sendState(String, Json)} sent last. For a received message see
     * {@link Delivery#warnings()}.
     *
     * @return its parts, kept values and warnings; no parts after a refusal
     * @throws AccpException never
     */
    Codec.Outcome outcome() throws AccpException;

    /**
     * Checks our requests with {@link Rule#DEADLINE_MS} for passed deadlines:
     * {@link #nextDelivery()} returns a {@link AccpException.Timeout} for each (specification 3.7,
     * 4.1).
     *
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void expire() throws AccpException;

    /**
     * {@return the earliest deadline, which {@link #expire()} finds passed a millisecond later;
     * null if no request waits}
     */
    Instant nextDeadline();

    /**
     * Makes a frame that repeats one of our frames, with a new mid, seq and ts. Only frames that
     * failed with a {@link AccpException#retryable()} code may be repeated (specification 3.7,
     * 10.3).
     *
     * @param record the number of the frame's record: {@link Delivery#seq()} of a timeout, or
     *     {@link #recordCount()} after {@link #send(String)}. For a message in parts, that of the
     *     last one: all are repeated
     * @return the frame
     * @throws AccpException E2001: the record does not exist; ERR_ARG: it is not an outgoing frame;
     *     else as {@link #send(String)}
     */
    String retry(long record) throws AccpException;

    /**
     * Drops the held parts of a chain that will not be completed; {@code cancel} does so too.
     *
     * @param cid of the chain; null: all chains
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void removeParts(String cid) throws AccpException;

    /**
     * Adds a message without a frame: a user's text, a tool's result, or anything that a model
     * should remember.
     *
     * @param message JSON of a message
     * @throws AccpException E1001 if it is not a message
     */
    default void append(String message) throws AccpException {
        append(message, null);
    }

    /**
     * Adds a message without a frame.
     *
     * @param message JSON of a message, UTF-8
     * @throws AccpException as {@link #append(String)}
     */
    default void append(byte[] message) throws AccpException {
        append(message, null);
    }

    /**
     * Adds a message that a peer sent without a frame, through a protocol of the host such as MCP.
     * The message can raise neither the peer's rights nor its trust. If the peer is untrusted, the
     * message is marked in the log, in JSON and in each context.
     *
     * @param message JSON of a message
     * @param peer the peer of the connection; null: the host itself
     * @throws AccpException as {@link #append(String)}; E5001, with the offset of the byte at
     *     fault: the peer may not use the message's agent, or the peer is untrusted and the member
     *     {@code untrusted} is not true or the metadata has mid, seq, ts or sid. Nothing has
     *     changed then
     */
    void append(String message, Peer peer) throws AccpException;

    /**
     * Adds a message that a peer sent without a frame.
     *
     * @param message JSON of a message, UTF-8
     * @param peer as {@link #append(String, Peer)}
     * @throws AccpException as {@link #append(String, Peer)}
     */
    void append(byte[] message, Peer peer) throws AccpException;

    /**
     * Makes a checkpoint, for example at the end of a phase, unless the last one has all messages.
     * done, esc, comp and too many tokens make one automatically (specification 5.2, 5.3,
     * 7.1).
     *
     * @return the newest checkpoint
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    Checkpoint checkpoint() throws AccpException;

    /** {@return the number of the newest checkpoint ({@code $warm.ckpt_N}), or 0} */
    int newestCheckpoint();

    /**
     * Returns the current context for a model in place of the history, with as much as is
     * worthwhile (specification 2.2, 5).
     *
     * @return the text and its tokens. Between two checkpoints each text begins with the previous
     *     one, so prompt caches stay warm
     * @throws AccpException ERR_NOMEM
     */
    default Context context() throws AccpException {
        return context(0);
    }

    /**
     * Returns the current context for a model, within a budget.
     *
     * @param budgetTokens the most tokens; 0: as much as is worthwhile
     * @return the text and its tokens
     * @throws AccpException E2003 for a budget below hot state, which is always whole
     */
    Context context(long budgetTokens) throws AccpException;

    /**
     * Returns the current context for a model as blocks: in their order they are the text of
     * {@link #context(long)}.
     *
     * @param budgetTokens the most tokens; 0: the default
     * @return the blocks, the most stable first; empty without messages
     * @throws AccpException as {@link #context(long)}
     */
    List<Block> contextBlocks(long budgetTokens) throws AccpException;

    /**
     * Explains the context page by page, as JSON: what each message costs, whether it is in the
     * context, and why.
     *
     * @return one JSON object, as {@code accp session context --explain --json} prints it
     * @throws AccpException if the context cannot be made
     */
    String contextPages() throws AccpException;

    /**
     * Returns the current context for a model as messages for a provider. Until results are
     * left out, each context begins with the previous messages. A tool's call and its result are a
     * pair if the call is complete, and text otherwise.
     *
     * @param form {@link Interface#OPENAI} or {@link Interface#ANTHROPIC}
     * @param budgetTokens as for {@link #context(long)}
     * @return the messages and the tokens of their texts
     * @throws AccpException as {@link #context(long)}; ERR_ARG for an interface without messages
     */
    Messages contextMessages(Interface form, long budgetTokens) throws AccpException;

    /**
     * Appends messages of an interface. Images and other binaries become a line with their name.
     *
     * @param form {@link Interface#OPENAI} or {@link Interface#ANTHROPIC}: one message, an array,
     *     the body of a request, or one per line; the others: a file
     * @param messages JSON
     * @return the number of our messages, each one record
     * @throws AccpException E1001, E1004 for text in another format, with its offset: nothing was
     *     appended. After any other exception see {@link #recordCount()}
     */
    default long appendMessages(Interface form, String messages) throws AccpException {
        return appendMessages(form, messages, null);
    }

    /**
     * Appends messages of an interface.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON, UTF-8
     * @return as for the overload with a {@code String}
     * @throws AccpException as for the overload with a {@code String}
     */
    default long appendMessages(Interface form, byte[] messages) throws AccpException {
        return appendMessages(form, messages, null);
    }

    /**
     * Appends a peer's messages in the format of an interface; each message is checked and marked
     * as by {@link #append(String, Peer)}. An untrusted peer may use system, user, assistant or
     * tool only if its agents have that name.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON
     * @param peer the peer of the connection; null: the host itself
     * @return as {@link #appendMessages(Interface, String)}
     * @throws AccpException as {@link #appendMessages(Interface, String)}; E5001: the peer may not
     *     send one of the messages, and nothing was appended
     */
    long appendMessages(Interface form, String messages, Peer peer) throws AccpException;

    /**
     * Appends a peer's messages in the format of an interface.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON, UTF-8
     * @param peer as {@link #appendMessages(Interface, String, Peer)}
     * @return as for the overload with a {@code String}
     * @throws AccpException as for the overload with a {@code String}
     */
    long appendMessages(Interface form, byte[] messages, Peer peer) throws AccpException;

    /**
     * The result of appending a list.
     *
     * @param count number of our messages in the list, each one record
     * @param same how many of them, from the front, the session had already
     * @param added messages that the call appended to the session or its branch
     * @param item the first difference: the index in the list, from 0
     * @param record the first difference: the record of the session; 0 without one
     * @param branched the branch took the list; the session is unchanged
     */
    record History(long count, long same, long added, long item, long record, boolean branched) {}

    /**
     * Appends the messages of a whole list that the session does not have yet; a host passes its
     * list each time, as to a provider. The messages are compared from the front by content.
     *
     * @param form the format of the messages; null: ours, as for {@link #append(String)}
     * @param list all messages, in JSON
     * @param branch the id of another session of the same store, which takes the list if it differs
     *     from this session; null: such a list is refused
     * @return the result
     * @throws AccpException E3003: the list differs from the session; message, record and offset
     *     have the place, and nothing has changed. E1001, E1004 for unreadable text: nothing was
     *     appended
     */
    default History appendHistory(Interface form, String list, String branch) throws AccpException {
        return appendHistory(form, list, branch, null);
    }

    /**
     * Appends the messages of a peer's whole list that the session does not have yet.
     *
     * @param form as {@link #appendHistory(Interface, String, String)}
     * @param list the whole list
     * @param branch the id of another session, or null
     * @param peer the peer of the connection, as for
     *     {@link #appendMessages(Interface, String, Peer)}; null: the host itself
     * @return as {@link #appendHistory(Interface, String, String)}
     * @throws AccpException as for a list of the host; E5001: the peer may not send one of the new
     *     messages, and nothing was appended
     */
    History appendHistory(Interface form, String list, String branch, Peer peer) throws AccpException;

    /**
     * Answers a call of the tool {@code resolve} ({@link Interface#tool()}). Only values of this
     * session are returned, none of the host's resolver or of another session.
     *
     * @param arguments the JSON object from the model
     * @return the result for the model, at most some 64 KiB. Faults of the model are such a text
     *     too, {@code "error: …"}, because it can correct them
     * @throws AccpException as {@link #record(long)}
     */
    String answer(String arguments) throws AccpException;

    /**
     * Answers a call of the tool {@code resolve}.
     *
     * @param arguments the arguments in UTF-8
     * @return the result in UTF-8
     * @throws AccpException as for the overload with a {@code String}
     */
    byte[] answer(byte[] arguments) throws AccpException;

    /**
     * Returns the result of a call of the tool {@code resolve}.
     *
     * @param arguments from the model; some interfaces pass them as JSON
     * @return as {@link #answer(String)}
     * @throws AccpException as for the overload with a {@code String}
     */
    default String answer(Json arguments) throws AccpException {
        return answer(Objects.requireNonNull(arguments, "arguments").toString());
    }

    /**
     * Used and maximum tokens (specification 7.1).
     *
     * @return the budget
     * @throws AccpException ERR_NOMEM
     */
    TokenBudget budget() throws AccpException;

    /** {@return the number of records in the log} */
    long recordCount();

    /**
     * Returns a record of the log (specification 5.1).
     *
     * @param number from 1
     * @return the record
     * @throws AccpException E2001: it does not exist
     */
    LogRecord record(long number) throws AccpException;

    /**
     * Returns the registry by which a record's frame is read, permanently (specification 7.1).
     *
     * @param record its number; 0: that of the next frame
     * @return to be closed
     * @throws AccpException E2001: the record does not exist
     */
    Registry registry(long record) throws AccpException;

    /**
     * Returns the value of a reference (specification 5.1).
     *
     * @param ref {@code "warm.ckpt_1.summary"}, with or without {@code $}; a bare key is looked up
     *     in hot, then in warm
     * @return its value
     * @throws AccpException E2001: it does not exist; E2002: it has expired
     */
    Json resolve(String ref) throws AccpException;

    /**
     * Returns the value of a reference of another session that has granted it (specification 9.3).
     *
     * @param ref as {@link #resolve(String)}
     * @param owner the other session
     * @return its value
     * @throws AccpException as {@link #resolve(String)}; E5002 without a grant, whether it exists
     *     or not
     */
    Json resolve(String ref, String owner) throws AccpException;

    /**
     * Stores a value under a reference of the host's choice and replaces an existing one.
     *
     * @param ref in tier hot, warm, cold, or ctx, which frames can read and only this call can
     *     write
     * @param value the value
     * @param expires its end; null: none
     * @throws AccpException E1004: an invalid reference
     */
    default void put(String ref, Json value, Instant expires) throws AccpException {
        Objects.requireNonNull(value, "value");
        put(ref, value.toString(), expires);
    }

    /**
     * Stores a value under a reference of the host's choice and replaces an existing one.
     *
     * @param ref as {@link #put(String, Json, Instant)}
     * @param json the value
     * @param expires its end; null: none
     * @throws AccpException as {@link #put(String, Json, Instant)}; E1001: invalid JSON
     */
    void put(String ref, String json, Instant expires) throws AccpException;

    /**
     * Stores a value under a reference of the host's choice and replaces an existing one.
     *
     * @param ref as {@link #put(String, Json, Instant)}
     * @param json the value, UTF-8
     * @param expires its end; null: none
     * @throws AccpException as {@link #put(String, String, Instant)}
     */
    void put(String ref, byte[] json, Instant expires) throws AccpException;

    /**
     * Removes a stored value.
     *
     * @param ref the reference; it need not exist
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void remove(String ref) throws AccpException;

    /**
     * Lets another session read values of this one (specification 9.3).
     *
     * @param grantee the other session
     * @param prefix of the names that it may read, byte for byte: {@code "cold.t1"} is also a
     *     prefix of cold.t10
     * @param expires the end; null: no end
     * @throws AccpException ERR_ARG for an invalid grant
     */
    void addGrant(String grantee, String prefix, Instant expires) throws AccpException;

    /**
     * Removes exactly this grant, not a part of a wider one; it does nothing if the grant does not
     * exist.
     *
     * @param grantee the other session
     * @param prefix of the grant
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void removeGrant(String grantee, String prefix) throws AccpException;

    /**
     * Replaces the state that both sides share by an object, and makes the frame for the other side
     * (specification 5.4): the whole state the first time, then the changes.
     *
     * @param agent the sender
     * @param state the object
     * @return the frame; null if nothing changed
     * @throws AccpException E1004: not an object; E2003: over 256 KiB, or over
     *     {@link Rule#MAX_TOKENS}
     */
    default String sendState(String agent, Json state) throws AccpException {
        Objects.requireNonNull(state, "state");
        return sendState(agent, state.toString());
    }

    /**
     * Replaces the state that both sides share by an object, and makes the frame for the other
     * side.
     *
     * @param agent the sender
     * @param state the object, in JSON
     * @return the frame; null if nothing changed
     * @throws AccpException as {@link #sendState(String, Json)}; E1001: invalid JSON
     */
    String sendState(String agent, String state) throws AccpException;

    /**
     * Replaces the state that both sides share by an object, and makes the frame for the other
     * side.
     *
     * @param agent the sender
     * @param state the object, in JSON, UTF-8
     * @return the frame; null if nothing changed
     * @throws AccpException as {@link #sendState(String, String)}
     */
    byte[] sendState(String agent, byte[] state) throws AccpException;

    /**
     * Seals a packet and stores it in the session: under its checksum in cold, and the text of each
     * layer in warm. Neither is in contexts.
     *
     * @param packet the packet
     * @return members for the payload of a message that carries it:
     *     {@code {"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90}}}
     * @throws AccpException ERR_ARG for an empty packet
     */
    String putPacket(ContextPacket packet) throws AccpException;

    /**
     * Does the same and sends a message that carries the packet: a sync of operation context that
     * announces it, or an esc or a req with it.
     *
     * @param message JSON, whose payload is an object
     * @param packet sealed by this call
     * @return the frame, as {@link #send(String)}
     * @throws AccpException as {@link #putPacket} and {@link #send(String)}
     */
    String sendPacket(String message, ContextPacket packet) throws AccpException;

    /**
     * Stores a packet, and sends a message that carries it.
     *
     * @param message as {@link #sendPacket(String, ContextPacket)}, UTF-8
     * @param packet the packet
     * @return the frame
     * @throws AccpException as for the overload with a {@code String}
     */
    byte[] sendPacket(byte[] message, ContextPacket packet) throws AccpException;

    /**
     * Reads the packet of a message.
     *
     * @param message JSON of a received message or of one from this session
     * @param packet replaced; empty on failure
     * @throws AccpException E1001 if it has none or its name refers to something else; E2001 if it
     *     is not available: request it by a qry of operation context
     */
    void readPacket(String message, ContextPacket packet) throws AccpException;

    /**
     * Reads the packet of a message.
     *
     * @param message as {@link #readPacket(String, ContextPacket)}, UTF-8
     * @param packet the packet
     * @throws AccpException as for the overload with a {@code String}
     */
    void readPacket(byte[] message, ContextPacket packet) throws AccpException;

    /**
     * Replies to a qry of operation context for a packet of this session, or for some of its
     * layers: {@code {"packet":"$cold.packet_c3b0…","layers":["decisions"]}}.
     *
     * @param request JSON of the received message
     * @param agent the sender of the reply
     * @return the frame, as {@link #send(String)}
     * @throws AccpException ERR_ARG for another request; E2001 if the packet does not exist here
     */
    String answerPacket(String request, String agent) throws AccpException;

    /**
     * Replies to a qry of operation context for a packet of this session.
     *
     * @param request as {@link #answerPacket(String, String)}, UTF-8
     * @param agent the sender of the reply
     * @return the frame
     * @throws AccpException as for the overload with a {@code String}
     */
    byte[] answerPacket(byte[] request, String agent) throws AccpException;

    /**
     * Makes the session report the results of packets to a project. For a message that carries a
     * packet and names a worker in {@code to}, the worker's {@code ack} of operation context
     * becomes feedback, and its {@code done} or {@code fail} a recorded task.
     *
     * @param panes the project with its current settings; null: stop the reports
     * @throws AccpException ERR_ARG if the session was opened for reading
     */
    void setPanes(Panes panes) throws AccpException;

    /**
     * The state that both sides share.
     *
     * @return the state and its version
     * @throws AccpException ERR_NOMEM
     */
    SharedState state() throws AccpException;

    /**
     * Returns when all changes so far are durable.
     *
     * @throws AccpException as {@link Store#sync()}
     */
    void sync() throws AccpException;

    /**
     * Ends the session itself: calls that would change it are ERR_CLOSED from now on, in every
     * process; reading remains possible.
     *
     * @throws AccpException ERR_IO
     */
    void end() throws AccpException;

    /**
     * Frees the session's native memory, at the latest when a running call on another thread has
     * ended. It may be closed twice.
     */
    @Override
    void close();
}
