// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verbs and tools that messages can use, and their short names. A library is read once from a
// document (SACP-RULES R14) and then constant, so any number of threads may use it.
#pragma once

#include <span>

#include "base/memory.h"
#include "base/random.h"
#include "sacp/message/message.h"

namespace accp::sacp {

// The number of a name. 0: a name that the library does not have.
using NameId = uint32_t;

// The names of a library: verbs, tools, inputs and short names. Each is looked up once and then
// compared by number.
class NameTable {
public:
    explicit NameTable(Memory &memory) : slots_(memory), texts_(memory), seed_(random_seed()) {}

    // Returns the number of a name, and adds it if it is new. The text must stay where it is and
    // have a Buffer's slack after it.
    NameId add(std::string_view text);
    // The text must have the same slack.
    [[gnu::always_inline]] NameId find(std::string_view text) const {
        return slots_.empty() ? 0 : slots_[place(key_of(text), text)].id;
    }

    // The highest number plus 1.
    uint32_t size() const { return static_cast<uint32_t>(texts_.size()) + 1; }
    std::string_view text(NameId id) const { return id ? texts_[id - 1] : std::string_view(); }

private:
    // The whole name if it has at most 16 bytes, else its first and last eight.
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

    Buffer<Slot> slots_;  // a power of two, at least twice the number of names
    Buffer<std::string_view> texts_;
    uint64_t seed_;
};

enum class Type : uint8_t { kAny, kString, kNumber, kInteger, kBoolean, kArray, kObject };

std::string_view type_name(Type type);
// Returns false for an unknown type.
bool find_type(std::string_view name, Type &out);
// The error text for a param of another type, to follow its name (R43).
const char *type_fault(Type type);
// Returns whether a value has the type; `null` has every type (R11).
bool has_type(value::TreeView tree, uint32_t node, Type type);

struct Input {
    NameId name;
    Type type;
};

// A range in one of the library's arrays.
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
    Range verbs;     // names of supported verbs
    Range fallback;  // names of tools
};

// Names that every library has: three verbs, which a document may not define (R10), and the names
// that the rules use.
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

// A library can come from a peer, so lists that are searched linearly have a limit.
constexpr uint32_t kMaxInputs = 256;   // of a verb; also aliases in one table of a verb or a tool
constexpr uint32_t kMaxListed = 4096;  // verbs of a tool, and its fallbacks

class Library {
public:
    explicit Library(Memory &memory);

    // Call it once; an empty text is an empty library. If it returns false, the library must not be
    // used.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict);

    [[gnu::always_inline]] NameId find(std::string_view text) const { return names_.find(text); }
    std::string_view text(NameId id) const { return names_.text(id); }
    uint32_t name_count() const { return names_.size(); }

    // Returns the full name of a verb; other names are returned unchanged.
    NameId full_verb(NameId id) const {
        return id && entries_[id].full_verb ? entries_[id].full_verb : id;
    }
    NameId brief_verb(NameId id) const {
        return id && entries_[id].brief_verb ? entries_[id].brief_verb : id;
    }
    // Finds a verb or tool by its full name. Returns nullptr if there is none.
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
    // The type of a verb's input; kAny for other names.
    Type type(const Verb &verb, NameId input) const {
        for (const Input &known : inputs(verb))
            if (known.name == input) return known.type;
        return Type::kAny;
    }

    // The document, an object.
    value::TreeView document() const { return document_.view(); }

    // A pair of an alias table (aliases.h).
    struct Alias {
        NameId brief, full;
    };
    NameId full_key(NameId id) const { return entries_[id].full_key; }
    NameId brief_key(NameId id) const { return entries_[id].brief_key; }
    // The alias tables of the params of a verb and of a tool.
    std::span<const Alias> verb_aliases(NameId verb) const {
        return aliases(entries_[verb].verb_aliases);
    }
    std::span<const Alias> tool_aliases(NameId tool) const {
        return aliases(entries_[tool].tool_aliases);
    }

private:
    friend class LibraryReader;

    struct NameEntry {  // all meanings of a name; 0 if it lacks one
        NameId full_verb, brief_verb, full_key, brief_key;
        uint32_t verb, tool;  // index plus 1
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
