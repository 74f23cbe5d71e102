// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See members.h.
#include "packet/file/members.h"

namespace accp::packet {

namespace {

constexpr Member kDecision[] = {
    {"choice", Shape::kText, "missing choice"},
    {"reason", Shape::kText},
    {"made_by", Shape::kText},
};
constexpr Member kFile[] = {
    {"path", Shape::kText, "missing path"},
    {"summary", Shape::kText},
};
constexpr Member kFailure[] = {
    {"approach", Shape::kText, "missing approach"},
    {"reason_failed", Shape::kText},
};
constexpr Member kPacket[] = {
    {"version", Shape::kVersion, "missing version"},
    {"created", Shape::kTime, "missing created"},
    {"creator", Shape::kText, "missing creator"},
    {"target_task", Shape::kText, "missing target_task"},
    {"context", Shape::kContext, "missing context"},
};
constexpr Member kContext[] = {
    {"goal", Shape::kText, "missing goal"},
    {"success_criteria", Shape::kTexts},
    {"decisions", Shape::kItems, nullptr, kDecision},
    {"constraints", Shape::kTexts},
    {"codebase", Shape::kCodebase},
    {"failed_attempts", Shape::kItems, nullptr, kFailure},
    {"pivots", Shape::kNotes},
    {"open_questions", Shape::kTexts},
    {"not_included", Shape::kTexts},
    {"version", Shape::kRevision},
    {"changelog", Shape::kChangelog},
};
constexpr Member kCodebase[] = {
    {"relevant_files", Shape::kItems, nullptr, kFile},
    {"patterns", Shape::kTexts},
    {"anti_patterns", Shape::kTexts},
    {"examples", Shape::kTexts},
};
constexpr Member kSeal[] = {
    {"checksum", Shape::kText},
    {"token_count", Shape::kCount},
    {"tokenizer", Shape::kText},
};

}  // namespace

std::span<const Member> packet_members() { return kPacket; }
std::span<const Member> context_members() { return kContext; }
std::span<const Member> codebase_members() { return kCodebase; }
std::span<const Member> seal_members() { return kSeal; }

const Member *find_member(std::span<const Member> members, std::string_view name) {
    for (const Member &member : members)
        if (member.name == name) return &member;
    return nullptr;
}

}  // namespace accp::packet
