// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library's handles, freed when they go out of scope.
#pragma once

#include <memory>

#include "accp/accp.h"

namespace cli {

struct Free {
    void operator()(accp_options *options) const { accp_options_free(options); }
    void operator()(accp_frame *frame) const { accp_frame_free(frame); }
    void operator()(accp_value *value) const { accp_value_free(value); }
    void operator()(accp_tokenizer *tokenizer) const { accp_tokenizer_free(tokenizer); }
    void operator()(accp_counter *counter) const { accp_counter_free(counter); }
    void operator()(accp_render *render) const { accp_render_free(render); }
    void operator()(accp_registry *registry) const { accp_registry_free(registry); }
    void operator()(accp_codec *codec) const { accp_codec_free(codec); }
    void operator()(accp_engine *engine) const { accp_engine_free(engine); }
    void operator()(accp_session *session) const { accp_session_close(session); }
    void operator()(accp_store *store) const { accp_store_close(store, nullptr); }
};

template <typename T>
using Handle = std::unique_ptr<T, Free>;

// Each throws Failure when the library cannot make it.
Handle<accp_options> new_options();
Handle<accp_frame> new_frame(const accp_options *options);
Handle<accp_value> new_value(const accp_options *options);
Handle<accp_render> new_render(const accp_options *options);

}  // namespace cli
