/** The styles of what pages contain: text, tables, code, pictures, and the home page. */
export const DOCS_CONTENT_STYLE = `
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
pre { margin: 0; padding: .9rem 1.1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .65rem; background: var(--soft); font-size: .95rem; line-height: 1.55; tab-size: 4; }
.copy { position: absolute; top: .45rem; right: .45rem; min-width: 2.1rem; min-height: 2.1rem; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .45rem; background: var(--card); color: var(--muted); font-size: .8rem; opacity: 0; }
.code:hover .copy, .copy:focus-visible, .copy.done { opacity: 1; }
.copy:hover { color: var(--text); border-color: var(--accent); }
@media (hover: none) { .copy { opacity: 1; } .code:has(.copy) pre { padding-right: 3.75rem; } }
.tabs { margin: 1rem 0; }
.tab-label { margin: .75rem 0 0; font-size: .85rem; font-weight: 600; color: var(--muted); }
.tab .code { margin: .3rem 0 .75rem; }
.tabs.ready { border: 1px solid var(--line); border-radius: .65rem; background: var(--soft); }
.tabs.ready .tab-label { display: none; }
.tabs.ready .code { margin: 0; }
.tabs.ready pre { border: 0; border-radius: 0 0 .65rem .65rem; }
.tabs [role="tablist"] { display: flex; gap: .15rem; padding: .35rem .45rem 0; overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: thin; }
.tabs [role="tab"] { flex: none; padding: .35rem .65rem .45rem; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--muted); font-size: .875rem; }
.tabs [role="tab"]:hover { color: var(--text); }
.tabs [aria-selected="true"] { border-color: var(--accent); color: var(--text); font-weight: 600; }

:root { --code-key: #8a3ffc; --code-text: #0b6b3a; --code-number: #9a4a00; --code-name: #0b57b0; }
:root[data-theme="dark"] { --code-key: #c8a6ff; --code-text: #7fd8a4; --code-number: #f2b377; --code-name: #8ab8f5; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --code-key: #c8a6ff; --code-text: #7fd8a4; --code-number: #f2b377; --code-name: #8ab8f5; } }
:is(.hljs-keyword, .hljs-built_in, .hljs-type, .hljs-literal, .hljs-selector-tag, .hljs-meta) { color: var(--code-key); }
:is(.hljs-string, .hljs-regexp, .hljs-addition) { color: var(--code-text); }
:is(.hljs-number, .hljs-symbol, .hljs-variable, .hljs-template-variable) { color: var(--code-number); }
:is(.hljs-title, .hljs-attr, .hljs-attribute, .hljs-name, .hljs-section, .hljs-property) { color: var(--code-name); }
:is(.hljs-comment, .hljs-doctag) { color: var(--muted); font-style: italic; }
.hljs-deletion { color: var(--bad); }
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
