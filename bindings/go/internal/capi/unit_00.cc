//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_O200K_BASE_IMAGE "o200k_base.image"
#define ACCP_CL100K_BASE_IMAGE "cl100k_base.image"
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <sys/random.h>
#include <atomic>
#include <cerrno>
#include <string_view>
#include "sha2.h"
#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <memory>

// base/memory.cc

// The private allocator: mimalloc, compiled into the library with every symbol hidden.

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

#if defined(ACCP_SYSTEM_MALLOC)
#include <cstdlib>
#else
#include <mimalloc.h>
#endif

namespace accp {

namespace {

void *private_alloc(size_t size, void *) {
#if defined(ACCP_SYSTEM_MALLOC)
    return std::malloc(size);
#else
    return mi_malloc(size);
#endif
}

void private_release(void *memory, size_t, void *) {
#if defined(ACCP_SYSTEM_MALLOC)
    std::free(memory);
#else
    mi_free(memory);
#endif
}

}  // namespace

accp_allocator private_allocator() { return {private_alloc, private_release, nullptr}; }

}  // namespace accp

// base/random.cc

// See random.h.

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

namespace {

struct SipState {
    uint64_t v0, v1, v2, v3;

    static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

    void round() {
        v0 += v1;
        v1 = rotate(v1, 13) ^ v0;
        v0 = rotate(v0, 32);
        v2 += v3;
        v3 = rotate(v3, 16) ^ v2;
        v0 += v3;
        v3 = rotate(v3, 21) ^ v0;
        v2 += v1;
        v1 = rotate(v1, 17) ^ v2;
        v2 = rotate(v2, 32);
    }
};

}  // namespace

uint64_t random_seed() {
    static std::atomic<uint64_t> counter{0};
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) seed = reinterpret_cast<uintptr_t>(&seed);
    return seed ^ counter.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed);
}

uint64_t random_secret() {
    uint64_t secret = 0;
    ssize_t got;
    do got = getrandom(&secret, sizeof secret, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof secret ? secret : random_seed();
}

uint64_t seeded_hash(const char *text, size_t len, uint64_t seed) {
    SipState s = {seed ^ 0x736f6d6570736575, ~seed ^ 0x646f72616e646f6d, seed ^ 0x6c7967656e657261, ~seed ^ 0x7465646279746573};
    auto mix = [&s](uint64_t word) {
        s.v3 ^= word;
        s.round();
        s.v0 ^= word;
    };
    size_t at = 0;
    for (; len - at >= 8; at += 8) {
        uint64_t word;
        std::memcpy(&word, text + at, 8);
        mix(word);
    }
    uint64_t last = static_cast<uint64_t>(len) << 56;
    for (int shift = 0; at < len; ++at, shift += 8) last |= static_cast<uint64_t>(static_cast<unsigned char>(text[at])) << shift;
    mix(last);
    s.v2 ^= 0xFF;
    for (int i = 0; i < 3; ++i) s.round();
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

}  // namespace accp

// base/sha256.cc

// See sha256.h. The arithmetic is libmd's.

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

Digest sha256(std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, reinterpret_cast<const uint8_t *>(text.data()), text.size());
    SHA256Final(digest, &context);
    Digest out = {};
    for (size_t i = 0; i < sizeof digest; ++i) {
        out.hex[2 * i] = kHex[digest[i] >> 4];
        out.hex[2 * i + 1] = kHex[digest[i] & 15];
    }
    return out;
}

}  // namespace accp

// base/utf8.cc

// See utf8.h. simdjson says whether a text is valid; this says where it is not.

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

size_t valid_utf8_prefix(const char *text, size_t len) {
    auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    for (size_t i = 0; i < len;) {
        while (len - i >= 16 && !Bytes16::load(text + i).high()) i += 16;
        if (i == len) break;
        unsigned char lead = byte(i);
        size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (!size || len - i < size) return i;
        for (size_t j = 1; j < size; ++j)
            if ((byte(i + j) & 0xC0) != 0x80) return i;
        bool overlong = (lead == 0xE0 && byte(i + 1) < 0xA0) || (lead == 0xF0 && byte(i + 1) < 0x90);
        bool beyond = (lead == 0xED && byte(i + 1) > 0x9F) || (lead == 0xF4 && byte(i + 1) > 0x8F);
        if (overlong || beyond) return i;
        i += size;
    }
    return len;
}

size_t broken_utf8_size(const char *text, size_t len) {
    auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned char lead = byte(0);
    size_t size = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1, at = 1;
    unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80, most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    while (at < size && at < len && byte(at) >= least && byte(at) <= most) {
        ++at;
        least = 0x80;
        most = 0xBF;
    }
    return at;
}

}  // namespace accp

// value/hash_form.cc

// The hash form: RFC 8785 with exact numbers. See accp_value_hash_form() in value.h.

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

// A value to compact JSON, as it is; and to its hash form.


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

// RFC 8785 sorts by UTF-16 code units. Bytewise order of UTF-8 is the same, save that U+E000 to U+FFFF come behind the surrogates, with which
// everything above U+FFFF begins: so at the first byte that differs, EE and EF are moved behind F0 to F4.
bool less_utf16(std::string_view a, std::string_view b) {
    size_t common = a.size() < b.size() ? a.size() : b.size();
    for (size_t i = 0; i < common; ++i) {
        auto x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
        if (x == y) continue;
        auto weight = [](unsigned char c) { return c == 0xEE || c == 0xEF ? c + 0x10 : static_cast<int>(c); };
        return weight(x) < weight(y);
    }
    return a.size() < b.size();
}

Status write_number(std::string_view text, Buffer<char> &out) {
    Decimal number;
    if (!read_decimal(text, number)) return fail(ACCP_E1004, 0, "an exponent of more than 18 digits");
    out.set_end(layout_number(number, out.room(text.size() + kLayoutRoom)));
    return {};
}

struct Open {
    Children children;
    uint32_t next;
    bool map;
};

Status write_leaf(TreeView tree, uint32_t i, Buffer<char> &out) {
    uint8_t kind = tree[i].kind;
    if (kind == ACCP_INT || kind == ACCP_DEC || kind == ACCP_NUMBER) return write_number(tree.string(i), out);
    write_json(tree, i, out);
    return {};
}

}  // namespace

Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out) {
    Open *open = arena.take<Open>(kMostJsonDepth + 1);
    uint32_t depth = 0;
    uint32_t node = root;
    for (;;) {
        if (is_container(tree[node].kind)) {
            bool map = tree[node].kind == ACCP_MAP;
            Children children = list_children(tree, node, arena);
            if (map) sort_children(children, [&](uint32_t a, uint32_t b) { return less_utf16(tree.key(a), tree.key(b)); });
            out.push(map ? '{' : '[');
            open[depth++] = {children, 0, map};
        } else {
            Status status = write_leaf(tree, node, out);
            if (status.failed()) return status;
        }
        while (depth && open[depth - 1].next == open[depth - 1].children.count) out.push(open[--depth].map ? '}' : ']');
        if (!depth) return {};
        Open &level = open[depth - 1];
        if (level.next) out.push(',');
        node = level.children.nodes[level.next++];
        if (!level.map) continue;
        write_json_string(tree.key(node), out);
        out.push(':');
    }
}

}  // namespace accp

// value/json_fault.cc

// See json_fault.h.

// Why a text could not even be indexed as JSON, found one byte at a time.



namespace accp {

// Always a failure: invalid UTF-8 is ACCP_E1004, a raw control character in a string or a string without an end ACCP_E1001.
Status json_fault(const char *text, size_t len);

}  // namespace accp


namespace accp {

Status json_fault(const char *text, size_t len) {
    size_t valid = valid_utf8_prefix(text, len);
    bool string = false;
    for (size_t i = 0; i < valid; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (string && c < 0x20) return fail(ACCP_E1001, i, "a control character inside a JSON string");
        if (string && c == '\\') ++i;
        else if (c == '"') string = !string;
    }
    if (valid < len) return fail(ACCP_E1004, valid, "not UTF-8");
    if (string) return fail(ACCP_E1001, len, "a string without an end");
    return fail(ACCP_E1001, 0, "not JSON");
}

}  // namespace accp

// value/json_string.cc

// See json_string.h.

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

namespace {

// Four hex digits, or -1.
int hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
        auto c = static_cast<unsigned char>(p[i]);
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
        if (digit < 0) return -1;
        value = value << 4 | digit;
    }
    return value;
}

}  // namespace

bool copy_json_escape(const char *&from, const char *end, char *&to) {
    constexpr char kPlain[] = "\"\\/bfnrt", kMeaning[] = "\"\\/\b\f\n\r\t";
    if (end - from < 2) return false;
    if (from[1] != 'u') {
        const char *at = from[1] ? std::strchr(kPlain, from[1]) : nullptr;
        if (!at) return false;
        *to++ = kMeaning[at - kPlain];
        from += 2;
        return true;
    }
    int unit = hex4(from + 2, end);
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
    uint32_t point = static_cast<uint32_t>(unit);
    const char *next = from + 6;
    if (unit >= 0xD800 && unit < 0xDC00) {
        int low = end - next >= 6 && next[0] == '\\' && next[1] == 'u' ? hex4(next + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return false;
        point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
        next += 6;
    }
    to = write_utf8(point, to);
    from = next;
    return true;
}

StringCopy copy_json_string(const char *from, const char *end, char *to) {
    for (;;) {
        if (end - from >= 16) {
            Bytes16 bytes = Bytes16::load(from);
            bytes.store(to);
            uint32_t special = bytes.equal('"') | bytes.equal('\\');
            if (!special) {
                from += 16;
                to += 16;
                continue;
            }
            int plain = __builtin_ctz(special);
            from += plain;
            to += plain;
        } else {
            while (*from != '"' && *from != '\\') *to++ = *from++;
        }
        if (*from == '"') return {to, nullptr};
        if (!copy_json_escape(from, end, to)) return {to, from};
    }
}

Status json_string_fault(const char *fault, const char *text) {
    auto offset = static_cast<uint64_t>(fault - text);
    bool surrogate = fault[1] == 'u' && (fault[2] | 0x20) == 'd' && std::strchr("89abcdefABCDEF", fault[3]) && fault[3];
    if (surrogate && hex4(fault + 2, fault + 6) >= 0) return fail(ACCP_E1004, offset, "a lone surrogate has no UTF-8");
    return fail(ACCP_E1001, offset, "not an escape of JSON");
}

}  // namespace accp

// value/json_writer.cc

// See json_writer.h.


namespace accp {

namespace {

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Copies up to the first byte that needs an escape. `to` has room for what is left and 16 bytes more.
const char *copy_plain(const char *from, const char *end, char *&to) {
    while (end - from >= 16) {
        Bytes16 bytes = Bytes16::load(from);
        bytes.store(to);
        uint32_t special = bytes.below(0x20) | bytes.equal('"') | bytes.equal('\\');
        int plain = special ? __builtin_ctz(special) : 16;
        from += plain;
        to += plain;
        if (special) return from;
    }
    while (from < end && !needs_escape(static_cast<unsigned char>(*from))) *to++ = *from++;
    return from;
}

// Short and plain, as almost all strings are: one vector. Both sides have slack; nullptr for any other string.
[[gnu::always_inline]] inline char *write_short_string(std::string_view text, char *to) {
    if (text.size() > 16) return nullptr;
    Bytes16 bytes = Bytes16::load(text.data());
    bytes.store(to + 1);
    uint32_t special = bytes.below(0x20) | bytes.equal('"') | bytes.equal('\\');
    if (special & ((uint32_t{1} << text.size()) - 1)) return nullptr;
    to[0] = to[text.size() + 1] = '"';
    return to + text.size() + 2;
}

// The cursor of one write_json(): it makes sure of room once a node, then writes through a bare pointer.
struct Cursor {
    Buffer<char> &out;
    char *to;
    char *end;

    [[gnu::always_inline]] void need(size_t bytes) {
        if (static_cast<size_t>(end - to) < bytes) grow(bytes);
    }
    [[gnu::noinline]] void grow(size_t bytes) {
        out.set_end(to);
        to = out.room(bytes + 1024);
        end = to + bytes + 1024;
    }
    void put(std::string_view word) {
        std::memcpy(to, word.data(), word.size());
        to += word.size();
    }
};

[[gnu::noinline]] char *write_long_string(std::string_view text, Cursor cursor, char *&room_end) {
    cursor.out.set_end(cursor.to);
    write_json_string(text, cursor.out);
    room_end = cursor.out.end();
    return room_end;
}

[[gnu::always_inline]] inline void write_string(std::string_view text, Cursor &cursor) {
    char *to = write_short_string(text, cursor.to);
    cursor.to = to ? to : write_long_string(text, cursor, cursor.end);
}

[[gnu::always_inline]] inline void write_scalar(const Node &node, const char *text, Cursor &cursor) {
    switch (node.kind) {
        case ACCP_STRING: return write_string({text, node.len}, cursor);
        case ACCP_NULL: return cursor.put("null");
        case ACCP_BOOL: return cursor.put(node.flags & ACCP_NODE_TRUE ? "true" : "false");
        case ACCP_REF:
            cursor.put("{\"$ref\":");
            write_string({text, node.len}, cursor);
            cursor.need(1);
            return cursor.put("}");
        default: copy_padded(cursor.to, text, node.len); cursor.to += node.len;
    }
}

}  // namespace

char *write_json_escape(unsigned char c, char *to) {
    constexpr char kHex[] = "0123456789abcdef";
    *to++ = '\\';
    switch (c) {
        case '"':
        case '\\': *to++ = static_cast<char>(c); return to;
        case '\b': *to++ = 'b'; return to;
        case '\f': *to++ = 'f'; return to;
        case '\n': *to++ = 'n'; return to;
        case '\r': *to++ = 'r'; return to;
        case '\t': *to++ = 't'; return to;
        default: break;
    }
    std::memcpy(to, "u00", 3);
    to[3] = kHex[c >> 4];
    to[4] = kHex[c & 15];
    return to + 5;
}

void write_json_string(std::string_view text, Buffer<char> &out) {
    const char *from = text.data(), *end = from + text.size();
    char *to = out.room(text.size() + 18);
    *to++ = '"';
    for (;;) {
        from = copy_plain(from, end, to);
        if (from == end) break;
        out.set_end(to);
        to = out.room(static_cast<size_t>(end - from) + kMostJsonEscape + 18);
        to = write_json_escape(static_cast<unsigned char>(*from++), to);
    }
    *to++ = '"';
    out.set_end(to);
}

void write_json(TreeView tree, uint32_t root, Buffer<char> &out) {
    struct Open {
        uint32_t end;
        bool map;
    };
    Open open[kMostJsonDepth + 1];
    uint32_t depth = 0;
    const uint32_t last = tree[root].next;
    uint32_t end = last;  // of the innermost open container
    bool first = true, map = false;
    Cursor cursor = {out, out.end(), out.end()};
    for (uint32_t i = root;; ++i) {
        while (depth && end == i) {
            cursor.need(1);
            *cursor.to++ = map ? '}' : ']';
            --depth;
            end = open[depth].end;
            map = open[depth].map;
            first = false;
        }
        if (i == last) break;
        const Node &node = tree[i];
        cursor.need(size_t{node.key_len} + (is_container(node.kind) ? 0 : node.len) +
                    64);  // more only for strings, which see to it themselves
        if (!first) *cursor.to++ = ',';
        first = false;
        if (map) {
            write_string(tree.key(i), cursor);
            cursor.need(size_t{is_container(node.kind) ? 0 : node.len} + 64);
            *cursor.to++ = ':';
        }
        if (!is_container(node.kind)) {
            write_scalar(node, tree.text + node.offset, cursor);
            continue;
        }
        open[depth++] = {end, map};
        map = node.kind == ACCP_MAP;
        end = node.next;
        *cursor.to++ = map ? '{' : '[';
        first = true;
    }
    out.set_end(cursor.to);
}

}  // namespace accp

// value/keys.cc

// See keys.h.

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

bool has_key(TreeView tree, uint32_t map, uint32_t end, const char *key, size_t key_len) {
    std::string_view wanted(key, key_len);
    for (uint32_t i = map + 1; i < end; i = tree[i].next)
        if (tree.key(i) == wanted) return true;
    return false;
}

uint32_t find_equal(const std::string_view *keys, uint32_t count, Arena &arena, uint64_t seed) {
    size_t slots = 16;
    while (slots < size_t{2} * count) slots *= 2;
    auto *table = arena.take<uint32_t>(slots);  // places, from 1
    std::memset(table, 0, slots * sizeof *table);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint64_t at = seeded_hash(keys[i].data(), keys[i].size(), seed);; ++at) {
            uint32_t &slot = table[at & (slots - 1)];
            if (slot && keys[slot - 1] == keys[i]) return i;
            if (slot) continue;
            slot = i + 1;
            break;
        }
    }
    return 0;
}

uint32_t find_equal_key(TreeView tree, uint32_t map, Arena &arena, uint64_t seed) {
    uint32_t count = 0;
    auto *keys = arena.take<std::string_view>(tree[map].len);
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) keys[count++] = tree.key(i);
    uint32_t place = find_equal(keys, count, arena, seed);
    uint32_t twin = map + 1;
    for (uint32_t i = 0; i < place; ++i) twin = tree[twin].next;
    return place ? twin : 0;
}

}  // namespace accp

// value/number.cc

// See number.h. The layout is ECMAScript's Number::toString, which RFC 8785 takes over, with the shortest digits of a double replaced by the
// exact ones: the same text for every number that has at most 15 significant digits, and a text of its own for every other value.



namespace accp {

namespace {

bool digit(const char *p, const char *end) { return p < end && static_cast<unsigned char>(*p - '0') < 10; }

const char *digits_end(const char *p, const char *end) {
    while (digit(p, end)) ++p;
    return p;
}

}  // namespace

NumberToken scan_number(const char *text, const char *end) {
    const char *p = text;
    if (p < end && *p == '-') ++p;
    const char *integer = p;
    p = digits_end(p, end);
    if (p == integer || (*integer == '0' && p - integer > 1)) return {0, 0};
    bool zero = *integer == '0';
    uint8_t kind = ACCP_INT;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = digits_end(p, end);
        if (p == fraction) return {0, 0};
        for (const char *q = fraction; q < p; ++q) zero = zero && *q == '0';
        kind = ACCP_DEC;
    }
    if (zero && *text == '-') kind = ACCP_NUMBER;
    if (p < end && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p < end && (*p == '+' || *p == '-')) ++p;
        const char *exponent = p;
        p = digits_end(p, end);
        if (p == exponent) return {0, 0};
        kind = ACCP_NUMBER;
    }
    return {static_cast<size_t>(p - text), kind};
}

bool read_decimal(std::string_view text, Decimal &out) {
    const char *p = text.data(), *end = p + text.size();
    out.negative = *p == '-';
    p += out.negative;
    const char *mantissa_end = p;
    const char *point = nullptr;
    while (mantissa_end < end && (*mantissa_end | 0x20) != 'e') {
        if (*mantissa_end == '.') point = mantissa_end;
        ++mantissa_end;
    }
    int64_t exponent = 0;
    if (mantissa_end < end) {
        const char *from = mantissa_end + 1;
        bool down = *from == '-';
        from += *from == '-' || *from == '+';
        while (from < end - 1 && *from == '0') ++from;
        if (end - from > kMostExponentDigits) return false;
        std::from_chars(from, end, exponent);
        if (down) exponent = -exponent;
    }
    if (point) exponent -= mantissa_end - point - 1;
    const char *last = mantissa_end;
    while (last > p && (last[-1] == '0' || last[-1] == '.')) {
        exponent += last[-1] == '0';
        --last;
    }
    while (p < last && (*p == '0' || *p == '.')) ++p;
    out.digits = p;
    out.digit_count = static_cast<size_t>(last - p) - (point && point > p && point < last ? 1 : 0);
    out.exponent = exponent;
    if (!out.digit_count) out.negative = false, out.exponent = 0;
    return true;
}

char *layout_number(const Decimal &number, char *to) {
    if (!number.digit_count) {
        *to++ = '0';
        return to;
    }
    if (number.negative) *to++ = '-';
    const char *from = number.digits;
    auto copy = [&](int64_t count) {
        for (; count > 0; --count) {
            if (*from == '.') ++from;
            *to++ = *from++;
        }
    };
    auto zeros = [&](int64_t count) {
        std::memset(to, '0', static_cast<size_t>(count));
        to += count;
    };
    auto k = static_cast<int64_t>(number.digit_count);
    int64_t n = k + number.exponent;  // where the point goes
    if (k <= n && n <= 21) {
        copy(k);
        zeros(n - k);
    } else if (0 < n && n <= 21) {
        copy(n);
        *to++ = '.';
        copy(k - n);
    } else if (-6 < n && n <= 0) {
        *to++ = '0';
        *to++ = '.';
        zeros(-n);
        copy(k);
    } else {
        copy(1);
        if (k > 1) *to++ = '.';
        copy(k - 1);
        *to++ = 'e';
        if (n > 0) *to++ = '+';
        to = std::to_chars(to, to + 24, n - 1).ptr;
    }
    return to;
}

}  // namespace accp

// frame/block_json.cc

// See block_json.h. What stands unescaped in a frame needs no escape in JSON but for quotes, so nearly everything is copied in whole vectors.

// The wire to JSON in one pass, as far as that goes: straight from the nodes of a parsed block, with no value between. Decoder (decode.h) does the rest:
// tables, keys that may stand for one another, and whatever is wrong. The two write the same bytes.


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

// t1: which arrays are tables (WIRE.md section 4).


namespace accp {

constexpr std::string_view kColumnsKey = "__cols", kRowsKey = "__rows";
constexpr uint32_t kTableNesting = 3;  // the map, the array of rows, a row

struct Table {
    uint32_t rows;
    uint32_t columns;
    const uint32_t *cells;  // nodes, row after row, columns sorted by source key; the first row's keys are the columns' names
};

// {"$ref":"warm.key"}: where refs are kept, this object is a ref, which is a scalar.
bool is_reference(TreeView tree, uint32_t node, uint64_t key_bytes);

// What is asked about an array that may be a table.
struct TableRule {
    uint32_t room;       // levels of brackets that its cells have left
    uint64_t key_bytes;  // the most bytes of a key, and of a column's name
    bool keep_refs;
};

// True when `array` is to be written as a table: two or more objects with one key set, where (rows - 1) * keys >= 4. The cells are measured as they
// would stand if none of them became a table itself.
bool find_table(TreeView tree, uint32_t array, const TableRule &rule, Arena &arena, Table &out);

}  // namespace accp

namespace accp {

// An open array or map, or the block itself.
struct BlockJson::Level {
    uint32_t node, end;  // the first node after it
    char closing;
    bool payload;  // its keys are those of the payload itself
    bool mapped;   // one of its keys stands for another
};

namespace {

constexpr size_t kNodeRoom = 16;  // brackets, quotes, separators and fixed words around a node's text

// Writes the text in quotes; nullptr where it holds a quote. Both sides have slack.
[[gnu::always_inline]] inline char *write_plain(const char *text, size_t len, char *to) {
    *to++ = '"';
    size_t at = 0;
    for (; len - at > 16; at += 16) {
        Bytes16 bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        if (bytes.equal('"')) return nullptr;
    }
    Bytes16 bytes = Bytes16::load(text + at);
    bytes.store(to + at);
    if (bytes.equal('"') & ((uint32_t{1} << (len - at)) - 1)) return nullptr;
    to[len] = '"';
    return to + len + 1;
}

// Writes a scalar that stands for itself; nullptr for any other.
[[gnu::always_inline]] inline char *write_plain_scalar(const Node &node, const char *text, char *to) {
    switch (node.kind) {
        case ACCP_STRING: return (node.flags & ACCP_NODE_ESCAPED) || *text == '=' ? nullptr : write_plain(text, node.len, to);
        case ACCP_REF: return nullptr;
        case ACCP_NULL: std::memcpy(to, "null", 4); return to + 4;
        case ACCP_BOOL:
            std::memcpy(to, node.flags & ACCP_NODE_TRUE ? "true " : "false", 5);
            return to + (node.flags & ACCP_NODE_TRUE ? 4 : 5);
        default: copy_padded(to, text, node.len); return to + node.len;
    }
}

}  // namespace

// Appends the JSON of a key that stands for another, and a colon. False where two such are in one map, or it begins a table, or is at fault.
bool BlockJson::write_mapped_key(TreeView frame, uint32_t node, Level &level, Arena &arena, Buffer<char> &out) const {
    std::string_view wire = frame.key(node);
    if (level.mapped || (tables_ && (wire == kColumnsKey || wire == kRowsKey)) || (level.payload && wire == kTextKey)) return false;
    level.mapped = true;
    char *name = arena.take<char>(wire.size());
    char *end = keys_.read(wire, level.payload, name);
    if (!end) return false;
    std::string_view key(name, static_cast<size_t>(end - name));
    if (frame.find(level.node, key)) return false;
    write_json_string(key, out);
    out.push(':');
    return true;
}

// Appends the JSON of a scalar that does not stand for itself: a string that is escaped, quoted, or a number behind an equals sign; a ref. False for a
// malformed %u.
bool BlockJson::write_other(TreeView frame, uint32_t node, Arena &arena, Buffer<char> &out) const {
    Node read = frame[node];
    if (read.kind == ACCP_REF) out.append("{\"$ref\":", 8);
    char *text = arena.take<char>(read.len + Buffer<char>::kSlack);
    char *end = read_content(read, frame.string(node), q1_, text);
    if (!end) return false;
    std::string_view content(text, static_cast<size_t>(end - text));
    if (read.kind == ACCP_STRING || read.kind == ACCP_REF) write_json_string(content, out);
    else out.append(content.data(), content.size());
    if (read.kind == ACCP_REF) out.push('}');
    return true;
}

bool BlockJson::write(TreeView frame, uint32_t block, bool payload, Arena &arena, Buffer<char> &out) const {
    if (payload && abbreviate_) return false;  // too many keys that stand for others
    const Node *const nodes = frame.nodes;
    const Node &last = nodes[nodes[block].next - 1];
    const size_t all = 2 * size_t{last.offset + last.len - nodes[block].offset} + kNodeRoom * size_t{nodes[block].next - block + 1};
    Level levels[kMostDepth + 1], *level = levels;
    *level = {block, nodes[block].next, '}', payload, false};
    char *to = out.room(all);
    char lead = '{';
    for (uint32_t i = block + 1;; ++i) {
        while (i == level->end) {
            if (lead != ',') *to++ = lead;  // empty
            *to++ = level->closing;
            lead = ',';
            if (level == levels) {
                out.set_end(to);
                return true;
            }
            --level;
        }
        const Node &node = nodes[i];
        const char *content = frame.text + node.offset;
        *to++ = lead;
        lead = ',';
        if (level->closing == '}') {
            const char *key = content - 1 - node.key_len - (node.kind == ACCP_REF);
            if (q1_ && key[0] == '_' && key[1] == '_') {
                out.set_end(to);
                if (!write_mapped_key(frame, i, *level, arena, out)) return false;
                to = out.room(all);  // for all that may follow
            } else {
                *to = '"';
                copy_padded(to + 1, key, node.key_len);
                to += node.key_len + 1;
                std::memcpy(to, "\":", 2);
                to += 2;
            }
        }
        if (is_container(node.kind)) {
            bool map = node.kind == ACCP_MAP;
            *++level = {i, node.next, map ? '}' : ']', false, false};
            lead = map ? '{' : '[';
        } else if (char *end = write_plain_scalar(node, content, to)) {
            to = end;
        } else {
            out.set_end(to);
            if (!write_other(frame, i, arena, out)) return false;
            to = out.room(all);
        }
    }
}

}  // namespace accp

// frame/coder.cc

// See coder.h: what a parsed frame can become.

// All that one handle does with one frame at a time: parse, print, encode, decode. Everything it needs is kept and used again.


// Values to the wire in one pass, as far as that goes: a block whose maps are in order already, without tables. Encoder (encode.h) does the rest, and
// says what is wrong with a value that has no spelling; the two write the same bytes.


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


// A parsed frame back to its canonical text (specification 3.1.1).


namespace accp {

// Appends the canonical form of the frame whose nodes are nodes[0, count) over text[0, text_len). ACCP_E1004 for a decimal of more than six places.
Status print_frame(TreeView tree, uint32_t count, size_t text_len, Arena &arena, Buffer<char> &out);

}  // namespace accp

namespace accp {

Coder::Coder(Memory &memory, const Settings &settings)
    : ignored(memory),
      envelope(memory),
      settings_(settings),
      block_writer_(settings),
      block_json_(settings),
      parser_(memory, settings),
      reader_(memory),
      arena_(memory),
      value_(memory),
      padded_(memory),
      seed_(random_seed()) {}

Status Coder::print(TreeView tree, uint32_t count, size_t text_len, Buffer<char> &out) {
    if (parser_.canonical()) {
        out.append(tree.text, text_len);
        return {};
    }
    arena_.reset();
    return print_frame(tree, count, text_len, arena_, out);
}

Status Coder::read_block(TreeView tree, uint32_t block, bool payload, Value &out, bool keys_differ) {
    arena_.reset();
    if (block) return Decoder(settings_, arena_, seed_).params(tree, block, payload, out, keys_differ);
    out.clear();
    out.close(out.open(ACCP_MAP), 0);
    return {};
}

namespace {

// A ref that is left when decoding is done: there is no session here to resolve it.
uint32_t find_ref(TreeView tree, uint32_t from, uint32_t count) {
    for (uint32_t i = from; i < count; ++i)
        if (tree[i].kind == ACCP_REF) return i;
    return 0;
}

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

}  // namespace

Status Coder::decode(const char *text, size_t len, Buffer<Node> &nodes, Buffer<char> &out) {
    size_t first = nodes.size(), start = out.size();
    Status status = parse(text, len, nodes);
    if (status.failed()) return status;
    padded_.recycle(kKeptBytes);
    padded_.append(text, len);
    TreeView tree = {nodes.data() + first, padded_.data()};
    auto count = static_cast<uint32_t>(nodes.size() - first);
    uint32_t ref = settings_.keep_refs ? 0 : find_ref(tree, kPayload, count);
    if (ref) status = fail(ACCP_E2001, tree[ref].offset - 1, "a reference, and no session to resolve it");
    if (status.ok()) status = write_message(tree, count, out);
    if (status.failed()) out.resize_down(start);
    return status;
}

// Appends the JSON of one of the two blocks: at once, or by way of a value.
Status Coder::write_block(TreeView tree, uint32_t block, bool payload, Buffer<char> &out) {
    arena_.reset();
    size_t start = out.size();
    if (direct && block_json_.write(tree, block, payload, arena_, out)) return {};
    out.resize_down(start);
    Status status = read_block(tree, block, payload, value_);
    if (status.failed()) return status;
    const uint32_t text = payload ? text_node(tree, block, settings_) : 0;
    if (text && value_.nodes[1].kind == ACCP_REF)
        return fail(ACCP_E2001, tree[text].offset - 1, "a text that is a reference, and no session to resolve it");
    write_json(value_.view(), text && value_.nodes[1].kind == ACCP_STRING ? 1 : 0, out);
    return {};
}

Status Coder::write_message(TreeView tree, uint32_t count, Buffer<char> &out) {
    put(out, "{\"agent\":\"");
    put(out, tree.string(kAgent));
    put(out, "\",\"intent\":\"");
    put(out, tree.string(kIntent));
    put(out, "\",\"operation\":\"");
    put(out, tree.string(kOperation));
    put(out, "\",\"payload\":");
    Status status = write_block(tree, kPayload, true, out);
    uint32_t meta = tree[kPayload].next;
    if (status.ok() && meta < count) {
        put(out, ",\"meta\":");
        status = write_block(tree, meta, false, out);
    }
    out.push('}');
    return status;
}

}  // namespace accp

// frame/decode.cc

// See decode.h. One loop over a stack of levels, as in encode.cc; a table is walked as rows of cells that borrow their keys from its columns.


namespace accp {

namespace {

// Has the map two children of one key? A few are compared one with another; the caller's general path finds out which.
bool has_equal_children(TreeView tree, uint32_t map) {
    if (tree[map].len > kLinearKeys) return true;  // not known: let the general path see
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
        if (has_key(tree, map, i, tree.key(i).data(), tree.key(i).size())) return true;
    return false;
}

constexpr size_t kLongestName = 32;  // of an abbreviation written in full

// An = number: what follows the sign is one JSON number and nothing else.
NumberToken equals_number(std::string_view text) {
    if (text.size() < 2 || text[0] != '=') return {0, 0};
    NumberToken token = scan_number(text.data() + 1, text.data() + text.size());
    return token.len == text.size() - 1 ? token : NumberToken{0, 0};
}

}  // namespace

char *read_content(Node &node, std::string_view text, bool q1, char *to) {
    bool escaped = (node.flags & ACCP_NODE_ESCAPED) != 0;
    if (node.kind == ACCP_STRING) node.flags = 0;
    if (node.kind == ACCP_DEC) node.kind = scan_number(text.data(), text.data() + text.size()).kind;
    if (node.kind == ACCP_STRING && q1) {
        NumberToken number = escaped ? NumberToken{0, 0} : equals_number(text);
        if (number.len) {
            node.kind = number.kind;
            text.remove_prefix(1);
        } else if (is_quoted(text)) {
            size_t fault = text.size();
            char *end = read_quoted(text, to, &fault);
            return fault < text.size() ? nullptr : end;
        }
    }
    if (escaped && node.kind == ACCP_STRING) return unescape(text, to);
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

uint32_t text_node(TreeView frame, uint32_t block, const Settings &settings) {
    if (!settings.has(ACCP_EXT_Q1) || frame[block].len != 1 || frame.key(block + 1) != kTextKey) return 0;
    const uint8_t kind = frame[block + 1].kind;
    return kind == ACCP_STRING || kind == ACCP_REF ? block + 1 : 0;
}

Status Decoder::params(TreeView frame, uint32_t block, bool payload, Value &out, bool keys_differ) {
    frame_ = frame;
    out_ = &out;
    payload_ = payload;
    keys_differ_ = keys_differ;
    depth_ = 0;
    out.clear();
    if (copy_plain(block)) return {};
    out.clear();
    push(Kind::kMap, block, ACCP_MAP);
    Status status = run();
    if (status.failed()) out.clear();
    return status;
}

// Without tables, a block's nodes are the value's nodes: they are copied, their text in one piece, and only what does not stand for itself is written
// anew behind that text, key and all. False, and nothing done, where that is not enough: a table, a key inside a map that stands for another, any fault.
bool Decoder::copy_plain(uint32_t block) {
    const Node *from = frame_.nodes + block;
    const uint32_t count = from->next - block, base = from->offset;
    const Node &last = from[count - 1];
    out_->text.append(frame_.text + base, last.offset + (is_container(last.kind) ? 0 : last.len) - base);
    Node *to = out_->nodes.room(count);
    bool mapped = payload_ && settings_.abbreviate;  // `data` may stand here, and `d` too
    uint32_t sibling = 1;                            // the next of the block's own entries
    for (uint32_t i = 0; i < count; ++i) {
        Node node = from[i];
        const bool own = i == sibling;
        if (own) sibling = from[i].next - block;
        const char *content = frame_.text + node.offset;
        const char *key = content - 1 - node.key_len - (node.kind == ACCP_REF);
        bool written = node.kind == ACCP_STRING && ((node.flags & ACCP_NODE_ESCAPED) || *content == '"' || *content == '=');
        bool other_key = (node.key_len > 1 && key[0] == '_' && key[1] == '_') || (own && payload_ && settings_.abbreviate);
        if (written | other_key) {
            if (other_key && !own) return false;
            mapped |= other_key;
            if (!rewrite(node, {key, node.key_len}, other_key)) return false;
        } else {
            if (node.kind == ACCP_DEC) node.kind = scan_number(content, content + node.len).kind;
            node.offset -= base;
            node.flags &= ACCP_NODE_TRUE;
        }
        node.next -= block;
        to[i] = node;
    }
    out_->nodes.advance(count);
    return !mapped || !keys_differ_ || !has_equal_children(out_->view(), 0);
}

// Writes one entry anew behind the value's text, and moves the node there. False where the key or the text is at fault, or begins a table.
bool Decoder::rewrite(Node &node, std::string_view key, bool other_key) {
    bool payload = payload_ && depth_ == 0;
    other_key = other_key && keys_.is_mapped(key, payload);
    if (settings_.has(ACCP_EXT_T1) && other_key && (key == kColumnsKey || key == kRowsKey)) return false;
    char *to = out_->text.room(key.size() + kLongestName + node.len + 2);
    char *begin = to;
    if (other_key) {
        to = keys_.read(key, payload, to);
        if (!to) return false;
    } else if (!key.empty()) {
        std::memcpy(to, key.data(), key.size());
        to += key.size();
    }
    node.key_len = static_cast<uint16_t>(to - begin);
    *to++ = '\0';
    if (node.kind == ACCP_REF) *to++ = '$';
    std::string_view text(frame_.text + node.offset, is_container(node.kind) ? 0 : node.len);
    node.offset = static_cast<uint32_t>(to - out_->text.data());
    char *end = read_content(node, text, settings_.has(ACCP_EXT_Q1), to);
    if (!end) return false;
    if (!is_container(node.kind)) node.len = static_cast<uint32_t>(end - to);
    out_->text.set_end(end);
    return true;
}

void Decoder::push(Kind kind, uint32_t node, uint8_t out_kind) {
    levels_[depth_++] = {node + 1, frame_[node].next, node + 1, out_->open(out_kind), 0, kind, false};
}

Status Decoder::run() {
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.next == level.end) {
            Status status = close();
            if (status.failed()) return status;
            continue;
        }
        uint32_t node = level.next;
        level.next = frame_[node].next;
        Status status = entry(node);
        if (status.failed()) return status;
    }
    return {};
}

Status Decoder::entry(uint32_t node) {
    Level &level = levels_[depth_ - 1];
    const Columns &columns = columns_[depth_ - 1];
    uint32_t place = level.count++;
    switch (level.kind) {
        case Kind::kArray: return value(node);
        case Kind::kMap: {
            Status status = key(node);
            return status.failed() ? status : value(node);
        }
        case Kind::kRow:
            if (place == columns.count) return fail(ACCP_E1004, frame_[node].offset, "a row with more cells than the table has columns");
            out_->add_key(columns.names[place]);
            return value(node);
        case Kind::kRows:
            if (frame_[node].kind != ACCP_ARRAY) return fail(ACCP_E1004, frame_[node].offset, "a row of a table is an array");
            if (frame_[node].len < columns.count)
                return fail(ACCP_E1004, frame_[node].offset, "a row with fewer cells than the table has columns");
            columns_[depth_] = columns;
            push(Kind::kRow, node, ACCP_MAP);
            if (out_->text.size() > kMostTextBytes) return fail(ACCP_E1001, frame_[node].offset, "a table larger than a value may be");
            return {};
    }
    return {};
}

Status Decoder::close() {
    Level &level = levels_[--depth_];
    out_->close(level.out, level.count);
    if (!level.mapped || (!depth_ && !keys_differ_)) return {};
    uint32_t twin = find_equal_key(out_->view(), level.out, arena_, seed_);
    if (!twin) return {};
    uint32_t node = level.first;  // the twin's place among its siblings is that of its wire key
    for (uint32_t i = level.out + 1; i < twin; i = out_->nodes[i].next) node = frame_[node].next;
    return fail(ACCP_E1001, ACCP_NODE_KEY(&frame_.nodes[node]), "two keys that stand for one");
}

Status Decoder::key(uint32_t node) {
    std::string_view wire = frame_.key(node);
    bool payload = payload_ && depth_ == 1;
    if (!keys_.is_mapped(wire, payload)) {
        out_->add_key(wire);
        levels_[depth_ - 1].mapped |= payload && settings_.abbreviate;  // `data` may stand here, and `d` too
        return {};
    }
    char *name = arena_.take<char>(wire.size() + kLongestName);
    char *end = keys_.read(wire, payload, name);
    if (!end) return fail(ACCP_E1004, ACCP_NODE_KEY(&frame_.nodes[node]), "a key that is not UTF-8");
    out_->add_key({name, static_cast<size_t>(end - name)});
    levels_[depth_ - 1].mapped = true;
    return {};
}

Status Decoder::value(uint32_t i) {
    const Node &node = frame_[i];
    if (node.kind == ACCP_ARRAY) {
        push(Kind::kArray, i, ACCP_ARRAY);
    } else if (node.kind == ACCP_MAP) {
        bool table = false;
        Status status = settings_.has(ACCP_EXT_T1) ? open_table(i, table) : Status{};
        if (status.failed() || table) return status;
        push(Kind::kMap, i, ACCP_MAP);
    } else {
        Node written = node;
        if (node.kind == ACCP_REF) out_->text.push('$');
        auto offset = static_cast<uint32_t>(out_->text.size());
        char *end = read_content(written, frame_.string(i), settings_.has(ACCP_EXT_Q1), out_->text.room(node.len));
        if (!end) return malformed_point(i);
        out_->text.set_end(end);
        out_->add_written(written.kind, written.flags, offset);
    }
    return {};
}

Status Decoder::malformed_point(uint32_t i) const {
    std::string_view text = frame_.string(i);
    size_t fault = 0;
    char *scratch = arena_.take<char>(text.size() + Buffer<char>::kSlack);
    (void)read_quoted(text, scratch, &fault);
    return fail(ACCP_E1001, frame_[i].offset + fault, "a malformed %u");
}

// A map that has one of a table's keys must be a table.
Status Decoder::open_table(uint32_t map, bool &table) {
    uint32_t columns = frame_.find(map, kColumnsKey), rows = frame_.find(map, kRowsKey);
    table = columns || rows;
    if (!table) return {};
    if (!columns || !rows || frame_[map].len != 2)
        return fail(ACCP_E1004, frame_[map].offset, "a table has __cols and __rows, and nothing else");
    Status status = read_columns(columns, columns_[depth_]);
    if (status.failed()) return status;
    if (frame_[rows].kind != ACCP_ARRAY) return fail(ACCP_E1004, frame_[rows].offset, "the rows of a table are an array");
    push(Kind::kRows, rows, ACCP_ARRAY);
    return {};
}

Status Decoder::read_columns(uint32_t node, Columns &columns) {
    if (frame_[node].kind != ACCP_ARRAY) return fail(ACCP_E1004, frame_[node].offset, "the columns of a table are an array");
    columns = {arena_.take<std::string_view>(frame_[node].len), 0};
    uint32_t i = node + 1;
    for (; i < frame_[node].next; i = frame_[i].next) {
        std::string_view text = frame_.string(i);
        if (frame_[i].kind != ACCP_STRING) return fail(ACCP_E1004, frame_[i].offset, "the name of a column is a string");
        char *name = arena_.take<char>(text.size() + Buffer<char>::kSlack);
        size_t fault = text.size();
        char *end = is_quoted(text) ? read_quoted(text, name, &fault) : unescape(text, name);
        if (fault < text.size()) return malformed_point(i);
        if (end - name > static_cast<ptrdiff_t>(settings_.limit(ACCP_LIMIT_KEY_BYTES)))
            return fail(ACCP_E1001, frame_[i].offset, "a column's name longer than a key may be");
        columns.names[columns.count++] = {name, static_cast<size_t>(end - name)};
    }
    uint32_t twin = find_equal(columns.names, columns.count, arena_, seed_);
    if (!twin) return {};
    for (i = node + 1; twin; --twin) i = frame_[i].next;
    return fail(ACCP_E1001, frame_[i].offset, "two columns of one name");
}

}  // namespace accp

// frame/encode.cc

// See encode.h. One loop over a stack of levels: what is open, and which of its entries comes next.


namespace accp {

namespace {

Status no_spelling(uint32_t node, const char *message) { return fail(ACCP_E1004, node, message); }

constexpr const char *kLongKey = "a key longer than the limit key_bytes allows";
constexpr std::string_view kDeltaKey = "delta", kRemoval = "null";
constexpr const char *kNoString = "a string without a spelling, as q1 is not in force";
constexpr const char *kNoKey = "a key without a spelling, as q1 is not in force";

}  // namespace

Encoder::Encoder(const Settings &settings, Arena &arena, Buffer<char> &out)
    : settings_(settings), arena_(arena), out_(out), keys_(settings), spelling_{settings.has(ACCP_EXT_Q1), settings.has(ACCP_EXT_U8)} {}

// The key of a node as an entry has it, in the arena where it is not its own wire form. Never of the payload itself.
Status Encoder::wire_key(uint32_t node, std::string_view &key) {
    key = tree_.key(node);
    if (!keys_.is_plain(key, false)) {
        char *wire = arena_.take<char>(wire_key_room(key.size()));
        char *end = keys_.write(key, false, wire);
        if (!end) return wrong_key(no_spelling(node, kNoKey));
        key = {wire, static_cast<size_t>(end - wire)};
    }
    return key.size() > settings_.limit(ACCP_LIMIT_KEY_BYTES) ? wrong_key(fail(ACCP_E1001, node, kLongKey)) : Status{};
}

Status Encoder::write_key(uint32_t node, bool payload) {
    std::string_view key = tree_.key(node);
    size_t start = out_.size();
    char *end = keys_.write(key, payload, out_.room(wire_key_room(key.size())));
    if (!end) return wrong_key(no_spelling(node, kNoKey));
    out_.set_end(end);
    if (out_.size() - start > settings_.limit(ACCP_LIMIT_KEY_BYTES)) return wrong_key(fail(ACCP_E1001, node, kLongKey));
    if (payload) in_delta_ = is_delta(start);
    out_.push(':');
    return {};
}

Status Encoder::params(TreeView tree, uint32_t map, char separator, bool payload, uint64_t skip) {
    tree_ = tree;
    skip_ = skip;
    place_ = 0;
    if (tree[map].len > settings_.limit(ACCP_LIMIT_PARAMS)) return fail(ACCP_E1001, map, "more params than the limit params allows");
    in_delta_ = false;
    levels_[0] = {nullptr, map + 1, tree[map].next, 0, separator, 0, true, payload, true};
    depth_ = 1;
    nesting_ = 0;
    return run();
}

Status Encoder::param(TreeView tree, uint32_t node, bool payload) {
    tree_ = tree;
    skip_ = 0;
    in_delta_ = false;
    levels_[0] = {nullptr, node, tree[node].next, 0, ',', 0, true, payload, true};
    depth_ = 1;
    nesting_ = 0;
    return run();
}

Status Encoder::key(std::string_view text, uint32_t node, bool escape) {
    const size_t start = out_.size();
    char *padded = arena_.take<char>(text.size() + Buffer<char>::kSlack);  // it may be a literal, and is read in whole vectors
    if (!text.empty()) std::memcpy(padded, text.data(), text.size());
    text = {padded, text.size()};
    char *to = out_.room(wire_key_room(text.size()));
    const bool spelled = !escape || settings_.has(ACCP_EXT_Q1);
    char *end = !spelled ? nullptr : escape ? KeyCoder::write_escaped(text, to) : keys_.write(text, false, to);
    if (!end) return wrong_key(no_spelling(node, kNoKey));
    out_.set_end(end);
    if (out_.size() - start > settings_.limit(ACCP_LIMIT_KEY_BYTES)) return wrong_key(fail(ACCP_E1001, node, kLongKey));
    in_delta_ = is_delta(start);
    out_.push(':');
    return {};
}

Status Encoder::element(TreeView tree, uint32_t node, uint32_t nesting) {
    tree_ = tree;
    skip_ = 0;
    levels_[0] = {nullptr, node, tree[node].next, 0, ',', 0, false, false, true};
    depth_ = 1;
    nesting_ = nesting;
    return run();
}

// What stands before the next entry: a separator, or the end of one row and the beginning of another.
void Encoder::separate(Level &level) {
    if (level.columns && level.next % level.columns == 0) {
        if (level.next) out_.append("],", 2);
        out_.push('[');
    } else if (!level.first) {
        out_.push(level.separator);
    }
    level.first = false;
}

bool Encoder::is_delta(size_t start) const { return std::string_view(out_.data() + start, out_.size() - start) == kDeltaKey; }

// The string that a peer which reads compat takes for a removal, as one that it does not.
Status Encoder::quoted_removal(uint32_t node) {
    if (!spelling_.q1) return no_spelling(node, kNoString);
    out_.push('"');
    out_.append(kRemoval.data(), kRemoval.size());
    out_.push('"');
    return {};
}

// Writes the next entry of a level, or opens it.
Status Encoder::next(Level &level) {
    removes_ = level.removes;
    if (level.entries) {
        separate(level);
        const Entry &entry = level.entries[level.next++];
        if (level.keys) {
            out_.append(entry.key.data(), entry.key.size());
            out_.push(':');
        }
        return value(entry.node);
    }
    uint32_t node = level.next;
    level.next = tree_[node].next;
    if (!level.bracket && skip_) {
        uint32_t place = place_++;
        if (place < 64 && (skip_ >> place & 1)) return {};
    }
    separate(level);
    if (level.keys) {
        Status status = write_key(node, level.payload);
        if (status.failed()) return status;
    }
    return value(node);
}

Status Encoder::run() {
    while (depth_) {
        Level &level = levels_[depth_ - 1];
        if (level.next != level.end) {
            Status status = next(level);
            if (status.failed()) return status;
            continue;
        }
        if (level.columns) out_.append("]]", 2);
        if (level.bracket) {
            out_.push(level.bracket);
            nesting_ -= level.columns ? kTableNesting : 1;
        }
        --depth_;
    }
    return {};
}

Status Encoder::value(uint32_t node) {
    if (!is_container(tree_[node].kind)) return scalar(node);
    if (open_reference(node) || open_table(node)) return {};
    return open(node);
}

Status Encoder::scalar(uint32_t i) {
    const Node &node = tree_[i];
    std::string_view text = tree_.string(i);
    switch (node.kind) {
        case ACCP_NULL: out_.push('~'); return {};
        case ACCP_BOOL:
            if (node.flags & ACCP_NODE_TRUE) out_.append("true", 4);
            else out_.append("false", 5);
            return {};
        case ACCP_STRING:
            if (removes_ && text == kRemoval) return quoted_removal(i);
            if (text.size() > settings_.limit(ACCP_LIMIT_FRAME_BYTES))
                return fail(ACCP_E1001, i, "a string longer than the limit frame_bytes allows");
            if (write_wire_string(text, spelling_, out_)) return {};
            return no_spelling(i, kNoString);
        case ACCP_REF:
            out_.push('$');
            out_.append_padded(text.data(), text.size());
            return {};
        default:
            if (write_wire_number(text, node.kind, spelling_, out_)) return {};
            return no_spelling(i, "a number without a spelling, as q1 is not in force");
    }
}

Status Encoder::open(uint32_t node) {
    if (nesting_ == settings_.limit(ACCP_LIMIT_DEPTH))
        return no_spelling(node, "arrays and objects are nested deeper than the limit allows");
    if (tree_[node].len > settings_.limit(ACCP_LIMIT_ITEMS)) return fail(ACCP_E1001, node, "more items than the limit items allows");
    bool map = tree_[node].kind == ACCP_MAP;
    Level level = {nullptr, node + 1, tree_[node].next, 0, ',', map ? '}' : ']', map, false, true};
    Status status = map && tree_[node].len > 1 ? open_map(node, level) : Status{};
    if (status.failed()) return status;
    level.removes = map && !nesting_ && in_delta_;
    ++nesting_;
    levels_[depth_++] = level;
    out_.push(map ? '{' : '[');
    return {};
}

// A map is walked in the order of its wire keys.
Status Encoder::open_map(uint32_t node, Level &level) {
    auto *entries = arena_.take<Entry>(tree_[node].len);
    uint32_t count = 0;
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        Entry &entry = entries[count++];
        entry.node = i;
        Status status = wire_key(i, entry.key);
        if (status.failed()) return status;
    }
    auto less = [](const Entry &a, const Entry &b) { return a.key < b.key; };
    if (!std::is_sorted(entries, entries + count, less)) std::sort(entries, entries + count, less);
    level.entries = entries;
    level.next = 0;
    level.end = count;
    return {};
}

bool Encoder::open_reference(uint32_t node) {
    if (!settings_.keep_refs || !is_reference(tree_, node, settings_.limit(ACCP_LIMIT_KEY_BYTES))) return false;
    std::string_view text = tree_.string(node + 1);
    out_.push('$');
    out_.append(text.data(), text.size());
    return true;
}

bool Encoder::open_table(uint32_t node) {
    uint64_t most = settings_.limit(ACCP_LIMIT_DEPTH);
    if (!settings_.has(ACCP_EXT_T1) || tree_[node].kind != ACCP_ARRAY || nesting_ + kTableNesting > most) return false;
    Table table;
    TableRule rule = {static_cast<uint32_t>(most - nesting_ - kTableNesting), settings_.limit(ACCP_LIMIT_KEY_BYTES), settings_.keep_refs};
    if (!find_table(tree_, node, rule, arena_, table)) return false;
    if (table.rows > settings_.limit(ACCP_LIMIT_ITEMS) || table.columns > settings_.limit(ACCP_LIMIT_ITEMS))
        return false;  // open() refuses
    uint32_t count = table.rows * table.columns;
    auto *cells = arena_.take<Entry>(count);
    for (uint32_t i = 0; i < count; ++i) cells[i] = {{}, table.cells[i]};
    out_.push('{');
    out_.append(kColumnsKey.data(), kColumnsKey.size());
    out_.append(":[", 2);
    for (uint32_t i = 0; i < table.columns; ++i) {
        if (i) out_.push(',');
        (void)write_wire_string(tree_.key(table.cells[i]), spelling_, out_);  // t1 implies q1, under which every string has a spelling
    }
    out_.append("],", 2);
    out_.append(kRowsKey.data(), kRowsKey.size());
    out_.append(":[", 2);
    nesting_ += kTableNesting;
    levels_[depth_++] = {cells, 0, count, table.columns, ',', '}', false, false, true};
    return true;
}

}  // namespace accp

// frame/envelope.cc

// See envelope.h.



namespace accp {

const EnvelopeField kEnvelope[kEnvelopeFields] = {
    {"mid", ACCP_ENVELOPE_MID, &accp_envelope::mid, nullptr}, {"seq", ACCP_ENVELOPE_SEQ, nullptr, &accp_envelope::seq},
    {"ts", ACCP_ENVELOPE_TS, nullptr, &accp_envelope::ts},    {"cid", ACCP_ENVELOPE_CID, &accp_envelope::cid, nullptr},
    {"aid", ACCP_ENVELOPE_AID, &accp_envelope::aid, nullptr}, {"sid", ACCP_ENVELOPE_SID, &accp_envelope::sid, nullptr},
    {"ttl", ACCP_ENVELOPE_TTL, nullptr, &accp_envelope::ttl},
};

Status read_envelope(TreeView tree, uint32_t meta, accp_envelope &out) {
    out = {};
    if (!meta) return {};
    for (const EnvelopeField &field : kEnvelope) {
        uint32_t i = tree.find(meta, field.key);
        if (!i) continue;
        const Node &node = tree[i];
        std::string_view text = tree.string(i);
        if (field.text) {
            bool plain = !is_container(node.kind) && node.kind != ACCP_NULL && node.kind != ACCP_REF && !(node.flags & ACCP_NODE_ESCAPED);
            if (!plain) return fail(ACCP_E1001, node.offset - (node.kind == ACCP_REF), "mid, cid, aid and sid are plain text");
            out.*field.text = {text.data(), text.size()};
        } else {
            int64_t number = 0;
            bool whole = node.kind == ACCP_INT && text[0] != '-' &&
                         std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
            if (!whole) return fail(ACCP_E1001, node.offset - (node.kind == ACCP_REF), "seq, ts and ttl are integers from 0 to 2^63 - 1");
            out.*field.number = number;
        }
        out.fields |= field.bit;
    }
    return {};
}

Status EnvelopeStore::set(const accp_envelope *envelope, uint64_t key_bytes) {
    reserved_ = 0;
    if (!envelope) {
        envelope_ = {};
        return {};
    }
    constexpr uint32_t kAllFields = (1u << kEnvelopeFields) - 1;
    if (envelope->fields & ~kAllFields) return fail(ACCP_ERR_ARG, 0, "no such field of the envelope");
    size_t total = 0;
    for (const EnvelopeField &field : kEnvelope) {
        if (!(envelope->fields & field.bit)) continue;
        if (field.number && envelope->*field.number < 0) return fail(ACCP_ERR_ARG, 0, "seq, ts and ttl are not negative");
        if (!field.text) continue;
        accp_text text = envelope->*field.text;
        if (!text.text || !text.len || text.len > key_bytes)
            return fail(ACCP_E1004, 0, "mid, cid, aid and sid are texts of 1 to key_bytes bytes");
        for (size_t i = 0; i < text.len; ++i) {
            auto c = static_cast<unsigned char>(text.text[i]);
            if (c <= 0x20 || c >= 0x7F || is_delimiter(c)) return fail(ACCP_E1004, i, "mid, cid, aid and sid are plain text");
        }
        total += text.len;
    }
    text_.clear();
    text_.room(total);
    envelope_ = *envelope;
    for (const EnvelopeField &field : kEnvelope) {
        if (!field.text || !has(field)) continue;
        accp_text &text = envelope_.*field.text;
        const char *copy = text_.end();
        text_.append(text.text, text.len);
        text.text = copy;
    }
    return {};
}

void EnvelopeStore::write(const EnvelopeField &field, Buffer<char> &out) const {
    out.append(field.key, std::char_traits<char>::length(field.key));
    out.push(':');
    if (field.text) {
        accp_text text = envelope_.*field.text;
        out.append(text.text, text.len);
    } else {
        char *to = out.room(24);
        out.set_end(std::to_chars(to, to + 24, envelope_.*field.number).ptr);
    }
}

bool format_mid(uint32_t letter, uint32_t issuer, uint64_t counter, char *to) {
    constexpr uint64_t kCounters = 1'000'000'000;  // of one issuer among several
    if (letter > 5 || issuer > 99 || counter >= (issuer ? kCounters : kCounters * 100)) return false;
    counter += issuer * kCounters;
    to[0] = static_cast<char>('a' + letter);
    for (size_t i = kMidBytes - 1; i > 0; --i, counter /= 10) to[i] = static_cast<char>('0' + counter % 10);
    return true;
}

}  // namespace accp

// frame/key.cc

// See key.h.



namespace accp {

namespace {

struct Abbreviation {
    std::string_view code, name;
};
constexpr Abbreviation kAbbreviations[] = {
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

const Abbreviation *find_code(std::string_view code) {
    for (const Abbreviation &row : kAbbreviations)
        if (row.code == code) return &row;
    return nullptr;
}

const Abbreviation *find_name(std::string_view name) {
    for (const Abbreviation &row : kAbbreviations)
        if (row.name == name) return &row;
    return nullptr;
}

bool is_escaped(std::string_view wire) { return wire.size() >= 2 && wire[0] == '_' && wire[1] == '_'; }

unsigned char byte(std::string_view text, size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; }

char *write_hex(unsigned char c, char *to) {
    constexpr char kHex[] = "0123456789ABCDEF";
    *to++ = '_';
    *to++ = kHex[c >> 4];
    *to++ = kHex[c & 15];
    return to;
}

// `_` stands for itself before a letter or digit that does not make it look like _HH.
bool may_stand(std::string_view key, size_t underscore) {
    unsigned char next = byte(key, underscore + 1);
    if (!is_digit(next) && !is_alpha(next)) return false;
    return !(is_upper_hex(next) && is_upper_hex(byte(key, underscore + 2)));
}

int hex_value(unsigned char c) { return is_digit(c) ? c - '0' : c - 'A' + 10; }

}  // namespace

std::string_view code_of_key(std::string_view key) {
    const Abbreviation *row = find_name(key);
    return row ? row->code : std::string_view();
}

std::string_view key_of_code(std::string_view code) {
    const Abbreviation *row = find_code(code);
    return row ? row->name : std::string_view();
}

bool KeyCoder::is_plain(std::string_view key, bool payload) const {
    if (!is_word_text(key) || (q1_ && is_escaped(key))) return false;
    if (!payload) return true;
    if (q1_ && key == "schema") return false;
    return !abbreviate_ || (!find_code(key) && !find_name(key));
}

char *KeyCoder::write_mapped(std::string_view key, bool payload, char *to) const {
    if (is_plain(key, payload)) {
        std::memcpy(to, key.data(), key.size());
        return to + key.size();
    }
    const Abbreviation *short_form = payload && abbreviate_ ? find_name(key) : nullptr;
    if (short_form) {
        std::memcpy(to, short_form->code.data(), short_form->code.size());
        return to + short_form->code.size();
    }
    return q1_ ? write_escaped(key, to) : nullptr;
}

char *KeyCoder::write_escaped(std::string_view key, char *to) {
    *to++ = '_';
    *to++ = '_';
    for (size_t i = 0; i < key.size(); ++i) {
        unsigned char c = byte(key, i);
        if (is_digit(c) || is_alpha(c)) {
            *to++ = static_cast<char>(c);
        } else if (c == '-') {
            *to++ = '_';
            *to++ = '_';
        } else if (c == '_' && may_stand(key, i)) {
            *to++ = '_';
        } else {
            to = write_hex(c, to);
        }
    }
    return to;
}

bool KeyCoder::is_mapped(std::string_view wire, bool payload) const {
    return (q1_ && is_escaped(wire)) || (payload && abbreviate_ && find_code(wire));
}

char *KeyCoder::read(std::string_view wire, bool payload, char *to) const {
    const Abbreviation *full = payload && abbreviate_ ? find_code(wire) : nullptr;
    if (full) {
        std::memcpy(to, full->name.data(), full->name.size());
        return to + full->name.size();
    }
    char *begin = to;
    for (size_t i = 2; i < wire.size(); ++i) {
        unsigned char c = byte(wire, i);
        if (c != '_') {
            *to++ = static_cast<char>(c);
        } else if (byte(wire, i + 1) == '_') {
            *to++ = '-';
            ++i;
        } else if (is_upper_hex(byte(wire, i + 1)) && is_upper_hex(byte(wire, i + 2))) {
            *to++ = static_cast<char>(hex_value(byte(wire, i + 1)) << 4 | hex_value(byte(wire, i + 2)));
            i += 2;
        } else {
            *to++ = '_';
        }
    }
    auto len = static_cast<size_t>(to - begin);
    return valid_utf8_prefix(begin, len) == len ? to : nullptr;
}

}  // namespace accp

// frame/message.cc

// See coder.h: a message, as JSON or as values, to a frame.

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

// The short way from a JSON message to its frame: no value in between. It takes messages as programs write them (compact, the members in their
// order, nothing that must be sorted, looked up or refused) and gives up on every other, whatever the reason; the general way (message.cc) then starts
// again. So nothing is decided here: for what it takes, its text equals the general way's, and a fuzz target holds it to that.


namespace accp {

constexpr size_t kMostDirectBytes = 64 << 10;  // of JSON: room for the worst spelling is taken up front

// json: the message, with a Buffer's slack behind it. index: where simdjson's first stage found its structure, two zeros behind the last entry.
// Appends the frame and returns true, or leaves `out` as it was.
bool encode_direct(const Settings &settings, const char *json, size_t len, const uint32_t *index, size_t index_count, Buffer<char> &out);

}  // namespace accp

namespace accp {

namespace {

bool is_name(std::string_view text, ByteClass wanted, uint64_t most) {
    if (text.empty() || text.size() > most) return false;
    for (char c : text)
        if (!(byte_class(c) & wanted)) return false;
    return true;
}

constexpr const char *kAgentRule = "an agent is 1 to key_bytes letters, digits, - and _";
constexpr const char *kIntentRule = "an intent is 1 to key_bytes letters";
constexpr const char *kOperationRule = "an operation is 1 to key_bytes letters, digits and _";

void put_name(Buffer<char> &out, char before, std::string_view name) {
    out.push(before);
    out.append(name.data(), name.size());
}

// One to 16 bytes, which may end where their page does, as a vector filled up with zeros. Through registers: what was just stored in pieces cannot be
// loaded whole without a stall.
[[gnu::always_inline]] inline Bytes16 load_short(const char *from, size_t len) {
    uint64_t words[2] = {0, 0};
    auto load = [](const char *at, auto word) {
        std::memcpy(&word, at, sizeof word);
        return uint64_t{word};
    };
    if (len >= 8) {
        words[0] = load(from, uint64_t{});
        if (len > 8) words[1] = load(from + len - 8, uint64_t{}) >> 8 * (16 - len);
    } else if (len >= 4) {
        words[0] = load(from, uint32_t{}) | load(from + len - 4, uint32_t{}) << 8 * (len - 4);
    } else {
        words[0] =
            load(from, uint8_t{}) | load(from + len / 2, uint8_t{}) << 8 * (len / 2) | load(from + len - 1, uint8_t{}) << 8 * (len - 1);
    }
    return Bytes16::of(words[0], words[1]);
}

// Writes a name that is short and legal, as nearly all are; nullptr where it is not.
[[gnu::always_inline]] inline char *put_good_name(char *to, char before, std::string_view name, ByteClass wanted) {
    *to++ = before;
    Bytes16 bytes = load_short(name.data(), name.size());
    bytes.store(to);
    uint32_t good = wanted == kAlphaByte ? bytes.letters() : bytes.words();
    if (wanted == kAgentByte) good |= bytes.equal('-');
    return ~good & ((uint32_t{1} << name.size()) - 1) ? nullptr : to + name.size();
}

// Appends what stands before the payload; false where one of the names is not short and legal.
bool put_names(const Message &message, uint64_t most, Buffer<char> &out) {
    constexpr uint64_t kShort = 16;
    if (most > kShort) most = kShort;
    if (message.agent.size() - 1 >= most || message.intent.size() - 1 >= most || message.operation.size() - 1 >= most) return false;
    char *to = put_good_name(out.room(3 * (kShort + 1)), '@', message.agent, kAgentByte);
    if (to) to = put_good_name(to, '>', message.intent, kAlphaByte);
    if (to) to = put_good_name(to, ':', message.operation, kWordByte);
    if (to) out.set_end(to);
    return to;
}

}  // namespace

Status Coder::check_names(const Message &message) const {
    uint64_t most = settings_.limit(ACCP_LIMIT_KEY_BYTES);
    if (!is_name(message.agent, kAgentByte, most)) return fail(ACCP_E1001, 0, kAgentRule);
    if (!is_name(message.intent, kAlphaByte, most)) return fail(ACCP_E1001, 0, kIntentRule);
    if (!is_name(message.operation, kWordByte, most)) return fail(ACCP_E1001, 0, kOperationRule);
    return {};
}

MessageStatus Coder::build(const Message &message, Buffer<char> &out, PayloadWriter *writer) {
    size_t start = out.size();
    MessageStatus result;
    if (!put_names(message, settings_.limit(ACCP_LIMIT_KEY_BYTES), out)) {
        result.status = check_names(message);
        if (result.status.failed()) return result;
        put_name(out, '@', message.agent);
        put_name(out, '>', message.intent);
        put_name(out, ':', message.operation);
    }
    arena_.reset();
    Encoder encoder(settings_, arena_, out);
    const size_t payload = out.size();
    if (message.payload_tree[message.payload].kind != ACCP_MAP) {
        result.status = write_text(message, encoder, out);
    } else if (writer) {
        out.push('{');
        result.status = writer->write(encoder, out);
        out.push('}');
    } else if (!direct || !block_writer_.write(message.payload_tree, message.payload, kPayloadStyle, out)) {
        out.resize_down(payload);
        out.push('{');
        result.status = encoder.params(message.payload_tree, message.payload, '|', true);
        out.push('}');
    }
    if (result.status.ok()) result = write_meta(message, encoder, out);
    if (result.status.ok() && out.size() - start > settings_.limit(ACCP_LIMIT_FRAME_BYTES))
        result.status = fail(ACCP_E1001, message.payload, "the frame would be longer than the limit frame_bytes allows");
    result.at_key = encoder.key_at_fault();
    if (result.status.failed()) out.resize_down(start);
    return result;
}

// A payload that is a text, or a ref to one.
Status Coder::write_text(const Message &message, Encoder &encoder, Buffer<char> &out) const {
    if (!settings_.has(ACCP_EXT_Q1))
        return fail(ACCP_E1004, message.payload, "a payload that is a text has no spelling, as q1 is not in force");
    out.push('{');
    out.append(kTextKey.data(), kTextKey.size());
    out.push(':');
    Status status = encoder.element(message.payload_tree, message.payload, 0);
    out.push('}');
    return status;
}

// The envelope first, in its order, each field from the message where it has one; then the rest of the message's own metadata.
MessageStatus Coder::write_meta(const Message &message, Encoder &encoder, Buffer<char> &out) {
    constexpr uint32_t kMarked = 64;  // bits of `done`
    uint32_t own = message.has_meta ? message.meta_tree[message.meta].len : 0;
    if (!own && !envelope.fields()) return {};
    const size_t block = out.size();
    if (direct && !envelope.fields() && block_writer_.write(message.meta_tree, message.meta, kMetaStyle, out)) return {{}, true};
    out.resize_down(block);
    out.push('[');
    size_t start = out.size();
    uint64_t done = 0;
    uint32_t written = 0;
    for (const EnvelopeField &field : kEnvelope) {
        if (!envelope.fields()) break;
        uint32_t node = own ? message.meta_tree.find(message.meta, field.key) : 0;
        if (!node && !envelope.has(field)) continue;
        uint32_t place = 0;
        for (uint32_t i = message.meta + 1; node && i < node; i = message.meta_tree[i].next) ++place;
        const bool reserved = envelope.reserves(field);
        if (node && place >= kMarked && reserved)
            return {fail(ACCP_E1004, node, "a field of the session's envelope behind 64 others"), true};
        if (node && place >= kMarked) continue;  // stays where it is
        if (node) done |= uint64_t{1} << place;
        if (reserved && !envelope.has(field)) continue;
        if (out.size() > start) out.push(',');
        ++written;
        if (node && !reserved) {
            Status status = encoder.param(message.meta_tree, node, false);
            if (status.failed()) return {status, true};
        } else {
            envelope.write(field, out);
        }
    }
    uint32_t left = own - static_cast<uint32_t>(__builtin_popcountll(done));
    if (written + left > settings_.limit(ACCP_LIMIT_PARAMS))
        return {fail(ACCP_E1001, message.meta, "more metadata than the limit params allows"), true};
    if (left && out.size() > start) out.push(',');
    Status status = left ? encoder.params(message.meta_tree, message.meta, ',', false, done) : Status{};
    out.push(']');
    return {status, true};
}

bool Coder::is_ignored(std::string_view name) const { return has_name({ignored.data(), ignored.size()}, name); }

Status Coder::set_name(uint32_t node, std::string_view &name, unsigned char wanted, const char *rule) {
    name = value_.view().string(node);
    bool good =
        value_.nodes[node].kind == ACCP_STRING && is_name(name, static_cast<ByteClass>(wanted), settings_.limit(ACCP_LIMIT_KEY_BYTES));
    return good ? Status{} : fail(ACCP_E1001, reader_.origin(node).value, rule);
}

Status Coder::set_member(uint32_t node, Message &message) {
    TreeView tree = value_.view();
    std::string_view name = tree.key(node);
    auto wrong = [&](const char *what) { return fail(ACCP_E1001, reader_.origin(node).value, what); };
    if (name == "agent") return set_name(node, message.agent, kAgentByte, kAgentRule);
    if (name == "intent") return set_name(node, message.intent, kAlphaByte, kIntentRule);
    if (name == "operation") return set_name(node, message.operation, kWordByte, kOperationRule);
    if (name == "payload") {
        if (tree[node].kind != ACCP_MAP && tree[node].kind != ACCP_STRING) return wrong("a payload is an object, or a text");
        message.payload = node;
        return {};
    }
    if (name == "meta") {
        if (tree[node].kind == ACCP_NULL) return {};
        if (tree[node].kind != ACCP_MAP) return wrong("meta is an object");
        message.meta = node;
        message.has_meta = true;
        return {};
    }
    if (is_ignored(name)) return {};
    return fail(ACCP_E1001, reader_.origin(node).key,
                "a message has agent, intent, operation, payload and meta: other members are to be ignored by name, or left out");
}

// The members of the JSON message in value_.
Status Coder::take_apart(Message &message) {
    TreeView tree = value_.view();
    message.payload_tree = message.meta_tree = tree;
    if (tree[0].kind != ACCP_MAP) return fail(ACCP_E1001, reader_.origin(0).value, "a message is an object");
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        Status status = set_member(i, message);
        if (status.failed()) return status;
    }
    bool complete = message.agent.data() && message.intent.data() && message.operation.data() && message.payload;
    return complete ? Status{} : fail(ACCP_E1001, reader_.origin(0).value, "a message has agent, intent, operation and payload");
}

Status Coder::read_message(const char *json, size_t len, Message &message) {
    JsonLimits limits = {settings_.limit(ACCP_LIMIT_JSON_BYTES), static_cast<uint32_t>(settings_.limit(ACCP_LIMIT_JSON_DEPTH))};
    Status status = reader_.read(json, len, limits, value_);
    return status.failed() ? status : take_apart(message);
}

Status Coder::encode(const char *json, size_t len, Buffer<char> &out) {
    JsonLimits limits = {settings_.limit(ACCP_LIMIT_JSON_BYTES), static_cast<uint32_t>(settings_.limit(ACCP_LIMIT_JSON_DEPTH))};
    Status status = reader_.make_index(json, len, limits);
    if (status.failed()) return status;
    value_.clear();  // what it held of a large text goes back, whichever way this one takes
    if (encode_directly(json, len, out)) return {};
    status = reader_.read_indexed(json, len, limits, value_);
    if (status.failed()) return status;
    Message message;
    status = take_apart(message);
    if (status.failed()) return status;
    MessageStatus result = build(message, out);
    // Both trees are one here: a node's place in it is a place in the JSON.
    if (result.status.failed()) {
        JsonReader::Origin origin = reader_.origin(static_cast<uint32_t>(result.status.offset));
        result.status.offset = result.at_key ? origin.key : origin.value;
    }
    return result.status;
}

bool Coder::encode_directly(const char *json, size_t len, Buffer<char> &out) {
    if (!direct || len > kMostDirectBytes || settings_.keep_refs || envelope.fields()) return false;
    padded_.clear();
    padded_.append(json, len);
    return encode_direct(settings_, padded_.data(), len, reader_.index(), reader_.index_count(), out);
}

}  // namespace accp

// frame/parse.cc

// See parse.h.


// Why a frame was refused: the byte at which no continuation could mend it, found one byte at a time by the machine of ragel/locate.rl.


namespace accp {

// Always a failure, ACCP_E1001: to be asked about refused frames only.
Status locate_fault(const char *text, size_t len, const Settings &settings, Arena &arena);

}  // namespace accp

// What the generated machines do at each action. A machine is one function, so that positions and the open level stay in registers: it is
// written here once as a set of macros over Tree, and compiled twice, for strict and u8 and for compat.



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

uint32_t small(uint64_t limit) { return static_cast<uint32_t>(limit); }

// compat reads null as the removal of an entry of `delta` (A35). True when there is any.
bool read_removals(const char *text, Node *nodes) {
    bool any = false;
    auto is = [text](uint32_t at, uint32_t len, const char *word) {
        return len == std::strlen(word) && !std::memcmp(text + at, word, len);
    };
    for (uint32_t i = kPayload + 1; i < nodes[kPayload].next; i = nodes[i].next) {
        if (nodes[i].kind != ACCP_MAP || !is(ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len, "delta")) continue;
        for (uint32_t j = i + 1; j < nodes[i].next; j = nodes[j].next)
            if (nodes[j].kind == ACCP_STRING && is(nodes[j].offset, nodes[j].len, "null")) nodes[j].kind = ACCP_NULL, any = true;
    }
    return any;
}

}  // namespace

Parser::Parser(Memory &memory, const Settings &settings)
    : settings_(settings), arena_(memory), raw_(settings.reading() == ACCP_U8), compat_(settings.reading() == ACCP_COMPAT), input_() {
    most_ = settings.limit(ACCP_LIMIT_FRAME_BYTES);
    input_.arena = &arena_;
    input_.seed = random_seed();
    input_.depth = small(settings.limit(ACCP_LIMIT_DEPTH));
    input_.params = small(settings.limit(ACCP_LIMIT_PARAMS));
    input_.items = small(settings.limit(ACCP_LIMIT_ITEMS));
    input_.key_bytes = small(settings.limit(ACCP_LIMIT_KEY_BYTES));
}

bool Parser::run(const char *text, size_t len, Buffer<Node> &nodes) {
    if (len > most_) return false;
    arena_.reset();
    Symbols &symbols = input_.symbols;
    // Whole lines of the cache: a 64-byte store across two of them is not forwarded to the machine's loads, at a fifth of its time.
    size_t codes_room = (len + 127) & ~size_t{63};
    auto room = reinterpret_cast<uintptr_t>(arena_.take<char>(64 + codes_room + (len + 64) * sizeof(uint32_t)));
    symbols.codes = reinterpret_cast<uint8_t *>((room + 63) & ~uintptr_t{63});
    symbols.positions = reinterpret_cast<uint32_t *>(symbols.codes + codes_room);
    if (!find_symbols(text, len, raw_, symbols)) return false;
    if (symbols.high && raw_text_prefix(text, len) != len) return false;
    symbols.positions[symbols.count] = static_cast<uint32_t>(len);
    symbols.codes[len] = kEndSymbol;

    input_.text = text;
    input_.len = static_cast<uint32_t>(len);
    input_.nodes = nodes.room(symbols.count + 4);
    Parsed parsed = compat_ ? run_compat_machine(input_) : run_strict_machine(input_);
    if (compat_ && parsed.count) parsed.canonical &= !read_removals(text, input_.nodes);
    canonical_ = parsed.canonical;
    nodes.advance(parsed.count);
    return parsed.count;
}

Status Parser::fault(const char *text, size_t len) {
    arena_.reset();
    return locate_fault(text, len, settings_, arena_);
}

}  // namespace accp

// frame/raw.cc

// See raw.h.

namespace accp {

namespace {

struct Range {
    uint32_t first, last;
};

// What may not stand raw between U+00A1 and U+DFFFF, in order (WIRE.md section 3); U+xxFFFE and U+xxFFFF besides.
constexpr Range kEscaped[] = {
    {0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},   {0x70F, 0x70F},   {0x115F, 0x1160}, {0x1680, 0x1680},
    {0x17B4, 0x17B5}, {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164},
    {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
};
constexpr uint32_t kFirstRaw = 0xA1, kLastRaw = 0xDFFFF;

// Is any point of [first, last], which share all but their low bits, legal? Every range of 64 or more that is not wholly escaped is.
bool any_raw(uint32_t first, uint32_t last) {
    for (uint32_t point = first; point <= last && point <= kLastRaw; ++point) {
        if (is_raw_point(point)) return true;
        for (const Range &range : kEscaped)
            if (range.first <= point && point <= range.last) point = range.last;
    }
    return false;
}

}  // namespace

bool is_raw_point(uint32_t point) {
    if (point > 0x3164 && point < 0xD800) return true;  // most of CJK, and all of Hangul
    if (point < kFirstRaw || point > kLastRaw || (point & 0xFFFE) == 0xFFFE) return false;
    for (const Range &range : kEscaped)
        if (point <= range.last) return point < range.first;
    return true;
}

namespace {

constexpr int kSizes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 3, 4};
constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};

// How many bytes of a point of `size` bytes, which is not whole or not legal, can still become one that is.
int good_bytes(const char *text, size_t len, int size) {
    uint32_t point = 0;
    for (int i = 0; i < size; ++i) {
        if (static_cast<size_t>(i) >= len) return i;
        auto byte = static_cast<unsigned char>(text[i]);
        if (i > 0 && (byte & 0xC0) != 0x80) return i;
        point = i == 0 ? byte & (0x7F >> size) : point << 6 | (byte & 0x3F);
        uint32_t first = point << 6 * (size - 1 - i), last = ((point + 1) << 6 * (size - 1 - i)) - 1;
        if (first < kLeast[size]) first = kLeast[size];
        if (first > last || !any_raw(first, last)) return i;
    }
    return size;
}

}  // namespace

int raw_point(const char *text, size_t len, int *good) {
    auto byte = [text](int i) { return static_cast<unsigned char>(text[i]); };
    int size = byte(0) < 0xF5 ? kSizes[byte(0) >> 4] : 0;
    bool whole = size > 0 && static_cast<size_t>(size) <= len;
    uint32_t point = whole ? byte(0) & (0x7F >> size) : 0;
    for (int i = 1; whole && i < size; ++i) {
        whole = (byte(i) & 0xC0) == 0x80;
        point = point << 6 | (byte(i) & 0x3F);
    }
    if (whole && point >= kLeast[size] && is_raw_point(point)) return size;
    *good = good_bytes(text, len, size);
    return 0;
}

size_t raw_text_prefix(const char *text, size_t len) {
    for (size_t i = 0; i < len;) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            ++i;
            continue;
        }
        int good = 0;
        int size = raw_point(text + i, len - i, &good);
        if (!size) return i + static_cast<size_t>(good);
        i += static_cast<size_t>(size);
    }
    return len;
}

}  // namespace accp

// frame/symbols.cc

// See symbols.h. The plain loop, and the choice of a kernel at run time; symbols_avx2.cc and symbols_ssse3.cc hold the others.



// How symbols.cc and the vector kernels meet.


namespace accp {

using FindSymbols = bool(const char *text, size_t len, bool raw, Symbols &symbols);

struct SymbolsKernel {
    const char *name;
    FindSymbols *find;
};

#if defined(__x86_64__)
extern const SymbolsKernel kSymbolsAvx512;
extern const SymbolsKernel kSymbolsAvx2;
extern const SymbolsKernel kSymbolsSsse3;
#endif

}  // namespace accp

namespace accp {

namespace {

// The plain loop: also for machines without x86 vectors, and the definition that the others must equal.
bool find_portable(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint8_t text_bits = 0;
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c == '\\') {
            if (++i == len || !is_delimiter(static_cast<unsigned char>(text[i]))) return false;
            symbols.escapes = true;
            text_bits = kFilled | kOther | kNonDigit;
        } else if (is_delimiter(c)) {
            *position++ = static_cast<uint32_t>(i);
            symbols.codes[i] = delimiter_code(c) | text_bits;
            text_bits = 0;
        } else if (is_word(c)) {
            text_bits |= is_digit(c) ? kFilled : kFilled | kNonDigit;
        } else if (c > 0x20 && c != 0x7F && (c < 0x80 || raw)) {
            text_bits = kFilled | kOther | kNonDigit;
            symbols.high |= c >= 0x80;
        } else {
            return false;
        }
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    return true;
}

constexpr SymbolsKernel kPortable = {"portable", find_portable};

// The kernels that this machine can run, best first.
const SymbolsKernel *kernel(const char *name) {
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    bool avx512 =
        avx2 && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw");
    auto wanted = [name](const SymbolsKernel &which) { return !name || std::string_view(name) == which.name; };
    if (avx512 && wanted(kSymbolsAvx512)) return &kSymbolsAvx512;
    if (avx2 && wanted(kSymbolsAvx2)) return &kSymbolsAvx2;
    if (__builtin_cpu_supports("ssse3") && wanted(kSymbolsSsse3)) return &kSymbolsSsse3;
#endif
    return !name || std::string_view(name) == kPortable.name ? &kPortable : nullptr;
}

// Constant after the first call, save for tests; racing first calls store the same pointer.
std::atomic<FindSymbols *> kernel_in_force{nullptr};

[[gnu::noinline]] FindSymbols *choose_kernel() {
    FindSymbols *find = kernel(nullptr)->find;
    kernel_in_force.store(find, std::memory_order_relaxed);
    return find;
}

}  // namespace

bool find_symbols(const char *text, size_t len, bool raw, Symbols &symbols) {
    FindSymbols *find = kernel_in_force.load(std::memory_order_relaxed);
    if (!find) find = choose_kernel();
    symbols.escapes = symbols.high = false;
    return find(text, len, raw, symbols);
}

bool use_symbols_kernel(const char *name) {
    const SymbolsKernel *chosen = kernel(name);
    if (chosen) kernel_in_force.store(chosen->find, std::memory_order_relaxed);
    return chosen != nullptr;
}

}  // namespace accp

// frame/table.cc

// See table.h.


namespace accp {

namespace {

// Do all values below `array`, two levels down, nest at most `room` brackets?
bool cells_fit(TreeView tree, uint32_t array, const TableRule &rule) {
    uint32_t ends[kMostDepth + 3];
    uint32_t depth = 0;
    for (uint32_t i = array; i < tree[array].next; ++i) {
        while (depth && ends[depth - 1] == i) --depth;
        if (!is_container(tree[i].kind)) continue;
        if (rule.keep_refs && is_reference(tree, i, rule.key_bytes)) continue;  // its one child is no container
        if (depth == rule.room + 2) return false;
        ends[depth++] = tree[i].next;
    }
    return true;
}

bool may_be_table(TreeView tree, uint32_t array, const TableRule &rule) {
    const Node &node = tree[array];
    if (node.kind != ACCP_ARRAY || node.len < 2 || tree[array + 1].kind != ACCP_MAP) return false;
    uint32_t columns = tree[array + 1].len;
    if (uint64_t{node.len - 1} * columns < 4) return false;
    for (uint32_t row = array + 1; row < node.next; row = tree[row].next) {
        if (tree[row].kind != ACCP_MAP || tree[row].len != columns) return false;
        if (rule.keep_refs && is_reference(tree, row, rule.key_bytes)) return false;
    }
    for (uint32_t i = array + 2; i < tree[array + 1].next; i = tree[i].next)
        if (tree[i].key_len > rule.key_bytes) return false;  // refused as a key, so no column either
    return true;
}

}  // namespace

bool is_reference(TreeView tree, uint32_t node, uint64_t key_bytes) {
    if (tree[node].kind != ACCP_MAP || tree[node].len != 1 || tree[node + 1].kind != ACCP_STRING) return false;
    return tree.key(node + 1) == "$ref" && tree[node + 1].len <= key_bytes && is_ref(tree.string(node + 1).data(), tree[node + 1].len);
}

bool find_table(TreeView tree, uint32_t array, const TableRule &rule, Arena &arena, Table &out) {
    if (!may_be_table(tree, array, rule) || !cells_fit(tree, array, rule)) return false;
    uint32_t rows = tree[array].len, columns = tree[array + 1].len;
    auto *cells = arena.take<uint32_t>(size_t{rows} * columns);
    auto by_key = [tree](uint32_t a, uint32_t b) { return tree.key(a) < tree.key(b); };
    uint32_t *row_cells = cells;
    for (uint32_t row = array + 1; row < tree[array].next; row = tree[row].next, row_cells += columns) {
        Children children = {row_cells, 0};
        for (uint32_t i = row + 1; i < tree[row].next; i = tree[i].next) row_cells[children.count++] = i;
        sort_children(children, by_key);
        for (uint32_t i = 0; i < columns; ++i)
            if (tree.key(row_cells[i]) != tree.key(cells[i])) return false;
    }
    out = {rows, columns, cells};
    return true;
}

}  // namespace accp

// token/bpe.cc

// See bpe.h. Short pieces, which nearly all are, lie in two small arrays. Long ones are a linked list, and offers to merge are kept by rank: as a
// merge only ever makes offers of a higher rank (a token is made of lower ones), one walk up the ranks does them all, each rank from left to right.
// So a megabyte of one letter costs no more a byte than a word does, within a factor.
//
// What is longer than a stretch is merged in stretches that overlap, each from where a token of the one before began. Where both have the same token
// at the same place, they are joined there. That is exact: a split whose neighbours could all stand side by side is the split (the first merge that
// crossed one of its borders would cross it between those two neighbours alone as well), and each pair of neighbours stood so in one of the two.

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



namespace accp {

namespace {

constexpr int kIndexBits = 6;                                       // of a place in a short piece
constexpr uint32_t kNone = (uint32_t{1} << (32 - kIndexBits)) - 1;  // a rank that no token has

uint32_t rank_of(const Vocabulary &vocabulary, uint32_t left, uint32_t right) { return std::min(vocabulary.merged(left, right), kNone); }

template <class T>
void zero(Buffer<T> &buffer, size_t count) {
    buffer.clear();
    std::memset(buffer.room(count), 0, count * sizeof(T));
    buffer.advance(count);
}

}  // namespace

size_t Merger::merge_short(const Vocabulary &vocabulary, const char *piece, size_t len) {
    uint32_t *tokens = short_, ranks[kShort];
    for (size_t i = 0; i < len; ++i) tokens[i] = vocabulary.byte(piece[i]);
    for (size_t i = 0; i + 1 < len; ++i) ranks[i] = rank_of(vocabulary, tokens[i], tokens[i + 1]);
    tokens_ = short_;
    while (len > 1) {
        uint32_t least = ~0u;
        for (uint32_t i = 0; i + 1 < len; ++i) least = std::min(least, ranks[i] << kIndexBits | i);
        uint32_t rank = least >> kIndexBits;
        if (rank == kNone) break;
        size_t at = least & ((1u << kIndexBits) - 1);
        tokens[at] = rank;
        --len;
        for (size_t i = at + 1; i < len; ++i) tokens[i] = tokens[i + 1];
        for (size_t i = at + 1; i + 1 < len; ++i) ranks[i] = ranks[i + 1];
        if (at + 1 < len) ranks[at] = rank_of(vocabulary, rank, tokens[at + 1]);
        if (at) ranks[at - 1] = rank_of(vocabulary, tokens[at - 1], rank);
    }
    return len;
}

// Notes what the part and its right neighbour make.
void Merger::offer(const Vocabulary &vocabulary, uint32_t left) {
    Part &part = parts_[left];
    part.rank = part.next < parts_.size() ? vocabulary.merged(part.token, parts_[part.next].token) : kNoToken;
    if (part.rank == kNoToken) return;
    uint32_t &newest = newest_[part.rank];
    offers_.push({left, newest});
    newest = static_cast<uint32_t>(offers_.size() - 1);
    waiting_[part.rank / 64] |= uint64_t{1} << part.rank % 64;
}

void Merger::begin(const Vocabulary &vocabulary, const char *piece, uint32_t len) {
    size_t words = vocabulary.size() / 64 + 1;
    bool ready = clean_ && newest_.size() == vocabulary.size();
    clean_ = false;  // should memory end from here on, all is cleared next time
    if (!ready) {
        zero(newest_, vocabulary.size());
        zero(waiting_, words);
    }
    parts_.clear();
    offers_.clear();
    offers_.push({});  // number 0 is none
    Part *parts = parts_.room(len);
    for (uint32_t i = 0; i < len; ++i) parts[i] = {vocabulary.byte(piece[i]), kNoToken, i + 1, i - 1};
    parts_.advance(len);
    places_.clear();
    places_.room(len);
    for (uint32_t i = len; i-- > 0;) offer(vocabulary, i);  // so that chains begin on the left
}

// Moves the places of a rank's offers to places_, from left to right.
void Merger::take_offers(uint32_t rank) {
    places_.clear();
    for (uint32_t i = newest_[rank]; i; i = offers_[i].older) places_.push(offers_[i].place);
    newest_[rank] = 0;
    waiting_[rank / 64] &= ~(uint64_t{1} << rank % 64);
    if (!std::is_sorted(places_.data(), places_.end())) std::sort(places_.data(), places_.end());
}

// Makes `token` of a part and its right neighbour.
void Merger::join(const Vocabulary &vocabulary, uint32_t left, uint32_t token) {
    Part &part = parts_[left], &right = parts_[part.next];
    part.token = token;
    part.next = right.next;
    right.rank = kNoToken;
    if (part.next < parts_.size()) parts_[part.next].previous = left;
    offer(vocabulary, left);
    if (left) offer(vocabulary, part.previous);
}

// Leaves in parts_ the list of a stretch's tokens.
void Merger::run(const Vocabulary &vocabulary, const char *piece, uint32_t len) {
    begin(vocabulary, piece, len);
    for (size_t word = 0; word < waiting_.size(); ++word) {
        while (waiting_[word]) {
            auto rank = static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(__builtin_ctzll(waiting_[word]));
            take_offers(rank);
            for (size_t i = 0; i < places_.size(); ++i)
                if (parts_[places_[i]].rank == rank) join(vocabulary, places_[i], rank);
        }
    }
    clean_ = true;
}

// Looks for the token that the tail of the stretch before and this one, which begins at `at`, have in common; takes the tail's up to there.
bool Merger::meet(size_t at, uint32_t &first) {
    if (tail_.empty()) return true;
    for (size_t i = 0; i < tail_.size(); found_.push(tail_[i++].token)) {
        while (first < parts_.size() && at + first < tail_[i].at) first = parts_[first].next;
        if (first == parts_.size()) return false;
        if (at + first == tail_[i].at && parts_[first].token == tail_[i].token) return true;
    }
    return false;
}

bool Merger::merge_stretches(const Vocabulary &vocabulary, const char *piece, size_t len, size_t stretch) {
    found_.clear();
    tail_.clear();
    for (size_t at = 0;;) {
        bool last = len - at <= stretch;
        uint32_t size = static_cast<uint32_t>(last ? len - at : stretch), first = 0;
        run(vocabulary, piece + at, size);
        if (!meet(at, first)) return false;
        uint32_t sure = last ? size : size - static_cast<uint32_t>(kOverlap);
        for (; first < sure; first = parts_[first].next) found_.push(parts_[first].token);
        if (last) return true;
        tail_.clear();
        for (uint32_t i = first; i < size; i = parts_[i].next) tail_.push({at + i, parts_[i].token});
        at += first;
    }
}

size_t Merger::merge_long(const Vocabulary &vocabulary, const char *piece, size_t len) {
    if (len > kMostTextBytes) throw OutOfMemory{};
    // Stretches always met where this was tried; if ever they do not, it is done in one.
    bool stretches = vocabulary.longest() < kOverlap && merge_stretches(vocabulary, piece, len, kStretch);
    if (!stretches) merge_stretches(vocabulary, piece, len, len);
    tokens_ = found_.data();
    return found_.size();
}

void Merger::recycle() {
    parts_.recycle(kKeptBytes);
    offers_.recycle(kKeptBytes);
    places_.recycle(kKeptBytes);
    found_.recycle(kKeptBytes);
}

}  // namespace accp

// token/count.cc

// See count.h. The hot loop: a window of ASCII gives the starts of pieces as bits; pieces of one byte and numbers are counted all at once, the
// others are looked up in the cache, and only what is not there is merged. What is no ASCII goes one piece at a time.

// From a text to the number of its tokens, or to their ids. One context, one thread; the cache lives here.


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



// The estimate for models whose vocabulary is not known: what a piece costs in a vocabulary of today's size, by the kinds of its characters.


namespace accp {

// At least 1 and at most `len`.
size_t estimate_piece(const char *piece, size_t len);

}  // namespace accp

namespace accp {

namespace {

struct CountSink {
    TokenCounter &counter;
    uint64_t most, total;

    bool window(const char *text, const char *end, const Window &window) {
        total += counter.count_window(text, end, window);
        return total <= most;
    }
    bool piece(const char *piece, size_t len) {
        // So much longer than any token that it has more than `most`: nothing need be merged to know that.
        uint64_t least = len / counter.tokenizer().longest();
        total += least > most - total ? least : counter.count_piece(piece, len);
        return total <= most;
    }
};

// The token that the piece is although no merge makes it, or NULL.
const SpecialToken *whole_token(const Tokenizer &tokenizer, std::string_view piece) {
    const SpecialToken *end = tokenizer.whole + tokenizer.whole_count;
    auto before = [](const SpecialToken &token, std::string_view text) { return token.text < text; };
    const SpecialToken *found = std::lower_bound(tokenizer.whole, end, piece, before);
    return found != end && found->text == piece ? found : nullptr;
}

}  // namespace

struct EncodeSink {
    TokenCounter &counter;
    Buffer<uint32_t> &ids;

    bool window(const char *text, const char *, const Window &window) {
        for (uint64_t rest = window.starts; rest;) {
            auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
            rest &= rest - 1;
            piece(text + at, (rest ? static_cast<uint32_t>(__builtin_ctzll(rest)) : window.length) - at);
        }
        return true;
    }
    bool piece(const char *piece, size_t len) {
        counter.encode_piece({piece, len}, ids);
        return true;
    }
};

// Invalid bytes are U+FFFD, one for each maximal part of a sequence that was begun (the way of TextDecoder, and of Python's "replace").
std::string_view TokenCounter::repair(std::string_view text) {
    if (valid_utf8_prefix(text.data(), text.size()) == text.size()) return text;
    repaired_.clear();
    while (!text.empty()) {
        size_t valid = valid_utf8_prefix(text.data(), text.size());
        repaired_.append(text.data(), valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        repaired_.append("\xEF\xBF\xBD", 3);
        text.remove_prefix(broken_utf8_size(text.data(), text.size()));
    }
    return {repaired_.data(), repaired_.size()};
}

// The longest special token that `text` begins with, or NULL.
const SpecialToken *TokenCounter::special_at(std::string_view text) const {
    const SpecialToken *found = nullptr;
    for (uint32_t i = 0; i < tokenizer_->special_count; ++i) {
        const SpecialToken &special = tokenizer_->specials[i];
        bool here = text.substr(0, special.text.size()) == special.text;
        if (here && (!found || special.text.size() > found->text.size())) found = &special;
    }
    return found;
}

// Calls plain() for the texts between special tokens and special() for each of these, until one of them answers false.
template <class Plain, class Special>
void TokenCounter::split_specials(std::string_view text, Plain plain, Special special) const {
    bool begins[256] = {};
    for (uint32_t i = 0; special_ && i < tokenizer_->special_count; ++i)
        begins[static_cast<unsigned char>(tokenizer_->specials[i].text[0])] = true;
    size_t from = 0;
    for (size_t at = 0; special_ && at < text.size();) {
        const SpecialToken *found = begins[static_cast<unsigned char>(text[at])] ? special_at(text.substr(at)) : nullptr;
        if (!found) {
            ++at;
            continue;
        }
        if (!plain(text.substr(from, at - from)) || !special(*found)) return;
        from = at += found->text.size();
    }
    plain(text.substr(from));
}

Status TokenCounter::count(std::string_view text, uint64_t most, uint64_t &out) {
    if (tokenizer_->kind == TokenizerKind::kHost) {
        int64_t answer = tokenizer_->count(text.data(), text.size(), tokenizer_->user);
        if (answer < 0) return fail(ACCP_ERR_IO, 0, "the host's tokenizer answered with an error");
        out = static_cast<uint64_t>(answer);
        return {};
    }
    CountSink sink = {*this, most, 0};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return sink.total <= most;
    };
    split_specials(text, plain, [&](const SpecialToken &) { return ++sink.total <= most; });
    out = sink.total;
    return {};
}

void TokenCounter::encode(std::string_view text, Buffer<uint32_t> &ids) {
    EncodeSink sink = {*this, ids};
    auto plain = [&](std::string_view part) {
        walk(part, sink);
        return true;
    };
    split_specials(text, plain, [&](const SpecialToken &special) {
        ids.push(special.id);
        return true;
    });
}

void TokenCounter::encode_piece(std::string_view piece, Buffer<uint32_t> &ids) {
    if (const SpecialToken *whole = whole_token(*tokenizer_, piece)) return ids.push(whole->id);
    size_t count = merger_.merge(tokenizer_->vocabulary, piece.data(), piece.size());
    if (!tokenizer_->ids) return ids.append(merger_.tokens(), count);
    uint32_t *to = ids.room(count);
    for (size_t i = 0; i < count; ++i) to[i] = tokenizer_->ids[merger_.tokens()[i]];
    ids.advance(count);
}

uint32_t Tokenizer::number_of(uint32_t id) const {
    if (!ids) return id;
    const uint32_t *end = by_id + vocabulary.size();
    auto before = [&](uint32_t number, uint32_t wanted) { return ids[number] < wanted; };
    const uint32_t *found = std::lower_bound(by_id, end, id, before);
    return found != end && ids[*found] == id ? *found : kNoToken;
}

bool TokenCounter::decode(uint32_t id, Buffer<char> &out) const {
    uint32_t number = tokenizer_->number_of(id);
    if (number < tokenizer_->vocabulary.size()) {
        tokenizer_->vocabulary.append(number, out);
        return true;
    }
    auto append = [&](const SpecialToken *tokens, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
            if (tokens[i].id != id) continue;
            out.append(tokens[i].text.data(), tokens[i].text.size());
            return true;
        }
        return false;
    };
    return append(tokenizer_->specials, tokenizer_->special_count) || append(tokenizer_->whole, tokenizer_->whole_count);
}

uint64_t TokenCounter::count_window(const char *text, const char *end, const Window &window) {
    uint64_t ends = window.starts >> 1 | uint64_t{1} << (window.length - 1);  // the last byte of each piece
    uint64_t single = window.starts & ends;
    if (tokenizer_->numbers_are_tokens) single |= window.numbers;
    auto total = static_cast<uint64_t>(__builtin_popcountll(single));
    bool padded = end - text >= 64 + 16;
    for (uint64_t rest = window.starts & ~single; rest; rest &= rest - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
        auto len = static_cast<size_t>(__builtin_ctzll(ends >> at)) + 1;
        total += count_piece(text + at, len, padded || end - (text + at) >= 16);
    }
    return total;
}

uint64_t TokenCounter::count_piece(const char *piece, size_t len, bool padded) {
    if (len > PieceCache::kLongest) return measure(piece, len);
    PieceCache::Entry key = padded ? PieceCache::key_padded(piece, len) : PieceCache::key(piece, len);
    if (uint32_t known = cache_.find(key)) return known;
    size_t count = measure(piece, len);
    cache_.add(key, static_cast<uint32_t>(count));
    return count;
}

size_t TokenCounter::measure(const char *piece, size_t len) {
    if (whole_token(*tokenizer_, {piece, len})) return 1;
    return tokenizer_->kind == TokenizerKind::kEstimate ? estimate_piece(piece, len) : merger_.merge(tokenizer_->vocabulary, piece, len);
}

void TokenCounter::recycle() {
    merger_.recycle();
    repaired_.recycle(kKeptBytes);
}

}  // namespace accp

// token/embedded.cc

// The vocabularies that are linked in. Their images are read-only data of the library: nothing is done at start-up, and processes share the pages.

// The assembler puts the file where it stands: a C array of this size would take seconds to compile.
#define EMBED(symbol, file)                                                                                               \
    asm(".pushsection .rodata." #symbol ",\"a\",@progbits\n.balign 64\n.hidden " #symbol "\n.globl " #symbol "\n" #symbol \
        ":\n"                                                                                                             \
        ".incbin \"" file "\"\n.popsection\n");                                                                           \
    extern "C" const char symbol[]

#ifdef ACCP_O200K_BASE_IMAGE
EMBED(accp__o200k_base, ACCP_O200K_BASE_IMAGE);
#endif
#ifdef ACCP_CL100K_BASE_IMAGE
EMBED(accp__cl100k_base, ACCP_CL100K_BASE_IMAGE);
#endif

namespace accp {

namespace {

struct Embedded {
    const char *name;
    const char *image;
    const SpecialToken *specials;
    uint32_t special_count;
};

[[maybe_unused]] constexpr SpecialToken kO200k[] = {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}};
[[maybe_unused]] constexpr SpecialToken kCl100k[] = {{"<|endoftext|>", 100257},
                                                     {"<|fim_prefix|>", 100258},
                                                     {"<|fim_middle|>", 100259},
                                                     {"<|fim_suffix|>", 100260},
                                                     {"<|endofprompt|>", 100276}};

const Embedded kEmbedded[] = {
#ifdef ACCP_O200K_BASE_IMAGE
    {"o200k_base", accp__o200k_base, kO200k, 2},
#endif
#ifdef ACCP_CL100K_BASE_IMAGE
    {"cl100k_base", accp__cl100k_base, kCl100k, 5},
#endif
    {nullptr, nullptr, nullptr, 0},
};

}  // namespace

const char *embedded_name(uint32_t index) { return index < sizeof kEmbedded / sizeof kEmbedded[0] ? kEmbedded[index].name : nullptr; }

bool open_embedded(std::string_view name, Tokenizer &out) {
    for (const Embedded &embedded : kEmbedded) {
        if (!embedded.name || name != embedded.name) continue;
        out.name = embedded.name;
        out.pattern = find_pattern(name);
        out.vocabulary = Vocabulary(embedded.image);
        out.specials = embedded.specials;
        out.special_count = embedded.special_count;
        out.numbers_are_tokens = true;
        return true;
    }
    return false;
}

}  // namespace accp
#undef EMBED

// token/estimate.cc

// See estimate.h. Fitted to o200k_base and cl100k_base on frames, JSON, English and code, where it answers 2 to 25 % more than they do: an estimate
// is there to keep limits.


namespace accp {

size_t estimate_piece(const char *piece, size_t len) {
    size_t letters = 0, signs = 0, high = 0, spaces = 0, extra = 0;
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(piece[i]);
        if (static_cast<unsigned>((c | 0x20) - 'a') < 26) ++letters;
        else if (c >= 0x80) ++high;
        else if (c <= 0x20) ++spaces;
        else if (c > '9' || c < '0') ++signs;
    }
    // A word's own first sign: vocabularies have words with these before them, and a token of its own for any other.
    if (letters && signs == 1) {
        extra = std::strchr("_./-\"(", piece[0]) == nullptr;
        signs = 0;
    }
    size_t tokens = (letters + 3) / 5 + extra + (signs + 1) / 2 + (high + 2) / 3 + spaces / 16;
    return tokens ? tokens : 1;
}

}  // namespace accp

// token/growing.cc

// See growing.h. What more text can change: no pattern reaches back over more than three pieces (white space whose newline or follower comes
// late; "don" "'" and then "t"; letters whose case turns the split; each with a broken character behind it that becomes whole). Four are left open.

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



namespace accp {

namespace {

constexpr size_t kOpenPieces = 4;
constexpr char kReplacement[] = "\xEF\xBF\xBD";

// Counts, and remembers where the last few steps began; a step is at least one piece.
struct SettleSink {
    TokenCounter &counter;
    uint64_t total = 0;
    size_t steps = 0;
    struct {
        const char *at;
        uint64_t before;
    } last[kOpenPieces] = {};

    bool window(const char *text, const char *end, const Window &window) {
        remember(text);
        total += counter.count_window(text, end, window);
        return true;
    }
    bool piece(const char *piece, size_t len) {
        remember(piece);
        total += counter.count_piece(piece, len);
        return true;
    }
    void remember(const char *at) { last[steps++ % kOpenPieces] = {at, total}; }
};

// How many bytes at the end of `text` may be the beginning of a character.
size_t open_bytes(std::string_view text) {
    for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        auto lead = static_cast<unsigned char>(text[text.size() - back]);
        if (lead < 0x80) return 0;
        if (lead < 0xC0) continue;
        size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        bool open = lead >= 0xC2 && lead < 0xF5 && size > back && broken_utf8_size(text.data() + text.size() - back, back) == back;
        return open ? back : 0;
    }
    return 0;
}

}  // namespace

void GrowingCount::append(std::string_view text) {
    // Everything that may fail comes first. Each broken byte may become three.
    if (tail_.size() >= due_ && counter_.tokenizer().kind != TokenizerKind::kHost) settle();
    char *to = tail_.room(3 * (text.size() + open_size_) + sizeof kReplacement);
    auto take = [&](const char *from, size_t len) {
        std::memcpy(to, from, len);
        to += len;
    };
    if (open_size_) {  // completes the character that is open, or finds that it never will be
        char begun[4];
        size_t more = std::min(sizeof begun - open_size_, text.size());
        std::memcpy(begun, open_, open_size_);
        if (more) std::memcpy(begun + open_size_, text.data(), more);
        std::string_view joined(begun, open_size_ + more);
        if (open_bytes(joined) == joined.size()) {
            std::memcpy(open_, begun, open_size_ = joined.size());
            return;
        }
        auto lead = static_cast<unsigned char>(begun[0]);
        bool valid = valid_utf8_prefix(joined.data(), joined.size()) > 0;
        size_t used = !valid ? broken_utf8_size(joined.data(), joined.size()) : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (valid) take(joined.data(), used);
        else take(kReplacement, 3);
        text.remove_prefix(used - open_size_);
        open_size_ = 0;
    }
    size_t open = open_bytes(text);
    std::string_view whole = text.substr(0, text.size() - open);
    while (!whole.empty()) {
        size_t valid = valid_utf8_prefix(whole.data(), whole.size());
        take(whole.data(), valid);
        whole.remove_prefix(valid);
        if (whole.empty()) break;
        take(kReplacement, 3);
        whole.remove_prefix(broken_utf8_size(whole.data(), whole.size()));
    }
    if (open) std::memcpy(open_, text.data() + text.size() - open, open);
    open_size_ = open;
    tail_.set_end(to);
}

// Counts the tail, and lets go of what cannot change any more.
uint64_t GrowingCount::settle() {
    size_t size = tail_.size();
    std::memcpy(tail_.room(sizeof kReplacement), kReplacement, 3);
    SettleSink sink = {counter_};
    counter_.walk({tail_.data(), size + (open_size_ ? 3 : 0)}, sink);
    uint64_t all = settled_ + sink.total;
    if (sink.steps > kOpenPieces) {
        const auto &from = sink.last[sink.steps % kOpenPieces];
        auto done = static_cast<size_t>(from.at - tail_.data());
        std::memmove(tail_.data(), from.at, size - done);
        tail_.resize_down(size - done);
        settled_ += from.before;
    }
    due_ = std::max(kSettleBytes, 2 * tail_.size());
    return all;
}

Status GrowingCount::total(uint64_t &out) {
    if (counter_.tokenizer().kind == TokenizerKind::kHost) {
        std::memcpy(tail_.room(sizeof kReplacement), kReplacement, 3);
        return counter_.count({tail_.data(), tail_.size() + (open_size_ ? 3 : 0)}, UINT64_MAX, out);
    }
    out = settle();
    return {};
}

void GrowingCount::reset() {
    tail_.recycle(kKeptBytes);
    settled_ = 0;
    due_ = kSettleBytes;
    open_size_ = 0;
}

}  // namespace accp

// token/image_build.cc

// See image_build.h. The perfect hash: pairs fall into buckets of four or five; the largest bucket chooses first, each the first pilot that
// sends all of its pairs to slots that are still free. One slot in sixty stays empty, so that the last ones find theirs.

// Makes an image (image.h) out of merges: at build time for the vocabularies that are linked in, at run time for one that a host loads.


namespace accp {

struct Merge {
    uint32_t left, right;
};

// Writes the image of `merges`, of which merge i is token 256 + i and names only tokens below itself. byte_token: the token of every byte.
void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count, Buffer<char> &image);

}  // namespace accp


namespace accp {

namespace {

constexpr uint32_t kPairsPerBucket = 5;
constexpr uint32_t kMostPilots = 65536;

class Builder {
public:
    Builder(Memory &memory, const Merge *merges, ImageHead &head)
        : merges_(merges),
          head_(head),
          first_(memory),
          order_(memory),
          members_(memory),
          slots_(memory),
          pilots_(memory),
          places_(memory) {}

    bool build() {
        fill(slots_, head_.slots, kEmptySlot);
        fill(pilots_, head_.buckets, uint16_t{0});
        fill(places_, head_.merges, 0u);
        group();
        for (uint32_t bucket : Range{order_.data(), order_.end()})
            if (!settle(bucket)) return false;
        return true;
    }

    void write(Buffer<char> &image) const {
        size_t size = image_size(head_);
        image.clear();
        char *to = image.room(size);
        std::memcpy(to, &head_, sizeof head_);
        std::memcpy(to + sizeof head_, slots_.data(), slots_.size() * 8);
        std::memcpy(to + pilots_offset(head_), pilots_.data(), pilots_.size() * 2);
        char *place = to + places_offset(head_);
        for (size_t i = 0; i < places_.size(); ++i)
            for (int byte = 0; byte < 3; ++byte) *place++ = static_cast<char>(places_[i] >> 8 * byte);
        image.advance(size);
    }

private:
    struct Range {
        const uint32_t *from, *to;
        const uint32_t *begin() const { return from; }
        const uint32_t *end() const { return to; }
    };

    template <class T>
    static void fill(Buffer<T> &buffer, size_t count, T value) {
        buffer.clear();
        std::fill_n(buffer.room(count), count, value);
        buffer.advance(count);
    }

    uint64_t hash(uint32_t merge) const { return pair_hash(pair_key(merges_[merge].left, merges_[merge].right), head_.seed); }
    uint32_t bucket_of(uint32_t merge) const { return scaled(static_cast<uint32_t>(hash(merge)), head_.buckets); }

    // members_ holds the merges by bucket, bucket b from first_[b] on; order_ the buckets, largest first.
    void group() {
        fill(first_, head_.buckets + 2, 0u);
        fill(members_, head_.merges, 0u);
        for (uint32_t i = 0; i < head_.merges; ++i) ++first_[bucket_of(i) + 2];
        for (uint32_t b = 2; b < head_.buckets + 2; ++b) first_[b] += first_[b - 1];
        for (uint32_t i = 0; i < head_.merges; ++i) members_[first_[bucket_of(i) + 1]++] = i;
        fill(order_, head_.buckets, 0u);
        for (uint32_t b = 0; b < head_.buckets; ++b) order_[b] = b;
        std::sort(order_.data(), order_.end(), [this](uint32_t a, uint32_t b) {
            uint32_t size_a = first_[a + 1] - first_[a], size_b = first_[b + 1] - first_[b];
            return size_a != size_b ? size_a > size_b : a < b;
        });
    }

    bool settle(uint32_t bucket) {
        for (uint32_t pilot = 0; pilot < kMostPilots; ++pilot) {
            if (!place(bucket, pilot)) continue;
            pilots_[bucket] = static_cast<uint16_t>(pilot);
            return true;
        }
        return false;
    }

    // Puts every pair of the bucket into its slot, or none.
    bool place(uint32_t bucket, uint32_t pilot) {
        for (uint32_t m = first_[bucket]; m < first_[bucket + 1]; ++m) {
            uint32_t merge = members_[m], slot = pair_slot(hash(merge), pilot, head_.slots);
            if (slots_[slot] != kEmptySlot) {
                while (m-- > first_[bucket]) slots_[places_[members_[m]]] = kEmptySlot;
                return false;
            }
            slots_[slot] = pair_key(merges_[merge].left, merges_[merge].right) << kTokenBits | (merge + kByteTokens);
            places_[merge] = slot;
        }
        return true;
    }

    const Merge *merges_;
    ImageHead &head_;
    Buffer<uint32_t> first_, order_, members_;
    Buffer<uint64_t> slots_;
    Buffer<uint16_t> pilots_;
    Buffer<uint32_t> places_;
};

uint32_t longest_token(Memory &memory, const Merge *merges, uint32_t count) {
    Buffer<uint32_t> lengths(memory);
    uint32_t *length = lengths.room(size_t{count} + kByteTokens), longest = 1;
    std::fill_n(length, kByteTokens, 1u);
    for (uint32_t i = 0; i < count; ++i) {
        length[i + kByteTokens] = length[merges[i].left] + length[merges[i].right];
        longest = std::max(longest, length[i + kByteTokens]);
    }
    return longest;
}

}  // namespace

void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count, Buffer<char> &image) {
    ImageHead head = {};
    head.magic = kImageMagic;
    head.merges = count;
    head.slots = count + count / 60 + 1;
    head.buckets = count / kPairsPerBucket + 1;
    head.longest = longest_token(memory, merges, count);
    std::memcpy(head.byte_token, byte_token, sizeof head.byte_token);
    for (uint32_t byte = 0; byte < kByteTokens; ++byte) head.byte_of[byte_token[byte]] = static_cast<uint8_t>(byte);
    Builder builder(memory, merges, head);
    while (!builder.build()) {  // another seed; and a little more room, so that this ends
        ++head.seed;
        head.slots += head.slots / 100 + 1;
    }
    builder.write(image);
}

}  // namespace accp

// token/load_json.cc

// See load.h: Hugging Face's tokenizer.json. Its tokens are written in characters that stand for bytes (GPT-2's table): printable ones for
// themselves, the others as U+0100 and up.


// Vocabularies of other models, from the texts that they are published as. Reading the file is the host's.


// From the tokens of a file to a vocabulary in memory. Tokens are added in the order in which they merge; each is merged by those before it, and must
// come out as two. Others are kept apart: no merge makes them, and only a whole piece can be one (DECISIONS D31).



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

// Which of our patterns a tokenizer.json means.


namespace accp {

// By the regular expressions of its pre_tokenizer. ACCP_E1004 for one that is not known.
Status find_json_pattern(TreeView tree, const Pattern **out);

}  // namespace accp

namespace accp {

namespace {

bool printable(uint32_t byte) { return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD); }

// The byte that a character stands for, or -1.
int byte_of(uint32_t point) {
    if (point < 0x100) return printable(point) ? static_cast<int>(point) : -1;
    uint32_t wanted = point - 0x100;
    for (int byte = 0; byte < 256; ++byte)
        if (!printable(static_cast<uint32_t>(byte)) && wanted-- == 0) return byte;
    return -1;
}

Status refuse(const char *message) { return fail(ACCP_E1004, 0, message); }

class JsonLoader {
public:
    JsonLoader(Memory &memory, LoadedVocabulary &out, Tokenizer &tokenizer)
        : memory_(memory),
          out_(out),
          tokenizer_(tokenizer),
          value_(memory),
          bytes_(memory),
          written_(memory),
          slots_(memory),
          seed_(random_seed()) {}

    Status load(std::string_view text) {
        JsonReader reader(memory_);
        Status status = reader.read(text.data(), text.size(), {kMostTextBytes, kMostJsonDepth}, value_);
        if (status.failed()) return status;
        tree_ = value_.view();
        if (tree_[0].kind != ACCP_MAP) return refuse("a tokenizer.json is an object");
        status = check_kind();
        if (status.ok()) status = find_json_pattern(tree_, &tokenizer_.pattern);
        if (status.ok()) status = index_vocabulary();
        if (status.ok()) status = make();
        if (status.ok()) status = add_specials();
        return status.ok() ? check_ids() : status;
    }

private:
    std::string_view text_of(uint32_t node) const {
        return node && tree_[node].kind == ACCP_STRING ? tree_.string(node) : std::string_view();
    }
    bool is_true(uint32_t node) const { return node && tree_[node].kind == ACCP_BOOL && (tree_[node].flags & ACCP_NODE_TRUE); }

    Status check_kind() {
        model_ = tree_.find(0, "model");
        if (!model_ || tree_[model_].kind != ACCP_MAP) return refuse("there is no model");
        if (text_of(tree_.find(model_, "type")) != "BPE")
            return refuse("the model is no BPE: WordPiece, Unigram and their like are not supported");
        if (is_true(tree_.find(model_, "byte_fallback"))) return refuse("a SentencePiece model (byte_fallback) is not supported");
        if (!text_of(tree_.find(model_, "continuing_subword_prefix")).empty() || !text_of(tree_.find(model_, "end_of_word_suffix")).empty())
            return refuse("a BPE whose tokens have a prefix or suffix is not supported");
        uint32_t normalizer = tree_.find(0, "normalizer");
        bool plain = !normalizer || tree_[normalizer].kind == ACCP_NULL || text_of(tree_.find(normalizer, "type")) == "NFC";
        return plain ? Status{} : refuse("a normalizer other than NFC is not supported");
    }

    bool decode(std::string_view written, Buffer<char> &out) const {
        for (const char *at = written.data(), *end = at + written.size(); at < end;) {
            int byte = byte_of(read_utf8(at));
            if (byte < 0) return false;
            out.push(static_cast<char>(byte));
        }
        return true;
    }

    uint32_t *slot(std::string_view token) {
        size_t mask = slots_.size() - 1, at = static_cast<size_t>(seeded_hash(token.data(), token.size(), seed_)) & mask;
        while (slots_[at] && tree_.key(slots_[at]) != token) at = (at + 1) & mask;
        return &slots_[at];
    }
    bool id_of(uint32_t node, uint32_t &id) const {
        std::string_view text = tree_.string(node);
        return tree_[node].kind == ACCP_INT && std::from_chars(text.data(), text.data() + text.size(), id).ec == std::errc{};
    }

    // slots_: the nodes of the vocabulary by their text.
    Status index_vocabulary() {
        vocabulary_ = tree_.find(model_, "vocab");
        merges_ = tree_.find(model_, "merges");
        if (!vocabulary_ || tree_[vocabulary_].kind != ACCP_MAP || !merges_ || tree_[merges_].kind != ACCP_ARRAY)
            return refuse("the model has no vocabulary, or no merges");
        size_t size = 1024;
        while (size < 2 * size_t{tree_[vocabulary_].len}) size *= 2;
        std::memset(slots_.room(size), 0, size * sizeof(uint32_t));
        slots_.advance(size);
        for (uint32_t i = vocabulary_ + 1; i < tree_[vocabulary_].next; ++i) *slot(tree_.key(i)) = i;
        return {};
    }

    // The two halves of a merge: "a b", or ["a", "b"].
    bool halves(uint32_t node, std::string_view &left, std::string_view &right) const {
        if (tree_[node].kind == ACCP_ARRAY && tree_[node].len == 2) {
            left = text_of(node + 1);
            right = text_of(node + 2);
        } else {
            std::string_view both = text_of(node);
            size_t space = both.find(' ');
            if (space == both.npos) return false;
            left = both.substr(0, space);
            right = both.substr(space + 1);
        }
        return !left.empty() && !right.empty();
    }

    Status add_merge(VocabularyMaker &maker, uint32_t node) {
        std::string_view left, right;
        if (!halves(node, left, right)) return refuse("a merge is no pair of tokens");
        written_.clear();
        written_.append(left.data(), left.size());
        written_.append(right.data(), right.size());
        uint32_t found = *slot({written_.data(), written_.size()}), id = 0;
        if (!found || !id_of(found, id)) return refuse("a merge makes what is not in the vocabulary");
        size_t from = bytes_.size();
        if (!decode(left, bytes_)) return refuse("a token is not written byte by byte: this is no byte-level BPE");
        size_t middle = bytes_.size();
        if (!decode(right, bytes_)) return refuse("a token is not written byte by byte: this is no byte-level BPE");
        return maker.add({bytes_.data() + from, bytes_.size() - from}, middle - from, id);
    }

    Status make() {
        VocabularyMaker maker(memory_, tree_[vocabulary_].len);
        bytes_.room(value_.text.size());  // tokens are pointed at: it must not move
        uint32_t id = 0;
        for (uint32_t i = vocabulary_ + 1; i < tree_[vocabulary_].next; ++i) {
            std::string_view token = tree_.key(i);
            const char *at = token.data();
            int byte = token.empty() ? -1 : byte_of(read_utf8(at));
            if (byte < 0 || at != token.data() + token.size()) continue;
            if (!id_of(i, id) || !maker.add_byte(static_cast<char>(byte), id))
                return refuse("a token of one byte has no id, or stands there twice");
        }
        if (!maker.has_every_byte()) return refuse("a byte has no token: this is no byte-level BPE");
        for (uint32_t i = merges_ + 1; i < tree_[merges_].next; i = tree_[i].next) {
            Status status = add_merge(maker, i);
            if (status.failed()) return status;
        }
        return maker.finish(is_true(tree_.find(model_, "ignore_merges")), out_, tokenizer_);
    }

    Status add_specials() {
        uint32_t added = tree_.find(0, "added_tokens");
        if (!added || tree_[added].kind != ACCP_ARRAY) return {};
        Buffer<char> &text = out_.special_text;
        size_t size = 0;
        for (uint32_t i = added + 1; i < tree_[added].next; i = tree_[i].next) size += text_of(tree_.find(i, "content")).size();
        text.room(size);
        for (uint32_t i = added + 1; i < tree_[added].next; i = tree_[i].next) {
            uint32_t id = 0, node = tree_[i].kind == ACCP_MAP ? tree_.find(i, "id") : 0;
            std::string_view content = node ? text_of(tree_.find(i, "content")) : std::string_view();
            if (content.empty() || !id_of(node, id)) return refuse("an added token has no text or no id");
            const char *at = text.end();
            text.append(content.data(), content.size());
            out_.specials.push({{at, content.size()}, id});
        }
        tokenizer_.specials = out_.specials.data();
        tokenizer_.special_count = static_cast<uint32_t>(out_.specials.size());
        return {};
    }

    // Decoding must answer what was encoded: an id is of one text. (Added tokens are often in the vocabulary too.)
    Status check_ids() {
        Buffer<uint32_t> ids(memory_);
        ids.append(out_.ids.data(), out_.ids.size());
        std::sort(ids.data(), ids.end());
        bool twice = std::adjacent_find(ids.data(), ids.end()) != ids.end();
        Buffer<SpecialToken> others(memory_);
        others.append(out_.specials.data(), out_.specials.size());
        others.append(out_.whole.data(), out_.whole.size());
        std::sort(others.data(), others.end(), [](const SpecialToken &a, const SpecialToken &b) { return a.id < b.id; });
        for (size_t i = 0; i < others.size() && !twice; ++i) {
            const bool alike = i && others[i].id == others[i - 1].id;
            twice = (alike && others[i].text != others[i - 1].text) || is_anothers(others[i]);
        }
        return twice ? refuse("two tokens have one id") : Status{};
    }
    bool is_anothers(const SpecialToken &token) {
        const uint32_t number = tokenizer_.number_of(token.id);
        if (number >= tokenizer_.vocabulary.size()) return false;
        written_.clear();
        tokenizer_.vocabulary.append(number, written_);
        return std::string_view(written_.data(), written_.size()) != token.text;
    }

    Memory &memory_;
    LoadedVocabulary &out_;
    Tokenizer &tokenizer_;
    Value value_;
    TreeView tree_ = {};
    Buffer<char> bytes_, written_;
    Buffer<uint32_t> slots_;
    uint64_t seed_;
    uint32_t model_ = 0, vocabulary_ = 0, merges_ = 0;
};

}  // namespace

Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out, Tokenizer &tokenizer) {
    return JsonLoader(memory, out, tokenizer).load(text);
}

}  // namespace accp

// token/load_pattern.cc

// See load_pattern.h. The published expressions are compared as texts: a pattern that only looks alike is none of ours.

namespace accp {

namespace {

struct Known {
    const char *name;
    uint32_t count;
    const char *splits[3];
};

constexpr Known kKnown[] = {
    {"llama3",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen2", 1, {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen35",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"o200k_base",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
      R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"tekken",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"deepseek3",
     3,
     {R"(\p{N}{1,3})", "[一-龥\u3040-ゟ゠-ヿ]+",
      R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"gpt2", 1, {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"}},
};

constexpr const char *kUnknown = "a pre-tokenizer, or a pattern of one, that is not supported";

// What the steps of the pre_tokenizer are, as far as they are ours to do.
struct Steps {
    std::string_view splits[3];
    uint32_t count = 0;
    bool bytes = false;  // ends in ByteLevel

    bool add(TreeView tree, uint32_t step) {
        if (tree[step].kind != ACCP_MAP || bytes) return false;
        auto is = [&](const char *key, const char *text) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_STRING && tree.string(node) == text;
        };
        auto on = [&](const char *key) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_BOOL && (tree[node].flags & ACCP_NODE_TRUE);
        };
        if (is("type", "ByteLevel")) {
            bytes = true;
            if (on("add_prefix_space")) return false;
            uint32_t own = tree.find(step, "use_regex");  // true where it is not there
            if ((!own || on("use_regex")) && count < 3) splits[count++] = kKnown[6].splits[0];
            return true;
        }
        uint32_t pattern = tree.find(step, "pattern"), regex = pattern ? tree.find(pattern, "Regex") : 0;
        if (!is("type", "Split") || !is("behavior", "Isolated") || on("invert") || !regex || count == 3) return false;
        splits[count++] = tree.string(regex);
        return true;
    }
};

}  // namespace

Status find_json_pattern(TreeView tree, const Pattern **out) {
    uint32_t root = tree.find(0, "pre_tokenizer");
    if (!root || tree[root].kind != ACCP_MAP) return fail(ACCP_E1004, 0, kUnknown);
    Steps steps;
    uint32_t list = tree.find(root, "pretokenizers");
    bool good = list ? tree[list].kind == ACCP_ARRAY : steps.add(tree, root);
    for (uint32_t i = list + 1; good && list && i < tree[list].next; i = tree[i].next) good = steps.add(tree, i);
    for (const Known &known : kKnown) {
        bool same = good && steps.bytes && known.count == steps.count;
        for (uint32_t i = 0; same && i < known.count; ++i) same = steps.splits[i] == known.splits[i];
        if (!same) continue;
        *out = find_pattern(known.name);
        return {};
    }
    return fail(ACCP_E1004, 0, kUnknown);
}

}  // namespace accp

// token/load_tiktoken.cc

// See load.h: the .tiktoken format. Ranks are the order of merging and the ids at once; they may have gaps, and lines may stand in any order.


namespace accp {

namespace {

struct Line {
    uint32_t offset, len;  // of the bytes
    uint32_t rank;
};

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Appends the bytes; false for what is no Base64.
bool decode_base64(std::string_view text, Buffer<char> &out) {
    if (text.size() % 4 || text.empty()) return false;
    while (text.back() == '=' && text.size() % 4 != 2) text.remove_suffix(1);
    uint32_t bits = 0, count = 0;
    for (char c : text) {
        int digit = base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push(static_cast<char>(bits >> count));
    }
    return true;
}

Status read_line(std::string_view line, uint64_t offset, Buffer<char> &bytes, Buffer<Line> &lines) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) return {};
    size_t space = line.find(' ');
    if (space == line.npos) return fail(ACCP_E1001, offset, "a line is a token in Base64, a space, and a rank");
    uint32_t rank = 0;
    auto end = line.data() + line.size();
    auto read = std::from_chars(line.data() + space + 1, end, rank);
    auto from = static_cast<uint32_t>(bytes.size());
    if (read.ec != std::errc{} || read.ptr != end || !decode_base64(line.substr(0, space), bytes))
        return fail(ACCP_E1001, offset, "a line is a token in Base64, a space, and a rank");
    lines.push({from, static_cast<uint32_t>(bytes.size()) - from, rank});
    return {};
}

}  // namespace

Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out, Tokenizer &tokenizer) {
    Buffer<char> bytes(memory);
    Buffer<Line> lines(memory);
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        Status status = read_line(text.substr(at, end - at), at, bytes, lines);
        if (status.failed()) return status;
        at = end + 1;
    }
    std::sort(lines.data(), lines.end(), [](const Line &a, const Line &b) { return a.rank < b.rank; });
    VocabularyMaker maker(memory, lines.size());
    auto token = [&](const Line &line) { return std::string_view(bytes.data() + line.offset, line.len); };
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i && lines[i].rank == lines[i - 1].rank) return fail(ACCP_E1004, 0, "two tokens have one rank");
        if (lines[i].len == 1 && !maker.add_byte(token(lines[i])[0], lines[i].rank))
            return fail(ACCP_E1004, 0, "one token stands there twice");
    }
    if (!maker.has_every_byte()) return fail(ACCP_E1004, 0, "a byte has no token");
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].len == 1) continue;
        Status status = maker.add(token(lines[i]), 0, lines[i].rank);
        if (status.failed()) return status;
    }
    return maker.finish(true, out, tokenizer);
}

}  // namespace accp

// token/pretoken.cc

// See pretoken.h: the patterns by name.

namespace accp {

namespace {

constexpr Pattern kPatterns[] = {
    {"o200k_base", {3, true, true, false}, o200k_piece, o200k_window},
    {"cl100k_base", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"llama3", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen2", {1, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen35", {1, true, false, true}, cl100k_piece, cl100k_window},
    {"gpt2", {0, true, false, false}, gpt2_piece, no_window},
    {"deepseek3", {3, false, false, true}, deepseek_piece, no_window},
    {"tekken", {1, false, true, false}, o200k_piece, o200k_window},
};

}  // namespace

const Pattern *find_pattern(std::string_view name) {
    for (const Pattern &pattern : kPatterns)
        if (name == pattern.name) return &pattern;
    return nullptr;
}

}  // namespace accp

// token/pretoken_cl100k.cc

// The pattern of cl100k_base and its relatives (Llama 3: the same; Qwen 2 and 3: one digit at a time):
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+

// What the patterns have in common, one code point at a time.


// What the patterns of pre-tokenisers ask about a code point, by Unicode 16. The table is script/unicode's.


namespace accp {

enum PointFlag : uint8_t {
    kUpper = 1,          // Lu, Lt
    kLower = 2,          // Ll
    kOtherLetter = 4,    // Lm, Lo: in both halves of a word
    kMark = 8,           // M: likewise, but no letter
    kNumber = 16,        // N
    kSpace = 32,         // White_Space, which is \s
    kNewline = 64,       // CR, LF
    kPunctuation = 128,  // P, S
    kLetter = kUpper | kLower | kOtherLetter
};

extern const uint8_t kUnicodeBlocks[], kUnicodeFlags[];

// One code point of valid UTF-8.
struct Point {
    uint32_t flags;
    uint32_t size;

    bool is(uint32_t any) const { return (flags & any) != 0; }
};

inline uint32_t point_flags(uint32_t point) { return kUnicodeFlags[kUnicodeBlocks[point >> 7] * 128u + (point & 127)]; }

inline Point point_at(const char *text) {
    auto byte = [text](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    uint32_t lead = byte(0);
    if (lead < 0x80) return {point_flags(lead), 1};
    if (lead < 0xE0) return {point_flags((lead & 0x1F) << 6 | (byte(1) & 0x3F)), 2};
    if (lead < 0xF0) return {point_flags((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)), 3};
    return {point_flags((lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F)), 4};
}

}  // namespace accp

namespace accp {

// Behind the code points that have one of these flags.
inline const char *skip_any(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (!point.is(flags)) break;
        text += point.size;
    }
    return text;
}
// Behind those that have none of them.
inline const char *skip_none(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (point.is(flags)) break;
        text += point.size;
    }
    return text;
}

// \p{N}{1,most}
inline const char *number_end(const char *text, const char *end, uint32_t most) {
    for (uint32_t i = 0; i < most && text < end; ++i) {
        Point point = point_at(text);
        if (!point.is(kNumber)) break;
        text += point.size;
    }
    return text;
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)? : U+017F is an s to whoever ignores case.
inline const char *contraction_end(const char *text, const char *end) {
    if (end - text < 2 || *text != '\'') return text;
    auto lower = [text](int i) { return text[i] | 0x20; };
    char first = static_cast<char>(lower(1));
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return text + 2;
    if (end - text < 3) return text;
    if (text[1] == '\xC5' && text[2] == '\xBF') return text + 3;
    char second = static_cast<char>(lower(2));
    bool two = (first == 'l' && second == 'l') || ((first == 'v' || first == 'r') && second == 'e');
    return two ? text + 3 : text;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ , where a white space begins.
inline const char *space_end(const char *text, const char *end) {
    const char *newline = nullptr, *last = text, *at = text;
    while (at < end) {
        Point point = point_at(at);
        if (!point.is(kSpace)) break;
        last = at;
        at += point.size;
        if (point.is(kNewline)) newline = at;
    }
    if (newline) return newline;
    return at == end || last == text ? at : last;
}

// ` ?[^\s\p{L}\p{N}]+[\r\n]*`, or NULL where there is no such thing. not_marks: what may not be in it; slashes: what may follow.
inline const char *punctuation_end(const char *text, const char *end, uint32_t but, bool slashes) {
    const char *from = text + (*text == ' '), *at = skip_none(from, end, but);
    if (at == from) return nullptr;
    while (at < end && (*at == '\r' || *at == '\n' || (slashes && *at == '/'))) ++at;
    return at;
}

}  // namespace accp

// What the patterns' window() have in common: the starts of pieces in up to 64 bytes of ASCII, by arithmetic on masks. A start is trusted where
// nothing behind the window could move it; the last trusted one is where the next window begins, so that nothing is carried over.


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

struct Starts {
    AsciiMasks is;
    uint64_t letter, punctuation, white;
    uint32_t size;   // bytes looked at
    uint32_t limit;  // of them ASCII, before the first that is not
    bool last;       // the text ends here
    uint64_t bits;   // the starts found
    uint64_t doubt;  // bytes from which on a start may be wrong

    Starts(const char *text, const char *end) {
        size_t left = static_cast<size_t>(end - text);
        size = left < 64 ? static_cast<uint32_t>(left) : 64;
        find_masks(text, size, is);
        limit = is.high ? static_cast<uint32_t>(__builtin_ctzll(is.high)) : size;
        last = left < 64 && !is.high;
        uint64_t valid = limit < 64 ? (uint64_t{1} << limit) - 1 : ~uint64_t{0};
        letter = is.upper | is.lower;
        white = is.blank | is.newline;
        punctuation = valid & ~(letter | is.digit | white);
        bits = doubt = 0;
    }

    // Numbers of up to `most` digits: a start at the first, and at every digit that is `most` behind one.
    uint64_t numbers(uint32_t most) const {
        if (most == 1) return is.digit;
        uint64_t found = is.digit & ~(is.digit << 1), whole = is.digit & is.digit << 1;
        for (uint64_t next = found; next;) {
            next = next << 3 & whole & is.digit << 2 & is.digit << 3;
            found |= next;
        }
        return found;
    }

    // White space: its first, the one behind its last newline, and its last where something follows: \s+(?!\S) leaves that one alone.
    // Newlines right behind punctuation belong to it; blanks between newlines, and `slashes` behind such newlines, are left in doubt.
    void add_spaces(bool slashes) {
        uint64_t swallowed = newlines_behind_punctuation();
        uint64_t after_newline = is.newline << 1 & is.blank;
        bits |= white & ~(white << 1) & ~swallowed;
        bits |= after_newline;
        bits |= is.blank & (letter | is.digit | punctuation) >> 1;
        if ((is.blank + after_newline) & ~is.blank & is.newline) doubt |= after_newline;
        if (slashes) doubt |= swallowed << 1 & is.slash;
    }

    // The window, cut where trust ends.
    Window window() const {
        uint64_t trusted = bits | 1;
        if (!last) {
            uint32_t most = limit > 4 ? limit - 4 : 0;
            // White space up to the limit may go on, and its last newline is not known yet.
            uint64_t tail = white << (64 - limit) % 64;
            uint32_t run = limit && ~tail ? static_cast<uint32_t>(__builtin_clzll(~tail)) : limit;
            if (run && run < limit && limit - run < most) most = limit - run;
            if (run >= limit) most = 0;
            trusted &= most < 63 ? (uint64_t{2} << most) - 1 : ~uint64_t{0};
        }
        if (doubt) trusted &= ((doubt & -doubt) - 1) | 1;
        Window window = {trusted, is.digit, size};
        if (!last || doubt) {
            window.length = 63 - static_cast<uint32_t>(__builtin_clzll(trusted));
            window.starts = trusted & ~(uint64_t{1} << window.length);
        }
        window.numbers &= window.starts;
        return window;
    }

    // What stands before a word's first letter and belongs to it: a blank, or punctuation that is alone and has no blank of its own.
    uint64_t prefixes() const { return is.blank | (punctuation & ~(punctuation << 1) & ~(punctuation >> 1) & ~(is.space << 1)); }
    void add_punctuation() { bits |= punctuation & ~(punctuation << 1) & ~(is.space << 1); }

private:
    // Runs of newlines that begin right behind punctuation: adding their first bits carries through them.
    uint64_t newlines_behind_punctuation() const {
        uint64_t first = is.newline & punctuation << 1;
        return is.newline & ~(is.newline + first);
    }
};

}  // namespace accp

namespace accp {

const char *cl100k_piece(const char *text, const char *end, const PatternRules &rules) {
    const uint32_t letters = rules.marks_are_letters ? uint32_t{kLetter} | kMark : uint32_t{kLetter};
    if (const char *contraction = contraction_end(text, end); contraction > text) return contraction;
    Point first = point_at(text);
    if (first.is(letters)) return skip_any(text, end, letters);
    if (!first.is(kNumber | kNewline)) {
        const char *rest = text + first.size, *word = skip_any(rest, end, letters);
        if (word > rest) return word;
    }
    if (first.is(kNumber)) return number_end(text, end, rules.digits);
    if (const char *punctuation = punctuation_end(text, end, kSpace | kNumber | letters, false)) return punctuation;
    return space_end(text, end);
}

Window cl100k_window(const char *text, const char *end, const PatternRules &rules) {
    Starts starts(text, end);
    const uint64_t prefixes = starts.prefixes();
    starts.bits = starts.numbers(rules.digits);
    starts.add_spaces(false);
    starts.add_punctuation();
    starts.bits |= starts.letter & ~(starts.letter << 1) & ~(prefixes << 1);
    for (uint64_t quotes = starts.is.quote & prefixes & starts.letter >> 1; quotes; quotes &= quotes - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(quotes));
        auto len = static_cast<uint32_t>(contraction_end(text + at, text + starts.limit) - (text + at));
        if (len && at + len < 64) starts.bits |= uint64_t{1} << (at + len) & starts.letter;
    }
    return starts.window();
}

}  // namespace accp

// token/pretoken_deepseek.cc

// DeepSeek's patterns (V3, R1), three splits one after another, each of what the one before left:
//   \p{N}{1,3}
//   [一-龥぀-ゟ゠-ヿ]+
//   [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
// The last sees texts that end where a number or a run of the second begins. What none of its alternatives matches is a piece as well.

namespace accp {

namespace {

bool is_east(const char *text) {
    auto byte = [text](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    if (byte(0) < 0xE3 || byte(0) > 0xE9) return false;
    uint32_t point = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    return (point >= 0x4E00 && point <= 0x9FA5) || (point >= 0x3040 && point <= 0x30FF);
}

bool ends(const char *text, const char *end) { return text == end || point_at(text).is(kNumber) || is_east(text); }

const char *skip(const char *text, const char *end, uint32_t flags) {
    while (!ends(text, end) && point_at(text).is(flags)) text += point_at(text).size;
    return text;
}

bool is_ascii_letter(char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }

const char *spaces(const char *text, const char *end) {
    const char *newline = nullptr, *last = text, *at = text;
    while (!ends(at, end) && point_at(at).is(kSpace)) {
        last = at;
        at += point_at(at).size;
        if (point_at(last).is(kNewline)) newline = at;
    }
    if (newline) return newline;
    return ends(at, end) || last == text ? at : last;
}

// What the third split matches at `text`, or `text`.
const char *match(const char *text, const char *end) {
    Point first = point_at(text);
    const char *rest = text + first.size;
    if (first.size == 1 && first.is(kPunctuation) && rest < end && is_ascii_letter(*rest)) {
        while (rest < end && is_ascii_letter(*rest)) ++rest;
        return rest;
    }
    if (!first.is(kNewline | kLetter | kPunctuation))
        if (const char *word = skip(rest, end, kLetter | kMark); word > rest) return word;
    if (first.is(kLetter | kMark)) return skip(text, end, kLetter | kMark);
    const char *from = text + (*text == ' '), *signs = skip(from, end, kPunctuation);
    if (signs == from) return first.is(kSpace) ? spaces(text, end) : text;
    while (signs < end && (*signs == '\r' || *signs == '\n')) ++signs;
    return signs;
}

}  // namespace

const char *deepseek_piece(const char *text, const char *end, const PatternRules &rules) {
    if (point_at(text).is(kNumber)) return number_end(text, end, rules.digits);
    const char *at = text;
    if (is_east(text)) {
        while (at < end && is_east(at)) at += 3;
        return at;
    }
    if (const char *found = match(text, end); found > text) return found;
    while (!ends(at, end) && match(at, end) == at) at += point_at(at).size;
    return at;
}

Window no_window(const char *, const char *, const PatternRules &) { return {0, 0, 0}; }

}  // namespace accp

// token/pretoken_gpt2.cc

// GPT-2's pattern, which byte-level tokenizers have when they name none:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+


namespace accp {

const char *gpt2_piece(const char *text, const char *end, const PatternRules &) {
    std::string_view rest(text, static_cast<size_t>(end - text));
    for (std::string_view contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (rest.substr(0, contraction.size()) == contraction) return text + contraction.size();
    const char *from = text + (*text == ' ');
    for (uint32_t kind : {uint32_t{kLetter}, uint32_t{kNumber}})
        if (const char *at = skip_any(from, end, kind); at > from) return at;
    if (const char *at = skip_none(from, end, kSpace | kLetter | kNumber); at > from) return at;
    const char *last = text, *at = text;
    while (at < end && point_at(at).is(kSpace)) {
        last = at;
        at += point_at(at).size;
    }
    return at == end || last == text ? at : last;
}

}  // namespace accp

// token/pretoken_o200k.cc

// The pattern of o200k_base and its relatives (Mistral's without contractions, one digit at a time):
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   \p{N}{1,3}
//    ?[^\s\p{L}\p{N}]+[\r\n/]*
//   \s*[\r\n]+|\s+(?!\S)|\s+

namespace accp {

namespace {

constexpr uint32_t kHigh = kUpper | kOtherLetter | kMark;  // the first half of a word
constexpr uint32_t kLow = kLower | kOtherLetter | kMark;   // the second

// [high]*[low]+ at `text`, or NULL. *high_end is then the end of [high]+, which is `text` where there is none.
const char *word_end(const char *text, const char *end, const char **high_end) {
    const char *low_end = nullptr, *at = text;  // low_end: behind the last that could be the second half too
    while (at < end) {
        Point point = point_at(at);
        if (!point.is(kHigh)) {
            if (point.is(kLower)) return skip_any(at, end, kLow);
            break;
        }
        at += point.size;
        if (point.is(kLow)) low_end = at;
    }
    *high_end = at;
    return low_end;
}

// 's behind a letter is no start; what stands behind it is one, and no contraction again.
void add_contractions(const char *text, Starts &starts) {
    uint64_t quotes = starts.is.quote & starts.letter << 1 & starts.letter >> 1;
    while (quotes) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(quotes));
        quotes &= quotes - 1;
        auto len = static_cast<uint32_t>(contraction_end(text + at, text + starts.limit) - (text + at));
        if (!len) continue;
        uint64_t covered = ((uint64_t{1} << len) - 1) << at, behind = at + len < 64 ? uint64_t{1} << (at + len) : 0;
        starts.bits = (starts.bits & ~covered) | (behind & starts.letter);
        quotes &= ~behind;
    }
}

}  // namespace

const char *o200k_piece(const char *text, const char *end, const PatternRules &rules) {
    Point first = point_at(text);
    const char *rest = text + first.size, *high = text, *word = nullptr;
    if (!first.is(kLetter | kNumber | kNewline)) {
        word = word_end(rest, end, &high);
        if (!word && first.is(kMark)) word = rest;  // without it as a prefix, it is the word
        if (!word && high > rest) word = high;
    } else if (first.is(kLetter)) {
        word = word_end(text, end, &high);
        if (!word) word = high;
    }
    if (word) return rules.contractions ? contraction_end(word, end) : word;
    if (first.is(kNumber)) return number_end(text, end, rules.digits);
    if (const char *punctuation = punctuation_end(text, end, kSpace | kLetter | kNumber, rules.slashes)) return punctuation;
    return space_end(text, end);
}

Window o200k_window(const char *text, const char *end, const PatternRules &rules) {
    Starts starts(text, end);
    const AsciiMasks &is = starts.is;
    starts.bits = starts.numbers(rules.digits);
    starts.add_spaces(rules.slashes);
    starts.add_punctuation();
    starts.bits |= starts.letter & ~(starts.letter << 1) & ~(starts.prefixes() << 1);
    starts.bits |= is.upper & is.lower << 1;
    if (rules.contractions) add_contractions(text, starts);
    return starts.window();
}

}  // namespace accp

// token/unicode.cc

// See unicode.h: the table itself.

namespace accp {

/* Made by script/unicode from the Unicode Character Database 16.0: edit that. */
const uint8_t kUnicodeBlocks[8704] = {
0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,34,35,36,37,38,39,34,34,34,40,41,42,43,44,
45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,64,64,64,65,66,64,64,64,64,67,68,64,64,64,64,64,64,69,70,71,72,73,74,75,76,64,
77,78,79,80,81,82,83,64,64,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,84,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,85,34,34,86,87,88,89,90,91,92,93,94,95,96,97,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,98,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,34,34,100,101,102,103,34,34,104,
105,106,107,108,109,110,111,112,113,99,114,115,116,117,118,119,120,34,34,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,
137,138,139,140,141,142,143,144,145,146,147,148,99,149,150,151,152,99,153,154,155,156,157,158,159,160,161,162,163,164,99,165,166,167,34,34,
34,34,34,34,34,168,169,34,170,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,171,34,34,34,34,34,34,34,34,172,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,111,34,34,34,34,173,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,174,99,99,99,99,99,99,
99,99,99,99,99,99,99,34,34,34,34,175,176,177,178,99,99,179,99,180,181,182,183,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,184,34,34,34,34,34,34,34,34,34,185,186,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,187,34,34,188,34,34,189,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,190,191,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,64,192,64,64,64,193,194,195,64,196,197,198,199,200,
201,99,202,203,204,205,206,207,208,209,64,64,64,64,210,211,99,99,99,99,99,99,99,99,212,99,213,214,215,99,99,216,99,99,99,217,99,218,99,99,
99,219,34,220,221,99,99,99,99,99,222,223,224,99,225,226,99,99,227,228,229,230,231,99,64,64,64,64,64,64,64,232,233,234,235,236,64,64,237,238,
64,239,99,99,99,99,99,99,99,99,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,240,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,241,34,242,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,243,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,244,34,34,34,34,245,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,34,34,34,34,246,99,99,99,99,99,99,99,99,99,99,99,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,
34,34,34,34,34,34,34,34,34,34,247,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,34,248,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,249,250,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,
99,99,99,99,99,99,99,99,99,99,99,99,
};
const uint8_t kUnicodeFlags[32128] = {
0,0,0,0,0,0,0,0,0,32,96,32,32,96,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,32,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,
16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,128,128,128,128,128,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,128,128,128,0,0,0,0,0,0,32,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,32,128,128,128,
128,128,128,128,128,128,4,128,128,0,128,128,128,128,16,16,128,2,128,128,128,16,4,128,16,16,16,128,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,128,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,2,2,2,2,2,2,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,1,2,1,2,1,2,2,2,1,1,2,1,2,1,1,2,1,1,1,2,2,1,1,1,1,2,1,1,2,1,1,1,2,2,2,1,1,2,1,1,
2,1,2,1,2,1,1,2,1,2,2,1,2,1,1,2,1,1,1,2,1,2,1,1,2,2,4,1,2,2,2,4,4,4,4,1,1,2,1,1,2,1,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,2,1,1,2,1,2,1,1,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,2,2,2,2,2,2,1,1,2,1,1,2,2,1,2,1,1,1,1,2,1,2,1,2,1,2,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,4,4,4,4,128,128,
128,128,128,128,128,4,128,4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,1,2,1,2,4,128,1,2,0,0,4,2,2,2,128,1,0,0,0,0,128,128,1,128,1,1,1,0,1,0,1,1,2,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,2,2,1,1,1,2,2,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,2,2,2,1,2,128,1,2,1,1,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,128,8,8,8,8,8,8,8,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,0,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,4,128,128,128,128,128,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,128,0,0,128,128,128,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,128,8,128,8,8,128,8,8,128,8,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,4,4,4,4,128,128,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,8,8,8,8,8,8,8,8,8,8,8,128,0,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,16,16,16,16,16,16,16,16,16,16,128,
128,128,128,4,4,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,4,8,8,8,8,8,8,8,0,128,8,8,8,8,8,8,4,4,8,8,128,8,8,8,8,4,
4,16,16,16,16,16,16,16,16,16,16,4,4,4,128,128,4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,4,8,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,
8,8,8,8,8,8,8,8,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,8,8,8,8,8,8,8,8,8,4,4,128,128,128,128,4,0,0,8,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,4,8,8,8,8,8,8,8,8,8,4,8,8,8,
4,8,8,8,8,8,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,0,0,
128,0,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,4,4,4,4,4,4,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4,4,4,8,8,128,128,16,16,16,16,16,
16,16,16,16,16,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,0,4,4,4,4,4,4,4,4,0,0,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,
4,4,4,4,4,0,4,0,0,0,4,4,4,4,0,0,8,4,8,8,8,8,8,8,8,0,0,8,8,0,0,8,8,8,4,0,0,0,0,0,0,0,0,8,0,0,0,0,4,4,0,4,4,4,8,8,0,0,16,16,16,16,16,16,16,
16,16,16,4,4,128,128,16,16,16,16,16,16,128,128,4,128,8,0,0,8,8,8,0,4,4,4,4,4,4,0,0,0,0,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,0,4,4,4,4,4,4,4,0,4,4,0,4,4,0,4,4,0,0,8,0,8,8,8,8,8,0,0,0,0,8,8,0,0,8,8,8,0,0,0,8,0,0,0,0,0,0,0,4,4,4,4,0,4,0,0,0,0,0,0,0,16,16,16,16,16,
16,16,16,16,16,8,8,4,4,4,8,128,0,0,0,0,0,0,0,0,0,0,8,8,8,0,4,4,4,4,4,4,4,4,4,0,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,
4,4,4,4,4,0,4,4,0,4,4,4,4,4,0,0,8,4,8,8,8,8,8,8,8,8,0,8,8,8,0,8,8,8,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,8,8,0,0,16,16,16,16,16,16,16,
16,16,16,128,128,0,0,0,0,0,0,0,4,8,8,8,8,8,8,0,8,8,8,0,4,4,4,4,4,4,4,4,0,0,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,
4,4,4,0,4,4,0,4,4,4,4,4,0,0,8,4,8,8,8,8,8,8,8,0,0,8,8,0,0,8,8,8,0,0,0,0,0,0,0,8,8,8,0,0,0,0,4,4,0,4,4,4,8,8,0,0,16,16,16,16,16,16,16,16,16,
16,128,4,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,8,4,0,4,4,4,4,4,4,0,0,0,4,4,4,0,4,4,4,4,0,0,0,4,4,0,4,0,4,4,0,0,0,4,4,0,0,0,4,4,4,0,0,0,4,
4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,8,8,8,8,8,0,0,0,8,8,8,0,8,8,8,8,0,0,4,0,0,0,0,0,0,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,
16,16,16,16,128,128,128,128,128,128,128,128,0,0,0,0,0,8,8,8,8,8,4,4,4,4,4,4,4,4,0,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,8,4,8,8,8,8,8,8,8,0,8,8,8,0,8,8,8,8,0,0,0,0,0,0,0,8,8,0,4,4,4,0,0,4,0,0,4,4,8,8,0,0,16,16,16,16,16,16,
16,16,16,16,0,0,0,0,0,0,0,128,16,16,16,16,16,16,16,128,4,8,8,8,128,4,4,4,4,4,4,4,4,0,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,0,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,0,0,8,4,8,8,8,8,8,8,8,0,8,8,8,0,8,8,8,8,0,0,0,0,0,0,0,8,8,0,0,0,0,0,0,4,4,0,4,4,8,8,0,0,16,16,16,16,16,
16,16,16,16,16,0,4,4,8,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,4,4,4,4,4,4,4,4,4,0,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,4,8,8,8,8,8,8,8,0,8,8,8,0,8,8,8,8,4,128,0,0,0,0,4,4,4,8,16,16,16,16,16,16,16,4,4,4,8,8,0,0,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,4,4,4,4,4,4,0,8,8,8,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,0,4,0,0,4,4,4,4,4,4,4,0,0,0,8,0,0,0,0,8,8,8,8,8,8,0,8,0,8,8,8,8,8,8,8,8,0,0,0,0,0,0,16,16,16,16,16,
16,16,16,16,16,0,0,8,8,128,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,8,4,4,8,8,8,8,8,8,8,0,0,0,0,128,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,128,16,16,16,16,16,16,16,16,16,16,128,128,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,0,4,0,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,0,4,4,4,4,4,4,
4,4,4,4,8,4,4,8,8,8,8,8,8,8,8,8,4,0,0,4,4,4,4,4,0,4,0,8,8,8,8,8,8,8,0,16,16,16,16,16,16,16,16,16,16,0,0,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,8,8,128,
128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,8,128,8,128,8,128,128,128,128,8,8,4,4,4,4,4,4,4,4,0,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,8,8,4,4,4,4,4,8,
8,8,8,8,8,8,8,8,8,8,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,128,128,128,128,128,128,128,128,8,128,128,
128,128,128,128,0,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,16,
16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,4,4,4,4,4,4,8,8,8,8,4,4,4,4,8,8,8,4,8,8,8,4,4,8,8,8,8,8,8,8,4,4,4,8,8,8,8,4,4,4,4,4,4,
4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,4,8,16,16,16,16,16,16,16,16,16,16,8,8,8,8,128,128,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,0,1,0,0,0,0,0,1,0,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,4,
2,2,2,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,
4,4,0,0,4,4,4,4,4,4,4,0,4,0,4,4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,0,0,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,0,0,4,4,4,4,4,4,4,0,4,0,4,4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,0,0,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,8,8,8,
128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,
128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,2,2,2,2,2,2,0,0,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,32,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,0,0,0,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,128,128,128,16,16,16,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,128,128,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,
4,4,4,4,4,0,4,4,4,0,8,8,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,4,128,128,128,128,4,8,0,0,16,16,16,16,16,16,16,
16,16,16,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,8,8,8,0,8,16,16,16,16,16,16,16,
16,16,16,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,4,4,4,4,4,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,8,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,8,8,8,8,8,8,8,8,8,
8,8,8,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,128,0,0,0,128,128,16,16,16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,0,0,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,0,0,0,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,0,0,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,8,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,
16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,128,128,128,128,128,128,128,4,128,128,128,128,128,128,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4,
0,128,128,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,8,8,8,8,8,8,8,8,8,128,128,128,
128,128,128,128,128,128,128,128,128,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,4,4,16,16,
16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,0,0,0,0,0,0,0,0,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,0,0,0,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,0,0,0,4,4,4,16,16,16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,2,2,2,2,2,2,2,2,2,1,2,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,1,1,1,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,8,8,8,128,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
4,4,4,4,8,4,4,4,4,4,4,8,4,4,8,8,8,4,0,0,0,0,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,2,2,2,2,2,2,2,2,
2,2,2,2,2,4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,2,2,2,2,2,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,
2,2,2,2,2,0,0,1,1,1,1,1,1,0,0,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,2,2,2,2,2,0,0,1,1,1,1,1,1,0,0,2,2,2,2,2,2,
2,2,0,1,0,1,0,1,0,1,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,1,1,1,
1,1,1,1,1,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,2,2,2,2,2,0,2,2,1,1,1,1,1,128,2,128,128,128,2,2,2,0,2,2,1,1,1,1,1,128,128,128,2,2,2,2,0,0,2,2,1,
1,1,1,0,128,128,128,2,2,2,2,2,2,2,2,1,1,1,1,1,128,128,128,0,0,2,2,2,0,2,2,1,1,1,1,1,128,128,0,32,32,32,32,32,32,32,32,32,32,32,0,0,0,0,0,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,32,32,0,0,0,0,0,32,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,32,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,4,0,0,16,16,16,16,16,16,128,128,128,128,128,4,16,16,16,16,16,16,16,16,16,16,
128,128,128,128,128,0,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,1,128,128,128,128,1,128,128,2,1,1,1,2,2,1,1,1,2,128,1,128,128,128,1,1,1,1,1,128,128,128,128,128,
128,1,128,1,128,1,128,1,1,1,1,128,2,1,1,1,1,2,4,4,4,4,2,128,128,2,2,1,1,128,128,128,128,128,1,2,2,2,2,128,128,128,128,2,128,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
1,2,16,16,16,16,16,128,128,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,1,2,1,1,1,2,2,1,2,1,2,1,2,1,1,1,1,2,1,2,2,1,2,2,2,2,2,2,4,4,1,1,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,
2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,2,128,128,128,128,128,128,1,2,1,2,8,8,8,1,2,0,0,0,0,0,128,128,128,128,16,128,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,0,2,0,0,0,0,0,2,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,4,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,4,4,4,
4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,
0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,32,128,128,128,128,4,4,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,8,8,8,8,8,8,128,4,4,4,4,4,128,128,16,16,16,4,4,128,128,128,0,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,0,0,8,8,128,128,4,4,4,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,4,4,4,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,128,128,16,16,16,16,128,128,128,
128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,128,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,0,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,16,16,16,16,16,16,16,16,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,
4,4,4,4,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,16,16,16,16,16,16,16,16,16,16,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,4,8,8,8,8,128,8,8,8,8,8,8,8,8,8,8,128,4,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,4,4,8,
8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,16,16,16,16,16,16,16,16,16,16,8,8,128,128,128,128,128,128,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,128,128,1,2,1,2,1,2,1,2,1,2,1,2,1,2,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,
1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,4,2,2,2,2,2,2,2,2,1,2,1,2,1,1,2,1,2,1,2,1,2,1,2,4,128,128,1,2,
1,2,4,1,2,1,2,2,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,1,1,1,1,2,1,1,1,1,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,1,1,1,2,1,2,1,1,2,0,0,1,2,
0,2,0,2,1,2,1,2,1,2,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,1,2,4,4,4,2,4,4,4,4,4,4,4,8,4,4,4,8,4,4,4,4,8,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,128,128,128,128,8,0,0,0,16,16,16,16,16,16,128,128,128,128,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,128,0,0,0,0,0,0,0,0,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,128,128,16,16,16,
16,16,16,16,16,16,16,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,128,128,128,4,128,4,4,8,16,16,16,16,16,16,16,16,16,16,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,
8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,0,0,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,128,128,128,128,128,128,128,
128,128,0,4,16,16,16,16,16,16,16,16,16,16,0,0,0,0,128,128,4,4,4,4,4,8,4,4,4,4,4,4,4,4,4,4,16,16,16,16,16,16,16,16,16,16,4,4,4,4,4,0,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,4,4,4,8,4,4,4,4,
4,4,4,4,8,8,0,0,16,16,16,16,16,16,16,16,16,16,0,0,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,4,8,8,8,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,4,8,8,8,4,4,8,8,4,4,4,4,4,8,8,4,8,4,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,128,128,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,128,128,4,4,4,8,8,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,
0,0,4,4,4,4,4,4,0,0,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,4,4,4,4,2,2,2,2,2,2,2,2,2,4,128,128,0,0,0,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,128,8,8,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0,0,0,0,0,2,2,2,2,2,0,0,0,0,0,4,8,4,4,4,4,4,4,4,4,4,4,128,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,
4,4,4,4,0,4,0,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,
4,4,4,128,128,128,128,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,128,128,128,128,0,0,0,0,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,128,128,128,128,128,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,128,128,128,128,128,128,128,128,128,128,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,4,4,4,4,4,4,0,0,4,4,4,4,4,4,0,0,4,4,4,4,4,4,0,0,4,4,4,0,0,0,128,128,128,128,128,128,128,0,128,128,
128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,0,0,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,0,0,0,0,0,128,128,128,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,16,16,128,128,128,0,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,128,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,8,0,0,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,16,16,16,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,4,4,
4,4,4,4,4,4,16,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,0,0,0,0,0,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,4,4,4,4,
4,4,4,4,128,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,
0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,0,0,0,0,0,0,0,0,0,0,0,128,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,0,1,1,0,2,2,2,2,2,2,2,2,2,2,2,0,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,0,2,2,2,2,2,2,2,0,2,2,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,
4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,4,4,4,4,4,4,0,0,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,0,0,0,4,0,0,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,128,16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,16,16,16,16,16,
16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,0,0,0,0,0,16,16,16,16,16,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,16,16,16,16,16,0,0,0,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,128,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,16,16,4,4,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,4,8,8,8,0,8,8,0,0,0,0,0,8,8,8,8,4,4,4,4,0,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,0,0,8,8,8,0,0,0,0,8,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,16,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,0,0,0,0,16,16,16,
16,16,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,0,0,0,128,128,128,128,128,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,16,16,16,16,16,16,16,16,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,16,16,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,128,128,128,128,0,0,0,0,0,
0,0,0,0,0,0,0,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,0,0,0,0,0,0,0,0,0,0,0,0,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,
0,0,0,16,16,16,16,16,16,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,0,0,0,0,0,0,0,0,16,16,16,16,16,16,
16,16,16,16,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,4,4,4,4,4,4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,8,8,8,8,8,128,4,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,8,8,128,0,0,4,4,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,
8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,16,16,16,16,16,16,16,16,16,16,4,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,16,16,16,16,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,8,8,8,8,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,
0,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,128,128,128,128,128,128,128,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,8,4,4,
8,8,4,0,0,0,0,0,0,0,0,0,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,
8,8,8,128,128,0,128,128,128,128,8,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,16,16,16,16,16,
16,16,16,16,16,0,0,0,0,0,0,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,16,
16,16,16,16,16,16,16,16,16,128,128,128,128,4,8,8,4,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
8,128,128,4,0,0,0,0,0,0,0,0,0,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,128,128,128,128,8,8,8,8,128,8,8,16,16,16,16,16,16,16,16,16,16,4,128,4,128,128,128,0,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,128,128,8,4,4,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,0,4,0,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,128,0,
0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,
16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,8,8,8,8,0,4,4,4,4,4,4,4,4,0,0,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,
4,0,4,4,0,4,4,4,4,4,0,8,8,4,8,8,8,8,8,8,8,0,0,8,8,0,0,8,8,8,0,0,4,0,0,0,0,0,0,8,0,0,0,0,0,4,4,4,4,4,8,8,0,0,8,8,8,8,8,8,8,0,0,0,8,8,8,8,8,
0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,0,4,0,0,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,4,8,8,
8,8,8,8,8,8,8,0,8,0,0,8,0,8,8,8,8,0,8,8,8,8,8,4,8,4,128,128,0,128,128,0,0,0,0,0,0,0,0,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,4,4,4,4,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,128,128,0,128,8,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,4,4,128,4,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,0,0,8,8,8,8,8,8,8,8,8,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,4,4,4,4,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,4,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,
128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,8,8,8,8,8,8,8,8,8,8,8,8,8,4,128,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,0,0,4,0,0,4,4,4,4,4,4,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,8,8,8,8,8,8,0,8,8,0,0,8,8,8,8,4,8,4,8,8,128,128,128,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,0,0,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,0,0,8,8,8,8,8,8,8,4,128,4,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,4,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,
8,8,4,8,8,8,8,128,128,128,128,128,128,128,128,8,0,0,0,0,0,0,0,0,4,8,8,8,8,8,8,8,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,4,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,
0,0,0,0,0,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,0,8,8,8,8,8,8,8,8,
4,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,128,
128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,4,4,4,4,4,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,0,0,0,8,0,8,8,0,
8,8,8,8,8,8,8,4,8,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,4,4,4,4,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,0,8,8,0,8,8,8,8,8,4,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,128,128,0,0,0,0,0,0,0,8,8,4,8,4,4,4,4,4,4,4,4,
4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,0,0,0,8,8,8,8,8,128,128,128,128,128,128,128,
128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,
0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,16,16,16,16,16,16,16,16,16,16,0,0,0,
0,128,128,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,
8,8,8,8,8,128,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,8,8,
8,8,8,128,128,128,128,128,128,128,128,128,4,4,4,4,128,128,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,16,16,16,16,16,16,16,0,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,128,128,128,16,16,16,16,
16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,8,4,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,8,8,8,8,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,128,4,8,0,0,0,0,0,0,0,0,0,0,0,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,0,0,0,0,0,0,0,0,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,
0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,4,4,4,4,4,4,4,4,4,
0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,0,0,128,8,8,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,
16,16,16,16,16,16,16,16,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,
0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,8,8,8,8,8,128,128,128,8,8,8,8,8,8,0,0,0,0,0,0,0,0,8,8,
8,8,8,8,8,8,128,128,8,8,8,8,8,8,8,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,8,8,8,8,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,8,8,8,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,0,1,1,0,0,1,0,0,1,1,0,0,1,1,1,1,0,1,1,
1,1,1,1,1,1,2,2,2,2,0,2,0,2,2,2,2,2,2,2,0,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,0,1,1,1,1,0,0,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,
0,1,1,1,1,0,1,1,1,1,1,0,1,0,0,0,1,1,1,1,1,1,1,0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,128,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,2,2,2,
2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,2,2,2,2,2,2,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
1,1,1,1,1,1,1,1,1,1,128,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,128,2,2,2,2,2,2,1,2,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,128,128,128,128,128,128,128,128,8,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,8,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,
2,2,2,2,2,2,2,2,2,4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,2,2,2,2,2,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,0,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,8,8,8,8,8,8,8,0,8,8,0,8,8,8,8,8,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,8,8,8,8,8,8,8,4,4,4,4,4,4,4,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,4,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,8,8,8,8,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
8,8,8,8,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,8,8,4,
16,16,16,16,16,16,16,16,16,16,0,0,0,0,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,0,4,4,4,4,0,4,4,0,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,0,0,16,16,16,16,16,16,16,16,16,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,
2,2,2,2,2,8,8,8,8,8,8,8,4,0,0,0,0,16,16,16,16,16,16,16,16,16,16,0,0,0,0,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,128,16,
16,16,128,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,
16,16,16,16,16,16,16,16,16,16,16,128,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,0,4,4,0,4,0,0,4,0,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,0,4,0,4,0,0,0,0,0,0,4,0,0,0,0,4,0,4,0,4,0,4,4,4,0,4,4,0,4,0,0,4,0,4,0,4,0,4,0,4,0,4,4,0,
4,0,0,4,4,4,4,0,4,4,4,4,4,4,4,0,4,4,4,4,0,4,4,4,4,0,4,0,4,4,4,4,4,4,4,4,4,4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,4,4,4,0,4,4,4,4,
4,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,0,0,0,0,0,0,0,0,0,0,16,16,16,16,16,16,16,16,16,16,16,16,16,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,0,0,0,0,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,128,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,128,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,
128,128,128,128,128,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,128,128,128,
128,128,128,128,128,128,128,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,128,128,128,128,128,128,128,128,128,128,128,128,0,0,0,0,128,128,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,0,0,0,0,0,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,128,128,128,128,128,128,128,
128,128,128,128,128,128,0,0,0,128,128,128,128,128,128,128,128,128,128,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,0,0,128,128,128,128,128,128,128,128,128,
128,128,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,0,0,0,0,0,0,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,0,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,
128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,128,16,16,16,16,16,16,16,16,16,16,0,0,0,0,
0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,0,0,0,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,
4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,
8,8,8,8,8,8,8,8,8,8,8,8,8,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
};

}  // namespace accp

// token/vocabulary.cc

// See vocabulary.h. A token's bytes are found by taking it apart: right halves wait in the room behind the output, which is as
// long as the longest token, and a token waits for at least one byte of its own.

namespace accp {

void Vocabulary::append(uint32_t token, Buffer<char> &out) const {
    constexpr uint32_t kRightMask = (1u << kTokenBits) - 1;
    size_t room = size_t{head_->longest} * (sizeof token + 1) + sizeof token;
    char *to = out.room(room), *const bottom = to + room, *top = bottom;
    for (;;) {
        while (token >= kByteTokens) {
            uint64_t both = split(token);
            uint32_t right = static_cast<uint32_t>(both) & kRightMask;
            std::memcpy(top -= sizeof right, &right, sizeof right);
            token = static_cast<uint32_t>(both >> kTokenBits);
        }
        *to++ = static_cast<char>(head_->byte_of[token]);
        if (top == bottom) break;
        std::memcpy(&token, top, sizeof token);
        top += sizeof token;
    }
    out.set_end(to);
}

}  // namespace accp

// token/vocabulary_maker.cc

// See vocabulary_maker.h.


namespace accp {

namespace {

constexpr const char *kOutOfOrder = "tokens stand before the ones that they are merged from: not made by training, and not supported";

}  // namespace

VocabularyMaker::VocabularyMaker(Memory &memory, size_t tokens)
    : memory_(memory), keys_(memory), values_(memory), merges_(memory), ids_(memory), length_(memory), late_(memory) {
    std::fill_n(byte_token_, kByteTokens, kNoToken);
    size_t size = 1024;
    while (size < 2 * tokens) size *= 2;
    std::memset(static_cast<void *>(keys_.room(size)), 0, size * sizeof(uint64_t));
    keys_.advance(size);
    values_.room(size);
    values_.advance(size);
}

// Where a pair stands in the table, or would.
uint32_t *VocabularyMaker::slot(uint64_t key) {
    size_t mask = keys_.size() - 1, at = static_cast<size_t>(pair_hash(key, 0)) & mask;
    while (keys_[at] && keys_[at] != key + 1) at = (at + 1) & mask;
    if (!keys_[at]) values_[at] = kNoToken;
    return &values_[at];
}

bool VocabularyMaker::add_byte(char byte, uint32_t id) {
    uint32_t &token = byte_token_[static_cast<unsigned char>(byte)];
    if (token != kNoToken) return false;
    token = bytes_++;
    ids_.push(id);
    length_.push(1);
    return true;
}

// Merges a token's bytes by what was added so far. Answers how many parts are left.
size_t VocabularyMaker::split(std::string_view token) {
    size_t count = token.size();
    for (size_t i = 0; i < count; ++i) parts_[i] = byte_token_[static_cast<unsigned char>(token[i])];
    for (;;) {
        uint32_t least = kNoToken;
        size_t at = 0;
        for (size_t i = 0; i + 1 < count; ++i) {
            uint32_t made = *slot(pair_key(parts_[i], parts_[i + 1]));
            if (made < least) least = made, at = i;
        }
        if (least == kNoToken) return count;
        parts_[at] = least;
        std::copy(parts_ + at + 2, parts_ + count, parts_ + at + 1);
        --count;
    }
}

Status VocabularyMaker::add(std::string_view token, size_t left, uint32_t id) {
    if (token.size() > kLongest) return fail(ACCP_E1004, 0, "a token of more than 1024 bytes");
    size_t parts = split(token);
    if (parts == 1) return {};
    if (parts != 2 || !in_two(left)) {
        late_.push({token, left, id});
        return {};
    }
    uint64_t key = pair_key(parts_[0], parts_[1]);
    auto made = static_cast<uint32_t>(ids_.size());
    if (made >= kMostTokens) return fail(ACCP_E1004, 0, "too many tokens");
    uint32_t *value = slot(key);
    keys_[static_cast<size_t>(value - values_.data())] = key + 1;
    *value = made;
    merges_.push({parts_[0], parts_[1]});
    ids_.push(id);
    length_.push(static_cast<uint32_t>(token.size()));
    return {};
}

// The ids, where they are not the numbers.
void VocabularyMaker::write_ids(LoadedVocabulary &out, Tokenizer &tokenizer) const {
    auto count = static_cast<uint32_t>(ids_.size());
    bool same = true;
    for (uint32_t i = 0; i < count && same; ++i) same = ids_[i] == i;
    if (same) return;
    out.ids.append(ids_.data(), count);
    uint32_t *by_id = out.by_id.room(count);
    for (uint32_t i = 0; i < count; ++i) by_id[i] = i;
    out.by_id.advance(count);
    std::sort(out.by_id.data(), out.by_id.end(), [this](uint32_t a, uint32_t b) { return ids_[a] < ids_[b]; });
    tokenizer.ids = out.ids.data();
    tokenizer.by_id = out.by_id.data();
}

Status VocabularyMaker::finish(bool whole, LoadedVocabulary &out, Tokenizer &tokenizer) {
    size_t bytes = 0;
    for (size_t i = 0; i < late_.size(); ++i) bytes += late_[i].token.size();
    out.text.room(bytes);
    for (size_t i = 0; i < late_.size(); ++i) {
        const Late &late = late_[i];
        size_t parts = split(late.token);
        if (parts == 1) continue;
        if (parts == 2 && in_two(late.left)) return fail(ACCP_E1004, 0, kOutOfOrder);
        if (!whole) continue;
        const char *text = out.text.end();
        out.text.append(late.token.data(), late.token.size());
        out.whole.push({{text, late.token.size()}, late.id});
    }
    std::sort(out.whole.data(), out.whole.end(), [](const SpecialToken &a, const SpecialToken &b) { return a.text < b.text; });
    build_image(memory_, byte_token_, merges_.data(), static_cast<uint32_t>(merges_.size()), out.image);
    tokenizer.vocabulary = Vocabulary(out.image.data());
    tokenizer.whole = out.whole.data();
    tokenizer.whole_count = static_cast<uint32_t>(out.whole.size());
    write_ids(out, tokenizer);
    return {};
}

}  // namespace accp

// render/text.cc

// See text.h.

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

namespace {

// What a bare text does not begin with: each of these begins something else.
bool begins_else(char c) { return c == '"' || c == '[' || c == '{' || c == '(' || c == '$' || c == ' '; }

// \uXXXX, two of them above U+FFFF.
char *write_unit(uint32_t unit, char *to) {
    constexpr char kHex[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) *to++ = kHex[unit >> shift & 15];
    return to;
}

char *write_point_escape(uint32_t point, char *to) {
    if (point < 0x10000) return write_unit(point, to);
    point -= 0x10000;
    return write_unit(0xDC00 + (point & 0x3FF), write_unit(0xD800 + (point >> 10), to));
}

}  // namespace

bool is_literal(std::string_view text) {
    if (text == "true" || text == "false" || text == "null") return true;
    char first = text.empty() ? '\0' : text[0];
    if (first != '-' && static_cast<unsigned>(first - '0') >= 10) return false;
    return scan_number(text.data(), text.data() + text.size()).len == text.size();
}

bool is_bare_text(std::string_view text, unsigned stops) {
    if (text.empty() || begins_else(text.front()) || text.back() == ' ' || text.back() == ':') return false;
    for (char c : text)
        if (text_byte(c) & stops) return false;
    const char *begin = text.data(), *end = begin + text.size();
    return !is_mark(kAbsent, begin, end) && !is_mark(kNull, begin, end) && !is_literal(text);
}

bool is_line_text(std::string_view text) { return !text.empty() && text.front() != ' ' && text.back() != ' ' && text.back() != ':'; }

bool looks_like_record(std::string_view text) {
    static constexpr std::string_view kSigns[] = {"@", "$", "(", "\xEF\xBC\xA0", "\xEF\xB9\xAB", "\xEF\xBC\x84", "\xEF\xB9\xA9"};
    const char *from = text.data(), *end = from + text.size(), *seen = from;
    while (from < end) {
        seen = from;
        const uint32_t point = read_utf8(from);
        if (point < 0x7F ? point > ' ' : is_raw_point(point)) break;
        seen = from;
    }
    text.remove_prefix(static_cast<size_t>(seen - text.data()));
    for (std::string_view sign : kSigns)
        if (text.substr(0, sign.size()) == sign) return true;
    return false;
}

bool is_bare_key(std::string_view key) {
    if (key.empty() || key.substr(0, 3) == "..." || (key[0] != '$' && looks_like_record(key))) return false;
    for (char c : key)
        if (text_byte(c) & kNoKeyByte) return false;
    return true;
}

// Is a code point written as an escape, wherever it stands?
bool TextWriter::is_escaped(uint32_t point) const {
    if (point < 0x7F) return point < 0x20 || point == '\\';
    if (untrusted) return !is_raw_point(point);
    return point < 0xA0 || point == 0x61C || point == 0x200E || point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069) || (point >= 0xE0000 && point < 0xE0080);
}

void TextWriter::bare(std::string_view text) {
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        const char *plain = from;
        while (from < end && !(text_byte(*from) & (kEscapedByte | kMarkByte))) ++from;
        out.append(plain, static_cast<size_t>(from - plain));
        if (from == end) return;
        point(from, false);
    }
}

// One code point, as it is or escaped.
void TextWriter::point(const char *&from, bool quotes) {
    const char *begin = from;
    const uint32_t point = read_utf8(from);
    if (!is_escaped(point) && !(quotes && point == '"')) put({begin, static_cast<size_t>(from - begin)});
    else if (point < 0x7F) out.set_end(write_json_escape(static_cast<unsigned char>(point), out.room(kMostJsonEscape)));
    else out.set_end(write_point_escape(point, out.room(2 * kMostJsonEscape)));
}

void TextWriter::quoted(std::string_view text) {
    if (!hides(text)) return write_json_string(text, out);
    put('"');
    for (const char *from = text.data(), *end = from + text.size(); from < end;) point(from, true);
    put('"');
}

bool TextWriter::hides(std::string_view text) const {
    const char *from = text.data(), *end = from + text.size();
    while (from < end) {
        if (!(text_byte(*from) & kMarkByte) && !(untrusted && static_cast<unsigned char>(*from) >= 0x80)) {
            ++from;
            continue;
        }
        if (is_escaped(read_utf8(from))) return true;
    }
    return false;
}

}  // namespace accp

// registry/built_in.cc

// See built_in.h. Fields and defaults are the specification's (10.1 to 10.5; ER's are A45), aliases those of its samples (A42), bindings the frames
// that it shows. Written as a harness would write its own.

// The schemas that come with the library: ER, and one for each profile (specification 10).


namespace accp {

// A registry document with all of them, in the order of accp_profile's bits; the first, ER, belongs to none and is always there.
extern const std::string_view kBuiltIn;

// The bit of accp_profile that brings the built-in schema number i in; 0 for ER.
constexpr uint32_t built_in_profile(uint32_t i) { return i ? uint32_t{1} << (i - 1) : 0; }

}  // namespace accp

namespace accp {

const std::string_view kBuiltIn = R"({"schemas":{
"error":{"code":"ER","version":1,"fields":["code","msg","retry","detail","src","cid"],"defaults":{},
 "types":{"code":"string","msg":"string","retry":"boolean","src":"string","cid":"string"},"required":["code"],"bind":["fail:error"]},
"chat":{"code":"CH","version":1,"fields":["role","content","turn","lang","reply_to"],"defaults":{"role":"assistant","lang":"en"},
 "types":{"role":"string","turn":"integer","lang":"string"},"bind":["req:chat","done:chat"]},
"tool_call":{"code":"TC","version":1,"fields":["tool_name","arguments","result","status","error_code"],"defaults":{"status":"ok"},
 "types":{"tool_name":"string","status":"string","error_code":"string"},
 "aliases":{"tool":"tool_name","args":"arguments","res":"result","stat":"status"},"bind":["req:tool","done:tool"]},
"transaction":{"code":"TX","version":1,"fields":["transaction_id","amount","currency","account","reference","status","retryable"],
 "defaults":{"currency":"USD","status":"pending","retryable":false},
 "types":{"transaction_id":"string","amount":"decimal","currency":"string","status":"string","retryable":"boolean"},
 "aliases":{"txn":"transaction_id","amt":"amount","acc":"account","stat":"status"},"bind":["req:transaction","done:transaction"]},
"stream_chunk":{"code":"ST","version":1,"fields":["chunk_index","total_chunks","data","is_final"],"defaults":{"is_final":false},
 "types":{"chunk_index":"integer","total_chunks":"integer","is_final":"boolean"},
 "aliases":{"idx":"chunk_index","tot":"total_chunks","d":"data","done":"is_final"},"bind":["stream:infer"]},
"task_assignment":{"code":"TA","version":2,"fields":["assignee","task","priority","deadline","deps"],
 "defaults":{"priority":"medium","deps":[]},"types":{"deps":"array"},
 "aliases":{"asgn":"assignee","pri":"priority","dead":"deadline"},"bind":["req:schedule","done:schedule"]}
}})";

}  // namespace accp

// registry/document.cc

// See document.h.

// Registries as documents: all that is in force as one text, what one has and another lacks, and the union of two. Every result is a document that
// Registry::load() takes without profiles: built-in schemas that are in force stand in it.


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

// Writes the entries of one object, a comma before all but the first.
class ObjectWriter {
public:
    explicit ObjectWriter(Buffer<char> &out) : out_(out) { out_.push('{'); }
    void key(std::string_view key) {
        if (!first_) out_.push(',');
        first_ = false;
        write_json_string(key, out_);
        out_.push(':');
    }
    void entry(std::string_view name, TreeView tree, uint32_t node) {
        key(name);
        write_json(tree, node, out_);
    }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool first_ = true;
};

void write_schema(const Schema &schema, ObjectWriter &to) { to.entry(schema.name, schema.tree, schema.node); }

// Every member of a document but its schemas.
void write_members(TreeView doc, ObjectWriter &to) {
    for (uint32_t i = 1; i < doc[0].next; i = doc[i].next)
        if (doc.key(i) != "schemas") to.entry(doc.key(i), doc, i);
}

Status write_form(TreeView tree, uint32_t node, Arena &arena, Buffer<char> &out) {
    Status status = write_hash_form(tree, node, arena, out);
    return move_to(status, 0);
}

// Do the two mean the same? Their hash forms are written behind what `scratch` holds, and taken back.
Status compare(TreeView a, uint32_t node_a, TreeView b, uint32_t node_b, Arena &arena, Buffer<char> &scratch, bool &equal) {
    const size_t begin = scratch.size();
    arena.reset();
    Status status = write_form(a, node_a, arena, scratch);
    const size_t middle = scratch.size();
    arena.reset();
    if (status.ok()) status = write_form(b, node_b, arena, scratch);
    equal = status.ok() &&
            std::string_view(scratch.data() + begin, middle - begin) == std::string_view(scratch.data() + middle, scratch.size() - middle);
    scratch.resize_down(begin);
    return status;
}

bool has_string(TreeView tree, uint32_t list, std::string_view wanted) {
    for (uint32_t i = list + 1; list && i < tree[list].next; i = tree[i].next)
        if (tree[i].kind == ACCP_STRING && tree.string(i) == wanted) return true;
    return false;
}

}  // namespace

void write_effective(const Registry &registry, Buffer<char> &out) {
    ObjectWriter whole(out);
    write_members(registry.document(), whole);
    whole.key("schemas");
    ObjectWriter schemas(out);
    for (uint32_t i = 0; i < registry.schema_count(); ++i) write_schema(registry.schemas()[i], schemas);
    schemas.end();
    whole.end();
}

Status write_delta(const Registry *from, const Registry &to, Arena &arena, Buffer<char> &out) {
    ObjectWriter delta(out);
    delta.key("add");
    ObjectWriter add(out);
    write_members(to.document(), add);
    add.key("schemas");
    ObjectWriter schemas(out);
    for (uint32_t i = 0; i < to.schema_count(); ++i) {
        const Schema &schema = to.schemas()[i];
        const Schema *old = from ? from->by_name(schema.name) : nullptr;
        bool equal = false;
        if (old) {
            Status status = compare(old->tree, old->node, schema.tree, schema.node, arena, out, equal);
            if (status.failed()) return status;
        }
        if (!equal) write_schema(schema, schemas);
    }
    schemas.end();
    add.end();
    delta.key("del");
    out.push('[');
    bool first = true;
    for (uint32_t i = 0; from && i < from->schema_count(); ++i) {
        if (to.by_name(from->schemas()[i].name)) continue;
        if (!first) out.push(',');
        first = false;
        write_json_string(from->schemas()[i].name, out);
    }
    out.push(']');
    delta.end();
    return {};
}

Status apply_delta(const Registry *from, TreeView delta, Buffer<char> &out) {
    const uint32_t add = delta[0].kind == ACCP_MAP ? delta.find(0, "add") : 0;
    const uint32_t gone = add ? delta.find(0, "del") : 0;
    const uint32_t made = add && delta[add].kind == ACCP_MAP ? delta.find(add, "schemas") : 0;
    if (!made || delta[made].kind != ACCP_MAP || !gone || delta[gone].kind != ACCP_ARRAY)
        return fail(ACCP_E1004, 0, "a delta is an object with add and del");
    if (delta[gone].len > kMostSchemas || delta[made].len > kMostSchemas)
        return fail(ACCP_E1001, 0, "more schemas than a registry may have");
    ObjectWriter whole(out);
    for (uint32_t i = add + 1; i < delta[add].next; i = delta[i].next)
        if (i != made) whole.entry(delta.key(i), delta, i);
    whole.key("schemas");
    ObjectWriter schemas(out);
    for (uint32_t i = 0; from && i < from->schema_count(); ++i) {
        const Schema &schema = from->schemas()[i];
        if (!delta.find(made, schema.name) && !has_string(delta, gone, schema.name)) write_schema(schema, schemas);
    }
    for (uint32_t i = made + 1; i < delta[made].next; i = delta[i].next) schemas.entry(delta.key(i), delta, i);
    schemas.end();
    whole.end();
    return {};
}

namespace {

Status no_union() { return fail(ACCP_E1003, 0, "the two registries mean different things by one name"); }

// Which of two schemas stands in the union: the higher version of the same one.
Status choose(const Schema &a, const Schema *b, Arena &arena, Buffer<char> &scratch, const Schema *&chosen) {
    chosen = &a;
    if (!b) return {};
    if (b->name != a.name || b->code != a.code) return no_union();
    bool equal = false;
    Status status = compare(a.tree, a.node, b->tree, b->node, arena, scratch, equal);
    if (status.failed() || equal) return status;
    if (a.version == b->version) return no_union();
    if (b->version > a.version) chosen = b;
    return {};
}

Status unite_schemas(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out) {
    ObjectWriter to(out);
    for (int side = 0; side < 2; ++side) {
        const Registry &mine = side ? b : a, &other = side ? a : b;
        for (uint32_t i = 0; i < mine.schema_count(); ++i) {
            const Schema &schema = mine.schemas()[i];
            const Schema *twin = other.by_name(schema.name), *same_code = other.by_code(schema.code);
            if (twin != same_code) return no_union();
            if (side && twin) continue;  // chosen in the first round
            const Schema *chosen;
            Status status = choose(schema, twin, arena, out, chosen);
            if (status.failed()) return status;
            write_schema(*chosen, to);
        }
    }
    to.end();
    return {};
}

// The names of both lists, each once and in order, so that both sides write the same.
void unite_names(TreeView a, uint32_t list_a, TreeView b, uint32_t list_b, Arena &arena, Buffer<char> &out) {
    arena.reset();
    auto *names = arena.take<std::string_view>(a[list_a].len + b[list_b].len + 1);
    size_t count = 0;
    for (uint32_t i = list_a + 1; i < a[list_a].next; i = a[i].next) names[count++] = a.string(i);
    for (uint32_t i = list_b + 1; i < b[list_b].next; i = b[i].next) names[count++] = b.string(i);
    std::sort(names, names + count);
    count = static_cast<size_t>(std::unique(names, names + count) - names);
    out.push('[');
    for (size_t i = 0; i < count; ++i) {
        if (i) out.push(',');
        write_json_string(names[i], out);
    }
    out.push(']');
}

// Both tables in one; what they disagree about, load() will find or is found here.
Status unite_aliases(TreeView a, uint32_t map_a, TreeView b, uint32_t map_b, Buffer<char> &out) {
    ObjectWriter to(out);
    for (uint32_t i = map_a + 1; i < a[map_a].next; i = a[i].next) {
        uint32_t twin = b.find(map_b, a.key(i));
        if (twin && b.string(twin) != a.string(i)) return no_union();
        to.entry(a.key(i), a, i);
    }
    for (uint32_t i = map_b + 1; i < b[map_b].next; i = b[i].next)
        if (!a.find(map_a, b.key(i))) to.entry(b.key(i), b, i);
    to.end();
    return {};
}

// One member, other than the schemas, that both documents have.
Status unite_member(const Registry &a, uint32_t i, const Registry &b, uint32_t j, Arena &arena, Buffer<char> &out, ObjectWriter &to) {
    TreeView left = a.document(), right = b.document();
    std::string_view name = left.key(i);
    if (name == "operations") {
        to.key(name);
        unite_names(left, i, right, j, arena, out);
        return {};
    }
    if (name == "aliases") {
        to.key(name);
        return unite_aliases(left, i, right, j, out);
    }
    if (name == "version") {
        a.version() < b.version() ? to.entry(name, right, j) : to.entry(name, left, i);
        return {};
    }
    bool equal = false;
    Status status = compare(left, i, right, j, arena, out, equal);
    if (equal) to.entry(name, left, i);
    return status;
}

}  // namespace

Status write_union(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out) {
    TreeView left = a.document(), right = b.document();
    ObjectWriter whole(out);
    for (uint32_t i = 1; i < left[0].next; i = left[i].next) {
        if (left.key(i) == "schemas") continue;
        uint32_t j = right.find(0, left.key(i));
        if (!j) whole.entry(left.key(i), left, i);
        else if (Status status = unite_member(a, i, b, j, arena, out, whole); status.failed()) return status;
    }
    for (uint32_t j = 1; j < right[0].next; j = right[j].next)
        if (right.key(j) != "schemas" && !left.find(0, right.key(j))) whole.entry(right.key(j), right, j);
    whole.key("schemas");
    if (Status status = unite_schemas(a, b, arena, out); status.failed()) return status;
    whole.end();
    return {};
}

namespace {

// The entries of two objects, the second's before the first's of the same key.
void lay_over(TreeView base, uint32_t map, TreeView over, uint32_t over_map, Buffer<char> &out) {
    ObjectWriter to(out);
    for (uint32_t i = map + 1; map && i < base[map].next; i = base[i].next)
        if (!over_map || !over.find(over_map, base.key(i))) to.entry(base.key(i), base, i);
    for (uint32_t i = over_map + 1; over_map && i < over[over_map].next; i = over[i].next) to.entry(over.key(i), over, i);
    to.end();
}

uint32_t find_kind(TreeView tree, std::string_view name, uint8_t kind) {
    uint32_t node = tree.find(0, name);
    return node && tree[node].kind == kind ? node : 0;
}

}  // namespace

void write_addition(const Registry &base, TreeView addition, Arena &arena, Buffer<char> &out) {
    TreeView doc = base.document();
    ObjectWriter whole(out);
    for (uint32_t i = 1; i < doc[0].next; i = doc[i].next)
        if (doc.key(i) != "schemas" && !addition.find(0, doc.key(i))) whole.entry(doc.key(i), doc, i);
    for (uint32_t i = 1; i < addition[0].next; i = addition[i].next) {
        std::string_view name = addition.key(i);
        if (name == "schemas") continue;
        const bool list = name == "operations" && addition[i].kind == ACCP_ARRAY, map = name == "aliases" && addition[i].kind == ACCP_MAP;
        const uint32_t mine = list || map ? doc.find(0, name) : 0;
        if (!mine) {
            whole.entry(name, addition, i);
            continue;
        }
        whole.key(name);
        list ? unite_names(doc, mine, addition, i, arena, out) : lay_over(doc, mine, addition, i, out);
    }
    whole.key("schemas");
    lay_over(doc, find_kind(doc, "schemas", ACCP_MAP), addition, find_kind(addition, "schemas", ACCP_MAP), out);
    whole.end();
}

}  // namespace accp

// registry/load_schema.cc

// See loader.h: one schema. The offset of a failure is the node at fault.


// A registry's document to its tables: every check, and every array that registry.h looks into. Used once, by Registry::load().


#define ACCP_TRY(call) \
    if (::accp::Status status_ = (call); status_.failed()) return status_

namespace accp {

// A name that may stand in a frame as it is: word characters, no escape of q1.
bool is_word_name(std::string_view text);

class Loader {
public:
    Loader(Registry &out, const JsonLimits &limits)
        : out_(out), arena_(out.memory_), reader_(out.memory_), local_(out.memory_), limits_(limits) {}

    Status run(std::string_view text, uint32_t profiles);

private:
    // The members of a schema that have a meaning, as nodes; 0 where one is not there.
    struct Members {
        uint32_t code, version, fields, defaults, types, aliases, required, bind;
    };
    // One schema in the making. Pointers come last, in finish(), when no array grows any more.
    struct Draft {
        TreeView tree;
        uint32_t node;
        Members members;
        Field *fields;
        uint32_t count;
    };

    Status document();
    Status operations(uint32_t list);
    Status aliases(uint32_t map);
    Status schemas(TreeView tree, uint32_t map, uint32_t profiles);
    void finish();
    void fill_defaults();
    void add_route(const Binding &binding, uint32_t schema);
    Status seal();

    // load_schema.cc: one schema, member by member.
    Status schema(TreeView tree, uint32_t node, bool built_in);
    Status members(Draft &draft);
    Status head(const Draft &draft, Schema &made);
    Status fields(Draft &draft);
    Status types(const Draft &draft);
    Status defaults(const Draft &draft);
    Status charge(const Draft &draft, uint32_t node);
    Status required(const Draft &draft);
    Status wires(const Draft &draft);
    Status bindings(const Draft &draft, Schema &made);
    Status binding(std::string_view text, uint32_t node);
    Field *find(const Draft &draft, std::string_view name) const;

    Status wrong(uint32_t node, const char *message) const { return fail(ACCP_E1004, node, message); }

    Registry &out_;
    Arena arena_;
    JsonReader reader_;
    NameIndex local_;  // the fields of the schema in the making
    JsonLimits limits_;
};

}  // namespace accp

namespace accp {

namespace {

bool is_code(std::string_view text) {
    return is_word_name(text) && is_alpha(static_cast<unsigned char>(text[0])) && text.size() <= kMostCodeBytes && text != "true" &&
           text != "false" && text != "schema";
}

}  // namespace

Status Loader::schema(TreeView tree, uint32_t node, bool built_in) {
    Draft draft = {tree, node, {}, nullptr, 0};
    Schema made = {};
    made.name = tree.key(node);
    made.tree = tree;
    made.node = node;
    made.place = static_cast<uint32_t>(out_.schemas_.size());
    made.built_in = built_in;
    ACCP_TRY(members(draft));
    ACCP_TRY(head(draft, made));
    ACCP_TRY(fields(draft));
    ACCP_TRY(types(draft));
    ACCP_TRY(defaults(draft));
    ACCP_TRY(required(draft));
    ACCP_TRY(wires(draft));
    ACCP_TRY(bindings(draft, made));
    made.field_count = draft.count;
    out_.codes_.add(made.code, 0, made.place);
    out_.names_.add(made.name, 0, made.place);
    out_.schemas_.push(made);
    return {};
}

// Members that have no meaning here are passed over: they are kept in the document, and in the hash.
Status Loader::members(Draft &draft) {
    struct Row {
        const char *name;
        uint32_t Members::*place;
        uint8_t kind;
        const char *message;
    };
    static constexpr Row kRows[] = {
        {"code", &Members::code, ACCP_STRING, "a code is a string"},
        {"version", &Members::version, ACCP_INT, "a version is a whole number"},
        {"fields", &Members::fields, ACCP_ARRAY, "fields are a list of names"},
        {"defaults", &Members::defaults, ACCP_MAP, "defaults are an object: field to value"},
        {"types", &Members::types, ACCP_MAP, "types are an object: field to type"},
        {"aliases", &Members::aliases, ACCP_MAP, "aliases are an object: short key to field"},
        {"required", &Members::required, ACCP_ARRAY, "required is a list of fields"},
        {"bind", &Members::bind, ACCP_ARRAY, "bind is a list of texts such as \"req:schedule\""},
    };
    if (draft.tree[draft.node].kind != ACCP_MAP) return wrong(draft.node, "a schema is an object");
    for (const Row &row : kRows) {
        uint32_t node = draft.tree.find(draft.node, row.name);
        draft.members.*row.place = node;
        if (node && draft.tree[node].kind != row.kind) return wrong(node, row.message);
    }
    if (!draft.members.code) return wrong(draft.node, "a schema has a code");
    if (!draft.members.fields) return wrong(draft.node, "a schema has fields");
    return {};
}

Status Loader::head(const Draft &draft, Schema &made) {
    made.code = draft.tree.string(draft.members.code);
    if (!is_code(made.code))
        return wrong(draft.members.code, "a code is a letter, then letters, digits and _, at most 32, and not a literal");
    if (made.name.empty()) return wrong(draft.node, "a schema has a name");
    if (out_.by_code(made.code)) return wrong(draft.members.code, "another schema has this code");
    made.version = 1;
    if (!draft.members.version) return {};
    std::string_view digits = draft.tree.string(draft.members.version);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), made.version);
    if (read.ec != std::errc() || made.version < 0) return wrong(draft.members.version, "a version is a whole number that fits 63 bits");
    return {};
}

Field *Loader::find(const Draft &draft, std::string_view name) const {
    uint32_t place = local_.find(name, 0, [&](uint32_t i) { return draft.fields[i].name == name; });
    return place == NameIndex::kNone ? nullptr : draft.fields + place;
}

Status Loader::fields(Draft &draft) {
    const uint32_t list = draft.members.fields;
    if (draft.tree[list].len > kMostSchemaFields) return fail(ACCP_E1001, list, "more fields than a schema may have");
    draft.fields = out_.fields_.room(draft.tree[list].len);
    local_.reset(draft.tree[list].len);
    for (uint32_t i = list + 1; i < draft.tree[list].next; i = draft.tree[i].next) {
        std::string_view name = draft.tree.string(i);
        if (draft.tree[i].kind != ACCP_STRING || name.empty()) return wrong(i, "a field is a name");
        if (name.size() > kMaxRegistryKeyBytes) return fail(ACCP_E1001, i, "a field's name of more than 256 bytes");
        if (name == "schema") return wrong(i, "`schema` names the schema, and is no field");
        if (find(draft, name)) return wrong(i, "this field stands here twice");
        local_.add(name, 0, draft.count);
        draft.fields[draft.count++] = {name, {}, {}, 0, FieldType::kAny, false};
    }
    out_.fields_.advance(draft.count);
    return {};
}

Status Loader::types(const Draft &draft) {
    const uint32_t map = draft.members.types;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        Field *field = find(draft, draft.tree.key(i));
        if (!field) return wrong(i, "a type for what is no field");
        if (draft.tree[i].kind != ACCP_STRING || !find_type(draft.tree.string(i), field->type)) return wrong(i, "no such type");
    }
    return {};
}

Status Loader::defaults(const Draft &draft) {
    const uint32_t map = draft.members.defaults;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        Field *field = find(draft, draft.tree.key(i));
        if (!field) return wrong(i, "a default for what is no field");
        if (!fits(field->type, draft.tree[i].kind)) return wrong(i, "the default is not of the field's type");
        field->default_node = i;
        ACCP_TRY(charge(draft, i));
    }
    out_.default_text_.clear();
    return {};
}

// Counts a default as a message has it that leaves it out: its field's name, and its value.
Status Loader::charge(const Draft &draft, uint32_t node) {
    write_json_string(draft.tree.key(node), out_.default_text_);
    out_.default_text_.push(':');
    write_json(draft.tree, node, out_.default_text_);
    out_.default_text_.push(',');
    if (out_.default_text_.size() <= kMaxDefaultBytes) return {};
    return fail(ACCP_E1001, node, "the defaults of a schema are more than 16 KiB of JSON");
}

Status Loader::required(const Draft &draft) {
    const uint32_t list = draft.members.required;
    for (uint32_t i = list + 1; list && i < draft.tree[list].next; i = draft.tree[i].next) {
        Field *field = draft.tree[i].kind == ACCP_STRING ? find(draft, draft.tree.string(i)) : nullptr;
        if (!field) return wrong(i, "required names what is no field");
        field->required = true;
    }
    return {};
}

// What each field is called in a frame. No alias is a field, so that neither a chain nor a cycle can arise, and no field has two.
Status Loader::wires(const Draft &draft) {
    const uint32_t map = draft.members.aliases;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        std::string_view alias = draft.tree.key(i);
        if (!is_word_name(alias) || alias == "schema") return wrong(i, "an alias is a word of letters, digits and _, and not `schema`");
        Field *field = draft.tree[i].kind == ACCP_STRING ? find(draft, draft.tree.string(i)) : nullptr;
        if (!field) return wrong(i, "an alias for what is no field");
        if (find(draft, alias)) return wrong(i, "the alias is itself a field");
        if (!field->wire.empty()) return wrong(i, "this field has another alias");
        field->wire = alias;
    }
    for (uint32_t i = 0; i < draft.count; ++i) {
        Field &field = draft.fields[i];
        if (!field.wire.empty()) continue;
        std::string_view code = out_.short_key(field.name);
        bool taken = code.empty() || find(draft, code) || (map && draft.tree.find(map, code));
        field.wire = taken ? field.name : code;
    }
    return {};
}

Status Loader::bindings(const Draft &draft, Schema &made) {
    const uint32_t list = draft.members.bind;
    if (!list) return {};
    if (draft.tree[list].len > kMostSchemaBindings) return fail(ACCP_E1001, list, "more bindings than a schema may have");
    for (uint32_t i = list + 1; i < draft.tree[list].next; i = draft.tree[i].next) {
        if (draft.tree[i].kind != ACCP_STRING) return wrong(i, "a binding is a text such as \"req:schedule\"");
        ACCP_TRY(binding(draft.tree.string(i), i));
    }
    made.binding_count = draft.tree[list].len;
    return {};
}

// "req:schedule", or "schedule" for every intent.
Status Loader::binding(std::string_view text, uint32_t node) {
    size_t colon = text.find(':');
    Binding made = {text, -1};
    if (colon != std::string_view::npos) {
        made.intent = find_intent(text.substr(0, colon));
        made.operation = text.substr(colon + 1);
        if (made.intent < 0) return fail(ACCP_E1002, node, "a binding to an intent that is none of the twelve");
    }
    if (!is_word_name(made.operation)) return wrong(node, "an operation is a word of letters, digits and _");
    out_.bindings_.push(made);
    return {};
}

}  // namespace accp

// registry/loader.cc

// See loader.h: the document as a whole. load_schema.cc has one schema.



namespace accp {

bool is_word_name(std::string_view text) {
    for (char c : text)
        if (!is_word(static_cast<unsigned char>(c))) return false;
    return !text.empty() && text.substr(0, 2) != "__";
}

Status Registry::load(std::string_view text, uint32_t profiles, const JsonLimits &limits) {
    return Loader(*this, limits).run(text, profiles);
}

Status Loader::run(std::string_view text, uint32_t profiles) {
    if (text.empty()) text = R"({"schemas":{}})";
    if (text.size() > limits_.bytes) return fail(ACCP_E1001, limits_.bytes, "the JSON text is longer than the limit json_bytes allows");
    out_.source_.append(text.data(), text.size());
    ACCP_TRY(reader_.read(kBuiltIn.data(), kBuiltIn.size(), {kBuiltIn.size(), kMostJsonDepth}, out_.built_in_));
    ACCP_TRY(reader_.read(out_.source_.data(), out_.source_.size(), limits_, out_.doc_));
    Status status = document();
    if (status.failed()) return move_to(status, reader_.origin(static_cast<uint32_t>(status.offset)).value);
    TreeView built_in = out_.built_in_.view();
    ACCP_TRY(schemas(built_in, built_in.find(0, "schemas"), profiles));
    finish();
    return seal();
}

Status Loader::document() {
    TreeView doc = out_.doc_.view();
    if (doc[0].kind != ACCP_MAP) return wrong(0, "a registry is an object");
    uint32_t version = doc.find(0, "version"), operation_list = doc.find(0, "operations"), alias_map = doc.find(0, "aliases");
    if (version) {
        std::string_view digits = doc.string(version);
        auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out_.version_);
        if (doc[version].kind != ACCP_INT || read.ec != std::errc() || out_.version_ < 0)
            return wrong(version, "a version is a whole number");
    }
    out_.alias_codes_.reset(0);
    if (operation_list) ACCP_TRY(operations(operation_list));
    if (alias_map) ACCP_TRY(aliases(alias_map));
    uint32_t schema_map = doc.find(0, "schemas");
    size_t room = (schema_map ? doc[schema_map].len : 0) + 8;
    out_.codes_.reset(room);
    out_.names_.reset(room);
    return schema_map ? schemas(doc, schema_map, 0) : Status{};
}

Status Loader::operations(uint32_t list) {
    TreeView doc = out_.doc_.view();
    if (doc[list].kind != ACCP_ARRAY) return wrong(list, "operations are a list of names");
    if (doc[list].len > kMostRegistryNames) return fail(ACCP_E1001, list, "more operations than a registry may have");
    out_.operation_index_.reset(doc[list].len);
    for (uint32_t i = list + 1; i < doc[list].next; i = doc[i].next) {
        if (doc[i].kind != ACCP_STRING || !is_word_name(doc.string(i))) return wrong(i, "an operation is a word of letters, digits and _");
        std::string_view name = doc.string(i);
        if (!out_.operations_.empty() && out_.knows_operation(name) && find_operation(name) < 0)
            return wrong(i, "this operation stands here twice");
        out_.operation_index_.add(name, 0, static_cast<uint32_t>(out_.operations_.size()));
        out_.operations_.push(name);
    }
    return {};
}

// One to one, and apart from the specification's own: no code is a key, so that no chain and no cycle can arise.
Status Loader::aliases(uint32_t map) {
    TreeView doc = out_.doc_.view();
    if (doc[map].kind != ACCP_MAP) return wrong(map, "aliases are an object: short key to key");
    if (doc[map].len > kMostRegistryNames) return fail(ACCP_E1001, map, "more aliases than a registry may have");
    out_.alias_codes_.reset(doc[map].len);
    out_.alias_keys_.reset(doc[map].len);
    for (uint32_t i = map + 1; i < doc[map].next; i = doc[i].next) {
        std::string_view code = doc.key(i), key = doc.string(i);
        if (!is_word_name(code) || code == "schema") return wrong(i, "a short key is a word of letters, digits and _, and not `schema`");
        if (doc[i].kind != ACCP_STRING || key.empty()) return wrong(i, "an alias stands for a key");
        if (key.size() > kMaxRegistryKeyBytes) return fail(ACCP_E1001, i, "an alias for a key of more than 256 bytes");
        bool known = !find_abbreviated(code).empty() || !find_abbreviation(code).empty() || !find_abbreviated(key).empty() ||
                     !find_abbreviation(key).empty() || key == "schema";
        if (known) return wrong(i, "the specification's own keys have no other alias");
        if (!out_.aliases_.empty() && !out_.short_key(key).empty()) return wrong(i, "this key has another alias");
        auto place = static_cast<uint32_t>(out_.aliases_.size());
        out_.aliases_.push({code, key});
        out_.alias_codes_.add(code, 0, place);
        out_.alias_keys_.add(key, 0, place);
    }
    uint32_t node = map + 1;
    for (size_t i = 0; i < out_.aliases_.size(); ++i, node = doc[node].next)
        if (!out_.full_key(out_.aliases_[i].key).empty()) return wrong(node, "the key is itself an alias");
    return {};
}

// All schemas of one document. Built-in ones only of the active profiles, and only where the document has none of that code or name.
Status Loader::schemas(TreeView tree, uint32_t map, uint32_t profiles) {
    bool built_in = tree.nodes != out_.doc_.view().nodes;
    if (tree[map].kind != ACCP_MAP) return wrong(map, "schemas are an object: name to schema");
    if (tree[map].len > kMostSchemas) return fail(ACCP_E1001, map, "more schemas than a registry may have");
    uint32_t number = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        if (built_in) {
            uint32_t profile = built_in_profile(number++);
            bool active = !profile || (profiles & profile);
            if (!active || out_.by_name(tree.key(i)) || out_.by_code(tree.string(tree.find(i, "code")))) continue;
        }
        ACCP_TRY(schema(tree, i, built_in));
    }
    return {};
}

void Loader::add_route(const Binding &binding, uint32_t schema) {
    auto salt = static_cast<uint64_t>(binding.intent + 1);
    uint32_t place = out_.route_index_.find(binding.operation, salt, [&](uint32_t i) {
        return out_.routes_[i].intent == binding.intent && out_.routes_[i].operation == binding.operation;
    });
    if (place != NameIndex::kNone) {
        if (out_.routes_[place].schema != schema) out_.routes_[place].schema = Registry::kAmbiguous;
        return;
    }
    out_.route_index_.add(binding.operation, salt, static_cast<uint32_t>(out_.routes_.size()));
    out_.routes_.push({binding.operation, binding.intent, schema});
}

// Points the schemas at their fields and bindings, which grow no more, and fills the indices over all of them.
void Loader::finish() {
    size_t field = 0, binding = 0;
    out_.field_names_.reset(out_.fields_.size());
    out_.field_wires_.reset(out_.fields_.size());
    out_.route_index_.reset(out_.bindings_.size());
    for (uint32_t i = 0; i < out_.schemas_.size(); ++i) {
        Schema &schema = out_.schemas_[i];
        schema.fields = out_.fields_.data() + field;
        schema.bindings = out_.bindings_.data() + binding;
        for (uint32_t j = 0; j < schema.binding_count; ++j) add_route(schema.bindings[j], i);
        binding += schema.binding_count;
        for (uint32_t j = 0; j < schema.field_count; ++j, ++field) {
            if (schema.field_count <= Registry::kLinearFields) continue;
            out_.field_names_.add(schema.fields[j].name, i, static_cast<uint32_t>(field));
            out_.field_wires_.add(schema.fields[j].wire, i, static_cast<uint32_t>(field));
        }
    }
    fill_defaults();
}

void Loader::fill_defaults() {
    arena_.reset();
    auto *ends = arena_.take<size_t>(out_.fields_.size() + 1);
    size_t field = 0;
    for (size_t i = 0; i < out_.schemas_.size(); ++i) {
        const Schema &schema = out_.schemas_[i];
        for (uint32_t j = 0; j < schema.field_count; ++j) {
            if (schema.fields[j].has_default()) write_json(schema.tree, schema.fields[j].default_node, out_.default_text_);
            ends[field++] = out_.default_text_.size();
        }
    }
    const char *text = out_.default_text_.data();
    for (size_t i = 0, begin = 0; i < field; begin = ends[i++]) out_.fields_[i].default_json = {text + begin, ends[i] - begin};
}

// The hash form of everything in force, and its hash.
Status Loader::seal() {
    Buffer<char> text(out_.memory_);
    Value whole(out_.memory_);
    write_effective(out_, text);
    ACCP_TRY(reader_.read(text.data(), text.size(), {kMostTextBytes, kMostJsonDepth}, whole));
    arena_.reset();
    Status status = write_hash_form(whole.view(), 0, arena_, out_.canonical_);
    if (status.failed()) return move_to(status, 0);
    out_.hash_ = sha256(out_.canonical());
    return {};
}

}  // namespace accp
