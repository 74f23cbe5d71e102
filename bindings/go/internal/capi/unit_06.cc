//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <cstring>

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

// Where a piece of a line that is too long ends, behind the path of its field: behind a sentence, else behind a space, else behind a character.
size_t piece_of(std::string_view line) {
    size_t space = 0;
    for (size_t i = kMostLineBytes; i > kMaxPathBytes; --i) {
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

// profile/error_report.cc

// See error_report.h.

// Error frames (specification 3.6): the message fail:error under the schema ER, as JSON, and what one says.


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

// The number of a code as a frame has it ("E3001"); 0 for what is none: a digit of a category, then three.
accp_status read_error_code(std::string_view text);

// Is it one of the sixteen that the specification defines?
bool is_standard_code(accp_status code);

// Appends the message. Texts may lie anywhere.
void write_error_message(const accp_failure &failure, Arena &arena, Buffer<char> &json);

// What a message in JSON says. False where it is no protocol error: then it is an application's result (A69).
bool read_error_message(TreeView tree, accp_failure &out);

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

constexpr std::string_view kErrorSchema = "ER";

std::string_view view(const accp_text &text) { return {text.len ? text.text : "", text.len}; }

// Appends `before` and the text as a JSON string.
void put(std::string_view before, std::string_view text, Arena &arena, Buffer<char> &json) {
    json.append(before.data(), before.size());
    char *padded = arena.take<char>(text.size() + Buffer<char>::kSlack);
    if (!text.empty()) std::memcpy(padded, text.data(), text.size());
    write_json_string({padded, text.size()}, json);
}

// The text of a scalar, as cid:42 and cid:"42" are one id; empty where there is none.
accp_text scalar(TreeView tree, uint32_t parent, std::string_view key) {
    const uint32_t node = tree.find(parent, key);
    if (!node || is_container(tree[node].kind) || tree[node].kind == ACCP_NULL || tree[node].kind == ACCP_BOOL) return {nullptr, 0};
    return {tree.string(node).data(), tree.string(node).size()};
}

accp_text text_of(TreeView tree, uint32_t parent, std::string_view key) {
    const uint32_t node = tree.find(parent, key);
    return node && tree[node].kind == ACCP_STRING ? scalar(tree, parent, key) : accp_text{nullptr, 0};
}

}  // namespace

accp_status read_error_code(std::string_view text) {
    if (text.size() != 5 || text[0] != 'E' || !((text[1] >= '1' && text[1] <= '5') || text[1] == '9')) return 0;
    accp_status code = 0;
    for (char c : text.substr(1)) {
        if (c < '0' || c > '9') return 0;
        code = code * 10 + (c - '0');
    }
    return code;
}

bool is_standard_code(accp_status code) { return code >= ACCP_E1001 && accp_status_meaning(code)[0]; }

void write_error_message(const accp_failure &failure, Arena &arena, Buffer<char> &json) {
    const std::string_view message = view(failure.message);
    put("{\"agent\":", view(failure.agent), arena, json);
    put(",\"intent\":\"fail\",\"operation\":\"error\",\"payload\":{\"code\":", accp_status_code(failure.code), arena, json);
    put(",\"msg\":", message.empty() ? accp_status_name(failure.code) : message, arena, json);
    const std::string_view retry = accp_status_retryable(failure.code) ? ",\"retry\":true" : ",\"retry\":false";
    json.append(retry.data(), retry.size());
    if (failure.detail.len) put(",\"detail\":", view(failure.detail), arena, json);
    if (failure.source.len) put(",\"src\":", view(failure.source), arena, json);
    put(",\"schema\":", kErrorSchema, arena, json);
    json.push('}');
    if (failure.cid.len) {
        put(",\"meta\":{\"cid\":", view(failure.cid), arena, json);
        json.push('}');
    }
    json.push('}');
}

bool read_error_message(TreeView tree, accp_failure &out) {
    const uint32_t payload = tree.find(0, "payload"), meta = tree.find(0, "meta");
    if (!payload || tree.string(tree.find(0, "intent")) != "fail" || tree.string(tree.find(0, "operation")) != "error") return false;
    const uint32_t schema = tree.find(payload, "schema"), retry = tree.find(payload, "retry");
    if (schema && (tree[schema].kind != ACCP_STRING || tree.string(schema) != kErrorSchema)) return false;
    const accp_text code = text_of(tree, payload, "code");
    const accp_status number = read_error_code(view(code));
    const bool told = retry && tree[retry].kind == ACCP_BOOL;
    out.code = number ? number : ACCP_E9999;
    out.retry = told ? (tree[retry].flags & ACCP_NODE_TRUE) != 0 : accp_status_retryable(out.code);
    out.agent = text_of(tree, 0, "agent");
    out.message = text_of(tree, payload, "msg");
    out.detail = text_of(tree, payload, "detail");
    out.source = text_of(tree, payload, "src");
    const accp_text linked = meta && tree[meta].kind == ACCP_MAP ? scalar(tree, meta, "cid") : accp_text{nullptr, 0};
    out.cid = linked.len ? linked : scalar(tree, payload, "cid");
    return true;
}

}  // namespace accp
