import { startPostgres15 } from '../deliveries/service-claim-cost-postgres-15.ts';
import type { BenchRow } from '../report.ts';
import { measureBatches } from './batches.ts';
import { measureClaims } from './claims.ts';
import { type Cost, UNITS_OF_COST } from './meter.ts';
import { measureOrders } from './orders.ts';
import { measureReads } from './reads.ts';
import { measureChecks, measureCreates, measureDeliveries } from './units.ts';
import { type Costs, measureFilled, type Part, SETTINGS } from './world.ts';

/** Number of domains in the largest database. A million domains take 8 GB of disk, so `MILLION_DOMAINS` can set a smaller number. */
const LARGE = Number(process.env['MILLION_DOMAINS'] ?? 1_000_000);
const SMALL = 10_000;
/** The factor by which a unit of work may cost more in the largest database or beside a backlog. */
const RATIO_MAX = 2;

/** The parts run in this order, because creates leave due work behind. */
const PARTS: Readonly<Record<string, Part>> = {
  reads: measureReads,
  claims: measureClaims,
  batches: measureBatches,
  checks: measureChecks,
  deliveries: measureDeliveries,
  orders: measureOrders,
  creates: measureCreates,
};

/** The maximum cost of a unit of work, for any size of the database. */
const GOALS: Readonly<Record<string, Partial<Cost>>> = {
  'routine check': { statements: 4, postgresMs: 0.6, nodeMs: 1.5, walBytes: 1_000 },
  'routine check, full pages after a checkpoint': { walBytes: 4_000 },
  'ordered delivery': { nodeMs: 0.085 },
  'certificate order, HTTP-01': { statements: 40, postgresMs: 10, nodeMs: 15, walBytes: 40_000 },
  'POST /v1/domains': { statements: 6, walBytes: 8_000 },
};

const BACKLOGS = ['claim of jobs', 'claim of lanes', 'claim of one lane', 'PATCH webhook_url: null'];

/**
 * Measures the cost of units of work in an empty database, with 10 000 domains and with a million, on Postgres 15. Prints all costs, then the
 * ratios of the largest database to the one with 10 000 domains. `MILLION_STATEMENTS=5` also prints the most expensive statements of each
 * measurement, with their calls, blocks and milliseconds for each unit.
 */
export async function million(): Promise<BenchRow[]> {
  const server = await startPostgres15(SETTINGS);
  if (server === null) {
    console.error('SKIPPED million: Postgres 15 is not installed (Debian: postgresql-15)');
    return [];
  }
  try {
    const measured = (domains: number) =>
      measureFilled(server.url, { domains, backlog: Math.round(LARGE / 4) }, PARTS);
    const empty = await measured(0);
    const small = await measured(SMALL);
    const large = await measured(LARGE);
    for (const [domains, costs] of [
      [0, empty],
      [SMALL, small],
      [LARGE, large],
    ] as const)
      printCosts(domains, costs);
    return [...ratios(large, small), ...besideBacklog(large), ...goals(large, small)];
  } finally {
    await server.stop();
  }
}

const FLAT = `flat: ${RATIO_MAX} times`;
const FLAT_COSTS = ['blocks', 'postgresMs'] as const;

/** Compares the largest database with the small one. */
function ratios(large: Costs, small: Costs): BenchRow[] {
  return Object.entries(large).flatMap(([name, cost]) => {
    const floor = small[name];
    return floor === undefined ? [] : flatRows(`${name}, ${LARGE} against ${SMALL}`, cost, floor);
  });
}

/** Compares work beside a backlog of the large app with the same work without a backlog. */
function besideBacklog(large: Costs): BenchRow[] {
  return BACKLOGS.flatMap((name) => {
    const [cost, floor] = [large[`${name} beside a backlog`], large[name]];
    return cost === undefined || floor === undefined
      ? []
      : flatRows(`${name} among ${LARGE}, beside a backlog`, cost, floor);
  });
}

function flatRows(name: string, cost: Cost, floor: Cost): BenchRow[] {
  return FLAT_COSTS.map((of) => ({
    name: `${name}: ${UNITS_OF_COST[of].name}`,
    unit: UNITS_OF_COST[of].unit,
    value: cost[of],
    floor: floor[of],
    target: { text: FLAT, isMet: cost[of] <= RATIO_MAX * floor[of] },
  }));
}

function goals(large: Costs, small: Costs): BenchRow[] {
  return Object.entries(GOALS).flatMap(([name, goal]) => {
    const [cost, floor] = [large[name], small[name]];
    if (cost === undefined || floor === undefined) return [];
    return (Object.entries(goal) as [keyof Cost, number][]).map(([of, max]) => {
      const { unit } = UNITS_OF_COST[of];
      const target = { text: `${max} ${unit}`.trim(), isMet: cost[of] <= max };
      return { name: `${name}: ${UNITS_OF_COST[of].name}`, unit, value: cost[of], floor: floor[of], target };
    });
  });
}

function printCosts(domains: number, costs: Costs): void {
  const columns = Object.entries(UNITS_OF_COST) as [keyof Cost, { name: string; unit: string }][];
  const heads = columns.map(([, { name, unit }]) => `${name}${unit === '' ? '' : `, ${unit}`}`.padStart(20));
  console.log(`\n${`${domains} domains`.padEnd(50)}${heads.join('')}`);
  for (const [name, cost] of Object.entries(costs)) {
    const cells = columns.map(([of]) => cost[of].toFixed(cost[of] < 100 ? 2 : 0).padStart(20));
    console.log(`${name.padEnd(50)}${cells.join('')}`);
  }
  console.log();
}
