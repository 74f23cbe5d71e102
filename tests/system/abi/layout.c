/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Pins the public structs and numbers of version 1.0 on 64-bit machines. If this file does not
 * compile, the ABI has changed.
 */
#include <accp/accp.h>
#include <accp/parts.h>

#define PIN(condition) _Static_assert(condition, #condition)
#define SIZE(type, size, alignment) PIN(sizeof(type) == (size) && _Alignof(type) == (alignment))
#define FIELD(type, field, at, size) \
    PIN(offsetof(type, field) == (at) && sizeof(((type *)0)->field) == (size))
#define VALUE(name, number) PIN((name) == (number))

SIZE(accp_status, 4, 4);
PIN((accp_status)-1 < 0);

SIZE(accp_text, 16, 8);
FIELD(accp_text, text, 0, 8);
FIELD(accp_text, len, 8, 8);

SIZE(accp_error, 40, 8);
FIELD(accp_error, code, 0, 4);
FIELD(accp_error, record, 4, 4);
FIELD(accp_error, offset, 8, 8);
FIELD(accp_error, message, 16, 8);
FIELD(accp_error, had, 24, 8);
FIELD(accp_error, limit, 32, 8);

SIZE(accp_node, 16, 4);
FIELD(accp_node, kind, 0, 1);
FIELD(accp_node, flags, 1, 1);
FIELD(accp_node, key_len, 2, 2);
FIELD(accp_node, offset, 4, 4);
FIELD(accp_node, len, 8, 4);
FIELD(accp_node, next, 12, 4);

SIZE(accp_record, 48, 8);
FIELD(accp_record, status, 0, 4);
FIELD(accp_record, node_count, 4, 4);
FIELD(accp_record, first_node, 8, 8);
FIELD(accp_record, offset, 16, 8);
FIELD(accp_record, len, 24, 8);
FIELD(accp_record, error_offset, 32, 8);
FIELD(accp_record, message, 40, 8);

SIZE(accp_envelope, 96, 8);
FIELD(accp_envelope, fields, 0, 4);
FIELD(accp_envelope, reserved, 4, 4);
FIELD(accp_envelope, seq, 8, 8);
FIELD(accp_envelope, ts, 16, 8);
FIELD(accp_envelope, ttl, 24, 8);
FIELD(accp_envelope, mid, 32, 16);
FIELD(accp_envelope, cid, 48, 16);
FIELD(accp_envelope, aid, 64, 16);
FIELD(accp_envelope, sid, 80, 16);

SIZE(accp_store_change, 56, 8);
FIELD(accp_store_change, key, 0, 16);
FIELD(accp_store_change, note, 16, 16);
FIELD(accp_store_change, value, 32, 16);
FIELD(accp_store_change, kind, 48, 4);

SIZE(accp_store_write, 104, 8);
FIELD(accp_store_write, session, 0, 16);
FIELD(accp_store_write, after, 16, 8);
FIELD(accp_store_write, row, 24, 16);
FIELD(accp_store_write, first, 40, 8);
FIELD(accp_store_write, records, 48, 8);
FIELD(accp_store_write, record_count, 56, 8);
FIELD(accp_store_write, changes, 64, 8);
FIELD(accp_store_write, change_count, 72, 8);
FIELD(accp_store_write, number, 80, 8);
FIELD(accp_store_write, message, 88, 8);
FIELD(accp_store_write, status, 96, 4);

SIZE(accp_store_backend, 88, 8);
FIELD(accp_store_backend, size, 0, 4);
FIELD(accp_store_backend, version, 4, 4);
FIELD(accp_store_backend, flags, 8, 4);
FIELD(accp_store_backend, reserved, 12, 4);
FIELD(accp_store_backend, close, 16, 8);
FIELD(accp_store_backend, head, 24, 8);
FIELD(accp_store_backend, write, 32, 8);
FIELD(accp_store_backend, records, 40, 8);
FIELD(accp_store_backend, value, 48, 8);
FIELD(accp_store_backend, keys, 56, 8);
FIELD(accp_store_backend, sessions, 64, 8);
FIELD(accp_store_backend, erase, 72, 8);
FIELD(accp_store_backend, status, 80, 8);
VALUE(ACCP_STORE_PUT, 1);
VALUE(ACCP_STORE_ERASE, 2);
VALUE(ACCP_STORE_BACKEND_THREADS, 1);

SIZE(accp_bus, 32, 8);
FIELD(accp_bus, size, 0, 4);
FIELD(accp_bus, version, 4, 4);
FIELD(accp_bus, close, 8, 8);
FIELD(accp_bus, send, 16, 8);
FIELD(accp_bus, max_message, 24, 8);
VALUE(ACCP_BUS_MESSAGE, 1);
VALUE(ACCP_BUS_NOBODY, 2);
VALUE(ACCP_BUS_BROKEN, 3);

SIZE(accp_allocator, 24, 8);
FIELD(accp_allocator, alloc, 0, 8);
FIELD(accp_allocator, release, 8, 8);
FIELD(accp_allocator, user, 16, 8);

SIZE(accp_schema, 48, 8);
FIELD(accp_schema, name, 0, 16);
FIELD(accp_schema, code, 16, 16);
FIELD(accp_schema, version, 32, 8);
FIELD(accp_schema, field_count, 40, 4);
FIELD(accp_schema, built_in, 44, 4);

SIZE(accp_field, 56, 8);
FIELD(accp_field, name, 0, 16);
FIELD(accp_field, wire, 16, 16);
FIELD(accp_field, default_json, 32, 16);
FIELD(accp_field, type, 48, 4);
FIELD(accp_field, required, 52, 4);

SIZE(accp_part_budget, 24, 8);
FIELD(accp_part_budget, tokens, 0, 8);
FIELD(accp_part_budget, soft, 8, 8);
FIELD(accp_part_budget, hard, 16, 8);

SIZE(accp_frame_budget, 96, 8);
FIELD(accp_frame_budget, header, 0, 24);
FIELD(accp_frame_budget, body, 24, 24);
FIELD(accp_frame_budget, metadata, 48, 24);
FIELD(accp_frame_budget, total, 72, 24);
SIZE(accp_spawn_round, 24, 8);
FIELD(accp_spawn_round, asked, 0, 4);
FIELD(accp_spawn_round, max_asked, 4, 4);
FIELD(accp_spawn_round, msg_id, 8, 16);
SIZE(accp_spawn_rules, 32, 8);
FIELD(accp_spawn_rules, allow, 0, 4);
FIELD(accp_spawn_rules, reserved, 4, 4);
FIELD(accp_spawn_rules, lease_until_ms, 8, 8);
FIELD(accp_spawn_rules, msg_id, 16, 16);
SIZE(accp_found_agent, 64, 8);
FIELD(accp_found_agent, name, 0, 16);
FIELD(accp_found_agent, entry, 16, 16);
FIELD(accp_found_agent, match, 32, 4);
FIELD(accp_found_agent, reserved, 36, 4);
FIELD(accp_found_agent, score, 40, 8);
FIELD(accp_found_agent, successes, 48, 8);
FIELD(accp_found_agent, outcomes, 56, 8);

SIZE(accp_delivery, 72, 8);
FIELD(accp_delivery, status, 0, 4);
FIELD(accp_delivery, origin, 4, 4);
FIELD(accp_delivery, seq, 8, 8);
FIELD(accp_delivery, message, 16, 16);
FIELD(accp_delivery, mid, 32, 16);
FIELD(accp_delivery, cid, 48, 16);
FIELD(accp_delivery, reason, 64, 8);

SIZE(accp_peer, 24, 8);
FIELD(accp_peer, agents, 0, 16);
FIELD(accp_peer, origin, 16, 4);
FIELD(accp_peer, reserved, 20, 4);

SIZE(accp_log_record, 32, 8);
FIELD(accp_log_record, kind, 0, 4);
FIELD(accp_log_record, reserved, 4, 4);
FIELD(accp_log_record, time_ms, 8, 8);
FIELD(accp_log_record, text, 16, 16);

SIZE(accp_outcome, 24, 8);
FIELD(accp_outcome, parts, 0, 8);
FIELD(accp_outcome, kept, 8, 8);
FIELD(accp_outcome, warnings, 16, 4);
FIELD(accp_outcome, reserved, 20, 4);

SIZE(accp_registry_info, 64, 8);
FIELD(accp_registry_info, text, 0, 16);
FIELD(accp_registry_info, canonical, 16, 16);
FIELD(accp_registry_info, hash, 32, 16);
FIELD(accp_registry_info, version, 48, 8);
FIELD(accp_registry_info, schema_count, 56, 4);
FIELD(accp_registry_info, reserved, 60, 4);

SIZE(accp_agreement, 48, 8);
FIELD(accp_agreement, state, 0, 4);
FIELD(accp_agreement, extensions, 4, 4);
FIELD(accp_agreement, features, 8, 4);
FIELD(accp_agreement, reserved, 12, 4);
FIELD(accp_agreement, registry, 16, 8);
FIELD(accp_agreement, peer, 24, 8);
FIELD(accp_agreement, peer_tokenizer, 32, 16);

SIZE(accp_hooks, 112, 8);
FIELD(accp_hooks, size, 0, 8);
FIELD(accp_hooks, user, 8, 8);
FIELD(accp_hooks, resolve, 16, 8);
FIELD(accp_hooks, keep, 24, 8);
FIELD(accp_hooks, next_envelope, 32, 8);
FIELD(accp_hooks, check_tool, 40, 8);
FIELD(accp_hooks, check_policy, 48, 8);
FIELD(accp_hooks, log, 56, 8);
FIELD(accp_hooks, summarise, 64, 8);
FIELD(accp_hooks, cold_put, 72, 8);
FIELD(accp_hooks, cold_get, 80, 8);
FIELD(accp_hooks, event, 88, 8);
FIELD(accp_hooks, extract, 96, 8);
FIELD(accp_hooks, embed, 104, 8);

SIZE(accp_vectors, 64, 8);
FIELD(accp_vectors, size, 0, 8);
FIELD(accp_vectors, numbers, 8, 8);
FIELD(accp_vectors, count, 16, 8);
FIELD(accp_vectors, dimension, 24, 8);
FIELD(accp_vectors, model, 32, 16);
FIELD(accp_vectors, reason, 48, 16);

SIZE(accp_event, 152, 8);
FIELD(accp_event, kind, 0, 4);
FIELD(accp_event, status, 4, 4);
FIELD(accp_event, direction, 8, 4);
FIELD(accp_event, reserved, 12, 4);
FIELD(accp_event, seq, 16, 8);
FIELD(accp_event, bytes, 24, 8);
FIELD(accp_event, tokens, 32, 8);
FIELD(accp_event, session, 40, 16);
FIELD(accp_event, agent, 56, 16);
FIELD(accp_event, mid, 72, 16);
FIELD(accp_event, cid, 88, 16);
FIELD(accp_event, aid, 104, 16);
FIELD(accp_event, count, 120, 8);
FIELD(accp_event, history, 128, 8);
FIELD(accp_event, cached, 136, 8);
FIELD(accp_event, written, 144, 8);

SIZE(accp_budget, 48, 8);
FIELD(accp_budget, hot_used, 0, 8);
FIELD(accp_budget, hot_max, 8, 8);
FIELD(accp_budget, warm_used, 16, 8);
FIELD(accp_budget, warm_max, 24, 8);
FIELD(accp_budget, total_used, 32, 8);
FIELD(accp_budget, total_max, 40, 8);

SIZE(accp_context_block, 48, 8);
FIELD(accp_context_block, kind, 0, 4);
FIELD(accp_context_block, is_stable, 4, 4);
FIELD(accp_context_block, checkpoint, 8, 4);
FIELD(accp_context_block, reserved, 12, 4);
FIELD(accp_context_block, tokens, 16, 8);
FIELD(accp_context_block, since, 24, 8);
FIELD(accp_context_block, text, 32, 16);

SIZE(accp_history_options, 32, 8);
FIELD(accp_history_options, size, 0, 8);
FIELD(accp_history_options, branch, 8, 16);
FIELD(accp_history_options, peer, 24, 8);

SIZE(accp_history_report, 48, 8);
FIELD(accp_history_report, count, 0, 8);
FIELD(accp_history_report, same, 8, 8);
FIELD(accp_history_report, added, 16, 8);
FIELD(accp_history_report, item, 24, 8);
FIELD(accp_history_report, record, 32, 8);
FIELD(accp_history_report, is_branched, 40, 4);
FIELD(accp_history_report, reserved, 44, 4);

SIZE(accp_packet_request, 112, 8);
FIELD(accp_packet_request, size, 0, 8);
FIELD(accp_packet_request, task, 8, 16);
FIELD(accp_packet_request, conversation, 24, 16);
FIELD(accp_packet_request, an_interface, 40, 4);
FIELD(accp_packet_request, depth, 44, 4);
FIELD(accp_packet_request, budget_tokens, 48, 8);
FIELD(accp_packet_request, creator, 56, 16);
FIELD(accp_packet_request, now_ms, 72, 8);
FIELD(accp_packet_request, code, 80, 8);
FIELD(accp_packet_request, items, 88, 16);
FIELD(accp_packet_request, options, 104, 4);

SIZE(accp_pane_task, 104, 8);
FIELD(accp_pane_task, size, 0, 8);
FIELD(accp_pane_task, kind, 8, 16);
FIELD(accp_pane_task, pane, 24, 8);
FIELD(accp_pane_task, success, 32, 4);
FIELD(accp_pane_task, depth, 36, 4);
FIELD(accp_pane_task, context_tokens, 40, 8);
FIELD(accp_pane_task, whole_tokens, 48, 8);
FIELD(accp_pane_task, explored, 56, 8);
FIELD(accp_pane_task, gaps, 64, 16);
FIELD(accp_pane_task, unused, 80, 16);
FIELD(accp_pane_task, now_ms, 96, 8);

SIZE(accp_counts, 56, 8);
FIELD(accp_counts, sessions, 0, 8);
FIELD(accp_counts, records, 8, 8);
FIELD(accp_counts, record_bytes, 16, 8);
FIELD(accp_counts, blobs, 24, 8);
FIELD(accp_counts, blob_bytes, 32, 8);
FIELD(accp_counts, mids, 40, 8);
FIELD(accp_counts, grants, 48, 8);

SIZE(accp_damage, 48, 8);
FIELD(accp_damage, session, 0, 16);
FIELD(accp_damage, what, 16, 8);
FIELD(accp_damage, record, 24, 8);
FIELD(accp_damage, name, 32, 16);

VALUE(ACCP_OK, 0);
VALUE(ACCP_DROPPED, 1);
VALUE(ACCP_HELD, 2);
VALUE(ACCP_E1001, 1001);
VALUE(ACCP_E1002, 1002);
VALUE(ACCP_E1003, 1003);
VALUE(ACCP_E1004, 1004);
VALUE(ACCP_E2001, 2001);
VALUE(ACCP_E2002, 2002);
VALUE(ACCP_E2003, 2003);
VALUE(ACCP_E3001, 3001);
VALUE(ACCP_E3002, 3002);
VALUE(ACCP_E3003, 3003);
VALUE(ACCP_E4001, 4001);
VALUE(ACCP_E4002, 4002);
VALUE(ACCP_E4003, 4003);
VALUE(ACCP_E5001, 5001);
VALUE(ACCP_E5002, 5002);
VALUE(ACCP_E9999, 9999);
VALUE(ACCP_ERR_NOMEM, -1);
VALUE(ACCP_ERR_ARG, -2);
VALUE(ACCP_ERR_SPACE, -3);
VALUE(ACCP_ERR_BUSY, -4);
VALUE(ACCP_ERR_IO, -5);
VALUE(ACCP_ERR_CLOSED, -6);
VALUE(ACCP_ERR_CORRUPT, -7);

VALUE(ACCP_NULL, 1);
VALUE(ACCP_BOOL, 2);
VALUE(ACCP_INT, 3);
VALUE(ACCP_DEC, 4);
VALUE(ACCP_NUMBER, 5);
VALUE(ACCP_STRING, 6);
VALUE(ACCP_REF, 7);
VALUE(ACCP_ARRAY, 8);
VALUE(ACCP_MAP, 9);
VALUE(ACCP_NAME, 10);

VALUE(ACCP_NODE_TRUE, 1);
VALUE(ACCP_NODE_ESCAPED, 2);
VALUE(ACCP_NODE_LOOSE, 4);

VALUE(ACCP_STRICT, 0);
VALUE(ACCP_COMPAT, 1);
VALUE(ACCP_U8, 2);

VALUE(ACCP_EXT_NONE, 0);
VALUE(ACCP_EXT_Q1, 1);
VALUE(ACCP_EXT_T1, 2);
VALUE(ACCP_EXT_U8, 4);
VALUE(ACCP_EXT_P1, 8);
VALUE(ACCP_EXT_W1, 16);

VALUE(ACCP_LIMIT_FRAME_BYTES, 0);
VALUE(ACCP_LIMIT_PARAMS, 1);
VALUE(ACCP_LIMIT_ITEMS, 2);
VALUE(ACCP_LIMIT_KEY_BYTES, 3);
VALUE(ACCP_LIMIT_DEPTH, 4);
VALUE(ACCP_LIMIT_JSON_BYTES, 5);
VALUE(ACCP_LIMIT_JSON_DEPTH, 6);
VALUE(ACCP_LIMIT_MEMORY_BYTES, 7);
VALUE(ACCP_LIMIT_STREAM_BYTES, 8);
VALUE(ACCP_LIMIT_STREAM_AHEAD, 9);
VALUE(ACCP_LIMIT_OPEN_STREAMS, 10);

VALUE(ACCP_ENVELOPE_MID, 1);
VALUE(ACCP_ENVELOPE_SEQ, 2);
VALUE(ACCP_ENVELOPE_TS, 4);
VALUE(ACCP_ENVELOPE_CID, 8);
VALUE(ACCP_ENVELOPE_AID, 16);
VALUE(ACCP_ENVELOPE_SID, 32);
VALUE(ACCP_ENVELOPE_TTL, 64);

VALUE(ACCP_INTENT_REQ, 0);
VALUE(ACCP_INTENT_DONE, 1);
VALUE(ACCP_INTENT_FAIL, 2);
VALUE(ACCP_INTENT_WAIT, 3);
VALUE(ACCP_INTENT_ESC, 4);
VALUE(ACCP_INTENT_COMP, 5);
VALUE(ACCP_INTENT_SYNC, 6);
VALUE(ACCP_INTENT_QRY, 7);
VALUE(ACCP_INTENT_ACK, 8);
VALUE(ACCP_INTENT_CANCEL, 9);
VALUE(ACCP_INTENT_STREAM, 10);
VALUE(ACCP_INTENT_END, 11);

VALUE(ACCP_PROFILE_NONE, 0);
VALUE(ACCP_PROFILE_CHAT, 1);
VALUE(ACCP_PROFILE_TOOL, 2);
VALUE(ACCP_PROFILE_TRANSACTION, 4);
VALUE(ACCP_PROFILE_STREAM, 8);
VALUE(ACCP_PROFILE_WORKFLOW, 16);
VALUE(ACCP_PROFILE_ALL, 31);

SIZE(accp_policy_case, 88, 8);
FIELD(accp_policy_case, direction, 0, 4);
FIELD(accp_policy_case, untrusted, 4, 4);
FIELD(accp_policy_case, agent, 8, 16);
FIELD(accp_policy_case, intent, 24, 16);
FIELD(accp_policy_case, operation, 40, 16);
FIELD(accp_policy_case, schema, 56, 16);
FIELD(accp_policy_case, text, 72, 16);

SIZE(accp_failure, 88, 8);
FIELD(accp_failure, code, 0, 4);
FIELD(accp_failure, retry, 4, 4);
FIELD(accp_failure, agent, 8, 16);
FIELD(accp_failure, message, 24, 16);
FIELD(accp_failure, detail, 40, 16);
FIELD(accp_failure, source, 56, 16);
FIELD(accp_failure, cid, 72, 16);

SIZE(accp_chunk, 56, 8);
FIELD(accp_chunk, cid, 0, 16);
FIELD(accp_chunk, data, 16, 16);
FIELD(accp_chunk, index, 32, 8);
FIELD(accp_chunk, total, 40, 8);
FIELD(accp_chunk, is_final, 48, 4);
FIELD(accp_chunk, reserved, 52, 4);

SIZE(accp_stream_part, 48, 8);
FIELD(accp_stream_part, data, 0, 16);
FIELD(accp_stream_part, whole, 16, 16);
FIELD(accp_stream_part, chunks, 32, 8);
FIELD(accp_stream_part, state, 40, 4);
FIELD(accp_stream_part, reserved, 44, 4);

VALUE(ACCP_STREAM_OPEN, 0);
VALUE(ACCP_STREAM_COMPLETE, 1);
VALUE(ACCP_STREAM_ABORTED, 2);
VALUE(ACCP_STREAM_CLOSED, 3);

VALUE(ACCP_CATEGORY_NONE, 0);
VALUE(ACCP_CATEGORY_PARSE, 1);
VALUE(ACCP_CATEGORY_STATE, 2);
VALUE(ACCP_CATEGORY_DELIVERY, 3);
VALUE(ACCP_CATEGORY_TOOL, 4);
VALUE(ACCP_CATEGORY_POLICY, 5);
VALUE(ACCP_CATEGORY_INTERNAL, 9);

VALUE(ACCP_WARN_NO_CID, 1);
VALUE(ACCP_WARN_TOOL_ERROR, 2);
VALUE(ACCP_WARN_NO_TRANSACTION_ID, 4);
VALUE(ACCP_WARN_CURRENCY, 8);
VALUE(ACCP_WARN_ERROR_CODE, 16);
VALUE(ACCP_WARN_RETRY, 32);

VALUE(ACCP_STRICT_OPERATIONS, 1);
VALUE(ACCP_STRICT_PROFILES, 2);
VALUE(ACCP_STRICT_SCHEMA, 4);

VALUE(ACCP_SENT, 0);
VALUE(ACCP_RECEIVED, 1);
VALUE(ACCP_ORIGIN_TRUSTED, 0);
VALUE(ACCP_ORIGIN_UNTRUSTED, 1);

VALUE(ACCP_FIELD_ANY, 0);
VALUE(ACCP_FIELD_STRING, 1);
VALUE(ACCP_FIELD_INTEGER, 2);
VALUE(ACCP_FIELD_DECIMAL, 3);
VALUE(ACCP_FIELD_NUMBER, 4);
VALUE(ACCP_FIELD_BOOLEAN, 5);
VALUE(ACCP_FIELD_ARRAY, 6);
VALUE(ACCP_FIELD_OBJECT, 7);

VALUE(ACCP_RULE_WINDOW, 0);
VALUE(ACCP_RULE_GAP_MS, 1);
VALUE(ACCP_RULE_SKEW_MS, 2);
VALUE(ACCP_RULE_FUTURE_MS, 3);
VALUE(ACCP_RULE_BY_SENDER, 4);
VALUE(ACCP_RULE_REQUIRE_TS, 5);
VALUE(ACCP_RULE_REQUIRE_SID, 6);
VALUE(ACCP_RULE_LOOSE_MID, 7);
VALUE(ACCP_RULE_MAX_TOKENS, 8);
VALUE(ACCP_RULE_ISSUER, 9);
VALUE(ACCP_RULE_SHARES_STORE, 10);
VALUE(ACCP_RULE_MERGES, 11);
VALUE(ACCP_RULE_NAMES_SESSION, 12);
VALUE(ACCP_RULE_DURABLE, 13);
VALUE(ACCP_RULE_HOT_MAX, 14);
VALUE(ACCP_RULE_HOT_DUE, 15);
VALUE(ACCP_RULE_CHECKPOINT_MAX, 16);
VALUE(ACCP_RULE_SUMMARY_MAX, 17);
VALUE(ACCP_RULE_RETAINED, 18);
VALUE(ACCP_RULE_SEED, 19);
VALUE(ACCP_RULE_DEADLINE_MS, 20);
VALUE(ACCP_RULE_PARTS, 21);
VALUE(ACCP_RULE_JUMP, 22);
VALUE(ACCP_RULE_DIALECT, 23);
VALUE(ACCP_RULE_EXTENSIONS, 24);
VALUE(ACCP_RULE_ABBREVIATE, 25);
VALUE(ACCP_RULE_KEEP_REFS, 26);
VALUE(ACCP_RULE_TOKEN_CACHE, 27);
VALUE(ACCP_RULE_STRICTNESS, 28);
VALUE(ACCP_RULE_MARK_DEFAULTS, 29);
VALUE(ACCP_RULE_INLINE_CHARACTERS, 30);
VALUE(ACCP_RULE_SPECIAL_TOKENS, 31);
VALUE(ACCP_RULE_CHUNK_BYTES, 32);
VALUE(ACCP_RULE_KEEP_STREAMS, 33);
VALUE(ACCP_RULE_SPECIFICATION, 34);
VALUE(ACCP_RULE_NEWEST_MAX, 35);
VALUE(ACCP_RULE_PINNED_MAX, 36);
VALUE(ACCP_RULE_PRICE_CACHED, 37);
VALUE(ACCP_RULE_PRICE_WRITE, 38);
VALUE(ACCP_RULE_WHOLE_MAX, 39);
VALUE(ACCP_RULE_HOST_TOKENS, 40);
VALUE(ACCP_RULE_CACHE_TTL_MS, 41);
VALUE(ACCP_RULE_REQUIRE_REGISTRY, 42);
VALUE(ACCP_RULE_SPELL, 43);
VALUE(ACCP_SESSION_READ_ONLY, 1);
VALUE(ACCP_SESSION_LOCAL, 2);
VALUE(ACCP_RECORD_RECEIVED, 'R');
VALUE(ACCP_RECORD_SENT, 'S');
VALUE(ACCP_RECORD_MESSAGE, 'M');
VALUE(ACCP_RECORD_USED_UP, 'U');
VALUE(ACCP_RECORD_PHASE, 'P');
VALUE(ACCP_RECORD_PART_RECEIVED, 'r');
VALUE(ACCP_RECORD_PART_SENT, 's');
VALUE(ACCP_RECORD_ABANDONED, 'A');
VALUE(ACCP_RECORD_REQUEST, 'Q');
VALUE(ACCP_RECORD_TIMEOUT, 'T');
VALUE(ACCP_RECORD_CLOSED, 'Z');

VALUE(ACCP_BLOCK_PINNED, 0);
VALUE(ACCP_BLOCK_GAP, 1);
VALUE(ACCP_BLOCK_CLOSED, 2);
VALUE(ACCP_BLOCK_OPEN, 3);
VALUE(ACCP_BLOCK_NEWEST, 4);
VALUE(ACCP_INTERFACE_OPENAI, 1);
VALUE(ACCP_INTERFACE_ANTHROPIC, 2);
VALUE(ACCP_INTERFACE_MCP, 3);
VALUE(ACCP_INTERFACE_CLAUDE_CODE, 4);
VALUE(ACCP_INTERFACE_SWE_AGENT, 5);
VALUE(ACCP_INTERFACE_SPECSTORY, 6);
VALUE(ACCP_INTERFACE_AIDER, 7);
VALUE(ACCP_INTERFACE_SPEAKERS, 8);
VALUE(ACCP_INTERFACE_CODEX, 9);
VALUE(ACCP_INTERFACE_OPENCODE, 10);
VALUE(ACCP_INTERFACE_PI, 11);
VALUE(ACCP_INTERFACE_GEMINI, 12);

VALUE(ACCP_PACKET_UNVERIFIED, 1);
VALUE(ACCP_PACKET_NO_CHECKSUM, 1);
VALUE(ACCP_PACKET_OTHER_TOKEN_COUNT, 2);
VALUE(ACCP_PACKET_OTHER_CHECKSUM, 4);
VALUE(ACCP_PACKET_MINIMAL, 0);
VALUE(ACCP_PACKET_STANDARD, 1);
VALUE(ACCP_PACKET_DEEP, 2);
VALUE(ACCP_PANES_SHARED, -1);
VALUE(ACCP_PANES_DEFAULT_DEPTH, 0);
VALUE(ACCP_PANES_BUDGET_MINIMAL, 1);
VALUE(ACCP_PANES_BUDGET_STANDARD, 2);
VALUE(ACCP_PANES_BUDGET_DEEP, 3);
VALUE(ACCP_PANES_AUTO_GENERATE, 4);
VALUE(ACCP_PANES_TRACK_EFFICIENCY, 5);
VALUE(ACCP_PANES_AUTO_CLEANUP, 6);
VALUE(ACCP_PANES_OWN_PANE, 7);
VALUE(ACCP_PANES_LOCK_SECONDS, 8);
VALUE(ACCP_PANES_EDITED, 1);
VALUE(ACCP_PANES_ALONE, 1);
VALUE(ACCP_PANES_UNVERIFIED, 2);
VALUE(ACCP_PANES_RECEIPT, 4);
VALUE(ACCP_PACKET_GOAL, 0);
VALUE(ACCP_PACKET_CRITERION, 1);
VALUE(ACCP_PACKET_CONSTRAINT, 2);
VALUE(ACCP_PACKET_DECISION, 3);
VALUE(ACCP_PACKET_FILE, 4);
VALUE(ACCP_PACKET_PATTERN, 5);
VALUE(ACCP_PACKET_ANTI_PATTERN, 6);
VALUE(ACCP_PACKET_EXAMPLE, 7);
VALUE(ACCP_PACKET_FAILURE, 8);
VALUE(ACCP_PACKET_PIVOT, 9);
VALUE(ACCP_PACKET_QUESTION, 10);
VALUE(ACCP_PACKET_NOT_INCLUDED, 11);
VALUE(ACCP_PACKET_GOALS, 1);
VALUE(ACCP_PACKET_DECISIONS, 2);
VALUE(ACCP_PACKET_CODEBASE, 4);
VALUE(ACCP_PACKET_HISTORY, 8);
VALUE(ACCP_PACKET_ALL_LAYERS, 15);

SIZE(accp_verdict, 56, 8);
FIELD(accp_verdict, answer, 0, 4);
FIELD(accp_verdict, code, 4, 4);
FIELD(accp_verdict, byte, 8, 8);
FIELD(accp_verdict, details, 16, 16);
FIELD(accp_verdict, step, 32, 16);
FIELD(accp_verdict, need_count, 48, 4);
FIELD(accp_verdict, reserved, 52, 4);
SIZE(accp_sacp_receiver, 48, 8);
FIELD(accp_sacp_receiver, role, 0, 16);
FIELD(accp_sacp_receiver, formatters, 16, 16);
FIELD(accp_sacp_receiver, msg_id, 32, 16);
SIZE(accp_sacp_sender, 56, 8);
FIELD(accp_sacp_sender, msg_id, 0, 16);
FIELD(accp_sacp_sender, sender, 16, 16);
FIELD(accp_sacp_sender, recipient, 32, 16);
FIELD(accp_sacp_sender, now_ms, 48, 8);
VALUE(ACCP_SACP_VALID, 0);
VALUE(ACCP_SACP_ERR, 1);
VALUE(ACCP_SACP_REQ_CLARIFY, 2);
VALUE(ACCP_SACP_MISSING_FIELD, 1);
VALUE(ACCP_SACP_INVALID_STATE_TRANSITION, 16);
VALUE(ACCP_SACP_STRICT, 0);
VALUE(ACCP_SACP_LENIENT, 1);
VALUE(ACCP_SACP_RAW, 0);
VALUE(ACCP_SACP_HUMAN, 1);
VALUE(ACCP_SACP_SUMMARY, 2);
VALUE(ACCP_SACP_AS_IS, 0);
VALUE(ACCP_SACP_FULL, 1);
VALUE(ACCP_SACP_BRIEF, 2);
VALUE(ACCP_SPAWN_INVALID, -1);
VALUE(ACCP_SPAWN_NOT_NEEDED, 0);
VALUE(ACCP_SPAWN_REQUESTED, 1);
VALUE(ACCP_SPAWN_GIVEN_UP, 2);
VALUE(ACCP_PLAN_INVALID, -1);
VALUE(ACCP_PLAN_INFEASIBLE, 0);
VALUE(ACCP_PLAN_FEASIBLE, 1);
VALUE(ACCP_SACP_0_1, 0);
VALUE(ACCP_SACP_1_0, 1);

VALUE(ACCP_STORE_READ_ONLY, 1);
VALUE(ACCP_STORE_EXISTING, 2);
VALUE(ACCP_STORE_NO_WAIT, 4);
VALUE(ACCP_STORE_VACUUM, 8);

VALUE(ACCP_FEATURE_MERGES, 1);
VALUE(ACCP_FEATURE_PARTS, 2);
VALUE(ACCP_FEATURE_STORE, 4);
VALUE(ACCP_NEGOTIATION_OPEN, 0);
VALUE(ACCP_NEGOTIATION_AGREED, 1);
VALUE(ACCP_NEGOTIATION_BARE, 2);
VALUE(ACCP_NEGOTIATION_REFUSED, 3);

/*
 * Checks that the loaded library has the version of the headers, and that its table of statuses has
 * the numbers above.
 */
int main(void) {
    const int named =
        accp_status_name(ACCP_E9999)[0] == 'I' && accp_status_is_retryable(ACCP_E3001) == 1;
    return accp_abi_version() == ACCP_ABI_VERSION && named ? 0 : 1;
}
