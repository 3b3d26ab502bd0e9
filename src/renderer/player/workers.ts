import clock from './clock/clockWorker.ts?worker&url';
import sound from './sound/soundWorker.ts?worker&url';

/** The workers that read clocks, as addresses of their scripts. */
const scripts = { clock, sound } as const;
const loaded = new Map<string, string>();

/** For pages whose server serves nothing more once they are connected: loads the scripts now. */
export async function loadWorkers(): Promise<void> {
  for (const script of Object.values(scripts)) {
    const response = await fetch(script);
    if (!response.ok) throw new Error(`The script ${script} was not served: HTTP ${response.status}.`);
    loaded.set(script, URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' })));
  }
}

/** Starts a worker. */
export function startWorker(name: keyof typeof scripts): Worker {
  const script = scripts[name];
  return new Worker(loaded.get(script) ?? script, { type: 'module' });
}
