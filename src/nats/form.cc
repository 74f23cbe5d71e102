// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/form.h"

#include "nats/place.h"

namespace accp_nats {

namespace {

[[noreturn]] void damaged() {
    throw Failure{ACCP_ERR_CORRUPT, "a message of the stream is damaged"};
}

}  // namespace

void FormWriter::number(uint64_t number) {
    for (; number >= 128; number >>= 7) to_.push_back(static_cast<char>(number | 128));
    to_.push_back(static_cast<char>(number));
}

uint64_t FormReader::number() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (from_.empty()) damaged();
        const auto byte = static_cast<unsigned char>(from_.front());
        from_.remove_prefix(1);
        number |= uint64_t{byte & 127u} << shift;
        if (byte < 128) return number;
    }
    damaged();
}

std::string_view FormReader::text() {
    const uint64_t len = number();
    if (len > from_.size()) damaged();
    const std::string_view text = from_.substr(0, len);
    from_.remove_prefix(len);
    return text;
}

Sequences FormReader::list() {
    const uint64_t count = number();
    if (count > from_.size()) damaged();
    Sequences all(count);
    for (uint64_t &one : all) one = number();
    return all;
}

void FormWriter::descending(const Sequences &all) {
    number(all.size());
    for (size_t i = 0; i < all.size(); ++i) number(i ? all[i - 1] - all[i] : all[i]);
}

Sequences FormReader::descending() {
    Sequences all = list();
    for (size_t i = 1; i < all.size(); ++i) {
        if (all[i] > all[i - 1]) damaged();
        all[i] = all[i - 1] - all[i];
    }
    return all;
}

void BackLinks::add(uint64_t seq) {
    const uint64_t sixteenth = number / 16;  // the last of `recent` is number 16 * sixteenth
    ++number;
    if (number % 16) {
        recent.insert(recent.begin(), seq);
        return;
    }
    if (sixteenth && sixteenth % 16 == 0) sixteens.clear();
    if (sixteenth) sixteens.insert(sixteens.begin(), recent.back());
    recent.assign(1, seq);
}

void BackLinks::write(FormWriter &to) const {
    to.number(number);
    to.descending(recent);
    to.descending(sixteens);
}

void BackLinks::read(FormReader &from) {
    number = from.number();
    recent = from.descending();
    sixteens = from.descending();
    const bool is_cut = recent.empty() != !number;
    if (is_cut || recent.size() > number || recent.size() > 16 || sixteens.size() > number / 16)
        damaged();
}

void LogHead::write(std::string &out) const {
    FormWriter to(out);
    to.number(kForm);
    back_links.write(to);
    to.number(base);
    to.number(covers);
    to.number(snapshot_bytes);
    to.list(snapshot);
    to.text(row);
    to.number(first);
    to.number(count);
    to.list(body);
}

std::string_view LogHead::read(std::string_view message) {
    FormReader from(message);
    if (from.number() != kForm) damaged();
    back_links.read(from);
    base = from.number();
    covers = from.number();
    snapshot_bytes = from.number();
    snapshot = from.list();
    row = from.text();
    first = from.number();
    count = from.number();
    body = from.list();
    return from.rest();
}

void MapEntry::write(FormWriter &to) const {
    to.text(note);
    to.number(size);
    to.list(pieces);
    if (pieces.empty()) to.text(value);
}

void MapEntry::read(FormReader &from) {
    note = from.text();
    size = from.number();
    pieces = from.list();
    value = pieces.empty() ? from.text() : std::string_view();
    if (pieces.empty() && value.size() != size) damaged();
}

}  // namespace accp_nats
