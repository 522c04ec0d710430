import { pageLog } from '../../../examples/screenshots/page-log';
import { Screen } from '../../../examples/screenshots/screen';

function screenOf(isTTY: boolean) {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  return { lines, screen: new Screen({ isTTY, write } as unknown as NodeJS.WriteStream, '/tmp') };
}

const AUDIT = { audit: 'approve', user: 'ann', id: 'r1', outcome: 'done' };

test('on a terminal the audit log of the page is not shown, and a problem is one line', () => {
  const { lines, screen } = screenOf(false);
  const log = pageLog({ isTTY: true }, screen);
  log?.info(AUDIT, 'Audit');
  expect(lines).toEqual([]);
  log?.error({ problem: 'no one is there', path: '/v1/me' }, 'A request failed');
  log?.warn({ webhook: 'bank\u001b[2J' });
  expect(lines).toEqual(['A request failed problem=no one is there path=/v1/me\n', 'webhook=bank·[2J\n']);
});

test('on request a terminal shows the audit log, too', () => {
  const { lines, screen } = screenOf(false);
  process.env.HOLDFAST_DEBUG = '1';
  try {
    pageLog({ isTTY: true }, screen)?.info(AUDIT, 'Audit');
  } finally {
    delete process.env.HOLDFAST_DEBUG;
  }
  expect(lines).toEqual(['Audit audit=approve user=ann id=r1 outcome=done\n']);
});

test('without a terminal it is that of the server, as JSON', () => {
  expect(pageLog({}, screenOf(false).screen)).toBeUndefined();
});
