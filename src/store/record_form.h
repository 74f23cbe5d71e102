// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How what a session keeps reads for people. To a store records and states are bytes; the room that
// made them says in an export what stands in them.
#pragma once

#include "value/json_line.h"

namespace accp::store {

class RecordForm {
public:
    // The members of a record, on a line that has its number. False, and nothing is written: these
    // bytes would not come back from them.
    virtual bool write_record(std::string_view bytes, value::JsonLine &line) = 0;
    // The same of a session's state, in an object of its own.
    virtual bool write_state(std::string_view bytes, value::JsonLine &line) = 0;
    // The bytes of such members, in place of what `out` had. False: they are none. Who reads
    // compares what these bytes are written as, so a member that is missing or wrong is noticed.
    virtual bool read_record(const value::JsonFields &line, Buffer<char> &out) = 0;
    virtual bool read_state(const value::JsonFields &line, Buffer<char> &out) = 0;

protected:
    ~RecordForm() = default;
};

}  // namespace accp::store
