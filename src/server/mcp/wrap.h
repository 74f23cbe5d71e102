// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A proxy between an MCP client and a server. It passes messages on, with one exception: a too long
// result of a tool is stored under a ref, and a shortened text is passed on. The tool `resolve`
// returns the rest (docs/mcp.md). The class has neither a pipe nor a clock.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/json_rpc.h"
#include "server/library/handles.h"
#include "server/mcp/call_bound.h"

namespace server {

struct WrapRules {
    uint64_t max_tokens = 2000;    // of a text that is passed on unchanged
    bool lists_on_demand = false;  // tools are listed in one line each; schemas on demand
    bool has_bounds = false;       // tools get arguments for the part of a result
    std::string name = "tools";    // of the server in records
};

// The savings, in tokens.
struct WrapReport {
    uint64_t calls = 0;                                     // replies of tools of the server
    uint64_t cut = 0;                                       // shortened texts
    uint64_t resolved = 0;                                  // replies of `resolve`
    uint64_t tokens_whole = 0, tokens_given = 0;            // of results, including resolved texts
    uint64_t list_tokens_whole = 0, list_tokens_given = 0;  // of the newest list of tools
    // The price at a provider with a prefix cache, in thousandths of a token's price: each result
    // is written once, and read from the cache by each later call.
    uint64_t price_whole = 0, price_given = 0;
};

class McpWrap {
public:
    // Results are stored in this session, and counted with this tokenizer.
    McpWrap(WrapRules rules, accp_session *session, const accp_tokenizer *tokenizer);

    struct Effects {
        std::vector<std::string> to_client, to_server;  // messages, each one line of JSON
        std::vector<std::string> faults;  // reasons for results that were passed on whole
    };
    // Handles a line from either side.
    void from_client(std::string_view line, int64_t now_ms, Effects &effects);
    void from_server(std::string_view line, int64_t now_ms, Effects &effects);

    const WrapReport &report() const { return report_; }

private:
    enum class Method { kInitialize, kTools, kCall, kTemplates };
    struct Request {
        Method method;
        CallBound bound;  // for kCall
    };
    class ResultCut;

    bool handle_locally(const RpcMessage &message, int64_t now_ms, Effects &effects);
    bool read_bound_of_call(const RpcMessage &message, std::string &line, CallBound &bound,
                            Effects &effects) const;
    void remember_request(const RpcMessage &message, CallBound bound);
    std::string resolve(std::string_view arguments, int64_t now_ms);
    std::string describe(std::string_view arguments) const;
    void pass_unparsed(std::string_view line, int64_t now_ms, Effects &effects);
    std::string list_tools(std::string_view result);
    std::string try_cut(const std::string &result, const CallBound &bound, int64_t now_ms,
                        Effects &effects);
    std::string cut_result(std::string_view result, const CallBound &bound, int64_t now_ms);
    std::string store_text(const std::string &text, uint64_t tokens, const CallBound &bound,
                           int64_t now_ms, std::string &ref_out);
    std::string resolve_part(const std::string &ref, const CallBound &bound, int64_t now_ms);
    uint64_t max_tokens(const CallBound &bound) const {
        return bound.max_tokens ? bound.max_tokens : rules_.max_tokens;
    }
    uint64_t count(std::string_view text);
    void count_list(uint64_t whole, uint64_t given);
    void count_result(uint64_t whole, uint64_t given);

    WrapRules rules_;
    accp_session *session_;
    const accp_tokenizer *tokenizer_;
    host::Handle<accp_counter> counter_;
    std::map<std::string, Request> requests_;         // by the id, as JSON
    std::map<std::string, std::string> definitions_;  // of the server's tools, by name
    std::map<std::string, unsigned>
        bounds_;  // arguments that were added to each tool (call_bound.h)
    std::string resolve_name_ = "resolve", describe_name_ = "describe_tool";
    bool serves_resources_ = false;
    WrapReport report_;
};

}  // namespace server
