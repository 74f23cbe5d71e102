// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * For the OpenAI Agents SDK (`@openai/agents` 0.20): sessions in a store of libaccp, short contexts for any model, and handoffs that
 * carry a context packet.
 *
 * @packageDocumentation
 */
import { isDeepStrictEqual } from 'node:util';
import { applySessionHistoryMutations, Usage, UserError } from '@openai/agents';
import type {
  AgentInputItem,
  HandoffInputData,
  Model,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  Session,
  SessionHistoryMutation,
  SessionHistoryRewriteArgs,
  SessionHistoryTransaction,
  SessionHistoryTransactionArgs,
  StreamEvent,
} from '@openai/agents';
import { AccpError, ContextPacket, Engine, Store, type PacketDepth } from '../index.js';
import { checkKnown, type Known } from '../known.js';
import { fromJson, toJson } from './json.mjs';
import { itemsForm, turnsOf, type Item, type ItemNames, type Turn } from './items.mjs';
import { MessageList } from './message-list.mjs';
import { storeHints, type ContextOptions } from './options.mjs';
import { Context, type ResolveCall, type ResolveLoop } from './resolve-loop.mjs';
import { ValueLog } from './value-log.mjs';

export type { ContextOptions, ResolveMode } from './options.mjs';

const names: ItemNames = { callId: 'callId', result: 'function_call_result', customResult: undefined };
const form = itemsForm(names);

// ---- sessions

type SessionRecord =
  | { t: 'add'; items: unknown[] }
  | { t: 'pop' }
  | { t: 'clear' }
  | { t: 'mutate'; mutations: SessionHistoryMutation[] }
  | { t: 'transaction'; id: string; transaction: SessionHistoryTransaction };

/** Options of {@link AccpSession}. */
export interface AccpSessionOptions {
  /** The id of the conversation, 1 to 200 bytes. */
  sessionId: string;
  /** A store, which is borrowed and must stay open, or the URL of one, such as `sqlite:agents.db`. Default: `memory:`. */
  store?: Store | string | undefined;
}

const known: Known<AccpSessionOptions> = { sessionId: true, store: true };

/**
 * The history of a conversation in a store of libaccp. It is stored whole; {@link accpModel} shortens what is sent to a model.
 *
 * @example
 * const session = new AccpSession({ sessionId: 'user-17', store: 'sqlite:agents.db' });
 * await run(agent, 'Hello', { session });
 */
export class AccpSession implements Session {
  private readonly sessionId: string;
  private readonly store: Store;
  private readonly ownsStore: boolean;
  private readonly engine: Engine;
  private readonly log: ValueLog;
  private items: AgentInputItem[] = [];
  private transactions = new Map<string, SessionHistoryTransaction>();

  /** Opens the store if it is a URL. Throws `AccpError` if that fails. */
  constructor(options: AccpSessionOptions) {
    checkKnown('new AccpSession()', options, known, (name) => storeHints[name]);
    const { sessionId, store = 'memory:' } = options;
    if (typeof sessionId !== 'string' || sessionId === '' || Buffer.byteLength(sessionId) > 200)
      throw new TypeError('libaccp: sessionId must be a string of 1 to 200 bytes.');
    this.sessionId = sessionId;
    this.ownsStore = typeof store === 'string';
    this.store = typeof store === 'string' ? Store.openSync(store) : store;
    this.engine = new Engine({ store: this.store });
    this.log = new ValueLog(
      this.engine,
      `agents-${sessionId}`,
      () => {
        this.items = [];
        this.transactions = new Map();
      },
      (text) => this.read(fromJson(text) as SessionRecord),
    );
  }

  private read(record: SessionRecord): void {
    switch (record.t) {
      case 'add':
        this.items.push(...(record.items as AgentInputItem[]));
        break;
      case 'pop':
        this.items.pop();
        break;
      case 'clear':
        this.items = [];
        this.transactions = new Map();
        break;
      case 'mutate':
        this.items = applySessionHistoryMutations(this.items, record.mutations);
        break;
      case 'transaction': {
        const { transaction } = record;
        if (transaction.type === 'replace_suffix') this.items.splice(this.items.length - transaction.expectedSuffix.length);
        this.items.push(...(transaction.type === 'append_items' ? transaction.items : transaction.replacement));
        this.transactions.set(record.id, transaction);
        break;
      }
    }
  }

  private async append(record: SessionRecord): Promise<void> {
    await this.log.append(toJson(record));
  }

  /** Returns the id of the conversation. */
  getSessionId(): Promise<string> {
    return Promise.resolve(this.sessionId);
  }

  /** Returns copies of the newest items, in their order; without a number, all. */
  getItems(limit?: number): Promise<AgentInputItem[]> {
    return this.log.run(() => {
      const from = limit === undefined ? 0 : Math.max(this.items.length - Math.max(limit, 0), 0);
      return Promise.resolve(structuredClone(this.items.slice(from)));
    });
  }

  /** Appends items. They are durable when the promise resolves. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    const text = toJson({ t: 'add', items });
    await this.log.run(() => this.log.append(text));
  }

  /** Removes the newest item, and returns it. */
  popItem(): Promise<AgentInputItem | undefined> {
    return this.log.run(async () => {
      const last = this.items.at(-1);
      if (last) await this.append({ t: 'pop' });
      return last;
    });
  }

  /** Removes all items. */
  async clearSession(): Promise<void> {
    await this.log.run(async () => {
      if (this.log.length > 0) await this.log.replace([toJson({ t: 'clear' })]);
    });
  }

  /** Replaces function calls in the history, for the Agents SDK. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    if (mutations.length > 0) await this.log.run(() => this.append({ t: 'mutate', mutations }));
  }

  /** Changes the history once for each id, for the Agents SDK. */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    if (typeof operationId !== 'string' || operationId.trim() === '') throw new UserError('libaccp: operationId must be a text that is not blank.');
    const given = fromJson(toJson(transaction)) as SessionHistoryTransaction;
    await this.log.run(async () => {
      const known = this.transactions.get(operationId);
      if (known) {
        if (!isDeepStrictEqual(known, given))
          throw new UserError(`libaccp: the operation ${operationId} was applied before, with another transaction.`);
        return;
      }
      if (given.type === 'replace_suffix') {
        const { expectedSuffix } = given,
          start = this.items.length - expectedSuffix.length;
        if (start < 0 || !isDeepStrictEqual(this.items.slice(start), expectedSuffix))
          throw new UserError('libaccp: the end of the history is not the expected suffix.');
      } else if (given.type !== 'append_items') {
        throw new UserError(`libaccp: there is no transaction of the type ${String((given as { type: unknown }).type)}.`);
      }
      await this.append({ t: 'transaction', id: operationId, transaction: given });
    });
  }

  /** Closes the session, and the store if this object opened it. */
  async close(): Promise<void> {
    await this.log.end();
    this.engine.close();
    if (this.ownsStore) await this.store.close();
  }

  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

// ---- models

function splitOutput(output: readonly Item[], name: string | undefined): { calls: ResolveCall[]; visible: Item[]; isEnd: boolean } {
  const isOurs = (item: Item): boolean => item.type === 'function_call' && item['name'] === name;
  return {
    calls: output.filter(isOurs).map((one) => ({ id: String(one['callId']), arguments: String(one['arguments']) })),
    visible: output.filter((one) => !isOurs(one)),
    isEnd: output.some((one) => !isOurs(one) && /^(function_call|computer_call|shell_call|apply_patch_call)$/.test(one.type ?? '')),
  };
}

const turnOf = (items: readonly Item[]): Turn => ({ role: 'assistant', items: [...items] });

class ShortModel implements Model {
  readonly supportsPromptModelSelection?: boolean;
  getRetryAdvice?: NonNullable<Model['getRetryAdvice']>;

  constructor(
    private readonly inner: Model,
    private readonly context: Context<Turn>,
  ) {
    if (inner.supportsPromptModelSelection !== undefined) this.supportsPromptModelSelection = inner.supportsPromptModelSelection;
    if (inner.getRetryAdvice) this.getRetryAdvice = (args) => inner.getRetryAdvice!(args);
  }

  // Undefined: the service keeps the messages, and the request passes unchanged.
  private async begin(request: ModelRequest): Promise<ResolveLoop<Turn> | undefined> {
    if (typeof request.input === 'string' || request.input.length === 0 || request.previousResponseId || request.conversationId) return undefined;
    const { toolChoice, store } = request.modelSettings;
    return await this.context.begin(turnsOf(request.input as Item[], names), {
      instructions: request.systemInstructions ?? '',
      toolNames: [...request.tools.map((one) => one.name), ...request.handoffs.map((one) => one.toolName)],
      // what a service stores has the calls of the tool too, but not their results beside those of other tools
      allowsTool: (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') && store !== true,
    });
  }

  private async next(loop: ResolveLoop<Turn>, request: ModelRequest): Promise<ModelRequest> {
    const input = (await loop.next()).flatMap((one) => one.items) as unknown as AgentInputItem[];
    if (!loop.hasTool) return { ...request, input };
    const { name, description, parameters } = this.context.definition;
    const tool = { type: 'function', name, description, parameters, strict: false } as unknown as ModelRequest['tools'][number];
    return { ...request, input, tools: [...request.tools, tool] };
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const loop = await this.begin(request);
    if (!loop) return await this.inner.getResponse(request);
    const seen: Item[] = [];
    let usage: Usage | undefined;
    try {
      for (;;) {
        const response = await this.inner.getResponse(await this.next(loop, request)),
          output = response.output as unknown as Item[];
        const { calls, visible, isEnd } = splitOutput(output, loop.hasTool ? this.context.definition.name : undefined);
        const isFirst = usage === undefined;
        seen.push(...visible);
        usage = addUsage(usage, response.usage);
        if (await loop.answer(turnOf(output), calls, isEnd, () => turnOf(seen))) continue;
        return isFirst && calls.length === 0 ? response : { ...response, output: seen as unknown as ModelResponse['output'], usage };
      }
    } finally {
      loop.end();
    }
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const loop = await this.begin(request);
    if (!loop) return yield* this.inner.getStreamedResponse(request);
    const { name } = this.context.definition,
      seen: Item[] = [];
    let usage: Usage | undefined;
    try {
      for (let round = 0; ; ++round) {
        let done: Extract<StreamEvent, { type: 'response_done' }> | undefined;
        const isRaw = rawFilter(name);
        for await (const event of this.inner.getStreamedResponse(await this.next(loop, request))) {
          if (event.type === 'response_done') done = event;
          else if (!(loop.hasTool && isRaw(event)) && (round === 0 || event.type !== 'response_started')) yield event;
        }
        if (!done) return; // the stream broke off
        const output = done.response.output as unknown as Item[];
        const { calls, visible, isEnd } = splitOutput(output, loop.hasTool ? name : undefined);
        seen.push(...visible);
        usage = addUsage(usage, new Usage(done.response.usage as ConstructorParameters<typeof Usage>[0]));
        if (await loop.answer(turnOf(output), calls, isEnd, () => turnOf(seen))) continue;
        if (round === 0 && calls.length === 0) {
          yield done;
        } else {
          const { inputTokens, outputTokens, totalTokens } = usage;
          yield {
            ...done,
            response: {
              ...done.response,
              output: seen as unknown as typeof done.response.output,
              usage: { ...done.response.usage, requests: round + 1, inputTokens, outputTokens, totalTokens },
            },
          };
        }
        return;
      }
    } finally {
      loop.end();
    }
  }
}

// Whether an event of the provider's own stream is about a call of the tool.
function rawFilter(name: string): (event: StreamEvent) => boolean {
  const hidden = new Set<unknown>();
  return (event) => {
    if (event.type !== 'model') return false;
    const raw = event.event as
      | {
          type?: string;
          item?: Item;
          item_id?: unknown;
          output_index?: unknown;
          choices?: { delta?: { tool_calls?: { index: number; function?: { name?: string } }[] } }[];
        }
      | undefined;
    if (raw?.item?.type === 'function_call' && raw.item['name'] === name) {
      hidden.add(raw.output_index);
      return true;
    }
    for (const call of raw?.choices?.[0]?.delta?.tool_calls ?? []) {
      if (call.function?.name === name) hidden.add(`call ${call.index}`);
      if (hidden.has(`call ${call.index}`)) return true;
    }
    return raw?.output_index !== undefined && hidden.has(raw.output_index);
  };
}

function addUsage(before: Usage | undefined, last: Usage): Usage {
  if (!before) return last;
  const sum = new Usage();
  sum.add(before);
  sum.add(last);
  return sum;
}

/** Ends the sessions of a drop-in. */
export interface Closing {
  /** Closes them after the calls that were made before. */
  close(): Promise<void>;
}

/**
 * Returns a model that sends short contexts: old results of tools become one line each if that lowers the bill with a prompt
 * cache. It runs the tool that brings back what was left out; the agent does not see these calls.
 *
 * @example
 * const agent = new Agent({ name: 'Coder', model: accpModel(new OpenAIChatCompletionsModel(client, 'gpt-5')) });
 */
export function accpModel(model: Model, options: ContextOptions = {}): Model & Closing {
  const context = new Context<Turn>(form, options);
  return Object.assign(new ShortModel(model, context), { close: () => context.conversations.closeAll() });
}

/**
 * Returns a provider whose models are those of {@link accpModel}.
 *
 * @example
 * const runner = new Runner({ modelProvider: accpModelProvider(new OpenAIProvider()) });
 */
export function accpModelProvider(provider: ModelProvider, options: ContextOptions = {}): ModelProvider & Closing {
  const context = new Context<Turn>(form, options);
  return {
    getModel: async (name) => new ShortModel(await provider.getModel(name), context),
    close: () => context.conversations.closeAll(),
  };
}

// ---- handoffs

/** Options of {@link accpHandoffFilter}. */
export interface HandoffFilterOptions {
  /** The task of the next agent. Default: the last words of a user. */
  task?: string | ((input: HandoffInputData) => string) | undefined;
  /** How much the packet has. Default: standard. */
  depth?: PacketDepth | undefined;
  /** The tokens of the packet. Default: those of the depth. */
  budgetTokens?: number | undefined;
}

const knownOfFilter: Known<HandoffFilterOptions> = { task: true, depth: true, budgetTokens: true };

/**
 * Makes an input filter for handoffs: in place of the history, the next agent gets a context packet (goal, constraints, decisions,
 * failures) and the last message of a user. The packet is in a message of a user, never in the instructions.
 *
 * @example
 * const triage = Agent.create({ name: 'Triage', handoffs: [handoff(billing, { inputFilter: accpHandoffFilter() })] });
 */
export function accpHandoffFilter(options: HandoffFilterOptions = {}): (input: HandoffInputData) => HandoffInputData {
  checkKnown('accpHandoffFilter()', options, knownOfFilter);
  return (input) => {
    const history: Item[] =
      typeof input.inputHistory === 'string' ? [{ role: 'user', content: input.inputHistory }] : (input.inputHistory as unknown as Item[]);
    const made = [...input.preHandoffItems, ...input.newItems].flatMap((one) =>
      one.type.startsWith('handoff') || !one.rawItem ? [] : [one.rawItem as unknown as Item],
    );
    const turns = turnsOf([...history, ...made], names);
    const last = turns.findLast((one) => one.role === 'user' && one.items[0]?.role === 'user');
    const words = last
      ? form
          .parts(last)
          .map((one) => (one.kind === 'text' ? one.text : ''))
          .join('')
      : '';
    const task = (typeof options.task === 'function' ? options.task(input) : options.task) || words || 'Continue the conversation';
    const packet = generate(task, new MessageList(turns, form).json, options);
    try {
      const text: Item = { role: 'user', content: packet.toPrompt() };
      return { ...input, inputHistory: [text, ...(last?.items ?? [])] as unknown as AgentInputItem[], preHandoffItems: [], newItems: [] };
    } finally {
      packet.close();
    }
  };
}

function generate(task: string, conversation: string, { depth, budgetTokens }: HandoffFilterOptions): ContextPacket {
  const request = { task, conversation, form: 'openai' as const, depth, budgetTokens };
  try {
    return ContextPacket.generate(request);
  } catch (error) {
    // the task and what users required are never dropped: they need this many tokens
    if (budgetTokens !== undefined || !(error instanceof AccpError) || error.code !== 'E2003' || error.found === undefined) throw error;
    return ContextPacket.generate({ ...request, budgetTokens: error.found });
  }
}
