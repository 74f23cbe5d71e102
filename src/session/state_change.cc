// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See shared_state.h: a change on its way out.
#include <charconv>

#include "session/changes.h"
#include "session/members.h"
#include "session/shared_state.h"

namespace accp::session {

namespace {

struct Compared {
    value::TreeView old;
    value::TreeView next;
    SharedState::Scratch &scratch;

    // Equal by value, whatever the order of members and the spelling of numbers.
    Status same(uint32_t before, uint32_t after, bool &out) {
        scratch.left.clear();
        scratch.right.clear();
        Arena::Mark mark = scratch.arena.mark();
        Status status = value::write_hash_form(old, before, scratch.arena, scratch.left);
        if (status.ok()) status = value::write_hash_form(next, after, scratch.arena, scratch.right);
        scratch.arena.rewind(mark);
        out = std::string_view(scratch.left.data(), scratch.left.size()) ==
              std::string_view(scratch.right.data(), scratch.right.size());
        return status;
    }

    // Appends the cells of a row that differ. `fits` is false where a merge cannot say it.
    Status cells(uint32_t before, uint32_t after, Buffer<char> &out, bool &fits) {
        fits = old[before].kind == ACCP_MAP && next[after].kind == ACCP_MAP;
        if (!fits) return {};
        Arena::Mark mark = scratch.arena.mark();
        Changes known(scratch.arena, old[before].len);
        known.add_all(old, before, Change::kSet, false);
        known.sort();
        Members members(out);
        Status status;
        for (uint32_t i = after + 1; status.ok() && i < next[after].next; i = next[i].next) {
            Change *was = known.find(next.key(i));
            bool equal = false;
            if (was) was->done = true, status = same(was->node, i, equal);
            if (equal) continue;
            fits = fits && next[i].kind != ACCP_NULL;
            members.add(next, i);
        }
        for (uint32_t i = before + 1; i < old[before].next; i = old[i].next) {
            if (known.find(old.key(i))->done) continue;
            members.key(old.key(i));
            out.append("null", 4);
        }
        members.end();
        scratch.arena.rewind(mark);
        return status;
    }
};

// Is there a null among the new values? Then removals are named apart.
bool sets_null(value::TreeView old, value::TreeView next, uint32_t map, Changes &known) {
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        if (next[i].kind != ACCP_NULL) continue;
        const Change *was = known.find(next.key(i));
        if (!was || old[was->node].kind != ACCP_NULL) return true;
    }
    return false;
}

void put_removed(value::TreeView old, Changes &known, Buffer<char> &out) {
    out.append(",\"rm\":[");
    bool first = true;
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        if (known.find(old.key(i))->done) continue;
        if (!first) out.push(',');
        first = false;
        value::write_json_string(old.key(i), out);
    }
    out.push(']');
}

}  // namespace

Status SharedState::write_change(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                                 Buffer<char> &out, bool &changed) const {
    if (version_ == kMaxSeq)
        return fail(ACCP_E2003, 0,
                    "no version is left: the last is 2^63 - 2; go on in another session");
    const size_t start = out.size();
    out.append("{\"version\":");
    char digits[24];
    out.append(
        {digits, static_cast<size_t>(
                     std::to_chars(digits, digits + sizeof digits, version_ + 1).ptr - digits)});
    Status status;
    if (version_) {
        scratch.arena.reset();
        status = read_state(scratch);
        if (status.ok()) status = write_delta(next, map, merge, scratch, out, changed);
    } else {
        out.append(",\"state\":");
        const size_t state = out.size();
        value::write_json(next, map, out);
        changed = true;
        if (out.size() - state > kMaxSharedBytes)
            status =
                fail_limit(out.size() - state, kMaxSharedBytes,
                           "too many bytes in the shared state: keep large values as refs", map);
    }
    out.push('}');
    if (status.failed()) out.resize_down(start);
    return status;
}

// The members in their order; a row goes as its cells where that is shorter.
Status SharedState::write_delta(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                                Buffer<char> &out, bool &changed) const {
    value::TreeView old = scratch.old_state.view();
    Changes known(scratch.arena, old[0].len);
    known.add_all(old, 0, Change::kSet, false);
    known.sort();
    const bool names_removed = sets_null(old, next, map, known);
    Compared compared = {old, next, scratch};
    const size_t start = out.size();
    out.append(",\"delta\":");
    scratch.merge.clear();
    Members delta(out), merged(scratch.merge);
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        Change *was = known.find(next.key(i));
        bool equal = false, fits = false;
        Status status;
        if (was) was->done = true, status = compared.same(was->node, i, equal);
        scratch.whole.clear();
        scratch.cells.clear();
        if (status.ok() && !equal) value::write_json(next, i, scratch.whole);
        if (status.ok() && !equal && was && merge)
            status = compared.cells(was->node, i, scratch.cells, fits);
        if (status.failed()) return status;
        if (equal) continue;
        fits = fits && scratch.cells.size() < scratch.whole.size();
        (fits ? merged : delta).key(next.key(i));
        const Buffer<char> &text = fits ? scratch.cells : scratch.whole;
        (fits ? scratch.merge : out).append(text);
    }
    bool removes = false;
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        if (known.find(old.key(i))->done) continue;
        removes = true;
        if (names_removed) continue;
        delta.key(old.key(i));
        out.append("null");
    }
    changed = removes || !delta.empty() || !merged.empty();
    delta.end();
    merged.end();
    if (delta.empty() && !merged.empty() && !names_removed) out.resize_down(start);
    if (!merged.empty()) {
        out.append(",\"merge\":");
        out.append(scratch.merge);
    }
    if (names_removed) put_removed(old, known, out);
    return {};
}

}  // namespace accp::session
