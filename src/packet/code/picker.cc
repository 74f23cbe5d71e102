// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_picker.h.
#include "packet/code/picker.h"

#include <functional>

namespace accp::packet {

namespace {

// Bounds stand by number, of which an honest index has no more than files that it ever had.
constexpr uint64_t kMaxNumber = 1 << 26;

Status damaged() { return fail(ACCP_ERR_CORRUPT, 0, store::kIndexDamaged); }

}  // namespace

Status CodePicker::pick(const CodeQuery &query, CodePick &out) {
    Status status = rows_->totals(out.files, out.length);
    uint64_t newest = 0;
    if (status.ok()) status = rows_->newest(newest);
    if (status.failed() || out.files == 0) return status;
    if (newest > kMaxNumber || out.files > newest) return damaged();
    bounds_.clear();
    bounds_.reserve(newest + 1);
    for (uint64_t i = 0; i <= newest; ++i) bounds_.push({});
    status = find_words(query, out);
    if (status.failed()) return status;
    scorer_.begin(query, out);
    for (const Hit &hit : hits_)
        bounds_[hit.number].max_score += scorer_.max_of_word(hit.word, hit.count);
    status = find_names(query);
    return status.ok() ? read_best(query, out) : status;
}

Status CodePicker::find_words(const CodeQuery &query, CodePick &out) {
    hits_.clear(), out.having.clear();
    for (size_t i = 0; i < query.words.size(); ++i) {
        const CodeTermRange range = CodeTermRange::of_word(query.words[i]);
        const size_t before = hits_.size();
        bool is_right = true;
        Status status = rows_->postings(
            range.first(), range.end(), [&](uint64_t number, std::string_view term) {
                is_right &= number < bounds_.size();
                if (is_right)
                    hits_.push({static_cast<uint32_t>(number), static_cast<uint32_t>(i),
                                static_cast<uint8_t>(count_of_term(term))});
            });
        if (status.failed()) return status;
        if (!is_right || hits_.size() - before > out.files) return damaged();
        out.having.push(hits_.size() - before);
    }
    return {};
}

Status CodePicker::find_symbols(std::span<const uint64_t> names, uint16_t Bound::*count) {
    Status status;
    for (size_t i = 0; status.ok() && i < names.size(); ++i) {
        if (i && names[i] == names[i - 1]) continue;
        const CodeTermRange range = CodeTermRange::of_symbol(names[i]);
        status = rows_->postings(range.first(), range.end(), [&](uint64_t number, auto) {
            if (number < bounds_.size()) ++(bounds_[number].*count);
        });
    }
    return status;
}

Status CodePicker::find_names(const CodeQuery &query) {
    Status status = find_symbols(query.asked, &Bound::asked);
    if (status.ok()) status = find_symbols(query.spoken, &Bound::spoken);
    for (size_t i = 0; status.ok() && i < query.named.size(); ++i) {
        const CodeTermRange range = CodeTermRange::of_name(query.named[i]);
        status = rows_->postings(range.first(), range.end(), [&](uint64_t number, auto) {
            if (number < bounds_.size()) bounds_[number].is_named = true;
        });
    }
    return status;
}

Status CodePicker::read(uint32_t number, CodePick &out) {
    return rows_->source(number, [&](const store::CodeSourceRow &row) {
        CodeFile file;
        if (!terms_.unpack(row, file)) return damaged();
        const auto keep = [&out](const auto *from, size_t count) {
            auto *const to = out.arena.allocate<std::remove_cvref_t<decltype(*from)>>(count);
            std::copy(from, from + count, to);
            return to;
        };
        for (std::string_view *text : {&file.path, &file.summary, &file.symbols})
            *text = {keep(text->data(), text->size()), text->size()};
        const size_t words = file.words.size();
        file.counts = keep(file.counts, words);
        file.words = {keep(file.words.data(), words), words};
        out.picked.push(file);
        return Status{};
    });
}

bool CodePicker::may_count(const Bound &bound, const CodeQuery &query) const {
    if (bound.max_score <= 0) return false;
    return bound.max_score * query.of_best >= greatest_ &&
           (best_.size() < query.wanted || bound.max_score >= best_[0]);
}

void CodePicker::note(int64_t score, size_t wanted) {
    greatest_ = std::max(greatest_, score);
    best_.push(score);
    std::push_heap(best_.begin(), best_.end(), std::greater<>());
    if (best_.size() <= wanted) return;
    std::pop_heap(best_.begin(), best_.end(), std::greater<>());
    best_.resize_down(wanted);
}

// What was named matters whatever it says.
Status CodePicker::read_best(const CodeQuery &query, CodePick &out) {
    best_.clear(), order_.clear();
    greatest_ = 0;
    for (uint32_t i = 0; i < bounds_.size(); ++i) {
        Bound &bound = bounds_[i];
        bound.max_score += CodeScorer::of_names(bound.asked, bound.spoken);
        if (bound.max_score > 0 || bound.is_named) order_.push(i);
    }
    const auto is_less = [this](uint32_t a, uint32_t b) {
        return std::pair(bounds_[a].is_named, bounds_[a].max_score) <
               std::pair(bounds_[b].is_named, bounds_[b].max_score);
    };
    std::make_heap(order_.begin(), order_.end(), is_less);
    while (!order_.empty()) {
        const Bound &next = bounds_[order_[0]];
        if (!next.is_named && !may_count(next, query)) break;
        Status status = read(order_[0], out);
        if (status.failed()) return status;
        note(scorer_.score(out.picked[out.picked.size() - 1]), query.wanted);
        std::pop_heap(order_.begin(), order_.end(), is_less);
        order_.resize_down(order_.size() - 1);
    }
    return {};
}

}  // namespace accp::packet
