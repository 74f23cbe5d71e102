// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/conversations.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace proxy {

namespace {

constexpr uint64_t kVersion = 2, kOldVersion = 1;
enum Record : uint64_t { kHead, kCall, kPages, kExchange };
// The limit for one place. A request that is sent again and again, each time with another exchange,
// is rare.
constexpr size_t kMaxExchanges = 8;
constexpr uint32_t kPagesOfRecord = 1000;

// The journal is rewritten when it has this many more records than there are pages.
constexpr uint64_t kMaxExtraRecords = 10'000;
constexpr uint32_t kLookEvery_s = 600, kRetryAfter_s = 60;

uint32_t seconds(int64_t ms) {
    return static_cast<uint32_t>(std::clamp<int64_t>(ms / 1000, 0, UINT32_MAX));
}

// Builds one record.
class RecordWriter {
public:
    explicit RecordWriter(uint64_t type) : packer_(out_) { packer_.number(type); }
    RecordWriter &number(uint64_t n) {
        packer_.number(n);
        return *this;
    }
    RecordWriter &hash(const Hash &hash) {
        out_.append({reinterpret_cast<const char *>(&hash), sizeof hash});
        return *this;
    }
    accp::Packer &packer() { return packer_; }
    std::string_view view() const { return {out_.data(), out_.size()}; }

private:
    accp::Memory memory_{accp::private_allocator(), UINT64_MAX};
    accp::Buffer<char> out_{memory_};
    accp::Packer packer_;
};

Hash read_hash(accp::Unpacker &from) {
    Hash hash;
    const std::string_view bytes = from.bytes(sizeof hash);
    if (bytes.size() == sizeof hash) std::memcpy(&hash, bytes.data(), sizeof hash);
    return hash;
}

template <class T>
T read_small(accp::Unpacker &from, bool &fits) {
    const uint64_t n = from.number();
    fits &= n <= static_cast<T>(-1);
    return static_cast<T>(n);
}

std::string exchange_record(uint32_t page, const Hash &place, const Exchange &exchange) {
    RecordWriter record(kExchange);
    record.number(page).hash(place).hash(exchange.answer);
    exchange.pack(record.packer());
    return std::string(record.view());
}

std::string head_record(const HashKey &key) {
    return std::string(RecordWriter(kHead).number(kVersion).hash({key.low, key.high}).view());
}

}  // namespace

Conversations::Conversations(const ConversationLimits &limits, Journal *journal)
    : limits_(limits), journal_(journal), key_{accp::random_secret(), accp::random_secret()} {
    clear();
}

void Conversations::clear() {
    blocks_.clear();
    index_.assign(1 << 10, 0);
    exchanges_.clear();
    count_ = 0;
}

bool Conversations::load() {
    if (!journal_) return true;
    bool is_good = true;
    uint64_t records = 0;
    const bool was_read = journal_->load([&](std::string_view record) {
        is_good = is_good && (records != 0) == (record.substr(0, 1) != std::string_view("\0", 1)) &&
                  read_record(record);
        ++records;
    });
    records_ = records;
    if (was_read && is_good && records) return version_ == kVersion || rewrite_journal();
    clear();
    return rewrite_journal() && was_read && is_good;
}

bool Conversations::read_record(std::string_view record) {
    accp::Unpacker from(record);
    const uint64_t type = from.number();
    if (type == kHead) {
        version_ = from.number();
        if (version_ != kVersion && version_ != kOldVersion) return false;
        const Hash key = read_hash(from);
        key_ = {key.low, key.high};
    } else if (type == kPages) {
        for (uint64_t left = from.number(); left && from.ok(); --left)
            if (!read_page(from)) return false;
    } else if (type == kExchange) {
        if (!read_exchange(from)) return false;
    } else if (type != kCall || !read_call(from)) {
        return false;
    }
    return from.ok() && from.rest().empty();
}

bool Conversations::read_page(accp::Unpacker &from) {
    bool fits = true;
    PageState page;
    page.chain = read_hash(from);
    const auto parent = read_small<uint32_t>(from, fits);
    page.parent = parent & INT32_MAX;
    page.last_s = read_small<uint32_t>(from, fits);
    page.tokens = read_small<uint32_t>(from, fits);
    page.stub_tokens = read_small<uint16_t>(from, fits);
    page.evicted_at = read_small<uint16_t>(from, fits);
    if (version_ != kOldVersion) page.has_tool = from.number() != 0;
    if (!from.ok() || !fits || parent > count_ || lookup(page.chain)) return false;
    insert(page);
    return true;
}

bool Conversations::read_call(accp::Unpacker &from) {
    bool fits = true;
    const auto now_s = read_small<uint32_t>(from, fits);
    auto last = read_small<uint32_t>(from, fits);
    const uint32_t first_fresh = count_ + 1;
    if (last > count_) return false;
    for (uint64_t left = from.number(); left && from.ok(); --left) {
        PageState page;
        page.chain = read_hash(from);
        page.tokens = read_small<uint32_t>(from, fits);
        page.stub_tokens = read_small<uint16_t>(from, fits);
        page.parent = last & INT32_MAX;
        if (!from.ok() || !fits || lookup(page.chain)) return false;
        last = insert(page);
    }
    std::vector<uint32_t> evicted;
    for (uint64_t left = from.number(); left && from.ok(); --left) {
        const auto number = read_small<uint32_t>(from, fits);
        if (!fits || !number || number > count_) return false;
        evicted.push_back(number);
    }
    const auto call = read_small<uint16_t>(from, fits);
    const bool has_tool = version_ != kOldVersion && from.number() != 0;
    for (uint32_t number = first_fresh; number <= count_; ++number) at(number).has_tool = has_tool;
    if (!from.ok() || !fits || (!evicted.empty() && !call)) return false;
    for (const uint32_t number : evicted) at(number).evicted_at = call;
    touch(last, now_s);
    return true;
}

bool Conversations::read_exchange(accp::Unpacker &from) {
    bool fits = true;
    const auto number = read_small<uint32_t>(from, fits);
    const Hash place = read_hash(from);
    Exchange exchange;
    exchange.answer = read_hash(from);
    if (!fits || !number || number > count_ || !exchange.unpack(from)) return false;
    add_exchange(number, place, std::move(exchange));
    return true;
}

void Conversations::add_exchange(uint32_t page, const Hash &place, Exchange exchange) {
    exchanges_[place].page = page;
    std::vector<Exchange> &all = exchanges_[place].all;
    std::erase_if(all, [&](const Exchange &one) { return one.answer == exchange.answer; });
    if (all.size() == kMaxExchanges) all.erase(all.begin());
    all.push_back(std::move(exchange));
}

void Conversations::note_exchange(const Hash &chain, const Hash &place, Exchange exchange,
                                  int64_t now_ms) {
    const uint32_t number = lookup(chain);
    if (!number) return;
    write_journal(exchange_record(number, place, exchange), seconds(now_ms));
    add_exchange(number, place, std::move(exchange));
}

void Conversations::keep_exchanges(const Hash &place, uint32_t page, int64_t now_ms) {
    const auto found = exchanges_.find(place);
    if (found == exchanges_.end() || found->second.page == page) return;
    found->second.page = page;
    for (const Exchange &one : found->second.all)
        write_journal(exchange_record(page, place, one), seconds(now_ms));
}

const Exchange *Conversations::find_exchange(const Hash &place, const Hash &answer) const {
    const auto found = exchanges_.find(place);
    if (found == exchanges_.end()) return nullptr;
    for (const Exchange &one : found->second.all)
        if (one.answer == answer) return &one;
    return nullptr;
}

uint32_t Conversations::lookup(const Hash &chain) const {
    const size_t mask = index_.size() - 1;
    for (size_t slot = chain.low & mask;; slot = (slot + 1) & mask) {
        const uint32_t number = index_[slot];
        if (!number || page(number).chain == chain) return number;
    }
}

uint32_t Conversations::insert(const PageState &state) {
    if ((count_ + 2) * 5 > index_.size() * 4) grow_index();
    const uint32_t number = ++count_;
    if (number >> kBits == blocks_.size() || blocks_.empty())
        blocks_.push_back(std::make_unique<PageState[]>(1 << kBits));
    at(number) = state;
    const size_t mask = index_.size() - 1;
    size_t slot = state.chain.low & mask;
    while (index_[slot]) slot = (slot + 1) & mask;
    index_[slot] = number;
    return number;
}

void Conversations::grow_index() {
    index_.assign(index_.size() * 2, 0);
    const size_t mask = index_.size() - 1;
    for (uint32_t number = 1; number <= count_; ++number) {
        size_t slot = page(number).chain.low & mask;
        while (index_[slot]) slot = (slot + 1) & mask;
        index_[slot] = number;
    }
}

void Conversations::find_known(ConversationPath &path) const {
    path.known.clear();
    for (const Hash &chain : path.chains) {
        const uint32_t number = lookup(chain);
        if (!number) break;
        path.known.push_back(number);
    }
}

bool Conversations::find(ConversationPath &path, int64_t now_ms) {
    if (path.chains.size() > limits_.max_pages) return false;
    forget_old(now_ms);
    find_known(path);
    const size_t fresh = path.chains.size() - path.known.size();
    if (count_ + fresh > limits_.max_pages) {
        forget_oldest(fresh);
        find_known(path);
    }
    path.fresh.assign(path.chains.size() - path.known.size(), {});
    return count_ + path.fresh.size() <= limits_.max_pages;
}

int64_t Conversations::age_ms(uint32_t number, int64_t now_ms) const {
    return std::max<int64_t>(0, now_ms - int64_t{page(number).last_s} * 1000);
}

// A page is at least as new as those after it, so forgetting by age never leaves a page without the
// one before it.
void Conversations::touch(uint32_t number, uint32_t now_s) {
    for (; number && at(number).last_s < now_s; number = at(number).parent)
        at(number).last_s = now_s;
}

bool Conversations::note_call(ConversationPath &path, const std::vector<size_t> &evicted,
                              uint32_t call, int64_t now_ms) {
    const auto evicted_at = static_cast<uint16_t>(std::clamp<uint32_t>(call, 1, UINT16_MAX));
    const uint32_t now_s = seconds(now_ms);
    uint32_t last = path.known.empty() ? 0 : path.known.back();
    const uint32_t first_fresh = count_ + 1;
    const size_t known = path.known.size();
    RecordWriter record(kCall);
    record.number(now_s).number(last).number(path.fresh.size());
    for (size_t i = 0; i < path.fresh.size(); ++i)
        record.hash(path.chains[known + i])
            .number(path.fresh[i].tokens)
            .number(path.fresh[i].stub_tokens);
    record.number(evicted.size());
    for (const size_t place : evicted)
        record.number(place < known ? path.known[place] : first_fresh + place - known);
    record.number(evicted_at).number(path.has_tool);
    const bool is_written = write_journal(record.view(), now_s);
    for (size_t i = 0; i < path.fresh.size(); ++i) {
        PageState &page = path.fresh[i];
        page.chain = path.chains[known + i];
        page.parent = last & INT32_MAX;
        page.has_tool = path.has_tool;
        page.evicted_at = 0;
        path.known.push_back(last = insert(page));
    }
    path.fresh.clear();
    touch(last, now_s);
    if (is_written)
        for (const size_t place : evicted) at(path.known[place]).evicted_at = evicted_at;
    if (journal_ && is_written && records_ > count_ + kMaxExtraRecords) rewrite_journal();
    return is_written;
}

// Forgets pages that are older than the retention time, once they are an eighth of all pages.
void Conversations::forget_old(int64_t now_ms) {
    const uint32_t oldest = seconds(now_ms - limits_.retention_ms);
    // Looking through all pages is slow, so it is done only from time to time.
    if (!count_ || oldest < next_look_s_) return;
    next_look_s_ = oldest + kLookEvery_s;
    size_t old = 0;
    for (uint32_t number = 1; number <= count_; ++number) old += page(number).last_s < oldest;
    if (old * 8 >= count_) keep_from(oldest);
}

// Forgets the oldest quarter, and more if the fresh pages need the space.
void Conversations::forget_oldest(size_t fresh) {
    std::vector<uint32_t> times;
    for (uint32_t number = 1; number <= count_; ++number) times.push_back(page(number).last_s);
    const size_t surplus = count_ + fresh - limits_.max_pages;
    const size_t leaves = std::min<size_t>(std::max<size_t>(surplus, (count_ + 3) / 4), count_);
    const auto last = times.begin() + static_cast<ptrdiff_t>(leaves - 1);
    std::nth_element(times.begin(), last, times.end());
    keep_from(*last + 1);
}

void Conversations::keep_from(uint32_t min_last_s) {
    const auto old_blocks = std::move(blocks_);
    auto old_exchanges = std::move(exchanges_);
    const uint32_t old_count = count_;
    clear();
    std::vector<uint32_t> moved(old_count + 1);
    for (uint32_t number = 1; number <= old_count; ++number) {
        PageState page = old_blocks[number >> kBits][number & kMask];
        if (page.last_s < min_last_s) continue;
        page.parent = moved[page.parent] & INT32_MAX;
        moved[number] = insert(page);
    }
    for (auto &[place, exchanges] : old_exchanges)
        if (const uint32_t page = moved[exchanges.page])
            exchanges_[place] = {page, std::move(exchanges.all)};
    is_behind_ = journal_ && !rewrite_journal();
}

// Writes a record. After a failure, the whole journal is written again first, but not at each call.
bool Conversations::write_journal(std::string_view record, uint32_t now_s) {
    if (!journal_) return true;
    if (is_behind_ && now_s < retry_s_) return false;
    is_behind_ = (is_behind_ && !rewrite_journal()) || !journal_->append(record);
    if (is_behind_) retry_s_ = now_s + kRetryAfter_s;
    else ++records_;
    return !is_behind_;
}

bool Conversations::rewrite_journal() {
    std::vector<std::string> records = {head_record(key_)};
    for (uint32_t number = 1; number <= count_;) {
        const uint32_t end = std::min(number + kPagesOfRecord, count_ + 1);
        RecordWriter record(kPages);
        record.number(end - number);
        for (; number < end; ++number) {
            const PageState &it = page(number);
            record.hash(it.chain).number(it.parent).number(it.last_s).number(it.tokens);
            record.number(it.stub_tokens).number(it.evicted_at).number(it.has_tool);
        }
        records.emplace_back(record.view());
    }
    for (const auto &[place, exchanges] : exchanges_)
        for (const Exchange &exchange : exchanges.all)
            records.push_back(exchange_record(exchanges.page, place, exchange));
    if (!journal_->replace(records)) return false;
    records_ = records.size();
    return true;
}

size_t Conversations::memory_bytes() const {
    return blocks_.size() * (sizeof(PageState) << kBits) + index_.capacity() * sizeof(uint32_t);
}

}  // namespace proxy
