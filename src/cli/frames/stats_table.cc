// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See stats_table.h.
#include "cli/frames/stats_table.h"

#include <algorithm>

#include "cli/terminal/table_text.h"

namespace cli {
namespace {

// 0.785 as 78.5 %.
std::string share(uint64_t part, uint64_t whole) {
    if (whole == 0) return "-";
    const uint64_t tenths = (part * 1000 + whole / 2) / whole;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

void write_row(const StatsRow &row, uint64_t all, size_t width, std::string &out) {
    if (row.left_out || row.records == 0) return;
    out.append("  ").append(left(row.name, width)).append(right(grouped(row.tokens), 12));
    out.append(right(share(row.tokens, row.baseline), 10))
        .append(right(grouped(row.bytes), 13))
        .append(right(grouped(row.history), 16));
    out.append(right(grouped(row.longer), 9));
    if (row.records != all)
        out.append("   of ").append(grouped(row.records)).append(" records that have this form");
    out.append("\n");
}

void write_limits(const StatsTable &table, std::string &out) {
    for (int i = 0; i < kFrameParts; ++i) {
        const OverLimit &over = table.over[static_cast<size_t>(i)];
        const PartLimit limit = part_limits()[static_cast<size_t>(i)];
        if (over.soft == 0 && over.hard == 0) continue;
        out.append("warning: ").append(limit.name).append(" over the limits of a frame: ");
        out.append(grouped(over.hard))
            .append(" above ")
            .append(std::to_string(limit.hard))
            .append(" tokens (hard), ");
        out.append(grouped(over.soft))
            .append(" more above ")
            .append(std::to_string(limit.soft))
            .append(" (soft); the largest has ");
        out.append(grouped(over.max)).append("\n");
    }
}

void write_json_row(const StatsRow &row, std::string &out) {
    auto number = [&out](const char *name, uint64_t value) {
        out.append(",\"").append(name).append("\":").append(std::to_string(value));
    };
    out.append("{\"format\":\"");
    for (const char c : row.name) out.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
    out.append("\"");
    number("records", row.records);
    number("tokens", row.tokens);
    number("bytes", row.bytes);
    number("history", row.history);
    number("baseline", row.baseline);
    number("longer", row.longer);
    out.append("}");
}

}  // namespace

void write_stats(const StatsTable &table, bool json, std::string &out) {
    if (json) {
        out.append("{\"tokenizer\":\"")
            .append(table.tokenizer)
            .append("\",\"approx\":")
            .append(table.approx ? "true" : "false")
            .append(",\"rows\":[");
        bool first = true;
        for (const StatsRow &row : table.rows) {
            if (row.left_out || row.records == 0) continue;
            if (!first) out.append(",");
            first = false;
            write_json_row(row, out);
        }
        out.append("]}\n");
        return;
    }
    const uint64_t all = table.rows.front().records;
    size_t width = 0;
    for (const StatsRow &row : table.rows) width = std::max(width, row.name.size());
    out.append(grouped(all))
        .append(all == 1 ? " record, tokens " : " records, tokens ")
        .append(table.approx ? "estimated by " : "by ");
    out.append(table.tokenizer)
        .append("\n\n  ")
        .append(left("", width))
        .append(right("tokens", 12))
        .append(right("of JSON", 10));
    out.append(right("bytes", 13))
        .append(right("as history", 16))
        .append(right("longer", 9))
        .append("\n");
    for (const StatsRow &row : table.rows) write_row(row, all, width, out);
    out.append(
        "\nof JSON: of the same records as compact JSON. as history: when before each record all "
        "earlier ones are sent again.\n"
        "longer: so many records have more tokens than as compact JSON.\n");
    write_limits(table, out);
}

}  // namespace cli
