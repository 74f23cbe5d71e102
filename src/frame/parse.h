// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Bytes to a flat tree. The machines (machine_strict.cc, machine_compat.cc) take a frame or refuse
// it, as fast as they can; where a refused frame went wrong is then found by locate.h, one byte at
// a time.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"
#include "frame/symbols.h"
#include "value/tree.h"

namespace accp::frame {

// Node indices of every parsed frame.
enum : uint32_t { kAgent = 0, kIntent = 1, kOperation = 2, kPayload = 3 };
// The node of its metadata; 0: it has none.
inline uint32_t metadata_of(const value::Node *nodes, size_t count) {
    return nodes[kPayload].next < count ? nodes[kPayload].next : 0;
}

// What a machine (machine.h) is given.
struct MachineInput {
    const char *text;
    uint32_t len;
    Symbols symbols;
    value::Node *nodes;  // room for symbols.count + 4
    Arena *arena;        // for large sets of keys
    uint64_t seed;
    uint32_t depth, params, items, key_bytes;
};

// What a machine makes of a frame: 0 nodes when it is refused.
struct Parsed {
    uint32_t count;
    bool canonical;  // its text is what print_frame() would write; false where that is not sure
};

// The machines, of the strict and u8 dialects and of compat.
Parsed run_strict_machine(const MachineInput &input);
Parsed run_compat_machine(const MachineInput &input);

// Why a frame was refused: the byte at which no continuation could mend it, found one byte at a
// time by the machine of ragel/locate.rl.
// Always a failure, ACCP_E1001: to be asked about refused frames only.
Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena);

class Parser {
public:
    Parser(Memory &memory, const Settings &settings);

    // Appends the tree of one frame to `nodes`, its `next` counted from its own first node. On
    // failure `nodes` is as it was.
    Status parse(const char *text, size_t len, Buffer<value::Node> &nodes) {
        if (run(text, len, nodes)) return {};
        return fault(text, len);
    }

    // Is the frame that was parsed last surely as print_frame() would write it?
    bool canonical() const { return canonical_; }

private:
    bool run(const char *text, size_t len, Buffer<value::Node> &nodes);
    Status fault(const char *text, size_t len);

    const Settings &settings_;
    Arena arena_;
    bool raw_, compat_, canonical_ = false;
    uint64_t max_;        // bytes of a frame
    MachineInput input_;  // limits and seed set once, the rest for each frame
};

// Appends the canonical form of the frame whose nodes are nodes[0, count) over text[0, text_len).
// ACCP_E1004 for a decimal of more than six places.
Status print_frame(value::TreeView tree, uint32_t count, size_t text_len, Arena &arena,
                   Buffer<char> &out);

// A frame's text in its parts, without a parser: of one that was parsed, or printed here.
// Brackets and all; `meta` is empty where there is none.
struct FrameText {
    // The three parts of the grammar, which are counted: the header ends before the colon.
    std::string_view header() const { return start.substr(0, start.find(':')); }
    std::string_view body() const {
        const size_t header_len = header().size();
        return {start.data() + header_len, start.size() - header_len + payload.size()};
    }

    std::string_view start, payload, meta;  // the payload is what stands in braces, with them
};
inline FrameText take_apart(std::string_view frame) {
    const size_t payload = frame.find('{');
    // a bracket in a string has a backslash before it, so this stands nowhere else
    size_t meta = frame.find("}[");
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

}  // namespace accp::frame
