import { defineAgent } from 'holdfast';
import { z } from 'zod';

export const office = defineAgent({
  name: 'office.rooms',
  instructions:
    'Book rooms. The tool asks the person itself for what it has to know. Say in a sentence what came of it.',
  input: z.object({ wish: z.string() }),
  mcp: { rooms: 'rooms' },
});
