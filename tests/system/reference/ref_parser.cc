// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One function for each rule of the ABNF, in its order and with its names.
#include "reference/ref_parser.h"

#include <algorithm>

#include "reference/ref_utf8.h"

namespace accp_ref {
namespace {

struct Refused {
    size_t offset;
};

using Class = bool (*)(int);

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_alpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_key(int c) { return is_alpha(c) || is_digit(c) || c == '_'; }
bool is_agent(int c) { return is_key(c) || c == '-'; }
bool is_delimiter(int c) {
    return c > 0 &&
           std::string_view("@>:{}[]|$,~\\").find(static_cast<char>(c)) != std::string_view::npos;
}
bool is_safe(int c) { return c >= 0x21 && c <= 0x7E && !is_delimiter(c); }

class Parser {
public:
    Parser(std::string_view text, Dialect dialect, const Limits &limits)
        : text_(text), dialect_(dialect), limits_(limits) {}

    Frame frame() {
        Frame frame;
        need('@');
        frame.agent = name(is_agent);
        need('>');
        frame.intent = name(is_alpha);
        need(':');
        frame.operation = name(is_key);
        need('{');
        if (!take('}')) frame.payload = params('|', '}', true);
        if (take('[')) frame.meta = params(',', ']', false);
        if (peek() != kEnd) refuse();
        return frame;
    }

private:
    static constexpr int kEnd = -1;
    // kDelta: the value of the payload key `delta`; kEntry: of any map
    enum class Place { kParam, kDelta, kElement, kEntry };

    int peek() const {
        if (at_ == limits_.frame_bytes && at_ < text_.size()) throw Refused{at_};
        return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : kEnd;
    }
    [[noreturn]] void refuse() const { throw Refused{at_}; }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void need(char c) {
        if (!take(c)) refuse();
    }

    std::string name(Class is_member) {
        const size_t start = at_;
        if (!is_member(peek())) refuse();
        for (; is_member(peek()); ++at_) {
            if (at_ - start == limits_.key_bytes) refuse();
        }
        return std::string(text_.substr(start, at_ - start));
    }

    // key ":"; a duplicate is detected at its colon, a key in the wrong place at its first byte.
    std::string key(const Entries &before) {
        const size_t start = at_;
        std::string key = name(is_key);
        need(':');
        for (const auto &entry : before) {
            if (entry.first == key) throw Refused{start};
        }
        return key;
    }

    Entries params(char separator, char close, bool payload) {
        Entries entries;
        do {
            if (entries.size() == limits_.params) refuse();
            std::string key = this->key(entries);
            const Place place = payload && key == "delta" ? Place::kDelta : Place::kParam;
            entries.emplace_back(std::move(key), value(place, 0));
        } while (take(separator));
        need(close);
        return entries;
    }

    Value value(Place place, size_t depth) {
        const size_t start = at_;
        Value value = value_here(place, depth);
        value.offset = start;
        return value;
    }

    Value value_here(Place place, size_t depth) {
        switch (peek()) {
            case '~': ++at_; return Value();
            case '$': return ref();
            case '[': return array(depth);
            case '{': return map(place == Place::kDelta, depth);
            case '@':
                if (dialect_ == Dialect::kCompat) return mention();
                refuse();
            default:
                return literal_or_string(place == Place::kElement && dialect_ == Dialect::kCompat);
        }
    }

    void deeper(size_t depth) {
        if (depth == limits_.depth) refuse();
        ++at_;
    }

    Value array(size_t depth) {
        deeper(depth);
        Value array;
        array.kind = Kind::kArray;
        if (take(']')) return array;
        do {
            if (array.items.size() == limits_.items) refuse();
            array.items.push_back(value(Place::kElement, depth + 1));
        } while (take(','));
        need(']');
        return array;
    }

    Value map(bool delta, size_t depth) {
        deeper(depth);
        Value map;
        map.kind = Kind::kMap;
        if (take('}')) return map;
        do {
            if (map.entries.size() == limits_.items) refuse();
            std::string key = this->key(map.entries);
            const size_t start = at_;
            Value value = this->value(Place::kEntry, depth + 1);
            const bool removal =
                delta && dialect_ == Dialect::kCompat && text_.substr(start, at_ - start) == "null";
            if (removal) value.kind = Kind::kNull;
            map.entries.emplace_back(std::move(key), std::move(value));
        } while (take(','));
        need('}');
        return map;
    }

    Value ref() {
        need('$');
        const size_t start = at_;
        do {
            if (!is_key(peek())) refuse();
            for (; is_key(peek()) || peek() == '.'; ++at_) {
                if (at_ - start == limits_.key_bytes) refuse();
                if (peek() == '.') break;
            }
        } while (take('.'));
        Value ref;
        ref.kind = Kind::kRef;
        ref.text = text_.substr(start, at_ - start);
        return ref;
    }

    // compat: "@" agent-id [":" string]
    Value mention() {
        const size_t start = at_;
        need('@');
        if (!is_agent(peek())) refuse();
        while (is_agent(peek())) ++at_;
        Value mention;
        mention.kind = Kind::kString;
        mention.text = text_.substr(start, at_ - start);
        if (take(':')) mention.text += ":" + string();
        return mention;
    }

    // string, and in an array element of compat *(":" string). Text that is spelled like a literal,
    // without escapes, is a literal.
    Value literal_or_string(bool colons) {
        const size_t start = at_;
        Value value;
        value.kind = Kind::kString;
        value.text = string();
        const std::string_view spelled = text_.substr(start, at_ - start);
        if (spelled == "true" || spelled == "false") value.kind = Kind::kBool;
        if (is_integer(spelled)) value.kind = Kind::kInt;
        if (is_decimal(spelled)) value.kind = Kind::kDec;
        value.truth = spelled == "true";
        while (colons && take(':')) {
            value.kind = Kind::kString;
            value.text += ":" + string();
        }
        return value;
    }

    std::string string() {
        std::string out;
        for (;;) {
            const int c = peek();
            if (is_safe(c)) {
                out += text_[at_++];
            } else if (c == '\\') {
                ++at_;
                if (!is_delimiter(peek())) refuse();
                out += text_[at_++];
            } else if (c >= 0x80 && dialect_ == Dialect::kU8) {
                raw_code_point(out);
            } else {
                if (out.empty()) refuse();
                return out;
            }
        }
    }

    void raw_code_point(std::string &out) {
        const int length = raw_code_point_length(
            text_.substr(at_, std::min<size_t>(4, limits_.frame_bytes - at_)));
        if (length < 0) throw Refused{at_ + static_cast<size_t>(-length) - 1};
        out += text_.substr(at_, static_cast<size_t>(length));
        at_ += static_cast<size_t>(length);
    }

    const std::string_view text_;
    const Dialect dialect_;
    const Limits limits_;
    size_t at_ = 0;
};

}  // namespace

bool is_integer(std::string_view text) {
    if (text == "-0") return false;
    if (!text.empty() && text.front() == '-') text.remove_prefix(1);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); }) &&
           (text.size() == 1 || text.front() != '0');
}

bool is_decimal(std::string_view text) {
    const size_t point = text.find('.');
    if (point == std::string_view::npos) return false;
    const std::string_view whole = text.substr(0, point), places = text.substr(point + 1);
    return (is_integer(whole) || whole == "-0") && !places.empty() &&
           std::all_of(places.begin(), places.end(), [](char c) { return is_digit(c); });
}

Parsed parse_frame(std::string_view text, Dialect dialect, const Limits &limits) {
    try {
        return {Parser(text, dialect, limits).frame(), 0};
    } catch (const Refused &refused) {
        return {std::nullopt, refused.offset};
    }
}

}  // namespace accp_ref
