import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../adapters/package-folder.ts';
import { PLAN_NAMES } from '../../core/accounts/plan.ts';
import { serviceNames } from '../../core/service-name.ts';
import type { Settings } from '../../core/settings.ts';
import { markdownTable } from '../markdown/text-of-tokens.ts';

/** The settings that the documentation uses. */
export type DocsSettings = Pick<Settings, 'names' | 'baseUrl' | 'docsUrl' | 'plans'>;

/**
 * Fills in a guide. The guides use the default service name, so that they read well in the repository. Each default name becomes the
 * configured one, `{base_url}` becomes an address, and `{plans_table}` the plans of the deployment. Text after the name, as in
 * `{plans_table: …}`, is a note for readers of the file and is removed.
 */
export function fillGuide(text: string, settings: DocsSettings): string {
  // Names are replaced first, so that the addresses that are filled in stay unchanged.
  return withNames(text, settings).replace(/\{([a-z_]+_(?:url|table))(?:: [^{}]*)?\}/g, (_, key: string) => {
    const fill = FILLS[key];
    if (!fill) throw new Error(`a guide uses the unknown placeholder {${key}}`);
    return fill(settings);
  });
}

/** Replaces the default names with the configured ones, longest first: `X-Service-` before `Service-`. */
export function withNames(text: string, { names }: DocsSettings): string {
  const byDefault = new Map(
    Object.entries(DEFAULT_NAMES).flatMap(([key, defaultName]) =>
      spellings(key, defaultName, names[key as keyof typeof names]),
    ),
  );
  const longestFirst = [...byDefault.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map(patternOf).join('|'), 'g');
  return text.replace(any, (name) => byDefault.get(name) ?? name);
}

/**
 * Returns each spelling of a name in the guides and its replacement. Code reads headers in lowercase, and the SDK takes the service's own
 * name.
 */
function spellings(key: string, defaultName: string, name: string): [string, string][] {
  if (key === 'service_name') {
    return [`serviceName: '${defaultName}'`, `\`${defaultName}-`].map((text) => [
      text,
      text.replace(defaultName, name),
    ]);
  }
  const plain: [string, string] = [defaultName, name];
  return /_header(_prefix)?$/.test(key) ? [plain, [defaultName.toLowerCase(), name.toLowerCase()]] : [plain];
}

/** The label `_service` is a name of its own, but not a part of a word such as `cap_net_bind_service`. */
function patternOf(name: string): string {
  return `${name.startsWith('_') ? '(?<!\\w)' : ''}${name.replace(/[/.*]/g, '\\$&')}`;
}

const DEFAULT_NAMES = serviceNames('Service');

const FILLS: Readonly<Record<string, (settings: DocsSettings) => string>> = {
  base_url: ({ baseUrl }) => baseUrl,
  docs_url: ({ docsUrl }) => docsUrl,
  plans_table: ({ plans }) => {
    const yes = (has: boolean) => (has ? 'yes' : 'no');
    const rows = PLAN_NAMES.map((name) => {
      const { included, limit, per_domain_origin, whitelabel, live_keys } = plans[name];
      return [name, String(included), String(limit), yes(per_domain_origin), yes(whitelabel), yes(live_keys)];
    });
    return markdownTable(
      ['Plan', 'Live domains included', 'At most', 'Origin per domain', 'White-label', 'Live keys'],
      rows,
    );
  },
};

/** A Markdown file of the package that the documentation shows as a page. */
export interface DocsFile {
  /** The page's address below `/docs`, such as `webhooks` or `errors/rate_limited`. */
  name: string;
  /** The path of the file in the package, to which its links are relative. */
  file: string;
  text: string;
}

/** Reads every page from the package. Files outside of these folders cannot become pages. */
export function readDocsFiles(): DocsFile[] {
  const folder = path.join(packageFolder(), FOLDER);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /^[a-z0-9_/-]+\.md$/.test(file))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.md'.length), file: `${FOLDER}/${file}` }));
  return [...files, CHANGELOG].map(({ name, file }) => ({
    name,
    file,
    text: readFileSync(path.join(packageFolder(), file), 'utf8'),
  }));
}

/** Reads a picture that pages show. */
export function readPicture(name: string): Buffer<ArrayBuffer> {
  return readFileSync(path.join(packageFolder(), PICTURES, name));
}

/** Returns the names of the pictures that pages can show. Git keeps no empty folder, so without pictures there is none. */
export function pictureNames(): string[] {
  const folder = path.join(packageFolder(), PICTURES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /^[a-z-]+\.(?:svg|png)$/.test(name));
}

const FOLDER = 'shared/docs';
export const PICTURES = `${FOLDER}/pictures`;
const CHANGELOG = { name: 'changelog', file: 'CHANGELOG.md' };
