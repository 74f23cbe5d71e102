// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context feedback, record, stats and advise: what workers report about their packets, and the
// results of their tasks.
#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"

namespace cli {
namespace {

bool is_done_frame(const Arguments &arguments) {
    const std::string &text = arguments.frame;
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_frame> frame = new_frame(config.get());
    accp_error err = {};
    accp_envelope envelope = {};
    if (accp_frame_parse(frame.get(), text.data(), text.size(), &err) != ACCP_OK ||
        accp_frame_envelope(frame.get(), &envelope, &err) != ACCP_OK)
        throw Failure("--frame: " + describe(err));
    if (!arguments.cid.empty() && to_view(envelope.cid) != arguments.cid)
        throw Failure("--frame belongs to another chain than --cid: its cid is " +
                      std::string(to_view(envelope.cid)));
    size_t count = 0;
    const accp_node &intent = accp_frame_nodes(frame.get(), &count)[1];
    const std::string_view name = std::string_view(text).substr(intent.offset, intent.len);
    if (name != "done" && name != "fail")
        throw Failure("--frame must have the intent done or fail, and not " + std::string(name));
    return name == "done";
}

// Returns the outcome by --success, --fail or --frame: a done or fail frame, with the cid of --cid
// if that is given. Throws Failure unless exactly one of them is given.
bool has_succeeded(const Arguments &arguments) {
    if (arguments.success + arguments.fail + !arguments.frame.empty() != 1)
        throw Failure("context record takes one of --success, --fail and --frame");
    return arguments.frame.empty() ? arguments.success : is_done_frame(arguments);
}

std::string one_per_line(const std::vector<std::string> &items) {
    std::string lines;
    for (const std::string &item : items) {
        for (char c : item) lines.push_back(c == '\n' ? ' ' : c);
        lines.push_back('\n');
    }
    return lines;
}

}  // namespace

// Stores the feedback of the arguments, if there is any; then prints all stored feedback.
int show_feedback(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    const int64_t pane = own_pane(arguments, project);
    const std::string gaps = one_per_line(arguments.gaps), unused = one_per_line(arguments.unused);
    accp_error err = {};
    if (!gaps.empty() || !unused.empty()) {
        if (accp_panes_write_feedback(project.get(), pane, gaps.data(), gaps.size(), unused.data(),
                                      unused.size(), &err) != ACCP_OK)
            return report_pane_error(pane, err, io);
    }
    accp_text stored_gaps = {}, stored_unused = {};
    if (accp_panes_read_feedback(project.get(), pane, &stored_gaps, &stored_unused, &err) !=
        ACCP_OK)
        return report_pane_error(pane, err, io);
    const std::string_view missed = to_view(stored_gaps), spare = to_view(stored_unused);
    io.out.text.append(arguments.json ? feedback_json(pane, missed, spare) + "\n"
                                      : feedback_text(missed, spare));
    return 0;
}

int record_task(const Arguments &arguments, Streams &io) {
    const bool success = has_succeeded(arguments);
    const PanesProject project(arguments, JournalUse::kWrite);
    const std::string gaps = one_per_line(arguments.gaps), unused = one_per_line(arguments.unused);
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
    if (accp_panes_record_task(project.get(), &task, &err) != ACCP_OK)
        return arguments.pane ? report_pane_error(task.pane, err, io)
                              : report_error("the task", err, io);
    if (arguments.json)
        io.out.text.append(project.setting(ACCP_PANES_TRACK_EFFICIENCY) ? "{\"recorded\":true}\n"
                                                                        : "{\"recorded\":false}\n");
    return 0;
}

int show_stats(const Arguments &arguments, Streams &io) {
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
