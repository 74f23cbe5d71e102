// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import type { Engine } from '../index.js';
import { checkKnown, type Known } from '../known.js';

/** When requests get the tool for omitted text. */
export type ResolveMode =
  /** In requests that have other tools, and in those in which text is omitted. The tools of an agent then never
   * change, and a provider's cache, which begins with them, stays. */
  | 'with-tools'
  /** In every request. */
  | 'always'
  /** In requests in which text is omitted. The first of them is written whole to a provider's cache. */
  | 'when-omitted'
  /** Never: the model can only call its other tools again. */
  | 'never';

/** Options of all drop-ins that shorten requests. */
export interface ContextOptions {
  /** The engine: rules, prices, store, clock. It is borrowed and must stay open. Default: an engine of its own, in
   * memory. */
  engine?: Engine | undefined;
  /** The id of a conversation in the engine's store, with which it can be removed later. Default: an id made from the instructions and the messages up
   * to the first of a user. A list that does not continue its session, for example because the user edited a
   * message, gets a session of its own, `ID.HASH`. */
  sessionId?: string | (() => string | undefined) | undefined;
  /** Tokens of the messages in a request, a hard limit. Default 0: as many as pay, at most the rule `hotMax`. */
  budgetTokens?: number | undefined;
  /** When requests get the tool for omitted text. Default `with-tools`. */
  resolve?: ResolveMode | undefined;
  /** The name of this tool. Default `accp_resolve`. */
  toolName?: string | undefined;
  /** Responses in a row that only call this tool and get a result. Further ones get an error, and after four errors
   * the request fails. Default 8; 1 to 100. */
  maxResolveRounds?: number | undefined;
  /** Conversations that are open at a time; the least recently used one is closed. Default 256. */
  maxConversations?: number | undefined;
}

/** Checked options with their defaults. */
export interface CheckedOptions {
  readonly engine: Engine | undefined;
  readonly sessionId: () => string | undefined;
  readonly budgetTokens: number;
  readonly resolve: ResolveMode;
  readonly toolName: string;
  readonly maxResolveRounds: number;
  readonly maxConversations: number;
}

const kModes: readonly string[] = ['with-tools', 'always', 'when-omitted', 'never'];

const kKnown: Known<ContextOptions> = {
  engine: true,
  sessionId: true,
  budgetTokens: true,
  resolve: true,
  toolName: true,
  maxResolveRounds: true,
  maxConversations: true,
};

const kHints: Readonly<Record<string, string>> = {
  store: 'give an engine, engine: new Engine({ store })',
  rules: 'give an engine, engine: new Engine({ rules })',
  limits: 'give an engine, engine: new Engine({ limits })',
  tokenizer: 'give an engine, engine: new Engine({ tokenizer })',
};

export const storeHints: Readonly<Record<string, string>> = { engine: 'give its store, store: a Store or its URL' };

export function checkOptions(options: ContextOptions): CheckedOptions {
  checkKnown('the drop-in', options, kKnown, (name) => kHints[name]);
  const whole = (name: 'budgetTokens' | 'maxResolveRounds' | 'maxConversations', fallback: number, least: number, most: number): number => {
    const value = options[name] ?? fallback;
    if (!Number.isSafeInteger(value) || value < least || value > most)
      throw new RangeError(`libaccp: the option ${name} is ${String(value)}: it must be a whole number from ${least} to ${most}.`);
    return value;
  };
  const { sessionId, resolve = 'with-tools', toolName = 'accp_resolve' } = options;
  if (!kModes.includes(resolve)) throw new RangeError(`libaccp: the option resolve is ${String(resolve)}: it must be one of ${kModes.join(', ')}.`);
  if (typeof toolName !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(toolName))
    throw new RangeError(`libaccp: the option toolName is ${String(toolName)}: it must have 1 to 64 letters, digits, _ or -.`);
  if (sessionId !== undefined && typeof sessionId !== 'string' && typeof sessionId !== 'function')
    throw new TypeError('libaccp: the option sessionId must be a string or a function.');
  return {
    engine: options.engine,
    sessionId: typeof sessionId === 'function' ? sessionId : () => sessionId,
    budgetTokens: whole('budgetTokens', 0, 0, Number.MAX_SAFE_INTEGER),
    resolve,
    toolName,
    maxResolveRounds: whole('maxResolveRounds', 8, 1, 100),
    maxConversations: whole('maxConversations', 256, 1, 1_000_000),
  };
}
