// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See age.h.
#include "packet/file/age.h"

#include <algorithm>

#include "base/text.h"
#include "packet/extract/phrase.h"
#include "packet/extract/sentence.h"
#include "value/time.h"

namespace accp::packet {

namespace {

constexpr ItemKind kAging[] = {ACCP_PACKET_DECISION, ACCP_PACKET_FAILURE, ACCP_PACKET_PIVOT};

std::string_view first_line(std::string_view text) {
    return text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
}

}  // namespace

Status Fader::fade(value::TreeView packet, const Ages &ages, Packet &out) {
    draft_.open(packet);
    for (ItemKind kind : kAging) {
        sort_by_age(kind);
        for (size_t age = ages.recent; age < order_.size(); ++age) {
            const size_t item = order_[age].item;
            if (age - ages.recent < ages.older || is_of_user(packet, draft_[item].node))
                shorten_item(item);
            else draft_.drop(item);
        }
        note_ancient(kind);
    }
    return draft_.read(out);
}

// An item without a time is as old as the one before it.
void Fader::sort_by_age(ItemKind kind) {
    order_.clear();
    int64_t time = INT64_MIN;
    for (size_t i = 0; i < draft_.size(); ++i) {
        if (draft_[i].kind != kind) continue;
        read_time(text_of(draft_.packet(), draft_[i].node, "at"), time);
        order_.push({i, time});
    }
    std::sort(order_.begin(), order_.end(), [](const Aged &a, const Aged &b) {
        return a.time != b.time ? a.time > b.time : a.item > b.item;
    });
}

// Its first member alone, in one line, and who decided.
void Fader::shorten_item(size_t item) {
    const value::TreeView packet = draft_.packet();
    const uint32_t node = draft_[item].node;
    const std::string_view what = what_of(packet, node);
    if (what.empty()) return;  // a pivot that is a map has no line of its own
    const std::string_view line = shorten(first_line(what));
    if (packet[node].kind == ACCP_STRING) {
        draft_.write_string(line);
        return draft_.replace(item);
    }
    draft_.text().append(draft_[item].kind == ACCP_PACKET_DECISION ? "{\"choice\":"
                                                                   : "{\"approach\":");
    draft_.write_string(line);
    if (const std::string_view by = text_of(packet, node, "made_by"); !by.empty()) {
        draft_.text().append(",\"made_by\":");
        draft_.write_string(by);
    }
    draft_.text().push('}');
    draft_.replace(item);
}

// 3 older decisions: MySQL, nightly, tabs
void Fader::note_ancient(ItemKind kind) {
    uint64_t count = 0;
    for (const Aged &aged : order_) count += draft_.is_dropped(aged.item);
    if (!count) return;
    text_.clear();
    append_decimal(count, text_);
    text_.append(" older ");
    text_.append(count == 1 ? list_of(kind).one : list_of(kind).many);
    std::string_view comma = ": ";
    for (size_t i = order_.size(); i--;) {
        if (!draft_.is_dropped(order_[i].item)) continue;
        const std::string_view tag =
            tag_of(first_line(what_of(draft_.packet(), draft_[order_[i].item].node)));
        if (tag.empty()) continue;
        text_.append(comma);
        text_.append(tag);
        comma = ", ";
    }
    draft_.note(text_.view());
}

}  // namespace accp::packet
