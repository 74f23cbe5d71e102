//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#if !defined(__clang__)
#pragma GCC optimize("no-jump-tables")
#endif
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstring>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <initializer_list>
#include <string_view>

// frame/machine_strict.cc

// The machine of the strict and u8 dialects, from ragel/lexer.rl.

// What the generated machines do at each action. A machine is one function, so that positions and the open level stay in registers: it is
// written here once as a set of macros over Tree, and compiled twice, for strict and u8 and for compat.



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

// Bytes to a flat tree. The machines (machine_strict.cc, machine_compat.cc) take a frame or refuse it, as fast as they can; where a refused frame
// went wrong is then found by locate.h, one byte at a time.


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

using Machine = Parsed(const MachineInput &input);
Machine run_strict_machine;
Machine run_compat_machine;

// An open array or map, or the payload or metadata itself.
struct Level {
    uint32_t node;
    uint32_t count;  // of the level outside, while this one is open
    KeyFilter keys;
};

// The kind of a word that begins with 0 or ends like true or false; `kind` where it is neither.
[[gnu::noinline]] inline uint32_t unusual_kind(const char *word, uint32_t len, uint32_t kind) {
    if (*word == '0' && len > 1) return ACCP_STRING;
    if (len == 4 && std::memcmp(word, "true", 4) == 0) return ACCP_BOOL | ACCP_NODE_TRUE << 8;
    if (len == 5 && std::memcmp(word, "false", 5) == 0) return ACCP_BOOL;
    return kind;
}

// The tree as it grows. Nothing takes its address, so its members live in registers.
class Tree {
public:
    Tree(const MachineInput &input, Level *levels)
        : text_(input.text), input_(&input), first_(input.nodes), node_(input.nodes), levels_(levels), level_(levels) {}

    [[gnu::always_inline]] uint32_t count() const { return static_cast<uint32_t>(next_ >> 32); }
    [[gnu::always_inline]] Parsed parsed() const { return {count(), !odd_}; }

    [[gnu::always_inline]] bool name(uint32_t start, uint32_t end) {
        put(ACCP_NAME, start, end - start);
        return end - start <= input_->key_bytes;
    }
    [[gnu::always_inline]] bool is_agent_id(uint32_t start, uint32_t end) const {
        for (uint32_t i = start; i < end; ++i)
            if (!is_agent(byte(i))) return false;
        return true;
    }
    [[gnu::always_inline]] bool intent(uint32_t start, uint32_t end) { return name(start, end) && is_alpha_word(start, end - start); }

    // The payload and the metadata are maps at depth 0.
    [[gnu::always_inline]] void block(uint32_t position) {
        *level_ = {count(), 0, {}};
        count_ = 0;
        put(ACCP_MAP, position, 0);
    }
    [[gnu::always_inline]] bool end_block() {
        key_len_ = 0;
        return count_ <= input_->params && close();
    }

    [[gnu::always_inline]] bool key(uint32_t start, uint32_t end) {
        uint32_t len = end - start;
        key_len_ = len;
        if (len > input_->key_bytes) return false;
        bool known = level_->keys.add(text_ + start, len);
        if (!__builtin_expect(known, 0) || count_ >= kLinearKeys) return true;
        return !has_key({first_, text_}, level_->node, count(), text_ + start, len);
    }

    // No branch hangs on whether the word is a number: they come as they like, and a guess gone wrong costs more than all of this. There are at least
    // eight bytes before any value.
    [[gnu::always_inline]] void word(uint32_t start, uint32_t end, uint8_t code) {
        static_assert(ACCP_STRING == 2 * ACCP_INT && kNonDigit == 0x80);
        uint32_t len = end - start;
        uint32_t kind = ACCP_INT + ACCP_INT * (code >> 7);
        const char *last = text_ + end - 4;
        bool unusual = text_[start] == '0' || std::memcmp(last, "true", 4) == 0 || std::memcmp(last, "alse", 4) == 0;
        if (__builtin_expect(unusual, 0)) kind = unusual_kind(text_ + start, len, kind);
        add(kind, start, len);
    }
    [[gnu::always_inline]] void other(uint32_t start, uint32_t end) {
        uint32_t len = end - start;
        uint32_t kind = ACCP_STRING;
        if (is_suspect(text_[start])) {
            kind = wire_number_kind(text_ + start, len);
            odd_ |= kind == ACCP_DEC && (text_[end - 1] == '0' || len > kDecimalPlaces + 2);
        }
        if (kind == ACCP_STRING) kind |= escaped(start, len);
        add(kind, start, len);
    }
    [[gnu::always_inline]] void null(uint32_t position) { add(ACCP_NULL, position, 1); }
    [[gnu::always_inline]] bool ref(uint32_t start, uint32_t end) {
        uint32_t len = end - start;
        add(ACCP_REF, start, len);
        return len <= input_->key_bytes && is_ref(text_ + start, len);
    }
    [[gnu::always_inline]] void loose(uint32_t start, uint32_t end) {
        uint32_t len = end - start;
        odd_ = true;
        add(ACCP_STRING | ACCP_NODE_LOOSE << 8 | escaped(start, len), start, len);
    }

    [[gnu::always_inline]] bool open(uint32_t kind, uint32_t position) {
        if (static_cast<uint32_t>(level_ - levels_) == input_->depth) return false;
        *++level_ = {count(), count_ + 1, {}};
        count_ = 0;
        put(kind, position, 0);
        key_len_ = 0;
        return true;
    }
    [[gnu::always_inline]] bool leave() {
        bool fits = count_ <= input_->items && close();
        odd_ |= count_ > 1 && first_[level_->node].kind == ACCP_MAP;
        count_ = level_->count;
        --level_;
        key_len_ = 0;
        return fits;
    }

private:
    [[gnu::always_inline]] unsigned char byte(uint32_t i) const { return static_cast<unsigned char>(text_[i]); }

    // kind_and_flags: flags from bit 8 up. A node is written as two words.
    [[gnu::always_inline]] void put(uint32_t kind_and_flags, uint32_t offset, uint32_t len) {
        next_ += uint64_t{1} << 32;
        uint64_t words[2] = {kind_and_flags | key_len_ << 16 | uint64_t{offset} << 32, len | next_};
        std::memcpy(static_cast<void *>(node_), words, sizeof words);
        ++node_;
    }
    [[gnu::always_inline]] void add(uint32_t kind_and_flags, uint32_t offset, uint32_t len) {
        ++count_;
        put(kind_and_flags, offset, len);
    }
    [[gnu::always_inline]] bool close() {
        Node &node = first_[level_->node];
        node.len = count_;
        node.next = count();
        return count_ <= kLinearKeys || node.kind == ACCP_ARRAY ||
               !find_equal_key({first_, text_}, level_->node, *input_->arena, input_->seed);
    }
    [[gnu::always_inline]] uint32_t escaped(uint32_t start, uint32_t len) const {
        return input_->symbols.escapes && std::memchr(text_ + start, '\\', len) ? ACCP_NODE_ESCAPED << 8 : 0;
    }

    // A word, so far known to be [A-Za-z0-9_]+: is it all letters? Those are the ones with bit 6 set, save the underscore.
    [[gnu::always_inline]] bool is_alpha_word(uint32_t start, uint32_t len) const {
        if (len > 8 || input_->len - start < 8) {
            for (uint32_t i = start; i < start + len; ++i)
                if (!is_alpha(byte(i))) return false;
            return true;
        }
        uint64_t bytes;
        std::memcpy(&bytes, text_ + start, 8);
        uint64_t scores = bytes ^ 0x5F5F5F5F5F5F5F5F;
        uint64_t wrong = (~bytes << 1 | ((scores - 0x0101010101010101) & ~scores)) & 0x8080808080808080;
        return !(wrong << 8 * (8 - len));
    }
    const char *text_;
    const MachineInput *input_;
    Node *first_;
    Node *node_;
    Level *levels_;
    Level *level_;
    uint64_t next_ = 0;   // the number of nodes, as the upper half of a node's second word
    uint32_t count_ = 0;  // of the children of the open level
    uint32_t key_len_ = 0;
    bool odd_ = false;  // there may be something that print_frame() writes otherwise
};

}  // namespace accp

// Where the text before the symbol at p begins, and where its delimiter stands.
#define BEGIN (p[-1] + 1)
#define END (*p)

#define ON_AGENT \
    if (!tree.name(BEGIN, END)) return {};
#define ON_AGENT_OTHER \
    if (!tree.is_agent_id(BEGIN, END)) return {};
#define ON_INTENT \
    if (!tree.intent(BEGIN, END)) return {};
#define ON_OPERATION                       \
    if (!tree.name(BEGIN, END)) return {}; \
    tree.block(END);
#define ON_PAYLOAD_END \
    if (!tree.end_block()) return {};
#define ON_META tree.block(END);
#define ON_META_END \
    if (!tree.end_block()) return {};
#define ON_KEY \
    if (!tree.key(BEGIN, END)) return {};
#define ON_WORD tree.word(BEGIN, END, codes[END]);
#define ON_TEXT tree.other(BEGIN, END);
#define ON_NULL tree.null(END);
#define ON_REF \
    if (!tree.ref(BEGIN, END)) return {};
#define ON_ARRAY \
    if (!tree.open(ACCP_ARRAY, END)) return {};
#define ON_MAP \
    if (!tree.open(ACCP_MAP, END)) return {};
#define ON_ACCEPT return BEGIN == input.len ? tree.parsed() : Parsed{};  // text behind the last delimiter is no part of a frame
#define ON_LEAVE \
    if (!tree.leave()) return {};
#define ON_LOOSE_START loose = END;
#define ON_LOOSE_AGENT \
    if (!tree.is_agent_id(loose + 1, END)) return {};
#define ON_ELEMENT_START loose = BEGIN;
#define ON_LOOSE_END tree.loose(loose, END);

namespace accp {

Parsed run_strict_machine(const MachineInput &input) {
    const uint8_t *codes = input.symbols.codes;
    const uint32_t *p = input.symbols.positions;
    int cs, top, stack[kMostDepth];
    Level levels[kMostDepth + 1];
    Tree tree(input, levels);
/* Made by script/ragel from ragel/lexer.rl: edit that. */

// The machine of the strict and u8 dialects. Actions are macros of the includer, src/frame/machine.h: they record positions, no more.

static const int lexer_start = 1;


	{
	cs = lexer_start;
	top = 0;
	}

	{
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
		case 25: goto st25;
		case 11: goto st11;
		case 12: goto st12;
		case 13: goto st13;
		case 14: goto st14;
		case 15: goto st15;
		case 16: goto st16;
		case 17: goto st17;
		case 26: goto st26;
		case 18: goto st18;
		case 19: goto st19;
		case 20: goto st20;
		case 27: goto st27;
		case 21: goto st21;
		case 22: goto st22;
		case 23: goto st23;
		case 24: goto st24;
	default: break;
	}

	p += 1;
_resume:
	switch ( cs )
	{
st1:
	p += 1;
case 1:
	if ( ( (codes[*p] & 0x7F)) == 1u )
		goto st2;
	goto st0;
st0:
cs = 0;
	goto _out;
st2:
	p += 1;
case 2:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 20u: goto tr2;
		case 52u: goto tr3;
	}
	goto st0;
tr2:
	{ ON_AGENT }
	goto st3;
tr3:
	{ ON_AGENT_OTHER }
	{ ON_AGENT }
	goto st3;
st3:
	p += 1;
case 3:
	if ( ( (codes[*p] & 0x7F)) == 16u )
		goto tr4;
	goto st0;
tr4:
	{ ON_INTENT }
	goto st4;
st4:
	p += 1;
case 4:
	if ( ( (codes[*p] & 0x7F)) == 27u )
		goto tr5;
	goto st0;
tr5:
	{ ON_OPERATION }
	goto st5;
st5:
	p += 1;
case 5:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 13u: goto tr6;
		case 16u: goto tr7;
	}
	goto st0;
tr6:
	{ ON_PAYLOAD_END }
	goto st6;
tr28:
	{ ON_WORD }
	{ ON_PAYLOAD_END }
	goto st6;
tr30:
	{ ON_TEXT }
	{ ON_PAYLOAD_END }
	goto st6;
tr32:
	{ ON_REF }
	{ ON_PAYLOAD_END }
	goto st6;
st6:
	p += 1;
case 6:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 8u: goto tr8;
		case 64u: goto tr9;
	}
	goto st0;
tr8:
	{ ON_META }
	goto st7;
tr16:
	{ ON_WORD }
	goto st7;
tr18:
	{ ON_TEXT }
	goto st7;
tr20:
	{ ON_REF }
	goto st7;
st7:
	p += 1;
case 7:
	if ( ( (codes[*p] & 0x7F)) == 16u )
		goto tr10;
	goto st0;
tr10:
	{ ON_KEY }
	goto st8;
st8:
	p += 1;
case 8:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 7u: goto st9;
		case 8u: goto tr12;
		case 11u: goto tr13;
		case 14u: goto tr14;
		case 26u: goto tr15;
		case 31u: goto tr16;
		case 58u: goto tr17;
		case 63u: goto tr18;
	}
	goto st0;
st9:
	p += 1;
case 9:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 26u: goto tr19;
		case 31u: goto tr20;
		case 58u: goto tr19;
		case 63u: goto tr20;
	}
	goto st0;
tr15:
	{ ON_WORD }
	{ ON_META_END }
	goto st10;
tr17:
	{ ON_TEXT }
	{ ON_META_END }
	goto st10;
tr19:
	{ ON_REF }
	{ ON_META_END }
	goto st10;
tr21:
	{ ON_META_END }
	goto st10;
st10:
	p += 1;
case 10:
	if ( ( (codes[*p] & 0x7F)) == 64u )
		goto tr9;
	goto st0;
tr9:
	{ ON_ACCEPT }
	goto st25;
st25:
	p += 1;
case 25:
	goto st0;
tr12:
	{ ON_ARRAY {stack[top++] = 11;goto st16;} }
	goto st11;
tr13:
	{ ON_MAP {stack[top++] = 11;goto st20;} }
	goto st11;
tr14:
	{ ON_NULL }
	goto st11;
st11:
	p += 1;
case 11:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 10u: goto tr21;
		case 15u: goto st7;
	}
	goto st0;
tr7:
	{ ON_KEY }
	goto st12;
st12:
	p += 1;
case 12:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 7u: goto st13;
		case 8u: goto tr24;
		case 11u: goto tr25;
		case 14u: goto tr26;
		case 28u: goto tr27;
		case 29u: goto tr28;
		case 60u: goto tr29;
		case 61u: goto tr30;
	}
	goto st0;
st13:
	p += 1;
case 13:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 28u: goto tr31;
		case 29u: goto tr32;
		case 60u: goto tr31;
		case 61u: goto tr32;
	}
	goto st0;
tr27:
	{ ON_WORD }
	goto st14;
tr29:
	{ ON_TEXT }
	goto st14;
tr31:
	{ ON_REF }
	goto st14;
st14:
	p += 1;
case 14:
	if ( ( (codes[*p] & 0x7F)) == 16u )
		goto tr7;
	goto st0;
tr24:
	{ ON_ARRAY {stack[top++] = 15;goto st16;} }
	goto st15;
tr25:
	{ ON_MAP {stack[top++] = 15;goto st20;} }
	goto st15;
tr26:
	{ ON_NULL }
	goto st15;
st15:
	p += 1;
case 15:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 12u: goto st14;
		case 13u: goto tr6;
	}
	goto st0;
st16:
	p += 1;
case 16:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 7u: goto st17;
		case 8u: goto tr35;
		case 10u: goto tr36;
		case 11u: goto tr37;
		case 14u: goto tr38;
		case 26u: goto tr39;
		case 31u: goto tr40;
		case 58u: goto tr41;
		case 63u: goto tr42;
	}
	goto st0;
st17:
	p += 1;
case 17:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 26u: goto tr43;
		case 31u: goto tr44;
		case 58u: goto tr43;
		case 63u: goto tr44;
	}
	goto st0;
tr36:
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st26;
tr39:
	{ ON_WORD }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st26;
tr41:
	{ ON_TEXT }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st26;
tr43:
	{ ON_REF }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st26;
st26:
	p += 1;
case 26:
	goto st0;
tr40:
	{ ON_WORD }
	goto st18;
tr42:
	{ ON_TEXT }
	goto st18;
tr44:
	{ ON_REF }
	goto st18;
st18:
	p += 1;
case 18:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 7u: goto st17;
		case 8u: goto tr35;
		case 11u: goto tr37;
		case 14u: goto tr38;
		case 26u: goto tr39;
		case 31u: goto tr40;
		case 58u: goto tr41;
		case 63u: goto tr42;
	}
	goto st0;
tr35:
	{ ON_ARRAY {stack[top++] = 19;goto st16;} }
	goto st19;
tr37:
	{ ON_MAP {stack[top++] = 19;goto st20;} }
	goto st19;
tr38:
	{ ON_NULL }
	goto st19;
st19:
	p += 1;
case 19:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 10u: goto tr36;
		case 15u: goto st18;
	}
	goto st0;
st20:
	p += 1;
case 20:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 13u: goto tr46;
		case 16u: goto tr47;
	}
	goto st0;
tr46:
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st27;
tr52:
	{ ON_WORD }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st27;
tr54:
	{ ON_TEXT }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st27;
tr56:
	{ ON_REF }
	{ ON_LEAVE {cs = stack[--top];goto _again;} }
	goto st27;
st27:
	p += 1;
case 27:
	goto st0;
tr47:
	{ ON_KEY }
	goto st21;
st21:
	p += 1;
case 21:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 7u: goto st22;
		case 8u: goto tr49;
		case 11u: goto tr50;
		case 14u: goto tr51;
		case 29u: goto tr52;
		case 31u: goto tr53;
		case 61u: goto tr54;
		case 63u: goto tr55;
	}
	goto st0;
st22:
	p += 1;
case 22:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 29u: goto tr56;
		case 31u: goto tr57;
		case 61u: goto tr56;
		case 63u: goto tr57;
	}
	goto st0;
tr53:
	{ ON_WORD }
	goto st23;
tr55:
	{ ON_TEXT }
	goto st23;
tr57:
	{ ON_REF }
	goto st23;
st23:
	p += 1;
case 23:
	if ( ( (codes[*p] & 0x7F)) == 16u )
		goto tr47;
	goto st0;
tr49:
	{ ON_ARRAY {stack[top++] = 24;goto st16;} }
	goto st24;
tr50:
	{ ON_MAP {stack[top++] = 24;goto st20;} }
	goto st24;
tr51:
	{ ON_NULL }
	goto st24;
st24:
	p += 1;
case 24:
	switch( ( (codes[*p] & 0x7F)) ) {
		case 13u: goto tr46;
		case 15u: goto st23;
	}
	goto st0;
	}

	_out: {}
	}


    return {};
}

}  // namespace accp
