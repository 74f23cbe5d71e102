// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/page/history_json.h"

#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "server/json/writer.h"

namespace proxy {
namespace {

using Conversation = CallHistory::Conversation;
constexpr size_t kIdDigits = 16;

std::string id_of(uint64_t number) {
    std::array<char, kIdDigits + 1> text;
    std::snprintf(text.data(), text.size(), "%016" PRIx64, number);
    return text.data();
}

std::string whole(auto number) { return std::to_string(number); }

std::string bill(double value) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.7g", value);
    return text.data();
}

std::string row_of(std::initializer_list<std::string> values) {
    host::JsonList row;
    for (const std::string &value : values) row.json(value);
    return row.end();
}

std::string curve_json(const BillCurve &curve) {
    host::JsonList points;
    for (const BillPoint &point : curve.points())
        points.json(row_of({whole(point.time_ms), bill(point.billed), bill(point.untouched)}));
    return points.end();
}

std::string groups_json(const CallHistory &history) {
    host::JsonList groups;
    for (const bool is_priced : {true, false}) {
        const BillGroup &group = history.group(is_priced);
        if (group.totals.calls || group.totals.failed_calls)
            groups.json(host::JsonObject()
                            .flag("is_priced", is_priced)
                            .json("sum", totals_json(group.totals))
                            .json("curve", curve_json(group.curve))
                            .end());
    }
    return groups.end();
}

// The tokens of the last request by use, as whole pages.
std::string use_json(const Conversation &conversation) {
    std::array<uint64_t, 4> tokens = {};
    for (const CallHistory::Page &page : conversation.pages)
        tokens[static_cast<size_t>(page.sent.use)] += page.sent.tokens;
    return row_of({whole(tokens[0]), whole(tokens[1]), whole(tokens[2]), whole(tokens[3])});
}

host::JsonObject begin_conversation(const Conversation &it) {
    host::JsonObject out;
    out.text("id", id_of(it.number)).text("model", it.model).text("upstream", it.upstream);
    out.flag("held_out", it.is_held_out).flag("is_priced", it.is_priced);
    out.json("began_ms", whole(it.began_ms)).json("last_ms", whole(it.last_ms));
    out.json("running", whole(it.running)).json("sum", totals_json(it.bill.totals));
    out.json("use", use_json(it));
    return out;
}

std::string calls_json(const Conversation &conversation) {
    host::JsonList calls;
    for (const CallRow &row : conversation.calls) {
        host::JsonObject call;
        call.json("time_ms", whole(row.time_ms)).json("call", whole(row.call));
        call.json("status", whole(row.status)).json("evicted", whole(row.evicted));
        call.flag("resolve", row.is_resolve);
        call.json("whole", whole(row.tokens.whole)).json("sent", whole(row.tokens.sent));
        if (row.has_usage)
            call.json("input", whole(row.usage.input))
                .json("cache_read", whole(row.usage.cache_read))
                .json("cache_write", whole(row.usage.cache_write + row.usage.cache_write_hour))
                .json("output", whole(row.usage.output));
        if (!row.failure.empty()) call.text("failure", row.failure);
        call.json("billed", bill(row.bill.billed)).json("untouched", bill(row.bill.untouched));
        calls.json(call.end());
    }
    return calls.end();
}

std::string evictions_json(const Conversation &conversation) {
    host::JsonList evictions;
    for (const EvictionAccount &one : conversation.evictions) {
        host::JsonObject eviction;
        eviction.json("call", whole(one.call)).json("time_ms", whole(one.time_ms));
        eviction.json("pages", whole(one.pages)).json("left_out", whole(one.left_out));
        eviction.json("cost", bill(one.cost)).json("saved", bill(one.saved));
        evictions.json(eviction.end());
    }
    return evictions.end();
}

std::string pages_json(const Conversation &conversation) {
    std::string out = "[";
    for (const CallHistory::Page &page : conversation.pages) {
        if (out.size() > 1) out += ',';
        const SentPage &sent = page.sent;
        out.append("[").append(whole(static_cast<int>(sent.kind))).append(",");
        out.append(whole(static_cast<int>(sent.use))).append(",").append(whole(sent.tokens));
        out.append(",").append(whole(sent.sent_tokens)).append(",");
        out.append(whole(sent.evicted_at)).append(",");
        host::append_json_string(conversation.label(page), out);
        out += ']';
    }
    return out += ']';
}

}  // namespace

std::string overview_json(const CallHistory &history, const Ledger &ledger, int64_t now_ms) {
    host::JsonList conversations;
    for (const Conversation &one : history.conversations())
        conversations.json(begin_conversation(one).end());
    host::JsonObject out;
    out.json("now_ms", whole(now_ms)).json("groups", groups_json(history));
    out.json("rewritten", totals_json(ledger.rewritten()));
    out.json("held_out", totals_json(ledger.held_out()));
    out.json("last_failure", failure_json(ledger.last_failure()));
    return out.json("conversations", conversations.end()).end() + "\n";
}

std::string conversation_json(const Conversation &conversation, int64_t now_ms) {
    host::JsonObject out = begin_conversation(conversation);
    out.json("now_ms", whole(now_ms)).json("curve", curve_json(conversation.bill.curve));
    out.json("calls", calls_json(conversation)).json("evictions", evictions_json(conversation));
    out.json("skipped_pages", whole(conversation.skipped_pages));
    return out.json("pages", pages_json(conversation)).end() + "\n";
}

std::optional<uint64_t> read_conversation_id(std::string_view text) {
    constexpr int kHex = 16;
    uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number, kHex);
    if (text.size() != kIdDigits || read.ec != std::errc() || read.ptr != text.data() + kIdDigits)
        return std::nullopt;
    return number;
}

}  // namespace proxy
