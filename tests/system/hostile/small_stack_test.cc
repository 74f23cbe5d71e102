// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The use of stack is constant: everything runs on a thread with 64 KiB of stack, and the deepest
// and largest inputs need no more than the smallest. The stack is filled with a pattern before, and
// measured by how much of it was overwritten.
#include <pthread.h>
#include <sys/mman.h>

#include <functional>

#include "capi/face.h"

namespace {

using namespace accp_face;

// sanitizers put red zones around every variable; arm64 has no smaller stacks than 128 KiB
constexpr size_t kStack = ACCP_SANITIZED ? 1 << 20 : 128 << 10;
// for the library and the start of a thread; measured: 13 KiB optimised
constexpr size_t kMax = 32 << 10;

// Runs `work` on a stack of its own. Returns how many bytes of it were used.
size_t stack_of(const std::function<void()> &work) {
    auto *stack = static_cast<unsigned char *>(
        mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(stack, MAP_FAILED);
    std::memset(stack, 0xC7, kStack);
    pthread_attr_t attributes;
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstack(&attributes, stack, kStack), 0);
    pthread_t thread;
    auto run = [](void *user) -> void * {
        (*static_cast<const std::function<void()> *>(user))();
        return nullptr;
    };
    EXPECT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()> *>(&work)),
              0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < kStack && stack[untouched] == 0xC7) ++untouched;
    munmap(stack, kStack);
    return kStack - untouched;
}

std::string repeated(size_t count, const std::string &text) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
}

// Calls every function for one frame and one message. Only C calls: the strings were made
// elsewhere.
void use_everything(accp_frame *frame, accp_codec *codec, accp_value *value, accp_batch *batch,
                    const std::string &text, const std::string &message, const std::string &plain) {
    accp_text out = {};
    if (accp_frame_parse(frame, text.data(), text.size(), nullptr) == ACCP_OK) {
        accp_frame_print(frame, &out, nullptr);
        accp_frame_payload(frame, value, nullptr);
    }
    accp_codec_decode(codec, text.data(), text.size(), &out, nullptr);
    accp_codec_encode(codec, message.data(), message.size(), &out, nullptr);
    if (accp_value_parse_json(value, plain.data(), plain.size(), nullptr) == ACCP_OK) {
        accp_value_print_json(value, &out, nullptr);
        accp_value_print_hash_form(value, &out, nullptr);
    }
    accp_batch_parse(batch, text.data(), text.size(), nullptr);
    accp_batch_encode(batch, message.data(), message.size(), nullptr);
    accp_batch_decode(batch, text.data(), text.size(), nullptr);
}

size_t stack_for(const std::string &text, const std::string &message, const std::string &plain) {
    const Setup setup = with(ACCP_COMPAT, ACCP_EXT_T1, true, true,
                             {{"frame_bytes", 1 << 24},
                              {"params", 1 << 20},
                              {"items", 1 << 24},
                              {"key_bytes", 65535},
                              {"depth", 64}});
    const auto frame = new_frame(setup);
    const auto codec = new_codec(setup);
    const auto value = new_value(setup);
    const auto batch = new_batch(setup);
    auto work = [&] {
        use_everything(frame.get(), codec.get(), value.get(), batch.get(), text, message, plain);
    };
    work();  // a first run, so that the allocator is not initialized on the small stack
    return stack_of(work);
}

TEST(SmallStack, IsEnoughForEverything) {
    const std::string start = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)";
    const struct {
        const char *what;
        std::string text, message, plain;
    } cases[] = {
        {"smallest", "@a>req:x{}", start + "1}}", "1"},
        {"deepest", "@a>req:x{k:" + repeated(64, "[") + repeated(64, "]") + "}",
         start + repeated(64, "[") + repeated(64, "]") + "}}",
         repeated(1024, "[") + repeated(1024, "]")},
        {"deepest maps", "@a>req:x{k:" + repeated(64, "{b:1,a:") + "1" + repeated(64, "}") + "}",
         start + repeated(64, "{\"b\":1,\"a\":") + "1" + repeated(64, "}") + "}}",
         repeated(1024, "{\"b\":1,\"a\":") + "1" + repeated(1024, "}")},
        {"tables in tables",
         "@a>req:x{k:" + repeated(21, "{__cols:[a],__rows:[[") + "1" + repeated(21, "]]}") + "}",
         start + repeated(20, R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":)") + "1" +
             repeated(20, "}]") + "}}",
         "[]"},
        {"too deep", "@a>req:x{k:" + repeated(100000, "["), start + repeated(100000, "["),
         repeated(100000, "{\"a\":")},
        {"wide", "@a>req:x{k:[" + repeated(100000, "1,") + "1]}",
         start + "[" + repeated(100000, "1,") + "1]}}", "[" + repeated(100000, "[],") + "1]"},
        {"long", "@a>req:x{k:" + repeated(500000, "\\|") + "}",
         start + "\"" + repeated(300000, "日 ") + "\"}}", "\"" + repeated(300000, "\\n") + "\""},
        {"refused at the end", "@a>req:x{k:[" + repeated(100000, "{a:1},") + "1]} ",
         start + "[" + repeated(100000, "{},") + "1]}} x", "[" + repeated(100000, "1,") + "]"},
    };
    size_t min = SIZE_MAX, max = 0;
    for (const auto &c : cases) {
        const size_t used = stack_for(c.text, c.message, c.plain);
        std::printf("%-20s %6zu bytes of stack\n", c.what, used);
        min = std::min(min, used);
        max = std::max(max, used);
    }
    if (ACCP_SANITIZED)
        return;  // ran on a larger stack, on which red zones make the measure
                 // useless
    EXPECT_LE(max, kMax);
    EXPECT_LE(max - min, 16u << 10) << "what an input takes may not depend on its size";
}

}  // namespace
