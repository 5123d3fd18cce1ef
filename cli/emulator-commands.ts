import type { CommandEntry, CommandMap } from './commands.ts';

/** The commands of the emulator, by their words joined with `:`. */
export const EMULATOR_COMMANDS: CommandMap = {
  'emulator:chaos': entry(
    'Make webhooks and the API fail on purpose',
    async () => (await import('./commands/emulator/chaos.ts')).EmulatorChaos,
  ),
  'emulator:clock': entry(
    "Show the emulator's clock, or change its mode",
    async () => (await import('./commands/emulator/clock.ts')).EmulatorClock,
  ),
  'emulator:clock:advance': entry(
    "Move the emulator's clock forward and do all that comes due",
    async () => (await import('./commands/emulator/clock-advance.ts')).EmulatorClockAdvance,
  ),
  'emulator:exec': entry(
    'Run a command with an emulator of its own',
    async () => (await import('./commands/emulator/exec.ts')).EmulatorExec,
  ),
  'emulator:expect': entry(
    'Wait until something is so, in a test',
    async () => (await import('./commands/emulator/expect.ts')).EmulatorExpect,
  ),
  'emulator:export': entry(
    'Write the whole state to a file',
    async () => (await import('./commands/emulator/export.ts')).EmulatorExport,
  ),
  'emulator:hold': entry(
    'Hold a hostname for review',
    async () => (await import('./commands/emulator/hold.ts')).EmulatorHold,
  ),
  'emulator:import': entry(
    'Replace the state by an exported one',
    async () => (await import('./commands/emulator/import.ts')).EmulatorImport,
  ),
  'emulator:list': entry(
    'List the running emulators',
    async () => (await import('./commands/emulator/list.ts')).EmulatorList,
  ),
  'emulator:open': entry(
    'Open the inspector in a browser',
    async () => (await import('./commands/emulator/open.ts')).EmulatorOpen,
  ),
  'emulator:release': entry(
    'Release a held hostname',
    async () => (await import('./commands/emulator/release.ts')).EmulatorRelease,
  ),
  'emulator:reset': entry(
    'Put the emulator back to a fresh account',
    async () => (await import('./commands/emulator/reset.ts')).EmulatorReset,
  ),
  'emulator:seed': entry(
    'Make the emulator as a seed file says',
    async () => (await import('./commands/emulator/seed.ts')).EmulatorSeed,
  ),
  'emulator:start': entry(
    'Start the emulator',
    async () => (await import('./commands/emulator/start.ts')).EmulatorStart,
  ),
  'emulator:status': entry(
    'Show the running emulator',
    async () => (await import('./commands/emulator/status.ts')).EmulatorStatus,
  ),
  'emulator:stop': entry(
    'Stop a running emulator, or all',
    async () => (await import('./commands/emulator/stop.ts')).EmulatorStop,
  ),
  'emulator:trigger': entry(
    'Take a domain through one transition',
    async () => (await import('./commands/emulator/trigger.ts')).EmulatorTrigger,
  ),
  'emulator:trust': entry(
    "Show how to trust the edge's HTTPS, and how to undo it",
    async () => (await import('./commands/emulator/trust.ts')).EmulatorTrust,
  ),
};

function entry(summary: string, load: CommandEntry['load']): CommandEntry {
  return { summary, load };
}
