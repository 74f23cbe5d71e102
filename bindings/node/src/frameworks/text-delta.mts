// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text as the difference from another one: how much of its beginning and of its end is the same, and what is between.

export interface TextDelta {
  /** Characters (UTF-16) at the beginning, and at the end, of the base. */
  prefix: number;
  suffix: number;
  middle: string;
}

const step = 4096;

function commonPrefix(a: string, b: string, most: number): number {
  let at = 0;
  while (at + step <= most && a.slice(at, at + step) === b.slice(at, at + step)) at += step;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) ++at;
  return at;
}

function commonSuffix(a: string, b: string, most: number): number {
  let count = 0;
  while (count + step <= most && a.slice(a.length - count - step, a.length - count) === b.slice(b.length - count - step, b.length - count))
    count += step;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) ++count;
  return count;
}

export function deltaOf(base: string, text: string): TextDelta {
  const most = Math.min(base.length, text.length);
  const prefix = commonPrefix(base, text, most);
  const suffix = commonSuffix(base, text, most - prefix);
  return { prefix, suffix, middle: text.slice(prefix, text.length - suffix) };
}

/** A text that is made from a base and differences, without a copy of all of it for each of them. */
export class GrowingText {
  private readonly pieces: string[];

  constructor(base: string) {
    this.pieces = [base];
  }

  apply(delta: TextDelta): void {
    const end = this.cutEnd(delta.suffix);
    let length = 0;
    for (const piece of this.pieces) length += piece.length;
    if (delta.prefix > length) throw new RangeError('libaccp: a stored difference is longer than its base');
    this.cutEnd(length - delta.prefix);
    this.pieces.push(delta.middle);
    if (end) this.pieces.push(end);
  }

  // Takes characters from the end.
  private cutEnd(count: number): string {
    let end = '';
    while (end.length < count) {
      const piece = this.pieces.pop();
      if (piece === undefined) throw new RangeError('libaccp: a stored difference is longer than its base');
      const rest = Math.max(piece.length - (count - end.length), 0);
      end = piece.slice(rest) + end;
      if (rest > 0) this.pieces.push(piece.slice(0, rest));
    }
    return end;
  }

  toString(): string {
    return this.pieces.join('');
  }
}
