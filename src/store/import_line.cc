// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See import_line.h.
#include "store/import_line.h"

#include <algorithm>
#include <charconv>

namespace accp::store {

namespace {

constexpr const char *kNotExported = "not a line of an export";

Status fail_line(const char *message, uint64_t had = 0, uint64_t allowed = 0) {
    return {ACCP_E1004, 0, 0, message, had, allowed};
}

Status check_size(size_t had, size_t max, const char *message) {
    return had > max ? fail_line(message, had, max) : Status{};
}

}  // namespace

Status ImportLine::parse(std::string_view line) {
    Status status = reader_.read(line.data(), line.size(), {kMaxTextBytes, kMaxJsonDepth}, value_);
    if (status.failed()) return status;
    if (value_.view()[0].kind != ACCP_MAP) return fail_line(kNotExported);
    line_ = line;
    again_.clear();
    return {};
}

Status ImportLine::form() {
    form_ = 1;
    if (!fields().number("form", form_) || form_ == kExportForm) return {};
    return fail_line("an export of a form that this version does not read", form_, kExportForm);
}

Status ImportLine::session(std::string_view &id, SessionRow &row, std::string_view &state) {
    Status status = form();
    if (status.failed()) return status;
    row = {};
    id = text_;
    if (id.empty() || id.size() > kMaxSessionIdBytes)
        return fail_line("a session id has 1 to 256 bytes", id.size(), kMaxSessionIdBytes);
    if (!number("version", row.version) || !number("generation", row.generation) ||
        !number("floor", row.floor) || (counts_records() && !number("records", row.last)))
        return fail_line(kNotExported);
    generation_ = row.generation;
    if (row.version) status = this->state(state);
    if (status.failed() || !counts_records()) return status;
    lines_.set_form(fields().find("state", ACCP_MAP) ? record_form_ : nullptr);
    (void)lines_.row(id, row, state);
    return compare();
}

Status ImportLine::state(std::string_view &state) {
    const value::TreeView tree = value_.view();
    if (const uint32_t at = counts_records() ? fields().find("state", ACCP_MAP) : 0) {
        if (!record_form_ || !record_form_->read_state({tree, at}, bytes_))
            return fail_line("a session's state that cannot be read");
        state = bytes_.view();
    } else if (!fields().text("state", state)) {
        return fail_line(kNotExported);
    }
    return check_size(state.size(), kMaxStateBytes, "a session's state is too long, in bytes");
}

Status ImportLine::add_to(StoreBatch &batch) {
    const value::TreeView tree = value_.view();
    const bool counted = counts_records() && tree.find(0, "record");
    if (counted || fields().text("record", text_)) return record(batch);
    if (tree.find(0, "mid")) return mid(batch);
    if (tree.find(0, "tier")) return blob(batch);
    return grant(batch);
}

Status ImportLine::record(StoreBatch &batch) {
    uint64_t seq = 0;
    std::string_view bytes = text_;
    if (counts_records()) {
        if (!fields().number("record", seq)) return fail_line(kNotExported);
        if (seq != batch.appends() + 1)
            return fail_line("a record is missing, or out of its order: its number, of the next",
                             seq, batch.appends() + 1);
        const bool raw = fields().text("bytes", bytes);
        if (!raw && (!record_form_ || !record_form_->read_record(fields(), bytes_)))
            return fail_line("a record that cannot be read");
        if (!raw) bytes = bytes_.view();
        lines_.set_form(raw ? nullptr : record_form_);
        (void)lines_.record(seq, bytes);
    }
    Status status = check_size(bytes.size(), kMaxBlobBytes, "a record is too long, in bytes");
    if (status.ok()) status = compare();
    if (status.ok()) batch.append(bytes);
    return status;
}

Status ImportLine::blob(StoreBatch &batch) {
    std::string_view key, name, bytes;
    BlobRow row;
    const value::JsonFields in = fields();
    if (!in.text("tier", name) || !in.text("key", key) || !number("expires", row.expires) ||
        !number("generation", row.generation) || key.empty())
        return fail_line(kNotExported);
    if (counts_records() ? !in.document("blob", bytes_) : !in.text("blob", bytes))
        return fail_line(kNotExported);
    if (counts_records()) bytes = bytes_.view();
    const auto *tier = std::find(std::begin(kTierNames) + 1, std::end(kTierNames), name);
    if (tier == std::end(kTierNames)) return fail_line("no such tier: there are hot, warm, cold");
    row.tier = static_cast<Tier>(tier - kTierNames);
    if (counts_records() && row.generation > generation_)
        return fail_line("a blob of a generation that its session does not have", row.generation,
                         generation_);
    Status status = check_size(key.size(), kMaxBlobKeyBytes, "a key is too long, in bytes");
    if (status.ok())
        status = check_size(bytes.size(), kMaxBlobBytes, "a blob is too long, in bytes");
    if (status.failed()) return status;
    (void)lines_.blob(key, row, bytes);
    status = compare();
    if (status.ok()) batch.put(row.tier, key, bytes, row.expires, row.generation);
    return status;
}

Status ImportLine::mid(StoreBatch &batch) {
    std::string_view hex;
    uint64_t word = 0;
    if (!fields().text("mid", hex) || (hex.size() != kMidBytes && hex.size() != 16))
        return fail_line("a mid has 12 or 16 hexadecimal digits", hex.size(), 16);
    auto read = std::from_chars(hex.data(), hex.data() + hex.size(), word, 16);
    if (read.ec != std::errc{} || read.ptr != hex.data() + hex.size() || word >> 63)
        return fail_line(kNotExported);
    (void)lines_.mid(word);
    lines_.write_mids();
    Status status = compare();
    if (status.ok()) batch.note_mid_word(word);
    return status;
}

Status ImportLine::grant(StoreBatch &batch) {
    std::string_view grantee, prefix;
    uint64_t expires = 0;
    const value::JsonFields in = fields();
    if (!in.text("grantee", grantee) || !in.text("prefix", prefix) || !number("expires", expires))
        return fail_line(kNotExported);
    Status status = check_size(std::max(grantee.size(), prefix.size()), kMaxBlobKeyBytes,
                               "a grantee or a prefix is too long, in bytes");
    if (status.failed()) return status;
    (void)lines_.grant(grantee, prefix, expires);
    status = compare();
    if (status.ok()) batch.grant(grantee, prefix, expires);
    return status;
}

// Is the line what its content is exported as? The offset is the first byte that differs.
Status ImportLine::compare() {
    if (!counts_records()) return {};
    again_.resize_down(again_.size() - 1);  // the newline
    const std::string_view wanted = again_.view();
    if (line_ == wanted) return {};
    const auto differs = std::mismatch(line_.begin(), line_.end(), wanted.begin(), wanted.end());
    return move_to(fail_line("from here on the line is not what its content is exported as: import "
                             "an export as it was written"),
                   static_cast<uint64_t>(differs.first - line_.begin()));
}

}  // namespace accp::store
