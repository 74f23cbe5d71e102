// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cut.h: which lines stay, and what is written of the others.
#include "context/cut.h"

#include <algorithm>

#include "context/cutter.h"
#include "context/names.h"
#include "context/untrusted_text.h"
#include "context/weights.h"

namespace accp::context {

void Cutter::choose(uint32_t room) {
    auto *order = arena.allocate<uint32_t>(count + 1);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    const Line *all = lines;
    auto rate = [all](uint32_t i) {
        return uint64_t{all[i].score} * 256 / (kLineTokens + all[i].tokens);
    };
    std::sort(order, order + count, [rate](uint32_t a, uint32_t b) {
        return rate(a) != rate(b) ? rate(a) > rate(b) : a < b;
    });
    uint32_t used = 0;
    if (count && lines[0].tokens <= room) {  // who says it
        lines[0].kept = true;
        used = lines[0].tokens;
    }
    for (uint32_t i = 0; i < count; ++i) {
        Line &line = lines[order[i]];
        if (line.kept || line.ours || is_blank(line.text) || used + line.tokens > room) continue;
        line.kept = true;
        used += line.tokens;
    }
}

// Or is it a piece of a long one, which begins elsewhere?
bool Cutter::begins_line(std::string_view line) const {
    return line.data() == cut.text.data() || line.data()[-1] == '\n';
}

void Cutter::write(Buffer<char> &out) {
    bool gap = false;
    for (uint32_t i = 0; i < count; ++i) {
        std::string_view text = lines[i].text;
        if (!lines[i].kept && (gap || is_blank(text))) continue;
        gap = !lines[i].kept;
        if (gap) out.append(kGap);
        else if (begins_line(text)) out.append(text);
        else open_untrusted_line(text, out);
        out.push('\n');
    }
}

// The names of what was left out, as far as there is room.
void Cutter::write_names(uint32_t room, Buffer<char> &out) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!lines[i].kept) continue;
        size_t at = 0;
        for (std::string_view name = next_name(lines[i].text, at); !name.empty();
             name = next_name(lines[i].text, at))
            if (Occurrence *seen = names.find(name)) seen->count = 0;  // it is there
    }
    struct Ranked {
        uint32_t rate, at, tokens;
    };
    auto *ranked = arena.allocate<Ranked>(names.size() + 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < names.size(); ++i) {
        Occurrence &seen = names[i];
        if (!seen.count) continue;
        Item item = seen.now;
        item.kind = Kind::kName;
        item.message = cut.now;
        if (seen.item == kUnknown)
            item.worth = static_cast<uint16_t>(4 + 8 * std::min(seen.count, 6u));
        else
            item.worth = static_cast<uint16_t>(std::min(64u, uint32_t{item.worth}) +
                                               8 * std::min(seen.count, 6u));
        if (!seen.now.tokens)
            seen.now.tokens = static_cast<uint8_t>(std::min(255u, tokens_of(seen.name) + 1));
        item.tokens = seen.now.tokens;
        uint32_t rate = item_rate(item, seen.name, cut.now);
        if (asked_about(seen.name) || seen.now.order == 1) rate += rate / 2;
        ranked[found++] = {rate, i, item.tokens};
    }
    std::sort(ranked, ranked + found, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    bool any = false;
    for (uint32_t i = 0; i < found; ++i) {
        if (ranked[i].tokens > room) continue;
        room -= ranked[i].tokens;
        if (!any) out.append(kGap);
        any = true;
        out.push(' ');
        out.append(names[ranked[i].at].name);
    }
    if (any) out.push(' ');
}

bool Cutter::asked_about(std::string_view name) {
    size_t at = 0;
    for (std::string_view word = next_word(name, at); !word.empty(); word = next_word(name, at))
        if (asked[text_hash(word)]) return true;
    return false;
}

Status cut_message(const Cut &cut, const Warm &warm, token::TokenCounter &counter, Arena &arena,
                   Buffer<char> &out, uint64_t &tokens) {
    const size_t start = out.size();
    Cutter cutter(cut, warm, counter, arena);
    cutter.read();
    cutter.score();
    const uint32_t edge = cutter.tokens_of(cut.ref) + 8;
    uint32_t named = 0;
    for (uint32_t i = 0; i < cutter.names.size() && named < kNameTokens; ++i)
        if (cutter.names[i].count) named += 4;
    named = std::min(named, kNameTokens) * cut.max / 400;
    // parts that are put together can count more than the parts
    for (uint32_t slack = 0;; slack += 1 + slack / 2) {
        out.resize_down(start);
        tokens = 0;
        if (cut.max < edge + 16 + slack) return cutter.status;
        const uint32_t room = cut.max - edge - slack;
        for (uint32_t i = 0; i < cutter.count; ++i) cutter.lines[i].kept = false;
        cutter.choose(room - std::min(named, room / 2));
        // lines without a header would be of the message before
        if (!cutter.count || !cutter.lines[0].kept) return cutter.status;
        cutter.write(out);
        const uint32_t used = cutter.tokens_of({out.data() + start, out.size() - start});
        if (used < room) cutter.write_names(room - used, out);
        out.append(cut.ref);
        out.push('\n');
        Status status = counter.count({out.data() + start, out.size() - start}, UINT64_MAX, tokens);
        if (status.failed()) return status;
        if (tokens <= cut.max) return cutter.status;
    }
}

}  // namespace accp::context
