// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/a2a/request.h"

#include <charconv>

#include "server/json/reader.h"

namespace server {

using host::json_member;
using host::json_text;

namespace {

struct Method {
    std::string_view name;
    A2aMethod method;
    A2aVersion version;
};
constexpr Method kMethods[] = {
    {"SendMessage", A2aMethod::kSend, A2aVersion::k10},
    {"SendStreamingMessage", A2aMethod::kStream, A2aVersion::k10},
    {"GetTask", A2aMethod::kGet, A2aVersion::k10},
    {"ListTasks", A2aMethod::kList, A2aVersion::k10},
    {"CancelTask", A2aMethod::kCancel, A2aVersion::k10},
    {"SubscribeToTask", A2aMethod::kSubscribe, A2aVersion::k10},
    {"CreateTaskPushNotificationConfig", A2aMethod::kPush, A2aVersion::k10},
    {"GetTaskPushNotificationConfig", A2aMethod::kPush, A2aVersion::k10},
    {"ListTaskPushNotificationConfigs", A2aMethod::kPush, A2aVersion::k10},
    {"DeleteTaskPushNotificationConfig", A2aMethod::kPush, A2aVersion::k10},
    {"GetExtendedAgentCard", A2aMethod::kCard, A2aVersion::k10},
    {"message/send", A2aMethod::kSend, A2aVersion::k03},
    {"message/stream", A2aMethod::kStream, A2aVersion::k03},
    {"tasks/get", A2aMethod::kGet, A2aVersion::k03},
    {"tasks/cancel", A2aMethod::kCancel, A2aVersion::k03},
    {"tasks/resubscribe", A2aMethod::kSubscribe, A2aVersion::k03},
    {"tasks/pushNotificationConfig/set", A2aMethod::kPush, A2aVersion::k03},
    {"tasks/pushNotificationConfig/get", A2aMethod::kPush, A2aVersion::k03},
    {"tasks/pushNotificationConfig/list", A2aMethod::kPush, A2aVersion::k03},
    {"tasks/pushNotificationConfig/delete", A2aMethod::kPush, A2aVersion::k03},
    {"agent/getAuthenticatedExtendedCard", A2aMethod::kCard, A2aVersion::k03},
};

[[noreturn]] void refuse_field(const std::string &field, const std::string &why) {
    throw A2aRefusal(kA2aInvalidParams, field + ": " + why, {{"field", field}});
}

std::string text_of(std::string_view object, std::string_view name, const std::string &path) {
    const std::string_view value = json_member(object, name);
    if (value.empty() || value == "null") return {};
    if (value[0] != '"') refuse_field(path + std::string(name), "it must be a string");
    return json_text(value);
}

std::optional<uint64_t> number_of(std::string_view object, std::string_view name) {
    const std::string_view json = json_member(object, name);
    if (json.empty() || json == "null") return std::nullopt;
    uint64_t value = 0;
    const auto read = std::from_chars(json.data(), json.data() + json.size(), value);
    if (read.ec != std::errc() || read.ptr != json.data() + json.size())
        refuse_field(std::string(name), "it must be a number from 0");
    return value;
}

// Reads a member under the extension's name, or directly.
std::string of_metadata(std::string_view metadata, std::string_view name, const char *path) {
    const std::string_view ours = json_member(metadata, kA2aExtension);
    const std::string text = text_of(ours, name, path);
    return text.empty() ? text_of(metadata, name, path) : text;
}

// Reads the message's metadata, else the request's.
std::string named_by(const A2aRequest &request, std::string_view message, std::string_view name) {
    const std::string text =
        of_metadata(json_member(message, "metadata"), name, "message.metadata.");
    return text.empty() ? of_metadata(json_member(request.params, "metadata"), name, "metadata.")
                        : text;
}

void read_configuration(const A2aRequest &request, A2aMessage &out) {
    const std::string_view all = json_member(request.params, "configuration");
    const bool is_old = request.version == A2aVersion::k03;
    const std::string_view push =
        json_member(all, is_old ? "pushNotificationConfig" : "taskPushNotificationConfig");
    if (!push.empty() && push != "null")
        throw A2aRefusal(kA2aPushNotSupported,
                         "push notifications are not supported: stream, subscribe or poll");
    out.waits = is_old ? json_member(all, "blocking") != "false"
                       : json_member(all, "returnImmediately") != "true";
    out.shape.history = number_of(all, "historyLength").value_or(UINT64_MAX);
    const auto modes = host::json_items(json_member(all, "acceptedOutputModes"));
    out.shape.with_frames = modes.empty();
    for (const std::string_view mode : modes) {
        const std::string type = json_text(mode);
        if (type == kFrameType || type == "*/*" || type == "application/*")
            out.shape.with_frames = true;
    }
}

}  // namespace

std::string A2aRequest::text(std::string_view name) const { return text_of(params, name, ""); }

std::optional<uint64_t> A2aRequest::number(std::string_view name) const {
    return number_of(params, name);
}

A2aShape A2aRequest::shape() const {
    A2aShape out;
    out.version = version;
    out.history = number("historyLength").value_or(UINT64_MAX);
    return out;
}

// Numbers after the second are ignored.
std::optional<A2aVersion> read_a2a_version(std::string_view header) {
    const size_t begin = header.find_first_not_of(' ');
    if (begin == std::string_view::npos) return std::nullopt;
    const std::string_view version = header.substr(begin, header.find_last_not_of(' ') - begin + 1);
    const std::string_view number = version.substr(0, version.find('.', version.find('.') + 1));
    if (number == "1.0" || version == "1") return A2aVersion::k10;
    if (number == "0.3") return A2aVersion::k03;
    throw A2aRefusal(kA2aVersionNotSupported,
                     "A2A " + std::string(version) + " is not supported; 1.0 and 0.3 are",
                     {{"supportedVersions", "1.0, 0.3"}});
}

A2aRequest read_a2a_request(const RpcMessage &message, std::string_view version_header) {
    const std::optional<A2aVersion> version = read_a2a_version(version_header);
    for (const Method &one : kMethods)
        if (one.name == message.method && version.value_or(one.version) == one.version)
            return {one.method, one.version, std::string(message.id),
                    message.params.empty() ? "{}" : std::string(message.params)};
    throw A2aRefusal(kA2aMethodNotFound, "unknown method " + std::string(message.method) +
                                             " in A2A " +
                                             (version == A2aVersion::k03 ? "0.3" : "1.0"));
}

A2aMessage read_a2a_message(const A2aRequest &request) {
    const std::string_view message = json_member(request.params, "message");
    if (!message.starts_with('{')) refuse_field("message", "missing");
    const bool is_old = request.version == A2aVersion::k03;
    if (json_member(message, "role") != (is_old ? "\"user\"" : "\"ROLE_USER\""))
        refuse_field("message.role", is_old ? "it must be user" : "it must be ROLE_USER");
    constexpr size_t kMaxId = 256;
    A2aMessage out;
    out.shape.version = request.version;
    out.id = text_of(message, "messageId", "message.");
    if (out.id.empty() || out.id.size() > kMaxId)
        refuse_field("message.messageId", "it must have 1 to 256 bytes");
    out.context = text_of(message, "contextId", "message.");
    if (out.context.size() > kMaxId)
        refuse_field("message.contextId", "it must have at most 256 bytes");
    out.task = text_of(message, "taskId", "message.");
    out.content = read_parts(json_member(message, "parts"), request.version);
    out.agent = named_by(request, message, "agent");
    if (out.agent.empty()) out.agent = named_by(request, message, "skill");
    if (out.agent.starts_with('@')) out.agent.erase(0, 1);
    if (out.agent == "frames") out.agent.clear();  // the card's skill for all agents
    out.operation = named_by(request, message, "operation");
    read_configuration(request, out);
    return out;
}

}  // namespace server
