// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the chosen items as a packet, and the report about those that the caller gave.
#include <algorithm>

#include "base/text.h"
#include "packet/file/generate.h"
#include "packet/file/sources.h"
#include "value/json_writer.h"
#include "value/time.h"

namespace accp::packet {

namespace {

// The lists of a packet in the order in which they are written.
constexpr ItemKind kContextLists[] = {ACCP_PACKET_CRITERION, ACCP_PACKET_DECISION,
                                      ACCP_PACKET_CONSTRAINT};
constexpr ItemKind kCodebaseLists[] = {ACCP_PACKET_FILE, ACCP_PACKET_PATTERN,
                                       ACCP_PACKET_ANTI_PATTERN, ACCP_PACKET_EXAMPLE};
constexpr ItemKind kHistoryLists[] = {ACCP_PACKET_FAILURE, ACCP_PACKET_PIVOT, ACCP_PACKET_QUESTION};
constexpr ItemKind kCounted[] = {
    ACCP_PACKET_CRITERION, ACCP_PACKET_CONSTRAINT, ACCP_PACKET_DECISION,     ACCP_PACKET_FAILURE,
    ACCP_PACKET_FILE,      ACCP_PACKET_PATTERN,    ACCP_PACKET_ANTI_PATTERN, ACCP_PACKET_EXAMPLE,
    ACCP_PACKET_PIVOT,     ACCP_PACKET_QUESTION};

// Returns the text on one line.
std::string_view on_one_line(std::string_view text, Buffer<char> &scratch) {
    if (text.find('\n') == text.npos) return text;
    scratch.clear();
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        scratch.append(text.substr(at, end - at));
        while (!scratch.empty() && is_blank(scratch.view().back()))
            scratch.resize_down(scratch.size() - 1);
        if (end == text.size()) break;
        scratch.push(' ');
        at = std::min(text.find_first_not_of(kBlanks, end), text.size());
    }
    return scratch.view();
}

void write_member(const char *name, std::string_view text, Buffer<char> &out) {
    out.append(name);
    value::write_json_string(text, out);
}

// Writes the size of a source of the packet.
void write_source(const char *name, uint64_t count, const char *unit, Buffer<char> &out) {
    out.append(name);
    append_decimal(count, out);
    out.push(' ');
    out.append(unit);
    out.append(count == 1 ? "\"" : "s\"");
}

void append_place(uint32_t message, uint32_t begin, uint32_t end, std::span<const uint64_t> records,
                  Buffer<char> &out) {
    if (!records.empty()) out.append("$cold.m");
    append_decimal(records.empty() ? message : records[message], out);
    if (end == begin) return;
    out.push(':');
    append_decimal(begin, out);
    out.push('-');
    append_decimal(end, out);
}

}  // namespace

void Generator::write(const GenerateRequest &request) {
    const std::string_view given_goal =
        request.given_items ? request.given_items->goal() : std::string_view();
    write_member("{\"version\":1,\"created\":", write_time(request.created).view(), json_);
    write_member(",\"creator\":", request.creator, json_);
    write_member(",\"target_task\":", request.task, json_);
    write_member(",\"context\":{\"goal\":", given_goal.empty() ? request.task : given_goal, json_);
    for (const ItemKind kind : kContextLists) write_list(kind);
    write_codebase();
    for (const ItemKind kind : kHistoryLists) write_list(kind);
    write_not_included(request);
    json_.append("},\"sources\":{");
    write_sources(request);
    json_.append("}}");
}

void Generator::write_codebase() {
    json_.append(",\"codebase\":{");
    const size_t begin = json_.size();
    for (const ItemKind kind : kCodebaseLists) write_list(kind);
    if (json_.size() == begin) json_.append("\"relevant_files\":[]");
    else if (json_[begin] == ',') json_[begin] = ' ';
    json_.push('}');
}

// Returns the kept items of a kind: the caller's in its order, sentences in the order of the
// conversation, files by rank.
std::span<const Candidate *const> Generator::kept_in_order(ItemKind kind) {
    order_.clear();
    for (const Candidate &candidate : selection_.candidates())
        if (candidate.is_kept() && candidate.kind == kind) order_.push(&candidate);
    std::sort(order_.begin(), order_.end(), [](const Candidate *a, const Candidate *b) {
        if (!a->finding || !b->finding) return a < b;  // in the order in which they were added
        if (a->finding->message != b->finding->message)
            return a->finding->message < b->finding->message;
        return a->finding->begin != b->finding->begin ? a->finding->begin < b->finding->begin
                                                      : a < b;
    });
    return {order_.data(), order_.size()};
}

void Generator::write_list(ItemKind kind) {
    if (kept_in_order(kind).empty()) return;
    json_.push(',');
    value::write_json_string(list_of_kind(kind).member, json_);
    const char *before = ":[";
    for (const Candidate *candidate : kept_in_order(kind)) {
        json_.append(before);
        write_item(*candidate);
        before = ",";
    }
    json_.push(']');
}

// Writes the text with the question that it answers.
void Generator::write_text(const Candidate &candidate) {
    scratch_.clear();
    if (!candidate.question.empty()) {
        scratch_.append(on_one_line(candidate.question, line_));
        scratch_.push(' ');
    }
    scratch_.append(on_one_line(candidate.text.what, line_));
    if (candidate.file) std::replace(scratch_.begin(), scratch_.end(), '\\', '/');
    value::write_json_string(scratch_.view(), json_);
}

void Generator::write_item(const Candidate &candidate) {
    const char *what = nullptr, *why = nullptr;
    switch (candidate.kind) {
        case ACCP_PACKET_DECISION: what = "{\"choice\":", why = ",\"reason\":"; break;
        case ACCP_PACKET_FAILURE: what = "{\"approach\":", why = ",\"reason_failed\":"; break;
        case ACCP_PACKET_FILE: what = "{\"path\":", why = ",\"summary\":"; break;
        default: return write_text(candidate);
    }
    json_.append(what);
    write_text(candidate);
    const Statement &text = candidate.text;
    if (!text.why.empty()) {
        scratch_.clear();
        scratch_.append(on_one_line(text.why, line_));
        if (!text.cause.empty()) scratch_.append("; ");
        scratch_.append(on_one_line(text.cause, line_));
        write_member(why, scratch_.view(), json_);
    }
    if (!candidate.made_by.empty()) write_member(",\"made_by\":", candidate.made_by, json_);
    json_.push('}');
}

// Writes the place of each item: "message:begin-end", byte offsets in the message's text; an item
// of a structured message has only the message. For a file of the code, its hash. An
// item of the caller is "given" without a quote, and "unverified" if its quote is nowhere.
void Generator::write_sources(const GenerateRequest &request) {
    const char *comma = "";
    const auto write_places = [&](ItemKind kind) {
        const std::span<const Candidate *const> kept = kept_in_order(kind);
        const auto has_place = [](const Candidate *candidate) {
            return candidate->finding || candidate->given ||
                   (candidate->file && candidate->file->in_code);
        };
        if (std::none_of(kept.begin(), kept.end(), has_place)) return;
        json_.append(comma);
        value::write_json_string(list_of_kind(kind).member, json_);
        const char *before = ":[";
        for (const Candidate *candidate : kept) {
            if (!has_place(candidate)) continue;
            json_.append(before);
            write_place(*candidate, request.records);
            before = ",";
        }
        json_.push(']');
        comma = ",";
    };
    for (const ItemKind kind : kContextLists) write_places(kind);
    for (const ItemKind kind : kHistoryLists) write_places(kind);
    for (const ItemKind kind : kCodebaseLists) write_places(kind);
    if (!request.host_items) return;
    json_.append(comma);
    json_.append("\"extractor\":\"");
    append_decimal(request.host_items->item_count() - request.host_items->dropped_count(), json_);
    json_.append(" of ");
    append_decimal(request.host_items->item_count(), json_);
    json_.append(" items\"");
}

void Generator::write_place(const Candidate &candidate, std::span<const uint64_t> records) {
    scratch_.clear();
    if (candidate.file) {
        append_file_source(candidate.file->text_hash, candidate.file->path, scratch_);
        std::replace(scratch_.begin(), scratch_.end(), '\\', '/');
    } else if (const GivenItem *given = candidate.given) {
        if (given->is_found)
            append_place(given->place.message, given->place.begin, given->place.end, records,
                         scratch_);
        else scratch_.append(given->quote.empty() ? "given" : "unverified");
    } else {
        const Finding &found = *candidate.finding;
        append_place(found.message, found.is_structured ? 0 : found.begin,
                     found.is_structured ? 0 : found.end, records, scratch_);
    }
    value::write_json_string(scratch_.view(), json_);
}

// Writes how many of each kind were left out.
void Generator::write_not_included(const GenerateRequest &request) {
    json_.append(",\"not_included\":[");
    if (request.messages || !request.code)
        write_source("\"the conversation: ", request.messages, "message", json_);
    if (request.untrusted)
        write_source(",\"data from outside: ", request.untrusted, "message", json_);
    if (request.messages && request.code) json_.push(',');
    if (request.code) write_source("\"the code: ", ranker_.code_files(), "file", json_);
    size_t omitted[kItemKinds] = {}, kept[kItemKinds] = {};
    for (int kind = 0; kind < kItemKinds; ++kind) omitted[kind] = left_out_[kind];
    for (const Candidate &candidate : selection_.candidates()) {
        kept[candidate.kind] += candidate.is_kept();
        omitted[candidate.kind] += candidate.outcome == Outcome::kNoSpace;
    }
    const char *before = ",\"";
    for (const ItemKind kind : kCounted) {
        if (!omitted[kind]) continue;
        json_.append(before);
        append_decimal(omitted[kind], json_);
        json_.append(kept[kind] ? " more " : " ");
        json_.append(omitted[kind] == 1 ? list_of_kind(kind).one : list_of_kind(kind).many);
        before = ", ";
    }
    if (before[1] != '"') json_.push('"');
    if (other_subjects_) {
        json_.append(",\"");
        append_decimal(other_subjects_, json_);
        json_.append(other_subjects_ == 1 ? " item on another subject\""
                                          : " items on other subjects\"");
    }
    if (!knows_language_)
        json_.append(
            ",\"what was said in other languages than English, German, Spanish and Chinese: "
            "demands, decisions, failures, questions\"");
    json_.push(']');
}

std::string_view Generator::write_report(const GenerateRequest &request) {
    report_.clear();
    const auto write_name = [&](const char *&comma, ItemKind kind, uint32_t number) {
        report_.append(comma);
        write_member("{\"list\":", list_of_kind(kind).member, report_);
        report_.append(",\"number\":");
        append_decimal(number, report_);
        comma = ",";
    };
    report_.append("{\"dropped\":[");
    const char *comma = "";
    for (const Candidate &candidate : selection_.candidates()) {
        if (!candidate.given || candidate.is_kept()) continue;
        write_name(comma, candidate.kind, candidate.given->number);
        const bool again = candidate.outcome == Outcome::kRepeated;
        write_member(",\"why\":", again ? "it repeats an item" : "no room in the budget", report_);
        if (again && candidate.repeated)
            write_member(",\"repeats\":", candidate.repeated->text.what, report_);
        report_.push('}');
    }
    report_.append("],\"unverified\":[");
    comma = "";
    const std::span<const GivenItem> items =
        request.given_items ? request.given_items->items() : std::span<const GivenItem>();
    for (const GivenItem &item : items) {
        if (item.quote.empty() || item.is_found) continue;
        write_name(comma, item.kind, item.number);
        write_member(",\"quote\":", item.quote, report_);
        report_.push('}');
    }
    report_.append("],\"contradicted\":[");
    comma = "";
    for (const GivenItem &item : items) {
        if (item.contradiction.empty()) continue;
        write_name(comma, item.kind, item.number);
        scratch_.clear();
        append_place(item.contradiction_place.message, item.contradiction_place.begin,
                     item.contradiction_place.end, request.records, scratch_);
        write_member(",\"place\":", scratch_.view(), report_);
        write_member(",\"text\":", on_one_line(item.contradiction, line_), report_);
        report_.push('}');
    }
    report_.append("]}");
    return report_.view();
}

}  // namespace accp::packet
