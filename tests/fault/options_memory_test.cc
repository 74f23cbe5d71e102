// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Options take their memory from the library's private allocator, which no hook reaches. This
// program is linked with a private allocator over malloc, and the linker hands each malloc of ours
// to the function below (--wrap), so that options run out of memory too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "accp/accp.h"

namespace {

int64_t fail_at = -1;  // which call from now on fails; negative: none
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

struct Options {
    accp_options *made = nullptr;
    ~Options() { accp_options_free(made); }
};

// Options with a long list of ignored members; stops at the first call that fails.
accp_status make(Options &options, accp_error *err) {
    accp_status status = options.made ? ACCP_OK : accp_options_new(&options.made, err);
    for (int i = 0; i < 100 && status == ACCP_OK; ++i) {
        char name[] = "member00";
        name[6] = static_cast<char>('0' + i / 10);
        name[7] = static_cast<char>('0' + i % 10);
        status = accp_options_ignore(options.made, name, 8, err);
    }
    return status;
}

accp_status encode(const Options &options) {
    static const char kJson[] =
        R"({"agent":"a","intent":"req","operation":"x","payload":{},"member00":1,"member99":[]})";
    accp_frame *frame = nullptr;
    if (accp_frame_new(options.made, &frame, nullptr) != ACCP_OK) return ACCP_ERR_NOMEM;
    const char *out = nullptr;
    size_t len = 0;
    accp_status status = accp_frame_encode(frame, kJson, sizeof kJson - 1, &out, &len, nullptr);
    accp_frame_free(frame);
    return status;
}

TEST(OptionsMemory, RunsOutAtEveryAllocation) {
    fail_at = -1;
    calls = 0;
    {
        Options options;
        ASSERT_EQ(make(options, nullptr), ACCP_OK);
    }
    const int64_t count = calls;
    ASSERT_GE(count, 3) << "malloc is not wrapped";
    for (int64_t at = 0; at < count; ++at) {
        for (bool ever : {false, true}) {
            SCOPED_TRACE(std::to_string(at) + (ever ? " and ever" : ""));
            const int64_t before = live;
            {
                Options options;
                accp_error error = {};
                fail_at = at, for_ever = ever, calls = 0;
                accp_status status = make(options, &error);
                fail_at = -1;
                EXPECT_EQ(status, ACCP_ERR_NOMEM);
                EXPECT_EQ(error.code, ACCP_ERR_NOMEM);
                EXPECT_EQ(make(options, nullptr), ACCP_OK);
                EXPECT_EQ(encode(options), ACCP_OK);
            }
            EXPECT_EQ(live, before) << "a leak";
        }
    }
}

// The handles as well, over this allocator: none was named in the options.
TEST(OptionsMemory, HandlesWithoutAnAllocatorRunOutToo) {
    accp_frame *frame = nullptr;
    accp_value *value = nullptr;
    accp_batch *batch = nullptr;
    fail_at = 0, for_ever = true, calls = 0;
    accp_status frame_status = accp_frame_new(nullptr, &frame, nullptr),
                value_status = accp_value_new(nullptr, &value, nullptr);
    accp_status batch_status = accp_batch_new(nullptr, &batch, nullptr);
    fail_at = -1;
    EXPECT_EQ(frame_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(value_status, ACCP_ERR_NOMEM);
    EXPECT_EQ(batch_status, ACCP_ERR_NOMEM);
    EXPECT_TRUE(!frame && !value && !batch);
}

}  // namespace
