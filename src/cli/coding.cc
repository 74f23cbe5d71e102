// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See coding.h. Without a file, the registry has the schemas of all profiles; with one, what the file says.
#include "cli/coding.h"

#include "cli/failure.h"
#include "cli/settings.h"
#include "cli/tokenizers.h"

namespace cli {
namespace {

Handle<accp_registry> open_registry(const Arguments &arguments, const accp_options *options) {
    const std::string text = arguments.registry.empty() ? std::string() : read_file(arguments.registry);
    const uint32_t profiles = arguments.registry.empty() ? ACCP_PROFILE_ALL : ACCP_PROFILE_NONE;
    accp_error err = {};
    accp_registry *made = nullptr;
    const accp_status status = accp_registry_new(options, profiles, text.data(), text.size(), &made, &err);
    if (status != ACCP_OK)
        throw Failure(arguments.registry + ": " + accp_status_code(status) + " at byte " + std::to_string(err.offset) + ": " + err.message);
    return Handle<accp_registry>(made);
}

Handle<accp_codec> open_codec(const Arguments &arguments, const accp_options *options, const accp_registry *registry, bool mark) {
    accp_error err = {};
    accp_codec *made = nullptr;
    if (accp_codec_new(options, registry, extensions(arguments), &made, &err) != ACCP_OK)
        throw Failure(std::string("codec: ") + err.message);
    Handle<accp_codec> codec(made);
    if (accp_codec_set_mark_defaults(made, mark, &err) != ACCP_OK) throw Failure(std::string("--mark-defaults: ") + err.message);
    if (registry && accp_codec_set_schema(made, arguments.schema.data(), arguments.schema.size(), &err) != ACCP_OK)
        throw Failure("--schema " + arguments.schema + ": " + err.message);
    return codec;
}

}  // namespace

Coding::Coding(const Arguments &arguments, const accp_options *options) : frame_(new_frame(options)) {
    const bool by_position = (extensions(arguments) & ACCP_EXT_P1) != 0;
    const bool known = !arguments.registry.empty() || !arguments.schema.empty() || arguments.mark_defaults || by_position;
    if (!known && arguments.most_tokens == 0 && !arguments.split) return;
    const Handle<accp_registry> registry = known ? open_registry(arguments, options) : Handle<accp_registry>();
    codec_ = open_codec(arguments, options, registry.get(), arguments.mark_defaults);
    accp_error err = {};
    if (arguments.split && accp_codec_set_reassembly(codec_.get(), 1, &err) != ACCP_OK)
        throw Failure(std::string("--split: ") + err.message);
    if (arguments.most_tokens == 0) return;
    tokenizer_ = open_tokenizer({}, options);
    counter_ = new_counter(tokenizer_.get(), options);
    accp_codec_set_counter(codec_.get(), counter_.get(), nullptr);
    accp_codec_set_most_tokens(codec_.get(), arguments.most_tokens, nullptr);
}

Handle<accp_codec> Coding::marking(const Arguments &arguments, const accp_options *options) const {
    return codec_ && accp_codec_registry(codec_.get()) ? open_codec(arguments, options, accp_codec_registry(codec_.get()), true)
                                                       : Handle<accp_codec>();
}

accp_status Coding::encode(std::string_view json, std::string_view &out, accp_error &err) {
    const char *text = nullptr;
    size_t len = 0;
    const accp_status status = codec_ ? accp_codec_encode(codec_.get(), json.data(), json.size(), &text, &len, &err)
                                      : accp_frame_encode(frame_.get(), json.data(), json.size(), &text, &len, &err);
    if (status == ACCP_OK) out = {text, len};
    return status;
}

accp_status Coding::decode(std::string_view frame, std::string_view &out, accp_error &err) {
    const char *text = nullptr;
    size_t len = 0;
    const accp_status status = codec_ ? accp_codec_decode(codec_.get(), frame.data(), frame.size(), &text, &len, &err)
                                      : accp_frame_decode(frame_.get(), frame.data(), frame.size(), &text, &len, &err);
    if (status == ACCP_OK) out = {text, len};
    return status;
}

uint64_t Coding::parts() const { return codec_ ? accp_codec_parts(codec_.get()) : 1; }

void Coding::set_splitting(accp_envelope_function next, void *user) { accp_codec_set_splitting(codec_.get(), next, user, nullptr); }

accp_status Coding::set_envelope(const accp_envelope *envelope, accp_error &err) {
    return codec_ ? accp_codec_set_envelope(codec_.get(), envelope, &err) : accp_frame_set_envelope(frame_.get(), envelope, &err);
}

}  // namespace cli
