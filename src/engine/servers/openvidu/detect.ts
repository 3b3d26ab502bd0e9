import { FullhouseError } from '../../../contract/calls';
import { hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { apiPath, openviduApi, originOf, defaultUser } from './api';
import { probeMs } from '../probeTimeout';

/** Probes the entered address, or OpenVidu 2's usual ones (443 behind its proxy, 4443 without). */
export async function look(target: ProbeTarget): Promise<ServerFound | undefined> {
  const all = await Promise.all(addressesOf(target).map((base) => probe(base, target)));
  return all.find((result) => result !== undefined);
}

function addressesOf({ host: given, port, url }: ProbeTarget): readonly string[] {
  const host = hostInAddress(given);
  const typed = originOf(url?.href);
  if (typed) return [typed];
  if (port !== undefined) return [`https://${host}:${port}`, `http://${host}:${port}`];
  return [`https://${host}`, `https://${host}:4443`];
}

async function probe(base: string, { http, secrets }: ProbeTarget): Promise<ServerFound | undefined> {
  try {
    // The only call without a secret: returns its public URL.
    const { status, body } = await http.request({
      url: `${base}${apiPath}/config/openvidu-publicurl`,
      timeoutMs: probeMs,
    });
    if (status !== 200 || !/^(https?|wss?):\/\/\S+$/.test(body.trim())) return undefined;
    const found = {
      certainty: 0.95,
      software: 'OpenVidu 2',
      detail: `REST API at ${base}`,
      settings: { server: 'openvidu', url: base },
    } as const;
    const { httpPassword } = secrets;
    if (!httpPassword) return { ...found, needs: ['httpPassword'] };
    const api = openviduApi({
      who: 'OpenVidu',
      http,
      base,
      user: defaultUser,
      secret: () => httpPassword,
      timeoutMs: probeMs,
    });
    return await api.version().then(
      (version) => ({ ...found, software: `OpenVidu ${version}` }),
      // The entered password is for something else, or wrong.
      (error: unknown) => ({
        ...found,
        needs: ['httpPassword'] as const,
        detail: `${found.detail}${error instanceof FullhouseError && error.code === 'openvidu-secret' ? ', secret rejected' : ''}`,
      }),
    );
  } catch {
    return undefined;
  }
}
