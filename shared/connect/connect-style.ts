import { TOKENS } from '../core/look/tokens.ts';
import { CONNECT_PARTS } from './parts-style.ts';

/** The stylesheet of the customer's pages, for phones first, with a light and a dark theme, and rules for print. */
export const CONNECT_STYLE = `${TOKENS}${CONNECT_PARTS}
:root { --control: 2.75rem; }
body { font-size: 1rem; line-height: 1.55; }
.sheet { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: 41rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere; }
.sheet:focus { outline: none; }
.sheet > :empty:not([role]) { display: none; }
.from { display: flex; gap: .6rem; align-items: center; color: var(--muted); font-size: .9375rem; }
.from b { color: var(--text); }
.from i { display: grid; flex: none; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: .4rem; background: var(--fill); color: var(--on-fill); font-size: .875rem; font-style: normal; font-weight: 700; }
.from img { flex: none; width: auto; max-width: 8rem; height: 1.75rem; object-fit: contain; }
.door { font-size: clamp(1.25rem, .95rem + 1.9vw, 1.75rem); }
.copy { display: none; }
.scripted .copy { display: inline-flex; }
.scripted .unscripted { display: none; }
.work .state > .i { animation: turn 1.6s linear infinite; }
:is(.state.unseen, .unwatched .state) > .i { animation-play-state: paused; }
@keyframes turn { to { transform: rotate(1turn); } }
.ask-row { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; }
.ask-row label { grid-column: 1 / -1; font-size: .9375rem; }
.ask-row :is(input, select) { width: 100%; font-size: 1rem; }
input[aria-invalid="true"] { border-color: var(--bad-fill); }
.link { overflow-wrap: anywhere; }
.langs ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; font-size: .875rem; }
.langs a { display: inline-block; padding: .3rem 0; color: var(--muted); text-decoration: underline; text-underline-offset: .2em; }
.langs [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
@media (max-width: 30rem) {
  .sheet { gap: .625rem; padding: .75rem .75rem 3rem; }
  .from { font-size: .875rem; }
  .from :is(i, img) { height: 1.5rem; }
  .from i { width: 1.5rem; font-size: .75rem; }
  .ask-row { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  .sheet { max-width: none; padding: 0; }
  .card, .record { break-inside: avoid; }
  .plate { border: 1px solid; background: none; box-shadow: none; color: inherit; }
  form, .unscripted, .scripted .copy, .skip, #offline, #notify { display: none; }
  .what a::after { content: " (" attr(href) ")"; }
}
`;
