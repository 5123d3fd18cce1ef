import { BASE_STYLE } from '../core/look/base-style.ts';
import { TOKENS } from '../core/look/tokens.ts';
import { DETAIL_STYLE } from './detail-style.ts';

/** The style sheet of our pages for developers: the frame, lists and controls. `detail-style.ts` contains the styles of detail views. */
export const PAGE_STYLE = `${TOKENS}${BASE_STYLE}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3, h4, p, ol, ul, dl, dd, fieldset, pre { margin: 0; }
h1 { font-size: 1rem; font-weight: 680; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h3 { font-size: .95rem; line-height: 1.4; font-weight: 650; }
h4 { font-size: .85rem; line-height: 1.4; font-weight: 600; color: var(--muted); }
a { color: var(--accent); text-underline-offset: .15em; }
code, kbd, pre { font: .92em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
svg { width: 1.05rem; height: 1.05rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus, h2:focus { outline: none; }
time { font-variant-numeric: tabular-nums; }
.muted { color: var(--muted); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; z-index: 3; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem .75rem; background: var(--card); border-radius: .5rem; }
.alone { max-width: 36rem; margin: 20vh auto 0; padding: 0 1rem; }

.shell { display: grid; grid-template: "bar" auto "main" minmax(0, 1fr) "nav" auto / minmax(0, 1fr); height: 100%; }
.bar { grid-area: bar; display: flex; gap: .4rem .75rem; align-items: center; min-width: 0; padding: .5rem .75rem; background: var(--card); border-bottom: 1px solid var(--line); }
.bar h1 { flex: none; }
nav { grid-area: nav; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); padding: .25rem; background: var(--card); border-top: 1px solid var(--line); }
nav a { display: grid; justify-items: center; gap: .1rem; padding: .35rem 0; border-radius: .5rem; color: var(--muted); font-size: .7rem; text-decoration: none; }
nav a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
nav a:hover { color: var(--text); }
main { grid-area: main; min-width: 0; min-height: 0; }
.page { height: 100%; padding: 1rem; overflow: auto; }
.page > * { max-width: 60rem; }
.page > * + * { margin-top: 1rem; }

.pane { display: grid; height: 100%; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
.pane-list { display: flex; flex-direction: column; min-width: 0; container-type: inline-size; background: var(--card); }
.pane-detail { min-width: 0; padding: 1rem; overflow: auto; }
.pane-detail > * { max-width: 60rem; }
.pane-detail > * + * { margin-top: 1rem; }
.pane.opened > .pane-list { display: none; }
.list-head { display: grid; gap: .6rem; padding: .9rem 1rem .75rem; border-bottom: 1px solid var(--line); }
.list-title { display: flex; gap: .6rem; align-items: center; min-height: 2rem; }
.list-title > button { margin-left: auto; }
.count { padding: .05rem .5rem; border-radius: 1rem; background: var(--soft); color: var(--muted); font-size: .85rem; font-variant-numeric: tabular-nums; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; }
.filters select { flex: 1 1 8rem; min-width: 0; }
.search { position: relative; flex: 4 1 14rem; color: var(--muted); }
.search svg { position: absolute; left: .65rem; top: .6rem; }
.search input { width: 100%; padding-left: 2.2rem; }
.rows { flex: 1; min-height: 0; overflow: auto; }
.rows > [role="list"] { background: repeating-linear-gradient(var(--card) 0 .15rem, var(--soft) .15rem 3.55rem, var(--card) 3.55rem calc(3.75rem - 1px), var(--line) calc(3.75rem - 1px) 3.75rem); }
.row-place { position: absolute; left: 0; right: 0; padding: 0 .4rem; border-bottom: 1px solid var(--line); background: var(--card); }
.row { display: grid; grid-template: "main state" 1fr "more time" 1fr / minmax(0, 1fr) auto; gap: 0 .75rem; align-items: center; height: calc(100% - .3rem); margin: .15rem 0; padding: .15rem .6rem; border-radius: .5rem; color: inherit; text-decoration: none; }
.row:hover { background: var(--soft); }
.row[aria-current] { background: var(--accent-soft); }
.row:focus-visible { outline-offset: -2px; }
.row-main, .row-more { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .row-main { grid-area: main; font-weight: 550; }
.row .row-state { grid-area: state; justify-self: end; }
.row .row-more { grid-area: more; color: var(--muted); font-size: .85rem; }
.row .row-time { grid-area: time; justify-self: end; }
.row-time { color: var(--muted); font-size: .85rem; white-space: nowrap; }
.row.loading { background: var(--soft); opacity: .6; }
.method { color: var(--muted); font-weight: 400; }
@container (min-width: 46rem) {
  .row { grid-template: "main more state time" 1fr / minmax(0, 5fr) minmax(0, 4fr) 11rem 13rem; }
  .row .row-state { justify-self: start; }
}
.empty { max-width: 30rem; margin: 12vh auto 0; padding: 1rem; text-align: center; color: var(--muted); }
.empty-title { margin-bottom: .3rem; color: var(--text); font-size: 1.05rem; font-weight: 600; }

button, .button, select, input, textarea { min-height: 2.25rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
button, .button { display: inline-flex; gap: .4rem; align-items: center; justify-content: center; padding: .3rem .8rem; font-weight: 550; line-height: 1.2; text-decoration: none; white-space: nowrap; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent); }
select, input, textarea { min-width: 0; padding: .3rem .6rem; font-weight: 400; border-color: color-mix(in srgb, var(--muted) 55%, var(--line)); }
textarea { width: 100%; resize: vertical; font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:is(input, textarea)::placeholder { color: var(--muted); opacity: 1; }
input[aria-invalid="true"] { border-color: var(--bad); }
input[type="checkbox"], input[type="radio"] { min-height: 0; accent-color: var(--accent); }
::file-selector-button { margin-right: .6rem; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: var(--text); font: inherit; }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.danger { border-color: var(--bad); background: var(--bad); color: var(--card); }
.small-button { min-height: 2rem; padding: .2rem .6rem; font-size: .875rem; }
.icon { min-height: 2rem; min-width: 2rem; padding: .2rem; border-color: transparent; background: none; color: var(--muted); }
.icon:hover { color: var(--text); }
[aria-disabled="true"] { opacity: .6; cursor: progress; }
.pill { display: inline-block; max-width: 100%; padding: .08rem .5rem; overflow: hidden; border-radius: 1rem; background: var(--soft); color: var(--muted); font-size: .8rem; font-weight: 550; line-height: 1.45; text-overflow: ellipsis; vertical-align: middle; white-space: nowrap; }
.wait { --tone: var(--wait); --tone-soft: var(--wait-soft); }
.work { --tone: var(--accent); --tone-soft: var(--accent-soft); }
.good { --tone: var(--good); --tone-soft: var(--good-soft); }
.bad { --tone: var(--bad); --tone-soft: var(--bad-soft); }
.quiet { --tone: var(--muted); --tone-soft: var(--soft); }
.pill.quiet { box-shadow: inset 0 0 0 1px var(--line); }
.pill:is(.wait, .work, .good, .bad) { background: var(--tone-soft); color: var(--tone); }

.notices { position: fixed; right: 1rem; bottom: 4.75rem; left: 1rem; z-index: 4; display: grid; justify-items: end; pointer-events: none; }
.notice { display: flex; gap: .6rem; align-items: start; max-width: 30rem; padding: .5rem .4rem .5rem .9rem; border: 1px solid var(--tone); border-radius: .75rem; background: var(--card); box-shadow: 0 .5rem 2rem rgb(0 0 0 / .18); pointer-events: auto; }
.notice > svg { margin-top: .3rem; color: var(--tone); }
.notice p { padding: .25rem 0; overflow-wrap: anywhere; }
dialog { width: min(30rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: var(--text); box-shadow: 0 1rem 4rem rgb(0 0 0 / .3); }
dialog > .section-head { margin: -.25rem 0 .75rem; }
dialog::backdrop { background: rgb(10 14 20 / .45); }
.check { display: flex; gap: .5rem; align-items: center; margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.check input { width: 1.1rem; height: 1.1rem; }

@media (min-width: 60rem) {
  .shell { grid-template: "bar bar" auto "nav main" minmax(0, 1fr) / 11.5rem minmax(0, 1fr); }
  .bar { padding: .55rem 1.1rem; }
  nav { display: flex; flex-direction: column; gap: .15rem; padding: .75rem .6rem; border-top: 0; border-right: 1px solid var(--line); }
  nav a { display: flex; gap: .65rem; align-items: center; padding: .45rem .7rem; font-size: .9375rem; }
  .page, .pane-detail { padding: 1.5rem; }
  .notices { right: 1.5rem; bottom: 1.5rem; }
  .pane.opened { grid-template-columns: minmax(19rem, 25rem) minmax(0, 1fr); }
  .pane.opened > .pane-list { display: flex; border-right: 1px solid var(--line); }
}
@media (min-width: 60rem) and (max-width: 70rem) {
  .pane.opened { grid-template-columns: 18rem minmax(0, 1fr); }
}
${DETAIL_STYLE}
@media (forced-colors: active) { .card, .pill, .row[aria-current], nav a[aria-current] { border: 1px solid CanvasText; } }
`;
