// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * Short contexts for the AI SDK (`ai` 7): a middleware for any language model, and a `prepareStep` for agents.
 *
 * @packageDocumentation
 */
import { jsonSchema, type LanguageModelMiddleware, type ModelMessage, type Tool } from 'ai';
import { type ContextOptions } from './options.mjs';
import type { Kept, Part, Role } from './message-list.mjs';
import { Context, type ResolveCall, type ResolveForm, type ResolveLoop } from './resolve-loop.mjs';

export type { ContextOptions, ResolveMode } from './options.mjs';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type CallParams = Parameters<WrapGenerate>[0]['params'];
type Model = Parameters<WrapGenerate>[0]['model'];
type GenerateResult = Awaited<ReturnType<WrapGenerate>>;
type StreamResult = Awaited<ReturnType<WrapStream>>;
type StreamPart = StreamResult['stream'] extends ReadableStream<infer P> ? P : never;
type Content = GenerateResult['content'][number];
type Usage = GenerateResult['usage'];

// A message of a prompt, and one of the host's (ModelMessage): the members that matter are the same.
interface PromptPart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: { type: string; value?: unknown; reason?: string };
  providerExecuted?: boolean;
  mediaType?: string;
  filename?: string;
}

interface PromptMessage {
  role: string;
  content: string | PromptPart[];
}

function resultPart(part: PromptPart): Part {
  const id = part.toolCallId ?? '',
    { output } = part;
  switch (output?.type) {
    case 'text':
    case 'error-text':
      return { kind: 'result', id, text: String(output.value) };
    case 'json':
    case 'error-json':
      return { kind: 'result', id, text: JSON.stringify(output.value) ?? 'null' };
    case 'content': {
      const value = output.value as { type: string; text?: string }[];
      if (value.every((one) => one.type === 'text')) return { kind: 'result', id, text: value.map((one) => one.text).join('') };
      return { kind: 'result', id, placeholder: value.map((one) => one.text ?? `[${one.type}]`).join('\n') };
    }
    default:
      return { kind: 'result', id, placeholder: output?.reason ?? '[result]' };
  }
}

const form: ResolveForm<PromptMessage> = {
  role: ({ role }): Role => (role === 'system' || role === 'assistant' ? role : 'user'),

  parts({ role, content }): Part[] {
    if (typeof content === 'string') return [{ kind: 'text', text: content }];
    return content.map((part): Part => {
      switch (part.type) {
        case 'text':
          return { kind: 'text', text: part.text ?? '' };
        case 'tool-call':
          if (part.providerExecuted) return { kind: 'other', placeholder: `[${part.toolName}]` };
          return { kind: 'call', id: part.toolCallId ?? '', name: part.toolName ?? '', arguments: JSON.stringify(part.input ?? {}) };
        case 'tool-result':
          // in a message of the model it is the result of a tool of the provider
          return role === 'assistant' ? { kind: 'other', placeholder: `[result of ${part.toolName}]` } : resultPart(part);
        case 'file':
        case 'image':
          return { kind: 'other', placeholder: `[${part.mediaType ?? part.type}${part.filename ? ` ${part.filename}` : ''}]` };
        default:
          return { kind: 'skip' };
      }
    });
  },

  rebuild(message, kept: readonly Kept[]): PromptMessage {
    const { content } = message;
    if (typeof content === 'string') return { ...message, content: kept[0]?.text ?? content };
    return {
      ...message,
      content: kept.map(({ index, text }): PromptPart => {
        const part = content[index]!;
        if (text === undefined) return part;
        if (part.type === 'tool-call') return { ...part, input: JSON.parse(text) };
        if (part.type !== 'tool-result') return { ...part, text };
        const { value: _, ...rest } = part.output!;
        return { ...part, output: { ...rest, type: rest.type.startsWith('error') ? 'error-text' : 'text', value: text } };
      }),
    };
  },

  make: (role, text) => (role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] }),

  results: (results) => [
    {
      role: 'tool',
      content: results.map(({ call, name, text }) => ({
        type: 'tool-result',
        toolCallId: call.id,
        toolName: name,
        output: { type: 'text', value: text },
      })),
    },
  ],
};

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input || '{}');
  } catch {
    return {};
  }
}

// The message of the model that a response becomes in the next prompt.
function messageOf(content: readonly Content[]): PromptMessage {
  const parts: PromptPart[] = [];
  for (const part of content) {
    const { providerMetadata, ...rest } = part as Content & { providerMetadata?: unknown };
    const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
    if (rest.type === 'tool-call') parts.push({ ...rest, input: parseInput(rest.input), ...options });
    else if (rest.type === 'tool-result')
      parts.push({
        type: rest.type,
        toolCallId: rest.toolCallId,
        toolName: rest.toolName,
        output: { type: rest.isError ? 'error-json' : 'json', value: rest.result },
        ...options,
      });
    else if (rest.type !== 'source' && !(rest.type === 'text' && rest.text === '')) parts.push({ ...(rest as PromptPart), ...options });
  }
  return { role: 'assistant', content: parts };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : a + b;
}

// Each request is billed, so all of them count.
function addUsage(before: Usage | undefined, last: Usage): Usage {
  if (!before) return last;
  return {
    ...last,
    inputTokens: {
      total: sum(before.inputTokens.total, last.inputTokens.total),
      noCache: sum(before.inputTokens.noCache, last.inputTokens.noCache),
      cacheRead: sum(before.inputTokens.cacheRead, last.inputTokens.cacheRead),
      cacheWrite: sum(before.inputTokens.cacheWrite, last.inputTokens.cacheWrite),
    },
    outputTokens: {
      total: sum(before.outputTokens.total, last.outputTokens.total),
      text: sum(before.outputTokens.text, last.outputTokens.text),
      reasoning: sum(before.outputTokens.reasoning, last.outputTokens.reasoning),
    },
  };
}

type Options = Record<string, Record<string, unknown> | undefined> | undefined;

function markOf(one: object): unknown {
  const { anthropic } = ((one as { providerOptions?: Options }).providerOptions ?? {}) as NonNullable<Options>;
  return anthropic?.['cacheControl'] ?? anthropic?.['cache_control'];
}

// Anthropic finds its cache only near a mark. A mark after the results that were left out last lets it find what is before the
// next ones. A prompt without marks gets none.
function withMarks(messages: PromptMessage[], boundaries: readonly PromptMessage[]): PromptMessage[] {
  const marks = messages
    .flatMap((one) => [one, ...(Array.isArray(one.content) ? one.content : [])])
    .map(markOf)
    .filter(Boolean);
  if (marks.length === 0) return messages;
  const made = [...messages];
  let left = 4 - marks.length;
  for (const boundary of [...boundaries].reverse()) {
    const at = messages.indexOf(boundary);
    if (left <= 0 || at < 0 || markOf(boundary) || (Array.isArray(boundary.content) && boundary.content.some(markOf))) continue;
    const { providerOptions } = boundary as { providerOptions?: Options };
    made[at] = {
      ...boundary,
      providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.['anthropic'], cacheControl: marks.at(-1) } },
    } as PromptMessage;
    --left;
  }
  return made;
}

/** A middleware for `wrapLanguageModel`. `close()` ends its sessions. */
export type AccpMiddleware = LanguageModelMiddleware &
  AsyncDisposable & {
    /** Ends its sessions. */
    close(): Promise<void>;
  };

/**
 * Makes a middleware that shortens what is sent to a model: old results of tools become one line each if that lowers the
 * bill with a prompt cache. Everything else is passed on as it is. The model gets one more tool, which brings back what was
 * left out; the middleware runs it, and the caller does not see its calls.
 *
 * @example
 * const model = wrapLanguageModel({ model: anthropic('claude-sonnet-5'), middleware: accpMiddleware() });
 */
export function accpMiddleware(options: ContextOptions = {}): AccpMiddleware {
  const context = new Context<PromptMessage>(form, options),
    { definition } = context;
  const begin = (params: CallParams): Promise<ResolveLoop<PromptMessage>> =>
    context.begin(params.prompt as PromptMessage[], {
      toolNames: (params.tools ?? []).map((one) => one.name),
      allowsTool: params.toolChoice === undefined || params.toolChoice.type === 'auto' || params.toolChoice.type === 'none',
    });
  const next = async (loop: ResolveLoop<PromptMessage>, params: CallParams): Promise<CallParams> => {
    const messages = await loop.next();
    const prompt = withMarks(messages, loop.boundaries) as CallParams['prompt'];
    if (!loop.hasTool) return { ...params, prompt };
    const tool = { type: 'function' as const, name: definition.name, description: definition.description, inputSchema: definition.parameters };
    return { ...params, prompt, tools: [...(params.tools ?? []), tool] };
  };
  const close = (): Promise<void> => context.conversations.closeAll();
  return {
    async wrapGenerate({ params, model }) {
      const loop = await begin(params),
        seen: Content[] = [];
      let usage: Usage | undefined;
      try {
        for (;;) {
          const result = await model.doGenerate(await next(loop, params));
          const { calls, visible, isEnd } = split(result.content, loop.hasTool ? definition.name : undefined);
          const isFirst = usage === undefined;
          seen.push(...visible);
          usage = addUsage(usage, result.usage);
          if (!(await loop.answer(messageOf(result.content), calls, isEnd, () => messageOf(seen))))
            return isFirst && calls.length === 0 ? result : { ...result, content: seen, usage };
        }
      } finally {
        loop.end();
      }
    },
    async wrapStream({ params, model }) {
      const loop = await begin(params);
      try {
        const first = await model.doStream(await next(loop, params));
        return { ...first, stream: toStream(streamed(context, loop, params, model, first, next)) };
      } catch (error) {
        loop.end();
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function split(content: readonly Content[], name: string | undefined): { calls: ResolveCall[]; visible: Content[]; isEnd: boolean } {
  const calls: ResolveCall[] = [],
    visible: Content[] = [];
  let isEnd = false;
  for (const part of content) {
    if (part.type === 'tool-call' && part.toolName === name) {
      calls.push({ id: part.toolCallId, arguments: part.input });
    } else {
      visible.push(part);
      isEnd ||= part.type === 'tool-call' && part.providerExecuted !== true;
    }
  }
  return { calls, visible, isEnd };
}

// Collects the content of a streamed response.
class Collected {
  readonly content: Content[] = [];
  private readonly open = new Map<string, { type: 'text' | 'reasoning'; text: string; providerMetadata?: unknown; citations?: unknown }>();

  add(part: StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const made = {
          type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const),
          text: '',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        };
        this.open.set(part.id, made);
        this.content.push(made as Content);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const made = this.open.get(part.id);
        if (!made) break;
        if ('delta' in part) made.text += part.delta;
        if (part.providerMetadata) made.providerMetadata = part.providerMetadata;
        if (part.type === 'text-end' && part.citations) made.citations = part.citations;
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
        this.content.push(part);
        break;
      default:
        break;
    }
  }
}

async function* streamed(
  context: Context<PromptMessage>,
  loop: ResolveLoop<PromptMessage>,
  params: CallParams,
  model: Model,
  first: StreamResult,
  next: (loop: ResolveLoop<PromptMessage>, params: CallParams) => Promise<CallParams>,
): AsyncGenerator<StreamPart> {
  const { name } = context.definition,
    all: Content[] = [];
  let result = first,
    usage: Usage | undefined;
  try {
    for (let round = 0; ; ++round) {
      const response = new Collected(),
        hidden = new Set<string>();
      let finish: Extract<StreamPart, { type: 'finish' }> | undefined;
      for await (const part of iterate(result.stream)) {
        response.add(part);
        if (part.type === 'finish') {
          finish = part;
        } else if (loop.hasTool && part.type === 'tool-input-start' && part.toolName === name) {
          hidden.add(part.id);
        } else if ((part.type === 'tool-input-delta' || part.type === 'tool-input-end') && hidden.has(part.id)) {
          continue;
        } else if (loop.hasTool && part.type === 'tool-call' && part.toolName === name) {
          hidden.add(part.toolCallId);
        } else if (round === 0) {
          yield part;
        } else if (part.type !== 'stream-start' && part.type !== 'response-metadata') {
          // the ids of texts are only distinct within one response
          yield /^(text|reasoning)-/.test(part.type) ? ({ ...part, id: `${(part as { id: string }).id}-${round}` } as StreamPart) : part;
        }
      }
      if (!finish) return; // the stream broke off
      usage = addUsage(usage, finish.usage);
      const { calls, visible, isEnd } = split(response.content, loop.hasTool ? name : undefined);
      all.push(...visible);
      if (!(await loop.answer(messageOf(response.content), calls, isEnd, () => messageOf(all)))) {
        yield round === 0 ? finish : { ...finish, usage };
        return;
      }
      result = await model.doStream(await next(loop, params));
    }
  } finally {
    loop.end();
  }
}

async function* iterate<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isDone = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

function toStream<T>(parts: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

interface SentList {
  readonly sent: readonly ModelMessage[];
  /** The list that it was made of. */
  readonly whole: readonly ModelMessage[];
  readonly sessionId: string;
}

// What the steps of all runs sent. The list of a run's next step begins with the same objects. Runs may share messages, so only all of
// them together tell the run.
class SentLists {
  // by the last message
  private readonly lists = new WeakMap<ModelMessage, SentList[]>();

  constructor(private readonly most: number) {}

  add(list: SentList): void {
    const last = list.sent.at(-1);
    if (!last) return;
    const others = (this.lists.get(last) ?? []).filter((one) => one.sent.length !== list.sent.length || !begins(list.sent, one.sent));
    this.lists.set(last, [...others, list].slice(-this.most));
  }

  /** Returns the longest one that a list begins with. */
  find(messages: readonly ModelMessage[]): SentList | undefined {
    for (let length = messages.length; length > 0; --length) {
      const found = this.lists.get(messages[length - 1]!)?.findLast(({ sent }) => sent.length === length && begins(messages, sent));
      if (found) return found;
    }
    return undefined;
  }
}

function begins(list: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  return start.every((one, i) => one === list[i]);
}

/** The result of {@link accpSteps}. */
export interface AccpSteps extends AsyncDisposable {
  /** Shortens the messages of a step. The host's list stays whole. */
  prepareStep(options: { messages: ModelMessage[]; initialMessages: ModelMessage[] }): Promise<{ messages: ModelMessage[] }>;
  /** The tool that brings back what was left out. Add it to your tools. */
  tools: Record<string, Tool>;
  /** Ends its sessions. */
  close(): Promise<void>;
}

/**
 * Shortens the messages of each step of `generateText`, `streamText` and `ToolLoopAgent`. Unlike with {@link accpMiddleware},
 * the loop of the AI SDK runs the tool, and its calls are in your messages.
 *
 * @example
 * const accp = accpSteps();
 * await generateText({ model, tools: { ...tools, ...accp.tools }, prepareStep: accp.prepareStep, prompt });
 */
export function accpSteps(options: ContextOptions = {}): AccpSteps {
  const context = new Context<PromptMessage>(form, options),
    { definition, conversations } = context;
  const sent = new SentLists(context.options.maxConversations);
  const close = (): Promise<void> => conversations.closeAll();
  return {
    async prepareStep({ messages }) {
      if (messages.length === 0) return { messages };
      const before = sent.find(messages);
      const whole = before ? [...before.whole, ...messages.slice(before.sent.length)] : messages;
      const view = await conversations.view(whole as PromptMessage[], conversations.rootId(whole as PromptMessage[]));
      view.release();
      const made = view.messages as ModelMessage[];
      sent.add({ sent: made, whole, sessionId: view.sessionId });
      return { messages: made };
    },
    tools:
      context.options.resolve === 'never'
        ? {}
        : {
            [definition.name]: {
              description: definition.description,
              inputSchema: jsonSchema(definition.parameters),
              execute: async (input: unknown, { messages }: { messages: ModelMessage[] }) => {
                const json = JSON.stringify(input),
                  before = sent.find(messages);
                if (before) return await conversations.answerIn(before.sessionId, json);
                return await conversations.answer(conversations.rootId(messages as PromptMessage[]), json);
              },
            } as Tool,
          },
    close,
    [Symbol.asyncDispose]: close,
  };
}
