import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import type { EventList, ListEventsQuery } from '../../schema/event.ts';
import { selectEvents } from '../../store/events/events.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { presentEvents } from './present-event.ts';

/** `docs/api.md#events`: GET /v1/events. Events have the mode of their domain and outlive it. */
export async function listEvents(
  context: Context,
  caller: Caller,
  input: { query: ListEventsQuery },
): Promise<Answer<EventList>> {
  const { domain_id, type, delivery, limit, cursor } = input.query;
  const identity: ListIdentity = ['events', caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  const page = await selectEvents(context.store, caller, { domain_id, type, delivery }, { limit, after });
  return {
    status: 200,
    body: {
      data: await presentEvents(context.store, page.rows),
      next_cursor: page.next && encodeCursor(identity, page.next),
    },
  };
}
