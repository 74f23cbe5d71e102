// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/query/relevance.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "packet/extract/lexicon.h"
#include "packet/query/index.h"

namespace accp::packet {

namespace {

constexpr double kSureScore = 0.15;     // minimum score of an item that adds its words to the task
constexpr double kExpandedShare = 0.5;  // weight of such a word

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
    item_scores_.clear();
    kept_.clear();
    Status status = filter.embedder ? score_vectors(filter) : score_words(filter);
    if (status.failed()) return status;
    uint32_t numbers[kItemKinds] = {};
    for (size_t i = 0; i < draft_.size(); ++i) {
        const Item &item = draft_[i];
        const double needed = is_binding(packet, item) && !filter.embedder
                                  ? std::min(filter.threshold, 1e-9)
                                  : filter.threshold;
        if (is_filtered(item.kind) && item_scores_[i] < needed) draft_.drop(i);
        else kept_.push({item.kind, ++numbers[item.kind], item_scores_[i]});
    }
    note_dropped(filter.name);
    status = draft_.build(out);
    if (status.failed()) kept_.clear();
    return status;
}

Status RelevanceFilter::score_words(const FilterRequest &filter) {
    terms_.clear();
    ends_.clear();
    hashes_.clear();
    append_terms(filter.task, UINT32_MAX, hashes_);
    task_.clear();
    for (uint64_t term : hashes_) task_.push({term, 1});
    words_.read(filter.task);
    const uint32_t topics = find_topics(words_).shown;
    for (size_t i = 0; i < draft_.size(); ++i) {
        text_.clear();
        append_item_text(draft_.packet(), draft_[i].node, text_);
        append_terms(text_.view(), topics, terms_);
        ends_.push(static_cast<uint32_t>(terms_.size()));
    }
    sorted_.clear();
    sorted_.append(terms_);
    std::sort(sorted_.begin(), sorted_.end());
    score_items();
    expand_task();
    score_items();
    return {};
}

void RelevanceFilter::score_items() {
    item_scores_.clear();
    double task_norm = 0;
    for (const TaskTerm &term : task_) {
        const double heavy = term.share * weight(term.term);
        task_norm += heavy * heavy;
    }
    for (size_t i = 0; i < draft_.size(); ++i) item_scores_.push(cosine(terms_of(i), task_norm));
}

// Adds the words of clearly relevant items to the task, since other relevant items may use them.
void RelevanceFilter::expand_task() {
    hashes_.clear();
    for (size_t i = 0; i < draft_.size(); ++i)
        if (is_filtered(draft_[i].kind) && item_scores_[i] >= kSureScore)
            hashes_.append(terms_of(i).data(), terms_of(i).size());
    std::sort(hashes_.begin(), hashes_.end());
    const size_t own = task_.size();
    for (size_t i = 0; i < hashes_.size(); ++i) {
        const bool again = i && hashes_[i] == hashes_[i - 1];
        if (again || std::binary_search(task_.begin(), task_.begin() + own, TaskTerm{hashes_[i], 1},
                                        is_before))
            continue;
        task_.push({hashes_[i], kExpandedShare});
    }
    std::sort(task_.begin(), task_.end(), is_before);
}

// Appends the sorted words and topics. Hints only count for these topics.
void RelevanceFilter::append_terms(std::string_view text, uint32_t topics, Buffer<uint64_t> &out) {
    const size_t begin = out.size();
    text::append_topics(text, out);
    words_.read(text);
    const TopicSet set = find_topics(words_);
    const uint32_t shown = topics == UINT32_MAX ? set.shown : set.with(topics);
    for (uint32_t topic = 0; topic < kMaxTopics; ++topic)
        if (shown >> topic & 1) out.push(kTopicTerm + topic);
    std::sort(out.data() + begin, out.end());
}

// The weight is higher, the rarer the term. A topic always weighs like a word of one item, because
// in a focused packet all items have the topic.
double RelevanceFilter::weight(uint64_t term) const {
    if (term - kTopicTerm < kMaxTopics) return std::log(1.0 + (ends_.size() + 1) / 2.0);
    const auto [begin, end] = std::equal_range(sorted_.begin(), sorted_.end(), term);
    return std::log(1.0 +
                    static_cast<double>(ends_.size() + 1) / static_cast<double>(end - begin + 1));
}

double RelevanceFilter::cosine(std::span<const uint64_t> item, double task_norm) const {
    double common = 0, item_norm = 0;
    for (uint64_t term : item) {
        const double squared = weight(term) * weight(term);
        item_norm += squared;
        const TaskTerm *const found =
            std::lower_bound(task_.begin(), task_.end(), TaskTerm{term, 1}, is_before);
        if (found != task_.end() && found->term == term) common += found->share * squared;
    }
    return common > 0 ? common / std::sqrt(task_norm * item_norm) : 0;
}

// Appends the vector of the text to vector_.
Status RelevanceFilter::embed(const FilterRequest &filter, std::string_view text) {
    std::span<const float> vector;
    Status status = filter.embedder->embed(text, vector);
    if (status.failed()) return status;
    if (vector.empty() || (!vector_.empty() && vector_.size() != vector.size()))
        return fail(ACCP_ERR_ARG, 0, "the embedder returned no vector, or one of another length");
    vector_.append(vector.data(), vector.size());
    return {};
}

Status RelevanceFilter::score_vectors(const FilterRequest &filter) {
    vector_.clear();
    Status status = embed(filter, filter.task);
    const size_t size = vector_.size();
    for (size_t i = 0; i < draft_.size() && status.ok(); ++i) {
        text_.clear();
        append_item_text(draft_.packet(), draft_[i].node, text_);
        vector_.resize_down(size);
        status = embed(filter, text_.view());
        double common = 0, task_norm = 0, item_norm = 0;
        for (size_t k = 0; status.ok() && k < size; ++k) {
            const double a = vector_[k], b = vector_[size + k];
            common += a * b, task_norm += a * a, item_norm += b * b;
        }
        const double product = std::sqrt(task_norm * item_norm);
        item_scores_.push(product > 0 ? common / product : 0);
    }
    return status;
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
