import { dialog, shell, type BrowserWindow } from 'electron';
import type { UpdateState } from '../../contract/updateCalls';
import type { ShellHandlers } from '../bridge';
import type { Updates } from './updates';
import { updateAddress } from './updateAddress';

/** The page's calls about updates. What lets a program in is confirmed in a native dialog, which no page can answer. */
export function updateHandlers(
  window: BrowserWindow,
  updates: Updates,
  saveAddress: (address: string | undefined) => void,
): Pick<
  ShellHandlers,
  | 'shell.updates'
  | 'shell.setUpdateAddress'
  | 'shell.checkUpdates'
  | 'shell.downloadUpdate'
  | 'shell.cancelUpdate'
  | 'shell.installUpdate'
  | 'shell.showUpdate'
> {
  const confirm = async (message: string, detail: string, action: string): Promise<boolean> => {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message,
      detail,
      buttons: [action, 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    });
    return response === 0;
  };

  return {
    'shell.updates': () => updates.state,
    'shell.setUpdateAddress': async ({ address }) => {
      const next = address === '' ? undefined : updateAddress(address);
      if (next === updates.state.address) return updates.state;
      const isAllowed =
        next === undefined ||
        (await confirm(
          `Look for updates at ${next}?`,
          'Whoever controls this address can offer programs to install. Fullhouse requests the newest version there at its start and once a day, and sends nothing about you or your tests.',
          'Use this address',
        ));
      if (!isAllowed) return updates.state;
      saveAddress(next);
      return updates.addressChanged();
    },
    'shell.checkUpdates': () => updates.check(),
    'shell.downloadUpdate': () => updates.download(),
    'shell.cancelUpdate': () => updates.cancel(),
    'shell.installUpdate': async () => {
      const { offer, phase, address } = updates.state;
      if (phase !== 'ready' || offer?.install !== 'at-quit') return updates.state;
      const isAllowed = await confirm(
        `Install Fullhouse ${offer.version} when you quit?`,
        `${offer.file ?? 'The package'} was downloaded from ${address ?? 'the address of updates'}, and its SHA-512 is the published one. A run is never interrupted for it. At its first start the new version copies the settings, nodes, rules and secrets of this one; runs are not copied.`,
        'Install when I quit',
      );
      return isAllowed ? updates.confirmInstall() : updates.state;
    },
    'shell.showUpdate': (): UpdateState => {
      const { path } = updates.state;
      if (path !== undefined) shell.showItemInFolder(path);
      return updates.state;
    },
  };
}
