import { readFileSync } from 'node:fs';
import path from 'node:path';
import { digestName, type FontName, readFont } from '../adapters/fonts.ts';
import { packageFolder, readBrowserScript } from '../adapters/package-folder.ts';
import { tabIconSvg } from '../core/look/logo.ts';
import { fontFaces } from '../core/look/tokens.ts';
import { DOCS_STYLE } from './docs-style.ts';
import type { DocsSite } from './site/docs-site.ts';
import { pictureNames, readPicture, withNames } from './site/guide-text.ts';

/** A style, script, picture or index that pages of the documentation load. */
export interface DocsAsset {
  /** The path, which contains a digest of the content, so that browsers can cache the file for a year. */
  href: string;
  contentType: string;
  body: string | Buffer<ArrayBuffer>;
}

/** The paths of the files that pages load. */
export interface DocsAssets {
  style: string;
  script: string;
  search: string;
  index: string;
  icon: string;
  /** The font for text, which pages preload. */
  font: string;
  /** The version of the package, which pages show. */
  version: string;
  files: ReadonlyMap<string, DocsAsset>;
  pictures: ReadonlyMap<string, { src: string; width: number; height: number }>;
}

/** Reads the files that pages load, and gives each file its path. */
export function createAssets(site: DocsSite): DocsAssets {
  const files = new Map<string, DocsAsset>();
  function add(name: string, contentType: string, body: string | Buffer<ArrayBuffer>): string {
    const href = `${site.docsPath}/assets/${digestName(name, body)}`;
    files.set(name, { href, contentType, body });
    return href;
  }
  const pictures = new Map(
    pictureNames().map((name) => {
      const body = readPicture(name);
      const src = add(name, name.endsWith('.svg') ? SVG : 'image/png', body);
      return [name, { src, ...imageSize(body) }];
    }),
  );
  const font = (name: FontName) => add(`${name}.woff2`, 'font/woff2', readFont(name));
  const fonts = { next: font('next'), mono: font('mono') };
  return {
    font: fonts.next,
    version: JSON.parse(readFileSync(path.join(packageFolder(), 'package.json'), 'utf8')).version,
    style: add('docs.css', 'text/css; charset=utf-8', DOCS_STYLE + fontFaces(fonts)),
    script: add('docs.js', SCRIPT, readBrowserScript('docs.browser.js')),
    search: add('search.js', SCRIPT, readBrowserScript('docs-search.browser.js')),
    index: add('search.json', 'application/json', searchIndex(site)),
    icon: add('icon.svg', SVG, tabIconSvg()),
    files,
    pictures,
  };
}

/** Returns the name of an asset, given the last part of the asset's path. */
export function assetName(file: string): string {
  return file.replace(/^[\w-]{12}-/, '');
}

/** The file in `dist` to which the build writes the search index. */
export const INDEX_FILE = 'docs-search.json';

/** Placeholders for URLs in the built search index, which a node replaces with the deployment's URLs. */
export const INDEX_SITE = { baseUrl: 'https://base.invalid', docsUrl: 'https://docs.invalid' };

/**
 * Returns the built search index with the URLs and names of this deployment. The names can be replaced, because each is a whole term of the
 * index.
 */
function searchIndex({ settings }: DocsSite): string {
  return withNames(readBrowserScript(INDEX_FILE), settings)
    .replaceAll(INDEX_SITE.baseUrl, settings.baseUrl)
    .replaceAll(INDEX_SITE.docsUrl, settings.docsUrl);
}

const SVG = 'image/svg+xml';
const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * Returns the size of a PNG or SVG picture, so that a page can reserve room for the picture.
 * @throws Error if the picture does not state its size.
 */
function imageSize(picture: Buffer): { width: number; height: number } {
  if (picture.subarray(1, 4).toString('latin1') === 'PNG') {
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  }
  const [, width, height] = /\bviewBox="0 0 (\d+) (\d+)"/.exec(picture.toString('utf8')) ?? [];
  if (width === undefined || height === undefined) {
    throw new Error('a picture of the docs must be a PNG, or an SVG whose viewBox begins at 0 0');
  }
  return { width: Number(width), height: Number(height) };
}
