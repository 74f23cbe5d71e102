// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// A conversation as a ribbon of pages over some rows. The width of a page is its tokens, plus a little so that small ones can be seen.
import {draw, grouped, kKinds, kUses, make} from './format.js';

const kRow = 26, kGap = 5, kMin = 2, kPerPage = 18, kMaxRows = 10;  // pixels, but for rows
const kText = 74;  // pixels that a name needs

export const pageName = (page) => page.label || kKinds[page.kind];

function fate(page) {
    const tokens = `${grouped(page.tokens)} tokens`;
    switch (kUses[page.use]) {
        case 'cached': return `${tokens}, which the provider has in its cache: it bills them at a fraction of the price.`;
        case 'resident': return `${tokens}, sent before, but not in the provider's cache: it bills them like new ones.`;
        case 'new': return `${tokens}, sent for the first time.`;
        default: return `Left out before call ${page.evictedAt}: a line of ${grouped(page.sent)} tokens stands for ${tokens}.`;
    }
}

export class Strip {
    constructor() {
        this.svg = draw('svg', {tabindex: 0, role: 'listbox', 'aria-label': 'Pages of the last request'});
        this.detail = make('div', {class: 'page', 'aria-live': 'polite'});
        this.element = make('div', {class: 'strip'}, this.svg, this.detail);
        this.pages = [];
        this.places = [];
        this.chosen = null;  // an index
        this.isWhole = true;
        this.svg.addEventListener('click', (event) => {
            const group = event.target.closest('g[data-page]');
            if (group) this.choose(Number(group.dataset.page));
        });
        this.svg.addEventListener('focus', () => { if (this.chosen === null && this.pages.length) this.choose(this.pages.length - 1); });
        this.svg.addEventListener('keydown', (event) => this.press(event));
        this.width = 0;
        new ResizeObserver(() => { if (this.svg.clientWidth !== this.width) this.render(); }).observe(this.element);
    }

    show(pages) {
        this.pages = pages;
        if (this.chosen !== null && this.chosen >= pages.length) this.chosen = null;
        this.render();
    }

    setWhole(isWhole) {
        this.isWhole = isWhole;
        this.render();
    }

    press(event) {
        const at = this.chosen ?? this.pages.length - 1, place = this.places[at];
        const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.pages.length - 1, ArrowUp: place && this.below(place, -1), ArrowDown: place && this.below(place, 1)}[event.key];
        if (to === undefined) return;
        event.preventDefault();
        this.choose(Math.max(0, Math.min(this.pages.length - 1, to)));
    }

    // Returns the index of the page that is `rows` rows below the middle of a place.
    below(place, rows) {
        const middle = place.begin + (place.end - place.begin) / 2 + rows * this.width;
        const found = this.places.findIndex((one) => one.end > middle);
        return found < 0 ? this.pages.length - 1 : found;
    }

    choose(at) {
        this.chosen = at;
        this.svg.querySelector('.chosen')?.classList.remove('chosen');
        const group = this.svg.querySelector(`[data-page="${at}"]`);
        if (group) {
            group.classList.add('chosen');
            group.parentNode.append(group);  // above its neighbours
            this.svg.setAttribute('aria-activedescendant', group.id);
        }
        this.describe();
    }

    describe() {
        const page = this.chosen === null ? null : this.pages[this.chosen];
        if (!page) {
            this.detail.replaceChildren(make('p', {}, 'Choose a page to see what it is and what became of it. Arrow keys move.'));
            return;
        }
        this.detail.replaceChildren(make('span', {class: page.label ? 'name' : 'name plain'}, pageName(page)),
            make('span', {class: 'soft small'}, `page ${this.chosen + 1} of ${this.pages.length}`),
            make('p', {}, (page.label ? `${kKinds[page.kind]}. ` : '') + fate(page)));
    }

    // Places pages one after the other on a line, which is then cut into rows.
    layOut() {
        const sizes = this.pages.map((page) => (this.isWhole ? page.tokens : page.sent));
        const total = sizes.reduce((sum, n) => sum + n, 0);
        const rows = Math.max(1, Math.min(kMaxRows, Math.ceil(this.pages.length * kPerPage / this.width)));
        const free = Math.max(0, rows * this.width - kMin * this.pages.length);
        let end = 0;
        this.places = sizes.map((size) => {
            const begin = end;
            end += kMin + (total ? size / total : 0) * free;
            return {begin, end};
        });
        return Math.max(1, Math.ceil((end - 0.5) / this.width));
    }

    render() {
        this.width = this.svg.clientWidth;
        if (!this.width) return;
        const rows = this.layOut(), height = rows * (kRow + kGap) - kGap;
        this.svg.setAttribute('viewBox', `0 0 ${this.width} ${height}`);
        this.svg.style.height = `${height}px`;
        const hatch = draw('pattern', {id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'}, draw('path', {d: 'M0 0V6'}));
        this.svg.replaceChildren(draw('defs', {}, hatch), ...this.pages.map((page, i) => this.drawPage(page, i)));
        if (this.chosen !== null) this.choose(this.chosen);
        else this.describe();
    }

    drawPage(page, i) {
        const {begin, end} = this.places[i];
        const parts = [];
        let widest = null;
        for (let row = Math.floor(begin / this.width); row * this.width < end - 0.01; ++row) {
            const left = Math.max(begin, row * this.width) - row * this.width, right = Math.min(end, (row + 1) * this.width) - row * this.width;
            const width = Math.max(0.5, right - left - (right - left > 3 ? 1 : 0.4));
            const box = {x: left, y: row * (kRow + kGap), width, height: kRow};
            if (kUses[page.use] === 'evicted') Object.assign(box, {x: left + 0.5, y: box.y + 0.5, width: Math.max(0.2, width - 1), height: kRow - 1});
            parts.push(draw('rect', box));
            if (!widest || width > widest.width) widest = box;
        }
        if (widest && widest.width > kText) {
            const room = Math.floor((widest.width - 12) / 5.9), name = pageName(page);
            parts.push(draw('text', {x: widest.x + 7, y: widest.y + 17}, name.length > room ? `${name.slice(0, room - 1)}\u2026` : name));
        }
        return draw('g', {id: `page-${i}`, class: kUses[page.use], 'data-page': i, role: 'option', 'aria-label': `${pageName(page)}, ${kUses[page.use]}, ${grouped(page.tokens)} tokens`}, ...parts);
    }
}
