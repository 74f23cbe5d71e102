// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Work of size n for linear_cost.sh, which runs this program under callgrind. For each case and
// each n the input is made first; then only the work is counted and dumped under the name "case n".
// `cost_driver LEAST MOST` counts n = LEAST, 2 LEAST, … MOST. The program fails if a case does not
// return the expected status.
#include <valgrind/callgrind.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"

namespace {

std::string many(size_t count, const std::function<std::string(size_t)> &piece,
                 const std::string &between = "") {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
        if (i) text += between;
        text += piece(i);
    }
    return text;
}
std::string times(size_t count, const std::string &piece) {
    return many(count, [&](size_t) { return piece; });
}
std::string digits(size_t number) {
    const std::string text = std::to_string(number);
    return std::string(7 - text.size(), '0') + text;
}

std::string payload(const std::string &value) { return "@a>req:x{k:" + value + "}"; }
std::string message(const std::string &value) {
    return R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)" + value + "}}";
}
std::string params(size_t n) {
    return "@a>req:x{" +
           many(
               n, [](size_t i) { return "k" + std::to_string(i) + ":1"; }, "|") +
           "}";
}

struct Handles {
    accp_frame *frame = nullptr;
    accp_codec *codec = nullptr;
    accp_value *value = nullptr;
    accp_batch *batch = nullptr;
    accp_render *render = nullptr;
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    accp_engine *engine = nullptr;
    accp_session *session = nullptr;

    Handles(int32_t dialect, uint32_t extensions) {
        accp_config *config = nullptr;
        accp_config_new(&config, nullptr);
        accp_config_set_rule(config, ACCP_RULE_DIALECT, dialect, nullptr);
        accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, extensions, nullptr);
        accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, nullptr);
        const uint64_t max[] = {1 << 30, 1 << 20, 1 << 24, 65535, 64, 1 << 30, 1024};
        for (int32_t i = 0; i < 7; ++i) accp_config_set_limit(config, i, max[i], nullptr);
        accp_frame_new(config, &frame, nullptr);
        accp_codec_new(config, &codec, nullptr);
        accp_value_new(config, &value, nullptr);
        accp_batch_new(config, &batch, nullptr);
        accp_render_new(config, &render, nullptr);
        accp_tokenizer_new("o200k_base", 10, config, &tokenizer, nullptr);
        accp_counter_new(tokenizer, config, &counter, nullptr);
        accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_Q1, nullptr);
        // a message that is shortened costs more, which would be a step in the curve, so each one
        // here is shortened
        accp_config_set_rule(config, ACCP_RULE_NEWEST_MAX, 200, nullptr);
        accp_config_set_rule(config, ACCP_RULE_PINNED_MAX, 0, nullptr);
        accp_config_set_rule(config, ACCP_RULE_PRICE_CACHED, 0, nullptr);
        accp_config_set_rule(config, ACCP_RULE_PRICE_WRITE, 0, nullptr);
        accp_engine_new(config, &engine, nullptr);
        accp_session_open(engine, "s", 1, 0, &session, nullptr);
        accp_config_free(config);
    }
    ~Handles() {
        accp_session_close(session);
        accp_engine_free(engine);
        accp_frame_free(frame);
        accp_codec_free(codec);
        accp_value_free(value);
        accp_batch_free(batch);
        accp_render_free(render);
        accp_counter_free(counter);
        accp_tokenizer_free(tokenizer);
    }
};

using Work = accp_status(const Handles &h, const std::string &text);

accp_status read_frame(const Handles &h, const std::string &text) {  // parse, print, decode
    accp_text out = {};
    accp_status status = accp_frame_parse(h.frame, text.data(), text.size(), nullptr);
    if (status == ACCP_OK) status = accp_frame_print(h.frame, &out, nullptr);
    if (status == ACCP_OK)
        status = accp_codec_decode(h.codec, text.data(), text.size(), &out, nullptr);
    return status;
}
accp_status parse(const Handles &h, const std::string &text) {
    return accp_frame_parse(h.frame, text.data(), text.size(), nullptr);
}
accp_status decode(const Handles &h, const std::string &text) {
    accp_text out = {};
    return accp_codec_decode(h.codec, text.data(), text.size(), &out, nullptr);
}
accp_status encode(const Handles &h, const std::string &json) {
    accp_text out = {};
    return accp_codec_encode(h.codec, json.data(), json.size(), &out, nullptr);
}
accp_status read_json(const Handles &h, const std::string &json) {  // parse, print, hash form
    accp_text out = {};
    accp_status status = accp_value_parse_json(h.value, json.data(), json.size(), nullptr);
    if (status == ACCP_OK) status = accp_value_print_json(h.value, &out, nullptr);
    if (status == ACCP_OK) status = accp_value_print_hash_form(h.value, &out, nullptr);
    return status;
}
accp_status render(const Handles &h, const std::string &json) {
    accp_text out = {};
    return accp_render_json(h.render, json.data(), json.size(), 0, &out, nullptr);
}
accp_status read_render(const Handles &h, const std::string &text) {
    accp_text out = {};
    return accp_render_parse(h.render, text.data(), text.size(), &out, nullptr);
}
accp_status parse_lines(const Handles &h, const std::string &text) {
    return accp_batch_parse(h.batch, text.data(), text.size(), nullptr);
}
accp_status encode_lines(const Handles &h, const std::string &text) {
    return accp_batch_encode(h.batch, text.data(), text.size(), nullptr);
}
// also returns the context, before and after a checkpoint
accp_status append(const Handles &h, const std::string &json) {
    accp_text out = {};
    accp_status status = accp_session_append(h.session, json.data(), json.size(), 1, nullptr);
    if (status == ACCP_OK) status = accp_session_context(h.session, 0, &out, nullptr, nullptr);
    const std::string_view next = R"({"agent":"a","intent":"done","operation":"x","payload":{}})";
    if (status == ACCP_OK)
        status = accp_session_append(h.session, next.data(), next.size(), 1, nullptr);
    return status == ACCP_OK ? accp_session_context(h.session, 0, &out, nullptr, nullptr) : status;
}
accp_status receive(const Handles &h, const std::string &frame) {
    return accp_session_receive(h.session, frame.data(), frame.size(), 1714000000000, nullptr,
                                nullptr);
}
accp_status count_tokens(const Handles &h, const std::string &text) {  // also returns the ids
    const uint32_t *ids = nullptr;
    uint64_t tokens = 0;
    size_t count = 0;
    accp_status status =
        accp_counter_count(h.counter, text.data(), text.size(), UINT64_MAX, &tokens, nullptr);
    if (status == ACCP_OK)
        status = accp_counter_encode(h.counter, text.data(), text.size(), &ids, &count, nullptr);
    return status == ACCP_OK && count != tokens ? ACCP_E9999 : status;
}
accp_status grow_tokens(const Handles &h, const std::string &text) {
    uint64_t total = 0;
    for (size_t at = 0; at < text.size(); at += 100)
        accp_counter_append(h.counter, text.data() + at, std::min<size_t>(100, text.size() - at),
                            nullptr);
    return accp_counter_total(h.counter, &total, nullptr);
}
accp_status build(const Handles &h, const std::string &keys) {  // the keys have eight bytes each
    accp_status status = accp_value_begin(h.value, ACCP_MAP, nullptr, 0, nullptr);
    for (size_t at = 0; at < keys.size() && status == ACCP_OK; at += 8)
        status = accp_value_add(h.value, ACCP_INT, keys.data() + at, 8, "1", 1, nullptr);
    return status == ACCP_OK ? accp_value_end(h.value, nullptr) : status;
}

// Receives frames, one per line, in a session with a sequence for each agent. Their statuses are
// ignored.
accp_status receive_lines(const Handles &, const std::string &text) {
    accp_config *config = nullptr;
    accp_engine *engine = nullptr;
    accp_session *session = nullptr;
    accp_status status = accp_config_new(&config, nullptr);
    if (status == ACCP_OK) status = accp_config_set_rule(config, ACCP_RULE_BY_SENDER, 1, nullptr);
    if (status == ACCP_OK) status = accp_config_set_rule(config, ACCP_RULE_DURABLE, 0, nullptr);
    // without prices the context never starts to close, which would be a step in the curve
    for (int32_t rule : {ACCP_RULE_PRICE_CACHED, ACCP_RULE_PRICE_WRITE})
        if (status == ACCP_OK) status = accp_config_set_rule(config, rule, 0, nullptr);
    if (status == ACCP_OK) status = accp_engine_new(config, &engine, nullptr);
    if (status == ACCP_OK) status = accp_session_open(engine, "s", 1, 0, &session, nullptr);
    for (size_t at = 0; status == ACCP_OK && at < text.size();) {
        const size_t end = text.find('\n', at);
        accp_session_receive(session, text.data() + at, end - at, 0, nullptr, nullptr);
        accp_delivery delivery;
        while (accp_session_next_delivery(session, &delivery)) continue;
        at = end + 1;
    }
    accp_session_close(session);
    accp_engine_free(engine);
    accp_config_free(config);
    return status;
}

// Makes a packet from a conversation with demands.
accp_status make_packet(const Handles &h, const std::string &text) {
    accp_config *config = nullptr;
    accp_packet *packet = nullptr;
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"build", 5};
    request.depth = ACCP_PACKET_DEEP;
    request.budget_tokens = 1'000'000;
    request.conversation = {text.data(), text.size()};
    request.an_interface = accp_interface_detect(text.data(), text.size());
    accp_status status = accp_config_new(&config, nullptr);
    if (status == ACCP_OK) status = accp_config_set_tokenizer(config, h.tokenizer, nullptr);
    if (status == ACCP_OK) status = accp_packet_new(config, &packet, nullptr);
    if (status == ACCP_OK) status = accp_packet_generate(packet, &request, nullptr);
    accp_packet_free(packet);
    accp_config_free(config);
    return status;
}

struct Case {
    const char *name;
    Work *work;
    accp_status expected;
    std::string (*make)(size_t n);
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
};

// Keys with the same first eight bytes, last byte and length, which a filter on these cannot
// distinguish.
std::string alike(size_t i) { return "aaaaaaaa" + digits(i) + "z"; }
std::string frame_of(const std::string &agent, const std::string &body, size_t mid, size_t seq,
                     const std::string &more = "") {
    return "@" + agent + body + "[mid:b0000" + digits(mid) + ",seq:" + std::to_string(seq) +
           ",ts:0" + more + "]\n";
}
// Keys of the same length without anything in common.
std::string random_key(size_t i) {
    uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15;
    std::string key;
    for (int place = 0; place < 16; ++place, bits = bits * 6364136223846793005 + 1)
        key += static_cast<char>('a' + (bits >> 40) % 26);
    return key;
}
std::string row(size_t i) { return R"({"b c":)" + std::to_string(i) + R"(,"a":"x y"})"; }

const Case kCases[] = {
    {"params", read_frame, ACCP_OK, [](size_t n) { return params(n); }},
    {"items", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("[" +
                        many(
                            n, [](size_t) { return std::string("1"); }, ",") +
                        "]");
     }},
    {"escapes", read_frame, ACCP_OK, [](size_t n) { return payload(times(n, "\\|")); }},
    {"backslashes", read_frame, ACCP_OK, [](size_t n) { return payload(times(n, "\\\\")); }},
    {"map keys, falling", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("{" +
                        many(
                            n, [n](size_t i) { return "k" + digits(n - i) + ":1"; }, ",") +
                        "}");
     }},
    {"map keys, random", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("{" +
                        many(
                            n, [](size_t i) { return random_key(i) + ":1"; }, ",") +
                        "}");
     }},
    {"map keys, alike", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("{" +
                        many(
                            n, [](size_t i) { return alike(i) + ":1"; }, ",") +
                        "}");
     }},
    {"small maps of alike keys", read_frame, ACCP_OK,
     [](size_t n) {
         return payload(
             "[" +
             times(n / 16, "{" +
                               many(
                                   16, [](size_t i) { return alike(15 - i) + ":1"; }, ",") +
                               "},") +
             "1]");
     }},
    {"mapped keys", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("{" +
                        many(
                            n, [](size_t i) { return "__k_20" + digits(i) + ":1"; }, ",") +
                        "}");
     }},
    {"depth", read_frame, ACCP_OK,
     [](size_t n) {
         return payload("[" + times(n / 64, times(63, "[") + times(63, "]") + ",") + "1]");
     }},
    {"refs", read_frame, ACCP_OK,
     [](size_t n) { return payload("[" + times(n, "$warm.key,") + "1]"); }},
    {"underscores", decode, ACCP_OK, [](size_t n) { return payload("\"" + times(n, "_") + "\""); }},
    {"code points", decode, ACCP_OK,
     [](size_t n) { return payload("\"" + times(n, "%u026085;") + "\""); }},
    {"decimals", read_frame, ACCP_OK,
     [](size_t n) { return payload("[" + times(n, "1.50,") + "1]"); }},
    {"long digits", read_frame, ACCP_OK, [](size_t n) { return payload(times(n, "7")); }},
    {"loose names", read_frame, ACCP_OK,
     [](size_t n) { return payload("[" + times(n, "a:b:c,") + "1]"); }, ACCP_COMPAT},
    {"loose colons", read_frame, ACCP_OK,
     [](size_t n) { return payload("[" + times(n, "a:") + "a]"); }, ACCP_COMPAT},
    {"raw text", read_frame, ACCP_OK, [](size_t n) { return payload(times(n, "日")); }, ACCP_U8},
    {"table, decoded", decode, ACCP_OK,
     [](size_t n) {
         return payload("{__cols:[a,\"b_c\"],__rows:[" +
                        many(
                            n, [](size_t) { return std::string("[1,\"x_y\"]"); }, ",") +
                        "]}");
     },
     ACCP_STRICT, ACCP_EXT_T1},
    {"refused: params", parse, ACCP_E1001, [](size_t n) { return params(n) + "x"; }},
    {"refused: a twin", parse, ACCP_E1001,
     [](size_t n) {
         return payload("{" +
                        many(
                            n, [](size_t i) { return alike(i) + ":1"; }, ",") +
                        "," + alike(0) + ":2}");
     }},
    {"refused: escapes", parse, ACCP_E1001,
     [](size_t n) { return payload(times(n, "\\|") + "\\x"); }},
    {"refused: items", parse, ACCP_E1001,
     [](size_t n) { return payload("[" + times(n, "{},") + "1}"); }},
    {"refused: raw text", parse, ACCP_E1001,
     [](size_t n) { return payload(times(n, "日") + "\xC3"); }, ACCP_U8},
    {"strings of spaces", encode, ACCP_OK,
     [](size_t n) { return message("\"" + times(n, " ") + "\""); }},
    {"strings of percent signs", encode, ACCP_OK,
     [](size_t n) { return message("\" " + times(n, "%20") + "\""); }},
    {"strings of CJK", encode, ACCP_OK,
     [](size_t n) { return message("\"" + times(n, "日") + "\""); }},
    {"strings of delimiters", encode, ACCP_OK,
     [](size_t n) { return message("\"" + times(n, "|") + "\""); }},
    {"many odd keys", encode, ACCP_OK,
     [](size_t n) {
         return message("{" +
                        many(
                            n, [n](size_t i) { return "\"k " + digits(n - i) + "\":1"; }, ",") +
                        "}");
     }},
    {"rows", encode, ACCP_OK, [](size_t n) { return message("[" + many(n, row, ",") + "]"); },
     ACCP_STRICT, ACCP_EXT_T1},
    {"rows, all but the last", encode, ACCP_OK,
     [](size_t n) { return message("[" + many(n, row, ",") + R"(,{"a":1,"d":2}])"); }, ACCP_STRICT,
     ACCP_EXT_T1},
    {"tables in tables", encode, ACCP_OK,
     [](size_t n) {
         return message("[" +
                        times(n / 64, times(20, R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":)") + "1" +
                                          times(20, "}]") + ",") +
                        "1]");
     },
     ACCP_STRICT, ACCP_EXT_T1},
    {"numbers", encode, ACCP_OK,
     [](size_t n) { return message("[" + times(n, "1.50e3,") + "1]"); }},
    {"JSON keys, random", read_json, ACCP_OK,
     [](size_t n) {
         return "{" +
                many(
                    n, [](size_t i) { return "\"" + random_key(i) + "\":1"; }, ",") +
                "}";
     }},
    {"JSON keys, alike", read_json, ACCP_OK,
     [](size_t n) {
         return "{" +
                many(
                    n, [n](size_t i) { return "\"" + alike(n - i) + "\":1"; }, ",") +
                "}";
     }},
    {"JSON escapes", read_json, ACCP_OK, [](size_t n) { return "\"" + times(n, "\\n") + "\""; }},
    {"JSON numbered escapes", read_json, ACCP_OK,
     [](size_t n) { return "\"" + times(n, "\\u0001") + "\""; }},
    {"JSON depth", read_json, ACCP_OK,
     [](size_t n) { return "[" + times(n / 512, times(512, "[") + times(512, "]") + ",") + "1]"; }},
    {"JSON digits", read_json, ACCP_OK, [](size_t n) { return times(n, "7"); }},
    {"JSON refused: a twin", read_json, ACCP_E1001,
     [](size_t n) {
         return "{" +
                many(
                    n, [](size_t i) { return "\"" + alike(i) + "\":1"; }, ",") +
                ",\"" + alike(0) + "\":1}";
     }},
    {"JSON refused: the end", read_json, ACCP_E1001,
     [](size_t n) { return "[" + times(n, "[],") + "]"; }},
    {"JSON refused: not UTF-8", read_json, ACCP_E1004,
     [](size_t n) { return "\"" + times(n, "\\n") + "\xFF\""; }},
    {"growing tokens of one letter", grow_tokens, ACCP_OK, [](size_t n) { return times(n, "a"); }},
    {"growing tokens of words", grow_tokens, ACCP_OK,
     [](size_t n) { return times(n / 8, "Don't say it's 1,234 {} "); }},
    {"tokens of one letter", count_tokens, ACCP_OK, [](size_t n) { return times(n, "a"); }},
    {"tokens of random letters", count_tokens, ACCP_OK,
     [](size_t n) { return many(n / 16, [](size_t i) { return random_key(i); }); }},
    {"tokens of spaces", count_tokens, ACCP_OK, [](size_t n) { return times(n, " "); }},
    {"tokens of signs", count_tokens, ACCP_OK, [](size_t n) { return times(n, "=-+"); }},
    {"tokens of ideographs", count_tokens, ACCP_OK,
     [](size_t n) { return times(n, "\xE4\xB8\xAD\xE6\x96\x87"); }},
    {"tokens of broken bytes", count_tokens, ACCP_OK,
     [](size_t n) { return times(n, "\xF0\x9F"); }},
    {"tokens of marks", count_tokens, ACCP_OK, [](size_t n) { return times(n, "A\xCC\x81"); }},
    {"tokens of case", count_tokens, ACCP_OK,
     [](size_t n) {
         return times(n, "A") + times(n,
                                      "\xE4\xB8\xAD"
                                      "B");
     }},
    {"tokens of lines", count_tokens, ACCP_OK, [](size_t n) { return times(n, " \n"); }},
    {"tokens of words", count_tokens, ACCP_OK,
     [](size_t n) { return times(n / 8, "Don't say it's 1,234 {} "); }},
    {"builder", build, ACCP_OK,
     [](size_t n) { return many(n, [](size_t i) { return "k" + digits(i); }); }},
    {"render rows", render, ACCP_OK, [](size_t n) { return "[" + many(n, row, ",") + "]"; }},
    {"render rows, random", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                many(
                    n, [](size_t i) { return "{\"k\":1,\"" + random_key(i) + "\":1}"; }, ",") +
                "]";
     }},
    {"render rows, alike", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                many(
                    n, [](size_t i) { return "{\"k\":1,\"" + alike(i) + "\":1}"; }, ",") +
                "]";
     }},
    {"render sparse columns", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                many(
                    n / 8,
                    [](size_t i) {
                        return "{\"a\":1,\"b\":2,\"c" + std::to_string(i % 5) +
                               "\":{\"x\":[{\"y\":1}]}}";
                    },
                    ",") +
                "]";
     }},
    {"render tables in tables", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                times(n / 64, times(20, R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":)") + "1" +
                                  times(20, "}]") + ",") +
                "1]";
     }},
    {"render deep pairs", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                times(n / 64,
                      times(30, R"([{"a":1,"b":2},{"a":1,"b":)") + "1" + times(30, "}]") + ",") +
                "1]";
     }},
    {"render text", render, ACCP_OK,
     [](size_t n) { return "{\"k\":\"" + times(n, "a \\n") + "b\"}"; }},
    {"read rows", read_render, ACCP_OK,
     [](size_t n) {
         return "(a b,c?)[" +
                many(
                    n, [](size_t i) { return "x y," + std::to_string(i); }, ";") +
                "]";
     }},
    {"read keys, random", read_render, ACCP_OK,
     [](size_t n) {
         return many(
             n, [](size_t i) { return random_key(i) + ":1"; }, " ");
     }},
    {"read keys, alike", read_render, ACCP_OK,
     [](size_t n) {
         return many(
             n, [](size_t i) { return alike(i) + ":1"; }, " ");
     }},
    {"read small maps", read_render, ACCP_OK,
     [](size_t n) { return "[" + times(n / 4, "{a:1 b:2},") + "1]"; }},
    {"read columns", read_render, ACCP_OK,
     [](size_t n) {
         return "(" +
                many(
                    n, [](size_t i) { return "k" + digits(i) + (i ? "?" : ""); }, ",") +
                ")[1;2]";
     }},
    {"read lists of lists", read_render, ACCP_OK,
     [](size_t n) { return "[" + times(n / 512, times(512, "[") + times(512, "]") + ",") + "1]"; }},
    {"read texts in lists", read_render, ACCP_OK,
     [](size_t n) { return "[" + times(n / 4, "a b c d,") + "e f]"; }},
    {"read: refused at the end", read_render, ACCP_E1001,
     [](size_t n) { return "[" + times(n, "{a:1},"); }},
    // Frames of another sender come first, because the first checkpoints of a context are a step in
    // the curve.
    {"frames of new senders", receive_lines, ACCP_OK,
     [](size_t n) {
         const std::string others =
             many(64, [](size_t i) { return frame_of("w", ">req:x{k:1}", 1'000'000 + i, 1 + i); });
         return others + many(n / 8, [](size_t i) {
                    return frame_of("n" + std::to_string(i), ">req:x{k:1}", i, 1);
                });
     }},
    {"frames that wait", receive_lines, ACCP_OK,
     [](size_t n) {
         return many(n / 8, [](size_t i) {
             return frame_of("n" + std::to_string(i % 250), ">req:x{k:1}", i, 2 + i / 250);
         });
     }},
    {"unknown causes", receive_lines, ACCP_OK,
     [](size_t n) {
         return frame_of("a", ">cancel:x{k:1}", 0, 1, ",cid:c") + many(n / 8, [](size_t i) {
                    return frame_of("a", ">req:x{k:1}", 1 + i, 2 + i,
                                    ",aid:a0000000" + std::to_string(1000 + i));
                });
     }},
    {"append a long path x texts", append, ACCP_OK,
     [](size_t n) {
         return message("{\"" + times(std::min<size_t>(n / 4, 65000), "k") + "\":[" +
                        times(n / 8, "\"a\\nb\",") + "1]}");
     }},
    {"append an odd path x texts", append, ACCP_OK,
     [](size_t n) {
         return message("{\"" + times(std::min<size_t>(n / 8, 65000), "\\n@") + "\":[" +
                        times(n / 8, "\"a\\nb\",") + "1]}");
     }},
    {"append paths of many keys x texts", append, ACCP_OK,
     [](size_t n) {
         const size_t depth = std::min<size_t>(n / 64, 1000);
         return message(times(depth, "{\"kkkkkkkk\":") + "[" + times(n / 8, "\"a\\nb\",") + "1]" +
                        times(depth, "}"));
     }},
    {"append depth x size", append, ACCP_OK,
     [](size_t n) {
         // at every size the path is as long as possible
         const size_t depth = std::min<size_t>(n / 16, 1000);
         return message(times(depth, "[") + times(n, "1,") + "\"a\\nb\"" + times(depth, "]"));
     }},
    {"append texts under wide objects", append, ACCP_OK,
     [](size_t n) {
         const size_t depth = std::min<size_t>(n / 128, 500);
         return message(times(depth, R"({"a":1,"b":{"x":[1,2,3]},"c":)") + "{" +
                        many(
                            n / 8, [](size_t i) { return "\"" + digits(i) + "\":1"; }, ",") +
                        R"(,"z":"a\nb"})" + times(depth, "}"));
     }},
    {"append texts in objects", append, ACCP_OK,
     [](size_t n) {
         return message("[" +
                        many(
                            n / 8,
                            [](size_t i) {
                                return R"({"a":1,"b":{"t":"x\ny"},"c":)" + std::to_string(i) + "}";
                            },
                            ",") +
                        "]");
     }},
    {"append short values beside a text", append, ACCP_OK,
     [](size_t n) { return message("[" + times(n, "1,") + "\"a\\nb\"]"); }},
    {"append names", append, ACCP_OK,
     [](size_t n) {
         return message("\"" +
                        many(
                            n / 8, [](size_t i) { return "name_" + random_key(i); }, " ") +
                        "\"");
     }},
    {"append facts", append, ACCP_OK,
     [](size_t n) {
         return message(
             "{" +
             many(
                 n / 8, [](size_t i) { return "\"k" + digits(i) + "\":{\"x\":[1,2],\"y\":\"z\"}"; },
                 ",") +
             "}");
     }},
    {"append lines like structure", append, ACCP_OK,
     [](size_t n) { return message("\"" + times(n / 4, "\\r@a b:c\\u2028$cold.m1") + "\""); }},
    {"append one long line", append, ACCP_OK,
     [](size_t n) { return message("\"a\\n@" + times(4 * n, "x") + "\""); }},
    {"append a text alone", append, ACCP_OK,
     [](size_t n) {
         return R"({"agent":"a","intent":"req","operation":"x","payload":")" +
                times(n / 4, "\\n@x ") + "\"}";
     }},
    {"receive a long path x texts", receive, ACCP_OK,
     [](size_t n) {
         return "@a>req:x{k:{" + times(std::min<size_t>(n / 4, 65000), "k") + ":[" +
                times(n / 8, "\"a%0Ab\",") + "1]}}[mid:b00000000001,seq:1,ts:1714000000]";
     }},
    {"render sparse cells", render, ACCP_OK,
     [](size_t n) {
         return "[" +
                many(
                    n / 16,
                    [](size_t i) {
                        return "{\"a\":\"@x\"," +
                               many(
                                   8,
                                   [i](size_t k) {
                                       return "\"c" + std::to_string((i + k) % 32) + "\":\"a b\"";
                                   },
                                   ",") +
                               "}";
                    },
                    ",") +
                "]";
     }},
    {"render cells that look like messages", render, ACCP_OK,
     [](size_t n) {
         return "[" + times(n / 4, "{\"a\":\"\xC2\xA0@x\",\"b\":\"\xE2\x80\xA8\"},") +
                "{\"a\":1,\"b\":2}]";
     }},
    {"render text of what moves", render, ACCP_OK,
     [](size_t n) { return "{\"k\":\"" + times(n, "\xE2\x80\xAE") + "b\"}"; }},
    {"batch of frames", parse_lines, ACCP_OK,
     [](size_t n) { return times(n / 4, "@a>req:x{k:1}\nbad\n"); }},
    {"batch of messages", encode_lines, ACCP_OK,
     [](size_t n) { return times(n / 8, message("[1]") + "\n{}\n"); }},
    {"packet of demands that are alike", make_packet, ACCP_OK,
     [](size_t n) {
         return many(n / 16, [](size_t i) {
             return "User: must keep tables r" + random_key(i) + ".\nAssistant: ok.\n";
         });
     }},
    {"packet of clauses", make_packet, ACCP_OK,
     [](size_t n) {
         return "User: a\nAssistant: b\nUser: " +
                many(n / 16, [](size_t i) { return "we must use r" + random_key(i) + "; "; }) +
                "\nAssistant: ok.\n";
     }},
};

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const size_t min = std::strtoull(argv[1], nullptr, 10),
                 max = std::strtoull(argv[2], nullptr, 10);
    int failures = 0;
    for (const Case &which : kCases) {
        // Sessions do more work per unit than parsers, so fewer units are enough.
        const bool is_session =
            which.work == append || which.work == receive || which.work == receive_lines;
        for (size_t n = min; n <= (is_session ? max / 4 : max); n *= 2) {
            const std::string text = which.make(n);
            const Handles handles(which.dialect, which.extensions);
            const std::string name = std::string(which.name) + "|" + std::to_string(n);
            CALLGRIND_ZERO_STATS;
            const accp_status status = which.work(handles, text);
            CALLGRIND_DUMP_STATS_AT(name.c_str());
            if (status == which.expected) continue;
            std::printf("%s answered %s, not %s\n", name.c_str(), accp_status_name(status),
                        accp_status_name(which.expected));
            ++failures;
        }
    }
    return failures != 0;
}
