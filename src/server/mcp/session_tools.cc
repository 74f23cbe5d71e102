// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on sessions.
#include <algorithm>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/mcp/tools.h"

namespace server {

using host::Failure;
using host::json_items;
using host::json_member;
using host::json_string;

namespace {

// Detects the form of the messages in an array.
int32_t interface_of(const McpCall &call, std::string_view messages) {
    const std::string name = call.text("from");
    if (name == "accp") return 0;
    if (!name.empty()) return accp_interface_find(name.data(), name.size());
    const int32_t found = accp_interface_detect(messages.data(), messages.size());
    return found == ACCP_INTERFACE_OPENAI || found == ACCP_INTERFACE_ANTHROPIC ? found : 0;
}

// Appends the messages of a call as records.
class MessageAppender {
public:
    MessageAppender(const McpCall &call, std::string_view messages)
        : call_(call),
          messages_(messages),
          items_(json_items(messages)),
          from_(interface_of(call, messages)) {}

    void check_forms() const {
        const auto count = [&](std::string_view member) {
            return std::count_if(items_.begin(), items_.end(), [&](std::string_view item) {
                return !json_member(item, member).empty();
            });
        };
        if (count("agent") && count("role"))
            throw Failure(
                "messages: some have an agent, others a role: send only one form in a call");
    }
    // A second call starts over.
    accp_status append(accp_session *session, accp_error &err) {
        done_ = 0;
        const accp_status status =
            from_ == 0 ? append_ours(session, err) : append_all(session, err);
        refused_ = status;
        records_ = accp_session_record_count(session);
        return status;
    }
    // Adds to the reason which message was refused.
    std::string refusal(const std::string &why) const {
        std::string text = why;
        if (refused_ == ACCP_E5001) text += "; " + allowed_agents_text();
        if (from_ != 0 || refused_ == ACCP_OK) return text;
        return "messages[" + std::to_string(done_) + "]: " + text +
               (done_ ? "; those before it are appended" : "; nothing is appended");
    }
    uint64_t done() const { return done_; }
    uint64_t records() const { return records_; }

private:
    accp_status append_ours(accp_session *session, accp_error &err) {
        for (; done_ < items_.size(); ++done_) {
            const std::string_view one = items_[done_];
            const accp_status status =
                call_.client.origin.take_message(session, one, call_.now_ms, err);
            if (status != ACCP_OK) return status;
        }
        return ACCP_OK;
    }
    accp_status append_all(accp_session *session, accp_error &err) {
        return call_.client.origin.take_messages(session, messages_, from_, call_.now_ms, done_,
                                                 err);
    }
    // The agents that the client may use instead, for an error.
    std::string allowed_agents_text() const {
        const std::string &agents = call_.client.origin.agents();
        std::string text = agents.empty() ? "this client may not send as any agent"
                           : agents.starts_with('*')
                               ? "this client may send as any agent except the server's own"
                               : "this client may send as " + agents;
        return from_ == 0 ? text : text + ": use messages with an agent in place of a role";
    }

    const McpCall &call_;
    std::string_view messages_;
    std::vector<std::string_view> items_;
    int32_t from_;
    uint64_t done_ = 0, records_ = 0;
    accp_status refused_ = ACCP_OK;
};

void session_append(McpCall &call, McpResult &result) {
    const std::string id = call.session_to_write();
    MessageAppender all(call, call.json("messages"));
    all.check_forms();
    try {
        call.tools.use_session(
            id, McpTools::Use::kWrite,
            [&](accp_session *session, accp_error &err) { return all.append(session, err); });
    } catch (const Failure &failure) {
        throw Failure(all.refusal(failure.what()));
    }
    const std::string done = std::to_string(all.done()), records = std::to_string(all.records());
    result.add_text(done + " appended, " + records + " records");
    result.structured = "{\"appended\":" + done + ",\"records\":" + records + "}";
}

void session_context(McpCall &call, McpResult &result) {
    const auto budget = static_cast<uint64_t>(call.number("budget_tokens", 0));
    uint64_t tokens = 0;
    std::string blocks;
    call.tools.use_session(
        call.session(), McpTools::Use::kRead, [&](accp_session *session, accp_error &err) {
            const accp_context_block *block = nullptr;
            size_t count = 0;
            const accp_status status =
                accp_session_context_blocks(session, budget, &block, &count, &err);
            for (size_t i = 0; status == ACCP_OK && i < count; ++i) {
                const std::string_view text = host::to_view(block[i].text);
                result.add_text(text);
                blocks.append(i ? ",{\"kind\":\"" : "{\"kind\":\"")
                    .append(block_name(block[i].kind));
                blocks.append(block[i].is_stable ? R"(","stable":true)" : R"(","stable":false)");
                blocks.append(",\"tokens\":").append(std::to_string(block[i].tokens));
                blocks.append(",\"text\":").append(json_string(text)).append("}");
                tokens += block[i].tokens;
            }
            return status;
        });
    if (blocks.empty()) result.add_text("nothing was said yet");
    result.structured = "{\"tokens\":" + std::to_string(tokens) + ",\"blocks\":[" + blocks + "]}";
}

void session_resolve(McpCall &call, McpResult &result) {
    std::string request = "{\"ref\":" + std::string(call.json("ref"));
    for (const char *part : {"lines", "query"})
        if (call.has(part))
            request.append(",\"").append(part).append("\":").append(call.json(part));
    request += '}';
    std::string text;
    call.tools.use_session(
        call.session(), McpTools::Use::kRead, [&](accp_session *session, accp_error &err) {
            accp_text out = {};
            const accp_status status = accp_session_answer(session, request.data(), request.size(),
                                                           call.now_ms, &out, &err);
            if (status == ACCP_OK) text = host::to_view(out);
            return status;
        });
    constexpr std::string_view kError = "error: ";
    if (text.starts_with(kError)) throw Failure(text.substr(kError.size()));
    result.add_text(text);
    result.structured = "{\"text\":" + json_string(text) + "}";
}

void session_checkpoint(McpCall &call, McpResult &result) {
    uint32_t before = 0, after = 0;
    call.tools.use_session(call.session_to_write(), McpTools::Use::kWrite,
                           [&](accp_session *session, accp_error &err) {
                               before = accp_session_newest_checkpoint(session);
                               const accp_status status =
                                   accp_session_checkpoint(session, call.now_ms, &err);
                               after = accp_session_newest_checkpoint(session);
                               return status;
                           });
    const std::string ref = after ? "$warm.ckpt_" + std::to_string(after) : "";
    result.add_text(before == after ? "nothing was said since the last checkpoint" : ref);
    result.structured = "{\"checkpoint\":" + std::to_string(after) +
                        (before == after ? ",\"made\":false" : ",\"made\":true");
    if (after) result.structured.append(",\"ref\":\"").append(ref).append("\"");
    result.structured += '}';
}

void session_budget(McpCall &call, McpResult &result) {
    accp_budget use = {};
    call.tools.use_session(call.session(), McpTools::Use::kRead,
                           [&](accp_session *session, accp_error &err) {
                               return accp_session_budget(session, &use, &err);
                           });
    std::string text;
    const auto row = [&](const char *name, uint64_t used, uint64_t max) {
        text.append(text.empty() ? "" : ", ").append(name).append(" ").append(std::to_string(used));
        text.append(" of ").append(std::to_string(max)).append(" tokens");
        result.structured.append(result.structured.empty() ? "{\"" : ",\"").append(name);
        result.structured.append("\":{\"used\":").append(std::to_string(used));
        result.structured.append(",\"max\":").append(std::to_string(max)).append("}");
    };
    row("hot", use.hot_used, use.hot_max);
    row("warm", use.warm_used, use.warm_max);
    row("total", use.total_used, use.total_max);
    result.structured += '}';
    result.add_text(text);
}

#define SESSION_MEMBER R"("session":{"type":"string","minLength":1,"maxLength":256})"
#define USE_SCHEMA \
    R"({"type":"object","properties":{"used":{"type":"integer"},"max":{"type":"integer"}},"required":["used","max"]})"

constexpr McpTool kSessionTools[] = {
    {"session_append", "Append to a session",
     "Remember messages in a session: {\"agent\",\"intent\",\"operation\",\"payload\"}, or with "
     "role and content as chat interfaces have them.",
     R"({"type":"object","properties":{)" SESSION_MEMBER
     R"(,"messages":{"type":"array","minItems":1,"items":{"type":"object"}},)"
     R"("from":{"type":"string","enum":["accp","openai","anthropic"]}},)"
     R"("required":["messages"],"additionalProperties":false})",
     R"({"type":"object","properties":{"appended":{"type":"integer"},"records":{"type":"integer"}},)"
     R"("required":["appended","records"]})",
     0, 0, session_append},
    {"session_context", "Context of a session",
     "What a model should know of a session now, instead of its history.",
     R"({"type":"object","properties":{)" SESSION_MEMBER
     R"(,"budget_tokens":{"type":"integer","minimum":0}},"additionalProperties":false})",
     R"({"type":"object","properties":{"tokens":{"type":"integer"},"blocks":{"type":"array",)"
     R"("items":{"type":"object","properties":{"kind":{"type":"string","enum":)"
     R"(["pinned","gap","closed","open","newest","values"]},"stable":{"type":"boolean"},)"
     R"("tokens":{"type":"integer"},"text":{"type":"string"}},)"
     R"("required":["kind","stable","tokens","text"]}}},"required":["tokens","blocks"]})",
     kReadsOnly | kQuotes, 0, session_context},
    {"session_resolve", "Resolve a ref",
     "All that a ref of a context ($cold.m7, $warm.ckpt_2) stands for; of a long one some lines, "
     "or those with a text.",
     R"({"type":"object","properties":{)" SESSION_MEMBER
     R"(,"ref":{"type":"string","minLength":1},)"
     R"("lines":{"type":"string","description":"10-40"},"query":{"type":"string"}},)"
     R"("required":["ref"],"additionalProperties":false})",
     R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})",
     kReadsOnly | kQuotes, 0, session_resolve},
    {"session_checkpoint", "Make a checkpoint",
     "Close what was said so far into a checkpoint, as at the end of a phase.",
     R"({"type":"object","properties":{)" SESSION_MEMBER R"(},"additionalProperties":false})",
     R"({"type":"object","properties":{"checkpoint":{"type":"integer"},"made":{"type":"boolean"},)"
     R"("ref":{"type":"string"}},"required":["checkpoint","made"]})",
     kIdempotent, 0, session_checkpoint},
    {"session_budget", "Budget of a session", "Tokens that a session uses, and may use.",
     R"({"type":"object","properties":{)" SESSION_MEMBER R"(},"additionalProperties":false})",
     R"({"type":"object","properties":{"hot":)" USE_SCHEMA R"(,"warm":)" USE_SCHEMA
     R"(,"total":)" USE_SCHEMA R"(},"required":["hot","warm","total"]})",
     kReadsOnly, 0, session_budget},
};
#undef SESSION_MEMBER
#undef USE_SCHEMA

}  // namespace

McpToolTable mcp_session_tools() { return {"session", kSessionTools, std::size(kSessionTools)}; }

}  // namespace server
