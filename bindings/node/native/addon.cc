// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The addon: the table of its functions. Its one export, setup(make_error), returns an object with
// them.
#include "calls.h"
#include "inputs.h"

namespace accp_addon {

template <class T>
napi_value ArrayOut<T>::value(napi_env env, Fault &fault) {
    return array_of(env, data, count, fault);
}

namespace {

// Returns the handle of any kind that is to be closed; null with a fault for another value.
Handle *handle_to_close(napi_env env, napi_value value, Fault &fault) {
    Handle *handle = any_handle(env, value);
    if (!handle) fault.set(ACCP_ERR_ARG, "it must be an object of this package");
    return handle;
}

// Closes a store or another handle without a promise. A store with calls that run is closed after
// them.
napi_value close_now(napi_env env, napi_callback_info info) {
    std::array<napi_value, 1> values;
    const Entry &entry = values_of(env, info, values);
    Fault fault;
    Handle *handle = handle_to_close(env, values[0], fault);
    if (!handle) return throw_fault(env, entry.name, fault);
    if (handle->kind == &kind_of<accp_store>() && handle->uses == 0 && handle->pointer) {
        accp_error err;
        const accp_status status = accp_store_close(
            static_cast<accp_store *>(std::exchange(handle->pointer, nullptr)), &err);
        close(env, handle);
        if (status == ACCP_OK) return undefined(env);
        fault.set(err);
        return throw_fault(env, entry.name, fault);
    }
    close(env, handle);
    return undefined(env);
}

// Closes a handle after the calls that were made before.
class Closing final : public AsyncCall {
public:
    Closing(const Entry &entry, Handle *handle) : AsyncCall(entry.name) {
        handles_.push_back(handle);
        is_closed_ = true;
    }

private:
    void run() override {
        Handle *handle = handles_[0];
        if (handle->kind != &kind_of<accp_store>()) return;
        // Calls that still run share the store; the last of them frees its memory.
        status_ = accp_store_close(static_cast<accp_store *>(handle->pointer), &err_);
    }
    napi_value finish(napi_env env, Fault &fault) override {
        if (handles_[0]->kind == &kind_of<accp_store>()) handles_[0]->pointer = nullptr;
        if (status_ == ACCP_OK) return undefined(env);
        fault.set(err_);
        return nullptr;
    }

    accp_status status_ = ACCP_OK;
    accp_error err_ = {};
};

napi_value close_later(napi_env env, napi_callback_info info) {
    std::array<napi_value, 1> values;
    const Entry &entry = values_of(env, info, values);
    Fault fault;
    Handle *handle = handle_to_close(env, values[0], fault);
    if (!handle) return rejected(env, entry.name, fault);
    if (!handle->pointer || handle->is_closing) {
        napi_deferred deferred = nullptr;
        napi_value promise = nullptr;
        napi_create_promise(env, &deferred, &promise);
        napi_resolve_deferred(env, deferred, undefined(env));
        return promise;
    }
    return (new Closing(entry, handle))->start(env, 0);
}

napi_value cancel(napi_env env, napi_callback_info info) {
    std::array<napi_value, 2> values;
    values_of(env, info, values);
    Handle *handle = any_handle(env, values[0]);
    double token = 0;
    napi_get_value_double(env, values[1], &token);
    napi_value made = nullptr;
    napi_get_boolean(env, handle && AsyncCall::cancel(env, handle, static_cast<uint32_t>(token)),
                     &made);
    return made;
}

struct Row {
    Entry entry;
    napi_callback now, later;
};

// NOW: without a promise only. BOTH: also with a promise, NAME_async.
#define NOW(name, arguments) \
    { {#name, arguments}, call_now<&accp_##name, Mode::kPlain>, nullptr }
#define BOTH(name, arguments)                                     \
    {                                                             \
        {#name, arguments}, call_now<&accp_##name, Mode::kPlain>, \
            call_later<&accp_##name, Mode::kPlain>                \
    }
#define OWN(name, arguments)                                      \
    {                                                             \
        {#name, arguments}, call_now<&calls::name, Mode::kPlain>, \
            call_later<&calls::name, Mode::kPlain>                \
    }

const Row kRows[] = {
    {{"close", "object"}, close_now, nullptr},
    {{"close_async", "object"}, close_later, nullptr},
    {{"cancel", "object token"}, cancel, nullptr},
    {{"store_close", "store"}, close_now, close_later},
    NOW(version, ""),
    NOW(status_code_name, "status"),
    NOW(status_name, "status"),
    NOW(status_meaning, "status"),
    NOW(status_is_retryable, "status"),
    NOW(status_category, "status"),
    NOW(rule_find, "name"),
    NOW(limit_find, "name"),
    NOW(interface_name, "form"),
    NOW(interface_find, "form"),
    NOW(interface_detect, "text"),
    NOW(interface_tool, "form"),

    NOW(config_new, ""),
    NOW(config_set_limit, "config limit value"),
    NOW(config_set_rule, "config rule value"),
    NOW(config_set_registry, "config registry"),
    NOW(config_set_store, "config store"),
    NOW(config_set_tokenizer, "config tokenizer"),
    NOW(config_set_schema, "config schema"),
    NOW(config_add_ignored, "config ignored"),
    NOW(config_add_own_agent, "config ownAgents"),
    NOW(config_set_agent_origin, "config agent origin"),

    BOTH(store_open, "name flags options"),
    BOTH(store_sync, "store"),
    BOTH(store_counts, "store"),
    BOTH(store_import, "store text"),
    BOTH(store_remove_session, "store id"),
    BOTH(store_prune, "store now keepCheckpoints"),
    OWN(store_sessions, "store"),
    OWN(store_properties, "store"),
    OWN(store_export, "store id"),
    OWN(store_verify, "store"),

    NOW(engine_new, "options"),
    NOW(engine_register_schema, "engine document"),
    NOW(engine_share_registry, "engine"),
    OWN(engine_metrics, "engine"),
    BOTH(session_open, "engine id flags"),

    BOTH(session_append_from, "session message now peer"),
    BOTH(session_append_messages_from, "session messages form now peer"),
    BOTH(session_append_history, "session messages form now options"),
    BOTH(session_context, "session budgetTokens"),
    BOTH(session_context_blocks, "session budgetTokens"),
    BOTH(session_context_pages, "session"),
    BOTH(session_context_messages, "session form budgetTokens"),
    BOTH(session_answer, "session arguments now"),
    BOTH(session_checkpoint, "session now"),
    BOTH(session_resolve, "session ref owner now"),
    BOTH(session_put, "session ref value expires"),
    BOTH(session_remove, "session ref"),
    BOTH(session_add_grant, "session grantee prefix expires"),
    BOTH(session_remove_grant, "session grantee prefix"),
    BOTH(session_send, "session message now"),
    BOTH(session_reply, "session request answer now"),
    {{"session_receive", "session frame now peer"},
     call_now<&accp_session_receive, Mode::kStatus>,
     call_later<&accp_session_receive, Mode::kStatus>},
    OWN(session_deliveries, "session"),
    BOTH(session_expire, "session now"),
    BOTH(session_next_deadline, "session"),
    BOTH(session_retry, "session record now"),
    BOTH(session_remove_parts, "session cid now"),
    BOTH(session_is_cancelled, "session cid"),
    BOTH(session_outcome, "session"),
    BOTH(session_send_state, "session agent state now"),
    BOTH(session_state, "session"),
    BOTH(session_record, "session number"),
    BOTH(session_record_count, "session"),
    BOTH(session_newest_checkpoint, "session"),
    BOTH(session_share_registry, "session record"),
    BOTH(session_budget, "session"),
    BOTH(session_sync, "session"),
    BOTH(session_end, "session now"),
    BOTH(session_generate_packet, "session request packet"),
    BOTH(session_put_packet, "session packet"),
    BOTH(session_send_packet, "session message packet now"),
    BOTH(session_read_packet, "session message now packet"),
    BOTH(session_reply_packet, "session request agent now"),

    NOW(registry_new, "document profiles options"),
    NOW(registry_add, "registry document"),
    NOW(registry_merge, "registry other"),
    NOW(registry_describe, "registry"),
    NOW(registry_schema, "registry index"),
    NOW(registry_field, "registry schema index"),

    NOW(tokenizer_builtin_name, "index"),
    NOW(tokenizer_new, "name options"),
    NOW(tokenizer_new_tiktoken, "name pattern text options"),
    NOW(tokenizer_new_json, "name text options"),
    NOW(tokenizer_name, "tokenizer"),
    NOW(tokenizer_is_approximate, "tokenizer"),
    NOW(tokenizer_token_count, "tokenizer"),
    NOW(counter_new, "tokenizer options"),
    NOW(counter_count, "tokenizer text max"),
    NOW(counter_encode, "tokenizer text"),
    OWN(counter_decode, "tokenizer ids"),
    NOW(counter_append, "counter text"),
    NOW(counter_total, "counter"),
    NOW(counter_reset, "counter"),

    NOW(codec_new, "options"),
    NOW(codec_encode, "codec message"),
    NOW(codec_reply, "codec request answer"),
    {{"codec_decode", "codec frame"}, call_now<&accp_codec_decode, Mode::kHeld>, nullptr},
    NOW(codec_retry, "codec frame envelope"),
    NOW(codec_set_envelope, "codec envelope"),
    NOW(codec_set_origin, "codec origin"),
    NOW(codec_remove_parts, "codec cid"),
    NOW(codec_register_schema, "codec document"),
    NOW(codec_encode_failure, "codec failure"),
    NOW(codec_failure, "codec"),
    NOW(codec_budget, "codec"),
    NOW(codec_outcome, "codec"),
    NOW(batch_new, "options"),
    OWN(batch_encode, "batch messages"),
    OWN(batch_decode, "batch frames"),

    NOW(render_new, "options"),
    NOW(render_json, "renderer value flags"),
    NOW(render_frame, "renderer frame flags"),
    NOW(render_parse, "renderer text"),

    NOW(packet_new, "options"),
    NOW(packet_parse, "packet text reading"),
    BOTH(packet_generate, "packet request"),
    NOW(packet_print_yaml, "packet"),
    NOW(packet_print_json, "packet"),
    NOW(packet_print_prompt, "packet"),
    NOW(packet_print_report, "packet"),
    NOW(packet_print_layers, "packet layers"),
    NOW(packet_layer_tokens, "packet layers"),
    NOW(packet_tokens, "packet"),
    NOW(packet_checksum, "packet"),
    NOW(packet_warnings, "packet"),
    NOW(packet_seal, "packet"),
    OWN(packet_filter, "packet task threshold"),
    NOW(packet_fade, "packet recent older"),
    NOW(packet_extract_patterns, "packet minFiles"),
    NOW(packet_merge_decisions, "packet"),
    NOW(packet_revise, "packet old note"),
    NOW(packet_print_diff, "packet old"),
    NOW(packet_stale_files, "packet code"),
    NOW(packet_misspelt_members, "packet"),
    NOW(packet_code_new, "options"),
    NOW(packet_code_new_on_disk, "path options"),
    NOW(packet_code_add, "code path text"),
    NOW(packet_code_remove, "code path"),
    NOW(packet_code_count, "code"),
    NOW(packet_code_paths, "code"),
    NOW(packet_code_sync, "code"),
    NOW(packet_index_new, "options"),
    NOW(packet_index_add, "index packet"),
    NOW(packet_index_count, "index"),
    NOW(packet_index_query, "index question from"),

    NOW(library_new, "document options"),
    {{"sacp_new", "library"}, call_now<&calls::sacp_new, Mode::kPlain>, nullptr},
    NOW(sacp_check, "sacp message reading"),
    NOW(sacp_check_reply, "sacp reply role outFmt reading"),
    NOW(sacp_check_library, "sacp document"),
    NOW(sacp_verdict, "sacp"),
    NOW(sacp_need, "sacp index"),
    NOW(sacp_print_verdict, "sacp"),
    NOW(sacp_spell, "sacp message spelling"),
    NOW(sacp_plan, "sacp message beside"),
    NOW(sacp_thread, "sacp text indented"),
    NOW(sacp_to_message, "sacp text agent"),
    NOW(sacp_from_message, "sacp text"),
    NOW(sacp_print_prompt, "sacp agent verbs tools message"),
    NOW(sacp_print_specification, "sacp"),
    NOW(sacp_registry, ""),
    BOTH(run_new, "request options"),
    BOTH(run_next, "run now"),
    BOTH(run_complete, "run call tool output now"),
    BOTH(run_fail, "run call tool cause reason now"),
    BOTH(run_tick, "run now"),
    BOTH(run_cancel, "run now"),
    NOW(run_due, "run"),
    NOW(run_state, "run"),
    NOW(run_print_trace, "run"),
    NOW(run_print_final, "run"),
};
#undef NOW
#undef BOTH
#undef OWN

void add(napi_env env, napi_value object, const std::string &called, napi_callback call,
         const Entry &entry) {
    napi_value function = nullptr;
    if (napi_create_function(env, called.data(), called.size(), call, const_cast<Entry *>(&entry),
                             &function) == napi_ok)
        set(env, object, called.c_str(), function);
}

napi_value setup(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value make_error = nullptr, object = nullptr;
    napi_get_cb_info(env, info, &count, &make_error, nullptr, nullptr);
    auto instance = std::make_shared<Instance>();
    napi_create_reference(env, make_error, 1, &instance->make_error);
    const auto free_instance = [](napi_env, void *data, void *) {
        delete static_cast<std::shared_ptr<Instance> *>(data);
    };
    napi_set_instance_data(env, new std::shared_ptr<Instance>(instance), free_instance, nullptr);
    const auto end = [](void *data) {
        auto *held = static_cast<std::shared_ptr<Instance> *>(data);
        (*held)->is_ending = true;
        delete held;
    };
    napi_add_env_cleanup_hook(env, end, new std::shared_ptr<Instance>(instance));
    napi_create_object(env, &object);
    for (const Row &row : kRows) {
        add(env, object, row.entry.name, row.now, row.entry);
        if (row.later)
            add(env, object, std::string(row.entry.name) + "_async", row.later, row.entry);
    }
    return object;
}

}  // namespace
}  // namespace accp_addon

NAPI_MODULE_INIT() {
    napi_value function = nullptr;
    napi_create_function(env, "setup", NAPI_AUTO_LENGTH, accp_addon::setup, nullptr, &function);
    napi_set_named_property(env, exports, "setup", function);
    return exports;
}
