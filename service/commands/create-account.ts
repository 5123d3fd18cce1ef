import { isLoopbackHost } from '../../shared/core/net/address.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink, readMail } from '../../shared/operations/members/sign-in.ts';
import { openAccount, openApp } from '../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { askNode } from '../health/ask-node.ts';
import { localUrlOf } from '../listening.ts';
import { accountDocument, accountFields, readTerms, termFlags } from './operator/account-view.ts';
import { accountArgument, readAccountId, readTrimmedName } from './operator/arguments.ts';
import { commandName, shellQuoted } from './operator/next-commands.ts';
import { asOperator } from './operator/operator.ts';

export const accountsCreate: ServiceCommand = {
  description:
    'Creates an account with an app. Prints its first keys and its signing secret, which are not shown again. By default the account is on the Free plan with a trial of 14 days. It gets a live key if it has a paid plan, has a card on file, or is promotional. With --owner, also prints a link that signs the first member in to the dashboard. The link works once, within 15 minutes.',
  examples: [
    'service accounts create "Acme Careers" --owner ada@example.com',
    'service accounts create "Acme Careers" --plan scale --card-on-file --trial-ends-at none',
  ],
  args: [{ name: 'name', description: 'A label, 1 to 80 characters' }],
  flags: {
    ...termFlags,
    owner: { summary: 'Mail address of the first member, who gets a sign-in link', kind: 'text' },
  },
  async run(call) {
    const name = readTrimmedName(call.args['name'] ?? '');
    const terms = readTerms(call);
    const owner = call.flags['owner'] === undefined ? null : readMail(String(call.flags['owner']));
    const { account, app, test_key, live_key, signing_secret, link } = await asOperator(
      call,
      async ({ context, actor }) => {
        const opened = await openAccount(context, actor, { name, terms });
        if (owner === null) return { ...opened, link: null };
        await inviteMember(context, actor, opened.account.id, { mail: owner, role: 'owner' });
        return { ...opened, link: await createSignInLink(context, actor, owner) };
      },
    );
    const command = commandName(call.env);
    const { base_url, sandboxZone, edge_url } = await addressesOf(call.env);
    return {
      document: {
        account: accountDocument(account),
        app_id: app.id,
        test_key,
        live_key,
        signing_secret,
        sign_in_link: link,
      },
      view: {
        fields: [
          ...accountFields(account),
          ['app', app.id],
          ['test key', test_key],
          ['live key', live_key ?? 'none'],
          ['signing secret', signing_secret],
          ...(link === null ? [] : [['sign-in link', link] as const]),
        ],
      },
      after: [
        'Save the keys and the secret now. They are not shown again.',
        ...(live_key === null ? noLiveKey(account.id, command) : []),
        '',
        'Try next:',
        `  export NAMEPLATE_BASE_URL=${shellQuoted(base_url)} NAMEPLATE_API_KEY=${test_key}`,
        `  ${command} domains add careers.acme.com --wait`,
        `  curl -H 'Authorization: Bearer ${test_key}' ${base_url}/v1/domains`,
        '',
        'A test domain becomes active after ten seconds and responds at <its id>.<sandbox zone>:',
        `  curl -H 'Host: <its id>.${sandboxZone}' ${edge_url}/`,
        '',
        ...(link === null
          ? [
              `To sign in to the dashboard at ${base_url}/dashboard, add yourself and print a link:`,
              `  ${command} service members add ${account.id} you@example.com`,
              `  ${command} service sign-in you@example.com`,
            ]
          : ['Open the sign-in link within 15 minutes. It works once.']),
      ],
    };
  },
};

function noLiveKey(id: string, command: string): string[] {
  return [
    '',
    'The account has no live key. That needs a paid plan, a card on file, or the promotional flag. To create one:',
    `  ${command} service accounts update ${id} --plan growth`,
    `  ${command} service keys create ${id} --mode live`,
  ];
}

/**
 * Returns the addresses to print in the examples: from this shell's settings, else from the node on this machine, else the defaults. Uses a
 * URL from the node only if the URL is on loopback. The user sends API keys to these addresses, and another program may have answered
 * instead of the node.
 */
async function addressesOf(env: NodeJS.ProcessEnv) {
  const { settings, edgeHttp, admin } = readConfig(env);
  const node = await askNode(localUrlOf(admin));
  const zone = node?.settings?.['NAMEPLATE_SANDBOX_ZONE'] ?? '';
  return {
    base_url:
      (env['NAMEPLATE_BASE_URL'] ? null : onLoopback(node?.settings?.['NAMEPLATE_BASE_URL'])) ??
      settings.baseUrl,
    sandboxZone: !env['NAMEPLATE_SANDBOX_ZONE'] && /^[a-z0-9.-]+$/.test(zone) ? zone : settings.sandboxZone,
    edge_url:
      node?.edge_http_url === null
        ? 'http://<an edge>'
        : (onLoopback(node?.edge_http_url) ?? localUrlOf(edgeHttp)),
  };
}

function onLoopback(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { hostname, origin } = new URL(url);
  return isLoopbackHost(hostname) && origin === url ? url : null;
}

export const appsCreate: ServiceCommand = {
  description:
    "Adds an app to an account. Prints its first keys and its signing secret, which are not shown again. The apps of an account share its plan and its limit of domains. The app gets a live key if the account's terms allow one.",
  examples: ['service apps create acc_01k… "Acme Shops"'],
  args: [accountArgument, { name: 'name', description: 'A label, 1 to 80 characters' }],
  async run(call) {
    const name = readTrimmedName(call.args['name'] ?? '');
    const { app, test_key, live_key, signing_secret } = await asOperator(call, async ({ context, actor }) =>
      openApp(context, actor, await readAccountId(context, call), name),
    );
    return {
      document: { app_id: app.id, name: app.name, test_key, live_key, signing_secret },
      view: {
        fields: [
          ['app', app.id],
          ['name', app.name],
          ['test key', test_key],
          ['live key', live_key ?? 'none'],
          ['signing secret', signing_secret],
        ],
      },
      after: ['Save the keys and the secret now. They are not shown again.'],
    };
  },
};
