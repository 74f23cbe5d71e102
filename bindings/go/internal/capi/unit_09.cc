//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <string_view>
#include <cstdint>
#include <cstddef>
#include <type_traits>
#include <cstring>
#include <utility>
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <charconv>
#include <array>

// session/session_causes.cc

// See session.h: is a frame of a chain that was cancelled? The index of causes is made when that is asked first, from the newest records, and kept from then on.

// References of a session (specification 5.1; A37 to A39): what `$tier.key` stands for, and values that are kept under one instead of being sent.
//
//   $cold.t7            a value that was kept; the same value has the same key, and none is ever used again
//   $cold.m17           the message of record 17 of the log
//   $warm.ckpt_3        a checkpoint; $warm.ckpt_3.summary a part of it
//   $hot.state          the shared state; $hot.state.t007.status a part of it
//   $ctx.sales_db       what the host put there
//   $hot.k $warm.k      what was put there; a bare $k looks in hot, then in warm
//
// A ref in a frame is its sender's. One in a frame of ours is looked up here. One in a frame that comes in is asked of the host's resolver, which reads the
// peer's session; only `ctx`, the host's own names, is looked up here where the peer has no such name. Without a resolver there is one session, which
// both sides read: then it is looked up here; but with the rule shares_store the peer has values of its own, and names that every session gives itself
// ($cold.t7) would be somebody else's: E2001.
//
// The first labels are the key, the longest that is there; those behind them lead into the value, by member or by index.


// The codec's two ways to a state, and where the envelopes of a message in parts come from. Sessions implement them, and the callbacks of
// accp/codec.h do. What they answer is checked like any peer's text.



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

class RefResolver {
public:
    // What `ref` ("warm.k", without $) stands for, as JSON in which an object {"$ref":"…"} is a ref in its turn: a view until the resolver is asked again
    // or the codec's call ends. E2001 not there, E2002 expired, E5002 another session's without a grant; negative: the state cannot answer now.
    virtual Status resolve(std::string_view ref, std::string_view &json) = 0;

protected:
    ~RefResolver() = default;
};

class ValueKeeper {
public:
    // The ref ("warm.k") under which the peer will find this value, a view as above; empty where it cannot be: the value then stays inline. The same
    // value should get the same ref. A value may be kept of a message that is refused later. Fails only with what is negative.
    virtual Status keep(std::string_view json, std::string_view &ref) = 0;

protected:
    ~ValueKeeper() = default;
};

class EnvelopeSource {
public:
    // For each part but the first of a message that goes in parts, in order: `envelope` is that of the first part, and comes back with a mid and a seq
    // of its own. Its texts are views until the source is asked again or the codec's call ends.
    virtual Status next(accp_envelope &envelope) = 0;

protected:
    ~EnvelopeSource() = default;
};

// Is the first label of a ref of several labels a tier: hot, warm, cold or ctx?
bool names_tier(std::string_view ref);

}  // namespace accp

// A session: frames and messages in, each checked, kept and applied once and in order; and at any moment what a model should be given. Specification 3.7, 5.
//
// What a call does, it does in this order: look (nothing has changed), apply to memory, commit to the store. Where the commit fails, memory is ahead
// of the store: the session then is stale, and makes itself anew from the store before its next call does anything. So what memory says and what the store
// says never part, and a refused call has changed nothing.
//
// Time is an argument of every call, in milliseconds since the epoch. One thread at a time; sessions share nothing but the store and, while a call
// runs, a desk of their engine.


// A keyed permutation of 0 to size - 1: numbers that look random, each of them once. Who has seen some of them and not the key cannot tell the others.
//
// A Feistel network over two digits in base b, the least with b * b >= size, whose round function is a keyed SipHash; what falls beyond size is permuted
// again until it does not (cycle walking: less than once in a thousand times).


// A seed that an attacker does not know, and a hash keyed with it: sets of keys that came from outside stay fast whatever the keys are.


namespace accp {

// Different in every process and for every handle.
uint64_t random_seed();

// Eight bytes of the system's randomness; waits for it where the system has just begun.
uint64_t random_secret();

// SipHash-1-3 of the bytes under the seed.
uint64_t seeded_hash(const char *text, size_t len, uint64_t seed);

}  // namespace accp

namespace accp {

struct PermutationKey {
    uint64_t low, high;
};

class Permutation {
public:
    // size: at most 2^62.
    Permutation(uint64_t size, const PermutationKey &key) : size_(size), key_(key) {
        for (uint64_t bit = uint64_t{1} << 30; bit; bit /= 2)
            if ((base_ + bit - 1) * (base_ + bit - 1) < size) base_ += bit;
    }

    uint64_t operator()(uint64_t n) const {
        do n = once(n);
        while (n >= size_);
        return n;
    }

private:
    static constexpr uint64_t kRounds = 8;

    uint64_t once(uint64_t n) const {
        uint64_t left = n / base_, right = n % base_;
        for (uint64_t round = 0; round < kRounds; ++round) {
            const uint64_t next = (left + mixed(round, right)) % base_;
            left = right;
            right = next;
        }
        return left * base_ + right;
    }
    uint64_t mixed(uint64_t round, uint64_t digit) const {
        const uint64_t words[] = {digit << 8 | round, key_.high};
        return seeded_hash(reinterpret_cast<const char *>(words), sizeof words, key_.low) % base_;
    }

    uint64_t size_, base_ = 1;
    PermutationKey key_;
};

}  // namespace accp

// What a model should be given of a session: specification section 5, docs/context.md. A pure engine: messages go in one by one, and at any moment a
// text comes out that is far shorter than their history. It knows no store, no clock and no thread, and the same messages make the same bytes.
//
// Hot holds the newest messages. A checkpoint takes out of them what is worth keeping, as facts and a summary, into warm; the messages themselves lie
// with the caller (cold), and the engine only names them. Nothing here looks at more than the newest message and a bounded state.


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

// All that a context holds between two calls: what save() writes, and the hot messages since.


// The warm tier: what the retained checkpoints keep, item by item. An item belongs to one checkpoint, and moves to a newer one where it is met again.



// The bounds of a context; a message, how it stands in one, and what kind of source it is.


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

// What may come in, and when: the checks of WIRE.md section 8 that do not look into the payload. Specification 3.5, 3.7; A19 to A32.
//
// An inbox is a pure state machine: time is an argument, the mids seen so far are asked of somebody else, and a judgement changes nothing. The
// caller judges a frame, makes what follows from it durable, and only then tells the inbox with advance() or hold(), which cannot fail for anything but
// memory. So a frame that could not be stored was never there. What the inbox remembers is bounded by its window, never by history.
//
// Each count of sequence numbers (one for each sender under by_sender, else one for all) has its own gap, window and time. No sender can take another's place:
// newcomers are refused before senders that are known, and each sender that waits has a share of the window and of the bytes.



// Small records of our own, as bytes: numbers in base 128, texts with their length before them. Reading stops at the first thing that is not there, and
// from then on gives zeros and empty texts: one look at ok() at the end is enough.



namespace accp {

class Packer {
public:
    explicit Packer(Buffer<char> &out) : out_(out) {}

    void number(uint64_t n) {
        char *to = out_.room(10);
        for (; n >= 0x80; n >>= 7) *to++ = static_cast<char>(n | 0x80);
        *to++ = static_cast<char>(n);
        out_.set_end(to);
    }
    void text(std::string_view text) {
        number(text.size());
        out_.append(text.data(), text.size());
    }

private:
    Buffer<char> &out_;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view from) : rest_(from) {}

    uint64_t number() {
        uint64_t n = 0;
        for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            auto byte = static_cast<unsigned char>(rest_[0]);
            rest_.remove_prefix(1);
            n |= uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) return n;
        }
        return stop();
    }
    std::string_view text() {
        uint64_t len = number();
        if (len > rest_.size()) {
            stop();
            return {};
        }
        std::string_view text = rest_.substr(0, len);
        rest_.remove_prefix(len);
        return text;
    }
    std::string_view rest() const { return rest_; }
    bool ok() const { return ok_; }

private:
    uint64_t stop() {
        ok_ = false;
        rest_ = {};
        return 0;
    }

    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace accp

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

struct InboxRules {
    uint32_t window = kReorderWindow;  // frames that may wait for an earlier one; 0: refused at the gap
    int64_t gap_ms = kGapMs;           // after which a gap is overdue, and a state with a higher sequence number closes it
    int64_t jump = kMaxJump;           // numbers that such a state may pass
    int64_t skew_ms = 0;               // by which clocks may differ before a ttl has passed
    int64_t future_ms = kFutureMs;     // by which a ts may be ahead
    bool by_sender = false;            // each sender counts for itself (A22)
    bool require_ts = false;
    bool require_sid = false;
    bool loose_mid = false;  // A19: any 1 to 64 safe characters, not twelve hex digits only
};

// A frame that has come in. Views, and times in milliseconds since the epoch.
struct Arrival {
    std::string_view agent, intent, operation;
    accp_envelope envelope;
    int64_t now_ms;
    bool known_intent;
    uint32_t bytes = 0;      // of its text
    bool untrusted = false;  // what it says is data
};

// Whom the inbox asks about messages that are long gone.
class History {
public:
    // Was this mid ever taken from this agent in this session?
    virtual Status has(std::string_view agent, std::string_view mid, bool &seen) = 0;

protected:
    ~History() = default;
};

enum class Verdict : uint8_t {
    kNext,     // apply it now, and advance() past it; a `cancel` may be ahead of a gap
    kWaits,    // hold() it until the frames before it are there
    kDropped,  // answer nothing (A21); advance() where `advances`
};

struct Judgement {
    Verdict verdict = Verdict::kNext;
    bool advances = false;  // of a dropped one: it has used up its sequence number
    bool new_gap = false;   // of one that waits: the first since the gap opened, which is to be told to the sender (E3003)
    bool resyncs = false;   // it closes an overdue gap: what waits before it is applied first
};

class Inbox {
public:
    Inbox(Memory &memory, const InboxRules &rules);
    ~Inbox();
    Inbox(const Inbox &) = delete;
    Inbox &operator=(const Inbox &) = delete;

    // Steps 3 to 8. E1001: envelope; E1002: intent; E5002: another session's sid; E3002: seen; E3003: a gap, or late; E2003: too many
    // senders, or bytes that wait. The offset is 0: the caller knows where the metadata stands.
    Status judge(const Arrival &frame, std::string_view session_id, History &history, Judgement &out) const;
    // Has its ttl passed by now?
    bool is_expired(const Arrival &frame) const;
    // May this agent of ours send `count` frames? E1004: its name is too long; E2003: the numbers end, or too many agents are ours.
    Status may_send(std::string_view agent, int64_t count) const;

    // Allocates what advance() may need.
    void prepare();
    // The frame with this sequence number has been applied, dropped or refused for good. Ahead of a gap it leaves the gap open. `own`: we sent it.
    void advance(std::string_view agent, int64_t seq, bool own = false);
    // The same, of a state, which closes the gap before it.
    void jump(std::string_view agent, int64_t seq);
    // Keeps a copy of a frame that waits.
    void hold(const Arrival &frame, std::string_view text);

    // A frame that waits.
    struct Held {
        Held *next;  // of its count, in the order of their numbers
        int64_t seq, since_ms;
        size_t size;
        uint32_t mid_len, agent_len, text_len;
        bool untrusted;

        std::string_view mid() const { return {bytes(), mid_len}; }
        std::string_view agent() const { return {bytes() + mid_len, agent_len}; }
        std::string_view text() const { return {bytes() + mid_len + agent_len, text_len}; }
        uint64_t cost() const { return size + kHeldCost; }
        const char *bytes() const { return reinterpret_cast<const char *>(this + 1); }
    };
    // One that waited, and is the next of its count or has been passed by; or the lowest of a count below `seq`. NULL: none. drop() frees it.
    const Held *ready() const;
    const Held *below(std::string_view agent, int64_t seq) const;
    void drop(const Held *held);

    // The gap of this agent's count: from where to where frames are missing. `to` is 0 where there is none.
    struct Gap {
        int64_t from = 0, to = 0, since_ms = 0;
    };
    Gap gap(std::string_view agent) const;

    int64_t next(std::string_view agent) const;               // the sequence number that is awaited of this sender
    bool is_used(std::string_view agent, int64_t seq) const;  // was a frame with this number applied, dropped or refused?
    bool is_own(std::string_view agent) const;                // did we send as this agent? Only under by_sender
    uint32_t waiting() const { return waiting_; }

    // Every sender with its numbers, to be kept, and what save() wrote. restore() answers false for anything else.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);
    // Forgets all numbers, not what waits.
    void forget_senders();

    const InboxRules &rules() const { return rules_; }

private:
    // A number that was used ahead of a gap.
    struct Mark {
        Mark *next;
        int64_t seq;
    };
    struct Sender {
        char agent[kMostSenderBytes];
        uint8_t agent_len;
        bool own, ready;
        uint32_t marks;
        int64_t next;
        Held *held;
        Mark *ahead;
        std::string_view name() const { return {agent, agent_len}; }
    };
    // What waits of a frame's count.
    struct Share {
        uint64_t frames = 0, own_frames = 0, own_bytes = 0;
        bool has_mid = false, has_seq = false;  // of the same agent
    };

    Status check_envelope(const Arrival &frame) const;
    Status check_sequence(const Arrival &frame, const Sender *known, const Share &share, Judgement &out) const;
    Status check_share(const Arrival &frame, const Share &share) const;
    Share share_of(const Arrival &frame, const Sender *known) const;
    bool is_overdue(const Sender *known, int64_t now_ms) const;
    bool has_place() const { return !rules_.by_sender || senders_.size() - own_ < kMostSenders; }

    std::string_view scope(std::string_view agent) const {
        return rules_.by_sender ? agent.substr(0, kMostSenderBytes) : std::string_view();
    }
    uint64_t hash(std::string_view name) const;
    const Sender *find(std::string_view agent) const;
    Sender &find_or_add(std::string_view agent);
    void set_own(Sender &sender);
    void pass(Sender &sender, int64_t seq);
    void mark(Sender &sender, int64_t seq);
    void update_ready(Sender &sender);
    void free_marks(Sender &sender);
    static bool has_mark(const Sender &sender, int64_t seq);

    Memory &memory_;
    const InboxRules rules_;
    const uint64_t seed_;
    Buffer<Sender> senders_;
    Slots index_;             // of senders_, by name: the place and one more
    Buffer<uint32_t> ready_;  // senders whose first frame may be released
    uint64_t own_ = 0;        // senders that are ours
    uint32_t waiting_ = 0;
    uint64_t held_bytes_ = 0;
};

}  // namespace accp

// Who says what: the agents that the host speaks as, those whose messages are data from outside, and the peer that a frame came from.
//
// An agent that the session has sent a frame as is the host's own. That follows from the log; what is older than the snapshot is kept beside it,
// in the blob `agents!`: names, each with a NUL after it.



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

namespace accp {

// Few names; a look-up compares each.
class NameSet {
public:
    explicit NameSet(Memory &memory) : text_(memory) {}

    bool has(std::string_view name) const { return has_name(text(), name); }
    std::string_view text() const { return {text_.data(), text_.size()}; }
    void add(std::string_view name) {
        if (has(name)) return;
        text_.fit(text_.size() + name.size() + 1);
        text_.append(name.data(), name.size());
        text_.push('\0');
    }
    void remove(std::string_view name) {
        for (size_t at = 0; at < text_.size();) {
            const std::string_view entry(text_.data() + at);
            if (entry != name) {
                at += entry.size() + 1;
                continue;
            }
            std::copy(text_.begin() + at + entry.size() + 1, text_.end(), text_.begin() + at);
            return text_.resize_down(text_.size() - entry.size() - 1);
        }
    }
    void clear() { text_.clear(); }
    // What text() was. ACCP_ERR_CORRUPT for what is no list.
    Status restore(std::string_view text) {
        if (!text.empty() && text.back() != '\0') return fail(ACCP_ERR_CORRUPT, 0, "the agents of the session are no list of names");
        text_.clear();
        text_.fit(text.size());
        text_.append(text.data(), text.size());
        return {};
    }

private:
    Buffer<char> text_;
};

// What the host says of agents, for all sessions of an engine.
struct AgentRules {
    explicit AgentRules(Memory &memory) : own(memory), untrusted(memory) {}
    NameSet own;        // never taken from outside
    NameSet untrusted;  // what they say is data, however it comes
};

// The peer that a frame came from, as the host knows it.
struct Peer {
    static constexpr std::string_view kAnybody = "*";

    std::string_view agents = kAnybody;  // that it may speak as, with a comma between two
    bool untrusted = false;              // what it says is data

    bool speaks_as(std::string_view agent) const {
        if (agents == kAnybody) return true;
        for (std::string_view left = agents; !left.empty();) {
            const std::string_view name = left.substr(0, left.find(','));
            if (name == agent) return true;
            left.remove_prefix(name.size() < left.size() ? name.size() + 1 : left.size());
        }
        return false;
    }
};

}  // namespace accp

// Values of the cold tier in a store of the host's (specification 5.1, 7.1: IExternalStore). They go there under the SHA-256 of their text before anything
// names them; the session's own store then holds a stub with that hash. So what is granted, expires and is there at all is decided in one place, a put
// that came to nothing leaves a text that nobody names, and what comes back is known to be what went in.



namespace accp {

class ColdStore {
public:
    // Keeps `text`, durably on ACCP_OK. The same text comes with the same key, perhaps often.
    virtual Status put(std::string_view key, std::string_view text) = 0;
    // What was put: a view until the store is asked again. ACCP_E2001: it is not there.
    virtual Status get(std::string_view key, std::string_view &text) = 0;

protected:
    ~ColdStore() = default;
};

// No JSON begins like a stub.
constexpr char kStubMark = '\1';

// Puts `text` there, and makes `stub` what the session's own store is to hold.
Status put_cold(ColdStore &cold, std::string_view text, Buffer<char> &stub);
// `found` came out of the session's own store: where it is a stub, the text that it stands for takes its place.
Status get_cold(ColdStore *cold, Buffer<char> &found);

}  // namespace accp

// What one call on one session works with, and the next call on another one uses again: so a hundred thousand sessions stay small.


// A message to a frame and back under a registry: the seven steps out and the six steps in of specification 7.2 and 7.3.
//
// What the steps of one message work on is in encode/outgoing.h and decode/incoming.h; the order of the steps is in encode_pipeline.cc and
// decode_pipeline.cc, one step a file. Without a registry there is nothing here to do, and a message goes the short way through Coder.
//
// A message names its schema by the payload's member `schema`, a string. One that does not is under the codec's own schema, else under the one
// bound to its intent and operation. A frame always says enough: it names a schema that the other side could not come to by the binding alone.


// Messages that come in parts (SPEC-DECISIONS A55), held until they are whole. Everything is bounded, and nothing that was taken is dropped to make room:
// what is too much is refused, until a message is whole or its chain abandoned. An agent that holds little is not refused for what others hold.



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

// One frame of such a message.
struct MessagePart {
    std::string_view header, cid, sid;
    uint32_t index, count;
    std::string_view text;  // of the payload: params, or a piece
    bool is_piece;
    std::string_view meta;  // of the first part: the message's metadata, without brackets
    size_t place;           // in the frame, of the number that says which part it is
};

// Reads the part that a frame of `len` bytes is, with `meta` its metadata (0: none). Not one at all: `is_part` is false. E1004 one that is not sound. Views
// into the frame and the arena; the offset is a byte of the frame.
Status read_part(TreeView frame, uint32_t meta, size_t len, const Settings &settings, Arena &arena, MessagePart &out, bool &is_part);

class Sequences {
public:
    explicit Sequences(Memory &memory) : open_(memory), held_(memory), bytes_(memory) {}

    // The steps of take(), for who keeps parts elsewhere too: may it be taken, does it make its message whole, what is then the frame; else it is held, under a
    // tag of the caller's. drop() forgets all parts of its message.
    Status check(const MessagePart &part, uint64_t most_bytes) const { return check(part, find(part), most_bytes); }
    bool completes(const MessagePart &part) const;
    void join(const MessagePart &part, Arena &arena, Buffer<char> &whole) const;
    void hold(const MessagePart &part, uint64_t tag = 0);
    void drop(const MessagePart &part);
    uint64_t tags(const MessagePart &part) const;  // of the parts that are held of its message, one OR the other
    bool empty() const { return open_.empty(); }
    bool holds(std::string_view cid) const;  // empty: anything
    // What parts are held of, by their tags, in an order in which hold() makes the same again.
    template <class Visit>
    void each_tag(Visit visit) const {
        for (size_t i = 0; i < held_.size(); ++i)
            if (held_[i].kind >= Kind::kParams) visit(held_[i].tag);
    }

    // Takes a part. Where it makes the message whole, its frame replaces `whole`, which stays empty otherwise; what is held then stays until finish().
    // most_bytes: of a frame. E1004 a part that is there already, or of another number of them; E1001 a frame that would be too long; E2003 too much
    // held. A failure changes nothing.
    Status take(const MessagePart &part, uint64_t most_bytes, Arena &arena, Buffer<char> &whole);
    // The message that was whole is no longer needed.
    void finish() { drop(whole_); }

    // Drops what is held of a chain, or of all of them where cid is empty.
    void abandon(std::string_view cid);

private:
    struct Sequence {
        uint32_t id, count, have;
        size_t key;  // in held_: header, cid and sid
        size_t bytes;
    };
    // What is held of a sequence: the key it has, parts, and the metadata of the first.
    enum class Kind : uint8_t { kHeader, kCid, kSid, kMeta, kParams, kPiece };
    struct Held {
        uint32_t sequence, index;
        size_t offset, len;
        Kind kind;
        uint64_t tag;
    };

    std::string_view text(const Held &held) const { return {bytes_.data() + held.offset, held.len}; }
    const Sequence *find(const MessagePart &part) const;
    bool has(const Sequence &sequence, uint32_t index) const;
    // Messages, and bytes, that are held of the agent in a header.
    struct Share {
        size_t open = 0, bytes = 0;
    };
    Share share_of(std::string_view header) const;
    Status check(const MessagePart &part, const Sequence *sequence, uint64_t most_bytes) const;
    void hold(uint32_t sequence, uint32_t index, Kind kind, std::string_view text, uint64_t tag);
    void drop(uint32_t sequence);

    Buffer<Sequence> open_;
    Buffer<Held> held_;
    Buffer<char> bytes_;
    uint32_t next_id_ = 0, whole_ = 0;
};

}  // namespace accp

// What a host is asked about a message, and what it may refuse: tools, policy.


namespace accp {

struct CodecHooks {
    accp_tool_hook tool = nullptr;
    void *tool_user = nullptr;
    accp_policy_hook policy = nullptr;
    void *policy_user = nullptr;
    uint32_t strict = 0;  // bits of accp_strictness

    bool is_strict(uint32_t which) const { return (strict & which) != 0; }
};

// What a call becomes of what a function of the host answers, each and every one: a code of the error model or a negative status is the call's; anything
// else, which would be taken for an answer of the library's own (dropped, held), is E9999.
Status host_answer(accp_status answer, const char *refused);

// The name of a tool call's tool and its arguments as JSON, both perhaps empty. E4001, E4003, or what else of the error model the host answers.
Status ask_tool(const CodecHooks &hooks, accp_text name, accp_text arguments);

// E5001, or what else of the error model the host answers.
Status ask_policy(const CodecHooks &hooks, const accp_policy_case &asked);

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

namespace accp {

// The name of a schema in a payload, on the wire and in a message.
constexpr std::string_view kSchemaKey = "schema";
// The end of a message in JSON that comes from an untrusted origin, and its member, with a NUL as names to ignore have.
constexpr std::string_view kUntrustedEnd = ",\"untrusted\":true}";
constexpr std::string_view kUntrustedName("untrusted", sizeof "untrusted");
// What stands in a payload by position (p1) for a field that is left out.
constexpr std::string_view kLeftOut = "!";

// What all messages of one codec share.
struct CodecSetup {
    const Registry *registry = nullptr;
    const Schema *schema = nullptr;   // the codec's own, of messages that name none
    TokenCounter *counter = nullptr;  // nullptr: nothing is counted
    uint64_t most_tokens = 0;         // of a frame; 0: no limit, as there is none outside a session
    bool mark_defaults = false;
    RefResolver *resolver = nullptr;  // nullptr: nobody
    ValueKeeper *keeper = nullptr;
    uint64_t inline_characters = kInlineCharacters;  // a longer string goes to the keeper
    EnvelopeSource *envelopes = nullptr;             // nullptr: the peer takes no message in parts
    bool reassembles = false;
    bool untrusted = false;  // what comes in comes from an untrusted origin
    CodecHooks hooks;
};

// The parts of a frame in tokens, each counted by itself; all of it counted as one text, which is what a limit is held against.
struct FrameTokens {
    uint64_t header, body, metadata, total;
};

// The three parts of a frame, brackets and all.
struct FrameText {
    std::string_view header, payload, meta;
};
FrameText take_apart(std::string_view frame);

// Metadata of a message in parts (SPEC-DECISIONS A55): which part this is, from 0, and of how many.
constexpr std::string_view kPartKey = "fi", kPartsKey = "ft";

// What both directions use, each for one message at a time.
struct CodecDesk {
    CodecDesk(Memory &from_memory, const Settings &from)
        : settings(from),
          memory(from_memory),
          arena(memory),
          nodes(memory),
          text(memory),
          payload(memory),
          meta(memory),
          reader(memory),
          found(memory),
          spare(memory),
          part(memory),
          kept{Value(memory), Value(memory)},
          places(memory),
          next_places(memory),
          seed(random_seed()) {}

    const Settings &settings;
    Memory &memory;
    Arena arena;
    Buffer<Node> nodes;  // of a frame that comes in
    Buffer<char> text;   // that frame
    Value payload, meta;
    JsonReader reader;  // of what refs stand for
    Value found, spare;
    Buffer<char> part;  // of a message in parts: one of them, on its way out or put together
    Value kept[2];      // the payload of a message on its way out, after values went to the keeper
    Buffer<uint32_t> places, next_places;
    uint64_t seed;
};

class Codec {
public:
    // `settings` without abbreviations where there is a registry, whose keys they are.
    Codec(Memory &memory, const Settings &settings) : coder(memory, settings), sequences(memory), desk_(memory, settings), sent_(memory) {}

    // Appends the frame of a message in JSON, or the message of a frame. On failure nothing is appended, and the offset is a byte of what came in.
    Status encode(const char *json, size_t len, Buffer<char> &out);
    Status decode(const char *text, size_t len, Buffer<char> &out);

    // The tokens of the last message's frames; their parts are counted when somebody asks, by the counter that is set then.
    Status count_parts(FrameTokens &tokens);
    // Frames that the last message became: they stand with a newline between them. Values of it that went to the keeper.
    uint32_t parts() const { return parts_; }
    uint32_t kept() const { return kept_; }
    uint32_t warnings() const { return warnings_; }  // of the last message: bits of accp_warning

    Coder coder;
    CodecSetup setup;
    Sequences sequences;

private:
    CodecDesk desk_;
    Buffer<char> sent_;  // the frames of the last message, where tokens are counted
    FrameTokens tokens_ = {};
    bool counted_ = false;
    uint32_t parts_ = 0, kept_ = 0;
    uint32_t warnings_ = 0;
};

// Must values of this field be exact decimals, with a spelling of their own (an amount never takes the = form)? Is the value of the field's type?
Status check_type(const Field &field, TreeView tree, uint32_t node, bool reference);

}  // namespace accp

// The debug mode (specification 9.1): messages as people read them, without the values that nobody is to read.


// Records as render text and back: a message with its head, or any other value.


// Render text to a value (docs/render.md), without recursion: a level for each open bracket.


// A place in a render text, and the words that can stand there.



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

// A value as render text (docs/render.md), without recursion: a level for each open bracket.


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

namespace accp {

constexpr std::string_view kRedacted = "[redacted]";

// Appends the tree with kRedacted for the value of every key among `names`, each with a NUL behind it.
void copy_redacted(TreeView from, std::string_view names, Arena &arena, Value &to);

// Adds a name to such a list; an empty one empties it. ACCP_ERR_ARG beyond kMostRedactedBytes, or for a name with a NUL in it.
Status add_redacted(std::string_view name, Buffer<char> &names);

class CodecLog {
public:
    CodecLog(Memory &memory, const Settings &settings)
        : settings_(settings),
          renderer_(memory, settings),
          reader_(memory),
          arena_(memory),
          message_(memory),
          shown_(memory),
          out_(memory) {}

    // One message in JSON, which was encoded or decoded.
    void tell(int32_t direction, std::string_view json, std::string_view redacted);
    // One that was refused. Nothing of it is shown: no text of an error has a value in it.
    void tell(int32_t direction, const Status &refused);

    accp_log_hook hook = nullptr;
    void *user = nullptr;

private:
    const Settings &settings_;
    Renderer renderer_;
    JsonReader reader_;
    Arena arena_;
    Value message_, shown_;
    Buffer<char> out_;
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

// The state that two sides keep equal with sync:state (specification 5.4; A35, A36): one map, a version, and what is sent when it changes.
//
//   {"version":N,"state":{…}}             all of it
//   {"version":N,"delta":{k:v,gone:null}} from version N - 1: members replaced, and removed by null
//   … "rm":[k,…]                          where it is there, it names what is removed, and null in `delta` is a null
//   … "merge":{row:{cell:v,gone:null}}    only where both sides named m1: inside these members, maps themselves, the cells that changed
//   … "sh":"<12 hex or more>"             optional: the first digits of the SHA-256 of the hash form of what must come out
//
// `merge` never gives a cell the value null, and never meets a member that is no map: such a member goes whole, in `delta`.


namespace accp {

class SharedState {
public:
    explicit SharedState(Memory &memory) : json_(memory), next_(memory) {}

    int64_t version() const { return version_; }
    std::string_view json() const { return json_.empty() ? std::string_view("{}") : std::string_view(json_.data(), json_.size()); }

    // What apply() and write_change() work with, of whoever calls: one for many states.
    struct Desk {
        explicit Desk(Memory &memory)
            : old_state(memory), reader(memory), arena(memory), left(memory), right(memory), whole(memory), cells(memory), merge(memory) {}
        Value old_state;
        JsonReader reader;
        Arena arena;
        Buffer<char> left, right;          // two values to compare
        Buffer<char> whole, cells, merge;  // a row in both its forms; all rows that go as cells
    };

    // What the payload of a sync:state makes of the state: checked first, and then take() makes it so. E3003: not the version behind ours, or a whole state
    // more than `jump` versions ahead; E1004: what is not
    // of the form above; E2003: more than kMostSharedBytes. The offset of a failure is a node of the payload.
    Status apply(TreeView tree, uint32_t payload, int64_t jump, Desk &desk);
    void take();

    // Appends the JSON payload that turns this state into the map `next`: a delta, or all of it while there is no version yet. `merge`: m1 is in force.
    // E2003 as above, and where no version is left. `changed`: is there anything to send?
    Status write_change(TreeView next, uint32_t map, bool merge, Desk &desk, Buffer<char> &out, bool &changed) const;

    void restore(int64_t version, std::string_view json);

private:
    Status read_state(Desk &desk) const;
    Status write_delta(TreeView next, uint32_t map, bool merge, Desk &desk, Buffer<char> &out, bool &changed) const;
    Status check_result(TreeView tree, uint32_t payload, Desk &desk) const;

    int64_t version_ = 0;
    Buffer<char> json_;  // empty: {}
    int64_t next_version_ = 0;
    Buffer<char> next_;
};

}  // namespace accp

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

struct Desk {
    Desk(Memory &memory_of, const Settings &settings_of)
        : memory(memory_of),
          settings(settings_of),
          codec(memory_of, settings),
          codec_inside(memory_of, settings),
          counter(memory_of),
          log(memory_of, settings),
          context(memory_of, counter),
          nodes(memory_of),
          ancestor_nodes(memory_of),
          message(memory_of),
          json(memory_of),
          reader(memory_of),
          batch(memory_of),
          records(memory_of),
          replayed(memory_of),
          record(memory_of),
          blob(memory_of),
          resolved(memory_of),
          kept(memory_of),
          text(memory_of),
          arena(memory_of),
          state(memory_of) {}

    Memory &memory;
    const Settings &settings;
    Codec codec;
    Codec codec_inside;  // for a frame that is looked up while another is decoded; keeps refs
    TokenCounter counter;
    CodecLog log;
    ContextDesk context;
    Buffer<Node> nodes;           // of the frame that came in
    Buffer<Node> ancestor_nodes;  // of one that caused it
    Value message;                // what it says
    Buffer<char> json;            // the same in JSON
    JsonReader reader;
    StoreBatch batch;  // what the call makes durable
    StoreRecords records, replayed;
    Buffer<char> record, blob, resolved;
    Buffer<char> kept;  // hashes and keys of the values that this call has kept
    Buffer<char> text;  // what the call composes
    Arena arena;        // of a part of a message
    SharedState::Desk state;
};

}  // namespace accp

// What a session asks of a message, whose JSON has been read.



namespace accp {

struct MessageView {
    std::string_view agent, intent, operation;
    TreeView tree;
    uint32_t payload = 0, meta = 0;  // 0: there is none
    bool untrusted = false;          // it says so itself

    // Does it change the shared state? A sync:state of another form is a message like any other.
    bool is_state() const {
        if (intent != "sync" || operation != "state" || !payload || tree[payload].kind != ACCP_MAP) return false;
        return tree.find(payload, "state") || tree.find(payload, "delta") || tree.find(payload, "merge");
    }
    std::string_view meta_text(std::string_view name) const {
        uint32_t node = meta ? tree.find(meta, name) : 0;
        return node ? tree.string(node) : std::string_view();
    }
    int64_t seq() const {
        std::string_view digits = meta_text("seq");
        int64_t seq = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), seq);
        return seq;
    }
    // Of a cancel: which chain (A30).
    std::string_view chain() const {
        std::string_view cid = meta_text("cid");
        if (!cid.empty() || !payload || tree[payload].kind != ACCP_MAP) return cid;
        for (std::string_view name : {"cid", "correlation_id"})
            if (uint32_t node = tree.find(payload, name); node && tree[node].kind == ACCP_STRING) return tree.string(node);
        return {};
    }
};

// Of a cancel: is the name of its chain one that a frame can have?
inline Status check_chain(const MessageView &message) {
    if (message.chain().size() <= kMaxChainBytes) return {};
    return fail(ACCP_E1004, 0, "a chain is cancelled by its cid, of at most 65,535 bytes");
}

inline Status view_message(TreeView tree, MessageView &out) {
    out = {};
    out.tree = tree;
    if (tree[0].kind != ACCP_MAP) return fail(ACCP_E1001, 0, "a message is an object");
    auto name = [&](std::string_view key, std::string_view &text) {
        uint32_t node = tree.find(0, key);
        bool good = node && tree[node].kind == ACCP_STRING && tree[node].len;
        if (good) text = tree.string(node);
        return good;
    };
    if (!name("agent", out.agent) || !name("intent", out.intent) || !name("operation", out.operation))
        return fail(ACCP_E1001, 0, "a message has agent, intent, operation and payload");
    out.payload = tree.find(0, "payload");
    if (!out.payload || (tree[out.payload].kind != ACCP_MAP && tree[out.payload].kind != ACCP_STRING))
        return fail(ACCP_E1001, 0, "a payload is an object or a text");
    uint32_t meta = tree.find(0, "meta");
    if (meta && tree[meta].kind == ACCP_MAP) out.meta = meta;
    uint32_t mark = tree.find(0, "untrusted");  // true, or the names of the members that are
    out.untrusted =
        mark && ((tree[mark].kind == ACCP_BOOL && tree[mark].flags & ACCP_NODE_TRUE) || (tree[mark].kind == ACCP_ARRAY && tree[mark].len));
    return {};
}

}  // namespace accp

// What a session has open, beside its context and its state. It is kept in a blob of its own, written with a checkpoint where it changed: a snapshot is small, and
// is written with each.


// Chains that were cancelled (specification 3.7, A30): every frame of the chain, and every frame caused by one of it, is dropped.
//
// A frame's chain is its cid, or its own mid where it has none (A28). It belongs to a cancelled one if that is cancelled, or if the frame that caused it
// (aid) belongs to one. Causes are looked up only while any chain is cancelled at all.
//
// A chain can always be cancelled. Where those of other sides are too many, the agent that has cancelled most loses one: its oldest that is done (it has
// said `ack`), else its oldest. Ours have a share of their own.



// What caused what (aid), of the newest records of a session: so that a frame is followed back to a cancelled chain without a look into the log.
//
// Ids are hashes under a seed that nobody knows. A session makes its index when a chain is cancelled and a frame names its cause, and adds each frame from then on.


namespace accp {

class Causes {
public:
    explicit Causes(Memory &memory) : causes_(memory), heads_(memory) {}

    // A frame: its record, its mid, and its cid and aid, 0 where it has none.
    struct Cause {
        uint64_t place, mid, cid, aid;
        uint32_t next;  // of its bucket, from the newest on: the place in causes_ and one more
    };

    bool is_complete() const { return complete_; }
    void set_complete() { complete_ = true; }
    // Records come in their order. Those that are older than the newest kMostLookback may be forgotten.
    void add(const Cause &cause);
    // The first frame with this mid whose record is above `after`: another agent that repeats it changes nothing. NULL: none.
    const Cause *find(uint64_t mid, uint64_t after) const;

private:
    void link(size_t i);
    void rebuild(size_t buckets);

    Buffer<Cause> causes_;
    Buffer<uint32_t> heads_;
    bool complete_ = false;
};

}  // namespace accp

namespace accp {

class CancelledChains {
public:
    explicit CancelledChains(Memory &memory);
    ~CancelledChains();
    CancelledChains(const CancelledChains &) = delete;
    CancelledChains &operator=(const CancelledChains &) = delete;

    // Cancels a chain. `own`: it was us; else by whom. False where nothing changed: it is cancelled, or no cid can be that long.
    bool add(std::string_view cid, std::string_view agent, bool own);
    // Its end was acknowledged. False where nothing changed.
    bool set_done(std::string_view cid);
    bool has(std::string_view cid) const { return find(cid) != kNone; }
    bool empty() const { return chains_.empty(); }
    size_t size() const { return chains_.size(); }

    // All of them, oldest first, and what save() wrote; restore() answers false for anything else.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);

    // Ids as `Causes` has them; 0: none.
    uint64_t hash(std::string_view id) const;
    // Is this frame of a cancelled chain, as far as the causes above record `after` tell?
    bool covers(const accp_envelope &envelope, const Causes &causes, uint64_t after) const;

private:
    static constexpr size_t kNone = SIZE_MAX;
    static constexpr uint32_t kOwn = UINT32_MAX;
    struct Chain {
        char *text;  // cid, then the agent
        uint32_t cid_len, agent_len;
        uint32_t holder;  // kOwn: us
        bool done;
        std::string_view cid() const { return {text, cid_len}; }
        std::string_view agent() const { return {text + cid_len, agent_len}; }
        uint64_t cost() const { return cid_len + kChainCost; }
    };
    // Who has cancelled chains that are kept. A place without cost is free.
    struct Holder {
        uint64_t agent, cost;
    };

    size_t find(std::string_view cid) const;
    bool has_hash(uint64_t hash) const;
    uint32_t holder_of(std::string_view agent);
    void make_space(uint32_t holder, uint64_t cost);
    void remove_oldest(uint32_t holder);
    void remove(size_t i);

    Memory &memory_;
    const uint64_t seed_;
    Buffer<Chain> chains_;
    Buffer<uint64_t> hashes_;  // of their cids
    Slots index_;              // of both: the place and one more
    Buffer<Holder> holders_;
    uint64_t cost_ = 0, own_cost_ = 0;
};

// What a frame's chain is called (A28).
inline std::string_view chain_of(const accp_envelope &envelope) {
    const accp_text &id = envelope.fields & ACCP_ENVELOPE_CID ? envelope.cid : envelope.mid;
    return {id.text, id.len};
}

}  // namespace accp

// Requests that wait for an answer, and until when. Pure: the caller says what time it is, in units of its own.
//
// A request is told by its cid. `wait` from the other side moves its deadline; `done`, `fail`, `ack` and `cancel` end it; expire() names those whose
// deadline has passed: E3001, which may be sent again (accp_codec_retry()) and then is a request anew.


// Finding one of a few hundred or thousand ids: a scan of their hashes, which lie side by side.


namespace accp {

class IdList {
public:
    static constexpr uint32_t kNone = UINT32_MAX;

    explicit IdList(Memory &memory) : hashes_(memory), seed_(random_seed()) {}

    uint64_t hash(const accp_text &id) const { return seeded_hash(id.text, id.len, seed_); }
    uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }

    // The first place from `from` on whose id has this hash.
    uint32_t find(uint64_t hash, uint32_t from = 0) const {
        for (uint32_t i = from; i < size(); ++i)
            if (hashes_[i] == hash) return i;
        return kNone;
    }
    void add(uint64_t hash) { hashes_.push(hash); }
    void reserve() { hashes_.room(1); }
    void replace(uint32_t i, uint64_t hash) { hashes_[i] = hash; }
    // The last takes the place of the one that goes.
    void remove(uint32_t i) {
        hashes_[i] = hashes_[size() - 1];
        hashes_.resize_down(size() - 1);
    }

private:
    Buffer<uint64_t> hashes_;
    uint64_t seed_;
};

}  // namespace accp

namespace accp {

// No later than for ever.
inline int64_t later(int64_t when, int64_t by) {
    int64_t sum;
    return __builtin_add_overflow(when, by, &sum) ? INT64_MAX : sum;
}

class Deadlines {
public:
    explicit Deadlines(Memory &memory) : ids_(memory), requests_(memory), memory_(memory) {}
    Deadlines(const Deadlines &) = delete;
    Deadlines &operator=(const Deadlines &) = delete;
    ~Deadlines();

    // What waits, as it was started.
    struct Request {
        accp_text cid;
        int64_t deadline;
        int64_t patience;  // by which wait() moves the deadline
        uint64_t record;   // of the caller's
    };

    // Begins to wait; for a cid that waits already, all else is new. E2003 where too many wait, E1004 without a cid. may_start() asks only.
    Status start(const Request &request);
    Status start(const accp_text &cid, int64_t deadline) { return start({cid, deadline, 0, 0}); }
    Status may_start(const accp_text &cid) const;
    // Moves the deadline of a request that waits; false where none does.
    bool extend(const accp_text &cid, int64_t deadline);
    // The same, to its patience from `now` on.
    bool wait(const accp_text &cid, int64_t now);
    // The answer came: false where nobody waited for it, or no more.
    bool answer(const accp_text &cid);

    // Takes out one request whose deadline is before `now`, the earliest first: a view until the next call of anything here. False when there is none.
    bool expire(int64_t now, Request &out);
    // The earliest deadline; INT64_MAX where nothing waits.
    int64_t next() const;

    uint32_t waiting() const { return ids_.size(); }
    // All of them, in an order in which start() makes the same again.
    const Request &operator[](uint32_t i) const { return requests_[i]; }

private:
    uint32_t find(const accp_text &cid) const;
    uint32_t earliest() const;
    void remove(uint32_t place);
    void forget(Request &request);

    IdList ids_;
    Buffer<Request> requests_;  // in the order of ids_
    Request expired_ = {};      // named by the last call
    Memory &memory_;
};

}  // namespace accp

namespace accp {

// In the tag of a part, which is the number of its record: it is data from outside, as its record says too.
constexpr uint64_t kUntrustedTag = uint64_t{1} << 63;

struct Pending {
    explicit Pending(Memory &memory) : chains(memory), requests(memory), parts(memory), part_records(memory) {}

    CancelledChains chains;
    Deadlines requests;  // of ours, that wait for their answer
    Sequences parts;     // that came in, by their records
    bool kept = true;    // the store has it as it is

    Buffer<uint64_t> part_records;  // what read() found of parts: their texts are in the log

    void write(Buffer<char> &out) const {
        Packer packer(out);
        chains.save(packer);
        packer.number(requests.waiting());
        for (uint32_t i = 0; i < requests.waiting(); ++i) {
            const Deadlines::Request &request = requests[i];
            packer.text({request.cid.text, request.cid.len});
            for (int64_t n : {request.deadline, request.patience, static_cast<int64_t>(request.record)})
                packer.number(static_cast<uint64_t>(n));
        }
        parts.each_tag([&](uint64_t record) { packer.number(record & ~kUntrustedTag); });
    }

    void abandon(std::string_view cid) {
        if (!parts.holds(cid)) return;
        parts.abandon(cid);
        kept = false;
    }

    static constexpr const char *kNotKept = "what the session has open is not what was kept";

    // Into one that is empty. ACCP_ERR_CORRUPT for what write() did not write.
    Status read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        if (!chains.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
            std::string_view cid = unpacker.text();
            Deadlines::Request request = {{cid.data(), cid.size()}, 0, 0, 0};
            request.deadline = static_cast<int64_t>(unpacker.number());
            request.patience = static_cast<int64_t>(unpacker.number());
            request.record = unpacker.number();
            if (unpacker.ok() && requests.start(request).failed()) return fail(ACCP_ERR_CORRUPT, 0, kNotKept);
        }
        while (unpacker.ok() && !unpacker.rest().empty()) part_records.push(unpacker.number());
        return unpacker.ok() ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kNotKept);
    }
};

}  // namespace accp

// One event of a session, as it lies in the store's log. The log is the session: whatever it keeps in memory follows from the records, one by one, so that
// opening one is applying what was written behind its last state. What lies here is also cold state, byte for byte.


namespace accp {

enum class RecordKind : char {
    kReceived = 'R',      // a frame that came in, and was applied
    kSent = 'S',          // a frame that went out
    kPartReceived = 'r',  // a part of a message, and not the one that made it whole
    kPartSent = 's',      // a part of a message, and not the last
    kAbandoned = 'A',     // the parts that were held of a chain are not waited for any more
    kRequest = 'Q',       // the same, of one that waits for its answer
    kTimeout = 'T',       // requests whose deadline was before this time wait no more
    kMessage = 'M',       // a message that never was a frame, in JSON
    kUsedUp = 'U',        // a frame that was dropped or refused behind its sequence number; without text where it had expired
    kPhase = 'P',         // a checkpoint that the caller asked for
    kClosed = 'Z'
};

// The top bit of a record's first byte: its message is from an untrusted origin.
constexpr unsigned char kUntrustedBit = 0x80;

// A record taken apart. Views.
struct Record {
    RecordKind kind = RecordKind::kMessage;
    uint64_t time_ms = 0;
    uint64_t next_key = 0;   // of values kept in cold, after this record
    int64_t seq = 0;         // of kUsedUp
    std::string_view agent;  // of kUsedUp
    std::string_view
        json;  // of a frame: its message, where refs in it stood for what may be another thing by now, or it is the end of one in parts
    std::string_view text;   // the frame, or the message; of kAbandoned the chain
    uint64_t patience = 0;   // of kRequest: ms until its deadline, and from each `wait` on
    bool untrusted = false;  // its message, or part of one, is data from outside

    bool has_json() const { return kind == RecordKind::kReceived || is_sent(); }
    bool is_sent() const { return kind == RecordKind::kSent || kind == RecordKind::kRequest; }
    bool is_part() const { return kind == RecordKind::kPartReceived || kind == RecordKind::kPartSent; }
    bool is_frame() const { return has_json() || is_part() || (kind == RecordKind::kUsedUp && !text.empty()); }
};

// How many versions a state in this record may pass. What was a frame was checked when it came or went, under the rules of then.
inline int64_t jump_of(const Record &record) { return record.kind == RecordKind::kMessage ? kMaxJump : INT64_MAX; }

inline void write_record(const Record &record, Buffer<char> &out) {
    Packer packer(out);
    out.push(static_cast<char>(static_cast<unsigned char>(record.kind) | (record.untrusted ? kUntrustedBit : 0)));
    packer.number(record.time_ms);
    packer.number(record.next_key);
    if (record.kind == RecordKind::kUsedUp) {
        packer.number(static_cast<uint64_t>(record.seq));
        packer.text(record.agent);
    }
    if (record.kind == RecordKind::kRequest) packer.number(record.patience);
    if (record.has_json()) packer.text(record.json);
    out.append(record.text.data(), record.text.size());
}

// False for what write_record() did not write.
inline bool read_record(std::string_view bytes, Record &out) {
    if (bytes.empty()) return false;
    out = {};
    const auto first = static_cast<unsigned char>(bytes[0]);
    out.untrusted = first & kUntrustedBit;
    out.kind = static_cast<RecordKind>(first & ~kUntrustedBit);
    Unpacker unpacker(bytes.substr(1));
    out.time_ms = unpacker.number();
    out.next_key = unpacker.number();
    if (out.kind == RecordKind::kUsedUp) {
        out.seq = static_cast<int64_t>(unpacker.number());
        out.agent = unpacker.text();
        if (out.seq < 1 || out.seq > kMaxSeq) return false;
    }
    if (out.kind == RecordKind::kRequest) out.patience = unpacker.number();
    if (out.has_json()) out.json = unpacker.text();
    out.text = unpacker.rest();
    return unpacker.ok();
}

}  // namespace accp

// A session's memory as a blob, beside the log: what makes opening it cheap. Everything in it follows from the log as well.



namespace accp {

// Rules by which texts were counted and cut: what was kept under one set of them is nothing under another.
struct TokenRules {
    std::string_view tokenizer;
    const ContextOptions &options;

    void write(Packer &packer) const {
        packer.text(tokenizer);
        for (uint32_t n : all()) packer.number(n);
    }
    static void skip(Unpacker &unpacker) {
        unpacker.text();
        for (size_t i = 0; i < kBounds; ++i) unpacker.number();
    }
    bool are(Unpacker unpacker) const {
        bool same = unpacker.text() == tokenizer;
        for (uint32_t n : all()) same = unpacker.number() == n && same;
        return same || !unpacker.ok();
    }

private:
    static constexpr size_t kBounds = 5;
    std::array<uint32_t, kBounds> all() const {
        return {options.hot_max, options.hot_due, options.checkpoint_max, options.summary_max, options.retained};
    }
};

struct Snapshot {
    static constexpr uint64_t kForm = 3;

    uint64_t place = 0;         // the record that it was made with
    uint64_t context_from = 1;  // the first record whose message is not in the context here
    uint64_t next_key = 1;
    int64_t state_version = 0;
    bool has_pending = false;
    bool ended = false;

    void write(const TokenRules &rules, const Context &context, const Inbox &inbox, Buffer<char> &out) const {
        Packer packer(out);
        packer.number(kForm);
        rules.write(packer);
        for (uint64_t n : {place, context_from, next_key, static_cast<uint64_t>(state_version), uint64_t{has_pending}, uint64_t{ended}})
            packer.number(n);
        inbox.save(packer);
        context.save(out);
    }

    // What write() wrote. ACCP_ERR_ARG for other rules, ACCP_ERR_CORRUPT for anything else.
    Status read(std::string_view bytes, const TokenRules &rules, Context &context, Inbox &inbox) {
        Unpacker unpacker(bytes);
        Status status = read_head(unpacker, &rules);
        if (status.failed()) return status;
        if (!inbox.restore(unpacker)) return fail(ACCP_ERR_CORRUPT, 0, kNone);
        std::string_view rest = unpacker.rest();
        status = unpacker.ok() ? context.restore(rest.data(), rest.size()) : fail(ACCP_ERR_ARG, 0, "");
        return status.code == ACCP_ERR_ARG ? fail(ACCP_ERR_CORRUPT, 0, kNone) : status;
    }

    // All but senders and context, under whatever rules where `rules` is nullptr.
    Status read_head(Unpacker &unpacker, const TokenRules *rules) {
        if (unpacker.number() != kForm) return fail(ACCP_ERR_CORRUPT, 0, kNone);
        if (rules && !rules->are(unpacker)) return fail(ACCP_ERR_ARG, 0, "the session was kept under other rules of tokens");
        TokenRules::skip(unpacker);
        place = unpacker.number();
        context_from = unpacker.number();
        next_key = unpacker.number();
        state_version = static_cast<int64_t>(unpacker.number());
        has_pending = unpacker.number() != 0;
        ended = unpacker.number() != 0;
        return unpacker.ok() && state_version >= 0 && state_version <= kMaxSeq ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kNone);
    }

private:
    static constexpr const char *kNone = "the session's state is not one";
};

}  // namespace accp

namespace accp {

struct SessionRules {
    InboxRules inbox;
    ContextOptions context;
    uint64_t most_tokens = kMostFrameTokens;  // of a frame that goes out; 0: any number
    uint32_t issuer = 0;                      // of mids, where several send in one session (accp_mid_format)
    bool shares_store = false;                // the peer resolves refs: long values go to the store
    bool parts = false;                       // both sides take messages in parts
    bool merges = false;                      // both sides named m1: rows of the shared state go as the cells that changed
    bool names_session = false;               // frames carry the sid
    uint64_t deadline_ms = 0;                 // in which a request of ours is answered; 0: it waits for ever
    bool durable = true;                      // a call that changes something returns when it is durable; else sync() says when
    RefResolver *elsewhere = nullptr;         // who resolves refs of frames that the session has not
    ColdStore *cold = nullptr;                // who keeps the values of the cold tier; NULL: the store
};

// The host's, of every session of an engine; include/accp/session.h has their rules.
struct SessionHooks {
    accp_summarise_function summarise = nullptr;
    void *summarise_user = nullptr;
    accp_log_hook log = nullptr;
    void *log_user = nullptr;
    const AgentRules *agents = nullptr;
};

class SessionRefs;
class ForeignRefs;
class PartEnvelopes;

class Session : private History {
public:
    Session(Memory &memory, const SessionRules &rules, const SessionHooks &hooks = {});
    ~Session();

    // Opens the session of this id, with all that was ever applied to it: to write, where it is made if it is missing and an older writer is shut out, or to
    // read it as it stands. ACCP_ERR_CORRUPT for records that are none, ACCP_ERR_ARG for other rules: nobody is shut out then.
    Status open(Store &store, std::string_view id, bool writes, const PermutationKey &mids, Desk &desk);
    void close();
    // The end of the session itself: no frame is taken any more, whoever opens it (ACCP_ERR_CLOSED).
    Status end(int64_t now_ms, Desk &desk);

    // A frame from outside, by a peer. E5001: not under this name, and nothing has changed. ACCP_OK: applied; ACCP_HELD: it waits; ACCP_DROPPED: answer nothing; else refused. The offset is a byte of the frame. What was
    // applied comes out of next(). Behind it release_waiting(): frames that had waited for it. A call of its own, so that a failure of theirs is not
    // taken for one of this frame; what it could not do, the next receive() does first.
    Status receive(std::string_view frame, const Peer &peer, int64_t now_ms, Desk &desk);
    bool has_ready() const { return inbox_.ready() != nullptr; }
    Status release_waiting(int64_t now_ms, Desk &desk);
    // The next message that was applied, or a frame that had waited and was refused (`status`). False: no more. Views until the next call.
    struct Delivered {
        accp_status status;
        int64_t seq;
        std::string_view json;  // of the message
        const char *reason;     // of a refusal
        bool untrusted;         // the message is data from outside
    };
    bool next(Delivered &out);
    // What stands in the queue from `place` on, which the call moves on; queued() is its end.
    bool peek(size_t &place, Delivered &out) const;
    size_t queued() const { return delivered_.size(); }
    bool is_cancelled(std::string_view cid) const { return live_->pending.chains.has(cid); }

    // A message of ours, in JSON, as a frame with mid, seq and ts: appended to `out`. The offset of a failure is a byte of the JSON.
    Status send(std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out);
    // A message that takes no frame: part of the history, and no more.
    Status append(std::string_view json, int64_t now_ms, Desk &desk);
    // The frame that makes the other side's shared state this JSON object; empty where nothing changed. It is ours from now on.
    Status send_state(std::string_view agent, std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out);

    // Requests of ours whose deadline has passed: they wait no more, and next() hands out an E3001 for each.
    Status expire(int64_t now_ms, Desk &desk);
    // Forgets the parts that are held of a chain's messages, of all where cid is empty.
    Status abandon(std::string_view cid, int64_t now_ms, Desk &desk);
    int64_t next_deadline() const { return live_->pending.requests.next(); }
    // The frame of that record, one of ours, to be sent again: appended to `out`.
    Status retry(uint64_t place, int64_t now_ms, Desk &desk, Buffer<char> &out);

    Status checkpoint(int64_t now_ms, Desk &desk);
    // Appends what a model should be given.
    Status context(uint64_t budget, Desk &desk, Buffer<char> &out, uint64_t &tokens);
    Status budget(Desk &desk, TokenUse &out);
    uint32_t checkpoints() const { return live_->context.checkpoints(); }
    const SharedState &state() const { return live_->state; }

    // What a ref ("warm.k") stands for, as JSON, appended. E2001, E2002.
    Status resolve(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out);
    // The same of another session, by its grant. E5002 without one, whether it is there or not.
    Status resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out);
    // Puts JSON under a ref of ours; expires_ms 0: never. E1001: no JSON; E1004: no such tier.
    Status put(std::string_view ref, std::string_view json, int64_t expires_ms, Desk &desk);
    Status erase(std::string_view ref, Desk &desk);
    Status grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms, Desk &desk);
    Status revoke(std::string_view grantee, std::string_view prefix, Desk &desk);

    // Record `seq` of the log: what was said, byte for byte. E2001: there is none.
    Status record(uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out);
    uint64_t last_record() const { return store_->row().last; }
    // Everything so far is durable when this returns.
    Status sync();

    // How many commits the store has taken of this handle: durable or not.
    uint64_t taken() const { return taken_; }

    // What a call, or opening, is to answer: damage only where the session is this handle's still.
    Status judged(const Status &status);

    // Is memory ahead of the store, because a call failed halfway? refresh() makes it what the store says.
    bool is_stale() const { return stale_ && store_; }
    Status refresh(Desk &desk) { return stale_ ? reload(desk) : Status{}; }

    std::string_view id() const { return {id_.data(), id_.size()}; }
    // Of the texts that it keeps in memory, in bytes: what an open session needs beside them is to be small.
    size_t text_bytes() const { return live_->context.text_bytes() + live_->state.json().size() + id_.size(); }

private:
    friend class SessionRefs;
    friend class ForeignRefs;

    // Whose frame is read: a ref in it is its sender's.
    enum class Owner : uint8_t { kOurs, kPeer };
    // What follows from the log.
    struct Live {
        Live(Memory &memory, ContextDesk &desk, const ContextOptions &options, const ContextHooks &hooks)
            : context(memory, desk, options, hooks), state(memory), pending(memory), causes(memory), own_agents(memory) {}
        Context context;
        SharedState state;
        Pending pending;
        Causes causes;
        NameSet own_agents;           // that frames went out as
        bool own_agents_kept = true;  // the store has them as they are
        uint64_t next_key = 1;
        uint64_t context_from = 1;  // the first record whose message is not in what the context saves
        bool has_pending = false;   // the store has a blob of it
        uint64_t unsaved = 0;       // bytes of the records behind that snapshot
        bool state_kept = true;     // the store has the shared state as it is
        bool ended = false;
    };
    struct Frame {
        Arrival arrival;
        std::string_view text;
        uint32_t payload, metadata;  // where they begin in the text
        bool is_part;                // or looks like one
    };
    // Where refs are looked up: this session, or another one of the store, whose shared state is what its log says.
    struct Reading {
        StoreSession &store;
        const SharedState *state;
        ColdStore *cold;
    };
    struct Blob {
        std::string_view json;
        int64_t expires_ms;
        bool erase;
    };

    // History
    Status has(std::string_view agent, std::string_view mid, bool &seen) override;

    Status is_cancelled(const accp_envelope &envelope, Desk &desk, bool &out);
    Status find_causes(Desk &desk);
    static bool read_envelope_of(std::string_view frame, Desk &desk, accp_envelope &out);
    void note_cause(const accp_envelope &envelope, uint64_t place);

    Status look(Store &store, Desk &desk);
    Status current(Desk &desk, bool asks = true);
    Status read_whole(Desk &desk, Status (Session::*read)(Desk &));
    Status ready(Desk &desk);
    Status reload(Desk &desk);
    Status restore(Desk &desk);
    Status restore_snapshot(Desk &desk);
    Status replay(const StoreRecords::Record &stored, Desk &desk);
    TokenRules token_rules(const Desk &desk) const { return {desk.counter.tokenizer().name, rules_.context}; }
    void make_live(Desk &desk);
    void end_live();

    Status keep(const Record &record, const Arrival *frame, Desk &desk, const MessageView *read = nullptr);
    Status add(const Record &record, const Arrival *frame, uint64_t place, Desk &desk, const MessageView *read = nullptr);
    Status write(uint64_t place, Desk &desk);
    Status apply(const Record &record, uint64_t place, Desk &desk, const MessageView *read = nullptr);
    Status apply_frame(const Record &record, uint64_t place, Desk &desk);
    Status restore_parts(Desk &desk);
    static Status part_of(std::string_view frame, Desk &desk, accp_envelope &envelope, MessagePart &part, bool &is_part);
    Status take_part(const Frame &frame, Desk &desk);
    Status join(Frame &frame, Desk &desk, bool &held, bool &whole) const;
    Status join_sent(std::string_view frames, Desk &desk) const;
    Status apply_pending(const Record &record, uint64_t place, const MessageView &message);
    void expire_until(int64_t now_ms, Desk &desk);
    Status apply_message(const Record &record, uint64_t place, std::string_view json, Desk &desk, const MessageView *read);
    // The first checkpoint brings one, which says by what rules the session is kept. Not each: opening a session applies some more records, and keeping one
    // writes far less. But what a host's summariser wrote is not asked for again.
    bool snapshot_is_due() const {
        return checkpointed_ && (hooks_.summarise || !store_->row().version || live_->unsaved >= kSnapshotBytes);
    }
    Status keep_state(uint64_t place, Desk &desk);
    Status note(Record record, Desk &desk);
    Status commit(Desk &desk);
    Status settle();
    static bool on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out, void *user);
    static void on_checkpoint(const CheckpointView &checkpoint, void *user);

    Status read_frame(std::string_view text, int64_t now_ms, bool untrusted, Desk &desk, Frame &out) const;
    Status admit(const Arrival &frame, const Peer &peer);
    bool is_own_agent(std::string_view agent) const;
    bool is_untrusted(std::string_view agent) const { return hooks_.agents && hooks_.agents->untrusted.has(agent); }
    Status restore_agents(Desk &desk);
    Status speak_as(std::string_view agent) const;
    Status hold(const Frame &frame, bool new_gap);
    Status take(Frame &frame, Desk &desk);
    Status check(const Frame &frame, Desk &desk);
    static bool is_refused(const Status &status) { return status.code > ACCP_HELD; }
    Status refuse(const Frame &frame, const Status &why, Desk &desk);
    Status use_up(const Frame &frame, bool seen, Desk &desk);
    Status release(int64_t now_ms, Desk &desk);
    Status let_pass(int64_t now_ms, Desk &desk, std::initializer_list<std::string_view *> texts, Buffer<char> &copies);
    Status pass_by(const Inbox::Held &held);
    Status take_waiting(const Inbox::Held &held, int64_t now_ms, Desk &desk);
    Status give_up_gap(Frame &frame, int64_t now_ms, Desk &desk);
    Status decode(std::string_view text, Owner owner, bool untrusted, int64_t now_ms, Desk &desk);
    std::string_view kept_message(bool in_parts, const Desk &desk) const;
    static Status read_message(std::string_view json, Desk &desk, MessageView &out);
    void deliver(accp_status status, int64_t seq, std::string_view json, const char *reason, bool untrusted = false);

    friend class PartEnvelopes;
    Status again(uint64_t place, int64_t ahead, int64_t now_ms, Desk &desk, Buffer<char> &out);
    Status new_mid(std::string_view agent, char *mid);
    Status address(std::string_view agent, int64_t now_ms, char *mid, accp_envelope &out);
    Status send_now(std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out);
    Status encode(std::string_view json, std::string_view agent, const accp_envelope &envelope, SessionRefs &refs, Desk &desk,
                  Buffer<char> &out);
    Status keep_sent(std::string_view frame, uint64_t next_key, bool untrusted, int64_t now_ms, Desk &desk);

    Status resolve_now(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out);
    static Status lookup(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk, Buffer<char> &out);
    static Status lookup_key(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk,
                             Buffer<char> &out);
    static Status cut_out(std::string_view labels, size_t start, Desk &desk, Buffer<char> &out);
    static bool is_end_of_parts(const Record &record, Desk &desk);
    static void mark_untrusted(Buffer<char> &out);
    static Status message_of(StoreSession &store, uint64_t place, Desk &desk, Buffer<char> &out);
    static Status read_record(StoreSession &store, uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out);
    static Status logged_state(const Reading &of, Desk &desk, Buffer<char> &out);
    static Status follow(const Reading &from, const Record &record, Desk &desk, SharedState &state);
    Status put_value(Tier where, std::string_view name, std::string_view json, uint64_t expires_ms, Desk &desk);
    Status change_blob(std::string_view ref, const Blob &blob, Desk &desk);

    Memory &memory_;
    const SessionRules rules_;
    const SessionHooks hooks_;
    Buffer<char> id_;
    StoreSession *store_ = nullptr;
    Store *all_ = nullptr;  // the store of it
    Inbox inbox_;
    Live *live_ = nullptr;
    Buffer<char> delivered_;  // packed; what was handed out goes when all of it was
    size_t handed_out_ = 0;
    uint64_t mid_counter_ = 0;  // of this handle's mids, before they are permuted
    uint32_t mid_letter_ = 0;
    PermutationKey mid_key_ = {};
    uint64_t taken_ = 0;
    uint64_t place_ = 0;  // of the record whose message was applied last
    bool writes_ = true;
    bool stale_ = false;  // memory is ahead of the store
    bool unsynced_ = false;
    bool checkpointed_ = false;
    bool fleeting_ = false;  // the message decoded last holds what a ref stood for, and may not stand for later

    // While a call runs: for those whom the context, the inbox and the chains ask.
    friend class DeskUse;
    Desk *desk_ = nullptr;
    bool desk_restores_ = false;
};

}  // namespace accp

namespace accp {

// Names in the store that no ref can spell.
constexpr std::string_view kStateKey = "state!", kPendingKey = "open!", kAgentsKey = "agents!";
constexpr std::string_view kHashPrefix = "sha!";
constexpr std::string_view kContextPrefix = "ctx!";
constexpr std::string_view kColdPrefix = "cold.";

class SessionRefs : public RefResolver, public ValueKeeper {
public:
    SessionRefs(Session &session, Desk &desk, int64_t now_ms, Session::Owner owner)
        : session_(session), desk_(desk), now_ms_(now_ms), owner_(owner), next_key_(session.live_->next_key) {}

    Status resolve(std::string_view ref, std::string_view &json) override;
    Status keep(std::string_view json, std::string_view &ref) override;

    uint64_t next_key() const { return next_key_; }
    // Was anything resolved that another value may be put in place of? What is kept in cold never changes.
    bool fleeting() const { return fleeting_; }

private:
    // A value that this call has kept: in desk.kept until it is committed.
    struct Kept {
        std::string_view hash, key, json;
    };
    Status resolve_own(std::string_view ref, std::string_view &json);
    Status resolve_of_peer(std::string_view ref, std::string_view &json);
    bool kept_now(std::string_view wanted, std::string_view Kept::*part, Kept &out) const;

    Session &session_;
    Desk &desk_;
    int64_t now_ms_;
    Session::Owner owner_;
    uint64_t next_key_;
    bool fleeting_ = false;
    char ref_[40];
};

// A desk in the hands of a session, for as long as one call runs.
class DeskUse {
public:
    DeskUse(Session &session, Desk &desk, bool restores) : session_(session) {
        session.desk_ = &desk;
        session.desk_restores_ = restores;
        desk.batch.clear();
        desk.kept.clear();
    }
    ~DeskUse() {
        session_.desk_ = nullptr;
        session_.desk_restores_ = false;
    }

private:
    Session &session_;
};

}  // namespace accp

namespace accp {

namespace {

std::string_view view(const accp_text &text) { return {text.text, text.len}; }

}  // namespace

Status Session::is_cancelled(const accp_envelope &envelope, Desk &desk, bool &out) {
    const CancelledChains &chains = live_->pending.chains;
    out = false;
    if (chains.empty()) return {};
    if (envelope.fields & ACCP_ENVELOPE_AID && !live_->causes.is_complete())
        if (Status status = find_causes(desk); status.failed()) return status;
    const uint64_t last = store_->row().last;
    out = chains.covers(envelope, live_->causes, last > kMostLookback ? last - kMostLookback : 0);
    return {};
}

// The newest records first, as many as count and as are not too much to read.
Status Session::find_causes(Desk &desk) {
    const CancelledChains &chains = live_->pending.chains;
    Buffer<Causes::Cause> found(desk.memory);
    size_t read = 0;
    uint64_t last = store_->row().last;
    const uint64_t after = last > kMostLookback ? last - kMostLookback : 0;
    while (last > after && read < kMaxCauseBytes) {
        Status status = store_->scan(after + 1, last, true, kScanBytes, desk.records);
        if (status.failed()) return status;
        if (!desk.records.size()) break;
        for (size_t i = 0; i < desk.records.size(); ++i) {
            const StoreRecords::Record stored = desk.records[i];
            Record record;
            accp_envelope envelope;
            last = stored.seq - 1;
            read += stored.bytes.size();
            if (!accp::read_record(stored.bytes, record) || !record.is_frame()) continue;
            if (!read_envelope_of(record.text, desk, envelope)) continue;
            found.push({stored.seq, chains.hash(view(envelope.mid)), chains.hash(view(envelope.cid)), chains.hash(view(envelope.aid)), 0});
        }
    }
    for (size_t i = found.size(); i > 0; --i) live_->causes.add(found[i - 1]);
    live_->causes.set_complete();
    return {};
}

// Of a frame that was taken.
bool Session::read_envelope_of(std::string_view frame, Desk &desk, accp_envelope &out) {
    Buffer<Node> &nodes = desk.ancestor_nodes;
    nodes.recycle(kKeptBytes);
    if (desk.codec.coder.parse(frame.data(), frame.size(), nodes).failed()) return false;
    const uint32_t meta = nodes[kPayload].next < nodes.size() ? nodes[kPayload].next : 0;
    return read_envelope({nodes.data(), frame.data()}, meta, out).ok();
}

void Session::note_cause(const accp_envelope &envelope, uint64_t place) {
    const CancelledChains &chains = live_->pending.chains;
    if (!live_->causes.is_complete()) return;
    live_->causes.add({place, chains.hash(view(envelope.mid)), chains.hash(view(envelope.cid)), chains.hash(view(envelope.aid)), 0});
}

}  // namespace accp

// session/state_change.cc

// See shared_state.h: a change on its way out.


// What happens to the members of a map, found by key in logarithmic time: both sides of a map may be long.



namespace accp {

struct Change {
    std::string_view key;
    uint32_t node;  // of the new value
    enum Kind : uint8_t { kSet, kMerge, kRemove } kind;
    bool done;
};

class Changes {
public:
    Changes(Arena &arena, uint32_t most) : items_(arena.take<Change>(most + 1)) {}

    void add(std::string_view key, uint32_t node, Change::Kind kind) { items_[count_++] = {key, node, kind, false}; }
    // Every child of `map`; those that are null are removed where `null_removes`.
    void add_all(TreeView tree, uint32_t map, Change::Kind kind, bool null_removes) {
        for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
            add(tree.key(i), i, null_removes && tree[i].kind == ACCP_NULL ? Change::kRemove : kind);
    }
    // To be called before find(): the place, in the order of the keys, of one that is there twice; 0 where all differ.
    uint32_t sort() {
        std::sort(items_, items_ + count_, [](const Change &a, const Change &b) { return a.key < b.key; });
        for (uint32_t i = 1; i < count_; ++i)
            if (items_[i].key == items_[i - 1].key) return i;
        return 0;
    }
    Change *find(std::string_view key) {
        Change *end = items_ + count_;
        Change *at = std::lower_bound(items_, end, key, [](const Change &item, std::string_view wanted) { return item.key < wanted; });
        return at != end && at->key == key ? at : nullptr;
    }
    const Change &operator[](uint32_t i) const { return items_[i]; }

private:
    Change *items_;
    uint32_t count_ = 0;
};

}  // namespace accp

// A JSON object, written member by member.


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

class Members {
public:
    explicit Members(Buffer<char> &out) : out_(out) { out_.push('{'); }

    // A key, which has a Buffer's slack behind it; its value is what the caller appends.
    void key(std::string_view key) {
        if (!first_) out_.push(',');
        first_ = false;
        write_json_string(key, out_);
        out_.push(':');
    }
    void add(TreeView tree, uint32_t node) {
        key(tree.key(node));
        write_json(tree, node, out_);
    }
    bool empty() const { return first_; }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool first_ = true;
};

}  // namespace accp

namespace accp {

namespace {

struct Compared {
    TreeView old;
    TreeView next;
    SharedState::Desk &desk;

    // Equal by value, whatever the order of members and the spelling of numbers.
    Status same(uint32_t before, uint32_t after, bool &out) {
        desk.left.clear();
        desk.right.clear();
        Arena::Mark mark = desk.arena.mark();
        Status status = write_hash_form(old, before, desk.arena, desk.left);
        if (status.ok()) status = write_hash_form(next, after, desk.arena, desk.right);
        desk.arena.rewind(mark);
        out = std::string_view(desk.left.data(), desk.left.size()) == std::string_view(desk.right.data(), desk.right.size());
        return status;
    }

    // Appends the cells of a row that differ. `fits` is false where a merge cannot say it.
    Status cells(uint32_t before, uint32_t after, Buffer<char> &out, bool &fits) {
        fits = old[before].kind == ACCP_MAP && next[after].kind == ACCP_MAP;
        if (!fits) return {};
        Arena::Mark mark = desk.arena.mark();
        Changes known(desk.arena, old[before].len);
        known.add_all(old, before, Change::kSet, false);
        known.sort();
        Members members(out);
        Status status;
        for (uint32_t i = after + 1; status.ok() && i < next[after].next; i = next[i].next) {
            Change *was = known.find(next.key(i));
            bool equal = false;
            if (was) was->done = true, status = same(was->node, i, equal);
            if (equal) continue;
            fits = fits && next[i].kind != ACCP_NULL;
            members.add(next, i);
        }
        for (uint32_t i = before + 1; i < old[before].next; i = old[i].next) {
            if (known.find(old.key(i))->done) continue;
            members.key(old.key(i));
            out.append("null", 4);
        }
        members.end();
        desk.arena.rewind(mark);
        return status;
    }
};

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

// Is there a null among the new values? Then removals are named apart.
bool sets_null(TreeView old, TreeView next, uint32_t map, Changes &known) {
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        if (next[i].kind != ACCP_NULL) continue;
        const Change *was = known.find(next.key(i));
        if (!was || old[was->node].kind != ACCP_NULL) return true;
    }
    return false;
}

void put_removed(TreeView old, Changes &known, Buffer<char> &out) {
    put(out, ",\"rm\":[");
    bool first = true;
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        if (known.find(old.key(i))->done) continue;
        if (!first) out.push(',');
        first = false;
        write_json_string(old.key(i), out);
    }
    out.push(']');
}

}  // namespace

Status SharedState::write_change(TreeView next, uint32_t map, bool merge, Desk &desk, Buffer<char> &out, bool &changed) const {
    if (version_ == kMaxSeq) return fail(ACCP_E2003, 0, "no version is left: the last is 2^63 - 2; go on in another session");
    const size_t start = out.size();
    put(out, "{\"version\":");
    char digits[24];
    put(out, {digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, version_ + 1).ptr - digits)});
    Status status;
    if (version_) {
        desk.arena.reset();
        status = read_state(desk);
        if (status.ok()) status = write_delta(next, map, merge, desk, out, changed);
    } else {
        put(out, ",\"state\":");
        const size_t state = out.size();
        write_json(next, map, out);
        changed = true;
        if (out.size() - state > kMostSharedBytes) status = fail_limit(out.size() - state, kMostSharedBytes, "too many bytes in the shared state: keep large values as refs", map);
    }
    out.push('}');
    if (status.failed()) out.resize_down(start);
    return status;
}

// The members in their order; a row goes as its cells where that is shorter.
Status SharedState::write_delta(TreeView next, uint32_t map, bool merge, Desk &desk, Buffer<char> &out, bool &changed) const {
    TreeView old = desk.old_state.view();
    Changes known(desk.arena, old[0].len);
    known.add_all(old, 0, Change::kSet, false);
    known.sort();
    const bool names_removed = sets_null(old, next, map, known);
    Compared compared = {old, next, desk};
    const size_t start = out.size();
    put(out, ",\"delta\":");
    desk.merge.clear();
    Members delta(out), merged(desk.merge);
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        Change *was = known.find(next.key(i));
        bool equal = false, fits = false;
        Status status;
        if (was) was->done = true, status = compared.same(was->node, i, equal);
        desk.whole.clear();
        desk.cells.clear();
        if (status.ok() && !equal) write_json(next, i, desk.whole);
        if (status.ok() && !equal && was && merge) status = compared.cells(was->node, i, desk.cells, fits);
        if (status.failed()) return status;
        if (equal) continue;
        fits = fits && desk.cells.size() < desk.whole.size();
        (fits ? merged : delta).key(next.key(i));
        const Buffer<char> &text = fits ? desk.cells : desk.whole;
        (fits ? desk.merge : out).append(text.data(), text.size());
    }
    bool removes = false;
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        if (known.find(old.key(i))->done) continue;
        removes = true;
        if (names_removed) continue;
        delta.key(old.key(i));
        put(out, "null");
    }
    changed = removes || !delta.empty() || !merged.empty();
    delta.end();
    merged.end();
    if (delta.empty() && !merged.empty() && !names_removed) out.resize_down(start);
    if (!merged.empty()) {
        put(out, ",\"merge\":");
        out.append(desk.merge.data(), desk.merge.size());
    }
    if (names_removed) put_removed(old, known, out);
    return {};
}

}  // namespace accp
