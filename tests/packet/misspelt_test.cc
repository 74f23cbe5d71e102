// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests which unknown members resemble known ones.
#include <gtest/gtest.h>

#include "packet/packets.h"

namespace {

using namespace accp_packets;

// The lines in the context of a packet or after it, and the report.
struct TypingCase {
    const char *yaml, *told;
};
const TypingCase kTypingCases[] = {
    {"", ""},
    {"constrains: [c]", "context.constrains constraints\n"},
    {"Constraints: [c]", "context.Constraints constraints\n"},
    {"desicions: []", "context.desicions decisions\n"},
    {"failedattempt: []", "context.failedattempt failed_attempts\n"},
    {"not_icnlueded: []", "context.not_icnlueded not_included\n"},
    {"decision: []", "context.decision decisions\n"},
    // three errors, or two in a short name
    {"constrain: []", "context.constrain constraints\n"},
    {"constrai: []", ""},
    {"foal: x", "context.foal goal\n"},
    {"foals: x", ""},
    {"\"con\\nstraints\": x", ""},
    {"notes: x", ""},
    {"references: []", ""},
    {"refrences: []", "context.refrences references\n"},
    {"codebase: {relevent_files: []}", "context.codebase.relevent_files relevant_files\n"},
    {"codebase: {relevant_files: [{path: p, sumary: s}]}", "relevant_files[1].sumary summary\n"},
    {"decisions: [a, {choice: b, resaon: c}]", "decisions[2].resaon reason\n"},
    {"decisions: [{chioce: b}]", "decisions[1].chioce choice\n"},
    {"decisions: [chioce]", ""},
    {"failed_attempts: [{approach: a, reason_faild: r}]",
     "failed_attempts[1].reason_faild reason_failed\n"},
    {"pivots: [{goal: x, gaol: y}]", ""},
    {"x: y}\nsource: {}\nchecksun: {", "source sources\nchecksun checksum\n"},
};

TEST(PacketMisspelt, Cases) {
    const Packet packet = new_packet();
    for (const TypingCase &each : kTypingCases) {
        SCOPED_TRACE(each.yaml);
        const std::string text =
            std::string(
                "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\n"
                "context: {goal: g, ") +
            each.yaml + "}\n";
        ASSERT_EQ(accp_packet_parse(packet.get(), text.data(), text.size(), 0, nullptr), ACCP_OK);
        EXPECT_EQ(printed(packet, accp_packet_misspelt_members), each.told);
    }
}

}  // namespace
