import { string as stringArg } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';
import type { Client } from '../../shared/client/client.ts';
import { allPages, type Page } from '../../shared/client/pages.ts';
import { isApiPath } from '../../shared/client/request.ts';
import { pairs, readJsonInput } from '../arguments/read-values.ts';
import { plainJson } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';

export const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

export class Api extends BaseCommand {
  static override description =
    'Sends a request to the API with your key, and prints the JSON of its response. A GET gets its fields in the query, any other request in a JSON body.';
  static override examples = [
    "<%= config.bin %> api GET '/v1/domains?status=active'",
    '<%= config.bin %> api POST /v1/domains --field hostname=careers.acme.com',
    '<%= config.bin %> api PATCH /v1/domains/dom_01k… --input body.json',
    "<%= config.bin %> api GET /v1/events --all --jq '.data[].type'",
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
    all: boolean({ summary: 'With GET: fetch every page of a list' }),
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
    if (flags.all && method !== 'GET')
      throw usageError(`--all fetches lists, and a ${method} returns none.`, 'Leave out --all.');
    const fields = flags.field && pairs(flags.field, '--field');
    const input =
      flags.input === undefined
        ? undefined
        : await readJsonInput(flags.input, this.world, 'Pass one JSON document.');
    const { client } = await this.connect(flags);
    const key = flags['idempotency-key'];
    const requestPath = method === 'GET' && fields ? withQuery(args.path, fields) : args.path;
    if (flags.all) {
      const list = await wholeList(client, requestPath);
      this.output.result(list, () => [plainJson(list)]);
      return;
    }
    const response = await client.request({
      method,
      path: requestPath,
      ...(method !== 'GET' && fields && { body: fields }),
      ...(input !== undefined && { body: input }),
      ...(key !== undefined && { idempotencyKey: key }),
    });
    this.output.result(response, () => (response === null ? [] : [plainJson(response)]));
  }
}

/** Fetches every page of a list, and returns them as if they were one. @throws CliError `usage` if the response is not a list. */
async function wholeList(client: Client, listPath: string): Promise<Page<unknown>> {
  const list = async (query: { cursor?: string }) => {
    const page = await client.request<Page<unknown> | null>({
      method: 'GET',
      path: withQuery(listPath, query),
    });
    if (!Array.isArray(page?.data)) throw usageError(`${listPath} is not a list.`, 'Leave out --all.');
    return page;
  };
  const data: unknown[] = [];
  for await (const item of allPages(list, {})) data.push(item);
  return { data, next_cursor: null };
}

function withQuery(path: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields);
  return query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
