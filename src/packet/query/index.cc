// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/query/index.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "packet/extract/sentence.h"
#include "packet/file/versions.h"
#include "text/words.h"
#include "value/time.h"

namespace accp::packet {

namespace {

uint64_t hash_of(std::string_view checksum) {
    uint64_t hash = 0;  // the first digits of the digest
    const size_t at = checksum.find(':') + 1;
    std::from_chars(checksum.data() + at, checksum.data() + std::min(at + 16, checksum.size()),
                    hash, 16);
    return hash;
}

// Returns the total size of all texts of a packet.
size_t text_size(value::TreeView packet) {
    size_t size = 0;
    for (uint32_t i = 1; i < packet[0].next; ++i)
        if (packet[i].kind == ACCP_STRING) size += packet[i].len;
    return size;
}

// Weight of a word that is found in the item itself, or only in the task or goal of its packet; the
// latter is less if the question names no kind.
constexpr float kOwnShare = 1, kPacketShare = 0.5F, kVagueShare = 0.3F;
constexpr float kRounding = 0.001F;
constexpr size_t kMaxHits = 64;
// An item is near a question if its cosine is this many standard deviations above the mean of all
// items, of which there must be some.
constexpr double kOutlier = 2.5;
constexpr uint32_t kMinSpread = 12;

template <class T>
void fill(Buffer<T> &buffer, size_t count, T value) {
    buffer.clear();
    std::fill_n(buffer.reserve(count), count, value);
    buffer.advance(count);
}

}  // namespace

PacketIndex::Span PacketIndex::store_text(std::string_view text) {
    const auto begin = static_cast<uint32_t>(text_.size());
    text_.append(text);
    return {begin, static_cast<uint32_t>(text.size())};
}

void PacketIndex::add(value::TreeView packet, std::string_view checksum) {
    if (find_packet(checksum) != packets_.size()) return;
    collect_terms(packet);
    reserve(packet);
    // no allocation from here on
    const uint32_t context = packet.find(0, "context");
    StoredPacket stored = {};
    stored.checksum = store_text(checksum);
    stored.task = store_text(packet.string(packet.find(0, "target_task")));
    stored.creator = store_text(packet.string(packet.find(0, "creator")));
    read_time(packet.string(packet.find(0, "created")), stored.created);
    stored.version = version_of(packet);
    stored.entries_begin = static_cast<uint32_t>(entries_.size());
    for (const Item &item : items_) {
        if (item.kind == ACCP_PACKET_DECISION && !stored.decisions++)
            stored.first_decision = static_cast<uint32_t>(entries_.size());
        add_entry(packet, item);
    }
    stored.entries_end = static_cast<uint32_t>(entries_.size());
    stored.references_begin = static_cast<uint32_t>(references_.size());
    if (const uint32_t list = packet.find(context, "references")) add_references(packet, list);
    stored.references_end = static_cast<uint32_t>(references_.size());
    packets_.push(stored);
    by_sum_.add(hash_of(checksum), packets_.size());
    for (const Pending &pending : pending_) add_posting(pending.hash, pending.holder);
}

// Collects the terms of the packet and of its items.
void PacketIndex::collect_terms(value::TreeView packet) {
    items_.clear();
    concerns_task_.clear();
    pending_.clear();
    append_items(packet, items_);
    scratch_.clear();
    scratch_.append(packet.string(packet.find(0, "target_task")));
    scratch_.push(' ');
    scratch_.append(packet.string(packet.find(packet.find(0, "context"), "goal")));
    add_terms(scratch_.view(), kPacketSalt, static_cast<uint32_t>(packets_.size()));
    task_.clear();
    task_.append(hashes_);
    for (size_t i = 0; i < items_.size(); ++i) {
        scratch_.clear();
        append_item_text(packet, items_[i].node, scratch_);
        add_terms(scratch_.view(), 0, static_cast<uint32_t>(entries_.size() + i));
        const bool shares_word =
            text::count_common({task_.data(), task_.size()}, {hashes_.data(), hashes_.size()}) > 0;
        concerns_task_.push(shares_word || is_detail(what_of(packet, items_[i].node)));
    }
}

void PacketIndex::add_terms(std::string_view text, uint64_t salt, uint32_t holder) {
    hashes_.clear();
    text::append_topics(text, hashes_);
    for (uint64_t hash : hashes_) pending_.push({hash ^ salt, holder});
}

void PacketIndex::reserve(value::TreeView packet) {
    constexpr size_t kSumBytes = 71;
    const size_t size = text_.size() + text_size(packet) + kSumBytes;
    if (size > UINT32_MAX || postings_.size() + pending_.size() >= UINT32_MAX) throw OutOfMemory{};
    text_.reserve(text_size(packet) + kSumBytes);
    packets_.reserve(1);
    entries_.reserve(items_.size());
    references_.reserve(packet[0].next);
    terms_.reserve(pending_.size());
    postings_.reserve(pending_.size());
    by_term_.reserve(pending_.size(), [this](uint64_t n) { return terms_[n - 1].hash; });
    by_sum_.reserve(1, [this](uint64_t n) { return hash_of(checksum_of(uint32_t(n - 1))); });
}

void PacketIndex::add_entry(value::TreeView packet, const Item &item) {
    StoredEntry entry = {};
    entry.what = store_text(what_of(packet, item.node));
    entry.why = store_text(why_of(packet, item.node));
    entry.by = store_text(member_text(packet, item.node, "made_by"));
    entry.kind = item.kind;
    entry.is_value = has_label(view(entry.what));
    entry.packet = static_cast<uint32_t>(packets_.size());
    entry.number = item.number;
    entry.concerns_task = concerns_task_[static_cast<size_t>(&item - items_.data())] != 0;
    entries_.push(entry);
}

void PacketIndex::add_references(value::TreeView packet, uint32_t list) {
    if (packet[list].kind != ACCP_ARRAY) return;
    for (uint32_t i = list + 1; i < packet[list].next; i = packet[i].next) {
        if (packet[i].kind != ACCP_STRING) continue;
        const std::string_view text = packet.string(i), sum = text.substr(0, text.find('#'));
        uint32_t decision = 0;
        if (sum.size() < text.size()) {
            const char *const end = text.data() + text.size();
            const auto read = std::from_chars(text.data() + sum.size() + 1, end, decision);
            if (read.ec != std::errc() || read.ptr != end || !decision) continue;
        }
        references_.push({store_text(sum), decision});
    }
}

void PacketIndex::add_posting(uint64_t hash, uint32_t holder) {
    uint64_t number = by_term_.find(hash, [&](uint64_t n) { return terms_[n - 1].hash == hash; });
    if (!number) {
        terms_.push({hash, 0, 0});
        number = terms_.size();
        by_term_.add(hash, number);
    }
    Term &term = terms_[number - 1];
    postings_.push({holder, term.first});
    term.first = static_cast<uint32_t>(postings_.size());
    ++term.count;
}

size_t PacketIndex::find_packet(std::string_view checksum) const {
    const uint64_t number = by_sum_.find(hash_of(checksum), [&](uint64_t n) {
        return checksum_of(static_cast<uint32_t>(n - 1)) == checksum;
    });
    return number ? number - 1 : packets_.size();
}

const PacketIndex::Term *PacketIndex::find_term(uint64_t hash) const {
    const uint64_t number =
        by_term_.find(hash, [&](uint64_t n) { return terms_[n - 1].hash == hash; });
    return number ? &terms_[number - 1] : nullptr;
}

IndexEntry PacketIndex::operator[](uint32_t entry) const {
    const StoredEntry &stored = entries_[entry];
    return {stored.kind,       stored.packet,    stored.number,
            view(stored.what), view(stored.why), view(stored.by)};
}

Status PacketIndex::search(const Question &question, std::string_view from) {
    hits_.clear();
    fill(scores_, entries_.size(), 0.0F);
    fill(last_terms_, entries_.size(), uint32_t{0});
    fill(has_own_, entries_.size(), '\0');
    fill(is_open_, entries_.size(), static_cast<char>(from.empty()));
    if (!from.empty() && !open_reachable(from))
        return fail(ACCP_ERR_ARG, 0, "no packet of the index has this checksum");
    if (question.terms().empty()) {
        collect_newest(question);
        return {};
    }
    float whole = 0;
    uint32_t term_number = 0;
    for (const uint64_t term : question.terms()) {
        whole += rarity(term);
        add_scores(question, term, ++term_number);
    }
    collect(question, whole);
    return {};
}

// Marks the entries of the packet and of all packets it refers to, breadth first. Returns false if
// the index does not have the packet.
bool PacketIndex::open_reachable(std::string_view checksum) {
    constexpr uint32_t kNotReached = UINT32_MAX;
    const size_t first = find_packet(checksum);
    if (first == packets_.size()) return false;
    fill(referrers_, packets_.size(), kNotReached);
    fill(is_whole_, packets_.size(), '\0');
    reached_.clear();
    reached_.push(static_cast<uint32_t>(first));
    referrers_[first] = static_cast<uint32_t>(first);
    open_entries(first, 0);
    size_t level_end = 1;
    for (size_t at = 0, hops = 0; at < reached_.size(); ++at) {
        if (at == level_end) level_end = reached_.size(), ++hops;
        if (hops == kMaxHops) break;
        const StoredPacket &packet = packets_[reached_[at]];
        for (uint32_t i = packet.references_begin; i < packet.references_end; ++i) {
            const size_t to = find_packet(view(references_[i].checksum));
            if (to == packets_.size()) continue;  // not in this index
            open_entries(to, references_[i].decision);
            if (referrers_[to] != kNotReached) continue;
            referrers_[to] = reached_[at];
            reached_.push(static_cast<uint32_t>(to));
        }
    }
    return true;
}

// decision 0: the whole packet.
void PacketIndex::open_entries(size_t packet, uint32_t decision) {
    const StoredPacket &stored = packets_[packet];
    if (decision) {
        if (decision <= stored.decisions) is_open_[stored.first_decision + decision - 1] = 1;
        return;
    }
    if (is_whole_[packet]) return;
    is_whole_[packet] = 1;
    std::memset(is_open_.data() + stored.entries_begin, 1,
                stored.entries_end - stored.entries_begin);
}

bool PacketIndex::can_answer(const Question &question, uint32_t entry) const {
    const StoredEntry &stored = entries_[entry];
    if (!is_open_[entry]) return false;
    if (question.asks_why()) return question.asks_for(stored.kind) && stored.why.len;
    if (question.asks_for(stored.kind)) return stored.what.len > 0;
    return stored.kind == ACCP_PACKET_CONSTRAINT && question.asks_for_values() && stored.is_value;
}

// The weight of a word is higher, the fewer items have it.
float PacketIndex::rarity(uint64_t term) const {
    const Term *const own = find_term(term);
    const double having = own ? own->count : 0, count = static_cast<double>(entries_.size());
    return static_cast<float>(std::log(1 + (count + 1) / (having + 1)));
}

void PacketIndex::add_scores(const Question &question, uint64_t term, uint32_t term_number) {
    const float weight = rarity(term);
    const auto each_holder = [this](uint64_t hash, auto visit) {
        const Term *const found = find_term(hash);
        for (uint32_t at = found ? found->first : 0; at; at = postings_[at - 1].next)
            visit(postings_[at - 1].holder);
    };
    const auto add_share = [&](uint32_t entry, float share) {
        if (last_terms_[entry] == term_number || !is_open_[entry]) return;
        last_terms_[entry] = term_number;
        scores_[entry] += share * weight;
    };
    each_holder(term, [&](uint32_t entry) {
        add_share(entry, kOwnShare);
        has_own_[entry] = 1;
    });
    each_holder(term ^ kPacketSalt, [&](uint32_t packet) {
        for (uint32_t i = packets_[packet].entries_begin; i < packets_[packet].entries_end; ++i)
            add_share(i, question.names_kind() ? kPacketShare : kVagueShare);
    });
}

bool PacketIndex::is_newer(uint32_t a, uint32_t b) const {
    const StoredPacket &of_a = packets_[a], &of_b = packets_[b];
    if (of_a.created != of_b.created) return of_a.created > of_b.created;
    // keep versions of one packet together, for a total order
    if (const int order = task_of(a).compare(task_of(b))) return order > 0;
    if (const int order = view(of_a.creator).compare(view(of_b.creator))) return order > 0;
    return of_a.version != of_b.version ? of_a.version > of_b.version : a > b;
}

void PacketIndex::collect(const Question &question, float whole) {
    const auto count = static_cast<uint32_t>(entries_.size());
    for (uint32_t i = 0; i < count; ++i) {
        const float score = scores_[i] / whole;
        if (score < kMinScore - kRounding || !can_answer(question, i)) continue;
        hits_.push({i, std::min(score, 1.0F)});
    }
    drop_beside_subject();
    const auto is_better = [this](const Hit &a, const Hit &b) {
        if (a.score != b.score) return a.score > b.score;
        const uint32_t of_a = entries_[a.entry].packet, of_b = entries_[b.entry].packet;
        return of_a != of_b ? is_newer(of_a, of_b) : a.entry < b.entry;
    };
    const size_t kept = std::min(hits_.size(), kMaxHits);
    std::partial_sort(hits_.begin(), hits_.begin() + kept, hits_.end(), is_better);
    hits_.resize_down(kept);
}

// If hits of a packet concern its task, drops those that do not and that only its task led to.
void PacketIndex::drop_beside_subject() {
    fill(has_subject_, packets_.size(), '\0');
    for (const Hit &hit : hits_)
        if (entries_[hit.entry].concerns_task) has_subject_[entries_[hit.entry].packet] = 1;
    const Hit *const kept = std::remove_if(hits_.begin(), hits_.end(), [this](const Hit &hit) {
        const StoredEntry &entry = entries_[hit.entry];
        return has_subject_[entry.packet] && !entry.concerns_task && !has_own_[hit.entry];
    });
    hits_.set_end(kept);
}

// Without search terms: takes the items of the named kind from the newest packet.
void PacketIndex::collect_newest(const Question &question) {
    if (!question.names_kind()) return;
    const auto count = static_cast<uint32_t>(entries_.size());
    for (uint32_t i = 0; i < count; ++i) {
        if (!can_answer(question, i)) continue;
        const uint32_t packet = entries_[i].packet;
        if (!hits_.empty() && packet != entries_[hits_[0].entry].packet) {
            if (!is_newer(packet, entries_[hits_[0].entry].packet)) continue;
            hits_.clear();
        }
        hits_.push({i, 1});
    }
    hits_.resize_down(std::min(hits_.size(), kMaxHits));
}

// Vectors of another model are made again.
Status PacketIndex::embed_entries(std::string_view text, text::Embedder &embedder) {
    Status status = asked_.make(embedder, {&text, 1});
    if (status.failed()) return status;
    if (asked_.model() != vectors_.model() || asked_.dimension() != vectors_.dimension())
        vectors_.clear();
    scratch_.clear();
    texts_.clear();
    const auto first = static_cast<uint32_t>(vectors_.size()),
               count = static_cast<uint32_t>(entries_.size());
    hashes_.clear();  // the ends of the texts
    for (uint32_t i = first; i < count; ++i) {
        scratch_.append(view(entries_[i].what));
        scratch_.append(entries_[i].why.len ? ": " : "");
        scratch_.append(view(entries_[i].why));
        if (scratch_.empty() ||
            (!hashes_.empty() && scratch_.size() == hashes_[hashes_.size() - 1]))
            scratch_.push(' ');  // a pivot without a text
        hashes_.push(scratch_.size());
    }
    for (size_t i = 0, begin = 0; i < hashes_.size(); begin = hashes_[i++])
        texts_.push(scratch_.view().substr(begin, hashes_[i] - begin));
    status = vectors_.add(embedder, {texts_.data(), texts_.size()});
    if (status.failed()) vectors_.clear();
    else if (asked_.model() != vectors_.model() || asked_.dimension() != vectors_.dimension())
        return fail(ACCP_ERR_ARG, 0, "the embedder changed its model during the call");
    return status;
}

Status PacketIndex::add_similar(std::string_view text, const Question &question,
                                text::Embedder &embedder) {
    if (entries_.empty() || question.terms().empty()) return {};
    Status status = embed_entries(text, embedder);
    if (status.failed()) return status;
    const auto count = static_cast<uint32_t>(entries_.size());
    double sum = 0, squares = 0;
    cosines_.clear();
    for (uint32_t i = 0; i < count; ++i) {
        const double cosine = text::cosine(asked_[0], vectors_[i]);
        cosines_.push(cosine);
        sum += cosine, squares += cosine * cosine;
    }
    const double mean = sum / count,
                 deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
    for (uint32_t i = 0; i < count && count >= kMinSpread; ++i) {
        if (cosines_[i] < mean + kOutlier * deviation || !can_answer(question, i)) continue;
        const bool is_hit =
            std::any_of(hits_.begin(), hits_.end(), [&](const Hit &hit) { return hit.entry == i; });
        if (!is_hit) hits_.push({i, kMinScore});
    }
    if (hits_.empty()) return {};
    hit_scores_.clear();
    for (const Hit &hit : hits_) hit_scores_.push(hit.score);
    ranks_.start(hits_.size());
    ranks_.add({hit_scores_.data(), hit_scores_.size()});
    for (size_t i = 0; i < hits_.size(); ++i) hit_scores_[i] = cosines_[hits_[i].entry];
    ranks_.add({hit_scores_.data(), hit_scores_.size()});
    ranked_.clear();
    for (const uint32_t i : ranks_.order())
        if (ranked_.size() < kMaxHits) ranked_.push(hits_[i]);
    hits_.clear();
    hits_.append(ranked_);
    return {};
}

}  // namespace accp::packet
