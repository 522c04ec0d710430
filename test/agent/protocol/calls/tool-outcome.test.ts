import type { ContentPart } from '../../../../agent/model/message';
import { errorOutcome } from '../../../../agent/protocol/calls/tool-outcome';

const media: ContentPart = { type: 'media', mediaType: 'image/png', data: 'AAAA' };

test('a failed call tells the model the message of its error', () => {
  expect(errorOutcome('ToolFailed', 'sold out')).toStrictEqual({
    content: [{ type: 'text', text: 'sold out' }],
    error: { type: 'ToolFailed', message: 'sold out' },
  });
});

test('further content of a failed call follows the message', () => {
  expect(errorOutcome('ToolTimedOut', 'late', [media, { type: 'text', text: 'half' }])).toStrictEqual({
    content: [{ type: 'text', text: 'late' }, media, { type: 'text', text: 'half' }],
    error: { type: 'ToolTimedOut', message: 'late' },
  });
});
