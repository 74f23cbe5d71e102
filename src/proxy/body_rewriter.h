// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Rewrites the body of a model call: old results that cost more than they are worth become stubs.
// All other bytes stay as they came.
//
// A result that became a stub is a stub in every later request that has it, with the same bytes.
// The newest results, which the model has not read yet, are always whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "context/retention.h"
#include "proxy/anchor.h"
#include "proxy/conversations.h"
#include "proxy/put_back.h"
#include "proxy/repeated_text.h"
#include "proxy/request.h"
#include "proxy/resolve_session.h"
#include "proxy/stub.h"
#include "token/count.h"

namespace proxy {

// The size of a call for the bill. Tokens are ours, not the provider's.
struct CallTokens {
    uint64_t whole = 0;   // of the request as it came
    uint64_t sent = 0;    // of the request as it was sent
    uint64_t cached = 0;  // of `whole`: the part that the provider would have in its cache
    uint64_t marked = 0;  // of `whole`: up to the last cache mark; all, if the provider needs none
    uint64_t rewritten = 0;  // of `sent`: cached before, and written again because of an eviction
    uint64_t added = 0;      // of `sent`: the tool accp_resolve, its calls and their results
};

// The end of a request: the last page of this one, or of an earlier one that it contains.
struct RequestEnd {
    uint64_t chain = 0;   // identifies the page and all before it
    uint64_t tokens = 0;  // of `whole`: up to and with the page
};

struct CallPlan {
    uint64_t conversation = 0;  // its number, the same after a restart with a journal
    Api api = Api::kNone;
    std::string model;
    CallTokens tokens;
    std::vector<RequestEnd> ends;  // of this request, then of the newest earlier ones
    uint32_t pages = 0, stubs = 0, evicted_now = 0;
    bool keeps_an_hour = false;
    bool is_holdout = false;
    bool is_continuation = false;
    bool is_joined = false;       // the conversation began before the proxy knew it
    bool marks_tools = false;     // a live cache has at least the tools, which have a mark
    bool may_be_restart = false;  // and another proxy may have rewritten it a short time ago
    bool adds_marks = false;      // the client sets no cache mark, and the request got ours
    bool is_resolve = false;      // a further call, with a result of accp_resolve
};

// How a page was sent.
enum class PageUse : uint8_t {
    kCached,    // in the provider's cache, as estimated
    kResident,  // an earlier request had it, but it is not in that cache
    kNew,
    kEvicted  // a stub
};

struct SentPage {
    uint64_t chain = 0;  // identifies the page and all before it
    uint32_t tokens = 0, sent_tokens = 0;
    uint16_t evicted_at = 0;  // the call before which it was evicted, from 1; 0: it was not
    PageKind kind = PageKind::kUser;
    PageUse use = PageUse::kNew;
};

struct RewriteOptions {
    double holdout = 0;        // the share of conversations that stay untouched
    bool has_resolve = false;  // new conversations get the tool accp_resolve
    bool adds_marks = false;   // conversations without cache marks get ours
};

// The rules that apply to a call.
struct CallTerms {
    accp::context::RetentionRules rules;  // host_tokens is not used: the front is in the body
    int64_t cache_ms = 300'000;           // how long the provider keeps a prefix after its last use
};

class BodyRewriter {
public:
    // `conversations`: borrowed, loaded.
    BodyRewriter(const RewriteOptions &options, Conversations &conversations);

    // Reads a body. Returns false if it is not understood; then send it unchanged.
    bool read(Api api, std::string_view upstream, std::string_view body, int64_t now_ms);
    std::string_view model() const { return request_.model(); }
    bool keeps_an_hour() const { return request_.keeps_an_hour(); }
    // Returns whether the provider caches nothing because the request has no mark.
    bool is_uncached() const {
        return plan_.api == Api::kMessages && !request_.marked() && !plan_.adds_marks;
    }
    // Returns the size of the request as it came, in our tokens.
    uint64_t prompt_tokens() const;

    // After read(): decides, notes the call, and returns the body to send; nothing if it is
    // unchanged.
    std::optional<std::string> rewrite(const CallTerms &terms);
    // After rewrite(), if can_resolve(): returns the input of a ResolveSession.
    ResolveRequest resolve_request() const;
    // Returns whether the response can be joined with those of further calls.
    bool can_resolve() const { return path_.has_tool && !wants_several(); }
    const CallPlan &plan() const { return plan_; }
    // Returns the number of this call among the calls of the model, from 1.
    uint32_t model_call() const { return request_.calls() + 1; }
    std::vector<SentPage> sent_pages() const;
    // Returns the name of the tool and its argument, as in a stub; empty if the page does not
    // belong to a tool.
    std::string label(size_t place);

private:
    struct KnownExchange {
        ModelMessage message;
        const Exchange *exchange;
        size_t host;           // the page with which its results leave; 0: they stay
        uint32_t whole, line;  // tokens of its calls and results, before and after that
    };

    uint32_t count(std::string_view text);
    uint32_t count_tokens(const Page &page);
    void count_subtree(uint32_t node, uint64_t &tokens);
    void chain_pages(Api api, std::string_view upstream);
    void measure_pages();
    bool decide_tool() const;
    bool marks_tools() const;
    bool may_add_tool() const;
    bool wants_several() const;
    bool are_items_resent() const;
    void find_exchanges();
    void decide_marks();
    void measure_exchange(KnownExchange &known);
    uint32_t tokens_of(const KnownExchange &known) const {
        return known.host && is_stub(known.host) ? known.line : known.whole;
    }
    void find_cached(int64_t cache_ms);
    uint32_t marking_requests(uint32_t moved) const;
    size_t find_rewritten(std::vector<accp::context::Page> &pages) const;
    void find_repeated(std::vector<accp::context::Page> &pages);
    std::vector<accp::context::Page> pages_before(uint32_t call) const;
    size_t first_leaving(accp::context::RetentionRules rules, uint32_t call) const;
    std::vector<size_t> decide(const accp::context::RetentionRules &rules);
    uint32_t tool_tokens();
    void fill_plan();
    bool is_stub(size_t place) const {
        return states_[place].is_evicted() && request_.may_leave(request_.pages()[place]);
    }
    std::string stub_of(size_t place);
    std::string stub_content(size_t place, const std::string &stub, uint32_t moved) const;
    void splice();
    void splice_exchanges();
    bool can_mark() const;

    RewriteOptions options_;
    Conversations &conversations_;
    ModelRequest request_;
    JsonText json_;  // of contents, one at a time
    StubWriter stubs_;
    RepeatedText repeated_text_;
    accp::Memory memory_;
    accp::token::Tokenizer tokenizer_;
    accp::token::TokenCounter counter_;
    ConversationPath path_;
    std::vector<PageState> states_;         // of all pages of the request, before the decision
    std::vector<bool> cached_;              // by the provider
    std::optional<Anchor> anchor_;          // in the Messages interface
    std::vector<size_t> evicted_;           // places of pages that this call evicts
    std::vector<KnownExchange> exchanges_;  // in this request
    std::vector<Edit> edits_, marks_;
    std::vector<LeftOut> left_out_;
    uint32_t tool_tokens_[4] = {};  // of accp_resolve, by the interface
    size_t known_ = 0;              // the number of pages that an earlier call had
    CallPlan plan_;
    int64_t now_ms_ = 0;
    std::optional<int64_t> first_ms_;  // when the first call came
};

}  // namespace proxy
