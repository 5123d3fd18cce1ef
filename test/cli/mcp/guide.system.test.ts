import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { toolsFor } from '../../../cli/mcp/tools.ts';
import { samplesOf } from '../../docs/read-samples.ts';
import { keyFor } from '../run-cli.ts';
import { startMcp } from './mcp-client.ts';

test.each(
  samplesOf('mcp')
    .filter(({ text }) => text.includes('"command"'))
    .map(({ text }) => JSON.parse(text)),
)('a configuration in the guide starts the MCP server: %j', async ({ mcpServers, servers }) => {
  const { command, args } = (mcpServers ?? servers).nameplate;
  const [no, bin, name, ...flags] = args;
  expect([command, no, bin, name]).toEqual(['npx', '--no', 'nameplate', 'mcp']);
  await using mcp = await startMcp(flags, keyFor('http://127.0.0.1:1'));
  expect(mcp.client.getServerVersion()?.name).toBe('nameplate');
});

test.each([
  ['none', 'read'],
  ['`--allow-writes`', 'write'],
  ['`--allow-deletes`', 'delete'],
] as const)('the guide lists the tools of the flag %s', (flag, access) => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../../shared/docs/mcp.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => /^\| (?:none|`--allow)/.test(line));
  const until = rows.slice(0, rows.findIndex((row) => row.startsWith(`| ${flag} |`)) + 1);
  const named = until.flatMap((row) => [...row.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual([...toolsFor(access).map(({ name }) => name), 'read_docs'].toSorted());
});
