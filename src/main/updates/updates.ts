import type { UpdateState } from '../../contract/updateCalls';
import { packageFor, type InstallKind } from './installKind';
import { Cancelled, notesOf, updateFault, type PublishedVersion, type UpdateSource } from './updateSource';

export interface UpdatesOptions {
  readonly current: string;
  readonly kind: InstallKind;
  /** The saved address; undefined: never look for updates. */
  readonly address: () => string | undefined;
  /** Opens the folder of packages; absent in a build without the updater. */
  readonly open?: (address: string) => Promise<UpdateSource>;
  readonly changed: (state: UpdateState) => void;
  /** Remembers the notes of a version that may be started next. */
  readonly remember: (version: string, notes: string | undefined) => void;
  readonly nowMs?: () => number;
}

interface OpenedSource {
  readonly address: string;
  readonly opened: Promise<UpdateSource>;
}

type Progressing = Omit<UpdateState, 'current' | 'address' | 'isOffline' | 'updated'>;

/**
 * Updates as one state: looks for a newer version, downloads it on request, installs it at the end on confirmation.
 * Without an address no connection is opened.
 */
export class Updates {
  #state: Progressing = { phase: 'idle' };
  #source: OpenedSource | undefined;
  #installing: UpdateSource | undefined;

  constructor(
    private readonly options: UpdatesOptions,
    private readonly updated?: UpdateState['updated'],
  ) {}

  get state(): UpdateState {
    const { current, address, open } = this.options;
    return {
      ...this.#state,
      current,
      address: address(),
      isOffline: open === undefined,
      ...(this.updated ? { updated: this.updated } : {}),
    };
  }

  /** Checks once; what is being downloaded or is ready stays. */
  async check(): Promise<UpdateState> {
    const source = this.#open();
    if (!source || !['idle', 'newest', 'available'].includes(this.#state.phase)) return this.state;
    const before = this.#state;
    this.#set({ phase: 'checking' });
    try {
      const version = await (await source.opened).check();
      // Another address was set meanwhile.
      if (source !== this.#source) return this.state;
      const checkedMs = this.options.nowMs?.() ?? Date.now();
      if (!version) return this.#set({ phase: 'newest', checkedMs });
      const offer = this.#offerOf(version);
      this.options.remember(offer.version, offer.notes);
      return this.#set({ phase: 'available', checkedMs, offer });
    } catch (error) {
      if (source !== this.#source) return this.state;
      // What was found before is still there.
      return this.#set({ ...before, problem: updateFault(error, source.address).message });
    }
  }

  /** Begins the download of the found version. */
  download(): UpdateState {
    const { phase, offer, checkedMs } = this.#state;
    const source = this.#source;
    if (phase !== 'available' || !offer || !source || offer.install === 'by-hand') return this.state;
    this.#set({ phase: 'downloading', offer, checkedMs, progress: { percent: 0, bytes: 0, bytesPerSecond: 0 } });
    void this.#download(source, offer, checkedMs);
    return this.state;
  }

  async cancel(): Promise<UpdateState> {
    if (this.#state.phase === 'downloading') (await this.#source?.opened)?.cancel();
    return this.state;
  }

  /** The user has confirmed: the package is installed when the app quits. */
  async confirmInstall(): Promise<UpdateState> {
    const { phase, offer } = this.#state;
    if (phase !== 'ready' || offer?.install !== 'at-quit') return this.state;
    this.#installing = await this.#source?.opened;
    return this.#set({ ...this.#state, isConfirmed: true });
  }

  /** At the end of the app; returns whether the installer quits it by itself. */
  installConfirmed(): boolean {
    return this.#installing?.install() ?? false;
  }

  /** Another address: what was found at the previous one is discarded. */
  async addressChanged(): Promise<UpdateState> {
    await this.cancel();
    this.#source = undefined;
    this.#installing = undefined;
    return this.#set({ phase: 'idle' });
  }

  #open(): OpenedSource | undefined {
    const { open } = this.options;
    const address = this.options.address();
    if (!open || address === undefined) return undefined;
    if (this.#source?.address !== address) this.#source = { address, opened: open(address) };
    return this.#source;
  }

  async #download(
    source: OpenedSource,
    offer: NonNullable<UpdateState['offer']>,
    checkedMs: number | undefined,
  ): Promise<void> {
    try {
      const path = await (
        await source.opened
      ).download((progress) => {
        if (source === this.#source) this.#set({ phase: 'downloading', offer, checkedMs, progress });
      });
      if (source === this.#source) this.#set({ phase: 'ready', offer, checkedMs, path });
    } catch (error) {
      if (source !== this.#source) return;
      const problem = error instanceof Cancelled ? undefined : updateFault(error, source.address, offer.file).message;
      this.#set({ phase: 'available', offer, checkedMs, ...(problem === undefined ? {} : { problem }) });
    }
  }

  #offerOf(version: PublishedVersion): NonNullable<UpdateState['offer']> {
    const { kind } = this.options;
    const file = packageFor(version.files, kind);
    return {
      version: version.version,
      notes: notesOf(version),
      releaseDate: version.releaseDate,
      file: file && decodeURIComponent(file.url.split('/').at(-1) ?? file.url),
      bytes: file?.size,
      install: file === undefined ? 'by-hand' : kind.way === 'replace' ? 'at-quit' : 'package',
    };
  }

  #set(state: Progressing): UpdateState {
    this.#state = state;
    const whole = this.state;
    this.options.changed(whole);
    return whole;
  }
}
