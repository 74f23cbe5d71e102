// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/compact.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "packet/extract/lexicon.h"
#include "packet/extract/sentence.h"
#include "value/json_writer.h"
#include "value/time.h"

namespace accp::packet {

namespace {

constexpr ItemKind kAgingKinds[] = {ACCP_PACKET_DECISION, ACCP_PACKET_FAILURE, ACCP_PACKET_PIVOT};

std::string_view first_line(std::string_view text) {
    return text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
}

constexpr std::string_view kMerged = "merged";
constexpr size_t kMaxGroup = 12;  // larger groups make no readable sentence
// Words that add nothing to a decision: verbs of choosing, units, and categories.
constexpr std::string_view kPlainWords =
    "use|using|choose|adopt|pick|go|switch|with|in|on|by|the|a|an|our|we|of|and|to|for|is|as|at|"
    "per|each|every|store|storage|stored|keep|sign|hash|cache|encrypt|deploy|log|hour|hours|"
    "minute|minutes|second|seconds|day|days|week|weeks|algorithm|library|framework|format|scheme|"
    "strategy|approach|protocol|method|standard|max|min|maximum|minimum|default|size|limit|length|"
    "lifetime|duration|timeout|interval|over|instead|rather|than";

bool has_digit(std::string_view word) {
    for (char c : word)
        if (is_digit(static_cast<unsigned char>(c))) return true;
    return false;
}

bool is_decision(value::TreeView packet, uint32_t item) {
    for (uint32_t i = item + 1; i < packet[item].next; ++i)
        if (packet[i].kind != ACCP_STRING ||
            (packet.key(i) != "choice" && packet.key(i) != "reason" && packet.key(i) != "made_by"))
            return false;
    return true;
}

}  // namespace

Status AgeReducer::reduce(value::TreeView packet, const AgeLimits &ages, Packet &out) {
    draft_.open(packet);
    for (ItemKind kind : kAgingKinds) {
        sort_by_age(kind);
        for (size_t age = ages.recent; age < order_.size(); ++age) {
            const size_t item = order_[age].item;
            if (age - ages.recent < ages.older || is_of_user(packet, draft_[item].node))
                shorten_item(item);
            else draft_.drop(item);
        }
        note_dropped_items(kind);
    }
    return draft_.build(out);
}

// An item without a time gets that of the item before it.
void AgeReducer::sort_by_age(ItemKind kind) {
    order_.clear();
    int64_t time = INT64_MIN;
    for (size_t i = 0; i < draft_.size(); ++i) {
        if (draft_[i].kind != kind) continue;
        read_time(member_text(draft_.packet(), draft_[i].node, "at"), time);
        order_.push({i, time});
    }
    std::sort(order_.begin(), order_.end(), [](const DatedItem &a, const DatedItem &b) {
        return a.time != b.time ? a.time > b.time : a.item > b.item;
    });
}

// Keeps only the first line of the text, and made_by.
void AgeReducer::shorten_item(size_t item) {
    const value::TreeView packet = draft_.packet();
    const uint32_t node = draft_[item].node;
    const std::string_view what = what_of(packet, node);
    if (what.empty()) return;  // a pivot that is a map has no text
    const std::string_view line = shorten(first_line(what));
    if (packet[node].kind == ACCP_STRING) {
        draft_.write_string(line);
        return draft_.replace(item);
    }
    draft_.text().append(draft_[item].kind == ACCP_PACKET_DECISION ? "{\"choice\":"
                                                                   : "{\"approach\":");
    draft_.write_string(line);
    if (const std::string_view by = member_text(packet, node, "made_by"); !by.empty()) {
        draft_.text().append(",\"made_by\":");
        draft_.write_string(by);
    }
    draft_.text().push('}');
    draft_.replace(item);
}

// 3 older decisions: MySQL, nightly, tabs
void AgeReducer::note_dropped_items(ItemKind kind) {
    uint64_t count = 0;
    for (const DatedItem &aged : order_) count += draft_.is_dropped(aged.item);
    if (!count) return;
    text_.clear();
    append_decimal(count, text_);
    text_.append(" older ");
    text_.append(count == 1 ? list_of_kind(kind).one : list_of_kind(kind).many);
    std::string_view comma = ": ";
    for (size_t i = order_.size(); i--;) {
        if (!draft_.is_dropped(order_[i].item)) continue;
        const std::string_view tag =
            keyword_of(first_line(what_of(draft_.packet(), draft_[order_[i].item].node)));
        if (tag.empty()) continue;
        text_.append(comma);
        text_.append(tag);
        comma = ", ";
    }
    draft_.add_note(text_.view());
}

Status DecisionMerger::merge(value::TreeView packet, Packet &out) {
    draft_.open(packet);
    read_facts();
    merged_.clear();
    for (uint32_t topic = 0; topic < kMaxTopics; ++topic) {
        collect(topic);
        if (group_.size() > 1) write_merged(topic);
    }
    keep_sources();
    return draft_.build(out);
}

void DecisionMerger::read_facts() {
    facts_.clear();
    for (size_t i = 0; i < draft_.size(); ++i)
        if (draft_[i].kind == ACCP_PACKET_DECISION) add_fact(i);
}

void DecisionMerger::add_fact(size_t item) {
    const value::TreeView packet = draft_.packet();
    const Choice choice = split_choice(what_of(packet, draft_[item].node));
    Fact fact = {item, 0, 0, 0, is_decision(packet, draft_[item].node), false};
    read_words(fact, choice.chosen);
    fact.may_lead = fact.may_merge && fact.product;
    fact.may_merge = fact.may_merge && choice.rejected.empty();
    facts_.push(fact);
}

// A decision may be merged if each word is of one topic, an amount, or a plain word. Words of
// negation or doubt do not count as plain words.
void DecisionMerger::read_words(Fact &fact, std::string_view text) {
    words_.read(text);
    uint32_t topics = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
        TopicWord word;
        if (!find_topic_word(words_[i], word)) {
            fact.may_merge = fact.may_merge && (has_digit(words_[i]) ||
                                                text::matches_element(words_[i], kPlainWords));
            continue;
        }
        topics |= 1u << word.topic;
        fact.topic = word.topic;
        if (word.role != TopicRole::kHint) fact.topics |= 1u << word.topic;
        if (word.role != TopicRole::kProduct) continue;
        if (fact.product && fact.product != word.product) fact.may_merge = false;
        fact.product = word.product;
    }
    if (!topics || (topics & (topics - 1))) fact.may_merge = false;
}

// Collects the facts of a topic into group_. It stays empty if they name two products.
void DecisionMerger::collect(uint32_t topic) {
    group_.clear();
    uint32_t product = 0;
    for (const Fact &fact : facts_) {
        if (!(fact.topics >> topic & 1) || !fact.product) continue;
        if (product && fact.product != product) return;
        product = fact.product;
    }
    for (size_t i = 0; i < facts_.size() && group_.empty(); ++i)
        if (facts_[i].may_lead && facts_[i].topic == topic) group_.push(i);
    for (size_t i = 0; i < facts_.size() && !group_.empty() && group_.size() < kMaxGroup; ++i)
        if (i != group_[0] && facts_[i].may_merge && facts_[i].topic == topic) group_.push(i);
}

void DecisionMerger::write_merged(uint32_t topic) {
    draft_.text().append("{\"choice\":");
    write_choice(topic);
    write_joined("reason", ",\"reason\":");
    write_joined("made_by", ",\"made_by\":");
    draft_.text().push('}');
    draft_.replace(facts_[group_[0]].item);
    draft_.drop_sources(ACCP_PACKET_DECISION);
    merged_.append(merged_.empty() ? "{\"choice\":" : ",{\"choice\":");
    text_.reserve(0);
    value::write_json_string(text_.view(), merged_);
    merged_.append(",\"of\":[");
    for (size_t i = 0; i < group_.size(); ++i) {
        if (i) merged_.push(',');
        value::write_json(draft_.packet(), node_of(group_[i]), merged_);
        if (i) draft_.drop(facts_[group_[i]].item);
    }
    merged_.append("]}");
}

// JWT auth with RS256, 24h expiry, httpOnly cookie storage
void DecisionMerger::write_choice(uint32_t topic) {
    text_.clear();
    for (size_t i = 0; i < group_.size(); ++i) {
        if (i)
            text_.append(i == 1 && text_.view().find(" with ") == text_.view().npos ? " with "
                                                                                    : ", ");
        append_phrase(what_of(draft_.packet(), node_of(group_[i])), text_);
        if (i || text_.view().find(' ') != text_.view().npos) continue;
        text_.push(' ');
        text_.append(short_name_of(topic));
    }
    draft_.write_string(text_.view());
}

// Joins the values of a member over the group, each distinct value once.
void DecisionMerger::write_joined(std::string_view member, std::string_view key) {
    Buffer<char> &out = draft_.text();
    joined_.clear();
    for (size_t i = 0; i < group_.size(); ++i) {
        const std::string_view text = member_text(draft_.packet(), node_of(group_[i]), member);
        bool again = text.empty();
        for (size_t k = 0; k < i && !again; ++k)
            again = member_text(draft_.packet(), node_of(group_[k]), member) == text;
        if (again) continue;
        if (!joined_.empty()) joined_.append(" + ");
        joined_.append(text);
    }
    if (joined_.empty()) return;
    out.append(key);
    draft_.write_string(joined_.view());
}

// Appends to the originals of earlier merges.
void DecisionMerger::keep_sources() {
    if (merged_.empty()) return;
    const value::TreeView packet = draft_.packet();
    const uint32_t before = packet.find(packet.find(0, "context"), kMerged);
    draft_.text().push('[');
    // a foreign value that is not a list becomes its first element
    const bool listed = before && packet[before].kind == ACCP_ARRAY;
    const uint32_t end = before ? packet[before].next : 0;
    for (uint32_t i = listed ? before + 1 : before; i && i < end; i = packet[i].next) {
        value::write_json(packet, i, draft_.text());
        draft_.text().push(',');
    }
    draft_.text().append(merged_);
    draft_.text().push(']');
    draft_.set(kMerged);
}

}  // namespace accp::packet
