import { FullhouseError } from '../../../contract/calls';
import { maxMembers, type TesterSettings } from '../../../domain/model/nodeSettings';
import { inventoryPath, readInventory } from '../../../domain/node/inventory';
import { readTextFile } from '../../base/readTextFile';
import { reasonNotRead } from '../../store/failure';

const maxBytes = 1_000_000;

/** The hosts of a group, from its settings or its inventory. Throws one sentence. */
export function hostsOf({ hosts, inventory = '' }: Pick<TesterSettings, 'hosts' | 'inventory'>): readonly string[] {
  if (hosts) return hosts;
  const { path, group } = inventoryPath(inventory);
  let text: string;
  try {
    text = readTextFile(path, maxBytes);
  } catch (error) {
    throw new FullhouseError(
      'no-inventory',
      `The inventory ${path} can't be read: ${reasonNotRead(error)}. Correct its path.`,
    );
  }
  const read = readInventory(text, group);
  if (read.fault !== undefined) throw new FullhouseError('bad-inventory', `Inventory ${path}: ${read.fault}`);
  if (read.hosts.length > maxMembers)
    throw new FullhouseError('bad-inventory', `Inventory ${path} lists ${read.hosts.length} hosts; max ${maxMembers}.`);
  return read.hosts;
}
