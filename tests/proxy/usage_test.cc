// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The usage that is read from responses: usage_cases.jsonl, whole, byte by byte, and cut in two at
// every byte.
#include <gtest/gtest.h>

#include <fstream>

#include "proxy/usage.h"
#include "reference/ref_json.h"
#include "unit.h"

namespace {

using accp_ref::Json;
using proxy::Usage;
using proxy::UsageReader;

std::string show(const std::optional<Usage> &usage) {
    if (!usage) return "none";
    return std::to_string(usage->input) + ' ' + std::to_string(usage->cache_read) + ' ' +
           std::to_string(usage->cache_write) + ' ' + std::to_string(usage->cache_write_hour) +
           ' ' + std::to_string(usage->output);
}

proxy::Headers headers_of(const Json &json) {
    proxy::Headers headers = {
        {"Date", "now"},
        {"Content-Type", json.find("form")->text == "events" ? "Text/Event-Stream; charset=utf-8"
                                                             : "application/json"}};
    if (const Json *head = json.find("head"))
        for (const Json &pair : head->items)
            headers.emplace_back(pair.items[0].text, pair.items[1].text);
    return headers;
}

std::string read(const Json &json, const std::vector<size_t> &cuts) {
    const std::string &body = json.find("body")->text;
    const Json *status = json.find("status");
    UsageReader reader;
    reader.read_head(status ? std::stoi(status->text) : 200, headers_of(json));
    size_t at = 0;
    for (const size_t cut : cuts) {
        // a copy, so that a sanitizer detects reads beyond its end
        const std::vector<char> piece(body.begin() + static_cast<ptrdiff_t>(at),
                                      body.begin() + static_cast<ptrdiff_t>(cut));
        reader.read_bytes({piece.data(), piece.size()});
        at = cut;
    }
    reader.read_bytes(std::string_view(body).substr(at));
    return show(reader.usage());
}

TEST(Usage, EachAnswerHasItsBill) {
    std::ifstream in(ACCP_SOURCE_DIR "/tests/proxy/usage_cases.jsonl");
    size_t count = 0;
    for (std::string line; std::getline(in, line); ++count) {
        const Json json = accp_ref::parse_json(line).value();
        SCOPED_TRACE(json.find("name")->text);
        std::string wanted;
        if (const Json *usage = json.find("usage")) {
            for (const Json &number : usage->items)
                wanted += (wanted.empty() ? "" : " ") + number.text;
        } else {
            wanted = "none";
        }
        ASSERT_EQ(read(json, {}), wanted);
        std::vector<size_t> all;
        for (size_t cut = 1; cut < json.find("body")->text.size(); ++cut) {
            ASSERT_EQ(read(json, {cut}), wanted) << cut;
            all.push_back(cut);
        }
        ASSERT_EQ(read(json, all), wanted);
    }
    EXPECT_GT(count, 30u);
}

// A usage object beyond all bounds is not kept.
TEST(Usage, MemoryIsBounded) {
    UsageReader reader;
    reader.read_head(200, {});
    reader.read_bytes(R"({"usage":{"x":")");
    for (int i = 0; i < 1000; ++i) reader.read_bytes(std::string(1000, 'x'));
    reader.read_bytes(R"("}})");
    EXPECT_EQ(show(reader.usage()), "none");
    std::string deep = "{\"usage\":";
    for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
    reader.read_bytes(deep);
    EXPECT_EQ(show(reader.usage()), "none");
}

TEST(Usage, AnyBytesAreRead) {
    accp_unit::Random random(5);
    static constexpr const char *kParts[] = {"{",           "}",
                                             "[",           "]",
                                             "\"usage\"",   ":",
                                             ",",           "\"",
                                             "\\",          "\n",
                                             "\r",          "data: ",
                                             "\"message\"", "\"response\"",
                                             "17",          "\"prompt_tokens\"",
                                             "data:",       "x"};
    size_t found = 0;
    for (int round = 0; round < 20'000; ++round) {
        UsageReader whole, pieces;
        const proxy::Headers events = {{"content-type", "text/event-stream"}};
        whole.read_head(200, round % 2 ? events : proxy::Headers{});
        pieces.read_head(200, round % 2 ? events : proxy::Headers{});
        std::string body = round % 2 ? "data: {\"usage\":{" : "{\"usage\":{";
        for (size_t i = random.below(30); i > 0; --i)
            body += kParts[random.below(std::size(kParts))];
        whole.read_bytes(body);
        for (size_t at = 0; at < body.size();) {
            const size_t size = 1 + random.below(5);
            pieces.read_bytes(std::string_view(body).substr(at, size));
            at += size;
        }
        ASSERT_EQ(show(whole.usage()), show(pieces.usage())) << body;
        found += whole.usage().has_value();
    }
    EXPECT_GT(found, 100u);
}

}  // namespace
