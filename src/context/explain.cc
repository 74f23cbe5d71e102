// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/explain.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "context/context.h"
#include "context/pages.h"
#include "context/scratch.h"

namespace accp::context {

namespace {

uint64_t in_tokens(uint64_t thousandths) { return (thousandths + 500) / 1000; }

class Explainer {
public:
    // `next`: the state as it will be when the model has been called once more. `calls`: so far.
    // `verdicts`: of each unit.
    Explainer(const ContextState &next, const ContextOptions &options, uint32_t calls,
              const Pages &pages, Verdict *verdicts)
        : state_(next),
          options_(options),
          calls_(calls),
          price_of_call_(pages.price_of_call()),
          verdicts_(verdicts) {
        if (options.price_write) coming_ = pages.by_price(false, verdicts);
    }

    ExplainedPage page(size_t i) const {
        const Unit &unit = state_.units[i];
        ExplainedPage page;
        const bool is_message = unit.kind == UnitKind::kMessage,
                   is_range = unit.kind == UnitKind::kRange;
        page.number = is_message || is_range ? unit.number : 0;
        page.last = is_range ? unit.number + unit.whole : 0;
        page.checkpoint = unit.checkpoint;
        page.source = unit.source;
        page.untrusted = unit.untrusted;
        page.tokens = unit.tokens;
        page.whole = is_message ? unit.whole : unit.tokens;
        page.age = calls_ - std::min(unit.call, calls_);
        page.state = state_of(i);
        set_reason(i, page);
        set_prices(unit, page);
        return page;
    }

private:
    PageState state_of(size_t i) const {
        const Unit &unit = state_.units[i];
        if (i < state_.pinned) return unit.cut ? PageState::kCut : PageState::kPinned;
        if (unit.kind == UnitKind::kRange) return PageState::kRange;
        if (unit.kind != UnitKind::kMessage) return PageState::kCheckpoint;
        if (unit.level) return options_.price_write ? PageState::kEvicted : PageState::kCheckpoint;
        return unit.cut ? PageState::kCut : PageState::kResident;
    }

    void set_reason(size_t i, ExplainedPage &page) const {
        const Unit &unit = state_.units[i];
        const bool stays =
            unit.source != Source::kResult || (unit.words && unit.tokens < Pages::kLongWords);
        if (i < state_.pinned) page.reason = PageReason::kPinned;
        else if (page.state == PageState::kEvicted) page.reason = PageReason::kEvicted;
        else if (page.state == PageState::kCheckpoint) page.reason = PageReason::kShortened;
        else if (page.state == PageState::kRange) page.reason = PageReason::kRange;
        else if (unit.call == calls_) page.reason = PageReason::kNewest;
        else if (!options_.price_write) page.reason = PageReason::kNoPrices;
        else if (stays) page.reason = PageReason::kAlwaysStays;
        else if (!verdicts_[i].is_weighed) page.reason = PageReason::kShortContext;
        else if (!verdicts_[i].may_leave) page.reason = PageReason::kSmall;
        else weigh(i, page);
    }

    // Why a page that may be evicted stays, or that it goes.
    void weigh(size_t i, ExplainedPage &page) const {
        const Verdict &verdict = verdicts_[i];
        page.saves = in_tokens(verdict.gain);
        page.costs = in_tokens(verdict.miss);
        if (verdict.gain <= verdict.miss) {
            page.reason = PageReason::kUsed;
        } else if (coming_.any() && i >= coming_.first) {
            page.reason = PageReason::kNextCall;
        } else {
            // It would go together with the later pages that stay because of it.
            const Verdict later = coming_.any() ? verdicts_[coming_.first] : Verdict();
            const uint64_t write = options_.price_write - options_.price_cached;
            page.rewritten = verdict.rewritten - later.rewritten;
            const uint64_t costs = write * page.rewritten;
            page.saves = in_tokens(costs + static_cast<uint64_t>(verdict.net - later.net));
            page.costs = in_tokens(costs);
            page.reason =
                page.saves > page.costs ? PageReason::kSavesLittle : PageReason::kRewriteCosts;
        }
    }

    // Returns the price of so many tokens in so many calls: written once, then read.
    uint64_t sent(uint64_t tokens, uint64_t calls) const {
        constexpr uint64_t kPlain = 1000;
        const uint64_t write = options_.price_write ? options_.price_write : kPlain,
                       read = options_.price_write ? options_.price_cached : kPlain;
        return calls ? tokens * (write + read * (calls - 1)) : 0;
    }

    void set_prices(const Unit &unit, ExplainedPage &page) const {
        const bool was_evicted =
            page.state == PageState::kEvicted || page.state == PageState::kRange;
        if (!was_evicted) page.rent = in_tokens(sent(unit.tokens, page.age));
        const bool is_whole =
            page.state == PageState::kResident || page.state == PageState::kPinned;
        if (unit.kind == UnitKind::kMessage && !is_whole)
            page.fetch = in_tokens(price_of_call_ + sent(unit.whole, 1));
    }

    const ContextState &state_;
    const ContextOptions &options_;
    const uint32_t calls_;
    const uint64_t price_of_call_;
    const Verdict *verdicts_;
    Eviction coming_;  // at the next call
};

class Line {
public:
    explicit Line(Buffer<char> &out) : out_(out) {}
    Line &operator<<(std::string_view text) {
        out_.append(text);
        return *this;
    }
    Line &operator<<(uint64_t number) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        for (const char *at = digits; at < end; ++at) {
            if (at > digits && (end - at) % 3 == 0) out_.push(',');
            out_.push(*at);
        }
        return *this;
    }

private:
    Buffer<char> &out_;
};

}  // namespace

PageTotals Context::explain(Buffer<ExplainedPage> &out) {
    out.clear();
    const uint32_t calls = state_.calls;
    const size_t count = state_.units.size();
    const NextCall next(state_);  // its decision is explained
    Arena &arena = scratch_->arena;
    const Arena::Mark mark = arena.mark();
    auto *verdicts = arena.allocate<Verdict>(count);
    std::fill(verdicts, verdicts + count, Verdict());
    const Explainer explainer(state_, options_, calls, Pages(state_, options_, arena), verdicts);
    PageTotals totals;
    for (size_t i = 0; i < count; ++i) {
        const ExplainedPage page = explainer.page(i);
        totals.tokens += page.tokens;
        totals.whole += page.whole;
        out.push(page);
    }
    arena.rewind(mark);
    totals.calls = calls;
    totals.evictions = state_.evictions;
    totals.newest = state_.newest_eviction;
    totals.newest.saving = in_tokens(totals.newest.saving);
    return totals;
}

void write_reason(const ExplainedPage &page, Buffer<char> &out) {
    Line line(out);
    switch (page.reason) {
        case PageReason::kPinned: line << "pinned"; break;
        case PageReason::kNewest: line << "the newest turn"; break;
        case PageReason::kAlwaysStays:
            line << (page.source == Source::kTask    ? "requests stay"
                     : page.source == Source::kGuide ? "notices stay"
                     : page.source == Source::kAct   ? "calls stay"
                                                   : "an agent's words stay, unless they are many");
            break;
        case PageReason::kSmall: line << "as short as the line for it"; break;
        case PageReason::kNoPrices: line << "no prices: price_write is 0"; break;
        case PageReason::kShortContext: line << "the context is short (whole_max)"; break;
        case PageReason::kUsed:
            line << "likely used: evicting saves " << page.saves << ", asking again costs "
                 << page.costs;
            break;
        case PageReason::kRewriteCosts:
            line << "evicting saves " << page.saves << ", writing " << page.rewritten
                 << " tokens again costs " << page.costs;
            break;
        case PageReason::kSavesLittle: line << "evicting saves too little: " << page.saves; break;
        case PageReason::kNextCall: line << "goes at the next call"; break;
        case PageReason::kEvicted: line << "evicted: one line names it"; break;
        case PageReason::kShortened:
            line << (page.number ? "shortened by a checkpoint" : "the text of a checkpoint");
            break;
        case PageReason::kRange: line << "names messages that are left out"; break;
    }
}

}  // namespace accp::context
