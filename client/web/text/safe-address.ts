/** Addresses that a link of a model may lead to. */
export function isSafeLink(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address.trim());
}

/** Pictures that are shown: only those whose data is in the text, since a request would tell another host about it. */
export function isSafePicture(address: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(address);
}
