// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/page/watch.h"

#include <algorithm>
#include <cstdlib>

#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/token_limits.h"
#include "server/mcp/tools.h"

namespace server {
namespace {

constexpr size_t kMaxOnTheWay = 8 << 10;  // bytes sent to one page that it has not received yet
constexpr size_t kMaxOfTurn = 1 << 20;    // bytes that one turn sends to all pages
constexpr size_t kMaxRendered = 1 << 20;  // bytes of records that are kept for other pages
constexpr size_t kMaxOfCaller = 64, kMaxFollowers = 2048;

uint64_t count_in(std::string_view text) {
    return std::strtoull(std::string(text).c_str(), nullptr, 10);
}

// A message of SACP in a frame.
void append_sacp(const std::string &sacp, std::string &json) {
    if (!sacp.empty()) json.append(",\"sacp\":").append(sacp);
}

}  // namespace

Watch::Watch(SessionPool &pool, const accp_config *config, const accp_tokenizer *tokenizer)
    : pool_(pool), config_(config), codec_(host::new_codec(config)), reader_(config) {
    accp_counter *counter = nullptr;
    accp_error err = {};
    if (accp_counter_new(tokenizer, nullptr, &counter, &err) != ACCP_OK)
        throw host::Failure("counting tokens: " + host::message_of(err));
    counter_.reset(counter);
}

std::optional<HttpReply> Watch::answer(uint64_t connection, const HttpRequest &request,
                                       const Grant &grant, int64_t now_ms) {
    if (request.path == "/api/sessions") return sessions(grant);
    if (request.path == "/api/parse") return parse(request.body);
    const std::string id(request.parameter("session"));
    if (!grant.allows_session(id))
        return json_refusal(403, "this token has no right to this session");
    accp_error err = {};
    accp_session *session = pool_.open_view(id, now_ms, err);
    if (!session) return json_refusal(404, "no such session");
    if (request.path == "/api/context")
        return context(session, count_in(request.parameter("budget")));
    if (request.path == "/api/pages") return pages(session);
    if (request.path == "/api/checkpoints") return view_checkpoints(session, now_ms);
    if (request.path == "/api/packet") return packet(session, request, now_ms);
    if (request.path == "/api/ref") return resolve(session, request.parameter("ref"), now_ms);
    if (request.path != "/api/follow") return json_refusal(404, "not found");
    return follow(connection, id, count_in(request.parameter("after")), grant);
}

std::optional<HttpReply> Watch::follow(uint64_t connection, std::string id, uint64_t after,
                                       const Grant &grant) {
    constexpr int kTooMany = 429, kUnavailable = 503;
    const auto found = counts_.find(grant.use.get());
    const bool is_full = followers_.size() >= kMaxFollowers;
    if (is_full || (found != counts_.end() && found->second >= kMaxOfCaller)) {
        HttpReply reply =
            is_full ? json_refusal(kUnavailable, "too many pages follow sessions")
                    : json_refusal(kTooMany, "this token follows " + std::to_string(kMaxOfCaller) +
                                                 " sessions: close a page");
        reply.headers.emplace_back("retry-after", "5");
        return reply;
    }
    leave(connection);
    Follower &made = followers_[connection];
    made.session = std::move(id);
    made.next = after + 1;
    made.caller = grant.use;
    ++counts_[made.caller.get()];
    return std::nullopt;
}

std::function<HttpReply()> Watch::find_job(const HttpRequest &request, const Grant &grant,
                                           int64_t now_ms) {
    const bool is_context = request.path == "/api/context", is_pages = request.path == "/api/pages";
    const bool is_packet = request.path == "/api/packet" && !request.has_parameter("record");
    if (!is_context && !is_pages && !is_packet) return nullptr;
    const std::string id(request.parameter("session"));
    if (!grant.allows_session(id)) return nullptr;
    return [this, request, id, is_context, is_pages, now_ms] {
        accp_error err = {};
        // a separate handle, because the loop continues to use its own
        const host::Handle<accp_session> session = pool_.open_to_read(id, err);
        if (!session) return json_refusal(404, "no such session");
        if (is_pages) return pages(session.get());
        return is_context ? context(session.get(), count_in(request.parameter("budget")))
                          : view_made_packet(session.get(), config_, request, now_ms);
    };
}

HttpReply Watch::sessions(const Grant &grant) {
    struct Listing {
        const Grant &grant;
        host::JsonList ids;
    } listing{grant, {}};
    accp_error err = {};
    const auto each = [](const char *id, size_t length, void *user) {
        auto &to = *static_cast<Listing *>(user);
        if (to.grant.allows_session({id, length})) to.ids.text({id, length});
        return 0;
    };
    if (accp_store_each_session(pool_.store(), each, &listing, &err) != ACCP_OK)
        return json_refusal(503, host::describe(err));
    return json_reply(listing.ids.end());
}

HttpReply Watch::context(accp_session *session, uint64_t budget) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    accp_error err = {};
    if (accp_session_context_blocks(session, budget, &blocks, &count, &err) != ACCP_OK)
        return json_refusal(400, host::describe(err));
    host::JsonList list;
    for (size_t i = 0; i < count; ++i) {
        const accp_context_block &block = blocks[i];
        list.json(host::JsonObject()
                      .text("kind", block_name(block.kind))
                      .flag("stable", block.is_stable)
                      .json("tokens", std::to_string(block.tokens))
                      .json("since", std::to_string(block.since))
                      .json("checkpoint", std::to_string(block.checkpoint))
                      .text("text", host::to_view(block.text))
                      .end());
    }
    return json_reply(list.end());
}

HttpReply Watch::pages(accp_session *session) {
    accp_text json = {};
    accp_error err = {};
    if (accp_session_context_pages(session, &json, &err) != ACCP_OK)
        return json_refusal(400, host::describe(err));
    return json_reply(std::string(host::to_view(json)));
}

// The packet of a record, or one of the whole session.
HttpReply Watch::packet(accp_session *session, const HttpRequest &request, int64_t now_ms) {
    if (!request.has_parameter("record"))
        return view_made_packet(session, config_, request, now_ms);
    accp_log_record record = {};
    accp_error err = {};
    if (accp_session_record(session, count_in(request.parameter("record")), &record, &err) !=
        ACCP_OK)
        return json_refusal(404, host::describe(err));
    const std::string text(host::to_view(record.text));
    accp_text message = {text.data(), text.size()};
    if (record.kind != ACCP_RECORD_MESSAGE &&
        accp_codec_decode(codec_.get(), text.data(), text.size(), &message, &err) != ACCP_OK)
        return json_refusal(400, host::describe(err));
    return view_carried_packet(session, config_, host::to_view(message), now_ms);
}

HttpReply Watch::resolve(accp_session *session, std::string_view ref, int64_t now_ms) {
    accp_text value = {};
    accp_error err = {};
    if (accp_session_resolve(session, ref.data(), ref.size(), nullptr, 0, now_ms, &value, &err) !=
        ACCP_OK)
        return json_refusal(404, host::describe(err));
    return json_reply(std::string(host::to_view(value)));
}

HttpReply Watch::parse(std::string_view frame) {
    if (frame.ends_with('\n')) frame.remove_suffix(1);
    FrameFacts facts;
    accp_error err = {};
    std::string json;
    if (reader_.read(frame, facts, err) != ACCP_OK) {
        host::append_refusal_json(err, json);
        return json_reply(json);
    }
    json = "{\"ok\":true";
    append_frame(frame, json);
    return json_reply(json + "}");
}

// Appends the message of a frame, and its tokens by part with the limits.
void Watch::append_frame(std::string_view frame, std::string &json) {
    accp_text message = {};
    accp_error err = {};
    if (accp_codec_decode(codec_.get(), frame.data(), frame.size(), &message, &err) != ACCP_OK) {
        json += ",\"error\":";
        host::append_json_string(host::describe(err), json);
        return;
    }
    json.append(",\"message\":").append(host::to_view(message));
    if (SacpReader::may_carry(host::to_view(message))) append_sacp(sacp_.read_frame(frame), json);
    append_budget(frame, json);
}

uint64_t Watch::count(std::string_view text) {
    uint64_t tokens = 0;
    accp_error err = {};
    accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &tokens, &err);
    return tokens;
}

void Watch::append_budget(std::string_view frame, std::string &json) {
    const auto parts = host::parts_of(frame);
    const auto limits = host::part_limits();
    json += ",\"tokens\":{";
    for (size_t i = 0; i < parts.size(); ++i) {
        json.append(i ? ",\"" : "\"").append(limits[i].name).append("\":[");
        json.append(std::to_string(count(parts[i]))).append(",");
        json.append(std::to_string(limits[i].hard)).append("]");
    }
    json += '}';
}

std::string Watch::record_json(accp_session *session, uint64_t number, accp_error &err) {
    accp_log_record record = {};
    if (accp_session_record(session, number, &record, &err) != ACCP_OK) return {};
    const std::string text(host::to_view(record.text));
    std::string json = "{\"n\":" + std::to_string(number) + ",\"kind\":\"" +
                       static_cast<char>(record.kind) +
                       "\",\"time_ms\":" + std::to_string(record.time_ms);
    if (record.kind == ACCP_RECORD_MESSAGE) {
        json.append(",\"message\":").append(text);
        if (SacpReader::may_carry(text)) append_sacp(sacp_.read_message(text), json);
    } else if (text.starts_with('@')) {
        json += ",\"wire\":";
        host::append_json_string(text, json);
        append_frame(text, json);
    }
    // an event has one line, and JSON may have several
    std::replace_if(
        json.begin(), json.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return json + "}";
}

// If there is much to send, sends a part. The next turn continues with the next follower.
void Watch::turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    has_more_ = false;
    bytes_ = 0;
    std::vector<uint64_t> ended;
    auto at = followers_.lower_bound(first_);
    for (size_t i = followers_.size(); i > 0 && !has_more_; --i, ++at) {
        if (at == followers_.end()) at = followers_.begin();
        auto &[connection, follower] = *at;
        if (ends_ || follower.ends) {
            effects.push_back(
                HubEffect::piece(connection, ": the end\n", true, "text/event-stream"));
            ended.push_back(connection);
        } else {
            send_events(connection, follower, now_ms, effects);
        }
        first_ = connection + 1;
    }
    for (const uint64_t connection : ended) leave(connection);
}

void Watch::leave(uint64_t connection) {
    const auto found = followers_.find(connection);
    if (found == followers_.end()) return;
    const auto count = counts_.find(found->second.caller.get());
    if (--count->second == 0) counts_.erase(count);
    followers_.erase(found);
}

void Watch::end(uint64_t connection) {
    const auto found = followers_.find(connection);
    if (found != followers_.end()) found->second.ends = true;
}

// Renders a record once for all followers, which need the same records at about the same time.
Watch::Event Watch::event_of(accp_session *session, const Follower &follower) {
    for (auto one = rendered_.rbegin(); one != rendered_.rend(); ++one)
        if (one->record == follower.next && one->session == follower.session) return one->event;
    accp_error err = {};
    const std::string json = record_json(session, follower.next, err);
    if (json.empty() && err.code == ACCP_ERR_IO) return nullptr;  // a later turn may read it
    std::string text;
    if (!json.empty()) text = "id: " + std::to_string(follower.next) + "\ndata: " + json + "\n\n";
    rendered_bytes_ += text.size();
    const Event event = std::make_shared<const std::string>(std::move(text));
    rendered_.push_back({follower.session, follower.next, event});
    constexpr size_t kMaxCount = 256;
    while (rendered_bytes_ > kMaxRendered || rendered_.size() > kMaxCount) {
        rendered_bytes_ -= rendered_.front().event->size();
        rendered_.pop_front();
    }
    return event;
}

void Watch::send_events(uint64_t connection, Follower &follower, int64_t now_ms,
                        std::vector<HubEffect> &effects) {
    const auto piece = [&](std::string text) {
        follower.pending += text.size();
        bytes_ += text.size();
        HubEffect effect = HubEffect::piece(connection, {}, false, "text/event-stream");
        effect.text = std::move(text);
        effects.push_back(std::move(effect));
    };
    if (!std::exchange(follower.has_begun, true)) piece("retry: 1000\n\n");
    if (follower.pending >= kMaxOnTheWay) return;
    accp_error err = {};
    accp_session *session = pool_.open_view(follower.session, now_ms, err);
    const uint64_t count = session ? accp_session_record_count(session) : 0;
    while (follower.pending < kMaxOnTheWay && (follower.event || follower.next <= count)) {
        if (bytes_ >= kMaxOfTurn) has_more_ = true;
        if (has_more_) return;
        if (!follower.event) {
            follower.event = event_of(session, follower);
            follower.sent_bytes = 0;
            if (!follower.event) return;
            ++follower.next;
        }
        const size_t size =
            std::min(kMaxOnTheWay - follower.pending, follower.event->size() - follower.sent_bytes);
        if (size) piece(follower.event->substr(follower.sent_bytes, size));
        follower.sent_bytes += size;
        if (follower.sent_bytes == follower.event->size()) follower.event.reset();
    }
}

void Watch::drained(uint64_t connection) {
    const auto found = followers_.find(connection);
    if (found != followers_.end()) found->second.pending = 0;
}

}  // namespace server
