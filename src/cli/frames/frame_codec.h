// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Encodes messages to frames and decodes frames, with a codec that is set up from the arguments.
// Without --registry, the registry has the built-in schemas of all profiles.
#pragma once

#include <string_view>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

class FrameCodec {
public:
    // --log writes to `io`. If a message is split, `next` supplies the envelope of each part after
    // the first.
    FrameCodec(const Arguments &arguments, Streams &io, accp_envelope_function next = nullptr,
               void *user = nullptr);

    // A split message is written as its parts with a newline between them.
    accp_status encode(std::string_view json, std::string_view &out, accp_error &err);
    accp_status decode(std::string_view frame, std::string_view &out, accp_error &err);
    // Returns the number of parts of the last encoded message.
    uint64_t parts() const { return outcome().parts; }
    // Writes the warnings about the last record to standard error.
    void print_record_warnings(Streams &io) const;
    accp_status set_envelope(const accp_envelope *envelope, accp_error &err);

    // Returns a codec with the same settings that also marks defaults, or NULL without a registry.
    Handle<accp_codec> new_marking_codec() const;

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
