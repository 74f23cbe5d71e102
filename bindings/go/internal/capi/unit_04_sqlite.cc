//go:build !accp_system && accp_sqlite

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstring>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <sqlite3.h>
#include <sys/types.h>
#include <mutex>
#include <cerrno>
#include <algorithm>

// store/sqlite_backend.cc

// See sqlite_backend.h: opening, and what works on whole sessions.

// Sessions in a SQLite file in WAL mode. docs/store.md has the schema.
//
// A group of commits is one transaction. Mids are kept with the record they came with, and go to the index some hundreds at a time: random keys one by
// one into a tree would write a page for each. The index of a session is runs of sorted words, merged sixteen at a time; a run is rows that each hold
// the words of a range, and together cover all there can be, so that a row that is missing is noticed.


// Which mids an index surely has not: a Bloom filter for a session, made from its index when it is first asked. Nearly every mid that is looked for is
// new, and then no row is read. All filters of a store together stay below kMostFilterBytes; a session without one is only slower.



// A seed that an attacker does not know, and a hash keyed with it: sets of keys that came from outside stay fast whatever the keys are.


namespace accp {

// Different in every process and for every handle.
uint64_t random_seed();

// Eight bytes of the system's randomness; waits for it where the system has just begun.
uint64_t random_secret();

// SipHash-1-3 of the bytes under the seed.
uint64_t seeded_hash(const char *text, size_t len, uint64_t seed);

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

// What one commit does to one session: a list of operations, applied all or none. Made by the caller, cleared and used again.



// SHA-256, as hexadecimal text: what names content that must be the same on both sides.


namespace accp {

struct Digest {
    char hex[65];  // lower case, and a NUL

    std::string_view view() const { return {hex, sizeof hex - 1}; }
    std::string_view first(size_t digits) const { return {hex, digits}; }
};

Digest sha256(std::string_view text);

}  // namespace accp

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

class MidFilters {
public:
    explicit MidFilters(Memory &memory) : memory_(&memory), seed_(random_seed()) {}
    MidFilters(const MidFilters &) = delete;
    MidFilters &operator=(const MidFilters &) = delete;
    ~MidFilters() { clear(); }

    // Is there a filter of the session's index as it stands?
    bool has(const SessionRow &row) const { return is_of(slot(row), row); }

    // False: the word is not in the index. Only where has().
    bool may_have(const SessionRow &row, uint64_t word) const {
        uint64_t bits = 0;
        const Filter &filter = slot(row);
        size_t at = place(filter, word, bits);
        return (filter.blocks[at] & bits) == bits;
    }

    // Makes the session's filter, from all that its index has, with room for as much again.
    void make(const SessionRow &row, const Buffer<uint64_t> &words) {
        size_t count = kLeastBlocks;
        while (count < words.size() / kWordsOfBlock * 2 && count < kMostBlocks) count *= 2;
        if (bytes_ + count * sizeof(uint64_t) > kMostFilterBytes) clear();
        drop(slot(row));
        uint64_t *blocks = static_cast<uint64_t *>(memory_->take(count * sizeof(uint64_t)));
        std::memset(blocks, 0, count * sizeof(uint64_t));
        bytes_ += count * sizeof(uint64_t);
        slot(row) = {row.number, row.fence, row.runs, 0, count, blocks};
        add(slot(row), words);
    }

    // The index of `before` became that of `after` by these words. A filter that is too small for them is made anew when it is next asked.
    void extend(const SessionRow &before, const SessionRow &after, const Buffer<uint64_t> &words) {
        Filter &filter = slot(before);
        if (!is_of(filter, before)) return;
        if (filter.count < kMostBlocks && filter.words + words.size() > filter.count * kWordsOfBlock) return;
        add(filter, words);
        filter.runs = after.runs;
    }

private:
    struct Filter {
        uint64_t number, fence, runs;  // what it was made from
        uint64_t words;
        size_t count;
        uint64_t *blocks;
    };
    static constexpr size_t kSlots = 1024;
    static constexpr size_t kWordsOfBlock = 4;  // 16 bits a word: one lookup in 200 is in vain
    static constexpr size_t kLeastBlocks = 512;
    static constexpr size_t kMostBlocks = kMostFilterBytes / 32 / sizeof(uint64_t);

    static bool is_of(const Filter &filter, const SessionRow &row) {
        return filter.blocks && filter.number == row.number && filter.fence == row.fence && filter.runs == row.runs;
    }
    Filter &slot(const SessionRow &row) { return slots_[row.number % kSlots]; }
    const Filter &slot(const SessionRow &row) const { return slots_[row.number % kSlots]; }

    size_t place(const Filter &filter, uint64_t word, uint64_t &bits) const {
        uint64_t hash = seeded_hash(reinterpret_cast<const char *>(&word), sizeof word, seed_);
        for (int i = 0; i < 5; ++i) bits |= uint64_t{1} << (hash >> 6 * i & 63);
        return (hash >> 32) & (filter.count - 1);
    }
    void add(Filter &filter, const Buffer<uint64_t> &words) {
        for (size_t i = 0; i < words.size(); ++i) {
            uint64_t bits = 0;
            size_t at = place(filter, words[i], bits);
            filter.blocks[at] |= bits;
        }
        filter.words += words.size();
    }
    void drop(Filter &filter) {
        memory_->give(filter.blocks, filter.count * sizeof(uint64_t));
        bytes_ -= filter.count * sizeof(uint64_t);
        filter = {};
    }
    void clear() {
        for (Filter &filter : slots_) drop(filter);
    }

    Memory *memory_;
    uint64_t seed_;
    size_t bytes_ = 0;
    Filter slots_[kSlots] = {};  // by the session's number
};

}  // namespace accp

// A store file: opened, brought to today's schema, and asked by prepared statements. SQLite is linked in from its archive, hidden, as a copy of our
// own: its memory comes from the private allocator (not from a handle's, and not counted in memory_bytes), and no other copy is touched.



// What a store asks of the place where things are kept. Every call is made under the store's lock; tests/store holds each backend to the same suite.


// Commits that wait to be written as one group, in their order; those of one session are a chain.


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

// Every statement that is run more than once: SQLITE_STATEMENT(name, sql).
enum class Sql : int {
#define SQLITE_STATEMENT(name, sql) name,
/* The statements of the SQLite backend: SQLITE_STATEMENT(name, sql). place is a session's number << 40 | sequence. */
#define SESSION_COLUMNS "number, fence, version, last, generation, floor, runs, indexed, held, sum"
SQLITE_STATEMENT(kBegin, "BEGIN IMMEDIATE")
SQLITE_STATEMENT(kBeginRead, "BEGIN")
SQLITE_STATEMENT(kCommit, "COMMIT")
SQLITE_STATEMENT(kRollback, "ROLLBACK")

SQLITE_STATEMENT(kSessionById, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE id = ?")
SQLITE_STATEMENT(kSessionByNumber, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE number = ?")
SQLITE_STATEMENT(kSessionAfter, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE number > ? ORDER BY number LIMIT 1")
SQLITE_STATEMENT(kSessionNewest, "SELECT max(number) FROM session")
SQLITE_STATEMENT(kSessionMake, "INSERT INTO session (" SESSION_COLUMNS ", id, id_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kSessionSet, "UPDATE session SET fence = ?, version = ?, last = ?, generation = ?, floor = ?, runs = ?, indexed = ?, held = ?, sum = ? WHERE number = ?")

SQLITE_STATEMENT(kStateGet, "SELECT version, sum, bytes FROM state WHERE session = ?")
SQLITE_STATEMENT(kStatePut, "REPLACE INTO state (session, version, sum, bytes) VALUES (?, ?, ?, ?)")

SQLITE_STATEMENT(kRecordPut, "INSERT INTO log (place, sum, mids, bytes) VALUES (?, ?, ?, ?)")
SQLITE_STATEMENT(kRecords, "SELECT place, sum, mids, bytes FROM log WHERE place BETWEEN ? AND ? ORDER BY place")
SQLITE_STATEMENT(kRecordsBack, "SELECT place, sum, mids, bytes FROM log WHERE place BETWEEN ? AND ? ORDER BY place DESC")

SQLITE_STATEMENT(kBlobGet, "SELECT tier, key, expires, generation, sum, bytes FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobs, "SELECT tier, key, expires, generation, sum, bytes FROM blob WHERE session = ? ORDER BY tier, key")
SQLITE_STATEMENT(kBlobSum, "SELECT sum FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobPut, "REPLACE INTO blob (session, tier, key, expires, generation, sum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kBlobErase, "DELETE FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobExpire, "DELETE FROM blob WHERE expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kBlobPrune, "DELETE FROM blob WHERE session = ? AND generation > 0 AND generation < ? RETURNING session, sum")

SQLITE_STATEMENT(kMidPut, "INSERT INTO mid (session, run, first, next, sum, words) VALUES (?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kMidFind, "SELECT first, next, sum, words FROM mid WHERE session = ? AND run = ? AND first <= ? ORDER BY first DESC LIMIT 1")
SQLITE_STATEMENT(kMidRun, "SELECT first, next, sum, words FROM mid WHERE session = ? AND run = ? ORDER BY first")
SQLITE_STATEMENT(kMidErase, "DELETE FROM mid WHERE session = ? AND run = ?")

SQLITE_STATEMENT(kGrantSum, "SELECT sum FROM permit WHERE session = ? AND grantee = ? AND prefix = ?")
SQLITE_STATEMENT(kGrantPut, "REPLACE INTO permit (session, grantee, prefix, expires, sum) VALUES (?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kGrantErase, "DELETE FROM permit WHERE session = ? AND grantee = ? AND prefix = ?")
SQLITE_STATEMENT(kGrantEnd, "DELETE FROM permit WHERE session = ? AND grantee = ? AND expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kGrantsOf, "DELETE FROM permit WHERE grantee = ? RETURNING session, sum")
SQLITE_STATEMENT(kGrantExpire, "DELETE FROM permit WHERE expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kGrants, "SELECT grantee, prefix, expires, sum FROM permit WHERE session = ? ORDER BY grantee, prefix")
SQLITE_STATEMENT(kGrantsTo, "SELECT grantee, prefix, expires, sum FROM permit WHERE session = ? AND grantee = ?")

/* Of a column, as count(*) is one step of SQLite, however long it takes. */
SQLITE_STATEMENT(kCountRecords, "SELECT count(*), ifnull(sum(length(bytes)), 0) FROM log")
SQLITE_STATEMENT(kCountBlobs, "SELECT count(*), ifnull(sum(length(bytes)), 0) FROM blob")
SQLITE_STATEMENT(kCountGrants, "SELECT count(sum) FROM permit")
SQLITE_STATEMENT(kCountSessions, "SELECT count(sum) FROM session")
SQLITE_STATEMENT(kCountMids, "SELECT (SELECT ifnull(sum(length(words)), 0) FROM mid) + (SELECT ifnull(sum(length(mids)), 0) FROM log JOIN session"
    " ON number = place >> 40 WHERE length(mids) > 0 AND place > (number << 40) + indexed)")

SQLITE_STATEMENT(kSchema, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'")
SQLITE_STATEMENT(kIntegrity, "PRAGMA integrity_check(64)")
SQLITE_STATEMENT(kOrphans, "SELECT EXISTS (SELECT 1 FROM state WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM log WHERE place >> 40 NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM blob WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM mid WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM permit WHERE session NOT IN (SELECT number FROM session))")

SQLITE_STATEMENT(kEraseSession, "DELETE FROM session WHERE number = ?")
SQLITE_STATEMENT(kEraseState, "DELETE FROM state WHERE session = ?")
SQLITE_STATEMENT(kEraseLog, "DELETE FROM log WHERE place BETWEEN ?1 << 40 AND ((?1 + 1) << 40) - 1")
SQLITE_STATEMENT(kEraseBlobs, "DELETE FROM blob WHERE session = ?")
SQLITE_STATEMENT(kEraseMids, "DELETE FROM mid WHERE session = ?")
SQLITE_STATEMENT(kEraseGrants, "DELETE FROM permit WHERE session = ?")
#undef SESSION_COLUMNS
#undef SQLITE_STATEMENT
    kCount
};

constexpr const char *kSchemaDamaged = "the schema of the file is damaged";

class SqliteFile {
public:
    SqliteFile() = default;
    ~SqliteFile();
    SqliteFile(const SqliteFile &) = delete;
    SqliteFile &operator=(const SqliteFile &) = delete;

    Status open(Memory &memory, const StorePlace &place, const char *path);
    // Was the file, or its log, removed or replaced since it was opened? What is written then is lost.
    bool is_moved() const;

    // What a result code that SQLite has just given means here.
    Status failure(int code);
    // Runs one statement, text or prepared, that gives no row.
    int run(const char *sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
    int run(Sql which);
    // The statement, reset; NULL and a code where there is no memory for it.
    sqlite3_stmt *statement(Sql which, int &code);

    // Ties a row to its place and its content to each other.
    int64_t sum(std::initializer_list<uint64_t> numbers, std::string_view a = {}, std::string_view b = {}) const;

    // Another one whenever another connection has written; to be asked in a transaction.
    uint32_t data_version() {
        uint32_t version = 0;
        sqlite3_file_control(db_, "main", SQLITE_FCNTL_DATA_VERSION, &version);
        return version;
    }

    sqlite3 *db() { return db_; }

    int wal_pages = 0;  // in the write-ahead log, since the last commit

    // A walk over rows, of one statement or of several, may take so many steps of SQLite and bytes as the file's size explains. In a damaged file, where
    // the same pages can be reached on many ways, it has an end by that.
    void begin_walk() {
        if (walks_++ == 0) spent_ = 0;
    }
    void end_walk() { --walks_; }
    bool spend(uint64_t effort) {  // false: too much
        spent_ += effort;
        return spent_ <= most_ || (measure(), spent_ <= most_);
    }

    // A little, for another process; false: for long enough. is_first: a new wait begins.
    bool wait(bool is_first);

private:
    struct Look {
        int64_t application = 0;
        int64_t version = 0;
        size_t tables = 0;   // and indices, that have a statement
        bool right = false;  // are they all that a file of this version has?
    };

    Status open_at(const StorePlace &place, const char *path, int flags);
    Status open_fixed(Memory &memory, const StorePlace &place, const char *path);
    void close();
    Status begin(const StorePlace &place);
    int64_t number_of(const char *sql, int &code);
    void measure();

    // sqlite_schema.cc
    Status bring_up(const StorePlace &place);
    Status look(Look &out);
    Status read_schema(Look &out);
    Status upgrade();

    sqlite3 *db_ = nullptr;
    sqlite3_stmt *statements_[static_cast<int>(Sql::kCount)] = {};
    uint64_t seed_ = 0;
    uint64_t spent_ = 0;
    uint64_t most_ = 0;
    int walks_ = 0;
    uint32_t busy_ms_ = 0, waited_ms_ = 0;
    bool opening_ = false;
    bool is_on_disk_ = false;  // and not in a test's memory
    FileIdentity file_, log_;
};

class Walk {
public:
    explicit Walk(SqliteFile &file) : file_(&file) { file.begin_walk(); }
    ~Walk() { file_->end_walk(); }
    Walk(const Walk &) = delete;
    Walk &operator=(const Walk &) = delete;

private:
    SqliteFile *file_;
};

// One use of a statement: bound in order, stepped, reset at the end. The first code that is none of SQLITE_OK, ROW and DONE stays.
class Query {
public:
    Query(SqliteFile &file, Sql which) : file_(&file), walk_(file), statement_(file.statement(which, code_)) {}
    ~Query() {
        if (statement_) sqlite3_reset(statement_);
    }
    Query(const Query &) = delete;
    Query &operator=(const Query &) = delete;

    Query &number(uint64_t value) {
        if (statement_) note(sqlite3_bind_int64(statement_, ++bound_, static_cast<int64_t>(value)));
        return *this;
    }
    // Borrowed until the end of the query.
    Query &bytes(std::string_view value) {
        const char *data = value.empty() ? "" : value.data();
        if (statement_) note(sqlite3_bind_blob64(statement_, ++bound_, data, value.size(), SQLITE_STATIC));
        return *this;
    }

    bool row() {  // is there another?
        if (!statement_ || code_ != SQLITE_OK) return false;
        int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) code_ = code;
        return false;
    }
    Status run() {
        row();
        return status();
    }
    Status status() const { return code_ == SQLITE_OK ? Status{} : file_->failure(code_); }

    bool is_at_row() const { return statement_ && sqlite3_data_count(statement_) > 0; }
    uint64_t number_at(int column) { return static_cast<uint64_t>(sqlite3_column_int64(statement_, column)); }
    // A view until the next row. Bytes for which there was no memory are NULL, and of a length that says so: see missing().
    std::string_view bytes_at(int column) {
        const void *data = sqlite3_column_blob(statement_, column);
        int len = sqlite3_column_bytes(statement_, column);
        if (!data && sqlite3_errcode(sqlite3_db_handle(statement_)) == SQLITE_NOMEM) code_ = SQLITE_NOMEM;
        if (!file_->spend(static_cast<uint64_t>(len))) note(SQLITE_INTERRUPT);
        return {static_cast<const char *>(data), data ? static_cast<size_t>(len) : 0};
    }

private:
    void note(int code) {
        if (code_ == SQLITE_OK) code_ = code;
    }

    SqliteFile *file_;
    Walk walk_;
    int code_ = SQLITE_OK;
    int bound_ = 0;
    sqlite3_stmt *statement_;
};

// A transaction that is taken back unless it was committed.
class Transaction {
public:
    explicit Transaction(SqliteFile &file) : file_(&file) {}
    ~Transaction() {
        if (open_) roll_back();
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    // kBeginRead: what is read until the end is of one moment.
    Status begin(Sql how = Sql::kBegin) {
        roll_back();  // what could not be, for want of memory
        int code = file_->run(how);
        open_ = code == SQLITE_OK;
        return file_->failure(code);
    }
    Status commit() {
        int code = file_->run(Sql::kCommit);
        open_ = code != SQLITE_OK;
        return file_->failure(code);
    }

private:
    void roll_back() {
        if (!sqlite3_get_autocommit(file_->db())) file_->run(Sql::kRollback);
    }

    SqliteFile *file_;
    bool open_ = false;
};

}  // namespace accp

namespace accp {

constexpr const char *kBroken = "an earlier write failed: the store must be opened anew";
constexpr const char *kMoved = "the file of the store, or its log, was removed or replaced while it was open: open it anew";
constexpr const char *kHeldMissing = "blobs or grants are missing";
constexpr uint64_t kMostWriters = uint64_t{1} << 32;  // that one session ever had: its fence counts them, from anywhere
constexpr int kIdColumn = 10;                         // of what find_session() reads
constexpr int kBlobSumColumn = 4;
constexpr int kGrantSumColumn = 3;
constexpr const char *kMidsDamaged = "the index of mids is damaged";

class SqliteBackend final : public Backend {
public:
    explicit SqliteBackend(Memory &memory) : memory_(&memory), words_(memory), filters_(memory) {}

    Status open(const StorePlace &place, const char *path);

    Status open_session(std::string_view id, bool writes, SessionRow &out) override;
    Status write(CommitQueue &queue) override;

    Status state(const OpenSession &session, Buffer<char> &out) override;
    Status scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes,
                StoreRecords &out) override;
    Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) override;
    Status check(OpenSession &session, bool fresh, SessionRow &now) override;
    Status read_tail(OpenSession &session) override;
    Status has_mid(OpenSession &session, uint64_t word, bool &out) override;
    Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row, Buffer<char> *out) override;

    Status prune(const PrunePolicy &policy, uint64_t &pruned) override;
    Status verify(void (*report)(const Damage &damage, void *user), void *user) override;
    Status stats(StoreStats &out) override;
    Status next_session(uint64_t &after, Buffer<char> &out) override;
    Status export_session(std::string_view id, SessionSink &sink) override;
    Status erase_session(std::string_view id) override;

private:
    friend class SqliteVerifier;

    Status export_rows(std::string_view id, SessionSink &sink);

    // sqlite_backend.cc
    Status make_session(std::string_view id, SessionRow &row);

    // sqlite_write.cc
    Status note_failure(const Status &status);
    static SessionRow next_row(const OpenSession &session);
    Status set_level(bool full);
    Status may_write();
    Status may_be_written();
    Status write_group(CommitQueue &queue);
    Status check_fence(OpenSession &session);
    void note_version();
    Status look_at(OpenSession &session, SessionRow &row);
    Status write_commit(const CommitQueue::Commit &commit);
    Status write_op(OpenSession &session, const StoreOp &op, std::string_view mids);
    Status write_session(OpenSession &session, const CommitQueue &queue);
    Status write_row(const SessionRow &row);
    void checkpoint();

    // sqlite_prune.cc
    void end_grants(const Shared &wanted, uint64_t number, const OpenSession &grantee);
    Status forget_sum(OpenSession &session, const StoreOp &op);
    Status forget_sums(Query &query, uint64_t &count);

    // sqlite_read.cc: each checks what it reads
    uint64_t sum_of(const SessionRow &row) const;
    Status find_session(Query &query, SessionRow &out);
    Status find_next(Query &query, SessionRow &row);
    Status read_record(Query &query, uint64_t number, uint64_t seq, std::string_view &mids, std::string_view &bytes);
    Status read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key, std::string_view &bytes);
    Status find_grant(const Shared &wanted, const OpenSession &grantee, uint64_t &number, bool &ended);
    Status read_grant(Query &query, uint64_t number, std::string_view &grantee, std::string_view &prefix, uint64_t &expires);

    // sqlite_mids.cc
    Status read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first, uint64_t &next, std::string_view &words);
    Status index_tail(OpenSession &session);
    Status write_run(uint64_t number, uint64_t run);  // of words_, sorted
    Status find_in_run(uint64_t number, uint64_t run, uint64_t word, bool &found);
    Status append_run(uint64_t number, uint64_t run, Buffer<uint64_t> &out);
    Status merge_runs(uint64_t number, uint64_t level, uint64_t into);
    Status read_mids(const SessionRow &row, Buffer<uint64_t> &out);
    Status read_index(const SessionRow &row, Buffer<uint64_t> &out);
    Status read_tail_of(const SessionRow &row, uint64_t last, Buffer<uint64_t> &out);
    template <class Visit>
    Status each_run(const SessionRow &row, Visit visit);

    // Adds up what the session's blobs, or grants, add to its sum. visit(status, …) is told of each, or why it cannot be read, and answers whether to go on.
    template <class Visit>
    Status each_blob(uint64_t number, uint64_t &held, Visit visit) {
        Query query(file_, Sql::kBlobs);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            BlobRow row;
            std::string_view key, bytes;
            held += query.number_at(kBlobSumColumn);
            status = read_blob(query, number, row, key, bytes);
            status = visit(status, key, row, bytes);
        }
        return status.ok() ? query.status() : status;
    }
    template <class Visit>
    Status each_grant(uint64_t number, uint64_t &held, Visit visit) {
        Query query(file_, Sql::kGrants);
        query.number(number);
        Status status;
        while (status.ok() && query.row()) {
            std::string_view grantee, prefix;
            uint64_t expires = 0;
            held += query.number_at(kGrantSumColumn);
            status = read_grant(query, number, grantee, prefix, expires);
            status = visit(status, grantee, prefix, expires);
        }
        return status.ok() ? query.status() : status;
    }

    Memory *memory_;
    SqliteFile file_;
    Buffer<uint64_t> words_;
    MidFilters filters_;
    int most_wal_pages_ = 0;
    uint64_t epoch_ = 1;         // of rows: a new one when somebody else may have changed them
    uint32_t data_version_ = 0;  // of the file, as this connection saw it last
    bool writes_ = true;
    bool wants_full_ = true;
    bool is_full_ = true;  // as the connection stands
    bool broken_ = false;  // a write failed in a way that leaves open what is on the disk
};

inline uint64_t place_of(uint64_t number, uint64_t seq) { return number << 40 | seq; }

}  // namespace accp


// What a store holds behind its lock, and how its files share the work.



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

Status open_sqlite_backend(Memory &memory, const StorePlace &place, Backend *&out) {
    constexpr std::string_view kScheme = "sqlite:";
    if (!place.name.starts_with(kScheme)) return fail(ACCP_ERR_ARG, 0, "a store is memory: or sqlite:PATH");
    std::string_view path = place.name.substr(kScheme.size());
    if (path.empty() || path.front() == ':' || path.find('\0') != path.npos)
        return fail(ACCP_ERR_ARG, kScheme.size(), "not the path of a file");
    Buffer<char> text(memory);
    text.append(path.data(), path.size());
    text.push('\0');
    struct Holder {
        Memory &memory;
        SqliteBackend *backend;
        ~Holder() { end_backend(memory, backend); }
    } holder = {memory, make_backend<SqliteBackend>(memory)};
    Status status = holder.backend->open(place, text.data());
    if (status.failed()) return status;
    out = holder.backend;
    holder.backend = nullptr;
    return {};
}

Status SqliteBackend::open(const StorePlace &place, const char *path) {
    writes_ = place.writes;
    most_wal_pages_ = place.wal_pages;
    wants_full_ = is_full_ = place.durability == Durability::kFull;
    return file_.open(*memory_, place, path);
}

// A new fence is written, but not waited for: after a power failure there is no older writer that it would have to hold off.
Status SqliteBackend::open_session(std::string_view id, bool writes, SessionRow &out) {
    if (!writes) {
        Query query(file_, Sql::kSessionById);
        return find_session(query.bytes(id), out);
    }
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = may_be_written();
    if (status.ok()) status = set_level(false);
    if (status.failed()) return status;
    ++epoch_;
    Transaction transaction(file_);
    status = transaction.begin();
    if (status.failed()) return status;
    SessionRow row;
    {
        Query query(file_, Sql::kSessionById);
        status = find_session(query.bytes(id), row);
    }
    if (status.code == ACCP_E2001) {
        status = make_session(id, row);
    } else if (status.ok()) {
        ++row.fence;
        status = write_row(row);
    }
    if (status.ok()) status = transaction.commit();
    if (status.ok()) out = row;
    return note_failure(status);
}

Status SqliteBackend::make_session(std::string_view id, SessionRow &row) {
    Query there(file_, Sql::kSessionById);
    Status status = find_session(there.bytes(id), row);
    if (status.code != ACCP_E2001) return status.failed() ? status : fail(ACCP_ERR_BUSY, 0, kIsThere);
    Query newest(file_, Sql::kSessionNewest);
    row = {};
    if (newest.row()) row.number = newest.number_at(0) + 1;
    if (newest.status().failed()) return newest.status();
    if (row.number > kMostSessions) return fail(ACCP_ERR_ARG, 0, "the store is full: it has 8,388,607 sessions");
    row.fence = random_seed() >> 2;  // one that no erased session of this number had
    Query make(file_, Sql::kSessionMake);
    make.number(row.number).number(row.fence).number(row.version).number(row.last).number(row.generation).number(row.floor);
    make.number(row.runs).number(row.indexed).number(row.held).number(sum_of(row)).bytes(id);
    return make.number(static_cast<uint64_t>(file_.sum({row.number}, id))).run();
}

Status SqliteBackend::next_session(uint64_t &after, Buffer<char> &out) {
    SessionRow row;
    row.number = after;
    Query query(file_, Sql::kSessionAfter);
    Status status = find_next(query, row);
    if (status.failed()) return status;
    std::string_view id = query.bytes_at(kIdColumn);
    out.clear();
    out.append(id.data(), id.size());
    after = row.number;
    return query.status();
}

// Of one moment, whoever writes meanwhile.
Status SqliteBackend::export_session(std::string_view id, SessionSink &sink) {
    Transaction moment(file_);
    Status status = moment.begin(Sql::kBeginRead);
    return status.ok() ? export_rows(id, sink) : status;
}

Status SqliteBackend::export_rows(std::string_view id, SessionSink &sink) {
    OpenSession session(*memory_, {}, false);
    SessionRow &row = session.row;
    Status status;
    {
        Query query(file_, Sql::kSessionById);
        status = find_session(query.bytes(id), row);
    }
    Buffer<char> bytes(*memory_);
    if (status.ok()) status = state(session, bytes);
    if (status.ok()) status = sink.row(id, row, {bytes.data(), bytes.size()});
    if (status.ok() && row.last) {
        Query query(file_, Sql::kRecords);
        query.number(place_of(row.number, 1)).number(place_of(row.number, row.last));
        std::string_view mids, record;
        for (uint64_t seq = 1; status.ok() && seq <= row.last; ++seq) {
            status = read_record(query, row.number, seq, mids, record);
            if (status.ok()) status = sink.record(seq, record);
        }
    }
    uint64_t held = 0;
    if (status.ok())
        status = each_blob(row.number, held, [&](const Status &read, std::string_view key, const BlobRow &blob, std::string_view content) {
            return read.ok() ? sink.blob(key, blob, content) : read;
        });
    if (status.ok())
        status = each_grant(row.number, held, [&](const Status &read, std::string_view grantee, std::string_view prefix, uint64_t expires) {
            return read.ok() ? sink.grant(grantee, prefix, expires) : read;
        });
    if (status.ok() && held != row.held) status = fail(ACCP_ERR_CORRUPT, 0, kHeldMissing);
    Buffer<uint64_t> words(*memory_);
    if (status.ok()) status = read_mids(row, words);
    for (size_t i = 0; status.ok() && i < words.size(); ++i) status = sink.mid(words[i]);
    return status;
}

Status SqliteBackend::stats(StoreStats &out) {
    Transaction moment(file_);
    Status status = moment.begin(Sql::kBeginRead);
    if (status.failed()) return status;
    Query sessions(file_, Sql::kCountSessions), records(file_, Sql::kCountRecords), blobs(file_, Sql::kCountBlobs),
        mids(file_, Sql::kCountMids), grants(file_, Sql::kCountGrants);
    for (Query *query : {&sessions, &records, &blobs, &mids, &grants})
        if (!query->row()) return query->status();
    out = {sessions.number_at(0), records.number_at(0),  records.number_at(1), blobs.number_at(0),
           blobs.number_at(1),    mids.number_at(0) / 8, grants.number_at(0)};
    return {};
}

}  // namespace accp

// store/sqlite_file.cc

// See sqlite_file.h: opening, statements, and what SQLite answers.



namespace accp {

// Readies our copy of SQLite, once a process. A code of SQLite.
int set_up_sqlite();

}  // namespace accp

namespace accp {

namespace {

constexpr int kStepsATick = 100'000;         // of SQLite's virtual machine, some milliseconds
constexpr uint64_t kFreeEffort = 1'000'000;  // of a walk, and what it may take more for each byte of the file: verifying takes about two
constexpr uint64_t kEffortAByte = 16;

constexpr const char *kStatements[] = {
#define SQLITE_STATEMENT(name, sql) sql,
/* The statements of the SQLite backend: SQLITE_STATEMENT(name, sql). place is a session's number << 40 | sequence. */
#define SESSION_COLUMNS "number, fence, version, last, generation, floor, runs, indexed, held, sum"
SQLITE_STATEMENT(kBegin, "BEGIN IMMEDIATE")
SQLITE_STATEMENT(kBeginRead, "BEGIN")
SQLITE_STATEMENT(kCommit, "COMMIT")
SQLITE_STATEMENT(kRollback, "ROLLBACK")

SQLITE_STATEMENT(kSessionById, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE id = ?")
SQLITE_STATEMENT(kSessionByNumber, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE number = ?")
SQLITE_STATEMENT(kSessionAfter, "SELECT " SESSION_COLUMNS ", id, id_sum FROM session WHERE number > ? ORDER BY number LIMIT 1")
SQLITE_STATEMENT(kSessionNewest, "SELECT max(number) FROM session")
SQLITE_STATEMENT(kSessionMake, "INSERT INTO session (" SESSION_COLUMNS ", id, id_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kSessionSet, "UPDATE session SET fence = ?, version = ?, last = ?, generation = ?, floor = ?, runs = ?, indexed = ?, held = ?, sum = ? WHERE number = ?")

SQLITE_STATEMENT(kStateGet, "SELECT version, sum, bytes FROM state WHERE session = ?")
SQLITE_STATEMENT(kStatePut, "REPLACE INTO state (session, version, sum, bytes) VALUES (?, ?, ?, ?)")

SQLITE_STATEMENT(kRecordPut, "INSERT INTO log (place, sum, mids, bytes) VALUES (?, ?, ?, ?)")
SQLITE_STATEMENT(kRecords, "SELECT place, sum, mids, bytes FROM log WHERE place BETWEEN ? AND ? ORDER BY place")
SQLITE_STATEMENT(kRecordsBack, "SELECT place, sum, mids, bytes FROM log WHERE place BETWEEN ? AND ? ORDER BY place DESC")

SQLITE_STATEMENT(kBlobGet, "SELECT tier, key, expires, generation, sum, bytes FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobs, "SELECT tier, key, expires, generation, sum, bytes FROM blob WHERE session = ? ORDER BY tier, key")
SQLITE_STATEMENT(kBlobSum, "SELECT sum FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobPut, "REPLACE INTO blob (session, tier, key, expires, generation, sum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kBlobErase, "DELETE FROM blob WHERE session = ? AND tier = ? AND key = ?")
SQLITE_STATEMENT(kBlobExpire, "DELETE FROM blob WHERE expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kBlobPrune, "DELETE FROM blob WHERE session = ? AND generation > 0 AND generation < ? RETURNING session, sum")

SQLITE_STATEMENT(kMidPut, "INSERT INTO mid (session, run, first, next, sum, words) VALUES (?, ?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kMidFind, "SELECT first, next, sum, words FROM mid WHERE session = ? AND run = ? AND first <= ? ORDER BY first DESC LIMIT 1")
SQLITE_STATEMENT(kMidRun, "SELECT first, next, sum, words FROM mid WHERE session = ? AND run = ? ORDER BY first")
SQLITE_STATEMENT(kMidErase, "DELETE FROM mid WHERE session = ? AND run = ?")

SQLITE_STATEMENT(kGrantSum, "SELECT sum FROM permit WHERE session = ? AND grantee = ? AND prefix = ?")
SQLITE_STATEMENT(kGrantPut, "REPLACE INTO permit (session, grantee, prefix, expires, sum) VALUES (?, ?, ?, ?, ?)")
SQLITE_STATEMENT(kGrantErase, "DELETE FROM permit WHERE session = ? AND grantee = ? AND prefix = ?")
SQLITE_STATEMENT(kGrantEnd, "DELETE FROM permit WHERE session = ? AND grantee = ? AND expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kGrantsOf, "DELETE FROM permit WHERE grantee = ? RETURNING session, sum")
SQLITE_STATEMENT(kGrantExpire, "DELETE FROM permit WHERE expires > 0 AND expires <= ? RETURNING session, sum")
SQLITE_STATEMENT(kGrants, "SELECT grantee, prefix, expires, sum FROM permit WHERE session = ? ORDER BY grantee, prefix")
SQLITE_STATEMENT(kGrantsTo, "SELECT grantee, prefix, expires, sum FROM permit WHERE session = ? AND grantee = ?")

/* Of a column, as count(*) is one step of SQLite, however long it takes. */
SQLITE_STATEMENT(kCountRecords, "SELECT count(*), ifnull(sum(length(bytes)), 0) FROM log")
SQLITE_STATEMENT(kCountBlobs, "SELECT count(*), ifnull(sum(length(bytes)), 0) FROM blob")
SQLITE_STATEMENT(kCountGrants, "SELECT count(sum) FROM permit")
SQLITE_STATEMENT(kCountSessions, "SELECT count(sum) FROM session")
SQLITE_STATEMENT(kCountMids, "SELECT (SELECT ifnull(sum(length(words)), 0) FROM mid) + (SELECT ifnull(sum(length(mids)), 0) FROM log JOIN session"
    " ON number = place >> 40 WHERE length(mids) > 0 AND place > (number << 40) + indexed)")

SQLITE_STATEMENT(kSchema, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'")
SQLITE_STATEMENT(kIntegrity, "PRAGMA integrity_check(64)")
SQLITE_STATEMENT(kOrphans, "SELECT EXISTS (SELECT 1 FROM state WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM log WHERE place >> 40 NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM blob WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM mid WHERE session NOT IN (SELECT number FROM session))"
    " OR EXISTS (SELECT 1 FROM permit WHERE session NOT IN (SELECT number FROM session))")

SQLITE_STATEMENT(kEraseSession, "DELETE FROM session WHERE number = ?")
SQLITE_STATEMENT(kEraseState, "DELETE FROM state WHERE session = ?")
SQLITE_STATEMENT(kEraseLog, "DELETE FROM log WHERE place BETWEEN ?1 << 40 AND ((?1 + 1) << 40) - 1")
SQLITE_STATEMENT(kEraseBlobs, "DELETE FROM blob WHERE session = ?")
SQLITE_STATEMENT(kEraseMids, "DELETE FROM mid WHERE session = ?")
SQLITE_STATEMENT(kEraseGrants, "DELETE FROM permit WHERE session = ?")
#undef SESSION_COLUMNS
#undef SQLITE_STATEMENT
};

int count_pages(void *file, sqlite3 *, const char *, int pages) {
    static_cast<SqliteFile *>(file)->wal_pages = pages;
    return SQLITE_OK;
}

int wait_again(void *file, int calls) { return static_cast<SqliteFile *>(file)->wait(calls == 0); }

int count_steps(void *file) { return !static_cast<SqliteFile *>(file)->spend(kStepsATick); }

uint64_t size_of(sqlite3 *db, int which) {
    sqlite3_file *file = nullptr;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    return file->pMethods->xFileSize(file, &size) == SQLITE_OK ? static_cast<uint64_t>(size) : 0;
}

// What the operating system said last of one of the files that are open.
int errno_of(sqlite3 *db, int which) {
    sqlite3_file *file = nullptr;
    int error = 0;
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error;
}

// SQLite takes only ENOSPC for a full disk. A quota that is used up, and a limit on the size of files, are the same to whoever writes.
bool is_full(sqlite3 *db, int code) {
    if (code != SQLITE_IOERR_WRITE) return false;
    for (int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER})
        if (int error = errno_of(db, which); error == EDQUOT || error == EFBIG) return true;
    return false;
}

}  // namespace

void SqliteFile::measure() {
    most_ = kFreeEffort + kEffortAByte * (size_of(db_, SQLITE_FCNTL_FILE_POINTER) + size_of(db_, SQLITE_FCNTL_JOURNAL_POINTER));
}

Status SqliteFile::failure(int code) {
    if (code == SQLITE_IOERR_NOMEM) code = SQLITE_NOMEM;
    if (code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA) code = SQLITE_CORRUPT;
    switch (code & 0xFF) {
        case SQLITE_OK: return {};
        case SQLITE_NOMEM: return fail(ACCP_ERR_NOMEM, 0, "out of memory");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL: return fail(ACCP_ERR_BUSY, 0, "another process is writing to the store");
        case SQLITE_FULL: return fail(ACCP_ERR_IO, 0, kDiskFull);
        case SQLITE_CORRUPT: return fail(ACCP_ERR_CORRUPT, 0, "the file of the store is damaged");
        case SQLITE_NOTADB: return fail(ACCP_ERR_CORRUPT, 0, "not a store, or its header is damaged");
        case SQLITE_CANTOPEN: return fail(ACCP_ERR_IO, 0, "the file cannot be opened");
        case SQLITE_READONLY:
        case SQLITE_PERM: return fail(ACCP_ERR_IO, 0, "the file may not be written");
        case SQLITE_INTERRUPT: return fail(ACCP_ERR_CORRUPT, 0, "the file of the store is damaged: the same pages come again and again");
        case SQLITE_IOERR:
            if (is_full(db_, code)) return fail(ACCP_ERR_IO, 0, kDiskFull);
            return fail(ACCP_ERR_IO, 0, "reading or writing the file failed");
        case SQLITE_TOOBIG: return fail(ACCP_ERR_ARG, 0, "more than a row can hold");
        default: return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    }
}

SqliteFile::~SqliteFile() { close(); }

void SqliteFile::close() {
    for (sqlite3_stmt *&statement : statements_) {
        sqlite3_finalize(statement);
        statement = nullptr;
    }
    sqlite3_close(db_);
    db_ = nullptr;
}

int SqliteFile::run(Sql which) {
    Walk walk(*this);
    int code = SQLITE_OK;
    sqlite3_stmt *it = statement(which, code);
    if (!it) return code;
    code = sqlite3_step(it);
    int reset = sqlite3_reset(it);
    return code == SQLITE_DONE ? reset : code;
}

sqlite3_stmt *SqliteFile::statement(Sql which, int &code) {
    sqlite3_stmt *&it = statements_[static_cast<int>(which)];
    if (!it) code = sqlite3_prepare_v3(db_, kStatements[static_cast<int>(which)], -1, SQLITE_PREPARE_PERSISTENT, &it, nullptr);
    return it;
}

int64_t SqliteFile::sum(std::initializer_list<uint64_t> numbers, std::string_view a, std::string_view b) const {
    uint64_t sum = seeded_hash(reinterpret_cast<const char *>(numbers.begin()), numbers.size() * sizeof(uint64_t), seed_);
    sum = seeded_hash(a.data(), a.size(), sum);
    return static_cast<int64_t>(seeded_hash(b.data(), b.size(), sum));
}

int64_t SqliteFile::number_of(const char *sql, int &code) {
    if (code != SQLITE_OK) return 0;
    sqlite3_stmt *it = nullptr;
    code = sqlite3_prepare_v2(db_, sql, -1, &it, nullptr);
    if (code == SQLITE_OK) code = sqlite3_step(it);
    int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(it, 0) : 0;
    if (code == SQLITE_ROW || code == SQLITE_DONE) code = SQLITE_OK;
    sqlite3_finalize(it);
    return number;
}

Status SqliteFile::begin(const StorePlace &place) {
    int code =
        run("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF; PRAGMA cache_size = -16000;"
            "PRAGMA journal_size_limit = 67108864");
    if (code == SQLITE_OK) code = run(place.durability == Durability::kFull ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    return failure(code);
}

Status SqliteFile::open(Memory &memory, const StorePlace &place, const char *path) {
    int code = set_up_sqlite();
    if (code != SQLITE_OK) return failure(code);
    is_on_disk_ = !place.vfs;
    int flags = SQLITE_OPEN_READWRITE;
    if (place.create && place.writes) flags |= SQLITE_OPEN_CREATE;
    Status status = open_at(place, path, flags);
    if (status.code == ACCP_ERR_IO && is_on_disk_ && is_in_fixed_directory(path)) return open_fixed(memory, place, path);
    if (status.failed() || !is_on_disk_) return status;
    file_.look(path);
    if (place.writes) log_.look(sqlite3_filename_wal(sqlite3_db_filename(db_, "main")));
    return status;
}

// A store writes a log and shared memory beside itself. To be read it needs neither, where nothing is left in the log and nobody writes.
Status SqliteFile::open_fixed(Memory &memory, const StorePlace &place, const char *path) {
    if (place.writes) return fail(ACCP_ERR_IO, 0, "the directory cannot be written: a store makes files beside itself");
    Buffer<char> text(memory);
    text.append(path, std::strlen(path));
    text.append("-wal", sizeof "-wal");
    FileIdentity log;
    log.look(text.data());
    if (log.size())
        return fail(ACCP_ERR_IO, 0,
                    "the directory cannot be written, and the newest of the store is in its -wal: open it once where it can be");
    close();
    text.clear();
    write_immutable(path, text);
    return open_at(place, text.data(), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

bool SqliteFile::is_moved() const {
    if (!is_on_disk_) return false;
    const char *name = sqlite3_db_filename(db_, "main");
    return !file_.is_there_still(name) || !log_.is_there_still(sqlite3_filename_wal(name));
}

Status SqliteFile::open_at(const StorePlace &place, const char *path, int flags) {
    static std::mutex one_at_a_time;  // closing a file drops the locks of everybody in the process
    int code = SQLITE_OK;
    {
        std::lock_guard<std::mutex> held(one_at_a_time);
        Status status = is_on_disk_ && !(flags & SQLITE_OPEN_URI) ? claim_file(path, flags & SQLITE_OPEN_CREATE) : Status{};
        if (status.failed()) return status;
        code = sqlite3_open_v2(path, &db_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE, place.vfs);
    }
    if (code != SQLITE_OK) return failure(code);
    busy_ms_ = place.busy_ms;
    sqlite3_busy_handler(db_, wait_again, this);
    sqlite3_wal_hook(db_, count_pages, this);
    sqlite3_progress_handler(db_, kStepsATick, count_steps, this);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Two that make a file at once may stop each other, and SQLite does not wait where it sees that: who is behind looks again.
    Status status;
    opening_ = true;
    do status = bring_up(place);
    while (status.code == ACCP_ERR_BUSY && wait(false));
    opening_ = false;
    return status;
}

// For another process. Opening has one time for all that it waits for.
bool SqliteFile::wait(bool is_first) {
    if (is_first && !opening_) waited_ms_ = 0;
    if (waited_ms_ >= busy_ms_) return false;
    waited_ms_ += static_cast<uint32_t>(sqlite3_sleep(waited_ms_ < 20 ? 1 : 10));
    return true;
}

}  // namespace accp

// store/sqlite_mids.cc

// See sqlite_backend.h: the index of mids. The count of runs that a session's index was made from says which there are: n % 16 of level 0, n / 16 % 16
// of level 1, each merged from sixteen of those, and n / 256 of level 2, which stay.


namespace accp {

namespace {

constexpr uint64_t kFan = 16;
constexpr uint64_t kTopLevel = 2;
constexpr size_t kRowWords = 120;             // four rows of these make a page
constexpr uint64_t kFilteredRuns = 4;         // with fewer, looking is as quick
constexpr uint64_t kEnd = uint64_t{1} << 63;  // words are below it

uint64_t run_of(uint64_t level, uint64_t i) { return level << 32 | i; }

uint64_t word_at(std::string_view words, size_t i) {
    uint64_t word;
    std::memcpy(&word, words.data() + i * sizeof word, sizeof word);
    return word;
}

void append_words(std::string_view words, Buffer<uint64_t> &out) {
    if (words.empty()) return;
    std::memcpy(out.room(words.size() / 8), words.data(), words.size());
    out.advance(words.size() / 8);
}

void sort_words(Buffer<uint64_t> &words) {
    std::sort(words.data(), words.end());
    words.set_end(std::unique(words.data(), words.end()));
}

}  // namespace

// visit(run): Status, for each run of the session.
template <class Visit>
Status SqliteBackend::each_run(const SessionRow &row, Visit visit) {
    uint64_t below = row.runs;
    for (uint64_t level = 0; level <= kTopLevel; ++level) {
        uint64_t count = level == kTopLevel ? below : below % kFan;
        for (uint64_t i = 0; i < count; ++i) {
            Status status = visit(run_of(level, i));
            if (status.failed()) return status;
        }
        below /= kFan;
    }
    return {};
}

Status SqliteBackend::read_words(Query &query, uint64_t number, uint64_t run, uint64_t &first, uint64_t &next, std::string_view &words) {
    first = query.number_at(0);
    next = query.number_at(1);
    words = query.bytes_at(3);
    if (query.status().failed()) return query.status();
    bool right = query.number_at(2) == static_cast<uint64_t>(file_.sum({number, run, first, next}, words)) && words.size() % 8 == 0;
    return right ? Status{} : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
}

Status SqliteBackend::find_in_run(uint64_t number, uint64_t run, uint64_t word, bool &found) {
    Query query(file_, Sql::kMidFind);
    query.number(number).number(run).number(word);
    if (!query.row()) return query.status().failed() ? query.status() : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
    uint64_t first = 0, next = 0;
    std::string_view words;
    Status status = read_words(query, number, run, first, next, words);
    if (status.failed()) return status;
    if (word >= next) return fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
    size_t low = 0, high = words.size() / 8;
    while (low < high) {
        size_t middle = (low + high) / 2;
        (word_at(words, middle) < word ? low : high) = word_at(words, middle) < word ? middle + 1 : middle;
    }
    found = low < words.size() / 8 && word_at(words, low) == word;
    return {};
}

Status SqliteBackend::has_mid(OpenSession &session, uint64_t word, bool &out) {
    bool found = false;
    const SessionRow &row = session.row;
    if (row.runs >= kFilteredRuns && !filters_.has(row)) {
        words_.clear();
        Status status = read_index(row, words_);
        if (status.failed()) return status;
        filters_.make(row, words_);
        words_.recycle(kKeptBytes);
    }
    out = false;
    if (row.runs >= kFilteredRuns && !filters_.may_have(row, word)) return {};
    Status status = each_run(row, [&](uint64_t run) { return found ? Status{} : find_in_run(row.number, run, word, found); });
    out = found;
    return status;
}

Status SqliteBackend::read_tail_of(const SessionRow &row, uint64_t last, Buffer<uint64_t> &out) {
    if (row.indexed >= last) return {};
    Query query(file_, Sql::kRecords);
    query.number(place_of(row.number, row.indexed + 1)).number(place_of(row.number, last));
    for (uint64_t seq = row.indexed + 1; seq <= last; ++seq) {
        std::string_view mids, bytes;
        Status status = read_record(query, row.number, seq, mids, bytes);
        if (status.failed()) return status;
        append_words(mids, out);
    }
    return {};
}

Status SqliteBackend::read_tail(OpenSession &session) {
    size_t had = session.tail.size();
    Status status = read_tail_of(session.row, session.written, session.tail);
    if (status.failed()) session.tail.resize_down(had);
    return status;
}

// words_ as a run: rows that cover 0 … kEnd.
Status SqliteBackend::write_run(uint64_t number, uint64_t run) {
    Status status;
    uint64_t first = 0;
    for (size_t at = 0; status.ok() && at < words_.size(); at += kRowWords) {
        size_t count = std::min(kRowWords, words_.size() - at);
        uint64_t next = at + count < words_.size() ? words_[at + count] : kEnd - 1;
        std::string_view words = {reinterpret_cast<const char *>(words_.data() + at), count * 8};
        Query query(file_, Sql::kMidPut);
        query.number(number).number(run).number(first).number(next);
        status = query.number(static_cast<uint64_t>(file_.sum({number, run, first, next}, words))).bytes(words).run();
        first = next;
    }
    return status;
}

Status SqliteBackend::append_run(uint64_t number, uint64_t run, Buffer<uint64_t> &out) {
    Query query(file_, Sql::kMidRun);
    query.number(number).number(run);
    uint64_t expected = 0, first = 0, next = 0;
    while (expected != kEnd - 1) {
        std::string_view words;
        if (!query.row()) return query.status().failed() ? query.status() : fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
        Status status = read_words(query, number, run, first, next, words);
        if (status.failed()) return status;
        if (first != expected || next <= first) return fail(ACCP_ERR_CORRUPT, 0, kMidsDamaged);
        append_words(words, out);
        expected = next;
    }
    return {};
}

// Runs 0 … 15 of a level become one of the next.
Status SqliteBackend::merge_runs(uint64_t number, uint64_t level, uint64_t into) {
    words_.clear();
    Status status;
    for (uint64_t i = 0; status.ok() && i < kFan; ++i) {
        status = append_run(number, run_of(level, i), words_);
        if (status.failed()) break;
        Query query(file_, Sql::kMidErase);
        status = query.number(number).number(run_of(level, i)).run();
    }
    if (status.failed()) return status;
    sort_words(words_);
    return write_run(number, into);
}

Status SqliteBackend::index_tail(OpenSession &session) {
    uint64_t number = session.row.number, made = session.row.runs + 1;
    words_.clear();
    words_.append(session.tail.data(), session.tail.size());
    sort_words(words_);
    Status status = write_run(number, run_of(0, session.row.runs % kFan));
    if (status.ok() && made % kFan == 0) status = merge_runs(number, 0, run_of(1, (made / kFan - 1) % kFan));
    if (status.ok() && made % (kFan * kFan) == 0) status = merge_runs(number, 1, run_of(2, made / (kFan * kFan) - 1));
    words_.recycle(kKeptBytes);
    return status;
}

Status SqliteBackend::read_index(const SessionRow &row, Buffer<uint64_t> &out) {
    return each_run(row, [&](uint64_t run) { return append_run(row.number, run, out); });
}

Status SqliteBackend::read_mids(const SessionRow &row, Buffer<uint64_t> &out) {
    out.clear();
    Status status = read_index(row, out);
    if (status.ok()) status = read_tail_of(row, row.last, out);
    if (status.ok()) sort_words(out);
    return status;
}

}  // namespace accp

// store/sqlite_prune.cc

// See sqlite_backend.h: what goes: rows that are replaced, sessions that are erased, what has expired.

namespace accp {

// Takes what a blob or a grant adds to the session's sum out of it, before it is replaced or goes.
Status SqliteBackend::forget_sum(OpenSession &session, const StoreOp &op) {
    bool is_blob = op.kind == StoreOp::kPut || op.kind == StoreOp::kErase;
    if (!is_blob && op.kind != StoreOp::kGrant && op.kind != StoreOp::kRevoke) return {};
    Query query(file_, is_blob ? Sql::kBlobSum : Sql::kGrantSum);
    query.number(session.row.number);
    if (is_blob) query.number(static_cast<uint64_t>(op.tier)).bytes(op.key());
    else query.bytes(op.bytes()).bytes(op.key());
    if (query.row()) session.held -= query.number_at(0);
    return query.status();
}

// The same for rows that a statement has taken out, of any session.
Status SqliteBackend::forget_sums(Query &query, uint64_t &count) {
    Status status;
    for (; status.ok() && query.row(); ++count) {
        SessionRow row;
        Query find(file_, Sql::kSessionByNumber);
        status = find_session(find.number(query.number_at(0)), row);
        row.held -= query.number_at(1);
        if (status.ok()) status = write_row(row);
    }
    return status.ok() ? query.status() : status;
}

// The grants of a session to another that have expired go once that was seen: a clock that goes back does not bring them back. Where they cannot be
// taken out (another process writes, the store is only read) the next who looks does it.
void SqliteBackend::end_grants(const Shared &wanted, uint64_t number, const OpenSession &grantee) {
    if (!writes_ || broken_) return;
    Transaction transaction(file_);
    Status status = transaction.begin();
    SessionRow row;
    uint64_t count = 0;
    {
        Query by_number(file_, Sql::kSessionByNumber), query(file_, Sql::kGrantEnd);
        if (status.ok()) status = find_session(by_number.number(grantee.row.number), row);
        if (status.ok()) query.number(number).bytes(by_number.bytes_at(kIdColumn)).number(wanted.now);
        if (status.ok()) status = forget_sums(query, count);
    }
    ++epoch_;
    (void)note_failure(status.ok() ? transaction.commit() : status);
}

Status SqliteBackend::erase_session(std::string_view id) {
    Status status = may_write();
    if (status.failed()) return status;
    ++epoch_;
    Transaction transaction(file_);
    status = transaction.begin();
    SessionRow row;
    if (status.ok()) {
        Query query(file_, Sql::kSessionById);
        status = find_session(query.bytes(id), row);
    }
    uint64_t count = 0;
    if (status.ok()) {
        Query query(file_, Sql::kGrantsOf);
        status = forget_sums(query.bytes(id), count);
    }
    for (Sql which : {Sql::kEraseSession, Sql::kEraseState, Sql::kEraseLog, Sql::kEraseBlobs, Sql::kEraseMids, Sql::kEraseGrants}) {
        if (status.failed()) break;
        Query query(file_, which);
        status = query.number(row.number).run();
    }
    return note_failure(status.ok() ? transaction.commit() : status);
}

Status SqliteBackend::prune(const PrunePolicy &policy, uint64_t &pruned) {
    Status status = may_write();
    if (status.failed()) return status;
    ++epoch_;
    Walk walk(file_);
    Transaction transaction(file_);
    status = transaction.begin();
    uint64_t count = 0;
    for (Sql which : {Sql::kBlobExpire, Sql::kGrantExpire}) {
        if (status.failed()) break;
        Query query(file_, which);
        status = forget_sums(query.number(policy.now), count);
    }
    SessionRow row;
    while (status.ok() && policy.keep_generations) {
        {
            Query next(file_, Sql::kSessionAfter);
            status = find_next(next, row);
        }
        uint64_t below = status.ok() ? pruned_below(policy, row) : 0;
        if (below < 2) continue;
        Query query(file_, Sql::kBlobPrune);
        status = forget_sums(query.number(row.number).number(below), count);
    }
    if (status.code == ACCP_E2001) status = {};  // behind the last session
    if (status.ok()) status = transaction.commit();
    if (status.ok()) pruned = count;
    return note_failure(status);
}

}  // namespace accp

// store/sqlite_read.cc

// See sqlite_backend.h: what is read is checked. A failure's offset is the sequence of a record, else 0.

namespace accp {

namespace {

Status damaged(const char *what, uint64_t seq = 0) { return fail(ACCP_ERR_CORRUPT, seq, what); }

void copy(std::string_view from, Buffer<char> &to) {
    to.clear();
    to.append(from.data(), from.size());
}

}  // namespace

uint64_t SqliteBackend::sum_of(const SessionRow &row) const {
    return static_cast<uint64_t>(
        file_.sum({row.number, row.fence, row.version, row.last, row.generation, row.floor, row.runs, row.indexed, row.held}));
}

Status SqliteBackend::find_session(Query &query, SessionRow &out) {
    if (!query.row()) return query.status().failed() ? query.status() : fail(ACCP_E2001, 0, kNoSession);
    SessionRow row;
    row.number = query.number_at(0);
    row.fence = query.number_at(1);
    row.version = query.number_at(2);
    row.last = query.number_at(3);
    row.generation = query.number_at(4);
    row.floor = query.number_at(5);
    row.runs = query.number_at(6);
    row.indexed = query.number_at(7);
    row.held = query.number_at(8);
    bool right = query.number_at(9) == sum_of(row) && row.number && row.number <= kMostSessions;
    std::string_view id = query.bytes_at(kIdColumn);
    right &= query.number_at(kIdColumn + 1) == static_cast<uint64_t>(file_.sum({row.number}, id));
    if (query.status().failed()) return query.status();
    if (!right) return damaged("the row of a session is damaged");
    out = row;
    return {};
}

// The session behind this one; sessions that come again would be gone through for ever.
Status SqliteBackend::find_next(Query &query, SessionRow &row) {
    uint64_t before = row.number;
    Status status = find_session(query.number(before), row);
    return status.ok() && row.number <= before ? damaged("sessions are out of order") : status;
}

Status SqliteBackend::state(const OpenSession &session, Buffer<char> &out) {
    out.clear();
    if (!session.row.version) return {};
    Query query(file_, Sql::kStateGet);
    if (!query.number(session.row.number).row()) return query.status().failed() ? query.status() : damaged("the state is missing");
    uint64_t version = query.number_at(0);
    std::string_view bytes = query.bytes_at(2);
    if (query.status().failed()) return query.status();
    if (query.number_at(1) != static_cast<uint64_t>(file_.sum({session.row.number, version}, bytes)))
        return damaged("the state is damaged");
    copy(bytes, out);
    return {};
}

// The next record of the query must be this one.
Status SqliteBackend::read_record(Query &query, uint64_t number, uint64_t seq, std::string_view &mids, std::string_view &bytes) {
    if (!query.row()) return query.status().failed() ? query.status() : damaged("a record is missing", seq);
    mids = query.bytes_at(2);
    bytes = query.bytes_at(3);
    if (query.status().failed()) return query.status();
    if (query.number_at(0) != place_of(number, seq)) return damaged("a record is missing", seq);
    if (query.number_at(1) != static_cast<uint64_t>(file_.sum({number, seq}, mids, bytes))) return damaged("a record is damaged", seq);
    return {};
}

Status SqliteBackend::scan(const OpenSession &session, uint64_t first, uint64_t last, bool newest_first, size_t most_bytes,
                           StoreRecords &out) {
    Query query(file_, newest_first ? Sql::kRecordsBack : Sql::kRecords);
    query.number(place_of(session.row.number, first)).number(place_of(session.row.number, last));
    uint64_t count = last - first + 1;
    for (uint64_t i = 0; i < count && (i == 0 || out.bytes() < most_bytes); ++i) {
        uint64_t seq = newest_first ? last - i : first + i;
        std::string_view mids, bytes;
        Status status = read_record(query, session.row.number, seq, mids, bytes);
        if (status.failed()) {
            out.clear();
            return status;
        }
        out.add(seq, bytes);
    }
    return {};
}

Status SqliteBackend::read_blob(Query &query, uint64_t number, BlobRow &row, std::string_view &key, std::string_view &bytes) {
    uint64_t tier = query.number_at(0);
    row = {static_cast<Tier>(tier), query.number_at(2), query.number_at(3)};
    key = query.bytes_at(1);
    bytes = query.bytes_at(5);
    if (query.status().failed()) return query.status();
    bool right = query.number_at(4) == static_cast<uint64_t>(file_.sum({number, tier, row.expires, row.generation}, key, bytes));
    return right ? Status{} : damaged("a blob is damaged");
}

Status SqliteBackend::blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row, Buffer<char> &out) {
    Query query(file_, Sql::kBlobGet);
    query.number(number).number(static_cast<uint64_t>(tier)).bytes(key);
    if (!query.row()) return query.status().failed() ? query.status() : fail(ACCP_E2001, 0, kNoBlob);
    std::string_view found, bytes;
    Status status = read_blob(query, number, row, found, bytes);
    if (status.ok()) copy(bytes, out);
    return status;
}

Status SqliteBackend::read_grant(Query &query, uint64_t number, std::string_view &grantee, std::string_view &prefix, uint64_t &expires) {
    grantee = query.bytes_at(0);
    prefix = query.bytes_at(1);
    expires = query.number_at(2);
    if (query.status().failed()) return query.status();
    bool right = query.number_at(3) == static_cast<uint64_t>(file_.sum({number, expires}, grantee, prefix));
    return right ? Status{} : damaged("a grant is damaged");
}

// Whether the owner exists, and what it has, is the same answer to whoever has no grant. `ended`: one that would cover the name has expired.
Status SqliteBackend::find_grant(const Shared &wanted, const OpenSession &grantee, uint64_t &number, bool &ended) {
    SessionRow from, to;
    Query by_id(file_, Sql::kSessionById), by_number(file_, Sql::kSessionByNumber), grants(file_, Sql::kGrantsTo);
    Status status = find_session(by_id.bytes(wanted.owner), from);
    if (status.failed() && status.code != ACCP_E2001) return status;
    number = from.number;
    status = find_session(by_number.number(grantee.row.number), to);
    if (status.ok() && to.fence - grantee.row.fence >= kMostWriters) status = fail(ACCP_E5002, 0, kNotGranted);
    if (status.failed()) return status;
    grants.number(from.number).bytes(by_number.bytes_at(kIdColumn));
    while (grants.row()) {
        std::string_view found, prefix;
        uint64_t expires = 0;
        status = read_grant(grants, from.number, found, prefix, expires);
        if (status.failed()) return status;
        ended |= has_expired(expires, wanted.now);
        if (wanted.name.starts_with(prefix) && !has_expired(expires, wanted.now)) return {};
    }
    return grants.status().failed() ? grants.status() : fail(ACCP_E5002, 0, kNotGranted);
}

Status SqliteBackend::find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row, Buffer<char> *out) {
    uint64_t number = 0;
    bool ended = false;
    Status status;
    {
        Transaction moment(file_);
        status = moment.begin(Sql::kBeginRead);
        if (status.ok()) status = find_grant(wanted, grantee, number, ended);
        if (status.ok() && out) status = blob(number, wanted.tier, wanted.key, row, *out);
    }
    if (ended) end_grants(wanted, number, grantee);
    return status;
}

}  // namespace accp

// store/sqlite_schema.cc

// See sqlite_file.h: what a file must have to be a store, and how it comes by it.


namespace accp {

namespace {

constexpr int64_t kApplication = 0x61636370;  // "accp", in the header of the file
constexpr int64_t kVersion = 1;               // of the schema
constexpr const char *kVersionDamaged = "the version of the store is damaged";

// Step i brings a file of version i to i + 1; a new file takes all of them. docs/store.md explains the columns.
constexpr const char *kSteps[kVersion] = {
    "CREATE TABLE file (seed INTEGER NOT NULL);"
    "INSERT INTO file VALUES (random());"
    "CREATE TABLE session (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, id_sum INTEGER NOT NULL, fence INTEGER NOT NULL,"
    " version INTEGER NOT NULL, last INTEGER NOT NULL, generation INTEGER NOT NULL, floor INTEGER NOT NULL, runs INTEGER NOT NULL,"
    " indexed INTEGER NOT NULL, held INTEGER NOT NULL, sum INTEGER NOT NULL);"
    "CREATE TABLE state (session INTEGER PRIMARY KEY, version INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE log (place INTEGER PRIMARY KEY, sum INTEGER NOT NULL, mids BLOB NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE blob (session INTEGER NOT NULL, tier INTEGER NOT NULL, key BLOB NOT NULL, expires INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (session, tier, key)) WITHOUT ROWID;"
    "CREATE INDEX blob_expires ON blob (expires) WHERE expires > 0;"
    "CREATE TABLE mid (session INTEGER NOT NULL, run INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, words BLOB NOT NULL, PRIMARY KEY (session, run, first)) WITHOUT ROWID;"
    "CREATE TABLE permit (session INTEGER NOT NULL, grantee BLOB NOT NULL, prefix BLOB NOT NULL, expires INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, PRIMARY KEY (session, grantee, prefix)) WITHOUT ROWID;"
    "PRAGMA user_version = 1; PRAGMA application_id = 0x61636370;",
};

// What the library makes in a file of this version: visit(text of a statement), which sqlite_schema has too.
template <class Visit>
void each_made(int64_t version, Visit visit) {
    for (int64_t i = 0; i < version; ++i)
        for (std::string_view left = kSteps[i]; !left.empty();) {
            size_t end = left.find(';');
            if (left.starts_with("CREATE ")) visit(left.substr(0, end));
            left.remove_prefix(std::min(end, left.size() - 1) + 1);
            left.remove_prefix(std::min(left.find_first_not_of(' '), left.size()));
        }
}

}  // namespace

// A letter that changed makes other tables of the same pages, perhaps empty ones.
Status SqliteFile::read_schema(Look &out) {
    int64_t version = std::clamp<int64_t>(out.version, 0, kVersion);
    size_t made = 0, right = 0;
    each_made(version, [&](std::string_view) { ++made; });
    Query query(*this, Sql::kSchema);
    for (; query.row(); ++out.tables) {
        std::string_view sql = query.bytes_at(0);
        each_made(version, [&](std::string_view statement) { right += statement == sql; });
    }
    out.right = right == made && out.tables == made;
    return query.status();
}

// Pages written twice, in the log and in the file, are the price of transactions: few checkpoints keep the second part small. And pages are small, as a
// group of commits of many sessions writes one for each.
Status SqliteFile::upgrade() {
    int code = run("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL");
    Transaction transaction(*this);
    Status status = code == SQLITE_OK ? transaction.begin() : failure(code);
    if (status.failed()) return status;
    int64_t version = number_of("PRAGMA user_version", code);  // again, now that nobody else can be doing the same
    if (version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    for (; code == SQLITE_OK && version < kVersion; ++version) code = run(kSteps[version]);
    return code == SQLITE_OK ? transaction.commit() : failure(code);
}

// What the file is, as of one moment: another process may be making it.
Status SqliteFile::look(Look &out) {
    int code = run("BEGIN");
    out.application = number_of("PRAGMA application_id", code);
    out.version = number_of("PRAGMA user_version", code);
    Status status = code == SQLITE_OK ? read_schema(out) : failure(code);
    int ended = run("COMMIT");
    return status.ok() ? failure(ended) : status;
}

// Looks before it touches: a file that is not a store stays as it is.
Status SqliteFile::bring_up(const StorePlace &place) {
    Walk walk(*this);
    Look found;
    Status status = begin(place);
    if (status.ok()) status = look(found);
    if (status.failed()) return status;
    bool is_new = found.application == 0 && found.version == 0 && found.tables == 0;
    if (!is_new && found.application != kApplication) return fail(ACCP_ERR_ARG, 0, "the file is not a store");
    if (found.version < 0) return fail(ACCP_ERR_CORRUPT, 0, kVersionDamaged);
    if (found.version > kVersion) return fail(ACCP_ERR_ARG, 0, "the store was written by a later version of this library");
    if (!found.right) return fail(ACCP_ERR_CORRUPT, 0, kSchemaDamaged);
    if (found.version < kVersion && !place.writes)
        return fail(ACCP_ERR_ARG, 0, is_new ? "the file is empty" : "the store is of an earlier version: open it to write");

    if (found.version < kVersion) status = upgrade();
    if (status.failed()) return status;
    int code = SQLITE_OK;
    seed_ = static_cast<uint64_t>(number_of("SELECT seed FROM file", code));
    if (code == SQLITE_OK) statement(Sql::kRollback, code);  // which must not need memory when it is needed
    if (code == SQLITE_OK && !place.writes) code = run("PRAGMA query_only = ON");
    return failure(code);
}

}  // namespace accp

// store/sqlite_verify.cc

// Everything in a file, read and compared: SQLite's own check of its pages and indices, then ours, row by row. It goes on behind what is damaged.

namespace accp {

class SqliteVerifier {
public:
    SqliteVerifier(SqliteBackend &of, Memory &memory, void (*report)(const Damage &, void *), void *user)
        : at_(of), id_(memory), words_(memory), bytes_(memory), report_(report), user_(user) {}

    Status run() {
        Walk walk(at_.file_);
        Transaction moment(at_.file_);  // whoever writes meanwhile
        Status status = moment.begin(Sql::kBeginRead);
        if (status.ok()) status = check_structure();
        SessionRow row;
        while (status.ok() && next(row, status)) status = check_session(row);
        if (status.ok()) status = check_orphans();
        if (status.failed()) return status;
        return found_ ? fail(ACCP_ERR_CORRUPT, 0, "the store is damaged") : Status{};
    }

private:
    void report(const char *what, uint64_t seq = 0, std::string_view name = {}) {
        found_ = true;
        report_({{id_.data(), id_.size()}, what, seq, name}, user_);
    }
    // Damage is reported, and the check goes on; anything else ends it.
    Status take(const Status &status, std::string_view name = {}) {
        if (status.code != ACCP_ERR_CORRUPT) return status;
        report(status.message, status.offset, name);
        return {};
    }

    Status check_structure() {
        Query query(at_.file_, Sql::kIntegrity);
        while (query.row()) {
            std::string_view found = query.bytes_at(0);
            if (found != "ok") report("the structure of the file is damaged", 0, found);
            if (found.starts_with("***")) return {};  // of its pages: rows that are reached on them may have no end
        }
        return take(query.status());
    }

    bool next(SessionRow &row, Status &status) {
        Query query(at_.file_, Sql::kSessionAfter);
        uint64_t before = row.number;
        status = at_.find_session(query.number(before), row);
        id_.clear();
        if (status.code == ACCP_E2001) {
            status = {};
            return false;
        }
        if (status.code == ACCP_ERR_CORRUPT && query.is_at_row() && query.number_at(0) > before) row.number = query.number_at(0);
        if (row.number <= before) {  // none, or pages that are reached twice
            status = take(status);
            return false;
        }
        std::string_view id = query.bytes_at(kIdColumn);
        id_.append(id.data(), id.size());
        status = take(status);
        return status.ok();
    }

    Status check_session(const SessionRow &row) {
        OpenSession session(*at_.memory_, row, false);
        Status status = take(at_.state(session, bytes_));
        if (status.ok()) status = check_records(row);
        uint64_t held = 0;
        if (status.ok())
            status =
                take(at_.each_blob(row.number, held, [this](const Status &read, std::string_view key, const BlobRow &, std::string_view) {
                    return take(read, key);
                }));
        if (status.ok())
            status = take(at_.each_grant(row.number, held,
                                         [this](const Status &read, std::string_view, std::string_view, uint64_t) { return take(read); }));
        if (status.ok() && held != row.held) report(kHeldMissing);
        return status.ok() ? take(at_.read_mids(row, words_)) : status;
    }

    Status check_records(const SessionRow &row) {
        Query query(at_.file_, Sql::kRecords);
        query.number(place_of(row.number, 0)).number(place_of(row.number, kMostRecords));
        uint64_t expected = 1;
        while (query.row()) {
            uint64_t seq = query.number_at(0) & kMostRecords;
            std::string_view mids = query.bytes_at(2), bytes = query.bytes_at(3);
            if (query.status().failed()) break;
            if (seq < expected) {  // pages that are reached twice: perhaps for ever
                report("records are out of order", seq);
                break;
            }
            if (seq > row.last) report("a record behind the last one", seq);
            if (seq != expected && seq <= row.last) report("records are missing", expected);
            if (query.number_at(1) != static_cast<uint64_t>(at_.file_.sum({row.number, seq}, mids, bytes)))
                report("a record is damaged", seq);
            expected = seq + 1;
        }
        if (query.status().ok() && expected <= row.last) report("records are missing", expected);
        return take(query.status());
    }

    Status check_orphans() {
        id_.clear();
        Query query(at_.file_, Sql::kOrphans);
        if (query.row() && query.number_at(0)) report("there are rows of no session");
        return take(query.status());
    }

    SqliteBackend &at_;
    Buffer<char> id_;  // of the session that is being checked
    Buffer<uint64_t> words_;
    Buffer<char> bytes_;
    void (*report_)(const Damage &, void *);
    void *user_;
    bool found_ = false;
};

Status SqliteBackend::verify(void (*report)(const Damage &damage, void *user), void *user) {
    return SqliteVerifier(*this, *memory_, report, user).run();
}

}  // namespace accp

// store/sqlite_write.cc

// See sqlite_backend.h: a group of commits as one transaction.

namespace accp {

namespace {

constexpr uint64_t kTailRecords = 8192;  // that the tail of mids may be spread over: what opening a session must read

std::string_view view_of(const Buffer<uint64_t> &words) {
    return {reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint64_t)};
}

}  // namespace

// After a failed write nobody knows what is on the disk (a second fsync may succeed without the pages of the first): no more of them.
Status SqliteBackend::note_failure(const Status &status) {
    if (status.code == ACCP_ERR_IO && status.message != kDiskFull) broken_ = true;
    return status;
}

Status SqliteBackend::set_level(bool full) {
    full &= wants_full_;
    if (full == is_full_) return {};
    Status status = file_.failure(file_.run(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
    if (status.ok()) is_full_ = full;
    return status;
}

// What is written to a file that has no name any more is lost.
Status SqliteBackend::may_be_written() {
    if (broken_) return fail(ACCP_ERR_IO, 0, kBroken);
    return file_.is_moved() ? note_failure(fail(ACCP_ERR_IO, 0, kMoved)) : Status{};
}

Status SqliteBackend::may_write() {
    if (!writes_) return fail(ACCP_ERR_ARG, 0, kReadOnly);
    Status status = may_be_written();
    return status.ok() ? set_level(true) : status;
}

Status SqliteBackend::write(CommitQueue &queue) {
    Status status = may_write();
    if (status.ok()) status = note_failure(write_group(queue));
    if (status.failed()) return status;  // new sessions are gone again, with their numbers
    queue.each_session([this](OpenSession &session) {
        if (!session.indexing) return;
        SessionRow next = next_row(session);
        filters_.extend(session.row, next, session.tail);
        session.row = next;
        session.tail.clear();
        session.loose = session.indexing = false;
    });
    if (file_.wal_pages >= most_wal_pages_) checkpoint();
    return {};
}

Status SqliteBackend::write_group(CommitQueue &queue) {
    struct Doubt {  // what sessions know of their rows is of a write that came to nothing
        uint64_t &epoch;
        bool wanted = true;
        ~Doubt() { epoch += wanted; }
    } doubt = {epoch_};
    Transaction transaction(file_);
    Status status = transaction.begin();
    note_version();
    queue.each_session([&](OpenSession &session) {
        if (status.ok()) status = check_fence(session);
    });
    queue.each([&](const CommitQueue::Commit &commit) {
        if (status.ok() && !commit.session->lost) status = write_commit(commit);
    });
    queue.each_session([&](OpenSession &session) {
        if (status.ok() && !session.lost) status = write_session(session, queue);
    });
    if (status.ok()) status = transaction.commit();
    doubt.wanted = status.failed();
    data_version_ = file_.data_version();  // a commit of our own is counted too
    return status;
}

// A row that was looked at is what it was while no other connection has written, and this one has changed none but by such writes.
Status SqliteBackend::check_fence(OpenSession &session) {
    session.indexing = false;
    if (session.lost || session.checked == epoch_) return {};
    SessionRow row;
    if (!session.new_id.empty()) {
        Status status = make_session(session.new_id, row);
        session.row.number = row.number;
        session.row.fence = row.fence;
        session.held = 0;
        return status;
    }
    return look_at(session, row);
}

// In a transaction: rows that were looked at may have changed where another connection has written.
void SqliteBackend::note_version() {
    const uint32_t version = file_.data_version();
    if (version == data_version_) return;
    data_version_ = version;
    ++epoch_;
}

// Marks a session that is its handle's no more. A writer has the very fence that it was opened with; whoever reads has one of the same beginning, as an
// erased session's number may be another's by now, which began anywhere.
Status SqliteBackend::look_at(OpenSession &session, SessionRow &row) {
    Query query(file_, Sql::kSessionByNumber);
    Status status = find_session(query.number(session.row.number), row);
    note_version();
    if (status.failed() && status.code != ACCP_E2001) return status;
    const uint64_t since = row.fence - session.row.fence;
    session.erased = status.failed() || since >= kMostWriters;
    session.lost = session.erased || (session.writes && since);
    session.held = row.held;
    session.checked = epoch_;
    return {};
}

Status SqliteBackend::check(OpenSession &session, bool fresh, SessionRow &now) {
    if (!fresh) note_version();
    return session.lost || (!fresh && session.checked == epoch_) ? Status{} : look_at(session, now);
}

// The mids of a commit lie with its last record.
Status SqliteBackend::write_commit(const CommitQueue::Commit &commit) {
    words_.clear();
    const StoreOp *last = nullptr;
    commit.each([&](const StoreOp &op) {
        if (op.kind == StoreOp::kMid) words_.push(op.number);
        if (op.kind == StoreOp::kAppend) last = &op;
    });
    commit.session->loose |= !last && !words_.empty();
    Status status;
    commit.each([&](const StoreOp &op) {
        if (status.ok()) status = write_op(*commit.session, op, &op == last ? view_of(words_) : std::string_view());
    });
    return status;
}

Status SqliteBackend::write_op(OpenSession &session, const StoreOp &op, std::string_view mids) {
    uint64_t number = session.row.number, tier = static_cast<uint64_t>(op.tier);
    if (op.kind == StoreOp::kAppend) {
        Query query(file_, Sql::kRecordPut);
        uint64_t sum = static_cast<uint64_t>(file_.sum({number, op.number}, mids, op.bytes()));
        return query.number(place_of(number, op.number)).number(sum).bytes(mids).bytes(op.bytes()).run();
    }
    Status status = forget_sum(session, op);
    if (status.failed()) return status;
    switch (op.kind) {
        case StoreOp::kPut: {
            Query query(file_, Sql::kBlobPut);
            uint64_t sum = static_cast<uint64_t>(file_.sum({number, tier, op.number, op.generation}, op.key(), op.bytes()));
            session.held += sum;
            query.number(number).number(tier).bytes(op.key()).number(op.number).number(op.generation);
            return query.number(sum).bytes(op.bytes()).run();
        }
        case StoreOp::kErase: {
            Query query(file_, Sql::kBlobErase);
            return query.number(number).number(tier).bytes(op.key()).run();
        }
        case StoreOp::kGrant: {
            Query query(file_, Sql::kGrantPut);
            uint64_t sum = static_cast<uint64_t>(file_.sum({number, op.number}, op.bytes(), op.key()));
            session.held += sum;
            return query.number(number).bytes(op.bytes()).bytes(op.key()).number(op.number).number(sum).run();
        }
        case StoreOp::kRevoke: {
            Query query(file_, Sql::kGrantErase);
            return query.number(number).bytes(op.bytes()).bytes(op.key()).run();
        }
        default: return {};  // state, floor and mids: once for each session
    }
}

// As the row will stand when this write, which indexes the session's tail, is done.
SessionRow SqliteBackend::next_row(const OpenSession &session) {
    SessionRow row = session.row;
    row.held = session.held;
    if (!session.indexing) return row;
    row.indexed = row.last;
    if (!session.tail.empty()) ++row.runs;
    return row;
}

Status SqliteBackend::write_session(OpenSession &session, const CommitQueue &queue) {
    const StoreOp *newest = nullptr;
    if (session.row.version != session.written_version)
        queue.each_of(session, [&](const StoreOp &op) {
            if (op.kind == StoreOp::kState) newest = &op;
        });
    Status status;
    if (newest) {
        Query query(file_, Sql::kStatePut);
        uint64_t sum = static_cast<uint64_t>(file_.sum({session.row.number, newest->number}, newest->bytes()));
        status = query.number(session.row.number).number(newest->number).number(sum).bytes(newest->bytes()).run();
    }
    session.indexing =
        session.has_tail && (session.loose || session.tail.size() >= kMidTail || session.row.last - session.row.indexed > kTailRecords);
    if (status.ok() && session.indexing && !session.tail.empty()) status = index_tail(session);
    return status.ok() ? write_row(next_row(session)) : status;
}

Status SqliteBackend::write_row(const SessionRow &row) {
    Query query(file_, Sql::kSessionSet);
    query.number(row.fence).number(row.version).number(row.last).number(row.generation).number(row.floor).number(row.runs);
    return query.number(row.indexed).number(row.held).number(sum_of(row)).number(row.number).run();
}

// What this cannot do the next one does; but a device that fails is not written to again.
void SqliteBackend::checkpoint() {
    int code = sqlite3_wal_checkpoint_v2(file_.db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    (void)note_failure(file_.failure(code));
}

}  // namespace accp
