import type { ShellApi } from '../../../contract/shell';
import type { Notices } from './notices.svelte';

/** Reports where a file was saved, and offers to open it: the notice for every saved file. */
export function noticeOfSaved(shell: ShellApi, notices: Notices, path: string, remark = ''): void {
  const open = async (): Promise<void> => {
    try {
      await shell.call('shell.openSaved', { path });
    } catch (error) {
      notices.problem(error);
    }
  };
  notices.done(`Saved ${path}${remark}`, { text: 'Open', run: () => void open() });
}
