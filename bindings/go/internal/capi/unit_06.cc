//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <cstring>
#include <charconv>
#include <new>

// context/names.cc

// See names.h.

// What in a text is a name: a path, a file, an identifier. And the words and lines of a text, as this room compares them.


namespace accp {

// The next run of letters, digits, `_ . / -`, without points and hyphens at its ends, that has 4 to 80 bytes, and a digit, `_ . / -` or a capital
// behind its first byte. Empty at the end; `at` moves behind it.
std::string_view next_name(std::string_view text, size_t &at);

// The next word: three bytes or more of letters, digits, `_` and what is no ASCII, or any number. Empty at the end.
std::string_view next_word(std::string_view text, size_t &at);

// The next line, without its newline; a long one in pieces of at most kMostLineBytes, cut behind a sentence, a space or a character.
constexpr size_t kMostLineBytes = 200;
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

constexpr size_t kLeastNameBytes = 4, kMostNameBytes = 80;

// The classes of a byte.
enum : unsigned char { kNameByte = 1, kWordByte = 2, kDigitByte = 4, kCapitalByte = 8, kJoinByte = 16 };

struct Bytes {
    unsigned char at[256] = {};
    constexpr Bytes() {
        for (int i = 0; i < 256; ++i) {
            unsigned char letter = static_cast<unsigned>((i | 0x20) - 'a') < 26 ? kNameByte | kWordByte : 0;
            unsigned char capital = static_cast<unsigned>(i - 'A') < 26 ? kCapitalByte : 0;
            unsigned char digit = static_cast<unsigned>(i - '0') < 10 ? kNameByte | kWordByte | kDigitByte : 0;
            at[i] = static_cast<unsigned char>(letter | capital | digit | (i >= 0x80 ? kWordByte : 0));
        }
        for (char c : {'_', '.', '/', '-'}) at[static_cast<unsigned char>(c)] = kNameByte | kJoinByte;
        at[static_cast<unsigned char>('_')] |= kWordByte;
    }
};
constexpr Bytes kBytes;

unsigned char classes(char c) { return kBytes.at[static_cast<unsigned char>(c)]; }

bool is_name(std::string_view run) {
    if (run.size() < kLeastNameBytes || run.size() > kMostNameBytes) return false;
    if (classes(run[0]) & (kDigitByte | kJoinByte)) return true;
    for (char c : run.substr(1))
        if (classes(c) & (kDigitByte | kJoinByte | kCapitalByte)) return true;
    return false;
}

bool is_dot(char c) { return c == '.' || c == '-'; }

// Where a piece of a line that is too long ends: behind a sentence, else behind a space, else behind a character.
size_t piece_of(std::string_view line) {
    size_t space = 0;
    for (size_t i = kMostLineBytes; i > kMostLineBytes / 3; --i) {
        if (line[i - 1] != ' ') continue;
        if (line[i - 2] == '.') return i;
        if (!space) space = i;
    }
    if (space) return space;
    size_t end = kMostLineBytes;
    while (end > kMostLineBytes - 4 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return end;
}

constexpr uint32_t kCode = 0xFF000000;  // no ending of four bytes of a name begins so

// Capitals and digits alone, as OI5L9G.
bool is_code(std::string_view name) {
    bool capital = false;
    for (char c : name) {
        const bool upper = static_cast<unsigned>(c - 'A') < 26;
        if (!upper && static_cast<unsigned>(c - '0') >= 10) return false;
        capital |= upper;
    }
    return capital;
}

}  // namespace

std::string_view next_name(std::string_view text, size_t &at) {
    while (at < text.size()) {
        while (at < text.size() && !(classes(text[at]) & kNameByte)) ++at;
        size_t from = at;
        while (at < text.size() && (classes(text[at]) & kNameByte)) ++at;
        std::string_view run = text.substr(from, at - from);
        while (!run.empty() && is_dot(run.front())) run.remove_prefix(1);
        while (!run.empty() && is_dot(run.back())) run.remove_suffix(1);
        if (is_name(run)) return run;
    }
    return {};
}

std::string_view next_word(std::string_view text, size_t &at) {
    while (at < text.size()) {
        while (at < text.size() && !(classes(text[at]) & kWordByte)) ++at;
        size_t from = at;
        while (at < text.size() && (classes(text[at]) & kWordByte)) ++at;
        std::string_view word = text.substr(from, at - from);
        if (word.size() >= 3 || (!word.empty() && (classes(word[0]) & kDigitByte))) return word;
    }
    return {};
}

std::string_view next_line(std::string_view text, size_t &at) {
    std::string_view rest = text.substr(at);
    size_t end = rest.substr(0, kMostLineBytes + 1).find('\n');
    if (end == rest.npos) {
        end = rest.size() <= kMostLineBytes ? rest.size() : piece_of(rest);
        at += end;
        return rest.substr(0, end);
    }
    at += end + 1;
    return rest.substr(0, end);
}

std::string_view trim(std::string_view text) {
    auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

Kin kin_of(std::string_view name) {
    auto bytes = [](std::string_view text) {
        uint32_t word = 0;
        for (char c : text) word = word << 8 | static_cast<unsigned char>(c);
        return word;
    };
    if (is_code(name)) return {bytes(name.substr(0, 4)), kCode | static_cast<uint32_t>(name.size())};
    size_t dot = name.rfind('.');
    const bool ending = dot != name.npos && dot && name.size() - dot >= 2 && name.size() - dot <= 5;
    return {bytes(name.substr(0, 4)), ending ? bytes(name.substr(dot + 1)) : 0};
}

uint32_t text_hash(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325 ^ text.size();
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return static_cast<uint32_t>(hash ^ hash >> 32);
}

}  // namespace accp

// delivery/chunk_message.cc

// See chunk_message.h.

// Chunks as messages in JSON (schema ST), out and in.


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
constexpr uint32_t kMostSchemas = 4096;         // lookups stay in cache, a listing stays readable
constexpr uint32_t kMostSchemaFields = 256;     // as many as a payload has params
constexpr uint32_t kMostSchemaBindings = 64;    // twelve intents, and a few operations
constexpr uint32_t kMostRegistryNames = 4096;   // custom operations; aliases for every schema
constexpr uint32_t kMostCodeBytes = 32;         // a code is short or it is no code
constexpr uint32_t kMostDeltaChunks = 65536;    // of a delta on its way: a peer's total is never allocated from
constexpr uint64_t kMostDeltaBytes = 16 << 20;  // of a delta on its way, put together
// Of one session's inbox and its chains. Memory is bounded by these, never by history.
constexpr uint32_t kReorderWindow = 64;              // A25: frames that wait for an earlier one
constexpr uint64_t kMostHeldBytes = 1 << 20;         // of frames that wait; one more may pass it
constexpr uint32_t kMostSenders = 256;               // who count for themselves (A22)
constexpr uint32_t kMostSenderBytes = 64;            // of the name of one of these
constexpr size_t kMaxOwnAgentBytes = 16 << 10;       // of the names that a session sends as: each frame that comes is compared with them
constexpr uint32_t kMostMidBytes = 64;               // A19: of a mid in a session that is not strict
constexpr uint32_t kMostCancelled = 1024;            // chains of one session: a peer may cancel what never was
constexpr uint64_t kMostCancelledBytes = 256 << 10;  // of their names: they are written with a checkpoint after each new one
constexpr uint32_t kMostChainHops = 64;              // from a frame back to its causes: a chain without end is an attack
constexpr uint64_t kMostSharedBytes = 256 << 10;     // of the state that two sides share: a delta must not be able to double it for ever
constexpr size_t kLeastHashDigits = 12;              // of a hash that a peer gives of a state
constexpr uint32_t kMostLookback = 1024;             // records that are searched for the cause of a frame
constexpr size_t kScanBytes = 1 << 20;               // of the log, read at a time
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
constexpr uint64_t kPartCost = 128;               // what a part is charged beside its text, so that empty ones cost too

// How many tokens a frame and its parts should have at most (specification 3.4): beyond the soft limit is a warning, beyond the hard one a session acts.
struct TokenLimit {
    uint64_t soft, hard;
};
constexpr TokenLimit kHeaderTokens = {5, 10}, kBodyTokens = {50, 200}, kMetadataTokens = {10, 30}, kFrameTokens = {65, 240};
// Of a store. A batch that is over one of these is refused whole.
constexpr size_t kMostSessionIdBytes = 256;           // a key of an index
constexpr size_t kMostBlobKeyBytes = 256;             // as many as a key of a frame has by default
constexpr size_t kMostStateBytes = 64 << 10;          // it is written with every commit that changes it
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
constexpr size_t kMostItemBytes = 200;          // a line, a name, or a fact with its entity
constexpr size_t kMostHotBytes = 4 << 10;       // of one message in hot: as above
constexpr uint32_t kMostSurvivors = 16;         // messages that stay in hot over a checkpoint; they are saved
constexpr size_t kMostContextState = 24 << 10;  // what is saved: both texts, and a dozen bytes an item
constexpr size_t kMostRefBytes = 64;            // of the name of a whole message
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

    bool ok() const { return code == ACCP_OK; }
    bool failed() const { return code != ACCP_OK; }
};

inline Status fail(accp_status code, uint64_t offset, const char *message) { return {code, 0, offset, message}; }

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

// Appends the message of a chunk; `named`: its payload names its schema. Texts may lie anywhere.
void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named, Arena &arena, Buffer<char> &json);

// Reads one: `stream`, or `end`, which has a cid and nothing else. Data that is no text is written to `spelled`. ERR_ARG for any other intent, E1004 for
// what is no chunk.
Status read_chunk_message(TreeView tree, bool &is_end, accp_chunk &out, Buffer<char> &spelled);

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
        return fail(ACCP_E2003, 0, "more open streams than the limit allows");
    }
    if (chunk.index != next && (chunk.index - next > most_ahead || (stream && stream->waiting.size() >= most_ahead)))
        return fail(ACCP_E2003, 0, "a chunk further ahead than the limit allows");
    if (chunk.data.len > most_bytes - held_) return fail(ACCP_E2003, 0, "more bytes of streams than the limit allows");
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
