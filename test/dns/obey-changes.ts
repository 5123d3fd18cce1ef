import { formatChanges } from '../../cli/diagnose/format-changes.ts';
import { recordData } from '../../cli/diagnose/record-data.ts';
import { registrableDomain } from '../../shared/core/domains/hostname.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import { updateZone } from '../fixtures/dns/update-zone.ts';

type Change = Diagnosis['findings'][number]['changes'][number];

interface Server {
  host: string;
  port: number;
}

/**
 * Makes the changes of a diagnosis by DNS UPDATE, without any knowledge of DNS. Changes DS records at the registry, as a registrar does for
 * its customers.
 * @param serversOf returns the servers of a zone. Each has its own copy of the zone.
 * @returns the changes that were made.
 */
export async function obeyChanges(
  diagnosis: Diagnosis,
  serversOf: (zone: string) => readonly Server[],
): Promise<Change[]> {
  const changes: Change[] = JSON.parse(formatChanges(diagnosis, 'json'));
  for (const [zone, own] of Map.groupBy(changes, (change) => change.zone)) {
    const only = {
      ...diagnosis,
      findings: diagnosis.findings.slice(0, 1).map((first) => ({ ...first, changes: own })),
    };
    const update = registrableDomain(zone) === null ? atRegistry(zone, own) : formatChanges(only, 'nsupdate');
    await Promise.all(serversOf(zone).map((server) => updateZone(server, update)));
  }
  return changes;
}

function atRegistry(zone: string, changes: readonly Change[]): string {
  const lines = changes.map((change) => {
    if (change.action !== 'remove') throw new Error(`no registry is told to ${change.action} a record`);
    return `update delete ${change.name}.${zone}. ${change.type} ${recordData(change)}`;
  });
  return [`zone ${zone}.`, ...lines, 'send'].join('\n');
}
