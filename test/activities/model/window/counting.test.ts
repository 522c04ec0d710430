import { originOf } from '../../../../activities/model/answer/provider-data';
import { loadTokenizer } from '../../../../activities/model/window/count-tokens';
import { fitCall } from '../../../../activities/model/window/fit-call';
import { measureMessage } from '../../../../activities/model/window/measure-message';
import { factorOf, measuredCall } from '../../../../activities/model/window/measured-call';
import type { Message, Part } from '../../../../agent/model/message';
import { answerRoom, sendRoom } from '../../../../agent/window/room';
import { cpuTime } from '../../../measure/cpu-time';
import { plainManifest } from '../../plain-manifest';

const config = { baseUrl: 'http://localhost:1/v1', model: 'm' };
const message = (...parts: Part[]): Message => ({ role: 'user', parts, turn: 0 });
const text = (value: string): Part => ({ type: 'text', text: value });

describe('tokens of a text', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['a <|endoftext|> b', 9],
    ['\ud800', 1],
  ])('%j', (value, tokens) => {
    expect(loadTokenizer()(value)).toEqual({ tokens, exact: true });
  });

  it('are counted quickly even where the tokenizer takes quadratic time, and estimated in a long text', async () => {
    const count = loadTokenizer();
    const took = await cpuTime(() => {
      expect(count('a'.repeat(50_000))).toEqual({ tokens: 6300, exact: true });
      const { tokens, exact } = count('a'.repeat(1_000_000));
      expect(exact).toBe(false);
      expect(tokens).toBeGreaterThan(120_000);
      expect(tokens).toBeLessThan(130_000);
    }, 2000);
    // As a whole, the second text would take 400 s.
    expect(took).toBeLessThan(2000);
  });
});

describe('a message', () => {
  it('costs its texts, its calls and a frame, for any model', () => {
    const count = loadTokenizer();
    const plain = measureMessage(message(text('hello world')), config, count);
    expect(plain).toEqual({ tokens: 6, exact: true });
    const use: Part = { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: { q: 'hello world' } };
    const said: Message = { role: 'assistant', parts: [{ type: 'reasoning', text: 'hmm' }, use], turn: 1 };
    expect(measureMessage(said, config, count).tokens).toBe(4 + 8 + count('look {"q":"hello world"}').tokens);
  });

  it('costs its thoughts if they are sent back', () => {
    const count = loadTokenizer();
    const parts: Part[] = [text(''), { type: 'reasoning', text: 'hello world' }];
    const providerData = { origin: originOf(config), reasoning: 'reasoning' };
    const use: Part = { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {} };
    const size = (more: Part[]) =>
      measureMessage({ role: 'assistant', parts: [...parts, ...more], turn: 1, providerData }, config, count).tokens;
    expect(size([])).toBe(4);
    expect(size([use])).toBe(4 + 2 + 8 + count('look {}').tokens);
  });

  it('costs reasoning that goes back with its data, to the model that gave it', () => {
    const count = loadTokenizer();
    const thought: Part = { type: 'reasoning', text: 'hello world', providerData: { encrypted_content: 'gAAA' } };
    const size = (model: string) => {
      const providerData = { origin: originOf({ ...config, model }) };
      return measureMessage({ role: 'assistant', parts: [thought], turn: 1, providerData }, config, count).tokens;
    };
    expect(size('m')).toBe(4 + 2);
    expect(size('n')).toBe(4);
  });

  it('costs a flat estimate for media', () => {
    const count = loadTokenizer();
    const media: Part = { type: 'media', mediaType: 'image/png', data: 'A'.repeat(1_000_000) };
    expect(measureMessage(message(media), config, count)).toEqual({ tokens: 1504, exact: false });
  });

  it('is counted once, though it is sent in each later call', () => {
    const count = loadTokenizer();
    let counted = 0;
    const counting = (value: string) => {
      counted++;
      return count(value);
    };
    const messages = [message(text('one')), message({ type: 'tool_result', toolUseId: 't', name: 'n', content: [] })];
    for (let i = 0; i < 3; i++) for (const each of messages) measureMessage(each, config, counting);
    expect(counted).toBe(1);
  });
});

describe('room of a window', () => {
  it.each([
    [128_000, undefined, 125_232],
    [8000, undefined, 5232],
    [4000, undefined, 2616],
    [4000, 1500, 2116],
    // A maximum answer as large as the window would leave nothing.
    [4000, 4000, 1616],
    [32_000, 8000, 23_232],
  ])('%d with answers of at most %s: %d', (window, maxTokens, room) => {
    expect(sendRoom(window, { maxTokens })).toBe(room);
  });

  it('keeps 2,000 tokens for the answer', () => {
    expect([answerRoom(128_000), answerRoom(128_000, { maxTokens: 500 }), answerRoom(2000)]).toEqual([2000, 2000, 500]);
  });
});

describe('the usage of a call', () => {
  const manifest = plainManifest;
  const fitted = (trimming = { from: 0 }) =>
    fitCall({
      call: { turn: 3, trimming, opened: 0 },
      config: { ...config, contextWindow: 8000 },
      manifest,
      context: { metadata: {}, system: 'hello world' },
      messages: [message(text('hello '.repeat(93).trim()))],
    });

  it('is what the server reports, and its ratio to our count is kept for the next call', async () => {
    expect(measuredCall(await fitted(), 150)).toEqual({
      budget: {
        turn: 3,
        total: 8000,
        used: 150,
        remaining: 5850,
        system: 3,
        tools: 0,
        messages: 1,
        dropped: 0,
        counted: 'usage',
      },
      trimming: { from: 0, factor: 1.5 },
    });
  });

  it('is counted here if the server does not report it', async () => {
    const { budget, trimming } = measuredCall(await fitted());
    expect(budget).toMatchObject({ used: 100, counted: 'tokenizer' });
    expect(trimming).toEqual({ from: 0 });
  });

  it('is never more than twice or less than half of our count', async () => {
    const call = await fitted();
    expect([factorOf(call, 5), factorOf(call, 5000)]).toEqual([0.5, 2]);
  });
});
