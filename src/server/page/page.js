// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
const at = (id) => document.getElementById(id);
const kRowHeight = 26;
const kCached = 0.1;  // of a token that a provider reads from its cache

// Everything that came from a session is text, never markup.
function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
    return element;
}

function ask(path, options = {}) {
    const token = at('token').value;
    const headers = {...(options.headers || {}), ...(token ? {Authorization: `Bearer ${token}`} : {})};
    return fetch(path, {...options, headers});
}

async function askJson(path, options) {
    const answer = await ask(path, options);
    const text = await answer.text();
    try {
        return JSON.parse(text);
    } catch {
        return {error: text.trim()};
    }
}

const say = (text) => { at('state').textContent = text; };

// ---- records, as they come

let records = [], shown = [], chosen = -1, following = null;

async function follow(session) {
    if (following) following.abort();
    following = new AbortController();
    const {signal} = following;
    records = [];
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
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
        due = false;
        filter();
    });
}

// ---- the list: rows of one height, of which only those in sight exist

function filter() {
    const list = at('list'), word = at('search').value.toLowerCase();
    const wasAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2 * kRowHeight;
    shown = word ? records.filter((one) => one.line.toLowerCase().includes(word)) : records;
    at('rows').style.height = `${shown.length * kRowHeight}px`;
    if (wasAtEnd && chosen < 0) list.scrollTop = list.scrollHeight;
    draw();
    if (!at('curves').hidden) plot();
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

const kKinds = {R: 'a frame that came in', S: 'a frame that went out', Q: 'a request that went out', M: 'a message without a frame',
                U: 'refused or dropped after its number had come', P: 'a checkpoint', r: 'a part that came in', s: 'a part that went out',
                A: 'parts were given up', T: 'a deadline has passed', Z: 'the end of the session'};

function detail(one) {
    const parts = [make('h2', {}, `$cold.m${one.n}`), make('p', {}, `${kKinds[one.kind] || one.kind}, ${new Date(one.time_ms).toISOString()}`)];
    if (one.wire) parts.push(make('h3', {}, 'On the wire'), make('pre', {tabindex: 0}, one.wire));
    if (one.error) parts.push(make('p', {class: 'bad'}, one.error));
    if (one.tokens) parts.push(...bars(one.tokens));
    if (one.message) parts.push(make('h3', {}, 'Decoded'), make('pre', {tabindex: 0}, JSON.stringify(one.message, null, 2)));
    const plan = one.message && one.message.payload && one.message.payload.plan;
    if (Array.isArray(plan)) parts.push(make('h3', {}, 'Plan'), make('ol', {}, ...plan.map((step) => make('li', {}, JSON.stringify(step)))));
    at('detail').replaceChildren(...parts);
}

function bars(tokens) {
    return ['header', 'body', 'metadata', 'total'].map((part) => {
        const [had, most] = tokens[part];
        const meter = make('meter', {min: 0, max: Math.max(most, had, 1), value: had, high: most || had, 'aria-label': `${part}: ${had} tokens of ${most}`});
        return make('div', {class: 'bar'}, make('span', {}, part), meter, make('span', {class: most && had > most ? 'bad' : ''}, most ? `${had} of ${most}` : had));
    });
}

// ---- the context

let contexts = [];  // {n, tokens, price}: what a context had when the session had n records

async function loadContext() {
    const session = at('session').value;
    if (!session) return;
    const blocks = await askJson(`/api/context?session=${encodeURIComponent(session)}&budget=${Number(at('budget').value) || 0}`);
    if (blocks.error) return at('context-sum').replaceChildren(make('span', {class: 'bad'}, blocks.error));
    const sum = blocks.reduce((all, one) => all + one.tokens, 0);
    at('context-sum').textContent = `${sum} tokens in ${blocks.length} blocks; the records above have ${records.reduce((all, one) => all + one.size, 0)}`;
    contexts.push({n: records.length, tokens: sum, price: blocks.reduce((all, one) => all + one.tokens * (one.stable ? kCached : 1), 0)});
    at('blocks').replaceChildren(...blocks.map((one) => make('div', {class: `block ${one.kind}`},
        make('h2', {}, `${one.kind}, ${one.tokens} tokens${one.stable ? ', stable' : ''}${one.checkpoint ? `, $warm.ckpt_${one.checkpoint}` : ''}`),
        make('pre', {tabindex: 0}, one.text))));
}

// ---- curves

async function plot() {
    const session = at('session').value;
    if (session && records.length && (!contexts.length || contexts[contexts.length - 1].n !== records.length)) await loadContext();
    let before = 0;
    const curves = {raw: [], cached: []};
    for (const one of records) {
        curves.raw.push(before + one.size);
        curves.cached.push(before * kCached + one.size);
        before += one.size;
    }
    const last = (values) => (values.length ? values[values.length - 1] : 0);
    const raw = last(curves.raw), cached = last(curves.cached);
    const most = Math.max(1, raw), width = 740, height = 270;
    const x = (i) => 50 + width * i / Math.max(1, records.length - 1), y = (tokens) => 290 - height * tokens / most;
    const svg = (name, attributes, text) => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        if (text !== undefined) element.textContent = text;
        return element;
    };
    const path = (points, name) => svg('path', {class: name, d: points.map(([i, tokens], k) => `${k ? 'L' : 'M'}${x(i).toFixed(1)} ${y(tokens).toFixed(1)}`).join('')});
    const step = Math.max(1, Math.floor(records.length / 800));
    const thin = (values) => values.map((value, i) => [i, value]).filter(([i]) => i % step === 0 || i === values.length - 1);
    const now = contexts.length ? contexts[contexts.length - 1] : {tokens: 0, price: 0};
    const text = `The next call, after ${records.length} records: the history ${raw} tokens, with a cache ${Math.round(cached)}; the context ${now.tokens}, with a cache ${Math.round(now.price)}`;
    const sampled = (key) => contexts.map((one) => [Math.max(0, one.n - 1), one[key]]);
    at('plot').replaceChildren(svg('title', {id: 'plot-text'}, text), svg('text', {x: 50, y: 14}, text), svg('text', {x: 4, y: 24}, most), svg('text', {x: 30, y: 294}, 0),
        path(thin(curves.raw), 'raw'), path(thin(curves.cached), 'cached'), path(sampled('tokens'), 'ours'), path(sampled('price'), 'ours thin'));
}

// ---- refs, and the frame box

async function openRef(event) {
    event.preventDefault();
    const value = await askJson(`/api/ref?session=${encodeURIComponent(at('session').value)}&ref=${encodeURIComponent(at('ref').value)}`);
    at('ref-value').textContent = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

async function judge() {
    const text = at('typed').value;
    const answer = await askJson('/api/parse', {method: 'POST', headers: {'Content-Type': 'application/accp'}, body: text});
    if (at('typed').value !== text) return;
    at('pointer').replaceChildren();
    if (answer.ok && answer.message) return at('judged').replaceChildren(...bars(answer.tokens), make('pre', {tabindex: 0}, JSON.stringify(answer.message, null, 2)));
    const why = answer.error || (answer.ok ? '' : `${answer.code} at byte ${answer.offset}: ${answer.message}`);
    if (answer.ok === false) {
        const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
        const rest = decoder.decode(bytes.slice(answer.offset));
        at('pointer').append(decoder.decode(bytes.slice(0, answer.offset)), make('mark', {}, [...rest][0] || '⏎'), [...rest].slice(1).join(''));
    }
    at('judged').replaceChildren(make('p', {class: 'bad'}, why));
}

// ---- sessions, tabs, keys

async function loadSessions() {
    const sessions = await askJson('/api/sessions');
    const select = at('session'), before = select.value;
    if (!Array.isArray(sessions)) return say(sessions.error || 'no sessions');
    const known = [...select.options].map((option) => option.value);
    if (known.join('\n') === sessions.join('\n')) return;
    select.replaceChildren(...sessions.map((id) => make('option', {value: id}, id)));
    if (sessions.includes(before)) select.value = before;
    else if (sessions.length) open(sessions[0]);
    else say('no sessions yet');
}

function open(session) {
    at('session').value = session;
    contexts = [];
    at('blocks').replaceChildren();
    follow(session);
}

function show(tab) {
    for (const one of document.querySelectorAll('[role=tab]')) {
        const is = one === tab;
        one.setAttribute('aria-selected', is);
        one.tabIndex = is ? 0 : -1;
        at(one.getAttribute('aria-controls')).hidden = !is;
    }
    tab.focus();
    if (tab.id === 'tab-context') loadContext();
    if (tab.id === 'tab-curves') plot();
    if (tab.id === 'tab-box') judge();
    if (tab.id === 'tab-frames') draw();
}

document.querySelector('nav').addEventListener('keydown', (event) => {
    const tabs = [...document.querySelectorAll('[role=tab]')], i = tabs.indexOf(document.activeElement);
    const to = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1}[event.key];
    if (to !== undefined) show(tabs[(to + tabs.length) % tabs.length]);
});
document.querySelector('nav').addEventListener('click', (event) => event.target.role === 'tab' && show(event.target));
at('list').addEventListener('scroll', draw);
at('list').addEventListener('keydown', (event) => {
    const page = Math.floor(at('list').clientHeight / kRowHeight);
    const to = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: shown.length - 1, PageDown: chosen + page, PageUp: chosen - page}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(Math.min(shown.length - 1, Math.max(0, to)));
});
document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || ['INPUT', 'TEXTAREA'].includes(document.activeElement.tagName)) return;
    event.preventDefault();
    show(at('tab-frames'));
    at('search').focus();
});
at('search').addEventListener('input', () => { chosen = -1; filter(); });
at('session').addEventListener('change', () => open(at('session').value));
at('token').addEventListener('change', loadSessions);
at('load-context').addEventListener('click', loadContext);
at('budget').addEventListener('change', loadContext);
at('ref-form').addEventListener('submit', openRef);
at('typed').addEventListener('input', judge);
window.addEventListener('resize', draw);
loadSessions();
setInterval(loadSessions, 3000);
