// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/system/descriptors.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace cli {
namespace {

constexpr size_t kMaxBlock = 1 << 20;  // a console takes less at a time, and _write() an int
constexpr DWORD kStepMs = 5;

HANDLE main_thread = nullptr;
std::atomic<bool> has_read = false;  // the command reads its input piece by piece
std::atomic<bool> is_stopped = false;
UINT console_input, console_output;

HANDLE handle_of(int fd) { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }

// Ctrl+C ends the input of a command that reads it, so what was read before is finished and
// written. The second time, and in other commands, the system ends the program.
BOOL WINAPI on_control(DWORD event) {
    if ((event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) || !has_read ||
        is_stopped.exchange(true))
        return FALSE;
    CancelSynchronousIo(main_thread);
    return TRUE;
}

void restore_console() {
    SetConsoleCP(console_input);
    SetConsoleOutputCP(console_output);
}

}  // namespace

void prepare_descriptors() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) _setmode(fd, _O_BINARY);
    console_input = GetConsoleCP();
    console_output = GetConsoleOutputCP();
    if (console_output != 0) {
        SetConsoleCP(CP_UTF8);
        SetConsoleOutputCP(CP_UTF8);
        std::atexit(restore_console);
    }
    DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &main_thread, 0,
                    FALSE, DUPLICATE_SAME_ACCESS);
    SetConsoleCtrlHandler(on_control, TRUE);
}

int open_to_read(const std::string &path) {
    return ::open(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

ssize_t read_bytes(int fd, char *buffer, size_t size) {
    if (fd == STDIN_FILENO) has_read = true;
    if (is_stopped) return 0;
    const int got = ::read(fd, buffer, static_cast<unsigned>(std::min(size, kMaxBlock)));
    return is_stopped && got < 0 ? 0 : got;
}

ssize_t write_bytes(int fd, const char *bytes, size_t size) {
    const int wrote = ::write(fd, bytes, static_cast<unsigned>(std::min(size, kMaxBlock)));
    // The C library has no name for this error.
    if (wrote < 0 && GetLastError() == ERROR_NO_DATA) errno = EPIPE;
    return wrote;
}

// A pipe cannot be waited for, so this looks again and again. Consoles and sockets do not show
// whether there is input: they count as not ready, but are not waited for here.
bool has_input(int fd, int max_ms) {
    const HANDLE handle = handle_of(fd);
    const ULONGLONG end = GetTickCount64() + static_cast<ULONGLONG>(std::max(max_ms, 0));
    const DWORD type = GetFileType(handle);
    if (type == FILE_TYPE_CHAR) return max_ms != 0;
    while (type == FILE_TYPE_PIPE && !is_stopped) {
        DWORD bytes = 0;
        if (!PeekNamedPipe(handle, nullptr, 0, nullptr, &bytes, nullptr))
            return GetLastError() == ERROR_BROKEN_PIPE || max_ms != 0;
        if (bytes != 0) return true;
        if (max_ms >= 0 && GetTickCount64() >= end) return false;
        Sleep(kStepMs);
    }
    return true;
}

bool is_terminal(int fd) {
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode);
}

TerminalSize terminal_size() {
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(handle_of(STDERR_FILENO), &info)) return {80, 24};
    return {static_cast<size_t>(info.srWindow.Right - info.srWindow.Left + 1),
            static_cast<size_t>(info.srWindow.Bottom - info.srWindow.Top + 1)};
}

}  // namespace cli
