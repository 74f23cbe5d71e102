// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_view.h.
#include "cli/packet/view.h"

#include <algorithm>

#include "cli/host.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

struct LayerLook {
    uint32_t bit;
    const char *name, *colour;
};
constexpr LayerLook kLayers[] = {{ACCP_PACKET_GOALS, "goal", "\x1b[36m"},
                                 {ACCP_PACKET_DECISIONS, "decisions", "\x1b[32m"},
                                 {ACCP_PACKET_CODEBASE, "codebase", "\x1b[33m"},
                                 {ACCP_PACKET_HISTORY, "history", "\x1b[35m"}};
constexpr const char *kPlain = "\x1b[0m";
constexpr uint64_t kBudgets[] = {100, 400, 800};
constexpr size_t kNameWidth = 12, kNumberWidth = 6;
constexpr uint64_t kBarWidth = 40;  // columns: the whole budget

uint64_t budget_of(uint64_t tokens) {
    for (uint64_t budget : kBudgets)
        if (tokens <= budget) return budget;
    return tokens;
}

void append_bar(const LayerLook &layer, uint64_t tokens, uint64_t budget, std::string &out) {
    const uint64_t columns = std::min(kBarWidth, (tokens * kBarWidth + budget - 1) / budget);
    out.append(left(layer.name, kNameWidth)).append(right(grouped(tokens), kNumberWidth));
    out.append("  ").append(layer.colour);
    for (uint64_t i = 0; i < columns; ++i) out.append("\u2588");
    out.append(kPlain).append("\n");
}

}  // namespace

void show_layers(accp_packet *packet, uint64_t budget_tokens, std::string &out) {
    accp_error err = {};
    std::string bars;
    const uint64_t all = accp_packet_tokens(packet);
    const uint64_t budget = budget_tokens ? budget_tokens : budget_of(all);
    for (const LayerLook &layer : kLayers) {
        accp_text text = {};
        uint64_t tokens = 0;
        if (accp_packet_count_layers(packet, layer.bit, &tokens, &err) != ACCP_OK ||
            accp_packet_print_layers(packet, layer.bit, &text, &err) != ACCP_OK)
            throw Failure(message_of(err));
        if (!text.len) continue;
        out.append(layer.colour).append(text.text, text.len).append(kPlain).append("\n");
        append_bar(layer, tokens, budget, bars);
    }
    out.append(bars).append(left("of " + grouped(budget), kNameWidth));
    out.append(right(grouped(all), kNumberWidth)).append("  tokens\n");
}

}  // namespace cli
