/**
 * The output of `cargo xtask preview` from crates/preview (src/browser.rs): the engine as WebAssembly, with its
 * bindings.
 */
declare module 'waraq-preview/preview.js' {
  /** Loads and starts the module. */
  export default function init(options: { module_or_path: string | URL }): Promise<unknown>;

  /** The engine's open documents and their shared fonts. Errors are thrown as JSON. */
  export class Preview {
    /**
     * Opens a document and returns its number. `structure` is a list of `StructuredField` as JSON; without it the document
     * suggests the types of its fields.
     */
    open(bytes: Uint8Array, structure?: string | null): number;
    close(document: number): void;
    /** Returns the field names in order, as JSON. */
    fields(document: number): string;
    /** Lays out a document. The request and the result are JSON. */
    layOut(document: number, request: string): string;
    /** Computes derived fields. The request and the result are JSON. */
    derive(request: string): string;
    /** Converts a template for another program. */
    convert(bytes: Uint8Array): Changed;
    /** Returns the blanks of a document as JSON. */
    detect(bytes: Uint8Array): string;
    /** Turns places of a document into fields. The marks are JSON. */
    mark(bytes: Uint8Array, marks: string): Changed;
    /** Returns the places with a selected text. The selection and the result are JSON. */
    find(bytes: Uint8Array, selection: string): string;
    addFont(file: string, data: Uint8Array): boolean;
    drawing(document: number, page: number): Float32Array | undefined;
    /** Returns the text of a page as JSON. */
    text(document: number, page: number): string | undefined;
    outline(document: number, font: number, glyph: number): string;
    image(document: number, image: number): Picture | undefined;
  }

  /** A changed document. */
  export interface Changed {
    data: Uint8Array<ArrayBuffer>;
    /** The report as JSON. */
    report: string;
    free(): void;
  }

  export interface Picture {
    data: Uint8Array<ArrayBuffer>;
    kind: string;
    free(): void;
  }
}

declare module 'waraq-preview/preview_bg.wasm?url' {
  const url: string;
  export default url;
}
