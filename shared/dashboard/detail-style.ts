/** The styles of detail views and pages: cards, lists of facts, forms. */
export const DETAIL_STYLE = `
.card { padding: 1rem; border: 1px solid var(--line); border-radius: .85rem; background: var(--card); }
.card > * + * { margin-top: .75rem; }
.section-head { display: flex; gap: .75rem; align-items: center; justify-content: space-between; min-height: 1.6rem; }
.detail-head { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; justify-content: space-between; }
.detail-title { display: flex; gap: .4rem; align-items: start; min-width: 0; }
.detail-title .back { margin-left: -.4rem; }
.detail-name { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; min-width: 0; min-height: 2rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.facts > div { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .75rem; padding: .25rem 0; }
.facts dt { color: var(--muted); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.line { display: block; }
.copyable { display: inline-flex; gap: .15rem; align-items: center; max-width: 100%; min-width: 0; }
.copyable code { overflow-wrap: anywhere; min-width: 0; }
.copyable .icon { min-height: 1.5rem; min-width: 1.75rem; margin-block: -.1rem; }
.copyable svg { width: .95rem; height: .95rem; }
.plain { padding: 0; list-style: none; }
.plain > li { border-top: 1px solid var(--line); }
.plain > li:first-child { border-top: 0; }
.row-link { display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: center; padding: .45rem 0; color: inherit; text-decoration: none; }
a.row-link:hover .row-main { color: var(--accent); text-decoration: underline; }
.row-link .row-main { flex: 1 1 10rem; min-width: 0; }
.row-link .row-time { min-width: 5rem; }
.records > li { display: grid; grid-template-columns: 4rem minmax(0, 1fr) minmax(0, 2fr); gap: .25rem .75rem; align-items: baseline; padding: .4rem 0; }
.record-type { color: var(--muted); }
.attempts > li { display: grid; grid-template-columns: 1.75rem minmax(6rem, 1fr) auto auto; gap: .75rem; align-items: center; padding: .4rem 0; }
.attempts .response { grid-column: 2 / -1; }
.attempt { display: grid; place-items: center; width: 1.6rem; height: 1.6rem; border-radius: 50%; background: var(--soft); color: var(--muted); font-size: .8rem; font-weight: 600; }
.finding { padding: .75rem .9rem; border-radius: .6rem; background: var(--soft); }
.finding > * + * { margin-top: .35rem; }
.verdict { padding: .75rem .9rem; border-radius: .6rem; background: var(--soft); }
.verdict > * + * { margin-top: .35rem; }
pre { max-height: 32rem; padding: .9rem; overflow: auto; border-radius: .6rem; background: var(--soft); tab-size: 2; }
.mail-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.headers { width: 100%; border-collapse: collapse; }
.headers th, .headers td { padding: .3rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: baseline; font-weight: 400; overflow-wrap: anywhere; }
.headers tbody tr:first-child > * { border-top: 0; }
.headers th { width: 34%; padding-right: 1rem; color: var(--muted); }

.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(5.5rem, 1fr)); gap: .75rem; }
.tile { display: grid; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .85rem; background: var(--card); color: inherit; text-decoration: none; }
.tile:hover { border-color: var(--accent); }
.tile-number { font-size: 1.5rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }

.form { display: grid; gap: .9rem; }
.form label, .line-form label, .grid label { display: grid; gap: .25rem; min-width: 0; font-weight: 550; }
.form > button { justify-self: start; }
.form input[type="file"] { width: 100%; }
.form .switch { display: flex; gap: .5rem; align-items: center; padding: .15rem 0; font-weight: 400; }
.lines { white-space: pre-line; overflow-wrap: anywhere; }
.lines:empty { display: none; }
.line-form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
.line-form label { flex: 1 1 12rem; }
.line-form .short { flex: 0 1 6rem; }
.line-form input, .line-form select, .grid input, .grid select { width: 100%; }
.inline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; color: var(--muted); }
.inline select { max-width: 100%; }
.bad-text { color: var(--bad); }
fieldset { min-width: 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .4rem; font-weight: 550; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem; }
@media (max-width: 40rem) {
  .facts > div { grid-template-columns: 6.2rem minmax(0, 1fr); }
  .records > li { grid-template-columns: 4rem minmax(0, 1fr); }
  .records > li > :last-child { grid-column: 1 / -1; }
  .headers tr { display: block; padding: .35rem 0; border-top: 1px solid var(--line); }
  .headers tbody tr:first-child { border-top: 0; }
  .headers th, .headers td { display: block; width: auto; padding: 0; border: 0; }
  .attempts > li { grid-template-columns: 1.75rem minmax(0, 1fr) auto; }
  .attempts .row-time, .attempts .response { grid-column: 2 / -1; }
}
@media (min-width: 60rem) {
  .card { padding: 1.1rem 1.25rem; }
  .detail-title h2 { font-size: 1.35rem; }
}
`;
