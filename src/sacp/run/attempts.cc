// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A binary heap; each attempt has its position in it.
#include "sacp/run/attempts.h"

namespace accp::sacp {

void Attempts::sift_up(size_t slot, uint32_t index) {
    for (; slot > 1 && attempts_[heap_[slot / 2 - 1]].at > attempts_[index].at; slot /= 2)
        place_in_heap(slot, heap_[slot / 2 - 1]);
    place_in_heap(slot, index);
}

void Attempts::sift_down(size_t slot, uint32_t index) {
    const size_t count = heap_.size();
    for (size_t child; (child = 2 * slot) <= count; slot = child) {
        if (child < count && attempts_[heap_[child]].at < attempts_[heap_[child - 1]].at) ++child;
        if (attempts_[heap_[child - 1]].at >= attempts_[index].at) break;
        place_in_heap(slot, heap_[child - 1]);
    }
    place_in_heap(slot, index);
}

void Attempts::clear_timer(uint32_t index) {
    const size_t slot = attempts_[index].heap;
    if (!slot) return;
    attempts_[index].heap = 0;
    const uint32_t last = heap_[heap_.size() - 1];
    heap_.resize_down(heap_.size() - 1);
    if (last == index) return;
    sift_up(slot, last);
    sift_down(attempts_[last].heap, last);
}

}  // namespace accp::sacp
