// Small Word files for the tests.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Product } from "./product.ts";

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** Builds a right-to-left table. Each element of a row is the text of a cell. */
export function arabicTable(rows: string[][]): string {
  const cell = (text: string) =>
    `<w:tc><w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const row = (cells: string[]) => `<w:tr>${cells.map(cell).join("")}</w:tr>`;
  const grid = (rows[0] ?? []).map(() => '<w:gridCol w:w="3000"/>').join("");
  return `<w:tbl><w:tblPr><w:bidiVisual/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join("")}</w:tbl>`;
}

/**
 * Writes a Word file and returns its path. Each of `paragraphs` is a text, or an element of the body as XML.
 * `lang` is the language of the document; `ballast` is a number of extra bytes.
 */
export function writeDocx(
  product: Product,
  name: string,
  paragraphs: string[],
  lang?: string,
  ballast = 0,
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
  const file = join(product.folder, `${name}.docx`);
  const script =
    'import shutil,sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2]); shutil.move(sys.argv[1] + ".zip", sys.argv[1])';
  execFileSync("python3", ["-c", script, file, folder]);
  return file;
}
