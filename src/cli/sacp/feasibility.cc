// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp feasibility: a message a line in; who can do each of its steps out, or its verdict.
#include "cli/sacp/agents.h"
#include "cli/frames/filter.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {

int sacp_feasibility(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const Agents agents(arguments, config.get());
    const int32_t reading = arguments.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT;
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          accp_text report = {};
                          const accp_status status = accp_capabilities_check_plan(
                              agents.get(), sacp.get(), line.data(), line.size(), reading,
                              agents_now_ms(arguments), nullptr, &report, &err);
                          if (status == ACCP_OK) to.out.text.append(to_view(report));
                          return status;
                      });
}

}  // namespace cli
