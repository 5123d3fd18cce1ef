import { CHOSEN_TOKENS } from '../core/look/tokens.ts';

/** The style sheet of the documentation: first the frame around pages, then their content. */
export const DOCS_STYLE = `${CHOSEN_TOKENS}
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

article { overflow-wrap: break-word; }
article :is(h1, h2, h3, h4) { line-height: 1.25; letter-spacing: -.012em; }
article h1 { margin: 1.25rem 0 1rem; font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.1rem); font-weight: 700; overflow-wrap: anywhere; }
article h2 { margin: 2.75rem 0 .75rem; padding-top: .25rem; font-size: 1.4rem; font-weight: 660; }
article h3 { margin: 2rem 0 .5rem; font-size: 1.12rem; font-weight: 650; }
article h4 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
article p { margin: .8rem 0; }
article :is(ul, ol) { padding-left: 1.4rem; }
article li + li { margin-top: .3rem; }
article img { display: block; max-width: 100%; height: auto; margin: 1.5rem auto; }
.anchor { margin-left: .4em; color: var(--muted); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3, h4):hover > .anchor, .anchor:focus { opacity: 1; }
.term { color: inherit; text-decoration: underline dotted var(--muted); }
.term:hover { color: var(--accent); }
blockquote { margin: 1rem 0; padding: .1rem 1.1rem; border-left: .25rem solid var(--accent); border-radius: 0 .5rem .5rem 0; background: var(--accent-soft); }
blockquote.wait { border-color: var(--wait); background: var(--wait-soft); }

code { padding: .12em .35em; border-radius: .3rem; background: var(--soft); font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:is(h1, h2, h3, h4, .sidebar a, .outline a) > code, pre code { padding: 0; background: none; }
a > code { color: inherit; }
.code { position: relative; margin: 1rem 0; }
pre { margin: 0; padding: .9rem 1.1rem; overflow-x: auto; border: 1px solid var(--code-line); border-radius: var(--r-2); background: var(--code); color: var(--code-text); font-size: .95rem; line-height: 1.55; tab-size: 4; }
.copy { position: absolute; top: .45rem; right: .45rem; min-width: 2.1rem; min-height: 2.1rem; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .45rem; background: var(--card); color: var(--muted); font-size: .8rem; opacity: 0; }
.code:hover .copy, .copy:focus-visible, .copy.done { opacity: 1; }
.copy:hover { color: var(--text); border-color: var(--accent); }
@media (hover: none) { .copy { opacity: 1; } .code:has(.copy) pre { padding-right: 3.75rem; } }
.tabs { margin: 1rem 0; }
.tab-label { margin: .75rem 0 0; font-size: .85rem; font-weight: 600; color: var(--muted); }
.tab .code { margin: .3rem 0 .75rem; }
.tabs.ready { border: 1px solid var(--code-line); border-radius: var(--r-2); background: var(--code-head); }
.tabs.ready .tab-label { display: none; }
.tabs.ready .code { margin: 0; }
.tabs.ready pre { border: 0; border-radius: 0 0 .65rem .65rem; }
.tabs [role="tablist"] { display: flex; gap: .15rem; padding: .35rem .45rem 0; overflow-x: auto; border-bottom: 1px solid var(--code-line); scrollbar-width: thin; }
.tabs [role="tab"] { flex: none; padding: .35rem .65rem .45rem; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--code-muted); font-size: .875rem; }
.tabs [role="tab"]:hover { color: var(--code-text); }
.tabs [aria-selected="true"] { border-color: var(--code-key); color: var(--code-text); font-weight: 600; }

:is(.hljs-keyword, .hljs-built_in, .hljs-type, .hljs-literal, .hljs-selector-tag, .hljs-meta) { color: var(--code-key); }
:is(.hljs-string, .hljs-regexp, .hljs-addition) { color: var(--code-string); }
:is(.hljs-number, .hljs-symbol, .hljs-variable, .hljs-template-variable) { color: var(--code-number); }
:is(.hljs-title, .hljs-attr, .hljs-attribute, .hljs-name, .hljs-section, .hljs-property) { color: var(--code-name); }
:is(.hljs-comment, .hljs-doctag) { color: var(--code-muted); }
.hljs-deletion { color: var(--code-name); }
.hljs-subst { color: inherit; }

.scroll { margin: 1rem 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; line-height: 1.5; }
th, td { padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-size: .85rem; font-weight: 600; }
td code { overflow-wrap: normal; }
td > code:only-child { white-space: nowrap; }
tr:target { background: var(--accent-soft); }
tr[id] { scroll-margin-top: calc(var(--top) + 1rem); }
details { margin: 1rem 0; }
summary { cursor: pointer; font-weight: 600; }

.try { margin: 1.5rem 0; }
.try form { display: grid; gap: .75rem; padding: 1rem 1.1rem; border: 1px solid var(--accent); border-radius: .75rem; }
.try h3 { margin: 0; }
.try p { margin: 0; color: var(--muted); font-size: .93rem; }
.try label { display: grid; gap: .25rem; font-size: .85rem; font-weight: 600; }
.try :is(input, textarea) { width: 100%; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--soft); color: inherit; font: .88rem/1.5 ui-monospace, monospace; }
.try button { justify-self: start; padding: .5rem 1rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.try button:disabled { opacity: .6; }
.try .result:empty { display: none; }
.try .result p { margin-bottom: .4rem; color: var(--text); font-weight: 600; }
.try pre { max-height: 22rem; overflow: auto; font-size: .85rem; font-family: ui-monospace, monospace; }

.machine { margin: 1.5rem 0; }
.machine svg { display: block; width: 100%; margin-bottom: 1rem; stroke: none; }
.machine svg.wide { margin-top: 2.5rem; overflow: visible; }
.machine rect { fill: var(--soft); stroke: var(--line); }
.machine path { fill: none; stroke: currentColor; stroke-width: 1.5; }
.machine :is(polygon, text) { fill: currentColor; }
.machine text { font: 14px system-ui, sans-serif; text-anchor: middle; }
.machine .caption { font-size: 13px; font-style: italic; }
.machine .caption.wide { text-anchor: end; }
.machine .narrow { display: none; }
@media (max-width: 40rem) { .machine svg.wide { display: none; } .machine .narrow { display: block; max-width: 26rem; } }

.home article { max-width: 62rem; }
.home article > h1 { font-size: clamp(2rem, 1.4rem + 3vw, 3.1rem); letter-spacing: -.03em; }
.home article > h1 + p { max-width: 44rem; font-size: 1.2rem; line-height: 1.55; color: var(--muted); }
.home article h2 + ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: .75rem; padding: 0; list-style: none; }
.home article h2 + ul > li { position: relative; margin: 0; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .75rem; color: var(--muted); font-size: .93rem; line-height: 1.5; }
.home article h2 + ul > li:hover { border-color: var(--accent); }
.home article h2 + ul > li > a:first-child { font-weight: 620; text-decoration: none; }
.home article h2 + ul > li > a:first-child::after { content: ""; position: absolute; inset: 0; border-radius: .75rem; }
`;
