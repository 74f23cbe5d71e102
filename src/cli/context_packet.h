// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One packet of a project's files, as the command holds it.
#pragma once

#include <string>

#include "cli/coding.h"
#include "cli/failure.h"
#include "cli/handles.h"
#include "cli/settings.h"
#include "cli/tokenizers.h"

namespace cli {

// A packet, empty; and what it is counted by.
struct OnePacket {
    explicit OnePacket(const Arguments &arguments)
        : config(make_config(arguments)), tokenizer(open_tokenizer(arguments, config.get())) {
        accp_error err = {};
        accp_packet *made = nullptr;
        if (accp_config_set_tokenizer(config.get(), tokenizer.get(), &err) != ACCP_OK ||
            accp_packet_new(config.get(), &made, &err) != ACCP_OK)
            throw Failure(message_of(err));
        packet.reset(made);
    }
    accp_packet *get() const { return packet.get(); }

    Handle<accp_config> config;
    Handle<accp_tokenizer> tokenizer;
    Handle<accp_packet> packet;
};

template <class Print>
std::string printed(accp_packet *packet, Print print) {
    accp_error err = {};
    accp_text out = {};
    if (print(packet, &out, &err) != ACCP_OK) throw Failure(message_of(err));
    return std::string(to_view(out));
}

}  // namespace cli
