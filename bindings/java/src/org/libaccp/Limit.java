// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_limit;

/** Limits. A text beyond a limit is refused, never cut. Valid values are in parentheses. */
public enum Limit {
    /** One frame; default 65,536 (16 to 2^30). */
    FRAME_BYTES(accp_limit.ACCP_LIMIT_FRAME_BYTES),
    /** Params of a payload, pairs of a metadata block; default 256 (1 to 2^20). */
    PARAMS(accp_limit.ACCP_LIMIT_PARAMS),
    /** Elements of one array, entries of one map; default 4,096 (1 to 2^24). */
    ITEMS(accp_limit.ACCP_LIMIT_ITEMS),
    /** One key, agent, intent, operation or ref; default 256 (1 to 65,535). */
    KEY_BYTES(accp_limit.ACCP_LIMIT_KEY_BYTES),
    /** Nested arrays and maps; default 5 (1 to 64). */
    DEPTH(accp_limit.ACCP_LIMIT_DEPTH),
    /** One JSON text; default 16 MiB (2 to 2^30). */
    JSON_BYTES(accp_limit.ACCP_LIMIT_JSON_BYTES),
    /** Depth of a JSON text; default 1,024 (1 to 1,024). */
    JSON_DEPTH(accp_limit.ACCP_LIMIT_JSON_DEPTH),
    /** The memory of one handle; default 1 GiB (65,536 or more). */
    MEMORY_BYTES(accp_limit.ACCP_LIMIT_MEMORY_BYTES),
    /** The memory of all open streams; default and max 16 MiB (1 or more). */
    STREAM_BYTES(accp_limit.ACCP_LIMIT_STREAM_BYTES),
    /** Pending chunks of one stream; default and max 1,024 (1 or more). */
    STREAM_AHEAD(accp_limit.ACCP_LIMIT_STREAM_AHEAD),
    /** Open streams; default and max 256 (1 or more). */
    OPEN_STREAMS(accp_limit.ACCP_LIMIT_OPEN_STREAMS);

    final int number;

    Limit(int number) {
        this.number = number;
    }
}
