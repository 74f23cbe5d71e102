// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of code, through the C API.
#include <gtest/gtest.h>

#include <functional>

#include "packet/made_code.h"

namespace {

using namespace accp_packets;

TEST(PacketCode, OfCodeAlone) {
    const Packet packet = new_packet();
    const Code code = some_code();
    const accp_packet_request request = request_of("Add a login of users", "", code);
    ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
    EXPECT_EQ(printed(packet, accp_packet_print_prompt),
              "# Add a login of users\n\n## Files\n"
              "- routes/auth.py: Routes of accounts (login)\n"
              "- models/user.py: Users, with their mail (User)\n"
              "\n## Not included\n- the code: 3 files\n");
    const std::string json = printed(packet, accp_packet_print_json);
    EXPECT_NE(json.find(R"("sources":{"relevant_files":["sha256:)"), std::string::npos) << json;
    EXPECT_NE(json.find(R"( routes/auth.py","sha256:)"), std::string::npos) << json;
    EXPECT_NE(json.find(R"( models/user.py"]})"), std::string::npos) << json;
    // it is an ordinary packet
    ASSERT_EQ(accp_packet_parse(packet.get(), json.data(), json.size(), 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
}

TEST(PacketCode, WithTalk) {
    const Packet packet = new_packet();
    const Code code = some_code();
    const accp_packet_request request = request_of(
        "Add a login", "User: It must not touch weather.py. Put it into routes/login.py.", code);
    ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    for (const char *line :
         {"- It must not touch weather.py.\n", "- routes/login.py\n", "- weather.py: rain\n",
          "- routes/auth.py: Routes of accounts (login)\n",
          "- the conversation: 1 message\n- the code: 3 files"})
        EXPECT_NE(prompt.find(line), std::string::npos) << line << prompt;
    const std::string json = printed(packet, accp_packet_print_json);
    EXPECT_NE(json.find(" weather.py\""), std::string::npos) << json;
    EXPECT_EQ(json.find(" routes/login.py\""), std::string::npos) << "a file that is not there";
}

TEST(PacketCode, NoticesStaleFiles) {
    const Packet packet = new_packet();
    const Code code = some_code();
    const accp_packet_request request = request_of("Add a login of users", "", code);
    ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
    const std::string yaml = printed(packet, accp_packet_print_yaml);
    ASSERT_EQ(accp_packet_parse(packet.get(), yaml.data(), yaml.size(), 0, nullptr), ACCP_OK);
    const auto stale = [&] {
        return printed(packet, [&](accp_packet *of, accp_text *out, accp_error *error) {
            return accp_packet_stale_files(of, code.get(), out, error);
        });
    };
    EXPECT_EQ(stale(), "");
    EXPECT_EQ(add(code, "weather.py", "another"), ACCP_OK);  // not mentioned in the packet
    EXPECT_EQ(stale(), "");
    EXPECT_EQ(add(code, "models/user.py", "class Nobody:\n"), ACCP_OK);
    EXPECT_EQ(stale(), "models/user.py\n");
    EXPECT_EQ(remove_file(code, "routes/auth.py"), ACCP_OK);
    EXPECT_EQ(stale(), "routes/auth.py\nmodels/user.py\n");
    accp_text out = {};
    EXPECT_EQ(accp_packet_stale_files(packet.get(), nullptr, &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_stale_files(nullptr, code.get(), &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_stale_files(new_packet().get(), code.get(), &out, nullptr), ACCP_ERR_ARG);
}

// Files that were removed from the packet are not reported as stale, and hashes stay with their
// files.
TEST(PacketCode, HashesGoWithTheirPaths) {
    const Code code = some_code();
    const accp_packet_request request = request_of("Add a login of users", "", code);
    const auto without_auth = [](const Packet &packet) {
        std::string yaml = printed(packet, accp_packet_print_yaml);
        const size_t at = yaml.find("      - path: routes/auth.py\n");
        yaml.erase(at, yaml.find("      - path", at + 1) - at);
        return accp_packet_parse(packet.get(), yaml.data(), yaml.size(), ACCP_PACKET_UNVERIFIED,
                                 nullptr);
    };
    const auto filtered = [](const Packet &packet) {
        return accp_packet_filter(packet.get(), "models user mail", 16, 0.4, nullptr, nullptr,
                                  nullptr);
    };
    for (const auto &less : {std::function<accp_status(const Packet &)>(without_auth),
                             std::function<accp_status(const Packet &)>(filtered)}) {
        const Packet packet = new_packet();
        ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
        ASSERT_EQ(less(packet), ACCP_OK);
        const auto stale = [&](const Code &now) {
            return printed(packet, [&](accp_packet *of, accp_text *out, accp_error *error) {
                return accp_packet_stale_files(of, now.get(), out, error);
            });
        };
        EXPECT_EQ(stale(code), "") << printed(packet, accp_packet_print_yaml);
        EXPECT_EQ(stale(new_code()), "models/user.py\n");
    }
}

// Any values in place of lists.
TEST(PacketCode, StaleFilesOfOddPackets) {
    const Packet packet = new_packet();
    const Code code = some_code();
    for (const char *odd :
         {"sources: 1", "sources: {relevant_files: 1}", "sources: {relevant_files: [1, [], {}]}",
          "sources: {relevant_files: ['sha256:000000000000000g a']}",
          "sources: {relevant_files: ['sha256:0 a', 'sha256:00000000000000001 a']}",
          "sources: {relevant_files: ['sha256:0000000000000000', 'sha256:0000000000000000 ']}",
          "sources: {relevant_files: ['sha256:0000000000000000 c']}",  // not one of the files
          "sources: {relevant_files: []}"}) {
        const std::string yaml = std::string(
                                     "version: 1\ncreated: 2024-01-15T10:30:00Z\n"
                                     "creator: a\ntarget_task: t\ncontext: {goal: g, "
                                     "codebase: {relevant_files: [a, b]}}\n") +
                                 odd + "\n";
        ASSERT_EQ(accp_packet_parse(packet.get(), yaml.data(), yaml.size(), 0, nullptr), ACCP_OK);
        accp_text out = {};
        EXPECT_EQ(accp_packet_stale_files(packet.get(), code.get(), &out, nullptr), ACCP_OK);
        EXPECT_EQ(out.len, 0u) << odd;
    }
}

// A caller that was compiled before requests had the member `code`.
TEST(PacketCode, OlderRequests) {
    const Packet packet = new_packet();
    const Code code = some_code();
    accp_packet_request request = request_of("Add a login", "User: It must not fail.", code);
    request.size = offsetof(accp_packet_request, code);
    ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
    EXPECT_EQ(printed(packet, accp_packet_print_prompt).find("## Files"), std::string::npos);
    request.conversation.len = 0;
    EXPECT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_ERR_ARG);
    --request.size;
    EXPECT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_ERR_ARG);
}

TEST(PacketCode, Files) {
    const Code code = some_code();
    EXPECT_EQ(count_of(code), 3u);
    EXPECT_EQ(add(code, "weather.py", "def snow():\n"), ACCP_OK);
    EXPECT_EQ(count_of(code), 3u);
    EXPECT_EQ(remove_file(code, "weather.py"), ACCP_OK);
    EXPECT_EQ(remove_file(code, "weather.py"), ACCP_E2001);
    EXPECT_EQ(count_of(code), 2u);
    EXPECT_EQ(add(code, "empty.py", ""), ACCP_OK);
}

TEST(PacketCode, Stamps) { check_stamps(some_code()); }

TEST(PacketCode, Refusals) {
    const Code code = new_code();
    accp_error error = {};
    EXPECT_EQ(add(code, "", "x", &error), ACCP_ERR_ARG);
    EXPECT_EQ(add(code, std::string(4097, 'a'), "x"), ACCP_ERR_ARG);
    EXPECT_EQ(add(code, std::string(4096, 'a'), "x"), ACCP_OK);
    EXPECT_EQ(add(code, std::string("a\0b", 3), "x"), ACCP_ERR_ARG);
    EXPECT_EQ(add(code, "a\xFF", "x", &error), ACCP_E1004);
    EXPECT_EQ(error.offset, 1u);
    EXPECT_EQ(accp_packet_code_add(code.get(), nullptr, 1, "", 0, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_add(code.get(), "a", 1, nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_add(nullptr, "a", 1, "", 0, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_new(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    uint64_t number = 5;
    EXPECT_EQ(accp_packet_code_remove(nullptr, "a", 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_remove(code.get(), nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_count(nullptr, &number, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_count(code.get(), nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_stamp(nullptr, "a", 1, &number, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_stamp(code.get(), nullptr, 1, &number, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_stamp(code.get(), "a", 1, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(number, 5u);
    EXPECT_EQ(accp_packet_code_sync(nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_paths(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_add_stamped(nullptr, "a", 1, "", 0, 1, nullptr), ACCP_ERR_ARG);
    accp_packet_code_free(nullptr);
}

}  // namespace
