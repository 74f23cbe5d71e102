// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages are encoded as frames. A message that fits no frame is returned unchanged, with its own
// type.
#include "server/mcp/resources.h"

#include <algorithm>
#include <charconv>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/hub/frames.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

using host::Failure;
using host::json_string;
using host::to_view;

namespace {

constexpr std::string_view kRegistryUri = "accp://registry", kSessionUri = "accp://session/";
constexpr size_t kPage = 50;        // sessions in a list
constexpr size_t kMaxFrames = 100;  // frames of a session in one read
constexpr size_t kMaxFramesBytes = 64 << 10;
constexpr size_t kMaxCompletions = 100;  // the limit of the protocol

std::string uri_of(const std::string &session, const std::string &what) {
    return std::string(kSessionUri) + percent_encoded(session) + "/" + what;
}

std::string resource(std::string_view uri, const std::string &name, const std::string &title) {
    return "{\"uri\":" + json_string(uri) + ",\"name\":" + json_string(name) +
           ",\"title\":" + json_string(title) + R"(,"mimeType":"application/accp"})";
}

void add_content(std::string_view uri, std::string_view type, std::string_view text,
                 std::string &contents) {
    contents.append(contents.empty() ? "{\"uri\":" : ",{\"uri\":").append(json_string(uri));
    contents.append(",\"mimeType\":\"").append(type).append("\",\"text\":");
    contents.append(json_string(text)).append("}");
}

std::string read_result(const std::string &contents) { return "{\"contents\":[" + contents + "]}"; }

// Is the text valid UTF-8, as JSON requires? Ids of sessions may have any bytes.
bool is_utf8(std::string_view text) {
    try {
        return !host::compact_json(json_string(text)).empty();
    } catch (const Failure &) {
        return false;
    }
}

// Adds this cid if the message has none.
accp_status encode_with_cid(accp_codec *codec, std::string_view message, const std::string &cid,
                            std::string &out) {
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_CID;
    envelope.cid = {cid.data(), cid.size()};
    accp_status status = accp_codec_set_envelope(codec, &envelope, nullptr);
    accp_text frame = {};
    if (status == ACCP_OK)
        status = accp_codec_encode(codec, message.data(), message.size(), &frame, nullptr);
    out = host::to_view(frame);
    accp_codec_set_envelope(codec, nullptr, nullptr);
    return status;
}

// Adds a message as a frame, or unchanged if it fits no frame. A tool's reply needs a cid; `cid` is
// used if it has none.
void add_message(McpTools &tools, std::string_view uri, std::string_view message,
                 const std::string &cid, std::string &contents) {
    accp_text plain = {};
    std::string frame;
    if (accp_codec_encode(tools.codec(), message.data(), message.size(), &plain, nullptr) ==
        ACCP_OK)
        add_content(uri, kFrameType, to_view(plain), contents);
    else if (encode_with_cid(tools.codec(), message, cid, frame) == ACCP_OK)
        add_content(uri, kFrameType, frame, contents);
    else add_content(uri, "application/json", message, contents);
}

// Adds a record of the log. Returns false if it is neither a frame nor a message.
bool add_record(McpTools &tools, const std::string &session, const std::string &number,
                const accp_log_record &record, std::string &contents) {
    const std::string uri = uri_of(session, "frame/" + number);
    if (holds_frame(record.kind)) add_content(uri, kFrameType, to_view(record.text), contents);
    else if (record.kind == ACCP_RECORD_MESSAGE)
        add_message(tools, uri, to_view(record.text), "m" + number, contents);
    else return false;
    return true;
}

}  // namespace

std::vector<std::string> McpResources::sessions() const {
    struct Found {
        const McpClient &client;
        std::vector<std::string> ids;
    } found = {client_, {}};
    accp_error err = {};
    const auto note = [](const char *text, size_t len, void *user) {
        auto &all = *static_cast<Found *>(user);
        const std::string_view id(text, len);
        const bool may = !all.client.may_use || all.client.may_use(id);
        if (!is_own_session(id) && may && is_utf8(id)) all.ids.emplace_back(id);
        return 0;
    };
    host::check(accp_store_each_session(tools_.environment().sessions->store(), note, &found, &err),
                err);
    return found.ids;
}

// The newest checkpoint of a session that is open here; empty: it has none, or is not open.
std::string McpResources::checkpoint_of(const std::string &session) {
    const accp_session *open = tools_.environment().sessions->find(session);
    const uint32_t number = open ? accp_session_newest_checkpoint(open) : 0;
    return number ? "warm.ckpt_" + std::to_string(number) : "";
}

std::string McpResources::list(const std::string &cursor) {
    const std::vector<std::string> ids = sessions();
    size_t at = 0;
    const auto read = std::from_chars(cursor.data(), cursor.data() + cursor.size(), at);
    if (!cursor.empty() && (read.ec != std::errc() || read.ptr != cursor.data() + cursor.size() ||
                            at == 0 || at > ids.size()))
        return {};
    std::string all;
    if (at == 0) all = resource(kRegistryUri, "registry", "The registry in force");
    const size_t end = std::min(ids.size(), at + kPage);
    for (; at < end; ++at) {
        const std::string &id = ids[at];
        all.append(all.empty() ? "" : ",");
        all += resource(uri_of(id, "frames"), id, "The newest frames of session " + id);
        const std::string ref = checkpoint_of(id);
        if (ref.empty()) continue;
        all += "," + resource(uri_of(id, "ref/" + ref), id + " " + ref,
                              "The newest checkpoint of session " + id);
    }
    std::string result = "{\"resources\":[" + all + "]";
    if (end < ids.size()) result += ",\"nextCursor\":\"" + std::to_string(end) + "\"";
    return result + "}";
}

std::string McpResources::templates() {
    return R"({"resourceTemplates":[)"
           R"({"uriTemplate":"accp://session/{session}/frames","name":"frames",)"
           R"("title":"The newest frames of a session","mimeType":"application/accp"},)"
           R"({"uriTemplate":"accp://session/{session}/frame/{number}","name":"frame",)"
           R"("title":"A record of a session's log","mimeType":"application/accp"},)"
           R"({"uriTemplate":"accp://session/{session}/ref/{ref}","name":"ref",)"
           R"("title":"What a ref stands for, such as warm.ckpt_1 or cold.m7",)"
           R"("mimeType":"application/accp"}]})";
}

std::string McpResources::read(const std::string &uri, int64_t now_ms) {
    if (uri == kRegistryUri) return registry();
    const std::string_view rest =
        uri.starts_with(kSessionUri) ? std::string_view(uri).substr(kSessionUri.size()) : "";
    const size_t slash = rest.find('/');
    std::string session, what;
    if (slash == rest.npos || slash == 0 || !percent_decoded(rest.substr(0, slash), session) ||
        !percent_decoded(rest.substr(slash + 1), what))
        throw Failure("unknown resource " + uri);
    check_session(client_, session);
    if (what == "frames") return frames(session);
    if (what.starts_with("frame/")) return frame(session, what.substr(6));
    if (what.starts_with("ref/")) return ref(session, what.substr(4), now_ms, uri);
    throw Failure("unknown resource " + uri);
}

std::string McpResources::registry() const {
    std::string contents;
    for (const std::string &one : tools_.registry_frames())
        add_content(kRegistryUri, kFrameType, one, contents);
    return read_result(contents);
}

// Returns the newest frames up to the limits, in order.
std::string McpResources::frames(const std::string &session) {
    std::vector<std::string> newest;
    tools_.use_session(session, McpTools::Use::kRead, [&](accp_session *open, accp_error &err) {
        newest.clear();
        size_t bytes = 0;
        for (uint64_t i = accp_session_record_count(open);
             i > 0 && newest.size() < kMaxFrames && bytes < kMaxFramesBytes; --i) {
            accp_log_record record = {};
            const accp_status status = accp_session_record(open, i, &record, &err);
            if (status != ACCP_OK) return status;
            std::string content;
            if (!add_record(tools_, session, std::to_string(i), record, content)) continue;
            bytes += content.size();
            newest.push_back(std::move(content));
        }
        return accp_status{ACCP_OK};
    });
    std::string contents;
    for (auto one = newest.rbegin(); one != newest.rend(); ++one)
        contents.append(contents.empty() ? "" : ",").append(*one);
    return read_result(contents);
}

std::string McpResources::frame(const std::string &session, const std::string &number) {
    uint64_t record_number = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), record_number);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size())
        throw Failure("a frame must be named by a number, not " + number);
    std::string contents;
    tools_.use_session(session, McpTools::Use::kRead, [&](accp_session *open, accp_error &err) {
        accp_log_record record = {};
        const accp_status status = accp_session_record(open, record_number, &record, &err);
        if (status == ACCP_OK) add_record(tools_, session, number, record, contents);
        return status;
    });
    return read_result(contents);
}

std::string McpResources::ref(const std::string &session, const std::string &name, int64_t now_ms,
                              const std::string &uri) {
    std::string contents;
    tools_.use_session(session, McpTools::Use::kRead, [&](accp_session *open, accp_error &err) {
        accp_text value = {};
        const accp_status status =
            accp_session_resolve(open, name.data(), name.size(), nullptr, 0, now_ms, &value, &err);
        if (status != ACCP_OK) return status;
        const std::string message = "{\"agent\":" + json_string(tools_.environment().agent) +
                                    R"(,"intent":"sync","operation":"context","payload":{"ref":)" +
                                    json_string(name) +
                                    ",\"value\":" + std::string(to_view(value)) + "}}";
        add_message(tools_, uri, message, name, contents);
        return status;
    });
    return read_result(contents);
}

std::string McpResources::complete_session(const std::string &begin) {
    std::string values;
    size_t total = 0;
    for (const std::string &id : sessions())
        if (id.starts_with(begin) && ++total <= kMaxCompletions)
            values.append(values.empty() ? "" : ",").append(json_string(id));
    return "{\"completion\":{\"values\":[" + values + "],\"total\":" + std::to_string(total) +
           (total > kMaxCompletions ? ",\"hasMore\":true}}" : ",\"hasMore\":false}}");
}

}  // namespace server
