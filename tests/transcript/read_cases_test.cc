// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// read_cases.jsonl has one case on each line: {"name", "format", "input" (any JSON) or "text"
// (raw), "messages", "refused"? ([status, record, offset])}. For an error, "messages" are those
// before it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "codec/case_text.h"
#include "frame/message/json.h"
#include "frame/message/message.h"
#include "transcript/transcripts.h"

namespace {

using accp_codecs::text_of;
using accp_ref::Json;
using namespace accp_transcript;

// Checks that the line is a message with names that are valid in a frame.
void expect_message(const std::string &line) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::value::JsonReader reader(memory);
    accp::value::Value value(memory);
    ASSERT_TRUE(reader.read(line.data(), line.size(), {1 << 20, 1024}, value).ok()) << line;
    accp::message::Message message;
    accp::message::ReadRules rules;
    rules.max_name_bytes = 256;
    rules.allows_others = false;
    EXPECT_TRUE(accp::message::read_message(value.view(), 0, rules, message).status.ok()) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

// Returns the case with the results of this reader.
Json with_answers(Json value, const Lines &got, const std::string &where) {
    value.members.remove_if(
        [](const auto &one) { return one.first == "messages" || one.first == "refused"; });
    std::vector<Json> messages;
    for (const std::string &line : got.lines) messages.push_back(*accp_ref::parse_json(line));
    value.members.emplace_back("messages", Json::array(std::move(messages)));
    if (where != "[0,0,0]") value.members.emplace_back("refused", *accp_ref::parse_json(where));
    return value;
}

void check(const Json &value, Transcript &transcript, std::ofstream &written) {
    SCOPED_TRACE(text_of(value, "format") + ": " + text_of(value, "name"));
    const std::string text = text_of(value, value.find("text") ? "text" : "input");
    Lines got;
    const accp::Status status = transcript.read(format_of(text_of(value, "format")), text, got);
    std::vector<std::string> wanted;
    for (const Json &message : value.find("messages")->items)
        wanted.push_back(accp_ref::write_json(message));
    if (!written.is_open()) {
        EXPECT_EQ(got.lines, wanted);
    }
    for (const std::string &line : got.lines) expect_message(line);
    const Json *refused = value.find("refused");
    const std::string where = "[" + std::to_string(status.code) + "," +
                              std::to_string(status.record) + "," + std::to_string(status.offset) +
                              "]";
    if (written.is_open()) {
        written << accp_ref::write_json(with_answers(value, got, where)) << "\n";
        return;
    }
    EXPECT_EQ(where, refused ? accp_ref::write_json(*refused) : "[0,0,0]")
        << (status.message ? status.message : "");
    EXPECT_EQ(status.message != nullptr, refused != nullptr);
}

TEST(TranscriptCases, AsWritten) {
    std::ifstream lines(ACCP_SOURCE_DIR "/tests/transcript/read_cases.jsonl");
    Transcript transcript;  // shared, so that the state of one text must not affect the next
    // ACCP_WRITE_CASES=FILE writes the cases with the results of this reader, for review.
    const char *path = std::getenv("ACCP_WRITE_CASES");
    std::ofstream written;
    if (path) written.open(path);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto value = accp_ref::parse_json(line);
        ASSERT_TRUE(value.has_value()) << line;
        check(*value, transcript, written);
    }
    EXPECT_GT(count, 60);
}

}  // namespace
