// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/frames/frame_codec.h"

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

void set_number(accp_config *config, int32_t rule, int64_t value, const char *what) {
    accp_error err = {};
    if (accp_config_set_rule(config, rule, value, &err) != ACCP_OK)
        throw Failure(std::string(what) + ": " + message_of(err));
}

void set_redacted(accp_config *config, const Arguments &arguments) {
    accp_error err = {};
    for (const std::string &list : arguments.redact)
        for (const std::string &name : split_commas(list))
            if (accp_config_add_redacted(config, name.data(), name.size(), &err) != ACCP_OK)
                throw Failure("--redact " + name + ": " + message_of(err));
}

Handle<accp_codec> open_codec(const accp_config *config, const std::string &schema) {
    accp_error err = {};
    accp_codec *made = nullptr;
    const accp_status status = accp_codec_new(config, &made, &err);
    if (status == ACCP_OK) return Handle<accp_codec>(made);
    throw Failure((status == ACCP_E1003 ? "--schema " + schema : std::string("codec")) + ": " +
                  message_of(err));
}

// Returns whether an argument needs a registry.
bool needs_registry(const Arguments &arguments) {
    return !arguments.registry.empty() || !arguments.profiles.empty() ||
           !arguments.schema.empty() || arguments.mark_defaults || !arguments.strict.empty() ||
           (extensions(arguments) & ACCP_EXT_P1) != 0;
}

}  // namespace

FrameCodec::FrameCodec(const Arguments &arguments, Streams &io, accp_envelope_function next,
                       void *user)
    : io_(io), next_(next), user_(user), config_(make_config(arguments)) {
    if (arguments.trace && !arguments.redact.empty())
        throw Failure("--trace shows every value, so it cannot be combined with --redact");
    accp_config *config = config_.get();
    if (needs_registry(arguments))
        accp_config_set_registry(config, open_registry(arguments, config).get(), nullptr);
    accp_config_set_schema(config, arguments.schema.data(), arguments.schema.size(), nullptr);
    set_redacted(config, arguments);
    set_number(config, ACCP_RULE_STRICTNESS, strictness(arguments), "--strict");
    set_number(config, ACCP_RULE_MARK_DEFAULTS, arguments.mark_defaults, "--mark-defaults");
    set_number(config, ACCP_RULE_PARTS, arguments.split, "--split");
    if (arguments.max_tokens != 0 || arguments.spell == "cheapest") {
        tokenizer_ = open_tokenizer(arguments, config);
        accp_config_set_tokenizer(config, tokenizer_.get(), nullptr);
    }
    if (arguments.max_tokens != 0) {
        set_number(config, ACCP_RULE_MAX_TOKENS, static_cast<int64_t>(arguments.max_tokens),
                   "--max-tokens");
    }
    accp_hooks hooks = new_hooks(this);
    if (next != nullptr) hooks.next_envelope = on_next;
    if (arguments.log) hooks.log = on_log;
    accp_config_set_hooks(config, &hooks, nullptr);
    codec_ = open_codec(config, arguments.schema);
    accp_codec_set_origin(
        codec_.get(), arguments.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED, nullptr);
}

accp_status FrameCodec::on_next(accp_envelope *envelope, void *user) {
    const auto *self = static_cast<FrameCodec *>(user);
    return self->next_(envelope, self->user_);
}

void FrameCodec::on_log(int32_t direction, accp_status status, const char *text, size_t text_len,
                        void *user) {
    Streams &io = static_cast<FrameCodec *>(user)->io_;
    io.err.text.append("accp: record ")
        .append(std::to_string(io.records))
        .append(direction == ACCP_SENT ? ": sent " : ": received ");
    if (status != ACCP_OK) io.err.text.append("nothing: ");
    append_printable({text, text_len}, io.err.text);
    io.err.text.push_back('\n');
}

Handle<accp_codec> FrameCodec::new_marking_codec() const {
    if (accp_codec_registry(codec_.get()) == nullptr) return nullptr;
    accp_config_set_rule(config_.get(), ACCP_RULE_MARK_DEFAULTS, 1, nullptr);
    accp_config_set_hooks(config_.get(), nullptr, nullptr);
    return open_codec(config_.get(), {});
}

accp_status FrameCodec::encode(std::string_view json, std::string_view &out, accp_error &err) {
    accp_text text = {};
    const accp_status status =
        accp_codec_encode(codec_.get(), json.data(), json.size(), &text, &err);
    if (status == ACCP_OK) out = to_view(text);
    return status;
}

accp_status FrameCodec::decode(std::string_view frame, std::string_view &out, accp_error &err) {
    accp_text text = {};
    const accp_status status =
        accp_codec_decode(codec_.get(), frame.data(), frame.size(), &text, &err);
    if (status == ACCP_OK) out = to_view(text);
    return status;
}

accp_outcome FrameCodec::outcome() const {
    accp_outcome outcome = {};
    accp_codec_outcome(codec_.get(), &outcome, nullptr);
    return outcome;
}

void FrameCodec::print_record_warnings(Streams &io) const {
    print_warnings(outcome().warnings, io);
}

accp_status FrameCodec::set_envelope(const accp_envelope *envelope, accp_error &err) {
    return accp_codec_set_envelope(codec_.get(), envelope, &err);
}

}  // namespace cli
