import type { NewTable } from './new-table.ts';

/** The tables of the certificate manager, for the first schema. */
export const CERTIFICATE_TABLES: readonly NewTable[] = [
  [
    'acme_accounts',
    ['directory_url'],
    [
      ['directory_url', 'text'],
      ['account_url', 'text', 'null'],
      ['private_key', 'text'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'certificates',
    ['id'],
    [
      ['id', 'id'],
      ['domain_id', 'id'],
      ['ca', 'text'],
      ['names', 'text'],
      ['chain', 'text'],
      ['private_key', 'text'],
      ['data_key', 'text'],
      ['serial', 'text'],
      ['issuer', 'text'],
      ['ari_id', 'text', 'null'],
      ['not_before', 'instant'],
      ['not_after', 'instant'],
      ['renews_at', 'instant'],
      ['window_start', 'instant', 'null'],
      ['window_end', 'instant', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'certificate_orders',
    ['domain_id'],
    [
      ['domain_id', 'id'],
      ['purpose', 'text'],
      ['failures', 'int'],
      ['without_www', 'int'],
      ['tried', 'text'],
      ['problem', 'text', 'null'],
      ['unchecked_since', 'instant', 'null'],
      ['unshown_since', 'instant', 'null'],
      ['ca', 'text', 'null'],
      ['names', 'text'],
      ['methods', 'text'],
      ['replaces', 'text', 'null'],
      ['order_url', 'text', 'null'],
      ['answered_times', 'int'],
      ['answer_again_at', 'instant', 'null'],
      ['private_key', 'text', 'null'],
      ['certificate_id', 'id', 'null'],
      ['failing_since', 'instant', 'null'],
      ['progressed_at', 'instant'],
    ],
  ],
  [
    'challenges',
    ['hostname', 'token'],
    [
      ['hostname', 'text'],
      ['token', 'text'],
      ['domain_id', 'id'],
      ['method', 'text'],
      ['key_authorization', 'text'],
    ],
  ],
  [
    'ca_limits',
    ['name'],
    [
      ['name', 'text'],
      ['passes_at', 'instant'],
    ],
  ],
];

export const CERTIFICATE_INDEXES = [
  'create index certificates_domain on certificates (domain_id, created_at)',
  'create index certificates_end on certificates (not_after)',
  'create index certificates_sealed on certificates (substr(data_key, 1, 17))',
  'create index challenges_domain on challenges (domain_id)',
];
