import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const written = z.object({ body: z.string() });

export interface Comment {
  readonly id: number;
  body: string;
}

/** GitHub's REST API as far as comments on pull requests need it; `mayWrite` is the permission of the token. */
export async function startGitHubComments(
  repository: string,
  token: string,
  { mayWrite = true, comments = [] as Comment[] } = {},
): Promise<{ readonly url: string; readonly comments: readonly Comment[]; readonly close: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const answer = (status: number, value: object): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      const url = new URL(request.url ?? '', 'http://localhost');
      const path = url.pathname.replace(`/repos/${repository}/issues/`, '');
      if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: 'Bad credentials' });
      if (request.method === 'GET' && /^\d+\/comments$/.test(path)) {
        const size = Number(url.searchParams.get('per_page') ?? 30);
        const page = Number(url.searchParams.get('page') ?? 1);
        return answer(200, comments.slice((page - 1) * size, page * size));
      }
      if (!mayWrite) return answer(403, { message: 'Resource not accessible by integration' });
      if (request.method === 'POST' && /^\d+\/comments$/.test(path)) {
        const made = { id: comments.length + 1, body: written.parse(JSON.parse(body)).body };
        comments.push(made);
        return answer(201, made);
      }
      const changed = comments.find(({ id }) => path === `comments/${id}`);
      if (request.method !== 'PATCH' || !changed) return answer(404, { message: 'Not Found' });
      changed.body = written.parse(JSON.parse(body)).body;
      return answer(200, changed);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, comments, close: () => void server.close() };
}
