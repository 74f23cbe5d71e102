// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of the generated machines. A machine is one function, so that positions and the open
// level stay in registers. The actions are macros over Tree, and are compiled twice: for strict and
// u8, and for compat.

#include "frame/parse.h"

#include <cstring>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "frame/scalar.h"
#include "value/keys.h"

namespace accp::frame {

namespace {

// An open array or map, or the payload or metadata itself.
struct Level {
    uint32_t node;
    uint32_t count;  // of the outer level, while this one is open
    value::KeyFilter keys;
};

// Returns the kind of a word that begins with 0 or ends like true or false.
[[gnu::noinline]] uint32_t unusual_kind(const char *word, uint32_t len, uint32_t kind) {
    if (*word == '0' && len > 1) return ACCP_STRING;
    if (len == 4 && std::memcmp(word, "true", 4) == 0) return ACCP_BOOL | ACCP_NODE_TRUE << 8;
    if (len == 5 && std::memcmp(word, "false", 5) == 0) return ACCP_BOOL;
    return kind;
}

// The tree under construction. Nothing takes its address, so its members stay in registers.
class Tree {
public:
    Tree(const MachineInput &input, Level *levels)
        : text_(input.text),
          input_(&input),
          first_(input.nodes),
          node_(input.nodes),
          levels_(levels),
          level_(levels) {}

    [[gnu::always_inline]] uint32_t count() const { return static_cast<uint32_t>(next_ >> 32); }
    [[gnu::always_inline]] Parsed parsed() const { return {count(), !maybe_not_canonical_}; }

    [[gnu::always_inline]] bool name(uint32_t start, uint32_t end) {
        put(ACCP_NAME, start, end - start);
        return end - start <= input_->key_bytes;
    }
    [[gnu::always_inline]] bool is_agent_id(uint32_t start, uint32_t end) const {
        for (uint32_t i = start; i < end; ++i)
            if (!is_agent(byte(i))) return false;
        return true;
    }
    [[gnu::always_inline]] bool intent(uint32_t start, uint32_t end) {
        return name(start, end) && is_alpha_word(start, end - start);
    }

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
        return !value::has_key({first_, text_}, level_->node, count(), text_ + start, len);
    }

    // There is no branch on whether the word is a number: this is hard to predict, and a
    // misprediction costs more than this code. Before a value there are at least eight bytes of
    // text.
    [[gnu::always_inline]] void word(uint32_t start, uint32_t end, uint8_t code) {
        static_assert(ACCP_STRING == 2 * ACCP_INT && kNonDigit == 0x80);
        uint32_t len = end - start;
        uint32_t kind = ACCP_INT + ACCP_INT * (code >> 7);
        const char *last = text_ + end - 4;
        bool unusual = text_[start] == '0' || std::memcmp(last, "true", 4) == 0 ||
                       std::memcmp(last, "alse", 4) == 0;
        if (__builtin_expect(unusual, 0)) kind = unusual_kind(text_ + start, len, kind);
        add(kind, start, len);
    }
    [[gnu::always_inline]] void other(uint32_t start, uint32_t end) {
        uint32_t len = end - start;
        uint32_t kind = ACCP_STRING;
        if (may_begin_literal(text_[start])) {
            kind = wire_number_kind(text_ + start, len);
            maybe_not_canonical_ |=
                kind == ACCP_DEC && (text_[end - 1] == '0' || len > kDecimalPlaces + 2);
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
        maybe_not_canonical_ = true;
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
        maybe_not_canonical_ |= count_ > 1 && first_[level_->node].kind == ACCP_MAP;
        count_ = level_->count;
        --level_;
        key_len_ = 0;
        return fits;
    }

private:
    [[gnu::always_inline]] unsigned char byte(uint32_t i) const {
        return static_cast<unsigned char>(text_[i]);
    }

    // Flags are in bits 8 and up. A node is written as two words.
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
        value::Node &node = first_[level_->node];
        node.len = count_;
        node.next = count();
        return count_ <= kLinearKeys || node.kind == ACCP_ARRAY ||
               !value::find_equal_key({first_, text_}, level_->node, *input_->arena, input_->seed);
    }
    [[gnu::always_inline]] uint32_t escaped(uint32_t start, uint32_t len) const {
        return input_->symbols.escapes && std::memchr(text_ + start, '\\', len)
                   ? ACCP_NODE_ESCAPED << 8
                   : 0;
    }

    // Returns whether a word of [A-Za-z0-9_]+ has only letters. These have bit 6 set and are not
    // underscores.
    [[gnu::always_inline]] bool is_alpha_word(uint32_t start, uint32_t len) const {
        if (len > 8 || input_->len - start < 8) {
            for (uint32_t i = start; i < start + len; ++i)
                if (!is_alpha(byte(i))) return false;
            return true;
        }
        uint64_t bytes;
        std::memcpy(&bytes, text_ + start, 8);
        uint64_t scores = bytes ^ 0x5F5F5F5F5F5F5F5F;
        uint64_t wrong =
            (~bytes << 1 | ((scores - 0x0101010101010101) & ~scores)) & 0x8080808080808080;
        return !(wrong << 8 * (8 - len));
    }
    const char *text_;
    const MachineInput *input_;
    value::Node *first_;
    value::Node *node_;
    Level *levels_;
    Level *level_;
    uint64_t next_ = 0;   // the number of nodes, in the upper half of a node's second word
    uint32_t count_ = 0;  // children of the open level
    uint32_t key_len_ = 0;
    bool maybe_not_canonical_ = false;  // print_frame() may change something
};

}  // namespace

// The beginning of the text before the symbol at p, and the position of its delimiter.
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
#define ON_ACCEPT                             \
    return BEGIN == input.len ? tree.parsed() \
                              : Parsed{};  // text after the last delimiter is invalid
#define ON_LEAVE \
    if (!tree.leave()) return {};
#define ON_LOOSE_START loose = END;
#define ON_LOOSE_AGENT \
    if (!tree.is_agent_id(loose + 1, END)) return {};
#define ON_ELEMENT_START loose = BEGIN;
#define ON_LOOSE_END tree.loose(loose, END);

// Ragel's output falls through from state to state.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

// The machine of the strict and u8 dialects, from ragel/lexer.rl.
Parsed run_strict_machine(const MachineInput &input) {
    const uint8_t *codes = input.symbols.codes;
    const uint32_t *p = input.symbols.positions;
    int cs, top, stack[kMaxDepth];
    Level levels[kMaxDepth + 1];
    Tree tree(input, levels);
#include "../../ragel/generated/lexer.inc"
    return {};
}

// The machine of the compat dialect, from ragel/lexer_compat.rl.
Parsed run_compat_machine(const MachineInput &input) {
    const uint8_t *codes = input.symbols.codes;
    const uint32_t *p = input.symbols.positions;
    int cs, top, stack[kMaxDepth];
    uint32_t loose = 0;
    Level levels[kMaxDepth + 1];
    Tree tree(input, levels);
#include "../../ragel/generated/lexer_compat.inc"
    return {};
}

}  // namespace accp::frame
