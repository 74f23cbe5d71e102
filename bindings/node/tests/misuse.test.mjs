// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Wrong arguments, closed objects and odd texts give typed errors, never a crash.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as libaccp from 'libaccp';
import { native } from '../dist/native.js';
import { statuses } from '../dist/names.generated.js';

const { AccpError, Batch, Codec, ContextPacket, Engine, PacketCode, PacketIndex, Registry, Renderer, Store, TokenCounter, Tokenizer } = libaccp;

const code = (expected, text = /./) => (error) => {
  assert.ok(error instanceof AccpError, String(error?.stack ?? error));
  assert.equal(error.code, expected, error.message);
  assert.match(error.message, text);
  return true;
};
const message = { agent: 'a', intent: 'req', operation: 'x', payload: {} };

test('the table of codes is that of the library', () => {
  for (const [number, { code: symbol, name, meaning, isRetryable }] of statuses) {
    assert.equal(native.status_code_name(number), symbol);
    assert.equal(native.status_name(number), name);
    assert.equal(native.status_meaning(number), meaning);
    assert.equal(native.status_is_retryable(number) !== 0, isRetryable);
  }
  assert.ok(statuses.size >= 25);
});

test('an error has the code, the place, the numbers and what to do', () => {
  const codec = new Codec({ rules: { maxTokens: 20 } });
  assert.throws(() => codec.encode({ ...message, payload: { text: 'many words '.repeat(40) } }), (error) => {
    code('E2003', /^E2003 BUDGET_EXCEEDED in codec\.encode: .*\(\d+ of 20\); raise the limit/)(error);
    assert.ok(error.found > 20);
    assert.equal(error.allowed, 20);
    assert.equal(error.codeName, 'BUDGET_EXCEEDED');
    assert.equal(error.isRetryable, false);
    assert.equal(error.name, 'AccpError');
    assert.ok(error.meaning.length > 10 && error instanceof Error);
    return true;
  });
  assert.throws(() => codec.decode('@a>req:x{k:'), code('E1001', /at byte 11: the frame ends too early/));
});

test('an unknown option is named, with the likely one and the known ones', async () => {
  assert.throws(() => new Engine({ stroe: 1 }), code('ERR_ARG', /new Engine\(\) has no option 'stroe': perhaps store; its options are store, limits, rules, /));
  assert.throws(() => new Engine({ hostTokens: 1 }), code('ERR_ARG', /'hostTokens': it is a rule, rules: \{ hostTokens \}/));
  assert.throws(() => new Engine({ jsonBytes: 1 }), code('ERR_ARG', /it is a limit, limits: \{ jsonBytes \}/));
  assert.throws(() => new Engine({ qqqqqq: 1 }), code('ERR_ARG', /'qqqqqq': its options are store/));
  assert.throws(() => new Engine({ '': 1, toString: 1 }), code('ERR_ARG', /has no option ''/));
  assert.throws(() => new Engine({ toString: 1 }), code('ERR_ARG', /has no option 'toString'/));
  const store = Store.openSync('memory:');
  for (const [type, name] of [[Codec, 'Codec'], [Batch, 'Batch'], [ContextPacket, 'ContextPacket'], [PacketIndex, 'PacketIndex'], [Renderer, 'Renderer']])
    assert.throws(() => new type({ store }), code('ERR_ARG', new RegExp(`new ${name}\\(\\) has no option 'store'`)));
  assert.throws(() => new PacketCode(undefined, { rule: {} }), code('ERR_ARG', /new PacketCode\(\) has no option 'rule': perhaps rules/));
  await assert.rejects(Store.open('memory:', { readonly: true }), code('ERR_ARG', /Store\.open\(\) has no option 'readonly': perhaps readOnly/));
  assert.throws(() => Store.openSync('memory:', { Existing: true }), code('ERR_ARG', /perhaps existing/));
  await assert.rejects(new Engine().open('s', { readonly: true }), code('ERR_ARG', /engine\.open\(\) has no option 'readonly': perhaps readOnly/));
  assert.throws(() => new Engine(7), code('ERR_ARG', /must be an object/));
  new Engine({ stroe: undefined, store }).close();
});

test('wrong types name the argument, and what was found', async () => {
  const session = new Engine().openSync('s');
  assert.throws(() => session.receiveSync(7), code('ERR_ARG', /frame: it must be a string or a Uint8Array, not a number/));
  await assert.rejects(session.receive(null), code('ERR_ARG', /not null/));
  await assert.rejects(session.append(undefined), code('ERR_ARG', /not undefined/));
  await assert.rejects(session.append(Symbol('x')), code('ERR_ARG', /not symbol/));
  await assert.rejects(session.append(message, { peer: 'me' }), code('ERR_ARG', /peer/));
  await assert.rejects(session.append(message, { peer: { agents: ['a,b'] } }), code('ERR_ARG', /comma/));
  await assert.rejects(session.append(message, { now: 'today' }), (error) => error instanceof TypeError || error instanceof AccpError);
  await assert.rejects(session.append(message, { now: NaN }), code('ERR_ARG', /now: it must be a whole number/));
  for (const budgetTokens of [-1, 1.5, Infinity, 2 ** 60, '7', {}, 7n]) assert.throws(() => session.contextSync({ budgetTokens }), code('ERR_ARG', /budgetTokens/));
  await assert.rejects(session.record(-1), code('ERR_ARG'));
  await assert.rejects(session.putPacket({}), code('ERR_ARG', /packet must be a ContextPacket, not Object/));
  assert.throws(() => new Engine({ store: {} }), code('ERR_ARG', /options\.store must be a Store, not Object/));
  assert.throws(() => new Engine({ rules: { maxToken: 1 } }), code('ERR_ARG', /no rule 'maxToken'/));
  assert.throws(() => new Engine({ rules: { max_tokens: 1 } }), code('ERR_ARG', /camelCase/));
  assert.throws(() => new Engine({ limits: { params: -1 } }), code('ERR_ARG'));
  assert.throws(() => new Engine({ extensions: ['q2'] }), code('ERR_ARG', /no extension 'q2'/));
  assert.throws(() => new Engine({ rules: { hotMax: 1e12 } }), code('ERR_ARG', /in options\.rules: .*hot_max/));
  assert.throws(() => new Codec().setEnvelope({ get mid() { throw new RangeError('mine'); } }), RangeError);
  assert.throws(() => new Engine(7), code('ERR_ARG', /options/));
  assert.throws(() => new Registry(7), code('ERR_ARG'));
  assert.throws(() => new Registry('{}', ['chess']), code('ERR_ARG', /no profile 'chess'/));
  assert.throws(() => new Tokenizer('gpt-9'), code('ERR_ARG'));
  assert.throws(() => new Batch().decode(7), code('ERR_ARG', /not number/));
  assert.throws(() => new Batch().decode(['a\nb']), code('ERR_ARG', /line feed/));
  assert.throws(() => new Batch().decode('x').text(1), code('ERR_ARG', /no line 1/));
  assert.throws(() => new Tokenizer().decode([1, 2]), code('ERR_ARG', /Uint32Array/));
  assert.throws(() => ContextPacket.generate({ task: '' }), code('ERR_ARG'));
  assert.throws(() => new ContextPacket().toYaml(), code('ERR_ARG', /empty/));
  await assert.rejects(Store.open(7), code('ERR_ARG', /name/));
  assert.throws(() => new Engine().openSync(''), code('ERR_ARG'));
  assert.throws(() => new Engine().openSync('x'.repeat(257)), code('ERR_ARG'));
});

test('a handle of another kind is refused by the addon itself', () => {
  const engine = native.engine_new(undefined);
  for (const wrong of [undefined, null, 7, 'x', {}, [], () => {}, engine, native.config_new()]) {
    assert.throws(() => native.session_context(wrong, 0), code('ERR_ARG', /session/));
    assert.throws(() => native.config_set_rule(engine, 0, wrong), code('ERR_ARG'));
  }
  assert.throws(() => native.close({}), code('ERR_ARG'));
  assert.equal(native.cancel({}, 1), false);
  assert.throws(() => native.session_open(), code('ERR_ARG'));
});

test('closed objects', async () => {
  const engine = new Engine();
  const session = await engine.open('s');
  await session.close();
  await session.close();
  session.closeSync();
  assert.throws(() => session.contextSync(), code('CLOSED_HANDLE', /the session was closed/));
  await assert.rejects(session.append(message), code('CLOSED_HANDLE'));
  engine.close();
  engine.close();
  await assert.rejects(engine.open('t'), code('CLOSED_HANDLE'));
  for (const [object, use] of [
    [new Codec(), (it) => it.encode(message)], [new Batch(), (it) => it.decode('')], [new Renderer(), (it) => it.render({})], [new Tokenizer(), (it) => it.name],
    [new Registry(), (it) => it.describe()], [new ContextPacket(), (it) => it.tokens], [new PacketIndex(), (it) => it.count], [new PacketCode(), (it) => it.count],
    [new TokenCounter(new Tokenizer()), (it) => it.total()],
  ]) {
    object[Symbol.dispose]();
    assert.throws(() => use(object), code('CLOSED_HANDLE'), object.constructor.name);
  }
  const store = await Store.open('memory:');
  await store[Symbol.asyncDispose]();
  assert.throws(() => new Engine({ store }), code('CLOSED_HANDLE'));
});

test('an engine, a store and a tokenizer may be closed before what uses them', async () => {
  const store = await Store.open('memory:');
  const tokenizer = new Tokenizer();
  const engine = new Engine({ store, tokenizer });
  const session = await engine.open('s');
  store.closeSync();
  tokenizer.close();
  engine.close();
  await session.append(message);
  assert.equal(await session.recordCount(), 1);
});

test('texts: lone surrogates, NUL, all planes, bytes that are not UTF-8', async () => {
  const session = new Engine().openSync('s');
  const lone = ['\ud800', '\udc00', 'ok \udfff', '\ud83d', `${'ä'.repeat(1000)}\ud800`];
  for (const text of lone) {
    assert.throws(() => session.putSync('cold.x', 1, {}) ?? native.session_put(native.engine_new(undefined), text), AccpError);
    await assert.rejects(session.resolve(text), code('E1004', /lone surrogate/));
  }
  await assert.rejects(session.resolve(`${'ä'.repeat(1000)}\ud800`), (error) => error.offset === 2000);
  // JSON.stringify() writes them as escapes, which the library refuses.
  await assert.rejects(session.append({ ...message, payload: { text: '\ud800' } }), (error) => error instanceof AccpError);
  // U+FFFD itself is a character as any other.
  for (const text of ['\u0000', '\ufffd', 'a\u0000b', '😀', '\u{10ffff}', 'ä'.repeat(300), '日本語'.repeat(500), 'x'.repeat(511), 'x'.repeat(512), `${'x'.repeat(508)}😀`, 'y'.repeat(1_000_000)]) {
    await session.put('cold.text', text);
    assert.equal(await session.resolve('cold.text'), text);
    assert.equal(session.resolveSync('cold.text'), text);
  }
  await assert.rejects(session.append(Buffer.from([0xff, 0xfe])), AccpError);
  await assert.rejects(session.append(new Uint16Array(2)), code('ERR_ARG'));
  await assert.rejects(session.append(new Uint8Array(new SharedArrayBuffer(8))), code('ERR_ARG', /shared/));
  const some = Buffer.from(`xx${JSON.stringify(message)}xx`).subarray(2, -2);
  await session.append(some);
  const copied = Buffer.from(JSON.stringify(message));
  const done = session.append(copied);
  copied.fill(0); // it was copied already
  await done;
  assert.equal(await session.recordCount(), 2);
});

test('huge texts', async () => {
  const tokenizer = new Tokenizer();
  const long = 'word '.repeat(4_000_000); // 20 MB
  assert.equal(tokenizer.count(long, 1000), 1001);
  const session = new Engine().openSync('s');
  await assert.rejects(session.append(`{"x":"${'y'.repeat(20_000_000)}"}`), (error) => error instanceof AccpError && error.allowed === 16777216);
  assert.throws(() => new Codec().encode({ ...message, payload: { text: 'z'.repeat(100_000) } }), code('E1001', /of 65536/));
});

test('every class is exported, by import and by require', async () => {
  const { createRequire } = await import('node:module');
  const required = createRequire(import.meta.url)('libaccp');
  for (const name of Object.keys(required)) assert.equal(libaccp[name], required[name], name);
  assert.ok(Object.keys(required).length >= 20);
  assert.match(libaccp.version(), /^\d+\.\d+\.\d+$/);
});

test('another platform: the error says what the package has', () => {
  const { status, stderr } = spawnSync(process.execPath, ['-e', "require('./dist/index.js')"], {
    cwd: new URL('..', import.meta.url), env: { ...process.env, npm_config_arch: 'mips64' }, encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /libaccp has no binary for this platform \(linux-\w+\), or it cannot be loaded: .*Binaries are for Linux with glibc/);
});
