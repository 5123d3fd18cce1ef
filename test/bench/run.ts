import { getDomain } from './api/get-domain.bench.ts';
import { listsAtScale } from './api/lists-at-scale.bench.ts';
import { serviceCreateDomain } from './api/service-create-domain.bench.ts';
import { emulatorReady } from './cli/emulator-ready.bench.ts';
import { eventView } from './cli/event-view.bench.ts';
import { peerCommands } from './cli/peer-commands.bench.ts';
import { plainCommand } from './cli/plain-command.bench.ts';
import { sampleApp } from './cli/sample-app.bench.ts';
import { dashboardList } from './dashboard/dashboard-list.bench.ts';
import { orderedDeliveries } from './deliveries/ordered-deliveries.bench.ts';
import { serviceClaimCost } from './deliveries/service-claim-cost.bench.ts';
import { serviceOrderedDeliveries } from './deliveries/service-ordered-deliveries.bench.ts';
import { dnsChecks } from './dns/dns-checks.bench.ts';
import { dnsQueries } from './dns/dns-queries.bench.ts';
import { edgeAttacks } from './edge/edge-attacks.bench.ts';
import { edgeCounting } from './edge/edge-counting.bench.ts';
import { edgeDistribution } from './edge/edge-distribution.bench.ts';
import { edgeHandshakes } from './edge/edge-handshakes.bench.ts';
import { edgeMemory } from './edge/edge-memory.bench.ts';
import { edgeRequests } from './edge/edge-requests.bench.ts';
import { edgeStart } from './edge/edge-start.bench.ts';
import { million } from './million/million.bench.ts';
import { millionMixed } from './million/mixed.ts';
import { connectComponent } from './pages/connect-component.bench.ts';
import { docsSearch } from './pages/docs-search.bench.ts';
import { lighthouse } from './pages/lighthouse.bench.ts';
import { type BenchRow, printReport } from './report.ts';

/**
 * `npm run bench`, or `npm run bench -- get-domain`, prints measurements. It fails if a measurement was not possible, or if
 * `lists-at-scale` or `lighthouse` misses a target. `--full` measures more and is slower. `--profile` also prints where `service-create-domain` and
 * `service-ordered-deliveries` spend their CPU time.
 */
const BENCHES: Record<string, () => Promise<BenchRow[]>> = {
  'dns-checks': dnsChecks,
  'dns-queries': dnsQueries,
  'emulator-ready': emulatorReady,
  'plain-command': plainCommand,
  'peer-commands': peerCommands,
  'sample-app': sampleApp,
  'event-view': eventView,
  'get-domain': getDomain,
  'lists-at-scale': listsAtScale,
  'dashboard-list': dashboardList,
  'ordered-deliveries': orderedDeliveries,
  'service-ordered-deliveries': serviceOrderedDeliveries,
  'service-create-domain': serviceCreateDomain,
  'service-claim-cost': serviceClaimCost,
  million,
  'million-mixed': millionMixed,
  'edge-requests': edgeRequests,
  'edge-counting': edgeCounting,
  'edge-handshakes': edgeHandshakes,
  'edge-memory': edgeMemory,
  'edge-attacks': edgeAttacks,
  'edge-start': edgeStart,
  'edge-distribution': edgeDistribution,
  'docs-search': docsSearch,
  'connect-component': connectComponent,
  lighthouse,
};

const named = process.argv.slice(2).filter((word) => !['--full', '--profile'].includes(word));
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
