import { maxLogText } from '../../contract/diagnosticsCalls';
import type { ShellApi } from '../../contract/shell';
import { failureDetails } from '../ui/failure/failureActions';

type Level = 'error' | 'warn' | 'info';

/** Adds entries of the window to the app's log. A failure to do so has nowhere to be reported. */
export class WindowLog {
  constructor(private readonly shell: ShellApi) {}

  add(level: Level, text: string): void {
    this.shell.call('shell.log', { level, text: text.slice(0, maxLogText) }).catch(() => undefined);
  }

  /** Errors that nothing has handled go to the log from now on. Returns the cleanup function. */
  watch(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
    const onError = (event: ErrorEvent): void =>
      this.add('error', failureDetails('Page', event.error ?? event.message));
    const onRejection = (event: PromiseRejectionEvent): void => this.add('error', failureDetails('Page', event.reason));
    page.addEventListener('error', onError);
    page.addEventListener('unhandledrejection', onRejection);
    return () => {
      page.removeEventListener('error', onError);
      page.removeEventListener('unhandledrejection', onRejection);
    };
  }
}
