/** The lab's style sheet, which is added to the dashboard's. */
export const LAB_STYLE = `
.shell.dashboard { grid-template: "bar" auto "lab" auto "mode" auto "main" minmax(0, 1fr) "nav" auto / minmax(0, 1fr); }
.lab-bar { grid-area: lab; display: flex; gap: .4rem; align-items: center; min-width: 0; padding: .3rem .75rem; background: var(--card); border-bottom: 1px solid var(--line); }
.clock-bar { display: flex; gap: .4rem; align-items: center; min-width: 0; margin-left: auto; }
.clock { min-width: 0; }
.clock-time { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-variant-numeric: tabular-nums; }
.clock-short { display: none; white-space: nowrap; font-variant-numeric: tabular-nums; }
.clock .muted { white-space: nowrap; font-weight: 400; }
.connection { display: inline-flex; gap: .4rem; align-items: center; color: var(--muted); font-size: .85rem; white-space: nowrap; }
.connection::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--wait); }
.connection.live::before { background: var(--good); }
.connection.lost { color: var(--bad); }
.connection.lost::before { background: var(--bad); }
.keys > div { display: flex; gap: 1rem; padding: .3rem 0; }
.keys dt { flex: none; width: 9.5rem; color: var(--muted); }
kbd { display: inline-block; min-width: 1.6rem; margin: 0 .2rem .2rem 0; padding: 0 .4rem; border: 1px solid var(--line); border-radius: .35rem; background: var(--soft); color: var(--text); text-align: center; }
@media (max-width: 45rem) {
  .roomy, .clock .muted, .clock-time { display: none; }
  .clock-short { display: inline; }
  .lab-bar { padding-inline: .6rem; }
}
@media (max-width: 26rem) {
  .connection { flex: none; gap: 0; width: .5rem; overflow: hidden; font-size: 0; }
  .clock svg { display: none; }
  .keys dt { width: 6.5rem; }
  .clock { padding-inline: .5rem; font-size: .85rem; }
}
@media (min-width: 60rem) {
  .shell.dashboard { grid-template: "bar bar" auto "lab lab" auto "mode mode" auto "nav main" minmax(0, 1fr) / 11.5rem minmax(0, 1fr); }
  .lab-bar { padding-inline: 1.1rem; }
  nav > a[href$="/emulator"] { margin-top: 1rem; }
}

.keys-of-app > li { display: grid; grid-template-columns: 3rem minmax(6rem, 11rem) minmax(0, 1fr); gap: .25rem .75rem; align-items: center; padding: .4rem 0; }
.keys-of-app .pill { justify-self: start; }
.chaos { display: grid; gap: 1.1rem; }
.share { display: flex; gap: .5rem; align-items: center; padding: .15rem 0; }
.share input { flex: none; width: 4.75rem; text-align: right; }
.steps button { flex: 1; padding-inline: .4rem; }
.clock-large { margin: .25rem 0 1rem; font-size: 1.6rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
.modes { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-bottom: 1rem; }
.modes legend { float: left; width: 100%; margin-bottom: .3rem; }
.modes label { display: flex; gap: .4rem; align-items: center; }
@media (max-width: 40rem) {
  .keys-of-app > li { grid-template-columns: 3rem minmax(0, 1fr); }
  .keys-of-app > li > :last-child { grid-column: 1 / -1; }
  .share-more { display: none; }
}
`;
