import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../adapters/package-folder.ts';
import { type IconName, iconSvg } from '../../core/look/icons.ts';
import { PROVIDERS } from '../../core/providers/providers.ts';
import { Markup } from '../../core/text/markup.ts';
import { renderCode } from '../markdown/code-blocks.ts';
import { type DocsSite, pageHref } from './docs-site.ts';

/**
 * Returns the main element of the first page, `shared/docs/home.html`, with its placeholders filled in.
 * @throws Error if the file has an unknown placeholder.
 */
export function homeMain(site: DocsSite, version: string): Markup {
  const fills: Partial<Record<string, (of: string) => string>> = {
    page: (name) => pageHref(name, site),
    icon: (name) => iconSvg(name as IconName),
    command: (command) => renderCode(command, 'sh'),
    below: (of) => {
      const [name, group] = of.split(' ');
      const children = site.order.find((entry) => entry.name === name)?.children ?? [];
      return String(children.filter((child) => group === undefined || child.group === group).length);
    },
    providers: () => String(PROVIDERS.length),
    version: () => version,
    openapi: () => `${site.settings.baseUrl}/v1/openapi.json`,
  };
  const text = readFileSync(path.join(packageFolder(), 'shared/docs/home.html'), 'utf8');
  return new Markup(
    text.replace(/\{(\w+) ?([\w -]*)\}/g, (_, key: string, of: string) => {
      const fill = fills[key];
      if (fill === undefined) throw new Error(`home.html has the unknown placeholder {${key}}`);
      return fill(of);
    }),
  );
}
