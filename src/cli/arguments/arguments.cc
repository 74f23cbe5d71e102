// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the command line with CLI11, which takes ten seconds to compile, so only the files of this
// folder include it.
#include "cli/arguments/arguments.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "cli/arguments/options.h"
#include "cli/host.h"

namespace cli {
namespace {

// The page that accp prints without arguments.
constexpr const char *kStartPage =
    R"(accp lowers the bill of AI agents, and loses nothing. The most common uses:

Run an agent that you already use behind a proxy that leaves out old results
  accp proxy run -- claude
Encode messages as frames; accp decode reads them back
  accp encode messages.jsonl > frames.txt
Compare the tokens of messages with those of JSON
  accp stats messages.jsonl
Keep a conversation and print the context for the next model call
  accp session append chat.jsonl --from auto --store sqlite:chat.db
  accp session context --store sqlite:chat.db
Measure what the contexts of a recorded conversation would have cost
  accp session replay chat.jsonl --from auto --report
Make a context packet: a file with the knowledge that a worker needs
  accp context generate "Fix the login" --conversation chat.jsonl
Shorten the long results of an MCP server
  accp mcp wrap -- npx -y @modelcontextprotocol/server-filesystem .
Run the plan of a SACP message with programs as tools
  accp sacp run plan.json --lenient --tool SEARCH='./search.sh'
Run a hub through which agents exchange frames
  accp serve --store sqlite:hub.db

accp --help lists all commands, accp COMMAND --help their options.
)";

constexpr const char *kVersionOption = "--version";

constexpr const char *kFooter =
    "accp COMMAND --help shows the options of a command. The manual: man accp.\n"
    "Exit status of most commands: 0 all done; 1 a record was refused; 2 bad usage,\n"
    "or input or output failed.";

std::string version_line() {
    return std::string("accp ") + ACCP_VERSION_STRING + " (libaccp " + accp_version() + ", ABI " +
           std::to_string(accp_abi_version()) + ")";
}

// Returns whether the words before -- name an action that takes the command line of another
// program.
bool takes_command(const char *const *begin, const char *const *mark) {
    if (mark - begin < 2) return false;
    const std::string_view command = begin[0], action = begin[1];
    if (command == "proxy")  // its options may come before the action
        return std::find(begin + 1, mark, std::string_view("run")) != mark;
    return (command == "context" && action == "spawn") || (command == "mcp" && action == "wrap");
}

// The words after the -- of context spawn, mcp wrap and proxy run are the command line of another
// program. Moves them to `out` and returns the number of words before them.
int cut_worker_command(int argc, char **argv, Arguments &out) {
    char **const end = argv + argc, **const mark = std::find(argv, end, std::string_view("--"));
    if (mark == end || !takes_command(argv + 1, mark)) return argc;
    out.worker_command.assign(mark + 1, end);
    return static_cast<int>(mark - argv);
}

// Adds the command that `word` names, or all commands if it names none. All of them take 2 ms.
void add_commands(CLI::App &app, std::string_view word, Arguments &out) {
    constexpr struct {
        std::string_view command;
        void (*add)(CLI::App &, Arguments &);
    } kOthers[] = {
        {"session", add_session}, {"context", add_context}, {"sacp", add_sacp},
        {"store", add_store},     {"serve", add_serve},     {"proxy", add_proxy},
        {"mcp", add_mcp},
    };
    if (word == kVersionOption) return;
    for (const auto &other : kOthers)
        if (word == other.command) return other.add(app, out);
    add_formats(app, out);
    const auto is_named = [&](CLI::App *one) { return one->get_name() == word; };
    if (!app.get_subcommands(is_named).empty()) return;
    for (const auto &other : kOthers) other.add(app, out);
}

bool is_help_command(int argc, char **argv) {
    return argc > 1 && std::string_view(argv[1]) == "help";
}

void parse_words(CLI::App &app, int argc, char **argv) {
    // CLI11 would split a JSON array at its commas, unless it starts with a space.
    std::vector<std::string> words;
    const auto is_asked = [&](CLI::App *one) { return argc == 2 || one->check_name(argv[2]); };
    // accp help COMMAND is accp COMMAND --help
    const bool is_help = is_help_command(argc, argv) && !app.get_subcommands(is_asked).empty();
    if (is_help) words.emplace_back("--help");
    for (int i = argc; i > (is_help ? 2 : 1); --i)
        words.push_back(argv[i - 1][0] == '[' ? std::string(" ") + argv[i - 1] : argv[i - 1]);
    app.parse(std::move(words));
}

// Returns the command, or its action, that the words name.
const CLI::App &named_command(const CLI::App &app, int argc, char **argv) {
    const CLI::App *found = &app;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const auto is_named = [&](const CLI::App *one) { return one->check_name(argv[i]); };
        const std::vector<const CLI::App *> next = found->get_subcommands(is_named);
        if (next.empty()) break;
        found = next.front();
    }
    return *found;
}

std::string path_of(const CLI::App &command) {
    const CLI::App *parent = command.get_parent();
    return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}

// Returns the flag in a word such as --lenient=3, or "". CLI11 would read the value as a number.
std::string flag_with_value(const CLI::App &command, int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;
        if (!word.starts_with("--") || word.find('=') == word.npos) continue;
        const std::string name(word.substr(0, word.find('=')));
        const CLI::Option *option = command.get_option_no_throw(name);
        if (option != nullptr && option->get_expected_max() == 0) return name;
    }
    return {};
}

// Puts --help at the end of its page. It is the first option of each command.
void move_help_to_end(CLI::App &app) {
    app.get_help_ptr()->group(kMoreOptions);
    for (CLI::App *command : app.get_subcommands([](CLI::App *) { return true; }))
        move_help_to_end(*command);
}

// Returns the command and the action that were given, such as "accp context seal".
std::string command_path(const CLI::App &app) {
    const std::vector<CLI::App *> parsed = app.get_subcommands();
    return app.get_name() + (parsed.empty() ? "" : " " + command_path(*parsed.front()));
}

bool is_any(const CLI::App *) { return true; }

// Returns the names of the commands or actions of `parent`: of all, or of those with an option.
std::string names_of(const CLI::App &parent, const std::string &option = {}) {
    std::string names;
    for (const CLI::App *one : parent.get_subcommands(is_any)) {
        const CLI::Option *found = option.empty() ? nullptr : one->get_option_no_throw(option);
        const bool has_option = found != nullptr && !found->get_group().empty();
        if (option.empty() || has_option)
            names.append(names.empty() ? "" : ", ").append(one->get_name());
    }
    return names;
}

// Returns the option in a word such as --depth=deep, or "" for other words.
std::string option_of(const std::string &word) {
    return word.size() > 1 && word[0] == '-' ? word.substr(0, word.find('=')) : std::string();
}

// Describes a word that the command, or its action, does not accept.
std::string describe_word(const std::string &word, const CLI::App &command) {
    const std::vector<CLI::App *> actions = command.get_subcommands();
    const CLI::App &last = actions.empty() ? command : *actions.front();
    const std::string name = command_path(command), option = option_of(word);
    if (option.empty() && actions.empty() && !names_of(command).empty())
        return name + ": unknown action \"" + word + "\"; use one of " + names_of(command);
    if (option.empty()) return name + ": unexpected argument \"" + word + "\"";
    if (last.get_option_no_throw(option) != nullptr)
        return option + " must follow the action: accp " + name + " " + option;
    const std::string others = names_of(command, option);
    return name + " has no option " + option +
           (others.empty() ? "" : "; it is an option of " + others);
}

// Describes what is wrong with a command line, in clearer words than CLI11.
std::string describe_fault(const CLI::ParseError &error, const CLI::App &app) {
    std::vector<std::string> words = app.remaining(true);
    if (app.get_subcommands().empty()) {
        if (words.size() > 1 && words[0] == "help") words.erase(words.begin());
        if (words.empty()) return error.what();
        return (option_of(words[0]).empty() ? "unknown command \"" : "unknown option \"") +
               words[0] + "\"";
    }
    const CLI::App &command = *app.get_subcommands().front();
    if (!words.empty()) return describe_word(words[0], command);
    const std::string what = error.what();
    if (error.get_name() == "ArgumentMismatch")
        return what.substr(0, what.find(':')) + " needs a value";
    if (command.get_subcommands().empty() && command.get_require_subcommand_min() > 0)
        return command.get_name() + ": no action given; use one of " + names_of(command);
    return what == "ACTION is required" ? command.get_name() + ": no action given" : what;
}

void report(const std::string &fault, const std::string &command) {
    std::string line = "accp: ";
    append_printable(fault, line);
    std::cerr << line << "; see " << command << " --help\n";
}

}  // namespace

std::optional<int> read_arguments(int argc, char **argv, Arguments &out) {
    if (argc < 2) {
        std::cout << kStartPage;
        return 0;
    }
    argc = cut_worker_command(argc, argv, out);
    CLI::App app("accp lowers the bill of AI agents, and loses nothing.", "accp");
    app.formatter(help_formatter());
    app.set_help_flag("-h,--help", "Print this help");
    app.set_version_flag(kVersionOption, version_line(),
                         "Print the versions of command, library and ABI")
        ->group(kMoreOptions);
    app.require_subcommand(1);
    app.footer(kFooter);
    add_commands(app, argv[1], out);
    move_help_to_end(app);
    const CLI::App &asked = named_command(app, argc, argv);
    if (const std::string flag = flag_with_value(asked, argc, argv); !flag.empty()) {
        report(flag + " takes no value", path_of(asked));
        return 2;
    }
    try {
        parse_words(app, argc, argv);
    } catch (const CLI::Success &done) {
        app.exit(done);  // prints the help or the version
        return 0;
    } catch (const CLI::ParseError &error) {
        report(describe_fault(error, app), command_path(app));
        return 2;
    }
    const CLI::App &command = *app.get_subcommands().front();
    out.command = command.get_name();
    for (const CLI::Option *option : command.get_options())
        if (option->count()) out.given.push_back(option->get_name());
    if (!command.get_subcommands().empty())
        out.action = command.get_subcommands().front()->get_name();
    return std::nullopt;
}

}  // namespace cli
