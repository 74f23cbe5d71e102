// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// The memory of a session: its checkpoints, their facts, and packets for workers.

// ---- checkpoints and facts

let shownMemory = '';  // the drawn data; an unchanged view is not redrawn, so it keeps the focus

async function loadMemory() {
    if (!at('session').value) return;
    const checkpoints = await askJson(`/api/checkpoints?${query({})}`);
    if (checkpoints.error) return at('memory-sum').replaceChildren(make('span', {class: 'bad'}, checkpoints.error));
    if (shownMemory === JSON.stringify(checkpoints)) return refine();
    shownMemory = JSON.stringify(checkpoints);
    const facts = newestFacts(checkpoints);
    at('memory-sum').textContent = `${facts.length} facts, ${checkpoints.length} checkpoints`;
    at('fact-rows').replaceChildren(...facts.map((one) => make('tr', {class: 'item'}, make('th', {scope: 'row'}, one.entity), make('td', {}, one.relationship),
        make('td', {}, one.value), make('td', {}, refLink(one.from)))));
    at('checkpoints').replaceChildren(...checkpoints.map(checkpointView));
    refine();
}

// `checkpoints`: the newest first.
function newestFacts(checkpoints) {
    const found = new Map();
    for (const {name, value} of checkpoints) {
        for (const [entity, relationship, stated] of value.facts || []) {
            const key = JSON.stringify([entity, relationship]);
            if (!found.has(key)) found.set(key, {entity, relationship, value: typeof stated === 'string' ? stated : JSON.stringify(stated), from: name});
        }
    }
    return [...found.values()];
}

function checkpointView({name, value}) {
    const count = (value.facts || []).length;
    return make('div', {class: 'item block closed'}, make('h3', {}, refLink(name)),
                make('p', {}, 'Of ', recordLink(value.first), ' to ', recordLink(value.last), `, ${count} fact${count === 1 ? '' : 's'}`),
                make('pre', {tabindex: 0}, value.summary || value.text || ''));
}

function refLink(name) {
    const link = make('button', {class: 'link', type: 'button'}, name);
    link.addEventListener('click', () => {
        at('ref').value = name;
        at('search').value = '';
        show(at('tab-refs'));
        openRef();
    });
    return link;
}

// ---- packets: those in messages, and a new one of the current session

function notePacket(record) {
    const payload = record.message && record.message.payload;
    if (!payload || !payload.packet) return;
    at('packet').append(make('option', {value: record.n}, `carried by $cold.m${record.n}`));
}

function forget() {
    shownMemory = at('memory-sum').textContent = '';
    for (const id of ['fact-rows', 'checkpoints']) at(id).replaceChildren();
    at('packet').replaceChildren(make('option', {value: ''}, 'made of this session now'));
    at('packet-view').replaceChildren();
    at('packet-sum').textContent = '';
}

async function loadPacket(event) {
    if (event) event.preventDefault();
    if (!at('session').value) return;
    const record = at('packet').value;
    at('task').disabled = at('depth').disabled = record !== '';
    const answer = await askJson(`/api/packet?${query(record ? {record} : {task: at('task').value, depth: at('depth').value})}`);
    if (answer.error) {
        at('packet-sum').replaceChildren(make('span', {class: 'bad'}, answer.error));
        return at('packet-view').replaceChildren();
    }
    const layers = Object.entries(answer.layers).filter(([, tokens]) => tokens).map(([name, tokens]) => `${name} ${tokens}`);
    at('packet-sum').textContent = `${answer.tokens} tokens (${layers.join(', ')})`;
    at('packet-view').replaceChildren(...packetView(answer.packet));
    refine();
}

// Sections in the reading order of a worker: title, member, and the members that can name an item.
const kSections = [
    ['Goal', 'goal'], ['Success criteria', 'success_criteria'], ['Constraints', 'constraints'], ['Decisions', 'decisions', ['choice', 'reason', 'made_by']],
    ['Files', 'relevant_files', ['path', 'summary']], ['Patterns', 'patterns'], ['Anti-patterns', 'anti_patterns'], ['Examples', 'examples'],
    ['Failed before', 'failed_attempts', ['approach', 'reason_failed']], ['Pivots', 'pivots'], ['Open questions', 'open_questions'],
    ['Folded away: not included', 'not_included'], ['Changes', 'changelog']];

function packetView(packet) {
    const context = {...packet.context, ...(packet.context.codebase || {})}, sources = packet.sources || {};
    const views = [make('h2', {}, packet.target_task), make('p', {}, `By ${packet.creator}, ${packet.created}`)];
    for (const [title, key, members] of kSections) {
        const items = [].concat(context[key] === undefined ? [] : context[key]);
        if (!items.length) continue;
        const told = items.map((one, i) => make('li', {class: 'item'}, ...packetItem(one, members), ...source((sources[key] || [])[i])));
        views.push(make('section', {'aria-label': title}, make('h3', {}, `${title} (${items.length})`), make('ul', {}, ...told)));
    }
    return views;
}

function packetItem(item, members) {
    if (typeof item !== 'object' || !item) return [item];
    const first = members && members.find((name) => item[name] !== undefined);
    const rest = Object.entries(item).filter(([name]) => name !== first);
    return [first ? make('b', {}, item[first]) : '', ...rest.flatMap(([name, value]) => [make('br', {}), make('i', {}, `${name.replace(/_/g, ' ')}: `),
        typeof value === 'string' ? value : JSON.stringify(value)])];
}

// A link to the source "$cold.m17:0-40".
function source(name) {
    const [, n] = /^\$cold\.m(\d+)/.exec(name || '') || [];
    return n ? [' ', recordLink(n)] : [];
}

at('load-memory').addEventListener('click', loadMemory);
at('packet-form').addEventListener('submit', loadPacket);
at('packet').addEventListener('change', () => loadPacket());
