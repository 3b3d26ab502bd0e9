import type { ShellApi } from '../../../contract/shell';
import type { Notices } from './notices.svelte';

/** Reports where a file was saved, and offers to show it: the notice for every saved file. */
export function noticeOfSaved(shell: ShellApi, notices: Notices, path: string, remark = ''): void {
  const show = (inFolder?: true): void => {
    void notices.attempt(() => shell.call('shell.openSaved', { path, ...(inFolder && { inFolder }) }));
  };
  notices.done(
    `Saved ${path}${remark}`,
    { text: 'Open', run: () => show() },
    { text: 'Show in folder', run: () => show(true) },
  );
}
