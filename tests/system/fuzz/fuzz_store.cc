// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a store's file. After 'r' the rest is the file. Otherwise they are edits of a
// valid file, four bytes each: the page, the offset in it (2), and the new byte. The store must
// open or refuse the file, and each read must return a result or an error. If verify() finds no
// damage, all contents must be as they were stored.
#include <map>

#include "fuzz/fuzz_input.h"
#include "store/disk.h"
#include "store/sqlite_setup.h"
#include "store/store.h"

using namespace accp;
using namespace store_tests;

namespace {

using Exports = std::map<std::string, std::string>;

constexpr const char *kPlace = "sqlite:store";

void must(const Status &status) { REQUIRE(status.ok()); }

bool is_expected(const Status &status) {
    return status.ok() || status.code == ACCP_ERR_CORRUPT || status.code == ACCP_ERR_ARG ||
           status.code == ACCP_ERR_IO || status.code == ACCP_ERR_BUSY || status.code == ACCP_E2001;
}

Status open(store::Store &store, bool writes) {
    store::StorePlace place;
    place.name = kPlace;
    static const store::SqliteSetup setup = {.vfs = Disk::kName};
    place.sqlite = &setup;
    place.writes = writes;
    return store.open(place);
}

// Returns the export of each session that can be listed and exported.
Exports read_all(store::Store &store) {
    Memory memory(private_allocator(), UINT64_MAX);
    Buffer<char> id(memory), text(memory);
    Exports all;
    uint64_t number = 0;
    for (int i = 0; i < 100; ++i) {
        Status status = store.next_session(number, id);
        REQUIRE(is_expected(status));
        if (status.failed()) break;
        const std::string after(id.data(), id.size());
        text.clear();
        status = store.export_session(after, text);
        REQUIRE(is_expected(status));
        if (status.ok()) all[after] = std::string(text.data(), text.size());
    }
    return all;
}

struct Good {
    std::string file;
    Exports exports;

    Good() {
        Disk disk;
        {
            store::Store store{Settings()};
            must(open(store, true));
            Memory memory(private_allocator(), UINT64_MAX);
            store::StoreBatch batch(memory);
            for (const char *id : {"one", "two"}) {
                store::StoreSession *session = nullptr;
                must(store.open_session(id, true, session));
                batch.clear();
                for (int i = 0; i < 20; ++i) {
                    batch.append(std::string(id) + std::string(static_cast<size_t>(i * 20), 'r'));
                    batch.note_mid(std::string(id) + std::to_string(i));
                }
                must(session->commit(batch));
                batch.clear();
                batch.note_mid("loose");
                batch.set_state(std::string(2000, 's'));
                batch.put(store::Tier::kCold, "blob", std::string(6000, 'b'), 9, 1);
                batch.grant("two", "cold.", 7);
                must(session->commit(batch));
                session->close();
            }
            must(store.sync());
            exports = read_all(store);
        }
        file = disk.files["store"].seen;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const Good good;
    std::string file = good.file;
    bool raw = size && data[0] == 'r';
    if (raw) file.assign(reinterpret_cast<const char *>(data) + 1, size - 1);
    for (size_t at = 0; !raw && at + 4 <= size; at += 4) {
        size_t place =
            (data[at] * size_t{4096} + data[at + 1] * size_t{256} + data[at + 2]) % file.size();
        file[place] = static_cast<char>(data[at + 3]);
    }
    Disk disk;
    disk.files["store"].seen = disk.files["store"].synced = file;
    store::Store store{Settings()};
    Status status = open(store, size % 2);
    REQUIRE(is_expected(status));
    if (status.failed()) return 0;
    Exports exports = read_all(store);
    Status verified =
        store.verify([](const store::Damage &damage, void *) { REQUIRE(damage.what); }, nullptr);
    REQUIRE(is_expected(verified));
    store::StoreStats stats;
    REQUIRE(is_expected(store.stats(stats)));
    if (raw) return 0;
    for (const auto &[id, text] : exports)
        // complete and correct, or left out
        REQUIRE(good.exports.count(id) && good.exports.at(id) == text);
    if (verified.ok()) REQUIRE(exports == good.exports);
    store::StoreSession *session = nullptr;
    status = store.open_session("one", size % 2, session);
    REQUIRE(is_expected(status));
    if (status.failed()) return 0;
    bool seen = false;
    REQUIRE(is_expected(session->has_mid("one3", seen)));
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreBatch batch(memory);
    batch.append("more");
    batch.note_mid("new");
    batch.put(store::Tier::kWarm, "k", "v");
    if (size % 2) {
        REQUIRE(is_expected(session->commit(batch)));
        REQUIRE(is_expected(session->sync()));
    }
    session->close();
    return 0;
}
