//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstdint>
#include <string_view>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <initializer_list>
#include <atomic>
#include <algorithm>
#include <charconv>
#include <new>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

// frame/block.cc

// See block.h. A node's key, a NUL and its text lie together in a value: where all of it fits a vector and is word text, which is so for most, one load
// and one store write `key:text`, the colon put in afterwards.

// Values to the wire in one pass, as far as that goes: a block whose maps are in order already, without tables. Encoder (encode.h) does the rest, and
// says what is wrong with a value that has no spelling; the two write the same bytes.


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


namespace accp {

namespace {

// An open array or map, or the block itself.
struct Level {
    uint32_t end;  // its first node no more
    char separator, closing;
    bool keys, payload;
    uint32_t most_plain_key;  // bytes; longer keys, and those of special_key bytes, are looked at twice
    uint32_t special_key;
    const char *last_key;  // of an inner map: entries are written in the order of their keys
    size_t last_key_len;
};
static_assert(std::is_trivial_v<Level>);  // an array of them costs nothing until one is opened

constexpr uint32_t kSchemaLen = 6;  // `schema` has a mapping of its own in a payload

constexpr uint32_t low_bits(size_t count) { return (uint32_t{1} << count) - 1; }

// Would a word that lies behind a key and a NUL in `bytes` be read as something other than a string?
[[gnu::always_inline]] inline bool is_literal_word(Bytes16 bytes, uint32_t key_len, const char *word, uint32_t len) {
    if (!is_suspect(*word)) return false;
    if (is_digit(static_cast<unsigned char>(*word))) return !(~bytes.digits() >> (key_len + 1) & low_bits(len));
    return looks_like_literal({word, len});
}

// The keys that the open maps have noted lie in the output, which has just moved.
void move_keys(Level *first, const Level *last, const char *before, const char *now) {
    for (; first <= last; ++first)
        if (first->last_key_len)
            first->last_key = now + (reinterpret_cast<uintptr_t>(first->last_key) - reinterpret_cast<uintptr_t>(before));
}

// Notes the wire key; false where it does not come after the one before it.
bool is_next_key(Level &level, const char *key, size_t len) {
    if (std::string_view(key, len) <= std::string_view(level.last_key, level.last_key_len)) return false;
    level.last_key = key;
    level.last_key_len = len;
    return true;
}

bool may_be_reference(TreeView tree, uint32_t map) { return tree[map].len == 1 && tree.key(map + 1) == "$ref"; }

// Writes a scalar from `to`, which has room for the longest spelling of any text of its length. The end, or nullptr where it has no spelling.
[[gnu::noinline]] char *write_scalar(const Node &node, const char *content, Spelling spelling, char *to, Buffer<char> &out) {
    std::string_view text(content, node.len);
    switch (node.kind) {
        case ACCP_NULL: *to = '~'; return to + 1;
        case ACCP_BOOL:
            std::memcpy(to, node.flags & ACCP_NODE_TRUE ? "true " : "false", 5);
            return to + (node.flags & ACCP_NODE_TRUE ? 4 : 5);
        case ACCP_INT: copy_padded(to, content, node.len); return to + node.len;
        case ACCP_REF:
            *to = '$';
            copy_padded(to + 1, content, node.len);
            return to + 1 + node.len;
        case ACCP_STRING:
            if (char *end = write_escaped_string(text, to)) return end;
            out.set_end(to);
            return write_wire_string(text, spelling, out) ? out.end() : nullptr;
        default:
            if (node.kind == ACCP_DEC && is_plain_decimal(text)) {
                copy_padded(to, content, node.len);
                return to + node.len;
            }
            out.set_end(to);
            return write_wire_number(text, node.kind, spelling, out) ? out.end() : nullptr;
    }
}

}  // namespace

BlockWriter::BlockWriter(const Settings &settings)
    : keys_(settings),
      spelling_{settings.has(ACCP_EXT_Q1), settings.has(ACCP_EXT_U8)},
      tables_(settings.has(ACCP_EXT_T1)),
      keep_refs_(settings.keep_refs),
      abbreviate_(settings.abbreviate),
      most_key_(settings.limit(ACCP_LIMIT_KEY_BYTES)),
      most_params_(settings.limit(ACCP_LIMIT_PARAMS)),
      most_items_(settings.limit(ACCP_LIMIT_ITEMS)),
      most_depth_(settings.limit(ACCP_LIMIT_DEPTH)) {}

bool BlockWriter::write(TreeView tree, uint32_t map, BlockStyle style, Buffer<char> &out) const {
    const Node *const nodes = tree.nodes;
    const char *const text = tree.text;
    const auto most_plain_key = static_cast<uint32_t>(most_key_ < 15 ? most_key_ : 15);
    Level levels[kMostDepth + 1], *level = levels;
    if (nodes[map].len > most_params_) return false;
    *level = {nodes[map].next,
              style.separator,
              style.closing,
              true,
              style.payload,
              style.payload && abbreviate_ ? 0 : most_plain_key,
              style.payload ? kSchemaLen : 0u,
              "",
              0};
    char *to = out.end(), *room_end = to;
    char lead = style.opening;  // what is written before the next entry
    for (uint32_t i = map + 1;; ++i) {
        while (i == level->end) {
            if (lead != level->separator) *to++ = lead;  // an empty block
            *to++ = level->closing;
            if (level == levels) {
                out.set_end(to);
                return true;
            }
            lead = (--level)->separator;
        }
        const Node &node = nodes[i];
        const uint32_t len = node.len, key_len = node.key_len, kind = node.kind;
        const size_t need = 5 * (size_t{key_len} + len) + 64;  // what the longest spelling takes; for a container, more than that
        if (__builtin_expect(static_cast<size_t>(room_end - to) < need, 0)) {
            out.set_end(to);
            const char *before = out.data();
            to = out.room(need + 1024);
            move_keys(levels, level, before, out.data());
            room_end = to + need + 1024;
        }
        const char *content = text + node.offset;
        *to++ = lead;
        lead = level->separator;
        if (level->keys) {
            const char *key = content - 1 - key_len - (kind == ACCP_REF);
            const Bytes16 bytes = Bytes16::load(key);
            bytes.store(to);
            const uint32_t odd = ~bytes.words();
            const bool plain_key = (key_len - 1 < level->most_plain_key) & (key_len != level->special_key) & (*key != '_');
            char *end = to + key_len;
            if (plain_key && len + key_len < 16 && (odd & low_bits(key_len + 1 + len)) == uint32_t{1} << key_len && level == levels &&
                (kind == ACCP_INT || (kind == ACCP_STRING && len && !is_literal_word(bytes, key_len, content, len)))) {
                *end = ':';
                to = end + 1 + len;
                continue;
            }
            if (!plain_key || (odd & low_bits(key_len))) {
                end = keys_.write({key, key_len}, level->payload, to);
                if (!end || static_cast<size_t>(end - to) > most_key_) return false;
            }
            if (level != levels && !is_next_key(*level, to, static_cast<size_t>(end - to))) return false;
            *end = ':';
            to = end + 1;
        }
        if (kind == ACCP_STRING && write_plain_string(content, len, to)) {
            to += len;
            continue;
        }
        if (!is_container(node.kind)) {
            to = write_scalar(node, content, spelling_, to, out);
            if (!to) return false;
            continue;
        }
        bool is_map = kind == ACCP_MAP;
        if (static_cast<size_t>(level - levels) == most_depth_ || len > most_items_) return false;
        if (is_map && ((tables_ && !level->keys) || (keep_refs_ && may_be_reference(tree, i)))) return false;
        *++level = {node.next, ',', is_map ? '}' : ']', is_map, false, most_plain_key, 0, "", 0};
        lead = is_map ? '{' : '[';
    }
}

}  // namespace accp

// frame/q1_read.cc

// See q1.h: the reading half.

// UTF-8, one code point at a time.


namespace accp {

inline char *write_utf8(uint32_t point, char *to) {
    if (point < 0x80) {
        *to++ = static_cast<char>(point);
    } else if (point < 0x800) {
        *to++ = static_cast<char>(0xC0 | point >> 6);
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        *to++ = static_cast<char>(0xE0 | point >> 12);
        *to++ = static_cast<char>(0x80 | (point >> 6 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    } else {
        *to++ = static_cast<char>(0xF0 | point >> 18);
        *to++ = static_cast<char>(0x80 | (point >> 12 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point >> 6 & 0x3F));
        *to++ = static_cast<char>(0x80 | (point & 0x3F));
    }
    return to;
}

// The code point at `text`, which is valid UTF-8; moves `text` behind it.
inline uint32_t read_utf8(const char *&text) {
    auto next = [&text] { return static_cast<unsigned char>(*text++); };
    uint32_t lead = next();
    if (lead < 0x80) return lead;
    if (lead < 0xE0) return (lead & 0x1F) << 6 | (next() & 0x3Fu);
    uint32_t second = next() & 0x3Fu;
    if (lead < 0xF0) return (lead & 0x0F) << 12 | second << 6 | (next() & 0x3Fu);
    uint32_t third = next() & 0x3Fu;
    return (lead & 0x07) << 18 | second << 12 | third << 6 | (next() & 0x3Fu);
}

// How many bytes of the text are whole, valid code points, before the first that is not: len when all are.
size_t valid_utf8_prefix(const char *text, size_t len);

// Where no valid code point stands: how many bytes a decoder that replaces what is broken takes for one replacement, which is as much of a
// sequence as was begun well (Unicode's maximal subpart), at least 1.
size_t broken_utf8_size(const char *text, size_t len);

}  // namespace accp

namespace accp {

namespace {

int hex_value(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

bool hex_pair(const char *p, const char *end) {
    return end - p >= 2 && is_upper_hex(static_cast<unsigned char>(p[0])) && is_upper_hex(static_cast<unsigned char>(p[1]));
}

// One code point of %u…;, or false: six digits, or x and seven that are more than 999999; a Unicode scalar value.
bool read_point(const char *&p, const char *end, uint32_t &point) {
    bool wide = p < end && *p == 'x';
    const char *q = p + wide;
    int digits = wide ? 7 : 6;
    if (end - q < digits) return false;
    point = 0;
    for (int i = 0; i < digits; ++i) {
        if (!is_digit(static_cast<unsigned char>(q[i]))) return false;
        point = point * 10 + static_cast<uint32_t>(q[i] - '0');
    }
    if ((wide && point <= 999999) || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
    p = q + digits;
    return true;
}

// The code points from behind %u to its semicolon.
bool read_points(const char *&p, const char *end, char *&to) {
    do {
        uint32_t point;
        if (!read_point(p, end, point)) return false;
        to = write_utf8(point, to);
    } while (p < end && *p != ';');
    if (p == end) return false;
    ++p;
    return true;
}

}  // namespace

char *unescape(std::string_view wire, char *to) {
    for (size_t i = 0; i < wire.size(); ++i) {
        if (wire[i] == '\\') ++i;
        *to++ = wire[i];
    }
    return to;
}

char *read_quoted(std::string_view wire, char *to, size_t *fault) {
    const char *p = wire.data() + 1, *end = wire.data() + wire.size() - 1;
    while (p < end) {
        if (end - p >= 16) {  // runs of plain characters, a vector at a time; the slack of both buffers takes what is too much
            Bytes16 bytes = Bytes16::load(p);
            bytes.store(to);
            uint32_t special = bytes.equal('_') | bytes.equal('%') | bytes.equal('\\');
            int plain = special ? __builtin_ctz(special) : 16;
            p += plain;
            to += plain;
            if (!special) continue;
        }
        char c = *p++;
        if (c == '_') {
            bool twice = p < end && *p == '_';
            *to++ = twice ? '_' : ' ';
            p += twice;
        } else if (c == '\\') {
            *to++ = *p++;
        } else if (c == '%' && hex_pair(p, end)) {
            to = write_utf8(static_cast<uint32_t>(hex_value(p[0]) << 4 | hex_value(p[1])), to);
            p += 2;
        } else if (c == '%' && p < end && *p == 'u') {
            const char *start = p++ - 1;
            if (!read_points(p, end, to)) {
                *fault = static_cast<size_t>(start - wire.data());
                return to;
            }
        } else {
            *to++ = c;
        }
    }
    return to;
}

}  // namespace accp

// frame/q1_write.cc

// See q1.h: the writing half.

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

bool may_stand_raw(uint32_t point, bool raw) { return point < 0x80 ? point > 0x20 && point < 0x7F : raw && is_raw_point(point); }

bool is_plain(std::string_view text, bool raw) {
    if (text.empty() || looks_otherwise(text)) return false;
    for (const char *p = text.data(), *end = p + text.size(); p < end;)
        if (!may_stand_raw(read_utf8(p), raw)) return false;
    return true;
}

char *write_hex(uint32_t byte, char *to) {
    constexpr char kHex[] = "0123456789ABCDEF";
    *to++ = '%';
    *to++ = kHex[byte >> 4];
    *to++ = kHex[byte & 15];
    return to;
}

// One code point inside %u…;: six digits, or x and seven.
char *write_point(uint32_t point, char *to) {
    int digits = point > 999999 ? 7 : 6;
    if (digits == 7) *to++ = 'x';
    for (int i = digits - 1; i >= 0; --i, point /= 10) to[i] = static_cast<char>('0' + point % 10);
    return to + digits;
}

// One ASCII character inside the quotes; `next` is the source character behind it, 0 at the end.
char *write_quoted_ascii(const char *next, const char *end, unsigned char c, char *to) {
    unsigned char after = next < end ? static_cast<unsigned char>(*next) : 0;
    if (c == ' ') {
        if (after == ' ' || after == '_') return write_hex(c, to);
        *to++ = '_';
        return to;
    }
    if (c < 0x20 || c == 0x7F) return write_hex(c, to);
    if (c == '%') {
        unsigned char second = end - next > 1 ? static_cast<unsigned char>(next[1]) : 0;
        bool ambiguous = after == 'u' || (is_upper_hex(after) && is_upper_hex(second));
        if (ambiguous) return write_hex(c, to);
    } else if (c == '_') {
        *to++ = '_';
    } else if (is_delimiter(c)) {
        *to++ = '\\';
    }
    *to++ = static_cast<char>(c);
    return to;
}

void write_quoted(std::string_view text, bool raw, Buffer<char> &out) {
    char *to = out.room(5 * text.size() + 16);
    const char *p = text.data(), *end = p + text.size();
    bool run = false;  // inside %u…;
    *to++ = '"';
    while (p < end) {
        const char *start = p;
        uint32_t point = read_utf8(p);
        bool numbered = point > 0xFF && !may_stand_raw(point, raw);
        if (run && !numbered) *to++ = ';';
        if (numbered) {
            if (!run) *to++ = '%', *to++ = 'u';
            to = write_point(point, to);
        } else if (point < 0x80) {
            to = write_quoted_ascii(p, end, static_cast<unsigned char>(point), to);
        } else if (may_stand_raw(point, raw)) {
            for (; start < p; ++start) *to++ = *start;
        } else {
            to = write_hex(point, to);
        }
        run = numbered;
    }
    if (run) *to++ = ';';
    *to++ = '"';
    out.set_end(to);
}

void write_plain(std::string_view text, Buffer<char> &out) {
    char *to = out.room(2 * text.size());
    for (char c : text) {
        if (is_delimiter(static_cast<unsigned char>(c))) *to++ = '\\';
        *to++ = c;
    }
    out.set_end(to);
}

}  // namespace

bool looks_like_literal(std::string_view text) {
    unsigned char first = static_cast<unsigned char>(text[0]);
    switch (first) {
        case 't': return text == "true";
        case 'f': return text == "false";
        case '"': return is_quoted(text);
        case '=': {
            size_t digit = text.size() > 1 && text[1] == '-' ? 2 : 1;
            return text.size() > digit && is_digit(static_cast<unsigned char>(text[digit]));
        }
        default: break;
    }
    if (!is_digit(first) && first != '-') return false;
    size_t at = first == '-';
    size_t start = at;
    auto digits = [&] {
        while (at < text.size() && is_digit(static_cast<unsigned char>(text[at]))) ++at;
    };
    digits();
    if (at == start) return false;
    if (at == text.size()) return true;
    if (text[at++] != '.') return false;
    start = at;
    digits();
    return at > start && at == text.size();
}

char *write_escaped_string(std::string_view text, char *to) {
    if (text.empty() || looks_otherwise(text)) return nullptr;
    for (char c : text) {
        unsigned char kind = byte_class(c);
        *to = '\\';
        to += (kind & kDelimiterByte) != 0;
        *to++ = c;
        if (!(kind & (kSafeByte | kDelimiterByte))) return nullptr;
    }
    return to;
}

bool is_plain_decimal(std::string_view text) {
    size_t len = text.size(), places = 1;
    while (places <= static_cast<size_t>(kDecimalPlaces) && text[len - 1 - places] != '.') ++places;
    if (places > static_cast<size_t>(kDecimalPlaces) || (text.back() == '0' && places > 1)) return false;
    size_t integer = len - 1 - places - (text[0] == '-');
    return integer <= static_cast<size_t>(kDecimalIntegerDigits) && text != "-0.0";
}

bool write_wire_string(std::string_view text, Spelling spelling, Buffer<char> &out) {
    if (write_plain_string(text.data(), text.size(), out.room(text.size()))) {
        out.advance(text.size());
        return true;
    }
    if (char *end = write_escaped_string(text, out.room(2 * text.size()))) out.set_end(end);
    else if (spelling.raw && is_plain(text, true)) write_plain(text, out);
    else if (spelling.q1) write_quoted(text, spelling.raw, out);
    else return false;
    return true;
}

int write_decimal(std::string_view text, Buffer<char> &out) {
    size_t point = text.find('.');
    while (text.back() == '0' && text.size() > point + 2) text.remove_suffix(1);
    if (text == "-0.0") text.remove_prefix(1), --point;
    out.append(text.data(), text.size());
    return static_cast<int>(text.size() - point - 1);
}

bool write_wire_number(std::string_view text, uint8_t kind, Spelling spelling, Buffer<char> &out) {
    if (kind == ACCP_INT) {
        out.append_padded(text.data(), text.size());
        return true;
    }
    if (kind == ACCP_DEC) {
        size_t start = out.size();
        (void)write_decimal(text, out);
        if (is_plain_decimal({out.data() + start, out.size() - start})) return true;
        if (!spelling.q1) return false;
        size_t len = out.size() - start;
        out.room(1);
        std::memmove(out.data() + start + 1, out.data() + start, len);
        out[start] = '=';
        out.advance(1);
        return true;
    }
    if (!spelling.q1) return false;
    out.push('=');
    bool negative_zero = text.find_first_not_of("-0.") == std::string_view::npos && text.find('.') != std::string_view::npos;
    if (negative_zero) text = "-0.0";  // a fraction, so its trailing zeros are stripped
    out.append(text.data(), text.size());
    return true;
}

}  // namespace accp

// token/ascii_masks.cc

// See ascii_masks.h. The plain loop, and the choice of a kernel at run time.

// Up to 64 bytes, and for each class of characters one bit a byte, the first byte lowest. One kernel for each instruction set, chosen at run time.


namespace accp {

struct AsciiMasks {
    uint64_t upper, lower, digit;
    uint64_t space;    // ' '
    uint64_t blank;    // white space but newlines: ' ', \t, \v, \f
    uint64_t newline;  // \r, \n
    uint64_t quote;    // '
    uint64_t slash;
    uint64_t high;  // 0x80 and up
};

// Bits from `len` (at most 64) up are 0 in every mask.
using FindMasks = void(const char *text, size_t len, AsciiMasks &masks);

void find_masks(const char *text, size_t len, AsciiMasks &masks);

// For tests: the kernel of that name ("portable", "avx2", "avx512"), where this machine has it.
bool use_masks_kernel(const char *name);

struct MasksKernel {
    const char *name;
    FindMasks *find;
};
#if defined(__x86_64__)
extern const MasksKernel kMasksAvx512;
extern const MasksKernel kMasksAvx2;
#endif

}  // namespace accp


namespace accp {

namespace {

void find_portable(const char *text, size_t len, AsciiMasks &masks) {
    AsciiMasks found = {};
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        auto set = [i](uint64_t &mask, bool on) { mask |= uint64_t{on} << i; };
        set(found.upper, static_cast<unsigned>(c - 'A') < 26);
        set(found.lower, static_cast<unsigned>(c - 'a') < 26);
        set(found.digit, static_cast<unsigned>(c - '0') < 10);
        set(found.space, c == ' ');
        set(found.blank, c == ' ' || c == '\t' || c == '\v' || c == '\f');
        set(found.newline, c == '\r' || c == '\n');
        set(found.quote, c == '\'');
        set(found.slash, c == '/');
        set(found.high, c >= 0x80);
    }
    masks = found;
}

constexpr MasksKernel kPortable = {"portable", find_portable};

// The kernels that this machine can run, best first.
const MasksKernel *kernel(const char *name) {
#if defined(__x86_64__)
    auto wanted = [name](const MasksKernel &which) { return !name || std::string_view(name) == which.name; };
    if (__builtin_cpu_supports("avx512bw") && wanted(kMasksAvx512)) return &kMasksAvx512;
    if (__builtin_cpu_supports("avx2") && wanted(kMasksAvx2)) return &kMasksAvx2;
#endif
    return !name || std::string_view(name) == kPortable.name ? &kPortable : nullptr;
}

// Constant after the first call, save for tests; racing first calls store the same pointer.
std::atomic<FindMasks *> kernel_in_force{nullptr};

[[gnu::noinline]] FindMasks *choose_kernel() {
    FindMasks *find = kernel(nullptr)->find;
    kernel_in_force.store(find, std::memory_order_relaxed);
    return find;
}

}  // namespace

void find_masks(const char *text, size_t len, AsciiMasks &masks) {
    FindMasks *find = kernel_in_force.load(std::memory_order_relaxed);
    if (!find) find = choose_kernel();
    find(text, len, masks);
}

bool use_masks_kernel(const char *name) {
    const MasksKernel *chosen = kernel(name);
    if (chosen) kernel_in_force.store(chosen->find, std::memory_order_relaxed);
    return chosen != nullptr;
}

}  // namespace accp

// render/header.cc

// A table's header, as docs/render.md spells it.

// A place in a render text, and the words that can stand there.



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

// A table as its header states it: what stands in a row, in order, and what stands between. The writer lays one out (layout.h), the reader reads one
// from a header, and both then walk its steps.



// Texts of the render form (docs/render.md): which may stand bare, and how they are written.



namespace accp {

// What says that a text came from outside: in front of a record, where the caller says so; in front of a message that says so itself; and in a message in front of
// those fields that do, which are its last. No record and no field begins with a bracket and a word and has a space behind them.
inline constexpr std::string_view kUntrustedMark = "(untrusted data) ", kUntrustedMessage = "(untrusted message) ";
// The member of a message that says it.
inline constexpr std::string_view kUntrustedMember = "untrusted";

// What ends a bare text, beside the end of its line. Which of them count depends on where it stands.
enum Stop : unsigned char { kStopSpace = 1, kStopComma = 2, kStopPipe = 4, kStopClose = 8 };  // ] } ;

// The other classes of a byte.
enum TextByte : unsigned char { kEscapedByte = 16, kNoKeyByte = 32, kLetterByte = 64, kMarkByte = 128 };  // a mark may begin here

struct TextBytes {
    unsigned char at[256] = {};
    constexpr TextBytes() {
        for (int i = 0; i < 256; ++i) {
            auto c = static_cast<unsigned char>(i);
            bool letter = static_cast<unsigned>((c | 0x20) - 'a') < 26 || c >= 0x80;
            at[i] = static_cast<unsigned char>(letter * kLetterByte | (c < 0x20 || c == '\\') * (kEscapedByte | kNoKeyByte));
        }
        for (char c : {' ', ':', ',', ';', '|', '[', ']', '{', '}', '(', ')', '?', '"'}) at[static_cast<unsigned char>(c)] = kNoKeyByte;
        auto add = [this](char c, unsigned char bits) { at[static_cast<unsigned char>(c)] |= bits; };
        add(' ', kStopSpace);
        add(',', kStopComma);
        add('|', kStopPipe);
        for (char c : {']', '}', ';'}) add(c, kStopClose);
        for (char c : {'\x7F', '\xC2', '\xD8', '\xE2', '\xF3'}) add(c, kMarkByte);
    }
};
inline constexpr TextBytes kTextBytes;

inline unsigned char text_byte(char c) { return kTextBytes.at[static_cast<unsigned char>(c)]; }

// A space in front of one is no token of its own in any vocabulary of note.
inline bool is_letter(char c) { return (text_byte(c) & kLetterByte) != 0; }

// Does this word stand at `text`, and behind it the end or what may end a cell? `-` is an absent cell and `null` may be a whole group, so no bare text
// begins like either.
inline bool is_mark(std::string_view word, const char *text, const char *end) {
    if (static_cast<size_t>(end - text) < word.size() || std::string_view(text, word.size()) != word) return false;
    text += word.size();
    return text == end || (text_byte(*text) & (kStopSpace | kStopComma | kStopPipe | kStopClose)) || *text == '\n';
}
inline constexpr std::string_view kAbsent = "-", kNull = "null";

// Would this text, bare, be read as something else than a string?
bool is_literal(std::string_view text);

// May a string stand without quotes where these bytes end it?
bool is_bare_text(std::string_view text, unsigned stops);

// May a string be the rest of its line?
bool is_line_text(std::string_view text);

bool is_bare_key(std::string_view key);

// Does a reader see the beginning of a message, of a mark or of a ref, once what cannot be seen is left out?
bool looks_like_record(std::string_view text);

// How texts are written: what moves the text around it (controls, ends of lines, directions, tags) is escaped, and what a line of its own begins with looks
// like no message. Untrusted ones: those with spaces are in quotes, and all that cannot be seen is escaped, so that nothing hides in them.
class TextWriter {
public:
    explicit TextWriter(Buffer<char> &out) : out(out) {}

    void put(char c) { out.push(c); }
    void put(std::string_view text) { out.append(text.data(), text.size()); }
    void bare(std::string_view text);
    void quoted(std::string_view text);
    void string(std::string_view text, unsigned stops) { is_bare(text, stops) ? bare(text) : quoted(text); }
    void key(std::string_view key) { is_bare_key(key) && !hides(key) ? bare(key) : quoted(key); }
    bool is_bare(std::string_view text, unsigned stops) const {
        if (untrusted) return is_bare_text(text, stops | kStopSpace) && !hides(text);
        return is_bare_text(text, stops) && !(begins_line() && looks_like_record(text));
    }

    Buffer<char> &out;
    bool untrusted = false;

private:
    bool begins_line() const { return out.size() && out.data()[out.size() - 1] == '\n'; }
    bool is_escaped(uint32_t point) const;
    void point(const char *&from, bool quotes);
    bool hides(std::string_view text) const;
};

}  // namespace accp

namespace accp {

// What stands in front of a cell; nothing before a row's first.
struct Gap {
    char text[2];
    uint8_t len;

    std::string_view view() const { return {text, len}; }
};

struct Column;
struct Table;

enum class StepKind : uint8_t { kCell, kRows, kGroup, kRest };

// One cell of a row; or, before the cells of a group, where to go on when the row has none of it.
struct Step {
    StepKind kind;
    bool optional;
    unsigned char stops;  // what ends a bare cell
    Gap before;           // a group's is that of its first cell
    uint32_t skip;        // the step behind this one, and behind all of a group
    std::string_view name;
    Table *table;    // kRows: what stands in its brackets
    Column *column;  // the writer's
};

struct Table {
    Step *steps;
    uint32_t count;
    bool keyed;   // a map: every row begins with its key and a colon
    bool spaced;  // rows inside brackets are parted by "; ", not ";"
    Gap key_gap;  // behind the key
};

// What ends bare cells, from the gaps on both sides: a cell may hold a space only where neither gap is one. `nested`: inside brackets.
inline void set_stops(Table &table, bool nested) {
    auto stop = [](const Gap &gap) -> unsigned { return gap.len ? text_byte(gap.text[0]) & (kStopSpace | kStopComma | kStopPipe) : 0; };
    unsigned after = 0;
    for (uint32_t i = table.count; i-- > 0;) {
        Step &step = table.steps[i];
        if (step.kind == StepKind::kGroup) continue;
        step.stops = static_cast<unsigned char>((nested ? unsigned{kStopClose} : 0) | after | (stop(step.before) & kStopSpace));
        after = stop(step.before);
    }
}

}  // namespace accp

namespace accp {

class Scanner {
public:
    Scanner(const char *text, size_t len, size_t start) : at(text + start), end(text + len), text_(text) {}

    bool done() const { return at == end; }
    char peek() const { return at < end ? *at : '\0'; }
    bool is(char c) const { return at < end && *at == c; }
    bool at_line_end() const { return at == end || *at == '\n'; }
    bool take(char c) {
        bool here = is(c);
        at += here;
        return here;
    }
    bool take(std::string_view word) {
        bool here = static_cast<size_t>(end - at) >= word.size() && std::string_view(at, word.size()) == word;
        if (here) at += word.size();
        return here;
    }

    // False where the text is wrong; fault() then says how.
    bool expect(std::string_view word, const char *message) { return take(word) || refuse(message); }
    bool refuse(const char *message) { return refuse(at, message); }
    bool refuse(const char *place, const char *message, accp_status code = ACCP_E1001) {
        fault_ = fail(code, static_cast<uint64_t>(place - text_), message);
        return false;
    }
    const Status &fault() const { return fault_; }

    // Appends what stands in quotes here, without its escapes.
    bool quoted(Buffer<char> &out);
    // Finds the bare text here, which ends before any of these or at the end of the line; it is not empty.
    bool bare(unsigned stops, std::string_view &out);
    // Appends a bare text without its escapes.
    bool unescape(std::string_view bare, Buffer<char> &out);
    // Finds the bare key here, or answers an empty one for a quoted one.
    std::string_view bare_key();
    // Appends the key here, bare or quoted; at most kMostKeyBytes.
    bool key(Buffer<char> &out);

    const char *at;
    const char *const end;

private:
    const char *text_;
    Status fault_;
};

// Reads a table's header at `(`. Its names lie in the text, or in the arena. nullptr where it is none.
Table *read_header(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed);

}  // namespace accp

// Equal keys in one map, found in linear time whatever the keys are.
//
// While a map is read, a Bloom filter answers "surely new" for almost every key; where it does not, a small map is searched. A map of more than
// kLinearKeys entries is looked through once, when it is complete, with a hashed set whose seed an attacker does not know.


namespace accp {

// Trivial, so that an array of them costs nothing until one is begun: KeyFilter{} is the empty one.
class KeyFilter {
public:
    // True when an equal key may have been added before. Looks at both ends and the length: keys that agree there cost a search, no more.
    [[gnu::always_inline]] bool add(const char *key, size_t len) {
        size_t hash = len;
        if (__builtin_expect(len != 0, 1)) hash += static_cast<unsigned char>(key[0]) + static_cast<unsigned char>(key[len - 1]) * 8u;
        uint64_t &word = words_[hash >> 6 & 3];
        uint64_t bit = uint64_t{1} << (hash & 63);
        bool known = (word & bit) != 0;
        word |= bit;
        return known;
    }

private:
    uint64_t words_[4];
};

// Does `map`, whose children so far end before node `end`, have this key? Linear in its children.
bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len);

// The place of the first of these keys that an earlier one equals; 0 when all differ.
uint32_t find_equal(const std::string_view *keys, uint32_t count, Arena &arena, uint64_t seed);

// The first child of `map`, which is complete, whose key an earlier child has; 0 when all differ.
uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed);

}  // namespace accp

namespace accp {

namespace {

constexpr uint32_t kMostNesting = 8;  // brackets inside one another in a header; the writer opens seven. Bounds recursion

class HeaderReader {
public:
    HeaderReader(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed)
        : from_(from), arena_(arena), scratch_(scratch), seed_(seed) {}

    Table *header(uint32_t depth);

private:
    // The steps of one table as they are read; a table inside has its own.
    struct Steps {
        Step *items = nullptr;
        uint32_t count = 0, room = 0;
    };

    bool columns(Steps &steps, Gap gap, char closing, uint32_t depth);
    bool column(Steps &steps, Gap gap, bool first, uint32_t depth);
    bool read_name(std::string_view &name);
    bool read_gap(Gap &gap);
    bool all_differ(const Steps &steps, uint32_t first);
    uint32_t push(Steps &steps, const Step &step);

    Scanner &from_;
    Arena &arena_;
    Buffer<char> &scratch_;
    uint64_t seed_;
};

Table *HeaderReader::header(uint32_t depth) {
    if (depth == kMostNesting) return from_.refuse("a header with more brackets inside one another than a table can have"), nullptr;
    from_.take('(');
    auto *table = arena_.take<Table>(1);
    *table = {};
    const char *begin = from_.at;
    if (from_.take("key:")) {
        table->keyed = true;
        table->key_gap = {{':', ' '}, static_cast<uint8_t>(1 + from_.take(' '))};
    } else {
        from_.at = begin;
    }
    Steps steps;
    if (!columns(steps, {}, ')', depth)) return nullptr;
    table->steps = steps.items;
    table->count = steps.count;
    return table;
}

// Columns up to a bracket, which is passed.
bool HeaderReader::columns(Steps &steps, Gap gap, char closing, uint32_t depth) {
    uint32_t first = steps.count;
    for (;;) {
        uint32_t place = steps.count;
        if (!column(steps, gap, place == first, depth)) return false;
        if (from_.take(closing)) break;
        if (steps.items[place].kind == StepKind::kRest) return from_.refuse("nothing stands behind the dots");
        if (!read_gap(gap)) return false;
    }
    return all_differ(steps, first);
}

bool HeaderReader::column(Steps &steps, Gap gap, bool first, uint32_t depth) {
    Step step = {StepKind::kCell, false, 0, gap, 0, {}, nullptr, nullptr};
    if (from_.take("...")) step.kind = StepKind::kRest;
    else if (!read_name(step.name)) return false;
    step.optional = step.kind == StepKind::kRest || from_.take('?');
    if (first && step.optional) return from_.refuse("the first column is one that every row has");
    uint32_t place = push(steps, step);
    if (step.kind == StepKind::kCell && from_.is('(')) {
        Table *table = header(depth + 1);
        if (!table) return false;
        if (table->keyed) return from_.refuse("rows with keys inside rows");
        set_stops(*table, true);
        steps.items[place].kind = StepKind::kRows;
        steps.items[place].table = table;
    } else if (step.kind == StepKind::kCell && from_.take('{')) {
        steps.items[place].kind = StepKind::kGroup;
        if (depth + 1 == kMostNesting) return from_.refuse("a header with more brackets inside one another than a table can have");
        if (!columns(steps, gap, '}', depth + 1)) return false;
    }
    steps.items[place].skip = steps.count;
    return true;
}

bool HeaderReader::read_name(std::string_view &name) {
    if (!from_.is('"')) {
        name = from_.bare_key();
        return !name.empty() || from_.refuse("the name of a column was expected");
    }
    scratch_.clear();
    if (!from_.key(scratch_)) return false;
    char *copy = arena_.take<char>(scratch_.size() + 1);
    std::memcpy(copy, scratch_.data(), scratch_.size());
    name = {copy, scratch_.size()};
    return true;
}

bool HeaderReader::read_gap(Gap &gap) {
    char c = from_.peek();
    if (c != ' ' && c != ',' && c != '|') return from_.refuse("a gap between columns, or the closing bracket, was expected");
    ++from_.at;
    gap = {{c, ' '}, static_cast<uint8_t>(1 + (c != ' ' && from_.take(' ')))};
    return true;
}

bool HeaderReader::all_differ(const Steps &steps, uint32_t first) {
    auto *names = arena_.take<std::string_view>(steps.count - first);
    uint32_t count = 0;
    for (uint32_t i = first; i < steps.count; i = steps.items[i].skip)
        if (steps.items[i].kind != StepKind::kRest) names[count++] = steps.items[i].name;
    for (uint32_t i = 0; i < count; ++i)
        if (names[i].size() > kMostKeyBytes) return from_.refuse(from_.at, "a key of more than 65,535 bytes", ACCP_E1004);
    return !find_equal(names, count, arena_, seed_) || from_.refuse("a header with one name twice");
}

uint32_t HeaderReader::push(Steps &steps, const Step &step) {
    if (steps.count == steps.room) {
        steps.room = steps.room ? steps.room * 2 : 16;
        auto *wider = arena_.take<Step>(steps.room);
        if (steps.count) std::memcpy(wider, steps.items, steps.count * sizeof *wider);
        steps.items = wider;
    }
    steps.items[steps.count] = step;
    return steps.count++;
}

}  // namespace

Table *read_header(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed) {
    return HeaderReader(from, arena, scratch, seed).header(0);
}

}  // namespace accp

// render/layout.cc

// See layout.h. In every vocabulary of note a word with a space in front of it is one token, and a number takes one for whatever stands before it. So a
// space parts words, a comma stands before what begins with no letter, and text that has spaces in it is fenced by ", " on both sides, or by "| "
// where it has commas.

// From a shape to a table: the steps of its rows and the gaps between them, chosen from what the cells hold; and the header that says so.


// The shape that the maps of an array, or of a map, have in common: which keys become columns of a table.


namespace accp {

struct Shape;

// The values under one key, of all rows that have it. The last column of a shape may be the rest: what only few rows have, under its own keys.
struct Column {
    StepKind kind;
    std::string_view name;
    uint32_t count;
    bool nulls;       // of a group: some of its values are null
    uint32_t *nodes;  // the values, in the order of the rows
    Shape *shape;     // of a group's maps, or of all elements of kRows
    uint32_t next;    // for the writer: the first value not yet written
};

struct Shape {
    Column *columns;
    uint32_t count;
    uint32_t rows;
};

class ShapeFinder {
public:
    ShapeFinder(TreeView tree, Arena &arena, uint64_t seed) : tree_(tree), arena_(arena), seed_(seed) {}

    // The shape of the children of a container which are better written as a table; nullptr where they are not.
    Shape *find(uint32_t container);

private:
    struct Keys;

    Shape *find(const uint32_t *maps, uint32_t count, uint32_t depth);
    void sort_columns(Keys &keys, uint32_t rows);
    void fill(Shape &shape, Keys &keys, const uint32_t *maps);
    void look_inside(Shape &shape, uint32_t place, uint32_t depth);
    bool begins_with_null(const Shape &shape) const;
    const uint32_t *without_nulls(const Column &column, uint8_t kind, uint32_t &count);

    TreeView tree_;
    Arena &arena_;
    uint64_t seed_;
};

}  // namespace accp

namespace accp {

class TableLayout {
public:
    TableLayout(TreeView tree, Arena &arena) : tree_(tree), arena_(arena) {}

    // `map`: the rows are the entries of `container`, a map. `nested`: they stand inside brackets.
    Table *lay_out(const Shape &shape, bool map, uint32_t container, bool nested);

private:
    // What the texts of one column are like.
    struct Texts {
        uint32_t count = 0;
        uint32_t spaces = 0;  // strings with a space in them, which could stand bare
        uint32_t commas = 0;
        uint32_t pipes = 0;
        uint32_t letters = 0;  // cells that begin with a letter

        bool spaced() const { return spaces && spaces * 2 >= count; }
        bool lettered() const { return letters * 2 > count; }
    };

    void add_steps(Table &table, const Shape &shape);
    Texts look_at(const Step &step, bool nested) const;
    void add_string(Texts &texts, std::string_view text, bool nested) const;
    Texts look_at_keys(uint32_t container) const;
    static Gap choose_gap(const Texts &left, const Texts &right);

    TreeView tree_;
    Arena &arena_;
};

// Writes `(id name, email)`.
void write_header(const Table &table, TextWriter &to);

}  // namespace accp

namespace accp {

namespace {

uint32_t count_steps(const Shape &shape) {
    uint32_t count = shape.count;
    for (uint32_t i = 0; i < shape.count; ++i)
        if (shape.columns[i].kind == StepKind::kGroup) count += count_steps(*shape.columns[i].shape);
    return count;
}

}  // namespace

void TableLayout::add_steps(Table &table, const Shape &shape) {
    for (uint32_t i = 0; i < shape.count; ++i) {
        Column &column = shape.columns[i];
        Step &step = table.steps[table.count++];
        bool optional = column.count < shape.rows || column.nulls || column.kind == StepKind::kRest;
        step = {column.kind, optional, 0, {}, 0, column.name, nullptr, &column};
        if (column.kind == StepKind::kGroup) add_steps(table, *column.shape);
        if (column.kind == StepKind::kRows) step.table = lay_out(*column.shape, false, 0, true);
        step.skip = table.count;
    }
}

void TableLayout::add_string(Texts &texts, std::string_view text, bool nested) const {
    if (!is_bare_text(text, nested ? unsigned{kStopClose} : 0)) return;
    unsigned met = 0;
    for (char c : text) met |= text_byte(c);
    texts.spaces += (met & kStopSpace) != 0;
    texts.commas += (met & kStopComma) != 0;
    texts.pipes += (met & kStopPipe) != 0;
    texts.letters += is_letter(text[0]);
}

TableLayout::Texts TableLayout::look_at(const Step &step, bool nested) const {
    const Column &column = *step.column;
    Texts texts;
    texts.count = column.count;
    if (step.kind != StepKind::kCell) return texts;
    for (uint32_t i = 0; i < column.count; ++i) {
        const Node &node = tree_[column.nodes[i]];
        if (node.kind == ACCP_STRING) add_string(texts, tree_.string(column.nodes[i]), nested);
        texts.letters += node.kind == ACCP_BOOL || node.kind == ACCP_NULL;
    }
    return texts;
}

TableLayout::Texts TableLayout::look_at_keys(uint32_t container) const {
    Texts texts;
    for (uint32_t i = container + 1; i < tree_[container].next; i = tree_[i].next) {
        ++texts.count;
        texts.letters += tree_[i].key_len && is_letter(tree_.key(i)[0]);
    }
    return texts;
}

Gap TableLayout::choose_gap(const Texts &left, const Texts &right) {
    bool letter = right.lettered();
    if (letter && !left.spaced() && !right.spaced()) return {{' '}, 1};
    return {{left.pipes < left.commas ? '|' : ',', ' '}, static_cast<uint8_t>(1 + letter)};
}

Table *TableLayout::lay_out(const Shape &shape, bool map, uint32_t container, bool nested) {
    auto *table = arena_.take<Table>(1);
    *table = {arena_.take<Step>(count_steps(shape)), 0, map, false, {}};
    add_steps(*table, shape);
    Texts left;
    bool first = true;
    for (uint32_t i = 0; i < table->count; ++i) {
        if (table->steps[i].kind == StepKind::kGroup) continue;
        Texts texts = look_at(table->steps[i], nested);
        if (!first) table->steps[i].before = choose_gap(left, texts);
        if (first) table->spaced = map ? look_at_keys(container).lettered() : texts.lettered();
        if (first && map) table->key_gap = {{':', ' '}, static_cast<uint8_t>(1 + texts.lettered())};
        first = false;
        left = texts;
    }
    for (uint32_t i = table->count; i-- > 0;)
        if (table->steps[i].kind == StepKind::kGroup) table->steps[i].before = table->steps[i + 1].before;
    set_stops(*table, nested);
    return table;
}

namespace {

// Steps from `at` to `end`, without the bracket around them. The gap in front of the first is its group's.
void write_steps(const Table &table, uint32_t at, uint32_t end, TextWriter &to) {
    for (uint32_t first = at; at < end; at = table.steps[at].skip) {
        const Step &step = table.steps[at];
        if (at > first) to.put(step.before.view());
        if (step.kind == StepKind::kRest) {
            to.put(step.name);
            continue;
        }
        to.key(step.name);
        if (step.optional) to.put('?');
        if (step.kind == StepKind::kRows) write_header(*step.table, to);
        if (step.kind != StepKind::kGroup) continue;
        to.put('{');
        write_steps(table, at + 1, step.skip, to);
        to.put('}');
    }
}

}  // namespace

void write_header(const Table &table, TextWriter &to) {
    to.put('(');
    if (table.keyed) {
        to.put("key");
        to.put(table.key_gap.view());
    }
    write_steps(table, 0, table.count, to);
    to.put(')');
}

}  // namespace accp

// render/read.cc

// See read.h: records, objects, lists and scalars.

// Which text of a frame is a number, and which is a ref (WIRE.md section 2).



namespace accp {

// ACCP_INT, ACCP_DEC, or ACCP_STRING for text that only looks like one: 007, -0, .5, 1e5.
inline uint8_t wire_number_kind(const char *text, uint32_t len) {
    const char *p = text, *end = text + len;
    if (p < end && *p == '-') ++p;
    const char *integer = p;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    if (p == integer || (*integer == '0' && p - integer > 1)) return ACCP_STRING;
    if (p == end) return *text == '-' && *integer == '0' ? ACCP_STRING : ACCP_INT;
    if (*p++ != '.' || p == end) return ACCP_STRING;
    while (p < end && is_digit(static_cast<unsigned char>(*p))) ++p;
    return p == end ? ACCP_DEC : ACCP_STRING;
}

// Labels of [A-Za-z0-9_]+ with a dot between them.
inline bool is_ref(const char *text, uint32_t len) {
    bool label = false;
    for (uint32_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c != '.' && !is_word(c)) return false;
        if (c == '.' && !label) return false;
        label = c != '.';
    }
    return label;
}

}  // namespace accp

// One call of RenderReader: the records, objects and lists are in read.cc, the tables in read_table.cc.


// Render text to a value (docs/render.md), without recursion: a level for each open bracket.


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

class RenderReader {
public:
    RenderReader(Memory &memory, Arena &arena, uint64_t seed, const Settings &settings)
        : settings_(settings), arena_(arena), seed_(seed), levels_(memory), scratch_(memory) {}

    // Replaces `out` by the record that begins at `start` of a text. The offset of a failure is a byte of the text.
    Status read(const char *text, size_t len, size_t start, Value &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows, kCells };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // a record's own fields, or rows with a line each
        bool broken = false;  // fields: the last value was a table with a line a row
        bool rest = false;    // fields: of the row that is open outside
        bool comma = false;   // items: what parts them
        uint32_t node = 0, count = 0;
        const Table *table = nullptr;
        bool owner = false;  // rows: of the table, whose header is given back at its end
        Arena::Mark mark = {};
        uint32_t step = 0, end = 0;  // cells
        uint64_t rows = 0;           // rows still to come, where they were counted
    };

    struct Work;

    const Settings &settings_;
    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
    Buffer<char> scratch_;
};

// The number of lines behind this one that belong to its record: those of the table whose header it ends with.
uint64_t count_row_lines(std::string_view line);

}  // namespace accp

namespace accp {

// One call. False from a function ends it; the scanner says why.
struct RenderReader::Work {
    Work(RenderReader &reader, const char *text, size_t len, size_t start, Value &out)
        : scan(text, len, start), reader(reader), out(out), levels(reader.levels_) {}

    bool record();

    Scanner scan;

private:
    bool root();
    bool head();
    bool is_text();
    bool head(bool untrusted);
    void say_untrusted(uint32_t payload);
    bool name(std::string_view key, unsigned char wanted, const char *message);
    bool run();
    bool next();
    bool next_field(Level &level);
    bool field(Level &level);
    bool field_key(bool top);
    bool line_text();
    bool next_item(Level &level);
    bool item(Level &level);
    bool next_row(Level &level);
    bool row(Level &level);
    bool next_cell(Level &level);
    bool cell(Level &level, const Step &step);
    bool at_row_end() const;
    bool value(unsigned stops, bool top);
    bool quoted();
    bool bare(unsigned stops);
    bool ref();
    bool table(bool top);
    bool open(uint8_t kind, Level level);
    bool open_fields(bool top);
    bool close();
    bool all_differ(uint32_t map);
    Level &top() { return levels[levels.size() - 1]; }
    uint32_t mark() const { return static_cast<uint32_t>(out.text.size()); }

    RenderReader &reader;
    Value &out;
    Buffer<Level> &levels;
    uint32_t depth = 0;
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t untrusted_from = kNone;  // the place of the payload's first field that is marked
    bool in_payload = false;
    bool abbreviated = false;  // the fields of the record are a payload's, by their codes
};

}  // namespace accp

// Numbers as text: their form, and their exact decimal value. Nothing here ever becomes a double.



namespace accp {

// The longest JSON number at the beginning of `text`.
struct NumberToken {
    size_t len;    // 0: none
    uint8_t kind;  // ACCP_INT, ACCP_DEC, or ACCP_NUMBER (-0, -0.0, anything with an exponent)
};
NumberToken scan_number(const char *text, const char *end);

// A whole number text taken apart: value = (-1)^negative * digits * 10^exponent, the digits without leading and trailing zeros.
struct Decimal {
    bool negative;
    const char *digits;  // first digit; a point may stand between digits and is to be passed over
    size_t digit_count;  // 0: the value is zero
    int64_t exponent;
};
// False where the exponent has more digits than kMostExponentDigits. `text` must be a JSON number.
bool read_decimal(std::string_view text, Decimal &out);

// Writes a number as RFC 8785 lays numbers out, from its exact digits. Needs kLayoutRoom + the length of the text. Returns the end.
constexpr size_t kLayoutRoom = 48;
char *layout_number(const Decimal &number, char *to);

}  // namespace accp

namespace accp {

// ---- a record

bool RenderReader::Work::record() {
    const bool untrusted = scan.take(kUntrustedMessage);
    if (untrusted && !scan.is('@')) return scan.refuse("a message was expected");
    if (scan.is('@')) return head(untrusted);
    if (!root() || !run()) return false;
    return scan.done() || scan.refuse("text behind the value");
}

// A key begins fields; anything else that can stand here is the whole value.
bool RenderReader::Work::root() {
    const char *begin = scan.at;
    if (scan.is('[') || scan.is('{') || scan.is('(')) return value(0, true);
    if (scan.is('"')) {
        reader.scratch_.clear();
        if (!scan.quoted(reader.scratch_)) return false;
    } else {
        scan.bare_key();
    }
    bool fields = scan.is(':');
    scan.at = begin;
    if (fields) return open_fields(true);
    if (scan.is('"') || scan.is('$')) return value(0, true);
    std::string_view word;
    if (!scan.bare(kStopSpace, word)) return false;
    scan.at = begin;
    return is_literal(word) ? bare(kStopSpace) : scan.refuse("a key and a colon were expected");
}

bool RenderReader::Work::name(std::string_view key, unsigned char wanted, const char *message) {
    const char *begin = scan.at;
    while (!scan.done() && (byte_class(*scan.at) & wanted)) ++scan.at;
    auto len = static_cast<size_t>(scan.at - begin);
    if (!len || len > reader.settings_.limit(ACCP_LIMIT_KEY_BYTES)) return scan.refuse(message);
    out.add_key(key);
    out.add_scalar(ACCP_STRING, 0, {begin, len});
    return true;
}

// Does a string stand here that is no key?
bool RenderReader::Work::is_text() {
    const char *begin = scan.at;
    reader.scratch_.clear();
    const bool text = scan.is('"') && (!scan.quoted(reader.scratch_) || !scan.is(':'));
    scan.at = begin;
    return text;
}

// `@agent intent:operation`, perhaps ` {metadata}`, and the payload.
bool RenderReader::Work::head(bool untrusted) {
    uint32_t members = 4 + untrusted;
    depth = 1;
    out.open(ACCP_MAP);
    scan.take('@');
    if (!name("agent", kAgentByte, "an agent is 1 to key_bytes letters, digits, - and _") || !scan.expect(" ", "a space was expected") ||
        !name("intent", kAlphaByte, "an intent is 1 to key_bytes letters") || !scan.expect(":", "a colon was expected") ||
        !name("operation", kWordByte, "an operation is 1 to key_bytes letters, digits and _"))
        return false;
    bool more = scan.take(' ');
    if (more && scan.is('{')) {
        ++members;
        out.add_key("meta");
        if (!open_fields(false) || !run()) return false;
        more = scan.take(' ');
    }
    out.add_key("payload");
    abbreviated = reader.settings_.abbreviate;
    in_payload = !untrusted;
    const auto payload = static_cast<uint32_t>(out.nodes.size());
    if (more && in_payload && scan.take(kUntrustedMark)) untrusted_from = 0;
    if (!more) {
        out.close(out.open(ACCP_MAP), 0);
    } else if (is_text()) {
        if (!quoted()) return false;
    } else {
        if (!(scan.is('(') ? table(true) : open_fields(true)) || !run()) return false;
        if (out.nodes[payload].kind != ACCP_MAP) return scan.refuse("a payload has keys");
    }
    if (untrusted_from != kNone) {
        say_untrusted(payload);
        ++members;
    } else if (untrusted) {
        out.add_key(kUntrustedMember);
        out.add_scalar(ACCP_BOOL, ACCP_NODE_TRUE, {});
    }
    out.close(0, members);
    return scan.done() || scan.refuse("text behind the payload");
}

// The member that names the fields behind the mark.
void RenderReader::Work::say_untrusted(uint32_t payload) {
    out.add_key(kUntrustedMember);
    const uint32_t list = out.open(ACCP_ARRAY);
    uint32_t place = 0, count = 0;
    for (uint32_t i = payload + 1; i < out.nodes[payload].next; i = out.nodes[i].next) {
        if (place++ < untrusted_from) continue;
        reader.scratch_.clear();  // a key lies in the text that grows
        reader.scratch_.append(out.view().key(i).data(), out.view().key(i).size());
        out.add_scalar(ACCP_STRING, 0, {reader.scratch_.data() ? reader.scratch_.data() : "", reader.scratch_.size()});
        ++count;
    }
    out.close(list, count);
}

bool RenderReader::Work::run() {
    while (!levels.empty())
        if (!next()) return false;
    return true;
}

bool RenderReader::Work::next() {
    if (out.text.size() > reader.settings_.limit(ACCP_LIMIT_JSON_BYTES))
        return scan.refuse("the value is longer than the limit json_bytes allows");
    Level &level = top();
    switch (level.kind) {
        case Kind::kFields: return next_field(level);
        case Kind::kItems: return next_item(level);
        case Kind::kRows: return next_row(level);
        default: return next_cell(level);
    }
}

// ---- containers

bool RenderReader::Work::open(uint8_t kind, Level level) {
    if (depth == reader.settings_.limit(ACCP_LIMIT_JSON_DEPTH))
        return scan.refuse(scan.at, "arrays and objects are nested deeper than the limit allows", ACCP_E1004);
    ++depth;
    level.node = out.open(kind);
    levels.push(level);
    return true;
}

bool RenderReader::Work::open_fields(bool top) {
    if (!top) scan.take('{');
    Level level = {Kind::kFields};
    level.top = top;
    return open(ACCP_MAP, level);
}

// Ends the innermost level and its container, in which no key may be twice.
bool RenderReader::Work::close() {
    const Level level = top();
    levels.resize_down(levels.size() - 1);
    --depth;
    out.close(level.node, level.count);
    if (level.owner) reader.arena_.rewind(level.mark);
    bool checked = level.kind == Kind::kCells && !level.rest;  // the header's names all differ
    if (checked || level.count < 2 || out.nodes[level.node].kind != ACCP_MAP) return true;
    return all_differ(level.node) || scan.refuse("a key stands here twice");
}

bool RenderReader::Work::all_differ(uint32_t map) {
    TreeView tree = out.view();
    if (tree[map].len > kLinearKeys) {
        const Arena::Mark mark = reader.arena_.mark();
        bool twin = find_equal_key(tree, map, reader.arena_, reader.seed_) != 0;
        reader.arena_.rewind(mark);
        return !twin;
    }
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        std::string_view key = tree.key(i);
        if (has_key(tree, map, i, key.data(), key.size())) return false;
    }
    return true;
}

bool RenderReader::Work::next_field(Level &level) {
    if (level.top ? scan.done() && !level.first : scan.is('}')) {
        if (!level.top) ++scan.at;
        if (!level.rest) return close();
        uint32_t count = level.count;
        levels.resize_down(levels.size() - 1);
        top().count += count;
        return true;
    }
    if (!level.first && !scan.expect(level.broken ? std::string_view("\n ") : " ", "a space before the next field was expected"))
        return false;
    level.first = level.broken = false;
    if (level.top && in_payload && untrusted_from == kNone && level.count && scan.take(kUntrustedMark)) untrusted_from = level.count;
    return field(level);
}

bool RenderReader::Work::field(Level &level) {
    ++level.count;
    if (!field_key(level.top)) return false;
    if (level.top && scan.take(' ')) return line_text();
    return value(level.top ? unsigned{kStopSpace} : kStopSpace | kStopClose, level.top);
}

bool RenderReader::Work::field_key(bool top) {
    reader.scratch_.clear();
    bool is_bare = !scan.is('"');
    if (!scan.key(reader.scratch_) || !scan.expect(":", "a colon was expected")) return false;
    std::string_view key(reader.scratch_.data(), reader.scratch_.size());
    std::string_view full = top && is_bare && abbreviated ? key_of_code(key) : std::string_view();
    out.add_key(full.empty() ? key : full);
    return true;
}

bool RenderReader::Work::line_text() {
    std::string_view text;
    uint32_t begin = mark();
    if (!scan.bare(0, text) || !scan.unescape(text, out.text)) return false;
    out.add_written(ACCP_STRING, 0, begin);
    return true;
}

// ---- arrays: where a bare text comes first, what follows it, a comma or the closing bracket, says whether spaces part items or are in them

bool RenderReader::Work::next_item(Level &level) {
    if (scan.take(']')) return close();
    if (level.first) {
        level.first = false;
        const char *begin = scan.at;
        char c = scan.peek();
        std::string_view text;
        if (c != '"' && c != '[' && c != '{' && c != '(' && c != '$' && !scan.bare(kStopComma | kStopClose, text)) return false;
        level.comma = scan.is(',');
        scan.at = begin;
        return item(level);
    }
    if (level.count == 1 && scan.is(',')) level.comma = true;
    if (!level.comma) return scan.expect(" ", "a space or the closing bracket was expected") && item(level);
    if (!scan.expect(",", "a comma or the closing bracket was expected")) return false;
    scan.take(' ');
    return item(level);
}

bool RenderReader::Work::item(Level &level) {
    ++level.count;
    return value(kStopComma | kStopClose | (level.comma ? 0 : unsigned{kStopSpace}), false);
}

// ---- values

bool RenderReader::Work::value(unsigned stops, bool top) {
    Level items = {Kind::kItems};
    switch (scan.peek()) {
        case '"': return quoted();
        case '$': return ref();
        case '(': return table(top);
        case '{': return open_fields(false);
        case '[': ++scan.at; return open(ACCP_ARRAY, items);
        default: return bare(stops);
    }
}

bool RenderReader::Work::quoted() {
    uint32_t begin = mark();
    if (!scan.quoted(out.text)) return false;
    out.add_written(ACCP_STRING, 0, begin);
    return true;
}

bool RenderReader::Work::ref() {
    const char *begin = ++scan.at;
    while (!scan.done() && (is_word(static_cast<unsigned char>(*scan.at)) || *scan.at == '.')) ++scan.at;
    std::string_view name(begin, static_cast<size_t>(scan.at - begin));
    if (name.size() > kMostKeyBytes || !is_ref(begin, static_cast<uint32_t>(name.size())))
        return scan.refuse(begin, "a ref is labels of letters, digits and _ with a dot between them");
    out.add_scalar(ACCP_REF, 0, name);
    return true;
}

bool RenderReader::Work::bare(unsigned stops) {
    const char *begin = scan.at;
    std::string_view text;
    if (!scan.bare(stops, text)) return false;
    if (text == "-") return scan.refuse(begin, "a - stands for an absent cell only");
    if (text == "true" || text == "false") {
        out.add_scalar(ACCP_BOOL, text == "true" ? ACCP_NODE_TRUE : 0, {});
    } else if (text == "null") {
        out.add_scalar(ACCP_NULL, 0, {});
    } else if (is_literal(text)) {
        out.add_scalar(scan_number(text.data(), text.data() + text.size()).kind, 0, text);
    } else {
        uint32_t start = mark();
        if (!scan.unescape(text, out.text)) return false;
        out.add_written(ACCP_STRING, 0, start);
    }
    return true;
}

Status RenderReader::read(const char *text, size_t len, size_t start, Value &out) {
    out.clear();
    arena_.reset();
    levels_.recycle(kKeptBytes);
    scratch_.recycle(kKeptBytes);
    if (len > settings_.limit(ACCP_LIMIT_JSON_BYTES))
        return fail(ACCP_E1001, settings_.limit(ACCP_LIMIT_JSON_BYTES), "the text is longer than the limit json_bytes allows");
    size_t valid = valid_utf8_prefix(text, len);
    if (valid < len) return fail(ACCP_E1004, valid, "not UTF-8");
    Work work(*this, text, len, start, out);
    return work.record() ? Status{} : work.scan.fault();
}

}  // namespace accp

// render/read_table.cc

// See read.h: tables, row by row along the steps of their header.

namespace accp {

namespace {

constexpr size_t kMostCountDigits = 9;

}  // namespace

bool RenderReader::Work::table(bool top) {
    const Arena::Mark mark = reader.arena_.mark();
    Table *table = read_header(scan, reader.arena_, reader.scratch_, reader.seed_);
    if (!table || !scan.expect("[", "the rows of the table were expected")) return false;
    Level level = {Kind::kRows};
    level.table = table;
    level.owner = true;
    level.mark = mark;
    const char *digits = scan.at;
    while (top && static_cast<size_t>(scan.at - digits) < kMostCountDigits && !scan.done() &&
           is_digit(static_cast<unsigned char>(*scan.at)))
        level.rows = level.rows * 10 + static_cast<uint64_t>(*scan.at++ - '0');
    level.top = scan.at > digits && scan.take("]:") && scan.at_line_end();
    if (!level.top) scan.at = digits;
    set_stops(*table, !level.top);
    return open(table->keyed ? ACCP_MAP : ACCP_ARRAY, level);
}

bool RenderReader::Work::next_row(Level &level) {
    if (level.top) {
        if (level.count < level.rows) return scan.expect("\n", "another row was expected") && row(level);
        if (!close()) return false;
        if (!levels.empty()) top().broken = true;
        return true;
    }
    if (scan.take(']')) return close();
    if (!level.first && !scan.expect(";", "a semicolon or the closing bracket was expected")) return false;
    if (!level.first) scan.take(' ');
    level.first = false;
    return row(level);
}

bool RenderReader::Work::row(Level &level) {
    ++level.count;
    Level cells = {Kind::kCells};
    cells.top = level.top;
    cells.table = level.table;
    cells.end = level.table->count;
    if (level.table->keyed) {
        reader.scratch_.clear();
        if (!scan.key(reader.scratch_) || !scan.expect(level.table->key_gap.view(), "the key of a row and its colon were expected"))
            return false;
        out.add_key({reader.scratch_.data(), reader.scratch_.size()});
    }
    return open(ACCP_MAP, cells);
}

bool RenderReader::Work::at_row_end() const {
    return levels[levels.size() - 1].top ? scan.at_line_end() : scan.done() || scan.is(';') || scan.is(']');
}

bool RenderReader::Work::next_cell(Level &level) {
    if (level.step == level.end) return close();
    const Step &step = level.table->steps[level.step];
    if (!level.first) {
        bool ended = at_row_end();
        if (ended && !step.optional) return scan.refuse("a row with fewer cells than it must have");
        if (!ended && !scan.expect(step.before.view(), "the gap before the next cell was expected, or the end of the row")) return false;
        if (ended) {
            level.step = step.skip;
            return true;
        }
    }
    level.first = false;
    if (step.optional && is_mark(kAbsent, scan.at, scan.end)) {
        ++scan.at;
        level.step = step.skip;
        return true;
    }
    return cell(level, step);
}

bool RenderReader::Work::cell(Level &level, const Step &step) {
    Level inside = {Kind::kCells};
    inside.top = level.top;
    inside.table = level.table;
    inside.step = level.step + 1;
    inside.end = step.skip;
    level.step = step.skip;
    if (step.kind == StepKind::kRest) {
        if (!scan.expect("{", "the other fields, in braces, were expected")) return false;
        level.rest = true;
        inside = {Kind::kFields};
        inside.rest = true;
        levels.push(inside);
        return true;
    }
    ++level.count;
    out.add_key(step.name);
    if (step.kind == StepKind::kCell) return value(step.stops, false);
    bool null = (step.kind == StepKind::kRows || step.optional) && is_mark(kNull, scan.at, scan.end);
    if (null) return bare(kStopSpace | kStopComma | kStopPipe | kStopClose);
    if (step.kind == StepKind::kGroup) return open(ACCP_MAP, inside);
    if (!scan.expect("[", "rows in brackets were expected")) return false;
    inside = {Kind::kRows};
    inside.table = step.table;
    return open(ACCP_ARRAY, inside);
}

uint64_t count_row_lines(std::string_view line) {
    if (line.size() < 4 || line.substr(line.size() - 2) != "]:") return 0;
    size_t digits = line.size() - 2;
    while (digits && is_digit(static_cast<unsigned char>(line[digits - 1]))) --digits;
    if (!digits || line[digits - 1] != '[' || line.size() - 2 - digits > kMostCountDigits) return 0;
    uint64_t rows = 0;
    for (size_t i = digits; i < line.size() - 2; ++i) rows = rows * 10 + static_cast<uint64_t>(line[i] - '0');
    return rows;
}

}  // namespace accp

// render/renderer.cc

// See renderer.h.

// Records as render text and back: a message with its head, or any other value.


// A value as render text (docs/render.md), without recursion: a level for each open bracket.


namespace accp {

// How a value is written.
struct RenderStyle {
    bool untrusted = false;  // one line, every text with spaces in quotes, what cannot be seen escaped
    bool one_line = false;   // no line a row
    bool tables = true;
    bool abbreviate = false;  // the keys of a payload
};

class RenderWriter {
public:
    RenderWriter(Memory &memory, Arena &arena, uint64_t seed) : arena_(arena), seed_(seed), levels_(memory) {}

    // Appends a whole value.
    void value(TreeView tree, uint32_t root, const RenderStyle &style, Buffer<char> &out);
    // Appends the fields of a map as they stand behind the head of a message: `first` is put before the first of them. Nothing for an empty map.
    void fields(TreeView tree, uint32_t map, const RenderStyle &style, std::string_view first, Buffer<char> &out);
    // Appends some of them in the same way, and none as the rest of the line.
    void some(TreeView tree, const uint32_t *nodes, uint32_t count, const RenderStyle &style, Buffer<char> &out);
    // Appends these fields in braces.
    void block(TreeView tree, const uint32_t *nodes, uint32_t count, const RenderStyle &style, Buffer<char> &out);

private:
    enum class Kind : uint8_t { kFields, kItems, kRows };
    struct Level {
        Kind kind;
        bool first = true;
        bool top = false;     // the record's own fields, or a table with a line a row
        bool comma = false;   // between the items of an array
        bool broken = false;  // the last field was such a table: a new line begins
        unsigned char stops = 0;
        uint32_t next = 0, end = 0;      // nodes
        const uint32_t *list = nullptr;  // places in it instead
        uint32_t late = 0;               // the field that is the rest of the line
        const Table *table = nullptr;
        bool owner = false;  // of the table: what it took of the arena is given back at its end
        Arena::Mark mark = {};
        uint32_t step = 0;     // of the row
        uint32_t pending = 0;  // the first step not yet written: absent ones are, once one behind them is
    };

    struct Work;

    Arena &arena_;
    uint64_t seed_;
    Buffer<Level> levels_;
};

}  // namespace accp

namespace accp {

class Renderer {
public:
    Renderer(Memory &memory, const Settings &settings);

    // Appends the text of a value. A map that is a message is written as one; `ignored`: members of it to pass over, each with a NUL behind it.
    void render(TreeView tree, uint32_t root, uint32_t flags, std::string_view ignored, Buffer<char> &out);

    // Replaces `out` by the value of a text. On failure it is empty, and the offset is a byte of the text.
    Status read(const char *text, size_t len, Value &out);

private:
    struct Parts {
        uint32_t agent = 0, intent = 0, operation = 0, payload = 0, meta = 0;
        uint32_t untrusted = 0;  // the member that says so
    };

    bool take_apart(TreeView tree, uint32_t root, std::string_view ignored, Parts &parts);
    bool split(TreeView tree, const Parts &parts);
    bool is_name(TreeView tree, uint32_t node, unsigned char wanted) const;
    size_t write(TreeView tree, uint32_t root, const Parts *parts, const RenderStyle &style, uint32_t flags, Buffer<char> &out);
    void write_split(TreeView tree, RenderStyle style, Buffer<char> &out);
    void write_meta(TreeView tree, uint32_t meta, const RenderStyle &style, bool envelope, Buffer<char> &out);

    const Settings &settings_;
    Arena arena_;
    uint64_t seed_;
    // The members of a payload of which some are untrusted: those that are, and the others.
    struct Fields {
        uint32_t *nodes;
        uint32_t count;
    } untrusted_ = {}, trusted_ = {};
    RenderWriter writer_;
    RenderReader reader_;
    Buffer<char> json_;
};

}  // namespace accp



// A list of names in one text, each with a NUL behind it.


namespace accp {

inline bool has_name(std::string_view list, std::string_view name) {
    for (size_t at = 0; at < list.size();) {
        std::string_view entry(list.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
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

// A value to compact JSON, as it is; and to its hash form.


namespace accp {

// Appends `text`, which has a Buffer's slack behind it, as a JSON string: the shortest escapes, everything above U+001F raw.
void write_json_string(std::string_view text, Buffer<char> &out);

// Writes the escape of a byte that a JSON string cannot hold raw: at most kMostJsonEscape bytes. Returns the end.
constexpr size_t kMostJsonEscape = 6;  // \u001f
char *write_json_escape(unsigned char c, char *to);

// Appends node `root` and all below it: keys in their order, numbers as written, refs as {"$ref":"…"}.
void write_json(TreeView tree, uint32_t root, Buffer<char> &out);

// Appends the hash form (accp_value_hash_form() says what it is). ACCP_E1004 for an exponent beyond kMostExponentDigits.
Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

}  // namespace accp

namespace accp {

namespace {

bool is_envelope_key(std::string_view key) {
    for (const EnvelopeField &field : kEnvelope)
        if (key == field.key) return true;
    return false;
}

// Like a message, and with the mark of one, whatever else it has.
bool is_marked(TreeView tree, uint32_t root) {
    if (tree[root].kind != ACCP_MAP) return false;
    for (std::string_view name : {kUntrustedMember, std::string_view("agent"), std::string_view("intent"), std::string_view("payload")})
        if (!tree.find(root, name)) return false;
    return true;
}

}  // namespace

Renderer::Renderer(Memory &memory, const Settings &settings)
    : settings_(settings),
      arena_(memory),
      seed_(random_seed()),
      writer_(memory, arena_, seed_),
      reader_(memory, arena_, seed_, settings),
      json_(memory) {}

bool Renderer::is_name(TreeView tree, uint32_t node, unsigned char wanted) const {
    std::string_view text = tree.string(node);
    if (tree[node].kind != ACCP_STRING || text.empty() || text.size() > settings_.limit(ACCP_LIMIT_KEY_BYTES)) return false;
    for (char c : text)
        if (!(byte_class(c) & wanted)) return false;
    return true;
}

// Sorts the members of the payload by whether the list of those that are untrusted names them. False where it is no such list.
bool Renderer::split(TreeView tree, const Parts &parts) {
    const Node &list = tree[parts.untrusted];
    if (tree[parts.payload].kind != ACCP_MAP) return false;
    if (list.kind != ACCP_ARRAY || !list.len) return false;
    auto *names = arena_.take<std::string_view>(list.len);
    uint32_t count = 0;
    for (uint32_t i = parts.untrusted + 1; i < list.next; i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING) return false;
        names[count++] = tree.string(i);
    }
    std::sort(names, names + count);
    if (std::adjacent_find(names, names + count) != names + count) return false;
    const Node &payload = tree[parts.payload];
    untrusted_ = {arena_.take<uint32_t>(payload.len + 1), 0};
    trusted_ = {arena_.take<uint32_t>(payload.len + 1), 0};
    for (uint32_t i = parts.payload + 1; i < payload.next; i = tree[i].next) {
        Fields &fields = std::binary_search(names, names + count, tree.key(i)) ? untrusted_ : trusted_;
        fields.nodes[fields.count++] = i;
    }
    return untrusted_.count == count;
}

// A message: the three names, a payload that is a map or a text, perhaps metadata, perhaps what of it is untrusted, and nothing else.
bool Renderer::take_apart(TreeView tree, uint32_t root, std::string_view ignored, Parts &parts) {
    untrusted_ = trusted_ = {};
    arena_.reset();
    if (tree[root].kind != ACCP_MAP) return false;
    for (uint32_t i = root + 1; i < tree[root].next; i = tree[i].next) {
        std::string_view name = tree.key(i);
        if (name == "agent" && is_name(tree, i, kAgentByte)) parts.agent = i;
        else if (name == "intent" && is_name(tree, i, kAlphaByte)) parts.intent = i;
        else if (name == "operation" && is_name(tree, i, kWordByte)) parts.operation = i;
        else if (name == "payload" && (tree[i].kind == ACCP_MAP || tree[i].kind == ACCP_STRING)) parts.payload = i;
        else if (name == "meta" && tree[i].kind == ACCP_MAP) parts.meta = i;
        else if (name == kUntrustedMember) parts.untrusted = i;
        else if (!(name == "meta" && tree[i].kind == ACCP_NULL) && !has_name(ignored, name)) return false;
    }
    if (!(parts.agent && parts.intent && parts.operation && parts.payload)) return false;
    return !parts.untrusted || (tree[parts.untrusted].flags & ACCP_NODE_TRUE) || split(tree, parts);
}

// Fields that are trusted, the mark, and those that are not. All on one line, and none of them the rest of it.
void Renderer::write_split(TreeView tree, RenderStyle style, Buffer<char> &out) {
    style.one_line = true;
    if (trusted_.count) {
        out.push(' ');
        writer_.some(tree, trusted_.nodes, trusted_.count, style, out);
    }
    out.push(' ');
    out.append(kUntrustedMark.data(), kUntrustedMark.size());
    style.untrusted = true;
    writer_.some(tree, untrusted_.nodes, untrusted_.count, style, out);
}

void Renderer::write_meta(TreeView tree, uint32_t meta, const RenderStyle &style, bool envelope, Buffer<char> &out) {
    auto *nodes = arena_.take<uint32_t>(tree[meta].len + 1);
    uint32_t count = 0;
    for (uint32_t i = meta + 1; i < tree[meta].next; i = tree[i].next)
        if (envelope || !is_envelope_key(tree.key(i))) nodes[count++] = i;
    if (!count) return;
    out.push(' ');
    writer_.block(tree, nodes, count, style, out);
}

// Answers where the root, or the payload, begins in what it appends.
size_t Renderer::write(TreeView tree, uint32_t root, const Parts *parts, const RenderStyle &style, uint32_t flags, Buffer<char> &out) {
    const bool says_so = parts && parts->untrusted && !untrusted_.count;
    const std::string_view mark = says_so ? kUntrustedMessage : style.untrusted ? kUntrustedMark : std::string_view();
    out.append(mark.data(), mark.size());
    size_t body = out.size();
    if (!parts) {
        writer_.value(tree, root, style, out);
        return body;
    }
    auto put = [&](char before, uint32_t node) {
        out.push(before);
        out.append(tree.string(node).data(), tree.string(node).size());
    };
    put('@', parts->agent);
    put(' ', parts->intent);
    put(':', parts->operation);
    if (parts->meta) write_meta(tree, parts->meta, style, (flags & ACCP_RENDER_ENVELOPE) != 0, out);
    body = out.size();
    if (tree[parts->payload].kind == ACCP_MAP) {
        if (untrusted_.count) write_split(tree, style, out);
        else writer_.fields(tree, parts->payload, style, " ", out);
        return body;
    }
    out.push(' ');
    writer_.value(tree, parts->payload, style, out);
    return body;
}

// Never longer than compact JSON: where tables make it so, they are left out, and without them no part is.
void Renderer::render(TreeView tree, uint32_t root, uint32_t flags, std::string_view ignored, Buffer<char> &out) {
    Parts parts;
    const Parts *message = take_apart(tree, root, ignored, parts) ? &parts : nullptr;
    RenderStyle style;
    // One that cannot be written as a message, or whose mark says nothing that can be understood, is data as a whole.
    style.untrusted = (flags & ACCP_RENDER_UNTRUSTED) != 0 || (is_marked(tree, root) && !(message && untrusted_.count));
    style.one_line = style.untrusted || (flags & ACCP_RENDER_ONE_LINE) != 0;
    style.abbreviate = message && settings_.abbreviate;
    size_t start = out.size();
    size_t body = write(tree, root, message, style, flags, out);
    json_.recycle(kKeptBytes);
    write_json(tree, message ? parts.payload : root, json_);
    if (out.size() - body <= json_.size()) return;
    out.resize_down(start);
    style.tables = false;
    write(tree, root, message, style, flags, out);
}

Status Renderer::read(const char *text, size_t len, Value &out) {
    std::string_view mark(text, len < kUntrustedMark.size() ? len : kUntrustedMark.size());
    Status status = reader_.read(text, len, mark == kUntrustedMark ? mark.size() : 0, out);
    if (status.failed()) out.clear();
    return status;
}

}  // namespace accp

// render/scan.cc

// See scan.h.


// The text of one JSON string, its escapes taken out.


namespace accp {

struct StringCopy {
    char *written;      // where the copy ends
    const char *fault;  // the escape that is none, or the lone surrogate; nullptr when all is well
};

// Copies from behind the opening quote to the closing one, which must be there. `to` needs room for the string and 16 bytes more.
StringCopy copy_json_string(const char *from, const char *end, char *to);

// Copies the escape at `from`, which is a backslash, and moves both on; false when it is none. `to` needs room for 4 bytes.
bool copy_json_escape(const char *&from, const char *end, char *&to);

// The failure for such a fault: an escape that is none is no JSON, a lone surrogate is JSON that no UTF-8 can carry.
Status json_string_fault(const char *fault, const char *text);

}  // namespace accp

namespace accp {

bool Scanner::quoted(Buffer<char> &out) {
    const char *begin = at + 1, *p = begin;
    while (p < end && *p != '"' && static_cast<unsigned char>(*p) >= 0x20) p += *p == '\\' && end - p > 1 ? 2 : 1;
    if (p >= end || *p != '"') return refuse(p < end ? p : end, "a string without its closing quote");
    StringCopy copy = copy_json_string(begin, end, out.room(static_cast<size_t>(p - begin) + 16));
    if (copy.fault) {
        fault_ = json_string_fault(copy.fault, text_);
        return false;
    }
    out.set_end(copy.written);
    at = p + 1;
    return true;
}

bool Scanner::bare(unsigned stops, std::string_view &out) {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & stops) && static_cast<unsigned char>(*at) >= 0x20) ++at;
    out = {begin, static_cast<size_t>(at - begin)};
    return !out.empty() || refuse("a value was expected");
}

bool Scanner::unescape(std::string_view bare, Buffer<char> &out) {
    const char *from = bare.data(), *last = from + bare.size();
    char *to = out.room(bare.size() + 4);
    while (from < last) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *escape = from;
        if (copy_json_escape(from, last, to)) continue;
        return refuse(escape, "not an escape");
    }
    out.set_end(to);
    return true;
}

std::string_view Scanner::bare_key() {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & kNoKeyByte)) ++at;
    return {begin, static_cast<size_t>(at - begin)};
}

bool Scanner::key(Buffer<char> &out) {
    const char *begin = at;
    size_t start = out.size();
    if (is('"')) {
        if (!quoted(out)) return false;
    } else {
        std::string_view word = bare_key();
        if (word.empty()) return refuse("a key was expected");
        out.append(word.data(), word.size());
    }
    if (out.size() - start > kMostKeyBytes) return refuse(begin, "a key of more than 65,535 bytes", ACCP_E1004);
    return true;
}

}  // namespace accp

// render/write.cc

// See write.h: records, objects, lists and scalars.

// One call of RenderWriter: objects and lists are in write.cc, tables in write_table.cc.


namespace accp {

// One call. Every function either writes something, or opens or closes a level.
struct RenderWriter::Work {
    Work(RenderWriter &writer, TreeView tree, const RenderStyle &style, Buffer<char> &out)
        : tree(tree),
          style(style),
          arena(writer.arena_),
          to(out),
          finder(tree, writer.arena_, writer.seed_),
          layout(tree, writer.arena_),
          levels(writer.levels_) {
        to.untrusted = style.untrusted;
        levels.recycle(kKeptBytes);
    }

    void run() {
        while (!levels.empty()) {
            Level &level = levels[levels.size() - 1];
            if (level.kind == Kind::kFields) next_field(level);
            else if (level.kind == Kind::kItems) next_item(level);
            else if (level.step < level.table->count) next_cell(level);
            else next_row(level);
        }
    }

    void root(uint32_t node);
    void body(uint32_t map);
    void open_list(const uint32_t *nodes, uint32_t begin, uint32_t end, bool top = false);

private:
    void value(uint32_t node, unsigned stops, bool top);
    uint32_t find_late(uint32_t map) const;
    void container(uint32_t node, bool top);
    Level &open_table(uint32_t node, const Table *table, bool top);
    bool open_as_table(uint32_t node, bool top);
    void open_items(uint32_t node);
    void open_fields(uint32_t node, bool top, uint32_t late);
    bool all_simple(uint32_t array) const;
    void next_field(Level &level);
    void write_key(uint32_t node, bool top);
    void next_item(Level &level);
    void next_row(Level &level);
    void next_cell(Level &level);
    void write_pending(Level &level);
    void open_rest(Column &column, uint32_t row_end);
    void late_or_close(Level &level);
    void pop() { levels.resize_down(levels.size() - 1); }

    TreeView tree;
    const RenderStyle &style;
    Arena &arena;
    TextWriter to;
    ShapeFinder finder;
    TableLayout layout;
    Buffer<Level> &levels;
};

}  // namespace accp

namespace accp {

namespace {

// {"$ref":"warm.key"}, as JSON says a ref.
bool is_json_ref(TreeView tree, uint32_t map) {
    if (tree[map].len != 1 || tree[map + 1].kind != ACCP_STRING || tree.key(map + 1) != "$ref") return false;
    return tree[map + 1].len <= kMostKeyBytes && is_ref(tree.string(map + 1).data(), tree[map + 1].len);
}

}  // namespace

void RenderWriter::Work::value(uint32_t node, unsigned stops, bool top) {
    switch (tree[node].kind) {
        case ACCP_STRING: return to.string(tree.string(node), stops);
        case ACCP_NULL: return to.put("null");
        case ACCP_BOOL: return to.put(tree[node].flags & ACCP_NODE_TRUE ? "true" : "false");
        case ACCP_REF: to.put('$'); return to.put(tree.string(node));
        case ACCP_MAP:
        case ACCP_ARRAY: return container(node, top);
        default: return to.put(tree.string(node));
    }
}

void RenderWriter::Work::container(uint32_t node, bool top) {
    if (tree[node].kind == ACCP_MAP && is_json_ref(tree, node)) {
        to.put('$');
        return to.put(tree.string(node + 1));
    }
    if (style.tables && open_as_table(node, top)) return;
    tree[node].kind == ACCP_MAP ? open_fields(node, false, 0) : open_items(node);
}

// Nothing but scalars that no space need fence.
bool RenderWriter::Work::all_simple(uint32_t array) const {
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next) {
        if (is_container(tree[i].kind)) return false;
        if (tree[i].kind == ACCP_STRING && !to.is_bare(tree.string(i), kStopSpace | kStopComma | kStopClose)) return false;
    }
    return true;
}

void RenderWriter::Work::open_items(uint32_t node) {
    to.put('[');
    Level level = {Kind::kItems};
    level.comma = !all_simple(node);
    level.stops = static_cast<unsigned char>(kStopComma | kStopClose | (level.comma && tree[node].len > 1 ? 0 : kStopSpace));
    level.next = node + 1;
    level.end = tree[node].next;
    levels.push(level);
}

void RenderWriter::Work::open_fields(uint32_t node, bool top, uint32_t late) {
    if (!top) to.put('{');
    Level level = {Kind::kFields};
    level.top = top;
    level.stops = static_cast<unsigned char>(top ? kStopSpace : kStopSpace | kStopClose);
    level.next = node + 1;
    level.end = tree[node].next;
    level.late = late;
    levels.push(level);
}

// At the root a string is always in quotes: a bare word there begins a field.
void RenderWriter::Work::root(uint32_t node) {
    const Node &at = tree[node];
    if (at.kind == ACCP_STRING) to.quoted(tree.string(node));
    else if (at.kind == ACCP_MAP && at.len && !is_json_ref(tree, node)) body(node);
    else value(node, 0, true);
}

void RenderWriter::Work::body(uint32_t map) {
    if (style.tables && open_as_table(map, true)) return;
    open_fields(map, true, style.untrusted ? 0 : find_late(map));
}

// The longest of the texts that would need quotes, the last of equals.
uint32_t RenderWriter::Work::find_late(uint32_t map) const {
    uint32_t late = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING || (late && tree[i].len < tree[late].len)) continue;
        std::string_view text = tree.string(i);
        if (!is_bare_text(text, kStopSpace) && !is_literal(text) && is_line_text(text)) late = i;
    }
    return late;
}

void RenderWriter::Work::late_or_close(Level &level) {
    if (!level.late) {
        if (!level.top) to.put('}');
        return pop();
    }
    if (!level.first) to.put(level.broken ? std::string_view("\n ") : " ");
    write_key(level.late, true);
    to.put(' ');
    to.bare(tree.string(level.late));
    level.late = 0;
}

void RenderWriter::Work::write_key(uint32_t node, bool top) {
    std::string_view key = tree.key(node);
    if (top && style.abbreviate && !key_of_code(key).empty()) to.quoted(key);
    else if (std::string_view code = top && style.abbreviate ? code_of_key(key) : std::string_view(); !code.empty()) to.put(code);
    else to.key(key);
    to.put(':');
}

void RenderWriter::Work::next_field(Level &level) {
    if (level.next == level.end) return late_or_close(level);
    uint32_t node = level.list ? level.list[level.next] : level.next;
    level.next = level.list ? level.next + 1 : tree[node].next;
    if (node == level.late) return;
    if (!level.first) to.put(level.broken ? std::string_view("\n ") : " ");
    level.first = level.broken = false;
    write_key(node, level.top);
    value(node, level.stops, level.top);
}

void RenderWriter::Work::next_item(Level &level) {
    if (level.next == level.end) {
        to.put(']');
        return pop();
    }
    uint32_t node = level.next;
    level.next = tree[node].next;
    if (!level.first) {
        if (level.comma) to.put(',');
        std::string_view text = tree.string(node);
        if (!level.comma || (tree[node].kind == ACCP_STRING && to.is_bare(text, level.stops) && is_letter(text[0]))) to.put(' ');
    }
    level.first = false;
    value(node, level.stops, false);
}

void RenderWriter::Work::open_list(const uint32_t *nodes, uint32_t begin, uint32_t end, bool top) {
    if (!top) to.put('{');
    Level level = {Kind::kFields};
    level.top = top;
    level.stops = static_cast<unsigned char>(top ? kStopSpace : kStopSpace | kStopClose);
    level.list = nodes;
    level.next = begin;
    level.end = end;
    levels.push(level);
}

void RenderWriter::value(TreeView tree, uint32_t root, const RenderStyle &style, Buffer<char> &out) {
    Work work(*this, tree, style, out);
    work.root(root);
    work.run();
}

void RenderWriter::fields(TreeView tree, uint32_t map, const RenderStyle &style, std::string_view first, Buffer<char> &out) {
    if (!tree[map].len) return;
    out.append(first.data(), first.size());
    Work work(*this, tree, style, out);
    work.body(map);
    work.run();
}

void RenderWriter::some(TreeView tree, const uint32_t *nodes, uint32_t count, const RenderStyle &style, Buffer<char> &out) {
    Work work(*this, tree, style, out);
    work.open_list(nodes, 0, count, true);
    work.run();
}

void RenderWriter::block(TreeView tree, const uint32_t *nodes, uint32_t count, const RenderStyle &style, Buffer<char> &out) {
    Work work(*this, tree, style, out);
    work.open_list(nodes, 0, count);
    work.run();
}

}  // namespace accp

// render/write_table.cc

// See write.h: tables, row by row along the steps of their layout.


namespace accp {

namespace {

constexpr uint32_t kLeastLines = 4;  // a table of so many rows takes a line a row, where it may

}  // namespace

bool RenderWriter::Work::open_as_table(uint32_t node, bool top) {
    const Arena::Mark mark = arena.mark();
    const Shape *shape = finder.find(node);
    if (!shape) {
        arena.rewind(mark);
        return false;
    }
    bool lines = top && !style.one_line && tree[node].len >= kLeastLines;
    Table *table = layout.lay_out(*shape, tree[node].kind == ACCP_MAP, node, !lines);
    write_header(*table, to);
    to.put('[');
    if (lines) {
        char digits[16];
        const char *end = std::to_chars(digits, digits + sizeof digits, tree[node].len).ptr;
        to.put({digits, static_cast<size_t>(end - digits)});
        to.put("]:");
    }
    Level &level = open_table(node, table, lines);
    level.owner = true;
    level.mark = mark;
    return true;
}

RenderWriter::Level &RenderWriter::Work::open_table(uint32_t node, const Table *table, bool top) {
    Level level = {Kind::kRows};
    level.top = top;
    level.next = node + 1;
    level.end = tree[node].next;
    level.table = table;
    level.step = table->count;
    levels.push(level);
    return levels[levels.size() - 1];
}

// Level.next is the row to be written next, and while it is being written the one behind it.
void RenderWriter::Work::next_row(Level &level) {
    if (level.next == level.end) {
        bool lines = level.top;
        if (!lines) to.put(']');
        if (level.owner) arena.rewind(level.mark);
        pop();
        if (lines && !levels.empty()) levels[levels.size() - 1].broken = true;
        return;
    }
    if (level.top) to.put('\n');
    else if (!level.first) to.put(level.table->spaced ? std::string_view("; ") : ";");
    level.first = false;
    if (level.table->keyed) {
        to.key(tree.key(level.next));
        to.put(level.table->key_gap.view());
    }
    level.next = tree[level.next].next;
    level.step = level.pending = 0;
}

void RenderWriter::Work::write_pending(Level &level) {
    for (; level.pending < level.step; level.pending = level.table->steps[level.pending].skip) {
        to.put(level.table->steps[level.pending].before.view());
        to.put('-');
    }
}

void RenderWriter::Work::next_cell(Level &level) {
    const Step &step = level.table->steps[level.step];
    Column &column = *step.column;
    if (column.next == column.count || column.nodes[column.next] >= level.next) {
        level.step = step.skip;
        return;
    }
    write_pending(level);
    uint32_t row_end = level.next, node = column.nodes[column.next];
    bool whole = step.kind != StepKind::kGroup || tree[node].kind == ACCP_NULL;
    level.pending = level.step = whole ? step.skip : level.step + 1;
    if (step.kind != StepKind::kRest) ++column.next;
    if (!whole) return;
    to.put(step.before.view());
    if (step.kind == StepKind::kRest) return open_rest(column, row_end);
    if (step.kind == StepKind::kCell || tree[node].kind == ACCP_NULL) return value(node, step.stops, false);
    to.put('[');
    open_table(node, step.table, false);
}

void RenderWriter::Work::open_rest(Column &column, uint32_t row_end) {
    uint32_t begin = column.next;
    while (column.next < column.count && column.nodes[column.next] < row_end) ++column.next;
    open_list(column.nodes, begin, column.next);
}

}  // namespace accp

// registry/negotiate.cc

// See negotiate.h: what comes in, and what follows from it. negotiate_send.cc has what goes out.

// Two agents come to one registry and one set of extensions, or find that they cannot. Spec 6.4; docs/registry.md has the frames.
//
// A pure state machine: frames come in by receive(), time by timeout(), frames go out by next(). Each side runs one. No session, no clock, no
// store; it survives loss, repetition, reordering and damage, and while it is open neither side may send anything else.
//
//   hello   v:3|hash:a7f2c1|p:1|x:[q1,t1,m1]|tok:o200k_base|h:<32 hex>       who I am: every side sends it
//   get     get:<32 hex>                                                  the hashes differ, and I do not have your registry
//   chunk   idx:0|tot:2|base:<32 hex or 0>|h:<32 hex>|d:<text>            a piece of the delta that makes `base` into mine; the last has done:true
//   ok      ok:<32 hex>                                                   I have the union of both, and this is its hash
//   no      no:E1003                                                      there is no union; with end:true: I do not go on at all
//
// Equal hashes end it with the hellos. Otherwise each side needs the other's registry: one that it kept from before (know()), or the delta, which is
// sent once and verified against the hash of the hello. Both then make the same union, say so by its hash, and it is in force once the other has said
// the same. Where there is no union (E1003) both go on without a registry. A peer that names no `h` gets the bare specification: its six
// digits decide nothing.
//
// Every frame ends with `c`, eight digits of the SHA-256 of what stands before it: a damaged frame is dropped, not believed. That is no protection from
// someone who writes frames of his own; that is the transport's. again:1 marks what timeout() sends anew, which the other side answers anew.


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

// A registry that several hold at once: sessions, codecs, a negotiation and the caller, on any thread. Constant but for the count of its owners.



// Making and ending a handle of the C face: an object that lives in memory of the allocator that its options name.



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

// What two agents have agreed to know: schemas, the keys and operations of their own, and the name (a hash) of all of it. Spec 4, 6, 10.
//
// A registry is made once, by load(), and is constant from then on: any number of threads may ask it without a lock. A change is a new registry.
// Nothing below load() allocates, and every lookup is a hash of a short text or a scan of one short array, so that the codec may ask for each
// message. What it asks, in the order of specification 7.2 and 7.3:
//
//   find_intent(intent)               -1 is E1002                                                    (ontology.h)
//   by_code(code)                     the schema that a message names; nullptr is E1003
//   bound(intent, operation)          the one schema bound to both, where a message names none
//   schema->is_bound(intent, op)      may it be sent by position (p1)?
//   write_key(schema, key)            a key of the payload on its way out: what to write, its field, whether it must be escaped
//   read_key(schema, wire)            a key on its way in: what it stands for, and its field
//   schema->fields[place]             a value by its position; fields[place].default_json to fill it in
//   is_default(schema, field, …)      may this value be left out?                                    (schema.h)
//   fits(field.type, kind)            else E1004                                                     (ontology.h)
//
// Keys under a schema. A field is written by its alias, else by its abbreviation, else as it is, and read by either name. The schema comes first:
// an abbreviation which is also a field or an alias of the schema in hand means that there, and the general one is not in force. What then
// would be read as something else is escaped (`__`, the key rule of q1). So write_key() and read_key() are one to one under every schema.
// What they hand back is the key before the rest of q1's key rule (word characters, a leading `__`), which is the caller's (frame/key.h); and where
// p1 is in force a key that is some schema's code (by_code()) must be escaped too.
//
// Profiles (spec 10) are additive: each active one brings its schema, unless the document has one of that code or name. The error schema ER is
// always there. The hash covers all of it, as it is in force: two registries of one hash mean the same, whatever they were made of.


// SHA-256, as hexadecimal text: what names content that must be the same on both sides.


namespace accp {

struct Digest {
    char hex[65];  // lower case, and a NUL

    std::string_view view() const { return {hex, sizeof hex - 1}; }
    std::string_view first(size_t digits) const { return {hex, digits}; }
};

Digest sha256(std::string_view text);

}  // namespace accp

// From a name to a place in some array, in one or two steps whatever the names are: open addressing under a seed that a peer does not know.



namespace accp {

class NameIndex {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    explicit NameIndex(Memory &memory) : slots_(memory), seed_(random_seed()) {}

    // Room for `count` names; forgets the old ones.
    void reset(size_t count) {
        size_t slots = 8;
        while (slots < 2 * count + 1) slots *= 2;
        slots_.clear();
        std::memset(slots_.room(slots), 0xFF, slots * sizeof(uint32_t));
        slots_.advance(slots);
    }

    // The place that is_it(place) accepts among those under this name and this salt (which tells equal names in different rooms apart), or kNone.
    template <class IsIt>
    uint32_t find(std::string_view name, uint64_t salt, IsIt is_it) const {
        for (uint64_t at = hash(name, salt);; ++at) {
            uint32_t place = slots_[at & (slots_.size() - 1)];
            if (place == kNone || is_it(place)) return place;
        }
    }

    void add(std::string_view name, uint64_t salt, uint32_t place) {
        uint64_t at = hash(name, salt);
        while (slots_[at & (slots_.size() - 1)] != kNone) ++at;
        slots_[at & (slots_.size() - 1)] = place;
    }

private:
    uint64_t hash(std::string_view name, uint64_t salt) const {
        return seeded_hash(name.data(), name.size(), seed_ + salt * 0x9E3779B97F4A7C15);
    }

    Buffer<uint32_t> slots_;
    uint64_t seed_;
};

}  // namespace accp

// A schema as lookups see it: plain data over the text of the document that it was read from, constant once its registry is loaded.


// What every agent knows before it has met another: intents, core operations, the abbreviations of keys, and the types of fields. Tables only;
// what a registry adds to them is registry.h's.


namespace accp {

constexpr int kIntentCount = 12;
constexpr int kCoreOperationCount = 19;  // of kOperationCount, the first
constexpr int kOperationCount = 27;
constexpr int kAbbreviationCount = 16;

// The number of an intent (intents.def), or -1: E1002. Twelve comparisons of one word.
int find_intent(std::string_view code);
std::string_view intent_code(int intent);  // 0 <= intent < kIntentCount

// The number of an operation of ops.def, or -1.
int find_operation(std::string_view name);
std::string_view operation_name(int operation);

// The abbreviation of a key, and the key of an abbreviation (keys.def); empty where there is none.
std::string_view find_abbreviation(std::string_view key);
std::string_view find_abbreviated(std::string_view code);

// The types that a schema may give a field (A50). A field of no stated type takes any value. A ref has the type of what it names: it is
// asked about again when it is resolved. Null is the absence of a value, and stands for every type.
enum class FieldType : uint8_t { kAny, kString, kInteger, kDecimal, kNumber, kBoolean, kArray, kObject };

// The type of that name ("integer"), or false.
bool find_type(std::string_view name, FieldType &out);
std::string_view type_name(FieldType type);

// May a value of this kind (accp_kind) stand in a field of this type? kDecimal takes integers too, and neither quotes nor exponents: what it
// holds is exact digits (A7, A10).
bool fits(FieldType type, uint8_t kind);

}  // namespace accp

namespace accp {

// Fields of a schema lie one after another, in the order of the document: the order of p1.
struct Field {
    std::string_view name;          // as a message has it
    std::string_view wire;          // as a frame has it: the schema's alias, else the abbreviation in force, else the name itself
    std::string_view default_json;  // compact JSON, ready to be written; empty where there is no default
    uint32_t default_node;          // the same as a node of Schema::tree; 0 where there is none
    FieldType type;
    bool required;

    bool has_default() const { return default_node != 0; }
};

// That a schema goes with an intent (-1: with every one) and an operation.
struct Binding {
    std::string_view operation;
    int32_t intent;
};

struct Schema {
    std::string_view name, code;
    int64_t version;
    const Field *fields;
    const Binding *bindings;
    uint32_t field_count, binding_count;
    uint32_t place;  // among the registry's schemas
    uint32_t node;   // its object in tree
    TreeView tree;   // of the document it stands in
    bool built_in;   // it comes with a profile, not from the document

    // A scan of a few bindings.
    bool is_bound(int intent, std::string_view operation) const {
        for (uint32_t i = 0; i < binding_count; ++i)
            if ((bindings[i].intent == intent || bindings[i].intent < 0) && bindings[i].operation == operation) return true;
        return false;
    }
};

// Is this value, as it stands, the field's default? Numbers are compared as they are written and maps in their order, so that what a peer fills
// in is the very text that was left out. A scan of two flat trees; no recursion.
bool is_default(const Schema &schema, const Field &field, TreeView tree, uint32_t node);

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

// A key on its way in or out. text: what to write, or what it stands for: the caller's own key, or one with a Buffer's slack behind it. escape (write_key only): the text must take the `__` form of q1.
struct KeyForm {
    std::string_view text;
    const Field *field;  // nullptr: none of the schema
    bool escape;
};

class Registry {
public:
    explicit Registry(Memory &memory);

    // Reads the document (spec 6.2; docs/registry.md), or none where text is empty, and takes in the built-in schemas of the profiles (bits of
    // accp_profile). To be called once; after a failure the registry is only good to be thrown away. E1001: not JSON, a key twice, or over a
    // limit. E1002: a binding to an unknown intent. E1004: a member of the wrong kind, names that clash. The offset is a byte of the text.
    Status load(std::string_view text, uint32_t profiles, const JsonLimits &limits);

    std::string_view source() const { return {source_.data(), source_.size()}; }           // the document, byte for byte
    std::string_view canonical() const { return {canonical_.data(), canonical_.size()}; }  // the hash form of all that is in force
    const Digest &hash() const { return hash_; }                                           // of that
    int64_t version() const { return version_; }                                           // the document's "version", else 0

    const Schema *schemas() const { return schemas_.data(); }
    uint32_t schema_count() const { return static_cast<uint32_t>(schemas_.size()); }
    const Schema *by_code(std::string_view code) const;
    const Schema *by_name(std::string_view name) const;
    // The schema bound to both; one bound to the operation under every intent only where there is none. nullptr where two would do.
    const Schema *bound(int intent, std::string_view operation) const;

    KeyForm write_key(const Schema *schema, std::string_view key) const;
    KeyForm read_key(const Schema *schema, std::string_view wire) const;
    const Field *field_by_name(const Schema &schema, std::string_view name) const;
    const Field *field_by_wire(const Schema &schema, std::string_view wire) const;

    // Abbreviations in force for every schema: those of the specification and the document's own "aliases". Empty where there is none.
    std::string_view short_key(std::string_view key) const;
    std::string_view full_key(std::string_view code) const;

    // Is this one of the operations that everybody knows, or one of the document's own? The vocabulary is open: an unknown one is no error (A34).
    bool knows_operation(std::string_view name) const;

    // The document's own, for writing it anew (document.h).
    TreeView document() const { return doc_.view(); }

private:
    friend class Loader;
    struct Alias {
        std::string_view code, key;
    };
    struct Route {
        std::string_view operation;
        int32_t intent;
        uint32_t schema;  // kAmbiguous: more than one
    };
    static constexpr uint32_t kAmbiguous = UINT32_MAX;
    static constexpr uint32_t kLinearFields = 16;  // up to here a scan is faster than a hash

    const Route *route(int intent, std::string_view operation) const;
    template <class NameOf>
    const Field *find_field(const Schema &schema, std::string_view name, const NameIndex &index, NameOf name_of) const;
    void seal();

    Memory &memory_;
    Buffer<char> source_, canonical_, default_text_;
    Value doc_, built_in_;
    Buffer<Schema> schemas_;
    Buffer<Field> fields_;
    Buffer<Binding> bindings_;
    Buffer<std::string_view> operations_;  // the document's own
    Buffer<Alias> aliases_;
    Buffer<Route> routes_;
    NameIndex codes_, names_, field_names_, field_wires_, operation_index_, alias_codes_, alias_keys_, route_index_;
    int64_t version_ = 0;
    Digest hash_ = {};
};

}  // namespace accp

struct accp_registry {
    explicit accp_registry(const accp::Settings &from)
        : settings(from), memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)), registry(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::Registry registry;
    uint32_t profiles = 0;  // that were asked for
    std::atomic<uint32_t> owners{1};
};

namespace accp {

// One owner. Moves, and shares by copying.
class RegistryRef {
public:
    RegistryRef() = default;
    explicit RegistryRef(accp_registry *owned) : held_(owned) {}
    RegistryRef(const RegistryRef &other) : held_(share(other.held_)) {}
    RegistryRef &operator=(RegistryRef other) {
        accp_registry *mine = held_;
        held_ = other.held_;
        other.held_ = mine;
        return *this;
    }
    ~RegistryRef() { drop(held_); }

    static accp_registry *share(accp_registry *held) {
        if (held) held->owners.fetch_add(1, std::memory_order_relaxed);
        return held;
    }
    static void drop(accp_registry *held) {
        if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) end_handle(held);
    }

    accp_registry *get() const { return held_; }
    accp_registry *release() {
        accp_registry *held = held_;
        held_ = nullptr;
        return held;
    }
    const Registry &operator*() const { return held_->registry; }
    const Registry *operator->() const { return &held_->registry; }
    explicit operator bool() const { return held_ != nullptr; }

private:
    accp_registry *held_ = nullptr;
};

// A registry of that document and those profiles; `out` only changes on success.
Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text, RegistryRef &out);

}  // namespace accp

namespace accp {

class Negotiation {
public:
    enum class State : int32_t { kOpen, kAgreed, kBare, kRefused };

    Negotiation(Memory &memory, const Settings &settings);

    // agent as the header has it; extensions: bits of accp_extension. To be called first.
    void begin(const RegistryRef &own, std::string_view agent, uint32_t extensions);
    // What the session beside it can do, as bits of accp_feature. A peer that does not know one passes over its name.
    void set_features(uint32_t features) { features_ = features; }
    void set_tokenizer(std::string_view name) { assign(tokenizer_, name); }
    void set_chunk_bytes(uint32_t bytes) { chunk_bytes_ = bytes; }
    // A registry kept from an earlier session.
    void know(const RegistryRef &registry);

    // A frame sync:registry, parsed. A failure says why the frame was not believed; it changes nothing but may end the negotiation (state()).
    Status receive(TreeView frame);

    // Appends the next frame to be sent, without metadata; false when there is none for now.
    bool next(Buffer<char> &out);

    // Nothing came for as long as the caller cares to wait: what is still wanted is sent anew, or given up after kNegotiationTries.
    void timeout();

    State state() const { return state_; }
    accp_status reason() const { return reason_; }         // why it was refused, or is bare
    uint32_t extensions() const;                           // in force; none while open or refused
    uint32_t features() const;                             // that both named, once it is over
    const RegistryRef &agreed() const { return agreed_; }  // only good when kAgreed
    const RegistryRef &peers() const { return peers_; }
    std::string_view peer_tokenizer() const { return {peer_tokenizer_.data(), peer_tokenizer_.size()}; }

private:
    static constexpr size_t kHashDigits = 32, kSumDigits = 8;

    Status hello(TreeView frame, uint32_t node);
    Status get(TreeView frame, uint32_t node);
    Status chunk(TreeView frame, uint32_t node);
    Status ok(TreeView frame, uint32_t node);
    Status no(TreeView frame, uint32_t node);
    Status first_hello(TreeView frame, std::string_view hash);
    Status keep(std::string_view wire, bool escaped, uint32_t index);
    Status take_delta();
    Status go_on();
    Status unite();
    void end(State state, accp_status reason, bool say);
    bool is_damaged(TreeView frame) const;

    Status prepare_delta();
    size_t chunk_end(size_t begin) const;
    void write_hello(Buffer<char> &out) const;
    void write_chunk(size_t end, Buffer<char> &out) const;
    template <class Body>
    bool frame(Buffer<char> &out, bool &due, Body body);
    std::string_view own_hash() const { return own_->hash().first(kHashDigits); }
    std::string_view peer_hash() const { return {peer_hash_.data(), peer_hash_.size()}; }
    static void assign(Buffer<char> &to, std::string_view text) {
        to.clear();
        to.append(text.data(), text.size());
    }

    Memory &memory_;
    const Settings &settings_;
    RegistryRef own_, peers_, agreed_, known_[8];
    uint32_t known_count_ = 0;
    Buffer<char> agent_, tokenizer_, peer_tokenizer_, peer_hash_, peer_ok_;
    uint32_t extensions_ = 0, peer_extensions_ = 0, features_ = 0, peer_features_ = 0;
    State state_ = State::kOpen;
    accp_status reason_ = ACCP_OK;
    bool met_ = false;       // the peer's hello is here
    bool no_union_ = false;  // the peer found so; its hello may be on its way still
    bool asked_ = false;     // for the peer's registry
    bool ready_ = false;     // the union is made: agreed_, and in force once the peer has said the same
    bool due_hello_ = true, due_get_ = false, due_ok_ = false, due_no_ = false, again_ = false;
    uint32_t tries_ = 0, deltas_sent_ = 0;
    // The delta on its way out.
    Buffer<char> delta_;
    bool delta_based_ = false, sending_ = false;
    uint32_t chunk_bytes_ = 200, chunk_index_ = 0, chunk_total_ = 0;
    size_t chunk_begin_ = 0;
    // The delta on its way in.
    struct Piece {
        uint32_t index, len;
        size_t offset;
    };
    Buffer<Piece> pieces_;
    Buffer<uint64_t> seen_;  // a bit for each index
    Buffer<char> piece_text_;
    uint32_t total_ = 0;
    bool based_ = false;
    Arena arena_;
    JsonReader reader_;
};

}  // namespace accp



// Registries as documents: all that is in force as one text, what one has and another lacks, and the union of two. Every result is a document that
// Registry::load() takes without profiles: built-in schemas that are in force stand in it.


namespace accp {

// Appends everything in force, as JSON: the document's members, and among its schemas the built-in ones.
void write_effective(const Registry &registry, Buffer<char> &out);

// Appends what makes `from` (nullptr: nothing at all) into `to`: {"add":{a document: what is new or other, and every member beside the schemas},
// "del":[names of schemas that are gone]}.
Status write_delta(const Registry *from, const Registry &to, Arena &arena, Buffer<char> &out);

// Appends the document that such a delta makes of `from`. E1004 where it is none. What comes out is a peer's word until its hash is compared.
Status apply_delta(const Registry *from, TreeView delta, Buffer<char> &out);

// Appends the union, the same from both sides: of two versions of a schema the higher one; other members where they are equal or only one side
// has them, "operations" and "aliases" as unions. E1003 where two schemas share a code or a name and not the other, or a version and not the
// content: there is no union, and neither side may guess.
Status write_union(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out);

// Appends the registry's document with another laid over it: schemas of one name are replaced, operations and aliases come together, and of any
// other member the addition's stands.
void write_addition(const Registry &base, TreeView addition, Arena &arena, Buffer<char> &out);

}  // namespace accp

namespace accp {

namespace {

struct Extension {
    std::string_view name;
    uint32_t bit;
};
constexpr Extension kNames[] = {{"q1", ACCP_EXT_Q1}, {"t1", ACCP_EXT_T1}, {"p1", ACCP_EXT_P1}, {"u8", ACCP_EXT_U8}};

constexpr Extension kFeatures[] = {{"m1", ACCP_FEATURE_MERGES}, {"f1", ACCP_FEATURE_PARTS}, {"s1", ACCP_FEATURE_STORE}};

template <size_t kCount>
uint32_t read_names(TreeView frame, uint32_t list, const Extension (&names)[kCount]) {
    uint32_t bits = 0;
    for (uint32_t i = list + 1; i < frame[list].next; i = frame[i].next)
        for (const Extension &row : names)
            if (frame.string(i) == row.name) bits |= row.bit;
    return bits;
}

bool is_hash(std::string_view text, size_t digits) {
    for (char c : text)
        if (!is_digit(static_cast<unsigned char>(c)) && (c < 'a' || c > 'f')) return false;
    return text.size() == digits;
}

bool read_number(TreeView frame, uint32_t node, uint32_t most, uint32_t &out) {
    if (!node || frame[node].kind != ACCP_INT) return false;
    std::string_view digits = frame.string(node);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return read.ec == std::errc() && out <= most;
}

Status unbelieved(TreeView frame, uint32_t node, const char *message) { return fail(ACCP_E1004, frame[node].offset, message); }

}  // namespace

Negotiation::Negotiation(Memory &memory, const Settings &settings)
    : memory_(memory),
      settings_(settings),
      agent_(memory),
      tokenizer_(memory),
      peer_tokenizer_(memory),
      peer_hash_(memory),
      peer_ok_(memory),
      delta_(memory),
      pieces_(memory),
      seen_(memory),
      piece_text_(memory),
      arena_(memory),
      reader_(memory) {}

void Negotiation::begin(const RegistryRef &own, std::string_view agent, uint32_t extensions) {
    assign(agent_, agent);
    own_ = own;
    extensions_ = extensions ? extensions | ACCP_EXT_Q1 : 0;
}

// The newest eight are kept.
void Negotiation::know(const RegistryRef &registry) { known_[known_count_++ % (sizeof known_ / sizeof *known_)] = registry; }

uint32_t Negotiation::extensions() const {
    const uint32_t common = extensions_ & peer_extensions_;
    if (state_ == State::kAgreed) return common;
    return state_ == State::kBare ? common & ~uint32_t{ACCP_EXT_P1} : 0;
}

uint32_t Negotiation::features() const {
    const uint32_t common = state_ == State::kAgreed || state_ == State::kBare ? features_ & peer_features_ : 0;
    return extensions() & ACCP_EXT_Q1 ? common : common & ~uint32_t{ACCP_FEATURE_PARTS};
}

void Negotiation::end(State state, accp_status reason, bool say) {
    state_ = state;
    reason_ = reason;
    due_no_ = say;
    due_get_ = sending_ = false;
    if (say) due_ok_ = false;
    if (state != State::kAgreed) agreed_ = RegistryRef();
}

// A frame of ours always has its c; the bare specification's hello has nothing that decides anything.
bool Negotiation::is_damaged(TreeView frame) const {
    const uint32_t sum = frame.find(kPayload, "c");
    if (!sum) {
        for (std::string_view key : {"p", "x", "h", "tok", "get", "idx", "d", "ok", "no"})
            if (frame.find(kPayload, key)) return true;
        return false;
    }
    if (frame[sum].next != frame[kPayload].next || is_container(frame[sum].kind)) return true;
    const char *begin = frame.text + frame[kPayload].offset + 1, *end = frame.text + ACCP_NODE_KEY(&frame[sum]);
    return end - begin < 2 || sha256({begin, static_cast<size_t>(end - begin - 1)}).first(kSumDigits) != frame.string(sum);
}

Status Negotiation::receive(TreeView frame) {
    struct Row {
        std::string_view key;
        Status (Negotiation::*take)(TreeView, uint32_t);
    };
    static constexpr Row kRows[] = {{"get", &Negotiation::get}, {"d", &Negotiation::chunk}, {"ok", &Negotiation::ok},
                                    {"no", &Negotiation::no},   {"h", &Negotiation::hello}, {"hash", &Negotiation::hello},
                                    {"v", &Negotiation::hello}};
    if (frame.string(kIntent) != "sync" || frame.string(kOperation) != "registry")
        return fail(ACCP_ERR_ARG, 0, "not a frame sync:registry");
    if (is_damaged(frame)) return fail(ACCP_E1001, frame[kPayload].offset, "a damaged frame: its c is not that of its text");
    for (const Row &row : kRows) {
        const uint32_t node = frame.find(kPayload, row.key);
        if (!node) continue;
        if (is_container(frame[node].kind)) return unbelieved(frame, node, "a text was expected");
        Status status = (this->*row.take)(frame, node);
        return status.failed() ? status : go_on();
    }
    return unbelieved(frame, kPayload, "no frame of a negotiation");
}

Status Negotiation::hello(TreeView frame, uint32_t) {
    const uint32_t node = frame.find(kPayload, "h");
    std::string_view hash = node ? frame.string(node) : std::string_view();
    if (node && !is_hash(hash, kHashDigits)) return unbelieved(frame, node, "a hash has 32 digits");
    if (!met_) return first_hello(frame, hash);
    if (hash != peer_hash()) {
        end(State::kRefused, ACCP_E1003, true);
        return fail(ACCP_E1003, frame[kPayload].offset, "the peer has another registry than a moment ago");
    }
    if (frame.find(kPayload, "again")) due_hello_ = true;
    return {};
}

Status Negotiation::first_hello(TreeView frame, std::string_view hash) {
    const uint32_t version = frame.find(kPayload, "p"), list = frame.find(kPayload, "x"), tokenizer = frame.find(kPayload, "tok");
    assign(peer_hash_, hash);
    assign(peer_tokenizer_, tokenizer && !is_container(frame[tokenizer].kind) ? frame.string(tokenizer) : std::string_view());
    met_ = true;
    tries_ = 0;
    if (frame.find(kPayload, "again")) due_hello_ = true;
    if (version && frame.string(version) != "1") {
        end(State::kRefused, ACCP_E1003, true);
        return fail(ACCP_E1003, frame[version].offset, "another version of the protocol");
    }
    if (hash.empty()) {
        end(State::kBare, ACCP_OK, false);
        return {};
    }
    if (!list || frame[list].kind != ACCP_ARRAY) return {};
    peer_extensions_ = read_names(frame, list, kNames);
    if (peer_extensions_) peer_extensions_ |= ACCP_EXT_Q1;
    peer_features_ = read_names(frame, list, kFeatures);
    return {};
}

// Whatever the state now allows. Each step may run out of memory and is then made again by the next frame.
Status Negotiation::go_on() {
    if (state_ != State::kOpen || !met_) return {};
    if (no_union_) {
        end(State::kBare, ACCP_E1003, false);
        return {};
    }
    if (peer_hash() == own_hash()) {
        peers_ = own_;
        agreed_ = own_;
        end(State::kAgreed, ACCP_OK, false);
        return {};
    }
    for (const RegistryRef &known : known_)
        if (!peers_ && known && known->hash().first(kHashDigits) == peer_hash()) peers_ = known;
    if (!peers_ && total_ && pieces_.size() == total_)
        if (Status status = take_delta(); status.failed()) return status;
    if (!peers_) {
        if (!total_ && !asked_) due_get_ = asked_ = true;
        return {};
    }
    if (!ready_) {
        if (Status status = unite(); status.failed()) return status;
    }
    if (peer_ok_.empty()) return {};
    if (std::string_view(peer_ok_.data(), peer_ok_.size()) == agreed_->hash().first(kHashDigits)) {
        end(State::kAgreed, ACCP_OK, false);
        return {};
    }
    end(State::kRefused, ACCP_E1003, true);
    return fail(ACCP_E1003, 0, "the two sides made different unions");
}

// Both registries in one; where there is none, both find so, and go on without.
Status Negotiation::unite() {
    Buffer<char> text(memory_);
    arena_.reset();
    Status status = write_union(*own_, *peers_, arena_, text);
    if (status.ok()) status = make_registry(settings_, 0, {text.data(), text.size()}, agreed_);
    if (status.failed()) {
        end(State::kBare, ACCP_E1003, true);
        return fail(ACCP_E1003, 0, status.code == ACCP_E1003 ? status.message : "the two registries do not go together");
    }
    ready_ = due_ok_ = true;
    tries_ = 0;
    return {};
}

Status Negotiation::get(TreeView frame, uint32_t node) {
    if (frame.string(node) != own_hash()) return unbelieved(frame, node, "asked for a registry that is not this one");
    if (state_ == State::kBare || state_ == State::kRefused) {
        due_no_ = true;
        return {};
    }
    if (deltas_sent_ > kNegotiationTries) return unbelieved(frame, node, "asked for the registry too often");
    Status status = prepare_delta();
    if (status.failed()) return status;
    ++deltas_sent_;
    sending_ = true;
    chunk_index_ = 0;
    chunk_begin_ = 0;
    return {};
}

Status Negotiation::ok(TreeView frame, uint32_t node) {
    std::string_view hash = frame.string(node);
    if (!is_hash(hash, kHashDigits)) return unbelieved(frame, node, "a hash has 32 digits");
    if (state_ == State::kBare || state_ == State::kRefused) {
        due_no_ = true;
        return {};
    }
    assign(peer_ok_, hash);
    if (ready_ && frame.find(kPayload, "again")) due_ok_ = true;
    return {};
}

// Where there is no union both find so by themselves, and neither says ok before: who has heard ok and then no is deceived.
Status Negotiation::no(TreeView frame, uint32_t) {
    const bool whole = frame.find(kPayload, "end") != 0;
    if (state_ == State::kBare && !whole) return {};
    if (whole || ready_ || state_ != State::kOpen) end(State::kRefused, ACCP_E1003, false);
    else no_union_ = true;
    return {};
}

Status Negotiation::chunk(TreeView frame, uint32_t node) {
    uint32_t index = 0, total = 0;
    const uint32_t base = frame.find(kPayload, "base"), target = frame.find(kPayload, "h");
    if (state_ != State::kOpen || !met_ || peers_) return {};  // late, or not asked for
    if (!read_number(frame, frame.find(kPayload, "tot"), kMostDeltaChunks, total) ||
        !read_number(frame, frame.find(kPayload, "idx"), kMostDeltaChunks, index) || index >= total || frame[node].kind != ACCP_STRING)
        return unbelieved(frame, node, "a chunk has an index below its total, and text");
    if (!target || frame.string(target) != peer_hash()) return unbelieved(frame, node, "a delta to a registry that was not asked for");
    if (!base || (frame.string(base) != "0" && frame.string(base) != own_hash()))
        return unbelieved(frame, node, "a delta from an unknown base");
    const bool based = frame.string(base) != "0";
    if (total != total_ || based != based_) {  // the peer began anew, and now knows more or less of us
        pieces_.clear();
        piece_text_.clear();
        seen_.clear();
        total_ = total;
        based_ = based;
    }
    return keep(frame.string(node), (frame[node].flags & ACCP_NODE_ESCAPED) != 0, index);
}

}  // namespace accp

// registry/negotiate_delta.cc

// See negotiate.h: the delta, cut into chunks on one side and put together on the other.


namespace accp {

// The pieces that the text is cut into do not depend on what the peer knows of it, so that a repetition fits what came before.
Status Negotiation::prepare_delta() {
    if (!delta_.empty()) return {};
    arena_.reset();
    delta_based_ = static_cast<bool>(peers_);
    Status status = write_delta(peers_ ? &*peers_ : nullptr, *own_, arena_, delta_);
    if (status.ok() && delta_.size() > kMostDeltaBytes) status = fail(ACCP_E1001, 0, "the registry is too large to be sent");
    chunk_total_ = 0;
    for (size_t at = 0; status.ok() && at < delta_.size(); at = chunk_end(at)) ++chunk_total_;
    if (status.ok() && chunk_total_ > kMostDeltaChunks) status = fail(ACCP_E1001, 0, "the registry needs too many chunks");
    if (status.failed()) delta_.clear();
    return status;
}

// Never inside a code point.
size_t Negotiation::chunk_end(size_t begin) const {
    size_t at = begin + chunk_bytes_;
    if (at >= delta_.size()) return delta_.size();
    while ((static_cast<unsigned char>(delta_[at]) & 0xC0) == 0x80) --at;
    return at;
}

// Takes one piece, once. Memory follows what has come, never what is announced.
Status Negotiation::keep(std::string_view wire, bool escaped, uint32_t index) {
    while (seen_.size() <= index / 64) seen_.push(0);
    if (seen_[index / 64] >> index % 64 & 1) return {};
    if (piece_text_.size() + wire.size() > kMostDeltaBytes) return fail(ACCP_E1001, 0, "a delta larger than a registry may be");
    arena_.reset();
    char *padded = arena_.take<char>(wire.size() + Buffer<char>::kSlack);
    std::memcpy(padded, wire.data(), wire.size());
    std::memset(padded + wire.size(), 0, Buffer<char>::kSlack);
    std::string_view text(padded, wire.size());
    const size_t offset = piece_text_.size();
    size_t fault = text.size();
    char *to = piece_text_.room(text.size() * 2 + Buffer<char>::kSlack), *end = to + text.size();
    if (is_quoted(text)) end = read_quoted(text, to, &fault);
    else if (escaped) end = unescape(text, to);
    else std::memcpy(to, text.data(), text.size());
    if (fault < text.size()) return fail(ACCP_E1001, 0, "a chunk with a malformed %u");
    pieces_.room(1);
    piece_text_.set_end(end);
    pieces_.push({index, static_cast<uint32_t>(piece_text_.size() - offset), offset});
    seen_[index / 64] |= uint64_t{1} << index % 64;
    tries_ = 0;
    return {};
}

// All pieces are here: what they make must be what the hello named, or it is nobody's registry.
Status Negotiation::take_delta() {
    Buffer<char> delta(memory_), text(memory_);
    Value value(memory_);
    RegistryRef made;
    std::sort(pieces_.data(), pieces_.end(), [](const Piece &a, const Piece &b) { return a.index < b.index; });
    for (size_t i = 0; i < pieces_.size(); ++i) delta.append(piece_text_.data() + pieces_[i].offset, pieces_[i].len);
    Status status = reader_.read(delta.data(), delta.size(), {kMostDeltaBytes, kMostJsonDepth}, value);
    if (status.ok()) status = apply_delta(based_ ? &*own_ : nullptr, value.view(), text);
    if (status.ok()) status = make_registry(settings_, 0, {text.data(), text.size()}, made);
    if (status.ok() && made->hash().first(kHashDigits) != peer_hash())
        status = fail(ACCP_E1004, 0, "the registry is not the one that its hash names");
    pieces_.recycle(0);
    piece_text_.recycle(0);
    seen_.recycle(0);
    total_ = 0;
    if (status.ok()) {
        peers_ = made;
        tries_ = 0;
        return {};
    }
    end(State::kRefused, status.code, true);
    return move_to(status, 0);
}

}  // namespace accp

// registry/negotiate_send.cc

// See negotiate.h: what goes out.


namespace accp {

namespace {

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

void put_number(Buffer<char> &out, int64_t number) {
    char digits[24];
    put(out, {digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void write_extensions(uint32_t bits, uint32_t features, Buffer<char> &out) {
    bool first = true;
    auto name = [&](bool is_named, std::string_view text) {
        if (!is_named) return;
        put(out, first ? "|x:[" : ",");
        put(out, text);
        first = false;
    };
    name(bits, "q1");
    name(bits & ACCP_EXT_T1, "t1");
    name(bits & ACCP_EXT_P1, "p1");
    name(bits & ACCP_EXT_U8, "u8");
    name(features & ACCP_FEATURE_MERGES, "m1");
    name(features & ACCP_FEATURE_PARTS, "f1");
    name(features & ACCP_FEATURE_STORE, "s1");
    if (!first) out.push(']');
}

}  // namespace

// One frame whose body writes the params; it is due until all of it is written.
template <class Body>
bool Negotiation::frame(Buffer<char> &out, bool &due, Body body) {
    if (!due) return false;
    out.push('@');
    put(out, {agent_.data(), agent_.size()});
    put(out, ">sync:registry{");
    const size_t begin = out.size();
    body();
    if (again_) put(out, "|again:1");
    Digest sum = sha256({out.data() + begin, out.size() - begin});
    put(out, "|c:");
    put(out, sum.first(kSumDigits));
    out.push('}');
    due = false;
    return true;
}

void Negotiation::write_hello(Buffer<char> &out) const {
    put(out, "v:");
    put_number(out, own_->version());
    put(out, "|hash:");
    put(out, own_->hash().first(6));
    put(out, "|p:1");
    write_extensions(extensions_, features_, out);
    if (!tokenizer_.empty()) {
        put(out, "|tok:");
        put(out, {tokenizer_.data(), tokenizer_.size()});
    }
    put(out, "|h:");
    put(out, own_hash());
}

void Negotiation::write_chunk(size_t end, Buffer<char> &out) const {
    put(out, "idx:");
    put_number(out, chunk_index_);
    put(out, "|tot:");
    put_number(out, chunk_total_);
    put(out, "|base:");
    put(out, delta_based_ ? peer_hash() : "0");
    put(out, "|h:");
    put(out, own_hash());
    put(out, "|d:");
    write_wire_string({delta_.data() + chunk_begin_, end - chunk_begin_}, {true, false}, out);
    if (end == delta_.size()) put(out, "|done:true");
}

// What is due, in the order in which the peer can use it. Nothing is lost where memory runs out: the frame is due still.
bool Negotiation::next(Buffer<char> &out) {
    const auto pair = [&](std::string_view key, std::string_view value) {
        put(out, key);
        put(out, value);
    };
    if (frame(out, due_hello_, [&] { write_hello(out); })) return true;
    if (frame(out, due_no_, [&] { pair("no:E1003", state_ == State::kRefused ? "|end:true" : ""); })) return true;
    if (frame(out, due_get_, [&] { pair("get:", peer_hash()); })) return true;
    const size_t end = chunk_end(chunk_begin_);
    if (frame(out, sending_, [&] { write_chunk(end, out); })) {
        chunk_begin_ = end;
        ++chunk_index_;
        sending_ = end < delta_.size();
        return true;
    }
    if (frame(out, due_ok_, [&] { pair("ok:", agreed_->hash().first(kHashDigits)); })) return true;
    again_ = false;
    return false;
}

void Negotiation::timeout() {
    if (state_ != State::kOpen || due_hello_ || due_get_ || due_ok_ || sending_) return;
    if (++tries_ > kNegotiationTries) {
        end(State::kRefused, ACCP_E3001, true);
        return;
    }
    again_ = true;
    (!met_ ? due_hello_ : !peers_ ? due_get_ : due_ok_) = true;
}

}  // namespace accp

// registry/ontology.cc

// See ontology.h.



namespace accp {

namespace {

constexpr uint64_t packed(std::string_view text) {
    uint64_t word = 0;
    for (size_t i = 0; i < text.size(); ++i) word |= uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
    return word;
}

constexpr std::string_view kIntents[] = {
#define ACCP_INTENT_ROW(symbol, code, meaning) code,

// The twelve intents (specification 4.1), in its order: ACCP_INTENT_ROW(symbol, code, meaning). Numbers are the order, and never change.
ACCP_INTENT_ROW(REQ, "req", "asks another agent to act")
ACCP_INTENT_ROW(DONE, "done", "reports a task as completed, with results")
ACCP_INTENT_ROW(FAIL, "fail", "reports a task as failed, with the error")
ACCP_INTENT_ROW(WAIT, "wait", "waits for input or a dependency")
ACCP_INTENT_ROW(ESC, "esc", "delegates to a higher authority")
ACCP_INTENT_ROW(COMP, "comp", "triggers a checkpoint")
ACCP_INTENT_ROW(SYNC, "sync", "shares or asks for state")
ACCP_INTENT_ROW(QRY, "qry", "asks for information")
ACCP_INTENT_ROW(ACK, "ack", "confirms receipt of a frame")
ACCP_INTENT_ROW(CANCEL, "cancel", "aborts a task in progress")
ACCP_INTENT_ROW(STREAM, "stream", "sends results piece by piece")
ACCP_INTENT_ROW(END, "end", "closes a stream")
#undef ACCP_INTENT_ROW
};
constexpr uint64_t kIntentWords[] = {
#define ACCP_INTENT_ROW(symbol, code, meaning) packed(code),

// The twelve intents (specification 4.1), in its order: ACCP_INTENT_ROW(symbol, code, meaning). Numbers are the order, and never change.
ACCP_INTENT_ROW(REQ, "req", "asks another agent to act")
ACCP_INTENT_ROW(DONE, "done", "reports a task as completed, with results")
ACCP_INTENT_ROW(FAIL, "fail", "reports a task as failed, with the error")
ACCP_INTENT_ROW(WAIT, "wait", "waits for input or a dependency")
ACCP_INTENT_ROW(ESC, "esc", "delegates to a higher authority")
ACCP_INTENT_ROW(COMP, "comp", "triggers a checkpoint")
ACCP_INTENT_ROW(SYNC, "sync", "shares or asks for state")
ACCP_INTENT_ROW(QRY, "qry", "asks for information")
ACCP_INTENT_ROW(ACK, "ack", "confirms receipt of a frame")
ACCP_INTENT_ROW(CANCEL, "cancel", "aborts a task in progress")
ACCP_INTENT_ROW(STREAM, "stream", "sends results piece by piece")
ACCP_INTENT_ROW(END, "end", "closes a stream")
#undef ACCP_INTENT_ROW
};
constexpr std::string_view kOperations[] = {
#define ACCP_OPERATION(name) name,

// The operations that every registry knows: ACCP_OPERATION(name). First the core of specification 4.3, then those that the specification uses
// without listing them (A34). The vocabulary is open: an operation that is none of these is not refused for that.
ACCP_OPERATION("analyze")
ACCP_OPERATION("plan")
ACCP_OPERATION("execute")
ACCP_OPERATION("review")
ACCP_OPERATION("approve")
ACCP_OPERATION("reject")
ACCP_OPERATION("fetch")
ACCP_OPERATION("transform")
ACCP_OPERATION("summarize")
ACCP_OPERATION("classify")
ACCP_OPERATION("generate")
ACCP_OPERATION("validate")
ACCP_OPERATION("schedule")
ACCP_OPERATION("notify")
ACCP_OPERATION("merge")
ACCP_OPERATION("split")
ACCP_OPERATION("route")
ACCP_OPERATION("cache")
ACCP_OPERATION("purge")
ACCP_OPERATION("lookup")
ACCP_OPERATION("state")
ACCP_OPERATION("registry")
ACCP_OPERATION("error")
ACCP_OPERATION("chat")
ACCP_OPERATION("tool")
ACCP_OPERATION("transaction")
ACCP_OPERATION("infer")
#undef ACCP_OPERATION
};
// With room behind each text, as everything has that the coders copy in whole vectors.
struct PaddedRow {
    char code[8 + Buffer<char>::kSlack];
    char key[24 + Buffer<char>::kSlack];
};
constexpr PaddedRow kRows[] = {
#define ACCP_KEY(code, name) {code, name},

// The abbreviations of payload keys (specification 4.2), one to one (A40): ACCP_KEY(code, name).
ACCP_KEY("d", "data")
ACCP_KEY("f", "findings")
ACCP_KEY("nx", "next_action")
ACCP_KEY("src", "source")
ACCP_KEY("dst", "destination")
ACCP_KEY("q", "query")
ACCP_KEY("fmt", "format")
ACCP_KEY("pri", "priority")
ACCP_KEY("err", "error")
ACCP_KEY("v", "version")
ACCP_KEY("ts", "timestamp")
ACCP_KEY("ttl", "time_to_live")
ACCP_KEY("ctx", "context_reference")
ACCP_KEY("who", "target")
ACCP_KEY("when", "temporal_constraint")
ACCP_KEY("why", "rationale_code")
#undef ACCP_KEY
};
struct Abbreviation {
    std::string_view code, key;
};
struct Abbreviations {
    Abbreviation at[kAbbreviationCount];
    constexpr Abbreviations() : at{} {
        for (int i = 0; i < kAbbreviationCount; ++i) at[i] = {kRows[i].code, kRows[i].key};
    }
};
constexpr Abbreviations kAbbreviations;
static_assert(sizeof kIntents == kIntentCount * sizeof *kIntents && sizeof kOperations == kOperationCount * sizeof *kOperations &&
              sizeof kRows == kAbbreviationCount * sizeof *kRows);

constexpr uint16_t bit(int kind) { return static_cast<uint16_t>(1 << kind); }

struct TypeRow {
    std::string_view name;
    uint16_t kinds;
};
constexpr TypeRow kTypes[] = {
    {"any", 0xFFFF},
    {"string", bit(ACCP_STRING)},
    {"integer", bit(ACCP_INT)},
    {"decimal", bit(ACCP_INT) | bit(ACCP_DEC)},
    {"number", bit(ACCP_INT) | bit(ACCP_DEC) | bit(ACCP_NUMBER)},
    {"boolean", bit(ACCP_BOOL)},
    {"array", bit(ACCP_ARRAY)},
    {"object", bit(ACCP_MAP)},
};

}  // namespace

int find_intent(std::string_view code) {
    if (code.size() > 8) return -1;
    const uint64_t word = packed(code);
    for (int i = 0; i < kIntentCount; ++i)
        if (kIntentWords[i] == word && kIntents[i].size() == code.size()) return i;
    return -1;
}

std::string_view intent_code(int intent) { return kIntents[intent]; }

int find_operation(std::string_view name) {
    for (int i = 0; i < kOperationCount; ++i)
        if (kOperations[i] == name) return i;
    return -1;
}

std::string_view operation_name(int operation) { return kOperations[operation]; }

std::string_view find_abbreviation(std::string_view key) {
    for (const Abbreviation &row : kAbbreviations.at)
        if (row.key == key) return row.code;
    return {};
}

std::string_view find_abbreviated(std::string_view code) {
    for (const Abbreviation &row : kAbbreviations.at)
        if (row.code == code) return row.key;
    return {};
}

bool find_type(std::string_view name, FieldType &out) {
    for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; ++i) {
        if (kTypes[i].name != name) continue;
        out = static_cast<FieldType>(i);
        return true;
    }
    return false;
}

std::string_view type_name(FieldType type) { return kTypes[static_cast<size_t>(type)].name; }

bool fits(FieldType type, uint8_t kind) {
    constexpr uint16_t kAlways = bit(ACCP_NULL) | bit(ACCP_REF);
    return ((kTypes[static_cast<size_t>(type)].kinds | kAlways) >> kind & 1) != 0;
}

}  // namespace accp

// registry/registry.cc

// See registry.h: the lookups.


namespace accp {

Registry::Registry(Memory &memory)
    : memory_(memory),
      source_(memory),
      canonical_(memory),
      default_text_(memory),
      doc_(memory),
      built_in_(memory),
      schemas_(memory),
      fields_(memory),
      bindings_(memory),
      operations_(memory),
      aliases_(memory),
      routes_(memory),
      codes_(memory),
      names_(memory),
      field_names_(memory),
      field_wires_(memory),
      operation_index_(memory),
      alias_codes_(memory),
      alias_keys_(memory),
      route_index_(memory) {}

const Schema *Registry::by_code(std::string_view code) const {
    uint32_t place = codes_.find(code, 0, [&](uint32_t i) { return schemas_[i].code == code; });
    return place == NameIndex::kNone ? nullptr : &schemas_[place];
}

const Schema *Registry::by_name(std::string_view name) const {
    uint32_t place = names_.find(name, 0, [&](uint32_t i) { return schemas_[i].name == name; });
    return place == NameIndex::kNone ? nullptr : &schemas_[place];
}

const Registry::Route *Registry::route(int intent, std::string_view operation) const {
    uint32_t place = route_index_.find(operation, static_cast<uint64_t>(intent + 1),
                                       [&](uint32_t i) { return routes_[i].intent == intent && routes_[i].operation == operation; });
    return place == NameIndex::kNone ? nullptr : &routes_[place];
}

const Schema *Registry::bound(int intent, std::string_view operation) const {
    const Route *found = intent < 0 ? nullptr : route(intent, operation);
    if (!found) found = route(-1, operation);
    return found && found->schema != kAmbiguous ? &schemas_[found->schema] : nullptr;
}

template <class NameOf>
const Field *Registry::find_field(const Schema &schema, std::string_view name, const NameIndex &index, NameOf name_of) const {
    const Field *first = schema.fields, *end = first + schema.field_count;
    if (schema.field_count <= kLinearFields) {
        for (const Field *field = first; field != end; ++field)
            if (name_of(*field) == name) return field;
        return nullptr;
    }
    uint32_t place = index.find(name, schema.place, [&](uint32_t i) {
        const Field *field = fields_.data() + i;
        return field >= first && field < end && name_of(*field) == name;
    });
    return place == NameIndex::kNone ? nullptr : &fields_[place];
}

const Field *Registry::field_by_name(const Schema &schema, std::string_view name) const {
    return find_field(schema, name, field_names_, [](const Field &field) { return field.name; });
}

const Field *Registry::field_by_wire(const Schema &schema, std::string_view wire) const {
    return find_field(schema, wire, field_wires_, [](const Field &field) { return field.wire; });
}

std::string_view Registry::short_key(std::string_view key) const {
    if (std::string_view code = find_abbreviation(key); !code.empty() || aliases_.empty()) return code;
    uint32_t place = alias_keys_.find(key, 0, [&](uint32_t i) { return aliases_[i].key == key; });
    return place == NameIndex::kNone ? std::string_view() : aliases_[place].code;
}

std::string_view Registry::full_key(std::string_view code) const {
    if (std::string_view key = find_abbreviated(code); !key.empty() || aliases_.empty()) return key;
    uint32_t place = alias_codes_.find(code, 0, [&](uint32_t i) { return aliases_[i].code == code; });
    return place == NameIndex::kNone ? std::string_view() : aliases_[place].key;
}

KeyForm Registry::write_key(const Schema *schema, std::string_view key) const {
    if (schema) {
        if (const Field *field = field_by_name(*schema, key)) return {field->wire, field, false};
        if (field_by_wire(*schema, key)) return {key, nullptr, true};
    }
    auto taken = [&](std::string_view code) { return schema && (field_by_wire(*schema, code) || field_by_name(*schema, code)); };
    std::string_view code = short_key(key);
    if (!code.empty() && !taken(code)) return {code, nullptr, false};
    return {key, nullptr, key == "schema" || !full_key(key).empty()};
}

KeyForm Registry::read_key(const Schema *schema, std::string_view wire) const {
    if (schema) {
        const Field *field = field_by_wire(*schema, wire);
        if (!field) field = field_by_name(*schema, wire);
        if (field) return {field->name, field, false};
    }
    std::string_view key = full_key(wire);
    if (key.empty()) return {wire, nullptr, false};
    return {key, schema ? field_by_name(*schema, key) : nullptr, false};
}

bool Registry::knows_operation(std::string_view name) const {
    if (find_operation(name) >= 0) return true;
    if (operations_.empty()) return false;
    return operation_index_.find(name, 0, [&](uint32_t i) { return operations_[i] == name; }) != NameIndex::kNone;
}

bool is_default(const Schema &schema, const Field &field, TreeView tree, uint32_t node) {
    if (!field.has_default()) return false;
    const Node *a = &schema.tree[field.default_node], *b = &tree[node];
    const uint32_t count = schema.tree[field.default_node].next - field.default_node;
    if (tree[node].next - node != count) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (a[i].kind != b[i].kind || (a[i].flags ^ b[i].flags) & ACCP_NODE_TRUE) return false;
        if (i && a[i].key_len != b[i].key_len) return false;
        if (i && a[i].key_len && schema.tree.key(field.default_node + i) != tree.key(node + i)) return false;
        if (a[i].kind == ACCP_NULL || a[i].kind == ACCP_BOOL) continue;
        if (a[i].len != b[i].len) return false;
        if (!is_container(a[i].kind) && schema.tree.string(field.default_node + i) != tree.string(node + i)) return false;
    }
    return true;
}

}  // namespace accp

// registry/shared.cc

// See shared.h.

namespace accp {

Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text, RegistryRef &out) {
    RegistryRef made(make_handle<accp_registry>(settings));
    JsonLimits limits = {settings.limit(ACCP_LIMIT_JSON_BYTES), static_cast<uint32_t>(settings.limit(ACCP_LIMIT_JSON_DEPTH))};
    made.get()->profiles = profiles;
    Status status = made.get()->registry.load(text, profiles, limits);
    if (status.ok()) out = made;
    return status;
}

}  // namespace accp

// store/export.cc

// A session as lines of JSON: the session, then its records, blobs, grants and mids. Bytes that are not UTF-8 stand in hexadecimal under NAME_hex.


// What a store holds behind its lock, and how its files share the work.



// What a store asks of the place where things are kept. Every call is made under the store's lock; tests/store holds each backend to the same suite.


// Commits that wait to be written as one group, in their order; those of one session are a chain.


// Where sessions are kept: for each a log of records, a state, blobs in three tiers, the mids it has seen, and grants to other sessions.
//
//   Writing   StoreSession::commit() takes a batch whole or refuses it whole; it is seen at once by reads of this store. sync() writes what
//             was committed, of every session of the store, as one group: the point from which on it survives a kill, and in the mode
//             kFull a power failure. What a crash leaves is always a prefix of the commits, in their order.
//   Fencing   One writer a session. Opening a session to write ends an older writer, in this process or another: its next commit
//             or sync answers ACCP_ERR_CLOSED, and none of its unsynced commits is ever written.
//   Threads   A store may be used by any number of threads, a StoreSession by one at a time. One lock guards a store; sync() holds it while it
//             writes, so other sessions' calls wait for it, and their commits ride along with the next one.
//   Failures  ACCP_ERR_NOMEM, ACCP_ERR_BUSY (another process writes): nothing happened, call again. ACCP_ERR_IO with a full disk: what
//             was committed waits, call sync() again. Any other ACCP_ERR_IO: nothing more is written until the store is opened anew;
//             reads go on. ACCP_ERR_CORRUPT: what was asked for is damaged; never answered with wrong or shortened data.
//   Time      is the caller's, in milliseconds.


// What one commit does to one session: a list of operations, applied all or none. Made by the caller, cleared and used again.



namespace accp {

enum class Tier : uint8_t { kHot = 1, kWarm = 2, kCold = 3 };

// One operation as it lies in a batch and in a backend's queue; its key and its bytes follow it.
struct StoreOp {
    enum Kind : uint8_t { kAppend, kState, kFloor, kPut, kErase, kMid, kGrant, kRevoke };

    uint8_t kind;
    Tier tier;            // of kPut, kErase
    uint16_t key_len;     // key of a blob; prefix of a grant
    uint32_t bytes_len;   // record, state, content of a blob; the grantee's id
    uint64_t number;      // sequence of a record, version of a state, the floor, the word of a mid; else when it expires (0: never)
    uint64_t generation;  // of a blob

    std::string_view key() const { return {reinterpret_cast<const char *>(this + 1), key_len}; }
    std::string_view bytes() const { return {reinterpret_cast<const char *>(this + 1) + key_len, bytes_len}; }
    size_t size() const { return sizeof(StoreOp) + ((size_t{key_len} + bytes_len + 7) & ~size_t{7}); }
};

// A mid as the store keeps it: 12 lower-case hexadecimal digits exactly, any other text as 63 bits of its SHA-256.
uint64_t mid_word(std::string_view mid);
// One agent's mid: 62 bits of a SHA-256 over both. The same mid of another agent has another word.
uint64_t mid_word(std::string_view agent, std::string_view mid);

// Lengths are checked by StoreSession::commit(), which refuses the whole batch. Texts are copied.
class StoreBatch {
public:
    explicit StoreBatch(Memory &memory) : ops_(memory) {}

    void clear() {
        ops_.recycle(kKeptBytes);
        count_ = appends_ = 0;
        broken_ = false;
    }
    bool empty() const { return count_ == 0; }

    // The next record of the log. The commit gives it a sequence: the session's last one and one more, from 1.
    void append(std::string_view record) { add({StoreOp::kAppend, {}, 0, 0, ++appends_, 0}, {}, record); }
    // Replaces the state, and makes its version one larger.
    void set_state(std::string_view state) { add({StoreOp::kState, {}, 0, 0, 0, 0}, {}, state); }
    // Generations (see put) from this one on are needed, by a delta's base for one; prune() never takes them.
    void set_floor(uint64_t generation) { add({StoreOp::kFloor, {}, 0, 0, generation, 0}, {}, {}); }

    // Puts a blob under a key, in place of one that is there. expires: milliseconds, 0 for never. generation: that of the checkpoint
    // it belongs to, which pruning goes by; 0: it belongs to none.
    void put(Tier tier, std::string_view key, std::string_view bytes, uint64_t expires = 0, uint64_t generation = 0) {
        add({StoreOp::kPut, tier, 0, 0, expires, generation}, key, bytes);
    }
    // The same under the SHA-256 of the bytes, which it returns.
    Digest put_content(Tier tier, std::string_view bytes, uint64_t expires = 0, uint64_t generation = 0) {
        Digest name = sha256(bytes);
        put(tier, name.view(), bytes, expires, generation);
        return name;
    }
    void erase(Tier tier, std::string_view key) { add({StoreOp::kErase, tier, 0, 0, 0, 0}, key, {}); }

    // This mid was seen: for as long as the session is stored.
    void note_mid(std::string_view mid) { note_mid_word(mid_word(mid)); }
    void note_mid_word(uint64_t word) { add({StoreOp::kMid, {}, 0, 0, word, 0}, {}, {}); }

    // Session `grantee` may read the blobs of this one whose name ("cold.t7") begins with `prefix`. Granted anew: the expiry is the new one.
    void grant(std::string_view grantee, std::string_view prefix, uint64_t expires = 0) {
        add({StoreOp::kGrant, {}, 0, 0, expires, 0}, prefix, grantee);
    }
    void revoke(std::string_view grantee, std::string_view prefix) { add({StoreOp::kRevoke, {}, 0, 0, 0, 0}, prefix, grantee); }

    // For backends: the operations, one behind the other.
    const char *begin() const { return ops_.data(); }
    size_t size() const { return ops_.size(); }
    uint64_t appends() const { return appends_; }
    bool broken() const { return broken_; }  // a text was too long to be noted

private:
    void add(StoreOp op, std::string_view key, std::string_view bytes);

    Buffer<char> ops_;
    uint64_t count_ = 0;
    uint64_t appends_ = 0;
    bool broken_ = false;
};

}  // namespace accp

namespace accp {

class Store;
class StoreSession;

enum class Durability : uint8_t {
    kFull,   // sync() waits for the device: nothing that was synced is lost, whatever happens
    kNormal  // sync() waits for the operating system: power failure leaves a prefix
};

struct SessionRow {
    uint64_t number = 0;      // the backend's name for the session
    uint64_t fence = 0;       // the token of the newest writer
    uint64_t version = 0;     // of the state; 0: there is none
    uint64_t last = 0;        // sequence of the last record; 0: none
    uint64_t generation = 0;  // the newest that a blob was put with
    uint64_t runs = 0;        // of the index of mids: how many it was made from
    uint64_t indexed = 0;     // the last sequence whose mids are in it
    uint64_t held = 0;        // the sums of all blobs and grants, added up: so that one that is missing is noticed
    uint64_t floor = 0;       // the oldest that pruning may not take; 0: none was named, and nothing is pruned by generation
};

// What a store and its backend keep of an open session.
struct OpenSession {
    OpenSession(Memory &memory, const SessionRow &from, bool to_write)
        : row(from), written(from.last), written_version(from.version), tail(memory), writes(to_write) {}

    SessionRow row;    // with what is queued
    uint64_t written;  // last sequence that the backend has
    uint64_t written_version;
    Buffer<uint64_t> tail;  // mids that the backend's index has not: of this handle, and of the newest records
    bool has_tail = false;  // the latter were read
    bool loose = false;     // some are in no record, so that the index must take them with the next write
    bool indexing = false;  // the write that is going on puts the tail into the index
    bool writes;
    bool lost = false;     // another writer has the session
    bool erased = false;   // or nobody has: of both, no call answers anything but ACCP_ERR_CLOSED
    bool closed = false;   // freed once nothing of it is queued
    uint64_t held = 0;     // as the write that is going on makes it
    uint64_t checked = 0;  // the backend's epoch in which the row was looked at
    StoreSession *handle = nullptr;
    std::string_view new_id;  // of a session that comes into being with this write, and must not be there yet
    uint64_t first = 0;       // where its commits in the queue begin, plus one; 0: there are none
    uint64_t newest = 0;
};

// Records that a scan found, in its order. Views until the next scan into it.
class StoreRecords {
public:
    struct Record {
        uint64_t seq;
        std::string_view bytes;
    };

    explicit StoreRecords(Memory &memory) : entries_(memory), text_(memory) {}

    size_t size() const { return entries_.size(); }
    Record operator[](size_t i) const { return {entries_[i].seq, {text_.data() + entries_[i].at, entries_[i].len}}; }
    size_t bytes() const { return text_.size(); }

    void clear() {
        entries_.recycle(kKeptBytes);
        text_.recycle(kKeptBytes);
    }
    void add(uint64_t seq, std::string_view bytes) {
        entries_.push({seq, text_.size(), bytes.size()});
        text_.append(bytes.data(), bytes.size());
    }

private:
    struct Entry {
        uint64_t seq;
        size_t at;
        size_t len;
    };
    Buffer<Entry> entries_;
    Buffer<char> text_;
};

// A session, opened. Made by Store::open(); close() ends it.
class StoreSession {
public:
    // As it stands with every commit of this handle.
    const SessionRow &row() const { return inside_.row; }

    // Takes the batch: ACCP_OK or nothing changed. `last` must be row().last where the batch appends, `version` row().version where it sets the
    // state: else ACCP_ERR_BUSY. ACCP_ERR_ARG for a text over its limit (kMost… of limits.h), or a session opened to read. It is durable after sync().
    Status commit(const StoreBatch &batch, uint64_t last, uint64_t version);
    Status commit(const StoreBatch &batch) { return commit(batch, inside_.row.last, inside_.row.version); }
    // Store::sync(), and the answer for this session: ACCP_OK when every commit of this handle is durable.
    Status sync();

    // The state, into `out` (replaced); empty where version is 0.
    Status state(Buffer<char> &out);
    // Records first … last (0: to the end), newest first if asked; stops behind `most_bytes` of them, but gives at least one. Replaces `out`.
    Status scan(uint64_t first, uint64_t last, bool newest_first, size_t most_bytes, StoreRecords &out);
    // A blob, into `out` (replaced). ACCP_E2001: there is none; ACCP_E2002: it has expired.
    Status blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out);
    // Was it noted, ever?
    Status has_mid(std::string_view mid, bool &out) { return has_mid_word(mid_word(mid), out); }
    Status has_mid_word(uint64_t word, bool &out);
    // ACCP_E5002 unless a grant of session `owner` to this one covers the name and has not expired. Nothing of what it names is looked up, so the
    // answer and its cost tell nothing of what is there. Grants are those that were synced.
    Status check_grant(std::string_view owner, Tier tier, std::string_view key, uint64_t now);
    // The same, and then the blob, as it was synced.
    Status shared_blob(std::string_view owner, Tier tier, std::string_view key, uint64_t now, Buffer<char> &out);

    // ACCP_ERR_CLOSED where the session is this handle's no more: erased, or opened by another writer. Asks the file.
    Status check();
    // The same, and for a session opened to read: has its state been replaced since its row was read? Then the row is read anew.
    Status follow(bool &moved);

    // Ends the handle. What was committed and not synced is written with the store's next sync, or when the store is closed.
    void close();

private:
    friend class Store;
    Status find_shared(std::string_view owner, Tier tier, std::string_view key, uint64_t now, Buffer<char> *out);
    StoreSession(Store &store, Memory &memory, const SessionRow &row, bool writes) : store_(&store), inside_(memory, row, writes) {
        inside_.handle = this;
    }
    Status load_tail();
    Status seal(const Status &found);
    Status mine() const;

    Store *store_;
    OpenSession inside_;
};

// Where a store is, and how it is opened.
struct StorePlace {
    std::string_view name;  // "memory:" or "sqlite:PATH"
    Durability durability = Durability::kFull;
    bool create = true;         // a file that is missing
    bool writes = true;         // false: nothing is changed, sessions are opened to read only
    uint32_t busy_ms = 5000;    // how long another process' write is waited for
    const char *vfs = nullptr;  // of SQLite, by its name; NULL: the default one
    int wal_pages = 8000;       // of SQLite: of 2 KiB in its write-ahead log, before they are brought into the file
};

struct PrunePolicy {
    uint64_t now = 0;               // blobs and grants that have expired by then go
    uint64_t keep_generations = 0;  // of each session the blobs of its newest so many; 0: all of them
};

struct StoreStats {
    uint64_t sessions = 0, records = 0, record_bytes = 0, blobs = 0, blob_bytes = 0, mids = 0, grants = 0;
};

// One thing that verify() found wrong. The views last until the call it is given to returns.
struct Damage {
    std::string_view session;  // its id; empty: the file as a whole
    const char *what;          // static text
    uint64_t seq;              // of a record
    std::string_view name;     // of a blob
};

class Store {
public:
    explicit Store(const Settings &settings);
    ~Store();
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;

    // Opens what `place` names, once. ACCP_ERR_ARG: no such kind of store, no store file, or one of a later version; ACCP_ERR_IO;
    // ACCP_ERR_CORRUPT.
    Status open(const StorePlace &place);
    // Opens a session. To write: it is made where it is missing, and older writers are fenced off. To read: ACCP_E2001 where it is missing.
    // id: 1 to kMostSessionIdBytes bytes. Every StoreSession is closed before the store is.
    Status open_session(std::string_view id, bool writes, StoreSession *&out);
    // Makes every commit so far durable. A session that has lost its fence is no failure here: its own calls say so.
    Status sync();
    // sync(), then the end: only the destructor may follow. What could not be synced is lost.
    Status close();

    Status prune(const PrunePolicy &policy, uint64_t &pruned);
    // Reads everything. ACCP_ERR_CORRUPT when anything is wrong, each with a call of `report`.
    Status verify(void (*report)(const Damage &damage, void *user), void *user);
    Status stats(StoreStats &out);
    // The id of the session after number `after`, which becomes its number; ACCP_E2001 after the last. 0: the first.
    Status next_session(uint64_t &after, Buffer<char> &out);
    // A session as lines of JSON, appended to `out`: with the same bytes whenever it holds the same, whatever the backend. docs/store.md has the form.
    Status export_session(std::string_view id, Buffer<char> &out);
    // What was exported, as sessions that are not there yet (else ACCP_ERR_BUSY): all of it, durable, or nothing.
    Status import(std::string_view text);

    // Takes a session and all that is its own out of the store, and what others have granted it, durably. Handles of it are lost.
    // ACCP_E2001.
    Status erase_session(std::string_view id);

    const Settings &settings() const { return settings_; }

private:
    friend class StoreSession;
    struct Inside;

    Settings settings_;
    Memory memory_;
    Inside *inside_ = nullptr;
};

}  // namespace accp

namespace accp {

// Is it within its limits? (Those on texts of any kind StoreBatch has looked after.)
Status check_op(const StoreOp &op);

class CommitQueue {
public:
    struct Commit {
        OpenSession *session;
        uint64_t next;  // where the session's next commit begins, plus one; 0: this is its newest
        uint64_t size;  // of the operations behind it

        const char *begin() const { return reinterpret_cast<const char *>(this + 1); }
        template <class Visit>
        void each(Visit visit) const {
            for (const char *at = begin(), *end = at + size; at < end;) {
                const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
                visit(op);
                at += op.size();
            }
        }
    };

    explicit CommitQueue(Memory &memory) : bytes_(memory) {}

    bool empty() const { return bytes_.empty(); }
    size_t size() const { return bytes_.size(); }
    void clear() { bytes_.recycle(kKeptBytes); }

    // Appends a batch: its records get their sequences, its state a version, and the session's row is brought up to them.
    void add(OpenSession &session, const StoreBatch &batch);

    // Takes the last batch, this session's, off again: the queue had this size, and the session this newest commit.
    void take_back(size_t size, OpenSession &session, uint64_t newest);

    template <class Visit>
    void each(Visit visit) {
        for (size_t at = 0; at < bytes_.size();) {
            Commit &commit = at_offset(at);
            at += sizeof(Commit) + commit.size;
            visit(commit);
        }
    }
    // Each session once, in the order of their first commits.
    template <class Visit>
    void each_session(Visit visit) {
        for (size_t at = 0; at < bytes_.size();) {
            Commit &commit = at_offset(at);
            if (commit.session->first == at + 1) visit(*commit.session);
            at += sizeof(Commit) + commit.size;
        }
    }
    // The operations of one session, oldest first.
    template <class Visit>
    void each_of(const OpenSession &session, Visit visit) const {
        for (uint64_t at = session.first; at;) {
            const Commit &commit = *reinterpret_cast<const Commit *>(bytes_.data() + at - 1);
            commit.each(visit);
            at = commit.next;
        }
    }

private:
    Commit &at_offset(size_t at) { return *reinterpret_cast<Commit *>(bytes_.data() + at); }

    Buffer<char> bytes_;
};

}  // namespace accp

namespace accp {

struct BlobRow {
    Tier tier = Tier::kHot;
    uint64_t expires = 0;  // 0: never
    uint64_t generation = 0;
};

inline constexpr char kDiskFull[] = "the disk is full";  // one object in all of the program: it is told by its address
constexpr const char *kReadOnly = "the store was opened to read";
constexpr const char *kLost = "another writer has opened this session";
constexpr const char *kErased = "the session was erased";
constexpr const char *kNoSession = "no such session";
constexpr const char *kIsThere = "a session of this id is there already";
constexpr const char *kNoBlob = "nothing is kept under that name";
constexpr const char *kNotGranted = "no grant of that session covers it";
constexpr std::string_view kTierNames[] = {"", "hot", "warm", "cold"};

inline bool has_expired(uint64_t expires, uint64_t now) { return expires && expires <= now; }

// Generations below this one are pruned: not the newest, and nothing that the session's floor names.
inline uint64_t pruned_below(const PrunePolicy &policy, const SessionRow &row) {
    if (!policy.keep_generations || row.generation < policy.keep_generations) return 0;
    uint64_t below = row.generation - policy.keep_generations + 1;
    return below < row.floor ? below : row.floor;
}

// A session as export and import see it.
class SessionSink {
public:
    virtual Status row(std::string_view id, const SessionRow &row, std::string_view state) = 0;
    virtual Status record(uint64_t seq, std::string_view bytes) = 0;
    virtual Status blob(std::string_view key, const BlobRow &row, std::string_view bytes) = 0;
    virtual Status mid(uint64_t word) = 0;
    virtual Status grant(std::string_view grantee, std::string_view prefix, uint64_t expires) = 0;

protected:
    ~SessionSink() = default;
};

class Backend {
public:
    virtual ~Backend() = default;

    // The row of a session; to write: made where it is missing, under a new fence, which other processes see at once. ACCP_E2001.
    virtual Status open_session(std::string_view id, bool writes, SessionRow &out) = 0;
    // All commits of the queue, or nothing. Sessions whose fence is no longer theirs are marked lost, and what is theirs left out. ACCP_ERR_BUSY: a new session is
    // there already.
    virtual Status write(CommitQueue &queue) = 0;

    // Is the session this handle's still? Where it is not, marks it lost or erased. fresh: asks the file; else only where the last read has
    // shown that somebody has written. `now`: its row as it stands.
    virtual Status check(OpenSession &session, bool fresh, SessionRow &now) = 0;

    // None of these sees the queue. `out` is replaced. What they find of a session that is lost means nothing: check() after each says so.
    virtual Status state(const OpenSession &session, Buffer<char> &out) = 0;
    virtual Status scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes,
                        StoreRecords &out) = 0;
    virtual Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) = 0;  // ACCP_E2001
    // Mids of the newest records that the index has not: appended to the session's tail.
    virtual Status read_tail(OpenSession &session) = 0;
    virtual Status has_mid(OpenSession &session, uint64_t word, bool &out) = 0;
    // ACCP_OK where a grant of session `owner` covers this name; else ACCP_E5002. `out`, where it is not NULL: its blob `name` too.
    struct Shared {
        std::string_view owner, name;
        Tier tier;
        std::string_view key;
        uint64_t now;
    };
    virtual Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row, Buffer<char> *out) = 0;

    virtual Status prune(const PrunePolicy &policy, uint64_t &pruned) = 0;
    virtual Status verify(void (*report)(const Damage &damage, void *user), void *user) = 0;
    virtual Status stats(StoreStats &out) = 0;
    virtual Status next_session(uint64_t &after, Buffer<char> &out) = 0;
    virtual Status export_session(std::string_view id, SessionSink &sink) = 0;
    virtual Status erase_session(std::string_view id) = 0;  // with all that is its own, and grants to it

    // Is a commit durable as soon as it is written? Then none waits for sync().
    virtual bool is_durable_at_once() const { return false; }

    size_t object_bytes = 0;  // what was taken for this object
};

}  // namespace accp

namespace accp {

struct Store::Inside {
    Inside(Memory &from, Backend &made) : memory(from), backend(&made), queue(from) {}

    Status write();  // what is queued
    void release(StoreSession *session);
    void release_closed();

    Memory &memory;
    Backend *backend;
    CommitQueue queue;
    std::mutex lock;
    uint64_t latest = 0;  // time that a grant was judged by
};

// Backends, each made and opened; ACCP_ERR_ARG where the name is not one of its own.
Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out);
#if ACCP_SQLITE
Status open_sqlite_backend(Memory &memory, const StorePlace &place, Backend *&out);
#else
inline Status open_sqlite_backend(Memory &, const StorePlace &, Backend *&) {
    return fail(ACCP_ERR_ARG, 0, "a store is memory: or sqlite:PATH");
}
#endif

template <class Made, class... Arguments>
Made *make_backend(Memory &memory, Arguments &&...arguments) {
    Made *made = new (memory.take(sizeof(Made))) Made(memory, arguments...);
    made->object_bytes = sizeof(Made);
    return made;
}

inline void end_backend(Memory &memory, Backend *backend) {
    if (!backend) return;
    size_t bytes = backend->object_bytes;
    backend->~Backend();
    memory.give(backend, bytes);
}

}  // namespace accp

namespace accp {

namespace {

class Lines final : public SessionSink {
public:
    Lines(Memory &memory, Buffer<char> &out) : out_(out), text_(memory), mids_(memory) {}

    Status row(std::string_view id, const SessionRow &row, std::string_view state) override {
        begin();
        text("session", id);
        number("version", row.version);
        number("generation", row.generation);
        number("floor", row.floor);
        if (row.version) text("state", state);
        return end();
    }
    Status record(uint64_t, std::string_view bytes) override {
        begin();
        text("record", bytes);
        return end();
    }
    Status blob(std::string_view key, const BlobRow &row, std::string_view bytes) override {
        begin();
        text("tier", kTierNames[static_cast<int>(row.tier)]);
        text("key", key);
        number("expires", row.expires);
        number("generation", row.generation);
        text("blob", bytes);
        return end();
    }
    Status grant(std::string_view grantee, std::string_view prefix, uint64_t expires) override {
        begin();
        text("grantee", grantee);
        text("prefix", prefix);
        number("expires", expires);
        return end();
    }
    Status mid(uint64_t word) override {
        mids_.push(word);
        return {};
    }

    void write_mids() {
        std::sort(mids_.data(), mids_.end());
        for (size_t i = 0; i < mids_.size(); ++i) {
            int digits = mids_[i] >> 48 ? 16 : 12;
            char hex[16];
            for (int at = 0; at < digits; ++at) hex[at] = "0123456789abcdef"[mids_[i] >> 4 * (digits - 1 - at) & 15];
            begin();
            text("mid", {hex, static_cast<size_t>(digits)});
            (void)end();
        }
    }

private:
    void add(std::string_view plain) { out_.append(plain.data(), plain.size()); }
    void begin() {
        add("{");
        first_ = true;
    }
    Status end() {
        add("}\n");
        return {};
    }
    void name(std::string_view name, std::string_view ending = {}) {
        add(first_ ? "\"" : ",\"");
        add(name);
        add(ending);
        add("\":");
        first_ = false;
    }
    void number(std::string_view key, uint64_t value) {
        char digits[20];
        name(key);
        add({digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
    }
    void text(std::string_view key, std::string_view bytes) {
        if (valid_utf8_prefix(bytes.data(), bytes.size()) == bytes.size()) {
            name(key);
            text_.clear();
            text_.append(bytes.data(), bytes.size());
            text_.room(1);
            write_json_string({text_.data(), text_.size()}, out_);
            return;
        }
        name(key, "_hex");
        add("\"");
        char *to = out_.room(2 * bytes.size());
        for (unsigned char c : bytes) {
            *to++ = "0123456789abcdef"[c >> 4];
            *to++ = "0123456789abcdef"[c & 15];
        }
        out_.advance(2 * bytes.size());
        add("\"");
    }

    Buffer<char> &out_;
    Buffer<char> text_;
    Buffer<uint64_t> mids_;
    bool first_ = true;
};

}  // namespace

Status Store::export_session(std::string_view id, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    if (status.failed()) return status;
    size_t had = out.size();
    Lines lines(memory_, out);
    status = inside_->backend->export_session(id, lines);
    if (status.ok()) lines.write_mids();
    else out.resize_down(had);
    return status;
}

}  // namespace accp

// store/import.cc

// What export.cc wrote, read: all of it before anything is stored.


namespace accp {

namespace {

constexpr const char *kNotExported = "not a line of an export";

// The sessions of a text: each with its id, and one commit in the queue that makes it.
class Importer {
public:
    Importer(Memory &memory, Backend &backend)
        : memory_(memory),
          backend_(backend),
          queue_(memory),
          batch_(memory),
          reader_(memory),
          value_(memory),
          ids_(memory),
          sessions_(memory) {}
    ~Importer() {
        for (size_t i = 0; i < sessions_.size(); ++i) {
            sessions_[i].session->~OpenSession();
            memory_.give(sessions_[i].session, sizeof(OpenSession));
        }
    }

    Status read(std::string_view text) {
        for (size_t at = 0; at < text.size();) {
            size_t end = text.find('\n', at);
            if (end == text.npos) end = text.size();
            Status status = read_line(text.substr(at, end - at));
            if (status.failed()) return move_to(status, at + status.offset);
            at = end + 1;
        }
        finish_session();
        return sessions_.empty() ? fail(ACCP_E1001, 0, "no session in it") : Status{};
    }

    Status store() {
        for (size_t i = 0; i < sessions_.size(); ++i) sessions_[i].session->new_id = {ids_.data() + sessions_[i].id, sessions_[i].id_len};
        return backend_.write(queue_);
    }

private:
    struct Session {
        OpenSession *session;
        size_t id;
        size_t id_len;
    };

    Status read_line(std::string_view line) {
        Status status = reader_.read(line.data(), line.size(), {kMostTextBytes, 2}, value_);
        if (status.failed()) return status;
        if (value_.view()[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, kNotExported);
        std::string_view bytes, key;
        if (text("session", bytes)) return begin_session(bytes);
        if (sessions_.empty()) return fail(ACCP_E1004, 0, "a session comes first");
        uint64_t expires = 0;
        if (text("record", bytes)) {
            batch_.append(bytes);
        } else if (text("mid", bytes)) {
            uint64_t word = 0;
            if (bytes.size() != kMidBytes && bytes.size() != 16) return fail(ACCP_E1004, 0, kNotExported);
            auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), word, 16);
            if (read.ec != std::errc{} || read.ptr != bytes.data() + bytes.size() || word >> 63) return fail(ACCP_E1004, 0, kNotExported);
            batch_.note_mid_word(word);
        } else if (text("blob", bytes)) {
            return read_blob(bytes);
        } else if (text("grantee", bytes) && text("prefix", key) && number("expires", expires)) {
            batch_.grant(bytes, key, expires);
        } else {
            return fail(ACCP_E1004, 0, kNotExported);
        }
        return {};
    }

    Status read_blob(std::string_view bytes) {
        std::string_view key, name;
        uint64_t expires = 0, generation = 0;
        int tier = 0;
        if (!text("tier", name) || !text("key", key) || !number("expires", expires) || !number("generation", generation) || key.empty())
            return fail(ACCP_E1004, 0, kNotExported);
        for (int i = 1; i <= 3; ++i)
            if (name == kTierNames[i]) tier = i;
        if (!tier) return fail(ACCP_E1004, 0, "no such tier");
        batch_.put(static_cast<Tier>(tier), key, bytes, expires, generation);
        return {};
    }

    Status begin_session(std::string_view id) {
        finish_session();
        SessionRow row;
        std::string_view state;
        if (id.empty() || id.size() > kMostSessionIdBytes) return fail(ACCP_E1004, 0, "a session id has 1 to 256 bytes");
        if (!number("version", row.version) || !number("generation", row.generation) || !number("floor", row.floor))
            return fail(ACCP_E1004, 0, kNotExported);
        sessions_.room(1);
        ids_.room(id.size());
        OpenSession *made = new (memory_.take(sizeof(OpenSession))) OpenSession(memory_, row, true);
        sessions_.push({made, ids_.size(), id.size()});
        ids_.append(id.data(), id.size());
        made->has_tail = made->loose = true;
        if (!row.version) return {};
        if (!text("state", state)) return fail(ACCP_E1004, 0, kNotExported);
        --made->row.version;
        made->written_version = made->row.version;
        batch_.set_state(state);
        return {};
    }

    // The session that was begun last goes to the queue.
    void finish_session() {
        if (sessions_.empty()) return;
        OpenSession &session = *sessions_[sessions_.size() - 1].session;
        for (const char *at = batch_.begin(), *end = at + batch_.size(); at < end;) {
            const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
            if (op.kind == StoreOp::kMid) session.tail.push(op.number);
            at += op.size();
        }
        queue_.add(session, batch_);
        batch_.clear();
    }

    // A member that is text: as it is, or in hexadecimal under NAME_hex. Views until the next line.
    bool text(std::string_view name, std::string_view &out) {
        char hex_name[16];
        TreeView tree = value_.view();
        uint32_t at = tree.find(0, name);
        if (at && tree[at].kind == ACCP_STRING) {
            out = tree.string(at);
            return true;
        }
        std::memcpy(hex_name, name.data(), name.size());
        std::memcpy(hex_name + name.size(), "_hex", 4);
        at = tree.find(0, {hex_name, name.size() + 4});
        if (!at || tree[at].kind != ACCP_STRING) return false;
        return decode_hex(tree.string(at), out);
    }
    // In place: two digits never become more than one byte.
    bool decode_hex(std::string_view hex, std::string_view &out) {
        char *to = const_cast<char *>(hex.data());
        for (size_t i = 0; i + 1 < hex.size(); i += 2) {
            unsigned byte = 0;
            if (std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16).ptr != hex.data() + i + 2) return false;
            to[i / 2] = static_cast<char>(byte);
        }
        out = {to, hex.size() / 2};
        return hex.size() % 2 == 0;
    }
    bool number(std::string_view name, uint64_t &out) {
        TreeView tree = value_.view();
        uint32_t at = tree.find(0, name);
        if (!at || tree[at].kind != ACCP_INT) return false;
        std::string_view digits = tree.string(at);
        auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return read.ec == std::errc{} && read.ptr == digits.data() + digits.size() && out <= INT64_MAX;
    }

    Memory &memory_;
    Backend &backend_;
    CommitQueue queue_;
    StoreBatch batch_;
    JsonReader reader_;
    Value value_;
    Buffer<char> ids_;
    Buffer<Session> sessions_;
};

}  // namespace

Status Store::import(std::string_view text) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    if (status.failed()) return status;
    Importer importer(memory_, *inside_->backend);
    status = importer.read(text);
    return status.ok() ? importer.store() : status;
}

}  // namespace accp

// store/memory_backend.cc

// See memory_backend.h: opening, and what changes sessions.

// Sessions in memory: for tests, for hosts that need nothing kept, and as what the other backends are compared with.


// A session of the memory backend. What it keeps are copies of the operations that made it, each in a block of its own.



// Open addressing over numbers that are not 0; whoever has one says how numbers hash, and which of them is meant.



namespace accp {

class Slots {
public:
    explicit Slots(Memory &memory) : memory_(&memory) {}
    Slots(const Slots &) = delete;
    Slots &operator=(const Slots &) = delete;
    ~Slots() { memory_->give(slots_, capacity_ * sizeof(uint64_t)); }

    uint64_t count() const { return count_; }

    // Room for `extra` more. Takes memory or leaves all as it is.
    template <class HashOf>
    void reserve(size_t extra, HashOf hash_of) {
        if (2 * (count_ + extra) <= capacity_) return;
        size_t capacity = capacity_ ? capacity_ : 8, old_capacity = capacity_;
        while (capacity < 2 * (count_ + extra)) capacity *= 2;
        uint64_t *slots = static_cast<uint64_t *>(memory_->take(capacity * sizeof(uint64_t))), *old = slots_;
        std::memset(slots, 0, capacity * sizeof(uint64_t));
        slots_ = slots;
        capacity_ = capacity;
        for (size_t i = 0; i < old_capacity; ++i)
            if (old[i]) slots_[place(hash_of(old[i]), [](uint64_t) { return false; })] = old[i];
        memory_->give(old, old_capacity * sizeof(uint64_t));
    }

    // The number that is_it() takes, or 0.
    template <class IsIt>
    uint64_t find(uint64_t hash, IsIt is_it) const {
        return capacity_ ? slots_[place(hash, is_it)] : 0;
    }
    // After reserve(): a number that is not in it.
    void add(uint64_t hash, uint64_t number) {
        slots_[place(hash, [](uint64_t) { return false; })] = number;
        ++count_;
    }
    // Forgets all numbers; the memory stays.
    void clear() {
        if (slots_) std::memset(slots_, 0, capacity_ * sizeof(uint64_t));
        count_ = 0;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i < capacity_; ++i)
            if (slots_[i]) visit(slots_[i]);
    }

private:
    template <class IsIt>
    size_t place(uint64_t hash, IsIt is_it) const {
        size_t at = hash & (capacity_ - 1);
        while (slots_[at] && !is_it(slots_[at])) at = (at + 1) & (capacity_ - 1);
        return at;
    }

    Memory *memory_;
    uint64_t *slots_ = nullptr;
    size_t capacity_ = 0;
    size_t count_ = 0;
};

}  // namespace accp

namespace accp {

class MemorySession {
public:
    MemorySession(Memory &memory, std::string_view name, uint64_t seed)
        : id(memory), log(memory), blobs(memory), grants(memory), mids(memory), memory_(&memory), seed_(seed) {
        id.append(name.data(), name.size());
    }
    ~MemorySession() {
        for (Buffer<StoreOp *> *list : {&log, &blobs, &grants})
            for (size_t i = 0; i < list->size(); ++i) drop((*list)[i]);
        drop(state);
    }

    std::string_view name() const { return {id.data(), id.size()}; }

    // The memory that applying an operation needs, beside the copy of the operation itself; as many more wait to be applied.
    void reserve(const StoreOp &op, size_t waiting) {
        if (op.kind == StoreOp::kAppend) log.room(waiting + 1);
        if (op.kind == StoreOp::kPut) blobs.room(waiting + 1);
        if (op.kind == StoreOp::kGrant) grants.room(waiting + 1);
        if (op.kind == StoreOp::kMid) mids.reserve(waiting + 1, [this](uint64_t kept) { return hash(kept); });
    }
    static bool is_kept(const StoreOp &op) {
        return op.kind == StoreOp::kAppend || op.kind == StoreOp::kState || op.kind == StoreOp::kPut || op.kind == StoreOp::kGrant;
    }
    // `kept`: a copy of an operation that is kept, which is the session's from here on. Takes no memory.
    void apply(const StoreOp &op, StoreOp *kept);

    bool has_mid(uint64_t word) const {
        return mids.find(hash(word + 1), [&](uint64_t kept) { return kept == word + 1; }) != 0;
    }
    const StoreOp *find_blob(Tier tier, std::string_view key) const {
        size_t at = blob_place(tier, key);
        return at < blobs.size() && is_at(*blobs[at], tier, key) ? blobs[at] : nullptr;
    }
    // Blobs for which `goes` says so are dropped; the same of grants. Returns how many.
    template <class Goes>
    uint64_t drop_if(Buffer<StoreOp *> &list, Goes goes) {
        size_t kept = 0, count = list.size();
        for (size_t i = 0; i < count; ++i)
            if (goes(*list[i])) drop(list[i]);
            else list[kept++] = list[i];
        list.resize_down(kept);
        return count - kept;
    }

    Buffer<char> id;
    SessionRow row;
    Buffer<StoreOp *> log;     // by sequence, from 1
    Buffer<StoreOp *> blobs;   // by tier and key
    Buffer<StoreOp *> grants;  // by grantee and prefix
    Slots mids;                // each word and one
    StoreOp *state = nullptr;

private:
    static bool is_at(const StoreOp &op, Tier tier, std::string_view key) { return op.tier == tier && op.key() == key; }
    uint64_t hash(uint64_t kept) const { return seeded_hash(reinterpret_cast<const char *>(&kept), sizeof kept, seed_); }
    size_t blob_place(Tier tier, std::string_view key) const {
        auto before = [&](const StoreOp *op, int) { return op->tier != tier ? op->tier < tier : op->key() < key; };
        return static_cast<size_t>(std::lower_bound(blobs.data(), blobs.data() + blobs.size(), 0, before) - blobs.data());
    }
    size_t grant_place(const StoreOp &of) const {
        auto before = [&](const StoreOp *op, int) { return op->bytes() != of.bytes() ? op->bytes() < of.bytes() : op->key() < of.key(); };
        return static_cast<size_t>(std::lower_bound(grants.data(), grants.data() + grants.size(), 0, before) - grants.data());
    }
    // At `place` stands what is replaced or taken out (`there`), or what comes behind it.
    void put(Buffer<StoreOp *> &list, size_t place, bool there, StoreOp *kept);
    void drop(StoreOp *op) {
        if (op) memory_->give(op, op->size());
    }

    Memory *memory_;
    uint64_t seed_;
};

}  // namespace accp

namespace accp {

class MemoryBackend final : public Backend {
public:
    MemoryBackend(Memory &memory, bool writes)
        : memory_(memory), sessions_(memory), by_id_(memory), copies_(memory), seed_(random_seed()), writes_(writes) {}
    ~MemoryBackend() override {
        for (size_t i = 0; i < sessions_.size(); ++i) end(sessions_[i]);
    }

    bool is_durable_at_once() const override { return true; }

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue) override;
    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status erase_session(std::string_view id) override;
    Status check(OpenSession &open, bool fresh, SessionRow &now) override;

    // memory_read.cc
    Status state(const OpenSession &open, Buffer<char> &out) override;
    Status scan(const OpenSession &open, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes, StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) override;
    Status read_tail(OpenSession &) override { return {}; }
    Status has_mid(OpenSession &open, uint64_t word, bool &out) override;
    Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row, Buffer<char> *out) override;
    Status verify(void (*)(const Damage &, void *), void *) override { return {}; }
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;

private:
    // Copies of operations that no session has yet.
    struct Copies {
        explicit Copies(MemoryBackend &of) : backend(of) {}
        ~Copies() {
            for (size_t i = 0; i < backend.copies_.size(); ++i) backend.memory_.give(backend.copies_[i], backend.copies_[i]->size());
            backend.copies_.clear();
        }
        MemoryBackend &backend;
    };

    // Sessions that a write made, and takes away again if it goes no further.
    struct Made {
        explicit Made(MemoryBackend &of) : backend(of), before(of.sessions_.size()) {}
        ~Made() {
            for (size_t i = before; i < backend.sessions_.size(); ++i) {
                backend.end(backend.sessions_[i]);
                backend.sessions_[i] = nullptr;
            }
        }
        MemoryBackend &backend;
        size_t before;
    };

    static Status gone() { return fail(ACCP_ERR_CLOSED, 0, kErased); }
    static void copy(std::string_view from, Buffer<char> &to) {
        to.clear();
        to.append(from.data(), from.size());
    }

    void prepare(const OpenSession &open, const CommitQueue &queue);
    MemorySession *at(uint64_t number) { return sessions_[number - 1]; }
    uint64_t hash(std::string_view id) const { return seeded_hash(id.data(), id.size(), seed_); }
    MemorySession *find(std::string_view id) {
        uint64_t number = by_id_.find(hash(id), [&](uint64_t number) { return at(number) && at(number)->name() == id; });
        return number ? at(number) : nullptr;
    }
    MemorySession *make(std::string_view id);
    void end(MemorySession *session);

    Memory &memory_;
    Buffer<MemorySession *> sessions_;  // by number, from 1; NULL: erased
    Slots by_id_;
    Buffer<StoreOp *> copies_;
    uint64_t seed_;
    bool writes_;
};

}  // namespace accp


namespace accp {

Status open_memory_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    if (place.name != "memory:") return fail(ACCP_ERR_ARG, 0, "a store is memory: or sqlite:PATH");
    out = make_backend<MemoryBackend>(memory, place.writes);
    return {};
}

Status MemoryBackend::open_session(std::string_view id, bool writes, SessionRow &out) {
    if (writes && !writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    MemorySession *session = find(id);
    if (!session && !writes) return fail(ACCP_E2001, 0, kNoSession);
    if (!session) session = make(id);
    if (writes) ++session->row.fence;
    out = session->row;
    return {};
}

Status MemoryBackend::write(CommitQueue &queue) {
    Made made(*this);
    Status status;
    queue.each_session([&](OpenSession &open) {
        if (open.new_id.empty() || status.failed()) return;
        if (find(open.new_id)) status = fail(ACCP_ERR_BUSY, 0, kIsThere);
        if (status.ok()) open.row.number = make(open.new_id)->row.number;
        open.row.fence = 0;
    });
    if (status.failed()) return status;
    queue.each_session([this](OpenSession &open) {
        SessionRow now;
        (void)check(open, true, now);  // which marks it
    });
    Copies copies(*this);
    queue.each_session([&](OpenSession &open) {
        if (!open.lost) prepare(open, queue);
    });
    size_t next = 0;  // nothing from here on takes memory
    queue.each_session([&](OpenSession &open) {
        if (open.lost) return;
        MemorySession &session = *at(open.row.number);
        queue.each_of(open, [&](const StoreOp &op) { session.apply(op, MemorySession::is_kept(op) ? copies_[next++] : nullptr); });
        session.row = open.row;
        open.tail.clear();
    });
    copies_.clear();
    made.before = sessions_.size();
    return {};
}

Status MemoryBackend::prune(const PrunePolicy &policy, uint64_t &pruned) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    pruned = 0;
    for (size_t i = 0; i < sessions_.size(); ++i) {
        if (!sessions_[i]) continue;
        MemorySession &session = *sessions_[i];
        uint64_t below = pruned_below(policy, session.row);
        pruned += session.drop_if(session.blobs, [&](const StoreOp &op) {
            return has_expired(op.number, policy.now) || (op.generation && op.generation < below);
        });
        pruned += session.drop_if(session.grants, [&](const StoreOp &op) { return has_expired(op.number, policy.now); });
    }
    return {};
}

Status MemoryBackend::erase_session(std::string_view id) {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    MemorySession *session = find(id);
    if (!session) return fail(ACCP_E2001, 0, kNoSession);
    for (size_t i = 0; i < sessions_.size(); ++i)
        if (sessions_[i]) sessions_[i]->drop_if(sessions_[i]->grants, [&](const StoreOp &op) { return op.bytes() == session->name(); });
    sessions_[session->row.number - 1] = nullptr;
    end(session);
    return {};
}

Status MemoryBackend::check(OpenSession &open, bool, SessionRow &now) {
    MemorySession *session = at(open.row.number);
    open.erased = !session;
    open.lost |= !session || (open.writes && session->row.fence != open.row.fence);
    if (session) now = session->row;
    return {};
}

void MemoryBackend::prepare(const OpenSession &open, const CommitQueue &queue) {
    MemorySession &session = *at(open.row.number);
    size_t waiting = 0;
    queue.each_of(open, [&](const StoreOp &op) {
        session.reserve(op, waiting++);
        if (!MemorySession::is_kept(op)) return;
        copies_.room(1);
        StoreOp *copied = static_cast<StoreOp *>(memory_.take(op.size()));
        std::memcpy(copied, &op, op.size());
        copies_.push(copied);
    });
}

MemorySession *MemoryBackend::make(std::string_view id) {
    sessions_.room(1);
    by_id_.reserve(1, [this](uint64_t number) { return at(number) ? hash(at(number)->name()) : 0; });
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.give(room, sizeof(MemorySession)); }
    } room = {memory_, memory_.take(sizeof(MemorySession))};
    MemorySession *made = new (room.room) MemorySession(memory_, id, seed_);
    room.room = nullptr;
    sessions_.push(made);
    made->row.number = sessions_.size();
    by_id_.add(hash(id), sessions_.size());
    return made;
}

void MemoryBackend::end(MemorySession *session) {
    if (!session) return;
    session->~MemorySession();
    memory_.give(session, sizeof(MemorySession));
}

}  // namespace accp

// store/memory_read.cc

// See memory_backend.h: what sessions have.

namespace accp {

Status MemoryBackend::state(const OpenSession &open, Buffer<char> &out) {
    MemorySession *session = at(open.row.number);
    out.clear();
    if (session && session->state) copy(session->state->bytes(), out);
    return session ? Status{} : gone();
}

Status MemoryBackend::scan(const OpenSession &open, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes,
                           StoreRecords &out) {
    MemorySession *session = at(open.row.number);
    if (!session) return gone();
    uint64_t count = last - first + 1;
    for (uint64_t i = 0; i < count && (i == 0 || out.bytes() < most_bytes); ++i) {
        uint64_t seq = newest_first ? last - i : first + i;
        out.add(seq, session->log[seq - 1]->bytes());
    }
    return {};
}

Status MemoryBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) {
    MemorySession *session = at(number);
    const StoreOp *found = session ? session->find_blob(tier, key) : nullptr;
    if (!found) return session ? fail(ACCP_E2001, 0, kNoBlob) : gone();
    row = {found->tier, found->number, found->generation};
    copy(found->bytes(), out);
    return {};
}

Status MemoryBackend::has_mid(OpenSession &open, uint64_t word, bool &out) {
    MemorySession *session = at(open.row.number);
    out = session && session->has_mid(word);
    return session ? Status{} : gone();
}

Status MemoryBackend::find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row, Buffer<char> *out) {
    MemorySession *from = find(wanted.owner), *to = at(grantee.row.number);
    if (!to) return gone();
    for (size_t i = 0; from && i < from->grants.size(); ++i) {
        const StoreOp &grant = *from->grants[i];
        if (grant.bytes() != to->name() || !wanted.name.starts_with(grant.key()) || has_expired(grant.number, wanted.now)) continue;
        return out ? blob(from->row.number, wanted.tier, wanted.key, row, *out) : Status{};
    }
    return fail(ACCP_E5002, 0, kNotGranted);
}

Status MemoryBackend::stats(StoreStats &out) {
    out = {};
    for (size_t i = 0; i < sessions_.size(); ++i) {
        if (!sessions_[i]) continue;
        const MemorySession &session = *sessions_[i];
        ++out.sessions;
        out.records += session.log.size();
        out.blobs += session.blobs.size();
        out.grants += session.grants.size();
        out.mids += session.mids.count();
        for (size_t at = 0; at < session.log.size(); ++at) out.record_bytes += session.log[at]->bytes_len;
        for (size_t at = 0; at < session.blobs.size(); ++at) out.blob_bytes += session.blobs[at]->bytes_len;
    }
    return {};
}

Status MemoryBackend::next_session(uint64_t &after, Buffer<char> &out) {
    while (after < sessions_.size()) {
        MemorySession *session = at(++after);
        if (!session) continue;
        copy(session->name(), out);
        return {};
    }
    return fail(ACCP_E2001, 0, kNoSession);
}

Status MemoryBackend::export_session(std::string_view id, SessionSink &sink) {
    MemorySession *session = find(id);
    if (!session) return fail(ACCP_E2001, 0, kNoSession);
    Status status = sink.row(id, session->row, session->state ? session->state->bytes() : std::string_view());
    for (size_t i = 0; status.ok() && i < session->log.size(); ++i) status = sink.record(i + 1, session->log[i]->bytes());
    for (size_t i = 0; status.ok() && i < session->blobs.size(); ++i) {
        const StoreOp &blob = *session->blobs[i];
        status = sink.blob(blob.key(), {blob.tier, blob.number, blob.generation}, blob.bytes());
    }
    for (size_t i = 0; status.ok() && i < session->grants.size(); ++i) {
        const StoreOp &grant = *session->grants[i];
        status = sink.grant(grant.bytes(), grant.key(), grant.number);
    }
    session->mids.each([&](uint64_t kept) {
        if (status.ok()) status = sink.mid(kept - 1);
    });
    return status;
}

}  // namespace accp

// store/memory_session.cc

// See memory_session.h: an operation, applied.

namespace accp {

void MemorySession::put(Buffer<StoreOp *> &list, size_t place, bool there, StoreOp *kept) {
    if (there && kept) {
        drop(list[place]);
        list[place] = kept;
    } else if (there) {
        drop(list[place]);
        std::memmove(&list[place], &list[place] + 1, (list.size() - place - 1) * sizeof(StoreOp *));
        list.resize_down(list.size() - 1);
    } else if (kept) {
        list.room(1);
        std::memmove(list.data() + place + 1, list.data() + place, (list.size() - place) * sizeof(StoreOp *));
        list.data()[place] = kept;
        list.advance(1);
    }
}

void MemorySession::apply(const StoreOp &op, StoreOp *kept) {
    switch (op.kind) {
        case StoreOp::kAppend: log.push(kept); break;
        case StoreOp::kState:
            drop(state);
            state = kept;
            break;
        case StoreOp::kPut:
        case StoreOp::kErase: put(blobs, blob_place(op.tier, op.key()), find_blob(op.tier, op.key()) != nullptr, kept); break;
        case StoreOp::kGrant:
        case StoreOp::kRevoke: {
            size_t at = grant_place(op);
            put(grants, at, at < grants.size() && grants[at]->bytes() == op.bytes() && grants[at]->key() == op.key(), kept);
            break;
        }
        case StoreOp::kMid:
            if (!has_mid(op.number)) mids.add(hash(op.number + 1), op.number + 1);
            break;
        default: break;  // the floor is in the row
    }
}

}  // namespace accp

// store/queue.cc

// See queue.h and batch.h.


namespace accp {

namespace {

// 48 bits of twelve lower-case hexadecimal digits; false for anything else.
bool read_standard_mid(std::string_view mid, uint64_t &out) {
    if (mid.size() != kMidBytes) return false;
    out = 0;
    for (char c : mid) {
        uint64_t digit;
        if (c >= '0' && c <= '9') digit = static_cast<uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f') digit = static_cast<uint64_t>(c - 'a') + 10;
        else return false;
        out = out << 4 | digit;
    }
    return true;
}

uint64_t hashed_word(std::string_view text) {
    constexpr uint64_t kHashed = uint64_t{1} << 62;
    const Digest digest = sha256(text);
    uint64_t word = 0;
    for (char c : digest.first(16)) word = word << 4 | static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    return kHashed | (word & (kHashed - 1));
}

}  // namespace

uint64_t mid_word(std::string_view mid) {
    uint64_t word;
    return read_standard_mid(mid, word) ? word : hashed_word(mid);
}

uint64_t mid_word(std::string_view agent, std::string_view mid) {
    char text[kMostSenderBytes + 1 + kMostMidBytes];
    const bool is_short = agent.size() <= kMostSenderBytes;
    const Digest digest = is_short ? Digest{} : sha256(agent);
    char *to = text + (is_short ? agent : digest.view()).copy(text, kMostSenderBytes);
    *to++ = is_short ? '>' : '\0';
    to += mid.copy(to, kMostMidBytes);
    return hashed_word({text, static_cast<size_t>(to - text)});
}

Status check_op(const StoreOp &op) {
    switch (op.kind) {
        case StoreOp::kState:
            if (op.bytes_len > kMostStateBytes) return fail(ACCP_ERR_ARG, 0, "a state has at most 128 KiB");
            break;
        case StoreOp::kPut:
            if (op.key_len == 0) return fail(ACCP_ERR_ARG, 0, "a blob's key is empty");
            break;
        case StoreOp::kGrant:
            if (op.bytes_len == 0 || op.bytes_len > kMostSessionIdBytes) return fail(ACCP_ERR_ARG, 0, "a session id has 1 to 256 bytes");
            break;
        default: break;
    }
    return {};
}

void StoreBatch::add(StoreOp op, std::string_view key, std::string_view bytes) {
    if (key.size() > kMostBlobKeyBytes || bytes.size() > kMostBlobBytes) {
        broken_ = true;
        return;
    }
    op.key_len = static_cast<uint16_t>(key.size());
    op.bytes_len = static_cast<uint32_t>(bytes.size());
    char *to = ops_.room(op.size());
    std::memset(to + op.size() - 8, 0, 8);  // what fills the last word up
    std::memcpy(to, &op, sizeof op);
    if (!key.empty()) std::memcpy(to + sizeof op, key.data(), key.size());
    if (!bytes.empty()) std::memcpy(to + sizeof op + key.size(), bytes.data(), bytes.size());
    ops_.advance(op.size());
    ++count_;
}

void CommitQueue::add(OpenSession &session, const StoreBatch &batch) {
    size_t at = bytes_.size();
    char *to = bytes_.room(sizeof(Commit) + batch.size());
    Commit head = {&session, 0, batch.size()};
    std::memcpy(to, &head, sizeof head);
    if (batch.size()) std::memcpy(to + sizeof head, batch.begin(), batch.size());
    bytes_.advance(sizeof head + batch.size());

    SessionRow &row = session.row;
    for (char *op_at = to + sizeof head, *end = op_at + batch.size(); op_at < end;) {
        StoreOp &op = *reinterpret_cast<StoreOp *>(op_at);
        if (op.kind == StoreOp::kAppend) op.number = ++row.last;
        if (op.kind == StoreOp::kState) op.number = ++row.version;
        if (op.kind == StoreOp::kFloor && op.number > row.floor) row.floor = op.number;
        if (op.kind == StoreOp::kPut && op.generation > row.generation) row.generation = op.generation;
        op_at += op.size();
    }
    (session.first ? at_offset(session.newest - 1).next : session.first) = at + 1;
    session.newest = at + 1;
}

void CommitQueue::take_back(size_t size, OpenSession &session, uint64_t newest) {
    bytes_.resize_down(size);
    session.newest = newest;
    if (newest) at_offset(newest - 1).next = 0;
    else session.first = 0;
}

}  // namespace accp

// store/session.cc

// See store.h: what an open session does. Reads see the queue first, and then the backend.


namespace accp {

namespace {

// Does this batch suit the session as it stands? Counts its mids.
Status check_batch(const StoreBatch &batch, const OpenSession &session, uint64_t last, uint64_t version, size_t &mids) {
    if (batch.broken()) return fail(ACCP_ERR_ARG, 0, "a key of more than 256 bytes, or a text of more than 64 MiB");
    if (batch.appends() && last != session.row.last) return fail(ACCP_ERR_BUSY, 0, "the log has grown since");
    if (batch.appends() > kMostRecords - session.row.last) return fail(ACCP_ERR_ARG, 0, "the log is full");
    for (const char *at = batch.begin(), *end = at + batch.size(); at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        Status status = check_op(op);
        if (status.failed()) return status;
        if (op.kind == StoreOp::kState && version != session.row.version) return fail(ACCP_ERR_BUSY, 0, "the state has changed since");
        mids += op.kind == StoreOp::kMid;
        at += op.size();
    }
    return {};
}

// Takes back what a commit did that goes no further, by a failure or for want of memory. The queue then ends with this commit, or before it.
struct Undo {
    Undo(CommitQueue &to, OpenSession &of)
        : queue(to), session(of), row(of.row), tail(of.tail.size()), size(to.size()), newest(of.newest) {}
    ~Undo() {
        if (!wanted) return;
        queue.take_back(size, session, newest);
        session.row = row;
        session.tail.resize_down(tail);
    }

    CommitQueue &queue;
    OpenSession &session;
    SessionRow row;
    size_t tail;
    size_t size;
    uint64_t newest;
    bool wanted = true;
};

bool is_blob(const StoreOp &op, Tier tier, std::string_view key) {
    return (op.kind == StoreOp::kPut || op.kind == StoreOp::kErase) && op.tier == tier && op.key() == key;
}

void copy(std::string_view from, Buffer<char> &to) {
    to.clear();
    to.append(from.data(), from.size());
}

}  // namespace

Status StoreSession::commit(const StoreBatch &batch, uint64_t last, uint64_t version) {
    if (!inside_.writes) return fail(ACCP_ERR_ARG, 0, "the session was opened to read");
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    Store::Inside &store = *store_->inside_;
    if (inside_.lost) return mine();
    size_t mids = 0;
    Status status = check_batch(batch, inside_, last, version, mids);
    if (status.ok() && mids) status = seal(load_tail());
    if (status.ok() && !store.queue.empty() && store.queue.size() + batch.size() > kMostQueuedBytes) status = store.write();
    if (status.failed() || batch.empty()) return status;
    if (inside_.lost) return mine();

    Undo undo(store.queue, inside_);
    inside_.tail.room(mids);
    store.queue.add(inside_, batch);
    for (const char *at = batch.begin(), *end = at + batch.size(); mids && at < end;) {
        const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
        if (op.kind == StoreOp::kMid) inside_.tail.push(op.number);
        at += op.size();
    }
    if (store.backend->is_durable_at_once()) status = store.write();
    if (status.failed()) return status;
    undo.wanted = false;
    return mine();
}

Status StoreSession::mine() const { return inside_.lost ? fail(ACCP_ERR_CLOSED, 0, inside_.erased ? kErased : kLost) : Status{}; }

// After a read: what it found, or missed, counts only while the session is this handle's. What another writer or an eraser leaves is no damage.
Status StoreSession::seal(const Status &found) {
    if (found.code < 0 && found.code != ACCP_ERR_CORRUPT) return found;
    SessionRow now;
    Status status = store_->inside_->backend->check(inside_, false, now);
    if (status.ok()) status = mine();
    return status.failed() ? status : found;
}

Status StoreSession::check() {
    bool moved;
    return follow(moved);
}

Status StoreSession::follow(bool &moved) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    SessionRow now;
    moved = false;
    Status status = store_->inside_->backend->check(inside_, true, now);
    if (status.ok()) status = mine();
    if (status.failed() || inside_.writes) return status;
    moved = now.version != inside_.row.version;
    if (moved) inside_.row = now;
    return {};
}

Status StoreSession::sync() {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    Status status = store_->inside_->write();
    if (status.failed()) return status;
    return mine();
}

Status StoreSession::load_tail() {
    if (inside_.has_tail) return {};
    Status status = store_->inside_->backend->read_tail(inside_);
    inside_.has_tail = status.ok();
    return status;
}

Status StoreSession::state(Buffer<char> &out) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    const StoreOp *found = nullptr;
    store_->inside_->queue.each_of(inside_, [&](const StoreOp &op) {
        if (op.kind == StoreOp::kState) found = &op;
    });
    if (found) {
        copy(found->bytes(), out);
        return mine();
    }
    Status status = seal(store_->inside_->backend->state(inside_, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::scan(uint64_t first, uint64_t last, bool newest_first, size_t most_bytes, StoreRecords &out) {
    out.clear();
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    if (inside_.lost) return mine();  // what it committed since is nowhere
    if (!last || last > inside_.row.last) last = inside_.row.last;
    if (!first) first = 1;
    if (first > last) return {};
    if (last > inside_.written) {  // rare: what was just appended is still with whoever appended it
        Status status = store_->inside_->write();
        if (status.failed()) return status;
        if (inside_.lost) return mine();
    }
    Status status = seal(store_->inside_->backend->scan(inside_, first, last, newest_first, most_bytes, out));
    if (status.failed()) out.clear();
    return status;
}

Status StoreSession::blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    const StoreOp *found = nullptr;
    store_->inside_->queue.each_of(inside_, [&](const StoreOp &op) {
        if (is_blob(op, tier, key)) found = &op;
    });
    BlobRow row;
    if (found && found->kind == StoreOp::kErase) return fail(ACCP_E2001, 0, kNoBlob);
    if (found) {
        row.expires = found->number;
        copy(found->bytes(), out);
    } else {
        Status status = seal(store_->inside_->backend->blob(inside_.row.number, tier, key, row, out));
        if (status.failed()) {
            out.clear();
            return status;
        }
    }
    if (!has_expired(row.expires, now)) return {};
    out.clear();
    return fail(ACCP_E2002, 0, "the blob has expired");
}

Status StoreSession::has_mid_word(uint64_t word, bool &out) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    Status status = load_tail();
    bool found = false;
    for (size_t i = 0; status.ok() && i < inside_.tail.size(); ++i) found |= inside_.tail[i] == word;
    if (status.ok() && !found) status = store_->inside_->backend->has_mid(inside_, word, found);
    out = found;
    return seal(status);
}

// Behind the lock. out: the blob too.
Status StoreSession::find_shared(std::string_view owner, Tier tier, std::string_view key, uint64_t now, Buffer<char> *out) {
    if (key.size() > kMostBlobKeyBytes) return fail(ACCP_E5002, 0, kNotGranted);
    char name[8 + kMostBlobKeyBytes];
    std::string_view tier_name = kTierNames[static_cast<int>(tier)];
    std::memcpy(name, tier_name.data(), tier_name.size());
    name[tier_name.size()] = '.';
    if (!key.empty()) std::memcpy(name + tier_name.size() + 1, key.data(), key.size());
    Store::Inside &store = *store_->inside_;
    store.latest = now > store.latest ? now : store.latest;  // a clock that goes back brings no grant back
    BlobRow row;
    Status status =
        store.backend->find_shared({owner, {name, tier_name.size() + 1 + key.size()}, tier, key, store.latest}, inside_, row, out);
    status = seal(status);
    if (status.ok() && out && has_expired(row.expires, now)) status = fail(ACCP_E2002, 0, "the blob has expired");
    if (status.failed() && out) out->clear();
    return status;
}

Status StoreSession::check_grant(std::string_view owner, Tier tier, std::string_view key, uint64_t now) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    return find_shared(owner, tier, key, now, nullptr);
}

Status StoreSession::shared_blob(std::string_view owner, Tier tier, std::string_view key, uint64_t now, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(store_->inside_->lock);
    return find_shared(owner, tier, key, now, &out);
}

void StoreSession::close() {
    Store::Inside &store = *store_->inside_;
    std::lock_guard<std::mutex> held(store.lock);
    inside_.closed = true;
    if (!inside_.first) store.release(this);
}

}  // namespace accp

// store/sqlite_place.cc

// See sqlite_place.h.

// What the operating system says of the place of a store file: asked before SQLite touches it, and while it is open.



namespace accp {

// Refuses what is no file: of a device SQLite would make a journal beside it. Makes a file that is missing, its owner's alone (0600, whatever the umask);
// SQLite gives its log and its shared memory the same mode. To be called by one thread at a time, with what opens the file then.
Status claim_file(const char *path, bool create);

// Is the file's directory one that cannot be written?
bool is_in_fixed_directory(const char *path);

// The path as SQLite opens it where nothing beside it can be written, and nobody writes: appended, with a NUL.
void write_immutable(const char *path, Buffer<char> &out);

// Which file a path leads to: none before look().
class FileIdentity {
public:
    void look(const char *path);
    bool is_there_still(const char *path) const;
    uint64_t size() const { return size_; }

private:
    bool known_ = false;
    dev_t device_ = 0;
    ino_t number_ = 0;
    uint64_t size_ = 0;
};

}  // namespace accp



namespace accp {

Status claim_file(const char *path, bool create) {
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    struct stat found = {};
    if (stat(path, &found) == 0)
        return S_ISREG(found.st_mode) ? Status{} : fail(ACCP_ERR_ARG, 0, "not a file, but a directory or a device");
    if (errno != ENOENT || !create) return {};  // SQLite says what is wrong
    int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
    if (made < 0 && errno == EEXIST) made = open(path, O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);  // a link that leads to nothing
    if (made >= 0) close(made);
    return {};
}

bool is_in_fixed_directory(const char *path) {
    char directory[4096] = ".";
    const char *end = std::strrchr(path, '/');
    const size_t len = end == path ? 1 : end ? static_cast<size_t>(end - path) : 0;
    if (len >= sizeof directory) return false;
    if (len) {
        std::memcpy(directory, path, len);
        directory[len] = 0;
    }
    return access(directory, W_OK) != 0 && (errno == EACCES || errno == EROFS);
}

void write_immutable(const char *path, Buffer<char> &out) {
    auto put = [&](const char *text) { out.append(text, std::strlen(text)); };
    put(path[0] == '/' ? "file://" : "file:");
    for (; *path; ++path) {
        const unsigned char c = static_cast<unsigned char>(*path);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::strchr("/._-", c);
        const char escape[] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15], 0};
        const char itself[] = {*path, 0};
        put(plain ? itself : escape);
    }
    put("?immutable=1");
    out.push('\0');
}

void FileIdentity::look(const char *path) {
    struct stat found = {};
    known_ = stat(path, &found) == 0;
    device_ = found.st_dev;
    number_ = found.st_ino;
    size_ = static_cast<uint64_t>(found.st_size);
}

bool FileIdentity::is_there_still(const char *path) const {
    struct stat found = {};
    return !known_ || (stat(path, &found) == 0 && found.st_dev == device_ && found.st_ino == number_);
}

}  // namespace accp

// store/store.cc

// See store.h: the store. session.cc has what its sessions do.



namespace accp {

Store::Store(const Settings &settings) : settings_(settings), memory_(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)) {}

Store::~Store() {
    if (!inside_) return;
    inside_->release_closed();
    end_backend(memory_, inside_->backend);
    inside_->~Inside();
    memory_.give(inside_, sizeof(Inside));
}

Status Store::open(const StorePlace &place) {
    Backend *backend = nullptr;
    Status status = open_memory_backend(memory_, place, backend);
    if (status.code == ACCP_ERR_ARG && !backend) status = open_sqlite_backend(memory_, place, backend);
    if (status.failed()) return status;
    struct Holder {
        Memory &memory;
        Backend *backend;
        ~Holder() { end_backend(memory, backend); }
    } holder = {memory_, backend};
    inside_ = new (memory_.take(sizeof(Inside))) Inside(memory_, *backend);
    holder.backend = nullptr;
    return {};
}

// All that is queued becomes durable, or stays where it is.
Status Store::Inside::write() {
    if (queue.empty()) return {};
    Status status = backend->write(queue);
    if (status.failed()) return status;
    queue.each([](CommitQueue::Commit &commit) {
        if (commit.next) return;
        OpenSession &session = *commit.session;
        session.written = session.row.last;
        session.written_version = session.row.version;
        session.first = session.newest = 0;
    });
    release_closed();
    queue.clear();
    return {};
}

// Each session once: with the last of its commits.
void Store::Inside::release_closed() {
    queue.each([this](CommitQueue::Commit &commit) {
        if (!commit.next && commit.session->closed) release(commit.session->handle);
    });
}

void Store::Inside::release(StoreSession *session) {
    session->~StoreSession();
    memory.give(session, sizeof(StoreSession));
}

Status Store::open_session(std::string_view id, bool writes, StoreSession *&out) {
    if (id.empty() || id.size() > kMostSessionIdBytes) return fail(ACCP_ERR_ARG, 0, "a session id has 1 to 256 bytes");
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();  // an earlier writer's commits were accepted: they come first
    if (status.failed()) return status;
    struct Room {
        Memory &memory;
        void *room;
        ~Room() { memory.give(room, sizeof(StoreSession)); }
    } room = {memory_, memory_.take(sizeof(StoreSession))};
    SessionRow row;
    status = inside_->backend->open_session(id, writes, row);
    if (status.failed()) return status;
    out = new (room.room) StoreSession(*this, memory_, row, writes);
    room.room = nullptr;
    return {};
}

Status Store::sync() {
    std::lock_guard<std::mutex> held(inside_->lock);
    return inside_->write();
}

Status Store::close() { return inside_ ? sync() : Status{}; }

Status Store::prune(const PrunePolicy &policy, uint64_t &pruned) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->prune(policy, pruned);
}

Status Store::verify(void (*report)(const Damage &damage, void *user), void *user) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->verify(report, user);
}

Status Store::stats(StoreStats &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->stats(out);
}

Status Store::erase_session(std::string_view id) {
    std::lock_guard<std::mutex> held(inside_->lock);
    Status status = inside_->write();
    return status.failed() ? status : inside_->backend->erase_session(id);
}

Status Store::next_session(uint64_t &after, Buffer<char> &out) {
    std::lock_guard<std::mutex> held(inside_->lock);
    return inside_->backend->next_session(after, out);
}

}  // namespace accp

// context/close.cc

// See context.h: closing a checkpoint, and what of hot survives it.


// What a model should be given of a session: specification section 5, docs/context.md. A pure engine: messages go in one by one, and at any moment a
// text comes out that is far shorter than their history. It knows no store, no clock and no thread, and the same messages make the same bytes.
//
// Hot holds the newest messages. A checkpoint takes out of them what is worth keeping, as facts and a summary, into warm; the messages themselves lie
// with the caller (cold), and the engine only names them. Nothing here looks at more than the newest message and a bounded state.


// All that a context holds between two calls: what save() writes, and the hot messages since.


// The warm tier: what the retained checkpoints keep, item by item. An item belongs to one checkpoint, and moves to a newer one where it is met again.



// The bounds of a context; a message, how it stands in one, and what kind of source it is.


namespace accp {

// In tokens; specification 5.1 and 5.2, A58.
struct ContextOptions {
    uint32_t hot_max = 500;         // hot never has more
    uint32_t hot_due = 400;         // above it a checkpoint is due, and none leaves more; so long the newest message may be
    uint32_t checkpoint_max = 200;  // of one checkpoint: its summary and its facts
    uint32_t summary_max = 100;
    uint32_t retained = 10;  // checkpoints; at most 64

    uint32_t warm_max() const { return checkpoint_max * retained; }
    uint32_t total_max() const { return hot_max + warm_max(); }
    // Nothing is zero, summary_max <= checkpoint_max <= hot_due <= hot_max <= 65,536, and hot_due >= 100.
    bool valid() const;
};

struct ContextMessage {
    std::string_view agent, intent, operation;
    TreeView tree;
    uint32_t payload;      // a map or a text in `tree`
    std::string_view ref;  // what the whole message is asked for by, such as $cold.m17; at most 64 bytes, no spaces
    uint64_t history_tokens =
        0;  // of the message as it stands in the history that the context is in place of; 0: the engine counts its compact JSON
    bool untrusted = false;  // its agent is not the host's: the context says so before its header
};

// What a context writes before the header of an untrusted message, as the render form does.
inline constexpr std::string_view kUntrustedHead = "(untrusted message) ";

// Who says something decides how long it is worth keeping.
enum class Source : uint8_t {
    kGuide,   // said once for all: notify, sync
    kTask,    // asked, and not by way of a tool
    kAct,     // what an agent does: a request with arguments
    kResult,  // what came of it
};
Source source_of(const ContextMessage &message);

// Bytes of the name of an agent or an operation in a header, and twice those of an intent: so a header is never cut (kMostLineBytes).
constexpr size_t kMaxHeadName = 64;

// Appends a name. Of a longer one its begin, `~`, which no name has, and 16 hexadecimal digits of its SHA-256: two of them are never alike.
void put_name(std::string_view name, size_t max_bytes, Buffer<char> &out);

// Are agent, intent and operation what a frame can have? E1001 says which is not.
Status check_names(const ContextMessage &message);

// Appends `@agent intent:operation`.
void write_head(const ContextMessage &message, Buffer<char> &out);

// Appends who says it, as facts name their author.
inline constexpr std::string_view kUntrustedAuthor = " (untrusted)";
void write_author(const ContextMessage &message, Buffer<char> &out);

// Appends the header, its fields, and a newline. A field whose text has lines of its own begins a line and is written raw, with the path of its key
// before it; the others are render text (docs/render.md). A payload that is a text stands in the lines behind the header, a short one in quotes in it.
void write_message(const ContextMessage &message, Memory &memory, Arena &arena, uint64_t seed, Buffer<char> &out);

// The same with its payload as compact JSON, where that is shorter.
void write_json_message(const ContextMessage &message, Memory &memory, Buffer<char> &out);

// Is there text in the payload, in words or lines, and not names and numbers alone?
bool has_text(const ContextMessage &message);

}  // namespace accp

namespace accp {

enum class Kind : uint8_t { kLine, kName, kFact };

// A hundred thousand sessions have up to kMostWarmItems of these each: 20 bytes.
struct Item {
    uint32_t message = 0;    // the newest that has it, counted from 1
    uint32_t kin = 0;        // of a name: the newest message in which an agent used one like it, or 0; of a fact: fact_lengths()
    uint16_t text = 0;       // where its text begins
    uint16_t worth = 0;      // in sixteenths, without what changes with time; of a fact: a hash of its attribute
    uint16_t order = 0;      // among the lines, or the names, of its message; of a fact: parts.cc
    uint8_t checkpoint = 0;  // its slot; 0: none, it is on its way out
    uint8_t len = 0;
    uint8_t tokens = 0;  // about, and at least 1: as a part of a text
    uint8_t part = 0;    // parts.h: exact, of its part of a text; 0: not counted yet
    Kind kind : 2 = Kind::kLine;
    Source source : 2 = Source::kResult;
    uint8_t look : 3 = 0;  // of a name: name_look(), 0: not looked at yet
    uint8_t more : 1 = 0;  // parts.h: tokens that a newline behind its part adds
};
static_assert(sizeof(Item) == 20);

// What stands for a checkpoint in an item: no two that are retained, or have just expired, have the same.
constexpr uint8_t slot_of(uint32_t checkpoint) { return static_cast<uint8_t>(1 + checkpoint % (2 * kMostRetained)); }
// How many checkpoints behind `first` the one of this slot is; a large number for one before it, or for none.
constexpr uint32_t slots_behind(uint8_t slot, uint32_t first) {
    return slot - 1u < 2 * kMostRetained ? (slot - slot_of(first)) % (2 * kMostRetained) : UINT32_MAX;
}

// Of a name that no checkpoint has room for, but that may become worth more: it is in no text.
constexpr uint8_t kLatent = 254;
constexpr uint32_t kMostLatent = 96;
// Tokens of a part whose text must be counted as a whole.
constexpr uint32_t kWholeOnly = 255;
// Of a fact that a checkpoint has still to find room for.
constexpr uint8_t kUnplaced = 255;

// The parts of a fact's text, which lie one behind another, none longer than kMostItemBytes.
struct FactParts {
    std::string_view agent, entity, attribute, value;
};
inline uint32_t fact_lengths(size_t agent, size_t entity, size_t attribute) {
    return static_cast<uint32_t>(agent | entity << 8 | attribute << 16);
}
inline FactParts fact_parts(uint32_t lengths, std::string_view text) {
    const size_t agent = lengths & 255, entity = lengths >> 8 & 255, attribute = lengths >> 16;
    return {text.substr(0, agent), text.substr(agent, entity), text.substr(agent + entity, attribute),
            text.substr(agent + entity + attribute)};
}

// Appends what a line of facts begins with: the entity, and its author where it does not begin with that.
void write_entity(const FactParts &fact, Buffer<char> &out);

class Warm {
public:
    explicit Warm(Memory &memory) : items(memory), text_(memory) {}

    std::string_view text(const Item &item) const { return {text_.data() + item.text, item.len}; }
    FactParts fact(const Item &item) const { return fact_parts(item.kin, text(item)); }
    // False where there is no room; nothing changed then.
    bool add(Item item, std::string_view text);
    // Drops the items without a checkpoint, and their text.
    void sweep();
    // Room for all that there may be, so that views of texts hold while items are added.
    void reserve() {
        items.room(kMostWarmItems);
        text_.room(kMostWarmText);
    }
    // Room for a copy of the other, and not much more.
    bool fits(const Warm &other) const { return items.fits(other.items.size()) && text_.fits(other.text_.size()); }
    void fit(const Warm &other) {
        items.fit(other.items.size());
        text_.fit(other.text_.size());
    }
    void assign(const Warm &other);
    void swap(Warm &other) noexcept {
        items.swap(other.items);
        text_.swap(other.text_);
        std::swap(bounds, other.bounds);
    }
    size_t text_bytes() const { return text_.size(); }

    Buffer<Item> items;
    // Of each checkpoint, by its id modulo 64: no more tokens than these are in its text; 0: not known. It stays right while items go.
    uint16_t bounds[kMostRetained] = {};

private:
    Buffer<char> text_;
};

// What an item is worth now, for a token of its text: in 1/65536.
uint32_t item_rate(const Item &item, std::string_view text, uint32_t now);
// Which of four looks a name has, from 1: words in capitals, numbers, compounds, and what only a name can be.
uint8_t name_look(std::string_view name);
// What a name is worth now, in sixteenths.
uint32_t name_worth(const Item &item, std::string_view name, uint32_t now);

// Appends items as a text: the lines in the order in which they were said, the facts of each entity
// and author on a line, of one entity the author last who said something last, the names on one. Sorts `order`.
void write_items(const Warm &warm, uint32_t *order, uint32_t count, Buffer<char> &out);

}  // namespace accp

namespace accp {

struct HotEntry {      // a message in hot
    uint32_t end = 0;  // of its text, the newline with it
    uint32_t tokens = 0;
    uint32_t number = 0;
    uint32_t ref_end = 0;  // in refs
    Source source = Source::kResult;
    bool closed = false;  // by a checkpoint: it is only still there
    bool stated = false;  // all that it says is facts
};

struct ContextState {
    explicit ContextState(Memory &memory) : warm(memory), hot(memory), refs(memory), facts(memory), entries(memory) {}

    Warm warm;
    Buffer<char> hot;    // the reference to the last checkpoint, then the messages
    Buffer<char> refs;   // of the entries
    Buffer<char> facts;  // records (learn.h) of what no checkpoint has closed yet
    Buffer<HotEntry> entries;
    uint32_t reference_end = 0, reference_tokens = 0;  // of the line in hot that names the last checkpoint
    uint64_t messages = 0, history = 0;
    struct Base {  // as of the last checkpoint
        uint32_t checkpoint = 0, entries = 0, tokens = 0;
        uint64_t messages = 0, history = 0;
    } base;

    std::string_view text(size_t i) const {
        uint32_t from = i ? entries[i - 1].end : reference_end;
        return {hot.data() + from, entries[i].end - from};
    }
    std::string_view ref(size_t i) const {
        uint32_t from = i ? entries[i - 1].ref_end : 0;
        return {refs.data() + from, entries[i].ref_end - from};
    }
    uint32_t hot_tokens() const {
        uint32_t tokens = reference_tokens;
        for (size_t i = 0; i < entries.size(); ++i) tokens += entries[i].tokens;
        return tokens;
    }
    // Room for one more message and its facts, and not much more.
    void reserve(size_t text_bytes, size_t ref_bytes, size_t fact_bytes) {
        hot.fit(hot.size() + text_bytes);
        refs.fit(refs.size() + ref_bytes);
        facts.fit(facts.size() + fact_bytes);
        entries.fit(entries.size() + 1);
    }
    void add(HotEntry entry, std::string_view text, std::string_view ref);
    void clear_hot() {
        hot.clear();
        refs.clear();
        entries.clear();
    }
    void assign(const ContextState &other);
    // The same with room for what the other has, and not much more; OutOfMemory leaves all as it was.
    void assign_tightly(const ContextState &other, Memory &memory);
    void swap(ContextState &other) noexcept;
};

// The text of the checkpoint-time state, appended; and back. ACCP_ERR_ARG for what is no such text.
void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out);
Status read_state(const char *text, size_t len, const ContextOptions &options, ContextState &out);

}  // namespace accp

// From a text to the number of its tokens, or to their ids. One context, one thread; the cache lives here.


// The exact byte-pair merge of one piece: of all neighbours that make a token, always the pair that makes the lowest one, the leftmost of equals.


// Reads an image (image.h): which token two tokens merge to, and what a token is made of.



// A vocabulary as it lies in memory: read-only, position-independent, shared between processes where it is linked in. In order:
//   ImageHead
//   uint64_t slots[head.slots]        the merges, by a perfect hash of (left, right); kEmptySlot where there is none
//   uint16_t pilots[head.buckets]     what sends every pair of a bucket to a slot of its own
//   uint8_t  places[3 * head.merges]  the slot of merge i, for decoding
// Tokens are numbered as they are merged: 0 to 255 are the bytes (in the vocabulary's own order), 256 + i is merge i, and of two merges that
// could be done the one with the lower number comes first. Only a token's canonical split can ever stand side by side (DECISIONS D31).


namespace accp {

constexpr uint32_t kImageMagic = 0x31564341;  // "ACV1"
constexpr uint32_t kByteTokens = 256;
constexpr int kTokenBits = 21;  // left, right and merged in one slot
constexpr uint32_t kMostTokens = (1u << kTokenBits) - 2;
constexpr uint32_t kNoToken = ~0u;
constexpr uint64_t kEmptySlot = ~uint64_t{0};

struct ImageHead {
    uint32_t magic;
    uint32_t merges;
    uint32_t slots;
    uint32_t buckets;
    uint32_t seed;
    uint32_t longest;                  // bytes of the longest token
    uint32_t byte_token[kByteTokens];  // the token of a byte
    uint8_t byte_of[kByteTokens];      // the byte of a token
};

inline uint64_t pair_key(uint32_t left, uint32_t right) { return uint64_t{left} << kTokenBits | right; }
inline uint32_t scaled(uint32_t hash, uint32_t size) { return static_cast<uint32_t>(uint64_t{hash} * size >> 32); }

inline uint64_t pair_hash(uint64_t key, uint32_t seed) {
    uint64_t hash = (key + seed) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 32;
}
inline uint32_t pair_slot(uint64_t hash, uint32_t pilot, uint32_t slots) {
    return scaled(static_cast<uint32_t>((hash ^ pilot * 0xC2B2AE3D27D4EB4F) * 0x165667B19E3779F9 >> 32), slots);
}

inline size_t pilots_offset(const ImageHead &head) { return sizeof(ImageHead) + size_t{head.slots} * 8; }
inline size_t places_offset(const ImageHead &head) { return pilots_offset(head) + size_t{head.buckets} * 2; }
inline size_t image_size(const ImageHead &head) { return places_offset(head) + size_t{head.merges} * 3; }

}  // namespace accp

namespace accp {

class Vocabulary {
public:
    Vocabulary() = default;
    // The image is borrowed, aligned to 8 bytes, and trusted: it was built here.
    explicit Vocabulary(const char *image) : head_(reinterpret_cast<const ImageHead *>(image)) {
        slots_ = reinterpret_cast<const uint64_t *>(image + sizeof(ImageHead));
        pilots_ = reinterpret_cast<const uint16_t *>(image + pilots_offset(*head_));
        places_ = reinterpret_cast<const uint8_t *>(image + places_offset(*head_));
        slot_count_ = head_->slots;
        bucket_count_ = head_->buckets;
        seed_ = head_->seed;
    }

    uint32_t size() const { return head_->merges + kByteTokens; }
    uint32_t longest() const { return head_->longest; }
    uint32_t byte(char c) const { return head_->byte_token[static_cast<unsigned char>(c)]; }

    // The token that the two make, or kNoToken. The lower of two answers is merged first.
    uint32_t merged(uint32_t left, uint32_t right) const {
        uint64_t key = pair_key(left, right), hash = pair_hash(key, seed_);
        uint32_t pilot = pilots_[scaled(static_cast<uint32_t>(hash), bucket_count_)];
        uint64_t slot = slots_[pair_slot(hash, pilot, slot_count_)];
        return slot >> kTokenBits == key ? static_cast<uint32_t>(slot) & ((1u << kTokenBits) - 1) : kNoToken;
    }

    // Appends the bytes of a token below size().
    void append(uint32_t token, Buffer<char> &out) const;

private:
    uint64_t split(uint32_t token) const {
        const uint8_t *place = places_ + size_t{3} * (token - kByteTokens);
        return slots_[place[0] | place[1] << 8 | place[2] << 16] >> kTokenBits;
    }

    const ImageHead *head_ = nullptr;
    const uint64_t *slots_ = nullptr;
    const uint16_t *pilots_ = nullptr;
    const uint8_t *places_ = nullptr;
    uint32_t slot_count_ = 0, bucket_count_ = 0, seed_ = 0;
};

}  // namespace accp

namespace accp {

class Merger {
public:
    explicit Merger(Memory &memory)
        : parts_(memory), offers_(memory), newest_(memory), waiting_(memory), places_(memory), tail_(memory), found_(memory) {}

    // Merges a piece of at least one byte. Answers how many tokens are left; tokens() has them until the next call.
    // Cost: O(len), and the memory of one stretch and of the tokens; up to kShort bytes no memory is taken.
    size_t merge(const Vocabulary &vocabulary, const char *piece, size_t len) {
        return len <= kShort ? merge_short(vocabulary, piece, len) : merge_long(vocabulary, piece, len);
    }
    const uint32_t *tokens() const { return tokens_; }

    // Gives back what one very long piece took.
    void recycle();

private:
    static constexpr size_t kShort = 64;  // from here on looking for the least again and again costs more than keeping them in order
    static constexpr size_t kStretch = 16 << 10;  // what is merged at once: its lists fit into a second-level cache
    static constexpr size_t kOverlap = 1 << 10;   // of which the next stretch does so much again, to find a common token

    // A part of a long piece, by the index of its first byte. rank: what it and its right neighbour make, or kNoToken, as of parts that are gone.
    struct Part {
        uint32_t token, rank, next, previous;
    };
    // That a part had a rank when this was made. Offers of one rank are chained, newest first; 0 ends the chain.
    struct Offer {
        uint32_t place, older;
    };

    // A token of the stretch before, and the byte of the piece where it begins.
    struct Placed {
        size_t at;
        uint32_t token;
    };

    size_t merge_short(const Vocabulary &vocabulary, const char *piece, size_t len);
    size_t merge_long(const Vocabulary &vocabulary, const char *piece, size_t len);
    bool merge_stretches(const Vocabulary &vocabulary, const char *piece, size_t len, size_t stretch);
    bool meet(size_t at, uint32_t &first);
    void run(const Vocabulary &vocabulary, const char *piece, uint32_t len);
    void begin(const Vocabulary &vocabulary, const char *piece, uint32_t len);
    void offer(const Vocabulary &vocabulary, uint32_t left);
    void take_offers(uint32_t rank);
    void join(const Vocabulary &vocabulary, uint32_t left, uint32_t token);

    uint32_t short_[kShort];
    const uint32_t *tokens_ = short_;
    Buffer<Part> parts_;
    Buffer<Offer> offers_;
    Buffer<uint32_t> newest_;   // by rank: the newest offer, 0 for none; all 0 between calls
    Buffer<uint64_t> waiting_;  // by rank: a bit, set while there are offers; likewise
    Buffer<uint32_t> places_;   // those of one rank, from left to right
    Buffer<Placed> tail_;       // the end of the stretch before
    Buffer<uint32_t> found_;    // the tokens
    bool clean_ = true;         // newest_ and waiting_ are as they should be between calls
};

}  // namespace accp

// How many tokens the pieces have that were met lately. An entry is 16 bytes: the piece itself, up to 15 bytes, and in the last byte its length
// and its count. Two entries lie side by side where a piece may stand; a new one takes the place of the older. Bounded, and never wrong: it
// compares the whole piece, so that whoever chooses the text can only make it useless. It begins small and grows as it is filled, so that a counter that meets
// few pieces holds few bytes.



namespace accp {

class PieceCache {
public:
    static constexpr size_t kLongest = 15;

    explicit PieceCache(Memory &memory) : memory_(memory), entries_(memory) {}

    // max_entries: a power of two, at least 4.
    void open(uint32_t max_entries) {
        max_entries_ = max_entries;
        Buffer<Entry> none(memory_);
        replace(max_entries < kFirstEntries ? max_entries : kFirstEntries, none);
    }

    struct Entry {
        uint64_t low, high;  // the high byte of `high`: length | count << 4
    };

    // The key of a piece of 1 to kLongest bytes, of which 16 may be read.
    static Entry key_padded(const char *piece, size_t len) {
        Entry entry;
        std::memcpy(&entry, piece, 16);
        uint64_t keep_low = len >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * len) - 1;
        uint64_t keep_high = len <= 8 ? 0 : (uint64_t{1} << 8 * (len - 8)) - 1;
        return {entry.low & keep_low, (entry.high & keep_high) | uint64_t{len} << 56};
    }
    static Entry key(const char *piece, size_t len) {
        char padded[16];
        std::memcpy(padded, piece, len);
        std::memset(padded + len, 0, sizeof padded - len);
        return key_padded(padded, len);
    }

    // The count, or 0 where the piece is not known.
    uint32_t find(const Entry &key) const {
        const Entry *pair = entries_.data() + place(key);
        if (same(pair[0], key)) return static_cast<uint32_t>(pair[0].high >> 60);
        if (same(pair[1], key)) return static_cast<uint32_t>(pair[1].high >> 60);
        return 0;
    }
    void add(const Entry &key, uint32_t count) {
        if (added_ >= entries_.size() && entries_.size() < max_entries_) grow();
        ++added_;
        insert(key, count);
    }

private:
    static constexpr uint32_t kFirstEntries = 256;

    void insert(const Entry &key, uint32_t count) {
        Entry *pair = entries_.data() + place(key);
        pair[1] = pair[0];
        pair[0] = {key.low, key.high | uint64_t{count} << 60};
    }
    // Makes `entries_` this many empty ones; answers those that were there in `known`.
    void replace(size_t entries, Buffer<Entry> &known) {
        std::memset(static_cast<void *>(known.room(entries)), 0, entries * sizeof(Entry));
        known.advance(entries);
        entries_.swap(known);
        shift_ = 64 - __builtin_ctzll(entries) + 1;
    }
    void grow() {
        Buffer<Entry> known(memory_);
        replace(2 * entries_.size(), known);
        for (size_t i = known.size(); i-- > 0;)  // the older of two before the newer
            if (known[i].high) insert({known[i].low, known[i].high << 4 >> 4}, static_cast<uint32_t>(known[i].high >> 60));
    }
    static bool same(const Entry &entry, const Entry &key) { return ((entry.low ^ key.low) | (entry.high ^ key.high) << 4) == 0; }
    size_t place(const Entry &key) const {
        uint64_t hash = (key.low ^ (key.high * 0x9E3779B97F4A7C15)) * 0xC2B2AE3D27D4EB4F;
        return (hash ^ hash << 29) >> shift_ << 1;
    }

    Memory &memory_;
    Buffer<Entry> entries_;
    size_t max_entries_ = 0;
    uint64_t added_ = 0;
    int shift_ = 0;
};

}  // namespace accp

// A tokenizer: a name, a pattern and a vocabulary. Constant after construction, so any number of threads share it.



// How a text is cut into pieces before merging: the published patterns of the vocabularies, by hand. Each pattern is two functions. piece() is the
// whole pattern, one alternative after another. window() finds many pieces of ASCII at once by arithmetic on bit masks, as far as it is sure; it may
// answer nothing at any time. What a match at one place looks like never depends on what stands before it, so both can take turns.


namespace accp {

// What one family of patterns leaves open.
struct PatternRules {
    uint32_t digits;    // how many a number has at most
    bool contractions;  // 's, 't and so on belong to the word (o200k) or stand alone (cl100k)
    bool slashes;       // what ends punctuation: newlines, or slashes too
    bool marks_are_letters;
};

// Pieces found at `text`: bit i of `starts` says that one begins at byte i, bit 0 is set. They end at byte `length`, at most 64; 0: use piece().
struct Window {
    uint64_t starts;
    uint64_t numbers;  // the starts of those that are nothing but digits
    uint32_t length;
};

struct Pattern {
    const char *name;
    PatternRules rules;
    // The end of the piece that begins at `text`, which is valid UTF-8 and not empty.
    const char *(*piece)(const char *text, const char *end, const PatternRules &rules);
    Window (*window)(const char *text, const char *end, const PatternRules &rules);
};

// The pattern of that name, or NULL.
const Pattern *find_pattern(std::string_view name);

const char *o200k_piece(const char *text, const char *end, const PatternRules &rules);
Window o200k_window(const char *text, const char *end, const PatternRules &rules);
const char *gpt2_piece(const char *text, const char *end, const PatternRules &rules);
const char *deepseek_piece(const char *text, const char *end, const PatternRules &rules);
Window no_window(const char *text, const char *end, const PatternRules &rules);
const char *cl100k_piece(const char *text, const char *end, const PatternRules &rules);
Window cl100k_window(const char *text, const char *end, const PatternRules &rules);

}  // namespace accp

namespace accp {

// A token that stands for a text that no merge makes, such as <|endoftext|>.
struct SpecialToken {
    std::string_view text;
    uint32_t id;
};

enum class TokenizerKind { kVocabulary, kEstimate, kHost };

struct Tokenizer {
    std::string_view name;
    TokenizerKind kind = TokenizerKind::kVocabulary;
    bool approx = false;              // its counts are estimates
    bool numbers_are_tokens = false;  // every number of up to three digits is one token
    const Pattern *pattern = nullptr;
    Vocabulary vocabulary;
    const SpecialToken *specials = nullptr;
    uint32_t special_count = 0;
    const uint32_t *ids = nullptr;        // by number; NULL where the ids are the numbers
    const uint32_t *by_id = nullptr;      // the numbers, by id
    const SpecialToken *whole = nullptr;  // tokens that only a whole piece can be, by text
    uint32_t whole_count = 0;
    accp_count_function count = nullptr;  // of kHost
    void *user = nullptr;

    // The token of an id among those of the vocabulary; kNoToken, or any number from vocabulary.size() up, where none has it.
    uint32_t number_of(uint32_t id) const;

    // No token has more bytes than this.
    uint32_t longest() const { return kind == TokenizerKind::kVocabulary ? vocabulary.longest() : 128; }
};

// The names of the tokenizers that are linked in, counted from 0; NULL behind the last.
const char *embedded_name(uint32_t index);
// The one of that name; false where there is none.
bool open_embedded(std::string_view name, Tokenizer &out);

}  // namespace accp

namespace accp {

class TokenCounter {
public:
    explicit TokenCounter(Memory &memory) : cache_(memory), merger_(memory), repaired_(memory) {}

    // Before anything else, and once. The tokenizer is borrowed.
    void open(const Tokenizer &tokenizer, uint32_t cache_entries) {
        tokenizer_ = &tokenizer;
        cache_.open(cache_entries);
    }
    const Tokenizer &tokenizer() const { return *tokenizer_; }
    // 1: special tokens in a text are themselves.
    void set_special(bool on) { special_ = on; }

    // Has a text as many tokens as its pieces, whatever stands beside them? Not where a host counts, or special tokens are looked for.
    bool adds_up() const { return tokenizer_->kind != TokenizerKind::kHost && !special_; }
    // Does a piece end with the newline that blanks follow?
    bool newline_ends_piece() const {
        static constexpr char kText[] = "\n  a";
        return adds_up() && tokenizer_->pattern->piece(kText, kText + 4, tokenizer_->pattern->rules) == kText + 1;
    }

    // The number of tokens into `out`. Where it is more than `most`, some number above `most`, and what is left of the text is not looked at.
    Status count(std::string_view text, uint64_t most, uint64_t &out);
    // Appends the ids.
    void encode(std::string_view text, Buffer<uint32_t> &ids);
    // Appends the bytes of a token; false for an id that is none.
    bool decode(uint32_t id, Buffer<char> &out) const;

    // Walks the pieces of a text without special tokens, valid UTF-8 or not. The sink has window(text, end, window) and piece(text, len), and
    // answers whether to go on.
    template <class Sink>
    void walk(std::string_view text, Sink &sink);

    uint64_t count_piece(const char *piece, size_t len, bool padded = false);
    uint64_t count_window(const char *text, const char *end, const Window &window);

    // Gives back what one very long text took.
    void recycle();

private:
    template <class Plain, class Special>
    void split_specials(std::string_view text, Plain plain, Special special) const;
    const SpecialToken *special_at(std::string_view text) const;
    std::string_view repair(std::string_view text);
    size_t measure(const char *piece, size_t len);
    void encode_piece(std::string_view piece, Buffer<uint32_t> &ids);

    friend struct EncodeSink;

    const Tokenizer *tokenizer_ = nullptr;
    PieceCache cache_;
    Merger merger_;
    Buffer<char> repaired_;
    bool special_ = false;
};

template <class Sink>
void TokenCounter::walk(std::string_view text, Sink &sink) {
    const Pattern &pattern = *tokenizer_->pattern;
    const char *at = text.data(), *end = at + text.size();
    bool repaired = false;
    while (at < end) {
        Window window = pattern.window(at, end, pattern.rules);
        if (window.length) {
            if (!sink.window(at, end, window)) return;
            at += window.length;
            continue;
        }
        if (!repaired) {  // only what is no ASCII, or very long, comes here
            std::string_view rest = repair({at, static_cast<size_t>(end - at)});
            at = rest.data();
            end = at + rest.size();
            repaired = true;
        }
        const char *next = pattern.piece(at, end, pattern.rules);
        if (!sink.piece(at, static_cast<size_t>(next - at))) return;
        at = next;
    }
}

}  // namespace accp

namespace accp {

enum class CheckpointCause : uint8_t { kDone, kHandoff, kAsked, kFull, kPhase };  // intents done, esc, comp; above hot_due; checkpoint()

// Specification 5.3: an (entity, value, relationship) triple. The newest of one entity and relationship wins.
struct ContextFact {
    std::string_view entity, value, relationship;
};

// A checkpoint that was just made. Views, until the hook returns.
struct CheckpointView {
    uint32_t id = 0;  // 1, 2, 3…: $warm.ckpt_ID
    CheckpointCause cause = CheckpointCause::kPhase;
    uint64_t first = 0, last = 0;    // the messages that it closes, counted from 1; first > last for none
    std::string_view summary, text;  // text: summary and facts, as the context has them
    uint32_t summary_tokens = 0, tokens = 0;
    const ContextFact *facts = nullptr;  // those that are its own
    uint32_t fact_count = 0;
};

struct ContextHooks {
    // Writes a summary of the frozen hot text, appended to `out`, one line or more. False, no valid UTF-8, a line that begins with @, or more than summary_max
    // tokens: the extractive one is taken. It is written as any text is. It must depend on its arguments alone where restore() is to rebuild the same state. May be NULL.
    bool (*summarise)(std::string_view hot, uint32_t summary_max, Buffer<char> &out, void *user) = nullptr;
    // After each checkpoint, when the state is whole: save() may be called. May be NULL; must not throw nor call what changes the engine.
    void (*checkpointed)(const CheckpointView &checkpoint, void *user) = nullptr;
    void *user = nullptr;
};

// Specification 7.1: GetBudget.
struct TokenUse {
    uint64_t hot_used, hot_max, warm_used, warm_max, total_used, total_max;
};

struct ContextDesk;

class Context {
public:
    // Both are borrowed, and may serve many contexts of one thread; of the memory it takes what it keeps. The options are valid().
    Context(Memory &memory, ContextDesk &desk, const ContextOptions &options, const ContextHooks &hooks = {});
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    // Another desk with a counter of the same tokenizer, from now on: one of the thread that calls.
    void set_desk(ContextDesk &desk) { desk_ = &desk; }

    // Takes the next message. Makes a checkpoint before it where hot would pass hot_max (A60), and one after it on done, esc, comp and above hot_due;
    // so 0, 1 or 2 of them, of which the hook hears, once the message is taken. Fails only for a ref that is too long (ACCP_ERR_ARG), a name that no frame
    // has (E1001), where the tokenizer does (ACCP_ERR_IO), or memory (OutOfMemory); then nothing changed.
    Status append(const ContextMessage &message);
    // A phase boundary. With nothing in hot since the last one it makes none.
    Status checkpoint();

    // Appends the text for a model, and says how many tokens it has: at most `budget`, total_max and what the history has. budget 0: as much as is
    // worth it (docs/context.md). Hot is always whole; a budget below its size is ACCP_E2003, and `out` as it was. Between checkpoints, and for
    // the same budget, each text begins with the one before.
    Status render(uint64_t budget, Buffer<char> &out, uint64_t &tokens);

    // Exact: the texts of hot() and of the retained checkpoints. Counts the latter anew; ACCP_ERR_IO from a tokenizer of the host's.
    Status use(TokenUse &out) const;
    uint64_t hot_tokens() const { return state_.hot_tokens(); }
    uint64_t messages() const { return state_.messages; }             // so far
    uint32_t checkpoints() const { return state_.base.checkpoint; }   // the id of the newest, or 0
    uint64_t saved_messages() const { return state_.base.messages; }  // so many of them are in what save() writes
    // What all messages are in the plain history; exact up to 16,384.
    uint64_t history_tokens() const { return state_.history; }

    // Of the texts that the state has: hot, warm, refs, and facts that no checkpoint has closed.
    size_t text_bytes() const { return state_.hot.size() + state_.refs.size() + state_.facts.size() + state_.warm.text_bytes(); }

    // The text of a retained checkpoint (what $warm.ckpt_ID stands for), or a view without data. Until the next change.
    std::string_view warm(uint32_t id) const;
    // The text of hot (what $hot stands for). Until the next change.
    std::string_view hot() const;

    // Appends the state as of the last checkpoint: at most kMostContextState bytes. restore() and the messages behind saved_messages() make the same engine.
    void save(Buffer<char> &out) const;
    // Replaces the state. What save() did not write, or wrote for other options, is ACCP_ERR_ARG, and nothing changed.
    Status restore(const char *state, size_t len);

private:
    Status count(std::string_view text, uint64_t &tokens) const;
    Status write(const ContextMessage &message, uint64_t &tokens, uint64_t &history);
    Status cut(std::string_view text, std::string_view ref, uint32_t most, uint32_t number, const ContextState &state, Buffer<char> &out,
               uint64_t &tokens);
    Status close(CheckpointCause cause, uint64_t room, std::string_view whole);
    Status learn(uint32_t id, std::string_view whole, ContextState &state, uint64_t &tokens);
    Status survive(uint64_t room, ContextState &state);
    Status keep_newest(uint64_t room, const ContextState &state, ContextState &next);
    Status front(uint64_t budget, Buffer<char> &out);
    void note(CheckpointCause cause, uint64_t first, uint32_t tokens);
    uint32_t summarise(uint32_t *lines, uint32_t count);
    void ask_for_summary(std::string_view hot);
    void commit();

    Memory &memory_;
    ContextDesk *desk_;
    const ContextOptions options_;
    const ContextHooks hooks_;
    const uint64_t seed_;
    ContextState state_;
    mutable Buffer<char> view_;  // what warm() answers
};

}  // namespace accp

// What one call on one context works with, and the next call on another one uses again, so that contexts that idle hold only their state. Of one thread.


namespace accp {

// What an append or a checkpoint makes, until all of it has succeeded; and what the hook is then told.
struct ContextDraft {
    explicit ContextDraft(Memory &memory) : state(memory), text(memory), facts(memory), told(memory) {}

    struct Note {  // of a checkpoint; the texts lie in `text`
        CheckpointView view;
        uint32_t text_at = 0, text_len = 0, summary_at = 0, summary_len = 0;
        uint32_t fact_at = 0;
    };
    struct Fact {  // where its three parts lie
        uint32_t at, entity_len, value_len, relationship_len;
    };

    void begin(const ContextState &from) {
        state.assign(from);
        text.clear();
        facts.clear();
        count = 0;
    }

    ContextState state;
    Buffer<char> text;
    Buffer<Fact> facts;
    Buffer<ContextFact> told;  // the facts as the hook has them
    Note notes[2];
    uint32_t count = 0;
};

struct ContextDesk {
    // Both are borrowed.
    ContextDesk(Memory &memory_of, TokenCounter &counter_of)
        : memory(memory_of),
          counter(counter_of),
          arena(memory_of),
          draft(memory_of),
          next(memory_of),
          message(memory_of),
          json(memory_of),
          cut(memory_of),
          facts(memory_of),
          summary(memory_of),
          newest(memory_of),
          parent(memory_of),
          scratch(memory_of) {}

    Memory &memory;
    TokenCounter &counter;
    Arena arena;
    ContextDraft draft;
    ContextState next;  // hot, behind a checkpoint
    Buffer<char> message, json, cut, facts, summary, newest, parent;
    Buffer<char> scratch;
};

}  // namespace accp

// What a checkpoint takes out of the messages that it closes: facts, names and lines, ranked, and packed within its bound.


// The tokens of a checkpoint's text from those of its parts, each of which is counted once. A part is a line with its newline, an entity, a fact or a name
// with the blank before it. Where parts meet between characters that are seen, of ASCII, every pattern of a tokenizer begins a piece, and what stands on
// either side makes no difference to the other: so the sum is exact. Where that is not sure, the text is counted as a whole.


namespace accp {

class PartCounter {
public:
    // All are borrowed.
    PartCounter(Warm &warm, TokenCounter &counter, Buffer<char> &scratch) : warm_(warm), counter_(counter), scratch_(scratch) {}

    // The tokens of the text that write_items() makes of these items of one checkpoint, which are in the order in which they lie. False: the parts do not
    // say. What was learned of a part stays with its item.
    bool count(const uint32_t *items, uint32_t count, uint64_t &tokens);
    // The most that an item adds to the text of a checkpoint, whatever else is there; kWholeOnly: only the text says. What one that goes takes away is
    // never less than nothing.
    uint32_t most(Item &item);

private:
    bool measure(Item &item);
    std::string_view part_of(const Item &item, bool newline);
    uint32_t tokens_of(std::string_view text);
    uint32_t tokens_of_entity(const FactParts &fact);
    uint32_t heading();  // of the list of names

    Warm &warm_;
    TokenCounter &counter_;
    Buffer<char> &scratch_;
    uint32_t heading_ = 0, newline_ = 0;
    std::string_view entity_, author_;  // the last that were counted: facts of one come together
    uint32_t entity_tokens_ = 0;
};

}  // namespace accp

// The distinct names of some texts, how often each is said, and which item of warm it is.


namespace accp {

struct Sighting {
    std::string_view name;
    uint32_t hash = 0;
    uint32_t item = UINT32_MAX;  // in warm
    uint32_t count = 0;          // in the text at hand
    Item now;                    // what warm has of it, or would have
};

class Sightings {
public:
    // Knows the names of `warm`, which stays as it is meanwhile.
    Sightings(Arena &arena, const Warm &warm);

    // The entry of a name: one that was there, or a new one; NULL where there are too many.
    Sighting *add(std::string_view name);
    Sighting *find(std::string_view name) const;
    uint32_t size() const { return count_; }
    Sighting &operator[](uint32_t i) { return entries_[i]; }

private:
    static constexpr uint32_t kPlaces = 2048;  // a power of two, and twice as many as there are entries

    uint32_t place(std::string_view name, uint32_t hash) const;

    Sighting *entries_;
    uint16_t *places_;
    uint32_t count_ = 0;
};

}  // namespace accp

namespace accp {

// A message that is closed.
struct Closed {
    std::string_view text;  // as it was written, or what is left of it
    uint32_t number = 0;
    Source source = Source::kResult;
    bool untrusted = false;
};

// In the number of a fact's message: it only replaces one that is known.
constexpr uint32_t kOnlyReplaces = uint32_t{1} << 31;

// Appends the facts of a message as records: number, length, fact_lengths(), text. At most kMostFacts of them; those of a tool's
// dump only replace what is known.
void write_facts(const ContextMessage &message, uint32_t number, Memory &memory, Arena &arena, uint64_t seed, Buffer<char> &out);

// Before a Learner begins: room for what it adds. Answers which checkpoints changed.
uint64_t make_room(Warm &warm, Arena &arena, uint32_t now);

class Learner {
public:
    Learner(Warm &warm, ContextDesk &desk, const ContextOptions &options, uint32_t now, uint64_t changed)
        : warm_(warm),
          counter_(desk.counter),
          arena_(desk.arena),
          options_(options),
          now_(now),
          names_(arena_, warm),
          lines_(desk.memory),
          scratch_(desk.scratch),
          parts_(warm, counter_, scratch_),
          changed_(changed) {}

    void name(const Closed &message);      // all messages first,
    void line(const Closed &message);      // then their lines,
    void facts(std::string_view records);  // as write_facts() wrote them
    bool summary(std::string_view text);   // a host's own, instead of lines; false where it is none, or too long
    // Makes the checkpoint `id` of it all: at most checkpoint_max tokens, lines first among the summary's.
    Status pack(uint32_t id);
    // Moves what is left of the checkpoints before `first` into that one and those up to `last`, as far as there is room.
    void retire(uint32_t first, uint32_t last);
    // Holds each checkpoint from `first` to `last` that changed to its bound, by the tokens of its text. `tokens`: those of the last.
    Status finish(uint32_t first, uint32_t last, uint64_t &tokens);

private:
    struct Line {
        std::string_view text;
        Item item;
        uint32_t known;  // the item of warm that has this text already, or UINT32_MAX
    };

    uint32_t count(std::string_view text);
    std::string_view as_kept(std::string_view line, const Closed &message);
    uint32_t line_worth(std::string_view line, const Closed &message, bool fenced, uint32_t tokens);
    void fact(const FactParts &fact, uint32_t number);
    void chain(uint32_t item);
    struct Ranked {
        uint32_t rate, at;
    };
    uint32_t rank_names(Ranked *ranked);
    void keep_latent();
    void place_names(uint32_t id, uint32_t room, uint32_t &used);
    void place_lines(uint32_t id, uint32_t room, uint32_t &used);
    void add_to(uint32_t id, Item &item);
    Status fit(uint32_t id, bool last, uint32_t *items, uint32_t count, uint64_t &tokens);
    Status count_items(uint32_t id, const uint32_t *items, uint32_t count, uint64_t &tokens);
    void drop(Item &item);
    bool put(uint32_t known, const Item &item, std::string_view text, uint8_t slot);

    Warm &warm_;
    TokenCounter &counter_;
    Arena &arena_;
    const ContextOptions &options_;
    const uint32_t now_;
    Sightings names_;
    Buffer<Line> lines_;
    Buffer<char> &scratch_;
    PartCounter parts_;
    bool own_ = false;  // the lines are a host's summary, and go before all
    static constexpr uint32_t kHeads = 256;
    uint16_t *heads_ = nullptr, *next_ = nullptr;  // chains of facts: an item's place plus 1, or 0
    uint64_t changed_;                             // a bit for each checkpoint that is retained, by its id modulo 64
    Status status_;
};

}  // namespace accp

// The one way in which what others say gets into a context: texts, keys, values, host summaries. Nothing else
// writes any.
//
// What the engine writes begins its line in column 0, and the forms are few (docs/context.md has the grammar):
//
//     header     = ["(untrusted message) "] "@" agent SP intent ":" operation [SP fields]
//     field      = key *("." key) ":" [SP text]  /  key *("." key) SP "{" fields "}"
//     fact-line  = entity [" by " author] [" (untrusted)"] 1*(SP attribute ":" value)
//     named      = "named:" 1*(SP name)
//     reference  = "$warm.ckpt_" number  /  ["…" *(SP name) SP] "$cold.m" number  /  "…"
//
// Every further line of a text begins with a space, and with " > " where it looks like one of these. What a
// reader may take for the end of a line (CR, CRLF, VT, FF, U+001C to U+001E, U+0085, U+2028, U+2029) is LF;
// odd spaces are spaces; a terminal's escapes and all that cannot be seen are left out.



namespace accp {

// How many bytes open_untrusted_line() adds to a line at most.
constexpr size_t kMaxLineMark = 3;

// Appends a text behind what its line has already. Its last line stays open; line ends at its end are dropped.
// Linear.
void write_untrusted(std::string_view text, Buffer<char> &out);

// Appends a part of what write_untrusted() or the engine wrote as a line of its own, which stays open.
void open_untrusted_line(std::string_view line, Buffer<char> &out);

// Appends a key: bare, or in quotes with escapes where it could be taken for anything else, or where it is
// too long; then its beginning. At most kMaxKeyText bytes.
constexpr size_t kMaxKeyText = 60;
void write_untrusted_key(std::string_view key, Buffer<char> &out);
bool is_bare_untrusted_key(std::string_view key);

// Does it look like a line of the engine's, once its blanks are left out?
bool imitates_structure(std::string_view line);

// Is all of it seen, with no blank in it?
bool is_one_word(std::string_view text);

}  // namespace accp

// What a thing is worth by who said it, and how fast that fades: found by measuring (docs/context.md), and few on purpose. In sixteenths unless it
// says otherwise; arrays go by Source: guide, task, act, result. A decay is for one message, in 1/65536.


namespace accp {

constexpr uint32_t percent(uint32_t hundredths_of_percent) { return hundredths_of_percent * 65536 / 10000; }

// Names.
constexpr uint32_t kNameDecay[] = {percent(9850), percent(9850), percent(9850), percent(9300)};
constexpr uint32_t kActName = 96, kTaskName = 64;
constexpr uint32_t kGuideName = 20, kMostGuideNames = 3;                   // for each time it is said, up to so many
constexpr uint32_t kResultName = 5, kMostResultName = 32;                  // once, and again for each time it is said
constexpr uint32_t kCapitalsWorth = 2, kNumberWorth = 5, kProseWorth = 8;  // of 16
constexpr uint32_t kKinWorth = 4, kKinDecay = percent(9000);               // times what a name is worth, when an agent used one like it
constexpr uint32_t kPackedNames = 40, kNameShare = 50;  // percent of the room that is for names first: of a checkpoint, of a context

// Lines.
constexpr uint32_t kLineDecay[] = {percent(9850), percent(9850), percent(8000), percent(8500)};
constexpr uint32_t kActToken = 48;                                      // a token of what an agent did
constexpr uint32_t kMostNameInLine = 48;                                // what one name adds to a line at most
constexpr uint32_t kGuideNames = 5, kTaskNames = 19, kResultNames = 8;  // of 16: how much of that counts
constexpr uint32_t kSign = 10, kMostSigns = 6;                          // a sign of code in a task's line, and how many count
constexpr uint32_t kFenced = 115;                                       // a task's line between ``` marks

// The cut of a long message.
constexpr uint32_t kAskedName = 64, kAskedWord = 12;      // a word of the request that it answers, divided by how many lines have it
constexpr uint32_t kFault = 40;                           // error, fail, exception …
constexpr uint32_t kHeadLine = 96, kTailLine = 64;        // the first line and the last; half of it the next, a third …
constexpr uint32_t kOddLine = 20;                         // a line that begins as no other does; divided by how many do
constexpr uint32_t kBeside[] = {160, 80, 40, 20, 10, 5};  // of 160: what a line adds to the next, the second next … and to those before it
constexpr uint32_t kLineTokens = 6;                       // a line costs its tokens and so many
constexpr uint32_t kEdgeLines = 4;
constexpr uint32_t kNameTokens = 160;  // of 400: for names that the lines left out have

// How much a context should have, beside facts: so many tokens and this share of the history.
constexpr uint32_t kBaseTokens = 180, kShare = percent(700), kMostAutomatic = 1500, kLeastWarm = 100;
constexpr uint32_t kMostToolFacts = 8;   // a tool's message with more only replaces what is known; its names stay
constexpr uint32_t kParentTokens = 120;  // of a parent that is a result
constexpr uint32_t kActRoom = 96;        // of hot, kept for a request beside a result that must be cut anyway

}  // namespace accp

namespace accp {

namespace {

constexpr uint32_t kLeastParent = 40;

}  // namespace

Status Context::checkpoint() {
    if (state_.messages == state_.base.messages) return {};
    desk_->arena.reset();
    desk_->draft.begin(state_);
    Status status = close(CheckpointCause::kPhase, options_.hot_due, {});
    if (status.ok()) commit();
    return status;
}

// Into desk.summary: the host's own, as any text is written.
void Context::ask_for_summary(std::string_view hot) {
    Buffer<char> &text = desk_->parent, &summary = desk_->summary;
    summary.clear();
    if (!hooks_.summarise) return;
    text.clear();
    const bool made = hooks_.summarise(hot, options_.summary_max, text, hooks_.user);
    const std::string_view own(text.data(), made ? text.size() : 0);
    if (own.empty() || own.size() > kMostWarmText || valid_utf8_prefix(own.data(), own.size()) < own.size()) return;
    if (own[0] != '@' && own.find("\n@") == own.npos) write_untrusted(own, summary);
}

// Specification 5.3, in its order: hot is frozen (it is what `state` has), facts and the summary go to warm, hot begins anew. What is cold is with the
// caller already. `whole`: the newest message uncut, where it is at hand.
Status Context::close(CheckpointCause cause, uint64_t room, std::string_view whole) {
    ContextState &state = desk_->draft.state;
    const uint64_t first = state.base.messages + 1;
    const uint32_t id = state.base.checkpoint + 1;
    ask_for_summary({state.hot.data(), state.hot.size()});
    uint64_t tokens = 0;
    Status status = learn(id, whole, state, tokens);
    if (status.failed()) return status;
    state.base.checkpoint = id;
    note(cause, first, static_cast<uint32_t>(tokens));
    status = survive(room, state);
    if (status.failed()) return status;
    state.base.messages = state.messages;
    state.base.history = state.history;
    state.base.entries = static_cast<uint32_t>(state.entries.size());
    state.base.tokens = state.hot_tokens();
    return {};
}

Status Context::learn(uint32_t id, std::string_view whole, ContextState &state, uint64_t &tokens) {
    const size_t count = state.entries.size();
    const auto now = static_cast<uint32_t>(state.messages);
    const uint64_t changed = make_room(state.warm, desk_->arena, now);
    state.warm.reserve();
    Learner learner(state.warm, *desk_, options_, now, changed);
    auto closed = [&](size_t i) -> Closed {
        const std::string_view text = i + 1 == count && whole.data() ? whole : state.text(i);
        return {text, state.entries[i].number, state.entries[i].source, text.substr(0, kUntrustedHead.size()) == kUntrustedHead};
    };
    for (size_t i = 0; i < count; ++i)
        if (!state.entries[i].closed) learner.name(closed(i));
    learner.facts({state.facts.data(), state.facts.size()});
    const bool own = learner.summary({desk_->summary.data(), desk_->summary.size()});
    for (size_t i = 0; !own && i < count; ++i)
        if (!state.entries[i].closed && !state.entries[i].stated) learner.line(closed(i));
    state.facts.clear();
    Status status = learner.pack(id);
    const uint32_t first = id > options_.retained ? id - options_.retained + 1 : 1;
    if (status.ok() && first > 1) learner.retire(first, id);
    if (status.ok()) status = learner.finish(first, id, tokens);
    if (status.ok()) state.warm.sweep();
    return status;
}

// Hot after a checkpoint: its reference, the newest message, and the one before it as far as there is room (specification 5.1).
Status Context::survive(uint64_t room, ContextState &state) {
    ContextState &next = desk_->next;
    next.clear_hot();
    char name[32] = "$warm.ckpt_";
    size_t len = 11;
    char digits[12];
    size_t at = sizeof digits;
    for (uint32_t n = state.base.checkpoint; n || at == sizeof digits; n /= 10) digits[--at] = static_cast<char>('0' + n % 10);
    while (at < sizeof digits) name[len++] = digits[at++];
    name[len++] = '\n';
    uint64_t tokens = 0;
    Status status = this->count({name, len}, tokens);
    if (status.failed()) return status;
    next.reference_end = static_cast<uint32_t>(len);
    next.reference_tokens = static_cast<uint32_t>(tokens);
    next.hot.append(name, len);
    room = std::min<uint64_t>(room, options_.hot_due);
    room -= std::min(room, tokens);
    const size_t count = state.entries.size();
    const bool fits = count <= kMostSurvivors && state.hot_tokens() - state.reference_tokens <= room && state.hot.size() <= kMostHotBytes;
    if (fits && count == state.messages) {  // the whole history: nothing is to be saved yet
        for (size_t i = 0; i < count; ++i) {
            HotEntry entry = state.entries[i];
            entry.closed = true;
            next.add(entry, state.text(i), state.ref(i));
        }
    } else {
        status = keep_newest(room, state, next);
        if (status.failed()) return status;
    }
    state.hot.swap(next.hot);
    state.refs.swap(next.refs);
    state.entries.swap(next.entries);
    state.reference_end = next.reference_end;
    state.reference_tokens = next.reference_tokens;
    return {};
}

// The newest message, and the one before it as far as there is room (specification 5.1).
Status Context::keep_newest(uint64_t room, const ContextState &state, ContextState &next) {
    const size_t count = state.entries.size();
    Status status;
    Buffer<char> &newest = desk_->newest, &parent = desk_->parent;
    auto keep = [&](size_t i, uint64_t most, Buffer<char> &text, HotEntry &entry) -> Status {
        text.clear();
        entry = state.entries[i];
        entry.closed = true;
        std::string_view old = state.text(i);
        if (entry.tokens <= most) {
            text.append(old.data(), old.size());
            return {};
        }
        uint64_t cut_tokens = 0;
        Status failed =
            most < kLeastParent ? Status{} : cut(old, state.ref(i), static_cast<uint32_t>(most), entry.number, state, text, cut_tokens);
        entry.tokens = static_cast<uint32_t>(cut_tokens);
        return failed;
    };
    HotEntry last, before;
    if (count) status = keep(count - 1, room, newest, last);
    room -= std::min<uint64_t>(room, last.tokens);
    if (status.ok() && count > 1) {
        if (state.entries[count - 2].source == Source::kResult) room = std::min<uint64_t>(room, kParentTokens);
        status = keep(count - 2, room, parent, before);
    }
    if (status.failed()) return status;
    if (before.tokens) next.add(before, {parent.data(), parent.size()}, state.ref(count - 2));
    if (last.tokens) next.add(last, {newest.data(), newest.size()}, state.ref(count - 1));
    return {};
}

}  // namespace accp

// context/context.cc

// See context.h: messages in, the budget, the state. What an append changes is made beside the state and put in its place at the end, so that a
// failure leaves no trace.



// A long message cut to what matters: its head and its end, faults, the lines around what was asked for, and the names of what was left out.


namespace accp {

struct Cut {
    std::string_view text;   // a message as write_message() made it
    std::string_view asked;  // the request that it answers, or nothing: its words say what matters
    std::string_view ref;    // of the whole
    uint32_t most;           // tokens
    uint32_t now;            // the number of the message
};

// Appends the cut message, its newline at the end; nothing where its header and the ref have no room. `tokens`: how many that are.
Status cut_message(const Cut &cut, const Warm &warm, TokenCounter &counter, Arena &arena, Buffer<char> &out, uint64_t &tokens);

}  // namespace accp

namespace accp {

namespace {

constexpr uint64_t kCountedHistory = 1 << 14;  // beyond it a context is shorter whatever the history is
constexpr uint32_t kReferenceTokens = 16;      // room for the line that names a checkpoint

CheckpointCause cause_of(const ContextMessage &message) {
    return message.intent == "done"  ? CheckpointCause::kDone
           : message.intent == "esc" ? CheckpointCause::kHandoff
                                     : CheckpointCause::kAsked;
}

bool asks_for_checkpoint(const ContextMessage &message) {
    return message.intent == "done" || message.intent == "esc" || message.intent == "comp";
}

// The newest request of an agent in hot: what the next result answers.
std::string_view last_act(const ContextState &state, size_t before) {
    for (size_t i = before; i-- > 0;)
        if (state.entries[i].source == Source::kAct) return state.text(i);
    return {};
}

// What a request in hot will need beside the result that comes now.
uint32_t act_room(const ContextState &state, uint32_t room) {
    if (!state.entries.size() || state.entries[state.entries.size() - 1].source != Source::kAct) return 0;
    return std::min({state.entries[state.entries.size() - 1].tokens, kActRoom, room / 4});
}

}  // namespace

Context::Context(Memory &memory, ContextDesk &desk, const ContextOptions &options, const ContextHooks &hooks)
    : memory_(memory), desk_(&desk), options_(options), hooks_(hooks), seed_(random_seed()), state_(memory), view_(memory) {}

Status Context::count(std::string_view text, uint64_t &tokens) const { return desk_->counter.count(text, UINT64_MAX, tokens); }

// The message as it stands in hot while it is whole, its tokens, and what it adds to the history.
Status Context::write(const ContextMessage &message, uint64_t &tokens, uint64_t &history) {
    Buffer<char> &text = desk_->message, &json = desk_->json;
    text.recycle(kKeptBytes);
    write_message(message, desk_->memory, desk_->arena, seed_, text);
    Status status = count({text.data(), text.size()}, tokens);
    history = message.history_tokens ? message.history_tokens : tokens;
    if (status.failed() || (message.history_tokens && tokens <= history)) return status;
    if (!message.history_tokens && state_.history >= kCountedHistory) return status;
    json.recycle(kKeptBytes);
    auto put = [&json](std::string_view part) { json.append(part.data(), part.size()); };
    put("{\"agent\":");
    write_json_string(message.agent, json);
    put(",\"intent\":");
    write_json_string(message.intent, json);
    put(",\"operation\":");
    write_json_string(message.operation, json);
    put(",\"payload\":");
    write_json(message.tree, message.payload, json);
    put("}");
    uint64_t json_tokens = 0;
    status = count({json.data(), json.size()}, json_tokens);
    if (!message.history_tokens) history = json_tokens;
    if (status.failed() || tokens <= json_tokens) return status;
    text.clear();
    write_json_message(message, desk_->memory, text);
    return count({text.data(), text.size()}, tokens);
}

Status Context::cut(std::string_view text, std::string_view ref, uint32_t most, uint32_t number, const ContextState &state,
                    Buffer<char> &out, uint64_t &tokens) {
    out.clear();
    const Cut cut = {text, last_act(state, state.entries.size()), ref, most, number};
    Status status = cut_message(cut, state.warm, desk_->counter, desk_->arena, out, tokens);
    if (out.size() <= kMostHotBytes) return status;
    out.clear();  // tokens of very many bytes each
    tokens = 0;
    return most > 8 ? this->cut(text, ref, most / 2, number, state, out, tokens) : status;
}

Status Context::append(const ContextMessage &message) {
    if (message.ref.size() > kMostRefBytes) return fail(ACCP_ERR_ARG, kMostRefBytes, "a ref has at most 64 bytes");
    if (Status named = check_names(message); named.failed()) return named;
    ContextDesk &desk = *desk_;
    desk.arena.reset();
    uint64_t tokens = 0, history = 0;
    Status status = write(message, tokens, history);
    if (status.failed()) return status;
    HotEntry entry;
    entry.number = static_cast<uint32_t>(state_.messages + 1);
    entry.source = source_of(message);
    entry.stated = !has_text(message);
    const uint32_t room = options_.hot_due - kReferenceTokens;
    const bool is_long = tokens > room || desk.message.size() > kMostHotBytes;
    const std::string_view whole(desk.message.data(), desk.message.size());
    if (is_long) status = cut(whole, message.ref, room - act_room(state_, room), entry.number, state_, desk.cut, tokens);
    if (status.failed()) return status;
    const std::string_view kept = is_long ? std::string_view(desk.cut.data(), desk.cut.size()) : whole;
    entry.tokens = static_cast<uint32_t>(tokens);
    desk.facts.clear();
    if (entry.source != Source::kAct || entry.stated) write_facts(message, entry.number, desk.memory, desk.arena, seed_, desk.facts);
    const uint64_t hot = state_.hot_tokens() + tokens;
    const bool asked = asks_for_checkpoint(message);
    auto take = [&](ContextState &state) {
        state.reserve(kept.size(), message.ref.size(), desk.facts.size());  // from here on nothing fails
        state.add(entry, kept, message.ref);
        state.facts.append(desk.facts.data(), desk.facts.size());
        state.messages = entry.number;
        state.history += history;
    };
    if (!is_long && !asked && hot <= options_.hot_due) {
        take(state_);
        return {};
    }
    ContextState &draft = desk.draft.state;
    desk.draft.begin(state_);
    if (hot > options_.hot_max) status = close(CheckpointCause::kFull, options_.hot_max - tokens, {});
    if (status.failed()) return status;
    take(draft);
    if (asked) status = close(cause_of(message), options_.hot_due, whole);
    else if (is_long || draft.hot_tokens() > options_.hot_due) status = close(CheckpointCause::kFull, options_.hot_due, whole);
    if (status.ok()) commit();
    return status;
}

Status Context::use(TokenUse &out) const {
    uint64_t warm_used = 0;
    const uint32_t last = state_.base.checkpoint;
    for (uint32_t id = last > options_.retained ? last - options_.retained + 1 : 1; id <= last; ++id) {
        uint64_t tokens = 0;
        Status status = count(warm(id), tokens);
        if (status.failed()) return status;
        warm_used += tokens;
    }
    const uint64_t hot_used = state_.hot_tokens();
    out = {hot_used, options_.hot_max, warm_used, options_.warm_max(), hot_used + warm_used, options_.total_max()};
    return {};
}

std::string_view Context::warm(uint32_t id) const {
    uint32_t order[kMostWarmItems];
    uint32_t count = 0;
    for (uint32_t i = 0; i < state_.warm.items.size(); ++i)
        if (state_.warm.items[i].checkpoint == slot_of(id)) order[count++] = i;
    view_.clear();
    view_.room(1);
    if (!id || id > state_.base.checkpoint || id + options_.retained <= state_.base.checkpoint) return {};
    write_items(state_.warm, order, count, view_);
    return {view_.data(), view_.size()};
}

std::string_view Context::hot() const { return {state_.hot.data(), state_.hot.size()}; }

void Context::save(Buffer<char> &out) const { write_state(state_, options_, out); }

Status Context::restore(const char *state, size_t len) {
    ContextState read(desk_->memory);
    Status status = read_state(state, len, options_, read);
    if (status.failed()) return status;
    state_.assign_tightly(read, memory_);
    return {};
}

}  // namespace accp

// context/cut.cc

// See cut.h: which lines stay, and what is written of the others.



// How a long message is cut, step by step: see cut.h.



namespace accp {

constexpr uint32_t kWordPlaces = 8192;  // a power of two

constexpr std::string_view kGap = "\xE2\x80\xA6";

// Of a line of a message as it was written: does it name what was left out?
bool is_reference(std::string_view line);

// Also a line of a listing that has nothing but its number.
bool is_blank(std::string_view line);

// How many lines have a word. By its hash alone: two words that meet only make each other seem more common.
class WordCounts {
public:
    explicit WordCounts(Arena &arena) : counts_(arena.take<uint16_t>(kWordPlaces)) {
        std::memset(counts_, 0, kWordPlaces * sizeof *counts_);
    }
    uint16_t &operator[](uint32_t hash) { return counts_[hash & (kWordPlaces - 1)]; }

private:
    uint16_t *counts_;
};

struct Cutter {
    const Cut &cut;
    const Warm &warm;
    TokenCounter &counter;
    Arena &arena;
    Sightings names;
    WordCounts words, asked, shapes, alike;
    struct Line {
        std::string_view text;
        uint32_t own = 0, score = 0;
        uint16_t tokens = 0;
        bool kept = false;
        bool ours = false;  // a gap, or names and a ref, of an earlier cut: its names count
    };
    Line *lines;
    uint32_t count = 0;
    Status status;

    Cutter(const Cut &cut, const Warm &warm, TokenCounter &counter, Arena &arena)
        : cut(cut),
          warm(warm),
          counter(counter),
          arena(arena),
          names(arena, warm),
          words(arena),
          asked(arena),
          shapes(arena),
          alike(arena),
          lines(arena.take<Line>(kMostCutLines)) {}

    uint32_t tokens_of(std::string_view text);
    void read();   // the lines, their words and names,
    void score();  // and what each is worth
    void choose(uint32_t room);
    void write(Buffer<char> &out);
    void write_names(uint32_t room, Buffer<char> &out);

private:
    void take_lines(std::string_view text, uint32_t most);
    uint32_t own_score(std::string_view line);
    bool asked_about(std::string_view name);
    bool begins_line(std::string_view line) const;
};

}  // namespace accp

// What in a text is a name: a path, a file, an identifier. And the words and lines of a text, as this room compares them.


namespace accp {

// The next run of letters, digits, `_ . / -`, without points and hyphens at its ends, that has 4 to 80 bytes, and a digit, `_ . / -` or a capital
// behind its first byte. Empty at the end; `at` moves behind it.
std::string_view next_name(std::string_view text, size_t &at);

// The next word: three bytes or more of letters, digits, `_` and what is no ASCII, or any number. Empty at the end.
std::string_view next_word(std::string_view text, size_t &at);

// The next line, without its newline; a long one in pieces of at most kMostLineBytes, cut behind a sentence, a space or a character.
constexpr size_t kMostLineBytes = 196;
constexpr size_t kMaxPathBytes = 130;  // of the path of a field with its colon: no piece ends in it
std::string_view next_line(std::string_view text, size_t &at);

std::string_view trim(std::string_view text);

// The same on every machine; no key, as nothing is kept by it but bounded sets.
uint32_t text_hash(std::string_view text);

// Names that begin alike, or end in the same `.xyz`, are often used alike: the files of a folder, the functions of a program, the sources of one language.
// So are codes of one length, of capitals and digits: the bookings of a customer.
struct Kin {
    uint32_t first = 0, last = 0;  // four bytes, and the ending, or what stands for a code, or 0

    bool operator==(const Kin &other) const { return first == other.first || (last && last == other.last); }
};
Kin kin_of(std::string_view name);

}  // namespace accp

namespace accp {

void Cutter::choose(uint32_t room) {
    auto *order = arena.take<uint32_t>(count + 1);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    const Line *all = lines;
    auto rate = [all](uint32_t i) { return uint64_t{all[i].score} * 256 / (kLineTokens + all[i].tokens); };
    std::sort(order, order + count, [rate](uint32_t a, uint32_t b) { return rate(a) != rate(b) ? rate(a) > rate(b) : a < b; });
    uint32_t used = 0;
    if (count && lines[0].tokens <= room) {  // who says it
        lines[0].kept = true;
        used = lines[0].tokens;
    }
    for (uint32_t i = 0; i < count; ++i) {
        Line &line = lines[order[i]];
        if (line.kept || line.ours || is_blank(line.text) || used + line.tokens > room) continue;
        line.kept = true;
        used += line.tokens;
    }
}

// Or is it a piece of a long one, which begins elsewhere?
bool Cutter::begins_line(std::string_view line) const { return line.data() == cut.text.data() || line.data()[-1] == '\n'; }

void Cutter::write(Buffer<char> &out) {
    bool gap = false;
    for (uint32_t i = 0; i < count; ++i) {
        std::string_view text = lines[i].text;
        if (!lines[i].kept && (gap || is_blank(text))) continue;
        gap = !lines[i].kept;
        if (gap) out.append(kGap.data(), kGap.size());
        else if (begins_line(text)) out.append(text.data(), text.size());
        else open_untrusted_line(text, out);
        out.push('\n');
    }
}

// The names of what was left out, as far as there is room.
void Cutter::write_names(uint32_t room, Buffer<char> &out) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!lines[i].kept) continue;
        size_t at = 0;
        for (std::string_view name = next_name(lines[i].text, at); !name.empty(); name = next_name(lines[i].text, at))
            if (Sighting *seen = names.find(name)) seen->count = 0;  // it is there
    }
    struct Ranked {
        uint32_t rate, at, tokens;
    };
    auto *ranked = arena.take<Ranked>(names.size() + 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < names.size(); ++i) {
        Sighting &seen = names[i];
        if (!seen.count) continue;
        Item item = seen.now;
        item.kind = Kind::kName;
        item.message = cut.now;
        if (seen.item == UINT32_MAX) item.worth = static_cast<uint16_t>(4 + 8 * std::min(seen.count, 6u));
        else item.worth = static_cast<uint16_t>(std::min(64u, uint32_t{item.worth}) + 8 * std::min(seen.count, 6u));
        if (!seen.now.tokens) seen.now.tokens = static_cast<uint8_t>(std::min(255u, tokens_of(seen.name) + 1));
        item.tokens = seen.now.tokens;
        uint32_t rate = item_rate(item, seen.name, cut.now);
        if (asked_about(seen.name) || seen.now.order == 1) rate += rate / 2;
        ranked[found++] = {rate, i, item.tokens};
    }
    std::sort(ranked, ranked + found, [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
    bool any = false;
    for (uint32_t i = 0; i < found; ++i) {
        if (ranked[i].tokens > room) continue;
        room -= ranked[i].tokens;
        if (!any) out.append(kGap.data(), kGap.size());
        any = true;
        out.push(' ');
        out.append(names[ranked[i].at].name.data(), names[ranked[i].at].name.size());
    }
    if (any) out.push(' ');
}

bool Cutter::asked_about(std::string_view name) {
    size_t at = 0;
    for (std::string_view word = next_word(name, at); !word.empty(); word = next_word(name, at))
        if (asked[text_hash(word)]) return true;
    return false;
}

Status cut_message(const Cut &cut, const Warm &warm, TokenCounter &counter, Arena &arena, Buffer<char> &out, uint64_t &tokens) {
    const size_t start = out.size();
    Cutter cutter(cut, warm, counter, arena);
    cutter.read();
    cutter.score();
    const uint32_t edge = cutter.tokens_of(cut.ref) + 8;
    uint32_t named = 0;
    for (uint32_t i = 0; i < cutter.names.size() && named < kNameTokens; ++i)
        if (cutter.names[i].count) named += 4;
    named = std::min(named, kNameTokens) * cut.most / 400;
    for (uint32_t slack = 0;; slack += 1 + slack / 2) {  // parts that are put together can count more than the parts
        out.resize_down(start);
        tokens = 0;
        if (cut.most < edge + 16 + slack) return cutter.status;
        const uint32_t room = cut.most - edge - slack;
        for (uint32_t i = 0; i < cutter.count; ++i) cutter.lines[i].kept = false;
        cutter.choose(room - std::min(named, room / 2));
        if (!cutter.count || !cutter.lines[0].kept) return cutter.status;  // lines without a header would be of the message before
        cutter.write(out);
        const uint32_t used = cutter.tokens_of({out.data() + start, out.size() - start});
        if (used < room) cutter.write_names(room - used, out);
        out.append(cut.ref.data(), cut.ref.size());
        out.push('\n');
        Status status = counter.count({out.data() + start, out.size() - start}, UINT64_MAX, tokens);
        if (status.failed()) return status;
        if (tokens <= cut.most) return cutter.status;
    }
}

}  // namespace accp

// context/front.cc

// What stands before hot: the items of warm that are worth most for what comes next. It is chosen by the state at the last checkpoint alone, so that
// until the next one a context only grows at its end.


namespace accp {

namespace {

struct Choice {
    uint32_t rate, item;
};

struct Chooser {
    const ContextState &state;
    Arena &arena;
    Sightings hot;  // names of hot as it was then
    Choice *all;
    uint32_t count = 0, taken = 0;
    uint32_t *order;
    uint64_t used = 0;

    Chooser(const ContextState &state, const Warm &none, Arena &arena)
        : state(state),
          arena(arena),
          hot(arena, none),
          all(arena.take<Choice>(kMostWarmItems)),
          order(arena.take<uint32_t>(kMostWarmItems)) {}

    std::string_view hot_text() const {
        uint32_t end = state.base.entries ? state.entries[state.base.entries - 1].end : state.reference_end;
        return {state.hot.data(), end};
    }
    void mark_names(std::string_view text) {
        size_t at = 0;
        for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
            if (Sighting *seen = hot.add(name)) seen->count = 1;
    }
    bool is_there(const Item &item) {
        std::string_view text = state.warm.text(item);
        if (item.kind == Kind::kName) return hot.find(text) != nullptr;
        if (!state.base.entries || item.message < state.entries[0].number) return false;
        if (item.kind == Kind::kFact) return states(state.warm.fact(item), text_of(item.message));
        return hot_text().find(trim(text)) != std::string_view::npos;
    }
    // Of a message of hot as it was then: another's line states nothing for its author.
    std::string_view text_of(uint32_t number) const {
        for (uint32_t i = 0; i < state.base.entries; ++i)
            if (state.entries[i].number == number) return state.text(i);
        return {};
    }
    // As `key:value`, the key being the last of the path.
    static bool states(const FactParts &fact, std::string_view rest) {
        size_t dot = fact.attribute.rfind('.');
        std::string_view key = fact.attribute.substr(dot == fact.attribute.npos ? 0 : dot + 1);
        for (size_t at; (at = rest.find(fact.value)) != rest.npos; rest.remove_prefix(at + 1))
            if (at > key.size() && rest[at - 1] == ':' && rest.substr(at - 1 - key.size(), key.size()) == key) return true;
        return false;
    }
    void rank() {
        mark_names(hot_text());
        const auto now = static_cast<uint32_t>(state.base.messages);
        for (uint32_t i = 0; i < state.warm.items.size(); ++i) {
            const Item &item = state.warm.items[i];
            if (item.checkpoint != kLatent && !is_there(item)) all[count++] = {item_rate(item, state.warm.text(item), now), i};
        }
        std::sort(all, all + count, [](const Choice &a, const Choice &b) { return a.rate != b.rate ? a.rate > b.rate : a.item < b.item; });
    }
    // Takes the best of a kind, or of all, until they have so many tokens.
    template <class Wanted>
    void take(uint64_t room, Wanted wanted) {
        uint64_t spent = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const Item &item = state.warm.items[all[i].item];
            if (!all[i].rate || !wanted(item) || spent + item.tokens > room) continue;
            if (item.kind == Kind::kName && hot.find(state.warm.text(item))) continue;  // a line that was taken has it
            all[i].rate = 0;
            order[taken++] = all[i].item;
            spent += item.tokens;
            if (item.kind != Kind::kName) mark_names(state.warm.text(item));
        }
        used += spent;
    }
    // Names that a line has which was taken after them.
    void drop_doubles() {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < taken; ++i) {
            const Item &item = state.warm.items[order[i]];
            const bool twice = item.kind == Kind::kName && hot.find(state.warm.text(item));
            if (twice) used -= item.tokens;
            else order[kept++] = order[i];
        }
        taken = kept;
    }
};

uint64_t left(uint64_t room, uint64_t used) { return room > used ? room - used : 0; }

}  // namespace

// `room` is for all of it, `wanted` of that for what is no fact.
Status Context::front(uint64_t budget, Buffer<char> &out) {
    Arena &arena = desk_->arena;
    const ContextState::Base &base = state_.base;
    uint64_t room = std::min<uint64_t>(options_.warm_max(), left(base.history, base.tokens));
    if (budget) room = std::min(room, left(budget, options_.hot_max));
    if (!base.checkpoint || !room) return {};
    uint64_t target = std::min<uint64_t>(kMostAutomatic, kBaseTokens + (base.history * kShare >> 16));
    uint64_t wanted = budget ? room : std::max<uint64_t>(kLeastWarm, left(target, base.tokens));
    Warm none(desk_->memory);
    Chooser chooser(state_, none, arena);
    chooser.rank();
    chooser.take(room, [](const Item &item) { return item.kind == Kind::kFact; });
    wanted = std::min(wanted, left(room, chooser.used));
    const uint64_t facts = chooser.used;
    chooser.take(wanted * kNameShare / 100, [](const Item &item) { return item.kind == Kind::kName; });
    chooser.take(left(wanted, chooser.used - facts), [](const Item &) { return true; });
    chooser.drop_doubles();
    chooser.take(left(wanted, chooser.used - facts), [](const Item &) { return true; });
    const size_t start = out.size();
    for (uint32_t drop = 1; chooser.taken; drop *= 2) {
        auto *order = arena.take<uint32_t>(chooser.taken);
        std::copy(chooser.order, chooser.order + chooser.taken, order);
        write_items(state_.warm, order, chooser.taken, out);
        uint64_t tokens = 0;
        Status status = count({out.data() + start, out.size() - start}, tokens);
        if (status.failed() || tokens <= room) return status;
        out.resize_down(start);
        chooser.taken -= std::min(drop, chooser.taken);
    }
    return {};
}

Status Context::render(uint64_t budget, Buffer<char> &out, uint64_t &tokens) {
    if (budget && budget < state_.hot_tokens()) return fail_limit(state_.hot_tokens(), budget, 
                                                                       "too many tokens in hot alone: raise the budget or lower rule hot_max");
    desk_->arena.reset();
    const size_t start = out.size();
    Status status = front(budget, out);
    if (status.ok()) {
        out.append(state_.hot.data(), state_.hot.size());
        status = count({out.data() + start, out.size() - start}, tokens);
    }
    if (status.failed()) {
        out.resize_down(start);
        return status;
    }
    if (tokens <= std::max<uint64_t>(state_.history, state_.hot_tokens()) && (!budget || tokens <= budget)) return {};
    out.resize_down(start);  // never more than the history
    out.append(state_.hot.data(), state_.hot.size());
    tokens = state_.hot_tokens();
    return {};
}

}  // namespace accp

// context/learn.cc

// See learn.h.



namespace accp {

namespace {

constexpr uint32_t kUnknown = UINT32_MAX;

uint16_t clamp(uint32_t worth) { return static_cast<uint16_t>(std::min(worth, 65535u)); }

bool is_fence(std::string_view line) { return trim(line).substr(0, 3) == "```"; }

// Characters that prose has not.
uint32_t signs(std::string_view line) {
    uint32_t count = 0;
    for (char c : line) {
        bool word = static_cast<unsigned>((c | 0x20) - 'a') < 26 || static_cast<unsigned>(c - '0') < 10 || c == '_' || (c & 0x80) != 0;
        if (!word && !std::strchr(" \t,.;:'\"!?`-", c)) ++count;
    }
    return count;
}

uint32_t sighting_worth(Source source, uint32_t count) {
    switch (source) {
        case Source::kAct: return kActName;
        case Source::kTask: return kTaskName;
        case Source::kGuide: return kGuideName * std::min(count, kMostGuideNames);
        default: return std::min(kMostResultName, kResultName * (1 + count));
    }
}

}  // namespace

uint32_t Learner::count(std::string_view text) {
    uint64_t tokens = 0;
    Status status = counter_.count(text, 255, tokens);
    if (status.failed()) status_ = status;
    return static_cast<uint32_t>(std::clamp<uint64_t>(tokens, 1, 255));
}

// Each name once: what the message adds to its worth.
void Learner::name(const Closed &message) {
    std::string_view text = message.text.substr(0, kMostLearnedBytes);
    for (uint32_t i = 0; i < names_.size(); ++i) names_[i].count = 0;
    size_t at = 0;
    for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
        if (Sighting *seen = names_.add(name)) ++seen->count;
    uint32_t order = 0;
    for (uint32_t i = 0; i < names_.size(); ++i) {
        Sighting &seen = names_[i];
        if (!seen.count) continue;
        const bool known = seen.now.worth != 0;
        seen.now.kind = Kind::kName;
        if (!seen.now.look) seen.now.look = name_look(seen.name);
        seen.now.worth = clamp(seen.now.worth + sighting_worth(message.source, seen.count));
        seen.now.message = message.number;
        seen.now.order = static_cast<uint16_t>(order++);
        if (!known || message.source == Source::kAct || (message.source == Source::kTask && seen.now.source != Source::kAct))
            seen.now.source = message.source;
        seen.now.checkpoint = 0;  // to be placed
    }
    if (message.source != Source::kAct) return;
    auto *kin = arena_.take<Kin>(names_.size() + 1);
    for (uint32_t i = 0; i < names_.size(); ++i) kin[i] = kin_of(names_[i].name);
    for (uint32_t i = 0; i < names_.size(); ++i)
        for (uint32_t j = 0; names_[i].count && j < names_.size(); ++j)
            if (kin[i] == kin[j]) names_[j].now.kin = message.number;
}

uint32_t Learner::line_worth(std::string_view line, const Closed &message, bool fenced, uint32_t tokens) {
    uint32_t names = 0;
    size_t at = 0;
    for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at))
        if (Sighting *seen = names_.find(name)) names += std::min(kMostNameInLine, name_worth(seen->now, name, now_));
    switch (message.source) {
        case Source::kAct: return kActToken * tokens + names;
        case Source::kTask: return (names * kTaskNames >> 4) + kSign * std::min(kMostSigns, signs(line)) + (fenced ? kFenced : 0);
        case Source::kGuide: return names * kGuideNames >> 4;
        default: return names * kResultNames >> 4;
    }
}

// As it stands in a later context: the header as it is, what is not the beginning of a line as one of its own, and what is untrusted with its mark.
std::string_view Learner::as_kept(std::string_view line, const Closed &message) {
    const bool header = line.data() == message.text.data();
    if (header || (line[0] == ' ' && !message.untrusted && !imitates_structure(line))) return line;
    scratch_.clear();
    if (message.untrusted) scratch_.append(kUntrustedAuthor.data(), kUntrustedAuthor.size());
    open_untrusted_line(line, scratch_);
    char *copy = arena_.take<char>(scratch_.size());
    std::memcpy(copy, scratch_.data(), scratch_.size());
    return {copy, scratch_.size()};
}

void Learner::line(const Closed &message) {
    std::string_view text = message.text.substr(0, kMostLearnedBytes);
    bool fenced = false, ours = false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size() && lines_.size() < kMostLearnedLines; ++order) {
        if (!at || text[at - 1] == '\n') ours = is_reference(text.substr(at));
        std::string_view line = next_line(text, at);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (is_fence(line)) {
            fenced = !fenced;
            continue;
        }
        if (ours || trim(line).size() < 3) continue;
        Line entry = {as_kept(line, message), {}, kUnknown};
        entry.item.tokens = static_cast<uint8_t>(count(entry.text));
        entry.item.worth = clamp(line_worth(line, message, fenced, entry.item.tokens));
        if (!entry.item.worth) continue;
        entry.item.message = message.number;
        entry.item.order = order;
        entry.item.source = message.source;
        for (uint32_t i = 0; i < warm_.items.size(); ++i)
            if (warm_.items[i].kind == Kind::kLine && warm_.text(warm_.items[i]) == entry.text) entry.known = i;
        lines_.push(entry);
    }
}

bool Learner::summary(std::string_view text) {
    if (text.empty() || count(text) > options_.summary_max) return false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size(); ++order) {
        const std::string_view line = next_line(text, at);
        if (trim(line).empty()) continue;
        Line entry = {as_kept(line, {}), {}, kUnknown};
        entry.item.tokens = static_cast<uint8_t>(count(entry.text));
        entry.item.worth = clamp(4 * kActToken * entry.item.tokens);
        entry.item.message = now_;
        entry.item.order = order;
        entry.item.source = Source::kTask;
        lines_.push(entry);
    }
    own_ = true;
    return true;
}

// The newest of one author wins; what another said stands beside it. An attribute of something in a payload that the same agent gives with the same value, whatever its message is about, is the
// agent's own.
void Learner::fact(const FactParts &fact, uint32_t number) {
    const bool deep = fact.attribute.find('.') != fact.attribute.npos;
    const auto hash = static_cast<uint16_t>(text_hash(fact.attribute));
    bool own = false, known = false;
    for (uint32_t at = heads_[hash % kHeads]; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash || !item.checkpoint) continue;
        const FactParts old = warm_.fact(item);
        if (old.attribute != fact.attribute) continue;
        if (old.entity == fact.entity) {
            if (old.agent == fact.agent) drop(item);
            known = true;
        }
        if (deep && old.agent == fact.agent && (old.entity == old.agent || (old.value == fact.value && old.entity != fact.entity)))
            own = true;
    }
    for (uint32_t at = own ? heads_[hash % kHeads] : 0; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash) continue;
        const FactParts old = warm_.fact(item);
        if (old.agent == fact.agent && old.attribute == fact.attribute) drop(item);
    }
    if (number & kOnlyReplaces && !known && !own) return;
    const std::string_view entity = own ? fact.agent : fact.entity;
    Item item;
    item.kind = Kind::kFact;
    item.message = number & ~kOnlyReplaces;
    item.checkpoint = kUnplaced;
    item.worth = hash;
    item.kin = fact_lengths(fact.agent.size(), entity.size(), fact.attribute.size());
    scratch_.clear();
    for (std::string_view part : {fact.agent, entity, fact.attribute, fact.value}) scratch_.append(part.data(), part.size());
    const size_t stated = fact.agent.size() + entity.size();
    item.tokens = static_cast<uint8_t>(std::min(count({scratch_.data() + stated, scratch_.size() - stated}) + 2, 255u));
    if (warm_.add(item, {scratch_.data(), scratch_.size()})) chain(static_cast<uint32_t>(warm_.items.size() - 1));
}

// Facts are looked up by the hash of their attribute.
void Learner::chain(uint32_t item) {
    uint16_t &head = heads_[warm_.items[item].worth % kHeads];
    next_[item] = head;
    head = static_cast<uint16_t>(item + 1);
}

void Learner::facts(std::string_view records) {
    if (records.empty()) return;
    heads_ = arena_.take<uint16_t>(kHeads);
    next_ = arena_.take<uint16_t>(kMostWarmItems);
    std::memset(heads_, 0, kHeads * sizeof *heads_);
    for (uint32_t i = 0; i < warm_.items.size(); ++i)
        if (warm_.items[i].kind == Kind::kFact) chain(i);
    uint32_t head[3];
    while (records.size() > sizeof head) {
        std::memcpy(head, records.data(), sizeof head);
        fact(fact_parts(head[2], records.substr(sizeof head, head[1])), head[0]);
        records.remove_prefix(sizeof head + head[1]);
    }
}

}  // namespace accp

// context/notes.cc

// See desk.h: what the hook hears of a checkpoint, and the moment at which a draft becomes the state.


namespace accp {

namespace {

// The triple of an item: what an agent stated; a line or a name is something that was said.
ContextFact triple(const Warm &warm, const Item &item) {
    std::string_view text = warm.text(item);
    if (item.kind == Kind::kName) return {"history", text, "names"};
    if (item.kind == Kind::kLine) return {"history", text, "says"};
    FactParts parts = warm.fact(item);
    return {parts.entity, parts.value, parts.attribute};
}

}  // namespace

// Once for each checkpoint, before hot begins anew.
void Context::note(CheckpointCause cause, uint64_t first, uint32_t tokens) {
    if (!hooks_.checkpointed) return;
    ContextDraft &draft = desk_->draft;
    Warm &warm = draft.state.warm;
    ContextDraft::Note &note = draft.notes[draft.count++];
    note.view.id = draft.state.base.checkpoint;
    note.view.cause = cause;
    note.view.first = first;
    note.view.last = draft.state.messages;
    note.fact_at = static_cast<uint32_t>(draft.facts.size());
    uint32_t order[kMostWarmItems], lines[kMostWarmItems], count = 0, line_count = 0;
    auto put = [&draft](std::string_view text) {
        draft.text.append(text.data(), text.size());
        return static_cast<uint32_t>(text.size());
    };
    for (uint32_t i = 0; i < warm.items.size(); ++i) {
        if (warm.items[i].checkpoint != slot_of(note.view.id)) continue;
        order[count++] = i;
        if (warm.items[i].kind == Kind::kLine) lines[line_count++] = i;
        ContextFact fact = triple(warm, warm.items[i]);
        auto at = static_cast<uint32_t>(draft.text.size());
        uint32_t entity = put(fact.entity), value = put(fact.value), relationship = put(fact.relationship);
        draft.facts.push({at, entity, value, relationship});
    }
    note.view.fact_count = static_cast<uint32_t>(draft.facts.size()) - note.fact_at;
    note.text_at = static_cast<uint32_t>(draft.text.size());
    write_items(warm, order, count, draft.text);
    note.text_len = static_cast<uint32_t>(draft.text.size()) - note.text_at;
    note.view.tokens = tokens;
    note.summary_at = static_cast<uint32_t>(draft.text.size());
    note.view.summary_tokens = summarise(lines, line_count);
    note.summary_len = static_cast<uint32_t>(draft.text.size()) - note.summary_at;
}

// Appends the lines that are worth most, as many as the bound of a summary lets be; answers their tokens.
uint32_t Context::summarise(uint32_t *lines, uint32_t count) {
    ContextDraft &draft = desk_->draft;
    Warm &warm = draft.state.warm;
    const auto now = static_cast<uint32_t>(draft.state.messages);
    std::sort(lines, lines + count, [&](uint32_t a, uint32_t b) {
        uint32_t x = item_rate(warm.items[a], warm.text(warm.items[a]), now), y = item_rate(warm.items[b], warm.text(warm.items[b]), now);
        return x != y ? x > y : a < b;
    });
    PartCounter parts(warm, desk_->counter, desk_->scratch);
    const size_t start = draft.text.size();
    for (; count; --count) {
        uint32_t kept[kMostWarmItems];
        std::copy(lines, lines + count, kept);
        uint64_t tokens = 0;
        const bool known = parts.count(kept, count, tokens);
        if (known && tokens > options_.summary_max) continue;
        draft.text.resize_down(start);
        write_items(warm, kept, count, draft.text);
        Status status = known ? Status{} : this->count({draft.text.data() + start, draft.text.size() - start}, tokens);
        if (status.ok() && tokens <= options_.summary_max) return static_cast<uint32_t>(tokens);
    }
    draft.text.resize_down(start);
    return 0;
}

// The state takes what the draft has. Nothing may fail from there on.
void Context::commit() {
    ContextDraft &draft = desk_->draft;
    draft.told.clear();
    for (size_t i = 0; i < draft.facts.size(); ++i) {
        const ContextDraft::Fact &fact = draft.facts[i];
        const char *at = draft.text.data() + fact.at;
        draft.told.push({{at, fact.entity_len},
                         {at + fact.entity_len, fact.value_len},
                         {at + fact.entity_len + fact.value_len, fact.relationship_len}});
    }
    state_.assign_tightly(draft.state, memory_);
    for (uint32_t i = 0; i < draft.count; ++i) {
        ContextDraft::Note &note = draft.notes[i];
        note.view.text = {draft.text.data() + note.text_at, note.text_len};
        note.view.summary = {draft.text.data() + note.summary_at, note.summary_len};
        note.view.facts = draft.told.data() + note.fact_at;
        hooks_.checkpointed(note.view, hooks_.user);
    }
}

}  // namespace accp

// context/parts.cc

// See parts.h.


namespace accp {

namespace {

constexpr uint32_t kMostEntities = 64;  // of one checkpoint, that are told apart here

bool is_seen(char c) { return c > ' ' && c < 0x7F; }

// May it stand behind a newline? A slash would go with the newline.
bool may_begin_line(std::string_view text, bool blanks) {
    if (blanks) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return !text.empty() && is_seen(text.front()) && text.front() != '/' && is_seen(text.back());
}

bool is_wordy(char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26 || static_cast<unsigned>(c - '0') < 10; }

// The author and the entity, which make the beginning of its line.
std::string_view entity_of(const Warm &warm, const Item &fact) {
    return {warm.text(fact).data(), (fact.kin & 255) + (fact.kin >> 8 & 255)};
}

// The mark of a fact's entity, in Item::order: its tokens, and eight bits to tell it from others by.
uint16_t mark_of(std::string_view entity, uint32_t tokens) {
    uint32_t bits = static_cast<uint32_t>(entity.size());
    for (char c : entity.substr(entity.size() - std::min<size_t>(entity.size(), 4))) bits = bits * 5 + static_cast<unsigned char>(c);
    return static_cast<uint16_t>(bits << 8 | tokens);
}

}  // namespace

uint32_t PartCounter::tokens_of(std::string_view text) {
    uint64_t tokens = 0;
    Status status = counter_.count(text, kWholeOnly, tokens);
    return status.failed() ? kWholeOnly : static_cast<uint32_t>(std::min<uint64_t>(tokens, kWholeOnly));
}

std::string_view PartCounter::part_of(const Item &item, bool newline) {
    std::string_view text = warm_.text(item);
    scratch_.clear();
    auto put = [this](std::string_view part) { scratch_.append(part.data(), part.size()); };
    if (item.kind != Kind::kLine) scratch_.push(' ');
    if (item.kind == Kind::kFact) {
        FactParts fact = warm_.fact(item);
        put(fact.attribute);
        scratch_.push(':');
        text = fact.value;
    }
    put(text);
    if (newline || item.kind == Kind::kLine) scratch_.push('\n');
    return {scratch_.data(), scratch_.size()};
}

// Of the beginning of its line, which is in scratch then.
uint32_t PartCounter::tokens_of_entity(const FactParts &fact) {
    scratch_.clear();
    write_entity(fact, scratch_);
    if (fact.entity != entity_ || fact.agent != author_) entity_tokens_ = tokens_of({scratch_.data(), scratch_.size()});
    entity_ = fact.entity;
    author_ = fact.agent;
    return entity_tokens_;
}

uint32_t PartCounter::heading() {
    if (!heading_) heading_ = tokens_of("named:");
    return heading_;
}

// False where the item's part is not one that can be counted alone.
bool PartCounter::measure(Item &item) {
    if (item.part) return item.part != kWholeOnly;
    const std::string_view text = warm_.text(item);
    std::string_view first = text;  // what stands behind a blank
    uint32_t tokens = 0;
    bool alone = true;
    if (item.kind == Kind::kLine) {
        alone = may_begin_line(text, counter_.newline_ends_piece());
    } else if (item.kind == Kind::kFact) {
        const FactParts fact = warm_.fact(item);
        first = fact.attribute.empty() ? std::string_view(":") : fact.attribute;
        tokens = tokens_of_entity(fact);
        alone = may_begin_line({scratch_.data(), scratch_.size()}, false) && tokens < kWholeOnly;
    }
    item.part = kWholeOnly;
    if (!alone || (item.kind != Kind::kLine && (!is_seen(first.front()) || !is_seen(text.back())))) return false;
    const uint32_t part = tokens_of(part_of(item, false));
    if (item.kind != Kind::kLine) {
        if (!newline_) newline_ = tokens_of("\n");
        const uint32_t ended = is_wordy(text.back()) ? part + newline_ : tokens_of(part_of(item, true));
        if (ended - part > 1) return false;
        item.more = ended > part;
    }
    if (item.kind == Kind::kFact) item.order = mark_of(entity_of(warm_, item), tokens);
    item.part = static_cast<uint8_t>(part);
    return part != kWholeOnly;
}

uint32_t PartCounter::most(Item &item) {
    if (!counter_.adds_up() || !measure(item)) return kWholeOnly;
    if (item.kind == Kind::kLine) return item.part;
    return 1u + item.part + (item.kind == Kind::kFact ? item.order & 255u : heading());
}

bool PartCounter::count(const uint32_t *items, uint32_t count, uint64_t &tokens) {
    if (!counter_.adds_up()) return false;
    struct Entity {
        std::string_view name;
        uint32_t author;  // how much of it
        uint16_t mark;
        uint8_t more;  // that the newline behind its last fact adds
    } entities[kMostEntities];
    uint32_t entity_count = 0, total = 0, names_end = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[items[i]];
        if (!measure(item)) return false;
        total += item.part;
        if (item.kind == Kind::kName) names_end = heading() + item.more;
        if (item.kind != Kind::kFact) continue;
        const std::string_view name = entity_of(warm_, item);
        const uint32_t author = item.kin & 255;
        uint32_t at = entity_count;  // backwards: facts of one entity come together
        while (at && (entities[at - 1].mark != item.order || entities[at - 1].author != author || entities[at - 1].name != name)) --at;
        if (at) {
            entities[at - 1].more = item.more;
        } else {
            if (entity_count == kMostEntities) return false;
            entities[entity_count++] = {name, author, item.order, item.more};
            total += item.order & 255u;
        }
    }
    for (uint32_t i = 0; i < entity_count; ++i) total += entities[i].more;
    tokens = total + names_end;
    return true;
}

}  // namespace accp
