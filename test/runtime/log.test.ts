import { QUERY_AGAIN } from '../../agent/protocol/queries';
import { createLog, passingLog } from '../../runtime/log';
import { temporalLogger } from '../../runtime/temporal/log';

function collect(env: Record<string, string> = {}, level?: 'debug' | 'warn') {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLog({ env, destination, ...(level === undefined ? {} : { level }) });
  const entries = () => lines.map((line) => JSON.parse(line)).map(({ time: _time, ...rest }) => rest);
  return { log, entries, text: () => lines.join('') };
}

describe('the log', () => {
  it('writes a line of JSON from its level up', () => {
    const { log, entries } = collect();
    log.debug({ a: 1 }, 'unseen');
    log.info({ a: 1 }, 'seen');
    expect(entries()).toEqual([{ level: 'info', a: 1, msg: 'seen' }]);
  });

  it.each(['debug', 'DEBUG'])('takes its level from HOLDFAST_LOG=%s before its default', (level) => {
    const loud = collect({ HOLDFAST_LOG: level }, 'warn');
    loud.log.debug({}, 'seen');
    expect(loud.entries()).toHaveLength(1);
  });

  it('keeps its default for an unknown level, and says so once', () => {
    const nonsense = collect({ HOLDFAST_LOG: 'verbose' }, 'warn');
    nonsense.log.info({}, 'unseen');
    const msg = 'HOLDFAST_LOG names an unknown level. Expected one of debug, info, warn, error, silent; warn is used.';
    expect(nonsense.entries()).toEqual([{ level: 'warn', given: 'verbose', msg }]);
    for (const level of ['verbose', '']) expect(collect({ HOLDFAST_LOG: level }, 'warn').entries()).toEqual([]);
  });

  it('cannot control the terminal, hides nothing, and parses to the same entry', () => {
    const { log, text, entries } = collect();
    const evil = 'a\x1b[2J\u009b31m\u202e\u200b\u{e0041}\r\nb';
    log.warn({ [evil]: evil }, evil);
    expect(text()).not.toMatch(/[^\P{Cc}\n]|\p{Default_Ignorable_Code_Point}/u);
    expect(text().match(/\n/g)).toHaveLength(1);
    expect(entries()).toEqual([{ level: 'warn', [evil]: evil, msg: evil }]);
  });

  it('blanks keys and authorization headers', () => {
    const { log, text } = collect();
    log.info({ model: { apiKey: 'sk-1' }, apiKey: 'sk-2', request: { headers: { authorization: 'Bearer sk-3' } } });
    expect(text()).not.toContain('sk-');
  });

  it("gets what Temporal logs: warnings as such, the SDK's own progress only at debug level", () => {
    const { log, entries } = collect({}, 'debug');
    const temporal = temporalLogger(log);
    temporal.info('Worker state changed', { sdkComponent: 'worker' });
    temporal.info('said by an activity', { sdkComponent: 'activity' });
    temporal.warn('slow', { error: new Error('no answer'), taskToken: 'AAAA', workflowId: 'r1' });
    temporal.error('broken');
    temporal.trace('detail');
    // The worker of remembered decisions has workflows only, and no one can do anything about it.
    temporal.warn('No activities registered, not polling', { taskQueue: 'holdfast.entities' });
    temporal.warn('No activities registered, not polling', { taskQueue: 'shop' });
    // The client queries again.
    temporal.error('Failed to process Workflow Activation', { error: new Error(QUERY_AGAIN) });
    temporal.warn('Failing legacy query request', { failure: `Failure { message: "${QUERY_AGAIN}" }` });
    temporal.warn('Failing legacy query request', { failure: 'Failure { message: "broken" }' });
    expect(entries()[2]).toEqual({ level: 'warn', problem: 'no answer', workflowId: 'r1', msg: 'slow' });
    expect(entries().map(({ level, msg }) => [level, msg])).toEqual([
      ['debug', 'Worker state changed'],
      ['info', 'said by an activity'],
      ['warn', 'slow'],
      ['error', 'broken'],
      ['debug', 'detail'],
      ['debug', 'No activities registered, not polling'],
      ['warn', 'No activities registered, not polling'],
      ['debug', 'Failed to process Workflow Activation'],
      ['debug', 'Failing legacy query request'],
      ['warn', 'Failing legacy query request'],
    ]);
  });
});

it('a logger of the user gets every entry as fields and text, without secrets', () => {
  const entries: unknown[][] = [];
  const write =
    (level: string) =>
    (...entry: unknown[]) =>
      void entries.push([level, ...entry]);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const log = passingLog(logger, { OPENAI_API_KEY: 'sk-secret-of-the-shop', HOLDFAST_LOG: 'silent' });
  const round: { self?: object } = {};
  round.self = round;
  log.debug({ key: 'sk-secret-of-the-shop' }, 'used sk-secret-of-the-shop');
  log.warn({ round, err: new Error('no') });
  expect(entries).toEqual([
    ['debug', { key: '***' }, 'used ***'],
    ['warn', { round: { self: { self: '[Circular]' } }, err: expect.objectContaining({ message: 'no' }) }, 'no'],
  ]);
});
