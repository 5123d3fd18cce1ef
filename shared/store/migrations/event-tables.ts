import type { NewTable } from './new-table.ts';

/** The tables of events and their deliveries, for the first schema. */
export const EVENT_TABLES: readonly NewTable[] = [
  [
    'events',
    ['id'],
    [
      ['id', 'id'],
      ['domain_id', 'id'],
      ['app_id', 'id'],
      ['mode', 'text'],
      ['seq', 'int'],
      ['type', 'text'],
      ['hostname', 'text'],
      ['previous_status', 'text', 'null'],
      ['status', 'text', 'null'],
      ['created_at', 'instant'],
      ['body', 'text'],
      ['delivery_status', 'text'],
      ['attempts', 'int'],
      ['tries', 'int'],
      ['first_attempt_at', 'instant', 'null'],
      ['last_status_code', 'int', 'null'],
      ['last_error', 'text', 'null'],
      ['last_attempt_at', 'instant', 'null'],
      ['next_attempt_at', 'instant', 'null'],
    ],
  ],
  [
    'deliveries',
    ['id'],
    [
      ['id', 'id'],
      ['event_id', 'id'],
      ['app_id', 'id'],
      ['attempt', 'int'],
      ['automatic', 'int'],
      ['finished', 'int'],
      ['status_code', 'int', 'null'],
      ['response_ms', 'int', 'null'],
      ['error', 'text', 'null'],
      ['delivered_at', 'instant', 'null'],
      ['next_attempt_at', 'instant', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'lanes',
    ['domain_id'],
    [
      ['domain_id', 'id'],
      ['app_id', 'id'],
      ['due_at', 'instant', 'null'],
      ['lease_id', 'id', 'null'],
    ],
  ],
];
