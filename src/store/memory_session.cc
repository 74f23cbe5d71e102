// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See memory_session.h: an operation, applied.
#include "store/memory_session.h"

namespace accp::store {

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
