// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of a project's panes, on Windows. As in files.cc, all is opened relative to an open
// directory, without following links, which only the native calls of the system can do. Files have
// the access rights of their directory.
#include "packet/panes/files.h"

#include <windows.h>
#include <winternl.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/status.h"

namespace accp::packet {

namespace {

constexpr const char *kNotRegular = "the target is not a regular file";
constexpr const char *kIsLink = "a part of the path is a symbolic link or not a directory";
constexpr const char *kLockHeld = "another process holds the lock of the project";
constexpr size_t kMaxName = 64, kMaxPath = 4096;
constexpr DWORD kMaxStepMs = 20;
constexpr DWORD kLockedByte = 0x7FFF'0000;  // others can read the text before it
constexpr ULONG kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// Results of the native calls.
constexpr uint32_t kNameNotFound = 0xC000'0034, kPathNotFound = 0xC000'003A,
                   kAccessDenied = 0xC000'0022, kSharingViolation = 0xC000'0043,
                   kDiskFull = 0xC000'007F, kIsDirectory = 0xC000'00BA, kNoDirectory = 0xC000'0103;

HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(number)); }
HANDLE handle_of(const Descriptor &file) { return handle_of(file.get()); }

// Handles of files are small numbers.
int number_of(HANDLE handle) { return static_cast<int>(reinterpret_cast<intptr_t>(handle)); }

Status failure_of(NTSTATUS status, const char *otherwise) {
    switch (static_cast<uint32_t>(status)) {
        case kNameNotFound:
        case kPathNotFound: return fail(ACCP_E2001, 0, "there is no such file under .agentwire");
        case kDiskFull: return fail(ACCP_ERR_IO, 0, "the disk is full");
        case kNoDirectory: return fail(ACCP_ERR_IO, 0, kIsLink);
        case kIsDirectory: return fail(ACCP_ERR_IO, 0, kNotRegular);
        case kAccessDenied:
            return fail(ACCP_ERR_IO, 0, "no permission for a file under .agentwire");
        case kSharingViolation:
            return fail(ACCP_ERR_IO, 0, "another program uses a file under .agentwire");
        default: return fail(ACCP_ERR_IO, 0, otherwise);
    }
}

Status last_failure(const char *otherwise) {
    return fail(ACCP_ERR_IO, 0, GetLastError() == ERROR_DISK_FULL ? "the disk is full" : otherwise);
}

// A name in UTF-16, as the native calls take it. All names here are ASCII.
struct NativeName {
    explicit NativeName(const char *name) : len(std::strlen(name)) {
        std::copy(name, name + len, text);
    }
    ULONG bytes() const { return static_cast<ULONG>(len * sizeof text[0]); }
    size_t len;
    wchar_t text[kMaxName];
};

NTSTATUS open_at(const Descriptor &folder, const char *name, ULONG access, ULONG disposition,
                 ULONG options, Descriptor &out) {
    NativeName native(name);
    UNICODE_STRING text = {static_cast<USHORT>(native.bytes()), static_cast<USHORT>(native.bytes()),
                           native.text};
    OBJECT_ATTRIBUTES attributes;
    InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, handle_of(folder),
                               nullptr);
    IO_STATUS_BLOCK block;
    HANDLE made = nullptr;
    const NTSTATUS status = NtCreateFile(
        &made, access | SYNCHRONIZE, &attributes, &block, nullptr, FILE_ATTRIBUTE_NORMAL, kShareAll,
        disposition, options | FILE_SYNCHRONOUS_IO_NONALERT | FILE_OPEN_REPARSE_POINT, nullptr, 0);
    out.reset(status >= 0 ? number_of(made) : -1);
    return status;
}

// Fails with this message if a link was opened.
Status refuse_link(const Descriptor &opened, const char *message) {
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(handle_of(opened), &about))
        return last_failure("the status of a file cannot be read");
    const bool is_link = about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
    return is_link ? fail(ACCP_ERR_IO, 0, message) : Status{};
}

// Opens a regular file.
Status open_file(const Descriptor &folder, const char *name, ULONG access, ULONG disposition,
                 Descriptor &out) {
    const NTSTATUS status = open_at(folder, name, access | FILE_READ_ATTRIBUTES, disposition,
                                    FILE_NON_DIRECTORY_FILE, out);
    if (status < 0) return failure_of(status, "a file cannot be opened");
    return refuse_link(out, kNotRegular);
}

Status write_all(const Descriptor &file, std::string_view text) {
    while (!text.empty()) {
        const DWORD size = static_cast<DWORD>(std::min<size_t>(text.size(), 1 << 30));
        DWORD written = 0;
        if (!WriteFile(handle_of(file), text.data(), size, &written, nullptr))
            return last_failure("a file cannot be written");
        text.remove_prefix(written);
    }
    return FlushFileBuffers(handle_of(file))
               ? Status{}
               : last_failure("a file cannot be flushed to the device");
}

// A program that has the target open for a moment makes this fail, so it tries for a second.
Status rename_in(const Descriptor &folder, const Descriptor &file, const char *name) {
    const NativeName native(name);
    struct {
        FILE_RENAME_INFO head;
        wchar_t rest[kMaxName];
    } info = {};
    info.head.ReplaceIfExists = TRUE;
    info.head.RootDirectory = handle_of(folder);
    info.head.FileNameLength = native.bytes();
    std::memcpy(info.head.FileName, native.text, native.bytes());
    constexpr auto kRename = static_cast<FILE_INFORMATION_CLASS>(10);
    for (DWORD waited_ms = 0;; waited_ms += kMaxStepMs) {
        IO_STATUS_BLOCK block;
        const NTSTATUS status =
            NtSetInformationFile(handle_of(file), &block, &info, sizeof info, kRename);
        if (status >= 0) return {};
        const auto code = static_cast<uint32_t>(status);
        const bool is_used = code == kAccessDenied || code == kSharingViolation;
        if (!is_used || waited_ms >= 1000)
            return failure_of(status, "a temporary file cannot be renamed");
        Sleep(kMaxStepMs);
    }
}

bool remove_opened(const Descriptor &file) {
    FILE_DISPOSITION_INFO info = {};
    info.DeleteFile = TRUE;
    return SetFileInformationByHandle(handle_of(file), FileDispositionInfo, &info, sizeof info);
}

// Returns an error message with the process id in the lock file.
const char *lock_owner(const Descriptor &lock) {
    char number[24];
    DWORD got = 0;
    OVERLAPPED at = {};
    if (!ReadFile(handle_of(lock), number, sizeof number, &got, &at) || got < 2 ||
        number[got - 1] != '\n')
        return kLockHeld;
    return interned_text({kLockHeld, ": ", {number, got - 1}}, kLockHeld);
}

}  // namespace

void Descriptor::reset(int number) {
    if (number_ >= 0) CloseHandle(handle_of(number_));
    number_ = number;
}

Status ProjectFiles::open(std::string_view path, Memory &) {
    if (path.empty() || path.find('\0') != path.npos || path.size() >= kMaxPath)
        return fail(ACCP_ERR_ARG, 0, "a directory's name must not be empty or contain NUL");
    wchar_t name[kMaxPath];
    const int len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(),
                                        static_cast<int>(path.size()), name, kMaxPath - 1);
    name[len] = 0;
    const HANDLE made =
        CreateFileW(name, FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES, kShareAll,
                    nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    project_.reset(made == INVALID_HANDLE_VALUE ? -1 : number_of(made));
    BY_HANDLE_FILE_INFORMATION about;
    const bool is_directory = project_.is_open() &&
                              GetFileInformationByHandle(handle_of(project_), &about) &&
                              (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
    return is_directory ? Status{}
                        : fail(ACCP_ERR_IO, 0, "the project's directory cannot be opened");
}

Status ProjectFiles::open_like(const ProjectFiles &other) {
    HANDLE made = nullptr;
    const bool is_made =
        DuplicateHandle(GetCurrentProcess(), handle_of(other.project_), GetCurrentProcess(), &made,
                        0, FALSE, DUPLICATE_SAME_ACCESS);
    project_.reset(is_made ? number_of(made) : -1);
    return is_made ? Status{} : fail(ACCP_ERR_IO, 0, "the project's directory cannot be opened");
}

Status ProjectFiles::open_directory(const Descriptor &parent, const char *name, bool create,
                                    Descriptor &out) {
    const NTSTATUS status =
        open_at(parent, name, FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES,
                create ? FILE_OPEN_IF : FILE_OPEN, FILE_DIRECTORY_FILE, out);
    if (status < 0) return failure_of(status, "a directory cannot be opened");
    return refuse_link(out, kIsLink);
}

Status ProjectFiles::Lock::acquire(const ProjectFiles &files, uint32_t max_seconds) {
    Descriptor root;
    Status status = files.open_folder(Folder::kRoot, true, root);
    if (status.failed()) return status;
    status = open_file(root, "lock", GENERIC_READ | GENERIC_WRITE, FILE_OPEN_IF, held_);
    if (status.ok()) status = wait(max_seconds);
    if (status.ok()) write_owner();
    else held_.reset(-1);
    return status;
}

// The system releases the lock when the file is closed.
Status ProjectFiles::Lock::wait(uint32_t max_seconds) {
    uint64_t left_ms = uint64_t{max_seconds} * 1000;
    for (uint64_t step_ms = 1;; step_ms = std::min<uint64_t>(step_ms * 2, kMaxStepMs)) {
        OVERLAPPED at = {};
        at.Offset = kLockedByte;
        if (LockFileEx(handle_of(held_), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1,
                       0, &at))
            return {};
        if (GetLastError() != ERROR_LOCK_VIOLATION) return last_failure("the lock cannot be taken");
        if (!left_ms) return fail(ACCP_ERR_BUSY, 0, lock_owner(held_));
        step_ms = std::min(step_ms, left_ms);
        Sleep(static_cast<DWORD>(step_ms));
        left_ms -= step_ms;
    }
}

// Writes the process id for waiting processes. It is optional, so errors are ignored.
void ProjectFiles::Lock::write_owner() {
    char number[24];
    char *end = std::to_chars(number, number + sizeof number - 1, GetCurrentProcessId()).ptr;
    *end++ = '\n';
    DWORD written = 0;
    SetFilePointer(handle_of(held_), 0, nullptr, FILE_BEGIN);
    if (SetEndOfFile(handle_of(held_)))
        (void)WriteFile(handle_of(held_), number, static_cast<DWORD>(end - number), &written,
                        nullptr);
}

Status ProjectFiles::read(const FileName &name, size_t max_bytes, Buffer<char> &out) const {
    out.clear();
    Descriptor folder, file;
    Status status = open_folder(name.folder, false, folder);
    if (status.ok()) status = open_file(folder, name.text, GENERIC_READ, FILE_OPEN, file);
    if (status.failed()) return status;
    LARGE_INTEGER size;
    if (!GetFileSizeEx(handle_of(file), &size))
        return last_failure("the status of a file cannot be read");
    const auto bytes = static_cast<size_t>(size.QuadPart);
    if (bytes > max_bytes) return fail_limit(ACCP_E1001, max_bytes, "too large", bytes, max_bytes);
    for (;;) {
        const size_t left = std::min<size_t>(max_bytes + 1 - out.size(), 1 << 30);
        char *to = out.reserve(left);
        DWORD got = 0;
        if (!ReadFile(handle_of(file), to, static_cast<DWORD>(left), &got, nullptr))
            return last_failure("a file cannot be read");
        if (!got) return {};
        out.advance(got);
        if (out.size() > max_bytes)
            return fail_limit(ACCP_E1001, max_bytes, "too large", out.size(), max_bytes);
    }
}

// A fixed temporary name is safe because the lock is held. The next write replaces what a crash
// left behind.
Status ProjectFiles::write(const FileName &name, std::string_view text) const {
    Descriptor folder, target, file;
    Status status = open_folder(name.folder, true, folder);
    if (status.failed()) return status;
    status = open_file(folder, name.text, 0, FILE_OPEN, target);
    if (status.failed() && status.code != ACCP_E2001) return status;
    target.reset(-1);
    char temporary[sizeof name.text + 8] = ".";
    std::strcat(std::strcat(temporary, name.text), ".new");
    status = open_file(folder, temporary, GENERIC_WRITE | DELETE, FILE_SUPERSEDE, file);
    if (status.failed()) return status;
    status = write_all(file, text);
    if (status.ok()) status = rename_in(folder, file, name.text);
    if (status.failed()) (void)remove_opened(file);
    return status;
}

Status ProjectFiles::written_at(const FileName &name, int64_t &out) const {
    Descriptor folder, file;
    Status status = open_folder(name.folder, false, folder);
    if (status.ok()) status = open_file(folder, name.text, 0, FILE_OPEN, file);
    if (status.failed()) return status;
    FILETIME time;
    if (!GetFileTime(handle_of(file), nullptr, nullptr, &time))
        return last_failure("the status of a file cannot be read");
    // A file time counts 100 nanoseconds since 1601.
    constexpr int64_t kUnitsTo1970 = 116'444'736'000'000'000;
    const int64_t units = static_cast<int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime;
    out = (units - kUnitsTo1970) * 100;
    return {};
}

Status ProjectFiles::remove(const FileName &name) const {
    Descriptor folder, file;
    Status status = open_folder(name.folder, false, folder);
    if (status.ok()) status = open_file(folder, name.text, DELETE, FILE_OPEN, file);
    if (status.failed()) return status;
    return remove_opened(file) ? Status{} : last_failure("a file cannot be removed");
}

}  // namespace accp::packet
