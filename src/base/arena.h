// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A bump allocator for data that lives for one call: positions, sets, orders. It takes its chunks
// from the handle's Memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/limits.h"
#include "base/memory.h"
#include "base/poison.h"

namespace accp {

class Arena {
public:
    explicit Arena(Memory &memory) : memory_(&memory) {}
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;
    ~Arena() { release(head_); }

    // Returns uninitialised space for `count` items, aligned to 16 bytes and valid until reset().
    template <class T>
    T *allocate(size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16);
        size_t size = (count * sizeof(T) + 15) & ~size_t{15};
        if (kPoisons) size += kGap;
        if (size > static_cast<size_t>(end_ - next_)) add_chunk(size);
        char *memory = next_;
        next_ += size;
        unpoison(memory, count * sizeof(T));
        return reinterpret_cast<T *>(memory);
    }

    // Frees everything. Keeps one chunk for the next call, unless that chunk is larger than
    // kKeptBytes.
    void reset() {
        if (!head_) return;
        if (head_->previous || head_->size > kKeptBytes) return shrink();
        use(head_);
    }

    // A position in the arena. rewind() frees what was allocated since mark().
    struct Mark {
        void *head = nullptr;
        char *next = nullptr;
    };
    Mark mark() const { return {head_, next_}; }
    void rewind(const Mark &mark) {
        if (head_ == mark.head) {
            next_ = mark.next;
            poison(next_, static_cast<size_t>(end_ - next_));
            return;
        }
        while (head_ && head_ != mark.head && head_->previous != mark.head) {
            Chunk *previous = head_->previous;
            release_one(head_);
            head_ = previous;
        }
        // Keep one chunk more than at mark(), so that repeated mark() and rewind() allocate
        // nothing.
        use(head_);
    }

private:
    struct Chunk {
        Chunk *previous;
        size_t size;  // of the body
    };
    static constexpr size_t kFirstChunk = 8 << 10;
    static constexpr size_t kGap = 16;  // poisoned, after each allocation

    static char *body(Chunk *chunk) { return reinterpret_cast<char *>(chunk) + sizeof(Chunk); }

    [[gnu::noinline]] void add_chunk(size_t size) {
        size_t want = head_ ? head_->size * 2 : kFirstChunk;
        if (want > kKeptBytes) want = kKeptBytes;
        if (want < size) want = size;
        auto *chunk = static_cast<Chunk *>(memory_->allocate(sizeof(Chunk) + want));
        chunk->previous = head_;
        chunk->size = want;
        use(chunk);
    }

    // Allocates from this chunk next, all of which is free.
    void use(Chunk *chunk) {
        head_ = chunk;
        next_ = body(chunk);
        end_ = next_ + chunk->size;
        poison(next_, chunk->size);
    }

    // Keeps the newest chunk only: the last call needed it, and it is the largest.
    [[gnu::noinline]] void shrink() {
        release(head_->previous);
        head_->previous = nullptr;
        if (head_->size <= kKeptBytes) return use(head_);
        release(head_);
        head_ = nullptr;
        next_ = end_ = nullptr;
    }

    void release(Chunk *chunk) {
        while (chunk) {
            Chunk *previous = chunk->previous;
            release_one(chunk);
            chunk = previous;
        }
    }
    void release_one(Chunk *chunk) {
        unpoison(body(chunk), chunk->size);
        memory_->release(chunk, sizeof(Chunk) + chunk->size);
    }

    Memory *memory_;
    Chunk *head_ = nullptr;
    char *next_ = nullptr;
    char *end_ = nullptr;
};

}  // namespace accp
