// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See index.h: what answers a question.
#include <algorithm>
#include <cmath>

#include "packet/query/index.h"
#include "packet/query/index_terms.h"
#include "packet/extract/lexicon.h"

namespace accp::packet {

namespace {

// What a word of the question counts in an item that has it, in one of its topic, and in one of a
// packet whose task or goal has it: the last less where the question does not say what it wants.
constexpr float kOwnShare = 1, kTopicShare = 0.6F, kPacketShare = 0.5F, kVagueShare = 0.3F;
constexpr float kRounding = 0.001F;
constexpr size_t kMaxHits = 64;

template <class T>
void fill(Buffer<T> &buffer, size_t count, T value) {
    buffer.clear();
    std::fill_n(buffer.reserve(count), count, value);
    buffer.advance(count);
}

}  // namespace

Status Index::ask(const Question &question, std::string_view from) {
    hits_.clear();
    fill(scores_, entries_.size(), 0.0F);
    fill(stamps_, entries_.size(), uint32_t{0});
    fill(open_, entries_.size(), static_cast<char>(from.empty()));
    if (!from.empty() && !open_from(from))
        return fail(ACCP_ERR_ARG, 0, "no packet of the index has this checksum");
    if (question.terms().empty()) {
        collect_newest(question);
        return {};
    }
    float whole = 0;
    uint32_t stamp = 0;
    for (const QuestionTerm &term : question.terms()) {
        whole += rarity(term);
        add_scores(question, term, ++stamp);
    }
    collect(question, whole);
    return {};
}

// Opens the packet, and breadth first what it refers to. False: there is no such packet.
bool Index::open_from(std::string_view checksum) {
    constexpr uint32_t kNotReached = UINT32_MAX;
    const size_t first = find_packet(checksum);
    if (first == packets_.size()) return false;
    fill(way_, packets_.size(), kNotReached);
    fill(whole_, packets_.size(), '\0');
    reached_.clear();
    reached_.push(static_cast<uint32_t>(first));
    way_[first] = static_cast<uint32_t>(first);
    open_entries(first, 0);
    size_t level_end = 1;
    for (size_t at = 0, hops = 0; at < reached_.size(); ++at) {
        if (at == level_end) level_end = reached_.size(), ++hops;
        if (hops == kMaxHops) break;
        const StoredPacket &packet = packets_[reached_[at]];
        for (uint32_t i = packet.references_begin; i < packet.references_end; ++i) {
            const size_t to = find_packet(view(references_[i].checksum));
            if (to == packets_.size()) continue;  // nobody has added it
            open_entries(to, references_[i].decision);
            if (way_[to] != kNotReached) continue;
            way_[to] = reached_[at];
            reached_.push(static_cast<uint32_t>(to));
        }
    }
    return true;
}

// All of a packet, or one decision.
void Index::open_entries(size_t packet, uint32_t decision) {
    const StoredPacket &stored = packets_[packet];
    if (decision) {
        if (decision <= stored.decisions) open_[stored.first_decision + decision - 1] = 1;
        return;
    }
    if (whole_[packet]) return;
    whole_[packet] = 1;
    std::memset(open_.data() + stored.entries_begin, 1, stored.entries_end - stored.entries_begin);
}

bool Index::may_answer(const Question &question, uint32_t entry) const {
    const StoredEntry &stored = entries_[entry];
    if (!open_[entry]) return false;
    if (question.asks_why()) return question.asks_for(stored.kind) && stored.why.len;
    if (question.asks_for(stored.kind)) return stored.what.len > 0;
    return stored.kind == ACCP_PACKET_CONSTRAINT && question.asks_for_values() && stored.is_value;
}

// How much a word tells: of the words and topics that fewer items have, more.
float Index::rarity(const QuestionTerm &term) const {
    const Term *const own = find_term(term.word);
    const double having = own ? own->count : 0, count = static_cast<double>(entries_.size());
    return static_cast<float>(std::log(1 + (count + 1) / (having + 1)));
}

void Index::add_scores(const Question &question, const QuestionTerm &term, uint32_t stamp) {
    const float weight = rarity(term);
    const auto each_holder = [this](uint64_t hash, auto visit) {
        const Term *const found = find_term(hash);
        for (uint32_t at = found ? found->first : 0; at; at = postings_[at - 1].next)
            visit(postings_[at - 1].holder);
    };
    const auto give = [&](uint32_t entry, float share) {
        if (stamps_[entry] == stamp || !open_[entry]) return;
        stamps_[entry] = stamp;
        scores_[entry] += share * weight;
    };
    // to name a topic is not to say what was decided of it
    const float own = term.topics ? kTopicShare : kOwnShare;
    each_holder(term.word, [&](uint32_t entry) { give(entry, own); });
    for (uint32_t topic = 0; topic < kMaxTopics && term.topics >> topic; ++topic)
        if (term.topics >> topic & 1)
            each_holder(kTopicTerm + topic, [&](uint32_t entry) { give(entry, kTopicShare); });
    const float share = question.names_kind() ? kPacketShare : kVagueShare;
    each_holder(term.word ^ kPacketSalt, [&](uint32_t packet) {
        for (uint32_t i = packets_[packet].entries_begin; i < packets_[packet].entries_end; ++i)
            if (!term.topics || (entries_[i].topics & term.topics)) give(i, share);
    });
}

bool Index::is_newer(uint32_t a, uint32_t b) const {
    const StoredPacket &of_a = packets_[a], &of_b = packets_[b];
    if (of_a.created != of_b.created) return of_a.created > of_b.created;
    // versions of one packet stand together, so that the order is one
    if (const int order = task_of(a).compare(task_of(b))) return order > 0;
    if (const int order = view(of_a.creator).compare(view(of_b.creator))) return order > 0;
    return of_a.version != of_b.version ? of_a.version > of_b.version : a > b;
}

void Index::collect(const Question &question, float whole) {
    const auto count = static_cast<uint32_t>(entries_.size());
    for (uint32_t i = 0; i < count; ++i) {
        const float score = scores_[i] / whole;
        if (score < kMinScore - kRounding || !may_answer(question, i)) continue;
        hits_.push({i, std::min(score, 1.0F)});
    }
    const auto is_better = [this](const Hit &a, const Hit &b) {
        if (a.score != b.score) return a.score > b.score;
        const uint32_t of_a = entries_[a.entry].packet, of_b = entries_[b.entry].packet;
        return of_a != of_b ? is_newer(of_a, of_b) : a.entry < b.entry;
    };
    const size_t kept = std::min(hits_.size(), kMaxHits);
    std::partial_sort(hits_.begin(), hits_.begin() + kept, hits_.end(), is_better);
    hits_.resize_down(kept);
}

// Of a question without a topic: what the newest packet has of the kind that it names.
void Index::collect_newest(const Question &question) {
    if (!question.names_kind()) return;
    const auto count = static_cast<uint32_t>(entries_.size());
    for (uint32_t i = 0; i < count; ++i) {
        if (!may_answer(question, i)) continue;
        const uint32_t packet = entries_[i].packet;
        if (!hits_.empty() && packet != entries_[hits_[0].entry].packet) {
            if (!is_newer(packet, entries_[hits_[0].entry].packet)) continue;
            hits_.clear();
        }
        hits_.push({i, 1});
    }
    hits_.resize_down(std::min(hits_.size(), kMaxHits));
}

}  // namespace accp::packet
