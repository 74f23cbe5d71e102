// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// One conversation: its pages, what evictions cost and saved, its calls.
import {Curve} from './curve.js';
import {ago, billFigures, clock, compact, grouped, make, money} from './format.js';
import {useLegend} from './overview.js';
import {Strip} from './strip.js';

const kShownRows = 12;

const readPage = ([kind, use, tokens, sent, evictedAt, label]) => ({kind, use, tokens, sent, evictedAt, label});
const head = (name, kind) => make('th', {scope: 'col', class: kind}, name);
const cell = (text, kind) => make('td', {class: kind}, text);

export class Conversation {
    constructor(element) {
        this.element = element;
        this.curve = new Curve();
        this.strip = new Strip();
        this.wide = make('button', {type: 'button', 'aria-pressed': 'true'}, 'Whole conversation');
        this.sent = make('button', {type: 'button', 'aria-pressed': 'false'}, 'As sent');
        this.wide.addEventListener('click', () => this.setWhole(true));
        this.sent.addEventListener('click', () => this.setWhole(false));
        this.showsAll = {calls: false, evictions: false};
        this.calls = make('div', {class: 'card'});
        this.top = make('div');
        this.bill = make('div');
        this.pages = make('div', {class: 'card'});
        this.evictions = make('div', {class: 'card'});
        this.built = [this.top, this.bill, this.pages, make('div', {class: 'card'}, make('h2', {}, 'The bill as it grows'), this.curve.element), this.evictions, this.calls];
    }

    open() {
        this.strip.chosen = null;
        this.showsAll = {calls: false, evictions: false};
        this.top.replaceChildren();
        this.isNew = true;
    }

    // Returns the first rows, or all, and a button that changes that.
    shorten(rows, what, show) {
        const isAll = this.showsAll[what];
        if (rows.length <= kShownRows) return [rows, null];
        const button = make('button', {type: 'button', class: 'more'}, isAll ? 'Show fewer' : `Show all ${rows.length}`);
        button.addEventListener('click', () => {
            this.showsAll[what] = !isAll;
            show.call(this);
            this[what].querySelector('.more').focus();
        });
        return [isAll ? rows : rows.slice(0, kShownRows), button];
    }

    // In tables the unit is left out.
    bare(value) { return money(value, this.isPriced, ''); }

    setWhole(isWhole) {
        this.wide.setAttribute('aria-pressed', isWhole);
        this.sent.setAttribute('aria-pressed', !isWhole);
        this.strip.setWhole(isWhole);
    }

    show(data) {
        this.data = data;
        this.isPriced = data.is_priced || !data.sum.calls;
        if (this.element.firstChild !== this.top) this.element.replaceChildren(...this.built);
        const state = data.running ? 'running now' : `last call ${ago(data.now_ms - data.last_ms)}`;
        const facts = [data.upstream, `began ${clock(data.began_ms, false)}`, state, data.held_out ? 'held out: nothing is left out' : ''].filter(Boolean).join(' \u00b7 ');
        if (!this.top.firstChild)
            this.top.replaceChildren(make('p', {class: 'crumb'}, make('a', {href: '#'}, '\u2190 All conversations')), make('h1', {tabindex: -1}, data.model || 'unknown model'), make('p', {class: 'small soft'}));
        this.top.lastChild.textContent = `${data.id.slice(0, 6)} \u00b7 ${facts}`;
        this.bill.replaceChildren(billFigures(data.sum, this.isPriced, data.sum.unknown_calls ? `${data.sum.unknown_calls} without usage` : `${grouped(data.sum.rewritten_calls)} rewritten`));
        this.showPages();
        this.curve.show(data.curve, this.isPriced);
        this.showEvictions();
        this.showCalls();
        document.title = `${data.model} \u00b7 accp proxy`;
        if (!this.isNew) return;
        this.isNew = false;
        this.top.querySelector('h1').focus({preventScroll: true});
        window.scrollTo(0, 0);
    }

    showPages() {
        const {data} = this, pages = data.pages.map(readPage);
        if (!pages.length) {
            this.pages.replaceChildren(make('h2', {}, 'Pages of the last request'), make('p', {class: 'soft'}, 'Only the newest conversations keep their pages. They come back with the next call.'));
            return;
        }
        const whole = pages.reduce((sum, page) => sum + page.tokens, 0), sent = pages.reduce((sum, page) => sum + page.sent, 0);
        const earlier = data.skipped_pages ? ` The first ${grouped(data.skipped_pages)} pages are not shown.` : '';
        const row = make('div', {class: 'row'}, make('h2', {}, 'Pages of the last request'), make('div', {class: 'switch', role: 'group', 'aria-label': 'Width of pages'}, this.wide, this.sent));
        const words = make('p', {class: 'small soft'}, `${grouped(sent)} of ${grouped(whole)} tokens were sent, in ${grouped(pages.length)} pages.${earlier}`);
        if (this.pages.firstChild?.className !== 'row') this.pages.replaceChildren(row, words, useLegend(data.use), this.strip.element);
        else {
            this.pages.children[1].replaceWith(words);
            this.pages.children[2].replaceWith(useLegend(data.use));
        }
        this.strip.show(pages);
    }

    showEvictions() {
        const {evictions, held_out: isHeldOut} = this.data;
        if (!evictions.length) {
            this.evictions.replaceChildren(make('h2', {}, 'What was left out'),
                make('p', {class: 'soft'}, isHeldOut ? 'Nothing: this conversation is held out, to compare.' : 'Nothing yet. Old results of tools are left out when that lowers the bill, which takes some calls.'));
            return;
        }
        const net = (one) => one.saved - one.cost, largest = Math.max(...evictions.map((one) => Math.abs(net(one))), 1e-12);
        const rows = [...evictions].reverse().map((one) => {
            const bar = make('i', {class: net(one) < 0 ? 'bad' : undefined});
            bar.style.width = `${(100 * Math.abs(net(one)) / largest).toFixed(1)}%`;
            return make('tr', {}, cell(`before call ${one.call}`), cell(one.time_ms ? clock(one.time_ms, false) : 'before the proxy started', 'wide'), cell(grouped(one.pages), 'n wide'), cell(compact(one.left_out), 'n'),
                cell(this.bare(one.cost), 'n wide'), cell(this.bare(one.saved), 'n wide'), make('td', {class: 'n'}, make('div', {class: 'net'}, bar, make('span', {class: net(one) < 0 ? 'bad' : 'good'}, this.bare(net(one))))));
        });
        const [shown, more] = this.shorten(rows, 'evictions', this.showEvictions);
        this.evictions.replaceChildren(...[make('h2', {}, 'What was left out, what it cost and saved'),
            make('table', {}, make('thead', {}, make('tr', {}, head('Left out'), head('Time', 'wide'), head('Results', 'n wide'), head('Tokens', 'n'), head('Cost', 'n wide'), head('Saved', 'n wide'), head('Net', 'n'))), make('tbody', {}, ...shown)), more,
            make('p', {class: 'small soft'}, `Cost: what had to be written to the cache again. Saved: a share of what each later call saved, by tokens. Both are estimates${this.isPriced ? '' : ', in plain input tokens'}.`)].filter(Boolean));
    }

    showCalls() {
        const rows = [...this.data.calls].reverse().map((one) => {
            const isOk = one.status >= 200 && one.status < 300;
            const what = one.evicted ? ` \u00b7 ${one.evicted} left out` : one.resolve ? ' \u00b7 accp_resolve' : '';
            return make('tr', {}, make('td', {}, String(one.call), make('span', {class: 'soft small'}, one.failure ? ` \u00b7 ${one.failure}` : isOk ? what : ' \u00b7 no answer')), cell(clock(one.time_ms), 'wide'),
                cell(grouped(one.whole), 'n wide'), cell(grouped(one.sent), 'n'), cell(one.cache_read === undefined ? '\u2013' : grouped(one.cache_read), 'n wide'), cell(one.output === undefined ? '\u2013' : grouped(one.output), 'n wide'),
                cell(isOk ? this.bare(one.billed) : '\u2013', 'n'), cell(isOk ? this.bare(one.untouched) : '\u2013', 'n'));
        });
        const [shown, more] = this.shorten(rows, 'calls', this.showCalls);
        this.calls.replaceChildren(...[make('h2', {}, 'Calls, the newest first'),
            make('table', {}, make('thead', {}, make('tr', {}, head('Call'), head('Time', 'wide'), head('Tokens', 'n wide'), head('Sent', 'n'), head('From the cache', 'n wide'), head('Output', 'n wide'), head('Billed', 'n'), head('Without', 'n'))), make('tbody', {}, ...shown)), more].filter(Boolean));
    }
}
