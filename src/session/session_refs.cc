// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See refs.h.
#include "session/refs.h"

#include <charconv>

#include "frame/bytes.h"
#include "value/json_writer.h"

namespace accp {

namespace {

bool find_tier(std::string_view name, Tier &tier, std::string_view &prefix) {
    prefix = {};
    if (name == "hot") tier = Tier::kHot;
    else if (name == "warm") tier = Tier::kWarm;
    else if (name == "cold") tier = Tier::kCold;
    else if (name == "ctx") tier = Tier::kWarm, prefix = kContextPrefix;
    else return false;
    return true;
}

// As a context and a frame spell it, or without its mark.
std::string_view unmarked(std::string_view ref) { return ref.substr(!ref.empty() && ref[0] == '$'); }

// "tier.key"; a bare key has no tier.
void split_ref(std::string_view ref, std::string_view &tier, std::string_view &key) {
    ref = unmarked(ref);
    size_t dot = ref.find('.');
    tier = dot == std::string_view::npos ? std::string_view() : ref.substr(0, dot);
    key = dot == std::string_view::npos ? ref : ref.substr(dot + 1);
}

bool is_ref_key(std::string_view key) {
    bool open = true;  // a label has yet to begin
    for (char c : key) {
        if (!is_word(static_cast<unsigned char>(c)) && (c != '.' || open)) return false;
        open = c == '.';
    }
    return !open;
}

bool is_numbered(std::string_view key, std::string_view name) {
    return key.size() > name.size() && key.substr(0, name.size()) == name &&
           key.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
}

// t7, m17: a key in cold that the session gives, once and for ever.
bool is_ours(std::string_view key) { return is_numbered(key, "t") || is_numbered(key, "m"); }

// What a session says of itself, which nobody else may put in place of.
bool is_own(std::string_view tier, std::string_view key) {
    if (tier == "cold") return is_ours(key);
    if (tier == "hot") return key == "state" || is_numbered(key, "m");
    return tier == "warm" && is_numbered(key, "ckpt_");
}

Status not_there() { return fail(ACCP_E2001, 0, "the reference names nothing"); }

// What the labels behind a key lead to, from the root of `tree`.
bool descend(TreeView tree, std::string_view labels, uint32_t &node) {
    for (node = 0; !labels.empty();) {
        size_t dot = labels.find('.');
        std::string_view label = labels.substr(0, dot);
        labels.remove_prefix(dot == std::string_view::npos ? labels.size() : dot + 1);
        uint32_t child = 0;
        if (tree[node].kind == ACCP_MAP) child = tree.find(node, label);
        if (tree[node].kind == ACCP_ARRAY) {
            uint32_t index = 0;
            bool whole = std::from_chars(label.data(), label.data() + label.size(), index).ptr == label.data() + label.size();
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
Status Session::lookup_key(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk,
                           Buffer<char> &out) {
    uint64_t place = 0;
    auto numbered = [&](char letter) {
        return key.size() > 1 && key[0] == letter &&
               std::from_chars(key.data() + 1, key.data() + key.size(), place).ptr == key.data() + key.size();
    };
    if (tier == "hot" && key == "state") {
        if (!from.state) return logged_state(from, desk, out);
        out.append(from.state->json().data(), from.state->json().size());
        return {};
    }
    if ((tier == "cold" || tier == "hot") && numbered('m')) return message_of(from.store, place, desk, out);
    Tier where;
    std::string_view prefix;
    if (!find_tier(tier, where, prefix)) return fail(ACCP_E2001, 0, "the tiers are hot, warm, cold and ctx");
    char name[kMostRefKeyBytes + kContextPrefix.size()];
    if (key.size() > kMostRefKeyBytes) return not_there();
    size_t len = prefix.copy(name, prefix.size());
    len += key.copy(name + len, key.size());
    Status status = from.store.blob(where, {name, len}, static_cast<uint64_t>(now_ms), desk.blob);
    if (status.ok()) status = get_cold(from.cold, desk.blob);
    if (status.ok()) out.append(desk.blob.data(), desk.blob.size());
    return status;
}

// The longest of the first labels that is a key there; what the labels behind it lead to.
Status Session::lookup(const Reading &from, std::string_view tier, std::string_view key, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    const size_t start = out.size();
    std::string_view whole = key;
    for (uint32_t labels = 0; labels < kMostRefLabels; ++labels) {
        Status status = lookup_key(from, tier, key, now_ms, desk, out);
        if (status.ok() && key.size() < whole.size()) status = cut_out(whole.substr(key.size() + 1), start, desk, out);
        if (status.code != ACCP_E2001) return status;
        out.resize_down(start);
        size_t dot = key.rfind('.');
        if (dot == std::string_view::npos) return status;
        key = key.substr(0, dot);
    }
    return not_there();
}

// Replaces the JSON from `start` on by the part of it that the labels lead to.
Status Session::cut_out(std::string_view labels, size_t start, Desk &desk, Buffer<char> &out) {
    Value &value = desk.state.old_state;
    Status status = desk.state.reader.read(out.data() + start, out.size() - start, {kMostTextBytes, kMostJsonDepth}, value);
    if (status.failed()) return status;
    uint32_t node = 0;
    if (!descend(value.view(), labels, node)) return not_there();
    out.resize_down(start);
    write_json(value.view(), node, out);
    return {};
}

// Is its frame no message, but the part that made one whole?
bool Session::is_end_of_parts(const Record &record, Desk &desk) {
    accp_envelope envelope;
    MessagePart part;
    bool is_part = false;
    return record.has_json() && !record.json.empty() && part_of(record.text, desk, envelope, part, is_part).ok() && is_part;
}

// The message of a record, in JSON.
Status Session::message_of(StoreSession &store, uint64_t place, Desk &desk, Buffer<char> &out) {
    Record record;
    Status status = read_record(store, place, desk, desk.blob, record);
    if (status.failed()) return status;
    if (record.kind == RecordKind::kMessage) out.append(record.text.data(), record.text.size());
    else if (is_end_of_parts(record, desk)) out.append(record.json.data(), record.json.size());
    else if (record.has_json()) return desk.codec_inside.decode(record.text.data(), record.text.size(), out);
    else return not_there();
    return {};
}

Status Session::record(uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out) {
    return store_ ? read_record(*store_, seq, desk, bytes, out) : fail(ACCP_ERR_CLOSED, 0, "the session is closed");
}

Status Session::read_record(StoreSession &store, uint64_t seq, Desk &desk, Buffer<char> &bytes, Record &out) {
    if (!seq || seq > store.row().last) return not_there();
    Status status = store.scan(seq, seq, false, 0, desk.records);
    if (status.failed()) return status;
    if (!desk.records.size()) return fail(ACCP_ERR_CORRUPT, 0, "a record is missing");
    bytes.clear();
    std::string_view found = desk.records[0].bytes;
    bytes.append(found.data(), found.size());
    return accp::read_record({bytes.data(), bytes.size()}, out) ? Status{} : fail(ACCP_ERR_CORRUPT, 0, "a record that is none");
}

Status Session::resolve(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = current(desk);
    return status.ok() ? resolve_now(ref, now_ms, desk, out) : status;
}

Status Session::resolve_now(std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    if (!is_ref_key(key)) return not_there();
    const Reading own = {*store_, &live_->state, rules_.cold};
    if (!tier.empty()) return lookup(own, tier, key, now_ms, desk, out);
    Status status = lookup(own, "hot", key, now_ms, desk, out);
    return status.code == ACCP_E2001 ? lookup(own, "warm", key, now_ms, desk, out) : status;
}

Status Session::resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms, Desk &desk, Buffer<char> &out) {
    Status status = current(desk);
    if (status.failed()) return status;
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    Tier where;
    if (!find_tier(tier, where, prefix) || !prefix.empty())
        return fail(ACCP_E2001, 0, "the tiers of another session are hot, warm and cold");
    status = store_->check_grant(owner, where, key, static_cast<uint64_t>(now_ms));
    if (status.ok() && !is_ref_key(key)) status = not_there();
    StoreSession *opened = nullptr;
    if (status.ok()) status = all_->open_session(owner, false, opened);
    if (status.failed()) return status;
    struct Holder {
        StoreSession *held;
        ~Holder() { held->close(); }
    } holder = {opened};
    return lookup({*opened, nullptr, rules_.cold}, tier, key, now_ms, desk, out);
}

// A ref that may be written: a tier, and labels.
Status Session::change_blob(std::string_view ref, const Blob &blob, Desk &desk) {
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    Tier where;
    if (!find_tier(tier, where, prefix)) return fail(ACCP_E1004, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMostRefKeyBytes) return fail(ACCP_E1004, 0, "a key of a ref is at most 200 bytes");
    const auto place = static_cast<uint64_t>(key.data() - ref.data());
    if (!is_ref_key(key)) return fail(ACCP_E1004, place, "a key of a ref is labels of letters, digits and _, with dots between");
    if (is_own(tier, key)) return fail(ACCP_E1004, place, "cold.t7, cold.m17, warm.ckpt_3, hot.m17 and hot.state are the session's own");
    char name[kMostRefKeyBytes + kContextPrefix.size()];
    size_t len = prefix.copy(name, prefix.size());
    len += key.copy(name + len, key.size());
    Status status;
    if (blob.erase) desk.batch.erase(where, {name, len});
    else status = put_value(where, {name, len}, blob.json, static_cast<uint64_t>(blob.expires_ms), desk);
    return status.ok() ? commit(desk) : status;
}

// A value under its name, or where the host keeps the cold ones.
Status Session::put_value(Tier where, std::string_view name, std::string_view json, uint64_t expires_ms, Desk &desk) {
    if (where != Tier::kCold || !rules_.cold) {
        desk.batch.put(where, name, json, expires_ms);
        return {};
    }
    Status status = put_cold(*rules_.cold, json, desk.blob);
    if (status.ok()) desk.batch.put(where, name, {desk.blob.data(), desk.blob.size()}, expires_ms);
    return status;
}

Status Session::put(std::string_view ref, std::string_view json, int64_t expires_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    status = desk.reader.read(json.data(), json.size(), {desk.settings.limit(ACCP_LIMIT_JSON_BYTES), kMostJsonDepth}, desk.message);
    if (status.failed()) return status;
    desk.json.recycle(kKeptBytes);
    write_json(desk.message.view(), 0, desk.json);
    return change_blob(ref, {{desk.json.data(), desk.json.size()}, expires_ms, false}, desk);
}

Status Session::erase(std::string_view ref, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    return change_blob(ref, {{}, 0, true}, desk);
}

Status Session::grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    desk.batch.grant(grantee, unmarked(prefix), static_cast<uint64_t>(expires_ms));
    return commit(desk);
}

Status Session::revoke(std::string_view grantee, std::string_view prefix, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    desk.batch.revoke(grantee, unmarked(prefix));
    return commit(desk);
}

// A batch that changes nothing in memory.
Status Session::commit(Desk &desk) {
    Status status = store_->commit(desk.batch);
    desk.batch.clear();
    if (status.failed()) return status;
    unsynced_ = true;
    return settle();
}

Status SessionRefs::resolve(std::string_view ref, std::string_view &json) {
    Kept kept;
    if (ref.substr(0, kColdPrefix.size()) == kColdPrefix && kept_now(ref.substr(kColdPrefix.size()), &Kept::key, kept)) {
        json = kept.json;
        return {};
    }
    const bool cold = ref.substr(0, kColdPrefix.size()) == kColdPrefix;
    fleeting_ = fleeting_ || !cold || !is_ours(ref.substr(kColdPrefix.size()));
    desk_.resolved.recycle(kKeptBytes);
    Status status = session_.resolve_now(ref, now_ms_, desk_, desk_.resolved);
    RefResolver *elsewhere = session_.rules_.elsewhere;
    if (status.code == ACCP_E2001 && elsewhere && !session_.desk_restores_) {  // what it said is kept with the frame
        fleeting_ = true;
        return elsewhere->resolve(ref, json);
    }
    json = {desk_.resolved.data(), desk_.resolved.size()};
    return status;
}

// Has this call kept a value whose hash, or key, is this?
bool SessionRefs::kept_now(std::string_view wanted, std::string_view Kept::*part, Kept &out) const {
    Unpacker unpacker({desk_.kept.data(), desk_.kept.size()});
    while (!unpacker.rest().empty()) {
        out.hash = unpacker.text();
        out.key = unpacker.text();
        out.json = unpacker.text();
        if (out.*part == wanted) return true;
    }
    return false;
}

Status SessionRefs::keep(std::string_view json, std::string_view &ref) {
    const Digest hash = sha256(json);
    char name[kHashPrefix.size() + sizeof hash.hex], made[24];
    size_t len = kHashPrefix.copy(name, kHashPrefix.size());
    len += hash.view().copy(name + len, hash.view().size());
    Kept kept;
    std::string_view key;
    if (kept_now(hash.view(), &Kept::hash, kept)) {
        key = kept.key;
    } else {
        Status status = session_.store_->blob(Tier::kCold, {name, len}, 0, desk_.blob);
        if (status.failed() && status.code != ACCP_E2001) return status;
        if (status.ok()) {
            key = {desk_.blob.data(), desk_.blob.size()};
        } else {
            made[0] = 't';
            key = {made, static_cast<size_t>(std::to_chars(made + 1, made + sizeof made, next_key_++).ptr - made)};
            status = session_.put_value(Tier::kCold, key, json, 0, desk_);
            if (status.failed()) return status;
            desk_.batch.put(Tier::kCold, {name, len}, key);
            Packer packer(desk_.kept);
            packer.text(hash.view());
            packer.text(key);
            packer.text(json);
        }
    }
    kColdPrefix.copy(ref_, kColdPrefix.size());
    ref = {ref_, kColdPrefix.size() + key.copy(ref_ + kColdPrefix.size(), sizeof ref_ - kColdPrefix.size())};
    return {};
}

}  // namespace accp
