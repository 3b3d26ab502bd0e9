import type { ShellApi } from '../../contract/shell';
import type { UpdateState } from '../../contract/updateCalls';
import { errorText } from '../../domain/text/errorText';

type Call =
  'shell.checkUpdates' | 'shell.downloadUpdate' | 'shell.cancelUpdate' | 'shell.installUpdate' | 'shell.showUpdate';

/** The state of updates, as the main process reports it, and its actions. */
export class UpdatesStore {
  state = $state.raw<UpdateState>();
  #isNoticeTaken = false;

  constructor(
    private readonly shell: ShellApi,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** Follows the state. Returns the cleanup function. */
  follow(): () => void {
    void this.#take(this.shell.call('shell.updates', {}));
    return this.shell.on('updates', (state) => (this.state = state));
  }

  /** Once: that this version replaced another one. */
  takeNotice(): string | undefined {
    const { state } = this;
    if (!state?.updated || this.#isNoticeTaken) return undefined;
    this.#isNoticeTaken = true;
    return `Fullhouse was updated from ${state.updated.from} to ${state.current}.`;
  }

  check(): void {
    void this.#act('shell.checkUpdates');
  }
  download(): void {
    void this.#act('shell.downloadUpdate');
  }
  cancel(): void {
    void this.#act('shell.cancelUpdate');
  }
  /** Asks first, in a native dialog. */
  install(): void {
    void this.#act('shell.installUpdate');
  }
  showPackage(): void {
    void this.#act('shell.showUpdate');
  }

  /** Resolves with why the address is refused; undefined when it is used, or when the user has declined. */
  async setAddress(address: string): Promise<string | undefined> {
    try {
      this.state = await this.shell.call('shell.setUpdateAddress', { address });
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  #act(call: Call): Promise<void> {
    return this.#take(this.shell.call(call, {}));
  }

  async #take(asked: Promise<UpdateState>): Promise<void> {
    try {
      this.state = await asked;
    } catch (error) {
      this.onProblem(error);
    }
  }
}
