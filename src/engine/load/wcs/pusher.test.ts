import { expect, it } from 'vitest';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import { FullhouseError } from '../../../contract/calls';
import type { WcsRest } from '../../servers/wcs/wcsRest';
import { WcsPusher } from './pusher';

it('ends a transponder at the next order if its end failed', async () => {
  const time = new VirtualTime();
  const ended: string[] = [];
  const errors = [new FullhouseError('http-timeout', 'wcs did not respond.')];
  const terminate = (id: string): Promise<void> => {
    ended.push(id);
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve();
  };
  const push = {
    startup: () => Promise.resolve({ mediaSessionId: 'a' }),
    terminate,
    findAll: () => Promise.resolve([]),
  };
  const pusher = new WcsPusher({ who: 'wcs', push } as unknown as WcsRest, time.clock);
  const order = {
    job: 'publish-1',
    protocol: 'rtmp',
    sample: 'stream://cam',
    url: 'rtmp://127.0.0.1/live/cam',
  } as const;
  await pusher.start(order);
  await time.pass(100);
  await expect(pusher.stop('publish-1')).rejects.toThrow('wcs did not respond.');
  await pusher.stop('publish-1');
  await pusher.stop('publish-1');
  expect(ended).toEqual(['a', 'a']);
});
