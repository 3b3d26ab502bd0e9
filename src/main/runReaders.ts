import { MessageChannelMain, utilityProcess, type UtilityProcess } from 'electron';
import type { EngineToParent, FromParent } from '../engine/savedRuns/readersByParent';
import { readerEnvironment, readerFlags } from '../engine/savedRuns/startReader';

/** Name of these processes, as the system and `child-process-gone` show it. */
export const runReaderName = 'Fullhouse run reader';

/** The processes that read saved runs for the engine. It requests them, since a utility process can't start another. */
export class RunReaders {
  readonly #running = new Map<number, UtilityProcess>();

  constructor(
    private readonly program: string,
    /** Folder of its compiled code. */
    private readonly code: string,
    private readonly engine: UtilityProcess,
  ) {
    engine.on('message', (message: EngineToParent) => {
      if (message.kind === 'start-reader') this.#start(message.reader);
      else this.#running.get(message.reader)?.kill();
    });
  }

  /** Kills the running ones; their engine has ended. */
  end(): void {
    for (const reader of this.#running.values()) reader.kill();
  }

  #start(reader: number): void {
    const started = utilityProcess.fork(this.program, [this.code], {
      serviceName: runReaderName,
      execArgv: readerFlags,
      env: readerEnvironment(),
      stdio: 'ignore',
    });
    this.#running.set(reader, started);
    started.once('spawn', () => {
      const { port1, port2 } = new MessageChannelMain();
      started.postMessage(null, [port1]);
      const message: FromParent = { kind: 'reader-started', reader, pid: started.pid };
      this.engine.postMessage(message, [port2]);
    });
    started.once('exit', (code) => {
      this.#running.delete(reader);
      const message: FromParent = { kind: 'reader-ended', reader, how: `exit code ${code}` };
      if (this.engine.pid !== undefined) this.engine.postMessage(message);
    });
  }
}
