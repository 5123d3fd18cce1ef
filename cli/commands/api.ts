import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { isApiPath } from '../../shared/client/api-path.ts';
import { pairs } from '../output/pairs.ts';
import { plainJson } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

export class Api extends BaseCommand {
  static override description =
    'Sends a request to the API with your key, and prints the JSON of its response. A GET gets its fields in the query, any other request in a JSON body.';
  static override examples = [
    "<%= config.bin %> api GET '/v1/domains?status=active'",
    '<%= config.bin %> api POST /v1/domains --field hostname=careers.acme.com',
    '<%= config.bin %> api PATCH /v1/domains/dom_01k… --input body.json',
    "<%= config.bin %> api GET /v1/events --jq '.data[].type'",
  ];
  static override args = {
    method: stringArg({ description: METHODS.join(', '), required: true }),
    path: stringArg({ description: 'The path, from /v1/', required: true }),
  };
  static override flags = {
    field: string({
      char: 'f',
      summary: 'A field with a text value; repeat it for more',
      helpValue: '<name=value>',
      multiple: true,
      multipleNonGreedy: true,
      exclusive: ['input'],
    }),
    input: string({ summary: 'A file with the JSON body, or - for stdin', helpValue: '<file>' }),
    'idempotency-key': string({ summary: 'Makes a repeated POST take effect once', helpValue: '<key>' }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(Api);
    const method = METHODS.find((each) => each === args.method.toUpperCase());
    if (method === undefined)
      throw usageError(`${args.method} is not a method of the API.`, `Use one of ${METHODS.join(', ')}.`);
    if (!isApiPath(args.path))
      throw usageError(
        `${args.path} is not a path of the API.`,
        'Start the path with /v1/, such as /v1/domains.',
      );
    const fields = flags.field && pairs(flags.field, '--field');
    const input = flags.input === undefined ? undefined : await readBody(flags.input, this.world);
    const { client } = await this.connect(flags);
    const key = flags['idempotency-key'];
    const response = await client.request({
      method,
      path: method === 'GET' && fields ? withQuery(args.path, fields) : args.path,
      ...(method !== 'GET' && fields && { body: fields }),
      ...(input !== undefined && { body: input }),
      ...(key !== undefined && { idempotencyKey: key }),
    });
    this.output.result(response, () => (response === null ? [] : [plainJson(response)]));
  }
}

function withQuery(path: string, fields: Record<string, string>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`;
}

/** Reads the JSON document of a file, or of stdin for `-`. */
async function readBody(file: string, { stdin, cwd }: World): Promise<unknown> {
  const content = file === '-' ? await text(stdin) : readFileSync(path.resolve(cwd, file), 'utf8');
  try {
    return JSON.parse(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const source = file === '-' ? 'stdin' : file;
    throw usageError(`The body in ${source} is not JSON: ${reason}.`, 'Pass one JSON document.');
  }
}
