// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_learning.h.
#include "cli/packet/learning.h"

#include "cli/packet/outcome.h"
#include "cli/host.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"

namespace cli {
namespace {

std::string lines_of(const std::vector<std::string> &items) {
    std::string lines;
    for (const std::string &item : items) {
        for (char c : item) lines.push_back(c == '\n' ? ' ' : c);
        lines.push_back('\n');
    }
    return lines;
}

}  // namespace

// Writes what was said; then, or where nothing was, tells what is there.
int tell_feedback(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    const int64_t pane = own_pane(arguments, project);
    const std::string gaps = lines_of(arguments.gaps), unused = lines_of(arguments.unused);
    accp_error err = {};
    if (!gaps.empty() || !unused.empty()) {
        if (accp_panes_write_feedback(project.get(), pane, gaps.data(), gaps.size(), unused.data(),
                                      unused.size(), &err) != ACCP_OK)
            return refuse_pane(pane, err, io);
    }
    accp_text gaps_there = {}, unused_there = {};
    if (accp_panes_feedback(project.get(), pane, &gaps_there, &unused_there, &err) != ACCP_OK)
        return refuse_pane(pane, err, io);
    const std::string_view missed = to_view(gaps_there), spare = to_view(unused_there);
    io.out.text.append(arguments.json ? feedback_json(pane, missed, spare) + "\n"
                                      : feedback_text(missed, spare));
    return 0;
}

int record_task(const Arguments &arguments, Streams &io) {
    const bool success = has_succeeded(arguments);
    const PanesProject project(arguments, JournalUse::kWrite);
    const std::string gaps = lines_of(arguments.gaps), unused = lines_of(arguments.unused);
    accp_pane_task task = {};
    task.size = sizeof task;
    task.kind = {arguments.kind.data(), arguments.kind.size()};
    task.pane = arguments.pane ? *arguments.pane : -1;
    task.success = success ? 1 : 0;
    task.depth = arguments.depth.empty() ? -1 : depth_of(arguments.depth);
    task.context_tokens = arguments.task_tokens;
    task.whole_tokens = arguments.whole;
    task.explored = arguments.explored ? *arguments.explored : -1;
    task.gaps = {gaps.data(), gaps.size()};
    task.unused = {unused.data(), unused.size()};
    task.now_ms = now_ms(arguments);
    accp_error err = {};
    if (accp_panes_record(project.get(), &task, &err) != ACCP_OK)
        return arguments.pane ? refuse_pane(task.pane, err, io) : refuse("the task", err, io);
    if (arguments.json)
        io.out.text.append(project.setting(ACCP_PANES_TRACK_EFFICIENCY) ? "{\"recorded\":true}\n"
                                                                        : "{\"recorded\":false}\n");
    return 0;
}

int print_stats(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kRead);
    accp_error err = {};
    accp_text out = {};
    const auto print = arguments.json ? accp_panes_print_stats_json : accp_panes_print_stats;
    if (print(project.get(), arguments.compared ? 1 : 0, &out, &err) != ACCP_OK)
        throw Failure("the journal: " + message_of(err));
    io.out.text.append(to_view(out)).append(arguments.json ? "\n" : "");
    return 0;
}

int advise_depth(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kRead);
    accp_error err = {};
    accp_text why = {};
    int32_t depth = 0;
    if (accp_panes_advise(project.get(), arguments.kind.data(), arguments.kind.size(), &depth, &why,
                          &err) != ACCP_OK)
        throw Failure("the journal: " + message_of(err));
    const std::string_view text = to_view(why);
    const size_t colon = text.find(": ");
    if (!arguments.json) {
        io.out.text.append(text).append("\n");
        return 0;
    }
    io.out.text.append("{\"depth\":");
    append_json_string(text.substr(0, colon), io.out.text);
    io.out.text.append(",\"why\":");
    append_json_string(text.substr(colon + 2), io.out.text);
    io.out.text.append("}\n");
    return 0;
}

}  // namespace cli
