// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verb `run` of conformance vectors: runs the command accp in the folder of this program.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "cli/conformance/verbs.h"
#include "cli/host.h"
#include "cli/system/files.h"

namespace conformance {

using namespace cli;

namespace {

[[noreturn]] void fail_with(int error) {
    throw Failure(std::string("the command accp in the folder of this program: ") +
                  std::strerror(error));
}

// A temporary file in memory.
class MemoryFile {
public:
    MemoryFile() : fd(memfd_create("accp-conformance", MFD_CLOEXEC)) {
        if (fd < 0) fail_with(errno);
    }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile() { close(fd); }

    std::string text() const {
        std::ifstream file("/proc/self/fd/" + std::to_string(fd), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const int fd;
};

// A temporary folder with the vector's files. Without files there is no folder and path() is empty.
class FilesFolder {
public:
    explicit FilesFolder(const Vector &vector) {
        vector.each_member("files", [&](std::string_view name, std::string_view text) {
            if (name.empty() || std::filesystem::path(name).has_parent_path())
                throw Failure("files: not a plain file name: " + std::string(name));
            if (path_.empty()) make();
            if (!std::ofstream(path_ / name, std::ios::binary).write(text.data(), std::ssize(text)))
                fail_with(errno);
        });
    }
    FilesFolder(const FilesFolder &) = delete;
    FilesFolder &operator=(const FilesFolder &) = delete;
    ~FilesFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path &path() const { return path_; }

private:
    void make() {
        std::string name = std::filesystem::temp_directory_path() / "accp-conformance-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) fail_with(errno);
        path_ = name;
    }

    std::filesystem::path path_;
};

// Runs the program and returns its exit status.
int spawn(const std::vector<std::string> &args, const std::string &folder, int in, int out,
          int err) {
    std::vector<char *> argv;
    for (const std::string &arg : args) argv.push_back(const_cast<char *>(arg.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) fail_with(ENOMEM);
    pid_t child = 0;
    int error = 0;
    const int from[] = {in, out, err};
    for (int i = 0; i < 3 && error == 0; ++i)
        error = posix_spawn_file_actions_adddup2(&actions, from[i], i);
    if (error == 0 && !folder.empty())
        error = posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    if (error == 0) error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail_with(error);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail_with(errno);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string command_result(const Vector &vector, const std::string &input) {
    std::vector<std::string> args = {program_beside("accp")};
    vector.each("args", [&](std::string_view arg) { args.emplace_back(arg); });
    const MemoryFile in, out, err;
    if (write(in.fd, input.data(), input.size()) != static_cast<ssize_t>(input.size()))
        fail_with(errno);
    lseek(in.fd, 0, SEEK_SET);
    const FilesFolder folder(vector);
    const int status = spawn(args, folder.path(), in.fd, out.fd, err.fd);
    return run_result(status, out.text(), err.text());
}

}  // namespace conformance
