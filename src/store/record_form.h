// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Converts records and states, which are bytes to a store, to JSON in an export and back. The
// implementation is in src/session.
#pragma once

#include "value/json_line.h"

namespace accp::store {

class RecordForm {
public:
    // Writes the members of a record to a line that already has its number. Returns false and
    // writes nothing if read_record() could not restore these bytes.
    virtual bool write_record(std::string_view bytes, value::JsonLine &line) = 0;
    // Writes a state as an object.
    virtual bool write_state(std::string_view bytes, value::JsonLine &line) = 0;
    // Restore the bytes from such members, replacing `out`, or return false. The caller writes the
    // bytes again and compares, so it detects a missing or wrong member.
    virtual bool read_record(const value::JsonFields &line, Buffer<char> &out) = 0;
    virtual bool read_state(const value::JsonFields &line, Buffer<char> &out) = 0;

protected:
    ~RecordForm() = default;
};

}  // namespace accp::store
