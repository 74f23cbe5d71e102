// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/panes.h: packets in files.
#include "accp/panes.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"
#include "capi/panes_handle.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint32_t kReadings = ACCP_PANES_ALONE | ACCP_PANES_UNVERIFIED | ACCP_PANES_RECEIPT;

void end_panes(accp_panes *panes) noexcept {
    if (!panes) return;
    accp_store *store = panes->store;
    destroy_handle(panes);
    store::drop_store(store);
}

// Reads into a packet's handle; the receipt comes last, and without it the packet is not had.
Status read_pane(accp_panes &handle, int64_t pane, uint32_t reading, int64_t now_ms,
                 accp_packet *packet) {
    panes::ReadPacket how;
    const bool any_seal = reading & ACCP_PANES_UNVERIFIED;
    Status status = any_seal
                        ? handle.panes.read_text(pane, handle.out)
                        : handle.panes.read(pane, !(reading & ACCP_PANES_ALONE), handle.out, how);
    if (status.failed()) return status;
    accp_error local = {};
    if (read_in_call(*packet, handle.out.view(), any_seal ? ACCP_PACKET_UNVERIFIED : 0, &local) !=
        ACCP_OK)
        return status_of(local);
    if (how.merged) seal(*packet);
    if (!(reading & ACCP_PANES_RECEIPT)) return {};
    return handle.panes.note_receipt(pane, how, accp_packet_tokens(packet),
                                     static_cast<uint64_t>(now_ms));
}

}  // namespace

extern "C" {

accp_status accp_panes_open(const char *directory, size_t directory_len, accp_store *store,
                            const accp_config *config, accp_panes **out, accp_error *err) noexcept {
    if (!store || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(directory, directory_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        const accp_panes::Source source = {settings, store};
        Held<accp_panes, end_panes> made(make_handle<accp_panes>(settings, source));
        Status status = made->panes.open({directory, directory_len});
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_panes_close(accp_panes *panes) noexcept { free_handle<accp_panes, end_panes>(panes); }

accp_status accp_panes_configure(accp_panes *panes, const char *text, size_t text_len,
                                 accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] { return panes->panes.configure(to_view(text, text_len)); });
}

int64_t accp_panes_setting(const accp_panes *panes, int32_t setting) noexcept {
    if (!panes) return -1;
    const panes::PaneSettings &all = panes->panes.settings();
    switch (setting) {
        case ACCP_PANES_DEFAULT_DEPTH: return all.depth;
        case ACCP_PANES_BUDGET_MINIMAL:
        case ACCP_PANES_BUDGET_STANDARD:
        case ACCP_PANES_BUDGET_DEEP:
            return static_cast<int64_t>(all.budgets[setting - ACCP_PANES_BUDGET_MINIMAL]);
        case ACCP_PANES_AUTO_GENERATE: return all.auto_generate;
        case ACCP_PANES_TRACK_EFFICIENCY: return all.track_efficiency;
        case ACCP_PANES_AUTO_CLEANUP: return all.auto_cleanup;
        case ACCP_PANES_OWN_PANE: return all.pane;
        case ACCP_PANES_LOCK_SECONDS: return all.lock_seconds;
        default: return -1;
    }
}

accp_status accp_panes_write(accp_panes *panes, int64_t pane, const char *revision,
                             size_t revision_len, uint32_t writing, int64_t now_ms,
                             accp_packet *packet, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (accp_status status = check_filled(packet, err)) return status;
    if (!capi::is_text(revision, revision_len)) return capi::refuse(err, capi::kNoText);
    if (!is_file(pane)) return capi::refuse(err, kNoPane);
    if (writing > ACCP_PANES_EDITED) return capi::refuse(err, kNoWay);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return capi::guard(err, [&] {
        Buffer<char> wanted(
            panes->memory);  // it may be a view into the packet, which its seal ends
        wanted.append(to_view(revision, revision_len));
        accp_error local = {};
        accp_text text = {};
        if (accp_packet_seal(packet, &local) != ACCP_OK ||
            accp_packet_print_yaml(packet, &text, &local) != ACCP_OK)
            return status_of(local);
        Status status = panes->panes.write(pane, wanted.view(), to_view(text));
        if (status.failed() || !(writing & ACCP_PANES_EDITED)) return status;
        return panes->panes.note_edit(pane, packet->packet.checksum(),
                                      static_cast<uint64_t>(now_ms));
    });
}

accp_status accp_panes_read(accp_panes *panes, int64_t pane, uint32_t reading, int64_t now_ms,
                            accp_packet *packet, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (accp_status status = check_idle(packet, err)) return status;
    if (!is_file(pane)) return capi::refuse(err, kNoPane);
    if (reading & ~kReadings) return capi::refuse(err, kNoWay);
    if (reading & ACCP_PANES_RECEIPT && (reading != ACCP_PANES_RECEIPT || pane == panes::kShared))
        return capi::refuse(err, "a receipt is of a pane's packet as its worker reads it");
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    const PacketUse packet_use(packet);
    const HandleUse<accp_panes, end_panes> use(panes);
    const accp_status code =
        capi::guard(err, [&] { return read_pane(*panes, pane, reading, now_ms, packet); });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

accp_status accp_panes_remove(accp_panes *panes, int64_t pane, int64_t now_ms,
                              accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return capi::guard(err,
                       [&] { return panes->panes.remove(pane, static_cast<uint64_t>(now_ms)); });
}

}  // extern "C"
