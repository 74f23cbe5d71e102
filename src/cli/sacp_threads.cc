// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp threads: messages, a line each, put together by what they reply to.
#include "cli/filter.h"
#include "cli/host.h"
#include "cli/sacp_actions.h"
#include "cli/settings.h"

namespace cli {

int sacp_threads(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config.get());
    std::string all;
    for_each_block(arguments, io, [&](std::string_view block) { all.append(block); });
    accp_text text = {};
    accp_error err = {};
    const int32_t indented = arguments.indent ? 1 : 0;
    if (accp_sacp_thread(sacp.get(), all.data(), all.size(), indented, &text, &err) != ACCP_OK)
        throw Failure("threads: " + message_of(err));
    io.out.text.append(text.text, text.len);
    if (!arguments.indent) io.out.text.append("\n");
    return 0;
}

}  // namespace cli
