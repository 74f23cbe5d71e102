// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>
#include <cerrno>
#include <system_error>

namespace cli {
namespace {

// A file time counts 100 nanoseconds since 1601.
int64_t ns_since_1970(const FILETIME &time) {
    constexpr int64_t kUnits = 116'444'736'000'000'000;
    const int64_t units = static_cast<int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime;
    return (units - kUnits) * 100;
}

}  // namespace

std::filesystem::path program_path() {
    std::wstring name(32768, L'\0');  // the longest that the system allows
    const DWORD size = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    if (size == 0 || size == name.size())
        throw std::system_error(ENAMETOOLONG, std::generic_category(), "the path of this program");
    name.resize(size);
    return name;
}

std::filesystem::path program_beside(std::string_view name) {
    return program_path().parent_path() / (std::string(name) + ".exe");
}

// A directory and a file have the access rights of the directory that they are in.
bool make_private_directory(const std::string &path) {
    if (CreateDirectoryW(path_of(path).c_str(), nullptr)) return true;
    errno = GetLastError() == ERROR_ALREADY_EXISTS ? EEXIST : EACCES;
    return false;
}

bool create_file(const std::string &path, std::string_view text) {
    const HANDLE file = CreateFileW(path_of(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    DWORD written = 0;
    const bool is_written =
        WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
    CloseHandle(file);
    return is_written && written == text.size();
}

int open_regular_file(const std::string &path, uint64_t &size_out) {
    const HANDLE file = CreateFileW(path_of(path).c_str(), GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (file == INVALID_HANDLE_VALUE) return -1;
    BY_HANDLE_FILE_INFORMATION info;
    int fd = -1;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info) &&
        !(info.dwFileAttributes & (FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY))) {
        size_out = static_cast<uint64_t>(info.nFileSizeHigh) << 32 | info.nFileSizeLow;
        fd = _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_RDONLY | _O_BINARY);
    }
    if (fd < 0) CloseHandle(file);
    return fd;
}

bool read_file_facts(const std::string &path, FileFacts &out) {
    WIN32_FILE_ATTRIBUTE_DATA found;
    if (!GetFileAttributesExW(path_of(path).c_str(), GetFileExInfoStandard, &found)) return false;
    const int64_t written = ns_since_1970(found.ftLastWriteTime);
    out = {written, written, static_cast<int64_t>(found.nFileSizeHigh) << 32 | found.nFileSizeLow,
           ns_since_1970(found.ftCreationTime)};
    return true;
}

}  // namespace cli
