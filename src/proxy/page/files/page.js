// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// Shows a view and keeps it up to date: the data are fetched each second while the page is visible.
import {Conversation} from './conversation.js';
import {make} from './format.js';
import {Overview} from './overview.js';

const kPollMs = 1000;
const at = (id) => document.getElementById(id);
const overview = new Overview(at('overview')), conversation = new Conversation(at('conversation'));
let token = '', tag = '', shown = null, isAsking = false, hasFacts = false;

const chosen = () => (/^#[0-9a-f]{16}$/.test(location.hash) ? location.hash.slice(1) : '');

function ask(path, headers = {}) {
    return fetch(path, {cache: 'no-store', headers: {...headers, ...(token ? {Authorization: `Bearer ${token}`} : {})}});
}

function say(text, kind = '') {
    at('live').className = kind;
    if (at('live').textContent !== text) at('live').textContent = text;
}

function showOnly(id) {
    for (const one of ['unlock', 'overview', 'conversation']) at(one).hidden = one !== id;
}

function unlock() {
    const isFirst = at('unlock').hidden;
    showOnly('unlock');
    say('Locked');
    at('wrong').textContent = token ? 'This is not the token.' : '';
    if (isFirst || token) at('token').focus();
    token = '';
}

function showGone() {
    showOnly('conversation');
    at('conversation').replaceChildren(make('div', {class: 'card'}, make('h1', {tabindex: -1}, 'This conversation is no longer shown'),
        make('p', {class: 'soft'}, 'The page keeps the newest 40, while the proxy runs.'), make('p', {}, make('a', {href: '#'}, '\u2190 All conversations'))));
}

async function loadFacts() {
    const answer = await ask('status');
    if (!answer.ok) return;
    const facts = await answer.json();
    hasFacts = true;
    at('facts').textContent = [`version ${facts.version}`, ...facts.upstreams.map((one) => one.name)].join(' \u00b7 ');
}

async function refresh() {
    const id = chosen();
    const answer = await ask(id ? `conversation?id=${id}` : 'conversations', shown === id && tag ? {'If-None-Match': tag} : {});
    if (answer.status === 401) return unlock();
    if (id !== chosen()) return undefined;
    if (answer.status === 404 && id) {
        say('Live', 'on');
        shown = null;
        return showGone();
    }
    if (answer.status !== 304) {
        if (!answer.ok) throw new Error(String(answer.status));
        const data = await answer.json();
        tag = answer.headers.get('ETag');
        if (shown !== id && id) conversation.open();
        shown = id;
        showOnly(id ? 'conversation' : 'overview');
        (id ? conversation : overview).show(data);
        const running = id ? data.running : data.conversations.reduce((sum, one) => sum + one.running, 0);
        say(running ? `Live, ${running} running` : 'Live', running ? 'busy' : 'on');
    } else if (at('live').className === 'off') {
        say('Live', 'on');
    }
    if (!hasFacts) await loadFacts();
    return undefined;
}

async function tick() {
    if (isAsking || document.hidden || !at('unlock').hidden) return;
    isAsking = true;
    try {
        await refresh();
    } catch {
        tag = '';
        say('The proxy does not answer; trying again', 'off');
    } finally {
        isAsking = false;
    }
}

at('unlock').addEventListener('submit', (event) => {
    event.preventDefault();
    token = at('token').value.trim();
    at('token').value = '';
    at('unlock').hidden = true;
    tick();
});
document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && chosen()) location.hash = '';
});
document.addEventListener('visibilitychange', tick);
window.addEventListener('hashchange', tick);
say('Connecting');
tick();
setInterval(tick, kPollMs);
