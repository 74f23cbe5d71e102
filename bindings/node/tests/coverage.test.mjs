// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every function of the C interface is reached, or README.md lists it under "What is missing"; and every function of the addon is used.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { native } from '../dist/native.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const folder = (path, ending) => readdirSync(new URL(path, import.meta.url)).filter((name) => name.endsWith(ending)).map((name) => read(path + name)).join('\n');

const functions = [...read('../../../tests/system/abi/symbols.txt').matchAll(/^(accp_\w+)@@/gm)].map((match) => match[1]);
const source = folder('../native/', '.cc');
const reached = new Set([
  ...[...source.matchAll(/\b(?:NOW|BOTH)\((\w+),/g)].map((match) => `accp_${match[1]}`),
  ...[...source.matchAll(/(?:&|\b)(accp_\w+)\b(?=[(,])/g)].map((match) => match[1]),
  ...[...source.matchAll(/ACCP_KIND\((\w+), (\w+)/g)].map((match) => `accp_${match[1]}_${match[2]}`),
]);
const listed = new Set();
for (const [, name] of read('../README.md').split('## What is missing')[1].matchAll(/`(accp_[\w*]+)`/g)) {
  const pattern = new RegExp(`^${name.replaceAll('*', '\\w+')}$`);
  const found = functions.filter((one) => pattern.test(one));
  assert.ok(found.length > 0, `README.md lists ${name}, which does not exist`);
  found.forEach((one) => listed.add(one));
}

test('every function of the C interface is reached or listed as missing', () => {
  assert.ok(functions.length > 300);
  assert.deepEqual(functions.filter((name) => !reached.has(name) && !listed.has(name)), []);
});

test('nothing is listed as missing that is reached', () => {
  assert.deepEqual([...listed].filter((name) => reached.has(name)), []);
});

test('every function of the addon is used by the package', () => {
  const uses = folder('../src/', '.ts') + read('vectors.test.mjs') + read('misuse.test.mjs');
  const unused = Object.keys(native).filter((name) => !new RegExp(`\\b${name.replace(/_async$/, '')}\\b`).test(uses));
  assert.deepEqual(unused, []);
});

test('README.md shows example/two_agents.mjs, as docs/embedding.md does', () => {
  const shown = read('../example/two_agents.mjs').match(/README begin\n([^]*)\/\/ README end/)[1];
  assert.equal(read('../README.md').match(/```js\n([^]*?)```/)[1], shown);
});
