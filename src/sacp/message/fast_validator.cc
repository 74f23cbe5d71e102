// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/fast_validator.h"

#include "base/bytes.h"
#include "sacp/message/message.h"
#include "value/number.h"

namespace accp::sacp {

// The text has no backslash. A string ends at the last quote before the next index entry, because
// only white space separates them.
[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::string(Cursor at,
                                                                      std::string_view &out) const {
    const uint32_t begin = at[0], next = at[1];
    if (text_[begin] != '"' || next <= begin) return nullptr;
    const char *close = text_ + next - 1;
    while (__builtin_expect(*close != '"', 0)) --close;
    out = {text_ + begin + 1, static_cast<size_t>(close - text_ - begin - 1)};
    return at + 1;
}

// Passes a comma, or the end of the container.
[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::pass_separator(Cursor at,
                                                                              Level &level) {
    level.has_more = peek(at) == ',';
    if (level.has_more) return at + 1;
    key_count_ = level.first;
    return pass(at, level.closing);
}

// Passes the opening bracket, and the closing one if the container is empty.
[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::open(Cursor at, Level &level) const {
    if (at >= last_) return nullptr;
    level = {0, key_count_, static_cast<char>(peek(at) + 2),
             true};  // in ASCII the closing bracket is two after the opening one
    ++at;
    level.has_more = peek(at) != level.closing;
    return at + !level.has_more;
}

// Passes a key that is new in its object, and its colon.
[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::key(Cursor at, Level &level,
                                                                   std::string_view &out) {
    if (!(at = string(at, out)) || out.size() - 1 >= kMaxKey || key_count_ == kMaxKeys)
        return nullptr;
    const auto first = static_cast<unsigned char>(out.front()),
               last = static_cast<unsigned char>(out.back());
    const uint64_t own = uint64_t{1} << ((first + last * 8u + out.size()) & 63);
    if (__builtin_expect((level.seen & own) != 0, 0))
        for (uint32_t i = level.first; i < key_count_; ++i)
            if (std::string_view(keys_[i].text, keys_[i].len) == out) return nullptr;
    level.seen |= own;
    keys_[key_count_++] = {out.data(), out.size()};
    return pass(at, ':');
}

inline JsonScanner::Cursor JsonScanner::literal(Cursor at, std::string_view word) const {
    const char *p = text_ + *at;
    const bool is_it = static_cast<size_t>(end_ - p) >= word.size() &&
                       word == std::string_view(p, word.size()) &&
                       ends_token(p + word.size(), end_);
    return is_it ? at + 1 : nullptr;
}

[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::number(Cursor at,
                                                                      Types &types) const {
    const char *p = text_ + *at;
    types = kIntegerBits;
    if (*p != '0') {
        const char *end = p;
        while (end < end_ && is_digit(static_cast<unsigned char>(*end))) ++end;
        if (end > p && ends_token(end, end_)) return at + 1;
    }
    const value::NumberToken token = value::scan_number(p, end_);
    if (!token.len || !ends_token(p + token.len, end_)) return nullptr;
    if (std::string_view(p, token.len).find_first_of(".eE") != std::string_view::npos)
        types = kNumberBits;
    return at + 1;
}

[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::scalar(Cursor at, bool references,
                                                                      Types &types) const {
    std::string_view text;
    const char c = peek(at);
    if (c == '"') {
        types = kTextBits;
        at = string(at, text);
        return at && !(references && *text.data() == '$') ? at : nullptr;
    }
    if (c == 't' || c == 'f') {
        types = kBooleanBits;
        return literal(at, c == 't' ? "true" : "false");
    }
    if (c != 'n') return number(at, types);
    types = kNullBits;
    return literal(at, "null");
}

[[gnu::always_inline]] inline JsonScanner::Cursor JsonScanner::value(Cursor at, bool references,
                                                                     Types &types) {
    const char c = peek(at);
    return c == '{' || c == '[' ? container(at, references, types) : scalar(at, references, types);
}

// Each iteration passes one value with its key and closes the containers that end there.
[[gnu::noinline]] inline JsonScanner::Cursor JsonScanner::container(Cursor at, bool references,
                                                                    Types &types) {
    Level levels[kMaxDepth];
    uint32_t depth = 0;
    types = peek(at) == '{' ? kObjectBits : kArrayBits;
    for (std::string_view name;;) {
        const char c = peek(at);
        bool has_more = false;
        if (c == '{' || c == '[') {
            if (depth == kMaxDepth || !(at = open(at, levels[depth]))) return nullptr;
            has_more = levels[depth].has_more;
            depth += has_more;
        } else {
            Types own;
            if (!(at = scalar(at, references, own))) return nullptr;
        }
        while (!has_more) {
            if (!depth) return at;
            if (!(at = pass_separator(at, levels[depth - 1]))) return nullptr;
            has_more = levels[depth - 1].has_more;
            depth -= !has_more;
        }
        if (levels[depth - 1].closing == '}' && !(at = key(at, levels[depth - 1], name)))
            return nullptr;
    }
}

// The params of the step that is being read.
struct FastValidator::Params {
    const Verb *verb;  // nullptr: unknown verb
    AliasTable table;
    NameId names[kMaxParams];
    uint32_t count = 0;
    uint32_t filled = 0;  // a bit for each param that is not null
    bool renamed = false;

    Params(const Verb *verb, const AliasTable &table) : verb(verb), table(table) {}

    bool has_duplicates() const {
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

[[gnu::always_inline]] inline FastValidator::Cursor FastValidator::ctx(Cursor at) {
    Level level;
    if (peek(at) != '{' || !(at = open(at, level))) return nullptr;
    while (level.has_more) {
        std::string_view name;
        Types types;
        if (!(at = key(at, level, name)) || !(at = value(at, false, types)) ||
            (name == "test_mode" && types != kBooleanBits) || !(at = pass_separator(at, level)))
            return nullptr;
    }
    return at;
}

// NameTable::find() reads eight bytes at once.
[[gnu::always_inline]] inline bool FastValidator::find(std::string_view text, NameId &out) const {
    if (end_ - text.data() < 8) return false;
    out = library_.find(text);
    return true;
}

[[gnu::always_inline]] inline FastValidator::Cursor FastValidator::param(Cursor at, Params &params,
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

[[gnu::always_inline]] inline FastValidator::Cursor FastValidator::params(Cursor at,
                                                                          Params &params) {
    Level level;
    if (peek(at) != '{' || !(at = open(at, level))) return nullptr;
    while (level.has_more) {
        std::string_view name;
        if (!(at = key(at, level, name)) || !(at = param(at, params, name)) ||
            !(at = pass_separator(at, level)))
            return nullptr;
    }
    if (params.renamed && params.has_duplicates()) return nullptr;
    if (!params.verb) return at;
    for (NameId wanted : library_.names(params.verb->required))
        if (!params.has(wanted) || library_.text(wanted).starts_with("ctx.")) return nullptr;
    return at;
}

[[gnu::always_inline]] inline FastValidator::Cursor FastValidator::step(Cursor at, bool may_join) {
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
    Params own(verb, AliasTable(library_, verb_name, tool_name));
    return (at = params(at, own)) ? pass(at, ']') : nullptr;
}

// Passes the parts of a plan, or of a list that is a branch, and the closing bracket.
[[gnu::noinline]] FastValidator::Cursor FastValidator::parts(Cursor at, uint32_t parallels) {
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

// The recursion with parts() is bounded by kMaxParallels.
[[gnu::noinline]] FastValidator::Cursor FastValidator::parallel(Cursor at, uint32_t parallels) {
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

[[gnu::always_inline]] inline FastValidator::Cursor FastValidator::member(Cursor at,
                                                                          Member member) {
    std::string_view text;
    Types types;
    const auto take = [&](Cursor next, bool sound) { return next && sound ? next : nullptr; };
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

bool FastValidator::accepts() {
    Cursor at = first_;
    if (at == last_ || peek(at) != '{' ||
        std::memchr(text_, '\\', static_cast<size_t>(end_ - text_)))
        return false;
    Level level;
    uint32_t seen = 0;
    if (!(at = open(at, level))) return false;
    while (level.has_more) {
        std::string_view name;
        if (!(at = string(at, name)) || !(at = pass(at, ':'))) return false;
        const Member own = find_member(name);
        if (own == kMembers || seen >> own & 1 || !(at = member(at, own)) ||
            !(at = pass_separator(at, level)))
            return false;
        seen |= 1u << own;
    }
    return at == last_ && seen >> kGoal & seen >> kPlan & 1;
}

}  // namespace accp::sacp
