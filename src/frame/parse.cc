// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/parse.h"

#include "base/random.h"
#include "frame/raw.h"
#include "value/tree.h"

namespace accp::frame {

namespace {

uint32_t small(uint64_t limit) { return static_cast<uint32_t>(limit); }

// In compat, null removes an entry of `delta` (decision A35). Returns whether there is any.
bool read_removals(const char *text, value::Node *nodes) {
    bool any = false;
    auto is = [text](uint32_t at, uint32_t len, const char *word) {
        return len == std::strlen(word) && !std::memcmp(text + at, word, len);
    };
    for (uint32_t i = kPayload + 1; i < nodes[kPayload].next; i = nodes[i].next) {
        if (nodes[i].kind != ACCP_MAP || !is(ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len, "delta"))
            continue;
        for (uint32_t j = i + 1; j < nodes[i].next; j = nodes[j].next)
            if (nodes[j].kind == ACCP_STRING && is(nodes[j].offset, nodes[j].len, "null"))
                nodes[j].kind = ACCP_NULL, any = true;
    }
    return any;
}

}  // namespace

Parser::Parser(Memory &memory, const Settings &settings)
    : settings_(settings),
      arena_(memory),
      raw_(settings.reading() == ACCP_U8),
      compat_(settings.reading() == ACCP_COMPAT),
      input_() {
    max_ = settings.limit(ACCP_LIMIT_FRAME_BYTES);
    input_.arena = &arena_;
    input_.seed = random_seed();
    input_.depth = small(settings.limit(ACCP_LIMIT_DEPTH));
    input_.params = small(settings.limit(ACCP_LIMIT_PARAMS));
    input_.items = small(settings.limit(ACCP_LIMIT_ITEMS));
    input_.key_bytes = small(settings.limit(ACCP_LIMIT_KEY_BYTES));
}

bool Parser::run(const char *text, size_t len, Buffer<value::Node> &nodes) {
    if (len > max_) return false;
    arena_.reset();
    Symbols &symbols = input_.symbols;
    // Aligned to cache lines: a 64-byte store across two lines is not forwarded to the loads of the
    // machine, which would cost a fifth of its time.
    size_t codes_bytes = (len + 127) & ~size_t{63};
    auto room = reinterpret_cast<uintptr_t>(
        arena_.allocate<char>(64 + codes_bytes + (len + 64) * sizeof(uint32_t)));
    symbols.codes = reinterpret_cast<uint8_t *>((room + 63) & ~uintptr_t{63});
    symbols.positions = reinterpret_cast<uint32_t *>(symbols.codes + codes_bytes);
    if (!find_symbols(text, len, raw_, symbols)) return false;
    if (symbols.high && raw_text_prefix(text, len) != len) return false;
    symbols.positions[symbols.count] = static_cast<uint32_t>(len);
    symbols.codes[len] = kEndSymbol;

    input_.text = text;
    input_.len = static_cast<uint32_t>(len);
    input_.nodes = nodes.reserve(symbols.count + 4);
    Parsed parsed = compat_ ? run_compat_machine(input_) : run_strict_machine(input_);
    if (compat_ && parsed.count) parsed.canonical &= !read_removals(text, input_.nodes);
    canonical_ = parsed.canonical;
    nodes.advance(parsed.count);
    return parsed.count;
}

Status Parser::fault(const char *text, size_t len) {
    arena_.reset();
    return locate_fault(text, len, settings_, arena_);
}

}  // namespace accp::frame
