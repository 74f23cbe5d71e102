// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The standard envelope (specification 3.5): reads it from a frame, and stores one for writing.
#pragma once

#include "accp/types.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::frame {

// The fields in the order in which they are written.
struct EnvelopeField {
    const char *key;
    uint32_t bit;
    accp_text accp_envelope::*text;  // of mid, cid, aid, sid; else nullptr
    int64_t accp_envelope::*number;  // of seq, ts, ttl; else nullptr
};
constexpr int kEnvelopeFields = 7;
extern const EnvelopeField kEnvelope[kEnvelopeFields];

// Returns whether this is the key of a text field: mid, cid, aid or sid.
inline bool is_text_field(std::string_view key) {
    return key.size() == 3 && key[1] == 'i' && key[2] == 'd' &&
           (key[0] == 'm' || key[0] == 'c' || key[0] == 'a' || key[0] == 's');
}
// The same for a node in a map of a frame.
[[gnu::always_inline]] inline bool is_text_field(const value::Node &node, const char *text) {
    const char *key = text + node.offset - 4;  // `mid:`
    return (node.key_len == 3) & (key[1] == 'i') & (key[2] == 'd') &
           ((key[0] == 'm') | (key[0] == 'c') | (key[0] == 'a') | (key[0] == 's'));
}
// Returns the length of the prefix that such a field can contain. These texts have no quotes or
// escapes.
size_t plain_length(std::string_view text);
inline constexpr const char *kNotPlain = "mid, cid, aid and sid are plain text";

// Kinds of nodes that are read as text in such a field.
inline constexpr uint32_t kFieldWords = 1u << ACCP_INT | 1u << ACCP_DEC | 1u << ACCP_BOOL;

// Converts the numbers and words in text fields of the metadata to texts, and flags all texts of
// these fields as kVerbatim.
void mark_field_texts(value::Node *nodes, size_t count, const char *text);

// Returns E1004 if a text of these fields cannot be written again unchanged. The offset is a byte
// of the frame.
Status check_field_texts(value::TreeView tree, uint32_t meta, int32_t dialect);

// Reads the metadata block `meta`, which may be 0. The offset of a failure is a byte of the frame.
Status read_envelope(value::TreeView tree, uint32_t meta, accp_envelope &out);

// An envelope with its own copy of the texts.
class EnvelopeStore {
public:
    explicit EnvelopeStore(Memory &memory) : text_(memory) {}

    Status set(const accp_envelope *envelope, uint64_t key_bytes);
    bool has(const EnvelopeField &field) const { return (envelope_.fields & field.bit) != 0; }
    uint32_t fields() const { return envelope_.fields; }
    const accp_envelope &view() const { return envelope_; }
    // Sets the fields, as bits, that only this envelope supplies: those of a message are ignored.
    // set() resets this.
    void reserve_fields(uint32_t fields) { reserved_ = fields; }
    bool reserves(const EnvelopeField &field) const { return (reserved_ & field.bit) != 0; }
    void write(const EnvelopeField &field, Buffer<char> &out) const;

private:
    accp_envelope envelope_ = {};
    uint32_t reserved_ = 0;
    Buffer<char> text_;
};

// Writes the twelve bytes of a cheap mid (decision A53). Returns false if a number is out of range.
bool format_mid(uint32_t letter, uint32_t issuer, uint64_t counter, char *to);

}  // namespace accp::frame
