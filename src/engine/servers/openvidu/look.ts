import { FullhouseError } from '../../../contract/calls';
import { hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { apiPath, openviduApi, originOf, usualUser } from './api';
import { lookMs } from '../lookLimit';

/** Asks the typed address, or OpenVidu 2's usual ones (443 behind its proxy, 4443 without). */
export async function look(target: ProbeTarget): Promise<ServerFound | undefined> {
  const all = await Promise.all(addressesOf(target).map((base) => lookAt(base, target)));
  return all.find((each) => each !== undefined);
}

function addressesOf({ host: given, port, url }: ProbeTarget): readonly string[] {
  const host = hostInAddress(given);
  const typed = originOf(url?.href);
  if (typed) return [typed];
  if (port !== undefined) return [`https://${host}:${port}`, `http://${host}:${port}`];
  return [`https://${host}`, `https://${host}:4443`];
}

async function lookAt(base: string, { http, secrets }: ProbeTarget): Promise<ServerFound | undefined> {
  try {
    // Its only call that wants no secret: where it believes to be reached.
    const { status, body } = await http.request({
      url: `${base}${apiPath}/config/openvidu-publicurl`,
      timeoutMs: lookMs,
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
      user: usualUser,
      secret: () => httpPassword,
      timeoutMs: lookMs,
    });
    return await api.version().then(
      (version) => ({ ...found, software: `OpenVidu ${version}` }),
      // The password that was typed is for something else, or wrong.
      (error: unknown) => ({
        ...found,
        needs: ['httpPassword'] as const,
        detail: `${found.detail}${error instanceof FullhouseError && error.code === 'openvidu-secret' ? ', secret not taken' : ''}`,
      }),
    );
  } catch {
    return undefined;
  }
}
