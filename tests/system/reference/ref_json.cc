// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON for tests: RFC 8259 by recursive descent. It is simple rather than fast.
#include "reference/ref_json.h"

#include <cstdio>

#include "reference/ref_utf8.h"

namespace accp_ref {
namespace {

struct NotJson {};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Json whole() {
        Json value = this->value();
        space();
        if (at_ != text_.size()) throw NotJson();
        return value;
    }

    std::string number() {
        const size_t start = at_;
        take('-');
        if (!take('0')) digits();
        if (take('.')) digits();
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            digits();
        }
        return std::string(text_.substr(start, at_ - start));
    }

    bool at_end() const { return at_ == text_.size(); }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void need(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) throw NotJson();
        at_ += word.size();
    }
    void space() {
        while (take(' ') || take('\t') || take('\n') || take('\r')) {
        }
    }
    void digits() {
        if (peek() < '0' || peek() > '9') throw NotJson();
        while (peek() >= '0' && peek() <= '9') ++at_;
    }
    Json word(std::string_view spelling, JsonKind kind) {
        need(spelling);
        Json value;
        value.kind = kind;
        return value;
    }

    Json value() {
        space();
        switch (peek()) {
            case '{': return object();
            case '[': return array();
            case '"': return Json::string(string());
            case 't': return word("true", JsonKind::kTrue);
            case 'f': return word("false", JsonKind::kFalse);
            case 'n': return word("null", JsonKind::kNull);
            default: return Json::number(number());
        }
    }

    Json array() {
        need("[");
        Json value = Json::array({});
        space();
        if (take(']')) return value;
        do {
            value.items.push_back(this->value());
            space();
        } while (take(','));
        need("]");
        return value;
    }

    Json object() {
        need("{");
        Json value = Json::object({});
        space();
        if (take('}')) return value;
        do {
            space();
            std::string key = string();
            space();
            need(":");
            value.members.emplace_back(std::move(key), this->value());
            space();
        } while (take(','));
        need("}");
        return value;
    }

    std::string string() {
        need("\"");
        std::string out;
        while (!take('"')) {
            if (at_ == text_.size() || static_cast<unsigned char>(peek()) < 0x20) throw NotJson();
            if (take('\\')) escape(out);
            else out += text_[at_++];
        }
        return out;
    }

    void escape(std::string &out) {
        static const std::string_view kNames = "\"\\/bfnrt", kBytes = "\"\\/\b\f\n\r\t";
        if (take('u')) return append_code_point(unicode(), out);
        const size_t which = at_ < text_.size() ? kNames.find(peek()) : std::string_view::npos;
        if (which == std::string_view::npos) throw NotJson();
        out += kBytes[which];
        ++at_;
    }

    char32_t unicode() {
        const char32_t high = hex4();
        if (high < 0xD800 || high > 0xDBFF || text_.substr(at_, 2) != "\\u") return high;
        const size_t back = at_;
        at_ += 2;
        const char32_t low = hex4();
        if (low >= 0xDC00 && low <= 0xDFFF)
            return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        at_ = back;
        return high;
    }

    char32_t hex4() {
        static const std::string_view kHex = "0123456789abcdefABCDEF";
        char32_t value = 0;
        for (int i = 0; i < 4; ++i) {
            const size_t digit =
                at_ < text_.size() ? kHex.find(text_[at_++]) : std::string_view::npos;
            if (digit == std::string_view::npos) throw NotJson();
            value = value * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
        }
        return value;
    }

    std::string_view text_;
    size_t at_ = 0;
};

void append(const Json &value, std::string &out) {
    switch (value.kind) {
        case JsonKind::kNull: out += "null"; return;
        case JsonKind::kTrue: out += "true"; return;
        case JsonKind::kFalse: out += "false"; return;
        case JsonKind::kNumber: out += value.text; return;
        case JsonKind::kString: append_json_string(value.text, out); return;
        case JsonKind::kArray:
            out += '[';
            for (const Json &item : value.items) {
                if (&item != value.items.data()) out += ',';
                append(item, out);
            }
            out += ']';
            return;
        case JsonKind::kObject:
            out += '{';
            for (const auto &member : value.members) {
                if (&member != &value.members.front()) out += ',';
                append_json_string(member.first, out);
                out += ':';
                append(member.second, out);
            }
            out += '}';
            return;
    }
}

}  // namespace

Json Json::number(std::string literal) { return {JsonKind::kNumber, std::move(literal), {}, {}}; }
Json Json::string(std::string utf8) { return {JsonKind::kString, std::move(utf8), {}, {}}; }
Json Json::array(std::vector<Json> items) { return {JsonKind::kArray, {}, std::move(items), {}}; }
Json Json::object(Members members) { return {JsonKind::kObject, {}, {}, std::move(members)}; }

const Json *Json::find(std::string_view key) const {
    for (const auto &member : members) {
        if (member.first == key) return &member.second;
    }
    return nullptr;
}

bool operator==(const Json &a, const Json &b) {
    return a.kind == b.kind && a.text == b.text && a.items == b.items && a.members == b.members;
}

std::optional<Json> parse_json(std::string_view text) {
    try {
        return Reader(text).whole();
    } catch (const NotJson &) {
        return std::nullopt;
    }
}

bool is_json_number(std::string_view text) {
    try {
        Reader reader(text);
        reader.number();
        return reader.at_end();
    } catch (const NotJson &) {
        return false;
    }
}

void append_json_string(std::string_view utf8, std::string &out) {
    static const std::string_view kBytes = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
    out += '"';
    for (const char c : utf8) {
        const size_t which = kBytes.find(c);
        char buffer[8];
        if (which != std::string_view::npos) {
            out += '\\';
            out += kNames[which];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
            out += buffer;
        } else {
            out += c;
        }
    }
    out += '"';
}

std::string write_json(const Json &value) {
    std::string out;
    append(value, out);
    return out;
}

}  // namespace accp_ref
