// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// The context, its price, the values of refs, and the frame box.

// ---- the context

let contexts = [];  // {n, tokens, price}: of the context at n records

async function loadContext() {
    const session = at('session').value;
    if (!session) return;
    const blocks = await askJson(`/api/context?${query({budget: Number(at('budget').value) || 0})}`);
    if (blocks.error) return at('context-sum').replaceChildren(make('span', {class: 'bad'}, blocks.error));
    const sum = blocks.reduce((all, one) => all + one.tokens, 0);
    at('context-sum').textContent = `${sum} tokens in ${blocks.length} blocks; the records above have ${records.reduce((all, one) => all + one.size, 0)}`;
    contexts.push({n: records.length, tokens: sum, price: blocks.reduce((all, one) => all + one.tokens * (one.stable ? kCached : 1), 0)});
    at('blocks').replaceChildren(...blocks.map((one) => make('div', {class: `item block ${one.kind}`},
        make('h2', {}, `${one.kind}, ${one.tokens} tokens${one.stable ? ', stable' : ''}${one.checkpoint ? `, $warm.ckpt_${one.checkpoint}` : ''}`),
        make('pre', {tabindex: 0}, one.text))));
    await loadPages();
    refine();
}

async function loadPages() {
    const answer = await askJson(`/api/pages?${query({})}`);
    if (answer.error) return at('page-sum').replaceChildren(make('span', {class: 'bad'}, answer.error));
    const newest = answer.newest_eviction;
    at('page-sum').textContent = `${answer.evictions} evictions.` +
        (newest ? ` The newest (${newest.cause}), at call ${newest.call}${newest.saving ? `, is expected to save ${newest.saving}` : ''}.` : '');
    at('page-rows').replaceChildren(...answer.pages.map((one) => make('tr', {class: `item ${one.state}`},
        ...[one.ref, [one.agent, one.tool || one.operation].filter(Boolean).join(' '), `${one.state}${one.is_untrusted ? ', untrusted' : ''}`, one.tokens, one.whole_tokens,
            one.age, one.rent || '–', one.fetch || '–', one.why].map((cell) => make('td', {}, `${cell}`)))));
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
    if (event) event.preventDefault();
    const value = await askJson(`/api/ref?${query({ref: at('ref').value})}`);
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    at('ref-value').replaceChildren(...text.split('\n').map((line) => make('span', {class: 'item'}, `${line}\n`)));
    refine();
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

