// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See stores.h.
#include "store/stores.h"

#include <atomic>
#include <filesystem>
#include <random>

namespace store_tests {

namespace {

std::string name_of(accp_status code) { return accp_status_code_name(code); }
std::string text_of(const Buffer<char> &buffer) { return {buffer.data(), buffer.size()}; }

}  // namespace

Directory::Directory() {
    static std::atomic<unsigned> count{0};
    std::random_device chance;
    const std::filesystem::path name =
        "accp-store-" + std::to_string(chance()) + "-" + std::to_string(++count);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directory(path);
    path_ = path.string();
}

Directory::~Directory() { std::filesystem::remove_all(path_); }

Status open_place(store::Store &store, const store::StorePlace &place) {
    if (!place.name.starts_with("plugin:")) return store.open(place);
    const std::string_view name = place.name.substr(std::string_view("plugin:").size());
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error err = {};
    const accp_status code =
        accp_store_backend_entry(name.data(), name.size(), 0, &table, &user, &err);
    return code == ACCP_OK ? store.open(*table, user, place.writes) : fail(code, 0, err.message);
}

Open::Open(store::Store &store, const std::string &id, bool writes)
    : memory_(private_allocator(), UINT64_MAX) {
    status = store.open_session(id, writes, session_).code;
}

Open::~Open() { close(); }

void Open::close() {
    if (session_) session_->close();
    session_ = nullptr;
}

accp_status Open::append(const std::string &record, const std::string &mid) {
    store::StoreBatch batch(memory_);
    batch.append(record);
    if (!mid.empty()) batch.note_mid(mid);
    return session_->commit(batch).code;
}

accp_status Open::put(store::Tier tier, const std::string &key, const std::string &bytes,
                      uint64_t expires, uint64_t generation) {
    store::StoreBatch batch(memory_);
    batch.put(tier, key, bytes, expires, generation);
    return session_->commit(batch).code;
}

accp_status Open::set_state(const std::string &state) {
    store::StoreBatch batch(memory_);
    batch.set_state(state);
    return session_->commit(batch).code;
}

std::string Open::state() {
    Buffer<char> out(memory_);
    Status status = session_->state(out);
    return status.ok() ? text_of(out) : name_of(status.code);
}

std::string Open::records(uint64_t first, uint64_t last, bool newest_first) {
    store::StoreRecords out(memory_);
    Status status = session_->scan(first, last, newest_first, SIZE_MAX, out);
    if (status.failed()) return name_of(status.code);
    std::string all;
    for (size_t i = 0; i < out.size(); ++i)
        all += (i ? " " : "") + std::to_string(out[i].seq) + ":" + std::string(out[i].bytes);
    return all;
}

std::string Open::blob(store::Tier tier, const std::string &key, uint64_t now) {
    Buffer<char> out(memory_);
    Status status = session_->blob(tier, key, now, out);
    return status.ok() ? text_of(out) : name_of(status.code);
}

std::string Open::shared(const std::string &owner, store::Tier tier, const std::string &key,
                         uint64_t now) {
    Buffer<char> out(memory_);
    Status status = session_->shared_blob(owner, tier, key, now, out);
    return status.ok() ? text_of(out) : name_of(status.code);
}

bool Open::has_mid(const std::string &mid) {
    bool found = false;
    Status status = session_->has_mid(mid, found);
    EXPECT_TRUE(status.ok()) << status.message;
    return found;
}

Opened::Opened(const std::string &name) : Opened(name, store::StorePlace{}) {
    EXPECT_EQ(status, ACCP_OK) << name;
}

Opened::Opened(const std::string &name, const store::StorePlace &place) : store(Settings()) {
    store::StorePlace named = place;
    named.name = name;
    status = open_place(store, named).code;
}

std::string Opened::damage() {
    std::string all;
    auto note = [](const store::Damage &damage, void *user) {
        *static_cast<std::string *>(user) += std::string(damage.session) + "|" + damage.what + "|" +
                                             std::to_string(damage.seq) + "|" +
                                             std::string(damage.name) + "\n";
    };
    Status status = store.verify(note, &all);
    EXPECT_EQ(status.ok(), all.empty());
    if (status.failed()) {
        EXPECT_EQ(status.code, ACCP_ERR_CORRUPT) << status.message;
    }
    return all;
}

std::string Opened::exported(const std::string &id) {
    Memory memory(private_allocator(), UINT64_MAX);
    Buffer<char> out(memory);
    Status status = store.export_session(id, out);
    return status.ok() ? text_of(out) : name_of(status.code);
}

}  // namespace store_tests
