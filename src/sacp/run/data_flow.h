// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The flow of data between steps: params with their references resolved, and outputs of parts
// (SACP-RULES R30 to R33, R45, R47). Outputs of tools are kept as JSON as value/json_writer.h
// writes it, so a reference resolves to a slice of that text, without a tree.
#pragma once

#include "sacp/library/library.h"
#include "sacp/run/program.h"

namespace accp::sacp {

// Follows labels from a value, like TreeIndex::find_path(). Returns a null view if they lead
// nowhere. Replaces `scratch`.
std::string_view find_path(std::string_view json, std::string_view labels, Buffer<char> &scratch);

// Finds a member of an object. `key` is JSON, with its quotes.
std::string_view find_member(std::string_view object, std::string_view key);

// Appends a value so that it means itself in params: text that would be read as a reference gets a
// `$` before it (R30).
void write_as_text(std::string_view json, Buffer<char> &out);

// Like has_type() for a tree.
bool has_type(std::string_view json, Type type);

class DataFlow {
public:
    DataFlow(Memory &memory, Progress &progress) : progress_(progress), scratch_(memory) {}

    enum class Fault : uint8_t { kNone, kUnresolved, kTooLong };

    // Appends the params of a step for its tool, at most `max` bytes. Appends nothing on a fault.
    Fault write_params(uint32_t step, uint64_t max, Buffer<char> &out);
    // Appends the params as they are in the message.
    void write_as_written(uint32_t step, Buffer<char> &out) const;
    // Appends the ctx of a message. References in a nested message's ctx refer to the outer
    // message.
    Fault write_ctx(uint32_t scope, uint64_t max, Buffer<char> &out);
    // Appends the output of a finished part. Returns false if it is longer than `max`.
    bool write_output(uint32_t part, uint64_t max, Buffer<char> &out) const;

    // Returns the first param that has the wrong type after references are resolved, or 0. `params`
    // is the text from write_params().
    uint32_t find_wrong_type(uint32_t step, std::string_view params, Type &wanted);

private:
    // The scope of a reference and the limit of the output.
    struct Target {
        uint32_t scope;
        uint64_t end;  // maximum size of `out`
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
