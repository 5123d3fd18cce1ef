import { boolean } from '@oclif/core/flags';

/** The flag of every destructive command. */
export const yesFlag = { yes: boolean({ char: 'y', summary: 'Do not ask for confirmation' }) };
