// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Source files for tests of the C API, and the properties they have in memory and on disk.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "packet/packets.h"

namespace accp_packets {

struct FreeCode {
    void operator()(accp_packet_code *code) const { accp_packet_code_free(code); }
};
using Code = std::unique_ptr<accp_packet_code, FreeCode>;

inline Code new_code() {
    accp_packet_code *made = nullptr;
    EXPECT_EQ(accp_packet_code_new(nullptr, &made, nullptr), ACCP_OK);
    return Code(made);
}

inline accp_status add(const Code &code, const std::string &path, const std::string &text,
                       accp_error *error = nullptr) {
    return accp_packet_code_add(code.get(), path.data(), path.size(), text.data(), text.size(),
                                error);
}

inline void fill(const Code &code) {
    EXPECT_EQ(add(code, "routes/auth.py",
                  "\"\"\"Routes of accounts.\"\"\"\nasync def register(user):\n  pass\nasync def "
                  "login(user):\n  pass\n"),
              ACCP_OK);
    EXPECT_EQ(add(code, "models/user.py", "# Users, with their mail\nclass User:\n  pass\n"),
              ACCP_OK);
    EXPECT_EQ(add(code, "weather.py", "def rain():\n  pass\n"), ACCP_OK);
    EXPECT_EQ(accp_packet_code_sync(code.get(), nullptr), ACCP_OK);
}

inline Code some_code() {
    Code code = new_code();
    fill(code);
    return code;
}

inline accp_packet_request request_of(const char *task, const char *talk, const Code &code) {
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task, strlen(task)};
    request.conversation = {talk, strlen(talk)};
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    request.depth = ACCP_PACKET_STANDARD;
    request.code = code.get();
    return request;
}

inline uint64_t count_of(const Code &code) {
    uint64_t count = 0;
    EXPECT_EQ(accp_packet_code_count(code.get(), &count, nullptr), ACCP_OK);
    return count;
}

inline accp_status remove_file(const Code &code, std::string_view path) {
    return accp_packet_code_remove(code.get(), path.data(), path.size(), nullptr);
}

inline std::string paths_of(const Code &code) {
    accp_text all = {};
    EXPECT_EQ(accp_packet_code_paths(code.get(), &all, nullptr), ACCP_OK);
    std::string paths(all.text, all.len);
    std::replace(paths.begin(), paths.end(), '\0', '\n');
    return paths;
}

// Both kinds of stamps.
inline void check_stamps(const Code &code) {
    const auto stamp = [&](const std::string &path) {
        uint64_t found = 0;
        EXPECT_EQ(accp_packet_code_stamp(code.get(), path.data(), path.size(), &found, nullptr),
                  ACCP_OK);
        return found;
    };
    const auto add_stamped = [&](const std::string &path, const std::string &text, uint64_t now) {
        return accp_packet_code_add_stamped(code.get(), path.data(), path.size(), text.data(),
                                            text.size(), now, nullptr);
    };
    EXPECT_EQ(paths_of(code), "models/user.py\nroutes/auth.py\nweather.py\n");
    EXPECT_EQ(stamp("weather.py"), 0u);
    EXPECT_EQ(stamp("none.py"), 0u);
    EXPECT_EQ(add_stamped("weather.py", "def snow():\n", UINT64_MAX), ACCP_OK);
    EXPECT_EQ(stamp("weather.py"), UINT64_MAX);
    EXPECT_EQ(add_stamped("weather.py", "def snow():\n", 2), ACCP_OK);
    EXPECT_EQ(stamp("weather.py"), 2u);
    EXPECT_EQ(accp_packet_code_sync(code.get(), nullptr), ACCP_OK);
    EXPECT_EQ(stamp("weather.py"), 2u);
    EXPECT_EQ(remove_file(code, "models/user.py"), ACCP_OK);
    EXPECT_EQ(add_stamped("z.py", "", 1), ACCP_OK);
    EXPECT_EQ(add_stamped("zz.py", "", 1), ACCP_OK);
    EXPECT_EQ(paths_of(code), "routes/auth.py\nweather.py\nz.py\nzz.py\n");
    EXPECT_EQ(count_of(code), 4u);
    EXPECT_EQ(accp_packet_code_paths(code.get(), nullptr, nullptr), ACCP_ERR_ARG);
}

}  // namespace accp_packets
