import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { codePages } from './code-pages.ts';
import { operationPages } from './operation-pages.ts';
import { withGeneratedParts } from './tables.ts';

/** Folders in which every page is generated. */
const GENERATED = ['api', 'errors', 'reasons'];

/**
 * Compares the generated parts of the documentation with the code.
 * @returns the outdated files with their new text, and the files of codes that no longer exist.
 */
export function outdatedDocs(root: string): { files: Map<string, string>; stale: string[] } {
  const present = globSync(['README.md', 'shared/docs/**/*.md'], { cwd: root }).map((file) =>
    file.replaceAll(path.sep, '/'),
  );
  const texts = new Map(present.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  const generated = [...codePages((file) => texts.get(`shared/docs/${file}`) ?? ''), ...operationPages()];
  const pages = new Map(generated.map(([file, text]) => [`shared/docs/${file}`, text]));
  const isGenerated = (file: string) => GENERATED.some((folder) => file.startsWith(`shared/docs/${folder}/`));
  const stale = present.filter((file) => isGenerated(file) && !pages.has(file)).sort();
  const guides = present.filter((file) => !isGenerated(file));
  const current = new Map([
    ...guides.map((file) => [file, withGeneratedParts(texts.get(file) ?? '')] as const),
    ...pages,
  ]);
  return { files: new Map([...current].filter(([file, text]) => texts.get(file) !== text)), stale };
}
