import { expect, it, vi } from 'vitest';
import type { UpdateState } from '../../contract/updateCalls';
import { Cancelled, type DownloadProgress, type PublishedVersion, type UpdateSource } from './updateSource';
import { Updates } from './updates';

const found: PublishedVersion = {
  version: '0.2.0',
  releaseNotes: ' Faster charts. ',
  files: [{ url: 'Fullhouse-0.2.0-x64.tar.gz', size: 3000 }],
};

/** A source whose download ends when the test says so. */
class FakeSource implements UpdateSource {
  readonly check = vi.fn(() => Promise.resolve<PublishedVersion | undefined>(found));
  readonly install = vi.fn(() => false);
  progress: (progress: DownloadProgress) => void = () => undefined;
  end: (path: string) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  download(onProgress: (progress: DownloadProgress) => void): Promise<string> {
    this.progress = onProgress;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  }
  cancel(): void {
    this.fail(new Cancelled());
  }
}

function updatesOf(source: FakeSource, { hasAddress = true, replaces = false } = {}) {
  const states: UpdateState[] = [];
  const remember = vi.fn();
  const open = vi.fn(() => Promise.resolve(source));
  let current: string | undefined = hasAddress ? 'https://p.example/' : undefined;
  const updates = new Updates({
    current: '0.1.0',
    kind: replaces ? { way: 'replace', by: 'appimage', extension: 'tar.gz' } : { way: 'package', extension: 'tar.gz' },
    address: () => current,
    open,
    changed: (state) => states.push(state),
    remember,
    nowMs: () => 1000,
  });
  return { updates, states, open, remember, setAddress: (next: string | undefined) => (current = next) };
}

it('opens nothing without an address', async () => {
  const { updates, open, states } = updatesOf(new FakeSource(), { hasAddress: false });
  expect(await updates.check()).toEqual({ current: '0.1.0', address: undefined, isOffline: false, phase: 'idle' });
  expect(updates.download().phase).toBe('idle');
  expect(open).not.toHaveBeenCalled();
  expect(states).toEqual([]);
});

it('finds a version, and downloads it on request only', async () => {
  const source = new FakeSource();
  const { updates, states, remember } = updatesOf(source);
  const checked = await updates.check();
  expect(checked).toMatchObject({
    phase: 'available',
    checkedMs: 1000,
    offer: {
      version: '0.2.0',
      notes: 'Faster charts.',
      file: 'Fullhouse-0.2.0-x64.tar.gz',
      bytes: 3000,
      install: 'package',
    },
  });
  expect(remember).toHaveBeenCalledWith('0.2.0', 'Faster charts.');
  expect(updates.download().phase).toBe('downloading');
  await vi.waitFor(() => expect(source.progress).not.toBe(undefined));
  await Promise.resolve();
  source.progress({ percent: 50, bytes: 1500, bytesPerSecond: 100 });
  expect(states.at(-1)).toMatchObject({ phase: 'downloading', progress: { percent: 50 } });
  source.end('/tmp/f.tar.gz');
  await vi.waitFor(() => expect(updates.state).toMatchObject({ phase: 'ready', path: '/tmp/f.tar.gz' }));
  // A package is installed by the user.
  expect((await updates.confirmInstall()).isConfirmed).toBeUndefined();
  updates.installConfirmed();
  expect(source.install).not.toHaveBeenCalled();
});

it('installs at the end only what was confirmed', async () => {
  const source = new FakeSource();
  const { updates } = updatesOf(source, { replaces: true });
  await updates.check();
  updates.download();
  await Promise.resolve();
  source.end('/tmp/f');
  await vi.waitFor(() => expect(updates.state.phase).toBe('ready'));
  expect(updates.installConfirmed()).toBe(false);
  expect(source.install).not.toHaveBeenCalled();
  await updates.confirmInstall();
  updates.installConfirmed();
  expect(source.install).toHaveBeenCalledOnce();
});

it('can cancel a download, and states why one has failed', async () => {
  const source = new FakeSource();
  const { updates } = updatesOf(source);
  await updates.check();
  updates.download();
  await Promise.resolve();
  await updates.cancel();
  await vi.waitFor(() => expect(updates.state.phase).toBe('available'));
  expect(updates.state.problem).toBeUndefined();
  updates.download();
  await Promise.resolve();
  source.fail(Object.assign(new Error('sha512 checksum mismatch'), { code: 'ERR_CHECKSUM_MISMATCH' }));
  await vi.waitFor(() => expect(updates.state.phase).toBe('available'));
  expect(updates.state.problem).toMatch(
    /^Fullhouse-0\.2\.0-x64\.tar\.gz does not match the SHA-512 .* nothing is installed/,
  );
});

it('has no package for this kind of installation: it is downloaded by hand', async () => {
  const source = new FakeSource();
  source.check.mockResolvedValue({ ...found, files: [{ url: 'F.deb' }] });
  const { updates } = updatesOf(source);
  expect((await updates.check()).offer?.install).toBe('by-hand');
  expect(updates.download().phase).toBe('available');
});

it('reports a failed check, and forgets everything with another address', async () => {
  const source = new FakeSource();
  source.check.mockRejectedValueOnce(new Error('net::ERR_CONNECTION_REFUSED\n at x'));
  const { updates, open, setAddress } = updatesOf(source);
  expect(await updates.check()).toMatchObject({
    phase: 'idle',
    problem: expect.stringContaining('net::ERR_CONNECTION_REFUSED. Try again later') as string,
  });
  expect((await updates.check()).phase).toBe('available');
  expect(open).toHaveBeenCalledOnce();
  setAddress('https://q.example/');
  expect(await updates.addressChanged()).toMatchObject({ phase: 'idle', address: 'https://q.example/' });
  await updates.check();
  expect(open).toHaveBeenLastCalledWith('https://q.example/');
});
