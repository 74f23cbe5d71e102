// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads records, objects, lists and scalars.
#include "render/read.h"
#include "base/bytes.h"
#include "base/utf8.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp::render {

namespace {

uint32_t text_end(const value::Value &out) { return static_cast<uint32_t>(out.text.size()); }

bool all_differ(value::TreeView tree, uint32_t map, Arena &arena, uint64_t seed) {
    if (tree[map].len > kLinearKeys) {
        const Arena::Mark mark = arena.mark();
        bool duplicate = value::find_equal_key(tree, map, arena, seed) != 0;
        arena.rewind(mark);
        return !duplicate;
    }
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        std::string_view key = tree.key(i);
        if (value::has_key(tree, map, i, key.data(), key.size())) return false;
    }
    return true;
}

}  // namespace

// ---- records

bool RenderReader::Parser::record() {
    const bool untrusted = scan.accept(kUntrustedMessage);
    if (untrusted && !scan.is('@')) return scan.refuse("a message was expected");
    if (scan.is('@')) return head(untrusted);
    if (!root() || !run()) return false;
    return scan.done() || scan.refuse("text after the value");
}

// A key begins the fields of the record; anything else is its only value.
bool RenderReader::Parser::root() {
    const char *begin = scan.at;
    if (scan.is('[') || scan.is('{') || scan.is('(')) return value(0, true);
    if (scan.is('"')) {
        reader.scratch_.clear();
        if (!scan.quoted(reader.scratch_)) return false;
    } else {
        scan.bare_key();
    }
    bool fields = scan.is(':');
    scan.at = begin;
    if (fields) return open_fields(true);
    if (scan.is('"') || scan.is('$')) return value(0, true);
    std::string_view word;
    if (!scan.bare(kStopSpace, word)) return false;
    scan.at = begin;
    return is_literal(word) ? bare(kStopSpace) : scan.refuse("a key and a colon were expected");
}

bool RenderReader::Parser::name(std::string_view key, unsigned char wanted, const char *message) {
    const char *begin = scan.at;
    while (!scan.done() && (byte_class(*scan.at) & wanted)) ++scan.at;
    auto len = static_cast<size_t>(scan.at - begin);
    if (!len || len > reader.settings_.limit(ACCP_LIMIT_KEY_BYTES)) return scan.refuse(message);
    out.add_key(key);
    out.add_scalar(ACCP_STRING, 0, {begin, len});
    return true;
}

// Returns whether the next token is a string that is not a key.
bool RenderReader::Parser::is_text() {
    const char *begin = scan.at;
    reader.scratch_.clear();
    const bool text = scan.is('"') && (!scan.quoted(reader.scratch_) || !scan.is(':'));
    scan.at = begin;
    return text;
}

// Reads `@agent intent:operation`, an optional ` {metadata}`, and the payload.
bool RenderReader::Parser::head(bool untrusted) {
    uint32_t members = 4 + untrusted;
    depth = 1;
    out.open(ACCP_MAP);
    scan.accept('@');
    if (!name("agent", kAgentByte, "an agent is 1 to key_bytes letters, digits, - and _") ||
        !scan.expect(" ", "a space was expected") ||
        !name("intent", kAlphaByte, "an intent is 1 to key_bytes letters") ||
        !scan.expect(":", "a colon was expected") ||
        !name("operation", kWordByte, "an operation is 1 to key_bytes letters, digits and _"))
        return false;
    bool more = scan.accept(' ');
    if (more && scan.is('{')) {
        ++members;
        out.add_key("meta");
        if (!open_fields(false) || !run()) return false;
        more = scan.accept(' ');
    }
    out.add_key("payload");
    abbreviated = reader.settings_.abbreviate;
    in_payload = !untrusted;
    const auto payload = static_cast<uint32_t>(out.nodes.size());
    if (more && in_payload && scan.accept(kUntrustedMark)) untrusted_from = 0;
    if (!more) {
        out.close(out.open(ACCP_MAP), 0);
    } else if (is_text()) {
        if (!quoted()) return false;
    } else {
        if (!(scan.is('(') ? table(true) : open_fields(true)) || !run()) return false;
        if (out.nodes[payload].kind != ACCP_MAP) return scan.refuse("a payload has keys");
    }
    if (untrusted_from != kNone) {
        write_untrusted_list(payload);
        ++members;
    } else if (untrusted) {
        out.add_key(kUntrustedMember);
        out.add_scalar(ACCP_BOOL, ACCP_NODE_TRUE, {});
    }
    out.close(0, members);
    return scan.done() || scan.refuse("text after the payload");
}

// Adds the member that lists the fields after the mark.
void RenderReader::Parser::write_untrusted_list(uint32_t payload) {
    out.add_key(kUntrustedMember);
    const uint32_t list = out.open(ACCP_ARRAY);
    uint32_t place = 0, count = 0;
    for (uint32_t i = payload + 1; i < out.nodes[payload].next; i = out.nodes[i].next) {
        if (place++ < untrusted_from) continue;
        reader.scratch_.clear();  // copied, because adding text moves the key
        reader.scratch_.append(out.view().key(i).data(), out.view().key(i).size());
        out.add_scalar(
            ACCP_STRING, 0,
            {reader.scratch_.data() ? reader.scratch_.data() : "", reader.scratch_.size()});
        ++count;
    }
    out.close(list, count);
}

bool RenderReader::Parser::run() {
    while (!levels.empty())
        if (!next()) return false;
    return true;
}

bool RenderReader::Parser::next() {
    const uint64_t max_bytes = reader.settings_.limit(ACCP_LIMIT_JSON_BYTES);
    if (out.text.size() > max_bytes)
        return scan.refuse_limit(scan.at, "the value is longer than the limit json_bytes allows",
                                 out.text.size(), max_bytes);
    Level &level = top();
    switch (level.kind) {
        case Kind::kFields: return next_field(level);
        case Kind::kItems: return next_item(level);
        case Kind::kRows: return next_row(level);
        default: return next_cell(level);
    }
}

// ---- containers

bool RenderReader::Parser::open(uint8_t kind, Level level) {
    const uint64_t max_depth = reader.settings_.limit(ACCP_LIMIT_JSON_DEPTH);
    if (depth == max_depth)
        return scan.refuse_limit(scan.at,
                                 "arrays and objects are nested deeper than the limit allows",
                                 uint64_t{depth} + 1, max_depth, ACCP_E1004);
    ++depth;
    level.node = out.open(kind);
    levels.push(level);
    return true;
}

bool RenderReader::Parser::open_fields(bool top) {
    if (!top) scan.accept('{');
    Level level = {Kind::kFields};
    level.top = top;
    return open(ACCP_MAP, level);
}

// Closes the innermost level and its container, which must not have equal keys.
bool RenderReader::Parser::close() {
    const Level level = top();
    levels.resize_down(levels.size() - 1);
    --depth;
    out.close(level.node, level.count);
    if (level.owner) reader.arena_.rewind(level.mark);
    bool checked = level.kind == Kind::kCells && !level.rest;  // the header has no equal names
    if (checked || level.count < 2 || out.nodes[level.node].kind != ACCP_MAP) return true;
    return all_differ(out.view(), level.node, reader.arena_, reader.seed_) ||
           scan.refuse("duplicate key");
}

bool RenderReader::Parser::next_field(Level &level) {
    if (level.top ? scan.done() && !level.first : scan.is('}')) {
        if (!level.top) ++scan.at;
        if (!level.rest) return close();
        uint32_t count = level.count;
        levels.resize_down(levels.size() - 1);
        top().count += count;
        return true;
    }
    if (!level.first && !scan.expect(level.broken ? std::string_view("\n ") : " ",
                                     "a space before the next field was expected"))
        return false;
    level.first = level.broken = false;
    if (level.top && in_payload && untrusted_from == kNone && level.count &&
        scan.accept(kUntrustedMark))
        untrusted_from = level.count;
    return field(level);
}

bool RenderReader::Parser::field(Level &level) {
    ++level.count;
    if (!field_key(level.top)) return false;
    if (level.top && scan.accept(' ')) return line_text();
    return value(level.top ? unsigned{kStopSpace} : kStopSpace | kStopClose, level.top);
}

bool RenderReader::Parser::field_key(bool top) {
    reader.scratch_.clear();
    bool is_bare = !scan.is('"');
    if (!scan.key(reader.scratch_) || !scan.expect(":", "a colon was expected")) return false;
    std::string_view key(reader.scratch_.data(), reader.scratch_.size());
    std::string_view full =
        top && is_bare && abbreviated ? frame::key_of_code(key) : std::string_view();
    out.add_key(full.empty() ? key : full);
    return true;
}

bool RenderReader::Parser::line_text() {
    std::string_view text;
    uint32_t begin = text_end(out);
    if (!scan.bare(0, text) || !scan.unescape(text, out.text)) return false;
    out.add_written(ACCP_STRING, 0, begin);
    return true;
}

// ---- arrays: if the first item is bare text, the comma or bracket after it decides whether
// spaces separate items or belong to them

bool RenderReader::Parser::next_item(Level &level) {
    if (scan.accept(']')) return close();
    if (level.first) {
        level.first = false;
        const char *begin = scan.at;
        char c = scan.peek();
        std::string_view text;
        if (c != '"' && c != '[' && c != '{' && c != '(' && c != '$' &&
            !scan.bare(kStopComma | kStopClose, text))
            return false;
        level.comma = scan.is(',');
        scan.at = begin;
        return item(level);
    }
    if (level.count == 1 && scan.is(',')) level.comma = true;
    if (!level.comma)
        return scan.expect(" ", "a space or the closing bracket was expected") && item(level);
    if (!scan.expect(",", "a comma or the closing bracket was expected")) return false;
    scan.accept(' ');
    return item(level);
}

bool RenderReader::Parser::item(Level &level) {
    ++level.count;
    return value(kStopComma | kStopClose | (level.comma ? 0 : unsigned{kStopSpace}), false);
}

// ---- values

bool RenderReader::Parser::value(unsigned stops, bool top) {
    Level items = {Kind::kItems};
    switch (scan.peek()) {
        case '"': return quoted();
        case '$': return ref();
        case '(': return table(top);
        case '{': return open_fields(false);
        case '[': ++scan.at; return open(ACCP_ARRAY, items);
        default: return bare(stops);
    }
}

bool RenderReader::Parser::quoted() {
    uint32_t begin = text_end(out);
    if (!scan.quoted(out.text)) return false;
    out.add_written(ACCP_STRING, 0, begin);
    return true;
}

bool RenderReader::Parser::ref() {
    const char *begin = ++scan.at;
    while (!scan.done() && (is_word(static_cast<unsigned char>(*scan.at)) || *scan.at == '.'))
        ++scan.at;
    std::string_view name(begin, static_cast<size_t>(scan.at - begin));
    if (name.size() > kMaxKeyBytes || !frame::is_ref(begin, static_cast<uint32_t>(name.size())))
        return scan.refuse(begin,
                           "a ref is labels of letters, digits and _ with a dot between them");
    out.add_scalar(ACCP_REF, 0, name);
    return true;
}

bool RenderReader::Parser::bare(unsigned stops) {
    const char *begin = scan.at;
    std::string_view text;
    if (!scan.bare(stops, text)) return false;
    if (text == "-") return scan.refuse(begin, "- is only allowed for an absent cell");
    if (text == "true" || text == "false") {
        out.add_scalar(ACCP_BOOL, text == "true" ? ACCP_NODE_TRUE : 0, {});
    } else if (text == "null") {
        out.add_scalar(ACCP_NULL, 0, {});
    } else if (is_literal(text)) {
        out.add_scalar(value::scan_number(text.data(), text.data() + text.size()).kind, 0, text);
    } else {
        uint32_t start = text_end(out);
        if (!scan.unescape(text, out.text)) return false;
        out.add_written(ACCP_STRING, 0, start);
    }
    return true;
}

Status RenderReader::read(const char *text, size_t len, size_t start, value::Value &out) {
    out.clear();
    arena_.reset();
    levels_.recycle(kKeptBytes);
    scratch_.recycle(kKeptBytes);
    if (len > settings_.limit(ACCP_LIMIT_JSON_BYTES))
        return fail_limit(ACCP_E1001, settings_.limit(ACCP_LIMIT_JSON_BYTES),
                          "the text is longer than the limit json_bytes allows", len,
                          settings_.limit(ACCP_LIMIT_JSON_BYTES));
    size_t valid = valid_utf8_prefix(text, len);
    if (valid < len) return fail(ACCP_E1004, valid, "not UTF-8");
    Parser parser(*this, text, len, start, out);
    return parser.record() ? Status{} : parser.scan.fault();
}

}  // namespace accp::render
