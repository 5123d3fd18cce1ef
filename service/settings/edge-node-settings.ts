import os from 'node:os';
import * as z from 'zod';
import { SECOND_MS } from '../../shared/core/instant.ts';
import { readAddress } from '../../shared/core/net/address-set.ts';
import type { Environment } from './environment.ts';
import { commaList } from './setting-kinds.ts';

/** The place of this machine among the edges (`decisions/0102`). */
export interface EdgeNodeSettings {
  /** The name in beats and drains. */
  name: string;
  /** The public addresses of this machine, as in `settings.edgeIpv4` and `settings.edgeIpv6`. Without any, it sends no beats. */
  addresses: readonly string[];
  /** An edge is in the first region. A name server prefers edges of the first region, then of the second, and so on. */
  regions: readonly string[];
  /** How long resolvers may keep the address of an edge that has left the answers. */
  dnsTtlMs: number;
}

/** The name of a node or region. It is a part of a key of the edge's values, and a label in metrics. */
export const edgeName = z
  .string()
  .regex(
    /^(?=.{1,64}$)[\w-]+(\.[\w-]+)*$/,
    'must be 1 to 64 letters, digits, hyphens or underscores, with single dots between them',
  );

export const edgeRegions = commaList(edgeName);

export function edgeNodeSettings(env: Environment): EdgeNodeSettings {
  const own = new Set(env.NAMEPLATE_EDGE_ADDRESSES.map(readAddress));
  const all = [...env.NAMEPLATE_EDGE_IPV4, ...env.NAMEPLATE_EDGE_IPV6];
  return {
    name:
      env.NAMEPLATE_EDGE_NODE ??
      os
        .hostname()
        .replaceAll(/[^\w.-]/g, '-')
        .slice(0, 64)
        .split('.')
        .filter(Boolean)
        .join('.'),
    addresses: all.filter((address) => own.has(readAddress(address))),
    regions: env.NAMEPLATE_EDGE_REGIONS,
    dnsTtlMs: env.NAMEPLATE_DNS_TTL_SECONDS * SECOND_MS,
  };
}

interface AddressEnvironment {
  NAMEPLATE_EDGE_IPV4?: readonly string[] | undefined;
  NAMEPLATE_EDGE_IPV6?: readonly string[] | undefined;
  NAMEPLATE_EDGE_ADDRESSES?: readonly string[] | undefined;
}

/** Returns whether the addresses of the edge include all addresses of this machine. */
export function hasOwnAddresses(env: AddressEnvironment): boolean {
  const {
    NAMEPLATE_EDGE_IPV4: v4 = [],
    NAMEPLATE_EDGE_IPV6: v6 = [],
    NAMEPLATE_EDGE_ADDRESSES: own = [],
  } = env;
  const all = new Set([...v4, ...v6].map(readAddress));
  return own.every((address) => all.has(readAddress(address)));
}
