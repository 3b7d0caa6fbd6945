import { Fragment, memo, type CSSProperties, type ReactNode } from 'react';

import classes from './Pages.module.css';
import type { PageText, TextElement, TextLink, TextNode, TextPiece } from './messages';

interface TextLayerProps {
  text: PageText;
  onLinkClick: (destination: string) => void;
}

/** The text of a page over its drawing in reading order. It can be selected, found, copied and read aloud. */
export const TextLayer = memo(function TextLayer({ text, onLinkClick }: TextLayerProps) {
  return (
    <>
      {renderNodes(text.body, onLinkClick)}
      {renderNodes(text.artifacts, onLinkClick)}
    </>
  );
});

type OnLinkClick = TextLayerProps['onLinkClick'];

function renderNodes(content: TextNode[], onPlace: OnLinkClick): ReactNode {
  return content.map((node, index) =>
    node.kind === 'text' ? (
      <TextPieceSpan key={index} piece={node} />
    ) : node.kind === 'link' ? (
      <LinkNode key={index} link={node} onPlace={onPlace} />
    ) : (
      <ElementNode key={index} element={node} onPlace={onPlace} />
    ),
  );
}

/** The height of letters above the baseline, as a share of their size. */
const ASCENT_SHARE = 0.8;

function TextPieceSpan({ piece }: { piece: TextPiece }) {
  const { text, x, y, width, size, angle, rightToLeft, language, apart } = piece;
  const unscaledWidth = textWidth(text, size);
  const stretch = unscaledWidth > 0 ? width / unscaledWidth : 1;
  const transforms = [angle && `rotate(${angle}deg)`, `scaleX(${stretch.toFixed(4)})`].filter(Boolean);
  return (
    <>
      {apart && ' '}
      <span
        dir={rightToLeft ? 'rtl' : 'ltr'}
        lang={language}
        style={{ left: x, top: y - size * ASCENT_SHARE, fontSize: size, transform: transforms.join(' ') }}
      >
        {text}
      </span>
    </>
  );
}

/** The URL schemes that links of a document may have. */
const SAFE_URL = /^(https?|mailto|tel):/i;

function LinkNode({ link, onPlace }: { link: TextLink; onPlace: OnLinkClick }) {
  const { uri, destination, area, content } = link;
  const inside = renderNodes(content, onPlace);
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
  if (!uri || !SAFE_URL.test(uri)) return <Fragment>{inside}</Fragment>;
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

function ElementNode({ element, onPlace }: { element: TextElement; onPlace: OnLinkClick }) {
  const inside = renderNodes(element.content, onPlace);
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
        <div role={element.ofRow ? 'rowheader' : 'columnheader'} {...spanProps(element)}>
          {inside}
        </div>
      );
    case 'cell':
      return (
        <div role="cell" {...spanProps(element)}>
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

function spanProps({ columns, rows }: { columns: number; rows: number }) {
  return {
    ...(columns > 1 ? { 'aria-colspan': columns } : {}),
    ...(rows > 1 ? { 'aria-rowspan': rows } : {}),
  };
}

let rulerContext: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const RULER_FONT_PX = 100;

/** Returns the width of a text in the browser's font. The text is stretched to match the drawn letters. */
function textWidth(text: string, size: number): number {
  let width = widths.get(text);
  if (width === undefined) {
    rulerContext ??= document.createElement('canvas').getContext('2d');
    if (!rulerContext) return 0;
    rulerContext.font = `${RULER_FONT_PX}px sans-serif`;
    width = rulerContext.measureText(text).width;
    if (widths.size > 20_000) widths.clear();
    widths.set(text, width);
  }
  return (width * size) / RULER_FONT_PX;
}
