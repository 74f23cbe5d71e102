// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What `accp mcp wrap` has whatever its server is reached by: the wrap with the session where
// results are kept, and the client, which is this program's standard input and output.
#pragma once

#include "cli/host.h"
#include "cli/frames/line_pieces.h"
#include "cli/session/sessions.h"
#include "cli/frames/tokenizers.h"
#include "server/mcp/wrap.h"

namespace cli {

class WrapEnd {
public:
    WrapEnd(const Arguments &arguments, Streams &io);

    // Lines, as they come in; `to_server` gets those that go on.
    void from_client(std::string_view line, std::vector<std::string> &to_server);
    void from_server(std::string_view line, std::vector<std::string> &to_server);
    void tell_fault(std::string_view fault);
    // What standard input has by now, line by line. False: it has ended.
    bool read_client(std::vector<std::string> &to_server);
    // Makes durable what was kept, and says what there is to say.
    void flush();
    // The end: --report.
    void finish();

private:
    void take(const server::McpWrap::Effects &effects, std::vector<std::string> &to_server);
    void tell();

    const Arguments &arguments_;
    Streams &io_;
    CommandSession tools_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    server::McpWrap wrap_;
    LinePieces from_client_;
    uint64_t kept_ = 0;
};

}  // namespace cli
