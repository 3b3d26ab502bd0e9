import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveRoute, type SshHop } from './sshConfig';
import type { SshTarget } from './sshLink';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-config-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const config = (text: string, name = 'config'): void => writeFileSync(join(folder, name), text);
const route = (target: SshTarget): SshHop[] =>
  resolveRoute({ target, sshFolder: folder, agentSocket: '/agent', systemConfig: join(folder, 'system') });
const hop = (address: string): SshHop => route({ address }).at(-1) as SshHop;
const me = userInfo().username;

describe('the route to a host', () => {
  it('is the address itself without a config', () => {
    expect(route({ address: 'me@box:2222' })).toEqual([
      {
        name: 'box',
        user: 'me',
        host: 'box',
        port: 2222,
        keyFiles: ['id_ed25519', 'id_ecdsa', 'id_rsa', 'id_ecdsa_sk', 'id_ed25519_sk'].map((name) =>
          join(folder, name),
        ),
        namedKeyFiles: [],
        certificateFiles: [],
        identitiesOnly: false,
        agentSocket: '/agent',
        keyName: 'box',
      },
    ]);
    expect(hop('box')).toMatchObject({ user: me, port: 22 });
  });

  it('uses the first matching value, and the address before the config', () => {
    config(`
host box
  hostname 10.0.0.1
  PORT 2200
  User=tester
  IdentityFile "${folder}/a key"
  IdentityFile ~/.ssh/%r@%h-%n
  IdentitiesOnly yes
  UserKnownHostsFile ~/.ssh/one ${folder}/two
  HostKeyAlias alias
  IdentityAgent ${folder}/agent
  CertificateFile ${folder}/certificate
Host * !box
  Port 1
Host *
  User other
  Port 3
`);
    expect(hop('box')).toEqual({
      name: 'box',
      user: 'tester',
      host: '10.0.0.1',
      port: 2200,
      keyFiles: [`${folder}/a key`, `${homedir()}/.ssh/tester@10.0.0.1-box`],
      namedKeyFiles: [`${folder}/a key`, `${homedir()}/.ssh/tester@10.0.0.1-box`],
      certificateFiles: [`${folder}/certificate`],
      identitiesOnly: true,
      agentSocket: `${folder}/agent`,
      keyName: 'alias',
      knownHostsFiles: [`${homedir()}/.ssh/one`, `${folder}/two`],
    });
    expect(hop('me@box:4')).toMatchObject({ user: 'me', port: 4 });
    expect(hop('elsewhere')).toMatchObject({ user: 'other', port: 1, host: 'elsewhere' });
  });

  it('puts the configured key first', () => {
    config('Host box\n IdentityFile /from/config\n');
    expect(route({ address: 'box', keyFile: '~/mine' })[0]?.keyFiles).toEqual([`${homedir()}/mine`, '/from/config']);
  });

  it('supports tokens in HostName, Match blocks, and IdentityAgent none', () => {
    config(`
Host short
  HostName %h.example
Match host *.example user root
  Port 99
Host silent
  IdentityAgent none
`);
    expect(hop('me@short')).toMatchObject({ host: 'short.example', port: 22 });
    expect(hop('root@a.example').port).toBe(99);
    expect(hop('silent').agentSocket).toBeUndefined();
  });

  it("reads included files, in a block only where the block applies, and the system's last", () => {
    mkdirSync(join(folder, 'd'));
    config('Host box\n User first\n Include d/*.conf\n Port 5\nInclude missing\nHost late\n Port 9\n');
    config('User included\nHostKeyAlias from-a\nHost other\n Port 6\n', 'd/a.conf');
    config('Host box late\n IdentitiesOnly yes\n', 'd/b.conf');
    config('Host *\n User system\n Port 7\n', 'system');
    expect(hop('box')).toMatchObject({ user: 'first', port: 5, keyName: 'from-a', identitiesOnly: true });
    expect(hop('late')).toMatchObject({ user: 'system', port: 9, keyName: 'late', identitiesOnly: false });
    expect(hop('other')).toMatchObject({ port: 7, keyName: 'other' });
  });

  it('reports what is wrong with a config', () => {
    config('Include config\n');
    expect(() => hop('box')).toThrow('circular includes');
    config('Host box\n Port many\n');
    expect(() => hop('box')).toThrow('has the invalid port "many"');
    config('Host box\n User "half\n');
    expect(() => hop('box')).toThrow(`${join(folder, 'config')}, line 2: a quote is not closed.`);
    config('Host box\n ProxyCommand nc %h %p\n');
    expect(() => hop('box')).toThrow('Use ProxyJump there');
  });
});

describe('jump hosts', () => {
  const names = (target: SshTarget): string[] => route(target).map(({ user, host, port }) => `${user}@${host}:${port}`);

  it('come from the config, each with its own entry, the nearest last', () => {
    config(`
Host inner
  ProxyJump gate,second
Host gate
  HostName 10.0.0.1
  User guard
  Port 2200
  ProxyJump first
Host second
  ProxyJump never
Host first
  User one
`);
    expect(names({ address: 'me@inner' })).toEqual([
      'one@first:22',
      'guard@10.0.0.1:2200',
      `${me}@second:22`,
      'me@inner:22',
    ]);
  });

  it('come from the settings before the config, which can also be none', () => {
    config('Host inner\n ProxyJump gate\n ProxyCommand nc\n');
    expect(names({ address: 'me@inner', jump: 'a@x:1, b@[::1]:2' })).toEqual(['a@x:1', 'b@::1:2', 'me@inner:22']);
    expect(names({ address: 'me@inner', jump: 'none' })).toEqual(['me@inner:22']);
  });

  it('do not form a loop', () => {
    config('Host a\n ProxyJump b\nHost b\n ProxyJump a\n');
    expect(() => hop('a')).toThrow('forms a loop');
  });
});
