// Draws the seven screenshots again: node examples/screenshots/make-screenshots.mjs [folder]
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { boardingPass, chat, connectionLost, recipe } from './drawing/scenes-home.mjs';
import { invoice, meetingNotes, weekPlan } from './drawing/scenes-office.mjs';

const SCENES = {
  'Screenshot 2026-02-11 at 09.14.03.png': meetingNotes,
  'Screenshot 2026-02-11 at 11.42.57.png': invoice,
  'Screenshot 2026-02-12 at 06.31.20.png': boardingPass,
  'Screenshot 2026-02-12 at 16.27.44.png': connectionLost,
  'Screenshot 2026-02-13 at 19.33.10.png': recipe,
  'Screenshot 2026-02-14 at 10.02.26.png': chat,
  'Screenshot 2026-02-16 at 07.58.19.png': weekPlan,
};

// The fonts come from npm and no system font is used, so that every machine draws the same pictures.
const fonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/inter/package.json'));
const fontFiles = ['400Regular', '500Medium', '600SemiBold', '700Bold'].map((weight) =>
  join(fonts, weight, `Inter_${weight}.ttf`),
);

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), 'screenshots');
await mkdir(folder, { recursive: true });
for (const [name, draw] of Object.entries(SCENES)) {
  const image = new Resvg(draw(), { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter' } }).render();
  const png = image.asPng();
  await writeFile(join(folder, name), png);
  console.log(`${name}  ${image.width}x${image.height}  ${(png.length / 1024).toFixed(1)} KB`);
}
