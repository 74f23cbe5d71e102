// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The memory of a handle: an allocator and a cap, from which its buffers and its arena allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "accp/config.h"
#include "base/poison.h"
#include "base/status.h"

namespace accp {

// Returns the library's private allocator (mimalloc), never the host's malloc. Sanitizer builds use
// the system's malloc, so that the sanitizer sees every block.
accp_allocator private_allocator();

class Memory {
public:
    Memory(const accp_allocator &allocator, uint64_t cap) : allocator_(allocator), cap_(cap) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    void *allocate(size_t size) {  // throws OutOfMemory
        if (size > cap_ - used_) throw OutOfMemory{};
        void *memory = allocator_.alloc(size, allocator_.user);
        if (!memory) throw OutOfMemory{};
        used_ += size;
        return memory;
    }

    void release(void *memory, size_t size) noexcept {
        if (!memory) return;
        used_ -= size;
        allocator_.release(memory, size, allocator_.user);
    }

    uint64_t used() const { return used_; }

private:
    accp_allocator allocator_;
    uint64_t cap_;
    uint64_t used_ = 0;
};

// A growing array of plain data that keeps its memory when it is cleared. kSlack bytes after its
// capacity can be read and written, so that copies can go in whole vectors.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    static constexpr size_t kSlack = 32;

    explicit Buffer(Memory &memory) : memory_(&memory) {}
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { release(); }

    T *data() { return data_; }
    const T *data() const { return data_; }
    size_t size() const { return size_; }
    size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    T &operator[](size_t i) { return data_[i]; }
    const T &operator[](size_t i) const { return data_[i]; }
    T *begin() { return data_; }
    T *end() { return data_ + size_; }
    const T *begin() const { return data_; }
    const T *end() const { return data_ + size_; }

    // Both buffers must have the same Memory.
    void swap(Buffer &other) noexcept {
        T *data = data_;
        size_t size = size_, capacity = capacity_;
        data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
        other.data_ = data, other.size_ = size, other.capacity_ = capacity;
    }

    void clear() { resize_down(0); }
    void resize_down(size_t size) {
        size_ = size;
        close();
    }

    // Clears the buffer, and frees memory above `kept_bytes`.
    void recycle(size_t kept_bytes) {
        clear();
        if (capacity_ * sizeof(T) <= kept_bytes) return;
        release();
        data_ = nullptr;
        capacity_ = 0;
    }

    // Returns space for `extra` more elements. The caller writes them and then calls advance().
    // Never returns NULL, and there are kSlack bytes after the space.
    T *reserve(size_t extra) {
        if (extra >= capacity_ - size_) grow(extra);
        unpoison(data_ + size_, extra * sizeof(T) + kSlack);
        return data_ + size_;
    }
    // Returns whether `extra` elements, and kSlack bytes after them, can be written at `at`, which
    // is at the end of the buffer or in the space after it.
    bool has_space(const T *at, size_t extra) const {
        if (extra >= capacity_ - static_cast<size_t>(at - data_)) return false;
        unpoison(at, extra * sizeof(T) + kSlack);
        return true;
    }
    void advance(size_t count) { size_ += count; }
    void set_end(const T *end) { size_ = static_cast<size_t>(end - data_); }

    // For buffers that live long: allocates space for `count` elements in all and little more, and
    // keeps the elements.
    void reserve_exact(size_t count) {
        if (count && capacity_ <= count) replace(count + count / 32 + 1);
    }

    void push(const T &item) {
        *reserve(1) = item;
        ++size_;
    }
    // The same, but faster. kSlack bytes after the items must be readable, as they are in a buffer
    // of this type.
    void append_padded(const T *items, size_t count) {
        T *to = reserve(count);
        size_t bytes = count * sizeof(T);
        for (size_t at = 0; at < bytes; at += 16)
            std::memcpy(reinterpret_cast<char *>(to) + at,
                        reinterpret_cast<const char *>(items) + at, 16);
        size_ += count;
    }
    void append(const T *items, size_t count) {
        if (count) std::memcpy(reserve(count), items, count * sizeof(T));
        size_ += count;
    }
    void append(const Buffer &from) { append(from.data(), from.size()); }
    void append(std::string_view text) requires std::is_same_v<T, char> {
        append(text.data(), text.size());
    }
    // The pointer is never NULL.
    std::string_view view() const requires std::is_same_v<T, char> {
        return {data() ? data() : "", size()};
    }
    void assign(std::string_view text) requires std::is_same_v<T, char> {
        clear();
        append(text);
    }

private:
    [[gnu::noinline]] void grow(size_t extra) {
        size_t want = size_ + extra + 1;
        if (want < capacity_ + capacity_ / 2) want = capacity_ + capacity_ / 2;
        if (want < 256 / sizeof(T)) want = 256 / sizeof(T);
        replace(want);
    }
    void replace(size_t capacity) {
        T *data = static_cast<T *>(memory_->allocate(capacity * sizeof(T) + kSlack));
        if (size_) std::memcpy(data, data_, size_ * sizeof(T));
        release();
        data_ = data;
        capacity_ = capacity;
        close();
    }
    // Poisons what is after the elements. The slack stays open, because texts are read in vectors.
    void close() {
        if (!kPoisons || !data_) return;
        unpoison(end(), kSlack);
        poison(reinterpret_cast<char *>(end()) + kSlack, (capacity_ - size_) * sizeof(T));
    }

    void release() {
        if (!data_) return;
        unpoison(data_, capacity_ * sizeof(T) + kSlack);
        memory_->release(data_, capacity_ * sizeof(T) + kSlack);
    }

    Memory *memory_;
    T *data_ = nullptr;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

}  // namespace accp
