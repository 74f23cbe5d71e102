// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// The list of records, and the decoded view of one of them.

// ---- arriving records

let records = [], shown = [], chosen = -1, following = null, book = new PlanBook();

async function follow(session) {
    if (following) following.abort();
    following = new AbortController();
    const {signal} = following;
    records = [];
    book = new PlanBook();
    choose(-1);
    filter();
    while (!signal.aborted) {
        try {
            const after = records.length ? records[records.length - 1].n : 0;
            const answer = await ask(`/api/follow?session=${encodeURIComponent(session)}&after=${after}`, {signal});
            if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
            say('live');
            await read(answer.body.getReader());
            say('ended; trying again');
        } catch (error) {
            if (signal.aborted) return;
            say(String(error.message || error).slice(0, 80));
        }
        await new Promise((done) => setTimeout(done, 1000));
    }
}

async function read(reader) {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
        const {value, done} = await reader.read();
        if (done) return;
        text += decoder.decode(value, {stream: true});
        const events = text.split('\n\n');
        text = events.pop();
        for (const event of events) {
            const data = event.split('\n').find((line) => line.startsWith('data: '));
            if (data) add(JSON.parse(data.slice(6)));
        }
    }
}

let due = false;
function add(record) {
    const message = record.message || {};
    record.who = message.agent || '';
    record.what = message.intent || record.kind;
    record.size = record.tokens ? record.tokens.total[0] : 0;
    record.line = record.wire || JSON.stringify(record.message || '');
    records.push(record);
    book.add(record);
    notePacket(record);
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
        due = false;
        filter();
    });
}

// ---- the list: rows of equal height; only the visible ones exist

function filter() {
    const list = at('list'), word = searched();
    const wasAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2 * kRowHeight;
    shown = word ? records.filter((one) => one.line.toLowerCase().includes(word)) : records;
    at('rows').style.height = `${shown.length * kRowHeight}px`;
    if (wasAtEnd && chosen < 0) list.scrollTop = list.scrollHeight;
    draw();
    if (!at('frames').hidden) tellFound(word, shown.length, records.length);
    if (!at('curves').hidden) plot();
    if (!at('plans').hidden) showPlans();
}

function draw() {
    const list = at('list'), rows = at('rows');
    const first = Math.max(0, Math.floor(list.scrollTop / kRowHeight) - 5);
    const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / kRowHeight) + 10);
    rows.replaceChildren(...shown.slice(first, last).map((one, i) => {
        const index = first + i;
        const row = make('div', {class: 'row', role: 'option', id: `row-${one.n}`, 'aria-selected': index === chosen,
                                 'aria-setsize': shown.length, 'aria-posinset': index + 1},
                         make('span', {}, one.n), make('span', {}, one.kind), make('span', {}, one.who), make('span', {}, one.what),
                         make('span', {}, one.message ? `${one.message.operation || ''} ${JSON.stringify(one.message.payload || {})}` : ''),
                         make('span', {}, one.size || ''));
        row.style.top = `${index * kRowHeight}px`;
        row.addEventListener('click', () => choose(index));
        return row;
    }));
}

function choose(index) {
    chosen = index;
    const one = shown[index], list = at('list');
    if (!one) return list.removeAttribute('aria-activedescendant');
    const top = index * kRowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + kRowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + kRowHeight - list.clientHeight;
    draw();
    list.setAttribute('aria-activedescendant', `row-${one.n}`);
    detail(one);
}

function openRecord(n) {
    at('search').value = '';
    show(at('tab-frames'));
    filter();
    choose(shown.findIndex((one) => one.n === n));
    at('list').focus();
}

const kKinds = {R: 'a frame that came in', S: 'a frame that went out', Q: 'a request that went out', M: 'a message without a frame',
                U: 'refused or dropped after its number had come', P: 'a checkpoint', r: 'a part that came in', s: 'a part that went out',
                A: 'parts were given up', T: 'a deadline has passed', Z: 'the end of the session'};

function detail(one) {
    const parts = [make('h2', {}, `$cold.m${one.n}`), make('p', {}, `${kKinds[one.kind] || one.kind}, ${new Date(one.time_ms).toISOString()}`)];
    if (one.wire) parts.push(make('h3', {}, 'On the wire'), make('pre', {tabindex: 0}, one.wire));
    if (one.error) parts.push(make('p', {class: 'bad'}, one.error));
    if (one.tokens) parts.push(...bars(one.tokens));
    if (one.message) parts.push(make('h3', {}, 'Decoded'), make('pre', {tabindex: 0}, JSON.stringify(one.message, null, 2)));
    const plan = book.plans.find((each) => each.n === one.n);
    if (plan) parts.push(planLink(plan));
    at('detail').replaceChildren(...parts);
}

function bars(tokens) {
    return ['header', 'body', 'metadata', 'total'].map((part) => {
        const [had, most] = tokens[part];
        const meter = make('meter', {min: 0, max: Math.max(most, had, 1), value: had, high: most || had, 'aria-label': `${part}: ${had} tokens of ${most}`});
        return make('div', {class: 'bar'}, make('span', {}, part), meter, make('span', {class: most && had > most ? 'bad' : ''}, most ? `${had} of ${most}` : had));
    });
}

