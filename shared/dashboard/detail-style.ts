/** The styles of a domain's page: the plate, the cause and its fix, steps, records and history; its facts in a rail beside them. */
const DOMAIN_STYLE = `
.detail { display: flex; flex-wrap: wrap; gap: 1.25rem 1.75rem; align-items: start; }
.detail > :is(.detail-head, .same-by) { flex: 1 0 100%; min-width: 0; } .detail > :is(.col, .rail) { display: grid; flex: 1 1 17.5rem; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; min-width: 0; }
.detail > .col { flex: 999 1 30rem; }
.detail-head { display: flex; flex-wrap: wrap; gap: .6rem .75rem; align-items: center; }
.whole .back { display: none; } /* The bar has the link back. Escape follows this one. */
.detail-head h2 { min-width: 0; max-width: 100%; font-size: var(--t-5); }
.detail-head .back + h2 { max-width: calc(100% - 2.75rem); }
.detail-head h2.plate { max-width: 100%; font-size: 1.5rem; } .detail-head h2.mono { font-size: 1.125rem; font-weight: var(--w-strong); letter-spacing: 0; }
.detail-head > .actions { gap: .375rem; margin-left: auto; }
.detail-head > .now { flex-basis: 100%; }
.now { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; color: var(--muted); font-size: var(--t-2); } .now .st { font-size: var(--t-3); }
.cause { overflow: hidden; border: 1px solid color-mix(in srgb, var(--tone-fill) 45%, var(--line)); border-radius: var(--r-2); background: var(--card); }
.cause > header { display: flex; gap: .1rem .75rem; align-items: start; padding: .9rem 1rem; background: var(--tone-soft); --cut: var(--tone-soft); }
.cause > header > .i { margin-top: .2rem; color: var(--tone); } .cause > header > div { flex: 1; min-width: 0; } .cause > header p { margin-top: .15rem; } .cause > header a { color: var(--tone); } .cause > .in { padding: 1rem; }
.what { font-weight: var(--w-strong); overflow-wrap: anywhere; }
.record dd:nth-child(2):last-child { grid-column: 2 / -1; }
ol.steps { display: grid; grid-template-columns: repeat(4, 1fr); padding: 1rem; } ol.steps li { position: relative; padding: 1.6rem .35rem 0 0; color: var(--muted); font-size: var(--t-2); }
ol.steps li::before { content: ""; position: absolute; top: .5rem; left: 1.35rem; right: .35rem; height: 2px; border-radius: 1px; background: var(--line); }
ol.steps li:last-child::before { content: none; } ol.steps .done::before { background: var(--good-fill); } ol.steps .i { position: absolute; top: .0625rem; left: 0; color: var(--tone, var(--edge)); }
ol.steps b { display: block; color: var(--text); } ol.steps .later b { color: var(--muted); font-weight: var(--w-text); }
.history { display: grid; gap: .3rem; } .history li { display: flex; gap: .15rem .75rem; align-items: center; } .history .i { color: var(--tone); }
.history a { flex: 1 1 12rem; min-width: 0; color: var(--text); } .history .code-of { margin-left: .25rem; }
:is(.history, .row-link) :is(.st, time) { font-size: var(--t-2); }
:is(.history, .row-link, .attempts) time { color: var(--muted); }
.rail > .box { padding-top: 1.25rem; border-width: 1px 0 0; border-radius: 0; background: none; } .rail > .box:first-child { padding-top: 0; border: 0; }
.rail > .box > header { min-height: 0; padding: 0 0 .6rem; } .rail > .box > .in { padding: 0; }
.rail .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; padding: 0 0 .6rem; font-size: var(--t-2); } .rail .facts dt { font-size: var(--t-1); }
.preview blockquote { display: grid; gap: .25rem; margin: .35rem 0 0; padding: .1rem 0 .1rem .75rem; border-left: 3px solid var(--tone-fill); font-size: var(--t-2); }
.triggers { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; } .triggers button { justify-content: space-between; padding-inline: .6rem; font-weight: var(--w-text); }
.triggers code { overflow: hidden; font-size: var(--t-1); letter-spacing: -.045em; text-overflow: ellipsis; }
`;

/** The styles of events and requests: attempts with bars for how long each waited and took, headers, and bodies. */
const EVENT_STYLE = `
.attempts > li { display: grid; grid-template-columns: 1.75rem minmax(7rem, 1.2fr) 1fr 1fr minmax(4.5rem, auto); gap: .1rem .75rem; align-items: start; padding: .55rem 0; border-top: var(--border); font-size: var(--t-2); }
.attempts > li > :nth-child(5) { text-align: right; }
.attempt, .span { min-width: 0; color: var(--muted); font-variant-numeric: tabular-nums; }
.span i { display: block; min-width: 2px; height: .375rem; margin: .35rem 0 .25rem; border-radius: .1875rem; background: var(--tone-fill); } .span.waited i { background: var(--edge); }
.attempts .response { grid-column: 2 / -1; }
.response pre { max-height: 8rem; color: var(--muted); font-size: var(--t-1); white-space: pre-wrap; overflow: auto; overflow-wrap: anywhere; }
.code pre { max-height: 40rem; overflow: auto; }
.headers { table-layout: fixed; font-size: var(--t-2); }
.headers :is(th, td) { padding: .3rem 0; border-top: var(--border); vertical-align: baseline; font-weight: var(--w-text); overflow-wrap: anywhere; }
.headers thead { position: absolute; clip-path: inset(50%); } .headers tbody tr:first-child > * { border-top: 0; } .headers th { width: 34%; padding-right: 1rem; color: var(--muted); }
.mail-text { white-space: pre-wrap; overflow-wrap: anywhere; } .mail-text a { text-decoration: underline; }
`;

/** The styles of detail views and pages: boxes, lists of facts, settings and forms. */
export const DETAIL_STYLE = `
.box > header > h2 + * { margin-left: auto; }
.in > * + * { margin-top: .75rem; }
.section-head { display: flex; gap: .75rem; align-items: center; justify-content: space-between; min-height: 1.6rem; }
.set { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: .5rem 2.5rem; align-items: start; padding: 1.25rem; } .set + .set { border-top: var(--border); } .set > div { min-width: 0; }
.set h2 { font-size: var(--t-3); letter-spacing: 0; } .set > div:first-child > p { margin-top: .15rem; color: var(--muted); font-size: var(--t-2); }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.facts > div { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .75rem; padding: .25rem 0; } .facts dt { color: var(--muted); font-weight: var(--w-text); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.line { display: block; }
.copyable { display: inline-flex; gap: .15rem; align-items: center; max-width: 100%; min-width: 0; } .copyable code { overflow-wrap: anywhere; min-width: 0; }
.copyable .copy { width: 1.75rem; min-width: 0; min-height: 1.5rem; margin-block: -.1rem; } .copyable .i { width: .875rem; height: .875rem; }
.plain > li + li { border-top: var(--border); }
.row-link { display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: center; padding: .45rem 0; color: inherit; }
a.row-link:hover { text-decoration: none; } a.row-link:hover .row-main { text-decoration: underline; }
.row-link .row-main { flex: 1 1 10rem; min-width: 0; white-space: normal; overflow-wrap: anywhere; }
.verdict { padding: .75rem .9rem; border-radius: var(--r-1); background: var(--tone-soft, var(--soft)); --cut: var(--tone-soft); } .verdict > * + * { margin-top: .35rem; }
.form { display: grid; gap: .9rem; } .form label, .line-form label, .grid label { display: grid; gap: .25rem; min-width: 0; font-weight: var(--w-strong); } .form > button { justify-self: start; } .form input[type="file"] { width: 100%; }
.form .switch { display: flex; gap: .5rem; align-items: center; padding: .15rem 0; font-weight: var(--w-text); }
.lines { white-space: pre-line; overflow-wrap: anywhere; } .lines:empty { display: none; }
.line-form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; } .line-form label { flex: 1 1 12rem; } .line-form label:has([type="number"]) { flex: 0 1 6rem; } .line-form input, .line-form select, .grid input, .grid select { width: 100%; }
.inline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; color: var(--muted); } .inline select { max-width: 100%; }
.bad-text { color: var(--bad); }
fieldset { min-width: 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .4rem; font-weight: var(--w-strong); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem; }
${DOMAIN_STYLE}${EVENT_STYLE}
@media (max-width: 60rem) {
  .set { grid-template-columns: minmax(0, 1fr); padding: 1rem; }
  .detail, .detail > :is(.col, .rail) { gap: .75rem; } .detail-head h2.plate { font-size: 1.25rem; } .detail-head > .actions { flex: 1 0 100%; margin: 0; } .detail-head .lead { flex: 1; }
  ol.steps { grid-template-columns: minmax(0, 1fr); gap: .55rem; } ol.steps li { display: flex; flex-wrap: wrap; gap: 0 .6rem; padding: 0 0 0 1.6rem; }
  ol.steps li::before { top: 1.2rem; right: auto; bottom: -.5rem; left: .4375rem; width: 2px; height: auto; } ol.steps b { flex: 1; }
}
@media (max-width: 40rem) {
  .facts > div { grid-template-columns: 6.2rem minmax(0, 1fr); }
  .cause > header, .history li { flex-wrap: wrap; } .cause > header > div { min-width: 12rem; } .cause > header > .code-of { flex-basis: 100%; padding-left: 1.75rem; }
  .headers tr { display: block; padding: .35rem 0; border-top: var(--border); } .headers tbody tr:first-child { border-top: 0; } .headers :is(th, td) { display: block; width: auto; padding: 0; border: 0; }
  .attempts > li { grid-template-columns: 1.25rem minmax(0, 1fr) minmax(0, 1fr); } .attempts > li > :nth-child(3) { grid-row: 2; grid-column: 2; } .attempts > li > :nth-child(4) { grid-row: 2; grid-column: 3; }
}
@media (max-width: 30rem) { .record dd:nth-child(2):last-child { grid-column: 1 / -1; } }
@media (forced-colors: active) { .cause, .verdict, .span i { border: 1px solid CanvasText; } }
`;
