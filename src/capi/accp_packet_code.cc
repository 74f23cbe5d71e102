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

#if ACCP_SQLITE
// Others write for a moment each; a first run of theirs has many of these.
constexpr uint32_t kBusyMs = 30'000;

Status open_on_disk(accp_packet_code &code, std::string_view path) {
    store::StorePlace place;
    place.name = path;
    place.durability = store::Durability::kNormal;
    place.busy_ms = kBusyMs;
    code.files = &code.on_disk;
    return code.on_disk.open(place);
}
#else
Status open_on_disk(accp_packet_code &, std::string_view) {
    return fail(ACCP_ERR_ARG, 0, "this library has no SQLite: files of code are in memory only");
}
#endif

// Fails with ERR_BUSY while a packet is made of the files.
Status check_unread(const accp_packet_code &code) {
    return code.owners.load(std::memory_order_acquire) == 1
               ? Status{}
               : fail(ACCP_ERR_BUSY, 0, "a packet is being made of these files");
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

accp_status accp_packet_code_new_on_disk(const char *path, size_t path_len,
                                         const accp_config *config, accp_packet_code **out,
                                         accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Held<accp_packet_code> made(make_handle<accp_packet_code>(capi::settings_of(config)));
        Status status = check_path(to_view(path, path_len));
        if (status.ok()) status = open_on_disk(*made.handle, to_view(path, path_len));
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_packet_code_free(accp_packet_code *code) noexcept { release_handle(code); }

accp_status accp_packet_code_add(accp_packet_code *code, const char *path, size_t path_len,
                                 const char *text, size_t text_len, accp_error *err) noexcept {
    return accp_packet_code_add_stamped(code, path, path_len, text, text_len, 0, err);
}

accp_status accp_packet_code_add_stamped(accp_packet_code *code, const char *path, size_t path_len,
                                         const char *text, size_t text_len, uint64_t stamp,
                                         accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Status status = check_path(to_view(path, path_len));
        if (status.ok()) status = check_unread(*code);
        if (status.failed()) return status;
        return code->files->add(to_view(path, path_len), to_view(text, text_len), stamp);
    });
}

uint64_t accp_packet_code_stamp(const accp_packet_code *code, const char *path,
                                size_t path_len) noexcept {
    uint64_t stamp = 0;
    if (!code || !capi::is_text(path, path_len)) return 0;
    const accp_status failed =
        capi::guard(nullptr, [&] { return code->files->stamp(to_view(path, path_len), stamp); });
    return failed ? 0 : stamp;
}

accp_status accp_packet_code_paths(accp_packet_code *code, accp_text *out,
                                   accp_error *err) noexcept {
    if (!code || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        code->paths.clear();
        Status status = code->files->list(code->paths);
        if (status.ok()) capi::hand_out(code->paths, out);
        return status;
    });
}

accp_status accp_packet_code_sync(accp_packet_code *code, accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Status status = check_unread(*code);
        return status.ok() ? code->files->sync() : status;
    });
}

int32_t accp_packet_code_remove(accp_packet_code *code, const char *path,
                                size_t path_len) noexcept {
    bool was_there = false;
    if (!code || !capi::is_text(path, path_len)) return 0;
    const accp_status failed = capi::guard(nullptr, [&] {
        const Status status = check_unread(*code);
        return status.ok() ? code->files->remove(to_view(path, path_len), was_there) : status;
    });
    return failed ? failed : was_there;
}

uint64_t accp_packet_code_count(const accp_packet_code *code) noexcept {
    uint64_t count = 0;
    if (code) (void)capi::guard(nullptr, [&] { return code->files->count(count); });
    return count;
}

}  // extern "C"
