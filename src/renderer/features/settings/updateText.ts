import type { UpdateState } from '../../../contract/updateCalls';
import { bytesFigure, grouped } from '../../ui/format/numbers';

const sized = (bytes: number | undefined): string => {
  const { text, unit } = bytesFigure(bytes);
  return `${text} ${unit}`;
};

/** What the state of updates means, as a sentence. `checked`: the time of the last check as text. */
export function updateSentence(state: UpdateState, checked: string | undefined): string {
  const { phase, offer, progress, address, current } = state;
  if (state.isOffline) return 'This build contains no updater. Install a newer version over this one.';
  if (address === undefined)
    return 'Without an address Fullhouse never looks for updates. Install a newer version over this one.';
  switch (phase) {
    case 'idle':
      return 'Looks for a newer version at the start and once a day. Nothing is downloaded without your consent.';
    case 'checking':
      return `Looking for a newer version at ${address}.`;
    case 'newest':
      return `${current} is the newest version${checked === undefined ? '' : `, checked ${checked}`}.`;
    case 'available':
      return offer?.install === 'by-hand'
        ? `Version ${offer.version} is available. ${address} has no package for this kind of installation: download it in a browser.`
        : `Version ${offer?.version} is available${offer?.bytes === undefined ? '' : ` (${sized(offer.bytes)})`}.`;
    case 'downloading':
      return `Downloading ${offer?.version}: ${grouped(progress?.percent)} %, ${sized(progress?.bytes)}${
        offer?.bytes === undefined ? '' : ` of ${sized(offer.bytes)}`
      }, ${sized(progress?.bytesPerSecond)}/s.`;
    case 'ready':
      if (offer?.install === 'package')
        return `Downloaded and verified: ${state.path}. ${packageHint(state.path ?? '')}`;
      return state.isConfirmed
        ? `Version ${offer?.version} is installed when Fullhouse quits.`
        : `Version ${offer?.version} is downloaded and verified.`;
  }
}

/** How the user installs a package. */
function packageHint(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  if (file.endsWith('.deb')) return `Install it with: sudo apt install ./${file}`;
  if (file.endsWith('.rpm')) return `Install it with: sudo dnf install ./${file}`;
  return 'Quit Fullhouse and unpack it over the present installation.';
}
