// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See data_flow.h.
#include "sacp/run/data_flow.h"

#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::execute {

bool DataFlow::refers(uint32_t begin, uint32_t end) const {
    for (uint32_t i = begin; i < end; ++i)
        if (tree()[i].kind == ACCP_STRING && tree()[i].len && tree().text[tree()[i].offset] == '$')
            return true;
    return false;
}

// What was made out of other texts is bounded in length and in depth, so that no plan grows
// without an end by copying what it has.
DataFlow::Fault DataFlow::end_text(Fault fault, size_t begin, const Place &place,
                                   Buffer<char> &out) const {
    if (fault == Fault::kNone &&
        (out.size() > place.end || plan::find_too_deep(out.view().substr(begin))))
        fault = Fault::kTooLong;
    if (fault != Fault::kNone) out.resize_down(begin);
    return fault;
}

DataFlow::Fault DataFlow::write_params(uint32_t step, uint64_t max, Buffer<char> &out) {
    const plan::Part &own = progress_.program.part(step);
    const size_t begin = out.size();
    const Place place = {progress_.parts[step].scope, begin + max};
    const bool joins = own.verb == plan::kJoin && !tree().find(own.params, "branches");
    if (!joins && !refers(own.params + 1, tree()[own.params].next)) {
        value::write_json(tree(), own.params, out);
        return Fault::kNone;
    }
    Fault fault = write_value(own.params, place, out);
    if (fault == Fault::kNone && joins) {
        out.resize_down(out.size() - 1);
        out.append(tree()[own.params].len ? ",\"branches\":" : "\"branches\":");
        fault = write_branches(step, place, out);
        out.push('}');
    }
    return end_text(fault, begin, place, out);
}

// Of the parallel directly before a join.
DataFlow::Fault DataFlow::write_branches(uint32_t step, const Place &place,
                                         Buffer<char> &out) const {
    uint32_t before = step - 1;
    while (progress_.program.part(before).parent != progress_.program.part(step).parent)
        before = progress_.program.part(before).parent;
    const uint64_t left = place.end > out.size() ? place.end - out.size() : 0;
    return write_output(before, left, out) ? Fault::kNone : Fault::kTooLong;
}

void DataFlow::write_as_written(uint32_t step, Buffer<char> &out) const {
    value::write_json(tree(), progress_.program.part(step).params, out);
}

DataFlow::Fault DataFlow::write_ctx(uint32_t number, uint64_t max, Buffer<char> &out) {
    const plan::Scope &scope = progress_.program.scope(number);
    const uint32_t ctx = scope.node(plan::kCtx);
    if (!ctx) return Fault::kNone;
    const size_t begin = out.size();
    if (scope.outer == plan::kNoPart || !refers(ctx + 1, tree()[ctx].next)) {
        value::write_json(tree(), ctx, out);
        return Fault::kNone;
    }
    const Place place = {scope.outer, begin + max};
    return end_text(write_value(ctx, place, out), begin, place, out);
}

DataFlow::Fault DataFlow::write_value(uint32_t node, const Place &place, Buffer<char> &out) {
    const uint8_t kind = tree()[node].kind;
    if (kind == ACCP_STRING) return write_string(node, place, out);
    if (value::is_container(kind)) return write_container(node, place, out);
    value::write_json(tree(), node, out);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_container(uint32_t node, const Place &place, Buffer<char> &out) {
    const bool map = tree()[node].kind == ACCP_MAP;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < tree()[node].next; i = tree()[i].next) {
        if (i != node + 1) out.push(',');
        if (map) {
            value::write_json_string(tree().key(i), out);
            out.push(':');
        }
        const Fault fault = write_value(i, place, out);
        if (fault != Fault::kNone) return fault;
    }
    out.push(map ? '}' : ']');
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_string(uint32_t node, const Place &place, Buffer<char> &out) {
    const std::string_view text = tree().string(node);
    const plan::Reference reference = plan::read_reference(text);
    if (reference.is_one()) return write_reference(node, place, out);
    value::write_json_string(reference.kind == plan::Reference::kEscaped ? text.substr(1) : text,
                             out);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_slice(std::string_view json, const Place &place,
                                      Buffer<char> &out) const {
    if (out.size() + json.size() > place.end) return Fault::kTooLong;
    out.append(json);
    return Fault::kNone;
}

DataFlow::Fault DataFlow::write_reference(uint32_t node, const Place &place, Buffer<char> &out) {
    plan::Reference reference = plan::read_reference(tree().string(node));
    std::string_view found;
    if (reference.kind == plan::Reference::kCtx) {
        found = find_ctx(place.scope, reference.labels);
        return found.data() ? write_slice(found, place, out) : Fault::kUnresolved;
    }
    if (reference.kind == plan::Reference::kStep) {
        const uint32_t part = progress_.program.find_part(place.scope, reference.labels);
        if (!progress_.program.is_step(part)) {  // no label leads further
            const uint64_t left = place.end > out.size() ? place.end - out.size() : 0;
            return write_output(part, left, out) ? Fault::kNone : Fault::kTooLong;
        }
        found = progress_.text(progress_.parts[part].output);
    } else {
        uint32_t number = 0;
        (void)plan::read_label_number(plan::take_label(reference.labels), 1, number);
        found = progress_.text(progress_.scopes[progress_.program.sub(place.scope, number)].output);
    }
    found = find_labels(found, reference.labels, scratch_);
    if (!found.data() && progress_.scopes[place.scope].dry) found = "null";
    return found.data() ? write_slice(found, place, out) : Fault::kUnresolved;
}

// The ctx of a message lies over that of the message around it.
std::string_view DataFlow::find_ctx(uint32_t scope, std::string_view labels) {
    const std::string_view first = plan::take_label(labels);
    for (; scope != plan::kNoPart; scope = progress_.program.scope(scope).outer) {
        const Slice ctx = progress_.scopes[scope].ctx;
        if (!ctx.len) continue;
        const std::string_view found = find_labels(progress_.text(ctx), first, scratch_);
        if (found.data()) return find_labels(found, labels, scratch_);
    }
    return {};
}

bool DataFlow::write_output(uint32_t part, uint64_t max, Buffer<char> &out) const {
    while (progress_.program.part(part).kind == plan::Part::kList)
        part = progress_.parts[part].count;
    if (progress_.program.is_step(part)) {
        const std::string_view own = progress_.text(progress_.parts[part].output);
        if (own.size() > max) return false;
        out.append(own);
        return true;
    }
    const size_t begin = out.size();
    out.push('[');
    const plan::Part &own = progress_.program.part(part);
    for (uint32_t i = part + 1; i < own.end; i = progress_.program.part(i).end) {
        if (i != part + 1) out.push(',');
        const uint64_t used = out.size() - begin;
        if (used > max || !write_output(i, max - used, out)) return false;
    }
    out.push(']');
    return out.size() - begin <= max;
}

uint32_t DataFlow::find_wrong_type(uint32_t step, std::string_view params, plan::Type &wanted) {
    const plan::Part &own = progress_.program.part(step);
    const plan::Library &library = progress_.program.library();
    const plan::Verb *verb = library.verb(own.verb);
    if (!verb) return 0;
    uint32_t index = 0;
    for (uint32_t i = own.params + 1; i < tree()[own.params].next; i = tree()[i].next, ++index) {
        if (tree()[i].kind != ACCP_STRING || !plan::read_reference(tree().string(i)).is_one())
            continue;  // its type is known from the message
        wanted = library.type(*verb, progress_.program.scopes().names[own.names + index]);
        if (wanted == plan::Type::kAny) continue;
        scratch_.clear();
        value::write_json_string(tree().key(i), scratch_);
        const std::string_view value = find_member(params, scratch_.view());
        if (!has_type(value, wanted)) return i;
    }
    return 0;
}

}  // namespace accp::execute
