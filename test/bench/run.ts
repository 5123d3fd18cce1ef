import { emulatorReady } from './emulator-ready.bench.ts';
import { getDomain } from './get-domain.bench.ts';
import { orderedDeliveries } from './ordered-deliveries.bench.ts';
import { plainCommand } from './plain-command.bench.ts';
import { type BenchRow, printReport } from './report.ts';

/** `npm run bench`, or `npm run bench -- get-domain`: prints what was measured; fails only where something could not be. */
const BENCHES: Record<string, () => Promise<BenchRow[]>> = {
  'emulator-ready': emulatorReady,
  'plain-command': plainCommand,
  'get-domain': getDomain,
  'ordered-deliveries': orderedDeliveries,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`No bench is named ${unknown.join(', ')}: ${Object.keys(BENCHES).join(', ')}`);

const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  try {
    rows.push(...(await bench()));
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}
printReport(rows);
