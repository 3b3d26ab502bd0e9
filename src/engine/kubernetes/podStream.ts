import { Duplex, PassThrough } from 'node:stream';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Cancel, Clock } from '../base/clock';
import { kubernetesClient } from './kubeClient';

/** The handshake with the API server takes at most this long. */
const openMs = 10_000;

/** A connection to a port on the loopback of a pod, by a port-forward through the API server. */
export async function openPodStream(
  config: KubeConfig,
  namespace: string,
  pod: string,
  port: number,
  clock: Clock,
): Promise<Duplex> {
  const { PortForward } = await kubernetesClient();
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const opening = new PortForward(config)
    .portForward(namespace, pod, [port], output, errors, input)
    .then((socketOf) => (typeof socketOf === 'function' ? socketOf() : socketOf));
  const socket = await opened(opening, clock);
  if (!socket) throw new Error('the port-forward did not open');
  const stream = Duplex.from({ readable: output, writable: input });
  // A stream that ends by an error is reported by its user; without a listener it would end the process.
  stream.on('error', () => undefined);
  // The kubelet reports here that nothing listens on the port.
  errors.on('data', (text: Buffer) => {
    const line = text.toString('utf8').trim();
    if (line !== '') stream.destroy(new Error(line.slice(0, 300)));
  });
  socket.onclose = () => stream.destroy();
  socket.onerror = () => stream.destroy();
  stream.once('close', () => socket.terminate());
  return stream;
}

/** The socket once it is open; one that opens too late is closed. */
async function opened<T extends { terminate(): void } | null>(opening: Promise<T>, clock: Clock): Promise<T> {
  let cancel: Cancel = () => undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(openMs, () => {
      isLate = true;
      reject(new Error('no response in time'));
    });
  });
  opening.then(
    (socket) => isLate && socket?.terminate(),
    () => undefined, // reported below
  );
  try {
    return await Promise.race([opening, late]);
  } finally {
    cancel();
  }
}
