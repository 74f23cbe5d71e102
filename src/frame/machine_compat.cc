// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The machine of the compat dialect, from ragel/lexer_compat.rl.
#include "frame/machine.h"

// Ragel's output falls through from state to state.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace accp::frame {

Parsed run_compat_machine(const MachineInput &input) {
    const uint8_t *codes = input.symbols.codes;
    const uint32_t *p = input.symbols.positions;
    int cs, top, stack[kMaxDepth];
    uint32_t loose = 0;
    Level levels[kMaxDepth + 1];
    Tree tree(input, levels);
#include "../../ragel/generated/lexer_compat.inc"
    return {};
}

}  // namespace accp::frame
