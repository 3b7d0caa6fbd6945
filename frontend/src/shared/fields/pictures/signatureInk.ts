import '@fontsource/aref-ruqaa/arabic-400.css';
import '@fontsource/dancing-script/latin-400.css';
import '@fontsource/dancing-script/latin-ext-400.css';

import { contextOf, createCanvas, encodeTrimmed, MAX_SIDE_PX } from './encodePicture';
import { scaleToFit } from './geometry';
import type { PictureValue } from './pictureValue';

/** The colour of drawn and typed signatures: the blue-black of a fountain pen. */
export const INK_COLOR = '#14213d';

/** The font size of a typed signature in pixels. */
const FONT_SIZE_PX = 160;
/** The space around a line in ems, because script letters reach out of their line. */
const MARGIN_EM = 0.6;

/** The script fonts: one for Latin letters, and one for Arabic letters in Ruqʿah, a style of handwriting. */
const SCRIPT_FONTS = ['"Dancing Script"', '"Aref Ruqaa"'];
const FONT = `${FONT_SIZE_PX}px ${SCRIPT_FONTS.join(', ')}, cursive`;

/**
 * Loads the script fonts for the letters of a name. Returns true if a font was loaded, so that the name must be drawn again.
 * Fonts that cannot be loaded are left out.
 */
export async function loadScriptFonts(name: string): Promise<boolean> {
  const loading = SCRIPT_FONTS.filter((family) => !document.fonts.check(`1em ${family}`, name)).map(
    (family) => document.fonts.load(`1em ${family}`, name),
  );
  const loaded = await Promise.allSettled(loading);
  return loaded.some((result) => result.status === 'fulfilled' && result.value.length > 0);
}

/** Draws a name in a script font. Returns undefined for a blank name. */
export function typedSignature(name: string): PictureValue | undefined {
  const text = name.trim().replace(/\s+/g, ' ');
  if (!text) return undefined;
  const measuring = contextOf(createCanvas({ width: 1, height: 1 }));
  measuring.font = FONT;
  const size = {
    width: measuring.measureText(text).width + 2 * MARGIN_EM * FONT_SIZE_PX,
    height: (1 + 2 * MARGIN_EM) * FONT_SIZE_PX,
  };
  const scale = scaleToFit(size, MAX_SIDE_PX);
  const canvas = createCanvas({ width: size.width * scale, height: size.height * scale });
  const context = contextOf(canvas);
  context.scale(scale, scale);
  context.font = FONT;
  context.fillStyle = INK_COLOR;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.direction = isRightToLeft(text) ? 'rtl' : 'ltr';
  context.fillText(text, size.width / 2, size.height / 2);
  const image = encodeTrimmed(canvas);
  return image ? { image, alternativeText: text } : undefined;
}

/** Returns true if the first letter is Arabic or Hebrew. */
function isRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(/\p{L}/u.exec(text)?.[0] ?? '');
}
