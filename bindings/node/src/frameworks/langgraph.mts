// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * For LangGraph (`@langchain/langgraph` 1.7): checkpoints and long-term memory in a store of libaccp, and short contexts for the model of a graph.
 *
 * @packageDocumentation
 */
export { AccpSaver, type AccpSaverOptions, type Retention } from './langgraph-saver.mjs';
export { AccpStore, type AccpStoreOptions } from './langgraph-store.mjs';
export { accpMessages, type AccpMessages } from './langgraph-messages.mjs';
export type { ContextOptions, ResolveMode } from './options.mjs';
