// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps with a registry: schemas, negotiation, the codec with its callbacks, error frames, streams,
// deadlines.
#include <algorithm>

#include "config.h"
#include "vectors/steps.h"

namespace accp_steps {

using namespace accp_test;
using accp_ref::Members;

namespace {

using Registry = std::unique_ptr<accp_registry, Deleter<accp_registry, accp_registry_free>>;

accp_status make_registry(const Step &step, Registry &out, accp_error &err) {
    accp_registry *made = nullptr;
    std::string text = step.text("text");
    accp_status status = accp_registry_new(
        text.data(), text.size(), static_cast<uint32_t>(step.number("profiles", ACCP_PROFILE_ALL)),
        config_of(step).get(), &made, &err);
    out.reset(made);
    return status;
}

accp_status on_resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
    Host *host = static_cast<Host *>(user);
    auto found = host->refs.find(std::string(ref, ref_len));
    if (found == host->refs.end()) return ACCP_E2001;
    *json = view(found->second);
    return ACCP_OK;
}

// Stores each distinct value once, as cold.k1, cold.k2, …
accp_status on_keep(const char *json, size_t json_len, accp_text *ref, void *user) {
    Host *host = static_cast<Host *>(user);
    std::string &name = host->kept[std::string(json, json_len)];
    if (name.empty()) name = "cold.k" + std::to_string(host->kept.size());
    host->refs[name] = std::string(json, json_len);
    *ref = {name.data(), name.size()};
    return ACCP_OK;
}

accp_status on_tool(const char *name, size_t name_len, const char *, size_t, void *user) {
    Host *host = static_cast<Host *>(user);
    auto found = host->tools.find(std::string(name, name_len));
    return found == host->tools.end() ? static_cast<accp_status>(ACCP_E4001) : found->second;
}

accp_status on_policy(const accp_policy_case *asked, void *user) {
    const std::vector<std::string> &denied = static_cast<Host *>(user)->denied;
    return std::count(denied.begin(), denied.end(), copy(asked->operation)) ? ACCP_E5001 : ACCP_OK;
}

void on_log(int32_t direction, accp_status status, const char *text, size_t text_len, void *user) {
    static_cast<Host *>(user)->log.push_back(
        std::string(direction == ACCP_SENT ? "sent " : "received ") +
        accp_status_code_name(status) + " " + std::string(text, text_len));
}

accp_status number_of(const std::string &code) {
    for (accp_status status = -7; status < ACCP_STATUS_END_; ++status)
        if (accp_status_code_name(status) == code) return status;
    return ACCP_ERR_ARG;
}

}  // namespace

Json Runner::registry(const Step &step) {
    accp_error err = {};
    Registry made;
    accp_status status = make_registry(step, made, err);
    Json answer = gives(status, err, [&](Members &members) {
        Json codes = Json::array({});
        for (uint32_t i = 0; i < info_of(made.get()).schema_count; ++i) {
            accp_schema schema = {};
            accp_registry_schema(made.get(), i, &schema, nullptr);
            codes.items.push_back(string(copy(schema.code)));
        }
        members = {{"hash", string(hash_of(made.get()))},
                   {"version", integer(info_of(made.get()).version)},
                   {"schemas", codes}};
    });
    registries_[step.text("name")].reset(made.release());
    return answer;
}

Json Runner::schema(const Step &step) {
    const accp_registry *registry = registries_.at(step.text("of")).get();
    std::string code = step.text("code");
    uint32_t index = 0;
    accp_error err = {};
    accp_schema schema = {};
    accp_status status = accp_registry_find(registry, code.data(), code.size(), &index, &err);
    if (status == ACCP_OK) status = accp_registry_schema(registry, index, &schema, &err);
    return gives(status, err, [&](Members &members) {
        Json fields = Json::array({});
        for (uint32_t i = 0; i < schema.field_count; ++i) {
            accp_field field = {};
            accp_registry_field(registry, index, i, &field, nullptr);
            fields.items.push_back(object({{"name", string(copy(field.name))},
                                           {"wire", string(copy(field.wire))},
                                           {"default", string(copy(field.default_json))},
                                           {"type", integer(field.type)},
                                           {"required", integer(field.required)}}));
        }
        members = {{"name", string(copy(schema.name))},
                   {"version", integer(schema.version)},
                   {"built_in", integer(schema.built_in)},
                   {"fields", fields}};
    });
}

Json Runner::merge(const Step &step) {
    accp_registry *made = nullptr;
    accp_error err = {};
    accp_status status = accp_registry_merge(registries_.at(step.text("of")).get(),
                                             registries_.at(step.text("with")).get(), &made, &err);
    Registry merged(made);
    return gives(status, err,
                 [&](Members &members) { members.emplace_back("hash", string(hash_of(made))); });
}

// Both sides send in turns, one line each way at a time, until neither has anything to send.
Json Runner::negotiate(const Step &step) {
    const char *const names[] = {"left", "right"};
    accp_negotiation *sides[2] = {};
    accp_error err = {};
    for (int i = 0; i < 2; ++i) {
        const Step side{*step.find(names[i])};
        std::string agent = side.text("agent");
        accp_negotiation *made = nullptr;
        accp_test::Config config;
        config.registry(registries_.at(side.text("registry")).get())
            .extensions(extensions_of(side));
        accp_status status =
            accp_negotiation_new(agent.data(), agent.size(), config.get(), &made, &err);
        if (status != ACCP_OK) return gives(status, err);
        sides_[side.text("name").empty() ? names[i] : side.text("name")].reset(sides[i] = made);
    }
    accp_frame *made = nullptr;
    accp_frame_new(nullptr, &made, nullptr);
    std::unique_ptr<accp_frame, Deleter<accp_frame, accp_frame_free>> frame(made);
    Json frames = Json::array({});
    accp_status status = ACCP_OK;
    for (int quiet = 0, turn = 0; quiet < 2 && status == ACCP_OK; turn = 1 - turn) {
        accp_text out = {};
        status = accp_negotiation_next_frame(sides[turn], &out, &err);
        quiet = out.len ? 0 : quiet + 1;
        if (status != ACCP_OK || !out.len) continue;
        std::string line(out.text, out.len);
        frames.items.push_back(string(line));
        status = accp_frame_parse(made, line.data(), line.size(), &err);
        if (status == ACCP_OK) status = accp_negotiation_receive(sides[1 - turn], made, &err);
    }
    return gives(status, err, [&](Members &members) {
        members.emplace_back("frames", frames);
        for (int i = 0; i < 2; ++i) {
            const accp_agreement agreed = agreement_of(sides[i]);
            members.emplace_back(
                names[i],
                object({{"state", integer(agreed.state)},
                        {"extensions", integer(agreed.extensions)},
                        {"features", integer(agreed.features)},
                        {"hash", string(agreed.registry ? hash_of(agreed.registry) : "")}}));
        }
    });
}

void on_event(const accp_event *event, void *user) {
    std::string line =
        std::to_string(event->kind) + " " + accp_status_code_name(event->status) + " ";
    for (uint64_t number : {static_cast<uint64_t>(event->direction),
                            static_cast<uint64_t>(event->seq), event->bytes, event->tokens})
        line += std::to_string(number) + " ";
    for (accp_text text : {event->session, event->agent, event->mid, event->cid, event->aid})
        line += copy(text) + "|";
    line.pop_back();
    static_cast<Host *>(user)->log.push_back(line);
}

accp_hooks hooks_of(const Step &step, Host &host) {
    accp_hooks hooks = hooks_for(&host);
    if (const Json *refs = step.find("refs"))
        for (const auto &[ref, json] : refs->members) host.refs[ref] = json.text;
    if (const Json *tools = step.find("tools"))
        for (const auto &[tool, code] : tools->members) host.tools[tool] = number_of(code.text);
    if (step.find("deny")) host.denied = step.list("deny");
    if (step.find("refs") || step.flag("keep")) hooks.resolve = on_resolve;
    if (step.flag("keep")) hooks.keep = on_keep;
    if (step.find("tools")) hooks.check_tool = on_tool;
    if (step.find("deny")) hooks.check_policy = on_policy;
    if (step.flag("log")) hooks.log = on_log;
    if (step.flag("events")) hooks.event = on_event;
    return hooks;
}

Json Runner::codec(const Step &step) {
    accp_error err = {};
    const std::string name = step.text("name"), schema = step.text("schema");
    codecs_.erase(name);
    Host &host = hosts_[name] = Host();
    const Config config = config_of(step);
    accp_config *to = config.get();
    const accp_hooks hooks = hooks_of(step, host);
    accp_status status = accp_config_set_hooks(to, &hooks, &err);
    const auto rule = [&](int32_t number, int64_t value) {
        if (status == ACCP_OK) status = accp_config_set_rule(to, number, value, &err);
    };
    if (step.find("registry"))
        accp_config_set_registry(to, registries_.at(step.text("registry")).get(), &err);
    if (step.flag("counts")) accp_config_set_tokenizer(to, tokenizer("o200k_base"), &err);
    rule(ACCP_RULE_EXTENSIONS, extensions_of(step));
    if (step.find("max_tokens")) rule(ACCP_RULE_MAX_TOKENS, step.number("max_tokens"));
    rule(ACCP_RULE_STRICTNESS, step.number("strict"));
    rule(ACCP_RULE_MARK_DEFAULTS, step.flag("mark_defaults"));
    for (const std::string &key : step.list("redact"))
        if (status == ACCP_OK) status = accp_config_add_redacted(to, key.data(), key.size(), &err);
    if (status == ACCP_OK) status = accp_config_set_schema(to, schema.data(), schema.size(), &err);
    accp_codec *made = nullptr;
    if (status == ACCP_OK) status = accp_codec_new(to, &made, &err);
    if (status == ACCP_OK) status = accp_codec_set_origin(made, step.flag("untrusted"), &err);
    codecs_[name].reset(made);
    return gives(status, err);
}

Json Runner::encode(const Step &step) {
    accp_codec *codec = codecs_.at(step.text("of")).get();
    std::string text = step.text("text"), frame;
    accp_error err = {};
    accp_text out = {};
    accp_frame_budget tokens = {};
    accp_status status = accp_codec_encode(codec, text.data(), text.size(), &out, &err);
    if (status != ACCP_OK) return gives(status, err);
    frame.assign(out.text, out.len);
    status = accp_codec_budget(codec, &tokens, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"out", string(frame)},
                   {"warnings", integer(outcome_of(codec).warnings)},
                   {"tokens", integer(static_cast<int64_t>(tokens.total.tokens))},
                   {"kept", integer(static_cast<int64_t>(outcome_of(codec).kept))}};
    });
}

Json Runner::codec_reply(const Step &step) {
    accp_codec *codec = codecs_.at(step.text("of")).get();
    std::string request = step.text("request"), text = step.text("text");
    Json answer = gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_reply(codec, request.data(), request.size(), text.data(), text.size(),
                                out, err);
    });
    if (answer.find("out"))
        answer.members.emplace_back("warnings", integer(outcome_of(codec).warnings));
    return answer;
}

Json Runner::decode(const Step &step) {
    accp_codec *codec = codecs_.at(step.text("of")).get();
    std::string text = step.text("text");
    Json answer = gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_decode(codec, text.data(), text.size(), out, err);
    });
    if (answer.find("out"))
        answer.members.emplace_back("warnings", integer(outcome_of(codec).warnings));
    return answer;
}

Json Runner::register_schema(const Step &step) {
    accp_codec *codec = codecs_.at(step.text("of")).get();
    std::string text = step.text("text");
    accp_error err = {};
    accp_status status = accp_codec_register_schema(codec, text.data(), text.size(), &err);
    return gives(status, err, [&](Members &members) {
        members.emplace_back("hash", string(hash_of(accp_codec_registry(codec))));
    });
}

Json Runner::retry(const Step &step) {
    std::string text = step.text("text"), mid = step.text("mid");
    accp_envelope fresh = {};
    fresh.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    fresh.mid = view(mid);
    fresh.seq = step.number("seq");
    fresh.ts = step.number("ts");
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_retry(codecs_.at(step.text("of")).get(), text.data(), text.size(), &fresh,
                                out, err);
    });
}

// Returns the events of a host since the last such step.
static Json told(Host &host) {
    Json lines = Json::array({});
    for (const std::string &line : host.log) lines.items.push_back(string(line));
    host.log.clear();
    return object({{"lines", lines}});
}

Json Runner::log(const Step &step) { return told(hosts_.at(step.text("of"))); }

Json Runner::events(const Step &step) { return told(hosts_.at("engine " + step.text("of"))); }

Json Runner::failure_encode(const Step &step) {
    std::string agent = step.text("agent"), message = step.text("message"),
                detail = step.text("detail"), source = step.text("source"), cid = step.text("cid");
    accp_failure failure = {number_of(step.text("code")),
                            0,
                            view(agent),
                            view(message),
                            view(detail),
                            view(source),
                            view(cid)};
    return gives_text([&](accp_text *out, accp_error *err) {
        return accp_codec_encode_failure(codecs_.at(step.text("of")).get(), &failure, out, err);
    });
}

Json Runner::failure_decode(const Step &step) {
    std::string text = step.text("text");
    accp_failure read = {};
    accp_error err = {};
    accp_codec *codec = codecs_.at(step.text("of")).get();
    accp_text message = {};
    accp_status status = accp_codec_decode(codec, text.data(), text.size(), &message, &err);
    if (status == ACCP_OK) status = accp_codec_failure(codec, &read, &err);
    return gives(status, err, [&](Members &members) {
        members = {{"code", integer(read.code)},          {"retry", integer(read.retry)},
                   {"agent", string(copy(read.agent))},   {"message", string(copy(read.message))},
                   {"detail", string(copy(read.detail))}, {"source", string(copy(read.source))},
                   {"cid", string(copy(read.cid))}};
    });
}

// Returns a text in chunks, and the frame of each chunk.
Json Runner::chunks(const Step &step) {
    accp_codec *codec = codecs_.at(step.text("of")).get();
    std::string text = step.text("text"), cid = step.text("cid"), agent = step.text("agent"),
                operation = step.text("operation");
    Json frames = Json::array({});
    accp_chunk chunk = {};
    accp_error err = {};
    accp_status status = ACCP_OK;
    for (chunk.cid = view(cid); status == ACCP_OK && !chunk.is_final;) {
        accp_text out = {};
        status = accp_chunk_next(text.data(), text.size(),
                                 static_cast<uint32_t>(step.number("max_bytes")), &chunk, &err);
        if (status == ACCP_OK)
            status =
                accp_codec_encode_chunk(codec, view(agent), view(operation), &chunk, &out, &err);
        if (status == ACCP_OK) frames.items.push_back(string(std::string(out.text, out.len)));
    }
    return gives(status, err, [&](Members &members) { members.emplace_back("frames", frames); });
}

Json Runner::stream(const Step &step) {
    accp_stream *made = nullptr;
    accp_error err = {};
    accp_status status = accp_stream_new(config_of(step).get(), &made, &err);
    streams_[step.text("name")].reset(made);
    return gives(status, err);
}

Json Runner::part(accp_status status, const accp_error &err, const accp_stream_part &part) {
    return gives(status, err, [&](Members &members) {
        members = {{"data", string(copy(part.data))},
                   {"whole", string(copy(part.whole))},
                   {"chunks", integer(part.chunks)},
                   {"state", integer(part.state)}};
    });
}

Json Runner::stream_add(const Step &step) {
    std::string cid = step.text("cid"), data = step.text("data");
    accp_chunk chunk = {
        view(cid), view(data), step.number("index"), step.number("total"), step.flag("is_final"),
        0};
    accp_stream_part got = {};
    accp_error err = {};
    accp_status status = accp_stream_add(streams_.at(step.text("of")).get(), &chunk, &got, &err);
    return part(status, err, got);
}
Json Runner::stream_receive(const Step &step) {
    std::string text = step.text("text");
    accp_stream_part got = {};
    accp_error err = {};
    accp_status status = accp_stream_receive(streams_.at(step.text("of")).get(), text.data(),
                                             text.size(), &got, &err);
    return part(status, err, got);
}
Json Runner::stream_end(const Step &step) {
    std::string cid = step.text("cid");
    accp_stream_part got = {};
    accp_error err = {};
    accp_status status =
        accp_stream_end(streams_.at(step.text("of")).get(), cid.data(), cid.size(), &got, &err);
    return part(status, err, got);
}

Json Runner::deadline(const Step &step) {
    accp_deadline *made = nullptr;
    accp_error err = {};
    accp_status status = accp_deadline_new(config_of(step).get(), &made, &err);
    deadlines_[step.text("name")].reset(made);
    return gives(status, err);
}
Json Runner::deadline_start(const Step &step) {
    std::string cid = step.text("cid");
    accp_error err = {};
    accp_status status = accp_deadline_start(deadlines_.at(step.text("of")).get(), cid.data(),
                                             cid.size(), step.number("when"), &err);
    return gives(status, err);
}
Json Runner::deadline_extend(const Step &step) {
    std::string cid = step.text("cid");
    accp_error err = {};
    accp_status status = accp_deadline_extend(deadlines_.at(step.text("of")).get(), cid.data(),
                                              cid.size(), step.number("when"), &err);
    return gives(status, err);
}
Json Runner::deadline_answer(const Step &step) {
    std::string cid = step.text("cid");
    accp_error err = {};
    accp_status status =
        accp_deadline_remove(deadlines_.at(step.text("of")).get(), cid.data(), cid.size(), &err);
    return gives(status, err);
}
// Returns all expired ones, and the earliest that has not expired.
Json Runner::deadline_expire(const Step &step) {
    accp_deadline *deadline = deadlines_.at(step.text("of")).get();
    Json expired = Json::array({});
    accp_error err = {};
    accp_text cid = {};
    accp_status status;
    while ((status = accp_deadline_expire(deadline, step.number("now"), &cid, &err)) == ACCP_OK &&
           cid.len)
        expired.items.push_back(string(copy(cid)));
    return gives(status, err, [&](Members &members) {
        members = {{"expired", expired}, {"next", integer(accp_deadline_next(deadline))}};
    });
}

}  // namespace accp_steps
