// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <cstdint>

#include "cli/arguments/arguments.h"
#include "cli/arguments/shared.h"

namespace cli {

// [[FILE arguments/groups.h]]
// The options of accp context, in groups that go together.

enum Group : uint32_t {
    kJson = 1 << 0,
    kTrust = 1 << 1,
    kSource = 1 << 2,     // of what a packet is made
    kBudget = 1 << 3,     // in tokens
    kAgent = 1 << 4,      // who speaks
    kCode = 1 << 5,       // a directory
    kPane = 1 << 6,       // whose packet, in which project
    kShared = 1 << 7,     // or what all share
    kNotShared = 1 << 8,  // which is refused with advice
    kProject = 1 << 9,
    kStore = 1 << 10,
    kRevision = 1 << 11,
    kFeedback = 1 << 12,
    kKind = 1 << 13,
    kTask = 1 << 14,
    kCompare = 1 << 15,
    kRoles = 1 << 16,
    kOf = 1 << 17,
    kLess = 1 << 18,
    kNote = 1 << 19,
    kNow = 1 << 20,
    kCounts = 1 << 21,  // the tokens of a packet
};

// Adds the options of some groups, as bits.
void add_context_groups(CLI::App &command, uint32_t groups, Arguments &out);

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

// [[FILE arguments/context.cc]]
// The actions of accp context. An option is in a group, and an action has the groups of its row: no
// action takes an option that it would ignore.

namespace {

struct Action {
    const char *name, *what;
    const char *argument, *argument_help;  // NULL: it takes none
    uint32_t groups;
};

constexpr const char *kOne = "A packet, as YAML or JSON; - or none: standard input";
constexpr const char *kAny = "Packets, as YAML or JSON; - or none: standard input";
constexpr const char *kTwo = "Two packets, the old first";
constexpr uint32_t kFile = kJson | kTrust | kCounts;
constexpr uint32_t kInPane = kJson | kPane | kProject;

constexpr Action kActions[] = {
    {"generate",
     "Make a packet of a conversation, of code, or of both; that of a pane is put into its place, "
     "and the line for the worker's task is printed",
     "TASK", "What the worker is to do, in quotes",
     kInPane | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow | kCounts},
    {"spawn",
     "Start a worker with its packet in place, unless the configuration says auto_generate: false",
     "TASK", "What the worker is to do, in quotes; then -- and the command, {task} in it the task",
     kPane | kProject | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow |
         kCounts},
    {"validate",
     "Say of each file whether it is a packet, its tokens and its checksum; in JSON an object each",
     "FILE", kAny, kFile | kCode},
    {"seal", "Write a packet with the checksum and the count that it ought to have", "FILE", kOne,
     kJson | kCounts},
    {"preview", "Show what a model reads of a packet: of a file, or in a project's files", "FILE",
     kOne, kFile | kPane | kShared | kProject | kBudget},
    {"query", "Answer a question from packets", "QUESTION", "A question, in quotes; then packets",
     kFile | kOf},
    {"compress", "Write less of a packet, by one or more strategies", "FILE", kOne, kFile | kLess},
    {"revise", "Write the new packet as the next version of the old", "OLD NEW", kTwo,
     kFile | kNote},
    {"log", "Show versions and changelogs", "FILE", kAny, kFile},
    {"diff", "Show what was added (+), removed (-) and changed (~)", "OLD NEW", kTwo, kFile},
    {"read", "Show a worker its packet, and record that it was read", nullptr, nullptr,
     kInPane | kShared | kStore | kNow | kCounts},
    {"edit", "Edit a packet in $VISUAL or $EDITOR, or take an edited file, and seal it again",
     "FILE", "An edited packet; none: the editor is started",
     kInPane | kShared | kStore | kRevision | kAgent | kNow | kCounts},
    {"push", "Put a packet into its place, and print the frame that says so", "FILE", kOne,
     kInPane | kShared | kRevision | kAgent | kNow | kCounts},
    {"refresh", "Make a packet anew, of a newer conversation for the same task", nullptr, nullptr,
     kInPane | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow | kCounts},
    {"clear", "Archive and remove the packet of a pane", nullptr, nullptr,
     kInPane | kNotShared | kStore | kNow},
    {"feedback", "Say what was missing and what was not needed; or show what was said", nullptr,
     nullptr, kInPane | kFeedback},
    {"record", "Record a task that is over", nullptr, nullptr,
     kInPane | kStore | kFeedback | kKind | kTask | kNow},
    {"stats", "Tell what came of all tasks", nullptr, nullptr,
     kJson | kProject | kStore | kCompare},
    {"advise", "Suggest a depth, and say why", nullptr, nullptr, kJson | kProject | kStore | kKind},
    {"roles", "Print what to add to instructions", nullptr, nullptr, kJson | kRoles},
};

std::string actions_with(const CLI::App &context, const std::string &option) {
    std::string names;
    for (const CLI::App *action : context.get_subcommands([](const CLI::App *) { return true; }))
        if (const CLI::Option *found = action->get_option_no_throw(option);
            found != nullptr && !found->get_group().empty())
            names.append(names.empty() ? "" : ", ").append(action->get_name());
    return names;
}

std::string action_names() {
    std::string names;
    for (const Action &action : kActions)
        names.append(names.empty() ? "" : ", ").append(action.name);
    return names;
}

// --depth=deep and --depth are one option.
std::string option_of(const std::string &word) {
    return word.size() > 1 && word[0] == '-' ? word.substr(0, word.find('=')) : std::string();
}

}  // namespace

void add_context(CLI::App &app, Arguments &out) {
    CLI::App *command =
        app.add_subcommand("context", "Context packets: what a worker must know, in a file");
    command->require_subcommand(1);
    command->footer("accp context ACTION --help tells the options of one.");
    for (const Action &action : kActions) {
        CLI::App *own = command->add_subcommand(action.name, action.what);
        own->footer("");
        add_context_groups(*own, action.groups, out);
        if (std::string_view(action.name) != "roles") add_limit(*own, out);
        if (action.argument)
            own->add_option(action.argument, out.files, action.argument_help)->type_name("");
    }
}

std::string describe_context(const CLI::App &app) {
    if (!app.got_subcommand("context")) return {};
    const CLI::App &context = *app.get_subcommand("context");
    const bool acts = !context.get_subcommands().empty();
    const std::string name = acts ? context.get_subcommands().front()->get_name() : "";
    for (const std::string &word : app.remaining(true)) {
        const std::string option = option_of(word);
        const std::string others = option.empty() ? option : actions_with(context, option);
        if (!acts && option.empty())
            return "no such action of context: " + word + "; there are " + action_names();
        if (!acts) continue;
        if (option.empty()) return "context " + name + " takes no further word: " + word;
        if (others.empty()) return "context " + name + " has no option " + option;
        if (context.get_subcommands().front()->get_option_no_throw(option) != nullptr)
            return option + " stands after the action: accp context " + name + " " + option;
        return "context " + name + " has no option " + option + ": it is of " + others;
    }
    return acts ? std::string() : "context takes an action: " + action_names();
}

}  // namespace cli
