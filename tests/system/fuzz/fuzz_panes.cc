// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a worker's feedback. Accepted feedback is written, and must be read as the same.
// Each of its items has a kind and counts in the statistics. Then reads the bytes as a
// configuration.
#include "fuzz/fuzz_input.h"
#include "packet/panes/feedback.h"
#include "packet/panes/panes.h"
#include "packet/panes/statistics.h"

using namespace accp_fuzz;
using namespace accp;

namespace {

void check_status(const Status &status, size_t size) {
    REQUIRE(status.code == ACCP_E1001 || status.code == ACCP_E1004);
    REQUIRE(status.message && status.offset <= size);
}

void check_counted(const packet::Feedback &said, Memory &memory) {
    packet::TaskOutcome task;
    task.kind = "fuzz";
    task.gaps = said.gaps.view();
    task.unused = said.unused.view();
    packet::TaskStatistics statistics(memory);
    statistics.add(task);
    uint64_t met = 0;
    for (const accp::Share &share : statistics.all().gap_failed) met += share.all;
    REQUIRE((met > 0) == !said.gaps.empty());
}

void check_feedback(std::string_view text, Memory &memory) {
    packet::Feedback said(memory), again(memory);
    const Status status = packet::read_feedback(text, memory, said);
    if (status.failed()) return check_status(status, text.size());
    size_t items = 0;
    packet::each_line(said.gaps.view(), [&](std::string_view item) {
        ++items;
        REQUIRE(item.size() <= packet::kMaxFeedbackItemBytes && !packet::is_none_item(item));
    });
    REQUIRE(items <= packet::kMaxFeedbackItems);
    check_counted(said, memory);
    Buffer<char> file(memory);
    REQUIRE(packet::write_feedback(1, said, memory, file).ok());
    REQUIRE(packet::read_feedback(file.view(), memory, again).ok());
    REQUIRE(again.gaps.view() == said.gaps.view());
    REQUIRE(again.unused.view() == said.unused.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    Memory memory(private_allocator(), 64 << 20);
    check_feedback({text.data(), text.size()}, memory);
    packet::PaneSettings settings;
    const Status status = packet::read_settings({text.data(), text.size()}, memory, settings);
    if (status.failed()) check_status(status, text.size());
    REQUIRE(settings.depth >= 0 && settings.depth <= 2 && settings.pane >= -1);
    return 0;
}
