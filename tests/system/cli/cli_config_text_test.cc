// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Settings in texts of configuration files: cases, and random texts against a reader of JSON that
// nobody here wrote.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <random>

#include "cli/config/config_text.h"
#include "cli/host.h"

namespace {

using cli::ConfigFormat;

struct EditCase {
    ConfigFormat format;
    const char *before;
    cli::SettingPath path;
    const char *after;  // with the value "new"; nullptr: it is refused
};

const EditCase kEdits[] = {
    {ConfigFormat::kJson, "", {"a", "b"}, "{\n  \"a\": {\n    \"b\": \"new\"\n  }\n}\n"},
    {ConfigFormat::kJson, "{}", {"a"}, "{\n  \"a\": \"new\"\n}"},
    {ConfigFormat::kJson, "{\"x\":1}", {"a"}, "{\"a\":\"new\",\"x\":1}"},
    {ConfigFormat::kJson, "{\"x\": 1}", {"a", "b"}, "{\"a\": {\"b\": \"new\"}, \"x\": 1}"},
    {ConfigFormat::kJson, "{\"a\":{}}", {"a", "b"}, "{\"a\":{\"b\": \"new\"}}"},
    {ConfigFormat::kJson, "{\n\t\"x\": 1\n}", {"a"}, "{\n\t\"a\": \"new\",\n\t\"x\": 1\n}"},
    {ConfigFormat::kJson, "{\r\n \"x\": 1\r\n}", {"a"}, "{\r\n \"a\": \"new\",\r\n \"x\": 1\r\n}"},
    {ConfigFormat::kJson, "{ \"a\" : \"old \\\" }\" }", {"a"}, "{ \"a\" : \"new\" }"},
    {ConfigFormat::kJson,
     "\xEF\xBB\xBF{\"x\":[1,{\"a\":2}]}",
     {"a"},
     "\xEF\xBB\xBF{\"a\":\"new\",\"x\":[1,{\"a\":2}]}"},
    {ConfigFormat::kJson, "{\"a\":1}", {"a"}, nullptr},
    {ConfigFormat::kJson, "{\"a\":1}", {"a", "b"}, nullptr},
    {ConfigFormat::kJson, "{\"a\":\"1\",\"a\":\"2\"}", {"a"}, nullptr},
    {ConfigFormat::kJson, "{\"x\":1,}", {"a"}, nullptr},
    {ConfigFormat::kJson, "// c\n{}", {"a"}, nullptr},
    {ConfigFormat::kJson, "{\"x\":1", {"a"}, nullptr},
    {ConfigFormat::kJson, "{\"x\":1} {", {"a"}, nullptr},
    {ConfigFormat::kJson, "[]", {"a"}, nullptr},
    {ConfigFormat::kJson, "{x:1}", {"a"}, nullptr},
    {ConfigFormat::kJson, "{\"x\":nul}", {"a"}, nullptr},
    {ConfigFormat::kJsonWithComments,
     "// c\n{ // d\n  \"x\": 1, /* , */\n}\n",
     {"a"},
     "// c\n{\n  \"a\": \"new\", // d\n  \"x\": 1, /* , */\n}\n"},
    {ConfigFormat::kJsonWithComments,
     "{\n  // only this\n}",
     {"a"},
     "{\n  \"a\": \"new\"\n\n  // only this\n}"},
    {ConfigFormat::kToml, "", {"a"}, "a = \"new\"\n"},
    {ConfigFormat::kToml,
     "# c\nx = 1\n[t]\na = 2\n",
     {"a"},
     "a = \"new\"\n# c\nx = 1\n[t]\na = 2\n"},
    {ConfigFormat::kToml, "a = 'old' # c\n", {"a"}, "a = \"new\" # c\n"},
    {ConfigFormat::kToml,
     "x = \"\"\"\na = 'no'\n\"\"\"\na=\"old\"",
     {"a"},
     "x = \"\"\"\na = 'no'\n\"\"\"\na=\"new\""},
    {ConfigFormat::kToml,
     "x = [ # ]\n 'a', \"]\" ]\n[t.u]\nb = 1\n\n[v]\n",
     {"t", "u", "a"},
     "x = [ # ]\n 'a', \"]\" ]\n[t.u]\nb = 1\na = \"new\"\n\n[v]\n"},
    {ConfigFormat::kToml, "x = 1", {"t", "u", "a"}, "x = 1\n\n[t.u]\na = \"new\"\n"},
    {ConfigFormat::kToml, "[ t . \"u\" ]\na=''", {"t", "u", "a"}, "[ t . \"u\" ]\na=\"new\""},
    {ConfigFormat::kToml, "t.u.a = \"old\"\n", {"t", "u", "a"}, "t.u.a = \"new\"\n"},
    {ConfigFormat::kToml,
     "[[t]]\na = \"old\"\n",
     {"t", "a"},
     "[[t]]\na = \"old\"\n\n[t]\na = \"new\"\n"},
    {ConfigFormat::kToml, "t = { u = { a = 1 } }\n", {"t", "u", "a"}, nullptr},
    {ConfigFormat::kToml, "a = 1\n", {"a"}, nullptr},
    {ConfigFormat::kToml, "a = \"\"\"x\"\"\"\n", {"a"}, nullptr},
    {ConfigFormat::kToml, "a = \"1\"\na = \"2\"\n", {"a"}, nullptr},
    {ConfigFormat::kToml, "x = 'no end\n", {"a"}, nullptr},
    {ConfigFormat::kToml, "x = [1,\n", {"a"}, nullptr},
    {ConfigFormat::kToml, "not toml\n", {"a"}, nullptr},
    {ConfigFormat::kDotenv, "", {"A"}, "A=new\n"},
    {ConfigFormat::kDotenv, "# A=1\nB=2", {"A"}, "# A=1\nB=2\nA=new\n"},
    {ConfigFormat::kDotenv,
     "export A = 'old' # c\r\nB=2\r\n",
     {"A"},
     "export A = new # c\r\nB=2\r\n"},
    {ConfigFormat::kDotenv, "A=1\nA=2\n", {"A"}, nullptr},
    {ConfigFormat::kYaml, "x: 1\n", {"a"}, "x: 1\na: new\n"},
    {ConfigFormat::kYaml, "x:\n  a: 1\na: old # c\n", {"a"}, "x:\n  a: 1\na: new # c\n"},
    {ConfigFormat::kYaml, "a:\n  - b\n", {"a"}, nullptr},
    {ConfigFormat::kYaml, "a: [b]\n", {"a"}, nullptr},
};

TEST(CliConfigText, SettingsAreSetInPlace) {
    for (const EditCase &edit : kEdits) {
        SCOPED_TRACE(edit.before);
        if (!edit.after) {
            EXPECT_THROW(cli::set_setting(edit.format, edit.before, edit.path, "new"),
                         cli::Failure);
            continue;
        }
        EXPECT_EQ(cli::set_setting(edit.format, edit.before, edit.path, "new"), edit.after);
        EXPECT_EQ(cli::find_setting(edit.format, edit.after, edit.path), "new");
        EXPECT_EQ(cli::set_setting(edit.format, edit.after, edit.path, "new"), edit.after);
        EXPECT_EQ(cli::count_present(edit.format, edit.after, edit.path), edit.path.size());
    }
}

// What was added is removed without a trace, if something else is in the file.
TEST(CliConfigText, WhatWasAddedIsRemoved) {
    size_t added = 0;
    for (const EditCase &edit : kEdits) {
        if (!edit.after || cli::find_setting(edit.format, edit.before, edit.path)) continue;
        SCOPED_TRACE(edit.before);
        const size_t kept = cli::count_present(edit.format, edit.before, edit.path);
        const std::string removed = cli::remove_setting(edit.format, edit.after, edit.path, kept);
        EXPECT_FALSE(cli::find_setting(edit.format, removed, edit.path));
        EXPECT_EQ(cli::count_present(edit.format, removed, edit.path), kept);
        if (std::string_view(edit.before).find_first_of("x=:1") == std::string_view::npos) continue;
        std::string before = edit.before;
        const bool had_feed = before.ends_with('\n') || before.ends_with('}');
        if (!had_feed) before += '\n';
        EXPECT_EQ(removed, before);
        ++added;
    }
    EXPECT_GE(added, 10u);
}

TEST(CliConfigText, OtherMembersKeepTheirPlaceWhenOneIsRemoved) {
    const struct {
        const char *before, *after;
    } cases[] = {
        {"{\"a\":\"1\"}", "{}"},
        {"{\"x\":1,\"a\":\"1\"}", "{\"x\":1}"},
        {"{\n  \"x\": 1,\n  \"a\": \"1\"\n}", "{\n  \"x\": 1\n}"},
        {"{\n  \"x\": 1,\n  // mine\n  \"a\": \"1\", // too\n  \"y\": 2\n}",
         "{\n  \"x\": 1,\n  // mine // too\n  \"y\": 2\n}"},
    };
    for (const auto &[before, after] : cases)
        EXPECT_EQ(cli::remove_setting(ConfigFormat::kJsonWithComments, before, {"a"}, 0), after);
    EXPECT_EQ(cli::remove_setting(ConfigFormat::kJson, R"({"a":{"b":{"c":"1"}},"x":1})",
                                  {"a", "b", "c"}, 1),
              R"({"a":{},"x":1})");
    EXPECT_EQ(cli::remove_setting(ConfigFormat::kToml, "[t]\na = '1'\n[u]\nb = 1\n", {"t", "a"}, 0),
              "[u]\nb = 1\n");
}

constexpr unsigned kJsonc = rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag;

class RandomJson {
public:
    explicit RandomJson(unsigned seed) : random_(seed) {}
    size_t below(size_t n) { return random_() % n; }

    std::string object(int depth) {
        static const char *const kKeys[] = {"a", "b", "env", "x"};
        std::string out = "{" + space();
        const size_t count = below(4);
        for (size_t i = 0; i < count; ++i)
            out += (i ? "," + space() : "") + "\"" + kKeys[i] + "\"" + space() + ":" + space() +
                   value(depth + 1) + space();
        return out + (count && below(4) == 0 ? "," + space() : "") + "}";
    }

private:
    std::string space() {
        static const char *const kSpaces[] = {"", "", " ", "\n  ", "\n\t", "/* } */", " // \"\n"};
        return kSpaces[below(7)];
    }
    std::string value(int depth) {
        static const char *const kValues[] = {"1",     "-2.5e3",          "true", "null",
                                              "\"t\"", R"("\\\"} // ,")", "[]"};
        if (depth < 4 && below(2)) return object(depth);
        if (depth < 4 && below(6) == 0) return "[" + object(depth) + "," + value(depth + 1) + "]";
        return kValues[below(7)];
    }

    std::mt19937 random_;
};

// The value at the path by RapidJSON; nullptr: there is none.
const rapidjson::Value *look_up(const rapidjson::Document &json, const cli::SettingPath &path) {
    const rapidjson::Value *at = &json;
    for (const std::string &key : path) {
        if (!at->IsObject() || !at->HasMember(key.c_str())) return nullptr;
        at = &(*at)[key.c_str()];
    }
    return at;
}

// A text; or "true" for the boolean.
std::string text_at(const rapidjson::Document &json, const cli::SettingPath &path) {
    const rapidjson::Value &value = *look_up(json, path);
    return value.IsString() ? value.GetString() : "true";
}

// The reader of JSON sees the setting, and all else as before; removed again, all as before.
TEST(CliConfigText, RandomJsonIsEditedAsItsReaderSeesIt) {
    const cli::SettingPath path = {"env", "b", "a"};
    size_t set = 0, refused = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const std::string before = RandomJson(seed).object(0);
        SCOPED_TRACE(before);
        rapidjson::Document old;
        ASSERT_FALSE(old.Parse<kJsonc>(before.c_str()).HasParseError()) << seed;
        std::string after;
        try {
            after = cli::set_setting(ConfigFormat::kJsonWithComments, before, path, "new");
        } catch (const cli::Failure &) {
            ++refused;
            bool may_be_set = true;  // all on the path are objects, and the last a text
            for (size_t keys = 0; keys <= path.size(); ++keys) {
                const auto *part =
                    look_up(old, {path.begin(), path.begin() + static_cast<ptrdiff_t>(keys)});
                may_be_set &= !part || (keys < path.size() ? part->IsObject()
                                                           : part->IsString() || part->IsTrue());
            }
            EXPECT_FALSE(may_be_set);
            continue;
        }
        ++set;
        rapidjson::Document now;
        ASSERT_FALSE(now.Parse<kJsonc>(after.c_str()).HasParseError()) << after;
        const auto *value = look_up(now, path);
        ASSERT_TRUE(value && value->IsString()) << after;
        EXPECT_STREQ(value->GetString(), "new");
        const bool was_there = look_up(old, path);
        const size_t kept = cli::count_present(ConfigFormat::kJsonWithComments, before, path);
        const std::string removed =
            was_there
                ? cli::set_setting(ConfigFormat::kJsonWithComments, after, path, text_at(old, path))
                : cli::remove_setting(ConfigFormat::kJsonWithComments, after, path, kept);
        rapidjson::Document again;
        ASSERT_FALSE(again.Parse<kJsonc>(removed.c_str()).HasParseError()) << removed;
        EXPECT_TRUE(again == old) << after << "\n" << removed;
    }
    EXPECT_GT(set, 500u);
    EXPECT_GT(refused, 100u);
}

// Whatever the text: it is refused, or the setting is found afterwards.
TEST(CliConfigText, DamagedTextsAreRefusedOrEdited) {
    std::mt19937 random(7);
    size_t set = 0, refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        const EditCase &edit = kEdits[random() % std::size(kEdits)];
        std::string text = edit.before;
        for (size_t changes = 1 + random() % 3; changes-- && !text.empty();) {
            const size_t at = random() % text.size();
            const char byte = "\"'{}[],:=#/*\\\n a.t1"[random() % 20];
            if (random() % 2) text[at] = byte;
            else if (random() % 2) text.insert(at, 1, byte);
            else text.erase(at, 1);
        }
        try {
            const std::string after = cli::set_setting(edit.format, text, edit.path, "new");
            EXPECT_EQ(cli::find_setting(edit.format, after, edit.path), "new") << text;
            const size_t kept = cli::count_present(edit.format, text, edit.path);
            const std::string removed = cli::remove_setting(edit.format, after, edit.path,
                                                            std::min(kept, edit.path.size() - 1));
            EXPECT_FALSE(cli::find_setting(edit.format, removed, edit.path)) << text;
            ++set;
        } catch (const cli::Failure &) {
            ++refused;
        }
    }
    EXPECT_GT(set, 1000u);
    EXPECT_GT(refused, 1000u);
}

}  // namespace
