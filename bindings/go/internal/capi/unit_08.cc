//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <string_view>
#include <cstddef>
#include <type_traits>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <algorithm>
#include <charconv>

// codec/encode/check_outgoing.cc

// What is asked of a message before anything of it is written: the rules of the profiles, and the host. The values are still those of the message.

// A message on its way out, and the seven steps (specification 7.2), one file each.


// A message to a frame and back under a registry: the seven steps out and the six steps in of specification 7.2 and 7.3.
//
// What the steps of one message work on is in encode/outgoing.h and decode/incoming.h; the order of the steps is in encode_pipeline.cc and
// decode_pipeline.cc, one step a file. Without a registry there is nothing here to do, and a message goes the short way through Coder.
//
// A message names its schema by the payload's member `schema`, a string. One that does not is under the codec's own schema, else under the one
// bound to its intent and operation. A frame always says enough: it names a schema that the other side could not come to by the binding alone.


// Messages that come in parts (SPEC-DECISIONS A55), held until they are whole. Everything is bounded, and nothing that was taken is dropped to make room:
// what is too much is refused, until a message is whole or its chain abandoned. An agent that holds little is not refused for what others hold.



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

// The codec's two ways to a state, and where the envelopes of a message in parts come from. Sessions implement them, and the callbacks of
// accp/codec.h do. What they answer is checked like any peer's text.



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

namespace accp {

// One member of the payload.
struct Param {
    uint32_t node;  // of the message's tree
    KeyForm key;    // how it is written
    bool reference, left_out;
};

struct Outgoing {
    Outgoing(const CodecSetup &codec, CodecDesk &desk_of, Coder &coder_of, Buffer<char> &out_to)
        : setup(codec),
          settings(desk_of.settings),
          desk(desk_of),
          arena(desk_of.arena),
          coder(coder_of),
          out(out_to),
          start(out_to.size()) {}

    TreeView tree() const { return message.payload_tree; }
    bool is_text() const { return message.payload_tree[message.payload].kind != ACCP_MAP; }
    // The node of the message as it was read that this node of its payload was, or stands for.
    uint32_t origin(uint32_t node) const { return origins ? origins[node] : node; }

    const CodecSetup &setup;
    const Settings &settings;
    CodecDesk &desk;
    Arena &arena;
    Coder &coder;
    Buffer<char> &out;
    const size_t start;  // in out: where the frame begins
    Message message;
    int intent = -1;
    const Schema *schema = nullptr;
    uint32_t schema_node = 0;       // where the message names it
    bool writes_schema = false;     // the frame has to name it, where the payload is not by position
    bool has_other_schema = false;  // the payload has a member `schema` that names none
    Param *params = nullptr;
    uint32_t count = 0;
    uint64_t tokens = 0;                // of all frames that the message became
    const uint32_t *origins = nullptr;  // nullptr: no value has gone to the keeper
    int which_kept = 0;                 // of the desk's two
    uint32_t kept = 0;                  // values that went to the keeper
    uint32_t parts = 1;                 // frames that the message became
    bool in_meta = false;               // what was wrong is in the metadata
    bool at_key = false;                // what was wrong is the key of the node that a status has for an offset
    std::string_view json;              // the message as it came
    uint32_t warnings = 0;              // bits of accp_warning
};

// All of them, for a message in JSON. The offset of a failure is a byte of it.
Status send(Outgoing &out, std::string_view json);

// The offset of a failure is a node of the message's tree.
Status resolve_schema(Outgoing &out);   // 1: E1002, E1003
Status abbreviate_keys(Outgoing &out);  // 2
Status check_outgoing(Outgoing &out);   // E1004, E4001, E4003, E5001
Status compress_values(Outgoing &out);  // 3: E1004, and what the keeper fails with
Status omit_defaults(Outgoing &out);    // 4
Status estimate_tokens(Outgoing &out);  // 5
Status check_budget(Outgoing &out);     // 6: E2003
Status emit_frame(Outgoing &out);       // 7

// Puts refs in the place of values: of those that the third step sends to the keeper, or of the nodes that are chosen.
Status keep_values(Outgoing &out, const bool *chosen);

// Adds what a frame costs.
Status add_tokens(Outgoing &out, std::string_view frame);

// Puts frames of the same chain, none over the limit, in the place of the one that was composed; where that cannot be, all stays and `done` is false.
Status split_frame(Outgoing &out, bool &done);

// Writes the frame as the steps up to the fourth have left it.
Status compose(Outgoing &out);

}  // namespace accp

// The rules of the profiles (specification 3.6, 10): one table, rules.def, for both directions.
//
// They bind the profiles' own schemas. A registry may say something else by the same code: a schema is a profile's where its name, its code and the
// type of the field that tells it apart are the profile's (it need not be built in: after a negotiation none is).


namespace accp {

// A message as the rules see it.
struct ProfileMessage {
    int intent;
    const Schema *schema;
    TreeView tree;
    const uint32_t *nodes;  // of the values of the schema's fields, in their order; 0: not there, or its default
    bool has_cid;
};

// Is there a rule for messages under this schema? Then they want to be looked at. nullptr: no schema, no rule.
bool has_rules(const Schema *schema);

// A request under TC, be it the profile's or a schema of the registry's own: what a host's tools are looked up for.
bool is_tool_call(const Schema *schema, int intent);

// E1004 for what is refused; its offset is 1 + the place of the field, 0 where it is no field's. Adds to `warnings` (bits of accp_warning).
Status check_rules(const ProfileMessage &message, bool sending, bool strict, uint32_t &warnings);

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

accp_text view(std::string_view text) { return {text.data(), text.size()}; }

bool has_cid(const Outgoing &out) {
    const Message &message = out.message;
    const uint32_t node = message.has_meta ? message.meta_tree.find(message.meta, "cid") : 0;
    return node ? message.meta_tree[node].kind != ACCP_NULL : (out.coder.envelope.fields() & ACCP_ENVELOPE_CID) != 0;
}

Status check_names(Outgoing &out) {
    const CodecHooks &hooks = out.setup.hooks;
    if (hooks.is_strict(ACCP_STRICT_OPERATIONS) && !out.setup.registry->knows_operation(out.message.operation))
        return fail(ACCP_E5001, out.tree().find(0, "operation"), "an operation that nobody has registered");
    for (uint32_t i = 0; i < out.count && out.schema && hooks.is_strict(ACCP_STRICT_SCHEMA); ++i)
        if (!out.params[i].key.field) return fail(ACCP_E1004, out.params[i].node, "a member that its schema does not have");
    return {};
}

Status check_profile(Outgoing &out) {
    if (!has_rules(out.schema)) return {};
    auto *nodes = out.arena.take<uint32_t>(out.schema->field_count);
    for (uint32_t i = 0; i < out.schema->field_count; ++i) nodes[i] = 0;
    for (uint32_t i = 0; i < out.count; ++i)
        if (out.params[i].key.field) nodes[out.params[i].key.field - out.schema->fields] = out.params[i].node;
    const ProfileMessage message = {out.intent, out.schema, out.tree(), nodes, has_cid(out)};
    Status status = check_rules(message, true, out.setup.hooks.is_strict(ACCP_STRICT_PROFILES), out.warnings);
    if (status.failed()) status.offset = status.offset && nodes[status.offset - 1] ? nodes[status.offset - 1] : out.message.payload;
    return status;
}

Status check_tool(Outgoing &out) {
    if (!out.setup.hooks.tool || !is_tool_call(out.schema, out.intent)) return {};
    TreeView tree = out.tree();
    const uint32_t payload = out.message.payload, name = tree.find(payload, "tool_name"), arguments = tree.find(payload, "arguments");
    const size_t start = out.out.size();
    if (arguments) write_json(tree, arguments, out.out);
    Status status = ask_tool(out.setup.hooks, name && tree[name].kind == ACCP_STRING ? view(tree.string(name)) : accp_text{nullptr, 0},
                             {out.out.data() + start, out.out.size() - start});
    out.out.resize_down(start);
    status.offset = status.code == ACCP_E4001 && name ? name : arguments && status.code != ACCP_E4001 ? arguments : payload;
    return status;
}

Status check_policy(Outgoing &out) {
    if (!out.setup.hooks.policy) return {};
    const Message &message = out.message;
    const accp_policy_case asked = {ACCP_SENT,
                                    0,
                                    view(message.agent),
                                    view(message.intent),
                                    view(message.operation),
                                    view(out.schema ? out.schema->code : std::string_view()),
                                    view(out.json)};
    return ask_policy(out.setup.hooks, asked);
}

}  // namespace

Status check_outgoing(Outgoing &out) {
    if (!out.setup.registry) return {};
    for (auto check : {check_names, check_profile, check_tool, check_policy})
        if (Status status = check(out); status.failed()) return status;
    return {};
}

}  // namespace accp

// codec/encode/split_frame.cc

// A frame in parts (SPEC-DECISIONS A55). What is cut is the text between the payload's braces. A part has either some of its params, whole and as they
// are; or, of a param that alone is too large, a piece of its text, as a payload that is a text. Between two parts goes the separator of params, save
// behind a piece, which has its own: so the pieces of all parts in a row are the text that was cut, byte for byte.


namespace accp {

namespace {

constexpr std::string_view kWidestNumbers = ",fi:1023,ft:1023]";  // what a part is measured with while their number is not known
static_assert(kMostSequenceParts == 1024);
constexpr uint64_t kBytesOfAToken = 16;  // no text has so few tokens that a longer piece should be tried

// What a part holds of the text that is cut.
struct Cut {
    size_t from, to;
    bool is_piece;
    size_t meta, meta_len;  // in metas_: its metadata up to fi
};

class Splitter {
public:
    explicit Splitter(Outgoing &out)
        : out_(out),
          frame_(out.desk.text.data(), out.desk.text.size()),
          text_(take_apart(frame_)),
          payload_(text_.payload.substr(1, text_.payload.size() - 2)),
          bars_(out.desk.memory),
          store_(out.desk.memory),
          metas_(out.desk.memory),
          cuts_(out.desk.memory) {}

    Status run(bool &done);

private:
    bool read_envelope_of_frame();
    void find_bars();
    Status add_meta();
    void write(const Cut &cut, uint32_t index, uint32_t count, Buffer<char> &to) const;
    Status fits(const Cut &cut, bool &yes);
    Status cut_params(Cut &cut);
    Status cut_piece(Cut &cut);
    Status emit();
    Status take_back();
    size_t farthest(size_t at) const;
    bool is_inside(size_t at) const { return at < payload_.size() && (payload_[at] & 0xC0) == 0x80; }  // of a character

    Outgoing &out_;
    const std::string_view frame_;
    const FrameText text_;
    const std::string_view payload_;
    Buffer<size_t> bars_;  // where the params end
    size_t next_bar_ = 0;  // the first that is not cut off yet
    accp_envelope envelope_ = {};
    EnvelopeStore store_;
    Buffer<char> metas_;
    Buffer<Cut> cuts_;
};

// What the parts share is a cid: the message's own, else its mid.
bool Splitter::read_envelope_of_frame() {
    Buffer<Node> &nodes = out_.desk.nodes;
    nodes.clear();
    if (text_.meta.empty() || out_.coder.parse(frame_.data(), frame_.size(), nodes).failed()) return false;
    TreeView tree = {nodes.data(), frame_.data()};
    const uint32_t meta = tree[kPayload].next;
    if (tree[meta].len + 2 > out_.settings.limit(ACCP_LIMIT_PARAMS) || read_envelope(tree, meta, envelope_).failed()) return false;
    if (envelope_.fields & ACCP_ENVELOPE_CID) return true;
    if (!(envelope_.fields & ACCP_ENVELOPE_MID)) return false;
    envelope_.cid = envelope_.mid;
    envelope_.fields |= ACCP_ENVELOPE_CID;
    return true;
}

// A separator of params stands nowhere else without a backslash.
void Splitter::find_bars() {
    for (size_t at = 0; at < payload_.size(); at += payload_[at] == '\\' ? 2 : 1)
        if (payload_[at] == '|') bars_.push(at);
    bars_.push(payload_.size());
}

// The metadata of the next part: the message's own, then envelopes alone.
Status Splitter::add_meta() {
    if (cuts_.empty()) {
        metas_.append(text_.meta.data(), text_.meta.size() - 1);
        return {};
    }
    accp_envelope envelope = envelope_;
    Status status = out_.setup.envelopes->next(envelope);
    if (status.ok()) {
        envelope.cid = envelope_.cid;
        envelope.fields |= ACCP_ENVELOPE_CID;
        status = store_.set(&envelope, out_.settings.limit(ACCP_LIMIT_KEY_BYTES));
    }
    if (status.failed()) return fail(status.code, out_.message.payload, status.message ? status.message : "no envelope for a part");
    char before = '[';
    for (const EnvelopeField &field : kEnvelope) {
        if (!store_.has(field)) continue;
        metas_.push(before);
        store_.write(field, metas_);
        before = ',';
    }
    return {};
}

void Splitter::write(const Cut &cut, uint32_t index, uint32_t count, Buffer<char> &to) const {
    const std::string_view text = payload_.substr(cut.from, cut.to - cut.from);
    to.append(text_.header.data(), text_.header.size());
    to.push('{');
    if (cut.is_piece) {
        to.append(kTextKey.data(), kTextKey.size());
        to.push(':');
        (void)write_wire_string(text, {true, out_.settings.has(ACCP_EXT_U8)}, to);  // every string has a spelling in q1
    } else {
        to.append(text.data(), text.size());
    }
    to.push('}');
    to.append(metas_.data() + cut.meta, cut.meta_len);
    if (!count) return to.append(kWidestNumbers.data(), kWidestNumbers.size());
    auto put = [&to](std::string_view key, uint32_t number) {
        to.push(',');
        to.append(key.data(), key.size());
        to.push(':');
        char *digits = to.room(16);
        to.set_end(std::to_chars(digits, digits + 16, number).ptr);
    };
    put(kPartKey, index);
    put(kPartsKey, count);
    to.push(']');
}

Status Splitter::fits(const Cut &cut, bool &yes) {
    Buffer<char> &part = out_.desk.part;
    part.clear();
    write(cut, 0, 0, part);
    uint64_t tokens = 0;
    Status status = out_.setup.counter->count({part.data(), part.size()}, out_.setup.most_tokens, tokens);
    yes = tokens <= out_.setup.most_tokens && part.size() <= out_.settings.limit(ACCP_LIMIT_FRAME_BYTES);
    return status;
}

size_t Splitter::farthest(size_t at) const {
    const uint64_t most = out_.setup.most_tokens * kBytesOfAToken;
    return payload_.size() - at <= most ? payload_.size() : at + most;
}

// As many whole params as fit; none leaves the cut empty.
Status Splitter::cut_params(Cut &cut) {
    const size_t *ends = bars_.data() + next_bar_;
    const size_t count = static_cast<size_t>(std::upper_bound(ends, static_cast<const size_t *>(bars_.end()), farthest(cut.from)) - ends);
    size_t good = 0, bad = count + 1;  // how many fit, how many do not
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        bool yes = false;
        Status status = fits({cut.from, ends[middle - 1], false, cut.meta, cut.meta_len}, yes);
        if (status.failed()) return status;
        (yes ? good : bad) = middle;
    }
    if (good) cut.to = ends[good - 1];
    next_bar_ += good;
    return {};
}

// As much of this param as fits, at its end with what parts it from the next.
Status Splitter::cut_piece(Cut &cut) {
    cut.is_piece = true;
    const size_t bar = bars_[next_bar_], end = bar < payload_.size() ? bar + 1 : bar;
    size_t good = cut.from, bad = std::min(end, farthest(cut.from)) + 1;
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        size_t whole = middle;  // between two characters
        while (whole < bad && is_inside(whole)) ++whole;
        for (whole = whole < bad ? whole : middle; is_inside(whole);) --whole;
        if (whole == good) break;
        bool yes = false;
        Status status = fits({cut.from, whole, true, cut.meta, cut.meta_len}, yes);
        if (status.failed()) return status;
        (yes ? good : bad) = whole;
    }
    cut.to = good;
    next_bar_ += good == end;
    return {};
}

// The one frame again that was composed.
Status Splitter::take_back() {
    out_.out.resize_down(out_.start);
    out_.out.append(frame_.data(), frame_.size());
    out_.tokens = 0;
    out_.parts = 1;
    return add_tokens(out_, frame_);
}

Status Splitter::emit() {
    const auto count = static_cast<uint32_t>(cuts_.size());
    Buffer<char> &to = out_.out;
    to.resize_down(out_.start);
    out_.tokens = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i) to.push('\n');
        const size_t start = to.size();
        const uint64_t before = out_.tokens;
        write(cuts_[i], i, count, to);
        Status status = add_tokens(out_, {to.data() + start, to.size() - start});
        if (status.failed()) return status;
        if (out_.tokens - before > out_.setup.most_tokens) return take_back();  // its numbers cost more than the widest
    }
    out_.parts = count;
    return {};
}

Status Splitter::run(bool &done) {
    if (!out_.settings.has(ACCP_EXT_Q1) || !read_envelope_of_frame()) return {};
    find_bars();
    Status status;
    bool inside = false;  // the last part ended inside a param
    for (size_t at = 0; at < payload_.size();) {
        if (cuts_.size() == kMostSequenceParts) return {};
        const size_t meta = metas_.size();
        status = add_meta();
        Cut cut = {at, at, false, meta, metas_.size() - meta};
        if (status.ok() && !inside) status = cut_params(cut);
        if (status.ok() && cut.to == at) status = cut_piece(cut);
        if (status.failed()) return status;
        if (cut.to == at) return {};  // not one byte fits
        cuts_.push(cut);
        at = cut.to + !cut.is_piece;
        inside = cut.is_piece && next_bar_ < bars_.size() && at != (next_bar_ ? bars_[next_bar_ - 1] + 1 : 0);
    }
    if (cuts_.size() < 2) return {};
    status = emit();
    done = out_.parts > 1;
    return status;
}

}  // namespace

Status split_frame(Outgoing &out, bool &done) {
    out.desk.text.recycle(kKeptBytes);
    out.desk.text.append(out.out.data() + out.start, out.out.size() - out.start);
    return Splitter(out).run(done);
}

}  // namespace accp

// delivery/chunk_message.cc

// See chunk_message.h.

// Chunks as messages in JSON (schema ST), out and in.


namespace accp {

// Appends the message of a chunk; `named`: its payload names its schema. Texts may lie anywhere.
void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named, Arena &arena, Buffer<char> &json);

// Reads one: `stream`, or `end`, which has a cid and nothing else. Data that is no text is written to `spelled`. ERR_ARG for any other intent, E1004 for
// what is no chunk.
Status read_chunk_message(TreeView tree, bool &is_end, accp_chunk &out, Buffer<char> &spelled);

}  // namespace accp



namespace accp {

namespace {

void put(Buffer<char> &json, std::string_view text) { json.append(text.data(), text.size()); }

void put_string(std::string_view before, accp_text text, Arena &arena, Buffer<char> &json) {
    put(json, before);
    char *padded = arena.take<char>(text.len + Buffer<char>::kSlack);
    if (text.len) std::memcpy(padded, text.text, text.len);
    write_json_string({padded, text.len}, json);
}

void put_number(std::string_view before, int64_t number, Buffer<char> &json) {
    put(json, before);
    char *to = json.room(24);
    json.set_end(std::to_chars(to, to + 24, number).ptr);
}

// A whole number from 0 of the payload into `out`, which stays as it is where there is none; false where it is something else.
bool read_count(TreeView tree, uint32_t payload, std::string_view key, int64_t &out) {
    const uint32_t node = tree.find(payload, key);
    if (!node || tree[node].kind == ACCP_NULL) return true;
    const std::string_view digits = tree.string(node);
    return tree[node].kind == ACCP_INT && digits[0] != '-' &&
           std::from_chars(digits.data(), digits.data() + digits.size(), out).ec == std::errc{};
}

Status read_payload(TreeView tree, uint32_t payload, accp_chunk &out, Buffer<char> &spelled) {
    auto wrong = [](const char *message) { return fail(ACCP_E1004, 0, message); };
    const uint32_t data = tree.find(payload, "data"), last = tree.find(payload, "is_final");
    out.index = -1;
    if (!read_count(tree, payload, "chunk_index", out.index) || out.index < 0) return wrong("a chunk has a chunk_index from 0");
    if (!read_count(tree, payload, "total_chunks", out.total)) return wrong("total_chunks is a whole number");
    if (last && tree[last].kind != ACCP_BOOL && tree[last].kind != ACCP_NULL) return wrong("is_final is true or false");
    out.is_final = last && (tree[last].flags & ACCP_NODE_TRUE) != 0;
    if (!data || tree[data].kind == ACCP_NULL) return {};
    if (tree[data].kind == ACCP_STRING) {
        out.data = {tree.string(data).data(), tree.string(data).size()};
        return {};
    }
    write_json(tree, data, spelled);
    spelled.push('\n');
    out.data = {spelled.data(), spelled.size()};
    return {};
}

}  // namespace

void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named, Arena &arena, Buffer<char> &json) {
    put_string("{\"agent\":", agent, arena, json);
    put_string(",\"intent\":\"stream\",\"operation\":", operation, arena, json);
    put_number(",\"payload\":{\"chunk_index\":", chunk.index, json);
    if (chunk.total) put_number(",\"total_chunks\":", chunk.total, json);
    put_string(",\"data\":", chunk.data, arena, json);
    if (chunk.is_final) put(json, ",\"is_final\":true");
    if (named) put(json, ",\"schema\":\"ST\"");
    put_string("},\"meta\":{\"cid\":", chunk.cid, arena, json);
    put(json, "}}");
}

Status read_chunk_message(TreeView tree, bool &is_end, accp_chunk &out, Buffer<char> &spelled) {
    out = {};
    const bool is_map = tree[0].kind == ACCP_MAP;
    const uint32_t intent = is_map ? tree.find(0, "intent") : 0, payload = is_map ? tree.find(0, "payload") : 0;
    is_end = intent && tree.string(intent) == "end";
    if (!intent || (!is_end && tree.string(intent) != "stream")) return fail(ACCP_ERR_ARG, 0, "neither `stream` nor `end`");
    const uint32_t meta = tree.find(0, "meta");
    const uint32_t cid = meta && tree[meta].kind == ACCP_MAP ? tree.find(meta, "cid") : 0;
    const bool is_text = cid && (tree[cid].kind == ACCP_STRING || tree[cid].kind == ACCP_INT || tree[cid].kind == ACCP_DEC);
    if (is_text) out.cid = {tree.string(cid).data(), tree.string(cid).size()};
    if (is_end) return {};
    if (!payload || tree[payload].kind != ACCP_MAP) return fail(ACCP_E1004, 0, "a chunk has a payload");
    return read_payload(tree, payload, out, spelled);
}

}  // namespace accp
