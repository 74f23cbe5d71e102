// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { kindOf, wrongArgument } from './error.js';
import { formNumber, type MessageForm, type ProviderForm } from './forms.js';
import { Handle, handleOf, jsonText, kHandle, milliseconds, stringify, type CallOptions, type Json, type SignalOptions, type Text, type Time, type TimeOptions } from './handle.js';
import { statuses } from './names.generated.js';
import { native, run, type Native } from './native.js';
import { ContextPacket, depthNumber, packetRequest, type SessionPacketRequest } from './packet.js';
import { Registry } from './registry.js';

/**
 * Where a frame or message came from. Pass it with everything that comes in, if there is more than one peer or if a peer could
 * send under the names of others. Identify the peer by its connection, never by what it sent; docs/security.md.
 */
export interface Peer {
  /** The names that it may use as agent; "*": any name but the host's own (of an untrusted peer also none of a role such as "user"). */
  agents: readonly string[];
  /** Its content is data and no instruction. */
  untrusted?: boolean | undefined;
}

/** Options of calls with content from a peer. */
export interface FromOptions extends CallOptions {
  /** Default: the host itself, or for {@link Session.receive} a trusted peer with any name but the host's own. */
  peer?: Peer | undefined;
}

/** Options of contexts. */
export interface ContextOptions extends SignalOptions {
  /** The maximum of tokens; 0 or absent: no limit. E2003 if less than the host's first messages and the first request have. */
  budgetTokens?: number | undefined;
}

/** The text that a model should get instead of the history. */
export interface Context {
  text: string;
  tokens: number;
}

/** A part of a context's text; all parts in order are the text. */
export interface ContextBlock {
  kind: 'pinned' | 'gap' | 'closed' | 'open' | 'newest' | 'values';
  /** The next context is expected to begin with everything up to the end of this block: put a cache mark after the last such block. */
  isStable: boolean;
  /** Of a closed block the newest checkpoint in it; else 0. */
  checkpoint: number;
  tokens: number;
  /** The record since which it is unchanged; 0 for a gap and for values. */
  since: number;
  text: string;
}

/** A context as messages for a provider. */
export class ContextMessages {
  #parsed: { system?: unknown; messages: Record<string, unknown>[] } | undefined;

  /** @internal */
  constructor(
    /** The form of the messages. */
    readonly form: ProviderForm,
    /** JSON, as it can be put into a request: for openai the array of messages; for anthropic an object with system and messages. */
    readonly json: string,
    /** The tokens of the texts. */
    readonly tokens: number,
  ) {}

  #parse(): { system?: unknown; messages: Record<string, unknown>[] } {
    if (this.#parsed === undefined) {
      const value = JSON.parse(this.json) as Record<string, unknown>[] | { system?: unknown; messages: Record<string, unknown>[] };
      this.#parsed = Array.isArray(value) ? { messages: value } : value;
    }
    return this.#parsed;
  }

  /** The messages, parsed when they are first read. Those that were appended and are shown whole have the bytes of then in {@link json}. */
  get messages(): Record<string, unknown>[] {
    return this.#parse().messages;
  }

  /** For anthropic the system prompt, if there is one. */
  get system(): unknown {
    return this.#parse().system;
  }
}

/** The result of {@link Session.appendHistory}. */
export interface HistoryReport {
  /** Messages in the list. */
  count: number;
  /** Messages at the front that the session had already. */
  same: number;
  /** Messages that were appended, to the session or to its branch. */
  added: number;
  /** The first item of the list that differs, from 0; 0 if none does. */
  item: number;
  /** The record of the session that differs; 0 if none does. */
  record: number;
  /** The branch has the list now, and the session is unchanged: open the branch and use it. */
  isBranched: boolean;
}

/** A message, or a notice that one is missing. */
export class Delivery {
  #message: Record<string, unknown> | undefined;

  /** @internal */
  constructor(
    /** "OK": a message. "E3001": a request was not answered in time. "E3003": frames are missing or one is lost. Others: a frame was rejected. */
    readonly code: string,
    /** JSON of the message; empty if it is none. */
    readonly json: string,
    readonly mid: string,
    readonly cid: string,
    /** The seq of the frame; for E3001 the record of the request, for {@link Session.retry}. */
    readonly seq: number,
    readonly isUntrusted: boolean,
    /** Why it is no message; undefined for a message. */
    readonly reason: string | undefined,
    /** Warnings, as bits (docs/codec.md). */
    readonly warnings: number,
  ) {}

  /** The message, parsed when it is first read: agent, intent, operation, payload, meta. Undefined if it is none. */
  get message(): Record<string, unknown> | undefined {
    if (this.json !== '') this.#message ??= JSON.parse(this.json) as Record<string, unknown>;
    return this.#message;
  }
}

/** A record of a session's log. */
export interface LogRecord {
  /** A letter: "M" a message, "R" a received frame, "S" a sent frame; accp/session.h has all. */
  kind: string;
  timeMs: number;
  /** The frame or message, byte for byte. */
  text: string;
}

/**
 * Used and maximum tokens of the context as one text, without a limit: `totalUsed` is the `tokens` of {@link Session.context}. What is
 * left out counts as its line. The system prompt and tools of the host do not count (the rule `hostTokens`), and a request has the
 * tokens of {@link Session.contextMessages}.
 */
export interface Budget {
  /** Messages that are not pinned, as the context has them, and values in hot. */
  hotUsed: number;
  /** The rule `hotMax`. */
  hotMax: number;
  /** Pinned messages (the first ones) and checkpoints, and values in warm. */
  warmUsed: number;
  /** The most that checkpoints may have, and what the pinned messages have. */
  warmMax: number;
  /** Both. */
  totalUsed: number;
  totalMax: number;
}

/** The outcome of the message that was sent last. */
export interface Outcome {
  /** How many frames it took. */
  parts: number;
  /** How many of its values were replaced by references. */
  kept: number;
  /** Warnings, as bits (docs/codec.md). */
  warnings: number;
}

/** What became of a received frame: it was applied, it waits for an earlier one, or it has expired or was cancelled (do not answer). */
export type Receipt = 'applied' | 'held' | 'dropped';

const blockKinds = ['pinned', 'gap', 'closed', 'open', 'newest', 'values'] as const;
const receipts: readonly Receipt[] = ['applied', 'dropped', 'held'];

type NativeBlock = [kind: number, isStable: number, checkpoint: number, tokens: number, since: number, text: string];
type NativeDelivery = [status: number, origin: number, seq: number, message: string, mid: string, cid: string, reason: string | undefined, warnings: number];

function peerOf(peer: Peer | undefined): [agents: string, origin: number] | undefined {
  if (peer === undefined) return undefined;
  if (typeof peer !== 'object' || peer === null || !Array.isArray(peer.agents)) throw wrongArgument('', `a peer must be an object with a list of agents, not ${kindOf(peer)}`);
  for (const name of peer.agents as unknown[]) {
    if (typeof name !== 'string' || name === '' || name.includes(',')) throw wrongArgument('', 'each agent of a peer must be a name without a comma');
  }
  return [peer.agents.join(','), peer.untrusted ? 1 : 0];
}

function blockOf([kind, isStable, checkpoint, tokens, since, text]: NativeBlock): ContextBlock {
  return { kind: blockKinds[kind] ?? 'open', isStable: isStable !== 0, checkpoint, tokens, since, text };
}

function deliveryOf([status, origin, seq, message, mid, cid, reason, warnings]: NativeDelivery): Delivery {
  return new Delivery(statuses.get(status)?.code ?? String(status), message, mid, cid, seq, origin !== 0, reason, warnings);
}

const expiry = (time: Time | undefined): number => (time === undefined ? 0 : milliseconds(time));

/**
 * A conversation, or one side of a talk between agents. It keeps every message, and makes the context for a model. {@link Engine.open}
 * opens it.
 *
 * Calls that may wait for the store return a promise. Calls on one session run one after the other, in the order in which they were
 * made, on a thread of libuv's pool. A call whose name ends in Sync runs at once on this thread; it fails with ERR_BUSY while a promise
 * of the session has not settled.
 */
export class Session extends Handle {
  /** The id of the session. */
  readonly id: string;

  /** @internal */
  constructor(handle: Native, id: string) {
    super(handle);
    this.id = id;
  }

  // ---- what a model reads -------------------------------------------------------------------------------------------------------

  /**
   * Appends messages in the form of a provider or of a file, and returns how many records they became. Texts are kept byte for byte.
   *
   * @param messages  One message, a list, the body of a request, or JSON or a file of these.
   *
   * E1001 or E1004 with the byte at fault: nothing was appended. E5001: the peer may not send one of them.
   */
  async appendMessages(form: MessageForm, messages: Json, options: FromOptions = {}): Promise<number> {
    return run('session_append_messages_from', this[kHandle], [jsonText(messages), formNumber(form), milliseconds(options.now), peerOf(options.peer)], options.signal);
  }

  /** As {@link appendMessages}, without a promise. */
  appendMessagesSync(form: MessageForm, messages: Json, options: Omit<FromOptions, 'signal'> = {}): number {
    return native.session_append_messages_from!(this[kHandle], jsonText(messages), formNumber(form), milliseconds(options.now), peerOf(options.peer)) as number;
  }

  /**
   * Appends those messages of a complete list that the session does not have yet. A host that holds the list passes all of it each
   * time, as it does with a provider.
   *
   * @param form     undefined: our own messages, as {@link append} takes them.
   * @param options  `branch`: the id of another session of the store. If the list differs from the session, the branch gets a copy of
   *                 what is equal and the rest of the list; open it and use it instead.
   *
   * E3003 if the list differs and there is no branch: nothing was appended; `record` is the item that differs, from 0. The same call
   * fails again, so `isRetryable` is false.
   */
  async appendHistory(form: MessageForm | undefined, messages: Json, options: FromOptions & { branch?: string | undefined } = {}): Promise<HistoryReport> {
    const values = [jsonText(messages), form === undefined ? 0 : formNumber(form), milliseconds(options.now), [options.branch ?? '', peerOf(options.peer)]];
    return run('session_append_history', this[kHandle], values, options.signal);
  }

  /** As {@link appendHistory}, without a promise. */
  appendHistorySync(form: MessageForm | undefined, messages: Json, options: Omit<FromOptions, 'signal'> & { branch?: string | undefined } = {}): HistoryReport {
    const more = [options.branch ?? '', peerOf(options.peer)];
    return native.session_append_history!(this[kHandle], jsonText(messages), form === undefined ? 0 : formNumber(form), milliseconds(options.now), more) as HistoryReport;
  }

  /** Appends one of our own messages (agent, intent, operation, payload), such as a user's message or the result of a tool. */
  async append(message: Json, options: FromOptions = {}): Promise<void> {
    return run('session_append_from', this[kHandle], [jsonText(message), milliseconds(options.now), peerOf(options.peer)], options.signal);
  }

  /** As {@link append}, without a promise. */
  appendSync(message: Json, options: Omit<FromOptions, 'signal'> = {}): void {
    native.session_append_from!(this[kHandle], jsonText(message), milliseconds(options.now), peerOf(options.peer));
  }

  /**
   * Returns the context as messages for a provider's request. A message in it has the bytes that were appended; a result that is left
   * out is a line with its reference, by which the model can fetch it (see {@link resolveTool}). Until results are left out, each
   * context begins with the previous one, so the provider's cache stays warm.
   */
  async contextMessages(form: ProviderForm, options: ContextOptions = {}): Promise<ContextMessages> {
    const [json, tokens] = await run<[string, number]>('session_context_messages', this[kHandle], [formNumber(form), options.budgetTokens ?? 0], options.signal);
    return new ContextMessages(form, json, tokens);
  }

  /** As {@link contextMessages}, without a promise. */
  contextMessagesSync(form: ProviderForm, options: Omit<ContextOptions, 'signal'> = {}): ContextMessages {
    const [json, tokens] = native.session_context_messages!(this[kHandle], formNumber(form), options.budgetTokens ?? 0) as [string, number];
    return new ContextMessages(form, json, tokens);
  }

  /** Returns the context as one text. */
  async context(options: ContextOptions = {}): Promise<Context> {
    const [text, tokens] = await run<[string, number]>('session_context', this[kHandle], [options.budgetTokens ?? 0], options.signal);
    return { text, tokens };
  }

  /** As {@link context}, without a promise. */
  contextSync(options: Omit<ContextOptions, 'signal'> = {}): Context {
    const [text, tokens] = native.session_context!(this[kHandle], options.budgetTokens ?? 0) as [string, number];
    return { text, tokens };
  }

  /** Returns the text of {@link context} as blocks, the most stable first. */
  async contextBlocks(options: ContextOptions = {}): Promise<ContextBlock[]> {
    return (await run<NativeBlock[]>('session_context_blocks', this[kHandle], [options.budgetTokens ?? 0], options.signal)).map(blockOf);
  }

  /** Explains the context page by page: what each message costs, whether it is in the context, and why; accp/context.h has the members. */
  async contextPages(options: SignalOptions = {}): Promise<Record<string, unknown>> {
    return JSON.parse(await run<string>('session_context_pages', this[kHandle], [], options.signal)) as Record<string, unknown>;
  }

  /**
   * Returns the result of a call of the tool "resolve" ({@link resolveTool}), at most about 64 KiB. A mistake of the model is a result
   * too, "error: …", so that the model can correct it.
   *
   * @param args  The arguments from the model: `{"ref":"$cold.m19"}`, optionally with "lines" or "query".
   */
  async answer(args: Json, options: CallOptions = {}): Promise<string> {
    return run('session_answer', this[kHandle], [jsonText(args), milliseconds(options.now)], options.signal);
  }

  /** As {@link answer}, without a promise. */
  answerSync(args: Json, options: TimeOptions = {}): string {
    return native.session_answer!(this[kHandle], jsonText(args), milliseconds(options.now)) as string;
  }

  /** Makes a checkpoint, as at the end of a phase. */
  async checkpoint(options: CallOptions = {}): Promise<void> {
    return run('session_checkpoint', this[kHandle], [milliseconds(options.now)], options.signal);
  }

  // ---- values by name -----------------------------------------------------------------------------------------------------------

  /**
   * Returns the value of a reference, such as "$cold.m19" (the message of record 19) or one of {@link put}, "$warm.plan". "cold.m19", ".m19" and "m19" are
   * accepted too. E2001 if it does not exist,
   * E2002 if it has expired.
   *
   * @param options  `owner`: the id of another session that granted access to its values (E5002 without a grant).
   */
  async resolve(ref: string, options: CallOptions & { owner?: string | undefined } = {}): Promise<unknown> {
    return JSON.parse(await this.resolveText(ref, options)) as unknown;
  }

  /** As {@link resolve}, as JSON text: exact for every number. */
  async resolveText(ref: string, options: CallOptions & { owner?: string | undefined } = {}): Promise<string> {
    return run('session_resolve', this[kHandle], [ref, options.owner ?? '', milliseconds(options.now)], options.signal);
  }

  /** As {@link resolve}, without a promise. */
  resolveSync(ref: string, options: TimeOptions & { owner?: string | undefined } = {}): unknown {
    return JSON.parse(native.session_resolve!(this[kHandle], ref, options.owner ?? '', milliseconds(options.now)) as string) as unknown;
  }

  /**
   * Stores a value under a name in the tier hot, warm, cold or ctx ("warm.plan"), or replaces it. Values in hot and warm are at the end
   * of each context.
   *
   * @param value    Anything that JSON.stringify() can write.
   * @param options  `expires`: the time at which it expires; absent: never.
   */
  async put(ref: string, value: unknown, options: SignalOptions & { expires?: Time | undefined } = {}): Promise<void> {
    return this.putText(ref, stringify(value), options);
  }

  /** As {@link put}, with the value as JSON text. */
  async putText(ref: string, json: Text, options: SignalOptions & { expires?: Time | undefined } = {}): Promise<void> {
    return run('session_put', this[kHandle], [ref, json, expiry(options.expires)], options.signal);
  }

  /** As {@link put}, without a promise. */
  putSync(ref: string, value: unknown, options: { expires?: Time | undefined } = {}): void {
    native.session_put!(this[kHandle], ref, stringify(value), expiry(options.expires));
  }

  /** Removes a value of {@link put}, if there is one. */
  async remove(ref: string, options: SignalOptions = {}): Promise<void> {
    return run('session_remove', this[kHandle], [ref], options.signal);
  }

  /** Lets another session read the values whose names begin with a prefix ("" : all). */
  async addGrant(grantee: string, prefix: string, options: SignalOptions & { expires?: Time | undefined } = {}): Promise<void> {
    return run('session_add_grant', this[kHandle], [grantee, prefix, expiry(options.expires)], options.signal);
  }

  /** Removes the grant with exactly this grantee and prefix, if there is one. */
  async removeGrant(grantee: string, prefix: string, options: SignalOptions = {}): Promise<void> {
    return run('session_remove_grant', this[kHandle], [grantee, prefix], options.signal);
  }

  // ---- frames between agents ----------------------------------------------------------------------------------------------------

  /** Makes and stores the frame of a message. Send it unchanged; over max_tokens with the rule parts it is several lines. */
  async send(message: Json, options: CallOptions = {}): Promise<string> {
    return run('session_send', this[kHandle], [jsonText(message), milliseconds(options.now)], options.signal);
  }

  /** As {@link send}, without a promise. */
  sendSync(message: Json, options: TimeOptions = {}): string {
    return native.session_send!(this[kHandle], jsonText(message), milliseconds(options.now)) as string;
  }

  /** Makes and stores the frame of an answer. It gets the cid, the operation and the mid of the request. */
  async reply(request: Json | Delivery, answer: Json, options: CallOptions = {}): Promise<string> {
    const of = request instanceof Delivery ? request.json : jsonText(request);
    return run('session_reply', this[kHandle], [of, jsonText(answer), milliseconds(options.now)], options.signal);
  }

  /**
   * Receives a frame. {@link deliveries} returns its message. A frame that is rejected is an error: E1001 grammar, E3002 a known mid,
   * E3003 a gap, E5001 an agent that the peer may not use, and others (docs/session.md).
   */
  async receive(frame: Text, options: FromOptions = {}): Promise<Receipt> {
    return receipts[await run<number>('session_receive', this[kHandle], [frame, milliseconds(options.now), peerOf(options.peer)], options.signal)]!;
  }

  /** As {@link receive}, without a promise. */
  receiveSync(frame: Text, options: Omit<FromOptions, 'signal'> = {}): Receipt {
    return receipts[native.session_receive!(this[kHandle], frame, milliseconds(options.now), peerOf(options.peer)) as number]!;
  }

  /** Returns what was delivered since the last call, in order. */
  async deliveries(): Promise<Delivery[]> {
    return (await run<NativeDelivery[]>('session_deliveries', this[kHandle], [])).map(deliveryOf);
  }

  /** As {@link deliveries}, without a promise. */
  deliveriesSync(): Delivery[] {
    return (native.session_deliveries!(this[kHandle]) as NativeDelivery[]).map(deliveryOf);
  }

  /** Ends the waiting of requests whose deadline has passed (rule deadlineMs), and closes gaps; {@link deliveries} reports them. */
  async expire(options: CallOptions = {}): Promise<void> {
    return run('session_expire', this[kHandle], [milliseconds(options.now)], options.signal);
  }

  /** Returns the earliest deadline; undefined if nothing waits. */
  async nextDeadline(options: SignalOptions = {}): Promise<Date | undefined> {
    const ms = await run<number>('session_next_deadline', this[kHandle], [], options.signal);
    return ms >= 8.64e15 ? undefined : new Date(ms);
  }

  /** Makes the frame that sends one of our frames again. */
  async retry(record: number, options: CallOptions = {}): Promise<string> {
    return run('session_retry', this[kHandle], [record, milliseconds(options.now)], options.signal);
  }

  /** Drops the held parts of incomplete messages of a chain ("": of all chains). */
  async removeParts(cid: string, options: CallOptions = {}): Promise<void> {
    return run('session_remove_parts', this[kHandle], [cid, milliseconds(options.now)], options.signal);
  }

  /** Whether a chain was cancelled. Check it before long work on a request. */
  async isCancelled(cid: string, options: SignalOptions = {}): Promise<boolean> {
    return (await run<number>('session_is_cancelled', this[kHandle], [cid], options.signal)) !== 0;
  }

  /** Returns the outcome of the message that was sent last. */
  async outcome(options: SignalOptions = {}): Promise<Outcome> {
    return run('session_outcome', this[kHandle], [], options.signal);
  }

  /** Sets the state that both sides share, and returns the frame that sends the changes; empty if nothing changed. */
  async sendState(agent: string, state: Json, options: CallOptions = {}): Promise<string> {
    return run('session_send_state', this[kHandle], [agent, jsonText(state), milliseconds(options.now)], options.signal);
  }

  /** Returns the state that both sides share, and its version; 0 before the first state. */
  async state(options: SignalOptions = {}): Promise<{ state: unknown; version: number }> {
    const [text, version] = await run<[string, number]>('session_state', this[kHandle], [], options.signal);
    return { state: text === '' ? undefined : (JSON.parse(text) as unknown), version };
  }

  // ---- packets ------------------------------------------------------------------------------------------------------------------

  /** Makes a packet of the session: what another worker must know of it. Without a task it is for the first request. */
  async generatePacket(request: SessionPacketRequest = {}): Promise<ContextPacket> {
    const packet = new ContextPacket(request.options);
    await run('session_generate_packet', this[kHandle], [packetRequest({ ...request, depth: depthNumber(request.depth) }), packet[kHandle]], request.signal);
    return packet;
  }

  /** Stores a packet in the session, and returns the members for the payload of a message that carries it. */
  async putPacket(packet: ContextPacket, options: SignalOptions = {}): Promise<Record<string, unknown>> {
    return JSON.parse(await run<string>('session_put_packet', this[kHandle], [handleOf(packet, ContextPacket, 'packet')], options.signal)) as Record<string, unknown>;
  }

  /** Stores a packet, and makes the frame of a message that carries it. */
  async sendPacket(message: Json, packet: ContextPacket, options: CallOptions = {}): Promise<string> {
    const values = [jsonText(message), handleOf(packet, ContextPacket, 'packet'), milliseconds(options.now)];
    return run('session_send_packet', this[kHandle], values, options.signal);
  }

  /** Reads the packet that a received message carries. */
  async readPacket(message: Json | Delivery, options: CallOptions = {}): Promise<ContextPacket> {
    const packet = new ContextPacket();
    const text = message instanceof Delivery ? message.json : jsonText(message);
    await run('session_read_packet', this[kHandle], [text, milliseconds(options.now), packet[kHandle]], options.signal);
    return packet;
  }

  /** Answers a worker that requests more of a packet of this session, and returns the frame. */
  async replyPacket(request: Json | Delivery, agent: string, options: CallOptions = {}): Promise<string> {
    const text = request instanceof Delivery ? request.json : jsonText(request);
    return run('session_reply_packet', this[kHandle], [text, agent, milliseconds(options.now)], options.signal);
  }

  // ---- the log ------------------------------------------------------------------------------------------------------------------

  /** Returns the number of records in the log. Records are numbered from 1. */
  async recordCount(options: SignalOptions = {}): Promise<number> {
    return run('session_record_count', this[kHandle], [], options.signal);
  }

  /** As {@link recordCount}, without a promise. */
  recordCountSync(): number {
    return native.session_record_count!(this[kHandle]) as number;
  }

  /** Returns a record of the log. E2001 if there is none with this number. */
  async record(number: number, options: SignalOptions = {}): Promise<LogRecord> {
    return run('session_record', this[kHandle], [number], options.signal);
  }

  /** As {@link record}, without a promise. */
  recordSync(number: number): LogRecord {
    return native.session_record!(this[kHandle], number) as LogRecord;
  }

  /** Returns the registry that the frame of a record was written under; 0: that of the next frame. */
  async registryOf(record: number, options: SignalOptions = {}): Promise<Registry> {
    return Registry.from(await run('session_share_registry', this[kHandle], [record], options.signal));
  }

  /** Returns the number of the newest checkpoint, or 0. */
  async newestCheckpoint(options: SignalOptions = {}): Promise<number> {
    return run('session_newest_checkpoint', this[kHandle], [], options.signal);
  }

  /** Returns the used and maximum tokens of hot and warm state ({@link Budget}). */
  async budget(options: SignalOptions = {}): Promise<Budget> {
    return run('session_budget', this[kHandle], [], options.signal);
  }

  /** Waits until all changes so far are durable. Calls do that themselves, unless the rule durable is off. */
  async sync(options: SignalOptions = {}): Promise<void> {
    return run('session_sync', this[kHandle], [], options.signal);
  }

  /** Ends the session itself: from now on changes fail with ERR_CLOSED in every process. Reading still works. */
  async end(options: CallOptions = {}): Promise<void> {
    return run('session_end', this[kHandle], [milliseconds(options.now)], options.signal);
  }

  /** Closes the object after the calls that were made before. The session stays in the store. */
  async close(): Promise<void> {
    return native.close_async(this[kHandle]);
  }

  /** As {@link close}, without a promise: the object is freed when the calls before it have ended. */
  closeSync(): void {
    native.close(this[kHandle]);
  }

  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** As {@link closeSync}, for `using`. */
  [Symbol.dispose](): void {
    this.closeSync();
  }
}
