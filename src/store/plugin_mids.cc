// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The number of runs of each level follows from the count of runs, as in mid_index.cc.
#include "store/plugin_mids.h"

#include <algorithm>

namespace accp::store {

namespace {

constexpr uint64_t kFanOut = 16;
constexpr uint64_t kLastLevel = 2;
constexpr uint64_t kRunsWithFilter = 1;  // reading a run may take a request to a server
constexpr size_t kMidBytes64 = sizeof(uint64_t);

uint64_t parts_of(uint64_t level) { return level == kLastLevel ? kFanOut : 1; }
uint64_t part_of(uint64_t level, uint64_t word) {
    return level == kLastLevel ? word * 0x9E3779B97F4A7C15ull >> 60 : 0;
}

void sort_unique(Buffer<uint64_t> &words) {
    std::sort(words.data(), words.end());
    words.set_end(std::unique(words.data(), words.end()));
}

accp_store_change change_of(int32_t kind, const PluginKey &key, Arena &arena) {
    char *kept = arena.allocate<char>(key.size);
    key.view().copy(kept, key.size);
    return {{kept, key.size}, {"", 0}, {"", 0}, kind, 0};
}

// Calls visit(level, run) for each run until it fails.
template <class Visit>
Status each_mid_run(uint64_t runs, Visit visit) {
    for (uint64_t level = 0; level <= kLastLevel; ++level) {
        const uint64_t count = level == kLastLevel ? runs : runs % kFanOut;
        for (uint64_t run = 0; run < count; ++run) {
            Status status = visit(level, run);
            if (status.failed()) return status;
        }
        runs /= kFanOut;
    }
    return {};
}

}  // namespace

Status PluginMids::read_part(std::string_view id, const PluginKey &key, Buffer<uint64_t> &out) {
    bool is_valid = true;
    Status status = port_.value(id, key.view(), [&](std::string_view, std::string_view words) {
        is_valid = words.size() % kMidBytes64 == 0;
        for (size_t at = 0; is_valid && at < words.size(); at += kMidBytes64)
            out.push(number_at(words.data() + at));
    });
    if (status.code == ACCP_E2001 || (status.ok() && !is_valid))
        return fail(ACCP_ERR_CORRUPT, 0, "the index of mids is damaged");
    return status;
}

Status PluginMids::read_run(std::string_view id, uint64_t level, uint64_t run,
                            Buffer<uint64_t> &out) {
    Status status;
    for (uint64_t part = 0; status.ok() && part < parts_of(level); ++part)
        status = read_part(id, mids_key(level, run, part), out);
    return status;
}

Status PluginMids::read_all(std::string_view id, const SessionRow &row, Buffer<uint64_t> &out) {
    return each_mid_run(
        row.runs, [&](uint64_t level, uint64_t run) { return read_run(id, level, run, out); });
}

Status PluginMids::has(std::string_view id, const SessionRow &row, uint64_t word, bool &out) {
    out = false;
    if (row.runs >= kRunsWithFilter) {
        PluginContext::FilterResult seen = context_.test_filter(row, word);
        if (seen == PluginContext::FilterResult::kNoFilter) {
            words_.clear();
            Status status = read_all(id, row, words_);
            if (status.failed()) return status;
            context_.make_filter(row, words_);
            words_.recycle(kKeptBytes);
            seen = context_.test_filter(row, word);
        }
        if (seen == PluginContext::FilterResult::kNo) return {};
    }
    return each_mid_run(row.runs, [&](uint64_t level, uint64_t run) {
        if (out) return Status{};
        part_.clear();
        Status status = read_part(id, mids_key(level, run, part_of(level, word)), part_);
        out = std::binary_search(part_.begin(), part_.end(), word);
        return status;
    });
}

// Writes words_, which are sorted, as a run.
void PluginMids::put_run(uint64_t level, uint64_t run, Arena &arena,
                         Buffer<accp_store_change> &changes) {
    char *to = arena.allocate<char>(words_.size() * kMidBytes64);
    for (uint64_t part = 0; part < parts_of(level); ++part) {
        accp_store_change change = change_of(ACCP_STORE_PUT, mids_key(level, run, part), arena);
        change.value.text = to;
        for (size_t i = 0; i < words_.size(); ++i)
            if (part_of(level, words_[i]) == part) put_number(words_[i], to), to += kMidBytes64;
        change.value.len = static_cast<size_t>(to - change.value.text);
        changes.push(change);
    }
}

// Merges runs 0 … 14 of a level, and words_ as the sixteenth, into one run of the next level. If
// that level is full too, the result stays in words_ for the next merge.
Status PluginMids::merge(std::string_view id, uint64_t level, uint64_t into, Arena &arena,
                         Buffer<accp_store_change> &changes) {
    for (uint64_t run = 0; run + 1 < kFanOut; ++run) {
        Status status = read_run(id, level, run, words_);
        if (status.failed()) return status;
        for (uint64_t part = 0; part < parts_of(level); ++part)
            changes.push(change_of(ACCP_STORE_ERASE, mids_key(level, run, part), arena));
    }
    sort_unique(words_);
    if (level + 1 == kLastLevel || (into + 1) % kFanOut) put_run(level + 1, into, arena, changes);
    return {};
}

Status PluginMids::add_tail(std::string_view id, const OpenSession &session, Arena &arena,
                            Buffer<accp_store_change> &changes) {
    const uint64_t made = session.row.runs + 1;
    words_.clear();
    words_.append(session.tail);
    sort_unique(words_);
    Status status;
    if (made % kFanOut) put_run(0, session.row.runs % kFanOut, arena, changes);
    else status = merge(id, 0, (made / kFanOut - 1) % kFanOut, arena, changes);
    if (status.ok() && made % (kFanOut * kFanOut) == 0)
        status = merge(id, 1, made / (kFanOut * kFanOut) - 1, arena, changes);
    words_.recycle(kKeptBytes);
    return status;
}

}  // namespace accp::store
