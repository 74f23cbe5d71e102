// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * What a tool is called for.
 *
 * @param number its own, never another's in this run, by which {@link PlanRun#requestMessage} knows it
 * @param path of the step
 * @param verb by its full name
 * @param tool the step's own, or a fallback
 * @param params JSON, references replaced
 * @param key the same for each try of this tool for this step of this run, also after a restart; no other's: for tools that are to do a thing once
 * @param due when nobody waits for it any more
 * @param stopped is completed when nobody waits for it any more
 */
public record ToolCall(long number, String path, String verb, String tool, String params, String key, Instant due, CompletableFuture<Void> stopped) {
    /** {@return the params, parsed} */
    public Json json() {
        try {
            return Json.parse(params);
        } catch (AccpException e) {
            throw new IllegalStateException(e);  // they are the library's own
        }
    }
}
