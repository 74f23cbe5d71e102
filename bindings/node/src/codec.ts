// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { AccpError, kindOf, wrongArgument } from './error.js';
import { jsonText, kHandle, MemoryHandle, type Json, type SignalOptions, type Text } from './handle.js';
import { native, run, type Native } from './native.js';
import { withConfig, type Options } from './options.js';

/** The envelope of a frame; docs/wire.md. */
export interface Envelope {
  /** The message id. */
  mid?: string | undefined;
  /** The sequence number. */
  seq?: number | undefined;
  /** When it was sent, in seconds since 1970. */
  ts?: number | undefined;
  /** The correlation id of a chain of messages. */
  cid?: string | undefined;
  /** The mid of the message that it answers. */
  aid?: string | undefined;
  /** The session id. */
  sid?: string | undefined;
  /** How long it is valid, in seconds. */
  ttl?: number | undefined;
}

/** Tokens of one part of a frame: more than soft deserve a warning, a session sends no more than hard. */
export interface PartBudget {
  tokens: number;
  soft: number;
  hard: number;
}

/** The tokens of a frame and their limits. */
export interface FrameBudget {
  header: PartBudget;
  body: PartBudget;
  metadata: PartBudget;
  total: PartBudget;
}

/** The outcome of the message that was encoded or decoded last. */
export interface CodecOutcome {
  /** The frames that encoding made; 0 after decoding. */
  parts: number;
  kept: number;
  /** Warnings, as bits (docs/codec.md). */
  warnings: number;
}

/** The content of an error frame: the protocol itself failed. */
export interface ErrorFrame {
  /** A code of the specification; "E9999" if the frame has no valid one. A peer's code may be unknown to this version. */
  code: string;
  /** The sender. */
  agent: string;
  /** One line for people; absent: the name of the code. */
  message?: string | undefined;
  detail?: string | undefined;
  /** Where it happened, such as "api.crm". */
  source?: string | undefined;
  /** The correlation id of the failed request. */
  cid?: string | undefined;
  /** Of a decoded frame: sending again may help. Encoding takes it from the code. */
  isRetryable?: boolean | undefined;
}

/** Converts messages in JSON to frames and back, without sessions. */
export class Codec extends MemoryHandle {
  /** Makes a codec. It uses limits, extensions, dialect, registry, schema, tokenizer and the rules of accp/config.h. */
  constructor(options?: Options) {
    super(withConfig(options, (config) => native.codec_new!(config) as Native, 'new Codec()'));
  }

  /**
   * Encodes a message as a frame.
   *
   * E1001: not JSON or no message. E1002: an unknown intent. E1003: an unknown schema. E1004: a value that cannot be encoded or has
   * the wrong type. E2003: over the rule maxTokens. The offset is a byte of the JSON.
   */
  encode(message: Json): string {
    return native.codec_encode!(this[kHandle], jsonText(message)) as string;
  }

  /** Encodes an answer. It gets the cid, the operation and the mid of the request. */
  reply(request: Json, answer: Json): string {
    return native.codec_reply!(this[kHandle], jsonText(request), jsonText(answer)) as string;
  }

  /** Decodes a frame to its message; undefined for a part of a message that is not complete. The offset of an error is a byte of the frame. */
  decode(frame: Text): Record<string, unknown> | undefined {
    const text = this.decodeText(frame);
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  }

  /** As {@link decode}, as JSON text: exact for every number. */
  decodeText(frame: Text): string | undefined {
    return native.codec_decode!(this[kHandle], frame) as string | undefined;
  }

  /** Encodes an error frame. It needs a registry. ERR_ARG for a code that is none of the specification. */
  encodeError({ code, agent, message = '', detail = '', source = '', cid = '' }: ErrorFrame): string {
    const status = /^E\d{4}$/.test(code) ? Number(code.slice(1)) : undefined;
    if (status === undefined) throw wrongArgument('codec_encode_error', `code must be a code of the specification, such as 'E3001', not ${kindOf(code)} '${String(code)}'`);
    return native.codec_encode_failure!(this[kHandle], [status, agent, message, detail, source, cid]) as string;
  }

  /** Returns the content of the frame that was decoded last, if it was an error frame. */
  decodedError(): ErrorFrame | undefined {
    const { status, ...rest } = native.codec_failure!(this[kHandle]) as Omit<ErrorFrame, 'code'> & { status: number };
    return status === 0 ? undefined : { code: `E${status}`, ...rest };
  }

  /** Makes the frame that sends a frame again, with a new envelope. */
  retry(frame: Text, fresh: Envelope): string {
    return native.codec_retry!(this[kHandle], frame, fresh) as string;
  }

  /** Sets the envelope that encoding writes until the next call; undefined: none. */
  setEnvelope(envelope: Envelope | undefined): void {
    native.codec_set_envelope!(this[kHandle], envelope);
  }

  /** Marks decoded messages as data from outside (or no longer). */
  setUntrusted(untrusted: boolean): void {
    native.codec_set_origin!(this[kHandle], untrusted ? 1 : 0);
  }

  /** Drops the held parts of a chain ("": of all chains). */
  removeParts(cid: string): void {
    native.codec_remove_parts!(this[kHandle], cid);
  }

  /** Adds schemas to the codec's registry. */
  registerSchema(document: Json): void {
    native.codec_register_schema!(this[kHandle], jsonText(document));
  }

  /** Returns the tokens of the frame that was encoded last. */
  budget(): FrameBudget {
    return native.codec_budget!(this[kHandle]) as FrameBudget;
  }

  /** Returns the outcome of the last message. */
  outcome(): CodecOutcome {
    return native.codec_outcome!(this[kHandle]) as CodecOutcome;
  }
}

type BatchFailure = [line: number, status: number, reason: string, offset: number];
type BatchOutput = [text: string, count: number, failures: BatchFailure[] | undefined];

/** The results of a batch, one for each line. The texts of single lines and errors are made when they are asked for. */
export class BatchResult {
  readonly #call: string;
  readonly #failures: readonly BatchFailure[];
  #list: (string | AccpError)[] | undefined;

  /** The number of lines. */
  readonly length: number;
  /** The results of all accepted lines, each ended by a line feed. */
  readonly all: string;

  /** @internal */
  constructor(call: string, [all, length, failures]: BatchOutput) {
    this.#call = call;
    this.all = all;
    this.length = length;
    this.#failures = failures ?? [];
  }

  /** The number of lines that were rejected. */
  get rejected(): number {
    return this.#failures.length;
  }

  /** Whether a line was accepted. Lines are numbered from 0. */
  isOk(line: number): boolean {
    return typeof this.#at(line) === 'string';
  }

  /** Returns the error of a line; undefined if it was accepted. Its offset is a byte of the line. */
  error(line: number): AccpError | undefined {
    const one = this.#at(line);
    return typeof one === 'string' ? undefined : one;
  }

  /** Returns the result of a line. Throws its error if it was rejected. */
  text(line: number): string {
    const one = this.#at(line);
    if (typeof one === 'string') return one;
    throw one;
  }

  #at(line: number): string | AccpError {
    const one = this.toArray()[line];
    if (one === undefined) throw wrongArgument(this.#call, `there is no line ${line}; there are ${this.length}, from 0`);
    return one;
  }

  /** Returns a list with the result of each line, or its error. */
  toArray(): readonly (string | AccpError)[] {
    if (this.#list !== undefined) return this.#list;
    const accepted = this.all.split('\n'); // no result has a line feed in it
    const list: (string | AccpError)[] = [];
    let next = 0;
    for (const [line, status, reason, offset] of this.#failures) {
      while (list.length < line) list.push(accepted[next++]!);
      list.push(new AccpError({ call: this.#call, status, reason, offset, record: line }));
    }
    if (this.#failures.length === 0) {
      accepted.pop();
      return (this.#list = accepted);
    }
    while (list.length < this.length) list.push(accepted[next++]!);
    return (this.#list = list);
  }

  /** Iterates over {@link toArray}. */
  [Symbol.iterator](): Iterator<string | AccpError> {
    return this.toArray()[Symbol.iterator]();
  }
}

/** Encodes and decodes many messages in one call, without a registry. Its cost for a line is close to that of the C library. */
export class Batch extends MemoryHandle {
  /** Makes a batch. It uses limits, extensions, dialect and ignored. */
  constructor(options?: Options) {
    super(withConfig(options, (config) => native.batch_new!(config) as Native, 'new Batch()'));
  }

  /** Encodes messages: lines of JSON, or a list of messages. A rejected line does not stop the others. */
  encode(messages: Text | readonly Json[]): BatchResult {
    return new BatchResult('batch_encode', native.batch_encode!(this[kHandle], lines(messages)) as BatchOutput);
  }

  /** Decodes frames: lines, or a list of frames. */
  decode(frames: Text | readonly string[]): BatchResult {
    return new BatchResult('batch_decode', native.batch_decode!(this[kHandle], lines(frames)) as BatchOutput);
  }

  /** As {@link encode}, on another thread. */
  async encodeAsync(messages: Text | readonly Json[], options: SignalOptions = {}): Promise<BatchResult> {
    return new BatchResult('batch_encode', await run<BatchOutput>('batch_encode', this[kHandle], [lines(messages)], options.signal));
  }

  /** As {@link decode}, on another thread. */
  async decodeAsync(frames: Text | readonly string[], options: SignalOptions = {}): Promise<BatchResult> {
    return new BatchResult('batch_decode', await run<BatchOutput>('batch_decode', this[kHandle], [lines(frames)], options.signal));
  }
}

function lines(list: Text | readonly Json[]): Text {
  if (typeof list === 'string' || list instanceof Uint8Array) return list;
  if (!Array.isArray(list)) throw wrongArgument('', `the lines must be a string, a Uint8Array or a list, not ${kindOf(list)}`);
  const texts = (list as readonly Json[]).map((one, index) => {
    const text = one instanceof Uint8Array ? Buffer.from(one).toString('utf8') : (jsonText(one) as string);
    if (text.includes('\n')) throw wrongArgument('', `line ${index} has a line feed`);
    return text;
  });
  return texts.join('\n');
}
