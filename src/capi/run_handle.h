// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_run: a run, and where its log goes.
#pragma once

#include "accp/run.h"
#include "sacp/run/run.h"
#include "store/handle.h"

struct accp_run {
    // What one is made of.
    struct Source {
        const accp::Settings &settings;
        accp_store *store;
    };

    explicit accp_run(const Source &from)
        : settings(from.settings),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          store(accp::store::share_store(from.store)),
          library(memory),
          verdict(memory),
          run(memory),
          batch(memory),
          out(memory) {}

    // Where memory ran out in the middle of an event, the run is of no use; its log is.
    template <class Body>
    accp::Status change(Body body) {
        if (broken) return accp::fail(ACCP_ERR_CLOSED, 0, "the run ran out of memory before");
        broken = true;
        const accp::Status status = body();
        broken = false;
        return status;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp_store *store;
    accp::store::StoreSession *session = nullptr;
    accp::plan::Library library;
    accp::plan::Verdict verdict;
    accp::execute::Run run;
    accp::store::StoreBatch batch;  // records that are not committed
    accp::Buffer<char> out;
    bool refused = false;  // nothing runs
    bool told_end = false;
    bool begun = false, asked = false;
    bool keeps_records = false;  // the caller does
    bool unsynced = false;       // something is committed, and not durable
    bool broken = false;
};
