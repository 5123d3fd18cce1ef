import { BASE_STYLE } from '../core/look/base-style.ts';
import { CHOSEN_TOKENS } from '../core/look/tokens.ts';

/** The frame around pages: the top bar, the tree, the list of headings, and the search. */
const FRAME_STYLE = `
:root { --docs-head: 3.5rem; accent-color: var(--accent); }
html { scroll-padding-top: calc(var(--docs-head) + 1rem); }
body { display: flex; flex-direction: column; min-height: 100dvh; background: var(--card); font-size: var(--t-4); line-height: 1.65; overflow-wrap: break-word; }
code, .mono { font-size: max(.93em, var(--t-1)); }
[hidden] { display: none !important; }
main:focus { outline: none; }
.top { position: sticky; top: 0; z-index: 4; display: flex; flex: none; align-items: center; gap: 1.25rem; height: var(--docs-head); padding: 0 1.5rem; border-bottom: var(--border); background: var(--card); font-size: var(--t-3); line-height: 1.4; }
.top .dash, .top .icon { min-height: 2.25rem; } .top .icon { min-width: 2.25rem; } .top .menu-button { display: none; }
.top .brand { display: flex; align-items: center; gap: .55rem; color: var(--text); font-size: 1.0625rem; font-weight: var(--w-title); letter-spacing: -.012em; text-decoration: none; }
.top nav { display: flex; gap: .125rem; margin-left: .5rem; }
.top nav a { padding: .35rem .65rem; border-radius: var(--r-1); color: var(--muted); font-weight: var(--w-strong); text-decoration: none; }
.top nav a:hover { background: var(--soft); color: var(--text); } .top nav [aria-current] { background: var(--accent-soft); color: var(--accent); }
.top .end { display: flex; align-items: center; gap: .5rem; margin-left: auto; }
.ask { justify-content: flex-start; gap: .5rem; width: 15rem; min-height: 2.25rem; padding: 0 .5rem 0 .7rem; border-color: var(--edge); color: var(--muted); font-size: var(--t-3); font-weight: var(--w-text); } .ask span { overflow: hidden; text-overflow: ellipsis; } .ask kbd { margin-left: auto; }
.wrap { flex: 1; display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); width: 100%; max-width: 90rem; margin: 0 auto; }
.tree { position: sticky; inset: var(--docs-head) auto auto; display: block; align-self: start; width: auto; height: calc(100dvh - var(--docs-head)); max-height: none; margin: 0; padding: .75rem .75rem 2rem 1.5rem; overflow: auto; border: 0; border-right: var(--border); background: var(--card); color: var(--text); font-size: var(--t-3); line-height: 1.4; }
.tree p { padding: .9rem .5rem .25rem; font-size: var(--t-2); font-weight: 650; }
.tree a { display: flex; align-items: baseline; gap: .5rem; padding: .3rem .5rem; border-radius: var(--r-1); color: var(--muted); text-decoration: none; }
.tree a:hover { background: var(--soft); color: var(--text); } .tree [aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: var(--w-strong); }
.tree .method { flex: none; width: 3.1rem; padding: 0; background: none; letter-spacing: -.02em; } .tree code { overflow-wrap: anywhere; } .tree .method + span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.tree .parts { display: none; padding-bottom: .5rem; border-bottom: var(--border); font-weight: var(--w-strong); }
.guide { display: grid; grid-template-columns: minmax(0, 44rem) 12rem; gap: 3.5rem; justify-content: space-between; padding: 2.25rem 2rem 4rem 2.75rem; }
.toc { position: sticky; top: calc(var(--docs-head) + 2.25rem); align-self: start; max-height: calc(100dvh - var(--docs-head) - 3rem); overflow: auto; font-size: var(--t-2); line-height: 1.4; }
.toc b { display: block; margin-bottom: .5rem; } .toc a { display: block; padding: .25rem 0 .25rem .75rem; border-left: 2px solid var(--line); color: var(--muted); text-decoration: none; } .toc a:hover { color: var(--text); } .toc .depth-3 { padding-left: 1.5rem; } .toc [aria-current="true"] { border-color: var(--accent); color: var(--accent); font-weight: var(--w-strong); }
.end-note { flex: none; width: min(72rem, 100% - 3rem); margin: 3.5rem auto 0; padding: 1.5rem 0 2.5rem; border-top: var(--border); display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; color: var(--muted); font-size: var(--t-3); } .page .end-note { margin-top: 0; } .end-note a { color: var(--muted); }
.pn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem !important; padding-top: 1.25rem; border-top: var(--border); font-size: var(--t-3); } .pn .next { text-align: right; } .pn a { font-weight: var(--w-strong); } .pn a span { display: block; color: var(--muted); font-size: var(--t-2); font-weight: var(--w-text); }
.lost { grid-column: 1 / -1; display: grid; justify-items: center; align-content: start; gap: 1rem; max-width: 36rem; margin: 12vh auto 4rem; padding: 0 1.5rem; text-align: center; } .lost .plate { font-size: 1.5rem; } .lost h1 { font-size: 1.75rem; } .lost .ask { width: min(24rem, 100%); } .lost ul { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; justify-content: center; font-size: .9375rem; }
.search { width: min(42rem, 100vw - 2rem); max-height: min(36rem, 100dvh - 4rem); margin: 4rem auto 0; padding: 0; border: var(--border); border-radius: var(--r-2); background: var(--card); color: var(--text); box-shadow: var(--float); overflow: hidden; }
.search[open] { display: flex; flex-direction: column; } .search::backdrop, .tree::backdrop { background: color-mix(in srgb, var(--code) 45%, transparent); }
.search input { flex: none; width: 100%; min-height: 3.25rem; padding: 0 1.1rem; border: 0; border-bottom: var(--border); border-radius: 0; background: none; font-size: var(--t-4); } .search input:focus { outline: none; }
.search [role="listbox"] { padding: .4rem; overflow-y: auto; } .search [role="option"] { display: block; padding: .5rem .75rem; border-radius: var(--r-1); color: inherit; line-height: 1.45; text-decoration: none; }
.search [aria-selected="true"] { background: var(--accent-soft); } .search [role="option"] small { display: block; color: var(--muted); font-size: var(--t-2); } .search mark { background: none; color: var(--accent); font-weight: 650; }
.search .where { display: inline; color: var(--muted); font-size: var(--t-2); } .search .note { padding: .75rem 1.1rem; color: var(--muted); font-size: var(--t-3); }
`;

/** Selects the block of code that belongs to the checked radio button of its group. */
const CHOSEN_TABS = Array.from({ length: 9 }, (_, at) => {
  return `.tabs:has(label:nth-child(${at + 1}) :checked) > pre:nth-of-type(${at + 1})`;
}).join(', ');

/** The text of guides and of the reference, whose samples are on the right. */
const TEXT_STYLE = `
.text { min-width: 0; } .text > * + * { margin-top: 1rem; }
.text h1 { font-size: clamp(1.75rem, 1.3rem + 1.6vw, 2.125rem); line-height: 1.15; letter-spacing: -.02em; overflow-wrap: anywhere; }
.guide > .text > h1 + p { font-size: 1.125rem; color: var(--muted); max-width: 40rem; }
.text h2 { margin-top: 2.5rem; font-size: 1.375rem; letter-spacing: -.015em; } .text h3 { margin-top: 1.75rem; font-size: 1.0625rem; font-weight: 650; } .text h4 { margin-top: 1.5rem; }
.rest > h2:first-child { margin-top: 0; }
.text :is(p, li, td, dd, dt, small) > code, .text :is(p, li, td, dd) a > code { padding: .08em .32em; border-radius: .25rem; background: var(--soft); font-size: max(.88em, var(--t-1)); overflow-wrap: anywhere; }
.text :is(ul, ol):not([class]) { padding-left: 1.25rem; list-style: disc; } .text ol:not([class]) { list-style: decimal; } .text li + li { margin-top: .35rem; }
.text img { display: block; max-width: 100%; height: auto; margin-inline: auto; border-radius: var(--r-2); }
.text .code pre { font-size: var(--t-3); } .text li > .code, .text li > p { margin-top: .5rem; }
.text em { font-style: normal; font-weight: var(--w-strong); } .text a:has(> .method) { text-decoration: none; }
.anchor { margin-left: .4em; color: var(--muted); font-weight: var(--w-text); opacity: 0; } :is(h2, h3, h4):hover > .anchor, .anchor:focus { opacity: 1; }
.term { color: inherit; text-decoration: underline dotted var(--muted); text-underline-offset: .18em; }
.where { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; color: var(--muted); font-size: var(--t-2); } .where a { color: var(--muted); } .where .i { width: .75rem; height: .75rem; }
:has(> .step) { padding-left: 2.45rem; } .step { display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; margin: 0 .7rem 0 -2.45rem; border-radius: .35rem; background: var(--plate); color: var(--on-plate); font-size: var(--t-3); letter-spacing: 0; vertical-align: .12em; }
.say { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .1rem .7rem; padding: .85rem 1rem; border: 1px solid color-mix(in srgb, var(--tone-fill) 35%, var(--line)); border-radius: var(--r-2); background: var(--tone-soft); font-size: .9375rem; line-height: 1.55; } .say > .i { margin-top: .22rem; width: 1.125rem; height: 1.125rem; color: var(--tone); } .text .say code { background: none; padding: 0; }
.text table { font-size: .9375rem; line-height: 1.5; } .text th { padding: 0 1rem .5rem 0; border-bottom: 1px solid var(--edge); font-size: var(--t-2); vertical-align: bottom; } .text td { padding: .6rem 1rem .6rem 0; border-bottom: var(--border); vertical-align: top; } .scroll { overflow-x: auto; } td > code:only-child { white-space: nowrap; } .text td code { overflow-wrap: break-word; }
tr:target { background: var(--accent-soft); } summary { color: var(--accent); font-weight: var(--w-strong); cursor: pointer; }
.code pre { overscroll-behavior-x: contain; } .code > header { overflow: hidden; } .code .copy { flex: none; gap: .35rem; min-width: 1.75rem; } .code.one { display: flex; align-items: center; padding-right: .6rem; } .code.one > pre { flex: 1; min-width: 0; scrollbar-width: none; } .code.one code::before { content: '$ '; color: var(--code-muted); } :is(.one, .call) .copy:not(.done) span { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.code .copy .i { width: .875rem; height: .875rem; }
.tabs > header { padding-left: .4rem; } .tabs > header div { display: flex; min-width: 0; overflow-x: auto; scrollbar-width: none; } .tabs label { flex: none; position: relative; padding: .3rem .5rem; border-radius: var(--r-1); font-weight: var(--w-strong); cursor: pointer; } .tabs label:hover { color: var(--code-text); } .tabs label:has(:checked) { background: var(--code-line); color: var(--code-text); } .tabs label:has(:focus-visible) { outline: 2px solid var(--code-key); outline-offset: -2px; } .tabs input { position: absolute; inset: 0; min-height: 0; opacity: 0; cursor: pointer; }
.tabs:has(:checked) > pre { display: none; } ${CHOSEN_TABS} { display: block !important; }
.ref { display: grid; grid-template: 'intro samples' auto 'rest samples' 1fr / minmax(0, 1fr) 27rem; gap: 2.5rem; padding: 2.25rem 2rem 4rem 2.75rem; } .intro { grid-area: intro; } .rest { grid-area: rest; }
.samples { grid-area: samples; position: sticky; top: calc(var(--docs-head) + 1.5rem); align-self: start; display: flex; flex-direction: column; gap: 1rem; max-height: calc(100dvh - var(--docs-head) - 3rem); overflow-y: auto; font-size: var(--t-3); line-height: 1.5; } .samples .code { flex: 0 1 auto; display: flex; flex-direction: column; min-height: 9rem; } .samples .tabs:has(~ .code) { flex: none; max-height: 45vh; } .samples code, .mono { font-size: max(.93em, var(--t-1)); }
[hidden] { display: none; } .samples pre { min-height: 0; overflow: auto; } .samples h2 { position: absolute; clip-path: inset(50%); } .samples .anchor { display: none; } .samples p { color: var(--muted); font-size: var(--t-2); }
.call { display: flex; align-items: center; gap: .6rem; min-height: 2.75rem; padding: .35rem .5rem .35rem .75rem; border: var(--border); border-radius: var(--r-2); background: var(--ground); font-size: .9375rem; } .call code { font-size: 1em; overflow-wrap: anywhere; } .call .copy { margin-left: auto; border: 0; background: none; color: var(--muted); } .call .method { padding: .15rem .5rem; background: var(--plate); color: var(--on-plate); font-size: var(--t-2); }
.fields > div { padding: .85rem 0; border-top: var(--border); } .fields > div:last-child { border-bottom: var(--border); }
.fields dt { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; font-weight: var(--w-text); } .text .fields dt > code { padding: 0; background: none; font-size: .9375rem; font-weight: 600; overflow-wrap: anywhere; } .fields dt span { color: var(--muted); font-size: var(--t-2); } .fields dt em { color: var(--bad); font-size: var(--t-2); font-style: normal; font-weight: var(--w-strong); }
.fields dd { margin-top: .1rem; font-size: .9375rem; line-height: 1.55; } .fields summary { margin-top: .4rem; font-size: var(--t-3); } .fields .fields { margin: .5rem 0 0 .25rem; padding-left: 1rem; border-left: 2px solid var(--line); } .fields .fields > div { padding: .55rem 0; } .fields .fields > div:first-child { border-top: 0; } .fields .fields > div:last-child { border-bottom: 0; }
.errs a { display: grid; grid-template-columns: 3rem minmax(0, 1fr); gap: .1rem .5rem; padding: .55rem 0; border-top: var(--border); color: inherit; font-size: .9375rem; line-height: 1.45; text-decoration: none !important; } .errs a:hover b { text-decoration: underline; } .errs .num { color: var(--muted); } .errs small { grid-column: 2; color: var(--muted); font-size: var(--t-2); } .errs b { overflow-wrap: anywhere; } .text .errs li + li { margin: 0; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.25rem; font-size: .9375rem; } .facts dt { max-width: 11rem; color: var(--muted); font-weight: var(--w-text); }
.try { flex: none; } @media (scripting) { .try { min-height: var(--control); } }
.try form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; margin-top: .75rem; padding: 1rem; border: var(--border); border-radius: var(--r-2); } .try summary { display: inline-flex; } .try summary::marker { content: none; } .try label { display: grid; gap: .25rem; font-size: var(--t-2); font-weight: var(--w-strong); } .try :is(input, textarea) { width: 100%; font-family: var(--mono); } .try form button { justify-self: start; } .try pre { max-height: 22rem; overflow: auto; padding: .75rem; border-radius: var(--r-1); background: var(--code); color: var(--code-text); font-size: var(--t-2); }
:is(.hljs-keyword, .hljs-built_in, .hljs-type, .hljs-selector-tag, .hljs-meta, .hljs-attr) { color: var(--code-key); } :is(.hljs-string, .hljs-regexp, .hljs-addition) { color: var(--code-string); } :is(.hljs-number, .hljs-literal, .hljs-symbol) { color: var(--code-number); }
:is(.hljs-title, .hljs-attribute, .hljs-name, .hljs-section, .hljs-property, .hljs-variable, .hljs-template-variable, .hljs-deletion) { color: var(--code-name); } :is(.hljs-comment, .hljs-doctag) { color: var(--code-muted); } .hljs-subst { color: inherit; }
.guide:has(.machine) { grid-template-columns: minmax(0, 1fr); } .guide:has(.machine) .text > :not(.machine) { max-width: 44rem; } .guide:has(.machine) .toc { display: none; }
.machine { container-type: inline-size; } .machine svg:not(.i) { display: block; width: 100%; max-width: 64rem; height: auto; }
.machine .box { fill: var(--tone-soft, var(--soft)); stroke: var(--tone-fill, var(--edge)); } .machine .word { font: 650 14px var(--sans); fill: var(--tone, var(--text)); text-anchor: middle; } .machine .any { fill: none; stroke: var(--edge); stroke-dasharray: 4 4; }
.machine .name { font: 430 11.5px var(--mono); letter-spacing: -.02em; fill: var(--muted); text-anchor: middle; } .machine > svg .line { fill: none; stroke: var(--edge); stroke-width: 1.5; } .machine .tip { fill: var(--edge); } .machine .trig { font: 500 12px var(--mono); letter-spacing: -.03em; fill: var(--text); } .machine :is(.ev, .cond) { font: 430 11px var(--mono); letter-spacing: -.03em; fill: var(--muted); }
@media (min-width: 60.01rem) { .guide:has(.machine) { padding-inline: 1.25rem; } }
@container (min-width: 60rem) { .ways-out { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; } }
@container (max-width: 59.99rem) { .machine svg:not(.i) { display: none !important; } }
.ways-out { display: grid; gap: .75rem; max-width: 44rem; } .ways-out > li { border: var(--border); border-radius: var(--r-2); overflow: hidden; margin: 0 !important; } .from { display: flex; justify-content: space-between; align-items: center; gap: .75rem; padding: .6rem .9rem; background: var(--ground); border-bottom: var(--border); --cut: var(--ground); } .from code { color: var(--muted); font-size: var(--t-2); }
.ways-out ul { padding: 0 !important; list-style: none !important; } .ways-out li li { display: flex; gap: .6rem; padding: .55rem .9rem; margin: 0; } .ways-out li li + li { border-top: var(--border); } .ways-out li li > .i { margin-top: .3rem; color: var(--muted); } .ways-out p { font-size: var(--t-2); line-height: 1.45; }
`;

/** The first page. */
const HOME_STYLE = `
:is(.home, .missing) .wrap { display: flex; max-width: none; } :is(.home, .missing) .tree:not(:popover-open) { display: none; } .home main { flex: 1; min-width: 0; }
.band { background: var(--ground); border-bottom: var(--border); } .hero { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.02fr); gap: 3.5rem; align-items: center; max-width: 76rem; margin: 0 auto; padding: 4rem 2rem; }
.hero h1 { font-size: var(--t-7); line-height: 1.04; letter-spacing: -.032em; font-weight: 680; } .hero .lede { margin-top: 1.25rem; color: var(--muted); font-size: 1.1875rem; line-height: 1.55; max-width: 32rem; }
.cta { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem; } .hero .code { margin-top: .6rem; max-width: 27rem; } .hero .eyebrow { margin-bottom: 1rem; color: var(--accent); font-size: var(--t-3); font-weight: 650; } .hero .cta + p { margin-top: 1.5rem; color: var(--muted); font-size: var(--t-3); }
.story { display: grid; padding: 1.5rem; border-radius: 1.25rem; background: var(--wall); color: var(--on-wall); } .story p { display: flex; align-items: center; gap: .6rem; padding: .55rem .25rem; color: var(--wall-muted); font-size: var(--t-3); line-height: 1.45; } .story p b { flex: none; display: grid; place-items: center; width: 1.25rem; height: 1.25rem; border-radius: .25rem; background: var(--wall-soft); color: var(--on-wall); font-size: var(--t-1); }
.story .code { margin: 0; max-width: none; } .story .code pre { white-space: pre-wrap; overflow-wrap: anywhere; } .story .record { border: 0; background: var(--ground); color: var(--text); font-size: var(--t-3); } .story .record > div { min-height: 0; padding: .5rem .9rem; grid-template-columns: 4rem minmax(0, 1fr); } .story .record dt { grid-column: auto; font-size: var(--t-2); }
.door { display: flex; gap: 1rem; align-items: center; padding: .9rem 1rem; border-radius: var(--r-2); background: var(--ground); } .door .plate { flex: 1; justify-content: space-between; font-size: 1.125rem; } .door i { width: .75rem; height: .75rem; border-radius: 50%; background: var(--good-fill); box-shadow: 0 0 0 .1875rem var(--ground), 0 0 0 .25rem var(--line); }
.sect { max-width: 76rem; margin: 0 auto; padding: 3.5rem 2rem 0; } .sect > h2 { font-size: 1.625rem; letter-spacing: -.02em; } .sect > .more { margin-top: 1.25rem; font-size: .9375rem; }
.paths { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.25rem; margin-top: 1.5rem; } .path { display: flex; flex-direction: column; gap: .25rem; padding: 1.4rem 1.5rem 1.25rem; border: var(--border); border-radius: .875rem; } .path:first-child { border-color: var(--accent); }
.path h3 { display: flex; gap: .55rem; align-items: center; font-size: 1.125rem; font-weight: 650; letter-spacing: -.01em; } .path h3 .i { width: 1.25rem; height: 1.25rem; color: var(--accent); } .path > p { color: var(--muted); font-size: .9375rem; line-height: 1.5; }
.path ul { margin-top: .6rem; } .path li a { display: flex; align-items: center; gap: .5rem; padding: .35rem 0; font-size: .9375rem; line-height: 1.4; font-weight: var(--w-strong); } .path li .i { width: .875rem; height: .875rem; color: var(--muted); margin-left: auto; } .path > .more { margin-top: auto; padding-top: .75rem; font-size: var(--t-3); }
.how { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1.25rem; margin-top: 1.5rem; counter-reset: h; } .how li { position: relative; padding-top: 2.5rem; font-size: .9375rem; line-height: 1.5; counter-increment: h; } .how li::before { content: counter(h); position: absolute; top: 0; left: 0; display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: .35rem; background: var(--plate); color: var(--on-plate); font-size: var(--t-3); font-weight: 650; }
.how li:not(:last-child)::after { content: ''; position: absolute; top: .8125rem; left: 2.25rem; right: -.75rem; height: 2px; background: linear-gradient(90deg, var(--line) 60%, transparent 0) 0 0 / .5rem 2px; } .how b { display: block; font-size: var(--t-4); font-weight: 650; } .how p { color: var(--muted); }
.look { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 2rem; margin-top: 1.25rem; font-size: .9375rem; line-height: 1.4; } .look h3 { padding-bottom: .4rem; font-size: var(--t-3); font-weight: 650; } .look a { display: flex; justify-content: space-between; gap: .5rem; padding: .4rem 0; border-top: var(--border); color: var(--text); } .look a span { color: var(--muted); font-size: var(--t-2); }
`;

const NARROW_STYLE = `
@media (max-width: 79.99rem) { .guide { grid-template-columns: minmax(0, 44rem); } .toc { display: none; } }
@media (max-width: 70rem) { .ref { grid-template: 'intro' 'samples' 'rest' / minmax(0, 1fr); gap: 1.5rem; } .samples { position: static; max-height: none; } .rest > h2:first-child { margin-top: 1rem; } }
@media (max-width: 60rem) {
  .top { gap: .5rem; padding: 0 .75rem; } .top nav, .top .dash { display: none; } .top .menu-button { display: inline-flex; } .top .ask { width: 2.25rem; padding: 0; justify-content: center; border-color: transparent; } .top .ask :is(span, kbd) { display: none; }
  .wrap { display: block; } .tree { position: fixed; inset: 0 auto 0 0; width: min(20rem, 85vw); height: 100dvh; box-shadow: var(--float); } .tree:not(:popover-open) { display: none; } .tree .parts { display: block; }
  .guide, .ref { padding: 1.25rem 1rem 3rem; } .hero { grid-template-columns: minmax(0, 1fr); gap: 2rem; padding: 2rem 1rem; } .story { padding: 1rem; margin: 0 -.25rem; border-radius: 1rem; } .hero .lede { font-size: 1.0625rem; }
  .sect { padding: 2.5rem 1rem 0; } .paths, .look { grid-template-columns: minmax(0, 1fr); } .look h3 { padding-top: 1rem; }
  .how { grid-template-columns: minmax(0, 1fr); gap: 1.1rem; } .how li { padding: 0 0 0 2.5rem; } .how li:not(:last-child)::after { top: 2rem; left: .8125rem; right: auto; bottom: -.9rem; width: 2px; height: auto; background: linear-gradient(var(--line) 60%, transparent 0) 0 0 / 2px .5rem; } .cta .btn { flex: 1; } .end-note { width: calc(100% - 2rem); }
}
@media (max-width: 40rem) {
  .text :is(table, tbody, tr, td) { display: block; } .text thead { display: none; } .text tr { padding: .7rem 0; border-bottom: var(--border); } .text td { padding: 0; border: 0; } td > code:only-child { white-space: normal; } .text td + td { margin-top: .2rem; } td:first-child { font-weight: var(--w-strong); } td[data-th]::before { content: attr(data-th) ': '; color: var(--muted); font-size: var(--t-2); }
  .copy:not(.done) span { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); } .tabs > header { gap: .25rem; padding: 0 .25rem; } .tabs label { padding-inline: .3rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd + dt { margin-top: .5rem; } .facts dt { max-width: none; font-size: var(--t-2); }
}
@media (max-height: 44rem) { .samples .code { min-height: 9rem; } }
@media print { .top, .tree, .toc, .pn, .end-note { display: none; } .wrap, .guide, .ref { display: block; } }
@media (prefers-reduced-motion: no-preference) { html:focus-within { scroll-behavior: smooth; } }
`;

/** The style sheet of the documentation. */
export const DOCS_STYLE = CHOSEN_TOKENS + BASE_STYLE + FRAME_STYLE + TEXT_STYLE + HOME_STYLE + NARROW_STYLE;
