// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// A plan as a graph: each step is in a row below its predecessors. Arrows show the order, dashed arrows the outputs that
// a step uses. Mark, text and colour show the state of a step.

const kBox = {width: 196, height: 46, across: 26, down: 36, edge: 10};
const kMarks = {pending: '○', begun: '▸', done: '✓', failed: '✗', ended: '✗'};
const kMaxDrawn = 400;  // steps

// The row is the longest path to the step. Within a row, a step is below a predecessor if that place is free.
function placeSteps(steps) {
    const waits = new Map(steps.map((one) => [one, new Set(one.after.filter((other) => steps.includes(other)))]));
    const places = new Map();
    for (let row = 0, left = [...steps]; left.length; ++row) {
        let ready = left.filter((one) => [...waits.get(one)].every((other) => places.has(other)));
        if (!ready.length) ready = [left[0]];  // a cycle in an invalid plan
        const taken = new Set();
        const wish = (one) => Math.min(...[...waits.get(one)].map((other) => (places.get(other) || {lane: 0}).lane), Infinity);
        for (const one of ready) {
            let lane = Number.isFinite(wish(one)) ? wish(one) : 0;
            while (taken.has(lane)) ++lane;
            taken.add(lane);
            places.set(one, {row, lane});
        }
        left = left.filter((one) => !places.has(one));
    }
    return places;
}

const leftOf = (place) => kBox.edge + place.lane * (kBox.width + kBox.across);
const topOf = (place) => kBox.edge + place.row * (kBox.height + kBox.down);

function arrow(from, to, isUse) {
    const x1 = leftOf(from) + kBox.width * (isUse ? 0.75 : 0.5), y1 = topOf(from) + kBox.height;
    const x2 = leftOf(to) + kBox.width * (isUse ? 0.75 : 0.5), y2 = topOf(to) - 6, middle = (y1 + y2) / 2;
    return svg('path', {class: isUse ? 'use' : 'order', 'marker-end': 'url(#head)', d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`});
}

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const nameOf = (step) => `${step.path} ${step.verb} ${step.tool}`;
const stateOf = (step) => kStepStates[step.state] + (step.tries > 1 ? `, ${step.tries} tries` : '');

function stepBox(step, place) {
    const x = leftOf(place), y = topOf(place);
    const box = svg('g', {class: `step item ${step.state}`, role: 'option', tabindex: -1, 'data-path': step.path, 'aria-selected': false,
                          'aria-label': `${nameOf(step)}: ${stateOf(step)}`},
                    svg('rect', {x, y, width: kBox.width, height: kBox.height, rx: 6}),
                    svg('text', {x: x + 10, y: y + 19}, short(nameOf(step), 28)),
                    svg('text', {class: 'state', x: x + 10, y: y + 37}, `${kMarks[step.state]} ${stateOf(step)}`));
    box.addEventListener('focus', () => showStep(step));
    box.addEventListener('click', () => box.focus());
    return box;
}

function drawPlan(plan) {
    const steps = plan.steps.slice(0, kMaxDrawn), places = placeSteps(steps), all = [...places.values()];
    const width = Math.max(0, ...all.map(leftOf)) + kBox.width + kBox.edge, height = Math.max(0, ...all.map(topOf)) + kBox.height + kBox.edge;
    const arrows = steps.flatMap((one) => [
        ...one.after.filter((other) => places.has(other)).map((other) => arrow(places.get(other), places.get(one), false)),
        ...one.uses.filter((other) => places.has(other) && !one.after.includes(other)).map((other) => arrow(places.get(other), places.get(one), true))]);
    const head = svg('marker', {id: 'head', markerWidth: 8, markerHeight: 8, refX: 2, refY: 4, orient: 'auto'}, svg('path', {d: 'M0 0L8 4L0 8Z'}));
    const drawing = at('graph');
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.setAttribute('width', width);
    drawing.setAttribute('height', height);
    drawing.replaceChildren(svg('defs', {}, head), ...arrows, ...steps.map((one) => stepBox(one, places.get(one))));
}

// ---- the view

let drawn = '';  // key of the drawn plan and its version

const planName = (plan) => `$cold.m${plan.n} ${short(plan.goal, 40)} by @${plan.by}`;

function planSum(plan) {
    const count = (state) => plan.steps.filter((one) => one.state === state).length;
    const states = Object.keys(kStepStates).filter(count).map((state) => `${count(state)} ${kStepStates[state]}`);
    const more = plan.steps.length > kMaxDrawn ? `; the first ${kMaxDrawn} are drawn` : '';
    return `${kStepStates[plan.state]}: ${states.join(', ') || 'no steps'}${more}${plan.reason ? `; ${plan.reason}` : ''}`;
}

function showPlans() {
    const select = at('plan'), before = select.value;
    while (select.options.length > book.plans.length) select.options[0].remove();
    for (const plan of book.plans.slice(select.options.length)) select.append(make('option', {value: plan.n}, planName(plan)));
    if (!before && book.plans.length) select.value = book.plans[book.plans.length - 1].n;
    const plan = book.plans.find((one) => String(one.n) === select.value);
    const now = plan ? `${plan.n} ${book.changes}` : '';
    if (now === drawn && at('graph').childElementCount) return;
    drawn = now;
    const open = at('graph').querySelector('[aria-selected=true]'), path = open && open.dataset.path, hadFocus = document.activeElement === open;
    at('plan-sum').textContent = plan ? planSum(plan) : 'no plan so far';
    at('plan-record').replaceChildren(...(plan ? [recordLink(plan.n)] : []));
    drawPlan(plan || {steps: []});
    const boxes = stepBoxes(), again = boxes.find((one) => one.dataset.path === path) || boxes[0];
    if (again) again.setAttribute('tabindex', 0);
    if (again && hadFocus) again.focus();
    else if (again && path) showStep(plan.steps.find((one) => one.path === again.dataset.path));
    else at('step').replaceChildren(make('p', {}, 'Choose a step: arrows move.'));
    refine();
}

const stepBoxes = () => [...at('graph').querySelectorAll('.step')];

function showStep(step) {
    for (const one of stepBoxes()) {
        const is = one.dataset.path === step.path;
        one.setAttribute('aria-selected', is);
        one.setAttribute('tabindex', is ? 0 : -1);
    }
    const parts = [make('h2', {}, nameOf(step)), make('p', {}, stateOf(step))];
    if (step.reason) parts.push(make('p', {class: 'bad'}, step.reason));
    const value = (title, it) => it !== undefined && parts.push(make('h3', {}, title), make('pre', {tabindex: 0}, JSON.stringify(it, null, 2)));
    value('Params', step.params);
    value('Output', step.output);
    if (step.records.length) parts.push(make('h3', {}, 'Said in'), make('p', {}, ...step.records.flatMap((n) => [recordLink(n), ' '])));
    at('step').replaceChildren(...parts);
}

function planLink(plan) {
    const link = make('button', {class: 'link', type: 'button'}, `Its plan of ${plan.steps.length} steps, as a graph`);
    link.addEventListener('click', () => {
        at('plan').append(make('option', {value: plan.n}, planName(plan)));
        at('plan').value = plan.n;
        show(at('tab-plans'));
    });
    return link;
}

at('plan').addEventListener('change', showPlans);
at('graph').addEventListener('keydown', (event) => {
    const boxes = stepBoxes(), i = boxes.indexOf(document.activeElement);
    const to = {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: boxes.length - 1}[event.key];
    if (to === undefined || !boxes.length) return;
    event.preventDefault();
    boxes[Math.min(boxes.length - 1, Math.max(0, to))].focus();
});
