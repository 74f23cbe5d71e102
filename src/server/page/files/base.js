// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// Shared by all parts of the page: elements, requests to the server, and the search.
const at = (id) => document.getElementById(id);
const kRowHeight = 30;
const kCached = 0.1;  // relative price of a token in a provider's cache

// Data of sessions becomes text, never markup.
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


function svg(name, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

const query = (values) => new URLSearchParams({session: at('session').value, ...values}).toString();

// ---- the search: covers the elements of class `item` in the visible view

const searched = () => at('search').value.trim().toLowerCase();

function refine() {
    const view = document.querySelector('[role=tabpanel]:not([hidden])'), word = searched();
    if (view.id === 'frames') return filter();
    const items = [...view.querySelectorAll('.item')];
    let hits = 0;
    for (const item of items) {
        const isHit = !word || item.textContent.toLowerCase().includes(word);
        item.classList.toggle('miss', !isHit);
        hits += isHit;
    }
    tellFound(word, hits, items.length);
}

function tellFound(word, hits, all) {
    at('found').textContent = word ? `${hits} of ${all}` : '';
}

// A button that opens a record.
function recordLink(n) {
    const link = make('button', {class: 'link', type: 'button'}, `$cold.m${n}`);
    link.addEventListener('click', () => openRecord(Number(n)));
    return link;
}
