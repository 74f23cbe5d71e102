// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP: checks, completion, and plans whose tools are functions.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccpError, Codec, JsonText, Registry, Sacp, SacpLibrary, Store, runPlan, sacpRegistry } from 'libaccp';

const hotel = new URL('../../../docs/examples/hotel/', import.meta.url);
const read = (name) => readFileSync(new URL(name, hotel), 'utf8');

test('a message is checked, completed, spelled and converted', () => {
  const sacp = new Sacp(new SacpLibrary(read('library.json')));
  const asked = sacp.check(read('request.json'));
  assert.equal(asked.answer, 'REQ_CLARIFY');
  assert.ok(asked.needs.some((one) => one.startsWith('step.')), JSON.stringify(asked));
  const { message, verdict } = sacp.plan(read('request.json'));
  assert.equal(verdict.isValid, true);
  assert.deepEqual(verdict.needs, []);
  assert.equal(sacp.check({ g: 'X', plan: [['fly', 'PLANE', {}]] }).code, 'UNKNOWN_VERB');
  assert.equal(sacp.check({ g: 'X', plan: [['fly', 'PLANE', {}]] }, { lenient: true }).isValid, true);
  assert.equal(sacp.plan('{"g":7}').verdict.isValid, false);
  assert.throws(() => sacp.spell('{'), AccpError);
  assert.ok(sacp.spell(message, 'brief').length < sacp.spell(message, 'full').length);
  const sent = sacp.toMessage(message, 'planner');
  assert.equal(sacp.fromMessage(sent), sacp.spell(message));
  assert.ok(new Codec({ registry: new Registry(sacpRegistry()) }).encode(sent).startsWith('@planner>'));
  assert.equal(sacp.checkReply('prose', 'worker').code, 'OUTPUT_DISCIPLINE');
  assert.equal(sacp.checkReply('prose', 'worker', { outFmt: 'human' }).isValid, true);
  assert.ok(sacp.specification().includes('H_API'));
  assert.ok(sacp.prompt('finder', ['search'], ['H_API']).includes('finder'));
  assert.equal(sacp.thread('{"msg_id":"a"}\n{"msg_id":"b","reply_to":"a"}')[1].depth, 1);
  assert.equal(sacp.checkLibrary('{"verbs":7}').isValid, false);
  assert.match(sacp.verdictText(), /"status":"ERR"/);
  assert.throws(() => new SacpLibrary('{"verbs":7}'), AccpError);
  assert.throws(() => new Sacp({}), (error) => error.code === 'ERR_ARG');
});

test('a plan with three programs as its tools', async () => {
  const program = (name) => (call, signal) =>
    new Promise((resolve, reject) => {
      const child = execFile(new URL(name, hotel).pathname, { signal }, (error, output) => (error ? reject(error) : resolve(new JsonText(output))));
      child.stdin.end(call.paramsText);
    });
  const sacp = new Sacp(new SacpLibrary(read('library.json')));
  const { message } = sacp.plan(read('request.json'));
  const result = await runPlan({ message, library: read('library.json') }, { H_API: program('search'), RANK: program('rank'), PRES: program('present') });
  assert.equal(result.state, 'DONE', JSON.stringify(result.final));
  assert.equal(`${result.output}`.trim(), read('expected.txt').trim());
});

const plan = (...steps) => ({ g: 'X', plan: steps });
const lenient = { lenient: true, policy: { backoff_ms: 1, jitter_percent: 0 } };

test('branches run at once, and a failed try is repeated', async () => {
  let running = 0;
  let most = 0;
  let tries = 0;
  let meet;
  const met = new Promise((resolve) => (meet = resolve));
  const wait = async ({ params }) => {
    most = Math.max(most, ++running);
    if (running === 3) meet();
    await Promise.race([met, sleep(120_000, undefined, { ref: false })]);
    --running;
    return params;
  };
  const shaky = () => {
    if (++tries < 2) throw new Error('not yet');
    return tries;
  };
  const message = plan({ parallel: [['a', 'WAIT', { n: 1 }], ['a', 'WAIT', { n: 2 }], ['a', 'WAIT', { n: 3 }]] }, ['join', 'MERGE', {}], ['b', 'SHAKY', { list: '$step.2' }]);
  const result = await runPlan({ message, ...lenient }, { WAIT: wait, SHAKY: shaky });
  assert.equal(result.state, 'DONE', JSON.stringify(result.final));
  assert.equal(most, 3);
  assert.equal(result.output, 2);
  assert.deepEqual(result.stepResults['2'], [{ n: 1 }, { n: 2 }, { n: 3 }]);
  assert.equal(result.failures[0].error.message, 'not yet');
  assert.equal(result.failures[0].call.tool, 'SHAKY');
  assert.ok(result.trace.some((one) => one.reason === 'not yet'));
});

test('a tool that always fails, is missing, is late, or returns no JSON', async () => {
  const fail = async (tools, policy = {}) => {
    const result = await runPlan({ message: plan(['a', 'T', {}]), lenient: true, policy: { ...lenient.policy, retries: 0, ...policy } }, tools);
    assert.equal(result.state, 'FAILED');
    return JSON.stringify(result.final);
  };
  assert.match(await fail({ T: () => Promise.reject(new Error('broken \ud800')) }), /TOOL_FAILED/);
  assert.match(await fail({}), /NO_AGENT/);
  let aborted = false;
  const late = (_, signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
  assert.match(await fail({ T: late }, { timeout_ms: 200 }), /TIMEOUT/);
  assert.equal(aborted, true);
  assert.match(await fail({ T: () => 1n }), /TOOL_FAILED/);
  const empty = await runPlan({ message: plan(['a', 'T', {}]), lenient: true }, { T: () => undefined });
  assert.equal(empty.output, null);
  const refused = await runPlan({ message: plan(['a', 'T', {}]), library: read('library.json') }, {});
  assert.equal(refused.state, 'REFUSED');
  assert.match(JSON.stringify(refused.final), /UNKNOWN_VERB/);
  await assert.rejects(runPlan({ message: '{}', policy: { retries: -1 } }, {}), AccpError);
  await assert.rejects(runPlan({ message: 7 }, {}), AccpError);
  await assert.rejects(runPlan({ message: {} }, undefined), AccpError);
});

test('an aborted plan stops its tools', async () => {
  const controller = new AbortController();
  let stopped = false;
  const slow = (_, signal) => new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      stopped = true;
      reject(signal.reason);
    });
    setTimeout(() => controller.abort(new Error('enough')), 10);
  });
  await assert.rejects(runPlan({ message: plan(['a', 'T', {}], ['b', 'U', {}]), lenient: true, signal: controller.signal }, { T: slow, U: () => assert.fail('called') }), /enough/);
  assert.equal(stopped, true);
  await assert.rejects(runPlan({ message: plan(), signal: AbortSignal.abort() }, {}), { name: 'AbortError' });
});

test('another run continues from the log, and repeats no recorded call', async () => {
  const store = await Store.open('memory:');
  const message = plan(['a', 'ONCE', {}], ['b', 'LATER', {}]);
  const short = { lenient: true, policy: { ...lenient.policy, timeout_ms: 5000 } };
  let calls = 0;
  const keys = [];
  const once = ({ key }) => {
    keys.push(key);
    return ++calls;
  };
  const controller = new AbortController();
  // The process ends, as it were, while LATER runs: the run is given up without a cancel.
  const never = new Promise(() => {});
  const first = runPlan({ message, ...short, store, session: 'p' }, { ONCE: once, LATER: () => { controller.abort(); return never; } });
  first.catch(() => {});
  await new Promise((resolve) => controller.signal.addEventListener('abort', resolve));
  const result = await runPlan({ message, ...short, store, session: 'p' }, { ONCE: once, LATER: () => 'done' });
  assert.equal(result.state, 'DONE', JSON.stringify(result.final));
  assert.equal(result.output, 'done');
  assert.equal(calls, 1);
  const again = await runPlan({ message, ...short, store, session: 'p' }, {});
  assert.equal(again.output, 'done');
  await assert.rejects(runPlan({ message: plan(['c', 'X', {}]), ...short, store, session: 'p' }, {}), (error) => error.code === 'ERR_CORRUPT');
});
