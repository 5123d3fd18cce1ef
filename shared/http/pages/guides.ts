import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../adapters/package-folder.ts';

/** The guides in shared/docs by name, without `.md`, in the alphabet's order. */
export function guideNames(): readonly string[] {
  names ??= readdirSync(docsFolder())
    .filter((file) => /^[a-z-]+\.md$/.test(file))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();
  return names;
}

/** The markdown of a guide; null unless the folder's own listing has the name, so no name can lead out of it. */
export function readGuide(name: string): string | null {
  if (!guideNames().includes(name)) return null;
  const text = texts.get(name) ?? readFileSync(join(docsFolder(), `${name}.md`), 'utf8');
  texts.set(name, text);
  return text;
}

/** The guide's first heading. */
export function guideTitle(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
}

/** Read once: a guide changes with the package only. */
let names: readonly string[] | undefined;
const texts = new Map<string, string>();

function docsFolder(): string {
  return join(packageFolder(), 'shared', 'docs');
}
