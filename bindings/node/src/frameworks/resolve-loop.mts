// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One request of a client to a model, and the further requests with results of the tool for omitted text.
import { resolveTool } from '../index.js';
import { Conversations, type Exchange, type View } from './conversations.mjs';
import type { MessageForm } from './message-list.mjs';
import { checkOptions, type CheckedOptions, type ContextOptions } from './options.mjs';

const maxErrors = 4; // rounds after maxResolveRounds
const tooManyRounds = 'error: this tool was called too often in a row. Answer with what you have, or use another tool.';

/** The definition of the tool for omitted text. */
export interface ResolveDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export function resolveDefinition(name: string): ResolveDefinition {
  const { description, parameters } = (resolveTool('openai') as unknown as { function: ResolveDefinition }).function;
  return { name, description, parameters };
}

/** A call of the tool in a response. */
export interface ResolveCall {
  id: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

/** The traits of a request that decide about the tool. */
export interface RequestTraits {
  /** Instructions beside the messages. */
  instructions?: string;
  /** The names of the client's own tools. */
  toolNames: readonly string[];
  /** Whether the request may have a further tool: not if it forces one, or wants several responses. */
  allowsTool: boolean;
}

/** A form whose results of the tool can be written. */
export interface ResolveForm<M> extends MessageForm<M> {
  /** Returns messages with results of calls of the tool. */
  results(results: readonly { call: ResolveCall; name: string; text: string }[]): M[];
}

/** The engine of one drop-in. */
export class Context<M extends object> {
  readonly options: CheckedOptions;
  readonly conversations: Conversations<M>;
  readonly definition: ResolveDefinition;

  constructor(
    readonly form: ResolveForm<M>,
    options: ContextOptions,
  ) {
    this.options = checkOptions(options);
    this.conversations = new Conversations<M>(form, this.options);
    this.definition = resolveDefinition(this.options.toolName);
  }

  /** Begins a request. `list` is the client's whole list of messages. */
  async begin(list: readonly M[], traits: RequestTraits): Promise<ResolveLoop<M>> {
    if (this.options.resolve !== 'never' && traits.toolNames.includes(this.options.toolName))
      throw new Error(
        `libaccp: the request has a tool named ${this.options.toolName}, which is the name of the tool for omitted text: set the option toolName to another name.`,
      );
    const root = this.conversations.rootId(list, traits.instructions);
    const { messages, key } = await this.conversations.expand(list, root);
    return new ResolveLoop<M>(this, root, messages, key, traits);
  }
}

export class ResolveLoop<M extends object> {
  /** Whether the current request has the tool. */
  hasTool = false;
  private readonly hidden: M[] = [];
  private rounds = 0;
  private view: View<M> | undefined;

  constructor(
    private readonly context: Context<M>,
    private readonly root: string,
    private readonly list: M[],
    private readonly key: string,
    private readonly traits: RequestTraits,
  ) {}

  /** Returns the messages of the next request. */
  async next(): Promise<M[]> {
    this.view?.release();
    this.view = undefined;
    this.view = await this.context.conversations.view(this.list, this.root);
    this.hasTool = this.needsTool(this.view.changed > 0);
    return this.view.messages;
  }

  private needsTool(isShortened: boolean): boolean {
    if (!this.traits.allowsTool) return false;
    switch (this.context.options.resolve) {
      case 'with-tools':
        return isShortened || this.traits.toolNames.length > 0;
      case 'always':
        return true;
      case 'when-omitted':
        return isShortened;
      case 'never':
        return false;
    }
  }

  /**
   * Handles the calls of the tool in a response. True: call the model again with `next()`. False: the client gets the
   * response, without these calls.
   *
   * @param response    The message of the model, with its calls of the tool.
   * @param calls       Those calls.
   * @param isEnd       Whether the client gets the response: it has other calls, or no call of the tool.
   * @param seen        The message as the client gets it; with several rounds, that of all of them.
   */
  async answer(response: M, calls: readonly ResolveCall[], isEnd: boolean, seen: () => M): Promise<boolean> {
    const { conversations, options, form } = this.context;
    if (calls.length === 0) {
      if (this.hidden.length > 0) await conversations.keep(this.root, this.key, seen(), { messages: [...this.hidden, response], results: [] });
      return false;
    }
    if (++this.rounds > options.maxResolveRounds + maxErrors)
      throw new Error(
        `libaccp: the model called the tool ${options.toolName} in ${this.rounds} responses in a row (the option maxResolveRounds is ${options.maxResolveRounds}).`,
      );
    const results: { call: ResolveCall; name: string; text: string }[] = [];
    for (const call of calls)
      results.push({
        call,
        name: options.toolName,
        text: this.rounds > options.maxResolveRounds ? tooManyRounds : await this.view!.answer(call.arguments || '{}'),
      });
    const messages = form.results(results);
    if (isEnd) {
      const exchange: Exchange<M> = { messages: [...this.hidden, response], results: messages };
      await conversations.keep(this.root, this.key, seen(), exchange);
      return false;
    }
    this.hidden.push(response, ...messages);
    this.list.push(response, ...messages);
    return true;
  }

  /** Where results were left out: the newest message of each time, the oldest first. At most the last two. */
  get boundaries(): readonly M[] {
    return this.view?.boundaries ?? [];
  }

  /** Ends the use of the session. Call it always. */
  end(): void {
    this.view?.release();
    this.view = undefined;
  }
}
