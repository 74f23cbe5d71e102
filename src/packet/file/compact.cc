// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/compact.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
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
    merged_.clear();
    group_.clear();
    is_unclear_ = false;
    for (size_t i = 0; i < draft_.size(); ++i)
        if (draft_[i].kind == ACCP_PACKET_DECISION) add(i);
    close_group();
    keep_sources();
    return draft_.build(out);
}

void DecisionMerger::add(size_t item) {
    const value::TreeView packet = draft_.packet();
    const std::string_view choice = what_of(packet, draft_[item].node);
    const bool is_whole = is_decision(packet, draft_[item].node);
    if (is_whole && !group_.empty() && group_.size() < kMaxGroup && is_detail(choice))
        return group_.push(item);
    const bool is_second = group_.size() == 1;
    close_group();
    if (!is_whole || !names_one_thing(choice)) return;
    is_unclear_ = is_second;
    group_.push(item);
}

void DecisionMerger::close_group() {
    if (group_.size() > 1 && !is_unclear_) write_merged();
    group_.clear();
}

void DecisionMerger::write_merged() {
    draft_.text().append("{\"choice\":");
    write_choice();
    write_joined("reason", ",\"reason\":");
    write_joined("made_by", ",\"made_by\":");
    draft_.text().push('}');
    draft_.replace(group_[0]);
    draft_.drop_sources(ACCP_PACKET_DECISION);
    merged_.append(merged_.empty() ? "{\"choice\":" : ",{\"choice\":");
    text_.reserve(0);
    value::write_json_string(text_.view(), merged_);
    merged_.append(",\"of\":[");
    for (size_t i = 0; i < group_.size(); ++i) {
        if (i) merged_.push(',');
        value::write_json(draft_.packet(), node_of(i), merged_);
        if (i) draft_.drop(group_[i]);
    }
    merged_.append("]}");
}

// JWT with RS256, 24h expiry, httpOnly cookie storage
void DecisionMerger::write_choice() {
    text_.clear();
    for (size_t i = 0; i < group_.size(); ++i) {
        if (i) text_.append(i == 1 ? " with " : ", ");
        append_phrase(what_of(draft_.packet(), node_of(i)), text_);
    }
    draft_.write_string(text_.view());
}

// Joins the values of a member over the group, each distinct value once.
void DecisionMerger::write_joined(std::string_view member, std::string_view key) {
    Buffer<char> &out = draft_.text();
    joined_.clear();
    for (size_t i = 0; i < group_.size(); ++i) {
        const std::string_view text = member_text(draft_.packet(), node_of(i), member);
        bool again = text.empty();
        for (size_t k = 0; k < i && !again; ++k)
            again = member_text(draft_.packet(), node_of(k), member) == text;
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
