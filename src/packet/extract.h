// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What of a conversation a worker must know: sentences that state a constraint, a decision or a
// failure, best first, and the files that it is about. By rules, so the same each time.
#pragma once

#include "base/arena.h"
#include "packet/cues.h"
#include "text/units.h"
#include "text/words.h"

namespace accp::packet {

struct Said {
    Who who;                   // kUser or kAgent: what an assistant or a program said
    std::string_view text;     // valid UTF-8
    bool names_files = false;  // it is no talk, but may name files
};

struct Found {
    Kind kind;
    Who who;
    int score;              // tenths
    uint32_t message;       // its number
    uint32_t begin, end;    // bytes of its text
    std::string_view text;  // of the conversation
};

struct FoundFile {
    std::string_view path;
    int score;
    uint32_t message;  // that named it last
    bool absolute;     // it was named from the root on
};

class Extractor {
public:
    explicit Extractor(Memory &memory)
        : units_(memory),
          topics_(memory),
          task_(memory),
          words_(memory),
          found_(memory),
          files_(memory),
          named_(memory),
          file_ends_(memory) {}

    // All views live as long as the conversation and until the next call. Cost: linear in the
    // conversation, times the phrases of the language.
    void extract(std::string_view task, std::span<const Said> conversation,
                 const Language &language);
    std::span<const Found> found() const { return {found_.data(), found_.size()}; }
    std::span<const FoundFile> files() const { return {files_.data(), files_.size()}; }
    std::span<const uint64_t> task_topics() const { return {task_.data(), task_.size()}; }

private:
    // Of one sentence, in tenths: for each kind, and for whatever it is.
    struct Scores {
        int of[kKinds] = {};
        int common = 0;
    };
    void judge(const text::Unit &unit, const Said &said, uint32_t message, int age_percent,
               const Language &language);
    Scores weigh(std::string_view sentence, Who who, const Language &language);
    void follow_list(const text::Unit &unit, Scores &scores);
    int task_bonus(std::string_view sentence);
    void keep_best();
    // The task names a file before any message does, and counts for most.
    static constexpr uint32_t kInTask = UINT32_MAX;
    static constexpr int kInTaskWeight = 300;
    void note_files(std::string_view text, uint32_t message, int weight);
    void rank_files(uint32_t messages);
    void cut_common_folder();

    Buffer<text::Unit> units_;
    Buffer<uint64_t> topics_, task_;
    text::Words words_;
    Buffer<Found> found_;
    Buffer<FoundFile> files_;
    Buffer<uint32_t> named_;      // in the message that is read
    Buffer<uint32_t> file_ends_;  // of the topics of each
    int list_kind_ = -1;          // of the list whose items come
};

}  // namespace accp::packet
