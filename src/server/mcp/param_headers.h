// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Arguments that a server of MCP 2026-07-28 wants in headers too, so that what stands before it can
// route by them: its lists of tools say so, by "x-mcp-header" of a property.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/web_call.h"

namespace server {

class ParamHeaders {
public:
    // The result of tools/list; what a tool had before is forgotten.
    void read_list(std::string_view result);
    // Of params of tools/call: "mcp-param-region", with the argument's value. One that is null or
    // not there has none.
    void add(std::string_view params, WebHeaders &headers) const;

private:
    struct Declared {
        std::vector<std::string> path;  // of members, from the arguments down
        std::string header;
    };
    static std::vector<Declared> read_schema(std::string_view schema);

    std::map<std::string, std::vector<Declared>> tools_;  // by name
};

}  // namespace server
