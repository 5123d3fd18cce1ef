import { PAGE_STYLE } from './page-style.ts';

/** The styles of the traffic charts. */
const TRAFFIC_STYLE = `
.range { display: flex; gap: .35rem; }
.range button[aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .5rem 1rem; }
.sums dt { color: var(--muted); font-size: .85rem; }
.sums dd { font-size: 1.15rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.chart { margin: 1rem 0 0; }
.chart-plot { position: relative; border-bottom: 1px solid var(--line); }
.chart-plot svg { display: block; width: 100%; height: 8rem; stroke: none; }
.chart-most { display: flex; justify-content: space-between; gap: .75rem; border-bottom: 1px dashed var(--line); }
.chart-most, .chart-times { color: var(--muted); font-size: .8rem; font-variant-numeric: tabular-nums; }
.chart-times { display: flex; justify-content: space-between; gap: .75rem; padding-top: .2rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin-top: .4rem; padding: 0; list-style: none; font-size: .85rem; }
.legend li { display: flex; gap: .4rem; align-items: center; }
.legend svg { width: .8rem; height: .8rem; stroke: none; }
.part-fine { fill: var(--accent); }
.part-client { fill: var(--wait); }
.part-server { fill: var(--bad); }
.part-left { fill: var(--muted); }
.traffic-table { max-height: 22rem; margin-top: .5rem; overflow: auto; }
.traffic-table td { font-variant-numeric: tabular-nums; }
@media (forced-colors: active) { .chart-plot svg, .legend svg { forced-color-adjust: none; } }
`;

/** The dashboard's style sheet. The colour of live mode differs from the colours of all statuses. */
export const DASHBOARD_STYLE = `${PAGE_STYLE}
:root { --live: #7a1f6b; --on-live: #fff; --live-soft: #f9ecf6; }
@media screen and (prefers-color-scheme: dark) { :root { --live: #f0a6e2; --on-live: #2b0626; --live-soft: #351730; } }

#dashboard { height: 100dvh; }
.shell.dashboard { grid-template: "bar" auto "mode" auto "main" minmax(0, 1fr) "nav" auto / minmax(0, 1fr); }
.bar-end { display: flex; gap: .4rem; align-items: center; margin-left: auto; }
.app-menu { min-width: 0; }
.app-name { overflow: hidden; text-overflow: ellipsis; }
.app-menu svg { transform: rotate(90deg); }
.mode-bar { grid-area: mode; display: flex; gap: .75rem; align-items: center; justify-content: space-between; padding: .3rem .75rem; background: var(--soft); color: var(--muted); border-bottom: 1px solid var(--line); }
.mode-bar.live { background: var(--live); color: var(--on-live); border-bottom-color: var(--live); }
.mode-bar p { min-width: 0; }
.mode-bar strong { letter-spacing: .06em; }
.mode-switch { display: flex; flex: none; padding: .15rem; border-radius: .6rem; list-style: none; background: var(--card); border: 1px solid var(--line); }
.mode-switch a { display: block; padding: .2rem .8rem; border-radius: .45rem; color: var(--muted); font-weight: 550; text-decoration: none; }
.mode-switch a:hover { color: var(--text); }
.mode-bar.test a[aria-current] { background: var(--soft); color: var(--text); }
.mode-bar.live a[aria-current] { background: var(--live); color: var(--on-live); }
.mode-bar.live a:focus-visible { outline-color: var(--text); }
.shell.live main { box-shadow: inset .3rem 0 0 var(--live); }
.shell.live .pane-list { margin-left: .3rem; }
nav .more { display: grid; gap: .1rem; justify-items: center; align-content: start; min-height: 0; padding: .35rem 0; border: 0; background: none; color: var(--muted); font-size: .7rem; font-weight: 400; line-height: 1.5; }
nav .more[data-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
.menu a { display: flex; gap: .75rem; align-items: center; padding: .6rem .25rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.menu a:hover, .menu a[aria-current] { color: var(--accent); }
.menu a[aria-current] { font-weight: 600; }
.menu-group > * + * { margin-top: .5rem; }
.menu-group + .menu-group { margin-top: 1.25rem; }

.alone-page { display: grid; min-height: 100%; padding: 1rem; place-content: center; }
.alone-card { width: min(26rem, calc(100vw - 2rem)); padding: 1.5rem; }
.alone-card h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
.alone-card .form, .alone-card > .primary { width: 100%; }
.stack > * + * { margin-top: .6rem; }
.verdict.wait { background: var(--wait-soft); }
.verdict.bad { background: var(--bad-soft); }
.verdict.good { background: var(--good-soft); }
.bad-text:empty { display: none; }
.form .bad-text + .actions { margin-top: 0; }
.address { overflow-wrap: anywhere; }
summary code + code { margin-left: .75rem; }
.form .switch input { flex: none; width: 1.05rem; height: 1.05rem; }
.list-title h2 { overflow-wrap: normal; }
.list-title > .address { margin-right: auto; }
.list-title > .small-button, .list-title > .button { margin-left: auto; }
.list-title > .small-button ~ .small-button { margin-left: 0; }
.metadata-filter { flex: 2 1 10rem; }
.with-aside { display: flex; align-items: center; }
.with-aside > .row { flex: 1; min-width: 0; }
.row-choice { display: grid; flex: none; place-items: center; width: 2.25rem; height: 2.25rem; }
.row-choice input { width: 1.1rem; height: 1.1rem; }
.same-by { padding: .6rem 1rem; border-top: 1px solid var(--line); background: var(--card); font-size: .875rem; }
.page > .same-by, .pane-detail > .same-by { border: 1px solid var(--line); border-radius: .85rem; }
.same-by > * + * { margin-top: .5rem; }
summary { color: var(--muted); cursor: pointer; }
summary:hover { color: var(--text); }
.pane-list > .same-by { max-height: 45%; overflow: auto; }
.calls, .table { width: 100%; border-collapse: collapse; text-align: left; }
.calls :is(th, td), .table :is(th, td) { padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); vertical-align: middle; overflow-wrap: anywhere; }
:is(.calls, .table) thead th { color: var(--muted); font-size: .85rem; font-weight: 550; white-space: nowrap; border-top: 0; }
:is(.calls, .table) tbody th { font-weight: 550; }
.table :is(time, td > code) { white-space: nowrap; }
.table td[data-label="Who"] { min-width: 11rem; }
.page > .table { padding: .25rem 1rem; border: 1px solid var(--line); border-radius: .85rem; background: var(--card); border-collapse: separate; border-spacing: 0; }
.table td:last-child:not([data-label]) { text-align: right; }
.setting { display: grid; gap: .5rem; }
.setting > label, .setting-label { font-weight: 550; }
.setting .stack:empty { display: none; }
.preview { margin: .75rem 0 0; }
.preview blockquote { margin: .35rem 0 0; padding: .6rem .9rem; border-left: .25rem solid var(--tone); background: var(--soft); border-radius: 0 .6rem .6rem 0; }
.preview blockquote > * + * { margin-top: .35rem; }
.probes { display: grid; gap: .6rem; }
.probe-strip { display: flex; gap: 1px; align-items: end; height: 2.5rem; }
.probe-strip > span { flex: 1 1 0; min-width: 1px; max-width: .6rem; border-radius: 1px; background: var(--tone); }
.usage { display: grid; gap: .35rem; font-weight: 550; }
.usage meter { width: 100%; height: 1.1rem; }
progress { width: 100%; accent-color: var(--accent); }
.secret { padding: .75rem; border-radius: .6rem; background: var(--soft); }
.checklist > li { display: flex; gap: .75rem; align-items: start; padding: .5rem 0; }
.check-mark { display: grid; flex: none; place-items: center; width: 1.4rem; height: 1.4rem; margin-top: .05rem; border: 2px solid var(--line); border-radius: 50%; color: var(--good); }
.checklist .done .check-mark { border-color: var(--good); }
.checklist .done a { color: var(--muted); text-decoration: line-through; }
.step-hint { display: block; }
.timeline > li { position: relative; padding-left: 1.25rem; border-top: 0; }
.timeline > li::before { content: ""; position: absolute; top: .95rem; left: .1rem; z-index: 1; width: .6rem; height: .6rem; border-radius: 50%; background: var(--tone); }
.timeline > li:not(:last-child)::after { content: ""; position: absolute; top: 1.2rem; bottom: -.95rem; left: .34rem; width: 2px; background: var(--line); }

@media (max-width: 45rem) {
  .roomy { display: none; }
  .bar { gap: .4rem .5rem; padding-inline: .6rem; }
  nav .rest { display: none; }
  .mode-words { font-size: .8rem; }
}
@media (max-width: 40rem) {
  .table thead, .calls thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table, .calls { display: block; }
  .table tbody, .calls tbody { display: block; }
  .table tr, .calls tr { display: grid; gap: .15rem; padding: .6rem 0; border-top: 1px solid var(--line); }
  .table tbody tr:first-child, .calls tbody tr:first-child { border-top: 0; }
  .table :is(th, td), .calls :is(th, td) { padding: 0; border: 0; }
  .table td[data-label]:empty { display: none; }
  .table td[data-label]::before { content: attr(data-label) ": "; color: var(--muted); }
  .table td:last-child:not([data-label]) { text-align: left; }
}
@media (max-width: 26rem) {
  .mode-words { display: none; }
  .list-title { flex-wrap: wrap; }
  .bar h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (min-width: 45.01rem) and (max-width: 59.99rem) {
  nav .rest { display: none; }
}
@media (min-width: 60rem) {
  .shell.dashboard { grid-template: "bar bar" auto "mode mode" auto "nav main" minmax(0, 1fr) / 11.5rem minmax(0, 1fr); }
  .mode-bar { padding: .35rem 1.1rem; }
  nav .more { display: none; }
  .bar h1 { min-width: 9.3rem; }
}
@media (forced-colors: active) {
  .mode-bar.live { border-block: .35rem solid Highlight; }
  .mode-switch a[aria-current], .menu a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
  .verdict, .same-by { border: 1px solid CanvasText; }
  .timeline > li::before, .timeline > li:not(:last-child)::after { background: CanvasText; }
}
${TRAFFIC_STYLE}`;
