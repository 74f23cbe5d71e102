// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_outcome.h.
#include "cli/packet/outcome.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

bool says_done(const Arguments &arguments) {
    const std::string &text = arguments.frame;
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_frame> frame = new_frame(config.get());
    accp_error err = {};
    accp_envelope envelope = {};
    if (accp_frame_parse(frame.get(), text.data(), text.size(), &err) != ACCP_OK ||
        accp_frame_envelope(frame.get(), &envelope, &err) != ACCP_OK)
        throw Failure("--frame: " + describe(err));
    if (!arguments.cid.empty() && to_view(envelope.cid) != arguments.cid)
        throw Failure("--frame is of another chain than --cid: cid " +
                      std::string(to_view(envelope.cid)));
    size_t count = 0;
    const accp_node &intent = accp_frame_nodes(frame.get(), &count)[1];
    const std::string_view name = std::string_view(text).substr(intent.offset, intent.len);
    if (name != "done" && name != "fail")
        throw Failure("--frame says neither done nor fail, but " + std::string(name));
    return name == "done";
}

}  // namespace

bool has_succeeded(const Arguments &arguments) {
    if (arguments.success + arguments.fail + !arguments.frame.empty() != 1)
        throw Failure("context record takes one of --success, --fail and --frame");
    return arguments.frame.empty() ? arguments.success : says_done(arguments);
}

}  // namespace cli
