// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See handles.h.
#include "server/library/handles.h"

#include <string>

#include "server/library/failure.h"

namespace host {
namespace {

void check(accp_status status, const accp_error &err, const std::string &what) {
    if (status != ACCP_OK) throw Failure(what + ": " + message_of(err));
}

}  // namespace

Handle<accp_config> new_config() {
    accp_error err = {};
    accp_config *config = nullptr;
    check(accp_config_new(&config, &err), err, "config");
    return Handle<accp_config>(config);
}

Handle<accp_frame> new_frame(const accp_config *config) {
    accp_error err = {};
    accp_frame *frame = nullptr;
    check(accp_frame_new(config, &frame, &err), err, "frame");
    return Handle<accp_frame>(frame);
}

Handle<accp_value> new_value(const accp_config *config) {
    accp_error err = {};
    accp_value *value = nullptr;
    check(accp_value_new(config, &value, &err), err, "value");
    return Handle<accp_value>(value);
}

Handle<accp_codec> new_codec(const accp_config *config) {
    accp_error err = {};
    accp_codec *codec = nullptr;
    check(accp_codec_new(config, &codec, &err), err, "codec");
    return Handle<accp_codec>(codec);
}

Handle<accp_render> new_render(const accp_config *config) {
    accp_error err = {};
    accp_render *render = nullptr;
    check(accp_render_new(config, &render, &err), err, "render");
    return Handle<accp_render>(render);
}

}  // namespace host
