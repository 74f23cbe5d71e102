// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See core.h: what is kept of a core, and what is made of it.
#include "session/core.h"
#include "session/ref_name.h"

namespace accp::session {

namespace {

TokenRules token_rules(const Scratch &scratch, const SessionRules &rules) {
    return {scratch.counter.tokenizer().name, rules.context};
}

}  // namespace

size_t Core::save(uint64_t place, Scratch &scratch) {
    put_blobs(scratch);
    Snapshot snapshot;
    snapshot.place = place;
    snapshot.has_pending = has_pending_;
    snapshot.next_key = next_key;
    snapshot.state_version = state.version();
    snapshot.ended = ended;
    Buffer<char> &out = scratch.log.out;
    out.clear();
    snapshot.write(token_rules(scratch, rules_), context, inbox_, out);
    scratch.log.batch.set_state(out.view());
    return out.size();
}

void Core::put_blobs(Scratch &scratch) {
    LogScratch &log = scratch.log;
    if (!state_kept_)
        log.batch.put(store::Tier::kWarm, kStateKey,
                      state.untrusted ? mark_value(state.json(), log.out) : state.json());
    if (!own_agents_kept_) log.batch.put(store::Tier::kWarm, kAgentsKey, own_agents.text());
    state_kept_ = own_agents_kept_ = true;
    if (pending.kept) return;
    log.out.clear();
    pending.write(log.out);
    log.batch.put(store::Tier::kWarm, kPendingKey, log.out.view());
    pending.kept = has_pending_ = true;
}

Status Core::restore(std::string_view bytes, const Scratch &scratch, Snapshot &out) {
    Status status = out.read(bytes, token_rules(scratch, rules_), context, inbox_);
    if (status.failed()) return status;
    next_key = out.next_key;
    has_pending_ = out.has_pending;
    ended = out.ended;
    return {};
}

}  // namespace accp::session
