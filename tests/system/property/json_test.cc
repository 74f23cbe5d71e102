// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random JSON texts, some of them damaged. The library must accept what the reference reader
// accepts and print the same, and the hash form must not depend on the spelling. `json_test --count
// N` runs longer.
#include <gtest/gtest.h>

#include <set>

#include "property/arguments.h"
#include "reference/generate.h"
#include "reference/ref_json.h"
#include "reference/ref_utf8.h"
#include "spec/c_face.h"

namespace {

using accp_ref::Json;

// Returns false for texts that RFC 8259 permits but the library refuses: duplicate keys, and
// strings that are not valid UTF-8.
bool is_fair(const Json &value) {
    if (!accp_ref::code_points(value.text)) return false;
    std::set<std::string> keys;
    for (const auto &member : value.members) {
        if (!keys.insert(member.first).second || !accp_ref::code_points(member.first) ||
            !is_fair(member.second))
            return false;
    }
    for (const Json &item : value.items) {
        if (!is_fair(item)) return false;
    }
    return true;
}

// One value handle for all texts.
class Reader {
public:
    Reader() {
        accp_value *made = nullptr;
        accp_value_new(nullptr, &made, nullptr);
        value_.reset(made);
    }

    // Returns the text as the library prints it, or nothing if it is refused.
    std::optional<std::string> read(const std::string &text) {
        const std::vector<char> exact(text.begin(), text.end());
        accp_error error{};
        if (accp_value_parse_json(value_.get(), exact.data(), exact.size(), &error) != ACCP_OK) {
            EXPECT_LE(error.offset, text.size());
            return std::nullopt;
        }
        accp_text out = {};
        EXPECT_EQ(accp_value_print_json(value_.get(), &out, &error), ACCP_OK);
        return std::string(out.text, out.len);
    }

private:
    accp_face::Handle<accp_value> value_;
};

TEST(Json, LibraryAndReferenceReadAlike) {
    Reader reader;
    const auto &run = accp_property::run();
    uint64_t taken = 0;
    for (uint64_t seed = run.from; seed < run.from + run.count && !HasFailure(); ++seed) {
        accp_ref::Random random(seed);
        std::string text = accp_ref::spell_json(accp_ref::random_json(seed, 6), random);
        if (random.one_in(2)) text = accp_ref::edited(text, random);
        const auto expected = accp_ref::parse_json(text);
        const bool fair = expected && accp_ref::code_points(text) && is_fair(*expected);
        const auto printed = reader.read(text);
        ASSERT_EQ(printed.has_value(), fair)
            << "seed " << seed << ": " << testing::PrintToString(text);
        if (!fair) continue;
        ++taken;
        EXPECT_EQ(*printed, accp_ref::write_json(*expected)) << "seed " << seed;
        if (seed % 16 == 0) {
            EXPECT_EQ(accp_face::hash_form(text).text, accp_face::hash_form(*printed).text);
        }
    }
    EXPECT_TRUE(taken > run.count / 2 && taken < run.count) << taken;
    std::printf("%llu texts done, %llu of them taken\n", static_cast<unsigned long long>(run.count),
                static_cast<unsigned long long>(taken));
}

}  // namespace

int main(int argc, char **argv) { return accp_property::main(argc, argv, 100000); }
