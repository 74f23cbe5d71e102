// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See glance.h.
#include "sacp/library/glance.h"

#include "sacp/agents/states.h"

namespace accp::plan {

// What is known of a step's params while they are read.
struct Glance::Params {
    const Verb *verb;  // nullptr: nothing is known of it
    KeyTable table;
    NameId names[kMaxParams];
    uint32_t count = 0;
    uint32_t filled = 0;  // a bit for each that is not null
    bool renamed = false;

    Params(const Verb *verb, const KeyTable &table) : verb(verb), table(table) {}

    bool has_twins() const {
        for (uint32_t i = 1; i < count; ++i)
            for (uint32_t k = 0; k < i; ++k)
                if (names[i] && names[i] == names[k]) return true;
        return false;
    }
    bool has(NameId name) const {
        for (uint32_t i = 0; i < count; ++i)
            if (names[i] == name) return filled >> i & 1;
        return false;
    }
};

[[gnu::always_inline]] inline Glance::At Glance::ctx(At at) {
    Level level;
    if (peek(at) != '{' || !(at = open(at, level))) return nullptr;
    while (level.more) {
        std::string_view name;
        Types types;
        if (!(at = key(at, level, name)) || !(at = value(at, false, types)) ||
            (name == "test_mode" && types != kBooleanBits) || !(at = go_on(at, level)))
            return nullptr;
    }
    return at;
}

// Names::find() reads a word at once.
[[gnu::always_inline]] inline bool Glance::find(std::string_view text, NameId &out) const {
    if (end_ - text.data() < 8) return false;
    out = library_.find(text);
    return true;
}

[[gnu::always_inline]] inline Glance::At Glance::param(At at, Params &params,
                                                       std::string_view key) {
    NameId own;
    Types types;
    if (params.count == kMaxParams || !find(key, own) || !(at = value(at, true, types)))
        return nullptr;
    const NameId name = params.table.full(own);
    if (name == kSubtask) return nullptr;
    if (params.verb && name && !(types & type_bit(library_.type(*params.verb, name))))
        return nullptr;
    params.renamed |= name != own;
    params.filled |= uint32_t{types != kNullBits} << params.count;
    params.names[params.count++] = name;
    return at;
}

[[gnu::always_inline]] inline Glance::At Glance::params(At at, Params &params) {
    Level level;
    if (peek(at) != '{' || !(at = open(at, level))) return nullptr;
    while (level.more) {
        std::string_view name;
        if (!(at = key(at, level, name)) || !(at = param(at, params, name)) ||
            !(at = go_on(at, level)))
            return nullptr;
    }
    if (params.renamed && params.has_twins()) return nullptr;
    if (!params.verb) return at;
    for (NameId wanted : library_.names(params.verb->required))
        if (!params.has(wanted) || library_.text(wanted).starts_with("ctx.")) return nullptr;
    return at;
}

[[gnu::always_inline]] inline Glance::At Glance::step(At at, bool may_join) {
    std::string_view verb_text, tool_text;
    NameId verb_name, tool_name;
    if (!(at = pass(at, '[')) || !(at = string(at, verb_text)) || !(at = pass(at, ',')) ||
        !(at = string(at, tool_text)) || !(at = pass(at, ',')) || verb_text.empty() ||
        tool_text.empty() || !find(verb_text, verb_name) || !find(tool_text, tool_name))
        return nullptr;
    verb_name = library_.full_verb(verb_name);
    const bool joins = verb_name == kJoin;
    if ((verb_name && verb_name <= kInstantiate) && !(joins && may_join)) return nullptr;
    const Verb *verb = library_.verb(verb_name);
    const Tool *tool = library_.tool(tool_name);
    if (verb && tool ? !library_.supports(*tool, verb_name)
                     : strict_ && !(joins && tool_name == kMerge))
        return nullptr;
    Params own(verb, KeyTable(library_, verb_name, tool_name));
    return (at = params(at, own)) ? pass(at, ']') : nullptr;
}

// What stands in a plan, or in a list that is a branch, with the bracket that ends it.
[[gnu::noinline]] Glance::At Glance::parts(At at, uint32_t parallels) {
    for (bool may_join = false;;) {
        if (peek(at) == '{') {
            at = parallel(at, parallels + 1);
            may_join = true;
        } else {
            at = step(at, may_join);
            may_join = false;
        }
        if (!at) return nullptr;
        if (peek(at) == ']') return at + 1;
        if (!(at = pass(at, ','))) return nullptr;
    }
}

// Calls itself, and parts(), at most as often as parallels may be inside one another.
[[gnu::noinline]] Glance::At Glance::parallel(At at, uint32_t parallels) {
    std::string_view name;
    if (at >= last_ || parallels > kMaxParallels || !(at = string(at + 1, name)) ||
        name != "parallel" || !(at = pass(at, ':')) || !(at = pass(at, '[')))
        return nullptr;
    for (;;) {
        if (at >= last_) return nullptr;
        const char inner = text_[at[1]];
        if (peek(at) == '{') at = parallel(at, parallels + 1);
        else if (peek(at) == '[' && (inner == '[' || inner == '{')) at = parts(at + 1, parallels);
        else at = step(at, false);
        if (!at) return nullptr;
        if (peek(at) == ']') return pass(at + 1, '}');
        if (!(at = pass(at, ','))) return nullptr;
    }
}

[[gnu::always_inline]] inline Glance::At Glance::member(At at, Member member) {
    std::string_view text;
    Types types;
    const auto take = [&](At next, bool sound) { return next && sound ? next : nullptr; };
    switch (member) {
        case kGoal: at = string(at, text); return take(at, !text.empty());
        case kCtx: return ctx(at);
        case kPlan: return peek(at) == '[' ? parts(at + 1, 0) : nullptr;
        case kOutFmt: at = string(at, text); return take(at, find_out_fmt(text) != OutFmt::kNone);
        case kState:
            at = string(at, text);
            return take(at, find_state(Version::k01, text) != kNoState);
        case kMsgId:
        case kReplyTo: at = string(at, text); return take(at, is_id(text));
        case kProtoVer: at = string(at, text); return take(at, text == "0.1" || text == "0.1.0");
        case kTestMode: at = scalar(at, false, types); return take(at, types == kBooleanBits);
        case kResult:
        case kExt: return peek(at) == '{' ? container(at, false, types) : nullptr;
        default: return nullptr;
    }
}

bool Glance::accepts() {
    At at = first_;
    if (at == last_ || peek(at) != '{' ||
        std::memchr(text_, '\\', static_cast<size_t>(end_ - text_)))
        return false;
    Level level;
    uint32_t seen = 0;
    if (!(at = open(at, level))) return false;
    while (level.more) {
        std::string_view name;
        if (!(at = string(at, name)) || !(at = pass(at, ':'))) return false;
        const Member own = find_member(name);
        if (own == kMembers || seen >> own & 1 || !(at = member(at, own)) ||
            !(at = go_on(at, level)))
            return false;
        seen |= 1u << own;
    }
    return at == last_ && seen >> kGoal & seen >> kPlan & 1;
}

}  // namespace accp::plan
