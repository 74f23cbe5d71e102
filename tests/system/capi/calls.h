// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of every function of the C face. generate_calls.py writes one for each declaration. A World
// makes the arguments, keeps the handles that the calls create, and checks their results.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calls_made.kinds.h"

namespace accp_calls {

class World;

// How often each call was made, and how often it succeeded.
struct Count {
    std::atomic<uint64_t> calls{0}, done{0};
    std::atomic<accp_status> last{0};
};
extern Count *const kCounts;  // in the order of kCalls

struct Call {
    const char *name;
    void (*run)(World &);
    Kind makes;
    Kind first;    // of the first argument
    bool answers;  // returns a status

    bool ends() const;  // frees or closes
};
extern const Call kCalls[];
extern const size_t kCallCount;

void fill_static(World &w, accp_store_backend &out);

// Stops the program and prints which call it was.
[[noreturn]] void give_up(const char *call, const std::string &what);

// SplitMix64: the same numbers everywhere.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    uint64_t below(uint64_t end) { return next() % end; }
    bool one_in(uint64_t n) { return below(n) == 0; }

private:
    uint64_t state_;
};

// Handles that several threads may use at the same time.
struct Shared {
    std::vector<void *> handles[kKinds];
};

class World {
public:
    // Arguments that make a call succeed, or random ones.
    enum class Mode { kSane, kRandom };
    static const accp_text kUntouched;

    World(uint64_t seed, const std::vector<std::string> &corpus, Shared *shared);
    ~World();
    World(const World &) = delete;
    World &operator=(const World &) = delete;
    static World &current();

    void run(const Call &call);
    void run_one();  // any call, at random
    void free_all();
    void free_one(Kind kind);
    void make(Kind kind);  // creates a handle with sane arguments; may fail
    // Moves one handle of each kind that threads may share from this world into `shared`.
    void share_into(Shared &shared);
    void adopt(Shared &shared);  // and back again

    // In the next call only, uses `text` for the text argument with this number.
    void set_special(size_t number, accp_text text) { special_ = number, special_text_ = text; }
    size_t texts() const { return texts_; }  // of the last call
    accp_status last_status() const { return last_status_; }
    bool last_found() const { return last_found_; }
    bool has(Kind kind) const { return !pool_[kind].empty(); }
    std::string trace() const;
    // If set, errors are added here and the program continues.
    std::set<std::string> *complaints = nullptr;

    // ---- What generated calls use ----

    template <class Handle>
    Handle *handle() {
        return static_cast<Handle *>(pick(kind_of<Handle>()));
    }
    template <class Handle>
    Handle *take() {
        return static_cast<Handle *>(remove(kind_of<Handle>()));
    }
    template <class Handle>
    void keep(bool ok, const Handle *made) {
        if (!ok && made) complain(kKindNames[kind_of<Handle>()], "a call that fails makes none");
        if (ok && made) pool_[kind_of<Handle>()].push_back(const_cast<Handle *>(made));
    }
    accp_text view(const char *where, bool outlives = false);
    int64_t number(const char *where);
    double fraction() {
        return is_sane() ? 0.25 : static_cast<double>(random_.below(12)) / 8 - 0.125;
    }
    size_t struct_size(size_t size);
    size_t buffer_size() { return is_sane() ? 64 : random_.below(80); }
    accp_error *error();
    template <class T>
    T *output(T *out) {
        return !is_sane() && random_.one_in(64) ? nullptr : out;
    }
    template <class T>
    T *input(T *in) {
        return !is_sane() && random_.one_in(32) ? nullptr : in;
    }
    const accp_allocator *allocator();
    const accp_store_backend *store_backend();
    bool check(const char *name, accp_status status);
    void came_out(bool ok, const char *name, accp_text text);
    void touch(const char *name, accp_text text);
    void touch_static(const char *text);
    template <class T>
    void touch_array(const T *items, size_t count) {
        if (items) touch("", {reinterpret_cast<const char *>(items), count * sizeof(T)});
    }
    void find_answer(int64_t number) { last_found_ = number > 0; }

    // Marks the duration of a function of the host.
    class InHook {
    public:
        explicit InHook(World &w) : world_(w) { ++w.in_hook_, ++w.hooks_run_; }
        ~InHook() { --world_.in_hook_; }
        InHook(const InHook &) = delete;
        InHook &operator=(const InHook &) = delete;

    private:
        World &world_;
    };
    bool with_hook() { return !is_sane() && random_.below(5) < 2; }
    bool with_function() { return is_sane() || !random_.one_in(20); }
    accp_text hook_text(const char *where);
    accp_status hook_status();
    int hook_stop() { return is_sane() || !random_.one_in(4) ? 0 : 1; }
    int64_t hook_count();
    int few() { return static_cast<int>(random_.below(4)); }
    void answer_vectors(accp_vectors &out, size_t count);
    void answer_write(accp_store_write &write);
    void call_again();

private:
    friend class Bytes;
    static constexpr size_t kMaxPool = 6, kMaxDepth = 3, kTrace = 48, kMaxSaid = 65536;

    void complain(const char *name, const std::string &what);
    std::string latest() const;
    bool is_sane() const { return mode_ == Mode::kSane; }
    const Call &choose();
    void *pick(Kind kind);
    void *remove(Kind kind);
    std::string text_for(const char *where);
    void note_said(std::string_view from, accp_text text);
    std::string random_text(const char *where);
    void spoil(std::string &text);
    char *hold(std::string_view text, bool outlives);
    int64_t sane_number(std::string_view where);
    void release_texts(size_t from);

    Random random_;
    const std::vector<std::string> &corpus_;
    Shared *shared_;
    Mode mode_ = Mode::kSane;
    std::vector<void *> pool_[kKinds];
    Kind focus_ = kNoKind;     // of the handle that the last call was of
    void *used_[kKinds] = {};  // the handle that was used last
    std::vector<std::unique_ptr<char[]>> texts_held_, texts_kept_;
    std::vector<std::string> recent_;
    std::map<std::string, std::string, std::less<>> said_;  // by functions, members and hooks
    accp_text last_view_ = {nullptr, 0};  // of the last call, if it is still valid
    accp_error errors_[kMaxDepth * 8] = {};
    size_t views_lent_ = 0;  // views of handles that were passed to running calls
    size_t depth_ = 0, in_hook_ = 0, making_ = 0;
    uint64_t hooks_run_ = 0, write_number_ = 0, calls_ = 0;
    int64_t clock_ms_ = 1714000000000;
    size_t texts_ = 0, special_ = SIZE_MAX;
    accp_text special_text_ = {};
    accp_status last_status_ = ACCP_OK;
    bool last_found_ = false, error_given_ = false;
    volatile unsigned char sum_ = 0;  // makes the compiler read the memory
    const char *trace_[kTrace] = {};
    std::vector<float> vectors_;

public:
    void set_mode(Mode mode) { mode_ = mode; }
};

// A buffer on the heap with no byte to spare.
class Bytes {
public:
    Bytes(World &w, size_t size) : memory_(new char[size]), size_(size) {
        for (size_t i = 0; i < size; ++i) memory_[i] = static_cast<char>(w.random_.below(256));
    }
    char *data() const { return memory_.get(); }
    const uint32_t *numbers() const { return reinterpret_cast<const uint32_t *>(memory_.get()); }
    size_t size() const { return size_; }

private:
    std::unique_ptr<char[]> memory_;
    size_t size_;
};

}  // namespace accp_calls
