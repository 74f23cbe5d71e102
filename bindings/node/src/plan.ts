// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { AccpError, wrongArgument } from './error.js';
import { handleOf, jsonText, stringify, type Json, type SignalOptions } from './handle.js';
import { native, run, type Native } from './native.js';
import { Store } from './store.js';

/** How plans are run; docs/sacp.md has the defaults. */
export interface PlanPolicy {
  /** Tries of a tool after the first. */
  retries?: number;
  /** Whether other tools are tried. */
  fallback?: boolean;
  /** Of one call. */
  timeout_ms?: number;
  backoff_ms?: number;
  max_backoff_ms?: number;
  jitter_percent?: number;
  /** Calls at once. */
  max_parallel?: number;
  max_output_bytes?: number;
  max_params_bytes?: number;
  max_held_bytes?: number;
  /** For single tools. */
  tools?: Record<string, { retries?: number; timeout_ms?: number }>;
  /** A tool's output in a dry run. */
  simulate?: Record<string, unknown>;
}

/** A plan to run. */
export interface PlanRequest extends SignalOptions {
  /** A SACP message. */
  message: Json;
  /** The document of its verbs and tools. */
  library?: Json | undefined;
  policy?: PlanPolicy | undefined;
  /** Verbs and tools that the library does not have are accepted. */
  lenient?: boolean | undefined;
  /** Where the log is kept. Another run of the same request continues from it, and repeats no call whose result is in it. */
  store?: Store | undefined;
  /** The session of the store for the log; default "default". Only this run may write to it. */
  session?: string | undefined;
}

/** A call of a tool. */
export interface PlanCall {
  tool: string;
  verb: string;
  /** The path of the step: "2.1". */
  path: string;
  /** With references replaced. */
  params: unknown;
  /** The params as JSON text: exact for every number. */
  paramsText: string;
  /** The same for each try of this tool for this step of this run, also after a restart: for tools that must work only once. */
  key: string;
  /** When the call times out. */
  due: Date;
}

/** JSON text that a tool returns as it is, instead of a value. */
export class JsonText {
  constructor(readonly json: string) {}
}

/** A tool: its result is what JSON.stringify() can write, or a {@link JsonText}. An error, or a rejected promise, is a failed try. */
export type PlanTool = (call: PlanCall, signal: AbortSignal) => unknown;

/** A failed try. */
export interface PlanFailure {
  call: PlanCall;
  error: unknown;
}

/** The result of a plan. */
export interface PlanResult {
  /** REFUSED: nothing ran, because the message is not valid or has run before. */
  state: 'DONE' | 'FAILED' | 'REFUSED';
  /** The output of the last step of a plan that is DONE. */
  output: unknown;
  /** The outputs of all steps by their paths. */
  stepResults: Record<string, unknown>;
  /** Everything: the result, the error, or the verdict on a message that was refused. */
  final: Record<string, unknown>;
  /** All attempts in the order of the steps' paths, with the reason of those that failed. */
  trace: Record<string, unknown>[];
  /** What the tools threw, in their order; a plan that is DONE may have some too. */
  failures: PlanFailure[];
}

const kNothing = 0;
const kCall = 1;
const kStop = 2;
const kEnded = 3;
const kReasons = 4;
const kToolFailed = 1;
const kNoAgent = 3;
const kLongestTimer = 2 ** 31 - 1;

interface Effect {
  kind: number;
  call: number;
  dueMs: number;
  path: string;
  verb: string;
  tool: string;
  text: string;
  key: string;
}

/** Runs a plan: reports what its tools return, and waits. */
class Driver {
  readonly #run: Native;
  readonly #isStored: boolean;
  readonly #tools: Readonly<Record<string, PlanTool>>;
  readonly #running = new Map<number, AbortController>();
  readonly #reports: (() => Promise<unknown>)[] = [];
  readonly failures: PlanFailure[] = [];
  #wake: (() => void) | undefined;

  constructor(handle: Native, isStored: boolean, tools: Readonly<Record<string, PlanTool>>) {
    this.#run = handle;
    this.#isStored = isStored;
    this.#tools = tools;
  }

  // With a store a report waits for it, so it runs on another thread.
  async #call<T>(name: string, ...values: unknown[]): Promise<T> {
    return this.#isStored ? run<T>(name, this.#run, values) : (native[name]!(this.#run, ...values) as T);
  }

  // A result that is not needed any more is dropped.
  async #report(name: string, ...values: unknown[]): Promise<void> {
    try {
      await this.#call(name, ...values);
    } catch (error) {
      if (!(error instanceof AccpError && error.code === 'DROPPED')) throw error;
    }
  }

  async drive(signal: AbortSignal | undefined): Promise<void> {
    let isCancelled = false;
    const wake = (): void => this.#wake?.();
    signal?.addEventListener('abort', wake);
    try {
      for (;;) {
        if (signal?.aborted && !isCancelled) {
          isCancelled = true;
          await this.#report('run_cancel', Date.now());
        }
        if (await this.#takeEffects()) break;
        await this.#wait(isCancelled ? undefined : signal);
        for (const report of this.#reports.splice(0)) await report();
        const due = native.run_due!(this.#run) as number;
        if (due >= 0 && due <= Date.now()) await this.#report('run_tick', Date.now());
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      for (const controller of this.#running.values()) controller.abort();
    }
    signal?.throwIfAborted();
  }

  async #takeEffects(): Promise<boolean> {
    for (;;) {
      const effect = await this.#call<Effect>('run_next', Date.now());
      if (effect.kind === kEnded) return true;
      if (effect.kind === kNothing) return false;
      if (effect.kind === kCall) this.#start(effect);
      if (effect.kind === kStop) {
        this.#running.get(effect.call)?.abort();
        this.#running.delete(effect.call);
      }
    }
  }

  #start(effect: Effect): void {
    const { call, tool } = effect;
    const controller = new AbortController();
    const report = (name: string, ...values: unknown[]): void => {
      this.#running.delete(call);
      this.#reports.push(() => this.#report(name, call, tool, ...values, Date.now()));
      this.#wake?.();
    };
    const work = Object.hasOwn(this.#tools, tool) ? this.#tools[tool] : undefined;
    if (work === undefined) return report('run_fail', kNoAgent, 'there is no such tool');
    this.#running.set(call, controller);
    const asked: PlanCall = { tool, verb: effect.verb, path: effect.path, params: JSON.parse(effect.text), paramsText: effect.text, key: effect.key, due: new Date(effect.dueMs) };
    void (async () => {
      let output: string;
      try {
        const result = (await work(asked, controller.signal)) ?? null;
        output = result instanceof JsonText ? result.json : stringify(result, 'the result of the tool');
      } catch (error) {
        this.failures.push({ call: asked, error });
        return report('run_fail', kToolFailed, Buffer.from(error instanceof Error ? error.message : String(error)).toString());
      }
      report('run_complete', output);
    })();
  }

  // Until a tool has ended, a time has come, or the signal is aborted.
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#reports.length > 0 || signal?.aborted) return;
    const due = native.run_due!(this.#run) as number;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (due >= 0) timer = setTimeout(resolve, Math.min(Math.max(due - Date.now(), 0) + 1, kLongestTimer));
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

/**
 * Runs the plan of a SACP message with functions as its tools: steps in order, the branches of a parallel at once, with retries,
 * fallbacks and time limits. A plan that fails is a result, not an error. When the signal is aborted, the plan is cancelled, the signals
 * of its tools are aborted, and the promise is rejected with the signal's reason.
 *
 * @param tools  By their names. A tool that is missing fails as one that nobody has.
 *
 * ERR_CORRUPT if the log is of another run; ERR_CLOSED if another run has opened its session.
 */
export async function runPlan(request: PlanRequest, tools: Readonly<Record<string, PlanTool>>): Promise<PlanResult> {
  if (typeof tools !== 'object' || tools === null) throw wrongArgument('run_plan', 'the tools must be an object of functions');
  request.signal?.throwIfAborted();
  const store = request.store === undefined ? undefined : handleOf(request.store, Store, 'store');
  const values = [
    jsonText(request.message, 'message'),
    request.library === undefined ? '' : jsonText(request.library, 'library'),
    request.policy === undefined ? '' : stringify(request.policy, 'policy'),
    (request.lenient ? 1 : 0) | kReasons,
    store,
    store === undefined ? '' : (request.session ?? 'default'),
    Date.now(),
  ];
  const make = native[store === undefined ? 'run_new' : 'run_new_async']!;
  const handle = (await make(values, undefined, 0)) as Native;
  try {
    const driver = new Driver(handle, store !== undefined, tools);
    await driver.drive(request.signal);
    const state = ([undefined, 'DONE', 'FAILED', 'REFUSED'] as const)[native.run_state!(handle) as number] ?? 'FAILED';
    const final = JSON.parse(native.run_print_final!(handle) as string) as Record<string, unknown>;
    const result = (state === 'DONE' ? final.result : {}) as { output?: unknown; step_results?: Record<string, unknown> };
    return {
      state,
      output: result.output,
      stepResults: result.step_results ?? {},
      final,
      trace: JSON.parse(native.run_print_trace!(handle) as string) as Record<string, unknown>[],
      failures: driver.failures,
    };
  } finally {
    native.close(handle);
  }
}
