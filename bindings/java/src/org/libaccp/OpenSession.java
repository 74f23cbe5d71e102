// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** A session of the library. */
final class OpenSession extends Handle implements Session {
    private final Clock clock;

    private final String id;

    final boolean parts;  // a message may become several frames

    private final Deque<Delivery> earlier = new ArrayDeque<>();  // released by decode(Frame) for other frames

    OpenSession(State state, Clock clock, String id, boolean parts) {
        super(state);
        this.clock = clock;
        this.id = id;
        this.parts = parts;
    }

    /** Returns the session as this library's class. */
    static OpenSession of(Session session) {
        if (Objects.requireNonNull(session, "session") instanceof OpenSession own) {
            return own;
        }
        throw new IllegalArgumentException("a session that Engine.session() opened is needed here, not a " + session.getClass().getName());
    }

    @Override
    public String id() {
        return id;
    }

    // Any of these may call a cold store or a tokenizer of the host.
    private <T> T work(Ask<T> call) throws AccpException {
        return Upcall.guard(() -> ask(call));
    }

    private void act(Tell call) throws AccpException {
        work(handle -> {
            call.to(handle);
            return null;
        });
    }

    @Override
    public Receipt receive(String frame, Peer peer) throws AccpException {
        return receiveAny(Texts.in(frame, "frame"), peer);
    }

    @Override
    public Receipt receive(byte[] frame, Peer peer) throws AccpException {
        return receiveAny(Texts.in(frame, "frame"), peer);
    }

    @Override
    public Receipt receive(ByteBuffer frame, Peer peer) throws AccpException {
        return receiveAny(Texts.in(frame, "frame"), peer);
    }

    private Receipt receiveAny(Object frame, Peer peer) throws AccpException {
        byte[] agents = agentsOf(peer);
        return Receipt.values()[work(handle -> Native.sessionReceive(handle, frame, agents, originOf(peer), clock.millis()))];
    }

    // Null for no peer.
    private static byte[] agentsOf(Peer peer) throws AccpException {
        return peer == null ? null : Texts.in(String.join(",", peer.agents()), "agents");
    }

    private static int originOf(Peer peer) {
        return peer != null && peer.untrusted() ? 1 : 0;
    }

    @Override
    public Delivery nextDelivery() {
        return know(handle -> earlier.isEmpty() ? next(handle) : earlier.poll());
    }

    private static Delivery next(long handle) {
        long[] numbers = new long[4];
        byte[][] texts = Native.sessionNextDelivery(handle, numbers);
        if (texts == null) {
            return null;
        }
        AccpException error = numbers[0] == 0 ? null : AccpException.of((int) numbers[0], 0, texts[3]);
        return new Delivery(numbers[1], Texts.orNull(texts[0]), error, Texts.orNull(texts[1]), Texts.orNull(texts[2]), numbers[2] != 0,
                Warning.of(numbers[3]));
    }

    /**
     * Returns the message of a frame that is applied at once; null if it waits, is dropped, or is a
     * part. Other messages remain for nextDelivery().
     */
    Message decode(Frame frame) throws AccpException {
        byte[] text = frame.toBytes();
        Delivery own = work(handle -> {
            for (Delivery old; (old = next(handle)) != null;) {
                earlier.add(old);
            }
            if (Native.sessionReceive(handle, text, null, 0, clock.millis()) != 0) {
                return null;
            }
            long seq = frame.metadata().get("seq").asLong();
            for (Delivery one; (one = next(handle)) != null;) {
                if (one.seq() == seq && one.message() != null) {
                    return one;
                }
                earlier.add(one);
            }
            return null;
        });
        return own == null ? null : Message.parse(own.message());
    }

    @Override
    public boolean isCancelled(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        return know(handle -> Raw.accp_session_is_cancelled(handle, text) != 0);
    }

    @Override
    public String send(String message) throws AccpException {
        return Texts.out(sendAny(Texts.in(message, "message")));
    }

    @Override
    public byte[] send(byte[] message) throws AccpException {
        return sendAny(Texts.in(message, "message"));
    }

    @Override
    public byte[] send(ByteBuffer message) throws AccpException {
        return sendAny(Texts.in(message, "message"));
    }

    private byte[] sendAny(Object message) throws AccpException {
        return work(handle -> Raw.accp_session_send(handle, message, clock.millis()));
    }

    @Override
    public String reply(String request, String answer) throws AccpException {
        return Texts.out(replyAny(Texts.in(request, "request"), Texts.in(answer, "answer")));
    }

    @Override
    public byte[] reply(byte[] request, byte[] answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    @Override
    public byte[] reply(ByteBuffer request, ByteBuffer answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    private byte[] replyAny(Object request, Object answer) throws AccpException {
        return work(handle -> Raw.accp_session_reply(handle, request, answer, clock.millis()));
    }

    @Override
    public Codec.Outcome outcome() throws AccpException {
        return Codec.Outcome.of(ask(Raw::accp_session_outcome));
    }

    @Override
    public void expire() throws AccpException {
        act(handle -> Raw.accp_session_expire(handle, clock.millis()));
    }

    @Override
    public Instant nextDeadline() {
        long when = know(Raw::accp_session_next_deadline);
        return when == Long.MAX_VALUE ? null : Instant.ofEpochMilli(when);
    }

    @Override
    public String retry(long record) throws AccpException {
        return Texts.out(work(handle -> Raw.accp_session_retry(handle, record, clock.millis())));
    }

    @Override
    public void removeParts(String cid) throws AccpException {
        byte[] text = Texts.orEmpty(cid);
        act(handle -> Raw.accp_session_remove_parts(handle, text, clock.millis()));
    }

    @Override
    public void append(String message, Peer peer) throws AccpException {
        append(Texts.in(message, "message"), peer);
    }

    @Override
    public void append(byte[] message, Peer peer) throws AccpException {
        byte[] text = Texts.in(message, "message"), agents = agentsOf(peer);
        act(handle -> Native.sessionAppend(handle, text, agents, originOf(peer), clock.millis()));
    }

    @Override
    public Checkpoint checkpoint() throws AccpException {
        act(handle -> Raw.accp_session_checkpoint(handle, clock.millis()));
        int number = newestCheckpoint();
        return new Checkpoint(number, number == 0 ? null : resolve("warm.ckpt_" + number));
    }

    @Override
    public int newestCheckpoint() {
        return (int) (long) know(Raw::accp_session_newest_checkpoint);
    }

    @Override
    public Context context(long budgetTokens) throws AccpException {
        long[] numbers = new long[1];
        byte[] text = work(handle -> Native.sessionContext(handle, budgetTokens, numbers));
        return new Context(Texts.out(text), numbers[0]);
    }

    @Override
    public List<Block> contextBlocks(long budgetTokens) throws AccpException {
        byte[][] answer = work(handle -> Native.sessionBlocks(handle, budgetTokens));
        LongBuffer numbers = ByteBuffer.wrap(answer[0]).order(ByteOrder.nativeOrder()).asLongBuffer();
        List<Block> blocks = new ArrayList<>(answer.length - 1);
        for (int i = 1; i < answer.length; i++) {
            BlockKind kind = BlockKind.values()[(int) numbers.get()];
            boolean stable = numbers.get() != 0;
            blocks.add(new Block(kind, stable, (int) numbers.get(), numbers.get(), numbers.get(), Texts.out(answer[i])));
        }
        return blocks;
    }

    @Override
    public String contextPages() throws AccpException {
        return Texts.out(work(Raw::accp_session_context_pages));
    }

    @Override
    public Messages contextMessages(Interface form, long budgetTokens) throws AccpException {
        Objects.requireNonNull(form, "form");
        long[] numbers = new long[1];
        byte[] json = work(handle -> Native.sessionMessages(handle, form.number, budgetTokens, numbers));
        return new Messages(Texts.out(json), numbers[0]);
    }

    @Override
    public long appendMessages(Interface form, String messages, Peer peer) throws AccpException {
        return appendMessages(form, Texts.in(messages, "messages"), peer);
    }

    @Override
    public long appendMessages(Interface form, byte[] messages, Peer peer) throws AccpException {
        Objects.requireNonNull(form, "form");
        byte[] text = Texts.in(messages, "messages"), agents = agentsOf(peer);
        return work(handle -> Native.sessionAppendMessages(handle, text, form.number, agents, originOf(peer), clock.millis()));
    }

    @Override
    public History appendHistory(Interface form, String list, String branch, Peer peer) throws AccpException {
        byte[][] texts = {Texts.in(list, "list"), branch == null ? new byte[0] : Texts.in(branch, "branch")};
        byte[] agents = agentsOf(peer);
        long[] n = new long[6];
        act(handle -> Native.sessionHistory(handle, form == null ? 0 : form.number, texts, agents, originOf(peer), clock.millis(), n));
        return new History(n[0], n[1], n[2], n[3], n[4], n[5] != 0);
    }

    @Override
    public String answer(String arguments) throws AccpException {
        return Texts.out(answer(Texts.in(arguments, "arguments")));
    }

    @Override
    public byte[] answer(byte[] arguments) throws AccpException {
        byte[] text = Texts.in(arguments, "arguments");
        return work(handle -> Raw.accp_session_answer(handle, text, clock.millis()));
    }

    @Override
    public TokenBudget budget() throws AccpException {
        long[] n = work(Raw::accp_session_budget);
        return new TokenBudget(n[0], n[1], n[2], n[3], n[4], n[5]);
    }

    @Override
    public long recordCount() {
        return know(Raw::accp_session_record_count);
    }

    @Override
    public LogRecord record(long number) throws AccpException {
        long[] numbers = new long[2];
        byte[] text = work(handle -> Native.sessionRecord(handle, number, numbers));
        return new LogRecord((char) numbers[0], Instant.ofEpochMilli(numbers[1]), Texts.out(text));
    }

    @Override
    public Registry registry(long record) throws AccpException {
        return ask(handle -> new Registry(Raw.accp_session_share_registry(handle, record)));
    }

    @Override
    public Json resolve(String ref) throws AccpException {
        return resolve(Texts.in(ref, "ref"), Texts.EMPTY);
    }

    @Override
    public Json resolve(String ref, String owner) throws AccpException {
        return resolve(Texts.in(ref, "ref"), Texts.in(owner, "owner"));
    }

    private Json resolve(byte[] ref, byte[] owner) throws AccpException {
        return Json.read(work(handle -> Raw.accp_session_resolve(handle, ref, owner, clock.millis())));
    }

    @Override
    public void put(String ref, String json, Instant expires) throws AccpException {
        put(ref, Texts.in(json, "json"), expires);
    }

    @Override
    public void put(String ref, byte[] json, Instant expires) throws AccpException {
        byte[] name = Texts.in(ref, "ref");
        byte[] text = Texts.in(json, "json");
        act(handle -> Raw.accp_session_put(handle, name, text, millis(expires)));
    }

    @Override
    public void remove(String ref) throws AccpException {
        byte[] text = Texts.in(ref, "ref");
        act(handle -> Raw.accp_session_remove(handle, text));
    }

    @Override
    public void addGrant(String grantee, String prefix, Instant expires) throws AccpException {
        byte[] other = Texts.in(grantee, "grantee");
        byte[] names = Texts.in(prefix, "prefix");
        act(handle -> Raw.accp_session_add_grant(handle, other, names, millis(expires)));
    }

    @Override
    public void removeGrant(String grantee, String prefix) throws AccpException {
        byte[] other = Texts.in(grantee, "grantee");
        byte[] names = Texts.in(prefix, "prefix");
        act(handle -> Raw.accp_session_remove_grant(handle, other, names));
    }

    private static long millis(Instant time) {
        return time == null ? 0 : time.toEpochMilli();
    }

    @Override
    public String sendState(String agent, String state) throws AccpException {
        return Texts.out(sendState(agent, Texts.in(state, "state")));
    }

    @Override
    public byte[] sendState(String agent, byte[] state) throws AccpException {
        byte[] name = Texts.in(agent, "agent");
        byte[] json = Texts.in(state, "state");
        byte[] frame = work(handle -> Raw.accp_session_send_state(handle, name, json, clock.millis()));
        return frame.length == 0 ? null : frame;
    }

    @Override
    public String putPacket(ContextPacket packet) throws AccpException {
        Objects.requireNonNull(packet, "packet");
        return Texts.out(work(handle -> packet.ask(of -> Raw.accp_session_put_packet(handle, of))));
    }

    @Override
    public String sendPacket(String message, ContextPacket packet) throws AccpException {
        return Texts.out(sendPacket(Texts.in(message, "message"), packet));
    }

    @Override
    public byte[] sendPacket(byte[] message, ContextPacket packet) throws AccpException {
        byte[] json = Texts.in(message, "message");
        Objects.requireNonNull(packet, "packet");
        return work(handle -> packet.ask(of -> Raw.accp_session_send_packet(handle, json, of, clock.millis())));
    }

    @Override
    public void readPacket(String message, ContextPacket packet) throws AccpException {
        readPacket(Texts.in(message, "message"), packet);
    }

    @Override
    public void readPacket(byte[] message, ContextPacket packet) throws AccpException {
        byte[] json = Texts.in(message, "message");
        Objects.requireNonNull(packet, "packet");
        act(handle -> packet.tell(into -> Raw.accp_session_read_packet(handle, json, clock.millis(), into)));
    }

    @Override
    public String answerPacket(String request, String agent) throws AccpException {
        return Texts.out(answerPacket(Texts.in(request, "request"), agent));
    }

    @Override
    public byte[] answerPacket(byte[] request, String agent) throws AccpException {
        byte[] json = Texts.in(request, "request");
        byte[] name = Texts.in(agent, "agent");
        return work(handle -> Raw.accp_session_reply_packet(handle, json, name, clock.millis()));
    }

    @Override
    public void setPanes(Panes panes) throws AccpException {
        if (panes == null) {
            act(handle -> Raw.accp_session_set_panes(handle, 0, clock.millis()));
        } else {
            act(handle -> panes.tell(of -> Raw.accp_session_set_panes(handle, of, clock.millis())));
        }
    }

    @Override
    public SharedState state() throws AccpException {
        long[] numbers = new long[1];
        byte[] json = know(handle -> Native.sessionState(handle, numbers));
        return new SharedState(numbers[0], Json.read(json));
    }

    @Override
    public void sync() throws AccpException {
        act(Raw::accp_session_sync);
    }

    @Override
    public void end() throws AccpException {
        act(handle -> Raw.accp_session_end(handle, clock.millis()));
    }
}
