// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/capability.h: the registry of agents.
#include "accp/capability.h"

#include <charconv>

#include "capi/capability_handle.h"
#include "capi/config_handle.h"
#include "capi/handles.h"
#include "capi/host_hooks.h"
#include "sacp/agents/capabilities.h"
#include "value/json_writer.h"

using namespace accp;
using namespace accp::capi;

void accp::capi::end_capabilities(accp_capabilities *capabilities) noexcept {
    if (!capabilities) return;
    accp_store *store = capabilities->store;
    destroy_handle(capabilities);
    store::drop_store(store);
}

namespace {

// A call about one agent. Copies the name first, because it may be a view of a found agent that
// another process has registered again.
template <class Body>
accp_status run_of_agent(accp_capabilities &self, std::string_view name, accp_error *err,
                         Body body) noexcept {
    return run_call(self, name, err, [&] {
        bool is_known = false;
        self.scratch.assign(name);
        const Status status = body(self.scratch.view(), is_known);
        return status.ok() ? known_agent(is_known) : status;
    });
}

// Makes the vector of a text, writes it and its model into the object that ends at `brace` of the
// call's text, and reads the result. Offsets before the brace stay as they are.
Status read_with_vector(accp_capabilities &self, std::string_view text, size_t brace,
                        std::string_view described) {
    HostEmbedder embedder(self.hooks.embed, self.hooks.user, self.memory,
                          self.settings.redact_secrets);
    Status status = self.vectors.make(embedder, {&described, 1});
    if (status.failed()) return status;
    Buffer<char> &out = self.embedded;
    out.clear();
    out.append(text.substr(0, brace));
    const char *before = ",\"embedding\":[";
    for (const float number : self.vectors[0]) {
        constexpr size_t kMaxFloat = 32;
        out.append(before);
        char *const to = out.reserve(kMaxFloat);
        out.set_end(std::to_chars(to, to + kMaxFloat, number).ptr);
        before = ",";
    }
    out.append("],\"embedding_model\":");
    value::write_json_string(self.vectors.model(), out);
    out.append(text.substr(brace));
    return read_capability_text(self, out.view());
}

// Adds the vector of its description to an entry without one.
Status embed_entry(accp_capabilities &self, std::string_view text) {
    const value::TreeView tree = self.value.view();
    if (!self.hooks.embed || tree[0].kind != ACCP_MAP || tree.find(0, "embedding")) return {};
    const uint32_t description = tree.find(0, "description");
    if (!description || tree[description].kind != ACCP_STRING) return {};  // refused later
    return read_with_vector(self, text, text.rfind('}'), tree.string(description));
}

// Adds the vector of its text to a query. The query is the only member of the message.
Status embed_query(accp_capabilities &self, std::string_view text) {
    if (self.query.dimension()) {
        self.verdict.refuse(sacp::Code::kMALFORMED_MESSAGE,
                            "A query has either a text or an embedding");
        return refusal_of(self.verdict);
    }
    if (!self.hooks.embed)
        return fail(ACCP_ERR_ARG, 0,
                    "a query by text needs an embedder: set the hook embed, or give an embedding");
    const Status status =
        read_with_vector(self, text, text.rfind('}', text.rfind('}') - 1), self.query.described());
    if (status.failed()) return status;
    return self.query.read(self.value.view(), 0, self.verdict) ? Status{}
                                                               : refusal_of(self.verdict);
}

}  // namespace

extern "C" {

accp_status accp_capabilities_open(accp_store *store, const accp_config *config,
                                   accp_capabilities **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        const accp_capabilities::Source source = {settings, store};
        Held<accp_capabilities, end_capabilities> made(
            make_handle<accp_capabilities>(settings, source));
        if (config) made->hooks = config->hooks;
        const Status status = made->registry.refresh();
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_capabilities_close(accp_capabilities *capabilities) noexcept {
    free_handle<accp_capabilities, end_capabilities>(capabilities);
}

accp_status accp_capabilities_register(accp_capabilities *capabilities, const char *text,
                                       size_t text_len, accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    accp_capabilities &self = *capabilities;
    return run_call(self, to_view(text, text_len), err, [&] {
        Status status = read_capability_text(self, to_view(text, text_len));
        if (status.ok()) status = embed_entry(self, to_view(text, text_len));
        if (status.ok()) status = self.registry.add(self.value.view(), 0, self.verdict);
        return status.ok() ? refusal_of(self.verdict) : status;
    });
}

accp_status accp_capabilities_register_all(accp_capabilities *capabilities, const char *text,
                                           size_t text_len, accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    accp_capabilities &self = *capabilities;
    return run_call(self, to_view(text, text_len), err, [&] {
        Status status = read_capability_text(self, to_view(text, text_len));
        if (status.failed()) return status;
        const value::TreeView tree = self.value.view();
        if (tree[0].kind != ACCP_ARRAY) {
            self.verdict.refuse(sacp::Code::kMALFORMED_MESSAGE, sacp::kNotAnArray);
            return refusal_of(self.verdict);
        }
        uint32_t number = 0;
        status = self.registry.load(tree, 0, self.verdict, number);
        if (status.ok()) status = refusal_of(self.verdict);
        if (status.failed()) status.record = number;
        return status;
    });
}

accp_status accp_capabilities_remove(accp_capabilities *capabilities, const char *name,
                                     size_t name_len, accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(name, name_len)) return capi::refuse(err, capi::kNoText);
    return run_of_agent(*capabilities, to_view(name, name_len), err,
                        [&](std::string_view agent, bool &is_known) {
                            return capabilities->registry.remove(agent, is_known);
                        });
}

accp_status accp_capabilities_renew(accp_capabilities *capabilities, const char *name,
                                    size_t name_len, int64_t until_ms, int64_t now_ms,
                                    accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(name, name_len)) return capi::refuse(err, capi::kNoText);
    if (until_ms < 0 || now_ms < ACCP_NO_CLOCK) return capi::refuse(err, capi::kNoTime);
    return run_of_agent(*capabilities, to_view(name, name_len), err,
                        [&](std::string_view agent, bool &is_known) {
                            return capabilities->registry.renew(agent, to_seconds(until_ms),
                                                                to_seconds(now_ms), is_known);
                        });
}

accp_status accp_capabilities_expire(accp_capabilities *capabilities, int64_t now_ms, uint64_t *out,
                                     accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (now_ms < 0) return capi::refuse(err, capi::kNoTime);
    uint64_t swept = 0;
    const accp_status code = run_call(*capabilities, {}, err, [&] {
        return capabilities->registry.sweep(to_seconds(now_ms), swept);
    });
    if (code == ACCP_OK && out) *out = swept;
    return code;
}

accp_status accp_capabilities_record_outcome(accp_capabilities *capabilities, const char *name,
                                             size_t name_len, int32_t success,
                                             accp_error *err) noexcept {
    if (!capabilities) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(name, name_len)) return capi::refuse(err, capi::kNoText);
    if (success != 0 && success != 1)
        return capi::refuse(err, "an outcome is 1 (success) or 0 (failure)");
    return run_of_agent(
        *capabilities, to_view(name, name_len), err, [&](std::string_view agent, bool &is_known) {
            return capabilities->registry.note_outcome(agent, success == 1, is_known);
        });
}

accp_status accp_capabilities_query(accp_capabilities *capabilities, const char *text,
                                    size_t text_len, int64_t now_ms, uint32_t ranking,
                                    accp_text *out, accp_error *err) noexcept {
    if (!capabilities || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (now_ms < ACCP_NO_CLOCK) return capi::refuse(err, capi::kNoTime);
    if (ranking > (ACCP_RANK_LEXICAL | ACCP_RANK_BY_OUTCOMES))
        return capi::refuse(err, "unknown ranking flag");
    accp_capabilities &self = *capabilities;
    return return_text(self, to_view(text, text_len), out, err, [&] {
        Status status = read_capability_text(self, to_view(text, text_len));
        if (status.ok()) status = self.registry.refresh();
        if (status.failed()) return status;
        if (!self.query.read(self.value.view(), 0, self.verdict)) return refusal_of(self.verdict);
        if (self.query.has_text()) status = embed_query(self, to_view(text, text_len));
        if (status.failed()) return status;
        self.registry.agents().find(self.query, to_seconds(now_ms), ranking, self.found);
        self.out.clear();
        sacp::write_matches(self.found, self.out);
        return status;
    });
}

size_t accp_capabilities_found_count(const accp_capabilities *capabilities) noexcept {
    return capabilities ? capabilities->found.size() : 0;
}

accp_status accp_capabilities_found(const accp_capabilities *capabilities, size_t index,
                                    accp_found_agent *out, accp_error *err) noexcept {
    if (!capabilities || !out) return refuse(err, kNoHandle);
    if (index >= capabilities->found.size())
        return refuse(err, "the last query found fewer agents");
    const sacp::FoundAgent &found = capabilities->found[index];
    const Share &outcomes = found.agent->outcomes;
    *out = {to_text(found.agent->name()),
            to_text(found.agent->json()),
            static_cast<int32_t>(found.match),
            0,
            found.score,
            outcomes.count,
            outcomes.all};
    return ACCP_OK;
}

accp_text accp_capabilities_verdict(const accp_capabilities *capabilities) noexcept {
    return to_text(capabilities ? capabilities->verdict_text.view() : std::string_view());
}

uint64_t accp_capabilities_count(const accp_capabilities *capabilities) noexcept {
    return capabilities ? capabilities->registry.agents().count() : 0;
}

accp_status accp_capabilities_print(accp_capabilities *capabilities, accp_text *out,
                                    accp_error *err) noexcept {
    if (!capabilities || !out) return capi::refuse(err, capi::kNoHandle);
    accp_capabilities &self = *capabilities;
    return return_text(self, {}, out, err, [&] {
        const Status status = self.registry.refresh();
        if (status.failed()) return status;
        self.out.clear();
        sacp::write_entries(self.registry.agents(), self.memory, self.out);
        return status;
    });
}

}  // extern "C"
