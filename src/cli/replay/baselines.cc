// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/baselines.h"

#include <algorithm>

namespace cli {
namespace {

class Everything : public Baseline {
public:
    const char *name() const override { return "everything"; }
    void choose(const ReplayHistory &history, uint64_t, Parts &out) override {
        for (size_t i = 0; i < history.size(); ++i) out.push_back(ReplayHistory::whole(i));
    }
};

// Appends the newest messages that fit in `budget`, except those that `out` already has.
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

class LastMessages : public Baseline {
public:
    const char *name() const override { return "last messages"; }
    void choose(const ReplayHistory &history, uint64_t budget, Parts &out) override {
        choose_newest(history, budget, out);
    }
};

// Appends the notices before the first request, and that request.
void choose_first(const ReplayHistory &history, Parts &out) {
    const size_t end = history.task() ? *history.task() + 1 : 0;
    for (size_t i = 0; i < end; ++i)
        if (history.is_notice(i) || i + 1 == end) out.push_back(ReplayHistory::whole(i));
}

class FirstAndLast : public Baseline {
public:
    const char *name() const override { return "first and last"; }
    void choose(const ReplayHistory &history, uint64_t budget, Parts &out) override {
        choose_first(history, out);
        for (PartNumber part : out) budget -= std::min(budget, history.tokens(part));
        choose_newest(history, budget, out);
    }
};

class FirstAndTwo : public Baseline {
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

class Stubbed : public Baseline {
public:
    // Stubs the older results each time that the whole results exceed `limit` tokens.
    Stubbed(const char *name, uint64_t limit) : name_(name), limit_(limit) {}
    const char *name() const override { return name_; }
    void choose(const ReplayHistory &history, uint64_t, Parts &out) override {
        for (; added_ < history.size(); ++added_) {
            if (!history.is_result(added_)) continue;
            whole_.push_back(added_);
            tokens_ += history.tokens(ReplayHistory::whole(added_));
        }
        is_stub_.resize(added_);
        if (tokens_ > limit_) stub(history);
        for (size_t i = 0; i < added_; ++i)
            out.push_back(is_stub_[i] ? ReplayHistory::stub(i) : ReplayHistory::whole(i));
    }

private:
    static constexpr size_t kKept = 3;

    void stub(const ReplayHistory &history) {
        const size_t count = whole_.size() - std::min(whole_.size(), kKept);
        for (size_t i = 0; i < count; ++i) {
            is_stub_[whole_[i]] = true;
            tokens_ -= history.tokens(ReplayHistory::whole(whole_[i]));
        }
        whole_.erase(whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(count));
    }

    const char *name_;
    uint64_t limit_;
    size_t added_ = 0;
    std::vector<size_t> whole_;  // results that are not stubbed
    std::vector<bool> is_stub_;
    uint64_t tokens_ = 0;  // of these results
};

}  // namespace

std::vector<std::unique_ptr<Baseline>> make_baselines() {
    std::vector<std::unique_ptr<Baseline>> baselines;
    baselines.push_back(std::make_unique<Everything>());
    baselines.push_back(std::make_unique<LastMessages>());
    baselines.push_back(std::make_unique<FirstAndLast>());
    baselines.push_back(std::make_unique<FirstAndTwo>());
    baselines.push_back(std::make_unique<Stubbed>("stubbed at once", 0));
    baselines.push_back(std::make_unique<Stubbed>("stubbed by 8,000", 8000));
    baselines.push_back(std::make_unique<Stubbed>("stubbed by 16,000", 16000));
    return baselines;
}

}  // namespace cli
