// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See library.h.
#include "sacp/library/library.h"

namespace accp::plan {

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

// With the slack that Names asks for.
constexpr char kBuiltInNames[kBuiltIns - 1][32] = {
    "join", "define", "instantiate", "MERGE",  "subtask",
    "tool", "verb",   "description", "inputs", "outputs"};

constexpr Input kDefineInputs[] = {
    {kDescription, Type::kString}, {kInputs, Type::kArray}, {kOutputs, Type::kAny}};
constexpr Input kInstantiateInputs[] = {{kToolInput, Type::kString}, {kVerbInput, Type::kString}};

}  // namespace

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
      facts_(memory),
      verbs_(memory),
      tools_(memory),
      inputs_(memory),
      lists_(memory),
      pairs_(memory) {}

NameId Library::add(std::string_view text) {
    const NameId id = names_.add(text);
    while (facts_.size() <= id) facts_.push({});
    return id;
}

void Library::add_built_in() {
    facts_.push({});
    for (const char(&name)[32] : kBuiltInNames) add(name);
    const auto add_verb = [this](NameId name, std::span<const Input> inputs) {
        const Run all = {static_cast<uint32_t>(inputs_.size()),
                         static_cast<uint32_t>(inputs.size())};
        const Run required = {static_cast<uint32_t>(lists_.size()), all.count};
        inputs_.append(inputs.data(), inputs.size());
        for (const Input &input : inputs) lists_.push(input.name);
        verbs_.push({name, 0, all, required});
        facts_[name].verb = static_cast<uint32_t>(verbs_.size());
    };
    add_verb(kJoin, {});
    add_verb(kDefine, kDefineInputs);
    add_verb(kInstantiate, kInstantiateInputs);
}

}  // namespace accp::plan
