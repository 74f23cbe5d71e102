// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h: what was chosen, written as a packet's file.
#include <algorithm>

#include "base/text.h"
#include "packet/code/stale.h"
#include "packet/extract/sentence.h"
#include "packet/file/generate.h"
#include "value/json_writer.h"
#include "value/time.h"

namespace accp::packet {

namespace {

constexpr KindList kDecisions = {int(Kind::kDecision), ACCP_PACKET_DECISION},
                   kConstraints = {int(Kind::kConstraint), ACCP_PACKET_CONSTRAINT},
                   kFailures = {int(Kind::kFailure), ACCP_PACKET_FAILURE},
                   kFileSummaries = {kFiles, ACCP_PACKET_FILE},
                   kQuestions = {int(Kind::kQuestion), ACCP_PACKET_QUESTION};

// A text of a message on one line.
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

// What the packet is made from, and how much there was of it.
void write_source(const char *name, uint64_t count, const char *unit, Buffer<char> &out) {
    out.append(name);
    append_decimal(count, out);
    out.push(' ');
    out.append(unit);
    out.append(count == 1 ? "\"" : "s\"");
}

}  // namespace

void Generator::write(const Request &request) {
    write_member("{\"version\":1,\"created\":", write_time(request.created).view(), json_);
    write_member(",\"creator\":", request.creator, json_);
    write_member(",\"target_task\":", request.task, json_);
    write_member(",\"context\":{\"goal\":", request.task, json_);
    write_list(kDecisions);
    write_list(kConstraints);
    write_files();
    write_list(kFailures);
    write_list(kQuestions);
    write_left_out(request);
    json_.append("},\"sources\":{");
    const char *comma = "";
    for (const KindList list : {kDecisions, kConstraints, kFailures, kQuestions}) {
        if (in_order(list.kind).empty()) continue;
        json_.append(comma);
        write_sources(list, request.records);
        comma = ",";
    }
    write_file_sources(comma);
    if (request.told) write_told(*request.told, comma);
    json_.append("}}");
}

// Of what text each file of the code was when it was summarised: the first digits of its SHA-256.
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

// That a host's extractor was asked, and how much of what it gave is in the conversation.
void Generator::write_told(const HostItems &told, const char *comma) {
    json_.append(comma);
    json_.append("\"extractor\":\"");
    append_decimal(told.given() - told.dropped(), json_);
    json_.append(" of ");
    append_decimal(told.given(), json_);
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

// Where each item of a list stands: "message:begin-end", the bytes in the message's text; of one
// that is stated the message alone.
void Generator::write_sources(KindList list, std::span<const uint64_t> records) {
    value::write_json_string(list_of(list.list).member, json_);
    const char *before = ":[\"";
    for (const Item *item : in_order(list.kind)) {
        const Found &found = *item->found;
        json_.append(before);
        if (!records.empty()) json_.append("$cold.m");
        append_decimal(records.empty() ? found.message : records[found.message], json_);
        if (!found.is_stated) {
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

// The kept items of a kind, in the order in which they were said.
std::span<const Generator::Item *const> Generator::in_order(int kind) {
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
    if (in_order(list.kind).empty()) return;
    json_.push(',');
    value::write_json_string(list_of(list.list).member, json_);
    const char *before = ":[";
    for (const Item *item : in_order(list.kind)) {
        json_.append(before);
        write_item(*item);
        before = ",";
    }
    json_.push(']');
}

void Generator::write_item(const Item &item) {
    const Found &found = *item.found;
    const Statement statement = state(found, item.required ? required_bytes_ : kMaxStatement);
    if (found.kind == Kind::kConstraint || found.kind == Kind::kQuestion)
        return value::write_json_string(on_one_line(statement.what, line_), json_);
    const bool decision = found.kind == Kind::kDecision;
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
        json_.append(found.who == Who::kUser ? ",\"made_by\":\"user\"" : ",\"made_by\":\"agent\"");
    json_.push('}');
}

// What there was and is not here, by kind and number.
void Generator::write_left_out(const Request &request) {
    json_.append(",\"not_included\":[");
    if (request.messages || !request.code)
        write_source("\"the conversation: ", request.messages, "message", json_);
    if (request.untrusted)
        write_source(",\"data from outside: ", request.untrusted, "message", json_);
    if (request.messages && request.code) json_.push(',');
    if (request.code) write_source("\"the code: ", ranker_.code_files(), "file", json_);
    const char *before = ",\"";
    for (const KindList list : {kConstraints, kDecisions, kFailures, kFileSummaries, kQuestions}) {
        const LeftOut left_out = count_left_out(request.depth, list.kind);
        if (!left_out.count) continue;
        json_.append(before);
        append_decimal(left_out.count, json_);
        json_.append(left_out.has_more ? " more " : " ");
        json_.append(left_out.count == 1 ? list_of(list.list).one : list_of(list.list).many);
        before = ", ";
    }
    json_.append(before[0] == ',' && before[1] == '"' ? "]" : "\"]");
}

// Of a kind that has a place in this depth, without what was said twice.
Generator::LeftOut Generator::count_left_out(Depth depth, int kind) const {
    size_t there = 0, items = 0, kept = 0;
    for (const Found &found : extractor_.found()) there += int(found.kind) == kind;
    for (const Item &item : items_) {
        items += kind_of(item) == kind;
        kept += item.kept && kind_of(item) == kind;
    }
    if (kind == kFiles) there = ranker_.files().size();
    else if (has_place(depth, kind)) there = items;
    return {there - kept, kept > 0};
}

}  // namespace accp::packet
