// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// The start of the page: sessions, tabs, keys.

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
    for (const id of ['blocks', 'plan']) at(id).replaceChildren();
    forget();
    follow(session);
    showView();
}

function show(tab) {
    for (const one of document.querySelectorAll('[role=tab]')) {
        const is = one === tab;
        one.setAttribute('aria-selected', is);
        one.tabIndex = is ? 0 : -1;
        at(one.getAttribute('aria-controls')).hidden = !is;
    }
    tab.focus();
    at('found').textContent = '';
    showView();
}

// Refreshes the visible view.
const kViews = {frames: refine, context: loadContext, memory: loadMemory, plans: showPlans, packets: loadPacket, curves: plot, refs: refine, box: judge};
function showView() {
    kViews[document.querySelector('[role=tabpanel]:not([hidden])').id]();
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
    at('search').focus();
});
at('search').addEventListener('input', () => { chosen = -1; refine(); });
at('session').addEventListener('change', () => open(at('session').value));
at('token').addEventListener('change', loadSessions);
at('load-context').addEventListener('click', loadContext);
at('budget').addEventListener('change', loadContext);
at('ref-form').addEventListener('submit', openRef);
at('typed').addEventListener('input', judge);
window.addEventListener('resize', draw);
loadSessions();
setInterval(loadSessions, 3000);
