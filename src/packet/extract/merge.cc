// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See merge.h.
#include "packet/extract/merge.h"

#include "base/bytes.h"
#include "packet/extract/lexicon.h"
#include "packet/extract/phrase.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kMerged = "merged";
constexpr size_t kMaxGroup = 12;  // decisions in one: more is no sentence
// Words that tell of a decision that it is one, of an amount its unit, and of a name its kind.
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

Status Merger::merge(value::TreeView packet, Packet &out) {
    draft_.open(packet);
    read_facts();
    merged_.clear();
    for (uint32_t topic = 0; topic < kMaxTopics; ++topic) {
        collect(topic);
        if (group_.size() > 1) write_merged(topic);
    }
    keep_sources();
    return draft_.read(out);
}

void Merger::read_facts() {
    facts_.clear();
    for (size_t i = 0; i < draft_.size(); ++i)
        if (draft_[i].kind == ACCP_PACKET_DECISION) add_fact(i);
}

void Merger::add_fact(size_t item) {
    const value::TreeView packet = draft_.packet();
    const Choice choice = split_choice(what_of(packet, draft_[item].node));
    Fact fact = {item, 0, 0, 0, is_decision(packet, draft_[item].node), false};
    read_words(fact, choice.chosen);
    fact.may_lead = fact.may_merge && fact.thing;
    fact.may_merge = fact.may_merge && choice.rejected.empty();
    facts_.push(fact);
}

// Each word is of the one topic, an amount, or says nothing of its own; else it stays as it is. No
// word that denies or leaves open is one of these.
void Merger::read_words(Fact &fact, std::string_view text) {
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
        if (word.role != Role::kHint) fact.topics |= 1u << word.topic;
        if (word.role != Role::kThing) continue;
        if (fact.thing && fact.thing != word.thing) fact.may_merge = false;
        fact.thing = word.thing;
    }
    if (!topics || (topics & (topics - 1))) fact.may_merge = false;
}

// The facts of a topic that are one; none where two things of it are named.
void Merger::collect(uint32_t topic) {
    group_.clear();
    uint32_t thing = 0;
    for (const Fact &fact : facts_) {
        if (!(fact.topics >> topic & 1) || !fact.thing) continue;
        if (thing && fact.thing != thing) return;
        thing = fact.thing;
    }
    for (size_t i = 0; i < facts_.size() && group_.empty(); ++i)
        if (facts_[i].may_lead && facts_[i].topic == topic) group_.push(i);
    for (size_t i = 0; i < facts_.size() && !group_.empty() && group_.size() < kMaxGroup; ++i)
        if (i != group_[0] && facts_[i].may_merge && facts_[i].topic == topic) group_.push(i);
}

void Merger::write_merged(uint32_t topic) {
    draft_.text().append("{\"choice\":");
    write_choice(topic);
    write_joined("reason", ",\"reason\":");
    write_joined("made_by", ",\"made_by\":");
    draft_.text().push('}');
    draft_.replace(facts_[group_[0]].item);
    draft_.forget_sources(ACCP_PACKET_DECISION);
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
void Merger::write_choice(uint32_t topic) {
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

// What the facts have of a member, each text once, as far as any has it.
void Merger::write_joined(std::string_view member, std::string_view key) {
    Buffer<char> &out = draft_.text();
    joined_.clear();
    for (size_t i = 0; i < group_.size(); ++i) {
        const std::string_view text = text_of(draft_.packet(), node_of(group_[i]), member);
        bool again = text.empty();
        for (size_t k = 0; k < i && !again; ++k)
            again = text_of(draft_.packet(), node_of(group_[k]), member) == text;
        if (again) continue;
        if (!joined_.empty()) joined_.append(" + ");
        joined_.append(text);
    }
    if (joined_.empty()) return;
    out.append(key);
    draft_.write_string(joined_.view());
}

// After those of mergers before.
void Merger::keep_sources() {
    if (merged_.empty()) return;
    const value::TreeView packet = draft_.packet();
    const uint32_t before = packet.find(packet.find(0, "context"), kMerged);
    draft_.text().push('[');
    // what is no list is none of ours: it becomes the first of it
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
