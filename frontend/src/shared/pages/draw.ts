import type { Preview } from 'waraq-preview/preview.js';

/** The resources for drawing a page. */
export interface Palette {
  /** Returns the outline of a glyph in font units, or null if it has none. */
  glyph(font: number, id: number): Path2D | null;
  /** Returns a picture, or null if it is not decoded yet or cannot be. */
  picture(key: number): ImageBitmap | null;
}

/** The minimum width of a line in pixels, so that it stays visible. */
const HAIRLINE = 0.6;

type Context = OffscreenCanvasRenderingContext2D;
type Matrix = [number, number, number, number, number, number];

/** Returns the matrix that applies `inner` first and then `outer`. */
function concatenated(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

const colorOf = (color: number) => `#${color.toString(16).padStart(6, '0')}`;

/**
 * Draws a page from the numbers that `crates/preview/src/drawing.rs` writes; that file describes the format.
 * `scale` is in pixels per point.
 */
export function draw(context: Context, numbers: Float32Array, scale: number, palette: Palette): void {
  let at = 0;
  const next = () => numbers[at++] ?? 0;
  const groups: Matrix[] = [];
  let through: Matrix = [scale, 0, 0, scale, 0, 0];

  const path = () => {
    const drawn = new Path2D();
    for (let left = next(); left > 0; left -= 1) {
      const kind = next();
      if (kind === 0) drawn.moveTo(next(), next());
      else if (kind === 1) drawn.lineTo(next(), next());
      else if (kind === 2) drawn.bezierCurveTo(next(), next(), next(), next(), next(), next());
      else drawn.closePath();
    }
    return drawn;
  };
  const paint = () => {
    if (next() === 0) {
      context.fillStyle = colorOf(next());
      context.globalAlpha = next();
      return;
    }
    const gradient = context.createLinearGradient(next(), next(), next(), next());
    for (let left = next(); left > 0; left -= 1) gradient.addColorStop(next(), colorOf(next()));
    context.fillStyle = gradient;
  };

  const glyphs = () => {
    const font = next();
    const color = colorOf(next());
    const stroke = next();
    const filled = next() === 1;
    const [a, c, d] = [next(), next(), next()];
    context.fillStyle = color;
    if (stroke > 0) {
      context.strokeStyle = color;
      context.lineWidth = stroke;
      context.setLineDash([]);
    }
    const [ta, tb, tc, td, te, tf] = through;
    const [ga, gb, gc, gd] = [ta * a, tb * a, ta * c + tc * d, tb * c + td * d];
    for (let left = next(); left > 0; left -= 1) {
      const id = next();
      const [x, y] = [next(), next()];
      const outline = palette.glyph(font, id);
      if (!outline) continue;
      context.setTransform(ga, gb, gc, gd, ta * x + tc * y + te, tb * x + td * y + tf);
      if (filled) context.fill(outline);
      if (stroke > 0) context.stroke(outline);
    }
    context.setTransform(...through);
  };

  const line = () => {
    context.strokeStyle = colorOf(next());
    const [width, round] = [next(), next()];
    context.lineWidth = Math.max(width, HAIRLINE / Math.max(Math.hypot(through[0], through[1]), 0.001));
    context.lineCap = round === 1 ? 'round' : 'butt';
    context.setLineDash(Array.from({ length: next() }, next));
    context.stroke(path());
    context.lineCap = 'butt';
  };

  const picture = () => {
    const [key, opacity] = [next(), next()];
    const [seen, whole] = [
      [next(), next(), next(), next()],
      [next(), next(), next(), next()],
    ] as [[number, number, number, number], [number, number, number, number]];
    const outlined = (numbers[at] ?? 0) > 0;
    const outline = path();
    const bitmap = palette.picture(key);
    if (!bitmap) return;
    context.save();
    const area = new Path2D();
    area.rect(...seen);
    context.clip(area);
    if (outlined) context.clip(outline);
    context.globalAlpha = opacity;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, ...whole);
    context.restore();
  };

  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(...through);
  context.miterLimit = 10;
  while (at < numbers.length) {
    switch (next()) {
      case 1:
        glyphs();
        break;
      case 2: {
        const [x, y, width, height] = [next(), next(), next(), next()];
        context.fillStyle = colorOf(next());
        context.globalAlpha = next();
        context.fillRect(x, y, width, height);
        context.globalAlpha = 1;
        break;
      }
      case 3:
        line();
        break;
      case 4: {
        const rule = next() === 1 ? 'evenodd' : 'nonzero';
        paint();
        context.fill(path(), rule);
        context.globalAlpha = 1;
        break;
      }
      case 5:
        picture();
        break;
      case 6: {
        groups.push(through);
        through = concatenated(through, [next(), next(), next(), next(), next(), next()]);
        context.save();
        context.setTransform(...through);
        const [clipped, x, y, width, height] = [next(), next(), next(), next(), next()];
        if (clipped === 1) {
          const area = new Path2D();
          area.rect(x, y, width, height);
          context.clip(area);
        }
        break;
      }
      case 7:
        through = groups.pop() ?? through;
        context.restore();
        context.setTransform(...through);
        break;
      default:
        // An unknown kind cannot be skipped; the drawing ends here.
        return;
    }
  }
}

/** A cache of font outlines. */
export class Outlines {
  readonly #known = new Map<number, Path2D | null>();

  constructor(
    private readonly engine: Preview,
    private readonly document: number,
    /** The outlines of the product's fonts, which are the same in every document. */
    private readonly shared: Map<number, Path2D | null>,
  ) {}

  glyph(font: number, id: number): Path2D | null {
    const known = font < 1000 ? this.shared : this.#known;
    const key = font * 65_536 + id;
    let outline = known.get(key);
    if (outline === undefined) {
      const path = this.engine.outline(this.document, font, id);
      outline = path ? new Path2D(path) : null;
      known.set(key, outline);
    }
    return outline;
  }
}
