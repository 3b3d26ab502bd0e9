import { createInterface } from 'node:readline';
import { startCoturn } from '../../integration/servers/coturn';
import { startLiveKit } from '../../integration/servers/livekit';

/** Starts the real LiveKit and coturn of the tests, prints their addresses in one line of JSON, and ends with its input. */
async function main(): Promise<void> {
  const livekit = await startLiveKit();
  try {
    const coturn = await startCoturn();
    try {
      process.stdout.write(`${JSON.stringify({ livekit, coturn })}\n`);
      const input = createInterface({ input: process.stdin });
      await new Promise((resolve) => input.once('close', resolve));
    } finally {
      await coturn.stop();
    }
  } finally {
    await livekit.stop();
  }
}

void main();
