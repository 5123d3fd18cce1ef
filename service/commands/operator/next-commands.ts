import path from 'node:path';
import { urlOf } from '../../listening.ts';
import type { ServiceNode } from '../../node.ts';
import { DEFAULT_ROLES, environmentSchema } from '../../settings/environment.ts';
import { isOutside, type NodeRole } from '../../settings/node-roles.ts';

/** Returns whether a setting is a secret, or an address with a password. A new secret is hidden too, if its name ends like the others. */
const isSecret = (name: string) =>
  /_(?:KEYS?|SECRET)$|^(?:DATABASE|DATABASE_LISTEN|NATS|SMTP)_URL$/.test(name);

/**
 * Returns lines with commands to try in another terminal. The lines begin with `export` commands for the node's settings, including values
 * that were chosen at the start, such as free ports. Secrets are named but not shown.
 * @param roles the roles of the node. An outside node cannot create accounts.
 */
export function nextCommands(
  { api, edge, edgeHttp, admin }: ServiceNode['addresses'],
  env: NodeJS.ProcessEnv,
  roles: readonly NodeRole[] = DEFAULT_ROLES,
): string[] {
  const found: Record<string, string | undefined> = {
    ...env,
    ...(env['NAMEPLATE_DATA_DIR'] && { NAMEPLATE_DATA_DIR: path.resolve(env['NAMEPLATE_DATA_DIR']) }),
    ...(api && { NAMEPLATE_API_LISTEN: withoutScheme(urlOf(api)) }),
    ...(edge && { NAMEPLATE_EDGE_LISTEN: withoutScheme(urlOf(edge)) }),
    ...(edgeHttp && { NAMEPLATE_EDGE_HTTP_LISTEN: withoutScheme(urlOf(edgeHttp)) }),
    NAMEPLATE_ADMIN_LISTEN: withoutScheme(urlOf(admin)),
  };
  const given = Object.keys(environmentSchema.shape).filter((name) => env[name]);
  const secret = given.filter(isSecret);
  const sameSecrets = secret.length === 0 ? '' : `, with the same ${secret.join(' and ')}`;
  return [
    `Try next, in another terminal${sameSecrets}:`,
    ...given
      .filter((name) => !isSecret(name))
      .map((name) => `  export ${name}=${shellQuoted(found[name] ?? '')}`),
    `  ${commandName(env)} service ${isOutside(roles) ? 'status' : 'accounts create "My company"'}`,
  ];
}

function withoutScheme(url: string): string {
  return url.slice('http://'.length);
}

/** Returns the command that runs this program. Under `npm run service` in a checkout, the command is `npx nameplate`. */
export function commandName(env: NodeJS.ProcessEnv): string {
  return env['npm_execpath'] === undefined ? 'nameplate' : 'npx nameplate';
}

/** Quotes text for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
