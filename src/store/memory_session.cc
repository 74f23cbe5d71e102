// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/memory_session.h"

#include <algorithm>

namespace accp::store {

void MemoryLog::reserve(size_t records, size_t bytes, MemoryScratch &scratch) {
    if (newest_.is_full(0)) pack_newest(scratch);
    newest_.reserve(records, bytes);
}

// Packs whole rows. The rest stays unpacked, unless one very large batch left too much. If memory
// runs out, nothing is packed.
void MemoryLog::pack_newest(MemoryScratch &scratch) {
    struct Undo {
        MemoryLog &log;
        size_t rows = log.rows_.size();
        bool wanted = true;
        ~Undo() {
            if (wanted) log.drop_rows(rows);
        }
    } undo = {*this};
    const bool keeps_rest = newest_.bytes() <= 2 * kRowBytes;
    size_t at = 0;
    for (size_t count = 0; at < newest_.count(); at += count) {
        count = newest_.row_length(at);
        if (keeps_rest && at && at + count == newest_.count()) break;
        scratch.packed.recycle(kKeptBytes);
        newest_.pack(at, count, scratch.packer, scratch.packed);
        rows_.reserve(1);
        const std::string_view row = scratch.packed.view();
        char *kept = static_cast<char *>(memory_->allocate(row.size()));
        row.copy(kept, row.size());
        rows_.push({packed_ + at + 1, static_cast<uint32_t>(count),
                    static_cast<uint32_t>(newest_.range(at, count).size()),
                    static_cast<uint32_t>(row.size()), kept});
    }
    undo.wanted = false;
    packed_ += at;
    packed_bytes_ += newest_.range(0, at).size();
    newest_.remove_front(at);
}

const MemoryLog::Part &MemoryLog::open_row(uint64_t seq, MemoryScratch &scratch) const {
    const auto after = [](uint64_t wanted, const Part &part) { return wanted < part.first; };
    const Part &part = *(std::upper_bound(rows_.begin(), rows_.end(), seq, after) - 1);
    scratch.row.unpack({part.row, part.len}, part.count, part.bytes);
    return part;
}

void MemorySession::put(Buffer<StoreOp *> &list, size_t place, bool there, StoreOp *kept) {
    if (there && kept) {
        drop(list[place]);
        list[place] = kept;
    } else if (there) {
        drop(list[place]);
        std::memmove(&list[place], &list[place] + 1, (list.size() - place - 1) * sizeof(StoreOp *));
        list.resize_down(list.size() - 1);
    } else if (kept) {
        list.reserve(1);
        std::memmove(list.data() + place + 1, list.data() + place,
                     (list.size() - place) * sizeof(StoreOp *));
        list.data()[place] = kept;
        list.advance(1);
    }
}

void MemorySession::apply(const StoreOp &op, StoreOp *kept) {
    switch (op.kind) {
        case StoreOp::kAppend: log.add(op.bytes()); break;
        case StoreOp::kState:
            drop(state);
            state = kept;
            break;
        case StoreOp::kPut:
        case StoreOp::kErase:
            put(blobs, blob_place(op.tier, op.key()), find_blob(op.tier, op.key()) != nullptr,
                kept);
            break;
        case StoreOp::kGrant:
        case StoreOp::kRevoke: {
            size_t at = grant_place(op);
            put(grants, at,
                at < grants.size() && grants[at]->bytes() == op.bytes() &&
                    grants[at]->key() == op.key(),
                kept);
            break;
        }
        case StoreOp::kMid:
            if (!has_mid(op.number)) mids.add(hash(op.number + 1), op.number + 1);
            break;
        default: break;  // the floor is in the row
    }
}

}  // namespace accp::store
