// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/hub/peer_links.h"

#include <charconv>
#include <iterator>

#include "server/http/access.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

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

constexpr int64_t kLinkBeatMs = 500;  // between two messages
constexpr int64_t kSilentMs = 1500;   // a gateway that is silent for so long is gone
constexpr int64_t kUnusedMs = 30'000;
constexpr size_t kMaxGone = 4096;         // names that are kept
constexpr size_t kMaxBatch = 256u << 10;  // bytes of notes in a message
constexpr size_t kOverhead = 4u << 10;    // of a message and a note, without the note's text
constexpr size_t kMaxEscaped = 6;         // bytes of a byte of text in JSON

}  // namespace

TableBus::TableBus(accp_bus_opener open, std::string_view place)
    : self_(random_digits().substr(0, 24)) {
    accp_error err = {};
    const accp_text name = {place.data(), place.size()}, self = {self_.data(), self_.size()};
    if (open(name, self, on_event, this, &table_, &user_, &err) != ACCP_OK)
        throw host::Failure("the other gateways: " + host::message_of(err));
    if (table_->size < sizeof(accp_bus) || table_->version != ACCP_BUS_VERSION) {
        table_->close(user_);
        throw host::Failure("the other gateways: their bus is of another version");
    }
}

void TableBus::on_news(std::function<void()> wake) {
    const std::lock_guard<std::mutex> held(lock_);
    wake_ = std::move(wake);
}

// A message that cannot be sent counts as lost on the way.
void TableBus::send(std::string_view peer, std::string_view message) {
    accp_error err = {};
    table_->send({peer.data(), peer.size()}, {message.data(), message.size()}, &err, user_);
}

bool TableBus::take(BusEvent &out) {
    const std::lock_guard<std::mutex> held(lock_);
    if (events_.empty()) return false;
    out = std::move(events_.front());
    events_.pop_front();
    return true;
}

void TableBus::on_event(int32_t news, accp_text text, void *context) {
    TableBus &bus = *static_cast<TableBus *>(context);
    BusEvent came;
    came.kind = news == ACCP_BUS_MESSAGE  ? BusEvent::Kind::kMessage
                : news == ACCP_BUS_NOBODY ? BusEvent::Kind::kNobody
                                          : BusEvent::Kind::kBroken;
    came.text = host::to_view(text);
    const std::lock_guard<std::mutex> held(bus.lock_);
    bus.events_.push_back(std::move(came));
    if (bus.events_.size() == 1 && bus.wake_) bus.wake_();
}

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

bool PeerLinks::has_space_for(size_t text_bytes) const {
    return text_bytes * kMaxEscaped + kOverhead <= bus_.max_message();
}

std::string PeerLinks::new_name() { return std::to_string(++names_); }

PeerLinks::Link &PeerLinks::link_to(std::string_view peer, int64_t now_ms) {
    const auto [at, is_new] = links_.try_emplace(std::string(peer));
    if (is_new) {
        at->second.ours = new_name();
        at->second.received_at_ms = now_ms;  // it has the full time for its first message
    }
    return at->second;
}

std::vector<PeerEvent> PeerLinks::receive(int64_t now_ms) {
    std::vector<PeerEvent> events;
    const bool has_stood_still =
        received_at_ms_ && now_ms - received_at_ms_ >= kSilentMs - kLinkBeatMs;
    received_at_ms_ = now_ms;
    if (has_stood_still) {
        events.push_back({PeerEvent::Kind::kSuspect, {}});
        for (auto &[peer, link] : links_) link.received_at_ms = now_ms;
    }
    PeerMessage message;
    for (BusEvent news; bus_.take(news);) {
        if (news.kind == BusEvent::Kind::kBroken) events.push_back({PeerEvent::Kind::kSuspect, {}});
        else if (news.kind == BusEvent::Kind::kNobody) lose_nobody(news.text, events);
        else if (read_message(news.text, message)) handle_message(message, now_ms, events);
    }
    end_silent(now_ms, events);
    return events;
}

void PeerLinks::end_silent(int64_t now_ms, std::vector<PeerEvent> &events) {
    std::vector<std::string> silent;
    for (const auto &[peer, link] : links_)
        if (now_ms - link.received_at_ms >= kSilentMs) silent.push_back(peer);
    for (const std::string &peer : silent) {
        if (needs_(peer)) lose(peer, PeerEvent::Kind::kGone, false, events);
        else links_.erase(peer);
    }
}

// The link names in a message show whether it was written before or after a loss.
void PeerLinks::handle_message(const PeerMessage &message, int64_t now_ms,
                               std::vector<PeerEvent> &events) {
    gone_.erase(message.from);
    if (message.from == self()) return;
    Link *link = &link_to(message.from, now_ms);
    if (!message.heard.empty() && message.heard != link->ours) return;
    if (link->theirs != message.link) {
        if (!link->theirs.empty()) {  // the other side has restarted the link
            events.push_back({PeerEvent::Kind::kLost, message.from});
            events.push_back({PeerEvent::Kind::kSuspect, {}});
            link->sent = 0;
            link->notes.clear();
        }
        link->theirs = message.link;
        link->received = 0;
    }
    if (message.number != link->received + 1)
        return lose(message.from, PeerEvent::Kind::kLost, false, events);
    ++link->received;
    link->received_at_ms = now_ms;
    link->is_used |= !message.notes.empty();
    for (const PeerNote &note : message.notes)
        events.push_back({PeerEvent::Kind::kNote, message.from, note});
}

// The newest message was lost; earlier ones may have arrived.
void PeerLinks::lose_nobody(const std::string &peer, std::vector<PeerEvent> &events) {
    const auto found = links_.find(peer);
    if (found != links_.end()) lose(peer, PeerEvent::Kind::kGone, found->second.sent == 1, events);
}

// The next message to the gateway starts a new link.
void PeerLinks::lose(const std::string &peer, PeerEvent::Kind kind, bool has_received_nothing,
                     std::vector<PeerEvent> &events) {
    links_.erase(peer);
    if (kind == PeerEvent::Kind::kGone) {
        if (gone_.size() >= kMaxGone) gone_.clear();
        gone_.insert(peer);
    } else {
        link_to(peer, received_at_ms_);  // so that it learns of the new link
    }
    events.push_back({kind, peer, {}, has_received_nothing});
}

void PeerLinks::queue(std::string_view peer, const PeerNote &note, int64_t now_ms) {
    Link &link = link_to(peer, now_ms);
    const std::string text = print_note(note);
    if (!link.notes.empty() && link.notes.size() + text.size() > kMaxBatch)
        send(std::string(peer), link, now_ms);
    link.is_used = true;
    if (!link.notes.empty()) link.notes += ',';
    link.notes += text;
}

void PeerLinks::flush(int64_t now_ms) {
    for (auto at = links_.begin(); at != links_.end();) {
        const auto &[peer, link] = *at;
        const bool is_due = now_ms - link.sent_at_ms >= kLinkBeatMs;
        if (!is_due && link.notes.empty()) {
            ++at;
        } else if (is_due && !link.is_used && !needs_(peer)) {
            at = links_.erase(at);
        } else {
            send(peer, at->second, now_ms);
            ++at;
        }
    }
}

void PeerLinks::send(const std::string &peer, Link &link, int64_t now_ms) {
    PeerMessage head;
    head.from = self();
    head.link = link.ours;
    head.heard = link.theirs;
    head.number = ++link.sent;
    bus_.send(peer, print_message(head, link.notes));
    if (link.notes.empty()) link.is_used = false;
    link.notes.clear();
    link.sent_at_ms = now_ms;
}

}  // namespace server
