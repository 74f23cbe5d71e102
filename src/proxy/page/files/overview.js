// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// All conversations: the bill as it grows, and a row for each.
import {Curve} from './curve.js';
import {ago, billFigures, compact, grouped, kUses, make, money, percent, savedShare} from './format.js';

const kUseNames = ['in the provider\u2019s cache', 'sent again at the full price', 'new', 'left out'];

export function useBar(use) {
    const total = use.reduce((sum, n) => sum + n, 0);
    const words = use.map((n, i) => (n ? `${grouped(n)} tokens ${kUseNames[i]}` : '')).filter(Boolean).join(', ');
    const bar = make('div', {class: 'use', role: 'img', 'aria-label': words || 'no longer kept', title: words || 'no longer kept'});
    if (total) use.forEach((n, i) => {
        if (!n) return;
        const part = make('span', {class: kUses[i]});
        part.style.flex = `${n} 0 0`;
        bar.append(part);
    });
    return bar;
}

export function useLegend(use) {
    return make('ul', {class: 'legend'}, ...kUseNames.map((name, i) => make('li', {}, make('span', {class: `key ${kUses[i]}`}), name + (use ? ` \u00b7 ${compact(use[i])}` : ''))));
}

export class Overview {
    constructor(element) {
        this.element = element;
        this.curves = {true: new Curve(), false: new Curve()};  // by is_priced
        this.element.addEventListener('keydown', (event) => this.press(event));
    }

    // The arrow keys move between conversations.
    press(event) {
        const links = [...this.element.querySelectorAll('.list a')], at = links.indexOf(document.activeElement);
        const to = {ArrowDown: at + 1, ArrowUp: at - 1}[event.key];
        if (at < 0 || !links[to]) return;
        event.preventDefault();
        links[to].focus();
    }

    show(data) {
        const focused = document.activeElement?.closest?.('.list a')?.getAttribute('href');
        if (data.conversations.length) this.fill(data);
        else this.showEmpty();
        if (focused) this.element.querySelector(`.list a[href="${focused}"]`)?.focus();
    }

    fill(data) {
        const groups = [...data.groups].sort((a, b) => b.sum.calls - a.sum.calls);
        const running = data.conversations.reduce((n, one) => n + one.running, 0);
        const isAlone = groups.length === 1;
        this.element.replaceChildren(make('h1', {class: 'sr', tabindex: -1}, 'What the proxy saves'),
            ...groups.slice(0, 1).flatMap((group) => this.group(group, isAlone, running ? `${running} running` : '')), ...this.failures(data), this.list(data),
            ...groups.slice(1).flatMap((group) => this.group(group, isAlone, '')), ...(isAlone ? this.heldOut(data, groups[0].is_priced) : []));
        for (const group of groups) this.curves[group.is_priced].show(group.curve, group.is_priced);
        document.title = groups.length ? `${percent(savedShare(groups[0].sum))} saved \u00b7 accp proxy` : 'accp proxy';
    }

    group({sum, is_priced: isPriced}, isAlone, note) {
        const why = 'The table of prices lacks these models, so their bill is in plain input tokens: a token read from the cache counts as a part of one.';
        const name = isAlone || isPriced ? 'The bill as it grows' : 'The bill of models without a price';
        return [billFigures(sum, isPriced, note || `${grouped(sum.rewritten_calls)} with results left out`),
            make('div', {class: 'card'}, make('h2', {}, name), isPriced ? null : make('p', {class: 'small soft'}, why), this.curves[isPriced].element)];
    }

    failures({now_ms: now, last_failure: last, rewritten, held_out: held}) {
        const count = rewritten.failed_calls + held.failed_calls;
        if (!last) return [];
        const text = `${grouped(count)} ${count === 1 ? 'call' : 'calls'} failed. The last one, ${ago(now - last.time_ms)}, of ${last.upstream}: ${last.reason}`;
        return [make('div', {class: 'card failures'}, make('h2', {}, 'Calls that failed'), make('p', {}, text))];
    }

    list(data) {
        const rows = data.conversations.map((one) => {
            const own = one.is_priced || !one.sum.calls, sum = one.sum, saved = savedShare(sum);
            const when = one.running ? 'running' : ago(data.now_ms - one.last_ms);
            return make('tr', {}, make('td', {}, make('a', {href: `#${one.id}`, 'aria-label': `${one.model || 'unknown model'}, ${when}, ${sum.calls} calls`}, one.model || 'unknown model'),
                make('div', {class: 'small soft'}, `${one.id.slice(0, 6)} \u00b7 ${when}${one.held_out ? ' \u00b7 held out' : ''}${sum.failed_calls ? ` \u00b7 ${grouped(sum.failed_calls)} failed` : ''}`)),
                make('td', {class: 'bar'}, useBar(one.use)), make('td', {class: 'n wide'}, grouped(sum.calls)), make('td', {class: 'n wide'}, grouped(sum.evictions)),
                make('td', {class: 'n'}, money(sum.billed, own)), make('td', {class: 'n wide'}, money(sum.untouched, own)),
                make('td', {class: `n ${saved > 0.005 ? 'good' : saved < -0.005 ? 'bad' : 'soft'}`}, sum.rewritten_calls ? percent(saved) : '\u2013'));
        });
        const head = (name, kind) => make('th', {scope: 'col', class: kind}, name);
        return make('div', {class: 'card'}, make('h2', {}, 'Conversations'), useLegend(),
            make('table', {class: 'list'}, make('thead', {}, make('tr', {}, head('Model'), head('Last request'), head('Calls', 'n wide'), head('Left out', 'n wide'), head('Billed', 'n'), head('Without', 'n wide'), head('Saved', 'n'))),
                make('tbody', {}, ...rows)));
    }

    heldOut({held_out: held, rewritten}, isPriced) {
        if (!held.calls) return [];
        const price = (sum) => (sum.untouched_tokens ? money(sum.billed / sum.untouched_tokens * 1e6, isPriced) : '\u2013');
        return [make('div', {class: 'card'}, make('h2', {}, 'Held out, to compare'),
            make('p', {}, `${grouped(held.calls)} calls were left untouched: ${money(held.billed, isPriced)}, which is ${price(held)} for a million tokens. The others: ${price(rewritten)}.`))];
    }

    showEmpty() {
        const base = location.origin;
        document.title = 'accp proxy';
        this.element.replaceChildren(make('div', {class: 'card'}, make('h1', {tabindex: -1}, 'No call of a model has come through yet'),
            make('p', {class: 'soft'}, 'Start an agent with its base URL set to this proxy. Its conversations appear here with the first answer.'),
            make('ul', {class: 'steps'}, make('li', {}, make('pre', {}, `ANTHROPIC_BASE_URL=${base} claude`)), make('li', {}, make('pre', {}, `OPENAI_BASE_URL=${base}/v1 codex`)))));
    }
}
