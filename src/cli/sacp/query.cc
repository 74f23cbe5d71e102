// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp query: with --registry or --store, queries to that registry; without, cases that bring
// their own
// ({"op":"query","registry":[…],"now":S,"query":{…}},
// {"op":"register","registry":[…],"entry":{…}}, {"op":"library","library_doc":{…}}). Each is
// answered by {"answer":[…]}, or by
// {"verdict":{…}}.
#include <cstdlib>

#include "cli/sacp/agents.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

accp_status refuse(const char *message, accp_error &err) {
    err = {};
    err.code = ACCP_E1004;
    err.message = message;
    return ACCP_E1004;
}

class Cases {
public:
    explicit Cases(const Arguments &arguments)
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
        if (registry.empty()) return refuse("a case without a registry", err);
        Agents agents(nullptr, config_.get());
        status = agents.load(registry, err);
        if (status != ACCP_OK) return agents.tell_verdict(status, out);
        if (op == "register") return agents.add(json_member(given, "entry"), out, err);
        if (op != "query")
            return refuse("a case whose op is none of query, register, library", err);
        const std::string now(json_member(given, "now"));
        return agents.ask(json_member(given, "query"), arguments_,
                          now.empty() ? ACCP_NO_CLOCK : seconds_to_ms(std::atof(now.c_str())), out,
                          err);
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
    Cases cases(arguments);
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          return cases.run(line, to.out.text, err);
                      });
}

}  // namespace

int sacp_query(const Arguments &arguments, Streams &io) {
    if (arguments.registry.empty() && arguments.store.empty()) return run_cases(arguments, io);
    const Handle<accp_config> config = make_config(arguments);
    Agents agents(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            return agents.ask(line, arguments, agents_now_ms(arguments), to.out.text, err);
        });
}

}  // namespace cli
