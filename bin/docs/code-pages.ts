import { STATUS_CODES } from 'node:http';
import { CERTIFICATE_HELP } from '../../shared/core/certificates/certificate-help.ts';
import type { CodeHelp } from '../../shared/core/code-help.ts';
import { DNS_HELP } from '../../shared/core/dns/dns-help.ts';
import { ERROR_HELP } from '../../shared/core/error-help.ts';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { OTHER_HELP } from '../../shared/core/other-help.ts';
import type { Reason, ReasonGroup, Severity } from '../../shared/core/reason.ts';
import { REASON_CODES, REASONS, type ReasonCode, reasonDetail } from '../../shared/core/reasons.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { markdownTable } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { errorCodesOf, errorExample } from '../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, ROUTES } from '../../shared/schema/routes.ts';
import { operationFile } from './operation-pages.ts';
import { exampleDetail } from './reason-examples.ts';

/** Returns the page of each error code, by its path in the docs. */
export function errorPages(): Map<string, string> {
  return new Map((Object.keys(ERRORS) as ErrorCode[]).map((code) => [`errors/${code}.md`, errorPage(code)]));
}

/** Returns the page of each status reason, by its path in the docs. */
export function reasonPages(): Map<string, string> {
  return new Map(REASON_CODES.map((code) => [`reasons/${code}.md`, reasonPage(code)]));
}

function errorPage(code: ErrorCode): string {
  const { status, message, fix } = ERRORS[code];
  const all = Object.entries(ROUTES) as [string, ApiRoute][];
  const routes = all.filter(([, route]) => errorCodesOf(route).includes(code));
  const names = serviceNames('Service');
  const example = errorExample(code, { names, docsUrl: '{docs_url}' });
  return joined(
    `# \`${code}\``,
    message,
    markdownTable(
      ['Property', 'Value'],
      [
        ['HTTP status', `${status} ${STATUS_CODES[status] ?? ''}`],
        ['What to do', fix],
      ],
    ),
    ...helpParts(ERROR_HELP[code]),
    '## Example response',
    fenced('json', JSON.stringify(example, null, 2)),
    routes.length > 0 ? '## Returned by' : '',
    routes.length === all.length
      ? 'Every operation can return it.'
      : routes
          .map(([id, { method, path }]) => `- [\`${method} ${path}\`](../${operationFile(id)})`)
          .join('\n'),
    relatedPages(ERROR_HELP[code]),
  );
}

function reasonPage(code: ReasonCode): string {
  const { group, severity, retryable, title, meaning }: Reason = REASONS[code];
  const detail = exampleDetail(code);
  const isExample = detail.hint !== reasonDetail(code).hint;
  return joined(
    `# ${title}`,
    meaning,
    markdownTable(
      ['Property', 'Value'],
      [
        ['Code', `\`${code}\` ${GROUPS[group]}`],
        ['Severity', `\`${severity}\`: ${SEVERITIES[severity]}`],
        [
          'Does it resolve on its own?',
          retryable ? 'It can. A later check or attempt may succeed' : 'No. Someone has to change something',
        ],
        ['What to do', detail.hint],
      ],
    ),
    ...helpParts(REASON_HELP[code]),
    '## In the API',
    isExample ? 'These are example values. The API returns your own.' : '',
    fenced('json', JSON.stringify({ status_reason: code, status_detail: detail }, null, 2)),
    relatedPages(REASON_HELP[code]),
  );
}

const REASON_HELP: Readonly<Record<ReasonCode, CodeHelp>> = {
  ...DNS_HELP,
  ...CERTIFICATE_HELP,
  ...OTHER_HELP,
};

function helpParts({ causes }: CodeHelp): string[] {
  const parts = causes.map(
    ({ cause, tell, fix }) => `### ${cause}\n\n- **How to tell:** ${tell}\n- **Fix:** ${fix}`,
  );
  return [causes.length === 1 ? '## The cause' : '## Causes', ...parts];
}

function relatedPages({ related }: CodeHelp): string {
  return `## Related\n\n${related.map((link) => `- ${link}`).join('\n')}`;
}

const GROUPS: Record<ReasonGroup, string> = {
  dns: 'is a result of a DNS check',
  ca: 'is a result of issuing or renewing the certificate',
  origin: 'is a result of probing the origin',
  whitelabel: 'concerns the white-label host',
  other: 'concerns the domain as a whole',
};

const SEVERITIES: Record<Severity, string> = {
  error: 'the domain cannot work until this is fixed',
  warning: 'it may affect the domain',
  info: 'it resolves with time',
};

/** Returns a fenced code block. @param info the language, and attributes such as `tab="curl"`. */
export function fenced(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

/** Joins the blocks of a page, and leaves out empty ones. */
export function joined(...blocks: string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
