// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/packet/git_files.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>

#include "cli/process/child.h"

namespace cli {

// Runs the program git: linking a git library would make each start of accp three times as slow
// (docs/notes/packets.md). The repository is not trusted: settings by which it could make git run a
// program (a file monitor, a lazy fetch) are turned off, and nothing is written. Variables such as
// GIT_DIR, which git sets for hooks, are ignored.
std::vector<std::string> list_git_files(const std::string &directory) {
    std::vector<std::string> paths;
    const int empty_input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const ChildResult ran = run_child({"env",
                                       "-u",
                                       "GIT_DIR",
                                       "-u",
                                       "GIT_WORK_TREE",
                                       "-u",
                                       "GIT_INDEX_FILE",
                                       "GIT_ALLOW_PROTOCOL=none",
                                       "GIT_NO_LAZY_FETCH=1",
                                       "git",
                                       "--no-optional-locks",
                                       "-c",
                                       "core.fsmonitor=false",
                                       "-C",
                                       directory,
                                       "ls-files",
                                       "-c",
                                       "-o",
                                       "--exclude-standard",
                                       "-z"},
                                      empty_input, true);
    close(empty_input);
    if (ran.error != 0 || ran.status != 0) return paths;
    for (size_t at = 0; at < ran.out.size();) {
        const size_t end = std::min(ran.out.find('\0', at), ran.out.size());
        paths.push_back(ran.out.substr(at, end - at));
        at = end + 1;
    }
    return paths;
}

}  // namespace cli
