// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See refs.h: what a reference stands for, in this session and in another one.
#include <charconv>

#include "message/write.h"
#include "session/ref_name.h"
#include "session/refs.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

Status not_there() { return fail(ACCP_E2001, 0, "the reference names nothing"); }

// What the labels after a key lead to, from the root of `tree`.
bool descend(value::TreeView tree, std::string_view labels, uint32_t &node) {
    for (node = 0; !labels.empty();) {
        size_t dot = labels.find('.');
        std::string_view label = labels.substr(0, dot);
        labels.remove_prefix(dot == std::string_view::npos ? labels.size() : dot + 1);
        uint32_t child = 0;
        if (tree[node].kind == ACCP_MAP) child = tree.find(node, label);
        if (tree[node].kind == ACCP_ARRAY) {
            uint32_t index = 0;
            bool whole = std::from_chars(label.data(), label.data() + label.size(), index).ptr ==
                         label.data() + label.size();
            if (whole && index < tree[node].len)
                for (child = node + 1; index; --index) child = tree[child].next;
        }
        if (!child) return false;
        node = child;
    }
    return true;
}

}  // namespace

// One key of one tier, whole, appended.
Status Session::lookup_key(const Reading &from, std::string_view tier, std::string_view key,
                           int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    uint64_t place = 0;
    auto numbered = [&](char letter) {
        return key.size() > 1 && key[0] == letter &&
               std::from_chars(key.data() + 1, key.data() + key.size(), place).ptr ==
                   key.data() + key.size();
    };
    if (tier == "hot" && key == "state") {
        if (!from.state) return logged_state(from, scratch, out);
        out.append(from.state->json().data(), from.state->json().size());
        return {};
    }
    if ((tier == "cold" || tier == "hot") && numbered('m'))
        return message_of(from.store, place, scratch, out);
    store::Tier where;
    std::string_view prefix;
    if (!find_tier(tier, where, prefix))
        return fail(ACCP_E2001, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMaxRefKeyBytes) return not_there();
    Status status = from.store.blob(where, StoredKey(prefix, key).view(),
                                    static_cast<uint64_t>(now_ms), scratch.blob);
    if (status.ok()) status = get_cold(from.cold, scratch.blob);
    if (status.ok()) out.append(scratch.blob);
    return status;
}

// The longest of the first labels that is a key there; what the labels after it lead to.
Status Session::lookup(const Reading &from, std::string_view tier, std::string_view key,
                       int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    const size_t start = out.size();
    std::string_view whole = key;
    for (uint32_t labels = 0; labels < kMaxRefLabels; ++labels) {
        Status status = lookup_key(from, tier, key, now_ms, scratch, out);
        if (status.ok() && key.size() < whole.size())
            status = cut_out(whole.substr(key.size() + 1), start, scratch, out);
        if (status.code != ACCP_E2001) return status;
        out.resize_down(start);
        size_t dot = key.rfind('.');
        if (dot == std::string_view::npos) return status;
        key = key.substr(0, dot);
    }
    return not_there();
}

// Replaces the JSON from `start` on by the part of it that the labels lead to.
Status Session::cut_out(std::string_view labels, size_t start, Scratch &scratch,
                        Buffer<char> &out) {
    value::Value &value = scratch.state.old_state;
    Status status = scratch.state.reader.read(out.data() + start, out.size() - start,
                                              {kMaxTextBytes, kMaxJsonDepth}, value);
    if (status.failed()) return status;
    uint32_t node = 0;
    if (!descend(value.view(), labels, node)) return not_there();
    out.resize_down(start);
    value::write_json(value.view(), node, out);
    return {};
}

// Is its frame no message, but the part that made one whole?
bool Session::is_end_of_parts(const Record &record, Scratch &scratch) {
    accp_envelope envelope;
    delivery::MessagePart part;
    bool is_part = false;
    return record.has_json() && !record.json.empty() &&
           part_of(record.text, scratch, envelope, part, is_part).ok() && is_part;
}

// Puts the mark of what comes from outside into a message, an object.
void Session::mark_untrusted(Buffer<char> &out) {
    while (out[out.size() - 1] != '}') out.resize_down(out.size() - 1);  // blanks
    out.resize_down(out.size() - 1);
    out.append(message::kUntrustedEnd);
}

// The message of a record, in JSON; of one that came in with values in place of its refs, which are
// the sender's.
Status Session::message_of(store::StoreSession &store, uint64_t place, Scratch &scratch,
                           Buffer<char> &out) {
    Record record;
    Status status = read_record(store, place, scratch, scratch.blob, record);
    if (status.failed()) return status;
    if (record.kind == RecordKind::kMessage) {
        out.append(record.text);
        if (record.untrusted) mark_untrusted(out);
    } else if ((record.kind == RecordKind::kReceived && !record.json.empty()) ||
               is_end_of_parts(record, scratch)) {
        out.append(record.json);
    } else if (record.has_json()) {
        return scratch.codec_inside.decode(record.text, {nullptr, record.untrusted}, out);
    } else {
        return not_there();
    }
    return {};
}

Status Session::record(uint64_t seq, Scratch &scratch, Buffer<char> &bytes, Record &out) {
    Status status = current(scratch);
    return status.ok() ? read_record(*store_, seq, scratch, bytes, out) : status;
}

Status Session::read_record(store::StoreSession &store, uint64_t seq, Scratch &scratch,
                            Buffer<char> &bytes, Record &out) {
    if (!seq || seq > store.row().last) return not_there();
    Status status = store.scan(seq, seq, false, 0, scratch.records);
    if (status.failed()) return status;
    if (!scratch.records.size()) return fail(ACCP_ERR_CORRUPT, 0, "a record is missing");
    bytes.clear();
    std::string_view found = scratch.records[0].bytes;
    bytes.append(found);
    return accp::session::read_record({bytes.data(), bytes.size()}, out)
               ? Status{}
               : fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
}

Status Session::resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = current(scratch);
    return status.ok() ? resolve_now(ref, now_ms, scratch, out) : status;
}

Status Session::resolve_now(std::string_view ref, int64_t now_ms, Scratch &scratch,
                            Buffer<char> &out) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    if (!is_ref_key(key)) return not_there();
    const Reading own = {*store_, &live_->state, rules_.cold};
    if (!tier.empty()) return lookup(own, tier, key, now_ms, scratch, out);
    Status status = lookup(own, "hot", key, now_ms, scratch, out);
    return status.code == ACCP_E2001 ? lookup(own, "warm", key, now_ms, scratch, out) : status;
}

Status Session::resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                           Scratch &scratch, Buffer<char> &out) {
    Status status = current(scratch);
    if (status.failed()) return status;
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    store::Tier where;
    // a message, whatever leads to it
    if (tier == "hot" && is_numbered(key.substr(0, key.find('.')), "m")) tier = "cold";
    if (!find_tier(tier, where, prefix) || !prefix.empty())
        return fail(ACCP_E2001, 0, "the tiers of another session are hot, warm and cold");
    status = store_->check_grant(owner, where, key, static_cast<uint64_t>(now_ms));
    if (status.ok() && !is_ref_key(key)) status = not_there();
    store::StoreSession *opened = nullptr;
    if (status.ok()) status = all_->open_session(owner, false, opened);
    if (status.failed()) return status;
    struct Holder {
        store::StoreSession *held;
        ~Holder() { held->close(); }
    } holder = {opened};
    // it may be another session of that id by now
    status = store_->check_grant(owner, where, key, static_cast<uint64_t>(now_ms));
    if (status.ok())
        status = lookup({*opened, nullptr, rules_.cold}, tier, key, now_ms, scratch, out);
    if (status.code != ACCP_ERR_CLOSED && status.code != ACCP_ERR_CORRUPT) return status;
    return opened->check().code == ACCP_ERR_CLOSED
               ? fail(ACCP_E5002, 0, "the session was erased, and its grants with it")
               : status;
}

}  // namespace accp::session
