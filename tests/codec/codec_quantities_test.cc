// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The savings and costs of w1, for single quantities and for the messages in this repository.
// docs/tokens.md has these figures.
#include <filesystem>

#include "codec/codecs.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

class Counted {
public:
    explicit Counted(uint32_t extensions)
        : tokenizer_(accp_tokens::open_tokenizer("o200k_base")),
          codec_(open_codec(Config()
                                .extensions(extensions)
                                .tokenizer(tokenizer_.get())
                                .ignored("to")
                                .ignored("nl")
                                .ignored("nl_short")
                                .limit(ACCP_LIMIT_FRAME_BYTES, 1 << 24)
                                .limit(ACCP_LIMIT_DEPTH, 20))) {}

    std::string encode(const std::string &json) {
        const Answer wire = accp_codecs::encode(codec_.get(), json);
        EXPECT_TRUE(wire.ok()) << wire.status << " at " << wire.offset << " in " << json;
        tokens = budget_of(codec_.get()).total.tokens;
        return wire.text;
    }

    uint64_t tokens = 0;  // of the last frame

private:
    decltype(accp_tokens::open_tokenizer("")) tokenizer_;
    Handle<accp_codec> codec_;
};

TEST(CodecQuantities, OneByOne) {
    const struct {
        const char *text;
        uint64_t q1, w1;
    } kRows[] = {{"12 percent", 10, 10},
                 {"minus 12 percent", 12, 10},
                 {"plus 3.2 percent", 14, 12},
                 {"plus 5", 11, 9},
                 {"greater than 5", 12, 10},
                 {"less than 5", 12, 9},
                 {"12%", 10, 10},
                 {"+3.2%", 12, 12},
                 {">5", 10, 11},
                 {"<5", 9, 10}};
    Counted plain(ACCP_EXT_Q1), symbols(ACCP_EXT_W1);
    for (const auto &row : kRows) {
        const std::string json =
            std::string(R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")") +
            row.text + "\"}}";
        plain.encode(json);
        symbols.encode(json);
        EXPECT_EQ(plain.tokens, row.q1) << row.text;
        EXPECT_EQ(symbols.tokens, row.w1) << row.text;
    }
}

// Texts of the envelope stay texts.
TEST(CodecQuantities, NotInTheEnvelope) {
    const auto codec = open_codec(Config().extensions(ACCP_EXT_W1));
    for (const char *text : {"+5", "-5%", "<5", "12%"}) {
        const std::string mid = text;
        const Answer back = decode(codec.get(), "@a>req:x{}[mid:" + mid + "]");
        EXPECT_EQ(back.text,
                  R"({"agent":"a","intent":"req","operation":"x","payload":{},"meta":{"mid":")" +
                      mid + "\"}}");
        EXPECT_EQ(encode(codec.get(), back.text).text, "@a>req:x{}[mid:" + mid + "]");
    }
    EXPECT_EQ(decode(codec.get(), "@a>req:x{}[mid:\\>5]").status, ACCP_E1004)
        << "as it could not be sent back";
}

struct Difference {
    uint64_t messages = 0, tokens = 0, changed = 0;
    int64_t more = 0;
};

void add_file(const std::filesystem::path &path, Difference &out) {
    Counted plain(ACCP_EXT_Q1), symbols(ACCP_EXT_W1);
    std::istringstream lines(read_file(path.string()));
    for (std::string line; std::getline(lines, line); ++out.messages) {
        if (const size_t op = line.find("\"op\":"); op != std::string::npos)
            line.replace(op, 5, "\"operation\":");  // as in the corpus
        const std::string wire = plain.encode(line);
        if (symbols.encode(line) != wire) ++out.changed;
        out.tokens += plain.tokens;
        out.more += static_cast<int64_t>(symbols.tokens) - static_cast<int64_t>(plain.tokens);
    }
}

TEST(CodecQuantities, OnTheMessagesOfTheProject) {
    const std::filesystem::path data = ACCP_SOURCE_DIR "/data";
    Difference corpus, small, runs;
    add_file(data / "corpus/compact.ndjson", corpus);
    add_file(data / "examples/pipeline.jsonl", small);
    add_file(data / "scenarios/appendix.jsonl", small);
    add_file(data / "scenarios/pipeline.jsonl", small);
    for (const char *of : {"agents", "trajectories"})
        for (const auto &entry : std::filesystem::recursive_directory_iterator(data / of))
            if (entry.path().extension() == ".jsonl") add_file(entry.path(), runs);
    EXPECT_EQ(corpus.messages, 2000u);
    EXPECT_EQ(corpus.changed, 69u);
    EXPECT_EQ(corpus.more, 59);
    EXPECT_EQ(small.messages, 72u);
    EXPECT_EQ(small.changed, 4u);
    EXPECT_EQ(small.more, 3);
    EXPECT_EQ(runs.messages, 1128u);
    EXPECT_GT(runs.tokens, 700000u);
    EXPECT_EQ(runs.changed, 0u);
}

}  // namespace
