// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * The Agent Context Compression Protocol: messages as small exact frames, sessions, and the context
 * for a model.
 */
module org.libaccp {
    exports org.libaccp;
}
