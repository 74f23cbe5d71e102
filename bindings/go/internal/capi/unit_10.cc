//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <charconv>
#include <new>
#include <string_view>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <initializer_list>
#include <memory>

// capi/accp_frame.cc

// include/accp/frame.h, save for the batches.



// The border between the C face and C++: the only try and catch of the library, outermost in every function that can fail.



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

inline accp_status report(const Status &status, accp_error *err) noexcept {
    if (status.failed() && err) *err = {status.code, status.record, status.offset, status.message, status.had, status.limit};
    return status.code;
}

template <class Body>
accp_status guard(accp_error *err, Body body) noexcept {
    try {
        return report(body(), err);
    } catch (const OutOfMemory &) {
        return report(fail(ACCP_ERR_NOMEM, 0, "out of memory, or over memory_bytes"), err);
    } catch (const std::bad_alloc &) {
        return report(fail(ACCP_ERR_NOMEM, 0, "out of memory"), err);
    } catch (...) {
        return report(fail(ACCP_E9999, 0, "a defect of this library"), err);
    }
}

inline accp_status refuse(accp_error *err, const char *message) noexcept { return report(fail(ACCP_ERR_ARG, 0, message), err); }

// Text of length 0 may be NULL.
inline bool is_text(const char *text, size_t len) noexcept { return text || !len; }

// Does a text lie in a buffer that the call is about to write to? Buffers and texts never touch otherwise.
template <class T>
bool lies_in(const char *text, const Buffer<T> &buffer) noexcept {
    auto begin = reinterpret_cast<uintptr_t>(buffer.data()), at = reinterpret_cast<uintptr_t>(text);
    return text && at - begin < buffer.capacity() * sizeof(T);
}

constexpr const char *kOwnText = "the text is a view into this handle, which the call ends";
constexpr const char *kNoHandle = "a handle or an output is NULL";
constexpr const char *kNoText = "a text is NULL";
constexpr const char *kNoOrigin = "no such origin";

}  // namespace accp

// What stands behind the opaque handles of the C face.


// Making and ending a handle of the C face: an object that lives in memory of the allocator that its options name.



// What accp_options holds, and every handle copies.



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

// Handle's constructor takes the settings, copies them, and allocates nothing that could fail halfway without being given back.
template <class Handle>
Handle *make_handle(const Settings &settings) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(settings);
}

// The same for one that is made of something else.
template <class Handle, class From>
Handle *make_handle(const Settings &settings, From &from) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(from);
}

template <class Handle>
void end_handle(Handle *handle) noexcept {
    if (!handle) return;
    accp_allocator allocator = handle->settings.allocator;
    handle->~Handle();
    allocator.release(handle, sizeof(Handle), allocator.user);
}

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

// All that one handle does with one frame at a time: parse, print, encode, decode. Everything it needs is kept and used again.


// Values to the wire in one pass, as far as that goes: a block whose maps are in order already, without tables. Encoder (encode.h) does the rest, and
// says what is wrong with a value that has no spelling; the two write the same bytes.


// Keys on the wire (WIRE.md section 3): the identity for nearly all, `__` and an escaped form for the rest, an abbreviation at payload level.



// Sixteen bytes at a time, on every machine: SSE2 where it is (all of x86-64), two words elsewhere.


#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace accp {

#if defined(__SSE2__)

// Each question answers with a bit for each byte, the first byte lowest.
struct Bytes16 {
    __m128i v;

    static Bytes16 load(const char *from) { return {_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))}; }
    static Bytes16 of(uint64_t low, uint64_t high) { return {_mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low))}; }
    void store(char *to) const { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), v); }
    uint32_t equal(char c) const { return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)))); }
    uint32_t high() const { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }
    // Unsigned: byte < c.
    uint32_t below(unsigned char c) const { return static_cast<uint32_t>(_mm_movemask_epi8(at_most(v, c - 1))); }
    uint32_t digits() const { return static_cast<uint32_t>(_mm_movemask_epi8(at_most(_mm_sub_epi8(v, _mm_set1_epi8('0')), 9))); }
    // [A-Za-z]
    uint32_t letters() const {
        __m128i letter = at_most(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')), 25);
        return static_cast<uint32_t>(_mm_movemask_epi8(letter));
    }
    // [A-Za-z0-9_]
    uint32_t words() const {
        __m128i digit = at_most(_mm_sub_epi8(v, _mm_set1_epi8('0')), 9);
        __m128i letter = at_most(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')), 25);
        __m128i underscore = _mm_cmpeq_epi8(v, _mm_set1_epi8('_'));
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(digit, letter), underscore)));
    }
    // What may not stand in a frame as it is: bytes outside 0x21-0x7E, and the delimiters @ > : { } [ ] | $ , ~ \.
    uint32_t unsafe() const {
        auto is = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
        __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x21));   // also all from 0x80 up, as signed
        __m128i high = _mm_cmpgt_epi8(v, _mm_set1_epi8(0x7D));  // ~ and DEL
        __m128i brackets = at_most(_mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x7B)), 2);
        __m128i dollar_comma = is(_mm_and_si128(v, _mm_set1_epi8(static_cast<char>(0xF7))), 0x24);
        __m128i colon_greater = is(_mm_and_si128(v, _mm_set1_epi8(static_cast<char>(0xFB))), 0x3A);
        __m128i all = _mm_or_si128(_mm_or_si128(_mm_or_si128(low, high), _mm_or_si128(brackets, is(v, '@'))),
                                   _mm_or_si128(dollar_comma, colon_greater));
        return static_cast<uint32_t>(_mm_movemask_epi8(all));
    }
    static __m128i at_most(__m128i bytes, int most) {
        return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(static_cast<char>(most))), bytes);
    }
};

#else

struct Bytes16 {
    unsigned char v[16];

    static Bytes16 load(const char *from) {
        Bytes16 bytes;
        std::memcpy(bytes.v, from, 16);
        return bytes;
    }
    static Bytes16 of(uint64_t low, uint64_t high) {
        Bytes16 bytes;
        std::memcpy(bytes.v, &low, 8);
        std::memcpy(bytes.v + 8, &high, 8);
        return bytes;
    }
    void store(char *to) const { std::memcpy(to, v, 16); }
    template <class Test>
    uint32_t bits(Test test) const {
        uint32_t mask = 0;
        for (int i = 0; i < 16; ++i) mask |= static_cast<uint32_t>(test(v[i])) << i;
        return mask;
    }
    uint32_t equal(char c) const {
        return bits([c](unsigned char b) { return b == static_cast<unsigned char>(c); });
    }
    uint32_t high() const {
        return bits([](unsigned char b) { return b >= 0x80; });
    }
    uint32_t below(unsigned char c) const {
        return bits([c](unsigned char b) { return b < c; });
    }
    uint32_t unsafe() const {
        return bits([](unsigned char b) { return b < 0x21 || b > 0x7D || std::memchr("@>:{}[]|$,\\", b, 11) != nullptr; });
    }
    uint32_t digits() const {
        return bits([](unsigned char b) { return static_cast<unsigned>(b - '0') < 10; });
    }
    uint32_t letters() const {
        return bits([](unsigned char b) { return static_cast<unsigned>((b | 0x20) - 'a') < 26; });
    }
    uint32_t words() const {
        return bits([](unsigned char b) {
            return static_cast<unsigned>(b - '0') < 10 || static_cast<unsigned>((b | 0x20) - 'a') < 26 || b == '_';
        });
    }
};

#endif

// Copies in whole vectors: up to 15 bytes more than asked for are read and written.
[[gnu::always_inline]] inline void copy_padded(char *to, const char *from, size_t len) {
    size_t at = 0;
    do {
        Bytes16::load(from + at).store(to + at);
        at += 16;
    } while (at < len);
}

}  // namespace accp

namespace accp {

// The most bytes that a key of `len` bytes has on the wire.
constexpr size_t wire_key_room(size_t len) { return 2 + 3 * len; }

// The key of a payload that is a text and no object. It comes out of no key, as an underscore at the end is always escaped behind the mark.
constexpr std::string_view kTextKey = "___";

// The abbreviation of a payload key, and the key that a code abbreviates; empty where there is none.
std::string_view code_of_key(std::string_view key);
std::string_view key_of_code(std::string_view code);

class KeyCoder {
public:
    explicit KeyCoder(const Settings &settings) : q1_(settings.has(ACCP_EXT_Q1)), abbreviate_(settings.abbreviate) {}

    // Writes the wire form of a key which lies in a Buffer or has its slack behind it; `to` has wire_key_room() and slack. payload: it is a key of the
    // payload itself. Returns the end, or nullptr where the key has no wire form (without q1).
    [[gnu::always_inline]] char *write(std::string_view key, bool payload, char *to) const {
        if (!is_word_text(key) || (q1_ && key.size() > 1 && key[0] == '_' && key[1] == '_') || (payload && abbreviate_))
            return write_mapped(key, payload, to);
        if (payload && q1_ && key == "schema") *to++ = '_', *to++ = '_';
        copy_padded(to, key.data(), key.size());
        return to + key.size();
    }
    // May a key of word characters, with a Buffer's slack behind it, be something else on the wire?
    [[gnu::always_inline]] bool is_special(const char *key, size_t len, bool payload) const {
        uint16_t first;
        std::memcpy(&first, key, sizeof first);
        return (q1_ && first == kEscapeMark) || (payload && (abbreviate_ || (len == 6 && q1_ && !std::memcmp(key, "schema", 6))));
    }

    // Writes the `__` form of q1 of any key, whatever the extensions are.
    static char *write_escaped(std::string_view key, char *to);

    // True when that wire form is the key itself.
    bool is_plain(std::string_view key, bool payload) const;

    // True when a wire key means something else than itself.
    bool is_mapped(std::string_view wire, bool payload) const;

    // Writes the key that a mapped wire key stands for, which is never longer but for abbreviations (at most 32 bytes); nullptr where it is no UTF-8.
    char *read(std::string_view wire, bool payload, char *to) const;

private:
    static constexpr uint16_t kEscapeMark = '_' << 8 | '_';

    // Reads whole vectors.
    [[gnu::always_inline]] static bool is_word_text(std::string_view text) {
        size_t at = 0;
        for (; text.size() - at > 16; at += 16)
            if (Bytes16::load(text.data() + at).words() != 0xFFFF) return false;
        uint32_t wanted = (uint32_t{1} << (text.size() - at)) - 1;
        return !text.empty() && (Bytes16::load(text.data() + at).words() & wanted) == wanted;
    }
    char *write_mapped(std::string_view key, bool payload, char *to) const;

    bool q1_;
    bool abbreviate_;
};

}  // namespace accp

// Strings and numbers on the wire (WIRE.md section 3): every JSON scalar has exactly one spelling, and it comes back as it went in.



// Classes of bytes, in the names of the specification's grammar.


namespace accp {

constexpr bool is_digit(unsigned char c) { return static_cast<unsigned>(c - '0') < 10; }
constexpr bool is_alpha(unsigned char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }
constexpr bool is_word(unsigned char c) { return is_digit(c) || is_alpha(c) || c == '_'; }  // of operation, key, ref label
constexpr bool is_agent(unsigned char c) { return is_word(c) || c == '-'; }
constexpr bool is_upper_hex(unsigned char c) { return is_digit(c) || static_cast<unsigned>(c - 'A') < 6; }

constexpr bool is_delimiter(unsigned char c) {
    switch (c) {
        case '@':
        case '>':
        case ':':
        case '{':
        case '}':
        case '[':
        case ']':
        case '|':
        case '$':
        case ',':
        case '~':
        case '\\': return true;
        default: return false;
    }
}

// The same as bits of a table, where a loop asks about every byte of a text.
enum ByteClass : unsigned char { kAlphaByte = 1, kWordByte = 2, kAgentByte = 4, kSafeByte = 8, kDelimiterByte = 16 };

struct ByteClasses {
    unsigned char at[256] = {};
    constexpr ByteClasses() {
        for (int i = 0; i < 256; ++i) {
            auto c = static_cast<unsigned char>(i);
            bool visible = c > 0x20 && c < 0x7F;
            at[i] = static_cast<unsigned char>(is_alpha(c) * kAlphaByte | is_word(c) * kWordByte | is_agent(c) * kAgentByte |
                                               (visible && !is_delimiter(c)) * kSafeByte | is_delimiter(c) * kDelimiterByte);
        }
    }
};
inline constexpr ByteClasses kByteClasses;

inline unsigned char byte_class(char c) { return kByteClasses.at[static_cast<unsigned char>(c)]; }

// Texts that begin with one of these may look like something other than a string; no others do.
struct SuspectBytes {
    bool at[256] = {};
    constexpr SuspectBytes() {
        for (unsigned char c : {'"', '-', '=', 't', 'f', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}) at[c] = true;
    }
};
inline constexpr SuspectBytes kSuspectBytes;

inline bool is_suspect(char c) { return kSuspectBytes.at[static_cast<unsigned char>(c)]; }

}  // namespace accp

namespace accp {

// What spellings are in force.
struct Spelling {
    bool q1;   // quoted strings and = numbers
    bool raw;  // u8: raw code points
};

// Writes a string whose wire form is the string itself: no delimiter, no space, nothing that would be read as something else. False where it is not
// so. Both sides have a Buffer's slack.
[[gnu::always_inline]] inline bool write_plain_string(const char *text, size_t len, char *to);

// The same for one that only needs backslashes; returns the end, or nullptr. `to` has room for twice the text.
char *write_escaped_string(std::string_view text, char *to);

// Is this the text of a decimal as an encoder writes it: one to six places, no zeros at the end but a lone one, not -0.0, at most 17 digits before?
bool is_plain_decimal(std::string_view text);

// Appends the wire form of a string. False where it has none (without q1).
bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out);

// Appends the wire form of a number given as JSON has it: kind is ACCP_INT, ACCP_DEC or ACCP_NUMBER. False where it has none (without q1).
bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out);

// Appends a decimal as an encoder writes it: trailing zeros stripped, one kept, no -0.0. Returns the number of places.
int write_decimal(std::string_view text, Buffer<char> &out);

// Takes the escapes out of a wire string; `to` has room for all of it and Buffer's slack. Returns the end.
char *unescape(std::string_view wire, char *to);

// Is this wire string, escapes and all, a quoted one?
inline bool is_quoted(std::string_view wire) { return wire.size() >= 2 && wire.front() == '"' && wire.back() == '"'; }

// Reads a quoted string, quotes included, into `to` as unescape() does. *fault is the offset of a malformed %u, else untouched.
char *read_quoted(std::string_view wire, char *to, size_t *fault);

// true, false, -?[0-9]+(\.[0-9]+)?, ^=-?[0-9], or quotes at both ends: what would be read as something else. By its first byte, almost any string
// does not look so.
bool looks_like_literal(std::string_view text);
inline bool looks_otherwise(std::string_view text) { return is_suspect(text[0]) && looks_like_literal(text); }

inline bool write_plain_string(const char *text, size_t len, char *to) {
    size_t at = 0;
    for (; len - at > 16; at += 16) {
        Bytes16 bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        if (bytes.unsafe()) return false;
    }
    Bytes16 bytes = Bytes16::load(text + at);
    bytes.store(to + at);
    if (bytes.unsafe() & ((uint32_t{1} << (len - at)) - 1)) return false;
    return len && !looks_otherwise({text, len});
}

}  // namespace accp

// A flat tree (accp_node) and the text under it, and what every room asks of one.



namespace accp {

using Node = accp_node;

struct TreeView {
    const Node *nodes;
    const char *text;

    const Node &operator[](uint32_t i) const { return nodes[i]; }
    std::string_view string(uint32_t i) const { return {text + nodes[i].offset, nodes[i].len}; }
    std::string_view key(uint32_t i) const { return {text + ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len}; }

    // The child of `parent` with this key, or 0.
    uint32_t find(uint32_t parent, std::string_view wanted) const {
        for (uint32_t i = parent + 1; i < nodes[parent].next; i = nodes[i].next)
            if (key(i) == wanted) return i;
        return 0;
    }
};

inline bool is_container(uint8_t kind) { return kind == ACCP_ARRAY || kind == ACCP_MAP; }

}  // namespace accp

namespace accp {

// The brackets of a payload and of a metadata block, and what stands between their params.
struct BlockStyle {
    char opening, separator, closing;
    bool payload;
};
inline constexpr BlockStyle kPayloadStyle = {'{', '|', '}', true};
inline constexpr BlockStyle kMetaStyle = {'[', ',', ']', false};

class BlockWriter {
public:
    explicit BlockWriter(const Settings &settings);

    // Appends the map as a block, brackets and all. False, with some rubbish appended, where Encoder must be asked. The value's text has a
    // Buffer's slack.
    bool write(TreeView tree, uint32_t map, BlockStyle style, Buffer<char> &out) const;

private:
    const KeyCoder keys_;
    const Spelling spelling_;
    const bool tables_, keep_refs_, abbreviate_;
    const size_t most_key_, most_params_, most_items_, most_depth_;
};

}  // namespace accp

// The wire to JSON in one pass, as far as that goes: straight from the nodes of a parsed block, with no value between. Decoder (decode.h) does the rest:
// tables, keys that may stand for one another, and whatever is wrong. The two write the same bytes.


// A bump arena for what one call needs and the next one does not: positions, sets, orders. Chunks come from the handle's Memory.



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

namespace accp {

class BlockJson {
public:
    explicit BlockJson(const Settings &settings)
        : keys_(settings), q1_(settings.has(ACCP_EXT_Q1)), tables_(settings.has(ACCP_EXT_T1)), abbreviate_(settings.abbreviate) {}

    // Appends the map at node `block` as a JSON object. False, with some rubbish appended, where Decoder must be asked. Refs come out as {"$ref":"…"}. The frame's text has a
    // Buffer's slack.
    bool write(TreeView frame, uint32_t block, bool payload, Arena &arena, Buffer<char> &out) const;

private:
    struct Level;
    bool write_mapped_key(TreeView frame, uint32_t node, Level &level, Arena &arena, Buffer<char> &out) const;
    bool write_other(TreeView frame, uint32_t node, Arena &arena, Buffer<char> &out) const;

    const KeyCoder keys_;
    const bool q1_, tables_, abbreviate_;
};

}  // namespace accp

// The wire to values: the params of a parsed payload or metadata block, under the extensions in force (WIRE.md sections 3 and 4).


// A value: a flat tree with its own text, and the one way to build it.
//
// A child of a map is laid out as its key, one byte, then its text (a ref's text after one byte more), so that a node needs no room for where its
// key is. Readers write straight into the two buffers; others use the add functions, which keep the invariants.


namespace accp {

class Value {
public:
    explicit Value(Memory &memory) : nodes(memory), text(memory) {}

    TreeView view() const { return {nodes.data(), text.data() ? text.data() : kNoText}; }
    bool empty() const { return nodes.empty(); }
    void clear() {
        nodes.recycle(kKeptBytes);
        text.recycle(kKeptBytes);
        key_len_ = 0;
    }
    // Takes back what was added since the buffers had these sizes.
    void rewind(size_t node_count, size_t text_len) {
        nodes.resize_down(node_count);
        text.resize_down(text_len);
        key_len_ = 0;
    }

    // Takes away all but the last node, a scalar, which is then the value and has no key.
    void keep_last() {
        Node last = nodes[nodes.size() - 1];
        last.key_len = 0;
        last.next = 1;
        nodes.clear();
        nodes.push(last);
    }

    // Appends a key and the byte behind it; what is added next is that entry's value.
    void add_key(std::string_view key) {
        text.append(key.data(), key.size());
        text.push('\0');
        key_len_ = static_cast<uint16_t>(key.size());
    }
    void add_scalar(uint8_t kind, uint8_t flags, std::string_view content) {
        if (kind == ACCP_REF) text.push('$');
        uint32_t offset = static_cast<uint32_t>(text.size());
        text.append(content.data(), content.size());
        add(kind, flags, offset, content.size());
    }
    // A scalar whose text was written to the end of `text` already, from `offset` on.
    void add_written(uint8_t kind, uint8_t flags, uint32_t offset) { add(kind, flags, offset, text.size() - offset); }

    // Opens a container; close() it with the index that this returns.
    uint32_t open(uint8_t kind) {
        add(kind, 0, static_cast<uint32_t>(text.size()), 0);
        return static_cast<uint32_t>(nodes.size() - 1);
    }
    void close(uint32_t container, uint32_t children) {
        nodes[container].len = children;
        nodes[container].next = static_cast<uint32_t>(nodes.size());
    }

    Buffer<Node> nodes;
    Buffer<char> text;

private:
    static constexpr char kNoText[Buffer<char>::kSlack] = {};  // an empty text too may be read a vector at a time

    void add(uint8_t kind, uint8_t flags, uint32_t offset, size_t len) {
        nodes.push({kind, flags, key_len_, offset, static_cast<uint32_t>(len), static_cast<uint32_t>(nodes.size() + 1)});
        key_len_ = 0;
    }

    uint16_t key_len_ = 0;
};

}  // namespace accp

namespace accp {

// Writes the text of a scalar as a value has it, and sets what the node then is. `to` has room for all of it and slack. nullptr for a malformed %u.
char *read_content(Node &node, std::string_view text, bool q1, char *to);

// The node of the text that a payload is, as the key rule spells one; 0 where it is an object. A string that turns out to be an = number is none.
uint32_t text_node(TreeView frame, uint32_t block, const Settings &settings);

class Decoder {
public:
    Decoder(const Settings &settings, Arena &arena, uint64_t seed) : settings_(settings), arena_(arena), keys_(settings), seed_(seed) {}

    // Replaces `out` by the map at node `block` of a parsed frame. On failure `out` is empty, and the offset is a byte of the frame. Where keys_differ
    // is false, two of the block's own keys may come to be equal without their escapes: the caller knows what they stand for.
    Status params(TreeView frame, uint32_t block, bool payload, Value &out, bool keys_differ = true);

private:
    enum class Kind : uint8_t { kArray, kMap, kRows, kRow };
    struct Level {
        uint32_t next, end;  // nodes of the frame
        uint32_t first;      // the first child
        uint32_t out;        // node of the value
        uint32_t count;
        Kind kind;
        bool mapped;  // a key stands for another: two of them may stand for one
    };
    // The columns of the table that is open at a level.
    struct Columns {
        std::string_view *names;
        uint32_t count;
    };

    bool copy_plain(uint32_t block);
    bool rewrite(Node &node, std::string_view key, bool other_key);
    Status malformed_point(uint32_t node) const;
    Status run();
    Status entry(uint32_t node);
    Status value(uint32_t node);
    Status key(uint32_t node);
    Status close();
    Status open_table(uint32_t node, bool &table);
    Status read_columns(uint32_t node, Columns &columns);
    void push(Kind kind, uint32_t node, uint8_t out_kind);

    const Settings &settings_;
    Arena &arena_;
    KeyCoder keys_;
    uint64_t seed_;
    TreeView frame_ = {};
    Value *out_ = nullptr;
    bool payload_ = false;
    bool keys_differ_ = true;
    uint32_t depth_ = 0;
    Level levels_[kMostDepth + 1];
    Columns columns_[kMostDepth + 1];
};

}  // namespace accp

// Values to the wire: the params of a payload or a metadata block, under the extensions in force (WIRE.md sections 3 and 4).


namespace accp {

class Encoder {
public:
    Encoder(const Settings &settings, Arena &arena, Buffer<char> &out);

    // Appends the entries of a map as params with `separator` between them, without brackets, passing over those for which `skip` has a bit set
    // (bit i: the i-th entry; entries from the 64th on are never passed over). On failure the status' offset is the index of the node at fault.
    Status params(TreeView tree, uint32_t map, char separator, bool payload, uint64_t skip = 0);

    // Appends one entry of a map as a param.
    Status param(TreeView tree, uint32_t node, bool payload);

    // For those who write a block param by param. Appends a key and its colon, as `__…` where escape; `node` is who is at fault.
    Status key(std::string_view text, uint32_t node, bool escape);
    // Appends the value of a node, without its key, as if it stood inside `nesting` brackets.
    Status element(TreeView tree, uint32_t node, uint32_t nesting);

    // Whether what was wrong is the key of the node at fault.
    bool key_at_fault() const { return key_at_fault_; }

private:
    struct Entry {
        std::string_view key;
        uint32_t node;
    };
    // An open array, map or table, or the block itself. What is in the right order already is walked node by node; a map that must be sorted and a
    // table are walked by entries, a table's being its cells, row after row.
    struct Level {
        const Entry *entries;  // nullptr: nodes
        uint32_t next, end;    // nodes, or places in `entries`
        uint32_t columns;      // 0: no table
        char separator;
        char bracket;  // 0: none, for the block itself
        bool keys;
        bool payload;
        bool first;
        bool removes = false;  // it is the map `delta`, whose entries a peer that reads compat removes where they are null (A35)
    };

    Status run();
    Status next(Level &level);
    Status value(uint32_t node);
    Status scalar(uint32_t node);
    bool is_delta(size_t start) const;
    Status quoted_removal(uint32_t node);
    Status open(uint32_t node);
    Status open_map(uint32_t node, Level &level);
    bool open_reference(uint32_t node);
    bool open_table(uint32_t node);
    Status write_key(uint32_t node, bool payload);
    Status wire_key(uint32_t node, std::string_view &key);
    void separate(Level &level);
    Status wrong_key(Status status) {
        key_at_fault_ = true;
        return status;
    }

    const Settings &settings_;
    Arena &arena_;
    Buffer<char> &out_;
    KeyCoder keys_;
    Spelling spelling_;
    TreeView tree_ = {};
    bool key_at_fault_ = false;
    bool in_delta_ = false;  // the key of the payload that was written last is `delta`
    bool removes_ = false;   // the scalar to be written stands in that map
    uint64_t skip_ = 0;      // of the block's entries
    uint32_t place_ = 0;     // of the block's next entry
    uint32_t depth_ = 0;     // of levels_
    uint32_t nesting_ = 0;   // of brackets: a table counts three
    Level levels_[kMostDepth + 1];
};

}  // namespace accp

// The standard envelope (specification 3.5): reading it from a frame, keeping one to write.


namespace accp {

// The fields in the order in which they are written.
struct EnvelopeField {
    const char *key;
    uint32_t bit;
    accp_text accp_envelope::*text;  // of mid, cid, aid, sid; else nullptr
    int64_t accp_envelope::*number;  // of seq, ts, ttl; else nullptr
};
constexpr int kEnvelopeFields = 7;
extern const EnvelopeField kEnvelope[kEnvelopeFields];

// Reads the metadata block `meta` (0: none). The offset of a failure is a byte of the frame.
Status read_envelope(TreeView tree, uint32_t meta, accp_envelope &out);

// An envelope with its own copy of the texts.
class EnvelopeStore {
public:
    explicit EnvelopeStore(Memory &memory) : text_(memory) {}

    Status set(const accp_envelope *envelope, uint64_t key_bytes);
    bool has(const EnvelopeField &field) const { return (envelope_.fields & field.bit) != 0; }
    uint32_t fields() const { return envelope_.fields; }
    // Fields that are the envelope's alone, as bits, until set() is called again: a message's own are left out.
    void reserve_fields(uint32_t fields) { reserved_ = fields; }
    bool reserves(const EnvelopeField &field) const { return (reserved_ & field.bit) != 0; }
    void write(const EnvelopeField &field, Buffer<char> &out) const;

private:
    accp_envelope envelope_ = {};
    uint32_t reserved_ = 0;
    Buffer<char> text_;
};

// Twelve bytes of a cheap mid (A53); false where a number is out of range.
bool format_mid(uint32_t letter, uint32_t issuer, uint64_t counter, char *to);

}  // namespace accp

// Bytes to a flat tree. The machines (machine_strict.cc, machine_compat.cc) take a frame or refuse it, as fast as they can; where a refused frame
// went wrong is then found by locate.h, one byte at a time.


// The first pass over a frame: bytes to symbols. Most bytes of a frame are inside words, where nothing is decided; what matters is each
// structural character (one of the 12 delimiters, not escaped) and the class of the text before it. Both are found 64 bytes at a time;
// the Ragel machine (ragel/lexer.rl) then runs over about one symbol for every six bytes.
//
// A symbol is the code of its delimiter, and three bits for the text since the structural character before it:
//   kFilled  there is text;  kOther  it holds a byte that is not [A-Za-z0-9_];  kNonDigit  it holds a byte that is not [0-9].


namespace accp {

// Codes of the delimiters, four bits: the low nibble and a constant of the high nibble, so that one shuffle gives them. ragel/symbols.rl repeats them.
enum SymbolBit : uint8_t { kFilled = 0x10, kOther = 0x20, kEndSymbol = 0x40, kNonDigit = 0x80 };

constexpr uint8_t delimiter_code(unsigned char byte) {
    constexpr int8_t kHigh[16] = {0, 0, 3, -10, 1, -3};
    return static_cast<uint8_t>(((byte & 0x0F) + kHigh[byte >> 4]) & 0x0F);
}

struct Symbols {
    uint32_t *positions;  // in: room for len + 64; out: where the structural characters stand
    uint8_t *codes;       // in: room for len + 64; out: codes[position] is the symbol of a structural character
    size_t count;         // how many
    bool escapes;         // there is a backslash
    bool high;            // there is a byte above 0x7F; only ever set with raw
};

// False when a byte is illegal in every position: a control, a space, DEL, a backslash before no delimiter, or, unless `raw`, a byte above 0x7F.
bool find_symbols(const char *text, size_t len, bool raw, Symbols &symbols);

// For tests and benchmarks: "avx512", "avx2", "ssse3" or "portable"; nullptr picks the best that the machine has. False where it has none of that name.
bool use_symbols_kernel(const char *name);

}  // namespace accp

namespace accp {

// Node indices of every parsed frame.
enum : uint32_t { kAgent = 0, kIntent = 1, kOperation = 2, kPayload = 3 };

// What a machine (machine.h) is given.
struct MachineInput {
    const char *text;
    uint32_t len;
    Symbols symbols;
    Node *nodes;   // room for symbols.count + 4
    Arena *arena;  // for large sets of keys
    uint64_t seed;
    uint32_t depth, params, items, key_bytes;
};

// What a machine makes of a frame: 0 nodes when it is refused.
struct Parsed {
    uint32_t count;
    bool canonical;  // its text is what print_frame() would write; false where that is not sure
};

class Parser {
public:
    Parser(Memory &memory, const Settings &settings);

    // Appends the tree of one frame to `nodes`, its `next` counted from its own first node. On failure `nodes` is as it was.
    Status parse(const char *text, size_t len, Buffer<Node> &nodes) {
        if (run(text, len, nodes)) return {};
        return fault(text, len);
    }

    // Is the frame that was parsed last surely as print_frame() would write it?
    bool canonical() const { return canonical_; }

private:
    bool run(const char *text, size_t len, Buffer<Node> &nodes);
    Status fault(const char *text, size_t len);

    const Settings &settings_;
    Arena arena_;
    bool raw_, compat_, canonical_ = false;
    uint64_t most_;       // bytes of a frame
    MachineInput input_;  // limits and seed set once, the rest for each frame
};

}  // namespace accp

// JSON text to a value. simdjson's first stage validates the UTF-8 and indexes the structure (with the best kernel of the machine); the walk over
// that index is ours, as it must keep numbers as text, find equal keys, and say at which byte a text is wrong.



namespace simdjson::internal {
class dom_parser_implementation;
}

namespace accp {

struct JsonLimits {
    uint64_t bytes;
    uint32_t depth;  // at most kMostJsonDepth
};

class JsonReader {
public:
    explicit JsonReader(Memory &memory);
    ~JsonReader();

    // Replaces `out`; on failure it is empty.
    Status read(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // The same in two steps: the index of a text's structure, with two zeros behind its last entry, which others may walk too; and the walk.
    Status make_index(const char *text, size_t len, const JsonLimits &limits);
    const uint32_t *index() const;
    size_t index_count() const;
    Status read_indexed(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // Where in the last text node i stood.
    struct Origin {
        uint32_t key;  // its key's opening quote; outside maps as value
        uint32_t value;
    };
    Origin origin(uint32_t i) const { return origins_[i]; }

private:
    bool run_first_stage(const char *text, size_t len);

    std::unique_ptr<simdjson::internal::dom_parser_implementation> index_;
    Buffer<Origin> origins_;  // for each node
    Arena arena_;
    uint64_t seed_;
};

}  // namespace accp

namespace accp {

// A message taken apart: three names, its payload, which is a map or a text, and the map of its metadata.
struct Message {
    std::string_view agent, intent, operation;
    TreeView payload_tree = {};
    uint32_t payload = 0;
    TreeView meta_tree = {};
    uint32_t meta = 0;
    bool has_meta = false;
};

// What was wrong with a Message. status.offset is the node at fault, of the metadata's tree when in_meta, else of the payload's.
struct MessageStatus {
    Status status;
    bool in_meta = false;
    bool at_key = false;
};

// Who writes a payload in the block writer's place.
class PayloadWriter {
public:
    // Appends the params, without brackets; the offset of a failure is a node of the message's payload.
    virtual Status write(Encoder &encoder, Buffer<char> &out) = 0;

protected:
    ~PayloadWriter() = default;
};

class Coder {
public:
    Coder(Memory &memory, const Settings &settings);

    // The tree is over `text`, which must stay. Appends to `nodes`.
    Status parse(const char *text, size_t len, Buffer<Node> &nodes) { return parser_.parse(text, len, nodes); }

    // Appends the canonical form of the frame that was parsed last.
    Status print(TreeView tree, uint32_t count, size_t text_len, Buffer<char> &out);

    // Appends the frame of a message: from its parts, or from its JSON.
    MessageStatus build(const Message &message, Buffer<char> &out, PayloadWriter *writer = nullptr);
    Status encode(const char *json, size_t len, Buffer<char> &out);

    // Reads the JSON of a message; its trees, one and the same, live until the next call of anything here. Where in the JSON a node of it stood.
    Status read_message(const char *json, size_t len, Message &message);
    JsonReader::Origin origin(uint32_t node) const { return reader_.origin(node); }

    // Parses a frame into `nodes`, which it appends to, and appends the JSON of its message.
    Status decode(const char *text, size_t len, Buffer<Node> &nodes, Buffer<char> &out);

    // The payload, or the metadata (0: none, an empty map), of a parsed frame as a value. keys_differ: see Decoder::params().
    Status read_block(TreeView tree, uint32_t block, bool payload, Value &out, bool keys_differ = true);

    // Appends the same as JSON. The frame's text has a Buffer's slack. On failure there may be some rubbish.
    Status write_block(TreeView tree, uint32_t block, bool payload, Buffer<char> &out);

    // Members of a JSON message to pass over: names, each with a NUL behind it.
    Buffer<char> ignored;
    EnvelopeStore envelope;

    // For tests: false goes the general way only.
    bool direct = true;

private:
    Status check_names(const Message &message) const;
    bool encode_directly(const char *json, size_t len, Buffer<char> &out);
    Status take_apart(Message &message);
    Status set_member(uint32_t node, Message &message);
    Status set_name(uint32_t node, std::string_view &name, unsigned char wanted, const char *rule);
    bool is_ignored(std::string_view name) const;
    Status write_text(const Message &message, Encoder &encoder, Buffer<char> &out) const;
    MessageStatus write_meta(const Message &message, Encoder &encoder, Buffer<char> &out);
    Status write_message(TreeView tree, uint32_t count, Buffer<char> &out);

    const Settings &settings_;
    const BlockWriter block_writer_;
    const BlockJson block_json_;
    Parser parser_;
    JsonReader reader_;
    Arena arena_;
    Value value_;
    Buffer<char> padded_;  // a text with slack behind it
    uint64_t seed_;
};

}  // namespace accp

struct accp_options {
    explicit accp_options(const accp::Settings &) : memory(settings.allocator, UINT64_MAX), ignored(memory) {}

    accp::Settings settings;  // of the handles to be made
    accp::Memory memory;      // of this one: always the private allocator's
    accp::Buffer<char> ignored;
};

struct accp_value {
    explicit accp_value(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          value(memory),
          open(memory),
          arena(memory),
          out(memory),
          reader(memory),
          seed(accp::random_seed()) {}

    // A container that accp_value_end() has yet to close.
    struct Open {
        uint32_t node;
        uint32_t count;
    };

    bool complete() const { return !value.empty() && open.empty(); }
    void clear() {
        value.clear();
        open.clear();
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::Value value;
    accp::Buffer<Open> open;
    accp::Arena arena;
    accp::Buffer<char> out;
    accp::JsonReader reader;
    uint64_t seed;
};

struct accp_frame {
    explicit accp_frame(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          coder(memory, settings),
          nodes(memory),
          out(memory) {}

    accp::TreeView tree() const { return {nodes.data(), text}; }
    uint32_t count() const { return static_cast<uint32_t>(nodes.size()); }
    void clear() {
        nodes.recycle(accp::kKeptBytes);
        text = nullptr;
        text_len = 0;
    }
    uint32_t meta() const {
        uint32_t next = nodes[accp::kPayload].next;
        return next < count() ? next : 0;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::Coder coder;
    accp::Buffer<accp::Node> nodes;
    accp::Buffer<char> out;
    const char *text = nullptr;
    size_t text_len = 0;
};

struct accp_batch {
    explicit accp_batch(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          coder(memory, settings),
          nodes(memory),
          scratch(memory),
          out(memory),
          records(memory) {}

    void clear() {
        nodes.clear();
        out.clear();
        records.clear();
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::Coder coder;
    accp::Buffer<accp::Node> nodes;
    accp::Buffer<accp::Node> scratch;  // the tree of the frame being decoded
    accp::Buffer<char> out;
    accp::Buffer<accp_record> records;
};

namespace accp {

// What options (NULL: the defaults) ask for.
inline Settings settings_of(const accp_options *options) { return options ? options->settings : Settings(); }

// A handle with a coder, and the names to ignore copied into it.
template <class Handle>
Handle *make_coding_handle(const accp_options *options) {
    Handle *handle = make_handle<Handle>(settings_of(options));
    if (!options || options->ignored.empty()) return handle;
    struct Holder {
        Handle *held;
        ~Holder() { end_handle(held); }
    } holder = {handle};
    handle->coder.ignored.append(options->ignored.data(), options->ignored.size());
    holder.held = nullptr;
    return handle;
}

}  // namespace accp

using namespace accp;

namespace {

constexpr const char *kNoFrame = "there is no parsed frame";

bool is_payload(const accp_value *value) {
    return value->complete() && (value->value.nodes[0].kind == ACCP_MAP || value->value.nodes[0].kind == ACCP_STRING);
}
bool is_map(const accp_value *value) { return value->complete() && value->value.nodes[0].kind == ACCP_MAP; }

accp_status read_block(accp_frame *frame, bool payload, accp_value *out, accp_error *err) noexcept {
    if (!frame || !out) return refuse(err, kNoHandle);
    if (!frame->count()) return refuse(err, kNoFrame);
    if (lies_in(frame->text, out->value.text)) return refuse(err, kOwnText);
    accp_status code = guard(err, [&] {
        out->clear();
        const uint32_t block = payload ? uint32_t{kPayload} : frame->meta();
        Status status = frame->coder.read_block(frame->tree(), block, payload, out->value);
        const bool is_text = status.ok() && payload && text_node(frame->tree(), block, frame->settings);
        if (is_text && out->value.nodes[1].kind == ACCP_STRING) out->value.keep_last();
        return status;
    });
    if (code != ACCP_OK) out->clear();
    return code;
}

std::string_view view(accp_text text) { return {text.text ? text.text : "", text.len}; }

}  // namespace

extern "C" {

accp_status accp_frame_new(const accp_options *options, accp_frame **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_coding_handle<accp_frame>(options);
        return Status{};
    });
}

void accp_frame_free(accp_frame *frame) noexcept { end_handle(frame); }

accp_status accp_frame_parse(accp_frame *frame, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!frame) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, frame->out)) return refuse(err, kOwnText);  // printing would write over it
    return guard(err, [&] {
        frame->clear();
        Status status = frame->coder.parse(text, text_len, frame->nodes);
        if (status.failed()) return status;
        frame->text = text;
        frame->text_len = text_len;
        return Status{};
    });
}

const accp_node *accp_frame_nodes(const accp_frame *frame, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = frame ? frame->nodes.size() : 0;
    if (!frame) return nullptr;
    return frame->nodes.empty() ? &kNone : frame->nodes.data();
}

const char *accp_frame_text(const accp_frame *frame, size_t *len_out) noexcept {
    if (len_out) *len_out = frame ? frame->text_len : 0;
    if (!frame) return nullptr;
    return frame->text ? frame->text : "";
}

uint32_t accp_frame_find(const accp_frame *frame, uint32_t parent, const char *key, size_t key_len) noexcept {
    if (!frame || !is_text(key, key_len) || parent >= frame->count() || frame->nodes[parent].kind != ACCP_MAP) return 0;
    return frame->tree().find(parent, {key, key_len});
}

accp_status accp_frame_string(const accp_frame *frame, uint32_t index, char *buf, size_t buf_len, size_t *len_out,
                              accp_error *err) noexcept {
    if (!frame || !len_out) return refuse(err, kNoHandle);
    if (index >= frame->count() || is_container(frame->nodes[index].kind)) return refuse(err, "no such scalar node");
    std::string_view text = frame->tree().string(index);
    bool escaped = (frame->nodes[index].flags & ACCP_NODE_ESCAPED) != 0;
    size_t need = text.size();
    for (size_t i = 0; escaped && i < text.size(); ++i)
        if (text[i] == '\\') --need, ++i;
    *len_out = need;
    if (need > buf_len || (need && !buf)) return report(fail(ACCP_ERR_SPACE, 0, "the buffer is too small"), err);
    if (escaped) unescape(text, buf);
    else if (need) std::memcpy(buf, text.data(), need);
    return ACCP_OK;
}

accp_status accp_frame_int(const accp_frame *frame, uint32_t index, int64_t *out, accp_error *err) noexcept {
    if (!frame || !out) return refuse(err, kNoHandle);
    if (index >= frame->count() || frame->nodes[index].kind != ACCP_INT) return refuse(err, "no such integer node");
    std::string_view text = frame->tree().string(index);
    int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
        return report(fail(ACCP_E1004, frame->nodes[index].offset, "an integer beyond 64 bits"), err);
    *out = number;
    return ACCP_OK;
}

accp_status accp_frame_print(accp_frame *frame, const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!frame || !out || !len_out) return refuse(err, kNoHandle);
    if (!frame->count()) return refuse(err, kNoFrame);
    return guard(err, [&] {
        frame->out.recycle(kKeptBytes);
        Status status = frame->coder.print(frame->tree(), frame->count(), frame->text_len, frame->out);
        if (status.failed()) return status;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
}

accp_status accp_frame_envelope(const accp_frame *frame, accp_envelope *out, accp_error *err) noexcept {
    if (!frame || !out) return refuse(err, kNoHandle);
    if (!frame->count()) return refuse(err, kNoFrame);
    accp_envelope envelope;
    Status status = read_envelope(frame->tree(), frame->meta(), envelope);
    if (status.ok()) *out = envelope;
    return report(status, err);
}

accp_status accp_frame_set_envelope(accp_frame *frame, const accp_envelope *envelope, accp_error *err) noexcept {
    if (!frame) return refuse(err, kNoHandle);
    return guard(err, [&] { return frame->coder.envelope.set(envelope, frame->settings.limit(ACCP_LIMIT_KEY_BYTES)); });
}

accp_status accp_mid_format(uint32_t letter, uint32_t issuer, uint64_t counter, char *buf, accp_error *err) noexcept {
    if (!buf) return refuse(err, kNoText);
    if (!format_mid(letter, issuer, counter, buf))
        return refuse(err, "a mid has a letter 0 to 5, an issuer 0 to 99, and a counter that fits");
    return ACCP_OK;
}

accp_status accp_frame_payload(accp_frame *frame, accp_value *out, accp_error *err) noexcept { return read_block(frame, true, out, err); }

accp_status accp_frame_meta(accp_frame *frame, accp_value *out, accp_error *err) noexcept { return read_block(frame, false, out, err); }

accp_status accp_frame_build(accp_frame *frame, accp_text agent, accp_text intent, accp_text operation, const accp_value *payload,
                             const accp_value *meta, const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!frame || !payload || !out || !len_out) return refuse(err, kNoHandle);
    for (accp_text name : {agent, intent, operation}) {
        if (!is_text(name.text, name.len)) return refuse(err, kNoText);
        if (lies_in(name.text, frame->out)) return refuse(err, kOwnText);
    }
    if (!is_payload(payload) || (meta && !is_map(meta)))
        return refuse(err, "payload and metadata are complete maps, or the payload a string");
    return guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        Message message = {view(agent), view(intent), view(operation), payload->value.view(), 0, {}, 0, meta != nullptr};
        if (meta) message.meta_tree = meta->value.view();
        Status status = frame->coder.build(message, frame->out).status;
        if (status.failed()) return status;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
}

}  // extern "C"
