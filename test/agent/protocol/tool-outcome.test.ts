import type { ContentPart } from '../../../agent/model/message';
import { EMPTY_ANSWER, errorOutcome } from '../../../agent/protocol/tool-outcome';

const media: ContentPart = { type: 'media', mediaType: 'image/png', data: 'AAAA' };

test('a call that failed says to the model what its error says', () => {
  expect(errorOutcome('ToolFailed', 'sold out')).toStrictEqual({
    content: [{ type: 'text', text: 'sold out' }],
    error: { type: 'ToolFailed', message: 'sold out' },
  });
});

test('what a call that failed gave besides stands behind that', () => {
  expect(errorOutcome('ToolTimedOut', 'late', [media, { type: 'text', text: 'half' }])).toStrictEqual({
    content: [{ type: 'text', text: 'late' }, media, { type: 'text', text: 'half' }],
    error: { type: 'ToolTimedOut', message: 'late' },
  });
});

test('a model that said nothing is told what it can do', () => {
  expect(EMPTY_ANSWER).toBe('Your answer was empty. Answer the task, or call a tool.');
});
