// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions for the benchmark, in which every failed call ends the program, and the messages for
// them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "corpus.h"
#include "heap_calls.h"

namespace accp_bench {

class Session {
public:
    explicit Session(accp_session *handle) : handle_(handle) {}
    Session(Session &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)), now_(other.now_) {}
    ~Session() { accp_session_close(handle_); }

    void append(std::string_view json);
    void receive(std::string_view frame);  // and takes the deliveries
    std::string send(std::string_view json);
    void checkpoint();
    uint64_t context();  // returns its number of tokens
    uint32_t checkpoints() const { return accp_session_newest_checkpoint(handle_); }
    void run(const Lines &lines, size_t count) {
        for (size_t i = 0; i < count; ++i) append(lines[i % lines.size()]);
    }
    size_t text_bytes() const;  // of the texts that it keeps in memory

private:
    accp_session *handle_;
    int64_t now_ = 1'714'000'000'000;
};

// An engine with a store of its own; not durable by itself. held(): memory of the engine and its
// sessions, without the store; kept(): size of the store.
class Engine {
public:
    explicit Engine(const std::string &store);
    ~Engine();
    Engine(const Engine &) = delete;

    Session session(const std::string &id);
    void sync();
    size_t held() const { return allocator_.held(); }
    size_t kept() const { return store_allocator_.held(); }

private:
    CountingAllocator allocator_, store_allocator_;
    accp_store *store_ = nullptr;
    accp_engine *engine_ = nullptr;
};

struct Sets {
    Lines small;         // 2,000 with a few names and numbers
    Lines structured;    // the corpus
    Lines agents;        // from data/trajectories: requests and results of tools, as in JSON
    Lines sendable;      // the part of the corpus that a session sends,
    Lines frames;        // and its frames
    Lines small_frames;  // the small messages' frames
};
Sets read_sets(const std::string &source);

int sync_file(FILE *file);  // 0 if the device has it

}  // namespace accp_bench
