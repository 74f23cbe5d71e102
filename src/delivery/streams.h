// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Streams (specification 10.4): chunks come in any order and leave in order. Pure: no clock, no
// frames; sessions and the C face feed it.
//
// A stream is told by its cid. It opens with its first chunk, whichever that is, and closes with
// the chunk that is final once all before it have come, or by the intent `end`, whichever is first
// (decision A61); what lacks then makes it aborted. The cids of closed streams are remembered, the
// newest kMaxClosedStreams of them: a chunk for one of these is data after the end.
//
// A refused chunk changes nothing: E1004 for one that contradicts what is known, E2003 for one
// beyond a limit.
#pragma once

#include <string_view>

#include "accp/stream.h"
#include "base/limits.h"
#include "base/status.h"
#include "delivery/id_list.h"

namespace accp::delivery {

class Streams {
public:
    explicit Streams(Memory &memory);
    Streams(const Streams &) = delete;
    Streams &operator=(const Streams &) = delete;
    ~Streams();

    // What of the stream is in order by this chunk, and how it stands. The views live until the
    // next call of one of these three.
    Status add(const accp_chunk &chunk, accp_stream_part &out);
    // The intent `end`. For a stream that is closed already, or of which nothing came, nothing
    // happens but that it is closed.
    Status end(const accp_text &cid, accp_stream_part &out);
    // Forgets a stream, as if it had never been, and all that it holds. False where there is none.
    bool drop(const accp_text &cid);

    uint32_t open() const { return ids_.size(); }
    uint64_t held() const { return held_; }

    // To be set before the first chunk.
    uint64_t max_bytes = kMaxStreamBytes;
    uint32_t max_ahead = kMaxChunksAhead, max_open = kMaxOpenStreams;
    bool keep = true;  // what came in order is kept and handed out whole at the end

private:
    // A chunk that waits.
    struct Piece {
        int64_t index;
        char *data;
        size_t len;
    };
    struct Stream;

    Status check(const accp_chunk &chunk, const Stream *stream) const;
    uint32_t find(const accp_text &cid, uint64_t hash) const;
    uint32_t open_stream(const accp_text &cid, uint64_t hash);
    void keep_ahead(Stream &stream, const accp_chunk &chunk);
    void append(Stream &stream, const char *data, size_t len);
    void take_waiting(Stream &stream);
    void report(uint32_t place, bool ended, accp_stream_part &out);
    void release_finished();
    void close(uint32_t place);
    void remember(uint64_t hash);
    void release(Stream *stream);

    Memory &memory_;
    IdList ids_, closed_;
    Buffer<Stream *> streams_;    // in the order of ids_
    Stream *finished_ = nullptr;  // closed by the last call, and still seen
    uint32_t oldest_closed_ = 0;
    uint64_t held_ = 0;
};

// The end of the piece of a text that begins at `begin`, of at most `max` bytes but one code point
// at least: where no code point is cut, nor, as far as that is possible, one from the mark or
// joiner that belongs to it.
size_t cut_text(std::string_view text, size_t begin, size_t max);

}  // namespace accp::delivery
