// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
'use strict';
// The plans in a session's messages, and the states of their steps. The states are derived from messages: requests of
// one step to an agent, replies to these and to the plan, and results of steps.

const kStepStates = {pending: 'pending', begun: 'in progress', done: 'done', failed: 'failed', ended: 'given up'};
const kOfIntent = {wait: 'begun', done: 'done', fail: 'failed'};
const kOfState = {IN_PROGRESS: 'begun', DONE: 'done', FAILED: 'failed'};

// Reads the steps of a plan with their predecessors. The order is that of the parts of a run (a message inside a plan
// comes after it), so the msg_id of a step's request, KEY.PART.TRY, identifies the step.
class PlanReader {
    constructor() {
        this.parts = [];
        this.inner = [];
    }

    // Reads a whole message. Returns its steps in order.
    static read(message) {
        const reader = new PlanReader();
        const plan = {plan: message.plan, prefix: '', starts: [], step: null};
        reader.inner.push(plan);
        const subtasks = message.subtask ? [].concat(message.subtask) : [];
        subtasks.forEach((one, i) => reader.inner.push({plan: one && one.plan, prefix: `s${i + 1}/`, before: plan, starts: [], step: null}));
        for (let i = 0; i < reader.inner.length && reader.parts.length < 4096; ++i) reader.message(reader.inner[i]);
        return reader.finish(plan);
    }

    message(inner) {
        const first = this.parts.length;
        const list = Array.isArray(inner.plan) ? inner.plan : [];
        const byName = list.filter((one) => one && one.id !== undefined);
        if (byName.length) this.steps10(byName);
        else inner.ends = this.list(list, inner.prefix, []);
        const own = this.parts.slice(first).filter((one) => one.path);
        inner.starts = own.filter((one) => !one.after.length);
        inner.ends = inner.ends || own.filter((one) => !own.some((other) => other.after.includes(one)));
    }

    // Version 0.1: steps in sequence. Returns the last ones.
    list(list, prefix, after) {
        list.forEach((one, i) => { after = this.part(one, `${prefix}${i + 1}`, after); });
        return after;
    }

    part(one, path, after) {
        if (Array.isArray(one)) return [this.step({path, verb: one[0], tool: one[1], params: one[2], after})];
        const branches = one && Array.isArray(one.parallel) ? one.parallel : [];
        this.parts.push({kind: 'parallel', after: []});
        const ends = branches.map((branch, i) => {
            if (!Array.isArray(branch) || !(Array.isArray(branch[0]) || (branch[0] && branch[0].parallel))) return this.part(branch, `${path}.${i + 1}`, after);
            this.parts.push({kind: 'branch', after: []});
            return this.list(branch, `${path}.${i + 1}.`, after);
        });
        return ends.length ? ends.flat() : after;
    }

    // Version 1.0.0: each step names its predecessors.
    steps10(list) {
        const byId = new Map();
        for (const one of list) byId.set(one.id, this.step({path: String(one.id), verb: one.verb, tool: one.tool, params: one.params, after: []}));
        for (const one of list) byId.get(one.id).after = [].concat(one.depends_on || []).map((id) => byId.get(id)).filter(Boolean);
    }

    step(step) {
        Object.assign(step, {state: 'pending', tries: 0, records: [], uses: []});
        this.parts.push(step);
        const inner = step.params && step.params.subtask;
        if (inner) this.inner.push({plan: inner.plan, prefix: `${step.path}/`, step, starts: []});
        return step;
    }

    // Inner messages: those of the member subtask run before the plan, that of a step in its place.
    finish(plan) {
        for (const inner of this.inner) {
            if (inner.step) {
                for (const start of inner.starts) start.after = [...inner.step.after];
                inner.step.after = [...inner.step.after, ...inner.ends];
            }
            if (inner.before) for (const start of plan.starts) start.after = [...start.after, ...inner.ends];
        }
        const steps = this.parts.filter((one) => one.path), byPath = new Map(steps.map((one) => [one.path, one]));
        for (const step of steps) step.uses = uses(step, byPath);
        return {parts: this.parts, steps};
    }
}

// The steps whose outputs are used in a step's params, such as "$step.1.2.city".
function uses(step, byPath) {
    const found = new Set();
    const prefix = step.path.slice(0, step.path.lastIndexOf('/') + 1);
    for (const [, path] of (JSON.stringify(step.params) || '').matchAll(/"\$step\.([\w.]+)/g)) {
        const labels = path.split('.');
        for (let n = labels.length; n > 0; --n) {
            const other = byPath.get(prefix + labels.slice(0, n).join('.'));
            if (other) { found.add(other); break; }
        }
    }
    return [...found];
}

class PlanBook {
    constructor() {
        this.plans = [];
        this.chains = new Map();  // by mid and msg_id: the plan or step that a reply refers to
        this.changes = 0;
    }

    add(record) {
        const message = record.message || {};
        const said = record.sacp || message.payload;
        if (!said || typeof said !== 'object') return;
        const cid = message.meta && message.meta.cid;
        const asked = (cid && this.chains.get(cid)) || (said.reply_to && this.chains.get(said.reply_to));
        if (asked && message.intent !== 'req') return this.answer(asked, record, said);
        if (!Array.isArray(said.plan) || !said.plan.length) return;
        const call = this.call(said);
        if (call) this.begin(call, record);
        const target = call || {plan: this.beginPlan(record, said)};
        for (const name of [message.meta && message.meta.mid, said.msg_id]) if (name) this.chains.set(name, target);
        ++this.changes;
    }

    // Finds the step that a message requests: KEY.PART.TRY.
    call(said) {
        const [, part, tries] = /\.(\d+)\.(\d+)$/.exec(said.msg_id || '') || [];
        const [verb, tool] = Array.isArray(said.plan[0]) ? said.plan[0] : [];
        if (!part || said.plan.length !== 1) return null;
        for (const plan of this.plans.slice(-8).reverse()) {
            const step = plan.parts[Number(part)];
            if (step && step.path && plan.goal === said.g && (step.verb === verb || step.tool === tool)) return {plan, step, tries: Number(tries)};
        }
        return null;
    }

    begin({plan, step, tries}, record) {
        if (plan.state === 'pending') plan.state = 'begun';
        step.tries = Math.max(step.tries, tries);
        delete step.reason;
        this.set(step, 'begun', record);
    }

    beginPlan(record, said) {
        const plan = {n: record.n, goal: String(said.g || record.message.operation), by: record.message.agent,
                      state: kOfState[said.state] || 'pending', ...PlanReader.read(said)};
        this.plans.push(plan);
        return plan;
    }

    set(step, state, record) {
        step.state = state;
        step.records.push(record.n);
    }

    answer({plan, step}, record, said) {
        const result = said.result && typeof said.result === 'object' ? said.result : {};
        const state = kOfIntent[record.message.intent] || kOfState[said.state];
        if (!state || (state === 'begun' && record.kind === 'S' && !record.sacp)) return;  // the hub reports a delay
        ++this.changes;
        const failure = said.details || (result.error && result.error.details) || said.msg;
        if (step) {
            this.set(step, state, record);
            if (state === 'failed') step.reason = String(failure || '');
            else if (state === 'done') step.output = 'output' in result ? result.output : said.result;
            return;
        }
        plan.state = state;
        const byPath = new Map(plan.steps.map((one) => [one.path, one]));
        for (const [path, output] of Object.entries(result.step_results || {})) {
            const one = byPath.get(path);
            if (one) Object.assign(one, {state: 'done', output});
        }
        if (state === 'failed') this.fail(plan, byPath, String(failure || ''));
        if (state === 'done') for (const one of plan.steps) one.state = 'done';
    }

    fail(plan, byPath, failure) {
        plan.reason = failure;
        const [, path] = /\bstep (\w+(?:[.\/]\w+)*)/.exec(failure) || [], one = byPath.get(path);
        if (one) Object.assign(one, {state: 'failed', reason: failure});
        for (const other of plan.steps) if (other.state === 'begun') other.state = 'ended';
    }
}
