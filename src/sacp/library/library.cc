// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a library's document and checks its required and allowed members (SACP-RULES R14).
#include "sacp/library/library.h"

#include "base/text.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kTypes[] = {"any",     "string", "number", "integer",
                                       "boolean", "array",  "object"};

constexpr const char *kFaults[] = {
    "",
    " is not of type string for",
    " is not of type number for",
    " is not of type integer for",
    " is not of type boolean for",
    " is not of type array for",
    " is not of type object for",
};

// With the slack that NameTable needs.
constexpr char kBuiltInNames[kBuiltIns - 1][32] = {
    "join", "define", "instantiate", "MERGE",  "subtask",
    "tool", "verb",   "description", "inputs", "outputs"};

constexpr Input kDefineInputs[] = {
    {kDescription, Type::kString}, {kInputs, Type::kArray}, {kOutputs, Type::kAny}};
constexpr Input kInstantiateInputs[] = {{kToolInput, Type::kString}, {kVerbInput, Type::kString}};

constexpr std::string_view kLibraryMembers[] = {"verbs", "tools", "aliases"};
constexpr std::string_view kTables[] = {"keys", "verbs", "verb_params", "tool_params"};

}  // namespace

NameId NameTable::add(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) grow();
    const Key key = key_of(text);
    Slot &slot = slots_[place(key, text)];
    if (!slot.id) {
        texts_.push(text);
        slot = {key, static_cast<NameId>(texts_.size())};
    }
    return slot.id;
}

void NameTable::grow() {
    const size_t capacity = slots_.empty() ? 64 : 2 * slots_.size();
    slots_.clear();
    slots_.reserve(capacity);
    slots_.advance(capacity);
    for (Slot &slot : slots_) slot = {};
    for (uint32_t i = 0; i < texts_.size(); ++i) {
        const Key key = key_of(texts_[i]);
        slots_[place(key, texts_[i])] = {key, i + 1};
    }
}

std::string_view type_name(Type type) { return kTypes[static_cast<size_t>(type)]; }

bool find_type(std::string_view name, Type &out) {
    for (Type type : {Type::kAny, Type::kString, Type::kNumber, Type::kInteger, Type::kBoolean,
                      Type::kArray, Type::kObject})
        if (type_name(type) == name) return out = type, true;
    return false;
}

const char *type_fault(Type type) { return kFaults[static_cast<size_t>(type)]; }

bool has_type(value::TreeView tree, uint32_t node, Type type) {
    const uint8_t kind = tree[node].kind;
    if (kind == ACCP_NULL) return true;
    const bool number = value::is_number(kind);
    switch (type) {
        case Type::kAny: return true;
        case Type::kString: return kind == ACCP_STRING;
        case Type::kNumber: return number;
        case Type::kInteger:
            return kind == ACCP_INT ||
                   (number && tree.string(node).find_first_of(".eE") == std::string_view::npos);
        case Type::kBoolean: return kind == ACCP_BOOL;
        case Type::kArray: return kind == ACCP_ARRAY;
        case Type::kObject: return kind == ACCP_MAP;
    }
    return false;
}

Library::Library(Memory &memory)
    : reader_(memory),
      document_(memory),
      names_(memory),
      entries_(memory),
      verbs_(memory),
      tools_(memory),
      inputs_(memory),
      lists_(memory),
      aliases_(memory) {}

NameId Library::add(std::string_view text) {
    const NameId id = names_.add(text);
    while (entries_.size() <= id) entries_.push({});
    return id;
}

void Library::add_built_in() {
    entries_.push({});
    for (const char(&name)[32] : kBuiltInNames) add(name);
    const auto add_verb = [this](NameId name, std::span<const Input> inputs) {
        const Range all = {static_cast<uint32_t>(inputs_.size()),
                           static_cast<uint32_t>(inputs.size())};
        const Range required = {static_cast<uint32_t>(lists_.size()), all.count};
        inputs_.append(inputs.data(), inputs.size());
        for (const Input &input : inputs) lists_.push(input.name);
        verbs_.push({name, 0, all, required});
        entries_[name].verb = static_cast<uint32_t>(verbs_.size());
    };
    add_verb(kJoin, {});
    add_verb(kDefine, kDefineInputs);
    add_verb(kInstantiate, kInstantiateInputs);
}

using value::Node;

class LibraryReader {
public:
    LibraryReader(Library &library, Verdict &verdict)
        : library_(library), tree_(library.document_.view()), verdict_(verdict) {}

    bool read();

private:
    bool read_verb(uint32_t verb);
    bool read_inputs(uint32_t inputs, Verb &out);
    bool add_input(std::string_view name, Type type, uint32_t at, Verb &out);
    bool read_required(uint32_t list, Verb &out);
    void name_outputs(uint32_t outputs);
    bool read_tool(uint32_t tool);
    bool read_tool_lists(Tool &tool);
    bool read_aliases(uint32_t aliases);
    bool read_verb_aliases(uint32_t table);
    bool read_key_aliases(uint32_t table);
    bool read_scoped_aliases(uint32_t scopes, Range Library::NameEntry::*aliases);
    bool read_alias_table(uint32_t table, Range &out);

    // Calls visit(node) for each element or member until it returns false.
    template <class Visit>
    bool each(uint32_t parent, Visit visit) {
        for (uint32_t i = parent + 1; i < tree_[parent].next; i = tree_[i].next)
            if (!visit(i)) return false;
        return true;
    }
    bool refuse(Code code, const char *details, uint32_t node) {
        return verdict_.refuse(code, details, library_.reader_.origin(node).value);
    }
    bool is(uint32_t node, uint8_t kind, const char *details) {
        return tree_[node].kind == kind || refuse(Code::kINVALID_TYPE, details, node);
    }
    // Finds a required member of this kind; `out` is its node.
    bool member(uint32_t parent, std::string_view key, uint8_t kind, const char *details,
                uint32_t &out) {
        out = tree_.find(parent, key);
        if (!out) return refuse(Code::kMISSING_FIELD, details, parent);
        return is(out, kind, details);
    }
    // Finds an optional member of this kind; `out` is 0 if it is absent.
    bool optional(uint32_t parent, std::string_view key, uint8_t kind, const char *details,
                  uint32_t &out) {
        out = tree_.find(parent, key);
        return !out || is(out, kind, details);
    }
    bool is_name(uint32_t node, const char *details) {
        return is(node, ACCP_STRING, details) &&
               (tree_[node].len || refuse(Code::kINVALID_TYPE, details, node));
    }

    Library &library_;
    const value::TreeView tree_;
    Verdict &verdict_;
};

bool LibraryReader::add_input(std::string_view name, Type type, uint32_t at, Verb &out) {
    const NameId id = library_.add(name);
    for (uint32_t i = 0; i < out.inputs.count; ++i)
        if (library_.inputs_[out.inputs.begin + i].name == id)
            return refuse(Code::kMALFORMED_MESSAGE, "an input is named twice", at);
    if (out.inputs.count == kMaxInputs)
        return refuse(Code::kLIMIT, "a verb has more than 256 inputs", at);
    library_.inputs_.push({id, type});
    ++out.inputs.count;
    return true;
}

bool LibraryReader::read_inputs(uint32_t inputs, Verb &out) {
    out.inputs = {static_cast<uint32_t>(library_.inputs_.size()), 0};
    if (tree_[inputs].kind == ACCP_ARRAY)
        return each(inputs, [&](uint32_t i) {
            return is_name(
                       i, "the inputs of a verb must be an array of names or an object of types") &&
                   add_input(tree_.string(i), Type::kAny, i, out);
        });
    return is(inputs, ACCP_MAP,
              "the inputs of a verb must be an array of names or an object of types") &&
           each(inputs, [&](uint32_t i) {
               Type type = Type::kAny;
               if (!is(i, ACCP_STRING, "the type of an input must be a string")) return false;
               if (!find_type(tree_.string(i), type))
                   return refuse(
                       Code::kINVALID_TYPE,
                       "unknown type: use string, number, integer, boolean, array, object or any",
                       i);
               return add_input(tree_.key(i), type, i, out);
           });
}

bool LibraryReader::read_required(uint32_t list, Verb &out) {
    out.required = {static_cast<uint32_t>(library_.lists_.size()), 0};
    return !list || each(list, [&](uint32_t i) {
        if (!is(i, ACCP_STRING, "required must have names of inputs")) return false;
        const NameId id = library_.find(tree_.string(i));
        bool input = false;
        for (const Input &known : library_.inputs(out)) input |= known.name == id;
        if (!input || !id)
            return refuse(Code::kMISSING_FIELD, "a name in required is not an input of the verb",
                          i);
        library_.lists_.push(id);
        return ++out.required.count <= kMaxInputs ||
               refuse(Code::kLIMIT, "required has more than 256 names", i);
    });
}

bool LibraryReader::read_verb(uint32_t verb) {
    uint32_t name, description, list;
    const uint32_t inputs = tree_.find(verb, "inputs");
    if (!is(verb, ACCP_MAP, "a verb must be an object") ||
        !member(verb, "name", ACCP_STRING, "a verb must have a name, a string", name) ||
        !is_name(name, "the name of a verb is empty") ||
        !member(verb, "description", ACCP_STRING, "a verb must have a description, a string",
                description))
        return false;
    if (!inputs) return refuse(Code::kMISSING_FIELD, "a verb must have inputs", verb);
    if (!tree_.find(verb, "outputs"))
        return refuse(Code::kMISSING_FIELD, "a verb must have outputs", verb);
    Verb made{library_.add(tree_.string(name)), verb, {}, {}};
    if (library_.verb(made.name))
        return refuse(Code::kMALFORMED_MESSAGE, "the verb is already defined or built in", name);
    if (!read_inputs(inputs, made) ||
        !optional(verb, "required", ACCP_ARRAY, "required must be an array of names", list) ||
        !read_required(list, made))
        return false;
    name_outputs(tree_.find(verb, "outputs"));
    library_.verbs_.push(made);
    library_.entries_[made.name].verb = static_cast<uint32_t>(library_.verbs_.size());
    return true;
}

// Adds the names of a verb's outputs, which the planner uses.
void LibraryReader::name_outputs(uint32_t outputs) {
    if (tree_[outputs].kind == ACCP_STRING) library_.add(tree_.string(outputs));
    if (!value::is_container(tree_[outputs].kind)) return;
    const bool map = tree_[outputs].kind == ACCP_MAP;
    for (uint32_t i = outputs + 1; i < tree_[outputs].next; i = tree_[i].next)
        if (map || tree_[i].kind == ACCP_STRING) library_.add(map ? tree_.key(i) : tree_.string(i));
}

bool LibraryReader::read_tool(uint32_t tool) {
    uint32_t id, description, list;
    if (!is(tool, ACCP_MAP, "a tool must be an object") ||
        !member(tool, "id", ACCP_STRING, "a tool must have an id, a string", id) ||
        !is_name(id, "the id of a tool is empty") ||
        !member(tool, "description", ACCP_STRING, "a tool must have a description, a string",
                description) ||
        !member(tool, "supported_verbs", ACCP_ARRAY, "a tool must have supported_verbs, an array",
                list))
        return false;
    const NameId name = library_.add(tree_.string(id));
    if (library_.tool(name))
        return refuse(Code::kMALFORMED_MESSAGE, "the tool is already defined", id);
    library_.tools_.push({name, tool, {}, {}});
    library_.entries_[name].tool = static_cast<uint32_t>(library_.tools_.size());
    return true;
}

// Call this after all tools have been added.
bool LibraryReader::read_tool_lists(Tool &tool) {
    Buffer<NameId> &lists = library_.lists_;
    uint32_t fallback;
    tool.verbs.begin = static_cast<uint32_t>(lists.size());
    if (!each(tree_.find(tool.node, "supported_verbs"), [&](uint32_t i) {
            if (!is(i, ACCP_STRING, "supported_verbs must have names of verbs")) return false;
            const NameId verb = library_.find(tree_.string(i));
            if (!library_.verb(verb))
                return refuse(Code::kUNKNOWN_VERB, "a name in supported_verbs is not a verb", i);
            lists.push(verb);
            return ++tool.verbs.count <= kMaxListed ||
                   refuse(Code::kLIMIT, "a tool supports more than 4096 verbs", i);
        }))
        return false;
    tool.fallback.begin = static_cast<uint32_t>(lists.size());
    return optional(tool.node, "fallback", ACCP_ARRAY, "fallback must be an array of tools",
                    fallback) &&
           (!fallback || each(fallback, [&](uint32_t i) {
               if (!is(i, ACCP_STRING, "fallback must have ids of tools")) return false;
               const NameId other = library_.find(tree_.string(i));
               if (!library_.tool(other))
                   return refuse(Code::kUNKNOWN_TOOL, "an id in fallback is not a tool", i);
               lists.push(other);
               return ++tool.fallback.count <= kMaxListed ||
                      refuse(Code::kLIMIT, "a tool has more than 4096 fallbacks", i);
           }));
}

bool LibraryReader::read_key_aliases(uint32_t table) {
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias must map to a name")) return false;
        const NameId brief = library_.add(tree_.key(i)), full = library_.add(tree_.string(i));
        Buffer<Library::NameEntry> &entries = library_.entries_;
        if (brief == full || entries[brief].brief_key || entries[full].full_key ||
            entries[full].brief_key)
            return refuse(Code::kMALFORMED_MESSAGE, "an alias table must be one to one", i);
        entries[brief].full_key = full;
        entries[full].brief_key = brief;
        return true;
    });
}

bool LibraryReader::read_verb_aliases(uint32_t table) {
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias must map to a name")) return false;
        const NameId brief = library_.add(tree_.key(i)), full = library_.find(tree_.string(i));
        Buffer<Library::NameEntry> &entries = library_.entries_;
        if (library_.verb(brief))
            return refuse(Code::kMALFORMED_MESSAGE, "the alias of a verb is itself a verb", i);
        if (!library_.verb(full))
            return refuse(Code::kUNKNOWN_VERB, "an alias maps to an unknown verb", i);
        if (entries[full].brief_verb)
            return refuse(Code::kMALFORMED_MESSAGE, "an alias table must be one to one", i);
        entries[brief].full_verb = full;
        entries[full].brief_verb = brief;
        return true;
    });
}

bool LibraryReader::read_alias_table(uint32_t table, Range &out) {
    Buffer<Library::Alias> &aliases = library_.aliases_;
    out.begin = static_cast<uint32_t>(aliases.size());
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias must map to a name")) return false;
        const Library::Alias made = {library_.add(tree_.key(i)), library_.add(tree_.string(i))};
        bool clash = made.brief == made.full;
        for (const Library::Alias &other : library_.aliases(out))
            clash |=
                other.full == made.full || other.brief == made.full || other.full == made.brief;
        if (clash) return refuse(Code::kMALFORMED_MESSAGE, "an alias table must be one to one", i);
        aliases.push(made);
        return ++out.count <= kMaxInputs ||
               refuse(Code::kLIMIT, "an alias table has more than 256 names", i);
    });
}

bool LibraryReader::read_scoped_aliases(uint32_t scopes, Range Library::NameEntry::*aliases) {
    return each(scopes, [&](uint32_t i) {
        Range made;
        if (!is(i, ACCP_MAP, "an alias table must be an object") || !read_alias_table(i, made))
            return false;
        library_.entries_[library_.add(tree_.key(i))].*aliases = made;
        return true;
    });
}

bool LibraryReader::read_aliases(uint32_t aliases) {
    if (!is(aliases, ACCP_MAP, "aliases must be an object")) return false;
    uint32_t tables[4];
    if (!each(aliases, [&](uint32_t i) {
            return is_among(tree_.key(i), kTables) ||
                   refuse(Code::kMALFORMED_MESSAGE,
                          "unknown member of aliases: use keys, verbs, verb_params or tool_params",
                          i);
        }))
        return false;
    for (int i = 0; i < 4; ++i)
        if (!optional(aliases, kTables[i], ACCP_MAP, "an alias table must be an object", tables[i]))
            return false;
    return (!tables[0] || read_key_aliases(tables[0])) &&
           (!tables[1] || read_verb_aliases(tables[1])) &&
           (!tables[2] || read_scoped_aliases(tables[2], &Library::NameEntry::verb_aliases)) &&
           (!tables[3] || read_scoped_aliases(tables[3], &Library::NameEntry::tool_aliases));
}

bool LibraryReader::read() {
    if (!is(0, ACCP_MAP, "a library must be an object") || !each(0, [&](uint32_t i) {
            return is_among(tree_.key(i), kLibraryMembers) ||
                   refuse(Code::kMALFORMED_MESSAGE,
                          "unknown member of a library: use verbs, tools or aliases", i);
        }))
        return false;
    uint32_t verbs, tools;
    if (!optional(0, "verbs", ACCP_ARRAY, "verbs must be an array", verbs) ||
        (verbs && !each(verbs, [&](uint32_t i) { return read_verb(i); })) ||
        !optional(0, "tools", ACCP_ARRAY, "tools must be an array", tools) ||
        (tools && !each(tools, [&](uint32_t i) { return read_tool(i); })))
        return false;
    for (Tool &tool : library_.tools_)
        if (!read_tool_lists(tool)) return false;
    const uint32_t aliases = tree_.find(0, "aliases");
    return !aliases || read_aliases(aliases);
}

bool Library::read(std::string_view document, uint64_t max_bytes, Verdict &verdict) {
    add_built_in();
    if (document.empty()) document = "{}";
    return read_json(reader_, document, max_bytes, document_, verdict) &&
           LibraryReader(*this, verdict).read();
}

}  // namespace accp::sacp
