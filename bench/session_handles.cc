// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session_handles.h.
#include "session_handles.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "capi/session_handles.h"

namespace accp_bench {

namespace {

void need(accp_status status, const accp_error &error, const char *what) {
    if (status != ACCP_OK)
        throw std::runtime_error(std::string(what) + ": " + (error.message ? error.message : ""));
}

}  // namespace

void Session::append(std::string_view json) {
    accp_error error = {};
    need(accp_session_append(handle_, json.data(), json.size(), ++now_, &error), error, "append");
}

void Session::receive(std::string_view frame) {
    accp_error error = {};
    need(accp_session_receive(handle_, frame.data(), frame.size(), ++now_, nullptr, &error), error,
         "receive");
    accp_delivery delivery;
    while (accp_session_next_delivery(handle_, &delivery)) need(delivery.status, error, "next");
}

std::string Session::send(std::string_view json) {
    accp_error error = {};
    accp_text out = {};
    need(accp_session_send(handle_, json.data(), json.size(), ++now_, &out, &error), error, "send");
    return {out.text, out.len};
}

void Session::checkpoint() {
    accp_error error = {};
    need(accp_session_checkpoint(handle_, ++now_, &error), error, "checkpoint");
}

uint64_t Session::context() {
    accp_error error = {};
    accp_text out = {};
    uint64_t tokens = 0;
    need(accp_session_context(handle_, 0, &out, &tokens, &error), error, "context");
    return tokens;
}

size_t Session::text_bytes() const { return handle_->session.text_bytes(); }

Engine::Engine(const std::string &store) {
    const accp_allocator face = allocator_.face();
    Config config = make_config();
    accp_error error = {};
    need(accp_config_set_allocator(config.get(), &face, &error), error, "an allocator");
    const accp_allocator store_face = store_allocator_.face();
    Config of_store = make_config();
    need(accp_config_set_allocator(of_store.get(), &store_face, &error), error, "an allocator");
    need(accp_store_open(store.data(), store.size(), 0, of_store.get(), &store_, &error), error,
         "a store");
    need(accp_config_set_store(config.get(), store_, &error), error, "a store");
    for (auto [rule, value] :
         {std::pair(ACCP_RULE_EXTENSIONS, ACCP_EXT_T1 + 0), std::pair(ACCP_RULE_DURABLE, 0),
          std::pair(ACCP_RULE_MAX_TOKENS, 0), std::pair(ACCP_RULE_SEED, 1)})
        need(accp_config_set_rule(config.get(), rule, value, &error), error, "a rule");
    need(accp_engine_new(config.get(), &engine_, &error), error, "an engine");
}

Engine::~Engine() {
    accp_engine_free(engine_);
    accp_store_close(store_, nullptr);
}

Session Engine::session(const std::string &id) {
    accp_error error = {};
    accp_session *made = nullptr;
    need(accp_session_open(engine_, id.data(), id.size(), 0, &made, &error), error, "a session");
    return Session(made);
}

void Engine::sync() {
    accp_error error = {};
    need(accp_store_sync(store_, &error), error, "sync");
}

Sets read_sets(const std::string &source) {
    Sets sets;
    const Corpus corpus = read_corpus(source + "/data/corpus");
    // the session sets the numbers and times of its frames itself
    for (size_t i = 0; i < corpus.messages.size(); ++i) {
        const std::string_view line = corpus.messages[i];
        sets.structured.add(std::string(line.substr(0, line.rfind(",\"meta\":"))) + "}");
    }
    for (size_t i = 0; i < 2000; ++i) {
        const std::string n = std::to_string(i * 7 % 1000);
        sets.small.add(R"({"agent":"worker_)" + std::to_string(i % 4) +
                       R"(","intent":"req","operation":"measure","payload":{"sensor":"s)" +
                       std::to_string(i % 16) + R"(","value":)" + n + R"(,"state":")" +
                       (i % 3 ? "running" : "idle") + R"("}})");
    }
    for (const auto &file : std::filesystem::directory_iterator(source + "/data/trajectories")) {
        if (file.path().extension() != ".jsonl") continue;
        const Lines lines = Lines::read(file.path());
        for (size_t i = 0; i < lines.size(); ++i) sets.agents.add(lines[i]);
    }
    Engine engine("memory:");
    Session sender = engine.session("sender"), small_sender = engine.session("small sender");
    for (size_t i = 0; i < sets.small.size(); ++i)
        sets.small_frames.add(small_sender.send(sets.small[i]));
    for (size_t i = 0; i < sets.structured.size(); ++i) {
        try {
            sets.frames.add(sender.send(sets.structured[i]));
        } catch (const std::runtime_error &) {
            continue;  // nearly all fit the registry's schemas
        }
        sets.sendable.add(sets.structured[i]);
    }
    return sets;
}

int sync_file(FILE *file) { return fdatasync(fileno(file)); }

}  // namespace accp_bench
