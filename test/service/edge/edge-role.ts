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
 * Creates the role by the statements of a guide, under a name of its own, because roles belong to the whole server.
 * @param of the page, and the name of the role there.
 */
export async function createEdgeRole(
  databaseUrl: string,
  of = { page: 'deploying-edge', role: 'nameplate_edge' },
): Promise<EdgeRole> {
  const name = `edge_${randomBytes(6).toString('hex')}`;
  const url = new URL(databaseUrl);
  const statements = guideStatements(of).replaceAll(of.role, name);
  await execute(databaseUrl, statements);
  url.username = name;
  url.password = 'a-long-password';
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(databaseUrl, `drop owned by ${name}; drop role ${name}`),
  };
}

function guideStatements({ page, role }: { page: string; role: string }): string {
  const guide = readFileSync(path.join(packageFolder(), 'shared', 'docs', `${page}.md`), 'utf8');
  const [, statements] =
    new RegExp(`\`\`\`sql[^\\n]*\\n(create role ${role}[\\s\\S]*?)\`\`\``).exec(guide) ?? [];
  if (statements === undefined) throw new Error(`the guide has no statements for the role ${role}`);
  return statements;
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
