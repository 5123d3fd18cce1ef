import { createHash } from 'node:crypto';
import { validationFailed } from './errors.ts';
import type { Instant } from './instant.ts';

/** Where a page ended: lists are ordered by (`created_at`, `id`), newest first. */
export interface Position {
  created_at: Instant;
  id: string;
}

/** What issued a cursor: the list's name and whose list it is. A cursor of one list means nothing to another. */
export type ListIdentity = readonly [list: string, app_id: string, mode: string];

/** Opaque, at most 200 characters (section 8). It hides nothing: it only says where to go on. */
export function encodeCursor(list: ListIdentity, position: Position): string {
  const plain = `${seal(list, position)}.${position.created_at}.${position.id}`;
  return Buffer.from(plain).toString('base64url');
}

/** @throws ServiceError `validation_failed` for a cursor that this list did not issue. */
export function decodeCursor(list: ListIdentity, cursor: string): Position {
  const [, created_at, id] = PLAIN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (created_at !== undefined && id !== undefined) {
    const position = { created_at: Number(created_at), id };
    if (encodeCursor(list, position) === cursor) return position;
  }
  throw validationFailed({
    path: 'cursor',
    message: 'is not one that this list issued; start again without it',
  });
}

/** Anybody can work out a seal: what stands in a position is of the form that a list gives it, and safe in a query. */
const PLAIN = /^[\w-]{12}\.([0-9]{1,15})\.([a-z]{3}_[0-9a-z]{26})$/;

function seal(list: ListIdentity, { created_at, id }: Position): string {
  return createHash('sha256')
    .update(JSON.stringify([list, created_at, id]))
    .digest('base64url')
    .slice(0, 12);
}
