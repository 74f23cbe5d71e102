// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The responses of the proxy itself, without sockets: the counts of calls, the status, the metrics.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "proxy/page/proxy_page.h"
#include "reference/ref_json.h"

namespace {

using proxy::CallMeter;
using proxy::Headers;

const Headers kNoHeaders;

class Silent : public proxy::Traffic {
public:
    std::optional<std::string> outgoing(uint64_t, const proxy::CallHead &, std::string_view,
                                        int64_t) override {
        if (throws) throw std::runtime_error("no");
        return "rewritten";
    }
    proxy::AnswerMode answer_head(uint64_t, int, const Headers &) override {
        ++seen;
        return proxy::AnswerMode::kEvents;
    }
    std::optional<std::string> answer_bytes(uint64_t, std::string_view) override {
        ++seen;
        return "shown";
    }
    proxy::AnswerEnd answer_end(uint64_t, std::string_view, std::string_view held,
                                int64_t) override {
        ++seen;
        EXPECT_EQ(held, "held");
        return std::exchange(end, {});
    }

    bool throws = false;
    proxy::AnswerEnd end;  // of the next response
    int seen = 0;
};

struct Meter {
    void call(uint64_t number, const char *upstream, int status, bool is_whole = true) {
        const proxy::CallHead head = {"POST", "/x", kNoHeaders, upstream};
        EXPECT_EQ(meter.outgoing(number, head, "body", 1000 + static_cast<int64_t>(number)),
                  "rewritten");
        now_us += 3'000;
        if (status) meter.answer_head(number, status, kNoHeaders);
        EXPECT_EQ(meter.answer_bytes(number, "x"), "shown");
        meter.answer_end(number, is_whole ? "" : "it broke off", "held", 2000);
    }

    int64_t now_us = 0;
    Silent next;
    CallMeter meter{next, [this] { return now_us; }};
};

TEST(CallMeter, CountsByUpstreamAndStatus) {
    Meter it;
    it.call(1, "openai", 200);
    it.call(2, "openai", 200, false);
    it.call(3, "anthropic", 529);
    it.call(4, "anthropic", 0, false);
    const CallMeter::Counts expected = {
        {{"anthropic", 0}, 1}, {{"anthropic", 529}, 1}, {{"openai", 200}, 2}};
    EXPECT_EQ(it.meter.ended(), expected);
    EXPECT_EQ(it.meter.calls(), 4u);
    EXPECT_EQ(it.meter.broken(), 1u);
    EXPECT_EQ(it.meter.running(), 0u);
    EXPECT_EQ(it.meter.last_call_ms(), 1004);
    EXPECT_EQ(it.next.seen, 3 + 3 + 3 + 2);
    std::string text;
    it.meter.heads().print("h", "H.", text);
    EXPECT_NE(text.find("h_bucket{le=\"0.0025\"} 0\nh_bucket{le=\"0.005\"} 3\n"), text.npos)
        << text;
}

TEST(CallMeter, ACallWhoseRewritingFailsIsCounted) {
    Meter it;
    it.next.throws = true;
    const proxy::CallHead head = {"POST", "/x", kNoHeaders, "openai"};
    EXPECT_THROW(it.meter.outgoing(1, head, "", 0), std::runtime_error);
    EXPECT_EQ(it.meter.running(), 1u);
    it.meter.answer_end(1, "", "held", 0);
    it.meter.answer_end(1, "", "held", 0);  // an end without a beginning counts nothing
    EXPECT_EQ(it.meter.ended().size(), 1u);
    EXPECT_EQ(it.meter.running(), 0u);
}

constexpr const char *kBody =
    R"({"model":"<i>\"x","messages":[{"role":"user","content":"secret words"},)"
    R"({"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Read",)"
    R"("input":{"path":"</script><b>\"\\.cc"}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"secret"}]}]})";

TEST(CallMeter, AFurtherCallIsPartOfItsCall) {
    Meter it;
    it.next.end.follow_up = "more";
    it.call(1, "openai", 200);
    EXPECT_EQ(it.meter.running(), 1u);
    EXPECT_TRUE(it.meter.ended().empty());
    EXPECT_EQ(it.meter.answer_head(1, 200, kNoHeaders), proxy::AnswerMode::kEvents);
    it.next.end.is_broken = true;
    EXPECT_TRUE(it.meter.answer_end(1, "", "held", 2000).is_broken);
    EXPECT_EQ(it.meter.running(), 0u);
    EXPECT_EQ(it.meter.ended().at({"openai", 200}), 1u);
    EXPECT_EQ(it.meter.calls(), 1u);
    EXPECT_EQ(it.meter.broken(), 1u);
    std::string text;
    it.meter.heads().print("h", "H.", text);
    EXPECT_NE(text.find("h_count 1\n"), text.npos) << text;
    // If the further call cannot be made, the response ends again.
    it.next.end = {};
    it.next.end.follow_up = "more";
    it.call(2, "openai", 200, false);
    EXPECT_EQ(it.meter.running(), 0u);
}

// A page over a rewriter that has seen one call.
struct Page {
    explicit Page(bool has_history = true)
        : page({"1.2.3", 4000, {{"anthropic", "https://api.anthropic.com"}}}, meter, rewriter,
               has_history ? &history : nullptr) {
        if (has_history) rewriter.show(&history);
        const proxy::CallHead head = {"POST", "/v1/messages", kNoHeaders, "anthropic"};
        meter.outgoing(1, head, kBody, 5000);
        meter.answer_head(1, 200, {{"content-type", "application/json"}});
        meter.answer_bytes(1, R"({"usage":{"input_tokens":1000,"output_tokens":10}})");
        meter.answer_end(1, "", "", 6000);
    }
    proxy::OwnAnswer get(std::string_view target, const Headers &headers = kNoHeaders) {
        return page.answer({target, headers, 3}, 9000);
    }

    proxy::Conversations conversations{{}};
    proxy::CallHistory history;
    proxy::Rewriter rewriter{{}, conversations, proxy::PriceTable()};
    CallMeter meter{rewriter, [] { return 0; }};
    proxy::ProxyPage page;
};

TEST(ProxyPage, Status) {
    Page page;
    const proxy::OwnAnswer answer = page.get("/_accp/status?x=y");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.type, "application/json");
    EXPECT_TRUE(accp_ref::parse_json(answer.body)) << answer.body;
    const std::string begin =
        R"({"name":"accp proxy","version":"1.2.3","started_ms":4000,"now_ms":9000,)"
        R"("upstreams":[{"name":"anthropic","url":"https://api.anthropic.com"}],"connections":3,)"
        R"("calls":1,"running":0,"last_call_ms":5000,"conversations":1,"not_understood":0,)"
        R"("bill":{"rewritten":{"calls":1,)";
    EXPECT_EQ(answer.body.substr(0, begin.size()), begin);
    EXPECT_EQ(answer.body.find("secret"), std::string::npos);
    for (const char *target : {"/_accp/nothing", "/_accp/status/", "/_accp/STATUS"})
        EXPECT_EQ(page.get(target).status, 404) << target;
}

struct FullJournal final : proxy::Journal {
    bool load(const std::function<void(std::string_view)> &) override { return true; }
    bool append(std::string_view) override { return !is_full; }
    bool replace(const std::vector<std::string> &) override { return !is_full; }
    bool is_full = false;
};

// While the store cannot be written, nothing more is left out. The status has that.
TEST(ProxyPage, AFullStoreIsInTheStatus) {
    FullJournal journal;
    proxy::Conversations conversations({}, &journal);
    ASSERT_TRUE(conversations.load());
    proxy::Rewriter rewriter({}, conversations, proxy::PriceTable());
    CallMeter meter(rewriter, [] { return 0; });
    proxy::ProxyPage page({"1.2.3", 4000, {}}, meter, rewriter);
    for (const bool is_full : {false, true}) {
        journal.is_full = is_full;
        meter.outgoing(1, {"POST", "/v1/messages", kNoHeaders, "anthropic"}, kBody, 5000);
        meter.answer_end(1, "Connection refused", "", 6000);
        const std::string status = page.answer({"/_accp/status", kNoHeaders, 3}, 9000).body;
        EXPECT_TRUE(
            status.ends_with(std::string(R"(,"last_failure":{"time_ms":6000,"upstream":)") +
                             R"("anthropic","reason":"Connection refused"},"store_fails":)" +
                             (is_full ? "true}\n" : "false}\n")))
            << status;
    }
}

TEST(ProxyPage, Metrics) {
    Page page;
    const std::string text = page.get("/_accp/metrics").body;
    for (const char *line :
         {"accp_proxy_connections 3", "accp_proxy_running_calls 0",
          "accp_proxy_calls_total{upstream=\"anthropic\",status=\"200\"} 1",
          "accp_proxy_model_calls_total{group=\"rewritten\"} 1",
          "accp_proxy_model_calls_total{group=\"held_out\"} 0",
          "accp_proxy_tokens_total{kind=\"input\"} 1000",
          "accp_proxy_tokens_total{kind=\"output\"} 10",
          "accp_proxy_billed_total{group=\"rewritten\"} 0.00105",
          "# TYPE accp_proxy_deciding_seconds histogram", "accp_proxy_answer_head_seconds_count 1"})
        EXPECT_NE(text.find(std::string(line) + "\n"), text.npos) << line << "\n" << text;
    EXPECT_EQ(text.find("secret"), text.npos);
    std::vector<std::string> families;
    const std::string_view type = "# TYPE accp_proxy_";
    for (size_t at = 0; (at = text.find(type, at)) != text.npos;) {
        at += type.size();
        families.push_back(text.substr(at, text.find(' ', at) - at));
    }
    EXPECT_EQ(
        families,
        (std::vector<std::string>{
            "connections", "running_calls", "calls_total", "broken_answers_total",
            "deciding_seconds", "answer_head_seconds", "model_calls_total", "failed_calls_total",
            "rewritten_calls_total", "calls_without_usage_total", "evicted_pages_total",
            "resolve_calls_total", "billed_total", "untouched_total", "untouched_error_total",
            "rewriting_total", "tokens_total", "not_understood_total"}));
}

TEST(ProxyPage, Files) {
    Page page;
    EXPECT_EQ(page.get("/_accp").status, 308);
    EXPECT_EQ(page.get("/_accp").headers, (Headers{{"Location", "/_accp/"}}));
    struct Case {
        const char *path, *type, *word;
    };
    for (const Case &one : std::vector<Case>{{"/_accp/", "text/html", "<!doctype html>"},
                                             {"/_accp/?x", "text/html", "<!doctype html>"},
                                             {"/_accp/page.js", "text/javascript", "setInterval"},
                                             {"/_accp/page.css", "text/css", ".strip"},
                                             {"/_accp/look.css", "text/css", "color-scheme"}}) {
        const proxy::OwnAnswer answer = page.get(one.path);
        EXPECT_EQ(answer.status, 200) << one.path;
        EXPECT_EQ(answer.type, std::string(one.type) + "; charset=utf-8");
        EXPECT_NE(answer.body.find(one.word), std::string::npos) << one.path;
        EXPECT_TRUE(page.page.is_public(one.path)) << one.path;
        EXPECT_EQ(answer.headers.at(0).first, "content-security-policy");
        EXPECT_TRUE(
            answer.headers.at(0).second.starts_with("default-src 'none'; script-src 'self'"));
    }
    for (const char *path :
         {"/_accp/index.html", "/_accp/page.js/", "/_accp//", "/_accp/../page.js"})
        EXPECT_EQ(page.get(path).status, 404) << path;
    for (const char *path : {"/_accp/status", "/_accp/metrics", "/_accp/conversations",
                             "/_accp/conversation?id=0", "/_accp/nothing", "/v1/messages"})
        EXPECT_FALSE(page.page.is_public(path)) << path;
}

TEST(ProxyPage, Conversations) {
    Page page;
    const proxy::OwnAnswer all = page.get("/_accp/conversations");
    ASSERT_EQ(all.status, 200);
    EXPECT_TRUE(accp_ref::parse_json(all.body)) << all.body;
    EXPECT_NE(all.body.find(R"("model":"<i>\"x")"), std::string::npos) << all.body;
    const std::string id = all.body.substr(all.body.find("\"id\":\"") + 6, 16);
    const proxy::OwnAnswer one = page.get("/_accp/conversation?id=" + id);
    ASSERT_EQ(one.status, 200) << id;
    EXPECT_TRUE(accp_ref::parse_json(one.body)) << one.body;
    // The label is the name of the tool and its argument; nothing else is text of the client.
    EXPECT_NE(one.body.find(R"(,"Read </script><b>\"\\.cc"])"), std::string::npos) << one.body;
    for (const std::string &body : {all.body, one.body})
        EXPECT_EQ(body.find("secret"), std::string::npos) << body;
    for (const char *query : {"", "?id=", "?id=0", "?id=00000000000000000", "?id=zzzzzzzzzzzzzzzz",
                              "?id=+000000000000000", "?id=0000000000000000"})
        EXPECT_EQ(page.get("/_accp/conversation" + std::string(query)).status, 404) << query;
    EXPECT_EQ(page.get("/_accp/conversation?id=" + id + "&x").status, 404);
}

TEST(ProxyPage, NothingIsSentTwice) {
    Page page;
    const proxy::OwnAnswer first = page.get("/_accp/conversations");
    ASSERT_EQ(first.headers.size(), 2u);
    EXPECT_EQ(first.headers[0], (Headers::value_type{"Cache-Control", "no-store"}));
    const Headers same = {{"if-none-match", first.headers[1].second}};
    EXPECT_EQ(page.get("/_accp/conversations", same).status, 304);
    EXPECT_EQ(page.get("/_accp/conversations", same).body, "");
    EXPECT_EQ(page.get("/_accp/conversations", {{"If-None-Match", "\"9\""}}).status, 200);
    EXPECT_EQ(page.get("/_accp/conversation?id=zz", same).status, 404);
    page.history.end(1);  // the end of an unknown call changes nothing
    EXPECT_EQ(page.get("/_accp/conversations", same).status, 304);
    page.rewriter.outgoing(9, {"POST", "/v1/messages", kNoHeaders, "anthropic"},
                           R"({"model":"m","messages":[{"role":"user","content":"x"}]})", 1);
    EXPECT_EQ(page.get("/_accp/conversations", same).status, 200);
}

TEST(ProxyPage, WithoutAPageOnlyFiguresAreLeft) {
    Page page(false);
    for (const char *path : {"/_accp", "/_accp/", "/_accp/page.js", "/_accp/conversations",
                             "/_accp/conversation?id=0000000000000000"}) {
        EXPECT_EQ(page.get(path).status, 404) << path;
        EXPECT_FALSE(page.page.is_public(path)) << path;
    }
    EXPECT_EQ(page.get("/_accp/status").status, 200);
    EXPECT_EQ(page.get("/_accp/metrics").status, 200);
}

}  // namespace
