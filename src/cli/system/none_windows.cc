// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the command lacks on Windows. Replaces sacp/run.cc, sacp/agent.cc, mcp/wrap.cc,
// packet/agent_setup.cc, packet/edited_file.cc, packet/git_files.cc, packet/spawn.cc and
// serve/command.cc there.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/mcp/wrap.h"
#include "cli/packet/actions.h"
#include "cli/packet/edited_file.h"
#include "cli/packet/git_files.h"
#include "cli/sacp/actions.h"

namespace cli {
namespace {

[[noreturn]] void refuse(const std::string &what) {
    throw Failure(what + " is not in the build for Windows");
}

}  // namespace

int run_serve(const Arguments &, Streams &) { refuse("accp serve"); }
int sacp_run(const Arguments &, Streams &) { refuse("accp sacp run"); }
int sacp_agent(const Arguments &, Streams &) { refuse("accp sacp agent"); }
int wrap_mcp(const Arguments &, Streams &) { refuse("accp mcp wrap"); }
int set_up_context(const Arguments &, Streams &) { refuse("accp context setup"); }
int spawn_worker(const Arguments &, Streams &) { refuse("accp context spawn"); }

EditedFile::EditedFile(const std::string &) { refuse("accp context edit"); }
EditedFile::~EditedFile() = default;
void EditedFile::run_editor() const {}
bool EditedFile::keep_changes() { return false; }

// All files of the directory are read then, except those in folders whose name begins with a dot.
std::vector<std::string> list_git_files(const std::string &) { return {}; }

}  // namespace cli
