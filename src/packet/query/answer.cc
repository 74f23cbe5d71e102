// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See answer.h.
#include "packet/query/answer.h"

#include <algorithm>

#include "base/text.h"
#include "packet/extract/phrase.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr float kNearBest = 0.8F;  // of the best score: what stands in the sentence too
constexpr size_t kMaxParts = 8, kMaxSources = 16;

// 1, or 0.60
void append_score(float score, Buffer<char> &out) {
    const auto hundredths = static_cast<uint32_t>(score * 100 + 0.5F);
    if (hundredths >= 100) return out.push('1');
    out.append("0.");
    out.push(static_cast<char>('0' + hundredths / 10));
    out.push(static_cast<char>('0' + hundredths % 10));
}

void append_maker(std::string_view by, Buffer<char> &out) {
    if (by.empty()) return;
    if (by == "user") return out.append(", per user request");
    out.append(", by ");
    out.append(by);
}

// A few words, which may stand beside a thing; more of them are a sentence.
bool is_phrase(std::string_view text) {
    constexpr long kMaxBlanks = 3;
    return std::count(text.begin(), text.end(), ' ') <= kMaxBlanks;
}

}  // namespace

void Answer::write(bool walked, Buffer<char> &out) {
    out_ = &out;
    text_.clear();
    write_text();
    out.append("{\"answer\":");
    value::write_json_string(text_.view(), *out_);
    out.append(",\"sources\":[");
    const std::span<const Hit> hits = index_.hits();
    for (size_t i = 0; i < hits.size() && i < kMaxSources; ++i) {
        if (i) out.push(',');
        write_source(hits[i], walked);
    }
    out.append("]}");
}

void Answer::write_text() {
    if (question_.asks_why()) write_reasons();
    else if (question_.asks_for_values()) write_decided();
    else write_items();
}

// Of the packet of the best one, and about as good?
bool Answer::is_used(size_t hit) const {
    const std::span<const Hit> hits = index_.hits();
    return hit < kMaxSources && hits[hit].score >= kNearBest * hits[0].score &&
           index_[hits[hit].entry].packet == index_[hits[0].entry].packet;
}

size_t Answer::find_primary() const {
    for (size_t i = 0; i < index_.hits().size(); ++i)
        if (is_used(i) && index_[index_.hits()[i].entry].kind == ACCP_PACKET_DECISION) return i;
    return 0;
}

// JWT with RS256, 24h expiry, per user request; what is of another topic after it, as it was said.
void Answer::write_decided() {
    const std::span<const Hit> hits = index_.hits();
    const size_t primary = find_primary();
    const Entry first = index_[hits[primary].entry];
    const uint32_t topics = index_.topics_of(hits[primary].entry);
    size_t beside = 0, parts = 1;
    append_brief(first.what, text_);
    for (const bool decisions : {true, false}) {
        for (size_t i = 0; i < hits.size() && parts < kMaxParts; ++i) {
            const Entry entry = index_[hits[i].entry];
            if (i == primary || !is_used(i) || (entry.kind == ACCP_PACKET_DECISION) != decisions ||
                !(index_.topics_of(hits[i].entry) & topics))
                continue;
            brief_.clear();
            append_brief(entry.what, brief_);
            if (!is_phrase(brief_.view()) || text_.view().find(brief_.view()) != text_.view().npos)
                continue;
            text_.append(text_.view().find(" with ") != text_.view().npos ? ", " : " with ");
            ++beside;
            text_.append(brief_);
            ++parts;
        }
    }
    if (!beside) text_.clear(), text_.append(first.what);
    append_maker(first.by, text_);
    for (size_t i = 0; i < hits.size() && parts < kMaxParts; ++i) {
        const Entry entry = index_[hits[i].entry];
        brief_.clear();
        append_brief(entry.what, brief_);
        const bool is_beside =
            (index_.topics_of(hits[i].entry) & topics) && is_phrase(brief_.view());
        if (i == primary || !is_used(i) || is_beside) continue;
        text_.append("; ");
        text_.append(entry.what);
        append_maker(entry.by, text_);
        ++parts;
    }
}

void Answer::write_reasons() {
    size_t parts = 0;
    for (size_t i = 0; i < index_.hits().size() && parts < kMaxParts; ++i) {
        if (!is_used(i)) continue;
        if (parts++) text_.append("; ");
        text_.append(index_[index_.hits()[i].entry].why);
    }
}

void Answer::write_items() {
    size_t parts = 0;
    for (size_t i = 0; i < index_.hits().size() && parts < kMaxParts; ++i) {
        if (!is_used(i)) continue;
        const Entry entry = index_[index_.hits()[i].entry];
        if (parts++) text_.append("; ");
        text_.append(entry.what);
        if (entry.why.empty()) continue;
        text_.append(": ");
        text_.append(entry.why);
    }
}

void Answer::write_source(const Hit &hit, bool walked) {
    const Entry entry = index_[hit.entry];
    out_->append("{\"packet\":");
    value::write_json_string(index_.checksum_of(entry.packet), *out_);
    write_member(",\"task\":", index_.task_of(entry.packet));
    write_member(",\"kind\":", list_of(entry.kind).member);
    out_->append(",\"number\":");
    append_decimal(entry.number, *out_);
    write_member(",\"text\":", entry.what);
    write_member(",\"why\":", entry.why);
    write_member(",\"made_by\":", entry.by);
    out_->append(",\"score\":");
    append_score(hit.score, *out_);
    if (walked) write_way(entry.packet);
    out_->push('}');
}

// The packets that lead to this one, from the one that was asked on.
void Answer::write_way(uint32_t packet) {
    out_->append(",\"by_way_of\":[");
    uint32_t way[kMaxHops], length = 0;
    for (uint32_t at = packet; index_.referrer_of(at) != at && length < kMaxHops; ++length)
        way[length] = at = index_.referrer_of(at);
    for (uint32_t step = length; step; --step) {
        if (step < length) out_->push(',');
        value::write_json_string(index_.checksum_of(way[step - 1]), *out_);
    }
    out_->push(']');
}

void Answer::write_member(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    out_->append(name);
    value::write_json_string(text, *out_);
}

}  // namespace accp::packet
