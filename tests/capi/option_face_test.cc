// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// types.h: the options, what each does to a handle, and that a handle has its own copy.
#include "capi/face.h"

namespace {

using namespace accp_face;

Handle<accp_options> fresh() { return make_options({}); }

TEST(OptionFace, NumbersOutOfRange) {
    const auto options = fresh();
    accp_error error = {};
    for (int32_t dialect : {-1, 3, INT32_MAX, INT32_MIN}) {
        EXPECT_EQ(accp_options_set_dialect(options.get(), dialect, &error), ACCP_ERR_ARG);
        EXPECT_EQ(error.code, ACCP_ERR_ARG);
    }
    for (uint32_t extensions : {8u, 16u | ACCP_EXT_Q1, UINT32_MAX})
        EXPECT_EQ(accp_options_set_extensions(options.get(), extensions, &error), ACCP_ERR_ARG);
    for (int32_t limit : {-1, 8, INT32_MAX, INT32_MIN})
        EXPECT_EQ(accp_options_set_limit(options.get(), limit, 100, &error), ACCP_ERR_ARG);
    // What was refused changed nothing: the defaults are in force.
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(options.get(), &frame, nullptr), ACCP_OK);
    const Handle<accp_frame> owner(frame);
    EXPECT_EQ(parse(frame, "@a>req:x{k:@dev}"), "E1001 at 11");
    EXPECT_EQ(
        encode(frame, R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"a b"}})"),
        "@a>req:x{k:\"a_b\"}");
}

TEST(OptionFace, LimitNames) {
    const char *const names[] = {"frame_bytes", "params",     "items",      "key_bytes",
                                 "depth",       "json_bytes", "json_depth", "memory_bytes"};
    for (int32_t i = 0; i < 8; ++i) {
        EXPECT_STREQ(accp_limit_name(i), names[i]);
        EXPECT_EQ(accp_limit_find(names[i], std::strlen(names[i])), i);
    }
    EXPECT_EQ(accp_limit_name(8), nullptr);
    EXPECT_EQ(accp_limit_name(-1), nullptr);
    for (std::string_view name : {std::string_view(""), std::string_view("depths"),
                                  std::string_view("Depth"), std::string_view("depth\0", 6)})
        EXPECT_EQ(accp_limit_find(name.data(), name.size()), -1) << name;
}

TEST(OptionFace, LimitDefaults) {
    const uint64_t defaults[] = {65536, 256, 4096, 256, 5, 16 << 20, 1024, 1 << 30};
    const auto options = fresh();
    for (int32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(accp_limit_default(i), defaults[i]) << accp_limit_name(i);
        EXPECT_EQ(accp_options_set_limit(options.get(), i, accp_limit_default(i), nullptr),
                  ACCP_OK);
    }
    for (int32_t none : {-1, 8, INT32_MAX, INT32_MIN}) EXPECT_EQ(accp_limit_default(none), 0u);
}

TEST(OptionFace, LimitRanges) {
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
    };
    const auto options = fresh();
    for (const auto &c : cases) {
        EXPECT_EQ(accp_options_set_limit(options.get(), c.limit, c.min, nullptr), ACCP_OK)
            << c.limit;
        EXPECT_EQ(accp_options_set_limit(options.get(), c.limit, c.max, nullptr), ACCP_OK)
            << c.limit;
        EXPECT_EQ(accp_options_set_limit(options.get(), c.limit, c.min - 1, nullptr), ACCP_ERR_ARG)
            << c.limit;
        if (c.max != UINT64_MAX) {
            EXPECT_EQ(accp_options_set_limit(options.get(), c.limit, c.max + 1, nullptr),
                      ACCP_ERR_ARG)
                << c.limit;
        }
    }
}

TEST(OptionFace, HandlesCopyTheirOptions) {
    accp_options *options = nullptr;
    ASSERT_EQ(accp_options_new(&options, nullptr), ACCP_OK);
    accp_options_set_dialect(options, ACCP_COMPAT, nullptr);
    accp_options_ignore(options, "extra", 5, nullptr);
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(options, &frame, nullptr), ACCP_OK);
    const Handle<accp_frame> owner(frame);
    accp_options_set_dialect(options, ACCP_STRICT, nullptr);
    accp_options_free(options);
    EXPECT_EQ(parse(frame, "@a>req:x{k:@dev}"), "OK");
    EXPECT_EQ(
        encode(frame, R"({"agent":"a","intent":"req","operation":"x","payload":{},"extra":1})"),
        "@a>req:x{}");
}

TEST(OptionFace, ImpliedExtensions) {
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"a b","u":"日"}})";
    EXPECT_EQ(encode(new_frame(with(ACCP_STRICT, ACCP_EXT_T1)).get(), json),
              "@a>req:x{k:\"a_b\"|u:\"%u026085;\"}");
    EXPECT_EQ(encode(new_frame(with(ACCP_STRICT, ACCP_EXT_U8)).get(), json),
              "@a>req:x{k:\"a_b\"|u:日}");
    EXPECT_EQ(parse(new_frame(with(ACCP_STRICT, ACCP_EXT_U8)).get(), "@a>req:x{k:日}"), "OK")
        << "u8 implies its dialect";
    EXPECT_EQ(encode(new_frame(with(ACCP_STRICT, ACCP_EXT_NONE)).get(), json),
              "E1004 at " + std::to_string(json.find("\"a b\"")));
    EXPECT_EQ(encode(new_frame(with(ACCP_U8, ACCP_EXT_Q1)).get(), json),
              "@a>req:x{k:\"a_b\"|u:\"%u026085;\"}")
        << "a dialect is for reading";
}

TEST(OptionFace, IgnoredMembers) {
    const auto options = fresh();
    const std::string prefix = R"({"agent":"a","intent":"req","operation":"x","payload":{},)";
    EXPECT_EQ(accp_options_ignore(options.get(), "a", 1, nullptr), ACCP_OK);
    EXPECT_EQ(accp_options_ignore(options.get(), "bc", 2, nullptr), ACCP_OK);
    EXPECT_EQ(accp_options_ignore(options.get(), "a", 1, nullptr), ACCP_OK) << "twice is no harm";
    for (std::string_view bad : {std::string_view(""), std::string_view("a\0b", 3)})
        EXPECT_EQ(accp_options_ignore(options.get(), bad.data(), bad.size(), nullptr),
                  ACCP_ERR_ARG);
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(options.get(), &frame, nullptr), ACCP_OK);
    const Handle<accp_frame> owner(frame);
    EXPECT_EQ(encode(frame, prefix + R"("a":[1,{"b":2}],"bc":null})"), "@a>req:x{}");
    for (const char *other : {"b", "abc", "", "A", "bc "})
        EXPECT_EQ(encode(frame, prefix + "\"" + other + "\":1}"),
                  "E1001 at " + std::to_string(prefix.size()))
            << other;
    EXPECT_EQ(encode(frame, prefix + R"("a":1,"a":2})"),
              "E1001 at " + std::to_string(prefix.size() + 6))
        << "twins are twins";
    EXPECT_EQ(encode(frame, prefix + R"("nul\u0000":1})"),
              "E1001 at " + std::to_string(prefix.size()));
}

struct Counter {
    int64_t taken = 0, given = 0, bytes = 0;
};

TEST(OptionFace, AllocatorIsUsedAndGivenEverythingBack) {
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
    const auto options = fresh();
    ASSERT_EQ(accp_options_set_allocator(options.get(), &allocator, nullptr), ACCP_OK);
    for (accp_allocator half : {accp_allocator{nullptr, allocator.release, nullptr},
                                accp_allocator{allocator.alloc, nullptr, nullptr}})
        EXPECT_EQ(accp_options_set_allocator(options.get(), &half, nullptr), ACCP_ERR_ARG);
    {
        accp_frame *frame = nullptr;
        ASSERT_EQ(accp_frame_new(options.get(), &frame, nullptr), ACCP_OK);
        const Handle<accp_frame> owner(frame);
        EXPECT_EQ(parse(frame, "@a>req:x{k:[1,2]}"), "OK");
        EXPECT_GE(counter.taken, 2);
    }
    EXPECT_EQ(counter.taken, counter.given);
    EXPECT_EQ(counter.bytes, 0) << "sizes given back are sizes taken";
    const int64_t before = counter.taken;
    ASSERT_EQ(accp_options_set_allocator(options.get(), nullptr, nullptr), ACCP_OK);
    accp_frame *frame = nullptr;
    ASSERT_EQ(accp_frame_new(options.get(), &frame, nullptr), ACCP_OK);
    accp_frame_free(frame);
    EXPECT_EQ(counter.taken, before) << "NULL is the default allocator again";
}

}  // namespace
