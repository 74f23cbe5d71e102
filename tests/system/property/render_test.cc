// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// parse(render(x)) is x, and render(parse(render(x))) has the same bytes. A rendering is never
// longer than compact JSON, and is one line if it should be. Tested with random and adversarial
// values, with tables of every kind and with lists that are almost tables, and with messages.
// `render_test --count 1000000` runs longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "property/arguments.h"
#include "reference/generate.h"
#include "reference/ref_codec.h"
#include "spec/c_face.h"

namespace {

using accp_face::Answer;
using accp_face::Renders;
using accp_ref::Json;
using accp_ref::Random;

// Rows that are more or less alike: keys that only some rows have, groups, rows inside rows, cells
// of every kind.
class TableMaker {
public:
    explicit TableMaker(uint64_t seed) : random_(seed), seed_(seed) {}

    Json table(size_t depth) {
        std::vector<Column> columns = make_columns(depth, random_.between(1, 6));
        const bool keyed = random_.one_in(3);
        Json table = keyed ? Json::object({}) : Json::array({});
        for (size_t i = 0, rows = random_.between(1, random_.one_in(10) ? 60 : 8); i < rows; ++i) {
            Json made = row(columns);
            if (keyed)
                table.members.emplace_back(
                    random_.pick_one({"r", "a b", "x:", "", "12", "-", "é"}) + std::to_string(i),
                    std::move(made));
            else table.items.push_back(std::move(made));
        }
        return table;
    }

private:
    struct Column {
        std::string name;
        size_t kind;      // 0 to 4: a string or a number, 5: anything, 6: a group, 7: rows
        size_t rareness;  // 0: in every row; n: missing in one of n rows, or only in one of n
        bool rare;
        std::vector<Column> inside;
    };

    std::vector<Column> make_columns(size_t depth, size_t count) {
        std::vector<Column> columns;
        while (count-- > 0) {
            std::string name = random_.pick_one({"id", "name", "a", "b c", "e,f", "key", "...",
                                                 "x?", "", "-", "@n", "ü", "k:", "(y)"}) +
                               std::to_string(count);
            if (random_.one_in(12)) name = random_.pick_one({"key", "...", "-", "$ref", ""});
            if (std::any_of(columns.begin(), columns.end(),
                            [&](const Column &other) { return other.name == name; }))
                continue;
            const size_t kind = random_.below(depth > 0 ? 8 : 6);
            columns.push_back(
                {name, kind, random_.one_in(2) ? 0 : random_.between(2, 6), random_.one_in(3), {}});
            if (kind > 5) columns.back().inside = make_columns(depth - 1, random_.between(1, 4));
        }
        return columns;
    }

    Json row(const std::vector<Column> &columns) {
        Json row = Json::object({});
        for (const Column &column : columns) {
            if (column.rareness && random_.one_in(column.rareness) != column.rare) continue;
            row.members.insert(random_.one_in(4) ? row.members.begin() : row.members.end(),
                               {column.name, cell(column)});
        }
        return row;
    }

    Json cell(const Column &column) {
        if (column.kind > 5 && random_.one_in(column.rareness ? 4 : 60)) return Json{};
        if (column.kind == 6) return row(column.inside);
        if (column.kind == 5 || random_.one_in(20))
            return accp_ref::random_json(seed_ * 1000 + random_.below(1000), 2);
        if (column.kind == 7) {
            Json rows = Json::array({});
            for (size_t n = random_.below(4); n > 0; --n) rows.items.push_back(row(column.inside));
            return rows;
        }
        if (column.kind == 4)
            return Json::number(random_.pick_one({"0", "-1", "12", "3.50", "1e9"}));
        if (column.kind == 3)
            return Json::string(random_.pick_one({"- x", "-", "a, b", "a | b", "a;b", "x]", "(z)",
                                                  "$a.b", "q\"r", "\\n", "tab\t", "end ", "true",
                                                  "7", "a:", "null", "null, void", "null x"}));
        return Json::string(random_.pick_one({"word", "two words", "Zürich", "2025-01-01", "",
                                              "a-b", "x@y.z", "with, comma and | pipe"}));
    }

    Random random_;
    uint64_t seed_;
};

Json make(uint64_t seed) {
    Random random(seed);
    Json value = seed % 4 == 0   ? accp_ref::random_json(seed, 6)
                 : seed % 4 == 1 ? accp_ref::random_message(seed, 4)
                                 : TableMaker(seed).table(3);
    if (seed % 4 < 2 || random.one_in(3)) return value;
    Json outer = Json::object({{"note", Json::string("some text: \"here\"")}});
    for (size_t n = random.between(1, 3); n > 0; --n)
        outer.members.emplace_back("t" + std::to_string(n), TableMaker(seed + n).table(2));
    if (random.one_in(2)) outer.members.emplace_back("last", Json::string("also longer text"));
    if (random.one_in(2)) return outer;
    return Json::object({{"agent", Json::string("a")},
                         {"intent", Json::string("req")},
                         {"operation", Json::string("x")},
                         {"payload", outer}});
}

// Returns how many bytes escapes may add: characters that must be escaped begin with one of these
// bytes.
size_t escapes_of(const std::string &json) {
    return 10 * static_cast<size_t>(std::count_if(json.begin(), json.end(), [](char c) {
               return std::strchr("\x7F\xC2\xD8\xE2\xF3", c) && c;
           }));
}

TEST(Render, ComesBackEqual) {
    const auto &run = accp_property::run();
    Renders renders;
    uint64_t taken = 0;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed) {
        const Json made = make(seed);
        const std::string json = accp_ref::write_json(made);
        const uint32_t flags = seed % 3 == 0   ? ACCP_RENDER_ENVELOPE | ACCP_RENDER_ONE_LINE
                               : seed % 3 == 1 ? ACCP_RENDER_ENVELOPE
                                               : ACCP_RENDER_ENVELOPE | ACCP_RENDER_UNTRUSTED;
        const Answer text = renders.render(json, flags);
        if (!text.ok()) continue;  // a surrogate
        ++taken;
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + json + "\n" + text.text);
        const bool untrusted = flags & ACCP_RENDER_UNTRUSTED;
        EXPECT_EQ(text.text.rfind("(untrusted data) ", 0) == 0, untrusted);
        EXPECT_TRUE(untrusted || text.text.size() <= json.size() + escapes_of(json));
        EXPECT_TRUE(text.text.find('\n') == std::string::npos || flags == ACCP_RENDER_ENVELOPE);
        const Answer back = renders.parse(text.text);
        ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
        const Json sent = seed % 4 == 1 ? accp_ref::without_empty_meta(made) : made;
        EXPECT_EQ(accp_face::hash_form(back.text).text,
                  accp_face::hash_form(accp_ref::write_json(sent)).text);
        EXPECT_EQ(renders.render(back.text, flags).text, text.text);
    }
    EXPECT_GT(taken, run.count / 2);
}

// decision A73: the text has the message's mark of its origin, and parsing returns it. No marked
// field comes before the mark.
TEST(Render, AMessageThatIsMarkedComesBackMarked) {
    const auto &run = accp_property::run();
    Renders renders;
    uint64_t taken = 0;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed) {
        Json made = accp_ref::without_empty_meta(accp_ref::random_message(seed, 4));
        Random random(seed);
        Json names = Json::array({});
        for (const auto &[key, value] : made.find("payload")->members)
            if (random.one_in(2)) names.items.push_back(Json::string(key));
        const bool whole = names.items.empty();
        made.members.emplace_back("untrusted", whole ? *accp_ref::parse_json("true") : names);
        const std::string json = accp_ref::write_json(made);
        const uint32_t flags = ACCP_RENDER_ENVELOPE | (seed % 3 == 0 ? ACCP_RENDER_UNTRUSTED : 0);
        const Answer text = renders.render(json, flags);
        if (!text.ok()) continue;  // a surrogate
        ++taken;
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + json + "\n" + text.text);
        EXPECT_EQ(text.text.find('\n'), std::string::npos);
        EXPECT_EQ(text.text.rfind("(untrusted message) @", 0) == 0, whole);
        EXPECT_TRUE(whole || text.text.find(" (untrusted data) ") != std::string::npos);
        const Answer back = renders.parse(text.text);
        ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
        const auto read = accp_ref::parse_json(back.text);
        ASSERT_TRUE(read.has_value());
        // The names are a set, in the order of the fields after the mark.
        auto sorted = [](const Json &value) {
            std::vector<std::string> keys;
            for (const Json &item : value.find("untrusted")->items) keys.push_back(item.text);
            std::sort(keys.begin(), keys.end());
            return keys;
        };
        EXPECT_EQ(sorted(*read), sorted(made));
        auto payload = [](const Json &value) {
            return accp_face::hash_form(accp_ref::write_json(*value.find("payload"))).text;
        };
        EXPECT_EQ(payload(*read), payload(made));
        EXPECT_EQ(renders.render(back.text, flags).text, text.text);
    }
    EXPECT_GT(taken, run.count / 2);
}

// A text that does not follow the grammar is refused, or is the text of another value.
TEST(Render, DamagedTextIsRefusedOrRead) {
    const auto &run = accp_property::run();
    Renders renders;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed) {
        const Answer text = renders.render(accp_ref::write_json(make(seed)));
        if (!text.ok()) continue;
        Random random(seed);
        const std::string damaged = accp_ref::edited(text.text, random);
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + damaged);
        const Answer read = renders.parse(damaged);
        if (!read.ok()) continue;
        const Answer again = renders.render(read.text, ACCP_RENDER_ENVELOPE);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(accp_face::hash_form(renders.parse(again.text).text).text,
                  accp_face::hash_form(read.text).text);
    }
}

}  // namespace

int main(int argc, char **argv) { return accp_property::main(argc, argv, 3000); }
