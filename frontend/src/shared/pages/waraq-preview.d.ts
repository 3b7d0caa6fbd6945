/**
 * The output of `cargo xtask preview` from crates/preview (src/browser.rs): the engine as WebAssembly, with its
 * bindings.
 */
declare module 'waraq-preview/preview.js' {
  /** Loads and starts the module. */
  export default function init(options: { module_or_path: string | URL }): Promise<unknown>;

  /** The engine's open documents and their shared fonts. Errors are thrown as JSON. */
  export class Preview {
    /** Opens a document and returns its number. */
    open(bytes: Uint8Array): number;
    close(document: number): void;
    /** Returns the field names in order, as JSON. */
    fields(document: number): string;
    /** Lays out a document. The request and the result are JSON. */
    layOut(document: number, request: string): string;
    /** Computes derived fields. The request and the result are JSON. */
    derive(request: string): string;
    addFont(file: string, data: Uint8Array): boolean;
    drawing(document: number, page: number): Float32Array | undefined;
    /** Returns the text of a page as JSON. */
    text(document: number, page: number): string | undefined;
    outline(document: number, font: number, glyph: number): string;
    image(document: number, image: number): Picture | undefined;
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
