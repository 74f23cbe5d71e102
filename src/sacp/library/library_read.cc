// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A library's document: what it must have, and what may not be in it (SACP-RULES R14).
#include "base/text.h"
#include "sacp/library/library.h"

namespace accp::plan {

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
    bool read_keys(uint32_t table);
    bool read_scopes(uint32_t scopes, Run Library::Facts::*pairs);
    bool read_pairs(uint32_t table, Run &out);

    // Each element of an array, or child of a map, until one is refused.
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
    // A member that must be there, of a kind; `out` is its node.
    bool member(uint32_t parent, std::string_view key, uint8_t kind, const char *details,
                uint32_t &out) {
        out = tree_.find(parent, key);
        if (!out) return refuse(Code::kMISSING_FIELD, details, parent);
        return is(out, kind, details);
    }
    // The same of one that may be absent: 0.
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

namespace {

constexpr std::string_view kLibraryMembers[] = {"verbs", "tools", "aliases"};
constexpr std::string_view kTables[] = {"keys", "verbs", "verb_params", "tool_params"};

}  // namespace

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
            return is_name(i,
                           "the inputs of a verb are an array of names, or an object of types") &&
                   add_input(tree_.string(i), Type::kAny, i, out);
        });
    return is(inputs, ACCP_MAP,
              "the inputs of a verb are an array of names, or an object of types") &&
           each(inputs, [&](uint32_t i) {
               Type type = Type::kAny;
               if (!is(i, ACCP_STRING, "the type of an input is a string")) return false;
               if (!find_type(tree_.string(i), type))
                   return refuse(Code::kINVALID_TYPE,
                                 "a type is string, number, integer, boolean, array, object or any",
                                 i);
               return add_input(tree_.key(i), type, i, out);
           });
}

bool LibraryReader::read_required(uint32_t list, Verb &out) {
    out.required = {static_cast<uint32_t>(library_.lists_.size()), 0};
    return !list || each(list, [&](uint32_t i) {
        if (!is(i, ACCP_STRING, "required has names of inputs")) return false;
        const NameId id = library_.find(tree_.string(i));
        bool input = false;
        for (const Input &known : library_.inputs(out)) input |= known.name == id;
        if (!input || !id)
            return refuse(Code::kMISSING_FIELD, "required names what is no input of the verb", i);
        library_.lists_.push(id);
        return ++out.required.count <= kMaxInputs ||
               refuse(Code::kLIMIT, "required has more than 256 names", i);
    });
}

bool LibraryReader::read_verb(uint32_t verb) {
    uint32_t name, description, list;
    const uint32_t inputs = tree_.find(verb, "inputs");
    if (!is(verb, ACCP_MAP, "a verb is an object") ||
        !member(verb, "name", ACCP_STRING, "a verb has a name, a string", name) ||
        !is_name(name, "the name of a verb is empty") ||
        !member(verb, "description", ACCP_STRING, "a verb has a description, a string",
                description))
        return false;
    if (!inputs) return refuse(Code::kMISSING_FIELD, "a verb has inputs", verb);
    if (!tree_.find(verb, "outputs"))
        return refuse(Code::kMISSING_FIELD, "a verb has outputs", verb);
    Verb made{library_.add(tree_.string(name)), verb, {}, {}};
    if (library_.verb(made.name))
        return refuse(Code::kMALFORMED_MESSAGE, "this verb is there already, or built in", name);
    if (!read_inputs(inputs, made) ||
        !optional(verb, "required", ACCP_ARRAY, "required is an array of names", list) ||
        !read_required(list, made))
        return false;
    name_outputs(tree_.find(verb, "outputs"));
    library_.verbs_.push(made);
    library_.facts_[made.name].verb = static_cast<uint32_t>(library_.verbs_.size());
    return true;
}

// What a verb makes has names too, for whoever plans with it.
void LibraryReader::name_outputs(uint32_t outputs) {
    if (tree_[outputs].kind == ACCP_STRING) library_.add(tree_.string(outputs));
    if (!value::is_container(tree_[outputs].kind)) return;
    const bool map = tree_[outputs].kind == ACCP_MAP;
    for (uint32_t i = outputs + 1; i < tree_[outputs].next; i = tree_[i].next)
        if (map || tree_[i].kind == ACCP_STRING) library_.add(map ? tree_.key(i) : tree_.string(i));
}

bool LibraryReader::read_tool(uint32_t tool) {
    uint32_t id, description, list;
    if (!is(tool, ACCP_MAP, "a tool is an object") ||
        !member(tool, "id", ACCP_STRING, "a tool has an id, a string", id) ||
        !is_name(id, "the id of a tool is empty") ||
        !member(tool, "description", ACCP_STRING, "a tool has a description, a string",
                description) ||
        !member(tool, "supported_verbs", ACCP_ARRAY, "a tool has supported_verbs, an array", list))
        return false;
    const NameId name = library_.add(tree_.string(id));
    if (library_.tool(name))
        return refuse(Code::kMALFORMED_MESSAGE, "this tool is there already", id);
    library_.tools_.push({name, tool, {}, {}});
    library_.facts_[name].tool = static_cast<uint32_t>(library_.tools_.size());
    return true;
}

// When all tools are known.
bool LibraryReader::read_tool_lists(Tool &tool) {
    Buffer<NameId> &lists = library_.lists_;
    uint32_t fallback;
    tool.verbs.begin = static_cast<uint32_t>(lists.size());
    if (!each(tree_.find(tool.node, "supported_verbs"), [&](uint32_t i) {
            if (!is(i, ACCP_STRING, "supported_verbs has names of verbs")) return false;
            const NameId verb = library_.find(tree_.string(i));
            if (!library_.verb(verb))
                return refuse(Code::kUNKNOWN_VERB, "supported_verbs names no verb", i);
            lists.push(verb);
            return ++tool.verbs.count <= kMaxListed ||
                   refuse(Code::kLIMIT, "a tool supports more than 4096 verbs", i);
        }))
        return false;
    tool.fallback.begin = static_cast<uint32_t>(lists.size());
    return optional(tool.node, "fallback", ACCP_ARRAY, "fallback is an array of tools", fallback) &&
           (!fallback || each(fallback, [&](uint32_t i) {
               if (!is(i, ACCP_STRING, "fallback has ids of tools")) return false;
               const NameId other = library_.find(tree_.string(i));
               if (!library_.tool(other))
                   return refuse(Code::kUNKNOWN_TOOL, "fallback names no tool", i);
               lists.push(other);
               return ++tool.fallback.count <= kMaxListed ||
                      refuse(Code::kLIMIT, "a tool has more than 4096 fallbacks", i);
           }));
}

bool LibraryReader::read_keys(uint32_t table) {
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias stands for a name")) return false;
        const NameId brief = library_.add(tree_.key(i)), full = library_.add(tree_.string(i));
        Buffer<Library::Facts> &facts = library_.facts_;
        if (brief == full || facts[brief].brief_key || facts[full].full_key ||
            facts[full].brief_key)
            return refuse(Code::kMALFORMED_MESSAGE, "an alias table is not one to one", i);
        facts[brief].full_key = full;
        facts[full].brief_key = brief;
        return true;
    });
}

bool LibraryReader::read_verb_aliases(uint32_t table) {
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias stands for a name")) return false;
        const NameId brief = library_.add(tree_.key(i)), full = library_.find(tree_.string(i));
        Buffer<Library::Facts> &facts = library_.facts_;
        if (library_.verb(brief))
            return refuse(Code::kMALFORMED_MESSAGE, "a verb's alias is a verb", i);
        if (!library_.verb(full))
            return refuse(Code::kUNKNOWN_VERB, "an alias stands for no verb", i);
        if (facts[full].brief_verb)
            return refuse(Code::kMALFORMED_MESSAGE, "an alias table is not one to one", i);
        facts[brief].full_verb = full;
        facts[full].brief_verb = brief;
        return true;
    });
}

bool LibraryReader::read_pairs(uint32_t table, Run &out) {
    Buffer<Library::Pair> &pairs = library_.pairs_;
    out.begin = static_cast<uint32_t>(pairs.size());
    return each(table, [&](uint32_t i) {
        if (!is_name(i, "an alias stands for a name")) return false;
        const Library::Pair made = {library_.add(tree_.key(i)), library_.add(tree_.string(i))};
        bool clash = made.brief == made.full;
        for (const Library::Pair &other : library_.pairs(out))
            clash |=
                other.full == made.full || other.brief == made.full || other.full == made.brief;
        if (clash) return refuse(Code::kMALFORMED_MESSAGE, "an alias table is not one to one", i);
        pairs.push(made);
        return ++out.count <= kMaxInputs ||
               refuse(Code::kLIMIT, "an alias table has more than 256 names", i);
    });
}

bool LibraryReader::read_scopes(uint32_t scopes, Run Library::Facts::*pairs) {
    return each(scopes, [&](uint32_t i) {
        Run made;
        if (!is(i, ACCP_MAP, "an alias table is an object") || !read_pairs(i, made)) return false;
        library_.facts_[library_.add(tree_.key(i))].*pairs = made;
        return true;
    });
}

bool LibraryReader::read_aliases(uint32_t aliases) {
    if (!is(aliases, ACCP_MAP, "aliases are an object")) return false;
    uint32_t tables[4];
    if (!each(aliases, [&](uint32_t i) {
            return is_among(tree_.key(i), kTables) ||
                   refuse(Code::kMALFORMED_MESSAGE,
                          "aliases have keys, verbs, verb_params and tool_params", i);
        }))
        return false;
    for (int i = 0; i < 4; ++i)
        if (!optional(aliases, kTables[i], ACCP_MAP, "an alias table is an object", tables[i]))
            return false;
    return (!tables[0] || read_keys(tables[0])) && (!tables[1] || read_verb_aliases(tables[1])) &&
           (!tables[2] || read_scopes(tables[2], &Library::Facts::verb_pairs)) &&
           (!tables[3] || read_scopes(tables[3], &Library::Facts::tool_pairs));
}

bool LibraryReader::read() {
    if (!is(0, ACCP_MAP, "a library is an object") || !each(0, [&](uint32_t i) {
            return is_among(tree_.key(i), kLibraryMembers) ||
                   refuse(Code::kMALFORMED_MESSAGE, "a library has verbs, tools and aliases", i);
        }))
        return false;
    uint32_t verbs, tools;
    if (!optional(0, "verbs", ACCP_ARRAY, "verbs are an array", verbs) ||
        (verbs && !each(verbs, [&](uint32_t i) { return read_verb(i); })) ||
        !optional(0, "tools", ACCP_ARRAY, "tools are an array", tools) ||
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

}  // namespace accp::plan
