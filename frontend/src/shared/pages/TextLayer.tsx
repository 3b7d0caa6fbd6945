import { Fragment, memo, type CSSProperties, type ReactNode } from 'react';

import classes from './Pages.module.css';
import type { PageText, TextElement, TextLink, TextNode, TextPiece } from './messages';

interface TextLayerProps {
  text: PageText;
  onPlace: (destination: string) => void;
}

/** The text of a page over its drawing in reading order. It can be selected, found, copied and read aloud. */
export const TextLayer = memo(function TextLayer({ text, onPlace }: TextLayerProps) {
  return (
    <>
      {nodes(text.body, onPlace)}
      {nodes(text.artifacts, onPlace)}
    </>
  );
});

type OnPlace = TextLayerProps['onPlace'];

function nodes(content: TextNode[], onPlace: OnPlace): ReactNode {
  return content.map((node, index) =>
    node.kind === 'text' ? (
      <Piece key={index} piece={node} />
    ) : node.kind === 'link' ? (
      <Link key={index} link={node} onPlace={onPlace} />
    ) : (
      <Element key={index} element={node} onPlace={onPlace} />
    ),
  );
}

/** The height of letters above the baseline, as a share of their size. */
const ASCENT = 0.8;

function Piece({ piece }: { piece: TextPiece }) {
  const { text, x, y, width, size, angle, rightToLeft, language, apart } = piece;
  const natural = naturalWidth(text, size);
  const stretch = natural > 0 ? width / natural : 1;
  const turns = [angle && `rotate(${angle}deg)`, `scaleX(${stretch.toFixed(4)})`].filter(Boolean);
  return (
    <>
      {apart && ' '}
      <span
        dir={rightToLeft ? 'rtl' : 'ltr'}
        lang={language}
        style={{ left: x, top: y - size * ASCENT, fontSize: size, transform: turns.join(' ') }}
      >
        {text}
      </span>
    </>
  );
}

/** The URL schemes that links of a document may have. */
const SAFE = /^(https?|mailto|tel):/i;

function Link({ link, onPlace }: { link: TextLink; onPlace: OnPlace }) {
  const { uri, destination, area, content } = link;
  const inside = nodes(content, onPlace);
  const name = content.length === 0 ? (uri ?? destination) : undefined;
  // A link without text uses its own area.
  const style: CSSProperties | undefined =
    content.length === 0
      ? { left: area.x, top: area.y, width: area.width, height: area.height, display: 'block' }
      : undefined;
  const className = classes['link'];
  if (destination !== undefined)
    return (
      <a
        href={`#${encodeURIComponent(destination)}`}
        className={className}
        aria-label={name}
        style={style}
        onClick={(event) => {
          event.preventDefault();
          onPlace(destination);
        }}
      >
        {inside}
      </a>
    );
  if (!uri || !SAFE.test(uri)) return <Fragment>{inside}</Fragment>;
  return (
    <a
      href={uri}
      className={className}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={name}
      style={style}
    >
      {inside}
    </a>
  );
}

function Element({ element, onPlace }: { element: TextElement; onPlace: OnPlace }) {
  const inside = nodes(element.content, onPlace);
  switch (element.role) {
    case 'paragraph':
      return <div role="paragraph">{inside}</div>;
    case 'heading':
      // The first heading level belongs to the surrounding page.
      return (
        <div role="heading" aria-level={Math.min(element.level + 1, 6)}>
          {inside}
        </div>
      );
    case 'list':
      return <div role="list">{inside}</div>;
    case 'listItem':
      return <div role="listitem">{inside}</div>;
    case 'table':
      return <div role="table">{inside}</div>;
    case 'row':
      return <div role="row">{inside}</div>;
    case 'header':
      return (
        <div role={element.ofRow ? 'rowheader' : 'columnheader'} {...spans(element)}>
          {inside}
        </div>
      );
    case 'cell':
      return (
        <div role="cell" {...spans(element)}>
          {inside}
        </div>
      );
    case 'figure':
    case 'formula':
      return (
        <div role="img" aria-label={element.description}>
          {inside}
        </div>
      );
    case 'note':
      return <div role="note">{inside}</div>;
    case 'group':
      return <div>{inside}</div>;
  }
}

function spans({ columns, rows }: { columns: number; rows: number }) {
  return {
    ...(columns > 1 ? { 'aria-colspan': columns } : {}),
    ...(rows > 1 ? { 'aria-rowspan': rows } : {}),
  };
}

let ruler: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const RULED_PX = 100;

/** Returns the width of a text in the browser's font. The text is stretched to match the drawn letters. */
function naturalWidth(text: string, size: number): number {
  let width = widths.get(text);
  if (width === undefined) {
    ruler ??= document.createElement('canvas').getContext('2d');
    if (!ruler) return 0;
    ruler.font = `${RULED_PX}px sans-serif`;
    width = ruler.measureText(text).width;
    if (widths.size > 20_000) widths.clear();
    widths.set(text, width);
  }
  return (width * size) / RULED_PX;
}
