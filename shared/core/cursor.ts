import { createHash } from 'node:crypto';
import { validationFailed } from './errors.ts';
import type { Instant } from './instant.ts';

/** Identifies the last entry of a page. Lists are ordered by (`created_at`, `id`), newest first. */
export interface Position {
  created_at: Instant;
  id: string;
}

/** Identifies a list: its name, its app and its mode. A cursor is valid only in the list that issued it. */
export type ListIdentity = readonly [list: string, app_id: string, mode: string];

/** Encodes a position as an opaque cursor of at most 200 characters (`docs/api.md#limits`). The cursor is not secret. */
export function encodeCursor(list: ListIdentity, position: Position): string {
  const plain = `${seal(list, position)}.${position.created_at}.${position.id}`;
  return Buffer.from(plain).toString('base64url');
}

/** @throws ServiceError `validation_failed` for a cursor that this list did not issue. */
export function decodeCursor(list: ListIdentity, cursor: string): Position {
  const [, createdAt, id] = PLAIN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (createdAt !== undefined && id !== undefined) {
    const position = { created_at: Number(createdAt), id };
    if (encodeCursor(list, position) === cursor) return position;
  }
  throw validationFailed({
    path: 'cursor',
    message: 'is not a cursor of this list; start again without it',
  });
}

/**
 * The form of a decoded cursor: digest, `created_at` and `id`. Anyone can compute a valid digest, so the pattern ensures that the position
 * is safe in a query.
 */
const PLAIN = /^[\w-]{12}\.([0-9]{1,15})\.([a-z]{3}_[0-9a-z]{26})$/;

function seal(list: ListIdentity, { created_at, id }: Position): string {
  return createHash('sha256')
    .update(JSON.stringify([list, created_at, id]))
    .digest('base64url')
    .slice(0, 12);
}
