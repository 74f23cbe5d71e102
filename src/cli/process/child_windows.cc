// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/process/child.h"

#include <fcntl.h>
#include <io.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "cli/host.h"
#include "cli/process/start_windows.h"
#include "cli/system/descriptors.h"
#include "cli/system/files.h"

namespace cli {
namespace {

constexpr UINT kKilled = 0xACC0;  // the status of a program whose time was over

// Quotes a word so that the C library of the other program reads it as one argument.
void append_quoted(const std::wstring &word, std::wstring &out) {
    out += L'"';
    size_t backslashes = 0;
    for (const wchar_t c : word) {
        if (c == L'"') out.append(backslashes + 1, L'\\');  // twice as many, and one more
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        out += c;
    }
    out.append(backslashes, L'\\').append(L"\"");
}

// Returns the path of the program; empty if there is none. A plain name is looked for on PATH
// alone: the system would begin with the working directory, where others may have put a program.
// Batch files are not found: the system would have cmd.exe run the arguments.
std::wstring find_program(const std::string &word) {
    const std::wstring name = path_of(word).wstring();
    const wchar_t *const folders =
        name.find_first_of(L"/\\:") == name.npos ? _wgetenv(L"PATH") : L".";
    wchar_t found[MAX_PATH];
    const DWORD size =
        folders ? SearchPathW(folders, name.c_str(), L".exe", MAX_PATH, found, nullptr) : 0;
    const bool is_found = size > 4 && size < MAX_PATH;
    return is_found && _wcsicmp(found + size - 4, L".exe") == 0 ? found : L"";
}

HANDLE inheritable(HANDLE handle) {
    HANDLE made = nullptr;
    DuplicateHandle(GetCurrentProcess(), handle, GetCurrentProcess(), &made, 0, TRUE,
                    DUPLICATE_SAME_ACCESS);
    return made;
}

HANDLE os_handle(int fd) { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }

// A job ends with its last handle, and with it all programs in it.
HANDLE make_job() {
    const HANDLE job = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

// Reads to the end of the pipe. Returns false if max_ms passed first; 0: no limit.
bool read_all(int fd, int64_t max_ms, std::string &out) {
    const ULONGLONG end = GetTickCount64() + static_cast<ULONGLONG>(max_ms);
    char block[64 << 10];
    for (;;) {
        const int64_t left = static_cast<int64_t>(end - GetTickCount64());
        const int wait_ms = static_cast<int>(std::clamp<int64_t>(left, 0, INT_MAX));
        if (!has_input(fd, max_ms == 0 ? -1 : wait_ms)) return false;
        const ssize_t got = read_bytes(fd, block, sizeof block);
        if (got <= 0) return true;
        out.append(block, static_cast<size_t>(got));
    }
}

}  // namespace

HANDLE start_program(const std::vector<std::string> &command, const StartSetup &setup, HANDLE job,
                     int &error) {
    const std::wstring program = find_program(command[0]);
    error = ENOENT;
    if (program.empty()) return nullptr;
    std::wstring line;
    for (const std::string &word : command) {
        if (!line.empty()) line += L' ';
        append_quoted(path_of(word).wstring(), line);
    }
    const SystemHandle in(inheritable(setup.in)), out(inheritable(setup.out)),
        err(inheritable(setup.err));
    STARTUPINFOW start = {};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = in.get();
    start.hStdOutput = out.get();
    start.hStdError = err.get();
    PROCESS_INFORMATION made = {};
    error = EACCES;
    if (!CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED,
                        nullptr, setup.directory.empty() ? nullptr : setup.directory.c_str(),
                        &start, &made))
        return nullptr;
    if (job) AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    error = 0;
    return made.hProcess;
}

int wait_for_program(HANDLE process) {
    DWORD status = 0;
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &status);
    return static_cast<int>(status);
}

ChildResult run_child(const std::vector<std::string> &command, int input, bool is_silent,
                      int64_t max_ms) {
    ChildResult ran;
    HANDLE from_child = nullptr, to_parent = nullptr;
    if (!CreatePipe(&from_child, &to_parent, nullptr, 0)) {
        ran.error = EMFILE;
        return ran;
    }
    SystemHandle written(to_parent);
    const int fd = _open_osfhandle(reinterpret_cast<intptr_t>(from_child), _O_RDONLY | _O_BINARY);
    const SystemHandle job(max_ms != 0 ? make_job() : nullptr);
    const SystemHandle process(start_program(
        command, {os_handle(input), to_parent, is_silent ? nullptr : os_handle(STDERR_FILENO), {}},
        job.get(), ran.error));
    written.reset(nullptr);
    if (ran.error == 0) {
        ran.is_timed_out = !read_all(fd, max_ms, ran.out);
        if (ran.is_timed_out) TerminateJobObject(job.get(), kKilled);
        ran.status = wait_for_program(process.get());
    }
    close(fd);
    return ran;
}

// The input goes through a temporary file, because two pipes could block each other when full. The
// system removes it when it is closed.
ChildResult run_child_on(const std::vector<std::string> &command, std::string_view input,
                         int64_t max_ms) {
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"acp", 0, name))
        throw Failure("a temporary file cannot be made");
    const HANDLE file =
        CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    const int fd = _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_RDWR | _O_BINARY);
    for (size_t done = 0; done < input.size();) {
        const ssize_t wrote = write_bytes(fd, input.data() + done, input.size() - done);
        if (wrote <= 0) throw Failure("a temporary file cannot be written");
        done += static_cast<size_t>(wrote);
    }
    _lseeki64(fd, 0, SEEK_SET);
    ChildResult ran = run_child(command, fd, false, max_ms);
    close(fd);
    return ran;
}

bool is_command(const std::string &word) { return !find_program(word).empty(); }

void become(const std::vector<std::string> &command) {
    int error = 0;
    const SystemHandle process(start_program(
        command, {os_handle(STDIN_FILENO), os_handle(STDOUT_FILENO), os_handle(STDERR_FILENO), {}},
        nullptr, error));
    if (error != 0) throw Failure(command[0] + ": " + std::strerror(error));
    std::exit(wait_for_program(process.get()));
}

}  // namespace cli
