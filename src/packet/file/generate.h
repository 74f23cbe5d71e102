// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Generates a packet from a conversation and from code, within a token budget. Takes the best items
// of each kind that fit, and lists in not_included how many of each kind were left out.
#pragma once

#include "packet/code/rank.h"
#include "packet/extract/extract.h"
#include "packet/extract/sentence.h"
#include "packet/file/host_items.h"
#include "packet/file/prompt.h"
#include "packet/file/read.h"
#include "packet/file/schema.h"

namespace accp::packet {

constexpr int kFiles = kPacketKinds;  // the kind of a file item, after those of sentences

enum class Depth { kMinimal, kStandard, kDeep };

struct GenerateRequest {
    std::string_view task;  // valid UTF-8, not blank
    std::string_view creator;
    int64_t created;  // seconds since 1970
    Depth depth;
    uint64_t budget_tokens;  // maximum for the prompt
    std::span<const Utterance> conversation;
    uint32_t messages;      // messages in the conversation
    uint32_t untrusted;     // those of them that are untrusted and add no utterance
    const CodeFiles *code;  // NULL: no code
    // findings of a host's extractor; NULL: the host has no extractor
    const HostItems *host_items;
    // record number of each message of a session, used in sources; empty: use message numbers
    std::span<const uint64_t> records = {};
};

// A kind and its list in a packet.
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

    // Writes the packet, without a seal, and its prompt. Fails with ACCP_E2003 if the task and the
    // required items do not fit into the budget.
    Status generate(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                    Prompt &prompt);

private:
    // A candidate for the packet: a sentence or a file.
    struct Item {
        const Finding *found;
        const FileCandidate *file;
        uint64_t tokens;
        bool kept;
        bool required;
    };
    // A bit set with two bits for each topic of a text. Quickly rules out that one text has all
    // topics of another.
    struct TopicMask {
        explicit TopicMask(std::span<const uint64_t> topics);
        bool may_contain(const TopicMask &other) const {
            return ((other.low & ~low) | (other.high & ~high)) == 0;
        }
        uint64_t low = 0, high = 0;
    };
    // A sentence that was already added.
    struct SeenSentence {
        const Finding *found;
        size_t topics_end, all_end;  // ends of its topics in topics_ and all_topics_
        TopicMask mask;              // of its topics in all_topics_
    };
    static int kind_of(const Item &item) {
        return item.found ? static_cast<int>(item.found->kind) : kFiles;
    }
    static bool includes(Depth depth, int kind);

    Status collect(const GenerateRequest &request, token::TokenCounter &counter);
    Status collect_kind(SentenceKind kind, Depth depth, token::TokenCounter &counter);
    Status add_item(const Finding *found, const FileCandidate *file, const Statement &statement,
                    token::TokenCounter &counter);
    Status count(const Statement &statement, token::TokenCounter &counter, uint64_t &out);
    bool is_new(const Finding &found, bool required);
    Status select(const GenerateRequest &request, token::TokenCounter &counter, uint64_t fixed,
                  size_t max_bytes);
    void fill_budget(Depth depth, uint64_t space, uint64_t required);
    Status drop_until_within_budget(const GenerateRequest &request, token::TokenCounter &counter,
                                    Packet &out, Prompt &prompt);
    bool may_exceed_share(const Item &item) const;
    bool is_message_exhausted(const Item &item) const;
    Item *last_optional();
    const char *over_budget_message(Depth depth, uint64_t tokens) const;
    Status render(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                  Prompt &prompt);
    void write(const GenerateRequest &request);
    std::span<const Item *const> kept_in_order(int kind);
    void write_list(KindList list);
    void write_files();
    void write_sources(KindList list, std::span<const uint64_t> records);
    void write_file_sources(const char *&comma);
    void write_extractor_source(const HostItems &host_items, const char *comma);
    void write_item(const Item &item);
    struct Omitted {
        size_t count;
        bool has_kept;  // the packet has some of this kind
    };
    Omitted count_omitted(Depth depth, int kind) const;
    void write_not_included(const GenerateRequest &request);

    Extractor extractor_;
    FileRanker ranker_;
    Reader reader_;
    Buffer<Item> items_;
    Buffer<const Item *> order_;
    Buffer<const Item *> kept_;    // optional ones only
    Buffer<uint64_t> topics_;      // of each item in turn
    Buffer<uint64_t> all_topics_;  // the same, including common words
    Buffer<SeenSentence> seen_;
    size_t required_bytes_ = kMaxStatement;
    Buffer<char> json_, scratch_, line_;
};

}  // namespace accp::packet
