// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each allocation of ours fails once, and those of ICU that report it; numbers by value.
#include <gtest/gtest.h>

#include <string>

#include "failing.h"
#include "sacp/people/presenter.h"
#include "value/json_reader.h"

namespace {

using namespace accp;
using namespace accp::sacp;
using accp_test::Failing;
using accp_test::fails;

constexpr const char *kText =
    "{n, plural, =0 {none} one {# one} other {# of {d, date, long}}} {p, number, percent} "
    "{l, each, by name desc {{@} {name} {price, currency, EUR} {s, select, a {A} other {O}}; } "
    "empty {-}} {t, datetime, full}";

std::string make_data() {
    std::string data = R"({"n":3,"d":"2026-05-09","p":0.5,"t":"2026-05-09T10:30:00Z","l":[)";
    for (int i = 0; i < 300; ++i)
        data += std::string(i ? "," : "") + R"({"name":"Hôtel )" + std::to_string(i) +
                R"(","price":)" + std::to_string(i) + "}";
    return data + "]}";
}

TEST(PresentMemory, EachAllocationFails) {
    const std::string data = make_data();
    Memory plain(private_allocator(), UINT64_MAX);
    value::JsonReader reader(plain);
    value::Value value(plain);
    ASSERT_TRUE(reader.read(data.data(), data.size(), {1 << 20, 128}, value).ok());
    Failing failing;
    int64_t at = 0;
    std::string wanted;
    for (bool failed = true; failed; ++at) {
        ASSERT_LT(at, 10'000);
        failed = fails(failing, at, [&] {
            Memory memory(failing.allocator(), UINT64_MAX);
            Presenter presenter(memory);
            Buffer<char> out(memory);
            ASSERT_TRUE(presenter.open(kText, "de-DE", "Europe/Berlin").ok());
            ASSERT_TRUE(presenter.write(value.view(), out).ok());
            wanted.assign(out.data(), out.size());
        });
        ASSERT_EQ(failing.live, 0) << at;
    }
    EXPECT_GT(at, 10);
    EXPECT_TRUE(wanted.starts_with("3 of 9. Mai 2026 50\u00A0% 1 Hôtel 99 99,00\u00A0€ O; "))
        << wanted.substr(0, 80);
}

// A presenter that ran out of memory works the next time.
TEST(PresentMemory, OneThatFailedGoesOn) {
    const std::string data = make_data();
    Memory plain(private_allocator(), UINT64_MAX);
    value::JsonReader reader(plain);
    value::Value value(plain);
    ASSERT_TRUE(reader.read(data.data(), data.size(), {1 << 20, 128}, value).ok());
    std::string wanted;
    Failing failing;
    for (int64_t at = 0;; ++at) {
        ASSERT_LT(at, 10'000);
        Memory memory(failing.allocator(), UINT64_MAX);
        Presenter presenter(memory);
        ASSERT_TRUE(presenter.open(kText, "de-DE", "Europe/Berlin").ok());
        Buffer<char> out(memory);
        const bool failed =
            fails(failing, at, [&] { ASSERT_TRUE(presenter.write(value.view(), out).ok()); });
        out.clear();
        ASSERT_TRUE(presenter.write(value.view(), out).ok());
        if (wanted.empty()) wanted.assign(out.data(), out.size());
        ASSERT_EQ(out.view(), wanted) << at;
        if (!failed) break;
    }
}

TEST(PresentIcu, ItsErrorsAreTold) {
    EXPECT_EQ(icu_failure(kIcuNoMemory, 5, "x").code, ACCP_ERR_NOMEM);
    EXPECT_EQ(icu_failure(1, 5, "x").code, ACCP_E1004);
    EXPECT_EQ(icu_failure(1, 5, "x").offset, 5u);
    Icu icu;
    ASSERT_TRUE(icu.load().ok());
    EXPECT_GE(icu.version, 64);
    Icu none;
    const Status status = none.load(Icu::kMinVersion - 1, 1);
    EXPECT_EQ(status.code, ACCP_ERR_IO);
    EXPECT_NE(std::string(status.message).find("libicu72"), std::string::npos);
}

TEST(PresentNumbers, ByTheirValues) {
    const char *const ordered[] = {
        "-1e999", "-10.5",  "-10.25", "-2",  "-0.5",   "-5e-2",
        "0",      "0.0004", "0.05",   "1",   "1.5",    "2",
        "9.99",   "10",     "100.01", "1e3", "1000.5", "12345678901234567890",
        "1e999"};
    const size_t count = sizeof ordered / sizeof *ordered;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < count; ++k) {
            const int order = compare_numbers(ordered[i], ordered[k]);
            EXPECT_EQ(order < 0, i < k) << ordered[i] << " " << ordered[k];
            EXPECT_EQ(order > 0, i > k) << ordered[i] << " " << ordered[k];
        }
    EXPECT_TRUE(is_same_number("1", "10e-1"));
    EXPECT_TRUE(is_same_number("-0", "0.00"));
    EXPECT_TRUE(is_same_number("1.20", "1.2"));
    EXPECT_FALSE(is_same_number("1x", "1"));
    EXPECT_FALSE(is_same_number("", "0"));
    EXPECT_FALSE(is_same_number("x", "0"));
}

}  // namespace
