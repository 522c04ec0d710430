const TYPES: readonly [type: string, beginning: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** The media type of an image that models can see, by its first 12 bytes. */
export function imageType(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return TYPES.find(([, begins]) => begins.test(beginning))?.[0];
}
