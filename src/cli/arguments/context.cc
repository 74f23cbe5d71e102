// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of accp context. An option is in a group, and an action has the groups of its row: no
// action takes an option that it would ignore.
#include "cli/arguments/groups.h"
#include "cli/arguments/shared.h"

namespace cli {
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
