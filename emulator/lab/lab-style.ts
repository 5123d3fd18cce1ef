/** The lab's style sheet, which is added to the dashboard's. */
export const LAB_STYLE = `
.clock { display: flex; align-items: center; min-width: 0; border: var(--border); border-radius: var(--r-1); background: var(--card); color: var(--text); }
.clock > button { min-height: calc(var(--control) - 2px); border: 0; border-radius: 0; background: none; }
.clock > button:hover { background: var(--soft); }
.clock > button + button { border-left: var(--border); }
.clock time { white-space: nowrap; }
.clock small { color: var(--muted); font-size: var(--t-1); font-weight: var(--w-text); }
.connection { width: .5rem; height: .5rem; margin-left: .65rem; overflow: hidden; border-radius: 50%; background: var(--wait-fill); text-indent: 1rem; white-space: nowrap; }
.connection.live { background: var(--good-fill); }
.connection.lost { width: auto; height: auto; background: none; color: var(--bad); font-size: var(--t-2); font-weight: var(--w-strong); text-indent: 0; }
@media (max-width: 72rem) { .clock small { display: none; } }
@media (max-width: 22rem) { .head:has(.clock) > .mark-place { display: none; } }
@media (max-width: 60rem) { .clock .long { display: none; } .clock > button { padding: .25rem .55rem; } }

.chaos { display: grid; gap: 1.1rem; }
.share { display: flex; gap: .5rem; align-items: center; padding: .15rem 0; }
.share input { flex: none; width: 4.75rem; text-align: right; }
.steps button { flex: 1; padding-inline: .4rem; }
.clock-large { margin: .25rem 0 1rem; font-size: 1.6rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
.modes { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-bottom: 1rem; }
.modes legend { float: left; width: 100%; margin-bottom: .3rem; }
.modes label { display: flex; gap: .4rem; align-items: center; }
@media (max-width: 40rem) {
  .share-more { display: none; }
}
`;
