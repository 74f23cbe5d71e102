// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// Elements, and numbers for people. Text of clients becomes text, never markup.

function build(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {}))
        if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
    element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
    return element;
}
export const make = (name, attributes, ...children) => build(document.createElement(name), attributes, children);
export const draw = (name, attributes, ...children) => build(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

export const kUses = ['cached', 'resident', 'new', 'evicted'];
export const kKinds = ['Tools and system prompt', 'Message of the user', 'Words of the model', 'Call of a tool', 'Result of a tool'];

export const grouped = (n) => Math.round(n).toLocaleString('en');

export function compact(n) {
    const size = Math.abs(n);
    if (size < 1000) return String(Math.round(n));
    const [unit, name] = size < 999_500 ? [1e3, 'k'] : [1e6, 'M'];
    return (n / unit).toFixed(size / unit < 9.95 ? 2 : size / unit < 99.5 ? 1 : 0) + name;
}

// A bill in dollars, or in plain input tokens (`isPriced`: false; the value is in millions of them).
export function money(value, isPriced, unit = ' tokens') {
    const sign = value < 0 ? '\u2212' : '', size = Math.abs(value);
    if (!isPriced) return `${sign}${compact(size * 1e6)}${unit}`;
    return `${sign}$${size.toFixed(size === 0 || size >= 1 ? 2 : size >= 0.1 ? 3 : 4)}`;
}

export const percent = (share) => `${share < -0.0049 ? '\u2212' : ''}${Math.abs(100 * share).toFixed(0)} %`;

export function ago(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 2) return 'now';
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
    return `${Math.floor(seconds / 86_400)} d ago`;
}

export const clock = (ms, withSeconds = true) => new Date(ms).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit', ...(withSeconds ? {second: '2-digit'} : {})});

export const savedShare = (sum) => (sum.untouched > 0 ? 1 - sum.billed / sum.untouched : 0);

// The figures at the head of a view: [name, value, note, class].
export function figures(rows) {
    return make('dl', {class: 'card figures'}, ...rows.map(([name, value, note, kind]) =>
        make('div', {class: kind && kind.includes('first') ? 'first' : undefined}, make('dt', {}, name),
            make('dd', {class: `value ${kind || ''}`}, value), make('dd', {class: 'note'}, note || '\u00a0'))));
}

export function billFigures(sum, isPriced, noteOfCalls) {
    const saved = sum.untouched - sum.billed, isKnown = sum.calls > sum.unknown_calls;
    const tone = saved > 0 ? 'good' : saved < 0 ? 'bad' : '';
    return figures([
        ['Saved', isKnown ? percent(savedShare(sum)) : '\u2013', isKnown ? sum.rewritten_calls ? `${money(saved, isPriced)} \u00b1 ${money(sum.error, isPriced)}` : 'nothing was left out yet' : 'the provider has reported no usage yet', `first ${tone}`],
        ['Billed', money(sum.billed, isPriced), sum.rewriting > 0 ? `${money(sum.rewriting, isPriced)} of it for rewriting` : 'as the provider reported'],
        ['Without the proxy', sum.rewritten_calls ? `\u2248 ${money(sum.untouched, isPriced)}` : money(sum.untouched, isPriced), sum.rewritten_calls ? 'an estimate' : 'the same: nothing was left out'],
        ['Calls', grouped(sum.calls), noteOfCalls]]);
}
