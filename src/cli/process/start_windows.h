// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Starts programs on Windows.
#pragma once

#include <windows.h>
#include <string>
#include <vector>

namespace cli {

// Owns a handle.
class SystemHandle {
public:
    explicit SystemHandle(HANDLE handle = nullptr) : handle_(handle) {}
    SystemHandle(const SystemHandle &) = delete;
    SystemHandle &operator=(const SystemHandle &) = delete;
    ~SystemHandle() { reset(nullptr); }
    HANDLE get() const { return handle_; }
    void reset(HANDLE handle) {
        if (handle_ && handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
        handle_ = handle;
    }

private:
    HANDLE handle_;
};

// The standard handles of a program, and its directory; empty: that of this program.
struct StartSetup {
    HANDLE in, out, err;
    std::wstring directory;
};

// Starts the program in `job` and returns its process, or nullptr with an errno in `error`. The
// program is a path, or is found on PATH.
HANDLE start_program(const std::vector<std::string> &command, const StartSetup &setup, HANDLE job,
                     int &error);

// Waits for the end of a program and returns its exit status.
int wait_for_program(HANDLE process);

}  // namespace cli
