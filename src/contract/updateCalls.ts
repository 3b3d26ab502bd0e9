import { z } from 'zod';
import { immutable } from '../domain/model/schema';

const version = z.string().max(60);
/** Characters of release notes. */
export const maxReleaseNotes = 20_000;
/** Plain text, as published beside the packages. */
const releaseNotes = z.string().max(maxReleaseNotes);

const offered = z.object({
  version,
  notes: releaseNotes.optional(),
  releaseDate: z.string().max(60).optional(),
  /** File name and size of the package for this installation. */
  file: z.string().max(300).optional(),
  bytes: z.number().int().nonnegative().optional(),
  /**
   * `at-quit`: Fullhouse replaces itself when it quits; `package`: it downloads the package, and the user installs it;
   * `by-hand`: the address has no package for this installation.
   */
  install: z.enum(['at-quit', 'package', 'by-hand']),
});

/** State of the search for a newer version. */
export const updateState = immutable(
  z.object({
    current: version,
    /** The folder of packages; absent: Fullhouse never looks for updates. */
    address: z.string().optional(),
    /** This build has no updater. */
    isOffline: z.boolean(),
    phase: z.enum(['idle', 'checking', 'newest', 'available', 'downloading', 'ready']),
    checkedMs: z.number().optional(),
    offer: offered.optional(),
    progress: z.object({ percent: z.number(), bytes: z.number(), bytesPerSecond: z.number() }).optional(),
    /** Where the verified package is. */
    path: z.string().optional(),
    /** The user has confirmed that it is installed when Fullhouse quits. */
    isConfirmed: z.boolean().optional(),
    /** Why the last check or download has failed; one sentence. */
    problem: z.string().optional(),
    /** The first start of this version: what it replaced, and where the data of that version was copied to. */
    updated: z
      .object({
        from: version,
        notes: releaseNotes.optional(),
        backup: z.string().optional(),
      })
      .optional(),
  }),
);
export type UpdateState = z.infer<typeof updateState>;
export type UpdateOffer = NonNullable<UpdateState['offer']>;

const nothing = z.strictObject({});

/** Calls of the window about updates. Each resolves with the state after it. */
export const updateCalls = {
  'shell.updates': { input: nothing, output: updateState },
  /** Asks in a native dialog before an address is used; empty: no updates. Throws a sentence when it is refused. */
  'shell.setUpdateAddress': { input: z.strictObject({ address: z.string().trim().max(1000) }), output: updateState },
  'shell.checkUpdates': { input: nothing, output: updateState },
  /** Begins the download, which continues after the call. */
  'shell.downloadUpdate': { input: nothing, output: updateState },
  'shell.cancelUpdate': { input: nothing, output: updateState },
  /** Asks in a native dialog; then the update is installed when Fullhouse quits. */
  'shell.installUpdate': { input: nothing, output: updateState },
  /** Shows the downloaded package in its folder. */
  'shell.showUpdate': { input: nothing, output: updateState },
} as const;
