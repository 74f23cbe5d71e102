// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads sessions: cached indexes, keys, values and the directory.
#include <algorithm>

#include "nats/backend.h"
#include "nats/c_interface.h"

namespace accp_nats {

namespace {

constexpr int kTries = 8;  // of an operation that other writes overtake
constexpr size_t kMaxKnown = 8192;
constexpr size_t kPieceWindow = 16;
constexpr const char *kOtherHistory = "a replica of the stream has another history";
constexpr const char *kGone = "messages that the stream should have are missing";

// A leader that was cut off may reply for a second after it is back. The waits add up to two
// seconds.
void wait_for_agreement(int tries) { nats_Sleep(int64_t{4} << tries); }

// Subjects show the session's id: letters, digits, - and _ as they are, any other byte as =XX.
std::string subject_of(const std::string &prefix, char kind, std::string_view id) {
    std::string out = prefix + "." + kind + ".";
    for (const char c : id) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (is_plain) out += c;
        else (out += '=') += {"0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
    return out;
}

}  // namespace

std::string Backend::Session::subject(char kind) const {
    return subject_of(stream->prefix(), kind, id);
}

std::string Backend::directory_subject(std::string_view id) const {
    return subject_of(streams_[0]->prefix(), 'd', id);
}

Backend::Session Backend::session(std::string_view id) {
    Session out;
    out.id = id;
    out.stream = streams_[shard_of(id, streams_.size())].get();
    std::lock_guard<std::mutex> guard(lock_);
    auto found = cache_.find(out.id);
    if (found == cache_.end()) {
        evict_old();
        found = cache_.emplace(out.id, std::make_shared<CachedSession>()).first;
    }
    out.cached = found->second;
    out.cached->used = ++clock_;
    return out;
}

Backend::Session Backend::locked(std::string_view id) {
    Session out = session(id);
    out.held = std::unique_lock<std::mutex>(out.cached->lock);
    return out;
}

// Evicts the half that was used least recently. A call that works with an evicted session keeps it
// alive.
void Backend::evict_old() {
    if (cache_.size() < kMaxKnown) return;
    std::vector<uint64_t> used;
    for (const auto &[id, one] : cache_) used.push_back(one->used);
    const auto middle = used.begin() + static_cast<ptrdiff_t>(used.size() / 2);
    std::nth_element(used.begin(), middle, used.end());
    std::erase_if(cache_, [&](const auto &one) { return one.second->used < *middle; });
}

bool Backend::read_pieces(const Session &it, const Sequences &pieces, std::string &out) {
    out.clear();
    std::vector<Message> all;
    if (!it.stream->get(pieces, kPieceWindow, all)) return false;
    for (const Message &piece : all) out += piece.data;
    return true;
}

std::string Backend::body_of(const Session &it, const LogHead &message, std::string_view rest) {
    if (message.body.empty()) return std::string(rest);
    std::string body;
    for (int tries = 0; tries < kTries; wait_for_agreement(++tries))
        if (read_pieces(it, message.body, body)) return body;
    throw Failure{ACCP_ERR_CORRUPT, kGone};
}

// An invalid message may name a snapshot that is gone. Then the whole log is read.
void Backend::load(const Session &it, const LogHead &newest) {
    std::string bytes;
    SessionIndex &index = it.index();
    index = SessionIndex();
    if (!newest.covers || !read_pieces(it, newest.snapshot, bytes)) return;
    index.covers = newest.covers;
    index.snapshot = newest.snapshot;
    index.snapshot_bytes = newest.snapshot_bytes;
    index.read_snapshot(bytes);
}

// Reports whether a message that was acknowledged or is the newest is valid. Asks the leader,
// because a replica that was cut off may receive later messages first.
bool Backend::is_first_after(const Session &it, uint64_t previous, uint64_t seq) {
    return !it.stream->is_replicated() || seq == previous + 1 ||
           it.stream->first_from(it.subject('l'), previous + 1) == seq;
}

// Reports whether the leader has a message first that a replica has second.
bool Backend::counts_for_leader(const Session &it, const LogMessage &read) {
    return !it.stream->uses_leader_only() &&
           it.stream->first_from(it.subject('l'), read.head.previous() + 1) == read.message.seq;
}

// The history that was read does not continue: discards it and asks only the leader from now on.
void Backend::fail_history(const Session &it, bool contradicted) {
    if (contradicted) {
        it.index() = SessionIndex();
        if (it.stream->uses_leader_only()) throw Failure{ACCP_ERR_CORRUPT, kOtherHistory};
        it.stream->use_leader_only();
    }
    (void)current(it);
    throw Failure{ACCP_ERR_IO, kOtherHistory};
}

// Returns false if the index belongs to a session that was erased meanwhile.
bool Backend::catch_up(const Session &it, Message &newest, bool &contradicted) {
    SessionIndex &index = it.index();
    const uint64_t known = index.tail(), last = newest.seq;
    bool is_consistent = true;
    const auto take = [&](const LogMessage &read) {
        Sequences garbage;  // the writer of the message deletes it
        contradicted = index.contradicts(read.head) ||
                       (index.tail() && !index.follows(read.head) && counts_for_leader(it, read));
        is_consistent = !contradicted && (read.head.previous() || !known || index.tail() != known);
        if (!is_consistent) return false;
        if (index.follows(read.head))
            index.apply(read.message.seq, read.head, body_of(it, read.head, read.rest()), garbage);
        else index.back_links.add(read.message.seq);
        return true;
    };
    LogMessage read;
    read.read(std::move(newest));
    if (is_first_after(it, read.head.previous(), last)) {
        if (known && index.follows(read.head)) return take(read);
        std::vector<LogMessage> all;
        if (read_back(*it.stream, {}, &read, known, all) &&
            all.front().head.back_links.number == index.back_links.number) {
            for (const LogMessage &one : all)
                if (!take(one)) return false;
            return true;
        }
    }
    it.stream->walk(it.subject('l'), known + 1, last, [&](Message &message) {
        LogMessage one;
        one.read(std::move(message));
        return take(one);
    });
    return is_consistent && index.tail() == last;
}

SessionIndex *Backend::refresh(const Session &it) {
    SessionIndex &index = it.index();
    bool contradicted = false;
    int contradictions = 0;  // the second one comes from the leader
    for (int tries = 0; tries < kTries; ++tries) {
        contradictions += contradicted;
        if (contradictions == 2) throw Failure{ACCP_ERR_CORRUPT, kOtherHistory};
        if (contradicted) it.stream->use_leader_only();
        contradicted = false;
        Message newest;
        if (!it.stream->last(it.subject('l'), newest)) {
            index = SessionIndex();
            return nullptr;
        }
        if (index.tail() == newest.seq) return &index;
        try {
            if (!index.tail()) {
                LogHead head;
                head.read(newest.data);
                load(it, head);
                if (index.tail() == newest.seq) return &index;
            }
            if (catch_up(it, newest, contradicted)) return &index;
        } catch (...) {
            index = SessionIndex();
            throw;
        }
        index = SessionIndex();
    }
    throw Failure{ACCP_ERR_IO, "other writers changed the session at every attempt: try again"};
}

SessionIndex &Backend::current(const Session &it) {
    SessionIndex *found = refresh(it);
    if (!found) throw Failure{ACCP_E2001, "no such session"};
    return *found;
}

void Backend::head(std::string_view id, accp_store_entry_function give, void *context) {
    const Session it = locked(id);
    const SessionIndex &index = current(it);
    (void)give(index.head, text_of(index.row), context);
}

void Backend::value(std::string_view id, std::string_view key, accp_store_key_function give,
                    void *context) {
    const Session it = locked(id);
    for (int tries = 0; tries < kTries; wait_for_agreement(++tries)) {
        const SessionIndex &index = current(it);
        const auto found = index.entries.find(key);
        if (found == index.entries.end()) throw Failure{ACCP_E2001, "no such key"};
        const MapEntry &entry = found->second;
        std::string bytes;
        if (!entry.pieces.empty() && !read_pieces(it, entry.pieces, bytes))
            continue;  // replaced meanwhile
        const std::string &value = entry.pieces.empty() ? entry.value : bytes;
        if (value.size() != entry.size) break;
        (void)give(text_of(key), text_of(entry.note), text_of(value), context);
        return;
    }
    throw Failure{ACCP_ERR_CORRUPT, kGone};
}

void Backend::keys(std::string_view id, std::string_view prefix, accp_store_key_function give,
                   void *context) {
    const Session it = locked(id);
    const SessionIndex &index = current(it);
    for (auto at = index.entries.lower_bound(prefix);
         at != index.entries.end() && std::string_view(at->first).starts_with(prefix); ++at) {
        const accp_text length = {nullptr, at->second.size};
        if (give(text_of(at->first), text_of(at->second.note), length, context)) return;
    }
}

// An entry of the directory is valid if it is the session's last and the session has a log.
void Backend::sessions(uint64_t after, accp_store_entry_function give, void *context) {
    Stream &first = *streams_[0];
    const std::string all = first.prefix() + ".d.>";
    Message newest;
    if (!first.last(all, newest)) return;
    const uint64_t last = newest.seq;
    first.walk(all, after + 1, last, [&](Message &message) {
        if (!first.last(directory_subject(message.data), newest) || newest.seq != message.seq)
            return true;
        Stream &stream = *streams_[shard_of(message.data, streams_.size())];
        if (!stream.last(subject_of(stream.prefix(), 'l', message.data), newest)) return true;
        return give(message.seq, text_of(message.data), context) == 0;
    });
}

// Erases only messages up to the current last one, because later ones belong to a new session with
// the same id. Reads the directory first, so that the entry of such a session stays.
void Backend::erase(std::string_view id) {
    const Session it = locked(id);
    Message entry, newest;
    const bool is_listed = streams_[0]->last(directory_subject(id), entry);
    if (!it.stream->last(it.subject('l'), newest)) throw Failure{ACCP_E2001, "no such session"};
    for (const char kind : {'l', 'v'}) it.stream->purge(it.subject(kind), newest.seq + 1);
    if (is_listed) streams_[0]->purge(directory_subject(id), entry.seq + 1);
    it.index() = SessionIndex();
}

}  // namespace accp_nats
