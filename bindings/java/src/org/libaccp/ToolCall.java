// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * A call of a tool.
 *
 * @param number unique in this run, for {@link PlanRun#requestMessage}
 * @param path of the step
 * @param verb its full name
 * @param tool the step's own, or a fallback
 * @param params JSON, references replaced
 * @param key equal for each try of this tool for this step of this run, also after a restart;
 *     unique otherwise: for tools that must do a thing once
 * @param due deadline of the result
 * @param stopped completes when the result is no longer needed
 */
public record ToolCall(long number, String path, String verb, String tool, String params, String key, Instant due, CompletableFuture<Void> stopped) {
    /** {@return the params, parsed} */
    public Json json() {
        try {
            return Json.parse(params);
        } catch (AccpException e) {
            throw new IllegalStateException(e);  // the library wrote them
        }
    }
}
