// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Appends per second into a SQLite store: a record and its mid, which is searched for first. Each
// group of 256 is durable before the next one. For comparison between machines it also measures 512
// bytes and fdatasync, repeated.
//   accp_store_bench [DIRECTORY [RECORDS]]
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "store/store.h"

using namespace accp;

namespace {

constexpr int kGroup = 256;
constexpr int kRecordBytes = 256;
constexpr int kTextBytes = 1 << 20;  // from which records are cut

double seconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void check(const Status &status) {
    if (status.ok()) return;
    std::fprintf(stderr, "%s\n", status.message);
    std::exit(1);
}

double synced_writes_per_second(const std::string &path) {
    int file = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    std::string block(512, 'x');
    constexpr int kWrites = 1000;
    auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kWrites; ++i)
        if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size()) ||
            fdatasync(file) != 0)
            return 0;
    double rate = kWrites / seconds_since(began);
    close(file);
    return rate;
}

std::string mid_of(uint64_t i) {
    char text[16];
    std::snprintf(text, sizeof text, "%012llx",
                  static_cast<unsigned long long>(i * 0x9E3779B97F4A7C15 >> 16));
    return text;
}

// A text that does not get shorter by packing.
std::string text_that_stays_as_long() {
    std::string text;
    std::mt19937_64 random(1);
    while (text.size() < kTextBytes + kRecordBytes) text += static_cast<char>(random());
    return text;
}

double appends_per_second(const std::string &place, int session_count, int records, bool mids) {
    store::Store store{Settings()};
    store::StorePlace where;
    where.name = place;
    check(store.open(where));
    std::vector<store::StoreSession *> sessions(static_cast<size_t>(session_count));
    for (int i = 0; i < session_count; ++i)
        check(store.open_session("session " + std::to_string(i), true,
                                 sessions[static_cast<size_t>(i)]));
    Memory memory(private_allocator(), UINT64_MAX);
    store::StoreBatch batch(memory);
    const std::string text = text_that_stays_as_long();
    auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < records; ++i) {
        store::StoreSession &session = *sessions[static_cast<size_t>(i % session_count)];
        batch.clear();
        batch.append({text.data() + i % 4096 * 251, kRecordBytes});
        if (mids) {
            std::string mid = mid_of(static_cast<uint64_t>(i));
            bool seen = false;
            check(session.has_mid(mid, seen));
            if (seen) std::exit(2);
            batch.note_mid(mid);
        }
        check(session.commit(batch));
        if (i % kGroup == kGroup - 1) check(store.sync());
    }
    check(store.sync());
    double rate = records / seconds_since(began);
    for (store::StoreSession *session : sessions) session->close();
    return rate;
}

}  // namespace

int main(int count, char **arguments) {
    std::string parent = count > 1 ? arguments[1] : std::filesystem::temp_directory_path().string();
    int records = count > 2 ? std::atoi(arguments[2]) : 200000;
    std::string directory = parent + "/accp-store-bench-XXXXXX";
    if (!mkdtemp(directory.data())) return 1;
    double base = synced_writes_per_second(directory + "/plain");
    std::printf("512 B and fdatasync                    %9.0f /s\n", base);
    int turn = 0;
    for (int sessions : {1, 1000})
        for (bool mids : {false, true}) {
            double rate = appends_per_second(
                "sqlite:" + directory + "/store" + std::to_string(turn++), sessions, records, mids);
            std::printf("appends, %4d session%s%s  %9.0f /s  %5.1f x\n", sessions,
                        sessions == 1 ? ", " : "s,", mids ? " with mids   " : " records only", rate,
                        rate / base);
            std::fflush(stdout);
        }
    std::filesystem::remove_all(directory);
}
