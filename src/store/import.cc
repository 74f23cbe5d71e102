// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What export.cc wrote, read: all of it before anything is stored.
#include <new>

#include "store/import_line.h"
#include "store/store_inside.h"

namespace accp::store {

namespace {

// The sessions of a text: each with its id, and one commit in the queue that makes it.
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
        if (status.ok() && sessions_.empty()) status = fail(ACCP_E1001, 0, "no session in it");
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
        uint64_t records;  // that its first line says
    };

    Status read_line(std::string_view line) {
        Status status = line_.parse(line);
        if (status.failed()) return status;
        if (line_.is_session()) {
            status = finish_session();
            return status.ok() ? begin_session() : status;
        }
        if (sessions_.empty()) return fail(ACCP_E1004, 0, "a session comes first");
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
        made->has_tail = made->loose = true;
        if (!row.version) return {};
        --made->row.version;
        made->written_version = made->row.version;
        batch_.set_state(state);
        return {};
    }

    // The session that was begun last goes to the queue.
    Status finish_session() {
        if (sessions_.empty()) return {};
        const Session &begun = sessions_[sessions_.size() - 1];
        if (line_.counts_records() && batch_.appends() != begun.records)
            return {ACCP_E1004,
                    0,
                    0,
                    "the session has not as many records as its first line says",
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
        Importer importer(inside_->main.memory, backend, form);
        Status status = importer.read(text);
        return status.ok() ? importer.store() : status;
    });
}

}  // namespace accp::store
