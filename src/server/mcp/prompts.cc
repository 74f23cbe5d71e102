// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_prompts.h.
#include "server/mcp/prompts.h"

#include "server/library/failure.h"
#include "server/json/json_parts.h"
#include "server/library/pane_words.h"
#include "server/json/typed_json.h"

namespace server {
namespace {

using host::Failure;

constexpr const char *kOrchestratorTitle = "Hand context over to workers",
                     *kWorkerTitle = "Work by a context packet";

std::string replaced_all(std::string text, std::string_view what, const std::string &with) {
    for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// Of the prompt `worker`: the number that stands for {N}; empty: it was not said.
std::string pane_argument(std::string_view arguments) {
    std::string pane;
    for (const auto &[key, value] : host::json_members(arguments)) {
        if (key != "pane")
            throw Failure("the prompt worker takes pane, and not " + std::string(key));
        pane = value[0] == '"' ? host::json_text(value) : std::string(value);
        if (pane.empty() || pane.size() > 4 ||
            pane.find_first_not_of("0123456789") != std::string::npos)
            throw Failure("pane is a number from 0 to 9999, and not " + pane);
    }
    return pane;
}

std::string prompt_result(const char *title, const std::string &text) {
    return "{\"description\":" + host::json_string(title) +
           R"(,"messages":[{"role":"user","content":{"type":"text","text":)" +
           host::json_string(text) + "}}]}";
}

}  // namespace

std::string list_prompts() {
    return std::string(R"({"prompts":[{"name":"orchestrator","title":)") +
           host::json_string(kOrchestratorTitle) +
           R"(,"description":"How to make a packet for each worker that you start."},)"
           R"({"name":"worker","title":)" +
           host::json_string(kWorkerTitle) +
           R"(,"description":"How to read your packet, and to say what it was like.",)"
           R"("arguments":[{"name":"pane","description":"Your number","required":false}]}]})";
}

std::string get_prompt(std::string_view name, std::string_view arguments) {
    if (name == "worker") {
        const std::string pane = pane_argument(arguments);
        const std::string text = host::role_text(host::Role::kWorker, host::Way::kTools);
        return prompt_result(kWorkerTitle, pane.empty() ? text : replaced_all(text, "{N}", pane));
    }
    if (name != "orchestrator")
        throw Failure("there is no prompt " + std::string(name) +
                      "; there are orchestrator and worker");
    if (!host::json_members(arguments).empty())
        throw Failure("the prompt orchestrator takes nothing");
    return prompt_result(kOrchestratorTitle,
                         host::role_text(host::Role::kOrchestrator, host::Way::kTools));
}

}  // namespace server
