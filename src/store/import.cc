// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads an export: all of it, before anything is stored.
#include <algorithm>
#include <charconv>
#include <new>

#include "store/export.h"
#include "store/store_impl.h"

namespace accp::store {

namespace {

// Parses one line of an export. In the current form it writes the parsed contents again and
// compares the lines, so it detects damage and reports the offset. In form 1, whose sessions have
// no member `form`, unknown members are ignored.
class ImportLine {
public:
    ImportLine(Memory &memory, RecordForm *form)
        : reader_(memory),
          value_(memory),
          bytes_(memory),
          rewritten_(memory),
          lines_(memory, rewritten_, form),
          record_form_(form),
          blob_key_(memory) {}

    // Parses the next line. The functions below return views into it.
    Status parse(std::string_view line);
    bool is_session() { return fields().text("session", text_); }
    // Reads the first line of a session. `row.last` becomes the number of records that the line
    // announces.
    Status session(std::string_view &id, SessionRow &row, std::string_view &state);
    // Adds the contents of any other line to the batch.
    Status add_to(StoreBatch &batch);
    // Reports whether the first line of the current session announces the number of records.
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
    // Numbers must fit a store: at most INT64_MAX.
    bool number(std::string_view name, uint64_t &out) const {
        return fields().number(name, out) && out <= INT64_MAX;
    }

    value::JsonReader reader_;
    value::Value value_;
    std::string_view line_;
    Buffer<char> bytes_;      // a record, a state or a blob
    Buffer<char> rewritten_;  // the line as an export would write it
    ExportLines lines_;
    RecordForm *record_form_;
    uint64_t form_ = 1;        // of the current session
    uint64_t generation_ = 0;  // of the current session
    std::string_view text_;    // the id of a session, or a record of form 1
    // Of the last blob of the session: blobs are sorted by tier and key.
    Buffer<char> blob_key_;
    Tier blob_tier_ = Tier::kHot;
};

constexpr const char *kNotExported = "not a line of an export";

Status fail_line(const char *message, uint64_t had = 0, uint64_t allowed = 0) {
    return {ACCP_E1004, 0, 0, message, had, allowed};
}

Status check_size(size_t had, size_t max, const char *message) {
    return had > max ? fail_line(message, had, max) : Status{};
}

Status ImportLine::parse(std::string_view line) {
    Status status = reader_.read(line.data(), line.size(), {kMaxTextBytes, kMaxJsonDepth}, value_);
    if (status.failed()) return status;
    if (value_.view()[0].kind != ACCP_MAP) return fail_line(kNotExported);
    line_ = line;
    rewritten_.clear();
    return {};
}

Status ImportLine::form() {
    form_ = 1;
    if (!fields().number("form", form_) || form_ == kExportForm) return {};
    return fail_line("this version cannot read an export of this form", form_, kExportForm);
}

Status ImportLine::session(std::string_view &id, SessionRow &row, std::string_view &state) {
    Status status = form();
    if (status.failed()) return status;
    row = {};
    id = text_;
    if (id.empty() || id.size() > kMaxSessionIdBytes)
        return fail_line(kBadSessionId, id.size(), kMaxSessionIdBytes);
    if (!number("version", row.version) || !number("generation", row.generation) ||
        !number("floor", row.floor) || (counts_records() && !number("records", row.last)))
        return fail_line(kNotExported);
    generation_ = row.generation;
    blob_tier_ = Tier::kHot;
    blob_key_.clear();
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
            return fail_line("the state of the session cannot be read");
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
            return fail_line("a record is missing or out of order: its number is not the next", seq,
                             batch.appends() + 1);
        const bool raw = fields().text("bytes", bytes);
        if (!raw && (!record_form_ || !record_form_->read_record(fields(), bytes_)))
            return fail_line("the record cannot be read");
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
    if (tier == std::end(kTierNames))
        return fail_line("unknown tier: the tiers are hot, warm and cold");
    row.tier = static_cast<Tier>(tier - kTierNames);
    if (counts_records() && row.generation > generation_)
        return fail_line("the generation of the blob is greater than its session's", row.generation,
                         generation_);
    const bool is_next = row.tier != blob_tier_ ? row.tier > blob_tier_ : key > blob_key_.view();
    if (counts_records() && !is_next)
        return fail_line("a blob is out of order or there twice: each tier is sorted by key");
    blob_tier_ = row.tier;
    blob_key_.clear();
    blob_key_.append(key);
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

// Compares the line with what an export would write. The offset of the error is the first byte that
// differs.
Status ImportLine::compare() {
    if (!counts_records()) return {};
    rewritten_.resize_down(rewritten_.size() - 1);  // the newline
    const std::string_view wanted = rewritten_.view();
    if (line_ == wanted) return {};
    const auto differs = std::mismatch(line_.begin(), line_.end(), wanted.begin(), wanted.end());
    return move_to(
        fail_line("from this byte on, the line differs from what an export of its content "
                  "would be: import an export unchanged"),
        static_cast<uint64_t>(differs.first - line_.begin()));
}

// Collects the sessions of an export. Each has one commit in the queue, which creates it.
class Importer {
public:
    Importer(Memory &memory, Backend &backend, RecordForm *form)
        : memory_(memory),
          backend_(backend),
          queue_(memory),
          batch_(memory),
          line_(memory, form),
          ids_(memory),
          sessions_(memory) {}
    ~Importer() {
        for (size_t i = 0; i < sessions_.size(); ++i) {
            sessions_[i].session->~OpenSession();
            memory_.release(sessions_[i].session, sizeof(OpenSession));
        }
    }

    Status read(std::string_view text) {
        uint32_t number = 0;
        size_t at = 0;
        Status status;
        for (; status.ok() && at < text.size(); ++number) {
            size_t end = text.find('\n', at);
            if (end == text.npos) end = text.size();
            status = read_line(text.substr(at, end - at));
            status.offset += at;
            status.record = number;
            at = end + 1;
        }
        if (status.failed()) return status;
        status = finish_session();
        if (status.ok() && sessions_.empty())
            status = fail(ACCP_E1001, 0, "the export has no session");
        if (status.failed()) status.record = number;
        return status;
    }

    Status store() {
        for (size_t i = 0; i < sessions_.size(); ++i)
            sessions_[i].session->new_id = {ids_.data() + sessions_[i].id, sessions_[i].id_len};
        return backend_.write(queue_, true);
    }

private:
    struct Session {
        OpenSession *session;
        size_t id;
        size_t id_len;
        uint64_t records;  // as its first line announces
    };

    Status read_line(std::string_view line) {
        Status status = line_.parse(line);
        if (status.failed()) return status;
        if (line_.is_session()) {
            status = finish_session();
            return status.ok() ? begin_session() : status;
        }
        if (sessions_.empty())
            return fail(ACCP_E1004, 0, "an export begins with the line of a session");
        return line_.add_to(batch_);
    }

    Status begin_session() {
        SessionRow row;
        std::string_view id, state;
        Status status = line_.session(id, row, state);
        if (status.failed()) return status;
        sessions_.reserve(1);
        ids_.reserve(id.size());
        const uint64_t records = row.last;
        row.last = 0;
        OpenSession *made =
            new (memory_.allocate(sizeof(OpenSession))) OpenSession(memory_, row, true);
        sessions_.push({made, ids_.size(), id.size(), records});
        ids_.append(id);
        made->tail_loaded = made->has_loose_mids = true;
        if (!row.version) return {};
        --made->row.version;
        made->written_version = made->row.version;
        batch_.set_state(state);
        return {};
    }

    // Moves the current session to the queue.
    Status finish_session() {
        if (sessions_.empty()) return {};
        const Session &begun = sessions_[sessions_.size() - 1];
        if (line_.counts_records() && batch_.appends() != begun.records)
            return {ACCP_E1004,
                    0,
                    0,
                    "the session does not have as many records as its first line announces",
                    batch_.appends(),
                    begun.records};
        OpenSession &session = *begun.session;
        for (const char *at = batch_.begin(), *end = at + batch_.size(); at < end;) {
            const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
            if (op.kind == StoreOp::kMid) session.tail.push(op.number);
            at += op.size();
        }
        queue_.add(session, batch_);
        batch_.clear();
        return {};
    }

    Memory &memory_;
    Backend &backend_;
    CommitQueue queue_;
    StoreBatch batch_;
    ImportLine line_;
    Buffer<char> ids_;
    Buffer<Session> sessions_;
};

}  // namespace

Status Store::import(std::string_view text, RecordForm *form) {
    return after_writing({}, [&](Backend &backend) {
        Importer importer(impl_->main.memory, backend, form);
        Status status = importer.read(text);
        return status.ok() ? importer.store() : status;
    });
}

}  // namespace accp::store
