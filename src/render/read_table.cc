// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads tables row by row, following the steps of their header.
#include "base/bytes.h"
#include "render/read.h"

namespace accp::render {

namespace {

constexpr size_t kMaxCountDigits = 9;

}  // namespace

bool RenderReader::Parser::table(bool top) {
    const Arena::Mark mark = reader.arena_.mark();
    Table *table = read_header(scan, reader.arena_, reader.scratch_, reader.seed_);
    if (!table || !scan.expect("[", "the rows of the table were expected")) return false;
    Level level = {Kind::kRows};
    level.table = table;
    level.owner = true;
    level.mark = mark;
    const char *digits = scan.at;
    while (top && static_cast<size_t>(scan.at - digits) < kMaxCountDigits && !scan.done() &&
           is_digit(static_cast<unsigned char>(*scan.at)))
        level.rows = level.rows * 10 + static_cast<uint64_t>(*scan.at++ - '0');
    level.top = scan.at > digits && scan.accept("]:") && scan.at_line_end();
    if (!level.top) scan.at = digits;
    set_stops(*table, !level.top);
    return open(table->keyed ? ACCP_MAP : ACCP_ARRAY, level);
}

bool RenderReader::Parser::next_row(Level &level) {
    if (level.top) {
        if (level.count < level.rows)
            return scan.expect("\n", "another row was expected") && row(level);
        if (!close()) return false;
        if (!levels.empty()) top().broken = true;
        return true;
    }
    if (scan.accept(']')) return close();
    if (!level.first && !scan.expect(";", "a semicolon or the closing bracket was expected"))
        return false;
    if (!level.first) scan.accept(' ');
    level.first = false;
    return row(level);
}

bool RenderReader::Parser::row(Level &level) {
    ++level.count;
    Level cells = {Kind::kCells};
    cells.top = level.top;
    cells.table = level.table;
    cells.end = level.table->count;
    if (level.table->keyed) {
        reader.scratch_.clear();
        if (!scan.key(reader.scratch_) ||
            !scan.expect(level.table->key_gap.view(),
                         "the key of a row and its colon were expected"))
            return false;
        out.add_key({reader.scratch_.data(), reader.scratch_.size()});
    }
    return open(ACCP_MAP, cells);
}

bool RenderReader::Parser::at_row_end() const {
    return levels[levels.size() - 1].top ? scan.at_line_end()
                                         : scan.done() || scan.is(';') || scan.is(']');
}

bool RenderReader::Parser::next_cell(Level &level) {
    if (level.step == level.end) return close();
    const Step &step = level.table->steps[level.step];
    if (!level.first) {
        bool ended = at_row_end();
        if (ended && !step.optional) return scan.refuse("a row with fewer cells than it must have");
        if (!ended &&
            !scan.expect(step.before.view(),
                         "the gap before the next cell was expected, or the end of the row"))
            return false;
        if (ended) {
            level.step = step.skip;
            return true;
        }
    }
    level.first = false;
    if (step.optional && is_mark(kAbsent, scan.at, scan.end)) {
        ++scan.at;
        level.step = step.skip;
        return true;
    }
    return cell(level, step);
}

bool RenderReader::Parser::cell(Level &level, const Step &step) {
    Level inside = {Kind::kCells};
    inside.top = level.top;
    inside.table = level.table;
    inside.step = level.step + 1;
    inside.end = step.skip;
    level.step = step.skip;
    if (step.kind == StepKind::kRest) {
        if (!scan.expect("{", "the other fields, in braces, were expected")) return false;
        level.rest = true;
        inside = {Kind::kFields};
        inside.rest = true;
        levels.push(inside);
        return true;
    }
    ++level.count;
    out.add_key(step.name);
    if (step.kind == StepKind::kCell) return value(step.stops, false);
    bool null =
        (step.kind == StepKind::kRows || step.optional) && is_mark(kNull, scan.at, scan.end);
    if (null) return bare(kStopSpace | kStopComma | kStopPipe | kStopClose);
    if (step.kind == StepKind::kGroup) return open(ACCP_MAP, inside);
    if (!scan.expect("[", "rows in brackets were expected")) return false;
    inside = {Kind::kRows};
    inside.table = step.table;
    return open(ACCP_ARRAY, inside);
}

uint64_t count_row_lines(std::string_view line) {
    if (line.size() < 4 || line.substr(line.size() - 2) != "]:") return 0;
    size_t digits = line.size() - 2;
    while (digits && is_digit(static_cast<unsigned char>(line[digits - 1]))) --digits;
    if (!digits || line[digits - 1] != '[' || line.size() - 2 - digits > kMaxCountDigits) return 0;
    uint64_t rows = 0;
    for (size_t i = digits; i < line.size() - 2; ++i)
        rows = rows * 10 + static_cast<uint64_t>(line[i] - '0');
    return rows;
}

}  // namespace accp::render
