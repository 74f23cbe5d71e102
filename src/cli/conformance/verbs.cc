// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Uses the C API throughout, as a host does.
#include "cli/conformance/verbs.h"

#include <optional>
#include <vector>

#include "cli/host.h"
#include "cli/settings.h"

namespace conformance {

using namespace cli;
namespace {

struct FreeHandle {
    void operator()(accp_stream *handle) const { accp_stream_free(handle); }
    void operator()(accp_deadline *handle) const { accp_deadline_free(handle); }
    void operator()(accp_negotiation *handle) const { accp_negotiation_free(handle); }
};

[[noreturn]] void fail(const std::string &what, const accp_error &err) {
    throw Failure(what + ": " + message_of(err));
}

accp_text view(std::string_view text) { return {text.data(), text.size()}; }

std::string list(const std::vector<std::string> &items) {
    std::string out = "[";
    for (const std::string &item : items) out.append(out.size() > 1 ? "," : "").append(item);
    return out + "]";
}

std::vector<std::string> texts(const Vector &vector, std::string_view key) {
    std::vector<std::string> out;
    vector.each(key, [&](std::string_view item) { out.emplace_back(item); });
    return out;
}

// Builds the registry of a vector from its document, with the built-in schemas unless "profiles" is
// false.
Handle<accp_registry> open_registry(const std::string &text, bool profiles,
                                    const accp_config *config) {
    accp_error err = {};
    accp_registry *made = nullptr;
    const uint32_t bits = profiles ? ACCP_PROFILE_ALL : ACCP_PROFILE_NONE;
    if (accp_registry_new(text.data(), text.size(), bits, config, &made, &err) != ACCP_OK)
        fail("registry", err);
    return Handle<accp_registry>(made);
}

// Returns a codec with `config` and the vector's registry.
Handle<accp_codec> open_codec(const Vector &vector, accp_config *config) {
    const bool profiles = vector.find("profiles") == 0 || vector.flag("profiles");
    const Handle<accp_registry> registry = open_registry(vector.text("registry"), profiles, config);
    accp_error err = {};
    accp_config_set_registry(config, registry.get(), &err);
    if (accp_config_set_rule(config, ACCP_RULE_STRICTNESS,
                             static_cast<int64_t>(vector.number("strict", 0)), &err) != ACCP_OK)
        fail("strict", err);
    Handle<accp_codec> codec = new_codec(config);
    accp_codec_set_origin(codec.get(),
                          vector.flag("untrusted") ? ACCP_ORIGIN_UNTRUSTED : ACCP_ORIGIN_TRUSTED,
                          nullptr);
    return codec;
}

// The statuses that the hooks of a host return.
struct HookResults {
    accp_status tool, policy;
};

accp_status on_tool(const char *, size_t, const char *, size_t, void *user) {
    return static_cast<HookResults *>(user)->tool;
}
accp_status on_policy(const accp_policy_case *, void *user) {
    return static_cast<HookResults *>(user)->policy;
}

std::string coded(const Vector &vector, const std::string &verb, const std::string &input,
                  accp_config *config) {
    accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS,
                         static_cast<int64_t>(vector.number("max_tokens", 0)), nullptr);
    HookResults host = {static_cast<accp_status>(vector.number("tool", 0)),
                        static_cast<accp_status>(vector.number("policy", 0))};
    accp_hooks hooks = new_hooks(&host);
    if (host.tool != ACCP_OK) hooks.check_tool = on_tool;
    if (host.policy != ACCP_OK) hooks.check_policy = on_policy;
    accp_config_set_hooks(config, &hooks, nullptr);
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_text out = {};
    accp_error err = {};
    const auto call = verb == "encode" ? accp_codec_encode : accp_codec_decode;
    if (call(codec.get(), input.data(), input.size(), &out, &err) != ACCP_OK) return refusal(err);
    accp_outcome outcome = {};
    accp_codec_outcome(codec.get(), &outcome, nullptr);
    const std::string warnings = ",\"warnings\":" + std::to_string(outcome.warnings) + "}";
    const std::string text(to_view(out));
    return verb == "encode" ? "{\"ok\":true,\"frame\":" + json_text(text) + warnings
                            : "{\"ok\":true,\"message\":" + text + warnings;
}

// Returns for each part of a frame its tokens, soft limit and hard limit.
std::string budgeted(const Vector &vector, const std::string &input, accp_config *config) {
    const Handle<accp_tokenizer> tokenizer = open_tokenizer({}, nullptr);
    accp_config_set_tokenizer(config, tokenizer.get(), nullptr);
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_error err = {};
    accp_text out = {};
    accp_frame_budget use = {};
    accp_status status = accp_codec_encode(codec.get(), input.data(), input.size(), &out, &err);
    if (status == ACCP_OK) status = accp_codec_budget(codec.get(), &use, &err);
    if (status != ACCP_OK) return refusal(err);
    const auto part = [](const char *name, const accp_part_budget &of) {
        return std::string(",\"") + name + "\":[" + std::to_string(of.tokens) + "," +
               std::to_string(of.soft) + "," + std::to_string(of.hard) + "]";
    };
    return "{\"ok\":true" + part("header", use.header) + part("body", use.body) +
           part("metadata", use.metadata) + part("total", use.total) + "}";
}

// Encodes the error frame of a code and returns what a peer reads in it.
std::string error_frame(const Vector &vector, const std::string &input, accp_config *config) {
    const Handle<accp_codec> codec = open_codec(vector, config);
    std::string frame = input;
    accp_error err = {};
    accp_failure failure = {};
    failure.code = static_cast<accp_status>(vector.number("code", 0));
    failure.agent = view("agent");
    if (failure.code != 0) {
        accp_text out = {};
        if (accp_codec_encode_failure(codec.get(), &failure, &out, &err) != ACCP_OK)
            return refusal(err);
        frame.assign(out.text, out.len);
    }
    accp_text message = {};
    if (accp_codec_decode(codec.get(), frame.data(), frame.size(), &message, &err) != ACCP_OK ||
        accp_codec_failure(codec.get(), &failure, &err) != ACCP_OK)
        return refusal(err);
    return "{\"ok\":true,\"frame\":" + json_text(frame) +
           ",\"code\":" + std::to_string(failure.code) + ",\"name\":\"" +
           accp_status_name(failure.code) + "\",\"message\":" + json_text(failure.message) +
           ",\"retry\":" + (failure.retry ? "true" : "false") +
           ",\"category\":" + std::to_string(accp_status_category(failure.code)) + "}";
}

std::string retried(const Vector &vector, const std::string &input, accp_config *config) {
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_error err = {};
    accp_envelope fresh = {};
    const std::string mid = vector.text("mid");
    fresh.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    fresh.mid = view(mid);
    fresh.seq = static_cast<int64_t>(vector.number("seq", 0));
    fresh.ts = static_cast<int64_t>(vector.number("ts", 0));
    accp_text out = {};
    if (accp_codec_retry(codec.get(), input.data(), input.size(), &fresh, &out, &err) != ACCP_OK)
        return refusal(err);
    return frame_result({out.text, out.len});
}

// Receives the frames of a stream and returns the data of each and the final state.
std::string streamed(const Vector &vector, accp_config *config) {
    static constexpr const char *kStates[] = {"open", "complete", "aborted", "closed"};
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_error err = {};
    const uint64_t max_open = vector.number("max_open", 0);
    if (max_open != 0 &&
        accp_config_set_limit(config, ACCP_LIMIT_OPEN_STREAMS, max_open, &err) != ACCP_OK)
        fail("max_open", err);
    accp_stream *made = nullptr;
    if (accp_stream_new(config, &made, &err) != ACCP_OK) fail("stream", err);
    const std::unique_ptr<accp_stream, FreeHandle> stream(made);
    std::vector<std::string> data;
    std::string whole = "\"\"", state = "open";
    for (const std::string &frame : texts(vector, "frames")) {
        accp_text json = {};
        accp_stream_part part = {};
        accp_status status =
            accp_codec_decode(codec.get(), frame.data(), frame.size(), &json, &err);
        if (status == ACCP_OK) status = accp_stream_receive(made, json.text, json.len, &part, &err);
        data.push_back(status == ACCP_OK
                           ? json_text(part.data)
                           : json_text(std::string_view(accp_status_code_name(status))));
        if (status != ACCP_OK) continue;
        state = kStates[part.state];
        if (part.state == ACCP_STREAM_COMPLETE || part.state == ACCP_STREAM_ABORTED)
            whole = json_text(part.whole);
    }
    return "{\"ok\":true,\"data\":" + list(data) + ",\"state\":\"" + state +
           "\",\"whole\":" + whole + "}";
}

// Splits a text into chunks and returns their frames.
std::string cut(const Vector &vector, const std::string &input, accp_config *config) {
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_error err = {};
    accp_chunk chunk = {};
    chunk.cid = view("c1");
    std::vector<std::string> frames;
    const auto max = static_cast<uint32_t>(vector.number("most", 0));
    while (accp_chunk_next(input.data(), input.size(), max, &chunk, &err) == ACCP_OK) {
        accp_text out = {};
        if (accp_codec_encode_chunk(codec.get(), view("s"), view("infer"), &chunk, &out, &err) !=
            ACCP_OK)
            return refusal(err);
        frames.push_back(json_text(std::string_view(out.text, out.len)));
    }
    return "{\"ok\":true,\"frames\":" + list(frames) + "}";
}

std::string expired(const Vector &vector) {
    accp_error err = {};
    accp_deadline *made = nullptr;
    if (accp_deadline_new(nullptr, &made, &err) != ACCP_OK) fail("deadline", err);
    const std::unique_ptr<accp_deadline, FreeHandle> table(made);
    const auto time = [&](const char *name) {
        return static_cast<int64_t>(vector.number(name, 0));
    };
    if (accp_deadline_start(made, "c", 1, time("until"), &err) != ACCP_OK) fail("deadline", err);
    if (vector.find("wait") != 0) accp_deadline_extend(made, "c", 1, time("wait"), nullptr);
    accp_text cid = {};
    if (accp_deadline_expire(made, time("now"), &cid, &err) != ACCP_OK) fail("deadline", err);
    const accp_status status = cid.len > 0 ? ACCP_E3001 : ACCP_OK;
    return std::string("{\"ok\":true,\"code\":\"") + accp_status_code_name(status) +
           "\",\"retry\":" + (accp_status_is_retryable(status) ? "true}" : "false}");
}

void keep_line(int32_t, accp_status, const char *text, size_t len, void *user) {
    static_cast<std::string *>(user)->assign(text, len);
}

std::string logged(const Vector &vector, const std::string &input, accp_config *config) {
    std::string line;
    const std::string name = vector.text("redact");
    accp_hooks hooks = new_hooks(&line);
    hooks.log = keep_line;
    accp_config_set_hooks(config, &hooks, nullptr);
    accp_config_add_redacted(config, name.data(), name.size(), nullptr);
    const Handle<accp_codec> codec = open_codec(vector, config);
    accp_text out = {};
    accp_codec_decode(codec.get(), input.data(), input.size(), &out, nullptr);
    return "{\"ok\":true,\"log\":" + json_text(line) + "}";
}

// Loads a registry document and returns its text.
std::string registered(const Vector &vector, const accp_config *config) {
    const Handle<accp_registry> registry =
        open_registry(vector.text("registry"), vector.flag("profiles"), config);
    const accp_registry_info info = info_of(registry.get());
    return "{\"ok\":true,\"text\":" + json_text(info.text) +
           ",\"schemas\":" + std::to_string(info.schema_count) + "}";
}

// One side of a negotiation, with a frame to parse what it receives.
struct Side {
    Side(const std::string &document, std::string_view agent)
        : registry(open_registry(document, false, nullptr)), frame(new_frame(nullptr)) {
        const Handle<accp_config> config = new_config();
        accp_config_set_registry(config.get(), registry.get(), nullptr);
        accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS, ACCP_EXT_P1, nullptr);
        accp_error err = {};
        accp_negotiation *made = nullptr;
        if (accp_negotiation_new(agent.data(), agent.size(), config.get(), &made, &err) != ACCP_OK)
            fail("negotiate", err);
        negotiation.reset(made);
    }
    accp_agreement agreement() const {
        accp_agreement agreed = {};
        accp_negotiation_agreement(negotiation.get(), &agreed, nullptr);
        return agreed;
    }

    Handle<accp_registry> registry;
    Handle<accp_frame> frame;
    std::unique_ptr<accp_negotiation, FreeHandle> negotiation;
};

// Sends all pending frames of one side to the other. Counts the frames, and the deltas that are
// complete. With `tampered`, changes a letter of each delta.
void send_all(Side &from, Side &to, bool tampered, uint64_t &frames, uint64_t &deltas,
              std::string &first) {
    for (;;) {
        accp_text out = {};
        if (accp_negotiation_next_frame(from.negotiation.get(), &out, nullptr) != ACCP_OK ||
            out.len == 0)
            return;
        std::string text(out.text, out.len);
        if (frames == 0) first = text;
        ++frames;
        const size_t data = text.find("|d:");
        deltas += text.find("|done:true") != std::string::npos;
        if (tampered && data != std::string::npos) text[data + 12] ^= 1;
        if (accp_frame_parse(to.frame.get(), text.data(), text.size(), nullptr) == ACCP_OK)
            accp_negotiation_receive(to.negotiation.get(), to.frame.get(), nullptr);
    }
}

bool is_open(const Side &side) { return side.agreement().state == ACCP_NEGOTIATION_OPEN; }

std::string negotiated(const Vector &vector) {
    static constexpr const char *kStates[] = {"open", "agreed", "bare", "refused"};
    Side a(vector.text("a"), "a"), b(vector.text("b"), "b");
    if (vector.flag("kept")) {  // each side knows the other's registry from an earlier session
        accp_negotiation_add_known(a.negotiation.get(), b.registry.get(), nullptr);
        accp_negotiation_add_known(b.negotiation.get(), a.registry.get(), nullptr);
    }
    uint64_t frames = 0, deltas = 0;
    std::string first;
    for (int round = 0; round < 100 && (is_open(a) || is_open(b)); ++round) {
        const uint64_t before = frames;
        send_all(a, b, vector.flag("tampered"), frames, deltas, first);
        send_all(b, a, vector.flag("tampered"), frames, deltas, first);
        if (frames == before) {
            accp_negotiation_timeout(a.negotiation.get(), nullptr);
            accp_negotiation_timeout(b.negotiation.get(), nullptr);
        }
    }
    const accp_registry *one = a.agreement().registry, *other = b.agreement().registry;
    const bool same = one != nullptr && other != nullptr &&
                      to_view(info_of(one).hash) == to_view(info_of(other).hash);
    return std::string("{\"ok\":true,\"state\":\"") + kStates[a.agreement().state] +
           "\",\"same\":" + (same ? "true" : "false") + ",\"deltas\":" + std::to_string(deltas) +
           ",\"hello\":" + json_text(std::string_view(first).substr(0, first.find("|p:"))) + "}";
}

}  // namespace

std::string json_text(std::string_view text) {
    std::string out;
    append_json_string(text, out);
    return out;
}

std::string refusal(const accp_error &err) {
    return std::string("{\"ok\":false,\"code\":\"") + accp_status_code_name(err.code) +
           "\",\"offset\":" + std::to_string(err.offset) + "}";
}

std::string frame_result(std::string_view frame) {
    return "{\"ok\":true,\"frame\":" + json_text(frame) + "}";
}

std::string verb_result(const Vector &vector, const std::string &verb, const std::string &input,
                        accp_config *config) {
    const bool under_registry = vector.find("profiles") != 0 || vector.find("registry") != 0;
    if (under_registry && (verb == "encode" || verb == "decode"))
        return coded(vector, verb, input, config);
    if (verb == "budget") return budgeted(vector, input, config);
    if (verb == "error") return error_frame(vector, input, config);
    if (verb == "retry") return retried(vector, input, config);
    if (verb == "session") return session_result(vector);
    if (verb == "stream") return streamed(vector, config);
    if (verb == "cut") return cut(vector, input, config);
    if (verb == "deadline") return expired(vector);
    if (verb == "log") return logged(vector, input, config);
    if (verb == "registry") return registered(vector, config);
    if (verb == "negotiate") return negotiated(vector);
    return {};
}

std::string run_result(int status, std::string_view out, std::string_view err) {
    return "{\"status\":" + std::to_string(status) + ",\"out\":" + json_text(out) +
           ",\"err\":" + json_text(err) + "}";
}

std::string command_line(const Vector &vector) {
    std::string line = "accp";
    vector.each("args", [&](std::string_view arg) { line.append(" ").append(arg); });
    return line;
}

}  // namespace conformance
