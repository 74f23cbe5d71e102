// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The source files that a packet is generated from.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// Reads the files of --code and shows progress; returns NULL without --code. If there is an index
// of an earlier run, reads only the files that changed. Skips files that are not text, are larger
// than 1 MiB, have a name that is not UTF-8, or cannot be read. Throws Failure if no file is left.
//
// The files are those that git tracks, and new ones that it does not ignore. If git is missing, or
// the directory is not in a repository or is ignored, they are all files outside folders whose name
// begins with a dot. Symbolic links and files below them are skipped.
//
// The index is the file of --index. Without --index it is in the project's .agentwire folder, one
// for each directory of code; without that folder the index is in memory.
Handle<accp_packet_code> read_code(const Arguments &arguments);

}  // namespace cli
