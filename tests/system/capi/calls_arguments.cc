// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See calls.h: the arguments of calls, and the results of the host's functions.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>

#include "calls.h"

namespace accp_calls {

namespace {

// A line of call_texts.txt.
struct Sample {
    std::string from;  // whose text it contains; empty: it is a text by itself
    std::string text;
};

const std::map<std::string, std::vector<Sample>> &samples() {
    static const auto read = [] {
        std::map<std::string, std::vector<Sample>> made;
        std::ifstream file(ACCP_SOURCE_DIR "/tests/system/capi/call_texts.txt");
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line[0] == '#') continue;
            const size_t space = line.find(' ');
            std::string text = line.substr(space + 1);
            for (size_t at = 0; (at = text.find("\\n", at)) != text.npos;)
                text.replace(at, 2, "\n");
            std::string from;
            if (text.starts_with('<')) {
                from = text.substr(1, text.find(' ') - 1);
                text.erase(0, from.size() + 2);
            }
            made[line.substr(0, space)].push_back({from, text});
        }
        if (made.empty()) give_up("call_texts.txt", "it can be read");
        return made;
    }();
    return read;
}

// Those that `from` of a sample names.
const std::set<std::string, std::less<>> &sources() {
    static const auto made = [] {
        std::set<std::string, std::less<>> all;
        for (const auto &[where, list] : samples())
            for (const Sample &one : list) all.insert(one.from);
        return all;
    }();
    return made;
}

// Returns a sample with `%` replaced by the text, and `%{key}` by a string that is a member of it.
std::string filled(std::string sample, const std::string &text) {
    const size_t at = sample.find('%');
    if (at == sample.npos) return sample;
    if (sample[at + 1] != '{') return sample.replace(at, 1, text);
    const size_t end = sample.find('}', at);
    const std::string key = '"' + sample.substr(at + 2, end - at - 2) + "\":\"";
    const size_t begin = text.find(key);
    const std::string value =
        begin == text.npos ? ""
                           : text.substr(begin + key.size(),
                                         text.find('"', begin + key.size()) - begin - key.size());
    return sample.replace(at, end + 1 - at, value);
}

// Names of places on the disk. Nothing outside of the working directory is created.
bool is_place(std::string_view where) {
    for (std::string_view each :
         {"accp_store_open.name", "accp_panes_open.directory", "accp_packet_code_new_on_disk.path"})
        if (where == each) return true;
    return false;
}

constexpr std::string_view kSpoilers[] = {"\xC2",
                                          "\xE2\x82",
                                          "\xF0\x9F\x98",
                                          "\xF0",
                                          "\xC0\x80",
                                          "\xE0\x80\x80",
                                          "\xED\xA0\x80",
                                          "\xF4\x90\x80\x80",
                                          "\xFF",
                                          "\x80",
                                          std::string_view("\0", 1),
                                          "\"",
                                          "\\",
                                          "{",
                                          "[",
                                          "]",
                                          "}",
                                          "$",
                                          "@",
                                          ":",
                                          "|",
                                          "~",
                                          "\n",
                                          "\r\n",
                                          "\xEF\xBB\xBF",
                                          "\xE2\x80\xA8",
                                          "\xF0\x9F\x98\x80"};

// malloc that sometimes fails. It stores the size in front of the block, to compare it on release.
constexpr size_t kHead = 16;

void *allocate(size_t size, void *user) {
    if (size > size_t{1} << 30) return nullptr;
    auto *random = static_cast<Random *>(user);
    thread_local Random own(size);
    if ((random ? *random : own).one_in(2000)) return nullptr;
    auto *block = static_cast<char *>(std::malloc(size + kHead));
    if (!block) return nullptr;
    std::memcpy(block, &size, sizeof size);
    return block + kHead;
}

void release(void *memory, size_t size, void *) {
    if (!memory) return;
    char *block = static_cast<char *>(memory) - kHead;
    size_t said = 0;
    std::memcpy(&said, block, sizeof said);
    if (said != size) give_up("accp_allocator.release", "it is told the size that was asked for");
    std::free(block);
}

constexpr accp_allocator kAllocator = {allocate, release, nullptr};

}  // namespace

std::string World::text_for(const char *where) {
    const auto &texts = samples();
    auto found = texts.find(where);
    const char *dot = std::strrchr(where, '.');
    if (found == texts.end()) found = texts.find(std::string("*") + (dot ? dot : ".text"));
    if (found == texts.end()) found = texts.find("*.text");
    for (int tries = 0; tries < 8; ++tries) {
        const Sample &one = found->second[random_.below(found->second.size())];
        if (one.from.empty()) return one.text;
        const auto said = said_.find(one.from);
        if (said != said_.end()) return filled(one.text, said->second);
    }
    return {};
}

void World::note_said(std::string_view from, accp_text text) {
    if (text.len > kMaxSaid || !sources().contains(from)) return;
    std::string &said = said_[std::string(from)];
    if (said.empty() || !random_.one_in(3)) said.assign(text.text, text.len);
}

void World::spoil(std::string &text) {
    for (uint64_t n = random_.below(3) + 1; n; --n) {
        const size_t at = random_.below(text.size() + 1);
        const std::string_view by = kSpoilers[random_.below(std::size(kSpoilers))];
        switch (random_.below(4)) {
            case 0: text.insert(at, by); break;
            case 1: text.resize(at); break;
            case 2: text.replace(at, by.size(), by); break;
            default: text += by;
        }
    }
}

std::string World::random_text(const char *where) {
    const bool place = is_place(where);
    std::string text = place || random_.below(8) < 5 || corpus_.empty()
                           ? text_for(where)
                           : corpus_[random_.below(corpus_.size())];
    if (place) {
        if (random_.one_in(8)) text.insert(text.find(':') + 1, "\xF0\x9F");
        return text;
    }
    if (!recent_.empty() && random_.one_in(4)) text = recent_[random_.below(recent_.size())];
    if (random_.one_in(4)) spoil(text);
    if (random_.one_in(500) && !text.empty()) {  // up to 1 MiB
        const size_t size = random_.below(1 << 20);
        std::string all = text;
        while (all.size() < size) all += text;
        text.swap(all);
    }
    return random_.one_in(30) ? std::string() : text;
}

char *World::hold(std::string_view text, bool outlives) {
    auto &held = outlives ? texts_kept_ : texts_held_;
    held.emplace_back(new char[text.size()]);
    std::memcpy(held.back().get(), text.data(), text.size());
    return held.back().get();
}

void World::release_texts(size_t from) { texts_held_.resize(from); }

accp_text World::view(const char *where, bool outlives) {
    if (depth_ == 1 && texts_++ == special_) {
        if (!special_text_.text) return special_text_;
        return {hold({special_text_.text, special_text_.len}, outlives), special_text_.len};
    }
    if (is_sane()) {
        const std::string text = text_for(where);
        return {hold(text, outlives), text.size()};
    }
    if (last_view_.text && !outlives && !is_place(where) && random_.one_in(8)) {
        ++views_lent_;
        return last_view_;
    }
    if (random_.one_in(60))
        return {nullptr, random_.one_in(2) ? 0 : size_t{1} << random_.below(40)};
    const std::string text = random_text(where);
    if (text.empty() && random_.one_in(2)) return {nullptr, 0};
    return {hold(text, outlives), text.size()};
}

size_t World::struct_size(size_t size) {
    if (is_sane() || !random_.one_in(16)) return size;
    constexpr size_t kStep = 8;
    return random_.one_in(2) ? size + kStep : random_.below(size);
}

int64_t World::sane_number(std::string_view where) {
    const std::string_view name = where.substr(where.rfind('.') + 1);
    if (name == "expires_ms" || name == "lease_until_ms" || name == "until_ms")
        return clock_ms_ + 100000;
    if (name.ends_with("_ms")) return ++clock_ms_;
    if (where == "accp_value_add.kind") return ACCP_STRING;
    if (where == "accp_value_begin.kind") return ACCP_ARRAY;
    if (where == "accp_registry_new.profiles") return ACCP_PROFILE_ALL;
    if (name == "an_interface") return ACCP_INTERFACE_OPENAI;
    if (name == "depth" || name == "max_bytes" || name == "layers") return 1;
    if (name == "max" || name == "budget_tokens") return 100000;
    if (name == "fields") return ACCP_ENVELOPE_MID | ACCP_ENVELOPE_CID;
    if (where == "accp_failure.code") return ACCP_E4002;
    if (where == "accp_run_request.flags") return ACCP_RUN_LENIENT | ACCP_RUN_RECORDS;
    if (name == "call" && where.starts_with("accp_run_"))  // as in accp_run_effect.call
        return static_cast<int64_t>(2 + random_.below(2)) << 32;
    return 0;
}

int64_t World::number(const char *where) {
    if (is_sane()) return sane_number(where);
    switch (random_.below(16)) {
        case 0: return -1;
        case 1: return 0;
        case 2: return random_.one_in(2) ? INT32_MAX : INT64_MAX;
        case 3: return random_.one_in(2) ? INT32_MIN : INT64_MIN;
        case 4: return static_cast<int64_t>(random_.next() >> random_.below(64));
        case 5:
        case 6:
        case 7: return static_cast<int64_t>(random_.below(48));
        default: return sane_number(where) + static_cast<int64_t>(random_.below(3));
    }
}

const accp_allocator *World::allocator() {
    return is_sane() || random_.one_in(2) ? nullptr : &kAllocator;
}

const accp_store_backend *World::store_backend() {
    static const auto made = [this] {
        accp_store_backend table;
        fill_static(*this, table);
        table.size = sizeof table;
        table.version = ACCP_STORE_BACKEND_VERSION;
        table.flags = ACCP_STORE_BACKEND_THREADS;
        table.reserved = 0;
        return table;
    }();
    return &made;
}

// ---- Results of the host's functions ----

accp_text World::hook_text(const char *where) {
    const std::string text = is_sane() ? text_for(where) : random_text(where);
    if (!is_sane() && random_.one_in(20)) return {nullptr, 0};
    return {hold(text, false), text.size()};
}

accp_status World::hook_status() {
    constexpr accp_status kCodes[] = {
        ACCP_E2001, ACCP_E2002,     ACCP_E5001,    ACCP_E5002,  ACCP_E4001,
        ACCP_E4003, ACCP_ERR_NOMEM, ACCP_ERR_BUSY, ACCP_ERR_IO, ACCP_ERR_CORRUPT,
        ACCP_HELD,  ACCP_DROPPED,   ACCP_E9999,    12345,       -99};
    if (is_sane() || random_.below(10) < 7) return ACCP_OK;
    return kCodes[random_.below(std::size(kCodes))];
}

int64_t World::hook_count() {
    if (is_sane()) return 3;
    return random_.one_in(40)   ? -1
           : random_.one_in(80) ? INT64_MAX
                                : static_cast<int64_t>(random_.below(300));
}

void World::answer_vectors(accp_vectors &out, size_t count) {
    constexpr size_t kMaxDimension = 8;
    const bool is_right = is_sane() || !random_.one_in(8);
    out.dimension = is_right ? 3 : random_.below(kMaxDimension);
    out.count = is_right ? count : random_.below(count + 2);
    vectors_.clear();
    for (size_t i = 0; i < (count + 1) * kMaxDimension; ++i)
        vectors_.push_back(static_cast<float>(i % 5) - 1.5F);
    if (!is_right && random_.one_in(2)) vectors_[random_.below(vectors_.size())] = INFINITY;
    out.numbers = is_right || !random_.one_in(4) ? vectors_.data() : nullptr;
    out.model = is_right ? accp_text{"model", 5} : hook_text("accp_vectors.model");
    if (!is_right) out.reason = hook_text("accp_vectors.reason");
}

void World::answer_write(accp_store_write &write) {
    write.number = ++write_number_;
    write.status = hook_status();
    write.message = "what the host says";
}

void World::call_again() {
    if (views_lent_) return;    // otherwise the next call with their handle would invalidate them
    last_view_ = {nullptr, 0};  // the running call may have invalidated it
    if (is_sane() || in_hook_ > kMaxDepth || !random_.one_in(3)) return;
    for (uint64_t n = random_.below(3) + 1; n; --n) run_one();
}

}  // namespace accp_calls
