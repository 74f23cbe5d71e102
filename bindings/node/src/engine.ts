// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { handleOf, jsonText, kHandle, MemoryHandle, type Json, type SignalOptions } from './handle.js';
import { checkKnown, type Known } from './known.js';
import { native, run, type Native } from './native.js';
import { withConfig, type EngineOptions } from './options.js';
import { Registry } from './registry.js';
import { Session } from './session.js';

/** How a session is opened. */
export interface OpenOptions extends SignalOptions {
  /** Read the session as it is now; it must exist. Its writer may continue. */
  readOnly?: boolean | undefined;
  /** The other side is a session of this engine too; long messages then go in parts. */
  local?: boolean | undefined;
}

/** Counters of an engine, by name: `accp.frames.sent`, `accp.context.tokens` and others (docs/observability.md). */
export type Metrics = Record<string, number>;

const known: Known<OpenOptions> = { readOnly: true, local: true, signal: true };

function flags(options: OpenOptions): number {
  checkKnown('engine.open()', options, known);
  return (options.readOnly ? 1 : 0) | (options.local ? 2 : 0);
}

/**
 * What sessions of one kind share: a store, a registry of schemas, a tokenizer, rules. Without a store in its options it keeps
 * its sessions in memory, until it and its sessions are closed.
 */
export class Engine extends MemoryHandle {
  /** Makes an engine. ERR_ARG for unknown options, or rules that conflict. */
  constructor(options?: EngineOptions) {
    super(withConfig(options, (config) => native.engine_new!(config) as Native, 'new Engine()'));
  }

  /**
   * Opens a session. For writing it is created if it does not exist, and an earlier writer, in this or another process, loses its
   * right to write. E2001 if a session to be read does not exist; ERR_CORRUPT if it is damaged.
   *
   * @param id  The id of the conversation (not of an agent), 1 to 256 bytes.
   */
  async open(id: string, options: OpenOptions = {}): Promise<Session> {
    const close = (late: Native): void => {
      native.close(late);
    };
    return new Session(await run('session_open', this[kHandle], [id, flags(options)], options.signal, close), id);
  }

  /** As {@link open}, without a promise: it blocks the thread while it reads the store. */
  openSync(id: string, options: OpenOptions = {}): Session {
    return new Session(native.session_open!(this[kHandle], id, flags(options)) as Native, id);
  }

  /** Adds schemas to the registry of the engine, for its open sessions too. Both sides must do it. */
  registerSchema(document: Json): void {
    native.engine_register_schema!(this[kHandle], jsonText(document));
  }

  /** Returns the current registry. */
  get registry(): Registry {
    return Registry.from(native.engine_share_registry!(this[kHandle]) as Native);
  }

  /** Returns the counters since the engine was made. */
  metrics(): Metrics {
    return native.engine_metrics!(this[kHandle]) as Metrics;
  }
}

/** @internal */
export const engineOf = (value: unknown): Native => handleOf(value, Engine, 'engine');
