// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vocabularies from text: the built-in ones are written in both formats and loaded again, and then
// count and encode as before. Also the errors of loading.
#include <map>

#include "tokens.h"

namespace accp_tokens {
namespace {

std::vector<std::string> tokens_of(Counting &counting) {
    std::vector<std::string> tokens;
    for (uint32_t id = 0; id < accp_tokenizer_token_count(counting.tokenizer.get()); ++id)
        tokens.push_back(counting.decode({id}));
    return tokens;
}

// Returns the bytes in GPT-2's characters, as the content of a JSON string.
std::string written(const std::string &token) {
    static const std::vector<std::string> characters = [] {
        std::vector<std::string> all(256);
        uint32_t next = 256;
        for (uint32_t byte = 0; byte < 256; ++byte) {
            const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
            const uint32_t point = printable ? byte : next++;
            if (point == '"' || point == '\\') all[byte] = '\\';
            if (point < 0x80) all[byte] += static_cast<char>(point);
            else
                all[byte] = {static_cast<char>(0xC0 | point >> 6),
                             static_cast<char>(0x80 | (point & 0x3F))};
        }
        return all;
    }();
    std::string out;
    for (unsigned char c : token) out += characters[c];
    return out;
}

constexpr const char *kLlama =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";

std::string tokenizer_json(const std::string &vocabulary, const std::string &merges,
                           const std::string &more = "", const std::string &regex = kLlama) {
    return R"({"added_tokens":[{"id":0,"content":"<|begin|>","special":true}],"normalizer":null,"pre_tokenizer":{"type":"Sequence","pretokenizers":[)"
           R"({"type":"Split","pattern":{"Regex":")" +
           regex +
           R"("},"behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]},)"
           R"("model":{"type":"BPE",)" +
           more + R"("vocab":{)" + vocabulary + R"(},"merges":[)" + merges + "]}}";
}

std::string bytes_json(uint32_t first_id = 3) {
    std::string out;
    for (int byte = 0; byte < 256; ++byte)
        out += (byte ? ",\"" : "\"") + written(std::string(1, static_cast<char>(byte))) +
               "\":" + std::to_string(first_id + static_cast<uint32_t>(byte));
    return out;
}

struct Loaded {
    accp_status status = ACCP_OK;
    accp_error error = {};
    Handle<accp_tokenizer> tokenizer;
};

Loaded load_json(const std::string &text) {
    Loaded loaded;
    accp_tokenizer *made = nullptr;
    loaded.status =
        accp_tokenizer_new_json("mine", 4, text.data(), text.size(), nullptr, &made, &loaded.error);
    loaded.tokenizer.reset(made);
    return loaded;
}
Loaded load_tiktoken(const std::string &text, std::string_view pattern = "cl100k_base") {
    Loaded loaded;
    accp_tokenizer *made = nullptr;
    loaded.status =
        accp_tokenizer_new_tiktoken("mine", 4, pattern.data(), pattern.size(), text.data(),
                                    text.size(), nullptr, &made, &loaded.error);
    loaded.tokenizer.reset(made);
    return loaded;
}

TEST(TokenLoad, ATiktokenFileOfTheSameVocabularyCountsTheSame) {
    for (int which : {0, 1}) {
        Counting counting(which ? "cl100k_base" : "o200k_base");
        std::string text;
        uint32_t rank = 0;
        for (const std::string &token : tokens_of(counting))
            text += base64(token) + ' ' + std::to_string(rank++) + '\n';
        Loaded loaded = load_tiktoken(text, which ? "cl100k_base" : "o200k_base");
        ASSERT_EQ(loaded.status, ACCP_OK) << loaded.error.message;
        EXPECT_EQ(string_of(accp_tokenizer_name(loaded.tokenizer.get())), "mine");
        EXPECT_EQ(accp_tokenizer_token_count(loaded.tokenizer.get()), rank);
        Counting other(std::move(loaded.tokenizer));
        for (size_t i = 0; i < vectors().size(); i += 3) {
            ASSERT_EQ(hash_of(other.encode(vectors()[i].text)), vectors()[i].hashes[which]);
            ASSERT_EQ(other.count(vectors()[i].text), vectors()[i].counts[which]);
        }
    }
}

// As converters write it: all splits of each token into two tokens, of which only one can ever be
// merged; and other ids.
TEST(TokenLoad, ATokenizerJsonOfTheSameVocabularyCountsTheSame) {
    Counting counting("cl100k_base");
    const std::vector<std::string> tokens = tokens_of(counting);
    std::map<std::string, uint32_t> ranks;
    std::string vocabulary, merges;
    for (uint32_t i = 0; i < tokens.size(); ++i) {
        ranks[tokens[i]] = i;
        vocabulary += (i ? ",\"" : "\"") + written(tokens[i]) + "\":" + std::to_string(i + 3);
    }
    for (const std::string &token : tokens)
        for (size_t at = 1; at < token.size(); ++at)
            if (ranks.count(token.substr(0, at)) && ranks.count(token.substr(at)))
                merges += (merges.empty() ? "\"" : ",\"") + written(token.substr(0, at)) + ' ' +
                          written(token.substr(at)) + '"';
    Loaded loaded = load_json(tokenizer_json(vocabulary, merges, "\"ignore_merges\":true,"));
    ASSERT_EQ(loaded.status, ACCP_OK) << loaded.error.message;
    Counting other(std::move(loaded.tokenizer));
    for (size_t i = 0; i < vectors().size(); i += 5) {
        std::vector<uint32_t> ids = other.encode(vectors()[i].text);
        ASSERT_EQ(other.decode(ids), counting.decode(counting.encode(vectors()[i].text)));
        for (uint32_t &id : ids) id -= 3;
        ASSERT_EQ(hash_of(ids), vectors()[i].hashes[1]);
        ASSERT_EQ(other.count(vectors()[i].text), vectors()[i].counts[1]);
    }
    other.counter = open_counter(other.tokenizer.get(), Config().rule(ACCP_RULE_SPECIAL_TOKENS, 1));
    EXPECT_EQ(other.encode("<|begin|>"), std::vector<uint32_t>{0});
    EXPECT_EQ(other.decode({0}), "<|begin|>");
}

TEST(TokenLoad, SmallOnes) {
    const std::string vocabulary = bytes_json() + R"(,"ab":300,"abc":301,"bc":302,"xyz":303)";
    Counting counting("o200k_base");
    auto take = [&](Loaded loaded) {
        ASSERT_EQ(loaded.status, ACCP_OK) << loaded.error.message;
        counting.counter.reset();
        counting.tokenizer = std::move(loaded.tokenizer);
        counting.counter = open_counter(counting.tokenizer.get());
    };
    take(load_json(tokenizer_json(vocabulary, R"("a b",["ab","c"],"b c")")));
    EXPECT_EQ(counting.encode("abc"), (std::vector<uint32_t>{301}));
    EXPECT_EQ(counting.encode("bcab"), (std::vector<uint32_t>{302, 300}));
    EXPECT_EQ(counting.encode("xyz").size(), 3u) << "nothing merges to it";
    take(load_json(tokenizer_json(vocabulary, R"("a b","ab c","b c")", "\"ignore_merges\":true,")));
    EXPECT_EQ(counting.encode("xyz").size(), 3u)
        << "it has no merge, and no vocabulary of bytes lists it as reachable";
    const std::string bytes = [] {
        std::string text;
        for (int byte = 0; byte < 256; ++byte)
            text +=
                base64(std::string(1, static_cast<char>(byte))) + ' ' + std::to_string(byte) + '\n';
        return text;
    }();
    take(load_tiktoken(bytes + base64("ab") + " 300\n" + base64("xyz") + " 400\r\n"));
    EXPECT_EQ(counting.encode("xab"), (std::vector<uint32_t>{'x', 300}));
    for (int time = 0; time < 2; ++time)
        EXPECT_EQ(counting.encode("xyz"), (std::vector<uint32_t>{400}))
            << "a whole piece is looked up before it is merged";
    EXPECT_EQ(counting.encode("xyza").size(), 4u);
    EXPECT_EQ(counting.decode({400, 300}), "xyzab");
    EXPECT_EQ(counting.count("xyz"), 1u);
    // also if no token crosses the boundaries between its characters
    const std::string run = "我们今天去看海";
    take(load_tiktoken(bytes + base64(run) + " 400\n"));
    EXPECT_EQ(counting.encode(run), (std::vector<uint32_t>{400}));
    EXPECT_EQ(counting.count(run), 1u);
    EXPECT_EQ(counting.count(run + "了"), run.size() + 3);
}

TEST(TokenLoad, RefusesWhatItCannotDo) {
    const std::string bytes = bytes_json();
    const struct {
        std::string text;
        accp_status status;
        const char *part;
    } cases[] = {
        {"[", ACCP_E1001, ""},
        {"[]", ACCP_E1004, "an object"},
        {"{}", ACCP_E1004, "no model"},
        {R"({"model":{"type":"WordPiece"}})", ACCP_E1004, "not BPE"},
        {R"({"model":{"type":"BPE","byte_fallback":true}})", ACCP_E1004, "SentencePiece"},
        {R"({"model":{"type":"BPE"},"normalizer":{"type":"Lowercase"}})", ACCP_E1004, "normalizer"},
        {R"({"model":{"type":"BPE"},"pre_tokenizer":{"type":"Metaspace"}})", ACCP_E1004,
         "pre-tokenizer"},
        {tokenizer_json(bytes, "", "", "[a-z]+"), ACCP_E1004, "pre-tokenizer"},
        {tokenizer_json("\"a\":1", ""), ACCP_E1004, "a byte has no token"},
        {tokenizer_json(bytes, "\"a b\""), ACCP_E1004, "not in the vocabulary"},
        {tokenizer_json(bytes, "\"ab\""), ACCP_E1004, "not a pair"},
        {tokenizer_json(bytes + ",\"▁a\":300", "\"▁ a\""), ACCP_E1004, "byte by byte"},
        {tokenizer_json(bytes + ",\"ab\":300,\"abc\":301", "\"ab c\",\"a b\""), ACCP_E1004,
         "a token comes before"},
        {tokenizer_json(bytes + ",\"ab\":300,\"bc\":300", "\"a b\",\"b c\""), ACCP_E1004, "one id"},
        {tokenizer_json(bytes_json(0), ""), ACCP_E1004, "one id"},  // the id of <|begin|>
    };
    for (const auto &c : cases) {
        const Loaded loaded = load_json(c.text);
        EXPECT_EQ(loaded.status, c.status) << c.text.substr(0, 100);
        EXPECT_FALSE(loaded.tokenizer);
        EXPECT_NE(std::string(loaded.error.message).find(c.part), std::string::npos)
            << loaded.error.message;
    }
    for (const char *text :
         {"YQ== 0 1", "YQ==0", "YQ= 0", "Y!== 0", "YQ== -1", "YQ== 99999999999"}) {
        const Loaded loaded = load_tiktoken(std::string("Yg== 1\n") + text);
        EXPECT_EQ(loaded.status, ACCP_E1001) << text;
        EXPECT_EQ(loaded.error.offset, 7u);
    }
    EXPECT_EQ(load_tiktoken("").status, ACCP_E1004);
    EXPECT_EQ(load_tiktoken("YQ== 0\nYg== 0\n").status, ACCP_E1004);
    EXPECT_EQ(load_tiktoken("YQ== 0\nYQ== 1\n").status, ACCP_E1004);
    EXPECT_EQ(load_tiktoken("", "no_such_pattern").status, ACCP_ERR_ARG);
}

// How the patterns of other models cut a text. The pieces are visible if every byte is a token and
// only whole pieces merge.
std::string pieces(std::string_view pattern, const std::vector<std::string> &expected) {
    std::string text, bytes, found;
    for (int byte = 0; byte < 256; ++byte)
        bytes +=
            base64(std::string(1, static_cast<char>(byte))) + ' ' + std::to_string(byte) + '\n';
    for (const std::string &piece : expected) {
        text += piece;
        if (piece.size() > 1)
            bytes += base64(piece) + ' ' + std::to_string(1000 + bytes.size()) + '\n';
    }
    Loaded loaded = load_tiktoken(bytes, pattern);
    if (loaded.status != ACCP_OK) return loaded.error.message;
    Counting counting(std::move(loaded.tokenizer));
    for (uint32_t id : counting.encode(text)) found += counting.decode({id}) + "·";
    return found;
}

std::string joined(const std::vector<std::string> &expected) {
    std::string all;
    for (const std::string &piece : expected) all += piece + "·";
    return all;
}

TEST(TokenLoad, PatternsOfOtherModels) {
    const struct {
        const char *pattern;
        std::vector<std::string> pieces;
    } cases[] = {
        {"gpt2", {"Hello", " world", "'s", " 12345", " --", "  ", " x", "'", "S"}},
        {"llama3", {"Hello", " World", "'S", " ", "123", "45", " --\n\n", "\t\t\n", " ", " x"}},
        {"qwen2", {"abc", " ", "1", "2", "3", ".\n", "\tdef"}},
        {"qwen35", {"ab\u0301c", " ", "1", "2", " -", "x\u0301y"}},
        {"tekken", {"Hello", "World", "'s", " ", "1", "2", " -\n/"}},
        {"deepseek3",
         {"Hello", " World", " ", "123", "45", "中文の", "abc", ".def", " ", " !\n", "  ", "98",
          " --", "  \n", "x"}},
        {"deepseek3",
         {"\x01",
          "\x02"
          "a",
          "'s", "\x01", "中"}},
    };
    for (const auto &c : cases)
        EXPECT_EQ(pieces(c.pattern, c.pieces), joined(c.pieces)) << c.pattern;
}

}  // namespace
}  // namespace accp_tokens
