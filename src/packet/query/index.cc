// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See index.h. This file adds packets; index_ask.cc answers.
#include "packet/query/index.h"

#include <charconv>

#include "packet/query/index_terms.h"
#include "packet/extract/lexicon.h"
#include "packet/extract/phrase.h"
#include "value/time.h"
#include "packet/file/versions.h"

namespace accp::packet {

namespace {

uint64_t hash_of(std::string_view checksum) {
    uint64_t hash = 0;  // the first digits of a digest are a hash
    const size_t at = checksum.find(':') + 1;
    std::from_chars(checksum.data() + at, checksum.data() + std::min(at + 16, checksum.size()),
                    hash, 16);
    return hash;
}

// How many bytes the texts of a packet have at most.
size_t text_size(value::TreeView packet) {
    size_t size = 0;
    for (uint32_t i = 1; i < packet[0].next; ++i)
        if (packet[i].kind == ACCP_STRING) size += packet[i].len;
    return size;
}

}  // namespace

Index::Span Index::keep(std::string_view text) {
    const auto begin = static_cast<uint32_t>(text_.size());
    text_.append(text);
    return {begin, static_cast<uint32_t>(text.size())};
}

void Index::add(value::TreeView packet, std::string_view checksum) {
    if (find_packet(checksum) != packets_.size()) return;
    gather(packet);
    reserve(packet);
    // from here on nothing takes memory
    const uint32_t context = packet.find(0, "context");
    StoredPacket stored = {};
    stored.checksum = keep(checksum);
    stored.task = keep(packet.string(packet.find(0, "target_task")));
    stored.creator = keep(packet.string(packet.find(0, "creator")));
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

// The terms of the packet and of its items.
void Index::gather(value::TreeView packet) {
    items_.clear();
    topics_.clear();
    pending_.clear();
    append_items(packet, items_);
    scratch_.clear();
    scratch_.append(packet.string(packet.find(0, "target_task")));
    scratch_.push(' ');
    scratch_.append(packet.string(packet.find(packet.find(0, "context"), "goal")));
    words_.read(scratch_.view());
    packet_topics_ = find_topics(words_).shown;
    gather_terms(scratch_.view(), kPacketSalt, static_cast<uint32_t>(packets_.size()));
    for (size_t i = 0; i < items_.size(); ++i) {
        const auto entry = static_cast<uint32_t>(entries_.size() + i);
        scratch_.clear();
        append_item_text(packet, items_[i].node, scratch_);
        words_.read(scratch_.view());
        topics_.push(find_topics(words_).with(packet_topics_));
        gather_terms(scratch_.view(), 0, entry);
        gather_topics(topics_[i], entry);
    }
}

void Index::gather_terms(std::string_view text, uint64_t salt, uint32_t holder) {
    hashes_.clear();
    text::append_topics(text, hashes_);
    for (uint64_t hash : hashes_) pending_.push({hash ^ salt, holder});
}

void Index::gather_topics(uint32_t topics, uint32_t holder) {
    for (uint32_t topic = 0; topic < kMaxTopics; ++topic)
        if (topics >> topic & 1) pending_.push({kTopicTerm + topic, holder});
}

void Index::reserve(value::TreeView packet) {
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

void Index::add_entry(value::TreeView packet, const Item &item) {
    StoredEntry entry = {};
    entry.what = keep(what_of(packet, item.node));
    entry.why = keep(why_of(packet, item.node));
    entry.by = keep(text_of(packet, item.node, "made_by"));
    entry.kind = item.kind;
    entry.is_value = has_label(view(entry.what));
    entry.packet = static_cast<uint32_t>(packets_.size());
    entry.number = item.number;
    entry.topics = topics_[static_cast<size_t>(&item - items_.data())];
    entries_.push(entry);
}

void Index::add_references(value::TreeView packet, uint32_t list) {
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
        references_.push({keep(sum), decision});
    }
}

void Index::add_posting(uint64_t hash, uint32_t holder) {
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

size_t Index::find_packet(std::string_view checksum) const {
    const uint64_t number = by_sum_.find(hash_of(checksum), [&](uint64_t n) {
        return checksum_of(static_cast<uint32_t>(n - 1)) == checksum;
    });
    return number ? number - 1 : packets_.size();
}

const Index::Term *Index::find_term(uint64_t hash) const {
    const uint64_t number =
        by_term_.find(hash, [&](uint64_t n) { return terms_[n - 1].hash == hash; });
    return number ? &terms_[number - 1] : nullptr;
}

Entry Index::operator[](uint32_t entry) const {
    const StoredEntry &stored = entries_[entry];
    return {stored.kind,       stored.packet,    stored.number,
            view(stored.what), view(stored.why), view(stored.by)};
}

}  // namespace accp::packet
