// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/ref_lookup.h"

#include <charconv>

#include "base/sha256.h"
#include "frame/message/json.h"
#include "session/checkpoint_form.h"
#include "session/frames.h"
#include "session/ref_name.h"
#include "session/snapshot.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

// Reads digits without leading zeros, so that each number has one spelling.
bool read_number(std::string_view digits, uint64_t &out) {
    const char *end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, out);
    return read.ec == std::errc{} && read.ptr == end && (digits[0] != '0' || digits.size() == 1);
}

// Finds the child that a label names: by key in a map, by index in an array. 0: not found.
uint32_t child_of(value::TreeView tree, uint32_t node, std::string_view label) {
    if (tree[node].kind == ACCP_MAP) return tree.find(node, label);
    uint64_t index = 0;
    if (tree[node].kind != ACCP_ARRAY || !read_number(label, index) || index >= tree[node].len)
        return 0;
    uint32_t child = node + 1;
    for (; index; --index) child = tree[child].next;
    return child;
}

// Finds the node that the labels after a key lead to, starting at `from`.
bool descend(value::TreeView tree, std::string_view labels, uint32_t from, uint32_t &node) {
    for (node = from; !labels.empty();) {
        const size_t dot = labels.find('.');
        const uint32_t child = child_of(tree, node, labels.substr(0, dot));
        if (!child) return false;
        labels.remove_prefix(dot == std::string_view::npos ? labels.size() : dot + 1);
        node = child;
    }
    return true;
}

// Returns whether this object is marked as untrusted.
bool is_marked(value::TreeView tree) {
    const uint32_t mark = tree[0].kind == ACCP_MAP ? tree.find(0, "untrusted") : 0;
    return mark && message::is_untrusted_mark(tree[mark]);
}

// Replaces the JSON from `start` on by the part of it that the labels lead to. In a message the
// labels may also start at its payload. A part of an untrusted message is untrusted too, although
// it does not contain the mark.
Status select_part(std::string_view labels, bool of_message, size_t start, Scratch &scratch,
                   Buffer<char> &out) {
    value::Value &value = scratch.refs.value;
    Status status = scratch.refs.reader.read(out.data() + start, out.size() - start,
                                             {kMaxTextBytes, kMaxJsonDepth}, value);
    if (status.failed()) return status;
    uint32_t node = 0;
    bool is_found = descend(value.view(), labels, 0, node);
    if (!is_found && of_message) {
        const uint32_t payload = value.view().find(0, "payload");
        is_found = payload && descend(value.view(), labels, payload, node);
    }
    if (!is_found) return unknown_ref();
    scratch.refs.untrusted = scratch.refs.untrusted || is_marked(value.view());
    out.resize_down(start);
    value::write_json(value.view(), node, out);
    return {};
}

// Returns whether this record is the last part of a message: its frame is that part, and
// record.json the message.
bool is_end_of_parts(const Record &record, Scratch &scratch) {
    PartFrame frame;
    return record.has_json() && !record.json.empty() &&
           read_part(record.text, scratch, frame).ok() && frame.is_part;
}

// Adds the mark of an untrusted message to a JSON object.
void mark_untrusted(Buffer<char> &out) {
    while (out[out.size() - 1] != '}') out.resize_down(out.size() - 1);  // trailing blanks
    out.resize_down(out.size() - 1);
    out.append(message::kUntrustedEnd);
}

// Appends the message of a record as JSON. In a received message, refs are replaced by their
// values, because they belong to the sender's session.
Status message_of(const RefSource &from, uint64_t number, Scratch &scratch, Buffer<char> &out) {
    Record record;
    RefScratch &in = scratch.refs;
    Status status = read_record(from.store, number, in.records, in.found, record);
    if (status.failed()) return status;
    if (record.kind == RecordKind::kMessage) {
        out.append(record.text);
        if (record.untrusted) mark_untrusted(out);
    } else if ((record.kind == RecordKind::kReceived && !record.json.empty()) ||
               is_end_of_parts(record, scratch)) {
        out.append(record.json);
    } else if (record.has_json()) {
        RecordRegistryScope as(scratch.codec_inside);
        status = as.begin(from.store, from.written, number, scratch);
        if (status.ok())
            status =
                scratch.codec_inside.decode(record.text, {nullptr, record.untrusted, false}, out);
    } else {
        return unknown_ref();
    }
    in.untrusted = in.untrusted || record.untrusted;
    return status;
}

// Reads m17, a key of cold and of hot: the number of a record.
bool read_record_number(std::string_view key, uint64_t &number) {
    return key.size() > 1 && key[0] == 'm' && read_number(key.substr(1), number);
}

// Appends a checkpoint as JSON.
Status expand_checkpoint(Memory &memory, std::string_view kept, Buffer<char> &out) {
    Buffer<context::ContextFact> facts(memory);
    context::CheckpointView checkpoint;
    if (!read_checkpoint(kept, facts, checkpoint))
        return fail(ACCP_ERR_CORRUPT, 0, "a checkpoint in the store is damaged");
    write_checkpoint(checkpoint, out);
    return {};
}

Status get_cold(ColdStore *cold, Buffer<char> &found) {
    if (found.empty() || found[0] != kStubMark) return {};
    if (!cold)
        return fail(ACCP_ERR_ARG, 0,
                    "the value is in a cold store: set the cold store hooks of the engine");
    Digest name = {};
    if (found.size() != 1 + name.view().size())
        return fail(ACCP_ERR_CORRUPT, 0, "the reference to a value in the cold store is damaged");
    std::string_view(found.data() + 1, name.view().size()).copy(name.hex, name.view().size());
    std::string_view text;
    Status status = cold->get(name.view(), text);
    if (status.code == ACCP_E2001)
        return fail(ACCP_ERR_CORRUPT, 0, "the cold store has lost a value");
    if (status.failed()) return status;
    if (sha256(text).view() != name.view())
        return fail(ACCP_ERR_CORRUPT, 0, "the cold store returned another text than was stored");
    found.clear();
    found.append(text);
    return {};
}

// Appends the value of one key of one tier.
Status look_up_key(const RefSource &from, std::string_view tier, std::string_view key,
                   int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    if (tier == "hot" && key == "state") {
        if (!from.state) return read_state(from, scratch, out);
        out.append(from.state->json());
        scratch.refs.untrusted = from.state->untrusted;
        return {};
    }
    uint64_t number = 0;
    if ((tier == "cold" || tier == "hot") && read_record_number(key, number))
        return message_of(from, number, scratch, out);
    store::Tier where;
    std::string_view prefix;
    if (!find_tier(tier, where, prefix))
        return fail(ACCP_E2001, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMaxRefKeyBytes) return unknown_ref();
    Buffer<char> &found = scratch.refs.found;
    Status status =
        from.store.blob(where, StoredKey(prefix, key).view(), static_cast<uint64_t>(now_ms), found);
    if (status.ok()) status = get_cold(from.cold, found);
    if (status.failed()) return status;
    const bool marked = !found.empty() && found[0] == kUntrustedBlank;
    scratch.refs.untrusted = scratch.refs.untrusted || marked;
    const std::string_view value = found.view().substr(marked);
    if (value.starts_with(kCheckpointMark)) return expand_checkpoint(scratch.memory, value, out);
    out.append(value);
    return {};
}

}  // namespace

Status look_up(const RefSource &from, std::string_view tier, std::string_view key, int64_t now_ms,
               Scratch &scratch, Buffer<char> &out) {
    const size_t start = out.size();
    std::string_view whole = key;
    // try the longest key first, then one label less each time
    for (uint32_t tries = 0; tries < kMaxRefLabels; ++tries) {
        Status status = look_up_key(from, tier, key, now_ms, scratch, out);
        if (status.ok() && key.size() < whole.size())
            status = select_part(whole.substr(key.size() + 1), is_numbered(key, "m"), start,
                                 scratch, out);
        if (status.code != ACCP_E2001) return status;
        out.resize_down(start);
        size_t dot = key.rfind('.');
        if (dot == std::string_view::npos) return status;
        key = key.substr(0, dot);
    }
    return unknown_ref();
}

Status resolve(const RefSource &from, std::string_view ref, int64_t now_ms, Scratch &scratch,
               Buffer<char> &out) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    if (!is_ref_key(key)) return unknown_ref();
    if (!tier.empty()) return look_up(from, tier, key, now_ms, scratch, out);
    Status status = look_up(from, "hot", key, now_ms, scratch, out);
    return status.code == ACCP_E2001 ? look_up(from, "warm", key, now_ms, scratch, out) : status;
}

Status read_record(store::StoreSession &store, uint64_t seq, store::StoreRecords &records,
                   Buffer<char> &bytes, Record &out) {
    if (!seq || seq > store.row().last) return unknown_ref();
    Status status = store.scan(seq, seq, false, 0, records);
    if (status.failed()) return status;
    if (!records.size())
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the session is missing in the store");
    bytes.clear();
    bytes.append(records[0].bytes);
    return read_record(bytes.view(), out)
               ? Status{}
               : fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged");
}

// Reads the shared state of a session from its log.

namespace {

// Resolves values in cold of the other session. Other values that its frames refer to are stored
// with the frames.
class ForeignRefs final : public codec::RefResolver {
public:
    ForeignRefs(const RefSource &from, Scratch &scratch) : from_(from), scratch_(scratch) {}

    Status resolve(std::string_view ref, std::string_view &json) override {
        if (ref.substr(0, kColdPrefix.size()) != kColdPrefix)
            return fail(ACCP_E2001, 0, "the value of this ref is stored with its frame");
        scratch_.refs.resolved.recycle(kKeptBytes);
        Status status = look_up(from_, "cold", ref.substr(kColdPrefix.size()), 0, scratch_,
                                scratch_.refs.resolved);
        json = scratch_.refs.resolved.view();
        return status;
    }

private:
    const RefSource &from_;
    Scratch &scratch_;
};

// Reads the state in the newest snapshot, and the record of the snapshot. If a writer creates
// another snapshot in the meantime, both are read again.
Status read_snapshot(store::StoreSession &store, Scratch &scratch, SharedState &state,
                     uint64_t &number) {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
        Snapshot before, after;
        Status status = store.state(scratch.refs.found);
        Unpacker first(scratch.refs.found.view());
        if (status.ok()) status = before.read_head(first, nullptr);
        if (before.is_older) {
            number = 0;
            return {};
        }
        if (status.ok() && before.state_version) {
            status = store.blob(store::Tier::kWarm, kStateKey, 0, scratch.log.found);
            if (status.code == ACCP_E2001)
                return fail(ACCP_ERR_CORRUPT, 0,
                            "the session's shared state is missing in the store");
            if (status.ok()) status = store.state(scratch.refs.found);
            Unpacker second(scratch.refs.found.view());
            if (status.ok()) status = after.read_head(second, nullptr);
            if (status.ok() && before.record != after.record) continue;
            if (status.ok()) state.restore(before.state_version, scratch.log.found.view());
        }
        number = before.record;
        return status;
    }
    return fail(ACCP_ERR_BUSY, 0, "another process is writing the session: try again");
}

// Applies the message of a record to the state, if it is a state.
Status apply_state_record(const RefSource &from, uint64_t number, const Record &record,
                          Scratch &scratch, SharedState &state) {
    if (record.kind != RecordKind::kMessage && !record.has_json()) return {};
    message::Message message;
    RecordRegistryScope as(scratch.codec);
    Status status;
    if (record.kind == RecordKind::kMessage || !record.json.empty()) {
        const bool is_frame = record.kind != RecordKind::kMessage;
        status = read_message(is_frame ? record.json : record.text, scratch, message);
    } else {
        const std::string_view header = record.text.substr(0, record.text.find('{'));
        if (header.find(">sync:state") == std::string_view::npos) return {};
        ForeignRefs refs(from, scratch);
        status = as.begin(from.store, from.written, number, scratch);
        if (status.ok()) status = scratch.codec.parse(record.text);
        if (status.ok())
            status = scratch.codec.decode_parsed({&refs, record.untrusted, false}, message);
    }
    if (status.failed() || !message.is_state()) return status;
    status = state.apply(message.tree, message.payload, max_version_jump(record), scratch.state);
    if (status.ok()) state.take(message.untrusted || record.untrusted);
    return record.kind == RecordKind::kMessage ? Status{} : status;
}

}  // namespace

Status read_state(const RefSource &from, Scratch &scratch, Buffer<char> &out) {
    store::StoreSession &store = from.store;
    SharedState state(scratch.memory);
    uint64_t last = 0;
    Status status = store.row().version ? read_snapshot(store, scratch, state, last) : Status{};
    while (status.ok() && ++last <= store.row().last) {
        store::StoreRecords &found = scratch.log.records;
        status = store.scan(last, 0, false, kScanBytes, found);
        if (status.ok() && !found.size())
            return fail(ACCP_ERR_CORRUPT, 0, "records of the session are missing in the store");
        for (size_t i = 0; status.ok() && i < found.size(); ++i) {
            Record record;
            if (!read_record(found[i].bytes, record))
                return fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged");
            status = apply_state_record(from, found[i].seq, record, scratch, state);
            last = found[i].seq;
        }
    }
    if (status.failed()) return status;
    out.append(state.json());
    scratch.refs.untrusted = state.untrusted;
    return {};
}

}  // namespace accp::session
