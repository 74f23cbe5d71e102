// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

/**
 * Tools of libaccp for a server of the Model Context Protocol (`@modelcontextprotocol/sdk`).
 *
 * @packageDocumentation
 */
import type { McpServer, RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AccpError, Codec, ContextPacket, Engine, Renderer, Store, Tokenizer, type Session } from '../index.js';
import { checkKnown, type Known } from '../known.js';

/** Groups of tools. */
export type ToolGroup = 'session' | 'frame' | 'context';

/** Options of {@link registerAccpTools}. */
export interface McpOptions {
  /** The engine of the sessions: rules and store. It is borrowed and must stay open. Default: one of its own, in `store`. */
  engine?: Engine | undefined;
  /** The URL of a store, such as `sqlite:accp.db`, for an engine of its own. Default: `memory:`. */
  store?: string | undefined;
  /** The session of calls that name none. Default: `default`. */
  session?: string | undefined;
  /** Which tools. Default: all groups. */
  groups?: readonly ToolGroup[] | undefined;
  /** Content from clients is data from outside: contexts mark it. Default: false. */
  untrusted?: boolean | undefined;
}

/** The result of {@link registerAccpTools}. */
export interface AccpTools extends AsyncDisposable {
  /** The registered tools, by name. */
  tools: Record<string, RegisteredTool>;
  /** Closes the sessions, and the engine if it is its own. */
  close(): Promise<void>;
}

const known: Known<McpOptions> = { engine: true, store: true, session: true, groups: true, untrusted: true };
const maxOpenSessions = 64;

class Sessions {
  // the least recently used one is the first
  private readonly open = new Map<string, { session: Promise<Session>; users: number }>();

  constructor(private readonly engine: Engine) {}

  async use<T>(id: string, action: (session: Session) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      const entry = this.open.get(id) ?? { session: this.engine.open(id), users: 0 };
      this.open.delete(id);
      this.open.set(id, entry);
      ++entry.users;
      try {
        const session = await entry.session.catch((error: unknown) => {
          if (this.open.get(id) === entry) this.open.delete(id);
          throw error;
        });
        return await action(session);
      } catch (error) {
        // another process has opened it since
        if (!isFirst || !(error instanceof AccpError) || error.code !== 'ERR_CLOSED') throw error;
        if (this.open.get(id) === entry) this.open.delete(id);
        void entry.session.then((one) => one.close()).catch(() => undefined);
      } finally {
        --entry.users;
        this.closeOld();
      }
    }
  }

  private closeOld(): void {
    for (const [id, { session, users }] of this.open) {
      if (this.open.size <= maxOpenSessions) break;
      if (users > 0) continue;
      this.open.delete(id);
      void session.then((one) => one.close()).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    const all = [...this.open.values()];
    this.open.clear();
    await Promise.all(all.map(({ session }) => session.then((one) => one.close())));
  }
}

interface Answer {
  text: string;
  structured: Record<string, unknown>;
}

const sessionId = z.string().min(1).max(256).optional();
const used = z.object({ used: z.number().int(), max: z.number().int() });

/**
 * Registers tools by which a client stores messages and gets a short context of them; and tools for frames and context
 * packets. They have the names, arguments and results of `accp mcp`.
 *
 * @example
 * const server = new McpServer({ name: 'notes', version: '1.0.0' });
 * registerAccpTools(server, { store: 'sqlite:notes.db' });
 */
export function registerAccpTools(server: McpServer, options: McpOptions = {}): AccpTools {
  checkKnown('registerAccpTools()', options, known);
  const { groups = ['session', 'frame', 'context'], session: fallback = 'default', untrusted = false } = options;
  for (const group of groups)
    if (!['session', 'frame', 'context'].includes(group))
      throw new RangeError(`libaccp: there is no group of tools ${String(group)}: there are session, frame, context.`);
  const own = options.engine ? undefined : Store.openSync(options.store ?? 'memory:');
  const engine = options.engine ?? new Engine({ store: own });
  const sessions = new Sessions(engine),
    codec = new Codec(),
    renderer = new Renderer(),
    counter = new Tokenizer();
  const tools: Record<string, RegisteredTool> = {};

  const add = <I extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: I,
    outputSchema: z.ZodRawShape,
    traits: { reads: boolean; repeats: boolean },
    call: (input: z.infer<z.ZodObject<I>>) => Promise<Answer> | Answer,
  ): void => {
    const annotations = { readOnlyHint: traits.reads, destructiveHint: false, idempotentHint: traits.repeats, openWorldHint: false };
    const callback = async (input: unknown): Promise<CallToolResult> => {
      try {
        const { text, structured } = await call(input as z.infer<z.ZodObject<I>>);
        return { content: [{ type: 'text', text }], structuredContent: structured };
      } catch (error) {
        // a mistake of the model is a result that it can correct
        if (error instanceof AccpError) return { content: [{ type: 'text', text: error.message }], isError: true };
        throw error;
      }
    };
    tools[name] = server.registerTool(name, { description, inputSchema: z.strictObject(inputSchema), outputSchema, annotations }, callback as never);
  };
  const reads = { reads: true, repeats: true };

  if (groups.includes('session')) {
    add(
      'session_append',
      'Remember messages in a session: {"agent","intent","operation","payload"}, or with role and content as chat interfaces have them.',
      { session: sessionId, messages: z.array(z.record(z.string(), z.unknown())).min(1), from: z.enum(['accp', 'openai', 'anthropic']).optional() },
      { appended: z.number().int(), records: z.number().int() },
      { reads: false, repeats: false },
      ({ session = fallback, messages, from }) =>
        sessions.use(session, async (one) => {
          const form = from ?? (messages.every((message) => 'agent' in message) ? 'accp' : 'openai'),
            peer = untrusted ? { agents: ['*', 'user', 'assistant', 'system', 'tool'], untrusted } : undefined;
          let appended = 0;
          if (form === 'accp') for (const message of messages) (await one.append(message, { peer }), ++appended);
          else appended = await one.appendMessages(form, messages, { peer });
          const records = await one.recordCount();
          return { text: `${appended} appended, ${records} records`, structured: { appended, records } };
        }),
    );
    add(
      'session_context',
      'What a model should know of a session now, instead of its history.',
      { session: sessionId, budget_tokens: z.number().int().min(0).optional() },
      { tokens: z.number().int(), blocks: z.array(z.object({ kind: z.string(), stable: z.boolean(), tokens: z.number().int(), text: z.string() })) },
      reads,
      ({ session = fallback, budget_tokens: budgetTokens }) =>
        sessions.use(session, async (one) => {
          const { text, tokens } = await one.context({ budgetTokens });
          const blocks = (await one.contextBlocks({ budgetTokens })).map(({ kind, isStable, tokens: of, text: words }) => ({
            kind,
            stable: isStable,
            tokens: of,
            text: words,
          }));
          return { text, structured: { tokens, blocks } };
        }),
    );
    add(
      'session_resolve',
      'All that a ref of a context ($cold.m7, $warm.ckpt_2) stands for; of a long one some lines, or those with a text.',
      { session: sessionId, ref: z.string().min(1), lines: z.string().describe('10-40').optional(), query: z.string().optional() },
      { text: z.string() },
      reads,
      ({ session = fallback, ...rest }) =>
        sessions.use(session, async (one) => {
          const text = await one.answer(rest);
          return { text, structured: { text } };
        }),
    );
    add(
      'session_checkpoint',
      'Close what was said so far into a checkpoint, as at the end of a phase.',
      { session: sessionId },
      { checkpoint: z.number().int(), made: z.boolean(), ref: z.string().optional() },
      { reads: false, repeats: true },
      ({ session = fallback }) =>
        sessions.use(session, async (one) => {
          const before = await one.newestCheckpoint();
          await one.checkpoint();
          const checkpoint = await one.newestCheckpoint(),
            made = checkpoint !== before,
            ref = `$warm.ckpt_${checkpoint}`;
          return { text: made ? ref : 'nothing new since the last checkpoint', structured: { checkpoint, made, ...(checkpoint > 0 && { ref }) } };
        }),
    );
    add(
      'session_budget',
      'Tokens that a session uses, and may use.',
      { session: sessionId },
      { hot: used, warm: used, total: used },
      reads,
      ({ session = fallback }) =>
        sessions.use(session, async (one) => {
          const { hotUsed, hotMax, warmUsed, warmMax, totalUsed, totalMax } = await one.budget();
          const structured = {
            hot: { used: hotUsed, max: hotMax },
            warm: { used: warmUsed, max: warmMax },
            total: { used: totalUsed, max: totalMax },
          };
          return {
            text: `hot ${hotUsed} of ${hotMax} tokens, warm ${warmUsed} of ${warmMax} tokens, total ${totalUsed} of ${totalMax} tokens`,
            structured,
          };
        }),
    );
  }
  if (groups.includes('frame')) {
    const message = z.record(z.string(), z.unknown());
    add(
      'frame_encode',
      'A message {"agent","intent","operation","payload","meta"} as a frame, one line.',
      { message },
      { frame: z.string(), tokens: z.number().int(), json_tokens: z.number().int() },
      reads,
      (input) => {
        const frame = codec.encode(input.message);
        return { text: frame, structured: { frame, tokens: counter.count(frame), json_tokens: counter.count(JSON.stringify(input.message)) } };
      },
    );
    add('frame_decode', 'The message that a frame is.', { frame: z.string().min(1) }, { message }, reads, ({ frame }) => {
      const made = codec.decode(frame);
      if (!made) throw new AccpError({ status: -2, reason: 'the frame is a part of a message, and no message' });
      return { text: JSON.stringify(made), structured: { message: made } };
    });
    add(
      'frame_render',
      'A frame or a message as the short text that a model reads.',
      { frame: z.string().min(1).optional(), message: message.optional() },
      { text: z.string(), tokens: z.number().int() },
      reads,
      (input) => {
        if ((input.frame === undefined) === (input.message === undefined))
          throw new AccpError({ status: -2, reason: 'give either frame or message' });
        const text = input.frame === undefined ? renderer.render(input.message!) : renderer.renderFrame(input.frame);
        return { text, structured: { text, tokens: counter.count(text) } };
      },
    );
  }
  if (groups.includes('context')) {
    add(
      'context_generate',
      'A packet for the worker of a task, of what was said in the session or in conversation.',
      {
        task: z.string().min(1),
        depth: z.enum(['minimal', 'standard', 'deep']).optional(),
        session: sessionId,
        conversation: z.string().optional(),
        budget_tokens: z.number().int().min(1).optional(),
      },
      { yaml: z.string(), checksum: z.string(), tokens: z.number().int() },
      reads,
      async ({ task, depth, session = fallback, conversation, budget_tokens: budgetTokens }) => {
        const packet =
          conversation === undefined
            ? await sessions.use(session, (one) => one.generatePacket({ task, depth, budgetTokens }))
            : ContextPacket.generate({ task, depth, budgetTokens, conversation, form: 'speakers' });
        try {
          const yaml = packet.toYaml();
          return { text: yaml, structured: { yaml, checksum: packet.checksum, tokens: packet.tokens } };
        } finally {
          packet.close();
        }
      },
    );
  }

  const close = async (): Promise<void> => {
    await sessions.close();
    for (const one of [codec, renderer, counter]) one.close();
    if (own) {
      engine.close();
      await own.close();
    }
  };
  return { tools, close, [Symbol.asyncDispose]: close };
}
