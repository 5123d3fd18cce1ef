import type { ConfigProblem } from '../config.ts';
import { nearestName } from './nearest-name.ts';

/** A misspelt setting would silently leave its default: whatever begins as ours and is none of ours is refused. */
export function unknownSettings(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): ConfigProblem[] {
  return Object.entries(given)
    .filter(
      ([name, value]) => name.startsWith('NAMEPLATE_') && !known.includes(name) && !isOfOthers(name, value),
    )
    .map(([name]) => {
      const near = nearestName(name, known);
      return { name, problem: near === null ? 'is no setting' : `is no setting: did you mean ${near}?` };
    });
}

/** What the command line and the emulator read, or give to what they run: one environment may serve both. */
const OF_THE_COMMAND_LINE = new Set([
  'NAMEPLATE_API_KEY',
  'NAMEPLATE_EDGE_CA',
  'NAMEPLATE_EDGE_URL',
  'NAMEPLATE_LIVE_API_KEY',
  'NAMEPLATE_NO_UPDATE_CHECK',
  'NAMEPLATE_PROFILE',
  'NAMEPLATE_SANDBOX_ORIGIN',
  'NAMEPLATE_STATE_DIR',
  'NAMEPLATE_WEBHOOK_SECRET',
]);

/** Kubernetes tells every container of each Service, by its name: `NAMEPLATE_SERVICE_HOST`, `NAMEPLATE_API_PORT_4500_TCP_ADDR`. */
const OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?$/;
/** Its `NAMEPLATE_PORT`; a port alone is an operator's guess at a setting. */
const LINKED = /^(?:tcp|udp|sctp):\/\//;

function isOfOthers(name: string, value: string): boolean {
  if (OF_THE_COMMAND_LINE.has(name) || OF_KUBERNETES.test(name)) return true;
  return name.endsWith('_PORT') && LINKED.test(value);
}
