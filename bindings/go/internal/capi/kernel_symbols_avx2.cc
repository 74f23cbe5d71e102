//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#if defined(__x86_64__)
#include <immintrin.h>
#include <cstring>
#include <type_traits>
#include <initializer_list>
#include <cstddef>
#include <cstdint>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif

// The kernel for AVX2: two registers a block. Compiled with -mavx2 -mbmi -mpopcnt; reached only where the machine has them.


// The 64-byte algorithm behind symbols.h, over a vector policy V. Included by one file for each instruction set, which is compiled for that
// set: nothing here may be shared with other files, hence the unnamed namespace.
//
// V::kWidth bytes a register; V::read(from) gives a V::Block with the masks below for its bytes; V::write(to, block, filled, other, mixed) stores codes.



// How symbols.cc and the vector kernels meet.


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

// A byte is in a class when the entries of its low and of its high nibble share the class's bit. Bits 0 to 4: delimiters of the high nibbles
// 2, 3, 4, 5 and 7, and ~; bits 5 to 7: words. DEL comes out as a word, and is illegal anyway.
constexpr uint8_t kLow[16] = {0xA4, 0xE0, 0xE0, 0xE0, 0xE1, 0xE0, 0xE0, 0xE0, 0xE0, 0xE0, 0xC2, 0x48, 0x49, 0x48, 0x52, 0xC0};
constexpr uint8_t kHigh[16] = {0, 0, 0x01, 0x22, 0x44, 0x88, 0x40, 0x98};
constexpr uint8_t kCode[16] = {0, 0, 3, 0xF6, 1, 0xFD};  // to be added to the low nibble
constexpr uint8_t kDelimiterBits = 0x1F, kDigitBit = 0x20;

constexpr bool tables_hold() {
    for (int c = 0; c < 0x7F; ++c) {
        auto byte = static_cast<unsigned char>(c);
        int both = kLow[c & 15] & kHigh[c >> 4];
        if (((both & kDelimiterBits) != 0) != is_delimiter(byte)) return false;
        if (((both & ~kDelimiterBits) != 0) != is_word(byte)) return false;
        if (((both & kDigitBit) != 0) != is_digit(byte)) return false;
        if (is_delimiter(byte) && (((c & 15) + kCode[c >> 4]) & 0xFF) != delimiter_code(byte)) return false;
    }
    return true;
}
static_assert(tables_hold());

struct Masks {  // a bit for each byte of a block
    uint64_t delimiters, words, digits, backslashes, illegal, high;
};

// What one block leaves to the next.
struct Carry {
    uint64_t escaped = 0;     // 1: the first byte is escaped
    uint64_t structural = 1;  // 1: no text yet before the first byte
    uint64_t other = 0;       // 1: the text before the first byte holds a non-word byte
    uint64_t mixed = 0;       // 1: it holds a byte that is no digit
};

// Which bytes are escaped: each that follows an odd-length run of backslashes. Walks the backslashes, of which there are few.
inline uint64_t find_escaped(uint64_t backslashes, Carry &carry) {
    uint64_t escaped = carry.escaped;
    backslashes &= ~escaped;
    carry.escaped = 0;
    while (backslashes) {
        uint64_t lead = backslashes & (~backslashes + 1);
        if (lead >> 63) carry.escaped = 1;
        escaped |= lead << 1;
        backslashes &= ~(lead | lead << 1);
    }
    return escaped;
}

// For each structural character: does the text before it hold a byte outside `good`? An addition carries a bit from any such byte through the rest
// of its run of text into the structural character that ends it.
inline uint64_t find_other(uint64_t structural, uint64_t good, uint64_t &carry) {
    uint64_t text = ~structural;
    uint64_t sum;
    bool over = __builtin_add_overflow(text, text & ~good, &sum);
    over |= __builtin_add_overflow(sum, carry, &sum);
    carry = over;
    return sum & structural;
}

// The last, short block, filled up with letters. Two overlapping moves of a fixed size cost less than a call.
inline void copy_tail(char *to, const char *from, size_t len) {
    std::memset(to, 'a', 64);
    auto move = [=](auto size) {
        std::memcpy(to + len - size, from + len - size, size);
        std::memcpy(to, from, size);
    };
    if (len >= 32) return move(std::integral_constant<size_t, 32>{});
    if (len >= 16) return move(std::integral_constant<size_t, 16>{});
    if (len >= 8) return move(std::integral_constant<size_t, 8>{});
    for (size_t i = 0; i < len; ++i) to[i] = from[i];
}

// Eight at a time: the branch is then almost always foreseen, and the surplus is overwritten by what follows.
template <class V>
uint32_t *write_positions(uint32_t *to, uint64_t bits, uint32_t base) {
    uint32_t *end = to + __builtin_popcountll(bits);
    do {
        for (int i = 0; i < 8; ++i) {
            to[i] = base + static_cast<uint32_t>(V::zeros_below(bits));
            bits &= bits - 1;
        }
        to += 8;
    } while (to < end);
    return end;
}

template <class V>
bool find_blocks(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint64_t illegal = 0, high = 0, backslashes = 0;
    Carry carry;
    char tail[64];
    for (size_t base = 0; base < len; base += 64) {
        const char *from = text + base;
        if (len - base < 64) {
            copy_tail(tail, from, len - base);
            from = tail;
        }
        typename V::Block block;
        Masks masks = V::read(from, block);
        uint64_t structural = masks.delimiters;
        if (masks.backslashes | carry.escaped) {
            uint64_t escaped = find_escaped(masks.backslashes, carry);
            illegal |= escaped & ~masks.delimiters;
            structural &= ~(escaped | masks.backslashes);
            backslashes |= masks.backslashes;
        }
        illegal |= masks.illegal;
        high |= masks.high;
        uint64_t filled = ~(structural << 1 | carry.structural);
        carry.structural = structural >> 63;
        uint64_t other = find_other(structural, masks.words, carry.other);
        uint64_t mixed = find_other(structural, masks.digits, carry.mixed);
        V::write(symbols.codes + base, block, filled, other, mixed);
        position = write_positions<V>(position, structural, static_cast<uint32_t>(base));
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    symbols.escapes = backslashes != 0;
    symbols.high = high != 0;
    return !(illegal | carry.escaped | (raw ? 0 : high));
}

}  // namespace
}  // namespace accp

namespace accp {
namespace {

struct Avx2 {
    struct Block {
        __m256i code[2];
    };

    static __m256i table(const uint8_t (&entries)[16]) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(entries)));
    }
    static uint32_t bits(__m256i bytes) { return static_cast<uint32_t>(_mm256_movemask_epi8(bytes)); }
    static uint64_t zeros_below(uint64_t bits) { return _tzcnt_u64(bits); }
    static uint32_t zero(__m256i bytes) { return bits(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())); }

    static Masks read_half(const char *from, __m256i &code) {
        __m256i byte = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
        __m256i low = _mm256_and_si256(byte, _mm256_set1_epi8(0x0F));
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(byte, 4), _mm256_set1_epi8(0x0F));
        __m256i both = _mm256_and_si256(_mm256_shuffle_epi8(table(kLow), low), _mm256_shuffle_epi8(table(kHigh), high));
        code = _mm256_add_epi8(low, _mm256_shuffle_epi8(table(kCode), high));
        uint32_t above = bits(byte);
        Masks masks;
        masks.delimiters = ~zero(_mm256_and_si256(both, _mm256_set1_epi8(kDelimiterBits)));
        masks.words = ~zero(_mm256_andnot_si256(_mm256_set1_epi8(kDelimiterBits), both));
        masks.digits = ~zero(_mm256_and_si256(both, _mm256_set1_epi8(kDigitBit)));
        masks.backslashes = bits(_mm256_cmpeq_epi8(byte, _mm256_set1_epi8('\\')));
        masks.illegal =
            (bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), byte)) & ~above) | bits(_mm256_cmpeq_epi8(byte, _mm256_set1_epi8(0x7F)));
        masks.high = above;
        return masks;
    }

    static Masks read(const char *from, Block &block) {
        Masks a = read_half(from, block.code[0]);
        Masks b = read_half(from + 32, block.code[1]);
        return {a.delimiters | b.delimiters << 32,   a.words | b.words << 32,     a.digits | b.digits << 32,
                a.backslashes | b.backslashes << 32, a.illegal | b.illegal << 32, a.high | b.high << 32};
    }

    // 0xFF in every byte whose bit is set.
    static __m256i spread(uint32_t mask) {
        __m256i lanes = _mm256_set1_epi32(static_cast<int>(mask));
        __m256i pick = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
        __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
        return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(lanes, pick), bit), bit);
    }

    static void write(uint8_t *to, const Block &block, uint64_t filled, uint64_t other, uint64_t mixed) {
        for (int i = 0; i < 2; ++i) {
            __m256i is_filled = _mm256_and_si256(spread(static_cast<uint32_t>(filled >> 32 * i)), _mm256_set1_epi8(kFilled));
            __m256i is_other = _mm256_and_si256(spread(static_cast<uint32_t>(other >> 32 * i)), _mm256_set1_epi8(kOther));
            __m256i is_mixed =
                _mm256_and_si256(spread(static_cast<uint32_t>(mixed >> 32 * i)), _mm256_set1_epi8(static_cast<char>(kNonDigit)));
            __m256i code = _mm256_or_si256(_mm256_or_si256(block.code[i], is_mixed), _mm256_or_si256(is_filled, is_other));
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + 32 * i), code);
        }
    }
};

}  // namespace

const SymbolsKernel kSymbolsAvx2 = {"avx2", find_blocks<Avx2>};

}  // namespace accp
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
