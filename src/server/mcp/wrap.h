// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Stands between an MCP client and a server, and passes on what each says; but a result of a tool
// that is too long is kept whole under a ref and goes on cut, and the tool `resolve` gives the rest
// (docs/mcp.md). It has neither a pipe nor a clock.
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
    uint64_t max_tokens = 2000;    // of a text that goes on as it is
    bool lists_on_demand = false;  // tools are listed by a line each, their schemas when asked
    bool has_bounds = false;       // tools take arguments that say how much of a result goes on
    std::string name = "tools";    // of the server, as records have it
};

// What it has saved, in tokens.
struct WrapReport {
    uint64_t calls = 0;                                     // of tools that the server answered
    uint64_t cut = 0;                                       // texts that went on cut
    uint64_t resolved = 0;                                  // answers of `resolve`
    uint64_t tokens_whole = 0, tokens_given = 0;            // of results, with what was resolved
    uint64_t list_tokens_whole = 0, list_tokens_given = 0;  // of the newest list of tools
    // as a provider bills it that reads a prefix from its cache: each result as it is written, and
    // again by each later call, in thousandths of a token's price
    uint64_t price_whole = 0, price_given = 0;
};

class McpWrap {
public:
    // Results are kept in this session, and counted by this tokenizer.
    McpWrap(WrapRules rules, accp_session *session, const accp_tokenizer *tokenizer);

    struct Effects {
        std::vector<std::string> to_client, to_server;  // messages, each one line of JSON
        std::vector<std::string> faults;                // why a result went on whole
    };
    // A line from either side.
    void from_client(std::string_view line, int64_t now_ms, Effects &effects);
    void from_server(std::string_view line, int64_t now_ms, Effects &effects);

    const WrapReport &report() const { return report_; }

private:
    enum class Method { kInitialize, kTools, kCall, kTemplates };
    struct Request {
        Method method;
        CallBound bound;  // of a call
    };
    class ResultCut;

    bool answer_here(const RpcMessage &message, int64_t now_ms, Effects &effects);
    bool take_call(const RpcMessage &message, std::string &line, CallBound &bound,
                   Effects &effects) const;
    void note_request(const RpcMessage &message, CallBound bound);
    std::string resolve(std::string_view arguments, int64_t now_ms);
    std::string describe(std::string_view arguments) const;
    void pass_unread(std::string_view line, int64_t now_ms, Effects &effects);
    std::string list_tools(std::string_view result);
    std::string try_cut(const std::string &result, const CallBound &bound, int64_t now_ms,
                        Effects &effects);
    std::string cut_result(std::string_view result, const CallBound &bound, int64_t now_ms);
    std::string keep(const std::string &text, uint64_t tokens, const CallBound &bound,
                     int64_t now_ms, std::string &ref_out);
    std::string part(const std::string &ref, const CallBound &bound, int64_t now_ms);
    uint64_t max_tokens(const CallBound &bound) const {
        return bound.max_tokens ? bound.max_tokens : rules_.max_tokens;
    }
    uint64_t count(std::string_view text);
    void note_list(uint64_t whole, uint64_t given);
    void note_result(uint64_t whole, uint64_t given);

    WrapRules rules_;
    accp_session *session_;
    const accp_tokenizer *tokenizer_;
    host::Handle<accp_counter> counter_;
    std::map<std::string, Request> requests_;         // by the id, as JSON
    std::map<std::string, std::string> definitions_;  // of the server's tools, by name
    std::map<std::string, unsigned> bounds_;          // that they have of us (call_bound.h)
    std::string resolve_name_ = "resolve", describe_name_ = "describe_tool";
    bool serves_resources_ = false;
    WrapReport report_;
};

}  // namespace server
