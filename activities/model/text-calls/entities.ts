const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Characters of the longest entity, `&#x10FFFF;`. */
export const MAX_ENTITY = 10;

const ENTITY = /&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;

/** A text without the entities of XML. An `&` that begins none stays. */
export function withoutEntities(text: string): string {
  return text.replace(ENTITY, (entity, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? entity;
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return isCharacter(point) ? String.fromCodePoint(point) : entity;
  });
}

function isCharacter(point: number): boolean {
  return point > 0 && point <= 0x10_ffff && !(point >= 0xd800 && point <= 0xdfff);
}
