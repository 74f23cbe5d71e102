// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See arguments_shared.h.
#include "cli/arguments/shared.h"

#include <charconv>

#include "accp/accp.h"

namespace cli {
namespace {

// Every limit with its default, as the library has them.
std::string limit_help() {
    std::string help = "Set a limit; may be given again. The defaults:";
    for (int32_t i = 0; accp_limit_name(i) != nullptr; ++i)
        help.append(i % 4 == 0 ? "\n" : " ")
            .append(accp_limit_name(i))
            .append("=")
            .append(std::to_string(accp_limit_default(i)));
    return help;
}

}  // namespace

CLI::Validator whole_number(int64_t min, int64_t max) {
    return CLI::Validator(
        [=](std::string &text) {
            int64_t value = 0;
            const char *end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool is_right =
                read.ec == std::errc() && read.ptr == end && value >= min && value <= max;
            return is_right ? std::string()
                            : "a whole number from " + std::to_string(min) + " to " +
                                  std::to_string(max) + ", and not " + text;
        },
        "");
}

CLI::Option *add_list(CLI::App &command, const char *name, std::vector<std::string> &out,
                      const std::string &help, const char *shown) {
    return command.add_option(name, out, help)->allow_extra_args(false)->option_text(shown);
}

void add_limit(CLI::App &command, Arguments &out) {
    add_list(command, "--limit", out.limits, limit_help(), "NAME=N");
}

void add_tokenizer(CLI::App &command, Arguments &out) {
    command
        .add_option("--tokenizer", out.tokenizer,
                    "o200k_base (default), cl100k_base, approx, which estimates, or a file: "
                    ".tiktoken, tokenizer.json")
        ->option_text("NAME");
    command
        .add_option(
            "--pattern", out.pattern,
            "How a .tiktoken file's model cuts text: o200k_base, cl100k_base, llama3, qwen2 …")
        ->option_text("NAME");
}

void add_files(CLI::App &command, Arguments &out) {
    command.add_option("FILE", out.files, "Read these instead of standard input")->type_name("");
}

void add_now(CLI::App &command, Arguments &out) {
    command
        .add_option("--now", out.now_ms, "This time, not the clock's, in milliseconds since 1970")
        ->check(whole_number(0, kMaxSeconds * 1000 + 999))
        ->option_text("MS");
}

void add_profile(CLI::App &command, Arguments &out) {
    add_list(command, "--profile", out.profiles,
             "Profiles whose schemas come with a registry: chat, tool, transaction, stream, "
             "workflow, all (default), none");
}

void add_strict(CLI::App &command, Arguments &out) {
    add_list(command, "--strict", out.strict,
             "Refuse also: unknown operations (ops), what profiles warn of (profiles), "
             "fields a schema has not (schema), answers without a cid (replies)");
}

void add_spell(CLI::App &command, Arguments &out) {
    command
        .add_option("--spell", out.spell,
                    "Frames in the spelling of the wire's rules (wire, the default), or of those "
                    "that are read as the same the one of the fewest tokens (cheapest)")
        ->check(CLI::IsMember({"wire", "cheapest"}))
        ->option_text("HOW");
}

}  // namespace cli
