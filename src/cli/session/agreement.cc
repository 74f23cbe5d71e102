// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See agreement.h.
#include "cli/session/agreement.h"

#include <cstdlib>

#include "cli/host.h"

namespace cli {

std::string kept_negotiation(accp_session *session, const char *part) {
    const std::string ref = std::string("ctx.negotiation.") + part;
    accp_text found = {};
    const bool kept = accp_session_resolve(session, ref.data(), ref.size(), nullptr, 0, 0, &found,
                                           nullptr) == ACCP_OK;
    return kept ? std::string(found.text, found.len) : std::string();
}

void go_by_agreement(const Arguments &arguments, accp_config *config) {
    accp_engine *made = nullptr;
    accp_session *opened = nullptr;
    if (accp_engine_new(config, &made, nullptr) != ACCP_OK) return;  // whoever goes on says why
    const Handle<accp_engine> engine(made);
    if (accp_session_open(made, arguments.session.data(), arguments.session.size(),
                          ACCP_SESSION_READ_ONLY, &opened, nullptr) != ACCP_OK)
        return;
    const Handle<accp_session> session(opened);
    accp_agreement agreement = {};
    agreement.state = std::atoi(kept_negotiation(opened, "state").c_str());
    if (agreement.state != ACCP_NEGOTIATION_AGREED && agreement.state != ACCP_NEGOTIATION_BARE)
        return;
    const auto bits = [&](const char *part) {
        return static_cast<uint32_t>(std::atoi(kept_negotiation(opened, part).c_str()));
    };
    agreement.extensions = bits("extensions");
    agreement.features = bits("features");
    const std::string document = kept_negotiation(opened, "registry");
    accp_error err = {};
    accp_registry *registry = nullptr;
    accp_status status = ACCP_OK;
    if (agreement.state == ACCP_NEGOTIATION_AGREED)
        status = accp_registry_new(ACCP_PROFILE_NONE, document.data(), document.size(), config,
                                   &registry, &err);
    const Handle<accp_registry> held(registry);
    agreement.registry = registry;
    if (status == ACCP_OK) status = accp_config_set_agreement(config, &agreement, &err);
    if (status != ACCP_OK) throw Failure(std::string("$ctx.negotiation: ") + message_of(err));
}

}  // namespace cli
