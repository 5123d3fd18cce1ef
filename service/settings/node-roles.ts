export const NODE_ROLES = ['api', 'worker', 'edge', 'dns', 'relay'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** Returns whether a node has only roles that need no encryption key and no full access to the database (`decisions/0101`). */
export function isOutside(roles: readonly NodeRole[]): boolean {
  return roles.every((role) => role === 'edge' || role === 'dns' || role === 'relay');
}

/** The settings that decide what a node follows. A setting with a wrong value is absent. */
interface Followed {
  NAMEPLATE_ROLES?: readonly NodeRole[];
  NAMEPLATE_EDGE_SOURCE?: 'postgres' | 'nats';
}

/** Returns whether a node without the roles `api` and `worker` needs `DATABASE_URL`. */
export function followsDatabase({
  NAMEPLATE_ROLES: roles = [],
  NAMEPLATE_EDGE_SOURCE: source,
}: Followed): boolean {
  return isOutside(roles) && (roles.includes('relay') || (roles.includes('edge') && source !== 'nats'));
}

/** Returns whether a node needs NATS. */
export function followsNats({
  NAMEPLATE_ROLES: roles = [],
  NAMEPLATE_EDGE_SOURCE: source,
}: Followed): boolean {
  return source === 'nats' || roles.includes('relay');
}
