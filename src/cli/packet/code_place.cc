// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_place.h.
#include "cli/packet/code_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>

#include "cli/packet/panes_project.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// The same wherever a project is moved with its code.
std::string name_of(const Arguments &arguments) {
    std::error_code error;
    const std::string code =
        fs::relative(arguments.code, arguments.directory, error).native();  // of links, too
    uint64_t hash = 0xCBF29CE484222325;                                     // FNV-1a
    for (const char c : code) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    char name[32];
    std::snprintf(name, sizeof name, "code-%016" PRIx64 ".sqlite", hash);
    return name;
}

// As other tools have it: whoever adds all that is new does not add a cache.
void hide_from_git(const std::string &folder) {
    const int file = open((folder + "/.gitignore").c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    (void)!write(file, "*\n", 2);
    close(file);
}

}  // namespace

std::string index_place(const Arguments &arguments) {
    if (!arguments.index.empty()) return arguments.index == "none" ? "" : arguments.index;
    const std::string project = project_folder(arguments), folder = project + "/cache";
    std::error_code error;
    if (fs::symlink_status(project, error).type() != fs::file_type::directory) return {};
    if (mkdir(folder.c_str(), 0700) == 0) hide_from_git(folder);
    if (fs::symlink_status(folder, error).type() != fs::file_type::directory) return {};
    const std::string path = folder + "/" + name_of(arguments);
    refuse_link(path);
    return path;
}

}  // namespace cli
