// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets for tests, through the C API.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>

#include "accp/accp.h"
#include "reference/ref_json.h"

namespace accp_packets {

struct Free {
    void operator()(accp_packet *packet) const { accp_packet_free(packet); }
};
using Packet = std::unique_ptr<accp_packet, Free>;

inline Packet new_packet() {
    accp_packet *made = nullptr;
    EXPECT_EQ(accp_packet_new(nullptr, &made, nullptr), ACCP_OK);
    return Packet(made);
}

template <class Call>
std::string printed(const Packet &packet, Call call) {
    accp_text out = {};
    accp_error error = {};
    EXPECT_EQ(call(packet.get(), &out, &error), ACCP_OK) << error.message;
    return {out.text, out.len};
}

inline accp_status generate(const Packet &packet, const std::string &task, const std::string &talk,
                            int32_t depth, uint64_t budget = 0, int32_t an_interface = 0,
                            accp_error *error = nullptr, int64_t now_ms = 0, uint32_t options = 0,
                            const std::string &items = "") {
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.conversation = {talk.data(), talk.size()};
    request.an_interface = an_interface;
    request.depth = depth;
    request.budget_tokens = budget;
    request.now_ms = now_ms;
    request.options = options;
    request.items = {items.data(), items.size()};
    return accp_packet_generate(packet.get(), &request, error);
}

// The tokens of the prompt of the last packet apart from its first line, the task: what the budget
// limits.
inline uint64_t tokens_without_task(const Packet &packet) {
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    EXPECT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_new(tokenizer, nullptr, &counter, nullptr), ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    uint64_t first = 0;
    EXPECT_EQ(accp_counter_count(counter, prompt.data(), prompt.find('\n') + 1, UINT64_MAX, &first,
                                 nullptr),
              ACCP_OK);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
    return accp_packet_tokens(packet.get()) - first;
}

// A broken line continues after one blank.
inline std::string on_one_line(const std::string &text) {
    return std::regex_replace(text, std::regex("[ \\t]*\n[ \\t]*"), " ");
}

}  // namespace accp_packets
