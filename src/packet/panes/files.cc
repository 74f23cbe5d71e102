// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "base/status.h"

namespace accp::packet {

namespace {

constexpr mode_t kFolderMode = 0700, kFileMode = 0600;
constexpr uint64_t kMaxStepMs = 20;
constexpr const char *kNoFile = "there is no such file under .agentwire";
constexpr const char *kNotRegular = "the target is not a regular file";

// Returns the error for errno, with the message `otherwise` if errno has no message of its own.
Status io_failure(const char *otherwise) {
    switch (errno) {
        case ENOENT: return fail(ACCP_E2001, 0, kNoFile);
        case ENOSPC:
        case EDQUOT:
        case EFBIG: return fail(ACCP_ERR_IO, 0, "the disk is full");
        case ELOOP:
        case ENOTDIR:
            return fail(ACCP_ERR_IO, 0, "a part of the path is a symbolic link or not a directory");
        case ENXIO: return fail(ACCP_ERR_IO, 0, kNotRegular);
        case EACCES:
        case EPERM:
        case EROFS: return fail(ACCP_ERR_IO, 0, "no permission for a file under .agentwire");
        default: return fail(ACCP_ERR_IO, 0, otherwise);
    }
}

// O_NONBLOCK: opening a FIFO must not wait for its other end.
int open_at(int folder, const char *name, int flags) {
    int made;
    do made = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, kFileMode);
    while (made < 0 && errno == EINTR);
    return made;
}

Status check_regular(int file, size_t &size_out) {
    struct stat found;
    if (fstat(file, &found)) return io_failure("the status of a file cannot be read");
    if (!S_ISREG(found.st_mode)) return fail(ACCP_ERR_IO, 0, kNotRegular);
    size_out = static_cast<size_t>(found.st_size);
    return {};
}

// Returns an error message with the process id in the lock file.
const char *lock_owner(int lock) {
    constexpr const char *kLockHeld = "another process holds the lock of the project";
    char number[24];
    const ssize_t got = pread(lock, number, sizeof number, 0);
    if (got < 2 || number[got - 1] != '\n') return kLockHeld;
    return interned_text({kLockHeld, ": ", {number, static_cast<size_t>(got - 1)}}, kLockHeld);
}

Status write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return io_failure("a file cannot be written");
        text.remove_prefix(static_cast<size_t>(written));
    }
    return fsync(file) ? io_failure("a file cannot be flushed to the device") : Status{};
}

// Fails unless the file to replace or remove is a regular file.
Status check_target(int folder, const char *name) {
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW))
        return io_failure("the status of a file cannot be read");
    return S_ISREG(found.st_mode) ? Status{} : fail(ACCP_ERR_IO, 0, kNotRegular);
}

}  // namespace

void Descriptor::reset(int number) {
    const int error = errno;
    if (number_ >= 0) ::close(number_);
    number_ = number;
    errno = error;
}

Status ProjectFiles::open(std::string_view path, Memory &memory) {
    if (path.empty() || path.find('\0') != path.npos)
        return fail(ACCP_ERR_ARG, 0, "a directory's name must not be empty or contain NUL");
    Buffer<char> name(memory);
    name.append(path);
    name.push('\0');
    project_.reset(::open(name.data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return project_.is_open() ? Status{}
                              : fail(ACCP_ERR_IO, 0, "the project's directory cannot be opened");
}

Status ProjectFiles::open_like(const ProjectFiles &other) {
    project_.reset(fcntl(other.project_.get(), F_DUPFD_CLOEXEC, 0));
    return project_.is_open() ? Status{}
                              : fail(ACCP_ERR_IO, 0, "the project's directory cannot be opened");
}

Status ProjectFiles::open_directory(const Descriptor &parent, const char *name, bool create,
                                    Descriptor &out) {
    out.reset(open_at(parent.get(), name, O_RDONLY | O_DIRECTORY));
    if (out.is_open()) return {};
    if (errno != ENOENT || !create) return io_failure("a directory cannot be opened");
    if (mkdirat(parent.get(), name, kFolderMode) && errno != EEXIST)
        return io_failure("a directory cannot be created");
    (void)fsync(parent.get());  // if the name is lost, it is created again
    out.reset(open_at(parent.get(), name, O_RDONLY | O_DIRECTORY));
    return out.is_open() ? Status{} : io_failure("a directory cannot be opened");
}

Status ProjectFiles::Lock::acquire(const ProjectFiles &files, uint32_t max_seconds) {
    Descriptor root;
    Status status = files.open_folder(Folder::kRoot, true, root);
    if (status.failed()) return status;
    held_.reset(open_at(root.get(), "lock", O_RDWR | O_CREAT));
    if (!held_.is_open()) return io_failure("the lock cannot be opened");
    size_t size;
    status = check_regular(held_.get(), size);
    if (status.ok()) status = wait(max_seconds);
    if (status.ok()) write_owner();
    else held_.reset(-1);
    return status;
}

// Polls, because flock() has no timeout. The lock is usually held for a few milliseconds, so the
// steps start small and double.
Status ProjectFiles::Lock::wait(uint32_t max_seconds) {
    uint64_t left_ms = uint64_t{max_seconds} * 1000;
    for (uint64_t step_ms = 1;; step_ms = std::min(step_ms * 2, kMaxStepMs)) {
        if (!flock(held_.get(), LOCK_EX | LOCK_NB)) return {};
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) return io_failure("the lock cannot be taken");
        if (!left_ms) return fail(ACCP_ERR_BUSY, 0, lock_owner(held_.get()));
        step_ms = std::min(step_ms, left_ms);
        (void)poll(nullptr, 0, static_cast<int>(step_ms));
        left_ms -= step_ms;
    }
}

// Writes the process id for waiting processes. It is optional, so errors are ignored.
void ProjectFiles::Lock::write_owner() {
    char number[24];
    const auto end = std::to_chars(number, number + sizeof number - 1, getpid()).ptr;
    *end = '\n';
    if (!ftruncate(held_.get(), 0))
        (void)!pwrite(held_.get(), number, static_cast<size_t>(end + 1 - number), 0);
}

Status ProjectFiles::read(const FileName &name, size_t max_bytes, Buffer<char> &out) const {
    out.clear();
    Descriptor folder;
    Status status = open_folder(name.folder, false, folder);
    if (status.failed()) return status;
    Descriptor file(open_at(folder.get(), name.text, O_RDONLY));
    if (!file.is_open()) return io_failure("a file cannot be opened");
    size_t size = 0;
    status = check_regular(file.get(), size);
    if (status.failed()) return status;
    if (size > max_bytes) return fail_limit(ACCP_E1001, max_bytes, "too large", size, max_bytes);
    for (;;) {
        char *to = out.reserve(max_bytes + 1 - out.size());
        const ssize_t got = ::read(file.get(), to, max_bytes + 1 - out.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return io_failure("a file cannot be read");
        if (!got) return {};
        out.advance(static_cast<size_t>(got));
        if (out.size() > max_bytes)
            return fail_limit(ACCP_E1001, max_bytes, "too large", out.size(), max_bytes);
    }
}

// A fixed temporary name is safe because the lock is held. The next write replaces what a crash
// left behind.
Status ProjectFiles::write(const FileName &name, std::string_view text) const {
    Descriptor folder;
    Status status = open_folder(name.folder, true, folder);
    if (status.failed()) return status;
    status = check_target(folder.get(), name.text);
    if (status.failed() && status.code != ACCP_E2001) return status;
    char temporary[sizeof name.text + 8] = ".";
    std::strcat(std::strcat(temporary, name.text), ".new");
    if (unlinkat(folder.get(), temporary, 0) && errno != ENOENT)
        return io_failure("a temporary file cannot be removed");
    Descriptor file(open_at(folder.get(), temporary, O_WRONLY | O_CREAT | O_EXCL));
    if (!file.is_open()) return io_failure("a temporary file cannot be created");
    status = write_all(file.get(), text);
    if (status.ok() && renameat(folder.get(), temporary, folder.get(), name.text))
        status = io_failure("a temporary file cannot be renamed");
    if (status.failed()) {
        (void)unlinkat(folder.get(), temporary, 0);
        return status;
    }
    return fsync(folder.get()) ? io_failure("a directory cannot be flushed to the device")
                               : Status{};
}

Status ProjectFiles::written_at(const FileName &name, int64_t &out) const {
    Descriptor folder;
    Status status = open_folder(name.folder, false, folder);
    if (status.failed()) return status;
    struct stat found;
    if (fstatat(folder.get(), name.text, &found, AT_SYMLINK_NOFOLLOW))
        return io_failure("the status of a file cannot be read");
    out = int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
    return {};
}

Status ProjectFiles::remove(const FileName &name) const {
    Descriptor folder;
    Status status = open_folder(name.folder, false, folder);
    if (status.ok()) status = check_target(folder.get(), name.text);
    if (status.failed()) return status;
    if (unlinkat(folder.get(), name.text, 0)) return io_failure("a file cannot be removed");
    return fsync(folder.get()) ? io_failure("a directory cannot be flushed to the device")
                               : Status{};
}

}  // namespace accp::packet
