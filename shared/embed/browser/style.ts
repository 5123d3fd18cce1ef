/**
 * The stylesheet of the component. The page can set the custom properties and style the parts. The styles use only logical directions, so
 * the component works in a page that runs from right to left. The colours follow `color-scheme` of the page.
 */
export const STYLE = `
:host {
  display: block;
  --text: var(--nameplate-text, #181b20);
  --muted: var(--nameplate-muted, #565e6b);
  --card: var(--nameplate-card, #fff);
  --soft: var(--nameplate-soft, #f2f4f7);
  --line: var(--nameplate-line, #dde1e7);
  --accent: var(--nameplate-accent, #1f4fd1);
  --on-accent: var(--nameplate-on-accent, #fff);
  --good: var(--nameplate-good, #0b7040);
  --bad: var(--nameplate-bad, #b02a1c);
  --wait: var(--nameplate-wait, #84560a);
  color: var(--text);
  font: var(--nameplate-font, 1rem/1.5 system-ui, sans-serif);
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --text: var(--nameplate-text, light-dark(#181b20, #e9ebee));
    --muted: var(--nameplate-muted, light-dark(#565e6b, #a6afbd));
    --card: var(--nameplate-card, light-dark(#fff, #191d23));
    --soft: var(--nameplate-soft, light-dark(#f2f4f7, #22272f));
    --line: var(--nameplate-line, light-dark(#dde1e7, #323944));
    --accent: var(--nameplate-accent, light-dark(#1f4fd1, #9db8ff));
    --on-accent: var(--nameplate-on-accent, light-dark(#fff, #0d1530));
    --good: var(--nameplate-good, light-dark(#0b7040, #6bd69a));
    --bad: var(--nameplate-bad, light-dark(#b02a1c, #ff9c92));
    --wait: var(--nameplate-wait, light-dark(#84560a, #f0c36a));
  }
}
:host([hidden]), [hidden] { display: none; }
* { box-sizing: border-box; }
.body { display: grid; gap: 1rem; text-align: start; overflow-wrap: anywhere; }
h2, h3, h4, p, dl, dd, ol { margin: 0; }
h2 { font-size: 1.35em; line-height: 1.3; }
h3 { font-size: 1.1em; }
h4 { font-size: 1em; }
header, footer, .card, .inset { display: grid; gap: .6rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--nameplate-radius, .6rem); padding: 1rem; justify-items: start; }
.card > *, details > *, .inset > * { max-inline-size: 100%; }
.inset, .steps, dl, details { inline-size: 100%; }
.inset { background: var(--soft); border-radius: .4rem; padding: .75rem; border-inline-start: 3px solid transparent; }
.good { --tone: var(--good); } .bad { --tone: var(--bad); } .fix, .waiting { --tone: var(--wait); }
.working { --tone: var(--accent); } .quiet { --tone: var(--muted); }
.inset.fix, .inset.bad { border-color: var(--tone); }
.card.good, .card.bad, .card.fix, .card.waiting, .card.working { border-block-start: 3px solid var(--tone); }
.headline { display: flex; gap: .6rem; align-items: center; }
.sign { flex: none; inline-size: 1.6em; block-size: 1.6em; border: 2px solid var(--tone); border-radius: 50%; color: var(--tone); display: grid; place-items: center; font-weight: 700; line-height: 1; }
.small, .offline { color: var(--muted); font-size: .875em; }
.offline { color: var(--wait); margin-block-start: .75rem; }
.steps { list-style: none; padding: 0; margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .75rem; }
.steps li { display: grid; border-block-start: 3px solid var(--line); padding-block-start: .4rem; }
.steps .done { border-color: var(--good); } .steps .now { border-color: var(--accent); }
.steps .later b { color: var(--muted); }
dl { display: grid; gap: .6rem; }
dt { color: var(--muted); font-size: .875em; }
dd { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; }
dd p { flex-basis: 100%; }
code { font: .9375em ui-monospace, monospace; unicode-bidi: isolate; user-select: all; }
del { color: var(--bad); }
button, select, .primary, .secondary { font: inherit; min-block-size: 2.25em; padding: .3em .9em; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: var(--text); }
button { cursor: pointer; }
button[aria-disabled] { opacity: .6; }
.primary, .secondary { display: inline-block; text-decoration: none; font-weight: 600; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.secondary, .link { color: var(--accent); }
summary { cursor: pointer; color: var(--accent); font-weight: 600; }
details > * + * { margin-block-start: .6rem; }
.notice:empty { display: none; }
ol { padding-inline-start: 1.4em; display: grid; gap: .3rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.headline:focus { outline: none; }
.hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .card, .inset, button, select, .primary, .secondary { border: 1px solid; } }
`;
