import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../adapters/package-folder.ts';

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
