// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Streams (specification 10.4): chunks arrive in any order and are returned in order. There is no
// clock and no frame here.
//
// A stream is identified by its cid. It opens with its first chunk, whatever its index. It closes
// when all chunks up to the final one have arrived, or with the intent `end`, whichever comes first
// (decision A61). If chunks are missing, the stream is aborted. The newest kMaxClosedStreams cids
// of closed streams are remembered: a chunk for one of them is data after the end.
//
// A refused chunk changes nothing. E1004: it contradicts earlier chunks; E2003: it exceeds a limit.
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

    // Adds a chunk and returns the data that is now in order, and the state of the stream. The
    // views live until the next call of add(), end() or drop().
    Status add(const accp_chunk &chunk, accp_stream_part &out);
    // Ends a stream (intent `end`). If it is closed already or unknown, it is only remembered as
    // closed.
    Status end(const accp_text &cid, accp_stream_part &out);
    // Removes a stream and its data. Returns false if there is none.
    bool drop(const accp_text &cid);

    uint32_t open() const { return ids_.size(); }
    uint64_t held() const { return held_; }

    // Set before the first chunk.
    uint64_t max_bytes = kMaxStreamBytes;
    uint32_t max_ahead = kMaxChunksAhead, max_open = kMaxOpenStreams;
    bool keep = true;  // keep the data in order, and return it whole at the end

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
    void report(uint32_t index, bool ended, accp_stream_part &out);
    void release_finished();
    void close(uint32_t index);
    void remember(uint64_t hash);
    void release(Stream *stream);

    Memory &memory_;
    IdList ids_, closed_;
    Buffer<Stream *> streams_;    // in the order of ids_
    Stream *finished_ = nullptr;  // closed by the last call; the caller may still read it
    uint32_t oldest_closed_ = 0;
    uint64_t held_ = 0;
};

}  // namespace accp::delivery
