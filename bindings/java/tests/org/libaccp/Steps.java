// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs the steps of bindings.jsonl over the public classes; tests/vectors/README.md says what each does. */
final class Steps implements AutoCloseable {
    private final Map<String, Object> handles = new HashMap<>();
    private final Map<Object, List<String>> logs = new HashMap<>();
    private final TestClock clock = new TestClock();
    private Json step;

    /** The time is what the step says. */
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
        if (number("flags") > 7 || number("profiles") > 31) {
            return refusedByTheCompiler();
        }
        clock.now = number("now_ms");
        String what = text("do");
        switch (what) {
            case "status": return status();
            case "json": {
                Json value = Json.parse(text("text"), options());
                return answer("out", value.toString(), "hash_form", utf8(value.hashForm()));
            }
            case "frame": return made(new FrameCodec(options()));
            case "parse": return parse(of(FrameCodec.class));
            case "envelope": return envelope(of(FrameCodec.class).envelope(text("text")));
            case "frame_encode": return out(of(FrameCodec.class).encode(text("text")));
            case "frame_decode": return out(of(FrameCodec.class).decode(text("text")));
            case "mid_format": return out(Accp.mid((int) number("letter"), (int) number("issuer"), number("counter")));
            case "batch_parse": case "batch_encode": case "batch_decode": return batch(what);
            case "render": case "render_frame": case "render_parse": return render(what);
            case "count": return count();
            case "registry": return registry();
            case "schema": return schema(of(Registry.class).schema(text("code")));
            case "merge":
                try (Registry both = of(Registry.class).merge((Registry) handles.get(text("with")))) {
                    return answer("hash", both.hash());
                }
            case "negotiate": return negotiate();
            case "codec": return codec();
            case "encode": case "decode": case "register_schema": case "retry": case "log": case "failure_encode": case "failure_decode": case "chunks":
                return onCodec(what, of(Codec.class));
            case "stream": return made(new StreamReceiver(options()));
            case "stream_add":
                return part(of(StreamReceiver.class).add(new Chunk(text("cid"), text("data"), number("index"), number("total"), flag("is_final"))));
            case "stream_receive": return part(of(StreamReceiver.class).receive(text("text")));
            case "stream_end": return part(of(StreamReceiver.class).end(text("cid")));
            case "deadline": return made(new Deadlines());
            case "deadline_start": of(Deadlines.class).start(text("cid"), number("when")); return answer();
            case "deadline_extend": of(Deadlines.class).extend(text("cid"), number("when")); return answer();
            case "deadline_answer": of(Deadlines.class).answer(text("cid")); return answer();
            case "deadline_expire": return expire(of(Deadlines.class));
            case "store": return made(Store.open(options(), text("path")));
            case "engine": return engine();
            case "open": return made(((Engine) handles.get(text("engine"))).session(text("id")));
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

    private <T> T of(Class<T> type) {
        return type.cast(handles.get(text("of")));
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
        Json given = step.get("options");
        if (given == null) {
            return null;
        }
        Options options = new Options();
        for (Json setting : given) {
            switch (setting.key()) {
                case "dialect": options.dialect(Dialect.valueOf(setting.asString().toUpperCase(Locale.ROOT))); break;
                case "extensions": options.extensions(extensions(setting)); break;
                case "abbreviate": options.abbreviate(setting.asBoolean()); break;
                case "keep_refs": options.keepRefs(setting.asBoolean()); break;
                case "limits": setting.forEach(limit -> options.limit(Limit.valueOf(limit.key().toUpperCase(Locale.ROOT)), limit.asLong())); break;
                case "ignore": setting.forEach(name -> options.ignore(name.asString())); break;
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
        return answer("hash", registry.hash(), "version", registry.version(), "schemas", codes);
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
                String frame = from.next();
                silent = frame == null ? silent + 1 : 0;
                if (frame != null) {
                    frames.add(frame);
                    to.receive(frame);
                }
                Negotiation turn = from;
                from = to;
                to = turn;
            }
            return answer("frames", frames, "left", outcome(left), "right", outcome(right));
        }
    }

    private Negotiation side(String name) throws AccpException {
        Json side = step.get(name);
        return new Negotiation((Registry) handles.get(side.get("registry").asString()), side.get("agent").asString(), extensions(side.get("extensions")));
    }

    private static Map<String, Object> outcome(Negotiation side) {
        try (Registry registry = side.registry()) {
            return answer("state", side.progress().ordinal(), "extensions", bits(side.extensions(), one -> one.number), "hash",
                    registry == null ? "" : registry.hash());
        }
    }

    private Map<String, Object> codec() throws Exception {
        Codec codec = new Codec(options(), (Registry) handles.get(text("registry")), extensions(step.get("extensions")));
        Map<String, String> values = new HashMap<>();
        if (step.get("refs") != null) {
            step.get("refs").forEach(ref -> values.put(ref.key(), ref.asString()));
        }
        if (step.get("refs") != null || flag("keep")) {
            codec.setResolver(ref -> values.containsKey(ref) ? values.get(ref).getBytes(StandardCharsets.UTF_8) : null);
        }
        if (flag("keep")) {
            codec.setKeeper(json -> {
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
        if (step.get("tools") != null) {
            Map<String, String> tools = new HashMap<>();
            step.get("tools").forEach(tool -> tools.put(tool.key(), tool.asString()));
            codec.setTools((name, arguments) -> {
                String code = tools.getOrDefault(name, "E4001");
                if (!code.equals("OK")) {
                    throw AccpException.of(Integer.parseInt(code.substring(1)), "");
                }
            });
        }
        if (step.get("deny") != null) {
            Set<String> denied = new java.util.HashSet<>();
            step.get("deny").forEach(operation -> denied.add(operation.asString()));
            codec.setPolicy(asked -> {
                if (denied.contains(asked.operation())) {
                    throw new AccpException.PolicyDenied("denied");
                }
            });
        }
        if (flag("log")) {
            List<String> lines = new ArrayList<>();
            logs.put(codec, lines);
            codec.setLog((received, status, line) -> lines.add((received ? "received " : "sent ") + AccpException.of(status, "").codeName() + " " + line));
        }
        if (step.get("redact") != null) {
            for (Json key : step.get("redact")) {
                codec.setRedacted(key.asString());
            }
        }
        if (flag("counts")) {
            Tokenizer tokenizer = new Tokenizer("o200k_base");
            Counter counter = new Counter(tokenizer);
            tokenizer.close();  // the counter keeps what it needs
            codec.setCounter(counter);
            handles.put("counter of " + text("name"), counter);
        }
        codec.setMaxTokens(number("max_tokens"));
        if (number("strict") != 0) {
            codec.setStrict(Strictness.of(number("strict")).toArray(new Strictness[0]));
        }
        codec.setUntrusted(flag("untrusted"));
        codec.setMarkDefaults(flag("mark_defaults"));
        if (textOrNull("schema") != null) {
            codec.setSchema(text("schema"));
        }
        return made(codec);
    }

    private Map<String, Object> onCodec(String what, Codec codec) throws AccpException {
        switch (what) {
            case "encode": {
                String frame = codec.encode(text("text"));
                return answer("out", frame, "warnings", bits(codec.warnings(), one -> one.number), "tokens", codec.tokens().total(), "kept", codec.kept());
            }
            case "decode": {
                String message = codec.decode(text("text"));
                return message == null ? answer("status", "HELD") : answer("out", message, "warnings", bits(codec.warnings(), one -> one.number));
            }
            case "register_schema":
                codec.registerSchema(text("text"));
                try (Registry registry = codec.registry()) {
                    return answer("hash", registry.hash());
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
                Failure f = codec.decodeFailure(text("text"));
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
        Engine.Builder builder = Engine.builder().options(options()).store((Store) handles.get(text("store"))).clock(clock)
                .registry((Registry) handles.get(text("registry"))).extensions(extensions(step.get("extensions")));
        if (step.get("rules") != null) {
            step.get("rules").forEach(rule -> builder.rule(Rule.valueOf(rule.key().toUpperCase(Locale.ROOT)), rule.asLong()));
        }
        return made(builder.open());
    }

    private Map<String, Object> onStore(String what, Store store) throws AccpException {
        switch (what) {
            case "store_sessions": return answer("ids", store.sessions());
            case "store_stats": {
                Store.Stats stats = store.stats();
                return answer("sessions", stats.sessions(), "records", stats.records(), "mids", stats.mids(), "grants", stats.grants());
            }
            case "store_export": return answer("lines", utf8(exported(store)).lines().count());
            case "store_import":
                store.importFrom(step.get("from") == null ? text("text").getBytes(StandardCharsets.UTF_8) : exported((Store) handles.get(text("from"))));
                return answer();
            case "store_erase": store.erase(text("id")); return answer();
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
            case "receive": {
                Session.Receipt receipt = session.receive(text("text"));
                return receipt == Session.Receipt.APPLIED ? answer() : answer("status", receipt.name());
            }
            case "append": session.append(text("text")); return answer();
            case "next": return answer("deliveries", deliveries(session));
            case "checkpoint":
                session.checkpoint();
                return answer("checkpoints", session.checkpoints(), "records", session.records());
            case "context": {
                Session.Context context = session.context(number("budget_tokens"));
                return answer("out", context.text(), "tokens", context.tokens());
            }
            case "budget": {
                TokenBudget b = session.budget();
                return answer("hot_used", b.hotUsed(), "hot_max", b.hotMax(), "warm_used", b.warmUsed(), "warm_max", b.warmMax(), "total_used", b.totalUsed(),
                        "total_max", b.totalMax());
            }
            case "record": {
                Session.LogRecord record = session.record(number("number"));
                return answer("kind", String.valueOf(record.kind()), "time_ms", record.time().toEpochMilli(), "out", record.text());
            }
            case "resolve": return out(session.resolve(text("ref")).toString());
            case "resolve_of": return out(session.resolveOf(text("who"), text("ref")).toString());
            case "put": session.put(text("ref"), text("text"), time("expires_ms")); return answer();
            case "erase": session.erase(text("ref")); return answer();
            case "grant": session.grant(text("who"), text("prefix"), time("expires_ms")); return answer();
            case "revoke": session.revoke(text("who"), text("prefix")); return answer();
            case "send_state": return out(session.sendState(text("agent"), text("text")));
            case "state": return answer("out", session.state().value().toString(), "version", session.state().version());
            case "is_cancelled": return answer("cancelled", session.isCancelled(text("cid")) ? 1 : 0);
            case "end": session.end(); return answer();
            default: throw new AssertionError("an unknown step " + what);
        }
    }

    private static List<Object> deliveries(Session session) {
        List<Object> deliveries = new ArrayList<>();
        for (Session.Delivery next; (next = session.next()) != null;) {
            AccpException e = next.error();
            deliveries.add(answer("status", e == null ? "OK" : e.codeName(), "seq", next.seq(), "message", orEmpty(next.message()), "reason",
                    e == null ? "" : e.reason()));
        }
        return deliveries;
    }
}
