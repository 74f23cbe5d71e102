// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chat completions of OpenAI, and of compatible providers.
import type { Kept, Part, Role } from './message-list.mjs';
import { eventText, parseEvent, type Json, type ServerEvent, type StreamReader, type Wire } from './provider-fetch.mjs';
import type { ResolveCall, ResolveForm } from './resolve-loop.mjs';

interface ContentPart {
  type: string;
  text?: string;
}

interface ToolCall {
  id: string;
  type?: string;
  function?: { name: string; arguments: string };
  custom?: { name: string; input: string };
  index?: number;
}

interface Message {
  role: string;
  content?: string | ContentPart[] | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  [member: string]: unknown;
}

function contentOf({ content }: Message): readonly (string | ContentPart)[] {
  return Array.isArray(content) ? content : typeof content === 'string' ? [content] : [];
}

function resultPart(message: Message): Part {
  const id = message.tool_call_id ?? '',
    { content } = message;
  if (!Array.isArray(content)) return { kind: 'result', id, text: content ?? '' };
  if (content.every((one) => one.type === 'text')) return { kind: 'result', id, text: content.map((one) => one.text).join('') };
  return { kind: 'result', id, placeholder: content.map((one) => one.text ?? `[${one.type}]`).join('\n') };
}

function callPart({ id, function: called, custom }: ToolCall): Part {
  if (called) return { kind: 'call', id, name: called.name, arguments: called.arguments || '{}' };
  return { kind: 'call', id, name: custom?.name ?? '', arguments: JSON.stringify({ input: custom?.input ?? '' }) };
}

const form: ResolveForm<Message> = {
  role: ({ role }): Role => (role === 'system' || role === 'developer' || role === 'assistant' ? role : 'user'),

  parts(message): Part[] {
    if (message.role === 'tool') return [resultPart(message)];
    const made = contentOf(message).map((one): Part => {
      if (typeof one === 'string') return { kind: 'text', text: one };
      return one.type === 'text' ? { kind: 'text', text: one.text ?? '' } : { kind: 'other', placeholder: `[${one.type}]` };
    });
    return [...made, ...(message.tool_calls ?? []).map(callPart)];
  },

  rebuild(message, kept: readonly Kept[]): Message {
    if (message.role === 'tool') {
      const text = kept[0]?.text;
      if (text === undefined) return message;
      return { ...message, content: Array.isArray(message.content) && message.content.length > 0 ? [{ ...message.content.at(-1)!, text }] : text };
    }
    const content = contentOf(message),
      made: Message = { ...message };
    const words = kept.filter(({ index }) => index < content.length);
    if (Array.isArray(message.content))
      made.content = words.map(({ index, text }) =>
        text === undefined ? (content[index] as ContentPart) : { ...(content[index] as ContentPart), text },
      );
    else if (content.length > 0) made.content = words.length === 0 ? null : (words[0]!.text ?? message.content!);
    const calls = kept
      .filter(({ index }) => index >= content.length)
      .map(({ index, text }) => withArguments(message.tool_calls![index - content.length]!, text));
    if (calls.length > 0) made.tool_calls = calls;
    else delete made.tool_calls;
    return made;
  },

  make: (role, content) => ({ role, content }),
  results: (results) => results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text })),
};

function withArguments(call: ToolCall, text: string | undefined): ToolCall {
  if (text === undefined) return call;
  if (call.function) return { ...call, function: { ...call.function, arguments: text } };
  const input: unknown = (JSON.parse(text) as { input?: unknown }).input;
  return { ...call, custom: { ...call.custom!, input: typeof input === 'string' ? input : text } };
}

interface Completion {
  choices: { message: Message; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  [member: string]: unknown;
}

const isCall = (call: ToolCall, name: string): boolean => call.function?.name === name;

function visibleMessage(message: Message, name: string): Message {
  const calls = message.tool_calls?.filter((one) => !isCall(one, name));
  const made = { ...message };
  if (calls && calls.length > 0) made.tool_calls = calls;
  else delete made.tool_calls;
  return made;
}

function merge(responses: readonly Completion[], name: string): Completion {
  const last = responses.at(-1)!,
    choice = last.choices[0]!,
    message = visibleMessage(choice.message, name);
  const words = responses.map((one) => one.choices[0]!.message.content).filter((one) => typeof one === 'string' && one !== '');
  if (words.length > 0) message.content = words.join('\n\n');
  const made: Completion = { ...last, ...(responses.length > 1 && { id: responses[0]!['id'] }), choices: [{ ...choice, message }] };
  if (last.usage) {
    const output = responses.reduce((sum, one) => sum + (one.usage?.completion_tokens ?? 0), 0);
    made.usage = { ...last.usage, completion_tokens: output, total_tokens: last.usage.prompt_tokens + output };
  }
  return made;
}

class Reader implements StreamReader {
  private round = 0;
  private head: Json = {};
  private message: Message = { role: 'assistant' };
  private calls: ToolCall[] = [];
  private finish: string | null = null;
  private usage: unknown;
  private held: ServerEvent[] = [];
  private id: unknown;
  /** Whether the client has words of an earlier response. */
  private hasWords = false;
  private isFirstWord = true;

  constructor(private readonly name: string) {}

  begin(round: number): void {
    this.round = round;
    this.head = {};
    this.message = { role: 'assistant', content: null };
    this.calls = [];
    this.finish = null;
    this.usage = undefined;
    this.held = [];
    this.isFirstWord = true;
  }

  private get hasCall(): boolean {
    return this.calls.some((one) => isCall(one, this.name));
  }

  take(event: ServerEvent): string[] {
    const data = parseEvent(event) as
      (Json & { choices?: { index: number; delta?: Message; finish_reason?: string | null }[]; usage?: unknown }) | undefined;
    if (!data?.choices) return this.hold(event);
    const { choices, usage, ...head } = data;
    this.head = { ...head, ...this.head };
    this.id ??= data['id'];
    if (usage) this.usage = usage;
    const choice = choices[0];
    if (!choice) return this.hold(event);
    const delta = this.add(choice.delta ?? ({} as Message));
    if (choice.finish_reason) {
      this.finish = choice.finish_reason;
      return this.hold(event);
    }
    if (delta === choice.delta) return [event.raw];
    if (Object.keys(delta).every((key) => key === 'role')) return [];
    return [eventText({ ...data, id: this.id, choices: [{ ...choice, delta }] }, event.name)];
  }

  private hold(event: ServerEvent): string[] {
    if (this.round === 0 && !this.hasCall) return [event.raw];
    this.held.push(event);
    return [];
  }

  // Collects a delta, and returns what the client gets of it.
  private add(delta: Message): Message {
    const made: Message = { ...delta };
    let isChanged = this.round > 0;
    for (const [key, value] of Object.entries(delta)) {
      if (key === 'tool_calls' || key === 'role') continue;
      if (typeof value === 'string' && (typeof this.message[key] === 'string' || this.message[key] === null || this.message[key] === undefined))
        this.message[key] = String(this.message[key] ?? '') + value;
      else if (value !== null) this.message[key] = value;
    }
    if (typeof delta.content === 'string' && delta.content !== '') {
      if (this.round > 0 && this.hasWords && this.isFirstWord) made.content = `\n\n${delta.content}`;
      this.isFirstWord = false;
      this.hasWords = true;
    }
    if (delta.tool_calls) {
      const visible: ToolCall[] = [];
      for (const part of delta.tool_calls) {
        const index = part.index ?? 0;
        const call = (this.calls[index] = grown(this.calls[index], part));
        if (isCall(call, this.name)) {
          isChanged = true;
          continue;
        }
        const hidden = this.calls.slice(0, index).filter((one) => isCall(one, this.name)).length;
        if (hidden > 0) isChanged = true;
        visible.push(hidden > 0 ? { ...part, index: index - hidden } : part);
      }
      if (visible.length > 0) made.tool_calls = visible;
      else delete made.tool_calls;
    }
    if (this.round > 0) delete (made as Partial<Message>).role;
    return isChanged ? made : delta;
  }

  response(): Json | undefined {
    if (this.finish === null) return undefined;
    const message: Message = { ...this.message };
    if (this.calls.length > 0) message.tool_calls = this.calls.map(({ index: _, ...call }) => call);
    return { ...this.head, choices: [{ index: 0, message, finish_reason: this.finish }], ...(this.usage !== undefined && { usage: this.usage }) };
  }

  closing(response: Json | undefined): string[] {
    return this.held.map((event) => {
      const data = parseEvent(event) as { choices?: { delta?: Message }[]; usage?: unknown } | undefined;
      if (!response || !data?.choices) return event.raw;
      const choices = data.choices.map((choice) => ({ ...choice, delta: {} }));
      return eventText({ ...data, id: this.id, choices, ...(data.usage ? { usage: response['usage'] } : {}) }, event.name);
    });
  }
}

function grown(call: ToolCall | undefined, part: ToolCall): ToolCall {
  if (!call) return structuredClone(part);
  if (part.function)
    call.function = {
      name: (call.function?.name ?? '') + (part.function.name ?? ''),
      arguments: (call.function?.arguments ?? '') + (part.function.arguments ?? ''),
    };
  if (part.custom)
    call.custom = { name: (call.custom?.name ?? '') + (part.custom.name ?? ''), input: (call.custom?.input ?? '') + (part.custom.input ?? '') };
  return call;
}

export const chatWire: Wire<Message> = {
  path: /\/chat\/completions$/,
  form,
  read(body) {
    const { messages, tools, tool_choice: choice, n } = body as { messages?: Message[]; tools?: ToolCall[]; tool_choice?: unknown; n?: number };
    if (!Array.isArray(messages) || messages.length === 0) return undefined;
    return {
      list: messages,
      traits: {
        toolNames: (tools ?? []).map((one) => one.function?.name ?? one.custom?.name ?? ''),
        allowsTool: (choice === undefined || choice === 'auto' || choice === 'none') && (n ?? 1) === 1 && body['functions'] === undefined,
      },
    };
  },
  write(body, messages, tool) {
    const made: Json = { ...body, messages };
    if (tool)
      made['tools'] = [
        ...((body['tools'] as unknown[] | undefined) ?? []),
        { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.parameters } },
      ];
    return made;
  },
  split(response, name) {
    const { message, finish_reason: reason } = (response as unknown as Completion).choices[0] ?? {
      message: { role: 'assistant' },
      finish_reason: null,
    };
    const all = message.tool_calls ?? [];
    const calls: ResolveCall[] =
      reason === 'tool_calls' || reason === 'stop'
        ? all.filter((one) => isCall(one, name)).map((one) => ({ id: one.id, arguments: one.function!.arguments }))
        : [];
    return { message, calls, isEnd: all.some((one) => !isCall(one, name)) };
  },
  merge: (responses, name) => merge(responses as unknown as Completion[], name) as unknown as Json,
  stream: (name) => new Reader(name),
};
