import { existsSync } from 'node:fs';
import { systemRandom } from '../../shared/adapters/system.ts';
import { createValueBox } from '../../shared/adapters/value-box.ts';
import { coveringHolds } from '../../shared/core/domains/hostname.ts';
import { type EdgeKind, type EdgeValues, edgeKey } from '../../shared/core/edge/edge-value.ts';
import { timestamp } from '../../shared/core/instant.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { openReplica } from '../edge/replica/replica.ts';
import { replicaFile } from '../edge/replica/replica-file.ts';
import { keyRings } from '../settings/key-rings.ts';
import { CommandError } from './operator/command-error.ts';

export const replicaInspect: ServiceCommand = {
  description:
    'Shows what the edge of this machine serves for a hostname, from its replica. Needs no database and prints no secret. Exits with 5 if the replica has no value for the hostname.',
  examples: ['service replica inspect careers.acme.com', 'service replica inspect careers.acme.com --json'],
  args: [{ name: 'hostname', description: 'The hostname of a domain' }],
  async run(call) {
    const hostname = call.args['hostname']?.toLowerCase() ?? '';
    const config = readConfig(call.env);
    const file = replicaFile(config.edgeReplica);
    if (!existsSync(file)) {
      throw new CommandError(
        'not_found',
        `There is no replica at ${file}.`,
        'Run this on the machine of an edge, with the NAMEPLATE_EDGE_REPLICA or NAMEPLATE_DATA_DIR of that edge.',
      );
    }
    const box = createValueBox(keyRings(config).edgeKeys, systemRandom);
    const replica = openReplica(config.edgeReplica);
    try {
      const find = <K extends EdgeKind>(kind: K, name: string) => {
        const sealed = replica.find(edgeKey(kind, name));
        return (
          sealed && { ...(box.open(sealed) as EdgeValues[K]), epoch: sealed.epoch, number: sealed.number }
        );
      };
      const host = find('host', hostname);
      const held = coveringHolds(hostname).filter((name) => replica.find(edgeKey('hold', name)) !== null);
      if (host === null && held.length === 0) {
        throw new CommandError(
          'not_found',
          `The replica has no value for ${hostname}.`,
          'The domain may have no certificate yet. To check, run: nameplate service certificates show',
        );
      }
      const app = host && find('app', host.app_id);
      const { at } = replica.lastBeat();
      const certificate = host?.certificate ?? null;
      const document = {
        hostname,
        up_to_date_at: at === 0 ? null : timestamp(at),
        version: host && { epoch: host.epoch, number: host.number },
        domain_id: host?.domain_id ?? null,
        app_id: host?.app_id ?? null,
        held_by: host?.is_held ? [hostname, ...held] : held,
        origin: host?.origin ?? app?.origin ?? null,
        redirects_www: host?.redirects_www ?? false,
        certificate: certificate && {
          serial: certificate.serial,
          names: certificate.names,
          not_after: timestamp(certificate.not_after),
        },
      };
      return {
        document,
        view: {
          fields: [
            ['hostname', hostname],
            ['up to date at', document.up_to_date_at],
            ['version', host && `${host.epoch}.${host.number}`],
            ['domain', document.domain_id],
            ['app', document.app_id],
            ['held by', document.held_by.join(', ') || null],
            ['origin', document.origin],
            ['certificate', certificate && `${certificate.serial} until ${timestamp(certificate.not_after)}`],
          ],
        },
      };
    } finally {
      replica.close();
    }
  },
};
