// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The machine of ragel/locate.rl runs the grammar. This file checks everything else in the order of
// the text: equal keys, depth, counts, lengths, and the code points of u8. It runs only for invalid
// frames, so clarity is more important than speed, but it takes linear time.
#include "frame/parse.h"

#include <cstring>

#include "base/random.h"
#include "frame/raw.h"

// Ragel's output falls through from state to state.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace accp::frame {

namespace {

using Byte = const unsigned char *;

struct Fault {
    Byte at = nullptr;
    const char *message = nullptr;
    // If a limit was exceeded: the actual value, as far as it was counted, and the limit.
    uint64_t had = 0, limit = 0;

    bool set(Byte where, const char *what, uint64_t was = 0, uint64_t max = 0) {
        *this = {where, what, was, max};
        return true;
    }
};

// All keys so far, each with the number of its map, in one table for the whole frame.
class Keys {
public:
    Keys(Byte text, size_t len, Arena &arena) : seed_(random_seed()) {
        size_t colons = 0;
        for (size_t i = 0; i < len; ++i) colons += text[i] == ':';
        while (slots_ < 2 * colons) slots_ *= 2;
        table_ = arena.allocate<Entry>(slots_);
        std::memset(static_cast<void *>(table_), 0, slots_ * sizeof *table_);
    }

    bool insert(uint32_t map, Byte key, size_t len) {  // false if the map has the key
        uint64_t at = seeded_hash(reinterpret_cast<const char *>(key), len, seed_ ^ map);
        for (;; ++at) {
            Entry &entry = table_[at & (slots_ - 1)];
            if (!entry.key) {
                entry = {key, static_cast<uint32_t>(len), map};
                return true;
            }
            if (entry.map == map && entry.len == len && !std::memcmp(entry.key, key, len))
                return false;
        }
    }

private:
    struct Entry {
        Byte key;
        uint32_t len;
        uint32_t map;
    };
    uint64_t seed_;
    size_t slots_ = 16;
    Entry *table_;
};

class Checker {
public:
    Checker(Byte text, size_t len, const Settings &settings, Arena &arena)
        : settings_(settings), end_(text + len), keys_(text, len, arena) {}

    Fault fault;

    void mark(Byte p) { name_ = p; }
    bool name_end(Byte p) {
        const bool too_long = is_long_name(p);
        name_ = nullptr;
        return too_long;
    }
    bool key_end(Byte p) {
        Byte key = name_;
        if (name_end(p)) return true;
        if (!keys_.insert(level().serial, key, static_cast<size_t>(p - key)))
            return fault.set(key, "duplicate key");
        return false;
    }
    // Called at the first byte of a key or of an array element.
    bool item(Byte p) {
        accp_limit limit = depth_ ? ACCP_LIMIT_ITEMS : ACCP_LIMIT_PARAMS;
        if (level().count++ < settings_.limit(limit)) return false;
        return fault.set(p,
                         depth_ ? "more items than the limit items allows"
                                : "more params than the limit params allows",
                         level().count, settings_.limit(limit));
    }
    bool open(Byte p, bool array) {
        if (level().array && item(p)) return true;
        if (depth_ == settings_.limit(ACCP_LIMIT_DEPTH))
            return fault.set(p, "arrays and maps are nested deeper than the limit depth allows",
                             depth_ + 1, depth_);
        ++depth_;
        level() = {++serial_, 0, array};
        return false;
    }
    void leave() { --depth_; }
    void block() { level() = {++serial_, 0, false}; }

    bool loose(Byte p) {
        return settings_.reading() != ACCP_COMPAT &&
               fault.set(p, "a bare @ or : inside a value; the strict grammar requires an escape");
    }
    bool raw(Byte &p) {
        if (settings_.reading() != ACCP_U8)
            return fault.set(p, "a byte above 0x7E; only the u8 dialect allows raw text");
        int good = 0;
        int len =
            raw_point(reinterpret_cast<const char *>(p), static_cast<size_t>(end_ - p), &good);
        if (!len) return fault.set(p + good, "not UTF-8, or a code point that must be escaped");
        p += len - 1;
        return false;
    }

    // A name that became too long before the fault is reported first.
    void settle() {
        if (name_) is_long_name(fault.at);
    }

private:
    struct Level {
        uint32_t serial;
        uint32_t count;
        bool array;
    };

    Level &level() { return levels_[depth_]; }
    bool is_long_name(Byte end) {
        const uint64_t max = settings_.limit(ACCP_LIMIT_KEY_BYTES);
        return end > name_ + max &&
               fault.set(name_ + max, "a name or key longer than the limit key_bytes allows",
                         static_cast<uint64_t>(end - name_), max);
    }

    const Settings &settings_;
    Byte end_;
    Byte name_ = nullptr;
    Keys keys_;
    uint32_t serial_ = 0;
    uint32_t depth_ = 0;
    Level levels_[kMaxDepth + 1] = {};
};

// What the grammar expects at an invalid byte. The names are those of the actions want_X in
// ragel/abnf.rl.
#define ACCP_WANTS(WANT)                                                                       \
    WANT(frame, "expected @ at the beginning of the frame")                                    \
    WANT(agent, "expected the name of an agent: letters, digits, _ and -")                     \
    WANT(agent_end, "expected > after the agent")                                              \
    WANT(intent, "expected an intent: letters")                                                \
    WANT(intent_end, "expected : after the intent")                                            \
    WANT(operation, "expected an operation: letters, digits and _")                            \
    WANT(operation_end, "expected { after the operation")                                      \
    WANT(first_key, "expected a key or }")                                                     \
    WANT(key, "expected a key: letters, digits and _")                                         \
    WANT(key_end, "expected : after the key")                                                  \
    WANT(value, "expected a value")                                                            \
    WANT(label, "expected the name of a reference: letters, digits and _ between dots")        \
    WANT(delimiter, "expected a delimiter after the backslash: one of @>:{}[]|$,~ or another") \
    WANT(bar, "expected | and another param, or }")                                            \
    WANT(comma, "expected a comma and another pair, or ]")                                     \
    WANT(first_element, "expected an element or ]")                                            \
    WANT(element, "expected an element")                                                       \
    WANT(comma_array, "expected a comma and another element, or ]")                            \
    WANT(comma_map, "expected a comma and another entry, or }")                                \
    WANT(metadata, "expected [ and metadata, or the end of the frame")                         \
    WANT(end, "expected the end of the frame")

enum Want : uint8_t {
#define ACCP_WANT_NAME(name, words) kWant_##name,
    ACCP_WANTS(ACCP_WANT_NAME)
#undef ACCP_WANT_NAME
        kWants
};

// Why the byte is invalid; bytes of the last three causes are not allowed outside strings.
enum Cause : uint8_t { kOther, kEnd, kControl, kHigh, kCauses };

constexpr const char *kExpected[kWants][kCauses] = {
#define ACCP_WANT_TEXTS(name, words)                                                          \
    {words, "the frame ends too early: " words, "white space or a control character: " words, \
     "a byte above 0x7E outside a string: " words},
    ACCP_WANTS(ACCP_WANT_TEXTS)
#undef ACCP_WANT_TEXTS
};

const char *grammar_message(Want want, Byte at, Byte end) {
    const Cause cause = at == end                    ? kEnd
                        : *at <= 0x20 || *at == 0x7F ? kControl
                        : *at > 0x7F                 ? kHigh
                                                     : kOther;
    return kExpected[want][cause];
}

#define ON_MARK checks.mark(p);
#define ON_KEY_START \
    checks.mark(p);  \
    if (checks.item(p)) goto done;
#define ON_NAME_END \
    if (checks.name_end(p)) goto done;
#define ON_KEY_END \
    if (checks.key_end(p)) goto done;
#define ON_ITEM \
    if (checks.item(p)) goto done;
#define ON_ARRAY \
    if (checks.open(p, true)) goto done;
#define ON_MAP \
    if (checks.open(p, false)) goto done;
#define ON_LEAVE checks.leave();
#define ON_PAYLOAD                     \
    if (checks.name_end(p)) goto done; \
    checks.block();
#define ON_META checks.block();
#define ON_RAW \
    if (checks.raw(p)) goto done;
#define ON_LOOSE \
    if (checks.loose(p)) goto done;
// If several apply, the first belongs to the largest expression.
#define ON_WANT(name) \
    if (want == kWants) want = kWant_##name;

// Returns the first fault in [text, end), at `end` if there is none before.
Fault first_fault(Byte text, Byte end, const Settings &settings, Arena &arena) {
    Checker checks(text, static_cast<size_t>(end - text), settings, arena);
    Byte p = text, pe = end, eof = end;
    Want want = kWants;
    int cs, top, stack[kMaxDepth];
#include "../../ragel/generated/locate.inc"
    checks.fault.set(p, grammar_message(want == kWants ? kWant_end : want, p, end));
done:
    checks.settle();
    return checks.fault;
}

}  // namespace

Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena) {
    uint64_t max = settings.limit(ACCP_LIMIT_FRAME_BYTES);
    auto begin = reinterpret_cast<Byte>(text);
    Byte end = begin + (len < max ? len : max);
    Fault fault = first_fault(begin, end, settings, arena);
    if (fault.at == end && len > max)
        fault.set(end, "the frame is longer than the limit frame_bytes allows", len, max);
    return fail_limit(ACCP_E1001, static_cast<uint64_t>(fault.at - begin), fault.message, fault.had,
                      fault.limit);
}

}  // namespace accp::frame
