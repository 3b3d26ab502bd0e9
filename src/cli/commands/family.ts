import { isBuiltInFamily, builtInFamilyNames, type ServerFamily } from '../../domain/model/serverFamilies';
import { systemClock } from '../../engine/base/clock';
import { requireRealAddress } from '../../engine/base/realAddress';
import { readTypedAddress } from '../../engine/fleet/probe/typedAddress';
import { openHttpLink } from '../../engine/links/http/openHttpLink';
import { builtInRules } from '../../engine/servers/families';
import { checkFamilyAt, type FamilyCheck } from '../../engine/servers/fromFile/familyCheck';
import { readFamilyFile } from '../../engine/servers/fromFile/readFamily';
import { command, form, type Arguments } from '../command';
import { exitCodes } from '../exitCodes';
import { print, printLogHere } from '../print';
import { passwordVariable, probePassword } from '../probePassword';
import { UsageError } from '../usageError';
import { selfSigned, user } from '../options';

const options = { user, 'self-signed': selfSigned };

export const family = command({
  name: 'family',
  operand: ['check', 'list'],
  options,
  forms: [
    form(
      'check FILE.yaml|NAME [ADDRESS] [--user U] [--self-signed]',
      'check a family file, and what it reads at an address',
    ),
    form('list', 'print the built-in families that are files'),
  ],
  examples: ['family check my-server.yaml', 'family check my-server.yaml 127.0.0.1:8000', 'family list'],
  exitCodes: {
    fail: 'of check: nothing at the address is of this family',
    notStarted: 'the file is invalid, or invalid arguments',
  },
  read: readInput,
  run: async (input) => {
    if (input.what === 'list') return printList();
    return check(input);
  },
});

interface CheckInput {
  readonly what: 'check';
  readonly file: string;
  readonly address: string | undefined;
  readonly user: string | undefined;
  readonly acceptSelfSigned: boolean;
}

function readInput({ operands, values }: Arguments<typeof options>): CheckInput | { readonly what: 'list' } {
  const [what, file, address, more] = operands;
  if (what === 'list') {
    if (file !== undefined) throw new UsageError(`Unexpected argument "${file}".`);
    return { what };
  }
  if (what !== 'check') throw new UsageError('Use: fullhouse family check FILE.yaml ADDRESS, or fullhouse family list');
  if (file === undefined) throw new UsageError('Missing FILE.yaml: fullhouse family check FILE.yaml ADDRESS');
  if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
  return { what, file, address, user: values.user, acceptSelfSigned: values['self-signed'] };
}

function printList(): number {
  for (const name of builtInFamilyNames) {
    const { title, streams, play, publish } = builtInRules(name);
    const has = [
      ...(Object.keys(play).length > 0 ? [`play ${Object.keys(play).join(' ')}`] : []),
      ...(Object.keys(publish).length > 0 ? [`publish ${Object.keys(publish).join(' ')}`] : []),
      ...(streams ? ['streams'] : []),
      ...(streams?.viewers !== undefined || streams?.viewersBy !== undefined ? ['viewers'] : []),
    ];
    print(`${name.padEnd(22)} ${title.padEnd(26)} ${has.join(', ')}`);
  }
  return exitCodes.pass;
}

const nameOrFile = (file: string): ReturnType<typeof readFamilyFile> =>
  isBuiltInFamily(file as ServerFamily)
    ? builtInRules(file as (typeof builtInFamilyNames)[number])
    : readFamilyFile(file);

async function check({ file, address, user: name, acceptSelfSigned }: CheckInput): Promise<number> {
  printLogHere();
  const rules = nameOrFile(file);
  print(`+ ${file} is a valid family file: ${rules.title}`);
  if (address === undefined) return exitCodes.pass;
  requireRealAddress('the server', address);
  const typed = readTypedAddress(address);
  const password = probePassword();
  const http = openHttpLink({
    who: address,
    acceptSelfSigned,
    clock: systemClock,
    ...(name !== undefined && password !== undefined ? { basic: { user: name, password } } : {}),
  });
  try {
    const port = typed.user === undefined ? typed.port : undefined;
    const checked = await checkFamilyAt(rules, {
      ...{ host: typed.host, port, url: typed.url, http, clock: systemClock, acceptSelfSigned },
      secrets: password === undefined ? {} : { httpPassword: password },
      user: name,
    });
    printCheck(checked);
    return checked.found ? exitCodes.pass : exitCodes.fail;
  } finally {
    http.close();
  }
}

function printCheck({
  recognise,
  found,
  requests,
  version,
  streams,
  elements,
  emptyFields,
  keys,
  figures,
  addresses,
}: FamilyCheck): void {
  print('', 'recognise');
  for (const { rule, matches, version: by } of recognise)
    print(`${matches ? '+' : '-'} ${rule}${by ? `: version ${by}` : ''}`);
  if (!found) {
    print('', 'Nothing at this address is of this family.');
    return;
  }
  print('', `found: ${[found.software, found.detail].filter(Boolean).join(' · ')}`);
  if (found.stream !== undefined) print(`stream in the address: ${found.stream}`);
  if (requests.length > 0) print('', 'requests');
  for (const { name, fault } of requests)
    print(`${fault === undefined ? '+' : '!'} ${name}${fault === undefined ? '' : `: ${fault}`}`);
  if (found.needs) print(`  The API needs a login: add --user NAME and set ${passwordVariable}.`);
  if (version !== undefined) print(`+ version: ${version}`);
  if (streams) {
    print('', `streams: ${streams.length} of ${elements ?? 0} elements have a name and meet "where"`);
    if (keys) print(`  the first element has: ${keys.join(', ')}`);
    for (const { name, found: _found, viewersBy, ...rest } of streams.slice(0, maxStreams)) {
      const values = Object.entries(rest).map(([key, value]) => `${key} ${String(value)}`);
      const by = Object.entries(viewersBy ?? {}).map(([protocol, count]) => `${protocol} ${count}`);
      print(`  ${name}: ${[...values, ...(by.length > 0 ? [`by protocol: ${by.join(', ')}`] : [])].join(', ')}`);
    }
    if (streams.length > maxStreams) print(`  and ${streams.length - maxStreams} more`);
    if (emptyFields.length > 0) print(`! without a value in all streams: ${emptyFields.join(', ')}`);
  }
  if (figures.length > 0) print('', 'figures');
  for (const { series, value, isCounter } of figures)
    print(value === undefined ? `! ${series}: no value` : `+ ${series}: ${value}${isCounter ? ', a counter' : ''}`);
  print('', 'addresses');
  for (const [protocol, address] of addresses) print(`  ${protocol.padEnd(14)} ${address}`);
}

/** Of a long list the first ones show what is read. */
const maxStreams = 20;
