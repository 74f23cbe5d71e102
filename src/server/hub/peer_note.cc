// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/peer_note.h"

#include <charconv>
#include <iterator>

#include "server/library/failure.h"
#include "server/json/json_object.h"
#include "server/json/json_parts.h"

namespace server {
namespace {

constexpr const char *kKindNames[] = {"post",  "join",   "hear",  "pong", "drained",
                                      "leave", "answer", "piece", "send", "ping",
                                      "close", "away",   "lost"};
static_assert(std::size(kKindNames) == PeerNote::kKinds);

struct TextMember {
    const char *name;
    std::string PeerNote::*text;
};
constexpr TextMember kTexts[] = {{"session", &PeerNote::session},
                                 {"agent", &PeerNote::agent},
                                 {"text", &PeerNote::text},
                                 {"agents", &PeerNote::agents},
                                 {"trace", &PeerNote::trace}};
struct FlagMember {
    const char *name;
    bool PeerNote::*flag;
};
constexpr FlagMember kFlags[] = {{"trusted", &PeerNote::is_trusted},
                                 {"writes", &PeerNote::may_write},
                                 {"all", &PeerNote::sees_all},
                                 {"last", &PeerNote::is_last}};

template <typename Number>
bool read_number(std::string_view json, Number &out) {
    const auto read = std::from_chars(json.data(), json.data() + json.size(), out);
    return read.ec == std::errc() && read.ptr == json.data() + json.size();
}

bool read_member(std::string_view name, std::string_view json, PeerNote &out) {
    if (name == "connection") return read_number(json, out.connection);
    if (name == "status") return read_number(json, out.status);
    for (const TextMember &member : kTexts)
        if (name == member.name) {
            out.*member.text = host::json_text(json);
            return json.starts_with('"');
        }
    for (const FlagMember &member : kFlags)
        if (name == member.name) {
            out.*member.flag = json == "true";
            return true;
        }
    return name == "kind";
}

bool read_note(std::string_view json, PeerNote &out) {
    const std::string_view kind = host::json_word(host::json_member(json, "kind"));
    int known = 0;
    while (known < PeerNote::kKinds && kind != kKindNames[known]) ++known;
    if (known == PeerNote::kKinds) return false;
    out.kind = static_cast<PeerNote::Kind>(known);
    for (const auto &[name, value] : host::json_members(json))
        if (!read_member(name, value, out)) return false;
    return true;
}

}  // namespace

std::string print_note(const PeerNote &note) {
    host::JsonObject out;
    out.text("kind", kKindNames[static_cast<int>(note.kind)]);
    if (note.connection) out.json("connection", std::to_string(note.connection));
    if (note.status) out.json("status", std::to_string(note.status));
    for (const TextMember &member : kTexts)
        if (!(note.*member.text).empty()) out.text(member.name, note.*member.text);
    for (const FlagMember &member : kFlags)
        if (note.*member.flag) out.flag(member.name, true);
    return out.end();
}

std::string print_message(const PeerMessage &head, std::string_view notes) {
    std::string list = "[";
    list.append(notes).append("]");
    return host::JsonObject()
        .text("from", head.from)
        .text("link", head.link)
        .text("heard", head.heard)
        .json("number", std::to_string(head.number))
        .json("notes", list)
        .end();
}

bool read_message(std::string_view text, PeerMessage &out) {
    std::string json;
    try {
        json = host::compact_json(text);
    } catch (const host::Failure &) {
        return false;
    }
    out = {};
    out.from = host::json_word(host::json_member(json, "from"));
    out.link = host::json_word(host::json_member(json, "link"));
    out.heard = host::json_word(host::json_member(json, "heard"));
    if (out.from.empty() || out.link.empty() ||
        !read_number(host::json_member(json, "number"), out.number))
        return false;
    for (const std::string_view note : host::json_items(host::json_member(json, "notes")))
        if (!read_note(note, out.notes.emplace_back())) return false;
    return true;
}

}  // namespace server
