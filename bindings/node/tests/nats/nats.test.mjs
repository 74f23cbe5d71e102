// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A store in NATS. Needs nats-server, and libaccp-nats.so.1 beside the addon.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AccpError, Engine, Store } from 'libaccp';

const folder = mkdtempSync(join(tmpdir(), 'accp-nats-'));
const server = spawn('nats-server', ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', '-1'], { stdio: ['ignore', 'ignore', 'pipe'] });
after(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

const port = await new Promise((resolve, reject) => {
  let said = '';
  server.once('error', reject);
  server.stderr.on('data', (text) => {
    said += text;
    const found = said.match(/Listening for client connections on 127\.0\.0\.1:(\d+)/);
    if (found && said.includes('Server is ready')) resolve(found[1]);
  });
});

test('sessions in NATS, without blocking the thread', async () => {
  const name = `nats://127.0.0.1:${port}/accp?replicas=1`;
  let ticks = 0;
  const timer = setInterval(() => ++ticks, 1);
  const store = await Store.open(name);
  const session = await new Engine({ store }).open('s');
  for (let i = 0; i < 50; ++i) await session.append({ agent: 'a', intent: 'req', operation: 'x', payload: { i } });
  clearInterval(timer);
  assert.ok(ticks > 5, `${ticks} ticks`);
  await session.close();
  const other = await Store.open(name);
  const again = await new Engine({ store: other }).open('s', { readOnly: true });
  assert.equal(await again.recordCount(), 50);
  assert.deepEqual(await other.sessions(), ['s']);
  assert.ok((await other.properties()).some((one) => one.name === 'kind' && one.value.toLowerCase().includes('nats')));
  await other.close();
  await store.close();
});

test('a server that does not answer: a signal does not wait for it', async () => {
  await assert.rejects(Store.open('nats://127.0.0.1:1/accp'), (error) => error instanceof AccpError && error.code === 'ERR_IO');
  const sockets = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  // A busy machine may hold up a try; one that waited for the server would take 5 s each time.
  let least = Infinity;
  for (let tries = 0; tries < 4 && least > 2500; ++tries) {
    const began = Date.now();
    await assert.rejects(Store.open(`nats://127.0.0.1:${silent.address().port}/accp`, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
    least = Math.min(least, Date.now() - began);
  }
  assert.ok(least <= 2500, `${least} ms`);
  // The thread that waits for it gets an answer now.
  for (const socket of sockets) socket.destroy();
  silent.close();
});
