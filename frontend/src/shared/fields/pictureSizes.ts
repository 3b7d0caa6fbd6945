import type { FieldSettings } from './fieldSettings';

/** A maximum size in millimetres. A side without a maximum has that of the field's kind. */
interface MaxPictureSize {
  maxWidth: number | null;
  maxHeight: number | null;
}

/** The maximum sizes of pictures by path. A column is named after its list: `items[].photo`. */
export type PictureSizes = Record<string, MaxPictureSize>;

/** Returns the maximum sizes that the author of a template has set. */
export function pictureSizes(settings: readonly FieldSettings[]): PictureSizes {
  return Object.fromEntries(sizesByPath(settings, ''));
}

function sizesByPath(settings: readonly FieldSettings[], before: string): [string, MaxPictureSize][] {
  return settings.flatMap(
    ({ field, maxWidth = null, maxHeight = null, columns = [] }): [string, MaxPictureSize][] => [
      ...(maxWidth !== null || maxHeight !== null
        ? [[before + field, { maxWidth, maxHeight }] as [string, MaxPictureSize]]
        : []),
      ...sizesByPath(columns, `${before}${field}[].`),
    ],
  );
}
