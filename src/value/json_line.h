// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON objects on one line each, written member by member and read by name. All bytes survive:
// UTF-8 becomes a string, and any other bytes are stored in hexadecimal under NAME_hex. A document
// is text that is usually JSON. If it is compact JSON as write_json() prints it, it is embedded as
// that JSON, else stored as text under NAME_text.
#pragma once

#include "value/json_reader.h"
#include "value/value.h"

namespace accp::value {

class JsonLine {
public:
    JsonLine(Memory &memory, Buffer<char> &out)
        : out_(out), text_(memory), printed_(memory), reader_(memory), value_(memory) {}

    void begin();  // begins a line, or an object in an array
    void end() { close('}'); }
    // Ends the line. Call it after end().
    void next() {
        out_.push('\n');
        first_ = true;
    }
    // Begins a member that is an object or an array. end() or end_array() closes it.
    void begin_object(std::string_view key);
    void begin_array(std::string_view key);
    void end_array() { close(']'); }

    void number(std::string_view key, uint64_t value);
    void item(uint64_t value);  // appends an element of an array
    void boolean(std::string_view key, bool value);
    void text(std::string_view key, std::string_view bytes, std::string_view ending = {});
    void document(std::string_view key, std::string_view bytes);

private:
    void comma();
    void name(std::string_view key, std::string_view ending = {});
    void close(char bracket);
    bool is_json(std::string_view bytes);

    Buffer<char> &out_;
    Buffer<char> text_, printed_;
    JsonReader reader_;
    Value value_;
    bool first_ = true;
};

// Reads a non-negative integer. Returns false for any other node.
bool parse_number(TreeView tree, uint32_t node, uint64_t &out);

// Reads the members of a map. Functions return false if the member is missing or has another type.
class JsonFields {
public:
    JsonFields(TreeView tree, uint32_t map) : tree_(tree), map_(map) {}

    bool number(std::string_view key, uint64_t &out) const;
    bool boolean(std::string_view key) const;  // also false if the member is missing
    // The view is valid until the value changes. Hexadecimal is decoded in place.
    bool text(std::string_view key, std::string_view &out, std::string_view ending = {}) const;
    bool document(std::string_view key, Buffer<char> &out) const;  // replaces `out`
    // Returns the node of a member with this type, or 0.
    uint32_t find(std::string_view key, uint8_t kind) const;
    TreeView tree() const { return tree_; }

private:
    uint32_t find_named(std::string_view key, std::string_view ending) const;

    TreeView tree_;
    uint32_t map_;
};

}  // namespace accp::value
