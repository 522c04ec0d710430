import { type ServedKit, serveAlone } from '../kit';

let gateway: ServedKit;
beforeAll(async () => {
  gateway = await serveAlone();
});
afterAll(() => gateway.close());

test.each([
  ['PUT', '/v1/runs', 'GET, HEAD, POST'],
  ['PATCH', '/v1/runs/x', 'DELETE, GET, HEAD'],
  ['DELETE', '/v1/me', 'GET, HEAD'],
  ['GET', '/v1/runs/x/steer', 'POST'],
  ['POST', '/openapi.json', 'GET, HEAD'],
])('%s %s: another method, and which ones there are', async (method, path, allow) => {
  const answer = await gateway.request(path, { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(await answer.json()).toEqual({
    error: { type: 'MethodNotAllowed', message: `This address takes ${allow}, not ${method}.` },
  });
});

test.each([
  ['PUT', '/v1/nothing'],
  ['GET', '/v1/runs/x/y/z'],
  ['POST', '/nothing'],
])('%s %s: there is nothing at all', async (method, path) => {
  const answer = await gateway.request(path, { method });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('allow')).toBeNull();
});
