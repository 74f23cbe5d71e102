// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet of a conversation, within a budget: what extract.h found, best first, as much of each
// kind as has space, and what was left out by kind and number.
#pragma once

#include "packet/code/rank.h"
#include "packet/extract/extract.h"
#include "packet/extract/sentence.h"
#include "packet/file/host_items.h"
#include "packet/file/prompt.h"
#include "packet/file/read.h"
#include "packet/file/schema.h"

namespace accp::packet {

constexpr int kFiles = kPacketKinds;  // what is no kind of sentence: a file

enum class Depth { kMinimal, kStandard, kDeep };

struct Request {
    std::string_view task;  // valid UTF-8, with words
    std::string_view creator;
    int64_t created;  // seconds since 1970
    Depth depth;
    uint64_t budget_tokens;  // of the prompt
    std::span<const Utterance> conversation;
    uint32_t messages;      // of the conversation
    uint32_t untrusted;     // of them: data from outside, which says nothing
    const CodeFiles *code;  // NULL: none
    // what a host's extractor found, and how many of its items nobody said; NULL: none was asked
    const HostItems *host_items;
    // of each message its record in a session, by which sources name it; empty: by its number
    std::span<const uint64_t> records = {};
};

// A kind, and the list of a packet that has its items.
struct KindList {
    int kind;
    ItemKind list;
};

class Generator {
public:
    explicit Generator(Memory &memory)
        : extractor_(memory),
          ranker_(memory),
          reader_(memory),
          items_(memory),
          order_(memory),
          kept_(memory),
          topics_(memory),
          all_topics_(memory),
          seen_(memory),
          json_(memory),
          scratch_(memory),
          line_(memory) {}

    // The packet, without a seal, and its prompt. ACCP_E2003: the task alone is over the budget, or
    // with what must stand.
    Status generate(const Request &request, token::TokenCounter &counter, Packet &out,
                    Prompt &prompt);

private:
    // What may stand in the packet: a sentence, or a file.
    struct Item {
        const Finding *found;
        const FileCandidate *file;
        uint64_t tokens;
        bool kept;
        bool required;
    };
    // A set of bits, two for each topic of a text. It rules out quickly that one text has all
    // topics of another.
    struct TopicMask {
        explicit TopicMask(std::span<const uint64_t> topics);
        bool may_contain(const TopicMask &other) const {
            return ((other.low & ~low) | (other.high & ~high)) == 0;
        }
        uint64_t low = 0, high = 0;
    };
    // A sentence that was added already.
    struct SeenSentence {
        const Finding *found;
        size_t topics_end, all_end;  // of its topics in topics_ and in all_topics_
        TopicMask mask;              // of those in all_topics_
    };
    static int kind_of(const Item &item) {
        return item.found ? static_cast<int>(item.found->kind) : kFiles;
    }
    static bool includes(Depth depth, int kind);

    Status collect(const Request &request, token::TokenCounter &counter);
    Status collect_kind(SentenceKind kind, Depth depth, token::TokenCounter &counter);
    Status add_item(const Finding *found, const FileCandidate *file, const Statement &statement,
                    token::TokenCounter &counter);
    Status count(const Statement &statement, token::TokenCounter &counter, uint64_t &out);
    bool is_new(const Finding &found, bool required);
    Status select(const Request &request, token::TokenCounter &counter, uint64_t fixed,
                  size_t max_bytes);
    void fill_budget(Depth depth, uint64_t space, uint64_t required);
    Status drop_until_within_budget(const Request &request, token::TokenCounter &counter,
                                    Packet &out, Prompt &prompt);
    bool may_exceed_share(const Item &item) const;
    bool is_message_exhausted(const Item &item) const;
    Item *last_optional();
    const char *over_budget_message(Depth depth, uint64_t tokens) const;
    Status render(const Request &request, token::TokenCounter &counter, Packet &out,
                  Prompt &prompt);
    void write(const Request &request);
    std::span<const Item *const> kept_in_order(int kind);
    void write_list(KindList list);
    void write_files();
    void write_sources(KindList list, std::span<const uint64_t> records);
    void write_file_sources(const char *&comma);
    void write_extractor_source(const HostItems &host_items, const char *comma);
    void write_item(const Item &item);
    struct Omitted {
        size_t count;
        bool has_kept;  // than what stands here
    };
    Omitted count_omitted(Depth depth, int kind) const;
    void write_not_included(const Request &request);

    Extractor extractor_;
    FileRanker ranker_;
    Reader reader_;
    Buffer<Item> items_;
    Buffer<const Item *> order_;
    Buffer<const Item *> kept_;    // those that are optional
    Buffer<uint64_t> topics_;      // of each item in turn
    Buffer<uint64_t> all_topics_;  // the same with common words
    Buffer<SeenSentence> seen_;
    size_t required_bytes_ = kMaxStatement;
    Buffer<char> json_, scratch_, line_;
};

}  // namespace accp::packet
