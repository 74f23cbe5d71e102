// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// encode and decode: with a registry through a codec, else through a frame.
#pragma once

#include <string_view>

#include "cli/arguments.h"
#include "cli/handles.h"
#include "cli/streams.h"

namespace cli {

class Coding {
public:
    // `io` is told what is logged.
    Coding(const Arguments &arguments, const accp_options *options, Streams &io);

    accp_status encode(std::string_view json, std::string_view &out, accp_error &err);
    accp_status decode(std::string_view frame, std::string_view &out, accp_error &err);
    // Parts of the message encoded last, which stand in `out` with a newline between two.
    uint64_t parts() const;
    // Says on standard error what was odd about the record that was done last.
    void warn(Streams &io) const;
    accp_status set_envelope(const accp_envelope *envelope, accp_error &err);

    void set_splitting(accp_envelope_function next, void *user);

    // A codec like this one, which marks defaults; NULL where there is no registry.
    Handle<accp_codec> marking(const Arguments &arguments, const accp_options *options) const;

private:
    Handle<accp_frame> frame_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Handle<accp_codec> codec_;
};

}  // namespace cli
