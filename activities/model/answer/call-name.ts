/** Characters of a name that are kept: servers allow 64, and each piece of a call is published with its name. */
export const MAX_NAME = 256;

/** What is known when a piece names a function, and its call already has a name but no arguments. */
export interface NamePiece {
  /** The name so far. */
  known: string;
  /** The name in the piece. */
  piece: string;
  /** The piece came in the same list as the one before it; a server does not split a name within a list. */
  isBeside: boolean;
}

/** Joins names that come in pieces. The names of the tools resolve ambiguous cases. */
export class CallNames {
  private readonly names: ReadonlySet<string>;

  constructor(tools: readonly string[]) {
    this.names = new Set(tools);
  }

  /** The name with one more piece; `undefined` if the piece is the name of another call. */
  join({ known, piece, isBeside }: NamePiece): string | undefined {
    const both = known + piece;
    const isJoint = this.begins(both);
    // Some servers repeat the name with every piece.
    if (piece === known && (this.names.has(known) || !isJoint)) return known;
    if (isJoint && !isBeside) return both;
    const areTools = this.names.has(known) && this.names.has(piece);
    // Others send all that they have of it, longer each time.
    if (piece.startsWith(known) && !areTools && !isBeside) return piece;
    if (isBeside || this.names.has(known) || this.names.has(piece)) return undefined;
    return both.slice(0, MAX_NAME);
  }

  private begins(text: string): boolean {
    for (const name of this.names) if (name.startsWith(text)) return true;
    return false;
  }
}
