// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Questions to a model before a tool runs: to the host's, or to the client's by
// sampling/createMessage. Up to revision 2025-11-25 that is a request of the server, and the call
// waits for its response. In 2026-07-28 the result of the call has the question, and the client
// calls again with the answer; `requestState` then has the first answer, which the client made
// itself, so it needs no protection.
#include <algorithm>
#include <utility>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/mcp/schema_check.h"
#include "server/mcp/server.h"

namespace server {

using host::json_member;
using host::json_string;
using host::json_text;

namespace {

constexpr size_t kMaxModelCalls = 16;  // each holds a conversation
constexpr size_t kMaxSampledBytes = 256 << 10;
constexpr const char *kMaxSampledTokens = "8192";
constexpr const char *kByRules =
    "; rules made this packet, so items may be missing or wrong: better give items";
constexpr const char *kAdvice = "; give items, or set model to none";

std::string sampling_params(const ModelQuestion &question) {
    return R"({"messages":[{"role":"user","content":{"type":"text","text":)" +
           json_string(question.user) + R"(}}],"systemPrompt":)" + json_string(question.system) +
           R"(,"maxTokens":)" + kMaxSampledTokens + "}";
}

// Returns the text of a result of sampling/createMessage. Throws Failure.
std::string sampled_text(std::string_view result) {
    const std::string_view content = json_member(result, "content");
    std::vector<std::string_view> blocks = host::json_items(content);
    if (content.starts_with('{')) blocks = {content};
    std::string text;
    for (const std::string_view block : blocks) text += json_text(json_member(block, "text"));
    if (text.empty()) throw host::Failure("the answer of the client's model has no text");
    if (text.size() > kMaxSampledBytes)
        throw host::Failure("the answer of the client's model has more than " +
                            std::to_string(kMaxSampledBytes) + " bytes");
    if (json_text(json_member(result, "stopReason")) == "maxTokens")
        throw host::Failure("the answer of the client's model was cut off at its most tokens");
    return text;
}

}  // namespace

bool McpServer::can_ask_client(const RpcMessage &request) const {
    constexpr std::string_view kClientAble = "io.modelcontextprotocol/clientCapabilities";
    if (!is_stateless_request_)
        return client_.takes_requests && offers_sampling_ && model_calls_.size() < kMaxModelCalls;
    const std::string_view able = json_member(json_member(request.params, "_meta"), kClientAble);
    return json_member(able, "sampling").starts_with('{');
}

std::optional<std::string> McpServer::ask_model(const RpcMessage &request, const McpTool &tool,
                                                McpCall &call) {
    const McpEnvironment &environment = tools_.environment();
    if (!(tool.hints & kAsksModel) || (!client_.find_items && !can_ask_client(request)) ||
        !schema_fault(tool.input, call.arguments, "arguments").empty())
        return std::nullopt;
    const std::string asked = conversation_of(call);
    if (asked.empty()) return std::nullopt;
    try {
        if (client_.find_items) {
            call.found = client_.find_items(asked);
            return std::nullopt;
        }
        // Not the counter of the tools: another thread may use that.
        const host::Handle<accp_counter> counter =
            host::new_counter(environment.tokenizer, nullptr);
        const auto count = [&](std::string_view text) {
            return host::count_tokens(*counter, text);
        };
        ItemQuestions questions(asked, {environment.max_model_tokens, count});
        if (is_stateless_request_) return ask_in_result(request, std::move(questions), call);
        send_question({request.text, std::move(questions), 0});
        return "";
    } catch (const host::Failure &failure) {
        return refused(request, failure.what());
    }
}

std::optional<std::string> McpServer::ask_in_result(const RpcMessage &request,
                                                    ItemQuestions questions, McpCall &call) {
    std::string first = json_text(json_member(request.params, "requestState"));
    if (!first.empty()) questions.read_answer(first);
    const auto key = [&] { return questions.is_second() ? "check" : "items"; };
    const std::string_view response =
        json_member(json_member(request.params, "inputResponses"), key());
    if (!response.empty() && questions.has_question()) {
        const std::string answer = sampled_text(response);
        if (!questions.is_second()) first = answer;
        questions.read_answer(answer);
    }
    if (!questions.has_question()) {
        call.found = questions.result();
        return std::nullopt;
    }
    std::string made = R"({"resultType":"input_required","inputRequests":{")";
    made.append(key()).append(R"(":{"method":"sampling/createMessage","params":)");
    made.append(sampling_params(questions.question())).append("}}");
    if (!first.empty()) made.append(R"(,"requestState":)").append(json_string(first));
    return rpc_result(request.id, made + "}");
}

void McpServer::send_question(ModelCall call) {
    const std::string id = json_string("accp-" + std::to_string(next_question_++));
    call.due_ms = now_ms_ + tools_.environment().max_model_ms;
    to_client_->push_back(R"({"jsonrpc":"2.0","id":)" + id +
                          R"(,"method":"sampling/createMessage","params":)" +
                          sampling_params(call.questions.question()) + "}");
    model_calls_.emplace(id, std::move(call));
}

// Ignores a response to a question that does not wait any more.
void McpServer::take_response(const RpcMessage &response) {
    const auto found = model_calls_.find(std::string(response.id));
    if (found == model_calls_.end()) return;
    is_stateless_request_ = false;
    level_ = session_level_;
    ModelCall call = std::move(found->second);
    model_calls_.erase(found);
    std::string why;
    if (!response.error.empty()) {
        why = "the client did not let its model be asked: " +
              host::printable_excerpt(json_text(json_member(response.error, "message")));
        if (!call.questions.is_second()) return finish(call, {"", {why + kByRules}});
        call.questions.skip(why);
        return finish(call, call.questions.result());
    }
    try {
        call.questions.read_answer(sampled_text(response.result));
        if (call.questions.has_question()) return send_question(std::move(call));
        return finish(call, call.questions.result());
    } catch (const host::Failure &failure) {
        why = failure.what();
    }
    if (call.questions.is_second()) {
        call.questions.skip(why);
        return finish(call, call.questions.result());
    }
    RpcMessage request;
    std::string refusal;
    if (read_rpc(call.request, request, refusal)) to_client_->push_back(refused(request, why));
}

// Runs the tool of a call that has waited.
void McpServer::finish(const ModelCall &waiting, FoundItems found) {
    RpcMessage request;
    std::string refusal;
    if (!read_rpc(waiting.request, request, refusal)) return;  // it was read before
    McpCall call = call_of(request);
    call.found = std::move(found);
    const McpTool *tool = tools_.find(json_text(json_member(request.params, "name")));
    to_client_->push_back(run_tool(request, *tool, call));
}

// The result of a tool that has failed because of a model.
std::string McpServer::refused(const RpcMessage &request, std::string_view why) {
    McpResult made;
    made.add_text(std::string(why) + kAdvice);
    return result(request, "{\"content\":[" + made.contents + "],\"isError\":true}",
                  CachePolicy::kNot);
}

int64_t McpServer::due_ms() const {
    int64_t due = -1;
    for (const auto &[id, call] : model_calls_)
        if (due < 0 || call.due_ms < due) due = call.due_ms;
    return due;
}

void McpServer::tick(int64_t now_ms, std::vector<std::string> &to_client) {
    now_ms_ = now_ms;
    to_client_ = &to_client;
    is_stateless_request_ = false;
    level_ = session_level_;
    for (auto at = model_calls_.begin(); at != model_calls_.end();) {
        if (at->second.due_ms > now_ms) {
            ++at;
            continue;
        }
        ModelCall call = std::move(at->second);
        const std::string id = at->first;
        at = model_calls_.erase(at);
        cancel_question(id, "it took too long");
        const std::string why = "the client did not answer within " +
                                std::to_string(tools_.environment().max_model_ms / 1000) + " s";
        if (call.questions.is_second()) {
            call.questions.skip(why);
            finish(call, call.questions.result());
        } else {
            finish(call, {"", {why + kByRules}});
        }
    }
    to_client_ = nullptr;
}

void McpServer::cancel_question(const std::string &id, const char *why) {
    to_client_->push_back(
        rpc_notification("notifications/cancelled",
                         "{\"requestId\":" + id + ",\"reason\":" + json_string(why) + "}"));
}

// A call that the client has cancelled gets no reply.
void McpServer::cancel_model_call(std::string_view request_id) {
    const auto found = std::find_if(model_calls_.begin(), model_calls_.end(), [&](const auto &one) {
        RpcMessage request;
        std::string refusal;
        return read_rpc(one.second.request, request, refusal) && request.id == request_id;
    });
    if (found == model_calls_.end()) return;
    const std::string id = found->first;
    model_calls_.erase(found);
    cancel_question(id, "the call was cancelled");
}

}  // namespace server
