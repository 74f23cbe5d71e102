// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/query/answer.h"

#include <algorithm>

#include "base/text.h"
#include "packet/extract/sentence.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr float kNearBest = 0.8F;  // minimum share of the best score to be part of the sentence
constexpr size_t kMaxParts = 8, kMaxSources = 16;

// Writes 1, or two decimals as in 0.60.
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

}  // namespace

void AnswerWriter::write(bool is_restricted, Buffer<char> &out) {
    out_ = &out;
    text_.clear();
    write_text();
    out.append("{\"answer\":");
    value::write_json_string(text_.view(), *out_);
    out.append(",\"sources\":[");
    const std::span<const Hit> hits = index_.hits();
    for (size_t i = 0; i < hits.size() && i < kMaxSources; ++i) {
        if (i) out.push(',');
        write_source(hits[i], is_restricted);
    }
    out.append("]}");
}

void AnswerWriter::write_text() {
    if (question_.asks_why()) write_reasons();
    else if (question_.asks_for_values()) write_decisions();
    else write_items();
}

// Returns whether the hit belongs to the packet of the best one and has a similar score.
bool AnswerWriter::is_quoted(size_t hit) const {
    const std::span<const Hit> hits = index_.hits();
    return hit < kMaxSources && hits[hit].score >= kNearBest * hits[0].score &&
           index_[hits[hit].entry].packet == index_[hits[0].entry].packet;
}

size_t AnswerWriter::find_primary() const {
    for (size_t i = 0; i < index_.hits().size(); ++i)
        if (is_quoted(i) && index_[index_.hits()[i].entry].kind == ACCP_PACKET_DECISION) return i;
    return 0;
}

// Writes `JWT with RS256, 24h expiry, per user request`: the details of the decision follow it,
// other hits come after them unchanged.
void AnswerWriter::write_decisions() {
    const std::span<const Hit> hits = index_.hits();
    const size_t primary = find_primary();
    const IndexEntry first = index_[hits[primary].entry];
    size_t beside = 0, parts = 1;
    append_brief(first.what, text_);
    for (const bool decisions : {true, false}) {
        for (size_t i = 0; i < hits.size() && parts < kMaxParts; ++i) {
            const IndexEntry entry = index_[hits[i].entry];
            if (i == primary || !is_quoted(i) ||
                (entry.kind == ACCP_PACKET_DECISION) != decisions || !is_detail(entry.what))
                continue;
            brief_.clear();
            append_brief(entry.what, brief_);
            if (text_.view().find(brief_.view()) != text_.view().npos) continue;
            text_.append(text_.view().find(" with ") != text_.view().npos ? ", " : " with ");
            ++beside;
            text_.append(brief_);
            ++parts;
        }
    }
    if (!beside) text_.clear(), text_.append(first.what);
    append_maker(first.by, text_);
    for (size_t i = 0; i < hits.size() && parts < kMaxParts; ++i) {
        const IndexEntry entry = index_[hits[i].entry];
        if (i == primary || !is_quoted(i) || is_detail(entry.what)) continue;
        text_.append("; ");
        text_.append(entry.what);
        append_maker(entry.by, text_);
        ++parts;
    }
}

void AnswerWriter::write_reasons() {
    size_t parts = 0;
    for (size_t i = 0; i < index_.hits().size() && parts < kMaxParts; ++i) {
        if (!is_quoted(i)) continue;
        if (parts++) text_.append("; ");
        text_.append(index_[index_.hits()[i].entry].why);
    }
}

void AnswerWriter::write_items() {
    size_t parts = 0;
    for (size_t i = 0; i < index_.hits().size() && parts < kMaxParts; ++i) {
        if (!is_quoted(i)) continue;
        const IndexEntry entry = index_[index_.hits()[i].entry];
        if (parts++) text_.append("; ");
        text_.append(entry.what);
        if (entry.why.empty()) continue;
        text_.append(": ");
        text_.append(entry.why);
    }
}

void AnswerWriter::write_source(const Hit &hit, bool is_restricted) {
    const IndexEntry entry = index_[hit.entry];
    out_->append("{\"packet\":");
    value::write_json_string(index_.checksum_of(entry.packet), *out_);
    write_member(",\"task\":", index_.task_of(entry.packet));
    write_member(",\"kind\":", list_of_kind(entry.kind).member);
    out_->append(",\"number\":");
    append_decimal(entry.number, *out_);
    write_member(",\"text\":", entry.what);
    write_member(",\"why\":", entry.why);
    write_member(",\"made_by\":", entry.by);
    out_->append(",\"score\":");
    append_score(hit.score, *out_);
    if (is_restricted) write_path(entry.packet);
    out_->push('}');
}

// Writes the packets that lead to this one, from the first one of the search.
void AnswerWriter::write_path(uint32_t packet) {
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

void AnswerWriter::write_member(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    out_->append(name);
    value::write_json_string(text, *out_);
}

}  // namespace accp::packet
