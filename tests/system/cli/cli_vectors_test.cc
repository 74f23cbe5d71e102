// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the project's vectors through the command: frames through parse and canon, JSON values
// through encode and decode.
#include "run_accp.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace {

using rapidjson::Document;
using rapidjson::Value;

// Compares numbers as text.
Document read_answer(const std::string &text) {
    Document document;
    document.Parse<rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseFullPrecisionFlag>(
        text.data(), text.size());
    EXPECT_FALSE(document.HasParseError()) << text;
    return document;
}

std::string text_of(const Value &value) { return {value.GetString(), value.GetStringLength()}; }

std::string json_string(const std::string &text) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer>(buffer).String(
        text.data(), static_cast<rapidjson::SizeType>(text.size()));
    return {buffer.GetString(), buffer.GetSize()};
}

// The vectors of frames. The library's own tests have those with an LF, which cannot be in one
// line.
struct FrameVectors {
    std::vector<Document> vectors;
    std::string input;
    size_t with_lf = 0;

    FrameVectors() {
        for (const std::string &line :
             lines_of(project_file("tests/system/vectors/frames.jsonl"))) {
            Document vector = read_answer(line);
            const std::string frame = text_of(vector["frame"]);
            if (frame.find('\n') != std::string::npos) {
                ++with_lf;
                continue;
            }
            input += frame + "\n";
            vectors.push_back(std::move(vector));
        }
    }
};

TEST(CliVectors, FramesThroughParse) {
    const FrameVectors frames;
    EXPECT_GE(frames.vectors.size(), 680u);
    EXPECT_LE(frames.with_lf, 20u);
    const Ran run = run_accp({"parse"}, frames.input);
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), frames.vectors.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        const Document &vector = frames.vectors[i];
        const Document got = read_answer(lines[i]);
        ASSERT_EQ(got["ok"].GetBool(), vector["ok"].GetBool()) << text_of(vector["frame"]);
        if (!got["ok"].GetBool()) {
            EXPECT_EQ(text_of(got["code"]), text_of(vector["code"]));
            EXPECT_EQ(got.MemberCount(), 4u);
            continue;
        }
        for (const char *member : {"agent", "intent", "operation", "payload", "meta"}) {
            EXPECT_TRUE(got[member] == vector["ast"][member])
                << member << " of " << text_of(vector["frame"]) << "\n"
                << lines[i];
        }
        EXPECT_EQ(got.MemberCount(), 6u);
    }
}

TEST(CliVectors, FramesThroughCanon) {
    const FrameVectors frames;
    const Ran run = run_accp({"canon"}, frames.input);
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), frames.vectors.size());
    size_t unwritable = 0;
    std::string canonical;
    for (size_t i = 0; i < lines.size(); ++i) {
        const Document &vector = frames.vectors[i];
        const bool written = vector["ok"].GetBool() && vector["canon"].IsString();
        EXPECT_EQ(lines[i], written ? text_of(vector["canon"]) : "") << text_of(vector["frame"]);
        if (written) canonical += lines[i] + "\n";
        if (vector["ok"].GetBool() && !written) {
            ++unwritable;
            EXPECT_NE(run.err.find("accp: record " + std::to_string(i + 1) + ": E1004 "),
                      std::string::npos)
                << text_of(vector["frame"]);
        }
    }
    EXPECT_GE(unwritable, 1u);
    const Ran again = run_accp({"canon"}, canonical);
    EXPECT_EQ(again.status, 0);
    EXPECT_TRUE(again.out == canonical) << "canonical frames must not change";
}

TEST(CliVectors, ValuesThroughEncodeAndDecode) {
    const std::vector<std::string> vectors =
        lines_of(project_file("tests/system/vectors/q1.jsonl"));
    ASSERT_GE(vectors.size(), 600u);
    std::string messages;
    std::string frames;
    for (const std::string &line : vectors) {
        const Document vector = read_answer(line);
        messages += "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":" +
                    text_of(vector["json"]) + "}}\n";
        frames += "@a>req:x{k:" + text_of(vector["wire"]) + "}\n";
    }
    const Ran encoded = run_accp({"encode"}, messages);
    EXPECT_EQ(encoded.status, 0);
    EXPECT_EQ(encoded.err, "");
    const std::vector<std::string> want = lines_of(frames);
    const std::vector<std::string> got = lines_of(encoded.out);
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], want[i]) << lines_of(messages)[i];

    const Ran decoded = run_accp({"decode"}, frames);
    EXPECT_EQ(decoded.status, 0);
    const std::vector<std::string> sent = lines_of(messages);
    const std::vector<std::string> back = lines_of(decoded.out);
    ASSERT_EQ(back.size(), sent.size());
    for (size_t i = 0; i < back.size(); ++i)
        EXPECT_TRUE(read_answer(back[i]) == read_answer(sent[i])) << sent[i] << "\n" << back[i];
}

TEST(CliVectors, ValuesAsPayloadsAndMetadata) {
    // Each value again under a likely key. This is not the form of the vector, so only encoding and
    // decoding again is checked.
    std::string messages;
    size_t number = 0;
    for (const std::string &line : lines_of(project_file("tests/system/vectors/q1.jsonl"))) {
        const std::string json = text_of(read_answer(line)["json"]);
        const std::string key = json_string("key-" + std::to_string(number++) + " \xC3\xA9");
        messages += "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{" + key +
                    ":" + json + ",\"src\":1},\"meta\":{\"of\":" + json + "}}\n";
    }
    for (const Args &options : {Args{}, Args{"--ext", "t1"}, Args{"--ext", "u8"},
                                Args{"--abbrev", "--ext", "q1,t1,u8"}}) {
        Args encode{"encode"};
        Args decode{"decode"};
        encode.insert(encode.end(), options.begin(), options.end());
        decode.insert(decode.end(), options.begin(), options.end());
        const Ran encoded = run_accp(encode, messages);
        EXPECT_EQ(encoded.status, 0) << encoded.err;
        const Ran decoded = run_accp(decode, encoded.out);
        EXPECT_EQ(decoded.status, 0) << decoded.err;
        const std::vector<std::string> sent = lines_of(messages);
        const std::vector<std::string> back = lines_of(decoded.out);
        ASSERT_EQ(back.size(), sent.size());
        for (size_t i = 0; i < back.size(); ++i)
            EXPECT_TRUE(read_answer(back[i]) == read_answer(sent[i])) << sent[i] << "\n" << back[i];
    }
}

}  // namespace
