/** Characters that a terminal does not show as they are, or that turn the text around them: bidi marks among them. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as JSON that hides nothing from whoever decides on them, and that reads back as the same. */
export function shownJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNSEEN,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
