// Small Word files for the tests.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Product } from "./product.ts";

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** Builds a right-to-left table. Each element of a row is the text of a cell. */
export function arabicTable(rows: string[][]): string {
  const cell = (text: string) =>
    `<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
  return tableOf(rows, "<w:bidiVisual/>", 3000, cell);
}

/** Builds a left-to-right table. Each element of a row is the text of a cell. */
export function table(rows: string[][]): string {
  return tableOf(
    rows,
    "",
    2200,
    (text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`,
  );
}

function tableOf(
  rows: string[][],
  properties: string,
  width: number,
  paragraph: (text: string) => string,
): string {
  const row = (cells: string[]) =>
    `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("")}</w:tr>`;
  const grid = (rows[0] ?? [])
    .map(() => `<w:gridCol w:w="${width}"/>`)
    .join("");
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join("")}</w:tbl>`;
}

/** A grey pixel. It fills the frames of pictures that the user replaces. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/** Builds a paragraph with a picture of 4 cm × 2 cm. The file must be written with `PICTURE_PARTS`. */
export function pictureFrame(alternativeText: string): string {
  const size = 'cx="1440000" cy="720000"';
  const picture =
    '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">' +
    '<pic:nvPicPr><pic:cNvPr id="1" name="Frame"/><pic:cNvPicPr/></pic:nvPicPr>' +
    '<pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="p1"/>' +
    "<a:stretch><a:fillRect/></a:stretch></pic:blipFill>" +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`;
  return (
    '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">' +
    `<wp:extent ${size}/><wp:docPr id="1" name="Frame" descr="${alternativeText}"/>` +
    '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">' +
    `<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">${picture}</a:graphicData></a:graphic>` +
    "</wp:inline></w:drawing></w:r></w:p>"
  );
}

/** The parts of a file with picture frames, by their names in the package. */
export const PICTURE_PARTS: Record<string, string | Buffer> = {
  "[Content_Types].xml": TYPES.replace(
    "<Override",
    '<Default Extension="png" ContentType="image/png"/><Override',
  ),
  "word/_rels/document.xml.rels":
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="p1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/frame.png"/></Relationships>',
  "word/media/frame.png": PIXEL,
};

/**
 * Writes a Word file and returns its path. Each of `paragraphs` is a text, or an element of the body as XML.
 * `lang` is the language of the document; `ballast` is a number of extra bytes; `parts` are further parts by name.
 */
export function writeDocx(
  product: Product,
  name: string,
  paragraphs: string[],
  lang?: string,
  ballast = 0,
  parts: Record<string, string | Buffer> = {},
): string {
  const folder = join(product.folder, name);
  mkdirSync(join(folder, "_rels"), { recursive: true });
  mkdirSync(join(folder, "word"), { recursive: true });
  const properties = lang ? `<w:rPr><w:lang w:val="${lang}"/></w:rPr>` : "";
  const body = paragraphs
    .map((text) =>
      text.startsWith("<w:")
        ? text
        : `<w:p><w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`,
    )
    .join("");
  const main = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  writeFileSync(join(folder, "[Content_Types].xml"), TYPES);
  writeFileSync(join(folder, "_rels/.rels"), RELATIONS);
  writeFileSync(join(folder, "word/document.xml"), main);
  if (ballast > 0) {
    mkdirSync(join(folder, "word/media"), { recursive: true });
    writeFileSync(join(folder, "word/media/ballast.bin"), randomBytes(ballast));
  }
  for (const [part, content] of Object.entries(parts)) {
    mkdirSync(dirname(join(folder, part)), { recursive: true });
    writeFileSync(join(folder, part), content);
  }
  const file = join(product.folder, `${name}.docx`);
  const script =
    'import shutil,sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2]); shutil.move(sys.argv[1] + ".zip", sys.argv[1])';
  execFileSync("python3", ["-c", script, file, folder]);
  return file;
}
