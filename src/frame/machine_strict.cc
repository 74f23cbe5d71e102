// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The machine of the strict and u8 dialects, from ragel/lexer.rl.
#include "frame/machine.h"

// Ragel's output falls through from state to state.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace accp::frame {

Parsed run_strict_machine(const MachineInput &input) {
    const uint8_t *codes = input.symbols.codes;
    const uint32_t *p = input.symbols.positions;
    int cs, top, stack[kMaxDepth];
    Level levels[kMaxDepth + 1];
    Tree tree(input, levels);
#include "../../ragel/generated/lexer.inc"
    return {};
}

}  // namespace accp::frame
