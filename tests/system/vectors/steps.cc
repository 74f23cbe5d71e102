// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "vectors/steps.h"

#include <stdexcept>

namespace accp_steps {

std::string Step::text(const char *key) const {
    const Json *found = find(key);
    return found ? found->text : std::string();
}
int64_t Step::number(const char *key, int64_t otherwise) const {
    const Json *found = find(key);
    return found ? std::stoll(found->text) : otherwise;
}
bool Step::flag(const char *key) const {
    const Json *found = find(key);
    return found && found->kind == JsonKind::kTrue;
}
std::vector<std::string> Step::list(const char *key) const {
    std::vector<std::string> all;
    if (const Json *found = find(key))
        for (const Json &item : found->items) all.push_back(item.text);
    return all;
}

Json integer(int64_t number) { return Json::number(std::to_string(number)); }
Json string(const std::string &text) { return Json::string(text); }
Json object(accp_ref::Members members) { return Json::object(std::move(members)); }

Json gives(accp_status status, const accp_error &err,
           const std::function<void(accp_ref::Members &)> &fill) {
    accp_ref::Members members;
    if (status != ACCP_OK) members.emplace_back("status", string(accp_status_code_name(status)));
    else if (fill) fill(members);
    if (status != ACCP_OK && status != ACCP_HELD && status != ACCP_DROPPED) {
        members.emplace_back("offset", integer(static_cast<int64_t>(err.offset)));
        std::string text = err.message;
        const bool order = err.code == ACCP_E3003;
        if (err.limit)
            text += (order ? " (came " : " (") + std::to_string(err.had) +
                    (order ? ", awaited " : " of ") + std::to_string(err.limit) + ")";
        members.emplace_back("message", string(text));
    }
    return object(std::move(members));
}

uint32_t extensions_of(const Step &step) {
    static const std::map<std::string, uint32_t> known = {{"q1", ACCP_EXT_Q1},
                                                          {"t1", ACCP_EXT_T1},
                                                          {"u8", ACCP_EXT_U8},
                                                          {"p1", ACCP_EXT_P1},
                                                          {"w1", ACCP_EXT_W1}};
    uint32_t bits = 0;
    for (const std::string &name : step.list("extensions")) bits |= known.at(name);
    return bits;
}

Config config_of(const Step &step) {
    accp_config *made = nullptr;
    if (accp_config_new(&made, nullptr) != ACCP_OK) throw std::bad_alloc();
    Config config(made);
    bool taken = true;
    if (const Json *given = step.find("options")) {
        const Step of{*given};
        std::string dialect = of.text("dialect");
        taken = accp_config_set_rule(made, ACCP_RULE_DIALECT,
                                     dialect == "compat" ? ACCP_COMPAT
                                     : dialect == "u8"   ? ACCP_U8
                                                         : ACCP_STRICT,
                                     nullptr) == ACCP_OK;
        if (of.find("extensions"))
            taken = taken && accp_config_set_rule(made, ACCP_RULE_EXTENSIONS, extensions_of(of),
                                                  nullptr) == ACCP_OK;
        taken = taken && accp_config_set_rule(made, ACCP_RULE_ABBREVIATE, of.flag("abbreviate"),
                                              nullptr) == ACCP_OK;
        taken = taken && accp_config_set_rule(made, ACCP_RULE_KEEP_REFS, of.flag("keep_refs"),
                                              nullptr) == ACCP_OK;
        for (const std::string &name : of.list("ignore"))
            taken = taken &&
                    accp_config_add_ignored(made, name.data(), name.size(), nullptr) == ACCP_OK;
        if (const Json *limits = of.find("limits"))
            for (const auto &[name, value] : limits->members)
                taken =
                    taken && accp_config_set_limit(made, accp_limit_find(name.data(), name.size()),
                                                   std::stoull(value.text), nullptr) == ACCP_OK;
    }
    if (!taken) throw std::runtime_error("options");
    return config;
}

const std::map<std::string, Runner::Verb> &Runner::verbs() {
    static const std::map<std::string, Verb> table = {
#define ACCP_STEP(name) {#name, &Runner::name},
#include "steps.def"
#undef ACCP_STEP
    };
    return table;
}

Json Runner::run(const Json &step) {
    const Step read{step};
    auto found = verbs().find(read.text("do"));
    if (found == verbs().end()) throw std::runtime_error("no such step: " + read.text("do"));
    try {
        return (this->*found->second)(read);
    } catch (const std::out_of_range &) {
        throw std::runtime_error("a name that is none: " + accp_ref::write_json(step));
    }
}

}  // namespace accp_steps
