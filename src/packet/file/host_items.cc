// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/host_items.h"

#include <charconv>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/text.h"
#include "packet/extract/sentence.h"
#include "text/secrets.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

// Score of a host's item, above the minimum of its kind. A user's item becomes required, like an
// explicit demand.
constexpr int kHostScore = 12;
constexpr uint32_t kNoMessage = UINT32_MAX;

struct KindName {
    std::string_view name;
    SentenceKind kind;
};
constexpr KindName kKindNames[] = {{"constraint", SentenceKind::kConstraint},
                                   {"decision", SentenceKind::kDecision},
                                   {"failure", SentenceKind::kFailure},
                                   {"question", SentenceKind::kQuestion}};
constexpr std::string_view kUser = "user", kAssistant = "assistant";

Status refuse(const char *message) { return fail(ACCP_ERR_CORRUPT, 0, message); }

}  // namespace

void HostItems::clear() {
    request_.recycle(kKeptBytes);
    scratch_.recycle(kKeptBytes);
    quotes_.clear();
    findings_.clear();
    item_count_ = 0;
}

Status HostItems::ask(HostExtractor &extractor, std::string_view task,
                      std::span<const Utterance> conversation, uint64_t max_bytes, bool redacts) {
    write_request(task, conversation, redacts);
    std::string_view answer;
    Status status = extractor.extract(request_.view(), answer);
    if (status.failed()) return status;
    status = reader_.read(answer.data(), answer.size(), {max_bytes, kMaxJsonDepth}, tree_);
    if (status.failed())
        return fail_limit(ACCP_ERR_CORRUPT, status.offset,
                          "the extractor's answer is not JSON, or is too large", status.had,
                          status.limit);
    const value::TreeView tree = tree_.view();
    const uint32_t items = tree[0].kind == ACCP_MAP ? tree.find(0, "items") : 0;
    if (!items || tree[items].kind != ACCP_ARRAY)
        return refuse("the extractor's answer is not {\"items\":[...]}");
    if (tree[items].len > kMaxHostItems)
        return fail_limit(ACCP_ERR_CORRUPT, reader_.origin(items).value,
                          "the extractor's answer has too many items", tree[items].len,
                          kMaxHostItems);
    for (uint32_t i = items + 1; i < tree[items].next; i = tree[i].next, ++item_count_) {
        Item item = {};
        status = read_item(i, item);
        if (status.failed()) return move_to(status, reader_.origin(i).value);
        match(item, conversation);
    }
    return {};
}

// {"task":…,"messages":[{"number":0,"role":"user","text":…},…]}
void HostItems::write_request(std::string_view task, std::span<const Utterance> conversation,
                              bool redacts) {
    request_.append("{\"task\":");
    write_text(task, redacts);
    const char *before = ",\"messages\":[{\"number\":";
    for (const Utterance &utterance : conversation) {
        if (utterance.has_paths_only) continue;
        request_.append(before);
        append_decimal(utterance.message, request_);
        request_.append(",\"role\":");
        value::write_json_string(utterance.speaker == Speaker::kUser ? kUser : kAssistant,
                                 request_);
        request_.append(",\"text\":");
        write_text(utterance.text, redacts);
        before = "},{\"number\":";
    }
    request_.append(before[0] == ',' ? ",\"messages\":[]}" : "}]}");
}

void HostItems::write_text(std::string_view text, bool redacts) {
    scratch_.clear();
    const bool has_secrets = redacts && text::redact_secrets(text, scratch_);
    value::write_json_string(has_secrets ? scratch_.view() : text, request_);
}

Status HostItems::read_item(uint32_t node, Item &out) const {
    const value::TreeView tree = tree_.view();
    if (tree[node].kind != ACCP_MAP) return refuse("an item of the extractor is not an object");
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
        return refuse("an item's who must be user or assistant");
    out.speaker = who.empty() ? Speaker::kAnyone : who == kUser ? Speaker::kUser : Speaker::kAgent;
    for (const KindName &each : kKindNames) {
        if (each.name != kind) continue;
        out.kind = each.kind;
        return {};
    }
    return refuse("an item's kind must be constraint, decision, failure or question");
}

// Leaves `out` empty if the member is missing.
Status HostItems::read_text(uint32_t node, std::string_view name, std::string_view &out) const {
    const value::TreeView tree = tree_.view();
    const uint32_t found = tree.find(node, name);
    if (!found || tree[found].kind == ACCP_NULL) return {};
    if (tree[found].kind != ACCP_STRING)
        return refuse("an item's kind, text, who and reason must be strings");
    out = tree.string(found);
    return {};
}

// A number out of range is read as kNoMessage.
Status HostItems::read_message(uint32_t node, std::string_view name, uint32_t &out) const {
    const value::TreeView tree = tree_.view();
    const uint32_t found = tree.find(node, name);
    if (!found || tree[found].kind != ACCP_INT)
        return refuse("an item's message must be the number of a message");
    const std::string_view digits = tree.string(found);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (read.ec != std::errc()) out = kNoMessage;
    return {};
}

// Keeps the item if its message contains the quote and the speaker is right. A reason that is not
// quoted, or is part of the same sentence, is left out.
void HostItems::match(const Item &item, std::span<const Utterance> conversation) {
    Quote found_quote, reason;
    if (!quotes_.find(item.text, item.message, conversation, found_quote)) return;
    const Speaker speaker = found_quote.utterance->speaker;
    if (item.speaker != Speaker::kAnyone && item.speaker != speaker) return;
    Finding found = {item.kind,         speaker,         kHostScore,         item.message,
                     found_quote.begin, found_quote.end, found_quote.text(), nullptr};
    found.source = found_quote.utterance->text;
    found.language = &language_of(found.source, english(), words_);
    if (quotes_.find(item.reason, item.reason_message, conversation, reason) &&
        (reason.utterance != found_quote.utterance || reason.end <= found_quote.begin ||
         reason.begin >= found_quote.end))
        found.reason = reason.text();
    findings_.push(found);
}

}  // namespace accp::packet
