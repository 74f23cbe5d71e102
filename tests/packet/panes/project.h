// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A project in a directory of its own, with a store and packets, through the C API.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "config.h"

namespace accp_panes_test {

struct Free {
    void operator()(accp_packet *packet) const { accp_packet_free(packet); }
    void operator()(accp_panes *panes) const { accp_panes_close(panes); }
    void operator()(accp_store *store) const { accp_store_close(store, nullptr); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

constexpr int64_t kNow = 1'714'000'000'000;

inline std::string context_of(const std::string &more = {}) {
    return "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n"
           "  goal: g\n" +
           more;
}

inline Handle<accp_packet> new_packet(const accp_config *config = nullptr) {
    accp_packet *made = nullptr;
    EXPECT_EQ(accp_packet_new(config, &made, nullptr), ACCP_OK);
    return Handle<accp_packet>(made);
}
inline Handle<accp_packet> packet_of(const std::string &text) {
    Handle<accp_packet> packet = new_packet();
    EXPECT_EQ(
        accp_packet_parse(packet.get(), text.data(), text.size(), ACCP_PACKET_UNVERIFIED, nullptr),
        ACCP_OK)
        << text;
    return packet;
}
inline std::string prompt_of(const Handle<accp_packet> &packet) {
    accp_text out = {};
    EXPECT_EQ(accp_packet_print_prompt(packet.get(), &out, nullptr), ACCP_OK);
    return accp_test::string_of(out);
}
inline std::string checksum_of(const Handle<accp_packet> &packet) {
    return accp_test::string_of(accp_packet_checksum(packet.get()));
}

inline Handle<accp_store> open_store(const std::string &name) {
    accp_store *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_store_open(name.data(), name.size(), 0, nullptr, &made, &error), ACCP_OK)
        << error.message;
    return Handle<accp_store>(made);
}
inline Handle<accp_panes> open_panes(const std::string &directory, accp_store *store,
                                     const accp_config *config = nullptr) {
    accp_panes *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_panes_open(directory.data(), directory.size(), store, config, &made, &error),
              ACCP_OK)
        << error.message;
    return Handle<accp_panes>(made);
}

// Returns "E2001: there is no packet for this pane", or "" for success.
inline std::string told(accp_status status, const accp_error &error) {
    return status == ACCP_OK ? ""
                             : std::string(accp_status_code_name(status)) + ": " + error.message;
}

class Project : public testing::Test {
protected:
    Project() {
        static std::random_device random;
        directory_ = testing::TempDir() + "accp-panes-" + std::to_string(random());
        std::filesystem::create_directory(directory_);
    }
    ~Project() override {
        panes_.reset();
        store_.reset();
        std::filesystem::remove_all(directory_);
    }
    // Uses a store in memory, unless a file is given.
    void open(const std::string &store = "memory:") {
        panes_.reset();
        store_ = open_store(store);
        panes_ = open_panes(directory_, store_.get());
    }

    std::string write(int64_t pane, const std::string &text, const std::string &revision = {},
                      uint32_t writing = 0) {
        accp_error error = {};
        const Handle<accp_packet> packet = packet_of(text);
        return told(accp_panes_write(panes_.get(), pane, packet.get(), revision.data(),
                                     revision.size(), kNow, writing, &error),
                    error);
    }
    // Returns the prompt or the error.
    std::string read(int64_t pane, uint32_t reading = 0) {
        accp_error error = {};
        read_ = new_packet();
        const accp_status status =
            accp_panes_read(panes_.get(), pane, kNow, reading, read_.get(), &error);
        return status == ACCP_OK ? prompt_of(read_) : told(status, error);
    }
    std::string remove(int64_t pane) {
        accp_error error = {};
        return told(accp_panes_remove(panes_.get(), pane, kNow, &error), error);
    }
    std::string configure(const std::string &text) {
        accp_error error = {};
        return told(accp_panes_configure(panes_.get(), text.data(), text.size(), &error), error);
    }
    std::string write_feedback(int64_t pane, const std::string &gaps,
                               const std::string &unused = {}) {
        accp_error error = {};
        return told(accp_panes_write_feedback(panes_.get(), pane, gaps.data(), gaps.size(),
                                              unused.data(), unused.size(), &error),
                    error);
    }
    std::string feedback(int64_t pane) {
        accp_error error = {};
        accp_text gaps = {}, unused = {};
        const accp_status status =
            accp_panes_read_feedback(panes_.get(), pane, &gaps, &unused, &error);
        return status == ACCP_OK ? accp_test::string_of(gaps) + "|" + accp_test::string_of(unused)
                                 : told(status, error);
    }
    std::string record(bool success, int64_t pane = -1, const std::string &gaps = {},
                       uint64_t tokens = 0, const std::string &kind = {}) {
        accp_pane_task task = {};
        task.size = sizeof task;
        task.kind = {kind.data(), kind.size()};
        task.pane = pane;
        task.success = success;
        task.depth = ACCP_PACKET_STANDARD;
        task.context_tokens = tokens;
        task.explored = -1;
        task.gaps = {gaps.data(), gaps.size()};
        task.now_ms = kNow;
        accp_error error = {};
        return told(accp_panes_record_task(panes_.get(), &task, &error), error);
    }
    std::string stats(int32_t compared = 0) { return print(accp_panes_print_stats, compared); }
    template <class Print>
    std::string print(Print call, int32_t compared) {
        accp_text out = {};
        accp_error error = {};
        const accp_status status = call(panes_.get(), compared, &out, &error);
        return status == ACCP_OK ? accp_test::string_of(out) : told(status, error);
    }
    // Returns the lines of the journal, as an export has them.
    std::string journal() {
        std::string out;
        accp_store_export(
            store_.get(), "agentwire", 9,
            [](const char *text, size_t len, void *user) {
                static_cast<std::string *>(user)->append(text, len);
                return 0;
            },
            &out, nullptr);
        return out;
    }

    std::string path(const std::string &name) const { return directory_ + "/.agentwire/" + name; }
    void put(const std::string &name, const std::string &text) {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
    }
    std::string file(const std::string &name) const {
        std::ifstream in(path(name), std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    bool has(const std::string &name) const { return std::filesystem::exists(path(name)); }

    std::string directory_;
    Handle<accp_store> store_;
    Handle<accp_panes> panes_;
    Handle<accp_packet> read_;
};

}  // namespace accp_panes_test
