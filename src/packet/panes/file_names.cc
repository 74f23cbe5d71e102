// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <cstring>

#include "packet/panes/files.h"

namespace accp::packet {

namespace {

constexpr const char *kRootName = ".agentwire";
constexpr const char *kFolderNames[] = {nullptr, "context", "feedback", "made"};

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

Status ProjectFiles::open_folder(Folder folder, bool create, Descriptor &out) const {
    if (folder == Folder::kRoot) return open_directory(project_, kRootName, create, out);
    Descriptor root;
    Status status = open_directory(project_, kRootName, create, root);
    if (status.failed()) return status;
    return open_directory(root, kFolderNames[static_cast<int>(folder)], create, out);
}

}  // namespace accp::packet
