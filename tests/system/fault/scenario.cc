// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See scenario.h: the scenarios.
#include "fault/scenario.h"

#include <cstring>
#include <string_view>

#include "fault/injector.h"
#include "fault/inputs.h"

namespace accp_fault {

World::World(void (*configure)(accp_config *)) {
    accp_config_new(&config, nullptr);
    accp_allocator failing = allocator();
    accp_config_set_allocator(config, &failing, nullptr);
    if (configure) configure(config);
}

World::~World() {
    accp_frame_free(frame);
    accp_value_free(value);
    accp_value_free(meta);
    accp_batch_free(batch);
    accp_render_free(render);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
    for (accp_negotiation *side : sides) accp_negotiation_free(side);
    accp_codec_free(codec);
    accp_engine_free(engine);
    accp_stream_free(stream);
    accp_deadline_free(deadline);
    accp_packet_free(packet);
    accp_packet_free(old_packet);
    accp_packet_index_free(packet_index);
    accp_packet_code_free(code);
    accp_registry_free(registry);
    accp_registry_free(other_registry);
    accp_config_free(config);
}

namespace {

// Stops the scenario at the first call that fails.
#define TRY(call) \
    if (accp_status status_ = (call); status_ != ACCP_OK) return status_

accp_status need_frame(World &w) {
    return w.frame ? ACCP_OK : accp_frame_new(w.config, &w.frame, &w.error);
}
accp_status need_value(World &w) {
    return w.value ? ACCP_OK : accp_value_new(w.config, &w.value, &w.error);
}
accp_status need_meta(World &w) {
    return w.meta ? ACCP_OK : accp_value_new(w.config, &w.meta, &w.error);
}
// The codec has a registry only if the config has one.
accp_status need_codec(World &w) {
    return w.codec ? ACCP_OK : accp_codec_new(w.config, &w.codec, &w.error);
}
accp_status need_engine(World &w) {
    return w.engine ? ACCP_OK : accp_engine_new(w.config, &w.engine, &w.error);
}
accp_status need_batch(World &w) {
    return w.batch ? ACCP_OK : accp_batch_new(w.config, &w.batch, &w.error);
}

accp_status need_render(World &w) {
    return w.render ? ACCP_OK : accp_render_new(w.config, &w.render, &w.error);
}

// Runs a call that returns a view. If it fails, the output must be unchanged.
template <class Call>
accp_status view(World &w, Call call) {
    static const char mark = 0;
    accp_text out = {&mark, 77};
    accp_status status = call(&out, &w.error);
    if (status == ACCP_OK) w.text = out;
    else w.touched |= out.text != &mark || out.len != 77;
    return status;
}

accp_status parse(World &w, const Text &text) {
    TRY(need_frame(w));
    accp_status status = accp_frame_parse(w.frame, text.data(), text.size(), &w.error);
    size_t count = 0;
    w.text.text = reinterpret_cast<const char *>(accp_frame_nodes(w.frame, &count));
    w.text.len = count * sizeof(accp_node);
    w.touched |= (status == ACCP_OK) != (count > 0);
    return status;
}

accp_status print(World &w, const Text &text) {
    TRY(parse(w, text));
    return view(w, [&](auto... out) { return accp_frame_print(w.frame, out...); });
}

// Runs a codec's call that returns a view. The outcome must be that of the same call.
template <class Call>
accp_status codec_view(World &w, bool makes_frame, Call call) {
    const accp_status status = view(w, call);
    accp_outcome outcome = {};
    w.touched |= accp_codec_outcome(w.codec, &outcome, nullptr) != ACCP_OK;
    w.touched |= (outcome.parts > 0) != (makes_frame && status == ACCP_OK);
    return status;
}

accp_status encode(World &w, const Text &json) {
    TRY(need_codec(w));
    return codec_view(w, true, [&](auto... out) {
        return accp_codec_encode(w.codec, json.data(), json.size(), out...);
    });
}

accp_status decode(World &w, const Text &text) {
    TRY(need_codec(w));
    return codec_view(w, false, [&](auto... out) {
        return accp_codec_decode(w.codec, text.data(), text.size(), out...);
    });
}

accp_status json(World &w, std::string_view text) {
    TRY(need_value(w));
    accp_status status = accp_value_parse_json(w.value, text.data(), text.size(), &w.error);
    size_t count = 0;
    accp_value_nodes(w.value, &count);
    w.touched |= (status == ACCP_OK) != (count > 0);
    return status;
}

accp_status print_json(World &w, const Text &text) {
    TRY(json(w, text));
    return view(w, [&](auto... out) { return accp_value_print_json(w.value, out...); });
}

accp_status hash(World &w, const Text &text) {
    TRY(json(w, text));
    return view(w, [&](auto... out) { return accp_value_print_hash_form(w.value, out...); });
}

accp_status build_value(World &w) {
    TRY(need_value(w));
    accp_value_reset(w.value);
    TRY(accp_value_begin(w.value, ACCP_MAP, nullptr, 0, &w.error));
    for (char key = 'a'; key <= 'z'; ++key) {
        TRY(accp_value_begin(w.value, ACCP_ARRAY, &key, 1, &w.error));
        TRY(accp_value_add(w.value, ACCP_STRING, nullptr, 0, inputs().long_text.data(),
                           inputs().long_text.size(), &w.error));
        TRY(accp_value_add(w.value, ACCP_INT, nullptr, 0, "-7", 2, &w.error));
        TRY(accp_value_add(w.value, ACCP_NUMBER, nullptr, 0, "1e-9", 4, &w.error));
        TRY(accp_value_add(w.value, ACCP_REF, nullptr, 0, "warm.key", 8, &w.error));
        TRY(accp_value_add(w.value, ACCP_BOOL, nullptr, 0, "true", 4, &w.error));
        TRY(accp_value_add(w.value, ACCP_NULL, nullptr, 0, nullptr, 0, &w.error));
        TRY(accp_value_end(w.value, &w.error));
    }
    return accp_value_end(w.value, &w.error);
}

accp_status build_frame(World &w) {
    TRY(build_value(w));
    TRY(need_meta(w));
    TRY(accp_value_parse_json(w.meta, "{\"k\":[1,2]}", 11, &w.error));
    TRY(need_frame(w));
    return view(w, [&](auto... out) {
        return accp_frame_build(w.frame, {"a", 1}, {"req", 3}, {"op", 2}, w.value, w.meta, out...);
    });
}

accp_status read_blocks(World &w, const Text &text) {
    TRY(parse(w, text));
    TRY(need_value(w));
    TRY(need_meta(w));
    size_t count = 0;
    accp_status status = accp_frame_meta(w.frame, w.meta, &w.error);
    accp_value_nodes(w.meta, &count);
    w.touched |= (status == ACCP_OK) != (count > 0);
    TRY(status);
    status = accp_frame_payload(w.frame, w.value, &w.error);
    accp_value_nodes(w.value, &count);
    w.touched |= (status == ACCP_OK) != (count > 0);
    TRY(status);
    return view(w, [&](auto... out) { return accp_value_print_hash_form(w.value, out...); });
}

accp_status with_envelope(World &w) {
    TRY(need_codec(w));
    const accp_envelope envelope = {127,
                                    0,
                                    1,
                                    2,
                                    3,
                                    {"a00000000001", 12},
                                    {inputs().long_id.data(), inputs().long_id.size()},
                                    {"x", 1},
                                    {"y", 1}};
    TRY(accp_codec_set_envelope(w.codec, &envelope, &w.error));
    return encode(w, inputs().message);
}

accp_status render_json(World &w, const Text &text) {
    TRY(need_render(w));
    return view(w, [&](auto... out) {
        return accp_render_json(w.render, text.data(), text.size(), ACCP_RENDER_ENVELOPE, out...);
    });
}

accp_status render_frame(World &w, const Text &text) {
    TRY(need_render(w));
    return view(w, [&](auto... out) {
        return accp_render_frame(w.render, text.data(), text.size(), 0, out...);
    });
}

// Reads and seals a packet, and prints it in each form.
accp_status packet(World &w, const Text &text) {
    if (!w.packet) TRY(accp_packet_new(w.config, &w.packet, &w.error));
    accp_status status =
        accp_packet_parse(w.packet, text.data(), text.size(), ACCP_PACKET_UNVERIFIED, &w.error);
    w.touched |= (status == ACCP_OK) != (accp_packet_checksum(w.packet).len > 0);
    TRY(status);
    TRY(accp_packet_seal(w.packet, &w.error));
    TRY(view(w, [&](auto... out) { return accp_packet_misspelt_members(w.packet, out...); }));
    TRY(view(w, [&](auto... out) { return accp_packet_print_json(w.packet, out...); }));
    TRY(view(w, [&](auto... out) { return accp_packet_print_prompt(w.packet, out...); }));
    return view(w, [&](auto... out) { return accp_packet_print_yaml(w.packet, out...); });
}

accp_status make_packet(World &w, const Text &text) {
    if (!w.packet) TRY(accp_packet_new(w.config, &w.packet, &w.error));
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"Mend the parser", 15};
    request.conversation = {text.data(), text.size()};
    request.depth = ACCP_PACKET_DEEP;
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    accp_status status = accp_packet_generate(w.packet, &request, &w.error);
    w.touched |= (status == ACCP_OK) != (accp_packet_checksum(w.packet).len > 0);
    TRY(status);
    return view(w, [&](auto... out) { return accp_packet_print_yaml(w.packet, out...); });
}

// Makes a packet smaller in each way, makes its next version, and sends a question to both.
accp_status less_packet(World &w, const Text &text) {
    if (!w.packet) TRY(accp_packet_new(w.config, &w.packet, &w.error));
    if (!w.old_packet) TRY(accp_packet_new(w.config, &w.old_packet, &w.error));
    for (accp_packet *packet : {w.packet, w.old_packet})
        TRY(accp_packet_parse(packet, text.data(), text.size(), 0, &w.error));
    // a call that fails does not change the packet
    const auto change = [&](auto call) {
        char sum[71];
        std::memcpy(sum, accp_packet_checksum(w.packet).text, sizeof sum);
        const accp_status status = call();
        const accp_text now = accp_packet_checksum(w.packet);
        w.touched |= status != ACCP_OK &&
                     (now.len != sizeof sum || std::memcmp(now.text, sum, sizeof sum) != 0);
        return status;
    };
    TRY(view(w, [&](auto... out) { return accp_packet_print_layers(w.packet, 5, out...); }));
    TRY(change([&] { return accp_packet_merge_decisions(w.packet, &w.error); }));
    TRY(change([&] { return accp_packet_extract_patterns(w.packet, 2, &w.error); }));
    TRY(change([&] { return accp_packet_fade(w.packet, 1, 1, &w.error); }));
    TRY(change([&] {
        return accp_packet_filter(w.packet, "Add login", 9, 0, nullptr, nullptr, &w.error);
    }));
    TRY(change([&] { return accp_packet_revise(w.packet, w.old_packet, "less", 4, &w.error); }));
    TRY(view(w,
             [&](auto... out) { return accp_packet_print_diff(w.packet, w.old_packet, out...); }));
    if (!w.packet_index) TRY(accp_packet_index_new(w.config, &w.packet_index, &w.error));
    for (accp_packet *packet : {w.old_packet, w.packet}) {
        const uint64_t size = accp_packet_index_count(w.packet_index);
        const accp_status status = accp_packet_index_add(w.packet_index, packet, &w.error);
        w.touched |= status != ACCP_OK && accp_packet_index_count(w.packet_index) != size;
        TRY(status);
    }
    return view(w, [&](auto... out) {
        return accp_packet_index_query(w.packet_index, "Which login was chosen?", 23, nullptr, 0,
                                       out...);
    });
}

uint64_t count_of(const accp_packet_code *code) {
    uint64_t count = 0;
    (void)accp_packet_code_count(code, &count, nullptr);
    return count;
}

// Makes a packet from a conversation, with ends of its text as files.
accp_status make_packet_of_code(World &w, const Text &text) {
    if (!w.code) TRY(accp_packet_code_new(w.config, &w.code, &w.error));
    size_t at = 0;
    for (std::string_view path : {"parser.py", "src/parse.md", "src/a.cc", "b/parser.h", "c.rs"}) {
        const uint64_t before = count_of(w.code);
        const accp_status status = accp_packet_code_add(
            w.code, path.data(), path.size(), text.data() + at, text.size() - at, &w.error);
        w.touched |= status != ACCP_OK && count_of(w.code) != before;
        TRY(status);
        at += text.size() / 7;
    }
    if (!w.packet) TRY(accp_packet_new(w.config, &w.packet, &w.error));
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"Mend the parser", 15};
    request.conversation = {text.data(), text.size()};
    request.depth = ACCP_PACKET_DEEP;
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    request.code = w.code;
    TRY(accp_packet_generate(w.packet, &request, &w.error));
    TRY(view(w, [&](auto... out) { return accp_packet_stale_files(w.packet, w.code, out...); }));
    return view(w, [&](auto... out) { return accp_packet_print_yaml(w.packet, out...); });
}

// Makes a packet from lines that are messages of ACCP.
accp_status make_packet_of_session(World &w, const Text &lines) {
    TRY(need_engine(w));
    if (!w.packet) TRY(accp_packet_new(w.config, &w.packet, &w.error));
    accp_session *session = nullptr;
    TRY(accp_session_open(w.engine, "s", 1, 0, &session, &w.error));
    accp_status status = ACCP_OK;
    for (size_t at = 0; status == ACCP_OK && at < lines.size() / 8;) {
        const size_t end = std::string_view(lines.data(), lines.size()).find('\n', at);
        if (end - at > 1)
            status = accp_session_append(session, lines.data() + at, end - at, 0, &w.error);
        at = end + 1;
    }
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"Mend the parser", 15};
    request.depth = ACCP_PACKET_DEEP;
    if (status == ACCP_OK)
        status = accp_session_generate_packet(session, &request, w.packet, &w.error);
    accp_session_close(session);
    return status;
}

accp_status read_render(World &w, const Text &text) {
    TRY(need_render(w));
    TRY(view(w, [&](auto... out) {
        return accp_render_parse(w.render, text.data(), text.size(), out...);
    }));
    return json(w, {w.text.text, w.text.len});
}

using BatchCall = accp_status(accp_batch *, const char *, size_t, accp_error *);

accp_status batch(World &w, const Text &lines, BatchCall *call) {
    TRY(need_batch(w));
    accp_status status = call(w.batch, lines.data(), lines.size(), &w.error);
    size_t count = 0;
    w.text.text = reinterpret_cast<const char *>(accp_batch_records(w.batch, &count));
    w.text.len = count * sizeof(accp_record);
    w.touched |= (status == ACCP_OK) != (count > 0);
    if (status == ACCP_OK && call != accp_batch_parse) w.text = accp_batch_text(w.batch);
    return status;
}

accp_status need_counter(World &w) {
    if (!w.tokenizer) TRY(accp_tokenizer_new("o200k_base", 10, w.config, &w.tokenizer, &w.error));
    return w.counter ? ACCP_OK : accp_counter_new(w.tokenizer, w.config, &w.counter, &w.error);
}

accp_status count(World &w, const Text &text) {
    TRY(need_counter(w));
    uint64_t tokens = 77;
    accp_status status =
        accp_counter_count(w.counter, text.data(), text.size(), UINT64_MAX, &tokens, &w.error);
    w.touched |= status != ACCP_OK && tokens != 77;
    return status;
}

accp_status encode_tokens(World &w, const Text &text) {
    TRY(need_counter(w));
    const uint32_t *ids = nullptr;
    size_t ids_count = 77;
    accp_status status =
        accp_counter_encode(w.counter, text.data(), text.size(), &ids, &ids_count, &w.error);
    w.touched |= status != ACCP_OK && (ids || ids_count != 77);
    TRY(status);
    return view(
        w, [&](auto... out) { return accp_counter_decode(w.counter, ids, ids_count, out...); });
}

// A failed append adds nothing, so it can be repeated.
accp_status grow(World &w, const Text &text) {
    TRY(need_counter(w));
    accp_counter_reset(w.counter);
    for (int i = 0; i < 8; ++i)
        TRY(accp_counter_append(w.counter, text.data(), text.size(), &w.error));
    uint64_t tokens = 77;
    accp_status status = accp_counter_total(w.counter, &tokens, &w.error);
    w.touched |= status != ACCP_OK && tokens != 77;
    return status;
}

accp_status load(World &w, const Text &text, bool json) {
    if (!w.tokenizer && json)
        TRY(accp_tokenizer_new_json("j", 1, text.data(), text.size(), w.config, &w.tokenizer,
                                    &w.error));
    if (!w.tokenizer)
        TRY(accp_tokenizer_new_tiktoken("t", 1, "llama3", 6, text.data(), text.size(), w.config,
                                        &w.tokenizer, &w.error));
    return encode_tokens(w, inputs().frame);
}
accp_status load_tiktoken(World &w, const Text &text) { return load(w, text, false); }
accp_status load_json(World &w, const Text &text) { return load(w, text, true); }

accp_status own_tokenizer(World &w) {
    auto count = [](const char *, size_t len, void *) { return static_cast<int64_t>(len); };
    if (!w.tokenizer)
        TRY(accp_tokenizer_new_callback("own", 3, 0, count, nullptr, w.config, &w.tokenizer,
                                        &w.error));
    return grow(w, inputs().frame);
}

constexpr char kCodecMessage[] =
    R"({"agent":"a","intent":"req","operation":"schedule","payload":{"assignee":"dev","task":["x y",{"b":1,"a":2}],"data":3,"zebra":null},"meta":{"seq":1}})";
constexpr char kCodecBroken[] =
    R"({"agent":"a","intent":"fail","operation":"error","payload":{"msg":"x"}})";
constexpr char kCodecFrame[] = "@a>req:schedule{TA:[dev,[\"x_y\",{a:2,b:1}]]|d:3|zebra:~}[seq:1]";
constexpr char kCodecWrong[] = "@a>req:schedule{TA:[dev]|assignee:x}";

// ---- streams and deadlines

// Chunks in the wrong order, an end, and a stream that is dropped. The result is the whole text, or
// the part that has arrived.
accp_status stream_work(World &w) {
    if (!w.stream) TRY(accp_stream_new(w.config, &w.stream, &w.error));
    const std::string_view text(inputs().long_text.data(), inputs().long_text.size());
    accp_chunk chunk = {{"c", 1}, {text.data(), text.size()}, 0, 0, 0, 0};
    static uint32_t run = 0;  // a finished stream is remembered, so each run needs another name
    ++run;
    char name[sizeof run];
    __builtin_memcpy(name, &run, sizeof run);
    chunk.cid = {name, sizeof name};
    accp_stream_part part = {};
    for (int64_t index : {3, 1, 0, 2}) {
        chunk.index = index;
        chunk.is_final = index == 3;
        const uint32_t open = accp_stream_open_count(w.stream);
        const accp_status status = accp_stream_add(w.stream, &chunk, &part, &w.error);
        if (status != ACCP_OK) {
            w.touched |= accp_stream_open_count(w.stream) != open;
            accp_stream_remove(w.stream, name, sizeof name, nullptr);
            return status;
        }
    }
    w.text = part.whole;
    return ACCP_OK;
}

accp_status deadline_work(World &w) {
    if (!w.deadline) TRY(accp_deadline_new(w.config, &w.deadline, &w.error));
    for (char cid = 'a'; cid < 'z'; ++cid)
        TRY(accp_deadline_start(w.deadline, &cid, 1, cid, &w.error));
    accp_text cid = {nullptr, 0};
    for (int i = 0; i < 20; ++i) TRY(accp_deadline_expire(w.deadline, INT64_MAX, &cid, &w.error));
    w.text = cid;
    return ACCP_OK;
}

// ---- other functions of a codec

void forget(int32_t, accp_status, const char *, size_t, void *) {}

// With every profile, and with the settings of the config.
accp_status need_schemas(World &w) {
    if (w.codec) return ACCP_OK;
    if (!w.registry)
        TRY(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, w.config, &w.registry, &w.error));
    TRY(accp_config_set_registry(w.config, w.registry, &w.error));
    return need_codec(w);
}

accp_status watched_codec(World &w) {
    TRY(need_schemas(w));
    return accp_codec_set_origin(w.codec, ACCP_ORIGIN_UNTRUSTED, &w.error);
}

accp_status logged(World &w) {
    TRY(watched_codec(w));
    constexpr std::string_view kText =
        "@a>req:tool{tool:x|args:{a:[1,{b:2}],c:[{k:1,l:2},{k:3,l:4},{k:5,l:6}]}}[seq:1]";
    return codec_view(w, false, [&](auto... out) {
        return accp_codec_decode(w.codec, kText.data(), kText.size(), out...);
    });
}

accp_status failure(World &w) {
    TRY(watched_codec(w));
    accp_failure said = {
        ACCP_E3001, 0,        {"a", 1}, {inputs().long_text.data(), inputs().long_text.size()},
        {"d", 1},   {"s", 1}, {"c", 1}};
    TRY(codec_view(w, true,
                   [&](auto... out) { return accp_codec_encode_failure(w.codec, &said, out...); }));
    constexpr std::string_view kFrame =
        "@a>fail:error{code:E3001|msg:late|detail:{k:1}|schema:ER}[cid:c]";
    TRY(codec_view(w, false, [&](auto... out) {
        return accp_codec_decode(w.codec, kFrame.data(), kFrame.size(), out...);
    }));
    accp_failure read = {};
    const accp_status status = accp_codec_failure(w.codec, &read, &w.error);
    w.touched |= (status == ACCP_OK) != (read.code == ACCP_E3001);
    w.text = read.message;
    return status;
}

accp_status chunk_and_retry(World &w) {
    TRY(watched_codec(w));
    accp_chunk chunk = {{"c", 1}, {inputs().long_text.data(), inputs().long_text.size()}, 7, 9, 0,
                        0};
    TRY(codec_view(w, true, [&](auto... out) {
        return accp_codec_encode_chunk(w.codec, {"a", 1}, {"infer", 5}, &chunk, out...);
    }));
    constexpr std::string_view kFrame = "@a>req:x{k:[1,2]}[mid:m1,seq:1,x:{k:1},sid:s]";
    accp_envelope fresh = {};
    fresh.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    fresh.mid = {"m2", 2};
    fresh.seq = 2;
    return view(w, [&](auto... out) {
        return accp_codec_retry(w.codec, kFrame.data(), kFrame.size(), &fresh, out...);
    });
}

// Makes a codec with every profile, schemas by position and a registered schema. Then calls it
// once.
template <auto function, const char *text>
accp_status codec_work(World &w) {
    static const char kMore[] =
        R"({"schemas":{"z":{"code":"ZZ","fields":["k"],"defaults":{"k":"v"}}}})";
    TRY(need_schemas(w));
    TRY(accp_codec_register_schema(w.codec, kMore, sizeof kMore - 1, &w.error));
    return codec_view(w, function == accp_codec_encode, [&](auto... out) {
        return function(w.codec, text, __builtin_strlen(text), out...);
    });
}

// A state with one value, which the codec stores and resolves.
struct OneValue {
    static accp_status resolve(const char *ref, size_t len_of_ref, accp_text *json, void *) {
        static const char kValue[] =
            R"([{"$ref":"warm.k"},"a text of more than fifty characters, which therefore goes"])";
        static const char kInner[] = "[1,{\"x\":[2]}]";
        const bool inner = ref[len_of_ref - 1] == 'k';
        *json = {inner ? kInner : kValue, inner ? sizeof kInner - 1 : sizeof kValue - 1};
        return ACCP_OK;
    }
    static accp_status keep(const char *, size_t, accp_text *ref, void *) {
        *ref = {"warm.k", 6};
        return ACCP_OK;
    }
    static accp_status next(accp_envelope *envelope, void *) {
        ++envelope->seq;
        return ACCP_OK;
    }
};

constexpr char kKeptMessage[] =
    R"({"agent":"a","intent":"req","operation":"go","payload":{"k":[1,"a text of more than fifty characters, which therefore goes"],"l":[[[[[[1]]]]]]},"meta":{"cid":"c"}})";
constexpr char kLongMessage[] =
    R"({"agent":"a","intent":"req","operation":"go","payload":{"k":"one two three four five six","l":"seven eight nine ten eleven","m":[1,"x|y",{"z":"twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"}]},"meta":{"mid":"a00000000001","seq":1}})";

accp_status keep_and_resolve(World &w) {
    static const char kFrame[] = "@a>req:go{k:$warm.a|l:[$b]}[cid:c]";
    TRY(need_schemas(w));
    TRY(codec_view(w, true, [&](auto... out) {
        return accp_codec_encode(w.codec, kKeptMessage, sizeof kKeptMessage - 1, out...);
    }));
    return codec_view(w, false, [&](auto... out) {
        return accp_codec_decode(w.codec, kFrame, sizeof kFrame - 1, out...);
    });
}

accp_status split_and_join(World &w) {
    if (!w.tokenizer) TRY(accp_tokenizer_new("approx", 6, w.config, &w.tokenizer, &w.error));
    TRY(accp_config_set_tokenizer(w.config, w.tokenizer, &w.error));
    TRY(need_schemas(w));
    // removes the unfinished parts of an earlier run
    TRY(accp_codec_remove_parts(w.codec, nullptr, 0, &w.error));
    TRY(codec_view(w, true, [&](auto... out) {
        return accp_codec_encode(w.codec, kLongMessage, sizeof kLongMessage - 1, out...);
    }));
    static char copy[4096];
    const size_t len = w.text.len < sizeof copy ? w.text.len : sizeof copy;
    __builtin_memcpy(copy, w.text.text, len);
    for (size_t at = 0; at < len;) {
        size_t end = at;
        while (end < len && copy[end] != '\n') ++end;
        const accp_status status = codec_view(w, false, [&](auto... out) {
            return accp_codec_decode(w.codec, copy + at, end - at, out...);
        });
        if (status != (end < len ? ACCP_HELD : ACCP_OK)) return status;
        at = end + 1;
    }
    return ACCP_OK;
}

// Replaces the registry in `place` by the result of a call. A failed call must leave `place`
// unchanged.
template <class Call>
accp_status make(World &w, accp_registry *&place, Call call) {
    accp_registry_free(place);
    place = nullptr;
    accp_status status = call(&place, &w.error);
    w.touched |= (status == ACCP_OK) != (place != nullptr);
    return status;
}

accp_status hash_of(World &w, const accp_registry *registry) {
    accp_registry_info info = {};
    TRY(accp_registry_describe(registry, &info, &w.error));
    w.text = info.hash;
    return ACCP_OK;
}

accp_status registry(World &w, const Text &text) {
    TRY(make(w, w.registry, [&](auto... out) {
        return accp_registry_new(text.data(), text.size(), ACCP_PROFILE_ALL, w.config, out...);
    }));
    return hash_of(w, w.registry);
}

accp_status registry_work(World &w) {
    constexpr char kMore[] =
        R"({"operations":["audit"],"schemas":{"more":{"code":"MO","fields":["a","b"]}}})";
    TRY(registry(w, inputs().registry));
    TRY(make(w, w.other_registry, [&](auto... out) {
        return accp_registry_add(w.registry, kMore, sizeof kMore - 1, out...);
    }));
    TRY(need_value(w));
    TRY(accp_registry_diff(w.registry, w.other_registry, w.value, &w.error));
    accp_registry *both = nullptr;
    TRY(make(w, both, [&](auto... out) {
        return accp_registry_merge(w.registry, w.other_registry, out...);
    }));
    accp_registry_free(w.other_registry);
    w.other_registry = both;
    return hash_of(w, both);
}

accp_status negotiate(World &w) {
    TRY(registry(w, inputs().registry));
    TRY(make(w, w.other_registry, [&](auto... out) {
        return accp_registry_new(nullptr, 0, ACCP_PROFILE_CHAT, w.config, out...);
    }));
    TRY(need_frame(w));
    for (int i = 0; i < 2; ++i) {
        accp_negotiation_free(w.sides[i]);
        w.sides[i] = nullptr;
        TRY(accp_config_set_registry(w.config, i ? w.other_registry : w.registry, &w.error));
        TRY(accp_negotiation_new("a", 1, w.config, &w.sides[i], &w.error));
    }
    for (int turn = 0, silent = 0; silent < 2; ++turn, ++silent) {
        for (;;) {
            TRY(view(w, [&](auto... out) {
                return accp_negotiation_next_frame(w.sides[turn % 2], out...);
            }));
            if (!w.text.len) break;
            silent = 0;
            TRY(accp_frame_parse(w.frame, w.text.text, w.text.len, &w.error));
            TRY(accp_negotiation_receive(w.sides[(turn + 1) % 2], w.frame, &w.error));
        }
    }
    accp_agreement agreement = {};
    for (accp_negotiation *side : {w.sides[1], w.sides[0]}) {
        TRY(accp_negotiation_agreement(side, &agreement, &w.error));
        w.touched |= agreement.state != ACCP_NEGOTIATION_AGREED;
    }
    return hash_of(w, agreement.registry);
}

void strict(accp_config *) {}
void compat(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_DIALECT, ACCP_COMPAT, nullptr);
}
void u8(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_U8, nullptr);
}
void t1(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_T1, nullptr);
}
void p1(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_P1, nullptr);
}
void p1_marked(accp_config *config) {
    p1(config);
    accp_config_set_rule(config, ACCP_RULE_MARK_DEFAULTS, 1, nullptr);
}
accp_hooks no_hooks() {
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    return hooks;
}
void watched(accp_config *config) {
    accp_hooks hooks = no_hooks();
    hooks.log = forget;
    accp_config_set_hooks(config, &hooks, nullptr);
    accp_config_add_redacted(config, "a", 1, nullptr);
}
void counting(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS, 1000, nullptr);
}
void with_agents(accp_config *config) {
    watched(config);
    accp_config_add_own_agent(config, "us", 2, nullptr);
    accp_config_set_agent_origin(config, "web", 3, ACCP_ORIGIN_UNTRUSTED, nullptr);
}
void keeping(accp_config *config) {
    accp_hooks hooks = no_hooks();
    hooks.keep = OneValue::keep;
    hooks.resolve = OneValue::resolve;
    accp_config_set_hooks(config, &hooks, nullptr);
}
void in_parts(accp_config *config) {
    accp_hooks hooks = no_hooks();
    hooks.next_envelope = OneValue::next;
    accp_config_set_hooks(config, &hooks, nullptr);
    accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS, 60, nullptr);
    accp_config_set_rule(config, ACCP_RULE_PARTS, 1, nullptr);
    accp_config_set_rule(config, ACCP_RULE_SPELL, 1, nullptr);
}
// One item that the conversation contains, and one that it does not.
void extracting(accp_config *config) {
    accp_hooks hooks = no_hooks();
    hooks.extract = [](const char *, size_t, accp_text *out, void *) -> accp_status {
        static constexpr char kItems[] =
            R"({"items":[{"kind":"decision","text":"the","message":0,"reason":"the"},)"
            R"({"kind":"question","text":"why?","message":1}]})";
        *out = {kItems, sizeof kItems - 1};
        return ACCP_OK;
    };
    accp_config_set_hooks(config, &hooks, nullptr);
}
void short_keys(accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_ABBREVIATE, 1, nullptr);
}
void refs(accp_config *config) { accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, nullptr); }
void ignoring(accp_config *config) { accp_config_add_ignored(config, "extra", 5, nullptr); }
void deep(accp_config *config) { accp_config_set_limit(config, ACCP_LIMIT_DEPTH, 64, nullptr); }
void large(accp_config *config) {
    accp_config_set_limit(config, ACCP_LIMIT_FRAME_BYTES, 16 << 20, nullptr);
    accp_config_set_limit(config, ACCP_LIMIT_PARAMS, 1 << 20, nullptr);
    accp_config_set_limit(config, ACCP_LIMIT_ITEMS, 1 << 20, nullptr);
    accp_config_set_limit(config, ACCP_LIMIT_MEMORY_BYTES, UINT64_MAX, nullptr);
}

#define INPUT(function, input) [](World &w) { return function(w, inputs().input); }
#define LINES(call, input) [](World &w) { return batch(w, inputs().input, call); }

}  // namespace

const std::vector<Scenario> &scenarios() {
    static const std::vector<Scenario> all = {
        {"frame new", ignoring, need_frame, ACCP_OK},
        {"codec new", ignoring, need_codec, ACCP_OK},
        {"engine new", with_agents, need_engine, ACCP_OK},
        {"value new", strict, need_value, ACCP_OK},
        {"batch new", ignoring, need_batch, ACCP_OK},
        {"parse", strict, INPUT(parse, frame), ACCP_OK},
        {"parse compat", compat, INPUT(parse, compat_frame), ACCP_OK},
        {"parse u8", u8, INPUT(parse, u8_frame), ACCP_OK},
        {"parse deep", deep, INPUT(parse, deep_frame), ACCP_OK},
        {"parse many keys", strict, INPUT(parse, wide_frame), ACCP_OK},
        {"parse large", large, INPUT(parse, large_frame), ACCP_OK},
        {"parse refused", strict, INPUT(parse, compat_frame), ACCP_E1001},
        {"parse refused, large", large, INPUT(parse, large_broken_frame), ACCP_E1001},
        {"print", strict, INPUT(print, frame), ACCP_OK},
        {"print compat", compat, INPUT(print, compat_frame), ACCP_OK},
        {"print many keys", strict, INPUT(print, wide_frame), ACCP_OK},
        {"print large", large, INPUT(print, large_frame), ACCP_OK},
        {"print refused", strict, INPUT(print, seven_places), ACCP_E1004},
        {"encode", strict, INPUT(encode, message), ACCP_OK},
        {"encode t1", t1, INPUT(encode, message), ACCP_OK},
        {"encode and count", counting, INPUT(encode, message), ACCP_OK},
        {"encode u8", u8, INPUT(encode, message), ACCP_OK},
        {"encode abbreviated", short_keys, INPUT(encode, message), ACCP_OK},
        {"encode refs", refs, INPUT(encode, message), ACCP_OK},
        {"encode ignoring", ignoring, INPUT(encode, extra_message), ACCP_OK},
        {"encode under an envelope", strict, with_envelope, ACCP_OK},
        {"encode large", large, INPUT(encode, large_message), ACCP_OK},
        {"encode refused: a member", strict, INPUT(encode, extra_message), ACCP_E1001},
        {"encode refused: too deep", strict, INPUT(encode, deep_message), ACCP_E1004},
        {"decode", strict, INPUT(decode, frame), ACCP_OK},
        {"decode compat", compat, INPUT(decode, compat_frame), ACCP_OK},
        {"decode t1", t1, INPUT(decode, table_frame), ACCP_OK},
        {"decode u8", u8, INPUT(decode, u8_frame), ACCP_OK},
        {"decode abbreviated", short_keys, INPUT(decode, frame), ACCP_OK},
        {"decode refs", refs, INPUT(decode, ref_frame), ACCP_OK},
        {"decode many keys", strict, INPUT(decode, wide_frame), ACCP_OK},
        {"decode large", large, INPUT(decode, large_frame), ACCP_OK},
        {"decode refused: a ref", strict, INPUT(decode, ref_frame), ACCP_E2001},
        {"decode refused: a table", t1, INPUT(decode, broken_table_frame), ACCP_E1004},
        {"json parse and print", strict, INPUT(print_json, message), ACCP_OK},
        {"json parse and print, deep", strict, INPUT(print_json, deep_json), ACCP_OK},
        {"json parse and print, large", large, INPUT(print_json, large_message), ACCP_OK},
        {"json refused", strict, INPUT(json, broken_json), ACCP_E1001},
        {"json refused: not UTF-8", strict, INPUT(json, not_utf8), ACCP_E1004},
        {"json refused: one key twice among many", strict, INPUT(json, twice_json), ACCP_E1001},
        {"hash form", strict, INPUT(hash, message), ACCP_OK},
        {"hash form, large", large, INPUT(hash, large_message), ACCP_OK},
        {"build a value", strict, build_value, ACCP_OK},
        {"build a frame", large, build_frame, ACCP_OK},
        {"payload and metadata", strict, INPUT(read_blocks, frame), ACCP_OK},
        {"payload and metadata, large", large, INPUT(read_blocks, large_frame), ACCP_OK},
        {"render new", ignoring, need_render, ACCP_OK},
        {"render a table", strict, INPUT(render_json, table_json), ACCP_OK},
        {"render a message", ignoring, INPUT(render_json, extra_message), ACCP_OK},
        {"render, large", large, INPUT(render_json, large_message), ACCP_OK},
        {"render a frame", strict, INPUT(render_frame, frame), ACCP_OK},
        {"render a frame, refused", strict, INPUT(render_frame, compat_frame), ACCP_E1001},
        {"render and read", strict, INPUT(read_render, table_text), ACCP_OK},
        {"render and read, refused", strict, INPUT(read_render, broken_json), ACCP_E1001},
        {"packet", strict, INPUT(packet, packet), ACCP_OK},
        {"packet, large", strict, INPUT(packet, large_packet), ACCP_OK},
        {"packet of a conversation", strict, INPUT(make_packet, talk), ACCP_OK},
        {"packet, less of it", strict, INPUT(less_packet, login_packet), ACCP_OK},
        {"packet of an extractor", extracting, INPUT(make_packet, talk), ACCP_OK},
        {"packet of code", strict, INPUT(make_packet_of_code, talk), ACCP_OK},
        {"packet of a session", strict, INPUT(make_packet_of_session, message_lines), ACCP_OK},
        {"packet refused", strict, INPUT(packet, broken_packet), ACCP_E1001},
        {"count tokens", strict, INPUT(count, message), ACCP_OK},
        {"count tokens, a word without end", strict, INPUT(count, endless_word), ACCP_OK},
        {"count tokens, not UTF-8", strict, INPUT(count, not_utf8), ACCP_OK},
        {"encode and decode tokens", strict, INPUT(encode_tokens, message), ACCP_OK},
        {"encode and decode tokens, a word without end", strict, INPUT(encode_tokens, endless_word),
         ACCP_OK},
        {"a text that grows", strict, INPUT(grow, endless_word), ACCP_OK},
        {"the host's own tokenizer", strict, own_tokenizer, ACCP_OK},
        {"a tiktoken file", strict, INPUT(load_tiktoken, tiktoken), ACCP_OK},
        {"a tokenizer.json", strict, INPUT(load_json, tokenizer_json), ACCP_OK},
        {"batch parse", strict, LINES(accp_batch_parse, frame_lines), ACCP_OK},
        {"batch encode", strict, LINES(accp_batch_encode, message_lines), ACCP_OK},
        {"batch decode", strict, LINES(accp_batch_decode, frame_lines), ACCP_OK},
        {"registry new", strict, INPUT(registry, registry), ACCP_OK},
        {"registry refused", strict, INPUT(registry, broken_registry), ACCP_E1004},
        {"codec encode", p1_marked, codec_work<accp_codec_encode, kCodecMessage>, ACCP_OK},
        {"codec encode refused", p1_marked, codec_work<accp_codec_encode, kCodecBroken>,
         ACCP_E1004},
        {"codec decode", p1_marked, codec_work<accp_codec_decode, kCodecFrame>, ACCP_OK},
        {"stream", strict, stream_work, ACCP_OK},
        {"deadline", strict, deadline_work, ACCP_OK},
        {"codec with a log", watched, logged, ACCP_OK},
        {"failure", watched, failure, ACCP_OK},
        {"chunk and retry", watched, chunk_and_retry, ACCP_OK},
        {"codec decode refused", p1_marked, codec_work<accp_codec_decode, kCodecWrong>, ACCP_E1001},
        {"codec keep and resolve", keeping, keep_and_resolve, ACCP_OK},
        {"codec split and join", in_parts, split_and_join, ACCP_OK},
        {"registry add, diff, merge", strict, registry_work, ACCP_OK},
        {"negotiate", p1, negotiate, ACCP_OK},
    };
    return all;
}

}  // namespace accp_fault
