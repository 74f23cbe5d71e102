// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Generates a packet from a conversation and from code, within a token budget: candidates are
// collected, then chosen (selection.h), then written. not_included has what was left out.
#pragma once

#include "packet/code/rank.h"
#include "packet/extract/extract.h"
#include "packet/extract/relevance.h"
#include "packet/file/given_items.h"
#include "packet/file/host_items.h"
#include "packet/file/prompt.h"
#include "packet/file/read.h"
#include "packet/file/selection.h"

namespace accp::packet {

struct GenerateRequest {
    std::string_view task;  // valid UTF-8, not blank
    std::string_view creator;
    int64_t created;  // seconds since 1970
    Depth depth;
    uint64_t budget_tokens;  // maximum for the prompt without the task
    bool is_strict;          // fail if anything required does not fit
    std::span<const Utterance> conversation;
    uint32_t messages;      // messages in the conversation
    uint32_t untrusted;     // those of them that are untrusted and add no utterance
    const CodeFiles *code;  // NULL: no code
    // findings of a host's extractor; NULL: the host has no extractor
    const HostItems *host_items;
    const GivenItems *given_items;  // NULL: none
    text::Embedder *embedder;       // NULL: relevance by words only
    // of the session of the conversation, absolute; empty: unknown
    std::string_view directory = {};
    // record number of each message of a session, used in sources; empty: use message numbers
    std::span<const uint64_t> records = {};
};

class Generator {
public:
    explicit Generator(Memory &memory)
        : extractor_(memory),
          relevance_(memory),
          ranker_(memory),
          selection_(memory),
          reader_(memory),
          findings_(memory),
          order_(memory),
          json_(memory),
          report_(memory),
          scratch_(memory),
          line_(memory) {}

    // Writes the packet, without a seal, and its prompt. Fails with ACCP_E2003 if the packet
    // without any item exceeds the budget, or, if strict, with the required items.
    Status generate(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                    Prompt &prompt);
    // Returns false if rules read the last conversation and do not know its language, so that they
    // missed most of it.
    bool knows_language() const { return knows_language_; }
    // Returns JSON about the given items of the last packet, as accp_packet_print_report() does.
    std::string_view write_report(const GenerateRequest &request);

private:
    Status collect(const GenerateRequest &request, token::TokenCounter &counter);
    Status add_findings(const GenerateRequest &request, token::TokenCounter &counter);
    Status add_files(const GenerateRequest &request, token::TokenCounter &counter);
    Status add_given(const GenerateRequest &request, token::TokenCounter &counter);
    Status add(Candidate candidate, token::TokenCounter &counter);
    Status choose(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                  Prompt &prompt);
    Status check_required(const GenerateRequest &request, token::TokenCounter &counter,
                          uint64_t task_tokens, Packet &out, Prompt &prompt);
    Status render(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                  Prompt &prompt);
    void write(const GenerateRequest &request);
    std::span<const Candidate *const> kept_in_order(ItemKind kind);
    void write_list(ItemKind kind);
    void write_codebase();
    void write_sources(const GenerateRequest &request);
    void write_place(const Candidate &candidate, std::span<const uint64_t> records);
    void write_item(const Candidate &candidate);
    void write_text(const Candidate &candidate);
    void write_not_included(const GenerateRequest &request);

    Extractor extractor_;
    TaskRelevance relevance_;
    FileRanker ranker_;
    Selection selection_;
    Reader reader_;
    Buffer<Finding> findings_;
    Buffer<const Candidate *> order_;
    size_t left_out_[kItemKinds] = {};  // items of kinds that the depth does not have
    size_t other_subjects_ = 0;         // items that do not concern the task
    bool knows_language_ = true;
    Buffer<char> json_, report_, scratch_, line_;
};

}  // namespace accp::packet
