import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClockPageState } from '../../contract/clockPageCalls';
import { photoDelays } from '../../domain/clock/photoDelays';
import { photoDelayLine } from '../../domain/clock/photoText';
import { errorText } from '../../domain/text/errorText';
import type { Engine } from '../../engine';
import { every, systemClock } from '../../engine/base/clock';
import { command, form, type Arguments } from '../command';
import { withCommandEngine } from '../commandEngine';
import { exitCodes } from '../exitCodes';
import { text, withDefault } from '../options';
import { print, printStatus } from '../print';
import { onStopSignal } from '../stopSignals';
import { UsageError } from '../usageError';

const options = {
  listen: withDefault(
    text('ADDRESS:PORT', 'where the clock page is served; 0.0.0.0:PORT lets other machines and phones open it'),
    '127.0.0.1:0',
  ),
};

export const clock = command({
  name: 'clock',
  operand: ['read'],
  options,
  forms: [
    form('[--listen ADDRESS:PORT]', 'serve a full-screen clock page for an encoder to capture, until Ctrl-C'),
    form('read FILE...', 'read the delay from photos (PNG, JPEG) of a clock page beside the player'),
  ],
  examples: ['clock', 'clock --listen 0.0.0.0:8090', 'clock read both-screens.jpg'],
  exitCodes: { fail: 'of read: no delay is readable in one of the pictures' },
  read: readInput,
  run: (input, installation) =>
    withCommandEngine(installation, {}, (engine) =>
      'files' in input ? readPhotos(engine, input.files) : serve(engine, input),
    ),
});

interface ServeInput {
  readonly address: string;
  readonly port: number;
}

function readInput({ operands, values, given }: Arguments<typeof options>): ServeInput | { readonly files: string[] } {
  const [what, ...files] = operands;
  if (what === undefined) return listenOf(values.listen);
  if (what !== 'read') throw new UsageError(`Unexpected argument "${what}". Use: fullhouse clock read FILE...`);
  if (given.has('listen')) throw new UsageError('--listen is for serving the clock page, not for reading photos.');
  if (files.length === 0) throw new UsageError('Missing FILE: fullhouse clock read FILE...');
  return { files };
}

function listenOf(typed: string): ServeInput {
  const [, address = '', port = ''] = /^(\[[\da-f:]+\]|[^:\s]+):(\d{1,5})$/i.exec(typed) ?? [];
  if (address === '' || Number(port) > 65_535)
    throw new UsageError(`--listen "${typed}" is not an address and a port; write it like 127.0.0.1:8090.`);
  return { address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

async function serve(engine: Engine, input: ServeInput): Promise<number> {
  const { urls, isLan } = await engine.client.call('clockPage.start', input);
  for (const url of urls) print(url);
  printStatus(
    `Open it full screen where the encoder captures it. ${isLan ? 'Anyone who has this address can open it. ' : ''}Ctrl-C ends it.`,
  );
  let said = '';
  const stopPrinting = every(systemClock, 1000, () => {
    void engine.client.call('clockPage.state', {}).then((state) => {
      const line = pagesLine(state);
      if (line !== said) printStatus(line);
      said = line;
    });
  });
  await new Promise<void>((end) => {
    const off = onStopSignal(() => {
      off();
      end();
    });
  });
  stopPrinting();
  return exitCodes.pass;
}

const pagesLine = ({ pages }: ClockPageState): string =>
  pages
    .filter(({ isOpen }) => isOpen)
    .map(({ source, from, sinceMs, untilMs, uncertaintyMs }) =>
      untilMs > sinceMs
        ? `Clock ${source} at ${from}: ± ${Math.ceil(uncertaintyMs)} ms to this machine's clock.`
        : `Clock ${source} at ${from}: not synchronised yet.`,
    )
    .join(' ') || 'No page is open.';

async function readPhotos(engine: Engine, files: readonly string[]): Promise<number> {
  let code: number = exitCodes.pass;
  const refuse = (file: string, sentence: string): void => {
    printStatus(`${file}: ${sentence}`);
    code = exitCodes.fail;
  };
  for (const file of files) {
    if (!existsSync(file)) {
      refuse(file, 'No such file.');
      continue;
    }
    try {
      const { delays, problem } = photoDelays(await engine.saved.codesOfPicture({ path: resolve(file) }));
      for (const delay of delays) print(`${file}: ${photoDelayLine(delay)}`);
      if (problem !== undefined) refuse(file, problem);
    } catch (error) {
      refuse(file, errorText(error));
    }
  }
  return code;
}
