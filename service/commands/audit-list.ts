import { timestamp } from '../../shared/core/instant.ts';
import { listAudit } from '../../shared/store/accounts/audit-log.ts';
import type { ServiceCommand } from '../command.ts';
import { limitFlag, readLimit } from './operator/arguments.ts';
import { documentRows } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const auditList: ServiceCommand = {
  description:
    'Lists operator actions, newest first. The actor is NAMEPLATE_OPERATOR, or the operating system user if it is not set. Prints the command for the next page below each page.',
  examples: ['service audit list', 'service audit list --limit 1000 --json'],
  flags: {
    limit: limitFlag,
    before: { summary: 'Only entries older than this one', kind: 'text', helpValue: 'aud_…' },
  },
  async run(call) {
    const limit = readLimit(call);
    const { before } = call.flags;
    const entries = await asOperator(call, ({ context }) =>
      listAudit(context.store, limit, before === undefined ? {} : { before: String(before) }),
    );
    const data = entries.map((entry) => ({ ...entry, at: timestamp(entry.at) }));
    const nextBefore = data.length === limit ? (data.at(-1)?.id ?? null) : null;
    return {
      document: { data, next_before: nextBefore },
      view: {
        columns: COLUMNS,
        rows: documentRows(data, COLUMNS),
        none: 'The audit log is empty.',
      },
      ...(nextBefore !== null && {
        after: [`Next page: nameplate service audit list --limit ${limit} --before ${nextBefore}`],
      }),
    };
  },
};

const COLUMNS = ['at', 'actor', 'action', 'subject', 'detail', 'id'] as const;
