import { boolean } from '@oclif/core/flags';

/** The flag of every command that destroys something. */
export const yesFlag = { yes: boolean({ char: 'y', summary: 'Do not ask' }) };
