// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <sstream>
#include <utility>

#include "cli/host.h"

namespace cli {
namespace {

using NameRow = std::pair<const char *, uint32_t>;

constexpr NameRow kDialects[] = {{"strict", ACCP_STRICT}, {"compat", ACCP_COMPAT}, {"u8", ACCP_U8}};
constexpr NameRow kExtensions[] = {{"q1", ACCP_EXT_Q1}, {"t1", ACCP_EXT_T1},
                                   {"p1", ACCP_EXT_P1}, {"u8", ACCP_EXT_U8},
                                   {"w1", ACCP_EXT_W1}, {"none", ACCP_EXT_NONE}};
constexpr NameRow kProfiles[] = {{"chat", ACCP_PROFILE_CHAT},
                                 {"tool", ACCP_PROFILE_TOOL},
                                 {"transaction", ACCP_PROFILE_TRANSACTION},
                                 {"stream", ACCP_PROFILE_STREAM},
                                 {"workflow", ACCP_PROFILE_WORKFLOW},
                                 {"all", ACCP_PROFILE_ALL},
                                 {"none", ACCP_PROFILE_NONE}};
constexpr NameRow kStrictness[] = {{"ops", ACCP_STRICT_OPERATIONS},
                                   {"profiles", ACCP_STRICT_PROFILES},
                                   {"schema", ACCP_STRICT_SCHEMA},
                                   {"replies", ACCP_STRICT_REPLIES}};

constexpr struct {
    uint32_t bit;
    const char *what;
} kWarnings[] = {
    {ACCP_WARN_NO_CID, "a tool result or a stream chunk without a cid"},
    {ACCP_WARN_TOOL_ERROR, "a tool error that is not an error frame (fail:error, schema ER)"},
    {ACCP_WARN_NO_TRANSACTION_ID, "a transaction without a transaction_id"},
    {ACCP_WARN_CURRENCY, "a currency that is not in ISO 4217"},
    {ACCP_WARN_ERROR_CODE, "an error frame with an unknown code"},
    {ACCP_WARN_RETRY, "an error frame whose retry differs from the error model"},
    {ACCP_WARN_NO_REQUEST, "done, fail or ack without a cid, so its request is unknown"},
};

void check_setting(accp_status status, const accp_error &err, const std::string &what) {
    if (status != ACCP_OK) throw Failure(what + ": " + message_of(err));
}

[[noreturn]] void fail_with_choices(const std::string &option, const std::string &name,
                                    const std::string &choices) {
    throw Failure(option + ": unknown name \"" + name + "\"; use one of " + choices);
}

// Returns the number of `name`, or throws Failure with all names of the table.
uint32_t find_name(std::span<const NameRow> table, const std::string &name, const char *option) {
    std::string choices;
    for (const auto &[known, number] : table) {
        if (name == known) return number;
        choices.append(choices.empty() ? "" : ", ").append(known);
    }
    fail_with_choices(option, name, choices);
}

// Combines the numbers of all names in lists with commas between.
uint32_t find_bits(std::span<const NameRow> table, const std::vector<std::string> &lists,
                   const char *option) {
    uint32_t bits = 0;
    for (const std::string &list : lists)
        for (const std::string &name : split_commas(list)) bits |= find_name(table, name, option);
    return bits;
}

std::string limit_names() {
    std::string names;
    for (int32_t i = 0; accp_limit_name(i) != nullptr; ++i)
        names.append(i == 0 ? "" : ", ").append(accp_limit_name(i));
    return names;
}

// Reads "frame_bytes=1000" as its number and value.
std::pair<int32_t, uint64_t> read_limit(const std::string &text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw Failure("--limit " + text + ": no value; use NAME=N, such as depth=5");
    const int32_t limit = accp_limit_find(text.data(), equals);
    if (limit < 0) fail_with_choices("--limit", text.substr(0, equals), limit_names());
    uint64_t value = 0;
    const char *end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equals + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end)
        throw Failure("--limit " + text + ": the value is not a whole number");
    return {limit, value};
}

std::string builtin_names() {
    std::string names;
    for (uint32_t i = 0; accp_tokenizer_builtin_name(i) != nullptr; ++i)
        names.append(i == 0 ? "" : ", ").append(accp_tokenizer_builtin_name(i));
    return names;
}

// Loads a tokenizer.json, or a .tiktoken file. The latter does not contain its pattern, so
// --pattern must name it.
Handle<accp_tokenizer> load_tokenizer(const std::string &path, const std::string &pattern,
                                      const accp_config *config) {
    const bool is_json = path.ends_with(".json");
    if (!is_json && pattern.empty())
        throw Failure("--tokenizer " + path + ": a .tiktoken file needs --pattern too");
    const std::string text = read_file(path), name = path.substr(path.rfind('/') + 1);
    accp_error err = {};
    accp_tokenizer *made = nullptr;
    const accp_status status =
        is_json
            ? accp_tokenizer_new_json(name.data(), name.size(), text.data(), text.size(), config,
                                      &made, &err)
            : accp_tokenizer_new_tiktoken(name.data(), name.size(), pattern.data(), pattern.size(),
                                          text.data(), text.size(), config, &made, &err);
    if (status != ACCP_OK) throw Failure(path + ": " + describe(err));
    return Handle<accp_tokenizer>(made);
}

}  // namespace

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (!is_empty && (!file || !(text << file.rdbuf())))
        throw Failure(path + ": " + std::strerror(errno));
    return text.str();
}

std::vector<std::string> input_names(const Arguments &arguments) {
    return arguments.files.empty() ? std::vector<std::string>{"-"} : arguments.files;
}

std::string read_input(const std::string &name) {
    if (name == "-")
        return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return read_file(name);
}

std::vector<std::string> split_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        parts.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
        if (text.empty()) parts.emplace_back();
    }
    return parts;
}

uint32_t extensions(const Arguments &arguments) {
    if (arguments.ext.empty()) return ACCP_EXT_Q1;
    bool has_none = false;
    for (const std::string &list : arguments.ext) {
        if (list.empty()) throw Failure("--ext: no name given; use none for no extension");
        const std::vector<std::string> names = split_commas(list);
        has_none = has_none || std::find(names.begin(), names.end(), "none") != names.end();
    }
    const uint32_t bits = find_bits(kExtensions, arguments.ext, "--ext");
    if (has_none && bits != 0)
        throw Failure("--ext: none cannot be combined with other extensions");
    return bits;
}

Handle<accp_config> make_config(const Arguments &arguments) {
    accp_error err = {};
    Handle<accp_config> config = new_config();
    const uint32_t bits = extensions(arguments);
    uint32_t dialect = arguments.dialect.empty()
                           ? uint32_t{ACCP_STRICT}
                           : find_name(kDialects, arguments.dialect, "--dialect");
    if ((bits & ACCP_EXT_U8) != 0) {
        if (!arguments.dialect.empty() && dialect != ACCP_U8)
            throw Failure("--ext u8 needs the dialect u8, not --dialect " + arguments.dialect);
        dialect = ACCP_U8;
    }
    if ((bits & ACCP_EXT_P1) != 0 && arguments.command != "encode" &&
        arguments.command != "decode" && arguments.command != "sacp")
        throw Failure("--ext p1 needs a registry; use it with encode, decode or sacp");
    const auto rule = [&](int32_t number, int64_t value, const char *what) {
        check_setting(accp_config_set_rule(config.get(), number, value, &err), err, what);
    };
    rule(ACCP_RULE_DIALECT, dialect, "--dialect");
    rule(ACCP_RULE_EXTENSIONS, bits, "--ext");
    rule(ACCP_RULE_ABBREVIATE, arguments.abbrev, "--abbrev");
    rule(ACCP_RULE_KEEP_REFS, arguments.keep_refs, "--keep-refs");
    rule(ACCP_RULE_ANY_INTENT, arguments.any_intent, "--any-intent");
    rule(ACCP_RULE_SPECIAL_TOKENS, arguments.special, "--special");
    rule(ACCP_RULE_REDACT_SECRETS, !arguments.keep_secrets, "--keep-secrets");
    rule(ACCP_RULE_SPELL, arguments.spell == "cheapest", "--spell");
    for (const std::string &text : arguments.limits) {
        const auto [limit, value] = read_limit(text);
        check_setting(accp_config_set_limit(config.get(), limit, value, &err), err,
                      "--limit " + text);
    }
    for (const std::string &list : arguments.ignore) {
        for (const std::string &name : split_commas(list)) {
            check_setting(accp_config_add_ignored(config.get(), name.data(), name.size(), &err),
                          err, "--ignore");
        }
    }
    return config;
}

int64_t clock_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

int64_t now_ms(const Arguments &arguments) {
    return arguments.now_ms ? *arguments.now_ms : clock_ms();
}

uint64_t record_limit(const Arguments &arguments, accp_limit limit) {
    uint64_t value = accp_limit_default(limit);
    for (const std::string &text : arguments.limits) {
        const auto [number, given] = read_limit(text);
        if (number == limit) value = given;
    }
    return value;
}

Handle<accp_tokenizer> open_tokenizer(const Arguments &arguments, const accp_config *config) {
    const std::string name =
        arguments.tokenizer.empty() ? accp_tokenizer_builtin_name(0) : arguments.tokenizer;
    if (name.ends_with(".json") || name.ends_with(".tiktoken"))
        return load_tokenizer(name, arguments.pattern, config);
    accp_error err = {};
    accp_tokenizer *tokenizer = nullptr;
    if (accp_tokenizer_new(name.data(), name.size(), config, &tokenizer, &err) == ACCP_OK)
        return Handle<accp_tokenizer>(tokenizer);
    fail_with_choices("--tokenizer", name,
                      builtin_names() + ", or a .tiktoken or tokenizer.json file");
}

uint32_t profiles(const Arguments &arguments) {
    return arguments.profiles.empty() ? uint32_t{ACCP_PROFILE_ALL}
                                      : find_bits(kProfiles, arguments.profiles, "--profile");
}

Handle<accp_registry> open_registry(const Arguments &arguments, const accp_config *config) {
    const std::string text =
        arguments.registry.empty() ? std::string() : read_file(arguments.registry);
    accp_error err = {};
    accp_registry *made = nullptr;
    const accp_status status =
        accp_registry_new(text.data(), text.size(), profiles(arguments), config, &made, &err);
    if (status != ACCP_OK) throw Failure(arguments.registry + ": " + describe(err));
    return Handle<accp_registry>(made);
}

uint32_t strictness(const Arguments &arguments) {
    return find_bits(kStrictness, arguments.strict, "--strict");
}

void print_warnings(uint32_t bits, Streams &io) {
    for (const auto &warning : kWarnings)
        if (bits & warning.bit)
            io.err.text.append("accp: record ")
                .append(std::to_string(io.records))
                .append(": warning: ")
                .append(warning.what)
                .append("\n");
}

}  // namespace cli
