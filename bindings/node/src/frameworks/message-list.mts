// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A list of a framework's messages as the engine reads it, and the engine's context applied to that list. The engine
// gets a list of its own, in OpenAI's form, with ids of its own. So a message that is not shortened is the same object
// that the host passed, whatever else it has.
import { createHash } from 'node:crypto';

/** What one part of a message is to the engine. */
export type Part =
  | { kind: 'text'; text: string }
  /** A call of a tool; `arguments` is JSON. */
  | { kind: 'call'; id: string; name: string; arguments: string }
  /** The result of a call. Without `text` it has more than text: it is never shortened, and `placeholder` names it. */
  | { kind: 'result'; id: string; text?: string; placeholder?: string }
  /** Anything else that a model reads; the engine gets one line for it. */
  | { kind: 'other'; placeholder: string }
  /** What belongs to its message, and is nothing to the engine: thoughts, for example. */
  | { kind: 'skip' };

export type Role = 'system' | 'developer' | 'user' | 'assistant';

/** A part that stays: its index in the original, and the text that replaces its own, if any. */
export interface Kept {
  index: number;
  text?: string;
}

/** How to read and rebuild the messages of one framework. */
export interface MessageForm<M> {
  /** The role; messages that have only results may have any. */
  role(message: M): Role;
  parts(message: M): readonly Part[];
  /** Returns a copy of a message with only these parts. All other members stay. */
  rebuild(message: M, kept: readonly Kept[]): M;
  /** Returns a message with a text of the engine. */
  make(role: Role, text: string): M;
  /** Joins results with the message after them, for interfaces in which they must be one message. */
  join?(results: readonly M[], next: M): M[];
}

interface Place {
  message: number;
  part: number;
  text: string | undefined;
  name: string;
}

interface ContextItem {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { arguments: string } }[];
  accp?: number;
}

/** A text that UTF-8 can have: the engine must see the text that it returns later. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16).toUpperCase();
}

export class MessageList<M extends object> {
  private readonly items: string[] = [];
  private openingItems = 0;
  private readonly calls = new Map<string, Place>();
  private readonly results = new Map<string, Place>();
  /** Message and part of each call and result that has a pair. */
  private readonly placed: Set<number>[] = [];
  /** The words of each message that is an item of its own. */
  private readonly texts: (string | undefined)[] = [];
  private readonly read: (readonly Part[])[];
  private json_: string | undefined;

  constructor(
    readonly messages: readonly M[],
    private readonly form: MessageForm<M>,
  ) {
    this.read = messages.map((one) => form.parts(one));
    const waiting = new Map<string, string>();
    let endsWithCalls = false;
    for (let i = 0; i < messages.length; ++i) endsWithCalls = this.write(i, waiting, endsWithCalls);
    if (this.openingItems === 0) this.openingItems = this.items.length;
  }

  /** The list as the engine gets it. */
  get json(): string {
    return (this.json_ ??= `[${this.items.join(',')}]`);
  }

  /** Identifies the messages up to the first of a user. */
  openingHash(instructions = ''): string {
    return digest(`${instructions}[${this.items.slice(0, this.openingItems).join(',')}`);
  }

  /** Identifies the items up to the one at a byte of the JSON; undefined: the byte is after the last. */
  prefixHash(offset: number): string | undefined {
    let end = 1;
    for (let i = 0; i < this.items.length; ++i) {
      end += Buffer.byteLength(this.items[i]!);
      if (offset < end) return digest(`[${this.items.slice(0, i + 1).join(',')}`);
      ++end;
    }
    return undefined;
  }

  private write(index: number, waiting: Map<string, string>, endsWithCalls: boolean): boolean {
    const parts = this.read[index]!,
      placed = new Set<number>();
    const isAssistant = this.form.role(this.messages[index]!) === 'assistant';
    const made: string[] = [];
    let text = '',
      hasResults = false;
    this.placed.push(placed);
    this.texts.push(undefined);
    // an id may be used again after the next words of the model
    if (isAssistant && !(endsWithCalls && parts.some((one) => one.kind === 'call'))) waiting.clear();
    for (let i = 0; i < parts.length; ++i) {
      const part = parts[i]!;
      if (part.kind === 'result' && waiting.has(part.id)) {
        const id = waiting.get(part.id)!;
        waiting.delete(part.id);
        const got = part.text === undefined ? undefined : wellFormed(part.text);
        hasResults = true;
        placed.add(i);
        this.results.set(id, { message: index, part: i, text: got, name: '' });
        this.items.push(`{"role":"tool","tool_call_id":"${id}","content":${JSON.stringify(got ?? wellFormed(part.placeholder ?? '[result]'))}}`);
      } else if (part.kind === 'call' && isAssistant) {
        const id = `c${this.calls.size + 1}`;
        waiting.set(part.id, id);
        made.push(id);
        placed.add(i);
        this.calls.set(id, { message: index, part: i, text: wellFormed(part.arguments), name: wellFormed(part.name) });
      } else if (part.kind === 'text') {
        text += part.text;
      } else if (part.kind === 'result') {
        text += (text ? '\n' : '') + (part.text ?? part.placeholder ?? '[result]');
      } else if (part.kind === 'other') {
        text += (text ? '\n' : '') + part.placeholder;
      }
    }
    // a message that only belongs to its neighbours, and one that has only results
    if (made.length === 0 && text === '' && (hasResults || (parts.length > 0 && parts.every((one) => one.kind === 'skip')))) return false;
    text = wellFormed(text);
    this.texts[index] = text;
    this.writeWords(index, text, made);
    return made.length > 0;
  }

  private writeWords(index: number, text: string, made: readonly string[]): void {
    const role = this.form.role(this.messages[index]!);
    const content = made.length > 0 && text === '' ? 'null' : JSON.stringify(text);
    const rest =
      made.length === 0
        ? `"accp":${index}`
        : `"tool_calls":[${made
            .map((id) => {
              const { name, text: json } = this.calls.get(id)!;
              return `{"id":"${id}","type":"function","function":{"name":${JSON.stringify(name)},"arguments":${JSON.stringify(json)}}}`;
            })
            .join(',')}]`;
    this.items.push(`{"role":"${role}","content":${content},${rest}}`);
    if (role === 'user' && this.openingItems === 0) this.openingItems = this.items.length;
  }

  /** Applies the engine's context, which is for OpenAI. `changed`: messages that are shortened, replaced or missing. `sent`: what
   * became of each message, by its place. */
  apply(context: string): { messages: M[]; changed: number; sent: Map<number, M> } {
    const items = JSON.parse(context) as ContextItem[];
    const reading = new ContextReading(this.messages, this.form, this.read, this.calls, this.results, this.placed, this.texts);
    let made: { messages: M[]; sent: Map<number, M> };
    if (reading.read(items)) {
      made = reading.build();
    } else {
      const messages = this.onlyResults(items);
      made = { messages, sent: new Map(messages.entries()) };
    }
    return { ...made, changed: this.messages.reduce((sum, one, at) => sum + (made.sent.get(at) === one ? 0 : 1), 0) };
  }

  // Replaces the texts of results, and nothing else.
  private onlyResults(items: readonly ContextItem[]): M[] {
    const replaced = new Map<number, Map<number, string>>();
    for (const item of items) {
      const place = item.tool_call_id === undefined ? undefined : this.results.get(item.tool_call_id);
      if (place?.text === undefined || typeof item.content !== 'string' || item.content === place.text) continue;
      let of = replaced.get(place.message);
      if (!of) replaced.set(place.message, (of = new Map()));
      of.set(place.part, item.content);
    }
    return this.messages.map((message, i) => {
      const of = replaced.get(i);
      if (!of) return message;
      return this.form.rebuild(
        message,
        this.read[i]!.map((_, index) => (of.has(index) ? { index, text: of.get(index)! } : { index })),
      );
    });
  }
}

// Reads the items of a context in order, and collects what each message keeps.
class ContextReading<M extends object> {
  private readonly kept = new Map<number, { parts: Set<number>; replaced: Map<number, string>; text?: string }>();
  private readonly order: (number | M)[] = [];
  private readonly named = new Set<number>();
  private next = 0;

  constructor(
    private readonly messages: readonly M[],
    private readonly form: MessageForm<M>,
    private readonly parts: readonly (readonly Part[])[],
    private readonly calls: ReadonlyMap<string, Place>,
    private readonly results: ReadonlyMap<string, Place>,
    private readonly placed: readonly ReadonlySet<number>[],
    private readonly texts: readonly (string | undefined)[],
  ) {}

  /** False: the items are not in the order of the messages. */
  read(items: readonly ContextItem[]): boolean {
    for (const item of items) if (item.accp !== undefined) this.named.add(item.accp);
    if (!items.every((item) => this.readItem(item)) || !this.arePaired()) return false;
    for (let i = this.next; i < this.messages.length && this.isThought(i); ++i) this.keepThought(i);
    return true;
  }

  private readItem(item: ContextItem): boolean {
    if (item.role === 'tool') {
      const id = item.tool_call_id!,
        place = this.results.get(id);
      // a call without a result has one in the context, but none in the list
      if (!place) return this.calls.has(id);
      return typeof item.content === 'string' && this.keep(place, item.content);
    }
    if (item.tool_calls) return this.readCalls(item);
    if (typeof item.content !== 'string') return false;
    if (item.accp !== undefined) return this.keepText(item.accp, item.content);
    // a shortened message without its index takes the place of the next one of its role
    let same = this.next;
    while (same < this.messages.length && (this.texts[same] === undefined || this.named.has(same) || this.kept.has(same))) ++same;
    if (
      same < this.messages.length &&
      item.role !== 'user' &&
      this.form.role(this.messages[same]!) === item.role &&
      !this.parts[same]!.some((one) => one.kind === 'call')
    )
      return this.keepText(same, item.content);
    this.order.push(this.form.make(item.role as Role, item.content));
    return true;
  }

  private readCalls(item: ContextItem): boolean {
    const of = new Set<number>();
    for (const call of item.tool_calls!) {
      const place = this.calls.get(call.id);
      if (!place || !this.keep(place, call.function.arguments)) return false;
      of.add(place.message);
    }
    if (of.size !== 1) return true; // the engine joins messages without texts
    const index = [...of][0]!,
      words = typeof item.content === 'string' ? item.content : '';
    const one = this.kept.get(index)!;
    if (words !== this.texts[index]) one.text ??= words;
    return true;
  }

  private keepText(index: number, words: string): boolean {
    if (!this.enter(index)) return false;
    if (words !== this.texts[index]) this.kept.get(index)!.text = words;
    return true;
  }

  private keep(place: Place, text: string): boolean {
    if (!this.enter(place.message)) return false;
    const one = this.kept.get(place.message)!;
    one.parts.add(place.part);
    if (place.text !== undefined && text !== place.text) one.replaced.set(place.part, text);
    return true;
  }

  private enter(index: number): boolean {
    if (index < this.next - 1 || index < 0 || index >= this.messages.length) return false;
    // thoughts that are messages of their own stay with the message after them
    for (let i = this.next; i < index; ++i) if (this.isNextOf(i, index)) this.keepThought(i);
    this.next = index + 1;
    if (!this.kept.has(index)) {
      this.kept.set(index, { parts: new Set(), replaced: new Map() });
      this.order.push(index);
    }
    return true;
  }

  private isThought(index: number): boolean {
    return this.parts[index]!.length > 0 && this.parts[index]!.every((one) => one.kind === 'skip');
  }

  private keepThought(index: number): void {
    this.order.push(index);
    this.kept.set(index, { parts: new Set(), replaced: new Map() });
  }

  private isNextOf(thought: number, index: number): boolean {
    for (let i = thought; i < index; ++i) if (!this.isThought(i)) return false;
    return true;
  }

  // A provider refuses a call without its result, and a result without its call.
  private arePaired(): boolean {
    for (const [id, result] of this.results) if (this.isKept(result) !== this.isKept(this.calls.get(id)!)) return false;
    return true;
  }

  private isKept(place: Place): boolean {
    return this.kept.get(place.message)?.parts.has(place.part) === true;
  }

  build(): { messages: M[]; sent: Map<number, M> } {
    const sent = new Map<number, M>();
    const messages = this.order.map((one) => {
      if (typeof one !== 'number') return one;
      const made = this.buildMessage(one);
      sent.set(one, made);
      return made;
    });
    return { messages, sent };
  }

  private buildMessage(index: number): M {
    const message = this.messages[index]!,
      one = this.kept.get(index)!,
      parts = this.parts[index]!;
    const isThere = (part: number) => !this.placed[index]!.has(part) || one.parts.has(part);
    if (one.text === undefined && one.replaced.size === 0 && parts.every((_, part) => isThere(part))) return message;
    const kept: Kept[] = [];
    let hasText = one.text === undefined || one.text === '';
    for (let part = 0; part < parts.length; ++part) {
      if (one.replaced.has(part)) {
        kept.push({ index: part, text: one.replaced.get(part)! });
      } else if (one.text !== undefined && parts[part]!.kind === 'text') {
        if (!hasText) kept.push({ index: part, text: one.text });
        hasText = true;
      } else if (isThere(part)) {
        kept.push({ index: part });
      }
    }
    return this.form.rebuild(message, kept);
  }
}
