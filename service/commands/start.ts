import path from 'node:path';
import { urlOf } from '../address-url.ts';
import type { CommandAnswer, CommandCall, ServiceCommand } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import { createJsonLog } from '../json-log.ts';
import { nextCommands } from '../next-commands.ts';
import { type ServiceNode, startNode } from '../node.ts';
import { type Shortfall, shortfallsOf } from '../shortfalls.ts';

export const start: ServiceCommand = {
  description:
    'Starts a node of the hosted service in the roles that --role or NAMEPLATE_ROLES name, all of them by default, until SIGTERM or Ctrl-C: then it takes nothing new, and ends what is under way. Settings come from the environment. Without DATABASE_URL it keeps a Postgres of its own in NAMEPLATE_DATA_DIR, and migrates it. Logs are JSON lines on standard error.',
  examples: ['service start', 'service start --role worker', 'service start --role api,edge --json'],
  flags: {
    role: { summary: 'Some of api, worker, edge', kind: 'text', help_value: 'api,worker,edge' },
  },
  runs_until_stopped: true,
  async run(call) {
    const { role } = call.flags;
    const config = readConfig(role === undefined ? call.env : { ...call.env, NAMEPLATE_ROLES: String(role) });
    const node = await startListening(config, call);
    return {
      ...describeNode(node, config, call.env),
      async go_on() {
        await call.stopped;
        call.note('Stopping: what is under way ends first. Ctrl-C again forces it.');
        await node.stop();
      },
    };
  },
};

async function startListening(config: ServiceConfig, call: CommandCall): Promise<ServiceNode> {
  try {
    return await startNode(config, createJsonLog(config.log_level, call.log_to));
  } catch (error) {
    const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
    if (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL' && code !== 'EACCES') throw error;
    if (port === undefined) throw error;
    const setting = settingOf(config, port);
    throw new CommandError(
      'port_in_use',
      `${setting}: ${address}:${port} cannot be listened on (${code}).`,
      `Stop what listens there, or set ${setting} to another host:port.`,
      error,
    );
  }
}

function settingOf({ api, edge, edge_http }: ServiceConfig, port: number): string {
  if (port === api.port) return 'NAMEPLATE_API_LISTEN';
  if (port === edge.port) return 'NAMEPLATE_EDGE_LISTEN';
  return port === edge_http.port ? 'NAMEPLATE_EDGE_HTTP_LISTEN' : 'NAMEPLATE_ADMIN_LISTEN';
}

function describeNode(
  { addresses, roles }: ServiceNode,
  config: ServiceConfig,
  env: NodeJS.ProcessEnv,
): Pick<CommandAnswer, 'document' | 'title' | 'view' | 'after'> {
  const { settings } = config;
  const { api, edge, edge_http, admin } = addresses;
  const embedded_in = config.database_url === null ? path.resolve(config.data_dir) : null;
  const shortfalls = shortfallsOf(config);
  const document = {
    pid: process.pid,
    roles,
    base_url: settings.base_url,
    api_url: api === undefined ? null : urlOf(api),
    edge_url: edge === undefined ? null : urlOf(edge, 'https'),
    edge_http_url: edge_http === undefined ? null : urlOf(edge_http),
    admin_url: urlOf(admin),
    database: config.database_url === null ? 'embedded' : 'DATABASE_URL',
    data_dir: embedded_in,
    shortfalls,
  };
  const fields: [string, unknown][] = [
    ['roles', roles.join(', ')],
    ...(api === undefined ? [] : [['API', `${urlOf(api)}/v1`] as [string, unknown]]),
    ...(api === undefined ? [] : [['docs', `${urlOf(api)}/docs`] as [string, unknown]]),
    ...(edge === undefined ? [] : [['edge', urlOf(edge, 'https')] as [string, unknown]]),
    ...(edge_http === undefined
      ? []
      : [['test domains', `<id>.${settings.sandbox_zone} at ${urlOf(edge_http)}`] as [string, unknown]]),
    ['health', `${urlOf(admin)}/healthz and /readyz`],
    ['metrics', `${urlOf(admin)}/metrics`],
    ['database', embedded_in === null ? 'as DATABASE_URL says' : `embedded Postgres in ${embedded_in}`],
  ];
  return {
    document,
    title: `The service is ready${api === undefined ? '' : ` at ${urlOf(api)}`}`,
    view: { fields },
    after: [...shortfallLines(shortfalls), ...nextCommands(addresses, env)],
  };
}

/** What a person is told before what to type next. */
function shortfallLines(shortfalls: readonly Shortfall[]): string[] {
  if (shortfalls.length === 0) return [];
  const lines = shortfalls.map(({ setting, cannot }) => `  ${cannot} (${setting})`);
  return ['With its settings this node cannot', ...lines, ''];
}
