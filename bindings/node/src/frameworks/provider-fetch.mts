// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A `fetch` for the clients of providers. It shortens the messages in the body of a model call, and runs calls of the tool
// for omitted text. So all helpers of a client work (streams, parsing, retries), and unknown members stay.
import type { ContextOptions } from './options.mjs';
import { Context, type RequestTraits, type ResolveCall, type ResolveDefinition, type ResolveForm, type ResolveLoop } from './resolve-loop.mjs';

export type Json = Record<string, unknown>;
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** An event of a stream: its name, its data, and its bytes with the blank line after it. */
export interface ServerEvent {
  name: string;
  data: string;
  raw: string;
}

/** Reads the stream of one response, or of several that the client gets as one. */
export interface StreamReader {
  /** Begins a response. `offset` is 0 for the first. */
  begin(round: number): void;
  /** Returns what the client gets at once. */
  take(event: ServerEvent): string[];
  /** The response so far, as without a stream; undefined if it did not end as it should. */
  response(): Json | undefined;
  /** The end of the stream. `response` is what all responses are together; undefined if there was only one. */
  closing(response: Json | undefined): string[];
}

/** One interface of a provider. */
export interface Wire<M extends object> {
  readonly path: RegExp;
  readonly form: ResolveForm<M>;
  /** Reads the body of a request. Undefined: it passes unchanged. */
  read(body: Json): { list: M[]; traits: RequestTraits } | undefined;
  write(body: Json, messages: M[], tool: ResolveDefinition | undefined, marks: readonly M[]): Json;
  /** The message of the model, its calls of the tool, and whether it has calls for the client or has ended in another way. */
  split(response: Json, name: string): { message: M; calls: ResolveCall[]; isEnd: boolean };
  /** One response of several, without the calls of the tool. */
  merge(responses: readonly Json[], name: string): Json;
  stream(name: string): StreamReader;
}

class Call<M extends object> {
  private readonly responses: Json[] = [];

  constructor(
    private readonly wire: Wire<M>,
    private readonly name: string,
    private readonly loop: ResolveLoop<M>,
    private readonly body: Json,
    private readonly definition: ResolveDefinition,
    private readonly send: (body: string) => Promise<Response>,
  ) {}

  async next(): Promise<Response> {
    const messages = await this.loop.next();
    return await this.send(
      JSON.stringify(this.wire.write(this.body, messages, this.loop.hasTool ? this.definition : undefined, this.loop.boundaries)),
    );
  }

  /** True: call the model again. */
  private async add(response: Json): Promise<boolean> {
    this.responses.push(response);
    if (!this.loop.hasTool) return false;
    const { message, calls, isEnd } = this.wire.split(response, this.name);
    return await this.loop.answer(message, calls, isEnd, () => this.wire.split(this.merged!, this.name).message);
  }

  private get isChanged(): boolean {
    return this.loop.hasTool && (this.responses.length > 1 || this.responses.some((one) => this.wire.split(one, this.name).calls.length > 0));
  }

  private get merged(): Json | undefined {
    return this.responses.length > 0 ? this.wire.merge(this.responses, this.name) : undefined;
  }

  async answer(first: Response): Promise<Response> {
    let response = first;
    for (;;) {
      if (!response.ok) return response;
      const text = await response.text();
      let json: Json;
      try {
        json = JSON.parse(text) as Json;
      } catch {
        return remade(response, text);
      }
      if (!(await this.add(json))) return remade(response, this.isChanged ? JSON.stringify(this.merged) : text);
      response = await this.next();
    }
  }

  async *stream(first: Response): AsyncGenerator<string> {
    const reader = this.wire.stream(this.name);
    let response = first;
    for (let round = 0; ; ++round) {
      reader.begin(round);
      for await (const event of events(response.body!)) yield* reader.take(event);
      const json = reader.response();
      const again = json !== undefined && (await this.add(json));
      if (!again) {
        yield* reader.closing(this.isChanged ? this.merged : undefined);
        return;
      }
      response = await this.next();
      if (!response.ok || !isStream(response))
        throw new Error(
          `libaccp: the provider answered ${response.status} to the request with a result of the tool ${this.name}: ${(await response.text()).slice(0, 500)}`,
        );
    }
  }
}

function isStream(response: Response): boolean {
  return response.body !== null && /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
}

// The same response with another body.
function remade(response: Response, body: BodyInit): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Splits a stream into events. The texts of all events, one after the other, are the stream. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r(?!\n)/.exec(text);
      if (!end) break;
      const raw = text.slice(0, end.index + end[0].length);
      text = text.slice(raw.length);
      yield eventOf(raw);
    }
  }
  text += decoder.decode();
  if (text) yield eventOf(text);
}

function eventOf(raw: string): ServerEvent {
  let name = '';
  const data: string[] = [];
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const found = /^(event|data): ?(.*)$/s.exec(line);
    if (found?.[1] === 'event') name = found[2]!;
    else if (found) data.push(found[2]!);
  }
  return { name, data: data.join('\n'), raw };
}

export function eventText(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}

export function parseEvent(event: ServerEvent): Json | undefined {
  try {
    const value: unknown = JSON.parse(event.data);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** An error of the inner fetch, which the client must get as it is. */
class FetchError extends Error {
  constructor(readonly inner: unknown) {
    super('fetch failed');
  }
}

// A client takes an error of fetch for one of the network, and tries again. So ours are responses.
function failure(error: unknown): Response {
  if (error instanceof FetchError) throw error.inner;
  const message = error instanceof Error ? error.message : String(error);
  return Response.json({ type: 'error', error: { type: 'libaccp_error', message } }, { status: 400, headers: { 'x-should-retry': 'false' } });
}

async function respond<M extends object>(
  context: Context<M>,
  wire: Wire<M>,
  fetch: Fetch,
  input: string | URL | Request,
  init: RequestInit,
  body: Json,
): Promise<Response | undefined> {
  const read = wire.read(body);
  if (!read) return undefined;
  const loop = await context.begin(read.list, read.traits);
  let count = 0;
  const send = async (text: string): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.delete('content-length');
    // a further request is not the same one
    if (++count > 1) headers.delete('idempotency-key');
    try {
      return await fetch(input, { ...init, headers, body: text });
    } catch (error) {
      throw new FetchError(error);
    }
  };
  const call = new Call(wire, context.definition.name, loop, body, context.definition, send);
  let isStreaming = false;
  try {
    const first = await call.next();
    if (!first.ok || !isStream(first)) return await call.answer(first);
    isStreaming = true;
    const texts = call.stream(first),
      encoder = new TextEncoder();
    return remade(
      first,
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          try {
            const { done, value } = await texts.next();
            if (!done) return controller.enqueue(encoder.encode(value));
            loop.end();
            controller.close();
          } catch (error) {
            loop.end();
            throw error;
          }
        },
        async cancel() {
          loop.end();
          await texts.return(undefined);
        },
      }),
    );
  } finally {
    if (!isStreaming) loop.end();
  }
}

/** A client of a provider's SDK: `withOptions` makes a copy of it with another `fetch`. */
interface Client {
  withOptions(options: { fetch: Fetch }): unknown;
}

/** What `withAccp` adds to a client. */
export interface Closing {
  /** Ends the sessions of the drop-in. */
  closeAccp(): Promise<void>;
}

/** Returns a copy of a client whose model calls are shortened. */
export function wrapClient<C extends object>(client: C, wires: readonly Wire<never>[], options: ContextOptions): C & Closing {
  const inner = (client as { fetch?: Fetch }).fetch ?? globalThis.fetch;
  if (typeof (client as Partial<Client>).withOptions !== 'function' || typeof inner !== 'function')
    throw new TypeError('libaccp: withAccp() needs a client of the SDK, made with `new`, that has withOptions().');
  const all = wires.map((wire) => ({ wire: wire as Wire<object>, context: new Context<object>((wire as Wire<object>).form, options) }));
  const fetch: Fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const found = init?.method?.toUpperCase() === 'POST' && typeof init.body === 'string' ? all.find(({ wire }) => wire.path.test(path)) : undefined;
    if (found) {
      let body: unknown;
      try {
        body = JSON.parse(init!.body as string);
      } catch {
        body = undefined;
      }
      if (typeof body === 'object' && body !== null) {
        const response = await respond(found.context, found.wire, inner, input, init!, body as Json).catch(failure);
        if (response) return response;
      }
    }
    return await inner(input, init);
  };
  const wrapped = (client as unknown as Client).withOptions({ fetch }) as C & Closing;
  Object.defineProperty(wrapped, 'closeAccp', {
    value: () => Promise.all(all.map(({ context }) => context.conversations.closeAll())).then(() => undefined),
  });
  return wrapped;
}
