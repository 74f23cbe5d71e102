// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { statuses, type AccpCode } from './names.generated.js';

/** What to do about a code, if its meaning does not say so. */
const advice: Readonly<Record<string, string>> = {
  ERR_BUSY: 'await the promise that uses it, then call again',
  ERR_NOMEM: 'raise limits.memoryBytes, or close what is not used any more',
  ERR_IO: 'call again when the device or the server works; sync() shows what is durable',
  ERR_CLOSED: 'open the session again: it has ended, or another writer has opened it',
  ERR_CORRUPT: 'store.verify() lists what is damaged',
  E2003: 'raise the limit or the budget, or send less',
  E3003: 'wait for the missing one, or begin another session (branch)',
  CLOSED_HANDLE: 'it cannot be used after close()',
};

/** The content of an {@link AccpError}. */
export interface AccpErrorDetails {
  /** The number of the code (docs/errors.md); -100 for CLOSED_HANDLE. */
  status: number;
  /** The reason, one line without values from the input. */
  reason: string;
  /** The call that failed: "session.append". */
  call?: string;
  /** The first byte at fault of the input as UTF-8. */
  offset?: number;
  /** The item or line at fault, from 0. */
  record?: number;
  /** How much there was; for E3003 the number that was received. */
  found?: number;
  /** The limit that was exceeded; for E3003 the number that was expected. */
  allowed?: number;
}

/**
 * The error of every call of this package. Its message has the code, the call, the byte at fault, the reason, what was found and
 * what is allowed, and what to do:
 * `E2003 BUDGET_EXCEEDED in session.send: the frame is over its limit of tokens (310 of 240); raise the limit …`
 */
export class AccpError extends Error {
  /** The code, such as "E1001" or "ERR_ARG". */
  readonly code: AccpCode;
  /** The number of the code; negative numbers never go on the wire. */
  readonly status: number;
  /** The name of the code: "PARSE_ERROR". */
  readonly codeName: string;
  /** One sentence about the code. */
  readonly meaning: string;
  /** Whether the same call may succeed later (specification 3.6). */
  readonly isRetryable: boolean;
  /** The reason in one line, with the numbers of a limit: "… (310 of 240)". */
  readonly reason: string;
  /** The call that failed, such as "session.append". */
  readonly call: string;
  /** The first byte at fault, from 0, of the input as UTF-8; its length if it ends too early; 0 if no byte is at fault. */
  readonly offset: number;
  /** The item or line at fault, from 0; 0 if there is none. */
  readonly record: number;
  /** How much there was of what the reason names; for E3003 the number that was received. Undefined if no number is at fault. */
  readonly found: number | undefined;
  /** The limit that was exceeded; for E3003 the number that was expected. Undefined if no number is at fault. */
  readonly allowed: number | undefined;

  /** Makes an error. The package does it; a host needs it only to test its own error handling. */
  constructor(details: AccpErrorDetails) {
    const known = statuses.get(details.status);
    const code = details.status === -100 ? 'CLOSED_HANDLE' : (known?.code ?? `E${details.status}`);
    const { found = 0, allowed = 0, offset = 0, record = 0 } = details;
    const hasNumbers = found !== 0 || allowed !== 0;
    // no frame is missing here, and the same call fails again; the reason is that of all languages
    const isHistory = code === 'E3003' && /^session[._]append_?history$/i.test(details.call ?? '');
    let reason = details.reason;
    if (hasNumbers) reason += code === 'E3003' ? ` (came ${found}, awaited ${allowed})` : ` (${found} of ${allowed})`;
    let text = reason;
    if (isHistory)
      text = /ends before/.test(reason)
        ? `the list has only the first ${record} messages of the session`
        : `message ${record} of the list, from 0, differs from the session's`;
    const name = /^E\d/.test(code) ? ` ${known?.name ?? 'UNKNOWN'}` : '';
    const call = callName(details.call ?? '');
    const place = (offset > 0 ? ` at byte ${offset}` : '') + (record > 0 ? ` of item ${record}` : '');
    const todo = isHistory ? 'pass the list as it was and what is new, or `branch`, the id of another session that gets it' : advice[code];
    super(`${code}${name}${call ? ` in ${call}` : ''}${place}: ${text}${todo ? `; ${todo}` : ''}`);
    this.name = 'AccpError';
    this.code = code as AccpCode;
    this.status = details.status;
    this.codeName = known?.name ?? code;
    this.meaning = known?.meaning ?? 'close() was called, or the handle was never opened';
    this.isRetryable = !isHistory && (known?.isRetryable ?? false);
    this.reason = reason;
    this.call = call;
    this.offset = offset;
    this.record = record;
    this.found = hasNumbers ? found : undefined;
    this.allowed = hasNumbers ? allowed : undefined;
  }
}

/** The name of a call as users know it: "session_append_from" is "session.append". */
function callName(name: string): string {
  return name
    .replace(/^config_set_(rule|limit)$/, 'options_$1s')
    .replace(/^config_(set|add)_/, 'options_')
    .replace(/_from$/, '')
    .replace(/^counter_/, 'tokenizer_')
    .replace('_', '.')
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns an ERR_ARG error. @internal */
export function wrongArgument(call: string, reason: string): AccpError {
  return new AccpError({ status: -2, reason, call });
}

/** Names the type of a value, without the value. @internal */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name ?? 'object';
  return typeof value;
}
