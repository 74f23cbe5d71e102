// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// config.h: which settings are accepted, how they affect a handle, and that a handle has its own
// copy.
#include "capi/face.h"

namespace {

using namespace accp_face;

Handle<accp_config> fresh() { return make_config({}); }

TEST(ConfigFace, NumbersOutOfRange) {
    const auto config = fresh();
    accp_error error = {};
    for (int32_t dialect : {-1, 3, INT32_MAX, INT32_MIN}) {
        EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_DIALECT, dialect, &error),
                  ACCP_ERR_ARG);
        EXPECT_EQ(error.code, ACCP_ERR_ARG);
    }
    for (uint32_t extensions : {32u, 32u | ACCP_EXT_Q1, UINT32_MAX})
        EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS, extensions, &error),
                  ACCP_ERR_ARG);
    for (int32_t limit : {-1, 11, INT32_MAX, INT32_MIN})
        EXPECT_EQ(accp_config_set_limit(config.get(), limit, 100, &error), ACCP_ERR_ARG);
    // Refused settings changed nothing: the defaults are in force.
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(config.get(), &frame, nullptr), ACCP_OK);
    const Handle<accp_frame> owner(frame);
    EXPECT_EQ(parse(frame, "@a>req:x{k:@dev}"), "E1001 at 11");
    accp_codec *codec = nullptr;
    ASSERT_EQ(accp_codec_new(config.get(), &codec, nullptr), ACCP_OK);
    const Handle<accp_codec> other(codec);
    EXPECT_EQ(
        encode(codec, R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"a b"}})"),
        "@a>req:x{k:\"a_b\"}");
}

TEST(ConfigFace, LimitNames) {
    const char *const names[] = {"frame_bytes",  "params",       "items",       "key_bytes",
                                 "depth",        "json_bytes",   "json_depth",  "memory_bytes",
                                 "stream_bytes", "stream_ahead", "open_streams"};
    for (int32_t i = 0; i < 11; ++i) {
        EXPECT_STREQ(accp_limit_name(i), names[i]);
        EXPECT_EQ(accp_limit_find(names[i], std::strlen(names[i])), i);
    }
    EXPECT_EQ(accp_limit_name(11), nullptr);
    EXPECT_EQ(accp_limit_name(-1), nullptr);
    for (std::string_view name : {std::string_view(""), std::string_view("depths"),
                                  std::string_view("Depth"), std::string_view("depth\0", 6)})
        EXPECT_EQ(accp_limit_find(name.data(), name.size()), -1) << name;
}

TEST(ConfigFace, LimitDefaults) {
    const uint64_t defaults[] = {65536, 256,     4096,     256,  5,  16 << 20,
                                 1024,  1 << 30, 16 << 20, 1024, 256};
    const auto config = fresh();
    for (int32_t i = 0; i < 11; ++i) {
        EXPECT_EQ(accp_limit_default(i), defaults[i]) << accp_limit_name(i);
        EXPECT_EQ(accp_config_set_limit(config.get(), i, accp_limit_default(i), nullptr), ACCP_OK);
    }
    for (int32_t none : {-1, 11, INT32_MAX, INT32_MIN}) EXPECT_EQ(accp_limit_default(none), 0u);
}

TEST(ConfigFace, LimitRanges) {
    const struct {
        accp_limit limit;
        uint64_t min, max;
    } cases[] = {
        {ACCP_LIMIT_FRAME_BYTES, 16, uint64_t{1} << 30},
        {ACCP_LIMIT_PARAMS, 1, 1 << 20},
        {ACCP_LIMIT_ITEMS, 1, 1 << 24},
        {ACCP_LIMIT_KEY_BYTES, 1, 65535},
        {ACCP_LIMIT_DEPTH, 1, 64},
        {ACCP_LIMIT_JSON_BYTES, 2, uint64_t{1} << 30},
        {ACCP_LIMIT_JSON_DEPTH, 1, 1024},
        {ACCP_LIMIT_MEMORY_BYTES, 64 << 10, UINT64_MAX},
        {ACCP_LIMIT_STREAM_BYTES, 1, 16 << 20},
        {ACCP_LIMIT_STREAM_AHEAD, 1, 1024},
        {ACCP_LIMIT_OPEN_STREAMS, 1, 256},
    };
    const auto config = fresh();
    for (const auto &c : cases) {
        EXPECT_EQ(accp_config_set_limit(config.get(), c.limit, c.min, nullptr), ACCP_OK) << c.limit;
        EXPECT_EQ(accp_config_set_limit(config.get(), c.limit, c.max, nullptr), ACCP_OK) << c.limit;
        EXPECT_EQ(accp_config_set_limit(config.get(), c.limit, c.min - 1, nullptr), ACCP_ERR_ARG)
            << c.limit;
        if (c.max != UINT64_MAX) {
            EXPECT_EQ(accp_config_set_limit(config.get(), c.limit, c.max + 1, nullptr),
                      ACCP_ERR_ARG)
                << c.limit;
        }
    }
}

TEST(ConfigFace, HandlesCopyTheirOptions) {
    accp_config *config = nullptr;
    ASSERT_EQ(accp_config_new(&config, nullptr), ACCP_OK);
    accp_config_set_rule(config, ACCP_RULE_DIALECT, ACCP_COMPAT, nullptr);
    accp_config_add_ignored(config, "extra", 5, nullptr);
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(config, &frame, nullptr), ACCP_OK);
    const Handle<accp_frame> owner(frame);
    accp_codec *codec = nullptr;
    ASSERT_EQ(accp_codec_new(config, &codec, nullptr), ACCP_OK);
    const Handle<accp_codec> other(codec);
    accp_config_set_rule(config, ACCP_RULE_DIALECT, ACCP_STRICT, nullptr);
    accp_config_free(config);
    EXPECT_EQ(parse(frame, "@a>req:x{k:@dev}"), "OK");
    EXPECT_EQ(
        encode(codec, R"({"agent":"a","intent":"req","operation":"x","payload":{},"extra":1})"),
        "@a>req:x{}");
}

TEST(ConfigFace, ImpliedExtensions) {
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"a b","u":"日"}})";
    EXPECT_EQ(encode(new_codec(with(ACCP_STRICT, ACCP_EXT_T1)).get(), json),
              "@a>req:x{k:\"a_b\"|u:\"%u026085;\"}");
    EXPECT_EQ(encode(new_codec(with(ACCP_STRICT, ACCP_EXT_U8)).get(), json),
              "@a>req:x{k:\"a_b\"|u:日}");
    EXPECT_EQ(parse(new_frame(with(ACCP_STRICT, ACCP_EXT_U8)).get(), "@a>req:x{k:日}"), "OK")
        << "u8 implies its dialect";
    EXPECT_EQ(encode(new_codec(with(ACCP_STRICT, ACCP_EXT_NONE)).get(), json),
              "E1004 at " + std::to_string(json.find("\"a b\"")));
    EXPECT_EQ(encode(new_codec(with(ACCP_U8, ACCP_EXT_Q1)).get(), json),
              "@a>req:x{k:\"a_b\"|u:\"%u026085;\"}")
        << "a dialect is for reading";
}

TEST(ConfigFace, IgnoredMembers) {
    const auto config = fresh();
    const std::string prefix = R"({"agent":"a","intent":"req","operation":"x","payload":{},)";
    EXPECT_EQ(accp_config_add_ignored(config.get(), "a", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_config_add_ignored(config.get(), "bc", 2, nullptr), ACCP_OK);
    EXPECT_EQ(accp_config_add_ignored(config.get(), "a", 1, nullptr), ACCP_OK)
        << "twice is no harm";
    for (std::string_view bad : {std::string_view(""), std::string_view("a\0b", 3)})
        EXPECT_EQ(accp_config_add_ignored(config.get(), bad.data(), bad.size(), nullptr),
                  ACCP_ERR_ARG);
    accp_codec *codec = nullptr;
    ASSERT_EQ(accp_codec_new(config.get(), &codec, nullptr), ACCP_OK);
    const Handle<accp_codec> owner(codec);
    EXPECT_EQ(encode(codec, prefix + R"("a":[1,{"b":2}],"bc":null})"), "@a>req:x{}");
    for (const char *other : {"b", "abc", "", "A", "bc "})
        EXPECT_EQ(encode(codec, prefix + "\"" + other + "\":1}"),
                  "E1001 at " + std::to_string(prefix.size()))
            << other;
    EXPECT_EQ(encode(codec, prefix + R"("a":1,"a":2})"),
              "E1001 at " + std::to_string(prefix.size() + 6))
        << "twins are twins";
    EXPECT_EQ(encode(codec, prefix + R"("nul\u0000":1})"),
              "E1001 at " + std::to_string(prefix.size()));
}

// Each rule accepts the ends of its range and nothing beyond, and is found by its name.
TEST(ConfigFace, RuleRanges) {
    const auto config = fresh();
    int32_t count = 0;
    for (; accp_rule_name(count); ++count) {
        const std::string name = accp_rule_name(count);
        EXPECT_EQ(accp_rule_find(name.data(), name.size()), count) << name;
        EXPECT_EQ(accp_config_set_rule(config.get(), count, -1, nullptr), ACCP_ERR_ARG) << name;
    }
    EXPECT_EQ(count, ACCP_RULE_REDACT_SECRETS + 1);
    EXPECT_EQ(accp_rule_find("", 0), -1);
    for (int32_t none : {-1, count, INT32_MAX, INT32_MIN}) {
        EXPECT_EQ(accp_rule_name(none), nullptr);
        EXPECT_EQ(accp_config_set_rule(config.get(), none, 1, nullptr), ACCP_ERR_ARG);
    }
    const struct {
        int32_t rule;
        int64_t min, max;
    } cases[] = {
        {ACCP_RULE_DIALECT, ACCP_STRICT, ACCP_U8},
        {ACCP_RULE_EXTENSIONS, 0, 31},
        {ACCP_RULE_TOKEN_CACHE, 4, 1 << 20},
        {ACCP_RULE_STRICTNESS, 0, 15},
        {ACCP_RULE_CHUNK_BYTES, 64, 8192},
        {ACCP_RULE_RETAINED, 1, 64},
        {ACCP_RULE_ISSUER, 0, 99},
        {ACCP_RULE_KEEP_STREAMS, 0, 1},
    };
    for (const auto &c : cases) {
        for (int64_t good : {c.min, c.max})
            EXPECT_EQ(accp_config_set_rule(config.get(), c.rule, good, nullptr), ACCP_OK) << c.rule;
        for (int64_t bad : {c.min - 1, c.max + 1})
            EXPECT_EQ(accp_config_set_rule(config.get(), c.rule, bad, nullptr), ACCP_ERR_ARG)
                << c.rule;
    }
}

accp_status get_nothing(const char *, size_t, accp_text *, void *) { return ACCP_E2001; }

TEST(ConfigFace, HooksOfAnotherSize) {
    const auto config = fresh();
    accp_hooks hooks = {};
    for (size_t size : {size_t{0}, size_t{8}, sizeof hooks + 8, SIZE_MAX}) {
        hooks.size = size;
        EXPECT_EQ(accp_config_set_hooks(config.get(), &hooks, nullptr), ACCP_ERR_ARG) << size;
    }
    hooks.size = sizeof hooks;
    hooks.cold_get = get_nothing;
    EXPECT_EQ(accp_config_set_hooks(config.get(), &hooks, nullptr), ACCP_ERR_ARG)
        << "one half of a cold store";
    hooks.size = offsetof(accp_hooks, cold_get);
    EXPECT_EQ(accp_config_set_hooks(config.get(), &hooks, nullptr), ACCP_OK)
        << "a caller that knows fewer: what is behind its end is not read";
    EXPECT_EQ(accp_config_set_hooks(config.get(), nullptr, nullptr), ACCP_OK);
}

TEST(ConfigFace, NamesThatCannotBe) {
    const auto config = fresh();
    for (std::string_view bad : {std::string_view(""), std::string_view("a\0b", 3)}) {
        EXPECT_EQ(accp_config_add_redacted(config.get(), bad.data(), bad.size(), nullptr),
                  ACCP_ERR_ARG);
        EXPECT_EQ(accp_config_add_own_agent(config.get(), bad.data(), bad.size(), nullptr),
                  ACCP_ERR_ARG);
        EXPECT_EQ(accp_config_set_agent_origin(config.get(), bad.data(), bad.size(),
                                               ACCP_ORIGIN_UNTRUSTED, nullptr),
                  ACCP_ERR_ARG);
    }
    EXPECT_EQ(accp_config_set_agent_origin(config.get(), "a", 1, 2, nullptr), ACCP_ERR_ARG);
    const std::string long_key(4095, 'k');
    EXPECT_EQ(accp_config_add_redacted(config.get(), long_key.data(), 4095, nullptr), ACCP_OK);
    EXPECT_EQ(accp_config_add_redacted(config.get(), "k", 1, nullptr), ACCP_ERR_ARG);
}

// Settings with which a codec cannot be created. The config itself stays usable.
TEST(ConfigFace, WhatACodecNeeds) {
    const struct {
        int32_t rule;
        int64_t value;
        const char *schema;
    } cases[] = {{ACCP_RULE_EXTENSIONS, ACCP_EXT_P1, ""},
                 {ACCP_RULE_STRICTNESS, ACCP_STRICT_PROFILES, ""},
                 {ACCP_RULE_ABBREVIATE, 1, "TC"}};
    for (const auto &c : cases) {
        const auto config = fresh();
        accp_codec *made = nullptr;
        ASSERT_EQ(accp_config_set_rule(config.get(), c.rule, c.value, nullptr), ACCP_OK);
        ASSERT_EQ(accp_config_set_schema(config.get(), c.schema, std::strlen(c.schema), nullptr),
                  ACCP_OK);
        EXPECT_EQ(accp_codec_new(config.get(), &made, nullptr), ACCP_ERR_ARG) << c.rule;
        accp_registry *registry = nullptr;
        ASSERT_EQ(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &registry, nullptr),
                  ACCP_OK);
        ASSERT_EQ(accp_config_set_registry(config.get(), registry, nullptr), ACCP_OK);
        accp_registry_free(registry);
        EXPECT_EQ(accp_codec_new(config.get(), &made, nullptr), ACCP_OK) << c.rule;
        accp_codec_free(made);
    }
}

TEST(ConfigFace, PartsNeedQ1) {
    const auto config = fresh();
    accp_codec *codec = nullptr;
    accp_engine *engine = nullptr;
    ASSERT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_PARTS, 1, nullptr), ACCP_OK);
    ASSERT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_codec_new(config.get(), &codec, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_engine_new(config.get(), &engine, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(!codec && !engine);
}

struct Counter {
    int64_t taken = 0, given = 0, bytes = 0;
};

TEST(ConfigFace, AllocatorIsUsedAndGivenEverythingBack) {
    Counter counter;
    const accp_allocator allocator = {[](size_t size, void *user) {
                                          auto *c = static_cast<Counter *>(user);
                                          ++c->taken, c->bytes += static_cast<int64_t>(size);
                                          return std::malloc(size);
                                      },
                                      [](void *memory, size_t size, void *user) {
                                          auto *c = static_cast<Counter *>(user);
                                          ++c->given, c->bytes -= static_cast<int64_t>(size);
                                          std::free(memory);
                                      },
                                      &counter};
    const auto config = fresh();
    ASSERT_EQ(accp_config_set_allocator(config.get(), &allocator, nullptr), ACCP_OK);
    for (accp_allocator half : {accp_allocator{nullptr, allocator.release, nullptr},
                                accp_allocator{allocator.alloc, nullptr, nullptr}})
        EXPECT_EQ(accp_config_set_allocator(config.get(), &half, nullptr), ACCP_ERR_ARG);
    {
        accp_frame *frame = nullptr;
        ASSERT_EQ(accp_frame_new(config.get(), &frame, nullptr), ACCP_OK);
        const Handle<accp_frame> owner(frame);
        EXPECT_EQ(parse(frame, "@a>req:x{k:[1,2]}"), "OK");
        EXPECT_GE(counter.taken, 2);
    }
    EXPECT_EQ(counter.taken, counter.given);
    EXPECT_EQ(counter.bytes, 0) << "sizes given back are sizes taken";
    const int64_t before = counter.taken;
    ASSERT_EQ(accp_config_set_allocator(config.get(), nullptr, nullptr), ACCP_OK);
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(config.get(), &frame, nullptr), ACCP_OK);
    accp_frame_free(frame);
    EXPECT_EQ(counter.taken, before) << "NULL is the default allocator again";
}

}  // namespace
