// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/json_line.h"

#include <charconv>
#include <cstring>

#include "base/utf8.h"
#include "value/json_writer.h"

namespace accp::value {

namespace {

constexpr std::string_view kHex = "_hex", kText = "_text";
constexpr char kDigits[] = "0123456789abcdef";
// A document is nested one or two levels deep in its line, and the reader limits the depth of both.
constexpr uint32_t kDocumentDepth = kMaxJsonDepth - 2;

// Decodes in place: two digits become one byte.
bool decode_hex(std::string_view hex, std::string_view &out) {
    char *to = const_cast<char *>(hex.data());
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned byte = 0;
        if (std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16).ptr != hex.data() + i + 2)
            return false;
        to[i / 2] = static_cast<char>(byte);
    }
    out = {to, hex.size() / 2};
    return hex.size() % 2 == 0;
}

}  // namespace

void JsonLine::comma() {
    if (!first_) out_.push(',');
    first_ = false;
}

void JsonLine::begin() {
    comma();
    out_.push('{');
    first_ = true;
}

void JsonLine::close(char bracket) {
    out_.push(bracket);
    first_ = false;
}

void JsonLine::name(std::string_view key, std::string_view ending) {
    comma();
    out_.push('"');
    out_.append(key);
    out_.append(ending);
    out_.append("\":");
}

void JsonLine::begin_object(std::string_view key) {
    name(key);
    out_.push('{');
    first_ = true;
}

void JsonLine::begin_array(std::string_view key) {
    name(key);
    out_.push('[');
    first_ = true;
}

void JsonLine::number(std::string_view key, uint64_t value) {
    name(key);
    first_ = true;
    item(value);
}

void JsonLine::item(uint64_t value) {
    char digits[20];
    comma();
    out_.append({digits, static_cast<size_t>(
                             std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
}

void JsonLine::boolean(std::string_view key, bool value) {
    name(key);
    out_.append(value ? "true" : "false");
}

void JsonLine::text(std::string_view key, std::string_view bytes, std::string_view ending) {
    if (valid_utf8_prefix(bytes.data(), bytes.size()) == bytes.size()) {
        name(key, ending);
        text_.assign(bytes);
        text_.reserve(1);
        write_json_string(text_.view(), out_);
        return;
    }
    name(key, kHex);
    out_.push('"');
    char *to = out_.reserve(2 * bytes.size());
    for (unsigned char c : bytes) {
        *to++ = kDigits[c >> 4];
        *to++ = kDigits[c & 15];
    }
    out_.advance(2 * bytes.size());
    out_.push('"');
}

void JsonLine::document(std::string_view key, std::string_view bytes) {
    if (!is_json(bytes)) return text(key, bytes, kText);
    name(key);
    out_.append(bytes);
}

// Returns whether the text is compact JSON exactly as write_json() prints it.
bool JsonLine::is_json(std::string_view bytes) {
    if (bytes.empty()) return false;
    text_.assign(bytes);
    text_.reserve(1);
    const JsonLimits limits = {kMaxTextBytes, kDocumentDepth};
    if (reader_.read(text_.data(), text_.size(), limits, value_).failed()) return false;
    printed_.clear();
    write_json(value_.view(), 0, printed_);
    return printed_.view() == bytes;
}

bool parse_number(TreeView tree, uint32_t node, uint64_t &out) {
    if (tree[node].kind != ACCP_INT) return false;
    const std::string_view digits = tree.string(node);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return read.ec == std::errc{} && read.ptr == digits.data() + digits.size();
}

uint32_t JsonFields::find(std::string_view key, uint8_t kind) const {
    const uint32_t at = tree_.find(map_, key);
    return at && tree_[at].kind == kind ? at : 0;
}

uint32_t JsonFields::find_named(std::string_view key, std::string_view ending) const {
    char whole[32];
    if (key.size() + ending.size() > sizeof whole) return 0;
    std::memcpy(whole, key.data(), key.size());
    if (!ending.empty()) std::memcpy(whole + key.size(), ending.data(), ending.size());
    return find({whole, key.size() + ending.size()}, ACCP_STRING);
}

bool JsonFields::number(std::string_view key, uint64_t &out) const {
    const uint32_t at = tree_.find(map_, key);
    return at && parse_number(tree_, at, out);
}

bool JsonFields::boolean(std::string_view key) const {
    const uint32_t at = find(key, ACCP_BOOL);
    return at && tree_[at].flags & ACCP_NODE_TRUE;
}

bool JsonFields::text(std::string_view key, std::string_view &out, std::string_view ending) const {
    if (const uint32_t at = find_named(key, ending)) {
        out = tree_.string(at);
        return true;
    }
    const uint32_t at = find_named(key, kHex);
    return at && decode_hex(tree_.string(at), out);
}

bool JsonFields::document(std::string_view key, Buffer<char> &out) const {
    std::string_view bytes;
    out.clear();
    if (const uint32_t at = tree_.find(map_, key)) {
        write_json(tree_, at, out);
        return true;
    }
    if (!text(key, bytes, kText)) return false;
    out.append(bytes);
    return true;
}

}  // namespace accp::value
