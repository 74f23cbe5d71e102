// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One line of an export, read. In the form of today each line is written again from what was read
// of it: one that then differs was damaged, and the failure names the byte. Of the form before it,
// whose session has no member `form`, unknown members are passed over.
#pragma once

#include "store/export_lines.h"

namespace accp::store {

class ImportLine {
public:
    ImportLine(Memory &memory, RecordForm *form)
        : reader_(memory),
          value_(memory),
          bytes_(memory),
          again_(memory),
          lines_(memory, again_, form),
          record_form_(form) {}

    // Parses the next line. All views that are given below are of it.
    Status parse(std::string_view line);
    bool is_session() { return fields().text("session", text_); }
    // The session that begins with this line; `row.last`: how many records it says it has.
    Status session(std::string_view &id, SessionRow &row, std::string_view &state);
    // What any other line adds to it.
    Status add_to(StoreBatch &batch);
    // Of the session that was begun last: does its first line say how many records it has?
    bool counts_records() const { return form_ != 1; }

private:
    Status record(StoreBatch &batch);
    Status blob(StoreBatch &batch);
    Status mid(StoreBatch &batch);
    Status grant(StoreBatch &batch);
    Status form();
    Status state(std::string_view &state);
    Status compare();

    value::JsonFields fields() const { return {value_.view(), 0}; }
    // Numbers of an export are those that a store can keep.
    bool number(std::string_view name, uint64_t &out) const {
        return fields().number(name, out) && out <= INT64_MAX;
    }

    value::JsonReader reader_;
    value::Value value_;
    std::string_view line_;
    Buffer<char> bytes_;  // of a record, a state or a blob
    Buffer<char> again_;  // the line as an export writes it
    ExportLines lines_;
    RecordForm *record_form_;
    uint64_t form_ = 1;        // of the session
    uint64_t generation_ = 0;  // the same
    std::string_view text_;    // the id of a session, or the record of the form before
};

}  // namespace accp::store
