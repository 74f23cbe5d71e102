// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/query/relevance.h"

#include <algorithm>

#include "base/text.h"

namespace accp::packet {

namespace {

constexpr double kAnyScore = 1e-9;  // at least one word in common

bool is_filtered(ItemKind kind) {
    return kind != ACCP_PACKET_GOAL && kind != ACCP_PACKET_NOT_INCLUDED;
}

// These items stay if they have anything in common with the task.
bool is_binding(value::TreeView packet, const Item &item) {
    return item.kind == ACCP_PACKET_CONSTRAINT ||
           (item.kind == ACCP_PACKET_DECISION && is_of_user(packet, item.node));
}

}  // namespace

Status RelevanceFilter::filter(value::TreeView packet, const FilterRequest &filter, Packet &out) {
    draft_.open(packet);
    kept_.clear();
    collect_texts();
    score_words(filter.task);
    Status status = filter.embedder ? score_vectors(filter) : Status{};
    if (status.failed()) return status;
    if (filter.is_by_rank) {
        keep_by_rank(filter.threshold);
    } else {
        for (size_t i = 0; i < draft_.size(); ++i) {
            const double needed = is_binding(packet, draft_[i]) && !filter.embedder
                                      ? std::min(filter.threshold, kAnyScore)
                                      : filter.threshold;
            if (is_filtered(draft_[i].kind) && item_scores_[i] < needed) draft_.drop(i);
        }
    }
    uint32_t numbers[kItemKinds] = {};
    for (size_t i = 0; i < draft_.size(); ++i)
        if (!draft_.is_dropped(i))
            kept_.push({draft_[i].kind, ++numbers[draft_[i].kind], item_scores_[i]});
    note_dropped(filter.name);
    status = draft_.build(out);
    if (status.failed()) kept_.clear();
    return status;
}

void RelevanceFilter::collect_texts() {
    text_.clear();
    ends_.clear();
    for (size_t i = 0; i < draft_.size(); ++i) {
        append_item_text(draft_.packet(), draft_[i].node, text_);
        ends_.push(static_cast<uint32_t>(text_.size()));
    }
}

std::string_view RelevanceFilter::text_of(size_t item) const {
    const uint32_t begin = item ? ends_[item - 1] : 0;
    return text_.view().substr(begin, ends_[item] - begin);
}

void RelevanceFilter::score_words(std::string_view task) {
    item_scores_.clear();
    words_.start(task);
    for (size_t i = 0; i < draft_.size(); ++i) words_.add(text_of(i));
    words_.score();
    for (const double score : words_.lend_words()) item_scores_.push(score);
}

// Replaces the scores by those of vectors. Their ranks are joined with those of the words.
Status RelevanceFilter::score_vectors(const FilterRequest &filter) {
    texts_.clear();
    texts_.push(filter.task);
    for (size_t i = 0; i < draft_.size(); ++i) texts_.push(text_of(i));
    Status status = vectors_.make(*filter.embedder, {texts_.data(), texts_.size()});
    if (status.failed()) return status;
    item_scores_.clear();
    for (size_t i = 0; i < draft_.size(); ++i) item_scores_.push(vectors_.cosine(0, i + 1));
    ranks_.start(draft_.size());
    ranks_.add(words_.scores());
    ranks_.add({item_scores_.data(), item_scores_.size()});
    return {};
}

// As many items stay as concern the task by their words, and at least one in kMinKept: the task may
// be in other words than all items.
void RelevanceFilter::keep_by_rank(double threshold) {
    constexpr size_t kMinKept = 4;
    const std::span<const double> by_words = words_.scores();
    size_t items = 0, left = 0;
    for (size_t i = 0; i < draft_.size(); ++i) {
        if (!is_filtered(draft_[i].kind)) continue;
        ++items;
        left += by_words[i] >= threshold ||
                (is_binding(draft_.packet(), draft_[i]) && by_words[i] >= kAnyScore);
    }
    left = std::max(left, (items + kMinKept - 1) / kMinKept);
    for (const uint32_t item : ranks_.order()) {
        if (!is_filtered(draft_[item].kind)) continue;
        if (left) --left;
        else draft_.drop(item);
    }
}

void RelevanceFilter::note_dropped(std::string_view task) {
    for (int kind = 0; kind < kItemKinds; ++kind) {
        uint64_t dropped = 0;
        for (size_t i = 0; i < draft_.size(); ++i)
            dropped += draft_[i].kind == kind && draft_.is_dropped(i);
        if (!dropped) continue;
        const ItemList &list = list_of_kind(static_cast<ItemKind>(kind));
        text_.clear();
        append_decimal(dropped, text_);
        text_.push(' ');
        text_.append(dropped == 1 ? list.one : list.many);
        text_.append(" not about: ");
        text_.append(task);
        draft_.add_note(text_.view());
    }
}

}  // namespace accp::packet
