export const NODE_ROLES = ['api', 'worker', 'edge', 'dns', 'relay'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/**
 * Returns whether a node has only roles that need no encryption key and no full access to the database (`decisions/0101`). True for a
 * misspelled role, so that no error asks for the encryption key of a node that must not have it.
 */
export function isOutside(roles: readonly NodeRole[]): boolean {
  return !roles.some((role) => role === 'api' || role === 'worker');
}

/** The settings that decide what a node follows. Each may be wrong or absent. */
interface Followed {
  NAMEPLATE_ROLES?: readonly NodeRole[];
  NAMEPLATE_EDGE_SOURCE?: 'postgres' | 'nats';
}

/** Returns whether a node without the roles `api` and `worker` needs `DATABASE_URL`. */
export function followsDatabase({
  NAMEPLATE_ROLES: roles = [],
  NAMEPLATE_EDGE_SOURCE: source,
}: Followed): boolean {
  return isOutside(roles) && (roles.includes('relay') || (roles.includes('edge') && source === 'postgres'));
}

/** Returns whether a node needs NATS. */
export function followsNats({
  NAMEPLATE_ROLES: roles = [],
  NAMEPLATE_EDGE_SOURCE: source,
}: Followed): boolean {
  return source === 'nats' || roles.includes('relay');
}
