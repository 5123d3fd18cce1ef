/** The style of our icons, whose paths have their kind as class (`icons.ts`). */
export const ICON_STYLE = `
.i { width: 1rem; height: 1rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.i .dot { fill: currentColor; stroke: none; }
.i .faint { opacity: .28; }
.i .dashed { stroke-dasharray: 2.2 2.28; }
.i .fill { fill: var(--tone-fill, currentColor); stroke: none; }
.i .cut { stroke: var(--cut, var(--card)); stroke-width: 1.9; }
`;

/** The style that our pages and the component share: reset, type, the plate, statuses, buttons and records. It needs `tokens.ts`. */
export const PART_STYLE = `${ICON_STYLE}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: var(--w-text) var(--t-3)/1.5 var(--sans); }
h1, h2, h3, h4, p, ol, ul, dl, dd, pre, figure { margin: 0; }
ol, ul { padding: 0; list-style: none; }
h1, h2, h3, h4, th, dt, strong, b { font-weight: var(--w-strong); }
h1, h2 { font-weight: var(--w-title); letter-spacing: -.012em; line-height: 1.25; text-wrap: balance; }
a { color: var(--accent); text-decoration: none; }
:is(p, .text, .line, .muted) a:not([class]) { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration: underline; }
code, kbd, pre, .mono { font-family: var(--mono); font-size: .93em; font-weight: 430; letter-spacing: -.03em; }
time, .num { font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; }
.muted { color: var(--muted); }
.small { font-size: var(--t-2); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; z-index: 9; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem .75rem; background: var(--card); border-radius: var(--r-1); }
:focus-visible { outline: var(--focus); outline-offset: 2px; border-radius: var(--r-1); }
.mark { width: 1.75rem; height: 1.3125rem; flex: none; }
.mark .plate-of { fill: var(--mark, var(--plate)); }
.mark .n-of { fill: var(--mark-n, var(--on-plate)); }
.mark .screws-of { fill: var(--mark-s, var(--screw)); }

/* The plate: the name of the thing that the page is about. Once a page, and in pictures. */
.plate { display: inline-flex; align-items: center; gap: .62em; max-width: 100%; padding: .5em .62em; border-radius: .42em; background: var(--plate); color: var(--on-plate); box-shadow: inset 0 0 0 .12em var(--plate), inset 0 0 0 calc(.12em + 1px) color-mix(in srgb, var(--on-plate) 42%, transparent); font-weight: var(--w-title); letter-spacing: -.008em; line-height: 1.12; }
.plate > span { min-width: 0; overflow-wrap: anywhere; text-wrap: balance; }
.plate::before, .plate::after { content: ''; flex: none; width: .3em; height: .3em; border-radius: 50%; background: var(--screw); }
.plate.loose::before, .plate.loose::after { background: none; box-shadow: inset 0 0 0 1.5px var(--screw); } /* not served yet: no screws in the holes */
.plate.paper { border: 1.5px dashed var(--edge); background: var(--card); color: var(--text); box-shadow: none; } /* a test domain: a paper label */
.plate.paper::before, .plate.paper::after { content: none; }
@media (forced-colors: active) { .plate { border: 1px solid CanvasText; } }

/* A status is always icon + words + colour. No pill: the icon carries the colour, the words stay dark enough to read. */
.st { display: inline-flex; align-items: center; gap: .42rem; color: var(--tone, var(--muted)); font-weight: var(--w-strong); white-space: nowrap; }
.st .i { width: .9375rem; height: .9375rem; stroke-width: 1.7; }
.good { --tone: var(--good); --tone-soft: var(--good-soft); --tone-fill: var(--good-fill); }
.work { --tone: var(--accent); --tone-soft: var(--accent-soft); --tone-fill: var(--fill); }
.wait { --tone: var(--wait); --tone-soft: var(--wait-soft); --tone-fill: var(--wait-fill); }
.bad { --tone: var(--bad); --tone-soft: var(--bad-soft); --tone-fill: var(--bad-fill); }
.held { --tone: var(--held); --tone-soft: var(--held-soft); --tone-fill: var(--held-fill); }
.quiet { --tone: var(--muted); --tone-soft: var(--soft); --tone-fill: var(--edge); }
.code-of { color: var(--muted); font: 430 var(--t-1)/1.4 var(--mono); letter-spacing: -.02em; } /* the machine's word, below or beside the person's */

button, .btn { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; min-height: var(--control); padding: .25rem .75rem; border: var(--border); border-radius: var(--r-1); background: var(--card); color: var(--text); font: var(--w-strong) var(--t-2)/1.2 var(--sans); font-family: inherit; text-decoration: none; white-space: nowrap; cursor: pointer; transition: background var(--quick), border-color var(--quick); }
button:hover, .btn:hover { border-color: var(--edge); text-decoration: none; }
.btn.lead { border-color: var(--fill); background: var(--fill); color: var(--on-fill); }
.btn.lead:hover { border-color: var(--fill-hover); background: var(--fill-hover); }
.btn.danger { color: var(--bad); }
.btn.bare { border-color: transparent; background: none; color: var(--muted); }
.btn.bare:hover { background: var(--soft); color: var(--text); }
.btn.icon { width: var(--control); padding: 0; }
.btn.big { min-height: 2.75rem; padding: .5rem 1.1rem; border-radius: .5rem; font-size: var(--t-4); }
input, select, textarea, .field { min-height: var(--control); padding: .25rem .6rem; border: 1px solid var(--edge); border-radius: var(--r-1); background: var(--card); color: var(--text); font: var(--w-text) var(--t-2)/1.3 var(--sans); font-family: inherit; }
::placeholder { color: var(--muted); opacity: 1; }
kbd { padding: .05rem .3rem; border: var(--border); border-radius: .25rem; color: var(--muted); font-size: var(--t-1); }

/* One record, ready to copy. The same in the dashboard, on the connect page, in the component. */
.record { overflow: hidden; border: var(--border); border-radius: var(--r-2); background: var(--card); }
.record > div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: .15rem .75rem; align-items: center; min-height: 2.75rem; padding-block: .4rem; padding-inline: .9rem .5rem; }
.record > div + div { border-top: var(--border); }
.record dt { color: var(--muted); font-size: var(--t-2); font-weight: var(--w-text); }
.record dd { min-width: 0; overflow-wrap: anywhere; }
.record code { font-size: .94em; }
.record dd > .i { margin: 0 .35rem; width: .875rem; height: .875rem; color: var(--muted); vertical-align: -.12em; }
.record .note { grid-column: 2 / -1; color: var(--muted); font-size: var(--t-2); margin-top: -.2rem; }
.record .old { background: var(--bad-soft); }
.record .new { background: var(--good-soft); }
.record .old code { color: var(--bad); text-decoration: line-through; text-decoration-thickness: 1px; }
.record .new code { color: var(--good); font-weight: var(--w-strong); }
.record :is(.old, .new) dt { color: var(--text); font-weight: var(--w-strong); }
@media (max-width: 30rem) { .record > div { grid-template-columns: minmax(0, 1fr) auto; padding-block: .5rem; } .record dt { grid-column: 1 / -1; font-size: var(--t-1); } .record .note { grid-column: 1 / -1; margin: 0; } }
`;

/** The style that all our pages share. */
export const BASE_STYLE = `${PART_STYLE}
/* Code is always on night enamel, in both themes. */
.code { overflow: hidden; border-radius: var(--r-2); background: var(--code); color: var(--code-text); box-shadow: inset 0 0 0 1px var(--code-line); }
.code > header { display: flex; align-items: center; gap: .15rem; min-height: 2.5rem; padding: 0 .4rem 0 .9rem; background: var(--code-head); box-shadow: inset 0 -1px var(--code-line); color: var(--code-muted); font-size: var(--t-2); }
.code > header > :last-child { margin-left: auto; }
.code pre { padding: .9rem 1rem; overflow-x: auto; font-size: .8125rem; line-height: 1.65; tab-size: 2; }
.code :focus-visible { outline-color: var(--code-key); }
.code .copy { min-height: 1.75rem; padding: .1rem .5rem; border-color: var(--code-line); background: none; color: var(--code-muted); font-size: var(--t-1); }
.code .copy:hover { color: var(--code-text); border-color: var(--code-muted); }
.k { color: var(--code-key); } .s { color: var(--code-string); } .n { color: var(--code-number); }
.method { display: inline-block; padding: .1rem .4rem; border-radius: .25rem; background: var(--tone-soft); color: var(--tone); font: 600 var(--t-1)/1.45 var(--mono); letter-spacing: .02em; }

/* Forced colours remove backgrounds and shadows. */
@media (forced-colors: active) {
  .code { outline: 1px solid CanvasText; }
  :is([aria-pressed="true"], [aria-selected="true"], [aria-current]:not([aria-current="false"])):not(:focus-visible) { outline: 2px solid Highlight; outline-offset: -2px; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
`;
