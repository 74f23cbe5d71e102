// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of code: files a second that are added, looked at again and searched, and what each
// takes.
//   accp_code_bench [DIRECTORY [ROUNDS]]   this project's sources; each round adds them anew, under
//                                          other paths
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "packet/code_memory.h"
#include "packet/code_rank.h"

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

void add_all(packet::CodeIndex &index, const std::vector<File> &files, int rounds) {
    for (int i = 0; i < rounds; ++i)
        for (const File &file : files)
            index.add(i ? std::to_string(i) + "/" + file.path : file.path, file.text);
}

double find(const packet::CodeFiles &files, Memory &memory, std::string_view task) {
    packet::Extractor extractor(memory);
    packet::FileRanker ranker(memory);
    extractor.extract(task, {});
    const auto began = std::chrono::steady_clock::now();
    if (ranker.rank(&files, extractor, task, {}).failed()) std::exit(1);
    const double seconds = seconds_since(began);
    if (ranker.files().empty()) std::exit(1);
    return seconds;
}

}  // namespace

int main(int argc, char **argv) {
    const std::vector<File> files = read_files(argc > 1 ? argv[1] : ACCP_SOURCE_DIR);
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    Memory memory(private_allocator(), UINT64_MAX);
    packet::CodeMemory in_memory(memory);
    packet::CodeIndex &index = in_memory.index();
    double bytes = 0;
    for (const File &file : files) bytes += static_cast<double>(file.text.size()) * rounds;
    auto began = std::chrono::steady_clock::now();
    add_all(index, files, rounds);
    const double added = seconds_since(began);
    const auto count = static_cast<double>(index.count());
    if (index.count() != files.size() * static_cast<size_t>(rounds)) return 1;
    const double held = static_cast<double>(memory.used()) / count;
    began = std::chrono::steady_clock::now();
    add_all(index, files, rounds);
    const double again = seconds_since(began);
    const double found =
        find(in_memory, memory, "Reload the session store after a broken checkpoint");
    std::printf("%.0f files, %.1f MB, %.0f bytes held a file\n", count, bytes / 1e6, held);
    std::printf("added   %8.0f files/s %7.1f MB/s\n", count / added, bytes / added / 1e6);
    std::printf("again   %8.0f files/s %7.1f MB/s   (no file changed)\n", count / again,
                bytes / again / 1e6);
    std::printf("a task  %8.2f ms\n", found * 1e3);
    return 0;
}
