import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../commands/operator/command-error.ts';

/** An installed nginx with the Lua module. */
export interface NginxProgram {
  file: string;
  version: string;
  openssl: string;
  /** Modules that the configuration has to load. */
  modules: readonly string[];
  hasHttp3: boolean;
}

const DEBIAN_MODULES = ['ndk_http_module.so', 'ngx_http_lua_module.so'];

/**
 * Finds the installed nginx, its version and its modules.
 * @throws CommandError if nginx is not installed, or lacks a part that the edge needs.
 */
export async function findNginx(file: string): Promise<NginxProgram> {
  const described = await describe(file);
  const version = /nginx version: \S+\/(\S+)/.exec(described)?.[1] ?? 'unknown';
  const openssl = /OpenSSL (\d+\.\d+\.\d+)/.exec(described)?.[1] ?? 'unknown';
  const built = (name: string) => described.includes(name);
  if (!built('--with-http_ssl_module') || !built('--with-http_v2_module')) {
    throw lacking(file, 'TLS or HTTP/2');
  }
  return {
    file,
    version,
    openssl,
    modules: modulesOf(file, described),
    hasHttp3: built('--with-http_v3_module'),
  };
}

/** Returns the features that this nginx lacks but the built-in engine or newer versions of nginx have. */
export function lacksOf({ openssl, hasHttp3 }: NginxProgram): string[] {
  const [major = 0, minor = 0] = openssl.split('.').map(Number);
  const hasMlKem = major > 3 || (major === 3 && minor >= 5);
  return [
    ...(hasHttp3 ? [] : ['HTTP/3']),
    ...(hasMlKem ? [] : ['ML-KEM']),
    'TLS-ALPN-01',
    'interim responses',
  ];
}

async function describe(file: string): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, ['-V']);
    return stdout + stderr;
  } catch (error) {
    throw new CommandError(
      'nginx_missing',
      `${file} cannot be run.`,
      'Install the packages nginx-light and libnginx-mod-http-lua of Debian, or set NAMEPLATE_NGINX to the program of an OpenResty.',
      error,
    );
  }
}

/** Returns the modules to load for Lua. OpenResty has the Lua module built in; Debian's nginx must load it. */
function modulesOf(file: string, described: string): string[] {
  if (/ngx_lua-|lua-nginx-module/.test(described)) return [];
  const folder = /--modules-path=(\S+)/.exec(described)?.[1] ?? '/usr/lib/nginx/modules';
  const modules = DEBIAN_MODULES.map((name) => path.join(folder, name));
  if (!modules.every((each) => existsSync(each))) throw lacking(file, 'the Lua module');
  return modules;
}

function lacking(file: string, part: string): CommandError {
  return new CommandError(
    'nginx_missing',
    `${file} lacks ${part}.`,
    'Install the package libnginx-mod-http-lua of Debian, or set NAMEPLATE_NGINX to the program of an OpenResty.',
  );
}
