// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random JSON: values, messages, and different spellings of them.
#include <cstdio>
#include <set>

#include "reference/generate.h"
#include "reference/ref_utf8.h"

namespace accp_ref {
namespace {

class JsonMaker {
public:
    explicit JsonMaker(uint64_t seed) : random_(seed), budget_(random_.one_in(100) ? 5000 : 100) {}

    Json value(size_t depth) {
        if (budget_ > 0) --budget_;
        const size_t kind = random_.below(depth > 0 && budget_ > 0 ? 12 : 7);
        if (kind == 0) return word();
        if (kind < 3) return Json::number(number());
        if (kind < 7) return Json::string(string());
        if (kind < 9) return array(depth - 1);
        if (kind == 9 && depth > 1) return like_objects(depth - 2);
        return object(depth - 1, random_.below(random_.one_in(40) ? 60 : 6));
    }

    Json text() { return Json::string(string()); }

    Json object(size_t depth, size_t count) {
        Json object = Json::object({});
        for (const std::string &key : keys(count)) object.members.emplace_back(key, value(depth));
        return object;
    }

    std::string characters(std::string_view from, size_t min, size_t max) {
        std::string out;
        for (size_t n = random_.between(min, max); n > 0; --n) out += random_.pick(from);
        return out;
    }
    bool one_in(size_t n) { return random_.one_in(n); }
    size_t below(size_t n) { return random_.below(n); }

private:
    Json word() {
        const JsonKind kinds[] = {JsonKind::kNull, JsonKind::kTrue, JsonKind::kFalse};
        return Json{kinds[random_.below(3)], {}, {}, {}};
    }

    Json array(size_t depth) {
        Json array = Json::array({});
        for (size_t n = random_.below(random_.one_in(40) ? 200 : 6); n > 0; --n)
            array.items.push_back(value(depth));
        return array;
    }

    // Lists that t1 writes as tables, and lists that are almost such: rows with other keys, in
    // another order, or too few.
    Json like_objects(size_t depth) {
        Json array = Json::array({});
        const std::vector<std::string> names = keys(random_.between(0, 5));
        for (size_t rows = random_.between(0, 7); rows > 0; --rows) {
            Json row = Json::object({});
            for (const std::string &name : names) {
                row.members.insert(
                    std::next(row.members.begin(),
                              static_cast<long>(random_.below(row.members.size() + 1))),
                    {name, value(depth)});
            }
            if (random_.one_in(30) && !row.members.empty()) row.members.pop_back();
            array.items.push_back(std::move(row));
        }
        if (random_.one_in(20)) array.items.push_back(value(depth));
        return array;
    }

    std::vector<std::string> keys(size_t count) {
        std::vector<std::string> keys;
        std::set<std::string> used;
        while (count-- > 0) {
            std::string key = this->key();
            if (used.insert(key).second) keys.push_back(std::move(key));
        }
        return keys;
    }

    std::string key() {
        switch (random_.below(6)) {
            case 0:
                return random_.pick_one({"d", "data", "src", "source", "ttl", "time_to_live",
                                         "schema", "nx", "next_action", "why", "who", "f", "v"});
            case 1:
                return random_.pick_one({"", "_", "__", "___", "__d", "__cols", "__rows", "cols",
                                         "-", "content-type", "_5F", "-_AB", "_A", "a_", "$ref",
                                         "delta"});
            case 2: return characters("aB9_-", 1, 8);
            case 3: return characters("_-AF0", 1, 8);
            case 4: return text(random_.below(8));
            default: return characters("abcdef", 1, 4);
        }
    }

    std::string number() {
        const std::string sign = random_.one_in(3) ? "-" : "";
        const std::string whole =
            random_.one_in(4) ? "0"
                              : std::to_string(random_.between(1, 9)) +
                                    random_.digits(random_.below(random_.one_in(30) ? 400 : 22));
        switch (random_.below(4)) {
            case 0: return sign + whole;
            case 1:
                return sign + whole + "." +
                       random_.digits(random_.between(1, random_.one_in(6) ? 40 : 9)) +
                       (random_.one_in(2) ? "000" : "");
            case 2:
                return random_.pick_one({"0", "-0", "-0.0", "0.0", "1", "-1", "9223372036854775807",
                                         "-9223372036854775808", "9223372036854775808", "1.10",
                                         "0.000001", "0.0000001", "-0.0000000",
                                         "12345678901234567.5", "123456789012345678.5", "1e400",
                                         "1E-400", "0e0"});
            default: break;
        }
        const std::string places =
            random_.one_in(2) ? "" : "." + random_.digits(random_.between(1, 9));
        return sign + whole + places + random_.pick("eE") + random_.pick_one({"", "+", "-"}) +
               random_.digits(random_.between(1, 5));
    }

    std::string string() {
        if (random_.one_in(5)) return look_alike();
        return text(random_.below(random_.one_in(50) ? 2000 : 14));
    }

    // A quantity in words or in symbols, or almost one.
    std::string quantity() {
        return random_.pick_one({"plus ", "minus ", "greater than ", "less than ", "+", "-", ">",
                                 "<", "", "", "plus", " "}) +
               (random_.one_in(3)   ? number()
                : random_.one_in(4) ? "0" + random_.digits(random_.below(3))
                                    : random_.digits(random_.between(1, 3))) +
               random_.pick_one({"", "%", " percent", ".5%", ".50 percent", " %", "percent"});
    }

    std::string look_alike() {
        if (random_.one_in(6)) return quantity();
        if (random_.one_in(3)) return number();
        return random_.pick_one(
            {"true",  "false", "null",  "~",    "\\~", "$x",   "$warm.k",   "",
             " ",     "_",     "__",    "007",  "-0",  "1e5",  ".5",        "TRUE",
             "\"",    "\"\"",  "\"a\"", "\"a",  "a\"", "=1",   "=-1",       "=",
             "=x",    "=-",    "=1e9",  "%20",  "%u",  "%u1;", "%u065279;", "%",
             "%2",    "%2G",   "% 20",  "@dev", "a:b", "[]",   "{}",        "[1,2]",
             "{a:1}", "a  b",  " _ ",   "_ _",  "  ",  "100%", "%%41",      "\"=1\"",
             "=01",   "1.2.3", "-",     "--1",  "-5.", "+1",   "00.5",      "x;y"});
    }

    std::string text(size_t length) {
        std::string out;
        const size_t flavour = random_.below(4);
        while (length-- > 0) {
            if (flavour == 0) out += random_.pick("abcxyz019.-+ _%=u\"");
            else if (flavour == 1) out += random_.pick("@>:{}[]|$,~\\ _%\"/aA0;");
            else append_code_point(random_.one_in(3) ? edge() : point(), out);
        }
        return out;
    }

    // Sometimes a surrogate, which JSON text cannot contain and which must be refused.
    char32_t point() {
        const char32_t point =
            static_cast<char32_t>(random_.below(size_t{1} << random_.between(5, 21)));
        const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
        return point > 0x10FFFF || (surrogate && !random_.one_in(100)) ? 'a' : point;
    }

    char32_t edge() {
        static const char32_t kEdges[] = {
            0x0,     0x1F,    0x20,    0x5F,    0x7E,    0x7F,    0x80,   0x9F,    0xA0,    0xA1,
            0xAD,    0xFF,    0x100,   0x600,   0x7FF,   0x800,   0x200B, 0x202E,  0x2066,  0x3000,
            0xD7FF,  0xE000,  0xF8FF,  0xFDD0,  0xFE0F,  0xFEFF,  0xFFA0, 0xFFFD,  0xFFFE,  0xFFFF,
            0x10000, 0x1FFFE, 0x1F600, 0xDFFFF, 0xE0000, 0xE0041, 999999, 1000000, 0x10FFFF};
        return kEdges[random_.below(sizeof kEdges / sizeof *kEdges)];
    }

    Random random_;
    int budget_;  // remaining number of values in new containers
};

void spell_string(std::string_view utf8, Random &random, std::string &out) {
    const auto points = code_points(utf8);
    if (!points || random.one_in(2)) return append_json_string(utf8, out);
    out += '"';
    for (const char32_t point : *points) {
        std::string bytes;
        append_code_point(point, bytes);
        const bool must = point < 0x20 || point == '"' || point == '\\';
        if (!must && !random.one_in(4)) {
            out += bytes;
            continue;
        }
        const auto unit = [&](unsigned value) {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, random.one_in(2) ? "\\u%04x" : "\\u%04X", value);
            out += buffer;
        };
        if (point == '/') out += "\\/";
        else if (point < 0x10000) unit(static_cast<unsigned>(point));
        else
            unit(0xD7C0 + static_cast<unsigned>(point >> 10)),
                unit(0xDC00 + static_cast<unsigned>(point & 0x3FF));
    }
    out += '"';
}

void space(Random &random, std::string &out) {
    while (random.one_in(6)) out += random.pick(" \t\r\n");
}

void spell(const Json &value, Random &random, std::string &out) {
    space(random, out);
    if (value.kind == JsonKind::kString) {
        spell_string(value.text, random, out);
    } else if (value.kind == JsonKind::kArray) {
        out += '[';
        for (const Json &item : value.items) {
            if (&item != value.items.data()) out += ',';
            spell(item, random, out);
        }
        space(random, out);
        out += ']';
    } else if (value.is_object()) {
        out += '{';
        for (const auto &member : value.members) {
            if (&member != &value.members.front()) out += ',';
            space(random, out);
            spell_string(member.first, random, out);
            space(random, out);
            out += ':';
            spell(member.second, random, out);
        }
        space(random, out);
        out += '}';
    } else {
        out += write_json(value);
    }
    space(random, out);
}

}  // namespace

Json random_json(uint64_t seed, size_t depth) { return JsonMaker(seed).value(depth); }

namespace {

// Adds entries that a peer that reads compat takes for removals.
void add_delta(Json &payload, JsonMaker &maker) {
    if (payload.find("delta")) return;
    Json delta = Json::object({{"word", Json::string("null")}, {"gone", Json()}});
    if (maker.one_in(2))
        delta.members.emplace_back("deep", Json::object({{"word", Json::string("null")}}));
    payload.members.emplace_back("delta", std::move(delta));
}

}  // namespace

namespace {

// Turns into strings what could not be converted back: a number or a word becomes the string that
// it looks like.
void make_texts(Json &meta, JsonMaker &maker) {
    for (auto &[key, value] : meta.members)
        if (key == "mid" || key == "cid" || key == "aid" || key == "sid")
            value = Json::string(maker.characters("0123456789abtrue-.=\"+", 1, 13));
}

}  // namespace

Json random_message(uint64_t seed, size_t depth) {
    JsonMaker maker(seed);
    Json message = Json::object({{"agent", Json::string(maker.characters("abzAZ09-_", 1, 9))},
                                 {"intent", Json::string(maker.characters("reqdoneZ", 1, 6))},
                                 {"operation", Json::string(maker.characters("opZ09_", 1, 9))},
                                 {"payload", maker.object(depth, maker.below(7))}});
    if (maker.one_in(16)) message.members.back().second = maker.text();
    else if (depth && maker.one_in(16)) add_delta(message.members.back().second, maker);
    if (maker.one_in(2)) {
        Json meta = maker.object(maker.below(depth + 1), maker.below(4));
        make_texts(meta, maker);
        message.members.emplace_back("meta", std::move(meta));
    }
    return message;
}

std::string spell_json(const Json &value, Random &random) {
    std::string out;
    spell(value, random, out);
    return out;
}

}  // namespace accp_ref
