// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Frames without sessions, batches, registries, rendered text, tokens, source files.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AccpError, Batch, Codec, ContextPacket, PacketCode, PacketIndex, Registry, Renderer, TokenCounter, Tokenizer, tokenizers } from 'libaccp';

const folder = mkdtempSync(join(tmpdir(), 'accp-node-'));
after(() => rmSync(folder, { recursive: true }));
const code = (expected) => (error) => error instanceof AccpError && error.code === expected;
const message = { agent: 'planner', intent: 'req', operation: 'schedule', payload: { task: 'impl_auth', note: 'Q3 findings – ä😀', ids: [7, '7'] } };

test('a codec', () => {
  const codec = new Codec();
  codec.setEnvelope({ mid: 'a12345678901', seq: 1, ts: 1_700_000_000, cid: 'c1' });
  const frame = codec.encode(message);
  assert.deepEqual(codec.decode(Buffer.from(frame)), { ...message, meta: { mid: 'a12345678901', seq: 1, ts: 1_700_000_000, cid: 'c1' } });
  codec.setEnvelope(undefined);
  assert.equal(codec.encode(message), frame.replace(/\[mid.*/, ''));
  const again = codec.retry(frame, { mid: 'a12345678902', seq: 2, ts: 1_700_000_001 });
  assert.match(again, /mid:a12345678902,seq:2/);
  const answer = codec.reply(JSON.stringify(codec.decode(frame)), { agent: 'worker', intent: 'done', payload: {} });
  assert.match(answer, /^@worker>done:schedule\{\}\[cid:c1,aid:a12345678901\]/);
  codec.setUntrusted(true);
  assert.equal(codec.decode(frame).untrusted, true);
  assert.throws(() => codec.setEnvelope({ seq: -1 }), code('ERR_ARG'));
  assert.throws(() => codec.setEnvelope({ mid: 7 }), code('ERR_ARG'));
  assert.throws(() => codec.registerSchema('{}'), code('ERR_ARG'));
  codec.removeParts('');
  assert.equal(codec.decodeText('@a>req:x{n:1.10}'), '{"agent":"a","intent":"req","operation":"x","payload":{"n":1.10},"untrusted":true}');
});

test('error frames', () => {
  const codec = new Codec({ registry: new Registry() });
  const frame = codec.encodeError({ code: 'E3001', agent: 'worker', message: 'too late', cid: 'c1' });
  codec.decode(frame);
  assert.deepEqual(codec.decodedError(), { code: 'E3001', isRetryable: true, agent: 'worker', message: 'too late', detail: '', source: '', cid: 'c1' });
  codec.decode('@a>req:x{}');
  assert.equal(codec.decodedError(), undefined);
  assert.throws(() => codec.encodeError({ code: 'ERR_IO', agent: 'a' }), code('ERR_ARG'));
  assert.throws(() => codec.encodeError({ code: 'E0007', agent: 'a' }), code('ERR_ARG'));
  assert.throws(() => new Codec().encodeError({ code: 'E3001', agent: 'a' }), code('ERR_ARG'));
});

test('schemas', () => {
  const registry = new Registry({ schemas: { book: { code: 'BK', version: 1, fields: ['hotel', 'nights'], defaults: { nights: 1 } } } }, []);
  const [book] = registry.schemas();
  assert.deepEqual({ ...book, fields: book.fields.map((one) => [one.name, one.default]) }, { name: 'book', code: 'BK', version: 1, isBuiltIn: false, fields: [['hotel', ''], ['nights', '1']] });
  const more = registry.add({ schemas: { trip: { code: 'TR', version: 1, fields: ['to'] } } });
  assert.equal(more.describe().schemaCount, registry.describe().schemaCount + 1);
  assert.match(more.describe().hash, /^[0-9a-f]{64}$/);
  const codec = new Codec({ registry: more, schema: 'BK' });
  assert.equal(codec.decode(codec.encode({ agent: 'a', intent: 'req', operation: 'x', payload: { hotel: 'Ritz' } })).payload.nights, 1);
  assert.equal(registry.merge(more).describe().schemaCount, more.describe().schemaCount);
  assert.throws(() => new Registry('{"schemas":7}'), (error) => code('E1004')(error) && error.offset > 0);
});

test('a batch', async () => {
  const batch = new Batch();
  const encoded = batch.encode([message, { agent: 'a' }, JSON.stringify(message), Buffer.from(JSON.stringify(message))]);
  assert.equal(encoded.length, 4);
  assert.deepEqual([0, 1, 2, 3].map((line) => encoded.isOk(line)), [true, false, true, true]);
  assert.equal(encoded.error(0), undefined);
  assert.equal(encoded.error(1).record, 1);
  assert.throws(() => encoded.text(1), code('E1001'));
  const frames = [0, 2, 3].map((line) => encoded.text(line));
  assert.equal(new Set(frames).size, 1);
  const decoded = batch.decode(`${frames.join('\n')}\n`);
  assert.equal(decoded.length, 3);
  for (const text of decoded) assert.deepEqual(JSON.parse(text), message);
  // The result does not change with the next call on the batch.
  batch.decode('@x>req:y{}');
  assert.deepEqual(JSON.parse(decoded.text(2)), message);
  const ascii = batch.decode('@x>req:y{}\n\n@x>req:z{}');
  assert.deepEqual([...ascii].map((one) => (typeof one === 'string' ? JSON.parse(one).operation : one.code)), ['y', 'E1001', 'z']);
  assert.equal((await batch.decodeAsync(frames)).text(0), decoded.text(0));
  assert.equal((await batch.encodeAsync([message])).text(0), frames[0]);
  assert.equal(batch.decode('').length, 0);
  assert.equal(decoded.all.split('\n').length, 4);
  assert.equal(encoded.rejected, 1);
});

test('rendered text', () => {
  const renderer = new Renderer();
  assert.equal(renderer.render({ agent: 'planner', intent: 'req', operation: 'schedule', payload: { task: 'impl_auth' } }), '@planner req:schedule task:impl_auth');
  assert.deepEqual(renderer.parse(renderer.render(message)), message);
  assert.equal(renderer.parseText(renderer.render('{"n":1.10}')), '{"n":1.10}');
  assert.match(renderer.renderFrame('@a>req:x{k:v}[mid:a12345678901]', { envelope: true }), /a12345678901/);
  assert.notEqual(renderer.render(message, { untrusted: true }), renderer.render(message));
  assert.throws(() => renderer.render('{'), code('E1001'));
});

test('tokens', () => {
  assert.deepEqual(tokenizers(), ['o200k_base', 'cl100k_base', 'approx']);
  const tokenizer = new Tokenizer();
  assert.equal(tokenizer.name, 'o200k_base');
  assert.equal(tokenizer.isApproximate, false);
  assert.ok(tokenizer.tokenCount > 190_000);
  const text = 'Grüße 😀, world';
  assert.equal(tokenizer.decode(tokenizer.encode(text)).toString(), text);
  assert.equal(tokenizer.count(text), tokenizer.encode(text).length);
  assert.equal(tokenizer.count(text, 2), 3);
  const counter = new TokenCounter(tokenizer);
  for (const letter of Buffer.from(text)) counter.append(Uint8Array.of(letter));
  assert.equal(counter.total(), tokenizer.count(text));
  counter.reset();
  assert.equal(counter.total(), 0);
  assert.throws(() => tokenizer.decode(Uint32Array.of(4_000_000_000)), code('ERR_ARG'));
  assert.equal(new Tokenizer('approx').isApproximate, true);
  assert.throws(() => new Tokenizer('approx').encode('x'), code('ERR_ARG'));
  const bytes = Array.from({ length: 256 }, (_, byte) => `${Buffer.from([byte]).toString('base64')} ${byte}`).join('\n');
  assert.equal(new Tokenizer({ name: 'bytes', pattern: 'gpt2', text: bytes }).count('abc'), 3);
  assert.throws(() => new Tokenizer({ name: 'bad', pattern: 'gpt2', text: 'x y' }), code('E1001'));
  assert.throws(() => new Tokenizer({ name: 'bad', text: '{}' }), code('E1004'));
});

test('packets of source files, in memory and on disk', () => {
  const path = join(folder, 'code.db');
  for (const code of [new PacketCode(), new PacketCode(path)]) {
    code.add('src/login.py', 'def login(user):\n    """Checks the password of a user."""\n');
    code.add('src/menu.py', 'def menu():\n    """Draws the menu."""\n');
    assert.equal(code.count, 2);
    assert.deepEqual(code.paths(), ['src/login.py', 'src/menu.py']);
    const packet = ContextPacket.generate({ task: 'Fix the login of a user in src/login.py', code });
    assert.ok(packet.toPrompt().includes('src/login.py'));
    assert.deepEqual(packet.staleFiles(code), []);
    code.add('src/login.py', 'def login(user):\n    pass\n');
    assert.deepEqual(packet.staleFiles(code), ['src/login.py']);
    code.remove('src/menu.py');
    code.sync();
    code.close();
  }
  assert.ok(existsSync(path));
  const index = new PacketIndex();
  const packet = ContextPacket.parse('version: 1\ncreated: "2026-11-28T12:00:00Z"\ncreator: me\ntarget_task: Add login\ncontext:\n  goal: Add login\n  constrains: [short]\n  decisions:\n    - choice: Use JWT\n      reason: signed\n');
  packet.seal();
  index.add(packet);
  index.add(packet);
  assert.equal(index.count, 1);
  assert.match(index.query('Which login was decided?').answer, /JWT/);
  assert.throws(() => index.query('Who painted the bridge?'), code('E2001'));
  assert.deepEqual(packet.misspeltMembers(), ['context.constrains constraints']);
});
