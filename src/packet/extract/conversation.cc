// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/conversation.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/text.h"
#include "frame/message/json.h"
#include "packet/extract/sentence.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

// Beginnings of messages that have the role of a user but were written by the client program.
constexpr std::string_view kProgramTexts[] = {
    "This session is being continued from a previous conversation", "Caveat: The messages below",
    "[Request interrupted by user"};

bool is_program_text(std::string_view text) {
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == text.npos) return false;
    for (std::string_view beginning : kProgramTexts)
        if (text.substr(begin).starts_with(beginning)) return true;
    return false;
}

// Returns whether a user clears the context of the agent, so that another subject begins.
bool clears_context(std::string_view text) {
    text = trim(text);
    return text == "/clear" || text == "/new" || text.starts_with("<command-name>/clear<");
}

// Overwrites with blanks what a user did not write as text: lines of JSON, and the backslashes by
// which a terminal breaks lines.
void blank_pasted(std::span<char> bytes) {
    const std::string_view text(bytes.data(), bytes.size());
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const std::string_view body = trim(line);
        if (body.starts_with("{\"") || body.starts_with("[{\"") || body.starts_with("[\""))
            std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at), line.size(), ' ');
        else if (line.ends_with('\\')) bytes[end - 1] = ' ';
        at = end + 1;
    }
}

std::string_view tag_name(std::string_view text) {
    size_t end = 0;
    while (end < text.size() &&
           (is_word(static_cast<unsigned char>(text[end])) || text[end] == '-'))
        ++end;
    return text.substr(0, end);
}

// Returns the name of the tag that begins here if programs add it: `system-reminder`,
// `environment_details`, `think`. Returns an empty name for a tag with the user's own text.
std::string_view notice_name(std::string_view text) {
    const std::string_view name = tag_name(text.substr(1));
    if (name.size() + 1 == text.size() || text[name.size() + 1] != '>') return {};
    if (name == "think" || name == "thinking") return name;
    const bool joined = name.find_first_of("-_") != name.npos;
    return !joined || name.starts_with("user") ? std::string_view() : name;
}

// The sender of a request is a user, unless it is the assistant.
Speaker speaker_of(const message::Message &message) {
    const bool tool = message.operation == "tool";
    const bool user = !tool && message.agent != "assistant" && message.agent != "system" &&
                      message.agent != "tool" && message.intent == "req";
    return user ? Speaker::kUser : Speaker::kAgent;
}

constexpr size_t kMaxMemberBytes = 160;  // of a text in a failure

// Returns the kind of item that a message of this intent states.
SentenceKind kind_of(std::string_view intent) {
    if (intent == "req") return SentenceKind::kConstraint;
    if (intent == "fail") return SentenceKind::kFailure;
    return intent == "esc" ? SentenceKind::kQuestion : SentenceKind::kDecision;
}

// Returns whether a member is a string or number that fits into a line.
bool is_short(value::TreeView tree, uint32_t node) {
    if (value::is_container(tree[node].kind) || tree[node].kind == ACCP_NULL) return false;
    return tree[node].kind != ACCP_STRING || tree.string(node).size() <= kMaxMemberBytes;
}

// Returns whether a call has an argument with new text for a file, as the tools of agents name it.
bool has_new_text(value::TreeView tree, uint32_t call) {
    constexpr std::string_view kNames[] = {"content",    "contents", "file_text", "code_edit",
                                           "edits",      "diff",     "patch",     "new_str",
                                           "new_string", "new_text", "new_source"};
    for (uint32_t i = call + 1; i < tree[call].next; i = tree[i].next)
        if (is_among(tree.key(i), kNames)) return true;
    return false;
}

// A packet has no NUL, and an item has one line.
void append_one_line(std::string_view text, Buffer<char> &out) {
    for (char c : text) out.push(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
}

void append_scalar(value::TreeView tree, uint32_t node, Buffer<char> &out) {
    if (tree[node].kind == ACCP_STRING) return append_one_line(tree.string(node), out);
    value::write_json(tree, node, out);
}

}  // namespace

// Returns the offset of the next closing tag of this name, from `at` on; npos if none follows.
size_t Conversation::find_closing(std::string_view text, std::string_view name, size_t at) const {
    const ClosingTag first = {seeded_hash(name.data(), name.size(), seed_), at};
    const ClosingTag *found = std::lower_bound(closing_.begin(), closing_.end(), first);
    for (; found < closing_.end() && found->name == first.name; ++found)
        if (tag_name(text.substr(found->at + 2)) == name) return found->at;
    return text.npos;
}

// Overwrites notices with blanks, so that all other bytes keep their offsets. Closing tags are
// collected first, because the text may open a tag at every byte.
void Conversation::blank_notices(std::span<char> bytes) {
    const std::string_view text(bytes.data(), bytes.size());
    closing_.recycle(kKeptBytes);
    for (size_t at = 0; (at = text.find("</", at)) != text.npos; at += 2) {
        const std::string_view name = tag_name(text.substr(at + 2));
        closing_.push({seeded_hash(name.data(), name.size(), seed_), at});
    }
    if (closing_.empty()) return;
    std::sort(closing_.begin(), closing_.end());
    for (size_t at = 0; (at = text.find('<', at)) != text.npos; ++at) {
        const std::string_view name = notice_name(text.substr(at));
        if (name.empty()) continue;
        size_t end = find_closing(text, name, at);
        if (name == "think") end = std::min(end, find_closing(text, "thinking", at));
        if (end == text.npos) continue;
        end = std::min(end + 3 + tag_name(text.substr(end + 2)).size(), text.size());
        for (char &c : bytes.subspan(at, end - at))
            if (c != '\n') c = ' ';
        at = end - 1;
    }
}

void Conversation::clear() {
    text_.recycle(kKeptBytes);
    turns_.recycle(kKeptBytes);
    utterances_.recycle(kKeptBytes);
    structured_.clear();
    records_.recycle(kKeptBytes);
    request_.clear();
    directory_.clear();
    count_ = untrusted_ = 0;
}

Status Conversation::read(std::string_view json, uint64_t max_bytes, message::Message &out) {
    Status status = reader_.read(json.data(), json.size(), {max_bytes, kMaxJsonDepth}, tree_);
    if (status.failed()) return status;
    const message::ReadStatus read =
        message::read_message(tree_.view(), 0, message::ReadRules{}, out);
    if (read.status.failed()) {
        const value::JsonReader::Origin at =
            reader_.origin(static_cast<uint32_t>(read.status.offset));
        return move_to(read.status, read.at_key ? at.key : at.value);
    }
    ++count_;
    untrusted_ += out.untrusted;
    return {};
}

Status Conversation::add(std::string_view json, uint64_t max_bytes) {
    message::Message message;
    Status status = read(json, max_bytes, message);
    if (status.ok() && !message.untrusted) add_talk(message);
    return status;
}

void Conversation::add_packet(value::TreeView packet) {
    structured_.add_packet(packet, count_ - 1);
    if (request_.empty()) request_.append(shorten(packet.string(packet.find(0, "target_task"))));
}

Status Conversation::add_session_message(std::string_view json, uint64_t max_bytes, uint64_t record,
                                         bool &carries_packet) {
    message::Message message;
    Status status = read(json, max_bytes, message);
    carries_packet = false;
    if (status.failed()) return status;
    records_.push(record);
    if (message.untrusted) return {};
    carries_packet = message.intent == "sync" && message.operation == "context" &&
                     message.find("content") && message.find("packet");
    if (carries_packet) return {};
    const Speaker speaker = speaker_of(message);
    add_talk(message);
    if (!message.is_text() && !message.find("content"))
        structured_.add(message, count_ - 1, speaker);
    if (request_.empty() && speaker == Speaker::kUser) keep_request(message);
    return {};
}

// Takes the first line of the text, or else the operation and its subject.
void Conversation::keep_request(const message::Message &message) {
    const value::TreeView tree = message.tree;
    const uint32_t content = message.is_text() ? message.payload : message.find("content");
    std::string_view text;
    if (content && tree[content].kind == ACCP_STRING) text = tree.string(content);
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    text = text.substr(0, text.find_first_of("\r\n"));
    if (text.empty()) {
        request_.append(message.operation);
        const uint32_t first = message.payload + 1;
        if (message.is_text() || first >= tree[message.payload].next) return;
        if (tree[first].kind != ACCP_STRING) return;
        request_.push(' ');
        text = tree.string(first);
    }
    for (char c : shorten(text)) request_.push(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
}

void Conversation::add_talk(const message::Message &message) {
    const value::TreeView tree = message.tree;
    const Speaker speaker = speaker_of(message);
    if (tree[message.payload].kind == ACCP_STRING) add_text(speaker, tree.string(message.payload));
    const uint32_t call = message.find("arguments");
    const bool writes = call && has_new_text(tree, call);
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; ++i) {
        if (tree[i].kind != ACCP_STRING) continue;
        const std::string_view key = tree[message.payload].kind == ACCP_MAP ? tree.key(i) : "";
        const bool in_call = call && i > call && i < tree[call].next;
        if (in_call) add_paths_of(speaker, tree.string(i), writes);
        else if (key == "content" || key == "thought") add_text(speaker, tree.string(i));
        else if (key != "result" && key != "call_id") add_paths_of(speaker, tree.string(i), false);
    }
}

void Conversation::add_text(Speaker speaker, std::string_view text) {
    const bool is_user = speaker == Speaker::kUser && !is_program_text(text);
    append_turn(is_user ? speaker : Speaker::kAgent, text, false, false);
    Turn &turn = turns_[turns_.size() - 1];
    turn.begins_anew = is_user && clears_context(text);
    const std::span<char> bytes(text_.data() + turn.begin, text.size());
    blank_notices(bytes);
    if (is_user) blank_pasted(bytes);
}

// `writes`: the call has new text for a file. The file is the one that an argument names alone.
void Conversation::add_paths_of(Speaker speaker, std::string_view text, bool writes) {
    const bool is_path =
        !text.empty() && is_path_char(text[0]) && read_path(text, 0).end == text.size();
    append_turn(speaker, text, true, writes && is_path);
}

void Conversation::append_turn(Speaker speaker, std::string_view text, bool has_paths_only,
                               bool is_written_path) {
    const size_t begin = text_.size();
    text_.append(text);
    turns_.push({speaker, has_paths_only, is_written_path, false, count_ - 1, begin, text_.size()});
}

std::span<const Utterance> Conversation::utterances() {
    utterances_.clear();
    for (const Turn &turn : turns_) {
        Utterance utterance = {turn.speaker, text_.view().substr(turn.begin, turn.end - turn.begin),
                               turn.has_paths_only, turn.message};
        utterance.is_written_path = turn.is_written_path;
        utterance.begins_anew = turn.begins_anew;
        utterances_.push(utterance);
    }
    structured_.write(utterances_);
    return {utterances_.data(), utterances_.size()};
}

void StructuredFacts::clear() {
    arena_.reset();
    for (Buffer<char> *text : {&records_, &text_}) text->recycle(kKeptBytes);
    sources_.recycle(kKeptBytes);
    items_.recycle(kKeptBytes);
    events_ = event_bytes_ = 0;
}

void StructuredFacts::add(const message::Message &message, uint32_t number, Speaker speaker) {
    // messages about packets state no facts
    if (message.is_text() || message.operation == "tool" || message.operation == "context") return;
    const SentenceKind kind = kind_of(message.intent);
    if (kind == SentenceKind::kFailure || kind == SentenceKind::kQuestion)
        return add_event(message, {kind, speaker, number});
    const size_t before = records_.size();
    arena_.reset();
    context::write_facts(message, number, scratch_, records_);
    if (records_.size() != before) sources_.push({number, speaker, kind});
}

// Writes `fetch api.crm`, and the reason `err: timeout, retry: 3`. The first member is the subject.
void StructuredFacts::add_event(const message::Message &message, Item item) {
    const value::TreeView tree = message.tree;
    text_.resize_down(event_bytes_);
    item.begin = text_.size();
    text_.append(message.operation);
    const uint32_t first = message.payload + 1, end = tree[message.payload].next;
    const bool has_subject = first < end && is_short(tree, first);
    if (has_subject) {
        text_.push(' ');
        append_scalar(tree, first, text_);
    }
    item.reason = text_.size();
    for (uint32_t i = has_subject ? tree[first].next : first; i < end; i = tree[i].next) {
        if (!is_short(tree, i)) continue;
        if (text_.size() != item.reason) text_.append(", ");
        else if (item.kind == SentenceKind::kQuestion) text_.append(": ");
        text_.append(tree.key(i));
        text_.append(": ");
        append_scalar(tree, i, text_);
    }
    if (item.kind == SentenceKind::kQuestion)
        item.reason = text_.size();  // a question has no separate reason
    keep_event(item);
}

// Keeps an item whose text ends at the end of text_.
void StructuredFacts::keep_event(Item item) {
    item.end = event_bytes_ = text_.size();
    items_.resize_down(events_++);
    items_.push(item);
}

void StructuredFacts::add_packet(value::TreeView packet, uint32_t number) {
    struct List {
        int list;
        SentenceKind kind;
    };
    constexpr List kLists[] = {{ACCP_PACKET_CONSTRAINT, SentenceKind::kConstraint},
                               {ACCP_PACKET_DECISION, SentenceKind::kDecision},
                               {ACCP_PACKET_FAILURE, SentenceKind::kFailure},
                               {ACCP_PACKET_QUESTION, SentenceKind::kQuestion},
                               {ACCP_PACKET_FILE, SentenceKind::kDecision}};
    Buffer<packet::Item> items(*memory_);
    append_items(packet, items);
    for (const packet::Item &each : items)
        for (const List &list : kLists)
            if (list.list == each.kind)
                add_item(packet, each, {list.kind, Speaker::kAgent, number});
}

void StructuredFacts::add_item(value::TreeView packet, const packet::Item &from, Item item) {
    const bool decides = from.kind == ACCP_PACKET_DECISION || from.kind == ACCP_PACKET_FAILURE;
    text_.resize_down(event_bytes_);
    item.begin = text_.size();
    append_one_line(what_of(packet, from.node), text_);
    item.reason = text_.size();
    if (decides) append_one_line(why_of(packet, from.node), text_);
    if (from.kind == ACCP_PACKET_CONSTRAINT || (decides && is_of_user(packet, from.node)))
        item.speaker = Speaker::kUser;
    item.is_file = from.kind == ACCP_PACKET_FILE;
    item.is_explicit = true;
    keep_event(item);
}

const StructuredFacts::Source &StructuredFacts::source_of(uint32_t fact) const {
    return *std::lower_bound(
        sources_.begin(), sources_.end(), facts_[fact].number,
        [](const Source &source, uint64_t number) { return source.message < number; });
}

bool StructuredFacts::are_same_item(uint32_t fact, uint32_t other) const {
    return facts_[fact].line == facts_[other].line && source_of(fact).kind == source_of(other).kind;
}

// Orders the facts that hold by item, and within an item by time.
void StructuredFacts::sort_facts() {
    facts_.clear();
    order_.clear();
    std::string_view records = records_.view();
    for (context::Fact fact; !records.empty() && context::read_fact(records, fact);)
        facts_.push(fact);
    arena_.reset();
    context::keep_newest(arena_, kSeed, facts_);
    for (uint32_t i = 0; i < facts_.size(); ++i) order_.push(i);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        if (facts_[a].line != facts_[b].line) return facts_[a].line < facts_[b].line;
        const SentenceKind kind = source_of(a).kind, other = source_of(b).kind;
        return kind != other ? kind < other : a < b;
    });
}

// Writes one item for each entity and author, with the newest value of each attribute.
void StructuredFacts::write_facts() {
    items_.resize_down(events_);
    text_.resize_down(event_bytes_);
    sort_facts();
    for (size_t i = 0; i < order_.size(); ++i) {
        const context::Fact &fact = facts_[order_[i]];
        const bool again = i && are_same_item(order_[i], order_[i - 1]);
        const Source &source = source_of(order_[i]);
        if (!again) {
            items_.push({source.kind, source.speaker, 0, text_.size()});
            text_.append(fact.entity);
        }
        text_.append(again ? ", " : " ");
        text_.append(fact.attribute);
        text_.push(':');
        text_.append(fact.value);
        Item &item = items_[items_.size() - 1];
        item.message = source.message;
        item.reason = item.end = text_.size();
    }
}

void StructuredFacts::write(Buffer<Utterance> &out) {
    write_facts();
    for (const Item &item : items_) {
        Utterance utterance = {item.speaker,
                               text_.view().substr(item.begin, item.reason - item.begin), false,
                               item.message};
        utterance.kind = item.kind;
        utterance.has_paths_only = item.is_file;
        utterance.is_structured = !item.is_file;
        utterance.is_explicit = item.is_explicit;
        utterance.reason = text_.view().substr(item.reason, item.end - item.reason);
        out.push(utterance);
    }
}

}  // namespace accp::packet
