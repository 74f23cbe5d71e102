// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <cstring>

#include "packet/panes/files.h"

namespace accp::packet {

namespace {

FileName make_name(Folder folder, std::string_view before, int64_t pane, std::string_view after) {
    FileName name = {folder, {}};
    char *to = name.text;
    std::memcpy(to, before.data(), before.size());
    to = std::to_chars(to + before.size(), name.text + sizeof name.text, pane).ptr;
    std::memcpy(to, after.data(), after.size());
    return name;
}

}  // namespace

FileName packet_file(int64_t pane) {
    if (pane == kShared) return {Folder::kContext, "shared.yaml"};
    return make_name(Folder::kContext, "pane-", pane, ".yaml");
}
FileName feedback_file(int64_t pane) { return make_name(Folder::kFeedback, "pane-", pane, ".md"); }
FileName made_file(int64_t pane) { return make_name(Folder::kMade, "pane-", pane, ".yaml"); }
FileName old_feedback_file(int64_t pane) {
    return make_name(Folder::kRoot, "feedback-", pane, ".md");
}

}  // namespace accp::packet
