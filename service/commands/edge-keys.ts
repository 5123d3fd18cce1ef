import { reconcileAllEdgeValues } from '../../shared/operations/edge/reconcile-edge-values.ts';
import { withAudit } from '../../shared/operations/operator/with-audit.ts';
import { countEdgeKeys } from '../../shared/store/edge/edge-values.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { edgeRingOf, ringText } from '../settings/key-rings.ts';
import { asOperator } from './operator/operator.ts';

export const edgeKeysExport: ServiceCommand = {
  description:
    'Prints the keys of the edges as the setting NAMEPLATE_EDGE_KEYS, for machines that only run an edge. Run this command with the settings of a node that has NAMEPLATE_ENCRYPTION_KEYS. The output is secret, because the keys open the certificates and signing secrets of all customers.',
  examples: ['service edge-keys export', 'service edge-keys export --json'],
  async run(call) {
    const ring = edgeRingOf(readConfig(call.env));
    const setting = ringText(ring);
    return {
      document: { current: ring.current, NAMEPLATE_EDGE_KEYS: setting },
      view: { fields: [] },
      after: [`NAMEPLATE_EDGE_KEYS=${setting}`, '', 'Store this setting where you store passwords.'],
    };
  },
};

export const edgeKeysRotate: ServiceCommand = {
  description:
    'Seals the values of edges with the first key of NAMEPLATE_EDGE_KEYS, and counts the values under each key. First, put the new key first on every node with the role api or worker, as the guide describes. You can repeat this command at any time.',
  examples: ['service edge-keys rotate', 'service edge-keys rotate --json'],
  async run(call) {
    const { current } = edgeRingOf(readConfig(call.env));
    const document = await asOperator(call, async ({ context, actor }) => {
      const entry = { actor, action: 'edge_keys.rotate', subject: current, detail: {} } as const;
      await withAudit(context, entry, async () => undefined);
      const resealed = await reconcileAllEdgeValues(context);
      return { key_id: current, resealed, values: await countEdgeKeys(context.store) };
    });
    const { values, resealed } = document;
    const old = Object.keys(values).filter((id) => id !== current);
    return {
      document,
      view: {
        fields: [
          ['key', current],
          ['values sealed again', resealed],
          ...Object.entries(values).map(([id, count]): [string, unknown] => [`values under ${id}`, count]),
        ],
      },
      after:
        old.length === 0
          ? ['No value is under another key. Once every edge is up to date, you can remove the other keys.']
          : [
              `Keep ${old.join(', ')}. Run this command again once every node with the role api or worker has the new key first.`,
            ],
    };
  },
};
