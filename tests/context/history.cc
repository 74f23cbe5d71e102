// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See history.h.
#include "context/history.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "value/json_writer.h"

namespace accp_context {

namespace {

// Appends the strings below a node.
void strings_of(accp::value::TreeView tree, uint32_t node, std::vector<std::string_view> &out) {
    uint32_t end = accp::value::is_container(tree[node].kind) ? tree[node].next : node + 1;
    for (uint32_t i = node; i < end; ++i)
        if (tree[i].kind == ACCP_STRING) out.push_back(tree.string(i));
}

}  // namespace

std::vector<std::string> read_lines(const std::string &path) {
    std::ifstream file(std::string(ACCP_SOURCE_DIR) + "/" + path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> trajectories(const std::string &directory) {
    std::vector<std::string> paths;
    for (const auto &entry :
         std::filesystem::directory_iterator(std::string(ACCP_SOURCE_DIR) + "/" + directory))
        if (entry.path().extension() == ".jsonl")
            paths.push_back(directory + "/" + entry.path().filename().string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

RecallCount &RecallCount::operator+=(const RecallCount &other) {
    names += other.names;
    names_present += other.names_present;
    phrases += other.phrases;
    phrases_present += other.phrases_present;
    return *this;
}

RecallCount Recall::need(const std::vector<std::string_view> &texts,
                         std::string_view context) const {
    std::string whole;
    for (std::string_view text : texts) whole.append(text).push_back('\n');
    cli::UsedItems used, present;
    used.add(whole);
    present.add(context);
    RecallCount count;
    for (uint64_t name : used.names) {
        if (!history_.names.count(name)) continue;
        ++count.names;
        count.names_present += present.names.count(name);
    }
    for (uint64_t phrase : used.phrases) {
        if (!history_.phrases.count(phrase)) continue;
        ++count.phrases;
        count.phrases_present += present.phrases.count(phrase);
    }
    return count;
}

void Recall::add(const std::vector<std::string_view> &texts) {
    for (std::string_view text : texts) history_.add(text);
}

Figures &Figures::operator+=(const Figures &other) {
    context_tokens += other.context_tokens;
    history_tokens += other.history_tokens;
    max_tokens = std::max(max_tokens, other.max_tokens);
    longer += other.longer;
    miscounted += other.miscounted;
    recall += other.recall;
    return *this;
}

Figures replay(Counting &counting, const std::vector<std::string> &lines,
               const accp::context::ContextOptions &options) {
    Session session(counting, options);
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::value::JsonReader reader(memory);
    accp::value::Value value(memory);
    accp::Buffer<uint32_t> ids(memory);
    Recall recall;
    Figures figures;
    uint64_t history = 0;
    for (const std::string &line : lines) {
        (void)reader.read(line.data(), line.size(), {UINT64_MAX, accp::kMaxJsonDepth}, value).ok();
        accp::value::TreeView tree = value.view();
        const uint32_t payload = tree.find(0, "payload"),
                       arguments = tree.find(payload, "arguments");
        if (history) {
            std::string context = session.render();
            ids.clear();
            counting.counter.encode(context, ids);
            figures.miscounted += ids.size() != session.last_tokens;
            figures.longer += session.last_tokens > history;
            figures.context_tokens += session.last_tokens;
            figures.history_tokens += history;
            figures.max_tokens = std::max(figures.max_tokens, session.last_tokens);
            std::vector<std::string_view> texts;
            if (uint32_t thought = tree.find(payload, "thought")) strings_of(tree, thought, texts);
            if (arguments) strings_of(tree, arguments, texts);
            if (arguments && tree.string(tree.find(0, "intent")) == "req")
                figures.recall += recall.need(texts, context);
        }
        std::vector<std::string_view> texts;
        strings_of(tree, payload, texts);
        recall.add(texts);
        accp::Buffer<char> compact(memory);
        accp::value::write_json(tree, 0, compact);
        history += counting.count({compact.data(), compact.size()});
        if (session.append(line).failed()) return {};
    }
    return figures;
}

}  // namespace accp_context
