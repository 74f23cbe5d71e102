// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See coding.h. Without a file, the registry has the schemas of all profiles; with one, what the
// file says.
#include "cli/coding.h"

#include "cli/failure.h"
#include "cli/node_view.h"
#include "cli/settings.h"
#include "cli/tokenizers.h"

namespace cli {
namespace {

Handle<accp_registry> open_registry(const Arguments &arguments, const accp_options *options) {
    const std::string text =
        arguments.registry.empty() ? std::string() : read_file(arguments.registry);
    const uint32_t profiles = arguments.registry.empty() ? ACCP_PROFILE_ALL : ACCP_PROFILE_NONE;
    accp_error err = {};
    accp_registry *made = nullptr;
    const accp_status status =
        accp_registry_new(options, profiles, text.data(), text.size(), &made, &err);
    if (status != ACCP_OK)
        throw Failure(arguments.registry + ": " + accp_status_code(status) + " at byte " +
                      std::to_string(err.offset) + ": " + message_of(err));
    return Handle<accp_registry>(made);
}

uint32_t strictness(const Arguments &arguments) {
    uint32_t bits = 0;
    for (const std::string &list : arguments.strict) {
        for (const std::string &name : split_commas(list)) {
            if (name == "ops") bits |= ACCP_STRICT_OPERATIONS;
            else if (name == "profiles") bits |= ACCP_STRICT_PROFILES;
            else if (name == "schema") bits |= ACCP_STRICT_SCHEMA;
            else throw Failure("--strict knows ops, profiles and schema, not " + name);
        }
    }
    return bits;
}

void on_log(int32_t direction, accp_status status, const char *text, size_t text_len, void *user) {
    auto *io = static_cast<Streams *>(user);
    io->err.text.append("accp: record ")
        .append(std::to_string(io->records))
        .append(direction == ACCP_SENT ? ": sent " : ": received ");
    if (status != ACCP_OK) io->err.text.append("nothing: ");
    append_printable({text, text_len}, io->err.text);
    io->err.text.push_back('\n');
}

constexpr struct {
    uint32_t bit;
    const char *what;
} kWarnings[] = {
    {ACCP_WARN_NO_CID, "a tool's answer or a chunk of a stream without a cid"},
    {ACCP_WARN_TOOL_ERROR, "a tool's error that is no error frame (fail:error, schema ER)"},
    {ACCP_WARN_NO_TRANSACTION_ID, "a transaction without a transaction_id"},
    {ACCP_WARN_CURRENCY, "a currency that is none of ISO 4217"},
    {ACCP_WARN_ERROR_CODE, "an error frame whose code is none"},
    {ACCP_WARN_RETRY, "an error frame whose retry is not what the error model says"},
};

Handle<accp_codec> open_codec(const Arguments &arguments, const accp_options *options,
                              const accp_registry *registry, bool mark) {
    accp_error err = {};
    accp_codec *made = nullptr;
    if (accp_codec_new(options, registry, extensions(arguments), &made, &err) != ACCP_OK)
        throw Failure(std::string("codec: ") + message_of(err));
    Handle<accp_codec> codec(made);
    for (const std::string &list : arguments.redact)
        for (const std::string &name : split_commas(list))
            if (accp_codec_set_redacted(made, name.data(), name.size(), &err) != ACCP_OK)
                throw Failure("--redact " + name + ": " + message_of(err));
    if (accp_codec_set_strict(made, strictness(arguments), &err) != ACCP_OK)
        throw Failure(std::string("--strict: ") + message_of(err));
    if (accp_codec_set_origin(made,
                              arguments.untrusted ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED,
                              &err) != ACCP_OK)
        throw Failure(std::string("--untrusted: ") + message_of(err));
    if (accp_codec_set_mark_defaults(made, mark, &err) != ACCP_OK)
        throw Failure(std::string("--mark-defaults: ") + message_of(err));
    if (registry != nullptr && accp_codec_set_schema(made, arguments.schema.data(),
                                                     arguments.schema.size(), &err) != ACCP_OK)
        throw Failure("--schema " + arguments.schema + ": " + message_of(err));
    return codec;
}

}  // namespace

Coding::Coding(const Arguments &arguments, const accp_options *options, Streams &io)
    : frame_(new_frame(options)) {
    if (arguments.trace && !arguments.redact.empty())
        throw Failure("--trace shows every value: it does not go with --redact");
    const bool by_position = (extensions(arguments) & ACCP_EXT_P1) != 0;
    const bool watched = arguments.log || arguments.untrusted;
    const bool checked = !arguments.registry.empty() || !arguments.schema.empty() ||
                         arguments.mark_defaults || by_position || !arguments.strict.empty();
    if (!watched && !checked && arguments.max_tokens == 0 && !arguments.split) return;
    const Handle<accp_registry> registry =
        checked ? open_registry(arguments, options) : Handle<accp_registry>();
    codec_ = open_codec(arguments, options, registry.get(), arguments.mark_defaults);
    if (arguments.log) accp_codec_set_log(codec_.get(), on_log, &io, nullptr);
    accp_error err = {};
    if (arguments.split && accp_codec_set_reassembly(codec_.get(), 1, &err) != ACCP_OK)
        throw Failure(std::string("--split: ") + message_of(err));
    if (arguments.max_tokens == 0) return;
    tokenizer_ = open_tokenizer({}, options);
    counter_ = new_counter(tokenizer_.get(), options);
    accp_codec_set_counter(codec_.get(), counter_.get(), nullptr);
    accp_codec_set_max_tokens(codec_.get(), arguments.max_tokens, nullptr);
}

Handle<accp_codec> Coding::marking(const Arguments &arguments, const accp_options *options) const {
    return codec_ && accp_codec_registry(codec_.get())
               ? open_codec(arguments, options, accp_codec_registry(codec_.get()), true)
               : Handle<accp_codec>();
}

accp_status Coding::encode(std::string_view json, std::string_view &out, accp_error &err) {
    const char *text = nullptr;
    size_t len = 0;
    const accp_status status =
        codec_ ? accp_codec_encode(codec_.get(), json.data(), json.size(), &text, &len, &err)
               : accp_frame_encode(frame_.get(), json.data(), json.size(), &text, &len, &err);
    if (status == ACCP_OK) out = {text, len};
    return status;
}

accp_status Coding::decode(std::string_view frame, std::string_view &out, accp_error &err) {
    const char *text = nullptr;
    size_t len = 0;
    const accp_status status =
        codec_ ? accp_codec_decode(codec_.get(), frame.data(), frame.size(), &text, &len, &err)
               : accp_frame_decode(frame_.get(), frame.data(), frame.size(), &text, &len, &err);
    if (status == ACCP_OK) out = {text, len};
    return status;
}

uint64_t Coding::parts() const { return codec_ ? accp_codec_parts(codec_.get()) : 1; }

void Coding::set_splitting(accp_envelope_function next, void *user) {
    accp_codec_set_splitting(codec_.get(), next, user, nullptr);
}

void Coding::warn(Streams &io) const {
    const uint32_t bits = accp_codec_warnings(codec_.get());
    for (const auto &warning : kWarnings)
        if (bits & warning.bit)
            io.err.text.append("accp: record ")
                .append(std::to_string(io.records))
                .append(": warning: ")
                .append(warning.what)
                .append("\n");
}

accp_status Coding::set_envelope(const accp_envelope *envelope, accp_error &err) {
    return codec_ ? accp_codec_set_envelope(codec_.get(), envelope, &err)
                  : accp_frame_set_envelope(frame_.get(), envelope, &err);
}

}  // namespace cli
