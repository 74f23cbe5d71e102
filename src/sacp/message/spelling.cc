// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/spelling.h"

#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::sacp {

bool Speller::check(value::TreeView tree, const Library &library, const value::JsonReader *origins,
                    Verdict &verdict) {
    tree_ = tree;
    library_ = &library;
    spelling_ = Spelling::kAsIs;
    receiver_ = nullptr;
    return checker_.check(tree, {&library, false, Checker::kShape, origins}, verdict);
}

bool Speller::spell(value::TreeView tree, const Library &library, Spelling spelling,
                    const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict) {
    if (!check(tree, library, origins, verdict)) return false;
    spelling_ = spelling;
    names_.clear();  // may have rest of a message that ran out of memory
    write_message(0, nullptr, out);
    return true;
}

bool Speller::compose(value::TreeView tree, const Library &library, const Receiver &receiver,
                      const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict) {
    if (!check(tree, library, origins, verdict)) return false;
    receiver_ = &receiver;
    names_.clear();
    write_message(0, nullptr, out);
    receiver_ = nullptr;
    return true;
}

// Returns whether a name is in a list that separates names by a line feed.
static bool is_in_list(std::string_view name, std::string_view list) {
    while (!list.empty()) {
        const std::string_view line = list.substr(0, list.find('\n'));
        if (line == name) return true;
        list.remove_prefix(line.size() < list.size() ? line.size() + 1 : line.size());
    }
    return false;
}

// Nested messages are intermediate results, so they may not ask for prose, except in a step whose
// tool is a formatter.
bool Speller::may_write_prose(const Scope &scope) const {
    if (!receiver_) return true;
    if (scope.outer == kNoPart) return receiver_->may_write_prose;
    if (scope.part == kNoPart) return false;
    const uint32_t verb = checker_.scopes().parts[scope.part].node + 1;
    return is_in_list(tree_.string(tree_[verb].next), receiver_->formatters);
}

bool Speller::is_omitted(const Scope &scope, Member member) const {
    const uint32_t node = scope.node(member);
    if (!node || member != kOutFmt) return !node;
    return tree_.string(node) == "raw" ||
           (tree_.string(node) == "human" && !may_write_prose(scope));
}

void Speller::write_member_name(std::string_view member, char &before, Buffer<char> &out) {
    out.push(before);
    before = ',';
    out.push('"');
    out.append(member);
    out.append("\":");
}

void Speller::write_message(uint32_t number, const NestedMessage *outer, Buffer<char> &out) {
    const Scope &scope = checker_.scopes().scopes[number];
    const size_t names = names_.size();
    const uint32_t ctx = scope.node(kCtx);
    const bool as_is =
        ctx && spelling_ != Spelling::kAsIs &&
        key_resolver_.resolve(*library_, AliasTable(*library_), spelling_, tree_, ctx, names_);
    const NestedMessage nested = {&scope, outer, spelling_ != Spelling::kAsIs && !as_is};
    char before = '{';
    for (uint32_t i = 0; i < kMembers; ++i) {
        const auto member = static_cast<Member>(i);
        if (member == kMsgId && !number && receiver_ && !scope.node(kMsgId) &&
            !receiver_->msg_id.empty()) {
            write_member_name(member_name(member), before, out);
            value::write_json_string(receiver_->msg_id, out);
        }
        if (is_omitted(scope, member)) continue;
        write_member_name(member_name(member), before, out);
        write_member(member, nested, names, out);
    }
    out.push('}');
    names_.resize_down(names);
}

void Speller::write_member(Member member, const NestedMessage &nested, size_t ctx_names,
                           Buffer<char> &out) {
    const Scope &scope = *nested.scope;
    const uint32_t node = scope.node(member);
    if (member == kPlan) return write_list(scope.first, scope.end, nested, out);
    if (member == kSubtaskMember) return write_subtasks(nested, out);
    if (member != kCtx || spelling_ == Spelling::kAsIs) return value::write_json(tree_, node, out);
    char before = '{';
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        out.push(before);
        before = ',';
        write_key(i, names_[ctx_names++], out);
        write_value(i, nested.outer, out);  // only a nested message has references in its own ctx
    }
    if (before == '{') out.push('{');
    out.push('}');
}

// Writes the direct parts of a plan or a list as an array.
void Speller::write_list(uint32_t begin, uint32_t end, const NestedMessage &nested,
                         Buffer<char> &out) {
    out.push('[');
    for (uint32_t i = begin; i < end; i = checker_.scopes().parts[i].end) {
        if (i != begin) out.push(',');
        write_part(i, nested, out);
    }
    out.push(']');
}

void Speller::write_part(uint32_t part, const NestedMessage &nested, Buffer<char> &out) {
    const Part &made = checker_.scopes().parts[part];
    if (made.kind == Part::kList) return write_list(part + 1, made.end, nested, out);
    if (made.kind == Part::kParallel) {
        out.append("{\"parallel\":");
        write_list(part + 1, made.end, nested, out);
        return out.push('}');
    }
    const uint32_t verb = made.node + 1, tool = tree_[verb].next;
    const NameId name = spelling_ == Spelling::kFull    ? made.verb
                        : spelling_ == Spelling::kBrief ? library_->brief_verb(made.verb)
                                                        : 0;
    out.push('[');
    value::write_json_string(name ? library_->text(name) : tree_.string(verb), out);
    out.push(',');
    value::write_json(tree_, tool, out);
    out.push(',');
    write_params(made, nested, out);
    out.push(']');
}

void Speller::write_params(const Part &step, const NestedMessage &nested, Buffer<char> &out) {
    if (spelling_ == Spelling::kAsIs && !step.subtask)
        return value::write_json(tree_, step.params, out);
    const size_t names = names_.size();
    key_resolver_.resolve(*library_, AliasTable(*library_, step.verb, step.tool), spelling_, tree_,
                          step.params, names_);
    const Scope *inner = step.inner ? &checker_.scopes().scopes[step.inner] : nullptr;
    size_t at = names;
    char before = '{';
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next) {
        out.push(before);
        before = ',';
        write_key(i, names_[at++], out);
        if (inner && i == step.subtask) write_message(step.inner, &nested, out);
        else write_value(i, &nested, out);
    }
    if (before == '{') out.push('{');
    out.push('}');
    names_.resize_down(names);
}

void Speller::write_subtasks(const NestedMessage &nested, Buffer<char> &out) {
    const Buffer<Scope> &scopes = checker_.scopes().scopes;
    const bool array = tree_[nested.scope->node(kSubtaskMember)].kind == ACCP_ARRAY;
    auto inner = static_cast<uint32_t>(nested.scope - scopes.data()) + 1;
    if (array) out.push('[');
    Scopes::each_subtask(tree_, *nested.scope, [&](uint32_t, uint32_t number) {
        if (number > 1) out.push(',');
        write_message(inner, &nested, out);
        inner = scopes[inner].end_scope;
        return true;
    });
    if (array) out.push(']');
}

void Speller::write_key(uint32_t node, NameId name, Buffer<char> &out) {
    value::write_json_string(name ? library_->text(name) : tree_.key(node), out);
    out.push(':');
}

void Speller::write_value(uint32_t node, const NestedMessage *nested, Buffer<char> &out) {
    if (!nested || !nested->renames_ctx) return value::write_json(tree_, node, out);
    const value::Node &own = tree_[node];
    if (own.kind == ACCP_STRING) return write_string(node, out);
    if (!value::is_container(own.kind)) return value::write_json(tree_, node, out);
    const bool map = own.kind == ACCP_MAP;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < own.next; i = tree_[i].next) {
        if (i != node + 1) out.push(',');
        if (map) write_key(i, 0, out);
        write_value(i, nested, out);
    }
    out.push(map ? '}' : ']');
}

// References to the ctx use the new names of its members.
void Speller::write_string(uint32_t node, Buffer<char> &out) {
    const std::string_view text = tree_.string(node);
    Reference reference = read_reference(text);
    if (reference.kind == Reference::kCtx && reference.is_sound()) {
        const std::string_view label = take_label(reference.labels);
        const NameId own = library_->find(label), name = respell(AliasTable(*library_), own);
        if (name != own) {
            text_.assign("$ctx.");
            text_.append(library_->text(name));
            text_.append(text.substr(5 + label.size()));
            return value::write_json_string(text_.view(), out);
        }
    }
    value::write_json_string(text, out);
}

}  // namespace accp::sacp
