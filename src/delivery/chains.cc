// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "delivery/chains.h"

#include <algorithm>

#include "base/random.h"

namespace accp::delivery {

namespace {

constexpr size_t kMinBuckets = 64;
constexpr size_t kMaxCauses =
    kMaxLookback + kMaxLookback / 4;  // the oldest quarter is dropped at a time

}  // namespace

void CauseIndex::link(size_t i) {
    uint32_t &head = heads_[causes_[i].mid & (heads_.size() - 1)];
    causes_[i].next = head;
    head = static_cast<uint32_t>(i + 1);
}

void CauseIndex::rebuild(size_t buckets) {
    heads_.clear();
    std::fill_n(heads_.reserve(buckets), buckets, 0);
    heads_.advance(buckets);
    for (size_t i = 0; i < causes_.size(); ++i) link(i);
}

void CauseIndex::add(const Cause &cause) {
    causes_.reserve(1);
    if (causes_.size() == kMaxCauses) {
        std::copy(causes_.end() - kMaxLookback, causes_.end(), causes_.begin());
        causes_.resize_down(kMaxLookback);
        rebuild(heads_.size());
    }
    if (causes_.size() >= heads_.size()) rebuild(heads_.empty() ? kMinBuckets : 2 * heads_.size());
    causes_.push(cause);
    link(causes_.size() - 1);
}

const CauseIndex::Cause *CauseIndex::find(uint64_t mid, uint64_t after) const {
    const Cause *found = nullptr;
    uint32_t next = heads_.empty() ? 0 : heads_[mid & (heads_.size() - 1)];
    for (; next; next = causes_[next - 1].next) {
        const Cause &cause = causes_[next - 1];
        if (cause.record <= after) break;
        if (cause.mid == mid) found = &cause;
    }
    return found;
}

CancelledChains::CancelledChains(Memory &memory)
    : memory_(memory),
      seed_(random_seed()),
      chains_(memory),
      hashes_(memory),
      index_(memory),
      holders_(memory) {}

CancelledChains::~CancelledChains() {
    for (const Chain &chain : chains_)
        memory_.release(chain.text, size_t{chain.cid_len} + chain.agent_len);
}

uint64_t CancelledChains::hash(std::string_view id) const {
    return id.empty() ? 0 : std::max(seeded_hash(id.data(), id.size(), seed_), uint64_t{1});
}

size_t CancelledChains::find(std::string_view cid) const {
    if (empty() || cid.empty()) return kNone;
    const uint64_t index =
        index_.find(hash(cid), [&](uint64_t at) { return chains_[at - 1].cid() == cid; });
    return index ? index - 1 : kNone;
}

bool CancelledChains::has_hash(uint64_t hash) const {
    return hash && index_.find(hash, [&](uint64_t at) { return hashes_[at - 1] == hash; });
}

uint32_t CancelledChains::holder_of(std::string_view agent) {
    const uint64_t wanted = hash(agent);
    size_t free = holders_.size();
    for (size_t i = 0; i < holders_.size(); ++i) {
        if (holders_[i].cost && holders_[i].agent == wanted) return static_cast<uint32_t>(i);
        if (!holders_[i].cost) free = i;
    }
    if (free == holders_.size()) holders_.push({});
    holders_[free].agent = wanted;
    return static_cast<uint32_t>(free);
}

bool CancelledChains::add(std::string_view cid, std::string_view agent, bool own) {
    const size_t known = find(cid);
    if (cid.empty() || cid.size() > kMaxChainBytes ||
        (known != kNone && (!own || chains_[known].holder == kOwn)))
        return false;
    chains_.reserve(1);
    hashes_.reserve(1);
    holders_.reserve(1);
    index_.reserve(1, [this](uint64_t at) { return hashes_[at - 1]; });
    const size_t size = cid.size() + agent.size();
    char *text = static_cast<char *>(memory_.allocate(size));
    cid.copy(text, cid.size());
    agent.copy(text + cid.size(), agent.size());
    Chain chain = {text, static_cast<uint32_t>(cid.size()), static_cast<uint32_t>(agent.size()),
                   kOwn, false};
    if (!own) chain.holder = holder_of(agent);
    if (known != kNone) remove(known);
    make_space(chain.holder, chain.cost());
    chains_.push(chain);
    hashes_.push(hash(chain.cid()));
    index_.add(hashes_[hashes_.size() - 1], hashes_.size());
    if (!own) holders_[chain.holder].cost += chain.cost();
    (own ? own_cost_ : cost_) += chain.cost();
    return true;
}

void CancelledChains::make_space(uint32_t holder, uint64_t cost) {
    while (holder == kOwn && own_cost_ + cost > kMaxChainsCost) remove_oldest(kOwn);
    while (holder != kOwn && cost_ + cost > kMaxChainsCost) {
        uint64_t largest = 0;
        auto share = [&](uint32_t of) {
            return holders_[of].cost + (of == holder && holders_[of].cost ? cost : 0);
        };
        for (uint32_t i = 0; i < holders_.size(); ++i) largest = std::max(largest, share(i));
        auto holds_max = [&](const Chain &chain) {
            return chain.holder != kOwn && share(chain.holder) == largest;
        };
        remove_oldest(std::find_if(chains_.begin(), chains_.end(), holds_max)->holder);
    }
}

void CancelledChains::remove_oldest(uint32_t holder) {
    size_t oldest = kNone;
    for (size_t i = 0; i < chains_.size(); ++i) {
        if (chains_[i].holder != holder) continue;
        if (chains_[i].done) return remove(i);
        if (oldest == kNone) oldest = i;
    }
    remove(oldest);
}

void CancelledChains::remove(size_t i) {
    const Chain chain = chains_[i];
    memory_.release(chain.text, size_t{chain.cid_len} + chain.agent_len);
    if (chain.holder != kOwn) holders_[chain.holder].cost -= chain.cost();
    (chain.holder == kOwn ? own_cost_ : cost_) -= chain.cost();
    std::copy(chains_.begin() + i + 1, chains_.end(), chains_.begin() + i);
    std::copy(hashes_.begin() + i + 1, hashes_.end(), hashes_.begin() + i);
    chains_.resize_down(chains_.size() - 1);
    hashes_.resize_down(hashes_.size() - 1);
    index_.clear();
    for (size_t at = 0; at < hashes_.size(); ++at) index_.add(hashes_[at], at + 1);
}

bool CancelledChains::set_done(std::string_view cid) {
    const size_t i = find(cid);
    if (i == kNone || chains_[i].done) return false;
    return chains_[i].done = true;
}

// Writes the count, and for each chain its cid, agent and flags (1: own, 2: done).
void CancelledChains::save(Packer &packer) const {
    packer.number(chains_.size());
    for (const Chain &chain : chains_) {
        packer.text(chain.cid());
        packer.text(chain.agent());
        packer.number((chain.holder == kOwn ? 1 : 0) + (chain.done ? 2 : 0));
    }
}

bool CancelledChains::restore(Unpacker &unpacker) {
    for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
        const std::string_view cid = unpacker.text(), agent = unpacker.text();
        const uint64_t flags = unpacker.number();
        if (!unpacker.ok() || !add(cid, agent, flags & 1)) return false;
        chains_[chains_.size() - 1].done = flags & 2;
    }
    return unpacker.ok();
}

bool CancelledChains::covers(const accp_envelope &envelope, const CauseIndex &causes,
                             uint64_t after) const {
    if (empty()) return false;
    if (has(chain_of(envelope))) return true;
    uint64_t aid =
        envelope.fields & ACCP_ENVELOPE_AID ? hash({envelope.aid.text, envelope.aid.len}) : 0;
    // Causes can form a ring. The walk remembers the last id whose number is a power of two, and
    // stops when it meets that id again.
    uint64_t kept = aid;
    for (uint32_t hops = 0, next = 1; aid && hops < kMaxLookback; ++hops) {
        if (has_hash(aid)) return true;
        const CauseIndex::Cause *cause = causes.find(aid, after);
        if (!cause) return false;
        if (has_hash(cause->cid)) return true;
        aid = cause->aid;
        if (aid == kept) return false;
        if (hops + 1 == next) kept = aid, next *= 2;
    }
    return false;
}

}  // namespace accp::delivery
