// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/a2a/card.h"

#include "server/json/json_object.h"

namespace server {
namespace {

using host::JsonList;
using host::JsonObject;

std::string modes() {
    return JsonList().text("text/plain").text("application/json").text(kFrameType).end();
}

std::string skill(std::string_view id, std::string_view name, std::string_view what) {
    JsonObject out;
    out.text("id", id).text("name", name).text("description", what);
    return out.json("tags", JsonList().text("accp").end()).end();
}

// One for each agent, whatever sessions it is in.
std::string skills(const A2aCard &card) {
    JsonList out;
    out.json(skill("frames", "Agents of this hub",
                   "Hands a message to the agent that its metadata names as \"agent\", as a frame "
                   "of ACCP, and brings back what that agent answers."));
    std::string_view last;
    for (const Hub::Connected &one : card.agents) {
        if (one.agent == last) continue;
        last = one.agent;
        out.json(skill(one.agent, one.agent,
                       "The agent " + one.agent + ", connected in session " + one.session + "."));
    }
    return out.end();
}

std::string capabilities(const A2aCard &card) {
    JsonObject extension;
    extension.text("uri", kA2aExtension);
    extension.text("description", "Parts of application/accp are frames of ACCP: docs/a2a.md.");
    extension.flag("required", false);
    extension.json("params", JsonObject().text("registry", card.registry_hash).end());
    JsonObject out;
    out.flag("streaming", true).flag("pushNotifications", false);
    out.json("extensions", JsonList().json(extension.end()).end());
    return out.flag("extendedAgentCard", true).end();
}

std::string interfaces(std::string_view url) {
    JsonList out;
    for (const char *version : {"1.0", "0.3"})
        out.json(JsonObject()
                     .text("url", url)
                     .text("protocolBinding", "JSONRPC")
                     .text("protocolVersion", version)
                     .end());
    return out.end();
}

void add_security(A2aVersion version, JsonObject &out) {
    JsonObject scheme;
    if (version == A2aVersion::k03) {
        scheme.text("type", "http").text("scheme", "bearer");
        out.json("securitySchemes", JsonObject().json("bearer", scheme.end()).end());
        out.json("security", R"([{"bearer":[]}])");
        return;
    }
    scheme.json("httpAuthSecurityScheme", JsonObject().text("scheme", "Bearer").end());
    out.json("securitySchemes", JsonObject().json("bearer", scheme.end()).end());
    out.json("securityRequirements", R"([{"schemes":{"bearer":{"list":[]}}}])");
}

}  // namespace

std::string print_card(const A2aCard &card, A2aVersion version) {
    JsonObject out;
    out.text("name", "ACCP hub");
    out.text("description", "Agents that speak ACCP: each message is handed to one of them.");
    out.text("version", card.version);
    if (version == A2aVersion::k10) out.json("supportedInterfaces", interfaces(card.url));
    out.text("url", card.url).text("preferredTransport", "JSONRPC");
    out.text("protocolVersion", "0.3.0");
    out.json("capabilities", capabilities(card));
    if (version == A2aVersion::k03) out.flag("supportsAuthenticatedExtendedCard", true);
    if (card.needs_token) add_security(version, out);
    out.json("defaultInputModes", modes()).json("defaultOutputModes", modes());
    return out.json("skills", skills(card)).end();
}

}  // namespace server
