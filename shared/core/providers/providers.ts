import { akamai } from './data/akamai.ts';
import { alibabaCloud } from './data/alibaba-cloud.ts';
import { azure } from './data/azure.ts';
import { bluehost } from './data/bluehost.ts';
import { bunny } from './data/bunny.ts';
import { cloudflare } from './data/cloudflare.ts';
import { cloudns } from './data/cloudns.ts';
import { constellix } from './data/constellix.ts';
import { digitalocean } from './data/digitalocean.ts';
import { dnsMadeEasy } from './data/dns-made-easy.ts';
import { dnsimple } from './data/dnsimple.ts';
import { dnspod } from './data/dnspod.ts';
import { dreamhost } from './data/dreamhost.ts';
import { dynadot } from './data/dynadot.ts';
import { enom } from './data/enom.ts';
import { gandi } from './data/gandi.ts';
import { godaddy } from './data/godaddy.ts';
import { googleCloudDns } from './data/google-cloud-dns.ts';
import { hetzner } from './data/hetzner.ts';
import { hostinger } from './data/hostinger.ts';
import { hover } from './data/hover.ts';
import { hurricaneElectric } from './data/hurricane-electric.ts';
import { ionos } from './data/ionos.ts';
import { linode } from './data/linode.ts';
import { nameCom } from './data/name-com.ts';
import { namecheap } from './data/namecheap.ts';
import { namesilo } from './data/namesilo.ts';
import { networkSolutions } from './data/network-solutions.ts';
import { oneCom } from './data/one-com.ts';
import { ovhcloud } from './data/ovhcloud.ts';
import { porkbun } from './data/porkbun.ts';
import { route53 } from './data/route53.ts';
import { siteground } from './data/siteground.ts';
import { spaceship } from './data/spaceship.ts';
import { squarespace } from './data/squarespace.ts';
import { ultradns } from './data/ultradns.ts';
import { vercel } from './data/vercel.ts';
import { vultr } from './data/vultr.ts';
import { wix } from './data/wix.ts';
import { wordpressCom } from './data/wordpress-com.ts';
import type { Provider } from './provider.ts';

/** All known providers, sorted by id. Each file in `providers/data` needs an import and a line here. */
export const PROVIDERS: readonly Provider[] = [
  akamai,
  alibabaCloud,
  azure,
  bluehost,
  bunny,
  cloudflare,
  cloudns,
  constellix,
  digitalocean,
  dnsMadeEasy,
  dnsimple,
  dnspod,
  dreamhost,
  dynadot,
  enom,
  gandi,
  godaddy,
  googleCloudDns,
  hetzner,
  hostinger,
  hover,
  hurricaneElectric,
  ionos,
  linode,
  nameCom,
  namecheap,
  namesilo,
  networkSolutions,
  oneCom,
  ovhcloud,
  porkbun,
  route53,
  siteground,
  spaceship,
  squarespace,
  ultradns,
  vercel,
  vultr,
  wix,
  wordpressCom,
];
