// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Valid inputs that are as slow as possible, with the default limits, and some that are refused as
// late as possible: the throughput of each. None may be far below the others, because an attacker's
// byte should cost no more than that of an honest client.
#include <stdexcept>

#include "operations.h"
#include "rows.h"

namespace accp_bench {

namespace {

constexpr size_t kMaxBytes = 64 << 10;  // ACCP_LIMIT_FRAME_BYTES

std::string repeat(std::string_view text, size_t bytes) {
    std::string all;
    while (all.size() + text.size() <= bytes) all += text;
    return all;
}

// Joins make(0), make(1), … with a separator.
template <class MakeItem>
std::string list(size_t count, char separator, MakeItem make) {
    std::string all;
    for (size_t i = 0; i < count; ++i) {
        if (i) all += separator;
        all += make(i);
    }
    return all;
}

std::string digit(size_t i) { return std::to_string(i % 10); }
std::string param(size_t i) {
    return std::string("k").append(std::to_string(i)).append(":").append(digit(i));
}
// Keys with the same length and the same first eight bytes, which the quick test for duplicates
// cannot distinguish.
std::string alike(size_t i) {
    return std::string("the_same_").append(std::to_string(1000 + i)).append(":1");
}
std::string deep(size_t) { return "[[[[1]]]]"; }
std::string odd_member(size_t i) {
    return std::string("\"a-").append(std::to_string(i)).append("\":1");
}
std::string frame(const std::string &payload) {
    return std::string("@a>req:x{").append(payload).append("}");
}
std::string value(const std::string &text) { return frame(std::string("k:").append(text)); }
std::string array(const std::string &items) { return std::string("[").append(items).append("]"); }
std::string map(const std::string &items) { return std::string("{").append(items).append("}"); }
std::string message(const std::string &json) {
    return std::string(R"({"agent":"a","intent":"req","operation":"x","payload":{"k":)")
        .append(json)
        .append("}}");
}
std::string quoted(std::string_view unit, size_t bytes) {
    return std::string("\"").append(repeat(unit, bytes)).append("\"");
}

template <class Operation>
void add(const std::string &name, const std::string &text) {
    auto lines = std::make_shared<Lines>();
    lines->add(text);
    lines->pad();
    add_row("worst: " + name, 1, 1, text.size(), [lines]() { return Operation(*lines, nullptr); });
}

// Parses a frame that must be refused; succeeds if it is.
struct RefuseWhole : Parse {
    using Parse::Parse;
    bool operator()(size_t i) { return !Parse::operator()(i) && error.code == ACCP_E1001; }
};

void add_parse_rows() {
    constexpr size_t kRoom = kMaxBytes - 16;
    add<Parse>("parse a string of 64 KiB", value(repeat("a", kRoom)));
    add<Parse>("parse 32 Ki escapes", value(repeat("\\:", kRoom)));
    add<Parse>("parse an integer of 64 Ki digits", value(repeat("7", kRoom)));
    add<Parse>("parse 256 params and 256 pairs",
               frame(list(256, '|', param)) + array(list(256, ',', param)));
    add<Parse>("parse an array of 4,096", value(array(list(4096, ',', digit))));
    add<Parse>("parse a map of 4,096", value(map(list(4096, ',', param))));
    add<Parse>("parse a map of keys alike", value(map(list(3000, ',', alike))));
    add<Parse>("parse 4,096 arrays five deep", value(array(list(4096, ',', deep))));
    add<RefuseWhole>("refuse the last of 64 Ki bytes", value(repeat("a", kRoom) + '\x01'));
    add<RefuseWhole>("refuse the last key of 4,096",
                     value(map(list(4095, ',', param).append(",k0:1"))));
    add<RefuseWhole>("refuse the last bracket of 16 Ki",
                     value(array(list(4095, ',', deep).append(",[[[[[1]]]]]"))));
}

void add_code_rows() {
    auto both = [](const std::string &name, const std::string &json) {
        Lines lines;
        lines.add(json);
        Encode encode(lines, nullptr);
        if (!encode(0)) throw std::runtime_error(name + ": " + encode.error.message);
        add<Encode>("encode " + name, json);
        add<Decode>("decode " + name, std::string(encode.out.text, encode.out.len));
    };
    both("plain ASCII", message(quoted("plain", 60000)));
    both("prose", message(quoted("some words, and a stop. ", 45000)));
    both("spaces only", message(quoted(" ", 20000)));
    both("underscores", message(quoted("_", 20000)));
    both("delimiters", message(quoted("{}:,", 30000)));
    both("CJK", message(quoted("\xE6\x97\xA5\xE6\x9C\xAC", 30000)));
    both("JSON escapes", message(quoted("\\u00e9\\n", 40000)));
    both("a number of 60,000 digits", message(repeat("1234", 60000)));
    both("an array of 4,096", message(array(list(4096, ',', digit))));
    both("an object of 4,096 odd keys", message(map(list(4096, ',', odd_member))));
}

}  // namespace

void add_worst_rows() {
    add_parse_rows();
    add<Canon>("parse and print a map to sort",
               value(map(list(4096, ',', [](size_t i) { return param(4095 - i); }))));
    add_code_rows();
}

}  // namespace accp_bench
