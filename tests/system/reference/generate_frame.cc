// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random frames, and random damage to them.
#include <set>

#include "reference/generate.h"
#include "reference/ref_utf8.h"

namespace accp_ref {
namespace {

const std::string_view kKeyBytes = "abcdexyzABZ019_", kSafe = "ab0179.+-_%=\"!#^`;/?u<TF",
                       kDelimiters = "@>:{}[]|$,~\\";

class FrameMaker {
public:
    FrameMaker(uint64_t seed, Dialect dialect)
        : random_(seed), dialect_(dialect), refs_(seed % 2) {}

    std::string frame() {
        std::string out = "@" + characters("abzAZ09-_", 1, 9) + ">" + characters("reqdoneZ", 1, 6) +
                          ":" + characters(kKeyBytes, 1, 9) + "{";
        out += entries('|', random_.below(random_.one_in(20) ? 40 : 6), 0, true) + "}";
        if (random_.one_in(2))
            out +=
                "[" + entries(',', random_.between(1, random_.one_in(20) ? 30 : 4), 0, false) + "]";
        return out;
    }

private:
    enum class Place { kParam, kElement, kEntry };

    std::string characters(std::string_view from, size_t min, size_t max) {
        std::string out;
        for (size_t n = random_.between(min, max); n > 0; --n) out += random_.pick(from);
        return out;
    }

    std::string key() {
        if (random_.one_in(2))
            return random_.pick_one({"k", "delta", "mid", "seq", "d", "schema", "__cols", "__rows",
                                     "__d", "null", "true", "0", "_", "a1"});
        return characters(kKeyBytes, 1, random_.one_in(30) ? 256 : 5);
    }

    std::string entries(char separator, size_t count, size_t depth, bool payload) {
        std::set<std::string> used;
        std::string out;
        for (size_t i = 0; i < count; ++i) {
            const std::string key = this->key();
            if (!used.insert(key).second) continue;
            if (!out.empty()) out += separator;
            out += key + ":";
            if (payload && key == "delta" && random_.one_in(2)) out += "{" + removals(depth) + "}";
            else out += value(Place::kParam, depth);
        }
        return out;
    }

    std::string removals(size_t depth) {
        std::string out;
        for (const char *key : {"a", "b", "c"}) {
            out += (out.empty() ? "" : ",") + std::string(key) + ":" +
                   (random_.one_in(2) ? "null" : value(Place::kEntry, depth + 1));
        }
        return out;
    }

    std::string value(Place place, size_t depth) {
        const size_t kind = random_.below(depth < 5 ? 14 : 9);
        if (kind < 3) return literal_or_near();
        if (kind < 6) return random_.one_in(4) ? quoted() : string();
        if (kind == 6)
            return random_.one_in(2) ? "~"
                                     : random_.pick_one({"true", "false", "TRUE", "nul", "null",
                                                         "tru", "falsee"});
        if (kind == 7)
            return refs_ ? "$" + ref() : "=" + literal_or_near() + (random_.one_in(4) ? "e-9" : "");
        if (kind == 8) return loose(place);
        if (kind < 12) return "[" + elements(depth + 1) + "]";
        if (kind == 12 && random_.one_in(2) && depth < 3) return table(depth + 2);
        return "{" + entries(',', random_.below(random_.one_in(30) ? 40 : 5), depth + 1, false) +
               "}";
    }

    // Texts that q1 reads, and texts that it refuses.
    std::string quoted() {
        std::string out;
        for (size_t n = random_.below(6); n > 0; --n) {
            out += random_.pick_one({"_", "__", "%20", "%E9", "%u026085;", "%u026085026412;",
                                     "%ux1000000;", "%", "%25", "\"", "\\:", "a", "B4"});
            if (random_.one_in(20))
                out += random_.pick_one(
                    {"%u1;", "%u055296;", "%ux1114112;", "%u026085", "%u", "%ux0000065;"});
        }
        return "\"" + out + "\"";
    }

    // Tables that t1 reads, and texts that are almost such.
    std::string table(size_t depth) {
        const size_t columns = random_.between(1, 3);
        std::string names, rows;
        for (size_t i = 0; i < columns; ++i)
            names +=
                (i ? "," : "") + std::string(random_.one_in(20)
                                                 ? "42"
                                                 : random_.pick_one({"a", "b_c", "\"x_y\"", "\"\"",
                                                                     "\"4\"", "\\:", "x", "y"}));
        for (size_t n = random_.below(4); n > 0; --n) {
            std::string cells;
            for (size_t i = columns - random_.one_in(30); i > 0; --i)
                cells += (cells.empty() ? "" : ",") + value(Place::kElement, depth + 1);
            rows += (rows.empty() ? "[" : ",[") + cells + "]";
        }
        return "{__cols:[" + names + "],__rows:[" + rows + "]" +
               (random_.one_in(30) ? ",x:1" : "") + "}";
    }

    std::string elements(size_t depth) {
        std::string out;
        for (size_t n = random_.below(random_.one_in(50) ? 300 : 5); n > 0; --n)
            out += (out.empty() ? "" : ",") + value(Place::kElement, depth);
        return out;
    }

    std::string literal_or_near() {
        if (random_.one_in(4))
            return random_.pick_one({"-0",  "-0.0",   "007",   "00.5", "+1",    "1e5",  "1.",  "-",
                                     "-.5", ".5",     "1.2.3", "0.0",  "-00",   "0x1",  "1-1", "+5",
                                     "12%", "-1.50%", "\\>5",  "<0%",  "\\>5%", "-5%%", "+07%"});
        const std::string whole =
            random_.one_in(5) ? "0"
                              : std::to_string(random_.between(1, 99)) +
                                    random_.digits(random_.below(random_.one_in(30) ? 300 : 20));
        const std::string places =
            random_.one_in(2)
                ? ""
                : "." + random_.digits(random_.between(1, random_.one_in(9) ? 30 : 8));
        const std::string sign = random_.one_in(3) && whole + places != "0" ? "-" : "";
        return sign + whole + places;
    }

    std::string string() {
        std::string out;
        for (size_t n = random_.between(1, random_.one_in(40) ? 400 : 12); n > 0; --n) {
            if (random_.one_in(4)) out += std::string("\\") + random_.pick(kDelimiters);
            else if (dialect_ == Dialect::kU8 && random_.one_in(2))
                append_code_point(raw_point(), out);
            else out += random_.pick(kSafe);
        }
        return out;
    }

    char32_t raw_point() {
        static const char32_t kEdges[] = {0xA1,   0xAC,   0xAE,    0x5FF,   0x606,
                                          0x7FF,  0x800,  0x1FFF,  0x2010,  0xD7FF,
                                          0xF900, 0xFFFD, 0x10000, 0x1FFFD, 0xDFFFD};
        if (random_.one_in(3)) return kEdges[random_.below(sizeof kEdges / sizeof *kEdges)];
        for (;;) {
            const char32_t point =
                static_cast<char32_t>(random_.below(size_t{1} << random_.between(8, 20)));
            if (is_raw_code_point(point)) return point;
        }
    }

    std::string ref() {
        std::string out = characters(kKeyBytes, 1, 5);
        while (!random_.one_in(3)) out += "." + characters(kKeyBytes, 1, 5);
        return out;
    }

    // A form that only compat accepts; for the other dialects a string.
    std::string loose(Place place) {
        if (dialect_ != Dialect::kCompat) return string();
        if (place != Place::kElement || random_.one_in(2)) {
            return "@" + characters("abZ09-_", 1, 6) + (random_.one_in(2) ? "" : ":" + string());
        }
        std::string out = random_.one_in(2) ? string() : literal_or_near();
        for (size_t n = random_.between(1, 3); n > 0; --n)
            out += ":" + (random_.one_in(2) ? string() : literal_or_near());
        return out;
    }

    Random random_;
    const Dialect dialect_;
    const bool refs_;  // every second frame has none, so that decoding gets past them
};

}  // namespace

uint64_t Random::next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

std::string Random::digits(size_t count) {
    std::string out;
    while (out.size() < count) out += pick("0123456789");
    return out;
}

std::string random_frame(uint64_t seed, Dialect dialect) {
    return FrameMaker(seed, dialect).frame();
}

std::string edited(std::string text, Random &random) {
    static const std::string_view kBytes(
        "@>:{}[]|$,~\\ \0\n\r\t\x7F\x80\xA0\xC2\xE2\xED\xF0\xF4\xFF"
        "a0.-\"_",
        32);
    for (size_t edits = random.below(4); edits > 0; --edits) {
        const size_t at = random.below(text.size() + 1), max = text.size() - at;
        const char byte =
            random.one_in(4) ? static_cast<char>(random.below(256)) : random.pick(kBytes);
        switch (random.below(6)) {
            case 0: text.insert(at, 1, byte); break;
            case 1: text.erase(at, 1); break;
            case 2: text.replace(at, max ? 1 : 0, 1, byte); break;
            case 3: text.insert(at, text.substr(at, random.below(12))); break;
            case 4:
                text.insert(at, random.pick_one({"[[[", "{a:{a:", "]]", "}}", ",k:1", "|k:1",
                                                 "[a:1,a:1]", "$.a", "\\", ":", "@x"}));
                break;
            default: text.resize(random.one_in(3) ? at : text.size()); break;
        }
    }
    return text;
}

}  // namespace accp_ref
