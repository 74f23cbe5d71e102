// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The Responses interface of OpenAI. Its list has items; those of one turn of the model are one message here.
import { itemsForm, turnsOf, type Item, type ItemNames, type Turn } from './items.mjs';
import { eventText, parseEvent, type Json, type ServerEvent, type StreamReader, type Wire } from './provider-fetch.mjs';
import type { ResolveCall } from './resolve-loop.mjs';

const names: ItemNames = { callId: 'call_id', result: 'function_call_output', customResult: 'custom_tool_call_output' };

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

interface Response {
  output: Item[];
  status?: string;
  usage?: Usage;
  [member: string]: unknown;
}

const isCall = (item: Item, name: string): boolean => item.type === 'function_call' && item['name'] === name;
const isClientCall = (item: Item): boolean =>
  /^(function_call|custom_tool_call|computer_call|local_shell_call|shell_call|apply_patch_call)$/.test(item.type ?? '');

function merge(responses: readonly Response[], name: string): Response {
  const last = responses.at(-1)!;
  // a client checks that a response keeps its id
  const made: Response = {
    ...last,
    ...(responses.length > 1 && { id: responses[0]!['id'] }),
    output: responses.flatMap((one) => one.output.filter((item) => !isCall(item, name))),
  };
  if (last.usage) {
    const output = responses.reduce((sum, one) => sum + (one.usage?.output_tokens ?? 0), 0);
    made.usage = { ...last.usage, output_tokens: output, total_tokens: last.usage.input_tokens + output };
  }
  return made;
}

class Reader implements StreamReader {
  private round = 0;
  private last: Response | undefined;
  private held: ServerEvent[] = [];
  private readonly indexes = new Map<number, number>();
  private hasHidden = false;
  /** Items and events that the client has. */
  private count = 0;
  private sequence = 0;

  constructor(private readonly name: string) {}

  begin(round: number): void {
    this.round = round;
    this.last = undefined;
    this.held = [];
    this.indexes.clear();
  }

  take(event: ServerEvent): string[] {
    const data = parseEvent(event);
    if (!data || typeof data['type'] !== 'string') return [event.raw];
    switch (data['type']) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return this.round === 0 ? this.pass(event, data) : [];
      case 'response.completed':
        this.last = data['response'] as Response;
        if (this.round === 0 && !this.hasHidden) return this.pass(event, data);
        this.held.push(event);
        return [];
      case 'response.output_item.added': {
        if (isCall(data['item'] as Item, this.name)) {
          this.hasHidden = true;
          return [];
        }
        this.indexes.set(data['output_index'] as number, this.count++);
        return this.pass(event, data);
      }
      default:
        return this.pass(event, data);
    }
  }

  private pass(event: ServerEvent, data: Json): string[] {
    const changes: Json = {},
      given = data['output_index'];
    if (typeof given === 'number') {
      const index = this.indexes.get(given);
      if (index === undefined) return [];
      if (index !== given) changes['output_index'] = index;
    }
    const sequence = this.sequence++;
    if (typeof data['sequence_number'] === 'number' && data['sequence_number'] !== sequence) changes['sequence_number'] = sequence;
    return Object.keys(changes).length === 0 || (this.round === 0 && !this.hasHidden)
      ? [event.raw]
      : [eventText({ ...data, ...changes }, event.name)];
  }

  response(): Json | undefined {
    return this.last;
  }

  closing(response: Json | undefined): string[] {
    return this.held.flatMap((event) => {
      const data = parseEvent(event);
      return data
        ? this.pass(
            { ...event, raw: response ? eventText({ ...data, sequence_number: this.sequence, response }, event.name) : event.raw },
            { ...data, sequence_number: this.sequence },
          )
        : [event.raw];
    });
  }
}

export const responsesWire: Wire<Turn> = {
  path: /\/responses$/,
  form: itemsForm(names),
  read(body) {
    const { input, tools, tool_choice: choice } = body as { input?: string | Item[]; tools?: Item[]; tool_choice?: unknown };
    if (body['previous_response_id'] || body['conversation'] || body['prompt'] || body['background'] || !Array.isArray(input) || input.length === 0)
      return undefined;
    return {
      list: turnsOf(input, names),
      traits: {
        instructions: typeof body['instructions'] === 'string' ? body['instructions'] : '',
        toolNames: (tools ?? []).map((one) => String(one['name'] ?? '')),
        // with store the next request may name the response, in which the provider keeps a call that the client does not know
        allowsTool: body['store'] === false && (choice === undefined || choice === 'auto' || choice === 'none'),
      },
    };
  },
  write(body, messages, tool) {
    const made: Json = { ...body, input: messages.flatMap((one) => one.items) };
    if (tool) {
      const definition = { type: 'function', name: tool.name, description: tool.description, parameters: tool.parameters, strict: false };
      made['tools'] = [...((body['tools'] as unknown[] | undefined) ?? []), definition];
    }
    return made;
  },
  split(response, name) {
    const { output, status } = response as unknown as Response;
    const calls: ResolveCall[] =
      status === undefined || status === 'completed'
        ? output.filter((one) => isCall(one, name)).map((one) => ({ id: String(one['call_id']), arguments: String(one['arguments']) }))
        : [];
    return { message: { role: 'assistant', items: output }, calls, isEnd: output.some((one) => isClientCall(one) && !isCall(one, name)) };
  },
  merge: (responses, name) => merge(responses as unknown as Response[], name) as unknown as Json,
  stream: (name) => new Reader(name),
};
