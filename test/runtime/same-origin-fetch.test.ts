import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sameOriginFetch } from '../../runtime/same-origin-fetch';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const stolen: string[] = [];
let home = '';
let stranger = '';
beforeAll(async () => {
  stranger = await serve((request, response) => {
    stolen.push(String(request.url));
    response.end('stolen');
  });
  home = await serve((request, response) => {
    const [, status = '200', ...rest] = String(request.url).split('/');
    const to = rest.join('/');
    if (status === 'end') {
      request.pipe(response);
      return;
    }
    const location = to === 'stranger' ? `${stranger}/x` : to === 'broken' ? 'http://[' : `/${to}`;
    response.writeHead(Number(status), { location }).end('moved');
  });
});

const post = (path: string) =>
  sameOriginFetch(`${home}${path}`, { method: 'POST', body: 'said', headers: { 'x-api-key': 'secret' } });

test.each([307, 308])('a redirect within the origin is followed with its body: %s', async (status) => {
  const response = await post(`/${status}/307/end`);
  expect([response.status, await response.text()]).toEqual([200, 'said']);
});

test.each([301, 302, 303, 307, 308])('a redirect to another origin is not followed: %s', async (status) => {
  for (const response of [await post(`/${status}/stranger`), await sameOriginFetch(`${home}/${status}/stranger`)]) {
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(`it redirects to ${stranger}, and nothing is sent to another origin`);
  }
  expect(stolen).toEqual([]);
});

test('a redirect that would lose the body, has no end, or leads nowhere is not followed', async () => {
  expect(await (await post('/302/end')).text()).toContain('which loses its body');
  expect(await (await sameOriginFetch(`${home}/302/end`)).text()).toBe('');
  expect(await (await post('/307/307/307/307/307/307/end')).text()).toContain('more than 5 times');
  expect(await (await post('/307/broken')).text()).toContain('invalid address');
});
