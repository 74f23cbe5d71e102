// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
// The bill as it grew, with and without the proxy. The pointer and the arrow keys read off values.
import {clock, draw, make, money, percent} from './format.js';

const kLeft = 64, kRight = 14, kTop = 12, kBottom = 26;

// Returns about `count` round numbers from 0 up to `max` or a little less.
function ticks(max, count) {
    const raw = max / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((n) => n * power >= raw) * power;
    return Array.from({length: Math.floor(max / step + 1e-9) + 1}, (_, i) => i * step);
}

export class Curve {
    constructor() {
        this.svg = draw('svg', {tabindex: 0, role: 'img'});
        this.readout = make('span', {class: 'read small', 'aria-live': 'polite'});
        this.element = make('div', {class: 'curve'},
            make('div', {class: 'row'}, make('ul', {class: 'legend'}, make('li', {}, make('span', {class: 'key line'}), 'Billed'),
                make('li', {}, make('span', {class: 'key line without'}), 'Without the proxy (estimate)')), this.readout),
            this.svg);
        this.points = [];
        this.svg.addEventListener('pointermove', (event) => this.point(this.nearest(event.offsetX)));
        this.svg.addEventListener('pointerleave', () => this.point(null));
        this.svg.addEventListener('blur', () => this.point(null));
        this.svg.addEventListener('keydown', (event) => {
            const at = this.at ?? this.points.length, last = this.points.length - 1;
            const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last}[event.key];
            if (to === undefined) return;
            event.preventDefault();
            this.point(Math.max(0, Math.min(last, to)));
        });
        new ResizeObserver(() => this.render()).observe(this.svg);
    }

    // `points`: [time, billed, untouched], sums.
    show(points, isPriced) {
        this.points = points;
        this.isPriced = isPriced;
        this.at = null;
        this.render();
    }

    x(point) {
        const first = this.points[0][0], span = this.points.at(-1)[0] - first;
        return kLeft + (this.width - kLeft - kRight) * (span ? (point[0] - first) / span : 1);
    }
    y(value) { return kTop + (this.height - kTop - kBottom) * (1 - value / this.max); }

    nearest(x) {
        if (!this.points.length) return null;
        let best = 0;
        this.points.forEach((point, i) => { if (Math.abs(this.x(point) - x) <= Math.abs(this.x(this.points[best]) - x)) best = i; });
        return best;
    }

    render() {
        const box = this.svg.getBoundingClientRect();
        if (!box.width || !this.points.length) return;
        [this.width, this.height] = [box.width, box.height];
        this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
        const last = this.points.at(-1);
        this.max = Math.max(last[1], last[2], 1e-9) * 1.06;
        const line = (column) => this.points.map((point, i) => `${i ? 'L' : 'M'}${this.x(point).toFixed(1)} ${this.y(point[column]).toFixed(1)}`).join('');
        const back = [...this.points].reverse().map((point) => `L${this.x(point).toFixed(1)} ${this.y(point[1]).toFixed(1)}`).join('');
        this.hair = draw('g', {});
        this.svg.replaceChildren(
            ...ticks(this.max, 4).map((value) => draw('g', {}, draw('line', {class: 'grid', x1: kLeft, x2: this.width - kRight, y1: this.y(value), y2: this.y(value)}),
                draw('text', {x: kLeft - 10, y: this.y(value) + 4, 'text-anchor': 'end'}, this.tick(value)))),
            ...this.times().map(([x, text, anchor]) => draw('text', {x, y: this.height - 6, 'text-anchor': anchor}, text)),
            draw('path', {class: 'saved', d: `${line(2)}${back}Z`}), draw('path', {class: 'without', d: line(2)}), draw('path', {class: 'with', d: line(1)}),
            draw('circle', {class: 'without', cx: this.x(last), cy: this.y(last[2]), r: 3.5}), draw('circle', {class: 'with', cx: this.x(last), cy: this.y(last[1]), r: 3.5}), this.hair);
        this.svg.setAttribute('aria-label', `The bill from ${clock(this.points[0][0])} to ${clock(last[0])}: ${this.words(last)}. Arrow keys read off values.`);
        this.point(this.at);
    }

    // On the axis all values have the digits that the smallest needs.
    tick(value) {
        if (!value || !this.isPriced) return value ? money(value, false, '') : '0';
        const step = ticks(this.max, 4)[1];
        return `$${value.toFixed(step >= 1 && Number.isInteger(step) ? 0 : step >= 0.01 ? 2 : 4)}`;
    }

    times() {
        const first = this.points[0][0], last = this.points.at(-1)[0], span = last - first;
        if (!span) return [[this.width - kRight, clock(last), 'end']];
        const count = Math.max(2, Math.min(6, Math.floor((this.width - kLeft) / 130)));
        const text = (ms) => clock(ms, span < 600_000);
        return Array.from({length: count}, (_, i) => {
            const time = first + span * i / (count - 1);
            return [this.x([time]), text(time), i === 0 ? 'start' : i === count - 1 ? 'end' : 'middle'];
        });
    }

    words([, billed, untouched]) {
        return `${money(billed, this.isPriced)} billed, ${money(untouched, this.isPriced)} without the proxy` + (untouched > 0 ? `, ${percent(1 - billed / untouched)} saved` : '');
    }

    point(at) {
        this.at = at;
        if (!this.hair) return;
        const point = at === null ? null : this.points[at];
        this.readout.textContent = point ? `${clock(point[0])}: ${this.words(point)}` : '';
        this.hair.replaceChildren(...(point ? [draw('line', {class: 'hair', x1: this.x(point), x2: this.x(point), y1: kTop, y2: this.height - kBottom}),
            draw('circle', {class: 'without', cx: this.x(point), cy: this.y(point[2]), r: 3.5}), draw('circle', {class: 'with', cx: this.x(point), cy: this.y(point[1]), r: 3.5})] : []));
    }
}
