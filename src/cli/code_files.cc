// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_files.h.
#include "cli/code_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/code_tree.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr size_t kLookedAt = 8000;  // bytes in which a NUL says that it is no text: as git has it

// Reads a file of text; false: it is none, or cannot be read, or is too large.
bool read_text(const std::string &path, std::string &text) {
    const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    struct stat status = {};
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                static_cast<uint64_t>(status.st_size) <= kMaxFileBytes;
    text.resize(good ? static_cast<size_t>(status.st_size) : 0);
    size_t size = 0;
    while (good && size < text.size()) {
        const ssize_t got = read(file, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += static_cast<size_t>(got);
    }
    close(file);
    text.resize(size);
    return good && std::memchr(text.data(), 0, std::min(size, kLookedAt)) == nullptr;
}

}  // namespace

Handle<accp_packet_code> read_code(const Arguments &arguments) {
    if (arguments.code.empty()) return nullptr;
    accp_error err = {};
    accp_packet_code *made = nullptr;
    if (accp_packet_code_new(make_config(arguments).get(), &made, &err) != ACCP_OK)
        throw Failure(message_of(err));
    Handle<accp_packet_code> code(made);
    Progress progress("files", false);
    std::string text;
    uint64_t bytes = 0;
    for (const std::string &path : list_files(arguments.code)) {
        if (!read_text(arguments.code + "/" + path, text)) continue;
        const accp_status status = accp_packet_code_add(code.get(), path.data(), path.size(),
                                                        text.data(), text.size(), &err);
        if (status == ACCP_ERR_NOMEM) throw Failure("--code: " + message_of(err));
        bytes += text.size();
        progress.show(accp_packet_code_count(code.get()), bytes);
    }
    progress.wipe();
    if (accp_packet_code_count(code.get()) == 0)
        throw Failure("--code: no files in " + arguments.code);
    return code;
}

}  // namespace cli
