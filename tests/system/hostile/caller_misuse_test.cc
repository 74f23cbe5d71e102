// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "caller misuse": NULL for every argument, unknown numbers, lengths of 0, calls in the wrong
// order. Each call must return the right status and leave its outputs unchanged.
#include <functional>
#include <vector>

#include "capi/face.h"

namespace {

using namespace accp_face;

struct Handles {
    Handle<accp_config> config = make_config({});
    Handle<accp_frame> frame = new_frame();
    Handle<accp_codec> codec = new_codec();
    Handle<accp_value> value = new_value();
    Batch batch = new_batch();
};

using Call = std::function<accp_status(Handles &, accp_error *)>;

accp_text out = {};
size_t len = 0;

std::vector<Call> null_calls() {
    return {
        [](Handles &, accp_error *e) { return accp_config_new(nullptr, e); },
        [](Handles &, accp_error *e) {
            return accp_config_set_rule(nullptr, ACCP_RULE_DIALECT, 0, e);
        },
        [](Handles &, accp_error *e) {
            return accp_config_set_rule(nullptr, ACCP_RULE_EXTENSIONS, 0, e);
        },
        [](Handles &, accp_error *e) {
            return accp_config_set_rule(nullptr, ACCP_RULE_ABBREVIATE, 1, e);
        },
        [](Handles &, accp_error *e) {
            return accp_config_set_rule(nullptr, ACCP_RULE_KEEP_REFS, 1, e);
        },
        [](Handles &, accp_error *e) { return accp_config_set_limit(nullptr, 0, 100, e); },
        [](Handles &, accp_error *e) { return accp_config_add_ignored(nullptr, "a", 1, e); },
        [](Handles &h, accp_error *e) {
            return accp_config_add_ignored(h.config.get(), nullptr, 1, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_config_add_ignored(h.config.get(), nullptr, 0, e);
        },
        [](Handles &, accp_error *e) { return accp_config_set_allocator(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_config_set_registry(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_config_set_store(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_config_set_tokenizer(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_config_set_hooks(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_config_set_schema(nullptr, "TA", 2, e); },
        [](Handles &h, accp_error *e) {
            return accp_config_set_schema(h.config.get(), nullptr, 2, e);
        },
        [](Handles &, accp_error *e) { return accp_config_add_redacted(nullptr, "a", 1, e); },
        [](Handles &h, accp_error *e) {
            return accp_config_add_redacted(h.config.get(), nullptr, 0, e);
        },
        [](Handles &h, accp_error *e) { return accp_frame_new(h.config.get(), nullptr, e); },
        [](Handles &h, accp_error *e) { return accp_value_new(h.config.get(), nullptr, e); },
        [](Handles &h, accp_error *e) { return accp_batch_new(h.config.get(), nullptr, e); },
        [](Handles &, accp_error *e) { return accp_frame_parse(nullptr, "x", 1, e); },
        [](Handles &h, accp_error *e) { return accp_frame_parse(h.frame.get(), nullptr, 1, e); },
        [](Handles &, accp_error *e) { return accp_frame_string(nullptr, 0, nullptr, 0, &len, e); },
        [](Handles &h, accp_error *e) {
            return accp_frame_string(h.frame.get(), 0, nullptr, 0, nullptr, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_frame_string(h.frame.get(), 99, nullptr, 0, &len, e);
        },
        [](Handles &, accp_error *e) {
            int64_t number;
            return accp_frame_int(nullptr, 0, &number, e);
        },
        [](Handles &h, accp_error *e) { return accp_frame_int(h.frame.get(), 0, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_frame_print(nullptr, &out, e); },
        [](Handles &h, accp_error *e) { return accp_frame_print(h.frame.get(), nullptr, e); },
        [](Handles &, accp_error *e) {
            accp_envelope envelope;
            return accp_frame_envelope(nullptr, &envelope, e);
        },
        [](Handles &h, accp_error *e) { return accp_frame_envelope(h.frame.get(), nullptr, e); },
        [](Handles &, accp_error *e) { return accp_frame_set_envelope(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_mid_format(0, 0, 0, nullptr, e); },
        [](Handles &h, accp_error *e) { return accp_frame_payload(nullptr, h.value.get(), e); },
        [](Handles &h, accp_error *e) { return accp_frame_payload(h.frame.get(), nullptr, e); },
        [](Handles &h, accp_error *e) { return accp_frame_meta(nullptr, h.value.get(), e); },
        [](Handles &h, accp_error *e) { return accp_frame_meta(h.frame.get(), nullptr, e); },
        [](Handles &h, accp_error *e) {
            return accp_frame_build(nullptr, {}, {}, {}, h.value.get(), nullptr, &out, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_frame_build(h.frame.get(), {}, {}, {}, nullptr, nullptr, &out, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_frame_build(h.frame.get(), {}, {}, {}, h.value.get(), nullptr, nullptr, e);
        },
        [](Handles &h, accp_error *e) {
            accp_value_parse_json(h.value.get(), "{}", 2, nullptr);
            return accp_frame_build(h.frame.get(), {nullptr, 1}, {"r", 1}, {"x", 1}, h.value.get(),
                                    nullptr, &out, e);
        },
        [](Handles &h, accp_error *e) { return accp_codec_new(h.config.get(), nullptr, e); },
        [](Handles &, accp_error *e) { return accp_codec_set_envelope(nullptr, nullptr, e); },
        [](Handles &, accp_error *e) { return accp_codec_encode(nullptr, "x", 1, &out, e); },
        [](Handles &h, accp_error *e) {
            return accp_codec_encode(h.codec.get(), nullptr, 1, &out, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_codec_encode(h.codec.get(), "x", 1, nullptr, e);
        },
        [](Handles &, accp_error *e) { return accp_codec_decode(nullptr, "x", 1, &out, e); },
        [](Handles &h, accp_error *e) {
            return accp_codec_decode(h.codec.get(), nullptr, 1, &out, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_codec_decode(h.codec.get(), "x", 1, nullptr, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_NULL, nullptr, 0, nullptr, 0, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_value_add(h.value.get(), ACCP_NULL, nullptr, 1, nullptr, 0, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_BOOL, nullptr, 0, "true", 4, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_value_add(h.value.get(), ACCP_BOOL, nullptr, 0, nullptr, 4, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_INT, nullptr, 0, "1", 1, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_NUMBER, nullptr, 0, "1", 1, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_value_add(h.value.get(), ACCP_NUMBER, nullptr, 0, nullptr, 1, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_STRING, nullptr, 0, "", 0, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_value_add(h.value.get(), ACCP_STRING, nullptr, 0, nullptr, 1, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_add(nullptr, ACCP_REF, nullptr, 0, "a", 1, e);
        },
        [](Handles &h, accp_error *e) {
            return accp_value_add(h.value.get(), ACCP_REF, nullptr, 0, nullptr, 1, e);
        },
        [](Handles &, accp_error *e) {
            return accp_value_begin(nullptr, ACCP_ARRAY, nullptr, 0, e);
        },
        [](Handles &, accp_error *e) { return accp_value_begin(nullptr, ACCP_MAP, nullptr, 0, e); },
        [](Handles &, accp_error *e) { return accp_value_end(nullptr, e); },
        [](Handles &, accp_error *e) { return accp_value_print_hash_form(nullptr, &out, e); },
        [](Handles &h, accp_error *e) {
            return accp_value_print_hash_form(h.value.get(), nullptr, e);
        },
        [](Handles &, accp_error *e) { return accp_value_parse_json(nullptr, "1", 1, e); },
        [](Handles &h, accp_error *e) {
            return accp_value_parse_json(h.value.get(), nullptr, 1, e);
        },
        [](Handles &, accp_error *e) { return accp_value_print_json(nullptr, &out, e); },
        [](Handles &h, accp_error *e) { return accp_value_print_json(h.value.get(), nullptr, e); },
        [](Handles &, accp_error *e) { return accp_batch_parse(nullptr, "x", 1, e); },
        [](Handles &h, accp_error *e) { return accp_batch_parse(h.batch.get(), nullptr, 1, e); },
        [](Handles &, accp_error *e) { return accp_batch_encode(nullptr, "x", 1, e); },
        [](Handles &h, accp_error *e) { return accp_batch_encode(h.batch.get(), nullptr, 1, e); },
        [](Handles &, accp_error *e) { return accp_batch_decode(nullptr, "x", 1, e); },
        [](Handles &h, accp_error *e) { return accp_batch_decode(h.batch.get(), nullptr, 1, e); },
    };
}

TEST(CallerMisuse, NullInEveryPlace) {
    int number = 0;
    for (const Call &call : null_calls()) {
        Handles handles;
        static const char mark = 0;
        out = {&mark, 77};
        len = 77;
        accp_error error = {};
        EXPECT_EQ(call(handles, &error), ACCP_ERR_ARG) << "call " << number;
        EXPECT_EQ(error.code, ACCP_ERR_ARG) << number;
        EXPECT_TRUE(error.message && *error.message) << number;
        EXPECT_EQ(call(handles, nullptr), ACCP_ERR_ARG) << "without an error, call " << number;
        EXPECT_TRUE(out.text == &mark && out.len == 77 && len == 77) << number;
        ++number;
    }
}

// A missing handle is reported before any error in the text.
TEST(CallerMisuse, NullHandleBeforeBadText) {
    EXPECT_EQ(accp_value_add(nullptr, ACCP_NUMBER, nullptr, 0, "x", 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_value_add(nullptr, ACCP_STRING, nullptr, 0, "\xFF", 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_value_add(nullptr, ACCP_REF, nullptr, 0, "..", 2, nullptr), ACCP_ERR_ARG);
}

TEST(CallerMisuse, NullWhereItIsNothing) {
    accp_config_free(nullptr);
    accp_frame_free(nullptr);
    accp_value_free(nullptr);
    accp_batch_free(nullptr);
    accp_codec_free(nullptr);
    accp_value_reset(nullptr);
    size_t count = 7;
    EXPECT_EQ(accp_frame_nodes(nullptr, &count), nullptr);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(accp_value_nodes(nullptr, &count), nullptr);
    EXPECT_EQ(accp_batch_records(nullptr, &count), nullptr);
    EXPECT_EQ(accp_batch_nodes(nullptr, &count), nullptr);
    EXPECT_EQ(count, 0u);
    const auto is_null = [](accp_text text) { return !text.text && !text.len; };
    EXPECT_TRUE(is_null(accp_value_text(nullptr)));
    EXPECT_TRUE(is_null(accp_frame_text(nullptr)));
    EXPECT_TRUE(is_null(accp_batch_text(nullptr)));
    EXPECT_EQ(accp_frame_find(nullptr, 3, "k", 1), 0u);
    EXPECT_EQ(accp_value_find(nullptr, 0, "k", 1), 0u);
    EXPECT_EQ(accp_limit_find(nullptr, 5), -1);
    Handles handles;  // the pointers for counts may be NULL
    accp_frame_nodes(handles.frame.get(), nullptr);
    accp_value_nodes(handles.value.get(), nullptr);
    accp_batch_records(handles.batch.get(), nullptr);
    accp_batch_nodes(handles.batch.get(), nullptr);
    for (accp_text text :
         {accp_value_text(handles.value.get()), accp_frame_text(handles.frame.get()),
          accp_batch_text(handles.batch.get())})
        EXPECT_TRUE(text.text && !text.len) << "empty, and never NULL";
    EXPECT_EQ(accp_frame_find(handles.frame.get(), 3, nullptr, 1), 0u);
}

TEST(CallerMisuse, CallsInTheWrongOrder) {
    Handles h;
    accp_envelope envelope = {};
    int64_t number = 0;
    EXPECT_EQ(print(h.frame.get()), "ERR_ARG at 0");
    EXPECT_EQ(accp_frame_envelope(h.frame.get(), &envelope, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_payload(h.frame.get(), h.value.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_meta(h.frame.get(), h.value.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_int(h.frame.get(), 0, &number, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_find(h.frame.get(), 3, "k", 1), 0u);
    EXPECT_EQ(print(h.value.get()), "ERR_ARG at 0");
    EXPECT_EQ(hash(h.value.get()), "ERR_ARG at 0");
    EXPECT_EQ(accp_value_end(h.value.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(text_or_verdict([&](auto... o) {
                  return accp_frame_build(h.frame.get(), text_of("a"), text_of("b"), text_of("c"),
                                          h.value.get(), nullptr, o...);
              }),
              "ERR_ARG at 0");
}

// A handle's own output as its next input must be refused or processed correctly. It must never
// give a wrong result without an error.
TEST(CallerMisuse, OwnOutputAsInput) {
    const auto large = with(ACCP_STRICT, ACCP_EXT_Q1, false, false, {{"frame_bytes", 1 << 24}});
    for (size_t size : {size_t{10}, size_t{2} << 20}) {
        const std::string json =
            R"({"agent":"agent1","intent":"req","operation":"x","payload":{"k":")" +
            std::string(size, 'v') + R"(","b":[1,"a b"]}})";
        const std::string wire = encode(new_codec(large).get(), json);
        const auto codec = new_codec(large);
        // Passes the output of `first` to `second`, which must return `right` or refuse it.
        const auto check = [&](auto *first, const std::string &text, auto *second,
                               const std::string &right) {
            accp_text view = {}, answer = {};
            ASSERT_EQ(first(codec.get(), text.data(), text.size(), &view, nullptr), ACCP_OK);
            const accp_status status = second(codec.get(), view.text, view.len, &answer, nullptr);
            if (status == ACCP_OK) {
                EXPECT_EQ(string_of(answer), right);
            } else {
                EXPECT_EQ(status, ACCP_ERR_ARG);
            }
        };
        check(accp_codec_encode, json, accp_codec_decode, json);
        check(accp_codec_decode, wire, accp_codec_encode, wire);
    }
}

// Names for a frame that point into the frame which the same handle built before. They would be
// overwritten while they are read.
TEST(CallerMisuse, OwnOutputAsNames) {
    Handles h;
    ASSERT_EQ(json(h.value.get(), "{}"), "OK");
    accp_text names[3] = {text_of("agent1"), text_of("req"), text_of("operation1")};
    accp_text view = {}, answer = {};
    for (accp_text &name : names) {
        ASSERT_EQ(accp_frame_build(h.frame.get(), text_of("a"), text_of("req"),
                                   text_of("operation1"), h.value.get(), nullptr, &view, nullptr),
                  ACCP_OK);
        ASSERT_EQ(string_of(view), "@a>req:operation1{}");
        const accp_text kept = name;
        name = {view.text + 7, 5};
        EXPECT_EQ(accp_frame_build(h.frame.get(), names[0], names[1], names[2], h.value.get(),
                                   nullptr, &answer, nullptr),
                  ACCP_ERR_ARG);
        EXPECT_EQ(string_of(view), "@a>req:operation1{}");
        name = kept;
    }
}

// Texts in structs that point into the handle which the call writes to.
TEST(CallerMisuse, OwnOutputInStructs) {
    const Handle<accp_codec> codec = new_codec();
    const std::string json = R"({"agent":"agent1","intent":"req","operation":"x","payload":{}})";
    accp_text view = {}, answer = {};
    ASSERT_EQ(accp_codec_encode(codec.get(), json.data(), json.size(), &view, nullptr), ACCP_OK);
    const std::string kept = string_of(view);
    const accp_text own = {view.text + 1, 6}, other = text_of("agent1");
    for (size_t place = 0; place < 12; ++place) {
        size_t at = 0;
        const auto next = [&] { return at++ == place ? own : other; };
        accp_failure failure = {};
        failure.code = ACCP_E4002;
        failure.agent = next(), failure.message = next(), failure.detail = next();
        failure.source = next(), failure.cid = next();
        accp_chunk chunk = {};
        const accp_text agent = next(), operation = next();
        chunk.cid = next(), chunk.data = next();
        accp_envelope fresh = {};
        fresh.mid = next(), fresh.cid = next(), fresh.sid = next();
        const accp_status status =
            place < 5 ? accp_codec_encode_failure(codec.get(), &failure, &answer, nullptr)
            : place < 9
                ? accp_codec_encode_chunk(codec.get(), agent, operation, &chunk, &answer, nullptr)
                : accp_codec_retry(codec.get(), "@a>req:x{}[mid:b]", 17, &fresh, &answer, nullptr);
        EXPECT_EQ(status, ACCP_ERR_ARG) << place;
        EXPECT_EQ(string_of(view), kept) << place;
    }
    accp_sacp *sacp = nullptr;
    ASSERT_EQ(accp_sacp_new(nullptr, nullptr, &sacp, nullptr), ACCP_OK);
    ASSERT_EQ(accp_sacp_print_specification(sacp, &view, nullptr), ACCP_OK);
    for (size_t place = 0; place < 3; ++place) {
        accp_sacp_sender sender = {other, other, other, 0};
        (place == 0 ? sender.msg_id : place == 1 ? sender.sender : sender.recipient) = view;
        accp_error err = {};
        EXPECT_EQ(accp_sacp_to_1_0(sacp, "{}", 2, &sender, &answer, &err), ACCP_ERR_ARG);
        EXPECT_EQ(std::string(err.message).find("the text is a view into this handle"), 0u)
            << err.message;
    }
    accp_sacp_free(sacp);
}

TEST(CallerMisuse, OwnOutputOfARun) {
    accp_run *run = nullptr;
    accp_run_request request = {};
    request.size = sizeof request;
    request.message = text_of("{}");  // refused, which leaves a run without a plan
    ASSERT_EQ(accp_run_new(&request, nullptr, &run, nullptr), ACCP_OK);
    accp_text view = {}, answer = {};
    ASSERT_EQ(accp_run_print_trace(run, &view, nullptr), ACCP_OK);
    const accp_text other = text_of("agent1");
    const auto refusal = [&](auto call) {
        accp_error err = {};
        EXPECT_EQ(call(&answer, &err), ACCP_ERR_ARG);
        return std::string(err.message).substr(0, 35);
    };
    for (const auto &[agent, role] : {std::pair(view, other), std::pair(other, view)})
        EXPECT_EQ(refusal([&, agent = agent, role = role](auto... to) {
                      return accp_run_print_request(run, 1, agent.text, agent.len, role.text,
                                                    role.len, to...);
                  }),
                  "the text is a view into this handle");
    EXPECT_EQ(
        refusal([&](auto... to) { return accp_run_print_reply(run, view.text, view.len, to...); }),
        "the text is a view into this handle");
    EXPECT_EQ(string_of(view), "[]");
    accp_run_free(run);
}

// A frame inside a string of a value, whose payload is written to that value: its text would be
// freed while it is read.
TEST(CallerMisuse, PayloadIntoItsOwnText) {
    Handles h;
    ASSERT_EQ(json(h.value.get(), R"("@a>req:x{k:1}[m:2]")"), "OK");
    size_t count = 0;
    const std::string_view text(accp_value_text(h.value.get()).text,
                                accp_value_nodes(h.value.get(), &count)[0].len);
    ASSERT_EQ(accp_frame_parse(h.frame.get(), text.data(), text.size(), nullptr), ACCP_OK);
    EXPECT_EQ(accp_frame_payload(h.frame.get(), h.value.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_meta(h.frame.get(), h.value.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(print(h.value.get()), R"("@a>req:x{k:1}[m:2]")");
}

}  // namespace
