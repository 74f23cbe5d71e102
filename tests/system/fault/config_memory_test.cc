// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A config uses the library's private allocator, which no hook reaches. This program is linked with
// a private allocator over malloc, and the linker redirects each malloc of ours to the function
// below (--wrap), so that configs run out of memory too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "accp/accp.h"
#include "accp/parts.h"

namespace {

int64_t fail_at = -1;  // the number of the call that fails, from now on; negative: none
bool for_ever = false;
int64_t calls = 0, live = 0;

bool fails() {
    int64_t call = calls++;
    return fail_at >= 0 && (call == fail_at || (for_ever && call > fail_at));
}

}  // namespace

extern "C" {
void *__real_malloc(size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) {
    void *memory = fails() ? nullptr : __real_malloc(size);
    live += memory != nullptr;
    return memory;
}

void __wrap_free(void *memory) {
    live -= memory != nullptr;
    __real_free(memory);
}
}

namespace {

struct Made {
    accp_config *config = nullptr;
    ~Made() { accp_config_free(config); }
};

// Fills a config with a long list of each kind of name. Stops at the first call that fails.
accp_status make(Made &made, accp_error *err) {
    accp_status status = made.config ? ACCP_OK : accp_config_new(&made.config, err);
    for (int i = 0; i < 100 && status == ACCP_OK; ++i) {
        char name[] = "member00";
        name[6] = static_cast<char>('0' + i / 10);
        name[7] = static_cast<char>('0' + i % 10);
        for (auto add : {accp_config_add_ignored, accp_config_add_redacted,
                         accp_config_add_own_agent, accp_config_set_schema})
            if (status == ACCP_OK) status = add(made.config, name, 8, err);
        if (status == ACCP_OK)
            status = accp_config_set_agent_origin(made.config, name, 8, ACCP_ORIGIN_UNTRUSTED, err);
    }
    return status == ACCP_OK ? accp_config_set_schema(made.config, "", 0, err) : status;
}

accp_status encode(const Made &made) {
    static const char kJson[] =
        R"({"agent":"a","intent":"req","operation":"x","payload":{},"member00":1,"member99":[]})";
    accp_codec *codec = nullptr;
    if (accp_codec_new(made.config, &codec, nullptr) != ACCP_OK) return ACCP_ERR_NOMEM;
    accp_text out = {};
    accp_status status = accp_codec_encode(codec, kJson, sizeof kJson - 1, &out, nullptr);
    accp_codec_free(codec);
    return status;
}

TEST(ConfigMemory, RunsOutAtEveryAllocation) {
    fail_at = -1;
    calls = 0;
    {
        Made made;
        ASSERT_EQ(make(made, nullptr), ACCP_OK);
    }
    const int64_t count = calls;
    ASSERT_GE(count, 3) << "malloc is not wrapped";
    for (int64_t at = 0; at < count; ++at) {
        for (bool ever : {false, true}) {
            SCOPED_TRACE(std::to_string(at) + (ever ? " and ever" : ""));
            const int64_t before = live;
            {
                Made made;
                accp_error error = {};
                fail_at = at, for_ever = ever, calls = 0;
                accp_status status = make(made, &error);
                fail_at = -1;
                EXPECT_EQ(status, ACCP_ERR_NOMEM);
                EXPECT_EQ(error.code, ACCP_ERR_NOMEM);
                EXPECT_EQ(make(made, nullptr), ACCP_OK);
                EXPECT_EQ(encode(made), ACCP_OK);
            }
            EXPECT_EQ(live, before) << "a leak";
        }
    }
}

// Tests the other handles over this allocator too; no config names one.
TEST(ConfigMemory, HandlesWithoutAnAllocatorRunOutToo) {
    accp_frame *frame = nullptr;
    accp_value *value = nullptr;
    accp_batch *batch = nullptr;
    accp_codec *codec = nullptr;
    accp_engine *engine = nullptr;
    fail_at = 0, for_ever = true, calls = 0;
    accp_status frame_status = accp_frame_new(nullptr, &frame, nullptr),
                value_status = accp_value_new(nullptr, &value, nullptr);
    accp_status batch_status = accp_batch_new(nullptr, &batch, nullptr),
                codec_status = accp_codec_new(nullptr, &codec, nullptr),
                engine_status = accp_engine_new(nullptr, &engine, nullptr);
    fail_at = -1;
    EXPECT_EQ(frame_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(value_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(batch_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(codec_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(engine_status, ACCP_ERR_NOMEM);
    EXPECT_TRUE(!frame && !value && !batch && !codec && !engine);
}

}  // namespace
