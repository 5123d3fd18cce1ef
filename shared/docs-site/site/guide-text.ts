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
 * Fills the deployment's names and values into a guide. The guides contain the default service name, so that they read well in the
 * repository. This function replaces each default name with the configured name. It also replaces placeholders such as `{base_url}` and
 * `{plans_table}`. Text inside a placeholder, as in `{plans_table: …}`, is a note for readers of the file.
 */
export function fillGuide(text: string, settings: DocsSettings): string {
  // Names are replaced first, so that URLs that are filled in afterwards stay unchanged.
  return withNames(text, settings).replace(/\{([a-z_]+_(?:url|table))(?:: [^{}]*)?\}/g, (_, key: string) => {
    const fill = FILLS[key];
    if (!fill) throw new Error(`a guide uses the unknown placeholder {${key}}`);
    return fill(settings);
  });
}

/** Replaces the default names with the configured names, the longest first: `X-Service-` before `Service-`. */
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
 * Returns each spelling of a name in the guides, with its replacement. A header also occurs in lowercase, in code. The service's own name
 * occurs as an argument of the SDK. The guides are about Nameplate, so its name stays.
 */
function spellings(key: string, defaultName: string, name: string): [string, string][] {
  if (key === 'service_name') {
    return [`serviceName: '${defaultName}'`, `\`${defaultName}-`].map((text) => [
      text,
      text.replace(defaultName, name),
    ]);
  }
  if (key === 'shown_name') return [];
  const plain: [string, string] = [defaultName, name];
  return /_header(_prefix)?$/.test(key) ? [plain, [defaultName.toLowerCase(), name.toLowerCase()]] : [plain];
}

/** Returns the pattern of a name. The label `_service` matches only by itself, and not in a word such as `cap_net_bind_service`. */
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
  /** The path of the file in the package. Links in the file are relative to this path. */
  file: string;
  text: string;
}

/** Reads every page from the package. Only the files of the docs folder and the changelog can become pages. */
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

/** Reads the file of a picture that pages show. */
export function readPicture(name: string): Buffer<ArrayBuffer> {
  return readFileSync(path.join(packageFolder(), PICTURES, name));
}

/** Returns the names of the pictures that pages can show. The folder may be missing, because Git does not store an empty folder. */
export function pictureNames(): string[] {
  const folder = path.join(packageFolder(), PICTURES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /^[a-z-]+\.(?:svg|png)$/.test(name));
}

const FOLDER = 'shared/docs';
export const PICTURES = `${FOLDER}/pictures`;
const CHANGELOG = { name: 'changelog', file: 'CHANGELOG.md' };
