// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_edit.h.
#include "cli/packet/edit.h"

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
    if (file < 0) throw Failure(path_ + ": cannot be made");
    close(file);
    std::ofstream out(path_, std::ios::binary);
    out << text;
    out.close();
    if (out) return;
    unlink(path_.c_str());
    throw Failure(path_ + ": cannot be written");
}

EditedFile::~EditedFile() {
    if (!stays_) unlink(path_.c_str());
}

// As a shell runs it: an editor may have arguments.
void EditedFile::run_editor() const {
    const std::string line = editor() + " \"$1\"";
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), "sh", path_.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        throw Failure("the editor has failed: " + editor());
}

// A file that cannot be read stays too: nobody knows what is in it.
bool EditedFile::keep_changes() {
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream now;
    now << in.rdbuf();
    stays_ = std::filesystem::exists(path_) && (!in || now.str() != text_);
    return stays_;
}

}  // namespace cli
