// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See lines.h.
#include "context/lines.h"

#include <charconv>
#include <cstring>

#include "context/names.h"
#include "context/state.h"

namespace accp::context {

namespace {

// bytes: a shorter line says nothing alone; a run that is shorter than a gap and its number may as
// well stand there
constexpr size_t kMinLine = 12, kMinRun = 120;

uint64_t hash_of(std::string_view line) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
    uint64_t hash = line.size() * kFactor, word = 0;
    size_t at = 0;
    for (; at + 8 <= line.size(); at += 8) {
        std::memcpy(&word, line.data() + at, 8);
        hash = (hash ^ word) * kFactor;
        hash ^= hash >> 29;
    }
    word = 0;
    for (; at < line.size(); ++at) word = word << 8 | static_cast<unsigned char>(line[at]);
    hash = (hash ^ word) * kFactor;
    return hash ^ hash >> 32;
}

size_t places_for(size_t bytes) {
    size_t places = 64;
    while (places < bytes / kMinLine * 2) places *= 2;
    return places;
}

}  // namespace

bool is_above(std::string_view line) {
    return is_gap(line) && line.size() > kAsAbove.size() &&
           line.substr(line.size() - kAsAbove.size()) == kAsAbove;
}

LineSet::LineSet(Arena &arena, const Buffer<char> &text, size_t bytes)
    : text_(text), places_(places_for(bytes)), lines_(arena.allocate<Line>(places_)) {
    std::memset(lines_, 0, places_ * sizeof *lines_);
}

const LineSet::Line *LineSet::find(std::string_view line, uint64_t hash) const {
    for (size_t at = hash & (places_ - 1);; at = (at + 1) & (places_ - 1)) {
        const Line &found = lines_[at];
        if (!found.len || (found.hash == hash && text_.view().substr(found.at, found.len) == line))
            return &found;
    }
}

void LineSet::update() {
    const std::string_view text = text_.view();
    while (taken_ < text.size()) {
        const std::string_view line = trim(next_whole_line(text, taken_));
        if (line.size() < kMinLine || count_ >= places_ / 2) continue;
        const uint64_t hash = hash_of(line);
        auto *place = const_cast<Line *>(find(line, hash));
        if (place->len) continue;
        *place = {hash, static_cast<uint32_t>(line.data() - text.data()),
                  static_cast<uint32_t>(line.size())};
        ++count_;
    }
}

bool LineSet::has(std::string_view line) const {
    line = trim(line);
    return line.size() >= kMinLine && find(line, hash_of(line))->len;
}

void leave_out(std::string_view message, const LineSet &above, Buffer<char> &out,
               Buffer<char> &hidden) {
    size_t at = 0;
    out.append(next_whole_line(message, at));
    out.push('\n');
    while (at < message.size()) {
        const size_t begin = at;
        size_t end = at, lines = 0;  // of the run
        while (at < message.size()) {
            const std::string_view line = next_whole_line(message, at);
            const bool brief = end > begin && trim(line).size() < kMinLine;
            if (is_gap(line) || !(brief || above.has(line))) break;
            end = at;
            ++lines;
        }
        const std::string_view run = message.substr(begin, end - begin);
        if (run.size() < kMinRun) {
            at = begin;
            out.append(next_whole_line(message, at));
            out.push('\n');
            continue;
        }
        at = end;
        out.append(kGap);
        out.push(' ');
        char *to = out.reserve(24);
        out.set_end(std::to_chars(to, to + 24, lines).ptr);
        out.append(kAsAbove);
        out.push('\n');
        write_run(run, hidden);
    }
}

void put_back(std::string_view message, std::string_view hidden, Buffer<char> &out) {
    for (size_t at = 0; at < message.size();) {
        const std::string_view line = next_whole_line(message, at);
        std::string_view run;
        if (is_above(line) && read_run(hidden, run)) {
            out.append(run);
        } else {
            out.append(line);
            out.push('\n');
        }
    }
}

}  // namespace accp::context
