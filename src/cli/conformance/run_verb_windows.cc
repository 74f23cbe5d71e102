// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verb `run` of conformance vectors: runs the command accp in the folder of this program.
#include <fstream>
#include <iterator>

#include "cli/conformance/verbs.h"
#include "cli/host.h"
#include "cli/process/start_windows.h"
#include "cli/system/files.h"

namespace conformance {

using namespace cli;

namespace {

namespace fs = std::filesystem;

// A temporary folder and its files.
class Folder {
public:
    Folder() {
        static int count = 0;
        path_ = fs::temp_directory_path() /
                ("accp-conformance-" + std::to_string(GetCurrentProcessId()) + "-" +
                 std::to_string(++count));
        fs::create_directories(path_);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    const fs::path &path() const { return path_; }
    void write(const fs::path &name, std::string_view text) const {
        if (name.empty() || name.has_parent_path())
            throw Failure("files: not a plain file name: " + utf8_of(name));
        if (!std::ofstream(path_ / name, std::ios::binary).write(text.data(), std::ssize(text)))
            throw Failure("a temporary file cannot be written");
    }
    std::string read(const fs::path &name) const {
        std::ifstream file(path_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    fs::path path_;
};

HANDLE open_file(const fs::path &path) {
    return CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL, nullptr);
}

}  // namespace

std::string command_result(const Vector &vector, const std::string &input) {
    std::vector<std::string> args = {utf8_of(program_beside("accp"))};
    vector.each("args", [&](std::string_view arg) { args.emplace_back(arg); });
    const Folder folder, streams;
    vector.each_member("files", [&](std::string_view name, std::string_view text) {
        folder.write(path_of(name), text);
    });
    streams.write("in", input);
    int status = -1, error = 0;
    {
        const SystemHandle in(open_file(streams.path() / "in")),
            out(open_file(streams.path() / "out")), err(open_file(streams.path() / "err"));
        const SystemHandle process(start_program(
            args, {in.get(), out.get(), err.get(), folder.path().wstring()}, nullptr, error));
        if (error != 0) throw Failure("the command accp in the folder of this program");
        status = wait_for_program(process.get());
    }
    return run_result(status, streams.read("out"), streams.read("err"));
}

}  // namespace conformance
