// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet of a conversation, within a budget: what extract.h found, best first, as much of each
// kind as has space, and what was left out by kind and number.
#pragma once

#include "packet/extract.h"
#include "packet/prompt.h"
#include "packet/read.h"

namespace accp::packet {

constexpr int kFiles = kKinds;  // what is no kind of sentence: a file

enum class Depth { kMinimal, kStandard, kDeep };

struct Request {
    std::string_view task;  // valid UTF-8, with words
    std::string_view creator;
    int64_t created;  // seconds since 1970
    Depth depth;
    uint64_t budget_tokens;  // of the prompt
    std::span<const Said> conversation;
};

class Generator {
public:
    explicit Generator(Memory &memory)
        : extractor_(memory),
          reader_(memory),
          items_(memory),
          order_(memory),
          topics_(memory),
          ends_(memory),
          json_(memory),
          printable_(memory) {}

    // The packet, without a seal, and its prompt. ACCP_E2003: the task alone is over the budget.
    Status generate(const Request &request, token::TokenCounter &counter, Packet &out,
                    Prompt &prompt);

private:
    // What may stand in the packet: a sentence, or a file.
    struct Item {
        const Found *found;
        const FoundFile *file;
        uint64_t tokens;
        bool kept;
    };
    static int kind_of(const Item &item) {
        return item.found ? static_cast<int>(item.found->kind) : kFiles;
    }
    static bool has_place(Depth depth, int kind);

    Status collect(const Request &request, token::TokenCounter &counter);
    Status add_item(const Found *found, const FoundFile *file, std::string_view text,
                    token::TokenCounter &counter);
    bool is_new(std::string_view text);
    void fill(const Request &request, uint64_t space);
    Item *last_kept();
    Status measure(const Request &request, token::TokenCounter &counter, Packet &out,
                   Prompt &prompt);
    void write(const Request &request);
    void write_list(const char *name, int kind);
    void write_item(const Found &found);
    void write_left_out(const Request &request);

    Extractor extractor_;
    Reader reader_;
    Buffer<Item> items_;
    Buffer<const Found *> order_;
    Buffer<uint64_t> topics_;  // of the items, one after the other
    Buffer<uint32_t> ends_;    // of the topics of each
    Buffer<char> json_, printable_;
};

}  // namespace accp::packet
