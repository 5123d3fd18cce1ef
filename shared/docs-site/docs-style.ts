import { CHOSEN_COLOURS } from '../core/text/colours.ts';
import { DOCS_CONTENT_STYLE } from './docs-content-style.ts';

/** The style sheet of the documentation: its frame, then the content of its pages. */
export const DOCS_STYLE = `${CHOSEN_COLOURS}
:root { --top: 3.5rem; --ground: var(--card); accent-color: var(--accent); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: calc(var(--top) + 1rem); }
body { margin: 0; background: var(--card); color: var(--text); font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
svg { flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
button { font: inherit; color: inherit; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; z-index: 9; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem .75rem; background: var(--card); }

.top { position: sticky; top: 0; z-index: 2; display: flex; gap: .75rem; align-items: center; height: var(--top); padding: 0 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.top svg { width: 1.25rem; height: 1.25rem; }
.brand { display: flex; gap: .5rem; align-items: center; margin-right: auto; color: var(--text); font-weight: 680; letter-spacing: -.01em; text-decoration: none; }
.brand svg { width: 1.6rem; height: 1.6rem; color: var(--accent); }
.brand small { color: var(--muted); font-size: .95rem; font-weight: 400; }
.top button { display: flex; flex: none; gap: .5rem; align-items: center; min-height: 2.25rem; padding: 0 .7rem; border: 1px solid var(--line); border-radius: .55rem; background: var(--card); }
.top button[hidden] { display: none; }
.top button:hover { border-color: var(--accent); }
.search-button { min-width: 13rem; color: var(--muted); }
.top .search-button { color: var(--muted); background: var(--soft); }
.search-button kbd { margin-left: auto; }
kbd { padding: 0 .35rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--card); color: var(--muted); font: .8rem/1.4 ui-monospace, monospace; }
.top .menu-button { display: none; }

.frame { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); max-width: 92rem; margin: 0 auto; }
.sidebar { position: sticky; inset: var(--top) auto auto; display: block; width: auto; height: calc(100dvh - var(--top)); max-height: none; margin: 0; padding: .5rem 1rem 3rem 1.25rem; overflow-y: auto; border: 0; border-right: 1px solid var(--line); background: var(--card); color: var(--text); font-size: .9rem; line-height: 1.4; }
.sidebar p { margin: 1.4rem 0 .35rem; padding: 0 .6rem; font-size: .8rem; font-weight: 650; color: var(--text); }
.sidebar ul { margin: 0; padding: 0; list-style: none; }
.sidebar ul ul { margin: .1rem 0 .4rem .7rem; padding-left: .4rem; border-left: 1px solid var(--line); }
.sidebar a { display: block; padding: .3rem .6rem; border-radius: .45rem; color: var(--muted); text-decoration: none; overflow-wrap: anywhere; }
.sidebar a:hover { color: var(--text); background: var(--soft); }
.sidebar a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
.sidebar code { font-size: .92em; }

main { min-width: 0; padding: 1rem clamp(1rem, 3vw, 3.5rem) 4rem; }
article, .next, .end { max-width: 48rem; margin: 0 auto; }
.outline { display: none; }
.outline > nav { position: sticky; top: var(--top); max-height: calc(100dvh - var(--top)); padding: 1.5rem 1.25rem 2rem 0; overflow-y: auto; font-size: .85rem; line-height: 1.4; }
.outline h2 { margin: 0 0 .5rem; font-size: .8rem; font-weight: 650; }
.outline ul { margin: 0; padding: 0; list-style: none; border-left: 1px solid var(--line); }
.outline a { display: block; padding: .2rem .75rem; margin-left: -1px; border-left: 1px solid transparent; color: var(--muted); text-decoration: none; }
.outline .depth-3 a { padding-left: 1.5rem; }
.outline a:hover { color: var(--text); }
.outline a[aria-current] { border-color: var(--accent); color: var(--accent); }
@media (min-width: 80rem) {
  body.page .frame:has(.outline) { grid-template-columns: 15.5rem minmax(0, 1fr) 14rem; }
  .outline { display: block; }
}

.next { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: 3rem; }
.next a { display: grid; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem; text-decoration: none; font-weight: 600; }
.next a:hover { border-color: var(--accent); }
.next small { color: var(--muted); font-weight: 400; }
.next [rel="next"] { grid-column: 2; text-align: right; }
.end { display: flex; gap: 1.25rem; margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .85rem; }
.end a { color: var(--muted); }

.search { width: min(42rem, calc(100vw - 2rem)); max-height: min(36rem, calc(100dvh - 4rem)); margin: 4rem auto 0; padding: 0; border: 1px solid var(--line); border-radius: .9rem; background: var(--card); color: var(--text); box-shadow: 0 1.5rem 4rem #0006; overflow: hidden; }
.search::backdrop { background: #0a0d1266; }
.search[open] { display: flex; flex-direction: column; }
.search input { flex: none; width: 100%; padding: .9rem 1.1rem; border: 0; border-bottom: 1px solid var(--line); background: none; color: inherit; font: inherit; font-size: 1.05rem; }
.search input:focus { outline: none; }
.search [role="listbox"] { padding: .4rem; overflow-y: auto; }
.search [role="option"] { display: block; padding: .5rem .75rem; border-radius: .55rem; color: inherit; text-decoration: none; }
.search [aria-selected="true"] { background: var(--accent-soft); }
.search [role="option"] small { display: block; color: var(--muted); }
.search mark { background: none; color: var(--accent); font-weight: 650; }
.search .where { color: var(--muted); font-weight: 400; }
.search .note { margin: 0; padding: .75rem 1.1rem; color: var(--muted); font-size: .9rem; }

@media (max-width: 60rem) {
  .frame { display: block; }
  .top .menu-button { display: flex; }
  .sidebar { position: fixed; inset: 0 auto 0 0; width: min(20rem, 85vw); height: 100dvh; padding-top: 1rem; box-shadow: 0 0 3rem #0006; }
  .sidebar:not(:popover-open) { display: none; }
  .sidebar::backdrop { background: #0a0d1266; }
}
@media (max-width: 40rem) {
  .top { gap: .4rem; padding: 0 .75rem; }
  .brand small, .menu-button span, .search-button :is(span, kbd) { display: none; }
  .search-button { min-width: 0; }
  .next { grid-template-columns: 1fr; }
  .next [rel="next"] { grid-column: 1; }
}
@media print { .top, .sidebar, .outline, .next, .end { display: none; } .frame { display: block; } }
@media (prefers-reduced-motion: no-preference) { html:focus-within { scroll-behavior: smooth; } }
${DOCS_CONTENT_STYLE}`;
