// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rule `spell`: the cheapest spelling is read as the same message by this library and by the
// reference, and never has more tokens. Tokenizers with random prices per byte make every spelling
// the cheapest sometimes.
#include <array>
#include <tuple>

#include "codec/codecs.h"
#include "codec/random_messages.h"
#include "codec/states.h"
#include "reference/ref_codec.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

// A tokenizer of the host with prices per byte.
struct Prices {
    Prices() { of.fill(1); }
    explicit Prices(uint64_t seed) : Prices() {
        Random random(seed);
        for (const char c : std::string_view("\\\"_%;:|,[]{}!abcdefgu0123456789"))
            of[static_cast<unsigned char>(c)] = 1 + static_cast<int64_t>(random.below(9));
    }
    static int64_t count(const char *text, size_t len, void *user) {
        const auto &prices = *static_cast<Prices *>(user);
        int64_t sum = 0;
        for (size_t i = 0; i < len; ++i) sum += prices.of[static_cast<unsigned char>(text[i])];
        return prices.fails ? -1 : sum;
    }
    int64_t count(const std::string &text) { return count(text.data(), text.size(), this); }
    Prices &price(char c, int64_t tokens) {
        of[static_cast<unsigned char>(c)] = tokens;
        return *this;
    }
    accp_tokens::Handle<accp_tokenizer> tokenizer() {
        accp_tokenizer *made = nullptr;
        EXPECT_EQ(accp_tokenizer_new_callback("prices", 6, 0, count, this, nullptr, &made, nullptr),
                  ACCP_OK);
        return accp_tokens::Handle<accp_tokenizer>(made);
    }

    std::array<int64_t, 256> of = {};
    bool fails = false;
};

std::string body_of(const std::string &frame) {
    const size_t end = frame.rfind('[');
    return frame.back() == ']' ? frame.substr(0, end) : frame;
}
std::string meta_of(const std::string &frame) { return frame.substr(body_of(frame).size()); }

// A codec that writes as in docs/wire.md, one that spells, and one that reads.
struct Spelling {
    Spelling(Config &config, Prices &prices) : Spelling(config, prices.tokenizer()) {}
    Spelling(Config &config, accp_tokens::Handle<accp_tokenizer> with)
        : tokenizer(std::move(with)) {
        config.tokenizer(tokenizer.get());
        wire = open_codec(config);
        reader = open_codec(config);
        cheapest = open_codec(config.rule(ACCP_RULE_SPELL, 1));
    }
    std::string spell(const std::string &json) { return encode(cheapest.get(), json).text; }

    accp_tokens::Handle<accp_tokenizer> tokenizer;
    Handle<accp_codec> wire, reader, cheapest;
};

// Compares the decoded messages by value: a payload by position is read in the order of its fields.
void expect_same(const std::string &a, const std::string &b) {
    const auto left = accp_ref::parse_json(a), right = accp_ref::parse_json(b);
    ASSERT_TRUE(left && right) << a << b;
    EXPECT_TRUE(accp_ref::normal(*left) == accp_ref::normal(*right)) << a << '\n' << b;
}

// 1: another spelling; -1: the message is refused.
int check(const std::string &json, Spelling &codecs, Prices &prices) {
    SCOPED_TRACE(json);
    const Answer wire = encode(codecs.wire.get(), json),
                 cheap = encode(codecs.cheapest.get(), json);
    EXPECT_EQ(cheap.status, wire.status);
    EXPECT_EQ(cheap.offset, wire.offset);
    if (!wire.ok()) return -1;
    SCOPED_TRACE(wire.text + '\n' + cheap.text);
    EXPECT_EQ(codecs.spell(json), cheap.text) << "spelled twice";
    EXPECT_EQ(static_cast<uint64_t>(prices.count(cheap.text)),
              budget_of(codecs.cheapest.get()).total.tokens);
    const auto before = prices.count(wire.text), after = prices.count(cheap.text);
    EXPECT_TRUE(after < before || cheap.text == wire.text) << before << " and " << after;
    EXPECT_EQ(meta_of(cheap.text), meta_of(wire.text));
    const Answer first = decode(codecs.reader.get(), wire.text),
                 second = decode(codecs.reader.get(), cheap.text);
    EXPECT_TRUE(second.ok()) << second.status << " at " << second.offset;
    if (first.ok() && second.ok()) expect_same(first.text, second.text);
    return cheap.text != wire.text;
}

constexpr int kSpellSeeds = ACCP_SANITIZED ? 150 : 1000;

TEST(CodecSpell, UnderRegistriesTheMessageIsTheSame) {
    int taken = 0, respelled = 0;
    for (uint64_t seed = 1; seed <= kSpellSeeds && !HasFailure(); ++seed) {
        Random random(seed);
        const std::string document = random_registry(random);
        accp_registry *made = nullptr;
        if (accp_registry_new(document.data(), document.size(), ACCP_PROFILE_TOOL, nullptr, &made,
                              nullptr) != ACCP_OK)
            continue;
        const Handle<accp_registry> registry(made);
        Prices prices(seed);
        Config config;
        config.registry(made).rule(ACCP_RULE_MARK_DEFAULTS, static_cast<int64_t>(seed % 2));
        config.extensions(static_cast<uint32_t>(random.below(32)));
        Spelling codecs(config, prices);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + document);
        for (int i = 0; i < 8; ++i) {
            const int answer = check(accp_ref::write_json(random_message(random)), codecs, prices);
            taken += answer >= 0;
            respelled += answer > 0;
        }
    }
    std::printf("%d messages taken, %d of them spelled otherwise\n", taken, respelled);
    EXPECT_GT(respelled, kSpellSeeds / 4);
}

TEST(CodecSpell, TheReferenceReadsTheSame) {
    const uint32_t sets[] = {ACCP_EXT_Q1, ACCP_EXT_T1, ACCP_EXT_U8, ACCP_EXT_W1,
                             ACCP_EXT_W1 | ACCP_EXT_U8 | ACCP_EXT_T1};
    int respelled = 0;
    for (uint64_t seed = 1; seed <= 4 * kSpellSeeds && !HasFailure(); ++seed) {
        const uint32_t set = sets[seed % std::size(sets)];
        accp_ref::Codec reference;
        reference.t1 = (set & ACCP_EXT_T1) != 0;
        reference.u8 = (set & ACCP_EXT_U8) != 0;
        reference.w1 = (set & ACCP_EXT_W1) != 0;
        reference.abbreviate = seed % 2 != 0;
        Prices prices(seed);
        Config config;
        config.rule(ACCP_RULE_ANY_INTENT, 1);
        config.extensions(set).rule(ACCP_RULE_ABBREVIATE, reference.abbreviate);
        if (!reference.u8 && seed % 3 == 0) config.rule(ACCP_RULE_DIALECT, ACCP_COMPAT);
        Spelling codecs(config, prices);
        const std::string json = accp_ref::write_json(accp_ref::random_message(seed, 1 + seed % 5));
        SCOPED_TRACE("seed " + std::to_string(seed));
        if (check(json, codecs, prices) <= 0) continue;
        ++respelled;
        expect_same(*accp_ref::read_message(codecs.spell(json), reference).text,
                    decode(codecs.reader.get(), codecs.spell(json)).text);
    }
    std::printf("%d messages spelled otherwise\n", respelled);
    EXPECT_GT(respelled, kSpellSeeds / 2);
}

// Each choice in a case in which it is the cheapest.
TEST(CodecSpell, Choices) {
    struct Case {
        const char *what;
        uint32_t extensions;
        char dear;  // costs 9 tokens; any other byte costs one
        std::string payload, spelled;
    };
    const Case cases[] = {
        {"quotes for backslashes: none, as in quotes they stand too", ACCP_EXT_Q1, '\\',
         R"({"k":"a:b"})", R"({k:a\:b})"},
        {"one run for two", ACCP_EXT_Q1, ';', "{\"k\":\"\u043f \u043c\"}",
         R"({k:"%u001087000032001084;"})"},
        {"%20 for a space", ACCP_EXT_Q1, '_', R"({"k":"a b"})", R"({k:"a%20b"})"},
        {"%20 is dear", ACCP_EXT_Q1, '%', R"({"k":"a b"})", R"({k:"a_b"})"},
        {"words for symbols", ACCP_EXT_W1, '+', R"({"k":"plus 5"})", R"({k:"plus_5"})"},
        {"symbols for words", ACCP_EXT_W1, '_', R"({"k":"plus 5"})", R"({k:+5})"},
        {"objects for a table", ACCP_EXT_T1, '_',
         R"({"k":[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]})",
         R"({k:[{a:1,b:2},{a:3,b:4},{a:5,b:6}]})"},
        {"nothing without q1", 0, '\\', R"({"k":"a:b"})", R"({k:a\:b})"},
        {"a key in full", ACCP_EXT_Q1, 'w', R"({"target":1})", "{target:1}"},
        {"a short key", ACCP_EXT_Q1, 'a', R"({"next_action":1})", "{nx:1}"},
    };
    for (const Case &row : cases) {
        SCOPED_TRACE(row.what);
        Prices prices;
        prices.price(row.dear, 9);
        Config config;
        config.extensions(row.extensions).rule(ACCP_RULE_ABBREVIATE, 1);
        Spelling codecs(config, prices);
        EXPECT_EQ(codecs.spell(message_of(row.payload)), "@a>req:go" + row.spelled);
        EXPECT_GE(check(message_of(row.payload), codecs, prices), 0);
    }
}

// Names instead of positions, with the schema's name. A string that equals the mark of an omitted
// field stays in quotes.
TEST(CodecSpell, NamesForPositions) {
    const auto registry = open_registry(
        R"({"schemas":{"task":{"code":"TK","fields":["a","b","c","d","e"],"bind":["req:go"]}}})",
        0);
    Prices prices;
    prices.price('!', 9);
    Config config;
    config.registry(registry.get()).extensions(ACCP_EXT_P1);
    Spelling codecs(config, prices);
    EXPECT_EQ(codecs.spell(message_of(R"({"e":1})")), "@a>req:go{e:1|schema:TK}");
    EXPECT_EQ(codecs.spell(message_of(R"({"a":1,"b":2})")), "@a>req:go{TK:[1,2]}");
    prices.price(':', 9).price('!', 1);
    EXPECT_EQ(codecs.spell(message_of(R"({"a":"!","b":"x y","c":3,"d":4,"e":5})")),
              R"(@a>req:go{TK:["!","x_y",3,4,5]})");
}

// The envelope has a fixed form: the metadata is not respelled.
TEST(CodecSpell, MetadataStays) {
    Prices prices;
    prices.price('_', 9).price('\\', 9);
    Config config;
    Spelling codecs(config, prices);
    EXPECT_EQ(codecs.spell(message_of(R"({"k":"a b"})", R"({"mid":"a_b","note":"a b"})")),
              R"(@a>req:go{k:"a%20b"}[mid:a_b,note:"a_b"])");
}

// The result under the built-in tokenizers.
TEST(CodecSpell, UnderRealVocabularies) {
    const std::string russian =
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440! \u041a\u0430\u043a "
        "\u0434\u0435\u043b\u0430?";
    for (const char *name : {"o200k_base", "cl100k_base"}) {
        Config config;
        Spelling codecs(config, accp_tokens::open_tokenizer(name));
        const std::string json = message_of("{\"k\":\"" + russian + "\"}");
        const std::string wire = encode(codecs.wire.get(), json).text;
        const uint64_t before = budget_of(codecs.wire.get()).total.tokens;
        EXPECT_NE(codecs.spell(json), wire);
        EXPECT_LT(budget_of(codecs.cheapest.get()).total.tokens, before) << name;
        EXPECT_EQ(decode(codecs.reader.get(), codecs.spell(json)).text,
                  decode(codecs.reader.get(), wire).text);
    }
}

// docs/tokens.md has these figures.
TEST(CodecSpell, OnTheFramesOfTheBenchmark) {
    const auto registry = open_registry("", ACCP_PROFILE_ALL);
    for (const auto &[extensions, before, saved] :
         {std::tuple{uint32_t{ACCP_EXT_Q1}, 71269, 0},
          {uint32_t{ACCP_EXT_W1}, 71328, 5},
          {uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1}, 49667, 86}}) {
        Config config;
        config.extensions(extensions);
        if (extensions & ACCP_EXT_P1) config.registry(registry.get());
        Spelling codecs(config, accp_tokens::open_tokenizer("o200k_base"));
        std::istringstream lines(read_file(ACCP_SOURCE_DIR "/data/corpus/compact.ndjson"));
        uint64_t wire = 0, cheap = 0, count = 0;
        for (std::string line; std::getline(lines, line);) {
            line.replace(line.find("\"op\":"), 5, "\"operation\":");
            const size_t meta = line.rfind(",\"meta\":{");
            if (meta != std::string::npos) line = line.substr(0, meta) + "}";
            const bool taken = encode(codecs.wire.get(), line).ok();
            EXPECT_EQ(encode(codecs.cheapest.get(), line).ok(), taken) << line;
            if (!taken) continue;  // the profiles require more
            ++count;
            wire += budget_of(codecs.wire.get()).total.tokens;
            cheap += budget_of(codecs.cheapest.get()).total.tokens;
        }
        EXPECT_EQ(count, extensions & ACCP_EXT_P1 ? 1513u : 2000u);
        EXPECT_EQ(wire, static_cast<uint64_t>(before));
        EXPECT_EQ(wire - cheap, static_cast<uint64_t>(saved));
    }
}

// A message in parts is not respelled. A message that is under the limit when respelled is sent in
// one frame.
TEST(CodecSpell, Parts) {
    Prices prices;
    prices.price('_', 9);
    const auto tokenizer = prices.tokenizer();
    Envelopes wire_envelopes, cheap_envelopes, one_envelopes;
    const auto open = [&](Envelopes &envelopes, int64_t spell, int64_t max) {
        Config config;
        config.tokenizer(tokenizer.get()).rule(ACCP_RULE_PARTS, 1).hooks(envelopes.hooks());
        return open_codec(config.rule(ACCP_RULE_MAX_TOKENS, max).rule(ACCP_RULE_SPELL, spell));
    };
    const std::string json =
        message_of(R"({"a":"one two three four","b":"five six seven eight nine","c":"ten eleven"})",
                   R"({"mid":"a00000000001","seq":1,"ts":1700000000})");
    const std::string parts = encode(open(wire_envelopes, 0, 130).get(), json).text;
    EXPECT_GT(wire_envelopes.seq, 1u);
    EXPECT_EQ(encode(open(cheap_envelopes, 1, 130).get(), json).text, parts);
    wire_envelopes.seq = 1;
    EXPECT_NE(encode(open(wire_envelopes, 0, 170).get(), json).text.find('\n'), std::string::npos);
    const Handle<accp_codec> one = open(one_envelopes, 1, 170);
    EXPECT_TRUE(encode(one.get(), json).ok());
    EXPECT_EQ(outcome_of(one.get()).parts, 1u);
}

// If a tokenizer of the host fails, the message is refused, and the next one is accepted.
TEST(CodecSpell, ATokenizerThatFails) {
    Prices prices;
    prices.price('_', 9);
    Config config;
    Spelling codecs(config, prices);
    prices.fails = true;
    EXPECT_EQ(encode(codecs.cheapest.get(), message_of(R"({"k":"a b"})")).status, ACCP_ERR_IO);
    prices.fails = false;
    EXPECT_EQ(codecs.spell(message_of(R"({"k":"a b"})")), R"(@a>req:go{k:"a%20b"})");
}

TEST(CodecSpell, TheRule) {
    EXPECT_EQ(accp_rule_find("spell", 5), ACCP_RULE_SPELL);
    Config config;
    EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_SPELL, 2, nullptr), ACCP_ERR_ARG);
    // o200k_base, because the config has no tokenizer
    const auto codec = open_codec(config.rule(ACCP_RULE_SPELL, 1));
    EXPECT_TRUE(encode(codec.get(), message_of("{}")).ok());
    EXPECT_GT(budget_of(codec.get()).total.tokens, 0u);
}

}  // namespace
