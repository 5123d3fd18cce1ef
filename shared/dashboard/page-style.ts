import { BASE_STYLE } from '../core/look/base-style.ts';
import { TOKENS } from '../core/look/tokens.ts';
import { DETAIL_STYLE } from './detail-style.ts';

/** The wall on the left. In live mode, it is enamel; in test mode, plaster with a dashed edge. On a phone, the bar has its colours. */
const SIDE_STYLE = `
.live { --wall-bg: var(--wall); --wall-text: var(--on-wall); --wall-quiet: var(--wall-muted); --wall-hover: var(--wall-soft); --wall-rule: var(--wall-line); --wall-focus: var(--screw); }
.test { --wall-bg: var(--ground); --wall-text: var(--text); --wall-quiet: var(--muted); --wall-hover: var(--line); --wall-rule: var(--line); --wall-focus: var(--accent); }
.live :is(.side, .head) { --mark: var(--on-wall); --mark-n: var(--wall); --mark-s: var(--wait-fill); }
.side { grid-area: side; display: flex; flex-direction: column; min-height: 0; padding: 0 .625rem .625rem; background: var(--wall-bg); color: var(--wall-text); }
.test .side { border-right: 1px dashed var(--edge); background-image: repeating-linear-gradient(-45deg, transparent 0 .5rem, color-mix(in srgb, var(--edge) 7%, transparent) .5rem 1rem); }
.side :focus-visible { outline-color: var(--wall-focus); }
.mark-place { display: inline-flex; }
.brand { display: flex; flex: none; align-items: center; gap: .4rem; height: var(--head); padding: 0 0 0 .375rem; color: inherit; font-size: 1.0625rem; font-weight: var(--w-title); letter-spacing: -.012em; }
.brand > span:nth-child(2) { overflow: hidden; text-overflow: ellipsis; }
.brand small { flex: none; margin-left: auto; padding: 0 .3rem; border: 1px solid var(--wall-rule); border-radius: 1rem; color: var(--wall-quiet); font-size: var(--t-1); font-weight: var(--w-text); letter-spacing: 0; }
.app-menu { justify-content: space-between; width: 100%; min-height: 2.25rem; padding: .25rem .5rem; border-color: var(--wall-rule); background: none; color: inherit; font-size: var(--t-3); }
.app-menu .i { color: var(--wall-quiet); }
.app-name { overflow: hidden; text-overflow: ellipsis; }
.mode { display: grid; grid-template-columns: 1fr 1fr; flex: none; margin: .5rem 0 .75rem; padding: .1875rem; border-radius: .5rem; background: var(--wall-hover); }
.test .mode { background: var(--soft); }
.mode a { display: flex; gap: .5rem; align-items: center; justify-content: center; min-height: calc(var(--control) - .25rem); border-radius: .3125rem; color: var(--wall-quiet); font-size: var(--t-2); font-weight: var(--w-strong); }
.mode a:hover { color: var(--wall-text); text-decoration: none; }
.live .mode [aria-current], .live .phone-mode { background: var(--on-wall); color: var(--wall); font-weight: 700; }
.live :is(.mode [aria-current], .phone-mode)::before, .live :is(.mode [aria-current], .phone-mode)::after { content: ""; width: .3125rem; height: .3125rem; border-radius: 50%; background: var(--wait-fill); }
.test .mode [aria-current], .test .phone-mode { border: 1.5px dashed var(--edge); background: var(--card); color: var(--text); font-weight: 700; }
.side nav { flex: 1; min-height: 0; overflow: auto; }
.side :is(nav, .foot) :is(a, button) { display: flex; gap: .625rem; align-items: center; justify-content: start; width: 100%; min-height: var(--control); padding: .2rem .5rem; border: 0; border-radius: var(--r-1); background: none; color: var(--wall-quiet); font-size: var(--t-3); font-weight: var(--w-text); }
.side :is(nav, .foot) :is(a, button):hover { background: var(--wall-hover); color: var(--wall-text); text-decoration: none; }
.side nav [aria-current] { background: var(--wall-hover); color: var(--wall-text); font-weight: var(--w-strong); }
.side h2 { padding: .9rem .5rem .3rem; color: var(--wall-quiet); font-size: var(--t-1); font-weight: var(--w-strong); letter-spacing: 0; }
.side .foot { padding-top: .5rem; border-top: 1px solid var(--wall-rule); }
.foot :is(a, button) > :last-child { margin-left: auto; }
.side kbd { border-color: var(--wall-rule); color: inherit; }
.badge { padding: .05rem .4rem; border-radius: 1rem; background: var(--alarm); color: var(--on-alarm); font-size: var(--t-1); font-weight: 650; line-height: 1.4; }
.side .badge, .menu .badge { margin-left: auto; }
`;

/** The bar at the top, and the tabs at the bottom of a phone. */
const BAR_STYLE = `
.head { grid-area: head; display: flex; gap: .5rem; align-items: center; min-width: 0; padding: 0 1.25rem; border-bottom: var(--border); background: var(--card); }
.test .head { border-bottom-style: dashed; border-bottom-color: var(--edge); }
.head h1 { display: flex; gap: .5rem; align-items: center; min-width: 0; font-size: var(--t-4); white-space: nowrap; }
.head h1 > :first-child { overflow: hidden; color: inherit; text-overflow: ellipsis; }
.count { padding: .05rem .45rem; border-radius: 1rem; background: var(--soft); color: var(--muted); font-size: var(--t-1); font-weight: var(--w-strong); letter-spacing: 0; font-variant-numeric: tabular-nums; }
.tools { display: flex; gap: .375rem; align-items: center; margin-left: auto; }
.find { justify-content: start; width: 15rem; padding: 0 .4rem 0 .6rem; background: var(--ground); color: var(--muted); font-weight: var(--w-text); }
.find kbd { margin-left: auto; background: var(--card); }
.head:has(.clock) .find { width: var(--control); padding: 0; justify-content: center; border-color: transparent; background: none; }
.head:has(.clock) .find > kbd { display: none; }
.head:has(.clock) .find > span { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.avatar { display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-size: var(--t-1); font-weight: 650; }
:is(.brand, .avatar):hover { text-decoration: none; }
.found input { width: 100%; margin-bottom: .75rem; }
.menu a, .found a { display: flex; gap: .75rem; align-items: center; min-height: var(--row); padding: .25rem .5rem; border-radius: var(--r-1); color: inherit; overflow-wrap: anywhere; }
.found a > .st { margin-left: auto; font-size: var(--t-2); }
:is(.menu, .found) a:hover, :is(.menu, .found) [aria-current] { background: var(--soft); text-decoration: none; }
.menu-group + .menu-group, .menu-top + .menu { margin-top: 1rem; }
.menu-top { --wall-rule: var(--line); --wall-hover: var(--soft); --wall-quiet: var(--muted); --wall-text: var(--text); }
.live.menu-top .mode [aria-current] { background: var(--wall); color: var(--on-wall); }
.tabs, .phone-mode, .head > .mark-place { display: none; }
.shortcuts > div { display: flex; gap: 1rem; align-items: center; padding: .3rem 0; }
.shortcuts dt { flex: none; width: 9.5rem; font-weight: var(--w-text); }
.shortcuts kbd { display: inline-block; min-width: 1.5rem; margin: 0 .15rem .15rem 0; background: var(--soft); text-align: center; }
`;

const PHONE_STYLE = `
@media (max-width: 60rem) {
  .shell { grid-template: "head" var(--head) "main" minmax(0, 1fr) "tabs" auto / minmax(0, 1fr); }
  .side, .head :is(.avatar, .find kbd) { display: none; }
  .head { gap: .6rem; padding: 0 .75rem; background: var(--wall-bg); color: var(--wall-text); border-bottom-color: var(--wall-rule); }
  .head :focus-visible:not(dialog *) { outline-color: var(--wall-focus); }
  .head > .mark-place { display: inline-flex; }
  .live .count { background: var(--wall-hover); color: var(--wall-text); }
  .head .find { width: var(--control); padding: 0; justify-content: center; border-color: transparent; background: none; color: inherit; }
  .head .find > span { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
  .head:has(.clock) :is(.find, .count) { display: none; }
  .phone-mode { display: inline-flex; gap: .35rem; min-height: 1.75rem; padding: 0 .55rem; font-weight: 700; }
  .tabs { grid-area: tabs; display: grid; grid-template-columns: repeat(5, 1fr); padding: .25rem; border-top: var(--border); background: var(--card); }
  .tabs > * { position: relative; display: grid; gap: .1rem; justify-items: center; min-width: 0; padding: .3rem 0; border: 0; border-radius: var(--r-1); background: none; color: var(--muted); font-size: var(--t-1); font-weight: var(--w-text); line-height: 1.5; }
  .tabs :is([aria-current], [data-current]) { color: var(--accent); font-weight: 650; }
  .tabs .i { width: 1.2rem; height: 1.2rem; }
  .tabs .badge { position: absolute; top: .05rem; left: calc(50% + .35rem); padding: 0 .3rem; }
  .page, .pane-detail { padding: .75rem .75rem 1.5rem; gap: .75rem; }
  .bar2 { padding: .6rem .75rem; }
  .bar2 .search { flex: 1; max-width: none; }
  .chips { order: 1; flex: 0 0 calc(100% + 1.5rem); flex-wrap: nowrap; overflow-x: auto; margin: 0 -.75rem; padding: 0 .75rem; scrollbar-width: none; }
  .bar2 .end { margin-left: 0; }
  .bar2 .lead { gap: 0; font-size: 0; }
  .metadata-filter { order: 1; flex: 1 0 100%; }
  .same-by { padding-inline: .75rem; }
  .pane.opened > .pane-list { display: none; }
}
`;

/** Lists and tables. A wide list has columns with heads; a narrow one has two lines for each row. */
const LIST_STYLE = `
.pane { display: grid; height: 100%; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
.pane-list { display: flex; flex-direction: column; min-width: 0; container-type: inline-size; }
.pane-detail { position: relative; min-width: 0; padding: 1.5rem 1.25rem 3rem; overflow: auto; }
.pane-detail > * { max-width: 70rem; }
.pane-detail > * + * { margin-top: 1.25rem; }
.pane.whole > .pane-list { display: none; }
@media (min-width: 60.01rem) { .pane.split { grid-template-columns: minmax(18rem, 27rem) minmax(0, 1fr); } .pane.split > .pane-list { border-right: var(--border); background: var(--card); } }
.bar2 { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .625rem 1.25rem; border-bottom: var(--border); background: var(--card); }
.bar2 .end { display: flex; gap: .375rem; align-items: center; margin-left: auto; }
.search { position: relative; flex: 1 1 9rem; max-width: 17rem; color: var(--muted); }
.search .i { position: absolute; top: calc(50% - .5rem); left: .6rem; }
.search input { width: 100%; padding-left: 2rem; }
.metadata-filter { flex: 0 1 15rem; }
.chips { display: flex; flex-wrap: wrap; gap: .25rem; }
.chips:has(> :nth-child(6)) { order: 1; flex: 1 0 100%; }
.chips a, .range button { display: inline-flex; gap: .4rem; align-items: center; min-height: var(--control); padding: 0 .6rem; border: 0; border-radius: var(--r-1); background: none; color: var(--muted); font-size: var(--t-2); font-weight: var(--w-strong); white-space: nowrap; }
:is(.chips a, .range button):hover { background: var(--soft); color: var(--text); text-decoration: none; }
.chips [aria-current], .range [aria-pressed="true"] { background: var(--soft); color: var(--text); box-shadow: inset 0 0 0 1px var(--line); }
.chips .num { font-weight: var(--w-text); }

.table-of { --row-height: 3.5rem; display: flex; background: var(--card); flex: 1; flex-direction: column; min-height: 0; }
.rows, .heads { scrollbar-gutter: stable; }
.rows { flex: 1; min-height: 0; overflow: auto; }
.rows > [role="list"] { position: relative; background: repeating-linear-gradient(var(--card) 0 calc(var(--row-height) - 1px), var(--line) 0 var(--row-height)); }
.row-place { position: absolute; right: 0; left: 0; height: var(--row-height); border-bottom: var(--border); background: var(--card); }
.heads { display: none; flex: none; overflow: hidden; align-items: center; height: 2rem; border-bottom: var(--border); background: var(--card); color: var(--muted); font-size: var(--t-1); font-weight: var(--w-strong); }
.row { display: grid; grid-template: "main state" auto "more time" auto / minmax(0, 1fr) auto; gap: .1rem .75rem; align-content: center; align-items: center; height: 100%; padding: 0 1.25rem; color: inherit; }
.row:hover { background: var(--soft); --cut: var(--soft); text-decoration: none; }
.row[aria-current] { background: var(--accent-soft); box-shadow: inset .1875rem 0 var(--accent); --cut: var(--accent-soft); }
.row:focus-visible { outline-offset: -2px; border-radius: 0; }
.row-main, .row-more, .row-why { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .row-main { grid-area: main; font-weight: var(--w-strong); }
.row .row-state { display: flex; grid-area: state; }
.row .row-state .st { font-size: var(--t-2); }
.row .row-why { grid-area: why; color: var(--muted); font-size: var(--t-2); }
.row .row-more { grid-area: more; color: var(--muted); font-size: var(--t-2); }
.row .row-time { grid-area: time; justify-self: end; }
.row-time { color: var(--muted); font-size: var(--t-2); white-space: nowrap; }
[data-columns="5"] .row { grid-template: "main main time" auto "state why why" auto / auto minmax(0, 1fr) auto; }
[data-columns="5"] .row-more { display: none; }
.row.loading { margin: .3rem 1.25rem; height: .625rem; border-radius: .25rem; background: var(--line); }
.with-aside { display: flex; align-items: center; }
.with-aside > .row { flex: 1; min-width: 0; padding-left: .25rem; }
.with-aside:has(> [aria-current]) { background: var(--accent-soft); box-shadow: inset .1875rem 0 var(--accent); } .with-aside > .row[aria-current] { box-shadow: none; }
.row-choice { display: grid; flex: none; place-items: center; width: 2.5rem; height: 100%; padding-left: .5rem; }
.row-choice input { width: 1rem; height: 1rem; }
@container (min-width: 46rem) {
  .table-of { --row-height: var(--row); }
  .row { grid-template: "main state more time" 1fr / minmax(0, 4fr) 11rem minmax(0, 4fr) 8.5rem; }
  .heads { display: grid; grid-template: "main state more time" 1fr / minmax(0, 4fr) 11rem minmax(0, 4fr) 8.5rem; gap: .75rem; padding: 0 1.25rem; }
  [data-columns="5"] :is(.row, .heads) { grid-template: "main state why more time" 1fr / minmax(0, 31fr) 11rem minmax(0, 30fr) minmax(0, 15fr) 8.5rem; }
  [data-columns="5"] .row-more { display: block; }
  .heads > :last-child { justify-self: end; }
}
@container (min-width: 46rem) and (max-width: 58rem) {
  [data-columns="5"] :is(.row, .heads) { grid-template: "main state why time" 1fr / minmax(0, 4fr) 10.5rem minmax(0, 4fr) 8.5rem; }
  [data-columns="5"] :is(.row-more, .heads > :nth-child(4)) { display: none; }
}
@keyframes late { from, to { visibility: hidden; } }
.bones { animation: late 300ms; }
.bones > p { display: flex; align-items: center; height: var(--row); padding: 0 1.25rem; border-bottom: var(--border); background: var(--card); }
.bones i { height: .625rem; border-radius: .25rem; background: var(--line); }

.table :is(th, td) { height: var(--row); padding: .2rem .75rem .2rem 0; border-top: var(--border); vertical-align: middle; overflow-wrap: anywhere; }
.table thead th { height: 2rem; border-top: 0; color: var(--muted); font-size: var(--t-1); white-space: nowrap; }
.table time { color: var(--muted); font-size: var(--t-2); }
.table :is(time, td > code) { white-space: nowrap; }
.table td[data-label="Who"] { min-width: 11rem; }
.table td:last-child:not([data-label]) { text-align: right; }
.page > .table { overflow: hidden; border: var(--border); border-radius: var(--r-2); background: var(--card); border-collapse: separate; border-spacing: 0; }
.page > .table :is(th, td):first-child { padding-left: 1rem; }
.page-acts { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; justify-content: end; }
.same-by { padding: .25rem 1.25rem; color: var(--muted); font-size: var(--t-1); }
.page > .same-by, .pane-detail .same-by { padding-inline: 0; }
.same-by summary { display: flex; flex-wrap: wrap; gap: .15rem .75rem; align-items: center; min-height: 1.75rem; }
.same-by :is(code, th) { font-size: var(--t-1); }
.same-by :is(th, td) { height: auto; padding-block: .3rem; font-weight: var(--w-text); }
.same-by code { min-width: 0; overflow-wrap: anywhere; }
.same-by > * + * { margin-top: .5rem; }
.pane-list > .same-by { max-height: 45%; overflow: auto; border-top: var(--border); }
summary { color: var(--muted); cursor: pointer; }
summary:hover { color: var(--text); }
.empty { display: grid; gap: .6rem; justify-items: center; padding: 3.5rem 1.5rem; text-align: center; color: var(--muted); }
.empty > :is(.plate, .i) { order: -1; } .empty > .plate { font-size: 1.125rem; } .empty > .i { width: 1.5rem; height: 1.5rem; color: var(--bad); }
.empty > p { max-width: 30rem; }
.empty-title { color: var(--text); font-size: var(--t-4); font-weight: var(--w-title); }
@media (max-width: 40rem) {
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table, .table tbody { display: block; }
  .table tr { display: grid; gap: .15rem; padding: .6rem 0; border-top: var(--border); }
  .page > .table tr { padding-inline: 1rem; }
  .table tbody tr:first-child { border-top: 0; }
  .table tbody :is(th, td), .page > .table :is(th, td):first-child { height: auto; padding: 0; border: 0; }
  .table td[data-label]:empty { display: none; }
  .table td[data-label]::before { content: attr(data-label) ": "; color: var(--muted); }
  .table td:last-child:not([data-label]) { text-align: left; }
}
`;

/** Buttons, fields, dialogs and notices. */
const CONTROL_STYLE = `
button.danger { border-color: var(--alarm); background: var(--alarm); color: var(--on-alarm); }
:is(input, select, textarea) { min-width: 0; }
textarea { width: 100%; resize: vertical; font-family: var(--mono); }
input[aria-invalid="true"] { border-color: var(--bad-fill); box-shadow: 0 0 0 1px var(--bad-fill); }
input[type="checkbox"], input[type="radio"] { min-height: 0; accent-color: var(--fill); }
::file-selector-button { margin-right: .6rem; padding: .1rem .6rem; border: var(--border); border-radius: var(--r-1); background: var(--soft); color: var(--text); font: inherit; }
[aria-disabled="true"] { opacity: .6; cursor: progress; }
.pill { display: inline-block; max-width: 100%; padding: .05rem .45rem; overflow: hidden; border-radius: 1rem; background: var(--tone-soft); color: var(--tone); font-size: var(--t-1); font-weight: var(--w-strong); line-height: 1.45; text-overflow: ellipsis; vertical-align: middle; white-space: nowrap; }
.notices { position: fixed; right: 1rem; bottom: 4.75rem; left: 1rem; z-index: 4; display: grid; justify-items: end; pointer-events: none; }
.notice { display: flex; gap: .6rem; align-items: center; max-width: 30rem; padding: .4rem .4rem .4rem .9rem; border: var(--border); border-radius: var(--r-2); background: var(--card); box-shadow: var(--float); pointer-events: auto; }
.notice > .i { color: var(--tone); }
.notice p { padding: .25rem 0; overflow-wrap: anywhere; }
@media (min-width: 60.01rem) { .notices { right: 1.5rem; bottom: 1.5rem; } }
dialog { width: min(30rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 1.25rem; border: var(--border); border-radius: .875rem; background: var(--card); color: var(--text); box-shadow: var(--float); }
dialog > .section-head h2 { font-size: var(--t-4); }
dialog > .section-head { margin: -.25rem 0 .75rem; }
dialog::backdrop { background: color-mix(in srgb, var(--code) 45%, transparent); }
.check { display: flex; gap: .5rem; align-items: center; margin-top: .75rem; padding-top: .75rem; border-top: var(--border); }
.check input { width: 1.1rem; height: 1.1rem; }
`;

/** The style sheet of our pages for developers: the frame, lists and controls. `detail-style.ts` contains the styles of detail views. */
export const PAGE_STYLE = `${TOKENS}${BASE_STYLE}
:root { scrollbar-color: var(--edge) transparent; }
h2 { font-size: var(--t-4); overflow-wrap: anywhere; }
h3 { font-size: var(--t-3); }
main:focus, h2:focus { outline: none; }
.shell { display: grid; grid-template: "side head" var(--head) "side main" minmax(0, 1fr) / var(--side) minmax(0, 1fr); height: 100dvh; }
.shell > main { grid-area: main; min-width: 0; min-height: 0; }
.page { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; grid-auto-rows: max-content; height: 100%; padding: 1.25rem 1.25rem 3rem; overflow: auto; }
.page > * { width: 100%; max-width: 66rem; }
.alone { max-width: 36rem; margin: 20vh auto 0; padding: 0 1rem; }
${SIDE_STYLE}${BAR_STYLE}${LIST_STYLE}${CONTROL_STYLE}${DETAIL_STYLE}${PHONE_STYLE}
@media (forced-colors: active) { .box, .pill, .row[aria-current], nav [aria-current], .mode [aria-current] { border: 1px solid CanvasText; } }
`;
