// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// --trace: what every step of the pipeline (specification 7.2 and 7.3) did to a record, on standard
// error. The steps are told from what went in and what came out, read again through the same
// library; under a registry, keys stand as the frame has them, a value by position as CODE[place].
// Of a message in parts the frames are shown, and no more.
#pragma once

#include <string>
#include <string_view>

#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

class Trace {
public:
    // codec: of the work's registry, marking defaults; NULL where there is none.
    Trace(const accp_config *config, Handle<accp_codec> codec);

    // One record of encode or decode; what came out is empty where it was refused.
    void encoded(Streams &io, std::string_view message, std::string_view frame, uint64_t parts);
    void decoded(Streams &io, std::string_view frame, std::string_view message);

private:
    bool read(std::string_view message, std::string_view frame);
    void schema(const char *step, std::string &out) const;
    void defaults(const char *step, std::string &out) const;
    bool by_position() const;
    uint64_t count(std::string_view text) const;
    void budget(std::string_view frame, uint64_t parts, std::string &out) const;
    bool is_left_out(uint32_t w) const;
    std::string wire_name(uint32_t w) const;
    void keys(const char *step, bool encoding, std::string &out) const;
    void values(const char *step, bool encoding, std::string &out) const;
    template <typename Tell>
    void for_each_param(Tell tell) const;

    Handle<accp_frame> frame_;
    Handle<accp_value> value_;
    Handle<accp_codec> codec_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Tree wire_;
    Tree json_;
    uint32_t payload_ = 0;  // in json_
};

}  // namespace cli
