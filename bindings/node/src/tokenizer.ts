// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { MemoryHandle, kHandle, type Text } from './handle.js';
import { native, type Native } from './native.js';

/** How a vocabulary splits text before merging. */
export type SplitPattern = 'o200k_base' | 'cl100k_base' | 'gpt2' | 'llama3' | 'qwen2' | 'qwen35' | 'deepseek3' | 'tekken';

/** Returns the names of the built-in tokenizers: "o200k_base", "cl100k_base", and "approx", which estimates. */
export function tokenizers(): string[] {
  const names: string[] = [];
  for (;;) {
    const name = native.tokenizer_builtin_name!(names.length) as string | undefined;
    if (name === undefined) return names;
    names.push(name);
  }
}

/** Where a vocabulary that is not built in comes from. */
export interface Vocabulary {
  /** The name of the tokenizer. */
  name: string;
  /** The text of a .tiktoken file, with its pattern; or of a Hugging Face tokenizer.json with a byte-level BPE model. */
  text: Text;
  /** For a .tiktoken file. Absent: the text is a tokenizer.json. */
  pattern?: SplitPattern | undefined;
}

function open(of: string | Vocabulary): Native {
  if (typeof of !== 'object') return native.tokenizer_new!(of, undefined) as Native;
  if (of.pattern === undefined) return native.tokenizer_new_json!(of.name, of.text, undefined) as Native;
  return native.tokenizer_new_tiktoken!(of.name, of.pattern, of.text, undefined) as Native;
}

/**
 * The vocabulary of a model. It counts exactly, and its cache makes repeated counting fast. A text is UTF-8 of any kind: an
 * invalid part of bytes is read as U+FFFD.
 */
export class Tokenizer extends MemoryHandle {
  #counter: Native | undefined;

  /**
   * Makes a tokenizer: a built-in one by its name, in microseconds, or one of a vocabulary.
   *
   * ERR_ARG for an unknown name; E1001 and E1004 for a vocabulary that is invalid or of an unsupported kind.
   */
  constructor(of: string | Vocabulary = 'o200k_base') {
    super(open(of));
  }

  get #cached(): Native {
    return (this.#counter ??= native.counter_new!(this[kHandle], undefined) as Native);
  }

  /** The name. */
  get name(): string {
    return native.tokenizer_name!(this[kHandle]) as string;
  }

  /** Whether its counts are estimates. */
  get isApproximate(): boolean {
    return native.tokenizer_is_approximate!(this[kHandle]) !== 0;
  }

  /** The number of tokens in the vocabulary, without special ones; 0 without a vocabulary. */
  get tokenCount(): number {
    return native.tokenizer_token_count!(this[kHandle]) as number;
  }

  /**
   * Counts the tokens of a text.
   *
   * @param max  Counting stops above this number, and returns max + 1. Default: no limit.
   */
  count(text: Text, max: number = Number.MAX_SAFE_INTEGER): number {
    return native.counter_count!(this.#cached, text, max) as number;
  }

  /** Returns the ids of a text's tokens. ERR_ARG without a vocabulary. */
  encode(text: Text): Uint32Array {
    return native.counter_encode!(this.#cached, text) as Uint32Array;
  }

  /** Returns the bytes of tokens; a single token may be a part of a character. ERR_ARG for an unknown id; the offset is its index. */
  decode(ids: Uint32Array): Buffer {
    return native.counter_decode!(this.#cached, ids) as Buffer;
  }

  override close(): void {
    if (this.#counter !== undefined) native.close(this.#counter);
    super.close();
  }
}

/** Counts a text that grows, such as the output of a model that is streamed. */
export class TokenCounter extends MemoryHandle {
  /** Makes a counter. */
  constructor(tokenizer: Tokenizer) {
    super(native.counter_new!(tokenizer[kHandle], undefined) as Native);
  }

  /** Appends to the text; it may be cut anywhere. */
  append(text: Text): void {
    native.counter_append!(this[kHandle], text);
  }

  /** Returns the count of everything that was appended since {@link reset}: that of the whole text. */
  total(): number {
    return native.counter_total!(this[kHandle]) as number;
  }

  /** Drops the text. */
  reset(): void {
    native.counter_reset!(this[kHandle]);
  }
}
