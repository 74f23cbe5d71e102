// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cut.h.
#include "context/cut.h"

#include <algorithm>

#include "context/names.h"
#include "context/weights.h"

namespace accp {

namespace {

constexpr size_t kMostHalf = 32 << 10;  // bytes at either end of a message that are looked at
constexpr uint32_t kWordPlaces = 8192;  // a power of two
constexpr std::string_view kGap = "\xE2\x80\xA6";

bool has_fault(std::string_view line) {
    static constexpr std::string_view kSigns[] = {"error", "warning", "fail", "exception", "traceback", "denied", "not found", "panic"};
    char lower[kMostLineBytes];
    for (size_t i = 0; i < line.size(); ++i)
        lower[i] = static_cast<char>(static_cast<unsigned>(line[i] - 'A') < 26 ? line[i] | 0x20 : line[i]);
    for (std::string_view sign : kSigns)
        if (std::string_view(lower, line.size()).find(sign) != std::string_view::npos) return true;
    return false;
}

// The first two words without their digits: lines that begin so are of one kind, and each further one says less.
uint32_t shape_of(std::string_view line) {
    char key[64];
    size_t len = 0, words = 0;
    bool inside = false;
    for (char c : line) {
        bool blank = c == ' ' || c == '\t';
        if (blank && inside && ++words == 2) break;
        inside = !blank;
        if (!blank && !(static_cast<unsigned>(c - '0') < 10) && len < sizeof key) key[len++] = c;
    }
    return text_hash({key, len});
}

// A word of small letters alone says little.
bool is_plain(std::string_view word) {
    for (char c : word)
        if (static_cast<unsigned>(c - 'a') >= 26) return false;
    return true;
}

// Also a line of a listing that has nothing but its number.
bool is_blank(std::string_view line) {
    line = trim(line);
    if (line.empty() || line.back() != ':') return line.empty();
    for (char c : line.substr(0, line.size() - 1))
        if (static_cast<unsigned>(c - '0') >= 10) return false;
    return true;
}

uint32_t root(uint32_t n) {
    uint32_t r = 1;
    while ((r + 1) * (r + 1) <= n) ++r;
    return r;
}

// How many lines have a word. By its hash alone: two words that meet only make each other seem more common.
class WordCounts {
public:
    explicit WordCounts(Arena &arena) : counts_(arena.take<uint16_t>(kWordPlaces)) {
        std::memset(counts_, 0, kWordPlaces * sizeof *counts_);
    }
    uint16_t &operator[](uint32_t hash) { return counts_[hash & (kWordPlaces - 1)]; }

private:
    uint16_t *counts_;
};

struct Cutter {
    const Cut &cut;
    const Warm &warm;
    TokenCounter &counter;
    Arena &arena;
    Sightings names;
    WordCounts words, asked, shapes, alike;
    struct Line {
        std::string_view text;
        uint32_t own = 0, score = 0;
        uint16_t tokens = 0;
        bool kept = false;
    };
    Line *lines;
    uint32_t count = 0;
    Status status;

    Cutter(const Cut &cut, const Warm &warm, TokenCounter &counter, Arena &arena)
        : cut(cut),
          warm(warm),
          counter(counter),
          arena(arena),
          names(arena, warm),
          words(arena),
          asked(arena),
          shapes(arena),
          alike(arena),
          lines(arena.take<Line>(kMostCutLines)) {}

    uint32_t tokens_of(std::string_view text) {
        uint64_t tokens = 0;
        Status counted = counter.count(text, UINT32_MAX, tokens);
        if (counted.failed()) status = counted;
        return static_cast<uint32_t>(std::min<uint64_t>(tokens, 60000));
    }

    void take_lines(std::string_view text, uint32_t most) {
        for (size_t at = 0; at < text.size() && count < most; ++count) {
            lines[count] = {};
            lines[count].text = next_line(text, at);
        }
    }
    void read() {
        std::string_view text = cut.text;
        if (text.size() > 2 * kMostHalf) {
            take_lines(text.substr(0, kMostHalf), kMostCutLines / 2);
            size_t from = text.size() - kMostHalf;
            while (from < text.size() && text[from - 1] != '\n' && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
            text = text.substr(from);
        }
        take_lines(text, kMostCutLines);
        size_t at = 0;
        for (std::string_view word = next_word(cut.asked, at); !word.empty(); word = next_word(cut.asked, at)) asked[text_hash(word)] = 1;
        for (uint32_t i = 0; i < count; ++i) {
            ++alike[shape_of(lines[i].text)];
            at = 0;
            for (std::string_view word = next_word(lines[i].text, at); !word.empty(); word = next_word(lines[i].text, at))
                ++words[text_hash(word)];
            at = 0;
            for (std::string_view name = next_name(lines[i].text, at); !name.empty(); name = next_name(lines[i].text, at))
                if (Sighting *seen = names.add(name)) {
                    ++seen->count;
                    if (at < lines[i].text.size() && lines[i].text[at] == '(') seen->now.order = 1;  // it is called
                }
        }
    }

    uint32_t own_score(std::string_view line) {
        uint32_t score = 0;
        size_t at = 0;
        for (std::string_view word = next_word(line, at); !word.empty(); word = next_word(line, at)) {
            uint32_t hash = text_hash(word);
            if (asked[hash]) score += (is_plain(word) ? kAskedWord : kAskedName) / words[hash];
        }
        at = 0;
        for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at)) {
            Sighting *seen = names.find(name);
            if (seen && seen->item != UINT32_MAX) score += std::min(64u, name_worth(seen->now, name, cut.now)) / std::max(seen->count, 1u);
        }
        const uint32_t shape = shape_of(line);
        if (!is_blank(line)) score += kOddLine / alike[shape];
        return score / root(++shapes[shape]);
    }

    // What stands beside what matters matters too.
    void score() {
        for (uint32_t i = 0; i < count; ++i) lines[i].own = own_score(lines[i].text);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t score = lines[i].own * 160 + (has_fault(lines[i].text) ? kFault * 64 : 0);
            for (uint32_t d = 1; d <= 6; ++d) {
                if (i >= d) score += lines[i - d].own * kBeside[d - 1];
                if (i + d < count) score += lines[i + d].own * kBeside[d - 1];
            }
            if (i < kEdgeLines) score += kHeadLine * 64 / (i + 1);
            if (count - i <= kEdgeLines) score += kTailLine * 64 / (count - i);
            lines[i].score = score;
            lines[i].tokens = static_cast<uint16_t>(tokens_of(lines[i].text) + 1);
        }
    }

    void choose(uint32_t room) {
        auto *order = arena.take<uint32_t>(count + 1);
        for (uint32_t i = 0; i < count; ++i) order[i] = i;
        const Line *all = lines;
        auto rate = [all](uint32_t i) { return uint64_t{all[i].score} * 256 / (kLineTokens + all[i].tokens); };
        std::sort(order, order + count, [rate](uint32_t a, uint32_t b) { return rate(a) != rate(b) ? rate(a) > rate(b) : a < b; });
        uint32_t used = 0;
        if (count && lines[0].tokens <= room) {  // who says it
            lines[0].kept = true;
            used = lines[0].tokens;
        }
        for (uint32_t i = 0; i < count; ++i) {
            Line &line = lines[order[i]];
            if (line.kept || is_blank(line.text) || used + line.tokens > room) continue;
            line.kept = true;
            used += line.tokens;
        }
    }

    void write(Buffer<char> &out) {
        bool gap = false;
        for (uint32_t i = 0; i < count; ++i) {
            std::string_view text = lines[i].text;
            if (!lines[i].kept && (gap || is_blank(text))) continue;
            gap = !lines[i].kept;
            if (gap) text = kGap;
            out.append(text.data(), text.size());
            out.push('\n');
        }
    }

    // The names of what was left out, as far as there is room.
    void write_names(uint32_t room, Buffer<char> &out) {
        for (uint32_t i = 0; i < count; ++i) {
            if (!lines[i].kept) continue;
            size_t at = 0;
            for (std::string_view name = next_name(lines[i].text, at); !name.empty(); name = next_name(lines[i].text, at))
                if (Sighting *seen = names.find(name)) seen->count = 0;  // it is there
        }
        struct Ranked {
            uint32_t rate, at, tokens;
        };
        auto *ranked = arena.take<Ranked>(names.size() + 1);
        uint32_t found = 0;
        for (uint32_t i = 0; i < names.size(); ++i) {
            Sighting &seen = names[i];
            if (!seen.count) continue;
            Item item = seen.now;
            item.kind = Kind::kName;
            item.message = cut.now;
            if (seen.item == UINT32_MAX) item.worth = static_cast<uint16_t>(4 + 8 * std::min(seen.count, 6u));
            else item.worth = static_cast<uint16_t>(std::min(64u, uint32_t{item.worth}) + 8 * std::min(seen.count, 6u));
            if (!seen.now.tokens) seen.now.tokens = static_cast<uint8_t>(std::min(255u, tokens_of(seen.name) + 1));
            item.tokens = seen.now.tokens;
            uint32_t rate = item_rate(item, seen.name, cut.now);
            if (asked_about(seen.name) || seen.now.order == 1) rate += rate / 2;
            ranked[found++] = {rate, i, item.tokens};
        }
        std::sort(ranked, ranked + found,
                  [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
        bool any = false;
        for (uint32_t i = 0; i < found; ++i) {
            if (ranked[i].tokens > room) continue;
            room -= ranked[i].tokens;
            if (!any) out.append(kGap.data(), kGap.size());
            any = true;
            out.push(' ');
            out.append(names[ranked[i].at].name.data(), names[ranked[i].at].name.size());
        }
        if (any) out.push(' ');
    }
    bool asked_about(std::string_view name) {
        size_t at = 0;
        for (std::string_view word = next_word(name, at); !word.empty(); word = next_word(name, at))
            if (asked[text_hash(word)]) return true;
        return false;
    }
};

}  // namespace

void drop_escapes(Buffer<char> &text) {
    constexpr char kEscape = '\x1B';
    const char *end = text.end();
    char *to = static_cast<char *>(text.size() ? std::memchr(text.data(), kEscape, text.size()) : nullptr);
    if (!to) return;
    for (const char *at = to; at < end;) {
        if (*at != kEscape) {
            *to++ = *at++;
            continue;
        }
        if (++at == end || *at != '[') continue;
        while (++at < end && static_cast<unsigned>(*at) - 0x20u < 0x20u) {
        }
        if (at < end && static_cast<unsigned>(*at) - 0x40u < 0x3Fu) ++at;
    }
    text.set_end(to);
}

Status cut_message(const Cut &cut, const Warm &warm, TokenCounter &counter, Arena &arena, Buffer<char> &out, uint64_t &tokens) {
    const size_t start = out.size();
    Cutter cutter(cut, warm, counter, arena);
    cutter.read();
    cutter.score();
    const uint32_t edge = cutter.tokens_of(cut.ref) + 8;
    uint32_t named = 0;
    for (uint32_t i = 0; i < cutter.names.size() && named < kNameTokens; ++i)
        if (cutter.names[i].count) named += 4;
    named = std::min(named, kNameTokens) * cut.most / 400;
    for (uint32_t slack = 0;; slack += 1 + slack / 2) {  // parts that are put together can count more than the parts
        out.resize_down(start);
        tokens = 0;
        if (cut.most < edge + 16 + slack) return cutter.status;
        const uint32_t room = cut.most - edge - slack;
        for (uint32_t i = 0; i < cutter.count; ++i) cutter.lines[i].kept = false;
        cutter.choose(room - std::min(named, room / 2));
        cutter.write(out);
        const uint32_t used = cutter.tokens_of({out.data() + start, out.size() - start});
        if (used < room) cutter.write_names(room - used, out);
        out.append(cut.ref.data(), cut.ref.size());
        out.push('\n');
        Status status = counter.count({out.data() + start, out.size() - start}, UINT64_MAX, tokens);
        if (status.failed()) return status;
        if (tokens <= cut.most) return cutter.status;
    }
}

}  // namespace accp
