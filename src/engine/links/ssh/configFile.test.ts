import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSshConfig, type ConfigQuery, type ConfigValues } from './configFile';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fullhouse-config-'));
  folder = join(home, '.ssh');
  mkdirSync(folder);
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

/** Files of the ssh folder by their path in it; DIR in them is that folder. */
function write(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('DIR', folder), { mode: 0o600 });
  }
}

const values = (host: string, given: ConfigQuery['given'] = {}): ConfigValues =>
  readSshConfig({
    files: [{ path: join(folder, 'config'), folder }],
    host,
    localUser: userInfo().username,
    given,
    hostOf: (name = host) => name.replaceAll('%h', host),
  });

const ours = (host: string, user?: string): string[] => {
  const found = values(host, user === undefined ? {} : { user });
  return [
    `user ${user ?? found.get('user')?.[0] ?? userInfo().username}`,
    `hostname ${(found.get('hostname')?.[0] ?? host).replaceAll('%h', host)}`,
    `port ${found.get('port')?.[0] ?? 22}`,
    ...['hostkeyalias', 'proxyjump', 'proxycommand'].flatMap((key) =>
      (found.get(key) ?? []).map((value) => `${key} ${value}`),
    ),
    ...(found.get('identityfile') ?? []).map((file) => `identityfile ${file}`),
  ].sort();
};

/** What the ssh of this machine reports; its usual key files are left out. */
const theirs = (host: string, user?: string): string[] =>
  execFileSync('ssh', ['-G', '-F', join(folder, 'config'), user === undefined ? host : `${user}@${host}`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .split('\n')
    .filter((line) => /^(user|hostname|port|hostkeyalias|proxyjump|proxycommand|identityfile) /.test(line))
    .filter((line) => !/^identityfile ~\/\.ssh\/id_/.test(line) && line !== `hostkeyalias ${host}`)
    .sort();

const withHost = (indent = ' '): string => `Host media1\n${indent}HostName 10.0.0.5\n`;

/** Each with the hosts (or USER@HOST) for which both are compared; one of them has values of the case. */
const cases: ReadonlyArray<readonly [string, Files, readonly string[]]> = [
  ['a quoted Include', { config: 'Include "DIR/conf d/a.conf"', 'conf d/a.conf': withHost() }, ['media1', 'other']],
  ['an Include in single quotes', { config: "Include 'conf d/a.conf'", 'conf d/a.conf': withHost() }, ['media1']],
  ['an Include with an escaped space', { config: 'Include conf\\ d/a.conf', 'conf d/a.conf': withHost() }, ['media1']],
  [
    'an Include with brackets',
    { config: 'Include conf.d/[0-9]*.conf', 'conf.d/10-a.conf': withHost(), 'conf.d/x.conf': 'Port 7' },
    ['media1'],
  ],
  [
    'an Include with excluded characters and ?',
    {
      config: 'Include d/[!b-y]?.conf',
      'd/a1.conf': 'Port 5',
      'd/c1.conf': 'Port 6\nUser no',
      'd/.a.conf': 'User hidden',
    },
    ['media1'],
  ],
  [
    'a bracket that is not closed, and an escaped star',
    {
      config: 'Include d/[x.conf d/\\*.conf',
      'd/[x.conf': 'Port 5',
      'd/*.conf': 'User star',
      'd/y.conf': 'User other',
    },
    ['media1'],
  ],
  [
    'several patterns in one line, in their order',
    { config: 'Include b a "c d" missing*', a: 'Port 1\nUser a', b: 'Port 2', 'c d': 'HostName 10.0.0.9\nUser c' },
    ['media1'],
  ],
  [
    'a relative Include in an included file',
    { config: 'Include sub/a', 'sub/a': 'Include other', other: 'Host media1\n User qa', 'sub/other': 'User wrong' },
    ['media1'],
  ],
  [
    'Includes within blocks',
    {
      config:
        'Host media*\n Include inner\n Port 9\nHost far\n Include inner\n Port 8\nMatch user qa\n Include deep\nHost *\n User last',
      inner: 'User first\nHost media2\n Port 4\nHost far\n HostName 10.0.0.1\nMatch all\n IdentityFile DIR/k',
      deep: 'HostKeyAlias deep\nHost media1\n HostName 10.9.9.9',
    },
    ['media1', 'media2', 'far', 'other', 'qa@media1', 'qa@other'],
  ],
  [
    'an Include with tilde, =, and comments',
    { config: '# first\n Include = ~/.ssh/a # last\n', a: withHost('\t') },
    ['media1'],
  ],
  [
    'Match host after HostName, and originalhost',
    {
      config:
        'Host media1\n HostName real.example\nMatch host media1\n Port 1\nMatch host *.example,!bad.example\n Port 2\nMatch originalhost media1 host real*\n User both\nMatch !originalhost media1\n User not',
    },
    ['media1', 'real.example', 'bad.example', 'x'],
  ],
  [
    'Match user, localuser and their opposites',
    {
      config: `Match user root,qa\n Port 1\nMatch localuser ${userInfo().username} !user qa\n HostKeyAlias mine\nMatch localuser nobody-else\n Port 3\nMatch !user qa host=media?\n HostName 10.0.0.7\n`,
    },
    ['media1', 'qa@media1', 'root@media1', 'someone@far'],
  ],
  [
    'User before Match user',
    { config: 'Host media1\n User qa\nMatch user qa\n Port 5\nMatch user other\n Port 6' },
    ['media1'],
  ],
  ['Match all', { config: 'Host far\n Port 1\nMatch all\n Port 2\n User any' }, ['media1', 'far']],
  [
    'Match final, for which HostName is the host',
    {
      config:
        'Match final host real.example\n Port 5\nHost media1\n HostName real.example\n IdentityFile DIR/one\nHost real.example\n User inner\nMatch final all\n IdentityFile DIR/two\nMatch !final\n HostKeyAlias before',
    },
    ['media1', 'real.example', 'other'],
  ],
  [
    'Match canonical without a request',
    { config: 'Match canonical\n Port 5\nMatch canonical all\n User c\nMatch !canonical\n HostKeyAlias n' },
    ['media1'],
  ],
  [
    'Match canonical with CanonicalizeHostname',
    {
      config:
        'CanonicalizeHostname yes\nHost media1\n HostName 127.0.0.1\nMatch canonical\n Port 5\nMatch canonical host 127.*\n User c',
    },
    ['media1', '127.0.0.1'],
  ],
  [
    'Match exec in a block that does not match anyway',
    { config: 'Match host far exec "false"\n Port 5\nMatch exec "false"\n' },
    ['media1'],
  ],
  [
    'negated patterns of Host',
    { config: 'Host *.example !bad.example "with.?" far\n Port 5' },
    ['a.example', 'bad.example', 'with.x', 'far', 'x'],
  ],
  [
    'ProxyJump before ProxyCommand',
    { config: 'Host media1\n ProxyJump gate,b:22\nHost *\n ProxyCommand nc %h %p' },
    ['media1', 'x'],
  ],
  [
    'ProxyCommand before ProxyJump',
    { config: 'Host media1\n ProxyCommand nc %h\nHost *\n ProxyJump gate' },
    ['media1', 'x'],
  ],
  [
    'quotes in values',
    {
      config:
        'User "a b"\nIdentityFile "DIR/k 1"\nIdentityFile DIR/k\\ 2\nIdentityFile="DIR/#3"\nHostName 10.0.0.1 # here',
    },
    ['media1'],
  ],
  [
    'the first of values, and all keys once',
    { config: 'Port 1\nPort 2\nIdentityFile DIR/a\nIdentityFile DIR/b\nIdentityFile DIR/a' },
    ['media1'],
  ],
];

describe('an ssh config is read as by the ssh of this machine', () => {
  it.each(cases)('%s', (_name, files, hosts) => {
    write(files);
    for (const entered of hosts) {
      const [user, host] = entered.includes('@') ? (entered.split('@') as [string, string]) : [undefined, entered];
      expect([entered, ...ours(host, user)]).toEqual([entered, ...theirs(host, user)]);
    }
  });
});

// OpenSSH has these since 9.4.
describe('tags', () => {
  it('select blocks; the first counts', () => {
    write({
      config:
        'Host media*\n Tag lab\nHost media2\n Tag other\nMatch tagged lab,field\n Port 5\nMatch tagged other\n Port 6\nMatch !tagged *\n Port 7\nHost far\n Tag late\nMatch tagged "l*" host far\n User late',
    });
    expect(values('media2').get('port')).toEqual(['5']);
    expect(values('far').get('user')).toEqual(['late']);
    expect(values('far').get('port')).toEqual(['7']);
  });

  it('are none unless set', () => {
    write({ config: 'Match tagged *\n Port 1\nMatch tagged ""\n Port 7\n' });
    expect(values('far').get('port')).toEqual(['7']);
    write({ config: 'Tag a\nMatch tagged ""\n Port 7\n' });
    expect(values('far').get('port')).toBeUndefined();
  });
});

describe('Match exec', () => {
  const sentence = (keyword: string, line: number): string =>
    `~/.ssh/config, line ${line}: this ${keyword} may apply to media1, but depends on Match exec, which Fullhouse does not evaluate: it runs no programs of the ssh config. Use Match host, user or tagged there, or write what applies in a Host block before it.`;

  it('is refused where a value depends on it, also in an included file', () => {
    write({ config: 'Port 1\nMatch host media1 exec "touch DIR/ran"\n Port 2\n ProxyJump gate\n' });
    expect(() => values('media1')).toThrow(sentence('proxyjump', 4));
    write({ config: 'Match !exec "touch DIR/ran"\n Include inner\n', inner: 'Host media1\n User a\n' });
    expect(() => values('media1')).toThrow(`~/.ssh/inner, line 2: this user may apply to media1`);
    expect(() => values('other')).not.toThrow();
  });

  it('does not matter without such a value', () => {
    write({
      config: 'Host media1\n User a\nMatch exec "false"\n User b\n SendEnv X\nMatch host far exec x\n Port 1\n',
    });
    expect(values('media1').get('user')).toEqual(['a']);
    write({ config: 'Match exec "false"\n User b\n ProxyJump gate\n ProxyCommand nc\n' });
    expect(values('media1', { user: 'me', proxyjump: 'x' }).size).toBe(0);
  });
});

it('names the line of what is wrong', () => {
  for (const [text, why] of [
    ['Host a\n\nMatch hosts a\n', 'line 3: Match has the unknown criterion "hosts".'],
    ['Match host\n', 'line 1: Match host has no argument.'],
    ['Match\n', 'line 1: Match has no criterion.'],
    ['Match all host a\n', 'line 1: Match all can be combined with canonical or final only.'],
    ['Port\n', 'line 1: port has no value.'],
  ] as const) {
    write({ config: text });
    expect(() => values('media1')).toThrow(`~/.ssh/config, ${why}`);
  }
});
