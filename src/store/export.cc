// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/export.h"

#include <algorithm>

#include "store/store_impl.h"

namespace accp::store {

Status ExportLines::finish_line() {
    line_.end();
    line_.next();
    return {};
}

Status ExportLines::row(std::string_view id, const SessionRow &row, std::string_view state) {
    line_.begin();
    line_.text("session", id);
    line_.number("form", kExportForm);
    line_.number("version", row.version);
    line_.number("generation", row.generation);
    line_.number("floor", row.floor);
    line_.number("records", row.last);
    if (row.version && !(form_ && form_->write_state(state, line_))) line_.text("state", state);
    return finish_line();
}

Status ExportLines::record(uint64_t seq, std::string_view bytes) {
    line_.begin();
    line_.number("record", seq);
    if (!form_ || !form_->write_record(bytes, line_)) line_.text("bytes", bytes);
    return finish_line();
}

Status ExportLines::blob(std::string_view key, const BlobRow &row, std::string_view bytes) {
    line_.begin();
    line_.text("tier", kTierNames[static_cast<int>(row.tier)]);
    line_.text("key", key);
    line_.number("expires", row.expires);
    line_.number("generation", row.generation);
    line_.document("blob", bytes);
    return finish_line();
}

Status ExportLines::grant(std::string_view grantee, std::string_view prefix, uint64_t expires) {
    line_.begin();
    line_.text("grantee", grantee);
    line_.text("prefix", prefix);
    line_.number("expires", expires);
    return finish_line();
}

void ExportLines::write_mids() {
    std::sort(mids_.data(), mids_.end());
    for (size_t i = 0; i < mids_.size(); ++i) write_mid(mids_[i]);
    mids_.clear();
}

void ExportLines::write_mid(uint64_t word) {
    const int digits = word >> 48 ? 16 : 12;
    char hex[16];
    for (int at = 0; at < digits; ++at)
        hex[at] = "0123456789abcdef"[word >> 4 * (digits - 1 - at) & 15];
    line_.begin();
    line_.text("mid", {hex, static_cast<size_t>(digits)});
    (void)finish_line();
}

Status Store::export_session(std::string_view id, Buffer<char> &out, RecordForm *form) {
    return after_writing(id, [&](Backend &backend) {
        size_t had = out.size();
        ExportLines lines(impl_->main.memory, out, form);
        Status status = backend.export_session(id, lines);
        if (status.ok()) lines.write_mids();
        else out.resize_down(had);
        return status;
    });
}

}  // namespace accp::store
