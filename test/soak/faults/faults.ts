import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { FaultNode } from './fault-nodes.ts';
import type { FaultWorld } from './fault-world.ts';

/** A fault that the test causes, with the report that the fault requires of a node. */
export interface Fault {
  name: string;
  /** Indexes of the nodes that cannot read changes during the fault. */
  blind: readonly number[];
  forMs: number;
  /** Causes the fault. @returns a function that ends the fault. */
  cause(world: FaultWorld): Promise<() => Promise<void> | void>;
  /**
   * The report that one node must give. `readyz`, `edge` and `port` (at the port for visitors) are statuses; null means no response.
   * `about` matches the node's reasons or logs. `never` is a response that no client may get.
   */
  says?: {
    node: number;
    readyz?: 200 | 503 | null;
    edge?: 200 | 503;
    port?: 200 | 503;
    about?: RegExp;
    never?: string;
  };
}

const [BUILT_IN, PROCESSES, NGINX, OUTSIDE] = [0, 1, 2, 3] as const;
const ALL = [BUILT_IN, PROCESSES, NGINX, OUTSIDE];

const node = ({ nodes }: FaultWorld, index: number): FaultNode => nodes[index] as FaultNode;

/** Returns the id of the process that `/readyz` of a node lists under a name. */
async function processOf(world: FaultWorld, index: number, name: string): Promise<number> {
  const { ready } = await node(world, index).health();
  const processes = (ready?.state['processes'] ?? []) as { name: string; pid: number }[];
  const found = processes.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no process ${name}`);
  return found.pid;
}

const kill =
  (index: number): Fault['cause'] =>
  async (world) => {
    await node(world, index).end('SIGKILL');
    return () => node(world, index).start();
  };

const freeze =
  (index: number, name?: string): Fault['cause'] =>
  async (world) => {
    const pid = name === undefined ? undefined : await processOf(world, index, name);
    node(world, index).signal('SIGSTOP', pid);
    return () => node(world, index).signal('SIGCONT', pid);
  };

const silence =
  (indexes: readonly number[]): Fault['cause'] =>
  async (world) => {
    for (const index of indexes) node(world, index).gate.isSilent = true;
    return () => {
      for (const index of indexes) node(world, index).gate.isSilent = false;
    };
  };

/** Opens connections to Postgres until the server refuses more. */
async function exhaustConnections(world: FaultWorld): Promise<() => Promise<void>> {
  const held: pg.Client[] = [];
  const connectionString = `${world.database().url}?application_name=${EXHAUSTING}`;
  const connect = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    );
    if (isOpen) held.push(client);
    return isOpen;
  };
  const refill = async () => {
    while (await connect());
    // Ends the nodes' connections, and opens connections of the test in their place.
    await held[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and application_name <> '${EXHAUSTING}'`);
    while (await connect());
  };
  await refill();
  const timer = setInterval(() => void refill(), 100);
  return async () => {
    clearInterval(timer);
    await Promise.all(held.map((client) => client.end().catch(() => undefined)));
  };
}

const EXHAUSTING = 'exhausting';

export const FAULTS: readonly Fault[] = [
  { name: 'kill -9 of the built-in node', blind: [BUILT_IN], forMs: 2_000, cause: kill(BUILT_IN) },
  {
    name: 'kill -9 of one edge process of two',
    blind: [],
    forMs: 4_000,
    async cause(world) {
      node(world, PROCESSES).signal('SIGKILL', await processOf(world, PROCESSES, 'edge-1'));
      return () => undefined;
    },
    says: { node: PROCESSES, readyz: 200, edge: 200 },
  },
  {
    name: 'kill -9 of the process that controls nginx',
    blind: [NGINX],
    forMs: 3_000,
    async cause(world) {
      const each = node(world, NGINX);
      const ended = each.end('SIGKILL');
      // nginx keeps running, so visits must still succeed.
      each.isUp = true;
      await ended;
      return () => each.start();
    },
  },
  { name: 'kill -9 of the outside edge', blind: [OUTSIDE], forMs: 2_000, cause: kill(OUTSIDE) },
  {
    name: 'kill -9 of the parent of two edge processes',
    blind: [PROCESSES],
    forMs: 3_000,
    cause: kill(PROCESSES),
  },
  {
    name: 'the outside edge cannot reach Postgres, and is killed and started again',
    blind: [OUTSIDE],
    forMs: 8_000,
    async cause(world) {
      node(world, OUTSIDE).gate.isSilent = true;
      await node(world, OUTSIDE).end('SIGKILL');
      await node(world, OUTSIDE).start();
      return () => {
        node(world, OUTSIDE).gate.isSilent = false;
      };
    },
    says: { node: OUTSIDE, edge: 200, port: 200 },
  },
  { name: 'the outside edge is frozen', blind: [OUTSIDE], forMs: 60_000, cause: freeze(OUTSIDE) },
  {
    name: 'the parent of two edge processes is frozen',
    blind: [PROCESSES],
    forMs: 8_000,
    cause: freeze(PROCESSES),
  },
  { name: 'the built-in node is frozen', blind: [BUILT_IN], forMs: 8_000, cause: freeze(BUILT_IN) },
  {
    name: 'one edge process of two is frozen',
    blind: [PROCESSES],
    forMs: 8_000,
    cause: freeze(PROCESSES, 'edge-1'),
    says: { node: PROCESSES, readyz: 200, about: /edge-1/ },
  },
  {
    name: 'the process that controls nginx is frozen',
    blind: [NGINX],
    forMs: 9_000,
    cause: freeze(NGINX),
    says: { node: NGINX, readyz: null, port: 503 },
  },
  {
    name: 'Postgres restarts',
    blind: ALL,
    forMs: 0,
    async cause({ database }) {
      await database().restart();
      return () => undefined;
    },
  },
  {
    name: 'the synchronous standby is away',
    blind: ALL,
    forMs: 15_000,
    async cause({ pair }) {
      pair.replication.isSilent = true;
      return () => {
        pair.replication.isSilent = false;
      };
    },
    says: {
      node: BUILT_IN,
      readyz: 503,
      edge: 200,
      about: /cannot commit: synchronous standby/,
      never: '429 rate_limited',
    },
  },
  {
    name: 'the built-in node cannot reach Postgres',
    blind: [BUILT_IN],
    forMs: 12_000,
    cause: silence([BUILT_IN]),
    says: { node: BUILT_IN, readyz: 503, edge: 200 },
  },
  {
    name: 'the node on nginx cannot reach Postgres',
    blind: [NGINX],
    forMs: 12_000,
    cause: silence([NGINX]),
    says: { node: NGINX, readyz: 503 },
  },
  {
    name: 'two nodes at once cannot reach Postgres',
    blind: [BUILT_IN, NGINX],
    forMs: 10_000,
    cause: silence([BUILT_IN, NGINX]),
    says: { node: PROCESSES, readyz: 200, edge: 200 },
  },
  {
    name: '100 ms between a node and Postgres',
    blind: [],
    forMs: 10_000,
    async cause(world) {
      node(world, PROCESSES).gate.latencyMs = 100;
      return () => {
        node(world, PROCESSES).gate.latencyMs = 0;
      };
    },
    says: { node: PROCESSES, edge: 200 },
  },
  {
    name: 'all connections of Postgres are used up, and those of the nodes are cut',
    blind: ALL,
    forMs: 12_000,
    cause: exhaustConnections,
    says: {
      node: BUILT_IN,
      readyz: 503,
      edge: 200,
      about: /cannot commit: connections/,
    },
  },
  {
    name: "the built-in node's machine has the wrong time",
    blind: [],
    forMs: 40_000,
    async cause(world) {
      node(world, BUILT_IN).signal('SIGUSR2');
      return () => node(world, BUILT_IN).signal('SIGUSR2');
    },
    says: { node: BUILT_IN, about: /clock|time of day/ },
  },
  {
    name: 'a clean stop of the built-in node, and its start',
    blind: [BUILT_IN],
    forMs: 0,
    async cause(world) {
      await node(world, BUILT_IN).end('SIGTERM');
      return () => node(world, BUILT_IN).start();
    },
  },
  {
    name: 'the built-in node is killed while the standby is away',
    blind: ALL,
    forMs: 8_000,
    async cause(world) {
      world.pair.replication.isSilent = true;
      await delay(1_000);
      await node(world, BUILT_IN).end('SIGKILL');
      return async () => {
        world.pair.replication.isSilent = false;
        await node(world, BUILT_IN).start();
      };
    },
  },
  {
    name: 'Postgres restarts while a node is frozen',
    blind: ALL,
    forMs: 6_000,
    async cause(world) {
      node(world, BUILT_IN).signal('SIGSTOP');
      await world.database().restart();
      return () => node(world, BUILT_IN).signal('SIGCONT');
    },
  },
];

/** This fault is the last, because afterwards there is no synchronous standby. */
export const PROMOTION: Fault = {
  name: 'the standby is promoted',
  blind: ALL,
  forMs: 0,
  async cause(world) {
    await world.promote();
    return () => undefined;
  },
};
