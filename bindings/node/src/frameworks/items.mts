// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Lists of items, as the Responses interface and the OpenAI Agents SDK have them. The items of one turn of the model (thoughts,
// words, calls) are one message; every other item is a message of its own.
import type { Kept, Part, Role } from './message-list.mjs';
import type { ResolveForm } from './resolve-loop.mjs';

export interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  output?: unknown;
  [member: string]: unknown;
}

export interface Turn {
  role: Role;
  items: Item[];
}

/** The names that differ between the two. */
export interface ItemNames {
  /** The member with the id of a call: call_id or callId. */
  callId: string;
  /** The type of a result: function_call_output or function_call_result. */
  result: string;
  customResult: string | undefined;
}

interface ContentPart {
  type: string;
  text?: string;
  [member: string]: unknown;
}

const textTypes = /^(input_text|output_text|text)$/;

function isResult(item: Item, names: ItemNames): boolean {
  return item.type === names.result || (names.customResult !== undefined && item.type === names.customResult);
}

function roleOf(item: Item, names: ItemNames): Role {
  if (item.role !== undefined) return item.role === 'assistant' || item.role === 'system' || item.role === 'developer' ? item.role : 'user';
  return isResult(item, names) || /(_output|_result)$/.test(item.type ?? '') || item.type === 'mcp_approval_response' ? 'user' : 'assistant';
}

/** Groups a list. */
export function turnsOf(items: readonly Item[], names: ItemNames): Turn[] {
  const turns: Turn[] = [];
  for (const item of items) {
    const role = roleOf(item, names),
      last = turns.at(-1);
    if (role === 'assistant' && last?.role === 'assistant') last.items.push(item);
    else turns.push({ role, items: [item] });
  }
  return turns;
}

/** A part of an item: the item, and the place in its content, if it has a list. */
interface Spot {
  item: number;
  at?: number;
  part: Part;
}

function resultPart(item: Item, names: ItemNames): Part {
  const id = String(item[names.callId] ?? ''),
    { output } = item;
  if (typeof output === 'string') return { kind: 'result', id, text: output };
  const parts = (Array.isArray(output) ? output : [output]) as ContentPart[];
  if (parts.every((one) => one && textTypes.test(one.type) && typeof one.text === 'string'))
    return { kind: 'result', id, text: parts.map((one) => one.text).join('') };
  return { kind: 'result', id, placeholder: parts.map((one) => one?.text ?? `[${one?.type}]`).join('\n') };
}

function spotsOf(turn: Turn, names: ItemNames): Spot[] {
  return turn.items.flatMap((one, item): Spot[] => {
    if (isResult(one, names)) return [{ item, part: resultPart(one, names) }];
    const id = String(one[names.callId] ?? ''),
      name = String(one['name'] ?? '');
    if (one.type === 'function_call') return [{ item, part: { kind: 'call', id, name, arguments: String(one['arguments'] ?? '') || '{}' } }];
    if (one.type === 'custom_tool_call')
      return [{ item, part: { kind: 'call', id, name, arguments: JSON.stringify({ input: one['input'] ?? '' }) } }];
    if (one.type === 'reasoning' || one.type === 'compaction') return [{ item, part: { kind: 'skip' } }];
    if (one.role === undefined) return [{ item, part: { kind: 'other', placeholder: `[${one.type}]` } }];
    if (typeof one.content === 'string') return [{ item, part: { kind: 'text', text: one.content } }];
    return ((one.content as ContentPart[] | undefined) ?? []).map((part, at): Spot => ({
      item,
      at,
      part: textTypes.test(part.type) ? { kind: 'text', text: part.text ?? '' } : { kind: 'other', placeholder: `[${part.type}]` },
    }));
  });
}

function withText(item: Item, spots: readonly { at?: number; text?: string }[], names: ItemNames): Item {
  const { text, at } = spots[0]!;
  if (at !== undefined) {
    const content = item.content as ContentPart[];
    if (spots.length === content.length && spots.every((one) => one.text === undefined)) return item;
    return { ...item, content: spots.map((one) => (one.text === undefined ? content[one.at!]! : { ...content[one.at!]!, text: one.text })) };
  }
  if (text === undefined) return item;
  if (isResult(item, names)) {
    const { output } = item;
    if (typeof output === 'string') return { ...item, output: text };
    return { ...item, output: Array.isArray(output) ? [{ ...(output.at(-1) as object | undefined), text }] : { ...(output as object), text } };
  }
  if (item.type === 'function_call') return { ...item, arguments: text };
  if (item.type === 'custom_tool_call') return { ...item, input: (JSON.parse(text) as { input?: unknown }).input ?? text };
  return { ...item, content: text };
}

// Whether none of the items between a thought and the next one stays.
function isWithout(items: readonly Item[], thought: number, kept: ReadonlyMap<number, unknown>): boolean {
  let at = thought + 1;
  for (; at < items.length && items[at]!.type !== 'reasoning'; ++at) if (kept.has(at)) return false;
  return at > thought + 1;
}

export function itemsForm(names: ItemNames): ResolveForm<Turn> {
  return {
    role: ({ role }) => role,
    parts: (turn) => spotsOf(turn, names).map(({ part }) => part),

    rebuild(turn, kept: readonly Kept[]): Turn {
      const spots = spotsOf(turn, names),
        byItem = new Map<number, { at?: number; text?: string }[]>();
      for (const { index, text } of kept) {
        const { item, at } = spots[index]!;
        byItem.set(item, [...(byItem.get(item) ?? []), { ...(at !== undefined && { at }), ...(text !== undefined && { text }) }]);
      }
      const items: Item[] = [];
      turn.items.forEach((item, at) => {
        const parts = byItem.get(at);
        // a thought stays with any of the items that it led to, and leaves with all of them
        if (item.type === 'reasoning' && isWithout(turn.items, at, byItem)) return;
        if (parts) items.push(withText(item, parts, names));
        else if (Array.isArray(item.content) && item.content.length === 0) items.push(item);
      });
      return { role: turn.role, items };
    },

    make: (role, text) => ({ role, items: [{ role, content: text }] }),
    results: (results) => results.map(({ call, text }) => ({ role: 'user', items: [{ type: names.result, [names.callId]: call.id, output: text }] })),
  };
}
