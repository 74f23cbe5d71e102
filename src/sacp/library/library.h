// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The names of a library, each with a number: a verb, a tool, an input or a short name is looked up
// once, and compared as a number from then on.
//
// The verbs and tools that messages may speak of, and the short names for them. Read once from a
// document (SACP-RULES R14), constant from then on: any number of threads may ask it.
#pragma once

#include <span>

#include "base/memory.h"
#include "base/random.h"
#include "sacp/message/message.h"

namespace accp::sacp {

// 0 is every name that the library does not have.
using NameId = uint32_t;

class NameTable {
public:
    explicit NameTable(Memory &memory) : slots_(memory), texts_(memory), seed_(random_seed()) {}

    // The number of a name, which is added where it is new. The text must stay where it is; it has
    // a Buffer's slack after it.
    NameId add(std::string_view text);
    // The same slack.
    [[gnu::always_inline]] NameId find(std::string_view text) const {
        return slots_.empty() ? 0 : slots_[place(key_of(text), text)].id;
    }

    // One more than the highest number.
    uint32_t size() const { return static_cast<uint32_t>(texts_.size()) + 1; }
    std::string_view text(NameId id) const { return id ? texts_[id - 1] : std::string_view(); }

private:
    // A name of up to 16 bytes is in its key; of a longer one both ends are.
    struct Key {
        uint64_t first = 0, last = 0;
        uint64_t len = 0;
        bool operator==(const Key &) const = default;
    };
    struct Slot {
        Key key;
        NameId id;  // 0: free
    };

    [[gnu::always_inline]] static Key key_of(std::string_view text) {
        Key key{0, 0, text.size()};
        std::memcpy(&key.first, text.data(), 8);
        if (text.size() <= 8) {
            key.first =
                text.size() == 8 ? key.first : key.first & ((uint64_t{1} << 8 * text.size()) - 1);
        } else {
            std::memcpy(&key.last, text.data() + text.size() - 8, 8);
        }
        return key;
    }
    [[gnu::always_inline]] size_t place(const Key &key, std::string_view text) const {
        const size_t mask = slots_.size() - 1;
        for (size_t at = hash(key, text) & mask;; at = (at + 1) & mask) {
            const Slot &slot = slots_[at];
            if (!slot.id) return at;
            if (slot.key == key && (key.len <= 16 || texts_[slot.id - 1] == text)) return at;
        }
    }
    [[gnu::always_inline]] uint64_t hash(const Key &key, std::string_view text) const {
        if (key.len > 16) return seeded_hash(text.data(), text.size(), seed_);
        const unsigned __int128 product =
            static_cast<unsigned __int128>(key.first ^ seed_) *
            (key.last ^ (key.len * 0x9E3779B97F4A7C15) ^ (seed_ >> 32 | seed_ << 32));
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
    void grow();

    Buffer<Slot> slots_;  // a power of two of them, at least twice as many as names
    Buffer<std::string_view> texts_;
    uint64_t seed_;
};

enum class Type : uint8_t { kAny, kString, kNumber, kInteger, kBoolean, kArray, kObject };

std::string_view type_name(Type type);
// False: there is no such type.
bool find_type(std::string_view name, Type &out);
// What is said of a param that is not of it, after its name (R43).
const char *type_fault(Type type);
// Has a value this type? `null` has every one (R11).
bool has_type(value::TreeView tree, uint32_t node, Type type);

struct Input {
    NameId name;
    Type type;
};

// A run of entries of one of the library's arrays.
struct Range {
    uint32_t begin = 0, count = 0;
};

struct Verb {
    NameId name;
    uint32_t node;  // in the document; 0: built in
    Range inputs;
    Range required;  // names of inputs, in the order of the definition
};

struct Tool {
    NameId name;
    uint32_t node;
    Range verbs;     // names of what it supports
    Range fallback;  // names of tools
};

// NameTable that every library has: three verbs, which may not be defined (R10), and what the rules
// speak of.
enum BuiltIn : NameId {
    kJoin = 1,
    kDefine,
    kInstantiate,
    kMerge,
    kSubtask,
    kToolInput,
    kVerbInput,
    kDescription,
    kInputs,
    kOutputs,
    kBuiltIns
};

// A library is a peer's text too: what is looked through in order has a limit.
constexpr uint32_t kMaxInputs = 256;  // of a verb, and aliases of one alias table of verbs or tools
constexpr uint32_t kMaxListed = 4096;  // verbs that a tool supports, and its fallbacks

class Library {
public:
    explicit Library(Memory &memory);

    // To be called once, with an empty text for none. False: it is only good to be thrown away.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict);

    [[gnu::always_inline]] NameId find(std::string_view text) const { return names_.find(text); }
    std::string_view text(NameId id) const { return names_.text(id); }
    uint32_t name_count() const { return names_.size(); }

    // A verb by any of its names: its full one, else the same name.
    NameId full_verb(NameId id) const {
        return id && entries_[id].full_verb ? entries_[id].full_verb : id;
    }
    NameId brief_verb(NameId id) const {
        return id && entries_[id].brief_verb ? entries_[id].brief_verb : id;
    }
    // By its full name; nullptr: there is none.
    const Verb *verb(NameId id) const {
        return id && entries_[id].verb ? &verbs_[entries_[id].verb - 1] : nullptr;
    }
    const Tool *tool(NameId id) const {
        return id && entries_[id].tool ? &tools_[entries_[id].tool - 1] : nullptr;
    }

    std::span<const Verb> verbs() const { return {verbs_.data(), verbs_.size()}; }
    std::span<const Tool> tools() const { return {tools_.data(), tools_.size()}; }
    std::span<const Input> inputs(const Verb &verb) const {
        return {inputs_.data() + verb.inputs.begin, verb.inputs.count};
    }
    std::span<const NameId> names(Range run) const {
        return {lists_.data() + run.begin, run.count};
    }
    bool supports(const Tool &tool, NameId verb) const {
        for (NameId supported : names(tool.verbs))
            if (supported == verb) return true;
        return false;
    }
    // Of an input of a verb; kAny where the verb does not name it.
    Type type(const Verb &verb, NameId input) const {
        for (const Input &known : inputs(verb))
            if (known.name == input) return known.type;
        return Type::kAny;
    }

    // The document as it was read: an object.
    value::TreeView document() const { return document_.view(); }

    // Of an alias table (aliases.h).
    struct Alias {
        NameId brief, full;
    };
    NameId full_key(NameId id) const { return entries_[id].full_key; }
    NameId brief_key(NameId id) const { return entries_[id].brief_key; }
    // The tables of a verb's params and of a tool's.
    std::span<const Alias> verb_aliases(NameId verb) const {
        return aliases(entries_[verb].verb_aliases);
    }
    std::span<const Alias> tool_aliases(NameId tool) const {
        return aliases(entries_[tool].tool_aliases);
    }

private:
    friend class LibraryReader;

    struct NameEntry {  // of a name, in each of its meanings; 0: it has not that one
        NameId full_verb, brief_verb, full_key, brief_key;
        uint32_t verb, tool;  // one more than the place
        Range verb_aliases, tool_aliases;
    };
    std::span<const Alias> aliases(Range run) const {
        return {aliases_.data() + run.begin, run.count};
    }

    NameId add(std::string_view text);
    void add_built_in();

    value::JsonReader reader_;
    value::Value document_;
    NameTable names_;
    Buffer<NameEntry> entries_;
    Buffer<Verb> verbs_;
    Buffer<Tool> tools_;
    Buffer<Input> inputs_;
    Buffer<NameId> lists_;
    Buffer<Alias> aliases_;
};

}  // namespace accp::sacp
