// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See count.h. ASCII goes a window of pieces at a time, what is none one piece at a time.
#include "token/count.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"

namespace accp::token {

namespace {

struct CountSink {
    Pieces &pieces;
    uint64_t max, total;

    bool window(const char *text, const char *end, const Window &window) {
        total += pieces.count(text, end, window);
        return total <= max;
    }
    bool piece(const char *piece, size_t len, const char *end) {
        // So much longer than any token that it has more than `max`: nothing need be merged to
        // know that.
        uint64_t min = len / pieces.tokenizer().longest();
        total += min > max - total ? min : pieces.count(piece, len, end);
        return total <= max;
    }
};

struct EncodeSink {
    Pieces &pieces;
    Buffer<uint32_t> &ids;

    bool window(const char *text, const char *end, const Window &window) {
        pieces.encode(text, end, window, ids);
        return true;
    }
    bool piece(const char *piece, size_t len, const char *end) {
        pieces.encode(piece, len, end, ids);
        return true;
    }
};

}  // namespace

// Invalid bytes are U+FFFD, one for each maximal part of a sequence that was begun (the way of
// TextDecoder, and of Python's "replace").
std::string_view TokenCounter::repair(std::string_view text) {
    if (valid_utf8_prefix(text.data(), text.size()) == text.size()) return text;
    repaired_.clear();
    while (!text.empty()) {
        size_t valid = valid_utf8_prefix(text.data(), text.size());
        repaired_.append(text.data(), valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        repaired_.append("\xEF\xBF\xBD", 3);
        text.remove_prefix(broken_utf8_size(text.data(), text.size()));
    }
    return {repaired_.data(), repaired_.size()};
}

// The longest special token that `text` begins with, or NULL.
const SpecialToken *TokenCounter::special_at(std::string_view text) const {
    const SpecialToken *found = nullptr;
    for (uint32_t i = 0; i < tokenizer().special_count; ++i) {
        const SpecialToken &special = tokenizer().specials[i];
        bool here = text.substr(0, special.text.size()) == special.text;
        if (here && (!found || special.text.size() > found->text.size())) found = &special;
    }
    return found;
}

// Calls plain() for the texts between special tokens and special() for each of these, until one of
// them answers false.
template <class Plain, class Special>
void TokenCounter::split_specials(std::string_view text, Plain plain, Special special) const {
    bool begins[256] = {};
    for (uint32_t i = 0; special_ && i < tokenizer().special_count; ++i)
        begins[static_cast<unsigned char>(tokenizer().specials[i].text[0])] = true;
    size_t from = 0;
    for (size_t at = 0; special_ && at < text.size();) {
        const SpecialToken *found =
            begins[static_cast<unsigned char>(text[at])] ? special_at(text.substr(at)) : nullptr;
        if (!found) {
            ++at;
            continue;
        }
        if (!plain(text.substr(from, at - from)) || !special(*found)) return;
        from = at += found->text.size();
    }
    plain(text.substr(from));
}

Status TokenCounter::count(std::string_view text, uint64_t max, uint64_t &out) {
    if (tokenizer().kind == TokenizerKind::kHost) {
        int64_t answer = tokenizer().count(text.data(), text.size(), tokenizer().user);
        if (answer < 0) return fail(ACCP_ERR_IO, 0, "the host's tokenizer answered with an error");
        out = static_cast<uint64_t>(answer);
        return {};
    }
    CountSink sink = {pieces_, max, 0};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return sink.total <= max;
    };
    split_specials(text, plain, [&](const SpecialToken &) { return ++sink.total <= max; });
    out = sink.total;
    return {};
}

void TokenCounter::encode(std::string_view text, Buffer<uint32_t> &ids) {
    pieces_.keep_ids();
    EncodeSink sink = {pieces_, ids};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return true;
    };
    split_specials(text, plain, [&](const SpecialToken &special) {
        ids.push(special.id);
        return true;
    });
}

uint32_t Tokenizer::number_of(uint32_t id) const {
    if (!ids) return id;
    const uint32_t *end = by_id + vocabulary.size();
    auto before = [&](uint32_t number, uint32_t wanted) { return ids[number] < wanted; };
    const uint32_t *found = std::lower_bound(by_id, end, id, before);
    return found != end && ids[*found] == id ? *found : kNoToken;
}

bool TokenCounter::decode(uint32_t id, Buffer<char> &out) const {
    uint32_t number = tokenizer().number_of(id);
    if (number < tokenizer().vocabulary.size()) {
        tokenizer().vocabulary.append(number, out);
        return true;
    }
    auto append = [&](const SpecialToken *tokens, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
            if (tokens[i].id != id) continue;
            out.append(tokens[i].text);
            return true;
        }
        return false;
    };
    return append(tokenizer().specials, tokenizer().special_count) ||
           append(tokenizer().whole, tokenizer().whole_count);
}

void TokenCounter::recycle() {
    pieces_.recycle();
    repaired_.recycle(kKeptBytes);
}

}  // namespace accp::token
