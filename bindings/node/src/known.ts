// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { kindOf, wrongArgument } from './error.js';

/** The names of the options of a type. @internal */
export type Known<T> = Readonly<Record<keyof Required<T>, true>>;

/**
 * Throws ERR_ARG for an option that is not known, with the known ones and the likely one. A member that is undefined is no option.
 *
 * @param call   What gets the options: "new Engine()".
 * @param hints  What to write in place of an option that is known elsewhere.
 *
 * @internal
 */
export function checkKnown(call: string, options: object, known: Readonly<Record<string, true>>, hints: (name: string) => string | undefined = () => undefined): void {
  if (typeof options !== 'object' || options === null) throw wrongArgument('', `the options of ${call} must be an object, not ${kindOf(options)}`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known),
      hint = hints(name),
      near = nearest(name, names);
    const likely = hint !== undefined ? `${hint}; ` : near !== undefined ? `perhaps ${near}; ` : '';
    throw wrongArgument('', `${call} has no option '${name.slice(0, 60)}': ${likely}its options are ${names.join(', ')}`);
  }
}

function nearest(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  let found: string | undefined,
    least = most + 1;
  for (const one of names) {
    const edits = editsOf(name.toLowerCase(), one.toLowerCase());
    if (edits < least) [found, least] = [one, edits];
  }
  return found;
}

// Letters to add, drop, replace or swap with the next one.
function editsOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 20) return 20;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, rows[i - 1]![j]! + 1, row[j - 1]! + 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
