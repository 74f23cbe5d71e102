// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp threads: messages, a line each, put together by what they reply to.
#include <algorithm>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/verdicts.h"
#include "cli/settings.h"

namespace cli {
namespace {

// One message that is refused is the end of all: threads cannot be told without it.
int refuse_line(const accp_sacp *sacp, std::string_view all, const accp_error &err, Streams &io) {
    accp_verdict verdict = {};
    if (err.code < 0 || accp_sacp_verdict(sacp, &verdict, nullptr) != ACCP_OK ||
        verdict.answer != ACCP_SACP_ERR)
        throw Failure("threads: " + message_of(err));
    const std::string_view before = all.substr(0, verdict.byte);
    const size_t begin = before.rfind('\n') + 1;
    verdict.byte -= begin;
    tell_fault(verdict, 1 + static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n')),
               all.substr(begin, all.find('\n', begin) - begin), io);
    return 1;
}

}  // namespace

int sacp_threads(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config.get());
    std::string all;
    for_each_block(arguments, io, [&](std::string_view block) { all.append(block); });
    accp_text text = {};
    accp_error err = {};
    const int32_t indented = arguments.indent ? 1 : 0;
    if (accp_sacp_thread(sacp.get(), all.data(), all.size(), indented, &text, &err) != ACCP_OK)
        return refuse_line(sacp.get(), all, err, io);
    io.out.text.append(text.text, text.len);
    if (!arguments.indent) io.out.text.append("\n");
    return 0;
}

}  // namespace cli
