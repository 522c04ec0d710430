const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The most redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/**
 * Node's fetch, but it follows redirects within the origin only. Node would send another origin the body, and every
 * header except `authorization` and `cookie`: a key in a header of another name, and the whole conversation. If a
 * redirect is not followed, the response has its status, and a text that says why.
 * @param send makes each single request
 */
export async function sameOriginFetch(
  given: string | URL | Request,
  init: RequestInit = {},
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
): Promise<Response> {
  let url = new URL(given instanceof Request ? given.url : String(given));
  for (let followed = 0; ; followed++) {
    const response = await send(url, { ...init, redirect: 'manual' });
    const { status } = response;
    const location = REDIRECTS.has(status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const refused = refusal(url, next, { status, method: init.method ?? 'GET', followed });
    if (next === undefined || refused !== undefined) {
      return new Response(`it redirects ${refused}`, { status, headers: { 'content-type': 'text/plain' } });
    }
    url = next;
  }
}

function refusal(
  from: URL,
  to: URL | undefined,
  { status, method, followed }: { status: number; method: string; followed: number },
): string | undefined {
  if (to === undefined) return 'to an invalid address';
  if (to.origin !== from.origin) return `to ${to.origin}, and nothing is sent to another origin`;
  // The other statuses turn it into a request without a body.
  if (status < 307 && !/^(GET|HEAD)$/i.test(method)) return `a ${method} with status ${status}, which loses its body`;
  return followed >= MAX_REDIRECTS ? `more than ${MAX_REDIRECTS} times` : undefined;
}
