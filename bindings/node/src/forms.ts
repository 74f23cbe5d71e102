// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { wrongArgument } from './error.js';
import type { Text } from './handle.js';
import { native } from './native.js';

/** The interfaces of providers whose messages a session takes and gives. */
export type ProviderForm = 'openai' | 'anthropic';

/**
 * The forms of messages that can be appended: those of providers, and files of agents (a session of Claude Code, a trajectory of
 * SWE-agent, Markdown of SpecStory, a chat history of aider, text with a name before each message, a rollout of Codex, a session of opencode or pi, a chat of Gemini CLI).
 */
export type MessageForm = ProviderForm | 'claude-code' | 'swe-agent' | 'specstory' | 'aider' | 'speakers' | 'codex' | 'opencode' | 'pi' | 'gemini';

/** Returns the number of a form. @internal */
export function formNumber(form: string): number {
  const found = native.interface_find!(form) as number;
  if (found <= 0) throw wrongArgument('', `there is no form of messages '${form}'; there are openai, anthropic, claude-code, swe-agent, specstory, aider, speakers, codex, opencode, pi, gemini`);
  return found;
}

/** Returns the form of a text's messages, by its beginning; undefined for our own messages, and if it cannot be determined. */
export function detectForm(text: Text): MessageForm | undefined {
  const found = native.interface_detect!(text) as number;
  return found <= 0 ? undefined : (native.interface_name!(found) as MessageForm);
}

/** The definition of a tool, as a provider or MCP takes it. */
export type ToolDefinition = Record<string, unknown>;

/**
 * Returns the definition of the tool "resolve", by which a model fetches what a context leaves out: for the tools of a request
 * (openai, anthropic) or the result of tools/list (mcp). {@link Session.answer} returns the results of its calls.
 */
export function resolveTool(form: ProviderForm | 'mcp'): ToolDefinition {
  const text = native.interface_tool!(formNumber(form)) as string | undefined;
  if (text === undefined) throw wrongArgument('', `the form '${form}' has no tools; openai, anthropic and mcp have`);
  return JSON.parse(text) as ToolDefinition;
}
