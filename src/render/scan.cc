// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "render/scan.h"

#include "base/limits.h"
#include "value/json_reader.h"
#include "value/keys.h"

namespace accp::render {

bool Scanner::quoted(Buffer<char> &out) {
    const char *begin = at + 1, *p = begin;
    while (p < end && *p != '"' && static_cast<unsigned char>(*p) >= 0x20)
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    if (p >= end || *p != '"')
        return refuse(p < end ? p : end, "a string without its closing quote");
    value::StringCopy copy =
        value::copy_json_string(begin, end, out.reserve(static_cast<size_t>(p - begin) + 16));
    if (copy.fault) {
        fault_ = value::json_string_fault(copy.fault, text_);
        return false;
    }
    out.set_end(copy.written);
    at = p + 1;
    return true;
}

bool Scanner::bare(unsigned stops, std::string_view &out) {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & stops) && static_cast<unsigned char>(*at) >= 0x20) ++at;
    out = {begin, static_cast<size_t>(at - begin)};
    return !out.empty() || refuse("a value was expected");
}

bool Scanner::unescape(std::string_view bare, Buffer<char> &out) {
    const char *from = bare.data(), *last = from + bare.size();
    char *to = out.reserve(bare.size() + 4);
    while (from < last) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *escape = from;
        if (value::copy_json_escape(from, last, to)) continue;
        return refuse(escape, "not an escape");
    }
    out.set_end(to);
    return true;
}

std::string_view Scanner::bare_key() {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & kNoKeyByte)) ++at;
    return {begin, static_cast<size_t>(at - begin)};
}

bool Scanner::key(Buffer<char> &out) {
    const char *begin = at;
    size_t start = out.size();
    if (is('"')) {
        if (!quoted(out)) return false;
    } else {
        std::string_view word = bare_key();
        if (word.empty()) return refuse("a key was expected");
        out.append(word);
    }
    if (out.size() - start > kMaxKeyBytes)
        return refuse_limit(begin, "a key of more than 65,535 bytes", out.size() - start,
                            kMaxKeyBytes, ACCP_E1004);
    return true;
}

// Reads a table's header (docs/render.md).

namespace {

// Nested brackets in a header; the writer opens at most seven. Bounds recursion.
constexpr uint32_t kMaxHeaderDepth = 8;

class HeaderReader {
public:
    HeaderReader(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed)
        : from_(from), arena_(arena), scratch_(scratch), seed_(seed) {}

    Table *header(uint32_t depth);

private:
    // The steps of one table; a nested table has its own.
    struct Steps {
        Step *items = nullptr;
        uint32_t count = 0, room = 0;
    };

    bool columns(Steps &steps, Gap gap, char closing, uint32_t depth);
    bool column(Steps &steps, Gap gap, bool first, uint32_t depth);
    bool read_name(std::string_view &name);
    bool read_gap(Gap &gap);
    bool all_differ(const Steps &steps, uint32_t first);
    uint32_t push(Steps &steps, const Step &step);

    Scanner &from_;
    Arena &arena_;
    Buffer<char> &scratch_;
    uint64_t seed_;
};

Table *HeaderReader::header(uint32_t depth) {
    if (depth == kMaxHeaderDepth)
        return from_.refuse("the brackets of a header are nested too deeply"), nullptr;
    from_.accept('(');
    auto *table = arena_.allocate<Table>(1);
    *table = {};
    const char *begin = from_.at;
    if (from_.accept("key:")) {
        table->keyed = true;
        table->key_gap = {{':', ' '}, static_cast<uint8_t>(1 + from_.accept(' '))};
    } else {
        from_.at = begin;
    }
    Steps steps;
    if (!columns(steps, {}, ')', depth)) return nullptr;
    table->steps = steps.items;
    table->count = steps.count;
    return table;
}

// Reads columns up to the closing bracket, and skips it.
bool HeaderReader::columns(Steps &steps, Gap gap, char closing, uint32_t depth) {
    uint32_t first = steps.count;
    for (;;) {
        uint32_t place = steps.count;
        if (!column(steps, gap, place == first, depth)) return false;
        if (from_.accept(closing)) break;
        if (steps.items[place].kind == StepKind::kRest)
            return from_.refuse("no column can follow the dots");
        if (!read_gap(gap)) return false;
    }
    return all_differ(steps, first);
}

bool HeaderReader::column(Steps &steps, Gap gap, bool first, uint32_t depth) {
    Step step = {StepKind::kCell, false, 0, gap, 0, {}, nullptr, nullptr};
    if (from_.accept("...")) step.kind = StepKind::kRest;
    else if (!read_name(step.name)) return false;
    step.optional = step.kind == StepKind::kRest || from_.accept('?');
    if (first && step.optional) return from_.refuse("the first column cannot be optional");
    uint32_t place = push(steps, step);
    if (step.kind == StepKind::kCell && from_.is('(')) {
        Table *table = header(depth + 1);
        if (!table) return false;
        if (table->keyed) return from_.refuse("rows inside rows cannot have keys");
        set_stops(*table, true);
        steps.items[place].kind = StepKind::kRows;
        steps.items[place].table = table;
    } else if (step.kind == StepKind::kCell && from_.accept('{')) {
        steps.items[place].kind = StepKind::kGroup;
        if (depth + 1 == kMaxHeaderDepth)
            return from_.refuse("the brackets of a header are nested too deeply");
        if (!columns(steps, gap, '}', depth + 1)) return false;
    }
    steps.items[place].skip = steps.count;
    return true;
}

bool HeaderReader::read_name(std::string_view &name) {
    if (!from_.is('"')) {
        name = from_.bare_key();
        return !name.empty() || from_.refuse("the name of a column was expected");
    }
    scratch_.clear();
    if (!from_.key(scratch_)) return false;
    char *copy = arena_.allocate<char>(scratch_.size() + 1);
    std::memcpy(copy, scratch_.data(), scratch_.size());
    name = {copy, scratch_.size()};
    return true;
}

bool HeaderReader::read_gap(Gap &gap) {
    char c = from_.peek();
    if (c != ' ' && c != ',' && c != '|')
        return from_.refuse("a gap between columns, or the closing bracket, was expected");
    ++from_.at;
    gap = {{c, ' '}, static_cast<uint8_t>(1 + (c != ' ' && from_.accept(' ')))};
    return true;
}

bool HeaderReader::all_differ(const Steps &steps, uint32_t first) {
    auto *names = arena_.allocate<std::string_view>(steps.count - first);
    uint32_t count = 0;
    for (uint32_t i = first; i < steps.count; i = steps.items[i].skip)
        if (steps.items[i].kind != StepKind::kRest) names[count++] = steps.items[i].name;
    for (uint32_t i = 0; i < count; ++i)
        if (names[i].size() > kMaxKeyBytes)
            return from_.refuse(from_.at, "a key of more than 65,535 bytes", ACCP_E1004);
    return !value::find_equal(names, count, arena_, seed_) ||
           from_.refuse("duplicate name in a header");
}

uint32_t HeaderReader::push(Steps &steps, const Step &step) {
    if (steps.count == steps.room) {
        steps.room = steps.room ? steps.room * 2 : 16;
        auto *wider = arena_.allocate<Step>(steps.room);
        if (steps.count) std::memcpy(wider, steps.items, steps.count * sizeof *wider);
        steps.items = wider;
    }
    steps.items[steps.count] = step;
    return steps.count++;
}

}  // namespace

Table *read_header(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed) {
    return HeaderReader(from, arena, scratch, seed).header(0);
}

}  // namespace accp::render
