// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Promises: their order, abort, calls without a promise beside them; workers; memory.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { AccpError, Batch, Codec, Engine, Store } from 'libaccp';

const folder = mkdtempSync(join(tmpdir(), 'accp-node-'));
after(() => rmSync(folder, { recursive: true }));

const code = (expected) => (error) => error instanceof AccpError && error.code === expected;
const message = (number) => ({ agent: 'a', intent: 'req', operation: 'x', payload: { number } });

test('promises of one session run in their order', async () => {
  const store = await Store.open(`sqlite:${join(folder, 'order.db')}`, { noWait: true });
  const session = await new Engine({ store }).open('s');
  await Promise.all(Array.from({ length: 200 }, (_, number) => session.append(message(number))));
  for (let number = 0; number < 200; ++number) assert.equal(JSON.parse((await session.record(number + 1)).text).payload.number, number);
  // close() waits for the calls before it.
  const last = session.append(message(200));
  const closed = session.close();
  await assert.rejects(session.append(message(201)), code('CLOSED_HANDLE'));
  await Promise.all([last, closed]);
  assert.equal((await store.counts()).records, 201);
  await store.close();
});

test('sessions of one store run at once', async () => {
  const store = await Store.open(`sqlite:${join(folder, 'many.db')}`);
  const engine = new Engine({ store });
  const sessions = await Promise.all(Array.from({ length: 20 }, (_, index) => engine.open(`s${index}`)));
  await Promise.all(sessions.flatMap((session) => Array.from({ length: 10 }, (_, number) => session.append(message(number)))));
  assert.deepEqual(await Promise.all(sessions.map((session) => session.recordCount())), Array(20).fill(10));
  await store.close();
});

test('a call without a promise beside a promise', async () => {
  const session = new Engine().openSync('s');
  const pending = session.append(message(1));
  assert.throws(() => session.appendSync(message(2)), code('ERR_BUSY'));
  await pending;
  session.appendSync(message(2));
  const batch = new Batch();
  const decoded = batch.decodeAsync('@a>req:x{}');
  assert.throws(() => batch.decode(''), code('ERR_BUSY'));
  assert.equal((await decoded).length, 1);
});

test('a store is closed after the calls that run', async () => {
  for (let round = 0; round < 20; ++round) {
    const store = await Store.open('memory:');
    const session = await new Engine({ store }).open('s');
    await session.append(message(1));
    const running = Array.from({ length: 20 }, () => store.counts());
    const closed = store.close();
    await assert.rejects(store.counts(), code('CLOSED_HANDLE'));
    assert.deepEqual((await Promise.all(running)).map((one) => one.records), Array(20).fill(1));
    await closed;
    await session.append(message(2));
  }
  const store = await Store.open('memory:');
  const running = store.counts();
  store.closeSync();
  assert.equal((await running).records, 0);
});

test('a signal', async () => {
  const engine = new Engine();
  const session = await engine.open('s');
  await assert.rejects(session.append(message(0), { signal: AbortSignal.abort(new Error('early')) }), /early/);
  const controller = new AbortController();
  const first = session.append(message(1));
  const waiting = session.append(message(2), { signal: controller.signal });
  const third = session.append(message(3));
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await Promise.all([first, third]);
  // The second one had not begun, so it has no effect.
  assert.equal(await session.recordCount(), 2);
  const running = new AbortController();
  const begun = session.append(message(4), { signal: running.signal });
  running.abort(new Error('too late'));
  await assert.rejects(begun, /too late/);
  assert.equal(await session.recordCount(), 3, 'a call that runs keeps its effect');
  const done = new AbortController();
  await session.append(message(5), { signal: done.signal });
  done.abort();
  const late = new AbortController();
  const opening = engine.open('t', { signal: late.signal });
  late.abort();
  await assert.rejects(opening, { name: 'AbortError' });
  const store = new AbortController();
  const opened = Store.open('memory:', { signal: store.signal });
  store.abort();
  await assert.rejects(opened, { name: 'AbortError' });
  await assert.rejects(Store.open('memory:', { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

const worker = (body) => new Worker(`
  const { parentPort } = require('node:worker_threads');
  const { Engine, Store, Codec } = require(${JSON.stringify(join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../dist/index.js'))});
  (async () => { ${body} })().then((value) => parentPort.postMessage(value), (error) => { throw error; });`, { eval: true });

const result = (it) => new Promise((resolve, reject) => {
  it.once('message', resolve);
  it.once('error', reject);
});

test('workers have their own objects, and may share a file', async () => {
  const name = `sqlite:${join(folder, 'workers.db')}`;
  await (await Store.open(name)).close();
  const counts = await Promise.all(['a', 'b', 'c'].map((id) => result(worker(`
    const store = await Store.open(${JSON.stringify(name)}, { noWait: true });
    const session = await new Engine({ store }).open(${JSON.stringify(id)});
    for (let i = 0; i < 50; ++i) await session.append({ agent: 'a', intent: 'req', operation: 'x', payload: { i } });
    const codec = new Codec();
    for (let i = 0; i < 1000; ++i) codec.decode(codec.encode({ agent: 'a', intent: 'req', operation: 'x', payload: { i } }));
    const count = await session.recordCount();
    await session.close();
    await store.close();
    return count;`))));
  assert.deepEqual(counts, [50, 50, 50]);
});

test('an object cannot be passed to another worker', () => {
  const session = new Engine().openSync('s');
  const [handle] = Object.getOwnPropertySymbols(session);
  assert.throws(() => structuredClone(session[handle]), { name: 'DataCloneError' });
});

test('a worker that is terminated while calls run and wait', async () => {
  for (let round = 0; round < 5; ++round) {
    const name = `sqlite:${join(folder, `end${round}.db`)}`;
    const ending = worker(`
      const store = await Store.open(${JSON.stringify(name)});
      const session = await new Engine({ store }).open('s');
      for (let i = 0; i < 2000; ++i) session.append({ agent: 'a', intent: 'req', operation: 'x', payload: { i } }).catch(() => {});
      return 'begun';`);
    await result(ending);
    await ending.terminate();
    const store = await Store.open(name);
    assert.deepEqual(await store.verify(), []);
    assert.ok((await store.counts()).records < 2000, 'what waits is dropped');
    await store.close();
  }
});

test('the process ends while calls run, wait and were forgotten', () => {
  const script = `
    const { Engine, Store } = require('./dist/index.js');
    const engine = new Engine({ store: Store.openSync('sqlite:${join(folder, 'exit.db')}') });
    const session = engine.openSync('s');
    for (let i = 0; i < 500; ++i) session.append({ agent: 'a', intent: 'req', operation: 'x', payload: { i } });
    process.exit(7);`;
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { cwd: new URL('..', import.meta.url), stdio: 'pipe' }), { status: 7 });
});

const megabytes = () => process.memoryUsage.rss() / 2 ** 20;

test('100,000 contexts do not grow', () => {
  const engine = new Engine();
  const session = engine.openSync('s');
  for (let i = 0; i < 20; ++i) session.appendMessagesSync('openai', { role: i % 2 ? 'assistant' : 'user', content: `text ${i} `.repeat(10) });
  const make = (count) => {
    for (let i = 0; i < count; ++i) assert.ok(session.contextMessagesSync('openai').tokens > 0);
  };
  make(20_000);
  const before = megabytes();
  make(100_000);
  const grown = megabytes() - before;
  assert.ok(grown < 16, `${grown} MB`);
});

// With a collector that runs when it likes.
test('forgotten objects are freed', async () => {
  const make = async (count) => {
    const engine = new Engine();
    for (let i = 0; i < count; ++i) {
      const session = i % 2 ? engine.openSync(`s${i % 100}`) : await engine.open(`s${i % 100}`, {});
      if (i < 100) session.appendSync(message(i));
      if (i % 50 === 0) await new Promise(setImmediate);
    }
  };
  await make(3000);
  const before = megabytes();
  await make(15_000);
  const grown = megabytes() - before;
  assert.ok(grown < 16, `${grown} MB`); // 59 MB if none is freed
  for (let i = 0; i < 20_000; ++i) {
    new Codec().encode({ ...message(i), payload: { text: 'y'.repeat(3000) } });
    if (i % 50 === 0) await new Promise(setImmediate);
  }
  const more = megabytes() - before - grown;
  assert.ok(more < 32, `${more} MB`); // 274 MB if none is freed
});
