//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstddef>
#include <type_traits>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <initializer_list>
#include <algorithm>
#include <utility>
#include <new>
#include <memory>
#include <charconv>
#include <array>
#include <atomic>
#include <mutex>

// frame/print.cc

// See print.h. Most of a frame is canonical as it stands, so one pass over the nodes looks for what is not (a map out of order, a decimal with zeros
// at its end, what only the compat dialect takes), and everything between is copied in one piece.

// A parsed frame back to its canonical text (specification 3.1.1).


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

// Appends the canonical form of the frame whose nodes are nodes[0, count) over text[0, text_len). ACCP_E1004 for a decimal of more than six places.
Status print_frame(TreeView tree, uint32_t count, size_t text_len, Arena &arena, Buffer<char> &out);

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

// Bytes to a flat tree. The machines (machine_strict.cc, machine_compat.cc) take a frame or refuse it, as fast as they can; where a refused frame
// went wrong is then found by locate.h, one byte at a time.


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

// Strings and numbers on the wire (WIRE.md section 3): every JSON scalar has exactly one spelling, and it comes back as it went in.



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

// The children of a node in a chosen order: what sorted output walks.



namespace accp {

struct Children {
    uint32_t *nodes;
    uint32_t count;
};

inline Children list_children(TreeView tree, uint32_t parent, Arena &arena) {
    Children list = {arena.take<uint32_t>(tree[parent].len + 1), 0};
    for (uint32_t i = parent + 1; i < tree[parent].next; i = tree[i].next) list.nodes[list.count++] = i;
    return list;
}

// Sorted by what `key` makes of a node, under `less`. Few children are the rule: insertion, then nothing more to set up.
template <class Less>
void sort_children(Children list, Less less) {
    if (list.count > 16) {
        std::sort(list.nodes, list.nodes + list.count, less);
        return;
    }
    for (uint32_t i = 1; i < list.count; ++i) {
        uint32_t node = list.nodes[i];
        uint32_t at = i;
        for (; at > 0 && less(node, list.nodes[at - 1]); --at) list.nodes[at] = list.nodes[at - 1];
        list.nodes[at] = node;
    }
}

}  // namespace accp

namespace accp {

namespace {

// What is being printed: a run of nodes with the text between them, up to `end`; or, one by one, the children of a map out of order.
struct Level {
    uint32_t next, last;       // of a run: nodes; of a map: places in `children`
    const uint32_t *children;  // nullptr: a run
    const char *end;           // of a run: where its text ends; of a map: where the text behind it begins
};

class Printer {
public:
    Printer(TreeView tree, Arena &arena, Buffer<char> &out) : tree_(tree), arena_(arena), out_(out), from_(tree.text) {}

    Status frame(uint32_t count, const char *end);

private:
    Status run(Level &level);
    Status rewrite(uint32_t node);
    void begin_map(uint32_t map);
    void next_child(Level &level);
    void flush(const char *to) {
        out_.append(from_, static_cast<size_t>(to - from_));
        from_ = to;
    }
    bool is_block(uint32_t node) const { return node == kPayload || node == tree_[kPayload].next; }  // params keep their order
    const char *end_of(uint32_t node) const;
    const char *begin_of(uint32_t node) const { return tree_.text + tree_[node].offset - (tree_[node].kind == ACCP_REF); }

    TreeView tree_;
    Arena &arena_;
    Buffer<char> &out_;
    const char *from_;  // what is copied next begins here
    Level levels_[2 * kMostDepth + 1];
    uint32_t depth_ = 0;
};

bool is_sorted(TreeView tree, uint32_t map) {
    uint32_t last = map + 1;
    for (uint32_t i = tree[last].next; i < tree[map].next; last = i, i = tree[i].next)
        if (tree.key(i) < tree.key(last)) return false;
    return true;
}

bool is_canonical_decimal(std::string_view text) {
    size_t places = 1;
    while (places <= static_cast<size_t>(kDecimalPlaces) && text[text.size() - 1 - places] != '.') ++places;
    return places <= static_cast<size_t>(kDecimalPlaces) && (text.back() != '0' || places == 1) && text != "-0.0";
}

bool is_canonical(TreeView tree, uint32_t i) {
    const Node &node = tree[i];
    switch (node.kind) {
        case ACCP_MAP: return node.len < 2 || is_sorted(tree, i);
        case ACCP_DEC: return is_canonical_decimal(tree.string(i));  // also with more digits than an encoder writes
        case ACCP_STRING: return !(node.flags & ACCP_NODE_LOOSE);
        case ACCP_NULL: return node.len == 1;
        default: return true;
    }
}

// Behind the node's last byte, brackets included.
const char *Printer::end_of(uint32_t node) const {
    uint32_t closing = 0;
    while (is_container(tree_[node].kind)) {
        ++closing;
        if (!tree_[node].len) return tree_.text + tree_[node].offset + 1 + closing;
        uint32_t child = node + 1;
        while (tree_[child].next < tree_[node].next) child = tree_[child].next;
        node = child;
    }
    return tree_.text + tree_[node].offset + tree_[node].len + closing;
}

// A scalar that is not canonical as it stands; what is before it is copied already.
Status Printer::rewrite(uint32_t i) {
    std::string_view text = tree_.string(i);
    from_ = text.data() + text.size();
    if (tree_[i].kind == ACCP_DEC) {
        bool fits = write_decimal(text, out_) <= kDecimalPlaces;
        return fits ? Status{} : fail(ACCP_E1004, tree_[i].offset, "a decimal of more than six places");
    }
    if (tree_[i].kind == ACCP_NULL) {
        out_.push('~');
        return {};
    }
    char *to = out_.room(2 * text.size());
    for (size_t at = 0; at < text.size(); ++at) {  // a loose string: what is escaped already stays so
        if (text[at] == '\\') *to++ = text[at++];
        else if (is_delimiter(static_cast<unsigned char>(text[at]))) *to++ = '\\';
        *to++ = text[at];
    }
    out_.set_end(to);
    return {};
}

void Printer::begin_map(uint32_t map) {
    Children children = list_children(tree_, map, arena_);
    sort_children(children, [this](uint32_t a, uint32_t b) { return tree_.key(a) < tree_.key(b); });
    levels_[depth_++] = {0, children.count, children.nodes, end_of(map)};
    out_.push('{');
}

void Printer::next_child(Level &level) {
    if (level.next == level.last) {
        out_.push('}');
        from_ = level.end;
        --depth_;
        return;
    }
    if (level.next) out_.push(',');
    uint32_t child = level.children[level.next++];
    from_ = tree_.key(child).data();
    levels_[depth_++] = {child, tree_[child].next, nullptr, end_of(child)};
}

// Goes on with a run up to the next node that is not canonical.
Status Printer::run(Level &level) {
    while (level.next < level.last && (is_block(level.next) || is_canonical(tree_, level.next))) ++level.next;
    uint32_t node = level.next;
    if (node == level.last) {
        flush(level.end);
        --depth_;
        return {};
    }
    flush(begin_of(node));
    if (tree_[node].kind != ACCP_MAP) {
        ++level.next;
        return rewrite(node);
    }
    level.next = tree_[node].next;
    begin_map(node);
    return {};
}

Status Printer::frame(uint32_t count, const char *end) {
    levels_[depth_++] = {0, count, nullptr, end};
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.children) {
            next_child(level);
            continue;
        }
        Status status = run(level);
        if (status.failed()) return status;
    }
    return {};
}

}  // namespace

Status print_frame(TreeView tree, uint32_t count, size_t text_len, Arena &arena, Buffer<char> &out) {
    out.room(text_len);
    return Printer(tree, arena, out).frame(count, tree.text + text_len);
}

}  // namespace accp

// context/facts.cc

// The facts of a message: what its payload states in names and numbers. The entity is what the payload is about: its first member whose value is a name,
// or else the agent and the operation. The attribute is the path of keys. A list is one value; a text is none. What a tool pours out is not stated.

// What a checkpoint takes out of the messages that it closes: facts, names and lines, ranked, and packed within its bound.


// What one call on one context works with, and the next call on another one uses again, so that contexts that idle hold only their state. Of one thread.


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

// A value as render text (docs/render.md), without recursion: a level for each open bracket.


// From a shape to a table: the steps of its rows and the gaps between them, chosen from what the cells hold; and the header that says so.


// The shape that the maps of an array, or of a map, have in common: which keys become columns of a table.


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

namespace {

constexpr size_t kMostEntityBytes = 64, kMostAttributeBytes = 64, kMostValueBytes = 160;

bool is_plain(std::string_view text, size_t most) { return text.size() <= most && is_one_word(text); }

struct FactWalk {
    const ContextMessage &message;
    const TreeView tree;
    uint32_t number;
    RenderWriter &writer;
    Buffer<char> &out;
    Buffer<char> path, value, author, entity;
    uint32_t subject = 0, written = 0;

    FactWalk(const ContextMessage &message, uint32_t number, Memory &memory, RenderWriter &writer, Buffer<char> &out)
        : message(message),
          tree(message.tree),
          number(number),
          writer(writer),
          out(out),
          path(memory),
          value(memory),
          author(memory),
          entity(memory) {
        write_author(message, author);
        choose_subject();
    }

    // `key:value` of the subject, as it stands at the head of a line of facts.
    void choose_subject() {
        for (uint32_t i = message.payload + 1; i < tree[message.payload].next && !subject; i = tree[i].next)
            if (tree[i].kind == ACCP_STRING && is_bare_untrusted_key(tree.key(i)) && is_plain(tree.string(i), kMostEntityBytes))
                subject = i;
        auto put = [this](std::string_view text) { entity.append(text.data(), text.size()); };
        if (subject) {
            write_untrusted_key(tree.key(subject), entity);
            entity.push(':');
            put(tree.string(subject));
        } else {
            put_name(message.agent, kMaxHeadName, entity);
            entity.push('.');
            put_name(message.operation, kMaxHeadName, entity);
        }
    }

    // The value as it stands behind its attribute, or nothing.
    bool write_value(uint32_t node) {
        value.clear();
        if (tree[node].kind == ACCP_STRING) {
            if (!is_plain(tree.string(node), kMostValueBytes)) return false;
            value.append(tree.string(node).data(), tree[node].len);
            return true;
        }
        if (is_container(tree[node].kind) && tree[node].next - node > kMostValueBytes) return false;
        RenderStyle style;
        style.one_line = style.untrusted = true;
        writer.value(tree, node, style, value);
        return value.size() <= kMostValueBytes;
    }

    void fact(uint32_t node) {
        if (written >= kMostFacts || !write_value(node)) return;
        const size_t parent = path.size();
        write_untrusted_key(tree.key(node), path);
        const size_t len = author.size() + entity.size() + path.size() + value.size();
        if (path.size() <= kMostAttributeBytes && len <= kMostItemBytes) {
            ++written;
            const uint32_t head[3] = {number, static_cast<uint32_t>(len), fact_lengths(author.size(), entity.size(), path.size())};
            auto put = [this](std::string_view text) { out.append(text.data(), text.size()); };
            put({reinterpret_cast<const char *>(head), sizeof head});
            put({author.data(), author.size()});
            put({entity.data(), entity.size()});
            put({path.data(), path.size()});
            put({value.data(), value.size()});
        }
        path.resize_down(parent);
    }

    void walk(Buffer<uint64_t> &levels) {
        levels.push(uint64_t{tree[message.payload].next} << 32);
        for (uint32_t i = message.payload + 1; levels.size();) {
            const uint64_t level = levels[levels.size() - 1];
            if (i >= level >> 32) {
                levels.resize_down(levels.size() - 1);
                path.resize_down(static_cast<uint32_t>(level));
                continue;
            }
            if (tree[i].kind == ACCP_MAP && tree[i].len && path.size() + tree[i].key_len < kMostAttributeBytes) {
                levels.push(uint64_t{tree[i].next} << 32 | path.size());
                write_untrusted_key(tree.key(i), path);
                path.push('.');
                ++i;
                continue;
            }
            if (i != subject) fact(i);
            i = tree[i].next;
        }
    }
};

}  // namespace

void write_facts(const ContextMessage &message, uint32_t number, Memory &memory, Arena &arena, uint64_t seed, Buffer<char> &out) {
    RenderWriter writer(memory, arena, seed);
    Buffer<uint64_t> levels(memory);
    FactWalk walk(message, number, memory, writer, out);
    const size_t before = out.size();
    walk.walk(levels);
    if (message.operation != "tool" || walk.written <= kMostToolFacts) return;
    for (size_t at = before; at < out.size();) {  // what is known must not stand there as it was
        uint32_t head[3];
        std::memcpy(head, out.data() + at, sizeof head);
        head[0] |= kOnlyReplaces;
        std::memcpy(out.data() + at, head, sizeof head);
        at += sizeof head + head[1];
    }
}

}  // namespace accp

// context/text_fields.cc

// See text_fields.h. What is written for a node does not grow with its depth: a path that is long goes on with
// dots.

// The fields of a message that has texts: what is short in one block, and each text on lines of its own
// behind the path of its key.


namespace accp {

// Is it a text, in words or lines, and no name or number?
bool is_text(TreeView tree, uint32_t node);

// Is there one in a value?
bool holds_text(TreeView tree, uint32_t node);

class TextFields {
public:
    // All are borrowed; the writer works with the arena.
    TextFields(TreeView tree, Memory &memory, Arena &arena, RenderWriter &writer, Buffer<char> &out)
        : tree_(tree), arena_(arena), writer_(writer), out_(out), levels_(memory), path_(memory), text_(memory), texts_(memory) {}

    // Appends the members of a map, behind the header of its message. Of a message that would be longer than
    // kMaxWrittenBytes what comes first. Linear but for the search of a text's place.
    void write(uint32_t root);

private:
    struct Level {
        uint32_t end;
        size_t path;
        bool array;
    };

    bool holds(uint32_t node) const;
    void enter(uint32_t container, size_t path);
    void block(uint32_t map);
    void field(uint32_t node);
    void put_name(uint32_t node, Buffer<char> &to) const;
    void step_into(uint32_t node);

    TreeView tree_;
    Arena &arena_;
    RenderWriter &writer_;
    Buffer<char> &out_;
    Buffer<Level> levels_;
    Buffer<char> path_, text_;
    Buffer<uint32_t> texts_;  // the places of all texts, in order
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

namespace {

constexpr size_t kShortText = 40;       // bytes; up to here a text with spaces is a value among others
constexpr size_t kMaxParentBytes = 64;  // of the path before a field's own key
constexpr std::string_view kDots = "\xE2\x80\xA6.";

static_assert(kMaxParentBytes + kDots.size() + kMaxKeyText + 2 <= kMaxPathBytes);

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

}  // namespace

bool is_text(TreeView tree, uint32_t node) {
    if (tree[node].kind != ACCP_STRING) return false;
    std::string_view text = tree.string(node);
    if (text.size() > kShortText && text.find(' ') != text.npos) return true;
    return text.find_first_of("\n\r") != text.npos;
}

bool holds_text(TreeView tree, uint32_t node) {
    uint32_t end = is_container(tree[node].kind) ? tree[node].next : node + 1;
    for (uint32_t i = node; i < end; ++i)
        if (is_text(tree, i)) return true;
    return false;
}

bool TextFields::holds(uint32_t node) const {
    const uint32_t end = is_container(tree_[node].kind) ? tree_[node].next : node + 1;
    const uint32_t *text = std::lower_bound(texts_.begin(), texts_.end(), node);
    return text != texts_.end() && *text < end;
}

// The members of a map that hold no text.
void TextFields::block(uint32_t map) {
    if (tree_[map].kind != ACCP_MAP) return;
    const Arena::Mark mark = arena_.mark();
    auto *nodes = arena_.take<uint32_t>(tree_[map].len + 1);
    uint32_t count = 0;
    for (uint32_t i = map + 1; i < tree_[map].next; i = tree_[i].next)
        if (!holds(i)) nodes[count++] = i;
    if (count) {
        if (path_.size()) {
            out_.push('\n');
            out_.append(path_.data(), path_.size() - 1);
        }
        out_.push(' ');
        RenderStyle style;
        style.one_line = true;
        text_.clear();
        writer_.block(tree_, nodes, count, style, text_);
        write_untrusted({text_.data(), text_.size()}, out_);
    }
    arena_.rewind(mark);
}

void TextFields::put_name(uint32_t node, Buffer<char> &to) const {
    if (tree_[node].key_len) write_untrusted_key(tree_.key(node), to);
    else to.push('-');
}

void TextFields::field(uint32_t node) {
    out_.push('\n');
    out_.append(path_.data(), path_.size());
    put_name(node, out_);
    put(out_, ": ");
    if (tree_[node].kind == ACCP_STRING) return write_untrusted(tree_.string(node), out_);
    RenderStyle style;
    style.one_line = true;
    text_.clear();
    writer_.value(tree_, node, style, text_);
    write_untrusted({text_.data(), text_.size()}, out_);
}

void TextFields::enter(uint32_t container, size_t path) {
    block(container);
    levels_.push({tree_[container].next, path, tree_[container].kind == ACCP_ARRAY});
}

// The path of what is in it.
void TextFields::step_into(uint32_t node) {
    const size_t path = path_.size();
    const bool dotted = path >= kDots.size() && std::string_view(path_.end() - kDots.size(), kDots.size()) == kDots;
    if (!dotted) {
        put_name(node, path_);
        path_.push('.');
        if (path_.size() > kMaxParentBytes) {
            path_.resize_down(path);
            put(path_, kDots);
        }
    }
    enter(node, path);
}

void TextFields::write(uint32_t root) {
    const size_t start = out_.size();
    for (uint32_t i = root; i < tree_[root].next; ++i)
        if (is_text(tree_, i)) texts_.push(i);
    enter(root, 0);
    for (uint32_t i = root + 1; levels_.size();) {
        const Level &level = levels_[levels_.size() - 1];
        if (i >= level.end) {
            path_.resize_down(level.path);
            levels_.resize_down(levels_.size() - 1);
            continue;
        }
        if (out_.size() - start > kMaxWrittenBytes) return put(out_, "\n\xE2\x80\xA6");
        const bool deep = is_container(tree_[i].kind) && holds(i);
        if (deep) {
            step_into(i++);
            continue;
        }
        if (level.array || is_text(tree_, i)) field(i);
        i = tree_[i].next;
    }
}

}  // namespace accp

// context/untrusted_text.cc

// See untrusted_text.h.



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

constexpr uint32_t kEscape = 0x1B, kControlSequence = 0x9B;

bool is_line_end(uint32_t point) {
    return (point >= 0x0A && point <= 0x0D) || (point >= 0x1C && point <= 0x1E) || point == 0x85 || point == 0x2028 || point == 0x2029;
}

bool is_odd_space(uint32_t point) {
    return point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x202F || point == 0x205F ||
           point == 0x3000;
}

bool is_visible(uint32_t point) { return point < 0x7F ? point > ' ' : is_raw_point(point); }

// Where a terminal's control sequence ends, whose parameters begin here.
const char *after_sequence(const char *at, const char *end) {
    while (at < end && static_cast<unsigned>(*at) - 0x20u < 0x20u) ++at;
    return at < end && static_cast<unsigned>(*at) - 0x40u < 0x3Fu ? at + 1 : at;
}

// The text as it is written, character by character; and the lines of it that are open.
class Writer {
public:
    explicit Writer(Buffer<char> &out) : out_(out) {}

    void write(std::string_view text) {
        const char *at = text.data(), *end = at + text.size();
        while (at < end) {
            const char *plain = at;
            while (at < end && static_cast<unsigned>(*at) - 0x20u < 0x5Fu) ++at;
            out_.append(plain, static_cast<size_t>(at - plain));
            if (at < end) at = odd(at, end);
        }
        settle();
        while (out_.size() > start_ && out_[out_.size() - 1] == '\n') out_.resize_down(out_.size() - 1);
    }

private:
    static constexpr size_t kNone = SIZE_MAX;

    // One code point that is no plain ASCII, and what goes with it.
    const char *odd(const char *at, const char *end) {
        const char *from = at;
        const uint32_t point = read_utf8(at);
        if (is_line_end(point)) {
            end_line();
            return point == '\r' && at < end && *at == '\n' ? at + 1 : at;
        }
        if (is_odd_space(point)) out_.push(' ');
        else if (point == '\t' || is_visible(point)) out_.append(from, static_cast<size_t>(at - from));
        else if (point == kControlSequence) return after_sequence(at, end);
        else if (point == kEscape && at < end && *at == '[') return after_sequence(at + 1, end);
        return at;
    }
    void end_line() {
        settle();
        out_.push('\n');
        line_ = out_.size();
        out_.push(' ');
    }
    // The line that ends is looked at as a whole.
    void settle() {
        if (line_ == kNone) return;
        const std::string_view line(out_.data() + line_ + 1, out_.size() - line_ - 1);
        if (line.empty()) return out_.resize_down(line_);
        if (!imitates_structure(line)) return;
        const size_t len = line.size();
        out_.room(2);
        char *to = out_.data() + line_ + 1;
        std::memmove(to + 2, to, len);
        std::memcpy(to, "> ", 2);
        out_.set_end(to + 2 + len);
    }

    Buffer<char> &out_;
    const size_t start_ = out_.size();
    size_t line_ = kNone;  // where the last line begins, but for the first
};

}  // namespace

bool imitates_structure(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    // With the wide and the small forms of both signs.
    static constexpr std::string_view kForms[] = {
        "@",      "\xEF\xBC\xA0", "\xEF\xB9\xAB", "$hot.",     "$warm.", "$cold.", "$ctx.", "\xEF\xBC\x84", "\xEF\xB9\xA9",
        "named:", "(untrusted ",  "\xE2\x80\xA6", "{\"agent\""};
    for (std::string_view form : kForms)
        if (line.substr(0, form.size()) == form) return true;
    return false;
}

void write_untrusted(std::string_view text, Buffer<char> &out) { Writer(out).write(text); }

void open_untrusted_line(std::string_view line, Buffer<char> &out) {
    if (imitates_structure(line)) out.append(" > ", 3);
    else if (line.empty() || line[0] != ' ') out.push(' ');
    out.append(line.data(), line.size());
}

bool is_one_word(std::string_view text) {
    for (const char *at = text.data(), *end = at + text.size(); at < end;)
        if (!is_visible(read_utf8(at))) return false;
    return !text.empty();
}

bool is_bare_untrusted_key(std::string_view key) {
    return key.size() <= kMaxKeyText && is_bare_key(key) && is_one_word(key) && !std::strchr("$->", key[0]) && key != "named" &&
           !imitates_structure(key);
}

void write_untrusted_key(std::string_view key, Buffer<char> &out) {
    if (is_bare_untrusted_key(key)) return out.append(key.data(), key.size());
    TextWriter writer(out);
    writer.untrusted = true;
    const size_t start = out.size();
    for (size_t len = std::min(key.size(), kMaxKeyText - 2);; len = len * 3 / 4) {  // escapes are longer
        while (len < key.size() && (static_cast<unsigned char>(key[len]) & 0xC0) == 0x80) --len;
        writer.quoted(key.substr(0, len));
        if (out.size() - start <= kMaxKeyText) return;
        out.resize_down(start);
    }
}

}  // namespace accp

// delivery/streams.cc

// See streams.h.

// Streams (specification 10.4): chunks come in any order and leave in order. Pure: no clock, no frames; sessions and the C face feed it.
//
// A stream is told by its cid. It opens with its first chunk, whichever that is, and closes with the chunk that is final once all before it have come, or
// by the intent `end`, whichever is first (A61); what lacks then makes it aborted. The cids of closed streams are remembered, the newest
// kMostClosedStreams of them: a chunk for one of these is data behind the end.
//
// A refused chunk changes nothing: E1004 for one that contradicts what is known, E2003 for one beyond a limit.



// Finding one of a few hundred or thousand ids: a scan of their hashes, which lie side by side.


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

class Streams {
public:
    explicit Streams(Memory &memory);
    Streams(const Streams &) = delete;
    Streams &operator=(const Streams &) = delete;
    ~Streams();

    // What of the stream is in order by this chunk, and how it stands. The views live until the next call of one of these three.
    Status add(const accp_chunk &chunk, accp_stream_part &out);
    // The intent `end`. For a stream that is closed already, or of which nothing came, nothing happens but that it is closed.
    Status end(const accp_text &cid, accp_stream_part &out);
    // Forgets a stream, as if it had never been, and all that it holds. False where there is none.
    bool drop(const accp_text &cid);

    uint32_t open() const { return ids_.size(); }
    uint64_t held() const { return held_; }

    // To be set before the first chunk; none above its limit in base/limits.h.
    uint64_t most_bytes = kMostStreamBytes;
    uint32_t most_ahead = kMostChunksAhead, most_open = kMostOpenStreams;
    bool keep = true;  // what came in order is kept and handed out whole at the end

private:
    // A chunk that waits.
    struct Piece {
        int64_t index;
        char *data;
        size_t len;
    };
    struct Stream;

    Status check(const accp_chunk &chunk, const Stream *stream) const;
    uint32_t find(const accp_text &cid, uint64_t hash) const;
    uint32_t open_stream(const accp_text &cid, uint64_t hash);
    void keep_ahead(Stream &stream, const accp_chunk &chunk);
    void append(Stream &stream, const char *data, size_t len);
    void take_waiting(Stream &stream);
    void hand_out(uint32_t place, bool ended, accp_stream_part &out);
    void begin();
    void close(uint32_t place);
    void remember(uint64_t hash);
    void release(Stream *stream);

    Memory &memory_;
    IdList ids_, closed_;
    Buffer<Stream *> streams_;    // in the order of ids_
    Stream *finished_ = nullptr;  // closed by the last call, and still seen
    uint32_t oldest_closed_ = 0;
    uint64_t held_ = 0;
};

// The end of the piece of a text that begins at `begin`, of at most `most` bytes but one code point at least: where no code point is cut, nor, as far
// as that is possible, one from the mark or joiner that belongs to it.
size_t cut_text(std::string_view text, size_t begin, size_t most);

}  // namespace accp


namespace accp {

struct Streams::Stream {
    explicit Stream(Memory &memory) : cid(memory), text(memory), waiting(memory) {}

    bool complete() const { return final >= 0 && next > final; }

    Buffer<char> cid, text;  // text: what came in order, or, where nothing is kept, what the last call added
    Buffer<Piece> waiting;   // by index, the highest first
    int64_t next = 0;        // the first index that has not come
    int64_t highest = -1;    // of all that came
    int64_t total = 0;       // 0: nobody has said
    int64_t final = -1;      // the index of the final chunk, once it came
    size_t shown = 0;        // bytes of text that were handed out
};

Streams::Streams(Memory &memory) : memory_(memory), ids_(memory), closed_(memory), streams_(memory) {}

Streams::~Streams() {
    begin();
    for (size_t i = 0; i < streams_.size(); ++i) release(streams_[i]);
}

namespace {

std::string_view view(const accp_text &text) { return {text.len ? text.text : "", text.len}; }

Status contradiction(const char *message) { return fail(ACCP_E1004, 0, message); }

}  // namespace

// ---- what may come

Status Streams::check(const accp_chunk &chunk, const Stream *stream) const {
    if (chunk.index < 0 || chunk.total < 0 || chunk.index == INT64_MAX) return contradiction("a chunk's index and total count from 0");
    if (chunk.total && chunk.index >= chunk.total) return contradiction("a chunk's index is below the total");
    if (chunk.total && chunk.is_final && chunk.index != chunk.total - 1) return contradiction("the final chunk is the last of the total");
    const int64_t next = stream ? stream->next : 0;
    if (stream) {
        if (stream->total && chunk.total && chunk.total != stream->total) return contradiction("two chunks of one stream say two totals");
        if (stream->total && chunk.index >= stream->total) return contradiction("a chunk's index is below the total");
        if (stream->total && chunk.is_final && chunk.index != stream->total - 1)
            return contradiction("the final chunk is the last of the total");
        if (chunk.total && stream->highest >= chunk.total) return contradiction("a total below an index that came before");
        if (stream->final >= 0 && chunk.is_final && chunk.index != stream->final) return contradiction("a stream has one final chunk");
        if (stream->final >= 0 && chunk.total && chunk.total != stream->final + 1)
            return contradiction("the final chunk is the last of the total");
        if (stream->final >= 0 && chunk.index > stream->final) return contradiction("a chunk behind the final one");
        if (chunk.is_final && stream->highest > chunk.index) return contradiction("a final chunk, and one behind it came before");
        bool twice = chunk.index < next;
        for (size_t i = 0; i < stream->waiting.size() && !twice; ++i) twice = stream->waiting[i].index == chunk.index;
        if (twice) return contradiction("a chunk with this index came before");
    } else if (open() >= most_open) {
        return fail_limit(open() + 1, most_open, "too many streams are open: finish or cancel one");
    }
    if (chunk.index != next && (chunk.index - next > most_ahead || (stream && stream->waiting.size() >= most_ahead)))
        return fail_limit(std::max<uint64_t>(chunk.index - next, most_ahead + 1), most_ahead,
                          "too many chunks ahead of the one awaited: send that one first");
    if (chunk.data.len > most_bytes - held_) return fail_limit(held_ + chunk.data.len, most_bytes, "too many bytes of streams are held: finish or cancel one");
    return {};
}

uint32_t Streams::find(const accp_text &cid, uint64_t hash) const {
    uint32_t i = ids_.find(hash);
    while (i != IdList::kNone && std::string_view(streams_[i]->cid.data(), streams_[i]->cid.size()) != view(cid))
        i = ids_.find(hash, i + 1);
    return i;
}

// ---- the three calls

Status Streams::add(const accp_chunk &chunk, accp_stream_part &out) {
    begin();
    if (!chunk.cid.len) return contradiction("a chunk has the cid of its stream");
    const uint64_t hash = ids_.hash(chunk.cid);
    uint32_t place = find(chunk.cid, hash);
    if (place == IdList::kNone && closed_.find(hash) != IdList::kNone) return contradiction("a chunk behind the end of its stream");
    Status status = check(chunk, place == IdList::kNone ? nullptr : streams_[place]);
    if (status.failed()) return status;
    const bool opened = place == IdList::kNone;
    if (opened) place = open_stream(chunk.cid, hash);
    Stream &stream = *streams_[place];
    struct Undo {  // of an opening that runs out of memory
        Streams *streams;
        uint32_t place;
        ~Undo() {
            if (streams) streams->close(place);
        }
    } undo = {opened ? this : nullptr, place};
    closed_.reserve();
    if (chunk.index != stream.next) {
        keep_ahead(stream, chunk);
    } else {
        append(stream, chunk.data.text, chunk.data.len);
        ++stream.next;
    }
    undo.streams = nullptr;
    if (chunk.total) stream.total = chunk.total;
    if (chunk.is_final) stream.final = chunk.index;
    if (chunk.index > stream.highest) stream.highest = chunk.index;
    take_waiting(stream);
    hand_out(place, false, out);
    return {};
}

Status Streams::end(const accp_text &cid, accp_stream_part &out) {
    begin();
    if (!cid.len) return contradiction("an end has the cid of its stream");
    const uint64_t hash = ids_.hash(cid);
    const uint32_t place = find(cid, hash);
    closed_.reserve();
    if (place != IdList::kNone) {
        hand_out(place, true, out);
        return {};
    }
    const bool known = closed_.find(hash) != IdList::kNone;
    if (!known) remember(hash);
    out = {};
    out.state = known ? ACCP_STREAM_CLOSED : ACCP_STREAM_ABORTED;
    return {};
}

bool Streams::drop(const accp_text &cid) {
    begin();
    const uint32_t place = cid.len ? find(cid, ids_.hash(cid)) : IdList::kNone;
    if (place != IdList::kNone) close(place);
    return place != IdList::kNone;
}

// ---- what they are made of

// Gives back what the last call closed.
void Streams::begin() {
    release(finished_);
    finished_ = nullptr;
}

uint32_t Streams::open_stream(const accp_text &cid, uint64_t hash) {
    ids_.reserve();
    streams_.room(1);
    auto *stream = new (memory_.take(sizeof(Stream))) Stream(memory_);
    struct Holder {
        Streams *streams;
        Stream *held;
        ~Holder() { streams->release(held); }
    } holder = {this, stream};
    stream->cid.append(cid.text, cid.len);
    ids_.add(hash);
    streams_.push(stream);
    holder.held = nullptr;
    return ids_.size() - 1;
}

void Streams::keep_ahead(Stream &stream, const accp_chunk &chunk) {
    stream.waiting.room(1);
    Piece piece = {chunk.index, nullptr, chunk.data.len};
    if (piece.len) {
        piece.data = static_cast<char *>(memory_.take(piece.len));
        std::memcpy(piece.data, chunk.data.text, piece.len);
    }
    held_ += piece.len;
    size_t at = stream.waiting.size();
    stream.waiting.push(piece);
    for (; at > 0 && stream.waiting[at - 1].index < piece.index; --at) stream.waiting[at] = stream.waiting[at - 1];
    stream.waiting[at] = piece;
}

// Room for the new bytes and for those that waited for them is made at once, so that nothing fails once something has changed.
void Streams::append(Stream &stream, const char *data, size_t len) {
    size_t waiting = 0;
    int64_t next = stream.next + 1;
    for (size_t i = stream.waiting.size(); i > 0 && stream.waiting[i - 1].index == next; --i, ++next) waiting += stream.waiting[i - 1].len;
    if (!keep) {
        held_ -= stream.text.size();
        stream.text.clear();
        stream.shown = 0;
    }
    stream.text.room(len + waiting);
    stream.text.append(data, len);
    held_ += len;
}

void Streams::take_waiting(Stream &stream) {
    Buffer<Piece> &waiting = stream.waiting;
    while (!waiting.empty() && waiting[waiting.size() - 1].index == stream.next) {
        const Piece piece = waiting[waiting.size() - 1];
        waiting.resize_down(waiting.size() - 1);
        stream.text.append(piece.data, piece.len);  // held as before
        memory_.give(piece.data, piece.len);
        ++stream.next;
    }
}

// What of the stream at `place` was not yet seen; closes it where it is complete, or ended.
void Streams::hand_out(uint32_t place, bool ended, accp_stream_part &out) {
    Stream &stream = *streams_[place];
    const char *text = stream.text.data() ? stream.text.data() : "";
    const bool complete = stream.complete();
    out = {};
    out.data = {text + stream.shown, stream.text.size() - stream.shown};
    out.chunks = stream.next;
    out.state = complete ? ACCP_STREAM_COMPLETE : ended ? ACCP_STREAM_ABORTED : ACCP_STREAM_OPEN;
    stream.shown = stream.text.size();
    if (!complete && !ended) return;
    if (keep) out.whole = {text, stream.text.size()};
    remember(ids_.hash({stream.cid.data(), stream.cid.size()}));
    finished_ = &stream;
    streams_[place] = nullptr;
    close(place);
}

void Streams::close(uint32_t place) {
    release(streams_[place]);
    ids_.remove(place);
    streams_[place] = streams_[streams_.size() - 1];
    streams_.resize_down(streams_.size() - 1);
}

void Streams::remember(uint64_t hash) {
    if (closed_.size() < kMostClosedStreams) return closed_.add(hash);
    closed_.replace(oldest_closed_, hash);
    oldest_closed_ = (oldest_closed_ + 1) % kMostClosedStreams;
}

void Streams::release(Stream *stream) {
    if (!stream) return;
    held_ -= stream->text.size();
    for (size_t i = 0; i < stream->waiting.size(); ++i) {
        held_ -= stream->waiting[i].len;
        memory_.give(stream->waiting[i].data, stream->waiting[i].len);
    }
    stream->~Stream();
    memory_.give(stream, sizeof(Stream));
}

}  // namespace accp

// session/session_receive.cc

// See session.h: frames that come in, by the order of checks of WIRE.md section 8.

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

// A chain that was cancelled still hears of it, and may say that it has.
bool is_about_cancelling(std::string_view intent) { return intent == "ack" || intent == "cancel"; }

// The metadata of a parsed frame; 0: it has none.
uint32_t metadata_of(const Buffer<Node> &nodes) { return nodes[kPayload].next < nodes.size() ? nodes[kPayload].next : 0; }

}  // namespace

// Steps 1, 2 and half of 3: the grammar, and the types of the envelope.
Status Session::read_frame(std::string_view text, int64_t now_ms, bool untrusted, Desk &desk, Frame &out) const {
    desk.nodes.recycle(kKeptBytes);
    Status status = desk.codec.coder.parse(text.data(), text.size(), desk.nodes);
    if (status.failed()) return status;
    TreeView tree = {desk.nodes.data(), text.data()};
    const uint32_t meta = metadata_of(desk.nodes);
    out.text = text;
    out.payload = tree[kPayload].offset;
    out.metadata = meta ? tree[meta].offset : static_cast<uint32_t>(text.size());
    out.is_part = meta && (tree.find(meta, kPartKey) || tree.find(meta, kPartsKey));
    const auto bytes = static_cast<uint32_t>(text.size());
    out.arrival = {tree.string(kAgent), tree.string(kIntent), tree.string(kOperation), {}, now_ms, false, bytes, untrusted};
    out.arrival.known_intent = find_intent(out.arrival.intent) >= 0;
    return read_envelope(tree, meta, out.arrival.envelope);
}

Status Session::receive(std::string_view text, const Peer &peer, int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    status = release(now_ms, desk);  // what an earlier call could not
    if (status.failed()) return status;
    Frame frame;
    Judgement judgement;
    status = read_frame(text, now_ms, peer.untrusted, desk, frame);
    if (status.ok()) status = admit(frame.arrival, peer);
    if (status.failed()) return status;
    frame.arrival.untrusted = peer.untrusted || is_untrusted(frame.arrival.agent);
    status = inbox_.judge(frame.arrival, id(), *this, judgement);
    if (status.failed())
        return move_to(status, frame.arrival.known_intent ? frame.metadata : frame.arrival.agent.size() + 2);
    inbox_.prepare();
    if (judgement.verdict == Verdict::kWaits) return hold(frame, judgement.new_gap);
    if (judgement.verdict == Verdict::kDropped) {
        if (judgement.advances) status = use_up(frame, false, desk);
        if (status.ok()) status = fail(ACCP_DROPPED, 0, "its time has passed");
    } else {
        if (judgement.resyncs) status = give_up_gap(frame, now_ms, desk);
        if (status.ok()) status = take(frame, desk);
    }
    if (status.code < 0) return status;
    Status safe = settle();
    return safe.failed() ? safe : status;
}

// Steps 9 to 11.
Status Session::take(Frame &frame, Desk &desk) {
    const accp_envelope &envelope = frame.arrival.envelope;
    bool covered = false;
    Status status = is_about_cancelling(frame.arrival.intent) ? Status{} : is_cancelled(envelope, desk, covered);
    if (status.failed()) return status;
    if (covered) return refuse(frame, fail(ACCP_DROPPED, 0, "its chain was cancelled"), desk);
    bool held = false, whole = false;
    status = join(frame, desk, held, whole);
    if (status.ok() && held) return take_part(frame, desk);
    const std::string_view text = whole ? std::string_view(desk.text.data(), desk.text.size()) : frame.text;
    if (status.ok()) status = decode(text, Owner::kPeer, frame.arrival.untrusted, frame.arrival.now_ms, desk);
    if (status.ok()) status = check(frame, desk);
    if (status.failed() && whole) status.offset = 0;  // of what came in, no byte is at fault
    if (status.failed()) return is_refused(status) ? refuse(frame, status, desk) : status;
    delivered_.room(desk.json.size() + kMostDelivery);
    Record record = {
        RecordKind::kReceived, static_cast<uint64_t>(frame.arrival.now_ms), live_->next_key, 0, {}, kept_message(whole, desk), frame.text};
    record.untrusted = frame.arrival.untrusted;
    status = keep(record, &frame.arrival, desk);
    if (status.failed()) return status;
    deliver(ACCP_OK, envelope.seq, {desk.json.data(), desk.json.size()}, nullptr, frame.arrival.untrusted);
    return {};
}

// What applying could find wrong with the message in desk.json, before anything is applied.
Status Session::check(const Frame &frame, Desk &desk) {
    const bool cancels = frame.arrival.intent == "cancel";
    if (!cancels && frame.arrival.intent != "sync") return {};
    MessageView message;
    Status status = read_message({desk.json.data(), desk.json.size()}, desk, message);
    if (status.ok() && cancels) status = check_chain(message);
    if (status.ok() && message.is_state()) status = live_->state.apply(message.tree, message.payload, rules_.inbox.jump, desk.state);
    return move_to(status, frame.payload);
}

// Dropped or refused at steps 9 and 10: its sequence number and its mid are used up, or the gap would never close.
Status Session::refuse(const Frame &frame, const Status &why, Desk &desk) {
    Status status = use_up(frame, true, desk);
    return status.ok() ? why : status;
}

Status Session::use_up(const Frame &frame, bool seen, Desk &desk) {
    const accp_envelope &envelope = frame.arrival.envelope;
    Record record = {RecordKind::kUsedUp,
                     static_cast<uint64_t>(frame.arrival.now_ms),
                     live_->next_key,
                     envelope.seq,
                     frame.arrival.agent,
                     {},
                     seen ? frame.text : std::string_view()};
    return keep(record, seen ? &frame.arrival : nullptr, desk);
}

// What is kept beside its frame.
std::string_view Session::kept_message(bool in_parts, const Desk &desk) const {
    return fleeting_ || in_parts ? std::string_view(desk.json.data(), desk.json.size()) : std::string_view();
}

Status Session::decode(std::string_view text, Owner owner, bool untrusted, int64_t now_ms, Desk &desk) {
    SessionRefs refs(*this, desk, now_ms, owner);
    desk.codec.setup.resolver = &refs;
    desk.codec.setup.untrusted = untrusted;
    desk.json.recycle(kKeptBytes);
    Status status = desk.codec.decode(text.data(), text.size(), desk.json);
    desk.codec.setup.resolver = nullptr;
    fleeting_ = refs.fleeting();
    const bool lost = status.code == ACCP_E2001 || status.code == ACCP_E2002 || status.code == ACCP_E2003;
    if (lost && desk_restores_) status = desk.codec.decode(text.data(), text.size(), desk.json);  // what has expired since stays a ref
    desk.codec.setup.untrusted = false;
    return status;
}

// Was it ever taken? What waits is the inbox's own to know.
Status Session::has(std::string_view agent, std::string_view mid, bool &seen) { return store_->has_mid_word(mid_word(agent, mid), seen); }

}  // namespace accp

// session/session_refs.cc

// See refs.h: what a reference stands for, in this session and in another one.


// The text of a reference, taken apart: see refs.h.


namespace accp {

inline bool find_tier(std::string_view name, Tier &tier, std::string_view &prefix) {
    prefix = {};
    if (name == "hot") tier = Tier::kHot;
    else if (name == "warm") tier = Tier::kWarm;
    else if (name == "cold") tier = Tier::kCold;
    else if (name == "ctx") tier = Tier::kWarm, prefix = kContextPrefix;
    else return false;
    return true;
}

// As a context and a frame spell it, or without its mark.
inline std::string_view unmarked(std::string_view ref) { return ref.substr(!ref.empty() && ref[0] == '$'); }

// "tier.key"; a bare key has no tier.
inline void split_ref(std::string_view ref, std::string_view &tier, std::string_view &key) {
    ref = unmarked(ref);
    size_t dot = ref.find('.');
    tier = dot == std::string_view::npos ? std::string_view() : ref.substr(0, dot);
    key = dot == std::string_view::npos ? ref : ref.substr(dot + 1);
}

inline bool is_ref_key(std::string_view key) {
    bool open = true;  // a label has yet to begin
    for (char c : key) {
        if (!is_word(static_cast<unsigned char>(c)) && (c != '.' || open)) return false;
        open = c == '.';
    }
    return !open;
}

inline bool is_numbered(std::string_view key, std::string_view name) {
    return key.size() > name.size() && key.substr(0, name.size()) == name &&
           key.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
}

// t7, m17: a key in cold that the session gives, once and for ever.
inline bool is_ours(std::string_view key) { return is_numbered(key, "t") || is_numbered(key, "m"); }

// What a session says of itself, which nobody else may put in place of.
inline bool is_given(std::string_view tier, std::string_view key) {
    if (tier == "cold") return is_ours(key);
    if (tier == "hot") return key == "state" || is_numbered(key, "m");
    return tier == "warm" && is_numbered(key, "ckpt_");
}

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

Status not_there() { return fail(ACCP_E2001, 0, "the reference names nothing"); }

// What the labels behind a key lead to, from the root of `tree`.
bool descend(TreeView tree, std::string_view labels, uint32_t &node) {
    for (node = 0; !labels.empty();) {
        size_t dot = labels.find('.');
        std::string_view label = labels.substr(0, dot);
        labels.remove_prefix(dot == std::string_view::npos ? labels.size() : dot + 1);
        uint32_t child = 0;
        if (tree[node].kind == ACCP_MAP) child = tree.find(node, label);
        if (tree[node].kind == ACCP_ARRAY) {
            uint32_t index = 0;
            bool whole = std::from_chars(label.data(), label.data() + label.size(), index).ptr == label.data() + label.size();
            if (whole && index < tree[node].len)
                for (child = node + 1; index; --index) child = tree[child].next;
        }
        if (!child) return false;
        node = child;
    }
    return true;
}

}  // namespace

// One key of one tier, whole, appended.
Status Session::lookup_key(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk,
                           Buffer<char> &out) {
    uint64_t place = 0;
    auto numbered = [&](char letter) {
        return key.size() > 1 && key[0] == letter &&
               std::from_chars(key.data() + 1, key.data() + key.size(), place).ptr == key.data() + key.size();
    };
    if (tier == "hot" && key == "state") {
        if (!from.state) return logged_state(from, desk, out);
        out.append(from.state->json().data(), from.state->json().size());
        return {};
    }
    if ((tier == "cold" || tier == "hot") && numbered('m')) return message_of(from.store, place, desk, out);
    Tier where;
    std::string_view prefix;
    if (!find_tier(tier, where, prefix)) return fail(ACCP_E2001, 0, "the tiers are hot, warm, cold and ctx");
    char name[kMostRefKeyBytes + kContextPrefix.size()];
    if (key.size() > kMostRefKeyBytes) return not_there();
    size_t len = prefix.copy(name, prefix.size());
    len += key.copy(name + len, key.size());
    Status status = from.store.blob(where, {name, len}, static_cast<uint64_t>(now_ms), desk.blob);
    if (status.ok()) status = get_cold(from.cold, desk.blob);
    if (status.ok()) out.append(desk.blob.data(), desk.blob.size());
    return status;
}

// The longest of the first labels that is a key there; what the labels behind it lead to.
Status Session::lookup(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    const size_t start = out.size();
    std::string_view whole = key;
    for (uint32_t labels = 0; labels < kMostRefLabels; ++labels) {
        Status status = lookup_key(from, tier, key, now_ms, desk, out);
        if (status.ok() && key.size() < whole.size()) status = cut_out(whole.substr(key.size() + 1), start, desk, out);
        if (status.code != ACCP_E2001) return status;
        out.resize_down(start);
        size_t dot = key.rfind('.');
        if (dot == std::string_view::npos) return status;
        key = key.substr(0, dot);
    }
    return not_there();
}

// Replaces the JSON from `start` on by the part of it that the labels lead to.
Status Session::cut_out(std::string_view labels, size_t start, Desk &desk, Buffer<char> &out) {
    Value &value = desk.state.old_state;
    Status status = desk.state.reader.read(out.data() + start, out.size() - start, {kMostTextBytes, kMostJsonDepth}, value);
    if (status.failed()) return status;
    uint32_t node = 0;
    if (!descend(value.view(), labels, node)) return not_there();
    out.resize_down(start);
    write_json(value.view(), node, out);
    return {};
}

// Is its frame no message, but the part that made one whole?
bool Session::is_end_of_parts(const Record &record, Desk &desk) {
    accp_envelope envelope;
    MessagePart part;
    bool is_part = false;
    return record.has_json() && !record.json.empty() && part_of(record.text, desk, envelope, part, is_part).ok() && is_part;
}

// Puts the mark of what comes from outside into a message, an object.
void Session::mark_untrusted(Buffer<char> &out) {
    while (out[out.size() - 1] != '}') out.resize_down(out.size() - 1);  // blanks
    out.resize_down(out.size() - 1);
    out.append(kUntrustedEnd.data(), kUntrustedEnd.size());
}

// The message of a record, in JSON; of one that came in with values in place of its refs, which are the sender's.
Status Session::message_of(StoreSession &store, uint64_t place, Desk &desk, Buffer<char> &out) {
    Record record;
    Status status = read_record(store, place, desk, desk.blob, record);
    if (status.failed()) return status;
    if (record.kind == RecordKind::kMessage) {
        out.append(record.text.data(), record.text.size());
        if (record.untrusted) mark_untrusted(out);
    } else if ((record.kind == RecordKind::kReceived && !record.json.empty()) || is_end_of_parts(record, desk)) {
        out.append(record.json.data(), record.json.size());
    } else if (record.has_json()) {
        desk.codec_inside.setup.untrusted = record.untrusted;
        return desk.codec_inside.decode(record.text.data(), record.text.size(), out);
    } else {
        return not_there();
    }
    return {};
}

Status Session::record(uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out) {
    Status status = current(desk);
    return status.ok() ? read_record(*store_, seq, desk, bytes, out) : status;
}

Status Session::read_record(StoreSession &store, uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out) {
    if (!seq || seq > store.row().last) return not_there();
    Status status = store.scan(seq, seq, false, 0, desk.records);
    if (status.failed()) return status;
    if (!desk.records.size()) return fail(ACCP_ERR_CORRUPT, 0, "a record is missing");
    bytes.clear();
    std::string_view found = desk.records[0].bytes;
    bytes.append(found.data(), found.size());
    return accp::read_record({bytes.data(), bytes.size()}, out) ? Status{} : fail(ACCP_ERR_CORRUPT, 0, "a record that is none");
}

Status Session::resolve(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = current(desk);
    return status.ok() ? resolve_now(ref, now_ms, desk, out) : status;
}

Status Session::resolve_now(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    if (!is_ref_key(key)) return not_there();
    const Reading own = {*store_, &live_->state, rules_.cold};
    if (!tier.empty()) return lookup(own, tier, key, now_ms, desk, out);
    Status status = lookup(own, "hot", key, now_ms, desk, out);
    return status.code == ACCP_E2001 ? lookup(own, "warm", key, now_ms, desk, out) : status;
}

Status Session::resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = current(desk);
    if (status.failed()) return status;
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    Tier where;
    if (tier == "hot" && is_numbered(key.substr(0, key.find('.')), "m")) tier = "cold";  // a message, whatever leads to it
    if (!find_tier(tier, where, prefix) || !prefix.empty())
        return fail(ACCP_E2001, 0, "the tiers of another session are hot, warm and cold");
    status = store_->check_grant(owner, where, key, static_cast<uint64_t>(now_ms));
    if (status.ok() && !is_ref_key(key)) status = not_there();
    StoreSession *opened = nullptr;
    if (status.ok()) status = all_->open_session(owner, false, opened);
    if (status.failed()) return status;
    struct Holder {
        StoreSession *held;
        ~Holder() { held->close(); }
    } holder = {opened};
    status = store_->check_grant(owner, where, key, static_cast<uint64_t>(now_ms));  // it may be another session of that id by now
    if (status.ok()) status = lookup({*opened, nullptr, rules_.cold}, tier, key, now_ms, desk, out);
    if (status.code != ACCP_ERR_CLOSED && status.code != ACCP_ERR_CORRUPT) return status;
    return opened->check().code == ACCP_ERR_CLOSED ? fail(ACCP_E5002, 0, "the session was erased, and its grants with it") : status;
}

}  // namespace accp

// session/session_send.cc

// See session.h: messages of ours, as frames or only as history.

namespace accp {

// Parts behind the first: the next mids and seqs.
class PartEnvelopes final : public EnvelopeSource {
public:
    PartEnvelopes(Session &session, std::string_view agent) : session_(session), agent_(agent) {}
    Status next(accp_envelope &envelope) override {
        Status status = session_.inbox_.may_send(agent_, ++count_ + 1);
        if (status.failed()) return status;
        envelope.mid = {mid_, kMidBytes};
        envelope.seq += count_;
        return session_.new_mid(agent_, mid_);
    }

private:
    Session &session_;
    std::string_view agent_;
    char mid_[kMidBytes];
    int64_t count_ = 0;
};

namespace {

bool is_request(std::string_view intent) { return intent == "req" || intent == "qry"; }

}  // namespace

// Never one that was there before: an earlier handle had another key, and others may send in the same session.
Status Session::new_mid(std::string_view agent, char *mid) {
    const uint64_t counters = rules_.issuer ? kIssuerCounters : kMidCounters;
    const Permutation permuted(counters, mid_key_);
    for (bool seen = true; seen;) {
        if (!format_mid(mid_letter_, rules_.issuer, permuted(mid_counter_++ % counters), mid))
            return fail(ACCP_ERR_ARG, 0, "an issuer is from 0 to 99");
        Status status = has(agent, {mid, kMidBytes}, seen);
        if (status.failed()) return status;
    }
    return {};
}

Status Session::address(std::string_view agent, int64_t now_ms, char *mid, accp_envelope &out) {
    Status status = inbox_.may_send(agent, 1);
    if (status.ok()) status = new_mid(agent, mid);
    out = {};
    out.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    out.mid = {mid, kMidBytes};
    out.seq = inbox_.next(agent);
    out.ts = now_ms / 1000;
    if (rules_.names_session) {
        out.fields |= ACCP_ENVELOPE_SID;
        out.sid = {id_.data(), id_.size()};
    }
    return status;
}

// Frames that wait go first where our last one was what they waited for (both sides may count together): not behind it at once, as its record is the last one
// then. Their messages may take the place of the texts of this call, if these were handed out; so those are copied.
Status Session::let_pass(int64_t now_ms, Desk &desk, std::initializer_list<std::string_view *> texts, Buffer<char> &copies) {
    if (!has_ready()) return {};
    size_t size = 0;
    for (const std::string_view *text : texts) size += text->size();
    copies.room(size);
    for (std::string_view *text : texts) {
        const char *copy = copies.end();
        copies.append(text->data(), text->size());
        *text = {copy, text->size()};
    }
    Status status = release(now_ms, desk);
    return status.ok() ? settle() : status;  // whatever becomes of the call, they are handed out
}

Status Session::send(std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    Buffer<char> copies(desk.memory);
    status = let_pass(now_ms, desk, {&json}, copies);
    if (status.ok()) status = send_now(json, now_ms, desk, out);
    return status.ok() ? settle() : status;
}

Status Session::send_now(std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    MessageView message;
    Status status = read_message(json, desk, message);
    if (status.failed()) return status;
    char mid[kMidBytes];
    accp_envelope envelope;
    status = address(message.agent, now_ms, mid, envelope);
    if (status.failed()) return status;
    const bool untrusted = message.untrusted || is_untrusted(message.agent);
    inbox_.prepare();
    SessionRefs refs(*this, desk, now_ms, Owner::kOurs);
    const size_t start = out.size();
    status = encode(json, message.agent, envelope, refs, desk, out);
    if (status.ok()) status = keep_sent({out.data() + start, out.size() - start}, refs.next_key(), untrusted, now_ms, desk);
    if (status.failed()) out.resize_down(start);
    return status;
}

Status Session::encode(std::string_view json, std::string_view agent, const accp_envelope &envelope, SessionRefs &refs, Desk &desk,
                       Buffer<char> &out) {
    Codec &codec = desk.codec;
    Status status = codec.coder.envelope.set(&envelope, desk.settings.limit(ACCP_LIMIT_KEY_BYTES));
    if (status.failed()) return status;
    codec.coder.envelope.reserve_fields(ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS | ACCP_ENVELOPE_SID);
    codec.setup.keeper = rules_.shares_store ? &refs : nullptr;
    codec.setup.counter = rules_.most_tokens ? &desk.counter : nullptr;
    codec.setup.most_tokens = rules_.most_tokens;
    PartEnvelopes parts(*this, agent);
    codec.setup.envelopes = rules_.parts ? &parts : nullptr;
    status = codec.encode(json.data(), json.size(), out);
    codec.setup.envelopes = nullptr;
    codec.setup.keeper = nullptr;
    Status none = codec.coder.envelope.set(nullptr, 0);
    return status.ok() ? none : status;
}

// What goes out, perhaps in parts with a newline between two, is read as the other side will read it: both have the same of it.
Status Session::keep_sent(std::string_view frames, uint64_t next_key, bool untrusted, int64_t now_ms, Desk &desk) {
    const bool in_parts = frames.find('\n') != std::string_view::npos;
    std::string_view text = frames, last = frames.substr(frames.rfind('\n') + 1);
    Status status = in_parts ? join_sent(frames, desk) : Status{};
    if (in_parts) text = {desk.text.data(), desk.text.size()};
    Frame sent;
    if (status.ok()) status = read_frame(last, now_ms, untrusted, desk, sent);
    if (status.ok()) status = speak_as(sent.arrival.agent);
    if (status.ok()) status = decode(text, Owner::kOurs, untrusted, now_ms, desk);
    if (status.ok()) status = check(sent, desk);
    if (status.failed()) return status;
    const std::string_view chain = chain_of(sent.arrival.envelope);
    const bool waits = rules_.deadline_ms && is_request(sent.arrival.intent);
    if (waits) status = live_->pending.requests.may_start({chain.data(), chain.size()});
    uint64_t place = store_->row().last;
    checkpointed_ = false;
    for (size_t at = 0; status.ok() && at < frames.size();) {
        const std::string_view frame = frames.substr(at, frames.find('\n', at) - at);
        at += frame.size() + 1;
        const bool ends = at > frames.size();
        status = read_frame(frame, now_ms, untrusted, desk, sent);
        if (status.failed()) break;
        const RecordKind kind = !ends ? RecordKind::kPartSent : waits ? RecordKind::kRequest : RecordKind::kSent;
        Record record = {kind, static_cast<uint64_t>(now_ms), next_key, 0, {}, ends ? kept_message(in_parts, desk) : "", frame};
        record.patience = rules_.deadline_ms;
        record.untrusted = untrusted;
        status = add(record, &sent.arrival, ++place, desk);
    }
    return status.ok() ? write(place, desk) : status;
}

Status Session::append(std::string_view json, int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    MessageView message;
    status = read_message(json, desk, message);
    if (status.ok() && message.intent == "cancel") status = check_chain(message);
    if (status.failed()) return status;
    Record record = {RecordKind::kMessage, static_cast<uint64_t>(now_ms), live_->next_key, 0, {}, {}, json};
    record.untrusted = !message.untrusted && is_untrusted(message.agent);
    status = keep(record, nullptr, desk, &message);
    return status.ok() ? settle() : status;
}

Status Session::send_state(std::string_view agent, std::string_view json, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    Buffer<char> copies(desk.memory);
    status = let_pass(now_ms, desk, {&agent, &json}, copies);
    if (status.failed()) return status;
    const JsonLimits limits = {desk.settings.limit(ACCP_LIMIT_JSON_BYTES), kMostJsonDepth};
    status = desk.reader.read(json.data(), json.size(), limits, desk.message);
    if (status.failed()) return status;
    TreeView next = desk.message.view();
    if (next[0].kind != ACCP_MAP) return fail(ACCP_E1004, 0, "a state is an object");
    desk.text.clear();
    auto put = [&](std::string_view text) { desk.text.append(text.data(), text.size()); };
    put(R"({"agent":)");
    write_json_string(agent, desk.text);
    put(R"(,"intent":"sync","operation":"state","payload":)");
    bool changed = false;
    status = live_->state.write_change(next, 0, rules_.merges, desk.state, desk.text, changed);
    put("}");
    if (status.failed()) return move_to(status, 0);
    if (!changed) return {};
    status = send_now({desk.text.data(), desk.text.size()}, now_ms, desk, out);
    return status.ok() ? settle() : move_to(status, 0);  // the text is ours, and so is the place in it
}

}  // namespace accp

// session/session_waiting.cc

// See session.h: frames that wait for an earlier one, and the queue of what next() hands out.

namespace accp {

namespace {

constexpr const char *kMissing = "frames before this one are missing";
constexpr const char *kPassed = "another frame has this seq: send it anew under the next, or set rule by_sender";
constexpr const char *kOurs = "its agent is the host's own since";

}  // namespace

// A state has come that closes a gap: what waits below it is applied, whatever is missing.
Status Session::give_up_gap(Frame &frame, int64_t now_ms, Desk &desk) {
    while (const Inbox::Held *held = inbox_.below(frame.arrival.agent, frame.arrival.envelope.seq)) {
        Status status = take_waiting(*held, now_ms, desk);
        if (status.failed()) return status;
    }
    return read_frame(frame.text, now_ms, frame.arrival.untrusted, desk, frame);
}

Status Session::release_waiting(int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    status = release(now_ms, desk);
    return status.ok() ? settle() : status;
}

Status Session::hold(const Frame &frame, bool new_gap) {
    delivered_.room(kMostDelivery);
    inbox_.hold(frame.arrival, frame.text);
    if (new_gap) deliver(ACCP_E3003, frame.arrival.envelope.seq, {}, kMissing);
    return fail(ACCP_HELD, 0, "it waits for an earlier frame");
}

// Frames that waited, now that it is their turn.
Status Session::release(int64_t now_ms, Desk &desk) {
    while (const Inbox::Held *held = inbox_.ready()) {
        Status status = take_waiting(*held, now_ms, desk);
        if (status.failed()) return status;
    }
    return {};
}

// Another frame with its number, one of ours perhaps, came before it: where agents count together, the other side sends it again under another.
Status Session::pass_by(const Inbox::Held &held) {
    delivered_.room(kMostDelivery);
    deliver(ACCP_E3003, held.seq, {}, kPassed);
    inbox_.drop(&held);
    return {};
}

Status Session::take_waiting(const Inbox::Held &held, int64_t now_ms, Desk &desk) {
    if (inbox_.is_used(held.agent(), held.seq)) return pass_by(held);
    Frame frame;
    delivered_.room(kMostDelivery);
    Status status = is_own_agent(held.agent()) ? fail(ACCP_E5001, 0, kOurs) : read_frame(held.text(), now_ms, held.untrusted, desk, frame);
    if (status.ok()) status = inbox_.is_expired(frame.arrival) ? use_up(frame, false, desk) : take(frame, desk);
    if (status.code < 0) return status;
    if (is_refused(status)) deliver(status.code, held.seq, {}, status.message);
    inbox_.drop(&held);
    return {};
}

void Session::deliver(accp_status status, int64_t seq, std::string_view json, const char *reason, bool untrusted) {
    Packer packer(delivered_);
    packer.number(static_cast<uint64_t>(status));
    packer.number(static_cast<uint64_t>(seq));
    packer.number(reinterpret_cast<uintptr_t>(reason));
    packer.number(untrusted);
    packer.text(json);
}

bool Session::next(Delivered &out) {
    if (peek(handed_out_, out)) return true;
    delivered_.recycle(kKeptBytes);
    handed_out_ = 0;
    return false;
}

bool Session::peek(size_t &place, Delivered &out) const {
    std::string_view rest(delivered_.data() + place, delivered_.size() - place);
    if (rest.empty()) return false;
    Unpacker unpacker(rest);
    out.status = static_cast<accp_status>(unpacker.number());
    out.seq = static_cast<int64_t>(unpacker.number());
    out.reason = reinterpret_cast<const char *>(static_cast<uintptr_t>(unpacker.number()));
    out.untrusted = unpacker.number() != 0;
    out.json = unpacker.text();
    place = delivered_.size() - unpacker.rest().size();
    return true;
}

}  // namespace accp

// session/shared_state.cc

// See shared_state.h: a change on its way in.



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

// The parts of a payload, 0 where there is none.
struct Parts {
    uint32_t version, state, delta, merge, removed, hash;
};

Status read_parts(TreeView tree, uint32_t payload, Parts &out) {
    out = {tree.find(payload, "version"), tree.find(payload, "state"), tree.find(payload, "delta"),
           tree.find(payload, "merge"),   tree.find(payload, "rm"),    tree.find(payload, "sh")};
    auto is = [&](uint32_t node, uint8_t kind) { return !node || tree[node].kind == kind; };
    if (!out.version || !is(out.version, ACCP_INT)) return fail(ACCP_E1004, out.version, "a state has a version, an integer");
    if (!out.state && !out.delta && !out.merge) return fail(ACCP_E1004, payload, "a state comes whole, as a delta or as a merge");
    for (uint32_t map : {out.state, out.delta, out.merge})
        if (!is(map, ACCP_MAP)) return fail(ACCP_E1004, map, "state, delta and merge are maps");
    if (out.state && (out.delta || out.merge)) return fail(ACCP_E1004, out.state, "a whole state and a change to one");
    if (!is(out.removed, ACCP_ARRAY)) return fail(ACCP_E1004, out.removed, "rm is an array of keys");
    if (!is(out.hash, ACCP_STRING)) return fail(ACCP_E1004, out.hash, "sh is hexadecimal text");
    return {};
}

Status read_version(TreeView tree, uint32_t node, int64_t &out) {
    std::string_view digits = tree.string(node);
    bool whole = std::from_chars(digits.data(), digits.data() + digits.size(), out).ec == std::errc{} && out > 0 && out <= kMaxSeq;
    return whole ? Status{} : fail(ACCP_E1004, node, "a version is from 1 to 2^63 - 2");
}

// A delta's own changes, its merges and its removals, told apart.
Status read_changes(TreeView tree, const Parts &parts, Changes &out) {
    if (parts.delta) out.add_all(tree, parts.delta, Change::kSet, !parts.removed);
    if (parts.merge) out.add_all(tree, parts.merge, Change::kMerge, false);
    for (uint32_t i = parts.removed + 1; parts.removed && i < tree[parts.removed].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING) return fail(ACCP_E1004, i, "rm is an array of keys");
        out.add(tree.string(i), i, Change::kRemove);
    }
    uint32_t twice = out.sort();
    if (twice) return fail(ACCP_E1004, out[twice].node, "a member that is changed twice");
    for (uint32_t i = parts.merge + 1; parts.merge && i < tree[parts.merge].next; i = tree[i].next)
        if (tree[i].kind != ACCP_MAP) return fail(ACCP_E1004, i, "merge has maps");
    return {};
}

// A row of `merge` over the old row (0: there is none).
Status merge_row(TreeView old, uint32_t row, TreeView tree, uint32_t cells, SharedState::Desk &desk, Buffer<char> &out) {
    if (row && old[row].kind != ACCP_MAP) return fail(ACCP_E1004, cells, "merge meets a member that is no map");
    Arena::Mark mark = desk.arena.mark();
    Changes changes(desk.arena, tree[cells].len);
    changes.add_all(tree, cells, Change::kSet, true);
    changes.sort();
    Members members(out);
    for (uint32_t i = row + 1; row && i < old[row].next; i = old[i].next) {
        Change *change = changes.find(old.key(i));
        if (change) change->done = true;
        if (!change) members.add(old, i);
        else if (change->kind == Change::kSet) members.add(tree, change->node);
    }
    for (uint32_t i = cells + 1; i < tree[cells].next; i = tree[i].next)
        if (Change *change = changes.find(tree.key(i)); !change->done && change->kind == Change::kSet) members.add(tree, i);
    members.end();
    desk.arena.rewind(mark);
    return {};
}

// All changes over the old state, whose members keep their places.
Status overlay(TreeView old, TreeView tree, const Parts &parts, Changes &changes, SharedState::Desk &desk, Buffer<char> &out) {
    Members members(out);
    auto put = [&](uint32_t was, const Change &change) -> Status {
        if (change.kind == Change::kSet) members.add(tree, change.node);
        if (change.kind != Change::kMerge) return {};
        members.key(change.key);
        return merge_row(old, was, tree, change.node, desk, out);
    };
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        Change *change = changes.find(old.key(i));
        if (change) change->done = true;
        else members.add(old, i);
        Status status = change ? put(i, *change) : Status{};
        if (status.failed()) return status;
    }
    for (uint32_t map : {parts.delta, parts.merge}) {
        for (uint32_t i = map + 1; map && i < tree[map].next; i = tree[i].next) {
            Change *change = changes.find(tree.key(i));
            Status status = change->done ? Status{} : put(0, *change);
            if (status.failed()) return status;
        }
    }
    members.end();
    return {};
}

}  // namespace

Status SharedState::read_state(Desk &desk) const {
    std::string_view text = json();
    return desk.reader.read(text.data(), text.size(), {kMostSharedBytes, kMostJsonDepth}, desk.old_state);
}

Status SharedState::apply(TreeView tree, uint32_t payload, int64_t jump, Desk &desk) {
    Parts parts;
    Status status = read_parts(tree, payload, parts);
    if (status.ok()) status = read_version(tree, parts.version, next_version_);
    if (status.failed()) return status;
    desk.arena.reset();
    next_.clear();
    if (parts.state) {
        if (next_version_ < version_) return fail(ACCP_E3003, parts.version, "a state that is older than ours");
        if (next_version_ - version_ > jump)
            return fail(ACCP_E3003, parts.version, "a state that passes more versions than rule jump allows");
        write_json(tree, parts.state, next_);
    } else {
        if (next_version_ != version_ + 1) return fail(ACCP_E3003, parts.version, "a change to a state that we do not have");
        status = read_state(desk);
        auto count = [&](uint32_t node) { return node ? tree[node].len : 0; };
        Changes changes(desk.arena, count(parts.delta) + count(parts.merge) + count(parts.removed));
        if (status.ok()) status = read_changes(tree, parts, changes);
        if (status.ok()) status = overlay(desk.old_state.view(), tree, parts, changes, desk, next_);
        if (status.failed()) return status;
    }
    if (next_.size() > kMostSharedBytes) return fail_limit(next_.size(), kMostSharedBytes, "too many bytes in the shared state: keep large values as refs", payload);
    return parts.hash ? check_result(tree, parts.hash, desk) : Status{};
}

Status SharedState::check_result(TreeView tree, uint32_t hash, Desk &desk) const {
    std::string_view wanted = tree.string(hash);
    if (wanted.size() < kLeastHashDigits || wanted.size() > sizeof(Digest::hex) - 1)
        return fail(ACCP_E1004, hash, "sh has from 12 to 64 hexadecimal digits");
    Status status = desk.reader.read(next_.data(), next_.size(), {kMostSharedBytes, kMostJsonDepth}, desk.old_state);
    if (status.failed()) return move_to(status, hash);
    desk.left.clear();
    status = write_hash_form(desk.old_state.view(), 0, desk.arena, desk.left);
    if (status.failed()) return move_to(status, hash);
    bool same = sha256({desk.left.data(), desk.left.size()}).first(wanted.size()) == wanted;
    return same ? Status{} : fail(ACCP_E3003, hash, "what comes out is not the state that was meant");
}

void SharedState::take() {
    json_.clear();
    json_.append(next_.data(), next_.size());
    next_.recycle(0);
    version_ = next_version_;
}

void SharedState::restore(int64_t version, std::string_view json) {
    json_.clear();
    json_.append(json.data(), json.size());
    version_ = version;
}

}  // namespace accp

// capi/accp_batch.cc

// The batches of include/accp/frame.h and json.h.

// The border between the C face and C++: the only try and catch of the library, outermost in every function that can fail.



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

// Calls `work` for every line of a text: its status makes the record, which `work` completes.
template <class Work>
accp_status each_line(accp_batch *batch, const char *text, size_t text_len, accp_error *err, Work work) noexcept {
    if (!batch) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, batch->out)) return refuse(err, kOwnText);
    accp_status code = guard(err, [&] {
        batch->clear();
        for (size_t at = 0; at < text_len;) {
            auto *newline = static_cast<const char *>(std::memchr(text + at, '\n', text_len - at));
            size_t len = (newline ? static_cast<size_t>(newline - text) : text_len) - at;
            accp_record record = {};
            record.offset = at;
            record.len = len;
            Status status = work(text + at, len, record);
            record.status = status.code;
            record.error_offset = status.offset;
            record.message = status.message;
            batch->records.push(record);
            at += len + 1;
        }
        return Status{};
    });
    if (code != ACCP_OK) batch->clear();
    return code;
}

// Results lie in the output, each with a newline behind it; a refused record has none.
void record_output(accp_batch *batch, size_t start, const Status &status, accp_record &record) {
    record.offset = start;
    record.len = batch->out.size() - start;
    if (status.ok()) batch->out.push('\n');
}

}  // namespace

extern "C" {

accp_status accp_batch_new(const accp_options *options, accp_batch **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_coding_handle<accp_batch>(options);
        return Status{};
    });
}

void accp_batch_free(accp_batch *batch) noexcept { end_handle(batch); }

accp_status accp_batch_parse(accp_batch *batch, const char *text, size_t text_len, accp_error *err) noexcept {
    return each_line(batch, text, text_len, err, [batch](const char *line, size_t len, accp_record &record) {
        record.first_node = batch->nodes.size();
        Status status = batch->coder.parse(line, len, batch->nodes);
        record.node_count = static_cast<uint32_t>(batch->nodes.size() - record.first_node);
        return status;
    });
}

accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len, accp_error *err) noexcept {
    return each_line(batch, text, text_len, err, [batch](const char *line, size_t len, accp_record &record) {
        if (len && line[len - 1] == '\r') --len;
        size_t start = batch->out.size();
        Status status = batch->coder.encode(line, len, batch->out);
        record_output(batch, start, status, record);
        return status;
    });
}

accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len, accp_error *err) noexcept {
    return each_line(batch, text, text_len, err, [batch](const char *line, size_t len, accp_record &record) {
        size_t start = batch->out.size();
        batch->scratch.clear();
        Status status = batch->coder.decode(line, len, batch->scratch, batch->out);
        record_output(batch, start, status, record);
        return status;
    });
}

const accp_record *accp_batch_records(const accp_batch *batch, size_t *count_out) noexcept {
    static constexpr accp_record kNone = {};
    if (count_out) *count_out = batch ? batch->records.size() : 0;
    if (!batch) return nullptr;
    return batch->records.empty() ? &kNone : batch->records.data();
}

const accp_node *accp_batch_nodes(const accp_batch *batch, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = batch ? batch->nodes.size() : 0;
    if (!batch) return nullptr;
    return batch->nodes.empty() ? &kNone : batch->nodes.data();
}

const char *accp_batch_text(const accp_batch *batch, size_t *len_out) noexcept {
    if (len_out) *len_out = batch ? batch->out.size() : 0;
    if (!batch) return nullptr;
    return batch->out.data() ? batch->out.data() : "";
}

}  // extern "C"

// capi/accp_codec.cc

// include/accp/codec.h.


// What stands behind accp_codec, and the frame of every call that makes a text.


// A host's resolver of refs as what codec and sessions ask.


namespace accp {

struct HostResolver final : RefResolver {
    Status resolve(std::string_view ref, std::string_view &json) override {
        const char *text = nullptr;
        size_t len = 0;
        const accp_status code = call(ref.data(), ref.size(), &text, &len, user);
        Status status = host_answer(code, "the resolver does not answer with a value");
        if (status.failed()) return status;
        if (!text) return fail(ACCP_ERR_ARG, 0, "a resolver that answers with no text");
        json = {text, len};
        return {};
    }
    accp_resolve_function call = nullptr;
    void *user = nullptr;
};

}  // namespace accp

// A registry that several hold at once: sessions, codecs, a negotiation and the caller, on any thread. Constant but for the count of its owners.



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

// The host's callbacks as what the codec asks.
struct HostKeeper final : ValueKeeper {
    Status keep(std::string_view json, std::string_view &ref) override {
        const char *text = nullptr;
        size_t len = 0;
        Status status = host_answer(call(json.data(), json.size(), &text, &len, user), "the keeper has failed");
        if (status.failed()) return status;
        ref = {text ? text : "", text ? len : 0};
        return {};
    }
    accp_keep_function call = nullptr;
    void *user = nullptr;
};

struct HostEnvelopes final : EnvelopeSource {
    Status next(accp_envelope &envelope) override { return host_answer(call(&envelope, user), "no envelope for a part"); }
    accp_envelope_function call = nullptr;
    void *user = nullptr;
};

}  // namespace accp

struct accp_codec {
    explicit accp_codec(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          codec(memory, settings),
          out(memory),
          json(memory),
          redacted(memory),
          arena(memory),
          nodes(memory),
          reader(memory),
          message(memory),
          log(memory, settings) {}

    void use(accp::RegistryRef next) {
        registry = static_cast<accp::RegistryRef &&>(next);
        codec.setup.registry = registry ? &*registry : nullptr;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::Codec codec;
    accp::Buffer<char> out;
    accp::RegistryRef registry;
    accp::HostResolver resolver;
    accp::HostKeeper keeper;
    accp::HostEnvelopes envelopes;
    // Of the calls that make a message, or look at one.
    accp::Buffer<char> json, redacted;
    accp::Arena arena;
    accp::Buffer<accp::Node> nodes;
    accp::JsonReader reader;
    accp::Value message;
    accp::CodecLog log;
    bool busy = false;  // a hook of the host is running, perhaps
};

namespace accp {

constexpr const char *kNoRegistry = "the codec has no registry";
constexpr const char *kBusy = "a hook may not call the codec that it was called by";

// Runs `act`, which appends to codec->out, and hands that out.
template <class Act>
accp_status work(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out, accp_error *err,
                 Act act) noexcept {
    if (!codec || !out || !len_out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (codec->busy) return report(fail(ACCP_ERR_BUSY, 0, kBusy), err);
    if (lies_in(text, codec->out)) return refuse(err, kOwnText);
    codec->busy = true;
    const accp_status result = guard(err, [&] {
        codec->out.recycle(kKeptBytes);
        Status status = act(text ? text : "");
        if (status.failed()) return status;
        *out = codec->out.data();
        *len_out = codec->out.size();
        return status;
    });
    codec->busy = false;
    return result;
}

// Encodes a message, or decodes a frame, into codec->out, and tells the log.
inline Status encode(accp_codec &codec, const char *json, size_t len) {
    Status status = codec.codec.encode(json, len, codec.out);
    if (!codec.log.hook) return status;
    if (status.failed()) codec.log.tell(ACCP_SENT, status);
    else codec.log.tell(ACCP_SENT, {json, len}, {codec.redacted.data() ? codec.redacted.data() : "", codec.redacted.size()});
    return status;
}
inline Status decode(accp_codec &codec, const char *text, size_t len) {
    Status status = codec.codec.decode(text, len, codec.out);
    if (!codec.log.hook || status.code == ACCP_HELD) return status;
    if (status.failed()) codec.log.tell(ACCP_RECEIVED, status);
    else
        codec.log.tell(ACCP_RECEIVED, {codec.out.data(), codec.out.size()},
                       {codec.redacted.data() ? codec.redacted.data() : "", codec.redacted.size()});
    return status;
}

}  // namespace accp

// What stands behind accp_tokenizer and accp_counter.


// Counts a text while it grows. Pieces far enough from the end can never change again: they are counted once and forgotten. What is kept is the
// text from the last such place on, as valid UTF-8, and the first bytes of a character that is not whole yet.


namespace accp {

class GrowingCount {
public:
    GrowingCount(Memory &memory, TokenCounter &counter) : counter_(counter), tail_(memory) {}

    void append(std::string_view text);
    Status total(uint64_t &out);
    void reset();

private:
    static constexpr size_t kSettleBytes = 64 << 10;  // so much unsettled text is worth a walk even if nobody asks

    uint64_t settle();

    TokenCounter &counter_;
    Buffer<char> tail_;
    uint64_t settled_ = 0;  // tokens of what is not in tail_ any more
    size_t due_ = kSettleBytes;
    char open_[4];  // a character that was begun, open_size_ bytes of it
    size_t open_size_ = 0;
};

}  // namespace accp

// Vocabularies of other models, from the texts that they are published as. Reading the file is the host's.


// From the tokens of a file to a vocabulary in memory. Tokens are added in the order in which they merge; each is merged by those before it, and must
// come out as two. Others are kept apart: no merge makes them, and only a whole piece can be one (DECISIONS D31).



// Makes an image (image.h) out of merges: at build time for the vocabularies that are linked in, at run time for one that a host loads.


namespace accp {

struct Merge {
    uint32_t left, right;
};

// Writes the image of `merges`, of which merge i is token 256 + i and names only tokens below itself. byte_token: the token of every byte.
void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count, Buffer<char> &image);

}  // namespace accp

namespace accp {

// What a loaded tokenizer owns.
struct LoadedVocabulary {
    explicit LoadedVocabulary(Memory &memory)
        : image(memory), ids(memory), by_id(memory), whole(memory), specials(memory), text(memory), special_text(memory) {}

    Buffer<char> image;
    Buffer<uint32_t> ids;        // of the tokens by number, as the file has them; empty where they are the numbers
    Buffer<uint32_t> by_id;      // the numbers, by id
    Buffer<SpecialToken> whole;  // tokens that only a whole piece can be, by text
    Buffer<SpecialToken> specials;
    Buffer<char> text;          // of `whole`; reserved before it is pointed into
    Buffer<char> special_text;  // likewise
};

class VocabularyMaker {
public:
    static constexpr size_t kLongest = 1024;  // bytes of a token: merging it to find its split is quadratic

    VocabularyMaker(Memory &memory, size_t tokens);

    // The token of a byte. False where it has one.
    bool add_byte(char byte, uint32_t id);
    bool has_every_byte() const { return bytes_ == kByteTokens; }
    // The next token, whose left part has `left` bytes; 0: whatever its split is. After all bytes.
    Status add(std::string_view token, size_t left, uint32_t id);
    // Is the token made by the merges so far?
    bool is_made(std::string_view token) { return split(token) == 1; }

    // Makes `out` and points `tokenizer` at it. whole: a piece that is a token is that token, even if no merge makes it.
    Status finish(bool whole, LoadedVocabulary &out, Tokenizer &tokenizer);

private:
    struct Late {
        std::string_view token;
        size_t left;
        uint32_t id;
    };

    uint32_t *slot(uint64_t key);
    size_t split(std::string_view token);
    bool in_two(size_t left) const { return !left || length_[parts_[0]] == left; }
    void write_ids(LoadedVocabulary &out, Tokenizer &tokenizer) const;

    Memory &memory_;
    uint32_t byte_token_[kByteTokens];
    uint32_t bytes_ = 0;
    Buffer<uint64_t> keys_;  // open addressing: pair_key + 1, and the merge that it is
    Buffer<uint32_t> values_;
    Buffer<Merge> merges_;
    Buffer<uint32_t> ids_, length_;  // by token
    Buffer<Late> late_;
    uint32_t parts_[kLongest];  // what split() left
};

}  // namespace accp

namespace accp {

// Lines of Base64, a space and a rank. The tokenizer's pattern is the caller's to set.
Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out, Tokenizer &tokenizer);

// A tokenizer.json with byte-level BPE, its pattern and its added tokens.
Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out, Tokenizer &tokenizer);

}  // namespace accp

struct accp_tokenizer {
    explicit accp_tokenizer(const accp::Settings &from)
        : settings(from), memory(settings.allocator, UINT64_MAX), name(memory), loaded(memory) {}

    void set_name(std::string_view text) {
        name.append(text.data(), text.size());
        name.push('\0');
        tokenizer.name = {name.data(), text.size()};
    }
    bool has_ids() const { return tokenizer.kind == accp::TokenizerKind::kVocabulary; }

    accp::Settings settings;
    accp::Memory memory;  // used by the thread that makes it, and not after
    accp::Buffer<char> name;
    accp::LoadedVocabulary loaded;  // empty where the vocabulary is built in
    accp::Tokenizer tokenizer;
};

struct accp_counter {
    explicit accp_counter(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          counter(memory),
          growing(memory, counter),
          ids(memory),
          text(memory) {}

    void recycle() {
        counter.recycle();
        ids.recycle(accp::kKeptBytes);
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::TokenCounter counter;
    accp::GrowingCount growing;
    accp::Buffer<uint32_t> ids;
    accp::Buffer<char> text;
};

using namespace accp;

namespace {

constexpr const char *kNoParts = "messages in parts need q1";
constexpr std::string_view kMark("defaults", sizeof "defaults");  // with their NUL, as the names to ignore have

Settings settings_for(const accp_options *options, bool registry, uint32_t extensions) {
    Settings settings = settings_of(options);
    settings.extensions = extensions ? extensions | ACCP_EXT_Q1 : extensions;
    settings.abbreviate = settings.abbreviate && !registry;
    return settings;
}

}  // namespace

extern "C" {

accp_status accp_codec_new(const accp_options *options, const accp_registry *registry, uint32_t extensions, accp_codec **out,
                           accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;
    if (!out) return refuse(err, kNoHandle);
    if (extensions & ~kAll) return refuse(err, "no such extension");
    if (!registry && (extensions & ACCP_EXT_P1)) return refuse(err, "payloads by position need a registry");
    return guard(err, [&] {
        struct Holder {
            accp_codec *held;
            ~Holder() { end_handle(held); }
        } holder = {make_handle<accp_codec>(settings_for(options, registry, extensions))};
        if (options) holder.held->codec.coder.ignored.append(options->ignored.data(), options->ignored.size());
        holder.held->codec.coder.ignored.append(kUntrustedName.data(), kUntrustedName.size());
        holder.held->use(RegistryRef(accp_registry_share(registry)));
        *out = holder.held;
        holder.held = nullptr;
        return Status{};
    });
}

void accp_codec_free(accp_codec *codec) noexcept { end_handle(codec); }

accp_status accp_codec_set_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (!codec->registry) return refuse(err, kNoRegistry);
    const Schema *schema = text_len ? codec->registry->by_code({text, text_len}) : nullptr;
    if (text_len && !schema) return report(fail(ACCP_E1003, 0, "no schema has this code"), err);
    codec->codec.setup.schema = schema;
    return ACCP_OK;
}

accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    return guard(err, [&] { return codec->codec.coder.envelope.set(envelope, codec->settings.limit(ACCP_LIMIT_KEY_BYTES)); });
}

accp_status accp_codec_set_counter(accp_codec *codec, accp_counter *counter, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->codec.setup.counter = counter ? &counter->counter : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_most_tokens(accp_codec *codec, uint64_t most_tokens, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->codec.setup.most_tokens = most_tokens;
    return ACCP_OK;
}

accp_status accp_codec_set_resolver(accp_codec *codec, accp_resolve_function resolve, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->resolver.call = resolve;
    codec->resolver.user = user;
    codec->codec.setup.resolver = resolve ? &codec->resolver : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_keeper(accp_codec *codec, accp_keep_function keep, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->keeper.call = keep;
    codec->keeper.user = user;
    codec->codec.setup.keeper = keep ? &codec->keeper : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_inline_characters(accp_codec *codec, uint64_t characters, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->codec.setup.inline_characters = characters;
    return ACCP_OK;
}

accp_status accp_codec_set_splitting(accp_codec *codec, accp_envelope_function next, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (next && !codec->settings.has(ACCP_EXT_Q1)) return refuse(err, kNoParts);
    codec->envelopes.call = next;
    codec->envelopes.user = user;
    codec->codec.setup.envelopes = next ? &codec->envelopes : nullptr;
    return ACCP_OK;
}

accp_status accp_codec_set_reassembly(accp_codec *codec, int on, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (on && !codec->settings.has(ACCP_EXT_Q1)) return refuse(err, kNoParts);
    codec->codec.setup.reassembles = on != 0;
    return ACCP_OK;
}

accp_status accp_codec_abandon(accp_codec *codec, const char *cid, size_t cid_len, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (!is_text(cid, cid_len)) return refuse(err, kNoText);
    codec->codec.sequences.abandon({cid ? cid : "", cid_len});
    return ACCP_OK;
}

accp_status accp_codec_set_mark_defaults(accp_codec *codec, int on, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    return guard(err, [&] {
        Buffer<char> &ignored = codec->codec.coder.ignored;
        bool &marked = codec->codec.setup.mark_defaults;
        if (on && !marked) ignored.append(kMark.data(), kMark.size());
        if (!on && marked) ignored.resize_down(ignored.size() - kMark.size());
        marked = on != 0;
        return Status{};
    });
}

accp_status accp_codec_register_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (!codec->registry) return refuse(err, kNoRegistry);
    if (codec->busy) return report(fail(ACCP_ERR_BUSY, 0, kBusy), err);
    accp_registry *made = nullptr;
    accp_status status = accp_registry_add(codec->registry.get(), text, text_len, &made, err);
    if (status != ACCP_OK) return status;
    RegistryRef next(made);
    const Schema *&schema = codec->codec.setup.schema;
    const Schema *same = schema ? next->by_code(schema->code) : nullptr;
    if (schema && !same) return report(fail(ACCP_E1003, 0, "the codec's own schema would be gone"), err);
    schema = same;
    codec->use(static_cast<RegistryRef &&>(next));
    return ACCP_OK;
}

const accp_registry *accp_codec_registry(const accp_codec *codec) noexcept { return codec ? codec->registry.get() : nullptr; }

accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    return work(codec, text, text_len, out, len_out, err, [&](const char *from) { return encode(*codec, from, text_len); });
}

accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    return work(codec, text, text_len, out, len_out, err, [&](const char *from) { return decode(*codec, from, text_len); });
}

uint64_t accp_codec_parts(const accp_codec *codec) noexcept { return codec ? codec->codec.parts() : 0; }

uint64_t accp_codec_kept(const accp_codec *codec) noexcept { return codec ? codec->codec.kept() : 0; }

accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    FrameTokens tokens = {};
    const accp_status status = codec ? guard(err, [&] { return codec->codec.count_parts(tokens); }) : accp_status{ACCP_OK};
    if (status != ACCP_OK) return status;
    auto part = [](uint64_t count, const TokenLimit &limit) { return accp_part_budget{count, limit.soft, limit.hard}; };
    *out = {part(tokens.header, kHeaderTokens), part(tokens.body, kBodyTokens), part(tokens.metadata, kMetadataTokens),
            part(tokens.total, kFrameTokens)};
    return ACCP_OK;
}

accp_status accp_codec_tokens(accp_codec *codec, accp_frame_tokens *out, accp_error *err) noexcept {
    if (!codec || !out) return refuse(err, kNoHandle);
    FrameTokens tokens = {};
    const accp_status status = guard(err, [&] { return codec->codec.count_parts(tokens); });
    if (status != ACCP_OK) return status;
    *out = {tokens.header, tokens.body, tokens.metadata, tokens.total};
    return ACCP_OK;
}

}  // extern "C"

// capi/accp_codec_hooks.cc

// include/accp/codec.h: what the host is asked and told.

using namespace accp;

extern "C" {

accp_status accp_codec_set_strict(accp_codec *codec, uint32_t strictness, accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_STRICT_OPERATIONS | ACCP_STRICT_PROFILES | ACCP_STRICT_SCHEMA;
    if (!codec) return refuse(err, kNoHandle);
    if (strictness & ~kAll) return refuse(err, "no such strictness");
    if (strictness && !codec->registry) return refuse(err, kNoRegistry);
    codec->codec.setup.hooks.strict = strictness;
    return ACCP_OK;
}

accp_status accp_codec_set_tools(accp_codec *codec, accp_tool_hook hook, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (hook && !codec->registry) return refuse(err, kNoRegistry);
    codec->codec.setup.hooks.tool = hook;
    codec->codec.setup.hooks.tool_user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_policy(accp_codec *codec, accp_policy_hook hook, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (hook && !codec->registry) return refuse(err, kNoRegistry);
    codec->codec.setup.hooks.policy = hook;
    codec->codec.setup.hooks.policy_user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (origin != ACCP_ORIGIN_TRUSTED && origin != ACCP_ORIGIN_UNTRUSTED) return refuse(err, kNoOrigin);
    codec->codec.setup.untrusted = origin == ACCP_ORIGIN_UNTRUSTED;
    return ACCP_OK;
}

accp_status accp_codec_set_log(accp_codec *codec, accp_log_hook hook, void *user, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    codec->log.hook = hook;
    codec->log.user = user;
    return ACCP_OK;
}

accp_status accp_codec_set_redacted(accp_codec *codec, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!codec) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&] { return add_redacted({text ? text : "", text_len}, codec->redacted); });
}

uint32_t accp_codec_warnings(const accp_codec *codec) noexcept { return codec ? codec->codec.warnings() : 0; }

}  // extern "C"

// capi/accp_deadline.cc

// include/accp/deadline.h


using namespace accp;

struct accp_deadline {
    explicit accp_deadline(const Settings &from)
        : settings(from), memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)), deadlines(memory) {}

    Settings settings;
    Memory memory;
    Deadlines deadlines;
};

namespace {

accp_status answer(bool found, accp_error *err) { return found ? ACCP_OK : report(fail(ACCP_E3001, 0, "this request waits no more"), err); }

}  // namespace

extern "C" {

accp_status accp_deadline_new(const accp_options *options, accp_deadline **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_handle<accp_deadline>(settings_of(options));
        return Status{};
    });
}

void accp_deadline_free(accp_deadline *deadline) noexcept { end_handle(deadline); }

accp_status accp_deadline_start(accp_deadline *deadline, const char *cid, size_t cid_len, int64_t when, accp_error *err) noexcept {
    if (!deadline) return refuse(err, kNoHandle);
    if (!is_text(cid, cid_len)) return refuse(err, kNoText);
    return guard(err, [&] { return deadline->deadlines.start({cid, cid_len}, when); });
}

accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len, int64_t when, accp_error *err) noexcept {
    if (!deadline) return refuse(err, kNoHandle);
    if (!is_text(cid, cid_len)) return refuse(err, kNoText);
    return answer(deadline->deadlines.extend({cid, cid_len}, when), err);
}

accp_status accp_deadline_answer(accp_deadline *deadline, const char *cid, size_t cid_len, accp_error *err) noexcept {
    if (!deadline) return refuse(err, kNoHandle);
    if (!is_text(cid, cid_len)) return refuse(err, kNoText);
    return answer(deadline->deadlines.answer({cid, cid_len}), err);
}

accp_status accp_deadline_expire(accp_deadline *deadline, int64_t now, accp_text *cid, accp_error *err) noexcept {
    if (!deadline || !cid) return refuse(err, kNoHandle);
    *cid = {nullptr, 0};
    Deadlines::Request expired;
    if (deadline->deadlines.expire(now, expired)) *cid = expired.cid;
    return ACCP_OK;
}

int64_t accp_deadline_next(const accp_deadline *deadline) noexcept { return deadline ? deadline->deadlines.next() : INT64_MAX; }

}  // extern "C"

// capi/accp_engine.cc

// include/accp/session.h: engines, and the table of rules.


// What stands behind accp_engine and accp_session.


// What the sessions of one kind share: a store, a registry, a tokenizer, rules; and desks, of which there are as many as calls run at once. Any number of
// threads; one lock, held for a few instructions at the beginning and the end of a call.



namespace accp {

class Engine {
public:
    explicit Engine(const Settings &from) : settings(from), memory(settings.allocator, UINT64_MAX), redacted(memory), agents(memory) {
        hooks.agents = &agents;
    }
    ~Engine();

    // Settings as sessions need them: their extensions are those in force, keys are the registry's, and refs that lead nowhere stay refs.
    static Settings of_sessions(Settings settings, uint32_t extensions);

    Settings settings;
    Memory memory;  // of desks
    Store *store = nullptr;
    RegistryRef registry;
    const Tokenizer *tokenizer = nullptr;
    SessionRules rules;
    SessionHooks hooks;
    Buffer<char> redacted;  // names whose values the log leaves out, each with a NUL behind it
    AgentRules agents;
    uint64_t seed = 0;  // of mids; 0: a random one for each session

    // Another registry, of every call that begins from now on. What makes it out of the present one may fail, and then nothing changed.
    template <class Make>
    Status change_registry(Make make) {
        std::lock_guard<std::mutex> guard(lock_);
        return make(registry);
    }
    RegistryRef share_registry() {
        std::lock_guard<std::mutex> guard(lock_);
        return registry;
    }

private:
    friend class DeskLoan;
    struct Place {
        explicit Place(const Engine &engine);
        Memory memory;
        Desk desk;
        RegistryRef registry;  // that the desk works under
        Place *next = nullptr;
    };

    Place *borrow();
    Place *take_or_make();
    void give_back(Place *place);

    std::mutex lock_;
    Place *free_ = nullptr;
};

// A desk for one call.
class DeskLoan {
public:
    explicit DeskLoan(Engine &engine) : engine_(engine), place_(engine.borrow()) {}
    ~DeskLoan() { engine_.give_back(place_); }
    DeskLoan(const DeskLoan &) = delete;
    DeskLoan &operator=(const DeskLoan &) = delete;
    Desk &operator*() const { return place_->desk; }

private:
    Engine &engine_;
    Engine::Place *place_;
};

}  // namespace accp

// A store as a handle of the C face, which sessions hold too: whoever lets go of it last ends it.



struct accp_store {
    explicit accp_store(const accp::Settings &from) : settings(from), store(from) {}

    accp::Settings settings;
    accp::Store store;
    std::atomic<uint32_t> owners{1};
};

namespace accp {

inline accp_store *share_store(accp_store *held) {
    if (held) held->owners.fetch_add(1, std::memory_order_relaxed);
    return held;
}

inline void drop_store(accp_store *held) noexcept {
    if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) end_handle(held);
}

}  // namespace accp

namespace accp {

// The host's cold store as what sessions ask.
struct HostColdStore final : ColdStore {
    Status put(std::string_view key, std::string_view text) override {
        return host_answer(put_call(key.data(), key.size(), text.data(), text.size(), user), kFailed);
    }
    Status get(std::string_view key, std::string_view &text) override {
        const char *found = nullptr;
        size_t len = 0;
        Status status = host_answer(get_call(key.data(), key.size(), &found, &len, user), kFailed);
        if (status.ok() && !found) return fail(ACCP_ERR_ARG, 0, "a cold store that answers with no text");
        if (status.ok()) text = {found, len};
        return status;
    }
    static constexpr const char *kFailed = "the cold store has failed";
    accp_cold_put_function put_call = nullptr;
    accp_cold_get_function get_call = nullptr;
    void *user = nullptr;
};

}  // namespace accp

struct accp_engine {
    explicit accp_engine(const accp::Settings &from) : settings(from), engine(from) {}

    // Of the mids of a session: drawn anew whenever one is opened, so that nobody can foresee them, save where the rule says otherwise.
    accp::PermutationKey mid_key(const char *id, size_t id_len) const {
        if (!engine.seed) return {accp::random_secret(), accp::random_secret()};
        return {accp::seeded_hash(id, id_len, engine.seed), engine.seed};
    }

    accp::Settings settings;
    accp::Engine engine;
    accp::HostColdStore cold;
    accp::HostResolver resolver;
    accp_store *store = nullptr;              // shared
    accp_store *own_store = nullptr;          // where none was given
    accp_tokenizer *own_tokenizer = nullptr;  // the same
};

struct accp_session {
    explicit accp_session(accp::Engine &of)
        : settings(of.settings),
          engine(&of),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          session(memory, of.rules, of.hooks),
          out(memory) {}

    const accp::Settings &settings;
    accp::Engine *engine;
    accp::Memory memory;
    accp::Session session;
    accp::Buffer<char> out;
    bool busy = false;  // a call runs, and perhaps a function of the host's in it
};

using namespace accp;

namespace {

struct Rule {
    const char *name;
    int64_t least, most;
    void (*set)(accp_engine &engine, int64_t value);
};

// In the order of enum accp_rule.
constexpr Rule kRules[] = {
    {"window", 0, 4096, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.window = static_cast<uint32_t>(n); }},
    {"gap_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.gap_ms = n; }},
    {"skew_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.skew_ms = n; }},
    {"future_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.future_ms = n; }},
    {"by_sender", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.by_sender = n; }},
    {"require_ts", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.require_ts = n; }},
    {"require_sid", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.require_sid = n; }},
    {"loose_mid", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.loose_mid = n; }},
    {"most_tokens", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.most_tokens = static_cast<uint64_t>(n); }},
    {"issuer", 0, 99, [](accp_engine &e, int64_t n) { e.engine.rules.issuer = static_cast<uint32_t>(n); }},
    {"shares_store", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.shares_store = n; }},
    {"merges", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.merges = n; }},
    {"names_session", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.names_session = n; }},
    {"durable", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.durable = n; }},
    {"hot_max", 1, 1 << 20, [](accp_engine &e, int64_t n) { e.engine.rules.context.hot_max = static_cast<uint32_t>(n); }},
    {"hot_due", 1, 1 << 20, [](accp_engine &e, int64_t n) { e.engine.rules.context.hot_due = static_cast<uint32_t>(n); }},
    {"checkpoint_max", 1, 1 << 20, [](accp_engine &e, int64_t n) { e.engine.rules.context.checkpoint_max = static_cast<uint32_t>(n); }},
    {"summary_max", 1, 1 << 20, [](accp_engine &e, int64_t n) { e.engine.rules.context.summary_max = static_cast<uint32_t>(n); }},
    {"retained", 1, 64, [](accp_engine &e, int64_t n) { e.engine.rules.context.retained = static_cast<uint32_t>(n); }},
    {"seed", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.seed = static_cast<uint64_t>(n); }},
    {"deadline_ms", 0, INT64_MAX, [](accp_engine &e, int64_t n) { e.engine.rules.deadline_ms = static_cast<uint64_t>(n); }},
    {"parts", 0, 1, [](accp_engine &e, int64_t n) { e.engine.rules.parts = n; }},
    {"jump", 1, int64_t{1} << 40, [](accp_engine &e, int64_t n) { e.engine.rules.inbox.jump = n; }},
};
constexpr const char *kNoAgent = "no agent can have this name";
constexpr int32_t kRuleCount = sizeof kRules / sizeof kRules[0];

// What the caller did not bring.
Status fill_in(accp_engine &engine, const accp_options *options, accp_store *store, const accp_registry *registry,
               const accp_tokenizer *tokenizer) {
    accp_error error = {};
    auto failed = [&](accp_status status) { return fail(status, error.offset, error.message); };
    accp_status status = ACCP_OK;
    if (!store) status = accp_store_open("memory:", 7, 0, options, &engine.own_store, &error);
    if (status != ACCP_OK) return failed(status);
    if (!tokenizer) status = accp_tokenizer_new("o200k_base", 10, options, &engine.own_tokenizer, &error);
    if (status != ACCP_OK) return failed(status);
    accp_registry *all = nullptr;
    if (!registry) status = accp_registry_new(options, ACCP_PROFILE_ALL, nullptr, 0, &all, &error);
    if (status != ACCP_OK) return failed(status);
    engine.engine.registry = RegistryRef(all ? all : accp_registry_share(registry));
    engine.store = share_store(store ? store : engine.own_store);
    engine.engine.store = &engine.store->store;
    engine.engine.tokenizer = &(tokenizer ? tokenizer : engine.own_tokenizer)->tokenizer;
    return {};
}

}  // namespace

extern "C" {

const char *accp_rule_name(int32_t rule) noexcept { return rule >= 0 && rule < kRuleCount ? kRules[rule].name : nullptr; }

accp_status accp_engine_new(const accp_options *options, accp_store *store, const accp_registry *registry, uint32_t extensions,
                            const accp_tokenizer *tokenizer, accp_engine **out, accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;
    if (!out) return refuse(err, kNoHandle);
    if (extensions & ~kAll) return refuse(err, "no such extension");
    return guard(err, [&] {
        struct Holder {
            accp_engine *held;
            ~Holder() { accp_engine_free(held); }
        } holder = {make_handle<accp_engine>(Engine::of_sessions(settings_of(options), extensions))};
        Status status = fill_in(*holder.held, options, store, registry, tokenizer);
        if (status.failed()) return status;
        *out = holder.held;
        holder.held = nullptr;
        return status;
    });
}

void accp_engine_free(accp_engine *engine) noexcept {
    if (!engine) return;
    accp_store *store = engine->store, *own_store = engine->own_store;
    accp_tokenizer *tokenizer = engine->own_tokenizer;
    end_handle(engine);
    drop_store(store);
    accp_store_close(own_store, nullptr);
    accp_tokenizer_free(tokenizer);
}

accp_status accp_engine_set_rule(accp_engine *engine, int32_t rule, int64_t value, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    if (!accp_rule_name(rule)) return refuse(err, "no such rule");
    if (value < kRules[rule].least || value > kRules[rule].most) return refuse(err, "a value that this rule cannot have");
    if (rule == ACCP_RULE_PARTS && value && !engine->settings.has(ACCP_EXT_Q1)) return refuse(err, "messages in parts need q1");
    kRules[rule].set(*engine, value);
    return ACCP_OK;
}

accp_status accp_engine_set_cold_store(accp_engine *engine, accp_cold_put_function put, accp_cold_get_function get, void *user,
                                       accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    if (!put != !get) return refuse(err, "one function of a cold store without the other");
    engine->cold.put_call = put;
    engine->cold.get_call = get;
    engine->cold.user = user;
    engine->engine.rules.cold = put ? &engine->cold : nullptr;
    return ACCP_OK;
}

accp_status accp_engine_set_resolver(accp_engine *engine, accp_resolve_function resolve, void *user, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    engine->resolver.call = resolve;
    engine->resolver.user = user;
    engine->engine.rules.elsewhere = resolve ? &engine->resolver : nullptr;
    return ACCP_OK;
}

accp_status accp_engine_set_summariser(accp_engine *engine, accp_summarise_function summarise, void *user, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    engine->engine.hooks.summarise = summarise;
    engine->engine.hooks.summarise_user = user;
    return ACCP_OK;
}

accp_status accp_engine_set_log(accp_engine *engine, accp_log_hook hook, void *user, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    engine->engine.hooks.log = hook;
    engine->engine.hooks.log_user = user;
    return ACCP_OK;
}

accp_status accp_engine_set_redacted(accp_engine *engine, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&] { return add_redacted({text ? text : "", text_len}, engine->engine.redacted); });
}

accp_status accp_engine_set_own_agents(accp_engine *engine, const char *agents, size_t agents_len, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    if (!is_text(agents, agents_len)) return refuse(err, kNoText);
    const std::string_view all(agents ? agents : "", agents_len);
    if (all.find('\0') != std::string_view::npos) return refuse(err, kNoAgent);
    return guard(err, [&] {
        NameSet made(engine->engine.memory);
        for (size_t at = 0; at < all.size();) {
            const std::string_view name = all.substr(at, all.find(',', at) - at);
            if (!name.empty()) made.add(name);
            at += name.size() + 1;
        }
        return engine->engine.agents.own.restore(made.text());
    });
}

accp_status accp_engine_set_origin(accp_engine *engine, const char *agent, size_t agent_len, int32_t origin, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    if (!is_text(agent, agent_len)) return refuse(err, kNoText);
    const std::string_view name(agent ? agent : "", agent_len);
    if (name.empty() || name.find('\0') != std::string_view::npos) return refuse(err, kNoAgent);
    if (origin != ACCP_ORIGIN_TRUSTED && origin != ACCP_ORIGIN_UNTRUSTED) return refuse(err, kNoOrigin);
    return guard(err, [&] {
        NameSet &untrusted = engine->engine.agents.untrusted;
        if (origin == ACCP_ORIGIN_UNTRUSTED) untrusted.add(name);
        else untrusted.remove(name);
        return Status{};
    });
}

accp_status accp_engine_register_schema(accp_engine *engine, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!engine) return refuse(err, kNoHandle);
    accp_error error = {};
    const accp_status status = guard(&error, [&] {
        return engine->engine.change_registry([&](RegistryRef &registry) {
            accp_registry *made = nullptr;
            const accp_status code = accp_registry_add(registry.get(), text, text_len, &made, &error);
            if (code == ACCP_OK) registry = RegistryRef(made);
            return fail(code, error.offset, error.message);
        });
    });
    if (status != ACCP_OK && err) *err = error;
    return status;
}

accp_registry *accp_engine_registry(accp_engine *engine) noexcept { return engine ? engine->engine.share_registry().release() : nullptr; }

}  // extern "C"

// capi/accp_error.cc

// The table of status codes, made from errors.def.

namespace {

struct Row {
    accp_status number;
    const char *symbol;
    const char *name;
    const char *meaning;
    int retryable;
};

constexpr Row kRows[] = {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) {number, #symbol, name, meaning, retryable},

/* The one table of status codes: ACCP_STATUS(symbol, number, name, retryable, meaning, example).
 * It makes the enum, the names, the retryable flag, docs/errors.md and the exceptions of every binding.
 * Numbers never change. Positive codes from 1001 are the specification's own (3.6); negative ones never go on the wire. */
ACCP_STATUS(OK, 0, "OK", 0, "done", "")
ACCP_STATUS(DROPPED, 1, "DROPPED", 0, "expired or cancelled: answer nothing", "a frame whose ttl has passed")
ACCP_STATUS(HELD, 2, "HELD", 0, "taken, and waiting for an earlier frame", "seq 7 before seq 6")
ACCP_STATUS(E1001, 1001, "PARSE_ERROR", 0, "not a frame, or over a limit; or JSON that is not JSON", "@a>req:x{k:}")
ACCP_STATUS(E1002, 1002, "INVALID_INTENT", 0, "the intent is none of the twelve", "@a>please:x{}")
ACCP_STATUS(E1003, 1003, "UNKNOWN_SCHEMA", 0, "no such schema is registered", "@a>req:x{schema:ZZ}")
ACCP_STATUS(E1004, 1004, "INVALID_TYPE", 0, "a value that cannot be carried, or is not of its field's type", "a lone surrogate in a string")
ACCP_STATUS(E2001, 2001, "REF_NOT_FOUND", 0, "the reference names nothing", "$warm.nothing")
ACCP_STATUS(E2002, 2002, "REF_EXPIRED", 0, "what the reference named has expired", "$warm.old")
ACCP_STATUS(E2003, 2003, "BUDGET_EXCEEDED", 0, "neither splitting nor externalising brings it under the limit", "a 300-token body no store takes")
ACCP_STATUS(E3001, 3001, "TIMEOUT", 1, "the deadline of a request has passed", "no answer in time")
ACCP_STATUS(E3002, 3002, "DUPLICATE", 0, "this mid was seen before", "the same frame twice")
ACCP_STATUS(E3003, 3003, "SEQUENCE_GAP", 1, "a sequence number is missing", "seq 1, 2, 4")
ACCP_STATUS(E4001, 4001, "TOOL_NOT_FOUND", 0, "no such tool", "tool:no_such_tool")
ACCP_STATUS(E4002, 4002, "TOOL_EXEC_FAILED", 1, "the tool ran and failed", "a tool that timed out")
ACCP_STATUS(E4003, 4003, "TOOL_SCHEMA_MISMATCH", 0, "the tool does not take these arguments", "args:{max:many}")
ACCP_STATUS(E5001, 5001, "POLICY_DENIED", 0, "a policy forbids it", "an operation off the list")
ACCP_STATUS(E5002, 5002, "UNAUTHORIZED_REF", 0, "the reference belongs to another session", "$cold.key of another session")
ACCP_STATUS(E9999, 9999, "INTERNAL_ERROR", 1, "a defect of this library: please report it", "")
ACCP_STATUS(ERR_NOMEM, -1, "NOMEM", 1, "out of memory, or over the memory limit that was set", "")
ACCP_STATUS(ERR_ARG, -2, "ARG", 0, "the call itself is wrong: a NULL handle, a number out of range", "accp_frame_parse(NULL, …)")
ACCP_STATUS(ERR_SPACE, -3, "SPACE", 0, "the caller's buffer is too small; the needed length was returned", "")
ACCP_STATUS(ERR_BUSY, -4, "BUSY", 1, "another process or thread holds it", "")
ACCP_STATUS(ERR_IO, -5, "IO", 1, "reading or writing failed", "a full disk")
ACCP_STATUS(ERR_CLOSED, -6, "CLOSED", 0, "the handle or session is closed", "")
ACCP_STATUS(ERR_CORRUPT, -7, "CORRUPT", 0, "stored data is damaged", "a bit flipped in a store file")
#undef ACCP_STATUS
};

const Row *find(accp_status status) {
    for (const Row &row : kRows)
        if (row.number == status) return &row;
    return nullptr;
}

}  // namespace

extern "C" {

const char *accp_status_name(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->name : "UNKNOWN";
}

const char *accp_status_meaning(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->meaning : "";
}

int32_t accp_status_category(accp_status status) noexcept {
    const accp_status digit = status / 1000;
    return (digit >= 1 && digit <= 5) || digit == 9 ? digit : ACCP_CATEGORY_NONE;
}

int accp_status_retryable(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->retryable : 0;
}

const char *accp_status_code(accp_status status) noexcept {
    const Row *row = find(status);
    return row ? row->symbol : "UNKNOWN";
}

}  // extern "C"

// capi/accp_failure.cc

// include/accp/failure.h; the chunk's frame of include/accp/stream.h; and sending again.


// Chunks as messages in JSON (schema ST), out and in.


namespace accp {

// Appends the message of a chunk; `named`: its payload names its schema. Texts may lie anywhere.
void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named, Arena &arena, Buffer<char> &json);

// Reads one: `stream`, or `end`, which has a cid and nothing else. Data that is no text is written to `spelled`. ERR_ARG for any other intent, E1004 for
// what is no chunk.
Status read_chunk_message(TreeView tree, bool &is_end, accp_chunk &out, Buffer<char> &spelled);

}  // namespace accp

// Error frames (specification 3.6): the message fail:error under the schema ER, as JSON, and what one says.


namespace accp {

// The number of a code as a frame has it ("E3001"); 0 for what is none: a digit of a category, then three.
accp_status read_error_code(std::string_view text);

// Is it one of the sixteen that the specification defines?
bool is_standard_code(accp_status code);

// Appends the message. Texts may lie anywhere.
void write_error_message(const accp_failure &failure, Arena &arena, Buffer<char> &json);

// What a message in JSON says. False where it is no protocol error: then it is an application's result (A69).
bool read_error_message(TreeView tree, accp_failure &out);

}  // namespace accp

// A frame that is sent again (specification 3.7, 10.3).


namespace accp {

// Appends the frame of `count` nodes and `len` bytes with another envelope, as accp_codec_retry() says. ERR_ARG for an envelope that is not fresh.
Status write_retry(TreeView frame, uint32_t count, size_t len, const accp_envelope &fresh, uint64_t key_bytes, Memory &memory,
                   Buffer<char> &out);

}  // namespace accp

using namespace accp;

namespace {

// Encodes the message that `write` makes.
template <class Write>
accp_status encode_made(accp_codec *codec, const char **out, size_t *len_out, accp_error *err, Write write) noexcept {
    return work(codec, nullptr, 0, out, len_out, err, [&](const char *) {
        codec->arena.reset();
        codec->json.recycle(kKeptBytes);
        write();
        Status status = encode(*codec, codec->json.data(), codec->json.size());
        status.offset = 0;  // of a text that the caller never saw
        return status;
    });
}

template <class... Texts>
bool are_texts(const Texts &...texts) {
    return (is_text(texts.text, texts.len) && ...);
}

}  // namespace

extern "C" {

accp_status accp_failure_encode(accp_codec *codec, const accp_failure *failure, const char **out, size_t *len_out,
                                accp_error *err) noexcept {
    if (!codec || !failure) return refuse(err, kNoHandle);
    if (!are_texts(failure->agent, failure->message, failure->detail, failure->source, failure->cid)) return refuse(err, kNoText);
    if (!is_standard_code(failure->code)) return refuse(err, "no code of the error model");
    if (!codec->registry) return refuse(err, kNoRegistry);
    return encode_made(codec, out, len_out, err, [&] { write_error_message(*failure, codec->arena, codec->json); });
}

accp_status accp_failure_decode(accp_codec *codec, const char *text, size_t text_len, accp_failure *out, accp_error *err) noexcept {
    if (!codec || !out) return refuse(err, kNoHandle);
    if (!codec->registry) return refuse(err, kNoRegistry);
    const char *json = nullptr;
    size_t len = 0;
    accp_failure read = {};
    const accp_status status = work(codec, text, text_len, &json, &len, err, [&](const char *from) {
        Status decoded = decode(*codec, from, text_len);
        if (decoded.failed()) return decoded;
        const JsonLimits limits = {kMostTextBytes, kMostJsonDepth};
        decoded = codec->reader.read(codec->out.data(), codec->out.size(), limits, codec->message);
        if (decoded.ok()) read_error_message(codec->message.view(), read);
        return decoded;
    });
    if (status == ACCP_OK) *out = read;
    return status;
}

accp_status accp_chunk_encode(accp_codec *codec, accp_text agent, accp_text operation, const accp_chunk *chunk, const char **out,
                              size_t *len_out, accp_error *err) noexcept {
    if (!codec || !chunk) return refuse(err, kNoHandle);
    if (!are_texts(agent, operation, chunk->cid, chunk->data)) return refuse(err, kNoText);
    if (!codec->registry) return refuse(err, kNoRegistry);
    if (!chunk->cid.len) return report(fail(ACCP_E1004, 0, "the chunks of a stream share a cid"), err);
    const Schema *schema = codec->registry->by_code("ST");
    if (!schema) return report(fail(ACCP_E1003, 0, "the registry has no schema ST"), err);
    const std::string_view verb(operation.len ? operation.text : "", operation.len);
    const bool named =
        codec->codec.setup.schema ? codec->codec.setup.schema != schema : codec->registry->bound(ACCP_INTENT_STREAM, verb) != schema;
    return encode_made(codec, out, len_out, err, [&] { write_chunk_message(*chunk, agent, operation, named, codec->arena, codec->json); });
}

accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len, const accp_envelope *fresh, const char **out,
                             size_t *len_out, accp_error *err) noexcept {
    if (!fresh) return refuse(err, kNoHandle);
    return work(codec, text, text_len, out, len_out, err, [&](const char *from) {
        codec->nodes.recycle(kKeptBytes);
        Status status = codec->codec.coder.parse(from, text_len, codec->nodes);
        if (status.failed()) return status;
        const uint64_t most = codec->settings.limit(ACCP_LIMIT_KEY_BYTES);
        return write_retry({codec->nodes.data(), from}, static_cast<uint32_t>(codec->nodes.size()), text_len, *fresh, most, codec->memory,
                           codec->out);
    });
}

}  // extern "C"

// capi/accp_json.cc

// include/accp/json.h, save for the batches.


using namespace accp;

extern "C" {

accp_status accp_json_parse(accp_value *value, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, value->value.text)) return refuse(err, kOwnText);
    accp_status code = guard(err, [&] {
        value->clear();
        JsonLimits limits = {value->settings.limit(ACCP_LIMIT_JSON_BYTES),
                             static_cast<uint32_t>(value->settings.limit(ACCP_LIMIT_JSON_DEPTH))};
        return value->reader.read(text, text_len, limits, value->value);
    });
    if (code != ACCP_OK) value->clear();
    return code;
}

accp_status accp_json_print(accp_value *value, const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!value || !out || !len_out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->out.recycle(kKeptBytes);
        write_json(value->value.view(), 0, value->out);
        *out = value->out.data();
        *len_out = value->out.size();
        return Status{};
    });
}

accp_status accp_frame_encode(accp_frame *frame, const char *text, size_t text_len, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    if (!frame || !out || !len_out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, frame->out)) return refuse(err, kOwnText);
    return guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        Status status = frame->coder.encode(text, text_len, frame->out);
        if (status.failed()) return status;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
}

accp_status accp_frame_decode(accp_frame *frame, const char *text, size_t text_len, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    if (!frame || !out || !len_out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, frame->out)) return refuse(err, kOwnText);
    accp_status code = guard(err, [&] {
        frame->clear();
        frame->out.recycle(kKeptBytes);
        Status status = frame->coder.decode(text, text_len, frame->nodes, frame->out);
        if (status.failed()) return status;
        frame->text = text;
        frame->text_len = text_len;
        *out = frame->out.data();
        *len_out = frame->out.size();
        return Status{};
    });
    if (code != ACCP_OK) frame->clear();
    return code;
}

}  // extern "C"

// capi/accp_negotiation.cc

// include/accp/registry.h: the negotiation.

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

using namespace accp;

struct accp_negotiation {
    explicit accp_negotiation(const Settings &from)
        : settings(from), memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)), machine(memory, settings), out(memory) {}

    Settings settings;
    Memory memory;
    Negotiation machine;
    Buffer<char> out;
};

namespace {

constexpr uint32_t kExtensions = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;

bool is_agent_name(std::string_view text) {
    for (char c : text)
        if (!is_agent(static_cast<unsigned char>(c))) return false;
    return !text.empty();
}

RegistryRef shared(const accp_registry *registry) { return RegistryRef(RegistryRef::share(const_cast<accp_registry *>(registry))); }

}  // namespace

extern "C" {

accp_status accp_negotiation_new(const accp_options *options, const accp_registry *own, const char *text, size_t text_len,
                                 uint32_t extensions, accp_negotiation **out, accp_error *err) noexcept {
    if (!own || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (extensions & ~kExtensions) return refuse(err, "no such extension");
    return guard(err, [&] {
        Settings settings = settings_of(options);
        if (!is_agent_name({text, text_len}) || text_len > settings.limit(ACCP_LIMIT_KEY_BYTES))
            return fail(ACCP_E1001, 0, "an agent is letters, digits, _ and -");
        struct Holder {
            accp_negotiation *held;
            ~Holder() { end_handle(held); }
        } holder = {make_handle<accp_negotiation>(settings)};
        holder.held->machine.begin(shared(own), {text, text_len}, extensions);
        *out = holder.held;
        holder.held = nullptr;
        return Status{};
    });
}

void accp_negotiation_free(accp_negotiation *negotiation) noexcept { end_handle(negotiation); }

accp_status accp_negotiation_set_tokenizer(accp_negotiation *negotiation, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!negotiation) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return guard(err, [&] {
        if (!is_agent_name({text, text_len}) || text_len > kMostCodeBytes)
            return fail(ACCP_ERR_ARG, 0, "a tokenizer is letters, digits, _ and -");
        negotiation->machine.set_tokenizer({text, text_len});
        return Status{};
    });
}

accp_status accp_negotiation_set_features(accp_negotiation *negotiation, uint32_t features, accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS | ACCP_FEATURE_STORE;
    if (!negotiation) return refuse(err, kNoHandle);
    if (features & ~kAll) return refuse(err, "no such feature");
    negotiation->machine.set_features(features);
    return ACCP_OK;
}

accp_status accp_negotiation_set_chunk_bytes(accp_negotiation *negotiation, uint32_t bytes, accp_error *err) noexcept {
    if (!negotiation) return refuse(err, kNoHandle);
    if (bytes < 64 || bytes > 8192) return refuse(err, "a chunk has 64 to 8,192 bytes");
    negotiation->machine.set_chunk_bytes(bytes);
    return ACCP_OK;
}

accp_status accp_negotiation_know(accp_negotiation *negotiation, const accp_registry *known, accp_error *err) noexcept {
    if (!negotiation || !known) return refuse(err, kNoHandle);
    negotiation->machine.know(shared(known));
    return ACCP_OK;
}

accp_status accp_negotiation_receive(accp_negotiation *negotiation, const accp_frame *frame, accp_error *err) noexcept {
    if (!negotiation || !frame) return refuse(err, kNoHandle);
    if (!frame->count()) return refuse(err, "no frame was parsed");
    return guard(err, [&] { return negotiation->machine.receive(frame->tree()); });
}

accp_status accp_negotiation_next(accp_negotiation *negotiation, const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!negotiation || !out || !len_out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        negotiation->out.recycle(kKeptBytes);
        negotiation->machine.next(negotiation->out);
        *out = negotiation->out.data() ? negotiation->out.data() : "";
        *len_out = negotiation->out.size();
        return Status{};
    });
}

accp_status accp_negotiation_timeout(accp_negotiation *negotiation, accp_error *err) noexcept {
    if (!negotiation) return refuse(err, kNoHandle);
    negotiation->machine.timeout();
    return ACCP_OK;
}

int32_t accp_negotiation_get_state(const accp_negotiation *negotiation) noexcept {
    return negotiation ? static_cast<int32_t>(negotiation->machine.state()) : -1;
}

uint32_t accp_negotiation_get_extensions(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.extensions() : 0;
}

uint32_t accp_negotiation_get_features(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.features() : 0;
}

const accp_registry *accp_negotiation_registry(const accp_negotiation *negotiation) noexcept {
    bool agreed = negotiation && negotiation->machine.state() == Negotiation::State::kAgreed;
    return agreed ? negotiation->machine.agreed().get() : nullptr;
}

const accp_registry *accp_negotiation_peer(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.peers().get() : nullptr;
}

const char *accp_negotiation_peer_tokenizer(const accp_negotiation *negotiation, size_t *len_out) noexcept {
    std::string_view name = negotiation ? negotiation->machine.peer_tokenizer() : std::string_view();
    if (len_out) *len_out = name.size();
    return name.data() ? name.data() : "";
}

}  // extern "C"

// capi/accp_options.cc

// include/accp/types.h: the options.


using namespace accp;

namespace {

template <class Change>
accp_status change(accp_options *options, accp_error *err, Change apply) noexcept {
    if (!options) return refuse(err, kNoHandle);
    return guard(err, [&] { return apply(options->settings); });
}

}  // namespace

extern "C" {

accp_status accp_options_new(accp_options **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_handle<accp_options>(Settings());
        return Status{};
    });
}

void accp_options_free(accp_options *options) noexcept {
    if (!options) return;
    accp_allocator own = private_allocator();
    options->~accp_options();
    own.release(options, sizeof *options, own.user);
}

accp_status accp_options_set_dialect(accp_options *options, int32_t dialect, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (dialect < ACCP_STRICT || dialect > ACCP_U8) return fail(ACCP_ERR_ARG, 0, "no such dialect");
        settings.dialect = dialect;
        return Status{};
    });
}

accp_status accp_options_set_extensions(accp_options *options, uint32_t extensions, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (extensions & ~uint32_t{ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8}) return fail(ACCP_ERR_ARG, 0, "no such extension");
        settings.extensions = extensions ? extensions | ACCP_EXT_Q1 : extensions;
        return Status{};
    });
}

accp_status accp_options_set_abbreviate(accp_options *options, int on, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        settings.abbreviate = on != 0;
        return Status{};
    });
}

accp_status accp_options_set_keep_refs(accp_options *options, int on, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        settings.keep_refs = on != 0;
        return Status{};
    });
}

accp_status accp_options_set_token_cache(accp_options *options, uint32_t entries, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (entries < 4 || entries > kMostTokenCache) return fail(ACCP_ERR_ARG, 0, "a token cache has 4 to 2^20 entries");
        settings.token_cache = uint32_t{1} << (31 - __builtin_clz(entries));
        return Status{};
    });
}

accp_status accp_options_set_limit(accp_options *options, int32_t limit, uint64_t value, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (limit < 0 || limit >= kLimitCount) return fail(ACCP_ERR_ARG, 0, "no such limit");
        if (value < kLimits[limit].least) return fail(ACCP_ERR_ARG, 0, "below the least value that this limit may have");
        if (value > kLimits[limit].most) return fail(ACCP_ERR_ARG, 0, "above the greatest value that this limit may have");
        settings.limits[limit] = value;
        return Status{};
    });
}

accp_status accp_options_ignore(accp_options *options, const char *text, size_t text_len, accp_error *err) noexcept {
    if (!options) return refuse(err, kNoHandle);
    if (!is_text(text, text_len) || !text_len || std::memchr(text, '\0', text_len))
        return refuse(err, "the name of a member is a text without NUL");
    return guard(err, [&] {
        options->ignored.room(text_len + 1);
        options->ignored.append(text, text_len);
        options->ignored.push('\0');
        return Status{};
    });
}

accp_status accp_options_set_allocator(accp_options *options, const accp_allocator *allocator, accp_error *err) noexcept {
    return change(options, err, [=](Settings &settings) {
        if (allocator && (!allocator->alloc || !allocator->release)) return fail(ACCP_ERR_ARG, 0, "an allocator has two functions");
        settings.allocator = allocator ? *allocator : private_allocator();
        return Status{};
    });
}

int32_t accp_limit_find(const char *text, size_t text_len) noexcept {
    if (!text) return -1;
    for (int32_t i = 0; i < kLimitCount; ++i)
        if (std::string_view(text, text_len) == kLimits[i].name) return i;
    return -1;
}

const char *accp_limit_name(int32_t limit) noexcept { return limit >= 0 && limit < kLimitCount ? kLimits[limit].name : nullptr; }

uint64_t accp_limit_default(int32_t limit) noexcept { return limit >= 0 && limit < kLimitCount ? kLimits[limit].standard : 0; }

}  // extern "C"

// capi/accp_render.cc

// include/accp/render.h


using namespace accp;

struct accp_render {
    explicit accp_render(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          frames(keep_refs(from)),
          coder(memory, frames),
          reader(memory),
          value(memory),
          nodes(memory),
          json(memory),
          out(memory),
          renderer(memory, settings) {}

    static Settings keep_refs(Settings from) {
        from.keep_refs = true;
        return from;
    }
    std::string_view ignored() const { return {coder.ignored.data() ? coder.ignored.data() : "", coder.ignored.size()}; }

    Settings settings;
    Memory memory;
    Settings frames;  // to decode them with
    Coder coder;
    JsonReader reader;
    Value value;
    Buffer<Node> nodes;
    Buffer<char> json;
    Buffer<char> out;
    Renderer renderer;
};

namespace {

constexpr uint32_t kFlags = ACCP_RENDER_UNTRUSTED | ACCP_RENDER_ONE_LINE | ACCP_RENDER_ENVELOPE;

Status render_json(accp_render &render, const char *text, size_t text_len, uint32_t flags) {
    JsonLimits limits = {render.settings.limit(ACCP_LIMIT_JSON_BYTES), static_cast<uint32_t>(render.settings.limit(ACCP_LIMIT_JSON_DEPTH))};
    Status status = render.reader.read(text, text_len, limits, render.value);
    if (status.ok()) render.renderer.render(render.value.view(), 0, flags, render.ignored(), render.out);
    return status;
}

// Runs `body`, which appends to render->out, and hands that out.
template <class Body>
accp_status make(accp_render *render, const char *text, size_t text_len, const char **out, size_t *len_out, accp_error *err,
                 Body body) noexcept {
    if (!render || !out || !len_out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, render->out)) return refuse(err, kOwnText);
    return guard(err, [&] {
        render->out.recycle(kKeptBytes);
        Status status = body();
        if (status.failed()) return status;
        *out = render->out.data();
        *len_out = render->out.size();
        return Status{};
    });
}

Status check_flags(uint32_t flags) { return flags & ~kFlags ? fail(ACCP_ERR_ARG, 0, "a flag that is none") : Status{}; }

}  // namespace

extern "C" {

accp_status accp_render_new(const accp_options *options, accp_render **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_coding_handle<accp_render>(options);
        return Status{};
    });
}

void accp_render_free(accp_render *render) noexcept { end_handle(render); }

accp_status accp_render_json(accp_render *render, const char *text, size_t text_len, uint32_t flags, const char **out, size_t *len_out,
                             accp_error *err) noexcept {
    return make(render, text, text_len, out, len_out, err, [&] {
        Status status = check_flags(flags);
        return status.failed() ? status : render_json(*render, text, text_len, flags);
    });
}

accp_status accp_render_value(accp_render *render, const accp_value *value, uint32_t flags, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    return make(render, nullptr, 0, out, len_out, err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        Status status = check_flags(flags);
        if (status.ok()) render->renderer.render(value->value.view(), 0, flags, render->ignored(), render->out);
        return status;
    });
}

accp_status accp_render_frame(accp_render *render, const char *text, size_t text_len, uint32_t flags, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    return make(render, text, text_len, out, len_out, err, [&] {
        Status status = check_flags(flags);
        if (status.failed()) return status;
        render->nodes.recycle(kKeptBytes);
        render->json.recycle(kKeptBytes);
        status = render->coder.decode(text, text_len, render->nodes, render->json);
        return status.failed() ? status : render_json(*render, render->json.data(), render->json.size(), flags);
    });
}

accp_status accp_render_parse(accp_render *render, const char *text, size_t text_len, const char **out, size_t *len_out,
                              accp_error *err) noexcept {
    return make(render, text, text_len, out, len_out, err, [&] {
        Status status = render->renderer.read(text ? text : "", text_len, render->value);
        if (status.ok()) write_json(render->value.view(), 0, render->out);
        return status;
    });
}

accp_status accp_render_parse_value(accp_render *render, const char *text, size_t text_len, accp_value *value, accp_error *err) noexcept {
    if (!render || !value) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (lies_in(text, value->value.text)) return refuse(err, kOwnText);
    accp_status code = guard(err, [&] {
        value->clear();
        return render->renderer.read(text ? text : "", text_len, value->value);
    });
    if (code != ACCP_OK) value->clear();
    return code;
}

uint64_t accp_render_rows(const char *text, size_t text_len) noexcept { return text ? count_row_lines({text, text_len}) : 0; }

}  // extern "C"

// capi/accp_tokenizer.cc

// include/accp/tokenizer.h.



using namespace accp;

namespace {

constexpr const char *kApprox = "approx";

// A handle that is ended, unless it is ready before.
template <class Handle>
struct Held {
    explicit Held(const Settings &settings) : handle(make_handle<Handle>(settings)) {}
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;
    ~Held() { end_handle(handle); }
    Handle *release() { return std::exchange(handle, nullptr); }

    Handle *handle;
};

bool has_ids(const accp_counter *counter) { return counter->counter.tokenizer().kind == TokenizerKind::kVocabulary; }

// A handle that open(handle) makes ready, or nothing.
template <class Open>
accp_status make_tokenizer(const char *name, size_t name_len, const accp_options *options, accp_tokenizer **out, accp_error *err,
                           Open open) noexcept {
    if (!out) return refuse(err, kNoHandle);
    if (!is_text(name, name_len)) return refuse(err, kNoText);
    return guard(err, [&] {
        Held<accp_tokenizer> made(settings_of(options));
        made.handle->set_name({name, name_len});
        Status status = open(*made.handle);
        if (status.ok()) *out = made.release();
        return status;
    });
}

accp_status check_text(const accp_counter *counter, const char *text, size_t text_len, const void *out, accp_error *err) noexcept {
    if (!counter || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return ACCP_OK;
}

}  // namespace

extern "C" {

const char *accp_tokenizer_builtin(uint32_t index) noexcept {
    uint32_t count = 0;
    while (embedded_name(count)) ++count;
    return index < count ? embedded_name(index) : index == count ? kApprox : nullptr;
}

accp_status accp_tokenizer_new(const char *name, size_t name_len, const accp_options *options, accp_tokenizer **out,
                               accp_error *err) noexcept {
    return make_tokenizer(name, name_len, options, out, err, [&](accp_tokenizer &made) {
        std::string_view wanted(name ? name : "", name_len);
        Tokenizer &tokenizer = made.tokenizer;
        if (open_embedded(wanted, tokenizer)) return Status{};
        if (wanted != kApprox) return fail(ACCP_ERR_ARG, 0, "no tokenizer of that name is built in");
        tokenizer.kind = TokenizerKind::kEstimate;
        tokenizer.approx = tokenizer.numbers_are_tokens = true;
        tokenizer.pattern = find_pattern("o200k_base");
        return Status{};
    });
}

accp_status accp_tokenizer_load_tiktoken(const char *name, size_t name_len, const char *pattern, size_t pattern_len, const char *text,
                                         size_t text_len, const accp_options *options, accp_tokenizer **out, accp_error *err) noexcept {
    if (!is_text(pattern, pattern_len) || !is_text(text, text_len)) return refuse(err, kNoText);
    const Pattern *found = find_pattern({pattern ? pattern : "", pattern_len});
    if (!found) return refuse(err, "no pattern of that name is known");
    return make_tokenizer(name, name_len, options, out, err, [&](accp_tokenizer &made) {
        made.tokenizer.pattern = found;
        return load_tiktoken(made.memory, {text ? text : "", text_len}, made.loaded, made.tokenizer);
    });
}

accp_status accp_tokenizer_load_json(const char *name, size_t name_len, const char *text, size_t text_len, const accp_options *options,
                                     accp_tokenizer **out, accp_error *err) noexcept {
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    return make_tokenizer(name, name_len, options, out, err, [&](accp_tokenizer &made) {
        return load_json(made.memory, {text ? text : "", text_len}, made.loaded, made.tokenizer);
    });
}

accp_status accp_tokenizer_new_callback(const char *name, size_t name_len, int approx, accp_count_function count, void *user,
                                        const accp_options *options, accp_tokenizer **out, accp_error *err) noexcept {
    if (!count) return refuse(err, "the function that counts is NULL");
    return make_tokenizer(name, name_len, options, out, err, [&](accp_tokenizer &made) {
        made.tokenizer.kind = TokenizerKind::kHost;
        made.tokenizer.approx = approx != 0;
        made.tokenizer.count = count;
        made.tokenizer.user = user;
        return Status{};
    });
}

void accp_tokenizer_free(accp_tokenizer *tokenizer) noexcept { end_handle(tokenizer); }

const char *accp_tokenizer_name(const accp_tokenizer *tokenizer) noexcept { return tokenizer ? tokenizer->name.data() : ""; }

int accp_tokenizer_approx(const accp_tokenizer *tokenizer) noexcept { return tokenizer && tokenizer->tokenizer.approx; }

uint32_t accp_tokenizer_size(const accp_tokenizer *tokenizer) noexcept {
    return tokenizer && tokenizer->has_ids() ? tokenizer->tokenizer.vocabulary.size() : 0;
}

accp_status accp_counter_new(const accp_tokenizer *tokenizer, const accp_options *options, accp_counter **out, accp_error *err) noexcept {
    if (!tokenizer || !out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        Settings settings = settings_of(options);
        Held<accp_counter> made(settings);
        made.handle->counter.open(tokenizer->tokenizer, settings.token_cache);
        *out = made.release();
        return Status{};
    });
}

void accp_counter_free(accp_counter *counter) noexcept { end_handle(counter); }

accp_status accp_counter_set_special(accp_counter *counter, int on, accp_error *err) noexcept {
    if (!counter) return refuse(err, kNoHandle);
    counter->counter.set_special(on != 0);
    return ACCP_OK;
}

accp_status accp_counter_count(accp_counter *counter, const char *text, size_t text_len, uint64_t *tokens_out, accp_error *err) noexcept {
    return accp_counter_count_within(counter, text, text_len, UINT64_MAX, tokens_out, err);
}

accp_status accp_counter_count_within(accp_counter *counter, const char *text, size_t text_len, uint64_t most, uint64_t *tokens_out,
                                      accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, tokens_out, err)) return code;
    return guard(err, [&] {
        counter->recycle();
        uint64_t tokens = 0;
        Status status = counter->counter.count({text, text_len}, most, tokens);
        if (status.ok()) *tokens_out = tokens > most ? most + 1 : tokens;
        return status;
    });
}

accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len, const uint32_t **ids_out, size_t *count_out,
                                accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, ids_out, err)) return code;
    if (!count_out) return refuse(err, kNoHandle);
    if (!has_ids(counter)) return refuse(err, "this tokenizer counts, and has no ids");
    return guard(err, [&] {
        counter->recycle();
        counter->ids.room(1);
        counter->counter.encode({text, text_len}, counter->ids);
        *ids_out = counter->ids.data();
        *count_out = counter->ids.size();
        return Status{};
    });
}

accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count, const char **out, size_t *len_out,
                                accp_error *err) noexcept {
    if (!counter || !out || !len_out || (count && !ids)) return refuse(err, kNoHandle);
    if (!has_ids(counter)) return refuse(err, "this tokenizer counts, and has no ids");
    return guard(err, [&] {
        counter->text.recycle(kKeptBytes);
        counter->text.room(1);
        for (size_t i = 0; i < count; ++i)
            if (!counter->counter.decode(ids[i], counter->text)) return fail(ACCP_ERR_ARG, i, "no token has this id");
        *out = counter->text.data();
        *len_out = counter->text.size();
        return Status{};
    });
}

accp_status accp_counter_append(accp_counter *counter, const char *text, size_t text_len, accp_error *err) noexcept {
    if (accp_status code = check_text(counter, text, text_len, counter, err)) return code;
    return guard(err, [&] {
        counter->growing.append({text, text_len});
        return Status{};
    });
}

accp_status accp_counter_total(accp_counter *counter, uint64_t *tokens_out, accp_error *err) noexcept {
    if (!counter || !tokens_out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        uint64_t tokens = 0;
        Status status = counter->growing.total(tokens);
        if (status.ok()) *tokens_out = tokens;
        return status;
    });
}

void accp_counter_reset(accp_counter *counter) noexcept {
    if (counter) counter->growing.reset();
}

}  // extern "C"

// capi/accp_value.cc

// include/accp/value.h


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

using namespace accp;

namespace {

struct Key {
    const char *text;
    size_t len;
};

bool is_utf8(const char *text, size_t len) { return valid_utf8_prefix(text, len) == len; }

// May a value be added here, with or without this key?
Status check_place(const accp_value &value, Key key) {
    if (value.complete()) return fail(ACCP_ERR_ARG, 0, "the value is complete");
    bool in_map = !value.open.empty() && value.value.nodes[value.open[value.open.size() - 1].node].kind == ACCP_MAP;
    if (in_map != (key.text != nullptr))
        return fail(ACCP_ERR_ARG, 0, in_map ? "an entry of a map needs a key" : "only an entry of a map has a key");
    if (key.len > kMostKeyBytes) return fail(ACCP_E1004, 0, "a key of more than 65,535 bytes");
    if (key.len && !is_utf8(key.text, key.len)) return fail(ACCP_E1004, valid_utf8_prefix(key.text, key.len), "a key that is not UTF-8");
    return {};
}

// Adds one value: all of it, or nothing where anything fails.
template <class Body>
accp_status add(accp_value *value, const char *key, size_t key_len, accp_error *err, Body body) noexcept {
    if (!value) return refuse(err, kNoHandle);
    if (!is_text(key, key_len)) return refuse(err, kNoText);
    if (lies_in(key, value->value.text)) return refuse(err, kOwnText);
    size_t nodes = value->value.nodes.size(), text = value->value.text.size();
    accp_status code = guard(err, [&] {
        Status status = check_place(*value, {key, key_len});
        if (status.failed()) return status;
        if (text + key_len > kMostTextBytes) return fail(ACCP_E1001, 0, "the value is larger than a value may be");
        if (key) value->value.add_key({key, key_len});
        return body();
    });
    if (code != ACCP_OK) value->value.rewind(nodes, text);
    else if (!value->open.empty() && value->open[value->open.size() - 1].node < nodes) ++value->open[value->open.size() - 1].count;
    return code;
}

accp_status add_text(accp_value *value, const char *key, size_t key_len, uint8_t kind, uint8_t flags, std::string_view text,
                     accp_error *err) noexcept {
    if (value && lies_in(text.data(), value->value.text)) return refuse(err, kOwnText);
    return add(value, key, key_len, err, [&] {
        if (text.size() > kMostTextBytes) return fail(ACCP_E1001, 0, "the text is larger than a value may be");
        value->value.add_scalar(kind, flags, text);
        return Status{};
    });
}

accp_status begin(accp_value *value, const char *key, size_t key_len, uint8_t kind, accp_error *err) noexcept {
    return add(value, key, key_len, err, [&] {
        if (value->open.size() == value->settings.limit(ACCP_LIMIT_JSON_DEPTH))
            return fail(ACCP_E1004, 0, "arrays and objects are nested deeper than the limit allows");
        value->open.room(1);
        // The container outside counts this child when it is closed: add() sees only the innermost.
        uint32_t node = value->value.open(kind);
        if (!value->open.empty()) ++value->open[value->open.size() - 1].count;
        value->open.push({node, 0});
        return Status{};
    });
}

}  // namespace

extern "C" {

accp_status accp_value_new(const accp_options *options, accp_value **out, accp_error *err) noexcept {
    if (!out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        *out = make_handle<accp_value>(settings_of(options));
        return Status{};
    });
}

void accp_value_free(accp_value *value) noexcept { end_handle(value); }

void accp_value_reset(accp_value *value) noexcept {
    if (value) value->clear();
}

const accp_node *accp_value_nodes(const accp_value *value, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = value ? value->value.nodes.size() : 0;
    if (!value) return nullptr;
    return value->value.empty() ? &kNone : value->value.nodes.data();
}

const char *accp_value_text(const accp_value *value, size_t *len_out) noexcept {
    if (len_out) *len_out = value ? value->value.text.size() : 0;
    if (!value) return nullptr;
    return value->value.text.data() ? value->value.text.data() : "";
}

uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key, size_t key_len) noexcept {
    if (!value || !is_text(key, key_len) || parent >= value->value.nodes.size() || value->value.nodes[parent].kind != ACCP_MAP) return 0;
    return value->value.view().find(parent, {key, key_len});
}

accp_status accp_value_add_null(accp_value *value, const char *key, size_t key_len, accp_error *err) noexcept {
    return add_text(value, key, key_len, ACCP_NULL, 0, {}, err);
}

accp_status accp_value_add_bool(accp_value *value, const char *key, size_t key_len, int on, accp_error *err) noexcept {
    return add_text(value, key, key_len, ACCP_BOOL, on ? ACCP_NODE_TRUE : 0, {}, err);
}

accp_status accp_value_add_int(accp_value *value, const char *key, size_t key_len, int64_t number, accp_error *err) noexcept {
    char digits[24];
    const char *end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return add_text(value, key, key_len, ACCP_INT, 0, {digits, static_cast<size_t>(end - digits)}, err);
}

accp_status accp_value_add_number(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                                  accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    if (!text) return refuse(err, kNoText);
    NumberToken token = scan_number(text, text + text_len);
    if (!token.len || token.len != text_len) return report(fail(ACCP_E1004, token.len, "not a JSON number"), err);
    return add_text(value, key, key_len, token.kind, 0, {text, text_len}, err);
}

accp_status accp_value_add_string(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                                  accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    size_t valid = valid_utf8_prefix(text, text_len);
    if (valid < text_len) return report(fail(ACCP_E1004, valid, "not UTF-8"), err);
    return add_text(value, key, key_len, ACCP_STRING, 0, {text, text_len}, err);
}

accp_status accp_value_add_ref(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                               accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    if (!text) return refuse(err, kNoText);
    if (text_len > kMostKeyBytes || !is_ref(text, static_cast<uint32_t>(text_len)))
        return report(fail(ACCP_E1004, 0, "a ref is labels of letters, digits and _ with a dot between them"), err);
    return add_text(value, key, key_len, ACCP_REF, 0, {text, text_len}, err);
}

accp_status accp_value_begin_array(accp_value *value, const char *key, size_t key_len, accp_error *err) noexcept {
    return begin(value, key, key_len, ACCP_ARRAY, err);
}

accp_status accp_value_begin_map(accp_value *value, const char *key, size_t key_len, accp_error *err) noexcept {
    return begin(value, key, key_len, ACCP_MAP, err);
}

accp_status accp_value_end(accp_value *value, accp_error *err) noexcept {
    if (!value) return refuse(err, kNoHandle);
    return guard(err, [&] {
        if (value->open.empty()) return fail(ACCP_ERR_ARG, 0, "no array or map is open");
        accp_value::Open last = value->open[value->open.size() - 1];
        value->value.close(last.node, last.count);
        if (value->value.nodes[last.node].kind == ACCP_MAP && last.count > 1) {
            value->arena.reset();
            if (find_equal_key(value->value.view(), last.node, value->arena, value->seed))
                return fail(ACCP_E1001, 0, "the map has this key twice");
        }
        value->open.resize_down(value->open.size() - 1);
        return Status{};
    });
}

accp_status accp_value_hash_form(accp_value *value, const char **out, size_t *len_out, accp_error *err) noexcept {
    if (!value || !out || !len_out) return refuse(err, kNoHandle);
    return guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->arena.reset();
        value->out.recycle(kKeptBytes);
        Status status = write_hash_form(value->value.view(), 0, value->arena, value->out);
        if (status.failed()) return status;
        *out = value->out.data();
        *len_out = value->out.size();
        return Status{};
    });
}

}  // extern "C"

// capi/accp_version.cc

// include/accp/version.h

extern "C" {

const char *accp_version(void) noexcept { return ACCP_VERSION_STRING; }

int32_t accp_abi_version(void) noexcept { return ACCP_ABI_VERSION; }

}  // extern "C"
