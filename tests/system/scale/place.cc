// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/place.h"

#include <algorithm>
#include <utility>

namespace scale {

Parcel::Parcel(const accp_store_write &write)
    : session(view_of(write.session)),
      row(view_of(write.row)),
      after(write.after),
      first(write.first) {
    for (size_t i = 0; i < write.record_count; ++i) records.emplace_back(view_of(write.records[i]));
    for (size_t i = 0; i < write.change_count; ++i) {
        const accp_store_change &one = write.changes[i];
        changes.push_back({std::string(view_of(one.key)), std::string(view_of(one.note)),
                           std::string(view_of(one.value)), one.kind == ACCP_STORE_PUT});
    }
}

size_t Parcel::bytes() const {
    size_t sum = session.size() + row.size() + 2 * sizeof(uint64_t);
    for (const std::string &one : records) sum += one.size();
    for (const Change &one : changes) sum += one.key.size() + one.note.size() + one.value.size();
    return sum;
}

size_t Kept::bytes() const {
    size_t sum = row.size();
    for (const std::string &one : records) sum += one.size();
    for (const Entry &one : entries) sum += one.key.size() + one.note.size() + one.value.size();
    return sum;
}

static std::vector<Kept::Entry>::iterator entry_place(Kept &of, std::string_view key) {
    return std::lower_bound(of.entries.begin(), of.entries.end(), key,
                            [](const Kept::Entry &a, std::string_view b) { return a.key < b; });
}

const Kept::Entry *Kept::find(std::string_view key) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), key,
                                     [](const Entry &a, std::string_view b) { return a.key < b; });
    return at != entries.end() && at->key == key ? &*at : nullptr;
}

accp_status Place::write(const Parcel &write, uint64_t &number, bool checks) {
    const auto found = sessions_.find(write.session);
    const uint64_t head = found == sessions_.end() ? 0 : found->second.head;
    if (checks && head != write.after) return ACCP_ERR_BUSY;
    Kept &to = found == sessions_.end() ? sessions_[write.session] : found->second;
    number = ++writes_;
    if (!to.made) {
        to.made = number;
        order_.emplace_back(number, write.session);
    }
    to.head_before = std::exchange(to.head, number);
    if (remembers_) to.row_before = to.row;
    to.row = write.row;
    // of two that raced the later one has the place
    if (to.records.size() >= write.first) to.records.resize(write.first - 1);
    to.records.insert(to.records.end(), write.records.begin(), write.records.end());
    for (const Parcel::Change &one : write.changes) {
        const auto at = entry_place(to, one.key);
        const bool there = at != to.entries.end() && at->key == one.key;
        if (!one.is_put && there) to.entries.erase(at);
        if (one.is_put && there) *at = {one.key, one.note, one.value};
        if (one.is_put && !there) to.entries.insert(at, {one.key, one.note, one.value});
    }
    return ACCP_OK;
}

Kept *Place::find(std::string_view session) {
    const auto found = sessions_.find(session);
    return found == sessions_.end() ? nullptr : &found->second;
}

bool Place::erase(std::string_view session) {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return false;
    sessions_.erase(found);
    return true;
}

std::unique_ptr<Kept> Place::copy(std::string_view session) {
    const Kept *found = find(session);
    return found ? std::make_unique<Kept>(*found) : nullptr;
}

void Place::put_back(const std::string &session, std::unique_ptr<Kept> kept) {
    if (kept) sessions_[session] = std::move(*kept);
    else sessions_.erase(session);
}

const std::string *Place::next_after(uint64_t number, uint64_t &made) const {
    auto at = std::upper_bound(order_.begin(), order_.end(), number,
                               [](uint64_t a, const auto &b) { return a < b.first; });
    for (; at != order_.end(); ++at) {
        const auto found = sessions_.find(at->second);
        if (found == sessions_.end() || found->second.made != at->first) continue;
        made = at->first;
        return &found->first;
    }
    return nullptr;
}

size_t Place::bytes() const {
    size_t sum = 0;
    for (const auto &[id, kept] : sessions_) sum += 2 * id.size() + kept.bytes();
    return sum;
}

}  // namespace scale
