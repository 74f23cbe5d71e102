// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// packet/extract/objections.h: what a user says against an earlier text, and what is not against
// it.
#include "packet/extract/objections.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu_time.h"
#include "unit.h"

namespace {

using namespace accp;
using packet::Objections;
using packet::Speaker;

const struct {
    const char *text, *said;
    bool is_against;
} kObjections[] = {
    // the object follows
    {"Store the token in localStorage", "don't keep the token in localStorage", true},
    {"Cache the results for an hour", "no caching at all, the numbers must be live", true},
    {"Must run on Python 3.8", "we can drop Python 3.8 now", true},
    {"Build the page with React", "we are moving away from React", true},
    {"The release is on Friday", "let's move the release to Monday", true},
    {"The header row is sticky", "undo the sticky header", true},
    {"Use Postgres for the orders", "do not run the slow Postgres tests in CI", false},
    {"v1 clients keep working", "don't break the v1 clients when you rename it", false},
    {"Uploads are at most 10 MB", "show an error over 10 MB, not a blank page", false},
    // before it
    {"Use bcrypt for the passwords", "argon2 for the passwords, bcrypt is out", true},
    {"The command is named sync", "call it pull, sync is confusing", true},
    {"Deploy to Heroku", "Heroku is too expensive for us", true},
    {"The package is named core", "the import is still wrong after the rename", false},
    {"A custom tooltip with HTML", "the custom tooltip is cool, but it doesn't work", true},
    {"Use vitest for the tests", "vitest is not in package.json yet, add it", false},
    {"All endpoints need authentication", "the health endpoint doesn't need authentication", true},
    {"PyJWT for the tokens", "PyJWT fails, it is not installed here", true},
    // another value
    {"The dark theme is the default", "the default should be the light theme", true},
    {"The dark theme is the default", "the default should be the dark theme", false},
    {"Use JWT for the sessions", "the JWT should have the tenant id as well", false},
    // numbers
    {"Tokens expire after 24 hours", "make it 1 hour instead", true},
    {"Tokens expire after 24 hours", "tokens expire after 12 hours", true},
    {"Tokens expire after 24 hours", "the refresh secret lives 30 days", false},
    {"Retry webhooks 3 times", "there are 5 webhook endpoints, test each", false},
    // a denial is taken back by a permission, and not by another denial
    {"Do not touch the registration flow", "you may change the registration flow", true},
    {"Do not touch the registration flow", "no changes of the registration flow, please", false},
    // quotes and apostrophes of any kind are no words
    {"Use the parser", "drop ' ' '' \u2019 not '", false},
    {"Store the token in localStorage", "don\u2019t keep the token in localStorage", true},
    {"Draw the charts with D3", "I'd prefer Chart.js over D3 here", true},
    {"Draw the charts with D3", "go over the charts again", false},
    {"Ship weekly", "we ship daily from now on", true},
    {"Store the images on the local disk", "a local disk won't work here", true},
    {"The page size is 50", "50 is too much on mobile, make the page size 20", true},
    {"Use port 8080", "8080 is taken on my machine, use 9090", true},
    // other languages
    {"MySQL f\u00FCr die Bestellungen", "Bitte lieber PostgreSQL statt MySQL.", true},
    {"Usar axios para las peticiones", "mejor usemos fetch en vez de axios", true},
    {"\u4F7F\u7528Redis\u7F13\u5B58\u5546\u54C1", "\u4E0D\u8981\u7528Redis\u7F13\u5B58\u4E86",
     true},
};

TEST(Objections, AreAgainstTheSameThing) {
    accp_unit::Room room;
    Objections objections(room.memory);
    for (const auto &given : kObjections) {
        const packet::Utterance said[] = {{Speaker::kUser, "hello", false, 0},
                                          {Speaker::kAgent, given.text, false, 1},
                                          {Speaker::kUser, given.said, false, 2}};
        objections.read(said);
        const Objections::Sentence *found =
            objections.find(given.text, 1, Objections::Evidence::kAny);
        EXPECT_EQ(found != nullptr, given.is_against) << given.text << " | " << given.said;
        if (!found) continue;
        EXPECT_EQ(found->message, 2u);
        EXPECT_EQ(found->text,
                  std::string_view(given.said).substr(found->begin, found->end - found->begin));
        EXPECT_EQ(objections.find(given.text, 2, Objections::Evidence::kAny), nullptr)
            << "only later sentences count";
    }
}

// Assistants do not overturn anything, and the last objection is returned.
TEST(Objections, AreOfUsersAndTheLastCounts) {
    accp_unit::Room room;
    Objections objections(room.memory);
    const packet::Utterance said[] = {{Speaker::kUser, "Use bcrypt for it", false, 0},
                                      {Speaker::kUser, "bcrypt is out", false, 1},
                                      {Speaker::kUser, "drop bcrypt", false, 2},
                                      {Speaker::kAgent, "I drop bcrypt", false, 3}};
    objections.read(said);
    const Objections::Sentence *found =
        objections.find("Use bcrypt for it", 0, Objections::Evidence::kPlain);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->text, "drop bcrypt");
    EXPECT_EQ(objections.find("Use bcrypt for it", 2, Objections::Evidence::kAny), nullptr);
}

// Plain evidence is about most of the object and a third of the text, and not only another number.
TEST(Objections, NeedPlainEvidenceToAct) {
    accp_unit::Room room;
    Objections objections(room.memory);
    const struct {
        const char *text, *said;
        bool is_plain;
    } cases[] = {
        {"Cache the results for an hour", "no caching at all", true},
        {"PyJWT for the tokens", "PyJWT fails, it is not installed here", false},
        {"Cookies survive the proxy", "Do not use any cookie for tracking", false},
        {"The page shows the cache, the log and all errors of the last week", "no caching", false},
        {"The page must show error 4", "the page must show error 5", false},
        {"Tokens expire after 24 hours", "tokens should rather expire after 12 hours", true},
    };
    for (const auto &given : cases) {
        const packet::Utterance said[] = {{Speaker::kUser, given.text, false, 0},
                                          {Speaker::kUser, given.said, false, 1}};
        objections.read(said);
        EXPECT_EQ(objections.find(given.text, 0, Objections::Evidence::kPlain) != nullptr,
                  given.is_plain)
            << given.said;
    }
}

// The cost of a text does not grow with the conversation.
TEST(Objections, AreFoundInLinearTime) {
    accp_unit::Room room;
    Objections objections(room.memory);
    const auto cost = [&](uint32_t turns) {
        std::vector<std::string> texts;
        std::vector<packet::Utterance> said;
        for (uint32_t i = 0; i < turns; ++i)
            texts.push_back("don't use module" + std::to_string(i) + " of the parser");
        for (uint32_t i = 0; i < turns; ++i) said.push_back({Speaker::kUser, texts[i], false, i});
        return accp_test::cpu_seconds_of([&] {
            objections.read(said);
            for (uint32_t i = 0; i < turns; ++i)
                objections.find("parser module", i, Objections::Evidence::kAny);
        });
    };
    constexpr uint32_t kTurns = ACCP_SANITIZED ? 2'000 : 20'000;
    const double all = cost(kTurns);
    EXPECT_LT(all, 60) << "of " << kTurns << " turns; a scan of all pairs takes minutes";
    EXPECT_LT(all, 3 * 8 * (cost(kTurns / 8) + 0.01));
}

}  // namespace
