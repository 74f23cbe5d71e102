// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See arguments_groups.h.
#include "cli/arguments/groups.h"

#include "cli/arguments/shared.h"

namespace cli {
namespace {

void add_json(CLI::App &command, Arguments &out) {
    command.add_flag("--json", out.json, "Answer in JSON");
}

void add_trust(CLI::App &command, Arguments &out) {
    command.add_flag("--no-verify", out.no_verify, "Take a checksum that is not right");
}

void add_source(CLI::App &command, Arguments &out) {
    command
        .add_option("--conversation", out.conversation,
                    "A file with messages; without it and without --code, standard input")
        ->option_text("FILE");
    command
        .add_option("--from", out.from,
                    "What that is: openai, anthropic, claude-code, swe-agent, specstory, aider, "
                    "speakers, messages of ours, or auto (what it looks like)")
        ->option_text("NAME");
    command
        .add_option("--depth", out.depth,
                    "minimal (goal and constraints), standard (and decisions and files) or deep "
                    "(and failures); as the configuration says, or of refresh as it was")
        ->check(CLI::IsMember({"minimal", "standard", "deep", "simple", "complex"}))
        ->option_text("NAME");
    CLI::Option *extract =
        command
            .add_option("--extract", out.extract,
                        "A command that reads the messages as JSON and writes items of them as "
                        "JSON, which are taken where the messages have them")
            ->option_text("COMMAND");
    command.add_option("--extract-seconds", out.extract_seconds, "The time that it has (60)")
        ->check(whole_number(1, 86'400))
        ->option_text("N")
        ->needs(extract);
}

void add_budget(CLI::App &command, Arguments &out) {
    command
        .add_option("--budget", out.budget,
                    "Tokens of the prompt (100, 400, 800 by depth); of preview, of its bars")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
}

void add_agent(CLI::App &command, Arguments &out) {
    command
        .add_option("--agent", out.agent,
                    "Who makes the packet (accp), or sends the frame (orchestrator)")
        ->option_text("NAME");
}

void add_code(CLI::App &command, Arguments &out) {
    command
        .add_option("--code", out.code,
                    "A directory with code, as git has its files: to make the packet of; of "
                    "validate, to warn of files that are others now")
        ->option_text("DIR");
    command
        .add_option("--index", out.index,
                    "Where the index of that code stays, so that a run reads only what changed: a "
                    "file, or none (where there is .agentwire, a file below it)")
        ->option_text("FILE");
}

void add_pane(CLI::App &command, Arguments &out) {
    command.add_option("--pane", out.pane, "Whose packet: a number")
        ->check(whole_number(0, 9999))
        ->option_text("N");
}

void add_shared(CLI::App &command, Arguments &out) {
    command.add_flag("--shared", out.shared, "The packet that all panes share");
}

void add_not_shared(CLI::App &command, Arguments &out) {
    command.add_flag("--shared", out.shared)->group("");
}

void add_project(CLI::App &command, Arguments &out) {
    command.add_option("--directory", out.directory, "Of the project (.)")->option_text("DIR");
    command
        .add_option("--config", out.panes_config,
                    "Settings of packets, as YAML (~/.agentwire/config.yaml)")
        ->option_text("FILE");
}

void add_journal(CLI::App &command, Arguments &out) {
    command
        .add_option("--store", out.store,
                    "The journal of packets and tasks (sqlite:DIR/.agentwire/journal.sqlite)")
        ->option_text("STORE");
}

void add_revision(CLI::App &command, Arguments &out) {
    command.add_option("--revision", out.revision, "Only where the packet there has this checksum")
        ->option_text("SUM");
}

void add_feedback(CLI::App &command, Arguments &out) {
    add_list(command, "--gap", out.gaps, "What was missing; may be given again", "TEXT");
    add_list(command, "--unused", out.unused, "What was there and not needed, the same", "TEXT");
}

void add_kind(CLI::App &command, Arguments &out) {
    command.add_option("--kind", out.kind, "The sort of task, such as auth")->option_text("NAME");
}

void add_task(CLI::App &command, Arguments &out) {
    command.add_flag("--success", out.success, "The task is done");
    command.add_flag("--fail", out.fail, "It has failed");
    CLI::Option *frame =
        command.add_option("--frame", out.frame, "The worker's done or fail says it")
            ->option_text("FRAME");
    command.add_option("--cid", out.cid, "The chain that --frame has to be of")
        ->option_text("CID")
        ->needs(frame);
    command.add_option("--depth", out.depth, "Of its packet")
        ->check(CLI::IsMember({"minimal", "standard", "deep", "simple", "complex"}))
        ->option_text("NAME");
    command.add_option("--tokens", out.task_tokens, "Of its packet (as that says)")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command.add_option("--whole", out.whole, "Tokens that the packet was made from")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command
        .add_option("--explored", out.explored,
                    "Files that the worker looked up, and were known before")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
}

void add_compare(CLI::App &command, Arguments &out) {
    command.add_flag("--compare", out.compared, "The earlier half of the tasks beside the later");
}

void add_roles(CLI::App &command, Arguments &out) {
    command.add_flag("--orchestrator", out.orchestrator, "What to tell an orchestrator");
    command.add_flag("--worker", out.worker, "What to tell a worker");
}

void add_of(CLI::App &command, Arguments &out) {
    command.add_option("--of", out.of, "The packet with this checksum, and what it refers to")
        ->option_text("SUM");
}

void add_less(CLI::App &command, Arguments &out) {
    CLI::Option *relevance =
        command.add_flag("--relevance", out.relevance, "Leave out what is not about the task");
    command.add_option("--task", out.task, "Of --relevance: another task than the packet's own")
        ->option_text("TEXT")
        ->needs(relevance);
    command
        .add_option("--threshold", out.threshold,
                    "Of --relevance: what an item has to score, 0 to 1 (0.07)")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("X")
        ->needs(relevance);
    command.add_flag("--patterns", out.patterns,
                     "One pattern for files of a folder that say the same");
    command.add_flag("--merge", out.merge, "One decision for those about one thing");
    CLI::Option *age = command.add_flag(
        "--age", out.age, "Older decisions and failures in a line, ancient in a word");
    command.add_option("--recent", out.recent, "Of --age: so many of each kind stay (5)")
        ->option_text("N")
        ->needs(age);
    command.add_option("--older", out.older, "Of --age: so many before them keep a line (10)")
        ->option_text("N")
        ->needs(age);
}

void add_note(CLI::App &command, Arguments &out) {
    command.add_option("--note", out.note, "What is new in this version")->option_text("TEXT");
}

struct GroupRow {
    uint32_t group;
    void (*add)(CLI::App &command, Arguments &out);
};
constexpr GroupRow kGroups[] = {
    {kJson, add_json},
    {kSource, add_source},
    {kCode, add_code},
    {kBudget, add_budget},
    {kAgent, add_agent},
    {kPane, add_pane},
    {kShared, add_shared},
    {kNotShared, add_not_shared},
    {kRevision, add_revision},
    {kFeedback, add_feedback},
    {kKind, add_kind},
    {kTask, add_task},
    {kCompare, add_compare},
    {kRoles, add_roles},
    {kOf, add_of},
    {kLess, add_less},
    {kNote, add_note},
    {kTrust, add_trust},
    {kProject, add_project},
    {kStore, add_journal},
    {kNow, add_now},
    {kCounts, add_tokenizer},
};

}  // namespace

void add_context_groups(CLI::App &command, uint32_t groups, Arguments &out) {
    for (const GroupRow &row : kGroups)
        if (groups & row.group) row.add(command, out);
}

}  // namespace cli
