// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: files of code.
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"

using namespace accp;
using namespace accp::capi;

namespace {

Status check_path(std::string_view path) {
    if (path.empty() || path.size() > packet::kMaxCodePath || path.find('\0') != path.npos)
        return fail(ACCP_ERR_ARG, 0, "a path has from 1 to 4096 bytes, and no NUL");
    const size_t good = valid_utf8_prefix(path.data(), path.size());
    return good == path.size() ? Status{} : fail(ACCP_E1004, good, "the path is not UTF-8");
}

}  // namespace

extern "C" {

accp_status accp_packet_code_new(const accp_config *config, accp_packet_code **out,
                                 accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_packet_code>(capi::settings_of(config));
        return Status{};
    });
}

void accp_packet_code_free(accp_packet_code *code) noexcept { end_handle(code); }

accp_status accp_packet_code_add(accp_packet_code *code, const char *path, size_t path_len,
                                 const char *text, size_t text_len, accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Status status = check_path(to_view(path, path_len));
        return status.ok() ? code->files->add(to_view(path, path_len), to_view(text, text_len))
                           : status;
    });
}

int32_t accp_packet_code_remove(accp_packet_code *code, const char *path,
                                size_t path_len) noexcept {
    bool was_there = false;
    if (!code || !capi::is_text(path, path_len)) return 0;
    const accp_status failed = capi::guard(
        nullptr, [&] { return code->files->remove(to_view(path, path_len), was_there); });
    return failed ? failed : was_there;
}

uint64_t accp_packet_code_count(const accp_packet_code *code) noexcept {
    uint64_t count = 0;
    if (code) (void)capi::guard(nullptr, [&] { return code->files->count(count); });
    return count;
}

}  // extern "C"
