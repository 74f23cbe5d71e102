// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a session as lines of JSON: the session, then its records, blobs, grants and mids
// (docs/store.md). import.cc writes each line again, to compare.
#pragma once

#include "store/backend.h"
#include "store/record_form.h"

namespace accp::store {

// The member `form` of a session's first line. Form 1 has no such member, no record numbers, and
// all bytes as text.
constexpr uint64_t kExportForm = 2;

class ExportLines final : public SessionSink {
public:
    ExportLines(Memory &memory, Buffer<char> &out, RecordForm *form)
        : line_(memory, out), mids_(memory), form_(form) {}

    // Sets what converts records and states from now on; nullptr: they are written as bytes.
    void set_form(RecordForm *form) { form_ = form; }

    Status row(std::string_view id, const SessionRow &row, std::string_view state) override;
    Status record(uint64_t seq, std::string_view bytes) override;
    Status blob(std::string_view key, const BlobRow &row, std::string_view bytes) override;
    Status grant(std::string_view grantee, std::string_view prefix, uint64_t expires) override;
    Status mid(uint64_t word) override {
        mids_.push(word);
        return {};
    }
    // Writes the collected mids in order, as the last lines.
    void write_mids();

private:
    Status finish_line();
    void write_mid(uint64_t word);

    value::JsonLine line_;
    Buffer<uint64_t> mids_;
    RecordForm *form_;
};

}  // namespace accp::store
