// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message of a recording, and what a call needs of the messages before it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/replay/figures.h"
#include "cli/replay/recall.h"

namespace cli {

struct ReplayMessage {
    std::string head;                // @agent intent:operation
    std::string tool;                // payload.tool_name, or the agent
    std::string plain;               // the head, and below it the payload in plain form
    std::vector<std::string> texts;  // all strings of the payload, in order
    bool is_call = false;            // a request with arguments, made by a model
    bool is_result = false;          // the result of a tool
    bool is_task = false;            // from a person, or with the operation plan or task
    bool is_notice = false;          // operation notify, such as a host's first instructions
    bool ends_task = false;          // done (not of a tool), esc or comp: makes a checkpoint

    // The texts, each on lines of its own.
    std::string text() const;
};

// Reads messages. In the plain form, strings are unescaped and other values are compact JSON. Each
// value follows its key if the payload has more than one member. Numbers keep their spelling.
class ReplayReader {
public:
    explicit ReplayReader(const Arguments &arguments);
    // `json`: a message as one object.
    accp_status read(std::string_view json, ReplayMessage &out, accp_error &err);

private:
    Handle<accp_config> config_;
    Handle<accp_value> value_;
};

// The names and phrases (recall.h) that one call uses and that occurred before it.
struct CallNeeds {
    struct Item {
        uint64_t hash;
        uint32_t message;  // the newest that has it
    };
    std::vector<Item> names, phrases;
    std::vector<std::string> newest;  // lines of the message before the call
};

// Finds the needs of calls in the history so far.
class NeedFinder {
public:
    CallNeeds needs_of(const ReplayMessage &call) const;
    void add(const ReplayMessage &message);

private:
    std::unordered_map<uint64_t, uint32_t> names_, phrases_;  // the newest message with each
    std::vector<std::string> newest_;
    uint32_t messages_ = 0;
};

// A context that is one text. ContextParts (history.h) has the same functions.
class ContextText {
public:
    explicit ContextText(std::string_view text);
    bool has_name(uint64_t hash) const { return items_.names.count(hash) != 0; }
    bool has_phrase(uint64_t hash) const { return items_.phrases.count(hash) != 0; }
    bool has_line(const std::string &words) const {
        return words_.find(words) != std::string::npos;
    }
    // Searches the end of the context first, because the newest message usually is there.
    bool has_newest(const std::string &words) const;

private:
    UsedItems items_;
    std::string words_;
};

// A call lacks nothing if its context has every name and nine tenths of the phrases that it needs.
struct CallRecall {
    RecallFigures figures;
    // If the call lacks something: the newest messages that have what is missing, each once.
    std::set<uint32_t> missing;
};

// `Context`: ContextText or ContextParts. `task`: the sentences of the first request.
template <typename Context>
CallRecall measure_recall(const Context &context, const CallNeeds &needs,
                          const std::vector<std::string> &task) {
    CallRecall recall;
    RecallFigures &figures = recall.figures;
    const auto count = [&recall](Share &share, bool is_present, uint32_t message) {
        share.count(is_present);
        if (!is_present) recall.missing.insert(message);
    };
    for (const CallNeeds::Item &name : needs.names)
        count(figures.names, context.has_name(name.hash), name.message);
    for (const CallNeeds::Item &phrase : needs.phrases)
        count(figures.phrases, context.has_phrase(phrase.hash), phrase.message);
    const bool is_complete = figures.names.present == figures.names.needed &&
                             10 * figures.phrases.present >= 9 * figures.phrases.needed;
    figures.complete.count(is_complete);
    if (is_complete) recall.missing.clear();
    for (const std::string &sentence : task) figures.task.count(context.has_line(sentence));
    for (const std::string &line : needs.newest) figures.newest.count(context.has_newest(line));
    return recall;
}

}  // namespace cli
