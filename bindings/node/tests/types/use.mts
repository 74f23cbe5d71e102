// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compiled only: a program with the strictest options of TypeScript. Lines with @ts-expect-error must not compile.
import {
  AccpError, Engine, Store, resolveTool, type AccpCode, type ContextMessages, type Delivery, type EngineOptions, type HistoryReport, type Receipt, type Session,
} from 'libaccp';

export async function main(signal?: AbortSignal): Promise<number> {
  await using store: Store = await Store.open('memory:', { signal });
  const options: EngineOptions = { store, rules: { hostTokens: 17_000, durable: true }, limits: { jsonBytes: 1 << 20 }, extensions: ['q1', 't1'] };
  using engine = new Engine(options);
  await using session: Session = await engine.open('talk', { signal });
  const count: number = await session.appendMessages('openai', [{ role: 'user', content: 'hi' }], { now: new Date(), peer: undefined });
  const report: HistoryReport = await session.appendHistory(undefined, '{}', { branch: 'b' });
  const made: ContextMessages = await session.contextMessages('anthropic', { budgetTokens: 1000, signal });
  const receipt: Receipt = await session.receive(new Uint8Array());
  const list: Delivery[] = await session.deliveries();
  const tool: Record<string, unknown> = resolveTool('mcp');
  const first: unknown = made.messages[0]?.['role'];
  try {
    session.appendSync({ agent: 'a' });
  } catch (error) {
    if (!(error instanceof AccpError)) throw error;
    const code: AccpCode = error.code;
    const found: number | undefined = error.found;
    // @ts-expect-error: there is no such code
    if (code === 'E1234') return found ?? 0;
  }
  // @ts-expect-error: a form that no provider has
  await session.contextMessages('aider');
  // @ts-expect-error: a rule that does not exist
  new Engine({ rules: { maxToken: 1 } });
  // @ts-expect-error: a number is no message
  await session.append(7);
  // @ts-expect-error: a session is opened by an engine; its constructor is not public
  new (Engine.prototype.openSync('x').constructor as typeof Session)();
  return count + report.count + list.length + Object.keys(tool).length + String(first).length + receipt.length;
}
