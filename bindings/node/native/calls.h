// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls that are not one function of the C interface: those with callbacks, and loops.
#ifndef ACCP_NODE_CALLS_H
#define ACCP_NODE_CALLS_H

#include "outputs.h"

namespace accp_addon::calls {

void session_deliveries(accp_session *session, std::vector<Delivered> *out);
void engine_metrics(const accp_engine *engine, std::vector<Metric> *out);

accp_status store_sessions(accp_store *store, Strings *out, accp_error *err);
accp_status store_properties(accp_store *store, std::vector<Property> *out, accp_error *err);
accp_status store_export(accp_store *store, const char *id, size_t id_len, std::string *out,
                         accp_error *err);
accp_status store_verify(accp_store *store, std::vector<Damage> *out, accp_error *err);

accp_status counter_decode(accp_counter *counter, const uint32_t *ids, size_t count, Bytes *out,
                           accp_error *err);
accp_status batch_encode(accp_batch *batch, const char *text, size_t text_len, Lines *out,
                         accp_error *err);
accp_status batch_decode(accp_batch *batch, const char *text, size_t text_len, Lines *out,
                         accp_error *err);
accp_status packet_filter(accp_packet *packet, const char *task, size_t task_len, double threshold,
                          accp_error *err);

accp_status sacp_new(const accp_library *library, accp_sacp **out, accp_error *err);

}  // namespace accp_addon::calls

#endif
