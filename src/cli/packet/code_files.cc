// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_files.h.
#include "cli/packet/code_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "cli/host.h"
#include "cli/packet/code_place.h"
#include "cli/packet/code_tree.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"

namespace cli {
namespace {

constexpr size_t kLookedAt = 8000;  // bytes in which a NUL says that it is no text: as git has it
// A file that changed so shortly ago may change again and look the same, as times are coarse.
constexpr int64_t kSettledAfter = 2'000'000'000;  // ns

int64_t ns_of(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// Reads on, up to `end` bytes in all.
void read_up_to(int file, size_t end, std::string &text) {
    size_t size = text.size();
    text.resize(end);
    while (size < end) {
        const ssize_t got = read(file, text.data() + size, end - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += static_cast<size_t>(got);
    }
    text.resize(size);
}

// Reads a file of text; false: it is none, or cannot be read, or is too large.
bool read_text(const std::string &path, std::string &text) {
    const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    struct stat status = {};
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                static_cast<uint64_t>(status.st_size) <= kMaxFileBytes;
    const size_t size = good ? static_cast<size_t>(status.st_size) : 0;
    text.clear();
    read_up_to(file, std::min(size, kLookedAt), text);
    good = good && std::memchr(text.data(), 0, text.size()) == nullptr;
    if (good) read_up_to(file, size, text);
    close(file);
    return good;
}

// Brings an index up to what the tree is now: files that look as they did are not read.
class CodeUpdate {
public:
    CodeUpdate(accp_packet_code *code, const std::string &directory,
               const std::vector<std::string> &paths)
        : code_(code), directory_(directory), paths_(paths), known_(paths.size()) {
        timespec now = {};
        clock_gettime(CLOCK_REALTIME, &now);
        settled_ = ns_of(now) - kSettledAfter;
    }
    accp_status run(accp_error &err) {
        accp_status status = note_paths(err);
        for (const std::string &path : gone_)
            if (status == ACCP_OK) status = remove(path, err);
        Progress progress("files", false);
        for (size_t i = 0; status == ACCP_OK && i < paths_.size(); ++i) {
            status = update(i, err);
            progress.show(i + 1, bytes_);
        }
        progress.erase();
        return status == ACCP_OK ? accp_packet_code_sync(code_, &err) : status;
    }

private:
    // What the index has, and the tree or not. Both are in the order of their bytes.
    accp_status note_paths(accp_error &err) {
        accp_text all = {};
        const accp_status status = accp_packet_code_paths(code_, &all, &err);
        size_t next = 0;
        for (size_t at = 0; status == ACCP_OK && at < all.len;) {
            const std::string_view path = all.text + at;
            while (next < paths_.size() && paths_[next] < path) ++next;
            const bool is_there = next < paths_.size() && paths_[next] == path;
            if (is_there) known_[next] = true;
            else gone_.emplace_back(path);
            at += path.size() + 1;
        }
        return status;
    }
    // 0: what the file is now does not say whether it is the same later.
    uint64_t stamp_of(const std::string &path) const {
        struct stat status = {};
        if (lstat(path.c_str(), &status) != 0) return 0;
        const int64_t changed[] = {ns_of(status.st_mtim), ns_of(status.st_ctim),
                                   int64_t{status.st_size}, static_cast<int64_t>(status.st_ino)};
        if (std::max(changed[0], changed[1]) > settled_) return 0;
        return std::hash<std::string_view>()(
            {reinterpret_cast<const char *>(changed), sizeof changed});
    }
    accp_status update(size_t number, accp_error &err) {
        const std::string &path = paths_[number];
        const std::string whole = directory_ + "/" + path;
        const uint64_t stamp = stamp_of(whole);
        if (known_[number] && stamp != 0 &&
            stamp == accp_packet_code_stamp(code_, path.data(), path.size()))
            return ACCP_OK;
        if (!read_text(whole, text_)) return known_[number] ? remove(path, err) : ACCP_OK;
        bytes_ += text_.size();
        const accp_status status = accp_packet_code_add_stamped(
            code_, path.data(), path.size(), text_.data(), text_.size(), stamp, &err);
        // a name that is none
        return status == ACCP_ERR_ARG || status == ACCP_E1004 ? ACCP_OK : status;
    }
    accp_status remove(const std::string &path, accp_error &err) {
        const int32_t removed = accp_packet_code_remove(code_, path.data(), path.size());
        if (removed >= 0) return ACCP_OK;
        err = {};
        err.code = removed;
        return removed;
    }

    accp_packet_code *code_;
    const std::string &directory_;
    const std::vector<std::string> &paths_;
    std::vector<bool> known_;
    std::vector<std::string> gone_;
    int64_t settled_ = 0;
    uint64_t bytes_ = 0;
    std::string text_;
};

// An index that is up to date; `place` empty: in memory.
accp_status make_index(const Arguments &arguments, const std::string &place,
                       const std::vector<std::string> &paths, Handle<accp_packet_code> &out,
                       accp_error &err) {
    accp_packet_code *made = nullptr;
    const Handle<accp_config> config = make_config(arguments);
    accp_status status = place.empty() ? accp_packet_code_new(config.get(), &made, &err)
                                       : accp_packet_code_new_on_disk(place.data(), place.size(),
                                                                      config.get(), &made, &err);
    if (status != ACCP_OK) return status;
    out.reset(made);
    return CodeUpdate(made, arguments.code, paths).run(err);
}

}  // namespace

Handle<accp_packet_code> read_code(const Arguments &arguments) {
    if (arguments.code.empty()) return nullptr;
    const std::vector<std::string> paths = list_files(arguments.code);
    const std::string place = index_place(arguments);
    Handle<accp_packet_code> code;
    accp_error err = {};
    accp_status status = make_index(arguments, place, paths, code, err);
    // it was damaged, and is gone
    if (status == ACCP_ERR_CORRUPT && code) status = make_index(arguments, place, paths, code, err);
    if (status != ACCP_OK && !place.empty() && arguments.index.empty()) {
        std::fprintf(stderr, "accp: %s: %s; nothing is kept\n", place.c_str(),
                     message_of(err).c_str());
        status = make_index(arguments, "", paths, code, err);
    }
    if (status != ACCP_OK)
        throw Failure((place.empty() ? "--code" : place) + ": " + message_of(err));
    if (accp_packet_code_count(code.get()) == 0)
        throw Failure("--code: no files in " + arguments.code);
    return code;
}

}  // namespace cli
