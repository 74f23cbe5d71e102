// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Ranks the files of a task: those that the conversation mentions, and those whose names, symbols
// and text match the task.
#pragma once

#include "packet/code/files.h"
#include "packet/extract/extract.h"

namespace accp::packet {

class FileRanker {
public:
    explicit FileRanker(Memory &memory)
        : files_(memory),
          candidates_(memory),
          scorer_(memory),
          words_(memory),
          task_names_(memory),
          talk_names_(memory),
          file_names_(memory),
          scores_(memory),
          topics_(memory),
          text_(memory),
          arena_(memory) {}

    // Without code, the mentioned files stay as they are. Otherwise mentioned files that exist in
    // the code get their path there, and a summary. The views are valid as long as all arguments,
    // until the next call. Cost: linear in the conversation, and in the files and symbols of the
    // candidates.
    Status rank(const CodeFiles *code, const Extractor &extractor, std::string_view task,
                std::span<const Utterance> conversation);
    uint64_t code_files() const { return candidates_.files; }
    bool has_code() const { return code_files() != 0; }
    std::span<const FileCandidate> files() const { return {files_.data(), files_.size()}; }

private:
    CodeQuery read_query(const Extractor &extractor, std::string_view task,
                         std::span<const Utterance> conversation);
    void score_all();
    void match_mentioned();
    void add_best();
    void describe(const CodeFile &file, FileCandidate &out);
    bool is_relevant(std::string_view symbol);
    int points(int64_t score) const;

    Buffer<FileCandidate> files_;
    CodeCandidates candidates_;
    CodeScorer scorer_;
    Buffer<uint32_t> words_;
    Buffer<uint64_t> task_names_, talk_names_, file_names_;  // hashes in the query
    Buffer<int64_t> scores_;  // of each entry; negative: no file, or mentioned already
    Buffer<uint64_t> topics_;
    Buffer<char> text_;
    Arena arena_;  // memory of the summaries
    std::span<const uint64_t> task_;
    int64_t best_ = 0;
};

}  // namespace accp::packet
