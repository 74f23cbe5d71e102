// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { wrongArgument } from './error.js';
import { formNumber, type MessageForm } from './forms.js';
import { handleOf, jsonText, kHandle, MemoryHandle, milliseconds, type Json, type SignalOptions, type Text, type TimeOptions } from './handle.js';
import { native, run, type Native } from './native.js';
import { withConfig, type Options } from './options.js';

/** How much a packet contains: 100, 400 or 800 tokens of prompt, unless there is another budget. */
export type PacketDepth = 'minimal' | 'standard' | 'deep';

/** What a packet is made of. */
export interface PacketRequest extends TimeOptions {
  /** The task of the worker. */
  task: string;
  /** The conversation: our messages, one per line, or a text in another form. */
  conversation?: Json | undefined;
  /** The form of the conversation; absent: our messages. */
  form?: MessageForm | undefined;
  /** Source files, of which those of the task are taken. */
  code?: PacketCode | undefined;
  /** Default: standard. */
  depth?: PacketDepth | undefined;
  /** The budget in tokens of the prompt, apart from the task; absent: that of the depth. */
  budgetTokens?: number | undefined;
  /**
   * What the caller knows already: members of a packet's context, as an object, YAML or JSON, each optional. An item may have a `quote` of the
   * conversation. Items of a kind replace what the rules find of it. See {@link ContextPacket.report}.
   */
  items?: Text | object | undefined;
  /** Fail with E2003 if a given item, or a plain demand or decision of a user, does not fit into the budget. */
  strictBudget?: boolean | undefined;
  /** Default: "accp". */
  creator?: string | undefined;
}

/** What a packet of a session is made of, beside the session. */
export interface SessionPacketRequest extends Omit<PacketRequest, 'task' | 'conversation' | 'form'>, SignalOptions {
  /** The task; absent: the first request of the session. */
  task?: string | undefined;
  /** Limits and tokenizer of the packet. */
  options?: Options | undefined;
}

/** A given item: the list that it is in, and its number there, from 1. */
export interface GivenItem {
  list: string;
  number: number;
}

/** What became of given items. */
export interface PacketReport {
  /** Not part of the packet: there is no room, or it repeats another. */
  dropped: (GivenItem & { why: string; repeats?: string })[];
  /** Part of the packet, but the conversation does not have the quote. */
  unverified: (GivenItem & { quote: string })[];
  /** A user later said the text against it. Rules find this: ask which one holds. */
  contradicted: (GivenItem & { place: string; text: string })[];
}

/** Layers of a packet. A worker starts with the goals and requests more. */
export type PacketLayer = 'goals' | 'decisions' | 'codebase' | 'history';

const depths: readonly PacketDepth[] = ['minimal', 'standard', 'deep'];
const layerBits: Readonly<Record<PacketLayer, number>> = { goals: 1, decisions: 2, codebase: 4, history: 8 };

/** @internal */
export function depthNumber(depth: PacketDepth = 'standard'): number {
  const number = depths.indexOf(depth);
  if (number < 0) throw wrongArgument('', `there is no depth '${String(depth)}'; there are ${depths.join(', ')}`);
  return number;
}

/** @internal */
export function packetRequest(request: Omit<Partial<PacketRequest>, 'depth' | 'task'> & { task?: string | undefined; depth: number }): unknown[] {
  return [
    request.task ?? '',
    request.conversation === undefined ? '' : jsonText(request.conversation),
    request.form === undefined ? 0 : formNumber(request.form),
    request.depth,
    request.budgetTokens ?? 0,
    request.creator ?? '',
    milliseconds(request.now),
    request.code === undefined ? undefined : handleOf(request.code, PacketCode, 'code'),
    request.items === undefined ? '' : typeof request.items === 'string' || request.items instanceof Uint8Array ? request.items : JSON.stringify(request.items),
    request.strictBudget === true ? 1 : 0,
  ];
}

/** A packet: what a worker must know before a task. It is empty until something is parsed or generated; docs/packets.md. */
export class ContextPacket extends MemoryHandle {
  /** Makes an empty packet. It uses limits and tokenizer. */
  constructor(options?: Options) {
    super(withConfig(options, (config) => native.packet_new!(config) as Native, 'new ContextPacket()'));
  }

  /**
   * Parses YAML or JSON. E1001: not a packet, or a wrong checksum.
   *
   * @param options  `unverified`: accept a wrong checksum.
   */
  static parse(text: Text, options: Options & { unverified?: boolean | undefined } = {}): ContextPacket {
    const { unverified, ...rest } = options;
    const packet = new ContextPacket(rest);
    native.packet_parse!(packet[kHandle], text, unverified ? 1 : 0);
    return packet;
  }

  /**
   * Makes a packet from a conversation, from source files, or from both. The same input gives the same packet.
   *
   * What has no room in the budget is counted in `not_included`; E2003 if the budget is smaller than a packet without items.
   */
  static generate(request: PacketRequest, options?: Options): ContextPacket {
    const packet = new ContextPacket(options);
    native.packet_generate!(packet[kHandle], packetRequest({ ...request, depth: depthNumber(request.depth) }));
    return packet;
  }

  /** As {@link generate}, on another thread. */
  static async generateAsync(request: PacketRequest & SignalOptions, options?: Options): Promise<ContextPacket> {
    const packet = new ContextPacket(options);
    await run('packet_generate', packet[kHandle], [packetRequest({ ...request, depth: depthNumber(request.depth) })], request.signal);
    return packet;
  }

  /** What became of the given items of this packet; absent without them. */
  get report(): PacketReport | undefined {
    const text = native.packet_print_report!(this[kHandle]) as string;
    return text === '' ? undefined : (JSON.parse(text) as PacketReport);
  }

  /** The packet as YAML. ERR_ARG for an empty packet, as of all that follow. */
  toYaml(): string {
    return native.packet_print_yaml!(this[kHandle]) as string;
  }

  /** The packet as JSON text. */
  toJsonText(): string {
    return native.packet_print_json!(this[kHandle]) as string;
  }

  /** The packet as an object, also for JSON.stringify(). */
  toJSON(): Record<string, unknown> {
    return JSON.parse(this.toJsonText()) as Record<string, unknown>;
  }

  /** The Markdown that the model of the worker reads: all of it, or some layers. */
  toPrompt(layers?: readonly PacketLayer[]): string {
    if (layers === undefined) return native.packet_print_prompt!(this[kHandle]) as string;
    return native.packet_print_layers!(this[kHandle], layerBitsOf(layers)) as string;
  }

  /** The tokens of the prompt of some layers. */
  layerTokens(layers: readonly PacketLayer[]): number {
    return native.packet_layer_tokens!(this[kHandle], layerBitsOf(layers)) as number;
  }

  /** The tokens of the prompt; 0 for an empty packet. */
  get tokens(): number {
    return native.packet_tokens!(this[kHandle]) as number;
  }

  /** The correct checksum, "sha256:…"; empty for an empty packet. */
  get checksum(): string {
    return native.packet_checksum!(this[kHandle]) as string;
  }

  /** Warnings, as bits: 1 no checksum, 2 another token count, 4 a wrong checksum, 8 dropped items. */
  get warnings(): number {
    return native.packet_warnings!(this[kHandle]) as number;
  }

  /** Sets checksum, token count and tokenizer. */
  seal(): void {
    native.packet_seal!(this[kHandle]);
  }

  /**
   * Removes what is not relevant to a task (absent: to its own), by words and topics.
   *
   * @param threshold  The minimum score, from 0 to 1; absent: 0.07.
   */
  filter(task = '', threshold = 0): void {
    native.packet_filter!(this[kHandle], task, threshold);
  }

  /** Shortens all but the newest decisions, failures and pivots: `recent` stay, `older` become one line, the rest a word. */
  fade(recent: number, older: number): void {
    native.packet_fade!(this[kHandle], recent, older);
  }

  /** Replaces files of one folder with the same summary by one pattern; at least minFiles (default 3) must have it. */
  extractPatterns(minFiles = 0): void {
    native.packet_extract_patterns!(this[kHandle], minFiles);
  }

  /** Merges decisions about parts of one thing. */
  mergeDecisions(): void {
    native.packet_merge_decisions!(this[kHandle]);
  }

  /** Makes this packet the next version of another one. */
  revise(old: ContextPacket, note: string): void {
    native.packet_revise!(this[kHandle], handleOf(old, ContextPacket, 'old'), note);
  }

  /** Returns the difference to an older packet. */
  diff(old: ContextPacket): Record<string, unknown> {
    return JSON.parse(native.packet_print_diff!(this[kHandle], handleOf(old, ContextPacket, 'old')) as string) as Record<string, unknown>;
  }

  /** Returns the files that have changed since the packet was made from code. */
  staleFiles(code: PacketCode): string[] {
    return linesOf(native.packet_stale_files!(this[kHandle], handleOf(code, PacketCode, 'code')) as string);
  }

  /** Returns unknown members that look like a misspelt one: "context.constrains constraints". */
  misspeltMembers(): string[] {
    return linesOf(native.packet_misspelt_members!(this[kHandle]) as string);
  }
}

function layerBitsOf(layers: readonly PacketLayer[]): number {
  return layers.reduce((sum, one) => {
    const bit = layerBits[one];
    if (bit === undefined) throw wrongArgument('', `there is no layer '${String(one)}'; there are ${Object.keys(layerBits).join(', ')}`);
    return sum | bit;
  }, 0);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** An index of source files, from which a packet selects those of a task. It does not keep their texts. */
export class PacketCode extends MemoryHandle {
  /**
   * Makes an index.
   *
   * @param path  The file of an index on disk, which is created if it does not exist; absent: in memory.
   */
  constructor(path?: string, options?: Options) {
    super(
      withConfig(
        options,
        (config) => (path === undefined ? (native.packet_code_new!(config) as Native) : (native.packet_code_new_on_disk!(path, config) as Native)),
        'new PacketCode()',
      ),
    );
  }

  /** Adds a file, or replaces the one with this path. */
  add(path: string, text: Text): void {
    native.packet_code_add!(this[kHandle], path, text);
  }

  /** Removes a file. E2001 if there is none with this path. */
  remove(path: string): void {
    native.packet_code_remove!(this[kHandle], path);
  }

  /** The number of files. */
  get count(): number {
    return native.packet_code_count!(this[kHandle]) as number;
  }

  /** The paths of all files, sorted by bytes. */
  paths(): string[] {
    const text = native.packet_code_paths!(this[kHandle]) as string;
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  /** Writes all changes to the disk. No effect in memory. */
  sync(): void {
    native.packet_code_sync!(this[kHandle]);
  }
}

/** The answer to a question about packets. */
export interface PacketAnswer {
  answer: string;
  sources: Record<string, unknown>[];
}

/** A collection of packets that answers questions. */
export class PacketIndex extends MemoryHandle {
  /** Makes an empty index. */
  constructor(options?: Options) {
    super(withConfig(options, (config) => native.packet_index_new!(config) as Native, 'new PacketIndex()'));
  }

  /** Adds the current content of a packet, unless it is present. */
  add(packet: ContextPacket): void {
    native.packet_index_add!(this[kHandle], handleOf(packet, ContextPacket, 'packet'));
  }

  /** The number of packets. */
  get count(): number {
    return native.packet_index_count!(this[kHandle]) as number;
  }

  /**
   * Answers a question in English from the packets. E2001 if they have no answer.
   *
   * @param from  A checksum: only that packet and those that it refers to; absent: all.
   */
  query(question: string, from = ''): PacketAnswer {
    return JSON.parse(native.packet_index_query!(this[kHandle], question, from) as string) as PacketAnswer;
  }
}
