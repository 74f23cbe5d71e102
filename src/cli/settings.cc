// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See settings.h. --limit is checked here, all other values by the library's own setters.
#include "cli/settings.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>

#include "cli/host.h"

namespace cli {
namespace {

void check(accp_status status, const accp_error &err, const std::string &what) {
    if (status != ACCP_OK) throw Failure(what + ": " + message_of(err));
}

int32_t dialect_number(const std::string &name) {
    if (name.empty() || name == "strict") return ACCP_STRICT;
    if (name == "compat") return ACCP_COMPAT;
    if (name == "u8") return ACCP_U8;
    throw Failure("no such dialect: " + name + " (strict, compat, u8)");
}

uint32_t extension_bit(const std::string &name) {
    if (name == "none") return ACCP_EXT_NONE;
    if (name == "q1") return ACCP_EXT_Q1;
    if (name == "t1") return ACCP_EXT_T1;
    if (name == "u8") return ACCP_EXT_U8;
    if (name == "p1") return ACCP_EXT_P1;
    if (name == "w1") return ACCP_EXT_W1;
    throw Failure("no such extension: " + name + " (q1, t1, p1, u8, w1, none)");
}

std::string limit_names() {
    std::string names;
    for (int32_t i = 0; accp_limit_name(i) != nullptr; ++i)
        names.append(i == 0 ? "" : ", ").append(accp_limit_name(i));
    return names;
}

// "frame_bytes=1000" as its number and value.
std::pair<int32_t, uint64_t> read_limit(const std::string &text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) throw Failure("--limit takes NAME=N, not " + text);
    const int32_t limit = accp_limit_find(text.data(), equals);
    if (limit < 0)
        throw Failure("no such limit: " + text.substr(0, equals) + " (" + limit_names() + ")");
    uint64_t value = 0;
    const char *end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equals + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end)
        throw Failure("--limit takes a whole number: " + text);
    return {limit, value};
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
    uint32_t bits = 0;
    bool none = false;
    for (const std::string &list : arguments.ext) {
        if (list.empty()) throw Failure("--ext names no extension");
        for (const std::string &name : split_commas(list)) {
            bits |= extension_bit(name);
            none = none || name == "none";
        }
    }
    if (none && bits != 0) throw Failure("--ext none goes with no other extension");
    return bits;
}

Handle<accp_config> make_config(const Arguments &arguments) {
    accp_error err = {};
    Handle<accp_config> config = new_config();
    const uint32_t bits = extensions(arguments);
    int32_t dialect = dialect_number(arguments.dialect);
    if ((bits & ACCP_EXT_U8) != 0) {
        if (!arguments.dialect.empty() && dialect != ACCP_U8)
            throw Failure("--ext u8 is the u8 dialect, not " + arguments.dialect);
        dialect = ACCP_U8;
    }
    if ((bits & ACCP_EXT_P1) != 0 && arguments.command != "encode" &&
        arguments.command != "decode" && arguments.command != "sacp")
        throw Failure("--ext p1 is of encode, decode and sacp, which know a registry");
    const auto rule = [&](int32_t number, int64_t value, const char *what) {
        check(accp_config_set_rule(config.get(), number, value, &err), err, what);
    };
    rule(ACCP_RULE_DIALECT, dialect, "--dialect");
    rule(ACCP_RULE_EXTENSIONS, bits, "--ext");
    rule(ACCP_RULE_ABBREVIATE, arguments.abbrev, "--abbrev");
    rule(ACCP_RULE_KEEP_REFS, arguments.keep_refs, "--keep-refs");
    rule(ACCP_RULE_ANY_INTENT, arguments.any_intent, "--any-intent");
    rule(ACCP_RULE_SPECIAL_TOKENS, arguments.special, "--special");
    rule(ACCP_RULE_SPELL, arguments.spell == "cheapest", "--spell");
    for (const std::string &text : arguments.limits) {
        const auto [limit, value] = read_limit(text);
        check(accp_config_set_limit(config.get(), limit, value, &err), err, "--limit " + text);
    }
    for (const std::string &list : arguments.ignore) {
        for (const std::string &name : split_commas(list)) {
            check(accp_config_add_ignored(config.get(), name.data(), name.size(), &err), err,
                  "--ignore");
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

}  // namespace cli
