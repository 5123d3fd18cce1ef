import { PART_STYLE } from '../core/look/base-style.ts';

/**
 * The style of the parts that the connect page and the component `<nameplate-connect>` share. It uses only logical directions, so the
 * component works in a page that runs from right to left. No font size is in `rem` within another one, because the component uses `em`.
 */
export const CONNECT_PARTS = `${PART_STYLE}
code { letter-spacing: 0; user-select: all; -webkit-user-select: all; }
[hidden], :host([hidden]) { display: none; }
.door { display: flex; justify-content: space-between; text-align: center; letter-spacing: -.012em; }
.door > span { flex: 1; }
.card { padding: 1.25rem; border: var(--border); border-radius: .875rem; background: var(--card); }
.card > * + *, .finding > * + *, .part > * + * { margin-block-start: .9rem; }
.card :is(h1, h2) { font-size: 1.1875rem; letter-spacing: -.01em; }
.card h3 { font-size: 1rem; font-weight: 650; }
:is(h1, h2):focus { outline: none; }

/* The status: its icon, words, and the walk in four steps. */
.state { display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: .15rem .9rem; align-items: start; }
.state > .i { grid-row: 1 / 3; width: 2.25rem; height: 2.25rem; color: var(--tone); stroke-width: 1.3; }
.state .cut { stroke-width: 1.6; }
.state :is(h1, h2) { line-height: 1.3; }
.state p { color: var(--muted); }
.state.brief { align-items: center; }
.state.brief > .i { grid-row: 1; }
.walk { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); padding-block-start: .25rem; }
.walk li { position: relative; padding-block-start: 1.15rem; padding-inline-end: .375rem; color: var(--muted); font-size: .875rem; line-height: 1.35; }
.walk li::before { content: ''; position: absolute; inset-block-start: .25rem; inset-inline: 0 .375rem; height: .375rem; border-radius: .1875rem; background: var(--line); }
.walk li:last-child::before { inset-inline-end: 0; }
.walk .done::before { background: var(--good-fill); }
.walk .now::before { background: var(--tone-fill); }
:is(.good, .wait, .work) .walk .now::before { background: linear-gradient(var(--tone-fill) 0 0) no-repeat 0 / 45% var(--line); }
:dir(rtl) .walk .now::before { background-position: 100%; }
.walk :is(.done, .now) { color: var(--text); }
.walk .now { font-weight: 600; }
.walk small { display: block; color: var(--muted); font-size: .93em; font-weight: 400; }
.open { display: flex; flex-wrap: wrap; gap: .6rem; }

/* The task: numbered actions, each with a link or records. */
.ways { counter-reset: way; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; }
.ways > li { counter-increment: way; display: grid; grid-template-columns: 1.75rem minmax(0, 1fr); gap: .6rem .75rem; }
.ways > li::before { content: counter(way); display: grid; place-items: center; align-self: start; width: 2em; height: 2em; border-radius: .4em; background: var(--accent-soft); color: var(--accent); font-size: .875rem; font-weight: 700; }
.what { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; min-height: 1.75rem; }
.what b { font-weight: 600; overflow-wrap: anywhere; }
.ways > li > :is(.record, h3) { grid-column: 1 / -1; }
.ways small { grid-column: 2; color: var(--muted); font-size: .875rem; }
.ways .what + small { margin-block-start: -.35rem; }
.record > div { grid-template-columns: 4.5rem minmax(0, 1fr) auto; }
.wide > div { grid-template-columns: 9rem minmax(0, 1fr) auto; }
.record code { font-size: .9em; }
.record del + code { margin-inline-start: .5em; }
.record .old + div { background: var(--good-soft); }
.record .old + div code { color: var(--good); font-weight: var(--w-strong); }
.record :is(.old, .old + div) dt { color: var(--text); font-weight: var(--w-strong); }
button, .btn { padding: .25rem 1rem; font-size: .9375rem; white-space: normal; overflow-wrap: anywhere; }
.record button { min-height: 2.25rem; }
button[aria-disabled] { opacity: .65; cursor: default; }
.heed, .paper-note { display: flex; gap: .6rem; padding: .7rem .9rem; border-radius: var(--r-2); background: var(--wait-soft); font-size: .9375rem; line-height: 1.5; }
.heed .i, .paper-note .i { margin-block-start: .25rem; }
.heed .i { color: var(--wait); }
.paper-note { border: 1.5px dashed var(--edge); background: var(--card); }
.oneclick { display: grid; gap: .75rem; justify-items: start; padding: 1rem; border-radius: var(--r-2); background: var(--accent-soft); }
.notice { padding: .6rem .9rem; border-radius: var(--r-2); color: var(--tone); background: var(--tone-soft); }
.finding + .finding { padding-block-start: 1rem; border-block-start: var(--border); }
.finding > :first-child { display: flex; gap: .5rem; color: var(--tone, var(--text)); }
.finding > h3 .i { margin-block-start: .25rem; }

.fold { padding: 0; }
.fold > * + * { margin: 0; border-block-start: var(--border); }
.fold summary { display: flex; gap: .6rem; align-items: center; padding: .85rem 1.25rem; font-weight: 600; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary .i { color: var(--muted); transition: rotate var(--quick); }
summary:dir(rtl) .i { scale: -1 1; }
details[open] > summary .i { rotate: 90deg; }
details[open] > summary:dir(rtl) .i { rotate: -90deg; }
.inside { display: grid; gap: .75rem; padding: 0 1.25rem 1.1rem; }
.inside .ways { gap: .4rem; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
.between { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; color: var(--muted); font-size: .9375rem; }
.between b { color: var(--text); }
.foot { display: grid; gap: .4rem; color: var(--muted); font-size: .9375rem; }
.brand-links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.copied { border-color: var(--good-fill); color: var(--good); }

/* On a phone, the first record ends above 667 pixels in every language (above-the-fold.system.test.ts). */
@media (max-width: 30rem) {
  .card { padding: .875rem; }
  .card > * + *, .finding > * + * { margin-block-start: .7rem; }
  .card :is(h1, h2) { font-size: 1.0625rem; }
  .fold { padding: 0; }
  .fold > * + * { margin: 0; }
  .state { grid-template-columns: 1.625rem minmax(0, 1fr); gap: .15rem .6rem; }
  .state > .i { grid-row: 1; width: 1.625rem; height: 1.625rem; }
  .state p { grid-column: 1 / -1; margin-block-start: .25rem; font-size: .9375rem; line-height: 1.45; }
  .walk { padding-block-start: 0; }
  .walk li { padding-block-start: .9rem; padding-inline-end: .25rem; font-size: .75rem; letter-spacing: -.015em; }
  .walk small, .what:has(.btn) + small { display: none; }
  .ways { gap: .8rem; }
  .ways > li { grid-template-columns: 1.5rem minmax(0, 1fr); gap: .45rem .6rem; }
  .ways > li::before { width: 1.85em; height: 1.85em; font-size: .8125rem; }
  .what { gap: .4rem; min-height: 1.5rem; }
  .what b { font-size: .9375rem; }
  .what .btn { width: 100%; min-height: 2.5rem; }
  .record > div { grid-template-columns: 4.25rem minmax(0, 1fr) auto; gap: .1rem .5rem; min-height: 2.375rem; padding-block: .25rem; padding-inline: .75rem .375rem; }
  .record dt { grid-column: auto; font-size: var(--t-2); }
  .record .note { grid-column: 2 / -1; font-size: var(--t-1); }
  .record > .long, .wide > div { grid-template-columns: minmax(0, 1fr) auto; row-gap: 0; padding-block-end: .45rem; }
  :is(.long, .wide > div) > dd { order: 2; }
  :is(.long, .wide > div) > dt + dd { order: 3; grid-column: 1 / -1; }
  .long > .note { order: 4; grid-column: 1 / -1; }
  .record code { font-size: .8375em; }
  .record button { min-height: 2.125rem; padding-inline: .6rem; font-size: .875rem; }
  .open > *, .oneclick .btn { width: 100%; }
  .fold summary { padding: .8rem .875rem; }
  .inside { padding-inline: .875rem; }
}
@media (max-width: 22rem) {
  .walk li { letter-spacing: -.04em; overflow-wrap: normal; }
  .record button .i { display: none; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  .walk li::before { border: 1px solid CanvasText; }
  .walk .done::before { background: CanvasText; }
}
`;
