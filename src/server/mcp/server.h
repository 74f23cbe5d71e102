// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Our MCP server for one client: a process at the other end of pipes, or a session over HTTP
// (docs/mcp.md). It has neither a pipe nor a clock.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/json_rpc.h"
#include "server/mcp/tools.h"

namespace server {

class McpServer {
public:
    // The tools are shared with other clients, and outlive this.
    McpServer(McpTools &tools, McpClient client);

    // Handles a message of the client. Appends the messages to send, each a line of JSON: first the
    // notifications of a request, then its reply. Changes that a reply reports are durable. A call
    // that asks the client's model is answered later, after the client's response.
    //
    // From revision 2026-07-28 on, each request contains its revision and is independent of others.
    // Before that, a client sends initialize first, and then uses the negotiated revision. Both
    // kinds may come in any order.
    void from_client(std::string_view json, int64_t now_ms, std::vector<std::string> &to_client);

    // Prepares a copy of a client's server for another thread: see McpClient::runs_apart.
    void run_apart(FindItems find_items) {
        client_.runs_apart = true;
        client_.find_items = std::move(find_items);
    }

    // The time for tick(), which ends calls that wait too long for the client; -1: none waits.
    int64_t due_ms() const;
    void tick(int64_t now_ms, std::vector<std::string> &to_client);

    // The revision that initialize has negotiated; empty: not initialized.
    const std::string &protocol() const { return protocol_; }

    // Is this revision (of the header MCP-Protocol-Version) supported?
    static bool supports(std::string_view revision);
    // Are the requests of this revision independent of each other?
    static bool is_stateless(std::string_view revision);
    // The revision in the request itself; empty: it uses the one of initialize.
    static std::string revision_of(const RpcMessage &request);

private:
    // For how long, and for whom, a reply may be cached (2026-07-28).
    enum class CachePolicy { kNot, kForThisClient, kForAll };

    std::string answer(const RpcMessage &request);
    std::string answer_stateless(const RpcMessage &request, const std::string &revision);
    std::string answer_in_session(const RpcMessage &request);
    std::string dispatch(const RpcMessage &request);
    std::string result(const RpcMessage &request, const std::string &json,
                       CachePolicy policy) const;
    std::string one_page(const RpcMessage &request, const std::string &list) const;

    std::string initialize(const RpcMessage &request);
    std::string discover(const RpcMessage &request) const;
    std::string listen(const RpcMessage &request);
    std::string list_tools(const RpcMessage &request);
    std::string call_tool(const RpcMessage &request);
    std::string run_tool(const RpcMessage &request, const McpTool &tool, McpCall &call);
    McpCall call_of(const RpcMessage &request);

    // Defined in model_calls.cc: the questions of a tool with kAsksModel to a model.
    struct ModelCall {
        std::string request;  // of the client
        ItemQuestions questions;
        int64_t due_ms;
    };
    // Sets call.found if a model was asked, and returns nothing; or returns a reply to send in
    // place of the result. An empty one: the reply comes later.
    std::optional<std::string> ask_model(const RpcMessage &request, const McpTool &tool,
                                         McpCall &call);
    std::optional<std::string> ask_in_result(const RpcMessage &request, ItemQuestions questions,
                                             McpCall &call);
    bool can_ask_client(const RpcMessage &request) const;
    void send_question(ModelCall call);
    void take_response(const RpcMessage &response);
    void finish(const ModelCall &call, FoundItems found);
    void cancel_model_call(std::string_view request_id);
    void cancel_question(const std::string &id, const char *why);
    std::string refused(const RpcMessage &request, std::string_view why);

    std::string list_resources(const RpcMessage &request);
    std::string list_templates(const RpcMessage &request);
    std::string read_resource(const RpcMessage &request);
    std::string list_prompts(const RpcMessage &request);
    std::string get_prompt(const RpcMessage &request);
    std::string complete(const RpcMessage &request);
    std::string set_level(const RpcMessage &request);
    enum Level : int { kLogInfo = 1, kLogWarning = 3 };  // of syslog, the most severe last
    void send_progress(std::string_view token, uint64_t done, uint64_t total,
                       std::string_view what);
    void log(int level, const std::string &text);

    McpTools &tools_;
    McpClient client_;
    std::string protocol_;
    int session_level_;                             // of log messages, set by logging/setLevel
    bool offers_sampling_ = false;                  // since initialize
    std::map<std::string, ModelCall> model_calls_;  // by the ids of our requests, as JSON
    uint64_t next_question_ = 1;
    // of the current request
    bool is_stateless_request_ = false;
    int level_ = 0;
    int64_t now_ms_ = 0;
    std::vector<std::string> *to_client_ = nullptr;
};

}  // namespace server
