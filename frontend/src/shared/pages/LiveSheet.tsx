import { memo, useEffect, useRef, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

import type { LiveDocument } from './client';
import type { Blank, PageSize, PageText } from './messages';
import deskClasses from './Desk.module.css';
import classes from './Pages.module.css';
import { TextLayer } from './TextLayer';
import type { Texts } from './useLive';

interface LiveSheetProps {
  live: LiveDocument;
  texts: Texts;
  /** The page index, from 0. */
  page: number;
  of: number;
  size: PageSize;
  /** CSS pixels per point. */
  scale: number;
  lang: string | undefined;
  /** The page as a small picture, shown until it is drawn. */
  picture: string | null | undefined;
  blanks: Blank[];
  /** The number of the active field. */
  active: number;
  onBlank: ((field: number) => void) | undefined;
  onPlace: (destination: string) => void;
}

/** The distance from the window within which pages are drawn. */
const NEAR = '800px';
const MOST_DENSITY = 3;
/** The margin around a blank that reacts to clicks, in points. */
const REACH = 3;
/** The minimum width of a blank in points, because an empty value has no width. */
const LEAST_WIDTH = 8;

/** A sheet that the worker draws while it is near the window, with its text on top. */
export const LiveSheet = memo(function LiveSheet(props: LiveSheetProps) {
  const { live, texts, page, of, size, scale, lang, picture, blanks, active, onBlank, onPlace } = props;
  const { t } = useTranslation();
  const sheet = useRef<HTMLDivElement>(null);
  // The first page is always drawn, because the pages begin with it.
  const [inReach, setInReach] = useState(false);
  const near = page === 0 || inReach;
  const [text, setText] = useState<PageText | null>(null);
  const shown = useRef<ReturnType<LiveDocument['show']>>(undefined);
  const pixels = useRef(0);

  useEffect(() => {
    const element = sheet.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => setInReach(entry?.isIntersecting ?? false), {
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    pixels.current = scale * Math.min(window.devicePixelRatio || 1, MOST_DENSITY);
    shown.current?.scale(pixels.current);
  }, [scale]);

  useEffect(() => {
    const element = sheet.current;
    if (!near || !element) return undefined;
    // Control of a canvas can be transferred only once, so each drawing has its own.
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    element.prepend(canvas);
    const place = live.show(page, canvas, pixels.current);
    shown.current = place;
    const stop = texts(page, setText);
    return () => {
      stop();
      place.leave();
      shown.current = undefined;
      canvas.remove();
    };
  }, [live, texts, page, near]);

  const press = (event: MouseEvent<HTMLDivElement>) => {
    if (!onBlank || document.getSelection()?.isCollapsed === false) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
    const pressed = blanks.find(
      (blank) =>
        x >= blank.x - REACH &&
        x <= blank.x + Math.max(blank.width, LEAST_WIDTH) + REACH &&
        y >= blank.y &&
        y <= blank.y + blank.height,
    );
    if (pressed) onBlank(pressed.field);
  };

  return (
    <div
      ref={sheet}
      className={deskClasses['sheet']}
      style={{
        width: size.width * scale,
        height: size.height * scale,
        ...(picture && !text ? { backgroundImage: `url("${picture}")` } : {}),
      }}
      role="group"
      aria-label={t('pdf.page', { page: page + 1, pages: of })}
      data-drawn={text ? true : undefined}
      data-page={page}
      onClick={press}
    >
      <div className={classes['layer']} style={{ transform: `scale(${scale})` }}>
        {near &&
          onBlank &&
          blanks.map((blank, index) => (
            <div
              key={index}
              className={classes['blank']}
              data-field={blank.field}
              data-active={blank.field === active || undefined}
              style={{
                left: blank.x,
                top: blank.y,
                width: Math.max(blank.width, LEAST_WIDTH),
                height: blank.height,
              }}
            />
          ))}
      </div>
      <div className={`${classes['layer']} textLayer`} lang={lang} style={{ transform: `scale(${scale})` }}>
        {near && text && <TextLayer text={text} onPlace={onPlace} />}
      </div>
    </div>
  );
});
