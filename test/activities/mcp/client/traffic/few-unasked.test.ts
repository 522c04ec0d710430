import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../../../../../activities/mcp/client/link';
import { fewUnasked } from '../../../../../activities/mcp/client/traffic/few-unasked';
import { IdleTime } from '../../../../../activities/mcp/client/traffic/idle-time';

const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
} as const;
const QUESTION = { jsonrpc: '2.0', id: 'q', method: 'ping' } as const;
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} } as const;

function open(idle?: IdleTime): { link: Link; heard: JSONRPCMessage[]; closed: () => number } {
  const heard: JSONRPCMessage[] = [];
  let closed = 0;
  const bare = {
    idle,
    close: async () => void closed++,
    explain: async (error: unknown) => ({ problem: String(error), fate: error === 'cut' ? 'lost' : 'unreadable' }),
  } as unknown as Link;
  const link = fewUnasked(bare);
  link.onmessage = (message) => void heard.push(message);
  return { link, heard, closed: () => closed };
}

const times = (count: number, deed: () => void) => {
  for (let i = 0; i < count; i++) deed();
};

test.each<[string, number, (link: Link) => void]>([
  ['progress', 150_000, (link) => link.onmessage?.(PROGRESS)],
  ['questions', 25_000, (link) => link.onmessage?.(QUESTION)],
  ['what is not a message', 25_000, (link) => link.onProblem?.(new Error('no JSON'))],
])('a server that sends too much of %s is closed once, and its call is told why', async (_what, most, send) => {
  const { link, heard, closed } = open();
  times(most, () => send(link));
  expect(closed()).toBe(0);
  expect(await link.explain('cut')).toEqual({ problem: 'cut', fate: 'lost' });
  const before = heard.length;
  times(2 * most, () => send(link));
  expect(closed()).toBe(1);
  expect(heard.length - before).toBeLessThan(most);
  expect(await link.explain('cut')).toEqual({
    problem: `it sent more than ${most} unsolicited messages`,
    fate: 'lost',
  });
});

test('answers are never too many', () => {
  const { link, heard, closed } = open();
  times(400_000, () => link.onmessage?.(ANSWER));
  expect({ heard: heard.length, closed: closed() }).toEqual({ heard: 400_000, closed: 0 });
});

test('a thousand a second may continue forever', () => {
  let now = 0;
  // Its time counts from the beginning.
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { link, closed } = open();
  try {
    for (let second = 0; second < 1000; second++) {
      now += 1000;
      times(1000, () => link.onmessage?.(PROGRESS));
    }
    expect(closed()).toBe(0);
    for (let second = 0; second < 200; second++) {
      now += 1000;
      times(2000, () => link.onmessage?.(PROGRESS));
    }
    expect(closed()).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('the time in which messages wait to be read refills nothing: a busy machine reads a flood of a thousand a second', () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const idle = new IdleTime();
  const { link, closed } = open(idle);
  try {
    const second = () => {
      now += 1000;
      times(1000, () => link.onmessage?.(QUESTION));
    };
    times(100, second);
    expect(closed()).toBe(0);
    idle.begin();
    times(26, second);
    expect(closed()).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('a server is read slowly from the 2,000th message on that is neither solicited nor progress', () => {
  const { link } = open();
  times(100_000, () => link.onmessage?.(PROGRESS));
  times(1000, () => link.onmessage?.(QUESTION));
  expect(link.slow).toBe(false);
  times(5000, () => link.onmessage?.(QUESTION));
  expect(link.slow).toBe(true);
});
