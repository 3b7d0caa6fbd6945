import type { NoValueReason } from '@/api/types';
import type { FieldDerivation, FieldKind } from '@/shared/fields/fieldSettings';
import type { PictureSizes } from '@/shared/fields/pictureSizes';
import type { SectionConditions } from '@/shared/fields/sectionConditions';
import type { FieldValues, StructuredField } from '@/shared/fields/values';

/** The messages between the pages and their worker. Lengths are in points; pages count from 0. */

/** The derivations of fields, with the language and country of the template. */
export interface TemplateDerivations {
  derivations: Record<string, FieldDerivation>;
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
  values: FieldValues | null;
  /** The derivations; null if the template has none. */
  derivations: TemplateDerivations | null;
  /** The maximum sizes of pictures that the author of the template has set. */
  pictureSizes: PictureSizes;
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
  /** The index of the field in the document. For a value in a list it is the outermost list. */
  field: number;
  /** For a value in lists: the row numbers from 0, the outermost list first. */
  rows?: number[];
  /** For a value in lists: the names of the columns, the outermost list first. */
  columns?: string[];
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

/** A mark that the conversion leaves in the document, because it has no equivalent. */
export interface RemainingMark {
  mark: string;
  /** The part of the package, such as `word/document.xml`. */
  part: string;
  /** The number of the paragraph in the part, from 1. */
  paragraph: number;
  /** The text around the mark. */
  context: string;
}

/** The report of the conversion of a template for another program. */
export interface ConversionReport {
  /** The number of marks that were rewritten. */
  converted: number;
  remaining: RemainingMark[];
  /** The number of remaining marks that are not listed. */
  omitted: number;
  /** The names of fields and columns that are lists in the other program. */
  lists: string[];
  /** The names of fields and columns that are pictures in the other program. */
  pictures: string[];
}

/** The form of a blank, such as a run of underscores or an empty table cell. */
export type BlankForm =
  | 'underscores'
  | 'dots'
  | 'tab_leader'
  | 'underlined_space'
  | 'date_pattern'
  | 'letters'
  | 'brackets'
  | 'braces'
  | 'highlight'
  | 'placeholder'
  | 'check_box'
  | 'content_control'
  | 'form_field'
  | 'merge_field'
  | 'empty_cell'
  | 'picture';

/** A place in the text of a document. */
export interface TextPlace {
  /** The part of the package, such as `word/document.xml`. */
  part: string;
  /** The number of the paragraph in the part, from 1. */
  paragraph: number;
  /** The start and end in the characters of the paragraph, from 0. */
  start: number;
  end: number;
  /** The number of the last paragraph, if the place has several. */
  last_paragraph?: number;
}

/** A blank of an ordinary document: a place that people fill in by hand. */
export interface Blank extends TextPlace {
  /** The suggested name of the field. */
  name: string;
  /** The key of equal blanks, which are one field. */
  key: string;
  text: string;
  form: BlankForm;
  kind: FieldKind;
  choices: string[];
  /** The index of the control or Word field in the part. */
  object?: number;
  /** The numbers of the paragraphs that only continue the line. */
  continuation?: number[];
  confidence: 'low' | 'medium' | 'high';
  /** The text around the blank. */
  context: string;
}

export interface DetectedBlanks {
  blanks: Blank[];
  /** The number of blanks that are not listed. */
  omitted: number;
  /** The language of most of the text: `en`, `fr` or `ar`. */
  language: string;
}

/** A place that becomes a field. */
export interface FieldMark extends TextPlace {
  name: string;
  kind: FieldKind;
  /** Missing for a place that the author has chosen. */
  form?: BlankForm;
  object?: number;
  continuation?: number[];
}

export interface MarkReport {
  marked: number;
  /** The marks that were not written: their indexes, names and reasons. */
  skipped: { mark: number; name: string; reason: string }[];
}

/** What an author has selected on a page: a text, or a position if the text is empty. */
export interface PageSelection {
  text: string;
  /** The text of the page before and after the selection. */
  before: string;
  after: string;
}

/** A place that was found for a selection. */
export interface FoundPlace extends TextPlace {
  /** True if the place is in a row of a table, which can be repeated. */
  in_row: boolean;
  context: string;
}

export interface FoundPlaces {
  selected?: FoundPlace | null;
  /** Other places with the same text. */
  others: FoundPlace[];
}

/** The tasks of the engine that need no open document. */
export type FileTask = 'convert' | 'detect' | 'mark' | 'find';

export type MessageToWorker =
  /** Without a structure the document suggests the types of its fields. */
  | { type: 'open'; document: number; bytes: Uint8Array<ArrayBuffer>; structure: StructuredField[] | null }
  | { type: 'layOut'; document: number; request: LayoutRequest }
  | { type: 'attachCanvas'; document: number; page: number; canvas: OffscreenCanvas; scale: number }
  | { type: 'setScale'; document: number; page: number; scale: number }
  | { type: 'detachCanvas'; document: number; page: number }
  | { type: 'close'; document: number }
  /** A task that needs no open document. `document` is the number of the request; `input` is JSON. */
  | {
      type: 'task';
      document: number;
      task: FileTask;
      bytes: Uint8Array<ArrayBuffer>;
      input: string;
    }
  | { type: 'addPicture'; document: number; key: number; bitmap: ImageBitmap | null }
  /** Asks the worker for a `pong`, to see if it still runs. */
  | { type: 'ping' };

export type MessageFromWorker =
  /** The field names, by index. */
  | { type: 'opened'; document: number; fields: string[] }
  | { type: 'derived'; document: number; derived: Record<string, DerivedValue> }
  | { type: 'pages'; document: number; layout: LaidOutPages }
  /** Sent once, after the first pages, if fields lie in sections of yes/no fields. */
  | { type: 'sections'; document: number; conditions: SectionConditions }
  /** The end of a task. `bytes` is the changed file; null if the task changes none. `report` is JSON. */
  | { type: 'taskDone'; document: number; bytes: Uint8Array<ArrayBuffer> | null; report: string }
  | { type: 'drawn'; document: number; page: number; text: PageText }
  /** An error code of the engine, or `unavailable` if its files could not be loaded. */
  | { type: 'failed'; document: number; code: string }
  /** A picture that only a page can decode. */
  | { type: 'decodePicture'; document: number; key: number; data: Uint8Array<ArrayBuffer>; kind: string }
  /** WebAssembly cannot start, or the engine has crashed. */
  | { type: 'crashed' }
  | { type: 'pong' };
