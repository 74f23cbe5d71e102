// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/host_items.h"

#include <charconv>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/text.h"
#include "packet/extract/sentence.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

// Returns whether `at` is a word boundary or an end of the text.
bool is_word_boundary(std::string_view text, size_t at) {
    const auto in_word = [&](size_t i) { return is_word(static_cast<unsigned char>(text[i])); };
    return at == 0 || at == text.size() || !in_word(at - 1) || !in_word(at);
}

// Returns the end of the quote that begins at `at`; npos if the text differs.
size_t end_of_quote(std::string_view text, size_t at, std::string_view quote) {
    for (size_t i = 0; i < quote.size();) {
        if (at == text.size()) return text.npos;
        const bool blank = is_blank(quote[i]);
        if (blank != is_blank(text[at]) || (!blank && quote[i] != text[at])) return text.npos;
        i = blank ? skip_blanks(quote, i) : i + 1;
        at = blank ? skip_blanks(text, at) : at + 1;
    }
    return is_word_boundary(text, at) ? at : text.npos;
}

// Cuts off the clauses of a sentence that end before the quote or begin after it.
void cut_clauses(std::string_view text, size_t begin, size_t end, Quote &out) {
    for (uint32_t at = out.begin; at < out.end;) {
        const size_t clause = find_clause_end(text.substr(at, out.end - at));
        const auto clause_ends = static_cast<uint32_t>(at + clause);
        if (clause_ends == out.end) return;
        if (clause_ends >= end) {
            out.end = clause_ends;
            return;
        }
        at = skip_to_clause(text, clause_ends);
        if (clause_ends <= begin) out.begin = at;
    }
}

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

bool QuoteFinder::find(std::string_view quote, uint32_t message,
                       std::span<const Utterance> conversation, Quote &out) {
    quote = trim(quote);
    if (quote.empty() || quote.size() > kMaxSentence) return false;
    for (const Utterance &utterance : conversation) {
        if (utterance.message != message || utterance.has_paths_only) continue;
        for (size_t at = 0; (at = utterance.text.find(quote[0], at)) != utterance.text.npos; ++at) {
            if (!is_word_boundary(utterance.text, at)) continue;
            const size_t end = end_of_quote(utterance.text, at, quote);
            if (end != utterance.text.npos && find_sentences(utterance, at, end, out)) return true;
        }
    }
    return false;
}

bool QuoteFinder::find_sentences(const Utterance &utterance, size_t begin, size_t end, Quote &out) {
    if (split_utterance_ != &utterance) {
        units_.clear();
        text::split_units(utterance.text, units_);
        split_utterance_ = &utterance;
    }
    out = {&utterance, 0, 0};
    size_t count = 0;
    for (const text::Unit &unit : units_) {
        if (unit.end <= begin || unit.begin >= end) continue;
        if (!count++) out.begin = unit.begin;
        out.end = unit.end;
    }
    if (count == 1) cut_clauses(utterance.text, begin, end, out);
    const std::string_view found = out.text();
    return count && found.size() <= kMaxSentence && found.find('\0') == found.npos;
}

void HostItems::clear() {
    request_.recycle(kKeptBytes);
    quotes_.clear();
    findings_.clear();
    item_count_ = 0;
}

Status HostItems::ask(HostExtractor &extractor, std::string_view task,
                      std::span<const Utterance> conversation, uint64_t max_bytes) {
    write_request(task, conversation);
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
void HostItems::write_request(std::string_view task, std::span<const Utterance> conversation) {
    request_.append("{\"task\":");
    value::write_json_string(task, request_);
    const char *before = ",\"messages\":[{\"number\":";
    for (const Utterance &utterance : conversation) {
        if (utterance.has_paths_only) continue;
        request_.append(before);
        append_decimal(utterance.message, request_);
        request_.append(",\"role\":");
        value::write_json_string(utterance.speaker == Speaker::kUser ? kUser : kAssistant,
                                 request_);
        request_.append(",\"text\":");
        value::write_json_string(utterance.text, request_);
        before = "},{\"number\":";
    }
    request_.append(before[0] == ',' ? ",\"messages\":[]}" : "}]}");
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
    found.language = &language_of(found_quote.utterance->text, english(), words_);
    if (quotes_.find(item.reason, item.reason_message, conversation, reason) &&
        (reason.utterance != found_quote.utterance || reason.end <= found_quote.begin ||
         reason.begin >= found_quote.end))
        found.reason = reason.text();
    findings_.push(found);
}

}  // namespace accp::packet
