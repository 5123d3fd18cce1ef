import type { CommandCall, CommandFlag } from '../command.ts';

/** How many rows a list shows. */
export const limitFlag: CommandFlag = {
  summary: 'How many, 1 to 1000',
  kind: 'whole_number',
  min: 1,
  max: 1000,
  default: 50,
};

export function readLimit({ flags }: CommandCall): number {
  return Number(flags['limit'] ?? limitFlag.default);
}
