// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session as lines of JSON: the session, then its records, blobs, grants and mids. Bytes that are
// not UTF-8 stand in hexadecimal under NAME_hex.
#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "store/store_inside.h"
#include "value/json_writer.h"

namespace accp::store {

namespace {

class Lines final : public SessionSink {
public:
    Lines(Memory &memory, Buffer<char> &out) : out_(out), text_(memory), mids_(memory) {}

    Status row(std::string_view id, const SessionRow &row, std::string_view state) override {
        begin();
        text("session", id);
        number("version", row.version);
        number("generation", row.generation);
        number("floor", row.floor);
        if (row.version) text("state", state);
        return end();
    }
    Status record(uint64_t, std::string_view bytes) override {
        begin();
        text("record", bytes);
        return end();
    }
    Status blob(std::string_view key, const BlobRow &row, std::string_view bytes) override {
        begin();
        text("tier", kTierNames[static_cast<int>(row.tier)]);
        text("key", key);
        number("expires", row.expires);
        number("generation", row.generation);
        text("blob", bytes);
        return end();
    }
    Status grant(std::string_view grantee, std::string_view prefix, uint64_t expires) override {
        begin();
        text("grantee", grantee);
        text("prefix", prefix);
        number("expires", expires);
        return end();
    }
    Status mid(uint64_t word) override {
        mids_.push(word);
        return {};
    }

    void write_mids() {
        std::sort(mids_.data(), mids_.end());
        for (size_t i = 0; i < mids_.size(); ++i) {
            int digits = mids_[i] >> 48 ? 16 : 12;
            char hex[16];
            for (int at = 0; at < digits; ++at)
                hex[at] = "0123456789abcdef"[mids_[i] >> 4 * (digits - 1 - at) & 15];
            begin();
            text("mid", {hex, static_cast<size_t>(digits)});
            (void)end();
        }
    }

private:
    void add(std::string_view plain) { out_.append(plain); }
    void begin() {
        add("{");
        first_ = true;
    }
    Status end() {
        add("}\n");
        return {};
    }
    void name(std::string_view name, std::string_view ending = {}) {
        add(first_ ? "\"" : ",\"");
        add(name);
        add(ending);
        add("\":");
        first_ = false;
    }
    void number(std::string_view key, uint64_t value) {
        char digits[20];
        name(key);
        add({digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr -
                                         digits)});
    }
    void text(std::string_view key, std::string_view bytes) {
        if (valid_utf8_prefix(bytes.data(), bytes.size()) == bytes.size()) {
            name(key);
            text_.clear();
            text_.append(bytes);
            text_.reserve(1);
            value::write_json_string({text_.data(), text_.size()}, out_);
            return;
        }
        name(key, "_hex");
        add("\"");
        char *to = out_.reserve(2 * bytes.size());
        for (unsigned char c : bytes) {
            *to++ = "0123456789abcdef"[c >> 4];
            *to++ = "0123456789abcdef"[c & 15];
        }
        out_.advance(2 * bytes.size());
        add("\"");
    }

    Buffer<char> &out_;
    Buffer<char> text_;
    Buffer<uint64_t> mids_;
    bool first_ = true;
};

}  // namespace

Status Store::export_session(std::string_view id, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    if (status.failed()) return status;
    size_t had = out.size();
    Lines lines(memory_, out);
    status = inside_->backend->export_session(id, lines);
    if (status.ok()) lines.write_mids();
    else out.resize_down(had);
    return status;
}

}  // namespace accp::store
