// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_tree.h. git itself is asked, as a process: its rules are many, and a library of them
// would have each start of the command take three times as long (docs/notes/packets.md).
#include "cli/packet/code_tree.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>

#include "cli/host.h"
#include "cli/process/child.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// The repository may be anybody's: what would have git run a program that it names is turned off
// (a monitor of files, a way to fetch what is missing), and nothing is written. A repository that
// the environment names (in a hook) is not the one that is asked for.
std::vector<std::string> ask_git(const std::string &directory) {
    std::vector<std::string> paths;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
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
                                      nothing, true);
    close(nothing);
    if (ran.error != 0 || ran.status != 0) return paths;
    for (size_t at = 0; at < ran.out.size();) {
        const size_t end = std::min(ran.out.find('\0', at), ran.out.size());
        paths.push_back(ran.out.substr(at, end - at));
        at = end + 1;
    }
    return paths;
}

std::vector<std::string> walk(const std::string &directory) {
    std::vector<std::string> paths;
    std::error_code error;
    fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        const bool is_hidden = at->path().filename().native().front() == '.';
        std::error_code unknown;
        if (at->is_directory(unknown) && is_hidden) at.disable_recursion_pending();
        else if (at->is_regular_file(unknown) && !at->is_symlink(unknown))
            paths.push_back(at->path().lexically_relative(directory).native());
    }
    return paths;
}

// Is the file itself, or a folder above it, a symbolic link? Or no file at all? `folder` is the
// last one that is none.
bool is_plain(const std::string &directory, const std::string &path, std::string &folder) {
    std::error_code error;
    const size_t slash = path.rfind('/');
    const std::string own = slash == std::string::npos ? "" : path.substr(0, slash);
    // packets and their journal are about the work, and no part of it
    if (path.starts_with(".agentwire/") || path.find("/.agentwire/") != path.npos) return false;
    if (own != folder) {
        for (size_t at = 0; at < own.size(); ++at) {
            at = std::min(own.find('/', at), own.size());
            const fs::path part = fs::path(directory) / own.substr(0, at);
            if (fs::symlink_status(part, error).type() != fs::file_type::directory) return false;
        }
        folder = own;
    }
    return fs::symlink_status(fs::path(directory) / path, error).type() == fs::file_type::regular;
}

}  // namespace

std::vector<std::string> list_files(const std::string &directory) {
    std::error_code error;
    if (!fs::is_directory(directory, error))
        throw Failure(directory + ": " + (error ? error.message() : "not a directory"));
    std::vector<std::string> paths = ask_git(directory);
    if (paths.empty()) paths = walk(directory);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::string folder;
    std::erase_if(paths, [&](const std::string &path) {
        return path.empty() || !is_plain(directory, path, folder);
    });
    return paths;
}

}  // namespace cli
