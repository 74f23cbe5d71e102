// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { AccpError, kindOf, wrongArgument } from './error.js';
import { native, type Native } from './native.js';

/** The property of an object that has its handle. @internal */
export const kHandle: unique symbol = Symbol('accp.handle');

/**
 * An object of the library. A forgotten one is freed by the garbage collector; close() frees it at once. It belongs to the thread
 * (worker) that made it.
 */
export abstract class Handle {
  /** @internal */
  readonly [kHandle]!: Native;

  /** Objects are made by the constructors and functions of the classes. */
  protected constructor(handle: Native) {
    Object.defineProperty(this, kHandle, { value: handle });
  }
}

/** An object in memory: closing it never waits. */
export abstract class MemoryHandle extends Handle {
  /** Frees the object when the promises that use it have settled. It may be called again. */
  close(): void {
    native.close(this[kHandle]);
  }

  /** As {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Returns the handle of a value that must be of a class. @internal */
export function handleOf(value: unknown, of: abstract new (...values: never[]) => Handle, what: string): Native {
  if (!(value instanceof of)) throw wrongArgument('', `${what} must be a ${of.name}, not ${kindOf(value)}`);
  return value[kHandle];
}

/** UTF-8 as a string or as bytes. A string must have no lone surrogate: E1004. Bytes are copied for a call that returns a promise. */
export type Text = string | Uint8Array;

/** JSON as text, or a value that JSON.stringify() converts to an object or array. */
export type Json = Text | object;

/** @internal */
export function jsonText(value: Json, what = 'the JSON'): Text {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw wrongArgument('', `${what} must be a string, a Uint8Array or an object, not ${kindOf(value)}`);
  return stringify(value, what);
}

/** @internal */
export function stringify(value: unknown, what = 'the value'): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw Object.assign(wrongArgument('', `${what} cannot be written as JSON: ${(cause as Error).message}`), { cause });
  }
  if (text === undefined) throw wrongArgument('', `${what} cannot be written as JSON: it is ${kindOf(value)}`);
  return text;
}

/** A time: a Date, or milliseconds since 1970. */
export type Time = Date | number;

/** @internal */
export function milliseconds(time: Time | undefined): number {
  if (time === undefined) return Date.now();
  return typeof time === 'number' ? time : time.getTime();
}

/** Options of calls that read the time. */
export interface TimeOptions {
  /** The time of the call; default: now. */
  now?: Time | undefined;
}

/** Options of calls that return a promise. */
export interface SignalOptions {
  /**
   * Rejects the promise when it is aborted. A call that still waited for an earlier call on the same object then has no effect.
   * A call that already runs cannot be stopped: its effect remains.
   */
  signal?: AbortSignal | undefined;
}

/** Options of most calls. */
export interface CallOptions extends TimeOptions, SignalOptions {}

export { AccpError };
