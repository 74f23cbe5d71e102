// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the selected items as a packet.
#include <algorithm>

#include "base/text.h"
#include "packet/extract/sentence.h"
#include "packet/file/generate.h"
#include "packet/file/sources.h"
#include "value/json_writer.h"
#include "value/time.h"

namespace accp::packet {

namespace {

constexpr KindList kDecisions = {int(SentenceKind::kDecision), ACCP_PACKET_DECISION},
                   kConstraints = {int(SentenceKind::kConstraint), ACCP_PACKET_CONSTRAINT},
                   kFailures = {int(SentenceKind::kFailure), ACCP_PACKET_FAILURE},
                   kFileSummaries = {kFiles, ACCP_PACKET_FILE},
                   kQuestions = {int(SentenceKind::kQuestion), ACCP_PACKET_QUESTION};

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

}  // namespace

void Generator::write(const GenerateRequest &request) {
    write_member("{\"version\":1,\"created\":", write_time(request.created).view(), json_);
    write_member(",\"creator\":", request.creator, json_);
    write_member(",\"target_task\":", request.task, json_);
    write_member(",\"context\":{\"goal\":", request.task, json_);
    write_list(kDecisions);
    write_list(kConstraints);
    write_files();
    write_list(kFailures);
    write_list(kQuestions);
    write_not_included(request);
    json_.append("},\"sources\":{");
    const char *comma = "";
    for (const KindList list : {kDecisions, kConstraints, kFailures, kQuestions}) {
        if (kept_in_order(list.kind).empty()) continue;
        json_.append(comma);
        write_sources(list, request.records);
        comma = ",";
    }
    write_file_sources(comma);
    if (request.host_items) write_extractor_source(*request.host_items, comma);
    json_.append("}}");
}

// Writes the hash that each summarised file had.
void Generator::write_file_sources(const char *&comma) {
    const char *before = ":[";
    for (const Item &item : items_) {
        if (!item.kept || !item.file || !item.file->in_code) continue;
        if (*before == ':') {
            json_.append(comma);
            value::write_json_string("relevant_files", json_);
        }
        json_.append(before);
        scratch_.clear();
        append_file_source(item.file->text_hash, item.file->path, scratch_);
        std::replace(scratch_.begin(), scratch_.end(), '\\', '/');
        value::write_json_string(scratch_.view(), json_);
        before = ",";
    }
    if (*before != ',') return;
    json_.push(']');
    comma = ",";
}

// Writes how many items of a host's extractor were found in the conversation.
void Generator::write_extractor_source(const HostItems &host_items, const char *comma) {
    json_.append(comma);
    json_.append("\"extractor\":\"");
    append_decimal(host_items.item_count() - host_items.dropped_count(), json_);
    json_.append(" of ");
    append_decimal(host_items.item_count(), json_);
    json_.append(" items\"");
}

void Generator::write_files() {
    json_.append(",\"codebase\":{\"relevant_files\":[");
    const char *comma = "";
    for (const Item &item : items_) {
        if (!item.kept || !item.file) continue;
        json_.append(comma);
        scratch_.clear();
        scratch_.append(item.file->path);
        std::replace(scratch_.begin(), scratch_.end(), '\\', '/');
        write_member("{\"path\":", scratch_.view(), json_);
        if (!item.file->summary.empty()) write_member(",\"summary\":", item.file->summary, json_);
        json_.push('}');
        comma = ",";
    }
    json_.append("]}");
}

// Writes the place of each item as "message:begin-end", byte offsets in the message's text. An item
// of a structured message has only the message.
void Generator::write_sources(KindList list, std::span<const uint64_t> records) {
    value::write_json_string(list_of_kind(list.list).member, json_);
    const char *before = ":[\"";
    for (const Item *item : kept_in_order(list.kind)) {
        const Finding &found = *item->found;
        json_.append(before);
        if (!records.empty()) json_.append("$cold.m");
        append_decimal(records.empty() ? found.message : records[found.message], json_);
        if (!found.is_structured) {
            json_.push(':');
            append_decimal(found.begin, json_);
            json_.push('-');
            append_decimal(found.end, json_);
        }
        json_.push('"');
        before = ",\"";
    }
    json_.push(']');
}

// Returns the kept items of a kind in the order of the conversation.
std::span<const Generator::Item *const> Generator::kept_in_order(int kind) {
    order_.clear();
    for (const Item &item : items_)
        if (item.kept && kind_of(item) == kind) order_.push(&item);
    std::sort(order_.begin(), order_.end(), [](const Item *a, const Item *b) {
        return a->found->message != b->found->message ? a->found->message < b->found->message
                                                      : a->found->begin < b->found->begin;
    });
    return {order_.data(), order_.size()};
}

void Generator::write_list(KindList list) {
    if (kept_in_order(list.kind).empty()) return;
    json_.push(',');
    value::write_json_string(list_of_kind(list.list).member, json_);
    const char *before = ":[";
    for (const Item *item : kept_in_order(list.kind)) {
        json_.append(before);
        write_item(*item);
        before = ",";
    }
    json_.push(']');
}

void Generator::write_item(const Item &item) {
    const Finding &found = *item.found;
    const Statement statement =
        make_statement(found, item.required ? required_bytes_ : kMaxStatement);
    if (found.kind == SentenceKind::kConstraint || found.kind == SentenceKind::kQuestion)
        return value::write_json_string(on_one_line(statement.what, line_), json_);
    const bool decision = found.kind == SentenceKind::kDecision;
    write_member(decision ? "{\"choice\":" : "{\"approach\":", on_one_line(statement.what, line_),
                 json_);
    if (!statement.why.empty()) {
        scratch_.clear();
        scratch_.append(on_one_line(statement.why, line_));
        if (!statement.cause.empty()) scratch_.append("; ");
        scratch_.append(on_one_line(statement.cause, line_));
        write_member(decision ? ",\"reason\":" : ",\"reason_failed\":", scratch_.view(), json_);
    }
    if (decision)
        json_.append(found.speaker == Speaker::kUser ? ",\"made_by\":\"user\""
                                                     : ",\"made_by\":\"agent\"");
    json_.push('}');
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
    const char *before = ",\"";
    for (const KindList list : {kConstraints, kDecisions, kFailures, kFileSummaries, kQuestions}) {
        const Omitted omitted = count_omitted(request.depth, list.kind);
        if (!omitted.count) continue;
        json_.append(before);
        append_decimal(omitted.count, json_);
        json_.append(omitted.has_kept ? " more " : " ");
        json_.append(omitted.count == 1 ? list_of_kind(list.list).one
                                        : list_of_kind(list.list).many);
        before = ", ";
    }
    json_.append(before[0] == ',' && before[1] == '"' ? "]" : "\"]");
}

// Repetitions do not count as omitted, unless the depth leaves out the whole kind.
Generator::Omitted Generator::count_omitted(Depth depth, int kind) const {
    size_t there = 0, items = 0, kept = 0;
    for (const Finding &found : extractor_.findings()) there += int(found.kind) == kind;
    for (const Item &item : items_) {
        items += kind_of(item) == kind;
        kept += item.kept && kind_of(item) == kind;
    }
    if (kind == kFiles) there = ranker_.files().size();
    else if (includes(depth, kind)) there = items;
    return {there - kept, kept > 0};
}

}  // namespace accp::packet
