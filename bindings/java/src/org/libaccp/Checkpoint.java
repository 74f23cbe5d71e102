// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * A compression checkpoint (specification 5.2).
 *
 * @param number from 1; 0 if the session has none because it has no message
 * @param value
 *     <code>{"id","first","last","summary","facts":[[entity,relationship,value]…],"text"}</code>;
 *     null without a checkpoint
 */
public record Checkpoint(int number, Json value) {
    /** {@return the summary; empty without a checkpoint} */
    public String summary() {
        Json summary = value == null ? null : value.get("summary");
        return summary == null ? "" : summary.asString();
    }
}
