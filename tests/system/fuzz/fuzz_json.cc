// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as JSON. Parsing, printing and hashing must agree with each other, and the verdict
// must be that of RapidJSON for inputs that both treat alike.
#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>

#include <set>

#include "fuzz/fuzz_input.h"
#include "fuzz/tree_check.h"

using namespace accp_fuzz;

namespace {

constexpr unsigned kFlags = rapidjson::kParseValidateEncodingFlag |
                            rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;

bool has_twins(const rapidjson::Value &value) {
    if (value.IsArray()) {
        for (const auto &item : value.GetArray())
            if (has_twins(item)) return true;
    }
    if (!value.IsObject()) return false;
    std::set<std::string_view> keys;
    for (const auto &member : value.GetObject())
        if (!keys.insert({member.name.GetString(), member.name.GetStringLength()}).second ||
            has_twins(member.value))
            return true;
    return false;
}

// RapidJSON accepts duplicate keys and lone low surrogates, stops at a NUL, and refuses an exponent
// that no double has.
void check_verdict(const Exact &text, const Answer &ours) {
    if (text.view().find('\0') != std::string_view::npos) return;
    rapidjson::Document document;
    rapidjson::MemoryStream stream(text.data(), text.size());
    document.ParseStream<kFlags>(stream);
    if (ours.ok()) {
        REQUIRE(!document.HasParseError() ||
                document.GetParseError() == rapidjson::kParseErrorNumberTooBig);
    } else if (!document.HasParseError()) {
        REQUIRE(ours.status == ACCP_E1004 || has_twins(document));
        REQUIRE(ours.status == ACCP_E1001 || std::strstr(ours.message, "surrogate") ||
                std::strstr(ours.message, "nested"));
    }
}

Answer view(accp_value *value, accp_status (*call)(accp_value *, accp_text *, accp_error *)) {
    return ask(0, [=](auto... out) { return call(value, out...); });
}

void check_value(accp_value *value) {
    size_t count = 0;
    const accp_node *nodes = accp_value_nodes(value, &count);
    check_tree(nodes, count, accp_value_text(value), false);
    const Answer printed = view(value, accp_value_print_json),
                 hash = view(value, accp_value_print_hash_form);
    REQUIRE(printed.ok());
    REQUIRE(hash.ok() || hash.status == ACCP_E1004);
    const Exact text(printed.text);
    REQUIRE(accp_value_parse_json(value, text.data(), text.size(), nullptr) == ACCP_OK);
    REQUIRE(view(value, accp_value_print_json).text == printed.text);
    const Answer again = view(value, accp_value_print_hash_form);
    REQUIRE(again.status == hash.status && again.text == hash.text);
    if (hash.ok()) REQUIRE(hash_form(hash.text).text == hash.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    accp_value *value = nullptr;
    REQUIRE(accp_value_new(nullptr, &value, nullptr) == ACCP_OK);
    accp_error error = untouched_error();
    Answer ours;
    ours.status = accp_value_parse_json(value, text.data(), text.size(), &error);
    ours.message = error.message;
    check_error(ours.status, error, text.size());
    REQUIRE(ours.ok() || ours.status == ACCP_E1001 || ours.status == ACCP_E1004);
    check_verdict(text, ours);
    if (ours.ok()) check_value(value);
    accp_value_free(value);
    return 0;
}
