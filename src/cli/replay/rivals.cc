// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_rivals.h.
#include "cli/replay/rivals.h"

#include <algorithm>

namespace cli {
namespace {

class Everything : public Rival {
public:
    const char *name() const override { return "everything"; }
    void choose(const ReplayHistory &history, uint64_t, Parts &out) override {
        for (size_t i = 0; i < history.size(); ++i) out.push_back(ReplayHistory::whole(i));
    }
};

// The newest messages in `budget`, without those that `out` has: these come first.
void choose_newest(const ReplayHistory &history, uint64_t budget, Parts &out) {
    const Parts first = out;
    size_t from = history.size();
    for (; from > 0; --from) {
        const PartNumber part = ReplayHistory::whole(from - 1);
        if (std::find(first.begin(), first.end(), part) != first.end()) continue;
        if (history.tokens(part) > budget && from != history.size()) break;
        budget -= std::min(budget, history.tokens(part));
    }
    for (; from < history.size(); ++from) {
        const PartNumber part = ReplayHistory::whole(from);
        if (std::find(first.begin(), first.end(), part) == first.end()) out.push_back(part);
    }
}

class LastMessages : public Rival {
public:
    const char *name() const override { return "last messages"; }
    void choose(const ReplayHistory &history, uint64_t budget, Parts &out) override {
        choose_newest(history, budget, out);
    }
};

// Notices before the first request, and that.
void choose_first(const ReplayHistory &history, Parts &out) {
    const size_t end = history.task() ? *history.task() + 1 : 0;
    for (size_t i = 0; i < end; ++i)
        if (history.is_notice(i) || i + 1 == end) out.push_back(ReplayHistory::whole(i));
}

class FirstAndLast : public Rival {
public:
    const char *name() const override { return "first and last"; }
    void choose(const ReplayHistory &history, uint64_t budget, Parts &out) override {
        choose_first(history, out);
        for (PartNumber part : out) budget -= std::min(budget, history.tokens(part));
        choose_newest(history, budget, out);
    }
};

class FirstAndTwo : public Rival {
public:
    const char *name() const override { return "first and two"; }
    void choose(const ReplayHistory &history, uint64_t, Parts &out) override {
        choose_first(history, out);
        const size_t end = history.task() ? *history.task() + 1 : 0;
        for (size_t i = std::max(end, history.size() - std::min<size_t>(2, history.size()));
             i < history.size(); ++i)
            out.push_back(ReplayHistory::whole(i));
    }
};

class Stubbed : public Rival {
public:
    // Tokens of the answers that are whole, above which they are stubbed.
    Stubbed(const char *name, uint64_t above) : name_(name), above_(above) {}
    const char *name() const override { return name_; }
    void choose(const ReplayHistory &history, uint64_t, Parts &out) override {
        for (; seen_ < history.size(); ++seen_) {
            if (!history.is_result(seen_)) continue;
            live_.push_back(seen_);
            tokens_ += history.tokens(ReplayHistory::whole(seen_));
        }
        is_stub_.resize(seen_);
        if (tokens_ > above_) stub(history);
        for (size_t i = 0; i < seen_; ++i)
            out.push_back(is_stub_[i] ? ReplayHistory::stub(i) : ReplayHistory::whole(i));
    }

private:
    static constexpr size_t kKept = 3;

    void stub(const ReplayHistory &history) {
        const size_t gone = live_.size() - std::min(live_.size(), kKept);
        for (size_t i = 0; i < gone; ++i) {
            is_stub_[live_[i]] = true;
            tokens_ -= history.tokens(ReplayHistory::whole(live_[i]));
        }
        live_.erase(live_.begin(), live_.begin() + static_cast<std::ptrdiff_t>(gone));
    }

    const char *name_;
    uint64_t above_;
    size_t seen_ = 0;
    std::vector<size_t> live_;  // answers that are whole
    std::vector<bool> is_stub_;
    uint64_t tokens_ = 0;  // of these answers
};

}  // namespace

std::vector<std::unique_ptr<Rival>> make_rivals() {
    std::vector<std::unique_ptr<Rival>> rivals;
    rivals.push_back(std::make_unique<Everything>());
    rivals.push_back(std::make_unique<LastMessages>());
    rivals.push_back(std::make_unique<FirstAndLast>());
    rivals.push_back(std::make_unique<FirstAndTwo>());
    rivals.push_back(std::make_unique<Stubbed>("stubbed at once", 0));
    rivals.push_back(std::make_unique<Stubbed>("stubbed by 8,000", 8000));
    rivals.push_back(std::make_unique<Stubbed>("stubbed by 16,000", 16000));
    return rivals;
}

}  // namespace cli
