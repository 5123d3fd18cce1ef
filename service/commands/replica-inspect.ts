import { existsSync } from 'node:fs';
import { systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createValueBox } from '../../shared/adapters/value-box.ts';
import { coveringHolds } from '../../shared/core/domains/hostname.ts';
import { decidingNames } from '../../shared/core/edge/edge-route.ts';
import { type EdgeKind, type EdgeValues, edgeKey, splitKey } from '../../shared/core/edge/edge-value.ts';
import { timestamp } from '../../shared/core/instant.ts';
import { createEdgeReader, type EdgeValueSource } from '../../shared/operations/edge/edge-reader.ts';
import type { ValueBox } from '../../shared/ports/system.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { openReplica, type Replica } from '../edge/replica/replica.ts';
import { replicaFile } from '../edge/replica/replica-file.ts';
import { edgeRingOf } from '../settings/key-rings.ts';
import { CommandError } from './operator/command-error.ts';

export const replicaInspect: ServiceCommand = {
  description:
    'Shows what the edge of this machine serves for a hostname, from its replica. Needs no database and prints no secret. Exits with 5 if the replica has no value for the hostname.',
  examples: ['service replica inspect careers.acme.com', 'service replica inspect careers.acme.com --json'],
  args: [{ name: 'hostname', description: 'The hostname of a domain, or its www. name' }],
  async run(call) {
    const hostname = call.args['hostname']?.toLowerCase() ?? '';
    const config = readConfig(call.env);
    const file = replicaFile(config.edgeReplica);
    if (!existsSync(file)) {
      throw new CommandError(
        'not_found',
        `There is no replica at ${file}.`,
        'Run this command on the machine of an edge, with the NAMEPLATE_EDGE_REPLICA or NAMEPLATE_DATA_DIR of that edge.',
      );
    }
    const replica = openReplica(config.edgeReplica);
    try {
      const box = createValueBox(edgeRingOf(config), systemRandom);
      const document = inspect(replica, box, hostname);
      const { certificate } = document;
      return {
        document,
        view: {
          fields: [
            ['hostname', hostname],
            ['route', document.route],
            ['origin', document.origin],
            ['redirects to', document.redirects_to],
            ['held by', document.held_by.join(', ') || null],
            ['domain', document.domain_id],
            ['app', document.app_id],
            ['certificate', certificate && `${certificate.serial} until ${certificate.not_after}`],
            ['up to date at', document.up_to_date_at],
          ],
        },
      };
    } finally {
      replica.close();
    }
  },
};

function inspect(replica: Replica, box: ValueBox, hostname: string) {
  const source = valuesOf(replica, box);
  const certificate = decidingNames(hostname)
    .map((name) => source.find('host', name)?.certificate ?? null)
    .find((each) => each?.names.includes(hostname));
  const found = createEdgeReader(source, systemClock).findRoute(hostname);
  const heldBy = coveringHolds(hostname).filter((name) => source.holds().has(name));
  if (found === null && certificate === undefined) {
    throw new CommandError(
      'not_found',
      `The replica has no value for ${hostname}.`,
      'The domain may have no certificate yet. A test domain is never in the replica. To check, run `nameplate service certificates show` with this hostname and the settings of a node with the role api or worker.',
    );
  }
  const route = found === null || found === 'held' ? null : found;
  const { at } = replica.lastBeat();
  return {
    hostname,
    route: route === null ? (found ?? 'none') : route.redirectTo === null ? 'forward' : 'redirect',
    origin: route?.origin?.kind === 'app' ? route.origin.url : (route?.origin?.kind ?? null),
    redirects_to: route?.redirectTo ?? null,
    held_by: heldBy,
    domain_id: route?.domain_id ?? null,
    app_id: route?.app_id ?? null,
    certificate: certificate
      ? { serial: certificate.serial, names: certificate.names, not_after: timestamp(certificate.not_after) }
      : null,
    up_to_date_at: at === 0 ? null : timestamp(at),
  };
}

/** Returns the values of a replica. @throws CommandError if a value cannot be opened. */
function valuesOf(replica: Replica, box: ValueBox) {
  const find = <K extends EdgeKind>(kind: K, name: string): EdgeValues[K] | null => {
    const sealed = replica.find(edgeKey(kind, name));
    try {
      return sealed && (box.open(sealed) as EdgeValues[K]);
    } catch (error) {
      throw new CommandError(
        'encryption_keys_unusable',
        `The value ${edgeKey(kind, name)} cannot be opened: ${error instanceof Error ? error.message : error}`,
        'Run this command with the NAMEPLATE_EDGE_KEYS or NAMEPLATE_ENCRYPTION_KEYS of the node. If the node itself logs this value, compare its keys with those of other nodes.',
        error,
      );
    }
  };
  return {
    find,
    certificateOf: (hostname: string) => find('host', hostname)?.certificate ?? null,
    holds: () => new Set(replica.keysOf('hold.').map((key) => splitKey(key)[1])),
  } satisfies EdgeValueSource;
}
