// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/render.h
#include "accp/render.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "render/renderer.h"
#include "value/json_writer.h"

using namespace accp;
using namespace accp::capi;

struct accp_render {
    explicit accp_render(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          frames(keep_refs(from)),
          coder(memory, frames),
          reader(memory),
          value(memory),
          nodes(memory),
          json(memory),
          out(memory),
          renderer(memory, settings) {}

    static Settings keep_refs(Settings from) {
        from.keep_refs = true;
        return from;
    }

    Settings settings;
    Memory memory;
    Settings frames;  // for decoding frames
    frame::Coder coder;
    value::JsonReader reader;
    value::Value value;
    Buffer<value::Node> nodes;
    Buffer<char> json;
    Buffer<char> out;
    render::Renderer renderer;
};

namespace {

constexpr uint32_t kRenderFlags =
    ACCP_RENDER_UNTRUSTED | ACCP_RENDER_ONE_LINE | ACCP_RENDER_ENVELOPE;

Status render_json(accp_render &render, const char *text, size_t text_len, uint32_t flags) {
    Status status =
        render.reader.read(text, text_len, value::json_limits(render.settings), render.value);
    if (status.ok())
        render.renderer.render(render.value.view(), 0, flags, render.coder.ignored.view(),
                               render.out);
    return status;
}

// Runs `body`, which appends to render->out, and returns the text.
template <class Body>
accp_status make(accp_render *render, const char *text, size_t text_len, accp_text *out,
                 accp_error *err, Body body) noexcept {
    if (!render || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, render->out)) return capi::refuse(err, capi::kOwnText);
    return capi::guard(err, [&] {
        render->out.recycle(kKeptBytes);
        Status status = body();
        if (status.failed()) return status;
        hand_out(render->out, out);
        return Status{};
    });
}

Status check_flags(uint32_t flags) {
    return flags & ~kRenderFlags ? fail(ACCP_ERR_ARG, 0, "a flag that is none") : Status{};
}

}  // namespace

extern "C" {

accp_status accp_render_new(const accp_config *config, accp_render **out,
                            accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = capi::make_coding_handle<accp_render>(config);
        return Status{};
    });
}

void accp_render_free(accp_render *render) noexcept { destroy_handle(render); }

accp_status accp_render_json(accp_render *render, const char *text, size_t text_len, uint32_t flags,
                             accp_text *out, accp_error *err) noexcept {
    return make(render, text, text_len, out, err, [&] {
        Status status = check_flags(flags);
        return status.failed() ? status : render_json(*render, text, text_len, flags);
    });
}

accp_status accp_render_frame(accp_render *render, const char *text, size_t text_len,
                              uint32_t flags, accp_text *out, accp_error *err) noexcept {
    return make(render, text, text_len, out, err, [&] {
        Status status = check_flags(flags);
        if (status.failed()) return status;
        render->nodes.recycle(kKeptBytes);
        render->json.recycle(kKeptBytes);
        status = render->coder.decode(text, text_len, render->nodes, render->json);
        return status.failed()
                   ? status
                   : render_json(*render, render->json.data(), render->json.size(), flags);
    });
}

accp_status accp_render_parse(accp_render *render, const char *text, size_t text_len,
                              accp_text *out, accp_error *err) noexcept {
    return make(render, text, text_len, out, err, [&] {
        Status status = render->renderer.read(text ? text : "", text_len, render->value);
        if (status.ok()) value::write_json(render->value.view(), 0, render->out);
        return status;
    });
}

uint64_t accp_render_row_count(const char *text, size_t text_len) noexcept {
    return text ? render::count_row_lines({text, text_len}) : 0;
}

}  // extern "C"
