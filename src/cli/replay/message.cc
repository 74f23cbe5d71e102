// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/message.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Calls `use` for each member of the map `node`, with its index and its value as compact JSON.
// `json`: the map as compact JSON.
template <typename Use>
void each_member(const Tree &tree, uint32_t node, std::string_view json, Use use) {
    size_t at = 1;
    for (uint32_t i = node + 1; i < tree.nodes[node].next; i = tree.nodes[i].next) {
        const size_t end = member_end(json, at);
        use(i, member_value(json.substr(at, end - at)));
        at = end + 1;
    }
}

std::string_view plain_value(const Tree &tree, uint32_t node, std::string_view json) {
    return tree.nodes[node].kind == ACCP_STRING ? tree.raw(node) : json;
}

void append_payload(const Tree &tree, uint32_t payload, std::string_view json, std::string &out) {
    const accp_node &node = tree.nodes[payload];
    if (node.kind != ACCP_MAP || node.len == 0) {
        out.append(plain_value(tree, payload, json)).append("\n");
        return;
    }
    each_member(tree, payload, json, [&](uint32_t i, std::string_view value) {
        if (node.len > 1) out.append(tree.key(i)).append(": ");
        out.append(plain_value(tree, i, value)).append("\n");
    });
}

void read_payload(const Tree &tree, uint32_t payload, ReplayMessage &out) {
    for (uint32_t i = payload; i < tree.nodes[payload].next; ++i)
        if (tree.nodes[i].kind == ACCP_STRING) out.texts.emplace_back(tree.raw(i));
    if (tree.nodes[payload].kind != ACCP_MAP) return;
    for (uint32_t i = payload + 1; i < tree.nodes[payload].next; i = tree.nodes[i].next) {
        if (tree.key(i) == "arguments") out.is_call = true;
        if (tree.key(i) == "tool_name" && tree.nodes[i].kind == ACCP_STRING) out.tool = tree.raw(i);
    }
}

}  // namespace

std::string ReplayMessage::text() const {
    std::string whole;
    for (size_t i = 0; i < texts.size(); ++i) whole.append(i == 0 ? "" : "\n").append(texts[i]);
    return whole;
}

ReplayReader::ReplayReader(const Arguments &arguments)
    : config_(make_config(arguments)), value_(new_value(config_.get())) {}

accp_status ReplayReader::read(std::string_view json, ReplayMessage &out, accp_error &err) {
    accp_text compact = {};
    accp_status status = accp_value_parse_json(value_.get(), json.data(), json.size(), &err);
    if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &compact, &err);
    if (status != ACCP_OK) return status;
    out = {};
    const Tree tree = tree_of(value_.get());
    if (tree.nodes[0].kind != ACCP_MAP) return ACCP_OK;
    std::string_view agent, intent, operation, payload_json;
    uint32_t payload = 0;
    each_member(tree, 0, to_view(compact), [&](uint32_t i, std::string_view value) {
        if (tree.key(i) == "agent") agent = tree.raw(i);
        if (tree.key(i) == "intent") intent = tree.raw(i);
        if (tree.key(i) == "operation") operation = tree.raw(i);
        if (tree.key(i) == "payload") payload = i, payload_json = value;
    });
    out.head.append("@").append(agent).append(" ").append(intent).append(":").append(operation);
    out.tool = agent;
    out.plain = out.head + "\n";
    if (payload != 0) append_payload(tree, payload, payload_json, out.plain);
    if (payload != 0) read_payload(tree, payload, out);
    out.is_call = out.is_call && intent == "req";
    out.is_result = operation == "tool" && intent != "req" && intent != "qry" && intent != "esc";
    out.is_task = agent == "user" || agent == "human" || operation == "plan" || operation == "task";
    out.is_notice = operation == "notify";
    out.ends_task =
        (intent == "done" && operation != "tool") || intent == "esc" || intent == "comp";
    return ACCP_OK;
}

RecallFigures &RecallFigures::operator+=(const RecallFigures &other) {
    complete += other.complete;
    names += other.names;
    phrases += other.phrases;
    task += other.task;
    newest += other.newest;
    return *this;
}

CallNeeds NeedFinder::needs_of(const ReplayMessage &call) const {
    const auto find = [](const std::unordered_set<uint64_t> &used,
                         const std::unordered_map<uint64_t, uint32_t> &history,
                         std::vector<CallNeeds::Item> &out) {
        for (uint64_t hash : used)
            if (const auto found = history.find(hash); found != history.end())
                out.push_back({hash, found->second});
    };
    UsedItems own;
    for (const std::string &text : call.texts) own.add(text);
    CallNeeds needs;
    find(own.names, names_, needs.names);
    find(own.phrases, phrases_, needs.phrases);
    needs.newest = newest_;
    return needs;
}

void NeedFinder::add(const ReplayMessage &message) {
    for (const std::string &text : message.texts)
        each_use(
            text, [this](uint64_t name) { names_[name] = messages_; },
            [this](uint64_t phrase) { phrases_[phrase] = messages_; });
    newest_ = long_lines_of(message.text());
    ++messages_;
}

ContextText::ContextText(std::string_view text) : words_(words_of(text)) { items_.add(text); }

bool ContextText::has_newest(const std::string &words) const {
    constexpr size_t kEnd = 16 << 10;  // bytes; nearly every newest message is within them
    const size_t from = words_.size() - std::min(words_.size(), kEnd);
    return words_.find(words, from) != std::string::npos || has_line(words);
}

}  // namespace cli
