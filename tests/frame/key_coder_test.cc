// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keys on the wire are valid, unique, and as docs/wire.md 3 defines them.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/bytes.h"
#include "frame/key.h"
#include "unit.h"

namespace {

using namespace accp;

Settings with(bool q1, bool abbreviate) {
    Settings settings;
    settings.extensions = q1 ? ACCP_EXT_Q1 : ACCP_EXT_NONE;
    settings.abbreviate = abbreviate;
    return settings;
}

// Returns the wire form, or "-" if the text has no wire form.
std::string write(const frame::KeyCoder &coder, const std::string &key, bool payload) {
    const accp_unit::Padded padded(key);
    std::unique_ptr<char[]> out(new char[frame::wire_key_room(key.size()) + Buffer<char>::kSlack]);
    char *end = coder.write(padded.view(), payload, out.get());
    return end ? std::string(out.get(), end) : "-";
}

std::string read(const frame::KeyCoder &coder, const std::string &wire, bool payload) {
    if (!coder.is_mapped(wire, payload)) return wire;
    std::unique_ptr<char[]> out(new char[wire.size() + 32]);
    char *end = coder.read(wire, payload, out.get());
    return end ? std::string(out.get(), end) : "-";
}

TEST(KeyCoder, AsWritten) {
    const struct {
        const char *key, *nested, *payload, *abbreviated;
    } cases[] = {
        {"a", "a", "a", "a"},
        {"A_1", "A_1", "A_1", "A_1"},
        {"_a", "_a", "_a", "_a"},
        {"7", "7", "7", "7"},
        {"", "__", "__", "__"},
        {"content-type", "__content__type", "__content__type", "__content__type"},
        {"schema", "schema", "__schema", "__schema"},
        {"data", "data", "data", "d"},
        {"d", "d", "d", "__d"},
        {"findings", "findings", "findings", "f"},
        {"next_action", "next_action", "next_action", "nx"},
        {"nx", "nx", "nx", "__nx"},
        {"rationale_code", "rationale_code", "rationale_code", "why"},
        {"__a", "___5F_a", "___5F_a", "___5F_a"},
        {"a b", "__a_20b", "__a_20b", "__a_20b"},
        {"a_b c", "__a_b_20c", "__a_b_20c", "__a_b_20c"},
        {"a_AB c", "__a_5FAB_20c", "__a_5FAB_20c", "__a_5FAB_20c"},
        {"x.y", "__x_2Ey", "__x_2Ey", "__x_2Ey"},
        {"日", "___E6_97_A5", "___E6_97_A5", "___E6_97_A5"},
        {"a_ ", "__a_5F_20", "__a_5F_20", "__a_5F_20"},
        {"-", "____", "____", "____"},
        {"$ref", "___24ref", "___24ref", "___24ref"},
    };
    const Settings plain = with(true, false), abbreviated = with(true, true);
    for (const auto &c : cases) {
        EXPECT_EQ(write(frame::KeyCoder(plain), c.key, false), c.nested) << c.key;
        EXPECT_EQ(write(frame::KeyCoder(plain), c.key, true), c.payload) << c.key;
        EXPECT_EQ(write(frame::KeyCoder(abbreviated), c.key, true), c.abbreviated) << c.key;
        EXPECT_EQ(write(frame::KeyCoder(abbreviated), c.key, false), c.nested) << c.key;
    }
    const Settings bare = with(false, false), bare_short = with(false, true);
    EXPECT_EQ(write(frame::KeyCoder(bare), "__a", true), "__a");
    EXPECT_EQ(write(frame::KeyCoder(bare), "schema", true), "schema");
    EXPECT_EQ(write(frame::KeyCoder(bare), "a b", true), "-");
    EXPECT_EQ(write(frame::KeyCoder(bare), "", false), "-");
    EXPECT_EQ(write(frame::KeyCoder(bare_short), "data", true), "d");
    EXPECT_EQ(write(frame::KeyCoder(bare_short), "d", true), "-");
}

// Every key of up to five characters from a small set has a valid wire form, survives a round trip,
// and has the form of no other key.
TEST(KeyCoder, OneToOneForEveryShortKey) {
    for (bool abbreviate : {false, true}) {
        for (bool payload : {false, true}) {
            const Settings settings = with(true, abbreviate);
            const frame::KeyCoder coder(settings);
            std::map<std::string, std::string> wires;
            accp_unit::each_text("aFd0_- ", 5, [&](const std::string &key) {
                const std::string wire = write(coder, key, payload);
                ASSERT_FALSE(wire.empty());
                for (char c : wire)
                    ASSERT_TRUE(accp::is_word(static_cast<unsigned char>(c)))
                        << key << " became " << wire;
                ASSERT_EQ(read(coder, wire, payload), key) << wire;
                ASSERT_TRUE(wires.emplace(wire, key).second)
                    << wire << " stands for " << key << " and " << wires[wire];
                ASSERT_EQ(coder.is_plain(accp_unit::Padded(key).view(), payload), wire == key)
                    << key;
            });
        }
    }
}

// Reading of keys that we would write in another way, and of invalid UTF-8.
TEST(KeyCoder, ReadsWhatOthersWrite) {
    const Settings settings = with(true, true);
    const frame::KeyCoder coder(settings);
    const struct {
        const char *wire, *key;
    } cases[] = {{"__a_", "a_"},     {"___", "_"},         {"___61", "a"},    {"__a_2", "a_2"},
                 {"__a_2g", "a_2g"}, {"___6a", "_6a"},     {"___C3_A9", "é"}, {"___C3", "-"},
                 {"___C0_AF", "-"},  {"___ED_A0_80", "-"}, {"___FF", "-"},    {"d", "data"},
                 {"data", "data"},   {"__", ""},           {"_", "_"}};
    for (const auto &c : cases) EXPECT_EQ(read(coder, c.wire, true), c.key) << c.wire;
    EXPECT_EQ(read(coder, "d", false), "d") << "abbreviations are of payload keys only";
}

TEST(KeyCoder, LongKeys) {
    const Settings settings = with(true, false);
    const frame::KeyCoder coder(settings);
    accp_unit::Random random(11);
    for (size_t len = 1; len < 100; ++len) {
        const std::string word = random.text("abcXYZ019_", len);
        const std::string key = "a" + word;
        EXPECT_EQ(write(coder, key, false), key);
        for (size_t place = 0; place < key.size(); ++place) {
            std::string odd = key;
            odd[place] = '.';
            ASSERT_EQ(read(coder, write(coder, odd, false), false), odd);
            ASSERT_NE(write(coder, odd, false), odd);
        }
    }
    EXPECT_EQ(write(coder, std::string(1000, '.'), false).size(), frame::wire_key_room(1000));
}

}  // namespace
