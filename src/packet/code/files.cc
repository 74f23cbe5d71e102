// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/code/files.h"

#include <bit>

#include "packet/file/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr int64_t kUnit = 1024;  // fixed-point unit of scores
constexpr int64_t kAskedName = 12 * kUnit, kSpokenName = 4 * kUnit;
constexpr int kMaxNames = 2;  // per file
// Factors in percent: data, prose and other files without symbols, tests, files outside the
// project.
constexpr int64_t kDataPercent = 40, kProsePercent = 60, kTestPercent = 50, kOutsidePercent = 30;

// Returns the binary logarithm of a fixed-point number, both in units of 1/1024.
int64_t log2_of(uint64_t x) {
    const int whole = std::bit_width(x) - 1;
    // 1 to 2, in units of 2^-31
    uint64_t part = whole > 31 ? x >> (whole - 31) : x << (31 - whole);
    int64_t log = whole - 10;
    for (int bit = 0; bit < 10; ++bit) {
        part = part * part >> 31;
        log = log * 2 + (part >> 32 != 0);
        if (part >> 32) part >>= 1;
    }
    return log;
}

int64_t worth_percent(const CodeFile &file, bool wants_tests) {
    int64_t percent = file.kind == CodeKind::kData    ? kDataPercent
                      : file.kind == CodeKind::kProse ? kProsePercent
                                                      : 100;
    if (is_outside_project(file.path)) percent = percent * kOutsidePercent / 100;
    if (!wants_tests && is_test_file(file.path)) percent = percent * kTestPercent / 100;
    return percent;
}

}  // namespace

// Computes how rare each word is.
void CodeScorer::prepare(const CodeQuery &query, const CodeCandidates &candidates) {
    query_ = &query;
    const uint64_t files = std::max<uint64_t>(1, candidates.files);
    mean_length_ = static_cast<int64_t>(std::max<uint64_t>(1, candidates.length / files));
    weights_.clear();
    for (const uint64_t having : candidates.document_counts)
        weights_.push(log2_of((files + 1) * 2 * uint64_t{kUnit} / (2 * having + 1)));
}

// BM25 with k1 = 1.2 and b = 0.75, plus a bonus for symbols named in the task or the talk.
int64_t CodeScorer::score(const CodeFile &file) const {
    int64_t sum = 0;
    const int64_t norm = kBase + 900 * int64_t{file.length} / mean_length_;
    for (size_t i = 0; i < query_->words.size(); ++i) {
        const auto at = std::lower_bound(file.words.begin(), file.words.end(), query_->words[i]);
        if (at == file.words.end() || *at != query_->words[i]) continue;
        sum += word_score(i, file.counts[at - file.words.begin()], norm);
    }
    int task_names = 0, talk_names = 0;
    if (!query_->task_names.empty() || !query_->talk_names.empty())
        each_symbol(file, [&](std::string_view symbol) {
            const uint64_t hash = text::hash_word(symbol);
            task_names += has_hash(query_->task_names, hash);
            talk_names += has_hash(query_->talk_names, hash);
        });
    return (sum + name_score(task_names, talk_names)) * worth_percent(file, query_->wants_tests) /
           100;
}

int64_t CodeScorer::name_score(int task_names, int talk_names) {
    return std::min(task_names, kMaxNames) * kAskedName +
           std::min(talk_names, kMaxNames) * kSpokenName;
}

}  // namespace accp::packet
