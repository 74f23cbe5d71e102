// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json_reader.h.
#include "value/json_reader.h"

#include <simdjson.h>

#include "base/random.h"
#include "value/json_fault.h"
#include "value/json_string.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp {

namespace {

struct Level {
    uint32_t node;
    uint32_t count;
    bool map;
    KeyFilter keys;
};

// One walk over the index of one text. The buffers of `out` have room for everything: a value is never longer than its JSON.
class Walk {
public:
    Walk(const char *text, size_t len, const simdjson::internal::dom_parser_implementation &index, const JsonLimits &limits, Value &out,
         JsonReader::Origin *origins, Arena &arena, uint64_t seed)
        : text_(text), end_(text + len), next_(index.structural_indexes.get()), last_(next_ + index.n_structural_indexes), limits_(limits),
          out_(out), node_(out.nodes.data()), write_(out.text.data()), origins_(origins), arena_(arena), seed_(seed) {}

    Status run();

private:
    char peek() const { return next_ < last_ ? text_[*next_] : '\0'; }
    uint32_t here() const { return next_ < last_ ? *next_ : static_cast<uint32_t>(end_ - text_); }
    Status wrong(const char *message) const { return fail(ACCP_E1001, here(), message); }
    TreeView tree() const { return {out_.nodes.data(), out_.text.data()}; }
    uint32_t count() const { return static_cast<uint32_t>(node_ - out_.nodes.data()); }

    void add(uint8_t kind, uint8_t flags, const char *begin, JsonReader::Origin origin) {
        origins_[count()] = origin;
        uint32_t offset = static_cast<uint32_t>(begin - out_.text.data());
        *node_ = {kind, flags, key_len_, offset, static_cast<uint32_t>(write_ - begin), count() + 1};
        ++node_;
    }
    Status value(JsonReader::Origin origin);
    Status key();
    Status open(bool map, JsonReader::Origin origin);
    Status close();
    Status literal(const char *word, size_t len, uint8_t kind, uint8_t flags, JsonReader::Origin origin);
    Status number(JsonReader::Origin origin);

    const char *text_, *end_;
    const uint32_t *next_, *last_;
    const JsonLimits &limits_;
    Value &out_;
    Node *node_;
    char *write_;
    JsonReader::Origin *origins_;
    Arena &arena_;
    uint64_t seed_;
    uint16_t key_len_ = 0;
    uint32_t depth_ = 0;
    Level *levels_ = nullptr;
    uint32_t levels_room_ = 0;
};

// A token must be followed by white space, structure, or the end.
bool ends_token(const char *p, const char *end) {
    return p == end || *p == ',' || *p == '}' || *p == ']' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t' || *p == ':';
}

Status Walk::literal(const char *word, size_t len, uint8_t kind, uint8_t flags, JsonReader::Origin origin) {
    const char *p = text_ + *next_;
    if (static_cast<size_t>(end_ - p) < len || std::memcmp(p, word, len) || !ends_token(p + len, end_)) return wrong("not a JSON value");
    ++next_;
    add(kind, flags, write_, origin);
    return {};
}

Status Walk::number(JsonReader::Origin origin) {
    const char *p = text_ + *next_;
    NumberToken token = scan_number(p, end_);
    if (!token.len || !ends_token(p + token.len, end_)) return wrong("not a JSON value");
    ++next_;
    char *begin = write_;
    std::memcpy(write_, p, token.len);
    write_ += token.len;
    add(token.kind, 0, begin, origin);
    return {};
}

Status Walk::open(bool map, JsonReader::Origin origin) {
    if (depth_ == limits_.depth) return fail(ACCP_E1004, here(), "arrays and objects are nested deeper than the limit allows");
    if (depth_ == levels_room_) {
        uint32_t room = levels_room_ ? levels_room_ * 4 : 16;
        auto *levels = arena_.take<Level>(room);
        if (depth_) std::memcpy(static_cast<void *>(levels), levels_, depth_ * sizeof *levels);
        levels_ = levels;
        levels_room_ = room;
    }
    ++next_;
    levels_[depth_++] = {count(), 0, map, {}};
    add(map ? ACCP_MAP : ACCP_ARRAY, 0, write_, origin);
    return {};
}

Status Walk::close() {
    Level &level = levels_[--depth_];
    Node &node = out_.nodes.data()[level.node];
    node.len = level.count;
    node.next = count();
    ++next_;
    if (!level.map || level.count <= kLinearKeys) return {};
    uint32_t twin = find_equal_key(tree(), level.node, arena_, seed_);
    return twin ? fail(ACCP_E1001, origins_[twin].key, "this key stands here twice") : Status{};
}

Status Walk::key() {
    if (peek() != '"') return wrong("a key was expected");
    Level &level = levels_[depth_ - 1];  // its count includes this entry
    const char *begin = write_;
    StringCopy copy = copy_json_string(text_ + *next_ + 1, end_, write_);
    if (copy.fault) return json_string_fault(copy.fault, text_);
    size_t len = static_cast<size_t>(copy.written - begin);
    if (len > kMostKeyBytes) return fail(ACCP_E1004, *next_, "a key of more than 65,535 bytes");
    bool known = level.keys.add(key_head(begin, len, len + 8));
    if (known && level.count <= kLinearKeys && has_key(tree(), level.node, count(), begin, len))
        return wrong("this key stands here twice");
    write_ = copy.written;
    *write_++ = '\0';
    key_len_ = static_cast<uint16_t>(len);
    ++next_;
    if (peek() != ':') return wrong("a colon was expected");
    ++next_;
    return {};
}

Status Walk::value(JsonReader::Origin origin) {
    switch (peek()) {
        case '"': {
            char *begin = write_;
            StringCopy copy = copy_json_string(text_ + *next_ + 1, end_, write_);
            if (copy.fault) return json_string_fault(copy.fault, text_);
            write_ = copy.written;
            ++next_;
            add(ACCP_STRING, 0, begin, origin);
            return {};
        }
        case '{': return open(true, origin);
        case '[': return open(false, origin);
        case 't': return literal("true", 4, ACCP_BOOL, ACCP_NODE_TRUE, origin);
        case 'f': return literal("false", 5, ACCP_BOOL, 0, origin);
        case 'n': return literal("null", 4, ACCP_NULL, 0, origin);
        default: return next_ < last_ ? number(origin) : wrong("the JSON text ends too early");
    }
}

// One turn of the loop takes one value, with its key, or closes a container. No recursion: depth costs no stack.
Status Walk::run() {
    if (next_ == last_) return wrong("an empty text is not JSON");
    Status status = value({here(), here()});
    while (status.ok() && depth_) {
        Level &level = levels_[depth_ - 1];
        char c = peek();
        if (c == (level.map ? '}' : ']')) {
            status = close();
            key_len_ = 0;
            continue;
        }
        if (level.count++) {
            if (c != ',') return wrong("a comma or the closing bracket was expected");
            ++next_;
        }
        uint32_t start = here();
        if (level.map) status = key();
        if (status.ok()) status = value({start, here()});
        key_len_ = 0;
    }
    if (status.ok() && next_ != last_) return wrong("text behind the JSON value");
    out_.nodes.set_end(node_);
    out_.text.set_end(write_);
    return status;
}

}  // namespace

JsonReader::JsonReader(Memory &memory) : origins_(memory), arena_(memory), seed_(random_seed()) {}
JsonReader::~JsonReader() = default;

// False when the text cannot be indexed: invalid UTF-8, an open string, a raw control character in one. json_fault() says which.
bool JsonReader::index(const char *text, size_t len) {
    using simdjson::internal::dom_parser_implementation;
    if (index_ && index_->capacity() > kKeptBytes && len < kKeptBytes / 8) index_.reset();  // one large text is no reason to stay large
    if (!index_ && simdjson::get_active_implementation()->create_dom_parser_implementation(1024, 16, index_)) throw OutOfMemory{};
    if (len > index_->capacity() && index_->set_capacity(len + len / 2)) throw OutOfMemory{};
    return index_->stage1(reinterpret_cast<const uint8_t *>(text), len, simdjson::stage1_mode::regular) == simdjson::SUCCESS;
}

Status JsonReader::read(const char *text, size_t len, const JsonLimits &limits, Value &out) {
    out.clear();
    if (len > limits.bytes) return fail(ACCP_E1001, limits.bytes, "the JSON text is longer than the limit allows");
    if (!len) return fail(ACCP_E1001, 0, "an empty text is not JSON");
    if (!index(text, len)) return json_fault(text, len);
    size_t most = index_->n_structural_indexes + 1;
    arena_.reset();
    origins_.clear();
    origins_.room(most);
    out.nodes.room(most);
    out.text.room(len + 64);
    Status status = Walk(text, len, *index_, limits, out, origins_.data(), arena_, seed_).run();
    if (status.failed()) out.clear();
    return status;
}

}  // namespace accp
