// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Kept, Part, Role } from './message-list.mjs';
import type { ContextOptions } from './options.mjs';
import { Context, type ResolveForm } from './resolve-loop.mjs';

interface Block {
  type: string;
  text?: string;
  id?: string;
  input?: unknown;
  [member: string]: unknown;
}

interface Call {
  id?: string;
  name: string;
  args: Record<string, unknown>;
}

type Message = BaseMessage & { tool_calls?: Call[]; tool_call_id?: string };

const thoughts = /^(thinking|redacted_thinking|reasoning|reasoning_content)$/;
/** Blocks of a provider that are in tool_calls too. */
const calls = /^(tool_use|tool_call|function_call|functionCall|input_json_delta)$/;

function blocksOf({ content }: Message): readonly (string | Block)[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return content as Block[];
}

function textOf(content: Message['content']): string | undefined {
  if (typeof content === 'string') return content;
  const blocks = content as Block[];
  return blocks.every((one) => one.type === 'text') ? blocks.map((one) => one.text).join('') : undefined;
}

function copyOf(message: Message, changes: Partial<Record<keyof Message | 'additional_kwargs', unknown>>): Message {
  const made = Object.assign(Object.create(Object.getPrototypeOf(message) as object) as Message, message, changes);
  return Object.assign(made, { lc_kwargs: { ...message.lc_kwargs, ...changes } });
}

const form: ResolveForm<Message> = {
  role(message): Role {
    switch (message.getType()) {
      case 'system':
        return 'system';
      case 'developer':
        return 'developer';
      case 'ai':
        return 'assistant';
      default:
        return 'user';
    }
  },

  parts(message): Part[] {
    if (message.getType() === 'tool') {
      const text = textOf(message.content);
      return [{ kind: 'result', id: message.tool_call_id ?? '', ...(text === undefined ? { placeholder: '[result]' } : { text }) }];
    }
    const parts = blocksOf(message).map((one): Part => {
      if (typeof one === 'string') return { kind: 'text', text: one };
      if (one.type === 'text') return { kind: 'text', text: one.text ?? '' };
      return thoughts.test(one.type) || calls.test(one.type) ? { kind: 'skip' } : { kind: 'other', placeholder: `[${one.type}]` };
    });
    for (const { id, name, args } of message.tool_calls ?? [])
      parts.push({ kind: 'call', id: id ?? '', name, arguments: JSON.stringify(args ?? {}) });
    return parts;
  },

  rebuild(message, kept: readonly Kept[]): Message {
    if (message.getType() === 'tool') {
      const text = kept[0]?.text;
      if (text === undefined) return message;
      const { content } = message;
      return copyOf(message, { content: Array.isArray(content) && content.length > 0 ? [{ ...content.at(-1)!, text }] : text });
    }
    const blocks = blocksOf(message),
      all = message.tool_calls ?? [];
    const made = new Map<string | undefined, Call>();
    for (const { index, text } of kept) {
      const call = all[index - blocks.length];
      if (call) made.set(call.id, text === undefined ? call : { ...call, args: JSON.parse(text) as Record<string, unknown> });
    }
    const words = kept.filter(({ index }) => index < blocks.length);
    const content =
      typeof message.content === 'string'
        ? (words[0]?.text ?? (words.length > 0 ? message.content : ''))
        : words.flatMap(({ index, text }): Block[] => {
            const block = blocks[index] as Block;
            if (text !== undefined) return [{ ...block, text }];
            if (!calls.test(block.type) || block.id === undefined) return [block];
            const call = made.get(block.id);
            return call ? ['input' in block ? { ...block, input: call.args } : block] : [];
          });
    if (all.length === 0) return copyOf(message, { content });
    // what providers sent, beside what LangChain made of it
    const { tool_calls: _, ...additional } = message.additional_kwargs;
    return copyOf(message, { content, tool_calls: [...made.values()], additional_kwargs: additional });
  },

  make(role, text): Message {
    return role === 'assistant' ? new AIMessage(text) : role === 'user' ? new HumanMessage(text) : new SystemMessage(text);
  },

  results: (results) => results.map(({ call, name, text }) => new ToolMessage({ tool_call_id: call.id, name, content: text })),
};

/** The result of {@link accpMessages}. */
export interface AccpMessages extends AsyncDisposable {
  /** Returns what to send to the model in place of the messages of a state. */
  shorten<M extends BaseMessage>(messages: M[], config?: RunnableConfig): Promise<M[]>;
  /** For `createReactAgent`. The messages of the state stay whole. */
  preModelHook(state: { messages: BaseMessage[] }, config?: RunnableConfig): Promise<{ llmInputMessages: BaseMessage[] }>;
  /** The tool that brings back what was left out. Add it to the tools of the graph. */
  tool: DynamicStructuredTool;
  /** Ends its sessions. */
  close(): Promise<void>;
}

// The part of a graph: its thread, and the names of the subgraphs around it. Ids of tasks change with each run.
function placeOf(config: RunnableConfig | undefined): string | undefined {
  const { thread_id: thread, checkpoint_ns: ns } = (config?.configurable ?? {}) as { thread_id?: unknown; checkpoint_ns?: unknown };
  if (typeof thread !== 'string') return undefined;
  const around =
    typeof ns === 'string'
      ? ns
          .split('|')
          .slice(0, -1)
          .map((one) => one.split(':')[0])
      : [];
  return ['graph-' + thread, ...around].join('/');
}

/**
 * Shortens the messages of a graph before its model reads them: old results of tools become one line each if that lowers the
 * bill with a prompt cache. The state keeps everything.
 *
 * @example
 * const accp = accpMessages();
 * const agent = createReactAgent({ llm, tools: [...tools, accp.tool], preModelHook: accp.preModelHook, checkpointer });
 */
export function accpMessages(options: ContextOptions = {}): AccpMessages {
  const context = new Context<Message>(form, { ...options, toolName: options.toolName }),
    { conversations, definition } = context;
  let lastRoot = '';
  const shorten = async <M extends BaseMessage>(messages: M[], config?: RunnableConfig): Promise<M[]> => {
    if (messages.length === 0) return messages;
    const list = messages as unknown as Message[];
    const root = context.options.sessionId() ?? placeOf(config) ?? conversations.rootId(list);
    lastRoot = root;
    const view = await conversations.view(list, root);
    view.release();
    return view.messages as unknown as M[];
  };
  const close = (): Promise<void> => conversations.closeAll();
  return {
    shorten,
    preModelHook: async ({ messages }, config) => ({ llmInputMessages: await shorten(messages, config) }),
    tool: new DynamicStructuredTool({
      name: definition.name,
      description: definition.description,
      schema: definition.parameters,
      func: async (input: unknown, _manager: unknown, config?: RunnableConfig) =>
        await conversations.answer(context.options.sessionId() ?? placeOf(config) ?? lastRoot, JSON.stringify(input)),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
