// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds values in JSON without white space, which is known to be valid, and resolves references.
#include "sacp/run/data_flow.h"

#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

bool opens(char c) { return c == '{' || c == '['; }
bool closes(char c) { return c == '}' || c == ']'; }

// Returns the position after the string at `from`.
const char *skip_string(const char *from) {
    for (++from; *from != '"'; ++from)
        if (*from == '\\') ++from;
    return from + 1;
}

// Returns the position after the value at `from`.
const char *skip_value(const char *from, const char *end) {
    uint32_t depth = 0;
    do {
        if (*from == '"') {
            from = skip_string(from);
        } else {
            if (opens(*from)) ++depth;
            else if (closes(*from)) --depth;
            ++from;
        }
    } while (depth);
    // The rest of a number or a word.
    while (from < end && *from != ',' && !closes(*from)) ++from;
    return from;
}

std::string_view value_at(const char *from, const char *end) {
    return {from, static_cast<size_t>(skip_value(from, end) - from)};
}

std::string_view find_item(std::string_view array, uint32_t index) {
    const char *at = array.data() + 1, *end = array.data() + array.size();
    while (at < end && *at != ']') {
        if (!index--) return value_at(at, end);
        at = skip_value(at, end) + 1;
    }
    return {};
}

}  // namespace

std::string_view find_member(std::string_view object, std::string_view key) {
    const char *at = object.data() + 1, *end = object.data() + object.size();
    while (at < end && *at == '"') {
        const char *colon = skip_string(at);
        const std::string_view own(at, static_cast<size_t>(colon - at));
        if (own == key) return value_at(colon + 1, end);
        at = skip_value(colon + 1, end) + 1;
    }
    return {};
}

std::string_view find_path(std::string_view json, std::string_view labels, Buffer<char> &scratch) {
    while (!labels.empty() && json.data()) {
        const std::string_view label = take_label(labels);
        uint32_t index;
        if (json[0] == '{') {
            scratch.clear();
            value::write_json_string(label, scratch);
            json = find_member(json, scratch.view());
        } else if (json[0] == '[' && read_label_number(label, 0, index)) {
            json = find_item(json, index);
        } else {
            return {};
        }
    }
    return json;
}

void write_as_text(std::string_view json, Buffer<char> &out) {
    const char *at = json.data(), *end = at + json.size(), *written = at;
    while (at < end) {
        if (*at != '"') {
            ++at;
            continue;
        }
        const char *after = skip_string(at++);
        const std::string_view text(at, static_cast<size_t>(after - at - 1));
        const bool is_key = after < end && *after == ':';
        if (!is_key && read_reference(text).kind != Reference::kText) {
            out.append(written, static_cast<size_t>(at - written));
            out.push('$');
            written = at;
        }
        at = after;
    }
    out.append(written, static_cast<size_t>(end - written));
}

bool has_type(std::string_view json, Type type) {
    const char first = json[0];
    if (first == 'n') return true;
    const bool number = first == '-' || ('0' <= first && first <= '9');
    switch (type) {
        case Type::kAny: return true;
        case Type::kString: return first == '"';
        case Type::kNumber: return number;
        case Type::kInteger: return number && json.find_first_of(".eE") == std::string_view::npos;
        case Type::kBoolean: return first == 't' || first == 'f';
        case Type::kArray: return first == '[';
        case Type::kObject: return first == '{';
    }
    return false;
}

bool DataFlow::has_references(uint32_t begin, uint32_t end) const {
    for (uint32_t i = begin; i < end; ++i)
        if (tree()[i].kind == ACCP_STRING && tree()[i].len && tree().text[tree()[i].offset] == '$')
            return true;
    return false;
}

// Limits the length and depth of composed texts, so that no plan grows without bound by copying its
// outputs.
DataFlow::Fault DataFlow::finish_text(Fault fault, size_t begin, const Target &target,
                                      Buffer<char> &out) const {
    if (fault == Fault::kNone &&
        (out.size() > target.end || find_too_deep(out.view().substr(begin))))
        fault = Fault::kTooLong;
    if (fault != Fault::kNone) out.resize_down(begin);
    return fault;
}

DataFlow::Fault DataFlow::write_params(uint32_t step, uint64_t max, Buffer<char> &out) {
    const Part &own = progress_.program.part(step);
    const size_t begin = out.size();
    const Target target = {progress_.parts[step].scope, begin + max};
    const bool joins = own.verb == kJoin && !tree().find(own.params, "branches");
    if (!joins && !has_references(own.params + 1, tree()[own.params].next)) {
        value::write_json(tree(), own.params, out);
        return Fault::kNone;
    }
    Fault fault = write_value(own.params, target, out);
    if (fault == Fault::kNone && joins) {
        out.resize_down(out.size() - 1);
        out.append(tree()[own.params].len ? ",\"branches\":" : "\"branches\":");
        fault = write_branches(step, target, out);
        out.push('}');
    }
    return finish_text(fault, begin, target, out);
}

// Writes the outputs of the parallel before a join.
DataFlow::Fault DataFlow::write_branches(uint32_t step, const Target &target,
                                         Buffer<char> &out) const {
    uint32_t before = step - 1;
    while (progress_.program.part(before).parent != progress_.program.part(step).parent)
        before = progress_.program.part(before).parent;
    const uint64_t left = target.end > out.size() ? target.end - out.size() : 0;
    return write_output(before, left, out) ? Fault::kNone : Fault::kTooLong;
}

void DataFlow::write_as_written(uint32_t step, Buffer<char> &out) const {
    value::write_json(tree(), progress_.program.part(step).params, out);
}

DataFlow::Fault DataFlow::write_ctx(uint32_t number, uint64_t max, Buffer<char> &out) {
    const Scope &scope = progress_.program.scope(number);
    const uint32_t ctx = scope.node(kCtx);
    if (!ctx) return Fault::kNone;
    const size_t begin = out.size();
    if (scope.outer == kNoPart || !has_references(ctx + 1, tree()[ctx].next)) {
        value::write_json(tree(), ctx, out);
        return Fault::kNone;
    }
    const Target target = {scope.outer, begin + max};
    return finish_text(write_value(ctx, target, out), begin, target, out);
}

DataFlow::Fault DataFlow::write_value(uint32_t node, const Target &target, Buffer<char> &out) {
    const uint8_t kind = tree()[node].kind;
    if (kind == ACCP_STRING) return write_string(node, target, out);
    if (value::is_container(kind)) return write_container(node, target, out);
    value::write_json(tree(), node, out);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_container(uint32_t node, const Target &target, Buffer<char> &out) {
    const bool map = tree()[node].kind == ACCP_MAP;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < tree()[node].next; i = tree()[i].next) {
        if (i != node + 1) out.push(',');
        if (map) {
            value::write_json_string(tree().key(i), out);
            out.push(':');
        }
        const Fault fault = write_value(i, target, out);
        if (fault != Fault::kNone) return fault;
    }
    out.push(map ? '}' : ']');
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_string(uint32_t node, const Target &target, Buffer<char> &out) {
    const std::string_view text = tree().string(node);
    const Reference reference = read_reference(text);
    if (reference.is_reference()) return write_reference(node, target, out);
    value::write_json_string(reference.kind == Reference::kEscaped ? text.substr(1) : text, out);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_slice(std::string_view json, const Target &target,
                                      Buffer<char> &out) const {
    if (out.size() + json.size() > target.end) return Fault::kTooLong;
    out.append(json);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_reference(uint32_t node, const Target &target, Buffer<char> &out) {
    Reference reference = read_reference(tree().string(node));
    std::string_view found;
    if (reference.kind == Reference::kCtx) {
        found = find_ctx(target.scope, reference.labels);
        return found.data() ? write_slice(found, target, out) : Fault::kUnresolved;
    }
    if (reference.kind == Reference::kStep) {
        const uint32_t part = progress_.program.find_part(target.scope, reference.labels);
        if (!progress_.program.is_step(
                part)) {  // a path to a part that is not a step has no further labels
            const uint64_t left = target.end > out.size() ? target.end - out.size() : 0;
            return write_output(part, left, out) ? Fault::kNone : Fault::kTooLong;
        }
        found = progress_.text(progress_.parts[part].output);
    } else {
        uint32_t number = 0;
        (void)read_label_number(take_label(reference.labels), 1, number);
        found = progress_.text(
            progress_.scopes[progress_.program.subtask_scope(target.scope, number)].output);
    }
    found = find_path(found, reference.labels, scratch_);
    if (!found.data() && progress_.scopes[target.scope].dry) found = "null";
    return found.data() ? write_slice(found, target, out) : Fault::kUnresolved;
}

// The ctx of a message overrides that of the outer message.
std::string_view DataFlow::find_ctx(uint32_t scope, std::string_view labels) {
    const std::string_view first = take_label(labels);
    for (; scope != kNoPart; scope = progress_.program.scope(scope).outer) {
        const TextSlice ctx = progress_.scopes[scope].ctx;
        if (!ctx.len) continue;
        const std::string_view found = find_path(progress_.text(ctx), first, scratch_);
        if (found.data()) return find_path(found, labels, scratch_);
    }
    return {};
}

bool DataFlow::write_output(uint32_t part, uint64_t max, Buffer<char> &out) const {
    while (progress_.program.part(part).kind == Part::kList) part = progress_.parts[part].count;
    if (progress_.program.is_step(part)) {
        const std::string_view own = progress_.text(progress_.parts[part].output);
        if (own.size() > max) return false;
        out.append(own);
        return true;
    }
    const size_t begin = out.size();
    out.push('[');
    const Part &own = progress_.program.part(part);
    for (uint32_t i = part + 1; i < own.end; i = progress_.program.part(i).end) {
        if (i != part + 1) out.push(',');
        const uint64_t used = out.size() - begin;
        if (used > max || !write_output(i, max - used, out)) return false;
    }
    out.push(']');
    return out.size() - begin <= max;
}

uint32_t DataFlow::find_wrong_type(uint32_t step, std::string_view params, Type &wanted) {
    const Part &own = progress_.program.part(step);
    const Library &library = progress_.program.library();
    const Verb *verb = library.verb(own.verb);
    if (!verb) return 0;
    uint32_t index = 0;
    for (uint32_t i = own.params + 1; i < tree()[own.params].next; i = tree()[i].next, ++index) {
        if (tree()[i].kind != ACCP_STRING || !read_reference(tree().string(i)).is_reference())
            continue;  // its type was checked with the message
        wanted = library.type(*verb, progress_.program.scopes().names[own.names + index]);
        if (wanted == Type::kAny) continue;
        scratch_.clear();
        value::write_json_string(tree().key(i), scratch_);
        const std::string_view value = find_member(params, scratch_.view());
        if (!has_type(value, wanted)) return i;
    }
    return 0;
}

}  // namespace accp::sacp
