// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks for any text that is read as a message, with any library.
#pragma once

#include "fuzz/fuzz_input.h"
#include "sacp/message/adapt.h"
#include "sacp/message/fast_validator.h"
#include "sacp/message/mapping.h"
#include "sacp/message/validator.h"
#include "sacp/planner/planner.h"

namespace accp_fuzz {

class SacpCheck {
public:
    static constexpr uint64_t kMaxBytes = 1 << 20;

    explicit SacpCheck(const accp::sacp::Library &library) : library_(library) {
        REQUIRE(none_.read({}, kMaxBytes, verdict_));
    }

    void run(std::string_view message) {
        const Exact text(message);
        check_verdicts(text.view());
        check_spellings(text.view());
        check_adapter(text.view());
        check_planner(text.view());
        check_mapper(text.view());
    }

private:
    using Spelling = accp::sacp::Spelling;

    std::string written() {
        accp::Buffer<char> out(memory_);
        verdict_.write(out);
        return std::string(out.view());
    }
    // Without offsets, which differ between spellings.
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

    // The quick check must not accept more than the full one, and both must give the same verdict.
    void check_verdicts(std::string_view text) {
        for (bool strict : {false, true}) {
            const std::string said = judge(text, strict);
            const bool valid = verdict_.valid();
            REQUIRE(!verdict_.failed() || verdict_.byte() <= text.size());
            const accp::Status indexed =
                reader_.make_index(text.data(), text.size(), accp::sacp::message_limits(kMaxBytes));
            if (indexed.ok() && accp::sacp::FastValidator(text, reader_.index(),
                                                          reader_.index_count(), library_, strict)
                                    .accepts())
                REQUIRE(valid);
            validator_.check_fast(text, kMaxBytes, library_, strict, verdict_);
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

    // Converts a message to the other version of SACP. Converted back and forth again, it must be
    // the same.
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
        const bool up = !accp::sacp::is_v1(value_.view());
        std::string other, back, again;
        if (!adapt(text, up, other)) return;
        REQUIRE(judge(other, false).find("ERR") == std::string::npos || up);
        if (!adapt(other, !up, back)) return;
        REQUIRE(adapt(back, up, again));
        REQUIRE(again == other);
    }

    // A completed plan must not change when it is completed again, and must get the same verdict.
    // The cost is quadratic in the steps, so long inputs are skipped.
    void check_planner(std::string_view text) {
        if (text.size() > 8192) return;
        for (bool beside : {false, true}) {
            std::string made, again;
            if (!plan(text, beside, made)) continue;
            const std::string said = written();
            REQUIRE(judge(made, true) == said);
            REQUIRE(plan(made, false, again));
            REQUIRE(without_replies(again) == without_replies(made));
        }
    }
    // Removes reply_to, which depends on the message that was received.
    static std::string without_replies(std::string text) {
        constexpr std::string_view kReply = ",\"reply_to\":\"";
        for (size_t at = 0; (at = text.find(kReply, at)) != text.npos;)
            text.erase(at, text.find('"', at + kReply.size()) + 1 - at);
        return text;
    }
    bool plan(std::string_view text, bool beside, std::string &out) {
        accp::Buffer<char> buffer(memory_);
        const bool made = planner_.plan(text, library_, beside, kMaxBytes, buffer, verdict_);
        REQUIRE(made != verdict_.failed() && made != buffer.empty());
        out.assign(buffer.view());
        return made;
    }

    // A message that is mapped from ACCP must map back to ACCP. A message that is mapped to ACCP
    // and back must then map to the same text. Any other text must be refused with a verdict.
    void check_mapper(std::string_view text) {
        accp::Buffer<char> there(memory_), back(memory_), again(memory_);
        if (mapper_.from_accp(text, kMaxBytes, back, verdict_))
            REQUIRE(mapper_.to_accp(back.view(), "a", kMaxBytes, there, verdict_));
        there.clear();
        back.clear();
        if (!mapper_.to_accp(text, "a", kMaxBytes, there, verdict_)) {
            REQUIRE(there.empty() && verdict_.failed());
            return;
        }
        REQUIRE(mapper_.from_accp(there.view(), kMaxBytes, back, verdict_));
        REQUIRE(mapper_.to_accp(back.view(), "a", kMaxBytes, again, verdict_));
        REQUIRE(again.view() == there.view());
    }

    const accp::sacp::Library &library_;
    accp::Memory memory_{accp::private_allocator(), UINT64_MAX};
    accp::sacp::Verdict verdict_{memory_};
    accp::sacp::Validator validator_{memory_};
    accp::sacp::Adapter adapter_{memory_};
    accp::sacp::Planner planner_{memory_};
    accp::sacp::Library none_{memory_};
    accp::sacp::Mapper mapper_{memory_, none_};
    accp::value::JsonReader reader_{memory_};
    accp::value::Value value_{memory_};
};

}  // namespace accp_fuzz
