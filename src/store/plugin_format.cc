// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "store/plugin_format.h"

namespace accp::store {

namespace {

constexpr uint64_t SessionRow::*kFields[kRowNumbers] = {
    &SessionRow::birth,      &SessionRow::fence, &SessionRow::ops,         &SessionRow::version,
    &SessionRow::last,       &SessionRow::floor, &SessionRow::runs,        &SessionRow::indexed,
    &SessionRow::generation, &SessionRow::mids,  &SessionRow::record_bytes};

constexpr size_t kWordBytes = sizeof(uint64_t);

}  // namespace

void put_number(uint64_t number, char *to) {
    for (size_t i = 0; i < kWordBytes; ++i) to[i] = static_cast<char>(number >> 8 * i);
}

uint64_t number_at(const char *from) {
    uint64_t number = 0;
    for (size_t i = 0; i < kWordBytes; ++i)
        number |= static_cast<uint64_t>(static_cast<unsigned char>(from[i])) << 8 * i;
    return number;
}

PluginRow write_row(const SessionRow &row) {
    PluginRow out;
    char *to = out.bytes;
    for (auto field : kFields) put_number(row.*field, to), to += kWordBytes;
    return out;
}

bool read_row(std::string_view bytes, SessionRow &out) {
    if (bytes.size() != sizeof(PluginRow)) return false;
    const char *from = bytes.data();
    for (auto field : kFields) out.*field = number_at(from), from += kWordBytes;
    return true;
}

PluginKey state_key() {
    PluginKey out;
    out.add('s');
    return out;
}

PluginKey blob_key(Tier tier, std::string_view key) {
    PluginKey out;
    out.add('b');
    out.add(static_cast<char>(tier));
    out.add(key);
    return out;
}

PluginKey grants_key(std::string_view grantee) {
    PluginKey out;
    out.add('g');
    for (char c : grantee) {
        out.add(c);
        if (!c) out.add('\xFF');
    }
    out.add('\0');
    out.add('\1');
    return out;
}

PluginKey mids_key(uint64_t level, uint64_t run, uint64_t part) {
    PluginKey out;
    out.add('m');
    for (uint64_t number : {level, run, part}) {
        put_number(number, out.bytes + out.size);
        out.size += kWordBytes;
    }
    return out;
}

bool read_blob_key(std::string_view key, Tier &tier, std::string_view &name) {
    if (key.size() < 3 || key[0] != 'b' || key[1] < 1 || key[1] > 3) return false;
    if (key.size() > 2 + kMaxBlobKeyBytes) return false;
    tier = static_cast<Tier>(key[1]);
    name = key.substr(2);
    return true;
}

bool read_grant_key(std::string_view key, Buffer<char> &grantee, std::string_view &prefix) {
    grantee.clear();
    if (key.empty() || key[0] != 'g') return false;
    for (size_t at = 1; at < key.size(); ++at) {
        if (key[at]) {
            grantee.push(key[at]);
            continue;
        }
        if (++at == key.size()) return false;
        if (key[at] == '\1') {
            prefix = key.substr(at + 1);
            return true;
        }
        grantee.push('\0');
    }
    return false;
}

bool read_note(std::string_view bytes, PluginNote &out) {
    if (bytes.size() != 2 * kWordBytes) return false;
    out = {number_at(bytes.data()), number_at(bytes.data() + kWordBytes)};
    return true;
}

bool split_record(std::string_view kept, std::string_view &mids, std::string_view &bytes) {
    if (kept.size() < 2) return false;
    const auto count = static_cast<size_t>(static_cast<unsigned char>(kept[0])) |
                       static_cast<size_t>(static_cast<unsigned char>(kept[1])) << 8;
    if (kept.size() - 2 < count * kWordBytes) return false;
    mids = kept.substr(2, count * kWordBytes);
    bytes = kept.substr(2 + count * kWordBytes);
    return true;
}

}  // namespace accp::store
