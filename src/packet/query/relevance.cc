// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See relevance.h.
#include "packet/query/relevance.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "packet/extract/lexicon.h"
#include "packet/query/index_terms.h"

namespace accp::packet {

namespace {

constexpr double kSure = 0.15;  // what an item has to have to lend its words to the task
constexpr double kLent = 0.5;   // what such a word counts

bool is_filtered(ItemKind kind) {
    return kind != ACCP_PACKET_GOAL && kind != ACCP_PACKET_NOT_INCLUDED;
}

// What is kept where it has anything to do with the task.
bool is_binding(value::TreeView packet, const Item &item) {
    return item.kind == ACCP_PACKET_CONSTRAINT ||
           (item.kind == ACCP_PACKET_DECISION && is_of_user(packet, item.node));
}

}  // namespace

Status Relevance::filter(value::TreeView packet, const Filter &filter, Packet &out) {
    draft_.open(packet);
    next_.clear();
    kept_.clear();
    Status status = filter.embedder ? score_vectors(filter) : score_words(filter);
    if (status.failed()) return status;
    uint32_t numbers[kItemKinds] = {};
    for (size_t i = 0; i < draft_.size(); ++i) {
        const Item &item = draft_[i];
        const double needed = is_binding(packet, item) && !filter.embedder
                                  ? std::min(filter.threshold, 1e-9)
                                  : filter.threshold;
        if (is_filtered(item.kind) && next_[i] < needed) draft_.drop(i);
        else kept_.push({item.kind, ++numbers[item.kind], next_[i]});
    }
    note_dropped(filter.name);
    status = draft_.read(out);
    if (status.failed()) kept_.clear();
    return status;
}

Status Relevance::score_words(const Filter &filter) {
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
    lend_terms();
    score_items();
    return {};
}

void Relevance::score_items() {
    next_.clear();
    double of_task = 0;
    for (const TaskTerm &term : task_) {
        const double heavy = term.share * weight(term.term);
        of_task += heavy * heavy;
    }
    for (size_t i = 0; i < draft_.size(); ++i) next_.push(cosine(terms_of(i), of_task));
}

// What is surely about the task has words that the task has not, and others about it may have.
void Relevance::lend_terms() {
    hashes_.clear();
    for (size_t i = 0; i < draft_.size(); ++i)
        if (is_filtered(draft_[i].kind) && next_[i] >= kSure)
            hashes_.append(terms_of(i).data(), terms_of(i).size());
    std::sort(hashes_.begin(), hashes_.end());
    const size_t own = task_.size();
    for (size_t i = 0; i < hashes_.size(); ++i) {
        const bool again = i && hashes_[i] == hashes_[i - 1];
        if (again || std::binary_search(task_.begin(), task_.begin() + own, TaskTerm{hashes_[i], 1},
                                        is_before))
            continue;
        task_.push({hashes_[i], kLent});
    }
    std::sort(task_.begin(), task_.end(), is_before);
}

// Words, and after them topics: sorted. A hint shows a topic where it is one of these.
void Relevance::append_terms(std::string_view text, uint32_t topics, Buffer<uint64_t> &out) {
    const size_t begin = out.size();
    text::append_topics(text, out);
    words_.read(text);
    const TopicSet set = find_topics(words_);
    const uint32_t shown = topics == UINT32_MAX ? set.shown : set.with(topics);
    for (uint32_t topic = 0; topic < kMaxTopics; ++topic)
        if (shown >> topic & 1) out.push(kTopicTerm + topic);
    std::sort(out.data() + begin, out.end());
}

// More, the rarer it is; of a topic as of a word that one item has, as it tells the same where all
// of a packet are about it.
double Relevance::weight(uint64_t term) const {
    if (term - kTopicTerm < kMaxTopics) return std::log(1.0 + (ends_.size() + 1) / 2.0);
    const auto [begin, end] = std::equal_range(sorted_.begin(), sorted_.end(), term);
    return std::log(1.0 +
                    static_cast<double>(ends_.size() + 1) / static_cast<double>(end - begin + 1));
}

double Relevance::cosine(std::span<const uint64_t> item, double of_task) const {
    double common = 0, of_item = 0;
    for (uint64_t term : item) {
        const double squared = weight(term) * weight(term);
        of_item += squared;
        const TaskTerm *const found =
            std::lower_bound(task_.begin(), task_.end(), TaskTerm{term, 1}, is_before);
        if (found != task_.end() && found->term == term) common += found->share * squared;
    }
    return common > 0 ? common / std::sqrt(of_task * of_item) : 0;
}

// Appends the vector of a text.
Status Relevance::embed(const Filter &filter, std::string_view text) {
    std::span<const float> vector;
    Status status = filter.embedder->embed(text, vector);
    if (status.failed()) return status;
    if (vector.empty() || (!vector_.empty() && vector_.size() != vector.size()))
        return fail(ACCP_ERR_ARG, 0, "the embedder gave no vector, or one of another length");
    vector_.append(vector.data(), vector.size());
    return {};
}

Status Relevance::score_vectors(const Filter &filter) {
    vector_.clear();
    Status status = embed(filter, filter.task);
    const size_t size = vector_.size();
    for (size_t i = 0; i < draft_.size() && status.ok(); ++i) {
        text_.clear();
        append_item_text(draft_.packet(), draft_[i].node, text_);
        vector_.resize_down(size);
        status = embed(filter, text_.view());
        double common = 0, of_task = 0, of_item = 0;
        for (size_t k = 0; status.ok() && k < size; ++k) {
            const double a = vector_[k], b = vector_[size + k];
            common += a * b, of_task += a * a, of_item += b * b;
        }
        const double product = std::sqrt(of_task * of_item);
        next_.push(product > 0 ? common / product : 0);
    }
    return status;
}

void Relevance::note_dropped(std::string_view task) {
    for (int kind = 0; kind < kItemKinds; ++kind) {
        uint64_t dropped = 0;
        for (size_t i = 0; i < draft_.size(); ++i)
            dropped += draft_[i].kind == kind && draft_.is_dropped(i);
        if (!dropped) continue;
        const ItemList &list = list_of(static_cast<ItemKind>(kind));
        text_.clear();
        append_decimal(dropped, text_);
        text_.push(' ');
        text_.append(dropped == 1 ? list.one : list.many);
        text_.append(" not about: ");
        text_.append(task);
        draft_.note(text_.view());
    }
}

}  // namespace accp::packet
