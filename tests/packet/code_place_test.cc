// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets from a code index on disk, through the C API.
#include <filesystem>
#include <fstream>
#include <thread>

#include "packet/made_code.h"

namespace {

using namespace accp_packets;

class PacketCodeOnDisk : public testing::Test {
protected:
    PacketCodeOnDisk() {
        std::string path = testing::TempDir() + "accp-code-XXXXXX";
        directory_ = mkdtemp(path.data());
        path_ = directory_ + "/code.sqlite";
    }
    ~PacketCodeOnDisk() override { std::filesystem::remove_all(directory_); }
    Code open(accp_status expected = ACCP_OK) const {
        accp_packet_code *made = nullptr;
        EXPECT_EQ(accp_packet_code_new_on_disk(path_.data(), path_.size(), nullptr, &made, nullptr),
                  expected);
        return Code(made);
    }

    std::string directory_, path_;
};

TEST_F(PacketCodeOnDisk, AnswersAsInMemory) {
    fill(open());
    const Code code = open();
    EXPECT_EQ(count_of(code), 3u);
    const Packet packet = new_packet(), expected = new_packet();
    const Code in_memory = some_code();
    for (const char *talk : {"", "User: It must not touch weather.py."}) {
        const accp_packet_request here = request_of("Add a login of users", talk, code),
                                  there = request_of("Add a login of users", talk, in_memory);
        ASSERT_EQ(accp_packet_generate(packet.get(), &here, nullptr), ACCP_OK);
        ASSERT_EQ(accp_packet_generate(expected.get(), &there, nullptr), ACCP_OK);
        EXPECT_EQ(printed(packet, accp_packet_print_json),
                  printed(expected, accp_packet_print_json));
    }
    accp_text stale = {};
    ASSERT_EQ(accp_packet_stale_files(packet.get(), code.get(), &stale, nullptr), ACCP_OK);
    EXPECT_EQ(stale.len, 0u);
    EXPECT_EQ(add(code, "models/user.py", "class Nobody:\n"), ACCP_OK);
    ASSERT_EQ(accp_packet_stale_files(packet.get(), code.get(), &stale, nullptr), ACCP_OK);
    EXPECT_EQ(std::string(stale.text, stale.len), "models/user.py\n");
}

TEST_F(PacketCodeOnDisk, Stamps) {
    const Code code = open();
    fill(code);
    check_stamps(code);
}

// Any number of threads may query it.
TEST_F(PacketCodeOnDisk, ManyAsk) {
    const Code code = open();
    fill(code);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&code] {
            const Packet packet = new_packet();
            const accp_packet_request request = request_of("Add a login of users", "", code);
            for (int round = 0; round < 50; ++round) {
                ASSERT_EQ(accp_packet_generate(packet.get(), &request, nullptr), ACCP_OK);
                ASSERT_EQ(count_of(code), 3u);
            }
        });
    for (std::thread &thread : threads) thread.join();
}

TEST_F(PacketCodeOnDisk, Refusals) {
    std::ofstream(path_) << "a letter to somebody";
    open(ACCP_ERR_CORRUPT);
    path_ = directory_ + "/none/code.sqlite";
    open(ACCP_ERR_IO);
    path_ = directory_;
    open(ACCP_ERR_ARG);
    path_ = "";
    open(ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_code_new_on_disk("a", 1, nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    accp_packet_code *made = nullptr;
    EXPECT_EQ(accp_packet_code_new_on_disk(nullptr, 1, nullptr, &made, nullptr), ACCP_ERR_ARG);
}

}  // namespace
