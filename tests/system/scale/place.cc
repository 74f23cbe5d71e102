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
    for (const auto &one : entries) sum += one->key.size() + one->note.size() + one->value.size();
    return sum;
}

using Entries = std::vector<std::shared_ptr<const Kept::Entry>>;

static Entries::const_iterator entry_place(const Entries &of, std::string_view key) {
    return std::lower_bound(of.begin(), of.end(), key,
                            [](const auto &a, std::string_view b) { return a->key < b; });
}

std::shared_ptr<const Kept::Entry> Kept::find(std::string_view key) const {
    const auto at = entry_place(entries, key);
    return at != entries.end() && (*at)->key == key ? *at : nullptr;
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
    // of two racing writes the later one wins
    if (to.records.size() >= write.first) to.records.resize(write.first - 1);
    to.records.insert(to.records.end(), write.records.begin(), write.records.end());
    for (const Parcel::Change &one : write.changes) {
        auto at = entry_place(to.entries, one.key);
        const bool there = at != to.entries.end() && (*at)->key == one.key;
        if (there) at = to.entries.erase(at);
        if (one.is_put)
            to.entries.insert(at, std::make_shared<Kept::Entry>(one.key, one.note, one.value));
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

Place::Before Place::before(const std::string &session) {
    const Kept *found = find(session);
    if (!found) return {session, false, 0, {}, 0, {}};
    return {session, true, found->head, found->row, found->records.size(), found->entries};
}

void Place::put_back(Before &&before) {
    Kept *found = find(before.session);
    if (found && !before.is_there) erase(before.session);
    if (!found || !before.is_there) return;
    found->head = before.head;
    found->row = std::move(before.row);
    found->entries = std::move(before.entries);
    found->records.resize(std::min(found->records.size(), before.records));
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
