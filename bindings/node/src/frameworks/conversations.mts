// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sessions of a drop-in: one for each conversation, found by the opening of its list of messages.
import { createHash } from 'node:crypto';
import { AccpError, Engine, Store, type Session } from '../index.js';
import { fromJson, toJson } from './json.mjs';
import { MessageList, type MessageForm } from './message-list.mjs';
import type { CheckedOptions } from './options.mjs';

/** Edits of a conversation after edits of it: each is a session that is compared with the list. */
const maxBranches = 1000;
const exchangesRef = 'cold.accp_exchanges';
const newestRef = 'cold.accp_newest';

/** Hidden from the client: responses that called the tool for omitted text, and its results. */
export interface Exchange<M> {
  /** In place of the message of the model that the client has. The last one is the model's own message. */
  messages: M[];
  /** Results that belong before those of the next message. */
  results: M[];
}

class Entry {
  session: Session | undefined;
  users = 0;
  /** The messages of the list that was sent last, and those that were not sent as they are, as JSON. */
  count = 0;
  shortened = new Map<number, string>();
  /** Where messages that had been sent were shortened: the last one of each time. */
  boundaries: number[] = [];
  /** Where the list is appended and its context made, one call after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly id: string) {}

  run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.last.then(action, action);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** A list of messages as the engine sends it. `release()` ends the use of its session. */
export interface View<M> {
  readonly sessionId: string;
  readonly messages: M[];
  /** Messages that are shortened, replaced or missing. */
  readonly changed: number;
  /** Tokens of the messages. */
  readonly tokens: number;
  /** The last message that was shortened, now and before the last time that more were; the newest is the last. */
  readonly boundaries: readonly M[];
  answer(argumentsJson: string): Promise<string>;
  release(): void;
}

export class Conversations<M extends object> {
  // the least recently used one is the first
  private readonly entries = new Map<string, Entry>();
  private readonly exchanges = new Map<string, Promise<Map<string, Exchange<M>>>>();
  /** The session, perhaps a branch, that a conversation used last. */
  private readonly newest = new Map<string, string>();
  private own: { store: Store; engine: Engine } | undefined;

  constructor(
    private readonly form: MessageForm<M>,
    private readonly options: CheckedOptions,
  ) {}

  private get engine(): Engine {
    if (this.options.engine) return this.options.engine;
    if (!this.own) {
      const store = Store.openSync('memory:');
      this.own = { store, engine: new Engine({ store }) };
    }
    return this.own.engine;
  }

  /** The id of the session that a list begins with. */
  rootId(list: readonly M[], instructions = ''): string {
    return this.options.sessionId() ?? `chat-${new MessageList(list.slice(0, this.openingLength(list)), this.form).openingHash(instructions)}`;
  }

  private openingLength(list: readonly M[]): number {
    // a user's message with words; one that has only results is part of the loop of tools
    const first = list.findIndex(
      (one) => this.form.role(one) === 'user' && this.form.parts(one).some((part) => part.kind === 'text' || part.kind === 'other'),
    );
    return first < 0 ? list.length : first + 1;
  }

  /** Appends what is new in a list to its session, and returns the list to send. Release it. */
  async view(list: readonly M[], root: string): Promise<View<M>> {
    const messages = new MessageList(list, this.form);
    let id = root;
    for (let i = 0; i < maxBranches; ++i) {
      const entry = this.acquire(id);
      let made: View<M> | string;
      try {
        made = await entry.run(() => this.viewOf(entry, root, messages));
      } catch (error) {
        this.release(entry);
        throw error;
      }
      if (typeof made !== 'string') {
        const view = made;
        await this.noteNewest(root, entry.id).catch((error: unknown) => {
          view.release();
          throw error;
        });
        return view;
      }
      this.release(entry);
      id = made;
    }
    throw new Error(`libaccp: the session ${root} has ${maxBranches} branches: give each conversation an id of its own (the option sessionId).`);
  }

  private async noteNewest(root: string, id: string): Promise<void> {
    const before = this.newest.get(root);
    this.newest.set(root, id);
    // a tool that runs in another process must find a branch
    if (before !== id && (before !== undefined || id !== root)) await this.withSession(root, (session) => session.put(newestRef, id));
  }

  /** Answers a call of the tool for the session that a conversation used last. */
  async answer(root: string, argumentsJson: string): Promise<string> {
    const newest = this.newest.get(root) ?? (await this.withSession(root, (session) => valueOf(session, newestRef))) ?? root;
    return await this.answerIn(newest as string, argumentsJson);
  }

  /** Answers a call of the tool for a session. */
  async answerIn(id: string, argumentsJson: string): Promise<string> {
    return await this.withSession(id, (session) => session.answer(argumentsJson));
  }

  private async viewOf(entry: Entry, root: string, list: MessageList<M>): Promise<View<M> | string> {
    const branch = await this.branchOf(entry, root, list);
    if (branch !== undefined) return branch;
    const context = await entry.session!.contextMessages('openai', { budgetTokens: this.options.budgetTokens });
    const { messages, changed, sent } = list.apply(context.json);
    noteShortened(entry, list.messages, sent);
    let isReleased = false;
    return {
      sessionId: entry.id,
      messages,
      changed,
      tokens: context.tokens,
      boundaries: entry.boundaries.flatMap((at) => sent.get(at) ?? []),
      answer: (argumentsJson) => entry.run(() => entry.session!.answer(argumentsJson)),
      release: () => {
        if (!isReleased) this.release(entry);
        isReleased = true;
      },
    };
  }

  /** Appends the list to the session, or to a branch of it, whose id it returns; undefined: the session has the list. */
  private async branchOf(entry: Entry, root: string, list: MessageList<M>): Promise<string | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      entry.session ??= await this.engine.open(entry.id);
      try {
        await entry.session.appendHistory('openai', list.json);
        return undefined;
      } catch (error) {
        if (!(error instanceof AccpError)) throw error;
        if (error.code === 'ERR_CLOSED' && isFirst) {
          // another process, or another drop-in, has opened it since
          await entry.session.close();
          entry.session = undefined;
          continue;
        }
        if (error.code !== 'E3003') throw error;
        const hash = list.prefixHash(error.offset);
        const branch = hash === undefined ? nextRepeat(entry.id) : `${root}.${hash}`;
        if (!this.entries.has(branch)) await copy(entry.session, list.json, branch);
        return branch;
      }
    }
  }

  /** Returns what the client does not see of a conversation. */
  private exchangesOf(root: string): Promise<Map<string, Exchange<M>>> {
    let known = this.exchanges.get(root);
    if (!known) {
      known = this.loadExchanges(root);
      this.exchanges.set(root, known);
      known.catch(() => this.exchanges.delete(root));
    }
    return known;
  }

  private loadExchanges(root: string): Promise<Map<string, Exchange<M>>> {
    return this.withSession(
      root,
      async (session) => new Map(fromJson(((await valueOf(session, exchangesRef)) ?? '[]') as string) as [string, Exchange<M>][]),
    );
  }

  private async withSession<T>(id: string, action: (session: Session) => Promise<T>): Promise<T> {
    const entry = this.acquire(id);
    try {
      return await entry.run(async () => {
        for (let isFirst = true; ; isFirst = false) {
          entry.session ??= await this.engine.open(entry.id);
          try {
            return await action(entry.session);
          } catch (error) {
            if (!isFirst || !(error instanceof AccpError) || error.code !== 'ERR_CLOSED') throw error;
            await entry.session.close();
            entry.session = undefined;
          }
        }
      });
    } finally {
      this.release(entry);
    }
  }

  /** Puts what the client does not see back into its list. */
  async expand(list: readonly M[], root: string): Promise<{ messages: M[]; key: string }> {
    const exchanges = await this.exchangesOf(root);
    const messages: M[] = [];
    let results: M[] = [],
      key = '';
    for (const message of list) {
      key = this.nextKey(key, message);
      const exchange = this.form.role(message) === 'assistant' ? exchanges.get(key) : undefined;
      if (exchange) {
        messages.push(...results, ...exchange.messages);
        results = exchange.results;
      } else if (results.length > 0) {
        messages.push(...(this.form.join?.(results, message) ?? [...results, message]));
        results = [];
      } else {
        messages.push(message);
      }
    }
    return { messages: [...messages, ...results], key };
  }

  /** Keeps an exchange for the later lists of the client, in which `seen` is the message of the model. */
  async keep(root: string, key: string, seen: M, exchange: Exchange<M>): Promise<void> {
    const exchanges = await this.exchangesOf(root);
    exchanges.set(this.nextKey(key, seen), exchange);
    await this.withSession(root, (session) => session.put(exchangesRef, toJson([...exchanges])));
  }

  // Hashes the parts of a message that clients keep: its words, and the ids of calls and results.
  private nextKey(key: string, message: M): string {
    const hash = createHash('sha256').update(key).update(this.form.role(message));
    let text = '';
    for (const part of this.form.parts(message)) {
      if (part.kind === 'text') text += part.text;
      else if (part.kind === 'call') text += `\x00${part.id}`;
      else if (part.kind === 'result') text += `\x01${part.id}`;
    }
    return hash.update(text.trim()).digest('base64url').slice(0, 22);
  }

  private acquire(id: string): Entry {
    const entry = this.entries.get(id) ?? new Entry(id);
    this.entries.delete(id);
    this.entries.set(id, entry);
    ++entry.users;
    for (const one of this.entries.values()) {
      if (this.entries.size <= this.options.maxConversations) break;
      if (one.users === 0) this.close(one);
    }
    return entry;
  }

  private release(entry: Entry): void {
    --entry.users;
  }

  private close(entry: Entry): void {
    this.entries.delete(entry.id);
    this.exchanges.delete(entry.id);
    this.newest.delete(entry.id);
    const { session } = entry;
    entry.session = undefined;
    // nobody uses it, so nothing waits for it; what is in memory goes, what is in a store of the host stays
    void Promise.resolve(session?.close())
      .then(() => this.own?.store.removeSession(entry.id))
      .catch(() => undefined);
  }

  /** Closes all sessions, and the engine if it is not the host's. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.entries.values()].map((one) => one.run(async () => one.session?.close())));
    this.entries.clear();
    this.exchanges.clear();
    this.newest.clear();
    const { own } = this;
    this.own = undefined;
    await own?.engine.close();
    await own?.store.close();
  }
}

// A message that was sent whole and is not now ends what the next request has in common with this one.
function noteShortened<M extends object>(entry: Entry, list: readonly M[], sent: ReadonlyMap<number, M>): void {
  let last = -1;
  const shortened = new Map<number, string>();
  list.forEach((message, at) => {
    const made = sent.get(at);
    if (made === message) return;
    const json = made === undefined ? '' : JSON.stringify(made);
    shortened.set(at, json);
    if (at < entry.count && entry.shortened.get(at) !== json) last = at;
  });
  entry.count = list.length;
  entry.shortened = shortened;
  if (last >= 0) entry.boundaries = [...entry.boundaries.filter((at) => at !== last).slice(-1), last];
}

async function valueOf(session: Session, ref: string): Promise<unknown> {
  try {
    return await session.resolve(ref);
  } catch (error) {
    if (error instanceof AccpError && error.code === 'E2001') return undefined;
    throw error;
  }
}

// SESSION.r1, SESSION.r2, …
function nextRepeat(id: string): string {
  const found = /^(.*)\.r(\d+)$/.exec(id);
  return found ? `${found[1]}.r${Number(found[2]) + 1}` : `${id}.r1`;
}

async function copy(session: Session, json: string, branch: string): Promise<void> {
  try {
    await session.appendHistory('openai', json, { branch });
  } catch (error) {
    // the branch exists and has another list: the caller compares it
    if (!(error instanceof AccpError) || error.code !== 'E3003') throw error;
  }
}
