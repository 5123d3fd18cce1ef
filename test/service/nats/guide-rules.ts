import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../../shared/adapters/package-folder.ts';

/** Returns the rules for the users of NATS from the guide, as lines of a server's configuration. */
export function guideRules(): string {
  const guide = readFileSync(path.join(packageFolder(), 'shared', 'docs', 'deploying-nats.md'), 'utf8');
  const [, rules] = /```nats\n(accounts \{[\s\S]*?)```/.exec(guide) ?? [];
  if (rules === undefined) throw new Error('the guide has no rules for the users of NATS');
  return rules;
}
