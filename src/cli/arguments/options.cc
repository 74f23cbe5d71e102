// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/options.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "accp/accp.h"

namespace cli {
namespace {

constexpr size_t kNameColumn = 24, kTextWidth = 56, kPageWidth = 80;

std::string limit_help() {
    std::string help = "Set a limit; can be given several times. Defaults:\n";
    for (int32_t i = 0; accp_limit_name(i) != nullptr; ++i)
        help.append(i == 0 ? "" : " ")
            .append(accp_limit_name(i))
            .append("=")
            .append(std::to_string(accp_limit_default(i)));
    return help;
}

// Breaks lines at spaces so that none exceeds `width`, and indents all but the first.
std::string wrapped(const std::string &text, size_t width, size_t indent) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        size_t column = 0;
        if (!out.empty()) out.append("\n").append(indent, ' ');
        for (std::string word; words >> word;) {
            if (column > 0 && column + 1 + word.size() > width) {
                out.append("\n").append(indent, ' ');
                column = 0;
            }
            out.append(column > 0 ? " " : "").append(word);
            column += word.size() + (column > 0);
        }
    }
    return out;
}

// A line of a help page: a name, and a text in the second column.
std::string row(const std::string &name, const std::string &text) {
    std::string out = "  " + name;
    if (out.size() + 1 < kNameColumn) out.append(kNameColumn - out.size(), ' ');
    else out.append("\n").append(kNameColumn, ' ');
    return out + wrapped(text, kTextWidth, kNameColumn) + "\n";
}

std::string rows_of_table(const std::string &table) {
    std::string out;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        const size_t tab = line.find('\t');
        out += row(line.substr(0, tab), line.substr(tab + 1));
    }
    return out;
}

bool is_named(const CLI::App *command) { return !command->get_name().empty(); }

class HelpFormatter : public CLI::Formatter {
public:
    std::string make_help(const CLI::App *app, std::string name,
                          CLI::AppFormatMode mode) const override {
        const std::string footer = app->get_footer();
        return wrapped(app->get_description(), kPageWidth, 0) + "\n" + make_usage(app, name) +
               make_positionals(app) + make_subcommands(app, mode) + option_groups(app) +
               (footer.empty() ? "" : "\n" + footer + "\n");
    }

    std::string make_usage(const CLI::App *app, std::string name) const override {
        std::string out = "\nUsage: " + name;
        if (!app->get_subcommands(is_named).empty()) {
            const std::string word = app->get_parent() ? "ACTION" : "COMMAND";
            out += app->get_require_subcommand_min() > 0 ? " " + word : " [" + word + "]";
        }
        out += " [OPTIONS]";
        for (const CLI::Option *option : app->get_options(is_positional))
            out += " " + make_option_usage(option);
        return out + command_of(*app) + "\n";
    }

    std::string make_positionals(const CLI::App *app) const override {
        std::string actions, others;
        for (const CLI::Option *option : app->get_options(is_positional)) {
            if (option->get_name(true) == "ACTION")
                actions = "\nActions:\n" + rows_of_table(option->get_description());
            else others += make_option(option, true);
        }
        return actions + (others.empty() ? "" : "\nArguments:\n" + others);
    }

    // The group kMoreOptions is last, and --help is last in its group.
    std::string option_groups(const CLI::App *app) const {
        std::vector<std::string> groups = app->get_groups();
        std::stable_partition(groups.begin(), groups.end(),
                              [](const std::string &group) { return group != kMoreOptions; });
        std::string out;
        for (const std::string &group : groups) {
            std::string rows, help;
            for (const CLI::Option *option : app->get_options()) {
                if (group.empty() || option->get_group() != group || !option->nonpositional())
                    continue;
                (option == app->get_help_ptr() ? help : rows) += make_option(option, false);
            }
            const bool is_only_group = out.empty() && group == kMoreOptions;
            if (!(rows + help).empty())
                out += "\n" + (is_only_group ? "Options" : group) + ":\n" + rows + help;
        }
        return out;
    }

    std::string make_subcommands(const CLI::App *app, CLI::AppFormatMode) const override {
        std::vector<std::pair<std::string, std::string>> groups;  // a heading and its rows
        for (const CLI::App *command : app->get_subcommands(is_named)) {
            const std::string heading = command->get_group();
            auto group = std::find_if(groups.begin(), groups.end(),
                                      [&](const auto &one) { return one.first == heading; });
            if (group == groups.end()) group = groups.insert(group, {heading, ""});
            group->second += row(command->get_name(), command->get_description());
        }
        std::string out;
        for (const auto &[heading, rows] : groups) out += "\n" + heading + ":\n" + rows;
        return out;
    }

    std::string make_option(const CLI::Option *option, bool is_argument) const override {
        std::string name = make_option_name(option, is_argument);
        constexpr std::string_view kNegated = "{false}";  // CLI11 marks --strict of --lenient so
        if (const size_t at = name.find(kNegated); at != name.npos) name.erase(at, kNegated.size());
        return row(name + make_option_opts(option), make_option_desc(option));
    }

    std::string make_option_opts(const CLI::Option *option) const override {
        if (!option->get_option_text().empty())
            return option->get_option_text() == " " ? "" : " " + option->get_option_text();
        if (option->get_positional()) return option->get_expected_max() > 1 ? "..." : "";
        return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
    }

    std::string make_option_desc(const CLI::Option *option) const override {
        std::set<std::string> names;  // of options that this one needs
        for (const CLI::Option *other : option->get_needs()) names.insert(other->get_name());
        std::string needed;
        for (const std::string &name : names) needed += (needed.empty() ? "" : ", ") + name;
        return option->get_description() + (needed.empty() ? "" : " (needs " + needed + ")") +
               (option->get_required() ? " (required)" : "");
    }

private:
    // The command of another program, which is cut off before CLI11 reads the words.
    static std::string command_of(const CLI::App &app) {
        const std::string of = app.get_parent() ? app.get_parent()->get_name() : "";
        if (of == "mcp" && app.get_name() == "wrap") return " [-- COMMAND...]";
        return of == "context" && app.get_name() == "spawn" ? " -- COMMAND..." : "";
    }

    static bool is_positional(const CLI::Option *option) { return option->get_positional(); }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

CLI::Validator whole_number(int64_t min, int64_t max) {
    return CLI::Validator(
        [=](std::string &text) {
            int64_t value = 0;
            const char *end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool is_right =
                read.ec == std::errc() && read.ptr == end && value >= min && value <= max;
            return is_right ? std::string()
                            : "\"" + text + "\" is not a whole number from " + std::to_string(min) +
                                  " to " + std::to_string(max);
        },
        "");
}

CLI::Validator one_of(std::vector<std::string> words) {
    return CLI::Validator(
        [words = std::move(words)](std::string &text) {
            std::string all;
            for (const std::string &word : words) {
                if (word == text) return std::string();
                all += (all.empty() ? "" : ", ") + word;
            }
            return "\"" + text + "\" is not one of " + all;
        },
        "");
}

CLI::Option *add_list(CLI::App &command, const char *name, std::vector<std::string> &out,
                      const std::string &help, const char *value) {
    return command.add_option(name, out, help)->allow_extra_args(false)->option_text(value);
}

void add_action_table(CLI::App &command, const std::string &table, Arguments &out) {
    std::vector<std::string> names;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
        names.push_back(line.substr(0, line.find_first_of(" \t")));
    // an action may have several lines
    names.erase(std::unique(names.begin(), names.end()), names.end());
    command.add_option("ACTION", out.action, table)->required()->check(one_of(names));
}

void add_files(CLI::App &command, Arguments &out) {
    command.add_option("FILE", out.files, "Input files; without any, standard input");
}

void add_limit(CLI::App &command, Arguments &out) {
    add_list(command, "--limit", out.limits, limit_help(), "NAME=N")->group(kMoreOptions);
}

void add_tokenizer(CLI::App &command, Arguments &out) {
    command
        .add_option("--tokenizer", out.tokenizer,
                    "Count tokens with o200k_base (default), cl100k_base, approx (an estimate), or "
                    "a file: .tiktoken or tokenizer.json")
        ->option_text("NAME")
        ->group(kMoreOptions);
    command
        .add_option("--pattern", out.pattern,
                    "How the model of a .tiktoken file splits text: o200k_base, cl100k_base, "
                    "llama3, qwen2, …")
        ->option_text("NAME")
        ->group(kMoreOptions);
}

CLI::Option *add_item_model(CLI::App &command, Arguments &out, bool is_server) {
    std::string help =
        "Let a model find what a packet contains: the address of a server with the interface of "
        "OpenAI and the model's name, such as http://127.0.0.1:11434/v1#qwen3:8b. The environment "
        "variable ACCP_MODEL_KEY has the server's key";
    if (is_server)
        help +=
            ". none: ask no model, not even that of the client (sampling), which is the default";
    CLI::Option *model = command.add_option("--model", out.model, help)->option_text("URL#NAME");
    CLI::Option *seconds = command.add_option(
        "--model-seconds", out.model_seconds,
        "The time limit of each of the two questions to the model (default 300)");
    seconds->check(whole_number(1, 86'400))->option_text("N")->group(kMoreOptions);
    CLI::Option *tokens = command.add_option(
        "--model-tokens", out.model_tokens,
        "The maximum number of tokens of the conversation that the model gets (default 16000); the "
        "middle of long messages is left out");
    tokens->check(whole_number(500, 100'000'000))->option_text("N")->group(kMoreOptions);
    CLI::Option *no_cache = command.add_flag("--no-cache", out.no_cache,
                                             "Ask the model even if it was asked the same before");
    no_cache->needs(model)->group(kMoreOptions);
    if (is_server) return model;
    seconds->needs(model);
    tokens->needs(model);
    return model;
}

CLI::Option *add_embedder(CLI::App &command, Arguments &out) {
    return command
        .add_option("--embedder", out.embedder,
                    "The address of a server with the interface of OpenAI that makes vectors of "
                    "texts (/embeddings); items are then compared by meaning as well as by words. "
                    "The model follows after #, the key is in ACCP_EMBEDDER_KEY")
        ->option_text("URL")
        ->group(kMoreOptions);
}

void add_now(CLI::App &command, Arguments &out) {
    command
        .add_option("--now", out.now_ms,
                    "Use this time instead of the clock, in milliseconds since 1970")
        ->check(whole_number(0, kMaxSeconds * 1000 + 999))
        ->option_text("MS")
        ->group(kMoreOptions);
}

void add_profile(CLI::App &command, Arguments &out) {
    add_list(command, "--profile", out.profiles,
             "Built-in schemas of the registry: chat, tool, transaction, stream, workflow, all "
             "(default) or none")
        ->group(kMoreOptions);
}

void add_strict(CLI::App &command, Arguments &out) {
    add_list(command, "--strict", out.strict,
             "Refuse more: ops (unknown operations), profiles (what is a warning otherwise), "
             "schema (members that the schema lacks), replies (done, fail or ack without a cid)")
        ->group(kMoreOptions);
}

void add_ignore(CLI::App &command, Arguments &out) {
    add_list(command, "--ignore", out.ignore, "Members of a message to ignore, such as to,nl")
        ->group(kMoreOptions);
}

void add_spell(CLI::App &command, Arguments &out) {
    command
        .add_option("--spell", out.spell,
                    "Write a frame in the standard spelling (wire, the default), or in the "
                    "spelling with the fewest tokens that decodes to the same message (cheapest)")
        ->check(one_of({"wire", "cheapest"}))
        ->option_text("HOW")
        ->group(kMoreOptions);
}

}  // namespace cli
