// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp context. Options are in groups, and each action has the groups of its row, so
// no action accepts an option that it would ignore.
#include "cli/arguments/options.h"

namespace cli {
namespace {

enum OptionGroup : uint32_t {
    kJson = 1 << 0,
    kTrust = 1 << 1,
    kSource = 1 << 2,  // the input of a packet
    kBudget = 1 << 3,
    kAgent = 1 << 4,
    kCode = 1 << 5,
    kPane = 1 << 6,
    kShared = 1 << 7,     // the packet that all panes share
    kNotShared = 1 << 8,  // accepted and then refused with advice
    kProject = 1 << 9,
    kStore = 1 << 10,
    kRevision = 1 << 11,
    kFeedback = 1 << 12,
    kKind = 1 << 13,
    kTask = 1 << 14,
    kCompare = 1 << 15,
    kRoles = 1 << 16,
    kOf = 1 << 17,
    kStrategies = 1 << 18,
    kNote = 1 << 19,
    kNow = 1 << 20,
    kCounts = 1 << 21,  // how tokens are counted
    kSecrets = 1 << 22,
    kTalk = 1 << 23,
    kSetup = 1 << 24,
};

void add_json(CLI::App &command, Arguments &out) {
    command.add_flag("--json", out.json, "Print JSON");
}

void add_trust(CLI::App &command, Arguments &out) {
    command.add_flag("--no-verify", out.no_verify, "Accept a packet with a wrong checksum");
}

void add_secrets(CLI::App &command, Arguments &out) {
    command
        .add_flag("--keep-secrets", out.keep_secrets,
                  "Do not replace keys, tokens and passwords by [redacted:KIND]")
        ->group(kMoreOptions);
}

CLI::Validator packet_depth() {
    return one_of({"minimal", "standard", "deep", "simple", "complex"});
}

bool is_action(const CLI::App &command, std::string_view name) {
    return command.get_name() == name;
}

void add_conversation(CLI::App &command, Arguments &out) {
    command
        .add_option("--conversation", out.conversation,
                    "A file with messages. Without it, --session and --code, standard input is "
                    "read")
        ->option_text("FILE");
    command
        .add_option(
            "--from", out.from,
            "The format of the messages: openai, anthropic, claude-code, swe-agent, "
            "specstory, aider, speakers, codex, opencode, pi, gemini, messages (of ACCP), or auto")
        ->option_text("NAME");
}

void add_source(CLI::App &command, Arguments &out) {
    if (!is_action(command, "hook")) add_conversation(command, out);
    command
        .add_option("--depth", out.depth,
                    std::string("How much the packet contains: minimal (goal and constraints), "
                                "standard (also decisions and files) or deep (also failures). "
                                "Default: ") +
                        (is_action(command, "refresh")
                             ? "the smallest one that has everything in the old packet"
                             : "default_depth of the configuration, else standard"))
        ->check(packet_depth())
        ->option_text("NAME");
    CLI::Option *model = add_item_model(command, out);
    if (is_action(command, "generate")) {
        command
            .add_option("--items", out.items,
                        "A file with what you know already, in YAML or JSON: members of a packet's "
                        "context, each optional. They replace what the rules find of their kind; "
                        "each item may have a quote of the conversation")
            ->option_text("FILE")
            ->excludes(model);
        command.add_flag("--strict-budget", out.strict_budget,
                         "Refuse if a given item, or a plain demand or decision of a user, does "
                         "not fit into the budget");
    }
    CLI::Option *extract =
        command.add_option("--extract", out.extract,
                           "A program that reads the messages as JSON and prints items as JSON. "
                           "Only items that the messages contain are used");
    extract->option_text("COMMAND")->group(kMoreOptions)->excludes(model);
    command
        .add_option("--extract-seconds", out.extract_seconds,
                    "The time limit of that program (default 60)")
        ->check(whole_number(1, 86'400))
        ->option_text("N")
        ->needs(extract)
        ->group(kMoreOptions);
    add_embedder(command, out);
}

void add_session_source(CLI::App &command, Arguments &out) {
    command
        .add_option(
            "--session", out.talk_session,
            "Use the conversation that an agent has in this project, or in a directory above "
            "it: auto (any agent), claude-code, codex, opencode, pi or gemini. Any other word, or "
            "with --store any word, is the id of a session of --store. Without it and any "
            "other input: the only session of the project's journal, or else auto")
        ->option_text("NAME");
    command
        .add_option("--store", out.store,
                    "The store of the session (default sqlite:DIR/.agentwire/journal.sqlite)")
        ->option_text("STORE")
        ->group(kMoreOptions);
}

void add_budget(CLI::App &command, Arguments &out) {
    command
        .add_option(
            "--budget", out.budget,
            is_action(command, "preview")
                ? "The number of tokens that the bars of the layers are drawn for (default: "
                  "the smallest of 100, 400 and 800 that is enough)"
                : "The maximum number of tokens of the packet as a prompt (default by "
                  "--depth: 100, 400 or 800)")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
}

void add_agent(CLI::App &command, Arguments &out) {
    command
        .add_option("--agent", out.agent,
                    is_action(command, "push") || is_action(command, "edit") ||
                            is_action(command, "refresh")
                        ? "The agent that sends the frame (default orchestrator)"
                        : "The author that the packet names (default accp)")
        ->option_text("NAME")
        ->group(kMoreOptions);
}

void add_code(CLI::App &command, Arguments &out) {
    command
        .add_option("--code", out.code,
                    is_action(command, "validate")
                        ? "The folder with the source files: warn if a file of the packet has "
                          "changed since the packet was made"
                        : "A folder with source files. The packet names those that the task is "
                          "about. Files that git ignores are left out")
        ->option_text("DIR");
    command
        .add_option("--index", out.index,
                    "Keep an index of the source files in this file; the next run then reads only "
                    "files that have changed. none: keep no index. Default: a file in .agentwire, "
                    "if that folder exists")
        ->option_text("FILE")
        ->group(kMoreOptions);
}

void add_pane(CLI::App &command, Arguments &out) {
    command.add_option("--pane", out.pane, "The number of the worker's pane")
        ->check(whole_number(0, 9999))
        ->option_text("N");
}

void add_shared(CLI::App &command, Arguments &out) {
    command.add_flag("--shared", out.shared, "Use the packet that all panes share");
}

void add_not_shared(CLI::App &command, Arguments &out) {
    command.add_flag("--shared", out.shared)->group("");
}

void add_project(CLI::App &command, Arguments &out) {
    command.add_option("--directory", out.directory, "The folder of the project (default .)")
        ->option_text("DIR")
        ->group(kMoreOptions);
    command
        .add_option("--config", out.panes_config,
                    "Settings of packets, YAML (default ~/.agentwire/config.yaml)")
        ->option_text("FILE")
        ->group(kMoreOptions);
}

void add_journal(CLI::App &command, Arguments &out) {
    command
        .add_option("--store", out.store,
                    "The journal of packets and tasks (default sqlite:DIR/.agentwire/"
                    "journal.sqlite)")
        ->option_text("STORE")
        ->group(kMoreOptions);
}

void add_revision(CLI::App &command, Arguments &out) {
    command
        .add_option("--revision", out.revision, "Fail unless the current packet has this checksum")
        ->option_text("SUM");
}

void add_feedback(CLI::App &command, Arguments &out) {
    add_list(command, "--gap", out.gaps, "What was missing; can be given several times", "TEXT");
    add_list(command, "--unused", out.unused, "What was not needed; can be given several times",
             "TEXT");
}

void add_kind(CLI::App &command, Arguments &out) {
    command.add_option("--kind", out.kind, "The kind of task, such as auth")->option_text("NAME");
}

void add_task(CLI::App &command, Arguments &out) {
    command.add_flag("--success", out.success, "The task is done");
    command.add_flag("--fail", out.fail, "The task failed");
    CLI::Option *frame = command.add_option(
        "--frame", out.frame, "The result of the task is this frame of the worker, done or fail");
    frame->option_text("FRAME");
    command.add_option("--cid", out.cid, "The cid that this frame must have")
        ->option_text("CID")
        ->needs(frame);
    command.add_option("--depth", out.depth, "The depth of the packet")
        ->check(packet_depth())
        ->option_text("NAME");
    command
        .add_option("--tokens", out.task_tokens,
                    "The tokens of the packet (default: as the packet says)")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command
        .add_option("--whole", out.whole, "The tokens of the input that the packet was made from")
        ->check(whole_number(1, kMaxCount))
        ->option_text("N");
    command
        .add_option("--explored", out.explored,
                    "The number of files that the worker read although they were known before")
        ->check(whole_number(0, kMaxCount))
        ->option_text("N");
}

void add_compare(CLI::App &command, Arguments &out) {
    command.add_flag("--compare", out.compared,
                     "Compare the earlier half of the tasks with the later");
}

void add_roles(CLI::App &command, Arguments &out) {
    command.add_flag("--orchestrator", out.orchestrator, "Print those of an orchestrator");
    command.add_flag("--worker", out.worker, "Print those of a worker");
}

void add_of(CLI::App &command, Arguments &out) {
    command.add_option("--of", out.of, "Use the packet with this checksum and those it refers to")
        ->option_text("SUM");
    add_embedder(command, out);
}

void add_strategies(CLI::App &command, Arguments &out) {
    CLI::Option *relevance =
        command.add_flag("--relevance", out.relevance, "Remove items that are not about the task");
    command.add_option("--task", out.task, "Use this task instead of the packet's own")
        ->option_text("TEXT")
        ->needs(relevance);
    command
        .add_option("--threshold", out.threshold,
                    "The least score of an item, 0 to 1 (default 0.07; with --embedder the best by "
                    "rank)")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("X")
        ->needs(relevance);
    add_embedder(command, out)->needs(relevance);
    command.add_flag("--patterns", out.patterns,
                     "Replace files of a folder with equal notes by one pattern");
    command.add_flag("--merge", out.merge, "Merge decisions about the same thing");
    CLI::Option *age = command.add_flag(
        "--age", out.age, "Shorten older decisions and failures to a line, the oldest to a word");
    command.add_option("--recent", out.recent, "Keep this many of each kind unchanged (default 5)")
        ->option_text("N")
        ->needs(age);
    command
        .add_option("--older", out.older, "Shorten this many before them to a line (default 10)")
        ->option_text("N")
        ->needs(age);
}

void add_setup(CLI::App &command, Arguments &out) {
    command.add_flag("--dry-run", out.dry_run, "Only print what would change");
    command.add_flag("--remove", out.removes, "Remove what setup has installed");
    command.add_option("--directory", out.directory, "The folder of the project (default .)")
        ->option_text("DIR");
}

void add_note(CLI::App &command, Arguments &out) {
    command.add_option("--note", out.note, "What is new in this version")->option_text("TEXT");
}

struct GroupRow {
    uint32_t group;
    void (*add)(CLI::App &command, Arguments &out);
};
constexpr GroupRow kGroups[] = {
    {kPane, add_pane},
    {kShared, add_shared},
    {kNotShared, add_not_shared},
    {kSource, add_source},
    {kTalk, add_session_source},
    {kCode, add_code},
    {kFeedback, add_feedback},
    {kTask, add_task},
    {kKind, add_kind},
    {kRoles, add_roles},
    {kOf, add_of},
    {kStrategies, add_strategies},
    {kNote, add_note},
    {kSetup, add_setup},
    {kCompare, add_compare},
    {kBudget, add_budget},
    {kJson, add_json},
    {kTrust, add_trust},
    {kRevision, add_revision},
    {kAgent, add_agent},
    {kProject, add_project},
    {kStore, add_journal},
    {kSecrets, add_secrets},
    {kNow, add_now},
    {kCounts, add_tokenizer},
};

struct Action {
    const char *name, *what;
    const char *argument, *argument_help;  // NULL: the action takes no argument
    uint32_t groups;
};

constexpr const char *kOnePacket = "A packet (YAML or JSON); without it, or with -, standard input";
constexpr const char *kPackets = "Packets (YAML or JSON); without any, or with -, standard input";
constexpr const char *kTwoPackets = "Two packets, the old one first";
constexpr uint32_t kFile = kJson | kTrust | kCounts;
constexpr uint32_t kInPane = kJson | kPane | kProject;

constexpr Action kActions[] = {
    {"generate",
     "Make a packet from a conversation, code, or both. For a pane, write it to the project and "
     "print the line for the worker's task",
     "TASK", "The worker's task, in quotes",
     kTalk | kInPane | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow |
         kCounts | kSecrets},
    {"spawn",
     "Write a worker's packet, or without a pane put it before the task, and start the worker. "
     "With auto_generate: false in the "
     "configuration, only start it",
     "TASK",
     "The worker's task, in quotes; then -- and its command, in which {task} is replaced by the "
     "task",
     kTalk | kPane | kProject | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow |
         kCounts | kSecrets},
    {"validate", "Check packets; print the tokens and checksum of each", "FILE", kPackets,
     kFile | kCode},
    {"seal", "Print a packet with its correct checksum and token count", "FILE", kOnePacket,
     kJson | kCounts | kSecrets},
    {"preview", "Print what a model reads of a packet", "FILE", kOnePacket,
     kFile | kPane | kShared | kProject | kBudget | kSecrets},
    {"query", "Answer a question from packets", "QUESTION",
     "The question, in quotes, then files with packets", kFile | kOf},
    {"compress", "Make a packet smaller by one or more strategies", "FILE", kOnePacket,
     kFile | kStrategies | kSecrets},
    {"revise", "Write the new packet as the next version of the old one", "OLD NEW", kTwoPackets,
     kFile | kNote | kSecrets},
    {"log", "Print versions and changelogs", "FILE", kPackets, kFile},
    {"diff", "Print what was added (+), removed (-) and changed (~)", "OLD NEW", kTwoPackets,
     kFile},
    {"read", "Print the packet of a worker and record that it was read", nullptr, nullptr,
     kInPane | kShared | kStore | kNow | kCounts | kSecrets},
    {"edit", "Edit a packet in $VISUAL or $EDITOR, or take an edited file, and seal it", "FILE",
     "An edited packet; without it, the editor starts",
     kInPane | kShared | kStore | kRevision | kAgent | kNow | kCounts | kSecrets},
    {"push", "Replace a packet and print the frame that announces it", "FILE", kOnePacket,
     kInPane | kShared | kRevision | kAgent | kNow | kCounts | kSecrets},
    {"refresh",
     "Make a packet again from a newer conversation, for the same task; what was edited by hand "
     "stays",
     nullptr, nullptr,
     kNote | kTalk | kInPane | kNotShared | kSource | kCode | kBudget | kAgent | kRevision | kNow |
         kCounts | kSecrets},
    {"clear", "Archive and remove the packet of a pane", nullptr, nullptr,
     kInPane | kNotShared | kStore | kNow},
    {"restore", "Write back the packet of a pane that was archived last", nullptr, nullptr,
     kInPane | kNotShared | kStore},
    {"feedback", "Record what was missing or not needed, or print this feedback", nullptr, nullptr,
     kInPane | kFeedback},
    {"record", "Record the result of a task", nullptr, nullptr,
     kInPane | kStore | kFeedback | kKind | kTask | kNow},
    {"stats", "Print the results of all tasks", nullptr, nullptr,
     kJson | kProject | kStore | kCompare},
    {"hook",
     "Read the JSON that an agent gives to a hook: put a packet into the prompt of a sub-agent, or "
     "record its feedback",
     nullptr, nullptr, kProject | kCode | kSource | kBudget | kNow | kCounts | kSecrets},
    {"setup",
     "Install hooks, commands and instructions for packets in this project's files for an agent",
     "AGENT", "claude-code, codex, opencode, or agents: an AGENTS.md for any other agent", kSetup},
    {"advise", "Suggest a depth, with the reason", nullptr, nullptr,
     kJson | kProject | kStore | kKind},
    {"roles", "Print text to add to the instructions of agents", nullptr, nullptr, kJson | kRoles},
};

}  // namespace

void add_context(CLI::App &app, Arguments &out) {
    CLI::App *command = app.add_subcommand(
        "context",
        "Make, read and compare context packets, which have the knowledge that a worker needs");
    command->group(kEveryday);
    command->require_subcommand(1);
    command->footer("accp context ACTION --help shows the options of an action.");
    for (const Action &action : kActions) {
        CLI::App *page = command->add_subcommand(action.name, action.what);
        page->group("Actions");
        page->footer("");
        for (const GroupRow &row : kGroups)
            if (action.groups & row.group) row.add(*page, out);
        const bool reads_files =
            std::string_view(action.name) != "roles" && action.groups != kSetup;
        if (reads_files) add_limit(*page, out);
        if (action.argument) page->add_option(action.argument, out.files, action.argument_help);
    }
}

}  // namespace cli
