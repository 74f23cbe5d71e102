// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A context with messages from JSON, for the tests of this directory, the fuzz target and the
// benchmark.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "context/context.h"
#include "context/scratch.h"
#include "value/json_reader.h"

namespace accp_context {

// A tokenizer and its counter; one for a test program.
struct Counting {
    explicit Counting(std::string_view name = "o200k_base") {
        found = accp::token::open_embedded(name, tokenizer);
        counter.open(tokenizer, accp::kTokenCache);
    }
    uint64_t count(std::string_view text) {
        uint64_t tokens = 0;
        return counter.count(text, UINT64_MAX, tokens).ok() ? tokens : 0;
    }

    accp::Memory memory{accp::private_allocator(), UINT64_MAX};
    accp::token::Tokenizer tokenizer;
    accp::token::TokenCounter counter{memory};
    bool found;
};

// Shared by all tests of a program, because a vocabulary is large.
inline Counting &counting() {
    static Counting one;
    return one;
}

inline constexpr accp::context::ContextOptions kSpecification =
    accp::context::ContextOptions::specification();

class Session {
public:
    explicit Session(Counting &counting, const accp::context::ContextOptions &options = {},
                     const accp::context::ContextHooks &hooks = {},
                     const accp_allocator &allocator = accp::private_allocator())
        : scratch_memory(allocator, UINT64_MAX),
          scratch(scratch_memory, counting.counter),
          memory(allocator, UINT64_MAX),
          context(memory, scratch, options, hooks) {}

    // Appends a line such as {"agent":…,"intent":…,"operation":…,"payload":{…}}, with or without
    // "untrusted":true. Other members are ignored.
    accp::Status append(std::string_view json) {
        accp::Status status =
            reader_.read(json.data(), json.size(), {UINT64_MAX, accp::kMaxJsonDepth}, value_);
        if (status.failed()) return status;
        accp::value::TreeView tree = value_.view();
        auto text = [&](const char *key) { return tree.string(tree.find(0, key)); };
        accp::message::Message message = {text("agent"), text("intent"), text("operation"), tree,
                                          tree.find(0, "payload")};
        message.untrusted = tree.find(0, "untrusted") != 0;
        return context.append(message, context.messages() + 1);
    }
    std::string render(uint64_t budget = 0) {
        accp::Buffer<char> out(memory);
        last_status = context.render(budget, out, last_tokens);
        return {out.data() ? out.data() : "", out.size()};
    }
    // Returns the same as blocks; `text` is their whole text.
    std::vector<accp::context::Block> blocks(uint64_t budget, std::string &text) {
        accp::Buffer<char> out(memory);
        accp::Buffer<accp::context::Block> found(memory);
        last_status = context.blocks(budget, found, out);
        text.assign(out.data() ? out.data() : "", out.size());
        return {found.begin(), found.end()};
    }
    std::string save() {
        accp::Buffer<char> out(memory);
        context.save(out);
        return {out.data(), out.size()};
    }

    accp::Memory scratch_memory;
    accp::context::ContextScratch scratch;
    accp::Memory memory;
    accp::context::Context context;
    accp::Status last_status;
    uint64_t last_tokens = 0;

private:
    accp::Memory reading_{accp::private_allocator(), UINT64_MAX};
    accp::value::JsonReader reader_{reading_};
    accp::value::Value value_{reading_};
};

}  // namespace accp_context
