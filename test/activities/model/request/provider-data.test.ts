import { originOf } from '../../../../activities/model/answer/provider-data';
import type { Message, Part } from '../../../../agent/model/message';
import { hashOfArguments } from '../../../../runtime/sha256';
import { config, lookUp, messagesOf, said, text, use } from './sent';

describe('provider data', () => {
  const origin = originOf(config);
  const withData = (providerData: NonNullable<Message['providerData']>, ...parts: Part[]): Message => ({
    ...said(1, ...parts),
    providerData,
  });

  test('fields of the message go back to their origin, and cannot replace ours', () => {
    const data = { origin, message: { reasoning_details: [{ signature: 's' }], role: 'system' } };
    expect(messagesOf([withData(data, text('x'))])).toEqual([
      { reasoning_details: [{ signature: 's' }], role: 'assistant', content: 'x' },
    ]);
  });

  test('another model, or another server, gets none of it', () => {
    const data = { origin, message: { signature: 's' }, reasoning: 'reasoning' };
    const message = withData(data, { type: 'reasoning', text: 'hm' }, use('t1.1'));
    for (const other of [
      { ...config, model: 'n' },
      { ...config, baseUrl: 'http://other/v1' },
    ]) {
      const [sent] = messagesOf([message], 2, { config: other });
      expect(Object.keys(sent as object).sort()).toEqual(['content', 'role', 'tool_calls']);
    }
  });

  test('reasoning goes back in its own field with calls, and is left out after a final answer', () => {
    const data = { origin, reasoning: 'reasoning_content' };
    const thought: Part = { type: 'reasoning', text: 'hm' };
    expect(messagesOf([withData(data, thought, use('t1.1'))])[0]).toMatchObject({ reasoning_content: 'hm' });
    expect(messagesOf([withData(data, thought, text('done'))])).toEqual([{ role: 'assistant', content: 'done' }]);
  });

  test('fields of calls find their call by id, else by name and arguments, also when calls were dropped', () => {
    const entry = (id: string | undefined, q: number, mark: string) => ({
      ...(id === undefined ? {} : { id }),
      name: 'look_up',
      input: hashOfArguments({ q }),
      fields: { extra_content: mark },
    });
    const calls = [entry('gone', 1, 'no'), entry('b', 1, 'by id'), entry(undefined, 2, 'by input')];
    const message = withData(
      { origin, calls },
      use('t1.1', { providerId: 'b', input: { q: 9 } }),
      use('t1.2', { input: { q: 2 } }),
      use('t1.3', { input: { q: 2 } }),
    );
    const [sent] = messagesOf([message], 2, { tools: lookUp }) as { tool_calls?: { extra_content?: string }[] }[];
    expect(sent?.tool_calls?.map((call) => call.extra_content)).toEqual(['by id', 'by input', undefined]);
  });
});
