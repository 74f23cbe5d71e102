// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Fills a template with data.
#include "sacp/people/presenter.h"

#include <algorithm>

#include "base/text.h"
#include "sacp/message/reference.h"
#include "sacp/people/plain_text.h"
#include "value/number.h"
#include "value/time.h"

namespace accp::sacp {

namespace {

using value::Decimal;

char next_digit(const char *&at, size_t &left) {
    if (!left) return '0';
    if (*at == '.') ++at;
    --left;
    return *at++;
}

// Compares the absolute values of numbers that are not zero.
int compare_magnitudes(const Decimal &a, const Decimal &b) {
    const int64_t power_a = a.exponent + static_cast<int64_t>(a.digit_count),
                  power_b = b.exponent + static_cast<int64_t>(b.digit_count);
    if (power_a != power_b) return power_a < power_b ? -1 : 1;
    const char *at_a = a.digits, *at_b = b.digits;
    for (size_t left_a = a.digit_count, left_b = b.digit_count; left_a || left_b;) {
        const char digit_a = next_digit(at_a, left_a), digit_b = next_digit(at_b, left_b);
        if (digit_a != digit_b) return digit_a < digit_b ? -1 : 1;
    }
    return 0;
}

int sign(const Decimal &number) { return !number.digit_count ? 0 : number.negative ? -1 : 1; }

// For earlier days ICU uses the Julian calendar, which the data does not.
constexpr int64_t kMinTime = -12212553600;  // 1583-01-01

}  // namespace

int compare_numbers(std::string_view a, std::string_view b) {
    Decimal left = {}, right = {};
    const bool good_left = value::read_decimal(a, left), good_right = value::read_decimal(b, right);
    if (!good_left || !good_right)
        return static_cast<int>(good_right) - static_cast<int>(good_left);
    if (sign(left) != sign(right)) return sign(left) < sign(right) ? -1 : 1;
    return sign(left) * compare_magnitudes(left, right);
}

bool is_same_number(std::string_view word, std::string_view number) {
    const value::NumberToken token = value::scan_number(word.data(), word.data() + word.size());
    return token.len && token.len == word.size() && compare_numbers(word, number) == 0;
}

Presenter::~Presenter() {
    for (UNumberFormatter *formatter : numbers_)
        if (formatter) locale_.icu().unumf_close(formatter);
}

Status Presenter::open(std::string_view source, std::string_view locale, std::string_view zone) {
    if (Status status = template_.read(source); status.failed()) return status;
    if (Status status = locale_.open(locale, zone); status.failed()) return status;
    for (size_t i = 0; i < template_.pieces.size(); ++i) numbers_.push(nullptr);
    return {};
}

Status Presenter::write(value::TreeView tree, Buffer<char> &out) {
    tree_ = tree;
    index_.reset(tree);
    arena_.reset();
    steps_ = 0;
    begin_ = out.size();
    return write_range(0, static_cast<uint32_t>(template_.pieces.size()), {0, 0, kNone}, out);
}

Status Presenter::count(uint64_t steps, uint64_t byte) {
    steps_ += steps;
    if (steps_ <= kMaxSteps) return {};
    return {ACCP_E1001, 0, byte, "the text takes too much work", steps_, kMaxSteps};
}

Status Presenter::write_range(uint32_t begin, uint32_t end, const Binding &binding,
                              Buffer<char> &out) {
    for (uint32_t i = begin; i < end; i = template_.pieces[i].end) {
        const Piece &piece = template_.pieces[i];
        if (Status status = count(1, piece.byte); status.failed()) return status;
        if (Status status = write_piece(piece, i, binding, out); status.failed()) return status;
        if (out.size() - begin_ > kMaxWritten)
            return {ACCP_E1001,          0,          piece.byte, "the text is too long",
                    out.size() - begin_, kMaxWritten};
    }
    return {};
}

Status Presenter::write_piece(const Piece &piece, uint32_t at, const Binding &binding,
                              Buffer<char> &out) {
    if (piece.kind == Piece::kText) {
        out.append(template_.text(piece));
        return {};
    }
    if (piece.kind == Piece::kHash)
        return locale_.write_plain_number(tree_.string(binding.plural), piece.byte, out);
    const std::string_view path = template_.text(piece);
    if (piece.kind == Piece::kValue && path == "@" && binding.number) {
        word_.clear();
        append_decimal(binding.number, word_);
        return locale_.write_plain_number(word_.view(), piece.byte, out);
    }
    uint32_t node = 0;
    const bool found = find(path, binding, node);
    if (piece.kind == Piece::kSelect)
        return write_select(piece, at, found ? node : kNone, binding, out);
    if (!found) return fail(ACCP_E1004, piece.byte, "the data has no value of this name");
    switch (piece.kind) {
        case Piece::kNumber: {
            if (!value::is_number(tree_[node].kind))
                return fail(ACCP_E1004, piece.byte, "the data has no number here");
            UNumberFormatter *&formatter = numbers_[at];
            if (!formatter) {
                Status status = locale_.make_number(template_.extra(piece), piece.byte, formatter);
                if (status.failed()) return status;
            }
            return locale_.write_number(formatter, tree_.string(node), piece.byte, out);
        }
        case Piece::kDate: return write_date(piece, node, out);
        case Piece::kPlural: return write_plural(piece, at, node, binding, out);
        case Piece::kEach: return write_each(piece, at, node, binding, out);
        default: return write_value(piece, node, out);
    }
}

bool Presenter::find(std::string_view path, const Binding &binding, uint32_t &out) {
    out = binding.item;
    if (path == ".") return true;
    if (path.starts_with("$.")) {
        out = 0;
        path.remove_prefix(2);
    }
    out = index_.find(out, take_label(path));  // also the root, whose node is 0
    out = index_.find_path(out, path);
    return out != 0;
}

Status Presenter::write_value(const Piece &piece, uint32_t node, Buffer<char> &out) {
    const uint8_t kind = tree_[node].kind;
    if (kind == ACCP_STRING) {
        write_plain_text(tree_.string(node), out);
        return {};
    }
    if (value::is_number(kind))
        return locale_.write_plain_number(tree_.string(node), piece.byte, out);
    if (kind == ACCP_BOOL) {
        out.append(tree_[node].flags & ACCP_NODE_TRUE ? "true" : "false");
        return {};
    }
    return fail(ACCP_E1004, piece.byte,
                kind == ACCP_NULL ? "the data has null here: use select"
                                  : "the data has an array or an object here: use each");
}

Status Presenter::write_date(const Piece &piece, uint32_t node, Buffer<char> &out) {
    if (tree_[node].kind != ACCP_STRING)
        return fail(ACCP_E1004, piece.byte, "the data has no date here: a date is a string");
    const std::string_view text = tree_.string(node);
    const bool is_day = text.size() == 10;
    if (is_day && piece.time >= 0)
        return fail(ACCP_E1004, piece.byte, "the data has a day without a time here");
    word_.assign(text);
    if (is_day) word_.append("T00:00:00Z");
    int64_t seconds = 0;
    if (!packet::read_time(word_.view(), seconds) || seconds < kMinTime)
        return fail(ACCP_E1004, piece.byte,
                    "the data has no date here: 2026-05-09 or 2026-05-09T10:30:00Z, from 1583 on");
    return locale_.write_date(piece.date, piece.time, is_day, seconds, piece.byte, out);
}

uint32_t Presenter::find_case(const Piece &piece, uint32_t at, std::string_view word) const {
    for (uint32_t i = at + 1; i < piece.end; i = template_.pieces[i].end)
        if (template_.text(template_.pieces[i]) == word) return i;
    return 0;
}

Status Presenter::write_plural(const Piece &piece, uint32_t at, uint32_t node, Binding binding,
                               Buffer<char> &out) {
    if (!value::is_number(tree_[node].kind))
        return fail(ACCP_E1004, piece.byte, "the data has no number here");
    binding.plural = node;
    for (uint32_t i = at + 1; i < piece.end; i = template_.pieces[i].end) {
        const std::string_view word = template_.text(template_.pieces[i]);
        if (word.starts_with('=') && is_same_number(word.substr(1), tree_.string(node)))
            return write_case(i, binding, out);
    }
    word_.clear();
    Status status = locale_.select_plural(piece.ordinal, tree_.string(node), piece.byte, word_);
    if (status.failed()) return status;
    const uint32_t found = find_case(piece, at, word_.view());
    return write_case(found ? found : find_case(piece, at, "other"), binding, out);
}

// A missing value and null select "other".
Status Presenter::write_select(const Piece &piece, uint32_t at, uint32_t node,
                               const Binding &binding, Buffer<char> &out) {
    uint32_t found = 0;
    if (node != kNone && tree_[node].kind == ACCP_BOOL)
        found = find_case(piece, at, tree_[node].flags & ACCP_NODE_TRUE ? "true" : "false");
    else if (node != kNone && !value::is_container(tree_[node].kind) &&
             tree_[node].kind != ACCP_NULL)
        found = find_case(piece, at, tree_.string(node));
    return write_case(found ? found : find_case(piece, at, "other"), binding, out);
}

Status Presenter::write_each(const Piece &piece, uint32_t at, uint32_t node, Binding binding,
                             Buffer<char> &out) {
    if (tree_[node].kind != ACCP_ARRAY)
        return fail(ACCP_E1004, piece.byte, "the data has no array here");
    const uint32_t length = tree_[node].len, body = at + 1, empty = template_.pieces[body].end;
    if (Status status = count(length, piece.byte); status.failed()) return status;
    if (!length) return empty < piece.end ? write_case(empty, binding, out) : Status();
    const Arena::Mark mark = arena_.mark();
    Item *items = arena_.allocate<Item>(length);
    uint32_t filled = 0;
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next, ++filled)
        items[filled] = {i, filled, 2, 0, nullptr, 0};
    Status status = piece.extra_len ? sort(piece, items, length) : Status();
    for (uint32_t i = 0; i < length && i < piece.limit && status.ok(); ++i) {
        binding.item = items[i].node;
        binding.number = i + 1;
        status = write_case(body, binding, out);
    }
    arena_.rewind(mark);
    return status;
}

Status Presenter::sort(const Piece &piece, Item *items, uint32_t count) {
    const std::string_view path = template_.extra(piece);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t node = 0;
        if (!find(path, {items[i].node, 0, kNone}, node)) continue;
        if (value::is_number(tree_[node].kind)) {
            items[i].rank = 0;
            items[i].number = node;
        } else if (tree_[node].kind == ACCP_STRING) {
            word_.clear();
            Status status = locale_.write_sort_key(tree_.string(node), piece.byte, word_);
            if (status.failed()) return status;
            char *key = arena_.allocate<char>(word_.size());
            std::memcpy(key, word_.data(), word_.size());
            items[i].rank = 1;
            items[i].key = key;
            items[i].key_len = static_cast<uint32_t>(word_.size());
        }
    }
    std::sort(items, items + count,
              [&](const Item &a, const Item &b) { return is_before(a, b, piece.descending); });
    return {};
}

// Equal items keep the order of the data.
bool Presenter::is_before(const Item &a, const Item &b, bool descending) const {
    if (a.rank != b.rank) return a.rank < b.rank;
    int order = 0;
    if (a.rank == 0) order = compare_numbers(tree_.string(a.number), tree_.string(b.number));
    else if (a.rank == 1) order = std::string_view(a.key, a.key_len).compare({b.key, b.key_len});
    if (order == 0) return a.position < b.position;
    return descending ? order > 0 : order < 0;
}

}  // namespace accp::sacp
