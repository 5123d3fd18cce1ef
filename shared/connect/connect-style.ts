import { ICON_STYLE } from '../core/look/base-style.ts';
import { TOKENS } from '../core/look/tokens.ts';

/** The stylesheet of the customer's pages, for phones first, with a light and a dark theme, and rules for print. */
export const CONNECT_STYLE = `${TOKENS}${ICON_STYLE}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: .75rem .75rem 4rem; overflow-wrap: anywhere; }
h1, h2, h3, p, ol, dl, dd { margin: 0; }
h1 { font-size: clamp(1.25rem, .9rem + 2.4vw, 2.25rem); line-height: 1.2; letter-spacing: -.015em; font-weight: 680; }
h2 { font-size: 1.1rem; line-height: 1.35; font-weight: 650; }
h3 { font-size: 1rem; line-height: 1.4; font-weight: 650; }
a { color: var(--accent); text-underline-offset: .15em; }
code { font: .95em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.small { color: var(--muted); font-size: .9rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; z-index: 1; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem .75rem; background: var(--card); border-radius: .5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h2:focus, main:focus { outline: none; }

.head { padding: 0 .25rem .75rem; }
.head p { color: var(--muted); }
.head strong { color: var(--text); font-weight: 600; }
.head h1 + p { margin-top: .25rem; }
.test { margin-bottom: 1rem; padding: .6rem .9rem; border: 1px dashed var(--wait); border-radius: .75rem; color: var(--wait); background: var(--wait-soft); font-size: .95rem; }
.card { margin-bottom: .75rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.card > * + *, .finding > * + * { margin-top: .6rem; }

.status, .checks-card { --tone: var(--muted); --tone-soft: var(--soft); }
:is(.waiting, .fix) { --tone: var(--wait); --tone-soft: var(--wait-soft); }
.working { --tone: var(--accent); --tone-soft: var(--accent-soft); }
.good { --tone: var(--good); --tone-soft: var(--good-soft); }
.bad { --tone: var(--bad); --tone-soft: var(--bad-soft); }
.status .top { display: grid; grid-template-columns: auto 1fr; gap: .25rem .9rem; align-items: center; }
.sign { display: grid; place-items: center; width: 2rem; height: 2rem; border-radius: 50%; color: var(--tone); background: var(--tone-soft); }
.sign svg { width: 1.35rem; height: 1.35rem; }
.status .top :is(h1, h2) { font-size: 1.1rem; }
.status .top p:last-child { grid-column: 1 / -1; margin-top: .4rem; }
.status .top .why:last-child { grid-column: 2; margin: 0; color: var(--tone); }
svg { width: 1.1rem; height: 1.1rem; }

.steps { display: grid; grid-template-columns: repeat(4, 1fr); gap: .25rem; padding: 0; list-style: none; }
.steps li { position: relative; color: var(--muted); }
.steps li::before { content: ""; position: absolute; left: 2rem; right: -.25rem; top: .8125rem; height: .125rem; background: var(--line); }
.steps li:last-child::before { display: none; }
.dot { position: relative; display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border: 2px solid var(--line); border-radius: 50%; font-size: .85rem; font-weight: 600; }
.steps b { display: block; margin-top: .25rem; color: var(--muted); font-size: .72rem; font-weight: 600; line-height: 1.25; letter-spacing: -.02em; }
.steps .small { display: none; }
.steps .done .dot { border-color: var(--good); background: var(--good); color: var(--card); }
.steps .done::before { background: var(--good); }
.steps .done b, .steps .now b { color: var(--text); }
.steps .now .dot { border-color: var(--tone); color: var(--tone); background: var(--tone-soft); }
:is(.waiting, .working) .now .dot::after { content: ""; position: absolute; inset: -2px; border: 2px solid var(--tone); border-radius: 50%; opacity: 0; pointer-events: none; animation: pulse 2.4s ease-out infinite; }
:is(.unseen, .unwatched) .now .dot::after { animation-play-state: paused; }
@keyframes pulse { 0% { opacity: .6; transform: scale(1); } 70%, 100% { opacity: 0; transform: scale(1.6); } }

.checks { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; }
button, .button { display: inline-flex; gap: .45rem; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: var(--text); font: inherit; font-weight: 550; line-height: 1.2; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.checks b { color: var(--text); }
.primary:hover { filter: brightness(1.08); }
[aria-disabled="true"] { opacity: .65; cursor: default; }
.notice { padding: .6rem .9rem; border-radius: .6rem; color: var(--tone); background: var(--tone-soft); }

.finding { padding: .75rem; border: 1px solid var(--tone, var(--line)); border-radius: .75rem; background: var(--tone-soft, var(--soft)); }
.finding h3 { display: flex; gap: .5rem; align-items: start; color: var(--tone, var(--text)); }
.finding .record { background: var(--card); }
del { color: var(--muted); }
.finding h3 svg { margin-top: .15rem; }
.compare { display: grid; gap: .5rem; }
.compare > div { padding: .5rem .75rem; border-radius: .5rem; background: var(--card); }
.compare dt { color: var(--muted); font-size: .85rem; }
.todo b { display: block; }

.way { padding: 0; list-style: none; counter-reset: way; }
.way > li { position: relative; padding: .3rem 0 .3rem 2.25rem; counter-increment: way; }
.way > li::before { content: counter(way); position: absolute; left: 0; top: .3rem; display: grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--soft); color: var(--muted); font-size: .85rem; font-weight: 600; }
.record { padding: .1rem .75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--soft); }
.record :is(h3, h4) { margin: 0; font-size: .9rem; line-height: 1.4; font-weight: 650; padding: .6rem 0 .35rem; color: var(--muted); }
.field { padding: .4rem 0; border-top: 1px solid var(--line); }
.record .field:first-child, .compare .field { border-top: 0; }
.field dt { color: var(--muted); font-size: .85rem; }
.field dd { display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: center; }
.field dd > code { flex: 1 1 auto; max-width: 100%; }
.field dd > .small { flex-basis: 100%; margin-top: -.2rem; }
code { user-select: all; -webkit-user-select: all; }
.copy { display: none; min-height: 2.5rem; min-width: 6.4rem; padding: .35rem .8rem; font-size: .95rem; }
.scripted .copy { display: inline-flex; }
.scripted .unscripted { display: none; }
.copied { border-color: var(--good); color: var(--good); }
.caution { display: flex; gap: .6rem; padding: .7rem .9rem; border-radius: .6rem; background: var(--wait-soft); color: var(--text); }
.caution svg { margin-top: .2rem; color: var(--wait); }
.oneclick { display: grid; gap: .75rem; padding: 1rem; border-radius: .75rem; background: var(--accent-soft); }
details > summary { display: flex; gap: .5rem; align-items: center; min-height: 2rem; font-weight: 600; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary svg { transition: rotate .15s; color: var(--muted); }
details[open] > summary svg { rotate: 90deg; }
.card:has(> details) { padding-block: .85rem; }
details > .inside { margin-top: .75rem; display: grid; gap: .75rem; }
.list { display: grid; gap: .75rem; }

label { display: block; font-weight: 550; }
input, select { width: 100%; min-height: 2.75rem; margin-top: .3rem; padding: .5rem .75rem; border: 1px solid var(--muted); border-radius: .6rem; background: var(--card); color: var(--text); font: inherit; }
input[aria-invalid="true"] { border-color: var(--bad); }
.row { display: grid; gap: .6rem; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; }
.offline { padding: .6rem .9rem; border-radius: .6rem; background: var(--wait-soft); color: var(--wait); }
.foot { padding: .5rem .25rem; color: var(--muted); font-size: .9rem; }
.foot p + p { margin-top: .4rem; }
.look-alike { margin-top: .5rem; padding: .6rem .9rem; border-radius: .6rem; background: var(--wait-soft); }
.head .look-alike { color: var(--wait); }
.languages ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: .5rem .25rem; list-style: none; font-size: .9rem; }
.languages a { display: inline-block; padding: .35rem 0; }
.languages [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.brand { display: flex; gap: .5rem; align-items: center; }
.brand img { flex: none; width: auto; max-width: 8rem; height: 1.5rem; object-fit: contain; }
.brand-links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
[hidden] { display: none; }

@media (min-width: 40rem) {
  main { padding-top: 1.5rem; }
  .card { margin-bottom: 1rem; padding: 1.25rem 1.5rem; }
  .card:has(> details) { padding-block: 1rem; }
  h2 { font-size: 1.2rem; }
  .status .top { grid-template-columns: 2.5rem 1fr; }
  .sign { width: 2.5rem; height: 2.5rem; }
  .steps { gap: 1rem; }
  .steps b { margin-top: .4rem; font-size: 1rem; letter-spacing: normal; }
  .steps .small { display: block; }
  .compare { grid-template-columns: 1fr 1fr; }
  .compare > div:only-child { grid-column: 1 / -1; }
  .record .field { display: grid; grid-template-columns: 6.5rem 1fr; gap: .75rem; align-items: baseline; }
  .row { grid-template-columns: 1fr auto; align-items: end; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
@media (forced-colors: active) { .dot, .card, .finding { border: 2px solid CanvasText; } }
@media print {
  :root { color-scheme: light; }
  body { background: #fff; color: #000; }
  main { max-width: none; padding: 0; }
  .card, .finding, .record { break-inside: avoid; border-color: #999; }
  form, .unscripted, .copy, .scripted .copy, .skip, .offline, .actions, #notify { display: none; }
  .way a::after { content: " (" attr(href) ")"; }
}
`;
