// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/cut.h"

#include <algorithm>

#include "base/text.h"
#include "context/lines.h"
#include "context/message.h"
#include "context/untrusted_text.h"

namespace accp::context {

namespace {

// The maximum percentages of the space for the end and for lines that report a failure. The
// beginning gets the rest.
constexpr uint32_t kTail = 35, kFailures = 15;
constexpr uint32_t kGapTokens = 8;

// Returns the size of the first piece of a long line. It ends after the path of its field: after a
// sentence, else after a space, else after a character.
size_t piece_of(std::string_view line) {
    size_t space = 0;
    for (size_t i = kMaxLineBytes; i > kMaxPathBytes; --i) {
        if (line[i - 1] != ' ') continue;
        if (line[i - 2] == '.') return i;
        if (!space) space = i;
    }
    if (space) return space;
    size_t end = kMaxLineBytes;
    while (end > kMaxLineBytes - 4 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return end;
}

bool reports_failure(std::string_view line) {
    static constexpr std::string_view kSigns[] = {"error",     "warning", "fail",      "exception",
                                                  "traceback", "denied",  "not found", "panic"};
    char lower[kMaxLineBytes];
    for (size_t i = 0; i < line.size(); ++i)
        lower[i] =
            static_cast<char>(static_cast<unsigned>(line[i] - 'A') < 26 ? line[i] | 0x20 : line[i]);
    for (std::string_view sign : kSigns)
        if (std::string_view(lower, line.size()).find(sign) != std::string_view::npos) return true;
    return false;
}

class Cutter {
public:
    Cutter(std::string_view message, Arena &arena, token::TokenCounter &counter)
        : counter_(counter),
          pieces_(arena.allocate<Piece>(message.size() / kMaxPathBytes +
                                        std::count(message.begin(), message.end(), '\n') + 2)) {
        for (size_t at = 0; at < message.size(); ++count_) {
            Piece &piece = pieces_[count_] = {};
            piece.begins_line = !at || message[at - 1] == '\n';
            piece.text = next_piece(message, at);
        }
    }

    Status choose(uint32_t max) {
        pieces_[0].stays = true;
        const uint32_t head = tokens_of(pieces_[0]);
        const uint32_t room = max - std::min(max, head + kGapTokens);
        size_t end = count_;
        uint32_t used = 0;
        while (end > 1 && take(pieces_[end - 1], room * kTail / 100, used)) --end;
        uint32_t failures = 0;
        for (size_t i = 1; i < end; ++i)
            if (reports_failure(pieces_[i].text) &&
                !take(pieces_[i], room * kFailures / 100, failures))
                break;
        used += failures;
        for (size_t i = 1; i < end; ++i)
            if (!pieces_[i].stays && !take(pieces_[i], room, used)) break;
        return status_;
    }

    void write(uint64_t number, Buffer<char> &out) const {
        if (number) write_closed_head(pieces_[0].text, number, out);
        else out.append(pieces_[0].text);
        out.push('\n');
        size_t lines = 0;
        bool is_gap = false;
        for (size_t i = 1; i < count_; ++i) {
            const Piece &piece = pieces_[i];
            if (!piece.stays) {
                is_gap = true;
                lines += piece.begins_line;
                continue;
            }
            if (is_gap) write_gap(lines, out);
            is_gap = false;
            lines = 0;
            if (piece.begins_line) out.append(piece.text);
            else open_untrusted_line(piece.text, out);
            out.push('\n');
        }
        if (is_gap) write_gap(lines, out);
    }

private:
    struct Piece {
        std::string_view text;
        bool begins_line = false, stays = false;
    };

    uint32_t tokens_of(const Piece &piece) {
        uint64_t tokens = 0;
        Status status = counter_.count(piece.text, UINT32_MAX, tokens);
        if (status.failed()) status_ = status;
        return static_cast<uint32_t>(tokens) + 1;
    }
    bool take(Piece &piece, uint32_t room, uint32_t &used) {
        const uint32_t tokens = tokens_of(piece);
        if (used + tokens > room) return false;
        used += tokens;
        return piece.stays = true;
    }
    static void write_gap(size_t lines, Buffer<char> &out) {
        out.append(kGap);
        if (lines) {
            out.push(' ');
            append_decimal(lines, out);
            out.append(" lines");
        }
        out.push('\n');
    }

    token::TokenCounter &counter_;
    Piece *pieces_;
    size_t count_ = 0;
    Status status_;
};

}  // namespace

std::string_view next_piece(std::string_view text, size_t &at) {
    std::string_view rest = text.substr(at);
    size_t end = rest.substr(0, kMaxLineBytes + 1).find('\n');
    if (end == rest.npos) {
        end = rest.size() <= kMaxLineBytes ? rest.size() : piece_of(rest);
        at += end;
        return rest.substr(0, end);
    }
    at += end + 1;
    return rest.substr(0, end);
}

Status cut_message(std::string_view message, uint32_t max, uint64_t number, Arena &arena,
                   token::TokenCounter &counter, Buffer<char> &out) {
    Cutter cutter(message, arena, counter);
    Status status = cutter.choose(max);
    if (status.ok()) cutter.write(number, out);
    return status;
}

}  // namespace accp::context
