import { defineAgent } from 'holdfast';
import { z } from 'zod';

const INSTRUCTIONS = [
  'You rename screenshots. List the folder, read the text of each file whose name begins with "Screenshot",',
  'and rename it, in the same folder, to a short name made from that text: words joined by underscores and the old',
  'extension, such as Meeting_Notes.png. Read several files at once. Never overwrite a file: if the name is taken,',
  'choose another. Leave a file alone if it cannot be read. If the outcome of a rename is unknown, list the folder',
  'again to see what happened. Stop when every screenshot is renamed or has a reason why not.',
].join(' ');

// `npm start -- --model <alias>` sets it; see temporal.yaml.
const MODEL = process.env.SCREENSHOTS_MODEL ?? 'demo';

export const screenshots = defineAgent({
  name: 'desktop.screenshots',
  description: 'Renames the screenshots of a folder after what they show',
  instructions: INSTRUCTIONS,
  model: MODEL,
  inputSchema: z.object({ folder: z.string() }),
  outputSchema: z.object({
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  }),
  mcp: { files: 'files', ocr: 'ocr' },
  // A killed worker is noticed after 4 s instead of 10, which is short enough for a demonstration.
  limits: { maxToolInteractions: 40, heartbeatTimeout: '4s' },
});

/** The same for the page: a person says what to do, approves each rename, and may undo it. */
export const assistant = defineAgent({
  name: 'desktop.assistant',
  description: 'Chat: it reads your screenshots and proposes names, you approve each rename',
  mode: 'conversation',
  instructions: [
    `The folder is \`${process.env.SCREENSHOTS_FOLDER ?? 'examples/screenshots/work'}\`.`,
    'Do what the person asks for, and nothing else. If they have not asked for new names yet, say in a sentence what you can do.',
    INSTRUCTIONS,
    'A person approves each rename: if one is denied, leave that file alone. At the end say in a short text what was done.',
  ].join(' '),
  model: MODEL,
  mcp: { files: 'files', ocr: 'ocr' },
  policies: { 'files.move_file': { approval: 'always' } },
  limits: { maxToolInteractions: 40, heartbeatTimeout: '4s' },
});
