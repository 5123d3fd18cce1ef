import { timestamp } from '../../shared/core/instant.ts';
import { findRelay } from '../../shared/store/edge/edge-relay.ts';
import type { ServiceCommand } from '../command.ts';
import { CommandError } from './operator/command-error.ts';
import { documentFields } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const relayStatus: ServiceCommand = {
  description:
    'Shows which process is the relay, and how many changes the bucket in NATS lacks. Reads only the database. Exits with 8 unless a relay runs without an error and the bucket is complete.',
  examples: ['service relay status', 'service relay status --json'],
  async run(call) {
    const found = await asOperator(call, ({ context }) => findRelay(context.store));
    if (found === null) {
      throw new CommandError(
        'not_found',
        'No relay has run yet.',
        'Start one with NATS_URL and the role relay: nameplate service start --role relay',
      );
    }
    const { holder, isHeld, sequence, report } = found;
    const { compared_at, ...rest } = report;
    const document = {
      state: isHeld ? 'running' : 'not running',
      process: holder,
      sequence,
      ...rest,
      compared_at: compared_at === null ? null : timestamp(compared_at),
    };
    return {
      document,
      view: { fields: documentFields(document, COLUMNS) },
      exit: isHeld && report.error === null && report.generation !== null ? 0 : 8,
    };
  },
};

const COLUMNS = [
  'state',
  'process',
  'generation',
  'sequence',
  'pending',
  'differences',
  'compared_at',
  'error',
] as const;
