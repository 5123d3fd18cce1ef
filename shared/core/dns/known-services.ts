import { isUnder } from '../domains/hostname.ts';

/** Returns the name of the service that a record's value (a name or an address) belongs to; null if the service is not known. */
export function knownService(value: string): string | null {
  const name = value.toLowerCase();
  return ADDRESSES.get(name) ?? SUFFIXES.find(([suffix]) => isUnder(name, suffix))?.[1] ?? null;
}

/** Names that customers' records often point to. Whole labels are compared, and the first match decides. */
const SUFFIXES: readonly (readonly [suffix: string, service: string])[] = [
  ['vercel-dns.com', 'Vercel'],
  ['vercel.app', 'Vercel'],
  ['netlify.app', 'Netlify'],
  ['netlify.com', 'Netlify'],
  ['netlifyglobalcdn.com', 'Netlify'],
  ['herokudns.com', 'Heroku'],
  ['herokuapp.com', 'Heroku'],
  ['myshopify.com', 'Shopify'],
  ['github.io', 'GitHub Pages'],
  ['gitlab.io', 'GitLab Pages'],
  ['pages.dev', 'Cloudflare Pages'],
  ['workers.dev', 'Cloudflare Workers'],
  ['cdn.cloudflare.net', 'Cloudflare'],
  ['cloudfront.net', 'Amazon CloudFront'],
  ['amazonaws.com', 'Amazon Web Services'],
  ['awsglobalaccelerator.com', 'Amazon Web Services'],
  ['azurewebsites.net', 'Azure App Service'],
  ['azurestaticapps.net', 'Azure Static Web Apps'],
  ['azurefd.net', 'Azure Front Door'],
  ['azureedge.net', 'Azure CDN'],
  ['trafficmanager.net', 'Azure Traffic Manager'],
  ['cloudapp.azure.com', 'Azure'],
  ['ghs.googlehosted.com', 'Google'],
  ['web.app', 'Firebase'],
  ['firebaseapp.com', 'Firebase'],
  ['run.app', 'Google Cloud Run'],
  ['fly.dev', 'Fly.io'],
  ['onrender.com', 'Render'],
  ['railway.app', 'Railway'],
  ['ondigitalocean.app', 'DigitalOcean'],
  ['fastly.net', 'Fastly'],
  ['akamaiedge.net', 'Akamai'],
  ['edgekey.net', 'Akamai'],
  ['edgesuite.net', 'Akamai'],
  ['b-cdn.net', 'bunny.net'],
  ['wixdns.net', 'Wix'],
  ['squarespace.com', 'Squarespace'],
  ['webflow.com', 'Webflow'],
  ['webflow.io', 'Webflow'],
  ['framer.app', 'Framer'],
  ['wordpress.com', 'WordPress.com'],
  ['wpengine.com', 'WP Engine'],
  ['ghost.io', 'Ghost'],
  ['hubspot.net', 'HubSpot'],
  ['zendesk.com', 'Zendesk'],
  ['freshdesk.com', 'Freshdesk'],
  ['readme.io', 'ReadMe'],
  ['gitbook.io', 'GitBook'],
  ['statuspage.io', 'Statuspage'],
  ['stspg-customer.com', 'Statuspage'],
  ['unbouncepages.com', 'Unbounce'],
  ['teamtailor.com', 'Teamtailor'],
];

/** Addresses that services tell customers to use at an apex, which cannot have a CNAME. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['76.76.21.21', 'Vercel'],
  ['75.2.60.5', 'Netlify'],
  ['23.227.38.65', 'Shopify'],
  ['185.199.108.153', 'GitHub Pages'],
  ['185.199.109.153', 'GitHub Pages'],
  ['185.199.110.153', 'GitHub Pages'],
  ['185.199.111.153', 'GitHub Pages'],
  ['198.185.159.144', 'Squarespace'],
  ['198.185.159.145', 'Squarespace'],
  ['198.49.23.144', 'Squarespace'],
  ['198.49.23.145', 'Squarespace'],
  ['75.2.70.75', 'Webflow'],
]);
