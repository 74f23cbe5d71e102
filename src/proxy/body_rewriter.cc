// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/body_rewriter.h"

#include <algorithm>
#include <memory>

#include "value/json_writer.h"

namespace proxy {

namespace {

constexpr uint64_t kImageTokens = 1500;
// No model reads more. It keeps sums of prices from overflowing.
constexpr uint64_t kMaxPromptTokens = 1 << 24;
// What the provider adds to each block, about.
constexpr uint64_t kBlockTokens = 4;

// Strings that the model does not read as text: images, documents, signatures.
bool is_binary(std::string_view key, std::string_view text) {
    return key == "data" || key == "file_data" || text.starts_with("data:");
}
bool is_secret(std::string_view key) { return key == "signature" || key == "encrypted_content"; }

// A number from 0 to 1 that depends on the conversation alone.
double share_of(uint64_t conversation) {
    return static_cast<double>(conversation >> 11) / static_cast<double>(uint64_t{1} << 53);
}

}  // namespace

BodyRewriter::BodyRewriter(const RewriteOptions &options, Conversations &conversations)
    : options_(options),
      conversations_(conversations),
      request_(conversations.key()),
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
        if (key == "cache_control" || is_secret(key)) {
            i = tree[i].next - 1;
            continue;
        }
        if (!key.empty()) tokens += count(key);
        if (accp::value::is_container(tree[i].kind)) continue;
        const std::string_view text = tree.string(i);
        tokens += is_binary(key, text) ? kImageTokens : count(text);
    }
}

uint32_t BodyRewriter::count_tokens(const Page &page) {
    const accp::value::TreeView tree = request_.tree();
    uint64_t tokens = kBlockTokens;
    if (page.node) {
        count_subtree(page.node, tokens);
    } else {
        for (const std::string_view member : {"tools", "functions", "system", "instructions"})
            if (const uint32_t node = tree.find(0, member)) count_subtree(node, tokens);
    }
    return static_cast<uint32_t>(std::min<uint64_t>(tokens, UINT32_MAX));
}

bool BodyRewriter::read(Api api, std::string_view upstream, std::string_view body, int64_t now_ms) {
    now_ms_ = now_ms;
    plan_ = {};
    if (!request_.read(api, upstream, body)) return false;
    path_.chains.clear();
    Hash chain;
    for (const Page &page : request_.pages())
        path_.chains.push_back(chain = hash_chain(chain, page.hash, conversations_.key()));
    if (!conversations_.find(path_, now_ms)) return false;
    plan_.conversation = path_.chains[request_.first_turn() - 1].high;
    plan_.api = api;
    plan_.model = request_.model();
    plan_.pages = static_cast<uint32_t>(path_.chains.size());
    plan_.keeps_an_hour = request_.keeps_an_hour();
    plan_.is_continuation = request_.is_continuation();
    plan_.is_holdout = share_of(plan_.conversation) < options_.holdout;
    measure_pages();
    return true;
}

// The state of all pages. Those that no earlier call had are counted.
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
            const std::string stub = stubs_.write(request_, pages[i], fresh.tokens);
            if (!stub.empty())
                fresh.stub_tokens = static_cast<uint16_t>(
                    std::min<uint64_t>(count(stub) + kBlockTokens, UINT16_MAX));
        }
        states_.push_back(fresh);
    }
    counter_.recycle();
}

// A call that did not come through this proxy may have had what the model has read: it counts as
// cached, unless a page before it has expired.
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

// Anthropic finds a prefix in its cache only where an earlier request had a mark, and only 20
// blocks back from a mark of this one. The request before call n ended with a mark: that place is
// valid if nothing in it was evicted since.
void BodyRewriter::find_rewritten(std::vector<accp::context::Page> &pages) const {
    constexpr size_t kLookBack = 20;
    const size_t count = pages.size();
    uint32_t newest = 0, tokens = 0;  // the newest eviction so far; since the last valid place
    for (size_t i = 0; i < count; ++i) {
        const accp::context::Page &page = pages[i];
        pages[i].rewritten_before = tokens;
        tokens += page.is_cached ? page.tokens : 0;
        newest = std::max<uint32_t>(newest, states_[i + 1].evicted_at);
        const bool ends_request = i + 1 < count && pages[i + 1].call == page.call &&
                                  is_answer(request_.pages()[i + 2].kind) &&
                                  !is_answer(request_.pages()[i + 1].kind);
        if (ends_request && newest <= page.call + 1 && i + kLookBack >= count) tokens = 0;
    }
}

// Returns the places of the pages to evict, in order. The first page is the front.
std::vector<size_t> BodyRewriter::decide(accp::context::RetentionRules rules) const {
    if (plan_.is_holdout || plan_.is_continuation || prompt_tokens() > kMaxPromptTokens) return {};
    const size_t count = states_.size() - 1;
    std::vector<accp::context::Page> pages(count);
    for (size_t i = 0; i < count; ++i) {
        const PageState &state = states_[i + 1];
        const Page &page = request_.pages()[i + 1];
        pages[i].tokens = state.is_evicted() ? state.stub_tokens : state.tokens;
        pages[i].whole = state.tokens;
        pages[i].line = state.stub_tokens;
        pages[i].call = page.call;
        pages[i].may_leave = !state.is_evicted() && state.stub_tokens && request_.may_leave(page);
        pages[i].is_cached = cached_[i + 1];
    }
    rules.host_tokens = states_[0].tokens;
    if (plan_.api == Api::kMessages) find_rewritten(pages);
    const accp::context::Retention retention(rules, 0, request_.calls());
    // Pages are cached up to some place. If that is before all that may leave, the cache is cold.
    const auto first =
        std::find_if(pages.begin(), pages.end(), [](const auto &page) { return page.may_leave; });
    if (first == pages.end()) return {};
    const bool is_cold = !first->is_cached;
    const auto evicts = std::make_unique<bool[]>(count);
    std::vector<size_t> evicted;
    for (size_t i = retention.decide(pages.data(), count, is_cold, evicts.get()); i < count; ++i)
        if (evicts[i]) evicted.push_back(i + 1);
    return evicted;
}

std::optional<std::string> BodyRewriter::rewrite(const CallTerms &terms) {
    find_cached(terms.cache_ms);
    std::vector<size_t> evicted = decide(terms.rules);
    if (!conversations_.note_call(path_, evicted, request_.calls() + 1, now_ms_)) evicted.clear();
    for (const size_t place : evicted) states_[place].evicted_at = 1;
    fill_plan(evicted);
    return splice();
}

void BodyRewriter::fill_plan(const std::vector<size_t> &evicted) {
    CallTokens &tokens = plan_.tokens;
    const bool has_marks = plan_.api == Api::kMessages;
    for (size_t i = 0; i < states_.size(); ++i) {
        const PageState &state = states_[i];
        const bool is_stub = state.is_evicted() && request_.may_leave(request_.pages()[i]);
        const uint32_t sent = is_stub ? state.stub_tokens : state.tokens;
        tokens.whole += state.tokens;
        tokens.sent += sent;
        plan_.stubs += is_stub;
        const bool is_known = i < known_;
        if (is_known && cached_[i]) tokens.cached += state.tokens;
        if (!has_marks || i < request_.marked()) tokens.marked += state.tokens;
        if (!evicted.empty() && i >= evicted.front() && is_known && cached_[i])
            tokens.rewritten += sent;
    }
    tokens.cached = std::min(tokens.cached, tokens.marked);
    plan_.evicted_now = static_cast<uint32_t>(evicted.size());
}

// Replaces the contents of evicted pages by their stubs.
std::optional<std::string> BodyRewriter::splice() {
    if (!plan_.stubs) return std::nullopt;
    const std::string_view body = request_.body();
    accp::Buffer<char> stub_json(memory_);
    std::string out;
    out.reserve(body.size());
    size_t copied = 0;
    for (size_t i = 0; i < states_.size(); ++i) {
        const Page &page = request_.pages()[i];
        if (!states_[i].is_evicted() || !request_.may_leave(page)) continue;
        const std::string stub = stubs_.write(request_, page, states_[i].tokens);
        if (stub.empty()) continue;
        stub_json.clear();
        accp::value::write_json_string(stub, stub_json);
        const size_t begin = request_.begin_of(page.content);
        out.append(body, copied, begin - copied).append(stub_json.data(), stub_json.size());
        copied = request_.end_of(begin);
    }
    out.append(body, copied);
    return out;
}

}  // namespace proxy
