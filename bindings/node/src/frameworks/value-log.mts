// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A log of texts in the values of a session. Grammar of the values, all in the tier cold:
//   head    = "log_head": {"generation": G}              ; absent: generation 0
//   record  = "log" G "_" N: text                         ; N from 1, without a gap
// A new generation is written whole before the head names it, so a crash leaves the old one or the new one.
import { AccpError, type Engine, type Session } from '../index.js';

const headRef = 'cold.log_head';

function hasCode(error: unknown, code: string): boolean {
  return error instanceof AccpError && error.code === code;
}

/** Receives each record in order; `number` is its number. */
export type ReadRecord = (text: string, number: number) => void;

/**
 * One log. Calls run one after the other: wrap each operation in `run()`. `reset` is called when the log must be read from its
 * beginning: at first, and when another process has written it.
 */
export class ValueLog {
  private session: Session | undefined;
  private generation = 0;
  private next = 1;
  private last: Promise<unknown> = Promise.resolve();
  /** Operations that wait or run. */
  pending = 0;

  constructor(
    private readonly engine: Engine,
    readonly id: string,
    private readonly reset: () => void,
    private readonly read: ReadRecord,
  ) {}

  /** The number of records. */
  get length(): number {
    return this.next - 1;
  }

  /** Runs an operation after those before it, with all records read. It is repeated once if another process has taken the session. */
  run<T>(operation: () => Promise<T>): Promise<T> {
    ++this.pending;
    const attempt = async (): Promise<T> => {
      try {
        for (let isFirst = true; ; isFirst = false) {
          try {
            await this.refresh();
            return await operation();
          } catch (error) {
            if (!isFirst || !hasCode(error, 'ERR_CLOSED')) throw error;
            await this.close();
          }
        }
      } finally {
        --this.pending;
      }
    };
    const result = this.last.then(attempt, attempt);
    this.last = result.catch(() => undefined);
    return result;
  }

  // Reads what is new. Only another process can have written it.
  private async refresh(): Promise<void> {
    if (!this.session) {
      this.session = await this.engine.open(this.id);
      this.generation = 0;
      this.next = 1;
      this.reset();
      const head = await this.get(headRef);
      if (head !== undefined) this.generation = (JSON.parse(head) as { generation: number }).generation;
    }
    for (;;) {
      const text = await this.get(this.ref(this.generation, this.next));
      if (text === undefined) return;
      this.read(JSON.parse(text) as string, this.next++);
    }
  }

  private ref(generation: number, number: number): string {
    return `cold.log${generation}_${number}`;
  }

  private async get(ref: string): Promise<string | undefined> {
    try {
      return await this.session!.resolveText(ref);
    } catch (error) {
      if (hasCode(error, 'E2001')) return undefined;
      throw error;
    }
  }

  /** Returns a record. Only within `run()`. */
  async record(number: number): Promise<string> {
    const text = await this.get(this.ref(this.generation, number));
    if (text === undefined)
      throw new Error(`libaccp: record ${number} of the session ${this.id} is missing: another program has removed values of it.`);
    return JSON.parse(text) as string;
  }

  /** Appends a record, a text without lone surrogates, and returns its number. It is durable then. Only within `run()`. */
  async append(text: string): Promise<number> {
    await this.session!.putText(this.ref(this.generation, this.next), JSON.stringify(text));
    this.read(text, this.next);
    return this.next++;
  }

  /** Replaces all records. Only within `run()`. */
  async replace(texts: readonly string[]): Promise<void> {
    const session = this.session!,
      { generation: old, next: count } = this;
    const generation = old + 1;
    // what an interrupted call has left, from its end, so that it has no gap if this is interrupted too
    let left = 1;
    while ((await this.get(this.ref(generation, left))) !== undefined) ++left;
    for (let number = left - 1; number >= 1; --number) await session.remove(this.ref(generation, number));
    for (let i = 0; i < texts.length; ++i) await session.putText(this.ref(generation, i + 1), JSON.stringify(texts[i]));
    await session.putText(headRef, JSON.stringify({ generation }));
    this.generation = generation;
    this.next = 1;
    this.reset();
    for (const text of texts) this.read(text, this.next++);
    for (let number = count - 1; number >= 1; --number) await session.remove(this.ref(old, number));
  }

  /** Closes the session after the operations that wait. */
  end(): Promise<void> {
    const result = this.last.then(() => this.close());
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Closes the session. The next operation opens it again. */
  async close(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.close();
  }
}
