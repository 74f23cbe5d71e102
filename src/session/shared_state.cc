// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/shared_state.h"

#include <algorithm>
#include <charconv>

#include "base/arena.h"
#include "base/sha256.h"
#include "value/json_writer.h"
#include "value/tree.h"

namespace accp::session {

namespace {

// Changes of the members of a map. They are found in logarithmic time, because both maps may be
// long.
struct MapChange {
    std::string_view key;
    uint32_t node;  // of the new value
    enum Kind : uint8_t { kSet, kMerge, kRemove } kind;
    bool done;
};

class MapChanges {
public:
    MapChanges(Arena &arena, uint32_t max) : items_(arena.allocate<MapChange>(max + 1)) {}

    void add(std::string_view key, uint32_t node, MapChange::Kind kind) {
        items_[count_++] = {key, node, kind, false};
    }
    // Adds every child of `map`. With `null_removes`, a null means a removal.
    void add_all(value::TreeView tree, uint32_t map, MapChange::Kind kind, bool null_removes) {
        for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
            add(tree.key(i), i,
                null_removes && tree[i].kind == ACCP_NULL ? MapChange::kRemove : kind);
    }
    // Call before find(). Returns the index, in the order of the keys, of a repeated key; 0: all
    // keys differ.
    uint32_t sort() {
        std::sort(items_, items_ + count_,
                  [](const MapChange &a, const MapChange &b) { return a.key < b.key; });
        for (uint32_t i = 1; i < count_; ++i)
            if (items_[i].key == items_[i - 1].key) return i;
        return 0;
    }
    MapChange *find(std::string_view key) {
        MapChange *end = items_ + count_;
        MapChange *at = std::lower_bound(
            items_, end, key,
            [](const MapChange &item, std::string_view wanted) { return item.key < wanted; });
        return at != end && at->key == key ? at : nullptr;
    }
    const MapChange &operator[](uint32_t i) const { return items_[i]; }

private:
    MapChange *items_;
    uint32_t count_ = 0;
};

}  // namespace

// Received changes.

namespace {

// The members of a payload; 0: missing.
struct Parts {
    uint32_t version, state, delta, merge, removed, hash;
};

Status read_parts(value::TreeView tree, uint32_t payload, Parts &out) {
    out = {tree.find(payload, "version"), tree.find(payload, "state"), tree.find(payload, "delta"),
           tree.find(payload, "merge"),   tree.find(payload, "rm"),    tree.find(payload, "sh")};
    auto is = [&](uint32_t node, uint8_t kind) { return !node || tree[node].kind == kind; };
    if (!out.version || !is(out.version, ACCP_INT))
        return fail(ACCP_E1004, out.version, "a state must have a version, an integer");
    if (!out.state && !out.delta && !out.merge)
        return fail(ACCP_E1004, payload, "a state must have a member state, delta or merge");
    for (uint32_t map : {out.state, out.delta, out.merge})
        if (!is(map, ACCP_MAP))
            return fail(ACCP_E1004, map, "state, delta and merge must be objects");
    if (out.state && (out.delta || out.merge))
        return fail(ACCP_E1004, out.state,
                    "a state must not have both state and a change (delta or merge)");
    if (!is(out.removed, ACCP_ARRAY))
        return fail(ACCP_E1004, out.removed, "rm must be an array of keys");
    if (!is(out.hash, ACCP_STRING))
        return fail(ACCP_E1004, out.hash, "sh must be hexadecimal text");
    return {};
}

Status read_version(value::TreeView tree, uint32_t node, int64_t &out) {
    std::string_view digits = tree.string(node);
    bool whole =
        std::from_chars(digits.data(), digits.data() + digits.size(), out).ec == std::errc{} &&
        out > 0 && out <= kMaxSeq;
    return whole ? Status{} : fail(ACCP_E1004, node, "a version must be from 1 to 2^63 - 2");
}

// Reads the changes, merges and removals of a delta.
Status read_changes(value::TreeView tree, const Parts &parts, MapChanges &out) {
    if (parts.delta) out.add_all(tree, parts.delta, MapChange::kSet, !parts.removed);
    if (parts.merge) out.add_all(tree, parts.merge, MapChange::kMerge, false);
    for (uint32_t i = parts.removed + 1; parts.removed && i < tree[parts.removed].next;
         i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING) return fail(ACCP_E1004, i, "rm must be an array of keys");
        out.add(tree.string(i), i, MapChange::kRemove);
    }
    uint32_t twice = out.sort();
    if (twice) return fail(ACCP_E1004, out[twice].node, "a member is changed twice");
    for (uint32_t i = parts.merge + 1; parts.merge && i < tree[parts.merge].next; i = tree[i].next)
        if (tree[i].kind != ACCP_MAP) return fail(ACCP_E1004, i, "merge has maps");
    return {};
}

// Applies a row of `merge` to the old row (0: it does not exist).
Status merge_row(value::TreeView old, uint32_t row, value::TreeView tree, uint32_t cells,
                 SharedState::Scratch &scratch, Buffer<char> &out) {
    if (row && old[row].kind != ACCP_MAP)
        return fail(ACCP_E1004, cells, "merge is applied to a member that is not an object");
    Arena::Mark mark = scratch.arena.mark();
    MapChanges changes(scratch.arena, tree[cells].len);
    changes.add_all(tree, cells, MapChange::kSet, true);
    changes.sort();
    value::ObjectWriter members(out);
    for (uint32_t i = row + 1; row && i < old[row].next; i = old[i].next) {
        MapChange *change = changes.find(old.key(i));
        if (change) change->done = true;
        if (!change) members.add(old, i);
        else if (change->kind == MapChange::kSet) members.add(tree, change->node);
    }
    for (uint32_t i = cells + 1; i < tree[cells].next; i = tree[i].next)
        if (MapChange *change = changes.find(tree.key(i));
            !change->done && change->kind == MapChange::kSet)
            members.add(tree, i);
    members.end();
    scratch.arena.rewind(mark);
    return {};
}

// Applies all changes to the old state. Its members keep their order.
Status apply_changes(value::TreeView old, value::TreeView tree, const Parts &parts,
                     MapChanges &changes, SharedState::Scratch &scratch, Buffer<char> &out) {
    value::ObjectWriter members(out);
    auto put = [&](uint32_t was, const MapChange &change) -> Status {
        if (change.kind == MapChange::kSet) members.add(tree, change.node);
        if (change.kind != MapChange::kMerge) return {};
        members.key(change.key);
        return merge_row(old, was, tree, change.node, scratch, out);
    };
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        MapChange *change = changes.find(old.key(i));
        if (change) change->done = true;
        else members.add(old, i);
        Status status = change ? put(i, *change) : Status{};
        if (status.failed()) return status;
    }
    for (uint32_t map : {parts.delta, parts.merge}) {
        for (uint32_t i = map + 1; map && i < tree[map].next; i = tree[i].next) {
            MapChange *change = changes.find(tree.key(i));
            Status status = change->done ? Status{} : put(0, *change);
            if (status.failed()) return status;
        }
    }
    members.end();
    return {};
}

}  // namespace

Status SharedState::read_state(Scratch &scratch) const {
    std::string_view text = json();
    return scratch.reader.read(text.data(), text.size(), {kMaxSharedBytes, kMaxJsonDepth},
                               scratch.old_state);
}

Status SharedState::apply(value::TreeView tree, uint32_t payload, int64_t jump, Scratch &scratch) {
    Parts parts;
    Status status = read_parts(tree, payload, parts);
    if (status.ok()) status = read_version(tree, parts.version, next_version_);
    if (status.failed()) return status;
    scratch.arena.reset();
    next_.clear();
    next_is_whole_ = parts.state != 0;
    if (parts.state) {
        if (next_version_ < version_)
            return out_of_order(parts.version, version_, "the state is older than the current one");
        if (next_version_ - version_ > jump)
            return out_of_order(parts.version, version_ + 1,
                                "the state skips more versions than rule jump allows");
        value::write_json(tree, parts.state, next_);
    } else {
        if (next_version_ != version_ + 1)
            return out_of_order(parts.version, version_ + 1,
                                "the change is for another version of the state");
        status = read_state(scratch);
        auto count = [&](uint32_t node) { return node ? tree[node].len : 0; };
        MapChanges changes(scratch.arena,
                           count(parts.delta) + count(parts.merge) + count(parts.removed));
        if (status.ok()) status = read_changes(tree, parts, changes);
        if (status.ok())
            status = apply_changes(scratch.old_state.view(), tree, parts, changes, scratch, next_);
        if (status.failed()) return status;
    }
    if (next_.size() > kMaxSharedBytes)
        return fail_limit(next_.size(), kMaxSharedBytes,
                          "too many bytes in the shared state: keep large values as refs", payload);
    return parts.hash ? check_result(tree, parts.hash, scratch) : Status{};
}

// Reports the received version and the expected one.
Status SharedState::out_of_order(uint32_t version, int64_t awaited, const char *message) const {
    return fail_limit(ACCP_E3003, version, message, static_cast<uint64_t>(next_version_),
                      static_cast<uint64_t>(awaited));
}

Status SharedState::check_result(value::TreeView tree, uint32_t hash, Scratch &scratch) const {
    std::string_view wanted = tree.string(hash);
    if (wanted.size() < kMinHashDigits || wanted.size() > sizeof(Digest::hex) - 1)
        return fail(ACCP_E1004, hash, "sh must have from 12 to 64 hexadecimal digits");
    Status status = scratch.reader.read(next_.data(), next_.size(),
                                        {kMaxSharedBytes, kMaxJsonDepth}, scratch.old_state);
    if (status.failed()) return move_to(status, hash);
    scratch.left.clear();
    status = value::write_hash_form(scratch.old_state.view(), 0, scratch.arena, scratch.left);
    if (status.failed()) return move_to(status, hash);
    bool same = sha256(scratch.left.view()).first(wanted.size()) == wanted;
    return same ? Status{} : fail(ACCP_E3003, hash, "the resulting state does not match sh");
}

void SharedState::take(bool from_outside) {
    untrusted = from_outside || (untrusted && !next_is_whole_);
    json_.clear();
    json_.append(next_);
    next_.recycle(0);
    version_ = next_version_;
}

void SharedState::restore(int64_t version, std::string_view json) {
    untrusted = !json.empty() && json[0] == ' ';
    json_.clear();
    json_.append(json.substr(untrusted));
    version_ = version;
}

// Sent changes.

namespace {

struct StateComparison {
    value::TreeView old;
    value::TreeView next;
    SharedState::Scratch &scratch;

    // Compares two values, independent of the order of members and the spelling of numbers.
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

    // Appends the changed cells of a row. If a merge cannot express the change, `fits` is false.
    Status cells(uint32_t before, uint32_t after, Buffer<char> &out, bool &fits) {
        fits = old[before].kind == ACCP_MAP && next[after].kind == ACCP_MAP;
        if (!fits) return {};
        Arena::Mark mark = scratch.arena.mark();
        MapChanges old_members(scratch.arena, old[before].len);
        old_members.add_all(old, before, MapChange::kSet, false);
        old_members.sort();
        value::ObjectWriter members(out);
        Status status;
        for (uint32_t i = after + 1; status.ok() && i < next[after].next; i = next[i].next) {
            MapChange *was = old_members.find(next.key(i));
            bool equal = false;
            if (was) was->done = true, status = same(was->node, i, equal);
            if (equal) continue;
            fits = fits && next[i].kind != ACCP_NULL;
            members.add(next, i);
        }
        for (uint32_t i = before + 1; i < old[before].next; i = old[i].next) {
            if (old_members.find(old.key(i))->done) continue;
            members.key(old.key(i));
            out.append("null", 4);
        }
        members.end();
        scratch.arena.rewind(mark);
        return status;
    }
};

// Returns whether a new value is null. Removals must then be listed in `rm`.
bool sets_null(value::TreeView old, value::TreeView next, uint32_t map, MapChanges &old_members) {
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        if (next[i].kind != ACCP_NULL) continue;
        const MapChange *was = old_members.find(next.key(i));
        if (!was || old[was->node].kind != ACCP_NULL) return true;
    }
    return false;
}

void put_removed(value::TreeView old, MapChanges &old_members, Buffer<char> &out) {
    out.append(",\"rm\":[");
    bool first = true;
    for (uint32_t i = 1; i < old[0].next; i = old[i].next) {
        if (old_members.find(old.key(i))->done) continue;
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
                    "no version is left: the last is 2^63 - 2; continue in another session");
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

// Writes the members in order. A row is sent as cells if that is shorter.
Status SharedState::write_delta(value::TreeView next, uint32_t map, bool merge, Scratch &scratch,
                                Buffer<char> &out, bool &changed) const {
    value::TreeView old = scratch.old_state.view();
    MapChanges old_members(scratch.arena, old[0].len);
    old_members.add_all(old, 0, MapChange::kSet, false);
    old_members.sort();
    const bool names_removed = sets_null(old, next, map, old_members);
    StateComparison compared = {old, next, scratch};
    const size_t start = out.size();
    out.append(",\"delta\":");
    scratch.merge.clear();
    value::ObjectWriter delta(out), merged(scratch.merge);
    for (uint32_t i = map + 1; i < next[map].next; i = next[i].next) {
        MapChange *was = old_members.find(next.key(i));
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
        if (old_members.find(old.key(i))->done) continue;
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
    if (names_removed) put_removed(old, old_members, out);
    return {};
}

}  // namespace accp::session
