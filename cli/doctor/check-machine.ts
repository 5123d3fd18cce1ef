import { proxyFor } from '../../shared/client/proxy.ts';
import { chooseEmulator, type EmulatorChoice } from '../emulator/emulator-choice.ts';
import { configWarning } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';

const NODE_MAJOR_MIN = 24;

/** Checks everything that needs no server: the versions, the stored keys, the proxy, and running emulators. */
export async function checkMachine(version: string, world: World): Promise<DoctorFinding[]> {
  return [
    ok('nameplate', version),
    node(),
    config(world),
    proxy(world),
    ok('emulator', emulators(await chooseEmulator(world))),
  ];
}

function emulators({ chosen, running }: EmulatorChoice): string {
  if (running.length > 1) {
    const target = chosen === null ? 'commands need --base-url' : `commands in this folder use ${chosen.url}`;
    return `${running.length} running (nameplate emulator list); ${target}`;
  }
  return chosen === null ? 'not running' : `running at ${chosen.url}`;
}

function node(): DoctorFinding {
  const { version, platform, arch } = process;
  const found = `${version} on ${platform}-${arch}`;
  const isNewEnough = Number.parseInt(version.slice(1), 10) >= NODE_MAJOR_MIN;
  return isNewEnough
    ? ok('node', found)
    : problem('node', found, `Install Node ${NODE_MAJOR_MIN} or newer.`, 1);
}

function config(world: World): DoctorFinding {
  const others = configWarning(world);
  return others === null
    ? ok('stored keys', 'readable by you only')
    : warning('stored keys', 'readable by other users', others.replace(/^Warning: /, ''));
}

/** Reports only the proxy's host, because its address may contain a password. */
function proxy({ env }: World): DoctorFinding {
  const found = ['https://server.example', 'http://server.example']
    .map((url) => proxyFor(new URL(url), { ...env, no_proxy: '' }))
    .find((each) => each !== null);
  if (found === undefined) return ok('proxy', 'none');
  const { variable, host, problem } = found;
  return problem === null
    ? ok('proxy', `${host} (${variable}), except for addresses of this machine`)
    : warning('proxy', `${variable} cannot be used: ${problem}`, `Correct ${variable}, or unset it.`);
}

/** The result of one check of `doctor`. */
export interface DoctorFinding {
  check: string;
  result: 'ok' | 'warning' | 'problem';
  found: string;
  /** How to fix a warning or a problem. */
  fix?: string;
  /** The exit code for a problem. */
  exit?: number;
}

export function ok(check: string, found: string): DoctorFinding {
  return { check, result: 'ok', found };
}

export function warning(check: string, found: string, fix: string): DoctorFinding {
  return { check, result: 'warning', found, fix };
}

export function problem(check: string, found: string, fix: string, exit: number): DoctorFinding {
  return { check, result: 'problem', found, fix, exit };
}
