// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The generators produce what they promise, and the reference codec reads back what it wrote.
#include <gtest/gtest.h>

#include "reference/generate.h"
#include "reference/ref_codec.h"
#include "reference/ref_print.h"

namespace accp_ref {
namespace {

TEST(Generate, FramesAreTakenAndTheirCanonicalFormIsAFixedPoint) {
    for (const Dialect dialect : {Dialect::kStrict, Dialect::kCompat, Dialect::kU8}) {
        int loose = 0;
        for (uint64_t seed = 0; seed < 5000; ++seed) {
            const std::string text = random_frame(seed, dialect);
            const Parsed parsed = parse_frame(text, dialect);
            ASSERT_TRUE(parsed.frame.has_value()) << text << " at " << parsed.offset;
            loose += !parse_frame(text).frame;
            const Canonical canon = canonical(*parsed.frame);
            if (!canon.text) continue;
            const Parsed again = parse_frame(*canon.text, dialect);
            ASSERT_TRUE(again.frame.has_value()) << *canon.text;
            EXPECT_EQ(canonical(*again.frame).text, canon.text);
        }
        EXPECT_EQ(loose > 500, dialect != Dialect::kStrict) << "strict takes " << loose << " fewer";
    }
}

TEST(Generate, EditsAreRefusedOftenButNotAlways) {
    Random random(1);
    int refused = 0;
    for (uint64_t seed = 0; seed < 5000; ++seed)
        refused += !parse_frame(edited(random_frame(seed, Dialect::kStrict), random)).frame;
    EXPECT_GT(refused, 1500);
    EXPECT_LT(refused, 4500);
}

TEST(Generate, JsonTextsReadBackEqual) {
    Random random(2);
    for (uint64_t seed = 0; seed < 5000; ++seed) {
        const Json value = random_json(seed, 6);
        const auto compact = parse_json(write_json(value)),
                   loose = parse_json(spell_json(value, random));
        ASSERT_TRUE(compact && loose) << write_json(value);
        EXPECT_TRUE(*compact == value && *loose == value) << write_json(value);
    }
}

TEST(Generate, MessagesComeBack) {
    Codec codec;
    codec.limits = {size_t{1} << 30, 1 << 20, 1 << 20, 65535, 8};
    int taken = 0, tables = 0;
    for (uint64_t seed = 0; seed < 5000; ++seed) {
        codec.t1 = seed % 2, codec.u8 = seed / 2 % 2, codec.abbreviate = seed / 4 % 2;
        const Coded frame = write_message(random_message(seed, 5), codec);
        if (!frame.text) continue;
        ++taken;
        tables += frame.text->find("__rows:") != std::string::npos;
        const Coded back = read_message(*frame.text, codec);
        ASSERT_TRUE(back.text.has_value()) << *frame.text << " " << back.status;
        EXPECT_EQ(write_message(*parse_json(*back.text), codec).text, frame.text);
    }
    EXPECT_GT(taken, 4000);
    EXPECT_GT(tables, 100);
}

}  // namespace
}  // namespace accp_ref
