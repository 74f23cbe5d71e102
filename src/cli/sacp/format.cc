// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp format: data, JSON a line, as text for people by a template.
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

Handle<accp_presenter> open_presenter(const Arguments &arguments, const accp_config *config) {
    const std::string text = read_input(arguments.template_file);
    accp_presenter *made = nullptr;
    accp_error err = {};
    if (accp_presenter_new(text.data(), text.size(), arguments.locale.data(),
                           arguments.locale.size(), arguments.zone.data(), arguments.zone.size(),
                           config, &made, &err) != ACCP_OK)
        throw Failure(arguments.template_file + ": " + message_of(err));
    return Handle<accp_presenter>(made);
}

}  // namespace

int sacp_format(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_presenter> presenter = open_presenter(arguments, config.get());
    std::string said;  // what err points to, until the record is done
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            const accp_status status =
                accp_presenter_print(presenter.get(), line.data(), line.size(), &text, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            if (status != ACCP_E1004) return status;
            said = "the template's slot at byte " + std::to_string(err.offset) + ": " + err.message;
            err.message = said.c_str();
            err.offset = 0;
            return status;
        });
}

}  // namespace cli
