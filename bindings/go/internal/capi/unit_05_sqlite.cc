//go:build !accp_system && accp_sqlite

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <sqlite3.h>
#include <cstring>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// store/sqlite_memory.cc

// What SQLite, our copy of it, is told once: where its memory comes from, and that a path is a path. A copy that is not ours alone (ACCP_SYSTEM_SQLITE)
// is told nothing.



// Where memory comes from. A handle has one Memory: an allocator and a cap. Buffers and the arena take from it and give back.



// What a step of the library answers: nothing wrong, or a code, a byte offset and static text.



namespace accp {

struct [[nodiscard]] Status {
    accp_status code = ACCP_OK;
    uint32_t record = 0;
    uint64_t offset = 0;
    const char *message = nullptr;
    // Of a limit that was passed: what there was, and how much may be; else 0.
    uint64_t had = 0;
    uint64_t limit = 0;

    bool ok() const { return code == ACCP_OK; }
    bool failed() const { return code != ACCP_OK; }
};

inline Status fail(accp_status code, uint64_t offset, const char *message) { return {code, 0, offset, message, 0, 0}; }
// More than a limit allows: the message says of what, and what to do.
inline Status fail_limit(uint64_t had, uint64_t limit, const char *message, uint64_t offset = 0) {
    return {ACCP_E2003, 0, offset, message, had, limit};
}
// The same failure, at another byte.
inline Status move_to(Status status, uint64_t offset) {
    status.offset = offset;
    return status;
}

// The one exception of the library: thrown by Memory, caught in capi/guard.h.
struct OutOfMemory {};

}  // namespace accp

namespace accp {

// The library's private allocator (mimalloc), never the host's malloc. In sanitizer builds the system's, so that they see every block.
accp_allocator private_allocator();

class Memory {
public:
    Memory(const accp_allocator &allocator, uint64_t cap) : allocator_(allocator), cap_(cap) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    void *take(size_t size) {  // throws OutOfMemory
        if (size > cap_ - used_) throw OutOfMemory{};
        void *memory = allocator_.alloc(size, allocator_.user);
        if (!memory) throw OutOfMemory{};
        used_ += size;
        return memory;
    }

    void give(void *memory, size_t size) noexcept {
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

// A growing array of plain data that keeps its memory when it is cleared. kSlack bytes behind its room may be read and written over, so that
// copies can go in whole vectors.
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

    // Both have the same Memory.
    void swap(Buffer &other) noexcept {
        T *data = data_;
        size_t size = size_, capacity = capacity_;
        data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
        other.data_ = data, other.size_ = size, other.capacity_ = capacity;
    }

    void clear() { size_ = 0; }
    void resize_down(size_t size) { size_ = size; }

    // Clears, and gives back what is larger than an idle handle should keep.
    void recycle(size_t kept_bytes) {
        size_ = 0;
        if (capacity_ * sizeof(T) <= kept_bytes) return;
        release();
        data_ = nullptr;
        capacity_ = 0;
    }

    // Room for `extra` more elements, which the caller writes and then counts with advance(). Never NULL: even no room has its slack.
    T *room(size_t extra) {
        if (extra >= capacity_ - size_) grow(extra);
        return data_ + size_;
    }
    void advance(size_t count) { size_ += count; }
    void set_end(const T *end) { size_ = static_cast<size_t>(end - data_); }

    // For what is kept long: room for `count` in all, and not much more. What is in it stays. fits(): it has that already.
    bool fits(size_t count) const { return count ? capacity_ > count && capacity_ - count <= count / 8 + 64 / sizeof(T) + 1 : !capacity_; }
    void fit(size_t count) {
        if (count && capacity_ <= count) replace(count + count / 32 + 1);
    }

    void push(const T &item) {
        *room(1) = item;
        ++size_;
    }
    // The same from another buffer of this kind, or from anything else with kSlack readable bytes behind it: in whole vectors, no call.
    void append_padded(const T *items, size_t count) {
        T *to = room(count);
        size_t bytes = count * sizeof(T);
        for (size_t at = 0; at < bytes; at += 16)
            std::memcpy(reinterpret_cast<char *>(to) + at, reinterpret_cast<const char *>(items) + at, 16);
        size_ += count;
    }
    void append(const T *items, size_t count) {
        if (count) std::memcpy(room(count), items, count * sizeof(T));
        size_ += count;
    }

private:
    [[gnu::noinline]] void grow(size_t extra) {
        size_t want = size_ + extra + 1;
        if (want < capacity_ + capacity_ / 2) want = capacity_ + capacity_ / 2;
        if (want < 256 / sizeof(T)) want = 256 / sizeof(T);
        replace(want);
    }
    void replace(size_t capacity) {
        T *data = static_cast<T *>(memory_->take(capacity * sizeof(T) + kSlack));
        if (size_) std::memcpy(data, data_, size_ * sizeof(T));
        release();
        data_ = data;
        capacity_ = capacity;
    }

    void release() {
        if (data_) memory_->give(data_, capacity_ * sizeof(T) + kSlack);
    }

    Memory *memory_;
    T *data_ = nullptr;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

}  // namespace accp

namespace accp {

// Readies our copy of SQLite, once a process. A code of SQLite.
int set_up_sqlite();

}  // namespace accp

namespace accp {

namespace {

constexpr size_t kHeader = 16;  // before each block: its size, which the allocator must be told

void *take(int size) {
    accp_allocator from = private_allocator();
    char *block = static_cast<char *>(from.alloc(static_cast<size_t>(size) + kHeader, from.user));
    if (!block) return nullptr;
    std::memcpy(block, &size, sizeof size);
    return block + kHeader;
}

int size_of(void *memory) {
    int size = 0;
    if (memory) std::memcpy(&size, static_cast<char *>(memory) - kHeader, sizeof size);
    return size;
}

void give(void *memory) {
    accp_allocator to = private_allocator();
    if (memory) to.release(static_cast<char *>(memory) - kHeader, static_cast<size_t>(size_of(memory)) + kHeader, to.user);
}

void *retake(void *memory, int size) {
    int old = size_of(memory);
    void *taken = take(size);
    if (!taken || !memory) return taken;
    std::memcpy(taken, memory, static_cast<size_t>(old < size ? old : size));
    give(memory);
    return taken;
}

int round_up(int size) { return (size + 7) & ~7; }
int begin(void *) { return SQLITE_OK; }
void end(void *) {}

int set_up() {
#if defined(ACCP_SYSTEM_SQLITE)  // a copy that others use too keeps its ways
    return SQLITE_OK;
#endif
    static sqlite3_mem_methods methods = {take, give, retake, size_of, round_up, begin, end, nullptr};
    int code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_URI, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // its statistics are a lock that all threads would share
    return code;
}

}  // namespace

int set_up_sqlite() {
    static const int code = set_up();  // once, whichever thread comes first
    return code == SQLITE_OK ? sqlite3_initialize() : code;
}

}  // namespace accp
