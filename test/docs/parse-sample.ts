import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { parse } from 'yaml';
import { stateDiagram } from '../../shared/core/domains/state-edges.ts';
import type { PageSession } from './page-session.ts';
import type { Sample } from './read-samples.ts';

/** Checks a sample that is not run with the parser of its language. @throws Error if the parser refuses the sample. */
export async function parseSample(sample: Sample, session: PageSession): Promise<void> {
  const parser = PARSERS[sample.language];
  if (parser === undefined) throw new Error(`no parser for ${sample.language}`);
  await parser(sample, session);
}

type Parser = (sample: Sample, session: PageSession) => unknown;

const PARSERS: Readonly<Record<string, Parser>> = {
  js: ({ text }) => transform(text, { loader: 'js' }),
  jsx: ({ text }) => transform(text, { loader: 'jsx' }),
  json: ({ text }) => JSON.parse(text),
  yaml: async ({ text, attributes }, session) => {
    parse(text, { strict: true });
    if (attributes['schema'] === 'seed')
      await accepts(session, `nameplate emulator seed ${attributes['file']}`);
  },
  mermaid: ({ text }) => {
    if (text.startsWith('stateDiagram') && text.trim() !== stateDiagram().trim())
      throw new Error('not the state machine');
  },
  csv: ({ text }) => {
    const widths = new Set(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',').length),
    );
    if (widths.size !== 1) throw new Error('rows of different lengths');
  },
  nginx: byProgram(
    'nginx.conf',
    (text) =>
      // Replaces the upstream's name by an address, because nginx looks up such names at its start.
      `events {}\nhttp { server { listen 127.0.0.1:8081;\n${text.replaceAll('TARGET', '127.0.0.1')}\n} }\n`,
    'nginx -t -c "$PWD/nginx.conf"',
  ),
  caddyfile: byProgram('Caddyfile', (text) => text, 'caddy validate --adapter caddyfile --config Caddyfile'),
  nats: byProgram('nats.conf', (text) => text, 'nats-server -t -c nats.conf'),
  fish: byProgram('sample.fish', (text) => text, 'fish --no-execute sample.fish'),
  // systemd-analyze does not fail because of a warning, but a sample must not cause any warning.
  ini: byProgram('app@.service', (text) => text, '! systemd-analyze verify ./app@.service 2>&1 | grep .'),
  dns: ({ text, attributes }, session) => {
    const zone = attributes['zone'] ?? '';
    const head = `$ORIGIN ${zone}.\n@ 300 IN SOA ns1.${zone}. hostmaster.${zone}. 1 900 300 604800 300\n@ 300 IN NS ns.elsewhere.test.\n`;
    return byProgram('zone', () => head + text, `kzonecheck -o ${zone} zone`)({ text } as Sample, session);
  },
};

/** Returns a parser that saves the sample as a file and runs a program on the file. */
function byProgram(file: string, contentOf: (text: string) => string, command: string): Parser {
  return async ({ text }, session) => {
    writeFileSync(path.join(session.folder, file), contentOf(text));
    await accepts(session, command);
  };
}

async function accepts(session: PageSession, command: string): Promise<void> {
  const { exit, output } = await session.run(command);
  if (exit !== 0) throw new Error(`${command}:\n${output}`);
}
