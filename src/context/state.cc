// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See state.h. The saved form: a mark, the options, and numbers of seven bits a byte; the texts in
// between. What is read is checked as a stranger's.
#include "context/state.h"

namespace accp::context {

namespace {

constexpr std::string_view kMark = "accpctx2";

struct StateWriter {
    Buffer<char> &out;

    void number(uint64_t value) {
        while (value >= 0x80) {
            out.push(static_cast<char>(value | 0x80));
            value >>= 7;
        }
        out.push(static_cast<char>(value));
    }
    void text(std::string_view text) {
        number(text.size());
        out.append(text);
    }
};

struct Reader {
    std::string_view rest;
    bool good = true;

    uint64_t number(uint64_t max) {
        uint64_t value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (rest.empty()) break;
            auto byte = static_cast<unsigned char>(rest[0]);
            rest.remove_prefix(1);
            value |= uint64_t{byte & 0x7Fu} << shift;
            if (!(byte & 0x80)) {
                good = good && value <= max;
                return good ? value : 0;
            }
        }
        good = false;
        return 0;
    }
    std::string_view text(size_t max) {
        size_t len = number(max);
        if (len > rest.size()) good = false;
        std::string_view text = rest.substr(0, good ? len : 0);
        rest.remove_prefix(text.size());
        return text;
    }
};

uint32_t options_of(const ContextOptions &options, int i) {
    const uint32_t all[] = {options.hot_max, options.hot_due, options.checkpoint_max,
                            options.summary_max, options.retained};
    return all[i];
}

// The id of an item's checkpoint, one of the last up to `newest`; 0 where it has none.
uint32_t checkpoint_of(const Item &item, uint32_t newest) {
    return item.checkpoint == kLatent
               ? 0
               : newest - (slot_of(newest) - item.checkpoint) % (2 * kMaxRetained);
}

}  // namespace

bool ContextOptions::valid() const {
    return summary_max && retained && retained <= kMaxRetained && summary_max <= checkpoint_max &&
           checkpoint_max <= hot_due && hot_due >= 100 && hot_due <= hot_max && hot_max <= 1 << 16;
}

void ContextState::add(HotEntry entry, std::string_view text, std::string_view ref) {
    hot.append(text);
    refs.append(ref);
    entry.end = static_cast<uint32_t>(hot.size());
    entry.ref_end = static_cast<uint32_t>(refs.size());
    entries.push(entry);
}

void ContextState::assign(const ContextState &other) {
    auto copy = [](auto &to, const auto &from) {
        to.clear();
        to.append(from);
    };
    warm.assign(other.warm);
    copy(hot, other.hot);
    copy(refs, other.refs);
    copy(facts, other.facts);
    copy(entries, other.entries);
    reference_end = other.reference_end;
    reference_tokens = other.reference_tokens;
    messages = other.messages;
    history = other.history;
    base = other.base;
}

void ContextState::assign_tightly(const ContextState &other, Memory &memory) {
    ContextState fresh(memory);
    // the large part is mostly about as large as it was
    const bool moves = !warm.is_exact_for(other.warm);
    if (moves) fresh.warm.reserve_exact_for(other.warm);
    fresh.hot.reserve_exact(other.hot.size());
    fresh.refs.reserve_exact(other.refs.size());
    fresh.facts.reserve_exact(other.facts.size());
    fresh.entries.reserve_exact(other.entries.size());
    if (moves) warm.swap(fresh.warm);  // from here on nothing fails
    hot.swap(fresh.hot);
    refs.swap(fresh.refs);
    facts.swap(fresh.facts);
    entries.swap(fresh.entries);
    assign(other);
}

void ContextState::swap(ContextState &other) noexcept {
    auto exchange = [](auto &a, auto &b) {
        auto c = a;
        a = b;
        b = c;
    };
    warm.swap(other.warm);
    hot.swap(other.hot);
    refs.swap(other.refs);
    facts.swap(other.facts);
    entries.swap(other.entries);
    exchange(reference_end, other.reference_end);
    exchange(reference_tokens, other.reference_tokens);
    exchange(messages, other.messages);
    exchange(history, other.history);
    exchange(base, other.base);
}

void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out) {
    StateWriter to = {out};
    out.append(kMark);
    for (int i = 0; i < 5; ++i) to.number(options_of(options, i));
    for (uint64_t value : {uint64_t{state.base.checkpoint}, state.base.messages, state.base.history,
                           uint64_t{state.base.entries}})
        to.number(value);
    to.number(state.reference_tokens);
    to.text({state.hot.data(), state.reference_end});
    for (size_t i = 0; i < state.base.entries; ++i) {
        const HotEntry &entry = state.entries[i];
        for (uint32_t value : {entry.tokens, entry.number, static_cast<uint32_t>(entry.source)})
            to.number(value);
        to.text(state.text(i));
        to.text(state.ref(i));
    }
    to.number(state.warm.items.size());
    for (size_t i = 0; i < state.warm.items.size(); ++i) {
        const Item &item = state.warm.items[i];
        for (uint32_t value :
             {item.message, item.kin, checkpoint_of(item, state.base.checkpoint),
              uint32_t{item.worth}, item.kind == Kind::kFact ? 0 : uint32_t{item.order},
              uint32_t{item.tokens},
              static_cast<uint32_t>(item.kind) << 2 | static_cast<uint32_t>(item.source)})
            to.number(value);
        to.text(state.warm.text(item));
    }
}

Status read_state(const char *text, size_t len, const ContextOptions &options, ContextState &out) {
    Reader from = {{text, len}};
    auto wrong = [&](const char *what) { return fail(ACCP_ERR_ARG, len - from.rest.size(), what); };
    if (from.rest.substr(0, kMark.size()) != kMark) return wrong("this is no saved context");
    from.rest.remove_prefix(kMark.size());
    for (int i = 0; i < 5; ++i)
        if (from.number(UINT32_MAX) != options_of(options, i))
            return wrong("the context was saved for other bounds");
    out.base.checkpoint = static_cast<uint32_t>(from.number(UINT32_MAX));
    out.base.messages = out.messages = from.number(UINT32_MAX);
    out.base.history = out.history = from.number(UINT64_MAX >> 1);
    out.base.entries = static_cast<uint32_t>(from.number(kMaxSurvivors));
    out.reference_tokens = static_cast<uint32_t>(from.number(options.hot_max));
    std::string_view reference = from.text(kMaxRefBytes);
    out.hot.append(reference);
    out.reference_end = static_cast<uint32_t>(out.hot.size());
    for (uint32_t i = 0; i < out.base.entries && from.good; ++i) {
        HotEntry entry;
        entry.tokens = static_cast<uint32_t>(from.number(options.hot_max));
        entry.number = static_cast<uint32_t>(from.number(out.messages));
        entry.source = static_cast<Source>(from.number(3));
        entry.closed = true;
        std::string_view body = from.text(kMaxHotBytes), ref = from.text(kMaxRefBytes);
        if (from.good) out.add(entry, body, ref);
    }
    const uint64_t count = from.number(kMaxWarmItems);
    for (uint64_t i = 0; i < count && from.good; ++i) {
        Item item;
        item.message = static_cast<uint32_t>(from.number(out.messages));
        item.kin = static_cast<uint32_t>(from.number(UINT32_MAX));
        const auto checkpoint = static_cast<uint32_t>(from.number(out.base.checkpoint));
        if (checkpoint && checkpoint + options.retained <= out.base.checkpoint) from.good = false;
        item.checkpoint = checkpoint ? slot_of(checkpoint) : kLatent;
        item.worth = static_cast<uint16_t>(from.number(UINT16_MAX));
        item.order = static_cast<uint16_t>(from.number(UINT16_MAX));
        item.tokens = static_cast<uint8_t>(from.number(255));
        uint64_t kind = from.number(11);
        item.kind = static_cast<Kind>(kind >> 2);
        item.source = static_cast<Source>(kind & 3);
        std::string_view body = from.text(kMaxItemBytes);
        const bool fact = item.kind == Kind::kFact;
        if (fact) item.order = 0;
        if (item.kind == Kind::kName && !body.empty()) item.look = name_look(body);
        if (!fact && item.kin > out.messages) from.good = false;
        if (fact && (item.kin & 255) + (item.kin >> 8 & 255) + (item.kin >> 16) >= body.size())
            from.good = false;
        if (!item.tokens || body.empty() || (item.kind == Kind::kName && body.size() < 4))
            from.good = false;
        if (from.good && !out.warm.add(item, body)) from.good = false;
    }
    if (!from.good || !from.rest.empty()) return wrong("the saved context is damaged");
    out.base.tokens = out.hot_tokens();
    if (out.base.tokens > options.hot_max) return wrong("the saved context is damaged");
    return {};
}

}  // namespace accp::context
