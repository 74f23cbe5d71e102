// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/a2a/types.h"

#include <time.h>

#include <cstdio>
#include <unordered_set>

#include "server/http/message.h"
#include "server/hub/frames.h"
#include "server/json/base64.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/unix_time.h"

namespace server {

using host::json_member;
using host::json_text;

namespace {

// Reads digits from the front of a text.
class Digits {
public:
    explicit Digits(std::string_view text) : text_(text) {}

    // Returns the value of `count` digits; -1 if there are fewer.
    int number(size_t count) {
        int value = 0;
        for (size_t i = 0; i < count; ++i) {
            if (text_.empty() || text_[0] < '0' || text_[0] > '9') return -1;
            value = value * 10 + (text_[0] - '0');
            text_.remove_prefix(1);
        }
        return value;
    }
    bool mark(char c) {
        if (text_.empty() || text_[0] != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    // Returns the milliseconds of a fraction's digits; -1 if there are none.
    int milliseconds() {
        int value = 0, count = 0;
        for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; ++count) {
            if (count < 3) value = value * 10 + (text_[0] - '0');
            text_.remove_prefix(1);
        }
        for (int i = count; i < 3; ++i) value *= 10;
        return count ? value : -1;
    }
    bool is_empty() const { return text_.empty(); }

private:
    std::string_view text_;
};

// Reads the seconds east of UTC from "Z" or "+01:00". Returns false for other texts.
bool read_zone(Digits &text, int &seconds) {
    seconds = 0;
    if (text.mark('Z') || text.mark('z')) return text.is_empty();
    const bool is_west = text.mark('-');
    if (!is_west && !text.mark('+')) return false;
    const int hours = text.number(2);
    if (hours < 0 || hours > 23 || !text.mark(':')) return false;
    const int minutes = text.number(2);
    seconds = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
    return minutes >= 0 && minutes < 60 && text.is_empty();
}

struct StateWords {
    std::string_view now, old;
};
// Indexed by A2aState.
constexpr StateWords kStates[] = {{"TASK_STATE_SUBMITTED", "submitted"},
                                  {"TASK_STATE_WORKING", "working"},
                                  {"TASK_STATE_INPUT_REQUIRED", "input-required"},
                                  {"TASK_STATE_COMPLETED", "completed"},
                                  {"TASK_STATE_FAILED", "failed"},
                                  {"TASK_STATE_CANCELED", "canceled"}};
// States that tasks never have here.
constexpr std::string_view kOtherStates[] = {"TASK_STATE_UNSPECIFIED", "TASK_STATE_REJECTED",
                                             "TASK_STATE_AUTH_REQUIRED"};

struct Reason {
    A2aCode code;
    std::string_view word;
};
constexpr Reason kReasons[] = {{kA2aTaskNotFound, "TASK_NOT_FOUND"},
                               {kA2aTaskNotCancelable, "TASK_NOT_CANCELABLE"},
                               {kA2aPushNotSupported, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
                               {kA2aUnsupportedOperation, "UNSUPPORTED_OPERATION"},
                               {kA2aContentTypeNotSupported, "CONTENT_TYPE_NOT_SUPPORTED"},
                               {kA2aVersionNotSupported, "VERSION_NOT_SUPPORTED"},
                               {kA2aInvalidParams, "INVALID_PARAMS"},
                               {kA2aInternalError, "INTERNAL_ERROR"}};

[[noreturn]] void refuse_part(size_t number, const std::string &why) {
    const std::string field = "message.parts[" + std::to_string(number) + "]";
    throw A2aRefusal(kA2aInvalidParams, field + ": " + why, {{"field", field}});
}

// A part of either version, as JSON. It has one of text, bytes, url and data.
struct Part {
    std::string_view text, bytes, url, data;
    std::string type;  // its media type, lower case
};

Part read_new(std::string_view json) {
    return {json_member(json, "text"), json_member(json, "raw"), json_member(json, "url"),
            json_member(json, "data"), json_text(json_member(json, "mediaType"))};
}

Part read_old(std::string_view json) {
    const std::string_view file = json_member(json, "file"), kind = json_member(json, "kind");
    Part part;
    if (kind == "\"text\"") part.text = json_member(json, "text");
    if (kind == "\"data\"") part.data = json_member(json, "data");
    if (kind == "\"file\"") {
        part.bytes = json_member(file, "bytes");
        part.url = json_member(file, "uri");
        part.type = json_text(json_member(file, "mimeType"));
    }
    return part;
}

// Collects the parts of one message.
class Reader {
public:
    void add(Part part, size_t number) {
        number_ = number;
        part.type = media_type(part.type);
        const size_t kinds =
            !part.text.empty() + !part.bytes.empty() + !part.url.empty() + !part.data.empty();
        if (kinds != 1) refuse_part(number, "a part must have one of text, bytes, url and data");
        if (!part.data.empty()) return add_data(part.data);
        if (!part.url.empty()) refuse_type("a url");
        if (!part.text.empty() && part.text[0] != '"') refuse_part(number, "text must be a string");
        std::string text = json_text(part.text);
        if (!part.bytes.empty() && !host::read_base64(json_text(part.bytes), text))
            refuse_part(number, "bytes must be a string in base64");
        if (part.type == kFrameType) return add_frame(std::move(text));
        const bool is_text =
            part.type.starts_with("text/") || (part.type.empty() && part.bytes.empty());
        if (!is_text) refuse_type(part.type.empty() ? "bytes without a type" : part.type);
        text_ += has_text_ ? "\n" + text : text;
        has_text_ = true;
    }

    A2aContent end() {
        if (!content_.frame.empty() && (has_text_ || !content_.members.empty()))
            refuse_part(0, "a part of application/accp must be the only part");
        if (has_text_) {
            std::string text;
            host::append_json_string(text_, text);
            add_member("text", text);
        }
        return std::move(content_);
    }

private:
    [[noreturn]] void refuse_type(const std::string &what) const {
        throw A2aRefusal(kA2aContentTypeNotSupported,
                         "message.parts[" + std::to_string(number_) + "]: " + what +
                             " is not supported; text/plain, data and application/accp are",
                         {{"mediaType", what}});
    }

    void add_frame(std::string frame) {
        if (frame.ends_with('\n')) frame.pop_back();
        if (frame.empty() || !content_.frame.empty())
            refuse_part(number_, "a message must have one frame, and not an empty one");
        content_.frame = std::move(frame);
    }

    void add_data(std::string_view data) {
        if (data[0] != '{') return add_member("data", data);
        for (const auto &[key, value] : host::json_members(data)) add_member(key, value);
    }

    // `key`: in the spelling between the quotes of JSON.
    void add_member(std::string_view key, std::string_view value) {
        if (!keys_.emplace(key).second)
            refuse_part(number_, "two parts have a member \"" + std::string(key) + "\"");
        content_.members += content_.members.empty() ? "\"" : ",\"";
        content_.members.append(key).append("\":").append(value);
    }

    A2aContent content_;
    std::unordered_set<std::string> keys_;
    std::string text_;
    bool has_text_ = false;
    size_t number_ = 0;
};

std::string readable_part(std::string_view payload, const A2aShape &shape) {
    host::JsonObject part;
    const std::string text = plain_text(payload);
    const bool is_text = !text.empty();
    if (shape.is_old()) part.text("kind", is_text ? "text" : "data");
    if (is_text) part.text("text", text);
    else if (!shape.is_old() || payload.starts_with('{')) part.json("data", payload);
    else part.json("data", host::JsonObject().json("value", payload).end());
    if (!shape.is_old()) part.text("mediaType", is_text ? "text/plain" : "application/json");
    return part.end();
}

std::string frame_part(std::string_view frame, const A2aShape &shape) {
    if (!shape.is_old())
        return host::JsonObject().text("text", frame).text("mediaType", kFrameType).end();
    host::JsonObject file;
    file.text("bytes", host::print_base64(frame)).text("mimeType", kFrameType);
    return host::JsonObject().text("kind", "file").json("file", file.end()).end();
}

}  // namespace

std::string_view state_word(A2aState state, A2aVersion version) {
    const StateWords &words = kStates[static_cast<size_t>(state)];
    return version == A2aVersion::k10 ? words.now : words.old;
}

std::optional<A2aState> find_state(std::string_view word) {
    for (size_t i = 0; i < std::size(kStates); ++i)
        if (kStates[i].now == word) return static_cast<A2aState>(i);
    return std::nullopt;
}

bool is_state_word(std::string_view word) {
    for (const std::string_view other : kOtherStates)
        if (other == word) return true;
    return find_state(word).has_value();
}

std::string A2aRefusal::print(std::string_view id) const {
    host::JsonObject error;
    error.json("code", std::to_string(code_)).text("message", what());
    host::JsonObject info;
    info.text("@type", "type.googleapis.com/google.rpc.ErrorInfo");
    for (const Reason &reason : kReasons)
        if (reason.code == code_) info.text("reason", reason.word);
    info.text("domain", "a2a-protocol.org");
    host::JsonObject metadata;
    for (const auto &[name, value] : details_) metadata.text(name, value);
    if (!details_.empty()) info.json("metadata", metadata.end());
    if (code_ != kA2aMethodNotFound) error.json("data", "[" + info.end() + "]");
    host::JsonObject answer;
    answer.text("jsonrpc", "2.0").json("id", id.empty() ? "null" : id);
    return answer.json("error", error.end()).end();
}

A2aContent read_parts(std::string_view parts, A2aVersion version) {
    const auto items = host::json_items(parts);
    if (items.empty())
        throw A2aRefusal(kA2aInvalidParams, "message.parts: at least one part is needed",
                         {{"field", "message.parts"}});
    Reader reader;
    for (size_t i = 0; i < items.size(); ++i)
        reader.add(version == A2aVersion::k10 ? read_new(items[i]) : read_old(items[i]), i);
    return reader.end();
}

std::string plain_text(std::string_view payload) {
    if (payload.starts_with('"')) return json_text(payload);
    std::string text;
    for (const auto &[key, value] : host::json_members(payload)) {
        if (key == "target") continue;
        if (key != "text" || !value.starts_with('"')) return {};
        text = json_text(value);
    }
    return text;
}

std::string print_parts(std::string_view payload, std::string_view frame, const A2aShape &shape) {
    host::JsonList parts;
    parts.json(readable_part(payload.empty() ? "{}" : payload, shape));
    if (shape.with_frames) parts.json(frame_part(frame, shape));
    return parts.end();
}

std::string print_time(int64_t ms) {
    int64_t seconds = ms / 1000, rest = ms % 1000;
    if (rest < 0) rest += 1000, --seconds;
    const time_t time = static_cast<time_t>(seconds);
    struct tm parts = {};
    if (!gmtime_r(&time, &parts)) return {};
    char text[80];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(rest));
    return text;
}

bool read_time(std::string_view text, int64_t &ms) {
    Digits left(text);
    struct tm parts = {};
    const int year = left.number(4);
    if (year < 0 || !left.mark('-') || (parts.tm_mon = left.number(2) - 1) < 0 || !left.mark('-') ||
        (parts.tm_mday = left.number(2)) < 1 || !left.mark('T') ||
        (parts.tm_hour = left.number(2)) < 0 || !left.mark(':') ||
        (parts.tm_min = left.number(2)) < 0 || !left.mark(':') ||
        (parts.tm_sec = left.number(2)) < 0)
        return false;
    int fraction = 0, zone = 0;
    if (left.mark('.') && (fraction = left.milliseconds()) < 0) return false;
    if (parts.tm_mon > 11 || parts.tm_mday > 31 || parts.tm_hour > 23 || parts.tm_min > 59 ||
        parts.tm_sec > 60 || !read_zone(left, zone))
        return false;
    parts.tm_year = year - 1900;
    ms = (host::unix_seconds(parts) - zone) * 1000 + fraction;
    return true;
}

void check_readable(accp_status status) {
    constexpr int kBusy = 503;
    if (status == ACCP_OK || http_status(status) != kBusy) return;
    throw A2aRefusal(kA2aInternalError, "the store cannot be read now: try again",
                     {{"accpCode", accp_status_code_name(wire_code(status))}}, kBusy);
}

}  // namespace server
