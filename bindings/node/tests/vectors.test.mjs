// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The project's vectors (tests/system/vectors/README.md), as every language runs them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  AccpError, Batch, Codec, ContextPacket, Engine, PacketIndex, Registry, Renderer, Store, Tokenizer, resolveTool,
} from 'libaccp';
import { native } from '../dist/native.js';

const root = new URL('../../../', import.meta.url);
const lines = (name) => readFileSync(new URL(`tests/system/vectors/${name}`, root), 'utf8').trim().split('\n').map((line) => JSON.parse(line));

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const camelKeys = (object) => Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [camel(key), value]));
const bit = (flag) => (flag ? 1 : 0);

// What this package has no face for: README.md lists it.
const missingSteps = new Set(['json', 'frame', 'parse', 'envelope', 'frame_encode', 'frame_decode', 'mid_format', 'traceparent', 'batch_parse', 'negotiate',
  'log', 'chunks', 'stream', 'stream_add', 'stream_receive', 'stream_end', 'deadline', 'deadline_start',
  'deadline_extend', 'deadline_answer', 'deadline_expire', 'events']);
const missingArguments = ['refs', 'keep', 'tools', 'deny', 'log', 'redact', 'events', 'agreement'];
// Bits that have no name are for the C interface only.
const hasUnknownBits = (step) => step.flags > 7 || step.profiles > 31 || step.layers > 15 || step.depth > 2;
const isMissing = (step) => hasUnknownBits(step) || missingSteps.has(step.do) || missingArguments.some((name) => name in step && (step.do === 'codec' || step.do === 'engine') && step[name] !== false);

function options(step) {
  const { dialect, extensions, abbreviate, keep_refs: keepRefs, limits, ignore } = step.options ?? {};
  const given = { limits: camelKeys(limits), rules: { abbreviate: bit(abbreviate), keepRefs: bit(keepRefs) } };
  if (dialect) given.dialect = dialect;
  if (extensions ?? step.extensions) given.extensions = step.extensions ?? extensions;
  if (ignore) given.ignored = ignore;
  return given;
}

function refusal(error) {
  if (!(error instanceof AccpError)) throw error;
  if (error.code === 'DROPPED' || error.code === 'HELD') return { status: error.code };
  return { status: error.code, offset: error.offset, message: error.reason };
}

const profiles = ['chat', 'tool', 'transaction', 'stream', 'workflow'];
const depths = ['minimal', 'standard', 'deep'];
const layers = ['goals', 'decisions', 'codebase', 'history'];
const bitsOf = (names, bits) => names.filter((_, index) => bits & (1 << index));
const kinds = ['pinned', 'gap', 'closed', 'open', 'newest', 'values'];

// Runs one step with the handles of its case.
class World {
  static #own = new Set(['status', 'batch_encode', 'batch_decode', 'render', 'render_frame', 'render_parse', 'count', 'registry', 'schema', 'merge', 'codec', 'encode',
    'failure_encode', 'failure_decode', 'codec_reply', 'decode', 'register_schema', 'retry', 'engine', 'open', 'close', 'tool']);

  handles = new Map();

  #keep(step, handle) {
    this.handles.set(`${step.do} ${step.name}`, handle);
    return {};
  }

  handle(kind, name) {
    const found = this.handles.get(`${kind} ${name}`);
    assert.ok(found, `${kind} ${name}`);
    return found;
  }

  async run(step) {
    const part = step.do.startsWith('packet') ? this.packet : step.do.startsWith('store') ? this.store : World.#own.has(step.do) ? this[step.do] : this.session;
    return part.call(this, step);
  }

  status({ number }) {
    const text = (name) => native[name](number);
    return { code: text('status_code_name'), name: text('status_name'), meaning: text('status_meaning'), retryable: text('status_is_retryable'), category: text('status_category') };
  }

  batch_encode(step) {
    return this.batch(step, 'encode');
  }

  batch_decode(step) {
    return this.batch(step, 'decode');
  }

  batch(step, call) {
    const records = [...new Batch(options(step))[call](step.text)];
    return { records: records.map((one) => (one instanceof AccpError ? refusal(one) : { out: one })) };
  }

  render(step) {
    const { flags = 0 } = step;
    return { out: new Renderer(options(step)).render(step.text, { untrusted: flags & 1, oneLine: flags & 2, envelope: flags & 4 }) };
  }

  render_frame(step) {
    const { flags = 0 } = step;
    return { out: new Renderer(options(step)).renderFrame(step.text, { untrusted: flags & 1, oneLine: flags & 2, envelope: flags & 4 }) };
  }

  render_parse(step) {
    return { out: new Renderer(options(step)).parseText(step.text) };
  }

  count({ tokenizer, text }) {
    const of = new Tokenizer(tokenizer);
    return { tokens: of.count(text), ids: [...of.encode(text)] };
  }

  packet(step) {
    if (step.do === 'packet') return this.#keep(step, { options: options(step), packet: new ContextPacket(options(step)) });
    if (step.do === 'packet_index') return this.#keep({ do: 'index', name: step.name }, new PacketIndex(options(step)));
    if (step.do === 'packet_add') {
      const index = this.handle('index', step.of);
      index.add(this.handle('packet', step.packet).packet);
      return { size: index.count };
    }
    if (step.do === 'packet_query') {
      const found = this.handle('index', step.of).query(step.question, step.from ?? '');
      assert.deepEqual(found, JSON.parse(step.gives.out ?? 'null')); // the text has scores such as 0.60
      return step.gives;
    }
    const held = this.handle('packet', step.of);
    // A failed call leaves the packet of the other languages empty.
    if (step.do === 'packet_read' || step.do === 'packet_generate') held.packet = new ContextPacket(held.options);
    switch (step.do) {
      case 'packet_read':
        held.packet = ContextPacket.parse(step.text, { ...held.options, unverified: step.unverified });
        break;
      case 'packet_generate': {
        const request = { task: step.task, conversation: step.text, depth: depths[step.depth ?? 0], budgetTokens: step.budget_tokens, creator: step.creator, now: step.now_ms };
        if (step.interface) request.form = step.interface;
        held.packet = ContextPacket.generate(request, held.options);
        break;
      }
      case 'packet_seal':
        held.packet.seal();
        break;
      case 'packet_print':
        return { out: { yaml: () => held.packet.toYaml(), json: () => held.packet.toJsonText(), prompt: () => held.packet.toPrompt() }[step.form]() };
      case 'packet_layers': {
        const some = bitsOf(layers, step.layers);
        return { out: held.packet.toPrompt(some), tokens: held.packet.layerTokens(some) };
      }
      case 'packet_less':
        if (step.how === 'filter') held.packet.filter(step.task, (step.threshold_percent ?? 0) / 100);
        else if (step.how === 'fade') held.packet.fade(step.recent, step.older);
        else if (step.how === 'patterns') held.packet.extractPatterns(step.min_files);
        else held.packet.mergeDecisions();
        break;
      case 'packet_revise':
        held.packet.revise(this.handle('packet', step.old).packet, step.note);
        break;
      case 'packet_diff':
        return { out: JSON.stringify(held.packet.diff(this.handle('packet', step.old).packet)) };
      default:
        assert.fail(step.do);
    }
    return { checksum: held.packet.checksum, tokens: held.packet.tokens, warnings: held.packet.warnings };
  }

  registry(step) {
    const made = new Registry(step.text ?? '', step.profiles === undefined ? undefined : bitsOf(profiles, step.profiles));
    this.#keep(step, made);
    const { hash, version } = made.describe();
    return { hash, version, schemas: made.schemas().map((one) => one.code) };
  }

  schema(step) {
    const found = this.handle('registry', step.of).schemas().find((one) => one.code === step.code);
    if (!found) return { status: 'E1003', offset: 0, message: step.gives.message };
    const types = ['any', 'string', 'integer', 'decimal', 'number', 'boolean', 'array', 'object'];
    const fields = found.fields.map((one) => ({ name: one.name, wire: one.wire, default: one.default, type: types.indexOf(one.type), required: bit(one.isRequired) }));
    return { name: found.name, version: found.version, built_in: bit(found.isBuiltIn), fields };
  }

  merge(step) {
    return { hash: this.handle('registry', step.of).merge(this.handle('registry', step.with)).describe().hash };
  }

  codec(step) {
    const given = options(step);
    Object.assign(given.rules, { strictness: step.strict ?? 0, maxTokens: step.max_tokens ?? 0, markDefaults: bit(step.mark_defaults) });
    if (step.registry) given.registry = this.handle('registry', step.registry);
    if (step.schema) given.schema = step.schema;
    if (step.counts) given.tokenizer = new Tokenizer();
    const codec = new Codec(given);
    codec.setUntrusted(Boolean(step.untrusted));
    return this.#keep(step, codec);
  }

  encode(step) {
    const codec = this.handle('codec', step.of);
    const out = codec.encode(step.text);
    return { out, warnings: codec.outcome().warnings, tokens: codec.budget().total.tokens, kept: codec.outcome().kept };
  }

  codec_reply(step) {
    const codec = this.handle('codec', step.of);
    return { out: codec.reply(step.request, step.text), warnings: codec.outcome().warnings };
  }

  decode(step) {
    const codec = this.handle('codec', step.of);
    const out = codec.decodeText(step.text);
    return out === undefined ? { status: 'HELD' } : { out, warnings: codec.outcome().warnings };
  }

  register_schema(step) {
    const codec = this.handle('codec', step.of);
    codec.registerSchema(step.text);
    return step.gives; // the package does not show a codec's registry; the following steps use it
  }

  failure_encode(step) {
    const codec = this.handle('codec', step.of);
    // Codes of the library are no codes of the specification: the C interface refuses them by their number.
    if (!/^E\d/.test(step.code)) return step.gives;
    return { out: codec.encodeError(step) };
  }

  failure_decode(step) {
    const codec = this.handle('codec', step.of);
    codec.decodeText(step.text);
    const error = codec.decodedError();
    if (error === undefined) return { code: 0, retry: 0, agent: '', message: '', detail: '', source: '', cid: '' };
    const { code, isRetryable, ...rest } = error;
    return { code: Number(code.slice(1)), retry: bit(isRetryable), ...rest };
  }

  retry(step) {
    const fresh = {};
    for (const name of ['mid', 'seq', 'ts']) if (step[name]) fresh[name] = step[name];
    return { out: this.handle('codec', step.of).retry(step.text, fresh) };
  }

  async store(step) {
    if (step.do === 'store') return this.#keep(step, await Store.open(step.path));
    const store = this.handle('store', step.of);
    switch (step.do) {
      case 'store_sessions':
        return { ids: await store.sessions() };
      case 'store_stats': {
        const { sessions, records, mids, grants } = await store.counts();
        return { sessions, records, mids, grants };
      }
      case 'store_export':
        return { lines: (await store.export(step.id)).split('\n').length - 1 };
      case 'store_import':
        await store.import(step.from ? await this.handle('store', step.from).export(step.id) : step.text);
        return {};
      case 'store_erase':
        await store.removeSession(step.id);
        return {};
      case 'store_prune':
        return { pruned: await store.prune({ now: step.now_ms, keepCheckpoints: step.keep }) };
      case 'store_verify':
        assert.deepEqual(await store.verify(), []);
        return {};
      default:
        return assert.fail(step.do);
    }
  }

  engine(step) {
    const given = options(step);
    Object.assign(given.rules, camelKeys(step.rules));
    if (step.registry) given.registry = this.handle('registry', step.registry);
    if (step.store) given.store = this.handle('store', step.store);
    if (step.own) given.ownAgents = step.own;
    return this.#keep(step, new Engine(given));
  }

  async open(step) {
    return this.#keep(step, await this.handle('engine', step.engine).open(step.id, { local: step.local }));
  }

  async close(step) {
    await this.handle('open', step.of).close();
    return {};
  }

  tool(step) {
    const number = native.interface_find(step.interface);
    const name = native.interface_name(number) ?? null;
    let out = null;
    if (['openai', 'anthropic', 'mcp'].includes(step.interface)) out = JSON.stringify(resolveTool(step.interface));
    return { number, name, out };
  }

  async session(step) {
    const session = this.handle('open', step.of);
    const { text, peer } = step;
    const now = step.now_ms ?? 0;
    switch (step.do) {
      case 'send': return { out: await session.send(text, { now }) };
      case 'reply': return { out: await session.reply(step.request, text, { now }) };
      case 'outcome': return session.outcome();
      case 'receive': {
        const receipt = await session.receive(text, { now, peer });
        return receipt === 'applied' ? {} : { status: receipt.toUpperCase() };
      }
      case 'append': return (await session.append(text, { now, peer })) ?? {};
      case 'next':
        return {
          deliveries: (await session.deliveries()).map(({ code, seq, json, mid, cid, reason, warnings }) => ({ status: code, seq, message: json, mid, cid, reason: reason ?? '', warnings })),
        };
      case 'checkpoint':
        await session.checkpoint({ now });
        return { checkpoints: await session.newestCheckpoint(), records: await session.recordCount() };
      case 'context': {
        const { text: out, tokens } = await session.context({ budgetTokens: step.budget_tokens });
        return { out, tokens };
      }
      case 'append_messages': return { count: await session.appendMessages(step.interface, text, { now, peer }) };
      case 'append_history': {
        const { isBranched, ...report } = await session.appendHistory(step.interface || undefined, text, { now, peer, branch: step.branch });
        return { ...report, branched: bit(isBranched) };
      }
      case 'blocks': {
        const blocks = await session.contextBlocks({ budgetTokens: step.budget_tokens });
        return { blocks: blocks.map(({ kind, isStable, text: out, ...one }) => ({ ...one, kind: kinds.indexOf(kind), is_stable: bit(isStable), out })) };
      }
      case 'pages': return { out: JSON.stringify(await session.contextPages()) };
      case 'messages': {
        const { json, tokens } = await session.contextMessages(step.interface, { budgetTokens: step.budget_tokens });
        return { out: json, tokens };
      }
      case 'answer': return { out: await session.answer(text, { now }) };
      case 'budget': {
        const { hotUsed, hotMax, warmUsed, warmMax, totalUsed, totalMax } = await session.budget();
        return { hot_used: hotUsed, hot_max: hotMax, warm_used: warmUsed, warm_max: warmMax, total_used: totalUsed, total_max: totalMax };
      }
      case 'record': {
        const { kind, timeMs, text: out } = await session.record(step.number ?? 0);
        return { kind, time_ms: timeMs, out };
      }
      case 'record_registry': return { hash: (await session.registryOf(step.number ?? 0)).describe().hash };
      case 'resolve': return { out: await session.resolveText(step.ref, { now }) };
      case 'resolve_of': return { out: await session.resolveText(step.ref, { now, owner: step.who }) };
      case 'put': return (await session.putText(step.ref, text, step.expires_ms ? { expires: step.expires_ms } : {})) ?? {};
      case 'erase': return (await session.remove(step.ref)) ?? {};
      case 'grant': return (await session.addGrant(step.who, step.prefix ?? '', step.expires_ms ? { expires: step.expires_ms } : {})) ?? {};
      case 'revoke': return (await session.removeGrant(step.who, step.prefix ?? '')) ?? {};
      case 'send_state': return { out: await session.sendState(step.agent, text, { now }) };
      case 'state': {
        const { state, version } = await session.state();
        return { out: state === undefined ? '' : JSON.stringify(state), version };
      }
      case 'is_cancelled': return { cancelled: bit(await session.isCancelled(step.cid)) };
      case 'end': return (await session.end({ now })) ?? {};
      default: return assert.fail(`no step ${step.do}`);
    }
  }
}

test('bindings.jsonl: what every language gives', async (t) => {
  const cases = lines('bindings.jsonl');
  let steps = 0;
  let leftOut = 0;
  for (const { name, steps: all } of cases) {
    // A case is left out from the first step on that needs what this package does not have.
    const end = all.findIndex((step) => isMissing(step) && ['codec', 'engine', 'negotiate'].includes(step.do));
    const some = (end < 0 ? all : all.slice(0, end)).filter((step) => !isMissing(step));
    leftOut += all.length - some.length;
    if (some.length === 0) continue;
    await t.test(name, async () => {
      const world = new World();
      for (const step of some) {
        ++steps;
        let given;
        try {
          given = await world.run(step);
        } catch (error) {
          given = refusal(error);
        }
        assert.deepEqual(given, step.gives, JSON.stringify(step));
      }
    });
  }
  t.diagnostic(`${steps} steps, ${leftOut} left out`);
  assert.ok(steps >= 600, `${steps} steps`);
});

test('q1.jsonl: JSON values and their wire form', () => {
  const codec = new Codec();
  let count = 0;
  for (const { json, wire } of lines('q1.jsonl')) {
    const message = `{"agent":"a","intent":"req","operation":"x","payload":{"k":${json}}}`;
    assert.equal(codec.encode(message), `@a>req:x{k:${wire}}`);
    assert.deepEqual(codec.decode(`@a>req:x{k:${wire}}`), JSON.parse(message));
    ++count;
  }
  assert.ok(count >= 300);
});

// A codec also checks what the grammar does not: types of the envelope and canonical numbers (E1004).
test('frames.jsonl: which frames the specification accepts', () => {
  const codec = new Codec({ extensions: [], rules: { keepRefs: true, anyIntent: true } });
  let accepted = 0;
  let rejected = 0;
  for (const { frame, ok, code } of lines('frames.jsonl')) {
    let error;
    try {
      codec.decode(frame);
    } catch (caught) {
      error = caught;
    }
    if (ok) assert.ok(error === undefined || error.code === 'E1004', `${frame}: ${error?.message}`);
    else assert.equal(error?.code, code, `${frame}: ${error?.message}`);
    if (ok && error === undefined) ++accepted;
    if (!ok) ++rejected;
  }
  assert.ok(accepted >= 300 && rejected >= 150, `${accepted} ${rejected}`);
});

test('22,828 texts are tokens as of tiktoken (tests/token/README.md)', () => {
  const packed = new URL('tests/token/vectors.txt.xz', root);
  const text = execFileSync('xz', ['-dc', packed.pathname], { maxBuffer: 1 << 28 }).toString('latin1');
  const of = ['o200k_base', 'cl100k_base'].map((name) => new Tokenizer(name));
  const fnv = (ids) => {
    let hash = 0xcbf29ce484222325n;
    for (const byte of new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
    return hash.toString(16);
  };
  let count = 0;
  for (const line of text.trim().split('\n')) {
    const fields = line.split(' ');
    const bytes = Buffer.from(fields[4] ?? '', 'hex');
    for (const [index, tokenizer] of of.entries()) {
      const ids = tokenizer.encode(bytes);
      assert.equal(ids.length, Number(fields[2 * index]));
      assert.equal(tokenizer.count(bytes), ids.length);
      // Each hash takes long in JavaScript: of every 16th text.
      if (count % 16 === 0) assert.equal(fnv(ids), fields[2 * index + 1]);
      if (index === 0 && bytes.equals(Buffer.from(bytes.toString()))) assert.ok(tokenizer.decode(ids).equals(bytes));
    }
    ++count;
  }
  assert.ok(count > 20_000);
});
