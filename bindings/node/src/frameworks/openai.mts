// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * Short contexts for the OpenAI SDK (`openai`): chat completions and responses.
 *
 * @packageDocumentation
 */
import { chatWire } from './openai-chat.mjs';
import { responsesWire } from './openai-responses.mjs';
import type { ContextOptions } from './options.mjs';
import { wrapClient, type Closing, type Wire } from './provider-fetch.mjs';

export type { ContextOptions, ResolveMode } from './options.mjs';

/**
 * Returns a copy of a client whose `chat.completions` and `responses` send short contexts: old results of tools become one line
 * each if that lowers the bill with a prompt cache. Everything else is sent as it is. The model gets one more tool, which
 * brings back what was left out. The copy runs it, and the caller does not see its calls. Pass
 * the whole list of messages each time; requests with `previous_response_id` or `conversation` pass unchanged. Responses have the
 * tool only with `store: false`.
 *
 * @example
 * const client = withAccp(new OpenAI());
 */
export function withAccp<C extends object>(client: C, options: ContextOptions = {}): C & Closing {
  return wrapClient(client, [chatWire as unknown as Wire<never>, responsesWire as unknown as Wire<never>], options);
}
