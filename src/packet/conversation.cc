// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See conversation.h.
#include "packet/conversation.h"

#include "base/limits.h"
#include "message/read.h"

namespace accp::packet {

void Conversation::clear() {
    text_.recycle(kKeptBytes);
    turns_.recycle(kKeptBytes);
    said_.recycle(kKeptBytes);
}

Status Conversation::add(std::string_view json, uint64_t max_bytes) {
    Status status = reader_.read(json.data(), json.size(), {max_bytes, kMaxJsonDepth}, tree_);
    if (status.failed()) return status;
    message::Message message;
    const message::ReadStatus read =
        message::read_message(tree_.view(), 0, message::ReadRules{}, message);
    if (read.status.failed()) {
        const value::JsonReader::Origin at =
            reader_.origin(static_cast<uint32_t>(read.status.offset));
        return move_to(read.status, read.at_key ? at.key : at.value);
    }
    const value::TreeView tree = message.tree;
    const bool tool = message.operation == "tool";
    // who asks and is no assistant is a user, whatever the name
    const bool user = !tool && message.agent != "assistant" && message.agent != "system" &&
                      message.agent != "tool" && message.intent == "req";
    const Who who = user ? Who::kUser : Who::kAgent;
    if (tree[message.payload].kind == ACCP_STRING)
        add_text(who, false, tree.string(message.payload));
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; ++i) {
        if (tree[i].kind != ACCP_STRING) continue;
        const std::string_view key = tree[message.payload].kind == ACCP_MAP ? tree.key(i) : "";
        if (key == "content" || key == "thought") add_text(who, false, tree.string(i));
        else if (key != "result" && key != "call_id") add_text(who, true, tree.string(i));
    }
    return {};
}

void Conversation::add_text(Who who, bool names_files, std::string_view text) {
    const size_t begin = text_.size();
    text_.append(text);
    turns_.push({who, names_files, begin, text_.size()});
}

std::span<const Said> Conversation::said() {
    said_.clear();
    for (const Turn &turn : turns_)
        said_.push(
            {turn.who, text_.view().substr(turn.begin, turn.end - turn.begin), turn.names_files});
    return {said_.data(), said_.size()};
}

}  // namespace accp::packet
