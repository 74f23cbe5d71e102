// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/token_file.h"

#include <sys/stat.h>

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {

std::string read_token(const std::string &path) {
    constexpr size_t kMinToken = 32, kMaxToken = 4096;
    constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
    struct stat about = {};
    std::string token = read_file(path);
    if (::stat(path.c_str(), &about) == 0 && (about.st_mode & kOthers))
        throw Failure("--token-file " + path +
                      ": other users have rights to this file; remove them: chmod 600 " + path);
    while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
    const bool is_visible = token.find_first_not_of(
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~+/=") == token.npos;
    if (token.size() < kMinToken || token.size() > kMaxToken || !is_visible)
        throw Failure("--token-file " + path +
                      ": must hold one line, a token of at least 32 letters, digits and -._~+/=; "
                      "make one with: openssl rand -hex 32");
    return token;
}

}  // namespace cli
