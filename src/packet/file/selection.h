// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chooses the items of a packet: what was given or is required first, then by worth per token, each
// kind up to its share of the budget, and then what is left. An item that repeats one of its kind
// is left out.
#pragma once

#include <span>

#include "packet/extract/extract.h"
#include "packet/file/given_items.h"
#include "packet/file/schema.h"

namespace accp::packet {

enum class Depth { kMinimal, kStandard, kDeep };

// Why a candidate is or is not part of the packet.
enum class Outcome : uint8_t { kOpen, kKept, kNoSpace, kRepeated };

enum class Rank : uint8_t {
    kGiven,     // by the caller
    kRequired,  // a demand or decision of a user that concerns the task, or a file that one names
    kOptional,
};

struct Candidate {
    ItemKind kind;
    Rank rank;
    Statement text;
    std::string_view question = {};  // that text.what answers
    std::string_view made_by = {};   // of a decision
    int worth = 0;                   // more is better
    bool is_demand = false;          // plainly said by a user
    const Finding *finding = nullptr;
    const FileCandidate *file = nullptr;
    const GivenItem *given = nullptr;
    uint32_t tokens = 0;
    Outcome outcome = Outcome::kOpen;
    const Candidate *repeated = nullptr;  // the candidate that it repeats

    bool is_kept() const { return outcome == Outcome::kKept; }
};

class Selection {
public:
    explicit Selection(Memory &memory)
        : candidates_(memory), order_(memory), topics_(memory), kept_(memory), task_(memory) {}

    void clear(std::string_view task);
    // Add all candidates before the first choice. `tokens`: of its texts.
    void add(const Candidate &candidate) { candidates_.push(candidate); }
    std::span<Candidate> candidates() { return {candidates_.data(), candidates_.size()}; }
    std::span<const Candidate> candidates() const {
        return {candidates_.data(), candidates_.size()};
    }

    // Chooses candidates of at most `tokens` in all. Cost: O(n log n), and n times what is kept.
    void choose(Depth depth, uint64_t tokens);
    // Drops the kept candidates that are worth least, until `tokens` fewer are kept. Returns false
    // if nothing is kept.
    bool drop(uint64_t tokens);
    // Keeps everything that is given or required, apart from repetitions.
    void choose_required(Depth depth);

    static bool includes(Depth depth, ItemKind kind);

private:
    // A bit set with two bits for each word of a text. Quickly rules out that one text has all
    // words of another.
    struct WordMask {
        explicit WordMask(std::span<const uint64_t> words);
        bool may_contain(const WordMask &other) const {
            return ((other.low & ~low) | (other.high & ~high)) == 0;
        }
        uint64_t low = 0, high = 0;
    };
    struct Kept {
        const Candidate *candidate;
        size_t topics_end, all_end;  // ends of its words in topics_
        WordMask mask;               // of all its words
    };
    std::span<const uint64_t> all_words_from(size_t begin) const {
        return {topics_.all.data() + begin, topics_.all.size() - begin};
    }
    void sort();
    void reset();
    void require_named_files();
    bool is_repeated(Candidate &candidate);
    bool is_message_exhausted(const Candidate &candidate) const;
    void keep(Candidate &candidate);

    Buffer<Candidate> candidates_;
    Buffer<uint32_t> order_;  // the best first
    struct Sets {
        explicit Sets(Memory &memory) : words(memory), all(memory) {}
        Buffer<uint64_t> words, all;  // without and with common words
    };
    Sets topics_;  // of the kept candidates
    Buffer<Kept> kept_;
    Buffer<uint64_t> task_;
};

}  // namespace accp::packet
