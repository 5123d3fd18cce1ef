import type { EventResource } from '../../../shared/schema/event.ts';
import { CELL } from './cells.ts';
import { type EventTable, tableCell } from './event-table.ts';

/** The fields of an event that filters read. */
export type FilteredEvent = Omit<EventResource, 'created_at' | 'delivery'> & {
  delivery: Pick<EventResource['delivery'], 'status' | 'attempts' | 'last_status_code' | 'last_error'>;
};

/** Reads the rows of a table one after the other. A filter reads 100 000 rows at each key, so it must not create an object for each. */
export interface RowCursor {
  row: number;
  event: FilteredEvent;
}

export function createRowCursor(table: EventTable): RowCursor {
  const cell = (field: number) => tableCell(table, cursor.row, field);
  const cursor: RowCursor = {
    row: table.first,
    event: {
      get id() {
        return cell(CELL.id) as string;
      },
      get type() {
        return cell(CELL.type) as string;
      },
      get domain_id() {
        return cell(CELL.domain_id) as string;
      },
      get hostname() {
        return cell(CELL.hostname) as string;
      },
      get previous_status() {
        return cell(CELL.previous_status) as FilteredEvent['previous_status'];
      },
      get status() {
        return cell(CELL.status) as FilteredEvent['status'];
      },
      delivery: {
        get status() {
          return cell(CELL.delivery_status) as FilteredEvent['delivery']['status'];
        },
        get attempts() {
          return cell(CELL.attempts) as number;
        },
        get last_status_code() {
          return cell(CELL.last_status_code) as number | null;
        },
        get last_error() {
          return cell(CELL.last_error) as string | null;
        },
      },
    },
  };
  return cursor;
}
