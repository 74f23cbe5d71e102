// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members that a packet knows, and what each has to be. The order is that of a packet that is
// written; members that are not here are kept as they are.
#pragma once

#include <span>
#include <string_view>

namespace accp::packet {

enum class Shape {
    kText,
    kTexts,      // a list of text
    kItems,      // a list of objects, of which each may be a text or a map with one key
    kNotes,      // a list of text or maps
    kChangelog,  // a list of maps with one text each
    kVersion,    // 1
    kRevision,   // an integer of at least 1
    kCount,      // an integer of at least 0
    kTime,
    kContext,
    kCodebase,
};

struct Member {
    std::string_view name;
    Shape shape;
    const char *missing = nullptr;  // required and not blank: the message where it is not there
    std::span<const Member> items = {};  // of kItems: what an object has; the first is its text
};

std::span<const Member> packet_members();
std::span<const Member> context_members();
std::span<const Member> codebase_members();
// What the checksum does not cover: they stand after all others.
std::span<const Member> seal_members();

const Member *find_member(std::span<const Member> members, std::string_view name);

}  // namespace accp::packet
