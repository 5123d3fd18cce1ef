import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { markdownTable } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { webhookBodySchema } from '../../shared/schema/event.ts';
import { errorExample } from '../../shared/schema/openapi/error-example.ts';
import { openApiDocument } from '../../shared/schema/openapi/openapi.ts';
import { errorCodesOf } from '../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, type OperationId, ROUTES } from '../../shared/schema/routes.ts';
import { type FieldRow, fieldRows } from './field-rows.ts';
import type { SampleCall } from './samples/call.ts';
import { curl, LANGUAGES } from './samples/languages.ts';
import { EXAMPLE_IDS, javascript, OPERATION_SAMPLES } from './samples/operation-samples.ts';

/** The settings with which the pages are generated. A server replaces the placeholders with its own addresses. */
const SETTINGS = { baseUrl: '{base_url}', docsUrl: '{docs_url}', names: serviceNames('Service') };

/** Returns the pages of all API operations, and the page of the webhook request, by their paths in the docs. */
export function operationPages(): Map<string, string> {
  const document = openApiDocument(SETTINGS) as unknown as OpenApi;
  const pages = (Object.keys(ROUTES) as OperationId[]).map(
    (id) => [operationFile(id), operationPage(id, document)] as const,
  );
  return new Map([...pages, ['api/webhook-request.md', webhookPage(document)]]);
}

/** Returns the path of an operation's page, such as `api/create-domain.md`. */
export function operationFile(id: string): string {
  return `api/${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
}

/** The parts of the OpenAPI document that the pages show. */
interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: OpenApiOperation & { requestBody: { content: OpenApiContent } } }>;
  components: { parameters: Record<string, OpenApiParameter> };
}
interface OpenApiOperation {
  parameters?: (OpenApiParameter | { $ref: string })[];
  responses: Record<string, { description: string; content?: OpenApiContent }>;
}
interface OpenApiParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: { type?: string; enum?: string[]; maximum?: number; minimum?: number; default?: unknown };
}
type OpenApiContent = Record<string, { example?: unknown }>;

function operationPage(id: OperationId, document: OpenApi): string {
  const route: ApiRoute = ROUTES[id];
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`the OpenAPI document lacks ${id}`);
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(parameter, document));
  return joined(
    `# ${route.summary.split(/[;,]/)[0]}`,
    route.description,
    `\`${route.method} ${route.path}\``,
    '## Request',
    samplesOf(id, route),
    parameters.length > 0 ? `### Parameters\n\n${parametersTable(parameters)}` : '',
    route.body === undefined ? '' : `### Body\n\n${fieldsTable(fieldRows(route.body, 'input'), true)}`,
    '## Response',
    ...responsesOf(route, operation),
    '## Errors',
    markdownTable(
      ['Code', 'Status', 'When'],
      errorCodesOf(route).map((code) => [
        `[\`${code}\`](../errors/${code}.md)`,
        String(ERRORS[code].status),
        ERRORS[code].message,
      ]),
    ),
  );
}

function samplesOf(id: OperationId, route: ApiRoute): string {
  const sample = OPERATION_SAMPLES[id];
  const [success] = Object.values(route.responses);
  const call: SampleCall = {
    method: route.method,
    path: route.path.replace('{id}', EXAMPLE_IDS[route.tag]),
    query: sample.query ?? '',
    body: sample.body ?? null,
    response: route.isStream ? 'stream' : success === null ? 'empty' : 'document',
  };
  const tabs = [
    { tab: 'curl', fence: 'sh', text: curl(call) },
    { tab: 'CLI', fence: 'sh', text: `npx nameplate ${sample.command}` },
    { tab: 'JavaScript', fence: 'js', text: javascript(sample.client) },
    ...LANGUAGES.map(({ tab, fence, write }) => ({ tab, fence, text: write(call) })),
  ];
  const body = sample.body === undefined ? '' : ` ${JSON.stringify(sample.body)}`;
  return joined(
    ...tabs.map(({ tab, fence, text }) => fenced(`${fence} tab="${tab}"`, text)),
    route.isStream ? '' : `<!-- try: ${route.method} ${route.path}${call.query}${body} -->`,
  ).trimEnd();
}

function responsesOf(route: ApiRoute, operation: OpenApiOperation): string[] {
  // List the highest status first: 201 is the usual response, and 200 means that the resource already existed.
  const statuses = Object.keys(route.responses).toReversed();
  const described = statuses.map((status) => operation.responses[status]);
  const lines = statuses.map((status, index) => `- \`${status}\`: ${described[index]?.description ?? ''}`);
  const [content] = Object.values(described[0]?.content ?? {});
  const [schema] = Object.values(route.responses);
  const example = content?.example;
  const language = typeof example === 'object' ? 'json' : 'text';
  const body =
    typeof example === 'object' ? JSON.stringify(example, null, 2) : String(example ?? '(no body)');
  const failures = Object.entries(failuresOf(route)).map(([status, code]) =>
    fenced(`json tab="${status}"`, JSON.stringify(errorExample(code, SETTINGS), null, 2)),
  );
  return [
    lines.join('\n'),
    fenced(`${language} tab="${statuses.join(', ')}"`, body.trimEnd()),
    ...failures,
    schema === null || schema === undefined ? '' : `### Fields\n\n${fieldsTable(fieldRows(schema), false)}`,
  ];
}

/** Returns one error for each status with which an operation refuses a request, without the errors that any request can get. */
function failuresOf(route: ApiRoute): Record<string, ErrorCode> {
  const common = errorCodesOf(route).filter((code) => code === 'not_found' || code === 'validation_failed');
  const codes = [...common, ...route.errors.toReversed()];
  return Object.fromEntries(codes.map((code) => [ERRORS[code].status, code]));
}

function webhookPage(document: OpenApi): string {
  const active = document.webhooks['domain.active']?.post;
  const headers = (active?.parameters ?? []).map((parameter) => resolved(parameter, document));
  const example = active?.requestBody.content['application/json']?.example;
  return joined(
    '# The webhook request',
    "Nameplate sends this request to your app's `webhook_url` for each event. [Webhooks](../webhooks.md) says how to verify and answer it.",
    '`POST <webhook_url>`',
    '## Headers',
    markdownTable(
      ['Header', 'Meaning'],
      headers.map(({ name, description = '' }) => [`\`${name}\``, description]),
    ),
    '## Body',
    fenced('json', JSON.stringify(example, null, 2)),
    '### Fields',
    fieldsTable(fieldRows(webhookBodySchema), false),
    '## Your response',
    'Respond with any 2xx within 10 seconds. On any other response, or none, Nameplate [sends the event again](../webhooks.md#retries).',
  );
}

function resolved(parameter: OpenApiParameter | { $ref: string }, { components }: OpenApi): OpenApiParameter {
  if (!('$ref' in parameter)) return parameter;
  const found = components.parameters[parameter.$ref.slice('#/components/parameters/'.length)];
  if (found === undefined) throw new Error(`no parameter is called ${parameter.$ref}`);
  return found;
}

function parametersTable(parameters: readonly OpenApiParameter[]): string {
  return markdownTable(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, description = '', schema }) => [
      `\`${name}\``,
      required ? `${place}, required` : place,
      [
        schema.enum?.map((value) => `\`${value}\``).join(', ') ?? schema.type ?? 'string',
        schema.maximum === undefined ? '' : `${schema.minimum ?? 0} to ${schema.maximum}`,
        schema.default === undefined ? '' : `default ${schema.default}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
      description,
    ]),
  );
}

function fieldsTable(rows: readonly FieldRow[], hasRules: boolean): string {
  return hasRules
    ? markdownTable(
        ['Field', 'Type', 'Rule', 'Meaning'],
        rows.map(({ field, type, rule, meaning }) => [`\`${field}\``, type, rule || '–', meaning || '–']),
      )
    : markdownTable(
        ['Field', 'Type', 'Meaning'],
        rows.map(({ field, type, meaning }) => [`\`${field}\``, type, meaning || '–']),
      );
}

/** Returns a fenced code block. @param info the language, and attributes such as `tab="curl"`. */
export function fenced(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

/** Joins the blocks of a page, without the empty blocks. */
export function joined(...blocks: string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
