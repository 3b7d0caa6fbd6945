import type { Derivation, NoValueReason } from '@/api/types';

/** The messages between the pages and their worker. Lengths are in points; pages count from 0. */

/** The derivations of fields, with the language and country of the template. */
export interface TemplateDerivations {
  derivations: Record<string, Derivation>;
  /** The language, BCP 47. */
  language: string;
  /** The country, ISO 3166. */
  country: string | null;
}

/** The value of a derived field that the user has not overridden, or the reason why it is empty. */
export type DerivedValue = { text: string } | { unsaid: NoValueReason };

/** The input of a layout. */
export interface LayoutRequest {
  /** A value per field; null for the unfilled template. */
  values: Record<string, string> | null;
  /** The derivations; null if the template has none. */
  derivations: TemplateDerivations | null;
  /** True if an empty value prints nothing, false for a dotted line. */
  blank: boolean;
  /** Seconds since 1970. The product's servers use UTC only. */
  now: number;
  /** The country of the template (ISO 3166), for the dates of Word fields. */
  country: string | null;
  comments: boolean;
  changes: boolean;
}

export interface PageSize {
  width: number;
  height: number;
}

/** The area of a field's value on a page, or of a part of it. An empty value has the width 0. */
export interface ValueArea {
  /** The index of the field in the document. */
  field: number;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface LinkDestination {
  page: number;
  y: number;
}

export interface LaidOutPages {
  pages: PageSize[];
  blanks: ValueArea[];
  /** The targets of links inside the document. */
  destinations: Record<string, LinkDestination>;
  /** The language, BCP 47. */
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
  /** The clockwise rotation in degrees. */
  angle?: number;
  rightToLeft: boolean;
  language?: string;
  /** True if a tab or the end of a line separates this piece from the previous one. */
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

/** The text of a page in reading order. */
export type TextNode = TextPiece | TextLink | TextElement;

export interface PageText {
  body: TextNode[];
  /** Headers, footers and page numbers. */
  artifacts: TextNode[];
}

export type MessageToWorker =
  | { type: 'open'; document: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'layOut'; document: number; request: LayoutRequest }
  | { type: 'attachCanvas'; document: number; page: number; canvas: OffscreenCanvas; scale: number }
  | { type: 'setScale'; document: number; page: number; scale: number }
  | { type: 'detachCanvas'; document: number; page: number }
  | { type: 'close'; document: number }
  | { type: 'addPicture'; document: number; key: number; bitmap: ImageBitmap | null }
  /** Asks the worker for a `pong`, to see if it still runs. */
  | { type: 'ping' };

export type MessageFromWorker =
  /** The field names, by index. */
  | { type: 'opened'; document: number; fields: string[] }
  | { type: 'derived'; document: number; derived: Record<string, DerivedValue> }
  | { type: 'pages'; document: number; layout: LaidOutPages }
  | { type: 'drawn'; document: number; page: number; text: PageText }
  /** An error code of the engine, or `unavailable` if its files could not be loaded. */
  | { type: 'failed'; document: number; code: string }
  /** A picture that only a page can decode. */
  | { type: 'decodePicture'; document: number; key: number; data: Uint8Array<ArrayBuffer>; kind: string }
  /** WebAssembly cannot start, or the engine has crashed. */
  | { type: 'crashed' }
  | { type: 'pong' };
