// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { AccpError, wrongArgument } from './error.js';
import { handleOf, jsonText, kHandle, MemoryHandle, type Json, type Text } from './handle.js';
import { native, type Native } from './native.js';

/** What is wrong with a message, or missing. */
export interface Verdict {
  answer: 'VALID' | 'ERR' | 'REQ_CLARIFY';
  isValid: boolean;
  /** The code of SACP, such as "MALFORMED_PLAN"; undefined for VALID. */
  code: string | undefined;
  details: string;
  /** The path of the step at fault, such as "2.1"; empty if none is. */
  step: string;
  /** The byte of the message that is at fault. */
  offset: number;
  /** What is missing: `plan`, `step.PATH.NAME`, `ctx.NAME`. */
  needs: string[];
}

/** How verbs and tools are handled that the library does not have. */
export interface CheckOptions {
  /** They are accepted; all other checks apply. */
  lenient?: boolean | undefined;
}

const answers = ['VALID', 'ERR', 'REQ_CLARIFY'] as const;
const formats = ['raw', 'human', 'summary'] as const;
const spellings = ['as-is', 'full', 'brief'] as const;

function numberIn(list: readonly string[], value: string, what: string): number {
  const found = list.indexOf(value);
  if (found < 0) throw wrongArgument('', `there is no ${what} '${String(value)}'; there are ${list.join(', ')}`);
  return found;
}

/** The verbs and tools that messages may use, and their short names; docs/sacp.md. */
export class SacpLibrary extends MemoryHandle {
  /** Parses the document of a library. E1001, E1003, E1004, E4001 or E5001 with the byte at fault. */
  constructor(document: Json) {
    super(native.library_new!(jsonText(document), undefined) as Native);
  }
}

/** Checks, completes and converts SACP messages: a goal, a context and a plan of steps. */
export class Sacp extends MemoryHandle {
  /** Makes a checker. */
  constructor(library: SacpLibrary) {
    super(native.sacp_new!(handleOf(library, SacpLibrary, 'library')) as Native);
  }

  /** Checks whether a message can be run. */
  check(message: Json, options: CheckOptions = {}): Verdict {
    return this.#verdict(native.sacp_check!(this[kHandle], jsonText(message), options.lenient ? 1 : 0) as NativeVerdict);
  }

  /** Checks the reply of an agent of a role; `outFmt` is that of the message that it answers (default raw). */
  checkReply(reply: Text, role: string, options: CheckOptions & { outFmt?: 'raw' | 'human' | 'summary' | undefined } = {}): Verdict {
    const outFmt = numberIn(formats, options.outFmt ?? 'raw', 'out_fmt');
    return this.#verdict(native.sacp_check_reply!(this[kHandle], reply, role, outFmt, options.lenient ? 1 : 0) as NativeVerdict);
  }

  /** Checks the document of a library, with SACP's own codes. */
  checkLibrary(document: Json): Verdict {
    return this.#verdict(native.sacp_check_library!(this[kHandle], jsonText(document)) as NativeVerdict);
  }

  /**
   * Completes a plan: a missing param comes from the context, from an earlier step, or from new steps. Returns the message with full
   * names, and the verdict on it.
   *
   * @param options  `beside`: steps that do not depend on each other run in parallel.
   */
  plan(message: Json, options: { beside?: boolean | undefined } = {}): { message: string; verdict: Verdict } {
    let text: string;
    try {
      text = native.sacp_plan!(this[kHandle], jsonText(message), options.beside ? 1 : 0) as string;
    } catch (error) {
      if (!(error instanceof AccpError) || error.status < 1000) throw error;
      return { message: '', verdict: this.#verdict(native.sacp_verdict!(this[kHandle]) as NativeVerdict) };
    }
    return { message: text, verdict: this.check(text) };
  }

  /** Returns a message in its canonical form, with its names as they are, full or brief. */
  spell(message: Json, spelling: 'as-is' | 'full' | 'brief' = 'as-is'): string {
    return native.sacp_spell!(this[kHandle], jsonText(message), numberIn(spellings, spelling, 'spelling')) as string;
  }

  /** Returns the last verdict as JSON, byte for byte as in the specification. */
  verdictText(): string {
    return native.sacp_print_verdict!(this[kHandle]) as string;
  }

  /** Groups messages, one per line, into threads by msg_id and reply_to; accp/sacp.h has the members. */
  thread(lines: Text): Record<string, unknown>[] {
    return JSON.parse(native.sacp_thread!(this[kHandle], lines, 0) as string) as Record<string, unknown>[];
  }

  /** Converts SACP to a message of ours, for {@link Session.send} and {@link Codec.encode}. */
  toMessage(text: Json, agent: string): string {
    return native.sacp_to_message!(this[kHandle], jsonText(text), agent) as string;
  }

  /** Converts a message of ours back to SACP. */
  fromMessage(message: Json): string {
    return native.sacp_from_message!(this[kHandle], jsonText(message)) as string;
  }

  /** Returns the prompt that makes a model act as an agent. */
  prompt(agent: string, verbs: readonly string[], tools: readonly string[], message: Json = ''): string {
    return native.sacp_print_prompt!(this[kHandle], agent, verbs.join('\n'), tools.join('\n'), jsonText(message)) as string;
  }

  /** Returns the protocol in short, with the verbs and tools of the library, for a model. */
  specification(): string {
    return native.sacp_print_specification!(this[kHandle]) as string;
  }

  #verdict({ answer, needCount, code, ...rest }: NativeVerdict): Verdict {
    const needs = Array.from({ length: needCount }, (_, index) => native.sacp_need!(this[kHandle], index) as string);
    return { answer: answers[answer] ?? 'ERR', isValid: answer === 0, code, ...rest, needs };
  }
}

/** The document of a registry with the schemas by which SACP messages are sent by position. */
export function sacpRegistry(): string {
  return native.sacp_registry!() as string;
}

type NativeVerdict = { answer: number; code: string | undefined; offset: number; details: string; step: string; needCount: number };
