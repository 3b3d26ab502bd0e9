import { createConnection } from 'node:net';
import { pipeline } from 'node:stream';
import { FullhouseError } from '../../contract/calls';
import type { Wire } from '../../contract/wire';
import { chromiumArguments, chromiumNames, findChromium, startChromium } from '../base/chromium';
import type { SshLink } from '../links/ssh/sshLink';
import { tied } from '../telemetry/endWithInput';
import { ViewerPageServer } from './viewerPageServer';

const install = 'Install Chromium there (Debian: apt-get install chromium), or set browserViewers: 0';

/** Ends a browser and what it needs. */
type End = () => void;

/** Browsers without a window, for browser viewers: on this machine, or on testers reached by SSH. */
export class Browsers {
  private server: Promise<ViewerPageServer> | undefined;
  private readonly running = new Set<End>();

  constructor(
    private readonly pageFolder: string | undefined,
    /** Serves a page's connection to the engine. */
    private readonly serve: (wire: Wire) => () => void,
  ) {}

  /** Opens the page for runs that name `by` in a browser of this machine. Rejects with a sentence. */
  async startHere(by: string): Promise<End> {
    const program = findChromium();
    if (program === undefined) throw new FullhouseError('no-browser', `This machine has no Chromium. ${install}.`);
    const server = await this.page();
    const browser = startChromium(program, server.url(by));
    return this.keep(() => void browser.end());
  }

  /**
   * Opens the page in a browser of a tester. It reaches the engine through the SSH connection; media is between the
   * tester and the origin. Rejects with a sentence.
   */
  async startOn(link: SshLink, by: string): Promise<End> {
    const found = await link.run(['sh', '-c', findProgram, 'sh', ...chromiumNames]);
    const [program = '', user = ''] = found.stdout.split('\n');
    if (found.code !== 0 || program === '')
      throw new FullhouseError('no-browser', `${by} has no Chromium. ${install}.`);
    const server = await this.page();
    const forward = await link.listen((stream) =>
      // Either end may close; what is open then ends with it.
      pipeline(stream, createConnection(server.port, '127.0.0.1'), stream, () => undefined),
    );
    const args = chromiumArguments(server.url(by, forward.port), { isRoot: user === '0' });
    const command = await link.follow(['sh', '-c', withProfile, 'sh', program, ...args], { line: () => undefined });
    return this.keep(() => {
      command.end();
      forward.close();
    });
  }

  close(): void {
    for (const end of this.running) end();
    this.server?.then(
      (server) => server.stop(),
      () => undefined,
    );
  }

  private keep(end: End): End {
    const once = (): void => {
      if (this.running.delete(once)) end();
    };
    this.running.add(once);
    return once;
  }

  private page(): Promise<ViewerPageServer> {
    if (this.pageFolder === undefined)
      throw new FullhouseError('no-browser', 'This installation has no page of browser viewers.');
    this.server ??= ViewerPageServer.start(this.pageFolder, this.serve);
    return this.server;
  }
}

/** Shell text that prints the first of its arguments that is a program, and the user's number. */
const findProgram = 'for name; do command -v "$name" && id -u && exit; done; exit 1';

/** Shell text that runs its arguments with a temporary profile, until standard input is closed. */
const withProfile = `profile=$(mktemp -d) || exit 1
trap 'rm -rf "$profile"' EXIT
${tied('"$@" --user-data-dir="$profile"')}`;
