// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * Short contexts for the Anthropic SDK (`@anthropic-ai/sdk`).
 *
 * @packageDocumentation
 */
import type { Kept, Part, Role } from './message-list.mjs';
import type { ContextOptions } from './options.mjs';
import { eventText, parseEvent, wrapClient, type Closing, type Json, type ServerEvent, type StreamReader, type Wire } from './provider-fetch.mjs';
import type { ResolveCall, ResolveForm } from './resolve-loop.mjs';

export type { ContextOptions, ResolveMode } from './options.mjs';

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | Block[];
  cache_control?: unknown;
  [member: string]: unknown;
}

interface Message {
  role: string;
  content: string | Block[];
}

function resultPart(block: Block): Part {
  const id = block.tool_use_id ?? '',
    { content } = block;
  if (content === undefined) return { kind: 'result', id, text: '' };
  if (typeof content === 'string') return { kind: 'result', id, text: content };
  if (content.every((one) => one.type === 'text')) return { kind: 'result', id, text: content.map((one) => one.text).join('') };
  return { kind: 'result', id, placeholder: content.map((one) => one.text ?? `[${one.type}]`).join('\n') };
}

function partOf(block: Block): Part {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text ?? '' };
    case 'tool_use':
      return { kind: 'call', id: block.id ?? '', name: block.name ?? '', arguments: JSON.stringify(block.input ?? {}) };
    case 'tool_result':
      return resultPart(block);
    case 'thinking':
    case 'redacted_thinking':
      return { kind: 'skip' };
    default:
      return { kind: 'other', placeholder: `[${block.type}]` };
  }
}

const form: ResolveForm<Message> = {
  role: ({ role }): Role => (role === 'assistant' || role === 'system' ? role : 'user'),
  parts: ({ content }) => (typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map(partOf)),
  rebuild(message, kept: readonly Kept[]): Message {
    const { content } = message;
    if (typeof content === 'string') return { ...message, content: kept[0]?.text ?? content };
    return {
      ...message,
      content: kept.map(({ index, text }): Block => {
        const block = content[index]!;
        if (text === undefined) return block;
        if (block.type === 'tool_use') return { ...block, input: JSON.parse(text) };
        if (block.type !== 'tool_result') return { ...block, text };
        // a list stays a list, with the cache mark of its last text
        return { ...block, content: typeof block.content === 'object' && block.content.length > 0 ? [{ ...block.content.at(-1)!, text }] : text };
      }),
    };
  },
  make: (role, text) => ({ role, content: [{ type: 'text', text }] }),
  results: (results) => [{ role: 'user', content: results.map(({ call, text }) => ({ type: 'tool_result', tool_use_id: call.id, content: text })) }],
  // all results of a message of the model are in one message
  join: (results, next) =>
    next.role === 'user'
      ? [
          {
            ...next,
            content: [
              ...results.flatMap((one) => one.content as Block[]),
              ...(typeof next.content === 'string' ? [{ type: 'text', text: next.content }] : next.content),
            ],
          },
        ]
      : [...results, next],
};

interface Response {
  content: Block[];
  stop_reason: string | null;
  usage?: Json;
  [member: string]: unknown;
}

const isCall = (block: Block, name: string): boolean => block.type === 'tool_use' && block.name === name;

function merge(responses: readonly Response[], name: string): Response {
  const last = responses.at(-1)!;
  const content = responses.flatMap((one) => one.content.filter((block) => !isCall(block, name)));
  const output = responses.reduce((sum, one) => sum + Number(one.usage?.['output_tokens'] ?? 0), 0);
  return { ...last, ...(responses.length > 1 && { id: responses[0]!['id'] }), content, usage: { ...last.usage, output_tokens: output } };
}

class Reader implements StreamReader {
  private round = 0;
  private message: Response | undefined;
  private blocks: (Block & { json?: string })[] = [];
  private held: ServerEvent[] = [];
  private isEnded = false;
  /** The number of blocks that the client has. */
  private count = 0;
  private readonly indexes = new Map<number, number>();

  constructor(private readonly name: string) {}

  begin(round: number): void {
    this.round = round;
    this.message = undefined;
    this.blocks = [];
    this.held = [];
    this.isEnded = false;
    this.indexes.clear();
  }

  take(event: ServerEvent): string[] {
    const data = parseEvent(event);
    switch (data?.['type']) {
      case 'message_start':
        this.message = structuredClone(data['message']) as Response;
        return this.round === 0 ? [event.raw] : [];
      case 'content_block_start': {
        const index = data['index'] as number,
          block = structuredClone(data['content_block']) as Block;
        this.blocks[index] = block;
        if (isCall(block, this.name)) return [];
        this.indexes.set(index, this.count++);
        return this.pass(event, data);
      }
      case 'content_block_delta':
        grow(this.blocks[data['index'] as number], data['delta'] as Json);
        return this.pass(event, data);
      case 'content_block_stop':
        return this.pass(event, data);
      case 'message_delta':
        if (this.message) {
          Object.assign(this.message, data['delta']);
          this.message.usage = { ...this.message.usage, ...(data['usage'] as Json) };
        }
        return this.hold(event);
      case 'message_stop':
        this.isEnded = true;
        return this.hold(event);
      default:
        return [event.raw];
    }
  }

  private pass(event: ServerEvent, data: Json): string[] {
    const index = this.indexes.get(data['index'] as number);
    if (index === undefined) return [];
    return index === data['index'] ? [event.raw] : [eventText({ ...data, index }, event.name)];
  }

  // The end of a response that the client may not get.
  private hold(event: ServerEvent): string[] {
    if (this.round === 0 && !this.blocks.some((one) => isCall(one, this.name))) return [event.raw];
    this.held.push(event);
    return [];
  }

  response(): Json | undefined {
    if (!this.message || !this.isEnded) return undefined;
    const content = this.blocks.map(({ json, ...block }): Block => (json === undefined ? block : { ...block, input: parseInput(json) }));
    return { ...this.message, content };
  }

  closing(response: Json | undefined): string[] {
    return this.held.map((event) => {
      const data = parseEvent(event);
      if (!response || data?.['type'] !== 'message_delta') return event.raw;
      return eventText({ ...data, usage: { ...(data['usage'] as Json), output_tokens: (response['usage'] as Json)['output_tokens'] } }, event.name);
    });
  }
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json || '{}');
  } catch {
    return {};
  }
}

// Adds a delta to a block: texts grow, citations are collected.
function grow(block: (Block & { json?: string }) | undefined, delta: Json): void {
  if (!block) return;
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type') continue;
    if (key === 'partial_json') block.json = (block.json ?? '') + String(value);
    else if (key === 'citation') block['citations'] = [...((block['citations'] as unknown[] | null) ?? []), value];
    else if (typeof value === 'string') block[key] = String(block[key] ?? '') + value;
    else block[key] = value;
  }
}

function systemText(system: unknown): string {
  return typeof system === 'string' ? system : Array.isArray(system) ? system.map((one: Block) => one.text ?? '').join('\n') : '';
}

const wire: Wire<Message> = {
  path: /\/v1\/messages$/,
  form,
  read(body) {
    const { messages, tools, tool_choice: choice } = body as { messages?: Message[]; tools?: Block[]; tool_choice?: { type: string } };
    if (!Array.isArray(messages) || messages.length === 0) return undefined;
    return {
      list: messages,
      traits: {
        instructions: systemText(body['system']),
        toolNames: (tools ?? []).map((one) => one.name ?? ''),
        allowsTool: choice === undefined || choice.type === 'auto' || choice.type === 'none',
      },
    };
  },
  write(body, messages, tool, boundaries) {
    const made: Json = { ...body, messages: withMarks(body, messages, boundaries) };
    if (tool)
      made['tools'] = [
        ...((body['tools'] as unknown[] | undefined) ?? []),
        { name: tool.name, description: tool.description, input_schema: tool.parameters },
      ];
    return made;
  },
  split(response, name) {
    const { content, stop_reason: reason } = response as unknown as Response;
    const calls: ResolveCall[] =
      reason === 'tool_use' ? content.filter((one) => isCall(one, name)).map((one) => ({ id: one.id!, arguments: JSON.stringify(one.input) })) : [];
    return { message: { role: 'assistant', content }, calls, isEnd: content.some((one) => one.type === 'tool_use' && one.name !== name) };
  },
  merge: (responses, name) => merge(responses as unknown as Response[], name) as unknown as Json,
  stream: (name) => new Reader(name),
};

// The provider finds its cache only near a mark. A mark after the results that were left out last lets it find what is before
// the next ones.
function withMarks(body: Json, messages: readonly Message[], boundaries: readonly Message[]): Message[] {
  const marked = (blocks: unknown): Block[] =>
    Array.isArray(blocks) ? (blocks as Block[]).flatMap((one) => [...(one.cache_control ? [one] : []), ...marked(one.content)]) : [];
  const marks = [...marked(body['tools']), ...marked(body['system']), ...messages.flatMap((one) => marked(one.content))];
  if (marks.length === 0) return [...messages];
  const made = [...messages];
  let left = 4 - marks.length;
  for (const boundary of [...boundaries].reverse()) {
    const at = messages.indexOf(boundary),
      content = boundary.content;
    if (left <= 0) break;
    if (at < 0 || typeof content === 'string' || content.length === 0 || marked(content).length > 0) continue;
    const last = content.at(-1)!;
    if (last.type !== 'tool_result' && last.type !== 'text') continue;
    made[at] = { ...boundary, content: [...content.slice(0, -1), { ...last, cache_control: marks.at(-1)!.cache_control }] };
    --left;
  }
  return made;
}

/**
 * Returns a copy of a client whose `messages` (and `beta.messages`) send short contexts: old results of tools become one line each
 * where that lowers the bill with a prompt cache. Everything else is sent as it is. The model gets one more tool, which brings
 * back what was left out. The copy runs it, and the caller does not see its calls. Pass the
 * whole list of messages each time.
 *
 * @example
 * const client = withAccp(new Anthropic());
 */
export function withAccp<C extends object>(client: C, options: ContextOptions = {}): C & Closing {
  return wrapClient(client, [wire as unknown as Wire<never>], options);
}
