// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One JSON object on a line, written member by member and read by name. Any bytes go there and
// back: what is UTF-8 is a string, anything else stands in hexadecimal under NAME_hex. A document
// is bytes that are mostly JSON: where it is compact JSON as the library writes it, it stands as
// that JSON, else as text under NAME_text.
#pragma once

#include "value/json_reader.h"
#include "value/value.h"

namespace accp::value {

class JsonLine {
public:
    JsonLine(Memory &memory, Buffer<char> &out)
        : out_(out), text_(memory), printed_(memory), reader_(memory), value_(memory) {}

    void begin();  // the line, or an object that is an item of an array
    void end() { close('}'); }
    // After end(): the line's own end, and the next begins.
    void next() {
        out_.push('\n');
        first_ = true;
    }
    // A member that is an object, which end() ends, or an array.
    void begin_object(std::string_view key);
    void begin_array(std::string_view key);
    void end_array() { close(']'); }

    void number(std::string_view key, uint64_t value);
    void item(uint64_t value);  // of an array
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

// A number without a sign, digits alone. False for any other node.
bool parse_number(TreeView tree, uint32_t node, uint64_t &out);

// The members of a map. False: it is not there, or of another kind.
class JsonFields {
public:
    JsonFields(TreeView tree, uint32_t map) : tree_(tree), map_(map) {}

    bool number(std::string_view key, uint64_t &out) const;
    bool boolean(std::string_view key) const;  // false too where it is not there
    // A view until the value is read anew; what was in hexadecimal is decoded in its place.
    bool text(std::string_view key, std::string_view &out, std::string_view ending = {}) const;
    bool document(std::string_view key, Buffer<char> &out) const;  // replaces `out`
    // The node of a member, or 0.
    uint32_t find(std::string_view key, uint8_t kind) const;
    TreeView tree() const { return tree_; }

private:
    uint32_t find_named(std::string_view key, std::string_view ending) const;

    TreeView tree_;
    uint32_t map_;
};

}  // namespace accp::value
