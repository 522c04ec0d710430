import { defineAgent } from 'holdfast';
import { z } from 'zod';

export const office = defineAgent({
  name: 'office.rooms',
  instructions:
    'Book rooms. The tool itself asks the person for what it has to know. Report the outcome in one sentence.',
  inputSchema: z.object({ wish: z.string() }),
  mcp: { rooms: 'rooms' },
});
