// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a checkpoint takes out of the messages that it closes: facts, names and lines, ranked, and
// packed within its bound.
#pragma once

#include "context/occurrences.h"
#include "context/parts.h"
#include "context/scratch.h"

namespace accp::context {

// A message that is closed.
struct Closed {
    std::string_view text;  // as it was written, or what is left of it
    uint32_t number = 0;
    Source source = Source::kResult;
    bool untrusted = false;
};

// In the number of a fact's message: it only replaces one that is known.
constexpr uint32_t kOnlyReplaces = uint32_t{1} << 31;

// Appends the facts of a message as records: number, length, fact_lengths(), text. At most
// kMaxFacts of them; those of a tool's dump only replace what is known.
void write_facts(const message::Message &message, uint32_t number, Memory &memory, Arena &arena,
                 uint64_t seed, Buffer<char> &out);

// Before a Learner begins: room for what it adds. Answers which checkpoints changed.
uint64_t make_room(Warm &warm, Arena &arena, uint32_t now);

class Learner {
public:
    Learner(Warm &warm, ContextScratch &scratch, const ContextOptions &options, uint32_t now,
            uint64_t changed)
        : warm_(warm),
          counter_(scratch.counter),
          arena_(scratch.arena),
          options_(options),
          now_(now),
          names_(arena_, warm),
          lines_(scratch.memory),
          scratch_(scratch.scratch),
          parts_(warm, counter_, scratch_),
          changed_(changed) {}

    void name(const Closed &message);      // all messages first,
    void line(const Closed &message);      // then their lines,
    void facts(std::string_view records);  // as write_facts() wrote them
    // a host's own, instead of lines; false where it is none, or too long
    bool summary(std::string_view text);
    // Makes the checkpoint `id` of it all: at most checkpoint_max tokens, lines first among the
    // summary's.
    Status pack(uint32_t id);
    // Moves what is left of the checkpoints before `first` into that one and those up to `last`, as
    // far as there is room.
    void retire(uint32_t first, uint32_t last);
    // Holds each checkpoint from `first` to `last` that changed to its bound, by the tokens of its
    // text. `tokens`: those of the last.
    Status finish(uint32_t first, uint32_t last, uint64_t &tokens);

private:
    struct Line {
        std::string_view text;
        Item item;
        uint32_t known;  // the item of warm that has this text already, or kUnknown
    };

    uint32_t count(std::string_view text);
    std::string_view as_kept(std::string_view line, const Closed &message);
    uint32_t line_worth(std::string_view line, const Closed &message, bool fenced, uint32_t tokens);
    void fact(const FactParts &fact, uint32_t number);
    void chain(uint32_t item);
    struct Ranked {
        uint32_t rate, at;
    };
    uint32_t rank_names(Ranked *ranked);
    void keep_latent();
    void place_names(uint32_t id, uint32_t room, uint32_t &used);
    void place_lines(uint32_t id, uint32_t room, uint32_t &used);
    void add_to(uint32_t id, Item &item);
    Status fit(uint32_t id, bool last, uint32_t *items, uint32_t count, uint64_t &tokens);
    Status count_items(uint32_t id, const uint32_t *items, uint32_t count, uint64_t &tokens);
    void drop(Item &item);
    bool put(uint32_t known, const Item &item, std::string_view text, uint8_t slot);

    Warm &warm_;
    token::TokenCounter &counter_;
    Arena &arena_;
    const ContextOptions &options_;
    const uint32_t now_;
    Occurrences names_;
    Buffer<Line> lines_;
    Buffer<char> &scratch_;
    PartCounter parts_;
    bool own_ = false;  // the lines are a host's summary, and go before all
    static constexpr uint32_t kHeads = 256;
    uint16_t *heads_ = nullptr, *next_ = nullptr;  // chains of facts: an item's place plus 1, or 0
    // a bit for each checkpoint that is retained, by its id modulo 64
    uint64_t changed_;
    Status status_;
};

}  // namespace accp::context
