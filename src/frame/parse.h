// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From bytes to a flat tree, and back to canonical text. The machines (machine.cc) accept or reject
// a frame as fast as possible. If they reject it, locate.cc then finds the error byte by byte.
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
// Returns the node of the metadata, or 0.
inline uint32_t metadata_of(const value::Node *nodes, size_t count) {
    return nodes[kPayload].next < count ? nodes[kPayload].next : 0;
}

// The input of a machine (machine.cc).
struct MachineInput {
    const char *text;
    uint32_t len;
    Symbols symbols;
    value::Node *nodes;  // space for symbols.count + 4
    Arena *arena;        // for large sets of keys
    uint64_t seed;
    uint32_t depth, params, items, key_bytes;
};

// The result of a machine; 0 nodes if the frame is invalid.
struct Parsed {
    uint32_t count;
    bool canonical;  // false if print_frame() may change the text
};

// The machines: one for the dialects strict and u8, one for compat.
Parsed run_strict_machine(const MachineInput &input);
Parsed run_compat_machine(const MachineInput &input);

// Finds the error in a rejected frame: the first byte after which no continuation is valid. Always
// returns a failure, E1001. Uses the machine of ragel/locate.rl.
Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena);

class Parser {
public:
    Parser(Memory &memory, const Settings &settings);

    // Appends the tree of one frame to `nodes`; `next` counts from the first node of the frame. On
    // failure `nodes` is unchanged.
    Status parse(const char *text, size_t len, Buffer<value::Node> &nodes) {
        if (run(text, len, nodes)) return {};
        return fault(text, len);
    }

    // Returns whether the last parsed frame is certainly canonical, as print_frame() would write
    // it.
    bool canonical() const { return canonical_; }

private:
    bool run(const char *text, size_t len, Buffer<value::Node> &nodes);
    Status fault(const char *text, size_t len);

    const Settings &settings_;
    Arena arena_;
    bool raw_, compat_, canonical_ = false;
    uint64_t max_;        // bytes of a frame
    MachineInput input_;  // limits and seed are set once, the rest for each frame
};

// Appends the canonical form (specification 3.1.1) of the frame with these nodes and this text.
// Returns E1004 for a decimal with more than six places.
Status print_frame(value::TreeView tree, uint32_t count, size_t text_len, Arena &arena,
                   Buffer<char> &out);

// The parts of a valid frame's text, found without a parser. The parts include their brackets;
// `meta` may be empty.
struct FrameText {
    // The parts whose tokens are counted. The header ends before the colon.
    std::string_view header() const { return start.substr(0, start.find(':')); }
    std::string_view body() const {
        const size_t header_len = header().size();
        return {start.data() + header_len, start.size() - header_len + payload.size()};
    }

    std::string_view start, payload, meta;  // the payload includes its braces
};
inline FrameText split_frame(std::string_view frame) {
    const size_t payload = frame.find('{');
    // in a string a bracket follows a backslash, so this occurs only here
    size_t meta = frame.find("}[");
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

}  // namespace accp::frame
