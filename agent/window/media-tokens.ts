/**
 * Tokens for which an image, a sound or a document is taken. A large image costs 765 to 1,445 tokens at OpenAI and about 1,600
 * at Anthropic; a sound or a document may cost more.
 */
export const MEDIA_TOKENS = 1500;
