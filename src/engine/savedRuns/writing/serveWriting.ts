import { FullhouseError } from '../../../contract/calls';
import type { RunId } from '../../../domain/model/run';
import { errorText } from '../../../domain/text/errorText';
import { decodeHistogram } from '../../base/histogramBytes';
import { samplesIn } from '../../base/samples';
import { openRunLibrary, type RunLibrary, type RunWriter } from '../../store';
import { rescueFolders } from '../../store/rescue';
import { toWriter, type FromWriter, type RunPiece, type WriterRequest, type WriterRequests } from './messages';

/** Serves the requests of a channel in the process that writes the file of a run. */
export function serveWriting(answer: (message: FromWriter) => void): (message: unknown) => void {
  const process = new WritingProcess((sentence) => answer({ kind: 'problem', sentence }));
  queueMicrotask(() => answer({ kind: 'started' }));
  return (message) => {
    const parsed = toWriter.safeParse(message);
    if (!parsed.success) return;
    const { writing, request, input } = parsed.data;
    try {
      const act = process[request] as (input: unknown) => unknown;
      const value = act.call(process, input) ?? null;
      answer({ kind: 'written', writing, value, ...process.state() });
    } catch (error) {
      const code = error instanceof FullhouseError ? error.code : 'internal';
      answer({ kind: 'refused', writing, code, message: errorText(error) });
    }
  };
}

type Requests = { [N in WriterRequest]: (input: WriterRequests[N]) => unknown };

class WritingProcess implements Requests {
  private library: RunLibrary | undefined;
  private writer: RunWriter | undefined;
  private run: RunId = '';

  constructor(private readonly problem: (sentence: string) => void) {}

  create({ view, engine, ...place }: WriterRequests['create']): void {
    this.begin(view.id, (library) => library.create(view, engine), place);
  }

  createElsewhere({ view, engine, place, ...at }: WriterRequests['createElsewhere']): void {
    const open = at.staysInFolder === true ? undefined : rescueFolders(at.dataFolder)[place];
    if (!open) throw new FullhouseError('no-folder', 'No other folder can be written.');
    this.begin(view.id, (library) => library.create(view, engine), { ...at, folder: open() });
  }

  resume({ view, path, ...place }: WriterRequests['resume']): void {
    this.begin(
      view.id,
      (library) => {
        library.knowElsewhere({ [view.id]: path });
        return library.resume(view);
      },
      place,
    );
  }

  write({ piece, how }: WriterRequests['write']): void {
    const writer = this.open();
    add(writer, piece);
    writer[how]();
  }

  finish({ view }: WriterRequests['finish']): void {
    // Undefined: a process before this one had closed it.
    this.writer?.finish(view);
  }

  rename({ run, name }: WriterRequests['rename']): unknown {
    return this.library?.rename(run, name);
  }

  keep({ run, changes }: WriterRequests['keep']): unknown {
    return this.library?.keep(run, changes);
  }

  state(): { readonly isSaved: boolean; readonly path: string; readonly bytes: number } {
    const { library, run, writer } = this;
    const isOpen = library?.isWritten(run) ?? false;
    return {
      isSaved: !isOpen || (writer?.isSaved ?? true),
      path: library?.path(run) ?? '',
      bytes: isOpen ? (library?.summary(run).bytes ?? 0) : 0,
    };
  }

  private begin(
    run: RunId,
    start: (library: RunLibrary) => RunWriter | undefined,
    {
      folder,
      dataFolder,
      owner,
      staysInFolder,
    }: Pick<WriterRequests['create'], 'folder' | 'dataFolder' | 'owner' | 'staysInFolder'>,
  ): void {
    this.library = openRunLibrary(folder, {
      ...(dataFolder === undefined ? {} : { dataFolder }),
      ...(staysInFolder === undefined ? {} : { staysInFolder }),
      owner,
      // It is told once a second.
      repeat: () => () => undefined,
      onProblem: ({ sentence }) => this.problem(sentence),
    });
    this.run = run;
    this.writer = start(this.library);
  }

  private open(): RunWriter {
    if (!this.writer) throw new FullhouseError('run-closed', `The run ${this.run} has ended.`);
    return this.writer;
  }
}

function add(writer: RunWriter, { samples, histograms, events, stills, viewers, view, isRepeat }: RunPiece): void {
  writer.append(samplesIn(samples));
  writer.histograms(
    histograms.map(({ bytes, ...row }) => ({ ...row, histogram: decodeHistogram(bytes) })),
    isRepeat,
  );
  for (const { id, ...event } of events) writer.event(event, id);
  for (const { id, ...still } of stills) writer.still(still, id);
  if (viewers.length > 0) writer.setViewers(viewers);
  if (view) writer.setView(view);
}
