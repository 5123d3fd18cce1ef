import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { INDEX_FILE, INDEX_SITE } from '../../shared/docs-site/docs-assets.ts';
import { searchSections } from '../../shared/docs-site/search/search-sections.ts';
import { INDEX_OPTIONS } from '../../shared/docs-site/search/search-terms.ts';
import { createSite } from '../../shared/docs-site/site/docs-site.ts';

/** Writes the search index of the documentation to `dist`, with the default names of the service. */
export async function buildDocsSearch(root: string): Promise<void> {
  const site = createSite({ ...INDEX_SITE, names: serviceNames('Service'), plans: PLANS });
  const index = new MiniSearch(INDEX_OPTIONS);
  index.addAll(searchSections(site));
  const file = path.join(root, 'dist', INDEX_FILE);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(index));
  await rename(unfinished, file);
}
