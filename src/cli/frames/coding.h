// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// encode and decode, through a codec as the arguments say.
#pragma once

#include <string_view>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

class Coding {
public:
    // `io` is told what is logged; `next` gives the parts of a message after the first their
    // envelopes.
    Coding(const Arguments &arguments, Streams &io, accp_envelope_function next = nullptr,
           void *user = nullptr);

    accp_status encode(std::string_view json, std::string_view &out, accp_error &err);
    accp_status decode(std::string_view frame, std::string_view &out, accp_error &err);
    // Of the message that was encoded last: its parts stand in `out` with a newline between two.
    uint64_t parts() const { return outcome().parts; }
    // Says on standard error what was odd about the record that was done last.
    void warn(Streams &io) const;
    accp_status set_envelope(const accp_envelope *envelope, accp_error &err);

    // A codec like this one, which marks defaults; NULL where there is no registry.
    Handle<accp_codec> marking() const;

private:
    accp_outcome outcome() const;
    static accp_status on_next(accp_envelope *envelope, void *user);
    static void on_log(int32_t direction, accp_status status, const char *text, size_t text_len,
                       void *user);

    Streams &io_;
    accp_envelope_function next_;
    void *user_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_codec> codec_;
};

}  // namespace cli
