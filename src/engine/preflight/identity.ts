import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { MachineIdentity } from '../../domain/preflight/sameMachine';
import { inTime, type Clock } from '../base/clock';
import { thisMachine, type FleetNode } from '../fleet/node';
import { addressOf, hostNameOf, isLoopback } from '../fleet/remoteBase';
import type { Facts } from './reading/facts';
import type { Need } from './reading/need';

const bootIdFile = '/proc/sys/kernel/random/boot_id';

/** What has to be read of a node to identify its machine. */
export const identityNeeds: readonly Need[] = [{ file: bootIdFile }];

/** Identifies a node's machine. A name that can't be resolved in time has no address. */
export async function identityOf(node: FleetNode, facts: Facts, clock: Clock): Promise<MachineIdentity> {
  const bootId = facts.maybe((read) => read.file(bootIdFile).trim());
  return {
    host: node.host,
    addresses: await addressesOf(node, clock),
    ...(bootId ? { bootId } : {}),
  };
}

const lookupMs = 3000;

async function addressesOf(node: FleetNode, clock: Clock): Promise<readonly string[]> {
  if (node.host === thisMachine) return ownAddresses();
  const { settings } = node;
  const given = [settings.ssh?.replace(/^.*@/, ''), addressOf(settings)];
  const names = given.flatMap((each) => (each === undefined ? [] : (hostNameOf(each) ?? [])));
  const found = await Promise.all(names.map((name) => resolved(name, clock)));
  return [...new Set(found.flat())];
}

async function resolved(name: string, clock: Clock): Promise<readonly string[]> {
  const bare = name.replace(/^\[|\]$/g, '');
  if (isLoopback(name)) return ownAddresses();
  const found = await inTime(clock, lookup(bare, { all: true }), lookupMs);
  return (found ?? []).map(({ address }) => address);
}

/** Addresses of this machine without loopback, which is a different one on each machine. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
}
