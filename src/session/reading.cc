// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See reading.h.
#include "session/reading.h"

#include <charconv>

#include "frame/message/json.h"
#include "session/checkpoint_json.h"
#include "session/frames.h"
#include "session/kept_checkpoint.h"
#include "session/ref_name.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

// Digits alone, and no zero before others: each number has one spelling.
bool read_number(std::string_view digits, uint64_t &out) {
    const char *end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, out);
    return read.ec == std::errc{} && read.ptr == end && (digits[0] != '0' || digits.size() == 1);
}

// The child that a label names: of a map by its key, of an array by its index. 0: there is none.
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
Status cut_out(std::string_view labels, bool of_message, size_t start, Scratch &scratch,
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
    if (!is_found) return names_nothing();
    scratch.refs.untrusted = scratch.refs.untrusted || is_marked(value.view());
    out.resize_down(start);
    value::write_json(value.view(), node, out);
    return {};
}

// Is this record the last part of a message? Its frame is that part, and record.json the message.
bool is_end_of_parts(const Record &record, Scratch &scratch) {
    PartFrame frame;
    return record.has_json() && !record.json.empty() &&
           read_part(record.text, scratch, frame).ok() && frame.is_part;
}

// Puts the mark of what comes from outside into a message, an object.
void mark_untrusted(Buffer<char> &out) {
    while (out[out.size() - 1] != '}') out.resize_down(out.size() - 1);  // blanks
    out.resize_down(out.size() - 1);
    out.append(message::kUntrustedEnd);
}

// Appends the message of a record as JSON. One that came in has values in place of its refs, as
// those were of the sender's session.
Status message_of(const Reading &from, uint64_t place, Scratch &scratch, Buffer<char> &out) {
    Record record;
    RefScratch &in = scratch.refs;
    Status status = read_record(from.store, place, in.records, in.found, record);
    if (status.failed()) return status;
    if (record.kind == RecordKind::kMessage) {
        out.append(record.text);
        if (record.untrusted) mark_untrusted(out);
    } else if ((record.kind == RecordKind::kReceived && !record.json.empty()) ||
               is_end_of_parts(record, scratch)) {
        out.append(record.json);
    } else if (record.has_json()) {
        ReadAsWritten as(scratch.codec_inside);
        status = as.begin(from.store, from.written, place, scratch);
        if (status.ok())
            status =
                scratch.codec_inside.decode(record.text, {nullptr, record.untrusted, false}, out);
    } else {
        return names_nothing();
    }
    in.untrusted = in.untrusted || record.untrusted;
    return status;
}

// m17, of cold and of hot: the number of a record.
bool read_place(std::string_view key, uint64_t &place) {
    return key.size() > 1 && key[0] == 'm' && read_number(key.substr(1), place);
}

// Appends a checkpoint as JSON.
Status expand(Memory &memory, std::string_view kept, Buffer<char> &out) {
    Buffer<context::ContextFact> facts(memory);
    context::CheckpointView checkpoint;
    if (!read_checkpoint(kept, facts, checkpoint))
        return fail(ACCP_ERR_CORRUPT, 0, "a checkpoint that cannot be read");
    write_checkpoint(checkpoint, out);
    return {};
}

// One key of one tier, whole, appended.
Status look_up_key(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms,
                   Scratch &scratch, Buffer<char> &out) {
    if (tier == "hot" && key == "state") {
        if (!from.state) return read_state(from, scratch, out);
        out.append(from.state->json());
        scratch.refs.untrusted = from.state->untrusted;
        return {};
    }
    uint64_t place = 0;
    if ((tier == "cold" || tier == "hot") && read_place(key, place))
        return message_of(from, place, scratch, out);
    store::Tier where;
    std::string_view prefix;
    if (!find_tier(tier, where, prefix))
        return fail(ACCP_E2001, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMaxRefKeyBytes) return names_nothing();
    Buffer<char> &found = scratch.refs.found;
    Status status =
        from.store.blob(where, StoredKey(prefix, key).view(), static_cast<uint64_t>(now_ms), found);
    if (status.ok()) status = get_cold(from.cold, found);
    if (status.failed()) return status;
    const bool marked = !found.empty() && found[0] == kUntrustedBlank;
    scratch.refs.untrusted = scratch.refs.untrusted || marked;
    const std::string_view value = found.view().substr(marked);
    if (value.starts_with(kCheckpointMark)) return expand(scratch.memory, value, out);
    out.append(value);
    return {};
}

}  // namespace

Status look_up(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms,
               Scratch &scratch, Buffer<char> &out) {
    const size_t start = out.size();
    std::string_view whole = key;
    // the longest key first, then one label less, and so on
    for (uint32_t tries = 0; tries < kMaxRefLabels; ++tries) {
        Status status = look_up_key(from, tier, key, now_ms, scratch, out);
        if (status.ok() && key.size() < whole.size())
            status =
                cut_out(whole.substr(key.size() + 1), is_numbered(key, "m"), start, scratch, out);
        if (status.code != ACCP_E2001) return status;
        out.resize_down(start);
        size_t dot = key.rfind('.');
        if (dot == std::string_view::npos) return status;
        key = key.substr(0, dot);
    }
    return names_nothing();
}

Status resolve(const Reading &from, std::string_view ref, int64_t now_ms, Scratch &scratch,
               Buffer<char> &out) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    if (!is_ref_key(key)) return names_nothing();
    if (!tier.empty()) return look_up(from, tier, key, now_ms, scratch, out);
    Status status = look_up(from, "hot", key, now_ms, scratch, out);
    return status.code == ACCP_E2001 ? look_up(from, "warm", key, now_ms, scratch, out) : status;
}

Status read_record(store::StoreSession &store, uint64_t seq, store::StoreRecords &records,
                   Buffer<char> &bytes, Record &out) {
    if (!seq || seq > store.row().last) return names_nothing();
    Status status = store.scan(seq, seq, false, 0, records);
    if (status.failed()) return status;
    if (!records.size()) return fail(ACCP_ERR_CORRUPT, 0, "a record is missing");
    bytes.clear();
    bytes.append(records[0].bytes);
    return read_record(bytes.view(), out)
               ? Status{}
               : fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
}

}  // namespace accp::session
