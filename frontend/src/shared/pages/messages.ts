import type { Derivation, Unsaid } from '@/api/types';

/** What the pages and their worker say to each other. Lengths are points, pages count from 0. */

/** How fields are made of others, and where the template is at home. */
export interface Making {
  derivations: Record<string, Derivation>;
  /** BCP 47 */
  language: string;
  /** ISO 3166 */
  country: string | null;
}

/** What a derived field says that nobody has typed, or why nothing. */
export type Said = { text: string } | { unsaid: Unsaid };

/** What a document is set with. */
export interface SetRequest {
  /** A value per field; null: the template as it is. */
  values: Record<string, string> | null;
  /** Of fields that are made of others; null: none is. */
  making: Making | null;
  /** An empty value leaves nothing, else a dotted line. */
  blank: boolean;
  /** Seconds since 1970; the product's servers know no other zone than UTC. */
  now: number;
  comments: boolean;
  changes: boolean;
}

export interface PageSize {
  width: number;
  height: number;
}

/** Where a piece of a field's value stands; an empty one has no width. */
export interface Blank {
  /** Its number among the document's fields. */
  field: number;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Spot {
  page: number;
  y: number;
}

export interface SetPages {
  pages: PageSize[];
  blanks: Blank[];
  /** Where links inside the document lead. */
  destinations: Record<string, Spot>;
  /** BCP 47 */
  language: string | null;
  rightToLeft: boolean;
}

export interface TextPiece {
  kind: 'text';
  text: string;
  /** The left end of the baseline. */
  x: number;
  y: number;
  width: number;
  size: number;
  /** Clockwise, in degrees. */
  angle?: number;
  rightToLeft: boolean;
  language?: string;
  /** A tab or the end of a line is between it and what is before. */
  apart: boolean;
}

export type TextRole =
  | { role: 'paragraph' | 'list' | 'listItem' | 'table' | 'row' | 'note' | 'group' }
  | { role: 'heading'; level: number }
  | { role: 'header'; ofRow: boolean; columns: number; rows: number }
  | { role: 'cell'; columns: number; rows: number }
  | { role: 'figure' | 'formula'; description: string };

export type TextElement = { kind: 'element'; content: TextNode[] } & TextRole;

export interface TextLink {
  kind: 'link';
  uri?: string;
  destination?: string;
  area: { x: number; y: number; width: number; height: number };
  content: TextNode[];
}

/** A page's text in reading order. */
export type TextNode = TextPiece | TextLink | TextElement;

export interface PageText {
  body: TextNode[];
  /** Headers, footers, page numbers. */
  artifacts: TextNode[];
}

export type ToWorker =
  | { type: 'open'; document: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'set'; document: number; request: SetRequest }
  | { type: 'sheet'; document: number; page: number; canvas: OffscreenCanvas; scale: number }
  | { type: 'scale'; document: number; page: number; scale: number }
  | { type: 'leave'; document: number; page: number }
  | { type: 'close'; document: number }
  | { type: 'picture'; document: number; key: number; bitmap: ImageBitmap | null };

export type FromWorker =
  /** The names of its fields, by number. */
  | { type: 'opened'; document: number; fields: string[] }
  | { type: 'derived'; document: number; derived: Record<string, Said> }
  | { type: 'pages'; document: number; set: SetPages }
  | { type: 'drawn'; document: number; page: number; text: PageText }
  /** A code of the engine; `unavailable` where its own files cannot be fetched. */
  | { type: 'failed'; document: number; code: string }
  /** A picture that only a page can decode. */
  | { type: 'undecoded'; document: number; key: number; data: Uint8Array<ArrayBuffer>; kind: string }
  /** WebAssembly does not start here, or the engine has broken down. */
  | { type: 'broken' };
