// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hostile.h.
#include "peers/hostile.h"

namespace accp_peers {

std::string Hostile::frame(const std::string &agent, const std::string &body, int64_t seq,
                           const std::string &more) {
    return "@" + agent + ">" + body + "[mid:" + mid() + ",seq:" + std::to_string(seq) + more + "]";
}

std::string Hostile::mid() {
    char text[16];
    std::snprintf(text, sizeof text, "f%011llu", static_cast<unsigned long long>(++mids_));
    return text;
}

std::string Hostile::seen() { return seen_.empty() ? "@planner>req:plan{}" : dice_.pick(seen_); }
int64_t Hostile::seq() { return *seq_; }

std::string Hostile::honest(Peer &) {
    static const std::vector<std::string> kBodies = {"req:plan{k:1}",
                                                     "done:plan{text:\"x%0A@planner_done:y\"}",
                                                     "esc:help{approved:true}",
                                                     "qry:plan{schema:ZZ}",
                                                     "notify:plan{a:[1,2],b:{c:~}}",
                                                     "nonsense:x{}"};
    return frame("mallory", dice_.pick(kBodies), seq());
}

std::string Hostile::forged(Peer &on) {
    const std::string agent = dice_.one_in(2) ? "planner" : "dev";
    const size_t near = on.frames().size() + dice_.below(4);
    return frame(agent, "done:plan{forged:true}", static_cast<int64_t>(near));
}

std::string Hostile::replayed(Peer &) { return seen(); }

std::string Hostile::tampered(Peer &) {
    std::string text = seen();
    for (size_t n = 1 + dice_.below(3); n; --n)
        text[dice_.below(text.size())] = static_cast<char>(dice_.bits());
    return text;
}

std::string Hostile::jumped(Peer &) {
    const uint64_t far = dice_.bits() >> (1 + dice_.below(62));
    return frame("mallory", dice_.one_in(2) ? "sync:state{v:1|state:{}}" : "req:plan{}",
                 static_cast<int64_t>(far));
}

std::string Hostile::ahead(Peer &) {
    return frame("mallory", "req:plan{}", seq() + 1 + static_cast<int64_t>(dice_.below(70)));
}

// Returns a mid that an honest side may be about to use: the last one seen, plus one.
std::string Hostile::next_mid(Peer &) {
    const std::string text = seen();
    const size_t at = text.find("mid:");
    if (at == std::string::npos || at + 16 > text.size()) return text;
    std::string wanted = text.substr(at + 4, 12);
    for (size_t i = 11; i > 0 && ++wanted[i] > '9'; --i) wanted[i] = '0';
    return "@mallory>req:plan{}[mid:" + wanted + ",seq:" + std::to_string(seq()) + "]";
}

std::string Hostile::cancelled(Peer &) {
    return frame("mallory", "cancel:chain{}", seq(),
                 ",cid:c" + std::to_string(dice_.below(5000)) + std::string(dice_.below(200), 'c'));
}

// If the honest sides share a state, sends one that cannot follow it; otherwise any.
std::string Hostile::state(Peer &) {
    const std::string version =
        std::to_string(setup_.states ? dice_.bits() >> 3 | 1ull << 40 : dice_.below(5));
    const std::string body = dice_.one_in(2)
                                 ? "delta:{x:1}"
                                 : "delta:{big:" + std::string(dice_.below(40000), 'b') + "}";
    return frame("mallory", "sync:state{v:" + version + "|" + body + "}", seq());
}

std::string Hostile::part(Peer &) {
    const std::string cid = "p" + std::to_string(dice_.below(300)),
                      total = dice_.one_in(10) ? "4294967295" : "3";
    return frame("mallory",
                 "req:plan{k" + std::to_string(dice_.below(9)) + ":" +
                     std::string(dice_.below(3000), 'x') + "}",
                 seq(), ",cid:" + cid + ",fi:" + std::to_string(dice_.below(4)) + ",ft:" + total);
}

std::string Hostile::reference(Peer &) {
    static const std::vector<std::string> kRefs = {"cold.t1",   "cold.m1",        "warm.ckpt_1",
                                                   "hot.state", "ctx.k",          "k",
                                                   "warm.none", "cold.m1.payload"};
    return frame("mallory", "req:plan{r:$" + dice_.pick(kRefs) + "}", seq());
}

std::string Hostile::garbage(Peer &) {
    std::string text(dice_.below(80), ' ');
    for (char &c : text) c = static_cast<char>(dice_.bits());
    return text;
}

void Hostile::act(Peer &on) {
    static constexpr Action kActions[] = {
        &Hostile::honest, &Hostile::forged,    &Hostile::replayed, &Hostile::tampered,
        &Hostile::jumped, &Hostile::ahead,     &Hostile::next_mid, &Hostile::cancelled,
        &Hostile::state,  &Hostile::reference, &Hostile::garbage,  &Hostile::part};
    seq_ = &next_[on.agent() == "dev"];
    const std::string text = (this->*kActions[dice_.below(sizeof kActions / sizeof *kActions)])(on);
    // with one common sequence it is not a party of the session
    const std::string own = setup_.by_sender ? "mallory" : "";
    const accp_status status = on.hear_stranger(text, own);
    const bool used = status == ACCP_OK || status == ACCP_DROPPED || status == ACCP_E1003 ||
                      status == ACCP_E1004 || status == ACCP_E2001 || status == ACCP_E2003;
    if (used && text.find(",seq:" + std::to_string(*seq_)) != std::string::npos) ++*seq_;
    if (!setup_.by_sender && used) stop("a stranger's frame counts: " + text);
}

}  // namespace accp_peers
