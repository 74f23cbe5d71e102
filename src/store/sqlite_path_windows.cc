// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The file of a store, on Windows. Paths are UTF-8, as SQLite takes them. An open file cannot be
// removed or replaced there, so its identity is not compared.
#include <windows.h>

#include <cstring>

#include "store/sqlite_file.h"

namespace accp::store {

namespace {

constexpr size_t kMaxPath = 4096;

// A path in UTF-16; empty if it is too long or not UTF-8.
struct WidePath {
    explicit WidePath(const char *path) {
        if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, text, kMaxPath))
            text[0] = 0;
    }
    wchar_t text[kMaxPath];
};

bool is_separator(char c) { return c == '/' || c == '\\'; }

}  // namespace

// A file has the access rights of its directory.
Status check_or_create_file(const char *path, bool create) {
    const WidePath wide(path);
    const DWORD found = GetFileAttributesW(wide.text);
    if (found != INVALID_FILE_ATTRIBUTES)
        return found & FILE_ATTRIBUTE_DIRECTORY
                   ? fail(ACCP_ERR_ARG, 0, "not a file, but a directory or a device")
                   : Status{};
    const DWORD why = GetLastError();
    if (why == ERROR_PATH_NOT_FOUND) return fail(ACCP_ERR_IO, 0, create ? kNoDirectory : kNoFile);
    if (why != ERROR_FILE_NOT_FOUND) return {};  // SQLite reports the error
    if (!create) return fail(ACCP_ERR_IO, 0, kNoFile);
    const HANDLE made =
        CreateFileW(wide.text, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (made != INVALID_HANDLE_VALUE) CloseHandle(made);
    return {};
}

int64_t read_application_id(const char *path) {
    unsigned char header[72] = {};
    DWORD got = 0;
    const HANDLE file = CreateFileW(WidePath(path).text, GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return 0;
    const bool good = ReadFile(file, header, sizeof header, &got, nullptr) &&
                      got == sizeof header && std::memcmp(header, "SQLite format 3", 16) == 0;
    CloseHandle(file);
    int64_t application = 0;
    for (size_t i = 68; good && i < sizeof header; ++i) application = application << 8 | header[i];
    return application;
}

void remove_files(const char *path) {
    char beside[kMaxPath];
    const size_t len = std::strlen(path);
    for (const char *end : {"-wal", "-shm"}) {
        if (len + std::strlen(end) >= sizeof beside) return;
        std::memcpy(beside, path, len);
        std::memcpy(beside + len, end, std::strlen(end) + 1);
        DeleteFileW(WidePath(beside).text);
    }
    DeleteFileW(WidePath(path).text);
}

// The attribute of a directory does not protect what is in it, so only an attempt shows its rights.
bool is_in_readonly_directory(const char *path) {
    WidePath wide(path);
    wchar_t *end = wide.text;
    for (wchar_t *at = wide.text; *at; ++at)
        if (*at == L'/' || *at == L'\\') end = at;
    wchar_t probe[MAX_PATH];
    *end = 0;
    if (GetTempFileNameW(end == wide.text ? L"." : wide.text, L"acp", 0, probe)) {
        DeleteFileW(probe);
        return false;
    }
    return GetLastError() == ERROR_ACCESS_DENIED;
}

// C:\a b\c becomes file:///C:/a%20b/c.
void write_immutable_uri(const char *path, Buffer<char> &out) {
    auto put = [&](const char *text) { out.append(text, std::strlen(text)); };
    const bool has_drive = path[0] && path[1] == ':';
    put(has_drive ? "file:///" : is_separator(path[0]) ? "file://" : "file:");
    for (size_t at = 0; path[at]; ++at) {
        const unsigned char c = static_cast<unsigned char>(path[at]);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || std::strchr("/._-", c) ||
                           (has_drive && at == 1);
        const char escape[] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15], 0};
        const char itself[] = {path[at], 0};
        put(c == '\\' ? "/" : plain ? itself : escape);
    }
    put("?immutable=1");
    out.push('\0');
}

void FileIdentity::record(const char *path) {
    WIN32_FILE_ATTRIBUTE_DATA found = {};
    known_ = GetFileAttributesExW(WidePath(path).text, GetFileExInfoStandard, &found);
    size_ = static_cast<uint64_t>(found.nFileSizeHigh) << 32 | found.nFileSizeLow;
}

bool FileIdentity::still_matches(const char *path) const {
    return !known_ || GetFileAttributesW(WidePath(path).text) != INVALID_FILE_ATTRIBUTES;
}

}  // namespace accp::store
