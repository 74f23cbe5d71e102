// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// decode(encode(x)) is x, in strict and in compat, for random and adversarial messages under every
// set of extensions, and the wire form is that of the reference, byte for byte. `roundtrip_test
// --count 1000000` runs longer, `--from` starts at another seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "property/arguments.h"
#include "reference/generate.h"
#include "reference/ref_codec.h"
#include "reference/ref_q1.h"
#include "spec/c_face.h"

namespace {

using accp_face::Answer;
using accp_face::Frames;
using accp_ref::Json;
using accp_ref::JsonKind;

// One setup of the library and the reference: 6 sets of extensions, with and without abbreviations,
// at two depths.
struct Bench {
    accp_ref::Codec codec;
    std::unique_ptr<Frames> writer, reader;
    // reads what the writer wrote; NULL: for raw text, which it refuses
    std::unique_ptr<Frames> compat;

    explicit Bench(size_t which) {
        const uint32_t sets[] = {ACCP_EXT_Q1, ACCP_EXT_Q1 | ACCP_EXT_T1,
                                 ACCP_EXT_U8, ACCP_EXT_U8 | ACCP_EXT_T1,
                                 ACCP_EXT_W1, ACCP_EXT_W1 | ACCP_EXT_U8 | ACCP_EXT_T1};
        accp_face::Setup setup;
        setup.extensions = sets[which % 6];
        setup.abbreviate = which / 6 % 2;
        codec.limits = {1 << 28, 1 << 20, 1 << 24, 65535, which / 12 ? size_t{5} : size_t{12}};
        setup.limits = {{"frame_bytes", 1 << 28},
                        {"params", 1 << 20},
                        {"items", 1 << 24},
                        {"key_bytes", 65535},
                        {"depth", codec.limits.depth}};
        codec.t1 = setup.extensions & ACCP_EXT_T1;
        codec.u8 = setup.extensions & ACCP_EXT_U8;
        codec.w1 = setup.extensions & ACCP_EXT_W1;
        codec.abbreviate = setup.abbreviate;
        writer = std::make_unique<Frames>(setup);
        reader = std::make_unique<Frames>(setup);
        setup.dialect = ACCP_COMPAT;
        if (!codec.u8) compat = std::make_unique<Frames>(setup);
    }
};
constexpr size_t kBenches = 24;

void check_back(const Json &message, const std::string &wire, Bench &bench) {
    const Answer back = bench.reader->decode(wire);
    ASSERT_TRUE(back.ok()) << accp_status_name(back.status) << " at " << back.offset;
    EXPECT_EQ(back.text, accp_ref::read_message(wire, bench.codec).text);
    EXPECT_EQ(bench.compat ? bench.compat->decode(wire).text : back.text, back.text)
        << "the same to a peer that reads compat";
    const auto read = accp_ref::parse_json(back.text);
    ASSERT_TRUE(read.has_value()) << back.text;
    const Json sent = accp_ref::without_empty_meta(message);
    EXPECT_TRUE(accp_ref::normal(*read) == accp_ref::normal(sent)) << back.text;
    EXPECT_EQ(accp_face::hash_form(back.text).text,
              accp_face::hash_form(accp_ref::write_json(sent)).text);
}

// Returns true if the message was accepted.
bool check(uint64_t seed, Bench &bench) {
    accp_ref::Random random(seed);
    const Json message = accp_ref::random_message(
        seed, random.below(bench.codec.limits.depth + (random.one_in(20) ? 3 : 1)));
    const std::string json =
        random.one_in(2) ? accp_ref::write_json(message) : accp_ref::spell_json(message, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + json);
    const accp_ref::Coded expected = accp_ref::write_message(message, bench.codec);
    const Answer written = bench.writer->encode(json);
    EXPECT_EQ(written.status, expected.status) << "at " << written.offset;
    if (!written.ok() || !expected.text) return false;
    EXPECT_EQ(written.text, *expected.text);
    EXPECT_EQ(bench.writer->encode(json).text, written.text) << "written twice";
    const Answer parsed = bench.reader->parse(written.text);
    EXPECT_TRUE(parsed.ok()) << "does not parse at " << parsed.offset;
    EXPECT_EQ(bench.reader->print().text, written.text) << "is not its own canonical form";
    check_back(message, written.text, bench);
    return true;
}

TEST(RoundTrip, EveryMessageComesBackEqual) {
    std::vector<Bench> benches;
    for (size_t which = 0; which < kBenches; ++which) benches.emplace_back(which);
    const auto &run = accp_property::run();
    uint64_t taken = 0;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed)
        taken += check(seed, benches[seed % kBenches]);
    EXPECT_GT(taken, run.count / 2);
    std::printf("%llu messages done, %llu of them taken\n",
                static_cast<unsigned long long>(run.count), static_cast<unsigned long long>(taken));
}

}  // namespace

int main(int argc, char **argv) { return accp_property::main(argc, argv, 20000); }
