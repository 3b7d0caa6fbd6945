/** What `cargo xtask preview` makes of crates/preview (src/browser.rs): the engine as WebAssembly, and what calls it. */
declare module 'waraq-preview/preview.js' {
  /** Fetches and starts the module. */
  export default function init(options: { module_or_path: string | URL }): Promise<unknown>;

  /** Documents that are open, and the fonts they share. What it throws is an error of the engine as JSON. */
  export class Preview {
    /** The document's number. */
    open(bytes: Uint8Array): number;
    close(document: number): void;
    /** JSON: names in order. */
    fields(document: number): string;
    /** `request` and the answer are JSON. */
    set(document: number, request: string): string;
    /** What derived fields say; `request` and the answer are JSON. */
    derive(request: string): string;
    addFont(file: string, data: Uint8Array): boolean;
    drawing(document: number, page: number): Float32Array | undefined;
    /** JSON. */
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
