// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/body_rewriter.h"

#include <algorithm>
#include <memory>

#include "context/options.h"
#include "proxy/marks.h"

namespace proxy {

namespace {

// No model reads more. The limit keeps sums of prices from overflowing.
constexpr uint64_t kMaxPromptTokens = 1 << 24;
// The provider adds about this many tokens to each block.
constexpr uint64_t kBlockTokens = 4;

// The account looks for the request before this one among so many. (Calls that failed have no
// size.)
constexpr size_t kMaxEnds = 8;

// Bytes of tools that every model caches: some 4,096 tokens.
constexpr size_t kMinCachedTools = 16 << 10;

// A result with fewer tokens does not leave because later pages repeat it.
constexpr uint32_t kMinRepeatedTokens = 100;

// A result that the model has requested again stays whole for this many of its calls.
constexpr uint32_t kResolvedCalls = 8;

// Strings that the model does not read as text: images, documents, signatures.
bool is_binary(std::string_view key, std::string_view text) {
    return key == "data" || key == "file_data" || text.starts_with("data:");
}
bool is_secret(std::string_view key) { return key == "signature" || key == "encrypted_content"; }

// Returns the nodes of the tools whose definitions are in the prompt.
std::vector<uint32_t> prompt_tools(const ModelRequest &request, Api api) {
    std::vector<uint32_t> tools;
    const accp::value::TreeView tree = request.tree();
    const uint32_t list = tree.find(0, "tools");
    if (!list || tree[list].kind != ACCP_ARRAY) return tools;
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next)
        if (!request.is_deferred(api, i)) tools.push_back(i);
    return tools;
}

// Returns a number from 0 to 1 that depends on the conversation alone.
double share_of(uint64_t conversation) {
    return static_cast<double>(conversation >> 11) / static_cast<double>(uint64_t{1} << 53);
}

}  // namespace

BodyRewriter::BodyRewriter(const RewriteOptions &options, Conversations &conversations)
    : options_(options),
      conversations_(conversations),
      request_(conversations.key()),
      repeated_text_(conversations.key()),
      memory_(accp::private_allocator(), UINT64_MAX),
      counter_(memory_) {
    if (!accp::token::open_embedded("o200k_base", tokenizer_)) {
        tokenizer_.kind = accp::token::TokenizerKind::kEstimate;
        tokenizer_.approx = tokenizer_.numbers_are_tokens = true;
        tokenizer_.pattern = accp::token::find_pattern("o200k_base");
    }
    counter_.open(tokenizer_, accp::kTokenCache);
}

uint32_t BodyRewriter::count(std::string_view text) {
    uint64_t tokens = 0;
    if (counter_.count(text, UINT32_MAX, tokens).failed()) tokens = text.size() / 4;
    return static_cast<uint32_t>(std::min<uint64_t>(tokens, UINT32_MAX));
}

void BodyRewriter::count_subtree(uint32_t node, uint64_t &tokens) {
    const accp::value::TreeView tree = request_.tree();
    for (uint32_t i = node; i < tree[node].next; ++i) {
        const std::string_view key = i == node ? std::string_view{} : tree.key(i);
        if (key == kCacheMark || is_secret(key)) {
            i = tree[i].next - 1;
            continue;
        }
        if (!key.empty()) tokens += count(key);
        if (accp::value::is_container(tree[i].kind)) continue;
        const std::string_view text = tree.string(i);
        tokens += is_binary(key, text) ? accp::context::kMediaTokens : count(text);
    }
}

uint32_t BodyRewriter::count_tokens(const Page &page) {
    const accp::value::TreeView tree = request_.tree();
    uint64_t tokens = kBlockTokens;
    if (page.node) {
        count_subtree(page.node, tokens);
    } else {
        for (const std::string_view member : {"functions", "system", "instructions"})
            if (const uint32_t node = tree.find(0, member)) count_subtree(node, tokens);
        for (const uint32_t tool : prompt_tools(request_, plan_.api)) count_subtree(tool, tokens);
    }
    return static_cast<uint32_t>(std::min<uint64_t>(tokens, UINT32_MAX));
}

bool BodyRewriter::read(Api api, std::string_view upstream, std::string_view body, int64_t now_ms) {
    now_ms_ = now_ms;
    if (!first_ms_) first_ms_ = now_ms;
    plan_ = {};
    if (!request_.read(api, upstream, body)) return false;
    chain_pages(api, upstream);
    if (!conversations_.find(path_, now_ms)) return false;
    plan_.conversation = path_.chains[request_.first_turn() - 1].high;
    plan_.api = api;
    plan_.model = request_.model();
    plan_.pages = static_cast<uint32_t>(path_.chains.size());
    plan_.keeps_an_hour = request_.keeps_an_hour();
    plan_.is_continuation = request_.is_continuation();
    plan_.is_holdout = share_of(plan_.conversation) < options_.holdout;
    path_.has_tool = decide_tool();
    measure_pages();
    plan_.is_joined = known_ < request_.first_turn() && request_.calls();
    plan_.marks_tools = api == Api::kMessages && marks_tools();
    find_exchanges();
    decide_marks();
    return true;
}

bool BodyRewriter::marks_tools() const {
    const uint32_t list = request_.tree().find(0, "tools");
    size_t bytes = 0;
    for (const uint32_t tool : prompt_tools(request_, plan_.api))
        bytes += request_.raw(tool).size();
    return list && request_.mark_within(list) && bytes >= kMinCachedTools;
}

// The front is not part of a place: a client may change its tools or its model between a call of
// accp_resolve and the next request.
void BodyRewriter::chain_pages(Api api, std::string_view upstream) {
    const HashKey &key = conversations_.key();
    path_.chains.clear();
    path_.places.clear();
    Hash chain, place = hash_text(static_cast<char>(api) + std::string(upstream), key);
    for (const Page &page : request_.pages()) {
        path_.chains.push_back(chain = hash_chain(chain, page.hash, key));
        if (page.node) place = hash_chain(place, page.hash, key);
        path_.places.push_back(place);
    }
}

void BodyRewriter::decide_marks() {
    constexpr uint64_t kMinTokens = 1024;  // the provider caches no less
    marks_.clear();
    if (plan_.api != Api::kMessages || plan_.is_holdout) return;
    if (!request_.marked()) {
        // The first call of a conversation may be its only one, so it gets no marks: they would
        // cost a quarter more, and the cached prefix would never be read.
        if (options_.adds_marks && request_.calls() && prompt_tokens() >= kMinTokens)
            marks_ = own_marks(request_);
        plan_.adds_marks = !marks_.empty();
    } else if (states_[0].tokens >= kMinTokens &&
               request_.mark_count() + 1 < ModelRequest::kMaxMarks) {
        // Without a mark at its end, the first eviction would write the front again. The mark costs
        // nothing, since the client's marks cache the front too. One is left for the anchor. A mark
        // for five minutes must not come before one for an hour, so this is a copy of the first.
        if (const auto mark = front_mark(request_, request_.raw(request_.marks().front().node)))
            marks_.push_back(*mark);
    }
}

// Finds the exchanges in the responses of the model.
void BodyRewriter::find_exchanges() {
    exchanges_.clear();
    for (size_t i = 1; i < states_.size(); ++i) {
        const Hash &place = path_.places[i - 1];
        if (!is_answer(request_.pages()[i].kind) || !conversations_.has_exchange(place)) continue;
        const ModelMessage message = find_model_message(request_, plan_.api, i);
        if (!message.count || is_answer(request_.pages()[i - 1].kind)) continue;
        const Hash print = print_of(request_, plan_.api, message, conversations_.key());
        const Exchange *exchange = conversations_.find_exchange(place, print);
        if (!exchange || !can_put_back(request_, plan_.api, message, *exchange)) continue;
        measure_exchange(exchanges_.emplace_back(KnownExchange{message, exchange, 0, 0, 0}));
    }
}

// The results of an exchange leave with the result before it, or else with the first one after it.
// Another branch may have evicted such a result when this exchange was too new to leave.
void BodyRewriter::measure_exchange(KnownExchange &known) {
    const uint32_t call = request_.pages()[known.message.first].call + 1;
    const auto can_host = [&](size_t place) {
        const PageState &state = states_[place];
        return request_.pages()[place].content && state.stub_tokens &&
               (!state.is_evicted() || state.evicted_at > call + kResolvedCalls);
    };
    known.host = known.message.first - 1;
    if (!can_host(known.host)) {
        known.host = known.message.first + known.message.count;
        while (known.host < states_.size() && !can_host(known.host)) ++known.host;
        if (known.host == states_.size()) known.host = 0;
    }
    for (const ResolveRound &round : known.exchange->rounds)
        for (const ResolvedCall &call : round.calls) {
            const uint32_t tokens = count(call.json) + kBlockTokens;
            known.whole += tokens;
            known.line += tokens;
            if (call.outcome != ResolveOutcome::kFound || call.number >= states_.size()) continue;
            known.whole += states_[call.number].tokens;
            known.line += states_[call.number].stub_tokens;
        }
}

// Sets the states of all pages. Counts the tokens of those that no earlier call had.
void BodyRewriter::measure_pages() {
    const std::vector<Page> &pages = request_.pages();
    known_ = path_.known.size();
    states_.clear();
    for (size_t i = 0; i < pages.size(); ++i) {
        if (i < known_) {
            states_.push_back(conversations_.page(path_.known[i]));
            continue;
        }
        PageState &fresh = path_.fresh[i - known_];
        fresh.tokens = count_tokens(pages[i]);
        if (pages[i].content) {
            const std::string stub =
                stubs_.write(request_, pages[i], fresh.tokens, path_.has_tool ? i : 0);
            if (!stub.empty())
                fresh.stub_tokens = static_cast<uint16_t>(
                    std::min<uint64_t>(count(stub) + kBlockTokens, UINT16_MAX));
        }
        states_.push_back(fresh);
    }
    counter_.recycle();
}

// Finds the pages that the provider has cached. If the model has read a page that is new to the
// proxy, an earlier call did not come through this proxy. Such a page counts as cached, unless a
// page before it has expired.
void BodyRewriter::find_cached(int64_t cache_ms) {
    cached_.clear();
    for (size_t i = 0; i < states_.size(); ++i) {
        const bool had = i < known_ ? conversations_.age_ms(path_.known[i], now_ms_) <= cache_ms
                                    : request_.pages()[i].call < request_.calls();
        cached_.push_back(had && (i == 0 || cached_[i - 1]));
    }
}

uint64_t BodyRewriter::prompt_tokens() const {
    uint64_t tokens = 0;
    for (const PageState &state : states_) tokens += state.tokens;
    return tokens;
}

// Returns how many requests in a row mark the end of a request: the one itself, and maybe those
// after it. The marks of this request are typical. `moved`: the node of a mark that does not count.
uint32_t BodyRewriter::marking_requests(uint32_t moved) const {
    const std::vector<Mark> &marks = request_.marks();
    uint32_t count = 0;
    size_t end = request_.pages().size() - 1;
    while (count < marks.size()) {
        const Mark &mark = marks[marks.size() - 1 - count];
        if (mark.page != end || mark.node == moved) break;
        end = request_.request_end_before(end);
        ++count;
    }
    return std::max<uint32_t>(count, 1);
}

// Anthropic finds a prefix in its cache only at a place that an earlier request marked, within 20
// blocks before a mark of this one. Requests end with a mark, and the next ones may mark the same
// place again. The place is valid if no page before it was evicted after the last of them. Returns
// the first valid place, or the number of pages.
size_t BodyRewriter::find_rewritten(std::vector<accp::context::Page> &pages) const {
    const size_t count = pages.size(), anchor = anchor_ ? anchor_->readable() : 0;
    const uint32_t marking = marking_requests(anchor_ ? anchor_->moved_mark(true) : 0);
    size_t first = count;
    uint32_t newest = 0, tokens = 0;  // the newest eviction so far; since the last valid place
    for (size_t i = 0; i < count; ++i) {
        const accp::context::Page &page = pages[i];
        pages[i].rewritten_before = tokens;
        tokens += page.is_cached ? page.tokens : 0;
        newest = std::max<uint32_t>(newest, states_[i + 1].evicted_at);
        const bool is_end = request_.ends_request(i + 1) && newest <= page.call + marking &&
                            i + ModelRequest::kLookBack >= count;
        if (!is_end && i + 1 != anchor) continue;
        first = std::min(first, i);
        tokens = 0;
    }
    return first;
}

// A result that the model has requested again is not left out because of what it repeats, nor is a
// short one, for which a stub saves nothing.
void BodyRewriter::find_repeated(std::vector<accp::context::Page> &pages) {
    const std::vector<uint32_t> shares =
        repeated_text_.shares(request_, [&](size_t place) { return is_stub(place); });
    for (size_t i = 0; i < pages.size(); ++i)
        if (pages[i].whole >= kMinRepeatedTokens) pages[i].repeated = shares[i + 1];
    for (const KnownExchange &one : exchanges_)
        if (one.host) pages[one.host - 1].repeated = 0;
}

// Returns the pages after the front that the request of this call of the model has, as they were
// sent before it. Calls are counted from 1.
std::vector<accp::context::Page> BodyRewriter::pages_before(uint32_t call) const {
    std::vector<accp::context::Page> pages;
    pages.reserve(states_.size());
    for (size_t i = 1; i < states_.size(); ++i) {
        const PageState &state = states_[i];
        const Page &page = request_.pages()[i];
        if (is_answer(page.kind) && page.call + 1 == call && call < model_call()) break;
        const bool is_evicted = state.is_evicted() && state.evicted_at < call;
        accp::context::Page &made = pages.emplace_back();
        made.tokens = is_evicted ? state.stub_tokens : state.tokens;
        made.whole = state.tokens;
        made.line = state.stub_tokens;
        made.call = page.call;
        made.may_leave =
            !is_evicted && state.stub_tokens && request_.may_leave(page) && page.call + 1 < call;
        made.is_cached = cached_[i];
    }
    for (const KnownExchange &one : exchanges_) {
        if (one.message.first > pages.size()) break;
        const bool has_host = one.host && one.host <= pages.size();
        accp::context::Page &page = pages[(has_host ? one.host : one.message.first - 1) - 1];
        const uint32_t since = call - 1 - request_.pages()[one.message.first].call;
        page.may_leave &= since > kResolvedCalls;
        page.tokens += tokens_of(one);
        page.whole += one.whole;
        page.line += one.line;
    }
    return pages;
}

// Returns the first page that the rule evicts in a call of the model or soon after it, or the last
// page of the request. A short conversation counts too, because it may soon be long.
size_t BodyRewriter::first_leaving(accp::context::RetentionRules rules, uint32_t call) const {
    constexpr uint32_t kSoon = 10;
    rules.whole_max = 0;
    const std::vector<accp::context::Page> pages = pages_before(call);
    const auto evicts = std::make_unique<bool[]>(pages.size());
    std::vector<accp::context::Verdict> verdicts(pages.size());
    accp::context::Retention(rules, 0, call - 1 + kSoon)
        .decide(pages.data(), pages.size(), false, evicts.get(), verdicts.data());
    size_t i = 0;
    while (i + 1 < pages.size() && verdicts[i].gain <= verdicts[i].miss) ++i;
    return i + 1;
}

// Returns the places of the pages to evict, in order. The first page is the front.
std::vector<size_t> BodyRewriter::decide(const accp::context::RetentionRules &rules) {
    if (plan_.is_holdout || plan_.is_continuation || prompt_tokens() > kMaxPromptTokens) return {};
    const size_t count = states_.size() - 1;
    std::vector<accp::context::Page> pages = pages_before(request_.calls() + 1);
    const size_t readable = plan_.api == Api::kMessages ? find_rewritten(pages) : 0;
    const accp::context::Retention retention(rules, 0, request_.calls());
    // Pages are cached up to some place. If that place is before all pages that may leave, the
    // cache is cold.
    const auto first =
        std::find_if(pages.begin(), pages.end(), [](const auto &page) { return page.may_leave; });
    if (first == pages.end()) return {};
    find_repeated(pages);
    const bool is_cold = !first->is_cached;
    const auto evicts = std::make_unique<bool[]>(count);
    std::vector<size_t> evicted;
    for (size_t i = retention.decide(pages.data(), count, is_cold, evicts.get()); i < count; ++i)
        if (evicts[i]) evicted.push_back(i + 1);
    if (evicted.empty()) return evicted;
    plan_.tokens.rewritten = pages[evicted.front() - 1].rewritten_before;
    // A front without a mark in the call before is written again too, by the first eviction. It is
    // not a part of rewritten_before: this happens once, whenever that is, so waiting does not
    // avoid it.
    const bool has_marked_front = request_.marks_front() || (!marks_.empty() && known_);
    if (anchor_ && evicted.front() <= readable + 1 && cached_[0] && !has_marked_front)
        plan_.tokens.rewritten += rules.host_tokens;
    return evicted;
}

std::optional<std::string> BodyRewriter::rewrite(const CallTerms &terms) {
    find_cached(terms.cache_ms);
    plan_.may_be_restart = plan_.is_joined && now_ms_ - *first_ms_ <= terms.cache_ms;
    accp::context::RetentionRules rules = terms.rules;
    rules.host_tokens = states_[0].tokens + tool_tokens();
    anchor_.reset();
    if (plan_.api == Api::kMessages && request_.marked())
        anchor_.emplace(request_, states_,
                        [&](uint32_t call) { return first_leaving(rules, call); });
    evicted_ = decide(rules);
    if (!conversations_.note_call(path_, evicted_, model_call(), now_ms_)) evicted_.clear();
    for (const KnownExchange &one : exchanges_) {
        const size_t last = one.message.first - 1;
        conversations_.keep_exchanges(path_.places[last], path_.known[last], now_ms_);
    }
    const auto now = static_cast<uint16_t>(std::min<uint32_t>(model_call(), UINT16_MAX));
    for (const size_t place : evicted_) states_[place].evicted_at = now;
    fill_plan();
    splice();
    if (edits_.empty()) return std::nullopt;
    return apply_edits(request_.body(), edits_);
}

void BodyRewriter::fill_plan() {
    CallTokens &tokens = plan_.tokens;
    const bool has_marks = plan_.api == Api::kMessages;
    for (size_t i = 0; i < states_.size(); ++i) {
        const PageState &state = states_[i];
        const uint32_t sent = is_stub(i) ? state.stub_tokens : state.tokens;
        tokens.whole += state.tokens;
        tokens.sent += sent;
        plan_.stubs += is_stub(i);
        const bool is_cached = cached_[i] && (i < known_ || plan_.is_joined);
        if (is_cached) tokens.cached += state.tokens;
        if (!has_marks || i < request_.marked()) tokens.marked += state.tokens;
        if (!evicted_.empty() && i >= evicted_.front() && is_cached) tokens.rewritten += sent;
        if (i + 1 == states_.size() || request_.ends_request(i))
            plan_.ends.push_back({path_.chains[i].low, tokens.whole});
    }
    std::reverse(plan_.ends.begin(), plan_.ends.end());
    plan_.ends.resize(std::min(plan_.ends.size(), kMaxEnds));
    tokens.cached = std::min(tokens.cached, tokens.marked);
    plan_.evicted_now = static_cast<uint32_t>(evicted_.size());
    tokens.added = tool_tokens();
    for (const KnownExchange &one : exchanges_) tokens.added += tokens_of(one);
    tokens.sent += tokens.added;
}

std::vector<SentPage> BodyRewriter::sent_pages() const {
    std::vector<SentPage> pages(states_.size());
    const size_t first = evicted_.empty() ? pages.size() : evicted_.front();
    const size_t marked = plan_.api == Api::kMessages ? request_.marked() : pages.size();
    for (size_t i = 0; i < pages.size(); ++i) {
        const PageState &state = states_[i];
        const bool is_cached = i < std::min(first, marked) && i < known_ && cached_[i];
        pages[i] = {path_.chains[i].low,
                    state.tokens,
                    state.tokens,
                    0,
                    request_.pages()[i].kind,
                    is_cached    ? PageUse::kCached
                    : i < known_ ? PageUse::kResident
                                 : PageUse::kNew};
        if (!is_stub(i)) continue;
        pages[i].use = PageUse::kEvicted;
        pages[i].sent_tokens = state.stub_tokens;
        pages[i].evicted_at = state.evicted_at;
    }
    return pages;
}

std::string BodyRewriter::label(size_t place) {
    return stubs_.label(request_, request_.pages()[place]);
}

// Returns the size of the tool in our tokens, or 0 if the request does not have it.
uint32_t BodyRewriter::tool_tokens() {
    if (!path_.has_tool) return 0;
    uint32_t &tokens = tool_tokens_[static_cast<size_t>(plan_.api)];
    if (!tokens) tokens = count(resolve_tool_json(plan_.api));
    return tokens;
}

std::string BodyRewriter::stub_of(size_t place) {
    return stubs_.write(request_, request_.pages()[place], states_[place].tokens,
                        path_.has_tool ? place : 0);
}

// Returns the JSON of a stub. A cache mark in the content stays, except `moved`.
std::string BodyRewriter::stub_content(size_t place, const std::string &stub,
                                       uint32_t moved) const {
    const uint32_t content = request_.pages()[place].content,
                   mark = request_.mark_within(content, moved);
    if (!mark) return json_string(stub);
    return R"([{"type":")" + std::string(request_.text_of(content + 1, "type")) + R"(","text":)" +
           json_string(stub) + ",\"" + std::string(kCacheMark) +
           "\":" + std::string(request_.raw(mark)) + "}]";
}

// Makes the edits of the body: stubs instead of the contents of evicted pages, the tool, and the
// exchanges.
void BodyRewriter::splice() {
    edits_ = marks_;
    const uint32_t moved = anchor_ && plan_.stubs ? anchor_->moved_mark(plan_.evicted_now) : 0;
    left_out_.clear();
    for (size_t i = 0; i < states_.size(); ++i) {
        const Page &page = request_.pages()[i];
        if (!is_stub(i)) continue;
        const std::string stub = stub_of(i);
        if (stub.empty()) continue;
        const size_t begin = request_.begin_of(page.content), end = request_.end_of(begin);
        left_out_.push_back({static_cast<uint32_t>(i), begin, end, page.is_error});
        edits_.push_back({begin, end, stub_content(i, stub, moved)});
    }
    if (anchor_ && plan_.stubs) anchor_->add_edits(plan_.evicted_now, edits_);
    splice_exchanges();
    if (!path_.has_tool) return;
    const size_t begin = request_.begin_of(request_.tree().find(0, "tools"));
    const size_t end = request_.end_of(begin) - 1;
    edits_.push_back({end, end, "," + std::string(resolve_tool_json(plan_.api))});
}

void BodyRewriter::splice_exchanges() {
    for (const KnownExchange &one : exchanges_) {
        const bool is_whole = !one.host || !is_stub(one.host);
        put_back(
            request_, plan_.api, one.message, *one.exchange,
            [&](const ResolvedCall &call) -> ResultContent {
                if (call.outcome != ResolveOutcome::kFound || call.number >= states_.size())
                    return {json_string(resolve_error(call.outcome, call.number)), true};
                const Page &page = request_.pages()[call.number];
                if (!is_whole) return {json_string(stub_of(call.number)), page.is_error};
                if (!page.content) return {"\"\"", true};
                return {without_marks(request_.raw(page.content), json_), page.is_error};
            },
            edits_);
    }
}

// Returns whether a further cache mark is allowed: the client uses marks, and with ours there are
// fewer than four.
bool BodyRewriter::can_mark() const {
    if (plan_.api != Api::kMessages || request_.marks().empty()) return false;
    const size_t anchors = anchor_ && plan_.stubs ? 1 : 0;
    return request_.mark_count() + marks_.size() + anchors < ModelRequest::kMaxMarks;
}

ResolveRequest BodyRewriter::resolve_request() const {
    const char *list = plan_.api == Api::kResponses ? "input" : "messages";
    ResolveRequest out;
    out.api = plan_.api;
    out.body = request_.body();
    out.edits = edits_;
    out.left_out = left_out_;
    out.messages_end = request_.end_of(request_.begin_of(request_.tree().find(0, list))) - 1;
    for (const Page &page : request_.pages()) out.results.push_back(page.kind == PageKind::kResult);
    out.chain = path_.chains.back();
    out.place = path_.places.back();
    out.can_mark = can_mark();
    return out;
}

}  // namespace proxy
