import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Matches a file with a license, or with a notice that the license requires us to include (Apache-2.0 section 4d). */
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;
/** Matches the section of a README in which some packages have their license. */
const README_SECTION = /^#+ *licen[cs]e *\n([\s\S]+)/im;

const HEAD = `# Licenses of bundled packages

The files in \`dist\` contain code of these packages. Each section has the license under which a package is distributed.
`;

/**
 * Writes the licenses of all packages in the bundles to THIRD_PARTY_LICENSES.md.
 * @param inputs the source files in the bundles, relative to the root.
 * @throws Error if a package has no license text.
 */
export async function writeLicenses(root: string, inputs: Iterable<string>): Promise<void> {
  const folders = new Set([...inputs].flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  const sections = await Promise.all(Array.from(folders, (folder) => sectionOf(path.join(root, folder))));
  const text = [...new Set(sections)].toSorted().join('');
  await writeFile(path.join(root, 'THIRD_PARTY_LICENSES.md'), HEAD + text);
}

/**
 * Matches the folder of the package that a file belongs to. A package may be inside another package. A built-in module (`builtin:…`) has no
 * folder.
 */
const PACKAGE = /^(?:[^:]*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Maps a package without a license text to a package of the same owner whose license text applies to both. */
const SAME_LICENSE: Readonly<Record<string, string>> = { 'yoga-layout': 'react' };

async function sectionOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const from = path.join(folder, '..', SAME_LICENSE[manifest.name] ?? path.basename(folder));
  const files = (await readdir(from)).filter((name) => LICENSE_FILE.test(name)).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(path.join(from, name), 'utf8')));
  if (texts.length === 0) {
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8').catch(() => '');
    const [, section] = README_SECTION.exec(readme) ?? [];
    if (section === undefined) throw new Error(`${folder} is bundled, and has no license text.`);
    texts.push(section);
  }
  const fenced = texts.map((text) => `\n\`\`\`\`text\n${text.trim()}\n\`\`\`\`\n`).join('');
  return `\n## ${manifest.name} ${manifest.version}\n\n${manifest.license}\n${fenced}`;
}
