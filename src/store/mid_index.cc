// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The number of runs of each level follows from the count n of runs that were added: n % 16 of
// level 0, n / 16 % 16 of level 1, each merged from sixteen of level 0, and n / 256 of level 2,
// which are never merged.
#include <algorithm>
#include <cstring>

#include "store/mid_index.h"

namespace accp::store {

namespace {

constexpr const char *kMidsDamaged = "the index of mids is damaged";
constexpr uint64_t kFan = 16;
constexpr uint64_t kTopLevel = 2;
constexpr size_t kRowWords = 120;      // four such rows fill a page
constexpr uint64_t kFilteredRuns = 4;  // with fewer runs, a lookup is as fast without a filter
constexpr uint64_t kEnd = uint64_t{1} << 63;  // all words are smaller

uint64_t run_of(uint64_t level, uint64_t i) { return level << 32 | i; }

uint64_t word_at(std::string_view words, size_t i) {
    uint64_t word;
    std::memcpy(&word, words.data() + i * sizeof word, sizeof word);
    return word;
}

void append_words(std::string_view words, Buffer<uint64_t> &out) {
    if (words.empty()) return;
    std::memcpy(out.reserve(words.size() / 8), words.data(), words.size());
    out.advance(words.size() / 8);
}

void sort_words(Buffer<uint64_t> &words) {
    std::sort(words.data(), words.end());
    words.set_end(std::unique(words.data(), words.end()));
}

}  // namespace

// Calls visit(run) for each run of the session until it fails.
template <class Visit>
Status MidIndex::each_run(const SessionRow &row, Visit visit) {
    uint64_t below = row.runs;
    for (uint64_t level = 0; level <= kTopLevel; ++level) {
        uint64_t count = level == kTopLevel ? below : below % kFan;
        for (uint64_t i = 0; i < count; ++i) {
            Status status = visit(run_of(level, i));
            if (status.failed()) return status;
        }
        below /= kFan;
    }
    return {};
}

Status MidIndex::read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first,
                            uint64_t &next, std::string_view &words) {
    first = query.number_at(0);
    next = query.number_at(1);
    words = query.bytes_at(3);
    if (query.status().failed()) return query.status();
    bool is_valid =
        query.number_at(2) == static_cast<uint64_t>(file_.sum({number, run, first, next}, words)) &&
        words.size() % 8 == 0;
    return is_valid ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
}

Status MidIndex::find_in_run(uint64_t number, uint64_t run, uint64_t word, bool &found) {
    Query query(file_, Sql::kMidFind);
    query.number(number).number(run).number(word);
    if (!query.row())
        return query.status().failed() ? query.status() : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
    uint64_t first = 0, next = 0;
    std::string_view words;
    Status status = read_words(query, number, run, first, next, words);
    if (status.failed()) return status;
    if (word >= next) return fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
    size_t low = 0, high = words.size() / 8;
    while (low < high) {
        size_t middle = (low + high) / 2;
        (word_at(words, middle) < word ? low : high) =
            word_at(words, middle) < word ? middle + 1 : middle;
    }
    found = low < words.size() / 8 && word_at(words, low) == word;
    return {};
}

Status MidIndex::has(const SessionRow &row, uint64_t word, bool &out) {
    bool found = false;
    if (row.runs >= kFilteredRuns && !filters_.has(row)) {
        words_.clear();
        Status status = read_index(row, words_);
        if (status.failed()) return status;
        filters_.make(row, words_);
        words_.recycle(kKeptBytes);
    }
    out = false;
    if (row.runs >= kFilteredRuns && !filters_.may_have(row, word)) return {};
    Status status = each_run(row, [&](uint64_t run) {
        return found ? Status{} : find_in_run(row.number, run, word, found);
    });
    out = found;
    return status;
}

Status MidIndex::read_tail_of(const SessionRow &row, uint64_t last, Buffer<uint64_t> &out) {
    if (row.indexed >= last) return {};
    Query query(file_, Sql::kRecords);
    query.number(place_of(row.number, row.indexed + 1)).number(place_of(row.number, last));
    for (uint64_t seq = row.indexed + 1; seq <= last; seq = log_.last() + 1) {
        Status status = log_.read(query, row.number, seq);
        if (status.failed()) return status;
        append_words(log_.mids(), out);
    }
    return {};
}

Status MidIndex::read_tail(OpenSession &session) {
    size_t had = session.tail.size();
    Status status = read_tail_of(session.row, session.written, session.tail);
    if (status.failed()) session.tail.resize_down(had);
    return status;
}

// Writes words_ as a run whose rows cover 0 … kEnd - 1.
Status MidIndex::write_run(uint64_t number, uint64_t run) {
    Status status;
    uint64_t first = 0;
    for (size_t at = 0; status.ok() && at < words_.size(); at += kRowWords) {
        size_t count = std::min(kRowWords, words_.size() - at);
        uint64_t next = at + count < words_.size() ? words_[at + count] : kEnd - 1;
        std::string_view words = {reinterpret_cast<const char *>(words_.data() + at), count * 8};
        Query query(file_, Sql::kMidPut);
        query.number(number).number(run).number(first).number(next);
        status = query.number(static_cast<uint64_t>(file_.sum({number, run, first, next}, words)))
                     .bytes(words)
                     .run();
        first = next;
    }
    return status;
}

Status MidIndex::append_run(uint64_t number, uint64_t run, Buffer<uint64_t> &out) {
    Query query(file_, Sql::kMidRun);
    query.number(number).number(run);
    uint64_t expected = 0, first = 0, next = 0;
    while (expected != kEnd - 1) {
        std::string_view words;
        if (!query.row())
            return query.status().failed() ? query.status()
                                           : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
        Status status = read_words(query, number, run, first, next, words);
        if (status.failed()) return status;
        if (first != expected || next <= first) return fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
        append_words(words, out);
        expected = next;
    }
    return {};
}

// Merges runs 0 … 15 of a level into one run of the next level.
Status MidIndex::merge_runs(uint64_t number, uint64_t level, uint64_t into) {
    words_.clear();
    Status status;
    for (uint64_t i = 0; status.ok() && i < kFan; ++i) {
        status = append_run(number, run_of(level, i), words_);
        if (status.failed()) break;
        Query query(file_, Sql::kMidErase);
        status = query.number(number).number(run_of(level, i)).run();
    }
    if (status.failed()) return status;
    sort_words(words_);
    return write_run(number, into);
}

Status MidIndex::add_tail(OpenSession &session) {
    uint64_t number = session.row.number, made = session.row.runs + 1;
    words_.clear();
    words_.append(session.tail);
    sort_words(words_);
    Status status = write_run(number, run_of(0, session.row.runs % kFan));
    if (status.ok() && made % kFan == 0)
        status = merge_runs(number, 0, run_of(1, (made / kFan - 1) % kFan));
    if (status.ok() && made % (kFan * kFan) == 0)
        status = merge_runs(number, 1, run_of(2, made / (kFan * kFan) - 1));
    words_.recycle(kKeptBytes);
    return status;
}

Status MidIndex::read_index(const SessionRow &row, Buffer<uint64_t> &out) {
    return each_run(row, [&](uint64_t run) { return append_run(row.number, run, out); });
}

Status MidIndex::read_all(const SessionRow &row, Buffer<uint64_t> &out) {
    out.clear();
    Status status = read_index(row, out);
    if (status.ok()) status = read_tail_of(row, row.last, out);
    if (status.ok()) sort_words(out);
    return status;
}

}  // namespace accp::store
