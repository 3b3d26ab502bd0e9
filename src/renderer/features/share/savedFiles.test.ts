import { expect, it } from 'vitest';
import type { ShellApi } from '../../../contract/shell';
import { Notices } from '../../ui/notices/notices.svelte';
import { SavedFiles } from './savedFiles.svelte';

it('shows that a report is being printed, from the choice of its place until it is saved', async () => {
  const notices = new Notices();
  const seen = (): string[] => notices.list.map(({ tone, sentence }) => `${tone}: ${sentence}`);
  const path = '/home/qa/run.pdf';
  let listener: ((payload: never) => void) | undefined;
  let duringPrint: string[] = [];
  const asked: unknown[] = [];
  const shell = {
    on: (_name: string, heard: (payload: never) => void) => {
      listener = heard;
      return () => (listener = undefined);
    },
    call: (name: string, input: unknown) => {
      asked.push({ name, input });
      listener?.({ path, isPrinted: true } as never);
      duringPrint = seen();
      return Promise.resolve({ path, bytes: 1 });
    },
  };
  const files = new SavedFiles(shell as unknown as ShellApi, notices);
  expect(await files.exportRun({ id: 'monday', name: 'Monday' }, 'pdf')).toBe(true);
  expect(duringPrint).toEqual([`working: Printing ${path}`]);
  expect(seen()).toEqual([`done: Saved ${path}`]);
  expect(listener).toBeUndefined();

  expect(notices.list[0]?.otherAction?.text).toBe('Show in folder');
  notices.list[0]?.otherAction?.run();
  expect(asked.at(-1)).toEqual({ name: 'shell.openSaved', input: { path, inFolder: true } });
  notices.dispose();
});
