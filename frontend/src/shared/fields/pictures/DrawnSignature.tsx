import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import SignaturePad from 'signature_pad';

import { createCanvas, encodeTrimmed } from './encodePicture';
import classes from './pictures.module.css';
import type { PictureValue } from './pictureValue';
import { INK_COLOR } from './signatureInk';
import {
  afterClearing,
  afterDrawing,
  afterUndo,
  canUndo,
  NO_STROKES,
  scaleStrokes,
  type StrokeHistory,
} from './strokes';

/** The width of a stroke in CSS pixels: slow and fast. */
const MAX_STROKE_PX = 2.8;
const MIN_STROKE_PX = 0.9;
/** The width of the drawing area in the encoded picture, before it is trimmed, in pixels. */
const ENCODED_WIDTH_PX = 1600;

interface DrawnSignatureProps {
  field: string;
  label: string;
  onChange: (value: PictureValue | undefined) => void;
}

/** A drawing area for pen, mouse and finger. The value changes after each stroke. */
export function DrawnSignature({ field, label, onChange }: DrawnSignatureProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  const [history, setHistory] = useState<StrokeHistory>(NO_STROKES);
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  });

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const newPad = createPad(element);
    pad.current = newPad;
    const handleStroke = () => {
      const strokes = newPad.toData();
      setHistory(afterDrawing([...strokes]));
      latestOnChange.current(encodeStrokes(strokes, element));
    };
    // The pad keeps the browser from moving the focus, which tells the pages which field to show.
    const handleStart = () => element.parentElement?.focus({ preventScroll: true });
    newPad.addEventListener('beginStroke', handleStart);
    newPad.addEventListener('endStroke', handleStroke);
    let width = 0;
    const observer = new ResizeObserver(() => {
      const { offsetWidth } = element;
      if (offsetWidth === 0 || offsetWidth === width) return;
      const strokes = width > 0 ? scaleStrokes(newPad.toData(), offsetWidth / width) : [];
      width = offsetWidth;
      fitCanvas(element);
      newPad.fromData(strokes);
      setHistory((now) => ({ ...now, strokes }));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      newPad.off();
      pad.current = null;
    };
  }, []);

  const show = (next: StrokeHistory) => {
    setHistory(next);
    pad.current?.fromData(next.strokes);
    if (canvas.current) onChange(encodeStrokes(next.strokes, canvas.current));
  };
  return (
    <>
      <div
        role="group"
        aria-label={t('signatureInput.drawArea', { field: label })}
        data-input={field}
        // The form focuses it, but Tab does not stop where no key has an effect.
        tabIndex={-1}
        className={classes['pad']}
        data-empty={history.strokes.length === 0 || undefined}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <span aria-hidden="true">{t('signatureInput.signHere')}</span>
      </div>
      <p className={classes['hint']}>{t('signatureInput.drawHint')}</p>
      <div className={classes['buttons']}>
        <Button
          size="xs"
          variant="default"
          disabled={!canUndo(history)}
          onClick={() => show(afterUndo(history))}
        >
          {t(history.cleared ? 'signatureInput.undoClear' : 'signatureInput.undoStroke')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={history.strokes.length === 0}
          onClick={() => show(afterClearing(history))}
        >
          {t('signatureInput.clear')}
        </Button>
      </div>
    </>
  );
}

function createPad(canvas: HTMLCanvasElement): SignaturePad {
  return new SignaturePad(canvas, {
    penColor: INK_COLOR,
    minWidth: MIN_STROKE_PX,
    maxWidth: MAX_STROKE_PX,
  });
}

/** Gives the canvas one pixel per pixel of the screen. */
function fitCanvas(canvas: HTMLCanvasElement): void {
  const ratio = Math.max(1, window.devicePixelRatio);
  canvas.width = Math.round(canvas.offsetWidth * ratio);
  canvas.height = Math.round(canvas.offsetHeight * ratio);
  canvas.getContext('2d')?.scale(ratio, ratio);
}

/** Draws strokes in the same resolution on every screen. Returns undefined if there are none. */
function encodeStrokes(
  strokes: StrokeHistory['strokes'],
  { offsetWidth, offsetHeight }: HTMLCanvasElement,
): PictureValue | undefined {
  if (strokes.length === 0 || offsetWidth === 0) return undefined;
  const factor = ENCODED_WIDTH_PX / offsetWidth;
  const canvas = createCanvas({ width: ENCODED_WIDTH_PX, height: offsetHeight * factor });
  const pad = createPad(canvas);
  pad.off();
  pad.fromData(scaleStrokes(strokes, factor));
  const image = encodeTrimmed(canvas);
  return image ? { image } : undefined;
}
