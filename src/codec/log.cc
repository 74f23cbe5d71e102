// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "codec/log.h"

#include "accp/render.h"
#include "base/text.h"
#include "codec/codec.h"
#include "text/secrets.h"

namespace accp::codec {

void copy_redacted(value::TreeView from, std::string_view list, Arena &arena, value::Value &to) {
    struct Level {
        uint32_t end, made, count;
        bool map;
    };
    arena.reset();
    auto *levels = arena.allocate<Level>(kMaxJsonDepth + 1);
    uint32_t open = 0;
    for (uint32_t i = 0;;) {
        for (; open && levels[open - 1].end == i; --open)
            to.close(levels[open - 1].made, levels[open - 1].count);
        if (i == from[0].next) return;
        const bool keyed = open && levels[open - 1].map;
        if (keyed) to.add_key(from.key(i));
        if (keyed && has_name(list, from.key(i))) {
            to.add_scalar(ACCP_STRING, 0, kRedacted);
            i = from[i].next;
        } else if (value::is_container(from[i].kind)) {
            levels[open++] = {from[i].next, to.open(from[i].kind), from[i].len,
                              from[i].kind == ACCP_MAP};
            ++i;
        } else {
            to.add_scalar(from[i].kind, from[i].flags, from.string(i));
            ++i;
        }
    }
}

void CodecLog::write(int32_t direction, std::string_view json, std::string_view redacted) {
    Status status = reader_.read(json.data(), json.size(), value::json_limits(settings_), message_);
    if (status.failed()) return write(direction, status);
    shown_.clear();
    out_.recycle(kKeptBytes);
    if (!redacted.empty()) copy_redacted(message_.view(), redacted, arena_, shown_);
    renderer_.render(redacted.empty() ? message_.view() : shown_.view(), 0,
                     ACCP_RENDER_ONE_LINE | ACCP_RENDER_ENVELOPE, kDefaultsName, out_);
    if (settings_.redact_secrets) text::redact_in_place(out_, scratch_);
    hook(direction, ACCP_OK, out_.data(), out_.size(), user);
}

void CodecLog::write(int32_t direction, const Status &refused) {
    out_.recycle(kKeptBytes);
    out_.append(accp_status_code_name(refused.code));
    out_.append(" at byte ");
    append_decimal(refused.offset, out_);
    out_.append(": ");
    out_.append(refused.message ? refused.message : accp_status_meaning(refused.code));
    hook(direction, refused.code, out_.data(), out_.size(), user);
}

}  // namespace accp::codec
