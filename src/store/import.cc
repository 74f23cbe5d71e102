// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What export.cc wrote, read: all of it before anything is stored.
#include <charconv>
#include <cstring>
#include <new>

#include "store/store_inside.h"
#include "value/json_reader.h"

namespace accp::store {

namespace {

constexpr const char *kNotExported = "not a line of an export";

// The sessions of a text: each with its id, and one commit in the queue that makes it.
class Importer {
public:
    Importer(Memory &memory, Backend &backend)
        : memory_(memory),
          backend_(backend),
          queue_(memory),
          batch_(memory),
          reader_(memory),
          value_(memory),
          ids_(memory),
          sessions_(memory) {}
    ~Importer() {
        for (size_t i = 0; i < sessions_.size(); ++i) {
            sessions_[i].session->~OpenSession();
            memory_.release(sessions_[i].session, sizeof(OpenSession));
        }
    }

    Status read(std::string_view text) {
        for (size_t at = 0; at < text.size();) {
            size_t end = text.find('\n', at);
            if (end == text.npos) end = text.size();
            Status status = read_line(text.substr(at, end - at));
            if (status.failed()) return move_to(status, at + status.offset);
            at = end + 1;
        }
        finish_session();
        return sessions_.empty() ? fail(ACCP_E1001, 0, "no session in it") : Status{};
    }

    Status store() {
        for (size_t i = 0; i < sessions_.size(); ++i)
            sessions_[i].session->new_id = {ids_.data() + sessions_[i].id, sessions_[i].id_len};
        return backend_.write(queue_);
    }

private:
    struct Session {
        OpenSession *session;
        size_t id;
        size_t id_len;
    };

    Status read_line(std::string_view line) {
        Status status = reader_.read(line.data(), line.size(), {kMaxTextBytes, 2}, value_);
        if (status.failed()) return status;
        if (value_.view()[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, kNotExported);
        std::string_view bytes, key;
        if (text("session", bytes)) return begin_session(bytes);
        if (sessions_.empty()) return fail(ACCP_E1004, 0, "a session comes first");
        uint64_t expires = 0;
        if (text("record", bytes)) {
            batch_.append(bytes);
        } else if (text("mid", bytes)) {
            uint64_t word = 0;
            if (bytes.size() != kMidBytes && bytes.size() != 16)
                return fail(ACCP_E1004, 0, kNotExported);
            auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), word, 16);
            if (read.ec != std::errc{} || read.ptr != bytes.data() + bytes.size() || word >> 63)
                return fail(ACCP_E1004, 0, kNotExported);
            batch_.note_mid_word(word);
        } else if (text("blob", bytes)) {
            return read_blob(bytes);
        } else if (text("grantee", bytes) && text("prefix", key) && number("expires", expires)) {
            batch_.grant(bytes, key, expires);
        } else {
            return fail(ACCP_E1004, 0, kNotExported);
        }
        return {};
    }

    Status read_blob(std::string_view bytes) {
        std::string_view key, name;
        uint64_t expires = 0, generation = 0;
        int tier = 0;
        if (!text("tier", name) || !text("key", key) || !number("expires", expires) ||
            !number("generation", generation) || key.empty())
            return fail(ACCP_E1004, 0, kNotExported);
        for (int i = 1; i <= 3; ++i)
            if (name == kTierNames[i]) tier = i;
        if (!tier) return fail(ACCP_E1004, 0, "no such tier");
        batch_.put(static_cast<Tier>(tier), key, bytes, expires, generation);
        return {};
    }

    Status begin_session(std::string_view id) {
        finish_session();
        SessionRow row;
        std::string_view state;
        if (id.empty() || id.size() > kMaxSessionIdBytes)
            return fail(ACCP_E1004, 0, "a session id has 1 to 256 bytes");
        if (!number("version", row.version) || !number("generation", row.generation) ||
            !number("floor", row.floor))
            return fail(ACCP_E1004, 0, kNotExported);
        sessions_.reserve(1);
        ids_.reserve(id.size());
        OpenSession *made =
            new (memory_.allocate(sizeof(OpenSession))) OpenSession(memory_, row, true);
        sessions_.push({made, ids_.size(), id.size()});
        ids_.append(id);
        made->has_tail = made->loose = true;
        if (!row.version) return {};
        if (!text("state", state)) return fail(ACCP_E1004, 0, kNotExported);
        --made->row.version;
        made->written_version = made->row.version;
        batch_.set_state(state);
        return {};
    }

    // The session that was begun last goes to the queue.
    void finish_session() {
        if (sessions_.empty()) return;
        OpenSession &session = *sessions_[sessions_.size() - 1].session;
        for (const char *at = batch_.begin(), *end = at + batch_.size(); at < end;) {
            const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
            if (op.kind == StoreOp::kMid) session.tail.push(op.number);
            at += op.size();
        }
        queue_.add(session, batch_);
        batch_.clear();
    }

    // A member that is text: as it is, or in hexadecimal under NAME_hex. Views until the next line.
    bool text(std::string_view name, std::string_view &out) {
        char hex_name[16];
        value::TreeView tree = value_.view();
        uint32_t at = tree.find(0, name);
        if (at && tree[at].kind == ACCP_STRING) {
            out = tree.string(at);
            return true;
        }
        std::memcpy(hex_name, name.data(), name.size());
        std::memcpy(hex_name + name.size(), "_hex", 4);
        at = tree.find(0, {hex_name, name.size() + 4});
        if (!at || tree[at].kind != ACCP_STRING) return false;
        return decode_hex(tree.string(at), out);
    }
    // In place: two digits never become more than one byte.
    bool decode_hex(std::string_view hex, std::string_view &out) {
        char *to = const_cast<char *>(hex.data());
        for (size_t i = 0; i + 1 < hex.size(); i += 2) {
            unsigned byte = 0;
            if (std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16).ptr !=
                hex.data() + i + 2)
                return false;
            to[i / 2] = static_cast<char>(byte);
        }
        out = {to, hex.size() / 2};
        return hex.size() % 2 == 0;
    }
    bool number(std::string_view name, uint64_t &out) {
        value::TreeView tree = value_.view();
        uint32_t at = tree.find(0, name);
        if (!at || tree[at].kind != ACCP_INT) return false;
        std::string_view digits = tree.string(at);
        auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return read.ec == std::errc{} && read.ptr == digits.data() + digits.size() &&
               out <= INT64_MAX;
    }

    Memory &memory_;
    Backend &backend_;
    CommitQueue queue_;
    StoreBatch batch_;
    value::JsonReader reader_;
    value::Value value_;
    Buffer<char> ids_;
    Buffer<Session> sessions_;
};

}  // namespace

Status Store::import(std::string_view text) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    if (status.failed()) return status;
    Importer importer(memory_, *inside_->backend);
    status = importer.read(text);
    return status.ok() ? importer.store() : status;
}

}  // namespace accp::store
