// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A group of writes, in three rounds for all of them at once: first the pieces of values and
// snapshots, then pieces of bodies that are still too large for a message, then one log message for
// each write.
#include "nats/backend.h"
#include "nats/c_interface.h"

#include <algorithm>

namespace accp_nats {

namespace {

constexpr size_t kInlineValue = 1024;  // larger values are stored as pieces
constexpr size_t kMaxPiece = 512 << 10;
constexpr size_t kHeadRoom = 64 << 10;  // reserved for the head of a message
constexpr const char *kNoPiece = "the stream did not acknowledge a piece of the write";

}  // namespace

// The messages of a round that hold one text.
class Backend::Pieces {
public:
    Pieces() = default;
    // Adds the messages to the round.
    Pieces(const std::string &subject, std::string_view bytes, size_t max_bytes,
           std::vector<Publish> &round);
    bool empty() const { return begin_ == end_; }
    // Returns their sequences. Returns false if one was not acknowledged.
    bool sequences(const std::vector<Publish> &round, Sequences &out) const;

private:
    size_t begin_ = 0, end_ = 0;
};

Backend::Pieces::Pieces(const std::string &subject, std::string_view bytes, size_t max_bytes,
                        std::vector<Publish> &round)
    : begin_(round.size()) {
    for (size_t at = 0; at < bytes.size(); at += max_bytes) {
        round.emplace_back();
        round.back().subject = subject;
        round.back().data = bytes.substr(at, max_bytes);
    }
    end_ = round.size();
}

bool Backend::Pieces::sequences(const std::vector<Publish> &round, Sequences &out) const {
    out.clear();
    for (size_t at = begin_; at < end_; ++at) {
        if (round[at].status != ACCP_OK) return false;
        out.push_back(round[at].seq);
    }
    return true;
}

struct Backend::PendingWrite {
    accp_store_write *write = nullptr;
    Session of;
    LogHead head;
    Pieces directory, snapshot, whole;
    std::vector<Pieces> values;  // for each change
    std::string body;
    Sequences made;  // pieces that were published
    bool goes_on = true;

    void stop(accp_status status, const char *message) {
        write->status = status;
        write->message = message;
        goes_on = false;
    }
};

// Checks that the write follows the last one, and fills in the head.
void Backend::check_order(PendingWrite &it) {
    accp_store_write &write = *it.write;
    SessionIndex *index = &it.of.index();
    if (!index->head || index->head != write.after) index = refresh(it.of);
    if ((index ? index->head : 0) != write.after)
        return it.stop(ACCP_ERR_BUSY, "another write came first");
    it.head.row = view_of(write.row);
    it.head.first = write.first;
    it.head.count = write.record_count;
    if (!index) return;
    it.head.back_links = index->back_links;
    it.head.base = index->head;
    it.head.covers = index->covers;
    it.head.snapshot = index->snapshot;
    it.head.snapshot_bytes = index->snapshot_bytes;
}

size_t Backend::max_piece_bytes() const {
    return std::min(kMaxPiece, link_.max_payload() - std::min(kHeadRoom, link_.max_payload() / 2));
}

void Backend::stage(PendingWrite &it, std::vector<Publish> &directory,
                    std::vector<Publish> &round) {
    const accp_store_write &write = *it.write;
    const std::string pieces = it.of.subject('v');
    if (!write.after)
        it.directory = Pieces(directory_subject(it.of.id), it.of.id, SIZE_MAX, directory);
    if (write.after && it.of.index().wants_snapshot()) {
        const std::string bytes = it.of.index().write_snapshot();
        it.snapshot = Pieces(pieces, bytes, max_piece_bytes(), round);
        it.head.covers = it.head.previous();
        it.head.snapshot_bytes = bytes.size();
    }
    it.values.resize(write.change_count);
    for (size_t i = 0; i < write.change_count; ++i)
        if (write.changes[i].value.len > kInlineValue)
            it.values[i] =
                Pieces(pieces, view_of(write.changes[i].value), max_piece_bytes(), round);
}

// After the first round, writes the body, which names pieces. If the body itself is too large,
// divides it into pieces.
void Backend::compose(PendingWrite &it, const std::vector<Publish> &directory,
                      const std::vector<Publish> &first, std::vector<Publish> &round) {
    const accp_store_write &write = *it.write;
    Sequences made;
    bool whole = it.directory.sequences(directory, made);
    whole &= it.snapshot.empty() || it.snapshot.sequences(first, it.head.snapshot);
    if (!it.snapshot.empty()) it.made = it.head.snapshot;
    FormWriter to(it.body);
    for (size_t i = 0; i < write.record_count; ++i) to.text(view_of(write.records[i]));
    for (size_t i = 0; i < write.change_count; ++i) {
        const accp_store_change &change = write.changes[i];
        to.number(static_cast<uint64_t>(change.kind));
        to.text(view_of(change.key));
        if (change.kind != ACCP_STORE_PUT) continue;
        MapEntry entry;
        entry.note = view_of(change.note);
        entry.size = change.value.len;
        whole &= it.values[i].sequences(first, entry.pieces);
        it.made.insert(it.made.end(), entry.pieces.begin(), entry.pieces.end());
        if (entry.pieces.empty()) entry.value = view_of(change.value);
        entry.write(to);
    }
    if (!whole) return it.stop(ACCP_ERR_IO, kNoPiece);
    if (it.body.size() > max_piece_bytes())
        it.whole = Pieces(it.of.subject('v'), it.body, max_piece_bytes(), round);
}

void Backend::settle(PendingWrite &it, const Publish &sent) {
    accp_store_write &write = *it.write;
    write.status = sent.status;
    write.message = sent.status == ACCP_OK       ? nullptr
                    : sent.status == ACCP_ERR_IO ? "the stream did not acknowledge the write"
                                                 : "another write came first";
    if (sent.status == ACCP_ERR_BUSY && !sent.seq)  // no message names these pieces
        for (const uint64_t seq : it.made) it.of.stream->delete_message(seq);
    if (sent.status != ACCP_OK) return;
    write.number = sent.seq;
    Sequences garbage;
    it.of.index().apply(sent.seq, it.head, it.body, garbage);
    for (const uint64_t seq : garbage) it.of.stream->delete_message(seq);
}

// Publishes the writes of one shard, beginning with the first round.
void Backend::write_shard(std::vector<PendingWrite *> &all, const std::vector<Publish> &directory,
                          std::vector<Publish> &first) {
    Stream &stream = *all.front()->of.stream;
    std::vector<Publish> second, logs;
    stream.publish(first);
    for (PendingWrite *it : all)
        if (it->goes_on) compose(*it, directory, first, second);
    stream.publish(second);
    std::vector<PendingWrite *> sent;
    for (PendingWrite *it : all) {
        if (!it->goes_on) continue;
        if (!it->whole.sequences(second, it->head.body)) {
            it->stop(ACCP_ERR_IO, kNoPiece);
            continue;
        }
        it->made.insert(it->made.end(), it->head.body.begin(), it->head.body.end());
        logs.emplace_back();
        logs.back().subject = it->of.subject('l');
        const bool is_new = !it->head.previous();  // see backend.h
        logs.back().expected =
            is_new && stream.is_replicated() ? Publish::kAny : it->head.previous();
        it->head.write(logs.back().data);
        if (it->head.body.empty()) logs.back().data += it->body;
        sent.push_back(it);
    }
    stream.publish(logs);
    reject_overtaken(stream, sent, logs);
    for (size_t i = 0; i < sent.size(); ++i) settle(*sent[i], logs[i]);
}

// Refuses the acknowledged writes that are not the first after the message that they name.
void Backend::reject_overtaken(Stream &stream, const std::vector<PendingWrite *> &sent,
                               std::vector<Publish> &logs) {
    if (!stream.is_replicated()) return;
    std::vector<FirstCheck> doubts;
    std::vector<size_t> whose;
    for (size_t i = 0; i < sent.size(); ++i) {
        const uint64_t previous = sent[i]->head.previous();
        if (logs[i].status != ACCP_OK || logs[i].seq == previous + 1) continue;
        doubts.push_back({&logs[i].subject, previous, logs[i].seq});
        whose.push_back(i);
    }
    try {
        stream.check_first(doubts);
    } catch (const Failure &) {  // the result is unknown
        for (const size_t i : whose) logs[i].status = ACCP_ERR_IO;
        return;
    }
    for (size_t k = 0; k < whose.size(); ++k)
        if (!doubts[k].is_first) logs[whose[k]].status = ACCP_ERR_BUSY;
}

// Locks in the order of the ids, so that two groups cannot block each other.
void Backend::lock_all(std::vector<PendingWrite> &all) {
    std::vector<PendingWrite *> order;
    for (PendingWrite &it : all) order.push_back(&it);
    std::sort(order.begin(), order.end(),
              [](const PendingWrite *a, const PendingWrite *b) { return a->of.id < b->of.id; });
    const std::string *before = nullptr;
    for (PendingWrite *it : order) {
        if (before && *before == it->of.id)
            it->stop(ACCP_ERR_BUSY, "the group has two writes to one session");
        else it->of.held = std::unique_lock<std::mutex>(it->of.cached->lock);
        before = &it->of.id;
    }
}

void Backend::write(accp_store_write *writes, size_t count) {
    std::vector<PendingWrite> all(count);
    for (size_t i = 0; i < count; ++i) {
        all[i].write = &writes[i];
        all[i].of = session(view_of(writes[i].session));
        writes[i].status = ACCP_ERR_IO;
    }
    lock_all(all);
    std::vector<Publish> directory;
    std::map<Stream *, std::pair<std::vector<PendingWrite *>, std::vector<Publish>>> shards;
    for (PendingWrite &it : all) {
        if (it.goes_on) check_order(it);
        if (!it.goes_on) continue;
        auto &[staged, first] = shards[it.of.stream];
        stage(it, directory, first);
        staged.push_back(&it);
    }
    streams_[0]->publish(directory);
    for (auto &[stream, shard] : shards) write_shard(shard.first, directory, shard.second);
}

}  // namespace accp_nats
