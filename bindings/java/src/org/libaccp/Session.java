// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A session: frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model
 * should be given instead of the history. Opened by {@link Engine#session}. Any number of threads may call it: the calls queue, and are taken one after another
 * in the order in which they came. A callback that calls the session it was called by gets an {@link IllegalStateException}, and nothing has changed.
 *
 * <p>What is refused has changed nothing. {@link AccpException.Io} says that a call has been taken and is not yet durable: call {@link #sync()} until
 * it succeeds, and acknowledge nothing before; a frame that was made by then is the newest record of the log. When another writer has opened the session,
 * every call is {@link AccpException.Closed}. With a store in a file, calls wait for the disk.
 *
 * <p>It is an interface so that tests can put something else in its place. Calls that take a session (of {@link Engine}, of {@link ContextPacket}) take those of this library alone.
 */
public interface Session extends AutoCloseable {
    /** What became of a frame that came in. */
    enum Receipt {
        /** Applied, once and in order: {@link #nextDelivery()} hands the messages out, one in parts with the part that makes it whole. */
        APPLIED,
        /** Expired, or of a chain that was cancelled: answer nothing. */
        DROPPED,
        /** It waits for an earlier frame. */
        HELD
    }

    /**
     * What {@link #nextDelivery()} hands out.
     *
     * @param seq the frame's; with {@link AccpException.Timeout} the number of the request's record, for {@link #retry}
     * @param message JSON; null with an error
     * @param error null with a message. {@link AccpException.SequenceGap}: frames before {@code seq} are missing, to be said once.
     *     {@link AccpException.Timeout}: a request of ours was not answered in time. Else why a frame that had waited is refused
     * @param mid of a message its frame's, of one in parts that of the part that made it whole; null with an error
     * @param cid of a message its frame's, null where it has none; of a request that was not answered in time its cid, or its mid where it had none; else null
     * @param untrusted whether the message is of a peer or an agent that the host does not trust, or quotes what one has said: that is data, and no instruction
     * @param warnings what is odd about the message; empty with an error
     */
    record Delivery(long seq, String message, AccpException error, String mid, String cid, boolean untrusted, Set<Warning> warnings) {}

    /**
     * Who sent a frame or a message, as the host knows. The host takes it from the connection, and never from what the peer sent.
     *
     * @param agents the names that it may speak as; {@link #ANY} among them: any but the host's own. An untrusted peer speaks as system, developer, user,
     *     assistant, tool or function only if that name is there too
     * @param untrusted whether what it says is data, and no instruction
     */
    record Peer(Set<String> agents, boolean untrusted) {
        /** Any agent but the host's own. */
        public static final String ANY = "*";

        /**
         * Checks the names.
         *
         * @param agents the names
         * @param untrusted whether it is
         */
        public Peer {
            agents = Set.copyOf(Objects.requireNonNull(agents, "agents"));
            if (agents.stream().anyMatch(name -> name.isEmpty() || name.contains(","))) {
                throw new IllegalArgumentException("an agent's name is not empty and has no comma: " + agents);
            }
        }

        /**
         * A peer that is trusted as far as its names go.
         *
         * @param agents the names that it may speak as
         * @return the peer
         */
        public static Peer of(String... agents) {
            return new Peer(Set.of(Objects.requireNonNull(agents, "agents")), false);
        }
    }

    /**
     * What a model should be given now.
     *
     * @param text the text
     * @param tokens how many it has
     */
    record Context(String text, long tokens) {
        /** {@return the text} */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * What a model should be given now, as messages of an interface.
     *
     * @param json of {@link Interface#OPENAI} an array of messages; of {@link Interface#ANTHROPIC} an object with {@code "messages"} and perhaps
     *     {@code "system"}, with {@code cache_control} where a cache mark belongs
     * @param tokens how many the texts of the context have, without the form around them
     */
    record Messages(String json, long tokens) {
        /** {@return the messages, in JSON} */
        @Override
        public String toString() {
            return json;
        }
    }

    /** What a {@link Block} is. Those of one context come in this order. */
    enum BlockKind {
        /** What the host said first, and the first request: never shortened by a checkpoint. */
        PINNED,
        /** A line that says how many messages a budget leaves out. */
        GAP,
        /** A checkpoint: written once, and then as it is until older ones are folded together. */
        CLOSED,
        /** What was said since, but for the newest message. */
        OPEN,
        /** The newest message. */
        NEWEST,
        /** What {@link #put} has put under hot and warm, a line each, as it is now. */
        VALUES
    }

    /**
     * A part of a context's text.
     *
     * @param kind what it is
     * @param stable whether the next context begins with all up to the end of this block, as far as can be foreseen: what the next message is, and a
     *     checkpoint that is asked for, cannot. The last such block is where a cache mark belongs
     * @param checkpoint of a closed block the newest that it holds ({@code $warm.ckpt_N}); else 0
     * @param tokens of its text
     * @param since the record since which it stands like this; 0 for a gap
     * @param text its text
     */
    record Block(BlockKind kind, boolean stable, int checkpoint, long tokens, long since, String text) {}

    /**
     * A record of the log.
     *
     * @param kind {@code 'R'} a frame that came in, {@code 'S'} one that went out, {@code 'Q'} one that went out with a deadline, {@code 'r'} and
     *     {@code 's'} parts of messages, {@code 'M'} a message that took no frame, {@code 'U'} a frame that was dropped or refused after its seq had come,
     *     {@code 'P'} a checkpoint that was asked for, {@code 'A'} parts that are held no more, {@code 'T'} the end of waiting for answers, {@code 'Z'}
     *     the session's end
     * @param time when
     * @param text byte for byte as it was said; empty where there is none
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
     * Takes a frame that has come in (specification 3.5, 3.7, 7.3).
     *
     * @param frame the frame
     * @return what became of it
     * @throws AccpException E1001 grammar, envelope, limits; E1002 intent; E1003, E1004 schema and types; E2001, E2002, E2003 references; E3002 a mid seen
     *     before; E3003 a gap too wide, a seq that has passed, a state that does not follow; E5001 a name of the host's own; E5002 another session's sid
     */
    default Receipt receive(String frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Takes a frame that has come in.
     *
     * @param frame UTF-8
     * @return what became of it
     * @throws AccpException as {@link #receive(String)}
     */
    default Receipt receive(byte[] frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Takes a frame that has come in.
     *
     * @param frame UTF-8
     * @return what became of it
     * @throws AccpException as {@link #receive(String)}
     */
    default Receipt receive(ByteBuffer frame) throws AccpException {
        return receive(frame, null);
    }

    /**
     * Takes a frame from a peer that the host has authenticated. A host with more than one peer takes all frames so.
     *
     * @param frame the frame
     * @param peer who sent it; null: one that is trusted, with any name but the host's own
     * @return what became of it
     * @throws AccpException as {@link #receive(String)}; E5001: the frame is under another name than those of the peer, or under one of the host's own, and
     *     nothing of it counts
     */
    Receipt receive(String frame, Peer peer) throws AccpException;

    /**
     * Takes a frame from a peer that the host has authenticated.
     *
     * @param frame UTF-8
     * @param peer as {@link #receive(String, Peer)}
     * @return what became of it
     * @throws AccpException as {@link #receive(String, Peer)}
     */
    Receipt receive(byte[] frame, Peer peer) throws AccpException;

    /**
     * Takes a frame from a peer that the host has authenticated.
     *
     * @param frame UTF-8
     * @param peer as {@link #receive(String, Peer)}
     * @return what became of it
     * @throws AccpException as {@link #receive(String, Peer)}
     */
    Receipt receive(ByteBuffer frame, Peer peer) throws AccpException;

    /** {@return the next message in its order; null when there is no more} */
    Delivery nextDelivery();

    /**
     * Was this chain cancelled? Handlers ask before they go on (specification 3.7).
     *
     * @param cid its correlation id, or the mid of a request without one
     * @return whether
     * @throws AccpException E1004 for a lone surrogate
     */
    boolean isCancelled(String cid) throws AccpException;

    /**
     * Makes the frame of a message, with mid, seq and ts of its own, and keeps it (specification 7.2, 3.5).
     *
     * @param message JSON; mid, seq, ts and sid are the session's, and what else stands in its metadata goes along
     * @return the frame: to be sent as it is, and again if need be; a frame sent twice is applied once. Over {@link Rule#MAX_TOKENS}, with
     *     {@link Rule#PARTS}, several frames with a newline between two
     * @throws AccpException DROPPED: its chain was cancelled, and nothing of it goes out but {@code ack} and {@code cancel}; E1001 to E1004 as
     *     {@link Codec#encode(String)}; E2003 over {@link Rule#MAX_TOKENS}, where no parts help
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
     * Sends an answer: what {@link #send(String)} would, with the cid and the operation of what it answers, and an aid that is its mid (specification 3.5).
     * Fields that the answer names itself are its own.
     *
     * @param request what is answered: {@link Delivery#message()}
     * @param answer JSON; it may have no operation
     * @return the frame, or several, as {@link #send(String)}
     * @throws AccpException E1001, at offset 0, for a request that is no message, or has neither cid nor mid; else as {@link #send(String)}
     */
    String reply(String request, String answer) throws AccpException;

    /**
     * Sends an answer.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    byte[] reply(byte[] request, byte[] answer) throws AccpException;

    /**
     * Sends an answer.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    byte[] reply(ByteBuffer request, ByteBuffer answer) throws AccpException;

    /**
     * Sends an answer.
     *
     * @param request what is answered
     * @param answer the answer, with an operation of its own
     * @return the frame
     * @throws AccpException as {@link #reply(String, String)}
     */
    default String reply(Message request, Message answer) throws AccpException {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
        return reply(request.toJson(), answer.toJson());
    }

    /**
     * What became of the message that was sent last, by {@link #send(String)}, {@link #reply(String, String)} or {@link #sendState(String, Json)}. Of one that
     * came in {@link Delivery#warnings()} says it.
     *
     * @return its parts, what was kept of it, what is odd about it; no parts where it was refused
     * @throws AccpException never
     */
    Codec.Outcome outcome() throws AccpException;

    /**
     * Looks for requests of ours, sent under {@link Rule#DEADLINE_MS}, whose deadline has passed: {@link #nextDelivery()} hands out a
     * {@link AccpException.Timeout} for each (specification 3.7, 4.1).
     *
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void expire() throws AccpException;

    /** {@return the earliest deadline, which {@link #expire()} finds passed a millisecond later; null where no request waits} */
    Instant nextDeadline();

    /**
     * Makes the frame that sends a frame of ours again, with mid, seq and ts of its own. Only what failed with a code that is
     * {@link AccpException#retryable()} may be sent again (specification 3.7, 10.3).
     *
     * @param record the number of the frame's record: {@link Delivery#seq()} of a timeout, or {@link #recordCount()} after {@link #send(String)}. Of a message
     *     in parts the last one's: all are sent again
     * @return the frame
     * @throws AccpException E2001: there is no such record; ERR_ARG: it is no frame that went out; else as {@link #send(String)}
     */
    String retry(long record) throws AccpException;

    /**
     * Forgets the parts held of messages of a chain, which will not become whole; {@code cancel} does so too.
     *
     * @param cid of the chain; null: of all
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void removeParts(String cid) throws AccpException;

    /**
     * Adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.
     *
     * @param message JSON of a message
     * @throws AccpException E1001 for what is no message
     */
    default void append(String message) throws AccpException {
        append(message, null);
    }

    /**
     * Adds a message that takes no frame.
     *
     * @param message JSON of a message, UTF-8
     * @throws AccpException as {@link #append(String)}
     */
    default void append(byte[] message) throws AccpException {
        append(message, null);
    }

    /**
     * Adds a message that a peer said without a frame, through a protocol that the host speaks, such as MCP. The message can raise neither the peer's rights nor
     * its trust; if the peer is untrusted, the message is marked in the log, in JSON and in each context.
     *
     * @param message JSON of a message
     * @param peer the peer of the connection that the message came over; null: the host itself
     * @throws AccpException as {@link #append(String)}; E5001, with the offset of the byte at fault: the message names an agent that is the host's own or that
     *     the peer may not speak as; or the peer is untrusted, and the member {@code untrusted} is not true, or the metadata has mid, seq, ts or sid. Nothing
     *     has changed
     */
    void append(String message, Peer peer) throws AccpException;

    /**
     * Adds a message that a peer said without a frame.
     *
     * @param message JSON of a message, UTF-8
     * @param peer as {@link #append(String, Peer)}
     * @throws AccpException as {@link #append(String, Peer)}
     */
    void append(byte[] message, Peer peer) throws AccpException;

    /**
     * Makes a checkpoint, as at a phase boundary, unless nothing was said since the last one; done, esc, comp and too many tokens make one by themselves (specification 5.2, 5.3, 7.1).
     *
     * @return the newest checkpoint
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    Checkpoint checkpoint() throws AccpException;

    /** {@return the number of the newest checkpoint ({@code $warm.ckpt_N}), or 0} */
    int newestCheckpoint();

    /**
     * What a model should be given now, instead of the history: as much as is worth it (specification 2.2, 5).
     *
     * @return the text and its tokens. Between two checkpoints each text begins with the one before it, so caches of prompts stay warm
     * @throws AccpException ERR_NOMEM
     */
    default Context context() throws AccpException {
        return context(0);
    }

    /**
     * What a model should be given now, within a budget.
     *
     * @param budgetTokens the most it may have; 0: as much as is worth it
     * @return the text and its tokens
     * @throws AccpException E2003 for a budget below hot state, which is always whole
     */
    Context context(long budgetTokens) throws AccpException;

    /**
     * What a model should be given now, as blocks: together, in their order, they are the text of {@link #context(long)}.
     *
     * @param budgetTokens as there
     * @return the blocks, the most stable first; none where nothing was said yet
     * @throws AccpException as there
     */
    List<Block> contextBlocks(long budgetTokens) throws AccpException;

    /**
     * What a model should be given now, as messages that are ready to be sent. Between two folds each begins with the messages of the one before. A tool's call
     * and its result are a pair where both stand there as they were said, and text otherwise.
     *
     * @param form {@link Interface#OPENAI} or {@link Interface#ANTHROPIC}
     * @param budgetTokens as for {@link #context(long)}
     * @return the messages and the tokens of their texts
     * @throws AccpException as {@link #context(long)}; ERR_ARG for an interface that takes no messages
     */
    Messages contextMessages(Interface form, long budgetTokens) throws AccpException;

    /**
     * Appends what an interface calls messages. Images and other binaries become a line that names them.
     *
     * @param form {@link Interface#OPENAI} or {@link Interface#ANTHROPIC}: one message, an array of them, the body of a request, or a line each;
     *     the others: a file
     * @param messages JSON
     * @return how many messages of ours came of it, each one record
     * @throws AccpException E1001, E1004 for what is none of it, with its offset: then nothing was appended. After any other {@link #recordCount()} says how
     *     many were
     */
    default long appendMessages(Interface form, String messages) throws AccpException {
        return appendMessages(form, messages, null);
    }

    /**
     * Appends what an interface calls messages.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON, UTF-8
     * @return as there
     * @throws AccpException as there
     */
    default long appendMessages(Interface form, byte[] messages) throws AccpException {
        return appendMessages(form, messages, null);
    }

    /**
     * Appends messages of an interface that a peer gives, with each message checked and marked as {@link #append(String, Peer)} does. An untrusted peer says
     * nothing as system, user, assistant or tool unless its agents have that name.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON
     * @param peer the peer of the connection that the messages came over; null: the host itself
     * @return as there
     * @throws AccpException as there; E5001: the peer may not say one of the messages, and nothing was appended
     */
    long appendMessages(Interface form, String messages, Peer peer) throws AccpException;

    /**
     * Appends messages of an interface that a peer gives.
     *
     * @param form as {@link #appendMessages(Interface, String)}
     * @param messages JSON, UTF-8
     * @param peer as {@link #appendMessages(Interface, String, Peer)}
     * @return as there
     * @throws AccpException as there
     */
    long appendMessages(Interface form, byte[] messages, Peer peer) throws AccpException;

    /**
     * What became of a list.
     *
     * @param count messages of ours that the list makes, each one record
     * @param same of these, from the front, the session had already
     * @param added messages that the call appended, to the session or its branch
     * @param item the first difference: the number of the list's item, from 0
     * @param record the same: the record of the session; 0 where they do not differ
     * @param branched the branch has taken the list, and the session is as it was
     */
    record History(long count, long same, long added, long item, long record, boolean branched) {}

    /**
     * Appends those messages of a whole list that the session does not have yet: a host that holds the list passes it each time, as it does to a provider. They
     * are compared from the front, by content.
     *
     * @param form whose messages they are; null: messages of ours, as {@link #append(String)} takes them
     * @param list all messages, in JSON
     * @param branch the id of another session of the same store, which takes the list if it differs from what this session has; null: such a list is refused
     * @return what became of it
     * @throws AccpException E3003: the list differs from what the session has; message, record and offset say where, and nothing has changed. E1001, E1004 for
     *     what cannot be read: nothing was appended
     */
    default History appendHistory(Interface form, String list, String branch) throws AccpException {
        return appendHistory(form, list, branch, null);
    }

    /**
     * Appends those messages of a whole list that the session does not have yet, of a list that a peer gives.
     *
     * @param form as {@link #appendHistory(Interface, String, String)}
     * @param list as there
     * @param branch as there
     * @param peer the peer of the connection that the list came over, as {@link #appendMessages(Interface, String, Peer)} takes it; null: the host itself
     * @return as there
     * @throws AccpException as there; E5001: the peer may not say one of the new messages, and nothing was appended
     */
    History appendHistory(Interface form, String list, String branch, Peer peer) throws AccpException;

    /**
     * Answers a call of the tool {@code resolve} ({@link Interface#tool()}). Only what this session has is answered: nothing of the host's resolver, and nothing
     * of another session.
     *
     * @param arguments as the model gave them: a JSON object
     * @return what goes back to the model, at most some 64 KiB. What the model got wrong is such a text too, {@code "error: …"}, as it can mend it
     * @throws AccpException as {@link #record(long)}
     */
    String answer(String arguments) throws AccpException;

    /**
     * Answers a call of the tool {@code resolve}.
     *
     * @param arguments as {@link #answer(String)}, UTF-8
     * @return as there, UTF-8
     * @throws AccpException as there
     */
    byte[] answer(byte[] arguments) throws AccpException;

    /**
     * Answers a call of the tool {@code resolve}.
     *
     * @param arguments as the model gave them, which some interfaces hand over as JSON
     * @return as {@link #answer(String)}
     * @throws AccpException as there
     */
    default String answer(Json arguments) throws AccpException {
        return answer(Objects.requireNonNull(arguments, "arguments").toString());
    }

    /**
     * Tokens in use and at most (specification 7.1).
     *
     * @return the budget
     * @throws AccpException ERR_NOMEM
     */
    TokenBudget budget() throws AccpException;

    /** {@return how many records the log has} */
    long recordCount();

    /**
     * A record of the log (specification 5.1).
     *
     * @param number from 1
     * @return the record
     * @throws AccpException E2001: there is none
     */
    LogRecord record(long number) throws AccpException;

    /**
     * The registry that the frame of a record was written under, by which it is read for ever (specification 7.1).
     *
     * @param record its number; 0: that of the next frame
     * @return to be closed
     * @throws AccpException E2001: there is no such record
     */
    Registry registry(long record) throws AccpException;

    /**
     * What a reference stands for (specification 5.1).
     *
     * @param ref {@code "warm.ckpt_1.summary"}, with its {@code $} or without; a bare key is looked for in hot, then in warm
     * @return its value
     * @throws AccpException E2001: it names nothing; E2002: it has expired
     */
    Json resolve(String ref) throws AccpException;

    /**
     * What a reference of another session stands for, which has granted it (specification 9.3).
     *
     * @param ref as {@link #resolve(String)}
     * @param owner the other session
     * @return its value
     * @throws AccpException as {@link #resolve(String)}; E5002 without a grant, whether it is there or not
     */
    Json resolve(String ref, String owner) throws AccpException;

    /**
     * Puts a value under a reference of the host's choice, in place of one that is there.
     *
     * @param ref in tier hot, warm, cold, or ctx, which frames can read and nothing but this call can write
     * @param value the value
     * @param expires when; null: never
     * @throws AccpException E1004: no such reference can be
     */
    default void put(String ref, Json value, Instant expires) throws AccpException {
        Objects.requireNonNull(value, "value");
        put(ref, value.toString(), expires);
    }

    /**
     * Puts a value under a reference of the host's choice, in place of one that is there.
     *
     * @param ref as {@link #put(String, Json, Instant)}
     * @param json the value
     * @param expires when; null: never
     * @throws AccpException as {@link #put(String, Json, Instant)}; E1001: no JSON
     */
    void put(String ref, String json, Instant expires) throws AccpException;

    /**
     * Puts a value under a reference of the host's choice, in place of one that is there.
     *
     * @param ref as {@link #put(String, Json, Instant)}
     * @param json the value, UTF-8
     * @param expires when; null: never
     * @throws AccpException as {@link #put(String, String, Instant)}
     */
    void put(String ref, byte[] json, Instant expires) throws AccpException;

    /**
     * Forgets what was put there.
     *
     * @param ref the reference; it need not be there
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void remove(String ref) throws AccpException;

    /**
     * Lets another session read values of this one (specification 9.3).
     *
     * @param grantee the other session
     * @param prefix of the names that it may read, byte for byte: {@code "cold.t1"} is a prefix of cold.t10 too
     * @param expires until when; null: for ever
     * @throws AccpException ERR_ARG for what cannot be granted
     */
    void addGrant(String grantee, String prefix, Instant expires) throws AccpException;

    /**
     * Takes this very grant back, not a part of a wider one; nothing where there is none.
     *
     * @param grantee the other session
     * @param prefix as it was granted
     * @throws AccpException ERR_IO, ERR_NOMEM
     */
    void removeGrant(String grantee, String prefix) throws AccpException;

    /**
     * Makes an object the state that both sides share, and the frame that tells the other side (specification 5.4): all of it the first time, then what
     * changed.
     *
     * @param agent who says it
     * @param state the object
     * @return the frame; null where nothing changed
     * @throws AccpException E1004: no object; E2003: over 256 KiB, or over {@link Rule#MAX_TOKENS}
     */
    default String sendState(String agent, Json state) throws AccpException {
        Objects.requireNonNull(state, "state");
        return sendState(agent, state.toString());
    }

    /**
     * Makes an object the state that both sides share, and the frame that tells the other side.
     *
     * @param agent who says it
     * @param state the object, in JSON
     * @return the frame; null where nothing changed
     * @throws AccpException as {@link #sendState(String, Json)}; E1001: no JSON
     */
    String sendState(String agent, String state) throws AccpException;

    /**
     * Makes an object the state that both sides share, and the frame that tells the other side.
     *
     * @param agent who says it
     * @param state the object, in JSON, UTF-8
     * @return the frame; null where nothing changed
     * @throws AccpException as {@link #sendState(String, String)}
     */
    byte[] sendState(String agent, byte[] state) throws AccpException;

    /**
     * Seals a packet and keeps it in the session: under its checksum in cold, and what a model reads of each of its layers in warm, neither of which stands in contexts.
     *
     * @param packet the packet
     * @return members for the payload of a message that carries it: {@code {"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90}}}
     * @throws AccpException ERR_ARG for an empty packet
     */
    String putPacket(ContextPacket packet) throws AccpException;

    /**
     * Does so, and sends a message that carries the packet: a sync of operation context that announces it, an esc or a req that hands it over.
     *
     * @param message JSON, whose payload is an object
     * @param packet changed by its seal alone
     * @return the frame, as {@link #send(String)}
     * @throws AccpException as {@link #putPacket} and {@link #send(String)}
     */
    String sendPacket(String message, ContextPacket packet) throws AccpException;

    /**
     * Seals and keeps a packet, and sends a message that carries it.
     *
     * @param message as {@link #sendPacket(String, ContextPacket)}, UTF-8
     * @param packet as there
     * @return the frame
     * @throws AccpException as there
     */
    byte[] sendPacket(byte[] message, ContextPacket packet) throws AccpException;

    /**
     * Reads the packet that a message carries.
     *
     * @param message JSON of one that came in, or was said here
     * @param packet replaced; empty on failure
     * @throws AccpException E1001 where it carries none, or there is something else under its name; E2001 where it is not in reach: ask for it by a qry of operation context
     */
    void readPacket(String message, ContextPacket packet) throws AccpException;

    /**
     * Reads the packet that a message carries.
     *
     * @param message as {@link #readPacket(String, ContextPacket)}, UTF-8
     * @param packet as there
     * @throws AccpException as there
     */
    void readPacket(byte[] message, ContextPacket packet) throws AccpException;

    /**
     * Answers a qry of operation context for a packet of this session, or for some of its layers: {@code {"packet":"$cold.packet_c3b0…","layers":["decisions"]}}.
     *
     * @param request JSON of the message that came in
     * @param agent who answers
     * @return the frame, as {@link #send(String)}
     * @throws AccpException ERR_ARG for another request; E2001 where there is no such packet here
     */
    String answerPacket(String request, String agent) throws AccpException;

    /**
     * Answers a qry of operation context for a packet of this session.
     *
     * @param request as {@link #answerPacket(String, String)}, UTF-8
     * @param agent as there
     * @return the frame
     * @throws AccpException as there
     */
    byte[] answerPacket(byte[] request, String agent) throws AccpException;

    /**
     * From now on the session tells a project by itself what becomes of the packets that it hands to workers: of a message that carries a packet and names a worker in {@code to}, the
     * worker's {@code ack} of operation context is its feedback, and its {@code done} or {@code fail} a recorded task.
     *
     * @param panes the project, with its settings as they are now; null: nobody is told any more
     * @throws AccpException ERR_ARG where the session was opened to be read
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
     * Returns when everything so far is durable.
     *
     * @throws AccpException as {@link Store#sync()}
     */
    void sync() throws AccpException;

    /**
     * Ends the session itself: what would change it is ERR_CLOSED from now on, here and wherever it is opened; reading goes on.
     *
     * @throws AccpException ERR_IO
     */
    void end() throws AccpException;

    /** Frees what the session holds in native memory, at the latest when a call that is under way on another thread has ended. Closing twice is nothing. */
    @Override
    void close();
}
