// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// bench.mjs NATIVE MESSAGES: the cost of calls of the package, beside the same calls in C (native.c) over the same library. Each figure is the least of
// the rounds, because other load only adds. --gate: exit status 1 if a limit is not met.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Batch, Codec, Engine, Tokenizer } from '../dist/index.mjs';

const isGate = process.argv.includes('--gate');
const [native, file] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const kRounds = 100;
const kBatch = 64;

const messages = readFileSync(file, 'utf8').trim().split('\n');
const codec = new Codec({ rules: { keepRefs: true } });
const frames = messages.map((message) => codec.encode(message));
const bytes = frames.map((frame) => Buffer.from(frame));
const batch = new Batch({ rules: { keepRefs: true } });
const tokenizer = new Tokenizer();
const session = new Engine().openSync('s');
for (let turn = 0; turn < 20; ++turn) session.appendMessagesSync('openai', { role: turn % 2 ? 'assistant' : 'user', content: `text ${turn} of a talk` });
const batches = [];
for (let i = 0; i + kBatch <= frames.length; i += kBatch) batches.push(`${frames.slice(i, i + kBatch).join('\n')}\n`);
const batchBytes = batches.map((one) => Buffer.from(one));

let sum = 0;
const least = {};
function measure(name, run, per) {
  const began = process.hrtime.bigint();
  run();
  const took = Number(process.hrtime.bigint() - began) / per;
  least[name] = Math.min(least[name] ?? Infinity, took);
}
const each = (list, run) => () => {
  for (const one of list) run(one);
};

const all = frames.length;
const batched = batches.length * kBatch;
const cases = [
  ['encode', each(messages, (one) => (sum += codec.encode(one).length)), all],
  ['decode', each(frames, (one) => (sum += codec.decodeText(one).length)), all],
  ['decodeBytes', each(bytes, (one) => (sum += codec.decodeText(one).length)), all],
  ['decodeObject', each(frames, (one) => (sum += codec.decode(one).agent.length)), all],
  ['parse', each(messages, (one) => (sum += JSON.parse(one).agent.length)), all],
  ['count', each(frames, (one) => (sum += tokenizer.count(one))), all],
  ['batch', each(batches, (one) => (sum += batch.decode(one).all.length)), batched],
  ['batchBytes', each(batchBytes, (one) => (sum += batch.decode(one).all.length)), batched],
  ['batchTexts', each(batches, (one) => {
    for (const text of batch.decode(one)) sum += text.length;
  }), batched],
  ['context', () => {
    for (let i = 0; i < 200; ++i) sum += session.contextMessagesSync('openai').json.length;
  }, 200],
];
for (const [name, run, per] of cases) for (let round = 0; round < kRounds; ++round) measure(name, run, per);
for (let round = 0; round < kRounds; ++round) {
  const began = process.hrtime.bigint();
  for (let i = 0; i < 200; ++i) sum += (await session.contextMessages('openai')).json.length;
  least.promise = Math.min(least.promise ?? Infinity, Number(process.hrtime.bigint() - began) / 200);
}
const inC = {};
for (let round = 0; round < 3; ++round) {
  for (const line of execFileSync(native, [file], { encoding: 'utf8' }).trim().split('\n')) {
    const [name, figure] = line.split(' ');
    inC[name] = Math.min(inC[name] ?? Infinity, Number(figure));
  }
}

let isMissed = false;
function row(what, name, peer, kind, limit) {
  const value = kind === 'over' ? least[name] - inC[peer] : least[name] / inC[peer];
  const isMet = limit === undefined || value <= limit;
  if (!isMet) isMissed = true;
  const shown = kind === 'over' ? `${value.toFixed(0).padStart(6)} ns over C` : `${value.toFixed(2).padStart(6)} x C    `;
  const verdict = limit === undefined ? '' : `must be <= ${limit}: ${isMet ? 'met' : 'NOT met'}`;
  console.log(`${what.padEnd(44)} ${least[name].toFixed(0).padStart(7)} ns  C ${inC[peer].toFixed(0).padStart(6)} ns ${shown}  ${verdict}`);
}
row('encode, string to string', 'encode', 'encode', 'over', 1300);
row('decode, string to string', 'decode', 'decode', 'over', 1300);
row('decode, bytes to string', 'decodeBytes', 'decode', 'over', 1300);
row('count the tokens of a frame', 'count', 'count', 'over', 1300);
row('context of 20 messages, without a promise', 'context', 'context', 'over', 1300);
row('context of 20 messages, with a promise', 'promise', 'context', 'over');
row('decode to an object', 'decodeObject', 'decode', 'over');
row(`batch of ${kBatch} decoded, from bytes, a frame`, 'batchBytes', 'batch', 'times', 1.2);
row(`batch of ${kBatch} decoded, from a string, a frame`, 'batch', 'batch', 'times');
row(`batch of ${kBatch} decoded, and each text read`, 'batchTexts', 'batch', 'times');
console.log(`JSON.parse() of a message: ${least.parse.toFixed(0)} ns (${all} messages, Node ${process.versions.node})`);
if (sum === 0 || (isGate && isMissed)) process.exitCode = 1;
