import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { shownItem, type ConsentScope, type PlanConsent } from '../../domain/consent/consent';
import type { ClusterAccess, UnusableAccess } from '../../domain/consent/clusterAccess';
import { addressesOf, itemLine, newNodeLine } from '../../domain/consent/consentText';
import { consentOf } from '../../domain/consent/planConsent';
import { isOriginSettings, type NodeSettings, type OriginSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import { examplePlanFault } from '../../domain/node/exampleAddress';
import { sameSettings } from '../../domain/node/sameSettings';
import { FullhouseError } from '../../contract/calls';
import { requireReal } from '../base/realAddress';
import { reachBeside } from '../../domain/family/reach';
import { isFamilyName } from '../../domain/model/serverFamilies';
import { readFamilyFile } from '../servers/fromFile/readFamily';
import { hostsOf } from '../fleet/group/inventoryHosts';
import { audioBeside } from '../fleet/mediaFiles';
import type { Fleet } from '../fleet/fleet';
import { clusterAccess } from '../kubernetes/clusterAccess';
import { asAllowed, type AllowedPlan } from './allowedPlan';
import { resolvedSettings } from '../secrets/resolve';
import type { SecretBox } from '../secrets/secretBox';
import type { KnownAddresses } from './knownAddresses';

/** How the person may have entered a plan, which saves a question. */
export interface ConsentOptions {
  /**
   * Addresses that the person has allowed count for nodes too, as do those of this machine: on the command line, which
   * has no fleet.
   */
  readonly withoutFleet?: boolean;
  /** Fields that the person typed. */
  readonly typed?: readonly string[];
  /** Folder of the plan's file; media files in it come with the plan. */
  readonly planFolder?: string;
}

/** What the person has allowed for one start. */
export interface Permission {
  /** All items, or those with these texts. */
  readonly items: 'all' | ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

export const permissionOf = ({
  allowHooks = false,
  allowNodes = [],
}: {
  readonly allowHooks?: boolean | undefined;
  readonly allowNodes?: readonly string[] | undefined;
}): Permission => ({ items: allowHooks ? 'all' : new Set(), addresses: new Set(allowNodes) });

/** The one place in which it is decided whether a plan may start programs, read files, and contact its nodes. */
export class PlanGate {
  constructor(
    private readonly fleet: Pick<Fleet, 'nodes' | 'writtenOf'>,
    private readonly secrets: Pick<SecretBox, 'kinds' | 'mask' | 'value'>,
    private readonly known: KnownAddresses,
    private readonly options: ConsentOptions = {},
  ) {}

  /** What has to be allowed. Reads the inventories and kubeconfigs that the plan names; contacts nothing. */
  consentOf(plan: Plan, scope: ConsentScope = 'run'): PlanConsent {
    const { known, options } = this;
    const { withoutFleet = false, typed = [] } = options;
    const inventories = new Map<string, readonly string[]>();
    const families = new Map<string, readonly string[]>();
    const clusters = new Map<string, ClusterAccess | UnusableAccess>();
    for (const [name, written] of Object.entries(plan.nodes)) {
      if (this.isOwn(written)) continue;
      // A reference may stand for the path, or a part of it.
      const settings = resolvedSettings(written, this.secrets);
      if (isOriginSettings(settings)) {
        families.set(name, reachOf(settings));
        continue;
      }
      if (settings.inventory !== undefined) inventories.set(name, listed(settings));
      if (settings.tester === 'kubernetes') clusters.set(name, clusterAccess(settings));
    }
    // What the person reads, and allows by its text.
    const masked = (text: string): string => this.secrets.mask.text(text);
    const { items, newNodes } = consentOf(
      plan,
      {
        ...{ inventories, families, clusters },
        storedSecrets: (name) => this.secrets.kinds(name),
        isOwn: (settings) => this.isOwn(settings),
        isKnown: ({ address, isHere }, of) =>
          (of === 'other' || withoutFleet) && ((withoutFleet && isHere) || known.has(address)),
        isTyped: typedIn(plan, typed),
        isBesidePlan: (path) => isWithin(options.planFolder, path),
        masked,
      },
      scope,
    );
    return {
      items: items.map((item) => shownItem(item, masked)),
      newNodes: newNodes.map((node) => ({ ...node, addresses: node.addresses.map(masked) })),
    };
  }

  /** Throws `example-address`, `hooks-not-allowed` or `nodes-not-added`, with all that is missing. */
  allow(plan: Plan, { items, addresses }: Permission, scope: ConsentScope = 'run'): AllowedPlan {
    requireReal(examplePlanFault(plan));
    const consent = this.consentOf(plan, scope);
    const refused = items === 'all' ? [] : consent.items.filter(({ text }) => !items.has(text));
    if (refused.length > 0)
      throw new FullhouseError(
        'hooks-not-allowed',
        `This plan does things outside of the run that must be allowed first: ${refused.map(itemLine).join('; ')}.`,
      );
    const missing = consent.newNodes
      .map((node) => ({ ...node, addresses: node.addresses.filter((address) => !addresses.has(address)) }))
      .filter(({ addresses: left }) => left.length > 0);
    if (missing.length > 0)
      throw new FullhouseError(
        'nodes-not-added',
        `This plan contacts addresses that were not added before: ${missing.map(newNodeLine).join('; ')}. ` +
          'Allow them first, or add them as nodes.',
      );
    // The command line knows which of them the person confirmed.
    if (this.options.withoutFleet !== true) this.known.add(addressesOf(consent.newNodes));
    return asAllowed(
      plan,
      consent.items.map(({ text }) => text),
    );
  }

  /** The lab and testers of this machine, and nodes with the same settings. */
  private isOwn(settings: NodeSettings): boolean {
    return this.fleet.nodes.some((node) => sameSettings(this.fleet.writtenOf(node), settings));
  }
}

/** Whether a field was typed. The fields of a node with a dot in its name look like those of another node. */
function typedIn(plan: Plan, typed: readonly string[]): (path: string) => boolean {
  const dotted = Object.keys(plan.nodes).filter((name) => name.includes('.'));
  const isAt = (path: string, start: string): boolean => path === start || path.startsWith(`${start}.`);
  return (path) =>
    typed.some((typedPath) => isAt(path, typedPath)) && !dotted.some((name) => isAt(path, `nodes.${name}`));
}

/** What the family file of a node reaches; a file that can't be used is refused where the node is made. */
function reachOf({ familyFile, url }: OriginSettings): readonly string[] {
  if (familyFile === undefined || isFamilyName(familyFile)) return [];
  try {
    return reachBeside(readFamilyFile(familyFile), url !== undefined);
  } catch {
    return [];
  }
}

/** An unusable inventory contacts nothing; the run says what is wrong with it. */
function listed(settings: Parameters<typeof hostsOf>[0]): readonly string[] {
  try {
    return hostsOf(settings);
  } catch (error) {
    if (error instanceof FullhouseError) return [];
    throw error;
  }
}

/** Folders of a home folder in which files of any origin are. */
const collections: ReadonlySet<string> = new Set(['Desktop', 'Documents', 'Downloads']);

/**
 * Whether a path is that of a file in the folder, also where links lead, and so is the audio that is read with it. A
 * folder with everything of a person, or in which others write, is none.
 */
function isWithin(folder: string | undefined, path: string): boolean {
  if (folder === undefined) return false;
  try {
    const [home, root] = [realpathSync(homedir()), join(realpathSync(folder), sep)];
    if (join(home, sep).startsWith(root) || (dirname(root) === home && collections.has(basename(root)))) return false;
    if (process.platform !== 'win32' && (statSync(root).mode & 0o002) !== 0) return false;
    const files = [path, audioBeside(path)].filter((file) => file !== undefined);
    return files.every((each) => {
      const file = realpathSync(resolve(each));
      return statSync(file).isFile() && file.startsWith(root);
    });
  } catch {
    return false; // it does not exist here
  }
}
