import type { H3 } from 'h3';
import { sql } from 'kysely';
import type { Mode } from '../../shared/core/domains/status.ts';
import type { EmulatorComposition } from '../compose.ts';
import { changeStream } from './change-stream.ts';

const OLD_BASE = '/_emulator/ui';

/** Serves the lab's event stream, and redirects the addresses of the former inspector to the dashboard. */
export function serveLab(app: H3, emulator: EmulatorComposition): void {
  app.on('GET', '/_emulator/stream', () => changeStream(emulator));
  for (const path of [OLD_BASE, `${OLD_BASE}/**`]) {
    app.on('GET', path, async ({ url }) => {
      const location = await currentPath(emulator, url);
      return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
    });
  }
}

/**
 * Returns the dashboard's path for an address of the former inspector. The path of a domain or an event has its app and mode. In the path
 * of a list, `-` stands for the app that the browser used last.
 */
async function currentPath(
  emulator: EmulatorComposition,
  { pathname, searchParams, search }: URL,
): Promise<string> {
  const place = pathname.slice(OLD_BASE.length);
  const [, table, id = ''] = /^\/(domains|events)\/([A-Za-z0-9_]{1,64})$/.exec(place) ?? [];
  const owner =
    table === undefined ? undefined : await findOwner(emulator, table as 'domains' | 'events', id);
  const mode = owner?.mode ?? (searchParams.get('mode') === 'live' ? 'live' : 'test');
  return `/dashboard/${owner?.app_id ?? '-'}/${mode}${place || '/emulator'}${search}`;
}

function findOwner(
  { context }: EmulatorComposition,
  table: 'domains' | 'events',
  id: string,
): Promise<{ app_id: string; mode: Mode } | undefined> {
  const query = context.store.db
    .selectFrom(table)
    .select(['app_id', sql<Mode>`mode`.as('mode')])
    .where(sql`mode`, '<>', 'host');
  return query.where(sql.ref('id'), '=', id).executeTakeFirst();
}
