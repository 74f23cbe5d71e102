// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compiled only: what the types of the drop-ins allow beside those of the frameworks.
import { anthropic } from '@ai-sdk/anthropic';
import { generateText, stepCountIs, tool, wrapLanguageModel, ToolLoopAgent } from 'ai';
import { accpMiddleware, accpSteps, type ContextOptions } from 'libaccp/ai-sdk';
import { AccpSaver, AccpStore, accpMessages } from 'libaccp/langgraph';
import { MessagesAnnotation, StateGraph, START } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { withAccp as withAnthropic } from 'libaccp/anthropic';
import { withAccp as withOpenAI } from 'libaccp/openai';
import { Agent, handoff, OpenAIProvider, Runner } from '@openai/agents';
import { AccpSession, accpHandoffFilter, accpModel, accpModelProvider } from 'libaccp/openai-agents';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerAccpTools } from 'libaccp/mcp';
import { Engine, Store } from 'libaccp';
import { z } from 'zod';

export async function main(): Promise<void> {
  const options: ContextOptions = { engine: new Engine({ store: Store.openSync('memory:') }), resolve: 'with-tools', sessionId: () => 'x' };
  await using middleware = accpMiddleware(options);
  const model = wrapLanguageModel({ model: anthropic('x'), middleware });
  await using accp = accpSteps();
  const tools = { a: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n + 1 }), ...accp.tools };
  const result = await generateText({ model, tools, prepareStep: accp.prepareStep, stopWhen: stepCountIs(3), prompt: 'x' });
  const text: string = result.text;
  new ToolLoopAgent({ model, tools, prepareStep: accp.prepareStep });
  const checkpointer = new AccpSaver({ store: 'memory:', retention: { checkpoints: 3 } }), store = new AccpStore();
  const messages = accpMessages({ budgetTokens: 1000 });
  const graph = new StateGraph(MessagesAnnotation).addNode('n', async (state, config) => ({ messages: await messages.shorten(state.messages, config) })).addEdge(START, 'n').compile({ checkpointer, store });
  await graph.invoke({ messages: [] });
  createReactAgent({ llm: null as never, tools: [messages.tool], preModelHook: messages.preModelHook, checkpointer });
  const a = withAnthropic(new Anthropic(), { toolName: 'again' });
  const message = await a.messages.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: text }] });
  const stream = a.messages.stream({ model: 'm', max_tokens: 1, messages: [] });
  await stream.finalMessage();
  await a.closeAccp();
  const o = withOpenAI(new OpenAI());
  const completion = await o.chat.completions.create({ model: 'm', messages: [] });
  console.log(message.content, completion.choices[0]?.message);
  const runner = new Runner({ modelProvider: accpModelProvider(new OpenAIProvider()) });
  const session = new AccpSession({ sessionId: 'a' });
  const agent = new Agent({ name: 'x', model: accpModel(await new OpenAIProvider().getModel('m')) });
  await runner.run(Agent.create({ name: 'y', handoffs: [handoff(agent, { inputFilter: accpHandoffFilter({ depth: 'deep' }) })] }), 'x', { session });
  registerAccpTools(new McpServer({ name: 'n', version: '1' }), { groups: ['session'] });
}
