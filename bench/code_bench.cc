// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of code: files per second that are added, compared again and searched, and bytes per
// file, in memory and on disk.
//   accp_code_bench [DIRECTORY [ROUNDS]]   this project's sources; each round adds them again,
//   under
//                                          other paths
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "packet/code/memory.h"
#include "packet/code/rank.h"
#if ACCP_SQLITE
#include "packet/code/disk.h"
#endif

using namespace accp;

namespace {

struct File {
    std::string path, text;
};

double seconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::vector<File> read_files(const std::string &directory) {
    constexpr uintmax_t kMaxBytes = 1 << 20;
    std::vector<File> files;
    for (const char *part : {"src", "include", "tests", "bindings", "docs", "bench"}) {
        std::error_code error;
        std::filesystem::recursive_directory_iterator all(directory + "/" + part, error);
        for (const auto &entry : all) {
            if (!entry.is_regular_file() || entry.file_size() > kMaxBytes) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            files.push_back({entry.path().lexically_relative(directory),
                             {std::istreambuf_iterator<char>(in), {}}});
        }
    }
    return files;
}

std::string path_of(const File &file, int round) {
    return round ? std::to_string(round) + "/" + file.path : file.path;
}

// Returns files per second.
double add_all(packet::CodeFiles &to, const std::vector<File> &files, int rounds) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i)
        for (const File &file : files)
            if (to.add(path_of(file, i), file.text, 1).failed()) std::exit(1);
    if (to.sync().failed()) std::exit(1);
    return static_cast<double>(files.size()) * rounds / seconds_since(began);
}

double find_ms(const packet::CodeFiles &files, std::string_view task) {
    Memory memory(private_allocator(), UINT64_MAX);
    packet::Extractor extractor(memory);
    packet::FileRanker ranker(memory);
    extractor.extract(task, {});
    const auto began = std::chrono::steady_clock::now();
    if (ranker.rank(&files, extractor, task, {}).failed()) std::exit(1);
    const double seconds = seconds_since(began);
    if (ranker.files().empty()) std::exit(1);
    return seconds * 1e3;
}

// Checks for each file whether it has changed, as a program that walks a tree does.
double stamp_all(const packet::CodeFiles &from, const std::vector<File> &files, int rounds) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i)
        for (const File &file : files) {
            uint64_t stamp = 0;
            if (from.stamp(path_of(file, i), stamp).failed() || stamp != 1) std::exit(1);
        }
    return static_cast<double>(files.size()) * rounds / seconds_since(began);
}

void measure(packet::CodeFiles &to, const std::vector<File> &files, int rounds) {
    const double added = add_all(to, files, rounds), again = add_all(to, files, rounds);
    uint64_t count = 0;
    if (to.count(count).failed() || count != files.size() * static_cast<size_t>(rounds))
        std::exit(1);
    std::printf("  added    %9.0f files/s\n", added);
    std::printf("  again    %9.0f files/s   (no file changed)\n", again);
    std::printf("  by stamp %9.0f files/s   (no file read)\n", stamp_all(to, files, rounds));
    for (const char *task : {"Reload the session store after a broken checkpoint",
                             "Return the text of a file", "Make hello configurable"}) {
        (void)find_ms(to, task);
        std::printf("  %7.2f ms  %s\n", find_ms(to, task), task);
    }
}

#if ACCP_SQLITE
void measure_on_disk(const std::vector<File> &files, int rounds) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("accp-code-" + std::to_string(getpid()));
    {
        Memory memory(private_allocator(), UINT64_MAX);
        packet::DiskCodeIndex disk(memory);
        store::StorePlace place;
        const std::string name = path;
        place.name = name;
        place.durability = store::Durability::kNormal;
        if (disk.open(place).failed()) std::exit(1);
        std::printf("on disk\n");
        measure(disk, files, rounds);
    }
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    std::printf("  %.0f bytes a file\n", bytes / static_cast<double>(files.size()) / rounds);
    std::filesystem::remove(path);
}
#endif

}  // namespace

int main(int argc, char **argv) {
    const std::vector<File> files = read_files(argc > 1 ? argv[1] : ACCP_SOURCE_DIR);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    double bytes = 0;
    for (const File &file : files) bytes += static_cast<double>(file.text.size()) * rounds;
    const double count = static_cast<double>(files.size()) * rounds;
    std::printf("%.0f files, %.1f MB\nin memory\n", count, bytes / 1e6);
    {
        Memory memory(private_allocator(), UINT64_MAX);
        packet::MemoryCodeIndex in_memory(memory);
        measure(in_memory, files, rounds);
        std::printf("  %.0f bytes a file\n", static_cast<double>(memory.used()) / count);
    }
#if ACCP_SQLITE
    measure_on_disk(files, rounds);
#endif
    return 0;
}
