// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random calls of the addon, with objects of every kind, open and closed, and values of every type: each returns, or throws a typed error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AccpError } from 'libaccp';
import { native } from '../dist/native.js';

const kSeed = Number(process.env.ACCP_SEED ?? 1);
const kCalls = Number(process.env.ACCP_CALLS ?? 40_000);

// Mulberry32.
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// These would make files, or close what others use in an order that is tested elsewhere.
const excluded = new Set(['packet_code_new_on_disk', 'store_open', 'store_open_async', 'cancel']);
const names = Object.keys(native).filter((name) => !excluded.has(name));
// The names of the arguments, from the table of the addon.
const table = readFileSync(new URL('../native/addon.cc', import.meta.url), 'utf8');
const argumentsOf = new Map([...table.matchAll(/\b(?:NOW|BOTH|OWN)\((\w+), "([^"]*)"\)|\{\{"(\w+)", "([^"]*)"\}/g)].map((match) => [match[1] ?? match[3], (match[2] ?? match[4]).split(' ')]));

const message = '{"agent":"a","intent":"req","operation":"x","payload":{"k":"v"}}';
const texts = ['', 'a', message, '@a>req:x{k:v}', '[1,2]', '{"ref":"$cold.m1"}', 'cold.k', 'warm.k', '{}', 'openai', 'null', '\u{1f600}', '\ud800', 'x'.repeat(700), '{"role":"user","content":"hi"}',
  'User: The login must use OAuth.', '{"g":"X","plan":[["a","T",{}]]}', 'o200k_base'];

test(`${kCalls} random calls, seed ${kSeed}`, async (t) => {
  const random = generator(kSeed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const byKind = new Map();
  const handles = () => [...byKind.values()].flat();
  const keep = (kind, made) => {
    const list = byKind.get(kind) ?? [];
    byKind.set(kind, list);
    list.push(made);
    if (list.length > 12) list.splice(Math.floor(random() * list.length), 1);
  };
  const fresh = () => {
    const store = native.store_open('memory:', 0, undefined);
    const config = native.config_new();
    native.config_set_store(config, store);
    const engine = native.engine_new(config);
    const tokenizer = native.tokenizer_new('o200k_base', undefined);
    const library = native.library_new('', undefined);
    const made = { store, config, engine, library, session: native.session_open(engine, pick(['s', 't', 'u']), 0), codec: native.codec_new(undefined), batch: native.batch_new(undefined),
      renderer: native.render_new(undefined), packet: native.packet_new(undefined), code: native.packet_code_new(undefined), index: native.packet_index_new(undefined),
      registry: native.registry_new('', 31, undefined), counter: native.counter_new(tokenizer, undefined), sacp: native.sacp_new(library), tokenizer };
    made.run = native.run_new(['{"g":"X","plan":[["a","T",{}]]}', '', '', 1, undefined, '', 0], undefined);
    for (const [kind, one] of Object.entries(made)) keep(kind, one);
  };
  const right = (argument, name) => {
    if (argument === 'tokenizer' && /^counter_(?!new)/.test(name)) argument = 'counter';
    if (argument === 'other') argument = 'registry';
    if (argument === 'old') argument = 'packet';
    if (argument === 'object') return pick(handles());
    if (argument === 'options' || argument === 'peer') return pick([undefined, undefined, ['a', 1], ['', undefined], ['branch', ['a', 0]]]);
    if (argument === 'request' && /packet_generate|generate_packet/.test(name)) return ['task', 'User: use OAuth', 8, 1, 0, '', 0, pick([undefined, pick(byKind.get('code'))])];
    if (argument === 'envelope') return { mid: 'a12345678901', seq: 1, ts: 7 };
    if (argument === 'ids') return new Uint32Array([1, 2]);
    if (byKind.has(argument)) return pick(byKind.get(argument));
    if (/^(now|flags|form|budgetTokens|expires|limit|rule|max|number|record|call|cause|reading|layers|recent|older|minFiles|threshold|profiles|origin|spelling|beside|indented|outFmt|keepCheckpoints|index|schema|status)$/.test(argument))
      return argument === 'now' ? 1_700_000_000_000 : pick([0, 1, 2, 3]);
    return pick(texts);
  };
  const value = () => {
    const kind = random();
    if (kind < 0.4) return pick(handles());
    if (kind < 0.65) return pick(texts);
    if (kind < 0.8) return pick([0, 1, 2, 7, 1_700_000_000_000, -1, 1.5, NaN, Infinity, 2 ** 53, 4294967295]);
    return pick([undefined, null, true, {}, [], ['a', 0], ['', undefined], ['task', 'User: use OAuth', 8, 1, 0, '', 0, undefined], Buffer.from(message), new Uint32Array([1, 2]), new Float64Array(2),
      { mid: 'a12345678901', seq: 1 }, 7n, Symbol('x'), () => {}, [message, '', '', 1, undefined, '', 0]]);
  };
  fresh();
  const pending = [];
  let good = 0;
  let refused = 0;
  for (let call = 0; call < kCalls; ++call) {
    if (call % 100 === 0) fresh();
    const name = pick(names);
    if (name.startsWith('close') && random() < 0.9) continue;
    const called = name.replace(/_async$/, '');
    const values = (argumentsOf.get(called) ?? []).map((argument) => (random() < 0.9 ? right(argument, called) : value()));
    while (random() < 0.05) values.splice(Math.floor(random() * (values.length + 1)), 1, value());
    try {
      const made = native[name](...values);
      if (made instanceof Promise) pending.push(made.then(() => ++good, (error) => assert.ok(error instanceof AccpError && ++refused, String(error))));
      else ++good;
    } catch (error) {
      assert.ok(error instanceof AccpError, `${name}: ${error}`);
      ++refused;
    }
    if (pending.length > 50) await Promise.all(pending.splice(0));
  }
  await Promise.all(pending);
  t.diagnostic(`${good} good, ${refused} refused`);
  assert.ok(good > kCalls / 4 && refused > kCalls / 4, `${good} good, ${refused} refused`);
});
