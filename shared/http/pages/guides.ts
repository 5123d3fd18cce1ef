import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../adapters/package-folder.ts';

/** Returns the names of the guides in shared/docs, without `.md`, in alphabetical order. */
export function guideNames(): readonly string[] {
  names ??= readdirSync(docsFolder())
    .filter((file) => /^[a-z-]+\.md$/.test(file))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();
  return names;
}

/**
 * Returns the markdown of a guide. Returns null if the folder's listing does not contain the name, so a name cannot lead out of the folder.
 */
export function readGuide(name: string): string | null {
  if (!guideNames().includes(name)) return null;
  const text = texts.get(name) ?? readFileSync(join(docsFolder(), `${name}.md`), 'utf8');
  texts.set(name, text);
  return text;
}

/** Returns the guide's first heading. */
export function guideTitle(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
}

/** Read once, because guides change only with the package. */
let names: readonly string[] | undefined;
const texts = new Map<string, string>();

function docsFolder(): string {
  return join(packageFolder(), 'shared', 'docs');
}
