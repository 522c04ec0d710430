import { defineAgent } from 'holdfast';
import { z } from 'zod';

export const screenshots = defineAgent({
  name: 'desktop.screenshots',
  description: 'Renames the screenshots of a folder after what they show',
  instructions: [
    'You rename screenshots. List the folder, read the text of each file whose name begins with "Screenshot",',
    'and rename it, in the same folder, to a short name made from that text: words joined by underscores and the old',
    'extension, such as Meeting_Notes.png. Read several files at once. Never overwrite a file: if the name is taken,',
    'choose another. Leave a file alone if it cannot be read. If the outcome of a rename is unknown, list the folder',
    'again to see what happened. Stop when every screenshot is renamed or has a reason why not.',
  ].join(' '),
  // `npm start -- --model <alias>` sets it; see temporal.yaml.
  model: process.env.SCREENSHOTS_MODEL ?? 'demo',
  inputSchema: z.object({ folder: z.string() }),
  outputSchema: z.object({
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  }),
  mcp: { files: 'files', ocr: 'ocr' },
  // A killed worker is noticed after 4 s instead of 10, which is short enough for a demonstration.
  limits: { maxToolInteractions: 40, heartbeatTimeout: '4s' },
});
