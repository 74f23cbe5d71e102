// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages that come in parts (decision A55), held until they are whole. Everything is
// bounded, and nothing that was taken is dropped to make room: what is too much is refused, until a
// message is whole or its chain abandoned. An agent that holds little is not refused for what
// others hold.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::delivery {

// Metadata of a message in parts: which part this is, from 0, and of how many.
constexpr std::string_view kPartKey = "fi", kPartsKey = "ft";

// One frame of such a message.
struct MessagePart {
    std::string_view header, cid, sid;
    uint32_t index, count;
    std::string_view text;  // of the payload: params, or a piece
    bool is_piece;
    std::string_view meta;  // of the first part: the message's metadata, without brackets
    size_t place;           // in the frame, of the number that says which part it is
};

// Reads the part that a frame of `len` bytes is, with `meta` its metadata (0: none). Not one at
// all: `is_part` is false. E1004 one that is not sound. Views into the frame and the arena; the
// offset is a byte of the frame.
Status read_part(value::TreeView frame, uint32_t meta, size_t len, const Settings &settings,
                 Arena &arena, MessagePart &out, bool &is_part);

class PartialMessages {
public:
    explicit PartialMessages(Memory &memory) : open_(memory), held_(memory), bytes_(memory) {}

    // The steps of take(), for who keeps parts elsewhere too: may it be taken, does it make its
    // message whole, what is then the frame; else it is held, under a tag of the caller's. drop()
    // forgets all parts of its message.
    Status check(const MessagePart &part, uint64_t max_bytes) const {
        return check(part, find(part), max_bytes);
    }
    bool completes(const MessagePart &part) const;
    void join(const MessagePart &part, Arena &arena, Buffer<char> &whole) const;
    void hold(const MessagePart &part, uint64_t tag = 0);
    void drop(const MessagePart &part);
    // of the parts that are held of its message, one OR the other
    uint64_t tags(const MessagePart &part) const;
    bool empty() const { return open_.empty(); }
    bool holds(std::string_view cid) const;  // empty: anything
    // What parts are held of, by their tags, in an order in which hold() makes the same again.
    template <class Visit>
    void each_tag(Visit visit) const {
        for (size_t i = 0; i < held_.size(); ++i)
            if (held_[i].kind >= Kind::kParams) visit(held_[i].tag);
    }

    // Takes a part. Where it makes the message whole, its frame replaces `whole`, which stays empty
    // otherwise; what is held then stays until finish(). max_bytes: of a frame. E1004 a part that
    // is there already, or of another number of them; E1001 a frame that would be too long; E2003
    // too much held. A failure changes nothing.
    Status take(const MessagePart &part, uint64_t max_bytes, Arena &arena, Buffer<char> &whole);
    // The message that was whole is no longer needed.
    void finish() { drop(whole_); }

    // Drops what is held of a chain, or of all of them where cid is empty.
    void abandon(std::string_view cid);

private:
    struct Sequence {
        uint32_t id, count, have;
        size_t key;  // in held_: header, cid and sid
        size_t bytes;
    };
    // What is held of a sequence: the key it has, parts, and the metadata of the first.
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
    // Messages, and bytes, that are held of the agent in a header.
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
