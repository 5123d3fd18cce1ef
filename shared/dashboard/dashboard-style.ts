import { PAGE_STYLE } from './page-style.ts';

/** The styles of the traffic charts. */
const TRAFFIC_STYLE = `
.range { display: flex; gap: .25rem; }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .5rem 1rem; }
.sums dt { color: var(--muted); font-size: var(--t-1); font-weight: var(--w-text); }
.sums dd { font-size: var(--t-5); font-weight: 650; font-variant-numeric: tabular-nums; }
.chart { display: grid; grid-template: 9rem 1.25rem / auto minmax(0, 1fr); gap: 0 .5rem; margin-top: 1rem; color: var(--muted); font-size: var(--t-1); }
.chart .most { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; font-variant-numeric: tabular-nums; }
.chart svg { display: block; width: 100%; height: 100%; overflow: visible; }
.chart .lines-of { stroke: var(--line); vector-effect: non-scaling-stroke; }
.chart .times { display: flex; grid-column: 2; align-items: end; justify-content: space-between; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin-top: .5rem; color: var(--muted); font-size: var(--t-2); }
.legend svg { width: .625rem; height: .625rem; margin-right: .35rem; }
.part-fine { fill: var(--fill); }
.part-client { fill: var(--wait-fill); }
.part-server { fill: var(--bad-fill); }
.part-left { fill: var(--edge); }
.traffic-table { max-height: 22rem; margin-top: .5rem; overflow: auto; }
.traffic-table td { font-variant-numeric: tabular-nums; }
@media (forced-colors: active) { .chart svg, .legend svg, .strip { forced-color-adjust: none; } }
`;

/** The styles of the first page: what is wrong, with its cause and its fix; then the statuses of all domains, and the setup. */
const HOME_STYLE = `
.box { border: var(--border); border-radius: var(--r-2); background: var(--card); }
.box > header { display: flex; gap: .5rem; align-items: center; min-height: 2.75rem; padding: .3rem 1rem; }
:is(.box > header, .section-head) h2 { font-size: var(--t-3); font-weight: 650; letter-spacing: 0; }
.box > header > :is(a, .right) { flex: none; margin-left: auto; font-size: var(--t-2); }
.box > .in { padding: 0 1rem 1rem; }
.box.alert { overflow: hidden; border-color: color-mix(in srgb, var(--bad-fill) 40%, var(--line)); }
.box.alert > header { background: var(--bad-soft); color: var(--bad); --cut: var(--bad-soft); --tone-fill: var(--bad-fill); }
.alerts li { border-top: var(--border); }
.alerts .awaited { height: 3.875rem; }
.alerts a { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr) auto 1rem; gap: .1rem 1rem; align-items: center; padding: .6rem 1rem; color: inherit; }
.alerts a:hover { background: var(--soft); --cut: var(--soft); text-decoration: none; }
.alerts .name { overflow: hidden; font-weight: var(--w-strong); text-overflow: ellipsis; white-space: nowrap; }
.alerts .st { grid-column: 1; grid-row: 2; font-size: var(--t-2); }
.alerts .why { grid-column: 2; grid-row: 1; }
.alerts .fix { grid-column: 2; grid-row: 2; color: var(--muted); font-size: var(--t-2); overflow-wrap: anywhere; }
.alerts time { grid-column: 3; grid-row: 1 / 3; color: var(--muted); font-size: var(--t-2); white-space: nowrap; }
.alerts a > .i { grid-column: 4; grid-row: 1 / 3; color: var(--muted); }
.strip { display: flex; gap: .1875rem; height: .75rem; }
.strip i { min-width: .375rem; border-radius: .1875rem; background: var(--tone-fill); }
.status-counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .125rem; margin: .6rem -.5rem -.5rem; }
.status-counts a { display: flex; gap: .5rem; align-items: center; padding: .3rem .5rem; border-radius: var(--r-1); color: var(--text); }
.status-counts a:hover { background: var(--soft); --cut: var(--soft); text-decoration: none; }
.status-counts b { min-width: 1.4rem; font-size: var(--t-5); font-weight: 650; letter-spacing: -.01em; line-height: 1.2; }
.status-counts .st { font-size: var(--t-2); }
.two { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 3fr); gap: 1.25rem; align-items: start; }
.two:not(:has(> * + *)) { min-height: 19.5rem; } /* until both boxes have loaded */
@media (min-width: 60.0625rem) { .two > :has(.latest) { grid-column: 2; } }
.latest li { border-top: var(--border); }
.latest .row { min-height: 3.25rem; padding: 0 1rem; }
.latest .row-main { font-size: var(--t-2); }
.note { display: flex; flex-wrap: wrap; gap: .35rem .9rem; align-items: center; padding: .7rem 1rem; font-size: var(--t-2); }
.note h2 { font-size: var(--t-2); letter-spacing: 0; }
.note .muted { flex: 1; min-width: 12rem; }
.ticks { display: flex; gap: .2rem; }
.ticks i { width: 1.25rem; height: .375rem; border-radius: .1875rem; background: var(--line); }
.ticks .on { background: var(--good-fill); }
.checklist { border-top: var(--border); }
.checklist li { display: grid; grid-template-columns: 1rem minmax(0, 1fr); gap: 0 .75rem; align-items: center; padding: .5rem 1rem; }
.checklist li > :is(a, .muted) { grid-column: 2; }
.checklist .i { color: var(--tone); }
.checklist .good a { color: var(--muted); }
@media (max-width: 60rem) {
  .two { grid-template-columns: minmax(0, 1fr); gap: .75rem; }
  .two:not(:has(> * + *)) { min-height: 25rem; }
  .alerts a { grid-template-columns: minmax(0, 1fr) auto 1rem; }
  .alerts .awaited { height: 7.5rem; }
  .alerts :is(.name, .st) { grid-column: 1; }
  .alerts :is(.why, .fix) { grid-column: 1 / 3; }
  .alerts .why { grid-row: 3; }
  .alerts .fix { grid-row: 4; }
  .alerts time { grid-column: 2; grid-row: 1; }
  .alerts a > .i { grid-column: 3; grid-row: 1 / 5; }
  .status-counts { grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
  .status-counts a { gap: .3rem; padding-inline: .25rem; } .status-counts b { min-width: 1rem; }
}
`;

/** The page for people who are not signed in, beside the picture of names at a door. */
const SIGN_IN_STYLE = `
.enter { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); height: 100dvh; }
.doors { display: grid; overflow: hidden; place-items: center; padding: 2rem; background: var(--wall); }
.bells { display: grid; gap: .875rem; width: min(25rem, 100%); padding: 1.75rem; border-radius: 1.125rem; background: var(--ground); box-shadow: var(--float); }
.bells div { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1rem; align-items: center; }
.bells .plate { justify-content: space-between; font-size: 1.125rem; }
.bells i { width: .75rem; height: .75rem; border-radius: 50%; background: var(--tone-fill); box-shadow: 0 0 0 .1875rem var(--ground), 0 0 0 .25rem var(--line); }
.sign { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-content: center; justify-content: center; justify-self: center; width: min(22rem, 100% - 3rem); padding: 2rem 0; }
.sign .brand { padding: 0; }
.sign h1 { font-size: var(--t-6); overflow-wrap: anywhere; }
.sign h1 + p { margin-top: -.75rem; }
.sign :is(input, .lead, .ways > *) { width: 100%; min-height: 2.75rem; font-size: var(--t-4); }
.sign .ways > * { font-size: var(--t-3); }
.ways { display: grid; gap: .5rem; }
.or { display: flex; gap: .75rem; align-items: center; color: var(--muted); font-size: var(--t-2); }
.or::before, .or::after { content: ""; flex: 1; border-top: var(--border); }
@media (max-width: 48rem) {
  .enter { grid-template: auto 1fr / minmax(0, 1fr); height: auto; min-height: 100dvh; }
  .doors { padding: 1.25rem 1.5rem; }
  .bells { gap: .5rem; padding: .75rem .9rem; border-radius: .75rem; }
  .bells div:nth-child(n + 4) { display: none; }
  .bells .plate { font-size: .9375rem; }
  .sign { align-content: start; }
}
`;

/** The dashboard's style sheet. */
export const DASHBOARD_STYLE = `${PAGE_STYLE}${HOME_STYLE}
.stack > * + * { margin-top: .6rem; }
.bad-text:empty { display: none; }
.form .bad-text + .actions { margin-top: 0; }
.address { overflow-wrap: anywhere; }
.form .switch input { flex: none; width: 1.05rem; height: 1.05rem; }
.setting { display: grid; gap: .5rem; }
.setting-label { font-weight: var(--w-strong); }
.setting .stack:empty { display: none; }
.probes { display: grid; gap: .6rem; }
.probe-strip { display: flex; gap: 1px; align-items: end; height: 2.5rem; }
.probe-strip > span { flex: 1 1 0; min-width: 1px; max-width: .6rem; border-radius: 1px; background: var(--tone); }
.usage { display: grid; gap: .35rem; font-weight: var(--w-strong); }
.usage meter { width: 100%; height: .75rem; appearance: none; border: 0; border-radius: .1875rem; background: var(--line); }
.usage meter::-webkit-meter-bar { height: 100%; border: 0; border-radius: .1875rem; background: var(--line); }
.usage meter::-webkit-meter-optimum-value { border-radius: .1875rem; background: var(--fill); }
.usage meter::-webkit-meter-suboptimum-value { border-radius: .1875rem; background: var(--wait-fill); }
.usage meter::-moz-meter-bar { border-radius: .1875rem; background: var(--fill); }
.usage meter:-moz-meter-sub-optimum::-moz-meter-bar { background: var(--wait-fill); }
progress { width: 100%; accent-color: var(--fill); }
.secret { padding: .75rem; border-radius: var(--r-1); background: var(--soft); }
${SIGN_IN_STYLE}${TRAFFIC_STYLE}`;
