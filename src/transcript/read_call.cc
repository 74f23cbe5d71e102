// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See read_work.h: a call of a tool, and what came of it.
#include "transcript/read_work.h"

namespace accp::transcript {

namespace {

// Around the arguments of a message: the message, and its payload.
constexpr uint32_t kOuterDepth = 2;

// Is it the text of an object? Then its tree is work.arguments.
bool read_object_text(std::string_view text, ReadWork &work) {
    if (work.limits.depth <= kOuterDepth) return false;
    const value::JsonLimits limits = {work.limits.bytes, work.limits.depth - kOuterDepth};
    return work.arguments_reader.read(text.data(), text.size(), limits, work.arguments).ok() &&
           work.arguments.view()[0].kind == ACCP_MAP;
}

}  // namespace

Status read_call(value::TreeView tree, uint32_t at, std::string_view name, std::string_view id,
                 uint32_t arguments, ReadWork &work) {
    if (!has_words(name)) return fail(ACCP_E1001, at, "a call names its tool");
    Call call;
    call.name = name, call.id = id;
    const uint8_t kind = arguments ? tree[arguments].kind : uint8_t{ACCP_NULL};
    if (kind == ACCP_MAP) {
        call.tree = tree, call.node = arguments, call.is_map = true;
    } else if (kind == ACCP_STRING) {
        call.text = tree.string(arguments);
        call.is_map = has_words(call.text) && read_object_text(call.text, work);
        if (call.is_map) call.tree = work.arguments.view();
    } else if (kind != ACCP_NULL) {
        return fail(ACCP_E1001, arguments, "arguments are an object, or its JSON as a text");
    }
    work.turn.add_call(call);
    work.calls.add(name, id);
    return {};
}

void end_outcome(std::string_view id, std::string_view name, bool is_error, ReadWork &work) {
    work.name.clear();
    if (!id.empty()) work.calls.take(id, work.name);
    if (work.name.empty()) work.name.append(name);
    work.out.add_outcome({work.name.view(), id, work.result.view(), is_error});
}

}  // namespace accp::transcript
