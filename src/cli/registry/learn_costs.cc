// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/registry/learn_costs.h"

#include <algorithm>

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

void check(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw Failure("registry learn: " + message_of(err));
}

bool encode(accp_codec *codec, const LearnMessage &message, std::string &out) {
    accp_text text = {};
    if (accp_codec_encode(codec, message.json.data(), message.json.size(), &text, nullptr) !=
        ACCP_OK)
        return false;
    out.assign(text.text, text.len);
    return true;
}

}  // namespace

LearnCosts::LearnCosts(const Arguments &arguments)
    : config_(make_config(arguments)),
      tokenizer_(open_tokenizer(arguments, config_.get())),
      counter_(new_counter(tokenizer_.get(), config_.get())),
      plain_(new_codec(config_.get())),
      value_(new_value(config_.get())) {}

uint64_t LearnCosts::count(std::string_view text) {
    uint64_t tokens = 0;
    accp_error err = {};
    check(accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &tokens, &err),
          err);
    return tokens;
}

uint64_t LearnCosts::plain(const LearnMessage &message) {
    std::string wire;
    return encode(plain_.get(), message, wire) ? count(wire) : 0;
}

uint64_t LearnCosts::plain(const LearnSample &sample) {
    uint64_t tokens = 0;
    for (const LearnMessage *message : sample) tokens += plain(*message);
    return tokens;
}

Handle<accp_codec> LearnCosts::open(const LearnRegistry &registry) {
    accp_error err = {};
    accp_registry *made = nullptr;
    check(accp_registry_new(registry.document.data(), registry.document.size(), registry.profiles,
                            config_.get(), &made, &err),
          err);
    const Handle<accp_registry> owner(made);
    check(accp_config_set_registry(config_.get(), made, &err), err);
    check(accp_config_set_rule(config_.get(), ACCP_RULE_EXTENSIONS, ACCP_EXT_P1, &err), err);
    check(accp_config_set_rule(config_.get(), ACCP_RULE_MARK_DEFAULTS, 1, &err), err);
    return new_codec(config_.get());
}

std::vector<std::string> LearnCosts::frames(const LearnedDocument &document,
                                            const LearnSample &sample) {
    const Handle<accp_codec> codec = open({document.json()});
    std::vector<std::string> frames(sample.size());
    for (size_t i = 0; i < sample.size(); ++i) encode(codec.get(), *sample[i], frames[i]);
    return frames;
}

bool LearnCosts::may_abbreviate(const std::string &key, const std::string &form) {
    const std::string text = LearnedDocument{{}, {{key, form}}}.json();
    accp_registry *made = nullptr;
    const accp_status status = accp_registry_new(text.data(), text.size(), ACCP_PROFILE_NONE,
                                                 config_.get(), &made, nullptr);
    accp_registry_free(made);
    return status == ACCP_OK;
}

uint64_t LearnCosts::with_document(const LearnedDocument &document, const LearnSample &sample) {
    const std::vector<std::string> wires = frames(document, sample);
    uint64_t tokens = 0;
    for (size_t i = 0; i < wires.size(); ++i)
        tokens += wires[i].empty() ? plain(*sample[i]) : count(wires[i]);
    return tokens;
}

LearnCosts::Result LearnCosts::measure(const LearnRegistry &registry, const LearnSample &sample) {
    const Handle<accp_codec> codec = open(registry);
    Result result;
    for (const LearnMessage *message : sample) {
        std::string wire;
        accp_text back = {};
        if (!encode(codec.get(), *message, wire)) {
            ++result.refused;
            result.tokens += plain(*message);
            continue;
        }
        result.tokens += count(wire);
        if (accp_codec_decode(codec.get(), wire.data(), wire.size(), &back, nullptr) != ACCP_OK)
            ++result.changed;
        else compare(*message, to_view(back), result);
    }
    return result;
}

bool LearnCosts::is_same(const std::string &a, const std::string &b) {
    if (a == b) return true;
    std::string forms[2];
    for (int i = 0; i < 2; ++i) {
        const std::string &json = i == 0 ? a : b;
        accp_text text = {};
        if (accp_value_parse_json(value_.get(), json.data(), json.size(), nullptr) != ACCP_OK ||
            accp_value_print_hash_form(value_.get(), &text, nullptr) != ACCP_OK)
            return false;
        forms[i].assign(text.text, text.len);
    }
    return forms[0] == forms[1];
}

// Compares a message with what its frame decodes to. Every added member must be named in
// `defaults`.
void LearnCosts::compare(const LearnMessage &sent, std::string_view back, Result &result) {
    std::vector<LearnMember> whole = members_of(back);
    std::string marks, payload, rest;
    for (const LearnMember &member : whole) {
        if (member.key == "\"defaults\"") marks = member.value;
        else if (member.key == "\"payload\"") payload = member.value;
        else rest += member.key + member.value;
    }
    std::string rest_sent, payload_sent;
    for (const LearnMember &member : members_of(sent.json))
        (member.key == "\"payload\"" ? payload_sent : rest_sent) +=
            member.key == "\"payload\"" ? member.value : member.key + member.value;
    bool equal = rest == rest_sent;
    if (sent.payload.empty()) equal = equal && (payload[0] == '{' || payload == payload_sent);
    uint64_t found = 0;
    for (const LearnMember &member : members_of(payload)) {
        if (const std::string *value = sent.find(member.key)) {
            ++found;
            equal = equal && is_same(*value, member.value);
        } else {
            equal = equal && marks.find(member.key) != std::string::npos;
            result.added += member.key != "\"schema\"";
        }
    }
    if (!equal || found != sent.payload.size()) ++result.changed;
}

}  // namespace cli
