// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See timers.h: a binary heap, in which each attempt knows its place.
#include "sacp/run/attempts.h"

namespace accp::sacp {

void Attempts::rise(size_t slot, uint32_t place) {
    for (; slot > 1 && attempts_[heap_[slot / 2 - 1]].at > attempts_[place].at; slot /= 2)
        put(slot, heap_[slot / 2 - 1]);
    put(slot, place);
}

void Attempts::sink(size_t slot, uint32_t place) {
    const size_t count = heap_.size();
    for (size_t child; (child = 2 * slot) <= count; slot = child) {
        if (child < count && attempts_[heap_[child]].at < attempts_[heap_[child - 1]].at) ++child;
        if (attempts_[heap_[child - 1]].at >= attempts_[place].at) break;
        put(slot, heap_[child - 1]);
    }
    put(slot, place);
}

void Attempts::disarm(uint32_t place) {
    const size_t slot = attempts_[place].heap;
    if (!slot) return;
    attempts_[place].heap = 0;
    const uint32_t last = heap_[heap_.size() - 1];
    heap_.resize_down(heap_.size() - 1);
    if (last == place) return;
    rise(slot, last);
    sink(attempts_[last].heap, last);
}

}  // namespace accp::sacp
