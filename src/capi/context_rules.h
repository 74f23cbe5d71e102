// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of contexts, as a config has them: those that were set, over one of two sets of
// defaults. What was not set follows what was, so that a smaller hot_max alone is enough.
#pragma once

#include <algorithm>

#include "context/options.h"

namespace accp::capi {

class ContextRules {
public:
    using Member = uint32_t context::ContextOptions::*;

    void set(Member member, int64_t value) {
        set_.*member = static_cast<uint32_t>(value);
        (is_set_.*member) = 1;
    }
    context::ContextOptions options() const {
        using Options = context::ContextOptions;
        Options made = specification ? Options::specification() : Options();
        for (Member member : {&Options::hot_max, &Options::hot_due, &Options::checkpoint_max,
                              &Options::summary_max, &Options::retained, &Options::newest_max,
                              &Options::pinned_max, &Options::price_cached, &Options::price_write,
                              &Options::whole_max, &Options::host_tokens, &Options::name_lists})
            if (is_set_.*member) made.*member = set_.*member;
        follow(made, &Options::hot_due, made.hot_max);
        follow(made, &Options::checkpoint_max, made.hot_due);
        follow(made, &Options::summary_max, made.checkpoint_max);
        follow(made, &Options::newest_max, made.hot_due - std::min(made.hot_due, kReference));
        return made;
    }

    bool specification = false;

private:
    static constexpr uint32_t kReference = 16;  // tokens of the name of a checkpoint, at most

    void follow(context::ContextOptions &made, Member member, uint32_t max) const {
        if (!(is_set_.*member)) made.*member = std::min(made.*member, max);
    }
    static constexpr context::ContextOptions none() {
        context::ContextOptions made;
        made.hot_max = made.hot_due = made.checkpoint_max = made.summary_max = made.retained = 0;
        made.newest_max = made.pinned_max = made.price_cached = made.price_write = 0;
        made.whole_max = made.host_tokens = made.name_lists = 0;
        return made;
    }

    context::ContextOptions set_ = none(), is_set_ = none();
};

}  // namespace accp::capi
