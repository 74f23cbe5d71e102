// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See work.h.
#include "store/work.h"

#include <random>

namespace store_tests {

namespace {

// Half of it is noise, which does not get shorter by packing, so that several pages are written.
std::string text_of(uint64_t seed, size_t size) {
    static const std::string noise = [] {
        std::mt19937 random(1);
        std::string all;
        while (all.size() < 65536) all += static_cast<char>(random());
        return all;
    }();
    return noise.substr(seed * 97 % 32768, size / 2) + std::string(size - size / 2, '.');
}

std::string mid(uint64_t group) { return "mid " + std::to_string(group); }
std::string blob(uint64_t group) { return text_of(group, 200 + group * 977 % 9000); }
std::string state(uint64_t group) {
    return "state " + std::to_string(group) + text_of(group, group % 3000);
}

}  // namespace

std::string Work::record(uint64_t group, uint64_t i) {
    return std::to_string(group) + "/" + std::to_string(i) +
           text_of(group * 16 + i, (group * 131 + i * 37) % 1500);
}

accp_status Work::commit_next() {
    uint64_t group = done + 1;
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreBatch batch(memory);
    for (uint64_t i = 0; i < records(group); ++i) batch.append(record(group, i));
    batch.note_mid(mid(group));
    batch.put(store::Tier::kCold, "newest", blob(group));
    batch.put(store::Tier::kWarm, std::to_string(group), blob(group));
    batch.set_state(state(group));
    Status status = a->commit(batch);
    if (status.failed()) return status.code;
    batch.clear();
    batch.append(record(group, 9));
    return b->commit(batch).code;
}

accp_status Work::next() {
    accp_status status = commit_next();
    if (status == ACCP_OK) status = a->sync().code;
    if (status == ACCP_OK) ++done;
    return status;
}

std::string Work::check(uint64_t acknowledged) {
    if (a.status != ACCP_OK || b.status != ACCP_OK) return "the sessions cannot be opened";
    uint64_t groups = a->row().version;
    std::string is = std::to_string(groups) + " groups: ";
    if (groups < acknowledged)
        return is + "fewer than the " + std::to_string(acknowledged) + " that were acknowledged";
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreRecords found(memory);
    if (Status status = a->scan(1, 0, false, SIZE_MAX, found); status.failed())
        return is + status.message;
    size_t at = 0;
    for (uint64_t group = 1; group <= groups; ++group)
        for (uint64_t i = 0; i < records(group); ++i, ++at)
            if (at >= found.size() || found[at].bytes != record(group, i))
                return is + "record " + std::to_string(at) + " is another";
    if (at != found.size()) return is + "more records than that";
    if (b->row().last != groups) return is + "another number in the second session";
    if (groups && b.records(groups) != std::to_string(groups) + ":" + record(groups, 9))
        return is + "another record in the second session";
    if (groups &&
        (a.state() != state(groups) || a.blob(store::Tier::kCold, "newest") != blob(groups)))
        return is + "another state or blob";
    for (uint64_t group = 1; group <= groups; group += 1 + groups / 50)
        if (!a.has_mid(mid(group)) ||
            a.blob(store::Tier::kWarm, std::to_string(group)) != blob(group))
            return is + "a mid or a blob is missing";
    if (a.has_mid(mid(groups + 1)) ||
        a.blob(store::Tier::kWarm, std::to_string(groups + 1)) != "E2001")
        return is + "something of a later one";
    return "";
}

}  // namespace store_tests
