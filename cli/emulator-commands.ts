import type { CommandEntry, CommandMap } from './commands.ts';

/** The emulator's commands by id: the words of the command joined with `:`. */
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
    "Move the emulator's clock forward and do the work that comes due",
    async () => (await import('./commands/emulator/clock-advance.ts')).EmulatorClockAdvance,
  ),
  'emulator:exec': entry(
    'Run a command with its own emulator',
    async () => (await import('./commands/emulator/exec.ts')).EmulatorExec,
  ),
  'emulator:expect': entry(
    'Wait for an event or a domain status, in a test',
    async () => (await import('./commands/emulator/expect.ts')).EmulatorExpect,
  ),
  'emulator:export': entry(
    "Export the emulator's state",
    async () => (await import('./commands/emulator/export.ts')).EmulatorExport,
  ),
  'emulator:hold': entry(
    'Hold a hostname for review',
    async () => (await import('./commands/emulator/hold.ts')).EmulatorHold,
  ),
  'emulator:import': entry(
    'Replace the state with an exported one',
    async () => (await import('./commands/emulator/import.ts')).EmulatorImport,
  ),
  'emulator:list': entry(
    'List the running emulators',
    async () => (await import('./commands/emulator/list.ts')).EmulatorList,
  ),
  'emulator:open': entry(
    'Open the dashboard in a browser',
    async () => (await import('./commands/emulator/open.ts')).EmulatorOpen,
  ),
  'emulator:release': entry(
    'Release a held hostname',
    async () => (await import('./commands/emulator/release.ts')).EmulatorRelease,
  ),
  'emulator:reset': entry(
    'Reset the emulator to a fresh account',
    async () => (await import('./commands/emulator/reset.ts')).EmulatorReset,
  ),
  'emulator:seed': entry(
    'Apply a seed file to the running emulator',
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
    'Stop the running emulator, or all of them',
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
