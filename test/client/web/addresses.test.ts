import { apiErrorOf } from '../../../client/web/api/api-error';
import { pathOf, type Route, routeOf } from '../../../client/web/app/routes';
import { movedBy } from '../../../client/web/inbox/moved-by';
import { isSafeLink, isSafePicture } from '../../../client/web/text/safe-address';
import { durationText, roughly } from '../../../client/web/text/times';

it.each<Route>([
  { view: 'home' },
  { view: 'inbox' },
  { view: 'new', agent: 'support.triage' },
  { view: 'run', id: 'tenant:a/b?c#d' },
  { view: 'timeline', id: 'tenant:ä%2F' },
])('the address of %j leads back to it', (route) => {
  expect(routeOf(pathOf(route))).toEqual(route);
});

it('a broken address is the start', () => {
  expect(routeOf('/x/y')).toEqual({ view: 'home' });
  expect(routeOf('/runs/%')).toEqual({ view: 'run', id: '%' });
});

it.each(['https://a.example', 'http://a.example', 'mailto:a@b.example'])('%s may be a link', (address) => {
  expect(isSafeLink(address)).toBe(true);
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '//a.example', 'vbscript:x', ' java\nscript:x'])(
  '%j is not a link',
  (address) => expect(isSafeLink(address)).toBe(false),
);

it('a picture is shown only from data in the text', () => {
  expect(isSafePicture('data:image/png;base64,AAAA')).toBe(true);
  expect(isSafePicture('data:image/svg+xml;base64,AAAA')).toBe(false);
  expect(isSafePicture('https://a.example/x.png')).toBe(false);
});

it.each([
  [340, '340 ms'],
  [2_449, '2.4 s'],
  [59_900, '59 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('%d ms are %s', (ms, text) => expect(durationText(ms)).toBe(text));

it('what happened just now is now, and yesterday is hours ago', () => {
  expect([30_000, 120_000, 30 * 3_600_000, 72 * 3_600_000].map(roughly)).toEqual(['now', '2 min', '30 h', '3 d']);
});

it('j and k move between cards and stop at the ends', () => {
  expect([movedBy('j', -1, 3), movedBy('j', 2, 3), movedBy('k', 0, 3), movedBy('k', 2, 3)]).toEqual([0, 2, 0, 1]);
  expect(movedBy('j', -1, 0)).toBeUndefined();
  expect(movedBy('x', 0, 3)).toBeUndefined();
});

it('an error of the server says what to do, and that of a proxy its status', () => {
  const body = '{"error":{"type":"RunNotFound","message":"There is no such run."}}';
  expect(apiErrorOf(404, body)).toMatchObject({ status: 404, type: 'RunNotFound', message: 'There is no such run.' });
  expect(apiErrorOf(503, '<html>')).toMatchObject({
    type: 'Status503',
    message: 'The server answered with status 503.',
  });
});
