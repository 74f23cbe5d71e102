// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
//
// The raw layer of Java: static methods on handles (long) and UTF-8 (byte[], or a direct
// ByteBuffer), failures as AccpException. It is private; package org.libaccp is written by hand
// above it. Functions with a struct, a callback, or a text that C borrows beyond the call are in
// native/ instead.
%module Raw

%{
#include "accp_jni.h"
using namespace accp_java;
%}

// Constants are plain numbers.
%include "enumtypeunsafe.swg"
%javaconst(1);

%pragma(java) jniclasscode=%{
  static {
    Library.load();
  }
%}

// ---- texts in: byte[], or a direct ByteBuffer from its position 0; null is the empty text ----
%typemap(jni) (const char *text, size_t text_len) "jobject"
%typemap(jtype) (const char *text, size_t text_len) "Object"
%typemap(jstype) (const char *text, size_t text_len) "Object"
%typemap(javain) (const char *text, size_t text_len) "$javainput"
%typemap(in) (const char *text, size_t text_len) (TextIn view) {
    if (!view.take(jenv, $input)) return $null;
    $1 = (char *)view.text();
    $2 = view.len();
}
%typemap(freearg) (const char *text, size_t text_len) ""

// ---- failures ----
%typemap(in, numinputs=0) accp_error *err (accp_error detail) "$1 = &detail;"
%typemap(argout, throws="org.libaccp.AccpException") accp_error *err { if (is_failure(result, "$symname")) raise(jenv, *$1); }

// ---- handles ----
%typemap(jni) SWIGTYPE * "jlong"
%typemap(jtype) SWIGTYPE * "long"
%typemap(jstype) SWIGTYPE * "long"
%typemap(javain) SWIGTYPE * "$javainput"
%typemap(javaout) SWIGTYPE * { return $jnicall; }
%typemap(in) SWIGTYPE * "$1 = ($1_ltype)(intptr_t)$input;"
%typemap(out) SWIGTYPE * "$result = (jlong)(intptr_t)$1;"

// An output of a call beside its status becomes the method's result: a handle, a number, a text
// (null: HELD or DROPPED).
%typemap(in, numinputs=0) SWIGTYPE **out ($*1_ltype made = NULL) "$1 = &made;"
%typemap(argout) SWIGTYPE **out "$result = (jlong)(intptr_t)*$1;"
%typemap(in, numinputs=0) uint64_t *out (uint64_t number = 0), uint32_t *out (uint32_t number = 0) "$1 = &number;"
%typemap(argout) uint64_t *out, uint32_t *out "$result = (jlong)*$1;"
%typemap(in, numinputs=0) accp_text *out (accp_text made = {}) "$1 = &made;"
%typemap(argout) accp_text *out { if (result == ACCP_OK) $result = to_bytes(jenv, *$1); }

%define ANSWERS_NUMBER(function)
%typemap(jni) accp_status function "jlong"
%typemap(jtype) accp_status function "long"
%typemap(jstype) accp_status function "long"
%typemap(javaout) accp_status function { return $jnicall; }
%typemap(out) accp_status function "$result = 0;"
%enddef
%define ANSWERS_TEXT(function)
%typemap(jni) accp_status function "jbyteArray"
%typemap(jtype) accp_status function "byte[]"
%typemap(jstype) accp_status function "byte[]"
%typemap(javaout) accp_status function { return $jnicall; }
%typemap(out) accp_status function "$result = NULL;"
%enddef
ANSWERS_NUMBER(accp_config_new)
ANSWERS_NUMBER(accp_frame_new)
ANSWERS_NUMBER(accp_batch_new)
ANSWERS_NUMBER(accp_tokenizer_new)
ANSWERS_NUMBER(accp_tokenizer_new_tiktoken)
ANSWERS_NUMBER(accp_tokenizer_new_json)
ANSWERS_NUMBER(accp_counter_new)
ANSWERS_NUMBER(accp_counter_count)
ANSWERS_NUMBER(accp_counter_total)
ANSWERS_NUMBER(accp_registry_new)
ANSWERS_NUMBER(accp_registry_add)
ANSWERS_NUMBER(accp_registry_find)
ANSWERS_NUMBER(accp_registry_find_bound)
ANSWERS_NUMBER(accp_registry_merge)
ANSWERS_NUMBER(accp_session_share_registry)
ANSWERS_NUMBER(accp_negotiation_new)
ANSWERS_NUMBER(accp_codec_new)
ANSWERS_NUMBER(accp_render_new)
ANSWERS_NUMBER(accp_presenter_new)
ANSWERS_NUMBER(accp_packet_new)
ANSWERS_NUMBER(accp_panes_open)
ANSWERS_NUMBER(accp_packet_layer_tokens)
ANSWERS_NUMBER(accp_packet_index_new)
ANSWERS_NUMBER(accp_packet_code_new)
ANSWERS_NUMBER(accp_packet_code_new_on_disk)
ANSWERS_NUMBER(accp_packet_code_stamp)
ANSWERS_NUMBER(accp_packet_code_count)
ANSWERS_NUMBER(accp_library_new)
ANSWERS_NUMBER(accp_sacp_new)
ANSWERS_NUMBER(accp_phrases_new)
ANSWERS_NUMBER(accp_capabilities_open)
ANSWERS_NUMBER(accp_capabilities_expire)
ANSWERS_NUMBER(accp_stream_new)
ANSWERS_NUMBER(accp_deadline_new)
ANSWERS_NUMBER(accp_store_open)
ANSWERS_NUMBER(accp_store_prune)
ANSWERS_NUMBER(accp_engine_new)
ANSWERS_NUMBER(accp_session_open)
ANSWERS_TEXT(accp_codec_encode)
ANSWERS_TEXT(accp_codec_decode)
ANSWERS_TEXT(accp_negotiation_next_frame)
ANSWERS_TEXT(accp_render_json)
ANSWERS_TEXT(accp_render_frame)
ANSWERS_TEXT(accp_render_parse)
ANSWERS_TEXT(accp_presenter_print)
ANSWERS_TEXT(accp_packet_print_json)
ANSWERS_TEXT(accp_packet_print_yaml)
ANSWERS_TEXT(accp_packet_print_prompt)
ANSWERS_TEXT(accp_packet_print_report)
ANSWERS_TEXT(accp_panes_print_stats)
ANSWERS_TEXT(accp_panes_print_stats_json)
ANSWERS_TEXT(accp_packet_print_layers)
ANSWERS_TEXT(accp_packet_print_diff)
ANSWERS_TEXT(accp_packet_index_query)
ANSWERS_TEXT(accp_packet_stale_files)
ANSWERS_TEXT(accp_packet_misspelt_members)
ANSWERS_TEXT(accp_packet_code_paths)
ANSWERS_TEXT(accp_sacp_print_verdict)
ANSWERS_TEXT(accp_sacp_spell)
ANSWERS_TEXT(accp_sacp_thread)
ANSWERS_TEXT(accp_sacp_to_message)
ANSWERS_TEXT(accp_sacp_from_message)
ANSWERS_TEXT(accp_sacp_plan)
ANSWERS_TEXT(accp_sacp_print_prompt)
ANSWERS_TEXT(accp_sacp_to_0_1)
ANSWERS_TEXT(accp_capabilities_query)
ANSWERS_TEXT(accp_capabilities_print)
ANSWERS_TEXT(accp_run_print_request)
ANSWERS_TEXT(accp_run_print_trace)
ANSWERS_TEXT(accp_run_print_final)
ANSWERS_TEXT(accp_run_print_reply)
ANSWERS_TEXT(accp_sacp_print_specification)
ANSWERS_TEXT(accp_session_send)
ANSWERS_TEXT(accp_session_reply)
ANSWERS_TEXT(accp_codec_reply)
ANSWERS_TEXT(accp_session_retry)
ANSWERS_TEXT(accp_session_resolve)
ANSWERS_TEXT(accp_session_send_state)
ANSWERS_TEXT(accp_session_answer)
ANSWERS_TEXT(accp_session_context_pages)
ANSWERS_TEXT(accp_session_put_packet)
ANSWERS_TEXT(accp_session_send_packet)
ANSWERS_TEXT(accp_session_reply_packet)

// ---- texts out: views become byte[], so that nothing depends on how a JVM spells UTF-8 ----
%typemap(jni) const char * "jbyteArray"
%typemap(jtype) const char * "byte[]"
%typemap(jstype) const char * "byte[]"
%typemap(javaout) const char * { return $jnicall; }
%typemap(out) const char * "$result = to_bytes(jenv, $1, $1 ? std::strlen($1) : 0);"
%typemap(jni) accp_text "jbyteArray"
%typemap(jtype) accp_text "byte[]"
%typemap(jstype) accp_text "byte[]"
%typemap(javaout) accp_text { return $jnicall; }
%typemap(out) accp_text "$result = to_bytes(jenv, $1);"

// ---- structs of numbers alone become long[] ----
%define NUMBERS(type)
%typemap(in, numinputs=0) type *out (type made) "$1 = &made;"
%typemap(argout) type *out { if (!is_failure(result)) $result = to_longs(jenv, $1, sizeof *$1); }
%enddef
NUMBERS(accp_frame_budget)
NUMBERS(accp_budget)
NUMBERS(accp_counts)
NUMBERS(accp_outcome)
%define ANSWERS_NUMBERS(function)
%typemap(jni) accp_status function "jlongArray"
%typemap(jtype) accp_status function "long[]"
%typemap(jstype) accp_status function "long[]"
%typemap(javaout) accp_status function { return $jnicall; }
%typemap(out) accp_status function "$result = NULL;"
%enddef
ANSWERS_NUMBERS(accp_codec_budget)
ANSWERS_NUMBERS(accp_codec_outcome)
ANSWERS_NUMBERS(accp_session_outcome)
ANSWERS_NUMBERS(accp_session_budget)
ANSWERS_NUMBERS(accp_store_counts)

// Hand-written code reads the verdict separately.
%typemap(in, numinputs=0) accp_verdict *out "$1 = NULL;"

// uint64_t is a long: no number here comes near 2^63, so its sign does not matter.
%apply long long { uint64_t, int64_t };

// ---- what native/ does by hand, or Java has no use for ----
%define BY_HAND(name)
%ignore name;
%enddef
// They borrow their text beyond the call.
BY_HAND(accp_frame_parse) BY_HAND(accp_frame_nodes) BY_HAND(accp_frame_text) BY_HAND(accp_frame_find) BY_HAND(accp_frame_string)
BY_HAND(accp_frame_int) BY_HAND(accp_frame_print) BY_HAND(accp_frame_envelope) BY_HAND(accp_frame_payload) BY_HAND(accp_frame_meta)
BY_HAND(accp_batch_parse) BY_HAND(accp_batch_encode) BY_HAND(accp_batch_decode) BY_HAND(accp_batch_records) BY_HAND(accp_batch_nodes)
BY_HAND(accp_batch_text) BY_HAND(accp_negotiation_receive)
// Values live in Java: one call makes one out of JSON, and a codec encodes it.
%rename("$ignore", regexmatch$name="^accp_value_") "";
BY_HAND(accp_frame_build) BY_HAND(accp_frame_set_envelope) BY_HAND(accp_registry_diff)
// Take or give structs.
%rename("$ignore", %$isclass) "";
BY_HAND(accp_codec_set_envelope) BY_HAND(accp_codec_retry) BY_HAND(accp_codec_encode_failure) BY_HAND(accp_codec_failure)
BY_HAND(accp_codec_encode_chunk) BY_HAND(accp_registry_describe) BY_HAND(accp_registry_schema) BY_HAND(accp_registry_field)
BY_HAND(accp_negotiation_agreement) BY_HAND(accp_config_set_agreement) BY_HAND(accp_stream_add) BY_HAND(accp_stream_end) BY_HAND(accp_stream_receive) BY_HAND(accp_chunk_next)
BY_HAND(accp_deadline_expire) BY_HAND(accp_session_receive) BY_HAND(accp_session_next_delivery) BY_HAND(accp_session_record)
BY_HAND(accp_session_append) BY_HAND(accp_session_append_from) BY_HAND(accp_session_append_messages) BY_HAND(accp_session_append_messages_from)
BY_HAND(accp_session_append_history)
BY_HAND(accp_session_state) BY_HAND(accp_session_context) BY_HAND(accp_session_context_blocks) BY_HAND(accp_session_context_messages)
BY_HAND(accp_packet_generate) BY_HAND(accp_session_generate_packet) BY_HAND(accp_panes_read_feedback) BY_HAND(accp_panes_record_task) BY_HAND(accp_panes_advise)
BY_HAND(accp_sacp_verdict) BY_HAND(accp_sacp_compose) BY_HAND(accp_sacp_to_1_0) BY_HAND(accp_capabilities_found) BY_HAND(accp_capabilities_register_all)
BY_HAND(accp_capabilities_check_plan) BY_HAND(accp_capabilities_request_agents) BY_HAND(accp_capabilities_spawn)
BY_HAND(accp_run_new) BY_HAND(accp_run_next) BY_HAND(accp_run_step_at)
BY_HAND(accp_counter_encode) BY_HAND(accp_counter_decode) BY_HAND(accp_mid_format) BY_HAND(accp_traceparent_format)
// Call back.
BY_HAND(accp_phrases_set_model) BY_HAND(accp_phrases_ask)
BY_HAND(accp_config_set_hooks) BY_HAND(accp_tokenizer_new_callback) BY_HAND(accp_store_each_session) BY_HAND(accp_store_export)
BY_HAND(accp_store_verify)
// The JVM's memory is not the library's.
BY_HAND(accp_config_set_allocator)
BY_HAND(ACCP_VERSION_STRING)

%include "accp.i"
