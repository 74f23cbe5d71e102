// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See host_items.h.
#include "packet/file/host_items.h"

#include <charconv>

#include "base/limits.h"
#include "base/text.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

// What a host's item has over what its kind has to have: a user's stands in any case, as what is
// demanded in plain words.
constexpr int kHostScore = 12;
constexpr uint32_t kNoMessage = UINT32_MAX;

struct KindName {
    std::string_view name;
    Kind kind;
};
constexpr KindName kKindNames[] = {{"constraint", Kind::kConstraint},
                                   {"decision", Kind::kDecision},
                                   {"failure", Kind::kFailure},
                                   {"question", Kind::kQuestion}};
constexpr std::string_view kUser = "user", kAssistant = "assistant";

Status refuse(const char *message) { return fail(ACCP_ERR_CORRUPT, 0, message); }

}  // namespace

void HostItems::clear() {
    asked_.recycle(kKeptBytes);
    quotes_.clear();
    found_.clear();
    given_ = 0;
}

Status HostItems::ask(HostExtractor &extractor, std::string_view task,
                      std::span<const Said> conversation, uint64_t max_bytes) {
    write_question(task, conversation);
    std::string_view answer;
    Status status = extractor.extract(asked_.view(), answer);
    if (status.failed()) return status;
    status = reader_.read(answer.data(), answer.size(), {max_bytes, kMaxJsonDepth}, tree_);
    if (status.failed())
        return fail_limit(ACCP_ERR_CORRUPT, status.offset,
                          "the extractor's answer is no JSON, or too much of it", status.had,
                          status.limit);
    const value::TreeView tree = tree_.view();
    const uint32_t items = tree[0].kind == ACCP_MAP ? tree.find(0, "items") : 0;
    if (!items || tree[items].kind != ACCP_ARRAY)
        return refuse("the extractor's answer is not {\"items\":[...]}");
    if (tree[items].len > kMaxHostItems)
        return fail_limit(ACCP_ERR_CORRUPT, reader_.origin(items).value,
                          "the extractor gives too many items", tree[items].len, kMaxHostItems);
    for (uint32_t i = items + 1; i < tree[items].next; i = tree[i].next, ++given_) {
        Item item = {};
        status = read_item(i, item);
        if (status.failed()) return move_to(status, reader_.origin(i).value);
        check(item, conversation);
    }
    return {};
}

// {"task":…,"messages":[{"number":0,"role":"user","text":…},…]}
void HostItems::write_question(std::string_view task, std::span<const Said> conversation) {
    asked_.append("{\"task\":");
    value::write_json_string(task, asked_);
    const char *before = ",\"messages\":[{\"number\":";
    for (const Said &said : conversation) {
        if (said.names_files) continue;
        asked_.append(before);
        append_decimal(said.message, asked_);
        asked_.append(",\"role\":");
        value::write_json_string(said.who == Who::kUser ? kUser : kAssistant, asked_);
        asked_.append(",\"text\":");
        value::write_json_string(said.text, asked_);
        before = "},{\"number\":";
    }
    asked_.append(before[0] == ',' ? ",\"messages\":[]}" : "}]}");
}

Status HostItems::read_item(uint32_t node, Item &out) const {
    const value::TreeView tree = tree_.view();
    if (tree[node].kind != ACCP_MAP) return refuse("an item of the extractor is no object");
    std::string_view kind, who;
    Status status = read_text(node, "kind", kind);
    if (status.ok()) status = read_text(node, "text", out.text);
    if (status.ok()) status = read_text(node, "who", who);
    if (status.ok()) status = read_text(node, "reason", out.reason);
    if (status.ok()) status = read_message(node, "message", out.message);
    out.reason_message = out.message;
    if (status.ok() && tree.find(node, "reason_message"))
        status = read_message(node, "reason_message", out.reason_message);
    if (status.failed()) return status;
    if (!who.empty() && who != kUser && who != kAssistant)
        return refuse("an item's who is neither user nor assistant");
    out.who = who.empty() ? Who::kAnyone : who == kUser ? Who::kUser : Who::kAgent;
    for (const KindName &each : kKindNames) {
        if (each.name != kind) continue;
        out.kind = each.kind;
        return {};
    }
    return refuse("an item's kind is none of constraint, decision, failure and question");
}

// Empty where there is none.
Status HostItems::read_text(uint32_t node, std::string_view name, std::string_view &out) const {
    const value::TreeView tree = tree_.view();
    const uint32_t found = tree.find(node, name);
    if (!found || tree[found].kind == ACCP_NULL) return {};
    if (tree[found].kind != ACCP_STRING)
        return refuse("an item's kind, text, who and reason are strings");
    out = tree.string(found);
    return {};
}

// A number that no message has is read as kNoMessage.
Status HostItems::read_message(uint32_t node, std::string_view name, uint32_t &out) const {
    const value::TreeView tree = tree_.view();
    const uint32_t found = tree.find(node, name);
    if (!found || tree[found].kind != ACCP_INT)
        return refuse("an item's message is the number of one");
    const std::string_view digits = tree.string(found);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (read.ec != std::errc()) out = kNoMessage;
    return {};
}

// Takes the sentence that the item quotes, where its message has it and its speaker said it. A
// reason that nobody said is left out, and so is one that the sentence has itself.
void HostItems::check(const Item &item, std::span<const Said> conversation) {
    Quoted quoted, reason;
    if (!quotes_.find(item.text, item.message, conversation, quoted)) return;
    const Who who = quoted.said->who;
    if (item.who != Who::kAnyone && item.who != who) return;
    Found found = {item.kind,    who,        kHostScore,    item.message,
                   quoted.begin, quoted.end, quoted.text(), nullptr};
    found.language = &language_of(quoted.said->text, english(), words_);
    if (quotes_.find(item.reason, item.reason_message, conversation, reason) &&
        (reason.said != quoted.said || reason.end <= quoted.begin || reason.begin >= quoted.end))
        found.reason = reason.text();
    found_.push(found);
}

}  // namespace accp::packet
