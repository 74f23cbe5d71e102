// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The senders of an inbox, with their numbers and waiting frames.
#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "delivery/inbox.h"

namespace accp::delivery {

Inbox::Inbox(Memory &memory, const InboxRules &rules)
    : memory_(memory),
      rules_(rules),
      seed_(random_seed()),
      senders_(memory),
      index_(memory),
      ready_(memory) {}

Inbox::~Inbox() {
    for (Sender &sender : senders_) {
        sender.free_marks(memory_);
        while (sender.held) {
            Held *next = sender.held->next;
            memory_.release(sender.held, sender.held->size);
            sender.held = next;
        }
    }
}

uint64_t Inbox::hash(std::string_view name) const {
    return seeded_hash(name.data(), name.size(), seed_);
}

const Inbox::Sender *Inbox::find(std::string_view agent) const {
    const std::string_view name = scope(agent);
    const uint64_t index =
        index_.find(hash(name), [&](uint64_t at) { return senders_[at - 1].name() == name; });
    return index ? &senders_[index - 1] : nullptr;
}

void Inbox::prepare() {
    senders_.reserve(1);
    ready_.reserve(senders_.size() + 1);
    index_.reserve(1, [this](uint64_t at) { return hash(senders_[at - 1].name()); });
}

Inbox::Sender &Inbox::find_or_add(std::string_view agent) {
    if (const Sender *known = find(agent)) return const_cast<Sender &>(*known);
    prepare();
    Sender added = {};
    const std::string_view name = scope(agent);
    added.agent_len = static_cast<uint8_t>(name.copy(added.agent, sizeof added.agent));
    added.next = 1;
    senders_.push(added);
    index_.add(hash(name), senders_.size());
    return senders_[senders_.size() - 1];
}

void Inbox::set_own(Sender &sender) {
    own_ += !sender.own;
    sender.own = true;
}

void Inbox::advance(std::string_view agent, int64_t seq, bool own) {
    if (seq < 1 || seq > kMaxSeq) return;
    Sender &sender = find_or_add(agent);
    if (own) set_own(sender);
    if (seq < sender.next || sender.has_mark(seq)) return;
    if (seq == sender.next || sender.marks == kMaxAhead) pass(sender, seq);
    else mark(sender, seq);
}

void Inbox::jump(std::string_view agent, int64_t seq) {
    if (seq < 1 || seq > kMaxSeq) return;
    Sender &sender = find_or_add(agent);
    if (seq >= sender.next) pass(sender, seq);
}

// Marks all numbers up to `seq` as used.
void Inbox::pass(Sender &sender, int64_t seq) {
    sender.next = seq + 1;
    while (sender.ahead && sender.ahead->seq <= sender.next) {
        Mark *first = sender.ahead;
        if (first->seq == sender.next) ++sender.next;
        sender.ahead = first->next;
        --sender.marks;
        memory_.release(first, sizeof(Mark));
    }
    update_ready(sender);
}

bool Inbox::Sender::has_mark(int64_t seq) const {
    const Mark *mark = ahead;
    while (mark && mark->seq < seq) mark = mark->next;
    return mark && mark->seq == seq;
}

void Inbox::mark(Sender &sender, int64_t seq) {
    Mark **to = &sender.ahead;
    while (*to && (*to)->seq < seq) to = &(*to)->next;
    Mark *added = static_cast<Mark *>(memory_.allocate(sizeof(Mark)));
    *added = {*to, seq};
    *to = added;
    ++sender.marks;
}

void Inbox::Sender::free_marks(Memory &memory) {
    while (ahead) {
        Mark *next = ahead->next;
        memory.release(ahead, sizeof(Mark));
        ahead = next;
    }
    marks = 0;
}

// prepare() has reserved an entry for each sender.
void Inbox::update_ready(Sender &sender) {
    const bool is = sender.held && sender.held->seq <= sender.next;
    const auto index = static_cast<uint32_t>(&sender - senders_.data());
    if (is && !sender.ready) ready_.push(index);
    if (!is && sender.ready) ready_.set_end(std::remove(ready_.begin(), ready_.end(), index));
    sender.ready = is;
}

void Inbox::hold(const Arrival &frame, std::string_view text) {
    const std::string_view mid(frame.envelope.mid.text, frame.envelope.mid.len);
    Sender &sender = find_or_add(frame.agent);
    const size_t size = sizeof(Held) + mid.size() + frame.agent.size() + text.size();
    auto *held = static_cast<Held *>(memory_.allocate(size));
    Held **to = &sender.held;
    while (*to && (*to)->seq <= frame.envelope.seq) to = &(*to)->next;
    auto length = [](std::string_view of) { return static_cast<uint32_t>(of.size()); };
    *held = {*to,          frame.envelope.seq, frame.now_ms,
             size,         length(mid),        length(frame.agent),
             length(text), frame.untrusted,    frame.whole_state};
    char *bytes = reinterpret_cast<char *>(held + 1);
    for (std::string_view one : {mid, frame.agent, text}) bytes += one.copy(bytes, one.size());
    *to = held;
    ++waiting_;
    waiting_states_ += held->whole_state;
    held_bytes_ += held->cost();
}

const Inbox::Held *Inbox::ready() const {
    return ready_.empty() ? nullptr : senders_[ready_[0]].held;
}

const Inbox::Held *Inbox::below(std::string_view agent, int64_t seq) const {
    const Sender *known = find(agent);
    return known && known->held && known->held->seq < seq ? known->held : nullptr;
}

const Inbox::Held *Inbox::Sender::first_state() const {
    const Held *first = held;
    while (first && !first->whole_state) first = first->next;
    return first;
}

int64_t Inbox::Sender::since_ms() const {
    int64_t since = INT64_MAX;
    for (const Held *one = held; one; one = one->next) since = std::min(since, one->since_ms);
    return since;
}

const Inbox::Sender *Inbox::oldest_gap() const {
    const Sender *oldest = nullptr;
    int64_t min = INT64_MAX;
    for (const Sender &sender : senders_) {
        if (!waiting_states_) break;
        const int64_t since = sender.since_ms();
        if (since > min || !sender.first_state()) continue;
        if (since == min && oldest && oldest->name() < sender.name()) continue;
        min = since;
        oldest = &sender;
    }
    return oldest;
}

const Inbox::Held *Inbox::overdue(int64_t now_ms) const {
    const Sender *oldest = oldest_gap();
    return oldest && now_ms - oldest->since_ms() >= rules_.gap_ms ? oldest->first_state() : nullptr;
}

int64_t Inbox::next_overdue() const {
    const Sender *oldest = oldest_gap();
    int64_t at;
    const bool never = !oldest || __builtin_add_overflow(oldest->since_ms(), rules_.gap_ms, &at);
    return never ? INT64_MAX : at;
}

void Inbox::drop(const Held *held) {
    Sender &sender = find_or_add(held->agent());
    Held **at = &sender.held;
    while (*at != held) at = &(*at)->next;
    *at = held->next;
    --waiting_;
    waiting_states_ -= held->whole_state;
    held_bytes_ -= held->cost();
    memory_.release(const_cast<Held *>(held), held->size);
    update_ready(sender);
}

int64_t Inbox::next(std::string_view agent) const {
    const Sender *known = find(agent);
    return known ? known->next : 1;
}

bool Inbox::is_used(std::string_view agent, int64_t seq) const {
    const Sender *known = find(agent);
    return known && (seq < known->next || known->has_mark(seq));
}

// Writes for each sender: name, next, own, and the count of numbers used ahead of a gap. Each of
// these numbers follows as the difference from the one before it.
void Inbox::save(Packer &packer) const {
    packer.number(senders_.size());
    for (const Sender &sender : senders_) {
        packer.text(sender.name());
        for (uint64_t n :
             {static_cast<uint64_t>(sender.next), uint64_t{sender.own}, uint64_t{sender.marks}})
            packer.number(n);
        int64_t before = sender.next;
        for (const Mark *mark = sender.ahead; mark; before = mark->seq, mark = mark->next)
            packer.number(static_cast<uint64_t>(mark->seq - before));
    }
}

bool Inbox::restore(Unpacker &unpacker) {
    constexpr auto kLast = static_cast<uint64_t>(kMaxSeq);
    for (uint64_t left = unpacker.number(); left && unpacker.ok(); --left) {
        Sender &sender = find_or_add(unpacker.text());
        const uint64_t next = unpacker.number();
        if (unpacker.number()) set_own(sender);
        uint64_t marks = unpacker.number();
        if (!unpacker.ok() || next < 1 || next - 1 > kLast || marks > kMaxAhead) return false;
        sender.next = static_cast<int64_t>(next);
        for (uint64_t seq = next; marks; --marks) {
            const uint64_t more = unpacker.number();
            if (!more || more > kLast - seq) return false;
            mark(sender, static_cast<int64_t>(seq += more));
        }
        update_ready(sender);
    }
    return unpacker.ok();
}

void Inbox::forget_senders() {
    size_t kept = 0;
    for (Sender &sender : senders_) {
        sender.free_marks(memory_);
        sender.next = 1;
        sender.own = sender.ready = false;
        if (sender.held) senders_[kept++] = sender;
    }
    senders_.resize_down(kept);
    index_.clear();
    for (size_t i = 0; i < kept; ++i) index_.add(hash(senders_[i].name()), i + 1);
    ready_.clear();
    own_ = 0;
}

}  // namespace accp::delivery
