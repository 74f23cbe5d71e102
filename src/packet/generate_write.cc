// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h: what was chosen, written as a packet's file.
#include <algorithm>

#include "base/decimal.h"
#include "packet/generate.h"
#include "packet/sentence.h"
#include "packet/time.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

// What a reader calls so many of a kind.
struct KindName {
    int kind;
    const char *one, *many;
};
constexpr KindName kNames[] = {{int(Kind::kConstraint), "constraint", "constraints"},
                               {int(Kind::kDecision), "decision", "decisions"},
                               {int(Kind::kFailure), "failed attempt", "failed attempts"},
                               {kFiles, "file", "files"},
                               {int(Kind::kQuestion), "open question", "open questions"}};

void write_string(std::string_view text, Buffer<char> &out) { value::write_json_string(text, out); }

void write_member(const char *name, std::string_view text, Buffer<char> &out) {
    out.append(name);
    write_string(text, out);
}

}  // namespace

void Generator::write(const Request &request) {
    write_member("{\"version\":1,\"created\":", write_time(request.created).view(), json_);
    write_member(",\"creator\":", request.creator, json_);
    write_member(",\"target_task\":", request.task, json_);
    write_member(",\"context\":{\"goal\":", request.task, json_);
    write_list("decisions", int(Kind::kDecision));
    write_list("constraints", int(Kind::kConstraint));
    json_.append(",\"codebase\":{\"relevant_files\":[");
    const char *comma = "";
    for (const Item &item : items_) {
        if (!item.kept || !item.file) continue;
        json_.append(comma);
        write_member("{\"path\":", item.file->path, json_);
        json_.push('}');
        comma = ",";
    }
    json_.append("]}");
    write_list("failed_attempts", int(Kind::kFailure));
    write_list("open_questions", int(Kind::kQuestion));
    write_left_out(request);
    json_.append("}}");
}

// The kept items of a kind, in the order in which they were said.
void Generator::write_list(const char *name, int kind) {
    order_.clear();
    for (const Item &item : items_)
        if (item.kept && kind_of(item) == kind) order_.push(item.found);
    if (order_.empty()) return;
    std::sort(order_.begin(), order_.end(), [](const Found *a, const Found *b) {
        return a->message != b->message ? a->message < b->message : a->begin < b->begin;
    });
    json_.append(",\"");
    json_.append(name);
    json_.append("\":[");
    for (size_t i = 0; i < order_.size(); ++i) {
        if (i) json_.push(',');
        write_item(*order_[i]);
    }
    json_.push(']');
}

void Generator::write_item(const Found &found) {
    const std::string_view text = shorten(found.text);
    if (found.kind == Kind::kConstraint || found.kind == Kind::kQuestion)
        return write_string(text, json_);
    const bool decision = found.kind == Kind::kDecision;
    const Statement statement = split_reason(text);
    write_member(decision ? "{\"choice\":" : "{\"approach\":", statement.what, json_);
    if (!statement.why.empty())
        write_member(decision ? ",\"reason\":" : ",\"reason_failed\":", statement.why, json_);
    if (decision)
        json_.append(found.who == Who::kUser ? ",\"made_by\":\"user\"" : ",\"made_by\":\"agent\"");
    json_.push('}');
}

// What there was and is not here, by kind and number.
void Generator::write_left_out(const Request &request) {
    json_.append(",\"not_included\":[\"the conversation: ");
    append_decimal(request.conversation.size(), json_);
    json_.append(request.conversation.size() == 1 ? " message\"" : " messages\"");
    for (const KindName &name : kNames) {
        size_t there = 0, items = 0, kept = 0;
        for (const Found &found : extractor_.found()) there += int(found.kind) == name.kind;
        for (const Item &item : items_) {
            items += kind_of(item) == name.kind;
            kept += item.kept && kind_of(item) == name.kind;
        }
        // of a kind that has a place here, without what was said twice
        if (name.kind == kFiles) there = extractor_.files().size();
        else if (has_place(request.depth, name.kind)) there = items;
        if (there == kept) continue;
        json_.append(",\"");
        append_decimal(there - kept, json_);
        json_.append(kept ? " more " : " ");
        json_.append(there - kept == 1 ? name.one : name.many);
        json_.push('"');
    }
    json_.push(']');
}

}  // namespace accp::packet
