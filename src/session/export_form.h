// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The records and the snapshot of a session as JSON members of an export (docs/store.md). The
// direction, mid, cid and aid of a frame are written as members for readers. They repeat what the
// frame contains.
#pragma once

#include "frame/coder.h"
#include "session/record.h"
#include "store/record_form.h"

namespace accp::session {

class ExportForm final : public store::RecordForm {
public:
    explicit ExportForm(Memory &memory);

    bool write_record(std::string_view bytes, value::JsonLine &line) override;
    bool write_state(std::string_view bytes, value::JsonLine &line) override;
    bool read_record(const value::JsonFields &line, Buffer<char> &out) override;
    bool read_state(const value::JsonFields &line, Buffer<char> &out) override;

private:
    void write_envelope(std::string_view frame, value::JsonLine &line);
    bool is_lossless(std::string_view bytes) const { return packed_.view() == bytes; }

    const Settings settings_;
    frame::Coder coder_;
    Buffer<value::Node> nodes_;
    Buffer<char> packed_;  // the record or snapshot, packed again
    Buffer<char> text_;    // a frame with a buffer's slack, or a message
};

}  // namespace accp::session
