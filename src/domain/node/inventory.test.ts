import { expect, it } from 'vitest';
import { hostFault, inventoryPath, readInventory } from './inventory';

it('reads one host a line, with comments', () => {
  expect(readInventory('# testers\nload-1\n\nqa@10.0.0.12:2222  # new\r\nqa@[fd00::1]\n')).toEqual({
    hosts: ['load-1', 'qa@10.0.0.12:2222', 'qa@[fd00::1]'],
  });
});

it('reads a group of an Ansible inventory with its variables', () => {
  const ini = `
[web]
web-1 whatever=1

[load]
load-1 ansible_host=10.0.0.1 ansible_port=2222
load[09:11].example ; a range
[load:vars]
ansible_user=qa
ansible_python_interpreter=/usr/bin/python3
[all:vars]
ansible_user=root
ansible_connection=ssh
[all:children]
web
`;
  expect(readInventory(ini, 'load').hosts).toEqual([
    'qa@10.0.0.1:2222',
    'qa@load09.example',
    'qa@load10.example',
    'qa@load11.example',
  ]);
});

it('refuses what it does not understand, by line', () => {
  const fault = (text: string, group?: string): string | undefined => readInventory(text, group).fault;
  expect(fault('load-1\nload-2 ansible_port=22')).toMatch(/^Line 2: .* one SSH address a line/);
  expect(fault('load-1\n-oProxyCommand=x')).toMatch(/^Line 2: This is not an SSH address/);
  expect(fault('[load]\nload-1')).toBe(
    'Line 1: The file has groups; name one of them, as in inventory: hosts.ini#GROUP.',
  );
  expect(fault('[load]\nload-1 ansible_ssh_common_args=-J', 'load')).toMatch(/^Line 2: Only ansible_host, .* are read/);
  expect(fault('[load]\nload-1 ansible_connection=winrm', 'load')).toMatch(/^Line 2: Only ansible_host/);
  expect(fault('[load:children]\nweb', 'load')).toMatch(/^Line 1: Groups of groups/);
  expect(fault('[load]\nload[3:1]', 'load')).toMatch(/^Line 2: This is not a range/);
  expect(fault('[load]\na\nb\na', 'load')).toBe(
    'Line 4: This host is listed twice, first in line 2; a host runs one agent.',
  );
  expect(fault('[web]\na', 'load')).toBe('It has no group [load].');
  expect(fault('# none')).toBe('It lists no host.');
});

it('takes no option of ssh for a host', () => {
  expect(hostFault('-J')).toBeDefined();
  expect(hostFault('qa@-host')).toBeDefined();
  expect(hostFault('qa@host')).toBeUndefined();
});

it('splits the group from the path', () => {
  expect(inventoryPath('a/hosts.ini#load')).toEqual({ path: 'a/hosts.ini', group: 'load' });
  expect(inventoryPath('hosts.txt')).toEqual({ path: 'hosts.txt' });
});

it.each([
  'root:$6$planted:19000:0:99999:7:::',
  'planted planted',
  '[planted]',
  '[planted:children]',
  '[load]\nplanted ansible_planted=x',
  '[load]\nplanted[9:1]',
  '[load]\nplanted ansible_host=planted/x',
  '[load:vars]\nplanted',
  '[load]\nplanted\nplanted',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nplanted==',
])('a fault quotes nothing of the file: %j', (text) => {
  for (const group of [undefined, 'load']) {
    const { hosts, fault } = readInventory(text, group);
    if (hosts.length > 0) continue;
    expect(fault).toMatch(/^(Line \d+: |It )/);
    expect(fault).not.toMatch(/planted|BEGIN|root/);
  }
});
