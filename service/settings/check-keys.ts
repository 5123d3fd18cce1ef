import type { Mode } from '../../shared/core/domains/status.ts';
import type { AppId, DomainId } from '../../shared/core/ids.ts';
import {
  accountBinding,
  certificateBinding,
  orderBinding,
} from '../../shared/operations/certificates/certificate-keys.ts';
import { answerBinding } from '../../shared/operations/domains/effect.ts';
import { sealedFor } from '../../shared/operations/events/signing-secrets.ts';
import type { Log, SecretBox } from '../../shared/ports/system.ts';
import { findNewestEdgeKey, listEdgeKeys } from '../../shared/store/edge/edge-values.ts';
import {
  keyIdOf,
  type SealedColumn,
  type SealedSample,
  sampleSealed,
} from '../../shared/store/sealed/sealed-samples.ts';
import type { Store } from '../../shared/store/store.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import type { EncryptionKeys } from './setting-kinds.ts';

/** The reason why a key ring cannot decrypt all stored secrets, and the fix. */
export interface KeyRingProblem {
  message: string;
  fix: string;
}

/**
 * Checks that the key ring can decrypt the stored secrets. If it cannot, live hostnames would have no route, and the node would encrypt new
 * secrets with a key that no other node has.
 * @throws CommandError that names the keys.
 */
export async function checkKeys(store: Store, keys: EncryptionKeys, secrets: SecretBox): Promise<void> {
  const problem = await findKeyRingProblem(store, keys, secrets);
  if (problem !== null) throw new CommandError('encryption_keys_unusable', problem.message, problem.fix);
}

/**
 * Checks that a node has the key under which other nodes seal the values of edges. Without it, the node would seal all values again under a
 * key that the edges may lack. Logs the other missing keys. The node may start without them, because `edge-keys rotate` replaces them.
 * @throws CommandError that names the key.
 */
export async function checkEdgeKeys(store: Store, { keys }: EncryptionKeys, log: Log): Promise<void> {
  const missing = (await listEdgeKeys(store)).filter((id) => !keys.has(id));
  if (missing.length === 0) return;
  const id = await findNewestEdgeKey(store);
  if (id !== null && missing.includes(id))
    throw new CommandError(
      'encryption_keys_unusable',
      `The values of edges are sealed with the key "${id}", which is missing from NAMEPLATE_EDGE_KEYS. It has ${listed(keys.keys())}.`,
      'Give this node the NAMEPLATE_EDGE_KEYS of the other nodes. To retire a key, run `nameplate service edge-keys rotate` first.',
    );
  log.warn(
    { missing },
    'an edge with these NAMEPLATE_EDGE_KEYS responds with 503 at some hostnames, because their values are sealed with other keys: run `nameplate service edge-keys rotate`',
  );
}

/**
 * Checks all keys in use: for each key and each column with secrets, decrypts one stored text. Returns null if all texts can be decrypted.
 */
export async function findKeyRingProblem(
  store: Store,
  { keys }: EncryptionKeys,
  secrets: SecretBox,
): Promise<KeyRingProblem | null> {
  const missing = new Set<string>();
  const wrong = new Set<string>();
  for (const source of SOURCES) {
    for (const sample of await sampleSealed(store, source)) {
      const id = keyIdOf(sample.sealed);
      if (!keys.has(id)) missing.add(id);
      else if (!opens(secrets, sample, source)) wrong.add(id);
    }
  }
  if (missing.size > 0) {
    return {
      message: `Stored secrets are encrypted with keys that are missing from NAMEPLATE_ENCRYPTION_KEYS: ${listed(missing)}. It has ${listed(keys.keys())}.`,
      fix: 'Add the missing keys at the end of the setting. To retire a key, run `nameplate service encryption-key rotate` first.',
    };
  }
  if (wrong.size > 0) {
    return {
      message: `Some keys in NAMEPLATE_ENCRYPTION_KEYS cannot decrypt the secrets stored under their ids: ${listed(wrong)}. Their bytes have changed.`,
      fix: 'Give each of these ids its original bytes. A new key needs an id that was never used.',
    };
  }
  return null;
}

interface Source extends SealedColumn {
  boundTo(sample: SealedSample): string;
}

const SOURCES: readonly Source[] = [
  ...(['signing_secret', 'previous_signing_secret'] as const).map((column) => ({
    table: 'apps' as const,
    column,
    belongsTo: ['id'],
    boundTo: ({ id }: SealedSample) => sealedFor(id as AppId),
  })),
  {
    table: 'certificates',
    column: 'data_key',
    belongsTo: ['domain_id', 'serial'],
    boundTo: ({ domain_id, serial = '' }) => certificateBinding({ domain_id: domain_id as DomainId, serial }),
  },
  {
    table: 'certificate_orders',
    column: 'private_key',
    belongsTo: ['domain_id'],
    boundTo: ({ domain_id }) => orderBinding(domain_id as DomainId),
  },
  {
    table: 'acme_accounts',
    column: 'private_key',
    belongsTo: ['directory_url'],
    boundTo: ({ directory_url = '' }) => accountBinding(directory_url),
  },
  {
    table: 'idempotency',
    column: 'body',
    belongsTo: ['app_id', 'mode', 'key'],
    boundTo: ({ app_id, mode, key = '' }) =>
      answerBinding({ scope: { app_id: app_id as AppId, mode: mode as Mode }, key }),
  },
];

function opens(secrets: SecretBox, sample: SealedSample, { boundTo }: Source): boolean {
  try {
    secrets.open(sample.sealed, boundTo(sample));
    return true;
  } catch {
    // The key is wrong, or the text was changed. In both cases, the report names the id of the key.
    return false;
  }
}

function listed(ids: Iterable<string>): string {
  return [...ids].map((id) => `"${id}"`).join(', ');
}
