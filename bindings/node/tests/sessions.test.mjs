// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions, contexts and stores: the main job, with and without promises.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AccpError, ContextPacket, Engine, Store, detectForm, resolveTool } from 'libaccp';

const folder = mkdtempSync(join(tmpdir(), 'accp-node-'));
after(() => rmSync(folder, { recursive: true }));

const code = (expected) => (error) => {
  assert.ok(error instanceof AccpError, String(error));
  assert.equal(error.code, expected, error.message);
  return true;
};

// A run of an agent that reads files; old results leave the context when that is cheaper.
function* agentRun(turns) {
  yield { role: 'system', content: 'You repair programs.' };
  yield { role: 'user', content: 'Find the defect in parser.c.' };
  for (let turn = 0; turn < turns; ++turn) {
    const id = `call_${turn}`;
    yield { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"file":"part_${turn}.c"}` } }] };
    yield { role: 'tool', tool_call_id: id, content: Array.from({ length: 200 }, (_, line) => `part ${turn} line ${line}: int value_${turn}_${line} = ${turn * line};`).join('\n') };
  }
}

test('a context has the bytes that were appended, and a result that is left out can be fetched', async () => {
  const engine = new Engine();
  const session = await engine.open('run');
  const history = [];
  let now = 1_700_000_000_000;
  let size = 0;
  let last;
  for (const message of agentRun(40)) {
    history.push(message);
    now += 1000;
    assert.equal(await session.appendMessages('openai', message, { now }), 1);
    if (message.role !== 'tool') continue;
    last = await session.contextMessages('openai');
    size += last.tokens;
  }
  assert.equal(history.length, await session.recordCount());
  assert.ok(Array.isArray(last.messages) && last.system === undefined);
  assert.deepEqual(last.messages[0], history[0]);
  assert.deepEqual(last.messages.at(-1), history.at(-1));
  const evicted = last.messages.filter((one) => one.role === 'tool' && one.content.length < 2000);
  assert.ok(evicted.length > 5, `${evicted.length} results are left out`);
  const [ref] = evicted[0].content.match(/\$cold\.m\d+(\.\w+)*/);
  const answer = await session.answer({ ref });
  assert.ok(answer.includes('int value_0_199') || answer.includes('line 199'), answer.slice(0, 200));
  assert.equal(session.answerSync(JSON.stringify({ ref })), answer);
  assert.match(await session.answer('{"ref":"$cold.m9999"}'), /^error: /);
  assert.equal(resolveTool('openai').function.name, 'resolve');
  const pages = await session.contextPages();
  assert.ok(pages.pages.some((page) => page.state === 'evicted'));
  await session.close();
});

test('the forms of Anthropic and of files', async () => {
  const session = new Engine().openSync('forms');
  await session.appendMessages('anthropic', { system: 'Be brief.', messages: [{ role: 'user', content: [{ type: 'text', text: 'Grüße 😀' }] }] });
  const { system, messages, json, tokens } = await session.contextMessages('anthropic');
  assert.ok(JSON.stringify(system).includes('Be brief.'));
  assert.equal(messages.length, 1);
  assert.ok(json.includes('Grüße 😀') && tokens > 5);
  assert.equal(detectForm('{"role":"user","content":"x"}'), 'openai');
  assert.equal(detectForm(Buffer.from('User: hello\n\nAssistant: hi\n')), 'speakers');
  assert.equal(await session.appendMessages('speakers', 'User: hello\n\nAssistant: hi\n'), 2);
  assert.throws(() => resolveTool('aider'), code('ERR_ARG'));
  await assert.rejects(session.appendMessages('cursor', []), code('ERR_ARG'));
  await assert.rejects(session.appendMessages('openai', '[{"role":"user","content":7}]'), (error) => code('E1001')(error) && error.offset === 26);
});

test('a complete list: only what is new is appended, a changed one branches', async () => {
  const store = await Store.open('memory:');
  const engine = new Engine({ store });
  const session = await engine.open('list');
  const list = [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }];
  assert.deepEqual(await session.appendHistory('openai', list), { count: 2, same: 0, added: 2, item: 0, record: 0, isBranched: false });
  list.push({ role: 'user', content: 'c' });
  assert.deepEqual(session.appendHistorySync('openai', list), { count: 3, same: 2, added: 1, item: 0, record: 0, isBranched: false });
  list[1].content = 'B';
  await assert.rejects(session.appendHistory('openai', list), (error) => code('E3003')(error) && error.record === 1 && !error.isRetryable && /message 1 of the list, from 0, differs from the session's; pass .* `branch`/.test(error.message) && !/came|wait/.test(error.message));
  await assert.rejects(session.appendHistory('openai', list.slice(0, 1)), (error) => code('E3003')(error) && !error.isRetryable && /the list has only the first 1 messages of the session; pass/.test(error.message));
  list[0].content = 'A';
  assert.throws(() => session.appendHistorySync('openai', list), (error) => code('E3003')(error) && error.record === 0 && /message 0 of the list/.test(error.message));
  list[0].content = 'a';
  const report = await session.appendHistory('openai', list, { branch: 'list-2' });
  assert.equal(report.isBranched, true);
  const branch = await engine.open('list-2');
  assert.deepEqual((await branch.contextMessages('openai')).messages, list);
  assert.deepEqual(await store.sessions(), ['list', 'list-2']);
});

test('two agents: frames, deliveries, replies', async () => {
  const here = new Engine({ rules: { deadlineMs: 1000 } });
  const there = new Engine();
  const planner = await here.open('planner');
  const worker = await there.open('worker');
  const now = new Date('2026-11-28T12:00:00Z');
  const frame = await planner.send({ agent: 'planner', intent: 'req', operation: 'schedule', payload: { task: 'impl_auth' } }, { now });
  assert.equal(await worker.receive(frame, { now, peer: { agents: ['planner'] } }), 'applied');
  await assert.rejects(worker.receive(frame, { now }), code('E3002'));
  assert.throws(() => worker.receiveSync(frame.replace('planner', 'worker'), { now, peer: { agents: ['planner'] } }), AccpError);
  const [request] = await worker.deliveries();
  assert.equal(request.code, 'OK');
  assert.equal(request.message.payload.task, 'impl_auth');
  assert.equal(request.isUntrusted, false);
  assert.deepEqual(await worker.deliveries(), []);
  assert.equal((await planner.nextDeadline()).getTime(), now.getTime() + 1000);
  assert.equal(await worker.nextDeadline(), undefined);
  await planner.expire({ now: now.getTime() + 5000 });
  assert.equal(planner.deliveriesSync()[0].code, 'E3001');
  const answer = await worker.reply(request, { agent: 'worker', intent: 'done', payload: { ok: true } }, { now: now.getTime() + 1000 });
  assert.equal(planner.receiveSync(answer, { now: now.getTime() + 6000 }), 'applied');
  assert.deepEqual(planner.deliveriesSync().map((one) => one.message.payload.ok), [true]);
  const { text, tokens } = planner.contextSync();
  assert.ok(text.includes('impl_auth') && tokens > 10);
  assert.deepEqual(await planner.contextBlocks().then((blocks) => blocks.map((one) => one.text).join('')), text);
  assert.equal(here.metrics()['accp.frames.sent'], 1);
});

test('values, references and grants', async () => {
  const engine = new Engine({ store: Store.openSync('memory:') });
  const ours = await engine.open('ours');
  const theirs = await engine.open('theirs');
  const value = { list: [1, 'zwei', null], text: 'ä😀' };
  await ours.put('cold.plan', value);
  ours.putSync('warm.step', 7);
  assert.deepEqual(await ours.resolve('cold.plan'), value);
  assert.equal(await ours.resolveText('$cold.plan.list'), '[1,"zwei",null]');
  assert.equal(ours.resolveSync('warm.step'), 7);
  await assert.rejects(theirs.resolve('cold.plan', { owner: 'ours' }), code('E5002'));
  await ours.addGrant('theirs', 'cold.plan');
  assert.deepEqual(await theirs.resolve('cold.plan', { owner: 'ours' }), value);
  await ours.removeGrant('theirs', 'cold.plan');
  await ours.remove('cold.plan');
  await assert.rejects(ours.resolve('cold.plan'), code('E2001'));
  await ours.put('cold.short', 1, { expires: 1000 });
  await assert.rejects(ours.resolve('cold.short'), code('E2002'));
  await assert.rejects(ours.put('nowhere.x', 1), code('E1004'));
  await assert.rejects(ours.put('cold.x', undefined), code('ERR_ARG'));
  await assert.rejects(ours.put('cold.x', 1n), code('ERR_ARG'));
});

test('a session in a SQLite file is continued by another engine', async () => {
  const name = `sqlite:${join(folder, 'work.db')}`;
  const first = await Store.open(name);
  const session = await new Engine({ store: first }).open('talk');
  await session.appendMessages('openai', [...agentRun(3)]);
  const before = await session.contextMessages('openai');
  await session.close();
  const text = await first.export('talk');
  await first.close();
  await first.close(); // has no effect
  assert.ok(existsSync(join(folder, 'work.db')));

  const second = await Store.open(name, { existing: true });
  const again = await new Engine({ store: second }).open('talk', { readOnly: true });
  assert.equal((await again.contextMessages('openai')).json, before.json);
  await assert.rejects(again.append('{}'), AccpError);
  assert.deepEqual(await second.verify(), []);
  assert.equal((await second.counts()).sessions, 1);
  assert.ok((await second.properties()).some((one) => one.value === 'sqlite'));
  await second.removeSession('talk');
  await assert.rejects(second.removeSession('talk'), code('E2001'));
  await second.import(text);
  await assert.rejects(second.import(text), code('ERR_BUSY'));
  assert.equal(await second.prune(), 0);
  await second.sync();
  second.closeSync();
});

test('stores that cannot be opened', async () => {
  await assert.rejects(Store.open('oracle:x'), code('ERR_ARG'));
  await assert.rejects(Store.open(`sqlite:${join(folder, 'none.db')}`, { existing: true }), code('ERR_IO'));
  assert.throws(() => Store.openSync(`sqlite:${folder}/no/such/folder/x.db`), code('ERR_IO'));
  const file = join(folder, 'text.db');
  writeFileSync(file, 'this is no database, and long enough to be looked at. '.repeat(100));
  await assert.rejects(Store.open(`sqlite:${file}`), code('ERR_CORRUPT'));
  // No server listens on port 1.
  await assert.rejects(Store.open('nats://127.0.0.1:1/accp?timeout_ms=500'), (error) => error instanceof AccpError && ['ERR_IO', 'ERR_ARG'].includes(error.code));
});

test('the newer writer of a session wins', async () => {
  const engine = new Engine({ store: await Store.open('memory:') });
  const first = await engine.open('one');
  const second = await engine.open('one');
  await assert.rejects(first.append({ agent: 'a', intent: 'req', operation: 'x', payload: {} }), code('ERR_CLOSED'));
  await second.end();
  await assert.rejects(second.append({ agent: 'a', intent: 'req', operation: 'x', payload: {} }), code('ERR_CLOSED'));
});

test('packets: of a conversation, of a session, from worker to worker', async () => {
  const packet = ContextPacket.generate({ task: 'Implement the login', conversation: 'User: The login must use OAuth.', form: 'speakers', depth: 'deep' });
  assert.ok(packet.toPrompt().includes('must use OAuth'));
  assert.equal(packet.toJSON().context.constraints.length, 1);
  assert.deepEqual(ContextPacket.parse(packet.toYaml()).toJSON(), packet.toJSON());
  assert.throws(() => ContextPacket.parse(packet.toYaml().replace('OAuth', 'OpenID')), code('E1001'));
  assert.ok(ContextPacket.parse(packet.toYaml().replace('OAuth', 'OpenID'), { unverified: true }).warnings & 4);
  assert.equal(packet.report, undefined);
  const given = ContextPacket.generate({
    task: 'Implement the login', conversation: 'User: The login must use OAuth.', form: 'speakers',
    items: { constraints: [{ text: 'OAuth only', quote: 'must use OAuth' }, { text: 'No cookies', quote: 'no cookies' }] },
  });
  assert.deepEqual(given.toJSON().sources.constraints, ['0:10-24', 'unverified']);
  assert.deepEqual(given.report, { dropped: [], unverified: [{ list: 'constraints', number: 2, quote: 'no cookies' }], contradicted: [] });
  assert.throws(() => ContextPacket.generate({ task: 'x', items: { constrains: [] } }), code('E1004', /unknown member: constrains/));
  assert.throws(() => ContextPacket.generate({ task: 'x', items: { constraints: ['a b c d e f'.repeat(50)] }, strictBudget: true, budgetTokens: 40 }), code('E2003'));
  const same = await ContextPacket.generateAsync({ task: 'Implement the login', conversation: 'User: The login must use OAuth.', form: 'speakers', depth: 'deep' });
  assert.equal(same.checksum, packet.checksum);

  const engine = new Engine();
  const ours = await engine.open('ours');
  await ours.appendMessages('openai', [{ role: 'user', content: 'Build the importer. It must not touch the network.' }]);
  const made = await ours.generatePacket({ depth: 'standard' });
  assert.ok(made.toPrompt(['goals']).includes('must not touch the network'));
  const members = await ours.putPacket(made);
  assert.match(members.packet, /^\$cold\.packet_/);
  const carried = await ours.readPacket({ agent: 'a', intent: 'sync', operation: 'context', payload: members });
  assert.equal(carried.checksum, made.checksum);
});
