// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See external_format.h. The input goes by way of a temporary file: a pipe both ways could fill up
// on either side.
#include "cli/external_format.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "cli/failure.h"

namespace cli {
namespace {

[[noreturn]] void fail(const ExternalFormat &format, const std::string &what) {
    throw Failure("--baseline " + format.name + ": " + what);
}

struct CloseFile {
    void operator()(FILE *file) const { fclose(file); }
};

struct Actions {
    posix_spawn_file_actions_t all;
    Actions() { posix_spawn_file_actions_init(&all); }
    ~Actions() { posix_spawn_file_actions_destroy(&all); }
    Actions(const Actions &) = delete;
    Actions &operator=(const Actions &) = delete;
};

std::string read_all(int fd) {
    std::string out;
    char block[64 << 10];
    for (ssize_t got = 0; (got = read(fd, block, sizeof block)) != 0;) {
        if (got > 0) out.append(block, static_cast<size_t>(got));
        else if (errno != EINTR) break;
    }
    return out;
}

}  // namespace

ExternalFormat external_format(std::string_view text) {
    const size_t equals = text.find('=');
    if (text == "toon") return {"TOON", {"toon"}};
    if (equals == 0 || equals == std::string_view::npos)
        throw Failure("no such baseline: " + std::string(text) +
                      " (json, pretty, toon, nl, or NAME=COMMAND)");
    ExternalFormat format = {std::string(text.substr(0, equals)), {}};
    std::istringstream words{std::string(text.substr(equals + 1))};
    for (std::string word; words >> word;) format.command.push_back(word);
    if (format.command.empty()) fail(format, "no command behind =");
    return format;
}

bool is_there(const ExternalFormat &format) {
    const char *path = std::getenv("PATH");
    std::istringstream directories(path != nullptr ? path : "");
    for (std::string directory; std::getline(directories, directory, ':');)
        if (access((directory + "/" + format.command[0]).c_str(), X_OK) == 0) return true;
    return false;
}

std::string convert(const ExternalFormat &format, std::string_view json) {
    const std::unique_ptr<FILE, CloseFile> input(tmpfile());
    int pipe_ends[2];
    if (!input || fwrite(json.data(), 1, json.size(), input.get()) != json.size() ||
        fflush(input.get()) != 0)
        fail(format, std::strerror(errno));
    lseek(fileno(input.get()), 0, SEEK_SET);
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) fail(format, std::strerror(errno));
    Actions actions;
    posix_spawn_file_actions_adddup2(&actions.all, fileno(input.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions.all, pipe_ends[1], STDOUT_FILENO);
    std::vector<char *> words;
    for (const std::string &word : format.command)
        words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, words[0], &actions.all, nullptr, words.data(), environ);
    close(pipe_ends[1]);
    std::string out = error == 0 ? read_all(pipe_ends[0]) : "";
    close(pipe_ends[0]);
    if (error != 0) fail(format, format.command[0] + ": " + std::strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail(format, format.command[0] + " failed on a message");
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace cli
