import { expect, it } from 'vitest';
import { pathOfConfig } from './configs';
import type { ServerProcess } from './serverProcess';

const running = (words: readonly string[], more: Partial<ServerProcess> = {}): ServerProcess[] => [
  { pid: 1, words, limits: '', ...more },
];
const settings = { server: 'wcs', url: 'http://origin' } as const;

it.each([
  ['flashphoner.properties', [], '/usr/local/FlashphonerWebCallServer/conf/flashphoner.properties'],
  [
    'wcs-core.properties',
    running(['java', '-Dapp.home=/opt/FlashphonerWebCallServer-5.2.1', '-cp', '/x']),
    '/opt/FlashphonerWebCallServer-5.2.1/conf/wcs-core.properties',
  ],
  ['jdk release', running(['java'], { program: '/usr/lib/jvm/jdk-14/bin/java' }), '/usr/lib/jvm/jdk-14/release'],
  ['jdk release', running(['/opt/jdk8/jre/bin/java', '-jar']), '/opt/jdk8/release'],
  ['jdk release', running(['java']), undefined],
  ['srs.conf', running(['./objs/srs', '-c', 'conf/rtc.conf'], { folder: '/home/srs' }), '/home/srs/conf/rtc.conf'],
  ['srs.conf', running(['./objs/srs', '-c', 'conf/rtc.conf']), '/usr/local/srs/conf/srs.conf'],
  ['nginx.conf', running(['nginx: master process /usr/sbin/nginx -c /srv/n.conf']), '/srv/n.conf'],
  ['nginx.conf', running(['nginx', '-p', '/srv/', '-c', 'n.conf']), '/srv/n.conf'],
  ['nginx.conf', running(['nginx: worker process']), '/etc/nginx/nginx.conf'],
  ['livekit.yaml', running(['livekit-server', '--config=/etc/lk.yaml']), '/etc/lk.yaml'],
  ['livekit.yaml', running(['livekit-server', '--config', '/etc/lk.yaml']), '/etc/lk.yaml'],
] as const)('finds %s by the arguments of the process', (name, processes, path) => {
  expect(pathOfConfig(name, settings, processes)).toBe(path);
});

it('prefers the node’s settings', () => {
  expect(pathOfConfig('flashphoner.properties', { ...settings, config: '/conf' }, running(['java']))).toBe(
    '/conf/flashphoner.properties',
  );
  expect(pathOfConfig('nginx.conf', { ...settings, config: '/n.conf' }, running(['nginx', '-c', '/x']))).toBe(
    '/n.conf',
  );
});
