// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/code/disk.h"

#include <functional>

#include "base/pack.h"

namespace accp::packet {

namespace {

// The largest row number that is accepted, because bounds_ has an element for each number. In an
// intact index no row number is larger than the number of files that were ever added.
constexpr uint64_t kMaxNumber = 1 << 26;

Status damaged() { return fail(ACCP_ERR_CORRUPT, 0, store::kIndexDamaged); }

// Limits of the pending files. Writing them takes about half a second, during which other processes
// wait.
constexpr size_t kMaxPending = 2000, kMaxPendingBytes = 4 << 20;

constexpr const char *kRemoved =
    "the code index was damaged, and its file has been removed: open it again";

}  // namespace

Status CandidateFinder::find_candidates(const CodeQuery &query, CodeCandidates &out) {
    Status status = rows_->totals(out.files, out.length);
    uint64_t newest = 0;
    if (status.ok()) status = rows_->newest(newest);
    if (status.failed() || out.files == 0) return status;
    if (newest > kMaxNumber || out.files > newest) return damaged();
    bounds_.clear();
    bounds_.reserve(newest + 1);
    for (uint64_t i = 0; i <= newest; ++i) bounds_.push({});
    status = find_words(query, out);
    if (status.failed()) return status;
    scorer_.prepare(query, out);
    for (const Hit &hit : hits_)
        bounds_[hit.number].max_score += scorer_.max_word_score(hit.word, hit.count);
    status = find_names(query);
    return status.ok() ? read_best(query, out) : status;
}

Status CandidateFinder::find_words(const CodeQuery &query, CodeCandidates &out) {
    hits_.clear(), out.document_counts.clear();
    for (size_t i = 0; i < query.words.size(); ++i) {
        const CodeTermRange range = CodeTermRange::word_score(query.words[i]);
        const size_t before = hits_.size();
        bool is_right = true;
        Status status = rows_->postings(
            range.first(), range.end(), [&](uint64_t number, std::string_view term) {
                is_right &= number < bounds_.size();
                if (is_right)
                    hits_.push({static_cast<uint32_t>(number), static_cast<uint32_t>(i),
                                static_cast<uint8_t>(count_of_term(term))});
            });
        if (status.failed()) return status;
        if (!is_right || hits_.size() - before > out.files) return damaged();
        out.document_counts.push(hits_.size() - before);
    }
    return {};
}

Status CandidateFinder::find_symbols(std::span<const uint64_t> names, uint16_t Bound::*count) {
    Status status;
    for (size_t i = 0; status.ok() && i < names.size(); ++i) {
        if (i && names[i] == names[i - 1]) continue;
        const CodeTermRange range = CodeTermRange::of_symbol(names[i]);
        status = rows_->postings(range.first(), range.end(), [&](uint64_t number, auto) {
            if (number < bounds_.size()) ++(bounds_[number].*count);
        });
    }
    return status;
}

Status CandidateFinder::find_names(const CodeQuery &query) {
    Status status = find_symbols(query.task_names, &Bound::task_names);
    if (status.ok()) status = find_symbols(query.talk_names, &Bound::talk_names);
    for (size_t i = 0; status.ok() && i < query.file_names.size(); ++i) {
        const CodeTermRange range = CodeTermRange::of_name(query.file_names[i]);
        status = rows_->postings(range.first(), range.end(), [&](uint64_t number, auto) {
            if (number < bounds_.size()) bounds_[number].is_named = true;
        });
    }
    return status;
}

Status CandidateFinder::read(uint32_t number, CodeCandidates &out) {
    return rows_->source(number, [&](const store::CodeSourceRow &row) {
        CodeFile file;
        if (!terms_.unpack(row, file)) return damaged();
        const auto keep = [&out](const auto *from, size_t count) {
            auto *const to = out.arena.allocate<std::remove_cvref_t<decltype(*from)>>(count);
            std::copy(from, from + count, to);
            return to;
        };
        for (std::string_view *text : {&file.path, &file.summary, &file.symbols})
            *text = {keep(text->data(), text->size()), text->size()};
        const size_t words = file.words.size();
        file.counts = keep(file.counts, words);
        file.words = {keep(file.words.data(), words), words};
        out.selected.push(file);
        return Status{};
    });
}

bool CandidateFinder::can_be_best(const Bound &bound, const CodeQuery &query) const {
    if (bound.max_score <= 0) return false;
    return bound.max_score * query.best_ratio >= greatest_ &&
           (best_.size() < query.best_count || bound.max_score >= best_[0]);
}

void CandidateFinder::add_score(int64_t score, size_t best_count) {
    greatest_ = std::max(greatest_, score);
    best_.push(score);
    std::push_heap(best_.begin(), best_.end(), std::greater<>());
    if (best_.size() <= best_count) return;
    std::pop_heap(best_.begin(), best_.end(), std::greater<>());
    best_.resize_down(best_count);
}

// Reads mentioned files first, whatever their bounds, then the others by descending bound.
Status CandidateFinder::read_best(const CodeQuery &query, CodeCandidates &out) {
    best_.clear(), order_.clear();
    greatest_ = 0;
    for (uint32_t i = 0; i < bounds_.size(); ++i) {
        Bound &bound = bounds_[i];
        bound.max_score += CodeScorer::name_score(bound.task_names, bound.talk_names);
        if (bound.max_score > 0 || bound.is_named) order_.push(i);
    }
    const auto is_less = [this](uint32_t a, uint32_t b) {
        return std::pair(bounds_[a].is_named, bounds_[a].max_score) <
               std::pair(bounds_[b].is_named, bounds_[b].max_score);
    };
    std::make_heap(order_.begin(), order_.end(), is_less);
    while (!order_.empty()) {
        const Bound &next = bounds_[order_[0]];
        if (!next.is_named && !can_be_best(next, query)) break;
        Status status = read(order_[0], out);
        if (status.failed()) return status;
        add_score(scorer_.score(out.selected[out.selected.size() - 1]), query.best_count);
        std::pop_heap(order_.begin(), order_.end(), is_less);
        order_.resize_down(order_.size() - 1);
    }
    return {};
}

// Runs one call at a time. A damaged file is removed: the index is only a cache, and the next open
// creates it again.
template <class Body>
Status DiskCodeIndex::run_locked(Body body) const {
    const std::lock_guard<std::mutex> held(lock_);
    if (is_removed_) return fail(ACCP_ERR_CORRUPT, 0, kRemoved);
    Status status = body();
    if (status.code != ACCP_ERR_CORRUPT) return status;
    is_removed_ = true;
    rows_.remove();
    return fail(ACCP_ERR_CORRUPT, 0, kRemoved);
}

Status DiskCodeIndex::open(const store::StorePlace &place) {
    Buffer<char> path(*memory_);
    path.append(place.name);
    path.push('\0');
    return rows_.open(*memory_, place, path.data());
}

Status DiskCodeIndex::add(std::string_view path, std::string_view text, uint64_t stamp) {
    return run_locked([&] {
        const bool is_full = pending_.count() >= kMaxPending ||
                             pending_bytes_ >= kMaxPendingBytes ||
                             stamp_updates_.size() >= kMaxPendingBytes;
        Status status = is_full ? flush() : Status{};
        return status.ok() ? add_file(path, text, stamp) : status;
    });
}

// Pending files take precedence over those on disk. If the text is already on disk, at most its
// stamp changes.
Status DiskCodeIndex::add_file(std::string_view path, std::string_view text, uint64_t stamp) {
    const uint64_t hash = CodeReader::hash_text(text);
    store::CodePathRow row;
    const bool is_pending = pending_.contains(path);
    if (!is_pending) {
        Status status = rows_.find(path, row);
        if (status.failed()) return status;
        if (row.number && row.text_hash == hash) {
            if (row.stamp == stamp && stamp_updates_.empty())
                return {};  // and no older stamp is pending
            stamp_updates_.reserve(path.size() + 30);
            Packer touched(stamp_updates_);
            touched.text(path);
            touched.number(hash);
            touched.number(stamp);
            return {};
        }
    }
    if (is_pending && pending_.has(path, hash)) {
        pending_.set_stamp(path, stamp);
        return {};
    }
    const CodeFile file = reader_.read(path, text, hash);
    pending_.add(file, stamp);
    pending_bytes_ += file.words.size() * 5 + file.path.size() + file.symbols.size();
    new_files_ += !is_pending && !row.number;
    return {};
}

Status DiskCodeIndex::remove(std::string_view path, bool &was_there) {
    was_there = false;
    return run_locked([&] {
        Status status = flush();
        if (status.failed()) return status;
        store::Transaction transaction(rows_.file());
        store::CodePathRow row;
        status = transaction.begin();
        if (status.ok()) status = rows_.find(path, row);
        if (status.failed() || !row.number) return status;
        status = rows_.totals(files_, length_);
        if (status.ok()) status = erase_source(row.number);
        if (status.ok()) status = rows_.erase(path);
        if (status.ok()) status = rows_.set_totals(files_, length_);
        if (status.ok()) status = transaction.commit();
        was_there = status.ok();
        return status;
    });
}

Status DiskCodeIndex::count(uint64_t &out) const {
    return run_locked([&] {
        uint64_t length = 0;
        Status status = rows_.totals(out, length);
        out += new_files_;
        return status;
    });
}

Status DiskCodeIndex::has(std::string_view path, uint64_t text_hash, bool &out) const {
    return run_locked([&] {
        store::CodePathRow row;
        const bool is_pending = pending_.contains(path);
        Status status = is_pending ? Status{} : rows_.find(path, row);
        out = is_pending ? pending_.has(path, text_hash) : row.number && row.text_hash == text_hash;
        return status;
    });
}

Status DiskCodeIndex::stamp(std::string_view path, uint64_t &out) const {
    return run_locked([&] {
        store::CodePathRow row;
        Status status = stamp_updates_.empty() ? Status{} : flush();
        const bool is_pending = pending_.contains(path);
        if (status.ok() && !is_pending) status = rows_.find(path, row);
        out = is_pending ? pending_.stamp(path) : row.stamp;
        return status;
    });
}

Status DiskCodeIndex::list(Buffer<char> &out) const {
    return run_locked([&] {
        Status status = flush();
        if (status.failed()) return status;
        return rows_.each_path([&](std::string_view path) {
            out.append(path);
            out.push('\0');
        });
    });
}

// Runs in one read transaction, so that concurrent writers have no effect.
Status DiskCodeIndex::find_candidates(const CodeQuery &query, CodeCandidates &out) const {
    return run_locked([&] {
        out.view = &out;
        out.selected.clear();
        out.arena.reset();
        Status status = flush();
        if (status.failed()) return status;
        store::Transaction moment(rows_.file());
        status = moment.begin(store::Sql::kBeginRead);
        return status.ok() ? finder_.find_candidates(query, out) : status;
    });
}

Status DiskCodeIndex::sync() {
    return run_locked([&] { return flush(); });
}

// Writes all pending changes in one transaction. After a failure they stay pending.
Status DiskCodeIndex::flush() const {
    if (!pending_.count() && stamp_updates_.empty()) return {};
    store::Transaction transaction(rows_.file());
    Status status = transaction.begin();
    if (status.ok()) status = rows_.totals(files_, length_);
    if (status.ok()) status = rows_.newest(newest_);
    if (status.ok()) status = write_pending();
    if (status.ok()) status = write_stamp_updates();
    if (status.ok()) status = rows_.set_totals(files_, length_);
    if (status.ok()) status = transaction.commit();
    if (status.failed()) return status;
    pending_.clear(), stamp_updates_.clear();
    pending_bytes_ = new_files_ = 0;
    rows_.checkpoint();
    return {};
}

Status DiskCodeIndex::write_pending() const {
    CodeFile file;
    Status status;
    for (size_t i = 0; status.ok() && i < pending_.entries(); ++i)
        if (pending_.get(i, file)) status = write_file(file, pending_.stamp(file.path));
    return status;
}

// Another process may have written the same file in the meantime.
Status DiskCodeIndex::write_file(const CodeFile &file, uint64_t stamp) const {
    store::CodePathRow row;
    Status status = rows_.find(file.path, row);
    if (status.failed()) return status;
    if (row.number && row.text_hash == file.text_hash)
        return rows_.set_stamp(file.path, file.text_hash, stamp);
    if (row.number) status = erase_source(row.number);
    else row.number = ++newest_;
    if (status.ok())
        status = rows_.put_source(terms_.pack(file, row.number), terms_.terms_of(file));
    ++files_, length_ += file.length;
    row.text_hash = file.text_hash;
    row.stamp = stamp;
    return status.ok() ? rows_.put(file.path, row) : status;
}

Status DiskCodeIndex::write_stamp_updates() const {
    Unpacker touched(stamp_updates_.view());
    Status status;
    while (status.ok() && !touched.rest().empty()) {
        const std::string_view path = touched.text();
        const uint64_t hash = touched.number();
        status = rows_.set_stamp(path, hash, touched.number());
    }
    return status;
}

// FTS5 stores no texts here, so it must be given the terms to remove.
Status DiskCodeIndex::erase_source(uint64_t number) const {
    std::string_view terms;
    Status status = rows_.source(number, [&](const store::CodeSourceRow &row) {
        CodeFile file;
        if (!terms_.unpack(row, file) || !files_ || length_ < file.length)
            return store::damaged(store::kIndexDamaged);
        --files_, length_ -= file.length;
        terms = terms_.terms_of(file);
        return Status{};
    });
    return status.ok() ? rows_.erase_source(number, terms) : status;
}

}  // namespace accp::packet
