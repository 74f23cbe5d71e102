// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/people/template.h"

#include <charconv>

#include "base/bytes.h"
#include "base/utf8.h"
#include "sacp/people/plain_text.h"

namespace accp::sacp {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_special(char c) { return c == '{' || c == '}' || c == '#'; }

constexpr std::string_view kStyles[] = {"full", "long", "medium",
                                        "short"};  // in the order of ICU's styles
constexpr int8_t kMedium = 2;

}  // namespace

Status Template::read(std::string_view text) {
    if (text.size() > kMaxTemplateBytes)
        return {ACCP_E1001, 0, 0, "a template is too long", text.size(), kMaxTemplateBytes};
    if (const size_t fault = find_control(text); fault != text.npos)
        return fail(ACCP_E1001, fault, "a template must be UTF-8 without control characters");
    source_ = text;
    if (read_message({0, false}) && at_ < source_.size()) refuse("a } has no {");
    return status_;
}

void Template::pass_blanks() {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
}

bool Template::pass(char c) {
    pass_blanks();
    if (at_ == source_.size() || source_[at_] != c) return false;
    ++at_;
    return true;
}

std::string_view Template::read_word() {
    pass_blanks();
    const size_t begin = at_;
    while (at_ < source_.size() && !is_blank(source_[at_]) && source_[at_] != '{' &&
           source_[at_] != '}' && source_[at_] != ',' && source_[at_] != '\'')
        ++at_;
    return source_.substr(begin, at_ - begin);
}

uint32_t Template::keep(std::string_view text) {
    const auto begin = static_cast<uint32_t>(texts_.size());
    texts_.append(text);
    return begin;
}

uint32_t Template::add(Piece::Kind kind) {
    Piece piece = {};
    piece.kind = kind;
    piece.byte = static_cast<uint32_t>(at_);
    piece.end = static_cast<uint32_t>(pieces.size()) + 1;
    pieces.push(piece);
    return piece.end - 1;
}

// Reads a message up to its } or the end of the template.
bool Template::read_message(Nesting nesting) {
    while (at_ < source_.size() && source_[at_] != '}') {
        if (source_[at_] == '{') {
            if (!read_slot(nesting)) return false;
        } else if (source_[at_] == '#' && nesting.in_plural) {
            add(Piece::kHash);
            ++at_;
        } else if (!read_text(nesting)) {
            return false;
        }
    }
    return true;
}

bool Template::read_text(Nesting nesting) {
    const uint32_t piece = add(Piece::kText);
    const auto begin = static_cast<uint32_t>(texts_.size());
    while (at_ < source_.size()) {
        const char c = source_[at_], next = at_ + 1 < source_.size() ? source_[at_ + 1] : '\0';
        if (c == '{' || c == '}' || (c == '#' && nesting.in_plural)) break;
        if (c == '\'' && is_special(next)) {
            if (!read_quoted()) return false;
            continue;
        }
        texts_.push(c);
        at_ += c == '\'' && next == '\'' ? 2 : 1;
    }
    pieces[piece].text = begin;
    pieces[piece].text_len = static_cast<uint32_t>(texts_.size()) - begin;
    return true;
}

bool Template::read_quoted() {
    const size_t begin = at_++;
    while (at_ < source_.size()) {
        const char c = source_[at_++];
        if (c != '\'') {
            texts_.push(c);
            continue;
        }
        if (at_ == source_.size() || source_[at_] != '\'') return true;
        texts_.push(c);
        ++at_;
    }
    return refuse("a quote has no end: write '' for an apostrophe", begin);
}

bool Template::read_slot(Nesting nesting) {
    const size_t begin = at_;
    const uint32_t piece = add(Piece::kValue);
    ++at_;
    if (!set_path(piece, read_word())) return false;
    if (pass(',')) {
        const std::string_view type = read_word();
        if (!read_type(piece, type, nesting)) return false;
    }
    if (!pass('}')) return refuse("the slot that begins here has no }", begin);
    pieces[piece].end = static_cast<uint32_t>(pieces.size());
    return true;
}

bool Template::set_path(uint32_t piece, std::string_view path) {
    if (path.empty()) return refuse("a slot must begin with a name, as in {name}");
    if (path != "." &&
        (path.front() == '.' || path.back() == '.' || path.find("..") != path.npos || path == "$"))
        return refuse("a name must be parts with dots between them");
    pieces[piece].text = keep(path);
    pieces[piece].text_len = static_cast<uint32_t>(path.size());
    return true;
}

bool Template::read_type(uint32_t piece, std::string_view type, Nesting nesting) {
    if (type == "number") return read_number(piece);
    if (type == "currency") return read_currency(piece);
    if (type == "date" || type == "time" || type == "datetime") return read_date(piece, type);
    if (type == "each") return read_each(piece, nesting);
    const bool ordinal = type == "selectordinal";
    if (!ordinal && type != "plural" && type != "select")
        return refuse(
            "no such type: number, currency, date, time, datetime, plural, selectordinal, select, "
            "each");
    pieces[piece].kind = type == "select" ? Piece::kSelect : Piece::kPlural;
    pieces[piece].ordinal = ordinal;
    if (!pass(',')) return refuse("a comma is missing before the cases");
    return read_cases(piece, {nesting.depth, pieces[piece].kind == Piece::kPlural});
}

bool Template::read_number(uint32_t piece) {
    const std::string_view style = pass(',') ? read_word() : std::string_view("any");
    std::string_view skeleton;
    if (style == "any") skeleton = "precision-unlimited";
    else if (style == "integer") skeleton = "precision-integer";
    else if (style == "percent") skeleton = "percent scale/100 .##";
    else return refuse("unknown style of a number: use integer, percent or none");
    pieces[piece].kind = Piece::kNumber;
    pieces[piece].extra = keep(skeleton);
    pieces[piece].extra_len = static_cast<uint32_t>(skeleton.size());
    return true;
}

bool Template::read_currency(uint32_t piece) {
    const std::string_view code = pass(',') ? read_word() : std::string_view();
    bool good = code.size() == 3;
    for (char c : code) good &= c >= 'A' && c <= 'Z';
    if (!good)
        return refuse("a currency must have three capital letters, as in {price, currency, EUR}");
    pieces[piece].kind = Piece::kNumber;
    pieces[piece].extra = keep("currency/");
    keep(code);
    pieces[piece].extra_len = 9 + 3;
    return true;
}

bool Template::read_date(uint32_t piece, std::string_view type) {
    int8_t style = kMedium;
    if (pass(',')) {
        const std::string_view word = read_word();
        style = -1;
        for (int8_t i = 0; i < 4; ++i)
            if (kStyles[i] == word) style = i;
        if (style < 0) return refuse("unknown style of a date: use short, medium, long or full");
    }
    pieces[piece].kind = Piece::kDate;
    if (type != "time") pieces[piece].date = style;
    if (type != "date") pieces[piece].time = style;
    return true;
}

bool Template::read_cases(uint32_t piece, Nesting nesting) {
    bool has_other = false;
    for (pass_blanks(); at_ < source_.size() && source_[at_] != '}'; pass_blanks()) {
        const std::string_view word = read_word();
        if (word.empty()) return refuse("a case must begin with its word, as in other {…}");
        for (uint32_t i = piece + 1; i < pieces.size(); i = pieces[i].end)
            if (text(pieces[i]) == word) return refuse("a case is defined twice");
        if (!read_case(word, nesting)) return false;
        has_other |= word == "other";
    }
    return has_other || refuse("the case `other` is missing");
}

bool Template::read_case(std::string_view word, Nesting nesting) {
    if (nesting.depth == kMaxTemplateDepth) {
        refuse("cases are nested too deep");
        status_.had = nesting.depth + 1;
        status_.limit = kMaxTemplateDepth;
        return false;
    }
    const size_t begin = at_;
    if (!pass('{')) return refuse("a case must have its message in { }");
    const uint32_t piece = add(Piece::kCase);
    pieces[piece].text = keep(word);
    pieces[piece].text_len = static_cast<uint32_t>(word.size());
    if (!read_message({nesting.depth + 1, nesting.in_plural})) return false;
    pieces[piece].end = static_cast<uint32_t>(pieces.size());
    if (at_ == source_.size()) return refuse("a case has no }", begin);
    ++at_;
    return true;
}

// [by PATH] [asc|desc] [limit N]
bool Template::read_each_order(uint32_t piece) {
    std::string_view word = read_word();
    if (word == "by") {
        const std::string_view path = read_word();
        if (path.empty()) return refuse("by must be followed by a name");
        pieces[piece].extra = keep(path);
        pieces[piece].extra_len = static_cast<uint32_t>(path.size());
        word = read_word();
        pieces[piece].descending = word == "desc";
        if (word == "asc" || word == "desc") word = read_word();
    }
    if (word == "limit") {
        const std::string_view number = read_word();
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), pieces[piece].limit);
        if (error != std::errc() || end != number.data() + number.size())
            return refuse("limit must be followed by a whole number");
        word = read_word();
    }
    return word.empty() || refuse("each takes: by NAME asc|desc limit N {…} empty {…}");
}

bool Template::read_each(uint32_t piece, Nesting nesting) {
    pieces[piece].kind = Piece::kEach;
    if (pass(',') && !read_each_order(piece)) return false;
    const Nesting inner = {nesting.depth, false};
    if (!read_case({}, inner)) return false;
    const std::string_view word = read_word();
    if (word.empty()) return true;
    if (word != "empty") return refuse("only empty {…} may follow the message of each");
    return read_case(word, inner);
}

}  // namespace accp::sacp
