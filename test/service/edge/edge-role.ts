import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { packageFolder } from '../../../shared/adapters/package-folder.ts';

/** A database role with the rights that the guide gives to an edge. */
export interface EdgeRole extends AsyncDisposable {
  /** The address of the database with this role. */
  url: string;
}

/**
 * Creates the role by the statements of a guide, under a name of its own, because roles belong to the whole server. Removes it by the
 * statements for an edge that an attacker has taken over.
 * @param of the page, and the name of the role there.
 */
export async function createEdgeRole(
  databaseUrl: string,
  of = { page: 'deploying-edge', role: EDGE_ROLE },
): Promise<EdgeRole> {
  const name = `edge_${randomBytes(6).toString('hex')}`;
  const url = new URL(databaseUrl);
  const here = (statements: string, role: string) =>
    statements.replaceAll(role, name).replaceAll('database nameplate', `database "${url.pathname.slice(1)}"`);
  const removal = statementsOf('deploying-edge', EDGE_ROLE).filter(isRemoval).join('');
  const creation = statementsOf(of.page, of.role).filter((each) => !isRemoval(each));
  await execute(databaseUrl, here(creation.join(''), of.role));
  url.username = name;
  url.password = 'a-long-password';
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(databaseUrl, here(removal, EDGE_ROLE)),
  };
}

const EDGE_ROLE = 'nameplate_edge';

const isRemoval = (statements: string) => statements.includes('drop role');

/** Returns the blocks of SQL of a page that are about a role. */
function statementsOf(page: string, role: string): string[] {
  const guide = readFileSync(path.join(packageFolder(), 'shared', 'docs', `${page}.md`), 'utf8');
  const blocks = [...guide.matchAll(/```sql[^\n]*\n([\s\S]*?)```/g)].map(([, statements = '']) => statements);
  const found = blocks.filter((block) => block.includes(role));
  if (found.length === 0) throw new Error(`the guide has no statements for the role ${role}`);
  return found;
}

async function execute(connectionString: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
