// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compiled only: a program in CommonJS.
import accp = require('libaccp');

export function count(text: string): number {
  return new accp.Tokenizer('o200k_base').count(text);
}
