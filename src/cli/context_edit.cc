// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_edit.h.
#include "cli/context_edit.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/failure.h"
#include "cli/settings.h"

namespace cli {
namespace {

// A file of its own, which goes again.
class EditedFile {
public:
    EditedFile() : path_(std::filesystem::temp_directory_path() / "accp-packet-XXXXXX") {
        const int file = mkstemp(path_.data());
        if (file < 0) throw Failure(path_ + ": cannot be made");
        close(file);
    }
    EditedFile(const EditedFile &) = delete;
    EditedFile &operator=(const EditedFile &) = delete;
    ~EditedFile() { unlink(path_.c_str()); }
    const std::string &path() const { return path_; }

private:
    std::string path_;
};

std::string editor() {
    for (const char *variable : {"VISUAL", "EDITOR"})
        if (const char *value = std::getenv(variable); value != nullptr && *value != 0)
            return value;
    return "vi";
}

// As a shell runs it: an editor may have arguments.
void run_editor(const std::string &path) {
    const std::string line = editor() + " \"$1\"";
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), "sh", path.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        throw Failure("the editor has failed: " + editor());
}

}  // namespace

std::string edited(const std::string &text) {
    const EditedFile file;
    std::ofstream out(file.path(), std::ios::binary);
    out << text;
    out.close();
    if (!out) throw Failure(file.path() + ": cannot be written");
    run_editor(file.path());
    return read_file(file.path());
}

}  // namespace cli
