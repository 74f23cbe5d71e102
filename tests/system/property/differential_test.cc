// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random frames, most of them damaged. The library and the reference parser must agree on the
// verdict, the offset, the tree and the canonical form, in every dialect and with small limits.
// `differential_test --count N` runs longer.
#include <gtest/gtest.h>

#include <memory>

#include "property/arguments.h"
#include "reference/generate.h"
#include "reference/ref_codec.h"
#include "reference/ref_print.h"
#include "spec/c_face.h"

namespace {

using accp_face::Answer;
using accp_face::Frames;
using accp_ref::Dialect;
using accp_ref::Json;
using accp_ref::Limits;

// The standard limits, and some so small that random frames reach them.
const Limits kLimits[] = {{},
                          {},
                          {65536, 256, 4096, 256, 2},
                          {65536, 3, 2, 256, 64},
                          {65536, 256, 4096, 3, 5},
                          {40, 256, 4096, 256, 5},
                          {300, 4, 3, 9, 3}};
constexpr size_t kLimitSets = sizeof kLimits / sizeof *kLimits;

std::unique_ptr<Frames> make(Dialect dialect, const Limits &limits) {
    accp_face::Setup setup;
    setup.dialect = static_cast<int32_t>(dialect);
    setup.limits = {{"frame_bytes", limits.frame_bytes},
                    {"params", limits.params},
                    {"items", limits.items},
                    {"key_bytes", limits.key_bytes},
                    {"depth", limits.depth}};
    return std::make_unique<Frames>(setup);
}

std::string typed_text(const accp_ref::Frame &frame) {
    Json json = accp_ref::typed(frame);
    json.members.insert(json.members.begin(), {"ok", Json{accp_ref::JsonKind::kTrue, {}, {}, {}}});
    return accp_ref::write_json(json);
}

void check_canon(const accp_ref::Frame &frame, Frames &frames) {
    const accp_ref::Canonical canon = accp_ref::canonical(frame);
    const Answer printed = frames.print();
    EXPECT_EQ(printed.status, canon.text ? ACCP_OK : ACCP_E1004);
    EXPECT_EQ(printed.offset, canon.offset);
    EXPECT_EQ(printed.text, canon.text.value_or(""));
}

bool check(const std::string &text, Dialect dialect, const Limits &limits, Frames &frames) {
    const accp_ref::Parsed parsed = accp_ref::parse_frame(text, dialect, limits);
    const Answer answer = frames.parse(text);
    EXPECT_EQ(answer.status, parsed.frame ? ACCP_OK : ACCP_E1001);
    EXPECT_EQ(answer.offset, parsed.offset);
    if (!parsed.frame || !answer.ok()) return false;
    EXPECT_EQ(answer.text, typed_text(*parsed.frame));
    check_canon(*parsed.frame, frames);
    return true;
}

TEST(Differential, LibraryAndReferenceAgree) {
    const Dialect dialects[] = {Dialect::kStrict, Dialect::kCompat, Dialect::kU8};
    std::unique_ptr<Frames> frames[3][kLimitSets];
    for (size_t d = 0; d < 3; ++d) {
        for (size_t l = 0; l < kLimitSets; ++l) frames[d][l] = make(dialects[d], kLimits[l]);
    }
    const auto &run = accp_property::run();
    uint64_t taken = 0;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed) {
        accp_ref::Random random(seed);
        const std::string text =
            accp_ref::edited(accp_ref::random_frame(seed, dialects[seed % 3]), random);
        const size_t l = random.below(kLimitSets);
        for (size_t d = 0; d < 3; ++d) {
            taken += check(text, dialects[d], kLimits[l], *frames[d][l]);
            if (HasFailure())  // no SCOPED_TRACE: slow for passing cases
                ADD_FAILURE() << "seed " << seed << " dialect " << d << " limits " << l << ": "
                              << testing::PrintToString(text);
        }
    }
    EXPECT_TRUE(taken > run.count / 4 && taken < run.count * 2) << taken;
    std::printf("%llu frames done in three dialects, %llu times taken\n",
                static_cast<unsigned long long>(run.count), static_cast<unsigned long long>(taken));
}

// With extensions, both must decode a frame to the same message, or both must refuse it.
TEST(Differential, LibraryAndReferenceDecodeAlike) {
    const uint32_t sets[] = {ACCP_EXT_Q1, ACCP_EXT_Q1 | ACCP_EXT_T1,
                             ACCP_EXT_U8, ACCP_EXT_U8 | ACCP_EXT_T1,
                             ACCP_EXT_W1, ACCP_EXT_W1 | ACCP_EXT_T1};
    const auto &run = accp_property::run();
    uint64_t taken = 0;
    for (size_t set = 0; set < 12; ++set) {
        accp_face::Setup setup;
        setup.extensions = sets[set % 6];
        setup.abbreviate = set / 6;
        Frames frames(setup);
        accp_ref::Codec codec;
        codec.t1 = setup.extensions & ACCP_EXT_T1;
        codec.u8 = setup.extensions & ACCP_EXT_U8;
        codec.w1 = setup.extensions & ACCP_EXT_W1;
        codec.abbreviate = setup.abbreviate;
        for (uint64_t seed = run.from; seed < run.from + run.count / 12 && !HasFailure(); ++seed) {
            accp_ref::Random random(seed);
            std::string text =
                accp_ref::random_frame(seed, codec.u8 ? Dialect::kU8 : Dialect::kStrict);
            if (random.one_in(4)) text = accp_ref::edited(text, random);
            const Answer answer = frames.decode(text);
            const accp_ref::Coded coded = accp_ref::read_message(text, codec);
            EXPECT_EQ(answer.ok(), coded.text.has_value())
                << accp_status_name(answer.status) << " " << coded.status << " at "
                << answer.offset;
            EXPECT_EQ(answer.text, coded.text.value_or(""));
            taken += answer.ok();
            if (HasFailure())
                ADD_FAILURE() << "seed " << seed << " set " << set << ": "
                              << testing::PrintToString(text);
        }
    }
    EXPECT_TRUE(taken > run.count / 4 && taken < run.count) << taken;
    std::printf("%llu frames decoded, %llu of them taken\n",
                static_cast<unsigned long long>(run.count), static_cast<unsigned long long>(taken));
}

}  // namespace

int main(int argc, char **argv) { return accp_property::main(argc, argv, 200000); }
