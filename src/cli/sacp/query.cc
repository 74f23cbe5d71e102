// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp query and feasibility. Without --registry and --store, query reads cases that contain
// their own registry:
//   {"op":"query","registry":[…],"now":S,"query":{…}}
//   {"op":"register","registry":[…],"entry":{…}}
//   {"op":"library","library_doc":{…}}
// Each line is answered by {"answer":[…]} or {"verdict":{…}}.
#include <cstdlib>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/agents.h"
#include "cli/settings.h"

namespace cli {
namespace {

accp_status refuse_case(const char *message, accp_error &err) {
    err = {};
    err.code = ACCP_E1004;
    err.message = message;
    return ACCP_E1004;
}

class QueryCases {
public:
    explicit QueryCases(const Arguments &arguments)
        : arguments_(arguments),
          config_(make_config(arguments)),
          value_(new_value(config_.get())) {}

    accp_status run(std::string_view line, std::string &out, accp_error &err) {
        accp_text text = {};
        accp_status status = accp_value_parse_json(value_.get(), line.data(), line.size(), &err);
        if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &text, &err);
        if (status != ACCP_OK) return status;
        const std::string_view given = to_view(text), op = json_word(json_member(given, "op")),
                               registry = json_member(given, "registry");
        if (op == "library") return check_library(json_member(given, "library_doc"), out, err);
        if (registry.empty()) return refuse_case("the case has no registry", err);
        AgentRegistry agents(nullptr, config_.get());
        status = agents.load(registry, err);
        if (status != ACCP_OK) return agents.append_verdict(status, out);
        if (op == "register") return agents.add(json_member(given, "entry"), out, err);
        if (op != "query")
            return refuse_case("the op of a case must be query, register or library", err);
        const std::string now(json_member(given, "now"));
        return agents.query(json_member(given, "query"), arguments_,
                            now.empty() ? ACCP_NO_CLOCK : seconds_to_ms(std::atof(now.c_str())),
                            out, err);
    }

private:
    accp_status check_library(std::string_view document, std::string &out, accp_error &err) {
        const Handle<accp_sacp> sacp = new_sacp(nullptr, config_.get());
        accp_text verdict = {};
        accp_status status =
            accp_sacp_check_library(sacp.get(), document.data(), document.size(), nullptr, &err);
        if (status == ACCP_OK) status = accp_sacp_print_verdict(sacp.get(), &verdict, &err);
        if (status == ACCP_OK) out.append("{\"verdict\":").append(to_view(verdict)).append("}");
        return status;
    }

    const Arguments &arguments_;
    Handle<accp_config> config_;
    Handle<accp_value> value_;
};

int run_cases(const Arguments &arguments, Streams &io) {
    QueryCases cases(arguments);
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          return cases.run(line, to.out.text, err);
                      });
}

}  // namespace

int sacp_query(const Arguments &arguments, Streams &io) {
    if (arguments.registry.empty() && arguments.store.empty()) return run_cases(arguments, io);
    const Handle<accp_config> config = make_config(arguments);
    AgentRegistry agents(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            return agents.query(line, arguments, agents_now_ms(arguments), to.out.text, err);
        });
}

// Prints which agents can do each step of a message's plan, or its verdict.
int sacp_feasibility(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const AgentRegistry agents(arguments, config.get());
    const int32_t reading = arguments.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT;
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          accp_text report = {};
                          const accp_status status = accp_capabilities_check_plan(
                              agents.get(), sacp.get(), line.data(), line.size(),
                              agents_now_ms(arguments), reading, &report, nullptr, &err);
                          if (status == ACCP_OK) to.out.text.append(to_view(report));
                          return status;
                      });
}

}  // namespace cli
