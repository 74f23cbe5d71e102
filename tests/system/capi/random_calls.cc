// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls every function of the C face in random order, on two threads that share what may be shared:
// random_calls [--seed N] [--seconds N] [--epochs N] [--threads N] [--from EPOCH] [--list 1]
// [SEED-FOLDER...]
// An epoch begins and ends without handles. Its number and the seed determine everything except the
// order in which the threads run.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "calls.h"

using namespace accp_calls;

namespace {

constexpr uint64_t kCallsAnEpoch = 4000;
constexpr unsigned kMaxSecondsAnEpoch = 900;  // a call that does not return is a failure

struct Arguments {
    uint64_t lists = 0, seed = 1, seconds = 0, epochs = 0, from = 0, threads = 2;
    std::vector<std::string> corpus;
};

uint64_t current_epoch = 0, current_seed = 0;

void report(int signal) {
    std::fprintf(stderr, "random_calls: signal %d in epoch %llu of seed %llu\n", signal,
                 static_cast<unsigned long long>(current_epoch),
                 static_cast<unsigned long long>(current_seed));
    std::fprintf(stderr, "%s\n", World::current().trace().c_str());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void read_corpus(const std::filesystem::path &place, std::vector<std::string> &out) {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(place)) {
        if (!entry.is_regular_file() || entry.file_size() > 65536) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
}

void work(uint64_t seed, const std::vector<std::string> &corpus, Shared *shared) {
    World world(seed, corpus, shared);
    world.set_mode(World::Mode::kRandom);
    for (uint64_t i = 0; i < kCallsAnEpoch; ++i) world.run_one();
}

void run_epoch(const Arguments &arguments, uint64_t epoch) {
    alarm(kMaxSecondsAnEpoch);
    current_epoch = epoch;
    const uint64_t seed = arguments.seed * 1000003 + epoch * 16;
    Shared shared;
    World owner(seed, arguments.corpus, nullptr);
    if (arguments.threads > 1) owner.share_into(shared);
    std::vector<std::thread> threads;
    for (uint64_t i = 1; i < arguments.threads; ++i)
        threads.emplace_back(work, seed + i, std::cref(arguments.corpus), &shared);
    std::thread(work, seed + arguments.threads, std::cref(arguments.corpus), &shared).join();
    for (std::thread &each : threads) each.join();
    World last(seed, arguments.corpus, nullptr);
    last.adopt(shared);
}

bool read_arguments(int argc, char **argv, Arguments &out) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        uint64_t *number = name == "--seed"      ? &out.seed
                           : name == "--seconds" ? &out.seconds
                           : name == "--epochs"  ? &out.epochs
                           : name == "--from"    ? &out.from
                           : name == "--list"    ? &out.lists
                           : name == "--threads" ? &out.threads
                                                 : nullptr;
        if (!number && name.starts_with("--")) return false;
        if (number && i + 1 == argc) return false;
        if (number) *number = std::strtoull(argv[++i], nullptr, 10);
        else read_corpus(argv[i], out.corpus);
    }
    if (!out.seconds && !out.epochs) out.epochs = 1;
    return out.threads >= 1;
}

// A directory for files of the calls, removed at the end of the program.
struct Place {
    std::string path = (std::filesystem::temp_directory_path() / "accp-calls-XXXXXX").string();
    Place() {
        if (!mkdtemp(path.data())) std::abort();
        std::filesystem::current_path(path);
        std::filesystem::create_directory("project");
    }
    ~Place() {
        std::error_code ignored;
        std::filesystem::current_path("/", ignored);
        std::filesystem::remove_all(path, ignored);
    }
};

}  // namespace

int main(int argc, char **argv) {
    Arguments arguments;
    if (!read_arguments(argc, argv, arguments)) {
        std::fprintf(stderr,
                     "usage: random_calls [--seed N] [--seconds N] [--epochs N] "
                     "[--threads N] [--from EPOCH] [SEED-FOLDER...]\n");
        return 2;
    }
    const Place place;
    current_seed = arguments.seed;
    for (int signal : {SIGABRT, SIGALRM}) std::signal(signal, report);
    const auto begin = std::chrono::steady_clock::now();
    uint64_t epoch = arguments.from;
    for (;; ++epoch) {
        const auto spent = std::chrono::steady_clock::now() - begin;
        if (arguments.epochs && epoch - arguments.from >= arguments.epochs) break;
        if (arguments.seconds && spent >= std::chrono::seconds(arguments.seconds)) break;
        run_epoch(arguments, epoch);
    }
    size_t called = 0, done = 0;
    for (size_t i = 0; i < kCallCount; ++i) {
        called += kCounts[i].calls > 0;
        done += kCounts[i].done > 0;
        if (arguments.lists && !kCounts[i].done)
            std::printf("never done: %s: %d\n", kCalls[i].name, kCounts[i].last.load());
    }
    std::printf("%zu of %zu functions called, %zu did what they are for\n", called, kCallCount,
                done);
    std::printf("%llu epochs, %llu calls at least\n",
                static_cast<unsigned long long>(epoch - arguments.from),
                static_cast<unsigned long long>((epoch - arguments.from) * kCallsAnEpoch *
                                                arguments.threads));
    const bool long_enough = epoch - arguments.from >= 8;
    return long_enough && (called < kCallCount || done * 10 < kCallCount * 8);
}
