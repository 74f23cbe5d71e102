// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_backend.h: what is read.
#include <algorithm>

#include "nats/nats_backend.h"

namespace accp_nats {

namespace {

constexpr int kTries = 8;  // that another may come between
constexpr size_t kMaxIndexes = 8192;
constexpr const char *kOtherHistory = "a replica of the stream has another history";
constexpr const char *kGone = "what the stream should have is gone";

// A leader that was cut off may answer for a second after it is back: two seconds in all.
void wait_for_agreement(int tries) { nats_Sleep(int64_t{4} << tries); }

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

// Letters, digits, - and _ as they are, any other byte as =XX: a subject's name says whose it is.
std::string Backend::subject(char kind, std::string_view id) const {
    std::string out = prefix_ + "." + kind + ".";
    for (const char c : id) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (is_plain) out += c;
        else (out += '=') += {"0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
    return out;
}

bool Backend::read_pieces(const Sequences &pieces, std::string &out) {
    out.clear();
    Message piece;
    for (const uint64_t seq : pieces) {
        if (!link_.get(seq, piece)) return false;
        out += piece.data;
    }
    return true;
}

std::string Backend::body_of(const LogHead &message, std::string_view rest) {
    if (message.body.empty()) return std::string(rest);
    std::string body;
    for (int tries = 0; tries < kTries; wait_for_agreement(++tries))
        if (read_pieces(message.body, body)) return body;
    throw Failure{ACCP_ERR_CORRUPT, kGone};
}

// A message that counts for nothing may name a snapshot that is gone: then all of the log is read.
void Backend::load(const LogHead &newest, SessionIndex &index) {
    std::string bytes;
    if (!newest.covers || !read_pieces(newest.snapshot, bytes)) return;
    index.covers = newest.covers;
    index.snapshot = newest.snapshot;
    index.snapshot_bytes = newest.snapshot_bytes;
    index.read_snapshot(newest.covers, bytes);
}

// One that comes second here: first where the leader is, if a replica was asked?
bool Backend::counts_for_leader(std::string_view id, const LogHead &head, const Message &message) {
    return !link_.asks_leader_alone() &&
           link_.first_from(subject('l', id), head.previous + 1) == message.seq;
}

// False: the index is of a session that was erased since.
bool Backend::catch_up(std::string_view id, const Message &newest, SessionIndex &index,
                       bool &contradicted) {
    const uint64_t known = index.tail;
    bool right = true;
    const auto take = [&](const Message &message) {
        LogHead head;
        const std::string_view rest = head.read(message.data);
        Sequences garbage;  // is whoever wrote that's to clear
        contradicted = index.contradicts(head) ||
                       (index.tail && !index.follows(head) && counts_for_leader(id, head, message));
        right = !contradicted && (head.previous || !known || index.tail != known);
        if (!right) return false;
        if (index.follows(head)) index.apply(message.seq, head, body_of(head, rest), garbage);
        index.tail = message.seq;
        return true;
    };
    LogHead head;
    head.read(newest.data);
    if (index.tail && index.follows(head) &&
        is_first_after(subject('l', id), index.tail, newest.seq))
        return take(newest);
    link_.walk(subject('l', id), index.tail + 1, newest.seq, take);
    return right && index.tail == newest.seq;
}

SessionIndex *Backend::refresh(std::string_view id) {
    const std::string name(id);
    bool contradicted = false;
    int contradictions = 0;  // the second one is the leader's
    for (int tries = 0; tries < kTries; ++tries) {
        contradictions += contradicted;
        if (contradictions == 2) throw Failure{ACCP_ERR_CORRUPT, kOtherHistory};
        if (contradicted) link_.ask_leader_alone();
        contradicted = false;
        Message newest;
        if (!link_.last(subject('l', id), newest)) {
            indexes_.erase(name);
            return nullptr;
        }
        auto found = indexes_.find(name);
        if (found != indexes_.end() && found->second.tail == newest.seq) {
            found->second.used = ++clock_;
            return &found->second;
        }
        if (found == indexes_.end()) {
            drop_old_indexes();
            LogHead head;
            head.read(newest.data);
            SessionIndex made;
            load(head, made);
            found = indexes_.emplace(name, std::move(made)).first;
        }
        found->second.used = ++clock_;
        bool right = found->second.tail == newest.seq;
        if (!right) {
            try {
                right = catch_up(id, newest, found->second, contradicted);
            } catch (...) {
                indexes_.erase(name);
                throw;
            }
        }
        if (right) return &found->second;
        indexes_.erase(name);
    }
    throw Failure{ACCP_ERR_IO, "the session changes all the time"};
}

SessionIndex &Backend::current(std::string_view id) {
    SessionIndex *found = refresh(id);
    if (!found) throw Failure{ACCP_E2001, "no such session"};
    return *found;
}

// The half that was not asked for longest.
void Backend::drop_old_indexes() {
    if (indexes_.size() < kMaxIndexes) return;
    std::vector<uint64_t> used;
    for (const auto &[id, index] : indexes_) used.push_back(index.used);
    const auto middle = used.begin() + static_cast<ptrdiff_t>(used.size() / 2);
    std::nth_element(used.begin(), middle, used.end());
    std::erase_if(indexes_, [&](const auto &one) { return one.second.used < *middle; });
}

void Backend::head(std::string_view id, accp_store_entry_function give, void *context) {
    const SessionIndex &index = current(id);
    (void)give(index.head, text_of(index.row), context);
}

// Records of the messages from one that counts on, or the log's first, in their order. It was
// erased meanwhile, or nobody can be asked now, where they end before the last one.
void Backend::read_run(std::string_view id, SessionIndex &index, uint64_t first, uint64_t last,
                       const std::function<bool(uint64_t, std::string_view)> &visit) {
    uint64_t before = 0;
    uint64_t counted = 0, awaited = 0;  // record
    bool contradicted = false;          // as in SessionIndex
    const uint64_t from = index.place_of(first);
    const auto visit_message = [&](Message &message) {
        LogHead head;
        const std::string_view rest = head.read(message.data);
        const bool counts = !before || head.previous == before;
        contradicted = before && (head.previous > before ||
                                  (counts && (head.base != counted || head.first != awaited)) ||
                                  (!counts && counts_for_leader(id, head, message)));
        if (contradicted) return false;
        before = message.seq;
        if (!counts) return true;
        counted = message.seq;
        const uint64_t end = awaited = head.first + head.count;  // one after its last
        if (end <= first || !head.count) return true;
        index.reached = {head.first, message.seq};
        const std::string body = body_of(head, rest);
        FormReader records(body);
        for (uint64_t seq = head.first; seq < end && seq <= last; ++seq) {
            const std::string_view record = records.text();
            if (seq >= first && !visit(seq, record)) return false;
        }
        return end <= last;
    };
    if (link_.walk(subject('l', id), from, index.tail, visit_message) && !contradicted) return;
    if (contradicted) {
        indexes_.erase(std::string(id));
        if (link_.asks_leader_alone()) throw Failure{ACCP_ERR_CORRUPT, kOtherHistory};
        link_.ask_leader_alone();
    }
    (void)current(id);
    throw Failure{ACCP_ERR_IO, kOtherHistory};
}

void Backend::records(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                      accp_store_entry_function give, void *context) {
    SessionIndex &index = current(id);
    if (!first || first > last || last > index.last_record)
        throw Failure{ACCP_ERR_CORRUPT, "records are missing"};
    if (!newest_first)
        return read_run(id, index, first, last, [&](uint64_t seq, std::string_view record) {
            return give(seq, text_of(record), context) == 0;
        });
    // from waypoint to waypoint, backwards
    auto at = std::upper_bound(
        index.waypoints.begin(), index.waypoints.end(), last,
        [](uint64_t wanted, const SessionIndex::Waypoint &one) { return wanted < one.first; });
    while (at != index.waypoints.begin() && last >= first) {
        --at;
        std::vector<std::string> run;
        const uint64_t begin = std::max(first, at->first);
        read_run(id, index, begin, last, [&](uint64_t, std::string_view record) {
            run.emplace_back(record);
            return true;
        });
        for (size_t i = run.size(); i; --i)
            if (give(begin + i - 1, text_of(run[i - 1]), context)) return;
        last = begin - 1;
    }
}

void Backend::value(std::string_view id, std::string_view key, accp_store_key_function give,
                    void *context) {
    for (int tries = 0; tries < kTries; wait_for_agreement(++tries)) {
        const SessionIndex &index = current(id);
        const auto found = index.entries.find(key);
        if (found == index.entries.end()) throw Failure{ACCP_E2001, "no such key"};
        const MapEntry &entry = found->second;
        std::string bytes;
        if (!entry.pieces.empty() && !read_pieces(entry.pieces, bytes)) continue;  // replaced since
        const std::string &value = entry.pieces.empty() ? entry.value : bytes;
        if (value.size() != entry.size) break;
        (void)give(text_of(key), text_of(entry.note), text_of(value), context);
        return;
    }
    throw Failure{ACCP_ERR_CORRUPT, kGone};
}

void Backend::keys(std::string_view id, std::string_view prefix, accp_store_key_function give,
                   void *context) {
    const SessionIndex &index = current(id);
    for (auto it = index.entries.lower_bound(prefix);
         it != index.entries.end() && std::string_view(it->first).starts_with(prefix); ++it) {
        const accp_text length = {nullptr, it->second.size};
        if (give(text_of(it->first), text_of(it->second.note), length, context)) return;
    }
}

// A directory's entry counts where it is the session's last, and there is a log.
void Backend::sessions(uint64_t after, accp_store_entry_function give, void *context) {
    const std::string all = prefix_ + ".d.>";
    Message newest;
    if (!link_.last(all, newest)) return;
    const uint64_t last = newest.seq;
    link_.walk(all, after + 1, last, [&](Message &message) {
        if (!link_.last(subject('d', message.data), newest) || newest.seq != message.seq ||
            !link_.last(subject('l', message.data), newest))
            return true;
        return give(message.seq, text_of(message.data), context) == 0;
    });
}

// What comes after its last message is another's, of the same id.
void Backend::erase(std::string_view id) {
    Message newest;
    if (!link_.last(subject('l', id), newest)) throw Failure{ACCP_E2001, "no such session"};
    for (const char kind : {'l', 'v', 'd'}) link_.purge(subject(kind, id), newest.seq + 1);
    indexes_.erase(std::string(id));
}

}  // namespace accp_nats
