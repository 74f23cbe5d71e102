// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { join } from 'node:path';
import { AccpError } from './error.js';

/** A handle of the library, owned by the addon. */
export type Native = { readonly native: unique symbol };

/**
 * A function of the addon: a function of the C API without accp_. It takes the arguments of that function without lengths,
 * outputs and the error, and returns the outputs, in an array if there are several. NAME_async returns a promise; its last
 * argument is a number by which cancel() finds the call, or 0.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Call = (...values: any[]) => any;

/** The addon. @internal */
export interface Addon {
  readonly [name: string]: Call;
  /** Frees a handle when no promise uses it any more. */
  close: (handle: Native) => void;
  /** As close(), with a promise that is fulfilled when the handle is freed. */
  close_async: (handle: Native) => Promise<void>;
  /** Takes a call out of the queue of its handle; false if it runs already. */
  cancel: (handle: Native, token: number) => boolean;
}

function load(): Addon {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const find = require('node-gyp-build') as (folder: string) => { setup: (make: typeof makeError) => Addon };
  const root = join(__dirname, '..');
  try {
    return find(root).setup(makeError);
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `libaccp has no binary for this platform (${platform}), or it cannot be loaded: ${(cause as Error).message.split('\n')[0]}. ` +
        'Binaries are for Linux with glibc 2.35 or later, or musl on x64; others are built from source: bindings/node/README.md of the project.',
      { cause },
    );
  }
}

function makeError(call: string, status: number, reason: string, offset: number, record: number, found: number, allowed: number): AccpError {
  return new AccpError({ call, status, reason, offset, record, found, allowed });
}

/** @internal */
export const native: Addon = load();

let tokens = 0;

/**
 * Calls an asynchronous function of the addon. If the signal is aborted while the call waits in the queue of its handle, the call
 * has no effect. If it runs already, its effect remains; in both cases the promise is rejected at once with the signal's reason.
 * @internal
 */
export function run<T>(name: string, handle: Native, values: readonly unknown[], signal?: AbortSignal, unused?: (late: T) => void): Promise<T> {
  const start = native[`${name}_async`] as Call;
  if (signal === undefined) return start(handle, ...values, 0) as Promise<T>;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const token = ++tokens;
  const result = start(handle, ...values, token) as Promise<T>;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => {
      native.cancel(handle, token);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    result.then(
      (value) => {
        signal.removeEventListener('abort', stop);
        if (signal.aborted) unused?.(value);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', stop);
        reject(error as Error);
      },
    );
  });
}
