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
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,popcnt")
#endif

// The kernel for AVX-512 with VBMI and VBMI2 (Ice Lake, Zen 4 and later): one register a block, one table of 128 entries, masked loads instead
// of a copied tail, and positions written by compression. Compiled for those sets; reached only where the machine has them.


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

constexpr uint8_t kWord = 0x80, kIllegal = 0x40, kDelimiter = 0x20, kDigit = 0x10, kCodeBits = 0x0F;

// For each ASCII byte: kDelimiter and its code, or kWord and perhaps kDigit, or kIllegal, or 0.
struct ByteTable {
    alignas(64) uint8_t entries[128];
    constexpr ByteTable() : entries() {
        for (int c = 0; c < 128; ++c) {
            auto byte = static_cast<unsigned char>(c);
            if (is_delimiter(byte)) entries[c] = kDelimiter | delimiter_code(byte);
            else if (is_word(byte)) entries[c] = is_digit(byte) ? kWord | kDigit : kWord;
            else if (c <= 0x20 || c == 0x7F) entries[c] = kIllegal;
        }
    }
};
constexpr ByteTable kBytes;

struct Iota {
    alignas(64) uint8_t entries[64];
    constexpr Iota() : entries() {
        for (int i = 0; i < 64; ++i) entries[i] = static_cast<uint8_t>(i);
    }
};
constexpr Iota kIota;

inline uint32_t *compress_positions(uint32_t *to, uint64_t bits, uint32_t base) {
    __m512i packed = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kIota.entries));
    __m512i start = _mm512_set1_epi32(static_cast<int>(base));
    auto write = [&](int quarter, __m128i part) {
        _mm512_storeu_si512(to + 16 * quarter, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(part)));
    };
    int count = __builtin_popcountll(bits);
    write(0, _mm512_castsi512_si128(packed));
    if (count > 16) write(1, _mm512_extracti32x4_epi32(packed, 1));
    if (count > 32) {
        write(2, _mm512_extracti32x4_epi32(packed, 2));
        write(3, _mm512_extracti32x4_epi32(packed, 3));
    }
    return to + count;
}

bool find_avx512(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint64_t illegal = 0, high = 0, backslashes = 0;
    Carry carry;
    const __m512i low_table = _mm512_load_si512(kBytes.entries), high_table = _mm512_load_si512(kBytes.entries + 64);
    for (size_t base = 0; base < len; base += 64) {
        uint64_t valid = len - base >= 64 ? ~uint64_t{0} : (uint64_t{1} << (len - base)) - 1;
        __m512i byte = _mm512_mask_loadu_epi8(_mm512_set1_epi8('a'), valid, text + base);
        uint64_t above = _mm512_movepi8_mask(byte);
        __m512i entry = _mm512_maskz_permutex2var_epi8(~above, low_table, byte, high_table);
        uint64_t delimiters = _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kDelimiter));
        uint64_t structural = delimiters;
        uint64_t slashes = _mm512_cmpeq_epi8_mask(byte, _mm512_set1_epi8('\\'));
        if (slashes | carry.escaped) {
            uint64_t escaped = find_escaped(slashes, carry);
            illegal |= escaped & ~delimiters;
            structural &= ~(escaped | slashes);
            backslashes |= slashes;
        }
        illegal |= _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kIllegal));
        high |= above;
        uint64_t filled = ~(structural << 1 | carry.structural);
        carry.structural = structural >> 63;
        uint64_t other = find_other(structural, _mm512_movepi8_mask(entry), carry.other);
        uint64_t mixed = find_other(structural, _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kDigit)), carry.mixed);
        __m512i code = _mm512_and_si512(entry, _mm512_set1_epi8(kCodeBits));
        code = _mm512_or_si512(code, _mm512_or_si512(_mm512_maskz_set1_epi8(filled, kFilled), _mm512_maskz_set1_epi8(other, kOther)));
        code = _mm512_or_si512(code, _mm512_maskz_set1_epi8(mixed, static_cast<char>(kNonDigit)));
        _mm512_storeu_si512(symbols.codes + base, code);
        position = compress_positions(position, structural, static_cast<uint32_t>(base));
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    symbols.escapes = backslashes != 0;
    symbols.high = high != 0;
    return !(illegal | carry.escaped | (raw ? 0 : high));
}

}  // namespace

const SymbolsKernel kSymbolsAvx512 = {"avx512", find_avx512};

}  // namespace accp
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
