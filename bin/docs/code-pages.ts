import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import {
  REASON_CODES,
  REASONS,
  type Reason,
  type ReasonCode,
  type ReasonGroup,
  reasonDetail,
  type Severity,
} from '../../shared/core/reasons.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { markdownTable } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { errorExample } from '../../shared/schema/openapi/error-example.ts';
import { errorCodesOf } from '../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, ROUTES } from '../../shared/schema/routes.ts';
import { fenced, joined, operationFile } from './operation-pages.ts';
import { exampleDetail } from './reason-examples.ts';

/**
 * Returns the page of each error code and each status reason, by its path in the docs. The causes and the related pages are written by hand
 * in the page itself, and everything else comes from the code.
 * @param textOf returns the current text of a page, by its path in the docs.
 * @throws Error if a page has no causes or no related pages.
 */
export function codePages(textOf: (file: string) => string): Map<string, string> {
  const pageOf = (file: string, render: (help: Help) => string): [string, string] => [
    file,
    render(readHelp(file, textOf(file))),
  ];
  return new Map([
    ...(Object.keys(ERRORS) as ErrorCode[]).map((code) =>
      pageOf(`errors/${code}.md`, (help) => errorPage(code, help)),
    ),
    ...REASON_CODES.map((code) => pageOf(`reasons/${code}.md`, (help) => reasonPage(code, help))),
  ]);
}

/** The parts of a page that are written by hand, in Markdown. */
interface Help {
  causes: string;
  related: string;
}

const CAUSE = '### .+\\n\\n- \\*\\*How to tell:\\*\\* .+\\n- \\*\\*Fix:\\*\\* .+\\n\\n';
const CAUSES = new RegExp(`^## (?:The cause\\n\\n${CAUSE}|Causes\\n\\n(?:${CAUSE}){2,})(?=## )`, 'm');
const RELATED = /^## Related\n\n(?:- \[.+\n?)+$/m;

function readHelp(file: string, text: string): Help {
  const [causes] = CAUSES.exec(text) ?? [];
  const [related] = RELATED.exec(text) ?? [];
  if (causes !== undefined && related !== undefined)
    return { causes: causes.trimEnd(), related: related.trimEnd() };
  throw new Error(
    `shared/docs/${file} needs "## Causes" (or "## The cause"), with "How to tell" and "Fix" below each, and "## Related". Copy the form from another page`,
  );
}

function errorPage(code: ErrorCode, { causes, related }: Help): string {
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
    causes,
    '## Example response',
    fenced('json', JSON.stringify(example, null, 2)),
    routes.length > 0 ? '## Returned by' : '',
    routes.length === all.length
      ? 'Every operation can return this error.'
      : routes
          .map(([id, { method, path }]) => `- [\`${method} ${path}\`](../${operationFile(id)})`)
          .join('\n'),
    related,
  );
}

function reasonPage(code: ReasonCode, { causes, related }: Help): string {
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
        ['Does it resolve on its own?', resolution({ severity, retryable })],
        ['What to do', detail.hint],
      ],
    ),
    causes,
    '## In the API',
    isExample ? 'These are example values. The API returns your own values.' : '',
    fenced('json', JSON.stringify({ status_reason: code, status_detail: detail }, null, 2)),
    related,
  );
}

const GROUPS: Record<ReasonGroup, string> = {
  dns: 'is a result of a DNS check',
  ca: 'is a result of issuing or renewing the certificate',
  origin: 'is a result of probing the origin',
  whitelabel: 'concerns the white-label host',
  other: 'concerns the domain as a whole',
};

function resolution({ severity, retryable }: Pick<Reason, 'severity' | 'retryable'>): string {
  if (retryable) return 'It can. A later check or attempt may succeed';
  return severity === 'info' ? 'It stays. Nothing is wrong' : 'No. Someone has to change something';
}

const SEVERITIES: Record<Severity, string> = {
  error: 'the domain cannot work until this is fixed',
  warning: 'it may affect the domain',
  info: 'nobody has to change anything',
};
