// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "delivery/streams.h"

#include "base/text.h"

#include <algorithm>
#include <new>

namespace accp::delivery {

struct Streams::Stream {
    explicit Stream(Memory &memory) : cid(memory), text(memory), waiting(memory) {}

    bool complete() const { return final >= 0 && next > final; }

    // text: the data in order; if nothing is kept, only the data of the last call
    Buffer<char> cid, text;
    Buffer<Piece> waiting;  // by index, the highest first
    int64_t next = 0;       // the first index that is missing
    int64_t highest = -1;   // of all received chunks
    int64_t total = 0;      // 0: unknown
    int64_t final = -1;     // the index of the final chunk; -1: not received
    size_t shown = 0;       // bytes of text that were returned
};

Streams::Streams(Memory &memory)
    : memory_(memory), ids_(memory), closed_(memory), streams_(memory) {}

Streams::~Streams() {
    release_finished();
    for (size_t i = 0; i < streams_.size(); ++i) release(streams_[i]);
}

namespace {

Status reject_chunk(const char *message) { return fail(ACCP_E1004, 0, message); }

}  // namespace

// ---- Checks

Status Streams::check(const accp_chunk &chunk, const Stream *stream) const {
    if (chunk.index < 0 || chunk.total < 0 || chunk.index == INT64_MAX)
        return reject_chunk("the index and the total of a chunk must not be negative");
    if (chunk.total && chunk.index >= chunk.total)
        return reject_chunk("the index of a chunk must be below the total");
    if (chunk.total && chunk.is_final && chunk.index != chunk.total - 1)
        return reject_chunk("the final chunk must be the last of the total");
    const int64_t next = stream ? stream->next : 0;
    if (stream) {
        if (stream->total && chunk.total && chunk.total != stream->total)
            return reject_chunk("two chunks of one stream have different totals");
        if (stream->total && chunk.index >= stream->total)
            return reject_chunk("the index of a chunk must be below the total");
        if (stream->total && chunk.is_final && chunk.index != stream->total - 1)
            return reject_chunk("the final chunk must be the last of the total");
        if (chunk.total && stream->highest >= chunk.total)
            return reject_chunk("the total is below the index of an earlier chunk");
        if (stream->final >= 0 && chunk.is_final && chunk.index != stream->final)
            return reject_chunk("a stream must have only one final chunk");
        if (stream->final >= 0 && chunk.total && chunk.total != stream->final + 1)
            return reject_chunk("the final chunk must be the last of the total");
        if (stream->final >= 0 && chunk.index > stream->final)
            return reject_chunk("the chunk is after the final one");
        if (chunk.is_final && stream->highest > chunk.index)
            return reject_chunk("a chunk after this final one was received before");
        bool twice = chunk.index < next;
        for (size_t i = 0; i < stream->waiting.size() && !twice; ++i)
            twice = stream->waiting[i].index == chunk.index;
        if (twice) return reject_chunk("a chunk with this index was received before");
    } else if (open() >= max_open) {
        return fail_limit(open() + 1, max_open, "too many streams are open: finish or cancel one");
    }
    if (chunk.index != next &&
        (chunk.index - next > max_ahead || (stream && stream->waiting.size() >= max_ahead)))
        return fail_limit(std::max<uint64_t>(chunk.index - next, max_ahead + 1), max_ahead,
                          "too many chunks ahead of the next one: send the next one first");
    if (chunk.data.len > max_bytes - held_)
        return fail_limit(held_ + chunk.data.len, max_bytes,
                          "too many bytes of streams are held: finish or cancel one");
    return {};
}

uint32_t Streams::find(const accp_text &cid, uint64_t hash) const {
    uint32_t i = ids_.find(hash);
    while (i != IdList::kNone &&
           std::string_view(streams_[i]->cid.data(), streams_[i]->cid.size()) != to_view(cid))
        i = ids_.find(hash, i + 1);
    return i;
}

// ---- Calls

Status Streams::add(const accp_chunk &chunk, accp_stream_part &out) {
    release_finished();
    if (!chunk.cid.len) return reject_chunk("a chunk must have the cid of its stream");
    const uint64_t hash = ids_.hash(chunk.cid);
    uint32_t index = find(chunk.cid, hash);
    if (index == IdList::kNone && closed_.find(hash) != IdList::kNone)
        return reject_chunk("the stream of this chunk has ended");
    Status status = check(chunk, index == IdList::kNone ? nullptr : streams_[index]);
    if (status.failed()) return status;
    const bool opened = index == IdList::kNone;
    if (opened) index = open_stream(chunk.cid, hash);
    Stream &stream = *streams_[index];
    struct Undo {  // of an opening that runs out of memory
        Streams *streams;
        uint32_t index;
        ~Undo() {
            if (streams) streams->close(index);
        }
    } undo = {opened ? this : nullptr, index};
    closed_.reserve();
    if (chunk.index != stream.next) {
        keep_ahead(stream, chunk);
    } else {
        append(stream, chunk.data.text, chunk.data.len);
        ++stream.next;
    }
    undo.streams = nullptr;
    if (chunk.total) stream.total = chunk.total;
    if (chunk.is_final) stream.final = chunk.index;
    if (chunk.index > stream.highest) stream.highest = chunk.index;
    take_waiting(stream);
    report(index, false, out);
    return {};
}

Status Streams::end(const accp_text &cid, accp_stream_part &out) {
    release_finished();
    if (!cid.len) return reject_chunk("an end must have the cid of its stream");
    const uint64_t hash = ids_.hash(cid);
    const uint32_t index = find(cid, hash);
    closed_.reserve();
    if (index != IdList::kNone) {
        report(index, true, out);
        return {};
    }
    const bool was_closed = closed_.find(hash) != IdList::kNone;
    if (!was_closed) remember(hash);
    out = {};
    out.state = was_closed ? ACCP_STREAM_CLOSED : ACCP_STREAM_ABORTED;
    return {};
}

bool Streams::drop(const accp_text &cid) {
    release_finished();
    const uint32_t index = cid.len ? find(cid, ids_.hash(cid)) : IdList::kNone;
    if (index != IdList::kNone) close(index);
    return index != IdList::kNone;
}

// ---- Parts of calls

// Frees the stream that the last call closed.
void Streams::release_finished() {
    release(finished_);
    finished_ = nullptr;
}

uint32_t Streams::open_stream(const accp_text &cid, uint64_t hash) {
    ids_.reserve();
    streams_.reserve(1);
    auto *stream = new (memory_.allocate(sizeof(Stream))) Stream(memory_);
    struct Holder {
        Streams *streams;
        Stream *held;
        ~Holder() { streams->release(held); }
    } holder = {this, stream};
    stream->cid.append(cid.text, cid.len);
    ids_.add(hash);
    streams_.push(stream);
    holder.held = nullptr;
    return ids_.size() - 1;
}

void Streams::keep_ahead(Stream &stream, const accp_chunk &chunk) {
    stream.waiting.reserve(1);
    Piece piece = {chunk.index, nullptr, chunk.data.len};
    if (piece.len) {
        piece.data = static_cast<char *>(memory_.allocate(piece.len));
        std::memcpy(piece.data, chunk.data.text, piece.len);
    }
    held_ += piece.len;
    size_t at = stream.waiting.size();
    stream.waiting.push(piece);
    for (; at > 0 && stream.waiting[at - 1].index < piece.index; --at)
        stream.waiting[at] = stream.waiting[at - 1];
    stream.waiting[at] = piece;
}

// Reserves space for the new bytes and for the chunks that waited for them, so that nothing can
// fail after a change.
void Streams::append(Stream &stream, const char *data, size_t len) {
    size_t waiting = 0;
    int64_t next = stream.next + 1;
    for (size_t i = stream.waiting.size(); i > 0 && stream.waiting[i - 1].index == next;
         --i, ++next)
        waiting += stream.waiting[i - 1].len;
    if (!keep) {
        held_ -= stream.text.size();
        stream.text.clear();
        stream.shown = 0;
    }
    stream.text.reserve(len + waiting);
    stream.text.append(data, len);
    held_ += len;
}

void Streams::take_waiting(Stream &stream) {
    Buffer<Piece> &waiting = stream.waiting;
    while (!waiting.empty() && waiting[waiting.size() - 1].index == stream.next) {
        const Piece piece = waiting[waiting.size() - 1];
        waiting.resize_down(waiting.size() - 1);
        stream.text.append(piece.data, piece.len);  // the held bytes do not change
        memory_.release(piece.data, piece.len);
        ++stream.next;
    }
}

// Returns the new data of a stream. Closes the stream if it is complete or has ended.
void Streams::report(uint32_t index, bool ended, accp_stream_part &out) {
    Stream &stream = *streams_[index];
    const char *text = stream.text.data() ? stream.text.data() : "";
    const bool complete = stream.complete();
    out = {};
    out.data = {text + stream.shown, stream.text.size() - stream.shown};
    out.chunks = stream.next;
    out.state = complete ? ACCP_STREAM_COMPLETE : ended ? ACCP_STREAM_ABORTED : ACCP_STREAM_OPEN;
    stream.shown = stream.text.size();
    if (!complete && !ended) return;
    if (keep) out.whole = {text, stream.text.size()};
    remember(ids_.hash({stream.cid.data(), stream.cid.size()}));
    finished_ = &stream;
    streams_[index] = nullptr;
    close(index);
}

void Streams::close(uint32_t index) {
    release(streams_[index]);
    ids_.remove(index);
    streams_[index] = streams_[streams_.size() - 1];
    streams_.resize_down(streams_.size() - 1);
}

void Streams::remember(uint64_t hash) {
    if (closed_.size() < kMaxClosedStreams) return closed_.add(hash);
    closed_.replace(oldest_closed_, hash);
    oldest_closed_ = (oldest_closed_ + 1) % kMaxClosedStreams;
}

void Streams::release(Stream *stream) {
    if (!stream) return;
    held_ -= stream->text.size();
    for (size_t i = 0; i < stream->waiting.size(); ++i) {
        held_ -= stream->waiting[i].len;
        memory_.release(stream->waiting[i].data, stream->waiting[i].len);
    }
    stream->~Stream();
    memory_.release(stream, sizeof(Stream));
}

}  // namespace accp::delivery
