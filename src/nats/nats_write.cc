// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See nats_backend.h: a group of writes, in rounds for all of them at once: pieces of values and
// snapshots; pieces of what is still too large for a message; a message of the log each.
#include "nats/nats_backend.h"

#include <algorithm>

namespace accp_nats {

namespace {

constexpr size_t kInlineValue = 1024;  // larger values are pieces
constexpr size_t kMaxPiece = 512 << 10;
constexpr size_t kHeadRoom = 64 << 10;  // of a message, for its head

std::string_view view_of(const accp_text &text) { return {text.len ? text.text : "", text.len}; }

// The range of a round's messages that are one text's.
struct Pieces {
    size_t begin = 0, end = 0;
};

// Their sequences, once all have been acknowledged; false: one has not.
bool sequences_of(const Pieces &pieces, const std::vector<Publish> &round, Sequences &out) {
    out.clear();
    for (size_t at = pieces.begin; at < pieces.end; ++at) {
        if (round[at].status != ACCP_OK) return false;
        out.push_back(round[at].seq);
    }
    return true;
}

}  // namespace

struct Backend::Staged {
    accp_store_write *write = nullptr;
    std::string_view id;
    LogHead head;
    Pieces directory, snapshot, whole;
    std::vector<Pieces> values;  // of each change
    std::string body;
    Sequences made;  // pieces that are in the stream
    bool goes_on = true;

    void stop(accp_status status, const char *message) {
        write->status = status;
        write->message = message;
        goes_on = false;
    }
};

// Is it the write that comes next?
void Backend::begin(Staged &it) {
    accp_store_write &write = *it.write;
    it.id = view_of(write.session);
    const auto cached = indexes_.find(std::string(it.id));
    SessionIndex *index = cached == indexes_.end() ? nullptr : &cached->second;
    if (!index || index->head != write.after) index = refresh(it.id);
    if ((index ? index->head : 0) != write.after)
        return it.stop(ACCP_ERR_BUSY, "another write came between");
    it.head.row = view_of(write.row);
    it.head.first = write.first;
    it.head.count = write.record_count;
    if (!index) return;
    it.head.previous = index->tail;
    it.head.base = index->head;
    index->used = ++clock_;
    it.head.covers = index->covers;
    it.head.snapshot = index->snapshot;
    it.head.snapshot_bytes = index->snapshot_bytes;
}

static Pieces add_pieces(const std::string &subject, std::string_view bytes, size_t max_bytes,
                         std::vector<Publish> &round) {
    Pieces out = {round.size(), round.size()};
    for (size_t at = 0; at < bytes.size(); at += max_bytes, ++out.end) {
        round.emplace_back();
        round.back().subject = subject;
        round.back().data = bytes.substr(at, max_bytes);
    }
    return out;
}

size_t Backend::most_of_piece() const {
    return std::min(kMaxPiece, link_.max_payload() - std::min(kHeadRoom, link_.max_payload() / 2));
}

void Backend::stage(Staged &it, std::vector<Publish> &round) {
    const accp_store_write &write = *it.write;
    const std::string pieces = subject('v', it.id);
    if (!write.after) it.directory = add_pieces(subject('d', it.id), it.id, SIZE_MAX, round);
    const auto cached = indexes_.find(std::string(it.id));
    if (write.after && cached != indexes_.end() && cached->second.wants_snapshot()) {
        const std::string bytes = cached->second.write_snapshot();
        it.snapshot = add_pieces(pieces, bytes, most_of_piece(), round);
        it.head.covers = it.head.previous;
        it.head.snapshot_bytes = bytes.size();
    }
    it.values.resize(write.change_count);
    for (size_t i = 0; i < write.change_count; ++i)
        if (write.changes[i].value.len > kInlineValue)
            it.values[i] =
                add_pieces(pieces, view_of(write.changes[i].value), most_of_piece(), round);
}

// After the first round: the body, which names pieces; and as pieces where it is large itself.
void Backend::compose(Staged &it, const std::vector<Publish> &first, std::vector<Publish> &round) {
    const accp_store_write &write = *it.write;
    Sequences made;
    bool whole = sequences_of(it.directory, first, made);
    if (it.snapshot.end) whole &= sequences_of(it.snapshot, first, it.head.snapshot);
    if (it.snapshot.end) it.made = it.head.snapshot;
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
        whole &= sequences_of(it.values[i], first, entry.pieces);
        it.made.insert(it.made.end(), entry.pieces.begin(), entry.pieces.end());
        if (entry.pieces.empty()) entry.value = view_of(change.value);
        entry.write(to);
    }
    if (!whole) return it.stop(ACCP_ERR_IO, "a piece was not acknowledged");
    if (it.body.size() > most_of_piece())
        it.whole = add_pieces(subject('v', it.id), it.body, most_of_piece(), round);
}

void Backend::settle(Staged &it, const Publish &sent) {
    accp_store_write &write = *it.write;
    write.status = sent.status;
    write.message = sent.status == ACCP_OK       ? nullptr
                    : sent.status == ACCP_ERR_IO ? "the stream did not acknowledge it"
                                                 : "another write came between";
    if (sent.status == ACCP_ERR_BUSY && !sent.seq)  // nothing will ever name these
        for (const uint64_t seq : it.made) link_.forget(seq);
    if (sent.status != ACCP_OK) return;
    write.number = sent.seq;
    SessionIndex &index = indexes_[std::string(it.id)];
    Sequences garbage;
    index.used = ++clock_;
    index.apply(sent.seq, it.head, it.body, garbage);
    for (const uint64_t seq : garbage) link_.forget(seq);
}

// One that was acknowledged: does it count? Its leader has all before it. A replica may not: one
// that was cut off and catches up has later ones first.
bool Backend::is_first_after(const std::string &log, uint64_t previous, uint64_t seq) {
    return !link_.is_replicated() || seq == previous + 1 ||
           link_.first_from(log, previous + 1) == seq;
}

void Backend::write(accp_store_write *writes, size_t count) {
    std::vector<Staged> all(count);
    std::vector<Publish> first, second, logs;
    for (size_t i = 0; i < count; ++i) {
        all[i].write = &writes[i];
        writes[i].status = ACCP_ERR_IO;
        begin(all[i]);
        if (all[i].goes_on) stage(all[i], first);
    }
    link_.publish(first);
    for (Staged &it : all)
        if (it.goes_on) compose(it, first, second);
    link_.publish(second);
    std::vector<Staged *> sent;
    for (Staged &it : all) {
        if (!it.goes_on) continue;
        if (!sequences_of(it.whole, second, it.head.body)) {
            it.stop(ACCP_ERR_IO, "a piece was not acknowledged");
            continue;
        }
        it.made.insert(it.made.end(), it.head.body.begin(), it.head.body.end());
        logs.emplace_back();
        logs.back().subject = subject('l', it.id);
        const bool is_new = !it.head.previous;  // nats_backend.h says why
        logs.back().expected = is_new && link_.is_replicated() ? Publish::kAny : it.head.previous;
        it.head.write(logs.back().data);
        if (it.head.body.empty()) logs.back().data += it.body;
        sent.push_back(&it);
    }
    link_.publish(logs);
    for (size_t i = 0; i < sent.size(); ++i) {
        if (logs[i].status == ACCP_OK &&
            !is_first_after(logs[i].subject, sent[i]->head.previous, logs[i].seq))
            logs[i].status = ACCP_ERR_BUSY;
        settle(*sent[i], logs[i]);
    }
}

}  // namespace accp_nats
