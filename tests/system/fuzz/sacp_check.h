// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What holds of any text that is taken for a message, whatever the library.
#pragma once

#include "fuzz/fuzz_input.h"
#include "plan/adapt.h"
#include "plan/glance.h"
#include "plan/validator.h"

namespace accp_fuzz {

class SacpCheck {
public:
    static constexpr uint64_t kMaxBytes = 1 << 20;

    explicit SacpCheck(const accp::plan::Library &library) : library_(library) {}

    void run(std::string_view message) {
        const Exact text(message);
        check_verdicts(text.view());
        check_spellings(text.view());
        check_adapter(text.view());
    }

private:
    using Spelling = accp::plan::Spelling;

    std::string written() {
        accp::Buffer<char> out(memory_);
        verdict_.write(out);
        return std::string(out.view());
    }
    // Without the places, which move when names do.
    std::string judge(std::string_view text, bool strict) {
        validator_.check(text, kMaxBytes, library_, strict, verdict_);
        return written();
    }
    bool spell(std::string_view text, Spelling spelling, std::string &out) {
        accp::Buffer<char> buffer(memory_);
        const bool made = validator_.spell(text, kMaxBytes, library_, spelling, buffer, verdict_);
        REQUIRE(made != verdict_.failed());
        out.assign(buffer.view());
        return made;
    }
    std::string respell(std::string_view text, Spelling spelling) {
        std::string out;
        REQUIRE(spell(text, spelling, out));
        return out;
    }

    // The quick look never says more than the checks, and either way says the same.
    void check_verdicts(std::string_view text) {
        for (bool strict : {false, true}) {
            const std::string said = judge(text, strict);
            const bool valid = verdict_.valid();
            REQUIRE(!verdict_.failed() || verdict_.byte() <= text.size());
            const accp::Status indexed =
                reader_.make_index(text.data(), text.size(), accp::plan::message_limits(kMaxBytes));
            if (indexed.ok() &&
                accp::plan::Glance(text, reader_.index(), reader_.index_count(), library_, strict)
                    .accepts())
                REQUIRE(valid);
            validator_.judge(text, kMaxBytes, library_, strict, verdict_);
            REQUIRE(written() == said);
        }
    }

    void check_spellings(std::string_view text) {
        std::string full;
        if (!spell(text, Spelling::kFull, full)) return;
        const std::string brief = respell(full, Spelling::kBrief),
                          canon = respell(text, Spelling::kAsIs);
        REQUIRE(respell(brief, Spelling::kFull) == full);
        REQUIRE(respell(full, Spelling::kFull) == full);
        REQUIRE(respell(brief, Spelling::kBrief) == brief);
        REQUIRE(respell(canon, Spelling::kAsIs) == canon);
        REQUIRE(respell(canon, Spelling::kFull) == full);
        for (bool strict : {false, true}) {
            const std::string said = judge(text, strict);
            REQUIRE(judge(full, strict) == said);
            REQUIRE(judge(brief, strict) == said);
            REQUIRE(judge(canon, strict) == said);
        }
    }

    // Each version of what the other takes, and the first again.
    bool adapt(std::string_view text, bool up, std::string &out) {
        accp::Buffer<char> buffer(memory_);
        REQUIRE(reader_.read(text.data(), text.size(), {kMaxBytes, 128}, value_).ok());
        verdict_.clear();
        const bool made =
            up ? adapter_.to_v1(value_.view(), library_, {"m", "2026-05-09T00:00:00Z", "A", ""},
                                &reader_, buffer, verdict_)
               : adapter_.to_v01(value_.view(), library_, &reader_, buffer, verdict_);
        REQUIRE(made != verdict_.failed() && made != buffer.empty());
        out.assign(buffer.view());
        return made;
    }
    void check_adapter(std::string_view text) {
        if (!reader_.read(text.data(), text.size(), {kMaxBytes, 128}, value_).ok()) return;
        const bool up = !accp::plan::is_v1(value_.view());
        std::string other, back, again;
        if (!adapt(text, up, other)) return;
        REQUIRE(judge(other, false).find("ERR") == std::string::npos || up);
        if (!adapt(other, !up, back)) return;
        REQUIRE(adapt(back, up, again));
        REQUIRE(again == other);
    }

    const accp::plan::Library &library_;
    accp::Memory memory_{accp::private_allocator(), UINT64_MAX};
    accp::plan::Verdict verdict_{memory_};
    accp::plan::Validator validator_{memory_};
    accp::plan::Adapter adapter_{memory_};
    accp::value::JsonReader reader_{memory_};
    accp::value::Value value_{memory_};
};

}  // namespace accp_fuzz
