// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Answers of tools are kept as JSON, as the library writes it (value/json_writer.h): a reference
// into one is a slice of its text, found without a tree.
//
// What goes from step to step: params with their references replaced, and outputs of parts
// (SACP-RULES R30 to R33, R45, R47).
#pragma once

#include "sacp/library/library.h"
#include "sacp/run/program.h"

namespace accp::sacp {

// What labels lead to from a value on, as TreeIndex finds it in a tree; its pointer is
// null: nowhere. `scratch` is replaced.
std::string_view find_path(std::string_view json, std::string_view labels, Buffer<char> &scratch);

// A member of an object, by its key as JSON.
std::string_view find_member(std::string_view object, std::string_view key);

// Appends a value so that in a message's params it means what it is: text that would be read as a
// reference gets a `$` before it (R30).
void write_as_text(std::string_view json, Buffer<char> &out);

// As has_type().
bool has_type(std::string_view json, Type type);

class DataFlow {
public:
    DataFlow(Memory &memory, Progress &progress) : progress_(progress), scratch_(memory) {}

    enum class Fault : uint8_t { kNone, kUnresolved, kTooLong };

    // Appends the params of a step as its tool gets them; they may be `max` bytes. Where they are
    // at fault, nothing is appended.
    Fault write_params(uint32_t step, uint64_t max, Buffer<char> &out);
    // As they stand in the message.
    void write_as_written(uint32_t step, Buffer<char> &out) const;
    // The ctx of a message: of one inside another its references are the other's.
    Fault write_ctx(uint32_t scope, uint64_t max, Buffer<char> &out);
    // What a part that is done has made. False: it is longer than `max`.
    bool write_output(uint32_t part, uint64_t max, Buffer<char> &out) const;

    // The first param that is not of its type once references are replaced; 0: all are. To be asked
    // with the text that write_params() made.
    uint32_t find_wrong_type(uint32_t step, std::string_view params, Type &wanted);

private:
    // Where a reference stands.
    struct Target {
        uint32_t scope;
        uint64_t end;  // what `out` may grow to
    };

    Fault write_value(uint32_t node, const Target &target, Buffer<char> &out);
    Fault write_container(uint32_t node, const Target &target, Buffer<char> &out);
    Fault write_string(uint32_t node, const Target &target, Buffer<char> &out);
    Fault write_reference(uint32_t node, const Target &target, Buffer<char> &out);
    Fault write_slice(std::string_view json, const Target &target, Buffer<char> &out) const;
    Fault write_branches(uint32_t step, const Target &target, Buffer<char> &out) const;
    Fault finish_text(Fault fault, size_t begin, const Target &target, Buffer<char> &out) const;

    value::TreeView tree() const { return progress_.program.tree(); }
    bool has_references(uint32_t begin, uint32_t end) const;
    std::string_view find_ctx(uint32_t scope, std::string_view labels);

    Progress &progress_;
    Buffer<char> scratch_;
};

}  // namespace accp::sacp
