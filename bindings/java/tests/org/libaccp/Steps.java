// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Runs the steps of bindings.jsonl with the public classes; tests/system/vectors/README.md
 * describes them.
 */
final class Steps implements AutoCloseable {
    private final Map<String, Object> handles = new HashMap<>();
    private final Map<Object, List<String>> logs = new HashMap<>();
    private final Map<String, List<String>> events = new HashMap<>();
    private final TestClock clock = new TestClock();
    private Json step;

    /** The time is that of the step. */
    static final class TestClock extends Clock {
        long now;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(now);
        }
    }

    @Override
    public void close() throws AccpException {
        for (Object handle : handles.values()) {
            if (handle instanceof Store) {
                ((Store) handle).close();
            } else if (handle instanceof Negotiation.Agreement) {
                ((Negotiation.Agreement) handle).close();
            } else {
                ((Handle) handle).close();
            }
        }
    }

    static Map<String, Object> answer(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            made.put((String) pairs[i], pairs[i + 1]);
        }
        return made;
    }

    Map<String, Object> run(Json next) throws Exception {
        step = next;
        if (number("flags") > 7 || number("profiles") > 31 || number("layers") > 15) {
            return refusedByTheCompiler();
        }
        clock.now = number("now_ms");
        String what = text("do");
        switch (what) {
            case "status": return status();
            case "tool": return tool();
            case "json": {
                Json value = Json.parse(text("text"), options());
                return answer("out", value.toString(), "hash_form", utf8(value.hashForm()));
            }
            case "frame":
                handles.put("codec of " + text("name"), new Codec(options()));
                return made(new FrameCodec(options()));
            case "parse": return parse(of(FrameCodec.class));
            case "envelope": return envelope(of(FrameCodec.class).envelope(text("text")));
            case "frame_encode": return out(codecOfFrame().encode(text("text")));
            case "frame_decode": return out(codecOfFrame().decode(text("text")));
            case "traceparent": return out(Accp.traceparent(text("cid"), text("mid")));
            case "mid_format": return out(Accp.mid((int) number("letter"), (int) number("issuer"), number("counter")));
            case "batch_parse": case "batch_encode": case "batch_decode": return batch(what);
            case "render": case "render_frame": case "render_parse": return render(what);
            case "packet": return made(new ContextPacket(options()));
            case "packet_index": return made(new PacketIndex(options()));
            case "packet_add": of(PacketIndex.class).add((ContextPacket) handles.get(text("packet"))); return answer("size", of(PacketIndex.class).size());
            case "packet_query": return out(of(PacketIndex.class).query(text("question"), textOrNull("from")));
            case "packet_layers": return layers(of(ContextPacket.class));
            case "packet_read": case "packet_generate": case "packet_seal": case "packet_print": case "packet_less": case "packet_revise": case "packet_diff":
                return packet(what, of(ContextPacket.class));
            case "count": return count();
            case "registry": return registry();
            case "schema": return schema(of(Registry.class).schema(text("code")));
            case "merge":
                try (Registry both = of(Registry.class).merge((Registry) handles.get(text("with")))) {
                    return answer("hash", both.describe().hash());
                }
            case "negotiate": return negotiate();
            case "codec": return codec();
            case "encode": case "codec_reply": case "decode": case "register_schema": case "retry": case "log": case "failure_encode": case "failure_decode": case "chunks":
                return onCodec(what, of(Codec.class));
            case "stream": return made(new StreamReceiver(options()));
            case "stream_add":
                return part(of(StreamReceiver.class).add(new Chunk(text("cid"), text("data"), number("index"), number("total"), flag("is_final"))));
            case "stream_receive": return part(of(StreamReceiver.class).receive(text("text")));
            case "stream_end": return part(of(StreamReceiver.class).end(text("cid")));
            case "deadline": return made(new Deadlines(options()));
            case "deadline_start": of(Deadlines.class).start(text("cid"), number("when")); return answer();
            case "deadline_extend": of(Deadlines.class).extend(text("cid"), number("when")); return answer();
            case "deadline_answer": of(Deadlines.class).answer(text("cid")); return answer();
            case "deadline_expire": return expire(of(Deadlines.class));
            case "store": return made(Store.open(options(), text("path")));
            case "engine": return engine();
            case "events": {
                List<String> lines = List.copyOf(events.get(text("of")));
                events.get(text("of")).clear();
                return answer("lines", lines);
            }
            case "open": return made(((Engine) handles.get(text("engine"))).session(text("id"), flag("local") ? new SessionFlag[] {SessionFlag.LOCAL} : new SessionFlag[0]));
            case "close": ((AutoCloseable) handles.remove(text("of"))).close(); return answer();
            default: return what.startsWith("store_") ? onStore(what, of(Store.class)) : onSession(what, of(Session.class));
        }
    }

    // Unknown bits: an enum has no value for them.
    private Map<String, Object> refusedByTheCompiler() {
        Json given = step.get("gives");
        return answer("status", "ERR_ARG", "offset", 0, "message", given.get("message").asString());
    }

    // ---- arguments ----

    private String text(String name) {
        return step.get(name) == null || step.get(name).isNull() ? "" : step.get(name).asString();
    }

    private String textOrNull(String name) {
        return text(name).isEmpty() ? null : text(name);
    }

    private long number(String name) {
        return step.get(name) == null ? 0 : step.get(name).asLong();
    }

    private boolean flag(String name) {
        return step.get(name) != null && step.get(name).asBoolean();
    }

    private Instant time(String name) {
        return number(name) == 0 ? null : Instant.ofEpochMilli(number(name));
    }

    private Session.Peer peer() {
        Json given = step.get("peer");
        if (given == null) {
            return null;
        }
        Set<String> agents = new HashSet<>();
        given.get("agents").forEach(name -> agents.add(name.asString()));
        return new Session.Peer(agents, given.get("untrusted") != null && given.get("untrusted").asBoolean());
    }

    private <T> T of(Class<T> type) {
        return type.cast(handles.get(text("of")));
    }

    // Frames are encoded and decoded by a codec without a registry, under the same options.
    private Codec codecOfFrame() {
        return (Codec) handles.get("codec of " + text("of"));
    }

    private Map<String, Object> made(Object handle) throws Exception {
        Object old = handles.put(text("name"), handle);
        if (old != null) {
            ((AutoCloseable) old).close();
        }
        return answer();
    }

    private static Map<String, Object> out(String text) {
        return answer("out", text == null ? "" : text);
    }

    private static String utf8(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private static Extension[] extensions(Json names) {
        List<Extension> made = new ArrayList<>();
        if (names != null) {
            names.forEach(name -> made.add(Extension.valueOf(name.asString().toUpperCase(Locale.ROOT))));
        }
        return made.toArray(new Extension[0]);
    }

    private Options options() {
        Options options = new Options();
        if (step.get("options") == null) {
            return options;
        }
        for (Json setting : step.get("options")) {
            switch (setting.key()) {
                case "dialect": options.dialect(Dialect.valueOf(setting.asString().toUpperCase(Locale.ROOT))); break;
                case "extensions": options.extensions(extensions(setting)); break;
                case "abbreviate": options.rule(Rule.ABBREVIATE, setting.asBoolean() ? 1 : 0); break;
                case "keep_refs": options.rule(Rule.KEEP_REFS, setting.asBoolean() ? 1 : 0); break;
                case "limits": setting.forEach(limit -> options.limit(Limit.valueOf(limit.key().toUpperCase(Locale.ROOT)), limit.asLong())); break;
                case "ignore": setting.forEach(name -> options.ignored(name.asString())); break;
                default: throw new AssertionError("an unknown option " + setting.key());
            }
        }
        return options;
    }

    private static <E extends Enum<E>> long bits(Set<E> set, java.util.function.ToIntFunction<E> number) {
        return set.stream().mapToInt(number).sum();
    }

    // ---- what needs more than a line ----

    private Map<String, Object> status() {
        AccpException status = AccpException.of((int) number("number"), "");
        return answer("code", status.codeName(), "name", status.name(), "meaning", status.meaning(), "retryable", status.retryable() ? 1 : 0, "category",
                status.category());
    }

    private Map<String, Object> parse(FrameCodec codec) throws AccpException {
        Frame frame = codec.parse(text("text"));
        Object canonical = null;
        try {
            canonical = codec.print(text("text"));
        } catch (AccpException.InvalidType e) {
            canonical = null;
        }
        return answer("agent", frame.agent(), "intent", frame.intent(), "operation", frame.operation(), "nodes", frame.nodeCount(), "canonical", canonical);
    }

    private static Map<String, Object> envelope(Envelope e) throws AccpException {
        return answer("fields", e.numbers()[0], "mid", orEmpty(e.mid()), "seq", e.numbers()[1], "ts", e.numbers()[2], "cid", orEmpty(e.cid()), "aid",
                orEmpty(e.aid()), "sid", orEmpty(e.sid()), "ttl", e.numbers()[3]);
    }

    private Map<String, Object> batch(String what) throws AccpException {
        byte[] text = text("text").getBytes(StandardCharsets.UTF_8);
        List<Object> records = new ArrayList<>();
        try (Batch batch = new Batch(options())) {
            Batch.Results<?> results = what.equals("batch_parse") ? batch.parse(text) : what.equals("batch_encode") ? batch.encode(text) : batch.decode(text);
            for (int i = 0; i < results.size(); i++) {
                if (results.isRefused(i)) {
                    records.add(BindingsVectorsTest.refusal(results.error(i)));
                } else if (results.get(i) instanceof Frame) {
                    records.add(answer("nodes", ((Frame) results.get(i)).nodeCount(), "at", results.offset(i)));
                } else {
                    records.add(out((String) results.get(i)));
                }
            }
        }
        return answer("records", records);
    }

    private Map<String, Object> render(String what) throws AccpException {
        RenderFlag[] flags = RenderFlag.of(number("flags")).toArray(new RenderFlag[0]);
        try (Renderer renderer = new Renderer(options())) {
            switch (what) {
                case "render": return out(renderer.json(text("text"), flags));
                case "render_frame": return out(renderer.frame(text("text"), flags));
                default: return out(renderer.parse(text("text")));
            }
        }
    }

    private Map<String, Object> layers(ContextPacket packet) throws AccpException {
        ContextPacket.Layer[] layers = Arrays.stream(ContextPacket.Layer.values()).filter(one -> (number("layers") & one.number) != 0).toArray(ContextPacket.Layer[]::new);
        return answer("out", packet.toPrompt(layers), "tokens", packet.tokenCount(layers));
    }

    private void shorten(ContextPacket packet) throws AccpException {
        switch (text("how")) {
            case "filter": packet.filter(text("task"), number("threshold_percent") / 100.0); break;
            case "fade": packet.fade((int) number("recent"), (int) number("older")); break;
            case "patterns": packet.extractPatterns((int) number("min_files")); break;
            default: packet.mergeDecisions();
        }
    }

    private Map<String, Object> packet(String what, ContextPacket packet) throws AccpException {
        switch (what) {
            case "packet_read": packet.read(text("text"), !flag("unverified")); break;
            case "packet_generate":
                packet.generate(text("task"), text("text"), Interface.of(text("interface")), ContextPacket.Depth.values()[(int) number("depth")], number("budget_tokens"),
                        text("creator"), Instant.ofEpochMilli(number("now_ms")));
                break;
            case "packet_seal": packet.seal(); break;
            case "packet_less": shorten(packet); break;
            case "packet_revise": packet.revise((ContextPacket) handles.get(text("old")), text("note")); break;
            case "packet_diff": return out(packet.diff((ContextPacket) handles.get(text("old"))));
            default:
                return out(text("form").equals("json") ? packet.toJson() : text("form").equals("yaml") ? packet.toYaml() : packet.toPrompt());
        }
        return answer("checksum", packet.checksum(), "tokens", packet.tokenCount(), "warnings", bits(packet.warnings(), one -> one.number));
    }

    private Map<String, Object> count() throws AccpException {
        try (Tokenizer tokenizer = new Tokenizer(text("tokenizer")); Counter counter = new Counter(tokenizer)) {
            List<Object> ids = new ArrayList<>();
            for (int id : counter.encode(text("text"))) {
                ids.add(id);
            }
            return answer("tokens", counter.count(text("text")), "ids", ids);
        }
    }

    private Map<String, Object> registry() throws Exception {
        long bits = step.get("profiles") == null ? 31 : number("profiles");
        Registry registry = new Registry(options(), text("text"), Profile.of(bits).toArray(new Profile[0]));
        made(registry);
        List<Object> codes = new ArrayList<>();
        registry.schemas().forEach(schema -> codes.add(schema.code()));
        Registry.Info info = registry.describe();
        return answer("hash", info.hash(), "version", info.version(), "schemas", codes);
    }

    private static Map<String, Object> schema(Registry.Schema schema) {
        List<Object> fields = new ArrayList<>();
        for (Registry.Field field : schema.fields()) {
            fields.add(answer("name", field.name(), "wire", field.wire(), "default", field.defaultValue() == null ? "" : field.defaultValue().toString(), "type",
                    field.type().number, "required", field.required() ? 1 : 0));
        }
        return answer("name", schema.name(), "version", schema.version(), "built_in", schema.builtIn() ? 1 : 0, "fields", fields);
    }

    private Map<String, Object> negotiate() throws AccpException {
        List<String> frames = new ArrayList<>();
        try (Negotiation left = side("left"); Negotiation right = side("right")) {
            Negotiation from = left;
            Negotiation to = right;
            for (int silent = 0; silent < 2;) {
                String frame = from.nextFrame();
                silent = frame == null ? silent + 1 : 0;
                if (frame != null) {
                    frames.add(frame);
                    to.receive(frame);
                }
                Negotiation turn = from;
                from = to;
                to = turn;
            }
            return answer("frames", frames, "left", agreed("left", left), "right", agreed("right", right));
        }
    }

    private Negotiation side(String name) throws AccpException {
        Json side = step.get(name);
        return new Negotiation(side.get("agent").asString(), new Options().registry((Registry) handles.get(side.get("registry").asString()))
                .extensions(extensions(side.get("extensions"))));
    }

    // Kept under the name of the side in the step, or else "left" or "right".
    private Map<String, Object> agreed(String name, Negotiation side) throws AccpException {
        Negotiation.Agreement agreed = side.agreement();
        Json given = step.get(name).get("name");
        handles.put(given == null ? name : given.asString(), agreed);
        return answer("state", agreed.progress().ordinal(), "extensions", bits(agreed.extensions(), one -> one.number), "features",
                bits(agreed.features(), one -> one.number), "hash", agreed.registry() == null ? "" : agreed.registry().describe().hash());
    }

    private Map<String, Object> codec() throws Exception {
        Options options = options().registry((Registry) handles.get(text("registry"))).extensions(extensions(step.get("extensions")))
                .schema(textOrNull("schema")).rule(Rule.MARK_DEFAULTS, flag("mark_defaults") ? 1 : 0)
                .strictness(Strictness.of(number("strict")).toArray(new Strictness[0]));
        refs(options);
        checks(options);
        List<String> lines = new ArrayList<>();
        if (flag("log")) {
            options.log((received, status, line) -> lines.add((received ? "received " : "sent ") + AccpException.of(status, "").codeName() + " " + line));
        }
        if (step.get("redact") != null) {
            step.get("redact").forEach(key -> options.redacted(key.asString()));
        }
        if (step.get("max_tokens") != null) {
            options.rule(Rule.MAX_TOKENS, number("max_tokens"));
        }
        try (Tokenizer tokenizer = flag("counts") ? new Tokenizer("o200k_base") : null) {  // the codec keeps what it needs
            Codec codec = new Codec(options.tokenizer(tokenizer));
            codec.setUntrusted(flag("untrusted"));
            logs.put(codec, lines);
            return made(codec);
        }
    }

    private void refs(Options options) {
        Map<String, String> values = new HashMap<>();
        if (step.get("refs") != null) {
            step.get("refs").forEach(ref -> values.put(ref.key(), ref.asString()));
        }
        if (step.get("refs") != null || flag("keep")) {
            options.resolver(ref -> values.containsKey(ref) ? values.get(ref).getBytes(StandardCharsets.UTF_8) : null);
        }
        if (flag("keep")) {
            options.keeper(json -> {
                String text = utf8(json);
                for (Map.Entry<String, String> kept : values.entrySet()) {
                    if (kept.getValue().equals(text)) {
                        return kept.getKey();
                    }
                }
                String ref = "cold.k" + (values.size() + 1);
                values.put(ref, text);
                return ref;
            });
        }
    }

    private void checks(Options options) {
        if (step.get("tools") != null) {
            Map<String, String> tools = new HashMap<>();
            step.get("tools").forEach(tool -> tools.put(tool.key(), tool.asString()));
            options.tools((name, arguments) -> {
                String code = tools.getOrDefault(name, "E4001");
                if (!code.equals("OK")) {
                    throw AccpException.of(Integer.parseInt(code.substring(1)), "");
                }
            });
        }
        if (step.get("deny") != null) {
            Set<String> denied = new java.util.HashSet<>();
            step.get("deny").forEach(operation -> denied.add(operation.asString()));
            options.policy(asked -> {
                if (denied.contains(asked.operation())) {
                    throw new AccpException.PolicyDenied("denied");
                }
            });
        }
    }

    private Map<String, Object> onCodec(String what, Codec codec) throws AccpException {
        switch (what) {
            case "encode": {
                String frame = codec.encode(text("text"));
                Codec.Outcome made = codec.outcome();
                return answer("out", frame, "warnings", bits(made.warnings(), one -> one.number), "tokens", codec.budget().total().tokens(), "kept", made.kept());
            }
            case "codec_reply": {
                String frame = codec.reply(text("request"), text("text"));
                return answer("out", frame, "warnings", bits(codec.outcome().warnings(), one -> one.number));
            }
            case "decode": {
                String message = codec.decode(text("text"));
                return message == null ? answer("status", "HELD") : answer("out", message, "warnings", bits(codec.outcome().warnings(), one -> one.number));
            }
            case "register_schema":
                codec.registerSchema(text("text"));
                try (Registry registry = codec.registry()) {
                    return answer("hash", registry.describe().hash());
                }
            case "retry": return out(codec.retry(text("text"), fresh()));
            case "log": {
                List<String> lines = List.copyOf(logs.get(codec));
                logs.get(codec).clear();
                return answer("lines", lines);
            }
            case "failure_encode":
                return out(codec.encodeFailure(new Failure(text("code").equals("ERR_ARG") ? -2 : Integer.parseInt(text("code").substring(1)), false, text("agent"), textOrNull("message"), textOrNull("detail"),
                        textOrNull("source"), textOrNull("cid"))));
            case "failure_decode": {
                codec.decode(text("text"));
                Failure f = codec.failure();
                Failure or = f == null ? new Failure(0, false, "", null, null, null, null) : f;
                return answer("code", or.code(), "retry", or.retry() ? 1 : 0, "agent", orEmpty(or.agent()), "message", orEmpty(or.message()), "detail",
                        orEmpty(or.detail()), "source", orEmpty(or.source()), "cid", orEmpty(or.cid()));
            }
            default: {
                List<String> frames = new ArrayList<>();
                for (Chunk c : Chunk.cut(text("cid"), text("text"), (int) number("max_bytes"))) {
                    frames.add(codec.encodeChunk(text("agent"), text("operation"), new Chunk(c.cid(), c.data(), c.index(), 0, c.isFinal())));
                }
                return answer("frames", frames);
            }
        }
    }

    private Envelope fresh() {
        return new Envelope(textOrNull("mid"), step.get("seq") == null ? null : (Long) number("seq"), step.get("ts") == null ? null : (Long) number("ts"), null,
                null, null, null);
    }

    private static Map<String, Object> part(StreamReceiver.Part part) {
        return answer("data", part.data(), "whole", part.whole(), "chunks", part.chunks(), "state", part.progress().ordinal());
    }

    private Map<String, Object> expire(Deadlines deadlines) throws AccpException {
        List<String> expired = new ArrayList<>();
        for (String cid; (cid = deadlines.expire(number("now"))) != null;) {
            expired.add(cid);
        }
        return answer("expired", expired, "next", deadlines.next());
    }

    private Map<String, Object> engine() throws Exception {
        Options options = options().store((Store) handles.get(text("store"))).clock(clock).registry((Registry) handles.get(text("registry")))
                .extensions(extensions(step.get("extensions")));
        if (step.get("own") != null) {
            step.get("own").forEach(name -> options.ownAgents(name.asString()));
        }
        if (step.get("rules") != null) {
            step.get("rules").forEach(rule -> options.rule(Rule.valueOf(rule.key().toUpperCase(Locale.ROOT)), rule.asLong()));
        }
        checks(options);
        List<String> lines = new ArrayList<>();
        events.put(text("name"), lines);
        if (flag("events")) {
            options.events(e -> lines.add(String.join(" ", String.valueOf(e.kind().ordinal()), e.status() == 0 ? "OK" : AccpException.of(e.status(), "").codeName(),
                    e.received() ? "1" : "0", String.valueOf(e.seq()), String.valueOf(e.bytes()), String.valueOf(e.tokens()),
                    String.join("|", e.session(), e.agent(), e.mid(), e.cid(), e.aid()))));
        }
        return made(Engine.open(options.agreement((Negotiation.Agreement) handles.get(text("agreement")))));
    }

    private Map<String, Object> onStore(String what, Store store) throws AccpException {
        switch (what) {
            case "store_sessions": return answer("ids", store.sessions());
            case "store_stats": {
                Store.Counts counts = store.counts();
                return answer("sessions", counts.sessions(), "records", counts.records(), "mids", counts.mids(), "grants", counts.grants());
            }
            case "store_export": return answer("lines", utf8(exported(store)).lines().count());
            case "store_import":
                store.importFrom(step.get("from") == null ? text("text").getBytes(StandardCharsets.UTF_8) : exported((Store) handles.get(text("from"))));
                return answer();
            case "store_erase": store.removeSession(text("id")); return answer();
            case "store_prune": return answer("pruned", store.prune(clock.instant(), number("keep")));
            case "store_verify": return store.verify().isEmpty() ? answer() : answer("status", "ERR_CORRUPT");
            default: throw new AssertionError("an unknown step " + what);
        }
    }

    private byte[] exported(Store store) throws AccpException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.exportTo(text("id"), out);
        return out.toByteArray();
    }

    private Map<String, Object> onSession(String what, Session session) throws AccpException {
        switch (what) {
            case "send": return out(session.send(text("text")));
            case "reply": return out(session.reply(text("request"), text("text")));
            case "outcome": {
                Codec.Outcome sent = session.outcome();
                return answer("parts", sent.parts(), "kept", sent.kept(), "warnings", bits(sent.warnings(), one -> one.number));
            }
            case "receive": {
                Session.Receipt receipt = session.receive(text("text"), peer());
                return receipt == Session.Receipt.APPLIED ? answer() : answer("status", receipt.name());
            }
            case "append": session.append(text("text"), peer()); return answer();
            case "next": return answer("deliveries", deliveries(session));
            case "checkpoint":
                session.checkpoint();
                return answer("checkpoints", session.newestCheckpoint(), "records", session.recordCount());
            case "context": {
                Session.Context context = session.context(number("budget_tokens"));
                return answer("out", context.text(), "tokens", context.tokens());
            }
            case "append_messages": return answer("count", session.appendMessages(Interface.of(text("interface")), text("text"), peer()));
            case "append_history": {
                Session.History made = session.appendHistory(
                        text("interface").isEmpty() ? null : Interface.of(text("interface")), text("text"), textOrNull("branch"), peer());
                return answer("count", made.count(), "same", made.same(), "added", made.added(), "item", made.item(), "record", made.record(),
                        "branched", made.branched() ? 1 : 0);
            }
            case "blocks": return answer("blocks", blocks(session.contextBlocks(number("budget_tokens"))));
            case "pages": return answer("out", session.contextPages());
            case "messages": {
                Session.Messages messages = session.contextMessages(Interface.of(text("interface")), number("budget_tokens"));
                return answer("out", messages.json(), "tokens", messages.tokens());
            }
            case "answer": return answer("out", session.answer(text("text")));
            case "budget": {
                TokenBudget b = session.budget();
                return answer("hot_used", b.hotUsed(), "hot_max", b.hotMax(), "warm_used", b.warmUsed(), "warm_max", b.warmMax(), "total_used", b.totalUsed(),
                        "total_max", b.totalMax());
            }
            case "record": {
                Session.LogRecord record = session.record(number("number"));
                return answer("kind", String.valueOf(record.kind()), "time_ms", record.time().toEpochMilli(), "out", record.text());
            }
            case "record_registry":
                try (Registry under = session.registry(number("number"))) {
                    return answer("hash", under.describe().hash());
                }
            case "resolve": return out(session.resolve(text("ref")).toString());
            case "resolve_of": return out(session.resolve(text("ref"), text("who")).toString());
            case "put": session.put(text("ref"), text("text"), time("expires_ms")); return answer();
            case "erase": session.remove(text("ref")); return answer();
            case "grant": session.addGrant(text("who"), text("prefix"), time("expires_ms")); return answer();
            case "revoke": session.removeGrant(text("who"), text("prefix")); return answer();
            case "send_state": return out(session.sendState(text("agent"), text("text")));
            case "state": return answer("out", session.state().value().toString(), "version", session.state().version());
            case "is_cancelled": return answer("cancelled", session.isCancelled(text("cid")) ? 1 : 0);
            case "end": session.end(); return answer();
            default: throw new AssertionError("an unknown step " + what);
        }
    }

    private Map<String, Object> tool() {
        Interface form = Interface.of(text("interface"));
        return form == null ? answer("number", -1, "name", null, "out", null) : answer("number", form.number, "name", form.toString(), "out", form.tool());
    }

    private static List<Object> blocks(List<Session.Block> blocks) {
        List<Object> list = new ArrayList<>();
        for (Session.Block one : blocks) {
            list.add(answer("kind", one.kind().ordinal(), "is_stable", one.stable() ? 1 : 0, "checkpoint", one.checkpoint(), "tokens", one.tokens(), "since",
                    one.since(), "out", one.text()));
        }
        return list;
    }

    private static List<Object> deliveries(Session session) {
        List<Object> deliveries = new ArrayList<>();
        for (Session.Delivery next; (next = session.nextDelivery()) != null;) {
            AccpException e = next.error();
            deliveries.add(answer("status", e == null ? "OK" : e.codeName(), "seq", next.seq(), "message", orEmpty(next.message()), "mid",
                    orEmpty(next.mid()), "cid", orEmpty(next.cid()), "reason", e == null ? "" : e.reason(),
                    "warnings", bits(next.warnings(), one -> one.number)));
        }
        return deliveries;
    }
}
