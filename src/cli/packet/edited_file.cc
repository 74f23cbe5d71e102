// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/packet/edited_file.h"

#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/host.h"

namespace cli {
namespace {

std::string editor() {
    for (const char *variable : {"VISUAL", "EDITOR"})
        if (const char *value = std::getenv(variable); value != nullptr && *value != 0)
            return value;
    return "vi";
}

}  // namespace

EditedFile::EditedFile(const std::string &text)
    : text_(text), path_(std::filesystem::temp_directory_path() / "accp-packet-XXXXXX") {
    const int file = mkstemp(path_.data());
    if (file < 0) throw Failure(path_ + ": cannot be created");
    close(file);
    std::ofstream out(path_, std::ios::binary);
    out << text;
    out.close();
    if (out) return;
    unlink(path_.c_str());
    throw Failure(path_ + ": cannot be written");
}

EditedFile::~EditedFile() {
    if (!is_kept_) unlink(path_.c_str());
}

// Runs the editor in a shell, because $EDITOR may have arguments.
void EditedFile::run_editor() const {
    const std::string line = editor() + " \"$1\"";
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), "sh", path_.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        throw Failure("the editor failed: " + editor());
}

// A file that cannot be read is kept too, because it may have changed.
bool EditedFile::keep_changes() {
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream now;
    now << in.rdbuf();
    is_kept_ = std::filesystem::exists(path_) && (!in || now.str() != text_);
    return is_kept_;
}

}  // namespace cli
