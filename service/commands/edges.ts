import { timestamp } from '../../shared/core/instant.ts';
import type { Context } from '../../shared/operations/context.ts';
import {
  drainEdge,
  type EdgeNode,
  listEdgeNodes,
  undrainEdge,
} from '../../shared/operations/edge/edge-nodes.ts';
import type { CommandCall, ServiceCommand } from '../command.ts';
import { CommandError } from './operator/command-error.ts';
import { documentFields, documentRows } from './operator/document-view.ts';
import { commandName } from './operator/next-commands.ts';
import { asOperator } from './operator/operator.ts';

const NODE = [{ name: 'node', description: 'The name of the machine, as service edges list shows it' }];

const ADDRESSES_NEEDED = 'Set NAMEPLATE_EDGE_ADDRESSES on each edge machine, so that it sends heartbeats.';

export const edgesList: ServiceCommand = {
  description:
    'Lists the edge machines that have sent a heartbeat or have a drain. A machine is serving, not ready, silent for 5 seconds or longer, draining, or drained. A machine sends heartbeats if NAMEPLATE_EDGE_ADDRESSES is set on it.',
  examples: ['service edges list', 'service edges list --json'],
  async run(call) {
    const data = (await asOperator(call, ({ context }) => listEdgeNodes(context))).map(documentOf);
    const shown = data.map((each) => ({
      ...each,
      addresses: each.addresses.join(' '),
      state: each.state.replace('_', ' '),
      heard: each.heard_s === null ? null : `${each.heard_s} s ago`,
    }));
    return {
      document: { data },
      view: {
        columns: ['node', 'region', 'addresses', 'state', 'heard'],
        rows: documentRows(shown, ['node', 'region', 'addresses', 'state', 'heard']),
        none: `No edge machine has sent a heartbeat. ${ADDRESSES_NEEDED}`,
      },
    };
  },
};

export const edgesDrain: ServiceCommand = {
  description:
    'Takes an edge machine out of service. Name servers leave its addresses out of their answers at once. The machine serves visitors until resolvers have forgotten its addresses, then closes its listeners. The drain survives restarts, until service edges undrain ends it.',
  examples: ['service edges drain fra-1', 'service edges drain fra-1 --force'],
  args: NODE,
  flags: { force: { summary: 'Drain the machine even if no other machine serves visitors', kind: 'switch' } },
  run: (call) =>
    change(call, drainEdge, (nodes, name) => {
      if (
        call.flags['force'] === true ||
        nodes.some(({ node, state }) => node !== name && state === 'serving')
      )
        return;
      throw new CommandError(
        'usage',
        `No edge machine other than ${name} serves visitors.`,
        'Start or undrain another one first. To drain this one anyway, add --force. Visitors then get no response.',
      );
    }),
};

export const edgesUndrain: ServiceCommand = {
  description:
    'Puts a drained edge machine back into service. The machine opens its listeners, and name servers answer with its addresses as soon as it serves.',
  examples: ['service edges undrain fra-1'],
  args: NODE,
  async run(call) {
    const { document, view } = await change(call, undrainEdge, () => undefined);
    return {
      document,
      // The machine has not sent a heartbeat since the drain ended, so its state is old.
      view: { fields: view.fields.filter(([name]) => name !== 'state') },
      after: [
        `The drain of ${call.args['node']} has ended. To see when the machine serves, run: ${commandName(call.env)} service edges list`,
      ],
    };
  },
};

/** Changes the drain of a known node. @param check throws if the change must not be made. */
async function change(
  call: CommandCall,
  apply: (context: Context, actor: string, node: string) => Promise<void>,
  check: (nodes: readonly EdgeNode[], name: string) => void,
): Promise<{ document: unknown; view: { fields: [name: string, value: unknown][] } }> {
  const name = call.args['node'] ?? '';
  const nodes = await asOperator(call, async ({ context, actor }) => {
    const known = await listEdgeNodes(context);
    if (!known.some(({ node }) => node === name)) throw unknownNode(name, known);
    check(known, name);
    await apply(context, actor, name);
    return listEdgeNodes(context);
  });
  const document = nodes.map(documentOf).find(({ node }) => node === name);
  return {
    document,
    view: { fields: document ? documentFields(document, ['node', 'region', 'state']) : [] },
  };
}

function unknownNode(name: string, known: readonly EdgeNode[]): CommandError {
  const names = known.map(({ node }) => node).join(', ');
  return new CommandError(
    'not_found',
    `No edge machine named "${name}" has sent a heartbeat.`,
    names === '' ? ADDRESSES_NEEDED : `Use one of these names: ${names}.`,
  );
}

function documentOf({ node, beat, state, drain }: EdgeNode) {
  return {
    node,
    region: beat?.region ?? null,
    addresses: beat?.addresses ?? [],
    state,
    /** Seconds since the last heartbeat. */
    heard_s: beat && Math.round(beat.heard_ms / 1000),
    drained_at: drain && timestamp(drain.drained_at),
    drained_by: drain?.actor ?? null,
  };
}
