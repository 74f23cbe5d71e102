// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "calls.h"

namespace accp_addon::calls {
namespace {

std::string copy(const accp_text &from) {
    return std::string(from.text ? from.text : "", from.len);
}

}  // namespace

void session_deliveries(accp_session *session, std::vector<Delivered> *out) {
    accp_delivery one;
    while (accp_session_next_delivery(session, &one)) {
        out->push_back({one.status, one.origin, one.seq, copy(one.message), copy(one.mid),
                        copy(one.cid), one.reason, 0});
        out->back().warnings = accp_session_delivery_warnings(session);
    }
}

void engine_metrics(const accp_engine *engine, std::vector<Metric> *out) {
    for (int32_t i = 0; const char *name = accp_metric_name(i); ++i)
        out->push_back({name, accp_engine_metric(engine, i)});
}

accp_status store_sessions(accp_store *store, Strings *out, accp_error *err) {
    const auto each = [](const char *text, size_t len, void *user) {
        static_cast<Strings *>(user)->emplace_back(text, len);
        return 0;
    };
    return accp_store_each_session(store, each, out, err);
}

accp_status store_properties(accp_store *store, std::vector<Property> *out, accp_error *err) {
    const auto each = [](accp_text part, accp_text name, accp_text value, void *user) {
        static_cast<std::vector<Property> *>(user)->push_back(
            {copy(part), copy(name), copy(value)});
        return 0;
    };
    return accp_store_each_property(store, each, out, err);
}

accp_status store_export(accp_store *store, const char *id, size_t id_len, std::string *out,
                         accp_error *err) {
    const auto write = [](const char *text, size_t len, void *user) {
        static_cast<std::string *>(user)->append(text, len);
        return 0;
    };
    return accp_store_export(store, id, id_len, write, out, err);
}

accp_status store_verify(accp_store *store, std::vector<Damage> *out, accp_error *err) {
    const auto report = [](const accp_damage *damage, void *user) {
        static_cast<std::vector<Damage> *>(user)->push_back({copy(damage->session),
                                                             damage->what ? damage->what : "",
                                                             copy(damage->name), damage->record});
    };
    const accp_status status = accp_store_verify(store, report, out, err);
    return status == ACCP_ERR_CORRUPT && !out->empty() ? ACCP_OK : status;
}

accp_status counter_decode(accp_counter *counter, const uint32_t *ids, size_t count, Bytes *out,
                           accp_error *err) {
    return accp_counter_decode(counter, ids, count, &out->bytes, err);
}

static void results(const accp_batch *batch, Lines *out) {
    out->text = accp_batch_text(batch);
    out->records = accp_batch_records(batch, &out->count);
}

accp_status batch_encode(accp_batch *batch, const char *text, size_t text_len, Lines *out,
                         accp_error *err) {
    const accp_status status = accp_batch_encode(batch, text, text_len, err);
    if (status == ACCP_OK) results(batch, out);
    return status;
}

accp_status batch_decode(accp_batch *batch, const char *text, size_t text_len, Lines *out,
                         accp_error *err) {
    const accp_status status = accp_batch_decode(batch, text, text_len, err);
    if (status == ACCP_OK) results(batch, out);
    return status;
}

accp_status packet_filter(accp_packet *packet, const char *task, size_t task_len, double threshold,
                          accp_error *err) {
    return accp_packet_filter(packet, task, task_len, threshold, nullptr, nullptr, err);
}

accp_status sacp_new(const accp_library *library, accp_sacp **out, accp_error *err) {
    return accp_sacp_new(library, nullptr, out, err);
}

}  // namespace accp_addon::calls
