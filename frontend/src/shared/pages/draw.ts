import type { Preview } from 'waraq-preview/preview.js';

/** The resources for drawing a page. */
export interface DrawingResources {
  /** Returns the outline of a glyph in font units, or null if it has none. */
  glyph(font: number, id: number): Path2D | null;
  /** Returns a picture, or null if it is not decoded yet or cannot be decoded. */
  picture(key: number): ImageBitmap | null;
}

/** The minimum width of a line in pixels, so that it stays visible. */
const MIN_LINE_PX = 0.6;

type Context = OffscreenCanvasRenderingContext2D;
type Matrix = [number, number, number, number, number, number];

/** Returns the matrix that applies `inner` first and then `outer`. */
function multiplyMatrices(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

const cssColor = (color: number) => `#${color.toString(16).padStart(6, '0')}`;

/**
 * Draws a page from the numbers that `crates/preview/src/drawing.rs` writes; that file describes the format.
 * `scale` is in pixels per point.
 */
export function drawPage(
  context: Context,
  numbers: Float32Array,
  scale: number,
  resources: DrawingResources,
): void {
  let at = 0;
  const readNumber = () => numbers[at++] ?? 0;
  const savedTransforms: Matrix[] = [];
  let transform: Matrix = [scale, 0, 0, scale, 0, 0];

  const readPath = () => {
    const drawn = new Path2D();
    for (let left = readNumber(); left > 0; left -= 1) {
      const kind = readNumber();
      if (kind === 0) drawn.moveTo(readNumber(), readNumber());
      else if (kind === 1) drawn.lineTo(readNumber(), readNumber());
      else if (kind === 2)
        drawn.bezierCurveTo(
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
        );
      else drawn.closePath();
    }
    return drawn;
  };
  const readFill = () => {
    if (readNumber() === 0) {
      context.fillStyle = cssColor(readNumber());
      context.globalAlpha = readNumber();
      return;
    }
    const gradient = context.createLinearGradient(readNumber(), readNumber(), readNumber(), readNumber());
    for (let left = readNumber(); left > 0; left -= 1)
      gradient.addColorStop(readNumber(), cssColor(readNumber()));
    context.fillStyle = gradient;
  };

  const drawGlyphs = () => {
    const font = readNumber();
    const color = cssColor(readNumber());
    const stroke = readNumber();
    const filled = readNumber() === 1;
    const [a, c, d] = [readNumber(), readNumber(), readNumber()];
    context.fillStyle = color;
    if (stroke > 0) {
      context.strokeStyle = color;
      context.lineWidth = stroke;
      context.setLineDash([]);
    }
    const [ta, tb, tc, td, te, tf] = transform;
    const [ga, gb, gc, gd] = [ta * a, tb * a, ta * c + tc * d, tb * c + td * d];
    for (let left = readNumber(); left > 0; left -= 1) {
      const id = readNumber();
      const [x, y] = [readNumber(), readNumber()];
      const outline = resources.glyph(font, id);
      if (!outline) continue;
      context.setTransform(ga, gb, gc, gd, ta * x + tc * y + te, tb * x + td * y + tf);
      if (filled) context.fill(outline);
      if (stroke > 0) context.stroke(outline);
    }
    context.setTransform(...transform);
  };

  const drawLine = () => {
    context.strokeStyle = cssColor(readNumber());
    const [width, round] = [readNumber(), readNumber()];
    context.lineWidth = Math.max(
      width,
      MIN_LINE_PX / Math.max(Math.hypot(transform[0], transform[1]), 0.001),
    );
    context.lineCap = round === 1 ? 'round' : 'butt';
    context.setLineDash(Array.from({ length: readNumber() }, readNumber));
    context.stroke(readPath());
    context.lineCap = 'butt';
  };

  const drawPicture = () => {
    const [key, opacity] = [readNumber(), readNumber()];
    const [clipRectangle, pictureRectangle] = [
      [readNumber(), readNumber(), readNumber(), readNumber()],
      [readNumber(), readNumber(), readNumber(), readNumber()],
    ] as [[number, number, number, number], [number, number, number, number]];
    const hasOutline = (numbers[at] ?? 0) > 0;
    const outline = readPath();
    const bitmap = resources.picture(key);
    if (!bitmap) return;
    context.save();
    const area = new Path2D();
    area.rect(...clipRectangle);
    context.clip(area);
    if (hasOutline) context.clip(outline);
    context.globalAlpha = opacity;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, ...pictureRectangle);
    context.restore();
  };

  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(...transform);
  context.miterLimit = 10;
  while (at < numbers.length) {
    switch (readNumber()) {
      case 1:
        drawGlyphs();
        break;
      case 2: {
        const [x, y, width, height] = [readNumber(), readNumber(), readNumber(), readNumber()];
        context.fillStyle = cssColor(readNumber());
        context.globalAlpha = readNumber();
        context.fillRect(x, y, width, height);
        context.globalAlpha = 1;
        break;
      }
      case 3:
        drawLine();
        break;
      case 4: {
        const rule = readNumber() === 1 ? 'evenodd' : 'nonzero';
        readFill();
        context.fill(readPath(), rule);
        context.globalAlpha = 1;
        break;
      }
      case 5:
        drawPicture();
        break;
      case 6: {
        savedTransforms.push(transform);
        transform = multiplyMatrices(transform, [
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
        ]);
        context.save();
        context.setTransform(...transform);
        const [clipped, x, y, width, height] = [
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
          readNumber(),
        ];
        if (clipped === 1) {
          const area = new Path2D();
          area.rect(x, y, width, height);
          context.clip(area);
        }
        break;
      }
      case 7:
        transform = savedTransforms.pop() ?? transform;
        context.restore();
        context.setTransform(...transform);
        break;
      default:
        // An unknown kind cannot be skipped; the drawing ends here.
        return;
    }
  }
}

/** A cache of font outlines. */
export class GlyphOutlines {
  readonly #embedded = new Map<number, Path2D | null>();

  constructor(
    private readonly engine: Preview,
    private readonly document: number,
    /** The outlines of the product's fonts, which are the same in every document. */
    private readonly shared: Map<number, Path2D | null>,
  ) {}

  glyph(font: number, id: number): Path2D | null {
    const cache = font < 1000 ? this.shared : this.#embedded;
    const key = font * 65_536 + id;
    let outline = cache.get(key);
    if (outline === undefined) {
      const path = this.engine.outline(this.document, font, id);
      outline = path ? new Path2D(path) : null;
      cache.set(key, outline);
    }
    return outline;
  }
}
