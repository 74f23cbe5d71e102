// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every function of the C face that takes bytes, with bytes that are not text: NULL with a length,
// text that is not UTF-8, NUL, text over each limit. Each buffer has its exact size, so that a
// sanitizer detects a read past its end. The calls are generated, so each new function is tested
// automatically.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "calls.h"

using namespace accp_calls;

namespace {

constexpr size_t kHuge = (size_t{1} << 20) + 1;  // over the limits of frames, packets and names
constexpr size_t kMaxTexts = 16;                 // of one call

constexpr std::string_view kBroken[] = {
    "\xC2",              // a sequence of two bytes that ends after the first
    "\xE2\x82",          // a sequence of three, after two
    "\xE2",              // and after one
    "\xF0\x9F\x98",      // a sequence of four, after three
    "\xF0\x9F",          // after two
    "\xF0",              // and after one
    "\xC0\x80",          // longer than necessary
    "\xE0\x80\x80",      // the same
    "\xF0\x80\x80\x80",  // the same
    "\xED\xA0\x80",      // one half of a surrogate pair
    "\xF4\x90\x80\x80",  // beyond U+10FFFF
    "\xF8\x88\x80\x80\x80",
    "\xFF",
    "\x80",
    "\xBF",
};

const std::vector<std::string> kNoCorpus;

// Tries each text argument of each function. Then the functions of the handle read what the call
// stored.
class Texts {
public:
    void try_all(const Call &call) {
        name_ = call.name;
        if (!begin(call)) return;
        const size_t count = world_->texts();
        if (count > kMaxTexts) give_up(call.name, "it takes at most 16 texts");
        texts += count;
        for (size_t number = 0; number < count; ++number) {
            expect_refused(call, number, {nullptr, 1});
            expect_refused(call, number, {nullptr, SIZE_MAX});
            for (std::string_view broken : kBroken) try_broken(call, number, std::string(broken));
            try_broken(call, number, std::string(1, '\0'));
            const std::string huge(kHuge, 'a');
            once(call, number, {huge.data(), huge.size()});
        }
        world_.reset();
    }

    size_t texts = 0;
    std::set<std::string> unmade, not_refused, not_utf8;

private:
    // Makes a world in which the call is possible, and counts its text arguments.
    bool begin(const Call &call) {
        world_.reset();
        world_ = std::make_unique<World>(1, kNoCorpus, nullptr);
        world_->complaints = &not_utf8;
        if (call.first != kNoKind) world_->make(call.first);
        if (call.first != kNoKind && !world_->has(call.first)) {
            if (world_->last_status() == ACCP_ERR_IO) return false;  // ICU is not installed
            unmade.insert(std::string(call.name) + ": no " + kKindNames[call.first]);
            return false;
        }
        world_->run(call);
        return true;
    }

    void once(const Call &call, size_t number, accp_text text) {
        world_->set_special(number, text);
        world_->run(call);
    }

    void expect_refused(const Call &call, size_t number, accp_text text) {
        once(call, number, text);
        const bool refused =
            call.answers ? world_->last_status() == ACCP_ERR_ARG : !world_->last_found();
        if (!refused)
            not_refused.insert(std::string(call.name) + ", text " + std::to_string(number) +
                               ": NULL with a length answers " +
                               std::to_string(world_->last_status()));
    }

    // The broken text alone, and in places where the rest is valid: as the string of a JSON value,
    // and at the end of a known name.
    void try_broken(const Call &call, size_t number, const std::string &broken) {
        for (const std::string &text : {broken, "{\"a\":\"" + broken + "\"}", "memory:" + broken}) {
            once(call, number, {text.data(), text.size()});
            if (!call.answers || world_->last_status() == ACCP_OK) look_at_what_is_kept(call);
        }
    }

    void look_at_what_is_kept(const Call &call) {
        const Kind kind = call.makes == kNoKind ? call.first : call.makes;
        for (size_t i = 0; i < kCallCount; ++i)
            if (kind != kNoKind && kCalls[i].first == kind && !kCalls[i].ends())
                world_->run(kCalls[i]);
        while (call.makes != kNoKind && world_->has(call.makes)) world_->free_one(call.makes);
    }

    std::unique_ptr<World> world_;
    std::string name_;
};

int report(const std::set<std::string> &problems, const char *what) {
    for (const std::string &each : problems) std::fprintf(stderr, "%s: %s\n", what, each.c_str());
    return !problems.empty();
}

}  // namespace

int main(int argc, char **argv) {
    std::string place = (std::filesystem::temp_directory_path() / "accp-texts-XXXXXX").string();
    if (!mkdtemp(place.data())) return 1;
    std::filesystem::current_path(place);
    std::filesystem::create_directory("project");
    Texts texts;
    for (size_t i = 0; i < kCallCount; ++i)
        if (!kCalls[i].ends() && (argc < 2 || std::string_view(kCalls[i].name) == argv[1]))
            texts.try_all(kCalls[i]);
    std::filesystem::current_path("/");
    std::filesystem::remove_all(place);
    std::printf("%zu texts of %zu functions\n", texts.texts, kCallCount);
    const int unmade = report(texts.unmade, "cannot be called");
    const int broken = report(texts.not_utf8, "handed out");
    return report(texts.not_refused, "not refused") | broken | unmade |
           (texts.texts < 100 && argc < 2);
}
