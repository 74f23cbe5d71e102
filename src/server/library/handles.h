// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library's handles, freed at the end of their scope, and views of the nodes of frames and
// values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace host {

struct Free {
    void operator()(accp_config *config) const { accp_config_free(config); }
    void operator()(accp_frame *frame) const { accp_frame_free(frame); }
    void operator()(accp_value *value) const { accp_value_free(value); }
    void operator()(accp_tokenizer *tokenizer) const { accp_tokenizer_free(tokenizer); }
    void operator()(accp_counter *counter) const { accp_counter_free(counter); }
    void operator()(accp_render *render) const { accp_render_free(render); }
    void operator()(accp_registry *registry) const { accp_registry_free(registry); }
    void operator()(accp_codec *codec) const { accp_codec_free(codec); }
    void operator()(accp_engine *engine) const { accp_engine_free(engine); }
    void operator()(accp_session *session) const { accp_session_close(session); }
    void operator()(accp_packet *packet) const { accp_packet_free(packet); }
    void operator()(accp_panes *panes) const { accp_panes_close(panes); }
    void operator()(accp_packet_code *code) const { accp_packet_code_free(code); }
    void operator()(accp_library *library) const { accp_library_free(library); }
    void operator()(accp_sacp *sacp) const { accp_sacp_free(sacp); }
    void operator()(accp_capabilities *held) const { accp_capabilities_close(held); }
    void operator()(accp_phrases *phrases) const { accp_phrases_free(phrases); }
    void operator()(accp_presenter *held) const { accp_presenter_free(held); }
    void operator()(accp_run *run) const { accp_run_free(run); }
    void operator()(accp_store *store) const { accp_store_close(store, nullptr); }
};

template <typename T>
using Handle = std::unique_ptr<T, Free>;

inline std::string_view to_view(const accp_text &text) {
    return {text.len != 0 ? text.text : "", text.len};
}

// Hooks without functions; `user` is passed to each.
inline accp_hooks new_hooks(void *user) {
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = user;
    return hooks;
}

inline accp_registry_info info_of(const accp_registry *registry) {
    accp_registry_info info = {};
    accp_registry_describe(registry, &info, nullptr);
    return info;
}

// Each throws Failure if the library cannot create the object.
Handle<accp_config> new_config();
Handle<accp_frame> new_frame(const accp_config *config);
Handle<accp_value> new_value(const accp_config *config);
Handle<accp_codec> new_codec(const accp_config *config);
Handle<accp_render> new_render(const accp_config *config);
Handle<accp_counter> new_counter(const accp_tokenizer *tokenizer, const accp_config *config);
// Throws Failure.
uint64_t count_tokens(accp_counter &counter, std::string_view text);

// The nodes of a frame or a value with their text. Valid until the next call that changes the
// source.
struct Tree {
    const accp_node *nodes = nullptr;
    size_t count = 0;
    const char *text = nullptr;
    size_t text_len = 0;

    std::string_view key(uint32_t i) const {
        return {text + ACCP_NODE_KEY(&nodes[i]), nodes[i].key_len};
    }

    // The text of a scalar or a name, with its escapes.
    std::string_view raw(uint32_t i) const { return {text + nodes[i].offset, nodes[i].len}; }
};

Tree tree_of(const accp_frame *frame);
Tree tree_of(const accp_value *value);

// "int", "str", "array" …: the names that `accp parse` uses.
const char *kind_name(const accp_node &node);

// The content of a node for people: a scalar's text without escapes, "3 elements", "1 entry". Safe
// for a terminal.
std::string shown(const accp_frame *frame, uint32_t i);
std::string shown(const Tree &value, uint32_t i);

// Appends `text` with each invalid byte of UTF-8 as \xNN, and each control, invisible or
// direction-changing character as \u and its number.
void append_printable(std::string_view text, std::string &out);
// Returns the beginning of a text in one line that is safe for a terminal, with … if it is longer.
std::string printable_excerpt(std::string_view text, size_t max_bytes = 80);

}  // namespace host
