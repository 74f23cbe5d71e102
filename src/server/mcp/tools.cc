// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/mcp/tools.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "server/http/access.h"
#include "server/hub/frames.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/mcp/schema_check.h"

namespace server {

using host::Failure;

namespace {

constexpr std::string_view kOtherPrefix = "agentwire_";

// The entry of a tool in tools/list.
std::string listed(const McpTool &tool) {
    std::string json = "{\"name\":";
    const auto member = [&](const char *key, const char *text) {
        json.append(",\"").append(key).append("\":");
        host::append_json_string(text, json);
    };
    const auto hint = [&](const char *key, bool is_so) {
        json.append("\"").append(key).append(is_so ? "\":true," : "\":false,");
    };
    host::append_json_string(tool.name, json);
    member("title", tool.title);
    member("description", tool.description);
    json.append(",\"inputSchema\":").append(tool.input);
    json.append(",\"outputSchema\":").append(tool.output);
    json += ",\"annotations\":{";
    hint("readOnlyHint", tool.hints & kReadsOnly);
    hint("destructiveHint", tool.hints & kDestructive);
    hint("idempotentHint", tool.hints & (kIdempotent | kReadsOnly));
    return json + "\"openWorldHint\":false}}";
}

void set_failed(std::string_view why, McpResult &result) {
    std::string text;
    host::append_printable(why, text);  // it may contain text of the client, or a file name
    result = {};
    result.is_error = true;
    result.add_text(text);
}

}  // namespace

void check_session(const McpClient &client, const std::string &id) {
    if (is_own_session(id))
        throw Failure("session " + id + ": E5001: it is reserved for the library");
    if (client.may_use && !client.may_use(id))
        throw Failure("session " + id + ": E5001: this client may not use it");
}

void McpResult::add_text(std::string_view text) {
    contents.append(contents.empty() ? "" : ",").append(R"({"type":"text","text":)");
    host::append_json_string(text, contents);
    contents += '}';
}

std::string_view McpCall::json(std::string_view name) const {
    return host::json_optional(arguments, name);
}

std::string McpCall::text(std::string_view name) const { return host::json_text(json(name)); }

int64_t McpCall::number(std::string_view name, int64_t otherwise) const {
    const std::string value(json(name));
    return value.empty() ? otherwise : static_cast<int64_t>(std::strtod(value.c_str(), nullptr));
}

std::string McpCall::lines(std::string_view name) const {
    std::string lines;
    for (const std::string_view item : host::json_items(json(name))) {
        for (const char c : host::json_text(item)) lines.push_back(c == '\n' ? ' ' : c);
        lines.push_back('\n');
    }
    return lines;
}

std::string McpCall::session() const {
    const std::string given = text("session");
    std::string id = given.empty() ? client.session : given;
    check_session(client, id);
    return id;
}

std::string McpCall::session_to_write() const {
    std::string id = session();
    if (client.may_write && !client.may_write(id))
        throw Failure("session " + id +
                      ": E5001: this client may not write to it, or has created its maximum number "
                      "of sessions");
    return id;
}

std::vector<McpToolTable> mcp_tool_tables() {
    return {mcp_session_tools(), mcp_frame_tools(), mcp_packet_tools(), mcp_sacp_tools(),
            mcp_call_tools()};
}

McpTools::McpTools(McpEnvironment environment) : environment_(std::move(environment)) {
    accp_error err = {};
    accp_config *config = environment_.config;
    host::check(accp_config_set_registry(config, environment_.registry, &err), err);
    host::check(accp_config_set_tokenizer(config, environment_.tokenizer, &err), err);
    host::check(accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, &err), err);
    codec_ = host::new_codec(config);
    render_ = host::new_render(config);
    counter_ = host::new_counter(environment_.tokenizer, nullptr);
    registry_frames_ = server::registry_frames(environment_.agent, config);
    choose_tools();
    make_list();
}

void McpTools::choose_tools() {
    const std::vector<McpToolTable> tables = mcp_tool_tables();
    const std::vector<std::string> &wanted = environment_.groups;
    for (const std::string &group : wanted)
        if (std::none_of(tables.begin(), tables.end(),
                         [&](const McpToolTable &table) { return table.group == group; }))
            throw Failure("no such group of tools: " + group +
                          "; there are session, frame, context and sacp");
    for (const McpToolTable &table : tables) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), table.group) == wanted.end())
            continue;
        for (size_t i = 0; i < table.count; ++i)
            if (environment_.project || !(table.tools[i].needs & kNeedsProject))
                tools_.push_back(&table.tools[i]);
    }
}

void McpTools::make_list() {
    list_ = "{\"tools\":[";
    for (const McpTool *tool : tools_)
        list_.append(tool == tools_.front() ? "" : ",").append(listed(*tool));
    list_ += "]}";
}

const McpTool *McpTools::find(std::string_view name) const {
    const bool is_other = name.starts_with(kOtherPrefix);
    const std::string_view plain = is_other ? name.substr(kOtherPrefix.size()) : name;
    for (const McpTool *tool : tools_)
        if (tool->name == plain && (!is_other || plain.starts_with("context_"))) return tool;
    return nullptr;
}

McpResult McpTools::run(const McpTool &tool, McpCall &call) {
    McpResult result;
    try {
        const std::string fault = schema_fault(tool.input, call.arguments, "arguments");
        if (!fault.empty()) throw Failure(fault);
        tool.run(call, result);
    } catch (const Failure &failure) {
        set_failed(failure.what(), result);
    } catch (const std::bad_alloc &) {
        set_failed("there is not enough memory for this call", result);
    }
    return result;
}

void McpTools::use_session(const std::string &id, Use use, const SessionWork &work) {
    SessionPool &pool = *environment_.sessions;
    accp_error err = {};
    bool is_taken = false;
    const auto try_work = [&] {
        host::Handle<accp_session> held;
        if (use == Use::kWrite && !pool.has(id)) {  // a refused call creates no session
            accp_session *trial = pool.open_trial(id, err);
            const accp_status refused = trial ? work(trial, err) : err.code;
            if (refused != ACCP_OK && (!trial || accp_session_record_count(trial) == 0))
                return refused;
        }
        accp_session *session = use == Use::kRead ? pool.find(id) : pool.open(id, err);
        if (!session && use == Use::kRead) {
            held = pool.open_to_read(id, err);
            session = held.get();
        }
        if (!session) return err.code;
        const accp_status status = work(session, err);
        is_taken = status == ACCP_OK;
        if (use == Use::kRead) return status;
        accp_error of_sync = {};  // a refused call may have made some changes
        const accp_status synced = accp_session_sync(session, &of_sync);
        if (synced == ACCP_OK || (status != ACCP_OK && synced != ACCP_ERR_CLOSED)) return status;
        err = of_sync;
        return synced;
    };
    accp_status status = try_work();
    if (status == ACCP_ERR_CLOSED) {  // another process has taken the session over; changes that
                                      // were not durable are lost
        pool.close_lost(id);
        status = try_work();
    }
    if (status == ACCP_OK) return;
    std::string why = "session " + id + ": " + host::describe_short(err);
    if (is_taken && status != ACCP_ERR_CLOSED)
        why +=
            ". It was accepted, but is not durable yet: do not send it again; the next successful "
            "write makes it durable too";
    throw Failure(why);
}

uint64_t McpTools::count(std::string_view text) { return host::count_tokens(*counter_, text); }

accp_capabilities *McpTools::agents() {
    if (agents_) return agents_.get();
    accp_capabilities *opened = nullptr;
    accp_error err = {};
    host::check(
        accp_capabilities_open(environment_.sessions->store(), environment_.config, &opened, &err),
        err);
    agents_.reset(opened);
    return opened;
}

}  // namespace server
