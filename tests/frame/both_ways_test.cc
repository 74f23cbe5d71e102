// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The fast paths of a coder (frame/block.h, with and without plain flags on the values;
// frame/encode_direct.cc) write the same as the general path, and reject the same.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frame/coder.h"
#include "unit.h"
#include "value/json_reader.h"

namespace {

using namespace accp;

// The source of the plain flags.
enum class Notes { kReader, kAll, kNone };

class Ways {
public:
    explicit Ways(const Settings &settings)
        : settings_(settings), fast_(room_.memory, settings_), general_(room_.memory, settings_) {
        general_.use_fast_paths = false;
    }

    void expect(const std::string &block) {
        expect_one_frame(block);
        expect_one_text(block);
    }

    // The payload and the metadata both have this value.
    void expect_one_frame(const std::string &json) {
        for (Notes notes : {Notes::kReader, Notes::kAll, Notes::kNone}) {
            read(json, notes);
            message::Message message = {"a", "req", "x", value_.view(), 0, value_.view(), 0, true};
            EXPECT_EQ(written(fast_, message), written(general_, message)) << json;
            message.has_meta = false;
            EXPECT_EQ(written(fast_, message), written(general_, message)) << json;
        }
    }
    // The same for JSON, and for its wire form.
    void expect_one_text(const std::string &block) {
        const std::string names = R"({"agent":"a","intent":"req","operation":"x","payload":)";
        expect_one_message(names + block + "}");
        expect_one_message(names + R"({},"meta":)" + block + "}");
    }
    void expect_one_message(const std::string &json) {
        const std::string frame = encoded(fast_, json);
        EXPECT_EQ(frame, encoded(general_, json)) << json;
        expect_one_json(frame);
    }
    void expect_one_json(const std::string &frame) {
        EXPECT_EQ(decoded(fast_, frame), decoded(general_, frame)) << frame;
    }

private:
    void read(const std::string &json, Notes notes) {
        ASSERT_TRUE(reader_.read(json.data(), json.size(), {1 << 20, 1024}, value_).ok()) << json;
        if (notes == Notes::kReader) return;
        for (value::Node &node : value_.nodes) node.flags &= ACCP_NODE_TRUE;
        if (notes == Notes::kAll) value_.set_plain_flags(0);
    }
    // Returns the output, or the error.
    static std::string verdict(const Status &status, const Buffer<char> &out) {
        return status.ok() ? accp_unit::text_of(out)
                           : std::to_string(status.code) + " at " + std::to_string(status.offset);
    }
    std::string written(frame::Coder &coder, const message::Message &message) {
        Buffer<char> out(room_.memory);
        const frame::MessageStatus result = coder.build(message, nullptr, out);
        return verdict(result.status, out) + (result.at_key ? " its key" : "");
    }
    std::string encoded(frame::Coder &coder, const std::string &json) {
        Buffer<char> out(room_.memory);
        const Status status = coder.encode(json.data(), json.size(), nullptr, out);
        return verdict(status, out);
    }
    std::string decoded(frame::Coder &coder, const std::string &frame) {
        Buffer<char> out(room_.memory);
        Buffer<value::Node> nodes(room_.memory);
        const Status status = coder.decode(frame.data(), frame.size(), nodes, out);
        return verdict(status, out);
    }

    const Settings settings_;
    accp_unit::Room room_;
    frame::Coder fast_, general_;
    value::JsonReader reader_{room_.memory};
    value::Value value_{room_.memory};
};

std::string of(size_t count, char c) { return std::string(count, c); }

// Scalars as JSON.
std::vector<std::string> scalars() {
    std::vector<std::string> made = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "-1",
                                     "12",
                                     "1.5",
                                     "1.50",
                                     "-0.0",
                                     "-0",
                                     "1e5",
                                     "1.1234567",
                                     "123456789012345678.5",
                                     of(40, '7')};
    std::vector<std::string> texts = {
        "",    "true", "false",   "null",    "tru",  "truE", "nulls",     "fals",   "falsey",
        "nul", "0",    "007",     "-1",      "-",    "1.5",  "1.",        "1.5.5",  "1e5",
        "=1",  "=-1x", "=",       "=x",      "a=1",  "\\\"", "\\\"a\\\"", "a\\\"b", "a b",
        " ",   "a,b",  "@a",      "a:b",     "$x",   "~",    "|",         "{}",     "a\\\\b",
        "é",   "日本", "\\u007f", "\\u0001", "+5%",  "%u",   "_",         "__a",    "t",
        "f",   "n",    "task",    "name",    "flash"};
    for (size_t len : {4, 5, 13, 14, 15, 16, 17, 28, 31, 32, 33, 47, 48, 49, 64, 70}) {
        texts.push_back(of(len, 'x'));
        texts.push_back(of(len, '5'));
        texts.push_back(of(len - 1, 'x') + "-");
        texts.push_back(of(len - 1, 'x') + "@");
        texts.push_back(of(len - 1, 'x') + " ");
        texts.push_back("@" + of(len - 2, '4') + "|");
        texts.push_back(of(len - 2, 'y') + "é");
    }
    for (const std::string &text : texts) made.push_back('"' + text + '"');
    return made;
}

std::vector<std::string> keys() {
    std::vector<std::string> made = {"a",      "0",       "_",     "_a",    "__a",    "__cols",
                                     "__rows", "___",     "mid",   "seq",   "schema", "data",
                                     "delta",  "delte",   "k-y",   "a b",   "é",      "$ref",
                                     "",       "schemas", "schem", "SCHEMA"};
    for (size_t len : {7, 8, 9, 15, 16, 17, 31, 32, 33, 50}) made.push_back(of(len, 'k'));
    return made;
}

std::vector<Settings> all_settings() {
    std::vector<Settings> made(1);
    auto add = [&](auto change) {
        Settings settings;
        change(settings);
        made.push_back(settings);
    };
    add([](Settings &s) { s.extensions = 0; });
    add([](Settings &s) { s.extensions |= ACCP_EXT_T1; });
    add([](Settings &s) { s.extensions |= ACCP_EXT_U8; });
    add([](Settings &s) { s.extensions |= ACCP_EXT_W1; });
    add([](Settings &s) { s.abbreviate = true; });
    add([](Settings &s) { s.keep_refs = true; });
    for (uint64_t max : {1, 5, 6, 7, 8, 16})
        add([max](Settings &s) { s.limits[ACCP_LIMIT_KEY_BYTES] = max; });
    add([](Settings &s) { s.limits[ACCP_LIMIT_DEPTH] = 1; });
    add([](Settings &s) { s.limits[ACCP_LIMIT_ITEMS] = 1; });
    add([](Settings &s) { s.limits[ACCP_LIMIT_PARAMS] = 1; });
    return made;
}

// Every scalar with a key, in every position.
// Under a sanitizer, one in so many is tried.
constexpr size_t kShare = ACCP_EMULATED ? 20 : ACCP_SANITIZED ? 5 : 1;

TEST(BothWays, EveryScalarAtEveryPlace) {
    size_t turn = 0;
    for (const Settings &settings : all_settings()) {
        Ways both(settings);
        for (const std::string &scalar : scalars()) {
            if (++turn % kShare) continue;
            for (const char *key : {"k", "delta", "schema", "mid", "cid"}) {
                const std::string entry = '"' + std::string(key) + "\":";
                both.expect("{" + entry + scalar + "}");
                both.expect("{\"b\":1," + entry + scalar + ",\"z\":\"w\"}");
                both.expect("{" + entry + "[" + scalar + ",\"x\"," + scalar + "]}");
                both.expect("{" + entry + "{\"a\":" + scalar + "},\"z\":2}");
                both.expect("{" + entry + "{\"a\":[{\"k\":" + scalar + "}]}}");
            }
        }
    }
}

TEST(BothWays, EveryTwoKeys) {
    size_t turn = 0;
    for (const Settings &settings : all_settings()) {
        Ways both(settings);
        for (const std::string &one : keys())
            for (const std::string &other : keys()) {
                if (one == other || ++turn % kShare) continue;
                const std::string two = "{\"" + one + "\":\"v\",\"" + other + "\":[]}";
                both.expect(two);
                both.expect("{\"m\":" + two + "}");
                both.expect("{\"m\":[" + two + "]}");
            }
    }
}

// Keys that only differ after a common beginning, in order and not.
TEST(BothWays, KeysInOrder) {
    Ways both{Settings()};
    accp_unit::Random random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string json = "{\"m\":{";
        std::vector<std::string> seen;
        for (size_t count = 1 + random.below(5); count; --count) {
            const std::string key = of(random.below(12), 'k') + random.text("ak-", random.below(4));
            if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
            json += (seen.empty() ? "\"" : ",\"") + key + "\":1";
            seen.push_back(key);
        }
        both.expect(json + "}}");
    }
}

TEST(BothWays, Names) {
    std::vector<std::string> names = {"", "a b", "a-b", "a_b", "é", "a\\u0062", "R2D2", "req"};
    for (size_t len : {1, 15, 16, 17, 40, 256, 257}) names.push_back(of(len, 'n'));
    Ways both{Settings()};
    for (const std::string &name : names)
        for (const std::string member : {"agent", "intent", "operation"}) {
            std::string json = "{";
            for (const std::string each : {"agent", "intent", "operation"})
                json += '"' + each + "\":\"" + (each == member ? name : "x") + "\",";
            both.expect_one_message(json + "\"payload\":{}}");
        }
}

// Frames that no encoder writes: envelope texts that look like other kinds, refs, mapped keys.
TEST(BothWays, FramesOfOthers) {
    std::vector<Settings> choice = all_settings();
    for (int32_t dialect : {ACCP_COMPAT, ACCP_U8}) {
        choice.emplace_back();
        choice.back().dialect = dialect;
    }
    const std::vector<std::string> texts = {"1",         "007",
                                            "1.5",       "true",
                                            "~",         "$warm.k",
                                            "[1]",       "{a:1}",
                                            "=5",        "=x",
                                            "\"a_b\"",   "\"a",
                                            "a\\@b",     "\\@",
                                            "\\\\",      "x\"y\\,",
                                            "null",      "é",
                                            "a\"b",      of(31, 'x') + "\"",
                                            of(40, 'y'), of(33, 'z') + "\""};
    for (const Settings &settings : choice) {
        Ways both(settings);
        for (const std::string &text : texts)
            for (const char *key : {"k", "mid", "aid", "bid", "__k", "__schema", "__a__b", "__a_2D",
                                    "___", "__cols", "__d", "d", "schema"}) {
                const std::string entry = std::string(key) + ':' + text;
                both.expect_one_json("@a>req:x{" + entry + "}");
                both.expect_one_json("@a>req:x{k:1|" + entry + "|z:[" + text + "]}");
                both.expect_one_json("@a>req:x{__k:{" + entry + "}}[" + entry + ",y:2]");
                both.expect_one_json("@a>req:x{}[x:{" + entry + "},__k:1," + entry + "]");
            }
    }
}

}  // namespace
