// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See conversation.h.
#include "packet/extract/conversation.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/text.h"
#include "frame/message/json.h"
#include "packet/extract/sentence.h"

namespace accp::packet {

namespace {

// How messages begin that stand as a user's, and that the program around the talk wrote.
constexpr std::string_view kOfProgram[] = {
    "This session is being continued from a previous conversation", "Caveat: The messages below",
    "[Request interrupted by user"};

bool is_of_program(std::string_view text) {
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == text.npos) return false;
    for (std::string_view beginning : kOfProgram)
        if (text.substr(begin).starts_with(beginning)) return true;
    return false;
}

std::string_view tag_name(std::string_view text) {
    size_t end = 0;
    while (end < text.size() &&
           (is_word(static_cast<unsigned char>(text[end])) || text[end] == '-'))
        ++end;
    return text.substr(0, end);
}

// The name of a tag that begins here, of the kind that programs make: `system-reminder`,
// `environment_details`, `think`; but not of one that holds what the user said.
std::string_view notice_name(std::string_view text) {
    const std::string_view name = tag_name(text.substr(1));
    if (name.size() + 1 == text.size() || text[name.size() + 1] != '>') return {};
    if (name == "think" || name == "thinking") return name;
    const bool joined = name.find_first_of("-_") != name.npos;
    return !joined || name.starts_with("user") ? std::string_view() : name;
}

// Who asks and is no assistant is a user, whatever the name.
Who speaker_of(const message::Message &message) {
    const bool tool = message.operation == "tool";
    const bool user = !tool && message.agent != "assistant" && message.agent != "system" &&
                      message.agent != "tool" && message.intent == "req";
    return user ? Who::kUser : Who::kAgent;
}

}  // namespace

// Where what a tag of this name opens ends: at the next that closes it, from `at` on.
size_t Conversation::find_closing(std::string_view text, std::string_view name, size_t at) const {
    const ClosingTag first = {seeded_hash(name.data(), name.size(), seed_), at};
    const ClosingTag *found = std::lower_bound(closing_.begin(), closing_.end(), first);
    for (; found < closing_.end() && found->name == first.name; ++found)
        if (tag_name(text.substr(found->at + 2)) == name) return found->at;
    return text.npos;
}

// Writes blanks over what stands in such tags, so that every other byte stays where it is. All
// that close are found once: a text may open as many as it has letters.
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
    said_.recycle(kKeptBytes);
    stated_.clear();
    records_.recycle(kKeptBytes);
    request_.clear();
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
    stated_.add_packet(packet, count_ - 1);
    if (request_.empty()) request_.append(shorten(packet.string(packet.find(0, "target_task"))));
}

Status Conversation::add_of_session(std::string_view json, uint64_t max_bytes, uint64_t record,
                                    bool &begins) {
    message::Message message;
    Status status = read(json, max_bytes, message);
    begins = false;
    if (status.failed()) return status;
    records_.push(record);
    if (message.untrusted) return {};
    begins = message.intent == "sync" && message.operation == "context" &&
             message.find("content") && message.find("packet");
    if (begins) return {};
    const Who who = speaker_of(message);
    add_talk(message);
    if (!message.is_text() && !message.find("content")) stated_.add(message, count_ - 1, who);
    if (request_.empty() && who == Who::kUser) note_request(message);
    return {};
}

// Of talk its first line; else the operation, and what it is about.
void Conversation::note_request(const message::Message &message) {
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
    const Who who = speaker_of(message);
    if (tree[message.payload].kind == ACCP_STRING)
        add_text(who, false, tree.string(message.payload));
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; ++i) {
        if (tree[i].kind != ACCP_STRING) continue;
        const std::string_view key = tree[message.payload].kind == ACCP_MAP ? tree.key(i) : "";
        if (key == "content" || key == "thought") add_text(who, false, tree.string(i));
        else if (key != "result" && key != "call_id") add_text(who, true, tree.string(i));
    }
}

void Conversation::add_text(Who who, bool names_files, std::string_view text) {
    const size_t begin = text_.size();
    text_.append(text);
    blank_notices({text_.data() + begin, text.size()});
    if (who == Who::kUser && is_of_program(text)) who = Who::kAgent;
    turns_.push({who, names_files, count_ - 1, begin, text_.size()});
}

std::span<const Said> Conversation::said() {
    said_.clear();
    for (const Turn &turn : turns_)
        said_.push({turn.who, text_.view().substr(turn.begin, turn.end - turn.begin),
                    turn.names_files, turn.message});
    stated_.write(said_);
    return {said_.data(), said_.size()};
}

}  // namespace accp::packet
