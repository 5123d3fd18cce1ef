import type { Provider } from './provider.ts';
import { akamai } from './providers/akamai.ts';
import { alibabaCloud } from './providers/alibaba-cloud.ts';
import { azure } from './providers/azure.ts';
import { bluehost } from './providers/bluehost.ts';
import { bunny } from './providers/bunny.ts';
import { cloudflare } from './providers/cloudflare.ts';
import { cloudns } from './providers/cloudns.ts';
import { constellix } from './providers/constellix.ts';
import { digitalocean } from './providers/digitalocean.ts';
import { dnsMadeEasy } from './providers/dns-made-easy.ts';
import { dnsimple } from './providers/dnsimple.ts';
import { dnspod } from './providers/dnspod.ts';
import { dreamhost } from './providers/dreamhost.ts';
import { dynadot } from './providers/dynadot.ts';
import { enom } from './providers/enom.ts';
import { gandi } from './providers/gandi.ts';
import { godaddy } from './providers/godaddy.ts';
import { googleCloudDns } from './providers/google-cloud-dns.ts';
import { hetzner } from './providers/hetzner.ts';
import { hostinger } from './providers/hostinger.ts';
import { hover } from './providers/hover.ts';
import { hurricaneElectric } from './providers/hurricane-electric.ts';
import { ionos } from './providers/ionos.ts';
import { linode } from './providers/linode.ts';
import { nameCom } from './providers/name-com.ts';
import { namecheap } from './providers/namecheap.ts';
import { namesilo } from './providers/namesilo.ts';
import { networkSolutions } from './providers/network-solutions.ts';
import { oneCom } from './providers/one-com.ts';
import { ovhcloud } from './providers/ovhcloud.ts';
import { porkbun } from './providers/porkbun.ts';
import { route53 } from './providers/route53.ts';
import { siteground } from './providers/siteground.ts';
import { spaceship } from './providers/spaceship.ts';
import { squarespace } from './providers/squarespace.ts';
import { ultradns } from './providers/ultradns.ts';
import { vercel } from './providers/vercel.ts';
import { vultr } from './providers/vultr.ts';
import { wix } from './providers/wix.ts';
import { wordpressCom } from './providers/wordpress-com.ts';

/** Every provider that is known, in the alphabet's order of their ids: an import and a line here for each file in `providers/`. */
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
