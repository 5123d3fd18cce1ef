/** Styles of the charts of traffic. */
export const TRAFFIC_STYLE = `
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
