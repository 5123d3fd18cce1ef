import path from 'node:path';
import { urlOf } from '../address-url.ts';
import type { ServiceNode } from '../node.ts';
import { environmentSchema } from '../settings/environment.ts';

const SECRET = new Set(['DATABASE_URL', 'DATABASE_LISTEN_URL', 'NAMEPLATE_ENCRYPTION_KEYS', 'SMTP_URL']);

/**
 * What to type next, in another terminal: it has to be told whatever this one was, with what was found meanwhile (the folder whole,
 * free ports). Secrets are named and not shown.
 */
export function nextCommands(
  { api, edge, edge_http, admin }: ServiceNode['addresses'],
  env: NodeJS.ProcessEnv,
): string[] {
  const found: Record<string, string | undefined> = {
    ...env,
    ...(env['NAMEPLATE_DATA_DIR'] && { NAMEPLATE_DATA_DIR: path.resolve(env['NAMEPLATE_DATA_DIR']) }),
    ...(api && { NAMEPLATE_API_LISTEN: withoutScheme(urlOf(api)) }),
    ...(edge && { NAMEPLATE_EDGE_LISTEN: withoutScheme(urlOf(edge)) }),
    ...(edge_http && { NAMEPLATE_EDGE_HTTP_LISTEN: withoutScheme(urlOf(edge_http)) }),
    NAMEPLATE_ADMIN_LISTEN: withoutScheme(urlOf(admin)),
  };
  const given = Object.keys(environmentSchema.shape).filter((name) => env[name]);
  const secret = given.filter((name) => SECRET.has(name));
  const as_here = secret.length === 0 ? '' : `, with ${secret.join(', ')} as here`;
  return [
    `Try next, in another terminal${as_here}:`,
    ...given
      .filter((name) => !SECRET.has(name))
      .map((name) => `  export ${name}=${quoted(found[name] ?? '')}`),
    `  ${commandName(env)} service accounts create "My company"`,
  ];
}

function withoutScheme(url: string): string {
  return url.slice('http://'.length);
}

/** In a checkout, `npm run service` runs this, and the binary is npm's to find. */
export function commandName(env: NodeJS.ProcessEnv): string {
  return env['npm_execpath'] === undefined ? 'nameplate' : 'npx nameplate';
}

/** For a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
