//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#if !defined(__clang__)
#pragma GCC optimize("no-jump-tables")
#endif
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstddef>
#include <type_traits>
#include <cstdint>
#include <cstring>
#include <string_view>

// frame/locate.cc

// See locate.h. The machine of ragel/locate.rl runs the grammar; this file adds what is no grammar, in the order of the text: equal keys, depth,
// counts, lengths, and the code points of u8. Slow paths only: clarity before speed, but linear in any case.

// Why a frame was refused: the byte at which no continuation could mend it, found one byte at a time by the machine of ragel/locate.rl.


// A bump arena for what one call needs and the next one does not: positions, sets, orders. Chunks come from the handle's Memory.



// Every limit of the library, each with the attack or the cost that set it. A limit refuses; nothing is ever cut to fit.



namespace accp {

// Limits that a caller may set (accp_options_set_limit), in the order of enum accp_limit.
struct LimitRule {
    const char *name;
    uint64_t standard;
    uint64_t least;
    uint64_t most;
};

constexpr uint64_t kMostTextBytes = uint64_t{1} << 30;  // offsets are 32 bits wide, and worst-case escaping must stay below them

constexpr LimitRule kLimits[] = {
    {"frame_bytes", 64 << 10, 16, kMostTextBytes},  // A18: a frame is a message, not a file; bounds the work that one line can ask for
    {"params", 256, 1, 1 << 20},                    // A18: duplicate checks stay cheap, tables readable
    {"items", 4096, 1, 1 << 24},                    // A18: bounds what a peer's array makes a host allocate
    {"key_bytes", 256, 1, 65535},                   // A18: a node counts the bytes of a key in 16 bits
    {"depth", 5, 1, 64},                            // specification 9.5: nesting is an attack on recursive hosts
    {"json_bytes", 16 << 20, 2, kMostTextBytes},    // one JSON text is held whole
    {"json_depth", 1024, 1, 1024},                  // what hosts' own JSON parsers take without overflowing their stacks
    {"memory_bytes", uint64_t{1} << 30, 64 << 10, UINT64_MAX},  // what one handle may hold, whatever it is fed
};
constexpr int kLimitCount = sizeof kLimits / sizeof kLimits[0];

constexpr uint32_t kMostDepth = 64;        // the stack of levels in the parser is this long
constexpr uint32_t kMostJsonDepth = 1024;  // the stack of levels in the JSON reader
constexpr uint32_t kMostKeyBytes = 65535;  // accp_node.key_len
constexpr uint32_t kLinearKeys = 16;       // up to here duplicate keys are looked for one by one, above with a hashed set
constexpr int kMostExponentDigits = 18;    // of a number in the hash form: exponents are added up in 64 bits

constexpr int kDecimalPlaces = 6;              // specification 3.1.1: what an encoder may write
constexpr int kDecimalIntegerDigits = 17;      // WIRE.md section 3: beyond it the = form
constexpr size_t kMidBytes = 12;               // specification 3.5
constexpr uint32_t kTokenCache = 16384;        // pieces of text whose count a counter remembers: 256 KiB, which a second-level cache holds
constexpr uint32_t kMostTokenCache = 1 << 20;  // beyond it a cache misses the processor's own
constexpr size_t kKeptBytes = 1 << 20;         // what an idle handle keeps of a scratch area; larger ones are given back
// Of one registry. A document beyond one of these is refused whole (RELIABILITY: a registry is a peer's text too).
constexpr uint32_t kMostSchemas = 4096;        // lookups stay in cache, a listing stays readable
constexpr uint32_t kMostSchemaFields = 256;    // as many as a payload has params
constexpr uint32_t kMostSchemaBindings = 64;   // twelve intents, and a few operations
constexpr uint32_t kMostRegistryNames = 4096;  // custom operations; aliases for every schema
constexpr size_t kMaxDefaultBytes =
    16 << 10;  // of a schema's defaults as JSON, names and all: a frame that leaves them out is a message with them
constexpr size_t kMaxRegistryKeyBytes = 256;    // of a field's name, and of a key that an alias stands for: as of a key by default
constexpr uint32_t kMostCodeBytes = 32;         // a code is short or it is no code
constexpr uint32_t kMostDeltaChunks = 65536;    // of a delta on its way: a peer's total is never allocated from
constexpr uint64_t kMostDeltaBytes = 16 << 20;  // of a delta on its way, put together
// Of one session's inbox and its chains. Memory is bounded by these, never by history.
constexpr uint32_t kReorderWindow = 64;           // A25: frames that wait for an earlier one
constexpr uint64_t kMostHeldBytes = 1 << 20;      // of frames that wait
constexpr uint64_t kMinHeldShare = 16 << 10;      // of them, for each sender: one that fills the rest does not stop the others
constexpr uint64_t kHeldCost = 64;                // what a frame that waits is charged beside its text
constexpr uint64_t kMaxWindows = 4;               // of frames that wait under one count: one sender has one window
constexpr uint32_t kMaxAhead = 64;                // numbers of one count that are used ahead of a gap: they are in each snapshot
constexpr int64_t kMaxJump = 65536;               // numbers, or versions, that a state may pass: the range must never come to its end
constexpr int64_t kMaxSeq = INT64_MAX - 1;        // of frames and versions: the number after it can still be told
constexpr uint32_t kMostSenders = 256;            // of other sides, who count for themselves (A22): a peer may have any number of names
constexpr uint32_t kMaxOwnSenders = 256;          // of ours: both are in each snapshot
constexpr uint32_t kMostSenderBytes = 64;         // of the name of one of these
constexpr size_t kMaxOwnAgentBytes = 16 << 10;    // of the names that a session sends as: each frame that comes is compared with them
constexpr uint32_t kMostMidBytes = 64;            // A19: of a mid in a session that is not strict
constexpr uint64_t kMaxChainsCost = 256 << 10;    // of cancelled chains, of others and of ours: a peer may cancel what never was
constexpr uint64_t kChainCost = 192;              // what one of them is charged beside its name
constexpr size_t kMaxChainBytes = kMostKeyBytes;  // of such a name
constexpr uint64_t kMostSharedBytes = 256 << 10;  // of the state that two sides share: a delta must not be able to double it for ever
constexpr size_t kLeastHashDigits = 12;           // of a hash that a peer gives of a state
constexpr uint32_t kMostLookback = 1024;          // records among which the cause of a frame is looked for
constexpr size_t kMaxCauseBytes = 4 << 20;        // of them, that are read when a chain is cancelled: large frames are an attack
constexpr size_t kScanBytes = 1 << 20;            // of the log, read at a time
constexpr uint64_t kSnapshotBytes =
    16 << 10;  // of a session's log, behind which a checkpoint brings a snapshot, of half that: opening applies no more
constexpr size_t kMostDelivery = 64;                // bytes of a delivery without its message
constexpr size_t kMostRefKeyBytes = 200;            // of the key of a ref that is looked up
constexpr uint32_t kMostRefLabels = 16;             // of it, tried one after the other
constexpr uint64_t kMostFrameTokens = 240;          // specification 3.4: of a frame in a session
constexpr uint64_t kMidCounters = 100'000'000'000;  // A53: eleven digits
constexpr uint64_t kIssuerCounters = 1'000'000'000;
constexpr int64_t kGapMs = 5000;           // A25
constexpr int64_t kFutureMs = 300'000;     // A32
constexpr uint32_t kNegotiationTries = 5;  // times one step is sent again before a negotiation is given up
// Of values that go by reference, and of messages that go in parts.
constexpr uint32_t kRefHops = 8;                  // refs that lead from one to another: a cycle ends here
constexpr uint64_t kExpandBytes = 64 << 10;       // put in for the refs of one frame, repeats too: ten refs to ten refs each are a bomb
constexpr uint64_t kInlineCharacters = 50;        // specification 3.3: a longer string is kept in the state (an option)
constexpr uint32_t kMostOpenSequences = 64;       // messages of which parts are held: a peer may begin any number
constexpr uint32_t kMostSequenceParts = 1024;     // of one message; a peer's total is never allocated from
constexpr uint64_t kMostSequenceBytes = 1 << 20;  // held for all of them
constexpr uint32_t kMinOpenShare = 8;             // of those messages, for each agent: one that fills the rest does not stop the others
constexpr uint64_t kMinSequenceShare = 64 << 10;  // the same of those bytes
constexpr uint64_t kMaxSequenceShares = 4;        // times the two limits above, with such shares
constexpr uint64_t kPartCost = 128;               // what a part is charged beside its text, so that empty ones cost too

// How many tokens a frame and its parts should have at most (specification 3.4): beyond the soft limit is a warning, beyond the hard one a session acts.
struct TokenLimit {
    uint64_t soft, hard;
};
constexpr TokenLimit kHeaderTokens = {5, 10}, kBodyTokens = {50, 200}, kMetadataTokens = {10, 30}, kFrameTokens = {65, 240};
// Of a store. A batch that is over one of these is refused whole.
constexpr size_t kMostSessionIdBytes = 256;           // a key of an index
constexpr size_t kMostBlobKeyBytes = 256;             // as many as a key of a frame has by default
constexpr size_t kMostStateBytes = 128 << 10;         // it is written with every commit that changes it
constexpr size_t kMostBlobBytes = 64 << 20;           // a peer's value is held whole; also of a record
constexpr size_t kMostQueuedBytes = 4 << 20;          // committed and not yet synced; beyond it commit() syncs by itself
constexpr uint64_t kMostRecords = (1ull << 40) - 1;   // of one session: number and sequence share 63 bits
constexpr uint64_t kMostSessions = (1ull << 23) - 1;  // of one store
constexpr size_t kMostFilterBytes = 32 << 20;         // of all a store's filters of mids; of one session a 32nd: 500,000 mids without loss
constexpr size_t kMidTail = 256;  // mids of a session that are looked for one by one, before they go to its index: 2 KiB
// Of the streams that one receiver puts in order; the first three may be set lower. A peer's total is never allocated from.
constexpr uint64_t kMostStreamBytes = 16 << 20;  // held of all streams together: chunks that wait, and what is kept whole
constexpr uint32_t kMostChunksAhead = 1024;      // that wait for an earlier one: each costs a search, and a place in order
constexpr uint32_t kMostOpenStreams = 256;       // a peer may open streams and never end them
constexpr uint32_t kMostClosedStreams = 1024;    // whose cid is remembered, so that what comes behind their end is told apart

constexpr uint32_t kMostRequests = 4096;       // that wait for their answer: a peer that never answers
constexpr uint32_t kMostRedactedBytes = 4096;  // of the names whose values a log leaves out: each is compared with every key
// Of one session's context: an idle session is small whatever it was fed, and an append looks at a bounded part of a message.
constexpr uint32_t kMostRetained = 64;          // checkpoints: a bit for each in a word
constexpr uint32_t kMostWarmItems = 320;        // 24 bytes each: 8 KiB beside the text
constexpr size_t kMostWarmText = 10 << 10;      // 2,000 tokens at five bytes; tokens of many spaces are no way around the bound
constexpr size_t kMostItemBytes = 212;          // a line with its marks, a name, or a fact with its entity and author
constexpr size_t kMostHotBytes = 4 << 10;       // of one message in hot: as above
constexpr uint32_t kMostSurvivors = 16;         // messages that stay in hot over a checkpoint; they are saved
constexpr size_t kMostContextState = 24 << 10;  // what is saved: both texts, and a dozen bytes an item
constexpr size_t kMostRefBytes = 64;            // of the name of a whole message
constexpr size_t kMaxWrittenBytes = 1 << 20;    // of one message's fields, as it is looked at: a path before each text is 64 bytes and more
constexpr size_t kMostLearnedBytes = 64 << 10;  // of one message, that names and lines are looked for in
constexpr uint32_t kMostLearnedLines = 512;     // of one checkpoint, that are ranked
constexpr uint32_t kMostCutLines = 2048;        // of one message, that are ranked to cut it
constexpr uint32_t kMostFacts = 48;             // of one message
constexpr uint32_t kMostSightings = 512;        // distinct names of one checkpoint, beside those that are known

}  // namespace accp

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

class Arena {
public:
    explicit Arena(Memory &memory) : memory_(&memory) {}
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;
    ~Arena() { release(head_); }

    // Uninitialised room for `count` items, aligned to 16 bytes, until reset().
    template <class T>
    T *take(size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 16);
        size_t size = (count * sizeof(T) + 15) & ~size_t{15};
        if (size > static_cast<size_t>(end_ - next_)) add_chunk(size);
        char *memory = next_;
        next_ += size;
        return reinterpret_cast<T *>(memory);
    }

    // Forgets everything. Keeps one chunk, unless a single large input made it too large to keep.
    void reset() {
        if (!head_) return;
        if (head_->previous || head_->size > kKeptBytes) return shrink();
        next_ = body(head_);
    }

    // Gives back what was taken since mark().
    struct Mark {
        void *head = nullptr;
        char *next = nullptr;
    };
    Mark mark() const { return {head_, next_}; }
    void rewind(const Mark &mark) {
        if (head_ == mark.head) {
            next_ = mark.next;
            return;
        }
        while (head_ && head_ != mark.head && head_->previous != mark.head) {
            Chunk *previous = head_->previous;
            memory_->give(head_, sizeof(Chunk) + head_->size);
            head_ = previous;
        }
        next_ = body(head_);  // one chunk more than there was stays, so that going to and fro takes no memory
        end_ = next_ + head_->size;
    }

private:
    struct Chunk {
        Chunk *previous;
        size_t size;  // of the body
    };
    static constexpr size_t kFirstChunk = 8 << 10;

    static char *body(Chunk *chunk) { return reinterpret_cast<char *>(chunk) + sizeof(Chunk); }

    [[gnu::noinline]] void add_chunk(size_t size) {
        size_t want = head_ ? head_->size * 2 : kFirstChunk;
        if (want > kKeptBytes) want = kKeptBytes;
        if (want < size) want = size;
        auto *chunk = static_cast<Chunk *>(memory_->take(sizeof(Chunk) + want));
        chunk->previous = head_;
        chunk->size = want;
        head_ = chunk;
        next_ = body(chunk);
        end_ = next_ + want;
    }

    // The newest chunk stays: it is the one that the last call outgrew the others with.
    [[gnu::noinline]] void shrink() {
        release(head_->previous);
        head_->previous = nullptr;
        next_ = body(head_);
        if (head_->size <= kKeptBytes) return;
        release(head_);
        head_ = nullptr;
        next_ = end_ = nullptr;
    }

    void release(Chunk *chunk) {
        while (chunk) {
            Chunk *previous = chunk->previous;
            memory_->give(chunk, sizeof(Chunk) + chunk->size);
            chunk = previous;
        }
    }

    Memory *memory_;
    Chunk *head_ = nullptr;
    char *next_ = nullptr;
    char *end_ = nullptr;
};

}  // namespace accp

// What accp_options holds, and every handle copies.



namespace accp {

struct Settings {
    Settings() : allocator(private_allocator()) {
        for (int i = 0; i < kLimitCount; ++i) limits[i] = kLimits[i].standard;
    }

    uint64_t limit(accp_limit which) const { return limits[which]; }
    bool has(uint32_t extension) const { return (extensions & extension) != 0; }
    // The dialect in force: naming u8 among the extensions is enough.
    int32_t reading() const { return has(ACCP_EXT_U8) && dialect == ACCP_STRICT ? int32_t{ACCP_U8} : dialect; }

    accp_allocator allocator;
    uint64_t limits[kLimitCount];
    int32_t dialect = ACCP_STRICT;
    uint32_t extensions = ACCP_EXT_Q1;
    bool abbreviate = false;
    bool keep_refs = false;
    uint32_t token_cache = kTokenCache;
};

}  // namespace accp

namespace accp {

// Always a failure, ACCP_E1001: to be asked about refused frames only.
Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena);

}  // namespace accp



// A seed that an attacker does not know, and a hash keyed with it: sets of keys that came from outside stay fast whatever the keys are.


namespace accp {

// Different in every process and for every handle.
uint64_t random_seed();

// Eight bytes of the system's randomness; waits for it where the system has just begun.
uint64_t random_secret();

// SipHash-1-3 of the bytes under the seed.
uint64_t seeded_hash(const char *text, size_t len, uint64_t seed);

}  // namespace accp

// Raw non-ASCII text of the u8 dialect: which code points may stand in a frame as they are (WIRE.md section 3).


namespace accp {

// True for a code point that u8 writes raw; the rest (controls, odd spaces, bidi, zero-width, private use, tags) stay escaped.
bool is_raw_point(uint32_t point);

// The length of the longest prefix that some continuation makes legal: `len` when everything from 0x80 up is a whole, allowed code point.
// ASCII bytes are passed over.
size_t raw_text_prefix(const char *text, size_t len);

// One code point at `text`, whose first byte is 0x80 or above: how many bytes it has when it is whole and allowed, else 0, and then *good
// is how many of its bytes can be continued to one that is.
int raw_point(const char *text, size_t len, int *good);

}  // namespace accp

namespace accp {

namespace {

using Byte = const unsigned char *;

struct Fault {
    Byte at = nullptr;
    const char *message = nullptr;

    bool set(Byte where, const char *what) {
        at = where;
        message = what;
        return true;
    }
};

// Every key so far, each with the serial number of its map: one table for the whole frame.
class Keys {
public:
    Keys(Byte text, size_t len, Arena &arena) : seed_(random_seed()) {
        size_t colons = 0;
        for (size_t i = 0; i < len; ++i) colons += text[i] == ':';
        while (slots_ < 2 * colons) slots_ *= 2;
        table_ = arena.take<Entry>(slots_);
        std::memset(static_cast<void *>(table_), 0, slots_ * sizeof *table_);
    }

    bool insert(uint32_t map, Byte key, size_t len) {  // false: the map has it
        uint64_t at = seeded_hash(reinterpret_cast<const char *>(key), len, seed_ ^ map);
        for (;; ++at) {
            Entry &entry = table_[at & (slots_ - 1)];
            if (!entry.key) {
                entry = {key, static_cast<uint32_t>(len), map};
                return true;
            }
            if (entry.map == map && entry.len == len && !std::memcmp(entry.key, key, len)) return false;
        }
    }

private:
    struct Entry {
        Byte key;
        uint32_t len;
        uint32_t map;
    };
    uint64_t seed_;
    size_t slots_ = 16;
    Entry *table_;
};

class Checker {
public:
    Checker(Byte text, size_t len, const Settings &settings, Arena &arena)
        : settings_(settings), end_(text + len), keys_(text, len, arena) {}

    Fault fault;

    void mark(Byte p) { name_ = p; }
    bool name_end(Byte p) {
        Byte limit = name_ + settings_.limit(ACCP_LIMIT_KEY_BYTES);
        name_ = nullptr;
        return p > limit && fault.set(limit, kLongName);
    }
    bool key_end(Byte p) {
        Byte key = name_;
        if (name_end(p)) return true;
        if (!keys_.insert(level().serial, key, static_cast<size_t>(p - key))) return fault.set(key, "this key stands here twice");
        return false;
    }
    // The first byte of a key, or of an element of an array.
    bool item(Byte p) {
        accp_limit limit = depth_ ? ACCP_LIMIT_ITEMS : ACCP_LIMIT_PARAMS;
        if (level().count == settings_.limit(limit))
            return fault.set(p, depth_ ? "more items than the limit items allows" : "more params than the limit params allows");
        ++level().count;
        return false;
    }
    bool open(Byte p, bool array) {
        if (level().array && item(p)) return true;
        if (depth_ == settings_.limit(ACCP_LIMIT_DEPTH))
            return fault.set(p, "arrays and maps are nested deeper than the limit depth allows");
        ++depth_;
        level() = {++serial_, 0, array};
        return false;
    }
    void leave() { --depth_; }
    void block() { level() = {++serial_, 0, false}; }

    bool loose(Byte p) {
        return settings_.reading() != ACCP_COMPAT && fault.set(p, "a bare @ or : inside a value; the strict grammar wants it escaped");
    }
    bool raw(Byte &p) {
        if (settings_.reading() != ACCP_U8) return fault.set(p, "a byte above 0x7E; only the u8 dialect takes raw text");
        int good = 0;
        int len = raw_point(reinterpret_cast<const char *>(p), static_cast<size_t>(end_ - p), &good);
        if (!len) return fault.set(p + good, "not UTF-8, or a code point that must be escaped");
        p += len - 1;
        return false;
    }

    // A name that was too long before the fault comes first.
    void settle() {
        if (name_ && fault.at > name_ + settings_.limit(ACCP_LIMIT_KEY_BYTES))
            fault.set(name_ + settings_.limit(ACCP_LIMIT_KEY_BYTES), kLongName);
    }

private:
    struct Level {
        uint32_t serial;
        uint32_t count;
        bool array;
    };
    static constexpr const char *kLongName = "a name or key longer than the limit key_bytes allows";

    Level &level() { return levels_[depth_]; }

    const Settings &settings_;
    Byte end_;
    Byte name_ = nullptr;
    Keys keys_;
    uint32_t serial_ = 0;
    uint32_t depth_ = 0;
    Level levels_[kMostDepth + 1] = {};
};

const char *grammar_message(Byte text, Byte at, Byte end) {
    if (at == end) return "the frame ends too early";
    if (*at <= 0x20 || *at == 0x7F) return "white space or a control character; a frame holds none";
    if (*at > 0x7F) return "a byte above 0x7E outside a string";
    if (at == text) return "a frame begins with @";
    if (at[-1] == '\\') return "a backslash stands before no delimiter";
    bool structure = std::memchr("@>:|,{}[]", *at, 9) != nullptr, escaped = at - text > 1 && at[-2] == '\\';
    if (structure && !escaped && std::memchr("@>:|,{[$", at[-1], 8)) return "a name, key or value is missing in front of this byte";
    if (*at == '}' || *at == ']') return "a closing bracket that is not the one to be closed";
    return "the grammar has no such byte here";
}

#define ON_MARK checks.mark(p);
#define ON_KEY_START \
    checks.mark(p);  \
    if (checks.item(p)) goto done;
#define ON_NAME_END \
    if (checks.name_end(p)) goto done;
#define ON_KEY_END \
    if (checks.key_end(p)) goto done;
#define ON_ITEM \
    if (checks.item(p)) goto done;
#define ON_ARRAY \
    if (checks.open(p, true)) goto done;
#define ON_MAP \
    if (checks.open(p, false)) goto done;
#define ON_LEAVE checks.leave();
#define ON_PAYLOAD                     \
    if (checks.name_end(p)) goto done; \
    checks.block();
#define ON_META checks.block();
#define ON_RAW \
    if (checks.raw(p)) goto done;
#define ON_LOOSE \
    if (checks.loose(p)) goto done;

// The first fault in [text, end), at `end` when there is none before.
Fault first_fault(Byte text, Byte end, const Settings &settings, Arena &arena) {
    Checker checks(text, static_cast<size_t>(end - text), settings, arena);
    Byte p = text, pe = end, eof = nullptr;
    int cs, top, stack[kMostDepth];
/* Made by script/ragel from ragel/locate.rl: edit that. */

// The byte machine that finds where a refused frame went wrong. Actions are macros of the includer, src/frame/locate.cc.

static const int locate_start = 1;


	{
	cs = locate_start;
	top = 0;
	}

	{
	if ( p == pe )
		goto _test_eof;
	goto _resume;

_again:
	switch ( cs ) {
		case 1: goto st1;
		case 0: goto st0;
		case 2: goto st2;
		case 3: goto st3;
		case 4: goto st4;
		case 5: goto st5;
		case 6: goto st6;
		case 7: goto st7;
		case 8: goto st8;
		case 9: goto st9;
		case 10: goto st10;
		case 11: goto st11;
		case 12: goto st12;
		case 13: goto st13;
		case 60: goto st60;
		case 14: goto st14;
		case 15: goto st15;
		case 16: goto st16;
		case 17: goto st17;
		case 18: goto st18;
		case 61: goto st61;
		case 19: goto st19;
		case 20: goto st20;
		case 21: goto st21;
		case 22: goto st22;
		case 23: goto st23;
		case 24: goto st24;
		case 25: goto st25;
		case 26: goto st26;
		case 27: goto st27;
		case 28: goto st28;
		case 29: goto st29;
		case 30: goto st30;
		case 31: goto st31;
		case 32: goto st32;
		case 33: goto st33;
		case 34: goto st34;
		case 35: goto st35;
		case 36: goto st36;
		case 37: goto st37;
		case 38: goto st38;
		case 62: goto st62;
		case 39: goto st39;
		case 40: goto st40;
		case 41: goto st41;
		case 42: goto st42;
		case 43: goto st43;
		case 44: goto st44;
		case 45: goto st45;
		case 46: goto st46;
		case 47: goto st47;
		case 48: goto st48;
		case 49: goto st49;
		case 50: goto st50;
		case 51: goto st51;
		case 52: goto st52;
		case 63: goto st63;
		case 53: goto st53;
		case 54: goto st54;
		case 55: goto st55;
		case 56: goto st56;
		case 57: goto st57;
		case 58: goto st58;
		case 59: goto st59;
	default: break;
	}

	if ( ++p == pe )
		goto _test_eof;
_resume:
	switch ( cs )
	{
st1:
	if ( ++p == pe )
		goto _test_eof1;
case 1:
	if ( (*p) == 64u )
		goto st2;
	goto st0;
st0:
cs = 0;
	goto _out;
st2:
	if ( ++p == pe )
		goto _test_eof2;
case 2:
	switch( (*p) ) {
		case 45u: goto tr2;
		case 95u: goto tr2;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr2;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr2;
	} else
		goto tr2;
	goto st0;
tr2:
	{ ON_MARK }
	goto st3;
st3:
	if ( ++p == pe )
		goto _test_eof3;
case 3:
	switch( (*p) ) {
		case 45u: goto st3;
		case 62u: goto tr4;
		case 95u: goto st3;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st3;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st3;
	} else
		goto st3;
	goto st0;
tr4:
	{ ON_NAME_END }
	goto st4;
st4:
	if ( ++p == pe )
		goto _test_eof4;
case 4:
	if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr5;
	} else if ( (*p) >= 65u )
		goto tr5;
	goto st0;
tr5:
	{ ON_MARK }
	goto st5;
st5:
	if ( ++p == pe )
		goto _test_eof5;
case 5:
	if ( (*p) == 58u )
		goto tr6;
	if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st5;
	} else if ( (*p) >= 65u )
		goto st5;
	goto st0;
tr6:
	{ ON_NAME_END }
	goto st6;
st6:
	if ( ++p == pe )
		goto _test_eof6;
case 6:
	if ( (*p) == 95u )
		goto tr8;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr8;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr8;
	} else
		goto tr8;
	goto st0;
tr8:
	{ ON_MARK }
	goto st7;
st7:
	if ( ++p == pe )
		goto _test_eof7;
case 7:
	switch( (*p) ) {
		case 95u: goto st7;
		case 123u: goto tr10;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st7;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st7;
	} else
		goto st7;
	goto st0;
tr10:
	{ ON_PAYLOAD }
	goto st8;
st8:
	if ( ++p == pe )
		goto _test_eof8;
case 8:
	switch( (*p) ) {
		case 95u: goto tr11;
		case 125u: goto st60;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr11;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr11;
	} else
		goto tr11;
	goto st0;
tr11:
	{ ON_KEY_START }
	goto st9;
st9:
	if ( ++p == pe )
		goto _test_eof9;
case 9:
	switch( (*p) ) {
		case 58u: goto tr14;
		case 95u: goto st9;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st9;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st9;
	} else
		goto st9;
	goto st0;
tr14:
	{ ON_KEY_END }
	goto st10;
st10:
	if ( ++p == pe )
		goto _test_eof10;
case 10:
	switch( (*p) ) {
		case 36u: goto st26;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto tr17;
		case 91u: goto tr18;
		case 92u: goto st12;
		case 93u: goto st0;
		case 123u: goto tr20;
		case 126u: goto st32;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 124u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st11;
	goto tr22;
tr22:
	{ ON_RAW }
	goto st11;
st11:
	if ( ++p == pe )
		goto _test_eof11;
case 11:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st12;
		case 93u: goto st0;
		case 124u: goto st13;
		case 125u: goto st60;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st11;
	goto tr22;
st12:
	if ( ++p == pe )
		goto _test_eof12;
case 12:
	switch( (*p) ) {
		case 36u: goto st11;
		case 44u: goto st11;
		case 58u: goto st11;
		case 62u: goto st11;
		case 64u: goto st11;
	}
	if ( (*p) > 93u ) {
		if ( 123u <= (*p) && (*p) <= 126u )
			goto st11;
	} else if ( (*p) >= 91u )
		goto st11;
	goto st0;
tr47:
	{ ON_NAME_END }
	goto st13;
st13:
	if ( ++p == pe )
		goto _test_eof13;
case 13:
	if ( (*p) == 95u )
		goto tr11;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr11;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr11;
	} else
		goto tr11;
	goto st0;
tr48:
	{ ON_NAME_END }
	goto st60;
st60:
	if ( ++p == pe )
		goto _test_eof60;
case 60:
	if ( (*p) == 91u )
		goto tr95;
	goto st0;
tr38:
	{ ON_NAME_END }
	goto st14;
tr95:
	{ ON_META }
	goto st14;
st14:
	if ( ++p == pe )
		goto _test_eof14;
case 14:
	if ( (*p) == 95u )
		goto tr24;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr24;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr24;
	} else
		goto tr24;
	goto st0;
tr24:
	{ ON_KEY_START }
	goto st15;
st15:
	if ( ++p == pe )
		goto _test_eof15;
case 15:
	switch( (*p) ) {
		case 58u: goto tr26;
		case 95u: goto st15;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st15;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st15;
	} else
		goto st15;
	goto st0;
tr26:
	{ ON_KEY_END }
	goto st16;
st16:
	if ( ++p == pe )
		goto _test_eof16;
case 16:
	switch( (*p) ) {
		case 36u: goto st19;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto tr29;
		case 91u: goto tr30;
		case 92u: goto st18;
		case 93u: goto st0;
		case 123u: goto tr32;
		case 126u: goto st25;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 124u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st17;
	goto tr34;
tr34:
	{ ON_RAW }
	goto st17;
st17:
	if ( ++p == pe )
		goto _test_eof17;
case 17:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st14;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st18;
		case 93u: goto st61;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st17;
	goto tr34;
st18:
	if ( ++p == pe )
		goto _test_eof18;
case 18:
	switch( (*p) ) {
		case 36u: goto st17;
		case 44u: goto st17;
		case 58u: goto st17;
		case 62u: goto st17;
		case 64u: goto st17;
	}
	if ( (*p) > 93u ) {
		if ( 123u <= (*p) && (*p) <= 126u )
			goto st17;
	} else if ( (*p) >= 91u )
		goto st17;
	goto st0;
tr41:
	{ ON_NAME_END }
	goto st61;
st61:
	if ( ++p == pe )
		goto _test_eof61;
case 61:
	goto st0;
st19:
	if ( ++p == pe )
		goto _test_eof19;
case 19:
	if ( (*p) == 95u )
		goto tr37;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr37;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr37;
	} else
		goto tr37;
	goto st0;
tr37:
	{ ON_MARK }
	goto st20;
st20:
	if ( ++p == pe )
		goto _test_eof20;
case 20:
	switch( (*p) ) {
		case 44u: goto tr38;
		case 46u: goto st21;
		case 93u: goto tr41;
		case 95u: goto st20;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st20;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st20;
	} else
		goto st20;
	goto st0;
st21:
	if ( ++p == pe )
		goto _test_eof21;
case 21:
	if ( (*p) == 95u )
		goto st20;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st20;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st20;
	} else
		goto st20;
	goto st0;
tr29:
	{ ON_LOOSE }
	goto st22;
st22:
	if ( ++p == pe )
		goto _test_eof22;
case 22:
	switch( (*p) ) {
		case 45u: goto st23;
		case 95u: goto st23;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st23;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st23;
	} else
		goto st23;
	goto st0;
st23:
	if ( ++p == pe )
		goto _test_eof23;
case 23:
	switch( (*p) ) {
		case 44u: goto st14;
		case 45u: goto st23;
		case 58u: goto st24;
		case 93u: goto st61;
		case 95u: goto st23;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st23;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st23;
	} else
		goto st23;
	goto st0;
st24:
	if ( ++p == pe )
		goto _test_eof24;
case 24:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st18;
		case 93u: goto st0;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st17;
	goto tr34;
tr30:
	{ ON_ARRAY {stack[top++] = 25;goto st33;} }
	goto st25;
tr32:
	{ ON_MAP {stack[top++] = 25;goto st47;} }
	goto st25;
st25:
	if ( ++p == pe )
		goto _test_eof25;
case 25:
	switch( (*p) ) {
		case 44u: goto st14;
		case 93u: goto st61;
	}
	goto st0;
st26:
	if ( ++p == pe )
		goto _test_eof26;
case 26:
	if ( (*p) == 95u )
		goto tr44;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr44;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr44;
	} else
		goto tr44;
	goto st0;
tr44:
	{ ON_MARK }
	goto st27;
st27:
	if ( ++p == pe )
		goto _test_eof27;
case 27:
	switch( (*p) ) {
		case 46u: goto st28;
		case 95u: goto st27;
		case 124u: goto tr47;
		case 125u: goto tr48;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st27;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st27;
	} else
		goto st27;
	goto st0;
st28:
	if ( ++p == pe )
		goto _test_eof28;
case 28:
	if ( (*p) == 95u )
		goto st27;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st27;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st27;
	} else
		goto st27;
	goto st0;
tr17:
	{ ON_LOOSE }
	goto st29;
st29:
	if ( ++p == pe )
		goto _test_eof29;
case 29:
	switch( (*p) ) {
		case 45u: goto st30;
		case 95u: goto st30;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st30;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st30;
	} else
		goto st30;
	goto st0;
st30:
	if ( ++p == pe )
		goto _test_eof30;
case 30:
	switch( (*p) ) {
		case 45u: goto st30;
		case 58u: goto st31;
		case 95u: goto st30;
		case 124u: goto st13;
		case 125u: goto st60;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st30;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st30;
	} else
		goto st30;
	goto st0;
st31:
	if ( ++p == pe )
		goto _test_eof31;
case 31:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st12;
		case 93u: goto st0;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st11;
	goto tr22;
tr18:
	{ ON_ARRAY {stack[top++] = 32;goto st33;} }
	goto st32;
tr20:
	{ ON_MAP {stack[top++] = 32;goto st47;} }
	goto st32;
st32:
	if ( ++p == pe )
		goto _test_eof32;
case 32:
	switch( (*p) ) {
		case 124u: goto st13;
		case 125u: goto st60;
	}
	goto st0;
st33:
	if ( ++p == pe )
		goto _test_eof33;
case 33:
	switch( (*p) ) {
		case 36u: goto tr52;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto tr53;
		case 91u: goto tr54;
		case 92u: goto tr55;
		case 93u: goto tr56;
		case 123u: goto tr57;
		case 126u: goto tr58;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 124u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto tr51;
	goto tr59;
tr64:
	{ ON_RAW }
	goto st34;
tr51:
	{ ON_ITEM }
	goto st34;
tr59:
	{ ON_ITEM }
	{ ON_RAW }
	goto st34;
st34:
	if ( ++p == pe )
		goto _test_eof34;
case 34:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st35;
		case 58u: goto tr62;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st45;
		case 93u: goto tr56;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st34;
	goto tr64;
tr66:
	{ ON_NAME_END }
	goto st35;
st35:
	if ( ++p == pe )
		goto _test_eof35;
case 35:
	switch( (*p) ) {
		case 36u: goto tr52;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto tr53;
		case 91u: goto tr54;
		case 92u: goto tr55;
		case 93u: goto st0;
		case 123u: goto tr57;
		case 126u: goto tr58;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 124u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto tr51;
	goto tr59;
tr52:
	{ ON_ITEM }
	goto st36;
st36:
	if ( ++p == pe )
		goto _test_eof36;
case 36:
	if ( (*p) == 95u )
		goto tr65;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr65;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr65;
	} else
		goto tr65;
	goto st0;
tr65:
	{ ON_MARK }
	goto st37;
st37:
	if ( ++p == pe )
		goto _test_eof37;
case 37:
	switch( (*p) ) {
		case 44u: goto tr66;
		case 46u: goto st38;
		case 93u: goto tr69;
		case 95u: goto st37;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st37;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st37;
	} else
		goto st37;
	goto st0;
st38:
	if ( ++p == pe )
		goto _test_eof38;
case 38:
	if ( (*p) == 95u )
		goto st37;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st37;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st37;
	} else
		goto st37;
	goto st0;
tr56:
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st62;
tr69:
	{ ON_NAME_END }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st62;
st62:
	if ( ++p == pe )
		goto _test_eof62;
case 62:
	goto st0;
tr53:
	{ ON_ITEM }
	{ ON_LOOSE }
	goto st39;
st39:
	if ( ++p == pe )
		goto _test_eof39;
case 39:
	switch( (*p) ) {
		case 45u: goto st40;
		case 95u: goto st40;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st40;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st40;
	} else
		goto st40;
	goto st0;
st40:
	if ( ++p == pe )
		goto _test_eof40;
case 40:
	switch( (*p) ) {
		case 44u: goto st35;
		case 45u: goto st40;
		case 58u: goto st41;
		case 93u: goto tr56;
		case 95u: goto st40;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st40;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st40;
	} else
		goto st40;
	goto st0;
st41:
	if ( ++p == pe )
		goto _test_eof41;
case 41:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st43;
		case 93u: goto st0;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st42;
	goto tr74;
tr74:
	{ ON_RAW }
	goto st42;
st42:
	if ( ++p == pe )
		goto _test_eof42;
case 42:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st35;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st43;
		case 93u: goto tr56;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st42;
	goto tr74;
st43:
	if ( ++p == pe )
		goto _test_eof43;
case 43:
	switch( (*p) ) {
		case 36u: goto st42;
		case 44u: goto st42;
		case 58u: goto st42;
		case 62u: goto st42;
		case 64u: goto st42;
	}
	if ( (*p) > 93u ) {
		if ( 123u <= (*p) && (*p) <= 126u )
			goto st42;
	} else if ( (*p) >= 91u )
		goto st42;
	goto st0;
tr54:
	{ ON_ARRAY {stack[top++] = 44;goto st33;} }
	goto st44;
tr57:
	{ ON_MAP {stack[top++] = 44;goto st47;} }
	goto st44;
tr58:
	{ ON_ITEM }
	goto st44;
st44:
	if ( ++p == pe )
		goto _test_eof44;
case 44:
	switch( (*p) ) {
		case 44u: goto st35;
		case 93u: goto tr56;
	}
	goto st0;
tr55:
	{ ON_ITEM }
	goto st45;
st45:
	if ( ++p == pe )
		goto _test_eof45;
case 45:
	switch( (*p) ) {
		case 36u: goto st34;
		case 44u: goto st34;
		case 58u: goto st34;
		case 62u: goto st34;
		case 64u: goto st34;
	}
	if ( (*p) > 93u ) {
		if ( 123u <= (*p) && (*p) <= 126u )
			goto st34;
	} else if ( (*p) >= 91u )
		goto st34;
	goto st0;
tr62:
	{ ON_LOOSE }
	goto st46;
st46:
	if ( ++p == pe )
		goto _test_eof46;
case 46:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st45;
		case 93u: goto st0;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st34;
	goto tr64;
st47:
	if ( ++p == pe )
		goto _test_eof47;
case 47:
	switch( (*p) ) {
		case 95u: goto tr75;
		case 125u: goto tr76;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr75;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr75;
	} else
		goto tr75;
	goto st0;
tr75:
	{ ON_KEY_START }
	goto st48;
st48:
	if ( ++p == pe )
		goto _test_eof48;
case 48:
	switch( (*p) ) {
		case 58u: goto tr78;
		case 95u: goto st48;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st48;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st48;
	} else
		goto st48;
	goto st0;
tr78:
	{ ON_KEY_END }
	goto st49;
st49:
	if ( ++p == pe )
		goto _test_eof49;
case 49:
	switch( (*p) ) {
		case 36u: goto st53;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto tr81;
		case 91u: goto tr82;
		case 92u: goto st52;
		case 93u: goto st0;
		case 123u: goto tr84;
		case 126u: goto st59;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 124u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st50;
	goto tr86;
tr86:
	{ ON_RAW }
	goto st50;
st50:
	if ( ++p == pe )
		goto _test_eof50;
case 50:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st51;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st52;
		case 93u: goto st0;
		case 125u: goto tr76;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st50;
	goto tr86;
tr89:
	{ ON_NAME_END }
	goto st51;
st51:
	if ( ++p == pe )
		goto _test_eof51;
case 51:
	if ( (*p) == 95u )
		goto tr75;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr75;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr75;
	} else
		goto tr75;
	goto st0;
st52:
	if ( ++p == pe )
		goto _test_eof52;
case 52:
	switch( (*p) ) {
		case 36u: goto st50;
		case 44u: goto st50;
		case 58u: goto st50;
		case 62u: goto st50;
		case 64u: goto st50;
	}
	if ( (*p) > 93u ) {
		if ( 123u <= (*p) && (*p) <= 126u )
			goto st50;
	} else if ( (*p) >= 91u )
		goto st50;
	goto st0;
tr76:
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st63;
tr92:
	{ ON_NAME_END }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st63;
st63:
	if ( ++p == pe )
		goto _test_eof63;
case 63:
	goto st0;
st53:
	if ( ++p == pe )
		goto _test_eof53;
case 53:
	if ( (*p) == 95u )
		goto tr88;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto tr88;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto tr88;
	} else
		goto tr88;
	goto st0;
tr88:
	{ ON_MARK }
	goto st54;
st54:
	if ( ++p == pe )
		goto _test_eof54;
case 54:
	switch( (*p) ) {
		case 44u: goto tr89;
		case 46u: goto st55;
		case 95u: goto st54;
		case 125u: goto tr92;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st54;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st54;
	} else
		goto st54;
	goto st0;
st55:
	if ( ++p == pe )
		goto _test_eof55;
case 55:
	if ( (*p) == 95u )
		goto st54;
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st54;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st54;
	} else
		goto st54;
	goto st0;
tr81:
	{ ON_LOOSE }
	goto st56;
st56:
	if ( ++p == pe )
		goto _test_eof56;
case 56:
	switch( (*p) ) {
		case 45u: goto st57;
		case 95u: goto st57;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st57;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st57;
	} else
		goto st57;
	goto st0;
st57:
	if ( ++p == pe )
		goto _test_eof57;
case 57:
	switch( (*p) ) {
		case 44u: goto st51;
		case 45u: goto st57;
		case 58u: goto st58;
		case 95u: goto st57;
		case 125u: goto tr76;
	}
	if ( (*p) < 65u ) {
		if ( 48u <= (*p) && (*p) <= 57u )
			goto st57;
	} else if ( (*p) > 90u ) {
		if ( 97u <= (*p) && (*p) <= 122u )
			goto st57;
	} else
		goto st57;
	goto st0;
st58:
	if ( ++p == pe )
		goto _test_eof58;
case 58:
	switch( (*p) ) {
		case 36u: goto st0;
		case 44u: goto st0;
		case 58u: goto st0;
		case 62u: goto st0;
		case 64u: goto st0;
		case 91u: goto st0;
		case 92u: goto st52;
		case 93u: goto st0;
	}
	if ( (*p) < 33u ) {
		if ( (*p) <= 32u )
			goto st0;
	} else if ( (*p) > 122u ) {
		if ( 123u <= (*p) && (*p) <= 127u )
			goto st0;
	} else
		goto st50;
	goto tr86;
tr82:
	{ ON_ARRAY {stack[top++] = 59;goto st33;} }
	goto st59;
tr84:
	{ ON_MAP {stack[top++] = 59;goto st47;} }
	goto st59;
st59:
	if ( ++p == pe )
		goto _test_eof59;
case 59:
	switch( (*p) ) {
		case 44u: goto st51;
		case 125u: goto tr76;
	}
	goto st0;
	}
	_test_eof1: cs = 1; goto _test_eof; 
	_test_eof2: cs = 2; goto _test_eof; 
	_test_eof3: cs = 3; goto _test_eof; 
	_test_eof4: cs = 4; goto _test_eof; 
	_test_eof5: cs = 5; goto _test_eof; 
	_test_eof6: cs = 6; goto _test_eof; 
	_test_eof7: cs = 7; goto _test_eof; 
	_test_eof8: cs = 8; goto _test_eof; 
	_test_eof9: cs = 9; goto _test_eof; 
	_test_eof10: cs = 10; goto _test_eof; 
	_test_eof11: cs = 11; goto _test_eof; 
	_test_eof12: cs = 12; goto _test_eof; 
	_test_eof13: cs = 13; goto _test_eof; 
	_test_eof60: cs = 60; goto _test_eof; 
	_test_eof14: cs = 14; goto _test_eof; 
	_test_eof15: cs = 15; goto _test_eof; 
	_test_eof16: cs = 16; goto _test_eof; 
	_test_eof17: cs = 17; goto _test_eof; 
	_test_eof18: cs = 18; goto _test_eof; 
	_test_eof61: cs = 61; goto _test_eof; 
	_test_eof19: cs = 19; goto _test_eof; 
	_test_eof20: cs = 20; goto _test_eof; 
	_test_eof21: cs = 21; goto _test_eof; 
	_test_eof22: cs = 22; goto _test_eof; 
	_test_eof23: cs = 23; goto _test_eof; 
	_test_eof24: cs = 24; goto _test_eof; 
	_test_eof25: cs = 25; goto _test_eof; 
	_test_eof26: cs = 26; goto _test_eof; 
	_test_eof27: cs = 27; goto _test_eof; 
	_test_eof28: cs = 28; goto _test_eof; 
	_test_eof29: cs = 29; goto _test_eof; 
	_test_eof30: cs = 30; goto _test_eof; 
	_test_eof31: cs = 31; goto _test_eof; 
	_test_eof32: cs = 32; goto _test_eof; 
	_test_eof33: cs = 33; goto _test_eof; 
	_test_eof34: cs = 34; goto _test_eof; 
	_test_eof35: cs = 35; goto _test_eof; 
	_test_eof36: cs = 36; goto _test_eof; 
	_test_eof37: cs = 37; goto _test_eof; 
	_test_eof38: cs = 38; goto _test_eof; 
	_test_eof62: cs = 62; goto _test_eof; 
	_test_eof39: cs = 39; goto _test_eof; 
	_test_eof40: cs = 40; goto _test_eof; 
	_test_eof41: cs = 41; goto _test_eof; 
	_test_eof42: cs = 42; goto _test_eof; 
	_test_eof43: cs = 43; goto _test_eof; 
	_test_eof44: cs = 44; goto _test_eof; 
	_test_eof45: cs = 45; goto _test_eof; 
	_test_eof46: cs = 46; goto _test_eof; 
	_test_eof47: cs = 47; goto _test_eof; 
	_test_eof48: cs = 48; goto _test_eof; 
	_test_eof49: cs = 49; goto _test_eof; 
	_test_eof50: cs = 50; goto _test_eof; 
	_test_eof51: cs = 51; goto _test_eof; 
	_test_eof52: cs = 52; goto _test_eof; 
	_test_eof63: cs = 63; goto _test_eof; 
	_test_eof53: cs = 53; goto _test_eof; 
	_test_eof54: cs = 54; goto _test_eof; 
	_test_eof55: cs = 55; goto _test_eof; 
	_test_eof56: cs = 56; goto _test_eof; 
	_test_eof57: cs = 57; goto _test_eof; 
	_test_eof58: cs = 58; goto _test_eof; 
	_test_eof59: cs = 59; goto _test_eof; 

	_test_eof: {}
	_out: {}
	}


    (void)eof;
    checks.fault.set(p, grammar_message(text, p, end));
done:
    checks.settle();
    return checks.fault;
}

}  // namespace

Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena) {
    uint64_t most = settings.limit(ACCP_LIMIT_FRAME_BYTES);
    auto begin = reinterpret_cast<Byte>(text);
    Byte end = begin + (len < most ? len : most);
    Fault fault = first_fault(begin, end, settings, arena);
    if (fault.at == end && len > most) fault.message = "the frame is longer than the limit frame_bytes allows";
    return fail(ACCP_E1001, static_cast<uint64_t>(fault.at - begin), fault.message);
}

}  // namespace accp
#undef ON_MARK
#undef ON_KEY_START
#undef ON_NAME_END
#undef ON_KEY_END
#undef ON_ITEM
#undef ON_ARRAY
#undef ON_MAP
#undef ON_LEAVE
#undef ON_PAYLOAD
#undef ON_META
#undef ON_RAW
#undef ON_LOOSE
