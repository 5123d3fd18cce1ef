import type * as z from 'zod';
import { BUDGETS, type Budget, limitText } from '../../shared/core/budgets.ts';
import { CASES_WITHOUT_CHANGES, WITHOUT_CHANGES } from '../../shared/core/dns/changes/without-changes.ts';
import { stateDiagram, stateTable } from '../../shared/core/domains/state-edges.ts';
import { FORCED_OUTCOMES } from '../../shared/core/domains/test-mode.ts';
import { ERRORS } from '../../shared/core/errors.ts';
import type { Provider } from '../../shared/core/providers/provider.ts';
import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { REASON_CODES, REASONS, type ReasonCode, type ReasonGroup } from '../../shared/core/reasons.ts';
import { markdownTable } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { apiKeySchema } from '../../shared/schema/api-key.ts';
import { appSchema } from '../../shared/schema/app.ts';
import { certificateSchema } from '../../shared/schema/certificate.ts';
import { domainSchema } from '../../shared/schema/domain.ts';
import { deliverySchema, eventSchema } from '../../shared/schema/event.ts';
import { type ApiRoute, ROUTES } from '../../shared/schema/routes.ts';
import { trafficCountsSchema } from '../../shared/schema/traffic.ts';
import { fieldRows } from './field-rows.ts';
import { operationFile } from './operation-pages.ts';

/** The parts of guides that are generated from the code, by name. In a guide, the part is between `<!-- name -->` and `<!-- /name -->`. */
export const GENERATED_PARTS: Readonly<Record<string, () => string>> = {
  'state-diagram': () => ['```mermaid', stateDiagram(), '```'].join('\n'),
  'app-fields': () => fieldsTable(appSchema),
  'domain-fields': () => fieldsTable(domainSchema),
  'certificate-fields': () => fieldsTable(certificateSchema),
  'traffic-fields': () => fieldsTable(trafficCountsSchema),
  'key-fields': () => fieldsTable(apiKeySchema),
  'event-fields': () => fieldsTable(eventSchema),
  'delivery-fields': () => fieldsTable(deliverySchema),
  'apps-operations': () => operationsTable('Apps'),
  'keys-operations': () => operationsTable('Keys'),
  'domains-operations': () => operationsTable('Domains'),
  'events-operations': () => operationsTable('Events'),
  transitions: () =>
    markdownTable(
      ['From', 'To', 'Trigger [condition] / event'],
      stateTable().map(({ from, to, label }) => [from || '(new)', to, label]),
    ),
  errors: () =>
    markdownTable(
      ['Code', 'Status', 'Meaning'],
      Object.entries(ERRORS).map(([code, { status, message }]) => [
        linkTo('errors', code),
        String(status),
        message,
      ]),
    ),
  'dns-reasons': () => reasonsTable('dns'),
  'ca-reasons': () => reasonsTable('ca'),
  'origin-reasons': () => reasonsTable('origin'),
  'whitelabel-reasons': () => reasonsTable('whitelabel'),
  'other-reasons': () => reasonsTable('other'),
  'without-changes': withoutChangesTable,
  'test-outcomes': () =>
    markdownTable(
      ['First label', 'What happens to the domain'],
      FORCED_OUTCOMES.map(({ label, summary }) => [`\`${label}\``, summary]),
    ),
  budgets: () =>
    markdownTable(
      ['Limited', 'For each', 'Limit', 'Counted'],
      Object.values<Budget>(BUDGETS).map((each) => [
        each.what,
        each.whose,
        each.kind === 'shared'
          ? `${limitText(each)}; ${each.limit} for all together, then 1 for each further ${each.whose}, up to ${each.firsts}`
          : limitText(each),
        isStored(each) ? 'by all nodes together' : 'on each node',
      ]),
    ),
  providers: () =>
    markdownTable(
      ['Provider', 'Name servers in (N: digits)', 'At the apex'],
      PROVIDERS.map(({ name, name_servers, apex }) => [
        name,
        name_servers.map((zone) => `\`${zone}\``).join(', '),
        apex === undefined ? 'A and AAAA only' : AT_APEX[apex],
      ]),
    ),
};

/**
 * Replaces the text between each pair of markers with newly generated text.
 * @throws Error if a marker names a part that does not exist, or has no end.
 */
export function withGeneratedParts(text: string): string {
  return text.replace(MARKED_PART, (_, name: string) => {
    const make = GENERATED_PARTS[name];
    if (make === undefined) throw new Error(`no part is called ${name}`);
    return `<!-- ${name} -->\n${make()}\n<!-- /${name} -->`;
  });
}

/** Returns true if a rate limit is counted in the database, not in memory. */
function isStored(budget: Budget): boolean {
  if ('counted' in budget) return budget.counted === 'stored';
  return budget.kind === 'window' || budget.kind === 'shared';
}

const MARKED_PART = /<!-- ([a-z-]+) -->.*?<!-- \/\1 -->/gs;

const AT_APEX: Readonly<Record<NonNullable<Provider['apex']>, string>> = {
  cname_flattening: 'flattens a CNAME',
  alias: 'ALIAS',
  aname: 'ANAME',
};

function reasonsTable(group: ReasonGroup): string {
  const codes: readonly ReasonCode[] = REASON_CODES.filter((code) => REASONS[code].group === group);
  return markdownTable(
    ['Reason', 'What it means'],
    codes.map((code) => [linkTo('reasons', code), REASONS[code].title]),
  );
}

function withoutChangesTable(): string {
  const always = Object.entries(WITHOUT_CHANGES).map(([code, why]) => [
    linkTo('reasons', code),
    'Always',
    why,
  ]);
  const sometimes = CASES_WITHOUT_CHANGES.map(({ code, when, why }) => [
    code === null ? 'any' : linkTo('reasons', code),
    when,
    why,
  ]);
  return markdownTable(['Finding', 'When', 'Why'], [...always, ...sometimes]);
}

function fieldsTable(schema: z.ZodType): string {
  const rows = fieldRows(schema).map(({ field, type, meaning }) => [`\`${field}\``, type, meaning]);
  return markdownTable(['Field', 'Type', 'Meaning'], rows);
}

function operationsTable(tag: ApiRoute['tag']): string {
  const routes = (Object.entries(ROUTES) as [string, ApiRoute][]).filter(([, route]) => route.tag === tag);
  const rows = routes.map(([id, { method, path, description, responses, errors }]) => [
    `[\`${method} ${path}\`](${operationFile(id)})`,
    description,
    Object.keys(responses).join(' or '),
    errors.map((code) => linkTo('errors', code)).join(', ') || 'none',
  ]);
  return markdownTable(['Operation', 'What it does', 'Success', 'Errors of its own'], rows);
}

function linkTo(folder: 'errors' | 'reasons', code: string): string {
  return `[\`${code}\`](${folder}/${code}.md)`;
}
