// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message of a recording, and what a call needs of the messages before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
        bool is_far;  // not in the last two messages
    };
    std::vector<Item> names, phrases;
    std::vector<std::string> newest;  // lines of the message before the call
};

// Finds the needs of calls in the history so far.
class NeedFinder {
public:
    CallNeeds needs_of(const ReplayMessage &call, std::vector<std::string> newest) const;
    void add(const ReplayMessage &message);

private:
    UsedItems history_;
    std::string last_, last_but_one_;  // the texts of these two messages
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

// `Context`: ContextText or ContextParts. `task`: the sentences of the first request.
template <typename Context>
RecallFigures measure_recall(const Context &context, const CallNeeds &needs,
                             const std::vector<std::string> &task) {
    RecallFigures figures;
    for (const CallNeeds::Item &name : needs.names) {
        const bool is_present = context.has_name(name.hash);
        figures.names.count(is_present);
        if (name.is_far) figures.far_names.count(is_present);
    }
    for (const CallNeeds::Item &phrase : needs.phrases) {
        const bool is_present = context.has_phrase(phrase.hash);
        figures.phrases.count(is_present);
        if (phrase.is_far) figures.far_phrases.count(is_present);
    }
    for (const std::string &sentence : task) figures.task.count(context.has_line(sentence));
    for (const std::string &line : needs.newest) figures.newest.count(context.has_newest(line));
    return figures;
}

}  // namespace cli
