import type { CommandCall, CommandFlag } from '../../command.ts';

/** Flag for the number of rows in a list. */
export const limitFlag: CommandFlag = {
  summary: 'Number of rows, 1 to 1000',
  kind: 'whole_number',
  min: 1,
  max: 1000,
  default: 50,
};

export function readLimit({ flags }: CommandCall): number {
  return Number(flags['limit'] ?? limitFlag.default);
}
