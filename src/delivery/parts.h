// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages in parts (decision A55), held until they are complete. The held data is bounded. Nothing
// is dropped to make space: a part that exceeds a limit is refused until a message is complete or
// its chain is abandoned. An agent that holds little is not refused because of other agents.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::delivery {

// Metadata of a part: its index, from 0, and the number of parts.
constexpr std::string_view kPartKey = "fi", kPartsKey = "ft";

// One part of a message.
struct MessagePart {
    std::string_view header, cid, sid;
    uint32_t index, count;
    std::string_view text;  // of the payload: params, or a piece
    bool is_piece;
    std::string_view meta;  // of the first part: the metadata of the message, without brackets
    size_t offset;          // offset in the frame of the number of the part
};

// Reads the part that a frame of `len` bytes contains. `meta` is the node of its metadata (0:
// none). If the frame is not a part, `is_part` is false. Returns E1004 for an invalid part; the
// offset is a byte of the frame. `out` has views into the frame and the arena.
Status read_part(value::TreeView frame, uint32_t meta, size_t len, const Settings &settings,
                 Arena &arena, MessagePart &out, bool &is_part);

class PartialMessages {
public:
    explicit PartialMessages(Memory &memory) : open_(memory), held_(memory), bytes_(memory) {}

    // The steps of take(), for a caller that also stores parts elsewhere. check() returns whether a
    // part may be accepted. completes() returns whether it completes its message, and join() builds
    // that message. hold() keeps the part with a tag of the caller. drop() removes all parts of its
    // message.
    Status check(const MessagePart &part, uint64_t max_bytes) const {
        return check(part, find(part), max_bytes);
    }
    bool completes(const MessagePart &part) const;
    void join(const MessagePart &part, Arena &arena, Buffer<char> &whole) const;
    void hold(const MessagePart &part, uint64_t tag = 0);
    void drop(const MessagePart &part);
    // the tags of the held parts of its message, combined with OR
    uint64_t tags(const MessagePart &part) const;
    bool empty() const { return open_.empty(); }
    bool holds(std::string_view cid) const;  // empty: of any chain
    // Visits the tags of all held parts, in an order that hold() can restore.
    template <class Visit>
    void each_tag(Visit visit) const {
        for (size_t i = 0; i < held_.size(); ++i)
            if (held_[i].kind >= Kind::kParams) visit(held_[i].tag);
    }

    // Accepts a part. If it completes the message, the frame of the message replaces `whole`;
    // otherwise `whole` is empty. Held parts stay until finish(). max_bytes: limit of a frame.
    // E1004: the part is repeated, or has another count; E1001: the frame is too long; E2003: too
    // much is held. A failure changes nothing.
    Status take(const MessagePart &part, uint64_t max_bytes, Arena &arena, Buffer<char> &whole);
    // Removes the parts of the last completed message.
    void finish() { drop(whole_); }

    // Removes the held parts of a chain, or all of them if cid is empty.
    void abandon(std::string_view cid);

private:
    struct Sequence {
        uint32_t id, count, have;
        size_t key;  // in held_: header, cid and sid
        size_t bytes;
    };
    // The kinds of held text: the key of the sequence, its parts, and the metadata of the first
    // part.
    enum class Kind : uint8_t { kHeader, kCid, kSid, kMeta, kParams, kPiece };
    struct Held {
        uint32_t sequence, index;
        size_t offset, len;
        Kind kind;
        uint64_t tag;
    };

    std::string_view text(const Held &held) const {
        return {bytes_.data() + held.offset, held.len};
    }
    const Sequence *find(const MessagePart &part) const;
    bool has(const Sequence &sequence, uint32_t index) const;
    // The messages and bytes that are held for the agent of a header.
    struct Share {
        size_t open = 0, bytes = 0;
    };
    Share share_of(std::string_view header) const;
    Status check(const MessagePart &part, const Sequence *sequence, uint64_t max_bytes) const;
    void hold(uint32_t sequence, uint32_t index, Kind kind, std::string_view text, uint64_t tag);
    void drop(uint32_t sequence);

    Buffer<Sequence> open_;
    Buffer<Held> held_;
    Buffer<char> bytes_;
    uint32_t next_id_ = 0, whole_ = 0;
};

}  // namespace accp::delivery
