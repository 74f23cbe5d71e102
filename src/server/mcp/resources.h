// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The resources of our MCP server, as frames of type application/accp (docs/mcp.md):
//   accp://registry                     the frames sync:registry
//   accp://session/ID/frames            the newest frames of a session
//   accp://session/ID/frame/NUMBER      record NUMBER of its log
//   accp://session/ID/ref/REF           the value of a ref: warm.ckpt_1, cold.m7.payload
#pragma once

#include <string>
#include <string_view>

#include "server/mcp/tools.h"

namespace server {

class McpResources {
public:
    McpResources(McpTools &tools, const McpClient &client) : tools_(tools), client_(client) {}

    // The result of resources/list from `cursor` on; empty: invalid cursor.
    std::string list(const std::string &cursor);
    // The result of resources/templates/list.
    static std::string templates();
    // The result of resources/read. Throws Failure if there is no such resource.
    std::string read(const std::string &uri, int64_t now_ms);
    // The result of completion/complete: the sessions whose ids begin with this text.
    std::string complete_session(const std::string &begin);

private:
    std::vector<std::string> sessions() const;
    std::string checkpoint_of(const std::string &session);
    std::string registry() const;
    std::string frames(const std::string &session);
    std::string frame(const std::string &session, const std::string &number);
    std::string ref(const std::string &session, const std::string &name, int64_t now_ms,
                    const std::string &uri);

    McpTools &tools_;
    const McpClient &client_;
};

}  // namespace server
