import { expect, it } from 'vitest';
import type { FleetNode } from './node';
import { agentOrder } from './publicationOrder';

const login = { user: 'studio', password: 'secret' };
const node = (settings: object): FleetNode =>
  ({
    id: 'origin',
    settings,
    loginFor: () => login,
    server: {
      addresses: () => ({ play: {}, publish: { whip: 'https://origin/cam/whip', rtmp: 'rtmps://origin/live/cam' } }),
    },
  }) as unknown as FleetNode;

it('publishers trust the server as configured, and have its login for WHIP only', async () => {
  const order = { stream: 'cam', source: 'sample-240p' };
  const overWhip = await agentOrder(node({ selfSigned: true }), 'job', { ...order, protocol: 'whip' });
  expect(overWhip).toMatchObject({ protocol: 'whip', selfSigned: true, login });
  const overRtmp = await agentOrder(node({}), 'job', { ...order, protocol: 'rtmp' });
  expect(overRtmp).toEqual({ job: 'job', protocol: 'rtmp', sample: 'sample-240p', url: 'rtmps://origin/live/cam' });
});
