import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import type { ConfigProblem } from '../config.ts';

const PREFIX = 'NAMEPLATE_';

/**
 * Finds unknown settings. Any unknown name with our prefix is refused, because a misspelled setting would otherwise silently have its
 * default.
 */
export function unknownSettings(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): ConfigProblem[] {
  return Object.entries(given)
    .filter(([name, value]) => name.startsWith(PREFIX) && !known.includes(name) && !isOfOthers(name, value))
    .map(([name]) => {
      const removed = REMOVED.get(name);
      if (removed !== undefined) return { name, problem: `was removed: ${removed}` };
      const unprefixed = name.slice(PREFIX.length);
      const near = known.includes(unprefixed) ? unprefixed : nearestWord(name, known);
      return {
        name,
        problem: near === null ? 'is not a setting' : `is not a setting: did you mean ${near}?`,
      };
    });
}

/** Settings of earlier versions, and what to do about each. */
const REMOVED = new Map([
  [
    'NAMEPLATE_EDGE_REUSE_PORT',
    'the edge processes of a node share their ports without it, and two nodes cannot share ports. Unset it',
  ],
]);

/**
 * Variables that the CLI and the emulator read, or set for programs that they run. They are accepted, because the service may run in the
 * same environment.
 */
const OF_THE_COMMAND_LINE = new Set([
  'NAMEPLATE_API_KEY',
  'NAMEPLATE_DEBUG',
  'NAMEPLATE_EDGE_CA',
  'NAMEPLATE_EDGE_URL',
  'NAMEPLATE_LIVE_API_KEY',
  'NAMEPLATE_PROFILE',
  'NAMEPLATE_SANDBOX_ORIGIN',
  'NAMEPLATE_STATE_DIR',
  'NAMEPLATE_WEBHOOK_SECRET',
]);

/**
 * Variables that Kubernetes sets in every container for each Service, such as `NAMEPLATE_SERVICE_HOST` and
 * `NAMEPLATE_API_PORT_4500_TCP_ADDR`.
 */
const OF_KUBERNETES = /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?$/;
/** Matches the value of a `…_PORT` variable that Kubernetes sets. A plain port number would be an operator's misspelled setting. */
const LINKED = /^(?:tcp|udp|sctp):\/\//;

function isOfOthers(name: string, value: string): boolean {
  if (OF_THE_COMMAND_LINE.has(name) || OF_KUBERNETES.test(name)) return true;
  return name.endsWith('_PORT') && LINKED.test(value);
}
