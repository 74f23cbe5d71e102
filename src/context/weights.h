// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a thing is worth by who said it, and how fast that fades: found by measuring
// (docs/context.md), and few on purpose. In sixteenths unless it says otherwise; arrays go by
// Source: guide, task, act, result. A decay is for one message, in 1/65536.
#pragma once

#include <cstdint>

namespace accp::context {

constexpr uint32_t percent(uint32_t hundredths_of_percent) {
    return hundredths_of_percent * 65536 / 10000;
}

// Names.
constexpr uint32_t kNameDecay[] = {percent(9850), percent(9850), percent(9850), percent(9300)};
constexpr uint32_t kActName = 96, kTaskName = 64;
// for each time it is said, up to so many
constexpr uint32_t kGuideName = 20, kMaxGuideNames = 3;
// once, and again for each time it is said
constexpr uint32_t kResultName = 5, kMaxResultName = 32;
constexpr uint32_t kCapitalsWorth = 2, kNumberWorth = 5, kProseWorth = 8;  // of 16
// times what a name is worth, when an agent used one like it
constexpr uint32_t kKinWorth = 4, kKinDecay = percent(9000);
// percent of the room that is for names first: of a checkpoint, of a context
constexpr uint32_t kPackedNames = 40, kNameShare = 50;

// Lines.
constexpr uint32_t kLineDecay[] = {percent(9850), percent(9850), percent(8000), percent(8500)};
// a token of what an agent did
constexpr uint32_t kActToken = 48;
// what one name adds to a line at most
constexpr uint32_t kMaxNameInLine = 48;
// of 16: how much of that counts
constexpr uint32_t kGuideNames = 5, kTaskNames = 19, kResultNames = 8;
// a sign of code in a task's line, and how many count
constexpr uint32_t kSign = 10, kMaxSigns = 6;
// a task's line between ``` marks
constexpr uint32_t kFenced = 115;

// The cut of a long message.
// a word of the request that it answers, divided by how many lines have it
constexpr uint32_t kAskedName = 64, kAskedWord = 12;
constexpr uint32_t kFault = 40;  // error, fail, exception …
// the first line and the last; half of it the next, a third …
constexpr uint32_t kHeadLine = 96, kTailLine = 64;
// a line that begins as no other does; divided by how many do
constexpr uint32_t kOddLine = 20;
// of 160: what a line adds to the next, the second next … and to those before it
constexpr uint32_t kBeside[] = {160, 80, 40, 20, 10, 5};
constexpr uint32_t kLineTokens = 6;  // a line costs its tokens and so many
constexpr uint32_t kEdgeLines = 4;
constexpr uint32_t kNameTokens = 160;  // of 400: for names that the lines left out have

// How much a context should have, beside facts: so many tokens and this share of the history.
constexpr uint32_t kBaseTokens = 180, kShare = percent(700), kMaxAutomatic = 1500, kMinWarm = 100;
// a tool's message with more only replaces what is known; its names stay
constexpr uint32_t kMaxToolFacts = 8;
constexpr uint32_t kParentTokens = 120;  // of a parent that is a result
// of hot, kept for a request beside a result that must be cut anyway
constexpr uint32_t kActRoom = 96;

}  // namespace accp::context
